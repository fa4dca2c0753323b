//! Motions with one impact per period: all intervals of periods in a range, in closed form per period.
//!
//! With one impact per period T and t counted from it,
//!
//! ```text
//! g(t) = g₀ + √G λ s(t),    s(t) = Σ q_p² cos(ω_p (t - T/2))/(ω_p sin(ω_p T/2)),    λ = -g₀/(√G s(0))
//! ```
//!
//! (Thorin, Delezoide and Legrand, SIAM J. Appl. Dyn. Syst. 16 (2017), section 7.2), so that for λ > 0 a motion is
//! admissible if y(t; T) = s(t) - s(0) >= 0 for 0 <= t <= T, whatever the gap. Between two harmonics (multiples of the
//! T_p = 2 π/ω_p)
//!
//! ```text
//! ∂y/∂T = Σ q_p² sin²(ω_p t/2)/sin²(ω_p T/2) >= 0,    y(T - t; T) = y(t; T):
//! ```
//!
//! *an admissible motion stays admissible as T grows, until the next harmonic.* (The two statements cover all of
//! the longer period, the first one its beginning and the second its end.) So between two harmonics there is at most
//! one interval of admissible periods. It begins where another contact is made (y = ∂y/∂t = 0) or where λ is infinite,
//! and for g₀ > 0 it ends at the harmonic, where λ -> 0 and the motion becomes the linear mode that grazes; for g₀ < 0
//! it ends where λ is infinite. Whether there is one is decided at the harmonic: the resonant modes push y up to
//! infinity as T grows to m T_p, except where they touch at t = j T_p; there the others have to be positive.

use crate::harmonics::{Harmonic, harmonics};
pub use crate::harmonics::{MOST_HARMONICS, harmonic, number_of_harmonics};
use crate::sine;
use crate::waves::{Minimum, Waves};
use crate::{End, LinearModes, Motion};
use saltation_numerics::elementary;

/// A motion with one impact per period: what follows from T alone, whether it is admissible or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Single {
    /// T.
    pub period: f64,
    /// λ; negative if only the other sign of g₀ has an impact here. For g₀ = 0 it is 0.
    pub lambda: f64,
    /// The energy, λ²/2 Σ q_p²/sin²(ω_p T/2).
    pub energy: f64,
}

/// An interval of periods with admissible motions of one impact per period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// Why it begins there.
    pub begins: End,
    /// Why it ends there.
    pub ends: End,
}

/// s(0) = Σ q_p² cot(ω_p T/2)/ω_p, which falls from ∞ to -∞ between two harmonics.
fn at_impact(modes: &LinearModes, period: f64) -> f64 {
    let terms = modes.frequencies().iter().zip(modes.squares());
    terms.map(|(w, square)| square / (w * elementary::tan(0.5 * w * period))).sum()
}

impl Single {
    /// The motion of period T > 0.
    ///
    /// ```
    /// use saltation_modes::{LinearModes, Single};
    /// // A unit mass on a unit spring against a wall at distance 1: for T = 3 π/2 it moves on 1 = √2 cos(t - T/2 + π).
    /// let modes = LinearModes::new(1, &[(0, 0, 1.0)], &[(0, 0, 1.0)], &[-1.0], 1.0).unwrap();
    /// let motion = Single::new(&modes, 1.5 * std::f64::consts::PI);
    /// assert!((motion.lambda - 1.0).abs() < 1e-15 && (motion.energy - 1.0).abs() < 1e-15);
    /// ```
    pub fn new(modes: &LinearModes, period: f64) -> Single {
        let (mut at_impact, mut sum) = (0.0, 0.0);
        for (w, square) in modes.frequencies().iter().zip(modes.squares()) {
            let (sine, cosine) = elementary::sin_cos(0.5 * w * period);
            let size = square / sine;
            at_impact += size * cosine / w;
            sum += size / sine;
        }
        let lambda = -modes.gap() / (modes.root_mobility() * at_impact);
        Single { period, lambda, energy: 0.5 * lambda * lambda * sum }
    }

    /// The motion with its amplitudes.
    pub fn motion(&self, modes: &LinearModes) -> Motion {
        Motion::from_impacts(modes, vec![self.period], vec![self.lambda])
    }

