//! `saltation lyapunov`: its flags as a request.

use crate::arguments::Lyapunov;
use crate::driver::Question;
use crate::flag::{Flag, collect, gather, refused};
use crate::input;
use crate::outcome::{Outcome, Trouble};
use saltation::lyapunov::Request;

/// Runs the command.
pub fn run(arguments: &Lyapunov) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let system = input::read(shared, &mut wrong)?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let default = Request::default();
    let settle = arguments.settle.as_ref().map(|text| Flag::new("--settle", text).count_between(0, u64::MAX));
    let request = Request {
        settle: settle.and_then(|settle| collect(settle, &mut wrong)).unwrap_or(default.settle),
        returns: input::count("--returns", arguments.returns.as_ref(), &mut wrong).unwrap_or(default.returns),
        section: arguments.section.clone(),
        flow: input::flow(arguments.flow.as_ref(), &mut wrong),
        tol: input::tolerance(shared, &system, default.tol, &mut wrong),
        policy: input::policy(shared, &mut wrong),
    };
    let refusals = gather(request.refusals(&system), &mut wrong).unwrap_or_default();
    wrong.extend(refusals.iter().map(refused));
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut measurement = system.lyapunov();
    let tolerance = Some(request.tol);
    measurement.request = request;
    let question = Question { shared, plot: None, system: &system, tolerance };
    question.answer(|progress| measurement.run_with(progress), |_| Ok(None))
}
