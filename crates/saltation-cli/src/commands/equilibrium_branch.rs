//! `saltation continue --equilibrium`: translation of the flags to a request.

use crate::commands::branch::Continue;
use crate::driver::Question;
use crate::flag::{Flag, collect, refused};
use crate::input;
use crate::outcome::{Outcome, Trouble};
use crate::progress::Progress;
use crate::span::{self, Span};
use saltation::equilibrium::branch::{Branches, Request, ordinate};
use saltation::equilibrium::{self, Known};
use saltation::{EquilibriumSearch, Mistakes, System};

/// Runs the command.
pub(crate) fn run(arguments: &Continue) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let search = search(arguments, &mut wrong)?;
    let system = &search.system;
    let request = Request { tol: search.request.tol, ..request(arguments, system, &mut wrong) };
    // Mistakes in the tolerance are reported by the search already, and unreadable ranges by their flag.
    let unread = |field| field == "tol" || field == "range" && arguments.range.is_some() && request.range.is_none();
    let refusals = request.refusals(system);
    wrong.extend(refusals.iter().filter(|refusal| !unread(refusal.field)).map(refused));
    if let Some(name) = &arguments.ordinate {
        wrong.extend(ordinate(name, system).err().as_ref().map(refused));
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    // The output folder is created only after the computation, so that rejected questions leave no files.
    let mut progress = Progress::begin(shared.quiet);
    let followed = search.continue_as(request).ask_with(&mut progress)?;
    progress.finish();
    let tolerance = Some(followed.request.tol);
    let question = Question { shared, plot: arguments.plot.as_deref(), system, tolerance };
    let ordinate = arguments.ordinate.as_deref();
    question.answer(|_| Ok(followed), |followed: &Branches| followed.figure(ordinate))
}

/// The search for the equilibrium; mistakes in flags are added to the others.
fn search(arguments: &Continue, wrong: &mut Vec<Mistakes>) -> Result<EquilibriumSearch, Trouble> {
    let shared = &arguments.shared;
    let at = arguments.at.as_ref().map(|text| Flag::new("--at", text).count_between(0, u64::from(u32::MAX)));
    let at = at.and_then(|at| collect(at, wrong)).map(|at| at as usize);
    let mut known = None;
    let system = input::read_from(
        shared,
        |model, settings| {
            let file = arguments.from.as_deref();
            known = file.map(|file| Known::read(file, at, model, settings)).transpose()?;
            Ok(known.as_ref().map(Known::given).unwrap_or_default())
        },
        wrong,
    )?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let default = equilibrium::Request::default();
    let tol = input::tolerance(shared, &system, default.tol, wrong);
    input::policy(shared, wrong);
    let mut search = system.equilibria();
    search.request = equilibrium::Request { mode: arguments.mode.clone(), tol };
    let search = known.iter().fold(search, |search, known| search.at_known(known));
    wrong.extend(search.request.refusals(&search.system).iter().map(refused));
    Ok(search)
}

/// The request; mistakes in flags are added to the others.
fn request(arguments: &Continue, system: &System, wrong: &mut Vec<Mistakes>) -> Request {
    let default = Request::default();
    let range = span::given("--range", arguments.range.as_ref(), system, wrong);
    let points = input::count("--points", arguments.points.as_ref(), wrong);
    let step = input::number("--step", arguments.step.as_ref(), system, wrong);
    input::figure_file(arguments.plot.as_ref(), wrong);
    Request {
        along: arguments.along.clone(),
        range: range.map(Span::ends),
        at_least: range.and_then(|range| range.points),
        points: points.unwrap_or(default.points),
        step: step.unwrap_or(default.step),
        switch: arguments.switch,
        flow: input::flow(arguments.search.flow.as_ref(), wrong),
        ..default
    }
}