    /// Whether the motion is admissible: λ > 0 and no penetration between impacts, by bounds over the whole flight. A
    /// touch by rounding counts as none. For many periods of one structure [`Singles`] is faster.
    pub fn is_admissible(&self, modes: &LinearModes) -> bool {
        self.lambda > 0.0 && self.lambda.is_finite() && Singles::new(modes).stays_out(self.period)
    }
}

/// The motions of one structure with one impact per period, one period after the other, in memory that is used again.
///
/// ```
/// use saltation_modes::{LinearModes, single::Singles};
/// let modes = LinearModes::new(1, &[(0, 0, 1.0)], &[(0, 0, 1.0)], &[-1.0], 1.0).unwrap();
/// let mut singles = Singles::new(&modes);
/// // A mass on a spring bounces at every period between π and 2 π.
/// assert!(singles.at(4.0).1 && !singles.at(3.0).1 && !singles.at(7.0).1);
/// ```
#[derive(Clone, Debug)]
pub struct Singles<'m> {
    modes: &'m LinearModes,
    /// y(t; T) about the middle of the flight.
    waves: Waves<'m>,
    period: f64,
    /// sin ω_p T/2.
    sines: Vec<f64>,
    /// cos ω_p T/2.
    cosines: Vec<f64>,
}

impl<'m> Singles<'m> {
    /// Memory for the motions of a structure.
    pub fn new(modes: &'m LinearModes) -> Self {
        Singles {
            modes,
            waves: Waves::with_frequencies(modes.frequencies()),
            period: 0.0,
            sines: vec![0.0; modes.len()],
            cosines: vec![1.0; modes.len()],
        }
    }

    /// The motion of period T > 0, and whether it is admissible.
    pub fn at(&mut self, period: f64) -> (Single, bool) {
        self.go_to(period);
        let (mut at_impact, mut sum) = (0.0, 0.0);
        let modes = self.modes;
        for ((w, square), (sine, cosine)) in self.terms() {
            let size = square / sine;
            at_impact += size * cosine / w;
            sum += size / sine;
        }
        let lambda = -modes.gap() / (modes.root_mobility() * at_impact);
        let single = Single { period, lambda, energy: 0.5 * lambda * lambda * sum };
        let pushes = lambda > 0.0 && lambda.is_finite();
        (single, pushes && self.is_out())
    }

    fn go_to(&mut self, period: f64) {
        self.period = period;
        sine::vectors_of_multiples(self.modes.frequencies(), 0.5 * period, &mut self.sines, &mut self.cosines);
    }

    /// ω_p and q_p², and sin and cos of ω_p T/2.
    fn terms(&self) -> impl Iterator<Item = ((&f64, &f64), (&f64, &f64))> {
        let modes = self.modes.frequencies().iter().zip(self.modes.squares());
        modes.zip(self.sines.iter().zip(&self.cosines))
    }

    /// Whether y >= 0 over the flight of a period.
    fn stays_out(&mut self, period: f64) -> bool {
        self.go_to(period);
        self.is_out()
    }

    /// Whether y >= 0 over the flight of the present period.
    fn is_out(&mut self) -> bool {
        let level = self.set_waves();
        self.waves.stays_above(level)
    }

    /// The deepest minimum of a period with y < 0.
    fn deepest(&mut self, period: f64) -> Option<Minimum> {
        self.go_to(period);
        let level = self.set_waves();
        let mut found: Option<Minimum> = None;
        self.waves.minima_below(level, |minimum| {
            if found.is_none_or(|known| minimum.value < known.value) {
                found = Some(minimum);
            }
            found.map_or(level, |known| known.value)
        });
        found
    }

    /// Makes y the sum, and returns the level below which it counts as negative.
    fn set_waves(&mut self) -> f64 {
        let modes = self.modes;
        let constant = -self.terms().map(|((w, square), (sine, cosine))| square * cosine / (w * sine)).sum::<f64>();
        let length = 0.5 * self.period;
        self.waves.set_even(constant, length, |p| modes.squares()[p] / (modes.frequencies()[p] * self.sines[p]));
        -self.waves.rounding()
    }
}

