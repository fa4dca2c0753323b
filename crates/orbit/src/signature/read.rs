//! Reads the signature of an orbit that was followed, and the unknowns that solve its equations.

use saltation_model::{SymmetryMap, Values};
use saltation_motion::{Bound, Collision};
use saltation_motion::{ClosedSet, Event, EventKind, System};

use super::equations::plane_normal;
use super::{Kind, Node, Signature};
use crate::cycle::{SAME_INSTANT, closed_after, happens};
use crate::orbit::{Orbit, complete_sizes};
use crate::phases::is_other;
use crate::sequence;

/// A signature with the unknowns of one orbit, the free parameters left out.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The signature.
    pub signature: Signature,
    /// The unknowns.
    pub unknowns: Vec<f64>,
    /// The size of each.
    pub sizes: Vec<f64>,
}

/// Why an orbit has no signature that could be followed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unreadable {
    /// Contact begins without an impact.
    #[error(
        "persistent contact at {contact} begins without an impact, {time:.6} after the section: such orbits cannot be followed"
    )]
    Landing {
        /// The contact.
        contact: String,
        /// The time since the section.
        time: f64,
    },
    /// The phase runs backward, and formulas are not smooth where it wraps.
    #[error("the phase runs backward, and the field is not smooth where it wraps: such orbits cannot be followed")]
    Backward,
    /// Something else happens between the impacts of a sequence.
    #[error(
        "between the impacts of a sequence of {contact} something else happens, an impact, slip or a switch that turns, before its end {time:.6} after the section: such orbits cannot be followed"
    )]
    Interleaved {
        /// The contact.
        contact: String,
        /// The time since the section.
        time: f64,
    },
    /// Slip ends in its singular point, by an impact without collision.
    #[error(
        "an impact without collision at {contact} ends slip in its singular point, {time:.6} after the section: such orbits cannot be followed"
    )]
    WithoutCollision {
        /// The contact.
        contact: String,
        /// The time since the section.
        time: f64,
    },
    /// A state jumps by the impulses of complementarities.
    #[error(
        "the state jumps by the multiplier of {switch}, {time:.6} after the section: such orbits cannot be followed"
    )]
    Jumps {
        /// The complementarity.
        switch: String,
        /// The time since the section.
        time: f64,
    },
    /// Crossings of switches accumulate.
    #[error("crossings of {switch} accumulate {time:.6} after the section: such orbits cannot be followed")]
    Accumulates {
        /// The switch.
        switch: String,
        /// The time since the section.
        time: f64,
    },
}

/// A node with the state just before it, and when it begins and ends.
struct Placed {
    node: Node,
    state: Vec<f64>,
    begins: f64,
    ends: f64,
}

impl Reading {
    /// The signature of an orbit; the nodes are in the order of its events. That of half an orbit if it is its own mirror image.
    ///
    /// # Errors
    /// If it has events for which there are no equations.
    pub fn of(system: &System, values: &Values, orbit: &Orbit) -> Result<Reading, Unreadable> {
        let periods: Vec<f64> = values.angle_periods().iter().map(|p| p.unwrap_or(0.0)).collect();
        if let Some(event) = orbit.cycle.events.iter().find(|event| event.kind == EventKind::Accumulate) {
            let switch = event.switch.map_or(String::new(), |k| system.switch_names()[k].clone());
            return Err(Unreadable::Accumulates { switch, time: since_section(orbit, event.time) });
        }
        let placed = from_section(place(system, orbit)?, orbit, &periods);
        let sizes = state_sizes(values, orbit);
        let ramp = !system.is_smooth_at_wrap(values.parameters());
        let placed = match placed.is_empty() {
            _ if ramp && orbit.turns.last().is_some_and(|turns| *turns < 0.0) => return Err(Unreadable::Backward),
            _ if ramp => wrapped(orbit, placed, &periods),
            true => vec![anchor(system, orbit, &sizes)],
            false => {
                let phase = system.model().phase.as_ref().map(|phase| phase.state);
                unwrapped(phase, orbit, placed, &periods)
            }
        };
        let others = system.model().tones.iter().map(|tone| tone.state);
        let placed = others.clone().fold(placed, |placed, tone| unwrapped(Some(tone), orbit, placed, &periods));
        let held: Vec<usize> = orbit.drift.iter().map(|&(i, _)| i).chain(others).collect();
        let mirrored = orbit.half.as_ref().zip(values.symmetry()).filter(|_| !ramp);
        if let Some((_, symmetry)) = mirrored
            && let Some(reading) = half(orbit, &placed, symmetry, &periods, &sizes)
        {
            return Ok(reading.holding(system, &periods, &held));
        }
        let end = placed[0].begins + orbit.period;
        Ok(reading(&placed, end, orbit.turns.clone(), None, orbit.period, &sizes).holding(system, &periods, &held))
    }
}

