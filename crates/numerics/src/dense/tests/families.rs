//! Families of matrices on which decompositions are compared: random, singular, graded, defective.

use crate::dense::Matrix;

/// Numbers in (-1, 1) by xorshift (Marsaglia, J. Stat. Software 8 (2003)).
pub(in crate::dense) struct Dice(pub u64);

impl Dice {
    pub(in crate::dense) fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
    }

    pub(in crate::dense) fn matrix(&mut self, rows: usize, columns: usize) -> Matrix {
        Matrix::from_fn(rows, columns, |_, _| self.number())
    }
}

/// Matrices with m rows and n columns: one of every family.
pub(in crate::dense) fn all(dice: &mut Dice, m: usize, n: usize) -> Vec<(&'static str, Matrix)> {
    let p = m.min(n);
    let random = dice.matrix(m, n);
    let rank = p.div_ceil(2);
    let singular = &dice.matrix(m, rank) * &dice.matrix(rank, n);
    let ratio = |places: usize| 10_f64.powf(-18.0 / places.max(1) as f64);
    let (by_row, by_column) = (ratio(m), ratio(n));
    let graded = Matrix::from_fn(m, n, |i, j| random[(i, j)] * by_row.powi(i as i32) * by_column.powi(j as i32));
    // One direction out of many is left, hidden by many columns that are nearly the same.
    let (one, other) = (dice.matrix(m, 1), dice.matrix(1, n));
    let nearly = Matrix::from_fn(m, n, |i, j| one[(i, 0)] * other[(0, j)] + 1e-14 * random[(i, j)]);
    let holes = Matrix::from_fn(m, n, |i, j| if i % 3 == 1 || j % 4 == 2 { 0.0 } else { random[(i, j)] });
    let jordan = Matrix::from_fn(m, n, |i, j| f64::from(i == j) + f64::from(i + 1 == j));
    let tiny = Matrix::from_fn(m, n, |i, j| if i == j { 1e-160_f64.powi(i32::from(i % 2 == 1)) } else { 0.0 });
    let zero = Matrix::zeros(m, n);
    vec![
        ("random", random),
        ("singular", singular),
        ("graded", graded),
        ("of rank one but for rounding", nearly),
        ("with rows and columns of zeros", holes),
        ("a Jordan block", jordan),
        ("with tiny columns", tiny),
        ("zero", zero),
    ]
}
