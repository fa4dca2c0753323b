//! Runs library code without the lock of the interpreter, and turns a panic into an exception.

use crate::errors::panicked;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a computation; other threads of Python run meanwhile.
///
/// # Errors
/// `InternalError` if the library panics.
pub(crate) fn guarded<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    // What a panic leaves half done is dropped with the computation.
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).map_err(|payload| panicked(py, payload.as_ref()))
}
