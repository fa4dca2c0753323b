//! Solves for the orbit at which two events of a signature coalesce, by Newton's method on the signature without the second of them.
//!
//! A flight that vanishes leaves and lands at once, and time zero solves the equations of its landing whatever the orbit: near that border they are
//! singular. What leaves begins with a coefficient of its own, and that is zero at the border: of a flight after a release the rate of the contact force,
//! of one after an impact without restitution the force that would press the contact, of a slip out of a stick the rate of the distance from the edge of
//! the cone, of a slip after a reversal that distance itself, as a stick would have it. A contact that vanishes after chattering does so where the impacts accumulate at a force of zero
//! ([`Extension::accumulate`](saltation_motion::extension::Extension::accumulate)).

use saltation_continuation::{Augmented, Curve, root};
use saltation_motion::Bound;
use saltation_motion::ClosedSet;

use super::followed::Followed;
use super::sample::{self, Sample};
use super::tracer::{Start, Tracer, plain_sizes};
use super::{BranchPoint, Vanishing, mesh};
use crate::signature::defining::{BoundAfter, Defining, DefiningSet};
use crate::signature::{Equations, ImpactSpeed, Kind, Node};

/// An orbit at which two events of a signature are one.
pub(super) struct Coalescence<'s> {
    /// The equations of the orbit without the second event.
    pub equations: Equations<'s>,
    /// Its unknowns, the parameter last.
    pub unknowns: Vec<f64>,
    /// The same in the unknowns of the signature with both events, without waypoints.
    pub whole: Vec<f64>,
    /// What vanishes there.
    pub vanishing: Vanishing,
}

/// An orbit that lies further from the one it was sought from than this times the time that vanishes, as a fraction of the period, is another.
const NEAR_ORBIT: f64 = 30.0;
/// An impact slower than this part of the terms of its speed has vanished.
pub(super) const VANISHED_SPEED: f64 = 1e-6;
/// An orbit further from a point than this times its distance to a second one does not lie between them.
pub(super) const BETWEEN_DISTANCE: f64 = 1.5;
/// The impacts of a sequence that is lost are followed until the acceleration has fallen to this part of its largest.
const SMALLEST_ACCELERATION: f64 = 1e-4;
/// Times that vanish together because the orbit is symmetric differ by less than this part: beside the border they are known to half their digits.
const SAME_DURATION: f64 = 1e-3;
/// A sequence has come near to a lost contact where it differs from one by this part of what its first impact does.
const APPROACHED: f64 = 0.1;
/// So many impacts more than at the nearest approach are tried.
const MORE_IMPACTS: usize = 12;
/// So often a sequence is followed further at the orbit that was found with fewer impacts.
const MOST_ROUNDS: usize = 12;

/// A bound of a contact.
struct ContactBound {
    contact: usize,
    bound: Bound,
}

/// Two events that follow each other as one.
pub(super) struct Merged {
    /// What vanishes between them.
    pub vanishing: Vanishing,
    node: Node,
    /// What is zero where they are one: a bound in a mode after them, or the rate of the bound that is reached.
    beginning: Option<ContactBound>,
    mode: ClosedSet,
}

