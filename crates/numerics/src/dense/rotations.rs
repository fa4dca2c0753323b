//! Singular values and vectors by Jacobi's rotations of columns (Hestenes, J. SIAM 6 (1958); Golub and Van Loan, Matrix Computations, section 8.6),
//! after A = Q R with the largest columns first (Drmač and Veselić, SIAM J. Matrix Anal. Appl. 29 (2008)).
//!
//! Rotations make the columns of L = Rᵀ orthogonal: L W = Y Σ, so that A P = Q W Σ Yᵀ. Every operation is a sum in a fixed order, each product rounded.

use super::{Failure, Matrix, Reflection, matrix::euclidean_norm};
use crate::number::Number;
use crate::vectors::wide;

/// Sweeps over all pairs of columns; some ten are needed.
const MOST_SWEEPS: usize = 100;

/// Columns whose squares lose digits below the normal range count as zero: beside the largest, of length 1 at least, they are.
const SMALLEST_SQUARE: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// A = U Σ Vᵀ, with min(rows, columns) columns in U and V: empty matrices where they were not asked for.
#[derive(Clone, Debug)]
pub(super) struct Singular {
    pub u: Matrix,
    pub v: Matrix,
    pub values: Vec<f64>,
}

/// The decomposition of a matrix with finite entries, the largest in [1, 2).
pub(super) fn singular(a: &Matrix, vectors: bool) -> Result<Singular, Failure> {
    if a.rows() < a.columns() {
        let Singular { u, v, values } = singular(&a.transpose(), vectors)?;
        return Ok(Singular { u: v, v: u, values });
    }
    let Triangle { lower, reflections, order } = triangle(a);
    let n = a.columns();
    let (mut y, mut w) = (lower, if vectors { Matrix::identity(n) } else { Matrix::zeros(0, n) });
    orthogonalise(&mut y, &mut w)?;
    let lengths: Vec<f64> = (0..n).map(|j| euclidean_norm(y.column(j))).collect();
    let mut largest_first: Vec<usize> = (0..n).collect();
    largest_first.sort_by(|&i, &j| lengths[j].total_cmp(&lengths[i]));
    let values = largest_first.iter().map(|&j| lengths[j]).collect();
    if !vectors {
        return Ok(Singular { u: Matrix::default(), v: Matrix::default(), values });
    }
    let mut u = Matrix::from_fn(a.rows(), n, |i, k| if i < n { w[(i, largest_first[k])] } else { 0.0 });
    for (k, reflection) in reflections.iter().enumerate().rev() {
        reflection.apply_to_rows(&mut u, k, 0..n);
    }
    let mut units = Matrix::zeros(n, n);
    let mut missing = Vec::new();
    for (k, &j) in largest_first.iter().enumerate() {
        if lengths[j] * lengths[j] < SMALLEST_SQUARE {
            missing.push(k);
        } else {
            units.column_mut(k).iter_mut().zip(y.column(j)).for_each(|(unit, y)| *unit = y / lengths[j]);
        }
    }
    complete(&mut units, &missing);
    let mut v = Matrix::zeros(n, n);
    for k in 0..n {
        order.iter().enumerate().for_each(|(i, &place)| v[(place, k)] = units[(i, k)]);
    }
    Ok(Singular { u, v, values })
}

/// A P = Q R.
struct Triangle {
    /// Rᵀ.
    lower: Matrix,
    /// The factors of Q, the first to act last.
    reflections: Vec<Reflection>,
    /// The column of A that comes at each place.
    order: Vec<usize>,
}

/// The decomposition with what is left of the largest column at every place.
fn triangle(a: &Matrix) -> Triangle {
    let (m, n) = (a.rows(), a.columns());
    let mut a = a.clone();
    let mut order: Vec<usize> = (0..n).collect();
    let mut reflections = vec![Reflection::default(); n];
    for (k, reflection) in reflections.iter_mut().enumerate() {
        let left = |j: usize| euclidean_norm(&a.column(j)[k..]);
        let (longest, _) = (k + 1..n).fold((k, left(k)), |(longest, most), j| {
            let length = left(j);
            if length > most { (j, length) } else { (longest, most) }
        });
        if longest != k {
            order.swap(k, longest);
            let (first, second) = pair(&mut a, k, longest);
            first.swap_with_slice(second);
        }
        let beta = reflection.annihilate(&a.column(k)[k..]);
        a.column_mut(k)[k..m].fill(0.0);
        a[(k, k)] = beta;
        reflection.apply_to_rows(&mut a, k, k + 1..n);
    }
    Triangle { lower: Matrix::from_fn(n, n, |i, j| if i < j { 0.0 } else { a[(j, i)] }), reflections, order }
}

