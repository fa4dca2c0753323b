//! The request for a branch: parameter, range, steps and equations.

use crate::branch::Method;
use crate::branch::answer::Parent;
use crate::branch::span::{self, Steps};
use crate::error::{Error, Refusal, accepted};
use crate::named::serial;
use crate::system::{System, TOLERANCE, check_tolerance};
use crate::text::cut;
use crate::text::number::short;
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
    /// The branches that begin at these special points are followed: each by the number of its branch and its position there. In JSON `INDEX` or
    /// `"BRANCH:INDEX"`, one or a list of them.
    #[serde(with = "positions", skip_serializing_if = "Vec::is_empty")]
    pub switch_at: Vec<Parent>,
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
            switch_at: Vec::new(),
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

/// Special points as they are typed: `INDEX` on the first branch, or `BRANCH:INDEX`; one or a list of them.
mod positions {
    use super::{Parent, not_a_position, position};
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Serialize, Serializer};
    use serde_json::Value;

    /// One of them is written without a list.
    pub(super) fn serialize<S: Serializer>(list: &[Parent], serializer: S) -> Result<S::Ok, S::Error> {
        let typed = |at: &Parent| match at.branch {
            0 => Value::from(at.special),
            branch => Value::from(format!("{branch}:{}", at.special)),
        };
        match list {
            [one] => typed(one).serialize(serializer),
            list => serializer.collect_seq(list.iter().map(typed)),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Parent>, D::Error> {
        let read = match Value::deserialize(deserializer)? {
            Value::Null => Ok(Vec::new()),
            Value::Array(list) => list.iter().map(one).collect(),
            value => one(&value).map(|one| vec![one]),
        };
        read.map_err(D::Error::custom)
    }

    /// One of them; a pair of numbers is a branch with the index.
    fn one(value: &Value) -> Result<Parent, String> {
        let whole = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        let found = match value {
            Value::String(text) => return position(text).map_err(|refusal| refusal.message),
            Value::Array(pair) if pair.len() == 2 => whole(&pair[0]).zip(whole(&pair[1])),
            other => whole(other).map(|special| (0, special)),
        };
        let found = found.map(|(branch, special)| Parent { branch, special });
        found.ok_or_else(|| not_a_position(&value.to_string()).message)
    }
}

/// A special point as it is typed: `INDEX` on the first branch, or `BRANCH:INDEX`, counted from 0.
///
/// ```
/// use saltation::branch::{Parent, position};
/// assert_eq!(position("2:0")?, Parent { branch: 2, special: 0 });
/// assert!(position("2:-1").is_err());
/// # Ok::<(), saltation::Refusal>(())
/// ```
///
/// # Errors
/// If it is another text.
pub fn position(text: &str) -> Result<Parent, Refusal> {
    let (branch, index) = text.split_once(':').unwrap_or(("0", text));
    match (branch.trim().parse(), index.trim().parse()) {
        (Ok(branch), Ok(special)) => Ok(Parent { branch, special }),
        _ => Err(not_a_position(text)),
    }
}

fn not_a_position(given: &str) -> Refusal {
    let message = format!("a special point is INDEX or BRANCH:INDEX, counted from 0, not `{}`", cut(given));
    Refusal::new("switch_at", message, "give for example 1, or 2:0 for the first one of branch 2")
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
        let mut list: Vec<Refusal> =
            list.chain(span::refusals(self.along.as_deref(), self.range, self.steps(), system, "orbit")).collect();
        if list.is_empty() {
            list.extend(self.weak_static_limit(system));
        }
        list
    }

    /// A static limit that is below the force of its friction at one end of the range.
    fn weak_static_limit(&self, system: &System) -> Option<Refusal> {
        let name = self.along.as_deref()?;
        self.range?.into_iter().find_map(|value| {
            let mistake = system.with(name, value).ok()?.numbers().weak_static_limits().into_iter().next()?;
            let message = format!("at {name} = {}, {}", short(value, 10), mistake.message);
            Some(Refusal::new("range", message, "end the range before"))
        })
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
            switch_at: self.switch_at.iter().map(|at| (at.branch, at.special)).collect(),
            ..Settings::between(low, high)
        };
        Ok((parameter, settings))
    }
}
