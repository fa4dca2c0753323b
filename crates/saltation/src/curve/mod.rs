//! Where in the plane of two parameters is an orbit special? `saltation curve`.

use crate::answer_folder::AnswerFolder;
use crate::arguments::Curve;
use crate::branch::remedy;
use crate::input::Input;
use crate::naming::Naming;
use crate::text::number::short;
use crate::orbit::can_begin;
use crate::outcome::{Outcome, Trouble, print};
use crate::progress::Progress;
use crate::special_curve_request::{self, Request};
use crate::{special_curve_answer, special_curve_plot};
use saltation_motion::{FlowChoice, System};
use saltation_orbit::branch::StartError;
use saltation_orbit::curve::{self, SpecialCurve};
use serde_json::Value;
use std::time::Instant;

/// A curve and what it began with.
#[derive(Debug, Clone, Copy)]
pub struct Traced<'a> {
    /// The model and its numbers.
    pub input: &'a Input,
    /// What was asked.
    pub request: &'a Request,
    /// The names of the numbers.
    pub naming: Naming<'a>,
    /// The curve, or why there is none.
    pub curve: Result<&'a SpecialCurve, &'a str>,
}

impl<'a> Traced<'a> {
    /// The names of the parameters that vary.
    pub fn along(&self) -> [&'a str; 2] {
        self.request.parameters.map(|index| self.input.model.parameters[index].name.as_str())
    }
}

/// Runs the command.
pub fn run(arguments: &Curve) -> Outcome {
    let began = Instant::now();
    let shared = &arguments.shared;
    let (input, system, request) = special_curve_request::read(arguments)?;
    if request.settings.flow == FlowChoice::Exact {
        can_begin(&input, &system, FlowChoice::Exact)?;
    }
    let naming = Naming::new(&system, &input.values);
    let mut progress = Progress::begin(shared.quiet);
    let folder = shared.out.as_deref().map(|folder| AnswerFolder::create(folder, &input, naming, began));
    let mut folder = folder.transpose()?;

    let found = follow(&system, &input, &request, &mut progress)?;
    progress.finish();

    let why = found.as_ref().err().map(|error| format!("the curve does not begin: {error}")).unwrap_or_default();
    let curve = found.as_ref().map_err(|_| why.as_str());
    let traced = Traced { input: &input, request: &request, naming, curve };
    let answer = special_curve_answer::json(traced);
    let saved = folder.as_mut().map_or(Ok(()), |folder| save(folder, traced, &answer));
    let saved = saved.map_err(|error| Trouble::unwritten("the tables", &error));
    let drawn = match (&arguments.plot, curve) {
        (Some(file), Ok(curve)) => {
            special_curve_plot::figure(traced, curve).save(file).map_err(|error| Trouble::Short(error.to_string()))
        }
        _ => Ok(()),
    };
    let printed = print(|output| {
        if shared.json {
            return writeln!(output, "{answer}");
        }
        if !shared.quiet {
            for line in special_curve_answer::report(traced, began.elapsed().as_secs_f64()) {
                writeln!(output, "{line}")?;
            }
        }
        Ok(())
    });
    saved.and(drawn).and(printed)?;
    let mut lines = short_of(traced);
    if lines.is_empty() {
        return Ok(());
    }
    lines.extend(folder.map(|folder| format!("what was computed is saved in {}", folder.names())));
    Err(Trouble::Short(lines.join("\n  ")))
}

fn follow(
    system: &System,
    input: &Input,
    request: &Request,
    progress: &mut Progress,
) -> Result<Result<SpecialCurve, StartError>, Trouble> {
    let names = request.parameters.map(|index| input.model.parameters[index].name.as_str());
    let following = input.model.following_from(&input.settings.set, &request.origin.state, &names)?;
    Ok(curve::follow(system, &following, &request.origin, &request.settings, &mut |points, value| {
        progress.tell(None, || format!("{points} points, {} = {}", names[1], short(value, 10)))
    }))
}

fn save(folder: &mut AnswerFolder, traced: Traced, answer: &Value) -> std::io::Result<()> {
    if let Ok(curve) = traced.curve {
        let (head, rows) = special_curve_answer::points(traced, curve);
        folder.table("curve.csv", &head, &rows)?;
        let (head, rows) = special_curve_answer::special(traced, curve);
        folder.table("special.csv", &head, &rows)?;
    }
    folder.json("curve.json", answer)?;
    folder.finish(answer)
}

/// What is missing, in lines; none if nothing is.
fn short_of(traced: Traced) -> Vec<String> {
    let curve = match traced.curve {
        Ok(curve) => curve,
        Err(message) => return vec![message.to_string()],
    };
    let mut lines = Vec::new();
    let ends = [curve.points.first(), curve.points.last()];
    for (ended, end) in curve.ended.iter().zip(ends).filter(|(ended, _)| !ended.is_complete()) {
        let place = end.map(|point| format!(" at {}", special_curve_answer::place(traced, &point.parameters)));
        lines.push(format!("the curve stopped early{}: {}", place.unwrap_or_default(), ended.describe()));
        lines.extend(remedy(ended));
    }
    lines
}
