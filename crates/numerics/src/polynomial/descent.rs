//! The first zero of a polynomial that falls from positive values, with every local minimum before it.
//!
//! The polynomial's critical points cut the interval into monotone pieces, on each of which there is at most one root.
//! So the first zero is decided by the values at the minima, however shallow the dip below zero. Where the polynomial is
//! known to vanish at the start, it is divided by that power of the variable first: the departure is never found as a root,
//! and a root close to it keeps all its digits.

use super::isolation::{Bracket, Isolation};
use super::refinement::{bracketed_root, precise, value_above_rounding};
use super::{Workspace, all_finite, evaluate, evaluate_with_derivative, scale_to_unit, sign};

/// A local minimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimum {
    /// The variable at the minimum.
    pub at: f64,
    /// The polynomial's value there.
    pub value: f64,
}

/// The first fall of a polynomial to zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent<'w> {
    /// Where it first falls to zero or below; `None` if it does not on (0, h].
    pub root: Option<f64>,
    /// The minimum, zero or negative, of the dip that begins with the root; `None` without a root, and if the polynomial
    /// does not turn again before h.
    pub dip: Option<Minimum>,
    /// The local minima strictly inside (0, h) passed before the root, in order, all positive.
    pub minima: &'w [Minimum],
    /// Whether a coefficient is not finite, also after scaling to the interval: then nothing is known about roots.
    pub undefined: bool,
}

const NO_DESCENT: Descent<'static> = Descent { root: None, dip: None, minima: &[], undefined: false };
const UNDEFINED: Descent<'static> = Descent { undefined: true, ..NO_DESCENT };

/// A series without the orders at which its coefficients leave the range of numbers, as they do close to a singularity: a step there is so
/// short that they count for nothing. One that has no coefficient for another reason stays as it is.
fn within_range(c: &[f64]) -> &[f64] {
    // Geometric growth predicts the first coefficient that overflows.
    let leaves = |k: usize| {
        let (last, before) = (c[k - 1].abs(), c[k - 2].abs());
        last >= HUGE && before >= HUGE && last * (last / before) * k as f64 >= LARGEST
    };
    (2..c.len()).find(|&k| leaves(k)).map_or(c, |k| &c[..k])
}

/// Coefficients below this do not indicate a nearby singularity.
const HUGE: f64 = 1e100;
/// Coefficients above this may cause overflow.
const LARGEST: f64 = 1e290;

/// The first fall of g(s) = Σ cₖ sᵏ to zero on (0, h].
///
/// The first `vanishing` coefficients are known to vanish and are not read: 0 for an ordinary start, 1 just after an
/// impact, 2 from zero velocity with an acceleration, 3 at a release. Then the sign of `c[vanishing]` is the sign of g just
/// after 0.
///
/// A g that is not positive at the start and falls has its root at 0. One that rises from there counts only once it
/// has become positive; if it turns down before, its root is at that turning point. The search is exact for the polynomial
/// as given: a minimum's sign is decided with thirty digits where `f64` is not sufficient. Coefficients that are NaN give
/// no verdict, see [`Descent::undefined`].
///
/// ```
/// use saltation_numerics::polynomial::{Workspace, first_descent};
///
/// // A ball thrown up from the floor at speed 3 under gravity 10, for one second.
/// let flight = first_descent(&[0.0, 3.0, -5.0], 1.0, 1, &mut Workspace::new()).root;
/// assert_eq!(flight, Some(0.6));
/// ```
pub fn first_descent<'w>(c: &[f64], h: f64, vanishing: usize, workspace: &'w mut Workspace) -> Descent<'w> {
    let Workspace { unit, slope, stack, minima, .. } = workspace;
    minima.clear();
    let nonzero = |c: &f64| *c != 0.0;
    let tame = c.iter().fold(true, |tame, c| tame & (c.abs() <= LARGEST));
    let overflows = !tame && c.iter().enumerate().any(|(k, c)| !(k as f64 * c).is_finite());
    let c = if overflows { within_range(c) } else { c };
    let known = c.get(vanishing..).unwrap_or_default();
    if !tame && !all_finite(known) {
        return UNDEFINED;
    }
    let (Some(first), Some(last)) = (known.iter().position(nonzero), known.iter().rposition(nonzero)) else {
        return NO_DESCENT;
    };
    // g = s^power quotient and g' = s^(order - 1) slope, both with everything known to vanish divided out.
    let power = vanishing + first;
    let quotient = &known[first..=last];
    let order = power.max(1);
    let certain = if tame && quotient[0] > 0.0 { certain_direction((quotient, power), h) } else { 0 };
    if certain != 0 {
        let end = if certain < 0 { evaluate(quotient, h) } else { f64::INFINITY };
        let root = (end <= 0.0).then(|| fall(quotient, (0.0, h), end));
        return Descent { root, ..NO_DESCENT };
    }
    slope.clear();
    slope.extend_from_slice(&quotient[order - power..]);
    slope.iter_mut().fold(order as f64, |k, c| {
        *c *= k;
        k + 1.0
    });
    let Some(direction) = slope.iter().map(|&c| sign(c)).find(|&sign| sign != 0).filter(|_| h > 0.0) else {
        return NO_DESCENT;
    };

    let curve = Curve { quotient, power: power as i32, slope, order: order as i32 };
    let mut inside = quotient[0] > 0.0;
    let mut root = (!inside && direction < 0).then_some(0.0);
    // The last point at which g is known to be positive with no root since.
    let mut left = 0.0;

    let tail = scale_to_unit(slope, h, unit);
    if !(quotient[0] + unit[0] + tail).is_finite() {
        return UNDEFINED;
    }
    let last_direction = if keeps_sign(unit, tail) {
        direction
    } else {
        let mut turns = Isolation::new(unit, direction, 0.0, stack);
        for turn in turns.by_ref() {
            if !turn.is_crossing() {
                continue;
            }
            let is_minimum = turn.after > 0;
            if inside && !is_minimum {
                left = h * turn.start;
                continue;
            }
            let at = curve.turning_point(&turn, h);
            let (value, needs_digits) = curve.value(at);
            if root.is_some() {
                return Descent { root, dip: Some(Minimum { at, value }), minima, undefined: false };
            }
            if !is_minimum {
                inside = value > 0.0;
                left = at;
                root = (!inside).then_some(at);
            } else if inside && value <= 0.0 {
                let minimum = Minimum { at, value };
                let root = Some(curve.fall_to(left, minimum, needs_digits));
                return Descent { root, dip: Some(minimum), minima, undefined: false };
            } else {
                minima.push(Minimum { at, value });
            }
        }
        turns.sign()
    };

    if root.is_none() && inside && last_direction <= 0 {
        let end = evaluate(quotient, h);
        if end <= 0.0 {
            root = Some(fall(quotient, (left, h), end));
        }
    }
    Descent { root, dip: None, minima, undefined: false }
}

