//! One file per command: what its help says, and the translation of its flags to a request of the library.

pub(crate) mod basin;
pub(crate) mod bench;
pub(crate) mod branch;
pub(crate) mod check;
pub(crate) mod contact;
pub(crate) mod curve;
pub(crate) mod equilibrium;
pub(crate) mod equilibrium_branch;
pub(crate) mod explore;
pub(crate) mod fit;
pub(crate) mod gallery;
pub(crate) mod lyapunov;
pub(crate) mod merge;
pub(crate) mod modes;
pub(crate) mod orbit;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod simulation;
pub(crate) mod stepping;
pub(crate) mod sweep;

use crate::given::Given;
use crate::outcome::Outcome;
use clap::Command;

/// A command: its name, what is said about it and which flags it has besides those of its form, and how it runs.
type Entry = (&'static str, fn(Command) -> Command, fn(Given) -> Outcome);

/// All commands, in the order of the help.
pub(crate) const COMMANDS: [Entry; 18] = [
    ("check", check::describe, check::run),
    ("simulate", simulation::describe, simulation::choose),
    ("orbit", orbit::describe, orbit::run),
    ("continue", branch::describe, branch::choose),
    ("curve", curve::describe, curve::run),
    ("equilibrium", equilibrium::describe, equilibrium::run),
    ("sweep", sweep::describe, sweep::run),
    ("basin", basin::describe, basin::run),
    ("merge", merge::describe, merge::run),
    ("lyapunov", lyapunov::describe, lyapunov::run),
    ("fit", fit::describe, fit::run),
    ("modes", modes::describe, modes::run),
    ("contact", contact::describe, contact::run),
    ("report", report::describe, report::run),
    ("explore", explore::describe, explore::run),
    ("reproduce", reproduce::describe, reproduce::run),
    ("gallery", gallery::describe, gallery::run),
    ("bench", bench::describe, bench::run),
];
