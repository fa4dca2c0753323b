//! The fields of a search for an orbit.

use crate::field::shared::{FLOW, MOTION, SEARCH};
use crate::field::{Field, Form};

/// `orbit`.
pub(crate) const FORM: Form = Form {
    command: "orbit",
    questions: &["orbit"],
    method: MOTION,
    groups: &[&SEARCH, &[FLOW, Field::plot("Draw the orbit to this file (.svg, .pdf or .png)")]],
};
