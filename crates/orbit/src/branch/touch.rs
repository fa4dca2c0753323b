//! Solves for the orbit at which impacts of one contact that follow each other shrink to a touch, and decides whether it is a motion.
//!
//! With their speeds the flights between them vanish. Time zero solves the equations of a flight whatever the speed, so that curves of impacts without flight
//! cross there, and the equations with these impacts are singular. The orbit without them touches the contact at a minimum of its gap, which is regular.

use saltation_continuation::{Augmented, root};
use saltation_motion::ClosedSet;

use super::test_functions::events;
use super::tracer::{Start, Tracer, plain_sizes};
use crate::signature::defining::Defining;
use crate::signature::{Equations, Kind, Node, Signature};

/// Impacts of one contact that follow each other, by their nodes in the order of motion.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub contact: usize,
    nodes: Vec<usize>,
}

impl Run {
    /// The node that stands for all of them: the first of the signature, before which those of the last period end.
    pub(super) fn kept(&self) -> usize {
        self.nodes.iter().copied().min().unwrap_or(0)
    }

    /// The node of the impact after which the first flight vanishes.
    pub(super) fn first(&self) -> usize {
        self.nodes[0]
    }

    fn last(&self) -> usize {
        self.nodes[self.nodes.len() - 1]
    }
}

/// The contact of an impact from flight to flight.
fn bounces(node: &Node) -> Option<usize> {
    match node.kind {
        Kind::Impact { contact } if node.before == node.after && node.collisions.is_empty() => Some(contact),
        _ => None,
    }
}

/// The impacts between which all flights vanish between two points, by the times after events there.
pub(super) fn runs(signature: &Signature, before: &[f64], after: &[f64]) -> Vec<Run> {
    let events = events(signature);
    let (count, nodes) = (events.len(), signature.nodes.len());
    let vanishes = |i: usize| {
        let (own, next) = (events[i], events[(i + 1) % count]);
        let times = before.get(i).zip(after.get(i));
        // A flight with waypoints does not vanish, and behind the last node of half an orbit its mirror image follows.
        let adjacent = next == own + 1 || next == 0 && own + 1 == nodes && signature.mirror.is_none();
        let alike = bounces(&signature.nodes[own]).is_some_and(|own| bounces(&signature.nodes[next]) == Some(own));
        count > 1 && adjacent && alike && times.is_some_and(|(x, y)| (*x > 0.0) != (*y > 0.0))
    };
    let starts = (0..count).filter(|&i| vanishes(i) && !vanishes((i + count - 1) % count));
    let run = |i: usize| {
        let flights = (0..count).take_while(|&j| vanishes((i + j) % count)).count();
        let nodes: Vec<usize> = (0..=flights).map(|j| events[(i + j) % count]).collect();
        bounces(&signature.nodes[nodes[0]]).map(|contact| Run { contact, nodes })
    };
    starts.filter_map(run).collect()
}

/// An orbit that touches a contact.
pub(super) struct Touching {
    /// Its unknowns in the signature with all impacts, those without speed and the times between them zero.
    pub unknowns: Vec<f64>,
    /// Whether it is a motion without these impacts.
    pub admissible: bool,
}

/// A signature in which a node is the minimum of a gap.
fn touched(signature: &Signature, node: usize, contact: usize) -> Signature {
    let mut signature = signature.clone();
    let mode: ClosedSet = signature.nodes[node].before;
    signature.nodes[node] = Node { kind: Kind::Minimum { contact }, before: mode, after: mode, collisions: Vec::new() };
    signature
}

impl Tracer<'_, '_> {
    /// The orbit at which the impacts of a run shrink to a touch, by Newton's method from a guess in the unknowns of the signature with all of them.
    pub(super) fn touching(&mut self, family: &Equations, run: &Run, guess: &[f64]) -> Option<Touching> {
        let layout = family.layout().clone();
        let (signature, states, kept) = (family.signature(), layout.states, run.kept());
        let removed = |k: usize| k != kept && run.nodes.contains(&k);
        // The flight after the last impact follows the touch.
        let reduced = |row: &[f64]| {
            let mut all = Vec::with_capacity(row.len());
            for k in (0..signature.nodes.len()).filter(|&k| !removed(k)) {
                let at = layout.nodes[k];
                all.extend_from_slice(&row[at..at + states]);
                if signature.nodes[k].kind != Kind::Waypoint {
                    all.push(row[layout.time(if k == kept { run.last() } else { k })]);
                }
            }
            all.extend_from_slice(&row[layout.parameters..]);
            all
        };
        let mut shorter = touched(signature, kept, run.contact);
        let mut node = 0..signature.nodes.len();
        shorter.nodes.retain(|_| node.next().is_some_and(|k| !removed(k)));
        let start =
            Start { unknowns: reduced(guess), sizes: reduced(&plain_sizes(family)), signature: shorter, tangent: None };
        let mut equations = self.equations(&start);
        let found = root(&mut Augmented::new(equations.clone(), Defining::Gap(kept)), &start.unknowns).ok()?;
        let inspection = equations.inspect(&found, None, &mut self.scratch.workspace).ok()?;
        let turns = equations.turn_lengths(&found);
        let own = equations.layout().clone();
        let touch = &found[own.nodes[kept]..][..states];
        let mut unknowns = Vec::with_capacity(guess.len());
        let mut shown = own.nodes.iter().enumerate().filter(|&(k, _)| k != kept);
        for (k, node) in signature.nodes.iter().enumerate() {
            let in_run = k == kept || removed(k);
            match in_run {
                // Those behind the last impact belong to the touch one period later.
                true if k > run.last() => unknowns.extend(touch.iter().zip(&turns).map(|(x, turn)| x + turn)),
                true => unknowns.extend_from_slice(touch),
                false => {
                    let (_, &at) = shown.next()?;
                    unknowns.extend_from_slice(&found[at..at + states]);
                    if node.kind != Kind::Waypoint {
                        unknowns.push(found[at + states]);
                    }
                }
            }
            if in_run {
                unknowns.push(if k == run.last() { found[own.time(kept)] } else { 0.0 });
            }
        }
        unknowns.extend_from_slice(&found[own.parameters..]);
        (unknowns.len() == guess.len()).then_some(Touching { unknowns, admissible: inspection.admissible })
    }

    /// Whether an orbit with an impact without speed is a motion without that impact; `None` if the impact does something at no speed.
    pub(super) fn is_motion(&mut self, family: &Equations, node: usize, unknowns: &[f64]) -> Option<bool> {
        let contact = bounces(family.signature().nodes.get(node)?)?;
        let signature = touched(family.signature(), node, contact);
        let start = Start { signature, unknowns: unknowns.to_vec(), sizes: plain_sizes(family), tangent: None };
        Some(self.equations(&start).inspect(unknowns, None, &mut self.scratch.workspace).ok()?.admissible)
    }
}
