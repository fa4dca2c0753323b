//! Systems that flow and jump: machines whose parts hit, chatter, stick and slide.
//!
//! From one model come the answers to every question about it. A [`System`] is a model with its numbers; each question is a
//! folder of this crate with its request, its answer as plain data (what `saltation --json` prints), its report, its tables and its figure.
//!
//! | question | asked by |
//! |---|---|
//! | [`simulation`]: how does it move? | [`System::simulate`], [`System::simulation`] |
//! | [`branch`]: how does an orbit change with a parameter? | [`Orbit::continue_in`], [`OrbitSearch::continue_in`] |
//! | [`curve`]: where in the plane of two parameters is an orbit special? | [`Branch::curve`], [`System::curve_from_file`] |
//! | [`stepping`]: how does it move by steps of time, with any number of contacts? | [`System::stepping`] |
//! | [`modes`]: which motions with k impacts per period has a structure? | [`System::modes`] |
//! | [`equilibrium`]: where does it rest, and is that stable? | [`System::equilibria`] |
//! | [`equilibrium::branch`]: how does an equilibrium change with a parameter? | [`Equilibria::continue_in`], [`EquilibriumSearch::continue_in`] |
//! | [`lyapunov`]: how fast do neighbouring motions separate? | [`System::lyapunov`] |
//! | [`contact`]: which forces do closed contacts have? | [`System::contact`] |
//! | [`check`]: what does the model say, and does it make sense? | [`System::check`] |

/// The program of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

mod answered;
pub mod branch;
pub mod check;
mod closed;
pub mod contact;
pub mod curve;
mod drawing;
mod entries;
pub mod equilibrium;
mod error;
pub mod lyapunov;
pub mod modes;
mod named;
mod naming;
pub mod orbit;
mod progress;
mod sections;
pub mod simulation;
pub mod stepping;
mod store;
mod system;
mod table;
mod text;

pub use answered::{Answered, Ending, Outline, read_json};
pub use branch::{Branch, Continuation};
pub use curve::{Curve, CurveSearch};
pub use entries::Entries;
pub use equilibrium::{Equilibria, EquilibriumSearch};
pub use error::{Error, Refusal};
pub use modes::{Modes, ModesSearch};
pub use named::Named;
pub use orbit::{Orbit, OrbitSearch};
pub use progress::Progress;
pub use simulation::{Recording, Run};
pub use stepping::{Stepped, Stepping};
pub use store::Destination;
pub use store::files::replace_all;
pub use store::folder::{AnswerFolder, unwritable};
pub use system::{System, suggestion};
pub use table::{Cell, Table};
pub use text::number::short;
pub use text::{columns, cut};
