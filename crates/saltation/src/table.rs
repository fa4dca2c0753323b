//! Tables of an answer: rows of cells under named columns, as CSV files and data frames hold them.

use crate::text::number::exact;

/// One entry of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A number; one that is not finite is left empty in a file.
    Number(f64),
    /// A whole number.
    Count(u64),
    /// A word.
    Word(String),
    /// Yes or no.
    Flag(bool),
    /// Nothing.
    Empty,
}

impl Cell {
    /// The text in a file: numbers with all their digits.
    pub fn text(&self) -> String {
        match self {
            Cell::Number(x) if x.is_finite() => exact(*x),
            Cell::Number(_) | Cell::Empty => String::new(),
            Cell::Count(n) => n.to_string(),
            Cell::Word(word) => word.clone(),
            Cell::Flag(flag) => flag.to_string(),
        }
    }
}

impl From<f64> for Cell {
    fn from(x: f64) -> Cell {
        Cell::Number(x)
    }
}

impl From<usize> for Cell {
    fn from(n: usize) -> Cell {
        Cell::Count(n as u64)
    }
}

impl From<bool> for Cell {
    fn from(flag: bool) -> Cell {
        Cell::Flag(flag)
    }
}

impl From<&str> for Cell {
    fn from(word: &str) -> Cell {
        Cell::Word(word.to_string())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Cell {
        cell.map_or(Cell::Empty, Into::into)
    }
}

/// A table.
///
/// ```
/// use saltation::{Answered, System};
/// let run = System::gallery("bouncing-ball")?.simulate(1.5)?;
/// let events = &run.tables()[0];
/// assert_eq!(events.name, "events");
/// assert_eq!(events.numbers("time").unwrap().len(), run.events.len());
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its name: that of its file without the ending.
    pub name: &'static str,
    /// The names of its columns.
    pub head: Vec<String>,
    /// Its rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// The cells of a column; `None` if there is none of that name.
    pub fn column(&self, name: &str) -> Option<impl Iterator<Item = &Cell>> {
        let position = self.head.iter().position(|known| known == name)?;
        Some(self.rows.iter().map(move |row| &row[position]))
    }

    /// The numbers of a column, NaN where a cell holds none.
    pub fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        let number = |cell: &Cell| match cell {
            Cell::Number(x) => *x,
            Cell::Count(n) => *n as f64,
            _ => f64::NAN,
        };
        Some(self.column(name)?.map(number).collect())
    }
}
