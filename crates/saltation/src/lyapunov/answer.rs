//! The answer of a measurement of Lyapunov exponents. Its JSON is that of `lyapunov --json`.

use crate::named::{Named, serial};
use serde::{Deserialize, Serialize};

/// The exponents of a motion. JSON has no infinity: an exponent of minus infinity, as lasting contact makes it, is null there and
/// NaN when it is read again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The exponents per unit of time, the largest first; one per state other than the phase. Minus infinity for the dimensions that
    /// lasting contact takes away.
    #[serde(with = "serial::numbers")]
    pub exponents: Vec<f64>,
    /// The standard error of each, from the means over blocks of returns; NaN if there are fewer than two blocks.
    #[serde(with = "serial::numbers")]
    pub standard_errors: Vec<f64>,
    /// How long the motion was measured.
    pub time: f64,
    /// The sum of all exponents: the rate at which volumes grow.
    #[serde(with = "serial::number")]
    pub sum: f64,
    /// How many returns were measured.
    pub returns: u64,
    /// How many impacts there were meanwhile.
    pub impacts: u64,
    /// The section that returns were counted at.
    pub section: String,
    /// How many returns were followed before.
    pub settled: u64,
    /// The state at the end, if anything was measured.
    pub state: Option<Named>,
    /// How the measurement ended, in a word: `complete`, or what went wrong.
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
