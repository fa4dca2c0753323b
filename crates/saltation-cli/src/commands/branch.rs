//! `saltation continue`: its flags as a request.

use crate::arguments::Continue;
use crate::commands::orbit;
use crate::driver::Question;
use crate::flag::{collect, refused};
use crate::input;
use crate::messages;
use crate::outcome::{Outcome, Trouble};
use crate::span;
use saltation::branch::{Ordinate, Request, method};
use saltation::{Branch, Mistakes, System};

/// Runs the command.
pub fn run(arguments: &Continue) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let search = orbit::search(shared, &arguments.search, arguments.from.as_deref(), &mut wrong)?;
    let request = Request {
        tol: search.request.tol,
        flow: search.request.flow,
        ..request(arguments, &search.system, &mut wrong)
    };
    // What is wrong with the tolerance is known from the search, and what cannot be read from the flag.
    let unread = |field| field == "tol" || field == "range" && arguments.range.is_some() && request.range.is_none();
    let refusals = request.refusals(&search.system);
    wrong.extend(refusals.iter().filter(|refusal| !unread(refusal.field)).map(refused));
    if let Some(name) = &arguments.ordinate {
        wrong.extend(Ordinate::named(name, &search.system).err().as_ref().map(refused));
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let branch = search.continue_as(request);
    if let Some(note) = branch.note().filter(|_| !shared.quiet) {
        messages::warn(&note);
    }
    let tolerance = Some(branch.request.tol);
    let question = Question { shared, plot: arguments.plot.as_deref(), system: &search.system, tolerance };
    let ordinate = arguments.ordinate.as_deref();
    question.answer(|progress| branch.ask_with(progress), |found: &Branch| found.figure(ordinate))
}

/// The request; mistakes in flags are added to the others.
fn request(arguments: &Continue, system: &System, wrong: &mut Vec<Mistakes>) -> Request {
    let default = Request::default();
    let range = span::given("--range", arguments.range.as_ref(), system, wrong);
    let points = input::count("--points", arguments.points.as_ref(), wrong);
    let step = input::number("--step", arguments.step.as_ref(), system, wrong);
    let method = arguments.method.as_ref().map(|word| method(word).map_err(|refusal| refused(&refusal)));
    let method = method.and_then(|method| collect(method, wrong));
    input::figure_file(arguments.plot.as_ref(), wrong);
    Request {
        along: arguments.along.clone(),
        range: range.map(span::Span::ends),
        at_least: range.and_then(|range| range.points),
        points: points.unwrap_or(default.points),
        step: step.unwrap_or(default.step),
        method: method.unwrap_or(default.method),
        switch: arguments.switch,
        ..default
    }
}
