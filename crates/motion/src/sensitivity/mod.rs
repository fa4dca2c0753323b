//! Sensitivity: derivatives of a motion by its start and its parameters, through every event.
//!
//! | module | what it does |
//! |---|---|
//! | `perturbation` | directions, and derivatives in them |
//! | `dual` | the motion in dual numbers |
//! | `variation` | holds the variational motions of all directions |
//! | `events` | takes them through steps and events |
//! | `regular` | takes them to a singular point of slip |
//! | `carried` | reads the derivatives of a motion at any time, at events and at returns |

mod carried;
pub(crate) mod dual;
mod events;
mod perturbation;
pub(crate) mod regular;
pub(crate) mod variation;

pub use perturbation::{Derivatives, Perturbation};
