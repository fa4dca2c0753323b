//! What watches a branch while it is followed, and may end it.

use crate::branch::{BranchPoint, SpecialKind};

/// Watches a branch while it is followed. A function of the number of points and the value of the parameter, which returns whether to continue, is one.
pub trait Monitor {
    /// Receives the number of points so far and the value of the parameter; returns whether to continue.
    fn see(&mut self, points: usize, value: f64) -> bool;

    /// Receives a point with its value of the parameter and, if it is one, the bifurcation that it is. Points come as they are found: on one side of the
    /// start away from it, then on the other, branch after branch. The branch that is returned may lack some: those of a branch that was found before, and
    /// doubtful ones beside its end.
    fn point(&mut self, value: f64, point: &BranchPoint, kind: Option<SpecialKind>) {
        let _ = (value, point, kind);
    }
}

impl<F: FnMut(usize, f64) -> bool> Monitor for F {
    fn see(&mut self, points: usize, value: f64) -> bool {
        self(points, value)
    }
}
