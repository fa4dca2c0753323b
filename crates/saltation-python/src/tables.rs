//! Tables as columns: numbers as NumPy arrays whose memory is that of the library, words and gaps as lists.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use saltation::{Cell, Table};

/// A column before it is an object of Python.
pub(crate) enum Column {
    Numbers(Vec<f64>),
    Counts(Vec<i64>),
    Flags(Vec<bool>),
    Words(Vec<Option<String>>),
}

/// A table in columns.
pub(crate) struct Columns {
    pub name: String,
    pub columns: Vec<(String, Column)>,
}

impl Columns {
    /// The columns of a table.
    pub(crate) fn of(table: Table) -> Columns {
        let Table { name, head, mut rows } = table;
        let column = |(i, name): (usize, String)| (name, column(&mut rows, i));
        Columns { name: name.to_string(), columns: head.into_iter().enumerate().map(column).collect() }
    }

    /// As a dictionary of columns.
    pub(crate) fn object<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for (name, column) in self.columns {
            match column {
                Column::Numbers(list) => map.set_item(name, PyArray1::from_vec(py, list))?,
                Column::Counts(list) => map.set_item(name, PyArray1::from_vec(py, list))?,
                Column::Flags(list) => map.set_item(name, PyArray1::from_vec(py, list))?,
                Column::Words(list) => map.set_item(name, PyList::new(py, list)?)?,
            }
        }
        Ok(map)
    }
}

/// The narrowest type that holds all cells of a column; gaps among numbers are NaN.
fn column(rows: &mut [Vec<Cell>], i: usize) -> Column {
    let all = |fits: fn(&Cell) -> bool| !rows.is_empty() && rows.iter().all(|row| fits(&row[i]));
    if all(|cell| matches!(cell, Cell::Count(_))) {
        let count = |row: &Vec<Cell>| if let Cell::Count(n) = row[i] { n as i64 } else { 0 };
        return Column::Counts(rows.iter().map(count).collect());
    }
    if all(|cell| matches!(cell, Cell::Flag(_))) {
        return Column::Flags(rows.iter().map(|row| row[i] == Cell::Flag(true)).collect());
    }
    if rows.iter().any(|row| matches!(row[i], Cell::Word(_) | Cell::Flag(_))) {
        let word = |row: &mut Vec<Cell>| match std::mem::replace(&mut row[i], Cell::Empty) {
            Cell::Word(word) => Some(word),
            Cell::Empty => None,
            other => Some(other.text()),
        };
        return Column::Words(rows.iter_mut().map(word).collect());
    }
    let number = |row: &Vec<Cell>| match row[i] {
        Cell::Number(x) => x,
        Cell::Count(n) => n as f64,
        _ => f64::NAN,
    };
    Column::Numbers(rows.iter().map(number).collect())
}
