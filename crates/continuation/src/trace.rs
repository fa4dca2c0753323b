//! Computes a whole branch: points between bounds, and zeros of test functions between neighbouring points.
//!
//! A curve is followed until it reaches a bound, returns to its start, has enough points, cannot be followed further or is interrupted.
//! Every step is searched for special points; those of a step come in their order along the curve.

use crate::arc::Arc;
use crate::special_point::{Kind, SpecialPoint};
use crate::{Crossing, Curve, LocateError, Point, Problem, Rejection, Stop, metric, test_function};

/// A test function of a problem and a point; `None` where it is not defined.
pub type Test<'a, P> = Box<dyn FnMut(&mut P, &Point) -> Option<f64> + 'a>;

/// Decides after each point whether to continue.
type Monitor<'a, P> = Box<dyn FnMut(&P, &Point) -> bool + 'a>;

/// A value of an unknown.
#[derive(Clone, Copy)]
struct At {
    unknown: usize,
    value: f64,
}

/// The values between which an unknown stays.
struct Range {
    unknown: usize,
    low: f64,
    high: f64,
}

/// A test function with its name.
struct NamedTest<'a, P> {
    name: String,
    test: Test<'a, P>,
}

/// What to look for along a curve, and where to end.
///
/// ```
/// use saltation_continuation::{Curve, Ended, Kind, Problem, Settings, Trace};
/// use saltation_numerics::dense::Matrix;
///
/// /// The problem of Bratu and Gelfand, y'' + λ exp y = 0 with y = 0 at both ends of \[0, 1\], by Numerov's differences of
/// /// fourth order.
/// struct Bratu {
///     sizes: Vec<f64>,
/// }
///
/// impl Problem for Bratu {
///     type Failure = std::convert::Infallible;
///     fn unknowns(&self) -> usize {
///         self.sizes.len()
///     }
///     fn sizes(&self) -> &[f64] {
///         &self.sizes
///     }
///     fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Self::Failure> {
///         let n = u.len() - 1;
///         let (y, lambda) = (&u[..n], u[n]);
///         let h2 = 1.0 / ((n + 1) as f64).powi(2);
///         let at = |i: usize| if i == 0 || i == n + 1 { 0.0 } else { y[i - 1] };
///         jacobian.entries_mut().fill(0.0);
///         for i in 1..=n {
///             let load = (at(i - 1).exp() + 10.0 * at(i).exp() + at(i + 1).exp()) / 12.0;
///             residual[i - 1] = at(i - 1) - 2.0 * at(i) + at(i + 1) + h2 * lambda * load;
///             jacobian[(i - 1, n)] = h2 * load;
///             for (j, difference, weight) in [(i - 1, 1.0, 1.0), (i, -2.0, 10.0), (i + 1, 1.0, 1.0)] {
///                 if (1..=n).contains(&j) {
///                     jacobian[(i - 1, j - 1)] = difference + h2 * lambda * weight * at(j).exp() / 12.0;
///                 }
///             }
///         }
///         Ok(())
///     }
/// }
///
/// let n = 31;
/// let problem = Bratu { sizes: vec![1.0; n + 1] };
/// let mut curve = Curve::start(problem, &vec![0.0; n + 1], n, Settings::default()).unwrap();
/// let branch = Trace::new().bound(n, -1.0, 4.0).bound(n / 2, -1.0, 5.0).fold(n).value(n, 1.0).run(&mut curve);
/// assert_eq!(branch.ended, Ended::ReachedBound { unknown: n / 2, value: 5.0 });
/// let fold = branch.special.iter().find(|special| special.kind == Kind::Fold { unknown: n }).unwrap();
/// // λ = 3.513830719125161 without the error of the differences.
/// assert!((fold.point.unknowns[n] - 3.513830719).abs() < 1e-5);
/// // Two solutions for λ = 1, as for every λ below the fold.
/// assert_eq!(branch.special.iter().filter(|special| special.kind == Kind::Value { unknown: n }).count(), 2);
/// ```
pub struct Trace<'a, P: Problem> {
    bounds: Vec<At>,
    ranges: Vec<Range>,
    values: Vec<At>,
    folds: Vec<usize>,
    branch_points: bool,
    tests: Vec<NamedTest<'a, P>>,
    most_points: usize,
    monitor: Option<Monitor<'a, P>>,
}

