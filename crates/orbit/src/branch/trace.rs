//! Follows a branch to its ends, point by point in both directions, and decides why it ends.

use saltation_continuation::{Curve, Point, Settings as Steps, Stop};
use saltation_motion::extension::Lost;
use saltation_numerics::dense;

use super::ending::{DOUBTFUL_PARAMETER, without_doubtful};
use super::followed::{ByVivid, Followed};
use super::found::{Found, Mark, same_layout};
use super::homoclinic::Homoclinic;
use super::monitor::Monitor;
use super::sample::{Sample, UNIT_MULTIPLIER, closing};
use super::test_functions::events;
use super::tracer::{Start, Tracer};
use super::{Branch, Ended, Special, SpecialKind, StartError, Vanishing, homoclinic, mesh, sliding};
use crate::signature::Equations;
use crate::vivid::Vivid;

/// One side of a branch.
struct Side {
    samples: Vec<Found>,
    ended: Ended,
}

/// Corrections of Newton's method that stop to shrink below this are rounding: the ends of chattering are known to some ten digits.
const CORRECTION_ROUNDING: f64 = 1e-9;
/// A time between events that has become this negative, as a fraction of the period, leads to no orbit any more.
const NEGATIVE_TIME: f64 = 0.5;
/// Points whose unknowns differ by less than this, relative to their sizes, are one: bifurcations are located this well.
const SAME_UNKNOWNS: f64 = 1e-9;
/// Values beyond the range by less than this fraction of its width lie in it.
const RANGE_ROUNDING: f64 = 1e-12;

impl<'s, 'a> Tracer<'s, 'a> {
    /// How a curve with so many unknowns is followed.
    pub(crate) fn steps(&self) -> Steps {
        Steps {
            stagnation: CORRECTION_ROUNDING,
            first_step: 0.25 * self.settings.longest_step,
            longest_step: self.settings.longest_step,
            ..Steps::default()
        }
    }

    /// The sizes in the metric: every state and time has its share, however many events there are.
    pub(crate) fn weighted(&self, start: &Start) -> Vec<f64> {
        let parameter = start.signature.layout(self.system.state_names().len()).parameters;
        let share = (parameter as f64).sqrt();
        let weighted = |(i, size): (usize, &f64)| if i < parameter { size * share } else { *size };
        start.sizes.iter().enumerate().map(weighted).collect()
    }

