//! `saltation check`: flags, and their translation to a request.

use crate::driver::Question;
use crate::input::{self, Shared};
use crate::outcome::{Outcome, Trouble};
use clap::Args;
use saltation::check::Request;

/// Check a model and list its states, parameters, contacts and derived formulas
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
}

/// Runs the command.
pub(crate) fn run(arguments: &Check) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let system = input::read_numbers(shared, &mut wrong)?;
    let tol = input::tolerance(shared, &system, Request::default().tol, &mut wrong);
    input::policy(shared, &mut wrong);
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    // The output folder is created only afterwards, so that rejected models leave no files.
    let checked = system.check_with(&Request { tol })?;
    let question = Question { shared, plot: None, system: &system, tolerance: Some(tol) };
    question.answer(|_| Ok(checked), |_| Ok(None))
}
