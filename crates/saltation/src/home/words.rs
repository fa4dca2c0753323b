//! A request as the words of its command.

use crate::text::number::exact;
use saltation_sweep::Axis;
use serde_json::{Map, Value};

/// Fields that are not flags: what a face needs to draw, which the command keeps for its own figure.
const DRAWN: [&str; 3] = ["path", "all_events", "records"];

/// The flags of the fields of a request, in their order.
pub(crate) fn flags(fields: &Map<String, Value>) -> Vec<String> {
    let mut words = Vec::new();
    let given = fields.iter().filter(|(name, value)| !value.is_null() && !DRAWN.contains(&name.as_str()));
    for (name, value) in given {
        let flag = format!("--{}", name.replace('_', "-"));
        let mut put = |flag: &str, value: String| words.extend([flag.to_string(), value]);
        match (name.as_str(), value) {
            ("at_least", _) => {}
            ("range", Value::Array(ends)) => {
                let points = fields.get("at_least").filter(|points| !points.is_null());
                let all: Vec<String> = ends.iter().chain(points).map(scalar).collect();
                put(&flag, all.join(":"));
            }
            ("periods" | "range1", Value::Array(ends)) => put(&flag, joined(ends, ":")),
            ("at", Value::Array(place)) => put(&flag, joined(place, ":")),
            ("map", Value::Array(axes)) => axes.iter().for_each(|axis| put(&flag, counted(axis))),
            ("critical", Value::Object(axis)) => put(&flag, ends(axis)),
            ("passages", Value::Array(plane)) => {
                put("--plane", joined(plane, ","));
                put("--plot", "section.svg".to_string());
            }
            ("starts", Value::Object(starts)) => of_starts(starts, &mut put),
            (_, Value::Object(_)) => axis(value).into_iter().for_each(|text| put(&flag, text)),
            (_, Value::Array(list)) if list.iter().any(Value::is_object) => {
                list.iter().filter_map(axis).for_each(|text| put(&flag, text));
            }
            (_, Value::Array(list)) => put(&flag, joined(list, ",")),
            (_, Value::Bool(true)) => words.push(flag),
            (_, Value::Bool(false)) => {}
            (_, value) => put(&flag, scalar(value)),
        }
    }
    words
}

/// The words of a map of names to numbers or formulas, each with a flag.
pub(crate) fn pairs<'a>(flag: &'a str, values: &'a Map<String, Value>) -> impl Iterator<Item = String> + 'a {
    values.iter().flat_map(move |(name, value)| [flag.to_string(), format!("{name}={}", scalar(value))])
}

fn of_starts(starts: &Map<String, Value>, put: &mut dyn FnMut(&str, String)) {
    if let Some(Value::Array(axes)) = starts.get("grid") {
        axes.iter().filter_map(axis).for_each(|text| put("--grid", text));
    }
    if let Some(Value::Object(random)) = starts.get("random") {
        let ranges = random.get("ranges").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_array);
        for range in ranges.filter(|range| range.len() == 3) {
            put("--random", format!("{}={}:{}", scalar(&range[0]), scalar(&range[1]), scalar(&range[2])));
        }
        for name in ["count", "seed"] {
            random.get(name).into_iter().for_each(|value| put(&format!("--{name}"), scalar(value)));
        }
    }
}

fn axis(value: &Value) -> Option<String> {
    serde_json::from_value::<Axis>(value.clone()).ok().map(|axis| axis_text(&axis))
}

/// An axis of a map: `NAME=LO:HI:N`.
fn counted(axis: &Value) -> String {
    let part = |name: &str| scalar(&axis[name]);
    format!("{}={}:{}:{}", part("name"), part("low"), part("high"), part("count"))
}

fn ends(axis: &Map<String, Value>) -> String {
    let part = |name: &str| axis.get(name).map(scalar).unwrap_or_default();
    format!("{}={}:{}", part("name"), part("low"), part("high"))
}

fn joined(list: &[Value], between: &str) -> String {
    list.iter().map(scalar).collect::<Vec<_>>().join(between)
}

/// A number with all its digits, or a text.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => exact(number.as_f64().unwrap_or(f64::NAN)),
        other => other.to_string(),
    }
}

/// An axis as the value of a flag.
pub(crate) fn axis_text(axis: &Axis) -> String {
    let name = axis.name();
    let value = serde_json::to_value(axis).unwrap_or_default();
    let number = |value: &Value| exact(value.as_f64().unwrap_or(f64::NAN));
    match value["range"].as_array() {
        Some(range) => {
            let log = if axis.is_logarithmic() { ":log" } else { "" };
            format!("{name}={}:{}:{}{log}", number(&range[0]), number(&range[1]), axis.len())
        }
        None => {
            let list: Vec<String> = value["values"].as_array().into_iter().flatten().map(number).collect();
            format!("{name}={}", list.join(","))
        }
    }
}

/// The command as it is typed.
pub(crate) fn command(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("saltation {}", quoted.join(" "))
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.:,/+%@".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
