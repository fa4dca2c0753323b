//! Which commands and flags are there?
//!
//! Numbers arrive as text: they may be formulas, and what is wrong with them is told like any other mistake.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Systems that flow and jump: machines whose parts hit, chatter, stick and slide.
#[derive(Debug, Parser)]
#[command(name = "saltation", version, max_term_width = 100, arg_required_else_help = true)]
pub struct Saltation {
    /// What is asked.
    #[command(subcommand)]
    pub command: Command,
}

/// One question.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check a model and show what it says: states, parameters, contacts, derived formulas
    Check(Check),
    /// Follow the motion from the start state through impacts, chattering, sticking and release
    #[command(after_help = "\
Examples:
  saltation simulate bouncing-ball --until 10
  saltation simulate double-pendulum --set T=-31.15 --until 20*pi --plot pendulum.png
  saltation simulate impact-oscillator --returns 50 --json
  saltation simulate two-wall-oscillator --plane y,w --plot plane.svg --out results
  saltation simulate bouncing-ball --method moreau --step 1e-3")]
    Simulate(Simulate),
    /// Find a periodic orbit, with its multipliers: is there a motion that repeats, and is it stable?
    #[command(after_help = "\
Examples:
  saltation orbit two-wall-oscillator --set nu=1.2 --settle 300
  saltation orbit double-pendulum --plot orbit.png
  saltation orbit impact-damper --set nu=0.5464 --settle 4000 --period 43
  saltation orbit two-wall-oscillator --json > orbit.json
  saltation orbit two-wall-oscillator --set nu=1.11 --guess orbit.json")]
    Orbit(Orbit),
    /// Follow an orbit as a parameter varies, smoothly through grazes: where does it turn, double its period, vanish?
    #[command(after_help = "\
Examples:
  saltation continue impact-oscillator --period 2 --settle 400 --along A --range 0.34:0.36
  saltation continue two-wall-oscillator --set nu=1.1 --along nu --range 0.85:1.25 --plot branch.svg
  saltation continue double-pendulum --along e --range 0.85:0.95 --ordinate period --plot branch.png
  saltation orbit two-wall-oscillator --json > orbit.json
  saltation continue two-wall-oscillator --from orbit.json --along nu --range 0.9:1.2 --out results
  saltation continue relief-valve --equilibrium --along q --range 1:10 --switch --plot valve.svg")]
    Continue(Continue),
    /// Follow a special point of a branch as two parameters vary
    #[command(after_help = "\
Examples:
  saltation continue impact-oscillator --period 2 --settle 400 --along A --range 0.34:0.36 --out results
  saltation curve impact-oscillator --from results/branch.json --at 0 --along A,omega --range 0.79:0.83 --plot curve.svg")]
    Curve(Curve),
    /// Find equilibria in flight and in contact: where does the system rest, and do its neighbours come back?
    #[command(after_help = "\
Examples:
  saltation equilibrium relief-valve --set q=9
  saltation equilibrium double-pendulum --set T=-31 --mode stick:wall --start q1=4.9 --start q2=0.5
  saltation equilibrium impact-oscillator --set A=0 --json")]
    Equilibrium(Equilibrium),
    /// Measure all Lyapunov exponents: do neighbouring motions separate, and how fast?
    #[command(after_help = "\
Examples:
  saltation lyapunov impact-oscillator
  saltation lyapunov impact-damper --set nu=0.9 --returns 2000 --json")]
    Lyapunov(Lyapunov),
    /// Find nonsmooth modes: motions of a structure with k elastic impacts per period, and the families they form
    #[command(after_help = "\
Examples:
  saltation modes chain --periods 0:40
  saltation modes chain --near 3.8 --json
  saltation modes chain --ipp 2 --periods 2.6:2.9 --family --plot modes.png
  saltation modes chain --ipp 7 --periods 1:9 --search 20000 --seed 1
  saltation modes structures/bar-400.toml --periods 3.9999:4.0001")]
    Modes(Modes),
    /// Solve the contact problem: which forces do closed contacts have, is there one answer, several, or none?
    #[command(after_help = "\
Examples:
  saltation contact painleve-rod --set angle=pi/3 --set slip=1
  saltation contact painleve-rod --set slip=1 --map angle=0.1:1.5:300 --map spin=0:5:300 --plot map.svg
  saltation contact painleve-rod --critical angle=0.1:1.5
  saltation contact painleve-box --map a=0.2:1:200 --map mu=0.5:3:200 --out results
  saltation contact frictional-bounce --start phi=0.7 --start 'y=cos(0.7)' --start u=0 --json")]
    Contact(Contact),
    /// List the models that come with Saltation, print one, or write a structure of any size
    #[command(after_help = "\
Examples:
  saltation gallery impact-oscillator > mine.toml
  saltation gallery bar --elements 400 --out structures")]
    Gallery(Gallery),
}

