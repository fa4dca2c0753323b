//! Eigenvalues of general matrices by the QR iteration for [products of matrices](crate::spectrum), of one factor.

use super::{Complex, Failure, Matrix};
use crate::spectrum::{Ranks, multipliers};

impl Matrix {
    /// The eigenvalues of a square matrix, with their multiplicities: the largest modulus first, complex ones in
    /// conjugate pairs with the positive imaginary part first.
    ///
    /// They are exact for a matrix that differs from this one by a few units in the last place of its norm. Fails if the
    /// matrix is not square or not finite.
    ///
    /// ```
    /// use saltation_numerics::dense::{Complex, Matrix};
    ///
    /// let quarter_turn = Matrix::from_rows([[0.0, -1.0], [1.0, 0.0]]);
    /// let eigenvalues = quarter_turn.eigenvalues().unwrap();
    /// assert!((eigenvalues[0].norm() - 1.0).abs() < 1e-15 && eigenvalues[0].im > 0.0);
    /// assert_eq!(eigenvalues[1], eigenvalues[0].conj());
    /// ```
    pub fn eigenvalues(&self) -> Result<Vec<Complex>, Failure> {
        Ok(multipliers(std::slice::from_ref(self), Ranks::Full)?.iter().map(|m| m.value).collect())
    }
}

#[cfg(test)]
mod tests;