/// Two nodes that follow each other as one, if what lies between them vanishes by a coefficient of its own.
pub(super) fn merged(own: &Node, next: &Node) -> Option<Merged> {
    let plain = own.collisions.is_empty() && next.collisions.is_empty();
    let one = |vanishing: Vanishing, kind: Kind, beginning: Option<ContactBound>| {
        let node = Node { kind, before: own.before, after: next.after, collisions: own.collisions.clone() };
        Some(Merged { vanishing, node, beginning, mode: next.after })
    };
    let lands = |contact: usize| {
        let strikes = matches!(next.kind, Kind::Impact { contact: c } | Kind::Chatter { contact: c } if c == contact);
        strikes && next.after.contains(contact) && !own.after.contains(contact)
    };
    let stops = |contact: usize| {
        let turns = next.kind == (Kind::Turn { contact, bound: Bound::Speed });
        turns && plain && next.after.contains(contact) && next.after.slip(contact).is_none()
    };
    let reverses = |contact: usize| {
        next.kind == (Kind::Turn { contact, bound: Bound::Speed })
            && own.before.slip(contact).is_none()
            && next.after.slip(contact).is_some()
    };
    let slides = |contact: usize| matches!(next.kind, Kind::Turn { contact: c, bound: Bound::Cone(_) } if c == contact);
    match own.kind {
        Kind::Release { contact } if lands(contact) && own.collisions.is_empty() => {
            one(Vanishing::Flight, own.kind.clone(), None)
        }
        Kind::Impact { contact } if lands(contact) => {
            one(Vanishing::Flight, own.kind.clone(), Some(ContactBound { contact, bound: Bound::Force }))
        }
        // A stop between two slips in one direction: without it the slip is only grazed.
        Kind::Turn { contact, bound: Bound::Speed } if plain && own.before == next.after && slides(contact) => {
            one(Vanishing::Stop, own.kind.clone(), None)
        }
        // Across a corner and back: without it the surface is only touched.
        Kind::Turn { bound: Bound::Surface, .. } if plain && own.before == next.after && own.kind == next.kind => {
            one(Vanishing::Crossing, own.kind.clone(), None)
        }
        // A slip between two reversals begins as a stick at the edge of the cone would.
        Kind::Turn { contact, bound: Bound::Speed } if plain && own.before == next.after && own.kind == next.kind => {
            let edge = Bound::Cone(own.after.slip(contact)?);
            let merged = one(Vanishing::Slip, own.kind.clone(), Some(ContactBound { contact, bound: edge }))?;
            Some(Merged { mode: own.after.with(contact), ..merged })
        }
        // A slip out of a stick that reverses instead of stopping: no motion, but a curve of the equations.
        Kind::Turn { contact, bound: Bound::Cone(_) }
            if plain && own.after.slip(contact).is_some() && reverses(contact) =>
        {
            one(Vanishing::Slip, own.kind.clone(), None)
        }
        Kind::Turn { contact, bound } if stops(contact) => match (bound, own.after.slip(contact)) {
            (Bound::Cone(_), Some(_)) => one(Vanishing::Slip, own.kind.clone(), None),
            (Bound::Speed, Some(slip)) => {
                one(Vanishing::Slip, own.kind.clone(), Some(ContactBound { contact, bound: Bound::Cone(slip) }))
            }
            _ => None,
        },
        Kind::Chatter { contact } if next.kind == (Kind::Release { contact }) && next.collisions.is_empty() => {
            one(Vanishing::Stick, Kind::Accumulation { contact, impacts: 0 }, None)
        }
        _ => None,
    }
}

/// The orbit near `near`, in the unknowns of a signature without waypoints, at which the times after some nodes vanish: one, or several that do so together
/// because the orbit is symmetric. An orbit further away than `reach` is another one, unless the times that vanish are longer.
fn solve<'s>(tracer: &Tracer<'s, '_>, near: &Start, reach: f64, vanishing: &[usize]) -> Option<Coalescence<'s>> {
    let states = tracer.system.state_names().len();
    let nodes: Vec<&Node> = near.signature.nodes.iter().collect();
    if let &[k] = vanishing
        && let Some(impacts) = bounces(&nodes, k)
    {
        return with_impacts(tracer, near, reach, (k, impacts));
    }
    let mut original = tracer.equations(near);
    // An impact with restitution leaves with a speed of its own. Of an impact that has vanished itself nobody knows whether it does.
    let speeds = original.speeds(&near.unknowns);
    let vanished = |k: usize| speeds.iter().any(|s| s.node == k && s.speed.abs() <= VANISHED_SPEED * s.size);
    let leaves = |k: &usize| {
        let impact = matches!(near.signature.nodes[*k].kind, Kind::Impact { .. });
        impact && (vanished(*k) || !original.is_plastic(*k, &near.unknowns))
    };
    if vanishing.iter().any(leaves) {
        return None;
    }
    let turns = Turns::new(near, states, original.turn_lengths(&near.unknowns));
    let Reduced { start, conditions, vanishing, whole, nodes, turned } = reduced(near, &turns, vanishing)?;
    let guess = start;
    let mut start = guess.clone();
    match vanishing {
        Vanishing::Stick => {
            start = Lost { whole: &whole, nodes: &nodes, conditions: &conditions }.accumulated(tracer, &guess)?
        }
        _ => {
            start.unknowns =
                root(&mut Augmented::new(tracer.equations(&start), DefiningSet(conditions)), &guess.unknowns).ok()?
        }
    }
    let near_orbit = NEAR_ORBIT * relative_length(&whole, &nodes, states) + f64::EPSILON.sqrt();
    if apart(&start, &guess) > near_orbit.max(reach) {
        return None;
    }
    let mut equations = tracer.equations(&start);
    let layout = start.signature.layout(states);
    let mut full = start.unknowns.clone();
    for (before, &k) in nodes.iter().enumerate().rev() {
        let at = layout.nodes[k - before] + states;
        let after = equations.after(k - before, &start.unknowns).ok()?;
        full.splice(at..at, std::iter::once(0.0).chain(after));
    }
    let mut whole = Start { unknowns: full, ..whole };
    for _ in 0..turned {
        whole = turns.unrotated(&whole);
    }
    Some(Coalescence { equations, unknowns: start.unknowns, whole: whole.unknowns, vanishing })
}

