//! Starts the branches that begin at a bifurcation: orbits of twice the period, those of the other branch, and orbits with an impact more or less.

use saltation_continuation::{Bordering, BranchPoint as Crossing, Curve, Point};
use saltation_motion::extension::Image;
use saltation_motion::{Bound, EventKind, System};
use saltation_numerics::blocks::BlockMatrix;

use super::border::{self, Opened};
use super::distinct::VANISHED_TIME;
use super::monitor::Monitor;
use super::not_followed::NotFollowed;
use super::sample::coupled;
use super::tracer::{Inserted, Start, Tracer, with_node, without};
use super::{Branch, Ended, Place, Special, SpecialKind};
use crate::signature::{Equations, Kind, Signature};

/// No more branches are followed in one answer.
pub const MOST_BRANCHES: usize = 12;
/// No branch that is more bifurcations away from the first is followed.
pub const MOST_GENERATIONS: usize = 2;
/// Special points of parent and child this close, relative to the range and to the size of the orbit, are the same one: branch points are located to half of their digits.
const SAME_ORBIT: f64 = 1e-6;

/// How a new branch begins.
enum Departure {
    /// Along a direction from a point at which two curves cross.
    Crossing { start: Start, direction: Vec<f64>, sign: f64 },
    /// In both directions.
    Whole { start: Start },
    /// On the admissible side of a point that the new curve passes smoothly.
    Passage { start: Start },
    /// With a time that begins at zero at a point, and is held until the first orbit is found.
    Opening {
        start: Start,
        held: usize,
        /// The parameter at the border, at which it has to begin.
        from: f64,
    },
}

/// The signatures of the orbits that begin at a bifurcation or border, in words.
pub fn successors(system: &System, branch: &Branch, special: &Special) -> Vec<Vec<String>> {
    let states = system.state_names().len();
    let found = match (special.kind, &special.place) {
        (SpecialKind::PeriodDoubling | SpecialKind::SymmetryBreaking, _) => Some(doubled_signature(&branch.signature)),
        (SpecialKind::BranchPoint, _) => Some(branch.signature.clone()),
        (SpecialKind::Graze, _) => {
            let start = Start::at(branch, &special.point);
            grazed(&start, &special.place, states).map(|start| start.signature)
        }
        _ => None,
    };
    found.iter().map(|signature| signature.words(system)).collect()
}

/// Follows the branches that are asked for: those that begin at the bifurcations and borders of the branches there, or at chosen ones.
pub(crate) fn follow(tracer: &mut Tracer, branches: &mut Vec<Branch>, monitor: &mut dyn Monitor) {
    if tracer.settings.switch {
        follow_all(tracer, branches, monitor);
    }
    // The branch of a chosen point may be one that begins at another.
    let mut chosen = tracer.settings.switch_at.clone();
    loop {
        let there = |place: &(usize, usize)| branches.get(place.0).is_some_and(|branch| place.1 < branch.special.len());
        let Some(next) = chosen.iter().position(there) else { return };
        follow_at(tracer, branches, chosen.remove(next), monitor);
    }
}

fn follow_all(tracer: &mut Tracer, branches: &mut Vec<Branch>, monitor: &mut dyn Monitor) {
    let mut next = 0;
    while next < branches.len() && generation(branches, next) < MOST_GENERATIONS {
        for index in 0..branches[next].special.len() {
            if branches.len() >= MOST_BRANCHES {
                return;
            }
            follow_at(tracer, branches, (next, index), monitor);
            // Of all points only those are worth a word at which a branch might have been.
            let not_followed = &mut branches[next].special[index].not_followed;
            *not_followed = not_followed.filter(|why| *why == NotFollowed::NotFound);
        }
        next += 1;
    }
}

