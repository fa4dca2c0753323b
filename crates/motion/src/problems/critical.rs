//! The smallest friction with a paradox: the smallest critical friction as one number varies.
//!
//! mu_c = d_NN/(sgn(g_T') d_NT) is looked at on a grid. Around its smallest value there the polynomial through Chebyshev points has the derivative
//! of mu_c to rounding, and its zero is the place of the minimum to more digits than values alone could give.

use super::level::root;
use super::varied::Varied;
use saltation_numerics::elementary;

/// The smallest critical friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SmallestFriction {
    /// The contact.
    pub contact: usize,
    /// mu_c.
    pub friction: f64,
    /// Where it is.
    pub at: f64,
    /// Whether this is an end of the range, beyond which it may be smaller.
    pub at_end: bool,
}

/// So many intervals are looked at.
const INTERVALS: usize = 512;
/// The polynomial spans this part of the range to both sides, and has so many points.
const SPAN: f64 = 1.0 / 64.0;
const POINTS: usize = 16;

/// The smallest critical friction of any closed contact as one number varies from `low` to `high`. `None` if no friction is critical anywhere
/// there.
///
/// # Panics
/// If not one number varies.
pub fn smallest_friction(varied: &mut Varied, low: f64, high: f64) -> Option<SmallestFriction> {
    assert_eq!(varied.what().len(), 1, "a search is one along one number");
    let contacts: Vec<usize> = varied.closed().iter().collect();
    let mut smallest: Option<SmallestFriction> = None;
    for contact in contacts {
        let mut critical = |at: f64| match varied.place(&[at]) {
            true => varied.contact(contact).critical_friction.unwrap_or(f64::INFINITY),
            false => f64::INFINITY,
        };
        let place = |k: usize| if k == INTERVALS { high } else { low + (high - low) * k as f64 / INTERVALS as f64 };
        let values: Vec<f64> = (0..=INTERVALS).map(|k| critical(place(k))).collect();
        // NaN is no minimum.
        let value = |k: usize| if values[k].is_nan() { f64::INFINITY } else { values[k] };
        let best = (0..=INTERVALS).min_by(|&i, &j| value(i).total_cmp(&value(j))).unwrap_or(0);
        if !value(best).is_finite() {
            continue;
        }
        let at_end = best == 0 || best == INTERVALS;
        let mut found = SmallestFriction { contact, friction: value(best), at: place(best), at_end };
        if !at_end {
            let interval = (place(best - 1), place(best + 1));
            let minimum = minimum(&mut critical, interval, (high - low) * SPAN, (low, high));
            let friction = critical(minimum);
            if friction <= found.friction {
                (found.friction, found.at) = (friction, minimum);
            }
        }
        if smallest.is_none_or(|known| found.friction < known.friction) {
            smallest = Some(found);
        }
    }
    smallest
}

/// The place of a minimum inside an interval.
fn minimum(function: &mut dyn FnMut(f64) -> f64, interval: (f64, f64), span: f64, within: (f64, f64)) -> f64 {
    let (mut a, mut b) = interval;
    let golden = 0.5 * (5f64.sqrt() - 1.0);
    let (mut c, mut d) = (b - golden * (b - a), a + golden * (b - a));
    let (mut fc, mut fd) = (function(c), function(d));
    // Values have no more to say than half of all digits.
    for _ in 0..36 {
        if fc < fd {
            (b, d, fd) = (d, c, fc);
            c = b - golden * (b - a);
            fc = function(c);
        } else {
            (a, c, fc) = (c, d, fd);
            d = a + golden * (b - a);
            fd = function(d);
        }
    }
    let centre = 0.5 * (a + b);
    let span = span.min(within.1 - centre).min(centre - within.0);
    let angle = |k: usize| std::f64::consts::PI * (k as f64 + 0.5) / POINTS as f64;
    let values: Vec<f64> = (0..POINTS).map(|k| function(centre + span * elementary::cos(angle(k)))).collect();
    let coefficients: Vec<f64> = (0..POINTS)
        .map(|j| {
            let sum: f64 = (0..POINTS).map(|k| values[k] * elementary::cos(j as f64 * angle(k))).sum();
            2.0 * sum / POINTS as f64
        })
        .collect();
    // T_j'(cos t) = j sin(j t)/sin(t).
    let mut slope = |t: f64| -> f64 {
        let angle = elementary::acos(t);
        (1..POINTS)
            .map(|j| coefficients[j] * j as f64 * elementary::sin(j as f64 * angle) / elementary::sin(angle))
            .sum()
    };
    // Close by, as the smooth part of a function may be small around its minimum.
    let (left, right) = (-0.25, 0.25);
    let (below, above) = (slope(left), slope(right));
    if !(below < 0.0 && above > 0.0) {
        return centre;
    }
    root(&mut slope, (left, below), (right, above)).map_or(centre, |t| centre + span * t)
}
