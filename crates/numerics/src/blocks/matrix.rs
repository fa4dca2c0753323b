//! A matrix of which only the blocks of its pattern are stored.

use core::ops::{Index, IndexMut};
use std::sync::Arc;

use super::Pattern;
use crate::dense::{Failure, Matrix};

/// A real matrix with a [`Pattern`].
///
/// Indices are (row, column) and start at 0. Entries outside the pattern read as zero, and to write them panics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockMatrix {
    pattern: Arc<Pattern>,
    blocks: Vec<Matrix>,
    full: Matrix,
}

impl BlockMatrix {
    /// The matrix of zeros.
    pub fn zeros(pattern: Pattern) -> Self {
        let blocks = pattern.blocks().iter().map(|block| Matrix::zeros(block.rows, block.columns.len())).collect();
        let full = Matrix::zeros(pattern.full(), pattern.columns());
        Self { pattern: Arc::new(pattern), blocks, full }
    }

    /// The places of its entries.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.pattern.rows()
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.pattern.columns()
    }

    /// The rows of a block, with the columns of its pattern.
    pub(super) fn block(&self, block: usize) -> &Matrix {
        &self.blocks[block]
    }

    /// The full rows, which are all of a dense matrix.
    pub fn full(&self) -> &Matrix {
        &self.full
    }

    /// The full rows, to be written.
    pub fn full_mut(&mut self) -> &mut Matrix {
        &mut self.full
    }

    /// Makes every entry zero.
    pub fn clear(&mut self) {
        self.each_part(|part| part.entries_mut().fill(0.0));
    }

    fn each_part(&mut self, mut change: impl FnMut(&mut Matrix)) {
        self.blocks.iter_mut().for_each(&mut change);
        change(&mut self.full);
    }

    /// Takes the entries of a matrix whose pattern is the same but for more full rows and columns here; the other entries stay.
    ///
    /// # Panics
    /// If this matrix has less than that.
    pub fn take(&mut self, other: &Self) {
        for (own, theirs) in self.blocks.iter_mut().zip(&other.blocks) {
            own.entries_mut()[..theirs.entries().len()].copy_from_slice(theirs.entries());
        }
        let rows = other.full.rows();
        for j in 0..other.columns() {
            self.full.column_mut(j)[..rows].copy_from_slice(other.full.column(j));
        }
    }

    /// Takes the entries of the columns of another matrix of which [`Pattern::select`] has made the pattern of this one;
    /// full rows that this one does not have are left out.
    pub fn take_columns(&mut self, other: &Self, columns: &[usize]) {
        let Self { pattern, blocks, full } = self;
        for ((own, block), (theirs, of)) in
            blocks.iter_mut().zip(pattern.blocks()).zip(other.blocks.iter().zip(other.pattern.blocks()))
        {
            for (place, &column) in block.columns.iter().enumerate() {
                if let Ok(from) = of.columns.binary_search(&columns[column]) {
                    own.column_mut(place).copy_from_slice(theirs.column(from));
                }
            }
        }
        for (j, &column) in columns.iter().enumerate() {
            let rows = full.rows();
            full.column_mut(j).copy_from_slice(&other.full.column(column)[..rows]);
        }
    }

    /// Multiplies every column by a factor.
    pub fn scale_columns(&mut self, factors: &[f64]) {
        let Self { pattern, blocks, full } = self;
        let scale = |column: &mut [f64], factor: f64| column.iter_mut().for_each(|entry| *entry *= factor);
        for (own, block) in blocks.iter_mut().zip(pattern.blocks()) {
            block.columns.iter().enumerate().for_each(|(place, &j)| scale(own.column_mut(place), factors[j]));
        }
        factors.iter().enumerate().for_each(|(j, factor)| scale(full.column_mut(j), *factor));
    }

    /// Divides every row by its largest |entry| and writes these to `heights`; those of rows that are zero or not finite are 1.
    pub fn balance_rows(&mut self, heights: &mut [f64]) {
        heights.fill(0.0);
        let mut first = 0;
        self.each_part(|part| {
            let rows = part.rows();
            let own = &mut heights[first..first + rows];
            first += rows;
            for j in 0..part.columns() {
                own.iter_mut().zip(part.column(j)).for_each(|(height, entry)| *height = height.max(entry.abs()));
            }
            let valid = |height: f64| height > 0.0 && height.is_finite();
            own.iter_mut().filter(|height| !valid(**height)).for_each(|height| *height = 1.0);
        });
        self.divide_rows(heights);
    }

    /// Divides every row by a number.
    pub fn divide_rows(&mut self, heights: &[f64]) {
        let mut first = 0;
        self.each_part(|part| {
            let own = &heights[first..first + part.rows()];
            first += part.rows();
            for j in 0..part.columns() {
                part.column_mut(j).iter_mut().zip(own).for_each(|(entry, height)| *entry /= height);
            }
        });
    }

    /// Writes the last row, which is a full one; what is missing at its end is zero.
    pub fn set_last_row(&mut self, row: &[f64]) {
        let last = self.full.rows() - 1;
        for j in 0..self.full.columns() {
            self.full[(last, j)] = row.get(j).copied().unwrap_or(0.0);
        }
    }

    /// Writes the last column of [`Pattern::with_full_column`] from its top; what is below stays.
    pub fn set_last_column(&mut self, column: &[f64]) {
        let last = self.columns() - 1;
        column.iter().enumerate().for_each(|(i, x)| self[(i, last)] = *x);
    }

    /// Hands on all entries of the pattern with their rows and columns.
    pub fn for_each(&self, mut receive: impl FnMut(usize, usize, f64)) {
        for (own, block) in self.blocks.iter().zip(self.pattern.blocks()) {
            for (place, &j) in block.columns.iter().enumerate() {
                own.column(place).iter().enumerate().for_each(|(i, x)| receive(block.first + i, j, *x));
            }
        }
        let above = self.pattern.in_blocks();
        for j in 0..self.columns() {
            self.full.column(j).iter().enumerate().for_each(|(i, x)| receive(above + i, j, *x));
        }
    }

    /// Replaces every entry x by `combine(x, y)` for the entry y of a matrix of the same pattern at the same place.
    pub fn combine(&mut self, other: &Self, combine: impl Fn(f64, f64) -> f64) {
        let with = |own: &mut Matrix, theirs: &Matrix| {
            own.entries_mut().iter_mut().zip(theirs.entries()).for_each(|(x, y)| *x = combine(*x, *y));
        };
        self.blocks.iter_mut().zip(&other.blocks).for_each(|(own, theirs)| with(own, theirs));
        with(&mut self.full, &other.full);
    }

    /// A' w for a vector w with an entry per row.
    pub fn transposed_times(&self, w: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.columns()];
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        for (own, block) in self.blocks.iter().zip(self.pattern.blocks()) {
            let w = &w[block.first..block.first + block.rows];
            block.columns.iter().enumerate().for_each(|(place, &j)| product[j] += dot(own.column(place), w));
        }
        let w = &w[self.pattern.in_blocks()..];
        product.iter_mut().enumerate().for_each(|(j, sum)| *sum += dot(self.full.column(j), w));
        product
    }

    /// A x for a vector x with an entry per column.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.rows()];
        let add = |sum: &mut [f64], column: &[f64], x: f64| sum.iter_mut().zip(column).for_each(|(s, a)| *s += a * x);
        for (own, block) in self.blocks.iter().zip(self.pattern.blocks()) {
            let sum = &mut product[block.first..block.first + block.rows];
            block.columns.iter().enumerate().for_each(|(place, &j)| add(sum, own.column(place), x[j]));
        }
        let sum = &mut product[self.pattern.in_blocks()..];
        x.iter().enumerate().for_each(|(j, x)| add(sum, self.full.column(j), *x));
        product
    }

    /// Every row and column with all its entries.
    pub fn to_dense(&self) -> Matrix {
        Matrix::from_fn(self.rows(), self.columns(), |i, j| self[(i, j)])
    }

    /// The number of rows of a square matrix with finite entries.
    pub(super) fn checked(&self) -> Result<usize, Failure> {
        let (rows, columns) = (self.rows(), self.columns());
        if rows != columns {
            return Err(Failure::NotSquare { rows, columns });
        }
        let finite = self.blocks.iter().chain([&self.full]).all(Matrix::is_finite);
        if finite { Ok(rows) } else { Err(Failure::NotFinite) }
    }
}

/// A dense matrix.
impl From<Matrix> for BlockMatrix {
    fn from(full: Matrix) -> Self {
        Self { pattern: Arc::new(Pattern::dense(full.rows(), full.columns())), blocks: Vec::new(), full }
    }
}

impl Index<(usize, usize)> for BlockMatrix {
    type Output = f64;

    #[inline]
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        let above = self.pattern.in_blocks();
        if i >= above {
            return &self.full[(i - above, j)];
        }
        match self.pattern.place(i, j) {
            Some((block, place)) => &self.blocks[block].column(place)[i - self.pattern.blocks()[block].first],
            None => &0.0,
        }
    }
}

impl IndexMut<(usize, usize)> for BlockMatrix {
    #[inline]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        let above = self.pattern.in_blocks();
        if i >= above {
            return &mut self.full[(i - above, j)];
        }
        match self.pattern.place(i, j) {
            Some((block, place)) => &mut self.blocks[block].column_mut(place)[i - self.pattern.blocks()[block].first],
            None => panic!("entry ({i}, {j}) is outside the pattern"),
        }
    }
}
