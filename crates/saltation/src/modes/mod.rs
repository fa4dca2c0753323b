//! Nonsmooth modes: periodic motions of an elastically bouncing structure with k impacts per period, the question `modes`.

pub mod answer;
mod describe;
pub(crate) mod fields;
mod figure;
mod report;
pub mod request;
mod search;
mod tables;
mod view;

pub use answer::{Answer, Mode, Motion};
pub use request::Request;

use crate::answered::{Answered, Ending, Outline, Parts};
use crate::error::{Error, Refusal, accepted};
use crate::progress::Progress;
use crate::system::System;
use crate::table::Table;
use crate::text::cut;
use request::Asked;
use saltation_draw::Figure;
use saltation_expr::parse::nearest;
use saltation_model::{Model, StateKind, Structure};
use search::Computed;
use std::ops::{Deref, RangeInclusive};
use std::time::{Duration, Instant};

/// A search for nonsmooth modes to be computed.
///
/// ```
/// use saltation::System;
/// let chain = System::gallery("chain")?;
/// let modes = chain.modes().periods(0.0..=40.0).run()?;
/// assert_eq!(modes.intervals.len(), 43);
/// let near = chain.modes().near(3.8).run()?;
/// let mode = &near.modes[0];
/// assert!(mode.admissible && (mode.energy - 3.07365966981981).abs() < 1e-13);
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ModesSearch {
    /// The system, of which the parameters count.
    pub system: System,
    /// The request.
    pub request: Request,
}

/// The result of a search: the answer, the system and the request.
#[derive(Debug, Clone)]
pub struct Modes {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The answer.
    pub answer: Answer,
    /// The wall time of the computation.
    pub wall_time: Duration,
    pub(crate) asked: Asked,
    pub(crate) computed: Computed,
}

impl Deref for Modes {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl System {
    /// A search for motions with elastic impacts against one obstacle: one impact per period, and periods up to twice the longest
    /// linear one, by default. Damping, forcing and other contacts are left out, which the answer says.
    pub fn modes(&self) -> ModesSearch {
        ModesSearch { system: self.clone(), request: Request::default() }
    }
}

impl ModesSearch {
    /// Motions with this number of impacts per period.
    pub fn impacts(mut self, count: u64) -> Self {
        self.request.ipp = count;
        self
    }

    /// Motions with these periods.
    pub fn periods(mut self, range: RangeInclusive<f64>) -> Self {
        self.request.periods = Some([*range.start(), *range.end()]);
        self
    }

    /// Motions of this period only.
    pub fn near(mut self, period: f64) -> Self {
        self.request.near = Some(period);
        self
    }

    /// The number of random starts for motions with two or more impacts.
    pub fn search(mut self, starts: u64) -> Self {
        self.request.search = starts;
        self
    }

    /// The seed of the random starts.
    pub fn seed(mut self, seed: u64) -> Self {
        self.request.seed = seed;
        self
    }

    /// Follows every motion along its family, with at most this number of motions in each direction; with one impact per period computes that number of
    /// motions of every interval.
    pub fn family(mut self, points: u64) -> Self {
        self.request.family = true;
        self.request.points = Some(points);
        self
    }

    /// The contact, if the model has several.
    pub fn contact(mut self, name: &str) -> Self {
        self.request.contact = Some(name.to_string());
        self
    }

    /// Computes multipliers for any number of modes.
    pub fn stability(mut self) -> Self {
        self.request.stability = true;
        self
    }

    /// Searches; the absence of motions is a valid answer.
    ///
    /// # Errors
    /// Mistakes in the request; a model that is not a linear structure with one contact.
    pub fn run(&self) -> Result<Modes, Error> {
        self.run_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`ModesSearch::run`].
    pub fn run_with(&self, progress: &mut dyn Progress) -> Result<Modes, Error> {
        Ok(self.prepare()?.run_with(progress))
    }

    /// Finds all mistakes: checks the request and computes the linear modes.
    ///
    /// # Errors
    /// As [`ModesSearch::run`].
    pub fn prepare(&self) -> Result<Prepared, Error> {
        let began = Instant::now();
        let asked = self.request.asked(&self.system)?;
        Ok(Prepared { search: self.clone(), asked, spent: began.elapsed() })
    }
}

/// A search that can begin, with the linear modes of its structure.
#[derive(Debug, Clone)]
pub struct Prepared {
    search: ModesSearch,
    asked: Asked,
    /// How long the preparation took.
    spent: Duration,
}

impl Prepared {
    /// Searches, with progress and interruption.
    pub fn run_with(self, progress: &mut dyn Progress) -> Modes {
        let began = Instant::now();
        let Prepared { search: ModesSearch { system, request }, asked, spent } = self;
        let computed = Computed::of(&asked, progress);
        let answer = Answer::new(&system, &asked, &computed);
        Modes { system, request, answer, wall_time: spent + began.elapsed(), asked, computed }
    }
}

impl Answered for Modes {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    fn ending(&self) -> Ending {
        Ending::short(report::ended_short(self))
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    fn tables(&self) -> Vec<Table> {
        tables::tables(&self.answer)
    }

