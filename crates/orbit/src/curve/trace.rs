//! Follows a curve of bifurcations in both directions and detects other bifurcations on it.

use saltation_continuation::test_function::changes_sign;
use saltation_continuation::{
    Augmented, Curve, LocateError, Pair, Point, Problem, Settings as Steps, StartError as CurveStart, Stop, WithAngle,
};
use saltation_model::Values;
use saltation_motion::System;
use saltation_numerics::blocks::{BlockMatrix, Condensation};
use saltation_numerics::polynomial::Workspace;
use saltation_numerics::{dense, elementary};

use super::condition;
use super::{CurvePoint, CurveSpecial, Origin, Settings, SpecialCurve};
use crate::branch::sample::{
    Signed, UNIT_MULTIPLIER, closing, coupled, determinant, monitored_section, nontrivial, reported_state,
};
use crate::branch::tracer::{Start, with_node};
use crate::branch::{self, Ended, Place, SpecialKind, StartError};
use crate::signature::defining::Defining;
use crate::signature::{Equations, Inspection, Kind, Signature};

/// A curve in progress: what it is about, and its own equations, for looking at points.
struct Along<'s, 'a> {
    kind: SpecialKind,
    signature: Signature,
    probe: Equations<'s>,
    following: &'a Values,
    settings: &'a Settings,
    /// The values between which the first parameter stays: those asked for, or those that the model allows.
    first_range: Option<(f64, f64)>,
    reporting: branch::Origin,
    workspace: Workspace,
    condensation: Condensation,
    monitor: &'a mut dyn FnMut(usize, f64) -> bool,
}

/// A point with the values of its test functions.
#[derive(Clone)]
struct Sample {
    curve: Point,
    point: CurvePoint,
    inspection: Inspection,
    /// det J(1) and det J(-1) at fixed parameters.
    folding: Signed,
    doubling: Signed,
}

/// A second bifurcation, and the contact concerned.
#[derive(Clone, Copy)]
struct Mark {
    kind: SpecialKind,
    contact: Option<usize>,
}

/// The end of a range that was crossed, and the unknown that did so.
struct Crossed {
    unknown: usize,
    bound: f64,
}

/// One side of a curve.
struct Side {
    found: Vec<Found>,
    ended: Ended,
}

/// A zero of a test function.
struct Candidate {
    point: Point,
    mark: Mark,
}

struct Found {
    sample: Sample,
    special: Option<Mark>,
}

/// Zeros of one kind nearer than this on the curve are one: an impact and the loop beside it graze together.
const SAME_ARCLENGTH: f64 = 1e-7;
/// Impact speeds below this are zero on a curve of grazes, whose points are solved for to the tolerance of Newton's method.
const SPEED_ROUNDING: f64 = 1e-9;

pub(super) fn follow(
    system: &System,
    following: &Values,
    origin: &Origin,
    settings: &Settings,
    monitor: &mut dyn FnMut(usize, f64) -> bool,
) -> Result<SpecialCurve, StartError> {
    let Begun { orbit, place, extra } = begun(system, following, origin, settings)?;
    let Start { signature, mut unknowns, mut sizes, .. } = orbit;
    let states = system.state_names().len();
    // The second parameter comes behind the first.
    unknowns.extend(following.free_values().get(1));
    sizes.push(settings.range.1 - settings.range.0);
    let parameter = signature.layout(states).parameters;
    let share = (parameter as f64).sqrt();
    sizes[..parameter].iter_mut().for_each(|size| *size *= share);
    let choice = (settings.tolerance, settings.flow);
    let mut family = Equations::new(system, following.clone(), signature.clone(), sizes, choice);
    let steps =
        Steps { first_step: 0.25 * settings.longest_step, longest_step: settings.longest_step, ..Steps::default() };
    let along = Along {
        kind: origin.kind,
        signature,
        probe: family.clone(),
        following,
        settings,
        first_range: settings.first_range.or_else(|| allowed(system, following.free()[0])),
        reporting: branch::Origin { section: origin.section, phase: origin.phase, last: origin.state.clone() },
        workspace: Workspace::new(),
        condensation: Condensation::default(),
        monitor,
    };
    let second = parameter + 1;
    let no_point = |reason: String| StartError::NoPoint(reason);
    if origin.kind == SpecialKind::NeimarkSacker {
        return along.torus(family, unknowns, steps);
    }
    let extra = match extra {
        Some(extra) => extra,
        None => {
            let Some(extra) = condition::of(origin.kind, &place, &mut family, &unknowns) else {
                let what = origin.kind.name().replace('_', " ");
                return Err(no_point(format!("there is no curve of bifurcations of this kind ({what})")));
            };
            extra.map_err(|error| no_point(error.to_string()))?
        }
    };
    let curve = start(Augmented::new(family, extra), &unknowns, second, steps)?;
    along.both(curve)
}

