//! What a nonsmooth system is: states that flow, contacts at which they jump, and sections on which they are looked at, read
//! from a model file of format 1 and checked.
//!
//! | module | contents |
//! |---|---|
//! | [`model`] | the model as plain data: states, contacts, sections |
//! | [`mechanics`] | M(q) dv/dt = h(q, v, phase) |
//! | [`matrices`] | structures given by matrices: M u'' + C u' + K u = f |
//! | [`structure`] | the linear structure of a model about its equilibrium |
//! | [`contact`] | gaps, friction and impact laws |
//! | [`constraint`] | functions that stay zero, and the body that moves along them |
//! | [`section`] | sections at which returns are counted |
//! | [`switch`] | surfaces on which fields change their formulas or states jump |
//! | [`symmetry`] | maps that take motions to motions |
//! | [`sketch`] | how a mechanism looks: points, and parts between them |
//! | [`values`] | the numbers of a run: parameters, start values, periods, and all that depends on them |
//! | [`settings`] | numbers given as formulas by a user |
//! | `dependence` | all that depends on parameters, compiled |
//! | `free` | the same as functions of some free parameters |
//! | `typed` | settings as a text in which mistakes can be shown |
//! | `neutral` | states on which nothing depends |
//! | `numbers` | the numbers at which formulas are evaluated |
//! | [`report`] | the report of a check |
//! | [`mistake`] | mistakes with their place and what can be done about them |
//! | [`gallery`] | the models that come with Saltation |

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod assemble;
mod beside;
mod body_entry;
mod check;
mod checked;
mod complementarity;
mod complementarity_meaning;
pub mod constraint;
mod constraint_meaning;
pub mod contact;
mod contact_entry;
mod dependence;
mod dry;
mod dry_meaning;
mod entries;
mod file;
mod fingerprint;
mod free;
mod friction_check;
pub mod gallery;
mod hybrid_entry;
mod lagrangian;
mod linear;
mod load;
pub mod matrices;
mod matrices_entry;
mod matrix_files;
mod meaning;
mod measured;
pub mod mechanics;
pub mod mistake;
pub mod model;
mod modulus;
mod names;
mod neutral;
mod never_open;
mod numbers;
mod parts;
mod phase_check;
mod point;
pub mod report;
mod rewritten;
mod rounding;
pub mod section;
pub mod settings;
mod shape;
pub mod sketch;
mod sketch_entry;
mod sketch_meaning;
pub mod structure;
pub mod switch;
mod switch_report;
pub mod symmetry;
mod symmetry_check;
mod symmetry_entry;
mod symmetry_meaning;
mod table_files;
mod tables_entry;
mod texts;
mod typed;
pub mod values;

pub use assemble::MOST_CONTACTS;
pub use complementarity::{Complementarity, ComplementarityReport};
pub use constraint::{Constrained, Constraint, ConstraintReport};
pub use contact::{Contact, Friction, ImpactLaw, Impacts, Together};
pub use dry::{Dry, DryReport};
pub use matrices::{GapEntry, Matrices};
pub use measured::Measured;
pub use mechanics::Mechanics;
pub use mistake::{Mistake, Mistakes};
pub use model::{Body, Model, Parameter, Phase, State, StateKind};
pub use report::{ContactReport, FrictionReport, Report, StructureReport};
pub use section::{Direction, Section, SectionKind};
pub use settings::Overrides;
pub use sketch::Sketch;
pub use structure::Structure;
pub use switch::{Discrete, MOST_SWITCHES, Reset, Switch};
pub use switch_report::{EventReport, SwitchReport};
pub use symmetry::{Symmetry, SymmetryMap};
pub use values::{Key, Values};
