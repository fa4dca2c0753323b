//! Families with two impacts per period at constant impact times: line segments, and connections to one impact per period.
//!
//! With α = s_T(0), β = s_T(σ_1) and s_T'(σ_1) = 0 (so that Π = 0) two impacts with λ_1 + λ_2 = -g₀/(√G α) close the
//! gap whenever α = β, for every division of the sum: one pair of impact times belongs to a whole family, in which the gap is
//! linear in λ_1 (Thorin, Delezoide and Legrand, section 7.3.3). t -> σ_1 - t exchanges λ_1 and λ_2, and a mean of
//! admissible motions is admissible, so that the admissible λ_1 are a segment about the middle, where λ_1 = λ_2.
//!
//! With σ_1 = σ_2 the middle has one impact per period T₀ = σ_1: the segment is a bridge (a connection between families) from there. Then α = β is Σ
//! q_p² tan(ω_p T₀/2)/ω_p = 0, whose left side grows from -∞ to ∞ between two neighbours of its poles, the odd
//! multiples of π/ω_p. So all bridges of a range are found.

use crate::{End, LinearModes, Motion, Search};
use saltation_numerics::elementary;

/// A family of motions with two impacts per period at constant times.
#[derive(Clone, Debug, PartialEq)]
pub struct Continuum {
    /// σ_1, σ_2.
    pub flight_times: [f64; 2],
    /// λ_1 + λ_2.
    pub total: f64,
    /// The least admissible λ_1; the greatest is the total less this.
    pub least: f64,
    /// Why the segment ends there: `Graze` with λ_1 = 0, or another contact. At its other end the same happens
    /// mirrored.
    pub ends: End,
    /// Whether σ_1 = σ_2: the middle of the segment has one impact per period.
    pub bridge: bool,
}

impl Continuum {
    /// The motion with a part of the total in λ_1, between 0 and 1.
    pub fn motion(&self, modes: &LinearModes, part: f64) -> Motion {
        let [first, second] = self.flight_times;
        let lambda = vec![part * self.total, (1.0 - part) * self.total];
        Motion::from_impacts(modes, vec![first, first + second], lambda)
    }

    /// The motions of the admissible segment, `count` of them, equally far from each other in λ_1.
    pub fn motions(&self, modes: &LinearModes, count: usize) -> Vec<Motion> {
        let (low, high) = (self.least / self.total, 1.0 - self.least / self.total);
        let part = |i: usize| low + (high - low) * i as f64 / (count.max(2) - 1) as f64;
        (0..count).map(|i| self.motion(modes, part(i))).collect()
    }

    /// The segment at impact times that carry one; `None` if no motion of it is admissible.
    fn at(modes: &LinearModes, flight_times: [f64; 2], bridge: bool) -> Option<Continuum> {
        let period = flight_times[0] + flight_times[1];
        let terms = modes.frequencies().iter().zip(modes.squares());
        let at_impact: f64 = terms.map(|(w, square)| square / (w * elementary::tan(0.5 * w * period))).sum();
        let total = -modes.gap() / (modes.root_mobility() * at_impact);
        if !(total.is_finite() && total > 0.0) {
            return None;
        }
        let mut continuum =
            Continuum { flight_times, total, least: 0.5 * total, ends: End::Graze { impact: 0 }, bridge };
        let admissible = |part: f64| continuum.motion(modes, part).verdict(modes).is_admissible();
        if !admissible(0.5) {
            return None;
        }
        if admissible(0.0) {
            continuum.least = 0.0;
            return Some(continuum);
        }
        let (mut bad, mut good) = (0.0, 0.5);
        while good - bad > 1e-15 {
            let middle = 0.5 * (bad + good);
            if middle == bad || middle == good {
                break;
            }
            *(if admissible(middle) { &mut good } else { &mut bad }) = middle;
        }
        let time = continuum.motion(modes, good).least_gap(modes).map_or(0.0, |least| least.time);
        continuum.least = good * continuum.total;
        continuum.ends = End::ExtraContact { time };
        Some(continuum)
    }
}

