//! The commands of `saltation`, read by clap; the flags of each are defined beside the command.
//!
//! Numeric flags are kept as text, because they may be formulas; mistakes in them are reported like all others.

use crate::commands::basin::Basin;
use crate::commands::bench::Bench;
use crate::commands::branch::Continue;
use crate::commands::check::Check;
use crate::commands::contact::Contact;
use crate::commands::curve::Curve;
use crate::commands::equilibrium::Equilibrium;
use crate::commands::explore::Explore;
use crate::commands::gallery::Gallery;
use crate::commands::lyapunov::Lyapunov;
use crate::commands::merge::Merge;
use crate::commands::modes::Modes;
use crate::commands::orbit::Orbit;
use crate::commands::report::Report;
use crate::commands::simulation::Simulate;
use crate::commands::sweep::Sweep;
use clap::{Parser, Subcommand};

/// Nonsmooth dynamics: simulation, periodic orbits, bifurcations and nonsmooth modes of systems with impacts and friction.
#[derive(Debug, Parser)]
#[command(name = "saltation", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Saltation {
    /// Compute the same bits on every processor; slower. Folders that several machines write need it
    #[arg(long, global = true)]
    pub portable: bool,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The command that is run. Its help text and flags are those of its type.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Check),
    Simulate(Simulate),
    Orbit(Orbit),
    Continue(Continue),
    Curve(Curve),
    Equilibrium(Equilibrium),
    Sweep(Sweep),
    Basin(Basin),
    Merge(Merge),
    Lyapunov(Lyapunov),
    Modes(Modes),
    Contact(Contact),
    Report(Report),
    Explore(Explore),
    Gallery(Gallery),
    Bench(Bench),
}
