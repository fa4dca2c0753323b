//! Follows a branch of equilibria in both directions by pseudo-arclength continuation and locates the bifurcations and borders on it as sign changes of test functions.

use saltation_continuation::test_function::{self, changes_sign};
use saltation_continuation::{BranchPoint, Curve, Point, Problem, Settings as Steps};
use saltation_numerics::elementary;

use saltation_motion::ClosedSet;

use super::boundary::{self, Meeting};
use super::hopf::{self, Hopf};
use super::{EquilibriumBranch, EquilibriumPoint, Settings, Special, StartError};
use crate::branch::sample::closing;
use crate::branch::{Ended, SpecialKind};
use crate::equilibrium::equations::{Tests, Undefined};
use crate::equilibrium::{Equations, Equilibrium};

/// A point of the curve with its equilibrium.
#[derive(Debug, Clone)]
struct Sample {
    curve: Point,
    equilibrium: Equilibrium,
    point: EquilibriumPoint,
}

/// The bifurcation or border at a point, if there is one.
#[derive(Debug, Clone, Default)]
struct Mark {
    kind: Option<SpecialKind>,
    contact: Option<usize>,
    hopf: Option<Hopf>,
    crossing: Option<Box<BranchPoint>>,
    meeting: Option<Meeting>,
}

impl Mark {
    fn of(kind: SpecialKind) -> Mark {
        Mark { kind: Some(kind), ..Mark::default() }
    }
}

/// A point of the branch, with the bifurcation or border there.
struct Found {
    sample: Sample,
    mark: Mark,
}

/// One side of a branch.
struct Side {
    found: Vec<Found>,
    ended: Ended,
}

/// A fold nearer than this to a branch point, on the curve, is that branch point: a search along the curve locates it to half of its digits.
const SAME_ARCLENGTH: f64 = 1e-7;

type Monitor<'w> = dyn FnMut(usize, f64) -> bool + 'w;

/// The branch through a point in both directions, reported as that of a parameter with the plain sizes of the unknowns.
pub(super) fn branch(
    equations: Equations,
    unknowns: &[f64],
    (parameter, sizes): (usize, Vec<f64>),
    settings: &Settings,
    monitor: &mut Monitor,
) -> Result<EquilibriumBranch, StartError> {
    let held = unknowns.len() - 1;
    let mut curve = Curve::start(equations, unknowns, held, steps(settings)).map_err(no_point)?;
    let point = curve.point().clone();
    let first = sample(curve.problem_mut(), point).map_err(no_point)?;
    let mut count = 1;
    let ahead = side(curve.clone(), first.clone(), settings, &mut count, monitor);
    let behind = if ahead.ended == Ended::Closed {
        Side { found: Vec::new(), ended: Ended::Closed }
    } else {
        curve.reverse();
        let from = Sample { curve: curve.point().clone(), ..first.clone() };
        side(curve, from, settings, &mut count, monitor)
    };
    Ok(joined(behind, first, ahead, (parameter, sizes)))
}

/// The other branch through a branch point in both directions, reported like [`branch`].
pub(super) fn other(
    equations: Equations,
    crossing: &BranchPoint,
    (parameter, sizes): (usize, Vec<f64>),
    settings: &Settings,
    monitor: &mut Monitor,
) -> Result<EquilibriumBranch, StartError> {
    let (low, high) = settings.range;
    let mut count = 1;
    let mut half = |sign: f64| -> Result<Side, StartError> {
        let mut curve = Curve::switch(equations.clone(), crossing, sign, steps(settings)).map_err(no_point)?;
        let point = curve.point().clone();
        let first = sample(curve.problem_mut(), point).map_err(no_point)?;
        let value = *first.point.unknowns.last().unwrap_or(&f64::NAN);
        if !(low..=high).contains(&value) {
            return Ok(Side {
                found: Vec::new(),
                ended: Ended::Range { value: if value > high { high } else { low } },
            });
        }
        count += 1;
        let mut side = side(curve, first.clone(), settings, &mut count, monitor);
        side.found.insert(0, Found { sample: first, mark: Mark::default() });
        Ok(side)
    };
    // With the parameter growing, if it does.
    let held = crossing.other.len().saturating_sub(1);
    let sign = if crossing.other.get(held).is_some_and(|t| *t < 0.0) { -1.0 } else { 1.0 };
    let (ahead, behind) = (half(sign)?, half(-sign)?);
    let tangent = crossing.other.iter().map(|t| sign * t).collect();
    let here = Point { tangent, ..crossing.point.clone() };
    let middle = sample(&mut equations.clone(), here).map_err(no_point)?;
    Ok(joined(behind, middle, ahead, (parameter, sizes)))
}

