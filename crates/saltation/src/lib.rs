//! Systems that flow and jump: machines whose parts hit, chatter, stick and slide.
//!
//! One model answers all questions. A [`System`] is a model with its numbers; each question is a
//! folder of this crate with its request, its answer as plain data (what `saltation --json` prints), its report, its tables and its figure.
//!
//! ```
//! use saltation::System;
//! let system = System::gallery("impact-oscillator")?;
//! let run    = system.with("A", 0.35)?.simulate(100.0)?;
//! let orbit  = system.with("A", 0.35)?.orbit().settle(400).returns(2).find()?;
//! let branch = orbit.continue_in("A", 0.34..=0.36).run()?;
//!
//! assert_eq!(orbit.signature, ["impact:wall"]);
//! assert_eq!(branch.special[0].kind.name(), "graze");
//! # Ok::<(), saltation::Error>(())
//! ```
//!
//! | question | asked by |
//! |---|---|
//! | [`simulation`]: event-driven simulation | [`System::simulate`], [`System::simulation`] |
//! | [`stepping`]: simulation by time stepping, for any number of contacts | [`System::stepping`] |
//! | [`orbit`]: periodic orbits and their stability | [`System::orbit`] |
//! | [`branch`]: branches of orbits along a parameter | [`Orbit::continue_in`], [`OrbitSearch::continue_in`] |
//! | [`curve`]: bifurcation curves in the plane of two parameters | [`Branch::curve`], [`System::curve_from_file`] |
//! | [`equilibrium`]: equilibria and their stability | [`System::equilibria`] |
//! | [`equilibrium::branch`]: branches of equilibria along a parameter | [`Equilibria::continue_in`], [`EquilibriumSearch::continue_in`] |
//! | [`lyapunov`]: Lyapunov exponents | [`System::lyapunov`] |
//! | [`fit`]: parameters and start values from measurements | [`System::fit`] |
//! | [`modes`]: nonsmooth modes of a structure | [`System::modes`] |
//! | [`contact`]: forces of closed contacts | [`System::contact`] |
//! | [`check`]: derived formulas and consistency of a model | [`System::check`] |
//!
//! [`System::phase_plane`] is the plane of two states: vector field, nullclines, surfaces of switches and walls ([`phase_plane`]).
//!
//! How a mechanism looks while it moves, [`System::sketch`] says where the model does: [`sketch`].
//!
//! A face that knows questions and fields only by their names uses [`registry`].
//!
//! A folder that answers were written to becomes one page of HTML by [`report_page::Request::page`].
//!
//! A system is shared between threads, and other values of a parameter need no compilation:
//!
//! ```
//! # fn main() -> Result<(), saltation::Error> {
//! let system = saltation::System::gallery("impact-oscillator")?;
//! let amplitudes: Vec<f64> = (0..1000).map(|k| 0.3 + 1e-4 * f64::from(k)).collect();
//! let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
//! let last = |&a: &f64| Ok(system.with("A", a)?.simulate(60.0)?.end.state["x"]);
//! let states: Vec<Result<f64, saltation::Error>> = std::thread::scope(|scope| {
//!     let parts = amplitudes.chunks(amplitudes.len().div_ceil(cores));
//!     let threads: Vec<_> = parts.map(|part| scope.spawn(move || part.iter().map(last).collect::<Vec<_>>())).collect();
//!     threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
//! });
//! # assert_eq!(states.len(), 1000);
//! # assert!(states.iter().all(|state| state.is_ok()));
//! # Ok(())
//! # }
//! ```

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

/// The program of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

mod answered;
pub mod basin;
pub mod branch;
pub mod check;
mod closed;
pub mod contact;
pub mod curve;
mod drawing;
mod entries;
pub mod equilibrium;
mod error;
mod export;
pub mod field;
pub mod fit;
pub mod lyapunov;
pub mod modes;
mod named;
mod naming;
pub mod orbit;
pub mod phase_plane;
mod progress;
mod proposals;
pub mod registry;
pub mod report_page;
mod sections;
pub mod session;
mod settings;
pub mod simulation;
pub mod sketch;
pub mod stepping;
mod store;
pub mod sweep;
mod system;
mod table;
pub mod tasks;
mod text;

pub use saltation_draw::Figure;
pub use saltation_model::{Mistake, Mistakes, gallery};
pub use saltation_motion::{EventKind, FlowChoice, Policy};

/// The lower crates, for other uses: formulas, models, motions step by step, figures.
pub mod layers {
    pub use saltation_continuation as continuation;
    pub use saltation_draw as draw;
    pub use saltation_expr as expr;
    pub use saltation_model as model;
    pub use saltation_modes as modes;
    pub use saltation_motion as motion;
    pub use saltation_numerics as numerics;
    pub use saltation_orbit as orbit;
    pub use saltation_sweep as sweep;
}

pub use saltation_numerics::portable;

pub use answered::{Answered, Ending, Outline, Parts, read_json};
pub use basin::{BasinSearch, Basins};
pub use branch::{Branch, Continuation};
pub use curve::{Curve, CurveSearch};
pub use entries::Entries;
pub use equilibrium::{Equilibria, EquilibriumSearch};
pub use error::{Error, Refusal};
pub use fit::{Fit, Fitted};
pub use modes::{Modes, ModesSearch};
pub use named::Named;
pub use orbit::{Orbit, OrbitSearch};
pub use progress::Progress;
pub use settings::{CurveSettings, MotionSettings, RecordSettings, Recorded, Steps};
pub use simulation::{Recording, Run};
pub use sketch::{Frames, Sketch};
pub use stepping::{Stepped, Stepping};
pub use store::Destination;
pub use store::files::replace_all;
pub use store::folder::{AnswerFolder, unwritable};
pub use system::{System, suggestion};
pub use table::{Cell, Table};
pub use tasks::Folder;
pub use text::number::short;
pub use text::{columns, cut};
