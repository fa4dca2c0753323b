//! Where exactly is the root that a bracket holds?

use super::{evaluate_with_derivative, sign};
use crate::{exact::DoubleDouble, number::Number};

/// Halvings enough to pass from 1 to the smallest positive number.
const MOST_STEPS: usize = 1100;

/// The root in [lo, hi] of a function with the sign `before` at lo and not beyond the root, by Newton's iteration from
/// `guess`; a step that leaves the bracket, or is not at most half the last one, becomes a halving of the bracket.
///
/// `function` gives the value and the derivative.
pub(super) fn bracketed_root(
    mut lo: f64,
    mut hi: f64,
    before: i8,
    guess: f64,
    function: impl Fn(f64) -> (f64, f64),
) -> f64 {
    let mut x = if lo <= guess && guess <= hi { guess } else { 0.5 * (lo + hi) };
    let mut last_step = hi - lo;
    for _ in 0..MOST_STEPS {
        let (value, derivative) = function(x);
        match sign(value) {
            0 => return x,
            side if side == before => lo = x,
            _ => hi = x,
        }
        let newton = x - value / derivative;
        let trusted = lo <= newton && newton <= hi && (newton - x).abs() <= 0.5 * last_step;
        let next = if trusted { newton } else { lo + 0.5 * (hi - lo) };
        last_step = (next - x).abs();
        x = next;
        if last_step <= f64::EPSILON * x.abs() {
            break;
        }
    }
    x
}

/// The value and the derivative of Σ cₖ sᵏ, each correctly rounded or nearly so: evaluated to thirty digits.
pub(super) fn precise(c: &[f64], s: f64) -> (f64, f64) {
    let (value, derivative) = evaluate_with_derivative(c, DoubleDouble::from_f64(s));
    (value.hi, derivative.hi)
}

/// The value Σ cₖ sᵏ, with more digits where `f64` would leave fewer than five, and whether it needed them.
pub(super) fn value_above_rounding(c: &[f64], s: f64) -> (f64, bool) {
    let (value, terms) = c.iter().rev().fold((0.0, 0.0), |(sum, terms), c| (sum * s + c, terms * s.abs() + c.abs()));
    let rounding = 2.0 * c.len() as f64 * f64::EPSILON * terms;
    if value.abs() > 1e5 * rounding { (value, false) } else { (precise(c, s).0, true) }
}
