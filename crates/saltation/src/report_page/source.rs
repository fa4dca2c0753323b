//! Reads the folder of a run: its description, its answer and its model; each fault of a folder has its own message. Nothing in the folder is changed.

use crate::error::Error;
use crate::report_page::kind::Kind;
use crate::store::files::is_plain;
use crate::store::stored::settings_for;
use crate::system::System;
use crate::text::cut;
use crate::text::number::{exact, short};
use saltation_model::{Mistake, Mistakes, Model, Overrides};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest description or answer that is read, in megabytes.
const LARGEST: u64 = 256;
/// The largest number of folders that a message names.
const MOST_NAMED: usize = 4;
/// The name of the description.
const RUN: &str = "run.json";

/// A folder that was read.
#[derive(Debug)]
pub(crate) struct Source {
    /// The folder.
    pub folder: PathBuf,
    /// Its `run.json`.
    pub run: Value,
    /// The answer; null where there is none, and of sweeps and basins.
    pub answer: Value,
    /// The question.
    pub kind: Kind,
    /// The model with the numbers of the run; or why it cannot be had.
    pub system: Result<System, String>,
    /// What readers of the page must know about the folder.
    pub notes: Vec<String>,
}

impl Source {
    /// Reads a folder.
    ///
    /// # Errors
    /// If there is no folder, no description in it, or a description that is not that of a run; each with what to do.
    pub(crate) fn read(folder: &Path) -> Result<Source, Error> {
        check_folder(folder)?;
        let run = description(folder)?;
        let mut notes = Vec::new();
        notes.extend(other_version(&run));
        let answer = answer(folder, &run, &mut notes);
        let kind = Kind::of(&run, &answer);
        let system = system(&run);
        if let Err(why) = &system {
            let lost = "parameters are shown without their units, and figures that need the model are missing";
            notes.push(format!("the model of this run cannot be used: {why}; {lost}"));
        }
        Ok(Source { folder: folder.to_path_buf(), run, answer, kind, system, notes })
    }

    /// A text of the description.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.run.get(key).and_then(Value::as_str)
    }

    /// The object `model` of the description.
    pub(crate) fn model(&self) -> &Value {
        &self.run["model"]
    }

    /// An entry of the answer, or else of the description.
    pub(crate) fn entry(&self, key: &str) -> Option<&Value> {
        self.answer.get(key).or_else(|| self.run.get(key)).filter(|value| !value.is_null())
    }

    /// The numbers of an object of the description, by name.
    pub(crate) fn numbers(&self, key: &str) -> Vec<(String, f64)> {
        self.run.get(key).and_then(Value::as_object).map(crate::store::stored::numbers).unwrap_or_default()
    }

    /// The files that the description lists and that are files of this folder, by name.
    pub(crate) fn files(&self) -> Vec<&str> {
        let files = self.run.get("files").and_then(Value::as_array);
        files.into_iter().flatten().filter_map(Value::as_str).filter(|name| is_plain(name)).collect()
    }

    /// Whether this run had not ended when its description was written.
    pub(crate) fn is_unfinished(&self) -> bool {
        let never = |key: &str| self.run.get(key).is_some_and(Value::is_null);
        never("wall_time") && !matches!(self.kind, Kind::Sweep | Kind::Basin)
    }
}

/// A mistake about a folder.
fn refused(folder: &Path, message: String, help: impl Into<String>) -> Error {
    let list = vec![Mistake::general(message).help(help.into())];
    Mistakes { file: folder.display().to_string(), text: String::new(), list }.into()
}

fn check_folder(folder: &Path) -> Result<(), Error> {
    let shown = folder.display();
    let help = "name the folder that --out DIR has written";
    match fs::metadata(folder) {
        Ok(entry) if entry.is_dir() => Ok(()),
        Ok(_) if folder.file_name().is_some_and(|name| name == RUN) => {
            let parent = folder.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
            Err(refused(
                folder,
                format!("`{shown}` is a file, not a folder"),
                format!("name its folder: {}", parent.display()),
            ))
        }
        Ok(_) => Err(refused(folder, format!("`{shown}` is a file, not a folder"), help)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(refused(folder, format!("there is no folder `{shown}`"), help))
        }
        Err(error) => {
            Err(refused(folder, format!("the folder `{shown}` cannot be read: {error}"), "check its permissions"))
        }
    }
}

