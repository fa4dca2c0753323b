//! The times of one case of a work, as a line of JSON.

use crate::bench::run::{Check, Measured};
use crate::bench::works::Case;
use serde::Serialize;

/// The times of one case of a work.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Line {
    /// The work, as `W3`.
    pub work: &'static str,
    /// The case, where the work has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<&'static str>,
    /// The median time of a run, in the unit; of an even number the mean of the two in the middle.
    pub median: f64,
    /// The shortest time.
    pub min: f64,
    /// The longest time.
    pub max: f64,
    /// The unit of all three.
    pub unit: &'static str,
    /// The median time in seconds from the text of the model to the first step, where that is measured apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<f64>,
    /// The number of runs.
    pub repeats: u64,
    /// What the last run found.
    pub check: Check,
}

impl Line {
    /// The line of a case that was run at least once.
    pub(crate) fn new(case: &Case, measured: &[Measured]) -> Line {
        let times = sorted(measured.iter().map(|run| run.time));
        let setups = sorted(measured.iter().filter_map(|run| run.setup));
        Line {
            work: case.work,
            case: case.case,
            median: median(&times).unwrap_or(f64::NAN),
            min: times.first().copied().unwrap_or(f64::NAN),
            max: times.last().copied().unwrap_or(f64::NAN),
            unit: case.unit,
            setup: median(&setups),
            repeats: measured.len() as u64,
            check: measured.last().map_or(Check::Error(f64::NAN), |run| run.check),
        }
    }

    /// The line as one JSON object.
    pub(crate) fn json(&self) -> String {
        // It cannot fail: all keys are texts and the writer is memory.
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn sorted(times: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times
}

fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        _ if sorted.is_empty() => None,
        0 => Some(0.5 * (sorted[middle - 1] + sorted[middle])),
        _ => Some(sorted[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_two() {
        assert_eq!(median(&sorted([3.0, 1.0, 2.0].into_iter())), Some(2.0));
        assert_eq!(median(&sorted([4.0, 1.0, 2.0, 8.0].into_iter())), Some(3.0));
        assert_eq!(median(&[]), None);
    }
}
