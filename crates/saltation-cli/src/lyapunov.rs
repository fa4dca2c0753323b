//! How fast do neighbours of a motion leave it? `saltation lyapunov`.

use crate::answer_folder::AnswerFolder;
use crate::arguments::Lyapunov;
use crate::flag::{Flag, collect};
use crate::input::{self, Input};
use crate::json::{Object, State};
use crate::lyapunov_report::{self, failure};
use crate::naming::Naming;
use crate::number;
use crate::orbit::can_begin;
use crate::orbit_request::MOST_SETTLED;
use crate::outcome::{Outcome, Trouble, print};
use crate::progress::Progress;
use crate::request;
use crate::sections;
use saltation_motion::System;
use saltation_orbit::lyapunov::{Exponents, LyapunovEnded, exponents};
use saltation_orbit::{Failure, LyapunovSettings};
use serde_json::{Value, json};
use std::time::Instant;

/// The growth along every return is kept for the standard errors.
const MOST_RETURNS: u64 = 10_000_000;

/// A measurement.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'a> {
    /// The model and its numbers.
    pub input: &'a Input,
    /// The names of the numbers.
    pub naming: Naming<'a>,
    /// What was asked.
    pub settings: &'a LyapunovSettings,
    /// What was found.
    pub found: &'a Exponents,
}

impl<'a> Measured<'a> {
    /// The name of the section.
    pub fn section(&self) -> &'a str {
        self.naming.system.section_names().nth(self.settings.section).unwrap_or_default()
    }
}

/// Runs the command.
pub fn run(arguments: &Lyapunov) -> Outcome {
    let began = Instant::now();
    let shared = &arguments.shared;
    let (input, system, settings) = request(arguments)?;
    can_begin(&input, &system, settings.flow)?;
    let naming = Naming::new(&system, &input.values);
    let mut progress = Progress::begin(shared.quiet);
    let folder = shared.out.as_deref().map(|folder| AnswerFolder::create(folder, &input, naming, began));
    let mut folder = folder.transpose()?;

    let all = (settings.settle + settings.returns) as f64;
    let found = exponents(&system, &input.values, &settings, &mut |done| {
        progress.tell(Some(done as f64 / all), || match done.checked_sub(settings.settle) {
            None => format!("settling, {done} of {} returns", settings.settle),
            Some(measured) => format!("{measured} of {} returns", settings.returns),
        })
    });
    progress.finish();

    let measured = Measured { input: &input, naming, settings: &settings, found: &found };
    let answer = answer(measured);
    let saved = folder.as_mut().map_or(Ok(()), |folder| folder.finish(&answer));
    let saved = saved.map_err(|error| Trouble::unwritten("the answer", &error));
    let printed = print(|output| {
        if shared.json {
            return writeln!(output, "{answer}");
        }
        if !shared.quiet {
            for line in lyapunov_report::lines(measured, began.elapsed().as_secs_f64()) {
                writeln!(output, "{line}")?;
            }
        }
        Ok(())
    });
    saved.and(printed)?;
    match &found.ended {
        LyapunovEnded::Complete => Ok(()),
        LyapunovEnded::Short(reason) => Err(Trouble::Short(short(measured, reason, folder.map(|f| f.names())))),
    }
}

fn request(arguments: &Lyapunov) -> Result<(Input, System, LyapunovSettings), Trouble> {
    let mut mistakes = Vec::new();
    let input = input::read(&arguments.shared, &mut mistakes)?;
    let system = input::system(&input)?;
    let wrong = &mut mistakes;
    let settle = arguments.settle.as_ref().map(|text| Flag::new("--settle", text).count_between(0, MOST_SETTLED));
    let settle = settle.and_then(|settle| collect(settle, wrong));
    let returns = arguments.returns.as_ref().map(|text| Flag::new("--returns", text).count_between(1, MOST_RETURNS));
    let returns = returns.and_then(|returns| collect(returns, wrong));
    let flow = arguments.flow.as_ref().and_then(|how| collect(request::flow(Flag::new("--flow", how)), wrong));
    let section = collect(sections::of_return_map(arguments.section.as_deref(), &system), wrong);
    let Some(section) = section.filter(|_| mistakes.is_empty()) else {
        return Err(Trouble::Input(mistakes));
    };
    let usual = LyapunovSettings::through(section);
    let settings = LyapunovSettings {
        settle: settle.unwrap_or(usual.settle),
        returns: returns.unwrap_or(usual.returns),
        tolerance: input.tolerance,
        flow: flow.unwrap_or_default(),
        policy: input.policy,
        ..usual
    };
    Ok((input, system, settings))
}

/// The answer for other programs. JSON has no infinity: an exponent of minus infinity is null, as lasting contact makes it.
fn answer(measured: Measured) -> Value {
    let Measured { input, naming, settings, found } = measured;
    let state = (found.returns > 0).then(|| json!(State(naming, &found.state)));
    json!({
        "exponents": found.exponents,
        "standard_errors": found.standard_errors,
        "time": found.time,
        "sum": found.exponents.iter().sum::<f64>(),
        "returns": found.returns,
        "impacts": found.impacts,
        "section": measured.section(),
        "settled": settings.settle,
        "state": state,
        "ended": found.ended.name(),
        "message": match &found.ended {
            LyapunovEnded::Complete => "all returns were made".to_string(),
            LyapunovEnded::Short(reason) => failure(reason, naming.system, settings.section),
        },
        "block_means": found.block_means,
        "model": input.model.name,
        "parameters": Object(input.parameters()),
    })
}

/// Why not all returns were made, and what is known all the same.
fn short(measured: Measured, reason: &Failure, saved: Option<String>) -> String {
    let made = measured.found.returns;
    let asked = number::count(measured.settings.returns, "return");
    let why = failure(reason, measured.naming.system, measured.settings.section);
    let mut lines = vec![match made {
        0 => format!("nothing was measured: {why}"),
        _ => format!("{made} of {asked} were measured: {why}"),
    }];
    lines.extend(saved.map(|files| format!("what was computed is saved in {files}")));
    lines.join("\n  ")
}