/// Whether motions just below a harmonic are admissible (in the sense of y).
fn admissible_below(modes: &LinearModes, at: f64, resonant: &[(usize, usize)]) -> bool {
    let (first, m) = resonant[0];
    // Resonant modes touch together at those t = j T_p that are multiples of all their periods; by symmetry up to T/2.
    let touches = (1..=m / 2).filter(|j| resonant[1..].iter().all(|&(_, other)| (j * other).is_multiple_of(m)));
    let others: Vec<(f64, f64, f64)> = (0..modes.len())
        .filter(|p| resonant.iter().all(|(r, _)| r != p))
        .map(|p| {
            let w = modes.frequencies()[p];
            let (sine, cosine) = elementary::sin_cos(0.5 * w * at);
            (w, modes.squares()[p] / (w * sine), cosine)
        })
        .collect();
    let period = modes.period(first);
    for j in touches {
        let t = j as f64 * period - 0.5 * at;
        let (mut y, mut scale) = (0.0, 0.0);
        for &(w, size, at_impact) in &others {
            y += size * (elementary::cos(w * t) - at_impact);
            scale += size.abs();
        }
        // Without a criterion at the harmonic, the motion just below it decides.
        if y.abs() <= 1e-12 * scale {
            return Singles::new(modes).stays_out(at * (1.0 - 1e-7));
        }
        if y < 0.0 {
            return false;
        }
    }
    true
}

/// The period in (low, high), two neighbouring harmonics or 0, at which λ is infinite.
fn infinite(modes: &LinearModes, low: f64, high: f64) -> f64 {
    let (mut left, mut right) = (low, high);
    let mut at = 0.5 * (left + right);
    for _ in 0..200 {
        let value = at_impact(modes, at);
        if value > 0.0 {
            left = at;
        } else {
            right = at;
        }
        // In the variable of the cotangents Newton's step is nearly exact: s(0) = a - b (T - at).
        let slope: f64 = modes
            .frequencies()
            .iter()
            .zip(modes.squares())
            .map(|(w, square)| {
                let sine = elementary::sin(0.5 * w * at);
                -0.5 * square / (sine * sine)
            })
            .sum();
        let newton = at - value / slope;
        let next = if newton > left && newton < right { newton } else { 0.5 * (left + right) };
        if (next - at).abs() <= 2.0 * f64::EPSILON * at || right - left <= 2.0 * f64::EPSILON * right {
            return next;
        }
        at = next;
    }
    at
}

/// The touch y = ∂y/∂t = 0 near a penetration at s (from the middle) of a motion of period T, by Newton's method: (T,
/// s).
fn touch(modes: &LinearModes, mut period: f64, mut s: f64, low: f64, high: f64) -> Option<(f64, f64)> {
    let begins_in_the_middle = s == 0.0;
    for _ in 0..60 {
        let (mut y, mut slope, mut bend, mut grows, mut turns) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (w, square) in modes.frequencies().iter().zip(modes.squares()) {
            let (sine, cosine) = elementary::sin_cos(0.5 * w * period);
            let (along, across) = elementary::sin_cos(w * s);
            let size = square / (w * sine);
            y += size * (across - cosine);
            slope -= size * w * along;
            bend -= size * w * w * across;
            grows += 0.5 * square * (1.0 - cosine * across) / (sine * sine);
            turns += 0.5 * square * w * cosine * along / (sine * sine);
        }
        // [grows slope; turns bend] [dT; ds] = -[y; slope]
        let (dt, ds) = if begins_in_the_middle {
            (-y / grows, 0.0)
        } else {
            let determinant = grows * bend - slope * turns;
            ((-y * bend + slope * slope) / determinant, (-grows * slope + turns * y) / determinant)
        };
        if !(dt.is_finite() && ds.is_finite()) {
            return None;
        }
        let longest = 0.02 * period;
        let damped = (longest / dt.abs().max(ds.abs())).min(1.0);
        period += damped * dt;
        s += damped * ds;
        if !(period > low && period < high && s.abs() <= 0.5 * period) {
            return None;
        }
        if dt.abs() <= 4.0 * f64::EPSILON * period && ds.abs() <= 1e-7 * period {
            return (bend > 0.0).then_some((period, s.abs()));
        }
    }
    None
}

