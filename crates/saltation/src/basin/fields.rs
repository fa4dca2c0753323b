//! The fields of a search for attractors and their basins.

use crate::field::shared::{FOLDER, MOTIONS, RECORDED};
use crate::field::{Field, Form, Kind, Of};

/// `basin`.
pub(crate) const FORM: Form = Form {
    command: "basin",
    questions: &["basin"],
    method: MOTIONS,
    groups: &[
        &STARTS,
        &[Field::new(
            "along",
            Kind::Axis { of: Of::Parameter },
            "NAME=LO:HI:N",
            "Follow attractors and fractions along a parameter",
        )],
        &RECORDED,
        &FOLDER,
        &[Field::plot("Draw the basins, or the fractions along the parameter, to this file (.svg, .pdf or .png)")],
    ],
};

const STARTS: [Field; 5] = [
    Field::new(
        "grid",
        Kind::Axis { of: Of::State },
        "NAME=LO:HI:N",
        "Starts on a grid: values of a state; a second one makes a plane",
    )
    .into("starts")
    .repeated()
    .without(&["random", "starts"]),
    Field::new("random", Kind::Ends { of: Of::State }, "NAME=LO:HI", "Random initial conditions: the range of a state")
        .typed(" (repeatable)")
        .into("starts")
        .repeated()
        .without(&["starts"]),
    Field::whole("count", 1, None, "N", "Number of random initial conditions").usually("1000").into("starts"),
    Field::whole("seed", 0, None, "S", "Seed of random initial conditions").usually("1").into("starts"),
    Field::new("starts", Kind::Starts, "FILE", "Initial conditions from a table")
        .typed(": a CSV file with a column for every state that varies"),
];
