//! Singular values, and least-squares solutions of minimal norm by them.
//!
//! A = U Σ Vᵀ with orthonormal columns in U and V and σ₁ >= σ₂ >= ... >= 0. Here and in `eigenvalues` the work is done by
//! the crate faer, on one thread; matrices are first scaled by a power of two, so that their squares exist.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{self, ComputeEigenvectors};
use faer::linalg::svd::{self, ComputeSvdVectors};
use faer::prelude::default;
use faer::{Mat, MatRef, Par, diag::Diag};

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

/// A = U Σ Vᵀ 2^k, with min(rows, columns) columns in U and V.
struct Singular {
    u: Option<Mat<f64>>,
    v: Option<Mat<f64>>,
    values: Vec<f64>,
    power: i64,
}

/// The entries times 2^-k, with the largest in [1, 2), and k.
fn balanced(matrix: &Matrix) -> (Mat<f64>, i64) {
    let k = i64::from(exponent(matrix.largest()));
    let a = MatRef::from_column_major_slice(matrix.entries(), matrix.rows(), matrix.columns());
    (Mat::from_fn(a.nrows(), a.ncols(), |i, j| times_power_of_two(a[(i, j)], -k)), k)
}

fn decompose(matrix: &Matrix, vectors: bool) -> Result<Singular, Failure> {
    matrix.finite()?;
    let (m, n) = (matrix.rows(), matrix.columns());
    let p = m.min(n);
    if p == 0 {
        let empty = |rows| vectors.then(|| Mat::zeros(rows, 0));
        return Ok(Singular { u: empty(m), v: empty(n), values: Vec::new(), power: 0 });
    }
    let (a, power) = balanced(matrix);
    let mut values = Diag::<f64>::zeros(p);
    let (mut u, mut v) = (vectors.then(|| Mat::zeros(m, p)), vectors.then(|| Mat::zeros(n, p)));
    let which = if vectors { ComputeSvdVectors::Thin } else { ComputeSvdVectors::No };
    let mut memory = MemBuffer::new(svd::svd_scratch::<f64>(m, n, which, which, Par::Seq, default()));
    svd::svd(
        a.as_ref(),
        values.as_mut(),
        u.as_mut().map(|u| u.as_mut()),
        v.as_mut().map(|v| v.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        default(),
    )
    .map_err(|_| Failure::NoConvergence)?;
    let values = (0..p).map(|k| values.column_vector()[k]).collect();
    Ok(Singular { u, v, values, power })
}

/// Real and imaginary parts of the eigenvalues of a square matrix with finite entries, in no order.
pub(super) fn eigenvalues(matrix: &Matrix) -> Result<Vec<(f64, f64)>, Failure> {
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
    evd::evd_real(a.as_ref(), re.as_mut(), im.as_mut(), None, None, Par::Seq, stack, default())
        .map_err(|_| Failure::NoConvergence)?;
    let scaled = |x| times_power_of_two(x, power);
    Ok((0..n).map(|k| (scaled(re.column_vector()[k]), scaled(im.column_vector()[k]))).collect())
}

impl Matrix {
    /// The singular values, largest first: min(rows, columns) of them. Fails if an entry is not finite.
    pub fn singular_values(&self) -> Result<Vec<f64>, Failure> {
        let singular = decompose(self, false)?;
        Ok(singular.values.iter().map(|&value| times_power_of_two(value, singular.power)).collect())
    }

    /// The number of singular values above `tolerance` times the largest.
    pub fn rank(&self, tolerance: f64) -> Result<usize, Failure> {
        let values = decompose(self, false)?.values;
        Ok(count_above(&values, tolerance))
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
        let Singular { u, v, values, power } = decompose(self, true)?;
        let columns = |vectors: Option<Mat<f64>>, rows| match vectors {
            Some(vectors) => Matrix::from_fn(rows, values.len(), |i, k| vectors[(i, k)]),
            None => Matrix::zeros(rows, 0),
        };
        let (u, v) = (columns(u, self.rows()), columns(v, self.columns()));
        Ok((u, values.iter().map(|&value| times_power_of_two(value, power)).collect(), v))
    }

    /// The first `count` left singular vectors as columns; as many as there are if those are fewer.
    pub(crate) fn leading_left_singular_vectors(&self, count: usize) -> Result<Matrix, Failure> {
        let Singular { u, values, .. } = decompose(self, true)?;
        Ok(match u {
            Some(u) => Matrix::from_fn(self.rows(), count.min(values.len()), |i, k| u[(i, k)]),
            None => Matrix::zeros(self.rows(), 0),
        })
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
        let Singular { u, v, values, power } = decompose(self, true)?;
        let rank = count_above(&values, tolerance);
        let mut x = vec![0.0; self.columns()];
        if let (Some(u), Some(v)) = (u, v) {
            for k in 0..rank {
                let component: f64 = b.iter().enumerate().map(|(i, b)| u[(i, k)] * b).sum::<f64>() / values[k];
                for (i, x) in x.iter_mut().enumerate() {
                    *x += v[(i, k)] * component;
                }
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
