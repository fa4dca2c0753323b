//! All real roots of a polynomial on an interval, with the direction of each crossing.

use super::isolation::{Bracket, Isolation};
use super::refinement::{bracketed_root, precise};
use super::{Workspace, all_finite, evaluate, evaluate_with_derivative, scale_to_unit, sign};
use crate::{exact::DoubleDouble, number::Number};

/// A first coefficient larger than the sizes of all other terms by this factor leaves no root, nor one within rounding of an end.
const LARGER_TERM: f64 = 1.0 + 1e-9;

/// How a polynomial crosses or touches zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// With the same sign on both sides, so close to zero that rounding hides whether it touches, misses or dips.
    Touching,
}

/// A real root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// Where.
    pub at: f64,
    /// The direction.
    pub crossing: Crossing,
}

/// The sign changes of a polynomial on an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignChanges<'w> {
    /// The roots where the sign changes, in order.
    pub roots: &'w [Root],
    /// The sign behind the last of them, 1 or -1: what the next interval takes as its sign before. 0 only if the sign
    /// before was 0 and the polynomial vanishes. NaN if a coefficient is not finite, also after scaling to the interval: then nothing is
    /// known of its roots.
    pub after: f64,
}

/// All real roots of p(s) = Σ cₖ sᵏ with `from` <= s <= `to`, in order; none unless `from` < `to`.
///
/// A root of even multiplicity, or two roots that coincide within rounding errors, are reported once, as touching. Pieces on which
/// |p| stays below `floor` (0 for the limit of rounding) are not searched further and count as one root. An empty
/// result means that there is none, or that p vanishes identically.
///
/// ```
/// use saltation_numerics::polynomial::{Crossing, Workspace, real_roots};
///
/// let mut workspace = Workspace::new();
/// let roots = real_roots(&[-2.0, 0.0, 1.0], 0.0, 2.0, 0.0, &mut workspace);
/// assert_eq!((roots.len(), roots[0].crossing), (1, Crossing::Rising));
/// assert!((roots[0].at - 2f64.sqrt()).abs() < 1e-15);
/// ```
pub fn real_roots<'w>(c: &[f64], from: f64, to: f64, floor: f64, workspace: &'w mut Workspace) -> &'w [Root] {
    let Workspace { unit, slope, stack, roots, .. } = workspace;
    roots.clear();
    let c = trimmed(c);
    let h = to - from;
    if c.is_empty() || h.is_nan() || h <= 0.0 {
        return roots;
    }
    slope.clear();
    slope.extend_from_slice(c);
    shift(slope, from);
    let tail = scale_to_unit(slope, h, unit);
    if !(unit[0] + tail).is_finite() || (floor == 0.0 && unit[0].abs() > LARGER_TERM * tail) {
        return roots;
    }
    let level =
        |s: f64| 2.0 * c.len() as f64 * f64::EPSILON * c.iter().rev().fold(0.0, |sum, c| sum * s.abs() + c.abs());
    let Some(multiplicity) = unit.iter().position(|&c| c != 0.0) else {
        return roots;
    };
    if multiplicity > 0 {
        roots.push(Root {
            at: from,
            crossing: crossing(if multiplicity % 2 == 1 { sign(unit[multiplicity]) } else { 0 }),
        });
    }

    let polynomial = Located { c, from, h };
    for bracket in Isolation::new(&unit[multiplicity..], 0, floor, stack) {
        polynomial.roots_in(&bracket, roots);
    }

    // A simple root within rounding of either end counts as lying on it.
    for (end, is_first) in [(from, true), (to, false)] {
        // Thirty digits only where rounding hides the sign.
        let level_there = level(end);
        if evaluate(c, end).abs() > 2.0 * level_there {
            continue;
        }
        let (value, derivative) = precise(c, end);
        let found = roots.iter().any(|root| (root.at - end).abs() * derivative.abs() <= 2.0 * level_there);
        if value.abs() <= level_there.min(derivative.abs() * h) && !found {
            let place = if is_first { 0 } else { roots.len() };
            roots.insert(place, Root { at: end, crossing: crossing(sign(derivative)) });
        }
    }
    roots
}

