//! The fields of a search for equilibria.

use crate::field::shared::accuracy;
use crate::field::{Field, Form, Kind, Of};

/// `equilibrium`.
pub(crate) const FORM: Form = Form {
    command: "equilibrium",
    questions: &["equilibrium"],
    method: accuracy("Tolerance of rates, gaps and opening speeds relative to the terms that each is made of"),
    groups: &[&[Field::new(
        "mode",
        Kind::Name { of: Of::Mode },
        "MODE",
        "Closed contacts: `flight`, or e.g. `stick:wall`, several joined by commas",
    )
    .otherwise("none, then each alone")]],
};
