//! `saltation modes`: flags, and their translation to a request.

use crate::asked::Asked;
use crate::driver::Question;
use crate::flag::{gather, refused};
use crate::given::Given;
use crate::input;
use crate::messages;
use crate::outcome::{Outcome, Trouble};
use clap::Command;
use saltation::Answered;
use saltation::modes::{self, Request, named_states};

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command
        .about("Find nonsmooth modes of a structure: periodic solutions with k elastic impacts, and their families")
        .after_help(
            "\
Examples:
  saltation modes chain --periods 0:40
  saltation modes chain --near 3.8 --json
  saltation modes chain --ipp 2 --periods 2.6:2.9 --family --plot modes.png
  saltation modes chain --ipp 7 --periods 1:9 --search 20000 --seed 1
  saltation modes structures/bar-400.toml --periods 3.9999:4.0001",
        )
}

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let system = input::read_numbers(given, &mut wrong)?;
    input::figure_file(given, "plot", &mut wrong);
    let coordinates: Option<Vec<&str>> = given.text("coordinates").map(|text| text.split(',').collect());
    if let Some(names) = &coordinates {
        gather(named_states(&system, names), &mut wrong);
    }
    let request: Request = Asked::new(given, "modes", "modes").request(&system, &mut wrong).unwrap_or_default();
    wrong.extend(request.refusals(&system).iter().map(refused));
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut search = system.modes();
    search.request = request;
    let search = search.prepare()?;
    let question = Question { given, system: &system, tolerance: None };
    question.answer(
        |progress| {
            let modes = search.run_with(progress);
            if given.is("json") && !given.is("quiet") {
                modes.warnings().iter().for_each(|warning| messages::warn(warning));
            }
            Ok(modes)
        },
        |modes: &modes::Modes| modes.figure(coordinates.as_deref()).map(Some),
    )
}
