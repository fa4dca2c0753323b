//! What is met on the way along a curve of special orbits?

use saltation_continuation::{
    Augmented, Curve, LocateError, Pair, Point, Problem, Settings as Steps, StartError as CurveStart, Stop, WithAngle,
};
use saltation_model::Values;
use saltation_motion::System;
use saltation_numerics::dense::{Elimination, Matrix};
use saltation_numerics::polynomial::Workspace;

use super::condition::{self, with_minimum, with_node};
use super::{CurvePoint, CurveSpecial, Origin, Settings, SpecialCurve};
use crate::branch::sample::{Signed, closes, coupled, nontrivial, told, watched};
use crate::branch::tracer::Start;
use crate::branch::{self, Ended, Place, SpecialKind, StartError};
use crate::signature::{Equations, Inspection, Signature};

/// A curve in progress: what it is about, and its own equations, for looking at points.
struct Along<'s, 'a> {
    kind: SpecialKind,
    signature: Signature,
    probe: Equations<'s>,
    following: &'a Values,
    settings: &'a Settings,
    /// The values between which the first parameter stays: those asked for, or those that the model allows.
    first_range: Option<(f64, f64)>,
    told: branch::Origin,
    workspace: Workspace,
    elimination: Elimination,
    watch: &'a mut dyn FnMut(usize, f64) -> bool,
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

struct Found {
    sample: Sample,
    special: Option<(SpecialKind, Option<usize>)>,
}

/// Special points of one kind nearer than this on the curve are one.
const TOGETHER: f64 = 1e-7;

pub(super) fn follow(
    system: &System,
    following: &Values,
    origin: &Origin,
    settings: &Settings,
    watch: &mut dyn FnMut(usize, f64) -> bool,
) -> Result<SpecialCurve, StartError> {
    let states = system.state_names().len();
    let mut place = origin.place.clone();
    let (mut signature, mut unknowns, mut sizes) =
        (origin.signature.clone(), origin.unknowns.clone(), origin.sizes.clone());
    if let (SpecialKind::Graze, Place::Between { contact, site }) = (origin.kind, &origin.place) {
        let (node, wider, longer, more) = with_minimum(&signature, &unknowns, &sizes, states, *contact, site);
        (signature, unknowns, sizes) = (wider, longer, more);
        place = Place::Node(node);
    }
    if let (SpecialKind::Boundary, Place::Between { contact, site }) = (origin.kind, &origin.place) {
        let start =
            Start { signature: signature.clone(), unknowns: unknowns.clone(), sizes: sizes.clone(), tangent: None };
        let kind = condition::touched((system, following, settings), &start, (*contact, site));
        let kind = kind.ok_or_else(|| StartError::NoPoint("no bound of the contact is reached there".to_string()))?;
        let (node, wider, longer, more) = with_node(&signature, (&unknowns, &sizes), states, kind, site);
        (signature, unknowns, sizes) = (wider, longer, more);
        place = Place::Node(node);
    }
    let mut extra = None;
    if let (SpecialKind::Boundary | SpecialKind::StickLoss, Place::Node(node)) = (origin.kind, &place) {
        let start =
            Start { signature: signature.clone(), unknowns: unknowns.clone(), sizes: sizes.clone(), tangent: None };
        if let Some((reduced, own)) = condition::without_second((system, following, settings), &start, *node) {
            (signature, unknowns, sizes) = (reduced.signature, reduced.unknowns, reduced.sizes);
            extra = Some(own);
        }
    }
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
    let mut along = Along {
        kind: origin.kind,
        signature,
        probe: family.clone(),
        following,
        settings,
        first_range: settings.first_range.or_else(|| allowed(system, following.free()[0])),
        told: branch::Origin { section: origin.section, phase: origin.phase, last: origin.state.clone() },
        workspace: Workspace::new(),
        elimination: Elimination::default(),
        watch,
    };
    let second = parameter + 1;
    let no_point = |reason: String| StartError::NoPoint(reason);
    if origin.kind == SpecialKind::NeimarkSacker {
        let angle = along.angle(&unknowns).ok_or_else(|| no_point("there is no complex pair".to_string()))?;
        unknowns.push(angle);
        let mut family = WithAngle::new(family);
        // K = J + (exp(i phi) - 1) C with the coupling of neighbours to themselves.
        let mut coupling = Matrix::zeros(parameter, parameter);
        for (i, j, change) in along.probe.closing(0.0) {
            coupling[(i, j)] = -change;
        }
        let pair = Pair::new(&mut family, &unknowns, (0..parameter).collect(), coupling);
        let pair = pair.map_err(|error| no_point(error.to_string()))?;
        let curve = start(Augmented::new(family, pair), &unknowns, second, steps)?;
        return along.both(curve);
    }
    let extra = match extra {
        Some(extra) => extra,
        None => {
            let Some(extra) = condition::of(origin.kind, &place, &mut family, &unknowns) else {
                let what = origin.kind.name().replace('_', " ");
                return Err(no_point(format!("there is no curve of this kind of special point ({what})")));
            };
            extra.map_err(|error| no_point(error.to_string()))?
        }
    };
    let curve = start(Augmented::new(family, extra), &unknowns, second, steps)?;
    along.both(curve)
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
        let mut jacobian = Matrix::zeros(n, n + 2);
        self.probe.evaluate(unknowns, &mut vec![0.0; n], &mut jacobian).ok()?;
        let multipliers = self.probe.multipliers(&jacobian).ok()?;
        let autonomous = self.probe.system().model().phase.is_none();
        let pairs = nontrivial(&multipliers, autonomous).into_iter().filter(|m| m.im > 0.0);
        pairs.min_by(|a, b| (a.norm() - 1.0).abs().total_cmp(&(b.norm() - 1.0).abs())).map(|m| m.arg())
    }

