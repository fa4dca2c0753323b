//! Which keys has a branch for other programs? Numbers that are not finite are null.

use crate::branch::{Followed, worse};
use crate::json::{Object, State};
use crate::naming::Naming;
use crate::orbit_json::pairs;
use saltation_model::SymmetryMap;
use saltation_motion::friction::Collision;
use saltation_orbit::branch::{Branch, BranchPoint, Ended, Homoclinic, Method, Place, Special};
use saltation_orbit::signature::{Kind, Node};
use serde_json::{Map, Value, json};

/// The answer of `continue --json`: the branch of the orbit, with those that begin on it, and how it ended.
pub fn answer(followed: Followed) -> Value {
    let Followed { input, naming, branches, .. } = followed;
    let mut answer = match (branches.first(), followed.nothing) {
        (Some(first), _) => about(naming, first),
        (None, nothing) => {
            let (ended, message) = nothing.unwrap_or(("no_branch", "there is no branch"));
            object(json!({ "points": [], "special": [], "ended": ended, "ends": [], "message": message }))
        }
    };
    let settings = &followed.request.settings;
    let more: Vec<Value> = branches.iter().skip(1).map(|branch| Value::Object(about(naming, branch))).collect();
    answer.extend(object(json!({
        "along": followed.along(),
        "range": [settings.range.0, settings.range.1],
        "method": match settings.method {
            Method::Signature => "signature",
            Method::Vivid => "vivid",
        },
        "section": followed.section(),
        "phase": phase(followed),
        "returns": followed.orbit.map(|orbit| orbit.returns),
        "branches": more,
        "tolerance": settings.tolerance,
        "model": input.model.name,
        "fingerprint": input.model.fingerprint(),
        "parameters": Object(input.parameters()),
        "start": followed.orbit.map(|orbit| State(naming, &orbit.state)).map(|state| json!(state)),
    })));
    Value::Object(answer)
}

/// The value of the phase on the section.
fn phase(followed: Followed) -> Option<f64> {
    let phase = followed.input.model.phase.as_ref()?;
    followed.orbit.map(|orbit| orbit.state[phase.state])
}

/// One branch of orbits.
pub fn about(naming: Naming, branch: &Branch) -> Map<String, Value> {
    let words = branch.signature.words(naming.system);
    let points: Vec<Value> = branch.points.iter().map(|point| self::point(naming, &words, point)).collect();
    let special: Vec<Value> = branch.special.iter().map(|special| self::special(naming, branch, special)).collect();
    object(json!({
        "points": points,
        "special": special,
        "ended": worse(&branch.ended).name(),
        "message": worse(&branch.ended).describe(),
        "ends": ends(&branch.ended),
        "signature": words,
        "parent": branch.parent.map(|(branch, special)| json!({ "branch": branch, "special": special })),
    }))
}

/// How a curve ended, before its first and behind its last point.
pub fn ends(ended: &[Ended; 2]) -> Vec<Value> {
    ended.iter().map(|ended| json!({ "ended": ended.name(), "message": ended.describe() })).collect()
}

/// The values of all parameters, by name.
pub fn parameters(naming: Naming, values: &[f64]) -> Value {
    let names = naming.system.model().parameters.iter().map(|parameter| &parameter.name);
    json!(Object(names.zip(values)))
}

fn point(naming: Naming, words: &[String], point: &BranchPoint) -> Value {
    json!({
        "parameters": parameters(naming, &point.parameters),
        "period": point.period,
        "state": State(naming, &point.state),
        "signature": words,
        "impact_speeds": point.impact_speeds,
        "multipliers": pairs(&point.multipliers),
        "stable": point.stable,
        "admissible": point.admissible,
    })
}

fn special(naming: Naming, branch: &Branch, special: &Special) -> Value {
    let contacts = naming.system.contact_names();
    let point = &special.point;
    let signature = &branch.signature;
    let place = match &special.place {
        Place::Everywhere => Value::Null,
        Place::Node(node) => json!({ "node": node }),
        Place::Between { contact, site } => json!({
            "contact": contacts[*contact], "node": site.node, "time": site.time, "state": site.state
        }),
    };
    json!({
        "kind": special.kind.name(),
        "parameters": parameters(naming, &point.parameters),
        "state": State(naming, &point.state),
        "period": point.period,
        "impact_speeds": point.impact_speeds,
        "multipliers": pairs(&point.multipliers),
        "index": special.index,
        "contact": special.contact.map(|contact| &contacts[contact]),
        "stable": point.stable,
        "admissible": point.admissible,
        "homoclinic": special.homoclinic.as_ref().map(|law| homoclinic(naming, law)),
        "sliding": special.sliding.map(saltation_orbit::branch::Sliding::name),
        "place": place,
        "nodes": signature.nodes.iter().map(|node| self::node(naming, node)).collect::<Vec<Value>>(),
        "turns": signature.turns,
        "mirror": signature.mirror.as_ref().map(|mirror| self::mirror(naming, mirror)),
        "unknowns": point.unknowns,
        "sizes": branch.sizes,
        "tangent": special.tangent,
        "other_tangent": special.other,
    })
}

fn node(naming: Naming, node: &Node) -> Value {
    let contact = node.kind.contact().map(|contact| &naming.system.contact_names()[contact]);
    let (kind, value) = match &node.kind {
        Kind::Impact { .. } => ("impact", Value::Null),
        Kind::Chatter { .. } => ("chatter", Value::Null),
        Kind::Accumulation { impacts, .. } => ("accumulation", json!(impacts)),
        Kind::Release { .. } => ("release", Value::Null),
        Kind::Turn { bound, .. } => ("turn", json!(bound.name())),
        Kind::Minimum { .. } => ("minimum", Value::Null),
        Kind::Phase { value } => ("phase", json!(value)),
        Kind::Plane { normal, point } => ("plane", json!({ "normal": normal, "point": point })),
        Kind::Waypoint => ("waypoint", Value::Null),
    };
    let mut told = object(json!({
        "kind": kind,
        "contact": contact,
        "before": naming.mode(node.before),
        "after": naming.mode(node.after),
        "value": value,
    }));
    if !node.collisions.is_empty() {
        let names = naming.system.contact_names();
        let phases = |collision: &Collision| -> Vec<Vec<Value>> {
            let rule = |(contact, normal, tangential)| json!([names[contact], normal, tangential]);
            collision.rules().into_iter().map(|phase| phase.into_iter().map(rule).collect()).collect()
        };
        told.insert("collisions".to_string(), json!(node.collisions.iter().map(phases).collect::<Vec<_>>()));
    }
    Value::Object(told)
}

fn mirror(naming: Naming, mirror: &SymmetryMap) -> Value {
    let names = naming.system.contact_names();
    let contacts = names.iter().zip(mirror.contacts.iter().map(|&contact| &names[contact]));
    json!({ "signs": mirror.signs, "shift": mirror.shift, "contacts": Object(contacts), "slips": mirror.slips })
}

fn homoclinic(naming: Naming, law: &Homoclinic) -> Value {
    let saddle = law.saddle.as_ref().map(|saddle| {
        json!({
            "state": State(naming, &saddle.state),
            "mode": naming.mode(saddle.closed),
            "eigenvalues": pairs(&saddle.eigenvalues),
            "admissible": saddle.admissible,
        })
    });
    json!({ "value": law.value, "rate": law.rate, "constant": law.constant, "saddle": saddle })
}

/// The keys of an object.
pub fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
