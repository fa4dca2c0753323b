//! Singular values, and least-squares solutions of minimal norm by them.
//!
//! A = U Σ Vᵀ with orthonormal columns in U and V and σ₁ >= σ₂ >= ... >= 0. Matrices are first scaled by a power of two, so that their squares
//! exist. They are found by [Jacobi's rotations](super::rotations).

use super::rotations::{self, Singular};
use super::{Failure, Matrix};
use crate::scaling::{exponent, times_power_of_two};

/// The solution of a least-squares problem.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastSquares {
    /// Of all x with the smallest ‖A x - b‖, the shortest.
    pub x: Vec<f64>,
    /// The number of singular values above the tolerance.
    pub rank: usize,
    /// The singular values of A, largest first.
    pub singular_values: Vec<f64>,
}

/// The entries times 2^-k, with the largest in [1, 2), and k.
pub(super) fn balanced(matrix: &Matrix) -> (Matrix, i64) {
    let k = i64::from(exponent(matrix.largest()));
    let mut balanced = matrix.clone();
    balanced.entries_mut().iter_mut().for_each(|a| *a = times_power_of_two(*a, -k));
    (balanced, k)
}

/// The decomposition of A 2^-k, and k.
fn decompose(matrix: &Matrix, vectors: bool) -> Result<(Singular, i64), Failure> {
    matrix.finite()?;
    let (a, power) = balanced(matrix);
    Ok((rotations::singular(&a, vectors)?, power))
}

impl Matrix {
    /// The singular values, largest first: min(rows, columns) of them. Fails if an entry is not finite.
    pub fn singular_values(&self) -> Result<Vec<f64>, Failure> {
        let (singular, power) = decompose(self, false)?;
        Ok(singular.values.iter().map(|&value| times_power_of_two(value, power)).collect())
    }

    /// The number of singular values above `tolerance` times the largest.
    pub fn rank(&self, tolerance: f64) -> Result<usize, Failure> {
        Ok(count_above(&decompose(self, false)?.0.values, tolerance))
    }

    /// Left singular vectors, singular values and right singular vectors of A = U Σ Vᵀ: min(rows, columns) of each, the
    /// vectors as columns, the largest value first. Fails if an entry is not finite.
    ///
    /// The null vectors of a matrix with more columns than rows show when it is filled up with rows of zeros.
    ///
    /// ```
    /// use saltation_numerics::dense::Matrix;
    ///
    /// let (_, values, v) = Matrix::from_rows([[3.0, 4.0], [0.0, 0.0]]).singular_vectors().unwrap();
    /// assert!((values[0] - 5.0).abs() < 1e-15 && values[1] == 0.0);
    /// assert!((3.0 * v[(0, 1)] + 4.0 * v[(1, 1)]).abs() < 1e-15);
    /// ```
    pub fn singular_vectors(&self) -> Result<(Matrix, Vec<f64>, Matrix), Failure> {
        let (Singular { u, v, values }, power) = decompose(self, true)?;
        Ok((u, values.iter().map(|&value| times_power_of_two(value, power)).collect(), v))
    }

    /// The first `count` left singular vectors as columns; as many as there are if those are fewer.
    pub(crate) fn leading_left_singular_vectors(&self, count: usize) -> Result<Matrix, Failure> {
        let (Singular { u, values, .. }, _) = decompose(self, true)?;
        Ok(Matrix::from_fn(self.rows(), count.min(values.len()), |i, k| u[(i, k)]))
    }

    /// Of all x with the smallest ‖A x - b‖ in the Euclidean norm, the shortest.
    ///
    /// Singular values up to `tolerance` times the largest count as zero; around 10⁻¹² is usual, and nothing below the
    /// machine's 2.2·10⁻¹⁶ times the larger of rows and columns has a meaning. With fewer rows than columns this is the
    /// solution of minimum norm. Fails if b has not as many entries as A has rows, or a number is not finite.
    ///
    /// ```
    /// use saltation_numerics::dense::Matrix;
    ///
    /// let solution = Matrix::from_rows([[1.0, 1.0]]).least_squares(&[2.0], 1e-12).unwrap();
    /// assert!(solution.x.iter().all(|x| (x - 1.0).abs() < 1e-15));
    /// assert_eq!(solution.rank, 1);
    /// ```
    pub fn least_squares(&self, b: &[f64], tolerance: f64) -> Result<LeastSquares, Failure> {
        if b.len() != self.rows() {
            return Err(Failure::Mismatch { expected: self.rows(), found: b.len() });
        }
        if !b.iter().all(|b| b.is_finite()) {
            return Err(Failure::NotFinite);
        }
        let (Singular { u, v, values }, power) = decompose(self, true)?;
        let rank = count_above(&values, tolerance);
        let mut x = vec![0.0; self.columns()];
        for k in 0..rank {
            let component: f64 = b.iter().enumerate().map(|(i, b)| u[(i, k)] * b).sum::<f64>() / values[k];
            for (i, x) in x.iter_mut().enumerate() {
                *x += v[(i, k)] * component;
            }
        }
        x.iter_mut().for_each(|x| *x = times_power_of_two(*x, -power));
        let singular_values = values.iter().map(|&value| times_power_of_two(value, power)).collect();
        Ok(LeastSquares { x, rank, singular_values })
    }
}

/// How many of the values, largest first, exceed `tolerance` times the first.
fn count_above(values: &[f64], tolerance: f64) -> usize {
    let largest = values.first().copied().unwrap_or(0.0);
    values.iter().filter(|&&value| value > 0.0 && value > tolerance * largest).count()
}