/// Why a branch ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended<F> {
    /// An unknown reached a bound: the last point has exactly that value. A start on a bound or beyond that leads further out ends
    /// there.
    ReachedBound {
        /// Which unknown.
        unknown: usize,
        /// The bound.
        value: f64,
    },
    /// The curve came back to its start, which is the last point again.
    Closed,
    /// There are as many points as were asked for.
    Points,
    /// The curve cannot be followed further.
    Stopped(Stop<F>),
    /// The monitor said so.
    Interrupted,
}

/// A sign change that could not be located.
#[derive(Clone, Debug, PartialEq)]
pub struct Unresolved<F> {
    /// What changed its sign: the name of a test function, `fold`, `branch point` or `value`.
    pub test: String,
    /// The index of the point after which.
    pub index: usize,
    /// Why.
    pub reason: LocateError<F>,
}

/// A part of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch<F> {
    /// Its points in their order; never empty.
    pub points: Vec<Point>,
    /// The special points in their order.
    pub special: Vec<SpecialPoint>,
    /// The sign changes of which the place was not found.
    pub unresolved: Vec<Unresolved<F>>,
    /// Why it ends.
    pub ended: Ended<F>,
}

impl<P: Problem> Default for Trace<'_, P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a, P: Problem> Trace<'a, P> {
    /// No bounds, nothing to look for, and at most 1000 points.
    pub fn new() -> Self {
        Self {
            bounds: Vec::new(),
            ranges: Vec::new(),
            values: Vec::new(),
            folds: Vec::new(),
            branch_points: false,
            tests: Vec::new(),
            most_points: 1000,
            monitor: None,
        }
    }

    /// Ends where an unknown reaches `low` or `high`; either may be infinite.
    pub fn bound(mut self, unknown: usize, low: f64, high: f64) -> Self {
        let finite = [low, high].into_iter().filter(|value| value.is_finite());
        self.bounds.extend(finite.map(|value| At { unknown, value }));
        self.ranges.push(Range { unknown, low, high });
        self
    }

    /// Wants a point wherever an unknown has this value.
    pub fn value(mut self, unknown: usize, value: f64) -> Self {
        self.values.push(At { unknown, value });
        self
    }

    /// Looks for folds in this unknown.
    pub fn fold(mut self, unknown: usize) -> Self {
        self.folds.push(unknown);
        self
    }

    /// Looks for branch points.
    pub fn branch_points(mut self) -> Self {
        self.branch_points = true;
        self
    }

    /// Looks for zeros of a test function.
    pub fn test(mut self, name: impl Into<String>, test: impl FnMut(&mut P, &Point) -> Option<f64> + 'a) -> Self {
        self.tests.push(NamedTest { name: name.into(), test: Box::new(test) });
        self
    }

    /// The most points, at least one.
    pub fn points(mut self, most: usize) -> Self {
        self.most_points = most.max(1);
        self
    }

    /// Is asked after every point whether to continue.
    pub fn monitor(mut self, monitor: impl FnMut(&P, &Point) -> bool + 'a) -> Self {
        self.monitor = Some(Box::new(monitor));
        self
    }

