//! How is a branch followed to its ends? Point by point in both directions, with what lies between neighbouring ones.

use saltation_continuation::{Curve, Point, Settings as Steps, Stop};
use saltation_motion::extension::Lost;

use super::followed::{ByVivid, Followed};
use super::limit;
use super::sample::{Sample, closes};
use super::tracer::{Start, Tracer};
use super::{Branch, Ended, Place, Special, SpecialKind, StartError, Vanishing, equations, homoclinic, mesh, sliding};
use crate::signature::{Equations, Kind, Node};
use crate::vivid::Vivid;

/// One side of a branch.
struct Side {
    samples: Vec<Found>,
    ended: Ended,
}

/// A point that was met, with what is special about it.
pub(super) struct Found {
    pub sample: Sample,
    pub special: Option<Mark>,
}

#[derive(Debug, Clone)]
pub(super) struct Mark {
    pub kind: SpecialKind,
    pub contact: Option<usize>,
    pub place: Place,
    pub other: Option<Vec<f64>>,
    pub homoclinic: Option<homoclinic::Homoclinic>,
    /// Why the curve ends here, if it does.
    pub ended: Option<Ended>,
}

impl Mark {
    pub fn of(kind: SpecialKind) -> Mark {
        Mark { kind, contact: None, place: Place::Everywhere, other: None, homoclinic: None, ended: None }
    }
}

/// Corrections of Newton's method that stop to shrink below this are rounding: the ends of chattering are known to some ten digits.
const ROUNDING: f64 = 1e-9;
/// Multipliers this near to -1 are -1 at a point that was located.
pub(super) const OPPOSITE: f64 = 1e-4;
/// A time between events that has become this negative, as a fraction of the period, leads to no orbit any more.
const BACKWARD: f64 = 0.5;
/// What is as short as this fraction of the period may be about to vanish.
const SHORT: f64 = 0.05;
/// From so many of the last points a border is sought.
const TRIALS: usize = 12;
/// Between this distance and that, as a fraction of the range too, rounding decides whether flights are motions.
const DOUBTFUL: f64 = 1e-6;
/// Times shorter than this fraction of the period have vanished.
const GONE: f64 = 1e-7;
/// Points this near to a border, as a fraction of the range of the parameter, have equations that are singular to rounding.
const CLOSE: f64 = 1e-9;
/// Special points are located this well, in units of the unknowns.
const LOCATED: f64 = 1e-9;

impl<'s, 'a> Tracer<'s, 'a> {
    /// How a curve with so many unknowns is followed.
    pub fn steps(&self) -> Steps {
        Steps {
            stagnation: ROUNDING,
            first_step: 0.25 * self.settings.longest_step,
            longest_step: self.settings.longest_step,
            ..Steps::default()
        }
    }

    /// The sizes in the metric: every state and time has its share, however many events there are.
    pub fn weighted(&self, start: &Start) -> Vec<f64> {
        let parameter = start.signature.layout(self.system.state_names().len()).parameters;
        let share = (parameter as f64).sqrt();
        let weighted = |(i, size): (usize, &f64)| if i < parameter { size * share } else { *size };
        start.sizes.iter().enumerate().map(weighted).collect()
    }

