//! Tests each step along a family for singular points and for its end.
//!
//! Between every two points of the curve the first end is looked for (`ends`). Up to there all singular points are located
//! on the curve.

use saltation_continuation::{Curve, Point, Settings};

use super::{Crossing, Limit, Special, SpecialKind, Steps};
use crate::equations::Equations;
use crate::{End, LinearModes, Motion, sequence};

/// Impacts with flights shorter than this part of a radian of the mean frequency have merged.
pub(super) const MERGED_FLIGHT: f64 = 1e-5;

/// Motions are repeated ones with fewer impacts to this part of the period: near them they are known to half of the
/// digits.
pub(super) const REPETITION_TOLERANCE: f64 = 1e-4;

/// A resonance with λ below this, in homogeneous units, is the end at which impact speeds tend to zero.
const VANISHING_SPEED: f64 = 1e-5;

/// The result of following the curve in one direction.
pub(super) struct Half {
    pub motions: Vec<Motion>,
    pub special: Vec<Special>,
    pub ends: Limit,
}

/// The computation that follows a curve in one direction.
pub(super) struct Follower<'s> {
    pub(super) modes: &'s LinearModes,
    pub(super) curve: Curve<Equations>,
    steps: &'s Steps,
    motions: Vec<Motion>,
    special: Vec<Special>,
    /// The start of the curve: durations and λ, with their direction there.
    origin: Vec<f64>,
    away: Vec<f64>,
}

impl<'s> Follower<'s> {
    pub(super) fn new(modes: &'s LinearModes, curve: Curve<Equations>, steps: &'s Steps) -> Self {
        let point = curve.point();
        let common = 2 * curve.problem().impacts();
        let (origin, away) = (point.unknowns[..common].to_vec(), point.tangent[..common].to_vec());
        let motions = vec![curve.problem().motion(modes, &point.unknowns)];
        Follower { modes, curve, steps, motions, special: Vec::new(), origin, away }
    }

    pub(super) fn motion(&self, u: &[f64]) -> Motion {
        self.curve.problem().motion(self.modes, u)
    }

    pub(super) fn run(mut self, watch: &mut impl FnMut(&Motion) -> bool) -> Half {
        let end = self.follow(watch);
        let last = &self.motions[self.motions.len() - 1];
        let mut ends = Limit { end, impact_times: last.impact_times.clone(), energy: last.energy() };
        if end == End::Infinite {
            // λ is a rounding error's reciprocal there.
            self.motions.pop();
            ends.energy = f64::INFINITY;
        }
        Half { motions: self.motions, special: self.special, ends }
    }

    fn follow(&mut self, watch: &mut impl FnMut(&Motion) -> bool) -> End {
        loop {
            if self.motions.len() > self.steps.most {
                return End::Range;
            }
            if !watch(&self.motions[self.motions.len() - 1]) {
                return End::Interrupted;
            }
            let before = self.curve.point().clone();
            if self.curve.advance().is_err() {
                return self.lost(&before);
            }
            let after = self.curve.point().clone();
            let closed = self.closes(&before, &after);
            let last = match self.end_between(&before, &after) {
                Some((point, end)) => {
                    self.look_between(&before, &point);
                    self.motions.push(self.motion(&point.unknowns));
                    return end;
                }
                None => after,
            };
            self.look_between(&before, &last);
            self.motions.push(self.motion(&last.unknowns));
            if closed {
                return End::Closed;
            }
            let period = self.curve.problem().period(&last.unknowns);
            if period < self.steps.periods.0 || period > self.steps.periods.1 {
                return End::Range;
            }
            if self.curve.problem().is_outdated(&last.unknowns) && !self.renew(&last) {
                return End::Lost;
            }
        }
    }

    /// Why the curve could not be followed from a point on.
    fn lost(&self, at: &Point) -> End {
        let k = self.curve.problem().impacts();
        let impacts = sequence::repeats_after(&self.motion(&at.unknowns), REPETITION_TOLERANCE);
        match (0..k).find(|&i| at.unknowns[i] < MERGED_FLIGHT) {
            Some(flight) => End::ShortFlight { flight },
            None if impacts < k => End::Copy { impacts },
            None => End::Lost,
        }
    }

    /// Continues with the amplitudes of the modes that are resonant now.
    fn renew(&mut self, at: &Point) -> bool {
        let (equations, u, tangent) = self.curve.problem().renewed(&at.unknowns, &at.tangent);
        let step = self.curve.step();
        let settings = Settings { first_step: step, ..self.steps.settings() };
        let Ok(mut curve) = Curve::through(equations, u, &tangent, settings) else { return false };
        let along: f64 = curve.point().tangent.iter().zip(&tangent).map(|(a, b)| a * b).sum();
        if along < 0.0 {
            curve.reverse();
        }
        self.curve = curve;
        true
    }

