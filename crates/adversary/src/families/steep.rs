//! The family of steep fields: [`steep`](crate::steep) draws and compares, and its verdicts become outcomes.

use crate::family::{Disagreement, Family, Outcome};
use crate::steep::{Verdict, examine};

/// The family.
pub const STEEP: Family = Family {
    name: "steep",
    about: "random tanh, pulses, arctangents, fractions of widths down to 1e-4: an integrator in small steps",
    every: 1,
    examine: |dice, _| match examine(&mut || dice.unit()) {
        Verdict::Agree { .. } => Outcome::default(),
        Verdict::Undecided(_) => Outcome { early: vec!["undecided"], ..Outcome::default() },
        Verdict::Differ { what, file } => Outcome {
            disagreements: vec![Disagreement { oracle: "small steps".to_string(), what, file }],
            ..Outcome::default()
        },
    },
};
