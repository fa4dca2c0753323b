//! Motions that repeat, and states of rest: where they are, whether they are stable, and how fast their neighbours leave them.
//!
//! | module | the question it answers |
//! |---|---|
//! | [`return_map`] | where does a motion come back to a section, and how does that depend on where it left? |
//! | `surface` | where is a section, and how is a point brought onto it? |
//! | [`shooting`] | which motion repeats? |
//! | `cycle` | what happens in one period, wherever its section lies? |
//! | `sequence` | which impacts belong to a chattering sequence? |
//! | `newton` | which points on a section are mapped onto each other? |
//! | [`orbit`] | what is there to know about a motion that repeats? |
//! | [`stability`] | do its neighbours stay? |
//! | [`symmetry`] | is it the same motion after half its period? |
//! | [`lyapunov`] | how fast do the neighbours of any motion leave it? |
//! | [`signature`] | which equations does an orbit with a given sequence of events obey? |
//! | [`vivid`] | where do orbits with one impact go when the impact becomes a graze? |
//! | [`branch`] | how does an orbit change with a parameter? |
//! | [`equilibrium`] | where does a system rest, in flight or against its contacts, and do its neighbours come back? |
//! | [`curve`] | where in the plane of two parameters is an orbit special? |
//! | [`ended`] | why did a search end? |

pub mod branch;
pub mod curve;
mod cycle;
pub mod ended;
pub mod equilibrium;
pub mod lyapunov;
mod newton;
pub mod orbit;
pub mod return_map;
mod sequence;
pub mod shooting;
pub mod signature;
pub mod stability;
mod surface;
pub mod symmetry;
pub mod vivid;

pub use cycle::Cycle;
pub use ended::Ended;
pub use equilibrium::Equilibrium;
pub use lyapunov::{Exponents, LyapunovSettings};
pub use orbit::{Mark, Orbit};
pub use return_map::{Failure, Point, ReturnMap};
pub use shooting::{Search, Settings, find};
