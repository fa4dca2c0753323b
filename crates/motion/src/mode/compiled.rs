//! A mode compiled: one tape for its rates and outputs, and its coefficients if it is linear.

use std::ops::Range;
use std::sync::Arc;

use saltation_expr::Tape;

use super::closed::ClosedSet;
use super::constraint::{Constraint, Limit};
use crate::flow::linear::KeptForm;

/// The formulas of one way of moving: the rates with some contacts closed, and what is watched on the way.
///
/// Outputs, in order: the gap of every contact, the value of every section, the contact force of every closed contact, the
/// limits of friction and of switches, how far slip is from being singular, the forces of constraints, and the arguments of tables.
#[derive(Debug, Clone)]
pub(crate) struct Mode {
    pub closed: ClosedSet,
    pub tape: Arc<Tape>,
    /// What friction and switches keep above zero in this mode.
    pub limits: Vec<Limit>,
    /// Constraints that hold because others do, with the outputs that then stay zero: gaps and slip speeds.
    pub still: Vec<(Constraint, usize)>,
    /// The output that vanishes where the forces of slip grow without bound.
    pub singular: Option<usize>,
    /// Coefficients of friction of closed contacts that depend on the state, by their outputs.
    pub coefficients: Vec<(usize, usize)>,
    /// The change of the states that leads back to the constraints of the body and to the surfaces along which the motion slides.
    pub correction: Option<Arc<Tape>>,
    /// The forces of constraints of the body among the outputs.
    pub constraint_forces: Range<usize>,
    /// The lookups of tables with arguments that move, and these among the outputs.
    pub lookups: Vec<(u32, usize)>,
    /// Whether a state stands in what complementarities keep at zero; empty where they keep nothing.
    pub kept: Vec<bool>,
    /// The coefficients, if the mode is linear.
    pub linear: Option<Arc<KeptForm>>,
}