    /// The curve through a start.
    pub fn curve(&self, start: &Start) -> Result<Curve<Equations<'s>>, StartError> {
        let parameter = start.signature.layout(self.system.state_names().len()).parameters;
        let sizes = self.weighted(start);
        let problem = equations(self.system, self.following, start.signature.clone(), sizes, self.settings);
        let no_point = |error: saltation_continuation::StartError<Lost>| StartError::NoPoint(error.to_string());
        match &start.tangent {
            None => Curve::start(problem, &start.unknowns, parameter, self.steps()).map_err(no_point),
            Some(tangent) => Curve::through(problem, start.unknowns.clone(), tangent, self.steps()).map_err(no_point),
        }
    }

    /// The branch through a start, in both directions, or in that of its tangent.
    pub fn branch(&mut self, start: Start, watch: &mut dyn FnMut(usize, f64) -> bool) -> Result<Branch, StartError> {
        let start = mesh::meshed(self, start);
        let curve = self.curve(&start)?;
        let one_way = start.tangent.is_some();
        self.along(curve, &start, one_way, watch)
    }

    /// The branch through a start in both directions, as zeros of the VIVID function.
    pub fn branch_by_vivid(
        &mut self,
        start: Start,
        watch: &mut dyn FnMut(usize, f64) -> bool,
    ) -> Result<Branch, StartError> {
        let accuracy = (self.settings.tolerance, self.settings.flow);
        let unknowns = (&start.unknowns[..], &start.sizes[..]);
        let (vivid, own) =
            Vivid::of_signature(self.system, self.following.clone(), &start.signature, unknowns, accuracy)?;
        let sizes = self.weighted(&start);
        let equations = equations(self.system, self.following, start.signature.clone(), sizes, self.settings);
        let parameter = own.len() - 1;
        let curve = Curve::start(ByVivid { vivid, equations }, &own, parameter, self.steps());
        self.along(curve.map_err(|error| StartError::NoPoint(error.to_string()))?, &start, false, watch)
    }

    /// The branch along a curve, from its present point in its direction and, unless `one_way`, against it.
    pub fn along<F: Followed<'s>>(
        &mut self,
        mut curve: Curve<F>,
        start: &Start,
        one_way: bool,
        watch: &mut dyn FnMut(usize, f64) -> bool,
    ) -> Result<Branch, StartError> {
        let first = self.sample(&mut curve).map_err(|lost| StartError::NoPoint(lost.to_string()))?;
        let doubled = match start.signature.mirror {
            Some(_) => SpecialKind::SymmetryBreaking,
            None => SpecialKind::PeriodDoubling,
        };
        let plain = mesh::plain(&start.signature, &start.unknowns, &start.sizes, self.system.state_names().len());
        let mut count = 1;
        let mut upward = self.side(curve.clone(), first.clone(), &mut count, watch);
        let mut points = Vec::new();
        let mut special = Vec::new();
        let below = if one_way {
            Ended::Border { kind: SpecialKind::BranchPoint }
        } else if upward.ended == Ended::Closed {
            Ended::Closed
        } else {
            curve.reverse();
            let mut downward = self.side(curve, first.clone(), &mut count, watch);
            // The curve is told in one direction.
            for found in downward.samples.iter_mut() {
                found.sample.tangent.iter_mut().for_each(|t| *t = -*t);
            }
            downward.samples.reverse();
            for found in downward.samples {
                record(found, &mut points, &mut special);
            }
            downward.ended
        };
        // Where the start itself is special, no sign changes on either side.
        let opposite = first.point.multipliers.iter().any(|m| (m.norm() - 1.0).abs() < OPPOSITE);
        let own = (first.tests.doubling.sign == 0.0 && opposite).then(|| Mark::of(doubled));
        // A special point found at the start stands for it.
        let found = upward.samples.first().map(|found| &found.sample.point);
        let found = found.into_iter().chain(points.last()).any(|point| coincide(point, &first.point, &plain.sizes));
        if own.is_some() || !found {
            record(Found { sample: first, special: own }, &mut points, &mut special);
        }
        for found in upward.samples.drain(..) {
            record(found, &mut points, &mut special);
        }
        let accuracy = (self.settings.tolerance, self.settings.flow);
        let (signature, sizes) = (plain.signature.clone(), plain.sizes.clone());
        let mut problem = Equations::new(self.system, self.following.clone(), signature, sizes, accuracy);
        special.iter_mut().for_each(|special| special.sliding = sliding::sliding(&mut problem, special));
        Ok(Branch {
            signature: plain.signature,
            parameter: self.following.free()[0],
            sizes: plain.sizes,
            points,
            special,
            ended: [below, upward.ended],
            parent: None,
        })
    }

    fn sample<F: Followed<'s>>(&mut self, curve: &mut Curve<F>) -> Result<Sample, F::Failure> {
        let point = curve.point().clone();
        self.sample_of(curve.problem_mut(), point)
    }

    pub fn sample_of<F: Followed<'s>>(&mut self, problem: &mut F, point: Point) -> Result<Sample, F::Failure> {
        let seen = problem.seen(&point)?.into_owned();
        let equations = problem.signature_equations();
        let sample = Sample::new(equations, (point, &seen), &self.origin, &mut self.room);
        sample.map_err(F::lost)
    }

    /// Follows a curve from its present point, whose sample is `first`, as it goes.
    fn side<F: Followed<'s>>(
        &mut self,
        mut curve: Curve<F>,
        first: Sample,
        count: &mut usize,
        watch: &mut dyn FnMut(usize, f64) -> bool,
    ) -> Side {
        let (low, high) = self.settings.range;
        let mut samples: Vec<Found> = Vec::new();
        self.origin.last.clone_from(&first.point.state);
        let mut last = first.clone();
        let mut growth = homoclinic::Growth::new(&first);
        let parameter = curve.point().unknowns.len() - 1;
        if curve.point().tangent[parameter] != last.curve.tangent[parameter] {
            last.curve = curve.point().clone();
            last.tests.fold = curve.point().tangent[parameter];
            last.tests.branching.sign = curve.point().orientation;
        }
        let ended = loop {
            // Waypoints come in on the way.
            let parameter = curve.point().unknowns.len() - 1;
            if !watch(*count, curve.point().unknowns[parameter]) {
                break Ended::Interrupted;
            }
            if samples.len() >= self.settings.points {
                break Ended::Points;
            }
            let bound = if curve.point().tangent[parameter] > 0.0 { high } else { low };
            let at_end = curve.point().unknowns[parameter] == bound && !samples.is_empty();
            if at_end {
                break Ended::Range { value: bound };
            }
            let arrived = curve.reach(parameter, bound);
            if !arrived && let Err(Stop::Shortest { reason, rejection }) = curve.advance() {
                break self.border(&mut curve, &mut samples, &last, reason, rejection.to_string());
            }
            let sample = match self.sample(&mut curve) {
                Ok(sample) => sample,
                Err(lost) => {
                    let reason = lost.to_string();
                    break self.border(&mut curve, &mut samples, &last, Some(lost), reason);
                }
            };
            let outside = sample.curve.unknowns[parameter] > high || sample.curve.unknowns[parameter] < low;
            *count += 1;
            let mut met = self.between(&mut curve, &last, &sample);
            met.retain(|found| {
                let value = found.sample.curve.unknowns[parameter];
                // A fold may be the end of the range.
                let slack = 1e-12 * (high - low);
                low - slack <= value && value <= high + slack
            });
            let end = met.last().and_then(|found| found.special.as_ref()?.ended.clone());
            samples.append(&mut met);
            if let Some(ended) = end {
                break ended;
            }
            if outside {
                // A step that goes round a fold beyond the end of the range.
                let end = curve.locate_value(&last.curve, &sample.curve, parameter, bound);
                if let Ok(Some(point)) = end
                    && let Ok(sample) = self.sample_of(curve.problem_mut(), point)
                {
                    samples.push(Found { sample, special: None });
                }
                break Ended::Range { value: bound };
            }
            let returned = same_layout(&first, &sample) && {
                let sizes = curve.problem().sizes().to_vec();
                let circles = F::circles(curve.problem_mut(), &sample.curve);
                closes(&first.curve, &last.curve, &sample.curve, &sizes, &circles)
            };
            self.origin.last.clone_from(&sample.point.state);
            let limit = growth.follow(&sample);
            let remeshed = limit.is_none() && F::refine(self, &mut curve, &mut growth);
            last = sample.clone();
            if remeshed && let Ok(anew) = self.sample(&mut curve) {
                last = anew;
            }
            samples.push(Found { sample, special: None });
            if let Some(mut limit) = limit {
                if let Ok(seen) = curve.problem_mut().seen(&last.curve.clone()) {
                    let mut unknowns = seen.unknowns.clone();
                    if let Some(value) = unknowns.last_mut() {
                        *value = limit.value;
                    }
                    limit.saddle = homoclinic::saddle(curve.problem_mut().signature_equations(), &unknowns);
                }
                if let Some(found) = samples.last_mut() {
                    found.special = Some(Mark { homoclinic: Some(limit), ..Mark::of(SpecialKind::Homoclinic) });
                }
                break Ended::Border { kind: SpecialKind::Homoclinic };
            }
            if arrived {
                break Ended::Range { value: bound };
            }
            if returned {
                break Ended::Closed;
            }
            if last.inspection.shortest < -BACKWARD * first.point.period {
                break Ended::Border { kind: SpecialKind::End };
            }
            F::straighten(&mut curve);
        };
        if let Ended::Vanished { .. } = ended {
            without_doubtful(&mut samples, DOUBTFUL * (high - low));
        }
        Side { samples, ended }
    }
}