    /// The curve through a start.
    pub(crate) fn curve(&self, start: &Start) -> Result<Curve<Equations<'s>>, StartError> {
        let parameter = start.signature.layout(self.system.state_names().len()).parameters;
        let sizes = self.weighted(start);
        let problem = self.equations_with(start, sizes);
        let no_point = |error: saltation_continuation::StartError<Lost>| StartError::NoPoint(error.to_string());
        match &start.tangent {
            None => Curve::start(problem, &start.unknowns, parameter, self.steps()).map_err(no_point),
            Some(tangent) => Curve::through(problem, start.unknowns.clone(), tangent, self.steps()).map_err(no_point),
        }
    }

    /// The branch through a start, in both directions, or in that of its tangent.
    pub(crate) fn branch(&mut self, start: Start, monitor: &mut dyn Monitor) -> Result<Branch, StartError> {
        let start = mesh::meshed(self, start);
        let curve = self.curve(&start)?;
        let one_way = start.tangent.is_some();
        self.along(curve, &start, one_way, monitor)
    }

    /// The branch through a start in both directions, as zeros of the VIVID function.
    pub(crate) fn branch_by_vivid(&mut self, start: Start, monitor: &mut dyn Monitor) -> Result<Branch, StartError> {
        let accuracy = (self.settings.tolerance, self.settings.flow);
        let unknowns = (&start.unknowns[..], &start.sizes[..]);
        let (vivid, own) =
            Vivid::of_signature(self.system, self.following.clone(), &start.signature, unknowns, accuracy)?;
        let sizes = self.weighted(&start);
        let equations = self.equations_with(&start, sizes);
        let parameter = own.len() - 1;
        let curve = Curve::start(ByVivid { vivid, equations }, &own, parameter, self.steps());
        self.along(curve.map_err(|error| StartError::NoPoint(error.to_string()))?, &start, false, monitor)
    }

    /// The branch along a curve, from its present point in its direction and, unless `one_way`, against it.
    pub(crate) fn along<F: Followed<'s>>(
        &mut self,
        mut curve: Curve<F>,
        start: &Start,
        one_way: bool,
        monitor: &mut dyn Monitor,
    ) -> Result<Branch, StartError> {
        let first = self.sample(&mut curve).map_err(|lost| StartError::NoPoint(lost.to_string()))?;
        monitor.point(first.curve.unknowns[first.curve.unknowns.len() - 1], &first.point, None);
        let doubled = match start.signature.mirror {
            Some(_) => SpecialKind::SymmetryBreaking,
            None => SpecialKind::PeriodDoubling,
        };
        let plain = mesh::plain(&start.signature, &start.unknowns, &start.sizes, self.system.state_names().len());
        let mut count = 1;
        let mut upward = self.side(curve.clone(), first.clone(), &mut count, monitor);
        let mut points = Vec::new();
        let mut special = Vec::new();
        let below = if one_way {
            Ended::Border { kind: SpecialKind::BranchPoint }
        } else if upward.ended == Ended::Closed {
            Ended::Closed
        } else {
            curve.reverse();
            let mut downward = self.side(curve, first.clone(), &mut count, monitor);
            // The curve is reported in one direction.
            for found in downward.samples.iter_mut() {
                found.sample.tangent.iter_mut().for_each(|t| *t = -*t);
            }
            downward.samples.reverse();
            for found in downward.samples {
                record(found, &mut points, &mut special);
            }
            downward.ended
        };
        // Where the start itself is a bifurcation, no sign changes on either side.
        let opposite = first.point.multipliers.iter().any(|m| (dense::modulus(m) - 1.0).abs() < UNIT_MULTIPLIER);
        let own = (first.tests.doubling.sign == 0.0 && opposite).then(|| Mark::of(doubled));
        // A bifurcation found at the start replaces it.
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

    pub(crate) fn sample_of<F: Followed<'s>>(&mut self, problem: &mut F, point: Point) -> Result<Sample, F::Failure> {
        let seen = problem.signature_point(&point)?.into_owned();
        let equations = problem.signature_equations();
        let sample = Sample::new(equations, point, &seen, &self.origin, &mut self.scratch);
        sample.map_err(F::lost)
    }

    /// Follows a curve from its present point, whose sample is `first`, in its direction.
    fn side<F: Followed<'s>>(
        &mut self,
        mut curve: Curve<F>,
        first: Sample,
        count: &mut usize,
        monitor: &mut dyn Monitor,
    ) -> Side {
        let (low, high) = self.settings.range;
        let mut samples: Vec<Found> = Vec::new();
        let mut reported = 0;
        self.origin.last.clone_from(&first.point.state);
        let mut last = first.clone();
        let mut before = first.clone();
        let mut growth = homoclinic::Growth::new(&first);
        let parameter = curve.point().unknowns.len() - 1;
        if curve.point().tangent[parameter] != last.curve.tangent[parameter] {
            last.curve = curve.point().clone();
            last.tests.fold = curve.point().tangent[parameter];
            last.tests.branching.sign = curve.point().orientation;
        }
        let ended = loop {
            // The number of unknowns changes where waypoints are inserted.
            let parameter = curve.point().unknowns.len() - 1;
            reported = report(monitor, &samples, reported);
            if !monitor.see(*count, curve.point().unknowns[parameter]) {
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
            let arrived = curve.step_onto(parameter, bound);
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
            *count += 1;
            let longest = NEGATIVE_TIME * first.point.period;
            // Beside an orbit whose period has lost half of its digits there is none.
            let least = f64::EPSILON.sqrt() * first.point.period;
            let (sample, over) = if sample.point.period < least {
                let ended = Ended::Vanished { what: Vanishing::Period };
                let above = |times: &mut dyn Iterator<Item = f64>| times.sum::<f64>() - least;
                let Some(shrunk) = self.located(&mut curve, &last, &sample, &above) else { break ended };
                (shrunk, Some(ended))
            } else if sample.inspection.shortest < -longest {
                let above = |times: &mut dyn Iterator<Item = f64>| longest + times.fold(f64::INFINITY, f64::min);
                let located = self.located(&mut curve, &last, &sample, &above);
                (located.unwrap_or(sample), Some(Ended::Border { kind: SpecialKind::End }))
            } else {
                (sample, None)
            };
            if let Some(ended) = self.detected(&mut curve, [&before, &last, &sample], bound, &mut samples) {
                break ended;
            }
            if same_layout(&first, &sample) {
                let sizes = curve.problem().sizes().to_vec();
                let circles = F::circles(curve.problem_mut(), &sample.curve);
                if let Some(end) = closing(&first.curve, &last.curve, &sample.curve, &sizes, &circles) {
                    // What lies on this step behind the first point was found on the first one.
                    samples.retain(|found| found.sample.curve.arclength <= end);
                    let mut closed = first.clone();
                    closed.curve.arclength = end;
                    samples.push(Found { sample: closed, special: None });
                    break Ended::Closed;
                }
            }
            self.origin.last.clone_from(&sample.point.state);
            let limit = growth.follow(&sample);
            let remeshed = limit.is_none() && F::refine(self, &mut curve, &mut growth);
            before = std::mem::replace(&mut last, sample.clone());
            if remeshed && let Ok(refined) = self.sample(&mut curve) {
                last = refined;
            }
            samples.push(Found { sample, special: None });
            if let Some(limit) = limit {
                if let Some(found) = samples.last_mut() {
                    let homoclinic = Some(with_saddle(&mut curve, &last, limit));
                    found.special = Some(Mark { homoclinic, ..Mark::of(SpecialKind::Homoclinic) });
                }
                break Ended::Border { kind: SpecialKind::Homoclinic };
            }
            // The point at which no orbit is left lies before that at which the range ends.
            if let Some(ended) = over {
                if let (Ended::Vanished { .. }, Some(found)) = (&ended, samples.last_mut()) {
                    found.special = Some(Mark::of(SpecialKind::Boundary));
                }
                break ended;
            }
            if arrived {
                break Ended::Range { value: bound };
            }
            F::straighten(&mut curve);
        };
        report(monitor, &samples, reported);
        if matches!(ended, Ended::Vanished { .. } | Ended::Border { kind: SpecialKind::ChatterLoss }) {
            let events = events(curve.problem_mut().signature_equations().signature());
            without_doubtful(&mut samples, DOUBTFUL_PARAMETER * (high - low), &events);
        }
        Side { samples, ended }
    }

    /// The point between two points at which a function of the times between events is zero.
    fn located<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        last: &Sample,
        sample: &Sample,
        function: &dyn Fn(&mut dyn Iterator<Item = f64>) -> f64,
    ) -> Option<Sample> {
        let mut test = |problem: &mut F, point: &Point| {
            let seen = problem.signature_point(point).ok()?;
            let times = &problem.signature_equations().layout().times;
            Some(function(&mut times.iter().map(|time| seen.unknowns[time.unknown])))
        };
        let point = curve.locate_between(&last.curve, &sample.curve, &mut test).ok().flatten()?;
        self.sample_of(curve.problem_mut(), point).ok()
    }

    /// Adds what lies on the step from one point to the next; why the curve ends on it, if it does.
    fn detected<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        [before, last, sample]: [&Sample; 3],
        bound: f64,
        samples: &mut Vec<Found>,
    ) -> Option<Ended> {
        let (low, high) = self.settings.range;
        let parameter = sample.curve.unknowns.len() - 1;
        let mut found = self.detect(curve, (last, sample), &|_| true);
        let ends = |found: &Found| found.special.as_ref().is_some_and(|mark| mark.ended.is_some());
        if !found.iter().any(ends) {
            self.paired_folds(curve, (last, sample), &mut found);
            let pairs = self.pairs(curve, (last, sample), before, &found);
            found.extend(pairs);
            found.sort_by(|a, b| a.sample.curve.arclength.total_cmp(&b.sample.curve.arclength));
            // With the point after them more is known of the two before.
            let from = samples.iter().rposition(|one| one.sample.curve.arclength <= before.curve.arclength);
            let known = samples.split_off(from.map_or(0, |from| from + 1));
            let pairs = self.pairs(curve, (before, last), sample, &known);
            samples.extend(known);
            let at = samples.len().saturating_sub(1);
            samples.splice(at..at, pairs);
        }
        found.retain(|found| {
            let value = found.sample.curve.unknowns[parameter];
            // A fold may be the end of the range.
            let slack = RANGE_ROUNDING * (high - low);
            low - slack <= value && value <= high + slack
        });
        let end = found.last().and_then(|found| found.special.as_ref()?.ended.clone());
        samples.append(&mut found);
        if end.is_some() {
            return end;
        }
        let outside = sample.curve.unknowns[parameter] > high || sample.curve.unknowns[parameter] < low;
        if !outside {
            return None;
        }
        // A step around a fold beyond the end of the range.
        let end = curve.locate_value(&last.curve, &sample.curve, parameter, bound);
        if let Ok(Some(point)) = end
            && let Ok(sample) = self.sample_of(curve.problem_mut(), point)
        {
            samples.push(Found { sample, special: None });
        }
        Some(Ended::Range { value: bound })
    }
}

