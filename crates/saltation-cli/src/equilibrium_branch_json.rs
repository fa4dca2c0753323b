//! Which keys has a branch of equilibria for other programs? Numbers that are not finite are null.

use crate::branch::worse;
use crate::branch_json::{self, ends, object, parameters};
use crate::equilibrium_branch::{Followed, Line, Member};
use crate::json::{Object, State};
use crate::naming::Naming;
use crate::orbit_json::pairs;
use saltation_orbit::equilibrium::branch::{EquilibriumBranch, EquilibriumPoint, Special};
use serde_json::{Map, Value, json};

/// The answer of `continue --equilibrium --json`: the branch of the equilibrium, with those that begin on it.
pub fn answer(followed: Followed) -> Value {
    let Followed { input, naming, members, .. } = followed;
    let mut answer = match (members.first(), followed.nothing) {
        (Some(first), _) => about(naming, first),
        (None, nothing) => {
            let (ended, message) = nothing.unwrap_or(("no_branch", "there is no branch"));
            object(json!({
                "kind": "equilibrium", "points": [], "special": [], "ended": ended, "ends": [], "message": message
            }))
        }
    };
    let settings = &followed.request.settings;
    let more: Vec<Value> = members.iter().skip(1).map(|member| Value::Object(about(naming, member))).collect();
    let lost = followed
        .lost
        .iter()
        .map(|lost| json!({ "branch": lost.parent.0, "special": lost.parent.1, "message": lost.message }));
    let first = followed.search.equilibria.first();
    answer.extend(object(json!({
        "along": followed.along(),
        "range": [settings.range.0, settings.range.1],
        "equilibria_found": followed.search.equilibria.len(),
        "branches": more,
        "not_followed": lost.collect::<Vec<Value>>(),
        "tolerance": settings.tolerance,
        "model": input.model.name,
        "fingerprint": input.model.fingerprint(),
        "parameters": Object(input.parameters()),
        "start": first.map(|rest| json!(State(naming, &rest.state))),
    })));
    Value::Object(answer)
}

fn about(naming: Naming, member: &Member) -> Map<String, Value> {
    let mut about = match &member.line {
        Line::Rests(branch) => rests(naming, branch),
        Line::Cycles(branch) => {
            let mut about = object(json!({ "kind": "orbit" }));
            about.extend(branch_json::about(naming, branch));
            about
        }
    };
    let parent = member.parent.map(|(branch, special)| json!({ "branch": branch, "special": special }));
    about.extend(object(json!({ "parent": parent })));
    about
}

fn rests(naming: Naming, branch: &EquilibriumBranch) -> Map<String, Value> {
    let points: Vec<Value> = branch.points.iter().map(|point| self::point(naming, point)).collect();
    let special: Vec<Value> = branch.special.iter().map(|special| self::special(naming, branch, special)).collect();
    object(json!({
        "kind": "equilibrium",
        "points": points,
        "special": special,
        "ended": worse(&branch.ended).name(),
        "message": worse(&branch.ended).describe(),
        "ends": ends(&branch.ended),
        "mode": branch.points.first().map(|point| naming.mode(point.closed)),
    }))
}

/// Names and numbers of closed contacts, or of all.
fn of_contacts(naming: Naming, contacts: impl Iterator<Item = usize>, numbers: &[f64]) -> Value {
    let names = naming.system.contact_names();
    let pairs: Vec<(&String, f64)> = contacts.map(|contact| &names[contact]).zip(numbers.iter().copied()).collect();
    json!(Object(pairs.into_iter()))
}

fn point(naming: Naming, point: &EquilibriumPoint) -> Value {
    json!({
        "parameters": parameters(naming, &point.parameters),
        "state": State(naming, &point.state),
        "mode": naming.mode(point.closed),
        "contact_force": of_contacts(naming, point.closed.iter(), &point.contact_forces),
        "eigenvalues": pairs(&point.eigenvalues),
        "stable": point.stable,
        "admissible": point.admissible,
        "gaps": of_contacts(naming, 0..point.gaps.len(), &point.gaps),
    })
}

fn special(naming: Naming, branch: &EquilibriumBranch, special: &Special) -> Value {
    let contacts = naming.system.contact_names();
    let point = &special.point;
    json!({
        "kind": special.kind.name(),
        "parameters": parameters(naming, &point.parameters),
        "state": State(naming, &point.state),
        "index": special.index,
        "period": special.hopf.map(|hopf| hopf.period()),
        "frequency": special.hopf.map(|hopf| hopf.frequency),
        "contact": special.contact.map(|contact| &contacts[contact]),
        "eigenvalues": pairs(&point.eigenvalues),
        "stable": point.stable,
        "admissible": point.admissible,
        "mode": naming.mode(point.closed),
        "unknowns": point.unknowns,
        "sizes": branch.sizes,
        "tangent": special.tangent,
    })
}
