//! Solves for the zero of one test function between two neighbouring points of a branch: by bracketing on corrected points, and where other orbits cross or
//! several conditions hold together by Newton's method on all equations.

use saltation_continuation::{Augmented, Curve, Point, root};

use super::coalescence::BETWEEN_DISTANCE;
use super::ending::ROUNDING_TIME;
use super::followed::Followed;
use super::sample::Sample;
use super::test_functions::{Quantity, TestFunction};
use super::tracer::Tracer;
use crate::signature::defining::{BoundAfter, Defining, DefiningSet};
use crate::signature::{Equations, InitialPlace, Inspection, Site};

/// Values of mirror images differ by less than this part beside a point at which orbits cross: they are known to half their digits there.
const SAME_VALUE: f64 = 1e-3;

/// A quantity that is smaller than this part of its values on both sides vanishes at a point between them.
const VANISHED_VALUE: f64 = 1e-7;

/// Whether two values are one, those of mirror images.
fn alike(x: f64, y: f64) -> bool {
    (x - y).abs() <= SAME_VALUE * x.abs()
}

/// A zero of a test function, with what is known of it besides.
pub(super) struct Zero {
    pub point: Point,
    /// The minimum that vanishes.
    pub site: Option<Site>,
    /// The tangent of the other curve.
    pub other: Option<Vec<f64>>,
}

impl Zero {
    fn at(point: Point) -> Zero {
        Zero { point, site: None, other: None }
    }
}

/// Two neighbouring points of a curve, in its order.
#[derive(Clone, Copy)]
pub(super) struct Interval<'p> {
    pub a: &'p Sample,
    pub b: &'p Sample,
}

