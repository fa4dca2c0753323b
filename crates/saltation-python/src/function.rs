//! Trajectories as plain functions of arrays, without the lock of the interpreter.

use crate::{errors, guard, system};
use numpy::PyArray1;
use pyo3::prelude::*;
use saltation::fit;

/// Flat arrays of values, and of Jacobians row by row.
type Arrays = (Py<PyArray1<f64>>, Py<PyArray1<f64>>);

/// Outputs of a trajectory as a function of parameters and start values.
#[pyclass(frozen, module = "saltation._saltation")]
pub(crate) struct Function {
    inner: fit::Function,
}

#[pymethods]
impl Function {
    #[new]
    fn new(
        py: Python<'_>,
        system: &system::System,
        inputs: Vec<String>,
        outputs: Vec<String>,
        until: Option<f64>,
        tol: Option<f64>,
    ) -> PyResult<Function> {
        let made = fit::Function::new(&system.inner, inputs, outputs, until);
        let made = made.and_then(|function| match tol {
            Some(tol) => function.with_tolerance(tol),
            None => Ok(function),
        });
        made.map(|inner| Function { inner }).map_err(|error| errors::raised(py, &error))
    }

    /// The inputs of the system itself.
    fn usual(&self) -> Vec<f64> {
        self.inner.usual()
    }

    /// The outputs at many inputs, one after the other, and the Jacobians.
    fn at(&self, py: Python<'_>, inputs: Vec<Vec<f64>>, threads: Option<usize>) -> PyResult<Arrays> {
        let all = guard::guarded(py, || self.inner.at_all(&inputs, threads))?;
        let all = all.map_err(|error| errors::raised(py, &error))?;
        let values: Vec<f64> = all.iter().flat_map(|(values, _)| values.iter().copied()).collect();
        let row = |(_, jacobian): &(_, _)| transposed(jacobian);
        let jacobians: Vec<f64> = all.iter().flat_map(row).collect();
        Ok((PyArray1::from_vec(py, values).unbind(), PyArray1::from_vec(py, jacobians).unbind()))
    }
}

/// The entries row by row.
fn transposed(matrix: &saltation::layers::numerics::dense::Matrix) -> Vec<f64> {
    matrix.transpose().entries().to_vec()
}
