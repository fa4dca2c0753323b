//! The fields of a sweep over one or two parameters.

use crate::field::shared::{FOLDER, MOTIONS, RECORDED};
use crate::field::{Field, Form, Kind, Of};

/// `sweep`.
pub(crate) const FORM: Form =
    Form { command: "sweep", questions: &["sweep"], method: MOTIONS, groups: &[&OWN, &RECORDED, &FOLDER, &FIGURE] };

const OWN: [Field; 2] = [
    Field::new(
        "along",
        Kind::Axis { of: Of::Parameter },
        "NAME=LO:HI:N",
        "The parameter and its values; a second one makes a map",
    )
    .typed(". LO:HI:N:log has equal ratios; A,B,C is a list")
    .repeated(),
    Field::new(
        "carry",
        Kind::Word { words: &["none", "up", "down"], otherwise: "" },
        "HOW",
        "Begin each trajectory where the one before ended: up, down or none",
    )
    .usually("none"),
];

const FIGURE: [Field; 3] = [
    Field::plot("Draw the diagram or the map to this file (.svg, .pdf or .png)"),
    Field::new(
        "ordinate",
        Kind::Name { of: Of::Quantity },
        "WHAT",
        "The quantity drawn: a state, impact_speed, exponent, period, min:NAME or max:NAME",
    )
    .otherwise("the first state; the period in a map")
    .output()
    .with(&["plot"]),
    Field::new(
        "overlay",
        Kind::File,
        "FILE",
        "Lay a branch or a curve over the figure: the output of `continue --json` or `curve --json` (repeatable)",
    )
    .output()
    .with(&["plot"])
    .repeated(),
];
