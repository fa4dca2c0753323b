//! The dense matrix and its products.

use core::ops::{Index, IndexMut, Mul};

use super::Failure;
use crate::vectors::wide;

/// A real matrix, stored column by column.
///
/// Indices are (row, column) and start at 0; those beyond the shape panic, as for slices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    /// Entry (i, j) at place i + j `rows`.
    entries: Vec<f64>,
}

impl Matrix {
    /// The matrix with entries `entry(i, j)`.
    ///
    /// ```
    /// use saltation_numerics::dense::Matrix;
    ///
    /// let a = Matrix::from_fn(2, 3, |i, j| (10 * i + j) as f64);
    /// assert_eq!(a[(1, 2)], 12.0);
    /// assert_eq!(a.column(2), [2.0, 12.0]);
    /// ```
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> f64) -> Self {
        let mut entries = Vec::with_capacity(rows * columns);
        for j in 0..columns {
            entries.extend((0..rows).map(|i| entry(i, j)));
        }
        Self { rows, columns, entries }
    }

    /// The matrix with these rows.
    pub fn from_rows<const ROWS: usize, const COLUMNS: usize>(rows: [[f64; COLUMNS]; ROWS]) -> Self {
        Self::from_fn(ROWS, COLUMNS, |i, j| rows[i][j])
    }

    /// The matrix whose columns stand one after the other in `entries`, or [`Failure::Mismatch`].
    pub fn from_columns(rows: usize, columns: usize, entries: Vec<f64>) -> Result<Self, Failure> {
        let expected = rows.saturating_mul(columns);
        match entries.len() {
            found if found == expected => Ok(Self { rows, columns, entries }),
            found => Err(Failure::Mismatch { expected, found }),
        }
    }

    /// The matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, entries: vec![0.0; rows * columns] }
    }

    /// The identity with n rows.
    pub fn identity(n: usize) -> Self {
        Self::from_fn(n, n, |i, j| f64::from(i == j))
    }

    /// The square matrix with this diagonal and zeros elsewhere.
    pub fn diagonal(diagonal: &[f64]) -> Self {
        Self::from_fn(diagonal.len(), diagonal.len(), |i, j| if i == j { diagonal[i] } else { 0.0 })
    }

    /// The number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[inline]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Column j; panics if there is none.
    #[inline]
    pub fn column(&self, j: usize) -> &[f64] {
        assert!(j < self.columns, "column {j} of {}", self.columns);
        &self.entries[j * self.rows..(j + 1) * self.rows]
    }

    /// Column j, to be written; panics if there is none.
    #[inline]
    pub fn column_mut(&mut self, j: usize) -> &mut [f64] {
        assert!(j < self.columns, "column {j} of {}", self.columns);
        &mut self.entries[j * self.rows..(j + 1) * self.rows]
    }

    /// All entries, column after column.
    #[inline]
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// All entries, column after column, to be written.
    #[inline]
    pub fn entries_mut(&mut self) -> &mut [f64] {
        &mut self.entries
    }

    /// The transpose.
    pub fn transpose(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self[(j, i)])
    }

    /// The product with another matrix, or [`Failure::Mismatch`] if that has not as many rows as this has columns.
    ///
    /// The operator `&a * &b` is the same and panics where this fails.
    pub fn product(&self, other: &Self) -> Result<Self, Failure> {
        if other.rows != self.columns {
            return Err(Failure::Mismatch { expected: self.columns, found: other.rows });
        }
        let mut product = Self::zeros(self.rows, other.columns);
        wide(
            #[inline(always)]
            || {
                for j in 0..other.columns {
                    self.accumulate(other.column(j), product.column_mut(j));
                }
            },
        );
        Ok(product)
    }

    /// The product with a vector, or [`Failure::Mismatch`] if that has not as many entries as this has columns.
    pub fn times(&self, x: &[f64]) -> Result<Vec<f64>, Failure> {
        if x.len() != self.columns {
            return Err(Failure::Mismatch { expected: self.columns, found: x.len() });
        }
        let mut product = vec![0.0; self.rows];
        self.accumulate(x, &mut product);
        Ok(product)
    }

    /// y + A x, for lengths that fit: term by term in the order of the columns.
    #[inline(always)]
    fn accumulate(&self, x: &[f64], y: &mut [f64]) {
        // Four columns at once, so that y is read and written once for all of them.
        let (fours, rest) = x.as_chunks::<4>();
        for (k, x) in fours.iter().enumerate() {
            let columns = &self.entries[4 * k * self.rows..4 * (k + 1) * self.rows];
            let (left, right) = columns.split_at(2 * self.rows);
            let ((a, b), (c, d)) = (left.split_at(self.rows), right.split_at(self.rows));
            for i in 0..y.len() {
                y[i] = y[i] + a[i] * x[0] + b[i] * x[1] + c[i] * x[2] + d[i] * x[3];
            }
        }
        for (j, &x) in rest.iter().enumerate() {
            for (y, &a) in y.iter_mut().zip(self.column(4 * fours.len() + j)) {
                *y += a * x;
            }
        }
    }

    /// Every entry times `factor`.
    pub fn scaled(mut self, factor: f64) -> Self {
        self.entries.iter_mut().for_each(|entry| *entry *= factor);
        self
    }

    /// Whether every entry is finite.
    pub fn is_finite(&self) -> bool {
        self.entries.iter().all(|entry| entry.is_finite())
    }

    /// The largest |entry|; 0 without entries.
    pub fn largest(&self) -> f64 {
        largest(&self.entries)
    }

    /// The Frobenius norm, without intermediate overflow.
    pub fn frobenius_norm(&self) -> f64 {
        euclidean_norm(&self.entries)
    }

    /// The largest sum of |entries| in a column.
    pub fn one_norm(&self) -> f64 {
        (0..self.columns).map(|j| self.column(j).iter().map(|a| a.abs()).sum()).fold(0.0, f64::max)
    }

    /// The largest sum of |entries| in a row.
    pub fn infinity_norm(&self) -> f64 {
        (0..self.rows).map(|i| (0..self.columns).map(|j| self[(i, j)].abs()).sum()).fold(0.0, f64::max)
    }

    /// The number of rows of a square matrix.
    pub(crate) fn square(&self) -> Result<usize, Failure> {
        let (rows, columns) = (self.rows, self.columns);
        if rows == columns { Ok(rows) } else { Err(Failure::NotSquare { rows, columns }) }
    }

    /// An error if an entry is not finite.
    pub(crate) fn finite(&self) -> Result<(), Failure> {
        if self.is_finite() { Ok(()) } else { Err(Failure::NotFinite) }
    }

    /// Takes shape and entries of another matrix into the memory of this one.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        (self.rows, self.columns) = (other.rows, other.columns);
        self.entries.clone_from(&other.entries);
    }
}

/// The largest |x|; 0 for none.
pub(crate) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |largest, x| x.abs().max(largest))
}

/// The Euclidean norm, without intermediate overflow and without loss of accuracy for small numbers.
pub(crate) fn euclidean_norm(x: &[f64]) -> f64 {
    let scale = largest(x);
    if scale == 0.0 || !scale.is_finite() {
        return if x.iter().any(|x| x.is_nan()) { f64::NAN } else { scale };
    }
    scale * x.iter().map(|x| (x / scale).powi(2)).sum::<f64>().sqrt()
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    #[inline]
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        assert!(i < self.rows && j < self.columns, "entry ({i}, {j}) of {} by {}", self.rows, self.columns);
        &self.entries[i + j * self.rows]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    #[inline]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        assert!(i < self.rows && j < self.columns, "entry ({i}, {j}) of {} by {}", self.rows, self.columns);
        &mut self.entries[i + j * self.rows]
    }
}

impl Mul for &Matrix {
    type Output = Matrix;
    /// The product; panics where [`Matrix::product`] fails, as an index beyond a slice does.
    fn mul(self, other: &Matrix) -> Matrix {
        match self.product(other) {
            Ok(product) => product,
            Err(mismatch) => panic!("{mismatch}"),
        }
    }
}
