//! Equilibria in flight and in contact, and their stability: the question `equilibrium`.

pub mod answer;
pub mod branch;
pub(crate) mod fields;
mod known;
pub(crate) mod report;
pub mod request;

pub use answer::{Answer, Equilibrium, Missed};
pub use known::Known;
pub use request::Request;

use crate::answered::{Answered, Ending, Parts};
use crate::error::Error;
use crate::naming::Naming;
use crate::progress::Progress;
use crate::system::System;
use crate::table::{Cell, Table};
use crate::text::number;
use saltation_orbit::equilibrium as lower;
use std::ops::Deref;
use std::path::Path;
use std::time::{Duration, Instant};

/// A search for equilibria to be computed.
///
/// ```
/// use saltation::System;
/// let ball = System::gallery("bouncing-ball")?;
/// let found = ball.equilibria().mode("stick:ground").find()?;
/// let rest = &found.equilibria[0];
/// assert!(rest.admissible && (rest.contact_force["ground"] - 9.8).abs() < 1e-12);
/// // In flight there is no equilibrium.
/// assert_eq!(ball.equilibria().mode("flight").search()?.ended, "none_found");
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct EquilibriumSearch {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The file of the equilibrium that the search begins at, if it was found before.
    pub file: Option<String>,
}

/// The result of a search: the answer, the system and the request.
#[derive(Debug, Clone)]
pub struct Equilibria {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The answer.
    pub answer: Answer,
    /// The wall time of the computation.
    pub wall_time: Duration,
    pub(crate) file: Option<String>,
    pub(crate) settings: lower::Settings,
    pub(crate) found: lower::Search,
}

impl Deref for Equilibria {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl System {
    /// A search for equilibria from the start: in flight, and with each contact closed alone, by default.
    pub fn equilibria(&self) -> EquilibriumSearch {
        EquilibriumSearch { system: self.clone(), request: Request::default(), file: None }
    }
}

impl EquilibriumSearch {
    /// Searches only with these contacts closed: `flight`, or e.g. `stick:wall`, several joined by commas.
    pub fn mode(mut self, mode: &str) -> Self {
        self.request.mode = Some(mode.to_string());
        self
    }

    /// The tolerance of rates, gaps and opening speeds at an equilibrium, relative to the terms that each is made of.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.request.tol = tolerance;
        self
    }

    /// Begins at an equilibrium that was written to a file, by its position there, with its parameters and in its mode. Values that were
    /// set already take precedence.
    ///
    /// # Errors
    /// If the file cannot be read, holds no such equilibrium, or belongs to another model.
    pub fn from_file(self, path: impl AsRef<Path>, index: usize) -> Result<Self, Error> {
        let known = Known::read(path.as_ref(), Some(index), self.system.model(), self.system.settings())?;
        let system = self.system.at_origin(&known.given())?;
        Ok(EquilibriumSearch { system, ..self }.at_known(&known))
    }

    /// The same for an equilibrium whose parameters and state the system has already.
    pub fn at_known(mut self, known: &Known) -> Self {
        self.request.mode = Some(known.mode().to_string());
        self.file = Some(known.file().to_string());
        self
    }

    /// Searches; the absence of equilibria is an error.
    ///
    /// # Errors
    /// Mistakes in the request, the numbers or the start; a model that is forced; or why there is no equilibrium, as
    /// [`Error::Ended`].
    pub fn find(&self) -> Result<Equilibria, Error> {
        self.find_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`EquilibriumSearch::find`].
    pub fn find_with(&self, progress: &mut dyn Progress) -> Result<Equilibria, Error> {
        let search = self.search_with(progress)?;
        match search.ending() {
            Ending { complete: true, .. } => Ok(search),
            Ending { lines, .. } => Err(Error::Ended { word: search.answer.ended, lines }),
        }
    }

    /// Searches; the absence of equilibria is a valid answer.
    ///
    /// # Errors
    /// Mistakes in the request, the numbers or the start; a model that is forced.
    pub fn search(&self) -> Result<Equilibria, Error> {
        self.search_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`EquilibriumSearch::search`].
    ///
    /// ```
    /// use saltation::System;
    /// use std::sync::atomic::AtomicBool;
    /// // A flag that another thread, or a signal, may raise.
    /// let stop = AtomicBool::new(true);
    /// let found = System::gallery("bouncing-ball")?.equilibria().search_with(&mut &stop)?;
    /// assert_eq!((found.ended.as_str(), found.equilibria.len()), ("interrupted", 0));
    /// # Ok::<(), saltation::Error>(())
    /// ```
    pub fn search_with(&self, progress: &mut dyn Progress) -> Result<Equilibria, Error> {
        let began = Instant::now();
        let EquilibriumSearch { system, request, file } = self;
        let (compiled, values) = (system.compiled_for_derivatives()?, system.values()?);
        let settings = request.settings(system)?;
        let mut watch = |done: usize, of: usize| {
            progress.see(Some(done as f64 / of as f64), &|| format!("{done} of {}", number::count(of as u64, "mode")))
        };
        let found = lower::find_watched(compiled, values, &settings, &mut watch);
        let found = found.map_err(|forced| refused(system, &forced))?;
        let answer = answer(system, system.naming()?, &found);
        let (system, request, file) = (system.clone(), request.clone(), file.clone());
        Ok(Equilibria { system, request, answer, wall_time: began.elapsed(), file, settings, found })
    }
}

