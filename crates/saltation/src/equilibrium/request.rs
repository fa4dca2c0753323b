//! The request for equilibria: in which modes, and how accurately.

use crate::closed;
use crate::error::{Error, Refusal, accepted};
use crate::system::{System, TOLERANCE, check_tolerance};
use saltation_motion::ClosedSet;
use saltation_orbit::equilibrium::Settings;
use serde::{Deserialize, Serialize};

/// A search for equilibria from the start of a system: every field has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The closed contacts: `flight`, or e.g. `stick:wall`, several joined by commas; without it none, and then each alone.
    pub mode: Option<String>,
    /// The tolerance of rates, gaps and opening speeds at an equilibrium, relative to the terms that each is made of.
    pub tol: f64,
}

impl Default for Request {
    fn default() -> Request {
        Request { mode: None, tol: TOLERANCE }
    }
}

impl Request {
    /// All mistakes in the request for this system.
    pub fn refusals(&self, system: &System) -> Vec<Refusal> {
        let mode = self.closed(system).err();
        check_tolerance(self.tol).into_iter().chain(mode).collect()
    }

    /// The closed contacts, if the request says which.
    fn closed(&self, system: &System) -> Result<Option<ClosedSet>, Refusal> {
        // A model that cannot be compiled is rejected as a whole.
        let Ok(compiled) = system.compiled() else { return Ok(None) };
        self.mode.as_deref().map(|mode| closed::named("mode", mode, compiled)).transpose()
    }

    /// The settings of the search.
    pub(crate) fn settings(&self, system: &System) -> Result<Settings, Error> {
        system.repeats("equilibria")?;
        accepted(self.refusals(system))?;
        Ok(Settings { closed: self.closed(system)?, tolerance: self.tol })
    }
}
