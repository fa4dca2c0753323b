//! `saltation equilibrium`: flags, and their translation to a request.

use crate::asked::Asked;
use crate::driver::Question;
use crate::flag::refused;
use crate::given::Given;
use crate::input;
use crate::outcome::{Outcome, Trouble};
use crate::progress::Progress;
use clap::Command;
use saltation::equilibrium::Request;

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command.about("Find equilibria in flight and in contact, with eigenvalues and contact forces").after_help(
        "\
Examples:
  saltation equilibrium relief-valve --set q=9
  saltation equilibrium double-pendulum --set T=-31 --mode stick:wall --start q1=4.9 --start q2=0.5
  saltation equilibrium impact-oscillator --set A=0 --json",
    )
}

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let system = input::read(given, &mut wrong)?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let asked = Asked::new(given, "equilibrium", "equilibrium");
    let request: Request = asked.request(&system, &mut wrong).unwrap_or_default();
    wrong.extend(request.refusals(&system).iter().map(refused));
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut search = system.equilibria();
    let tolerance = Some(request.tol);
    search.request = request;
    // The output folder is created only after the search, so that rejected models leave no files.
    let mut progress = Progress::begin(given.is("quiet"));
    let found = search.search_with(&mut progress)?;
    progress.finish();
    let question = Question { given, system: &system, tolerance };
    question.answer(|_| Ok(found), |_| Ok(None))
}
