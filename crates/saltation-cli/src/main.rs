//! The command `saltation`: which question is asked, and with which exit code is it answered?

mod answer_folder;
mod arguments;
mod branch;
mod branch_file;
mod branch_json;
mod branch_plot;
mod branch_report;
mod branch_request;
mod branch_table;
mod check;
mod check_report;
mod contact;
mod contact_json;
mod contact_plot;
mod contact_report;
mod contact_request;
mod curve;
mod end_report;
mod equilibrium;
mod equilibrium_branch;
mod equilibrium_branch_json;
mod equilibrium_branch_plot;
mod equilibrium_branch_report;
mod equilibrium_branch_request;
mod equilibrium_branch_table;
mod equilibrium_file;
mod equilibrium_report;
mod event_log;
mod event_table;
mod files;
mod flag;
mod gallery;
mod guess;
mod input;
mod json;
mod json_file;
mod lyapunov;
mod lyapunov_report;
mod messages;
mod modes;
mod naming;
mod nonsmooth;
mod nonsmooth_json;
mod nonsmooth_plot;
mod nonsmooth_report;
mod nonsmooth_request;
mod number;
mod orbit;
mod orbit_json;
mod orbit_plot;
mod orbit_report;
mod orbit_request;
mod ordinate;
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
mod smooth;
mod span;
mod special_curve;
mod special_curve_answer;
mod special_curve_plot;
mod special_curve_request;
mod stepping;
mod stepping_json;
mod stepping_request;
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
        Command::Continue(arguments) => branch::run(&arguments),
        Command::Curve(arguments) => special_curve::run(&arguments),
        Command::Equilibrium(arguments) => equilibrium::run(&arguments),
        Command::Lyapunov(arguments) => lyapunov::run(&arguments),
        Command::Modes(arguments) => nonsmooth::run(&arguments),
        Command::Contact(arguments) => contact::run(&arguments),
        Command::Gallery(arguments) => gallery::run(&arguments),
    };
    outcome::exit(outcome)
}
