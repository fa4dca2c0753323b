//! `saltation basin`: flags, and their translation to a request.

use crate::asked::{Asked, first};
use crate::axis;
use crate::commands::sweep::{recorded, resumable};
use crate::driver::{self, deliver};
use crate::flag::{Flag, collect, cut, gather, refused};
use crate::given::Given;
use crate::input;
use crate::outcome::{Outcome, Trouble};
use crate::progress::Progress;
use clap::Command;
use saltation::basin::{Request, Starts, USUAL_COUNT};
use saltation::registry::read_value;
use saltation::{Mistakes, System};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command.about("Find attractors and their basins: where trajectories from many initial conditions lead").after_help(
        "\
Examples:
  saltation basin two-wall-oscillator --set nu=0.9 --grid y=-0.95:0.95:100 --grid w=-3:3:100 --plot basins.png
  saltation basin two-wall-oscillator --set nu=0.9 --random y=-1:1 --random w=-3:3 --count 2000 --seed 7
  saltation basin impact-oscillator --random x=-2:0 --random y=-2:2 --along A=0.33:0.37:41 --plot fractions.svg
  saltation basin impact-oscillator --grid x=-2:0:200 --grid y=-2:2:200 --out basins
  saltation continue impact-oscillator --from basins/attractor-1.json --along A --range 0.33:0.37",
    )
}

/// The largest table of starts, in megabytes.
const LARGEST: u64 = 256;

/// The starts of a table.
fn table(file: &Path) -> Result<Starts, Mistakes> {
    let typed = file.display().to_string();
    let flag = Flag::new("starts", &typed);
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
fn starts(given: Given, asked: Asked, system: &System, wrong: &mut Vec<Mistakes>) -> Starts {
    let random = given.all("random");
    for flag in ["count", "seed"].into_iter().filter_map(|name| given.flag(name)).filter(|_| random.is_empty()) {
        let message = format!("{} is that of random starts, and there are none", flag.name());
        let help = "give ranges of random starts with --random, or leave it out";
        wrong.push(flag.mistake(message, help));
    }
    if let Some(file) = given.file("starts") {
        return collect(table(file), wrong).unwrap_or_default();
    }
    let mut value = |name: &str| asked.value(name, system, wrong);
    if random.is_empty() {
        let axes = value("grid").and_then(|axes| read_value("grid", axes, system).ok()).unwrap_or_default();
        return if Vec::is_empty(&axes) { Starts::Model } else { Starts::Grid(axes) };
    }
    let mut count = |name: &str| value(name).and_then(|count| read_value(name, count, system).ok());
    let (count, seed) = (count("count").unwrap_or(USUAL_COUNT), count("seed").unwrap_or(1));
    let example = format!("{}=-1:1", first(system.state_names(), "x"));
    let read = |text: &&str| collect(axis::range(Flag::new("random", text), &example, system), wrong);
    Starts::Random { ranges: random.iter().filter_map(read).collect(), count, seed }
}

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let system = input::read_numbers(given, &mut wrong)?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let asked = Asked::new(given, "basin", "basin");
    let starts = starts(given, asked, &system, &mut wrong);
    let (request, folder): (Request, _) = recorded(asked, given, &system, &mut wrong);
    let request = Request { starts, ..request };
    input::figure_file(given, "plot", &mut wrong);
    if wrong.is_empty() {
        let refusals = gather(request.refusals(&system), &mut wrong).unwrap_or_default();
        wrong.extend(refusals.iter().map(refused));
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut search = system.basin();
    (search.request, search.folder, search.records) = (request, folder, given.is("json"));
    search.threads = input::threads(given);
    let mut progress = Progress::begin(given.is("quiet"));
    let found = search.run_with(&mut progress).map_err(driver::trouble)?;
    progress.finish();
    deliver(given, &found, Ok(()), |found| found.figure(), Vec::new(), resumable(given))
}
