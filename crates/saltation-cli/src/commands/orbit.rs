//! `saltation orbit`: flags, and their translation to a request.

use crate::driver::Question;
use crate::flag::{Flag, collect, gather, refused};
use crate::input::{self, Shared};
use crate::messages;
use crate::outcome::{Outcome, Trouble};
use clap::Args;
use saltation::orbit::request::{MOST_RETURNS, MOST_SETTLED};
use saltation::orbit::{Guess, Request, Searched};
use saltation::{Mistakes, OrbitSearch};
use std::path::{Path, PathBuf};

/// The flags of a search for an orbit.
#[derive(Debug, Args)]
pub(crate) struct Search {
    /// Transient: number of returns that are simulated before the search [default: 0]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub settle: Option<String>,
    /// Period of the orbit in returns to the section [default: that of --guess, else 1]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub period: Option<String>,
    /// The section at which returns are counted [default: the phase of the forcing, else the only section]
    #[arg(long, value_name = "NAME")]
    pub section: Option<String>,
    /// Begin at a known orbit: the output of --json, or orbit.json of --out
    #[arg(long, value_name = "FILE")]
    pub guess: Option<PathBuf>,
    /// Method for smooth motions: `exact` for linear models, or `taylor` for all [default: exact for linear models, but Taylor steps for large structures]
    #[arg(long, value_name = "HOW")]
    pub flow: Option<String>,
}

/// Find a periodic orbit by multiple shooting, with its Floquet multipliers
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  saltation orbit two-wall-oscillator --set nu=1.2 --settle 300
  saltation orbit double-pendulum --plot orbit.png
  saltation orbit impact-damper --set nu=0.5464 --settle 4000 --period 43
  saltation orbit two-wall-oscillator --json > orbit.json
  saltation orbit two-wall-oscillator --set nu=1.11 --guess orbit.json")]
pub(crate) struct Orbit {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// The search for the orbit.
    #[command(flatten)]
    pub search: Search,
    /// Draw the orbit to this file (.svg, .pdf or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Orbit) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let search = search(shared, &arguments.search, None, &mut wrong)?;
    input::figure_file(arguments.plot.as_ref(), &mut wrong);
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    if let Some(note) = search.note().filter(|_| !shared.quiet) {
        messages::warn(&note);
    }
    let tolerance = Some(search.request.tol);
    let question = Question { shared, plot: arguments.plot.as_deref(), system: &search.system, tolerance };
    question.answer(|progress| search.search_with(progress), |found: &Searched| Ok(found.figure()))
}

/// Reads the model and the flags of a search for an orbit; `from` is the file of an orbit whose parameters are used, too. Mistakes in
/// flags are added to the others.
///
/// # Errors
/// Mistakes that prevent everything else from being read.
pub(crate) fn search(
    shared: &Shared,
    flags: &Search,
    from: Option<&Path>,
    wrong: &mut Vec<Mistakes>,
) -> Result<OrbitSearch, Trouble> {
    let mut guess = None;
    let file = from.map(|file| (file, true)).or(flags.guess.as_deref().map(|file| (file, false)));
    let system = input::read_from(
        shared,
        |model, settings| {
            guess = file.map(|(file, whole)| Guess::read(file, whole, model, settings)).transpose()?;
            Ok(guess.as_ref().map(Guess::given).unwrap_or_default())
        },
        wrong,
    )?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let default = Request::default();
    let settle = flags.settle.as_ref().map(|text| Flag::new("--settle", text).count_between(0, MOST_SETTLED));
    let period = flags.period.as_ref().map(|text| Flag::new("--period", text).count_between(1, MOST_RETURNS));
    let request = Request {
        settle: settle.and_then(|settle| collect(settle, wrong)).unwrap_or(0),
        period: period.and_then(|period| collect(period, wrong)),
        section: flags.section.clone(),
        flow: input::flow(flags.flow.as_ref(), wrong),
        tol: input::tolerance(shared, &system, default.tol, wrong),
        policy: input::policy(shared, wrong),
    };
    let refusals = gather(request.refusals(&system, guess.as_ref()), wrong).unwrap_or_default();
    wrong.extend(refusals.iter().map(refused));
    Ok(OrbitSearch { system, request, guess })
}