impl<'s> Tracer<'s, '_> {
    /// The end of a curve that goes no further: a border of its signature, if there is one near its last points.
    fn border<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        samples: &mut Vec<Found>,
        last: &Sample,
        failure: Option<F::Failure>,
        reason: String,
    ) -> Ended {
        match self.vanishing(curve, samples, last) {
            Some(Vanishing::Stick) => return Ended::Border { kind: SpecialKind::StickLoss },
            Some(what) => return Ended::Vanished { what },
            None => {}
        }
        if !failure.as_ref().is_some_and(F::is_incomplete) {
            return Ended::Stopped { reason };
        }
        let signature = curve.problem_mut().signature_equations().signature();
        let stick = |node: usize| last.inspection.sticks.iter().find(|s| s.0 == node).map_or(f64::INFINITY, |s| s.1);
        let chatters = signature.nodes.iter().enumerate().filter(|(_, node)| matches!(node.kind, Kind::Chatter { .. }));
        let Some(node) = chatters.map(|(k, _)| k).min_by(|&a, &b| stick(a).total_cmp(&stick(b))) else {
            return Ended::Stopped { reason };
        };
        if let Some(found) = samples.last_mut() {
            let contact = signature.nodes[node].kind.contact();
            found.special = Some(Mark { contact, place: Place::Node(node), ..Mark::of(SpecialKind::ChatterLoss) });
        }
        Ended::Border { kind: SpecialKind::ChatterLoss }
    }

    /// The border at which a flight, a slip or a lasting contact vanishes, if the last points of a curve lead to one: it becomes the last of them, in place
    /// of points so near to it that their equations are singular to rounding.
    fn vanishing<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        samples: &mut Vec<Found>,
        last: &Sample,
    ) -> Option<Vanishing> {
        let signature = curve.problem_mut().signature_equations().signature().clone();
        let events: Vec<usize> =
            (0..signature.nodes.len()).filter(|&k| signature.nodes[k].kind != Kind::Waypoint).collect();
        let nodes: Vec<&Node> = events.iter().map(|&k| &signature.nodes[k]).collect();
        let short = |k: &usize| last.inspection.durations.get(*k).is_some_and(|t| *t < SHORT * last.point.period);
        let mut vanishing: Vec<usize> =
            (0..events.len()).filter(|&k| limit::is_limit(&nodes, k)).filter(short).collect();
        let durations = &last.inspection.durations;
        vanishing.sort_by(|&a, &b| durations[a].total_cmp(&durations[b]));
        let trials: Vec<Sample> = samples
            .iter()
            .rev()
            .filter(|found| found.special.is_none())
            .take(TRIALS)
            .map(|f| f.sample.clone())
            .collect();
        for k in vanishing {
            for near in trials.iter().chain([last]).filter(|near| same_layout(near, last)) {
                let Some((mut sample, what)) = self.limit(curve, (near, k), last.curve.arclength) else { continue };
                let (low, high) = self.settings.range;
                let value = |sample: &Sample| sample.curve.unknowns.last().copied().unwrap_or(f64::NAN);
                let end = value(&sample);
                let slack = CLOSE * (high - low);
                // A time of zero solves the equations too, whatever the parameter.
                let gone = |near: &Sample| {
                    let time = near.inspection.durations.get(k);
                    same_layout(near, last) && time.is_some_and(|time| time.abs() <= GONE * near.point.period)
                };
                let is_near = |near: &Sample| (value(near) - end).abs() <= slack || gone(near);
                while samples.last().is_some_and(|found| is_near(&found.sample)) {
                    samples.pop();
                }
                sample.point.admissible |= samples.last().is_some_and(|found| found.sample.point.admissible);
                let kind = match what {
                    Vanishing::Stick => SpecialKind::StickLoss,
                    _ => SpecialKind::Boundary,
                };
                // Mirror images vanish together.
                for j in limit::mirrored(&nodes, &near.inspection.durations, k) {
                    let contact = nodes[j].kind.contact();
                    let mark = Mark { contact, place: Place::Node(events[j]), ..Mark::of(kind) };
                    samples.push(Found { sample: sample.clone(), special: Some(mark) });
                }
                return Some(what);
            }
        }
        None
    }
}

