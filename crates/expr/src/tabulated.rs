//! Functions that are given by points, with their names, and the numbers that are constant on each piece of one.

use std::sync::Arc;

use saltation_numerics::piecewise::Piecewise;

/// A number that belongs to a piece of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Where the powers of its polynomial begin.
    Origin,
    /// A coefficient of its polynomial, by its power.
    Coefficient(u8),
}

/// A table with an argument.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// The name of the table.
    pub name: String,
    /// The table.
    pub table: Arc<Piecewise>,
}

impl Lookup {
    /// A number of the piece on which x lies; NaN where the table has none.
    pub fn at(&self, part: Part, x: f64) -> f64 {
        self.table.find(x).map_or(f64::NAN, |piece| self.of(part, piece))
    }

    /// A number of a piece; NaN where the table has no such piece.
    pub(crate) fn of(&self, part: Part, piece: i64) -> f64 {
        match part {
            _ if !self.table.has(piece) => f64::NAN,
            Part::Origin => self.table.origin(piece),
            Part::Coefficient(power) => self.table.polynomial(piece)[usize::from(power)],
        }
    }
}
