//! Solves for the orbit at which the flights between impacts of one contact vanish, and decides whether it is a motion.
//!
//! With restitution the speeds of all these impacts vanish too. Time zero solves the equations of a flight whatever the speed, so that curves of impacts without
//! flight cross there, and the equations with these impacts are singular. The orbit without them touches the contact at a minimum of its gap, which is regular.
//! Without restitution a flight begins without speed, and it vanishes where it begins without acceleration: the orbit without the impacts after the first is
//! regular.

use saltation_continuation::{Augmented, root};
use saltation_motion::{Bound, ClosedSet};

use super::SpecialKind;
use super::test_functions::{Location, Quantity, TestFunction, events};
use super::tracer::{Start, Tracer, plain_sizes};
use crate::signature::defining::{BoundAfter, Defining};
use crate::signature::{Equations, Kind, Node, Signature};

/// Impacts of one contact that follow each other, by their nodes in the order of motion.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub contact: usize,
    nodes: Vec<usize>,
    /// Whether the first impact leaves no speed.
    pub plastic: bool,
}

impl Run {
    /// The node that stands for all of them.
    pub(super) fn first(&self) -> usize {
        self.nodes[0]
    }

    /// Whether a test function vanishes because its flights do: there is no event of its own.
    pub(super) fn explains(&self, test: &TestFunction) -> bool {
        let Location::Node(node) = test.location else { return false };
        let own = matches!(test.kind, SpecialKind::Graze | SpecialKind::Boundary) && self.nodes.contains(&node);
        // A plastic impact may graze before its flight vanishes.
        own && !(self.plastic && node == self.first() && matches!(test.quantity, Quantity::ImpactSpeed { .. }))
    }

    fn last(&self) -> usize {
        self.nodes[self.nodes.len() - 1]
    }
}

/// The contact of an impact from flight to flight.
fn struck_in_flight(node: &Node) -> Option<usize> {
    match node.kind {
        Kind::Impact { contact } if node.before == node.after && node.collisions.is_empty() => Some(contact),
        _ => None,
    }
}

/// The impacts between which all flights vanish between two points, by the times after events there; `unknowns` are those of the first point.
pub(super) fn runs(family: &mut Equations, unknowns: &[f64], before: &[f64], after: &[f64]) -> Vec<Run> {
    let signature = family.signature().clone();
    let events = events(&signature);
    let (count, nodes) = (events.len(), signature.nodes.len());
    let vanishes = |i: usize| {
        let (own, next) = (events[i], events[(i + 1) % count]);
        let times = before.get(i).zip(after.get(i));
        // A flight with waypoints does not vanish, and behind the last node of half an orbit its mirror image follows.
        let adjacent = next == own + 1 || next == 0 && own + 1 == nodes && signature.mirror.is_none();
        let alike = struck_in_flight(&signature.nodes[own])
            .is_some_and(|own| struck_in_flight(&signature.nodes[next]) == Some(own));
        count > 1 && adjacent && alike && times.is_some_and(|(x, y)| (*x > 0.0) != (*y > 0.0))
    };
    let starts = (0..count).filter(|&i| vanishes(i) && !vanishes((i + count - 1) % count));
    let run = |i: usize| {
        let flights = (0..count).take_while(|&j| vanishes((i + j) % count)).count();
        let nodes: Vec<usize> = (0..=flights).map(|j| events[(i + j) % count]).collect();
        let contact = struck_in_flight(&signature.nodes[nodes[0]])?;
        Some(Run { contact, plastic: family.is_plastic(nodes[0], unknowns), nodes })
    };
    starts.filter_map(run).collect()
}

/// An orbit at which flights between impacts vanish.
pub(super) struct Touching {
    /// Its unknowns in the signature with all impacts, the times between them zero.
    pub unknowns: Vec<f64>,
    /// Whether it is a motion without the impacts that vanish.
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
    /// The orbit at which the flights of a run vanish, by Newton's method from a guess in the unknowns of the signature with all of its impacts.
    pub(super) fn touching(&mut self, family: &Equations, run: &Run, guess: &[f64]) -> Option<Touching> {
        let layout = family.layout().clone();
        let (signature, states, first) = (family.signature(), layout.states, run.first());
        let shown: Vec<usize> = (0..signature.nodes.len()).filter(|k| *k == first || !run.nodes.contains(k)).collect();
        if signature.nodes[shown[0]].kind == Kind::Waypoint {
            return None;
        }
        let kept = shown.iter().position(|&k| k == first)?;
        // The flight after the last impact follows the first.
        let reduced = |row: &[f64]| {
            let mut all = Vec::with_capacity(row.len());
            for &k in &shown {
                all.extend_from_slice(&row[layout.nodes[k]..][..states]);
                if signature.nodes[k].kind != Kind::Waypoint {
                    all.push(row[layout.time(if k == first { run.last() } else { k })]);
                }
            }
            all.extend_from_slice(&row[layout.parameters..]);
            all
        };
        let mut shorter = signature.clone();
        shorter.nodes = shown.iter().map(|&k| signature.nodes[k].clone()).collect();
        let condition = if run.plastic {
            let mode = signature.nodes[first].after.with(run.contact);
            Defining::BoundAfter(BoundAfter { node: kept, mode, contact: run.contact, bound: Bound::Force })
        } else {
            shorter = touched(&shorter, kept, run.contact);
            Defining::Gap(kept)
        };
        let start =
            Start { unknowns: reduced(guess), sizes: reduced(&plain_sizes(family)), signature: shorter, tangent: None };
        let mut equations = self.equations(&start);
        let found = root(&mut Augmented::new(equations.clone(), condition), &start.unknowns).ok()?;
        let inspection = equations.inspect(&found, None, &mut self.scratch.workspace).ok()?;
        let turns = equations.turn_lengths(&found);
        let touch = equations.after(kept, &found).ok()?;
        let own = equations.layout();
        let mut unknowns = Vec::with_capacity(guess.len());
        let mut places = own.nodes.iter();
        for (k, node) in signature.nodes.iter().enumerate() {
            if shown.contains(&k) {
                let at = *places.next()?;
                unknowns.extend_from_slice(&found[at..at + states]);
                match node.kind {
                    Kind::Waypoint => {}
                    _ if k == first => unknowns.push(0.0),
                    _ => unknowns.push(found[at + states]),
                }
                continue;
            }
            // What follows the last node belongs to the period before.
            let turn = |(x, turn): (&f64, &f64)| if k < first { x - turn } else { *x };
            unknowns.extend(touch.iter().zip(&turns).map(turn));
            unknowns.push(if k == run.last() { found[own.time(kept)] } else { 0.0 });
        }
        unknowns.extend_from_slice(&found[own.parameters..]);
        (unknowns.len() == guess.len()).then_some(Touching { unknowns, admissible: inspection.admissible })
    }

    /// Whether an orbit with an impact without speed is a motion without that impact; `None` if the impact does something at no speed.
    pub(super) fn is_motion(&mut self, family: &Equations, node: usize, unknowns: &[f64]) -> Option<bool> {
        let contact = struck_in_flight(family.signature().nodes.get(node)?)?;
        let signature = touched(family.signature(), node, contact);
        let start = Start { signature, unknowns: unknowns.to_vec(), sizes: plain_sizes(family), tangent: None };
        Some(self.equations(&start).inspect(unknowns, None, &mut self.scratch.workspace).ok()?.admissible)
    }
}
