//! The report of a simulation: the request, the events, and how it ended.

use crate::named::Named;
use crate::simulation::Run;
use crate::simulation::answer::Gradients;
use crate::simulation::{event_table, sample_table};
use crate::text::number;
use saltation_motion::Policy;

/// The whole report.
pub fn lines(run: &Run) -> Vec<String> {
    let mut lines = header(run);
    lines.push(String::new());
    if let Some(samples) = &run.samples {
        lines.extend(sample_table::lines(samples, run.end.time));
        lines.push(String::new());
    }
    // The model is compiled, because the motion was possible.
    if let Ok(naming) = run.system.naming() {
        if run.log.total() > 0 {
            lines.extend(event_table::lines(&run.log, naming, run.end.time));
            lines.push(String::new());
        }
        lines.extend(run.log.decisions(naming, run.request.policy));
    }
    lines.extend(summary(run));
    let seconds = number::short(run.wall_time.as_secs_f64(), 3);
    lines.push(format!("ended  {} ({seconds} s of computing)", run.message));
    lines
}

/// The request.
fn header(run: &Run) -> Vec<String> {
    let (system, request) = (&run.system, &run.request);
    let mut lines = vec![system.headline()];
    let changed = system.changed();
    if !changed.is_empty() {
        lines.push(format!("with   {}", changed.join(", ")));
    }
    let mut end = Vec::new();
    let asked = request.end(system).ok();
    if let Some(until) = asked.as_ref().map(|end| end.until).filter(|until| until.is_finite()) {
        end.push(format!("t = {}", number::short(until, 10)));
    }
    if let Some((section, count)) = asked.as_ref().and_then(|end| end.returns) {
        let names = system.compiled().ok().map(|compiled| compiled.section_names());
        let name = names.and_then(|mut names| names.nth(section)).unwrap_or_default();
        end.push(format!("{} to {name}", number::count(count, "return")));
    }
    let why = run.default_end.as_ref().map(|why| format!(": {why}, as neither --until nor --returns is given"));
    lines.push(format!("until  {}{}", end.join(" or "), why.unwrap_or_default()));
    lines.push(format!("tol    {:e}", request.tol));
    if let Some(moved) = &run.start_moved {
        let parts = moved.names().iter().zip(moved.values());
        let parts: Vec<String> = parts.map(|(name, shift)| format!("{name} by {}", number::short(*shift, 3))).collect();
        lines.push(format!("start  moved onto the constraints: {}", parts.join(", ")));
    }
    if request.policy != Policy::default() {
        lines.push(format!("policy {} where several contact modes are consistent", request.policy.name()));
    }
    lines
}

/// The summary below the event table.
fn summary(run: &Run) -> Vec<String> {
    let mut lines = Vec::new();
    let counts: Vec<String> = run.counts.0.iter().map(|(kind, count)| plural(kind.name(), *count)).collect();
    lines.push(match counts.is_empty() {
        true => "no events".to_string(),
        false => counts.join(", "),
    });
    let misses = &run.misses;
    if let (Some(contact), Some(least), Some(time)) = (&misses.contact, misses.smallest, misses.time) {
        let least = number::short(least, 4);
        let times = misses.count;
        lines.push(format!("near misses {times}; smallest gap {least} of {contact} at t = {}", number::short(time, 9)));
    }
    lines.push(String::new());
    lines.push(format!("end    t = {}, {}", number::exact(run.end.time), run.end.mode));
    lines.extend(state_lines(&run.end.state));
    lines.extend(derivative_lines(run));
    lines
}

/// The derivatives of the end, one number a line, and why there are none.
fn derivative_lines(run: &Run) -> Vec<String> {
    let Some(derivatives) = &run.derivatives else { return Vec::new() };
    let of_time = derivatives.time.iter().filter(|(_, value)| *value != 0.0);
    let mut lines: Vec<String> =
        gradient_lines("time", of_time, &derivatives.state).iter().map(|line| format!("       {line}")).collect();
    let lost = run.events.iter().find_map(|event| Some((event.time, event.derivatives.as_ref()?.lost.as_ref()?)));
    lines.extend(lost.map(|(time, why)| format!("       no derivatives after t = {}: {why}", number::short(time, 10))));
    lines
}

/// The derivatives of a time and of the states, one number a line.
pub(crate) fn gradient_lines<'a>(
    time: &str,
    of_time: impl Iterator<Item = (&'a str, f64)>,
    of_states: &'a Gradients,
) -> Vec<String> {
    let times = of_time.map(|(name, value)| (format!("d {time} / d {name}"), value));
    let of_states = of_states.0.iter();
    let states =
        of_states.flat_map(|(name, state)| state.iter().map(move |(x, value)| (format!("d {x} / d {name}"), value)));
    let all: Vec<(String, f64)> = times.chain(states).collect();
    let width = all.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    all.iter().map(|(name, value)| format!("{name:<width$} = {}", aligned(*value))).collect()
}

/// A state, one number a line.
pub fn state_lines(state: &Named) -> Vec<String> {
    let width = state.names().iter().map(|name| name.chars().count()).max().unwrap_or(0);
    state.iter().map(|(name, value)| format!("       {name:<width$} = {}", aligned(value))).collect()
}

/// Why the trajectory ended early, with its last state.
pub fn ended_short(run: &Run) -> Vec<String> {
    let state: Vec<String> =
        run.end.state.iter().map(|(name, value)| format!("{name} = {}", number::exact(value))).collect();
    vec![
        format!("the trajectory ended early at t = {}: {}", number::exact(run.end.time), run.message),
        format!("mode  {}", run.end.mode),
        format!("state {}", state.join(", ")),
    ]
}

/// A number with all digits, and a place for its sign.
fn aligned(value: f64) -> String {
    let text = number::exact(value);
    if text.starts_with('-') { text } else { format!(" {text}") }
}

fn plural(kind: &str, count: u64) -> String {
    match kind {
        "chatter" => number::count(count, "complete chattering"),
        "impact_without_collision" if count == 1 => "1 impact without collision".to_string(),
        "impact_without_collision" => format!("{} without collision", number::count(count, "impact")),
        "switch" => number::count(count, "switching"),
        "slide" => format!("{count} sliding"),
        "leave" => format!("{count} leaving"),
        _ => number::count(count, kind),
    }
}
