//! A request with those that it begins at, as commands and as Python.

use crate::export::python::python;
use crate::export::words::{command, flags, pairs};
use crate::session::Entry;
use serde::Serialize;
use serde_json::Value;

/// How a request is repeated without the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Export {
    /// Commands for a shell, one after the other.
    pub command: Vec<String>,
    /// A program in Python.
    pub python: String,
}

/// What a question of the session is as a command, with the words that select it.
fn named(entry: &Entry) -> (&str, &'static [&'static str]) {
    match entry.question.as_str() {
        "stepping" => ("simulate", &["--method", "moreau"]),
        "continue_equilibrium" => ("continue", &["--equilibrium"]),
        other => (other, &[]),
    }
}

/// The words of a command for a request with these fields of others before its own.
fn words(model: &str, entry: &Entry, numbers: &Entry, before: Vec<String>) -> Vec<String> {
    let (name, selected) = named(entry);
    let mut words = vec![name.to_string(), model.to_string()];
    words.extend(pairs("--set", &numbers.set).chain(pairs("--start", &numbers.start)));
    words.extend(selected.iter().map(|word| (*word).to_string()));
    words.extend(before);
    let mut fields = entry.fields.clone();
    if fields.get("guess").is_some_and(Value::is_object) {
        fields.insert("guess".to_string(), "guess.json".into());
    }
    words.extend(flags(&entry.question, &fields));
    words
}

/// The request `last` of a session, with the requests that it begins at, the nearest first. `model` is the name of a model of the gallery or of a file.
pub(crate) fn export(last: &Entry, origins: &[&Entry], model: &str, of_gallery: bool) -> Export {
    let guess = |entry: &Entry| match entry.fields.get("guess") {
        Some(guess @ Value::Object(_)) => {
            vec![format!("printf '%s' '{}' > guess.json", guess.to_string().replace('\'', "'\\''"))]
        }
        _ => Vec::new(),
    };
    let stored = |export: Export, file: &str, words: Vec<String>| {
        let mut commands = export.command;
        if let Some(line) = commands.last_mut() {
            line.push_str(&format!(" --json > {file}"));
        }
        commands.push(command(&words));
        Export { command: commands, python: python(&words, of_gallery).unwrap_or_default() }
    };
    let Some((origin, further)) = origins.split_first() else {
        let words = words(model, last, last, Vec::new());
        let mut commands = guess(last);
        commands.push(command(&words));
        return Export { command: commands, python: python(&words, of_gallery).unwrap_or_default() };
    };
    let plain = further.is_empty() && !origin.fields.contains_key("guess");
    match last.question.as_str() {
        // A command searches for the orbit or the equilibrium itself.
        "continue" | "continue_equilibrium" if plain => {
            let words = words(model, last, origin, flags(&origin.question, &origin.fields));
            Export { command: vec![command(&words)], python: python(&words, of_gallery).unwrap_or_default() }
        }
        "curve" => {
            let branch = export(origin, further, model, of_gallery);
            let from = vec!["--from".to_string(), "branch.json".to_string()];
            let program = branch.python.clone();
            let export = stored(branch, "branch.json", words(model, last, last, from));
            let line = export.python.lines().last().unwrap_or_default();
            Export { python: format!("{program}\n{line}"), ..export }
        }
        question => {
            let flag = if question == "orbit" { "--guess" } else { "--from" };
            // Each orbit of a chain has a file of its own.
            let file = match further.len() {
                0 => "orbit.json".to_string(),
                before => format!("orbit{}.json", before + 1),
            };
            let from = vec![flag.to_string(), file.clone()];
            stored(export(origin, further, model, of_gallery), &file, words(model, last, last, from))
        }
    }
}