impl Reading {
    /// The states that drift, held where they are at the first node, and the phases other than the first, held where they are beside it.
    fn holding(mut self, system: &System, periods: &[f64], states: &[usize]) -> Reading {
        let phase = system.model().phase.as_ref().map_or(0, |phase| phase.state);
        let turn = |i: usize| self.signature.turns[i] * periods[i];
        let value = |i: usize| match is_other(system.model(), i) {
            true => self.unknowns[i] - turn(i) / turn(phase) * self.unknowns[phase],
            false => self.unknowns[i],
        };
        self.signature.held = states.iter().map(|&i| (i, value(i))).collect();
        self
    }
}

/// A time since the beginning of the cycle of an orbit, as one since its section.
fn since_section(orbit: &Orbit, time: f64) -> f64 {
    (orbit.cycle.begins + time).rem_euclid(orbit.period)
}

/// The nodes of all events of one period.
fn place(system: &System, orbit: &Orbit) -> Result<Vec<Placed>, Unreadable> {
    if system.is_coupled() || system.switches() {
        return place_together(system, orbit);
    }
    let name = |contact: usize| system.contact_names()[contact].clone();
    let mut closed = orbit.cycle.closed;
    let mut placed: Vec<Placed> = Vec::new();
    let soon = SAME_INSTANT * orbit.period;
    let events: Vec<&Event> = orbit.cycle.events.iter().filter(|event| event.contact.is_some()).collect();
    for (at, event) in events.iter().enumerate() {
        let Some(contact) = event.contact else { continue };
        let time = event.time;
        let place = |kind: Kind, before: ClosedSet, after: ClosedSet, ends: f64| Placed {
            node: Node { kind, before, after, collisions: Vec::new() },
            state: event.before.clone(),
            begins: time,
            ends,
        };
        match event.kind {
            EventKind::Impact => placed.push(place(Kind::Impact { contact }, closed, closed, time)),
            EventKind::Graze if event.impacts > 0 => {
                placed.push(place(Kind::Impact { contact }, closed, closed, time));
            }
            EventKind::Chatter => {
                let mut chatter = place(Kind::Chatter { contact }, closed, closed.with(contact), event.end());
                for _ in sequence::impacts(&events, at) {
                    match placed.last() {
                        Some(last) if last.node.kind == (Kind::Impact { contact }) => {
                            chatter.begins = last.begins;
                            chatter.state = last.state.clone();
                            placed.pop();
                        }
                        Some(_) => {
                            let time = since_section(orbit, event.end());
                            return Err(Unreadable::Interleaved { contact: name(contact), time });
                        }
                        None => break,
                    }
                }
                placed.push(chatter);
            }
            EventKind::Stick => {
                closed = closed.with(contact);
                match placed.last_mut() {
                    Some(last) if last.node.after.contains(contact) => {}
                    Some(last) if last.node.kind == (Kind::Impact { contact }) && time - last.ends <= soon => {
                        last.node.after = closed;
                    }
                    _ => {
                        let time = since_section(orbit, time);
                        return Err(Unreadable::Landing { contact: name(contact), time });
                    }
                }
            }
            EventKind::Release => {
                let before = closed;
                closed = closed.without(contact);
                match placed.last_mut() {
                    // An impact that opens another contact.
                    Some(last) if matches!(last.node.kind, Kind::Impact { .. }) && time - last.ends <= soon => {
                        last.node.after = closed;
                    }
                    _ => placed.push(place(Kind::Release { contact }, before, closed, time)),
                }
            }
            EventKind::Graze
            | EventKind::Section
            | EventKind::Slip
            | EventKind::ImpactWithoutCollision
            | EventKind::Switch
            | EventKind::Slide
            | EventKind::Leave
            | EventKind::Reset
            | EventKind::Accumulate => {}
        }
    }
    Ok(placed)
}

