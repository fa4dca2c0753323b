//! The period of a motion in returns to its section, by comparison of the returns.
//!
//! Returns that are p apart agree within the square root of the tolerance: a motion is as accurate as its tolerance, and the return map of a
//! system with impacts may have a square root, by which an error of that size grows to its root (Nordmark, J. Sound Vib. 145 (1991)). Where
//! the attraction is slow the returns still approach each other: their distance shrinks from quarter to quarter of the record.

use crate::returns::{Points, Units};
use saltation_numerics::elementary;

/// Returns that differ by more than this, relative to the sizes of the states, are too far from a periodic motion to know its period.
const APPROACH: f64 = 0.1;
/// By which factor the distance of returns one period apart shrinks from the first quarter of the record to the last, at least.
const SHRINKS: f64 = 0.25;
/// An approach is known from so many periods at least, and looked for up to this period.
const LEAST_PERIODS: usize = 10;
const LONGEST_APPROACHED: usize = 64;

/// A period that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Period {
    /// The period in returns.
    pub returns: u64,
    /// Whether the motion still approaches it.
    pub approaching: bool,
    /// How far the last returns are from the periodic motion, relative to the sizes of the states: the largest distance d of
    /// returns one period apart, and d/(1 - ρ) where distances still shrink by the factor ρ in a period.
    pub distance: f64,
}

/// The smallest number of returns after which the motion repeats, at most half of those recorded; `None` if there is none.
///
/// ```
/// use saltation_sweep::{Points, Units, period};
/// let mut points = Points::new(1);
/// (0..20).for_each(|k| points.push(&[[1.0, -2.0, 0.5][k % 3]]));
/// let units = Units::new(&[2.0], &[None]);
/// let found = period::of(&points, &units, 1e-12).unwrap();
/// assert_eq!((found.returns, found.approaching, found.distance), (3, false, 0.0));
/// ```
pub fn of(points: &Points, units: &Units, tolerance: f64) -> Option<Period> {
    let settled = tolerance.sqrt();
    let count = points.len();
    for period in 1..=count / 2 {
        let apart = |k: usize| units.distance(points.get(k), points.get(k + period));
        let pairs = count - period;
        let returns = period as u64;
        if let Some(distance) = largest((pairs / 2..pairs).rev().map(apart), settled) {
            return Some(Period { returns, approaching: false, distance });
        }
        if period <= LONGEST_APPROACHED && LEAST_PERIODS * period <= count {
            let quarter = |q: usize| largest((q * pairs / 4..(q + 1) * pairs / 4).map(apart), f64::INFINITY);
            let quarters = [quarter(0), quarter(1), quarter(2), quarter(3)].map(|d| d.unwrap_or(f64::NAN));
            let [first, _, _, last] = quarters;
            if quarters.windows(2).all(|pair| pair[1] < pair[0]) && last <= SHRINKS * first {
                // All distances shrink alike: of a longer period nothing else would be known.
                let factor = elementary::powf(last / first, period as f64 / (0.75 * pairs as f64));
                let distance = last / (1.0 - factor);
                return (first <= APPROACH).then_some(Period { returns, approaching: true, distance });
            }
        }
    }
    None
}

/// The largest of some distances; `None` once one is above a bound, or has no value.
fn largest(mut distances: impl Iterator<Item = f64>, bound: f64) -> Option<f64> {
    distances.try_fold(0.0, |most: f64, distance| (distance <= bound).then_some(most.max(distance)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(count: usize, mut map: impl FnMut(f64) -> f64, mut x: f64) -> Points {
        let mut points = Points::new(1);
        for _ in 0..count {
            points.push(&[x]);
            x = map(x);
        }
        points
    }

    fn period(points: &Points) -> Option<(u64, bool)> {
        of(points, &Units::new(&[1.0], &[None]), 1e-12).map(|p| (p.returns, p.approaching))
    }

    #[test]
    fn the_logistic_map_has_its_known_periods() {
        let logistic = |r: f64| move |x: f64| r * x * (1.0 - x);
        let settled = |r: f64| (0..20_000).fold(0.4, |x, _| logistic(r)(x));
        for (r, expected) in [(2.8, 1), (3.2, 2), (3.5, 4), (3.55, 8), (3.83, 3), (3.6265, 0), (3.7, 0), (4.0, 0)] {
            let found = period(&sequence(100, logistic(r), settled(r)));
            match expected {
                0 => assert!(found.is_none_or(|(p, _)| p > 4), "{r} {found:?}"),
                _ => assert_eq!(found, Some((expected, false)), "{r}"),
            }
        }
        // r_infinity and beyond: thousands of chaotic parameters are not taken for a short period.
        let chaotic = (0..2000).map(|k| 3.9 + 5e-5 * f64::from(k));
        let short =
            chaotic.filter(|&r| matches!(period(&sequence(100, logistic(r), settled(r))), Some((_, true)))).count();
        assert!(short <= 20, "{short} of 2000 approach");
    }

    #[test]
    fn slow_attraction_is_recognized_as_such() {
        assert_eq!(period(&sequence(100, |x| 0.98 * x, 1e-3)), Some((1, true)));
        assert_eq!(period(&sequence(100, |x| -0.98 * x, 1e-3)), Some((1, true)));
        assert_eq!(period(&sequence(100, |x| 0.98 * x, 1e-9)), Some((1, false)));
        let slow = of(&sequence(100, |x| 0.98 * x, 1e-3), &Units::new(&[1.0], &[None]), 1e-12).unwrap();
        let left = 1e-3 * 0.98_f64.powi(74);
        assert!((slow.distance / left - 1.0).abs() < 0.1, "{slow:?} {left}");
        // A slow spiral: returns that are four apart are nearer than neighbours, and no sign of a period of four.
        let spiral = (0..100).map(|k| (0.99_f64.powi(k), 1.55 * f64::from(k)));
        let mut points = Points::new(2);
        spiral.for_each(|(r, angle)| points.push(&[r * angle.cos(), r * angle.sin()]));
        assert_eq!(of(&points, &Units::new(&[1.0, 1.0], &[None, None]), 1e-12), None);
        // It leaves: nothing repeats.
        assert_eq!(period(&sequence(100, |x| 1.02 * x, 1e-3)), None);
        assert_eq!(period(&sequence(10, |_| f64::NAN, 0.3)), None);
        assert_eq!(period(&sequence(1, |x| x, 0.3)), None);
        assert_eq!(period(&Points::new(1)), None);
    }

    #[test]
    fn angles_are_compared_on_their_circle() {
        let mut points = Points::new(1);
        (0..40).for_each(|k| points.push(&[f64::from(k) * std::f64::consts::TAU + 0.5]));
        let units = Units::new(&[250.0], &[Some(std::f64::consts::TAU)]);
        assert_eq!(of(&points, &units, 1e-12).map(|p| p.returns), Some(1));
        let rotation = sequence(60, |x| x + std::f64::consts::TAU * 0.618_033_988_75, 0.0);
        assert_eq!(of(&rotation, &units, 1e-12), None);
    }
}
