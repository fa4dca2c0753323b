//! The contact problem: all forces of closed contacts that satisfy the contact laws, the question `contact`.

pub mod answer;
pub(crate) mod fields;
pub(crate) mod figure;
pub(crate) mod report;
pub mod request;
pub(crate) mod tables;

pub use answer::{Answer, Closed, Curve, Impact, Map, Smallest, Solution};
pub use request::{Along, Axis, Request};
pub use saltation_motion::problems::{Critical, Region};

use crate::answered::{Answered, Ending, Parts};
use crate::error::Error;
use crate::progress::Progress;
use crate::system::System;
use crate::table::Table;
use crate::text::number::short;
use saltation_draw::Figure;
use saltation_model::{Mistake, Mistakes};
use saltation_motion as motion;
use saltation_motion::problems::{
    Analysis, ContactMap, Contacts, NoProblem, SmallestFriction, Varied, VariedError, smallest_friction,
};
use std::ops::{Deref, RangeInclusive};
use std::time::{Duration, Instant};

/// A contact problem to be computed.
///
/// ```
/// use saltation::System;
/// let rod = System::gallery("painleve-rod")?.with_formula("angle", "pi/3")?.with("slip", 1.0)?;
/// let solved = rod.contact().run()?;
/// // Painlevé's paradox: no force satisfies the contact laws, and an impact without collision stops the tip.
/// assert_eq!((solved.status.as_str(), solved.solutions.len()), ("inconsistent", 0));
/// assert!((solved.impacts[0].tangential_impulse["tip"] + 0.4375).abs() < 1e-14);
///
/// let least = rod.contact().critical("angle", 0.1..=1.5).run()?;
/// assert!((least.critical.as_ref().unwrap().mu.unwrap() - 4.0 / 3.0).abs() < 1e-13);
/// let map = rod.contact().map(("angle", 0.2..=1.4, 4), ("spin", 0.0..=5.0, 3)).run()?;
/// assert_eq!(map.map.as_ref().unwrap().status[0][0].name(), "slip");
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Problem {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
}

/// A contact problem that was solved: the answer, the system and the request.
#[derive(Debug, Clone)]
pub struct Solved {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The answer.
    pub answer: Answer,
    /// The wall time of the computation.
    pub wall_time: Duration,
    pub(crate) analysis: Analysis,
    pub(crate) found: Option<ContactMap>,
    pub(crate) smallest: Option<Option<SmallestFriction>>,
}

impl Deref for Solved {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl System {
    /// The contact problem of the start.
    pub fn contact(&self) -> Problem {
        Problem { system: self.clone(), request: Request::default() }
    }
}

impl Problem {
    /// Maps the regions over two parameters or states, each with its range and number of values: horizontal and vertical axis.
    /// Contacts that are closed at the start stay closed.
    pub fn map(mut self, across: impl Into<Axis>, up: impl Into<Axis>) -> Self {
        self.request.map = Some([across.into(), up.into()]);
        self
    }

    /// Finds the smallest critical friction as a parameter or a state varies.
    pub fn critical(mut self, name: &str, range: RangeInclusive<f64>) -> Self {
        self.request.critical = Some((name, range).into());
        self
    }

    /// The tolerance of the motions that decide at boundaries between modes.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.request.tol = tolerance;
        self
    }

    /// Checks the question without solving it.
    ///
    /// # Errors
    /// As [`Problem::run`].
    pub fn possible(&self) -> Result<(), Error> {
        let Problem { system, request } = self;
        system.values()?;
        request.accepted(system)?;
        problem(system)?;
        let Request { map, critical, .. } = request;
        if let Some(along) = critical {
            varied(self, &[&along.name])?;
        }
        if let Some([first, second]) = map {
            varied(self, &[&first.name, &second.name])?;
        }
        Ok(())
    }

    /// Solves it.
    ///
    /// # Errors
    /// Mistakes in the request or the numbers; a model without a contact problem, or a start at which no contact is closed.
    pub fn run(&self) -> Result<Solved, Error> {
        self.run_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`Problem::run`].
    pub fn run_with(&self, progress: &mut dyn Progress) -> Result<Solved, Error> {
        let began = Instant::now();
        let Problem { system, request } = self;
        let values = system.values()?;
        request.accepted(system)?;
        let contacts = problem(system)?;
        let analysis = contacts.with_tolerance(request.tol).at(values.start());
        let along = request.critical.as_ref();
        let mut search = along.map(|along| varied(self, &[along.name.as_str()])).transpose()?;
        let names = request.map.as_ref().map(|[first, second]| [first.name.as_str(), second.name.as_str()]);
        let mut plane = names.map(|names| varied(self, &names)).transpose()?;
        let searched = along.zip(search.as_mut());
        let smallest = searched.map(|(along, varied)| smallest_friction(varied, along.low, along.high));
        let mapped = request.map.as_ref().zip(plane.as_mut()).map(|([first, second], varied)| {
            let values = [first.values(), second.values()];
            ContactMap::new(varied, values, &mut |share| progress.see(Some(share), &|| "map".to_string()))
        });
        let naming = system.naming()?;
        let found = mapped.as_ref();
        let answer = Answer {
            critical: along.zip(smallest).map(|(along, found)| answer::smallest(naming, along, found)),
            map: request.map.as_ref().zip(found).map(|(axes, map)| answer::map(naming, axes, map)),
            shares: found.map(answer::shares),
            parameters: system.parameters(),
            ..answer::solved(naming, &analysis, values.start())
        };
        let (system, request) = (system.clone(), request.clone());
        Ok(Solved { system, request, answer, wall_time: began.elapsed(), analysis, found: mapped, smallest })
    }
}