fn no_point(error: impl std::fmt::Display) -> StartError {
    StartError::NoPoint(error.to_string())
}

/// Both sides of a point in the direction of the one ahead.
fn joined(behind: Side, middle: Sample, ahead: Side, (parameter, sizes): (usize, Vec<f64>)) -> EquilibriumBranch {
    let (mut points, mut special) = (Vec::new(), Vec::new());
    for Found { mut sample, mut mark } in behind.found.into_iter().rev() {
        sample.curve.tangent.iter_mut().for_each(|t| *t = -*t);
        if let Some(crossing) = &mut mark.crossing {
            crossing.point.tangent.iter_mut().for_each(|t| *t = -*t);
        }
        record(Found { sample, mark }, &mut points, &mut special);
    }
    record(Found { sample: middle, mark: Mark::default() }, &mut points, &mut special);
    ahead.found.into_iter().for_each(|found| record(found, &mut points, &mut special));
    EquilibriumBranch { parameter, sizes, points, special, ended: [behind.ended, ahead.ended] }
}

fn steps(settings: &Settings) -> Steps {
    Steps {
        tolerance: settings.tolerance,
        first_step: 0.25 * settings.longest_step,
        longest_step: settings.longest_step,
        ..Steps::default()
    }
}

fn record(Found { sample, mark }: Found, points: &mut Vec<EquilibriumPoint>, special: &mut Vec<Special>) {
    if let Some(kind) = mark.kind {
        special.push(Special {
            kind,
            point: sample.point.clone(),
            index: points.len(),
            contact: mark.contact,
            hopf: mark.hopf,
            crossing: mark.crossing,
            meeting: mark.meeting,
            tangent: sample.curve.tangent.clone(),
        });
    }
    points.push(sample.point);
}

fn sample(equations: &mut Equations, point: Point) -> Result<Sample, Undefined> {
    let equilibrium = equations.equilibrium(&point)?;
    let parameters = equations.parameters(&point.unknowns[equations.dimension()..]);
    let reported = EquilibriumPoint::new(parameters, point.unknowns.clone(), &equilibrium);
    Ok(Sample { curve: point, equilibrium, point: reported })
}

/// Follows a curve from its present point, whose sample is `first`, in its direction.
fn side(
    mut curve: Curve<Equations>,
    first: Sample,
    settings: &Settings,
    count: &mut usize,
    monitor: &mut Monitor,
) -> Side {
    let (low, high) = settings.range;
    let held = first.curve.unknowns.len() - 1;
    let value = |sample: &Sample| sample.curve.unknowns[held];
    let outside = |sample: &Sample| !(low..=high).contains(&value(sample));
    let mut found: Vec<Found> = Vec::new();
    let mut last = first.clone();
    let ended = loop {
        if !monitor(*count, value(&last)) {
            break Ended::Interrupted;
        }
        if found.len() >= settings.points {
            break Ended::Points;
        }
        let bound = if last.curve.tangent[held] > 0.0 { high } else { low };
        if value(&last) == bound {
            break Ended::Range { value: bound };
        }
        if !curve.step_onto(held, bound)
            && let Err(stop) = curve.advance()
        {
            break stopped(&mut found, stop.to_string());
        }
        let point = curve.point().clone();
        let next = match sample(curve.problem_mut(), point) {
            Ok(next) => next,
            Err(undefined) => break stopped(&mut found, undefined.to_string()),
        };
        *count += 1;
        let mut detected = detect(&mut curve, &last, &next);
        // The branch leaves its range at this point, or at a fold before it.
        let leaves = |found: &Found| found.mark.kind == Some(SpecialKind::Fold) && outside(&found.sample);
        let turn = detected.iter().position(leaves);
        if let Some(beyond) = turn.map(|k| detected[k].sample.clone()).or_else(|| outside(&next).then(|| next.clone()))
        {
            let bound = if value(&beyond) > high { high } else { low };
            let end = curve.locate_value(&last.curve, &beyond.curve, held, bound).ok().flatten();
            if let Some(end) = end.and_then(|point| sample(curve.problem_mut(), point).ok()) {
                detected.retain(|found| found.sample.curve.arclength < end.curve.arclength && !outside(&found.sample));
                found.append(&mut detected);
                found.push(Found { sample: end, mark: Mark::default() });
            }
            break Ended::Range { value: bound };
        }
        found.append(&mut detected);
        if let Some(end) = closing(&first.curve, &last.curve, &next.curve, curve.problem().sizes(), &[]) {
            // What lies on this step behind the first point was found on the first one.
            found.retain(|found| found.sample.curve.arclength <= end);
            let mut closed = first.clone();
            closed.curve.arclength = end;
            found.push(Found { sample: closed, mark: Mark::default() });
            break Ended::Closed;
        }
        found.push(Found { sample: next.clone(), mark: Mark::default() });
        last = next;
    };
    Side { found, ended }
}

