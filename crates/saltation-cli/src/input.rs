//! The flags that all questions share: the model, its parameters and start values, the tolerance, and the output.

use crate::flag::{Flag, collect, cut, gather};
use crate::outcome::Trouble;
use clap::Args;
use saltation::layers::model::{Mistake, Mistakes, Model, Overrides, gallery};
use saltation::{Error, FlowChoice, Policy, System};
use std::path::{Path, PathBuf};

/// The flags that all questions about a model share.
#[derive(Debug, Args)]
pub(crate) struct Shared {
    /// A model file, or the name of a model of the gallery
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// Set a parameter to a number or a formula of parameters (repeatable)
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Set the start value of a state (repeatable)
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub start: Vec<String>,
    /// Tolerance: local error of one step relative to the size of the state [default: 1e-12]
    #[arg(long, value_name = "TOLERANCE", allow_hyphen_values = true)]
    pub tol: Option<String>,
    /// Choice where several contact modes are consistent (rigid bodies with friction): persist, lift_off or impact [default: persist]
    #[arg(long, value_name = "POLICY", allow_hyphen_values = true)]
    pub policy: Option<String>,
    /// Number of processor threads; a single motion uses one
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub threads: Option<String>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
    /// Write tables and a run.json, from which the run can be repeated, to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print only requested tables and errors: no report, no notes, no progress
    #[arg(long)]
    pub quiet: bool,
}

/// Reads the model and its numbers, checked for a motion from the start. Mistakes in flags are collected, so that all are shown
/// together.
///
/// # Errors
/// Mistakes that prevent everything else from being read: those of the model and its numbers.
pub(crate) fn read(shared: &Shared, wrong: &mut Vec<Mistakes>) -> Result<System, Trouble> {
    read_from(shared, |_, _| Ok(Overrides::default()), wrong)
}

/// The same for a question that does not begin at the start: the start is not checked, and structures may be too large to be simulated.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_numbers(shared: &Shared, wrong: &mut Vec<Mistakes>) -> Result<System, Trouble> {
    read_by(shared, |_| Ok(()), |_, _| Ok(Overrides::default()), wrong)
}

/// The same from another start: from the model and the settings of the flags, `origin` returns the values of further parameters
/// and the start values of further states as formulas.
///
/// # Errors
/// As [`read`], and those of the origin.
pub(crate) fn read_from(
    shared: &Shared,
    origin: impl FnOnce(&Model, &Overrides) -> Result<Overrides, Error>,
    wrong: &mut Vec<Mistakes>,
) -> Result<System, Trouble> {
    read_by(shared, |system| system.values().map(|_| ()), origin, wrong)
}

/// The same with another check of the numbers.
fn read_by(
    shared: &Shared,
    check: impl FnOnce(&System) -> Result<(), Error>,
    origin: impl FnOnce(&Model, &Overrides) -> Result<Overrides, Error>,
    wrong: &mut Vec<Mistakes>,
) -> Result<System, Trouble> {
    let model = find(&shared.model)?;
    let set = assignments("--set", &shared.set, wrong);
    let settings = Overrides { set, start: assignments("--start", &shared.start, wrong) };
    let origin = gather(origin(&model, &settings), wrong).unwrap_or_default();
    if let Some(threads) = &shared.threads {
        collect(Flag::new("--threads", threads).count(), wrong);
    }
    let system = System::with_origin(model, settings, &origin).map_err(Error::from);
    let system = system.and_then(|system| check(&system).map(|()| system));
    gather(system, wrong).ok_or_else(|| Trouble::Input(std::mem::take(wrong)))
}

/// A model by its path or else by its name in the gallery.
pub(crate) fn find(name: &str) -> Result<Model, Mistakes> {
    let path = Path::new(name);
    if path.exists() {
        return Model::read(path);
    }
    if let Some(text) = gallery::find(name) {
        return Model::parse(text, &format!("{name}.toml (gallery)"));
    }
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
    let is_path = name.contains(['/', '\\']) || name.ends_with(".toml");
    let message = match is_path {
        true => format!("there is no file `{}`", cut(name)),
        false => format!("there is no file `{0}` and no model `{0}` in the gallery", cut(name)),
    };
    let mistake = Mistake::general(message).help(saltation::suggestion(stem));
    Err(Mistakes { file: name.to_string(), text: String::new(), list: vec![mistake] })
}

