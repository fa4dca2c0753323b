//! `saltation equilibrium`: its flags as a request.

use crate::arguments::Equilibrium;
use crate::driver::Question;
use crate::flag::refused;
use crate::input;
use crate::outcome::{Outcome, Trouble};
use saltation::equilibrium::Request;

/// Runs the command.
pub fn run(arguments: &Equilibrium) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let system = input::read(shared, &mut wrong)?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let tol = input::tolerance(shared, &system, Request::default().tol, &mut wrong);
    input::policy(shared, &mut wrong);
    let request = Request { mode: arguments.mode.clone(), tol };
    wrong.extend(request.refusals(&system).iter().map(refused));
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut search = system.equilibria();
    search.request = request;
    // Nothing is left in the folder of a model that is forced.
    let found = search.search()?;
    let question = Question { shared, plot: None, system: &system, tolerance: Some(tol) };
    question.answer(|_| Ok(found), |_| Ok(None))
}
