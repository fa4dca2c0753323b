//! Residuals of the data up to a time: differences between the model and what was measured, in standard deviations, with their derivatives.

use crate::fit::beside::Beside;
use crate::fit::matching::{Matching, Reach, matched};
use crate::fit::measured::{GATE, Measured};
use crate::fit::observed::{Observed, Predicted};
use saltation_numerics::dense::Matrix;
use saltation_numerics::least_squares::Linearised;

/// How far the partner of an event may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Pairing {
    /// As far as its neighbours, the costs of events without a partner times this.
    Neighbours(f64),
    /// As far as noise may put it.
    Noise,
}

/// One number that was compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Residual {
    /// The column, in the order of [`Measured::names`].
    pub column: usize,
    /// When, in the time of the data.
    pub time: f64,
    pub measured: f64,
    pub model: f64,
    pub sigma: f64,
}

/// What was compared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Compared {
    pub residuals: Vec<Residual>,
    /// The pairs of every train.
    pub matchings: Vec<Matching>,
}

/// Compares the data up to a time with what the model did; `spreads` is the standard deviation of every column whose noise is not known, and `pairing` says how far the
/// partners of events may be; samples that lie `beside` an event are left out. Nothing where the model gives no number for one of the data.
pub(crate) fn compare(
    measured: &Measured,
    observed: &Observed,
    until: f64,
    (spreads, pairing, beside): (&[f64], Pairing, &Beside),
    unknowns: usize,
) -> Option<(Compared, Linearised)> {
    let mut found = Compared::default();
    let (mut rows, mut more) = (Vec::<f64>::new(), 0.0);
    let mut take = |column: usize, time: f64, value: f64, sigma: f64, (predicted, at): (&Predicted, usize)| {
        let model = predicted.values[at];
        found.residuals.push(Residual { column, time, measured: value, model, sigma });
        rows.extend(predicted.slopes[at * unknowns..(at + 1) * unknowns].iter().map(|slope| slope / sigma));
        model.is_finite()
    };
    let mut complete = true;
    for (column, (samples, predicted)) in measured.samples.iter().zip(&observed.samples).enumerate() {
        for (i, (&row, &value)) in samples.rows.iter().zip(&samples.values).enumerate() {
            let time = measured.times[row];
            // Before the model begins there is nothing to compare.
            if time > until || row < observed.skipped || beside.get(column).is_some_and(|beside| beside[i]) {
                continue;
            }
            complete &= take(column, time, value, samples.sigma.of(i, spreads[column]), (predicted, row));
        }
    }
    let mut column = measured.samples.len();
    for (train, (times, speeds)) in measured.trains.iter().zip(&observed.trains) {
        let known = train.times.partition_point(|time| *time <= until);
        let own = &train.times[..known];
        let reach = match pairing {
            Pairing::Neighbours(strictness) => {
                Reach::Neighbours { alone: (until / 2.0).max(f64::MIN_POSITIVE), strictness }
            }
            Pairing::Noise => Reach::Gate((0..own.len()).map(|i| GATE * train.sigma.of(i, spreads[column])).collect()),
        };
        let matching = matched(own, &times.values, &reach);
        for &(i, j) in &matching.pairs {
            complete &= take(column, own[i], own[i], train.sigma.of(i, spreads[column]), (times, j));
        }
        let mean = |sigma: f64| 1.0 / (sigma * sigma);
        let weight = match own.len() {
            0 => 0.0,
            n => (0..n).map(|i| mean(train.sigma.of(i, spreads[column]))).sum::<f64>() / n as f64,
        };
        more += weight * matching.cost;
        column += 1;
        if let Some(known) = &train.speeds {
            for &(i, j) in matching.pairs.iter().filter(|(i, _)| known.values[*i].is_finite()) {
                complete &= take(column, own[i], known.values[i], known.sigma.of(i, spreads[column]), (speeds, j));
            }
            column += 1;
        }
        found.matchings.push(matching);
    }
    let residuals: Vec<f64> = found.residuals.iter().map(|one| (one.model - one.measured) / one.sigma).collect();
    let finite = residuals.iter().all(|r| r.is_finite()) && more.is_finite();
    if !(complete && finite) {
        return None;
    }
    let jacobian = Matrix::from_fn(residuals.len(), unknowns, |i, j| rows[i * unknowns + j]);
    Some((found, Linearised { residuals, jacobian, more }))
}
