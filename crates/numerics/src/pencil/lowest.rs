//! The lowest eigenpairs of a pencil by inverse subspace iteration, for pencils whose largest eigenvalue hides them in rounding errors.
//!
//! A solver whose error is the rounding unit times the largest eigenvalue determines of the lowest ones only the space that
//! their vectors span, to the ratio of that error and the next eigenvalue. K Z = M X, solved with residuals in
//! double-double numbers, turns the space towards the lowest vectors, and the pencil of Z' K Z and Z' M Z, solved for its
//! inverse eigenvalues, whose error is rounding times the largest of *them*, finds the pairs in it (subspace iteration:
//! Bathe, Finite Element Procedures, section 11.6).

use super::tridiagonal::dense;
use super::{Entry, Pencil, dot, product};
use crate::dense::Matrix;
use crate::matrix_market::Coordinates;
use crate::skyline::Skyline;

/// Eigenvalues with a relative accuracy below this are computed anew.
const REQUIRED_ACCURACY: f64 = 1e-6;

/// The numbers of subspace iterations, and of corrections of each solution by its residual.
const DRAWS: usize = 4;
const CORRECTIONS: usize = 3;

impl Pencil {
    /// Replaces the pairs whose eigenvalues are not known to the first digits, if K is positive definite.
    pub(super) fn recover_lowest(&mut self, mass: &[Entry], stiffness: &[Entry]) {
        let n = self.eigenvalues.len();
        let error = f64::EPSILON * (n as f64).sqrt() * self.eigenvalues[n - 1].abs();
        let count = self.eigenvalues.iter().take_while(|value| **value * REQUIRED_ACCURACY < error).count();
        if count == 0 {
            return;
        }
        let Ok(factors) = Skyline::factor(&Coordinates::new(n, n, stiffness.to_vec())) else { return };
        for _ in 0..DRAWS {
            let drawn: Vec<Vec<f64>> =
                (0..count).map(|j| solution(&factors, mass, stiffness, self.vectors.column(j))).collect();
            let Some((values, vectors)) = ritz(&drawn, mass, stiffness) else { return };
            for (j, (value, vector)) in values.into_iter().zip(vectors).enumerate() {
                self.eigenvalues[j] = value;
                self.vectors.column_mut(j).copy_from_slice(&vector);
            }
        }
        self.sort();
    }
}

/// K⁻¹ M x, of length 1.
fn solution(factors: &Skyline, mass: &[Entry], stiffness: &[Entry], x: &[f64]) -> Vec<f64> {
    let right = product(mass, x);
    let mut z: Vec<f64> = right.iter().map(|r| r.hi).collect();
    factors.solve(&mut z);
    for _ in 0..CORRECTIONS {
        let mut rest: Vec<f64> = right.iter().zip(product(stiffness, &z)).map(|(&r, k)| (r - k).hi).collect();
        factors.solve(&mut rest);
        z.iter_mut().zip(&rest).for_each(|(z, r)| *z += r);
    }
    let length = dot(&z, &product(mass, &z)).hi.sqrt();
    z.iter_mut().for_each(|z| *z /= length);
    z
}

/// The eigenpairs of the pencil in the space of some vectors, smallest eigenvalue first.
fn ritz(z: &[Vec<f64>], mass: &[Entry], stiffness: &[Entry]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let (n, count) = (z.first()?.len(), z.len());
    let projected = |entries: &[Entry]| {
        let images: Vec<_> = z.iter().map(|z| product(entries, z)).collect();
        Matrix::from_fn(count, count, |i, j| dot(&z[i.min(j)], &images[i.max(j)]).hi)
    };
    // Z' M Z y = μ Z' K Z y: the largest μ = 1/λ first.
    let (inverse, y): (Vec<f64>, Matrix) = dense(&projected(stiffness), &projected(mass)).ok()?;
    let vector = |j: usize| {
        let mut x = vec![0.0; n];
        for (z, y) in z.iter().zip(y.column(j)) {
            x.iter_mut().zip(z).for_each(|(x, z)| *x += y * z);
        }
        // y' Z' K Z y = 1, so that x' M x = μ.
        let length = inverse[j].sqrt();
        x.iter_mut().for_each(|x| *x /= length);
        x
    };
    if inverse.iter().any(|mu| mu.is_nan() || *mu <= 0.0) {
        return None;
    }
    Some(((0..count).rev().map(|j| 1.0 / inverse[j]).collect(), (0..count).rev().map(vector).collect()))
}
