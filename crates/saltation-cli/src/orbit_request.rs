//! Which orbit is to be found? The flags of `orbit`, understood and checked together.

use crate::arguments::Orbit;
use crate::flag::{Flag, collect};
use crate::guess::Guess;
use crate::input::{self, Input};
use crate::outcome::Trouble;
use crate::request::{self, figure_file};
use crate::sections;
use saltation::motion::System;
use saltation::orbit::Settings;

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
    let mut guess = None;
    let input = input::read_from(
        &arguments.shared,
        |model, settings| {
            guess = arguments.guess.as_ref().map(|file| Guess::read(file, model, settings)).transpose()?;
            Ok(guess.as_ref().map(Guess::start).unwrap_or_default())
        },
        &mut mistakes,
    )?;
    let system = System::new(&input.model);
    let wrong = &mut mistakes;
    let settle = arguments.settle.as_ref().map(|text| Flag::new("--settle", text).count_between(0, MOST_SETTLED));
    let settle = settle.and_then(|settle| collect(settle, wrong)).unwrap_or(0);
    let returns = arguments.period.as_ref().map(|text| Flag::new("--period", text).count_between(1, MOST_RETURNS));
    let returns = returns.and_then(|returns| collect(returns, wrong));
    let known = guess.as_ref().and_then(|guess| guess.returns).filter(|returns| *returns <= MOST_RETURNS);
    let flow = arguments.flow.as_ref().and_then(|how| collect(request::flow(Flag::new("--flow", how)), wrong));
    let section = collect(sections::of_return_map(arguments.section.as_deref(), &system), wrong);
    if let Some(file) = &arguments.plot {
        collect(figure_file(file), wrong);
    }
    let Some(section) = section.filter(|_| mistakes.is_empty()) else {
        return Err(Trouble::Input(mistakes));
    };
    let settings = Settings {
        settle,
        returns: returns.or(known).unwrap_or(1),
        tolerance: input.tolerance,
        flow: flow.unwrap_or_default(),
        ..Settings::through(section)
    };
    Ok((input, system, Request { settings, guess }))
}
