//! `saltation continue`: flags, and their translation to a request.

use crate::commands::orbit::{self, Search};
use crate::driver::Question;
use crate::flag::{collect, refused};
use crate::input::{self, Shared};
use crate::messages;
use crate::outcome::{Outcome, Trouble};
use crate::span;
use clap::Args;
use saltation::branch::{Ordinate, Request, method};
use saltation::{Branch, Mistakes, System};
use std::path::PathBuf;

/// Follow an orbit or an equilibrium along a parameter, through grazes, and locate its bifurcations
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  saltation continue impact-oscillator --period 2 --settle 400 --along A --range 0.34:0.36
  saltation continue two-wall-oscillator --set nu=1.1 --along nu --range 0.85:1.25 --plot branch.svg
  saltation continue double-pendulum --along e --range 0.85:0.95 --ordinate period --plot branch.png
  saltation orbit two-wall-oscillator --json > orbit.json
  saltation continue two-wall-oscillator --from orbit.json --along nu --range 0.9:1.2 --out results
  saltation continue relief-valve --equilibrium --along q --range 1:10 --switch --plot valve.svg")]
pub(crate) struct Continue {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// Begin at a known orbit, with its parameters: the output of orbit --json, or orbit.json of --out; with
    /// --equilibrium the output of equilibrium --json, or its run.json
    #[arg(long, value_name = "FILE", conflicts_with = "guess")]
    pub from: Option<PathBuf>,
    /// Follow an equilibrium instead of an orbit: the one that is found from the start
    #[arg(long, conflicts_with_all = ["section", "settle", "period", "guess", "method"])]
    pub equilibrium: bool,
    /// Closed contacts at the equilibrium: `flight`, or e.g. `stick:wall` [default: those of the first one found]
    #[arg(long, value_name = "MODE", requires = "equilibrium", conflicts_with = "from")]
    pub mode: Option<String>,
    /// Position of the equilibrium in the file --from, counted from 0 [default: 0]
    #[arg(long, value_name = "INDEX", requires_all = ["equilibrium", "from"], allow_hyphen_values = true)]
    pub at: Option<String>,
    /// The search for the orbit at which the branch begins.
    #[command(flatten)]
    pub search: Search,
    /// The parameter that varies
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub along: Option<String>,
    /// Range of the parameter; with N, the smallest number of points in the range
    #[arg(long, value_name = "LO:HI[:N]", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Follow the branches that bifurcate, too; from equilibria their limit cycles
    #[arg(long)]
    pub switch: bool,
    /// Equations that are followed: those of the `signature`, or the `vivid` function [default: signature]
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// Largest number of points in each direction [default: 2000]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub points: Option<String>,
    /// Longest step, as a fraction of the range and of the size of the orbit [default: 0.04]
    #[arg(long, value_name = "FRACTION", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// Draw the branch to this file (.svg, .pdf or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Quantity drawn over the parameter: `impact_speed`, `period`, `multiplier` (its modulus), or a state [default:
    /// impact_speed where there are impacts, else the first state, or the period without forcing]; of equilibria a state
    #[arg(long, value_name = "WHAT", requires = "plot")]
    pub ordinate: Option<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Continue) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let search = orbit::search(shared, &arguments.search, arguments.from.as_deref(), &mut wrong)?;
    let request = Request {
        tol: search.request.tol,
        flow: search.request.flow,
        ..request(arguments, &search.system, &mut wrong)
    };
    // Mistakes in the tolerance are reported by the search already, and unreadable ranges by their flag.
    let unread = |field| field == "tol" || field == "range" && arguments.range.is_some() && request.range.is_none();
    let refusals = request.refusals(&search.system);
    wrong.extend(refusals.iter().filter(|refusal| !unread(refusal.field)).map(refused));
    if let Some(name) = &arguments.ordinate {
        wrong.extend(Ordinate::named(name, &search.system).err().as_ref().map(refused));
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let branch = search.continue_as(request);
    if let Some(note) = branch.note().filter(|_| !shared.quiet) {
        messages::warn(&note);
    }
    let tolerance = Some(branch.request.tol);
    let question = Question { shared, plot: arguments.plot.as_deref(), system: &search.system, tolerance };
    let ordinate = arguments.ordinate.as_deref();
    question.answer(|progress| branch.ask_with(progress), |found: &Branch| found.figure(ordinate))
}

/// The request; mistakes in flags are added to the others.
fn request(arguments: &Continue, system: &System, wrong: &mut Vec<Mistakes>) -> Request {
    let default = Request::default();
    let range = span::given("--range", arguments.range.as_ref(), system, wrong);
    let points = input::count("--points", arguments.points.as_ref(), wrong);
    let step = input::number("--step", arguments.step.as_ref(), system, wrong);
    let method = arguments.method.as_ref().map(|word| method(word).map_err(|refusal| refused(&refusal)));
    let method = method.and_then(|method| collect(method, wrong));
    input::figure_file(arguments.plot.as_ref(), wrong);
    Request {
        along: arguments.along.clone(),
        range: range.map(span::Span::ends),
        at_least: range.and_then(|range| range.points),
        points: points.unwrap_or(default.points),
        step: step.unwrap_or(default.step),
        method: method.unwrap_or(default.method),
        switch: arguments.switch,
        ..default
    }
}