/// The roots of p(s) = Σ cₖ sᵏ on (0, h] where its sign changes, in order, continuing from the sign `before` (only its
/// sign counts; 0 if it is not known).
///
/// If p starts with the opposite sign the change is reported at 0. A p that only reaches zero at h has not changed sign
/// yet: the change belongs to the next interval, begun with [`SignChanges::after`], so that over consecutive intervals
/// each change is reported exactly once.
///
/// ```
/// use saltation_numerics::polynomial::{Crossing, Workspace, sign_changes};
///
/// let mut workspace = Workspace::new();
/// let changes = sign_changes(&[-0.5, 1.0], 1.0, -1.0, &mut workspace);
/// assert_eq!((changes.roots[0].at, changes.roots[0].crossing, changes.after), (0.5, Crossing::Rising, 1.0));
/// ```
pub fn sign_changes<'w>(c: &[f64], h: f64, before: f64, workspace: &'w mut Workspace) -> SignChanges<'w> {
    let Workspace { unit, stack, roots, .. } = workspace;
    roots.clear();
    let c = trimmed(c);
    if !all_finite(c) {
        return SignChanges { roots, after: f64::NAN };
    }
    let start = c.iter().map(|&c| sign(c)).find(|&sign| sign != 0).unwrap_or(0);
    if start == 0 || h.is_nan() || h <= 0.0 {
        return SignChanges { roots, after: f64::from(sign(before)) };
    }
    let tail = scale_to_unit(c, h, unit);
    let before = if before == 0.0 { start } else { sign(before) };
    if !(unit[0] + tail).is_finite() {
        return SignChanges { roots, after: f64::NAN };
    }
    if before == start && unit[0].abs() > tail {
        return SignChanges { roots, after: f64::from(before) };
    }
    let polynomial = Located { c, from: 0.0, h };
    for bracket in Isolation::new(unit, before, 0.0, stack) {
        polynomial.roots_in(&bracket, roots);
    }
    roots.retain(|root| root.crossing != Crossing::Touching);
    let after = roots.last().map_or(before, |root| if root.crossing == Crossing::Rising { 1 } else { -1 });
    SignChanges { roots, after: f64::from(after) }
}

/// The crossing that ends with the given sign; 0 for touching.
fn crossing(after: i8) -> Crossing {
    match after {
        1 => Crossing::Rising,
        -1 => Crossing::Falling,
        _ => Crossing::Touching,
    }
}

/// The coefficients without the zeros at their end.
fn trimmed(c: &[f64]) -> &[f64] {
    &c[..c.iter().rposition(|&c| c != 0.0).map_or(0, |last| last + 1)]
}

/// The coefficients of p(`from` + s), in place, by repeated synthetic division.
fn shift(c: &mut [f64], from: f64) {
    if from == 0.0 {
        return;
    }
    for start in 0..c.len().saturating_sub(1) {
        for k in (start..c.len() - 1).rev() {
            c[k] += from * c[k + 1];
        }
    }
}

/// A polynomial whose interval `from`, `from` + h is the unit interval of its brackets.
struct Located<'c> {
    c: &'c [f64],
    from: f64,
    h: f64,
}

impl Located<'_> {
    /// The roots in a bracket: one, or two if a cluster without a change of sign does dip through zero.
    fn roots_in(&self, bracket: &Bracket, roots: &mut Vec<Root>) {
        let [start, end, guess] = [bracket.start, bracket.end, bracket.guess].map(|u| self.from + self.h * u);
        let &Bracket { before, after, .. } = bracket;
        if start == end {
            let direction = if bracket.is_crossing() { after } else { 0 };
            roots.push(Root { at: start, crossing: crossing(direction) });
        } else if !bracket.cluster {
            let at = bracketed_root(start, end, before, guess, |s| evaluate_with_derivative(self.c, s));
            roots.push(Root { at, crossing: crossing(after) });
        } else if bracket.is_crossing() {
            let at = bracketed_root(start, end, before, guess, |s| precise(self.c, s));
            roots.push(Root { at, crossing: crossing(after) });
        } else {
            let turning = self.turning_point(start, end, before);
            if sign(precise(self.c, turning).0) * before < 0 {
                let [fall, rise] = [(start, turning, before), (turning, end, -before)].map(|(lo, hi, before)| {
                    let at = bracketed_root(lo, hi, before, guess, |s| precise(self.c, s));
                    Root { at, crossing: crossing(-before) }
                });
                roots.push(fall);
                if after != 0 {
                    roots.push(rise);
                }
            } else {
                roots.push(Root { at: turning, crossing: Crossing::Touching });
            }
        }
    }

    /// Where the polynomial turns between `start` and `end`, which it enters with the sign `before` towards zero.
    fn turning_point(&self, start: f64, end: f64, before: i8) -> f64 {
        let slopes = |s: f64| {
            let s = DoubleDouble::from_f64(s);
            let (mut value, mut slope, mut half_bend) = (DoubleDouble::ZERO, DoubleDouble::ZERO, DoubleDouble::ZERO);
            for &c in self.c.iter().rev() {
                half_bend = half_bend * s + slope;
                slope = slope * s + value;
                value = value * s + c.into();
            }
            (slope.hi, 2.0 * half_bend.hi)
        };
        let before = if before == 0 { sign(slopes(start).0) } else { -before };
        bracketed_root(start, end, before, 0.5 * (start + end), slopes)
    }
}