/// The orbit at which a curve begins.
struct Begun {
    orbit: Start,
    place: Place,
    /// The equation that holds along the curve, where it is known from the events that are one.
    extra: Option<Defining>,
}

/// The orbit of a bifurcation in the signature of the curve: what happens between events is a node of its own there, and events that are one
/// are one node.
fn begun(system: &System, following: &Values, origin: &Origin, settings: &Settings) -> Result<Begun, StartError> {
    let context = condition::Context { system, following, settings };
    let states = system.state_names().len();
    let mut place = origin.place.clone();
    let mut orbit = Start {
        signature: origin.signature.clone(),
        unknowns: origin.unknowns.clone(),
        sizes: origin.sizes.clone(),
        tangent: None,
    };
    // What happens between events becomes a node of its own.
    if let Place::Between { contact, site } = &origin.place {
        let kind = match origin.kind {
            SpecialKind::Graze => Some(Kind::Minimum { contact: *contact }),
            SpecialKind::Boundary => {
                let kind = condition::touched(context, &orbit, *contact, site);
                let nothing = || StartError::NoPoint("no bound of the contact is reached there".to_string());
                Some(kind.ok_or_else(nothing)?)
            }
            _ => None,
        };
        if let Some(kind) = kind {
            let inserted = with_node(&orbit, states, kind, site);
            (orbit, place) = (inserted.start, Place::Node(inserted.node));
        }
    }
    let mut extra = None;
    if let (SpecialKind::Boundary | SpecialKind::StickLoss, Place::Node(node)) = (origin.kind, &place)
        && let Some((reduced, own)) = condition::without_second(context, &orbit, *node)
    {
        orbit = reduced;
        extra = Some(own);
    }
    Ok(Begun { orbit, place, extra })
}

/// The least and the greatest value of a parameter, if the model states any.
fn allowed(system: &System, parameter: usize) -> Option<(f64, f64)> {
    let known = &system.model().parameters[parameter];
    let bounds = (known.min.unwrap_or(f64::NEG_INFINITY), known.max.unwrap_or(f64::INFINITY));
    (known.min.is_some() || known.max.is_some()).then_some(bounds)
}

fn start<P: Problem>(problem: P, unknowns: &[f64], held: usize, steps: Steps) -> Result<Curve<P>, StartError> {
    let no_point = |error: CurveStart<P::Failure>| StartError::NoPoint(error.to_string());
    Curve::start(problem, unknowns, held, steps).map_err(no_point)
}

impl Along<'_, '_> {
    /// The angle of the pair of multipliers nearest to the unit circle.
    fn angle(&mut self, unknowns: &[f64]) -> Option<f64> {
        let n = self.probe.layout().parameters;
        let mut jacobian = BlockMatrix::zeros(self.probe.pattern());
        self.probe.evaluate(unknowns, &mut vec![0.0; n], &mut jacobian).ok()?;
        let multipliers = self.probe.multipliers(&jacobian).ok()?;
        let autonomous = self.probe.system().model().phase.is_none();
        let pairs = nontrivial(&multipliers, autonomous).into_iter().filter(|m| m.im > 0.0);
        pairs
            .min_by(|a, b| (dense::modulus(a) - 1.0).abs().total_cmp(&(dense::modulus(b) - 1.0).abs()))
            .map(dense::argument)
    }

