//! The request for Lyapunov exponents: numbers of returns, section, accuracy.

use crate::error::{Error, Refusal, accepted};
use crate::named::serial;
use crate::orbit::request::{MOST_SETTLED, count_refusal};
use crate::sections;
use crate::system::{System, TOLERANCE, check_tolerance};
use saltation_motion::{FlowChoice, Policy};
use saltation_orbit::LyapunovSettings;
use serde::{Deserialize, Serialize};

/// The growth along every return is kept for the standard errors.
pub const MOST_RETURNS: u64 = 10_000_000;

/// A measurement of Lyapunov exponents: every field has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The number of returns of the transient before the measurement.
    pub settle: u64,
    /// The number of returns that are measured.
    pub returns: u64,
    /// The section at which returns are counted; without it the phase of the forcing, or else the only section.
    pub section: Option<String>,
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
        let LyapunovSettings { settle, returns, .. } = LyapunovSettings::through(0);
        Request {
            settle,
            returns,
            section: None,
            flow: FlowChoice::default(),
            tol: TOLERANCE,
            policy: Policy::default(),
        }
    }
}

impl Request {
    fn examine(&self, system: &System) -> Result<(Vec<Refusal>, Option<usize>), Error> {
        system.repeats("exponents")?;
        let mut list = Vec::new();
        list.extend(check_tolerance(self.tol));
        list.extend(count_refusal("settle", self.settle, 0, MOST_SETTLED));
        list.extend(count_refusal("returns", self.returns, 1, MOST_RETURNS));
        let section = sections::for_returns(self.section.as_deref(), system.compiled()?, &mut list)?;
        Ok((list, section))
    }

    /// All mistakes in the request for this system.
    ///
    /// # Errors
    /// If the model has no section at all, or has several and none is named.
    pub fn refusals(&self, system: &System) -> Result<Vec<Refusal>, Error> {
        self.examine(system).map(|(list, _)| list)
    }

    /// The settings of the measurement.
    pub(crate) fn settings(&self, system: &System) -> Result<LyapunovSettings, Error> {
        let (refusals, section) = self.examine(system)?;
        accepted(refusals)?;
        Ok(LyapunovSettings {
            settle: self.settle,
            returns: self.returns,
            tolerance: self.tol,
            flow: self.flow,
            policy: self.policy,
            ..LyapunovSettings::through(section.unwrap_or(0))
        })
    }
}
