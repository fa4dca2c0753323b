//! How exactly numbers are known: the parts of the terms that a number consists of, before they cancel, below which it is rounding. The further a number is from what was given, the larger the part.
//!
//! The last digits of doubles are 1.1e-16 of their terms. A value whose own terms were counted knows better (`numerics::rounded`); these parts are for values of which only the largest
//! terms are at hand, and leave room for the others.

/// Of one formula at a state: a gap, a section, a height.
pub(crate) const EVALUATED: f64 = 1e-14;
/// Of sums of many formulas: coefficients of a motion, coefficients of restitution and friction, and directions.
pub(crate) const ROUNDING: f64 = 1e-12;
/// Of what the forces or impulses of several contacts together, or a whole step, have moved.
pub(crate) const SOLVED: f64 = 1e-11;
/// Of what an elimination leaves of a direction that is a combination of others.
pub(crate) const ELIMINATED: f64 = 1e-10;
/// Of formulas at states drawn at random: where all differ by less they are one formula, or none.
pub(crate) const DRAWN: f64 = 1e-9;
/// Of the first speed of a sequence of impacts: slower ones say nothing of the sequence any more.
pub(crate) const SPENT: f64 = 1e-9;
/// What is this near to the border of its law is decided by the derivatives that follow; these decide beside the border as well.
pub(crate) const BORDER: f64 = 1e-9;
/// Two solutions of one problem whose accelerations differ by less are the same motion: relative to what the forces give each of them alone, as a small force beside a fast slip is as much a force
/// as a large one.
pub(crate) const SAME: f64 = 1e-8;
/// Of the diagonal, for a pivot of the constraints of a body: below the root of rounding less than half of the digits of their forces are left.
pub(crate) const SINGULAR: f64 = 1.5e-8;
