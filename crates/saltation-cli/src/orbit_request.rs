//! Which orbit is to be found? The flags of `orbit` and `continue`, understood and checked together.

use crate::arguments::{Orbit, Search, Shared};
use crate::flag::{Flag, collect};
use crate::guess::Guess;
use crate::input::{self, Input};
use crate::outcome::Trouble;
use crate::request::{self, figure_file};
use crate::sections;
use saltation_model::Mistakes;
use saltation_motion::System;
use saltation_orbit::Settings;
use std::path::Path;

/// The points of an orbit are all kept, and so are the states at all its events.
const MOST_RETURNS: u64 = 100_000;
/// More returns than this take longer than anybody waits.
pub const MOST_SETTLED: u64 = 1_000_000_000_000;

/// A search that can begin.
#[derive(Debug)]
pub struct Request {
    /// What is looked for, and how.
    pub settings: Settings,
    /// The orbit that it begins from, if one is given.
    pub guess: Option<Guess>,
}

/// Reads the model and all flags of `orbit`.
///
/// # Errors
/// All mistakes in them.
pub fn read(arguments: &Orbit) -> Result<(Input, System, Request), Trouble> {
    let mut mistakes = Vec::new();
    let (input, system, request) = search(&arguments.shared, &arguments.search, None, &mut mistakes)?;
    if let Some(file) = &arguments.plot {
        collect(figure_file(file), &mut mistakes);
    }
    match request.filter(|_| mistakes.is_empty()) {
        Some(request) => Ok((input, system, request)),
        None => Err(Trouble::Input(mistakes)),
    }
}

/// Reads the model and the flags by which an orbit is found; `from` is the file of one whose parameters are taken too. Mistakes in
/// flags are added to the others; without a section there is nothing to search for.
///
/// # Errors
/// Mistakes without which nothing else can be read.
pub fn search(
    shared: &Shared,
    flags: &Search,
    from: Option<&Path>,
    mistakes: &mut Vec<Mistakes>,
) -> Result<(Input, System, Option<Request>), Trouble> {
    let mut guess = None;
    let file = from.map(|file| (file, true)).or(flags.guess.as_deref().map(|file| (file, false)));
    let input = input::read_from(
        shared,
        |model, settings| {
            guess = file.map(|(file, whole)| Guess::read(file, whole, model, settings)).transpose()?;
            Ok(guess.as_ref().map(Guess::given).unwrap_or_default())
        },
        mistakes,
    )?;
    let system = input::system(&input)?;
    let wrong = mistakes;
    let settle = flags.settle.as_ref().map(|text| Flag::new("--settle", text).count_between(0, MOST_SETTLED));
    let settle = settle.and_then(|settle| collect(settle, wrong)).unwrap_or(0);
    let returns = flags.period.as_ref().map(|text| Flag::new("--period", text).count_between(1, MOST_RETURNS));
    let returns = returns.and_then(|returns| collect(returns, wrong));
    let known = guess.as_ref().and_then(|guess| guess.returns).filter(|returns| *returns <= MOST_RETURNS);
    let flow = flags.flow.as_ref().and_then(|how| collect(request::flow(Flag::new("--flow", how)), wrong));
    let kept = guess.as_ref().and_then(|guess| guess.section.as_deref());
    let kept = kept.filter(|kept| system.section_names().any(|name| name == *kept));
    let section = collect(sections::of_return_map(flags.section.as_deref().or(kept), &system), wrong);
    let request = section.map(|section| Request {
        settings: Settings {
            settle,
            returns: returns.or(known).unwrap_or(1),
            tolerance: input.tolerance,
            flow: flow.unwrap_or_default(),
            policy: input.policy,
            ..Settings::through(section)
        },
        guess,
    });
    Ok((input, system, request))
}
