//! The answer of a fit. Its JSON is that of `fit --json`.

use crate::named::{Named, serial};
use serde::{Deserialize, Serialize};

/// What was fitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The parameter, or `start.x` for the start value of a state.
    pub name: String,
    /// The value that fits best.
    #[serde(with = "serial::number")]
    pub value: f64,
    /// Its standard error, to first order in the noise; NaN where the data do not determine it or it lies at a bound.
    #[serde(with = "serial::number")]
    pub standard_error: f64,
    /// Where the search began.
    pub start: f64,
    /// The bounds, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[f64; 2]>,
    /// Whether it lies at a bound.
    pub at_bound: bool,
    /// Whether the data determine it.
    pub identifiable: bool,
}

/// A column of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it measures, such as `rate:v` or `impact:wall`.
    #[serde(default)]
    pub measures: String,
    /// How many of its numbers were compared.
    pub count: usize,
    /// How many of its cells hold no number, between those that do or in rows with a time: nothing was measured.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_measured: usize,
    /// How many of its cells hold an infinite number, which was left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub infinite: usize,
    /// The standard deviation of its noise: the mean of those that were given, or else what was estimated; NaN where nothing is left to estimate it with.
    #[serde(with = "serial::number")]
    pub sigma: f64,
    /// Whether it was estimated from the residuals.
    pub estimated: bool,
    /// The root mean square of its residuals.
    #[serde(with = "serial::number")]
    pub rms: f64,
    /// Times at which something was measured that the model does not do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<f64>,
    /// Times at which the model does something that was not measured, between the first and the last that was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<f64>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The numbers that were compared, as columns of equal length.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Residuals {
    /// The column of the data.
    pub column: Vec<String>,
    /// When, in the time of the data.
    pub time: Vec<f64>,
    /// What was measured.
    pub measured: Vec<f64>,
    /// What the model does.
    pub model: Vec<f64>,
    /// The standard deviation of what was measured.
    pub sigma: Vec<f64>,
}

/// A search from one start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Where it began.
    pub from: Named,
    /// Where it ended, if the model has a trajectory at its start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Named>,
    /// The sum of squares there, in the noise that was assumed while searching.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum: Option<f64>,
    /// Whether it ended at the best minimum.
    #[serde(default)]
    pub at_best: bool,
    /// `converged`, `steps`, `stuck` or `interrupted`, or why it stopped before all data were used.
    pub ended: String,
}

/// The answer of a fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// What was fitted.
    pub estimates: Vec<Estimate>,
    /// The correlations of the estimates, in their order; nothing for those without a standard error.
    pub correlations: Vec<Vec<Option<f64>>>,
    /// Directions in which the residuals do not change: a change of every estimate in units of its size (its range, or else its value).
    #[serde(default)]
    pub undetermined: Vec<Named>,
    /// The columns of the data.
    pub columns: Vec<Column>,
    /// The numbers that were compared.
    pub residuals: Residuals,
    /// The sum of the squares of all residuals in their standard deviations; NaN where nothing is left to estimate these with.
    #[serde(with = "serial::number")]
    pub chi_squared: f64,
    /// The number of residuals less that of combinations of the estimates that they determine.
    pub degrees_of_freedom: i64,
    /// The searches, the best first to be compared with the others.
    pub starts: Vec<Start>,
    /// Which of them is the best.
    #[serde(default)]
    pub best: Option<usize>,
    /// The time up to which data were used.
    #[serde(with = "serial::number")]
    pub until: f64,
    /// The number of steps of all searches.
    pub steps: usize,
    /// The number of trajectories that were computed.
    pub trajectories: u64,
    /// How the fit ended, in a word: `converged`, `not_identifiable`, `unmatched`, `partial`, `steps`, `stuck`, `interrupted` or `impossible`.
    pub ended: String,
    /// The same in a sentence.
    pub message: String,
    /// The name of the model.
    pub model: String,
    /// The values of its parameters, those that were fitted with their estimates.
    pub parameters: Named,
    /// The start of the fitted trajectory.
    pub start: Named,
    /// The model file with the estimates in their places; nothing where the file has no place for one.
    #[serde(default)]
    pub fitted: Option<String>,
}
