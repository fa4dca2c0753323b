//! Refines the eigenpairs of a pencil by first-order corrections from residuals in double-double arithmetic.
//!
//! With the residual r_j = K x_j - λ_j M x_j,
//!
//! ```text
//! x_j <- x_j + Σ_{i≠j} x_i (x_i' r_j)/(λ_j - λ_i),    λ_j = x_j' K x_j / x_j' M x_j.
//! ```
//!
//! A step squares the shares s of other vectors in each (Ogita and Aishima, Iterative refinement for symmetric eigenvalue
//! decomposition, Japan J. Indust. Appl. Math. 35 (2018)); Rayleigh's quotient squares once more, so that λ_j is off by
//! Σ s² (λ_i - λ_j). Steps are taken until that is rounding for the next one.
//!
//! Shares of neighbours whose eigenvalues are nearly the same are rounding over a small difference. They turn vectors within a space
//! that is correct, but leave X' M X ≠ 1 by s², which X <- X (3 - X' M X)/2 removes (Björck and Bowie, SIAM J. Numer. Anal. 8 (1971)).

use super::{Entry, Pencil, dot, product};
use crate::dense::Matrix;

/// The largest number of steps.
const MOST_STEPS: usize = 6;

/// A share above this is not small: the vectors of such a pair stay mixed.
const MIXED_SHARE: f64 = 0.25;

/// Shares below this are rounding errors in the next step.
const NEGLIGIBLE_SHARE: f64 = 3e-8;

/// Products of vectors are one or zero up to this rounding; below it nothing is corrected, so that high vectors do not enter low ones.
const ORTHONORMALITY_ERROR: f64 = 1e-13;

/// The result of a step.
struct Shares {
    /// The largest share of another vector in one.
    largest: f64,
    /// The relative error of an eigenvalue after the step, n s⁴ (λ_i - λ_j)/λ_j, at most.
    left: f64,
}

impl Pencil {
    /// Refines all pairs, and returns the relative errors of eigenvalues of mixed vectors.
    pub(super) fn refine(&mut self, mass: &[Entry], stiffness: &[Entry]) {
        let mut before = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let Shares { largest, left } = self.step(mass, stiffness);
            // Shares that do not decrease any more are rounding errors, such as those of neighbours near the largest eigenvalue.
            self.refined = left <= f64::EPSILON && (largest <= NEGLIGIBLE_SHARE || largest > 0.25 * before);
            if self.refined || largest.is_nan() {
                break;
            }
            before = largest;
        }
        for _ in 0..MOST_STEPS {
            if self.orthonormalise(mass) <= ORTHONORMALITY_ERROR {
                break;
            }
        }
        self.sort();
    }

    /// One step towards X' M X = 1; how far from it the vectors were.
    fn orthonormalise(&mut self, mass: &[Entry]) -> f64 {
        let n = self.eigenvalues.len();
        let mut moved = Matrix::zeros(n, n);
        for j in 0..n {
            let image = product(mass, self.vectors.column(j));
            moved.column_mut(j).iter_mut().zip(image).for_each(|(to, m)| *to = m.hi);
        }
        let mut left = &self.vectors.transpose() * &moved;
        let mut largest = 0.0_f64;
        for j in 0..n {
            for i in 0..n {
                let away = f64::from(i == j) - left[(i, j)];
                largest = largest.max(away.abs());
                left[(i, j)] = if away.abs() > ORTHONORMALITY_ERROR { 0.5 * away } else { 0.0 };
            }
        }
        if largest > ORTHONORMALITY_ERROR {
            let corrections = &self.vectors * &left;
            for j in 0..n {
                let column = self.vectors.column_mut(j).iter_mut();
                column.enumerate().for_each(|(i, x)| *x += corrections[(i, j)]);
            }
        }
        largest
    }

    /// One step, and the shares that were found.
    fn step(&mut self, mass: &[Entry], stiffness: &[Entry]) -> Shares {
        let n = self.eigenvalues.len();
        let mut residuals = Matrix::zeros(n, n);
        for j in 0..n {
            let x = self.vectors.column(j);
            let (moved, stiff) = (product(mass, x), product(stiffness, x));
            let quotient = dot(x, &stiff) / dot(x, &moved);
            self.eigenvalues[j] = quotient.hi;
            let left = stiff.iter().zip(&moved).map(|(&k, &m)| (k - quotient * m).hi);
            residuals.column_mut(j).iter_mut().zip(left).for_each(|(to, left)| *to = left);
        }
        let mut shares = &self.vectors.transpose() * &residuals;
        let values = &self.eigenvalues;
        let (mut largest, mut left) = (0.0_f64, 0.0_f64);
        for j in 0..n {
            let mut mixed = 0.0_f64;
            for i in 0..n {
                let share = shares[(i, j)] / (values[j] - values[i]);
                shares[(i, j)] = if i == j {
                    0.0
                } else if share.abs() <= MIXED_SHARE {
                    largest = largest.max(share.abs());
                    left = left.max(share.powi(4) * n as f64 * ((values[j] - values[i]) / values[j]).abs());
                    share
                } else {
                    mixed = mixed.max(shares[(i, j)].abs() / values[j].abs());
                    0.0
                };
            }
            self.uncertainties[j] = mixed;
        }
        let corrections = &self.vectors * &shares;
        for j in 0..n {
            let column = self.vectors.column_mut(j);
            for (i, x) in column.iter_mut().enumerate() {
                *x += corrections[(i, j)];
            }
            let x = self.vectors.column(j);
            let moved = product(mass, x);
            let square = dot(x, &moved);
            self.eigenvalues[j] = (dot(x, &product(stiffness, x)) / square).hi;
            let length = square.hi.sqrt();
            self.vectors.column_mut(j).iter_mut().for_each(|x| *x /= length);
        }
        Shares { largest, left }
    }
}
