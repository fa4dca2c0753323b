//! `saltation bench`: the standard works, each case as one line of JSON when it is finished.

use crate::bench::{self, MOST_REPEATS};
use crate::driver::trouble;
use crate::flag::{Flag, collect};
use crate::outcome::{Outcome, Trouble, print};
use crate::progress::Progress;
use clap::Args;

/// Measure how fast this machine does the standard works: one line of JSON for each case
#[derive(Debug, Args)]
#[command(after_help = "\
Works, and the number that `check` gives:
  W1  bifurcation diagram of an impact oscillator, 200 amplitudes: impacts
  W2  double pendulum that chatters, 200 units of time: complete chattering sequences
  W3  double pendulum without a wall, tolerances 1e-9 and 1e-12: largest error of the last state
  W4  1000 flights with a maximum within 1e-6 of a wall, as new motions and as one that begins anew: flights with a wrong number of impacts
  W5  branch of periodic orbits through a graze, with multipliers: largest periodicity residual
  W6  nonsmooth modes of a chain of 5 and a bar of 400 degrees of freedom: admissible motions
  W7  time stepping of a column of 10 balls and of 50 discs with friction: largest residual of the contact laws

Examples:
  saltation bench
  saltation bench W3 W4 --repeats 20")]
pub(crate) struct Bench {
    /// The works, W1 to W7 [default: all]
    #[arg(value_name = "WORK")]
    pub works: Vec<String>,
    /// The number of runs of each case [default: as many as take about a second]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub repeats: Option<String>,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Bench) -> Outcome {
    let mut wrong = Vec::new();
    let repeats = arguments.repeats.as_deref();
    let repeats = repeats.and_then(|n| collect(Flag::new("--repeats", n).count_between(1, MOST_REPEATS), &mut wrong));
    wrong.extend(bench::unknown(&arguments.works));
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut progress = Progress::begin(arguments.quiet);
    let mut printed = Ok(());
    let ran = bench::run(&arguments.works, repeats, &mut progress, &mut |line| {
        if printed.is_ok() {
            printed = print(|output| writeln!(output, "{}", line.json()));
        }
    });
    progress.finish();
    ran.map_err(trouble)?;
    printed
}