/// The nodes of all events of one period where what happens at contacts is decided for all together: the events of one instant are one node.
fn place_together(system: &System, orbit: &Orbit) -> Result<Vec<Placed>, Unreadable> {
    let name = |contact: usize| system.element_name(contact).to_string();
    let mut closed = orbit.cycle.closed;
    let mut placed: Vec<Placed> = Vec::new();
    let events: Vec<&Event> = orbit.cycle.events.iter().filter(|event| happens(event)).collect();
    let instant = |event: &Event| event.end();
    let mut from = 0;
    for group in events.chunk_by(|a, b| instant(a) == instant(b) && b.kind != EventKind::Chatter) {
        let (first, at) = (group[0], from);
        from += group.len();
        let contact = first.contact.or(first.switch.map(ClosedSet::element)).unwrap_or(0);
        let before = closed;
        for event in group {
            closed = closed_after(system, closed, event);
        }
        let by_multiplier = |event: &&&Event| event.kind == EventKind::Reset && event.reset.is_none();
        if let Some(event) = group.iter().find(by_multiplier) {
            let switch = event.switch.map_or_else(String::new, |switch| system.switch_names()[switch].clone());
            return Err(Unreadable::Jumps { switch, time: since_section(orbit, event.time) });
        }
        let collisions: Vec<Collision> = group.iter().filter_map(|event| event.collision.clone()).collect();
        let kind = match (first.kind, first.cause) {
            (EventKind::Impact, _) => Kind::Impact { contact },
            (EventKind::Graze, _) if first.impacts > 0 => Kind::Impact { contact },
            (EventKind::Chatter, _) => Kind::Chatter { contact },
            (EventKind::Graze, _) => continue,
            // Where the phase begins anew.
            (EventKind::Switch | EventKind::Slide | EventKind::Leave, None) => Kind::Wrap,
            (EventKind::Reset, cause) => {
                let bound = cause.map_or(Bound::Surface, |(_, bound)| bound);
                Kind::Reset { contact, bound, resets: group.iter().filter_map(|event| event.reset).collect() }
            }
            (_, Some((contact, Bound::Force))) => Kind::Release { contact },
            (_, Some((contact, bound))) => Kind::Turn { contact, bound },
            (EventKind::ImpactWithoutCollision, None) => {
                return Err(Unreadable::WithoutCollision {
                    contact: name(contact),
                    time: since_section(orbit, first.time),
                });
            }
            _ => return Err(Unreadable::Landing { contact: name(contact), time: since_section(orbit, first.time) }),
        };
        let node = Node { kind, before, after: closed, collisions };
        let mut place = Placed { node, state: first.before.clone(), begins: first.time, ends: first.end() };
        if first.kind == EventKind::Chatter {
            for _ in sequence::impacts(&events, at) {
                match placed.last() {
                    Some(last) if last.node.kind == (Kind::Impact { contact }) => {
                        place.begins = last.begins;
                        place.state = last.state.clone();
                        place.node.collisions = last.node.collisions.clone();
                        placed.pop();
                    }
                    Some(_) => {
                        let time = since_section(orbit, first.end());
                        return Err(Unreadable::Interleaved { contact: name(contact), time });
                    }
                    None => break,
                }
            }
        }
        placed.push(place);
    }
    Ok(placed)
}

/// The nodes in their order from the section on, with times since it and angles as they are in that period. A sequence that the section cuts comes last.
fn from_section(mut placed: Vec<Placed>, orbit: &Orbit, periods: &[f64]) -> Vec<Placed> {
    let period = orbit.period;
    for place in &mut placed {
        place.begins += orbit.cycle.begins;
        place.ends += orbit.cycle.begins;
    }
    let first = placed.iter().position(|place| place.begins >= period * (1.0 - SAME_INSTANT)).unwrap_or(placed.len());
    for place in &mut placed[first..] {
        place.begins -= period;
        place.ends -= period;
        place.state.iter_mut().zip(&orbit.turns).zip(periods).for_each(|((x, turns), angle)| *x -= turns * angle);
        orbit.drift.iter().for_each(|&(i, advance)| place.state[i] -= advance);
    }
    placed.rotate_left(first);
    placed
}

/// The node of an orbit without events: the phase of its section, or a plane across it.
fn anchor(system: &System, orbit: &Orbit, sizes: &[f64]) -> Placed {
    let state = orbit.state.clone();
    let kind = match &system.model().phase {
        Some(phase) => Kind::Phase { value: state[phase.state] },
        None => {
            let piece = orbit.trajectory.piece_at(0.0);
            let rate = |i: usize| piece.as_ref().and_then(|piece| piece.polynomial(i).get(1).copied()).unwrap_or(0.0);
            let mut rates: Vec<f64> = (0..state.len()).map(rate).collect();
            orbit.drift.iter().for_each(|&(i, _)| rates[i] = 0.0);
            Kind::Plane { normal: plane_normal(&rates, sizes), point: state.clone() }
        }
    };
    Placed {
        node: Node { kind, before: orbit.closed, after: orbit.closed, collisions: Vec::new() },
        state,
        begins: 0.0,
        ends: 0.0,
    }
}

/// A phase increasing from node to node along the orbit, instead of within its period.
fn unwrapped(phase: Option<usize>, orbit: &Orbit, mut placed: Vec<Placed>, periods: &[f64]) -> Vec<Placed> {
    if let Some(phase) = phase {
        let period = periods[phase];
        let rate = orbit.turns[phase] * period / orbit.period;
        let (start, first) = (placed[0].state[phase], placed[0].begins);
        for node in &mut placed {
            let expected = start + rate * (node.begins - first);
            let x = &mut node.state[phase];
            *x += period * ((expected - *x) / period).round();
        }
    }
    placed
}

