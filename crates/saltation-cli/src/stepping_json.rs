//! What do steps of time answer to other programs? The keys of `simulate`, and how well the laws of contact were solved.

use crate::json::{Object, State};
use crate::naming::Naming;
use crate::stepping::{Run, Stepped};
use serde_json::{Value, json};

/// The answer of `simulate --method moreau --json`; `samples` says whether those that were kept are a part of it.
pub fn answer(run: Run, motion: &Stepped, samples: bool) -> Value {
    let Run { input, request, naming } = run;
    let settings = &request.settings;
    let mut answer = json!({
        "end": { "time": motion.time, "state": State(naming, &motion.state), "mode": motion.mode },
        "counts": {},
        "ended": motion.ended.name(),
        "events": [],
        "message": motion.ended.describe(naming.system),
        "method": "moreau",
        "step": settings.step,
        "solver": solver(run, motion),
        "contacts": contacts(run, motion),
        "model": input.model.name,
        "parameters": Object(input.parameters()),
    });
    if samples {
        answer["samples"] = columns(naming, motion);
    }
    answer
}

/// How well the laws of contact were solved.
fn solver(run: Run, motion: &Stepped) -> Value {
    let solver = &motion.solver;
    json!({
        "tolerance": run.request.settings.tolerance,
        "residual": solver.residual,
        "capped": solver.capped,
        "iterations": solver.sweeps,
        "most_iterations": solver.most_sweeps,
        "steps": solver.steps,
        "steps_with_contact": solver.with_contact,
        "most_contacts": solver.most_contacts,
        "penetration": solver.penetration,
    })
}

/// The contacts of the last step that gave an impulse.
fn contacts(run: Run, motion: &Stepped) -> Value {
    let closed = motion.contacts.iter().filter(|contact| contact.impulse[0] > 0.0);
    let one = closed.map(|contact| {
        json!({
            "contact": run.input.model.contacts[contact.contact].name,
            "mode": contact.case.name(),
            "normal_impulse": contact.impulse[0],
            "tangential_impulse": contact.impulse[1],
        })
    });
    Value::Array(one.collect())
}

fn columns(naming: Naming, motion: &Stepped) -> Value {
    let time: Vec<f64> = motion.samples().map(|(time, _)| time).collect();
    let mut columns = serde_json::Map::new();
    columns.insert("time".to_string(), json!(time));
    for (i, name) in naming.states().iter().enumerate() {
        let column: Vec<f64> = motion.samples().map(|(_, state)| naming.told(i, state[i])).collect();
        columns.insert(name.clone(), json!(column));
    }
    Value::Object(columns)
}
