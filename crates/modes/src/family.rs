//! Where does the family of a motion lead, and why does it end? A curve of periodic motions, both ways.
//!
//! Periodic motions with k impacts come in families of one parameter, curves in the space of their impact times (Thorin,
//! Delezoide and Legrand, Theorem 3.3). Energy and period may turn along them, so that they are followed by arclength, through
//! harmonics and past infinite λ if need be; of the curve the admissible part belongs to the family. Each end is located on the curve.

use saltation_continuation::{BranchPoint, Curve, Point, Settings};

use crate::equations::Equations;
use crate::sequence;
use crate::{End, LinearModes, Motion};

/// A family of motions from one end to the other.
#[derive(Clone, Debug)]
pub struct Family {
    /// Its motions in their order along the curve, with those at both ends but for infinite λ.
    pub motions: Vec<Motion>,
    /// Where it begins.
    pub begins: Limit,
    /// Where it ends.
    pub ends: Limit,
    /// What is special on it, in order.
    pub special: Vec<Special>,
}

/// An end of a family.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Why it ends.
    pub end: End,
    /// The impact times there, T last.
    pub impact_times: Vec<f64>,
    /// The energy there, which may be infinite.
    pub energy: f64,
}

impl Limit {
    /// T there.
    pub fn period(&self) -> f64 {
        self.impact_times.last().copied().unwrap_or(0.0)
    }
}

/// A motion that is special in its family.
#[derive(Clone, Debug)]
pub struct Special {
    /// What it is.
    pub kind: SpecialKind,
    /// It lies between this motion and the next.
    pub index: usize,
    /// The motion.
    pub motion: Motion,
}

/// What is special about a motion.
#[derive(Clone, Debug)]
pub enum SpecialKind {
    /// The period is a multiple of that of a linear mode which the contact moves: an internal resonance.
    Resonance {
        /// Which mode, from 0.
        mode: usize,
        /// Which multiple.
        multiple: usize,
    },
    /// The motion is its own mirror image while its neighbours are not.
    Symmetric,
    /// The period turns.
    Turn,
    /// Another family crosses.
    BranchPoint(Box<Crossing>),
}

impl SpecialKind {
    /// Its name in files and messages.
    pub fn name(&self) -> &'static str {
        match self {
            SpecialKind::Resonance { .. } => "resonance",
            SpecialKind::Symmetric => "symmetric",
            SpecialKind::Turn => "turn",
            SpecialKind::BranchPoint(_) => "branch_point",
        }
    }
}

/// Two families that cross, ready to go over to the other one.
#[derive(Clone, Debug)]
pub struct Crossing {
    equations: Equations,
    point: BranchPoint,
}

/// How families are followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// The most motions each way.
    pub most: usize,
    /// The longest step, in units in which a flight of one radian has the length 1 and λ at most 1.
    pub longest: f64,
    /// Periods outside are not followed.
    pub periods: (f64, f64),
}

impl Default for Steps {
    fn default() -> Self {
        Steps { most: 2000, longest: 0.05, periods: (0.0, f64::INFINITY) }
    }
}

impl Steps {
    fn settings(&self) -> Settings {
        Settings {
            tolerance: 1e-11,
            stagnation: 1e-9,
            first_step: (0.1 * self.longest).min(1e-3),
            shortest_step: 1e-10,
            longest_step: self.longest,
            ..Settings::default()
        }
    }
}

/// Flights shorter than this part of a radian of the mean frequency have come together.
const SHORT: f64 = 1e-5;

/// Motions are repeated ones with fewer impacts to this part of the period: near them they are known to half of the digits.
const COPY: f64 = 1e-4;

/// λ below this, in homogeneous units, have vanished with the others.
const VANISHED: f64 = 1e-5;

/// What one way along the curve brought.
struct Way {
    motions: Vec<Motion>,
    special: Vec<Special>,
    ends: Limit,
}

impl Family {
    /// The family of an admissible motion, which is in it.
    ///
    /// `watch` is told every motion and may end the search by answering false.
    pub fn of(
        modes: &LinearModes,
        motion: &Motion,
        steps: &Steps,
        mut watch: impl FnMut(&Motion) -> bool,
    ) -> Option<Family> {
        let equations = Equations::new(modes, motion.impacts(), motion.period());
        let u = equations.unknowns_of(modes, motion);
        let curve = start(equations, &u, steps)?;
        let backward = {
            let mut curve = curve.clone();
            curve.reverse();
            Walk::new(modes, curve, steps).run(&mut watch)
        };
        let forward = if backward.ends.end == End::Closed {
            Way { motions: Vec::new(), special: Vec::new(), ends: backward.ends.clone() }
        } else {
            Walk::new(modes, curve, steps).run(&mut watch)
        };
        Some(join(backward, forward))
    }

