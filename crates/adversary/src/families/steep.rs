//! The family of steep fields: [`steep`](crate::steep) draws and compares, and its verdicts become outcomes.

use saltation_model::Values;
use saltation_motion::{Settings, System};

use crate::dice::Dice;
use crate::family::{Disagreement, Family, Outcome};
use crate::oracles::company;
use crate::steep::{Verdict, examine};

/// The motion beside others.
fn beside(system: &System, values: &Values, settings: Settings) -> Option<String> {
    company::apart(system, values, settings, &mut Dice::new(settings.until.to_bits()))
}

/// The family.
pub const STEEP: Family = Family {
    name: "steep",
    about: "random tanh, pulses, arctangents, fractions of widths down to 1e-4: an integrator in small steps",
    every: 1,
    examine: |dice, _| match examine(&mut || dice.unit(), &beside) {
        Verdict::Agree { .. } => Outcome::default(),
        Verdict::Undecided(_) => Outcome { early: vec!["undecided"], ..Outcome::default() },
        Verdict::Differ { what, file } => Outcome {
            disagreements: vec![Disagreement { oracle: "small steps".to_string(), what, file }],
            ..Outcome::default()
        },
    },
};
