//! The answer of a computation of Lyapunov exponents. Its JSON is that of `lyapunov --json`.

use crate::named::{Named, serial};
use serde::{Deserialize, Serialize};

/// The exponents of a motion. JSON has no infinity: an exponent of minus infinity, as persistent contact makes it, is null there and
/// NaN when it is read again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The exponents per unit of time, the largest first; one per state other than the phase. Minus infinity for the directions that
    /// vanish in persistent contact.
    #[serde(with = "serial::numbers")]
    pub exponents: Vec<f64>,
    /// The standard error of each, from the means over blocks of returns; NaN if there are fewer than two blocks.
    #[serde(with = "serial::numbers")]
    pub standard_errors: Vec<f64>,
    /// The time of the measurement.
    pub time: f64,
    /// The sum of all exponents: the rate at which volumes grow.
    #[serde(with = "serial::number")]
    pub sum: f64,
    /// The number of returns measured.
    pub returns: u64,
    /// The number of impacts in this time.
    pub impacts: u64,
    /// The section at which returns were counted.
    pub section: String,
    /// The number of returns of the transient.
    pub settled: u64,
    /// The final state, if anything was measured.
    pub state: Option<Named>,
    /// How the measurement ended, in a word: `complete`, or the reason of the early end.
    pub ended: String,
    /// How it ended, in a sentence.
    pub message: String,
    /// The mean of each exponent over each block, one row per block.
    pub block_means: Vec<Vec<Option<f64>>>,
    /// The name of the model.
    pub model: String,
    /// The values of the parameters.
    pub parameters: Named,
}
