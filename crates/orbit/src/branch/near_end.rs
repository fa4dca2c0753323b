//! Finds the end of a curve within a step on which a time vanishes: the last regular point before it, and the orbit at which an impact and the sequence of
//! chattering behind it vanish together.

use saltation_continuation::{Curve, Point};

use super::coalescence::VANISHED_SPEED;
use super::distinct::{Candidate, VANISHED_TIME};
use super::followed::Followed;
use super::found::Mark;
use super::sample::Sample;
use super::test_functions::events;
use super::tracer::Tracer;
use super::zero::Interval;
use super::{Ended, Place, SpecialKind};
use crate::signature::{ImpactSpeed, Kind, Signature};

/// Where a sequence vanishes with the impact before it the time between them is taken at this part of the time that has vanished.
const NEARLY_VANISHED: f64 = 0.1;

/// At these parts of a time that vanishes at the end of a curve the curve is regular.
const BEFORE_END: [f64; 4] = [1e-3, 1e-2, 0.1, 0.3];

impl<'s> Tracer<'s, '_> {
    /// The orbit at which an impact and the sequence after it vanish together, where the contact lands so smoothly that nothing is left of them: as near to it
    /// as times are known.
    pub(super) fn lost_sequence<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        between: Interval,
        index: usize,
        signature: &Signature,
    ) -> Option<Candidate> {
        let events = events(signature);
        let (node, next) = (events[index], events[(index + 1) % events.len()]);
        let Kind::Impact { contact } = signature.nodes[node].kind else { return None };
        if signature.nodes[next].kind != (Kind::Chatter { contact }) {
            return None;
        }
        let shortest = NEARLY_VANISHED * VANISHED_TIME * between.a.point.period;
        let (before, after) = (between.a.inspection.durations[index], between.b.inspection.durations[index]);
        if before <= shortest || after > shortest {
            return None;
        }
        let ended = Some(Ended::Border { kind: SpecialKind::ChatterLoss });
        let place = Place::Node(next);
        let mark = Mark { contact: Some(contact), place, ended, ..Mark::of(SpecialKind::ChatterLoss) };
        // Beside the end the equations are singular, and times are rounding: the nearest point that is known stands for it.
        let times = std::iter::once(shortest).chain(BEFORE_END.map(|share| share * before));
        let times: Vec<f64> = times.filter(|time| *time >= shortest).collect();
        let ends = [between.b, between.a].into_iter().filter(|end| end.inspection.durations[index] > 0.0);
        let vanished = |speeds: &[ImpactSpeed]| [node, next].iter().all(|&k| has_vanished(speeds, k));
        let located = times.iter().find_map(|&time| {
            let point = self.point_of_duration(curve, between, node, time)?;
            vanished(&self.inspection(curve, &point)?.speeds).then_some(point)
        });
        let known = || ends.clone().find(|end| vanished(&end.inspection.speeds)).map(|end| end.curve.clone());
        Some(Candidate { point: located.or_else(known)?, mark, touching: None, double: false })
    }

    /// A point between two at which the time that vanishes after an event is nearly zero.
    pub(super) fn before_end<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        between: Interval,
        index: usize,
        signature: &Signature,
    ) -> Option<Sample> {
        let time = between.a.inspection.durations[index];
        let node = events(signature)[index];
        let point = BEFORE_END.iter().find_map(|share| self.point_of_duration(curve, between, node, share * time))?;
        self.sample_of(curve.problem_mut(), point).ok()
    }

    /// The point between two at which the time after a node has a value.
    fn point_of_duration<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        between: Interval,
        node: usize,
        value: f64,
    ) -> Option<Point> {
        let mut excess = |problem: &mut F, point: &Point| {
            let seen = problem.signature_point(point).ok()?;
            Some(seen.unknowns[problem.signature_equations().layout().time(node)] - value)
        };
        curve.locate_between(&between.a.curve, &between.b.curve, &mut excess).ok().flatten()
    }
}

/// Whether nothing but rounding is left of the impact at a node.
fn has_vanished(speeds: &[ImpactSpeed], node: usize) -> bool {
    speeds.iter().any(|s| s.node == node && s.speed.abs() <= VANISHED_SPEED * s.size)
}
