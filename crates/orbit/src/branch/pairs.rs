//! Finds zeros of test functions that come in pairs between two neighbouring points, where the signs at both are the same: the parabola through three
//! points, and for folds the cubic of the parameter through two, say where a function comes near to zero, and it is evaluated there.

use saltation_continuation::Curve;

use super::SpecialKind;
use super::followed::Followed;
use super::found::{Found, same_layout};
use super::sample::Sample;
use super::test_functions::{Quantity, TestFunction};
use super::tracer::Tracer;

/// A function whose least modulus between two points is less than this part of its values there, by interpolation, may vanish twice.
const NEAR_ZERO: f64 = 0.5;
/// Beside an extremum, as a part of its distance from a point.
const ASIDE: f64 = 0.8;
/// Zeros nearer than this on the curve are one: at a fold places are known to half their digits.
const SAME_ARCLENGTH: f64 = 1e-6;

/// A place between two points, as a fraction of their distance, at which a function has its extremum.
struct Extremum {
    at: f64,
    value: f64,
}

impl Extremum {
    /// Of f0 + b t + c t^2 between 0 and 1.
    fn of(f0: f64, b: f64, c: f64) -> Option<Extremum> {
        let at = -0.5 * b / c;
        (at > 0.0 && at < 1.0).then_some(Extremum { at, value: f0 + 0.5 * b * at })
    }

    /// Whether a function with these values at both points may vanish twice between them.
    fn is_near_zero(&self, f0: f64, f1: f64) -> bool {
        let sign = if f0 == 0.0 { f1.signum() } else { f0.signum() };
        let least = if f0 == 0.0 || f1 == 0.0 { 0.0 } else { f0.abs().min(f1.abs()) };
        self.value * sign <= NEAR_ZERO * least
    }
}

/// The extremum between two points of the parabola through their values and that at a third place, by places on the curve.
fn by_parabola([x, y, third]: [(f64, f64); 3]) -> Option<Extremum> {
    let width = y.0 - x.0;
    let t = (third.0 - x.0) / width;
    let slope = y.1 - x.1;
    let c = ((third.1 - x.1) - slope * t) / (t * (t - 1.0));
    Extremum::of(x.1, slope - c, c)
}

/// The extremum between two points of the derivative of a parameter, by the cubic through its values and derivatives.
fn by_cubic(x: &Sample, y: &Sample) -> Option<Extremum> {
    let value = |sample: &Sample| sample.curve.unknowns.last().copied();
    let mean = (value(y)? - value(x)?) / (y.curve.arclength - x.curve.arclength);
    let (g0, g1) = (x.tests.fold, y.tests.fold);
    Extremum::of(g0, 6.0 * mean - 4.0 * g0 - 2.0 * g1, 3.0 * (g0 + g1) - 6.0 * mean)
}

/// Whether the zeros of a test function may come in pairs: times vanish for reasons of their own.
fn is_smooth(test: &TestFunction) -> bool {
    !matches!(
        test.quantity,
        Quantity::Duration { .. }
            | Quantity::ContactDuration { .. }
            | Quantity::CrossingSpeed
            | Quantity::ParameterTangent
    )
}

/// Whether two points are at one place of the curve.
fn is_near(a: &Found, b: &Found) -> bool {
    (a.sample.curve.arclength - b.sample.curve.arclength).abs() <= SAME_ARCLENGTH
}

impl<'s> Tracer<'s, '_> {
    /// The pairs of zeros between two points, by the parabolas through the values there and at a third point, without kinds that are known between them.
    pub(super) fn pairs<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        (x, y): (&Sample, &Sample),
        third: &Sample,
        known: &[Found],
    ) -> Vec<Found> {
        let places = [x, y, third].map(|sample| sample.curve.arclength);
        let apart = places[0] != places[1] && places[1] != places[2] && places[2] != places[0];
        if !apart || !same_layout(x, y) || !same_layout(x, third) {
            return Vec::new();
        }
        let signature = curve.problem_mut().signature_equations().signature().clone();
        let suspected = TestFunction::table(x, y, &signature).into_iter().filter(is_smooth).filter_map(|test| {
            let [f0, f1, f2] = [x, y, third].map(|sample| test.quantity.at(sample));
            let (f0, f1, f2) = (f0?, f1?, f2?);
            let same = f0 * f1 > 0.0 && f0 * f2 > 0.0;
            let extremum = by_parabola([(places[0], f0), (places[1], f1), (places[2], f2)])?;
            let fresh = known.iter().all(|found| found.special.as_ref().is_none_or(|mark| mark.kind != test.kind));
            (same && fresh && extremum.is_near_zero(f0, f1)).then_some((test, extremum.at))
        });
        let suspected: Vec<(TestFunction, f64)> = suspected.collect();
        let mut all: Vec<Found> = Vec::new();
        for (test, at) in suspected {
            for one in self.pair(curve, (x, y), at, &test) {
                // Two test functions may have one zero.
                let kind = |found: &Found| found.special.as_ref().map(|mark| mark.kind);
                if !all.iter().any(|other| kind(other) == kind(&one) && is_near(other, &one)) {
                    all.push(one);
                }
            }
        }
        all.sort_by(|a: &Found, b: &Found| a.sample.curve.arclength.total_cmp(&b.sample.curve.arclength));
        all
    }

    /// The folds between two points that come in pairs, or beside a branch point between them; `found` is what is known there.
    pub(super) fn paired_folds<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        (x, y): (&Sample, &Sample),
        found: &mut Vec<Found>,
    ) {
        let crossing =
            |found: &&Found| found.special.as_ref().is_some_and(|mark| mark.kind == SpecialKind::BranchPoint);
        let crossings: Vec<Sample> = found.iter().filter(crossing).map(|found| found.sample.clone()).collect();
        let places: Vec<&Sample> = std::iter::once(x).chain(&crossings).chain([y]).collect();
        let fold = TestFunction::fold();
        for pair in places.windows(2) {
            let (x, y) = (pair[0], pair[1]);
            if !same_layout(x, y) || crossings.is_empty() && x.tests.fold * y.tests.fold <= 0.0 {
                continue;
            }
            let Some(extremum) = by_cubic(x, y) else { continue };
            if !extremum.is_near_zero(x.tests.fold, y.tests.fold) {
                continue;
            }
            for one in self.pair(curve, (x, y), extremum.at, &fold) {
                if !found.iter().any(|other| other.special.is_some() && is_near(other, &one)) {
                    found.push(one);
                }
            }
        }
        found.sort_by(|a, b| a.sample.curve.arclength.total_cmp(&b.sample.curve.arclength));
    }

    /// The zeros of a test function between two points and a place between them.
    fn pair<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        (x, y): (&Sample, &Sample),
        at: f64,
        test: &TestFunction,
    ) -> Vec<Found> {
        // Where other orbits cross at the extremum the curve is not known there.
        let mut middles = [at, ASIDE * at, 1.0 - ASIDE * (1.0 - at)].into_iter().filter_map(|at| {
            let point = curve.between(&x.curve, &y.curve, at)?;
            self.sample_of(curve.problem_mut(), point).ok()
        });
        let differs = |middle: &Sample| test.changes_sign(x, middle);
        let Some(middle) = middles.find(differs) else { return Vec::new() };
        let wanted = |other: &TestFunction| other.is_again(test);
        let mut found = self.detect(curve, (x, &middle), &wanted);
        found.extend(self.detect(curve, (&middle, y), &wanted));
        found
    }
}
