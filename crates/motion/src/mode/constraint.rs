//! What closed contacts keep at zero (constraints, by forces) and above zero (limits, whose fall to zero ends the mode).

use super::slip::Slip;

/// What a contact keeps at zero: its opening speed, or the speed along its surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Constraint {
    Normal(usize),
    Tangential(usize),
    /// The speed along its surface, which is a multiple of that of the first contact that sticks. Only among constraints without a force, beside the
    /// tangential one.
    Parallel(usize),
}

impl Constraint {
    /// The contact.
    pub(crate) fn contact(self) -> usize {
        match self {
            Constraint::Normal(contact) | Constraint::Tangential(contact) | Constraint::Parallel(contact) => contact,
        }
    }
}

/// Something that friction or a switch keeps above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit {
    /// The element: a contact, or [a switch](super::ClosedSet::element).
    pub contact: usize,
    pub kind: Bound,
    /// Position among the outputs of the mode.
    pub output: usize,
}

/// What a closed contact keeps above zero, and a switch with s in place of the speed of slip and 1 - |sigma| in place of the distance from the edge of the
/// cone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bound {
    /// Its normal force.
    Force,
    /// sgn(g_T') g_T', while it slips.
    Speed,
    /// mu lambda_N + lambda_T, and mu lambda_N - lambda_T, while it sticks: it would slip in this direction next.
    Cone(Slip),
    /// |s| of a switch along which no motion slides: of a corner of the field, or of the surface of an event.
    Surface,
}

impl Bound {
    /// Every bound.
    pub const ALL: [Bound; 5] =
        [Bound::Force, Bound::Speed, Bound::Cone(Slip::Forward), Bound::Cone(Slip::Backward), Bound::Surface];

    /// One word for files.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Force => "force",
            Bound::Speed => "speed",
            Bound::Cone(Slip::Forward) => "cone+",
            Bound::Cone(Slip::Backward) => "cone-",
            Bound::Surface => "surface",
        }
    }
}
