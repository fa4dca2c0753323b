//! The request for a branch: parameter, range, steps and equations.

use crate::branch::Method;
use crate::branch::span::{self, Steps};
use crate::error::{Error, Refusal, accepted};
use crate::named::serial;
use crate::system::{System, TOLERANCE, check_tolerance};
use crate::text::cut;
use saltation_motion::FlowChoice;
use saltation_orbit::branch::Settings;
use serde::{Deserialize, Serialize};

/// A branch of an orbit: every field but the parameter and its range has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The parameter that varies.
    pub along: Option<String>,
    /// The range of the parameter, the smaller value first.
    pub range: Option<[f64; 2]>,
    /// The largest number of points in each direction.
    pub points: u64,
    /// The longest step, as a fraction of the range or of the size of the orbit.
    pub step: f64,
    /// The smallest number of points in the range.
    pub at_least: Option<u64>,
    /// The equations by which the branch is followed.
    #[serde(with = "method_word")]
    pub method: Method,
    /// Whether the branches that bifurcate are followed, too.
    pub switch: bool,
    /// Only the branches that begin at this special point are followed, by its position among those of the branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch_at: Option<u64>,
    /// The method for smooth motions.
    #[serde(with = "serial::flow")]
    pub flow: FlowChoice,
    /// The local error of one step of a motion relative to the size of the state.
    pub tol: f64,
}

impl Default for Request {
    fn default() -> Request {
        let usual = Settings::between(0.0, 1.0);
        Request {
            along: None,
            range: None,
            points: usual.points as u64,
            step: usual.longest_step,
            at_least: None,
            method: usual.method,
            switch: false,
            switch_at: None,
            flow: FlowChoice::default(),
            tol: TOLERANCE,
        }
    }
}

/// The name of a method.
pub(crate) fn method_name(method: Method) -> &'static str {
    match method {
        Method::Signature => "signature",
        Method::Vivid => "vivid",
    }
}

/// A method by its name, `signature` or `vivid`.
///
/// # Errors
/// If it is another word.
pub fn method(word: &str) -> Result<Method, Refusal> {
    let known = [Method::Signature, Method::Vivid].into_iter().find(|known| method_name(*known) == word);
    known.ok_or_else(|| {
        let message = format!("method is `signature` or `vivid`, not `{}`", cut(word));
        Refusal::new("method", message, "by default the equations of the signature are followed, through grazes too")
    })
}

mod method_word {
    use super::{Method, method, method_name};
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(x: &Method, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(method_name(*x))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Method, D::Error> {
        method(&String::deserialize(deserializer)?).map_err(|refusal| D::Error::custom(refusal.message))
    }
}

impl Request {
    fn steps(&self) -> Steps {
        Steps { points: self.points, step: self.step, at_least: self.at_least }
    }

    /// All mistakes in the request for this system.
    pub fn refusals(&self, system: &System) -> Vec<Refusal> {
        let list = check_tolerance(self.tol).into_iter();
        let both = (self.switch && self.switch_at.is_some()).then(|| {
            let message = "both are asked for: the branches that begin at all special points, and those at one";
            Refusal::new("switch_at", message, "leave one of both out")
        });
        list.chain(span::refusals(self.along.as_deref(), self.range, self.steps(), system, "orbit"))
            .chain(both)
            .collect()
    }

    /// The position of the parameter, and the settings of the branch.
    pub(crate) fn settings(&self, system: &System) -> Result<(usize, Settings), Error> {
        accepted(self.refusals(system))?;
        let name = self.along.as_deref().unwrap_or_default();
        let parameter = span::parameter("along", name, system.model())?;
        let [low, high] = self.range.unwrap_or_default();
        let settings = Settings {
            tolerance: self.tol,
            flow: self.flow,
            longest_step: self.steps().longest(),
            points: self.points as usize,
            method: self.method,
            switch: self.switch,
            switch_at: self.switch_at.map(|index| usize::try_from(index).unwrap_or(usize::MAX)),
            ..Settings::between(low, high)
        };
        Ok((parameter, settings))
    }
}
