//! What is seen at once of a system at some numbers: values of formulas, the ranges that walls leave free, and the plane of two states.

use crate::reply::Fault;
use saltation::System;
use saltation::phase_plane::Request;
use saltation::session::Entry;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The most formulas of a request.
const MOST: usize = 64;

/// A system, its numbers, and what is asked of it.
#[derive(Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub(crate) struct Look {
    pub text: String,
    /// The numbers that are set.
    pub entry: Entry,
    pub asked: Asked,
}

/// What is asked.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Asked {
    /// Formulas of parameters.
    formulas: Vec<String>,
    /// Whether the ranges of states are wanted.
    ranges: bool,
    /// The plane of two states.
    plane: Option<Plane>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plane {
    states: [String; 2],
    ranges: [[f64; 2]; 2],
    arrows: usize,
}

impl TryFrom<Map<String, Value>> for Look {
    type Error = serde_json::Error;

    fn try_from(mut body: Map<String, Value>) -> Result<Look, serde_json::Error> {
        let text = serde_json::from_value(body.remove("text").unwrap_or_default())?;
        let mut take = |name: &str| body.remove(name).unwrap_or_else(|| json!({}));
        let entry = json!({ "id": "", "question": "", "set": take("set"), "start": take("start") });
        let entry = serde_json::from_value(entry)?;
        Ok(Look { text, entry, asked: serde_json::from_value(Value::Object(body))? })
    }
}

/// All that is asked.
///
/// # Errors
/// Mistakes of the plane. A formula that has no value is a mistake of its own, at its place.
pub(crate) fn look(system: &System, asked: &Asked) -> Result<Value, Fault> {
    let value = |formula: &String| match system.evaluate(formula) {
        Ok(value) if value.is_finite() => json!({ "value": value }),
        Ok(_) => json!({ "mistake": "this has no finite value" }),
        Err(errors) => json!({ "mistake": errors.first().map(|error| error.message.clone()).unwrap_or_default() }),
    };
    let free = || system.state_names().iter().map(|name| (name.clone(), json!(system.free_range(name)))).collect();
    let plane = asked.plane.as_ref().map(|Plane { states, ranges, arrows }| {
        system.phase_plane(&Request { states: states.clone(), ranges: *ranges, arrows: *arrows })
    });
    Ok(json!({
        "values": asked.formulas.iter().take(MOST).map(value).collect::<Vec<_>>(),
        "ranges": asked.ranges.then(|| Value::Object(free())),
        "plane": plane.transpose()?,
    }))
}
