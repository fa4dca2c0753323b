//! Multiples of linear periods, and which of them coincide within the rounding errors of the matrices.
//!
//! Harmonics m T_p of several modes may coincide, as those of modes with frequencies in the ratio of whole numbers do.
//! Computed, they differ by the rounding of M and K, whose size follows from the condition of both: half a unit in the
//! last place of every entry moves ω_p by the part δ_p of itself (`saltation_numerics::pencil`). Harmonics that are
//! closer than T (δ_p + δ_r) are identified, so that no interval lies between them. Where this is not a small part of
//! the mean distance of harmonics, dense harmonics would be identified wrongly: then the bound is a fixed part of that distance.

use crate::LinearModes;
use saltation_numerics::elementary;

/// More harmonics than this in a range are refused: each bounds an interval to be tested.
pub const MOST_HARMONICS: usize = 3_000_000;

/// Harmonics closer than this part of their mean distance may coincide.
const EQUAL_HARMONICS: f64 = 1e-3;

/// Rounding of a multiple of a period.
const PERIOD_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// A period that is a multiple of those of some modes.
pub(crate) struct Harmonic {
    /// The first and the last of the multiples, which differ by rounding.
    pub first: f64,
    pub last: f64,
    /// Modes that the contact moves, from 0, growing, and multiples.
    pub resonant: Vec<(usize, usize)>,
}

/// The error of a harmonic of a mode near a period; at most a part of the mean distance of harmonics.
fn tolerance(modes: &LinearModes, mode: usize, period: f64) -> f64 {
    let distance = 1.0 / density(modes);
    period * PERIOD_ROUNDING + (period * modes.uncertainties()[mode]).min(EQUAL_HARMONICS * distance)
}

/// The number of harmonics per unit of the period.
fn density(modes: &LinearModes) -> f64 {
    modes.frequencies().iter().sum::<f64>() / (2.0 * std::f64::consts::PI)
}

/// All multiples m T_p in (low, high], growing; equal ones together.
pub(crate) fn harmonics(modes: &LinearModes, low: f64, high: f64) -> Vec<Harmonic> {
    let mut list = Vec::new();
    for p in 0..modes.len() {
        let period = modes.period(p);
        let mut m = ((low / period).floor() as usize).max(1);
        while m as f64 * period <= low {
            m += 1;
        }
        while m as f64 * period <= high {
            list.push((m as f64 * period, (p, m)));
            m += 1;
        }
    }
    list.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut together: Vec<Harmonic> = Vec::with_capacity(list.len());
    let mut widest = 0.0;
    for (at, which) in list {
        let own = tolerance(modes, which.0, at);
        match together.last_mut() {
            Some(known) if at - known.first <= own + widest => {
                known.last = at;
                known.resonant.push(which);
                widest = own.max(widest);
            }
            _ => {
                together.push(Harmonic { first: at, last: at, resonant: vec![which] });
                widest = own;
            }
        }
    }
    together.iter_mut().for_each(|harmonic| harmonic.resonant.sort_unstable());
    together
}

/// All modes that the contact moves and multiples of their periods that a period is, up to rounding; growing.
pub fn resonant(modes: &LinearModes, period: f64) -> Vec<(usize, usize)> {
    let multiple = |mode: usize| (period / modes.period(mode)).round();
    let is = |mode: &usize| {
        let distance = (period - multiple(*mode) * modes.period(*mode)).abs();
        multiple(*mode) >= 1.0 && distance <= 1e-13 * period + tolerance(modes, *mode, period)
    };
    (0..modes.len()).filter(is).map(|mode| (mode, multiple(mode) as usize)).collect()
}

/// The first mode and the multiple of its period that T is, up to rounding, if it is a harmonic.
pub fn harmonic(modes: &LinearModes, period: f64) -> Option<(usize, usize)> {
    resonant(modes, period).first().copied()
}

/// The approximate number of harmonics up to a period.
pub fn number_of_harmonics(modes: &LinearModes, low: f64, high: f64) -> f64 {
    (high - low).max(0.0) * density(modes)
}

/// Whether harmonics lie so close to each other that their order is unknown within the rounding errors of the matrices: how near, and
/// by how much those near a period may be off.
pub fn blurred(modes: &LinearModes, period: f64) -> Option<(f64, f64)> {
    let distance = 1.0 / density(modes);
    let uncertain = modes.uncertainties().iter().fold(0.0_f64, |most, u| most.max(*u)) * period;
    (uncertain > EQUAL_HARMONICS * distance).then_some((distance, uncertain))
}

/// The approximate number of minima of the gap of a motion in a period: by the mean frequency of the terms q²/ω, in the sense
/// in which the search for minima takes it.
pub fn number_of_minima(modes: &LinearModes, period: f64) -> f64 {
    let terms = || modes.frequencies().iter().zip(modes.squares());
    let cube = terms().map(|(w, square)| square * w * w).sum::<f64>() / terms().map(|(w, q)| q / w).sum::<f64>();
    period * elementary::cbrt(cube) / (2.0 * std::f64::consts::PI)
}
