//! Chains of blocks: the unit of threads and of parts.

use saltation_motion::ClosedSet;
use std::ops::Range;

/// Where a motion ended: its state and the closed contacts.
pub type Place = (Vec<f64>, ClosedSet);

/// Blocks that are to be computed one after another, and where the first of them begins, if it is carried there.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// The blocks.
    pub blocks: Range<u64>,
    /// Where the task before them ended.
    pub carried: Option<Place>,
}
