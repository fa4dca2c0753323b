//! Plain data from Python objects: numbers, texts, lists and mappings; NumPy scalars and arrays by their `tolist`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use saltation::registry::Plain;

/// Lists and mappings may be nested this deep.
const DEEPEST: usize = 64;

/// The plain data of an object.
///
/// # Errors
/// An object that is neither a number, a text, a list nor a mapping of these.
pub(crate) fn plain(object: &Bound<'_, PyAny>) -> PyResult<Plain> {
    within(object, DEEPEST)
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
        return Ok(Plain::List(list.iter().map(|one| within(&one, depth - 1)).collect::<PyResult<_>>()?));
    }
    if let Ok(list) = object.cast::<PyTuple>() {
        return Ok(Plain::List(list.iter().map(|one| within(&one, depth - 1)).collect::<PyResult<_>>()?));
    }
    if let Ok(map) = object.cast::<PyDict>() {
        let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let key: String = key.extract().map_err(|_| PyTypeError::new_err("the names of a mapping are texts"))?;
            Ok((key, within(&value, depth - 1)?))
        };
        return Ok(Plain::Map(map.iter().map(entry).collect::<PyResult<_>>()?));
    }
    // NumPy scalars and arrays, and columns of data frames.
    if let Ok(method) = object.getattr("tolist") {
        return within(&method.call0()?, depth - 1);
    }
    if let Ok(path) = object.call_method0("__fspath__") {
        return within(&path, depth - 1);
    }
    if let Ok(number) = object.call_method0("__index__") {
        return within(&number, depth - 1);
    }
    if let Ok(number) = object.call_method0("__float__") {
        return within(&number, depth - 1);
    }
    if let Ok(formula) = object.getattr("formula") {
        return within(&formula, depth - 1);
    }
    let name = object.get_type().name()?;
    Err(PyTypeError::new_err(format!("an object of type {name} is neither a number, a text, a list nor a mapping")))
}
