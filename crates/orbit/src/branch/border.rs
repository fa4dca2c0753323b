//! Constructs the orbits beyond a border at which two events become one, or at which a bound is just touched between events.
//!
//! Where a flight, a slip or a stop vanishes the orbits beyond have one event less. Where a contact force, a margin of friction or the speed of slip just
//! falls to zero between events, those beyond have two events more; near the border the time T between them is a coordinate of their branch. To first order
//! in T they begin T/4, T/3 and T before the touch: the force and the margin have a double zero there, and what leaves by them returns after 4 and 3 times
//! the time that its first coefficient needs to vanish.

use saltation_motion::{Bound, Slip};

use super::coalescence::{self, Turns};
use super::tracer::{Inserted, Start, Tracer, with_node, without};
use super::{Branch, BranchPoint, Place, Special, SpecialKind};
use crate::signature::{Kind, Node, Site};

/// The time between the two events of a new orbit, as a fraction of the period: short beside the period, and long beside rounding.
const FIRST_TIME: f64 = 1e-2;
/// Borders nearer than this, relative to the range of the parameter, are one: those of a symmetric orbit.
const SAME_PARAMETER: f64 = 1e-9;

/// The orbit at a border without the events that are one with others there; `None` if there are none.
pub(super) fn closed(tracer: &Tracer, start: &Start) -> Option<Start> {
    let states = tracer.system.state_names().len();
    let layout = start.signature.layout(states);
    let times: Vec<f64> = layout.times.iter().map(|time| start.unknowns[time.unknown]).collect();
    let count = start.signature.nodes.len();
    let nodes = &start.signature.nodes;
    let vanished: Vec<usize> = (0..count)
        .filter(|&k| times[k] == 0.0 && coalescence::merged(&nodes[k], &nodes[(k + 1) % count]).is_some())
        .collect();
    if vanished.is_empty() {
        return None;
    }
    let mut problem = tracer.equations(start);
    let turns = Turns::new(start, states, problem.turn_lengths(&start.unknowns));
    let mut reduced = coalescence::reduced(start, &turns, &vanished)?.start;
    // What is only touched is no event any more.
    let redundant =
        |node: &Node| node.before == node.after && matches!(node.kind, Kind::Release { .. } | Kind::Turn { .. });
    while let Some(node) = reduced.signature.nodes.iter().position(redundant) {
        if reduced.signature.nodes.len() > 1 {
            reduced = without(&reduced, node, states);
        } else {
            let phase = tracer.system.model().phase.as_ref()?.state;
            reduced.signature.nodes[node].kind = Kind::Phase { value: reduced.unknowns[phase] };
        }
    }
    Some(reduced)
}

/// A contact that is touched between events.
struct Touch {
    contact: usize,
    site: Site,
}

/// All that a symmetric orbit touches at once at a border, from the last to the first: places before stay what they are where nodes are inserted.
fn touches(tracer: &Tracer, branch: &Branch, special: &Special) -> Vec<Touch> {
    let width = tracer.settings.range.1 - tracer.settings.range.0;
    let value = branch.value(&special.point);
    let near = |point: &BranchPoint| (branch.value(point) - value).abs() <= SAME_PARAMETER * width;
    // The same orbit, and not another one at the same value.
    let at_once = |twin: &Special| {
        let between = twin.index.min(special.index)..=twin.index.max(special.index);
        branch.points[between].iter().all(near)
    };
    let mut touches: Vec<Touch> = Vec::new();
    for twin in branch.special.iter().filter(|twin| twin.kind == SpecialKind::Boundary) {
        if let (true, Place::Between { contact, site }) = (at_once(twin), &twin.place) {
            touches.push(Touch { contact: *contact, site: site.clone() });
        }
    }
    let place = |touch: &Touch| (touch.site.node, touch.site.time);
    touches.sort_by(|a, b| place(b).partial_cmp(&place(a)).unwrap_or(std::cmp::Ordering::Equal));
    touches
}