    /// Follows the curve from where it is, in its direction. Indices of unknowns that do not exist panic.
    ///
    /// Everything found stays found, however the branch ends.
    pub fn run(mut self, curve: &mut Curve<P>) -> Branch<P::Failure> {
        let start = curve.point().clone();
        let mut branch =
            Branch { points: vec![start.clone()], special: Vec::new(), unresolved: Vec::new(), ended: Ended::Points };
        // A sign change at its first point does not count as one of the step.
        for &At { unknown, .. } in self.values.iter().filter(|at| start.unknowns[at.unknown] == at.value) {
            let kind = Kind::Value { unknown };
            branch.special.push(SpecialPoint { kind, point: start.clone(), index: 0 });
        }
        if let Some(At { unknown, value }) = self.leaves(&start) {
            branch.ended = Ended::ReachedBound { unknown, value };
            return branch;
        }
        branch.ended = loop {
            if let Some(monitor) = &mut self.monitor
                && !monitor(curve.problem(), curve.point())
            {
                break Ended::Interrupted;
            }
            if branch.points.len() >= self.most_points {
                break Ended::Points;
            }
            let before = curve.point().clone();
            if !self.step_onto_bound(curve)
                && let Err(stop) = curve.advance()
            {
                break Ended::Stopped(stop);
            }
            let End { point: after, ended } = match self.end_within(curve, &before, &start, branch.points.len()) {
                Ok(found) => found,
                Err(stop) => break Ended::Stopped(stop),
            };
            self.search(curve, &before, &after, &mut branch);
            branch.points.push(after);
            if let Some(ended) = ended {
                break ended;
            }
        };
        branch
    }

    /// The bound on or beyond which a point is, if it goes further out.
    fn leaves(&self, point: &Point) -> Option<At> {
        self.ranges.iter().find_map(|&Range { unknown, low, high }| {
            let (u, t) = (point.unknowns[unknown], point.tangent[unknown]);
            let beyond =
                |value: f64, out: f64| ((u - value) * out > 0.0 || u == value && t * out > 0.0).then_some(value);
            beyond(low, -1.0).or(beyond(high, 1.0)).map(|value| At { unknown, value })
        })
    }

    /// Steps exactly onto the nearest bound, if it is within reach.
    fn step_onto_bound(&self, curve: &mut Curve<P>) -> bool {
        let Point { unknowns, tangent, .. } = curve.point();
        let distance = |&At { unknown, value }: &At| (value - unknowns[unknown]) / tangent[unknown];
        let ahead = self.bounds.iter().filter(|bound| distance(bound) > 0.0);
        let nearest = ahead.min_by(|a, b| distance(a).total_cmp(&distance(b))).copied();
        nearest.is_some_and(|At { unknown, value }| curve.step_onto(unknown, value))
    }

    /// The last point of the step from `before`, which is the current point unless a bound or the start comes first.
    fn end_within(
        &self,
        curve: &mut Curve<P>,
        before: &Point,
        start: &Point,
        steps: usize,
    ) -> Result<End<P::Failure>, Stop<P::Failure>> {
        let current = curve.point().clone();
        let mut end = End { point: current.clone(), ended: None };
        for &At { unknown, value } in &self.bounds {
            let crossings = crossings(curve, before, &current, unknown, value).map_err(|error| match error {
                LocateError::Lost(rejection) => Stop::from(rejection),
                LocateError::Undefined => Stop::from(Rejection::NotFinite),
            })?;
            if let Some(point) = crossings.into_iter().next()
                && (end.ended.is_none() || point.arclength < end.point.arclength)
            {
                end = End { point, ended: Some(Ended::ReachedBound { unknown, value }) };
            }
        }
        if steps > 2
            && let Some(point) = come_back(curve, before, &current, start)
            && point.arclength <= end.point.arclength
        {
            end = End { point, ended: Some(Ended::Closed) };
        }
        Ok(end)
    }

