//! Contact problems of a system as questions of their own: which forces are possible at a state, where in a plane of two numbers, from which friction on.
//!
//! | module | what it does |
//! |---|---|
//! | [`analysis`] | what is known of the contact problem at a state |
//! | [`contacts`] | solves the contact problems of a system at any state |
//! | `nearest` | finds the state on the surfaces that is nearest to a given one |
//! | [`varied`] | the contact problem at the start, with other values of some numbers |
//! | [`map`] | the regions of a plane of two numbers with one solution, several, or none |
//! | [`critical`] | the smallest friction with a paradox |
//! | [`level`] | level curves of a function of two numbers |

pub mod analysis;
pub mod contacts;
pub mod critical;
pub mod level;
pub mod map;
mod nearest;
pub mod varied;

pub use analysis::{Analysis, ClosedContact, NoProblem, Solution, Status};
pub use contacts::Contacts;
pub use critical::{SmallestFriction, smallest_friction};
pub use map::{ContactMap, Critical, CriticalCurve, Region};
pub use varied::{Varied, VariedError, Varying};
