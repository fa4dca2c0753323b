//! Orthonormal bases by Householder reflections.
//!
//! The reflection H = 1 - τ v vᵀ with v₀ = 1 takes a vector to a multiple of the first unit vector (Golub and Van Loan,
//! Matrix Computations, section 5.1).

use super::{Failure, Matrix, matrix::euclidean_norm};
use crate::elementary;
use crate::number::Number;

/// A reflection H = 1 - τ v vᵀ with v₀ = 1; τ = 0 is the identity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reflection {
    v: Vec<f64>,
    factor: f64,
}

impl Reflection {
    /// Becomes the reflection that takes x to β e₀ and returns β; x itself is left alone.
    pub(crate) fn annihilate(&mut self, x: &[f64]) -> f64 {
        self.v.clear();
        self.v.extend_from_slice(x);
        self.factor = 0.0;
        let Some((&first, rest)) = x.split_first() else { return 0.0 };
        let rest = euclidean_norm(rest);
        if rest == 0.0 {
            return first;
        }
        let beta = -elementary::hypot(first, rest).copysign(first);
        // x₀ - β does not cancel, for the signs of x₀ and β differ.
        self.factor = (beta - first) / beta;
        let pivot = first - beta;
        self.v.iter_mut().for_each(|v| *v /= pivot);
        self.v[0] = 1.0;
        beta
    }

    /// H x in place, for as many entries as the reflection has.
    pub(crate) fn apply(&self, x: &mut [f64]) {
        let projection: f64 = self.factor * self.v.iter().zip(&*x).map(|(v, x)| v * x).sum::<f64>();
        for (x, v) in x.iter_mut().zip(&self.v) {
            *x -= projection * v;
        }
    }

    /// H A H on the rows and columns from `first` of a symmetric matrix, of which only the lower half is read and written.
    pub(crate) fn apply_on_both_sides(&self, a: &mut Matrix, first: usize) {
        let n = self.v.len();
        let mut w = vec![0.0; n];
        for j in 0..n {
            let column = &a.column(first + j)[first + j + 1..];
            let below = &self.v[j + 1..];
            w[j] += a[(first + j, first + j)] * self.v[j] + f64::dot(column, below);
            w[j + 1..].iter_mut().zip(column).for_each(|(w, a)| *w += a * self.v[j]);
        }
        // A - v w' - w v' with w = τ A v - (τ² v' A v/2) v.
        w.iter_mut().for_each(|w| *w *= self.factor);
        let half = 0.5 * self.factor * f64::dot(&w, &self.v);
        w.iter_mut().zip(&self.v).for_each(|(w, v)| *w -= half * v);
        for j in 0..n {
            let (v, u) = (self.v[j], w[j]);
            let column = &mut a.column_mut(first + j)[first + j..];
            column.iter_mut().zip(&self.v[j..]).zip(&w[j..]).for_each(|((a, x), y)| *a -= x * u + y * v);
        }
    }

    /// H A on the rows from `first` of the columns `columns`.
    pub(crate) fn apply_to_rows(&self, a: &mut Matrix, first: usize, columns: core::ops::Range<usize>) {
        let end = first + self.v.len();
        for j in columns {
            self.apply(&mut a.column_mut(j)[first..end]);
        }
    }

    /// A H on the columns from `first` of the rows `rows`.
    pub(crate) fn apply_to_columns(&self, a: &mut Matrix, first: usize, rows: core::ops::Range<usize>) {
        for i in rows {
            let sum: f64 = self.v.iter().enumerate().map(|(k, v)| v * a[(i, first + k)]).sum();
            let projection = self.factor * sum;
            for (k, v) in self.v.iter().enumerate() {
                a[(i, first + k)] -= projection * v;
            }
        }
    }
}

impl Matrix {
    /// Q and R with A = Q R: for m rows, n columns and p = min(m, n), the p columns of Q are orthonormal, and the p rows of
    /// R are zero left of the diagonal, on which nothing is negative. Fails if an entry is not finite.
    ///
    /// ```
    /// use saltation_numerics::dense::Matrix;
    ///
    /// let (q, r) = Matrix::from_rows([[3.0], [-4.0]]).qr().unwrap();
    /// assert!((r[(0, 0)] - 5.0).abs() < 1e-15 && (q[(1, 0)] + 0.8).abs() < 1e-15);
    /// ```
    pub fn qr(&self) -> Result<(Matrix, Matrix), Failure> {
        self.finite()?;
        let (m, n) = (self.rows(), self.columns());
        let p = m.min(n);
        let mut a = self.clone();
        let mut reflections = vec![Reflection::default(); p];
        for (k, reflection) in reflections.iter_mut().enumerate() {
            let beta = reflection.annihilate(&a.column(k)[k..]);
            a.column_mut(k)[k..].fill(0.0);
            a[(k, k)] = beta;
            reflection.apply_to_rows(&mut a, k, k + 1..n);
        }
        let mut q = Matrix::from_fn(m, p, |i, j| f64::from(i == j));
        for (k, reflection) in reflections.iter().enumerate().rev() {
            reflection.apply_to_rows(&mut q, k, k..p);
        }
        for k in (0..p).filter(|&k| a[(k, k)] < 0.0) {
            q.column_mut(k).iter_mut().for_each(|q| *q = -*q);
        }
        let sign = |i| if a[(i, i)] < 0.0 { -1.0 } else { 1.0 };
        let r = Matrix::from_fn(p, n, |i, j| if i > j { 0.0 } else { sign(i) * a[(i, j)] });
        Ok((q, r))
    }
}
