//! `saltation check`: flags, and their translation to a request.

use crate::asked::Asked;
use crate::driver::Question;
use crate::flag::Flag;
use crate::given::Given;
use crate::input;
use crate::outcome::{Outcome, Trouble};
use clap::Command;
use saltation::check::{Checked, Request};

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command.about("Check a model and list its states, parameters, contacts and derived formulas")
}

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let system = input::read_numbers(given, &mut wrong)?;
    let request: Request = Asked::new(given, "check", "check").request(&system, &mut wrong).unwrap_or_default();
    input::figure_file(given, "plot", &mut wrong);
    if let Some(file) = given.file("plot").filter(|_| system.model().tables.is_empty()) {
        let typed = file.display().to_string();
        let help = "check draws the functions of [tables]; `simulate --plot` draws a trajectory";
        wrong.push(Flag::new("plot", &typed).mistake("the model has no tables to draw", help));
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    // The output folder is created only afterwards, so that rejected models leave no files.
    let tolerance = Some(request.tol);
    let checked = system.check_with(&request)?;
    let question = Question { given, system: &system, tolerance };
    question.answer(|_| Ok(checked), |checked: &Checked| Ok(checked.figure()))
}
