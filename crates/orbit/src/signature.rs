//! The equations of an orbit with a given sequence of events, one set for every piece between two events.
//!
//! Unknown are the states x_k just before the events, the times T_k between them and some parameters. With the jump J_k
//! of event k, the flow Phi of the mode that follows it, and the condition h_k that holds at it,
//!
//! ```text
//! Phi(J_k(x_k), T_k) - x_(k+1) = 0,     h_k(x_k) = 0,     k = 1, ..., N,     x_(N+1) = S x_1,
//! ```
//!
//! where S adds the turns of angles and phase, or takes half an orbit to its mirror image. A state on which nothing depends may drift: instead of its closing, its
//! value at x_1 is given, and how far it advances follows. Flows are continued through surfaces
//! and backward in time, so that nothing is special about an impact of speed zero: where the return map has a square root, these
//! equations are smooth, and beyond it they have solutions that are no orbits ("virtual").
//!
//! | module | content |
//! |---|---|
//! | `read` | the signature of an orbit that was followed |
//! | `equations` | residuals and Jacobian |
//! | `at_nodes` | speeds, gaps and forces at single nodes, with their derivatives |
//! | `defining` | the defining conditions of bifurcations |
//! | `pace` | several phases |
//! | `spectrum` | multipliers |
//! | `inspect` | whether a solution is a motion of the system |

mod at_nodes;
pub(crate) mod defining;
pub(crate) mod equations;
mod inspect;
mod pace;
mod read;
mod spectrum;

use saltation_model::SymmetryMap;
use saltation_motion::{Bound, Collision, mirrored_element};
use saltation_motion::{ClosedSet, EventKind, System};

pub use equations::{Circle, Equations};
pub(crate) use inspect::InitialPlace;
pub use inspect::{BoundMinimum, ImpactSpeed, InitialBound, Inspection, Lowest, MonitoredSection, NodeValue, Site};
pub use read::{Reading, Unreadable};

/// What happens at a node of a signature.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// An impact; its condition is that the gap is zero.
    Impact {
        /// The contact.
        contact: usize,
    },
    /// The first impact of a complete chattering sequence, and all of the sequence with it.
    Chatter {
        /// The contact.
        contact: usize,
    },
    /// The first impact of a sequence whose impacts accumulate just where the contact force vanishes, and all of the sequence with it: it is followed for
    /// so many impacts and extrapolated.
    Accumulation {
        /// The contact.
        contact: usize,
        /// The number of impacts.
        impacts: usize,
    },
    /// The contact force falls to zero.
    Release {
        /// The contact.
        contact: usize,
    },
    /// Something else that friction keeps above zero falls to zero: the speed of slip, or the distance from the edge of the cone in which the force of a
    /// contact that sticks lies.
    Turn {
        /// The contact.
        contact: usize,
        /// What falls to zero.
        bound: Bound,
    },
    /// An event of the model: the function of its switch is zero, and the state jumps.
    Reset {
        /// The switch, as an [element](ClosedSet::element).
        contact: usize,
        /// What falls to zero there: the modulus of its function.
        bound: Bound,
        /// The events that happen there, one after another, by their positions in the file.
        resets: Vec<usize>,
    },
    /// The gap has a minimum: its speed is zero. Nothing happens.
    Minimum {
        /// The contact.
        contact: usize,
    },
    /// The phase comes to the end of its circle, where formulas that are not periodic in it jump, and begins it anew.
    Wrap,
    /// The phase has a value. Nothing happens.
    Phase {
        /// The value.
        value: f64,
    },
    /// The state crosses a plane: normal . (x - point) = 0. Nothing happens.
    Plane {
        /// The normal, with one entry per state.
        normal: Vec<f64>,
        /// A point of it.
        point: Vec<f64>,
    },
    /// A place between events, at an equal part of the time between two events.
    Waypoint,
}

impl Kind {
    /// The contact it concerns, or the switch as an [element](ClosedSet::element).
    pub fn contact(&self) -> Option<usize> {
        match *self {
            Kind::Impact { contact }
            | Kind::Chatter { contact }
            | Kind::Accumulation { contact, .. }
            | Kind::Release { contact }
            | Kind::Turn { contact, .. }
            | Kind::Reset { contact, .. }
            | Kind::Minimum { contact } => Some(contact),
            _ => None,
        }
    }
}

