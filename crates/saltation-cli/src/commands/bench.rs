//! `saltation bench`: the standard works, each case as one line of JSON when it is finished.

use crate::arguments::{argument, positional};
use crate::bench::{self, MOST_REPEATS};
use crate::driver::trouble;
use crate::flag::collect;
use crate::given::Given;
use crate::outcome::{Outcome, Trouble, print};
use crate::progress::Progress;
use clap::Command;
use saltation::field::{Field, Kind};

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command.about("Measure how fast this machine does the standard works: one line of JSON for each case").after_help(
        "\
Works, and the number that `check` gives:
  W1  bifurcation diagram of an impact oscillator, 200 amplitudes: impacts
  W2  double pendulum that chatters, 200 units of time: complete chattering sequences
  W3  double pendulum without a wall, tolerances 1e-9 and 1e-12: largest error of the last state
  W4  1000 flights with a maximum within 1e-6 of a wall, as new trajectories and as one that begins anew: flights with a wrong number of impacts
  W5  branch of periodic orbits through a graze, with multipliers: largest periodicity residual
  W6  nonsmooth modes of a chain of 5 and a bar of 400 degrees of freedom: admissible trajectories
  W7  time stepping of a column of 10 balls and of 50 discs with friction: largest residual of the contact laws
  W8  relief valve, 24 values of its flow, 1056 returns each, one trajectory after the other (impacts) and as a sweep (recorded returns)
  W9  Duffing oscillator, 64 values of its damping, 1056 periods each, in the same ways: recorded returns
  W10 ten parameters of an oscillator between two walls, ten fits to 100 impacts or to 1000 samples: fits that find the truth

Examples:
  saltation bench
  saltation bench W3 W4 --repeats 20",
    )
    .arg(positional(&WORKS))
    .args(FLAGS.iter().map(argument))
}

const WORKS: Field = Field::new("works", Kind::Text, "WORK", "The works, W1 to W10").otherwise("all").repeated();

const FLAGS: [Field; 2] = [
    Field::whole("repeats", 1, Some(MOST_REPEATS), "N", "The number of runs of each case")
        .otherwise("as many as take about a second"),
    Field::switch("quiet", "Show no progress"),
];

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let repeats = given.flag("repeats");
    let repeats = repeats.and_then(|flag| collect(flag.count_between(1, MOST_REPEATS), &mut wrong));
    let works: Vec<String> = given.all("works").into_iter().map(str::to_string).collect();
    wrong.extend(bench::unknown(&works));
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut progress = Progress::begin(given.is("quiet"));
    let mut printed = Ok(());
    let ran = bench::run(&works, repeats, &mut progress, &mut |line| {
        if printed.is_ok() {
            printed = print(|output| writeln!(output, "{}", line.json()));
        }
    });
    progress.finish();
    ran.map_err(trouble)?;
    printed
}
