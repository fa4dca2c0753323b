//! Reads stored answers: one JSON object, or a message that names the fault of the file.

use crate::error::{Error, Refusal};
use crate::text::cut;
use crate::text::number::exact;
use saltation_model::{Mistake, Mistakes, Model, Overrides};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A file that a request names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsonFile {
    /// The field of the request.
    pub field: &'static str,
    /// The largest file, in megabytes.
    pub largest: u64,
    /// The contents of such a file, for messages.
    pub what: &'static str,
    /// The expected files, as a help.
    pub meant: &'static str,
}

impl JsonFile {
    /// Reads the file; of a `run.json` only the answer.
    ///
    /// # Errors
    /// If it cannot be read or is not JSON.
    pub(crate) fn read(self, path: &Path) -> Result<Value, Error> {
        let JsonFile { field, largest, what, meant } = self;
        let refused = |message: String| Refusal::new(field, message, meant);
        let bytes =
            content(path, largest << 20).map_err(|error| refused(format!("the file cannot be read: {error}")))?;
        let long = || refused(format!("the file exceeds {largest} megabytes, the limit for {what}"));
        let bytes = bytes.ok_or_else(long)?;
        let text =
            String::from_utf8(bytes).map_err(|_| refused("the file is neither JSON nor text (UTF-8)".to_string()))?;
        serde_json::from_str(&text).map_err(|error| {
            let place = place(&text, error.line(), error.column());
            // The place is shown separately.
            let words = error.to_string();
            let words = words.split(" at line ").next().unwrap_or_default();
            let mistake = Mistake::at(place..place + 1, format!("the file is not JSON: {}", cut(words))).help(meant);
            Mistakes { file: path.display().to_string(), text: text.clone(), list: vec![mistake] }.into()
        })
    }
}

/// The answer in a file: that of a `run.json`, or the whole.
pub(crate) fn answer(value: &Value) -> &Value {
    value.get("answer").filter(|answer| answer.is_object()).unwrap_or(value)
}

/// The numbers of an object, by name.
pub(crate) fn numbers(object: &Map<String, Value>) -> Vec<(String, f64)> {
    object.iter().filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect()
}

/// A mistake if the file was written for another model: of another name, or with another text.
pub(crate) fn same_model(field: &'static str, whole: &Value, model: &Model, help: &str) -> Result<(), Refusal> {
    let answer = answer(whole);
    let name = answer.get("model").and_then(Value::as_str);
    if let Some(name) = name.filter(|name| *name != model.name) {
        let message = format!("the file belongs to another model: {}, not {}", cut(name), model.name);
        return Err(Refusal::new(field, message, help));
    }
    let of_run = whole.get("model").and_then(|model| model.get("fingerprint"));
    let fingerprint = answer.get("fingerprint").or(of_run).and_then(Value::as_str);
    let now = model.fingerprint();
    match fingerprint {
        Some(then) if then != now => {
            let message = format!(
                "the model {} has changed since the file was written: its fingerprint was {}, and is {now}",
                model.name,
                cut(then)
            );
            Err(Refusal::new(field, message, help))
        }
        _ => Ok(()),
    }
}

/// The settings that give the parameters of a model these values, besides settings given already, which take precedence. Parameters given by
/// formulas that agree keep them, so that they follow others.
///
/// # Errors
/// If the settings given already have mistakes.
pub(crate) fn settings_for(
    model: &Model,
    given: &Overrides,
    wanted: &[(String, f64)],
) -> Result<Vec<(String, String)>, Mistakes> {
    let mut added: Vec<(String, String)> = Vec::new();
    for &index in &model.parameter_order {
        let name = &model.parameters[index].name;
        let value = wanted.iter().find(|(known, value)| known == name && value.is_finite()).map(|(_, value)| *value);
        let Some(value) = value.filter(|_| !given.set.iter().any(|(set, _)| set == name)) else { continue };
        let set = [&given.set[..], &added].concat();
        let now = model.numbers_with(&Overrides { set, start: Vec::new() })?.parameters()[index];
        if now != value {
            added.push((name.clone(), exact(value)));
        }
    }
    Ok(added)
}

/// The bytes of a file, or nothing if it is too long.
fn content(path: &Path, largest: u64) -> io::Result<Option<Vec<u8>>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    let mut bytes = Vec::new();
    file.take(largest + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= largest).then_some(bytes))
}

/// The byte of a line and a column, both from 1; columns of JSON errors count bytes.
fn place(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column.saturating_sub(1)).min(text.len())
}