/// A place on an orbit.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What happens there.
    pub kind: Kind,
    /// The contacts that are closed just before.
    pub before: ClosedSet,
    /// The contacts that are closed afterwards.
    pub after: ClosedSet,
    /// The equations of the impacts that happen there, where contacts rub or strike together, and of impacts without collision.
    pub collisions: Vec<Collision>,
}

impl Node {
    /// The node in the mirror; a phase or a plane is left as it is.
    pub(crate) fn mirrored(&self, mirror: &SymmetryMap) -> Node {
        let mut kind = self.kind.clone();
        match &mut kind {
            Kind::Impact { contact }
            | Kind::Chatter { contact }
            | Kind::Accumulation { contact, .. }
            | Kind::Release { contact }
            | Kind::Minimum { contact } => *contact = mirror.contacts[*contact],
            Kind::Turn { contact, bound } => {
                *bound = bound.mirrored(*contact, mirror);
                *contact = mirrored_element(mirror, *contact);
            }
            Kind::Reset { contact, .. } => *contact = mirrored_element(mirror, *contact),
            Kind::Wrap | Kind::Phase { .. } | Kind::Plane { .. } | Kind::Waypoint => {}
        }
        Node {
            kind,
            before: self.before.mirrored(mirror),
            after: self.after.mirrored(mirror),
            collisions: self.collisions.iter().map(|collision| collision.mirrored(mirror)).collect(),
        }
    }
}

/// The ordered events of an orbit.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// The events in their order; the first one is no [`Kind::Waypoint`].
    pub nodes: Vec<Node>,
    /// By how many of its periods every angle and the phase advance in all.
    pub turns: Vec<f64>,
    /// If the nodes are those of half an orbit, the map to the other half; its shift of the phase is part of `turns`.
    pub mirror: Option<SymmetryMap>,
    /// States on which nothing depends and which need not close, each with the value that it has at the first node: it is held there instead.
    pub held: Vec<(usize, f64)>,
}

/// The time of the flow after a node. Waypoints share the time between two events in equal parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowTime {
    /// The unknown that is the time between events.
    pub unknown: usize,
    /// Into how many equal parts waypoints divide it.
    pub parts: usize,
}

/// Where the unknowns of a signature stand in one row: for each node its state and, unless it is a waypoint, the time of the
/// flow after it; the free parameters last.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The number of states.
    pub states: usize,
    /// The first unknown of every node.
    pub nodes: Vec<usize>,
    /// For every node the time of the flow after it.
    pub times: Vec<FlowTime>,
    /// The first free parameter, which is also the number of equations.
    pub parameters: usize,
}

impl Layout {
    /// The unknown that is the time between the events around the flow after a node.
    pub fn time(&self, node: usize) -> usize {
        self.times[node].unknown
    }

    /// How long the flow after a node takes.
    pub fn duration(&self, node: usize, unknowns: &[f64]) -> f64 {
        let FlowTime { unknown, parts } = self.times[node];
        unknowns[unknown] / parts as f64
    }

    /// A row of unknowns, or of what belongs to them, without the entries of waypoints.
    pub fn without_waypoints(&self, signature: &Signature, row: &[f64]) -> Vec<f64> {
        let mut plain = Vec::with_capacity(row.len());
        for (k, node) in signature.nodes.iter().enumerate() {
            if node.kind != Kind::Waypoint {
                plain.extend_from_slice(&row[self.nodes[k]..self.nodes[k] + self.states + 1]);
            }
        }
        plain.extend_from_slice(&row[self.parameters..]);
        plain
    }
}

impl Signature {
    /// The positions of the unknowns.
    pub fn layout(&self, states: usize) -> Layout {
        let mut nodes = Vec::with_capacity(self.nodes.len());
        let mut times: Vec<FlowTime> = Vec::with_capacity(self.nodes.len());
        let mut next = 0;
        let mut leg = 0;
        for (k, node) in self.nodes.iter().enumerate() {
            nodes.push(next);
            next += states;
            if node.kind == Kind::Waypoint {
                times[leg..].iter_mut().for_each(|time| time.parts += 1);
                times.push(times[leg]);
            } else {
                leg = k;
                times.push(FlowTime { unknown: next, parts: 1 });
                next += 1;
            }
        }
        Layout { states, nodes, times, parameters: next }
    }