    /// Both sides of a curve.
    fn both<P: Problem + Clone>(mut self, mut curve: Curve<P>) -> Result<SpecialCurve, StartError> {
        let first = curve.point().clone();
        let first = self.sample(first).ok_or_else(|| {
            StartError::NoPoint("the orbit at the special point cannot be followed through its period".to_string())
        })?;
        let mut count = 1;
        let (upward, after) = self.side(curve.clone(), &first, &mut count);
        let mut found = Vec::new();
        let before = if after == Ended::Closed {
            Ended::Closed
        } else {
            curve.reverse();
            let mut reversed = first.clone();
            reversed.curve = curve.point().clone();
            let (mut downward, before) = self.side(curve, &reversed, &mut count);
            downward.reverse();
            found = downward;
            before
        };
        found.push(Found { sample: first, special: None });
        found.extend(upward);
        let mut points = Vec::new();
        let mut special = Vec::new();
        for found in found {
            if let Some((kind, contact)) = found.special {
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
        let section = watched(&mut self.probe, unknowns, &self.told);
        let inspection = self.probe.inspect(unknowns, section, &mut self.workspace).ok()?;
        let state = told(&mut self.probe, unknowns, &inspection, &self.told);
        let mut signed = |sigma: f64| {
            let matrix = coupled(&self.probe, &curve.jacobian, sigma);
            match self.elimination.factor(&matrix) {
                Ok(()) => {
                    let (sign, logarithm) = self.elimination.log_determinant();
                    Signed { sign, logarithm }
                }
                Err(_) => Signed { sign: 0.0, logarithm: f64::NEG_INFINITY },
            }
        };
        let (folding, doubling) = (signed(1.0), signed(-1.0));
        let speeds: Vec<f64> = inspection.speeds.iter().map(|s| s.2).collect();
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
    fn outside(&self, unknowns: &[f64]) -> Option<(usize, f64)> {
        let n = self.probe.layout().parameters;
        let free = self.following.free().len();
        let bounds = [self.first_range, Some(self.settings.range)];
        (0..free).find_map(|k| {
            let (low, high) = bounds[k]?;
            let value = unknowns[n + k];
            (value < low).then_some((n + k, low)).or((value > high).then_some((n + k, high)))
        })
    }

    fn side<P: Problem>(&mut self, mut curve: Curve<P>, first: &Sample, count: &mut usize) -> (Vec<Found>, Ended) {
        let n = self.probe.layout().parameters;
        let second = n + 1;
        let mut found: Vec<Found> = Vec::new();
        let mut last = first.clone();
        let ended = loop {
            if !(self.watch)(*count, curve.point().unknowns[second]) {
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
                    return (found, Ended::Range { value: bound });
                }
                if arrived.is_none() && curve.reach(unknown, bound) {
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
            let mut met = self.between(&mut curve, &last, &sample);
            met.retain(|found| self.outside(&found.sample.curve.unknowns).is_none());
            found.append(&mut met);
            if let Some((unknown, bound)) = crossed {
                let end = curve.locate_value(&last.curve, &sample.curve, unknown, bound);
                if let Some(sample) = end.ok().flatten().and_then(|point| self.sample(point)) {
                    found.push(Found { sample, special: None });
                }
                break Ended::Range { value: bound };
            }
            let circles = self.probe.circles(&sample.point.unknowns);
            let returned = closes(&first.curve, &last.curve, &sample.curve, curve.problem().sizes(), &circles);
            self.told.last.clone_from(&sample.point.state);
            last = sample.clone();
            found.push(Found { sample, special: None });
            if let Some(bound) = arrived {
                break Ended::Range { value: bound };
            }
            if returned {
                break Ended::Closed;
            }
        };
        (found, ended)
    }

    /// What lies between two neighbouring points, in the order of the curve.
    fn between<P: Problem>(&mut self, curve: &mut Curve<P>, a: &Sample, b: &Sample) -> Vec<Found> {
        let n = self.probe.layout().parameters;
        let changes = |a: f64, b: f64| a * b < 0.0 || (b == 0.0 && a != 0.0);
        let (ca, cb) = (&a.curve, &b.curve);
        let mut met: Vec<(Point, SpecialKind, Option<usize>)> = Vec::new();
        let mut add = |point: Result<Option<Point>, LocateError<P::Failure>>, kind, contact| {
            if let Ok(Some(point)) = point {
                met.push((point, kind, contact));
            }
        };
        let Along { probe, workspace, elimination, .. } = self;
        // An impact on a curve of its own grazes has no speed but rounding.
        let own = |node: usize, inspection: &Inspection| {
            inspection.speeds.iter().find(|s| s.0 == node).is_some_and(|s| s.2.abs() < 1e-9)
        };
        for (k, (&(node, contact, before), &(_, _, after))) in
            a.inspection.speeds.iter().zip(&b.inspection.speeds).enumerate()
        {
            if changes(before, after) && !(own(node, &a.inspection) && own(node, &b.inspection)) {
                let point = curve.locate_between(ca, cb, &mut |_: &mut P, point: &Point| {
                    probe.speeds(&point.unknowns[..n + 2]).get(k).map(|s| s.2)
                });
                add(point, SpecialKind::Graze, Some(contact));
            }
        }
        for contact in 0..a.inspection.gaps.len() {
            let low = |inspection: &Inspection| inspection.gaps[contact].as_ref().map(|low| low.value);
            if let (Some(before), Some(after)) = (low(&a.inspection), low(&b.inspection))
                && changes(before, after)
            {
                let point = curve.locate_between(ca, cb, &mut |_: &mut P, point: &Point| {
                    low(&probe.inspect(&point.unknowns[..n + 2], None, workspace).ok()?)
                });
                add(point, SpecialKind::Graze, Some(contact));
            }
        }
        let tests = [
            (SpecialKind::Fold, 1.0, a.folding, b.folding),
            (SpecialKind::PeriodDoubling, -1.0, a.doubling, b.doubling),
        ];
        for (kind, sigma, before, after) in tests {
            let doubled = matches!(self.kind, SpecialKind::PeriodDoubling | SpecialKind::SymmetryBreaking);
            let same = if sigma < 0.0 { doubled } else { self.kind == kind };
            if same || before.sign * after.sign >= 0.0 {
                continue;
            }
            let point = curve.locate_between(ca, cb, &mut |_: &mut P, point: &Point| {
                elimination.factor(&coupled(probe, &point.jacobian, sigma)).ok()?;
                let (sign, logarithm) = elimination.log_determinant();
                Some(sign * (logarithm - before.logarithm).exp())
            });
            let kind = match kind {
                SpecialKind::PeriodDoubling if self.signature.mirror.is_some() => SpecialKind::SymmetryBreaking,
                kind => kind,
            };
            add(point, kind, None);
        }
        met.sort_by(|a, b| a.0.arclength.total_cmp(&b.0.arclength));
        // A loop that grazes together with an impact is the same graze.
        let mut kept: Vec<(Point, SpecialKind, Option<usize>)> = Vec::new();
        for (point, kind, contact) in met {
            let same = |known: &(Point, SpecialKind, Option<usize>)| {
                known.1 == kind && (known.0.arclength - point.arclength).abs() < TOGETHER
            };
            if !kept.iter().any(same) {
                kept.push((point, kind, contact));
            }
        }
        // Determinants contain the speeds at which conditions are passed: on the border of a release they change their sign with them.
        if self.kind == SpecialKind::Boundary {
            kept.retain(|(point, kind, _)| {
                let sigma = match kind {
                    SpecialKind::Fold => 1.0,
                    SpecialKind::PeriodDoubling | SpecialKind::SymmetryBreaking => -1.0,
                    _ => return true,
                };
                let multipliers = self.probe.multipliers(&point.jacobian).unwrap_or_default();
                let autonomous = self.probe.system().model().phase.is_none();
                nontrivial(&multipliers, autonomous).iter().any(|m| (m.re - sigma).hypot(m.im) < 1e-4)
            });
        }
        let found = kept.into_iter().filter_map(|(point, kind, contact)| {
            let sample = self.sample(point)?;
            Some(Found { sample, special: Some((kind, contact)) })
        });
        found.collect()
    }
}
