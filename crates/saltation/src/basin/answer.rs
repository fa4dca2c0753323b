//! The answer of a question about basins. Its JSON is that of `basin --json`.

use crate::named::{Named, serial};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An attractor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attractor {
    /// What it is: `periodic`, `aperiodic`, `growing` or `rest`.
    pub kind: String,
    /// Its period in returns.
    pub period: Option<u64>,
    /// The impacts at each contact in one period.
    pub impacts: BTreeMap<String, u64>,
    /// The number of starts that lead to it.
    pub count: u64,
    /// The part of the starts with a motion that leads to it; along a parameter of the starts at all values together.
    pub fraction: f64,
    /// The standard error of this part, as of independent starts: sqrt(p (1 - p)/n).
    pub standard_error: f64,
    /// The values of the parameters where it was met first, along a parameter.
    pub from: Named,
    /// Where it was met last.
    pub to: Named,
    /// The states at the returns of one period, or at some returns of a motion without one.
    pub returns: Vec<Named>,
    /// Whether a search for an orbit from there found a stable one; of motions at rest, whether the equilibrium there is stable. Null where there is no period,
    /// and where equilibria are not isolated or none was found.
    pub confirmed: Option<bool>,
    /// The multipliers of that orbit, largest modulus first.
    #[serde(with = "serial::complex")]
    pub multipliers: Vec<saltation_numerics::dense::Complex>,
    /// The closed contacts of the equilibrium at which motions rest; null of others.
    #[serde(default)]
    pub mode: Option<String>,
    /// The eigenvalues of that equilibrium, the largest real part first.
    #[serde(with = "serial::complex", default)]
    pub eigenvalues: Vec<saltation_numerics::dense::Complex>,
    /// The file in the folder from which `orbit --guess` and `continue --from` begin, or of an equilibrium `continue --equilibrium --from`.
    pub file: Option<String>,
}

/// A grid of starts, and the attractor that each leads to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// The states.
    pub states: Vec<String>,
    /// The values of each.
    pub values: Vec<Vec<f64>>,
    /// The number of the attractor in the list of attractors for every start, the first state changing fastest; null where nothing is known. Empty if the
    /// tasks are in a folder and were not asked for besides.
    pub attractors: Vec<Option<usize>>,
}

/// A start that does not belong to a grid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The start values.
    pub start: Named,
    /// The value of the parameter, if there is one.
    pub value: Option<f64>,
    /// The number of the attractor.
    pub attractor: Option<usize>,
}

/// The attractors at one value of the parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Slice {
    /// The value.
    pub value: f64,
    /// The part of the starts with a motion that leads to each attractor of the list.
    pub fractions: Vec<f64>,
    /// The standard error of each.
    pub standard_errors: Vec<f64>,
    /// The number of starts that lead to each.
    #[serde(default)]
    pub counts: Vec<u64>,
    /// The number of motions that ended early, or never began.
    #[serde(default)]
    pub unknown: u64,
    /// The number of starts without a motion.
    #[serde(default)]
    pub no_motion: u64,
    /// The number of starts that the fractions are of: those with a motion.
    #[serde(default)]
    pub of: u64,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The attractors, in the order in which they were met.
    pub attractors: Vec<Attractor>,
    /// The part of the starts with a motion that leads to each; along a parameter of the starts at all values together, and `slices` has those at each.
    pub fractions: Vec<f64>,
    /// The standard error of each.
    pub standard_errors: Vec<f64>,
    /// The grid, if starts are on one and no parameter varies.
    pub grid: Option<Grid>,
    /// The starts and their attractors otherwise. As those of the grid.
    pub starts: Vec<Start>,
    /// The parameter that varies, if any.
    pub parameter: Option<String>,
    /// The fractions at each of its values.
    pub slices: Vec<Slice>,
    /// The number of motions that ended early, or never began: nothing is known of their attractors.
    pub unknown: u64,
    /// The number of starts without a motion among them: inside an obstacle, or where a formula has no value.
    #[serde(default)]
    pub no_motion: u64,
    /// The number of starts that fractions are of: those with a motion.
    #[serde(default)]
    pub of: u64,
    /// The number of motions that were computed.
    pub done: u64,
    /// The seed of random starts.
    pub seed: Option<u64>,
    /// The section at which returns were recorded.
    pub section: String,
    /// The number of returns of the transient.
    pub settled: u64,
    /// The number of returns recorded.
    pub recorded: u64,
    /// How it ended, in a word: `complete`, `interrupted`, `unwritable` or `memory`.
    pub ended: String,
    /// How it ended, in a sentence.
    pub message: String,
    /// The name of the model.
    pub model: String,
    /// The values of the parameters that do not vary.
    pub parameters: Named,
}
