//! Which forces do closed contacts have? `saltation contact`.

use crate::answer_folder::AnswerFolder;
use crate::arguments::Contact;
use crate::contact_request::{self, Axis, Request};
use crate::input::Input;
use crate::naming::Naming;
use crate::outcome::{Outcome, Trouble, print};
use crate::progress::Progress;
use crate::{contact_json, contact_plot, contact_report};
use saltation_model::Mistake;
use saltation_motion::System;
use saltation_motion::friction::{
    Analysis, ContactMap, Contacts, SmallestFriction, Varied, VariedError, smallest_friction,
};
use serde_json::Value;
use std::time::Instant;

/// A question with its answer.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The model and its numbers.
    pub input: &'a Input,
    /// The names of the numbers.
    pub naming: Naming<'a>,
    /// What was asked.
    pub request: &'a Request,
    /// What holds at the start.
    pub analysis: &'a Analysis,
    /// The map, if it was asked for.
    pub map: Option<&'a ContactMap>,
    /// The smallest critical friction, if it was asked for; inside `None` if there is none.
    pub critical: Option<Option<SmallestFriction>>,
}

impl Answer<'_> {
    /// The name of a contact.
    pub fn contact(&self, contact: usize) -> &str {
        &self.naming.system.contact_names()[contact]
    }
}

/// Runs the command.
pub fn run(arguments: &Contact) -> Outcome {
    let began = Instant::now();
    let shared = &arguments.shared;
    let (input, system, request) = contact_request::read(arguments)?;
    let naming = Naming::new(&system, &input.values);
    let contacts = Contacts::new(&system, &input.values.parameters).map_err(|why| unknown(&input, &why.to_string()))?;
    let analysis = contacts.with_tolerance(input.tolerance).at(&input.values.start);
    let mut search = match &request.critical {
        Some(axis) => Some((varied(&input, &system, std::slice::from_ref(axis))?, axis)),
        None => None,
    };
    let mut plane = request.map.as_ref().map(|axes| varied(&input, &system, axes)).transpose()?;

    let folder = shared.out.as_deref().map(|folder| AnswerFolder::create(folder, &input, naming, began));
    let mut folder = folder.transpose()?;
    let critical = search.as_mut().map(|(varied, axis)| smallest_friction(varied, axis.low, axis.high));
    let mut progress = Progress::begin(shared.quiet);
    let mut map = None;
    if let (Some(axes), Some(varied)) = (&request.map, &mut plane) {
        let values = [axes[0].values(), axes[1].values()];
        map = Some(ContactMap::new(varied, values, &mut |share| progress.tell(Some(share), || "map".to_string())));
    }
    let cut = map.as_ref().filter(|map| !map.complete).map(|map| map.values[1].len());
    progress.finish();

    let answer = Answer { input: &input, naming, request: &request, analysis: &analysis, map: map.as_ref(), critical };
    // A map of millions of places is large as text.
    let text = if shared.json || folder.is_some() { contact_json::answer(answer) } else { Value::Null };
    let saved = folder.as_mut().map_or(Ok(()), |folder| {
        contact_json::tables(answer, folder)?;
        folder.finish(&text)
    });
    let saved = saved.map_err(|error| Trouble::unwritten("the answer", &error));
    let drawn = match (&arguments.plot, answer.map, &request.map) {
        (Some(file), Some(map), Some(axes)) if map.complete => contact_plot::figure(answer, map, axes).save(file),
        _ => Ok(()),
    };
    let drawn = drawn.map_err(|error| Trouble::Short(error.to_string()));
    let printed = print(|output| {
        if shared.json {
            return writeln!(output, "{text}");
        }
        if !shared.quiet {
            for line in contact_report::lines(answer, began.elapsed().as_secs_f64()) {
                writeln!(output, "{line}")?;
            }
        }
        Ok(())
    });
    let complete = cut.map_or(Ok(()), |rows| {
        Err(Trouble::Short(format!("interrupted: the map has its first {rows} rows, and no curves")))
    });
    saved.and(drawn).and(printed).and(complete)
}

/// The contact problem of the start as a function of some numbers.
fn varied<'s>(input: &Input, system: &'s System, axes: &[Axis]) -> Result<Varied<'s>, Trouble> {
    let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
    let found = Varied::new(system, &input.settings, &names).map_err(|error| match error {
        VariedError::Mistakes(mistakes) => Trouble::from(mistakes),
        VariedError::Open => {
            let message = "no contact is closed at the start: those that touch are about to strike";
            let help = "choose a start with gap 0 and opening speed 0, by --start NAME=VALUE";
            Trouble::input(Mistake::general(message).help(help), input.model.file.clone())
        }
        error => unknown(input, &error.to_string()),
    })?;
    Ok(found.with_tolerance(input.tolerance))
}

fn unknown(input: &Input, message: &str) -> Trouble {
    Trouble::input(Mistake::general(message), input.model.file.clone())
}
