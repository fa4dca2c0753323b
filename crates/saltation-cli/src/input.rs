//! The model with its parameters and start values from the flags that all questions share, and the file of a figure.

use crate::flag::{Flag, collect, cut, gather};
use crate::given::Given;
use crate::outcome::Trouble;
use saltation::layers::model::{Mistake, Mistakes, Model, Overrides, gallery};
use saltation::{Error, System};
use std::path::Path;

/// Reads the model and its numbers, checked for a motion from the start. Mistakes in flags are collected, so that all are shown
/// together.
///
/// # Errors
/// Mistakes that prevent everything else from being read: those of the model and its numbers.
pub(crate) fn read(given: Given, wrong: &mut Vec<Mistakes>) -> Result<System, Trouble> {
    read_from(given, |_, _| Ok(Overrides::default()), wrong)
}

/// The same for a question that does not begin at the start: the start is not checked, and structures may be too large to be simulated.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_numbers(given: Given, wrong: &mut Vec<Mistakes>) -> Result<System, Trouble> {
    read_by(given, |_| Ok(()), |_, _| Ok(Overrides::default()), wrong)
}

/// The same from another start: from the model and the settings of the flags, `origin` returns the values of further parameters
/// and the start values of further states as formulas.
///
/// # Errors
/// As [`read`], and those of the origin.
pub(crate) fn read_from(
    given: Given,
    origin: impl FnOnce(&Model, &Overrides) -> Result<Overrides, Error>,
    wrong: &mut Vec<Mistakes>,
) -> Result<System, Trouble> {
    read_by(given, |system| system.values().map(|_| ()), origin, wrong)
}

/// The same with another check of the numbers.
fn read_by(
    given: Given,
    check: impl FnOnce(&System) -> Result<(), Error>,
    origin: impl FnOnce(&Model, &Overrides) -> Result<Overrides, Error>,
    wrong: &mut Vec<Mistakes>,
) -> Result<System, Trouble> {
    let model = find(given.text("model").unwrap_or_default())?;
    let set = assignments(given, "set", wrong);
    let settings = Overrides { set, start: assignments(given, "start", wrong) };
    let origin = gather(origin(&model, &settings), wrong).unwrap_or_default();
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

fn assignments(given: Given, name: &str, wrong: &mut Vec<Mistakes>) -> Vec<(String, String)> {
    let typed = given.all(name);
    typed.into_iter().filter_map(|text| collect(Flag::new(name, text).assignment(), wrong)).collect()
}

/// The number of `--threads`, which is read with the other fields of a question.
pub(crate) fn threads(given: Given) -> Option<usize> {
    given.text("threads").and_then(|text| text.trim().parse().ok())
}

/// Checks the file of a figure: its extension gives the format, and its folder must exist.
pub(crate) fn figure_file(given: Given, name: &str, wrong: &mut Vec<Mistakes>) {
    let Some(path) = given.file(name) else { return };
    let typed = path.display().to_string();
    let flag = Flag::new(name, &typed);
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    wrong.extend(if !ending.as_deref().is_some_and(|ending| ["svg", "pdf", "png"].contains(&ending)) {
        Some(flag.mistake(
            "the name of a figure ends in .svg, .pdf or .png",
            format!("write for example {} motion.svg", flag.name()),
        ))
    } else if !folder.is_dir() {
        let message = format!("there is no folder `{}`", folder.display());
        Some(flag.mistake(message, "create it first, or choose another"))
    } else if path.is_dir() {
        Some(flag.mistake("this is a folder, not a file", "name a file in it"))
    } else {
        None
    });
}

/// The two names of a flag with a comma between them; `message` and `example` are said where there is none.
pub(crate) fn pair(flag: Flag, message: &str, example: &str, wrong: &mut Vec<Mistakes>) -> Option<[String; 2]> {
    let names = flag.value().split_once(',').map(|(first, second)| [first.to_string(), second.to_string()]);
    if names.is_none() {
        wrong.push(flag.mistake(message, format!("write for example {} {example}", flag.name())));
    }
    names
}

/// The two names of `--plane`.
pub(crate) fn plane(given: Given, wrong: &mut Vec<Mistakes>) -> Option<[String; 2]> {
    pair(given.flag("plane")?, "two names with a comma between them are needed", "x,y", wrong)
}
