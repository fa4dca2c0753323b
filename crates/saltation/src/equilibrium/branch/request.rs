//! The request for a branch of equilibria: parameter, range and steps.

use crate::branch::{
    self,
    span::{self, Steps},
};
use crate::error::{Error, Refusal, accepted};
use crate::named::serial;
use crate::system::{System, check_tolerance};
use crate::text::cut;
use saltation_expr::parse::nearest;
use saltation_motion::FlowChoice;
use saltation_orbit::branch as cycles;
use saltation_orbit::equilibrium::branch::Settings;
use serde::{Deserialize, Serialize};

/// A branch of equilibria: every field but the parameter and its range has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The parameter that varies.
    pub along: Option<String>,
    /// The range of the parameter, the smaller value first.
    pub range: Option<[f64; 2]>,
    /// The position of the equilibrium at which the branch begins, counted from 0.
    pub at: usize,
    /// The largest number of points in each direction.
    pub points: u64,
    /// The longest step, as a fraction of the range or of the size of the states.
    pub step: f64,
    /// The smallest number of points in the range.
    pub at_least: Option<u64>,
    /// Whether the limit cycles and the equilibria that bifurcate are followed, too.
    pub switch: bool,
    /// The method for the smooth motions of limit cycles.
    #[serde(with = "serial::flow")]
    pub flow: FlowChoice,
    /// The local error of one step of a motion relative to the size of the state, and the last correction of an equilibrium.
    pub tol: f64,
}

impl Default for Request {
    fn default() -> Request {
        let branch::Request { points, step, flow, tol, .. } = branch::Request::default();
        Request { along: None, range: None, at: 0, points, step, at_least: None, switch: false, flow, tol }
    }
}

/// The request in the form of the computation: the parameter, and the settings of both kinds of branches.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// The parameter that varies, by its position in the model.
    pub parameter: usize,
    /// The settings of branches of equilibria.
    pub equilibria: Settings,
    /// The settings of branches of limit cycles.
    pub cycles: cycles::Settings,
}

impl Request {
    fn steps(&self) -> Steps {
        Steps { points: self.points, step: self.step, at_least: self.at_least }
    }

    /// All mistakes in the request for this system.
    pub fn refusals(&self, system: &System) -> Vec<Refusal> {
        let list = check_tolerance(self.tol).into_iter();
        list.chain(span::refusals(self.along.as_deref(), self.range, self.steps(), system, "equilibrium")).collect()
    }

    /// How the branch is followed.
    pub(crate) fn plan(&self, system: &System) -> Result<Plan, Error> {
        accepted(self.refusals(system))?;
        let name = self.along.as_deref().unwrap_or_default();
        let parameter = span::parameter("along", name, system.model())?;
        let [low, high] = self.range.unwrap_or_default();
        let (tolerance, longest_step, points) = (self.tol, self.steps().longest(), self.points as usize);
        let flow = self.flow;
        let usual = cycles::Settings::between(low, high);
        Ok(Plan {
            parameter,
            equilibria: Settings { tolerance, longest_step, points, ..Settings::between(low, high) },
            cycles: cycles::Settings { tolerance, flow, longest_step, points, ..usual },
        })
    }
}

/// The state that is drawn, by its name.
///
/// # Errors
/// If there is none of that name.
pub fn ordinate(name: &str, system: &System) -> Result<usize, Refusal> {
    let model = system.model();
    let name = name.trim();
    model.state(name).ok_or_else(|| {
        let names = || model.states.iter().map(|state| state.name.as_str());
        let help = match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the states are {}", names().collect::<Vec<_>>().join(", ")),
        };
        let message = format!("`{}` is not a state: of equilibria states are drawn", cut(name));
        Refusal::new("ordinate", message, help)
    })
}
