//! The fields of a measurement of Lyapunov exponents.

use crate::field::shared::{FLOW, MOTION, section, settle};
use crate::field::{Field, Form};
use crate::lyapunov::request::MOST_RETURNS;

/// `lyapunov`.
pub(crate) const FORM: Form = Form {
    command: "lyapunov",
    questions: &["lyapunov"],
    method: MOTION,
    groups: &[&[
        settle("Transient: number of returns that are simulated before the exponents are computed").usually("200"),
        Field::whole("returns", 1, Some(MOST_RETURNS), "N", "Number of returns over which exponents are computed")
            .usually("10000"),
        section("The section at which returns are counted"),
        FLOW,
    ]],
};
