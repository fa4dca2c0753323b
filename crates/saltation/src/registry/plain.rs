//! Values of requests before their types are known: numbers, texts, lists and mappings, as JSON and as Python have them.

use crate::text::cut;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

/// Named values: the fields of a request.
pub type Fields = Vec<(String, Plain)>;

/// A value of a request, before its type is known.
#[derive(Debug, Clone, PartialEq)]
pub enum Plain {
    /// No value; a field with it counts as not given.
    Nothing,
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Whole(i128),
    /// A number.
    Number(f64),
    /// A text; where a number is needed, a formula of parameters.
    Text(String),
    /// Values in their order.
    List(Vec<Plain>),
    /// Named values in their order.
    Map(Fields),
}

impl Plain {
    /// What it is, in words.
    pub fn describe(&self) -> String {
        match self {
            Plain::Nothing => "nothing".to_string(),
            Plain::Flag(flag) => if *flag { "true" } else { "false" }.to_string(),
            Plain::Whole(number) => format!("the whole number {number}"),
            Plain::Number(number) => format!("the number {number}"),
            Plain::Text(text) => format!("the text `{}`", cut(text)),
            Plain::List(list) => format!("a list of {}", list.len()),
            Plain::Map(_) => "a mapping".to_string(),
        }
    }
}

/// From JSON.
impl From<Value> for Plain {
    fn from(value: Value) -> Plain {
        match value {
            Value::Null => Plain::Nothing,
            Value::Bool(flag) => Plain::Flag(flag),
            Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(whole), _) => Plain::Whole(whole.into()),
                (None, Some(whole)) => Plain::Whole(whole.into()),
                _ => Plain::Number(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Plain::Text(text),
            Value::Array(list) => Plain::List(list.into_iter().map(Plain::from).collect()),
            Value::Object(map) => Plain::Map(map.into_iter().map(|(name, value)| (name, value.into())).collect()),
        }
    }
}

/// As JSON: numbers that are not finite are `null`.
impl Serialize for Plain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Plain::Nothing => serializer.serialize_unit(),
            Plain::Flag(flag) => serializer.serialize_bool(*flag),
            Plain::Whole(number) => match i64::try_from(*number) {
                Ok(number) => serializer.serialize_i64(number),
                Err(_) => serializer.serialize_f64(*number as f64),
            },
            Plain::Number(number) => serializer.serialize_f64(*number),
            Plain::Text(text) => serializer.serialize_str(text),
            Plain::List(list) => {
                let mut sequence = serializer.serialize_seq(Some(list.len()))?;
                list.iter().try_for_each(|one| sequence.serialize_element(one))?;
                sequence.end()
            }
            Plain::Map(map) => {
                let mut object = serializer.serialize_map(Some(map.len()))?;
                map.iter().try_for_each(|(key, value)| object.serialize_entry(key, value))?;
                object.end()
            }
        }
    }
}
