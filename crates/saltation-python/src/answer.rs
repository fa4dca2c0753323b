//! An answer as Python holds it: found in this process, or read again from what was pickled.

use crate::errors::{raised, refused};
use crate::figure::Figure;
use crate::guard::guarded;
use crate::plain::plain;
use crate::progress::Watch;
use crate::system::System;
use crate::tables::Columns;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use saltation::Ending;
use saltation::registry::{Asked, Fields, Found, Known, Origin, Plain, Refused, Wrong, question};
use std::time::Duration;

/// An answer of the library.
#[pyclass(frozen, module = "saltation._saltation")]
pub(crate) struct Answer {
    found: Found,
    question: &'static str,
}

/// What a question begins at.
#[derive(FromPyObject)]
pub(crate) enum Begins<'py> {
    /// An answer of this process.
    Live(PyRef<'py, Answer>),
    /// An answer that was read again: question, JSON and request.
    Stored((String, String, String)),
}

/// The fields of a request as plain data.
///
/// # Errors
/// A value that no request has, with the name of its field.
pub(crate) fn plain_fields(py: Python<'_>, fields: &Bound<'_, PyDict>) -> PyResult<Fields> {
    let mut named = Vec::with_capacity(fields.len());
    for (name, value) in fields.iter() {
        let name: String = name.extract()?;
        let value = plain(&value).map_err(|error| {
            let message = error.value(py).to_string();
            refused(py, &Wrong { field: name.clone(), message, help: String::new() })
        })?;
        named.push((name, value));
    }
    Ok(named)
}

/// Asks a question; an exception that ended the computation is returned beside what was found until then.
#[pyfunction]
#[pyo3(signature = (name, system, fields, origin=None, progress=None, delay=0.0))]
pub(crate) fn ask(
    py: Python<'_>,
    name: &str,
    system: &System,
    fields: &Bound<'_, PyDict>,
    origin: Option<Begins<'_>>,
    progress: Option<Py<PyAny>>,
    delay: f64,
) -> PyResult<(Answer, Option<Py<PyAny>>)> {
    let question = question(name).ok_or_else(|| PyValueError::new_err(format!("there is no question `{name}`")))?;
    let named = plain_fields(py, fields)?;
    let known = match &origin {
        Some(Begins::Stored((question, json, request))) => {
            Some(Known { question: question.clone(), json: json.clone(), request: request.clone() })
        }
        _ => None,
    };
    let origin = match &origin {
        Some(Begins::Live(answer)) => Some(Origin::Found(&answer.found)),
        _ => known.as_ref().map(Origin::Known),
    };
    let delay = Duration::try_from_secs_f64(delay).unwrap_or_default();
    let mut watch = Watch::begin(progress, delay);
    let system = &system.inner;
    let asked = guarded(py, || question.ask(Asked { system, fields: named, origin, progress: &mut watch }))?;
    match asked {
        Ok(found) => {
            let stopped = watch.stopped.map(|error| error.into_value(py).into_any());
            Ok((Answer { found, question: question.name }, stopped))
        }
        // Where nothing was found until then, the exception of the signal says why.
        Err(_) if watch.stopped.is_some() => Err(watch.stopped.unwrap_or_else(|| PyValueError::new_err(""))),
        Err(Refused::Wrong(wrong)) => Err(refused(py, &wrong)),
        Err(Refused::Error(error)) => Err(raised(py, &error)),
    }
}

#[pymethods]
impl Answer {
    /// The name of the question.
    #[getter]
    fn question(&self) -> &'static str {
        self.question
    }

    /// The system.
    #[getter]
    fn system(&self) -> System {
        System { inner: self.found.system().clone() }
    }

    /// The answer as JSON, as the command prints it.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        guarded(py, || self.found.answered().json())
    }

    /// The request as JSON.
    fn request(&self, py: Python<'_>) -> PyResult<String> {
        guarded(py, || self.found.request())
    }

    /// The report, in lines.
    fn report(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        guarded(py, || self.found.answered().report())
    }

    /// Warnings, in sentences.
    fn warnings(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        guarded(py, || self.found.answered().warnings())
    }

    /// Whether the computation is complete, and if not why, in lines.
    fn ending(&self, py: Python<'_>) -> PyResult<(bool, Vec<String>)> {
        let Ending { complete, lines } = guarded(py, || self.found.answered().ending())?;
        Ok((complete, lines))
    }

    /// For a search without a result: the word of its ending and why.
    fn missing(&self, py: Python<'_>) -> PyResult<Option<(String, Vec<String>)>> {
        guarded(py, || self.found.missing())
    }

    /// The wall time of the computation, in seconds.
    #[getter]
    fn wall_time(&self) -> f64 {
        self.found.answered().wall_time().as_secs_f64()
    }

    /// The tables: name, and columns by name.
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyDict>)>> {
        let tables = guarded(py, || self.found.answered().tables().into_iter().map(Columns::of).collect::<Vec<_>>())?;
        tables.into_iter().map(|table| Ok((table.name.clone(), table.object(py)?))).collect()
    }

    /// The figure of the library.
    fn figure(&self, py: Python<'_>, fields: &Bound<'_, PyDict>) -> PyResult<Option<Figure>> {
        let entry = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((name.extract()?, plain(&value)?));
        let named = fields.iter().map(entry).collect::<PyResult<Vec<(String, Plain)>>>()?;
        let named = named.into_iter().filter(|(_, value)| *value != Plain::Nothing).collect();
        match guarded(py, || self.found.figure(named))? {
            Ok(figure) => Ok(figure.map(|inner| Figure { inner })),
            Err(Refused::Wrong(wrong)) => Err(refused(py, &wrong)),
            Err(Refused::Error(error)) => Err(raised(py, &error)),
        }
    }
}
