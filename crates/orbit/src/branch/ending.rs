//! The end of a curve that cannot be followed further: the border at which a flight, a slip or a persistent contact vanishes is solved for from the last points, by
//! the equations without the event that vanishes (`coalescence`), and what lies behind it, where rounding decides, is removed.

use saltation_continuation::Curve;

use super::coalescence::{self, VANISHED_SPEED, Vanished};
use super::distinct::{VANISHED_TIME, is_border};
use super::followed::Followed;
use super::found::{Found, Mark, same_layout};
use super::sample::Sample;
use super::tracer::Tracer;
use super::{Ended, Place, SpecialKind, Vanishing};
use crate::signature::{ImpactSpeed, Inspection, Kind, Node};

/// Nearer than this to a border at which a flight vanishes, as a fraction of the range, rounding decides whether flights are motions.
pub(super) const DOUBTFUL_PARAMETER: f64 = 1e-6;
/// Times shorter than this fraction of the period may be about to vanish.
const SHORT_TIME: f64 = 0.05;
/// From so many of the last points a border is sought.
const BORDER_TRIALS: usize = 12;
/// Within the distance above, orbits with times shorter than this fraction of the period are decided by rounding: its fourth power is about that of doubles.
pub(super) const DOUBTFUL_TIME: f64 = 1e-3;
/// Of flights shorter than this fraction of the period rounding decides at any distance: the third power of this time is that of doubles.
pub(super) const ROUNDING_TIME: f64 = 1e-5;
/// Points this near to a border, as a fraction of the range of the parameter, have equations that are singular to rounding.
const SINGULAR_PARAMETER: f64 = 1e-9;

