//! `saltation orbit`: its flags as a request.

use crate::arguments::{Orbit, Search, Shared};
use crate::driver::Question;
use crate::flag::{Flag, collect, gather, refused};
use crate::input;
use crate::messages;
use crate::outcome::{Outcome, Trouble};
use saltation::orbit::request::{MOST_RETURNS, MOST_SETTLED};
use saltation::orbit::{Guess, Request, Searched};
use saltation::{Mistakes, OrbitSearch};
use std::path::Path;

/// Runs the command.
pub fn run(arguments: &Orbit) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let search = search(shared, &arguments.search, None, &mut wrong)?;
    input::figure_file(arguments.plot.as_ref(), &mut wrong);
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    if let Some(note) = search.note().filter(|_| !shared.quiet) {
        messages::warn(&note);
    }
    let tolerance = Some(search.request.tol);
    let question = Question { shared, plot: arguments.plot.as_deref(), system: &search.system, tolerance };
    question.answer(|progress| search.search_with(progress), |found: &Searched| Ok(found.figure()))
}

/// Reads the model and the flags by which an orbit is found; `from` is the file of one whose parameters are taken too. Mistakes in
/// flags are added to the others.
///
/// # Errors
/// Mistakes without which nothing else can be read.
pub fn search(
    shared: &Shared,
    flags: &Search,
    from: Option<&Path>,
    wrong: &mut Vec<Mistakes>,
) -> Result<OrbitSearch, Trouble> {
    let mut guess = None;
    let file = from.map(|file| (file, true)).or(flags.guess.as_deref().map(|file| (file, false)));
    let system = input::read_from(
        shared,
        |model, settings| {
            guess = file.map(|(file, whole)| Guess::read(file, whole, model, settings)).transpose()?;
            Ok(guess.as_ref().map(Guess::given).unwrap_or_default())
        },
        wrong,
    )?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let default = Request::default();
    let settle = flags.settle.as_ref().map(|text| Flag::new("--settle", text).count_between(0, MOST_SETTLED));
    let period = flags.period.as_ref().map(|text| Flag::new("--period", text).count_between(1, MOST_RETURNS));
    let request = Request {
        settle: settle.and_then(|settle| collect(settle, wrong)).unwrap_or(0),
        period: period.and_then(|period| collect(period, wrong)),
        section: flags.section.clone(),
        flow: input::flow(flags.flow.as_ref(), wrong),
        tol: input::tolerance(shared, &system, default.tol, wrong),
        policy: input::policy(shared, wrong),
    };
    let refusals = gather(request.refusals(&system, guess.as_ref()), wrong).unwrap_or_default();
    wrong.extend(refusals.iter().map(refused));
    Ok(OrbitSearch { system, request, guess })
}
