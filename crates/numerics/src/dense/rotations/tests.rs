//! Singular values by rotations against their definition, which proves them, and closed forms.

use super::super::decomposition::balanced;
use super::super::tests::families::{self, Dice};
use super::*;

fn largest_entry_of_difference(a: &Matrix, b: &Matrix) -> f64 {
    a.entries().iter().zip(b.entries()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn orthonormal(u: &Matrix) -> f64 {
    largest_entry_of_difference(&(&u.transpose() * u), &Matrix::identity(u.columns()))
}

/// All that holds for a decomposition: orthonormal vectors, falling values, the product.
fn examine(name: &str, a: &Matrix) {
    let (a, _) = balanced(a);
    let (m, n) = (a.rows(), a.columns());
    let place = format!("{name}, {m} by {n}");
    let Singular { u, v, values } = singular(&a, true).unwrap();
    assert_eq!((u.rows(), u.columns(), v.rows(), v.columns()), (m, m.min(n), n, m.min(n)), "{place}");
    let rounding = f64::EPSILON * (10.0 + 2.0 * m.max(n) as f64);
    assert!(
        orthonormal(&u) <= rounding && orthonormal(&v) <= rounding,
        "{place}: {:e} {:e}",
        orthonormal(&u),
        orthonormal(&v)
    );
    let size = values.first().copied().unwrap_or(0.0);
    let product = &(&u * &Matrix::diagonal(&values)) * &v.transpose();
    let missed = largest_entry_of_difference(&a, &product);
    assert!(missed <= rounding * size, "{place}: {missed:e}");
    assert!(values.is_sorted_by(|a, b| a >= b) && values.iter().all(|x| *x >= 0.0), "{place}: {values:?}");
    assert_eq!(singular(&a, false).unwrap().values, values, "{place}");
}

#[test]
fn decompositions_are_those_of_the_matrix() {
    let mut dice = Dice(0x5eed);
    for n in 0..=60 {
        for m in [n, n + 1, 2 * n, n / 2] {
            families::all(&mut dice, m, n).iter().for_each(|(name, a)| examine(name, a));
        }
    }
}

/// Columns of very different lengths keep their digits, as they do in no decomposition by reflections from both sides.
#[test]
fn values_of_scaled_orthogonal_columns_are_their_lengths() {
    let mut dice = Dice(7);
    for n in 1..30 {
        let (q, _) = dice.matrix(n, n).qr().unwrap();
        let scale: Vec<f64> = (0..n).map(|k| 0.1_f64.powi(k as i32)).collect();
        let found = singular(&(&q * &Matrix::diagonal(&scale)), false).unwrap();
        for (found, expected) in found.values.iter().zip(&scale) {
            assert!((found / expected - 1.0).abs() < 1e-13, "{n}: {found:e} {expected:e}");
        }
    }
}

/// Null vectors of equations that repeat each other are complete.
#[test]
fn null_spaces_are_found_whole() {
    let mut dice = Dice(11);
    for n in 2..20 {
        let rank = n / 2;
        let a = &dice.matrix(n, rank) * &dice.matrix(rank, n);
        let Singular { v, .. } = singular(&balanced(&a).0, true).unwrap();
        for k in rank..n {
            let image = euclidean_norm(&a.times(v.column(k)).unwrap());
            assert!(image < 1e-14 * n as f64, "{n}: {image:e}");
        }
    }
}

/// The bits are known, on whatever machine this runs.
#[test]
fn decompositions_have_their_bits() {
    let mut dice = Dice(3);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for n in [1, 2, 3, 8, 21] {
        for (_, a) in families::all(&mut dice, n + 1, n) {
            let Singular { u, v, values } = singular(&balanced(&a).0, true).unwrap();
            for x in u.entries().iter().chain(v.entries()).chain(&values) {
                hash = (hash ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3).rotate_left(17);
            }
        }
    }
    assert_eq!(format!("{hash:016x}"), "9310deab412910c3");
}