impl<'s> Tracer<'s, '_> {
    /// The zero of a test function between two points, if it is of its kind.
    pub(super) fn zero<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        between: Interval,
        test: &TestFunction,
    ) -> Option<Zero> {
        let (a, b) = (&between.a.curve, &between.b.curve);
        match test.quantity {
            Quantity::BranchDeterminant { .. } => {
                let found = curve.branch_point_between(a, b).ok().flatten()?;
                let other = found.regular.then_some(found.other);
                Some(Zero { other, ..Zero::at(found.point) })
            }
            Quantity::LowestGap { .. } | Quantity::LowestForce { .. } | Quantity::LowestBound { .. } => {
                let point = self.bracketed(curve, between, test.quantity)?;
                // The minimum of the point that was found, not of the last one that was tried.
                let inspection = self.inspection(curve, &point)?;
                let site = test.quantity.minimum(&inspection)?.site.clone();
                let begins = self.begins_at_node(curve, between, test, (&point, &site));
                (!begins).then(|| Zero { site: Some(site), ..Zero::at(point) })
            }
            Quantity::BoundRate { index } => {
                let point = self.equal_bound_rates(curve, between, index);
                point.or_else(|| self.bracketed(curve, between, test.quantity)).map(Zero::at)
            }
            Quantity::InitialBound { place } => {
                // Where other orbits cross at the border the curve cannot be followed to it, but the border can be solved for.
                let point = self.bracketed(curve, between, test.quantity);
                point.or_else(|| self.equal_initial_bounds(curve, between, place)).map(Zero::at)
            }
            _ => {
                let point = self.bracketed(curve, between, test.quantity)?;
                let ends = (between.a, between.b);
                test.confirmed(curve.problem_mut(), &point, ends, &mut self.scratch).then(|| Zero::at(point))
            }
        }
    }

    /// Whether a minimum that is born between two points lies, but for rounding, at an event of its contact: there it is zero by itself.
    fn begins_at_node<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        between: Interval,
        test: &TestFunction,
        (point, site): (&Point, &Site),
    ) -> bool {
        if [between.a, between.b].iter().all(|end| test.quantity.at(end).is_some()) {
            return false;
        }
        let Ok(seen) = curve.problem_mut().signature_point(point) else { return false };
        let unknowns = seen.unknowns.clone();
        let family = curve.problem_mut().signature_equations();
        let (layout, nodes) = (family.layout(), &family.signature().nodes);
        let period: f64 = (0..nodes.len()).map(|k| layout.duration(k, &unknowns)).sum();
        let left = layout.duration(site.node, &unknowns) - site.time;
        let next = (site.node + 1) % nodes.len();
        let own = |node: usize| test.contact.is_some() && nodes[node].kind.contact() == test.contact;
        let short = ROUNDING_TIME * period;
        own(site.node) && site.time <= short || own(next) && left <= short
    }

    /// The zero of a test function at a point where curves cross, if it vanishes there: beside it the curve cannot be followed to the zero.
    pub(super) fn zero_at<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        between: Interval,
        test: &TestFunction,
        point: &Point,
    ) -> Option<Zero> {
        let inspection = self.inspection(curve, point)?;
        let value = match test.quantity {
            Quantity::ImpactSpeed { index } => inspection.speeds.get(index)?.speed,
            Quantity::LowestGap { .. } | Quantity::LowestForce { .. } | Quantity::LowestBound { .. } => {
                test.quantity.minimum(&inspection)?.value
            }
            _ => return None,
        };
        let around = [between.a, between.b].map(|sample| test.quantity.at(sample).unwrap_or(0.0).abs());
        let site = test.quantity.minimum(&inspection).map(|lowest| lowest.site.clone());
        let vanishes = value.abs() <= VANISHED_VALUE * around[0].max(around[1]);
        let begins = |site: &Site| self.begins_at_node(curve, between, test, (point, site));
        (vanishes && !site.as_ref().is_some_and(begins)).then(|| Zero { site, ..Zero::at(point.clone()) })
    }

    /// The zero of a quantity on the curve between two points.
    fn bracketed<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        between: Interval,
        quantity: Quantity,
    ) -> Option<Point> {
        let scratch = &mut self.scratch;
        let mut test = |problem: &mut F, point: &Point| quantity.evaluate(problem, point, scratch);
        curve.locate_between(&between.a.curve, &between.b.curve, &mut test).ok().flatten()
    }

    pub(super) fn inspection<F: Followed<'s>>(&mut self, curve: &mut Curve<F>, point: &Point) -> Option<Inspection> {
        let seen = curve.problem_mut().signature_point(point).ok()?;
        let equations = curve.problem_mut().signature_equations();
        equations.inspect(&seen.unknowns, None, &mut self.scratch.workspace).ok()
    }

    /// The orbit between two points at which several bounds are reached with rate zero together: other orbits cross there, and the curve is known to half
    /// its digits. `None` if it is one bound only.
    fn equal_bound_rates<F: Followed<'s>>(
        &self,
        curve: &mut Curve<F>,
        between: Interval,
        index: usize,
    ) -> Option<Point> {
        let (a, b) = (&between.a.inspection.bound_rates, &between.b.inspection.bound_rates);
        let (before, after) = (a[index].value, b[index].value);
        let together = a.iter().zip(b).filter(|(x, y)| alike(before, x.value) && alike(after, y.value));
        let conditions: Vec<Defining> = together.map(|(x, _)| Defining::BoundRate(x.node)).collect();
        if conditions.len() < 2 {
            return None;
        }
        self.solved(curve, between, before / (before - after), conditions)
    }

    /// The orbit between two points at which a bound begins with zero, with those of its mirror image.
    fn equal_initial_bounds<F: Followed<'s>>(
        &self,
        curve: &mut Curve<F>,
        between: Interval,
        place: InitialPlace,
    ) -> Option<Point> {
        let (a, b) = (&between.a.inspection, &between.b.inspection);
        let values = |place: InitialPlace| Some((a.initial_value(place)?, b.initial_value(place)?));
        let (before, after) = values(place)?;
        let together =
            a.initial_places().filter(|other| values(*other).is_some_and(|(x, y)| alike(before, x) && alike(after, y)));
        let family = curve.problem_mut().signature_equations();
        let extra = |one: InitialPlace| {
            let mode = family.signature().nodes[one.node].after;
            Some(Defining::BoundAfter(BoundAfter { node: one.node, mode, contact: one.contact, bound: one.bound? }))
        };
        let conditions = together.map(extra).collect::<Option<Vec<Defining>>>()?;
        self.solved(curve, between, before / (before - after), conditions)
    }

    /// The orbit between two points, about at that fraction between them, at which some conditions hold together, by Newton's method on all equations.
    fn solved<F: Followed<'s>>(
        &self,
        curve: &mut Curve<F>,
        between: Interval,
        share: f64,
        conditions: Vec<Defining>,
    ) -> Option<Point> {
        let (a, b) = (&between.a.curve, &between.b.curve);
        let from = curve.problem_mut().signature_point(a).ok()?.into_owned();
        let to = curve.problem_mut().signature_point(b).ok()?.into_owned();
        let guess: Vec<f64> = from.unknowns.iter().zip(&to.unknowns).map(|(x, y)| x + share * (y - x)).collect();
        let family = curve.problem_mut().signature_equations().clone();
        let unknowns = root(&mut Augmented::new(family.clone(), DefiningSet(conditions)), &guess).ok()?;
        self.placed(between, (&from, &to), share, family, unknowns)
    }

    /// The point with some unknowns of a signature between two points, if it is no other orbit further away.
    pub(super) fn placed(
        &self,
        between: Interval,
        (from, to): (&Point, &Point),
        share: f64,
        mut family: Equations,
        unknowns: Vec<f64>,
    ) -> Option<Point> {
        let (a, b) = (&between.a.curve, &between.b.curve);
        let nearest = if share < 0.5 { from } else { to };
        let arclength = a.arclength + share * (b.arclength - a.arclength);
        let mut point = Point { arclength, ..nearest.clone() };
        family.evaluate(&unknowns, &mut vec![0.0; unknowns.len() - 1], &mut point.jacobian).ok()?;
        let distance = |x: &[f64], y: &[f64]| {
            let parts = x.iter().zip(y).zip(family.sizes()).map(|((x, y), size)| ((x - y) / size).powi(2));
            parts.sum::<f64>().sqrt()
        };
        let reach = BETWEEN_DISTANCE * distance(&from.unknowns, &to.unknowns);
        let inside = distance(&unknowns, &from.unknowns) <= reach && distance(&unknowns, &to.unknowns) <= reach;
        point.unknowns = unknowns;
        inside.then_some(point)
    }
}
