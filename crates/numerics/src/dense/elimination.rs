//! Square linear systems by Gaussian elimination with partial pivoting, and their condition.
//!
//! P A = L U with |L| <= 1. The condition is estimated in the 1-norm by Hager's method (SIAM J. Sci. Stat. Comput. 5,
//! 1984; Higham, ACM Trans. Math. Softw. 14, 1988): ‖A⁻¹‖ is the largest ‖A⁻¹x‖ over ‖x‖ = 1, maximized from corner to
//! corner; it is seldom too small by more than a factor three.

use super::{Failure, Matrix, matrix::largest};
use crate::elementary;
use crate::scaling::Scaled;

/// The solution of A x = b.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The solution.
    pub x: Vec<f64>,
    /// An estimate of 1/(‖A‖ ‖A⁻¹‖) in the 1-norm: about the relative distance of A to the next singular matrix.
    /// The relative error of `x` is about 10⁻¹⁶ over this number.
    pub reciprocal_condition: f64,
}

/// The factors of a square matrix, P A = L U.
///
/// An elimination that is used again for matrices of the same size allocates nothing.
///
/// ```
/// use saltation_numerics::dense::{Elimination, Matrix};
///
/// let mut elimination = Elimination::default();
/// elimination.factor(&Matrix::from_rows([[0.0, 2.0], [4.0, 0.0]])).unwrap();
/// let mut x = [2.0, 4.0];
/// elimination.solve_in_place(&mut x).unwrap();
/// assert_eq!(x, [1.0, 1.0]);
/// assert_eq!(elimination.determinant(), -8.0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Elimination {
    /// L below the diagonal (its ones left out) and U above and on it.
    factors: Matrix,
    /// The row that came to row k in step k.
    pivots: Vec<usize>,
    one_norm: f64,
}

