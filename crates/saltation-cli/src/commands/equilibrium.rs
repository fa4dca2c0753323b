//! `saltation equilibrium`: flags, and their translation to a request.

use crate::driver::Question;
use crate::flag::refused;
use crate::input::{self, Shared};
use crate::outcome::{Outcome, Trouble};
use clap::Args;
use saltation::equilibrium::Request;

/// Find equilibria in flight and in contact, with eigenvalues and contact forces
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  saltation equilibrium relief-valve --set q=9
  saltation equilibrium double-pendulum --set T=-31 --mode stick:wall --start q1=4.9 --start q2=0.5
  saltation equilibrium impact-oscillator --set A=0 --json")]
pub(crate) struct Equilibrium {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// Closed contacts: `flight`, or e.g. `stick:wall`, several joined by commas [default: none, then each alone]
    #[arg(long, value_name = "MODE")]
    pub mode: Option<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Equilibrium) -> Outcome {
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
    // The output folder is created only after the search, so that rejected models leave no files.
    let found = search.search()?;
    let question = Question { shared, plot: None, system: &system, tolerance: Some(tol) };
    question.answer(|_| Ok(found), |_| Ok(None))
}
