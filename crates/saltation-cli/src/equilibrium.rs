//! Where does a system rest, and does it stay there? `saltation equilibrium`.

use crate::answer_folder::AnswerFolder;
use crate::arguments::Equilibrium;
use crate::equilibrium_report;
use crate::flag::{Flag, collect};
use crate::input::{self, Input};
use crate::json::{Object, State};
use crate::modes;
use crate::naming::Naming;
use crate::number;
use crate::outcome::{Outcome, Trouble, print};
use saltation_model::Mistake;
use saltation_orbit as orbit;
use saltation_orbit::equilibrium::{Forced, Search, Settings, find};
use serde_json::{Value, json};
use std::time::Instant;

/// A search and what came of it.
#[derive(Debug, Clone, Copy)]
pub struct Rests<'a> {
    /// The model and its numbers.
    pub input: &'a Input,
    /// The names of the numbers.
    pub naming: Naming<'a>,
    /// What was asked.
    pub settings: &'a Settings,
    /// What was found.
    pub search: &'a Search,
}

impl Rests<'_> {
    /// How the search ended, in a sentence.
    pub fn message(&self) -> String {
        match self.search.equilibria.len() {
            0 => "no equilibrium was found".to_string(),
            1 => "1 equilibrium was found".to_string(),
            n => format!("{n} equilibria were found"),
        }
    }

    /// Names and reasons of the modes in which nothing was found.
    pub fn missed(&self) -> impl Iterator<Item = (String, String)> {
        let system = self.naming.system;
        let missed = self.search.missed.iter();
        missed.map(|missed| (self.naming.mode(missed.closed), missed.reason.describe(system, missed.closed)))
    }
}

/// Runs the command.
pub fn run(arguments: &Equilibrium) -> Outcome {
    let began = Instant::now();
    let shared = &arguments.shared;
    let mut mistakes = Vec::new();
    let input = input::read(shared, &mut mistakes)?;
    let system = input::system(&input)?;
    let mode = arguments.mode.as_ref().map(|mode| modes::named(Flag::new("--mode", mode), &system));
    let closed = mode.and_then(|mode| collect(mode, &mut mistakes));
    if !mistakes.is_empty() {
        return Err(Trouble::Input(mistakes));
    }
    let settings = Settings { closed, tolerance: input.tolerance };
    let search = find(&system, &input.values, &settings).map_err(|forced| refused(&input, &forced))?;

    let naming = Naming::new(&system, &input.values);
    let rests = Rests { input: &input, naming, settings: &settings, search: &search };
    let folder = shared.out.as_deref().map(|folder| AnswerFolder::create(folder, &input, naming, began));
    let mut folder = folder.transpose()?;
    let answer = answer(rests);
    let saved = folder.as_mut().map_or(Ok(()), |folder| folder.finish(&answer));
    let saved = saved.map_err(|error| Trouble::unwritten("the answer", &error));
    let printed = print(|output| {
        if shared.json {
            return writeln!(output, "{answer}");
        }
        if !shared.quiet {
            for line in equilibrium_report::lines(rests, began.elapsed().as_secs_f64()) {
                writeln!(output, "{line}")?;
            }
        }
        Ok(())
    });
    saved.and(printed)?;
    if !search.equilibria.is_empty() {
        return Ok(());
    }
    Err(Trouble::Short(short(rests, folder.map(|folder| folder.names()))))
}

/// A model that is forced rests nowhere: the question is not one for it.
pub fn refused(input: &Input, forced: &Forced) -> Trouble {
    let state = forced.quantity.strip_prefix("the rate of ");
    let mechanics = input.model.body.mechanics();
    let velocity = state.and_then(|name| input.model.state(name));
    let row = velocity.and_then(|state| mechanics?.velocities.iter().position(|&velocity| velocity == state));
    let key = match (forced.quantity.strip_prefix("the gap of contact "), row) {
        (Some(contact), _) => format!("contacts.{contact}.gap"),
        (None, Some(row)) => format!("mechanics.h.{row}"),
        (None, None) => format!("flow.{}", state.unwrap_or_default()),
    };
    let help =
        "saltation orbit finds the motions of a forced model that repeat; or set the amplitude of the forcing to 0";
    let mistake: Mistake = input.model.mistake_at(&key, forced.to_string());
    Trouble::from(input.model.mistakes(vec![mistake.help(help)]))
}

/// The answer for other programs; numbers without a value are null.
fn answer(rests: Rests) -> Value {
    let Rests { input, naming, search, .. } = rests;
    let contacts = naming.system.contact_names();
    let one = |rest: &orbit::Equilibrium| {
        let forces = rest.closed.iter().map(|contact| &contacts[contact]).zip(rest.contact_forces.iter().copied());
        let gaps = contacts.iter().zip(rest.gaps.iter().copied());
        let pairs: Vec<[f64; 2]> = rest.eigenvalues.iter().map(|z| [z.re, z.im]).collect();
        let boundary: Vec<&String> = rest.boundary.iter().map(|&contact| &contacts[contact]).collect();
        json!({
            "state": State(naming, &rest.state),
            "mode": naming.mode(rest.closed),
            "contact_force": Object(forces.collect::<Vec<_>>().into_iter()),
            "eigenvalues": pairs,
            "stable": rest.stable,
            "admissible": rest.admissible,
            "gaps": Object(gaps.collect::<Vec<_>>().into_iter()),
            "boundary": boundary,
            "isolated": rest.isolated,
            "residual": rest.residual,
            "iterations": rest.iterations,
        })
    };
    let missed =
        search.missed.iter().zip(rests.missed()).map(
            |(missed, (mode, message))| json!({ "mode": mode, "reason": missed.reason.name(), "message": message }),
        );
    json!({
        "equilibria": search.equilibria.iter().map(one).collect::<Vec<Value>>(),
        "ended": if search.equilibria.is_empty() { "none_found" } else { "found" },
        "message": rests.message(),
        "missed": missed.collect::<Vec<Value>>(),
        "starts": search.starts,
        "model": input.model.name,
        "fingerprint": input.model.fingerprint(),
        "parameters": Object(input.parameters()),
    })
}

/// Why there is no answer, and what can be done.
fn short(rests: Rests, saved: Option<String>) -> String {
    let starts = number::count(rests.search.starts as u64, "start");
    let mut lines = vec![format!("{} from {starts}", rests.message())];
    lines.extend(rests.missed().map(|(mode, why)| format!("{mode}: {why}")));
    lines.push(match rests.settings.closed {
        Some(_) => "try another start with --start, or all modes without --mode".to_string(),
        None => "try another start with --start, or other parameters with --set".to_string(),
    });
    lines.extend(saved.map(|files| format!("what was computed is saved in {files}")));
    lines.join("\n  ")
}