/// How many impacts a flight after a release makes before the sequence that lands: they vanish with it.
pub(super) fn bounces(nodes: &[&Node], k: usize) -> Option<usize> {
    let Kind::Release { contact } = nodes[k].kind else { return None };
    let plain = |node: &Node| node.collisions.is_empty();
    let strikes = |node: &Node| node.kind == (Kind::Impact { contact }) && !node.after.contains(contact) && plain(node);
    let next = |j: usize| nodes[(k + j) % nodes.len()];
    let impacts = (1..nodes.len()).take_while(|&j| strikes(next(j))).count();
    let last = next(impacts + 1);
    let lands = last.kind == (Kind::Chatter { contact }) && last.after.contains(contact);
    (impacts > 0 && lands && plain(nodes[k])).then_some(impacts)
}

/// Whether what lies after an event may vanish by a coefficient of its own, with the events that end it.
pub(super) fn may_coalesce(nodes: &[&Node], k: usize) -> bool {
    merged(nodes[k], nodes[(k + 1) % nodes.len()]).is_some() || bounces(nodes, k).is_some()
}

/// The orbit at which the flight after the release `k` vanishes with its impacts: they are taken as the first of the sequence that lands.
fn with_impacts<'s>(
    tracer: &Tracer<'s, '_>,
    near: &Start,
    reach: f64,
    (k, impacts): (usize, usize),
) -> Option<Coalescence<'s>> {
    let (states, count) = (tracer.system.state_names().len(), near.signature.nodes.len());
    let turns = Turns::new(near, states, tracer.equations(near).turn_lengths(&near.unknowns));
    let (mut whole, mut at, mut turned) = (near.clone(), k, 0);
    while at + impacts + 1 >= count {
        whole = turns.rotated(&whole);
        (at, turned) = ((at + count - 1) % count, turned + 1);
    }
    let mut short = whole.clone();
    short.signature.nodes.drain(at + 1..=at + impacts);
    let own = states + 1;
    let (first, landing) = ((at + 1) * own, (at + 1 + impacts) * own);
    let without = |row: &[f64]| [&row[..first + states], &row[landing + states..]].concat();
    (short.unknowns, short.sizes) = (without(&short.unknowns), without(&short.sizes));
    let found = solve(tracer, &short, reach, &[at])?;
    let touch = [&found.whole[first..first + states], &[0.0]].concat();
    whole.unknowns = [&found.whole[..first], &touch.repeat(impacts), &found.whole[first..]].concat();
    for _ in 0..turned {
        whole = turns.unrotated(&whole);
    }
    Some(Coalescence { whole: whole.unknowns, ..found })
}

/// A signature without events that are one with those before them.
pub(crate) struct Reduced {
    /// The reduced signature with its unknowns.
    pub start: Start,
    /// What is zero where the events are one.
    pub conditions: Vec<Defining>,
    /// What vanishes between them.
    pub vanishing: Vanishing,
    /// All events, those that are one not first and last.
    pub whole: Start,
    /// The first of every two events that are one, by its position there.
    pub nodes: Vec<usize>,
    /// How many events were taken from the beginning to the end for that.
    turned: usize,
}

