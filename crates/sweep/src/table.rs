//! Tables of a block of tasks: columns of equal length under names, as data frames hold them.

/// The entries of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Numbers; NaN where there is none.
    Numbers(Vec<f64>),
    /// Whole numbers.
    Counts(Vec<u64>),
    /// Words.
    Words(Vec<String>),
}

impl Column {
    /// The number of entries.
    pub fn len(&self) -> usize {
        match self {
            Column::Numbers(entries) => entries.len(),
            Column::Counts(entries) => entries.len(),
            Column::Words(entries) => entries.len(),
        }
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A column of the same kind without entries.
    pub fn emptied(&self) -> Column {
        match self {
            Column::Numbers(_) => Column::Numbers(Vec::new()),
            Column::Counts(_) => Column::Counts(Vec::new()),
            Column::Words(_) => Column::Words(Vec::new()),
        }
    }
}

/// A table: columns of equal length.
///
/// ```
/// use saltation_sweep::table::{Column, Frame};
/// let frame = Frame::new("impacts", [("task", Column::Counts(vec![0, 0])), ("time", Column::Numbers(vec![0.5, 1.5]))]);
/// assert_eq!(frame.rows(), 2);
/// assert_eq!(frame.emptied().rows(), 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Its name: that of its folder in a store.
    pub name: String,
    /// Its columns with their names, in order.
    pub columns: Vec<(String, Column)>,
}

impl Frame {
    /// A table of these columns.
    pub fn new<N: Into<String>>(name: impl Into<String>, columns: impl IntoIterator<Item = (N, Column)>) -> Frame {
        let columns = columns.into_iter().map(|(name, column)| (name.into(), column));
        Frame { name: name.into(), columns: columns.collect() }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }

    /// The same table without rows: its names and kinds.
    pub fn emptied(&self) -> Frame {
        Frame::new(self.name.as_str(), self.columns.iter().map(|(name, column)| (name.as_str(), column.emptied())))
    }
}
