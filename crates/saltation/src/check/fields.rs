//! The fields of the check of a model.

use crate::field::shared::accuracy;
use crate::field::{Field, Form};

/// `check`.
pub(crate) const FORM: Form = Form {
    command: "check",
    questions: &["check"],
    method: accuracy("Tolerance of the trajectory that decides whether contacts are closed at the start"),
    groups: &[&[Field::plot("Draw the functions that are given by points to this file (.svg, .pdf or .png)")]],
};
