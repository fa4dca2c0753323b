//! What do closed contacts do to each other? Friction, stick and slip, and impacts of several contacts at once.
//!
//! | module | the question it answers |
//! |---|---|
//! | `formulas` | which forces keep closed contacts closed, and sticking ones sticking? |
//! | `touch` | how does a contact push and rub at a state? |
//! | `problem` | which forces or impulses obey the laws of all contacts? |
//! | `impulse` | how do impulses change the velocities? |
//! | `rest` | where do closed contacts keep a state? |
//! | `collide` | what do impacts with friction do, at one contact or at several at once? |
//! | `approach` | what happens where the forces of slip grow without bound? |
//! | `way` | does a mode obey its own laws from here on? |
//! | `decide` | what do closed contacts do next? |

mod approach;
pub(crate) mod collide;
pub(crate) mod decide;
pub(crate) mod formulas;
pub(crate) mod impulse;
pub mod problem;
pub(crate) mod rest;
pub(crate) mod touch;
mod way;

pub use collide::Collision;
pub use decide::Policy;
pub use formulas::Bound;
