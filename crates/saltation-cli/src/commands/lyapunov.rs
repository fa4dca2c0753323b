//! `saltation lyapunov`: flags, and their translation to a request.

use crate::driver::Question;
use crate::flag::{Flag, collect, gather, refused};
use crate::input::{self, Shared};
use crate::outcome::{Outcome, Trouble};
use clap::Args;
use saltation::lyapunov::Request;

/// Compute all Lyapunov exponents of a motion, with standard errors
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  saltation lyapunov impact-oscillator
  saltation lyapunov impact-damper --set nu=1.4 --settle 1000 --returns 2000 --json")]
pub(crate) struct Lyapunov {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// Transient: number of returns that are simulated before the exponents are computed [default: 200]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub settle: Option<String>,
    /// Number of returns over which exponents are computed [default: 10000]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub returns: Option<String>,
    /// The section at which returns are counted [default: the phase of the forcing, else the only section]
    #[arg(long, value_name = "NAME")]
    pub section: Option<String>,
    /// Method for smooth motions: `exact` for linear models, or `taylor` for all [default: exact for linear models, but Taylor steps for large structures]
    #[arg(long, value_name = "HOW")]
    pub flow: Option<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Lyapunov) -> Outcome {
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
