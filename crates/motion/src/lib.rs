//! How a system that flows and jumps moves: flights, impacts, chattering, sticking, slip and release, every event to the
//! accuracy of the flow.
//!
//! The rooms are named after what happens to data. A [`System`] is a model compiled once. A [`Motion`] conducts: the *flow* of the present
//! *mode* offers a step as polynomials, *location* finds the first event on it, a *transition* leads to the next mode, and *sensitivity* takes the
//! derivatives along.
//!
//! | module | what it does |
//! |---|---|
//! | [`system`] | compiles a model: flight, contact laws, and every mode that is entered |
//! | [`mode`] | the equations that hold while a set of contacts is closed |
//! | [`flow`] | smooth motion: Taylor series, and the exact flow of linear modes |
//! | `locate` | polynomials in, the first event out |
//! | `transition` | event and state in, next mode and state out |
//! | [`contact`] | what closed contacts do to each other at one state |
//! | [`sensitivity`] | derivatives by the start and by parameters, through every event |
//! | [`run`] | motions from their start to their end |
//! | [`event`], [`ended`], [`trajectory`] | what happens, how a motion ends, where it was at any time |
//! | [`problems`] | contact problems as questions of their own: solutions, maps, smallest friction |
//! | [`extension`] | smooth flows and laws followed beyond where they hold, for orbits and branches |
//! | [`field`] | rates at a state, and how they depend on the state and on parameters |
//! | [`departures`] | how fast the motions beside a surface leave it |
//! | [`stepping`] | time stepping for many contacts, whatever opens and closes within a step |

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod contact;
mod departure;
pub mod ended;
pub mod event;
pub mod extension;
pub mod field;
pub mod flow;
mod instant;
mod locate;
pub mod mode;
mod names;
pub mod problems;
pub mod run;
pub mod sensitivity;
mod settings;
pub mod stepping;
pub mod system;
mod time;
pub mod trajectory;
mod transition;

pub use contact::{Collision, mirrored_element};
pub use departure::departures;
pub use ended::{Coefficient, Ended};
pub use event::{Alternative, Choice, Event, EventKind};
pub use field::{Field, LocalField, Terms};
pub use flow::FlowChoice;
pub use mode::{Bound, ClosedSet, Side, Sides, Slip, Support};
pub use run::Run;
pub use run::motion::{Happening, Misses, Motion};
pub use run::side_by_side::Together;
pub use run::start::StartError;
pub use sensitivity::{Derivatives, Perturbation};
pub use settings::{Policy, Settings};
pub use system::System;
pub use trajectory::{Piece, Trajectory};