    fn warnings(&self) -> Vec<String> {
        self.left_out.clone()
    }

    fn file(&self) -> Option<&'static str> {
        Some("modes.json")
    }

    fn outline(&self) -> Option<Outline> {
        Some(Outline { seed: self.request.seed, ended: self.ended.clone() })
    }
}

impl Modes {
    /// The figure: energy against frequency, motions over a period, and the manifold that they form, projected on three coordinates or
    /// velocities, by default at the contact.
    ///
    /// # Errors
    /// If these are not three, or a name is no coordinate or velocity of the model.
    pub fn figure(&self, coordinates: Option<&[&str]>) -> Result<Figure, Error> {
        let model = self.system.model();
        let coordinates = match coordinates {
            Some(names) => named_states(&self.system, names)?,
            None => at_contact(model, &self.asked.structure),
        };
        Ok(figure::figure(self, &coordinates))
    }
}

/// Three coordinates or velocities by their names, as [`Modes::figure`] takes them: their indices among the states.
///
/// # Errors
/// If these are not three, or a name is no coordinate or velocity of the model.
pub fn named_states(system: &System, names: &[&str]) -> Result<Vec<usize>, Error> {
    let model = system.model();
    let known = || model.states.iter().map(|state| state.name.as_str());
    let (mut states, mut refusals, mut begin) = (Vec::new(), Vec::new(), 0);
    for name in names {
        let part = begin..begin + name.len().max(1);
        begin += name.len() + 1;
        let name = name.trim();
        match model.state(name).filter(|&state| model.states[state].kind != StateKind::Phase) {
            Some(state) => states.push(state),
            None => {
                let help = match nearest(name, known()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "give coordinates or velocities of the model".to_string(),
                };
                let message = format!("the model has no coordinate or velocity `{}`", cut(name));
                refusals.push(Refusal::new("coordinates", message, help).in_part(part));
            }
        }
    }
    if refusals.is_empty() && states.len() != 3 {
        let message = format!("a manifold is projected on three coordinates, and these are {}", states.len());
        refusals.push(Refusal::new("coordinates", message, "give for example u4,u5,v5"));
    }
    accepted(refusals)?;
    Ok(states)
}

/// The coordinate that counts most in the gap, its velocity, and the coordinate before it, or after it if it is the first.
fn at_contact(model: &Model, structure: &Structure) -> Vec<usize> {
    let Some(mechanics) = model.body.mechanics() else { return Vec::new() };
    let weight = |i: &usize| structure.normal[*i].abs();
    let n = structure.normal.len();
    let most = (0..n).max_by(|i, j| weight(i).total_cmp(&weight(j))).unwrap_or(0);
    let other = if most > 0 { most - 1 } else { (most + 1).min(n.saturating_sub(1)) };
    vec![mechanics.coordinates[other], mechanics.coordinates[most], mechanics.velocities[most]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_json;

    #[test]
    fn answers_are_read_back_as_they_were_written() -> Result<(), Error> {
        let chain = System::gallery("chain")?;
        let one = chain.modes().periods(0.0..=8.0).family(3);
        let two = chain.modes().impacts(2).periods(2.7..=2.95).search(60).family(40);
        for search in [one, two] {
            let modes = search.run()?;
            let text = modes.json();
            assert_eq!(crate::answered::json(&read_json::<Answer>(&text)?), text);
        }
        Ok(())
    }

    #[test]
    fn nonsense_is_refused_with_its_field() -> Result<(), Error> {
        let chain = System::gallery("chain")?;
        let fields = |search: ModesSearch| match search.run() {
            Err(Error::Request(list)) => list.iter().map(|refusal| refusal.field).collect(),
            _ => Vec::new(),
        };
        assert_eq!(
            fields(chain.modes().near(f64::NAN).impacts(0).search(0).family(1)),
            ["ipp", "near", "search", "points"]
        );
        assert_eq!(fields(chain.modes().near(f64::INFINITY)), ["near"]);
        for (low, high) in [(2.0, 1.0), (1.0, 1.0), (-1.0, 2.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (0.0, 1e9)] {
            assert_eq!(fields(chain.modes().periods(low..=high)), ["periods"]);
        }
        assert_eq!(fields(chain.modes().contact("wal")), ["contact"]);
        let figure = chain.modes().near(3.8).run()?.figure(Some(&["u1", "", "w2"]));
        assert!(matches!(figure, Err(Error::Request(list)) if list.len() == 2));
        Ok(())
    }
}
