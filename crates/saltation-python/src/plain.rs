//! Plain data from Python objects: numbers, texts, lists and mappings; NumPy scalars and arrays by their `tolist`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// A value of a request, before its type is known.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Plain {
    Nothing,
    Flag(bool),
    Whole(i128),
    Number(f64),
    Text(String),
    List(Vec<Plain>),
    Map(Vec<(String, Plain)>),
}

/// Lists and mappings may be nested this deep.
const DEEPEST: usize = 64;

impl Plain {
    /// The plain data of an object.
    ///
    /// # Errors
    /// An object that is neither a number, a text, a list nor a mapping of these.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Plain> {
        Plain::within(object, DEEPEST)
    }

    fn within(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Plain> {
        if depth == 0 {
            return Err(PyTypeError::new_err("lists are nested too deeply"));
        }
        if object.is_none() {
            return Ok(Plain::Nothing);
        }
        // Truth values are whole numbers in Python, and come first.
        if let Ok(flag) = object.cast::<PyBool>() {
            return Ok(Plain::Flag(flag.is_true()));
        }
        if let Ok(number) = object.cast::<PyFloat>() {
            return Ok(Plain::Number(number.value()));
        }
        if object.is_instance_of::<PyInt>() {
            return Ok(object.extract::<i128>().map_or(Plain::Number(object.extract::<f64>()?), Plain::Whole));
        }
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Plain::Text(text.to_cow()?.into_owned()));
        }
        if let Ok(list) = object.cast::<PyList>() {
            return Ok(Plain::List(list.iter().map(|one| Plain::within(&one, depth - 1)).collect::<PyResult<_>>()?));
        }
        if let Ok(list) = object.cast::<PyTuple>() {
            return Ok(Plain::List(list.iter().map(|one| Plain::within(&one, depth - 1)).collect::<PyResult<_>>()?));
        }
        if let Ok(map) = object.cast::<PyDict>() {
            let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
                let key: String = key.extract().map_err(|_| PyTypeError::new_err("the names of a mapping are texts"))?;
                Ok((key, Plain::within(&value, depth - 1)?))
            };
            return Ok(Plain::Map(map.iter().map(entry).collect::<PyResult<_>>()?));
        }
        // NumPy scalars and arrays, and columns of data frames.
        if let Ok(method) = object.getattr("tolist") {
            return Plain::within(&method.call0()?, depth - 1);
        }
        if let Ok(path) = object.call_method0("__fspath__") {
            return Plain::within(&path, depth - 1);
        }
        if let Ok(number) = object.call_method0("__index__") {
            return Plain::within(&number, depth - 1);
        }
        if let Ok(number) = object.call_method0("__float__") {
            return Plain::within(&number, depth - 1);
        }
        if let Ok(formula) = object.getattr("formula") {
            return Plain::within(&formula, depth - 1);
        }
        let name = object.get_type().name()?;
        Err(PyTypeError::new_err(format!("an object of type {name} is neither a number, a text, a list nor a mapping")))
    }

    /// What it is, in words.
    pub(crate) fn describe(&self) -> String {
        match self {
            Plain::Nothing => "None".to_string(),
            Plain::Flag(flag) => if *flag { "True" } else { "False" }.to_string(),
            Plain::Whole(number) => format!("the whole number {number}"),
            Plain::Number(number) => format!("the number {number}"),
            Plain::Text(text) => format!("the text `{}`", saltation::cut(text)),
            Plain::List(list) => format!("a list of {}", list.len()),
            Plain::Map(_) => "a mapping".to_string(),
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
