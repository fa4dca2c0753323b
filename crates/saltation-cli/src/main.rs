//! The command `saltation` as a program of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(saltation_cli::run(std::env::args_os().skip(1)))
}