    /// Whether a motion lies on this family, as far as the distance between its motions tells, beginning with any impact and in
    /// either direction of time.
    pub fn passes(&self, motion: &Motion) -> bool {
        let k = motion.impacts();
        let forward = motion.flight_times();
        let backward: Vec<f64> = forward.iter().rev().copied().collect();
        let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        let flights: Vec<Vec<f64>> = self.motions.iter().map(Motion::flight_times).collect();
        if flights.first().is_none_or(|first| first.len() != k) {
            return false;
        }
        (0..k).any(|shift| {
            [&forward, &backward].into_iter().any(|sequence| {
                let rotated: Vec<f64> = (0..k).map(|i| sequence[(i + shift) % k]).collect();
                flights.windows(2).any(|pair| {
                    // The sum of the distances from both ends is hardly more than the length, if it lies between.
                    let length = distance(&pair[0], &pair[1]);
                    let around = distance(&pair[0], &rotated) + distance(&rotated, &pair[1]);
                    around <= 1.01 * length + 1e-7 * motion.period()
                })
            })
        })
    }

    /// The other family through a branch point, in both directions from it.
    pub fn across(
        modes: &LinearModes,
        crossing: &Crossing,
        steps: &Steps,
        mut watch: impl FnMut(&Motion) -> bool,
    ) -> Option<Family> {
        let mut way = |sign: f64| -> Option<Way> {
            let curve = Curve::switch(crossing.equations.clone(), &crossing.point, sign, steps.settings()).ok()?;
            Some(Walk::new(modes, curve, steps).run(&mut watch))
        };
        let (backward, forward) = (way(-1.0)?, way(1.0)?);
        Some(join(backward, forward))
    }
}

/// Two ways from one motion as one.
fn join(backward: Way, forward: Way) -> Family {
    let mut motions = backward.motions;
    let shared = motions.len();
    motions.reverse();
    let turned = |special: Special| Special { index: shared.saturating_sub(special.index + 2), ..special };
    let mut special: Vec<Special> = backward.special.into_iter().map(turned).collect();
    special.reverse();
    // The first motion of the way forward is the last one already.
    special.extend(forward.special.into_iter().map(|s| Special { index: s.index + shared.saturating_sub(1), ..s }));
    motions.extend(forward.motions.into_iter().skip(1));
    Family { motions, begins: backward.ends, ends: forward.ends, special }
}

/// A curve at a solution, whichever way.
fn start(equations: Equations, u: &[f64], steps: &Steps) -> Option<Curve<Equations>> {
    let unknowns = u.len();
    // ε is zero on every solution and is therefore a bad unknown to hold; the first duration may turn, so others follow.
    (0..unknowns - 1).find_map(|held| {
        Curve::start(equations.clone(), u, held, steps.settings()).ok().filter(|curve| {
            let moved = curve.point().unknowns.iter().zip(u).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            moved < 1e-6
        })
    })
}

/// One way along a curve.
struct Walk<'s> {
    modes: &'s LinearModes,
    curve: Curve<Equations>,
    steps: &'s Steps,
    /// The sign of the homogeneous unknowns for which λ is positive and ρ belongs to the gap.
    motions: Vec<Motion>,
    special: Vec<Special>,
    /// Where the way began: durations and λ, with their direction there.
    origin: Vec<f64>,
    away: Vec<f64>,
}

impl<'s> Walk<'s> {
    fn new(modes: &'s LinearModes, curve: Curve<Equations>, steps: &'s Steps) -> Self {
        let point = curve.point();
        let common = 2 * curve.problem().impacts();
        let (origin, away) = (point.unknowns[..common].to_vec(), point.tangent[..common].to_vec());
        let motions = vec![curve.problem().motion(modes, &point.unknowns)];
        Walk { modes, curve, steps, motions, special: Vec::new(), origin, away }
    }

    fn motion(&self, u: &[f64]) -> Motion {
        self.curve.problem().motion(self.modes, u)
    }

    fn run(mut self, watch: &mut impl FnMut(&Motion) -> bool) -> Way {
        let end = self.follow(watch);
        let last = &self.motions[self.motions.len() - 1];
        let mut ends = Limit { end, impact_times: last.impact_times.clone(), energy: last.energy() };
        if end == End::Infinite {
            // λ is a rounding error's reciprocal there.
            self.motions.pop();
            ends.energy = f64::INFINITY;
        }
        Way { motions: self.motions, special: self.special, ends }
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
        let impacts = sequence::repeats_after(&self.motion(&at.unknowns), COPY);
        match (0..k).find(|&i| at.unknowns[i] < SHORT) {
            Some(flight) => End::ShortFlight { flight },
            None if impacts < k => End::Copy { impacts },
            None => End::Lost,
        }
    }

