//! What lies between two neighbouring points of a branch? Sign changes of test functions, located on the curve between them.

use saltation_continuation::Crossing::Jump;
use saltation_continuation::{Augmented, Curve, Point, root};
use saltation_motion::Bound;
use saltation_numerics::dense::Complex;

use super::followed::Followed;
use super::limit::{self, Limit};
use super::sample::{self, Sample, Signed, doubling, nontrivial, torus};
use super::trace::{Found, Mark, OPPOSITE};
use super::tracer::Tracer;
use super::{BranchPoint, Ended, Place, SpecialKind, Vanishing};
use crate::signature::extra::{Extra, Extras};
use crate::signature::{Beginning, Inspection, Kind, Lowest, Node};

/// Special points nearer than this on the curve are one: an impact and the loop beside it graze together.
const TOGETHER: f64 = 1e-7;
/// Values of mirror images differ by less than this part beside a point at which orbits cross, where they are known to half their digits.
const TWINS: f64 = 1e-3;

/// Whether two values are one, those of mirror images.
fn near(x: f64, y: f64) -> bool {
    (x - y).abs() <= TWINS * x.abs()
}

/// Something with a lowest minimum between events.
#[derive(Debug, Clone, Copy)]
enum Minimum {
    Gap(usize),
    Force(usize),
    /// Of the flow after a node.
    Margin(usize, usize, Bound),
}

impl Minimum {
    /// Everything that has minima at two points.
    fn common(a: &Inspection, b: &Inspection) -> Vec<Minimum> {
        let contacts = (0..a.gaps.len()).flat_map(|contact| [Minimum::Gap(contact), Minimum::Force(contact)]);
        let margins = a.margins.iter().map(|(bound, low)| Minimum::Margin(low.site.node, low.contact, *bound));
        contacts.chain(margins).filter(|one| one.lowest(a).is_some() && one.lowest(b).is_some()).collect()
    }

    fn lowest<'a>(&self, inspection: &'a Inspection) -> Option<&'a Lowest> {
        match *self {
            Minimum::Gap(contact) => inspection.gaps[contact].as_ref(),
            Minimum::Force(contact) => inspection.forces[contact].as_ref(),
            Minimum::Margin(node, contact, bound) => {
                let own =
                    |known: &&(Bound, Lowest)| (known.1.site.node, known.1.contact, known.0) == (node, contact, bound);
                inspection.margins.iter().find(own).map(|(_, low)| low)
            }
        }
    }
}

