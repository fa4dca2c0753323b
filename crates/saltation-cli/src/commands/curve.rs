//! `saltation curve`: flags, and their translation to a request.

use crate::driver::Question;
use crate::flag::{Flag, refused};
use crate::input::{self, Shared};
use crate::outcome::{Outcome, Trouble};
use crate::span;
use clap::Args;
use saltation::curve::{Request, Start};
use saltation::layers::model::{Mistakes, Model};
use saltation::{CurveSearch, Error, Refusal, System};
use std::path::PathBuf;

/// Follow a bifurcation of orbits in the plane of two parameters
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  saltation continue impact-oscillator --period 2 --settle 400 --along A --range 0.34:0.36 --out results
  saltation curve impact-oscillator --from results/branch.json --at 0 --along A,omega --range 0.79:0.83 --plot curve.svg")]
pub(crate) struct Curve {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// The branch: the output of continue --json, or branch.json of --out
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Position of the bifurcation, counted from 0; 2:0 is the first one of branch 2 of --switch
    #[arg(long, value_name = "[BRANCH:]INDEX", allow_hyphen_values = true)]
    pub at: Option<String>,
    /// The parameters that vary: that of the branch, and a second one
    #[arg(long, value_name = "NAME,NAME", allow_hyphen_values = true)]
    pub along: Option<String>,
    /// Range of the second parameter; with N, the smallest number of points in the range
    #[arg(long, value_name = "LO:HI[:N]", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Range of the first parameter [default: unbounded]
    #[arg(long, value_name = "LO:HI", allow_hyphen_values = true)]
    pub range1: Option<String>,
    /// Largest number of points in each direction [default: 2000]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub points: Option<String>,
    /// Longest step, as a fraction of the range and of the size of the orbit [default: 0.04]
    #[arg(long, value_name = "FRACTION", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// Method for smooth motions: `exact` for linear models, or `taylor` for all [default: exact for linear models, but Taylor steps for large structures]
    #[arg(long, value_name = "HOW")]
    pub flow: Option<String>,
    /// Draw the curve in the plane of both parameters to this file (.svg, .pdf or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Curve) -> Outcome {
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

/// The bifurcation in the file.
fn special_point(arguments: &Curve, model: &Model) -> Result<Start, Error> {
    let Some(path) = &arguments.from else {
        let message = "from is missing: a curve begins at a bifurcation of a branch";
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
