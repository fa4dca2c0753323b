//! What do closed contacts do to each other? Friction, stick and slip, and impacts of several contacts at once.
//!
//! | module | the question it answers |
//! |---|---|
//! | `formulas` | which forces keep closed contacts closed, and sticking ones sticking? |
//! | `touch` | how does a contact push and rub at a state? |
//! | `problem` | which forces or impulses obey the laws of all contacts? |
//! | `redundant` | which forces share the load where they are one choice of many? |
//! | `impulse` | how do impulses change the velocities? |
//! | `rest` | where do closed contacts keep a state? |
//! | `coefficients` | do the coefficients of contacts mean something? |
//! | `collide` | what do impacts with friction do, at one contact or at several at once? |
//! | `collision` | what was decided about an impact? |
//! | `free_impact` | when do speeds jump although no contact closes? |
//! | [`exhaustive`] | what are all solutions, by a second and slower route? |
//! | `approach` | what happens where the forces of slip grow without bound? |
//! | `way` | does a mode obey its own laws from here on? |
//! | `decide` | what do closed contacts do next? |
//! | [`analysis`] | which forces are possible at a state? |
//! | [`contacts`] | how are the contact problems of a system solved? |
//! | `settle` | where on the surfaces is the nearest state, some numbers being held? |
//! | [`varied`] | how does the contact problem of the start vary with some numbers? |
//! | [`map`] | where in a plane of two numbers is there one answer, several, or none? |
//! | [`critical`] | how little friction is enough for a paradox? |
//! | [`level`] | where does a function of two numbers vanish? |

pub mod analysis;
mod approach;
pub(crate) mod coefficients;
pub(crate) mod collide;
mod collision;
pub mod contacts;
pub mod critical;
pub(crate) mod decide;
pub mod exhaustive;
pub(crate) mod formulas;
mod free_impact;
pub(crate) mod impulse;
pub mod level;
pub mod map;
pub mod problem;
mod redundant;
pub(crate) mod rest;
mod settle;
pub(crate) mod touch;
pub mod varied;
pub(crate) mod way;

pub use analysis::{Analysis, ClosedContact, NoProblem, Solution, Status};
pub use collision::Collision;
pub use contacts::Contacts;
pub use critical::{SmallestFriction, smallest_friction};
pub use decide::Policy;
pub use formulas::Bound;
pub use map::{ContactMap, Critical, CriticalCurve, Region};
pub use varied::{Varied, VariedError, Varying};
