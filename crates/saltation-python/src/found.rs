//! What a question has found, of whatever kind: the answer, its request and its figure.

use crate::fields::{Named, Wrong, read_value, take, unknown};
use crate::plain::Plain;
use saltation::check::Checked;
use saltation::contact::Solved;
use saltation::equilibrium::branch::Branches;
use saltation::lyapunov::Measured;
use saltation::orbit::Searched;
use saltation::sweep::{Shown, Swept};
use saltation::{Answered, Basins, Branch, Curve, Equilibria, Error, Figure, Modes, Run, Stepped, System};

/// A result of a question. It lies in an object of Python and is not moved, so that its largest kind may be large.
#[expect(clippy::large_enum_variant)]
pub(crate) enum Found {
    Check(Checked),
    Simulation(Run),
    Stepping(Stepped),
    Orbit(Searched),
    Branch(Branch),
    EquilibriumBranch(Branches),
    Curve(Curve),
    Equilibria(Equilibria),
    Lyapunov(Measured),
    Modes(Modes),
    Contact(Solved),
    Sweep(Swept),
    Basin(Basins),
}

macro_rules! each {
    ($found:expr, $one:ident => $value:expr) => {
        match $found {
            Found::Check($one) => $value,
            Found::Simulation($one) => $value,
            Found::Stepping($one) => $value,
            Found::Orbit($one) => $value,
            Found::Branch($one) => $value,
            Found::EquilibriumBranch($one) => $value,
            Found::Curve($one) => $value,
            Found::Equilibria($one) => $value,
            Found::Lyapunov($one) => $value,
            Found::Modes($one) => $value,
            Found::Contact($one) => $value,
            Found::Sweep($one) => $value,
            Found::Basin($one) => $value,
        }
    };
}

/// A mistake of a request, or of the library's judgement of it.
pub(crate) enum Refused {
    Wrong(Wrong),
    Error(Error),
}

impl From<Wrong> for Refused {
    fn from(wrong: Wrong) -> Refused {
        Refused::Wrong(wrong)
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::Error(error)
    }
}

impl Found {
    /// The answer.
    pub(crate) fn answered(&self) -> &dyn Answered {
        each!(self, one => one)
    }

    /// The system.
    pub(crate) fn system(&self) -> &System {
        self.answered().system()
    }

    /// The request as JSON.
    pub(crate) fn request(&self) -> String {
        // Requests are plain data, which is written to memory.
        each!(self, one => serde_json::to_string(&one.request)).unwrap_or_default()
    }

    /// Why there is no answer, where a search needs one: a word and lines.
    pub(crate) fn missing(&self) -> Option<(String, Vec<String>)> {
        let answered = self.answered();
        let (missing, word) = match self {
            Found::Orbit(found) => (!answered.ending().complete || found.orbit.is_none(), &found.ended),
            Found::Branch(found) => (found.points.is_empty(), &found.ended),
            Found::EquilibriumBranch(found) => (found.first.points.is_empty(), &found.first.ended),
            Found::Curve(found) => (found.points.is_empty(), &found.ended),
            Found::Equilibria(found) => (found.equilibria.is_empty(), &found.ended),
            _ => return None,
        };
        missing.then(|| (word.clone(), answered.ending().lines))
    }

    /// The figure, with what is drawn by name; `None` where there is nothing to draw.
    pub(crate) fn figure(&self, mut how: Named) -> Result<Option<Figure>, Refused> {
        let system = self.system();
        let mut text = |name: &str| -> Result<Option<String>, Wrong> {
            take(&mut how, name).map(|value| read_value(name, value, system)).transpose()
        };
        let (names, figure): (&[&str], Result<Option<Figure>, Error>) = match self {
            Found::Branch(found) => (&["ordinate"], found.figure(text("ordinate")?.as_deref())),
            Found::EquilibriumBranch(found) => (&["ordinate"], found.figure(text("ordinate")?.as_deref())),
            Found::Sweep(found) => {
                let quantity = text("ordinate")?;
                let overlays = take(&mut how, "overlays").map(|value| read_value("overlays", value, system));
                let overlays: Vec<String> = overlays.transpose()?.unwrap_or_default();
                let shown = Shown { quantity, overlays: overlays.into_iter().map(Into::into).collect() };
                (&["ordinate", "overlays"], found.figure(&shown))
            }
            Found::Simulation(found) => {
                let plane = plane(&mut how, system)?;
                (&["plane"], found.figure(plane.as_ref().map(|[x, y]| [x.as_str(), y.as_str()])))
            }
            Found::Stepping(found) => {
                let plane = plane(&mut how, system)?;
                (&["plane"], found.figure(plane.as_ref().map(|[x, y]| [x.as_str(), y.as_str()])))
            }
            Found::Modes(found) => {
                let names = take(&mut how, "coordinates").map(|value| read_value("coordinates", value, system));
                let names: Option<Vec<String>> = names.transpose()?;
                let names: Option<Vec<&str>> = names.as_ref().map(|names| names.iter().map(String::as_str).collect());
                (&["coordinates"], found.figure(names.as_deref()).map(Some))
            }
            Found::Orbit(found) => (&[], Ok(found.figure())),
            Found::Curve(found) => (&[], Ok(found.figure())),
            Found::Contact(found) => (&[], Ok(found.figure())),
            Found::Basin(found) => (&[], found.figure()),
            Found::Check(_) | Found::Equilibria(_) | Found::Lyapunov(_) => (&[], Ok(None)),
        };
        match how.first() {
            Some((name, _)) => Err(unknown(name, names.iter().copied()).into()),
            None => Ok(figure?),
        }
    }
}

fn plane(how: &mut Named, system: &System) -> Result<Option<[String; 2]>, Wrong> {
    let value: Option<Plain> = take(how, "plane");
    value.map(|value| read_value("plane", value, system)).transpose()
}