fn assignments(flag: &'static str, typed: &[String], wrong: &mut Vec<Mistakes>) -> Vec<(String, String)> {
    let read = typed.iter().filter_map(|text| collect(Flag::new(flag, text).assignment(), wrong));
    read.collect()
}

/// The number of `--threads`, which was checked with the other shared flags.
pub(crate) fn threads(shared: &Shared) -> Option<usize> {
    shared.threads.as_ref().and_then(|text| text.trim().parse().ok())
}

/// The number of `--tol`; the default where it is not given or not a number.
pub(crate) fn tolerance(shared: &Shared, system: &System, default: f64, wrong: &mut Vec<Mistakes>) -> f64 {
    let typed = shared.tol.as_ref().map(|text| Flag::new("--tol", text).number(system));
    typed.and_then(|typed| collect(typed, wrong)).unwrap_or(default)
}

/// The policy of `--policy`.
pub(crate) fn policy(shared: &Shared, wrong: &mut Vec<Mistakes>) -> Policy {
    let typed = shared.policy.as_ref().map(|text| {
        let flag = Flag::new("--policy", text);
        Policy::ALL.into_iter().find(|policy| policy.name() == text).ok_or_else(|| {
            let help = "write persist (contact lasts), lift_off (it opens) or impact (an impact without collision)";
            flag.mistake(format!("there is no policy `{}`", cut(text)), help)
        })
    });
    typed.and_then(|policy| collect(policy, wrong)).unwrap_or_default()
}

/// The method for smooth motions, by `--flow`.
pub(crate) fn flow(typed: Option<&String>, wrong: &mut Vec<Mistakes>) -> FlowChoice {
    let read = typed.map(|text| match text.as_str() {
        "exact" => Ok(FlowChoice::Exact),
        "taylor" => Ok(FlowChoice::Taylor),
        other => Err(Flag::new("--flow", text).mistake(
            format!("--flow is `exact` or `taylor`, not `{}`", cut(other)),
            "without this flag linear models use the exact flow, and others Taylor steps",
        )),
    });
    read.and_then(|flow| collect(flow, wrong)).unwrap_or_default()
}

/// The number of a flag that may be a formula.
pub(crate) fn number(
    name: &'static str,
    typed: Option<&String>,
    system: &System,
    wrong: &mut Vec<Mistakes>,
) -> Option<f64> {
    let read = typed.map(|text| Flag::new(name, text).number(system));
    read.and_then(|number| collect(number, wrong))
}

/// The whole number of a flag, one or more.
pub(crate) fn count(name: &'static str, typed: Option<&String>, wrong: &mut Vec<Mistakes>) -> Option<u64> {
    let read = typed.map(|text| Flag::new(name, text).count());
    read.and_then(|count| collect(count, wrong))
}

/// Checks the file of a figure: its extension gives the format, and its folder must exist.
pub(crate) fn figure_file(path: Option<&PathBuf>, wrong: &mut Vec<Mistakes>) {
    figure_file_of("--plot", path, wrong);
}

/// The same for another flag than `--plot`.
pub(crate) fn figure_file_of(name: &'static str, path: Option<&PathBuf>, wrong: &mut Vec<Mistakes>) {
    let Some(path) = path else { return };
    let typed = path.display().to_string();
    let flag = Flag::new(name, &typed);
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    wrong.extend(if !ending.as_deref().is_some_and(|ending| ["svg", "pdf", "png"].contains(&ending)) {
        Some(
            flag.mistake(
                "the name of a figure ends in .svg, .pdf or .png",
                format!("write for example {name} motion.svg"),
            ),
        )
    } else if !folder.is_dir() {
        let message = format!("there is no folder `{}`", folder.display());
        Some(flag.mistake(message, "create it first, or choose another"))
    } else if path.is_dir() {
        Some(flag.mistake("this is a folder, not a file", "name a file in it"))
    } else {
        None
    });
}

/// The two names of `--plane`.
pub(crate) fn plane(text: &str, wrong: &mut Vec<Mistakes>) -> Option<[String; 2]> {
    let Some((first, second)) = text.split_once(',') else {
        let flag = Flag::new("--plane", text);
        wrong.push(flag.mistake("two names with a comma between them are needed", "write for example --plane x,y"));
        return None;
    };
    Some([first.to_string(), second.to_string()])
}
