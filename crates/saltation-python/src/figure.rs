//! The figure of the library in Python: SVG, PNG and PDF.

use crate::guard::guarded;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// A figure.
#[pyclass(frozen, module = "saltation._saltation")]
pub(crate) struct Figure {
    pub(crate) inner: saltation::Figure,
}

#[pymethods]
impl Figure {
    /// As an SVG document.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        guarded(py, || self.inner.to_svg())
    }

    /// As a PNG file with `scale` pixels per point.
    fn png<'py>(&self, py: Python<'py>, scale: f64) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = guarded(py, || self.inner.to_png(scale))?;
        let bytes = bytes.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// As a PDF document.
    fn pdf<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &guarded(py, || self.inner.to_pdf())?))
    }

    /// Writes it to a file, in the format of its ending.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        use saltation::layers::draw::DrawError;
        guarded(py, || self.inner.save(path))?.map_err(|error| match error {
            DrawError::Write { .. } | DrawError::MissingFolder { .. } => PyOSError::new_err(error.to_string()),
            error => PyValueError::new_err(error.to_string()),
        })
    }
}
