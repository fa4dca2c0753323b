//! `saltation modes`: its flags as a request.

use crate::arguments::Modes;
use crate::driver::Question;
use crate::flag::{Flag, collect, gather, refused};
use crate::input;
use crate::messages;
use crate::outcome::{Outcome, Trouble};
use crate::span;
use saltation::modes::{self, Request, named_states};
use saltation::{Answered, Mistakes, System};

/// Runs the command.
pub fn run(arguments: &Modes) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let system = input::read_numbers(shared, &mut wrong)?;
    input::policy(shared, &mut wrong);
    input::figure_file(arguments.plot.as_ref(), &mut wrong);
    let coordinates: Option<Vec<&str>> = arguments.coordinates.as_ref().map(|text| text.split(',').collect());
    if let Some(names) = &coordinates {
        gather(named_states(&system, names), &mut wrong);
    }
    let request = request(arguments, &system, &mut wrong);
    wrong.extend(request.refusals(&system).iter().map(refused));
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut search = system.modes();
    search.request = request;
    let search = search.prepare()?;
    let question = Question { shared, plot: arguments.plot.as_deref(), system: &system, tolerance: None };
    question.answer(
        |progress| {
            let modes = search.run_with(progress);
            if shared.json && !shared.quiet {
                modes.warnings().iter().for_each(|warning| messages::warn(warning));
            }
            Ok(modes)
        },
        |modes: &modes::Modes| modes.figure(coordinates.as_deref()).map(Some),
    )
}

/// The request; mistakes in flags are added to the others.
fn request(arguments: &Modes, system: &System, wrong: &mut Vec<Mistakes>) -> Request {
    let default = Request::default();
    input::tolerance(&arguments.shared, system, 0.0, wrong);
    let count = |name: &'static str, text: Option<&String>, least: u64, wrong: &mut Vec<Mistakes>| {
        collect(Flag::new(name, text?).count_between(least, u64::MAX), wrong)
    };
    Request {
        ipp: count("--ipp", Some(&arguments.ipp), 1, wrong).unwrap_or(default.ipp),
        periods: arguments.periods.as_ref().and_then(|text| collect(periods(text, system), wrong)),
        near: input::number("--near", arguments.near.as_ref(), system, wrong),
        search: count("--search", arguments.search.as_ref(), 1, wrong).unwrap_or(default.search),
        seed: count("--seed", arguments.seed.as_ref(), 0, wrong).unwrap_or(default.seed),
        family: arguments.family,
        points: count("--points", arguments.points.as_ref(), 0, wrong),
        contact: arguments.contact.clone(),
        stability: arguments.stability,
    }
}

/// `LO:HI`.
fn periods(text: &str, system: &System) -> Result<[f64; 2], Mistakes> {
    let flag = Flag::new("--periods", text);
    let span = span::range(flag, system)?;
    match span.points {
        Some(_) => Err(flag.mistake("--periods needs no number of points", "write LO:HI")),
        None => Ok([span.low, span.high]),
    }
}
