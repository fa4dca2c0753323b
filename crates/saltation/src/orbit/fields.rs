//! The fields of a search for an orbit.

use crate::field::shared::{FLOW, MOTION, SEARCH};
use crate::field::{Field, Form, Kind, Of};

/// `orbit`.
pub(crate) const FORM: Form = Form {
    command: "orbit",
    questions: &["orbit"],
    method: MOTION,
    groups: &[
        &SEARCH,
        &[
            Field::new(
                "derivatives",
                Kind::Names { of: Of::Parameter },
                "NAME[,NAME..]",
                "Differentiate the state and the period by these parameters: exactly, through every event",
            ),
            FLOW,
            Field::plot("Draw the orbit to this file (.svg, .pdf or .png)"),
        ],
    ],
};