/// The answer: plain data with the names of the model.
fn answer(system: &System, naming: Naming, found: &lower::Search) -> Answer {
    let missed = found.missed.iter().map(|missed| Missed {
        mode: naming.mode(missed.closed),
        reason: missed.reason.name().to_string(),
        message: missed.reason.describe(naming.system, missed.closed),
    });
    let interrupted = if found.interrupted { "the search was interrupted; until then " } else { "" };
    Answer {
        equilibria: found.equilibria.iter().map(|rest| Equilibrium::new(naming, rest)).collect(),
        ended: match found.equilibria.is_empty() {
            _ if found.interrupted => "interrupted",
            true => "none_found",
            false => "found",
        }
        .to_string(),
        message: match found.equilibria.len() {
            0 => format!("{interrupted}no equilibrium was found"),
            1 => format!("{interrupted}1 equilibrium was found"),
            n => format!("{interrupted}{n} equilibria were found"),
        },
        missed: missed.collect(),
        further_values: found.open.iter().map(|&state| system.state_names()[state].clone()).collect(),
        starts: found.starts,
        model: system.model().name.clone(),
        fingerprint: system.model().fingerprint(),
        parameters: system.parameters(),
    }
}

/// A forced model has no equilibria.
pub(crate) fn refused(system: &System, forced: &lower::Forced) -> Error {
    let model = system.model();
    let state = forced.quantity.strip_prefix("the rate of ");
    let mechanics = model.body.mechanics();
    let velocity = state.and_then(|name| model.state(name));
    let row = velocity.and_then(|state| mechanics?.velocities.iter().position(|&velocity| velocity == state));
    let key = match (forced.quantity.strip_prefix("the gap of contact "), row) {
        (Some(contact), _) => format!("contacts.{contact}.gap"),
        (None, Some(row)) => format!("mechanics.h.{row}"),
        (None, None) => format!("flow.{}", state.unwrap_or_default()),
    };
    let help = "saltation orbit finds the trajectories of a forced model that repeat; or set the amplitude of the forcing to 0";
    Error::from(model.mistakes(vec![model.mistake_at(&key, forced.to_string()).help(help)]))
}

impl Answered for Equilibria {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    /// Why there is no equilibrium, and what can be done.
    fn ending(&self) -> Ending {
        if self.found.interrupted {
            return Ending::short(vec![self.message.clone()]);
        }
        if !self.equilibria.is_empty() {
            return Ending::complete();
        }
        let starts = number::count(self.starts as u64, "start");
        let mut lines = vec![format!("{} from {starts}", self.message)];
        lines.extend(self.missed.iter().map(|missed| format!("{}: {}", missed.mode, missed.message)));
        lines.extend(report::further_values(self));
        lines.push(match self.request.mode {
            Some(_) => "try another start with --start, or all modes without --mode".to_string(),
            None => "try another start with --start, or other parameters with --set".to_string(),
        });
        Ending::short(lines)
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    /// None: an equilibrium is one row.
    fn tables(&self) -> Vec<Table> {
        Vec::new()
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.request.tol)
    }
}

impl Equilibria {
    /// The equilibria as a table: every state, the force of every contact that is closed, and the largest real part.
    pub fn table(&self) -> Table {
        let contacts: Vec<&String> = self.system.model().contacts.iter().map(|contact| &contact.name).collect();
        let mut head = self.system.state_names().to_vec();
        head.extend(contacts.iter().map(|name| format!("force_{name}")));
        head.extend(["mode", "leading_real_part", "stable", "admissible"].map(str::to_string));
        let row = |rest: &Equilibrium| {
            let mut row: Vec<Cell> = rest.state.values().iter().map(|&x| x.into()).collect();
            row.extend(contacts.iter().map(|name| Cell::from(rest.contact_force.get(name))));
            row.push(rest.mode.as_str().into());
            row.push(rest.eigenvalues.first().map(|z| z.re).into());
            row.extend([rest.stable, rest.admissible].map(Cell::from));
            row
        };
        Table { name: "equilibria", head, rows: self.equilibria.iter().map(row).collect() }
    }
}