/// Takes out what lies within some distance before a last border and is virtual or special: heights of flights are the fourth power of their time and speeds the
/// third, so that beside the border they are rounding, and whether they are motions is, too.
fn without_doubtful(samples: &mut Vec<Found>, distance: f64) {
    let Some(mut limit) = samples.pop() else { return };
    let value = |found: &Found| found.sample.curve.unknowns.last().copied().unwrap_or(f64::NAN);
    let border = |found: &Found| {
        let kind = found.special.as_ref().map(|mark| mark.kind);
        let turn = matches!(kind, Some(SpecialKind::Fold | SpecialKind::BranchPoint));
        turn || matches!(kind, Some(SpecialKind::Boundary | SpecialKind::Graze))
    };
    while let Some(found) = samples.last()
        && (value(found) - value(&limit)).abs() <= distance
        && (!found.sample.point.admissible || border(found))
    {
        samples.pop();
    }
    limit.sample.point.admissible |= samples.last().is_some_and(|found| found.sample.point.admissible);
    samples.push(limit);
}

/// Whether two points of a curve are one, up to how well special points are located.
fn coincide(a: &super::BranchPoint, b: &super::BranchPoint, sizes: &[f64]) -> bool {
    let near = |((x, y), size): ((&f64, &f64), &f64)| (x - y).abs() <= LOCATED * size;
    a.unknowns.len() == b.unknowns.len() && a.unknowns.iter().zip(&b.unknowns).zip(sizes).all(near)
}

fn same_layout(a: &Sample, b: &Sample) -> bool {
    a.curve.unknowns.len() == b.curve.unknowns.len()
}

fn record(found: Found, points: &mut Vec<super::BranchPoint>, special: &mut Vec<Special>) {
    if let Some(mark) = found.special {
        special.push(Special {
            kind: mark.kind,
            point: found.sample.point.clone(),
            index: points.len(),
            contact: mark.contact,
            place: mark.place,
            tangent: found.sample.tangent.clone(),
            other: mark.other,
            homoclinic: mark.homoclinic,
            sliding: None,
        });
    }
    points.push(found.sample.point);
}