/// The end of a curve that cannot be followed further.
fn stopped(found: &mut [Found], reason: String) -> Ended {
    if let Some(found) = found.last_mut()
        && found.mark.kind.is_none()
    {
        found.mark = Mark::of(SpecialKind::End);
    }
    Ended::Stopped { reason }
}

/// A zero of a test function.
struct Candidate {
    point: Point,
    mark: Mark,
}

/// What lies between two neighbouring points, in the order of the curve.
fn detect(curve: &mut Curve<Equations>, a: &Sample, b: &Sample) -> Vec<Found> {
    let mut candidates = borders(curve, a, b);
    let held = a.curve.unknowns.len() - 1;
    let (ca, cb) = (&a.curve, &b.curve);
    // Other curves that cross.
    let crossing = curve.branch_point_between(ca, cb).ok().flatten();
    let crossing_at = crossing.as_ref().map(|crossing| crossing.point.arclength);
    candidates.extend(crossing.map(|crossing| {
        let point = crossing.point.clone();
        Candidate { point, mark: Mark { crossing: Some(Box::new(crossing)), ..Mark::of(SpecialKind::BranchPoint) } }
    }));
    // Folds. Where a branch point is a fold, as on the curve that leaves a pitchfork, it is reported as a branch point only.
    if changes_sign(ca.tangent[held], cb.tangent[held]) {
        let point = curve.locate_between(ca, cb, &mut test_function::fold(held)).ok().flatten();
        let point = point.filter(|fold| crossing_at.is_none_or(|at| (fold.arclength - at).abs() > SAME_ARCLENGTH));
        candidates.extend(point.map(|point| Candidate { point, mark: Mark::of(SpecialKind::Fold) }));
    }
    candidates.extend(oscillations(curve, a, b));
    candidates.sort_by(|a, b| a.point.arclength.total_cmp(&b.point.arclength));
    let found = candidates.into_iter().filter_map(|Candidate { point, mark }| {
        let mut mark = mark;
        let equations = curve.problem_mut();
        if let (Some(SpecialKind::Boundary), Some(element)) = (mark.kind, mark.contact) {
            mark.meeting = boundary::meeting(equations, &point, element);
        }
        Some(Found { sample: sample(equations, point).ok()?, mark })
    });
    found.collect()
}