/// The nodes with those at which the phase wraps, which stays within its period.
fn wrapped(orbit: &Orbit, placed: Vec<Placed>, periods: &[f64]) -> Vec<Placed> {
    let phase = orbit.state.len() - 1;
    let (period, turns) = (periods[phase], orbit.turns[phase]);
    let (rate, start) = (turns * period / orbit.period, orbit.state[phase].rem_euclid(period));
    let soon = SAME_INSTANT * orbit.period;
    let mut nodes: Vec<Placed> = placed;
    for node in nodes.iter_mut().filter(|node| node.node.kind != Kind::Wrap) {
        node.state[phase] = node.state[phase].rem_euclid(period);
    }
    for k in 0..turns as usize {
        let time = ((period - start + k as f64 * period) / rate).rem_euclid(orbit.period);
        let time = if orbit.period - time <= soon { 0.0 } else { time };
        let known = nodes.iter_mut().find(|node| node.node.kind == Kind::Wrap && (node.begins - time).abs() <= soon);
        if let Some(known) = known {
            known.state[phase] = period;
            continue;
        }
        let mut state = orbit.state.clone();
        if let Some(piece) = orbit.trajectory.piece_at(time).filter(|_| time > 0.0) {
            piece.evaluate(time - piece.start, &mut state);
        }
        state[phase] = period;
        let at = nodes.iter().position(|node| node.begins > time).unwrap_or(nodes.len());
        let before = at.checked_sub(1).or(nodes.len().checked_sub(1)).map_or(orbit.closed, |k| nodes[k].node.after);
        let node = Node { kind: Kind::Wrap, before, after: before, collisions: Vec::new() };
        nodes.insert(at, Placed { node, state, begins: time, ends: time });
    }
    nodes
}

/// The size of every state on the orbit; that of an angle and the phase is its period.
fn state_sizes(values: &Values, orbit: &Orbit) -> Vec<f64> {
    let mut sizes: Vec<f64> = orbit.state.iter().map(|x| x.abs()).collect();
    let mut state = orbit.state.clone();
    for piece in orbit.trajectory.pieces() {
        // Where pieces begin a coordinate may be zero every time.
        for part in [0.0, 0.5, 1.0] {
            piece.evaluate(part * piece.length, &mut state);
            sizes.iter_mut().zip(&state).for_each(|(size, x)| *size = size.max(x.abs()));
        }
    }
    for event in &orbit.cycle.events {
        sizes.iter_mut().zip(&event.before).for_each(|(size, x)| *size = size.max(x.abs()));
    }
    complete_sizes(&mut sizes, values.angle_periods());
    sizes
}

fn reading(
    placed: &[Placed],
    end: f64,
    turns: Vec<f64>,
    mirror: Option<SymmetryMap>,
    period: f64,
    sizes: &[f64],
) -> Reading {
    let mut unknowns = Vec::new();
    let mut all = Vec::new();
    for (k, node) in placed.iter().enumerate() {
        unknowns.extend_from_slice(&node.state);
        unknowns.push(placed.get(k + 1).map_or(end, |next| next.begins) - node.ends);
        all.extend_from_slice(sizes);
        all.push(period);
    }
    let nodes = placed.iter().map(|placed| placed.node.clone()).collect();
    Reading { signature: Signature { nodes, turns, mirror, held: Vec::new() }, unknowns, sizes: all }
}

/// The first half of an orbit whose second half is its mirror image, if the nodes show that.
fn half(orbit: &Orbit, placed: &[Placed], symmetry: &SymmetryMap, periods: &[f64], sizes: &[f64]) -> Option<Reading> {
    let time = 0.5 * orbit.period;
    let first = &placed[0];
    if let Kind::Phase { .. } = first.node.kind {
        let turns = orbit.turns.iter().map(|turns| 0.5 * turns).collect();
        return Some(reading(&placed[..1], first.begins + time, turns, Some(symmetry.clone()), orbit.period, sizes));
    }
    let count = placed.len() / 2;
    let alike = placed.len() == 2 * count
        && count > 0
        && (0..count).all(|k| {
            placed[count + k].node == placed[k].node.mirrored(symmetry)
                && (placed[count + k].begins - placed[k].begins - time).abs() <= 1e-6 * time
        });
    if !alike {
        return None;
    }
    let (from, to) = (&first.state, &placed[count].state);
    let turn = |i: usize| match periods[i] {
        0.0 => 0.0,
        // Halves of a period are those of the phase.
        period => (2.0 * (to[i] - symmetry.signs[i] * from[i]) / period).round() / 2.0,
    };
    let turns = (0..from.len()).map(turn).collect();
    Some(reading(&placed[..count], first.begins + time, turns, Some(symmetry.clone()), orbit.period, sizes))
}
