//! Eigenvalues by the QR iteration against singular values by rotations, and against the traces of the matrix and of its square.

use super::super::tests::families::{self, Dice};
use super::*;

/// The least singular value of A - z: how far A is from a matrix that has z exactly.
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
    shifted.singular_values().unwrap().last().copied().unwrap_or(0.0)
}

/// Each is one of a matrix that differs by rounding; together they have the trace, and their squares that of the square.
#[test]
fn eigenvalues_are_those_of_the_matrix() {
    let mut dice = Dice(0xe16e);
    for n in (0..=16).chain([25, 40, 52, 60]) {
        for (name, a) in families::all(&mut dice, n, n) {
            let norm = a.frobenius_norm();
            let size = f64::EPSILON * (10.0 + n as f64) * norm;
            let found = a.eigenvalues().unwrap();
            assert_eq!(found.len(), n);
            let worst = found.iter().map(|&z| backward_error(&a, z)).fold(0.0, f64::max);
            let trace = |a: &Matrix| (0..n).map(|k| a[(k, k)]).sum::<f64>();
            let (sum, squares) = (found.iter().sum::<Complex>(), found.iter().map(|z| z * z).sum::<Complex>());
            let (off, far) = ((sum - trace(&a)).norm(), (squares - trace(&(&a * &a))).norm());
            assert!(worst <= size && off <= size, "{name}, {n}: {worst:e} {off:e} {size:e}");
            assert!(far <= 2.0 * size * norm, "{name}, {n}: {far:e} {:e}", size * norm);
        }
    }
}
