//! Detects bifurcations and borders between two neighbouring points of a branch: every test function that changes its sign is solved for on the curve
//! between them by bracketing on corrected points, or by Newton's method where the curve cannot be followed to its zero.

use std::borrow::Cow;

use saltation_continuation::Crossing::Jump;
use saltation_continuation::{Curve, Point};

use super::coalescence::{self, Vanished};
use super::distinct::{Candidate, Coalesced, VANISHED_TIME, admit_borders, distinct, end_at_coalescences, is_border};
use super::ending::DOUBTFUL_TIME;
use super::followed::Followed;
use super::found::{Found, Mark};
use super::sample::Sample;
use super::test_functions::{Location, Quantity, TestFunction, events};
use super::touch::{self, Run, Touching};
use super::tracer::Tracer;
use super::zero::{Interval, Zero};
use super::{Ended, Place, SpecialKind};
use crate::signature::{Kind, Node, Signature};

/// A gap below zero by more than this part of its state is no rounding.
const DEEP: f64 = 1e-9;

impl<'s> Tracer<'s, '_> {
    /// What lies between two neighbouring points by the test functions that are wanted, in the order of the curve.
    pub(super) fn detect<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        (a, b): (&Sample, &Sample),
        wanted: &dyn Fn(&TestFunction) -> bool,
    ) -> Vec<Found> {
        let between = Interval { a, b };
        let signature = curve.problem_mut().signature_equations().signature().clone();
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut coalesced: Vec<Coalesced> = Vec::new();
        let mut unsolved: Vec<TestFunction> = Vec::new();
        let mut solved: Vec<(&TestFunction, Interval, usize)> = Vec::new();
        let borders = wanted(&TestFunction { kind: SpecialKind::Boundary, ..TestFunction::fold() });
        let touches = if borders { self.touches(curve, between) } else { Vec::new() };
        let nodes = event_nodes(&signature);
        let vanishing = |test: &TestFunction| match test.quantity {
            Quantity::Duration { index, .. } if coalescence::may_coalesce(&nodes, index) => Some(index),
            _ => None,
        };
        for test in TestFunction::table(a, b, &signature).iter().filter(|test| wanted(test)) {
            let Some(index) = vanishing(test) else { continue };
            if touches.iter().any(|(run, _)| run.explains(test)) || coalesced.iter().any(|known| known.contains(index))
            {
                continue;
            }
            // Time zero solves the equations of what vanishes, and a step may lead there.
            let ends = test.changes_sign(a, b) || vanishes(a, b, index);
            let found = if ends { self.coalesced(curve, between, index, &signature) } else { None };
            match found {
                Some(known) => coalesced.push(known),
                None => candidates.extend(self.lost_sequence(curve, between, index, &signature)),
            }
        }
        // The curve ends where something vanishes: what lies before is sought up to there.
        let end = coalesced.iter().find(|known| known.ends(&a.inspection.durations));
        let end = end.and_then(|end| self.before_end(curve, between, end.index, &signature));
        let mut tests: Vec<(TestFunction, Interval)> = Vec::new();
        for part in end.iter().map(|end| Interval { a, b: end }).chain([between]) {
            for test in TestFunction::table(a, part.b, &signature) {
                let fresh = tests.iter().all(|(known, _)| known.quantity != test.quantity);
                if fresh && wanted(&test) && vanishing(&test).is_none() && test.changes_sign(a, part.b) {
                    tests.push((test, part));
                }
            }
        }
        for (test, between) in &tests {
            let between = *between;
            if touches.iter().any(|(run, _)| run.explains(test)) {
                continue;
            }
            let Some(zero) = self.zero(curve, between, test) else {
                unsolved.push(test.clone());
                continue;
            };
            if test.kind == SpecialKind::Hopf {
                // The curve goes through the equilibrium and repeats the same orbits.
                if let Ok(sample) = self.sample_of(curve.problem_mut(), zero.point) {
                    let ended = Some(Ended::Border { kind: SpecialKind::Hopf });
                    return vec![Found { sample, special: Some(Mark { ended, ..Mark::of(SpecialKind::Hopf) }) }];
                }
                continue;
            }
            solved.push((test, between, candidates.len()));
            candidates.push(Candidate {
                mark: mark(test, &zero),
                point: zero.point,
                touching: None,
                double: test.has_double_zero(),
            });
        }
        let width = self.settings.range.1 - self.settings.range.0;
        let crossings = candidates.iter().filter(|one| one.mark.kind == SpecialKind::BranchPoint);
        let crossings: Vec<Point> = crossings.map(|one| one.point.clone()).collect();
        for (test, point) in unsolved.iter().flat_map(|test| crossings.iter().map(move |point| (test, point))) {
            if let Some(zero) = self.zero_at(curve, between, test, point) {
                candidates.push(Candidate {
                    mark: mark(test, &zero),
                    point: zero.point,
                    touching: None,
                    double: test.has_double_zero(),
                });
            }
        }
        // What vanishes where curves cross is known there to all digits, and beside it to half of them.
        for (test, between, index) in solved {
            let value = |point: &Point| point.unknowns.last().copied().unwrap_or(f64::NAN);
            let beside = crossings.iter().find(|point| candidates[index].is_near(value(point), width));
            if let Some(zero) = beside.and_then(|point| self.zero_at(curve, between, test, point)) {
                (candidates[index].mark, candidates[index].point) = (mark(test, &zero), zero.point);
            }
        }
        candidates.extend(touches.into_iter().map(|(_, candidate)| candidate));
        self.without_grazes_at_releases(curve, &mut candidates, width);
        let mut kept = distinct(candidates, width);
        let named = |one: &Candidate| is_border(&one.mark) || one.mark.kind == SpecialKind::ChatterLoss;
        let bordered = !coalesced.is_empty() || kept.iter().any(named);
        if a.point.admissible != b.point.admissible && !bordered && borders {
            kept.extend(self.loss_of_admissibility(curve, between));
            kept.sort_by(|a, b| a.point.arclength.total_cmp(&b.point.arclength));
        }
        let mut found = Vec::new();
        for Candidate { point, mark, touching, .. } in kept {
            let counts = touching.or_else(|| self.grazing(curve, &mark, &point));
            if let Ok(mut sample) = self.sample_of(curve.problem_mut(), point) {
                // Rounding decides which sign a speed of zero has, and which way a flight without length goes: the orbit without these impacts counts.
                sample.point.admissible = counts.unwrap_or(sample.point.admissible);
                if mark.kind == SpecialKind::ChatterLoss {
                    sample.point.admissible = a.point.admissible;
                }
                if touching.is_some() {
                    // The returns of perturbations with flights and without have no common derivative.
                    sample.point.multipliers.clear();
                    sample.point.stable = false;
                }
                found.push(Found { sample, special: Some(mark) });
            }
        }
        if borders {
            self.lost_before(curve, between, &mut found);
        }
        let ends = end_at_coalescences(&mut found, coalesced, &a.inspection.durations, width);
        admit_borders(&mut found, (a.point.admissible, b.point.admissible && !ends), width);
        found
    }

    /// The orbits between two points at which flights between impacts vanish.
    fn touches<F: Followed<'s>>(&mut self, curve: &mut Curve<F>, between: Interval) -> Vec<(Run, Candidate)> {
        let (a, b) = (&between.a.inspection.durations, &between.b.inspection.durations);
        if a.iter().zip(b).all(|(a, b)| (*a > 0.0) == (*b > 0.0)) {
            return Vec::new();
        }
        let Ok(seen) = curve.problem_mut().signature_point(&between.a.curve).map(Cow::into_owned) else {
            return Vec::new();
        };
        let runs = touch::runs(curve.problem_mut().signature_equations(), &seen.unknowns, a, b);
        runs.into_iter().filter_map(|run| Some((run.clone(), self.touch_between(curve, between, &run)?))).collect()
    }

    fn touch_between<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        between: Interval,
        run: &Run,
    ) -> Option<Candidate> {
        let (a, b) = (&between.a.curve, &between.b.curve);
        let from = curve.problem_mut().signature_point(a).ok()?.into_owned();
        let to = curve.problem_mut().signature_point(b).ok()?.into_owned();
        let family = curve.problem_mut().signature_equations().clone();
        let time = family.layout().time(run.first());
        let (before, after) = (from.unknowns[time], to.unknowns[time]);
        let share = before / (before - after);
        let guess: Vec<f64> = from.unknowns.iter().zip(&to.unknowns).map(|(x, y)| x + share * (y - x)).collect();
        let Touching { unknowns, admissible } = self.touching(&family, run, &guess)?;
        let point = self.placed(between, (&from, &to), share, family, unknowns)?;
        let mark =
            Mark { contact: Some(run.contact), place: Place::Node(run.first()), ..Mark::of(SpecialKind::Boundary) };
        Some(Candidate { point, mark, touching: Some(admissible), double: false })
    }

    /// Whether the orbit at the graze of an impact is a motion without that impact.
    fn grazing<F: Followed<'s>>(&mut self, curve: &mut Curve<F>, mark: &Mark, point: &Point) -> Option<bool> {
        let Mark { kind: SpecialKind::Graze, place: Place::Node(node), .. } = *mark else { return None };
        let seen = curve.problem_mut().signature_point(point).ok()?.into_owned();
        let family = curve.problem_mut().signature_equations().clone();
        self.is_motion(&family, node, &seen.unknowns)
    }

    /// The orbit at which what lies after an event vanishes, once for each contact.
    fn coalesced<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        Interval { a, b }: Interval,
        index: usize,
        signature: &Signature,
    ) -> Option<Coalesced> {
        let (events, nodes) = (events(signature), event_nodes(signature));
        let (before, after) = (a.inspection.durations[index], b.inspection.durations[index]);
        let share = (before / (before - after)).clamp(0.0, 1.0);
        let arclength = a.curve.arclength + share * (b.curve.arclength - a.curve.arclength);
        let (near, behind) = if before > 0.0 { (a, b) } else { (b, a) };
        let Vanished { sample, what } = self.coalescence(curve, (near, Some(behind)), index, arclength)?;
        let together = coalescence::together(&nodes, &near.inspection.durations, index);
        // The curve ends at the last of them.
        let all = coalescence::mirrored(&nodes, &near.inspection.durations, index);
        let found = all.iter().enumerate().map(|(i, &j)| {
            let (contact, place) = (nodes[j].kind.contact(), Place::Node(events[j]));
            let ended = (i + 1 == all.len()).then_some(Ended::Vanished { what });
            let mark = Mark { contact, place, ended, ..Mark::of(SpecialKind::Boundary) };
            Found { sample: sample.clone(), special: Some(mark) }
        });
        Some(Coalesced { index, together, found: found.collect() })
    }

    /// Leaves out the grazes of flights that begin and vanish at a release without rate: they are that border.
    fn without_grazes_at_releases<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        candidates: &mut Vec<Candidate>,
        width: f64,
    ) {
        let releases: Vec<(usize, usize, f64)> =
            candidates.iter().filter_map(Candidate::release_without_rate).collect();
        if releases.is_empty() {
            return;
        }
        candidates.retain(|one| {
            let Mark { kind: SpecialKind::Graze, contact: Some(contact), ref place, .. } = one.mark else {
                return true;
            };
            let Ok(seen) = curve.problem_mut().signature_point(&one.point) else { return true };
            let unknowns = seen.unknowns.clone();
            let family = curve.problem_mut().signature_equations();
            let nodes = &family.signature().nodes;
            let next =
                |k: usize| (1..nodes.len()).map(|j| (k + j) % nodes.len()).find(|&j| nodes[j].kind != Kind::Waypoint);
            let time = |k: usize| match *place {
                Place::Between { ref site, .. } if site.node == k => Some(site.time),
                Place::Node(node) if next(k) == Some(node) => Some(unknowns[family.layout().time(k)]),
                _ => None,
            };
            let period: f64 = (0..nodes.len()).map(|k| family.layout().duration(k, &unknowns)).sum();
            !releases.iter().any(|&(node, own, value)| {
                let there = one.is_near(value, width) && own == contact;
                there && time(node).is_some_and(|time| time.abs() <= DOUBTFUL_TIME * period)
            })
        });
    }

    /// Adds where orbits become inadmissible (virtual) between two points and the border nearest to an admissible one, if at that border itself an orbit
    /// penetrates by more than rounding: a minimum of a gap was born before.
    fn lost_before<F: Followed<'s>>(&mut self, curve: &mut Curve<F>, between: Interval, found: &mut Vec<Found>) {
        let mut borders = found.iter().filter(|one| one.special.as_ref().is_some_and(is_border));
        let penetrates = |sample: &Sample| {
            let low = sample.inspection.penetrated.and_then(|contact| sample.inspection.gaps[contact].as_ref());
            low.is_some_and(|low| low.value < -DEEP * low.site.state.iter().fold(0.0_f64, |m, x| m.max(x.abs())))
        };
        let (a, b) = (between.a, between.b);
        let (border, at_end) = match (a.point.admissible, b.point.admissible) {
            (true, false) => (borders.next(), false),
            (false, true) => (borders.next_back(), true),
            _ => return,
        };
        let Some(border) = border.map(|one| one.sample.clone()).filter(penetrates) else { return };
        let interval = if at_end { Interval { a: &border, b } } else { Interval { a, b: &border } };
        let Some(lost) = self.loss_of_admissibility(curve, interval) else { return };
        if let Ok(sample) = self.sample_of(curve.problem_mut(), lost.point) {
            let at = if at_end { found.len() } else { 0 };
            found.insert(at, Found { sample, special: Some(lost.mark) });
        }
    }

    /// Where orbits become inadmissible (virtual) between two points although no test function has changed its sign: a minimum of a gap may have
    /// been born meanwhile, events may have come in another order, or a contact that should begin may be pulled open.
    fn loss_of_admissibility<F: Followed<'s>>(&mut self, curve: &mut Curve<F>, between: Interval) -> Option<Candidate> {
        let workspace = &mut self.scratch.workspace;
        let mut inspected = |problem: &mut F, point: &Point| {
            let seen = problem.signature_point(point).ok()?.into_owned();
            let inspection = problem.signature_equations().inspect(&seen.unknowns, None, workspace).ok()?;
            Some((seen, inspection))
        };
        let crossing =
            curve.crossing_between(&between.a.curve, &between.b.curve, &mut |problem: &mut F, point: &Point| {
                inspected(problem, point).map(|(_, inspection)| if inspection.admissible { 1.0 } else { -1.0 })
            });
        let Ok(Jump { before, after }) = crossing else { return None };
        let (seen_before, of_before) = inspected(curve.problem_mut(), &before)?;
        let (seen_after, of_after) = inspected(curve.problem_mut(), &after)?;
        let (seen, bad, good, point) = match of_before.admissible {
            true => (seen_after, of_after, of_before, before),
            false => (seen_before, of_before, of_after, after),
        };
        let penetrated = bad.penetrated.filter(|_| good.penetrated.is_none());
        let layout = curve.problem_mut().signature_equations().layout().clone();
        let mark = if let Some(low) = penetrated.and_then(|contact| bad.gaps[contact].clone()) {
            let (contact, site) = (low.contact, low.site);
            Mark { contact: Some(contact), place: Place::Between { contact, site }, ..Mark::of(SpecialKind::Graze) }
        } else if bad.shortest < 0.0 {
            let time = |&k: &usize| seen.unknowns[layout.time(k)];
            let node = (0..layout.times.len()).min_by(|x, y| time(x).total_cmp(&time(y)))?;
            let contact = curve.problem_mut().signature_equations().signature().nodes[node].kind.contact();
            Mark { contact, place: Place::Node(node), ..Mark::of(SpecialKind::Boundary) }
        } else {
            Mark { contact: bad.unlawful.filter(|_| good.unlawful.is_none()), ..Mark::of(SpecialKind::Boundary) }
        };
        Some(Candidate { point: *point, mark, touching: None, double: false })
    }
}

/// Whether the time after an event is zero at the second of two points, and not at the first.
fn vanishes(a: &Sample, b: &Sample, index: usize) -> bool {
    let shortest = VANISHED_TIME * a.point.period;
    let time = |sample: &Sample| sample.inspection.durations.get(index).copied().unwrap_or(f64::NAN);
    time(a) > shortest && time(b).abs() <= shortest
}

/// The nodes at which something happens.
fn event_nodes(signature: &Signature) -> Vec<&Node> {
    events(signature).into_iter().map(|k| &signature.nodes[k]).collect()
}

/// What is recorded of the zero of a test function.
fn mark(test: &TestFunction, zero: &Zero) -> Mark {
    let place = match (test.location, test.contact, &zero.site) {
        (Location::Node(node), ..) => Place::Node(node),
        (_, Some(contact), Some(site)) => Place::Between { contact, site: site.clone() },
        _ => Place::Everywhere,
    };
    Mark { contact: test.contact, place, other: zero.other.clone(), ..Mark::of(test.kind) }
}
