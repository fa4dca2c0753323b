//! The answer of a time-stepping simulation: the keys of a simulation, and how accurately the contact laws were solved. Its JSON is that of
//! `simulate --method moreau --json`.

use crate::named::{Named, serial};
use crate::simulation::answer::{Counts, End, Events, Samples};
use serde::{Deserialize, Serialize};

/// The accuracy of the contact laws over all steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Solver {
    /// The tolerance of the contact laws, as a speed relative to the speeds without contact.
    pub tolerance: f64,
    /// The largest residual of a step.
    #[serde(with = "serial::number")]
    pub residual: f64,
    /// The number of steps that reached the bound of sweeps, with a residual above the tolerance.
    pub capped: u64,
    /// The sweeps over the contacts in all steps.
    pub iterations: u64,
    /// The largest number of sweeps in one step.
    pub most_iterations: u64,
    /// The number of steps.
    pub steps: u64,
    /// The number of steps with a contact nearby.
    pub steps_with_contact: u64,
    /// The greatest number of contacts in one step.
    pub most_contacts: usize,
    /// The deepest penetration.
    #[serde(with = "serial::number")]
    pub penetration: f64,
}

/// A contact with an impulse in the last step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Its name.
    pub contact: String,
    /// Its mode: `stick`, `slip+` or `slip-`.
    pub mode: String,
    /// Its impulse along the normal.
    #[serde(with = "serial::number")]
    pub normal_impulse: f64,
    /// Its impulse along the surface.
    #[serde(with = "serial::number")]
    pub tangential_impulse: f64,
}

/// The answer of a time-stepping simulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The end of the motion.
    pub end: End,
    /// Empty: time stepping locates no events.
    pub counts: Counts,
    /// How it ended, in a word: `reached_time`, `interrupted`, or the reason of the early end.
    pub ended: String,
    /// No events.
    pub events: Events,
    /// How it ended, in a sentence.
    pub message: String,
    /// `moreau`.
    pub method: String,
    /// The length of a step.
    pub step: f64,
    /// How implicit a step is in smooth forces, from 1/2 to 1.
    #[serde(default = "midpoint")]
    pub theta: f64,
    /// The accuracy of the contact laws.
    pub solver: Solver,
    /// The contacts with an impulse in the last step.
    pub contacts: Vec<Contact>,
    /// The name of the model.
    pub model: String,
    /// The values of its parameters.
    pub parameters: Named,
    /// States at multiples of a time, if they were asked for and kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<Samples>,
}

/// Answers of versions before had the midpoint rule.
fn midpoint() -> f64 {
    saltation_motion::stepping::THETA
}
