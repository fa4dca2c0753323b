//! `saltation check`: its flags as a request.

use crate::arguments::Check;
use crate::driver::Question;
use crate::input;
use crate::outcome::{Outcome, Trouble};
use saltation::check::Request;

/// Runs the command.
pub fn run(arguments: &Check) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let system = input::read_numbers(shared, &mut wrong)?;
    let tol = input::tolerance(shared, &system, Request::default().tol, &mut wrong);
    input::policy(shared, &mut wrong);
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    // Nothing is left in the folder of a model that is refused.
    let checked = system.check_with(&Request { tol })?;
    let question = Question { shared, plot: None, system: &system, tolerance: Some(tol) };
    question.answer(|_| Ok(checked), |_| Ok(None))
}
