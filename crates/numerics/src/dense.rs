//! Small dense matrices: linear systems, least squares, eigenvalues.
//!
//! A [`Matrix`] is dense and real, stored column by column. Operations that are undefined for a matrix return a
//! [`Failure`]: numbers that are not finite, shapes that do not fit, singular equations. Matrices without rows or
//! columns are allowed everywhere. Everything runs on one thread and gives the same bits for the same input.
//!
//! * [`Matrix::solve`], [`Matrix::determinant`], [`Elimination`]: Gaussian elimination with partial pivoting;
//! * [`Matrix::least_squares`], [`Matrix::singular_values`], [`Matrix::rank`]: the singular value decomposition;
//! * [`Matrix::qr`]: an orthonormal basis of the columns;
//! * [`Matrix::eigenvalues`], [`Matrix::eigenvector`]: those of a general real matrix.
//!
//! ```
//! use saltation_numerics::dense::Matrix;
//!
//! let a = Matrix::from_rows([[2.0, 1.0], [1.0, 3.0]]);
//! let solution = a.solve(&[3.0, 5.0]).unwrap();
//! assert!((solution.x[0] - 0.8).abs() < 1e-15 && (solution.x[1] - 1.4).abs() < 1e-15);
//! assert!(solution.reciprocal_condition > 0.1);
//! ```

mod decomposition;
mod eigen;
mod eigenvalues;
mod elimination;
mod householder;
mod matrix;
mod rotations;
#[cfg(test)]
mod tests;

pub use decomposition::LeastSquares;
pub(crate) use eigen::ordered;
pub use eigen::{Complex, argument, modulus};
pub use elimination::{Elimination, Solution};
pub(crate) use householder::Reflection;
pub use matrix::Matrix;

/// The reason for which a matrix operation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// An entry of a matrix or a vector is infinite or not a number.
    #[error("an entry is not a finite number")]
    NotFinite,
    /// The question needs a square matrix.
    #[error("a square matrix is needed, and this one has {rows} rows and {columns} columns")]
    NotSquare {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A vector or a matrix does not fit to the other one.
    #[error("{expected} entries are needed, and there are {found}")]
    Mismatch {
        /// The number of entries, rows or columns needed.
        expected: usize,
        /// The actual number.
        found: usize,
    },
    /// The equations have no solution or many: a pivot of the elimination is zero.
    #[error("the matrix is singular")]
    Singular,
    /// An iteration did not converge, which is not known to happen for finite numbers.
    #[error("the iteration for eigenvalues or singular values did not converge")]
    NoConvergence,
}
