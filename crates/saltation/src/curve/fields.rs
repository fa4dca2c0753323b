//! The fields of a bifurcation curve in the plane of two parameters.

use crate::field::shared::{AT_LEAST, FLOW, STEPS, accuracy};
use crate::field::{Field, Form, Kind, Of};

/// `curve`.
pub(crate) const FORM: Form = Form {
    command: "curve",
    questions: &["curve"],
    method: accuracy("Local error of one step relative to the size of the state; by default that of the branch"),
    groups: &[
        &OWN,
        &STEPS,
        &[
            AT_LEAST,
            FLOW.here("Method between events, `exact` or `taylor`; by default that of the branch"),
            Field::plot("Draw the curve in the plane of both parameters to this file (.svg, .pdf or .png)"),
        ],
    ],
};

const OWN: [Field; 5] = [
    Field::new("from", Kind::File, "FILE", "The branch: the output of continue --json, or branch.json of --out")
        .choice()
        .flag_only(),
    Field::new("at", Kind::Position, "[BRANCH:]INDEX", "Position of the bifurcation, counted from 0")
        .typed("; 2:0 is the first one of branch 2 of --switch"),
    Field::new(
        "along",
        Kind::Pair { of: Of::Parameter },
        "NAME,NAME",
        "The parameters that vary: that of the branch, and a second one",
    ),
    Field::new("range", Kind::Range { count: Some("at_least") }, "LO:HI[:N]", "Range of the second parameter")
        .typed("; with N, the smallest number of points in the range"),
    Field::new("range1", Kind::Range { count: None }, "LO:HI", "Range of the first parameter").otherwise("unbounded"),
];
