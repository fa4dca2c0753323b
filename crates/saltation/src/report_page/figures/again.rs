//! A motion whose path is not stored, computed again for its figure: only where the run was short, as its description says, and never longer than a minute.

use super::Drawing;
use crate::progress::Progress;
use crate::report_page::kind::Kind;
use crate::report_page::source::Source;
use crate::settings::MotionSettings;
use crate::simulation::Simulation;
use crate::simulation::request::Request;
use crate::system::System;
use crate::text::number::short;
use saltation_draw::Figure;
use saltation_motion::{FlowChoice, Policy};
use saltation_numerics::portable;
use std::time::{Duration, Instant};

/// Runs of at most this wall time are computed again, in seconds.
const SHORT: f64 = 2.0;
/// A machine that is very much slower than the one of the run ends here.
const LONGEST: Duration = Duration::from_secs(60);

/// The figure of the motion.
pub(crate) fn motion(source: &Source, system: &System, notes: &mut Vec<String>) -> Option<Drawing> {
    let wall_time = source.run["wall_time"].as_f64()?;
    let how = "--every DT stores samples, from which the trajectory is drawn";
    if wall_time > SHORT {
        notes.push(format!(
            "the trajectory is not drawn: it is not stored, and took {} s to compute, more than the {SHORT} s up to which it is computed again; {how}",
            short(wall_time, 3)
        ));
        return None;
    }
    if source.run["version"].as_str() != Some(env!("CARGO_PKG_VERSION")) {
        notes.push(format!(
            "the trajectory is not drawn: it is not stored, and another version may compute another; {how}"
        ));
        return None;
    }
    if source.run["portable"].as_bool().unwrap_or(false) != portable::is_chosen() {
        let how = if portable::is_chosen() { "without" } else { "with" };
        notes.push(format!(
            "the trajectory is not drawn: it is not stored, and the run was one {how} --portable, whose digits are others; make the page {how} --portable"
        ));
        return None;
    }
    let mut clock = Clock(Instant::now());
    let figure = match source.kind {
        Kind::Stepping => stepping(source, system, &mut clock),
        _ => simulation(source, system, &mut clock),
    };
    match figure {
        Ok(figure) => {
            let from = "the trajectory is not stored and was computed again from run.json for this figure".to_string();
            Some(Drawing::new(figure?, "The trajectory over time", from))
        }
        Err(why) => {
            notes
                .push(format!("the trajectory is not drawn: it is not stored, and could not be computed again: {why}"));
            None
        }
    }
}

/// Ends after the longest time.
struct Clock(Instant);

impl Progress for Clock {
    fn see(&mut self, _: Option<f64>, _: &dyn Fn() -> String) -> bool {
        self.0.elapsed() < LONGEST
    }
}

fn simulation(source: &Source, system: &System, clock: &mut Clock) -> Result<Option<Figure>, String> {
    let run = &source.run;
    let mut request = Request { path: true, all_events: true, ..Request::default() };
    request.returns = run["returns"]["count"].as_u64();
    request.section = run["returns"]["section"].as_str().map(str::to_string);
    // A motion that ended early ends there again; so does one until infinity.
    request.until = run["until"].as_f64().filter(|until| until.is_finite());
    if request.until.is_none() && request.returns.is_none() {
        request.until = run["end"]["time"].as_f64();
    }
    request.max_step = run["max_step"].as_f64().filter(|step| step.is_finite());
    request.tol = run["tolerances"]["step"].as_f64().unwrap_or(request.tol);
    let policy = run["policy"].as_str();
    request.policy = Policy::ALL.into_iter().find(|known| Some(known.name()) == policy).unwrap_or_default();
    let mut simulation: Simulation = system.simulation();
    simulation.request = request;
    if let Some(flow) = flow(source) {
        simulation = simulation.flow(flow);
    }
    let found = simulation.run_with(clock).map_err(|error| error.to_string())?;
    if found.answer.ended == "interrupted" && source.text("ended") != Some("interrupted") {
        return Err("it takes too long on this machine".to_string());
    }
    found.figure(None).map_err(|error| error.to_string())
}

/// The method of the flow, which is in the words of the command.
fn flow(source: &Source) -> Option<FlowChoice> {
    let words = source.run["command"].as_array()?;
    let words: Vec<&str> = words.iter().filter_map(|word| word.as_str()).collect();
    let value = words.iter().enumerate().find_map(|(i, word)| match word.strip_prefix("--flow") {
        Some("") => words.get(i + 1).copied(),
        Some(rest) => rest.strip_prefix('='),
        None => None,
    });
    match value? {
        "exact" => Some(FlowChoice::Exact),
        "taylor" => Some(FlowChoice::Taylor),
        _ => None,
    }
}

fn stepping(source: &Source, system: &System, clock: &mut Clock) -> Result<Option<Figure>, String> {
    let (Some(step), Some(end)) = (source.answer["step"].as_f64(), source.answer["end"]["time"].as_f64()) else {
        return Err("its step is missing".to_string());
    };
    let mut stepping = system.stepping(step).until(end);
    stepping.request.tol = source.run["tolerances"]["step"].as_f64();
    stepping.request.path = true;
    let found = stepping.run_with(clock).map_err(|error| error.to_string())?;
    if found.answer.ended == "interrupted" && source.answer["ended"] != "interrupted" {
        return Err("it takes too long on this machine".to_string());
    }
    found.figure(None).map_err(|error| error.to_string())
}
