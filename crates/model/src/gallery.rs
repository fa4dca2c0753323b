//! The models that come with Saltation, one file per system, with its source.

pub mod structure;

use crate::mistake::Mistakes;
use crate::model::Model;

pub use crate::texts::{NAMES, find};

/// The model with this name; `None` if there is none.
///
/// # Errors
/// None for the models that come with Saltation, whose tests read every one of them.
pub fn model(name: &str) -> Option<Result<Model, Mistakes>> {
    find(name).map(|text| Model::parse(text, &format!("{name}.toml")))
}
