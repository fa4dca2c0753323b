//! The fields that several questions share: the model, the accuracy of motions, returns to a section, steps along curves, records of many motions.

use crate::field::{Field, Kind, Of};
use crate::orbit::request::{MOST_RETURNS, MOST_SETTLED};
use crate::tasks::method::MOST_RECORDED;

/// The model and its numbers.
pub(crate) const MODEL: [Field; 3] = [
    Field::new("model", Kind::Model, "MODEL", "A model file, or the name of a model of the gallery").model(),
    Field::new(
        "set",
        Kind::Assignment { of: Of::Parameter },
        "NAME=VALUE",
        "Set a parameter to a number or a formula of parameters (repeatable)",
    )
    .model()
    .repeated(),
    Field::new(
        "start",
        Kind::Assignment { of: Of::State },
        "NAME=VALUE",
        "Set the initial value of a state (repeatable)",
    )
    .model()
    .repeated(),
];

/// What becomes of every answer.
pub(crate) const OUTPUT: [Field; 3] = [
    Field::switch("json", "Print one JSON object and nothing else").output(),
    Field::new(
        "out",
        Kind::Folder,
        "DIR",
        "Write tables and a run.json, from which the run can be repeated, to this folder",
    )
    .output(),
    Field::switch("quiet", "Print only requested tables and errors: no report, no notes, no progress").output(),
];

pub(crate) const TOL: Field = Field::new(
    "tol",
    Kind::Number,
    "TOLERANCE",
    "Tolerance: local error of one step relative to the size of the state",
)
.usually("1e-12");

pub(crate) const POLICY: Field = Field::new(
    "policy",
    Kind::Word {
        words: &["persist", "lift_off", "impact", "slide", "positive", "negative"],
        otherwise: "write persist (contact lasts), lift_off (it opens) or impact (an impact without collision)",
    },
    "POLICY",
    "Choice where several contact modes are consistent (rigid bodies with friction): persist, lift_off or impact",
)
.usually("persist");

pub(crate) const THREADS: Field =
    Field::whole("threads", 1, None, "N", "Number of processor threads; a single trajectory uses one");

/// The accuracy of many motions.
pub(crate) const MOTIONS: [Field; 3] = [
    TOL,
    POLICY,
    THREADS.here("Number of threads, by default as many as the machine has; results do not depend on it"),
];
/// The accuracy of one motion.
pub(crate) const MOTION: [Field; 3] = [TOL, POLICY, THREADS.unused()];
/// The accuracy of what meets no choice of contacts; `means` says what the tolerance is one of.
pub(crate) const fn accuracy(means: &'static str) -> [Field; 3] {
    [TOL.here(means), POLICY.unused(), THREADS.unused()]
}

pub(crate) const FLOW: Field = Field::new(
    "flow",
    Kind::Word {
        words: &["exact", "taylor"],
        otherwise: "without this flag linear models use the exact flow, and others Taylor steps",
    },
    "HOW",
    "Method between events: `exact` for linear models, or `taylor` for all",
)
.otherwise("exact for linear models, but Taylor steps for large structures");

pub(crate) const fn section(help: &'static str) -> Field {
    Field::new("section", Kind::Name { of: Of::Section }, "NAME", help)
        .otherwise("the phase of the forcing, else the only section")
}

pub(crate) const fn settle(help: &'static str) -> Field {
    Field::whole("settle", 0, Some(MOST_SETTLED), "N", help)
}

/// The search for an orbit.
pub(crate) const SEARCH: [Field; 4] = [
    settle("Transient: number of returns that are simulated before the search").usually("0"),
    Field::whole("period", 1, Some(MOST_RETURNS), "N", "Period of the orbit in returns to the section")
        .otherwise("that of --guess, else 1"),
    section("The section at which returns are counted"),
    Field::new("guess", Kind::Answer, "FILE", "Begin at a known orbit")
        .typed(": the output of --json, or orbit.json of --out"),
];

/// The steps along a curve of solutions.
pub(crate) const STEPS: [Field; 2] = [
    Field::whole(
        "points",
        1,
        Some(crate::branch::span::MOST_POINTS),
        "N",
        "Largest number of points in each direction",
    )
    .usually("2000"),
    Field::new(
        "step",
        Kind::Number,
        "FRACTION",
        "Longest step, as a fraction of the range and of the size of the orbit",
    )
    .usually("0.04"),
];

/// The smallest number of points, which the command has in its range.
pub(crate) const AT_LEAST: Field =
    Field::whole("at_least", 2, Some(crate::branch::span::MOST_POINTS), "N", "Smallest number of points in the range")
        .keyword_only();

/// How every motion of many is recorded, and where it is stored.
pub(crate) const RECORDED: [Field; 9] = [
    settle("Transient: number of returns before the record").usually("200"),
    Field::whole("record", 1, Some(MOST_RECORDED), "N", "Number of returns that are recorded").usually("100"),
    section("The section at which returns are recorded"),
    Field::new(
        "exponents",
        Kind::Word { words: &["none", "largest", "all"], otherwise: "" },
        "WHICH",
        "Record Lyapunov exponents: none, largest or all",
    )
    .usually("none"),
    Field::new(
        "extremes",
        Kind::Names { of: Of::Quantity },
        "NAME,..",
        "Record the least and the greatest value of states, or of the gaps of contacts",
    ),
    FLOW,
    Field::switch("resume", "Finish what the folder of --out holds").with(&["out"]),
    Field::new("part", Kind::Part, "I/N", "Compute part I of N, to be joined by `saltation merge`").with(&["out"]),
    Field::new(
        "format",
        Kind::Word { words: &["parquet", "csv"], otherwise: "" },
        "FORMAT",
        "Format of the tables of --out: parquet or csv",
    )
    .otherwise("parquet")
    .with(&["out"]),
];

/// The folder of many motions in a program.
pub(crate) const FOLDER: [Field; 2] = [
    Field::new("folder", Kind::Folder, "DIR", "Write what is found to this folder as it is found").keyword_only(),
    Field::switch("records", "Whether records and tasks are part of the answer although they are in a folder")
        .keyword_only(),
];
