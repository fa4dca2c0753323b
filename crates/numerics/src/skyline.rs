//! Cholesky factors L D Lᵀ of a sparse symmetric matrix within its envelope; they decide whether it is positive definite.
//!
//! A = L D L^T by rows, within the envelope of A: what stands left of the first entry of a row stays zero (Jennings, A compact storage scheme
//! for the solution of symmetric linear simultaneous equations, Comput. J. 9, 1966). Work is the sum of the squares of the widths of the
//! rows: linear in n for a band.

use crate::matrix_market::Coordinates;

/// A pivot at or below this part of its diagonal entry, times the number of the row, is zero within rounding errors.
const ZERO_PIVOT: f64 = f64::EPSILON;

/// The factors of a positive definite matrix.
///
/// ```
/// use saltation_numerics::{matrix_market::Coordinates, skyline::Skyline};
///
/// let entries = vec![(0, 0, 2.0), (1, 0, -1.0), (0, 1, -1.0), (1, 1, 2.0)];
/// let factors = Skyline::factor(&Coordinates::new(2, 2, entries)).unwrap();
/// let mut x = [3.0, 0.0];
/// factors.solve(&mut x);
/// assert!((x[0] - 2.0).abs() < 1e-15 && (x[1] - 1.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Skyline {
    /// The first column of every row.
    first: Vec<usize>,
    /// Where each row begins in `lower`.
    begin: Vec<usize>,
    /// L left of the diagonal, row after row.
    lower: Vec<f64>,
    /// D.
    pivots: Vec<f64>,
}

/// The pivot at which an elimination shows that a matrix is not positive definite.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the matrix is not positive definite: pivot {} of its elimination is {pivot:e}", .row + 1)]
pub struct NotPositive {
    /// The row, from 0.
    pub row: usize,
    /// Its pivot.
    pub pivot: f64,
}

impl Skyline {
    /// The factors of a symmetric matrix, of which the lower triangle is read. A matrix that is not square panics.
    ///
    /// # Errors
    /// If it is not positive definite within rounding errors.
    pub fn factor(matrix: &Coordinates) -> Result<Skyline, NotPositive> {
        assert_eq!(matrix.rows, matrix.columns, "a square matrix");
        let n = matrix.rows;
        let mut first: Vec<usize> = (0..n).collect();
        for &(i, j, _) in &matrix.entries {
            first[i] = first[i].min(j);
        }
        let mut begin = vec![0; n + 1];
        for i in 0..n {
            begin[i + 1] = begin[i] + (i - first[i]);
        }
        let mut lower = vec![0.0; begin[n]];
        let mut pivots = vec![0.0; n];
        for &(i, j, a) in &matrix.entries {
            if i == j {
                pivots[i] = a;
            } else if j < i {
                lower[begin[i] + j - first[i]] = a;
            }
        }
        for i in 0..n {
            let (done, rest) = lower.split_at_mut(begin[i]);
            let row = &mut rest[..i - first[i]];
            // l_ij d_j = a_ij - sum_k (l_ik d_k) l_jk, then l_ij.
            for j in first[i]..i {
                let from = first[i].max(first[j]);
                let above = &done[begin[j] + from - first[j]..begin[j + 1]];
                let (left, here) = row.split_at_mut(j - first[i]);
                here[0] -= dot(&left[from - first[i]..], above);
            }
            let diagonal = pivots[i];
            let mut pivot = diagonal;
            for (entry, d) in row.iter_mut().zip(&pivots[first[i]..i]) {
                let scaled = *entry;
                *entry /= d;
                pivot -= scaled * *entry;
            }
            let least = ZERO_PIVOT * (i + 1) as f64 * diagonal;
            if pivot.is_nan() || pivot <= least.max(0.0) {
                return Err(NotPositive { row: i, pivot });
            }
            pivots[i] = pivot;
        }
        Ok(Skyline { first, begin, lower, pivots })
    }

    /// D, all positive.
    pub fn pivots(&self) -> &[f64] {
        &self.pivots
    }

    /// Row i of L left of the diagonal: its first column, and the entries from there on.
    pub fn row(&self, i: usize) -> (usize, &[f64]) {
        (self.first[i], &self.lower[self.begin[i]..self.begin[i + 1]])
    }

    /// Replaces b by the solution x of A x = b. Another length panics.
    pub fn solve(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.pivots.len(), "the length of the right side");
        for i in 0..b.len() {
            let (first, row) = self.row(i);
            b[i] -= dot(row, &b[first..i]);
        }
        for (b, d) in b.iter_mut().zip(&self.pivots) {
            *b /= d;
        }
        for i in (0..b.len()).rev() {
            let (first, row) = self.row(i);
            let x = b[i];
            for (b, l) in b[first..i].iter_mut().zip(row) {
                *b -= l * x;
            }
        }
    }
}

/// The sum of products, in four partial sums, for speed and in a fixed order.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a, b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a.zip(b) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tridiagonal(n: usize, d: f64, e: f64) -> Coordinates {
        let mut entries: Vec<_> = (0..n).map(|i| (i, i, d)).collect();
        entries.extend((1..n).flat_map(|i| [(i, i - 1, e), (i - 1, i, e)]));
        Coordinates::new(n, n, entries)
    }

    #[test]
    fn equations_of_a_band_and_of_an_arrow_are_solved() {
        let mut arrow = tridiagonal(9, 4.0, -1.0);
        arrow.entries.extend((0..7).flat_map(|j| [(8, j, 0.25), (j, 8, 0.25)]));
        let arrow = Coordinates::new(9, 9, arrow.entries);
        for matrix in [tridiagonal(50, 2.0, -1.0), arrow] {
            let x: Vec<f64> = (0..matrix.rows).map(|i| ((7 * i + 3) % 11) as f64 - 5.0).collect();
            let mut b = matrix.times(&x);
            let factors = Skyline::factor(&matrix).unwrap();
            factors.solve(&mut b);
            // The condition of the band is (51 / pi)^2 4 ~ 1e3.
            assert!(b.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-11));
        }
    }

    #[test]
    fn pivots_multiply_to_the_determinant() {
        // That of tridiag(-1, 2, -1) is n + 1.
        let factors = Skyline::factor(&tridiagonal(20, 2.0, -1.0)).unwrap();
        assert!((factors.pivots().iter().product::<f64>() - 21.0).abs() < 1e-12);
    }

    #[test]
    fn matrices_that_are_not_positive_definite_are_told() {
        let singular = Coordinates::new(2, 2, vec![(0, 0, 0.1), (0, 1, 0.3), (1, 0, 0.3), (1, 1, 0.9)]);
        assert_eq!(Skyline::factor(&singular).unwrap_err().row, 1);
        assert_eq!(Skyline::factor(&tridiagonal(3, -1.0, 0.0)).unwrap_err(), NotPositive { row: 0, pivot: -1.0 });
        assert_eq!(Skyline::factor(&Coordinates::new(2, 2, vec![(0, 0, 1.0)])).unwrap_err().row, 1);
        assert!(Skyline::factor(&tridiagonal(5, 1e-200, 1e-201)).is_ok());
    }
}
