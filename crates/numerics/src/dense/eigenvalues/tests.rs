//! Eigenvalues by the QR iteration against faer's, and against those that matrices were made of.

use super::super::decomposition::singular;
use super::super::tests::families::{self, Dice};
use super::*;

/// The largest distance of one list from the other, each number taken once, nearest pairs first.
fn distance(a: &[Complex], b: &[Complex]) -> f64 {
    assert_eq!(a.len(), b.len());
    let mut left = b.to_vec();
    let mut largest = 0.0_f64;
    for z in a {
        let far = |w: &Complex| (w - z).norm();
        let nearest = (0..left.len()).min_by(|&i, &j| far(&left[i]).total_cmp(&far(&left[j])));
        if let Some(nearest) = nearest {
            largest = largest.max(far(&left.swap_remove(nearest)));
        }
    }
    largest
}

/// The least singular value of A - z, by faer: how far A is from a matrix that has z exactly.
fn backward_error(a: &Matrix, z: Complex) -> f64 {
    let n = a.rows();
    let shifted = Matrix::from_fn(2 * n, 2 * n, |i, j| {
        let (same, diagonal) = (i / n == j / n, i % n == j % n);
        let shift = match (diagonal, same) {
            (false, _) => 0.0,
            (true, true) => -z.re,
            (true, false) if i < n => z.im,
            (true, false) => -z.im,
        };
        shift + if same { a[(i % n, j % n)] } else { 0.0 }
    });
    singular(&shifted, false).unwrap().values.last().copied().unwrap_or(0.0)
}

/// Each is one of a matrix that differs by rounding; together they have the trace; where a perturbation does not move them much
/// they are those of faer.
#[test]
fn eigenvalues_are_those_of_the_matrix() {
    let mut dice = Dice(0xe16e);
    for n in (0..=16).chain([25, 40, 52, 60]) {
        for (name, a) in families::all(&mut dice, n, n) {
            let size = f64::EPSILON * (10.0 + n as f64) * a.frobenius_norm();
            let found = iterated(&a).unwrap();
            assert_eq!(found.len(), n);
            let worst = found.iter().map(|&z| backward_error(&a, z)).fold(0.0, f64::max);
            let trace: f64 = (0..n).map(|k| a[(k, k)]).sum();
            let sum: Complex = found.iter().sum();
            let off = (sum - trace).norm();
            let apart = distance(&found, &by_blocks(&a).unwrap());
            assert!(worst <= size && off <= size, "{name}, {n}: {worst:e} {off:e} {size:e}");
            // Multiple zeros of the others move by roots of rounding.
            if ["random", "graded", "singular", "of rank one but for rounding"].contains(&name) {
                assert!(apart <= 2.0 * size, "{name}, {n}: {apart:e} {size:e}");
            }
        }
    }
}
