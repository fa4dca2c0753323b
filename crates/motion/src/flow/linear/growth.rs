//! Bounds on the growth of a linear system: the roots of the norms of the powers of its matrix bound all its series.

use std::sync::{LazyLock, Mutex};

use saltation_expr::jet::LENGTH;
use saltation_numerics::elementary;

/// The powers whose norms bound those of all higher ones: every number from the first on is a sum of these.
const POWERS: std::ops::Range<usize> = 8..16;
/// The part of a series that is left out, relative to its largest terms: less than rounding, with room for the terms of a
/// forced motion, which are larger by a factor of their order.
const LEFT_OUT: f64 = 1e-18;
/// Rounds of balancing; more gain nothing.
const ROUNDS: usize = 8;

/// The rate of the matrix that was looked at last: most parameters do not change it.
#[derive(Debug, Default)]
pub(crate) struct KnownRate(Mutex<(Vec<f64>, f64)>);

impl KnownRate {
    /// [`rate`], computed if it is not that of the last time. Another thread that asks at the same moment is not waited for.
    pub(crate) fn of(&self, matrix: &[f64], states: usize) -> f64 {
        let Ok(mut known) = self.0.try_lock() else { return rate(matrix, states) };
        let (last, value) = &mut *known;
        let same = last.len() == matrix.len() && last.iter().zip(matrix).all(|(a, b)| a.to_bits() == b.to_bits());
        if !same {
            *value = rate(matrix, states);
            last.clear();
            last.extend_from_slice(matrix);
        }
        *value
    }
}

/// A rate rho with |A^k| <= rho^k for all k >= 8, in units of the states that balance rows and columns: the largest
/// |A^k|^(1/k) for k from 8 to 15. It vanishes if A^8 does.
pub(crate) fn rate(matrix: &[f64], states: usize) -> f64 {
    let balanced = balance(matrix, states);
    let (mut power, mut next) = (balanced.clone(), balanced.clone());
    // The power is e^scale times what is kept.
    let mut scale = 0.0;
    let mut largest = 0.0_f64;
    for k in 1..POWERS.end {
        let norm = norm(&power, states);
        if norm == 0.0 || !norm.is_finite() {
            return if norm == 0.0 { largest } else { norm };
        }
        scale += elementary::ln(norm);
        power.iter_mut().for_each(|entry| *entry /= norm);
        if POWERS.contains(&k) {
            largest = largest.max(elementary::exp(scale / k as f64));
        }
        if k + 1 < POWERS.end {
            multiply((&power, &balanced), states, &mut next);
            std::mem::swap(&mut power, &mut next);
        }
    }
    largest
}

/// The time that a series of each order serves, times the rate: the largest s with s^(order+1)/(order+1)! <= what may be
/// left out.
pub(crate) fn serves() -> &'static [f64; LENGTH] {
    static SERVES: LazyLock<[f64; LENGTH]> = LazyLock::new(|| {
        let mut logarithm = 0.0;
        std::array::from_fn(|order| {
            let next = (order + 1) as f64;
            logarithm += elementary::ln(next);
            elementary::exp((logarithm + elementary::ln(LEFT_OUT)) / next)
        })
    });
    &SERVES
}

/// D^-1 A D with powers of two in D that make rows and columns alike (Parlett & Reinsch, Numer. Math. 13 (1969)).
fn balance(matrix: &[f64], n: usize) -> Vec<f64> {
    let mut a = matrix.to_vec();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for i in 0..n {
            let column: f64 = (0..n).filter(|&j| j != i).map(|j| a[j * n + i].abs()).sum();
            let row: f64 = (0..n).filter(|&j| j != i).map(|j| a[i * n + j].abs()).sum();
            if column == 0.0 || row == 0.0 || !(column + row).is_finite() {
                continue;
            }
            let ratio = row / column;
            // The nearest power is the zeroth.
            if ratio > 0.5 && ratio < 2.0 {
                continue;
            }
            let exponent = (0.5 * elementary::log2(ratio)).round();
            changed = true;
            let factor = elementary::exp2(exponent);
            for j in 0..n {
                a[j * n + i] *= factor;
                a[i * n + j] /= factor;
            }
        }
        if !changed {
            break;
        }
    }
    a
}

fn norm(a: &[f64], n: usize) -> f64 {
    a.chunks(n).map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max)
}

/// The product of two matrices.
fn multiply((a, b): (&[f64], &[f64]), n: usize, product: &mut [f64]) {
    for (row, sums) in a.chunks_exact(n).zip(product.chunks_exact_mut(n)) {
        sums.fill(0.0);
        for (&x, factors) in row.iter().zip(b.chunks_exact(n)) {
            for (sum, y) in sums.iter_mut().zip(factors) {
                *sum += x * y;
            }
        }
    }
}