    /// The curve of orbits with a pair of multipliers exp(+-i phi), phi being an unknown.
    fn torus(mut self, family: Equations, mut unknowns: Vec<f64>, steps: Steps) -> Result<SpecialCurve, StartError> {
        let no_point = |reason: String| StartError::NoPoint(reason);
        let (parameter, second) = (unknowns.len() - 2, unknowns.len() - 1);
        let angle = self.angle(&unknowns).ok_or_else(|| no_point("there is no complex pair".to_string()))?;
        unknowns.push(angle);
        let mut family = WithAngle::new(family);
        // K = J + (exp(i phi) - 1) C with the coupling of perturbations to themselves.
        let coupling = self.probe.closing(0.0).map(|(i, j, change)| (i, j, -change)).collect();
        let pair = Pair::new(&mut family, &unknowns, (0..parameter).collect(), coupling);
        let pair = pair.map_err(|error| no_point(error.to_string()))?;
        let curve = start(Augmented::new(family, pair), &unknowns, second, steps)?;
        self.both(curve)
    }

    /// Both sides of a curve.
    fn both<P: Problem + Clone>(mut self, mut curve: Curve<P>) -> Result<SpecialCurve, StartError> {
        let first = curve.point().clone();
        let first = self.sample(first).ok_or_else(|| {
            StartError::NoPoint("the orbit at the bifurcation cannot be followed through its period".to_string())
        })?;
        let mut count = 1;
        let Side { found: upward, ended: after } = self.side(curve.clone(), &first, &mut count);
        let mut found = Vec::new();
        let before = if after == Ended::Closed {
            Ended::Closed
        } else {
            curve.reverse();
            let mut reversed = first.clone();
            reversed.curve = curve.point().clone();
            let Side { found: mut downward, ended: before } = self.side(curve, &reversed, &mut count);
            downward.reverse();
            found = downward;
            before
        };
        found.push(Found { sample: first, special: None });
        found.extend(upward);
        let mut points = Vec::new();
        let mut special = Vec::new();
        for found in found {
            if let Some(Mark { kind, contact }) = found.special {
                let point = found.sample.point.clone();
                special.push(CurveSpecial { kind, point, index: points.len(), contact });
            }
            points.push(found.sample.point);
        }
        Ok(SpecialCurve {
            kind: self.kind,
            signature: self.signature,
            parameters: [self.following.free()[0], self.following.free()[1]],
            points,
            special,
            ended: [before, after],
        })
    }

    /// Everything about a point.
    fn sample(&mut self, curve: Point) -> Option<Sample> {
        let n = self.probe.layout().parameters;
        let unknowns = &curve.unknowns[..n + 2];
        let section = monitored_section(&mut self.probe, unknowns, &self.reporting);
        let inspection = self.probe.inspect(unknowns, section, &mut self.workspace).ok()?;
        let state = reported_state(&mut self.probe, unknowns, &inspection, &self.reporting);
        let mut signed =
            |sigma: f64| determinant(&coupled(&self.probe, &curve.jacobian, sigma), &mut self.condensation);
        let (folding, doubling) = (signed(1.0), signed(-1.0));
        let speeds: Vec<f64> = inspection.speeds.iter().map(|impact| impact.speed).collect();
        let point = CurvePoint {
            parameters: self.probe.parameters(unknowns).to_vec(),
            period: self.probe.period(unknowns).ok()?,
            state,
            impact_speeds: match self.signature.mirror {
                Some(_) => speeds.iter().chain(&speeds).copied().collect(),
                None => speeds,
            },
            admissible: inspection.admissible,
            unknowns: unknowns.to_vec(),
        };
        Some(Sample { curve, point, inspection, folding, doubling })
    }

