//! Modes: which equations hold while a set of contacts is closed, each sticking or slipping.
//!
//! | module | what it holds |
//! |---|---|
//! | `closed` | sets of closed contacts with their slip |
//! | `slip` | the direction of slip |
//! | `sides` | on which side of every switch a motion is |
//! | `complementary` | the multipliers of complementarities that are on |
//! | `switched` | the formulas of a mode on given sides, and of sliding |
//! | `hybrid` | the functions of switches and the jumps of events, compiled |
//! | `constraint` | what closed contacts keep at zero and above zero |
//! | `outputs` | the order of a mode's outputs |
//! | `formulas` | rates and outputs of a mode as formulas, with the forces of its contacts |
//! | `compiled` | the same as one tape |
//! | `expansion` | a tape with the parameters bound, on any kind of number |
//! | `kept` | the compiled modes of a system, shared by all motions |
//! | `still` | a mode in which roots stay at zero |
//! | `bound` | a mode that a motion runs on, and all that it keeps |

pub(crate) mod bound;
pub(crate) mod cache;
mod closed;
pub(crate) mod compiled;
mod complementary;
mod constraint;
pub(crate) mod expansion;
pub(crate) mod formulas;
pub(crate) mod hybrid;
pub(crate) mod outputs;
mod sides;
mod slip;
mod support;
pub(crate) mod switched;
mod vanishing_roots;

pub use closed::ClosedSet;
pub use constraint::Bound;
pub(crate) use constraint::{Constraint, Limit};
pub use sides::{Side, Sides};
pub use slip::Slip;
pub use support::Support;
