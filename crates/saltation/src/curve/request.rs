//! The request for a bifurcation curve: two parameters, their ranges and the steps.

use crate::branch::{
    self,
    span::{self, Steps},
};
use crate::curve::Start;
use crate::error::{Error, Refusal, accepted};
use crate::named::serial;
use crate::system::{System, check_tolerance};
use crate::text::number::short;
use saltation_model::Model;
use saltation_motion::FlowChoice;
use saltation_orbit::curve::Settings;
use serde::{Deserialize, Serialize};

/// A curve of bifurcations: every field but the parameters and the range has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The parameters that vary: that of the branch, and a second one.
    pub along: Option<[String; 2]>,
    /// The range of the second one, the smaller value first.
    pub range: Option<[f64; 2]>,
    /// The range of the first one; by default all values that the model allows.
    pub range1: Option<[f64; 2]>,
    /// The largest number of points in each direction.
    pub points: u64,
    /// The longest step, as a fraction of the range or of the size of the orbit.
    pub step: f64,
    /// The smallest number of points in the range.
    pub at_least: Option<u64>,
    /// The method for smooth motions.
    #[serde(with = "serial::flow")]
    pub flow: FlowChoice,
    /// The local error of one step of a motion relative to the size of the state.
    pub tol: f64,
}

impl Default for Request {
    fn default() -> Request {
        let branch::Request { points, step, flow, tol, .. } = branch::Request::default();
        Request { along: None, range: None, range1: None, points, step, at_least: None, flow, tol }
    }
}

impl Request {
    fn steps(&self) -> Steps {
        Steps { points: self.points, step: self.step, at_least: self.at_least }
    }

    /// All mistakes in the request for this system and this start, if there is one.
    pub fn refusals(&self, system: &System, start: Option<&Start>) -> Vec<Refusal> {
        let model = system.model();
        let mut list: Vec<Refusal> = check_tolerance(self.tol).into_iter().collect();
        let parameters = self.parameters(model, start).map_err(|refusal| list.push(refusal)).ok();
        let bounded = |field: &'static str, range: [f64; 2], which: usize| {
            let parameter = parameters.map(|parameters| parameters[which]);
            span::range(field, range, model, parameter)
                .or_else(|| start.and_then(|_| contains(field, range, system, parameter?)))
        };
        list.extend(match self.range {
            Some(range) => bounded("range", range, 1),
            None => {
                Some(span::missing("range", "a curve is followed within bounds of its second parameter", "0.5:1.5"))
            }
        });
        list.extend(self.range1.and_then(|range| bounded("range1", range, 0)));
        self.steps().refusals(&mut list);
        list
    }

    /// The parameter of the branch and another one, as positions in the model.
    fn parameters(&self, model: &Model, start: Option<&Start>) -> Result<[usize; 2], Refusal> {
        let own = start.and_then(Start::along);
        let Some([first, second]) = &self.along else {
            let example = format!("{},NAME", own.unwrap_or("NAME"));
            return Err(span::missing("along", "a curve needs the parameter of its branch and a second one", &example));
        };
        // Both names with a comma between them.
        let parts = [0..first.len(), first.len() + 1..first.len() + 1 + second.len()];
        let position = |name: &str, which: usize| {
            span::parameter("along", name, model).map_err(|refusal| refusal.in_part(parts[which].clone()))
        };
        let parameters = [position(first, 0)?, position(second, 1)?];
        if parameters[0] == parameters[1] {
            let message = format!("`{}` is named twice", second.trim());
            return Err(Refusal::new("along", message, "name two different parameters").in_part(parts[1].clone()));
        }
        match own {
            Some(own) if model.parameter(own) == Some(parameters[1]) => {
                let other = first.trim();
                let help = format!("give {own},{other}: the range is that of {other}");
                Err(Refusal::new("along", format!("the parameter of the branch, {own}, comes first"), help))
            }
            Some(own) if model.parameter(own) != Some(parameters[0]) => {
                let message = format!("the parameter of the branch is {own}");
                Err(Refusal::new("along", message, format!("give {own},NAME")).in_part(parts[0].clone()))
            }
            _ => Ok(parameters),
        }
    }

    /// The positions of the parameters, and the settings of the curve.
    pub(crate) fn settings(&self, system: &System, start: &Start) -> Result<([usize; 2], Settings), Error> {
        accepted(self.refusals(system, Some(start)))?;
        let parameters = self.parameters(system.model(), Some(start))?;
        let [low, high] = self.range.unwrap_or_default();
        let settings = Settings {
            first_range: self.range1.map(|[low, high]| (low, high)),
            tolerance: self.tol,
            flow: self.flow,
            longest_step: self.steps().longest(),
            points: self.points as usize,
            ..Settings::between(low, high)
        };
        Ok((parameters, settings))
    }
}

/// The bifurcation does not lie in the range.
fn contains(field: &'static str, [low, high]: [f64; 2], system: &System, parameter: usize) -> Option<Refusal> {
    let value = system.numbers().parameters()[parameter];
    if (low..=high).contains(&value) {
        return None;
    }
    let name = &system.model().parameters[parameter].name;
    let message = format!("the range does not contain the bifurcation: there {name} = {}", short(value, 15));
    Some(Refusal::new(field, message, "widen the range"))
}