    /// Goes on with the amplitudes of the modes that are resonant now.
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

    /// Whether the way passes its beginning between two points, in its old direction, beginning with any impact.
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

    /// Where the motion becomes one with fewer impacts, between two points at which it is not: where the two flights that differ most, of those that
    /// a rotation would make equal, change their order.
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
            if sequence::repeats_after(&self.motion(&point.unknowns), COPY) <= impacts {
                return Some((point, End::Copy { impacts }));
            }
        }
        None
    }

    /// The first end between two points, if there is one, and the point.
    fn end_between(&mut self, before: &Point, after: &Point) -> Option<(Point, End)> {
        let modes = self.modes;
        let k = self.curve.problem().impacts();
        let open = modes.gap() != 0.0;
        let weakest = |problem: &Equations, u: &[f64]| problem.lambda(u).iter().copied().fold(f64::INFINITY, f64::min);
        let margin = |problem: &Equations, u: &[f64]| -> f64 {
            // The gap in homogeneous units, so that it goes through infinite λ.
            let rho = if open { problem.rho(u) } else { 1.0 };
            let motion = problem.motion(modes, u);
            let scale = modes.gap().abs().max(f64::MIN_POSITIVE);
            motion.least_gap(modes).map_or(1.0, |least| least.gap / scale * rho.abs())
        };
        let problem = self.curve.problem();
        let u = &after.unknowns;
        let mut ends: Vec<(Point, End)> = Vec::new();
        let rho_changes = open && problem.rho(u) <= 0.0;
        let fades = weakest(problem, u) <= 0.0;
        let touches = !rho_changes && margin(problem, u) < 0.0;
        if rho_changes
            && let Some(point) = self.locate(before, after, &mut |problem, point| Some(problem.rho(&point.unknowns)))
        {
            ends.push((point, End::Infinite));
        }
        if fades
            && let Some(point) =
                self.locate(before, after, &mut |problem, point| Some(weakest(problem, &point.unknowns)))
        {
            let problem = self.curve.problem();
            let u = &point.unknowns;
            let end = if problem.largest_lambda(u) < VANISHED {
                problem.resonance(u).map_or(End::Lost, |(mode, multiple)| End::Harmonic { mode, multiple })
            } else {
                let lambda = problem.lambda(u);
                let impact = (0..k).min_by(|&i, &j| lambda[i].total_cmp(&lambda[j])).unwrap_or(0);
                End::Graze { impact }
            };
            ends.push((point, end));
        }
        if touches
            && let Some(point) =
                self.locate(before, after, &mut |problem, point| Some(margin(problem, &point.unknowns)))
        {
            let motion = self.motion(&point.unknowns);
            let time = motion.least_gap(modes).map_or(0.0, |least| least.time);
            ends.push((point, End::ExtraContact { time }));
        }
        if (rho_changes || fades || touches) && ends.is_empty() {
            ends.push((before.clone(), End::Lost));
        }
        if let Some(flight) = (0..k).find(|&i| u[i] < SHORT) {
            ends.push((after.clone(), End::ShortFlight { flight }));
        }
        ends.extend(self.copy_between(before, after));
        // Where impacts fade the motion touches too, at a harmonic everywhere and else at their mirror images: that they fade is told.
        let first = ends.iter().map(|(point, _)| point.arclength).fold(f64::INFINITY, f64::min);
        let together = 1e-6 + 1e-3 * (after.arclength - before.arclength);
        let fades = |(point, end): &(Point, End)| {
            matches!(end, End::Harmonic { .. } | End::Graze { .. }) && point.arclength - first <= together
        };
        match ends.iter().position(fades) {
            Some(index) => Some(ends.swap_remove(index)),
            None => ends.into_iter().min_by(|a, b| a.0.arclength.total_cmp(&b.0.arclength)),
        }
    }

    /// Where a function changes its sign between two points, on the near side of a leap.
    fn locate(
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

    /// What is special between two points.
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
            // Where the impacts fade at a harmonic, that is an end and told as one.
            if let Some(point) = self.locate(before, after, &mut test)
                && self.curve.problem().largest_lambda(&point.unknowns) > VANISHED
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
            // Motions that are their own mirror image form a family, which those that are not cross.
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

    /// A motion that is its own mirror image, between two that are not: where the durations of two flights that correspond in the nearest mirror
    /// image change their order.
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
