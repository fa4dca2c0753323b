//! The table of sampled states in the report: one row per time.

use crate::simulation::answer::Samples;
use crate::text::number::{self, Times};

/// The widest number of 10 significant digits with an exponent.
const WIDTH: usize = 17;

/// Times up to `last` and states in columns.
pub fn lines(samples: &Samples, last: f64) -> Vec<String> {
    let times = Times::up_to(last);
    let width = |name: &str| WIDTH.max(name.chars().count());
    let head = samples.0.iter().map(|(name, _)| format!("  {name:>width$}", width = width(name)));
    let row = |i: usize| {
        let cell = |(k, (name, column)): (usize, &(String, Vec<f64>))| match k {
            0 => format!("  {:>WIDTH$}", times.text(column[i])),
            _ => format!("  {:>width$}", number::short(column[i], 10), width = width(name)),
        };
        samples.0.iter().enumerate().map(cell).collect::<String>()
    };
    std::iter::once(head.collect()).chain((0..samples.rows()).map(row)).collect()
}