/// The flags that all questions about a model share.
#[derive(Debug, Args)]
pub struct Shared {
    /// A model file, or the name of a model of the gallery
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// Give a parameter another value: a number or a formula of parameters (repeatable)
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Give a state another start value (repeatable)
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub start: Vec<String>,
    /// Error that one step may make, relative to the size of the state [default: 1e-12]
    #[arg(long, value_name = "TOLERANCE", allow_hyphen_values = true)]
    pub tol: Option<String>,
    /// Where rigid bodies with friction have several ways to go on: persist, lift_off or impact [default: persist]
    #[arg(long, value_name = "POLICY", allow_hyphen_values = true)]
    pub policy: Option<String>,
    /// How many processor threads to use; a single motion uses one
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub threads: Option<String>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
    /// Write tables and a run.json that is enough to repeat the run to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print no report, no notes and no progress, only tables that are asked for and errors
    #[arg(long)]
    pub quiet: bool,
}

/// `saltation check`.
#[derive(Debug, Args)]
pub struct Check {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
}

/// `saltation simulate`.
#[derive(Debug, Args)]
pub struct Simulate {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// End time: a number or a formula of parameters [default: 10 periods of the forcing, else 40]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// Stop when the section has been passed so many times
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub returns: Option<String>,
    /// The section whose passages --returns counts [default: the phase of the forcing, else the only section]
    #[arg(long, value_name = "NAME")]
    pub section: Option<String>,
    /// Give a table of the states at every multiple of this time
    #[arg(long, value_name = "DT", allow_hyphen_values = true)]
    pub every: Option<String>,
    /// No integration step is longer than this
    #[arg(long, value_name = "DT", allow_hyphen_values = true)]
    pub max_step: Option<String>,
    /// How smooth motions are computed: `exact` for linear models, or `taylor` for any [default: exact where it can be]
    #[arg(long, value_name = "HOW")]
    pub flow: Option<String>,
    /// How contacts are followed: from event to event (`events`), or by steps of time with as many contacts as there are (`moreau`),
    /// where --tol says how well the laws of contact hold, 1e-6 by default [default: events]
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// The step of --method moreau, a time: its error is of this order
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// Draw the motion to this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Draw these two over each other, not over time: states, or contacts for their gaps
    #[arg(long, value_name = "X,Y", requires = "plot", allow_hyphen_values = true)]
    pub plane: Option<String>,
}

/// The flags by which an orbit is found.
#[derive(Debug, Args)]
pub struct Search {
    /// Follow the motion for so many returns before the search begins [default: 0]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub settle: Option<String>,
    /// After how many returns to the section the orbit repeats [default: that of --guess, else 1]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub period: Option<String>,
    /// The section that returns are counted at [default: the phase of the forcing, else the only section]
    #[arg(long, value_name = "NAME")]
    pub section: Option<String>,
    /// Begin at an orbit found before: what --json printed, or orbit.json of --out
    #[arg(long, value_name = "FILE")]
    pub guess: Option<PathBuf>,
    /// How smooth motions are computed: `exact` for linear models, or `taylor` for any [default: exact where it can be]
    #[arg(long, value_name = "HOW")]
    pub flow: Option<String>,
}

