//! The figures of a page, drawn from what is stored; only a short motion, whose path is not stored, is computed again.

mod again;
mod branch;
mod exponents;
mod fit;
mod map;
mod modes;
mod motion;
mod spectrum;

use crate::report_page::kind::Kind;
use crate::report_page::series::{Marks, Series};
use crate::report_page::source::Source;
use crate::system::System;
use saltation_draw::Figure;
use serde::de::DeserializeOwned;

/// A figure with what stands below it.
#[derive(Debug)]
pub(crate) struct Drawing {
    pub figure: Figure,
    /// What it shows.
    pub about: String,
    /// Where its numbers are from.
    pub from: String,
}

impl Drawing {
    pub(crate) fn new(figure: Figure, about: impl Into<String>, from: impl Into<String>) -> Drawing {
        Drawing { figure, about: about.into(), from: from.into() }
    }
}

/// What was read of the tables.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub samples: Series,
    pub path: Series,
    pub trajectory: Series,
    pub marks: Marks,
}

/// The figures of a folder that is no sweep; what is missing is noted. Without `again` nothing is computed.
pub(crate) fn of(source: &Source, read: &Read, again: bool, notes: &mut Vec<String>) -> Vec<Drawing> {
    let Ok(system) = &source.system else { return Vec::new() };
    match source.kind {
        Kind::Simulation | Kind::Stepping => {
            let computed = (read.samples.is_empty() && again).then(|| again::motion(source, system, notes)).flatten();
            let stored = motion::over_time(system, &read.samples, &tolerance(source));
            let events = motion::events(system, &read.marks, &tolerance(source));
            computed.into_iter().chain(stored).chain(events).collect()
        }
        Kind::Orbit => {
            let answer = read_answer(source, notes);
            let spectrum = answer.as_ref().and_then(|answer| spectrum::of_orbit(system, answer));
            motion::orbit(system, &read.path, answer.as_ref(), &tolerance(source)).into_iter().chain(spectrum).collect()
        }
        Kind::Branch => read_answer(source, notes).and_then(|a| branch::of_orbits(system, &a)).into_iter().collect(),
        Kind::EquilibriumBranch => {
            read_answer(source, notes).and_then(|a| branch::of_equilibria(system, &a)).into_iter().collect()
        }
        Kind::Curve => read_answer(source, notes).and_then(|a| branch::curve(system, &a)).into_iter().collect(),
        Kind::Equilibria => {
            read_answer(source, notes).and_then(|a| spectrum::of_equilibria(system, &a)).into_iter().collect()
        }
        Kind::Lyapunov => read_answer(source, notes).and_then(|a| exponents::figure(system, &a)).into_iter().collect(),
        Kind::Modes => read_answer(source, notes).and_then(|a| modes::figure(system, &a)).into_iter().collect(),
        Kind::Contact => read_answer(source, notes).and_then(|a| map::figure(system, &a)).into_iter().collect(),
        Kind::Fit => {
            read_answer(source, notes).and_then(|a| fit::figure(system, &a, &read.trajectory)).into_iter().collect()
        }
        Kind::Check | Kind::Sweep | Kind::Basin | Kind::Unknown => Vec::new(),
    }
}

/// The answer as plain data.
fn read_answer<A: DeserializeOwned>(source: &Source, notes: &mut Vec<String>) -> Option<A> {
    if source.answer.is_null() {
        return None;
    }
    match serde_json::from_value(source.answer.clone()) {
        Ok(answer) => Some(answer),
        Err(error) => {
            let file = source.folder.join("run.json");
            notes.push(format!(
                "there is no figure: the answer in {} is not one of this version of saltation ({error}); repeat the run",
                file.display()
            ));
            None
        }
    }
}

/// The tolerance of the run, in words.
fn tolerance(source: &Source) -> String {
    let step = source.run["tolerances"]["step"].as_f64();
    step.map_or(String::new(), |step| format!("tolerance {step:e}"))
}

/// The line below the title: what was set, and more.
fn subtitle(system: &System, without: &[&str], more: &[&str]) -> String {
    let mut parts = system.changed_but(without);
    parts.extend(more.iter().filter(|part| !part.is_empty()).map(|part| part.to_string()));
    parts.join(", ")
}