/// Shows the samples from a position on; the number of all.
fn report(monitor: &mut dyn Monitor, samples: &[Found], from: usize) -> usize {
    for Found { sample, special } in samples.get(from..).unwrap_or_default() {
        monitor.point(
            sample.curve.unknowns[sample.curve.unknowns.len() - 1],
            &sample.point,
            special.as_ref().map(|mark| mark.kind),
        );
    }
    samples.len()
}

/// The law by which a period grows, with the saddle that the orbit at the last point comes near.
fn with_saddle<'s, F: Followed<'s>>(curve: &mut Curve<F>, last: &Sample, mut law: Homoclinic) -> Homoclinic {
    if let Ok(seen) = curve.problem_mut().signature_point(&last.curve) {
        let mut unknowns = seen.unknowns.clone();
        if let Some(value) = unknowns.last_mut() {
            *value = law.value;
        }
        law.saddle = homoclinic::saddle(curve.problem_mut().signature_equations(), &unknowns);
    }
    law
}

/// Whether two points of a curve are one, up to how well bifurcations are located.
fn coincide(a: &super::BranchPoint, b: &super::BranchPoint, sizes: &[f64]) -> bool {
    let near = |((x, y), size): ((&f64, &f64), &f64)| (x - y).abs() <= SAME_UNKNOWNS * size;
    a.unknowns.len() == b.unknowns.len() && a.unknowns.iter().zip(&b.unknowns).zip(sizes).all(near)
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
            not_followed: None,
        });
    }
    points.push(found.sample.point);
}
