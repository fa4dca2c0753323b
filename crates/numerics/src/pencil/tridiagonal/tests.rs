//! Symmetric pencils by the QL iteration against the equations themselves, and against eigenvalues of general matrices.

use super::*;
use crate::dense::Complex;

/// Numbers in (-1, 1) by xorshift.
fn dice(seed: &mut u64) -> f64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
}

/// A pencil of n rows of every family: name, M, K.
fn families(seed: &mut u64, n: usize) -> Vec<(&'static str, Matrix, Matrix)> {
    let random = |seed: &mut u64| Matrix::from_fn(n, n, |_, _| dice(seed));
    let b = random(seed);
    let mass = &(&b * &b.transpose()) + 1.0;
    let a = random(seed);
    let symmetric = Matrix::from_fn(n, n, |i, j| a[(i, j)] + a[(j, i)]);
    let half = Matrix::from_fn(n, n, |i, j| if j < n / 2 { a[(i, j)] } else { 0.0 });
    let scale = |i: usize| 0.5_f64.powi(i as i32);
    let chain = Matrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => 2.0,
        1 => -1.0,
        _ => 0.0,
    });
    let one = Matrix::identity(n);
    vec![
        ("random", mass.clone(), symmetric.clone()),
        ("singular", mass.clone(), &half * &half.transpose()),
        ("graded", one.clone(), Matrix::from_fn(n, n, |i, j| symmetric[(i, j)] * scale(i) * scale(j))),
        ("a chain", one.clone(), chain),
        ("equal eigenvalues", mass.clone(), mass),
        ("diagonal", one.clone(), Matrix::diagonal(&(0..n).map(|k| (n - k) as f64).collect::<Vec<_>>())),
        ("zero", one, Matrix::zeros(n, n)),
    ]
}

impl std::ops::Add<f64> for &Matrix {
    type Output = Matrix;
    /// A number on the diagonal.
    fn add(self, more: f64) -> Matrix {
        Matrix::from_fn(self.rows(), self.columns(), |i, j| self[(i, j)] + if i == j { more } else { 0.0 })
    }
}

#[test]
fn pairs_solve_their_equations() {
    let mut seed = 0x5eed;
    for n in 1..=60 {
        for (name, mass, stiffness) in families(&mut seed, n) {
            let (values, x) = dense(&mass, &stiffness).unwrap();
            assert!(values.is_sorted(), "{name}, {n}");
            let moved = &mass * &x;
            let unit = &x.transpose() * &moved;
            let spread = mass.frobenius_norm() * (1.0 + x.frobenius_norm().powi(2));
            let rounding = f64::EPSILON * (10.0 + n as f64);
            let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
            for j in 0..n {
                for i in 0..n {
                    let expected = f64::from(i == j);
                    assert!(
                        (unit[(i, j)] - expected).abs() <= rounding * spread,
                        "{name}, {n}: {:e}",
                        unit[(i, j)] - expected
                    );
                }
                let stiff = stiffness.times(x.column(j)).unwrap();
                let missed: f64 = stiff.iter().zip(moved.column(j)).map(|(k, m)| (k - values[j] * m).powi(2)).sum();
                let size = (stiffness.frobenius_norm() + largest * mass.frobenius_norm()) * x.frobenius_norm();
                assert!(missed.sqrt() <= rounding * size, "{name}, {n}: {:e}", missed.sqrt() / size);
            }
        }
    }
}

#[test]
fn eigenvalues_are_those_of_a_general_matrix_and_the_wrong_mass_is_told() {
    let mut seed = 5;
    for (name, _, stiffness) in families(&mut seed, 12) {
        let (values, _) = symmetric(&stiffness).unwrap();
        let mut general: Vec<f64> = stiffness.eigenvalues().unwrap().iter().map(|z: &Complex| z.re).collect();
        general.sort_by(f64::total_cmp);
        let size = stiffness.frobenius_norm();
        assert!(values.iter().zip(&general).all(|(a, b)| (a - b).abs() <= 50.0 * f64::EPSILON * size), "{name}");
    }
    let wrong = Matrix::diagonal(&[1.0, 2.0, -1.0]);
    assert_eq!(dense(&wrong, &Matrix::identity(3)).unwrap_err(), PencilError::NotDefinite { row: 2 });
    let zero = Matrix::diagonal(&[1.0, 0.0]);
    assert_eq!(dense(&zero, &Matrix::identity(2)).unwrap_err(), PencilError::NotDefinite { row: 1 });
}

/// The bits are known, on whatever machine this runs.
#[test]
fn pairs_have_their_bits() {
    let mut seed = 3;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for n in [1, 2, 5, 20] {
        for (_, mass, stiffness) in families(&mut seed, n) {
            let (values, x) = dense(&mass, &stiffness).unwrap();
            for x in values.iter().chain(x.entries()) {
                hash = (hash ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3).rotate_left(17);
            }
        }
    }
    assert_eq!(format!("{hash:016x}"), "6825361e5bbdbf4a");
}