    /// Whether a point lies within the ranges, and the end that it has crossed if not.
    fn outside(&self, unknowns: &[f64]) -> Option<Crossed> {
        let n = self.probe.layout().parameters;
        let free = self.following.free().len();
        let bounds = [self.first_range, Some(self.settings.range)];
        (0..free).find_map(|k| {
            let (low, high) = bounds[k]?;
            let value = unknowns[n + k];
            let crossed = |bound: f64| Crossed { unknown: n + k, bound };
            (value < low).then_some(crossed(low)).or((value > high).then_some(crossed(high)))
        })
    }

    fn side<P: Problem>(&mut self, mut curve: Curve<P>, first: &Sample, count: &mut usize) -> Side {
        let n = self.probe.layout().parameters;
        let second = n + 1;
        let mut found: Vec<Found> = Vec::new();
        let mut last = first.clone();
        let ended = loop {
            if !(self.monitor)(*count, curve.point().unknowns[second]) {
                break Ended::Interrupted;
            }
            if found.len() >= self.settings.points {
                break Ended::Points;
            }
            let mut arrived = None;
            for (unknown, bounds) in [(n, self.first_range), (second, Some(self.settings.range))] {
                let Some((low, high)) = bounds else { continue };
                let bound = if curve.point().tangent[unknown] > 0.0 { high } else { low };
                if curve.point().unknowns[unknown] == bound {
                    return Side { found, ended: Ended::Range { value: bound } };
                }
                if arrived.is_none() && curve.step_onto(unknown, bound) {
                    arrived = Some(bound);
                }
            }
            if arrived.is_none()
                && let Err(Stop::Shortest { rejection, .. }) = curve.advance()
            {
                break Ended::Stopped { reason: rejection.to_string() };
            }
            let point = curve.point().clone();
            let Some(sample) = self.sample(point) else {
                break Ended::Stopped { reason: "the orbit cannot be followed through its period".to_string() };
            };
            *count += 1;
            let crossed = self.outside(&sample.curve.unknowns);
            let mut detected = self.detect(&mut curve, &last, &sample);
            detected.retain(|found| self.outside(&found.sample.curve.unknowns).is_none());
            found.append(&mut detected);
            if let Some(Crossed { unknown, bound }) = crossed {
                let end = curve.locate_value(&last.curve, &sample.curve, unknown, bound);
                if let Some(sample) = end.ok().flatten().and_then(|point| self.sample(point)) {
                    found.push(Found { sample, special: None });
                }
                break Ended::Range { value: bound };
            }
            let circles = self.probe.circles(&sample.point.unknowns);
            let sizes = curve.problem().sizes();
            if let Some(end) = closing(&first.curve, &last.curve, &sample.curve, sizes, &circles) {
                // What lies on this step behind the first point was found on the first one.
                found.retain(|found| found.sample.curve.arclength <= end);
                let mut closed = first.clone();
                closed.curve.arclength = end;
                found.push(Found { sample: closed, special: None });
                break Ended::Closed;
            }
            self.reporting.last.clone_from(&sample.point.state);
            last = sample.clone();
            found.push(Found { sample, special: None });
            if let Some(bound) = arrived {
                break Ended::Range { value: bound };
            }
        };
        Side { found, ended }
    }

    /// What lies between two neighbouring points, in the order of the curve.
    fn detect<P: Problem>(&mut self, curve: &mut Curve<P>, a: &Sample, b: &Sample) -> Vec<Found> {
        let mut candidates = self.grazes(curve, a, b);
        candidates.extend(self.singularities(curve, a, b));
        candidates.sort_by(|a, b| a.point.arclength.total_cmp(&b.point.arclength));
        // A loop that grazes together with an impact is the same graze.
        let mut kept: Vec<Candidate> = Vec::new();
        for Candidate { point, mark } in candidates {
            let same = |known: &Candidate| {
                known.mark.kind == mark.kind && (known.point.arclength - point.arclength).abs() < SAME_ARCLENGTH
            };
            if !kept.iter().any(same) {
                kept.push(Candidate { point, mark });
            }
        }
        // Determinants contain the speeds at which conditions are passed: on the border of a release they change their sign with them.
        if self.kind == SpecialKind::Boundary {
            kept.retain(|one| {
                let sigma = match one.mark.kind {
                    SpecialKind::Fold => 1.0,
                    SpecialKind::PeriodDoubling | SpecialKind::SymmetryBreaking => -1.0,
                    _ => return true,
                };
                let multipliers = self.probe.multipliers(&one.point.jacobian).unwrap_or_default();
                let autonomous = self.probe.system().model().phase.is_none();
                nontrivial(&multipliers, autonomous)
                    .iter()
                    .any(|m| elementary::hypot(m.re - sigma, m.im) < UNIT_MULTIPLIER)
            });
        }
        let found = kept.into_iter().filter_map(|Candidate { point, mark }| {
            let sample = self.sample(point)?;
            Some(Found { sample, special: Some(mark) })
        });
        found.collect()
    }

