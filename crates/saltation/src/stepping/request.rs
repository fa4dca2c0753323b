//! The request for a time-stepping simulation: step, end time, and tolerance of the contact laws.

use crate::error::{Error, Refusal, accepted};
use crate::simulation::request::{duration, natural_end, too_many_rows, too_many_steps};
use crate::system::{System, check_tolerance};
use crate::text::number;
use saltation_motion::stepping::SteppingSettings;
use serde::{Deserialize, Serialize};

/// A simulation by time stepping: every field but the step has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The time step, in the model's unit of time.
    pub step: f64,
    /// The end time, zero or more; without it 10 periods of the forcing, or else 40.
    #[serde(default)]
    pub until: Option<f64>,
    /// The distance in time of samples.
    #[serde(default)]
    pub every: Option<f64>,
    /// The tolerance of the contact laws after a step, as a speed relative to the speeds without contact; by default 1e-6.
    #[serde(default)]
    pub tol: Option<f64>,
    /// How implicit a step is in smooth forces, from 1/2 to 1; by default 1/2, the midpoint rule: of second order where the motion is
    /// smooth, and without losses. 1 damps what is fast.
    #[serde(default)]
    pub theta: Option<f64>,
    /// Whether the path is kept, for a figure.
    #[serde(default)]
    pub path: bool,
}

impl Request {
    /// A request with this step, and defaults for everything else.
    pub fn new(step: f64) -> Request {
        Request { step, until: None, every: None, tol: None, theta: None, path: false }
    }

    /// All mistakes in the request for this system.
    pub fn refusals(&self, system: &System) -> Vec<Refusal> {
        let (until, _) = self.end(system);
        let mut list = Vec::new();
        list.extend(self.tol.and_then(check_tolerance));
        list.extend(duration("step", Some(self.step), false));
        list.extend(self.theta.filter(|theta| !(0.5..=1.0).contains(theta)).map(out_of_range));
        list.extend(duration("until", self.until, true));
        list.extend(duration("every", self.every, false));
        if until.is_infinite() {
            list.push(Refusal::new("until", "time stepping needs a finite end time", "give a time such as 40"));
        }
        list.extend(too_many_rows(self.every, until));
        let many = too_many_steps("step", Some(self.step), until);
        let longer = self.step > until && until > 0.0;
        list.extend(many.or_else(|| longer.then(|| self.too_long(until))));
        list
    }

    fn too_long(&self, until: f64) -> Refusal {
        let (step, end) = (number::short(self.step, 10), number::short(until, 10));
        let message = format!("a step of {step} is longer than the trajectory, which ends at t = {end}");
        Refusal::new("step", message, "choose a step that is short compared with all times of the trajectory")
    }

    /// The end time, and the reason if it is a default.
    fn end(&self, system: &System) -> (f64, Option<String>) {
        match self.until {
            Some(until) => (until, None),
            None => {
                let (until, why) = natural_end(system);
                (until, Some(why))
            }
        }
    }

    /// The settings of the steps, and the reason of a default end time.
    pub(crate) fn settings(&self, system: &System) -> Result<(SteppingSettings, Option<String>), Error> {
        accepted(self.refusals(system))?;
        let (until, default_end) = self.end(system);
        let mut settings = SteppingSettings::new(self.step, until);
        settings.tolerance = self.tol.unwrap_or(settings.tolerance);
        settings.theta = self.theta.unwrap_or(settings.theta);
        Ok((settings, default_end))
    }
}

/// The refusal of a theta with which steps would be unstable, or would lead beyond their end.
fn out_of_range(theta: f64) -> Refusal {
    let message = format!("theta is from 1/2 to 1, not {}", number::short(theta, 10));
    Refusal::new("theta", message, "leave it out for the midpoint rule, 1/2, or give 1, which damps what is fast")
}