impl<'s> Tracer<'s, '_> {
    /// What lies between two neighbouring points, in the order of the curve.
    pub(super) fn between<F: Followed<'s>>(&mut self, curve: &mut Curve<F>, a: &Sample, b: &Sample) -> Vec<Found> {
        let mut met: Vec<(f64, Point, Mark)> = Vec::new();
        let parameter = a.curve.unknowns.len() - 1;
        let signature = curve.problem_mut().signature_equations().signature().clone();
        let mirrored = signature.mirror.is_some();
        let autonomous = self.system.model().phase.is_none();
        let mut found = |point: Option<Point>, mark: Mark| {
            if let Some(point) = point {
                met.push((point.arclength, point, mark));
            }
        };
        let changes = |a: f64, b: f64| a * b < 0.0 || (b == 0.0 && a != 0.0);
        let (ca, cb) = (&a.curve, &b.curve);

        // Impacts whose speed goes through zero.
        for (k, (&(node, contact, before), &(_, _, after))) in
            a.inspection.speeds.iter().zip(&b.inspection.speeds).enumerate()
        {
            if changes(before, after) {
                let point = curve.locate_between(ca, cb, &mut |problem: &mut F, point: &Point| {
                    let seen = problem.seen(point).ok()?.into_owned();
                    let problem = problem.signature_equations();
                    problem.speeds(&seen.unknowns).get(k).map(|s| s.2)
                });
                let mark = Mark { contact: Some(contact), place: Place::Node(node), ..Mark::of(SpecialKind::Graze) };
                found(point.ok().flatten(), mark);
            }
        }
        // Minima of gaps, contact forces and what friction keeps above zero that go through zero between events.
        for watched in Minimum::common(&a.inspection, &b.inspection) {
            let low = |inspection: &Inspection| watched.lowest(inspection).cloned();
            let (Some(before), Some(after)) = (low(&a.inspection), low(&b.inspection)) else { continue };
            if !changes(before.value, after.value) {
                continue;
            }
            let workspace = &mut self.room.workspace;
            let mut site = None;
            let point = curve.locate_between(ca, cb, &mut |problem: &mut F, point: &Point| {
                let seen = problem.seen(point).ok()?.into_owned();
                let problem = problem.signature_equations();
                let inspection = problem.inspect(&seen.unknowns, None, workspace).ok()?;
                let low = low(&inspection)?;
                let value = low.value;
                site = Some(low.site);
                Some(value)
            });
            let point = point.ok().flatten();
            // The site belongs to the point that was found, not to the last one that was tried.
            if let Some(point) = &point
                && let Ok(seen) = curve.problem_mut().seen(point).map(|seen| seen.into_owned())
                && let Ok(inspection) =
                    curve.problem_mut().signature_equations().inspect(&seen.unknowns, None, workspace)
            {
                site = low(&inspection).map(|low| low.site);
            }
            let Some(site) = site else { continue };
            let (kind, contact) = match watched {
                Minimum::Gap(contact) => (SpecialKind::Graze, contact),
                Minimum::Force(contact) | Minimum::Margin(_, contact, _) => (SpecialKind::Boundary, contact),
            };
            found(point, Mark { contact: Some(contact), place: Place::Between { contact, site }, ..Mark::of(kind) });
        }
        // Releases that lose their speed, and sticks that lose their duration.
        for (k, (&(node, before), &(_, after))) in a.inspection.releases.iter().zip(&b.inspection.releases).enumerate()
        {
            if changes(before, after) {
                // Where several lose their speed together other orbits cross, and the curve is known to half its digits.
                let pairs = a.inspection.releases.iter().zip(&b.inspection.releases);
                let twin = |(x, y): &(&(usize, f64), &(usize, f64))| near(before, x.1) && near(after, y.1);
                let twins: Vec<Extra> = pairs.filter(twin).map(|(x, _)| Extra::BoundRate(x.0)).collect();
                let together = (twins.len() > 1).then(|| self.solved(curve, (a, b), before / (before - after), twins));
                let workspace = &mut self.room.workspace;
                let mut locate = |problem: &mut F, point: &Point| {
                    let seen = problem.seen(point).ok()?.into_owned();
                    let problem = problem.signature_equations();
                    problem.inspect(&seen.unknowns, None, workspace).ok()?.releases.get(k).map(|r| r.1)
                };
                let point = together.flatten().or_else(|| curve.locate_between(ca, cb, &mut locate).ok().flatten());
                let contact = signature.nodes[node].kind.contact();
                found(point, Mark { contact, place: Place::Node(node), ..Mark::of(SpecialKind::Boundary) });
            }
        }
        for (&(node, before), &(_, after)) in a.inspection.sticks.iter().zip(&b.inspection.sticks) {
            if changes(before, after) {
                let point = curve.locate_between(ca, cb, &mut |problem: &mut F, point: &Point| {
                    let seen = problem.seen(point).ok()?.into_owned();
                    problem.signature_equations().stick(node, &seen.unknowns)
                });
                let contact = signature.nodes[node].kind.contact();
                let mark = Mark { contact, place: Place::Node(node), ..Mark::of(SpecialKind::StickLoss) };
                found(point.ok().flatten(), mark);
            }
        }
        // Other times between events that go through zero: two events come in another order, or what lies between them vanishes.
        let events: Vec<usize> =
            (0..signature.nodes.len()).filter(|&k| signature.nodes[k].kind != Kind::Waypoint).collect();
        let nodes: Vec<&Node> = events.iter().map(|&k| &signature.nodes[k]).collect();
        let mut limits: Vec<(usize, Vec<Found>)> = Vec::new();
        let mut twins: Vec<usize> = Vec::new();
        for (k, (&before, &after)) in a.inspection.durations.iter().zip(&b.inspection.durations).enumerate() {
            let node = events[k];
            if !changes(before, after) || a.inspection.sticks.iter().any(|stick| stick.0 == node) {
                continue;
            }
            let contact = signature.nodes[node].kind.contact();
            let mark = Mark { contact, place: Place::Node(node), ..Mark::of(SpecialKind::Boundary) };
            if limit::is_limit(&nodes, k) {
                if twins.contains(&k) {
                    continue;
                }
                let share = (before / (before - after)).clamp(0.0, 1.0);
                let at = ca.arclength + share * (cb.arclength - ca.arclength);
                let near = if before > 0.0 { a } else { b };
                let Some((sample, what)) = self.limit(curve, (near, k), at) else { continue };
                twins.extend(limit::together(&nodes, &near.inspection.durations, k));
                // The curve ends at the last of them.
                let all = limit::mirrored(&nodes, &near.inspection.durations, k);
                let named = all.iter().enumerate().map(|(i, &j)| {
                    let (contact, place) = (nodes[j].kind.contact(), Place::Node(events[j]));
                    let ended = (i + 1 == all.len()).then_some(Ended::Vanished { what });
                    Found { sample: sample.clone(), special: Some(Mark { contact, place, ended, ..mark.clone() }) }
                });
                limits.push((k, named.collect()));
                continue;
            }
            let point = curve.locate_between(ca, cb, &mut |problem: &mut F, point: &Point| {
                let seen = problem.seen(point).ok()?.into_owned();
                let problem = problem.signature_equations();
                Some(seen.unknowns[problem.layout().times[node].0])
            });
            found(point.ok().flatten(), mark);
        }
        // Forces and margins of friction at the beginning of a contact.
        if a.inspection.beginnings.len() == b.inspection.beginnings.len() {
            let pairs = a.inspection.beginnings.iter().zip(&b.inspection.beginnings);
            for (k, (before, after)) in pairs.enumerate() {
                if !changes(before.value, after.value) {
                    continue;
                }
                let workspace = &mut self.room.workspace;
                let point = curve.locate_between(ca, cb, &mut |problem: &mut F, point: &Point| {
                    let seen = problem.seen(point).ok()?.into_owned();
                    let problem = problem.signature_equations();
                    problem.inspect(&seen.unknowns, None, workspace).ok()?.beginnings.get(k).map(|known| known.value)
                });
                // Where other orbits cross at the border the curve cannot be followed to it, but the border can be solved for.
                let point = point.ok().flatten().or_else(|| self.begins(curve, (a, b), k));
                let contact = Some(before.contact);
                let mark = Mark { contact, place: Place::Node(before.node), ..Mark::of(SpecialKind::Boundary) };
                found(point, mark);
            }
        }
        // An orbit that shrinks to an equilibrium, and would go through it to be told again.
        if let (Some(before), Some(after)) = (a.tests.crossing, b.tests.crossing)
            && changes(before, after)
        {
            let point = curve.locate_between(ca, cb, &mut |problem: &mut F, point: &Point| {
                let seen = problem.seen(point).ok()?.into_owned();
                problem.signature_equations().crossing_speed(&seen.unknowns)
            });
            if let Ok(Some(point)) = point
                && let Ok(sample) = self.sample_of(curve.problem_mut(), point)
            {
                let ended = Some(Ended::Border { kind: SpecialKind::Hopf });
                return vec![Found { sample, special: Some(Mark { ended, ..Mark::of(SpecialKind::Hopf) }) }];
            }
        }
        // Folds and crossings of branches.
        let crossed = a.tests.branching.sign * b.tests.branching.sign < 0.0;
        if crossed {
            let point = curve.branch_point_between(ca, cb).ok().flatten();
            let other = point.as_ref().filter(|point| point.regular).map(|point| point.other.clone());
            found(point.map(|found| found.point), Mark { other, ..Mark::of(SpecialKind::BranchPoint) });
        }
        if changes(a.tests.fold, b.tests.fold) {
            let point = curve.locate_between(ca, cb, &mut saltation_continuation::test_function::fold(parameter));
            found(point.ok().flatten(), Mark::of(SpecialKind::Fold));
        }
        // Neighbours that come back with the opposite sign.
        if a.tests.doubling.sign * b.tests.doubling.sign < 0.0 {
            let reference = a.tests.doubling.logarithm;
            let elimination = &mut self.room.elimination;
            let point = curve.locate_between(ca, cb, &mut |problem: &mut F, point: &Point| {
                let seen = problem.seen(point).ok()?.into_owned();
                let problem = problem.signature_equations();
                let Signed { sign, logarithm } = doubling(problem, &seen.jacobian, elimination);
                Some(sign * (logarithm - reference).exp())
            });
            let kind = if mirrored { SpecialKind::SymmetryBreaking } else { SpecialKind::PeriodDoubling };
            // The determinant contains the speeds at which conditions are passed too: where a lasting contact makes all
            // multipliers zero, it changes its sign with them.
            let opposite = |point: &Point| {
                let Ok(seen) = curve.problem_mut().seen(point).map(|seen| seen.into_owned()) else { return false };
                let multipliers = curve.problem_mut().signature_equations().multipliers(&seen.jacobian);
                multipliers.is_ok_and(|all| all.iter().any(|m| (m.re + 1.0).hypot(m.im) < OPPOSITE))
            };
            let point = point.ok().flatten().filter(opposite);
            found(point, Mark::of(kind));
        }
        // Two multipliers whose product is one: a pair on the unit circle, or two real ones, which is nothing special.
        if let (Some(before), Some(after)) = (a.tests.torus, b.tests.torus)
            && changes(before, after)
        {
            let point = curve.locate_between(ca, cb, &mut |problem: &mut F, point: &Point| {
                let seen = problem.seen(point).ok()?.into_owned();
                let problem = problem.signature_equations();
                torus(&problem.multipliers(&seen.jacobian).ok()?, autonomous)
            });
            let mut pair = |point: &Point| {
                let Ok(seen) = curve.problem_mut().seen(point).map(|seen| seen.into_owned()) else { return false };
                let equations = curve.problem_mut().signature_equations();
                let multipliers = equations.multipliers(&seen.jacobian).unwrap_or_default();
                let near = |m: &Complex| m.im.abs() > 1e-6 && (m.norm() - 1.0).abs() < 1e-5;
                nontrivial(&multipliers, autonomous).iter().any(near)
            };
            let point = point.ok().flatten().filter(&mut pair);
            found(point, Mark::of(SpecialKind::NeimarkSacker));
        }
        met.sort_by(|a, b| a.0.total_cmp(&b.0));
        // The same place under several names: the first of these kinds tells it.
        let rank = |mark: &Mark| match (mark.kind, &mark.place) {
            (SpecialKind::Graze, Place::Node(_)) => 0,
            (SpecialKind::Graze, _) => 1,
            (SpecialKind::BranchPoint, _) | (_, Place::Node(_)) => 2,
            _ => 3,
        };
        let mut kept: Vec<(f64, Point, Mark)> = Vec::new();
        for one in met {
            let both = |x: &Mark, y: &Mark| {
                let graze = x.kind == SpecialKind::Graze && y.kind == SpecialKind::Graze && x.contact == y.contact;
                // What begins with zero may have its minimum there.
                let boundary = |m: &Mark| m.kind == SpecialKind::Boundary && m.contact == x.contact;
                let between = |m: &Mark| matches!(m.place, Place::Between { .. });
                graze || boundary(x) && boundary(y) && between(x) != between(y)
            };
            // At a fold values agree where places are known to half their digits.
            let value = |point: &Point| point.unknowns[parameter];
            let width = self.settings.range.1 - self.settings.range.0;
            let level = |x: &(f64, Point, Mark)| (value(&x.1) - value(&one.1)).abs() <= TOGETHER * width;
            let turn = |m: &Mark| matches!(m.kind, SpecialKind::Fold | SpecialKind::BranchPoint);
            let named = |m: &Mark| (m.kind, m.contact, &m.place) == (one.2.kind, one.2.contact, &one.2.place);
            let again = |x: &(f64, Point, Mark)| level(x) && (turn(&x.2) && turn(&one.2) || named(&x.2));
            let known = match kept.iter().rposition(again) {
                None => kept
                    .last()
                    .filter(|last| one.0 - last.0 <= TOGETHER && both(&last.2, &one.2))
                    .map(|_| kept.len() - 1),
                known => known,
            };
            match known {
                Some(at) if rank(&one.2) < rank(&kept[at].2) => kept[at] = one,
                Some(_) => {}
                None => kept.push(one),
            }
        }
        let border =
            |mark: &Mark| matches!(mark.kind, SpecialKind::Graze | SpecialKind::Boundary | SpecialKind::StickLoss);
        let bordered = !limits.is_empty() || kept.iter().any(|one| border(&one.2));
        if a.point.admissible != b.point.admissible && !bordered {
            kept.extend(self.flip(curve, ca, cb));
            kept.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        let mut result = Vec::new();
        for (_, point, mark) in kept {
            if let Ok(sample) = self.sample_of(curve.problem_mut(), point) {
                result.push(Found { sample, special: Some(mark) });
            }
        }
        for (k, mut limit) in limits {
            // What vanishes is gone where its time is negative: there the curve ends. Beside the end its equations are singular.
            let falls = a.inspection.durations[k] > 0.0;
            for mark in limit.iter_mut().filter_map(|found| found.special.as_mut()) {
                mark.ended = mark.ended.take().filter(|_| falls);
            }
            let left = |found: &Found| found.sample.inspection.durations[k] > TOGETHER * found.sample.point.period;
            // The coefficient that vanishes is a test function too, and the parameter may turn in a fold of the singular equations.
            let value = |found: &Found| found.sample.curve.unknowns.last().copied().unwrap_or(f64::NAN);
            let width = self.settings.range.1 - self.settings.range.0;
            let again = |found: &Found| {
                let kind = found.special.as_ref().map(|mark| mark.kind);
                let same = matches!(kind, Some(SpecialKind::Boundary | SpecialKind::Fold | SpecialKind::BranchPoint));
                same && (value(found) - value(&limit[0])).abs() <= TOGETHER * width
            };
            result
                .retain(|found| !again(found) && (left(found) || !falls && found.sample.inspection.durations[k] < 0.0));
            result.append(&mut limit);
        }
        result.sort_by(|x, y| x.sample.curve.arclength.total_cmp(&y.sample.curve.arclength));
        let last = result.iter().position(|found| found.special.as_ref().is_some_and(|mark| mark.ended.is_some()));
        result.truncate(last.map_or(result.len(), |last| last + 1));
        // A border of admissible orbits is one of them, whatever rounding says at the border itself; the parts of a symmetric orbit meet theirs together.
        let borders = |found: &Found| found.special.as_ref().is_some_and(border);
        let mut places = result.iter().filter(|found| borders(found)).map(|found| found.sample.curve.arclength);
        let leaves = places.clone().next().filter(|_| a.point.admissible);
        let enters = places.next_back().filter(|_| b.point.admissible && last.is_none());
        for found in result.iter_mut().filter(|found| borders(found)) {
            let at = found.sample.curve.arclength;
            let near = [leaves, enters].iter().flatten().any(|place| (at - place).abs() <= TOGETHER);
            found.sample.point.admissible |= near;
        }
        result
    }

    /// The orbit between two points at which a bound begins with zero, solved for directly.
    fn begins<F: Followed<'s>>(&mut self, curve: &mut Curve<F>, (a, b): (&Sample, &Sample), k: usize) -> Option<Point> {
        let (before, after) = (&a.inspection.beginnings[k], &b.inspection.beginnings[k]);
        let share = before.value / (before.value - after.value);
        // Those of a symmetric orbit begin with zero together.
        let pairs = a.inspection.beginnings.iter().zip(&b.inspection.beginnings);
        let twins = pairs.filter(|(x, y)| near(before.value, x.value) && near(after.value, y.value)).map(|(x, _)| x);
        let family = curve.problem_mut().signature_equations();
        let extra = |one: &Beginning| {
            let mode = family.signature().nodes[one.node].after;
            Some(Extra::BoundAfter { node: one.node, mode, bound: (one.contact, one.bound?) })
        };
        let extras = twins.map(extra).collect::<Option<Vec<Extra>>>()?;
        self.solved(curve, (a, b), share, extras)
    }

    /// The orbit between two points, about that part of the way, at which some conditions hold together.
    fn solved<F: Followed<'s>>(
        &self,
        curve: &mut Curve<F>,
        (a, b): (&Sample, &Sample),
        share: f64,
        extras: Vec<Extra>,
    ) -> Option<Point> {
        let from = curve.problem_mut().seen(&a.curve).ok()?.into_owned();
        let to = curve.problem_mut().seen(&b.curve).ok()?.into_owned();
        let guess: Vec<f64> = from.unknowns.iter().zip(&to.unknowns).map(|(x, y)| x + share * (y - x)).collect();
        let mut family = curve.problem_mut().signature_equations().clone();
        let unknowns = root(&mut Augmented::new(family.clone(), Extras(extras)), &guess).ok()?;
        let parameter = unknowns.len() - 1;
        let nearest = if share < 0.5 { &from } else { &to };
        let mut point =
            Point { arclength: a.curve.arclength + share * (b.curve.arclength - a.curve.arclength), ..nearest.clone() };
        family.evaluate(&unknowns, &mut vec![0.0; parameter], &mut point.jacobian).ok()?;
        let apart = |x: &[f64], y: &[f64]| {
            let parts = x.iter().zip(y).zip(family.sizes()).map(|((x, y), size)| ((x - y) / size).powi(2));
            parts.sum::<f64>().sqrt()
        };
        // Another orbit further away is none between them.
        let step = apart(&from.unknowns, &to.unknowns);
        let inside = apart(&unknowns, &from.unknowns) <= 1.5 * step && apart(&unknowns, &to.unknowns) <= 1.5 * step;
        point.unknowns = unknowns;
        inside.then_some(point)
    }

    /// The orbit near a point at which the time after event `k` vanishes because two events become one there, and what vanishes.
    pub(super) fn limit<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        (near, k): (&Sample, usize),
        arclength: f64,
    ) -> Option<(Sample, Vanishing)> {
        let states = self.system.state_names().len();
        let seen = curve.problem_mut().seen(&near.curve).ok()?.into_owned();
        let start = limit::start_of(curve.problem_mut().signature_equations(), &seen.unknowns, states);
        let nodes: Vec<&Node> = start.signature.nodes.iter().collect();
        let all = limit::together(&nodes, &near.inspection.durations, k);
        let Limit { mut equations, unknowns, whole, vanishing } = limit::solve(self, &start, &all)?;
        let section = sample::watched(&mut equations, &unknowns, &self.origin);
        let inspection = equations.inspect(&unknowns, section, &mut self.room.workspace).ok()?;
        let mut own = inspection.speeds.iter().map(|speed| speed.2);
        let last = |k: usize| 1 + limit::bounces(&nodes, k).unwrap_or(0);
        let lands = |node: usize| all.iter().any(|&k| (1..=last(k)).any(|next| (k + next) % nodes.len() == node));
        let gone = |node: usize| vanishing == Vanishing::Flight && lands(node);
        let speed = |known: &(usize, usize, f64)| if gone(known.0) { 0.0 } else { own.next().unwrap_or(0.0) };
        let impact_speeds: Vec<f64> = near.inspection.speeds.iter().map(speed).collect();
        let mirror = start.signature.mirror.as_ref();
        let halves = if mirror.is_some() { 2 } else { 1 };
        let point = BranchPoint {
            parameters: equations.parameters(&unknowns).to_vec(),
            period: equations.period(&unknowns).ok()?,
            state: sample::told(&mut equations, &unknowns, &inspection, &self.origin),
            impact_speeds: impact_speeds.repeat(halves),
            gaps: sample::lowest(&inspection, mirror),
            unknowns: whole,
            ..near.point.clone()
        };
        let mut curve = near.curve.clone();
        curve.arclength = arclength;
        if let (Some(own), Some(value)) = (curve.unknowns.last_mut(), unknowns.last()) {
            *own = *value;
        }
        Some((Sample { curve, point, ..near.clone() }, vanishing))
    }

    /// Where orbits become virtual between two points although no test function has changed its sign: a minimum of a gap may have
    /// been born meanwhile, events may have come in another order, or a contact that should begin may be pulled open.
    fn flip<F: Followed<'s>>(&mut self, curve: &mut Curve<F>, a: &Point, b: &Point) -> Option<(f64, Point, Mark)> {
        let workspace = &mut self.room.workspace;
        let mut look = |problem: &mut F, point: &Point| {
            let seen = problem.seen(point).ok()?.into_owned();
            let inspection = problem.signature_equations().inspect(&seen.unknowns, None, workspace).ok()?;
            Some((seen, inspection))
        };
        let crossing = curve.crossing_between(a, b, &mut |problem: &mut F, point: &Point| {
            look(problem, point).map(|(_, inspection)| if inspection.admissible { 1.0 } else { -1.0 })
        });
        let Ok(Jump { before, after }) = crossing else { return None };
        let (_, of_before) = look(curve.problem_mut(), &before)?;
        let (seen, bad, good, point) = match of_before.admissible {
            true => {
                let (seen, bad) = look(curve.problem_mut(), &after)?;
                (seen, bad, of_before, before)
            }
            false => {
                let (_, good) = look(curve.problem_mut(), &after)?;
                let (seen, bad) = look(curve.problem_mut(), &before)?;
                (seen, bad, good, after)
            }
        };
        let sunk = bad.sunk.filter(|_| good.sunk.is_none()).and_then(|contact| bad.gaps[contact].clone());
        let layout = curve.problem_mut().signature_equations().layout().clone();
        let mark = if let Some(low) = sunk {
            let (contact, site) = (low.contact, low.site);
            Mark { contact: Some(contact), place: Place::Between { contact, site }, ..Mark::of(SpecialKind::Graze) }
        } else if bad.shortest < 0.0 {
            let time = |&k: &usize| seen.unknowns[layout.times[k].0];
            let node = (0..layout.times.len()).min_by(|x, y| time(x).total_cmp(&time(y)))?;
            let contact = curve.problem_mut().signature_equations().signature().nodes[node].kind.contact();
            Mark { contact, place: Place::Node(node), ..Mark::of(SpecialKind::Boundary) }
        } else {
            Mark { contact: bad.broken.filter(|_| good.broken.is_none()), ..Mark::of(SpecialKind::Boundary) }
        };
        Some((point.arclength, *point, mark))
    }
}
