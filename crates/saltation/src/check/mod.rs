//! Checks a model: states, parameters, contacts, derived formulas and warnings, the question `check`.

pub mod answer;
pub(crate) mod fields;
mod figure;
pub(crate) mod report;

pub use answer::{Answer, Friction, Impacts, Law, MatrixEntries, Measured, Structure, Symmetry};

use crate::answered::{Answered, Ending, Parts};
use crate::error::{Error, accepted};
use crate::simulation::start_mistake;
use crate::system::{System, TOLERANCE, check_tolerance};
use crate::table::{Cell, Table};
use saltation_draw::Figure;
use saltation_model::Report;
use saltation_motion::{ClosedSet, Motion, Settings};
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::time::{Duration, Instant};

/// A check: every field has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The tolerance of a motion from the start, which decides whether contacts are closed there.
    pub tol: f64,
}

impl Default for Request {
    fn default() -> Request {
        Request { tol: TOLERANCE }
    }
}

/// A model that was checked: the answer, with the system that it belongs to.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The contents of the model.
    pub answer: Answer,
    /// The wall time of the computation.
    pub wall_time: Duration,
    pub(crate) found: Report,
}

impl Deref for Checked {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl System {
    /// Checks the model with its numbers, at the start and at nearby states.
    ///
    /// # Errors
    /// All mistakes of the model at these numbers.
    ///
    /// ```
    /// use saltation::System;
    /// let checked = System::gallery("impact-oscillator")?.check()?;
    /// assert_eq!(checked.contacts, ["wall"]);
    /// assert!(checked.linear && checked.warnings.is_empty());
    /// # Ok::<(), saltation::Error>(())
    /// ```
    pub fn check(&self) -> Result<Checked, Error> {
        self.check_with(&Request::default())
    }

    /// The same with a request.
    ///
    /// # Errors
    /// As [`System::check`], and mistakes in the request.
    pub fn check_with(&self, request: &Request) -> Result<Checked, Error> {
        let began = Instant::now();
        accepted(check_tolerance(request.tol).into_iter().collect())?;
        let model = self.model();
        // Mistakes that prevent a run come first.
        let moved = model.is_moved();
        let values = if moved { self.values()? } else { self.numbers() };
        let found = model.check(&self.all_settings())?;
        // A model with many contacts has no mode at its start, because event-driven simulation does not support it.
        let mode = if moved && model.contacts.len() <= ClosedSet::LARGEST {
            let settings = Settings { tolerance: request.tol, until: 0.0, ..Settings::default() };
            let compiled = self.compiled()?;
            let motion = Motion::new(compiled, values, settings).map_err(|error| start_mistake(self, &error))?;
            Some(compiled.mode_name(motion.closed()))
        } else {
            None
        };
        let answer = answer::answer(self, &found, mode);
        Ok(Checked { system: self.clone(), request: request.clone(), answer, wall_time: began.elapsed(), found })
    }
}

impl Answered for Checked {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    fn ending(&self) -> Ending {
        Ending::complete()
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    /// None: names and formulas are listed in the answer.
    fn tables(&self) -> Vec<Table> {
        Vec::new()
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.request.tol)
    }
}

impl Checked {
    /// The functions that are given by points, a panel each; `None` where the model has none.
    pub fn figure(&self) -> Option<Figure> {
        figure::figure(&self.system)
    }

    /// The parameters as a table: name, value, unit, least and largest value, what it is.
    pub fn parameter_table(&self) -> Table {
        let word = |text: &Option<String>| Cell::from(text.as_deref());
        let row = |(parameter, &value): (&saltation_model::Parameter, &f64)| {
            let (min, max) = (parameter.min.into(), parameter.max.into());
            vec![parameter.name.as_str().into(), value.into(), word(&parameter.unit), min, max, word(&parameter.about)]
        };
        let parameters = self.system.model().parameters.iter().zip(self.answer.parameters.values());
        let head = ["name", "value", "unit", "least", "largest", "about"].map(str::to_string).to_vec();
        Table { name: "parameters", head, rows: parameters.map(row).collect() }
    }
}
