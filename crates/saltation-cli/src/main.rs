//! The command `saltation`: which question is asked, and with which exit code is it answered?

mod answer_folder;
mod arguments;
mod check;
mod check_report;
mod curve;
mod end_report;
mod equilibrium;
mod equilibrium_report;
mod event_log;
mod event_table;
mod flag;
mod gallery;
mod guess;
mod input;
mod json;
mod lyapunov;
mod lyapunov_report;
mod messages;
mod modes;
mod naming;
mod number;
mod orbit;
mod orbit_json;
mod orbit_plot;
mod orbit_report;
mod orbit_request;
mod outcome;
mod output_folder;
mod path;
mod phase_plane;
mod plot;
mod progress;
mod request;
mod sample_table;
mod samples;
mod sections;
mod signature;
mod simulate;
mod table;
mod time_plot;

use arguments::{Command, Saltation};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Saltation::parse().command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Orbit(arguments) => orbit::run(&arguments),
        Command::Equilibrium(arguments) => equilibrium::run(&arguments),
        Command::Lyapunov(arguments) => lyapunov::run(&arguments),
        Command::Gallery(arguments) => gallery::run(&arguments),
    };
    outcome::exit(outcome)
}
