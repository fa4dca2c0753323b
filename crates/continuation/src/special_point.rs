//! The kinds of bifurcations and other special points of a branch.

use crate::{BranchPoint, Point};

/// The kind of a special point.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The curve turns in this unknown.
    Fold {
        /// Which unknown.
        unknown: usize,
    },
    /// Another curve crosses.
    BranchPoint(Box<BranchPoint>),
    /// An unknown has a value at which a point was wanted; exactly that value.
    Value {
        /// Which unknown.
        unknown: usize,
    },
    /// A test function is zero.
    Zero {
        /// Its name.
        test: String,
    },
    /// A test function changes its sign and does not tend to zero.
    Jump {
        /// Its name.
        test: String,
    },
}

/// A special point on a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecialPoint {
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub point: Point,
    /// The index of the point of the branch at which it is, or after which it comes.
    pub index: usize,
}