impl<'s> Tracer<'s, '_> {
    /// The end of a curve that cannot be followed further: a border of its signature, if there is one near its last points.
    pub(super) fn border<F: Followed<'s>>(
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
        if without_passed(samples, DOUBTFUL_PARAMETER * (self.settings.range.1 - self.settings.range.0)) {
            return Ended::Border { kind: SpecialKind::StickLoss };
        }
        let signature = curve.problem_mut().signature_equations().signature();
        let stick =
            |node: usize| last.inspection.sticks.iter().find(|s| s.node == node).map_or(f64::INFINITY, |s| s.value);
        let chatters = signature.nodes.iter().enumerate().filter(|(_, node)| matches!(node.kind, Kind::Chatter { .. }));
        let chatters = chatters.map(|(k, _)| k);
        // A sequence is lost where its impacts no longer accumulate, and where the contact lands so smoothly that nothing is left of them.
        let speeds = &last.inspection.speeds;
        let lands = |k: &usize| {
            let of_node = |s: &&ImpactSpeed| s.node == *k;
            speeds.iter().find(of_node).is_some_and(|s| s.speed.abs() <= VANISHED_SPEED * s.size)
        };
        let mut lost: Vec<usize> = chatters.clone().filter(lands).collect();
        if lost.is_empty() && failure.as_ref().is_some_and(F::is_incomplete) {
            lost.extend(chatters.min_by(|&a, &b| stick(a).total_cmp(&stick(b))));
        }
        if lost.is_empty() {
            return Ended::Stopped { reason };
        }
        // Mirror images are lost together.
        if let Some(end) = samples.pop() {
            samples.extend(lost.into_iter().map(|node| {
                let contact = signature.nodes[node].kind.contact();
                let mark = Mark { contact, place: Place::Node(node), ..Mark::of(SpecialKind::ChatterLoss) };
                Found { sample: end.sample.clone(), special: Some(mark) }
            }));
        }
        Ended::Border { kind: SpecialKind::ChatterLoss }
    }

    /// The border at which a flight, a slip or a persistent contact vanishes, if the last points of a curve lead to one: it becomes the last of them, in place
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
        let short = |k: &usize| last.inspection.durations.get(*k).is_some_and(|t| *t < SHORT_TIME * last.point.period);
        let mut vanishing: Vec<usize> =
            (0..events.len()).filter(|&k| coalescence::may_coalesce(&nodes, k)).filter(short).collect();
        // With a flight after a release its impacts vanish, and the flights between them are no borders of their own.
        let released = |j: &usize| coalescence::bounces(&nodes, *j).map(|impacts| (*j, impacts));
        let whole: Vec<(usize, usize)> = vanishing.iter().filter_map(released).collect();
        let count = events.len();
        let is_part = |k: usize| whole.iter().any(|&(j, impacts)| (1..=impacts).any(|i| (j + i) % count == k));
        vanishing.retain(|&k| !is_part(k));
        let durations = &last.inspection.durations;
        vanishing.sort_by(|&a, &b| durations[a].total_cmp(&durations[b]));
        let trials: Vec<Sample> = samples
            .iter()
            .rev()
            .filter(|found| found.special.is_none())
            .take(BORDER_TRIALS)
            .map(|f| f.sample.clone())
            .collect();
        let (low, high) = self.settings.range;
        let value = |sample: &Sample| sample.curve.unknowns.last().copied().unwrap_or(f64::NAN);
        let doubtful = DOUBTFUL_PARAMETER * (high - low);
        // The nearest border to the last point: from points further away Newton's method may come to another.
        let mut nearest: Option<(f64, usize, &Sample, Vanished)> = None;
        'found: for k in vanishing {
            let lasts =
                |found: &&Found| found.special.is_none() && found.sample.inspection.durations.get(k) > Some(&0.0);
            // Points behind the border lead to it as points before it do, but for rounding.
            let before = samples.iter().rev().find(lasts).map(|found| &found.sample);
            for near in trials.iter().chain([last]).chain(before).filter(|near| same_layout(near, last)) {
                let Some(border) = self.coalescence(curve, (near, None), k, last.curve.arclength) else { continue };
                let distance = (value(&border.sample) - value(last)).abs();
                let beside = distance <= doubtful.max((value(near) - value(last)).abs());
                if nearest.as_ref().is_none_or(|known| distance < known.0) {
                    nearest = Some((distance, k, near, border));
                }
                if beside {
                    break 'found;
                }
            }
        }
        let (_, k, near, Vanished { mut sample, what }) = nearest?;
        let (near, end) = (near.clone(), value(&sample));
        // From which side the curve comes.
        let away = |found: &&Found| (value(&found.sample) - end).abs() > doubtful;
        let side = samples.iter().rev().find(away).map_or(0.0, |found| value(&found.sample) - end);
        // A time of zero solves the equations too, whatever the parameter; beside the border it may be negative.
        let vanished = |near: &Sample| {
            let Some(time) = near.inspection.durations.get(k) else { return false };
            let shortest = VANISHED_TIME * near.point.period;
            let behind = (value(near) - end) * side < 0.0 && (value(near) - end).abs() <= doubtful;
            same_layout(near, last) && (*time <= shortest || behind)
        };
        let slack = SINGULAR_PARAMETER * (high - low);
        let is_near = |near: &Sample| (value(near) - end).abs() <= slack || vanished(near);
        while samples.last().is_some_and(|found| is_near(&found.sample)) {
            samples.pop();
        }
        sample.point.admissible |= leads_to_motions(samples);
        let kind = match what {
            Vanishing::Stick => SpecialKind::StickLoss,
            _ => SpecialKind::Boundary,
        };
        // Mirror images vanish together.
        for j in coalescence::mirrored(&nodes, &near.inspection.durations, k) {
            let contact = nodes[j].kind.contact();
            let mark = Mark { contact, place: Place::Node(events[j]), ..Mark::of(kind) };
            samples.push(Found { sample: sample.clone(), special: Some(mark) });
        }
        Some(what)
    }
}

/// Whether the orbits behind the last point are motions, as it is one itself: not behind another border.
fn leads_to_motions(samples: &[Found]) -> bool {
    let plain = |found: &Found| found.special.as_ref().is_none_or(|mark| !is_border(mark));
    samples.last().is_some_and(|found| found.sample.point.admissible && plain(found))
}

