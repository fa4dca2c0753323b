//! Periodic orbits and equilibria: where they are, whether they are stable, how they change with parameters, and Lyapunov exponents of any motion.
//!
//! | module | content |
//! |---|---|
//! | [`return_map`] | the return map of a section, with its derivative |
//! | `surface` | sections as surfaces, and the projection of states onto them |
//! | [`shooting`] | the search for periodic orbits by multiple shooting |
//! | [`phases`] | whether several phases return together |
//! | `at_rest` | what closes and is no orbit, because it hardly moves |
//! | `newton` | damped Newton's method on several points of a section |
//! | `cycle` | the events of one period, cut in the middle of the longest flight |
//! | `sequence` | the impacts that belong to a chattering sequence |
//! | [`orbit`] | the properties of a periodic orbit |
//! | [`stability`] | multipliers, from a cyclic chain of factors |
//! | [`symmetry`] | half-period maps of symmetric orbits |
//! | [`lyapunov`] | Lyapunov exponents of any motion |
//! | [`signature`] | the equations of an orbit with a given sequence of events |
//! | [`vivid`] | the VIVID function: orbits with one impact, smooth at the graze |
//! | [`branch`] | periodic orbits along a parameter, with their bifurcations |
//! | [`curve`] | bifurcations of orbits in two parameters |
//! | [`equilibrium`] | equilibria in flight and in contact, and their branches |
//! | [`ended`] | the endings of a search |

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod at_rest;
pub mod branch;
pub mod curve;
mod cycle;
pub mod dependence;
pub mod ended;
pub mod equilibrium;
pub mod lyapunov;
mod newton;
pub mod orbit;
pub mod phases;
pub mod return_map;
mod sequence;
pub mod shooting;
pub mod signature;
pub mod stability;
mod surface;
pub mod symmetry;
pub mod vivid;

pub use cycle::Cycle;
pub use dependence::{Dependence, dependence};
pub use ended::{Ended, PERIODIC_MISS};
pub use equilibrium::Equilibrium;
pub use lyapunov::{Exponents, LyapunovSettings};
pub use orbit::{Mark, Orbit};
pub use return_map::{Failure, Point, ReturnMap};
pub use shooting::{Search, Settings, find};
