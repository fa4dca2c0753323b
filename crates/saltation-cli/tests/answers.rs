//! The answers to stored questions stay what they were: every question of `validation/answers/questions.txt` is asked again and its
//! JSON compared with the stored answer, keys and words exactly, numbers to the byte on the machine that stored them.
//!
//! Another processor may compute other last digits. Numbers may therefore differ by rounding; with `SALTATION_ANSWERS=bytes` they may not,
//! and with `SALTATION_ANSWERS=store` the answers are stored anew.

use crate::common::{Folder, saltation};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// How far numbers may lie apart, relative to their size and to that of their answer's entry: rounding, magnified by what an answer computes.
const ROUNDING: f64 = 1e-9;

fn stored() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../validation/answers")
}

/// The questions: a name and the words of a command, in which `@NAME` is the file of an earlier answer.
fn questions() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(stored().join("questions.txt")).unwrap();
    let question = |line: &str| {
        let (name, words) = line.split_once(": ").unwrap();
        (name.to_string(), words.split_whitespace().map(str::to_string).collect())
    };
    text.lines().filter(|line| !line.is_empty()).map(question).collect()
}

/// The answers of this program to all questions, by name.
fn ask(folder: &Folder) -> Vec<(String, String)> {
    // The name of a file is part of an answer, so that it is the same in every folder.
    let file = |name: &str| format!("{name}.json");
    let mut answers = Vec::new();
    for (name, words) in questions() {
        let words: Vec<String> = words.iter().map(|word| word.strip_prefix('@').map_or(word.clone(), &file)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).chain(["--json"]).collect();
        let output = saltation(&words).current_dir(&folder.0).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{name}: {said}");
        let answer = String::from_utf8(output.stdout).unwrap();
        std::fs::write(folder.path(&file(&name)), &answer).unwrap();
        answers.push((name, answer));
    }
    answers
}

/// Where two answers differ, by more than rounding; the fingerprint of a model depends on how it is computed, and how many iterations it takes until
/// only rounding is left, on rounding.
fn difference(place: &str, old: &Value, new: &Value, bytes: bool) -> Option<String> {
    match (old, new) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = |object: &serde_json::Map<String, Value>| object.keys().cloned().collect::<Vec<_>>();
            if keys(a) != keys(b) {
                return Some(format!("{place}: the keys were {:?} and are {:?}", keys(a), keys(b)));
            }
            let pairs = a.iter().filter(|(key, _)| !["fingerprint", "iterations"].contains(&key.as_str()));
            pairs.map(|(key, x)| difference(&format!("{place}.{key}"), x, &b[key], bytes)).find_map(|found| found)
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let size = a.iter().filter_map(Value::as_f64).fold(0.0, |size: f64, x| size.max(x.abs()));
            let pairs = a.iter().zip(b).enumerate();
            let far = |(i, (x, y)): (usize, (&Value, &Value))| match (x.as_f64(), y.as_f64()) {
                (Some(p), Some(q)) if !bytes && (p - q).abs() <= ROUNDING * size => None,
                _ => difference(&format!("{place}[{i}]"), x, y, bytes),
            };
            pairs.map(far).find_map(|found| found)
        }
        (Value::Number(_), Value::Number(_)) if !bytes => {
            let (x, y) = (old.as_f64()?, new.as_f64()?);
            let near = (x - y).abs() <= ROUNDING * x.abs().max(1.0);
            (!near).then(|| format!("{place}: {x} became {y}"))
        }
        _ if old == new => None,
        _ => Some(format!("{place}: {old} became {new}")),
    }
}

/// All keys of a JSON text in their order; no word of an answer holds a quoted word with a colon.
fn keys(text: &str) -> Vec<&str> {
    let ends = text.match_indices("\":").map(|(end, _)| &text[..end]);
    ends.filter_map(|before| before.rfind('"').map(|begin| &before[begin + 1..])).collect()
}

#[test]
fn answers_are_what_they_were() {
    let folder = Folder::new("answers");
    let asked = std::env::var("SALTATION_ANSWERS").unwrap_or_default();
    for (name, answer) in ask(&folder) {
        let file = stored().join(format!("{name}.json"));
        if asked == "store" {
            std::fs::write(&file, &answer).unwrap();
            continue;
        }
        let old = std::fs::read_to_string(&file).unwrap();
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(difference(&name, &read(&old), &read(&answer), asked == "bytes"), None);
        assert!(keys(&old) == keys(&answer), "{name}: the keys are the same in another order");
    }
}
