//! What is found along a branch: a point, and the bifurcation or border there.

use super::homoclinic::Homoclinic;
use super::sample::Sample;
use super::{Ended, Place, SpecialKind};

/// A point of the branch, with the bifurcation or border there.
pub(super) struct Found {
    pub sample: Sample,
    pub special: Option<Mark>,
}

#[derive(Debug, Clone)]
pub(super) struct Mark {
    pub kind: SpecialKind,
    pub contact: Option<usize>,
    pub place: Place,
    pub other: Option<Vec<f64>>,
    pub homoclinic: Option<Homoclinic>,
    /// Why the curve ends here, if it does.
    pub ended: Option<Ended>,
}

impl Mark {
    pub(super) fn of(kind: SpecialKind) -> Mark {
        Mark { kind, contact: None, place: Place::Everywhere, other: None, homoclinic: None, ended: None }
    }
}

/// Whether two points have the same unknowns: waypoints may have been inserted between them.
pub(super) fn same_layout(a: &Sample, b: &Sample) -> bool {
    a.curve.unknowns.len() == b.curve.unknowns.len()
}
