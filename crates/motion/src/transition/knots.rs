//! What a motion knows of the tables in its formulas: the pieces on which it is, and the knots on which or at which arguments are.

use saltation_numerics::polynomial::Workspace;

use crate::system::System;

/// An end of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Low,
    High,
}

/// The pieces on which a motion is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    /// By the numbers of lookups; none where the value of the argument says which.
    pub held: Vec<Option<i64>>,
    /// The knots on which arguments are where the present step begins, with the number of their first coefficients that vanish there.
    pub on: Vec<Option<(End, usize)>>,
    /// The ends that arguments reach at the end of a step, with its length, if nothing happens before.
    pub reached: Vec<Option<End>>,
    pub length: f64,
    pub room: Workspace,
    pub row: Vec<f64>,
    pub before: Vec<f64>,
    /// The lookups that have entered a piece where the present step begins.
    pub entered: Vec<u32>,
}

impl Pieces {
    pub(crate) fn new(system: &System) -> Pieces {
        let count = system.model().graph.lookups().len();
        Pieces { held: vec![None; count], on: vec![None; count], reached: vec![None; count], ..Pieces::default() }
    }
}
