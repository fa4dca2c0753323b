//! Which contacts are closed, and which of them carry: where constraints follow from others, forces are one choice of many, and a motion has made one.

use super::closed::ClosedSet;
use super::constraint::Constraint;

/// The closed contacts of a step, with the constraints among them that hold because others do and have no force of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Support<'a> {
    /// The closed contacts.
    pub closed: ClosedSet,
    /// The constraints without a force; `None` where a motion has not decided.
    pub(crate) redundant: Option<&'a [Constraint]>,
}

impl From<ClosedSet> for Support<'_> {
    /// These contacts, whichever of them carry.
    fn from(closed: ClosedSet) -> Self {
        Support { closed, redundant: None }
    }
}
