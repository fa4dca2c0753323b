//! `saltation sweep`: flags, and their translation to a request.

use crate::axis;
use crate::driver::{self, deliver};
use crate::flag::{Flag, collect, cut, gather, refused};
use crate::input::{self, Shared};
use crate::outcome::{Outcome, Trouble};
use crate::progress::Progress;
use clap::Args;
use saltation::sweep::{Carry, Request, Shown};
use saltation::tasks::{Exponents, Format, Method};
use saltation::{Folder, Mistakes, System};
use std::path::PathBuf;

/// How every motion of many is computed and recorded, and where it is stored.
#[derive(Debug, Args)]
pub(crate) struct Recorded {
    /// Transient: number of returns before the record [default: 200]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub settle: Option<String>,
    /// Number of returns that are recorded [default: 100]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub record: Option<String>,
    /// The section at which returns are recorded [default: the phase of the forcing, else the only section]
    #[arg(long, value_name = "NAME")]
    pub section: Option<String>,
    /// Record Lyapunov exponents: none, largest or all [default: none]
    #[arg(long, value_name = "WHICH")]
    pub exponents: Option<String>,
    /// Record the least and the greatest value of states, or of the gaps of contacts
    #[arg(long, value_name = "NAME,..")]
    pub extremes: Option<String>,
    /// Method for smooth motions: `exact` for linear models, or `taylor` for all [default: exact for linear models, but Taylor steps for large structures]
    #[arg(long, value_name = "HOW")]
    pub flow: Option<String>,
    /// Finish what the folder of --out holds
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Compute part I of N, to be joined by `saltation merge`
    #[arg(long, value_name = "I/N", requires = "out", allow_hyphen_values = true)]
    pub part: Option<String>,
    /// Format of the tables of --out: parquet or csv [default: parquet]
    #[arg(long, value_name = "FORMAT", requires = "out")]
    pub format: Option<String>,
}

/// Record motions at many values of one or two parameters: bifurcation diagrams and maps
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  saltation sweep impact-oscillator --along A=0.34:0.37:600 --settle 400 --plot diagram.png
  saltation sweep impact-oscillator --along A=0.34:0.37:600 --carry down --ordinate impact_speed --plot down.svg
  saltation sweep relief-valve --along q=0.2:10:1000 --extremes y1 --ordinate max:y1 --plot valve.png
  saltation sweep impact-oscillator --along A=0.3:0.5:200 --along omega=0.7:0.9:200 --out map --plot map.png
  saltation sweep impact-oscillator --along A=0.3:0.5:200 --along omega=0.7:0.9:200 --out map --resume")]
pub(crate) struct Sweep {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// The parameter and its values; a second one makes a map. LO:HI:N:log has equal ratios; A,B,C is a list
    #[arg(long, value_name = "NAME=LO:HI:N", allow_hyphen_values = true)]
    pub along: Vec<String>,
    /// Begin each motion where the one before ended: up, down or none [default: none]
    #[arg(long, value_name = "HOW")]
    pub carry: Option<String>,
    /// The record of every motion, and the folder.
    #[command(flatten)]
    pub recorded: Recorded,
    /// Draw the diagram or the map to this file (.svg, .pdf or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// The quantity drawn: a state, impact_speed, exponent, period, min:NAME or max:NAME [default: the first state; the period in a map]
    #[arg(long, value_name = "WHAT", requires = "plot")]
    pub ordinate: Option<String>,
    /// Lay a branch or a curve over the figure: the output of `continue --json` or `curve --json` (repeatable)
    #[arg(long, value_name = "FILE", requires = "plot")]
    pub overlay: Vec<PathBuf>,
}

/// One of a few words of a flag.
pub(crate) fn word<T: Copy>(
    name: &'static str,
    typed: Option<&String>,
    words: &[(&str, T)],
    wrong: &mut Vec<Mistakes>,
) -> Option<T> {
    let text = typed?;
    let found = words.iter().find(|(word, _)| word == text).map(|(_, value)| *value);
    if found.is_none() {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let message = format!("{name} is {}, not `{}`", known.join(" or "), cut(text));
        wrong.push(Flag::new(name, text).mistake(message, format!("write for example {name} {}", known[0])));
    }
    found
}

/// The method of the flags.
pub(crate) fn method(shared: &Shared, flags: &Recorded, system: &System, wrong: &mut Vec<Mistakes>) -> Method {
    let default = Method::default();
    let settle = flags.settle.as_ref().map(|text| Flag::new("--settle", text).count_between(0, u64::MAX));
    let exponents = Exponents::ALL.map(|which| (which.name(), which));
    let names = flags.extremes.iter().flat_map(|names| names.split(','));
    Method {
        settle: settle.and_then(|settle| collect(settle, wrong)).unwrap_or(default.settle),
        record: input::count("--record", flags.record.as_ref(), wrong).unwrap_or(default.record),
        section: flags.section.clone(),
        exponents: word("--exponents", flags.exponents.as_ref(), &exponents, wrong).unwrap_or_default(),
        extremes: names.map(|name| name.trim().to_string()).collect(),
        flow: input::flow(flags.flow.as_ref(), wrong),
        tol: input::tolerance(shared, system, default.tol, wrong),
        policy: input::policy(shared, wrong),
    }
}

/// The folder of `--out`.
pub(crate) fn folder(shared: &Shared, flags: &Recorded, wrong: &mut Vec<Mistakes>) -> Option<Folder> {
    let mut folder = Folder::new(shared.out.as_ref()?);
    folder.resumes = flags.resume;
    let formats = [("parquet", Format::Parquet), ("csv", Format::Csv)];
    folder.format = word("--format", flags.format.as_ref(), &formats, wrong).unwrap_or(folder.format);
    match flags.part.as_ref() {
        None => Some(folder),
        Some(part) => gather(folder.part(part), wrong),
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Sweep) -> Outcome {
    let Sweep { shared, recorded, .. } = arguments;
    let mut wrong = Vec::new();
    let system = input::read_numbers(shared, &mut wrong)?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let first = system.parameter_names().first().cloned().unwrap_or_else(|| "p".to_string());
    let example = format!("{first}=0.1:0.9:100");
    let read = |text: &String| axis::read(Flag::new("--along", text), &example, &system);
    let along: Vec<_> = arguments.along.iter().filter_map(|text| collect(read(text), &mut wrong)).collect();
    let carry = Carry::ALL.map(|carry| (carry.name(), carry));
    let request = Request {
        carry: word("--carry", arguments.carry.as_ref(), &carry, &mut wrong).unwrap_or_default(),
        method: method(shared, recorded, &system, &mut wrong),
        along,
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
    let mut sweep = system.sweep();
    (sweep.request, sweep.folder, sweep.records) = (request, folder, shared.json);
    sweep.threads = input::threads(shared);
    let shown = Shown { quantity: arguments.ordinate.clone(), overlays: arguments.overlay.clone() };
    let mut progress = Progress::begin(shared.quiet);
    let swept = sweep.run_with(&mut progress).map_err(driver::trouble)?;
    progress.finish();
    let files = shared.out.as_ref().map(|folder| format!("{}; --resume finishes it", folder.display()));
    deliver(shared, arguments.plot.as_deref(), &swept, Ok(()), |swept| swept.figure(&shown), Vec::new(), files)
}