/// Where admissibility begins in (low, high): nothing is admissible at `low`, everything is just below `high`.
fn begins(singles: &mut Singles<'_>, low: f64, high: f64) -> (f64, End) {
    let (mut bad, mut good) = (low, high);
    let mut time = 0.5 * low;
    let mut trial = bad;
    for _ in 0..200 {
        if good - bad <= 4.0 * f64::EPSILON * good {
            break;
        }
        let touches = trial > bad && trial < good;
        let at = if touches { trial } else { 0.5 * (bad + good) };
        match singles.deepest(at) {
            None if touches => return (at, End::ExtraContact { time }),
            None => {
                good = at;
                trial = bad;
            }
            Some(minimum) => {
                (bad, trial, time) = (at, at, 0.5 * at - minimum.at);
                if let Some((period, s)) = touch(singles.modes, at, minimum.at, bad, good) {
                    (trial, time) = (period, 0.5 * period - s);
                }
            }
        }
    }
    (good, End::ExtraContact { time })
}

/// All intervals of periods in [low, high] with admissible motions of one impact per period, growing; none for g₀ = 0.
///
/// Intervals are cut at the ends of the range.
pub fn intervals(modes: &LinearModes, low: f64, high: f64) -> Vec<Interval> {
    intervals_while(modes, low, high, |_| true)
}

/// The same, as long as `progress`, called with the period that has been reached, returns true.
pub fn intervals_while(
    modes: &LinearModes,
    low: f64,
    high: f64,
    mut progress: impl FnMut(f64) -> bool,
) -> Vec<Interval> {
    let low = low.max(0.0);
    if modes.gap() == 0.0 || high.is_nan() || low >= high {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut singles = Singles::new(modes);
    for_each_gap(modes, low, high, |left, right, resonant| {
        if let Some(interval) = between(&mut singles, left, right, resonant)
            && interval.from < high
            && interval.to > low
        {
            let mut interval = interval;
            if interval.from < low {
                (interval.from, interval.begins) = (low, End::Range);
            }
            if interval.to > high {
                (interval.to, interval.ends) = (high, End::Range);
            }
            found.push(interval);
        }
        progress(right)
    });
    found
}

/// The periods in [low, high] at which a structure without gap (g₀ = 0) has motions with one impact per period, of any
/// λ > 0: those with s(0) = 0 that are admissible.
pub fn isolated(modes: &LinearModes, low: f64, high: f64) -> Vec<f64> {
    let mut found = Vec::new();
    let mut singles = Singles::new(modes);
    for_each_gap(modes, low.max(0.0), high, |left, right, resonant| {
        if admissible_below(modes, right, resonant) {
            let at = infinite(modes, left, right);
            if at >= low && at <= high && singles.stays_out(at) {
                found.push(at);
            }
        }
        true
    });
    found
}

/// Passes on every interval between neighbouring harmonics that intersects [low, high], with what its right end is a harmonic
/// of, as long as the answer is true.
fn for_each_gap(
    modes: &LinearModes,
    low: f64,
    high: f64,
    mut receive: impl FnMut(f64, f64, &[(usize, usize)]) -> bool,
) {
    // The first harmonic beyond the range closes the last interval; the shortest period is long enough to find it.
    let shortest = modes.period(modes.len() - 1);
    let list = harmonics(modes, (low - shortest).max(0.0), high + shortest);
    let mut left = 0.0;
    for (i, Harmonic { first, last, resonant }) in list.iter().enumerate() {
        let begun = i > 0 || low <= shortest;
        if begun && (*first > low && !receive(left, *first, resonant) || *first >= high) {
            return;
        }
        left = *last;
    }
}

/// The admissible interval between two neighbouring harmonics.
fn between(singles: &mut Singles<'_>, left: f64, right: f64, resonant: &[(usize, usize)]) -> Option<Interval> {
    let modes = singles.modes;
    if !admissible_below(modes, right, resonant) {
        return None;
    }
    let infinite = infinite(modes, left, right);
    let open = modes.gap() > 0.0;
    let harmonic = End::Harmonic { mode: resonant[0].0, multiple: resonant[0].1 };
    let (low, high, ends) = if open { (infinite, right, harmonic) } else { (left, infinite, End::Infinite) };
    if high <= low {
        return None;
    }
    let admissible_at_infinite = singles.stays_out(infinite);
    let (from, begins) = match (open, admissible_at_infinite) {
        (true, true) => (infinite, End::Infinite),
        (true, false) => begins(singles, low, high),
        (false, false) => return None,
        (false, true) if left == 0.0 => (0.0, End::Zero),
        (false, true) => begins(singles, low, high),
    };
    (from < high).then_some(Interval { from, to: high, begins, ends })
}