/// The same orbit without the events that follow some nodes when a time vanishes; a sequence whose contact vanishes has no number of impacts yet. `None` if they
/// are not of that kind.
pub(crate) fn reduced(near: &Start, turns: &Turns, vanishing: &[usize]) -> Option<Reduced> {
    let count = near.signature.nodes.len();
    let mut whole = near.clone();
    let mut ks = vanishing.to_vec();
    let mut turned = 0;
    for _ in 0..count {
        if ks.contains(&(count - 1)) {
            turned += 1;
            whole = turns.rotated(&whole);
            ks.iter_mut().for_each(|k| *k = (*k + count - 1) % count);
        }
    }
    if count < 2 || ks.contains(&(count - 1)) {
        return None;
    }
    ks.sort_unstable();
    let mut start = whole.clone();
    let mut conditions = Vec::new();
    let mut kind = None;
    // From the last to the first: places before stay what they are.
    for (before, &k) in ks.iter().enumerate().rev() {
        let (own, next) = (&start.signature.nodes[k], &start.signature.nodes[k + 1]);
        let Merged { vanishing, node, beginning, mode } = merged(own, next)?;
        let at = k - before;
        conditions.push(match (vanishing, beginning) {
            (Vanishing::Stick, _) => Defining::Excess(at),
            (_, Some(ContactBound { contact, bound })) => {
                Defining::BoundAfter(BoundAfter { node: at, mode, contact, bound })
            }
            _ => Defining::BoundRate(at),
        });
        kind = Some(vanishing);
        let layout = start.signature.layout(turns.states);
        let (from, time) = (layout.nodes[k + 1], layout.time(k));
        // The state of the second event and the time before it are left out.
        let without = |row: &[f64]| [&row[..time], &row[from + turns.states..]].concat();
        (start.unknowns, start.sizes) = (without(&start.unknowns), without(&start.sizes));
        start.signature.nodes[k] = node;
        start.signature.nodes.remove(k + 1);
    }
    Some(Reduced { start, conditions, vanishing: kind?, whole, nodes: ks, turned })
}

/// Sequences of an orbit whose contacts vanish.
struct Lost<'a> {
    /// The orbit with the persistent contacts.
    whole: &'a Start,
    /// The nodes of the sequences there.
    nodes: &'a [usize],
    /// What is zero where the contacts vanish.
    conditions: &'a [Defining],
}

impl Lost<'_> {
    /// The orbit nearest to a start whose sequences accumulate where the contact force vanishes. With too few impacts Newton's method may come to another
    /// orbit, or to none: more are tried until one is as near as the contact is short.
    fn accumulated(&self, tracer: &Tracer, start: &Start) -> Option<Start> {
        let first = self.counts(tracer, start)?;
        let near = relative_length(self.whole, self.nodes, tracer.system.state_names().len());
        let mut best: Option<(f64, Start)> = None;
        for more in 0..=MORE_IMPACTS {
            let counts: Vec<usize> = first.iter().map(|count| count + more).collect();
            let Some(found) = self.followed(tracer, start, counts) else { continue };
            let distance = apart(&found, start);
            if best.as_ref().is_none_or(|best| distance < best.0) {
                best = Some((distance, found));
            }
            if distance <= near {
                break;
            }
        }
        best.map(|best| best.1)
    }

    /// The orbit with so many impacts, and with more of them as long as the sequences come nearer to their end.
    fn followed(&self, tracer: &Tracer, start: &Start, counts: Vec<usize>) -> Option<Start> {
        let (mut found, mut most) = (self.solved(tracer, start, &counts)?, counts);
        for _ in 1..MOST_ROUNDS {
            let counts = self.counts(tracer, &found)?;
            if counts.iter().zip(&most).all(|(count, most)| count <= most) {
                break;
            }
            let Some(further) = self.solved(tracer, &found, &counts) else { break };
            (found, most) = (further, counts);
        }
        Some(found)
    }

    /// The orbit with so many impacts.
    fn solved(&self, tracer: &Tracer, start: &Start, counts: &[usize]) -> Option<Start> {
        let mut found = start.clone();
        // Every release that is left out has moved the nodes behind it.
        for (before, (&k, &count)) in self.nodes.iter().zip(counts).enumerate() {
            if let Kind::Accumulation { impacts, .. } = &mut found.signature.nodes[k - before].kind {
                *impacts = count;
            }
        }
        let mut equations = Augmented::new(tracer.equations(&found), DefiningSet(self.conditions.to_vec()));
        found.unknowns = root(&mut equations, &start.unknowns).ok()?;
        Some(found)
    }

    /// After how many impacts each sequence is nearest to its end.
    fn counts(&self, tracer: &Tracer, start: &Start) -> Option<Vec<usize>> {
        let states = tracer.system.state_names().len();
        let (own, other) = (self.whole.signature.layout(states), start.signature.layout(states));
        let mut unknowns = self.whole.unknowns.clone();
        *unknowns.last_mut()? = *start.unknowns.last()?;
        for (before, &k) in self.nodes.iter().enumerate() {
            unknowns[own.nodes[k]..][..states].copy_from_slice(&start.unknowns[other.nodes[k - before]..][..states]);
        }
        let mut sequence = tracer.equations(self.whole);
        self.nodes.iter().map(|&k| impacts(&mut sequence, k, &unknowns)).collect()
    }
}

