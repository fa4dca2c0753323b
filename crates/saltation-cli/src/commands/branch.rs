//! `saltation continue`: flags, and their translation to a request.

use crate::asked::Asked;
use crate::commands::{equilibrium_branch, orbit};
use crate::driver::Question;
use crate::flag::refused;
use crate::given::Given;
use crate::input;
use crate::messages;
use crate::outcome::{Outcome, Trouble};
use clap::Command;
use saltation::Branch;
use saltation::branch::{Ordinate, Request};

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command
        .about("Follow an orbit or an equilibrium along a parameter, through grazing bifurcations, and locate its bifurcations")
        .after_help(
            "\
Examples:
  saltation continue impact-oscillator --period 2 --settle 400 --along A --range 0.34:0.36
  saltation continue two-wall-oscillator --set nu=1.1 --along nu --range 0.85:1.25 --plot branch.svg
  saltation continue double-pendulum --along e --range 0.85:0.95 --ordinate period --plot branch.png
  saltation orbit two-wall-oscillator --json > orbit.json
  saltation continue two-wall-oscillator --from orbit.json --along nu --range 0.9:1.2 --out results
  saltation continue relief-valve --equilibrium --along q --range 1:10 --switch --plot valve.svg",
        )
}

/// Runs the command: from an orbit, or from an equilibrium.
pub(crate) fn choose(given: Given) -> Outcome {
    if given.is("equilibrium") { equilibrium_branch::run(given) } else { run(given) }
}

fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let search = orbit::search(given, "continue", &mut wrong)?;
    let asked = Asked::new(given, "continue", "continue").after("orbit");
    let request: Request = asked.request(&search.system, &mut wrong).unwrap_or_default();
    let request = Request { tol: search.request.tol, flow: search.request.flow, ..request };
    input::figure_file(given, "plot", &mut wrong);
    // Mistakes in the tolerance are reported by the search already, and unreadable ranges by their flag.
    let unread = |field| field == "tol" || field == "range" && given.text(field).is_some() && request.range.is_none();
    let refusals = request.refusals(&search.system);
    wrong.extend(refusals.iter().filter(|refusal| !unread(refusal.field)).map(refused));
    if let Some(name) = given.text("ordinate") {
        wrong.extend(Ordinate::named(name, &search.system).err().as_ref().map(refused));
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let branch = search.continue_as(request);
    if let Some(note) = branch.note().filter(|_| !given.is("quiet")) {
        messages::warn(&note);
    }
    let tolerance = Some(branch.request.tol);
    let question = Question { given, system: &search.system, tolerance };
    question.answer(|progress| branch.ask_with(progress), |found: &Branch| found.figure(given.text("ordinate")))
}
