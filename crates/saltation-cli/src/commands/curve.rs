//! `saltation curve`: its flags as a request.

use crate::arguments::Curve;
use crate::driver::Question;
use crate::flag::{Flag, refused};
use crate::input;
use crate::outcome::{Outcome, Trouble};
use crate::span;
use saltation::curve::{Request, Start};
use saltation::layers::model::{Mistakes, Model};
use saltation::{CurveSearch, Error, Refusal, System};

/// Runs the command.
pub fn run(arguments: &Curve) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let mut start = None;
    let system = input::read_from(
        shared,
        |model, settings| {
            let found = special_point(arguments, model)?;
            let given = found.given(model, settings)?;
            start = Some(found);
            Ok(given)
        },
        &mut wrong,
    )?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let request = request(arguments, &system, &mut wrong);
    let unread = |field| match field {
        "along" => arguments.along.is_some() && request.along.is_none(),
        "range" => arguments.range.is_some() && request.range.is_none(),
        _ => false,
    };
    let refusals = request.refusals(&system, start.as_ref());
    wrong.extend(refusals.iter().filter(|refusal| !unread(refusal.field)).map(refused));
    let Some(start) = start.filter(|_| wrong.is_empty()) else {
        return Err(Trouble::Input(wrong));
    };
    let curve = CurveSearch { system, request, start };
    let tolerance = Some(curve.request.tol);
    let question = Question { shared, plot: arguments.plot.as_deref(), system: &curve.system, tolerance };
    question.answer(|progress| curve.ask_with(progress), |found: &saltation::Curve| Ok(found.figure()))
}

/// The special point that the file holds.
fn special_point(arguments: &Curve, model: &Model) -> Result<Start, Error> {
    let Some(path) = &arguments.from else {
        let message = "from is missing: a curve begins at a special point of a branch";
        return Err(Refusal::new("from", message, "add for example --from branch.json").into());
    };
    Start::read(path, arguments.at.as_deref(), model)
}

/// The request; mistakes in flags are added to the others.
fn request(arguments: &Curve, system: &System, wrong: &mut Vec<Mistakes>) -> Request {
    let default = Request::default();
    let along = arguments.along.as_ref().and_then(|names| both(names, wrong));
    let range = span::given("--range", arguments.range.as_ref(), system, wrong);
    let first = span::given("--range1", arguments.range1.as_ref(), system, wrong);
    let points = input::count("--points", arguments.points.as_ref(), wrong);
    let step = input::number("--step", arguments.step.as_ref(), system, wrong);
    let flow = input::flow(arguments.flow.as_ref(), wrong);
    input::figure_file(arguments.plot.as_ref(), wrong);
    Request {
        along,
        range: range.map(span::Span::ends),
        range1: first.map(span::Span::ends),
        at_least: range.and_then(|range| range.points),
        points: points.unwrap_or(default.points),
        step: step.unwrap_or(default.step),
        flow,
        tol: input::tolerance(&arguments.shared, system, default.tol, wrong),
    }
}

/// The two names of `--along`.
fn both(text: &str, wrong: &mut Vec<Mistakes>) -> Option<[String; 2]> {
    let Some((first, second)) = text.split_once(',') else {
        let message = "two parameters with a comma between them are needed: that of the branch, and a second one";
        wrong.push(Flag::new("--along", text).mistake(message, "write for example --along A,NAME"));
        return None;
    };
    Some([first.to_string(), second.to_string()])
}