/// Removes the last points of a branch before a border at which a flight or a sequence vanishes, from the first on that is not admissible (virtual) or a
/// bifurcation: heights of flights are the fourth power of their time and speeds the third, so that beside the border rounding decides whether they are motions.
/// `events` are the nodes at which something happens.
pub(super) fn without_doubtful(samples: &mut Vec<Found>, distance: f64, events: &[usize]) {
    let value = |found: &Found| found.sample.curve.unknowns.last().copied().unwrap_or(f64::NAN);
    let Some(end) = samples.last().map(value) else { return };
    let kind = |found: &Found| found.special.as_ref().map(|mark| mark.kind);
    let ends = samples.last().and_then(kind);
    let limits = samples.iter().rev().take_while(|found| kind(found) == ends && value(found) == end).count();
    let limits = samples.split_off(samples.len() - limits.max(1));
    let short = |found: &Found| {
        let Inspection { shortest, speeds, .. } = &found.sample.inspection;
        let slow = |impact: &ImpactSpeed| impact.speed.abs() <= VANISHED_SPEED * impact.size;
        *shortest <= DOUBTFUL_TIME * found.sample.point.period || speeds.iter().any(slow)
    };
    let turn = |found: &Found| matches!(kind(found), Some(SpecialKind::Fold | SpecialKind::BranchPoint));
    let border = |found: &Found| matches!(kind(found), Some(SpecialKind::Boundary | SpecialKind::Graze));
    let bad = |found: &Found| turn(found) || border(found) || !found.sample.point.admissible;
    // A change of a determinant's sign with no other curve.
    let irregular = |found: &Found| {
        found.special.as_ref().is_some_and(|mark| mark.kind == SpecialKind::BranchPoint && mark.other.is_none())
    };
    // The times that vanish at the end: of a sequence that is lost also the one before it. Another time may vanish at a border of its own.
    let at = |limit: &Found| match limit.special.as_ref().map(|mark| (mark.kind, &mark.place)) {
        Some((kind, Place::Node(node))) => Some((kind, events.iter().position(|event| event == node)?)),
        _ => None,
    };
    let count = events.len();
    let times = |(kind, k): (SpecialKind, usize)| match kind {
        SpecialKind::ChatterLoss => vec![k, (k + count - 1) % count],
        _ => vec![k],
    };
    let ending: Vec<usize> = limits.iter().filter_map(at).flat_map(times).collect();
    let rounded = |found: &Found| {
        let durations = &found.sample.inspection.durations;
        let short = |k: &usize| durations.get(*k).is_some_and(|t| t.abs() <= ROUNDING_TIME * found.sample.point.period);
        ending.iter().any(short)
    };
    let near = |found: &&Found| (value(found) - end).abs() <= distance || rounded(found);
    let beside = samples.iter().rev().take_while(near).count();
    let first = samples.len() - beside;
    if let Some(from) = samples[first..].iter().position(|found| short(found) && bad(found) || irregular(found)) {
        samples.truncate(first + from);
    }
    let before = leads_to_motions(samples);
    samples.extend(limits);
    samples.iter_mut().rev().take_while(|found| value(found) == end).for_each(|x| x.sample.point.admissible |= before);
}

/// Removes the points within some distance behind a loss of a persistent contact that was passed, if the curve leads no further; whether there is one.
fn without_passed(samples: &mut Vec<Found>, distance: f64) -> bool {
    let value = |found: &Found| found.sample.curve.unknowns.last().copied().unwrap_or(f64::NAN);
    let loss = |found: &Found| found.special.as_ref().is_some_and(|mark| mark.kind == SpecialKind::StickLoss);
    let Some(last) = samples.iter().rposition(loss) else { return false };
    let end = value(&samples[last]);
    let beside = samples[last..].iter().all(|found| (value(found) - end).abs() <= distance);
    if beside {
        samples.truncate(last + 1);
    }
    beside
}
