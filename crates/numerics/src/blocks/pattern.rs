//! Which entries of a matrix may differ from zero: blocks of rows with few columns each, above rows with all columns.

/// A block of rows with the columns in which they have entries.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    /// The first row.
    pub first: usize,
    pub rows: usize,
    /// In their order.
    pub columns: Vec<usize>,
}

/// The places of the entries of a matrix: blocks of rows with few columns each, above rows with all columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pattern {
    columns: usize,
    blocks: Vec<Block>,
    /// The block of every row above the full ones.
    of_row: Vec<usize>,
    full: usize,
}

impl Pattern {
    /// A pattern from the numbers of rows of its blocks with their columns, in any order, and the number of full rows below them.
    ///
    /// # Panics
    /// If a column is beyond the number of columns.
    pub fn new(columns: usize, blocks: impl IntoIterator<Item = (usize, Vec<usize>)>, full: usize) -> Self {
        let mut pattern = Self { columns, full, ..Self::default() };
        for (rows, mut own) in blocks {
            own.sort_unstable();
            own.dedup();
            assert!(own.last().is_none_or(|last| *last < columns), "a block has no more columns than the matrix");
            let first = pattern.of_row.len();
            pattern.of_row.resize(first + rows, pattern.blocks.len());
            pattern.blocks.push(Block { first, rows, columns: own });
        }
        pattern
    }

    /// The pattern of a matrix of which every entry may differ from zero.
    pub fn dense(rows: usize, columns: usize) -> Self {
        Self::new(columns, [], rows)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.of_row.len() + self.full
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Whether all rows are full.
    pub fn is_dense(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Whether an entry may differ from zero.
    pub fn has(&self, row: usize, column: usize) -> bool {
        row >= self.in_blocks() || self.place(row, column).is_some()
    }

    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The number of full rows.
    pub(super) fn full(&self) -> usize {
        self.full
    }

    /// The number of rows above the full ones.
    pub(super) fn in_blocks(&self) -> usize {
        self.of_row.len()
    }

    /// The block of a row and the place of a column in it; `None` where the entry is zero. The row is not full.
    #[inline]
    pub(super) fn place(&self, row: usize, column: usize) -> Option<(usize, usize)> {
        let block = self.of_row[row];
        self.blocks[block].columns.binary_search(&column).ok().map(|place| (block, place))
    }

    /// The same with more full rows.
    pub fn with_rows(&self, more: usize) -> Self {
        Self { full: self.full + more, ..self.clone() }
    }

    /// The same with a last column in which only full rows have entries.
    pub fn with_column(&self) -> Self {
        Self { columns: self.columns + 1, ..self.clone() }
    }

    /// The same with a last column in which all rows have entries.
    pub fn with_full_column(&self) -> Self {
        let mut wider = self.with_column();
        wider.blocks.iter_mut().for_each(|block| block.columns.push(self.columns));
        wider
    }

    /// Column j being column `columns[j]` of this one, each at most once.
    pub fn select(&self, columns: &[usize]) -> Self {
        let mut places = vec![None; self.columns];
        columns.iter().enumerate().for_each(|(place, &column)| places[column] = Some(place));
        let own = |block: &Block| (block.rows, block.columns.iter().filter_map(|&column| places[column]).collect());
        Self::new(columns.len(), self.blocks.iter().map(own), self.full)
    }

    /// The pattern of a matrix of complex numbers as a real one: every row and column becomes two, one after the other.
    pub fn complex(&self) -> Self {
        let own = |block: &Block| {
            (2 * block.rows, block.columns.iter().flat_map(|&column| [2 * column, 2 * column + 1]).collect())
        };
        Self::new(2 * self.columns, self.blocks.iter().map(own), 2 * self.full)
    }
}
