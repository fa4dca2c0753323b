//! The answer of a simulation by steps of time: the keys of a simulation, and how well the laws of contact were solved. Its JSON is that of
//! `simulate --method moreau --json`.

use crate::named::{Named, serial};
use crate::simulation::answer::{Counts, End, Events, Samples};
use serde::{Deserialize, Serialize};

/// How well the laws of contact were solved, over all steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Solver {
    /// To what the laws were to hold, as a speed relative to the speeds without them.
    pub tolerance: f64,
    /// The largest residual of a step.
    #[serde(with = "serial::number")]
    pub residual: f64,
    /// How many steps ended at the bound for sweeps, with laws that hold less well than was asked.
    pub capped: u64,
    /// The sweeps over the contacts in all steps.
    pub iterations: u64,
    /// Those of the step with the most.
    pub most_iterations: u64,
    /// How many steps were made.
    pub steps: u64,
    /// In how many of them a contact was near.
    pub steps_with_contact: u64,
    /// The greatest number of contacts in one step.
    pub most_contacts: usize,
    /// The depth of the deepest gap.
    #[serde(with = "serial::number")]
    pub penetration: f64,
}

/// A contact that gave an impulse in the last step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Its name.
    pub contact: String,
    /// What it did: `stick`, `slip+` or `slip-`.
    pub mode: String,
    /// Its impulse along the normal.
    #[serde(with = "serial::number")]
    pub normal_impulse: f64,
    /// Its impulse along the surface.
    #[serde(with = "serial::number")]
    pub tangential_impulse: f64,
}

/// What came of a simulation by steps of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Where the motion ended.
    pub end: End,
    /// Steps of time find no events, so that there is nothing to count.
    pub counts: Counts,
    /// How it ended, in a word: `reached_time`, `interrupted`, or what went wrong.
    pub ended: String,
    /// No events.
    pub events: Events,
    /// How it ended, in a sentence.
    pub message: String,
    /// `moreau`.
    pub method: String,
    /// The length of a step.
    pub step: f64,
    /// How well the laws of contact were solved.
    pub solver: Solver,
    /// The contacts that gave an impulse in the last step.
    pub contacts: Vec<Contact>,
    /// The name of the model.
    pub model: String,
    /// The values of its parameters.
    pub parameters: Named,
    /// States at multiples of a time, if they were asked for and kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<Samples>,
}
