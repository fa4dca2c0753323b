//! What a nonsmooth system is: states that flow, contacts at which they jump, and sections on which they are looked at, read
//! from a model file of format 1 and checked.
//!
//! | module | the question it answers |
//! |---|---|
//! | [`model`] | what is a nonsmooth system? |
//! | [`mechanics`] | how do masses and forces accelerate a mechanical body? |
//! | [`matrices`] | what is a structure that is given by its matrices? |
//! | [`structure`] | is a model a linear structure, and which? |
//! | [`contact`] | how does a contact close, and what does an impact do? |
//! | [`section`] | where is a motion looked at? |
//! | [`symmetry`] | which map takes motions to motions? |
//! | [`values`] | which numbers have parameters, starts and periods, and what follows when one is set? |
//! | [`settings`] | which numbers do formulas give that a user types? |
//! | `typed` | where are the mistakes in settings? |
//! | `dependence` | what follows from the parameters, compiled? |
//! | `free` | how does that vary with some of them? |
//! | [`report`] | what has a check to tell? |
//! | [`mistake`] | what is wrong, where, and what can be done about it? |
//! | [`gallery`] | which models come with Saltation? |

mod assemble;
mod body_entry;
mod check;
mod checked;
pub mod contact;
mod contact_entry;
mod dependence;
mod entries;
mod file;
mod fingerprint;
mod free;
mod friction_check;
pub mod gallery;
mod lagrangian;
mod linear;
mod load;
pub mod matrices;
mod matrices_entry;
mod matrix_files;
mod meaning;
pub mod mechanics;
pub mod mistake;
pub mod model;
mod modulus;
mod names;
mod parts;
mod point;
pub mod report;
mod rounding;
pub mod section;
pub mod settings;
mod shape;
pub mod structure;
pub mod symmetry;
mod symmetry_check;
mod symmetry_entry;
mod symmetry_meaning;
mod texts;
mod typed;
pub mod values;

pub use assemble::MOST_CONTACTS;
pub use contact::{Contact, Friction, ImpactLaw, Impacts, Together};
pub use matrices::{GapEntry, Matrices};
pub use mechanics::Mechanics;
pub use mistake::{Mistake, Mistakes};
pub use model::{Body, Model, Parameter, Phase, State, StateKind};
pub use report::{ContactReport, FrictionReport, Report, StructureReport};
pub use section::{Direction, Section, SectionKind};
pub use settings::Overrides;
pub use structure::Structure;
pub use symmetry::{Symmetry, SymmetryMap};
pub use values::{Key, Values};
