//! How does a smooth motion flow? By Taylor steps, each of them also its own dense output.

pub(crate) mod taylor;
