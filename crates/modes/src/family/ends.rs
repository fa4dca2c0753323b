//! Locates the end of a family between two motions: zeros of λ, ρ, the smallest gap and the flight times.
//!
//! A zero is located for everything that changes its sign between two points of the curve: ρ (infinite λ), the weakest λ
//! (impact speeds that tend to zero), the least gap in flight (another contact), differences of flights (repetitions). The first one ends the
//! family, if nothing before it penetrates: that is tested for the motion at the end and for some before it, and the
//! first that penetrates moves the end to the contact before it.
//!
//! Where impact speeds tend to zero the gap vanishes, too: at a harmonic at all touches of the linear mode, otherwise at the time reversals
//! of the impact. Whether the gap is negative before is known from the motions between the two places.

use saltation_continuation::Point;

use super::half::{Follower, MERGED_FLIGHT, REPETITION_TOLERANCE};
use crate::equations::Equations;
use crate::{End, sequence};

/// Points of the curve are known to this part of their unknowns, of which those without units have the length 1: Newton's
/// method may stagnate there.
const POINT_ACCURACY: f64 = 1e-9;

/// The places between two points at which motions are tested.
const LOOKS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// The largest number of times that an end moves to an earlier contact.
const MOST_MOVES: usize = 8;

impl Follower<'_> {
    /// The least gap in flight in units of |g₀|, homogeneous so that it passes through infinite λ, and its error bound:
    /// 1 and 0 if every flight has no interior minimum.
    fn margin(&self, problem: &Equations, point: &Point) -> (f64, f64) {
        let (motion, gap) = problem.homogeneous_motion(self.modes, &point.unknowns);
        let unit = problem.length_unit(self.modes);
        let (least, size) = motion.least_gap_behind(self.modes, gap);
        least.map_or((1.0, 0.0), |least| (least.gap / unit, POINT_ACCURACY * size / unit))
    }

    fn penetrates(&self, point: &Point) -> bool {
        let (margin, rounding) = self.margin(self.curve.problem(), point);
        margin < -rounding || margin.is_nan()
    }

    /// The first motion that penetrates of some between two points and at the second one.
    fn penetrating(&mut self, before: &Point, after: &Point) -> Option<Point> {
        LOOKS.into_iter().find_map(|at| {
            let point = if at < 1.0 { self.curve.between(before, after, at)? } else { after.clone() };
            self.penetrates(&point).then_some(point)
        })
    }

    /// The contact that is made between a motion that does not penetrate and one that does.
    fn contact_between(&mut self, before: &Point, after: &Point) -> Option<(Point, End)> {
        let modes = self.modes;
        let unit = self.curve.problem().length_unit(modes);
        let point = self.locate(before, after, &mut |problem, point| {
            let (motion, gap) = problem.homogeneous_motion(modes, &point.unknowns);
            Some(motion.least_gap_behind(modes, gap).0.map_or(1.0, |least| least.gap / unit))
        })?;
        // Of several simultaneous contacts, as those of a time-reversed motion, the one that the motion itself names.
        let time = self.motion(&point.unknowns).least_gap(modes).map_or(0.0, |least| least.time);
        Some((point, End::ExtraContact { time }))
    }

    /// Where impact speeds tend to zero: all of them, at a harmonic, or one.
    fn fading_between(&mut self, before: &Point, after: &Point) -> Option<(Point, End)> {
        let weakest = |problem: &Equations, point: &Point| -> f64 {
            problem.lambda(&point.unknowns).iter().copied().fold(f64::INFINITY, f64::min)
        };
        let point = self.locate(before, after, &mut |problem, point| Some(weakest(problem, point)))?;
        let problem = self.curve.problem();
        let u = &point.unknowns;
        let end = if problem.largest_lambda(u) < POINT_ACCURACY {
            problem.resonance(u).map_or(End::Lost, |(mode, multiple)| End::Harmonic { mode, multiple })
        } else {
            let lambda = problem.lambda(u);
            let impact = (0..lambda.len()).min_by(|&i, &j| lambda[i].total_cmp(&lambda[j])).unwrap_or(0);
            End::Graze { impact }
        };
        Some((point, end))
    }

    /// Where the motion becomes one with fewer impacts, between two points at which it is not: where the two flights
    /// that differ most, of those that a rotation would make equal, change their order.
    fn copy_between(&mut self, before: &Point, after: &Point) -> Option<(Point, End)> {
        let k = self.curve.problem().impacts();
        for impacts in (1..k).filter(|d| k.is_multiple_of(*d)) {
            let difference = |u: &[f64], i: usize| u[i] - u[(i + impacts) % k];
            let size = |i: &usize| difference(&before.unknowns, *i).abs();
            let most = (0..k).max_by(|i, j| size(i).total_cmp(&size(j)))?;
            let (a, b) = (difference(&before.unknowns, most), difference(&after.unknowns, most));
            if a * b >= 0.0 || a.abs() > 4.0 * (after.arclength - before.arclength) {
                continue;
            }
            let point = self.locate(before, after, &mut |_, point| Some(difference(&point.unknowns, most)))?;
            if sequence::repeats_after(&self.motion(&point.unknowns), REPETITION_TOLERANCE) <= impacts {
                return Some((point, End::Copy { impacts }));
            }
        }
        None
    }

    /// The first end between two points, if there is one, and the point.
    pub(super) fn end_between(&mut self, before: &Point, after: &Point) -> Option<(Point, End)> {
        let problem = self.curve.problem();
        let u = &after.unknowns;
        let bounded = self.modes.gap() == 0.0 || problem.rho(u) > 0.0;
        let pushes = problem.lambda(u).iter().all(|lambda| *lambda > 0.0);
        let short = u[..problem.impacts()].iter().position(|sigma| *sigma < MERGED_FLIGHT);
        let touches = self.margin(problem, after).0 < 0.0;
        let mut ends: Vec<(Point, End)> = Vec::new();
        if !bounded
            && let Some(point) = self.locate(before, after, &mut |problem, point| Some(problem.rho(&point.unknowns)))
        {
            ends.push((point, End::Infinite));
        }
        if !pushes {
            ends.extend(self.fading_between(before, after));
        }
        ends.extend(short.map(|flight| (after.clone(), End::ShortFlight { flight })));
        ends.extend(self.copy_between(before, after));
        let first = ends.into_iter().min_by(|a, b| a.0.arclength.total_cmp(&b.0.arclength));
        let mut end = match first {
            Some(end) => end,
            // Something has ended, but not where it is a zero.
            None if !bounded || !pushes => (before.clone(), End::Lost),
            None if touches => self.contact_between(before, after).unwrap_or_else(|| (before.clone(), End::Lost)),
            None => return None,
        };
        for _ in 0..MOST_MOVES {
            let Some(inside) = self.penetrating(before, &end.0) else { return Some(end) };
            match self.contact_between(before, &inside) {
                Some(earlier) => end = earlier,
                None => break,
            }
        }
        Some((before.clone(), End::Lost))
    }
}
