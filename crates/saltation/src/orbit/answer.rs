//! The answer of a search for an orbit: the orbit if there is one, and how the search ended. Its JSON is that of `orbit --json`.

use crate::named::{Named, serial};
use crate::naming::Naming;
use crate::simulation::Events;
use crate::simulation::answer::{Event, Gradients};
use saltation_model::StateKind;
use saltation_numerics::dense::{Complex, Matrix};
use saltation_orbit as lower;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// A periodic orbit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Periodic {
    /// The period, in the model's unit of time.
    pub period: f64,
    /// The state on the section.
    pub state: Named,
    /// Impacts, complete chattering, stick, slip and release in their order, as `impact:wall`; the impacts of a complete sequence are
    /// part of it.
    pub signature: Vec<String>,
    /// All events of one period, in time since the section.
    pub events: Events,
    /// The eigenvalues of the derivative over one period, largest modulus first; without the 1 of every state that drifts.
    #[serde(with = "serial::complex")]
    pub multipliers: Vec<Complex>,
    /// Whether all multipliers but the trivial one lie inside the unit circle.
    pub stable: bool,
    /// Whether it is admissible: a motion of the system.
    pub admissible: bool,
    /// The periodicity residual: the difference after one period, relative to the size of each state.
    #[serde(with = "serial::number")]
    pub residual: f64,
    /// The period in returns.
    pub returns: u64,
    /// Whether it is neither stable nor unstable to first order.
    pub neutral: bool,
    /// The mode on the section.
    pub mode: String,
    /// The turns of the phase and of the angles in one period.
    pub turns: Named,
    /// By how much the states on which nothing depends advance in one period, where the orbit repeats up to such shifts; not there for other orbits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Named>,
    /// For an autonomous model, the distance of the trivial multiplier from 1: a measure of accuracy.
    pub trivial_multiplier_error: Option<f64>,
    /// The multipliers of the half-period map of a symmetric orbit.
    #[serde(with = "optional_complex")]
    pub half_multipliers: Option<Vec<Complex>>,
    /// The derivative of the state after one period by the state on the section, row by row, in the states other than the phase and those that drift.
    pub monodromy: Vec<Vec<Option<f64>>>,
    /// The states at every return, the first one on the section.
    pub points: Vec<Named>,
    /// How the state and the period change with parameters, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivatives: Option<Derivatives>,
}

/// The derivatives of an orbit by parameters, with all that follows from these by formulas; NaN where there are none, as behind a graze or where a multiplier is 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Derivatives {
    /// Of the period.
    pub period: Named,
    /// Of the state on the section, by each parameter.
    pub state: Gradients,
}

mod optional_complex {
    use super::{Complex, serial};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct List(#[serde(with = "serial::complex")] Vec<Complex>);

    pub(super) fn serialize<S: Serializer>(list: &Option<Vec<Complex>>, serializer: S) -> Result<S::Ok, S::Error> {
        list.clone().map(List).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Complex>>, D::Error> {
        Ok(Option::<List>::deserialize(deserializer)?.map(|list| list.0))
    }
}

/// A step of Newton's method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The size of the residual before it.
    #[serde(with = "serial::number")]
    pub residual: f64,
    /// The part of the full step that was taken.
    #[serde(with = "serial::number")]
    pub damping: f64,
}

/// The answer of a search.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Answer {
    /// The orbit, if one was found.
    #[serde(flatten, deserialize_with = "if_found")]
    pub orbit: Option<Periodic>,
    /// The section at which returns are counted.
    pub section: String,
    /// How the search ended, in a word: `found`, or what was missing.
    pub ended: String,
    /// How it ended, in a sentence.
    pub message: String,
    /// The steps of Newton's method.
    pub newton: Vec<Step>,
    /// The number of returns simulated in all.
    pub returns_integrated: u64,
    /// The name of the model.
    pub model: String,
    /// The SHA-256 fingerprint of the model.
    pub fingerprint: String,
    /// The values of the parameters.
    pub parameters: Named,
}

/// The orbit where there is a period; then all of it must be readable.
fn if_found<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Periodic>, D::Error> {
    let entries = Map::deserialize(deserializer)?;
    let found = entries.contains_key("period").then(|| serde_json::from_value(Value::Object(entries)));
    found.transpose().map_err(serde::de::Error::custom)
}

/// Keys in the stored order: those of the orbit with section and parameters among them, then those of the search.
impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = |x: &dyn Fn() -> serde_json::Result<Value>| x().map_err(serde::ser::Error::custom);
        let mut object = Map::new();
        if let Some(orbit) = &self.orbit
            && let Value::Object(keys) = value(&|| serde_json::to_value(orbit))?
        {
            for (key, entry) in keys {
                let (state, neutral) = (key == "state", key == "neutral");
                object.insert(key, entry);
                if state {
                    object.insert("parameters".to_string(), Value::Null);
                }
                if neutral {
                    object.insert("section".to_string(), Value::Null);
                }
            }
        }
        let mut put = |key: &str, entry: Value| object.insert(key.to_string(), entry);
        put("section", self.section.as_str().into());
        put("ended", self.ended.as_str().into());
        put("message", self.message.as_str().into());
        put("newton", value(&|| serde_json::to_value(&self.newton))?);
        put("returns_integrated", self.returns_integrated.into());
        put("model", self.model.as_str().into());
        put("fingerprint", self.fingerprint.as_str().into());
        put("parameters", value(&|| serde_json::to_value(&self.parameters))?);
        object.serialize(serializer)
    }
}

impl Periodic {
    /// An orbit with the names of its numbers.
    pub(crate) fn new(naming: Naming, orbit: &lower::Orbit) -> Periodic {
        let states = &naming.system.model().states;
        let turning =
            states.iter().zip(&orbit.turns).filter(|(state, turns)| state.kind == StateKind::Phase || **turns != 0.0);
        let (names, turns): (Vec<String>, Vec<f64>) =
            turning.map(|(state, turns)| (state.name.clone(), *turns)).unzip();
        Periodic {
            period: orbit.period,
            state: naming.named(&orbit.state),
            signature: orbit.signature_words(naming.system),
            events: Events(orbit.events.iter().map(|event| Event::new(naming, event)).collect()),
            multipliers: orbit.multipliers.clone(),
            stable: orbit.stable,
            admissible: orbit.admissible,
            residual: orbit.residual,
            returns: orbit.returns,
            neutral: orbit.is_neutral(),
            mode: naming.mode(orbit.closed),
            turns: Named::new(names.into(), turns),
            drift: naming.of_some(&orbit.drift),
            trivial_multiplier_error: orbit.trivial.map(|(_, error)| error),
            half_multipliers: orbit.half.as_ref().map(|half| half.multipliers.clone()),
            monodromy: rows(&orbit.monodromy),
            points: orbit.points.iter().map(|point| naming.named(point)).collect(),
            derivatives: None,
        }
    }
}

/// The rows of a matrix; entries that are not finite have no value.
fn rows(matrix: &Matrix) -> Vec<Vec<Option<f64>>> {
    let entry = |i: usize, j: usize| Some(matrix[(i, j)]).filter(|x| x.is_finite());
    (0..matrix.rows()).map(|i| (0..matrix.columns()).map(|j| entry(i, j)).collect()).collect()
}
