//! The fields of the check of a model.

use crate::field::Form;
use crate::field::shared::accuracy;

/// `check`.
pub(crate) const FORM: Form = Form {
    command: "check",
    questions: &["check"],
    method: accuracy("Tolerance of the motion that decides whether contacts are closed at the start"),
    groups: &[],
};