/// An orbit with two events more.
pub(super) struct Opened {
    pub start: Start,
    /// The unknown that is the time between them.
    pub held: usize,
}

/// The orbit with two events more near a border at which something is touched between events; `None` if it has no such orbits. What a symmetric orbit touches at once is all opened.
pub(super) fn opened(tracer: &Tracer, branch: &Branch, special: &Special) -> Option<Opened> {
    let states = tracer.system.state_names().len();
    let touches = touches(tracer, branch, special);
    let mut start = Start::at(branch, &special.point);
    let mut problem = tracer.equations(&start);
    let known = start.clone();
    let layout = known.signature.layout(states);
    let anchored = |k: usize| is_anchor(&known.signature.nodes[k % known.signature.nodes.len()]);
    let mut first = None;
    for Touch { contact, site } in touches {
        // Short beside the events before and after; a place at which nothing happens is taken out below.
        let mut time = FIRST_TIME * special.point.period;
        if !anchored(site.node) {
            time = time.min(0.5 * site.time);
        }
        if !anchored(site.node + 1) {
            time = time.min(0.5 * (known.unknowns[layout.time(site.node)] - site.time));
        }
        let bound = problem.touched(contact, &site, &known.unknowns)?;
        let mode = known.signature.nodes[site.node].after;
        let slip = mode.slip(contact);
        let flies = Kind::Impact { contact };
        let (kind, between, next, lead) = match (bound, slip) {
            (Bound::Force, _) if tracer.system.is_coupled() => return None,
            (Bound::Force, _) => (Kind::Release { contact }, mode.without(contact), flies, time / 4.0),
            (Bound::Cone(slip), None) => {
                let stops = Kind::Turn { contact, bound: Bound::Speed };
                (Kind::Turn { contact, bound }, mode.with_slip(contact, slip), stops, time / 3.0)
            }
            (Bound::Surface, Some(slip)) if !tracer.system.resets(contact) => {
                let other = if slip == Slip::Forward { Slip::Backward } else { Slip::Forward };
                let back = Kind::Turn { contact, bound };
                (back.clone(), mode.with_slip(contact, other), back, time / 2.0)
            }
            (Bound::Speed, Some(slip)) => {
                let slips = Kind::Turn { contact, bound: Bound::Cone(slip) };
                (Kind::Turn { contact, bound }, mode.with(contact), slips, time)
            }
            _ => return None,
        };
        let mut image = saltation_motion::extension::Image::new(states, tracer.following.free().len());
        let mut place = |since: f64| {
            let state = problem.along(site.node, &known.unknowns, since, &mut image).ok()?;
            Some(Site { node: site.node, time: since, state })
        };
        let (before, after) = (place(site.time - lead)?, place(site.time - lead + time)?);
        let Inserted { start: wider, .. } = with_node(&start, states, next, &after);
        let Inserted { node, start: mut wider } = with_node(&wider, states, kind, &before);
        wider.signature.nodes[node].after = between;
        wider.signature.nodes[node + 1].before = between;
        // With restitution the body comes to rest by chattering.
        if bound == Bound::Force && !tracer.equations(&wider).is_plastic(node + 1, &wider.unknowns) {
            wider.signature.nodes[node + 1].kind = Kind::Chatter { contact };
        }
        start = wider;
        // Those before it move the first one.
        first = Some(first.map_or(node, |first: usize| first + 2));
    }
    let mut first = first?;
    while let Some(anchor) = start.signature.nodes.iter().position(is_anchor) {
        start = without(&start, anchor, states);
        first -= usize::from(anchor < first);
    }
    let held = start.signature.layout(states).time(first);
    Some(Opened { start, held })
}

/// Whether nothing happens at a node: orbits without events are begun there.
fn is_anchor(node: &Node) -> bool {
    matches!(node.kind, Kind::Phase { .. } | Kind::Plane { .. })
}