/// Two columns, i < j.
fn pair(a: &mut Matrix, i: usize, j: usize) -> (&mut [f64], &mut [f64]) {
    let rows = a.rows();
    let (left, right) = a.entries_mut().split_at_mut(j * rows);
    (&mut left[i * rows..(i + 1) * rows], &mut right[..rows])
}

/// Rotates columns of y in pairs until all are orthogonal, and those of w with them.
fn orthogonalise(y: &mut Matrix, w: &mut Matrix) -> Result<(), Failure> {
    let n = y.columns();
    // What rounding leaves of the product of two orthogonal columns of length 1: that of their entries, and of a sum of n products.
    let rounding = f64::EPSILON * (8.0 + (n as f64).sqrt());
    let mut squares: Vec<f64> = (0..n).map(|j| f64::dot(y.column(j), y.column(j))).collect();
    for _ in 0..MOST_SWEEPS {
        let mut rotated = false;
        for i in 0..n {
            for j in i + 1..n {
                let (x, z) = pair(y, i, j);
                let (a, b) = (squares[i], squares[j]);
                // The larger column comes first, which makes later sweeps short.
                let swap = b > a;
                let lengths = if a.min(b) >= SMALLEST_SQUARE { a.sqrt() * b.sqrt() } else { f64::INFINITY };
                let c = if lengths < f64::INFINITY {
                    wide(
                        #[inline(always)]
                        || f64::dot(x, z),
                    )
                } else {
                    0.0
                };
                let turn = c.abs() > rounding * lengths;
                if turn {
                    let (cosine, sine) = rotation(a, b, c);
                    rotated = true;
                    (squares[i], squares[j]) = wide(
                        #[inline(always)]
                        || {
                            rotate(x, z, cosine, sine);
                            (f64::dot(x, x), f64::dot(z, z))
                        },
                    );
                    let (x, z) = pair(w, i, j);
                    wide(
                        #[inline(always)]
                        || rotate(x, z, cosine, sine),
                    );
                }
                if swap {
                    squares.swap(i, j);
                    for (x, z) in [pair(y, i, j), pair(w, i, j)] {
                        x.swap_with_slice(z);
                    }
                }
            }
        }
        if !rotated {
            return Ok(());
        }
    }
    Err(Failure::NoConvergence)
}

/// Cosine and sine of the smaller angle that makes columns of squares a and b and product c orthogonal.
fn rotation(a: f64, b: f64, c: f64) -> (f64, f64) {
    let cotangent = (b - a) / (2.0 * c);
    let tangent = 1.0_f64.copysign(cotangent) / (cotangent.abs() + (1.0 + cotangent * cotangent).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    (cosine, cosine * tangent)
}

/// x c - z s and x s + z c.
#[inline(always)]
fn rotate(x: &mut [f64], z: &mut [f64], cosine: f64, sine: f64) {
    for (x, z) in x.iter_mut().zip(z) {
        (*x, *z) = (*x * cosine - *z * sine, *x * sine + *z * cosine);
    }
}

/// Fills the missing columns so that all of a square matrix are orthonormal.
fn complete(units: &mut Matrix, missing: &[usize]) {
    let n = units.rows();
    let mut known: Vec<usize> = (0..n).filter(|k| !missing.contains(k)).collect();
    for &k in missing {
        // The unit vector that is farthest from the space of those known: the square of its distance is what they leave of 1.
        let covered = |i: usize| known.iter().map(|&j| units[(i, j)] * units[(i, j)]).sum::<f64>();
        let (farthest, _) = (0..n).fold((0, f64::INFINITY), |(farthest, least), i| {
            let covered = covered(i);
            if covered < least { (i, covered) } else { (farthest, least) }
        });
        let mut unit = vec![0.0; n];
        unit[farthest] = 1.0;
        // Once more removes what rounding left.
        for _ in 0..2 {
            for &j in &known {
                let along = f64::dot(units.column(j), &unit);
                unit.iter_mut().zip(units.column(j)).for_each(|(x, u)| *x -= along * u);
            }
        }
        let length = euclidean_norm(&unit);
        units.column_mut(k).iter_mut().zip(&unit).for_each(|(to, x)| *to = x / length);
        known.push(k);
    }
}

#[cfg(test)]
mod tests;