    /// Looks for special points between two points.
    fn search(&mut self, curve: &mut Curve<P>, before: &Point, after: &Point, branch: &mut Branch<P::Failure>) {
        let index = branch.points.len() - 1;
        let mut found = Vec::new();
        let mut keep = |test: &str, result: Result<Option<(Kind, Point)>, LocateError<P::Failure>>| match result {
            Ok(special) => found.extend(special),
            Err(reason) => branch.unresolved.push(Unresolved { test: test.to_owned(), index, reason }),
        };
        let mut crossing_at = None;
        if self.branch_points {
            let crossing = curve.branch_point_between(before, after);
            crossing_at = crossing.as_ref().ok().and_then(Option::as_ref).map(|crossing| crossing.point.clone());
            let special = crossing.map(|found| found.map(|found| (found.point.clone(), found)));
            keep("branch point", special.map(|s| s.map(|(point, found)| (Kind::BranchPoint(Box::new(found)), point))));
        }
        for &unknown in &self.folds {
            let fold = curve.locate_between(before, after, &mut test_function::fold(unknown)).map(|fold| {
                // Where a branch point is a fold, as on the curve that leaves a pitchfork, it is not reported twice.
                fold.filter(|fold| {
                    crossing_at.as_ref().is_none_or(|crossing| {
                        metric::distance(&fold.unknowns, &crossing.unknowns, &curve.corrector.sizes) > SAME_POINT
                    })
                })
            });
            keep("fold", fold.map(|fold| fold.map(|fold| (Kind::Fold { unknown }, fold))));
        }
        for &At { unknown, value } in &self.values {
            match crossings(curve, before, after, unknown, value) {
                Ok(points) => {
                    points.into_iter().for_each(|point| keep("value", Ok(Some((Kind::Value { unknown }, point)))))
                }
                Err(reason) => keep("value", Err(reason)),
            }
        }
        for NamedTest { name, test } in &mut self.tests {
            let crossing = curve.crossing_between(before, after, test);
            let name = || name.clone();
            keep(
                &name(),
                crossing.map(|crossing| match crossing {
                    Crossing::None => None,
                    Crossing::Zero(point) => Some((Kind::Zero { test: name() }, *point)),
                    Crossing::Jump { before, .. } => Some((Kind::Jump { test: name() }, *before)),
                }),
            );
        }
        found.sort_by(|(_, a), (_, b)| a.arclength.total_cmp(&b.arclength));
        branch.special.extend(found.into_iter().map(|(kind, point)| SpecialPoint { kind, point, index }));
    }
}

/// The points between two neighbouring ones at which an unknown has a value: two, if the curve turns in that unknown behind it.
fn crossings<P: Problem>(
    curve: &mut Curve<P>,
    a: &Point,
    b: &Point,
    unknown: usize,
    value: f64,
) -> Result<Vec<Point>, LocateError<P::Failure>> {
    let (at_a, at_b) = (a.unknowns[unknown] - value, b.unknowns[unknown] - value);
    let behind = at_a * at_b > 0.0 && a.tangent[unknown] * at_a < 0.0 && b.tangent[unknown] * at_b > 0.0;
    let turn = if behind { curve.locate_between(a, b, &mut test_function::fold(unknown))? } else { None };
    Ok(match turn {
        Some(turn) => {
            let first = curve.locate_value(a, &turn, unknown, value)?;
            first.into_iter().chain(curve.locate_value(&turn, b, unknown, value)?).collect()
        }
        None => curve.locate_value(a, b, unknown, value)?.into_iter().collect(),
    })
}

/// The last point of a step, and why the branch ends there if it does.
struct End<F> {
    point: Point,
    ended: Option<Ended<F>>,
}

/// Points nearer than this, in the metric, are the same one: near a singularity a point is known to half of the digits only.
const SAME_POINT: f64 = 1e-6;

/// The start of the curve, if it lies between two neighbouring points and the curve passes it in its old direction.
fn come_back<P: Problem>(curve: &mut Curve<P>, a: &Point, b: &Point, start: &Point) -> Option<Point> {
    let sizes = curve.corrector.sizes.clone();
    let length = Arc::new(a, b, &sizes).length();
    let near = |point: &Point| metric::distance(&point.unknowns, &start.unknowns, &sizes) <= 1.1 * length;
    if !near(a) || !near(b) {
        return None;
    }
    let mut beyond = |_: &mut P, point: &Point| {
        let parts = (0..sizes.len())
            .map(|i| (point.unknowns[i] - start.unknowns[i]) / sizes[i] * (start.tangent[i] / sizes[i]));
        Some(parts.sum::<f64>())
    };
    let point = curve.locate_between(a, b, &mut beyond).ok()??;
    let same = metric::distance(&point.unknowns, &start.unknowns, &sizes) <= SAME_POINT
        && metric::angle(&point.tangent, &start.tangent, &sizes) <= SAME_POINT.sqrt();
    same.then_some(point)
}
