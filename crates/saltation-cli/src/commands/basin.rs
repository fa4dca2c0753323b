//! `saltation basin`: flags, and their translation to a request.

use crate::axis;
use crate::commands::sweep::{Recorded, folder, method};
use crate::driver::{self, deliver};
use crate::flag::{Flag, collect, cut, gather, refused};
use crate::input::{self, Shared};
use crate::outcome::{Outcome, Trouble};
use crate::progress::Progress;
use clap::Args;
use saltation::basin::{Request, Starts, USUAL_COUNT};
use saltation::{Mistakes, System};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Find attractors and their basins: where motions from many starts lead
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  saltation basin two-wall-oscillator --set nu=0.9 --grid y=-0.95:0.95:100 --grid w=-3:3:100 --plot basins.png
  saltation basin two-wall-oscillator --set nu=0.9 --random y=-1:1 --random w=-3:3 --count 2000 --seed 7
  saltation basin impact-oscillator --random x=-2:0 --random y=-2:2 --along A=0.33:0.37:41 --plot fractions.svg
  saltation basin impact-oscillator --grid x=-2:0:200 --grid y=-2:2:200 --out basins
  saltation continue impact-oscillator --from basins/attractor-1.json --along A --range 0.33:0.37")]
pub(crate) struct Basin {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// Starts on a grid: values of a state; a second one makes a plane
    #[arg(long, value_name = "NAME=LO:HI:N", allow_hyphen_values = true, conflicts_with_all = ["random", "starts"])]
    pub grid: Vec<String>,
    /// Random starts: the range of a state (repeatable)
    #[arg(long, value_name = "NAME=LO:HI", allow_hyphen_values = true, conflicts_with = "starts")]
    pub random: Vec<String>,
    /// Number of random starts [default: 1000]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub count: Option<String>,
    /// Seed of random starts [default: 1]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    pub seed: Option<String>,
    /// Starts from a table: a CSV file with a column for every state that varies
    #[arg(long, value_name = "FILE")]
    pub starts: Option<PathBuf>,
    /// Follow attractors and fractions along a parameter
    #[arg(long, value_name = "NAME=LO:HI:N", allow_hyphen_values = true)]
    pub along: Option<String>,
    /// The record of every motion, and the folder.
    #[command(flatten)]
    pub recorded: Recorded,
    /// Draw the basins, or the fractions along the parameter, to this file (.svg, .pdf or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

/// The largest table of starts, in megabytes.
const LARGEST: u64 = 256;

/// The starts of a table.
fn table(file: &Path) -> Result<Starts, Mistakes> {
    let typed = file.display().to_string();
    let flag = Flag::new("--starts", &typed);
    let wrong = |message: String| flag.mistake(message, "give a CSV file whose first line names states");
    let unreadable = |error: std::io::Error| wrong(format!("the file cannot be read: {error}"));
    let mut text = String::new();
    let most = LARGEST << 20;
    // A device may have no end.
    File::open(file).and_then(|opened| opened.take(most + 1).read_to_string(&mut text)).map_err(unreadable)?;
    if text.len() as u64 > most {
        return Err(wrong(format!("the file is larger than {LARGEST} MB")));
    }
    let mut lines = text.trim_start_matches(BYTE_ORDER_MARK).lines().filter(|line| !line.trim().is_empty());
    let head = lines.next().ok_or_else(|| wrong("the file is empty".to_string()))?;
    let separator = [',', ';', '\t'].into_iter().find(|separator| head.contains(*separator)).unwrap_or(',');
    let states: Vec<String> = head.split(separator).map(name).collect();
    let row = |(i, line): (usize, &str)| {
        let cells: Result<Vec<f64>, _> = line.split(separator).map(|cell| cell.trim().parse::<f64>()).collect();
        match cells {
            Ok(row) if row.len() == states.len() && row.iter().all(|x| x.is_finite()) => Ok(row),
            _ => {
                let numbers =
                    if states.len() == 1 { "1 number".to_string() } else { format!("{} numbers", states.len()) };
                Err(wrong(format!("row {} does not hold {numbers}: `{}`", i + 1, cut(line))))
            }
        }
    };
    let rows = lines.enumerate().map(row).collect::<Result<Vec<_>, _>>()?;
    Ok(Starts::List { states, rows })
}

/// What some programs write before the first letter of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The name of a column, of which some programs write quotes.
fn name(cell: &str) -> String {
    let cell = cell.trim();
    cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')).unwrap_or(cell).to_string()
}

/// The starts of the flags.
fn starts(arguments: &Basin, system: &System, wrong: &mut Vec<Mistakes>) -> Starts {
    let first = system.state_names().first().cloned().unwrap_or_else(|| "x".to_string());
    for (flag, value) in [("--count", &arguments.count), ("--seed", &arguments.seed)] {
        if let Some(text) = value.as_ref().filter(|_| arguments.random.is_empty()) {
            let message = format!("{flag} is that of random starts, and there are none");
            let help = "give ranges of random starts with --random, or leave it out";
            wrong.push(Flag::new(flag, text).mistake(message, help));
        }
    }
    if let Some(file) = &arguments.starts {
        return collect(table(file), wrong).unwrap_or_default();
    }
    if !arguments.random.is_empty() {
        let example = format!("{first}=-1:1");
        let read = |text: &String| axis::range(Flag::new("--random", text), &example, system);
        let ranges = arguments.random.iter().filter_map(|text| collect(read(text), wrong)).collect();
        let count = input::count("--count", arguments.count.as_ref(), wrong).unwrap_or(USUAL_COUNT);
        let seed = arguments.seed.as_ref().map(|text| Flag::new("--seed", text).count_between(0, u64::MAX));
        let seed = seed.and_then(|seed| collect(seed, wrong)).unwrap_or(1);
        return Starts::Random { ranges, count, seed };
    }
    let example = format!("{first}=-1:1:100");
    let read = |text: &String| axis::read(Flag::new("--grid", text), &example, system);
    let axes: Vec<_> = arguments.grid.iter().filter_map(|text| collect(read(text), wrong)).collect();
    if axes.is_empty() { Starts::Model } else { Starts::Grid(axes) }
}

/// Runs the command.
pub(crate) fn run(arguments: &Basin) -> Outcome {
    let Basin { shared, recorded, .. } = arguments;
    let mut wrong = Vec::new();
    let system = input::read_numbers(shared, &mut wrong)?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let first = system.parameter_names().first().cloned().unwrap_or_else(|| "p".to_string());
    let example = format!("{first}=0.1:0.9:100");
    let along = arguments.along.as_ref().map(|text| axis::read(Flag::new("--along", text), &example, &system));
    let request = Request {
        starts: starts(arguments, &system, &mut wrong),
        along: along.and_then(|axis| collect(axis, &mut wrong)),
        method: method(shared, recorded, &system, &mut wrong),
    };
    let folder = folder(shared, recorded, &mut wrong);
    input::figure_file(arguments.plot.as_ref(), &mut wrong);
    if wrong.is_empty() {
        let refusals = gather(request.refusals(&system), &mut wrong).unwrap_or_default();
        wrong.extend(refusals.iter().map(refused));
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut search = system.basin();
    (search.request, search.folder, search.records) = (request, folder, shared.json);
    search.threads = input::threads(shared);
    let mut progress = Progress::begin(shared.quiet);
    let found = search.run_with(&mut progress).map_err(driver::trouble)?;
    progress.finish();
    let files = shared.out.as_ref().map(|folder| format!("{}; --resume finishes it", folder.display()));
    deliver(shared, arguments.plot.as_deref(), &found, Ok(()), |found| found.figure(), Vec::new(), files)
}