/// Follows the branches that begin at one special point.
fn follow_at(
    tracer: &mut Tracer,
    branches: &mut Vec<Branch>,
    (parent, index): (usize, usize),
    monitor: &mut dyn Monitor,
) {
    let special = branches[parent].special[index].clone();
    let count = branches.len();
    let mut why = match special.point.admissible {
        false => NotFollowed::Virtual,
        true if is_origin(tracer, branches, parent, &special) => NotFollowed::Known,
        true if is_left_already(tracer, branches, parent, &special) => NotFollowed::Known,
        true if !special.kind.is_switched() => NotFollowed::None,
        true => NotFollowed::NotFound,
    };
    let value = branches[parent].value(&special.point);
    let departures = match why {
        NotFollowed::NotFound => departures(tracer, &branches[parent], &special),
        _ => Vec::new(),
    };
    for departure in departures {
        let both_ways = matches!(departure, Departure::Whole { .. });
        let Some(mut branch) = depart(tracer, departure, monitor) else { continue };
        if ends_on_others(tracer, branches, &branch, value) {
            why = NotFollowed::Known;
            continue;
        }
        branch.parent = Some((parent, index));
        let parameter = branch.parameter;
        // Where it begins has been reported.
        branch.special.retain(|own| {
            let same_value = is_same_value(tracer, own.point.parameters[parameter], value);
            !(own.kind == special.kind && same_value)
        });
        if !both_ways {
            branch.ended[0] = Ended::Border { kind: special.kind };
        }
        branches.push(branch);
    }
    if branches.len() == count {
        branches[parent].special[index].not_followed = Some(why);
    }
}

/// By how many branches one is away from the first.
pub fn generation(branches: &[Branch], index: usize) -> usize {
    std::iter::successors(branches[index].parent, |(parent, _)| branches[*parent].parent).count()
}

/// Whether two values of the parameter are one.
fn is_same_value(tracer: &Tracer, a: f64, b: f64) -> bool {
    (a - b).abs() < SAME_ORBIT * (tracer.settings.range.1 - tracer.settings.range.0)
}

/// Whether a bifurcation is the one that its own branch begins at.
fn is_origin(tracer: &Tracer, branches: &[Branch], index: usize, special: &Special) -> bool {
    let branch = &branches[index];
    let origin = branch.parent.and_then(|(parent, position)| {
        let parent = branches.get(parent)?;
        Some(parent.value(&parent.special.get(position)?.point))
    });
    origin.is_some_and(|origin| is_same_value(tracer, origin, branch.value(&special.point)))
}

/// Whether a branch has begun at the orbit of a bifurcation already.
fn is_left_already(tracer: &Tracer, branches: &[Branch], index: usize, special: &Special) -> bool {
    let here = OnBranch { branch: &branches[index], point: &special.point };
    branches.iter().filter_map(|branch| branch.parent).any(|(parent, position)| {
        let branch = &branches[parent];
        let known = branch.special.get(position);
        known.is_some_and(|known| same(tracer, OnBranch { branch, point: &known.point }, here))
    })
}

/// Whether a branch that began at a value of the parameter passes or ends at an orbit at which another one does so, elsewhere.
fn ends_on_others(tracer: &Tracer, branches: &[Branch], branch: &Branch, begins: f64) -> bool {
    let width = tracer.settings.range.1 - tracer.settings.range.0;
    let ends = |branch: &Branch| -> Vec<super::BranchPoint> {
        let special = branch.special.iter().map(|special| special.point.clone());
        special.chain(branch.points.last().cloned()).chain(branch.points.first().cloned()).collect()
    };
    ends(branch).iter().any(|end| {
        let own = OnBranch { branch, point: end };
        let passes =
            |other: &Branch| ends(other).iter().any(|point| same(tracer, OnBranch { branch: other, point }, own));
        (branch.value(end) - begins).abs() > SAME_ORBIT * width && branches.iter().any(passes)
    })
}

/// A point with the branch it lies on.
#[derive(Clone, Copy)]
struct OnBranch<'b> {
    branch: &'b Branch,
    point: &'b super::BranchPoint,
}

/// Whether two points are the same orbit: the same parameter and period, and the same impacts, whichever of them comes first. Beyond a border an orbit and a
/// virtual one are near each other and differ.
fn same(tracer: &Tracer, first: OnBranch, second: OnBranch) -> bool {
    let (OnBranch { branch: a, point: p }, OnBranch { branch: b, point: q }) = (first, second);
    let width = tracer.settings.range.1 - tracer.settings.range.0;
    let near = |x: f64, y: f64, size: f64| (x - y).abs() <= SAME_ORBIT * size;
    if p.admissible != q.admissible || !near(a.value(p), b.value(q), width) || !near(p.period, q.period, p.period) {
        return false;
    }
    let impacts = |branch: &Branch| -> Vec<usize> {
        let own = |mark: &&crate::orbit::Mark| matches!(mark.kind, EventKind::Impact | EventKind::Chatter);
        branch.marks().iter().filter(own).map(|mark| mark.contact).collect()
    };
    let (of_p, of_q) = (impacts(a), impacts(b));
    let count = of_p.len();
    if count != of_q.len() || p.impact_speeds.len() != count || q.impact_speeds.len() != count {
        return false;
    }
    if count == 0 {
        let states = p.state.iter().zip(&q.state).zip(&a.sizes);
        return states.into_iter().all(|((x, y), size)| near(*x, *y, *size));
    }
    let largest = p.impact_speeds.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    (0..count).any(|turn| {
        (0..count).all(|k| {
            let other = (k + turn) % count;
            of_p[k] == of_q[other] && near(p.impact_speeds[k], q.impact_speeds[other], 100.0 * largest)
        })
    })
}