/// All bridges whose motion with one impact per period has a period T₀ in [low, high]: growing.
pub fn bridges(modes: &LinearModes, low: f64, high: f64) -> Vec<Continuum> {
    // The odd multiples of π/ω in the range, with one more of each mode on both sides.
    let mut poles = Vec::new();
    for w in modes.frequencies() {
        let first = std::f64::consts::PI / w;
        let mut m = (0.5 * (low / first - 1.0)).floor().max(0.0);
        loop {
            let pole = (2.0 * m + 1.0) * first;
            poles.push(pole);
            if pole > high {
                break;
            }
            m += 1.0;
        }
    }
    poles.sort_by(f64::total_cmp);
    let value = |period: f64| -> f64 {
        let terms = modes.frequencies().iter().zip(modes.squares());
        terms.map(|(w, square)| square * elementary::tan(0.5 * w * period) / w).sum()
    };
    let mut found = Vec::new();
    for pair in poles.windows(2).filter(|pair| pair[1] > low && pair[0] < high) {
        let (mut left, mut right) = (pair[0], pair[1]);
        // Poles of two modes at one place leave nothing between them.
        if right - left <= 16.0 * f64::EPSILON * right {
            continue;
        }
        while right - left > 2.0 * f64::EPSILON * right {
            let middle = 0.5 * (left + right);
            if middle <= left || middle >= right {
                break;
            }
            *(if value(middle) < 0.0 { &mut left } else { &mut right }) = middle;
        }
        let period = 0.5 * (left + right);
        if (low..=high).contains(&period) {
            found.extend(Continuum::at(modes, [period, period], true));
        }
    }
    found
}

/// Segments that are no bridges, with σ_1 < σ_2, from random starts as in [`Search`], whose number of impacts is taken
/// as two; by period.
pub fn continua(
    modes: &LinearModes,
    search: &Search,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Vec<Continuum> {
    let mut found: Vec<Continuum> = Vec::new();
    let search = Search { impacts: 2, ..search.clone() };
    for start in 0..search.starts {
        if !progress(start, found.len()) {
            break;
        }
        let sigmas = search.flights(start);
        let Some(flight_times) = constant_times(modes, sigmas[0].min(sigmas[1]), sigmas[0] + sigmas[1]) else {
            continue;
        };
        let (low, high) = search.periods;
        let period = flight_times[0] + flight_times[1];
        let known =
            |other: &Continuum| (0..2).all(|i| (other.flight_times[i] - flight_times[i]).abs() <= 1e-9 * period);
        if (low..=high).contains(&period) && !found.iter().any(known) {
            found.extend(Continuum::at(modes, flight_times, false));
        }
    }
    found.sort_by(|a, b| (a.flight_times[0] + a.flight_times[1]).total_cmp(&(b.flight_times[0] + b.flight_times[1])));
    found
}

/// σ_1 < σ_2 with s'(σ_1) = 0 and s(0) = s(σ_1), by Newton's method for σ_1 and T.
fn constant_times(modes: &LinearModes, mut first: f64, mut period: f64) -> Option<[f64; 2]> {
    for _ in 0..50 {
        let (mut slope, mut bend, mut slope_by_period, mut difference, mut difference_by_period) =
            (0.0, 0.0, 0.0, 0.0, 0.0);
        for (w, square) in modes.frequencies().iter().zip(modes.squares()) {
            let (half_sine, half_cosine) = elementary::sin_cos(0.5 * w * period);
            let (sine, cosine) = elementary::sin_cos(w * first);
            let size = square / half_sine;
            let along = cosine * half_cosine + sine * half_sine;
            let across = sine * half_cosine - cosine * half_sine;
            slope -= size * across;
            bend -= size * w * along;
            slope_by_period += 0.5 * w * size * sine / half_sine;
            difference += size / w * (half_cosine - along);
            difference_by_period -= 0.5 * size * (1.0 - cosine) / half_sine;
        }
        // [bend, slope_by_period; -slope, difference_by_period] [dσ; dT] = -[slope; difference]
        let determinant = bend * difference_by_period + slope * slope_by_period;
        let by_first = (-slope * difference_by_period + difference * slope_by_period) / determinant;
        let by_period = (-bend * difference - slope * slope) / determinant;
        let size = by_first.abs().max(by_period.abs());
        if !size.is_finite() {
            return None;
        }
        let damping = (0.1 * first / size).min(1.0);
        first += damping * by_first;
        period += damping * by_period;
        if !(first > 0.0 && period > first) {
            return None;
        }
        if size <= 1e-14 * period {
            let (shorter, longer) = (first.min(period - first), first.max(period - first));
            // Equal flights solve the first equation at any period; those are bridges.
            return (longer - shorter > 1e-6 * period).then_some([shorter, longer]);
        }
    }
    None
}
