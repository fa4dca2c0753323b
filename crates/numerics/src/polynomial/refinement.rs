//! Refines a bracketed root of a polynomial to full accuracy.

use super::{evaluate_with_derivative, sign};
use crate::{exact::DoubleDouble, number::Number};

/// A step below this part of the rounding error is omitted; its size is estimated from the steps before it.
const NEGLIGIBLE_STEP: f64 = 1e-3;
/// The number of halvings from 1 to the smallest positive number.
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
    let (mut last_step, mut was_trusted) = (hi - lo, false);
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
        let step = (next - x).abs();
        x = next;
        // Newton's steps shrink with the square: after two of them the next would be (step/last_step)^2 step.
        let ratio = if trusted && was_trusted { step / last_step } else { 1.0 };
        if step * ratio * ratio <= f64::EPSILON * NEGLIGIBLE_STEP * x.abs() || step <= f64::EPSILON * x.abs() {
            break;
        }
        (last_step, was_trusted) = (step, trusted);
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