/// Gaps of open contacts, forces of closed ones and friction bounds that go through zero between two points.
fn borders(curve: &mut Curve<Equations>, a: &Sample, b: &Sample) -> Vec<Candidate> {
    let mut found = Vec::new();
    let closed = a.equilibrium.closed;
    let value = move |forces: &[f64], gaps: &[f64], contact: usize| match closed.iter().position(|c| c == contact) {
        Some(k) => forces.get(k).copied(),
        None => gaps.get(contact).copied(),
    };
    let mut add = |test: &mut dyn FnMut(&mut Equations, &Point) -> Option<f64>, contact: Option<usize>| {
        let point = curve.locate_between(&a.curve, &b.curve, test).ok().flatten();
        let mark = Mark { contact, ..Mark::of(SpecialKind::Boundary) };
        found.extend(point.map(|point| Candidate { point, mark }));
    };
    for contact in 0..a.equilibrium.gaps.len() {
        let of = |at: &Equilibrium| value(&at.contact_forces, &at.gaps, contact);
        let (Some(before), Some(after)) = (of(&a.equilibrium), of(&b.equilibrium)) else { continue };
        // What is rounding at both ends is so all along the branch.
        let rounding = a.equilibrium.boundary.contains(&contact) && b.equilibrium.boundary.contains(&contact);
        if changes_sign(before, after) && !rounding {
            let mut test = |equations: &mut Equations, point: &Point| {
                let Tests { contact_forces, gaps, .. } = tests(equations, point);
                value(&contact_forces, &gaps, contact)
            };
            add(&mut test, Some(contact));
        }
    }
    // Limits of friction, and slip that loses its only force.
    let friction =
        |at: &Equilibrium| at.bounds.iter().map(|bound| bound.2).chain([at.regularity]).collect::<Vec<f64>>();
    for (k, (before, after)) in friction(&a.equilibrium).into_iter().zip(friction(&b.equilibrium)).enumerate() {
        if changes_sign(before, after) {
            let slips = closed.iter().find(|&contact| closed.slip(contact).is_some());
            let mut test = |equations: &mut Equations, point: &Point| tests(equations, point).friction.get(k).copied();
            let switch = a.equilibrium.bounds.get(k).map(|bound| bound.0).filter(|&e| ClosedSet::switch(e).is_some());
            add(&mut test, switch.or(slips).or(closed.iter().next()));
        }
    }
    found
}

/// The points between two neighbouring ones at which pairs of eigenvalues cross the imaginary axis.
fn oscillations(curve: &mut Curve<Equations>, a: &Sample, b: &Sample) -> Vec<Candidate> {
    let (before, after) = (hopf::complex(&a.equilibrium.eigenvalues), hopf::complex(&b.equilibrium.eigenvalues));
    let mut found: Vec<Candidate> = Vec::new();
    let oscillation =
        |point: Point, hopf: Hopf| Candidate { point, mark: Mark { hopf: Some(hopf), ..Mark::of(SpecialKind::Hopf) } };
    if before.len() == after.len() {
        let mut lost = false;
        for (k, (&x, &y)) in before.iter().zip(&after).enumerate() {
            let rounding = hopf::on_axis(x, &a.equilibrium.eigenvalues) && hopf::on_axis(y, &b.equilibrium.eigenvalues);
            if !changes_sign(x.re, y.re) || rounding {
                continue;
            }
            let count = before.len();
            let mut test = |equations: &mut Equations, point: &Point| {
                let pairs = hopf::complex(&tests(equations, point).eigenvalues);
                (pairs.len() == count).then(|| pairs[k].re)
            };
            match curve.locate_between(&a.curve, &b.curve, &mut test) {
                Ok(Some(point)) => {
                    let pairs = hopf::complex(&tests(curve.problem_mut(), &point).eigenvalues);
                    let known =
                        found.iter().any(|other| (other.point.arclength - point.arclength).abs() <= SAME_ARCLENGTH);
                    if let (Some(pair), false) = (pairs.get(k), known) {
                        found.push(oscillation(point, Hopf { frequency: pair.im }));
                    }
                }
                Ok(None) => {}
                Err(_) => lost = true,
            }
        }
        if !lost {
            return found;
        }
    }
    if let (Some(before), Some(after)) =
        (hopf::product(&a.equilibrium.eigenvalues), hopf::product(&b.equilibrium.eigenvalues))
        && before.sign * after.sign < 0.0
        && !(before.vanishes && after.vanishes)
        && found.is_empty()
    {
        let reference = before.logarithm.max(after.logarithm);
        let mut test = |equations: &mut Equations, point: &Point| {
            let product = hopf::product(&tests(equations, point).eigenvalues)?;
            Some(product.sign * elementary::exp(product.logarithm - reference))
        };
        if let Ok(Some(point)) = curve.locate_between(&a.curve, &b.curve, &mut test)
            && let Some(hopf) = hopf::crossing(&tests(curve.problem_mut(), &point).eigenvalues)
        {
            found.push(oscillation(point, hopf));
        }
    }
    found
}

fn tests(equations: &mut Equations, point: &Point) -> Tests {
    let (unknowns, free) = point.unknowns.split_at(equations.dimension());
    equations.tests(unknowns, free)
}
