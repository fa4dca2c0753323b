//! `saltation lyapunov`: flags, and their translation to a request.

use crate::asked::Asked;
use crate::driver::Question;
use crate::flag::{gather, refused};
use crate::given::Given;
use crate::input;
use crate::outcome::{Outcome, Trouble};
use clap::Command;
use saltation::lyapunov::Request;

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command.about("Compute all Lyapunov exponents of a trajectory, with standard errors").after_help(
        "\
Examples:
  saltation lyapunov impact-oscillator
  saltation lyapunov impact-damper --set nu=1.4 --settle 1000 --returns 2000 --json",
    )
}

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let system = input::read(given, &mut wrong)?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let asked = Asked::new(given, "lyapunov", "lyapunov");
    let request: Request = asked.request(&system, &mut wrong).unwrap_or_default();
    let refusals = gather(request.refusals(&system), &mut wrong).unwrap_or_default();
    wrong.extend(refusals.iter().map(refused));
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut measurement = system.lyapunov();
    let tolerance = Some(request.tol);
    measurement.request = request;
    let question = Question { given, system: &system, tolerance };
    question.answer(|progress| measurement.run_with(progress), |_| Ok(None))
}
