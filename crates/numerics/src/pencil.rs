//! Eigenpairs of the symmetric pencil K x = λ M x with positive definite M.
//!
//! M = L L' turns it into the symmetric problem L⁻¹ K L⁻' y = λ y (Golub and Van Loan, Matrix Computations, section
//! 8.7), whose eigenvalues come out with an error of rounding times the *largest* one. For a structure with many
//! degrees of freedom that is far from the last digit of its lowest frequencies, or larger than they are. Those are
//! found anew by inverse iteration (`lowest`), and all pairs are refined by their residuals in double-double
//! numbers (`refinement`), so that they are those of the matrices as they are given. What the rounding of the entries
//! themselves allows is reported: entries with errors of half a unit in the last place move λ by at most
//! (ε/2) |x|' (|K| + λ |M|) |x|, to first order.

mod lowest;
mod refinement;
mod tridiagonal;

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
    /// The relative error of each eigenvalue: the rounding of the entries of K and M, and the error that
    /// refinement leaves.
    pub uncertainties: Vec<f64>,
}

/// The reason for which a pencil has no real spectrum, or the computation failed.
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

/// The largest number of products of entries with vectors in a refinement: some seconds.
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
    let (eigenvalues, vectors) = tridiagonal::dense(&full(n, mass), &full(n, stiffness))?;
    let mut pencil = Pencil { eigenvalues, vectors, residual: 0.0, refined: false, uncertainties: vec![0.0; n] };
    if (mass.len() + stiffness.len()).saturating_mul(n) <= MOST_PRODUCTS {
        pencil.recover_lowest(mass, stiffness);
        pencil.refine(mass, stiffness);
    } else {
        // Rounding times the largest eigenvalue.
        let largest = pencil.eigenvalues[n - 1].abs();
        pencil.uncertainties =
            pencil.eigenvalues.iter().map(|value| f64::EPSILON * (n as f64).sqrt() * largest / value.abs()).collect();
    }
    pencil.add_rounding_of_entries(mass, stiffness);
    pencil.residual = pencil.backward_error(mass, stiffness);
    if pencil.residual.is_finite() { Ok(pencil) } else { Err(PencilError::NoConvergence) }
}

fn full(n: usize, entries: &[Entry]) -> Matrix {
    let mut matrix = Matrix::zeros(n, n);
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
    /// What half a unit in the last place of every entry changes.
    fn add_rounding_of_entries(&mut self, mass: &[Entry], stiffness: &[Entry]) {
        let n = self.eigenvalues.len();
        for j in 0..n {
            let (x, value) = (self.vectors.column(j), self.eigenvalues[j].abs());
            let size = |entries: &[Entry]| entries.iter().map(|&(i, k, a)| (a * x[i] * x[k]).abs()).sum::<f64>();
            self.uncertainties[j] += 0.5 * f64::EPSILON * (size(stiffness) / value + size(mass));
        }
    }

    /// Smallest eigenvalue first.
    fn sort(&mut self) {
        let n = self.eigenvalues.len();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&i, &j| self.eigenvalues[i].total_cmp(&self.eigenvalues[j]));
        if order.is_sorted() {
            return;
        }
        let sorted = order.iter().flat_map(|&j| self.vectors.column(j).to_vec()).collect();
        if let Ok(vectors) = Matrix::from_columns(n, n, sorted) {
            self.eigenvalues = order.iter().map(|&j| self.eigenvalues[j]).collect();
            self.uncertainties = order.iter().map(|&j| self.uncertainties[j]).collect();
            self.vectors = vectors;
        }
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

    /// A clamped beam of n cubic elements with deflections and n⁻¹ times rotations: whole numbers, without rounding; λ is
    /// 420 n⁴ times theirs.
    fn beam(n: usize) -> (Vec<Entry>, Vec<Entry>) {
        let stiffness =
            [[12.0, 6.0, -12.0, 6.0], [6.0, 4.0, -6.0, 2.0], [-12.0, -6.0, 12.0, -6.0], [6.0, 2.0, -6.0, 4.0]];
        let mass = [
            [156.0, 22.0, 54.0, -13.0],
            [22.0, 4.0, 13.0, -3.0],
            [54.0, 13.0, 156.0, -22.0],
            [-13.0, -3.0, -22.0, 4.0],
        ];
        let assembled = |element: &[[f64; 4]; 4]| {
            let mut entries = std::collections::BTreeMap::new();
            for e in 0..n {
                for (i, row) in element.iter().enumerate() {
                    for (j, a) in row.iter().enumerate() {
                        // The first node is held.
                        if let (Some(i), Some(j)) = ((2 * e + i).checked_sub(2), (2 * e + j).checked_sub(2)) {
                            *entries.entry((i, j)).or_insert(0.0) += a;
                        }
                    }
                }
            }
            entries.into_iter().filter(|entry| entry.1 != 0.0).map(|((i, j), a)| (i, j, a)).collect()
        };
        (assembled(&mass), assembled(&stiffness))
    }

    #[test]
    fn the_lowest_frequencies_of_a_fine_beam_are_right() {
        // β of 1 + cos β cosh β = 0; elements of length h add (β h)⁴/720 of λ = β⁴ (and terms of higher order).
        let beta = [1.8751040687119611, 4.694091132974175, 7.854757438237613, 10.995540734875467];
        for n in [20, 100, 400] {
            let (mass, stiffness) = beam(n);
            let pencil = symmetric(2 * n, &mass, &stiffness).unwrap();
            assert!(pencil.refined, "n = {n}");
            let size = (n as f64).powi(4);
            for (value, beta) in pencil.eigenvalues.iter().zip(beta) {
                let continuous: f64 = beta * beta * beta * beta;
                let elements = 1.0 + continuous / size / 720.0;
                let error = 420.0 * size * value / continuous / elements - 1.0;
                assert!(error.abs() < 1e-15 + (beta / n as f64).powi(6), "n = {n}: {error:e}");
            }
            // What rounded entries of a beam would allow is much less.
            assert!(pencil.uncertainties[0] > 1e-17 * size && pencil.uncertainties[0] < 1e-15 * size);
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
