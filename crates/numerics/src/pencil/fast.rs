//! Full symmetric pencils and products of full matrices by the crate faer, on one thread: blocks and instructions by the processor.

use faer::{Accum, MatMut, MatRef, Par, Side, linalg::matmul::matmul};

use super::PencilError;
use crate::dense::Matrix;

fn seen(a: &Matrix) -> MatRef<'_, f64> {
    MatRef::from_column_major_slice(a.entries(), a.rows(), a.columns())
}

/// Eigenvalues, growing, and eigenvectors with X' M X = 1.
pub(super) fn dense(mass: &Matrix, stiffness: &Matrix) -> Result<(Vec<f64>, Matrix), PencilError> {
    let n = mass.rows();
    let factor = seen(mass).llt(Side::Lower).map_err(|error| match error {
        faer::linalg::cholesky::llt::factor::LltError::NonPositivePivot { index } => {
            PencilError::NotDefinite { row: index }
        }
    })?;
    let lower = factor.L();
    let mut a = seen(stiffness).to_owned();
    lower.solve_lower_triangular_in_place(a.as_mut());
    let mut a = a.transpose().to_owned();
    lower.solve_lower_triangular_in_place(a.as_mut());
    let eigen = a.self_adjoint_eigen(Side::Lower).map_err(|_| PencilError::NoConvergence)?;
    let mut vectors = eigen.U().to_owned();
    lower.transpose().solve_upper_triangular_in_place(vectors.as_mut());
    let eigenvalues: Vec<f64> = (0..n).map(|j| eigen.S()[j]).collect();
    Ok((eigenvalues, Matrix::from_fn(n, n, |i, j| vectors[(i, j)])))
}

/// A B, or A' B.
pub(super) fn product(a: &Matrix, transposed: bool, b: &Matrix) -> Matrix {
    let left = if transposed { seen(a).transpose() } else { seen(a) };
    let (rows, columns) = (left.nrows(), b.columns());
    let mut product = Matrix::zeros(rows, columns);
    let to = MatMut::from_column_major_slice_mut(product.entries_mut(), rows, columns);
    matmul(to, Accum::Replace, left, seen(b), 1.0, Par::Seq);
    product
}
