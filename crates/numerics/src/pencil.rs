//! How does M u'' + K u = 0 vibrate? The symmetric pencil K x = λ M x with positive definite M.
//!
//! M = L L' turns it into the symmetric problem L⁻¹ K L⁻' y = λ y (Golub and Van Loan, Matrix Computations, section
//! 8.7), whose eigenvalues come out with an error of rounding times the *largest* one. For a structure with many
//! degrees of freedom that is far from the last digit of its lowest frequencies, so every pair is refined once: with
//! the residual r_j = K x_j - λ_j M x_j in double-double numbers,
//!
//! ```text
//! x_j <- x_j + Σ_{i≠j} x_i (x_i' r_j)/(λ_j - λ_i),    λ_j = x_j' K x_j / x_j' M x_j,
//! ```
//!
//! the step of first order for the vectors, and Rayleigh's quotient, again in double-double numbers, for the values.

use faer::{Mat, MatRef, Side};

use crate::dense::Matrix;
use crate::exact::DoubleDouble;

/// An entry of a matrix: row, column (from 0) and value. Both halves of a symmetric matrix are written out.
pub type Entry = (usize, usize, f64);

/// Eigenvalues λ and eigenvectors x of K x = λ M x.
#[derive(Clone, Debug)]
pub struct Pencil {
    /// The eigenvalues, smallest first.
    pub eigenvalues: Vec<f64>,
    /// The eigenvectors as columns, in the same order, with X' M X = 1.
    pub vectors: Matrix,
    /// The largest ‖K x - λ M x‖ of all pairs as a part of ‖ |K| |x| + |λ| |M| |x| ‖: the backward error.
    pub residual: f64,
    /// Whether the pairs were refined: very large full matrices are not.
    pub refined: bool,
}

/// Why a pencil has no real spectrum, or none was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PencilError {
    /// M has a pivot that is not positive.
    #[error("M is not positive definite: its elimination fails at row {}", row + 1)]
    NotDefinite {
        /// The row, from 0.
        row: usize,
    },
    /// An entry is not finite, or lies outside the matrix.
    #[error("an entry is not finite, or outside the matrix")]
    NotFinite,
    /// The symmetric eigenvalue problem was not solved.
    #[error("the eigenvalues of the pencil did not converge")]
    NoConvergence,
}

/// The most products of entries with vectors that refinement may cost: some seconds.
const MOST_PRODUCTS: usize = 400_000_000;

/// The eigenvalues and eigenvectors of K x = λ M x, for symmetric n × n matrices given by their nonzero entries.
///
/// # Errors
/// If M is not positive definite, an entry is not finite or the symmetric solver fails.
///
/// ```
/// use saltation_numerics::pencil;
/// // Two unit masses between three unit springs.
/// let mass = [(0, 0, 1.0), (1, 1, 1.0)];
/// let stiffness = [(0, 0, 2.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 2.0)];
/// let pencil = pencil::symmetric(2, &mass, &stiffness)?;
/// assert_eq!(pencil.eigenvalues, [1.0, 3.0]);
/// # Ok::<(), pencil::PencilError>(())
/// ```
pub fn symmetric(n: usize, mass: &[Entry], stiffness: &[Entry]) -> Result<Pencil, PencilError> {
    let right = |&(i, j, x): &Entry| i < n && j < n && x.is_finite();
    if !mass.iter().chain(stiffness).all(right) {
        return Err(PencilError::NotFinite);
    }
    let factor = full(n, mass).llt(Side::Lower).map_err(|error| match error {
        faer::linalg::cholesky::llt::factor::LltError::NonPositivePivot { index } => {
            PencilError::NotDefinite { row: index }
        }
    })?;
    let lower = factor.L();
    let mut a = full(n, stiffness);
    lower.solve_lower_triangular_in_place(a.as_mut());
    let mut a = a.transpose().to_owned();
    lower.solve_lower_triangular_in_place(a.as_mut());
    let eigen = a.self_adjoint_eigen(Side::Lower).map_err(|_| PencilError::NoConvergence)?;
    let mut vectors = eigen.U().to_owned();
    lower.transpose().solve_upper_triangular_in_place(vectors.as_mut());
    let eigenvalues: Vec<f64> = (0..n).map(|j| eigen.S()[j]).collect();
    let entries = (0..n).flat_map(|j| vectors.col(j).iter().copied().collect::<Vec<_>>()).collect();
    let vectors = Matrix::from_columns(n, n, entries).map_err(|_| PencilError::NotFinite)?;
    let mut pencil = Pencil { eigenvalues, vectors, residual: 0.0, refined: false };
    if (mass.len() + stiffness.len()).saturating_mul(n) <= MOST_PRODUCTS {
        pencil.refine(mass, stiffness);
    }
    pencil.residual = pencil.backward_error(mass, stiffness);
    if pencil.residual.is_finite() { Ok(pencil) } else { Err(PencilError::NoConvergence) }
}

