//! A model as data for the page: names, units, numbers, bounds, and the questions with their fields.

use saltation::layers::model::contact::Contact;
use saltation::layers::model::model::{Parameter, State, StateKind};
use saltation::layers::model::{Body, Model};
use saltation::registry::QUESTIONS;
use saltation::{Error, System};
use serde_json::{Map, Value, json};

/// The description.
///
/// # Errors
/// Mistakes of the model at its own numbers.
pub(crate) fn describe(system: &System) -> Result<Value, Error> {
    let model = system.model();
    let checked = system.check()?;
    Ok(json!({
        "name": model.name,
        "title": model.title,
        "about": model.about,
        "source": model.source,
        "time_unit": model.time_unit,
        "body": model.body.name(),
        "fingerprint": model.fingerprint(),
        "linear": checked.answer.linear,
        "warnings": checked.answer.warnings,
        "states": states(system),
        "parameters": parameters(system),
        "forcing": system.forcing_parameters(),
        "contacts": contacts(model),
        "switches": checked.answer.switches.iter().map(|switch| &switch.name).collect::<Vec<_>>(),
        "sections": checked.answer.sections,
        "quantities": quantities(model),
        "sketch": system.sketch().map(|sketch| sketch.shape().clone()),
        "questions": questions(),
    }))
}

fn states(system: &System) -> Vec<Value> {
    let model = system.model();
    let start = system.start();
    let state = |(state, period): (&State, &Option<f64>)| {
        let kind = match (state.kind, state.angle_period) {
            (StateKind::Phase, _) => "phase",
            (StateKind::Time, _) => "time",
            (_, Some(_)) => "angle",
            (StateKind::Coordinate, _) => "coordinate",
            (StateKind::Velocity, _) => "velocity",
            (StateKind::Discrete, _) => "discrete",
            (StateKind::State, _) => "state",
        };
        json!({ "name": state.name, "unit": state.unit, "start": start.get(&state.name), "kind": kind, "period": period })
    };
    model.states.iter().zip(system.numbers().angle_periods()).map(state).collect()
}

fn parameters(system: &System) -> Vec<Value> {
    let model = system.model();
    let parameter = |parameter: &Parameter| {
        let formula = model.graph.as_constant(parameter.value).is_none().then(|| model.graph.print(parameter.value));
        json!({
            "name": parameter.name,
            "value": system.parameter(&parameter.name),
            "formula": formula,
            "unit": parameter.unit,
            "min": parameter.min,
            "max": parameter.max,
            "symbol": parameter.symbol_text,
            "about": parameter.about,
        })
    };
    model.parameters.iter().map(parameter).collect()
}

fn contacts(model: &Model) -> Vec<Value> {
    let contact = |contact: &Contact| json!({ "name": contact.name, "unit": contact.unit, "friction": contact.friction.is_some() });
    model.contacts.iter().map(contact).collect()
}

/// The names that `show`, `plane` and curves take.
fn quantities(model: &Model) -> Vec<String> {
    let states = model.states.iter().map(|state| state.name.clone());
    let of = |kind: &'static str| model.contacts.iter().map(move |contact| format!("{kind}:{}", contact.name));
    let energy = matches!(model.body, Body::Mechanics(_)).then(|| "energy".to_string());
    states.chain(of("gap")).chain(of("force")).chain(energy).collect()
}

fn questions() -> Value {
    let entry = |question: &saltation::registry::Question| {
        let fields: Vec<&str> = question.fields().map(|field| field.name).collect();
        let value = json!({ "fields": fields, "defaults": (question.defaults)(), "form": question.form() });
        (question.name.to_string(), value)
    };
    Value::Object(QUESTIONS.iter().map(entry).collect::<Map<String, Value>>())
}
