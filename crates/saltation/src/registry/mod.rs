//! Every question by its name, with fields by their names: how requests arrive from keywords, from JSON and from a page.
//!
//! ```
//! use saltation::System;
//! use saltation::registry::{Asked, Plain, question};
//!
//! let system = System::gallery("impact-oscillator")?;
//! let fields = vec![("settle".to_string(), Plain::Whole(400)), ("period".to_string(), Plain::Whole(2))];
//! let orbit = question("orbit").unwrap().ask(Asked { system: &system, fields, origin: None, progress: &mut () })?;
//! assert!(orbit.answered().json().contains("impact:wall"));
//! # Ok::<(), saltation::registry::Refused>(())
//! ```

#[cfg(test)]
mod consistent;
pub(crate) mod fields;
pub(crate) mod forms;
pub(crate) mod found;
pub(crate) mod many;
pub(crate) mod plain;
pub(crate) mod questions;

pub use fields::{Wrong, read_value};
pub use forms::{FORMS, form};
pub use found::{Found, Refused};
pub use many::{basin, sweep};
pub use plain::{Fields, Plain};
pub use questions::{Asked, Known, Origin, QUESTIONS, Question, question};
