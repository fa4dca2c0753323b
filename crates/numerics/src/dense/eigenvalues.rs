//! Eigenvalues of general matrices: by the crate faer, on one thread, or in a [portable](crate::portable) process by the QR iteration for
//! [products of matrices](crate::spectrum), of one factor.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{self, ComputeEigenvectors};
use faer::prelude::default;
use faer::{MatRef, Par, diag::Diag};

use super::decomposition::balanced;
use super::{Complex, Failure, Matrix, modulus, ordered};
use crate::portable;
use crate::scaling::times_power_of_two;
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
        if portable::is_chosen() { iterated(self) } else { by_blocks(self) }
    }
}

/// The eigenvalues by the QR iteration of the project.
fn iterated(matrix: &Matrix) -> Result<Vec<Complex>, Failure> {
    Ok(multipliers(std::slice::from_ref(matrix), Ranks::Full)?.iter().map(|m| m.value).collect())
}

/// The eigenvalues by faer.
fn by_blocks(matrix: &Matrix) -> Result<Vec<Complex>, Failure> {
    let n = matrix.square()?;
    matrix.finite()?;
    if n == 0 {
        return Ok(Vec::new());
    }
    let (a, power) = balanced(matrix);
    let (mut re, mut im) = (Diag::<f64>::zeros(n), Diag::<f64>::zeros(n));
    let (left, right) = (ComputeEigenvectors::No, ComputeEigenvectors::No);
    let mut memory = MemBuffer::new(evd::evd_scratch::<f64>(n, left, right, Par::Seq, default()));
    let stack = MemStack::new(&mut memory);
    let a = MatRef::from_column_major_slice(a.entries(), n, n);
    evd::evd_real(a, re.as_mut(), im.as_mut(), None, None, Par::Seq, stack, default())
        .map_err(|_| Failure::NoConvergence)?;
    let (re, im) = (re.column_vector(), im.column_vector());
    let all = (0..n).map(|k| Complex::new(times_power_of_two(re[k], power), times_power_of_two(im[k], power)));
    let ordered =
        ordered(all.filter(|z| z.im >= 0.0).collect(), |z| modulus(z), |z| z.re, |z| (z.im != 0.0).then(|| z.conj()));
    if ordered.len() == n { Ok(ordered) } else { Err(Failure::NoConvergence) }
}

#[cfg(test)]
mod tests;
