//! Which other orbits begin at a special point?

use super::Branch;
use super::trace::{Start, Tracer};

/// Another orbit that begins at a special point.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// Where it begins.
    pub(crate) start: Start,
}

/// Follows the branches that begin at the special points of those already there.
pub(crate) fn follow_all(
    _tracer: &mut Tracer,
    _branches: &mut Vec<Branch>,
    _watch: &mut dyn FnMut(usize, f64) -> bool,
) {
}