fn full(n: usize, entries: &[Entry]) -> Mat<f64> {
    let mut matrix = Mat::zeros(n, n);
    for &(i, j, x) in entries {
        matrix[(i, j)] += x;
    }
    matrix
}

/// A x in double-double numbers.
fn product(entries: &[Entry], x: &[f64]) -> Vec<DoubleDouble> {
    let mut sums = vec![DoubleDouble::default(); x.len()];
    for &(i, j, a) in entries {
        sums[i] += DoubleDouble::product(a, x[j]);
    }
    sums
}

/// x' y for a vector of each kind.
fn dot(x: &[f64], y: &[DoubleDouble]) -> DoubleDouble {
    x.iter().zip(y).fold(DoubleDouble::default(), |sum, (&x, &y)| sum + DoubleDouble::from(x) * y)
}

impl Pencil {
    fn refine(&mut self, mass: &[Entry], stiffness: &[Entry]) {
        let n = self.eigenvalues.len();
        let mut residuals = Vec::with_capacity(n * n);
        for j in 0..n {
            let x = self.vectors.column(j);
            let (moved, stiff) = (product(mass, x), product(stiffness, x));
            let quotient = dot(x, &stiff) / dot(x, &moved);
            self.eigenvalues[j] = quotient.hi;
            residuals.extend(stiff.iter().zip(&moved).map(|(&k, &m)| (k - quotient * m).hi));
        }
        let x = MatRef::from_column_major_slice(self.vectors.entries(), n, n);
        let mut shares = x.transpose() * MatRef::from_column_major_slice(&residuals, n, n);
        let values = &self.eigenvalues;
        for j in 0..n {
            for i in 0..n {
                // Vectors of one multiple eigenvalue may stay mixed.
                let gap = values[j] - values[i];
                let same = gap.abs() <= 1e-9 * values[j].abs().max(values[i].abs());
                shares[(i, j)] = if same { 0.0 } else { shares[(i, j)] / gap };
            }
        }
        let corrections = x * &shares;
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
        // Refined values of a cluster may have changed their order.
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&i, &j| self.eigenvalues[i].total_cmp(&self.eigenvalues[j]));
        if !order.is_sorted() {
            let sorted = order.iter().flat_map(|&j| self.vectors.column(j).to_vec()).collect();
            self.eigenvalues = order.iter().map(|&j| self.eigenvalues[j]).collect();
            if let Ok(vectors) = Matrix::from_columns(n, n, sorted) {
                self.vectors = vectors;
            }
        }
        self.refined = true;
    }

    fn backward_error(&self, mass: &[Entry], stiffness: &[Entry]) -> f64 {
        let n = self.eigenvalues.len();
        let mut worst = 0.0_f64;
        let (mut difference, mut size) = (vec![0.0; n], vec![0.0; n]);
        for (j, value) in self.eigenvalues.iter().enumerate() {
            let x = self.vectors.column(j);
            difference.fill(0.0);
            size.fill(0.0);
            for (entries, factor) in [(stiffness, 1.0), (mass, -value)] {
                for &(i, k, a) in entries {
                    let term = factor * a * x[k];
                    difference[i] += term;
                    size[i] += term.abs();
                }
            }
            let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
            worst = worst.max(norm(&difference) / norm(&size).max(f64::MIN_POSITIVE));
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clamped-free bar of n linear elements with consistent mass, and its frequencies in closed form:
    /// ω² = 6 n² (1 - cos θ)/(2 + cos θ), θ = (2j - 1) π/(2n).
    fn bar(n: usize) -> (Vec<Entry>, Vec<Entry>, Vec<DoubleDouble>) {
        let (mut mass, mut stiffness) = (Vec::new(), Vec::new());
        let h = n as f64;
        for i in 0..n {
            let last = i + 1 == n;
            // Twice the mass and exactly: multiples of 1 and 4, divided by 6 n at once.
            mass.push((i, i, if last { 2.0 } else { 4.0 }));
            stiffness.push((i, i, if last { h } else { 2.0 * h }));
            if !last {
                mass.extend([(i, i + 1, 1.0), (i + 1, i, 1.0)]);
                stiffness.extend([(i, i + 1, -h), (i + 1, i, -h)]);
            }
        }
        let exact = |j: usize| {
            use crate::number::Number;
            let angle = DoubleDouble::PI * ((2 * j + 1) as f64).into() / (2.0 * h).into();
            // 1 - cos θ = 2 sin²(θ/2), which does not cancel.
            let half = (angle / 2.0.into()).sin_cos().0;
            let one_minus = half * half * 2.0.into();
            one_minus * h.into() / (DoubleDouble::from(3.0) - one_minus)
        };
        (mass, stiffness, (0..n).map(exact).collect())
    }

    #[test]
    fn all_frequencies_of_a_bar_are_right_to_the_last_digits() {
        for n in [1, 2, 20, 150] {
            let (mass, stiffness, exact) = bar(n);
            let pencil = symmetric(n, &mass, &stiffness).unwrap();
            assert!(pencil.refined && pencil.residual < 1e-15, "{}", pencil.residual);
            for (j, exact) in exact.iter().enumerate() {
                let error = (pencil.eigenvalues[j] / exact.hi - 1.0).abs();
                assert!(error < 5e-16, "n = {n}, mode {j}: {error:e}");
            }
        }
    }

    #[test]
    fn vectors_are_orthonormal_in_the_mass() {
        let (mass, stiffness, _) = bar(40);
        let x = symmetric(40, &mass, &stiffness).unwrap().vectors;
        for j in 0..40 {
            let moved = product(&mass, x.column(j));
            for i in 0..40 {
                let expected = f64::from(u8::from(i == j));
                assert!((dot(x.column(i), &moved).hi - expected).abs() < 1e-14, "{i} {j}");
            }
        }
    }

    #[test]
    fn equal_eigenvalues_are_no_obstacle() {
        let ones: Vec<Entry> = (0..4).map(|i| (i, i, 1.0)).collect();
        let pencil = symmetric(4, &ones, &ones).unwrap();
        assert!(pencil.eigenvalues.iter().all(|value| (value - 1.0).abs() < 1e-15));
    }

    #[test]
    fn what_is_no_mass_is_told_with_its_row() {
        let mass = [(0, 0, 1.0), (1, 1, -1.0)];
        let stiffness = [(0, 0, 1.0), (1, 1, 1.0)];
        assert_eq!(symmetric(2, &mass, &stiffness).unwrap_err(), PencilError::NotDefinite { row: 1 });
        let infinite = [(0, 0, f64::NAN), (1, 1, 1.0)];
        assert_eq!(symmetric(2, &infinite, &stiffness).unwrap_err(), PencilError::NotFinite);
    }
}
