//! Which keys has an orbit for other programs?

use crate::json::{Events, Object, State};
use crate::naming::Naming;
use crate::orbit::Found;
use saltation_model::StateKind;
use saltation_numerics::dense::{Complex, Matrix};
use saltation_orbit::Orbit;
use serde_json::{Map, Value, json};

/// The answer of `orbit --json`: the orbit if there is one, and how the search ended.
pub fn answer(found: Found) -> Value {
    let mut answer = match &found.search.orbit {
        Some(orbit) => about(found.naming, orbit),
        None => Map::new(),
    };
    let steps = found.search.history.iter();
    let steps: Vec<Value> = steps.map(|step| json!({ "residual": step.residual, "damping": step.damping })).collect();
    let rest = json!({
        "section": found.section(),
        "ended": found.search.ended.name(),
        "message": found.message(),
        "newton": steps,
        "returns_integrated": found.search.returns,
        "model": found.input.model.name,
        "fingerprint": found.input.model.fingerprint(),
        "parameters": Object(found.input.parameters()),
    });
    if let Value::Object(rest) = rest {
        answer.extend(rest);
    }
    Value::Object(answer)
}

fn about(naming: Naming, orbit: &Orbit) -> Map<String, Value> {
    let states = &naming.system.model().states;
    let parameters = naming.system.model().parameters.iter().map(|parameter| &parameter.name);
    let turning =
        states.iter().zip(&orbit.turns).filter(|(state, turns)| state.kind == StateKind::Phase || **turns != 0.0);
    let points: Vec<State> = orbit.points.iter().map(|point| State(naming, point)).collect();
    let about = json!({
        "period": orbit.period,
        "state": State(naming, &orbit.state),
        "parameters": Object(parameters.zip(&orbit.parameters)),
        "signature": orbit.signature_words(naming.system),
        "events": Events(naming, &orbit.events),
        "multipliers": pairs(&orbit.multipliers),
        "stable": orbit.stable,
        "admissible": orbit.admissible,
        "residual": orbit.residual,
        "returns": orbit.returns,
        "neutral": orbit.is_neutral(),
        "section": null,
        "mode": naming.mode(orbit.closed),
        "turns": Object(turning.map(|(state, turns)| (&state.name, turns))),
        "trivial_multiplier_error": orbit.trivial.map(|(_, error)| error),
        "half_multipliers": orbit.half.as_ref().map(|half| pairs(&half.multipliers)),
        "monodromy": rows(&orbit.monodromy),
        "points": points,
    });
    match about {
        Value::Object(about) => about,
        _ => Map::new(),
    }
}

/// Complex numbers as pairs of real and imaginary part.
pub fn pairs(numbers: &[Complex]) -> Vec<[f64; 2]> {
    numbers.iter().map(|z| [z.re, z.im]).collect()
}

fn rows(matrix: &Matrix) -> Vec<Vec<f64>> {
    (0..matrix.rows()).map(|i| (0..matrix.columns()).map(|j| matrix[(i, j)]).collect()).collect()
}
