//! The command `saltation`: a question in flags, answered by the library.

mod arguments;
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
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Saltation::parse().command {
        Command::Simulate(arguments) => commands::simulation::run(&arguments),
        Command::Orbit(arguments) => commands::orbit::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Continue(arguments) if arguments.equilibrium => commands::equilibrium_branch::run(&arguments),
        Command::Continue(arguments) => commands::branch::run(&arguments),
        Command::Curve(arguments) => commands::curve::run(&arguments),
        Command::Equilibrium(arguments) => commands::equilibrium::run(&arguments),
        Command::Lyapunov(arguments) => commands::lyapunov::run(&arguments),
        Command::Modes(arguments) => commands::modes::run(&arguments),
        Command::Contact(arguments) => commands::contact::run(&arguments),
        Command::Gallery(arguments) => commands::gallery::run(&arguments),
    };
    outcome::exit(outcome)
}