/// How far two starts of one signature are apart, relative to the size of every unknown.
fn apart(a: &Start, b: &Start) -> f64 {
    let distance = |((x, y), size): ((&f64, &f64), &f64)| ((x - y) / size).abs();
    a.unknowns.iter().zip(&b.unknowns).zip(&a.sizes).map(distance).fold(0.0, f64::max)
}

/// The longest of the times after some nodes, as a fraction of the period.
fn relative_length(whole: &Start, nodes: &[usize], states: usize) -> f64 {
    let layout = whole.signature.layout(states);
    nodes.iter().map(|&k| whole.unknowns[layout.time(k)].abs()).fold(0.0, f64::max) / period(whole, states)
}

/// After how many impacts the sequence of node `k` is nearest to one that accumulates where the contact force vanishes.
pub(crate) fn impacts(sequence: &mut Equations, k: usize, unknowns: &[f64]) -> Option<usize> {
    let approach = sequence.approach(k, unknowns, SMALLEST_ACCELERATION).ok()?;
    let excess: Vec<f64> = approach.iter().map(|impact| impact.ratio_excess.abs()).collect();
    // Behind its first impacts a sequence comes nearest to the lost contact before it leaves it: the first ones may come as near by chance.
    let near = excess.iter().rposition(|x| *x <= APPROACHED * excess[0]);
    let nearest = match near {
        Some(last) => Some((1..=last).rev().find(|&i| excess[i - 1] > excess[i]).unwrap_or(0)),
        None => (0..excess.len()).min_by(|&a, &b| excess[a].total_cmp(&excess[b])),
    };
    nearest.map(|index| index + 2)
}

/// How the states of a signature with one free parameter continue after its last node.
pub(crate) struct Turns {
    states: usize,
    lengths: Vec<f64>,
    signs: Vec<f64>,
}

impl Turns {
    /// By the lengths by which its states advance.
    pub(crate) fn new(start: &Start, states: usize, lengths: Vec<f64>) -> Turns {
        let signs = start.signature.mirror.as_ref().map_or(vec![1.0; states], |mirror| mirror.signs.clone());
        Turns { states, lengths, signs }
    }

    /// The same orbit with its first node as the last one.
    fn rotated(&self, start: &Start) -> Start {
        let mut signature = start.signature.clone();
        let first = signature.nodes.remove(0);
        signature.nodes.push(start.signature.image(&first));
        let own = self.states + 1;
        let states = start.unknowns[..self.states].iter().zip(&self.signs).zip(&self.lengths);
        let image: Vec<f64> = states.map(|((x, sign), turn)| sign * x + turn).collect();
        let turn = |row: &[f64], first: &[f64]| {
            let (nodes, free) = row.split_at(row.len() - 1);
            [&nodes[own..], first, &nodes[self.states..own], free].concat()
        };
        let unknowns = turn(&start.unknowns, &image);
        let sizes = turn(&start.sizes, &start.sizes[..self.states]);
        Start { signature, unknowns, sizes, tangent: None }
    }

    /// The same orbit with its last node as the first one.
    fn unrotated(&self, start: &Start) -> Start {
        let mut signature = start.signature.clone();
        if let Some(last) = signature.nodes.pop() {
            signature.nodes.insert(0, signature.image(&last));
        }
        let own = self.states + 1;
        let turn = |row: &[f64], moved: bool| {
            let (nodes, free) = row.split_at(row.len() - 1);
            let (before, last) = nodes.split_at(nodes.len() - own);
            let states = last[..self.states].iter().zip(&self.signs).zip(&self.lengths);
            let back = |((x, sign), turn): ((&f64, &f64), &f64)| if moved { (x - turn) * sign } else { *x };
            let first: Vec<f64> = states.map(back).collect();
            [&first, &last[self.states..], before, free].concat()
        };
        Start { signature, unknowns: turn(&start.unknowns, true), sizes: turn(&start.sizes, false), tangent: None }
    }
}

/// The nodes after which a time vanishes together with that after node `k`, by the nodes and the times after them.
pub(super) fn together(nodes: &[&Node], durations: &[f64], k: usize) -> Vec<usize> {
    let count = nodes.len();
    let pair = |j: usize| merged(nodes[j], nodes[(j + 1) % count]);
    let Some(own) = pair(k) else { return vec![k] };
    // Times that vanish by a square root are known to half their digits.
    let rounding = f64::EPSILON.sqrt() * durations.iter().sum::<f64>();
    let twin = |j: &usize| {
        let near = (durations[*j] - durations[k]).abs() <= rounding.max(SAME_DURATION * durations[k].abs());
        let apart = (*j + 1) % count != k && (k + 1) % count != *j;
        let alike = pair(*j).is_some_and(|pair| pair.vanishing == own.vanishing);
        *j == k || near && apart && alike
    };
    (0..count.min(durations.len())).filter(twin).collect()
}