    /// What happens in one period, as motions report it: minima and waypoints left out, both halves of half an orbit.
    pub fn marks(&self) -> Vec<crate::orbit::Mark> {
        let mut marks = Vec::new();
        let halves = if self.mirror.is_some() { 2 } else { 1 };
        for half in 0..halves {
            for node in &self.nodes {
                let turns = matches!(node.kind, Kind::Turn { .. } | Kind::Reset { .. } | Kind::Wrap);
                if turns || node.before.slips() || node.after.slips() || !node.collisions.is_empty() {
                    marks.extend(rubbing_marks(node, self.mirror.as_ref().filter(|_| half == 1)));
                    continue;
                }
                let kinds: &[EventKind] = match node.kind {
                    Kind::Impact { contact } if node.after.contains(contact) => &[EventKind::Impact, EventKind::Stick],
                    Kind::Impact { .. } => &[EventKind::Impact],
                    Kind::Chatter { .. } | Kind::Accumulation { .. } => &[EventKind::Chatter, EventKind::Stick],
                    Kind::Release { .. } => &[EventKind::Release],
                    _ => &[],
                };
                let Some(contact) = node.kind.contact() else { continue };
                let contact = match &self.mirror {
                    Some(mirror) if half == 1 => mirror.contacts[contact],
                    _ => contact,
                };
                marks.extend(kinds.iter().map(|&kind| crate::orbit::Mark { kind, contact }));
            }
        }
        marks
    }

    /// The words of the signature, e.g. `impact:wall`.
    pub fn words(&self, system: &System) -> Vec<String> {
        self.marks().iter().map(|mark| mark.word(system)).collect()
    }

    /// By how many periods every angle and the phase advance on the flows of all nodes: a wrap takes a turn off the phase.
    pub(crate) fn advances(&self) -> Vec<f64> {
        let wraps = self.nodes.iter().filter(|node| node.kind == Kind::Wrap).count() as f64;
        let last = self.turns.len().saturating_sub(1);
        let turns = self.turns.iter().enumerate();
        turns.map(|(i, turns)| if i == last { turns - wraps } else { *turns }).collect()
    }

    /// Whether a state need not close.
    pub fn drifts(&self, state: usize) -> bool {
        self.held.iter().any(|(held, _)| *held == state)
    }

    /// A node as it is one turn of the signature later: its mirror image, if the nodes are those of half an orbit.
    pub(crate) fn image(&self, node: &Node) -> Node {
        self.mirror.as_ref().map_or_else(|| node.clone(), |mirror| node.mirrored(mirror))
    }
}

/// What motions report of a node at which contacts rub, or strike together.
fn rubbing_marks(node: &Node, mirror: Option<&SymmetryMap>) -> Vec<crate::orbit::Mark> {
    let mut marks = Vec::new();
    let mut report = |kind: EventKind, contact: usize| {
        let contact = mirror.map_or(contact, |mirror| mirrored_element(mirror, contact));
        marks.push(crate::orbit::Mark { kind, contact });
    };
    match node.kind {
        Kind::Impact { contact } => report(EventKind::Impact, contact),
        Kind::Chatter { contact } | Kind::Accumulation { contact, .. } => report(EventKind::Chatter, contact),
        Kind::Release { contact } | Kind::Turn { contact, .. } if !node.collisions.is_empty() => {
            report(EventKind::ImpactWithoutCollision, contact);
        }
        Kind::Reset { contact, .. } => {
            report(EventKind::Reset, contact);
            return marks;
        }
        _ => {}
    }
    for contact in node.before.iter().filter(|&contact| !node.after.contains(contact)) {
        report(EventKind::Release, contact);
    }
    for contact in node.after.elements() {
        let (before, slip) = (node.before.slip(contact), node.after.slip(contact));
        if !node.before.contains(contact) || before != slip {
            let kind = match (ClosedSet::switch(contact), before, slip) {
                (None, _, Some(_)) => EventKind::Slip,
                (None, _, None) => EventKind::Stick,
                (Some(_), _, None) => EventKind::Slide,
                (Some(_), None, Some(_)) => EventKind::Leave,
                (Some(_), Some(_), Some(_)) => EventKind::Switch,
            };
            report(kind, contact);
        }
    }
    marks
}
