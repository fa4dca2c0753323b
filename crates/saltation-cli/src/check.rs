//! What does a model say, and does it make sense? `saltation check`.

use crate::answer_folder::AnswerFolder;
use crate::arguments::Check;
use crate::check_report;
use crate::files::{prepare, replace};
use crate::input::{self, Input};
use crate::json::{Object, State};
use crate::naming::Naming;
use crate::outcome::{Outcome, Trouble, print};
use crate::output_folder::{command, model_text, unwritable};
use crate::request::start_mistake;
use saltation_model::{FrictionReport, ImpactLaw, Report, StateKind, Together};
use saltation_motion::{ClosedSet, Motion, Settings, System};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub fn run(arguments: &Check) -> Outcome {
    let began = Instant::now();
    let shared = &arguments.shared;
    let mut mistakes = Vec::new();
    let input = input::read_numbers(shared, &mut mistakes)?;
    if !mistakes.is_empty() {
        return Err(Trouble::Input(mistakes));
    }
    // What a run would say is said first.
    let values = if input.model.is_moved() { input.model.values(&input.settings) } else { Ok(input.values.clone()) };
    let input = Input { values: values.map_err(input::as_typed)?, ..input };
    let report = input.model.check(&input.settings)?;
    // A model with many contacts has no mode at its start: nothing is known of a motion from event to event.
    let answer = if input.model.is_moved() && input.model.contacts.len() <= ClosedSet::LARGEST {
        let system = System::new(&input.model);
        let settings = Settings { tolerance: input.tolerance, until: 0.0, ..Settings::default() };
        let motion = Motion::new(&system, &input.values, settings).map_err(|error| start_mistake(&input, &error))?;
        let naming = Naming::new(&system, &input.values);
        let answer = answer(
            &input,
            &report,
            json!(State(naming, &input.values.start)),
            Some(&system.mode_name(motion.closed())),
        );
        if let Some(folder) = &shared.out {
            let mut folder = AnswerFolder::create(folder, &input, naming, began)?;
            folder.finish(&answer).map_err(|error| Trouble::unwritten("the answer", &error))?;
        }
        answer
    } else {
        let names = input.model.states.iter().map(|state| &state.name);
        let answer = answer(&input, &report, json!(Object(names.zip(&input.values.start))), None);
        if let Some(folder) = &shared.out {
            written(folder, &input, &answer, began)?;
        }
        answer
    };
    print(|output| {
        if shared.json {
            return writeln!(output, "{answer}");
        }
        if !shared.quiet {
            for line in check_report::lines(&input, &report) {
                writeln!(output, "{line}")?;
            }
        }
        Ok(())
    })
}

/// The `run.json` of a model without a motion from event to event.
fn written(folder: &Path, input: &Input, answer: &Value, began: Instant) -> Outcome {
    let run = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": command(),
        "model": model_text(&input.model),
        "parameters": Object(input.parameters()),
        "files": ["run.json"],
        "wall_time": began.elapsed().as_secs_f64(),
        "answer": answer,
    });
    let written = prepare(folder).and_then(|()| replace(folder, "run.json", &format!("{run:#}\n")));
    written.map_err(|error| unwritable(folder, &error))
}

/// What was read of a structure; null for other bodies.
fn structure(report: &Report) -> Value {
    report.structure.as_ref().map_or(Value::Null, |structure| {
        json!({
            "degrees_of_freedom": structure.degrees,
            "entries": { "M": structure.mass_entries, "K": structure.stiffness_entries, "C": structure.damping_entries },
            "files": structure.files,
            "simulated": structure.simulated,
        })
    })
}

/// The friction of a contact.
fn friction(friction: &FrictionReport) -> Value {
    json!({
        "law": "coulomb",
        "mu": friction.coefficient,
        "mu_static": friction.held,
        "track": friction.track,
        "belt": friction.belt,
        "slip": friction.slip,
    })
}

/// The law of impacts: `together` is null where the file does not say, `law` for a flow, whose contacts have jumps.
fn impacts(report: &Report) -> Value {
    let together = match report.impacts.together {
        Together::Undecided => None,
        Together::Refuse => Some("refuse"),
        Together::Complementarity => Some("lcp"),
    };
    let law = match report.impacts.law {
        _ if report.body == "flow" => None,
        ImpactLaw::Newton => Some("newton"),
        ImpactLaw::Poisson => Some("poisson"),
    };
    json!({ "together": together, "law": law })
}

/// The answer for other programs.
fn answer(input: &Input, report: &Report, start: Value, mode: Option<&str>) -> Value {
    let model = &input.model;
    let contacts: Vec<&str> = report.contacts.iter().map(|contact| contact.name.as_str()).collect();
    let parameters = report.parameters.iter().map(|(name, value)| (name, value));
    let laws: Map<String, Value> = report
        .contacts
        .iter()
        .map(|contact| {
            let law = json!({
                "gap": contact.gap,
                "speed": contact.speed,
                "direction": Object(contact.direction.iter().map(|(name, w)| (name, w))),
                "restitution": contact.restitution,
                "friction": contact.friction.as_ref().map(friction),
            });
            (contact.name.clone(), law)
        })
        .collect();
    let sections: Vec<&str> = model.sections.iter().map(|section| section.name.as_str()).collect();
    json!({
        "name": report.name,
        "body": report.body,
        "states": report.states,
        "parameters": Object(parameters),
        "contacts": contacts,
        "linear": report.linear,
        "warnings": report.warnings,
        "title": model.title,
        "source": model.source,
        "start": start,
        "mode": mode,
        "sections": sections,
        "symmetry": symmetry(input, report),
        "laws": laws,
        "rates": Object(report.rates.iter().map(|(name, rate)| (name, rate))),
        "M": report.mass,
        "h": report.force,
        "structure": structure(report),
        "impacts": impacts(report),
        "fingerprint": model.fingerprint(),
    })
}

/// The signs of the states, the shift of the phase, and the image of every contact; null without a symmetry.
fn symmetry(input: &Input, report: &Report) -> Value {
    let model = &input.model;
    let Some(symmetry) = &report.symmetry else {
        return Value::Null;
    };
    let moving = model.states.iter().zip(&symmetry.signs).filter(|(state, _)| state.kind != StateKind::Phase);
    let name = |i: usize| &model.contacts[i].name;
    let images = symmetry.contacts.iter().enumerate();
    json!({
        "signs": Object(moving.map(|(state, sign)| (&state.name, sign))),
        "phase": model.phase.as_ref().map(|_| symmetry.shift),
        "contacts": Object(images.map(|(i, &j)| (name(i), name(j)))),
    })
}
