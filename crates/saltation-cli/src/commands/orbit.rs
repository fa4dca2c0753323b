//! `saltation orbit`: flags, and their translation to a request.

use crate::asked::Asked;
use crate::driver::Question;
use crate::flag::{gather, refused};
use crate::given::Given;
use crate::input;
use crate::messages;
use crate::outcome::{Outcome, Trouble};
use clap::Command;
use saltation::orbit::{Guess, Request, Searched};
use saltation::{Mistakes, OrbitSearch};

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command.about("Find a periodic orbit by multiple shooting, with its Floquet multipliers").after_help(
        "\
Examples:
  saltation orbit two-wall-oscillator --set nu=1.2 --settle 300
  saltation orbit double-pendulum --plot orbit.png
  saltation orbit impact-damper --set nu=0.5464 --settle 4000 --period 43
  saltation orbit two-wall-oscillator --json > orbit.json
  saltation orbit two-wall-oscillator --set nu=1.11 --guess orbit.json",
    )
}

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let search = search(given, "orbit", &mut wrong)?;
    input::figure_file(given, "plot", &mut wrong);
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    if let Some(note) = search.note().filter(|_| !given.is("quiet")) {
        messages::warn(&note);
    }
    let tolerance = Some(search.request.tol);
    let question = Question { given, system: &search.system, tolerance };
    question.answer(|progress| search.search_with(progress), |found: &Searched| Ok(found.figure()))
}

/// Reads the model and the flags of a search for an orbit, those of this command; with `--from` the parameters of the known orbit are used, too.
/// Mistakes in flags are added to the others.
///
/// # Errors
/// Mistakes that prevent everything else from being read.
pub(crate) fn search(given: Given, command: &str, wrong: &mut Vec<Mistakes>) -> Result<OrbitSearch, Trouble> {
    let mut guess = None;
    let from = given.file("from").map(|file| (file, true));
    let file = from.or(given.file("guess").map(|file| (file, false)));
    let system = input::read_from(
        given,
        |model, settings| {
            guess = file.map(|(file, whole)| Guess::read(file, whole, model, settings)).transpose()?;
            Ok(guess.as_ref().map(Guess::given).unwrap_or_default())
        },
        wrong,
    )?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let request: Request = Asked::new(given, command, "orbit").request(&system, wrong).unwrap_or_default();
    let refusals = gather(request.refusals(&system, guess.as_ref()), wrong).unwrap_or_default();
    wrong.extend(refusals.iter().map(refused));
    Ok(OrbitSearch { system, request, guess })
}