/// The description of a run.
fn description(folder: &Path) -> Result<Value, Error> {
    let file = folder.join(RUN);
    let bytes = match content(&file) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => {
            let message = format!("{} exceeds {LARGEST} megabytes, the limit for a description", file.display());
            return Err(refused(folder, message, "ask the question again with fewer points"));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let message = format!("the folder `{}` holds no run: it has no run.json", folder.display());
            return Err(refused(folder, message, runs_inside(folder)));
        }
        Err(error) => {
            return Err(refused(
                folder,
                format!("{} cannot be read: {error}", file.display()),
                "check its permissions",
            ));
        }
    };
    let text = String::from_utf8(bytes)
        .map_err(|_| refused(folder, format!("{} is not text (UTF-8)", file.display()), REPEAT))?;
    let run: Value = serde_json::from_str(&text).map_err(|error| {
        let message = match error.is_eof() {
            true => format!("{} is cut off in line {}", file.display(), error.line()),
            false => {
                let words = error.to_string();
                let words = words.split(" at line ").next().unwrap_or_default();
                format!("{} is not JSON: {}, in line {}", file.display(), cut(words), error.line())
            }
        };
        refused(folder, message, REPEAT)
    })?;
    if !run["version"].is_string() || !run["model"].is_object() {
        let message = format!("{} was not written by saltation: it names no version and no model", file.display());
        return Err(refused(folder, message, "name the folder that --out DIR has written"));
    }
    Ok(run)
}

const REPEAT: &str = "copy the folder again from where it was computed, or repeat the run with the same --out; its tables are CSV or Parquet files and may still be read";

/// Help for a folder without a description: those inside it that have one.
fn runs_inside(folder: &Path) -> String {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut runs: Vec<PathBuf> = entries.filter(|path| path.join(RUN).is_file()).collect();
    runs.sort();
    let names: Vec<String> = runs.iter().take(MOST_NAMED).map(|path| path.display().to_string()).collect();
    match names.is_empty() {
        true => "name the folder that --out DIR has written; without --out nothing was stored".to_string(),
        false => format!("there are runs inside it: {}", names.join(", ")),
    }
}

/// The bytes of a file, or nothing if it is too long.
fn content(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    let mut bytes = Vec::new();
    file.take((LARGEST << 20) + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= LARGEST << 20).then_some(bytes))
}

fn other_version(run: &Value) -> Option<String> {
    let then = run["version"].as_str()?;
    let now = env!("CARGO_PKG_VERSION");
    let message = format!(
        "this run was written by version {}, and this page by version {now}: tables are shown as they are stored, and what has changed since is missing; \
         repeat the run, or use saltation {} for its page",
        cut(then),
        cut(then)
    );
    (then != now).then_some(message)
}

/// The answer: that of the description, or the file that stands for it.
fn answer(folder: &Path, run: &Value, notes: &mut Vec<String>) -> Value {
    if let Some(answer) = run.get("answer").filter(|answer| !answer.is_null()) {
        return answer.clone();
    }
    // Modes are in a file of their own.
    let files = run.get("files").and_then(Value::as_array);
    let own = files.into_iter().flatten().filter_map(Value::as_str).find(|name| *name == "modes.json");
    let Some(name) = own else { return Value::Null };
    let file = folder.join(name);
    let read = content(&file).map_err(|error| error.to_string());
    let read = read.and_then(|bytes| bytes.ok_or_else(|| format!("it exceeds {LARGEST} megabytes")));
    match read.and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string())) {
        Ok(answer) => answer,
        Err(why) => {
            notes.push(format!("the answer {} cannot be read: {why}", file.display()));
            Value::Null
        }
    }
}

/// The model with the numbers of the run.
fn system(run: &Value) -> Result<System, String> {
    let said = &run["model"];
    let text = said["text"].as_str().ok_or("its text is missing")?;
    let file = said["file"].as_str().or(said["name"].as_str()).unwrap_or("model");
    let named = said["files"].as_array().is_some_and(|files| !files.is_empty());
    // Matrices stand beside the model, and their texts are part of the fingerprint.
    let model = if named { Model::read(file) } else { Model::parse(text, file) };
    let model = model.map_err(|mistakes| {
        let first = mistakes.list.first().map(|mistake| mistake.message.clone()).unwrap_or_default();
        if named { format!("its matrices are not where they were ({first})") } else { first }
    })?;
    let (then, now) = (said["fingerprint"].as_str().unwrap_or_default(), model.fingerprint());
    if then != now {
        return Err("its fingerprint is not that of its text and matrices".to_string());
    }
    let numbers = |key: &str| run[key].as_object().map(crate::store::stored::numbers).unwrap_or_default();
    let first = |mistakes: Mistakes| mistakes.list.first().map(|one| one.message.clone()).unwrap_or_default();
    let set = settings_for(&model, &Overrides::default(), &numbers("parameters")).map_err(first)?;
    let own = model.numbers_with(&Overrides { set: set.clone(), start: Vec::new() }).map_err(first)?;
    let known: Vec<(String, f64)> =
        model.states.iter().map(|state| state.name.clone()).zip(own.start().iter().copied()).collect();
    let differs = |(name, value): &(String, f64)| {
        value.is_finite() && known.iter().any(|(state, now)| state == name && now != value)
    };
    let start = numbers("start").into_iter().filter(differs).map(|(name, value)| (name, exact(value))).collect();
    System::with_settings(model, Overrides { set, start }).map_err(first)
}

/// A number for people.
pub(crate) fn number(x: f64) -> String {
    short(x, 10)
}