/// A mistake of the model that belongs to no place in its file.
fn unknown(system: &System, message: String, help: Option<&str>) -> Error {
    let mistake = Mistake::general(message);
    let mistake = help.into_iter().fold(mistake, |mistake, help| mistake.help(help));
    Mistakes { file: system.model().file.clone(), text: String::new(), list: vec![mistake] }.into()
}

/// The contact problem, if the model and its start have one.
fn problem(system: &System) -> Result<Contacts<'_>, Error> {
    let (compiled, values) = (system.compiled()?, system.values()?);
    let mut contacts = Contacts::new(compiled, values.parameters()).map_err(|why| {
        let help = match why {
            NoProblem::Flow => "describe the body by [mechanics] or [lagrangian]: then contacts have forces",
            NoProblem::NoContacts => "declare one in the model file, in [contacts.NAME]",
            NoProblem::Smooth => {
                "give a contact friction = { law = \"coulomb\", mu = .. }, or write together = \"lcp\" in [impacts]"
            }
        };
        unknown(system, why.to_string(), Some(help))
    })?;
    let touching = contacts.touching(values.start());
    if !touching.closed.is_empty() || !touching.striking.is_empty() {
        return Ok(contacts);
    }
    let gaps = contacts.gaps(values.start());
    let gaps = gaps.iter().zip(compiled.contact_names()).map(|((gap, speed), name)| match *gap > 0.0 {
        true => format!("{name} has the gap {}", short(*gap, 10)),
        false => format!("{name} touches and opens with the speed {}", short(*speed, 10)),
    });
    let message = format!("no contact is closed at the start: {}", gaps.collect::<Vec<_>>().join(", "));
    let help =
        "choose a start with gap 0 and opening speed 0, by --start NAME=VALUE (a number or a formula of parameters)";
    Err(unknown(system, message, Some(help)))
}

/// The contact problem of the start as a function of some numbers.
fn varied<'s>(problem: &'s Problem, names: &[&str]) -> Result<Varied<'s>, Error> {
    let Problem { system, request } = problem;
    let compiled: &motion::System = system.compiled()?;
    let found = Varied::new(compiled, &system.all_settings(), names).map_err(|error| match error {
        VariedError::Mistakes(mistakes) => Error::from(mistakes),
        VariedError::Open => {
            let message = "no contact is closed at the start: those that touch are about to strike";
            let help = "choose a start with gap 0 and opening speed 0, by --start NAME=VALUE";
            unknown(system, message.to_string(), Some(help))
        }
        error => unknown(system, error.to_string(), None),
    })?;
    Ok(found.with_tolerance(request.tol))
}

impl Answered for Solved {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    /// A map that was interrupted has only its first rows.
    fn ending(&self) -> Ending {
        match &self.map {
            Some(map) if !map.complete => {
                let rows = map.values[1].len();
                Ending::short(vec![format!("interrupted: the map has its first {rows} rows, and no curves")])
            }
            _ => Ending::complete(),
        }
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    /// The places and the curves of the map, if requested.
    fn tables(&self) -> Vec<Table> {
        let names: Vec<String> = self.system.model().contacts.iter().map(|contact| contact.name.clone()).collect();
        let both = self.answer.map.as_ref().zip(self.found.as_ref());
        both.map_or(Vec::new(), |(map, found)| tables::tables(map, found, &names))
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.request.tol)
    }
}

impl Solved {
    /// The figure of the map: regions in colours, and the curves on which A, b and slip vanish. `None` if there is no complete map.
    pub fn figure(&self) -> Option<Figure> {
        let (map, found) = self.answer.map.as_ref().zip(self.found.as_ref())?;
        let contacts = &self.system.model().contacts;
        let names: Vec<&str> = found.contacts.iter().map(|&contact| contacts[contact].name.as_str()).collect();
        found.complete.then(|| figure::figure(&self.system, map, &names))
    }
}
