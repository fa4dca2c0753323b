//! `saltation modes`: flags, and their translation to a request.

use crate::driver::Question;
use crate::flag::{Flag, collect, gather, refused};
use crate::input::{self, Shared};
use crate::messages;
use crate::outcome::{Outcome, Trouble};
use crate::span;
use clap::Args;
use saltation::modes::{self, Request, named_states};
use saltation::{Answered, Mistakes, System};
use std::path::PathBuf;

/// Find nonsmooth modes of a structure: periodic motions with k elastic impacts, and their families
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  saltation modes chain --periods 0:40
  saltation modes chain --near 3.8 --json
  saltation modes chain --ipp 2 --periods 2.6:2.9 --family --plot modes.png
  saltation modes chain --ipp 7 --periods 1:9 --search 20000 --seed 1
  saltation modes structures/bar-400.toml --periods 3.9999:4.0001")]
pub(crate) struct Modes {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// Impacts per period
    #[arg(long, value_name = "K", default_value = "1", allow_hyphen_values = true)]
    pub ipp: String,
    /// Periods of the motions [default: up to twice the longest period of the structure; only near that one if it has many modes]
    #[arg(long, value_name = "LO:HI", allow_hyphen_values = true)]
    pub periods: Option<String>,
    /// Motions of this period only: a number or a formula of parameters
    #[arg(long, value_name = "T", conflicts_with = "periods", allow_hyphen_values = true)]
    pub near: Option<String>,
    /// Number of random starts of the search for motions with two or more impacts [default: 2000]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub search: Option<String>,
    /// Seed of the random starts [default: 1]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    pub seed: Option<String>,
    /// Follow every motion along its family, to both ends
    #[arg(long)]
    pub family: bool,
    /// Largest number of motions of a family in each direction [default: 2000]; with one impact per period the motions of every interval [default: 40]
    #[arg(long, value_name = "N", requires = "family", allow_hyphen_values = true)]
    pub points: Option<String>,
    /// The contact, if the model has several; the others are assumed to stay open
    #[arg(long, value_name = "NAME")]
    pub contact: Option<String>,
    /// Compute multipliers for any number of modes [default: up to 60]
    #[arg(long)]
    pub stability: bool,
    /// Draw energy against frequency, motions over a period and the manifold they form to this file (.svg, .pdf or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// The three coordinates or velocities on which the manifold is projected [default: at the contact]
    #[arg(long, value_name = "A,B,C", requires = "plot")]
    pub coordinates: Option<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Modes) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let system = input::read_numbers(shared, &mut wrong)?;
    input::policy(shared, &mut wrong);
    input::figure_file(arguments.plot.as_ref(), &mut wrong);
    let coordinates: Option<Vec<&str>> = arguments.coordinates.as_ref().map(|text| text.split(',').collect());
    if let Some(names) = &coordinates {
        gather(named_states(&system, names), &mut wrong);
    }
    let request = request(arguments, &system, &mut wrong);
    wrong.extend(request.refusals(&system).iter().map(refused));
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut search = system.modes();
    search.request = request;
    let search = search.prepare()?;
    let question = Question { shared, plot: arguments.plot.as_deref(), system: &system, tolerance: None };
    question.answer(
        |progress| {
            let modes = search.run_with(progress);
            if shared.json && !shared.quiet {
                modes.warnings().iter().for_each(|warning| messages::warn(warning));
            }
            Ok(modes)
        },
        |modes: &modes::Modes| modes.figure(coordinates.as_deref()).map(Some),
    )
}

/// The request; mistakes in flags are added to the others.
fn request(arguments: &Modes, system: &System, wrong: &mut Vec<Mistakes>) -> Request {
    let default = Request::default();
    input::tolerance(&arguments.shared, system, 0.0, wrong);
    let count = |name: &'static str, text: Option<&String>, least: u64, wrong: &mut Vec<Mistakes>| {
        collect(Flag::new(name, text?).count_between(least, u64::MAX), wrong)
    };
    Request {
        ipp: count("--ipp", Some(&arguments.ipp), 1, wrong).unwrap_or(default.ipp),
        periods: arguments.periods.as_ref().and_then(|text| collect(periods(text, system), wrong)),
        near: input::number("--near", arguments.near.as_ref(), system, wrong),
        search: count("--search", arguments.search.as_ref(), 1, wrong).unwrap_or(default.search),
        seed: count("--seed", arguments.seed.as_ref(), 0, wrong).unwrap_or(default.seed),
        family: arguments.family,
        points: count("--points", arguments.points.as_ref(), 0, wrong),
        contact: arguments.contact.clone(),
        stability: arguments.stability,
    }
}

/// `LO:HI`.
fn periods(text: &str, system: &System) -> Result<[f64; 2], Mistakes> {
    let flag = Flag::new("--periods", text);
    let span = span::range(flag, system)?;
    match span.points {
        Some(_) => Err(flag.mistake("--periods needs no number of points", "write LO:HI")),
        None => Ok([span.low, span.high]),
    }
}