impl Elimination {
    /// Factors `matrix`. Fails if it is not square or not finite; a singular matrix is reported by [`Self::is_singular`].
    pub fn factor(&mut self, matrix: &Matrix) -> Result<(), Failure> {
        let n = matrix.square()?;
        matrix.finite()?;
        self.one_norm = matrix.one_norm();
        self.factors.copy_from(matrix);
        self.pivots.clear();
        for k in 0..n {
            let column = &self.factors.column(k)[k..];
            let (pivot, _) = column
                .iter()
                .enumerate()
                .fold((0, -1.0), |(best, size), (i, a)| if a.abs() > size { (i, a.abs()) } else { (best, size) });
            let pivot = k + pivot;
            self.pivots.push(pivot);
            for j in 0..n {
                self.factors.column_mut(j).swap(k, pivot);
            }
            let top = self.factors[(k, k)];
            if top == 0.0 {
                continue;
            }
            for i in k + 1..n {
                self.factors[(i, k)] /= top;
            }
            let (left, right) = self.factors.entries_mut().split_at_mut((k + 1) * n);
            let multipliers = &left[k * n + k + 1..];
            for column in right.chunks_exact_mut(n) {
                let top = column[k];
                if top != 0.0 {
                    for (entry, multiplier) in column[k + 1..].iter_mut().zip(multipliers) {
                        *entry -= multiplier * top;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a pivot is zero, or so small or large that a quotient is not finite.
    pub fn is_singular(&self) -> bool {
        (0..self.factors.rows()).any(|k| self.factors[(k, k)] == 0.0) || !self.factors.is_finite()
    }

    /// Replaces b by the solution x of A x = b. Fails for a singular matrix, a vector that does not fit or is not finite,
    /// and a solution beyond the range of `f64`.
    pub fn solve_in_place(&self, b: &mut [f64]) -> Result<(), Failure> {
        self.solve_by(b, Self::substitute)
    }

    /// The checks around a substitution.
    fn solve_by(&self, b: &mut [f64], substitute: fn(&Self, &mut [f64])) -> Result<(), Failure> {
        let n = self.factors.rows();
        if b.len() != n {
            return Err(Failure::Mismatch { expected: n, found: b.len() });
        }
        if !b.iter().all(|b| b.is_finite()) {
            return Err(Failure::NotFinite);
        }
        if self.is_singular() {
            return Err(Failure::Singular);
        }
        substitute(self, b);
        if b.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Failure::Singular) }
    }

    /// A⁻¹ b in place, for pivots that are not zero.
    pub(super) fn substitute(&self, b: &mut [f64]) {
        let n = b.len();
        for (k, &pivot) in self.pivots.iter().enumerate() {
            b.swap(k, pivot);
        }
        for k in 0..n {
            let x = b[k];
            for (b, l) in b[k + 1..].iter_mut().zip(&self.factors.column(k)[k + 1..]) {
                *b -= l * x;
            }
        }
        for k in (0..n).rev() {
            b[k] /= self.factors[(k, k)];
            let x = b[k];
            for (b, u) in b[..k].iter_mut().zip(self.factors.column(k)) {
                *b -= u * x;
            }
        }
    }

    /// Replaces b by the solution x of Aᵀ x = b. Fails like [`Self::solve_in_place`].
    pub fn solve_transposed_in_place(&self, b: &mut [f64]) -> Result<(), Failure> {
        self.solve_by(b, Self::substitute_transposed)
    }

    /// The solution of Aᵀ x = b in place, for pivots that are not zero.
    fn substitute_transposed(&self, b: &mut [f64]) {
        let n = b.len();
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        for k in 0..n {
            b[k] = (b[k] - dot(&self.factors.column(k)[..k], &b[..k])) / self.factors[(k, k)];
        }
        for k in (0..n).rev() {
            b[k] -= dot(&self.factors.column(k)[k + 1..], &b[k + 1..]);
        }
        for (k, &pivot) in self.pivots.iter().enumerate().rev() {
            b.swap(k, pivot);
        }
    }

    /// Replaces pivots smaller than `least` by it, for the inverse iteration.
    pub(super) fn raise_pivots(&mut self, least: f64) {
        for k in 0..self.factors.rows() {
            let pivot = &mut self.factors[(k, k)];
            if pivot.abs() < least {
                *pivot = least.copysign(*pivot);
            }
        }
    }

    /// The determinant; infinite or zero only where it lies beyond the range of `f64`, or the matrix is singular.
    pub fn determinant(&self) -> f64 {
        let n = self.factors.rows();
        let swaps = self.pivots.iter().enumerate().filter(|(k, pivot)| k != *pivot).count();
        let sign = Scaled::new(if swaps % 2 == 0 { 1.0 } else { -1.0 }, 0);
        (0..n).fold(sign, |product, k| product.times(self.factors[(k, k)])).value()
    }

    /// The sign of the determinant and ln |det|, which exist where the determinant itself is beyond the range of `f64`;
    /// (0, -∞) for a singular matrix.
    ///
    /// ```
    /// use saltation_numerics::dense::{Elimination, Matrix};
    ///
    /// let mut elimination = Elimination::default();
    /// elimination.factor(&Matrix::diagonal(&[-1e300, 1e300])).unwrap();
    /// let (sign, logarithm) = elimination.log_determinant();
    /// assert!(sign == -1.0 && (logarithm - 600.0 * 10f64.ln()).abs() < 1e-12);
    /// ```
    pub fn log_determinant(&self) -> (f64, f64) {
        let mut sign = 1.0;
        let mut logarithm = 0.0;
        for (k, &pivot) in self.pivots.iter().enumerate() {
            let diagonal = self.factors[(k, k)];
            if diagonal == 0.0 {
                return (0.0, f64::NEG_INFINITY);
            }
            sign *= diagonal.signum() * if k == pivot { 1.0 } else { -1.0 };
            logarithm += elementary::ln(diagonal.abs());
        }
        (sign, logarithm)
    }

    /// An estimate of 1/(‖A‖ ‖A⁻¹‖) in the 1-norm: 0 for a singular matrix, 1 for one without entries.
    pub fn reciprocal_condition(&self) -> f64 {
        let n = self.factors.rows();
        if n == 0 {
            return 1.0;
        }
        if self.is_singular() {
            return 0.0;
        }
        let mut x = vec![1.0 / n as f64; n];
        let mut inverse_norm = 0.0f64;
        let mut corner = n;
        for _ in 0..5 {
            self.substitute(&mut x);
            let norm = x.iter().map(|x| x.abs()).sum::<f64>();
            if norm.is_nan() || norm <= inverse_norm {
                break;
            }
            inverse_norm = norm;
            x.iter_mut().for_each(|x| *x = 1f64.copysign(*x));
            self.substitute_transposed(&mut x);
            let slope = largest(&x);
            let steepest = x.iter().position(|x| x.abs() == slope).unwrap_or(0);
            if steepest == corner {
                break;
            }
            corner = steepest;
            x.fill(0.0);
            x[corner] = 1.0;
        }
        // Higham's second lower bound, by a vector of alternating signs, for matrices that Hager's method underestimates.
        for (i, x) in x.iter_mut().enumerate() {
            let size = 1.0 + i as f64 / (n - 1).max(1) as f64;
            *x = if i % 2 == 0 { size } else { -size };
        }
        self.substitute(&mut x);
        let alternating = 2.0 * x.iter().map(|x| x.abs()).sum::<f64>() / (3 * n) as f64;
        let estimate = (1.0 / self.one_norm) / inverse_norm.max(alternating);
        if estimate.is_finite() { estimate.min(1.0) } else { 0.0 }
    }
}

impl Matrix {
    /// The solution of A x = b with an estimate of the condition of A, or why there is none.
    pub fn solve(&self, b: &[f64]) -> Result<Solution, Failure> {
        let mut elimination = Elimination::default();
        elimination.factor(self)?;
        let mut x = b.to_vec();
        elimination.solve_in_place(&mut x)?;
        Ok(Solution { x, reciprocal_condition: elimination.reciprocal_condition() })
    }

    /// The determinant of a square matrix, 1 for that without rows; infinite or zero where it lies beyond the range of
    /// `f64`.
    pub fn determinant(&self) -> Result<f64, Failure> {
        let mut elimination = Elimination::default();
        elimination.factor(self)?;
        Ok(elimination.determinant())
    }
}
