//! The request for a fit: the data, what is free, how exact the data are.

use crate::error::{Error, Refusal, accepted};
use crate::fit::free::{self, Free};
use crate::fit::measured::{self, Measured};
use crate::named::serial;
use crate::simulation::answer::Columns;
use crate::system::{System, TOLERANCE, check_tolerance};
use saltation_motion::{FlowChoice, Policy};
use serde::{Deserialize, Serialize};

/// The largest number of starts of the search.
pub const MOST_STARTS: u64 = 10_000;

/// A fit: data and what is free must be given, all else has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The columns of the data by name. What is not a number was not measured.
    pub data: Columns,
    /// What is fitted: parameters and start values, each `NAME` or `NAME=LO:HI`.
    pub free: Vec<String>,
    /// What columns measure, where their names do not say it: `NAME=QUANTITY`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub column: Vec<String>,
    /// The standard deviation of the noise in columns: `NAME=NUMBER`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sigma: Vec<String>,
    /// A parameter by which the clock of the data is ahead of that of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// The number of points at which the search begins: the first is that of the model, the others lie between the bounds. Without it 8 where there are bounds, and
    /// more, up to 64, until two searches end at the best minimum.
    pub starts: Option<u64>,
    /// The method for smooth motions.
    #[serde(with = "serial::flow")]
    pub flow: FlowChoice,
    /// The local error of one step relative to the size of the state.
    pub tol: f64,
    /// The choice where several contact modes with friction are consistent.
    #[serde(with = "serial::policy")]
    pub policy: Policy,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            data: Columns::default(),
            free: Vec::new(),
            column: Vec::new(),
            sigma: Vec::new(),
            clock: None,
            starts: None,
            flow: FlowChoice::default(),
            tol: TOLERANCE,
            policy: Policy::default(),
        }
    }
}

/// What a request means for a system.
#[derive(Debug, Clone)]
pub(crate) struct Meaning {
    pub measured: Measured,
    pub free: Vec<Free>,
    /// The index of the parameter of the clock.
    pub clock: Option<usize>,
    /// The number of starts, and where it was not given the number up to which more are tried until two end at the best minimum.
    pub starts: [usize; 2],
}

/// The number of starts where bounds are given, and the most.
const USUAL_STARTS: [usize; 2] = [8, 64];

impl Request {
    fn examine(&self, system: &System) -> Result<(Vec<Refusal>, Option<Meaning>), Error> {
        system.compiled_for_derivatives()?;
        let mut list = Vec::new();
        list.extend(check_tolerance(self.tol));
        if self.starts.is_some_and(|starts| starts == 0 || starts > MOST_STARTS) {
            let message = format!("the number of starts lies between 1 and {MOST_STARTS}");
            list.push(Refusal::new("starts", message, "8 are usual where bounds are given, else 1"));
        }
        let clock = self.clock.as_ref().and_then(|name| match system.model().parameter(name.trim()) {
            Some(parameter) => Some(parameter),
            None => {
                let message = format!("the model has no parameter `{}`", crate::text::cut(name));
                let help = "declare it in [parameters], for example clock = 0, and let it be free";
                list.push(Refusal::new("clock", message, help));
                None
            }
        });
        let (free, wrong) = free::read(&self.free, "free", system);
        list.extend(wrong);
        let measured = measured::read(&self.data, &self.column, &self.sigma, system);
        let measured = measured.map_err(|wrong| list.extend(wrong)).ok();
        let bounded = free.iter().any(|free| free.bounds.is_some());
        let starts = self.starts.map_or(if bounded { USUAL_STARTS } else { [1; 2] }, |starts| [starts as usize; 2]);
        let meaning = measured.map(|measured| Meaning { measured, free, clock, starts });
        Ok((list, meaning))
    }

    /// All mistakes in the request for this system.
    ///
    /// # Errors
    /// If motions of the model cannot be differentiated.
    pub fn refusals(&self, system: &System) -> Result<Vec<Refusal>, Error> {
        self.examine(system).map(|(list, _)| list)
    }

    /// What it means.
    ///
    /// # Errors
    /// All mistakes in it.
    pub(crate) fn meaning(&self, system: &System) -> Result<Meaning, Error> {
        let (refusals, meaning) = self.examine(system)?;
        accepted(refusals)?;
        let nothing = || Refusal::new("data", "there is nothing to compare", "give columns of numbers");
        Ok(meaning.ok_or_else(nothing)?)
    }
}