/// `saltation orbit`.
#[derive(Debug, Args)]
pub struct Orbit {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// Where the orbit is looked for.
    #[command(flatten)]
    pub search: Search,
    /// Draw the orbit to this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

/// `saltation continue`.
#[derive(Debug, Args)]
pub struct Continue {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// Begin at an orbit found before, with its parameters: what orbit --json printed, or orbit.json of --out; with
    /// --equilibrium what equilibrium --json printed, or its run.json
    #[arg(long, value_name = "FILE", conflicts_with = "guess")]
    pub from: Option<PathBuf>,
    /// Follow an equilibrium, not an orbit: that which the start leads to
    #[arg(long, conflicts_with_all = ["section", "settle", "period", "guess", "method"])]
    pub equilibrium: bool,
    /// Which contacts are closed at the equilibrium: `flight`, or e.g. `stick:wall` [default: that of the first one found]
    #[arg(long, value_name = "MODE", requires = "equilibrium", conflicts_with = "from")]
    pub mode: Option<String>,
    /// Which equilibrium of the file --from, counted from 0 [default: 0]
    #[arg(long, value_name = "INDEX", requires_all = ["equilibrium", "from"], allow_hyphen_values = true)]
    pub at: Option<String>,
    /// Where the orbit is looked for that the branch begins at.
    #[command(flatten)]
    pub search: Search,
    /// The parameter that varies
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub along: Option<String>,
    /// Between which values it varies; with N, at least so many points from end to end
    #[arg(long, value_name = "LO:HI[:N]", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Follow the orbits too that begin at special points; from equilibria their limit cycles
    #[arg(long)]
    pub switch: bool,
    /// Which equations are followed: those of the `signature`, or the `vivid` function [default: signature]
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// The most points in each direction [default: 2000]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub points: Option<String>,
    /// The longest step, as a fraction of the range and of the size of the orbit [default: 0.04]
    #[arg(long, value_name = "FRACTION", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// Draw the branch to this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// What is drawn over the parameter: `impact_speed`, `period`, `multiplier` (its modulus), or a state [default:
    /// impact_speed where there are impacts, else the first state, or the period without forcing]; of equilibria a state
    #[arg(long, value_name = "WHAT", requires = "plot")]
    pub ordinate: Option<String>,
}

/// `saltation curve`.
#[derive(Debug, Args)]
pub struct Curve {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// The branch: what continue --json printed, or branch.json of --out
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Which of its special points, counted from 0; 2:0 is the first one of branch 2, which --switch has added
    #[arg(long, value_name = "[BRANCH:]INDEX", allow_hyphen_values = true)]
    pub at: Option<String>,
    /// The parameters that vary: that of the branch, and a second one
    #[arg(long, value_name = "NAME,NAME", allow_hyphen_values = true)]
    pub along: Option<String>,
    /// Between which values the second one varies; with N, at least so many points from end to end
    #[arg(long, value_name = "LO:HI[:N]", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Between which values the first one varies [default: any]
    #[arg(long, value_name = "LO:HI", allow_hyphen_values = true)]
    pub range1: Option<String>,
    /// The most points in each direction [default: 2000]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub points: Option<String>,
    /// The longest step, as a fraction of the range and of the size of the orbit [default: 0.04]
    #[arg(long, value_name = "FRACTION", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// How smooth motions are computed: `exact` for linear models, or `taylor` for any [default: exact where it can be]
    #[arg(long, value_name = "HOW")]
    pub flow: Option<String>,
    /// Draw the curve in the plane of both parameters to this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

/// `saltation equilibrium`.
#[derive(Debug, Args)]
pub struct Equilibrium {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// Which contacts are closed: `flight`, or e.g. `stick:wall`, several joined by commas [default: none, then each alone]
    #[arg(long, value_name = "MODE")]
    pub mode: Option<String>,
}

/// `saltation lyapunov`.
#[derive(Debug, Args)]
pub struct Lyapunov {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// Follow the motion for so many returns before it is measured [default: 200]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub settle: Option<String>,
    /// How many returns are measured [default: 10000]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub returns: Option<String>,
    /// The section that returns are counted at [default: the phase of the forcing, else the only section]
    #[arg(long, value_name = "NAME")]
    pub section: Option<String>,
    /// How smooth motions are computed: `exact` for linear models, or `taylor` for any [default: exact where it can be]
    #[arg(long, value_name = "HOW")]
    pub flow: Option<String>,
}

/// `saltation modes`.
#[derive(Debug, Args)]
pub struct Modes {
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
    /// From how many random sequences of impacts motions with two or more impacts are looked for [default: 2000]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub search: Option<String>,
    /// Another seed takes other sequences [default: 1]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    pub seed: Option<String>,
    /// Follow every motion along its family, both ways to its ends
    #[arg(long)]
    pub family: bool,
    /// The most motions of a family each way [default: 2000]; with one impact per period the motions of every interval [default: 40]
    #[arg(long, value_name = "N", requires = "family", allow_hyphen_values = true)]
    pub points: Option<String>,
    /// The contact, if the model has several; the others are taken to stay open
    #[arg(long, value_name = "NAME")]
    pub contact: Option<String>,
    /// Compute multipliers however many modes the contact moves [default: up to 60]
    #[arg(long)]
    pub stability: bool,
    /// Draw energy against frequency, motions over a period and the manifold they form to this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// The three coordinates or velocities on which the manifold is projected [default: at the contact]
    #[arg(long, value_name = "A,B,C", requires = "plot")]
    pub coordinates: Option<String>,
}

/// `saltation contact`.
#[derive(Debug, Args)]
pub struct Contact {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// Vary a state or parameter over N values and tell the regions; given twice, the first across and the second up. What is closed at
    /// the start stays closed
    #[arg(long, value_name = "NAME=LO:HI:N", allow_hyphen_values = true)]
    pub map: Vec<String>,
    /// Find the smallest critical friction as a state or parameter varies
    #[arg(long, value_name = "NAME=LO:HI", allow_hyphen_values = true)]
    pub critical: Option<String>,
    /// Draw the map to this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

/// `saltation gallery`.
#[derive(Debug, Args)]
pub struct Gallery {
    /// The model to print
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Write the chain or the bar with so many elements, as a model and its matrices
    #[arg(long, value_name = "N", requires = "name", allow_hyphen_values = true)]
    pub elements: Option<String>,
    /// The folder to which --elements writes
    #[arg(long, value_name = "DIR", requires = "elements")]
    pub out: Option<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}
