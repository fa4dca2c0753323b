//! A request as the words of its command.

use crate::field::{Kind, Of};
use crate::registry::QUESTIONS;
use crate::text::number::exact;
use saltation_sweep::Axis;
use serde_json::{Map, Value};

/// The flags of the fields of a request, in their order. What a face needs to draw is no flag: the command knows it by its own figures.
pub(crate) fn flags(question: &str, fields: &Map<String, Value>) -> Vec<String> {
    let mut words = Vec::new();
    let known = || QUESTIONS.iter().filter(|known| known.name == question).flat_map(|known| known.fields());
    let of = |(name, value)| known().find(|field| field.name == name).map(|field| (field, value));
    let given = fields.iter().map(|(name, value)| (name.as_str(), value)).filter(|(_, value)| !value.is_null());
    for (field, value) in given.filter_map(of) {
        let flag = field.flag_name();
        let mut put = |flag: &str, value: String| words.extend([flag.to_string(), value]);
        match (field.kind, value) {
            (Kind::Pair { .. }, Value::Array(plane)) if field.name == "passages" => {
                put("--plane", joined(plane, ","));
                put("--plot", "section.svg".to_string());
            }
            _ if !field.flag => {}
            (Kind::Range { count }, Value::Array(ends)) => {
                let points = count.and_then(|count| fields.get(count)).filter(|points| !points.is_null());
                put(&flag, ends.iter().chain(points).map(scalar).collect::<Vec<_>>().join(":"));
            }
            (Kind::Position, Value::Array(place)) => put(&flag, joined(place, ":")),
            (Kind::Positions, Value::Array(places)) => places.iter().for_each(|place| match place {
                Value::Array(place) => put(&flag, joined(place, ":")),
                place => put(&flag, scalar(place)),
            }),
            (Kind::Axis { of: Of::Either }, Value::Array(axes)) => {
                axes.iter().for_each(|axis| put(&flag, counted(axis)));
            }
            (Kind::Ends { .. }, Value::Object(axis)) => put(&flag, ends(axis)),
            (Kind::Data, _) => put(&flag, "data.csv".to_string()),
            (Kind::Texts, Value::Array(list)) => list.iter().for_each(|text| put(&flag, scalar(text))),
            (Kind::Starts, Value::Object(starts)) => of_starts(starts, &mut put),
            (Kind::Axis { .. }, Value::Array(list)) => list.iter().filter_map(axis).for_each(|text| put(&flag, text)),
            (Kind::Axis { .. }, _) => axis(value).into_iter().for_each(|text| put(&flag, text)),
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
    if starts.contains_key("list") {
        put("--starts", "starts.csv".to_string());
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
fn axis_text(axis: &Axis) -> String {
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