/// The same, one node for each contact in the order of contacts.
pub(super) fn mirrored(nodes: &[&Node], durations: &[f64], k: usize) -> Vec<usize> {
    let mut all = together(nodes, durations, k);
    all.sort_by_key(|&j| (nodes[j].kind.contact(), j != k));
    all.dedup_by_key(|j| nodes[*j].kind.contact());
    all
}

/// The time of all flows.
fn period(start: &Start, states: usize) -> f64 {
    let layout = start.signature.layout(states);
    (0..layout.times.len()).map(|node| layout.duration(node, &start.unknowns)).sum()
}

/// The orbit of some unknowns of equations as a start, without waypoints.
pub(super) fn start_of(equations: &Equations, unknowns: &[f64], states: usize) -> Start {
    mesh::plain(equations.signature(), unknowns, &plain_sizes(equations), states)
}

/// A point of a branch at which something vanishes.
pub(super) struct Vanished {
    pub sample: Sample,
    /// What.
    pub what: Vanishing,
}

impl<'s> Tracer<'s, '_> {
    /// The orbit near a point at which the time after event `k` vanishes because two events become one there, and what vanishes. Where a point `behind` it is
    /// known, it lies between both.
    pub(super) fn coalescence<F: Followed<'s>>(
        &mut self,
        curve: &mut Curve<F>,
        (near, behind): (&Sample, Option<&Sample>),
        k: usize,
        arclength: f64,
    ) -> Option<Vanished> {
        let states = self.system.state_names().len();
        let seen = curve.problem_mut().signature_point(&near.curve).ok()?.into_owned();
        let start = start_of(curve.problem_mut().signature_equations(), &seen.unknowns, states);
        let reach = behind.map_or(0.0, |behind| {
            let seen = curve.problem_mut().signature_point(&behind.curve).ok();
            let other = seen.map(|seen| start_of(curve.problem_mut().signature_equations(), &seen.unknowns, states));
            other.map_or(0.0, |other| BETWEEN_DISTANCE * apart(&start, &other))
        });
        let nodes: Vec<&Node> = start.signature.nodes.iter().collect();
        let all = together(&nodes, &near.inspection.durations, k);
        let found = solve(self, &start, reach, &all).or_else(|| solve(self, &start, reach, &[k]))?;
        let Coalescence { mut equations, unknowns, whole, vanishing } = found;
        let section = sample::monitored_section(&mut equations, &unknowns, &self.origin);
        let inspection = equations.inspect(&unknowns, section, &mut self.scratch.workspace).ok()?;
        let mut own = inspection.speeds.iter().map(|impact| impact.speed);
        let last = |k: usize| 1 + bounces(&nodes, k).unwrap_or(0);
        let lands = |node: usize| all.iter().any(|&k| (1..=last(k)).any(|next| (k + next) % nodes.len() == node));
        let vanishes = |node: usize| vanishing == Vanishing::Flight && lands(node);
        let speed = |impact: &ImpactSpeed| if vanishes(impact.node) { 0.0 } else { own.next().unwrap_or(0.0) };
        let impact_speeds: Vec<f64> = near.inspection.speeds.iter().map(speed).collect();
        let mirror = start.signature.mirror.as_ref();
        let halves = if mirror.is_some() { 2 } else { 1 };
        let point = BranchPoint {
            parameters: equations.parameters(&unknowns).to_vec(),
            period: equations.period(&unknowns).ok()?,
            state: sample::reported_state(&mut equations, &unknowns, &inspection, &self.origin),
            drift: equations.drift(&unknowns).ok()?,
            impact_speeds: impact_speeds.repeat(halves),
            // Another border may lie between.
            admissible: near.point.admissible && inspection.admissible,
            gaps: sample::lowest(&inspection, mirror),
            unknowns: whole,
            ..near.point.clone()
        };
        let mut curve = near.curve.clone();
        curve.arclength = arclength;
        if let (Some(own), Some(value)) = (curve.unknowns.last_mut(), unknowns.last()) {
            *own = *value;
        }
        Some(Vanished { sample: Sample { curve, point, ..near.clone() }, what: vanishing })
    }
}