fn departures(tracer: &mut Tracer, branch: &Branch, special: &Special) -> Vec<Departure> {
    let states = tracer.system.state_names().len();
    let start = Start::at(branch, &special.point);
    match (special.kind, &special.other) {
        (SpecialKind::PeriodDoubling | SpecialKind::SymmetryBreaking, _) => {
            doubled(tracer, &start).into_iter().collect()
        }
        (SpecialKind::BranchPoint, _) if reduced(tracer, start.clone()).signature != start.signature => {
            // The orbit comes back to the one of half its period that it began on.
            vec![Departure::Whole { start: reduced(tracer, start) }]
        }
        (SpecialKind::BranchPoint, Some(other)) => [1.0, -1.0]
            .map(|sign| {
                let start = Start { tangent: Some(special.tangent.clone()), ..start.clone() };
                Departure::Crossing { start, direction: other.clone(), sign }
            })
            .into(),
        (SpecialKind::Boundary, _) => match &special.place {
            Place::Between { .. } => {
                let opened = border::opened(tracer, branch, special);
                opened
                    .map(|Opened { start, held }| Departure::Opening {
                        start,
                        held,
                        from: branch.value(&special.point),
                    })
                    .into_iter()
                    .collect()
            }
            place => {
                let beyond = border::closed(tracer, &start)
                    .or_else(|| swapped(tracer, &start, place))
                    .or_else(|| unstopped(&start, place, states, special.point.period));
                beyond.map(|start| Departure::Passage { start }).into_iter().collect()
            }
        },
        (SpecialKind::Graze, _) => {
            let found = grazed(&start, &special.place, states);
            found.map(|start| reduced(tracer, start)).map(|start| Departure::Passage { start }).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn depart(tracer: &mut Tracer, departure: Departure, monitor: &mut dyn Monitor) -> Option<Branch> {
    match departure {
        Departure::Crossing { start, direction, sign } => {
            let sizes = tracer.weighted(&start);
            let problem = tracer.equations_with(&start, sizes);
            let point = Point {
                unknowns: start.unknowns.clone(),
                tangent: start.tangent.clone()?,
                arclength: 0.0,
                jacobian: BlockMatrix::zeros(problem.pattern()),
                residual: 0.0,
                iterations: 0,
                orientation: 0.0,
                log_determinant: 0.0,
            };
            let length = direction.iter().zip(problem.sizes()).map(|(d, s)| (d / s).powi(2)).sum::<f64>().sqrt();
            let other: Vec<f64> = direction.iter().map(|d| sign * d / length).collect();
            let beginning = Point { tangent: other.clone(), ..point.clone() };
            let crossing = Crossing { point, other, regular: true };
            let curve = Curve::switch(problem, &crossing, 1.0, tracer.steps()).ok()?;
            let mut branch = tracer.along(curve, &start, true, monitor).ok()?;
            begin(tracer, &mut branch, &start, beginning);
            Some(branch)
        }
        Departure::Whole { start } => tracer.branch(start, monitor).ok(),
        Departure::Opening { start, held, from } => {
            let sizes = tracer.weighted(&start);
            let problem = tracer.equations_with(&start, sizes);
            let mut curve = Curve::start(problem, &start.unknowns, held, tracer.steps()).ok()?;
            curve.orient(held, 1.0);
            let (low, high) = tracer.settings.range;
            // Back to the border, where what opened vanishes: no other orbit has that border.
            let branch = tracer.along(curve, &start, false, monitor).ok()?;
            let begins = branch.points.first().map(|point| branch.value(point));
            begins.filter(|begins| (begins - from).abs() <= SAME_ORBIT * (high - low)).map(|_| branch)
        }
        Departure::Passage { start } => {
            let curve = tracer.curve(&start).ok()?;
            // The side on which its orbits are motions.
            for reversed in [false, true] {
                let mut curve = curve.clone();
                if reversed {
                    curve.reverse();
                }
                let mut ahead = curve.clone();
                ahead.limit_step(0.1 * tracer.settings.longest_step);
                let Ok(point) = ahead.advance() else { continue };
                let unknowns = point.unknowns.clone();
                let inspection = ahead.problem_mut().inspect(&unknowns, None, &mut tracer.scratch.workspace);
                if inspection.is_ok_and(|inspection| inspection.admissible) {
                    return tracer.along(curve, &start, true, monitor).ok();
                }
            }
            None
        }
    }
}

/// Puts the bifurcation at which a branch begins before its points: the orbit there as one of this branch, passed twice where its period doubles. Whether it
/// is stable would be rounding, so it is as the orbit beside it.
fn begin(tracer: &mut Tracer, branch: &mut Branch, start: &Start, mut point: Point) {
    let Some(first) = branch.points.first().cloned() else { return };
    let sizes = tracer.weighted(start);
    let mut problem = tracer.equations_with(start, sizes);
    let mut residual = vec![0.0; problem.layout().parameters];
    if problem.evaluate(&point.unknowns, &mut residual, &mut point.jacobian).is_err() {
        return;
    }
    // Of its returns to the section the one that the branch goes on with.
    tracer.origin.last.clone_from(&first.state);
    let Ok(sample) = tracer.sample_of(&mut problem, point) else { return };
    let beginning = super::BranchPoint { stable: first.stable, admissible: first.admissible, ..sample.point };
    branch.points.insert(0, beginning);
    branch.special.iter_mut().for_each(|special| special.index += 1);
}

/// Both turns of an orbit as one signature, or both halves.
fn doubled_signature(signature: &Signature) -> Signature {
    let sign = |i: usize| signature.mirror.as_ref().map_or(1.0, |mirror| mirror.signs[i]);
    let mut nodes = signature.nodes.clone();
    nodes.extend(signature.nodes.iter().map(|node| signature.image(node)));
    let turns = signature.turns.iter().enumerate().map(|(i, turns)| (1.0 + sign(i)) * turns).collect();
    Signature { nodes, turns, mirror: None, held: signature.held.clone() }
}

/// The orbit of twice the period at a period doubling, or the whole orbit where a symmetry breaks: (x, S x) in the direction (v, -S v)
/// with v the perturbation that returns with the opposite sign.
fn doubled(tracer: &Tracer, start: &Start) -> Option<Departure> {
    let mut problem = tracer.equations(start);
    let layout = problem.layout().clone();
    let (n, states) = (layout.parameters, layout.states);
    let mut jacobian = BlockMatrix::zeros(problem.pattern());
    problem.evaluate(&start.unknowns, &mut vec![0.0; n], &mut jacobian).ok()?;
    let k = coupled(&problem, &jacobian, -1.0);
    let mut bordering = Bordering::new(&k).ok()?;
    bordering.measure(&k).ok()?;
    let null: Vec<f64> = bordering.right().iter().zip(&start.sizes).map(|(v, size)| v * size).collect();
    let periods = problem.turn_lengths(&start.unknowns);
    // What drifts begins its second turn where the first has left it.
    let mut left = vec![0.0; states];
    problem.end_changes(&null).into_iter().for_each(|(i, change)| left[i] = change);
    let mut signature = doubled_signature(&start.signature);
    let count = start.signature.nodes.len();
    let sign = |i: usize| start.signature.mirror.as_ref().map_or(1.0, |mirror| mirror.signs[i]);
    let mut result = Start {
        signature: signature.clone(),
        unknowns: start.unknowns[..n].to_vec(),
        sizes: start.sizes[..n].to_vec(),
        tangent: None,
    };
    let mut direction = null.clone();
    for k in 0..count {
        let at = layout.nodes[k];
        let image = |i: usize| sign(i) * start.unknowns[at + i] + periods[i];
        let state: Vec<f64> = (0..states).map(image).collect();
        match &mut signature.nodes[count + k].kind {
            Kind::Phase { value } => *value = state[states - 1],
            Kind::Plane { normal, point } => {
                point.copy_from_slice(&state);
                normal.iter_mut().enumerate().for_each(|(i, n)| *n *= sign(i));
            }
            _ => {}
        }
        result.unknowns.extend(state);
        direction.extend((0..states).map(|i| left[i] - sign(i) * null[at + i]));
        result.sizes.extend_from_slice(&start.sizes[at..at + states]);
        if start.signature.nodes[k].kind != Kind::Waypoint {
            result.unknowns.push(start.unknowns[at + states]);
            direction.push(-null[at + states]);
            result.sizes.push(start.sizes[at + states]);
        }
    }
    result.unknowns.push(start.unknowns[n]);
    result.sizes.push(start.sizes[n]);
    direction.push(0.0);
    result.signature = signature;
    // The branch that it leaves, passed twice, only has to be another direction.
    let mut along = vec![0.0; direction.len()];
    *along.last_mut()? = *start.sizes.last()?;
    result.tangent = Some(along);
    Some(Departure::Crossing { start: result, direction, sign: 1.0 })
}

/// The signature and the unknowns of the orbit without the impact that grazes, or with one where a gap grazes between events.
fn grazed(start: &Start, place: &Place, states: usize) -> Option<Start> {
    match place {
        Place::Between { contact, site } => {
            let kind = Kind::Impact { contact: *contact };
            let Inserted { start, .. } = with_node(start, states, kind, site);
            // What only marked a place is needed no more.
            let anchor = matches!(start.signature.nodes[0].kind, Kind::Phase { .. } | Kind::Plane { .. });
            Some(if anchor { without(&start, 0, states) } else { start })
        }
        Place::Node(node) if matches!(start.signature.nodes[*node].kind, Kind::Impact { .. }) => {
            Some(if start.signature.nodes.len() > 1 {
                without(start, *node, states)
            } else {
                let mut start = start.clone();
                start.signature.nodes[0].kind = Kind::Waypoint;
                start
            })
        }
        _ => None,
    }
}

/// The signature and the unknowns of an orbit on which two impacts at different contacts, now at the same time, come in the other order.
fn swapped(tracer: &Tracer, start: &Start, place: &Place) -> Option<Start> {
    let Place::Node(node) = *place else { return None };
    let states = tracer.system.state_names().len();
    let width = states + 1;
    let count = start.signature.nodes.len();
    let impact = |k: usize| match start.signature.nodes[k % count].kind {
        Kind::Impact { contact } => Some(contact),
        _ => None,
    };
    let (first, second) = (impact(node)?, impact(node + 1)?);
    if count < 2 || first == second || start.signature.mirror.is_some() || node + 1 == count && count == 2 {
        return None;
    }
    let mut result = start.clone();
    let mut node = node;
    if node + 1 == count {
        // Begun at the next event instead.
        let mut problem = tracer.equations(start);
        let turns = problem.turn_lengths(&start.unknowns);
        result.unknowns[..states].iter_mut().zip(turns).for_each(|(x, turn)| *x += turn);
        let end = count * width;
        result.unknowns[..end].rotate_left(width);
        result.sizes[..end].rotate_left(width);
        result.signature.nodes.rotate_left(1);
        node -= 1;
    }
    let mut problem = tracer.equations(&result);
    let at = node * width;
    let before = result.unknowns[at..at + states].to_vec();
    let struck = problem.struck(second, &result.unknowns, &before);
    result.unknowns[at + width..at + width + states].copy_from_slice(&struck);
    result.signature.nodes[node].kind = Kind::Impact { contact: second };
    result.signature.nodes[node + 1].kind = Kind::Impact { contact: first };
    result.unknowns[at + states] = 0.0;
    Some(result)
}

/// The signature and the unknowns of an orbit without a stop that has no duration any more: slip lasts until the event of another contact that ended the stop, or
/// reverses at once.
fn unstopped(start: &Start, place: &Place, states: usize, period: f64) -> Option<Start> {
    let Place::Node(stop) = *place else { return None };
    let mut start = start.clone();
    let time = start.unknowns[start.signature.layout(states).time(stop)];
    let nodes = &mut start.signature.nodes;
    let end = (stop + 1) % nodes.len();
    let Kind::Turn { contact, bound: Bound::Speed } = nodes[stop].kind else { return None };
    let stops = nodes[stop].after.contains(contact) && nodes[stop].after.slip(contact).is_none();
    if end == stop || !stops || time.abs() > VANISHED_TIME * period || start.signature.mirror.is_some() {
        return None;
    }
    let (before, after) = (nodes[stop].before, nodes[end].after);
    match nodes[end].kind {
        Kind::Turn { contact: own, bound: Bound::Cone(_) } if own == contact => {
            nodes[stop].after = after;
            (before.slip(contact) != after.slip(contact)).then(|| without(&start, end, states))
        }
        ref kind if kind.contact() != Some(contact) => {
            nodes[end].before = before;
            Some(without(&start, stop, states))
        }
        _ => None,
    }
}

/// An orbit that repeats itself within its signature, as where a doubled period ends: one turn of it.
fn halved(tracer: &Tracer, start: &Start) -> Option<Start> {
    let states = tracer.system.state_names().len();
    let signature = &start.signature;
    let count = signature.nodes.len();
    let half = count / 2;
    if count == 0 || count != 2 * half || signature.mirror.is_some() {
        return None;
    }
    let mut problem = tracer.equations(start);
    let turns = problem.turn_lengths(&start.unknowns);
    let layout = signature.layout(states);
    let alike = (0..half).all(|k| {
        let (a, b) = (&signature.nodes[k], &signature.nodes[half + k]);
        let (x, y) = (layout.nodes[k], layout.nodes[half + k]);
        let same = |i: usize| {
            let turn = if i < states { 0.5 * turns[i] } else { 0.0 };
            (start.unknowns[y + i] - start.unknowns[x + i] - turn).abs() < SAME_ORBIT * start.sizes[x + i]
        };
        let kinds = match (&a.kind, &b.kind) {
            (Kind::Phase { .. }, Kind::Phase { .. }) | (Kind::Plane { .. }, Kind::Plane { .. }) => true,
            (a, b) => a == b,
        };
        kinds && a.before == b.before && a.after == b.after && (0..states + 1).all(same)
    });
    if !alike {
        return None;
    }
    let n = layout.nodes[half];
    let mut result = start.clone();
    result.signature.nodes.truncate(half);
    result.signature.turns.iter_mut().for_each(|turns| *turns *= 0.5);
    result.unknowns = [&start.unknowns[..n], &start.unknowns[layout.parameters..]].concat();
    result.sizes = [&start.sizes[..n], &start.sizes[layout.parameters..]].concat();
    Some(result)
}

/// An orbit that has lost its last event gets a place to begin; if it repeats itself meanwhile, one period of it is kept.
fn reduced(tracer: &Tracer, mut start: Start) -> Start {
    if let Some(half) = halved(tracer, &start) {
        return half;
    }
    let states = tracer.system.state_names().len();
    let state = start.unknowns[..states].to_vec();
    match start.signature.nodes[0].kind {
        Kind::Waypoint => start.signature.nodes[0].kind = Kind::Phase { value: state[states - 1] },
        Kind::Phase { .. } if start.signature.nodes.len() == 1 && start.signature.mirror.is_none() => {}
        _ => return start,
    }
    let mut problem: Equations = tracer.equations(&start);
    let mut image = Image::new(states, 1);
    match tracer.system.model().phase.as_ref().map(|phase| phase.state) {
        Some(phase) => {
            let time = start.unknowns[states];
            let loops = start.signature.turns[phase].abs().round() as usize;
            let repeats = |parts: &usize| {
                let whole = start.signature.turns.iter().all(|turns| (turns / *parts as f64).fract() == 0.0);
                let part = problem.along(0, &start.unknowns, time / *parts as f64, &mut image);
                whole
                    && part.is_ok_and(|end| {
                        let free = |i: usize| i == phase || start.signature.drifts(i);
                        let same = |i: usize| free(i) || (end[i] - state[i]).abs() < SAME_ORBIT * start.sizes[i];
                        (0..states).all(same)
                    })
            };
            if let Some(parts) = (2..=loops).rev().filter(|parts| loops.is_multiple_of(*parts)).find(repeats) {
                start.unknowns[states] /= parts as f64;
                start.signature.turns.iter_mut().for_each(|turns| *turns /= parts as f64);
            }
        }
        None => {
            start.signature.nodes[0].kind = Kind::Plane { normal: vec![0.0; states], point: state };
            problem = tracer.equations(&start);
            problem.turn_plane(0, &start.unknowns);
            start.signature = problem.signature().clone();
        }
    }
    start
}
