//! The fields of a search for nonsmooth modes.

use crate::field::shared::{POLICY, THREADS, TOL};
use crate::field::{Field, Form, Kind, Of};
use crate::modes::request::{MOST_IMPACTS, MOST_POINTS, MOST_STARTS};

/// `modes`.
pub(crate) const FORM: Form = Form {
    command: "modes",
    questions: &["modes"],
    method: [TOL.unused(), POLICY.unused(), THREADS.unused()],
    groups: &[&OWN],
};

const OWN: [Field; 11] = [
    Field::whole("ipp", 1, Some(MOST_IMPACTS), "K", "Impacts per period").usually("1"),
    Field::new("periods", Kind::Range { count: None }, "LO:HI", "Periods of the solutions")
        .otherwise("up to twice the longest period of the structure; only near that one if it has many modes"),
    Field::new("near", Kind::Number, "T", "Motions of this period only")
        .typed(": a number or a formula of parameters")
        .without(&["periods"]),
    Field::whole(
        "search",
        1,
        Some(MOST_STARTS),
        "N",
        "Number of random starts of the search for solutions with two or more impacts",
    )
    .usually("2000"),
    Field::whole("seed", 0, None, "S", "Seed of the random starts").usually("1"),
    Field::switch("family", "Follow every solution along its family, to both ends"),
    Field::whole(
        "points",
        2,
        Some(MOST_POINTS),
        "N",
        "Largest number of motions of a family in each direction [default: 2000]; with one impact per period the \
         motions of every interval [default: 40]",
    )
    .with(&["family"]),
    Field::new(
        "contact",
        Kind::Name { of: Of::Contact },
        "NAME",
        "The contact, if the model has several; the others are assumed to stay open",
    ),
    Field::switch("stability", "Compute multipliers for any number of modes").otherwise("up to 60"),
    Field::plot(
        "Draw energy against frequency, solutions over a period and the manifold they form to this file (.svg, .pdf or .png)",
    ),
    Field::new(
        "coordinates",
        Kind::Names { of: Of::State },
        "A,B,C",
        "The three coordinates or velocities on which the manifold is projected",
    )
    .otherwise("at the contact")
    .output()
    .with(&["plot"]),
];
