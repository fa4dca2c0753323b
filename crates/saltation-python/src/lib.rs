//! The module `saltation._saltation`: requests of Python in, answers of the library out. The package `python/saltation` stands on it.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod answer;
mod blocks;
mod errors;
mod figure;
mod function;
mod guard;
mod plain;
mod progress;
mod system;
mod tables;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use saltation::layers::sweep::store;
use saltation::registry::{QUESTIONS, Question, Wrong};
use saltation::{gallery, replace_all, report_page};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The names of the gallery.
#[pyfunction]
fn gallery_names() -> Vec<&'static str> {
    gallery::NAMES.into_iter().collect()
}

/// The questions: name, the names of their fields, and their keywords with kinds and help, and defaults, as JSON.
#[pyfunction]
#[pyo3(name = "questions")]
fn all_questions() -> Vec<(&'static str, Vec<&'static str>, String, String)> {
    let entry = |question: &Question| {
        let fields = question.fields().map(|field| field.name).collect();
        (question.name, fields, question.form().to_string(), (question.defaults)().to_string())
    };
    QUESTIONS.iter().map(entry).collect()
}

/// Chooses the same bits on every processor, or the fastest arithmetic, for this process.
#[pyfunction]
fn portable(py: Python<'_>, on: bool) -> PyResult<()> {
    saltation::portable::choose(on).map_err(|error| {
        let help =
            "call saltation.portable() first, before models are read; a process that has computed keeps its arithmetic";
        let wrong = Wrong { field: "portable".to_string(), message: error.to_string(), help: help.to_string() };
        errors::refused(py, &wrong)
    })
}

/// Whether this process computes the same bits as every other.
#[pyfunction]
fn portable_is_chosen() -> bool {
    saltation::portable::is_chosen()
}

/// Joins the parts of a sweep or a basin; the number of blocks.
#[pyfunction]
fn merge(py: Python<'_>, folders: Vec<PathBuf>, into: PathBuf) -> PyResult<u64> {
    guard::guarded(py, || store::merge(&folders, &into).map(|store| store.done()))?.map_err(|error| {
        let wrong = Wrong { field: "folders".to_string(), message: error.to_string(), help: error.help().to_string() };
        errors::refused(py, &wrong)
    })
}

/// Writes the page of a folder; what was made, as JSON.
#[pyfunction]
fn report(py: Python<'_>, folder: PathBuf, out: Option<PathBuf>, stored: bool) -> PyResult<String> {
    let file = out.unwrap_or_else(|| folder.join(report_page::FILE));
    let request = report_page::Request { stored, ..report_page::Request::new(folder) };
    let made = guard::guarded(py, || request.page())?.map_err(|error| errors::raised(py, &error))?;
    let place = file.parent().filter(|place| !place.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    guard::guarded(py, || replace_all(place, &[(name, made.html.clone())]))?
        .map_err(|error| PyOSError::new_err(format!("{} cannot be written: {error}", file.display())))?;
    Ok(made.summary(&file).to_string())
}

/// The command `saltation` with these words; its exit code.
#[pyfunction]
fn _command(py: Python<'_>, words: Vec<OsString>) -> PyResult<u8> {
    guard::guarded(py, || saltation_cli::run(words))
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
    module.add_class::<function::Function>()?;
    module.add_class::<blocks::Blocks>()?;
    module.add_class::<blocks::BlockStore>()?;
    module.add_function(wrap_pyfunction!(gallery_names, module)?)?;
    module.add_function(wrap_pyfunction!(all_questions, module)?)?;
    module.add_function(wrap_pyfunction!(answer::ask, module)?)?;
    module.add_function(wrap_pyfunction!(portable, module)?)?;
    module.add_function(wrap_pyfunction!(portable_is_chosen, module)?)?;
    module.add_function(wrap_pyfunction!(merge, module)?)?;
    module.add_function(wrap_pyfunction!(report, module)?)?;
    module.add_function(wrap_pyfunction!(_command, module)?)?;
    module.add_function(wrap_pyfunction!(_panic, module)?)?;
    Ok(())
}