    /// Impact speeds and lowest gaps that go through zero between two points.
    fn grazes<P: Problem>(&mut self, curve: &mut Curve<P>, a: &Sample, b: &Sample) -> Vec<Candidate> {
        let n = self.probe.layout().parameters;
        let Along { probe, workspace, .. } = self;
        let mut found = Vec::new();
        let mut add = |point: Result<Option<Point>, LocateError<P::Failure>>, contact: usize| {
            let mark = Mark { kind: SpecialKind::Graze, contact: Some(contact) };
            found.extend(point.ok().flatten().map(|point| Candidate { point, mark }));
        };
        // An impact on a curve of its own grazes has no speed but rounding.
        let own = |node: usize, inspection: &Inspection| {
            inspection.speed_at(node).is_some_and(|speed| speed.abs() < SPEED_ROUNDING)
        };
        for (k, (before, after)) in a.inspection.speeds.iter().zip(&b.inspection.speeds).enumerate() {
            let node = before.node;
            if changes_sign(before.speed, after.speed) && !(own(node, &a.inspection) && own(node, &b.inspection)) {
                let point = curve.locate_between(&a.curve, &b.curve, &mut |_: &mut P, point: &Point| {
                    probe.speeds(&point.unknowns[..n + 2]).get(k).map(|impact| impact.speed)
                });
                add(point, before.contact);
            }
        }
        for contact in 0..a.inspection.gaps.len() {
            let low = |inspection: &Inspection| inspection.gaps[contact].as_ref().map(|low| low.value);
            if let (Some(before), Some(after)) = (low(&a.inspection), low(&b.inspection))
                && changes_sign(before, after)
            {
                let point = curve.locate_between(&a.curve, &b.curve, &mut |_: &mut P, point: &Point| {
                    low(&probe.inspect(&point.unknowns[..n + 2], None, workspace).ok()?)
                });
                add(point, contact);
            }
        }
        found
    }

    /// Determinants of perturbations that return with factor 1 or -1, where they go through zero between two points.
    fn singularities<P: Problem>(&mut self, curve: &mut Curve<P>, a: &Sample, b: &Sample) -> Vec<Candidate> {
        let doubled = match self.signature.mirror {
            Some(_) => SpecialKind::SymmetryBreaking,
            None => SpecialKind::PeriodDoubling,
        };
        let own_doubling = matches!(self.kind, SpecialKind::PeriodDoubling | SpecialKind::SymmetryBreaking);
        let tests = [
            (SpecialKind::Fold, 1.0, self.kind == SpecialKind::Fold, a.folding, b.folding),
            (doubled, -1.0, own_doubling, a.doubling, b.doubling),
        ];
        let Along { probe, condensation, .. } = self;
        let mut found = Vec::new();
        for (kind, sigma, own, before, after) in tests {
            if own || before.sign * after.sign >= 0.0 {
                continue;
            }
            let point = curve.locate_between(&a.curve, &b.curve, &mut |_: &mut P, point: &Point| {
                condensation.factor(&coupled(probe, &point.jacobian, sigma)).ok()?;
                let (sign, logarithm) = condensation.log_determinant();
                Some(sign * elementary::exp(logarithm - before.logarithm))
            });
            let mark = Mark { kind, contact: None };
            found.extend(point.ok().flatten().map(|point| Candidate { point, mark }));
        }
        found
    }
}
