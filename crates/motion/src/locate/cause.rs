//! What ends a step, and what happens on it without ending it.

use crate::mode::Limit;

/// What ends a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cause {
    /// Nothing: its length.
    None,
    /// A contact closes; `graze` if it does so within the tolerance of not closing at all.
    Impact { contact: usize, graze: bool },
    /// A contact force falls through zero.
    Release { contact: usize },
    /// Friction or a switch reaches a limit.
    Limit(Limit),
    /// A coefficient of friction falls below zero.
    Coefficient { contact: usize, output: usize },
    /// Several contacts close at the same time, and the model has no law for that.
    Together,
    /// A section has been passed for the last time that was asked for.
    Return,
}

/// Something on a step that does not end it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mark {
    /// A section is passed, at the place.
    Section { section: usize, rising: bool },
    /// The gap of a contact has a minimum of zero, within the tolerance.
    Graze { contact: usize },
}
