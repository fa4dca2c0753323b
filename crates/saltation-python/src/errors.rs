//! Errors of the library as exceptions of Python, each with its text, its place and its help.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use saltation::registry::Wrong;
use saltation::{Error, Mistakes, Refusal};

/// An exception of `saltation.errors`, by its name, from its arguments.
pub(crate) fn exception<'py>(py: Python<'py>, name: &str, arguments: Bound<'py, PyDict>) -> PyErr {
    let class = py.import("saltation.errors").and_then(|module| module.getattr(name));
    match class.and_then(|class| class.call((), Some(&arguments))) {
        Ok(instance) => PyErr::from_value(instance),
        Err(error) => error,
    }
}

/// An error of the library.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    build(py, error).unwrap_or_else(|error| error)
}

fn build(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let arguments = PyDict::new(py);
    let name = match error {
        Error::Text(texts) => {
            arguments.set_item("shown", error.to_string())?;
            arguments.set_item("mistakes", mistakes(py, texts)?)?;
            arguments.set_item("text", texts.first().map(|mistakes| &mistakes.text))?;
            arguments.set_item("file", texts.first().map(|mistakes| &mistakes.file))?;
            "ModelError"
        }
        Error::Request(list) => {
            arguments.set_item("refusals", refusals(py, list)?)?;
            "RequestError"
        }
        Error::Ended { word, lines } => {
            arguments.set_item("word", word)?;
            arguments.set_item("lines", lines)?;
            "NotFound"
        }
    };
    Ok(exception(py, name, arguments))
}

fn mistakes<'py>(py: Python<'py>, texts: &[Mistakes]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for text in texts {
        for mistake in &text.list {
            let entry = PyDict::new(py);
            entry.set_item("message", &mistake.message)?;
            entry.set_item("help", &mistake.help)?;
            entry.set_item("file", &text.file)?;
            let place = mistake.span.as_ref().filter(|_| !text.text.is_empty());
            let place = place.map(|span| text.line_and_column(span.start));
            entry.set_item("line", place.map(|(line, _)| line))?;
            entry.set_item("column", place.map(|(_, column)| column))?;
            let part = mistake.span.as_ref().and_then(|span| text.text.get(span.clone()));
            entry.set_item("part", part)?;
            list.append(entry)?;
        }
    }
    Ok(list)
}

fn refusals<'py>(py: Python<'py>, refused: &[Refusal]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for Refusal { field, message, help, .. } in refused {
        list.append(entry(py, field, message, help)?)?;
    }
    Ok(list)
}

fn entry<'py>(py: Python<'py>, field: &str, message: &str, help: &str) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("field", field)?;
    entry.set_item("message", message)?;
    entry.set_item("help", help)?;
    Ok(entry)
}

/// A value of a request that does not fit.
pub(crate) fn refused(py: Python<'_>, wrong: &Wrong) -> PyErr {
    let build = || {
        let arguments = PyDict::new(py);
        let list = PyList::empty(py);
        list.append(entry(py, &wrong.field, &wrong.message, &wrong.help)?)?;
        arguments.set_item("refusals", list)?;
        Ok(exception(py, "RequestError", arguments))
    };
    build().unwrap_or_else(|error: PyErr| error)
}

/// A panic of the library, which is a mistake of the library and never one of its user.
pub(crate) fn panicked(py: Python<'_>, payload: &(dyn std::any::Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_string());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    let arguments = PyDict::new(py);
    match arguments.set_item("message", text) {
        Ok(()) => exception(py, "InternalError", arguments),
        Err(error) => error,
    }
}
