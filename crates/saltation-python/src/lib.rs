//! The module `saltation._saltation`: requests of Python in, answers of the library out. The package `python/saltation` stands on it.

mod answer;
mod errors;
mod fields;
mod figure;
mod found;
mod guard;
mod plain;
mod progress;
mod questions;
mod system;
mod tables;

use crate::errors::exception;
use crate::questions::QUESTIONS;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use saltation::gallery;
use saltation::layers::sweep::store;
use std::path::PathBuf;

/// The names of the gallery.
#[pyfunction]
fn gallery_names() -> Vec<&'static str> {
    gallery::NAMES.into_iter().collect()
}

/// The questions: name, fields, and defaults as JSON.
#[pyfunction]
#[pyo3(name = "questions")]
fn all_questions() -> Vec<(&'static str, Vec<&'static str>, String)> {
    QUESTIONS.iter().map(|question| (question.name, (question.fields)(), (question.defaults)().to_string())).collect()
}

/// Joins the parts of a sweep or a basin; the number of blocks.
#[pyfunction]
fn merge(py: Python<'_>, folders: Vec<PathBuf>, into: PathBuf) -> PyResult<u64> {
    guard::guarded(py, || store::merge(&folders, &into).map(|store| store.done()))?.map_err(|error| {
        let wrong = fields::Wrong { field: "folders".to_string(), message: error.to_string(), help: error.help().to_string() };
        errors::refused(py, &wrong)
    })
}

/// The command line of `saltation`; the exit code.
#[pyfunction]
fn _command(py: Python<'_>, arguments: Vec<String>) -> PyResult<u8> {
    let _ = arguments;
    let words = PyDict::new(py);
    words.set_item("message", "this build has no command; use the program `saltation`")?;
    Err(exception(py, "SaltationError", words))
}

/// Panics: for the test that no panic crosses.
#[pyfunction]
fn _panic(py: Python<'_>) -> PyResult<()> {
    guard::guarded(py, || panic!("a test of panics"))
}

/// The module.
#[pymodule]
fn _saltation(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<system::System>()?;
    module.add_class::<answer::Answer>()?;
    module.add_class::<figure::Figure>()?;
    module.add_function(wrap_pyfunction!(gallery_names, module)?)?;
    module.add_function(wrap_pyfunction!(all_questions, module)?)?;
    module.add_function(wrap_pyfunction!(answer::ask, module)?)?;
    module.add_function(wrap_pyfunction!(merge, module)?)?;
    module.add_function(wrap_pyfunction!(_command, module)?)?;
    module.add_function(wrap_pyfunction!(_panic, module)?)?;
    Ok(())
}