/// The sign of the slope of s^power quotient on (0, h] if its first coefficient, or two of the same sign, outweigh all others: found without
/// the slope itself, and with so much more than rounding in between that [`keeps_sign`] says so too. 0 if that is not known.
fn certain_direction((quotient, power): (&[f64], usize), h: f64) -> i8 {
    const MARGIN: f64 = 0.999;
    let order = power.max(1);
    let slope = &quotient[order - power..];
    let Some((first, others)) = slope.split_first().filter(|_| h > 0.0) else { return 0 };
    let first = order as f64 * first;
    let second = others.first().map_or(0.0, |c| (order + 1) as f64 * c);
    let mut weight = (order + slope.len()) as f64;
    // Of the slope's terms a_k h^k the sum from the third on, over h.
    let tail = others.iter().skip(1).rev().fold(0.0, |sum, c| {
        weight -= 1.0;
        (sum + weight * c.abs()) * h
    });
    let outweighs = (second.abs() + tail) * h < MARGIN * first.abs();
    let both = first * second > 0.0 && tail < MARGIN * second.abs() && (second * h).is_finite();
    if outweighs || both { sign(first) } else { 0 }
}

/// Whether the first coefficient, or two of the same sign, outweigh all others on [0, 1]; `tail` is the sum of the sizes of
/// all but the first. For c1 of more than half of it, c0 + c1 u + ... is not smaller than c0.
fn keeps_sign(unit: &[f64], tail: f64) -> bool {
    /// Half, with a margin for rounding errors of the sums.
    const HALF: f64 = 0.5 + 1e-12;
    unit[0].abs() > tail || unit.len() > 1 && unit[0] * unit[1] > 0.0 && unit[1].abs() > HALF * tail
}

/// The root between `left`, where a quotient is positive, and `right`, where it is `end` <= 0, with g falling to it and not rising
/// before `right`.
fn fall(quotient: &[f64], (left, right): (f64, f64), end: f64) -> f64 {
    let start = if left == 0.0 { quotient[0] } else { evaluate(quotient, left) };
    let secant = left + (right - left) * start / (start - end);
    bracketed_root(left, right, 1, secant, |s| evaluate_with_derivative(quotient, s))
}

/// g = s^power quotient with g' = s^(order - 1) slope.
struct Curve<'c> {
    quotient: &'c [f64],
    power: i32,
    slope: &'c [f64],
    order: i32,
}

impl Curve<'_> {
    /// The extremum in a bracket of the unit interval.
    fn turning_point(&self, turn: &Bracket, h: f64) -> f64 {
        let derivatives = |s| evaluate_with_derivative(self.slope, s);
        if turn.start == turn.end {
            return h * turn.start;
        }
        bracketed_root(h * turn.start, h * turn.end, turn.before, h * turn.guess, derivatives)
    }

    /// The value of g, and whether `f64` did not have the digits for it.
    fn value(&self, s: f64) -> (f64, bool) {
        let (quotient, needs_digits) = value_above_rounding(self.quotient, s);
        (quotient * s.powi(self.power), needs_digits)
    }

    /// The root between `left`, where g is positive, and a minimum, close to where the parabola at the minimum is zero.
    fn fall_to(&self, left: f64, minimum: Minimum, needs_digits: bool) -> f64 {
        let Minimum { at, value } = minimum;
        let curvature = evaluate_with_derivative(self.slope, at).1 * at.powi(self.order - 1);
        let guess = at - (-2.0 * value / curvature).sqrt();
        if needs_digits {
            bracketed_root(left, at, 1, guess, |s| precise(self.quotient, s))
        } else {
            bracketed_root(left, at, 1, guess, |s| evaluate_with_derivative(self.quotient, s))
        }
    }
}
