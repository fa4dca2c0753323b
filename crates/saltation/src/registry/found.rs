//! What a question has found, of whatever kind: the answer, its request and its figure.

use crate::check::Checked;
use crate::contact::Solved;
use crate::equilibrium::branch::Branches;
use crate::fit::Fitted;
use crate::lyapunov::Measured;
use crate::orbit::Searched;
use crate::registry::fields::{Wrong, read_value, take, unknown};
use crate::registry::plain::{Fields, Plain};
use crate::sweep::{Shown, Swept};
use crate::{Answered, Basins, Branch, Curve, Equilibria, Error, Figure, Modes, Run, Stepped, System};

/// A result of a question. It lies where it was made and is not moved, so that its largest kind may be large.
#[derive(Debug)]
#[expect(clippy::large_enum_variant)]
pub enum Found {
    /// What a model is.
    Check(Checked),
    /// A motion.
    Simulation(Run),
    /// A motion by time stepping.
    Stepping(Stepped),
    /// A search for an orbit.
    Orbit(Searched),
    /// Branches of orbits.
    Branch(Branch),
    /// Branches of equilibria.
    EquilibriumBranch(Branches),
    /// A bifurcation curve.
    Curve(Curve),
    /// Equilibria.
    Equilibria(Equilibria),
    /// Lyapunov exponents.
    Lyapunov(Measured),
    /// A fit to measurements.
    Fit(Fitted),
    /// Nonsmooth modes.
    Modes(Modes),
    /// Contact forces.
    Contact(Solved),
    /// A sweep.
    Sweep(Swept),
    /// Attractors and their basins.
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
            Found::Fit($one) => $value,
            Found::Modes($one) => $value,
            Found::Contact($one) => $value,
            Found::Sweep($one) => $value,
            Found::Basin($one) => $value,
        }
    };
}

/// A mistake of a request, or of the library's judgement of it.
#[derive(Debug)]
pub enum Refused {
    /// A field that does not fit, by its name.
    Wrong(Wrong),
    /// An error of the question.
    Error(Error),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::Wrong(wrong) => wrong.fmt(f),
            Refused::Error(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

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
    pub fn answered(&self) -> &dyn Answered {
        each!(self, one => one)
    }

    /// The system.
    pub fn system(&self) -> &System {
        self.answered().system()
    }

    /// The request as JSON.
    pub fn request(&self) -> String {
        // Requests are plain data, which is written to memory.
        each!(self, one => serde_json::to_string(&one.request)).unwrap_or_default()
    }

    /// About how many bytes of memory it keeps.
    pub fn bytes(&self) -> usize {
        /// What an answer has besides its rows.
        const LITTLE: usize = 64 * 1024;
        /// A row of an answer: its names, and what it has besides numbers.
        const ROW: usize = 256;
        let states = self.system().state_names().len();
        let row = ROW + 2 * size_of::<f64>() * states;
        LITTLE
            + match self {
                Found::Simulation(run) => run.path_bytes() + run.events.len() * 2 * row,
                Found::Sweep(swept) => {
                    let records = swept.tasks.len() * usize::try_from(swept.recorded).unwrap_or(usize::MAX / row);
                    swept.tasks.len() * row + records.max(swept.records.len()).saturating_mul(row)
                }
                Found::Basin(basins) => usize::try_from(basins.done).unwrap_or(usize::MAX / row).saturating_mul(row),
                Found::Branch(branch) => branch.points.len() * 8 * row,
                _ => 0,
            }
    }

    /// Why there is no answer, where a search needs one: a word and lines.
    pub fn missing(&self) -> Option<(String, Vec<String>)> {
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
    pub fn figure(&self, mut how: Fields) -> Result<Option<Figure>, Refused> {
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
            Found::Fit(found) => (&[], found.figure()),
            Found::Check(found) => (&[], Ok(found.figure())),
            Found::Equilibria(_) | Found::Lyapunov(_) => (&[], Ok(None)),
        };
        match how.first() {
            Some((name, _)) => Err(unknown(name, names.iter().copied()).into()),
            None => Ok(figure?),
        }
    }
}

fn plane(how: &mut Fields, system: &System) -> Result<Option<[String; 2]>, Wrong> {
    let value: Option<Plain> = take(how, "plane");
    value.map(|value| read_value("plane", value, system)).transpose()
}
