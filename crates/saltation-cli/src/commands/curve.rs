//! `saltation curve`: flags, and their translation to a request.

use crate::asked::Asked;
use crate::driver::Question;
use crate::flag::{Flag, refused};
use crate::given::Given;
use crate::input;
use crate::outcome::{Outcome, Trouble};
use clap::Command;
use saltation::curve::{Request, Start};
use saltation::layers::model::{Mistakes, Model};
use saltation::{CurveSearch, Error, Refusal};

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command.about("Follow a bifurcation of orbits in the plane of two parameters").after_help(
        "\
Examples:
  saltation continue impact-oscillator --period 2 --settle 400 --along A --range 0.34:0.36 --out results
  saltation curve impact-oscillator --from results/branch.json --at 0 --along A,omega --range 0.79:0.83 --plot curve.svg",
    )
}

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let mut start = None;
    let system = input::read_from(
        given,
        |model, settings| {
            let found = special_point(given, model)?;
            let values = found.given(model, settings)?;
            start = Some(found);
            Ok(values)
        },
        &mut wrong,
    )?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let along = given.flag("along").and_then(|flag| both(flag, &mut wrong));
    let request: Request = Asked::new(given, "curve", "curve").request(&system, &mut wrong).unwrap_or_default();
    let request = Request { along, ..request };
    input::figure_file(given, "plot", &mut wrong);
    let unread = |field| match field {
        "along" => given.text(field).is_some() && request.along.is_none(),
        "range" => given.text(field).is_some() && request.range.is_none(),
        _ => false,
    };
    let refusals = request.refusals(&system, start.as_ref());
    wrong.extend(refusals.iter().filter(|refusal| !unread(refusal.field)).map(refused));
    let Some(start) = start.filter(|_| wrong.is_empty()) else {
        return Err(Trouble::Input(wrong));
    };
    let curve = CurveSearch { system, request, start };
    let tolerance = Some(curve.request.tol);
    let question = Question { given, system: &curve.system, tolerance };
    question.answer(|progress| curve.ask_with(progress), |found: &saltation::Curve| Ok(found.figure()))
}

/// The bifurcation in the file.
fn special_point(given: Given, model: &Model) -> Result<Start, Error> {
    let Some(path) = given.file("from") else {
        let message = "from is missing: a curve begins at a bifurcation of a branch";
        return Err(Refusal::new("from", message, "add for example --from branch.json").into());
    };
    Start::read(path, given.text("at"), model)
}

/// The two names of `--along`.
fn both(flag: Flag, wrong: &mut Vec<Mistakes>) -> Option<[String; 2]> {
    let message = "two parameters with a comma between them are needed: that of the branch, and a second one";
    input::pair(flag, message, "A,NAME", wrong)
}
