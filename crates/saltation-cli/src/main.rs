//! The command `saltation`: reads a question from flags and prints the answer of the library.

mod arguments;
mod axis;
mod commands;
mod driver;
mod flag;
mod input;
mod messages;
mod outcome;
mod progress;
mod span;

use arguments::{Command, Saltation};
use clap::Parser;
use commands::simulation::Simulate;
use outcome::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Saltation::parse().command {
        Command::Simulate(arguments) => simulate(&arguments),
        Command::Orbit(arguments) => commands::orbit::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Continue(arguments) if arguments.equilibrium => commands::equilibrium_branch::run(&arguments),
        Command::Continue(arguments) => commands::branch::run(&arguments),
        Command::Curve(arguments) => commands::curve::run(&arguments),
        Command::Equilibrium(arguments) => commands::equilibrium::run(&arguments),
        Command::Basin(arguments) => commands::basin::run(&arguments),
        Command::Merge(arguments) => commands::merge::run(&arguments),
        Command::Sweep(arguments) => commands::sweep::run(&arguments),
        Command::Lyapunov(arguments) => commands::lyapunov::run(&arguments),
        Command::Modes(arguments) => commands::modes::run(&arguments),
        Command::Contact(arguments) => commands::contact::run(&arguments),
        Command::Report(arguments) => commands::report::run(&arguments),
        Command::Gallery(arguments) => commands::gallery::run(&arguments),
    };
    outcome::exit(outcome)
}

/// `saltation simulate`: by events, or by time stepping with `--method moreau`.
fn simulate(arguments: &Simulate) -> Outcome {
    if commands::stepping::is_meant(arguments)? {
        commands::stepping::run(arguments)
    } else {
        commands::simulation::run(arguments)
    }
}