    /// Whether the curve passes its start between two points, in its first direction, beginning with any impact.
    fn closes(&self, before: &Point, after: &Point) -> bool {
        let k = self.curve.problem().impacts();
        if self.motions.len() < 4 {
            return false;
        }
        // Durations and λ begin with impact `shift`.
        let rotated = |list: &[f64], i: usize, shift: usize| list[i / k * k + (i % k + shift) % k];
        (0..k).any(|shift| {
            let ahead =
                |u: &[f64]| -> f64 { (0..2 * k).map(|i| (rotated(u, i, shift) - self.origin[i]) * self.away[i]).sum() };
            let (a, b) = (ahead(&before.unknowns), ahead(&after.unknowns));
            if !(a < 0.0 && b >= 0.0) {
                return false;
            }
            let at = a / (a - b);
            let missed = |i: usize| {
                let from = rotated(&before.unknowns, i, shift);
                from + at * (rotated(&after.unknowns, i, shift) - from) - self.origin[i]
            };
            let distance = (0..2 * k).map(|i| missed(i).powi(2)).sum::<f64>().sqrt();
            distance < 0.1 * (after.arclength - before.arclength)
        })
    }

    /// Where a function changes its sign between two points, on the near side of a discontinuity.
    pub(super) fn locate(
        &mut self,
        before: &Point,
        after: &Point,
        test: &mut dyn FnMut(&mut Equations, &Point) -> Option<f64>,
    ) -> Option<Point> {
        use saltation_continuation::Crossing;
        match self.curve.crossing_between(before, after, test).ok()? {
            Crossing::None => None,
            Crossing::Zero(point) => Some(*point),
            Crossing::Jump { before, .. } => Some(*before),
        }
    }

    /// The singular points between two points.
    fn look_between(&mut self, before: &Point, after: &Point) {
        let index = self.motions.len() - 1;
        let mut found: Vec<(Point, SpecialKind)> = Vec::new();
        let k = self.curve.problem().impacts();
        let (from, to) = (self.curve.problem().period(&before.unknowns), self.curve.problem().period(&after.unknowns));
        for mode in 0..self.modes.len() {
            let own = self.modes.period(mode);
            let (a, b) = ((from / own).floor(), (to / own).floor());
            if a == b {
                continue;
            }
            let multiple = a.max(b);
            let mut test =
                |problem: &mut Equations, point: &Point| Some(problem.period(&point.unknowns) / (multiple * own) - 1.0);
            // Where impact speeds tend to zero at a harmonic, the family ends.
            if let Some(point) = self.locate(before, after, &mut test)
                && self.curve.problem().largest_lambda(&point.unknowns) > VANISHING_SPEED
            {
                found.push((point, SpecialKind::Resonance { mode, multiple: multiple as usize }));
            }
        }
        let growth = |point: &Point| point.tangent[..k].iter().sum::<f64>();
        if growth(before) * growth(after) < 0.0
            && let Some(point) = self.locate(before, after, &mut |_, point| Some(growth(point)))
        {
            found.push((point, SpecialKind::Turn));
        }
        if before.orientation != after.orientation
            && let Ok(Some(point)) = self.curve.branch_point_between(before, after)
        {
            let at = point.point.clone();
            // Time-symmetric motions form a family, which those without this symmetry cross.
            let mirrored = |at: &Point| sequence::mirror(&self.motion(&at.unknowns), 1e-6).is_some();
            if mirrored(&at) && !mirrored(before) && !mirrored(after) {
                found.push((at.clone(), SpecialKind::Symmetric));
            }
            let crossing = Crossing { equations: self.curve.problem().clone(), point };
            found.push((at, SpecialKind::BranchPoint(Box::new(crossing))));
        }
        if !found.iter().any(|(_, kind)| matches!(kind, SpecialKind::Symmetric))
            && let Some(point) = self.mirror_between(before, after)
        {
            found.push((point, SpecialKind::Symmetric));
        }
        found.sort_by(|a, b| a.0.arclength.total_cmp(&b.0.arclength));
        for (point, kind) in found {
            let motion = self.motion(&point.unknowns);
            self.special.push(Special { kind, index, motion });
        }
    }

    /// A time-symmetric motion between two that are not: where the durations of two flights that
    /// correspond under time reversal change their order.
    fn mirror_between(&mut self, before: &Point, after: &Point) -> Option<Point> {
        let k = self.curve.problem().impacts();
        let index = |n: usize| (n + 2 * k - 1) % k;
        let asymmetry = |u: &[f64], a: usize| -> (f64, usize) {
            let pair = |n: usize| (u[index(n)] - u[index(a + k - n)], n);
            (1..=k).map(pair).fold((0.0, 1), |worst, next| if next.0.abs() > worst.0.abs() { next } else { worst })
        };
        let (worst, a, n) = (1..=k)
            .map(|a| {
                let (worst, n) = asymmetry(&after.unknowns, a);
                (worst, a, n)
            })
            .min_by(|x, y| x.0.abs().total_cmp(&y.0.abs()))?;
        let difference = |u: &[f64]| u[index(n)] - u[index(a + k - n)];
        if worst.abs() < 1e-9 || difference(&before.unknowns) * worst >= 0.0 {
            return None;
        }
        let point = self.locate(before, after, &mut |_, point| Some(difference(&point.unknowns)))?;
        let motion = self.motion(&point.unknowns);
        sequence::mirror(&motion, 1e-6).map(|_| point)
    }
}
