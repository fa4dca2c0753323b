//! What the tasks of a sweep or a basin are, as data for the store and as names of columns; and the mistakes of their plans.

use crate::error::{Error, Refusal};
use crate::store::folder::portable_entry;
use crate::system::System;
use crate::tasks::Method;
use saltation_sweep::{Method as LowerMethod, Names, Plan, PlanError};
use serde_json::{Value, json};

/// The tasks of a question, without its folder and threads.
#[derive(Debug, Clone)]
pub(crate) struct Work {
    pub plan: Plan,
    pub method: LowerMethod,
    pub names: Names,
    /// The positions of the swept parameters in the model.
    pub parameters: Vec<usize>,
    /// All that the result depends on, for the store.
    pub description: Value,
}

/// All that the result of a question about many motions depends on.
pub(crate) fn description(question: &str, system: &System, request: &impl serde::Serialize) -> Value {
    let model = system.model();
    let files: Vec<&str> = model.files.iter().map(|(name, _)| name.as_str()).collect();
    let mut entries = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "question": question,
        "model": { "name": model.name, "fingerprint": model.fingerprint(), "text": model.text, "files": files },
        "parameters": system.parameters(),
        "start": system.start(),
        "request": request,
    });
    if let (Value::Object(entries), Some((key, value))) = (&mut entries, portable_entry()) {
        entries.insert(key.to_string(), value);
    }
    entries
}

/// The names of columns.
pub(crate) fn names(system: &System, plan: &Plan, method: &Method, exponents: usize) -> Names {
    let model = system.model();
    Names {
        parameters: plan.axes().iter().map(|axis| axis.name().to_string()).collect(),
        starts: plan.starts().states().into_iter().map(str::to_string).collect(),
        states: model.states.iter().map(|state| state.name.clone()).collect(),
        contacts: model.contacts.iter().map(|contact| contact.name.clone()).collect(),
        switches: model.switches.iter().map(|switch| switch.name.clone()).collect(),
        extremes: method.extremes.clone(),
        exponents,
    }
}

/// A mistake of a plan, in the field that makes it so large.
pub(crate) fn refused(field: &'static str, error: &PlanError) -> Refusal {
    let help = match error {
        PlanError::TooMany { .. } => "ask for fewer points",
        PlanError::CarriedStarts => "give no carry",
        PlanError::TooManyParts { .. } => {
            "ask for fewer parts; states that are carried along a parameter make a chain of it"
        }
    };
    Refusal::new(field, error.to_string(), help)
}

/// A store whose tables do not hold what they should.
pub(crate) fn broken(message: &str) -> Error {
    Refusal::new("out", message, "choose another folder").into()
}
