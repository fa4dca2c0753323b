//! Classifies the sliding bifurcation that a border of friction is: by how the contact moves before, between and after the events that coalesce, or by
//! what is touched between events (di Bernardo, Budd, Champneys and Kowalczyk, Piecewise-smooth Dynamical Systems, chapter 8, with stick in place of sliding).

use saltation_motion::Bound;
use saltation_motion::{ClosedSet, Slip};

use super::distinct::VANISHED_TIME;
use super::{Place, Special, SpecialKind};
use crate::signature::{Equations, Kind};

/// A bifurcation in which the contact of an orbit begins or ceases to stick, or sticks once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sliding {
    /// Slip that only just stops and continues in its direction: a stop begins.
    Grazing,
    /// Slip that changes its direction only just stops: a stop begins.
    Crossing,
    /// A stop begins at the edge of its cone: beyond, slip in the other direction comes before it.
    Switching,
    /// The force of a contact that sticks touches the edge of its cone: a slip divides the stop.
    Adding,
    /// A corner of the field is touched: beyond, the motion crosses it and returns.
    Touch,
}

impl Sliding {
    /// One word for tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Sliding::Grazing => "grazing_sliding",
            Sliding::Crossing => "crossing_sliding",
            Sliding::Switching => "switching_sliding",
            Sliding::Adding => "adding_sliding",
            Sliding::Touch => "graze",
        }
    }
}

/// How a contact moves.
#[derive(Clone, Copy, PartialEq)]
enum Moves {
    Open,
    Sticks,
    Slips(Slip),
}

fn moves(mode: ClosedSet, contact: usize) -> Moves {
    match (mode.contains(contact), mode.slip(contact)) {
        (false, _) => Moves::Open,
        (true, None) => Moves::Sticks,
        (true, Some(slip)) => Moves::Slips(slip),
    }
}

/// Whether sliding begins at a node at an edge over which the motion leaves at once.
fn leaves_at_once(problem: &mut Equations, node: usize, contact: usize, unknowns: &[f64]) -> bool {
    ClosedSet::switch(contact).is_some() && problem.edge_rate(node, contact, unknowns).is_some_and(|rate| rate < 0.0)
}

/// Whether a node lies on the surface of a switch along which no motion slides.
fn is_corner(kind: &Kind) -> bool {
    matches!(kind, Kind::Turn { bound: Bound::Surface, .. })
}

/// The bifurcation that a special point is, if it is one of these.
pub(super) fn sliding(problem: &mut Equations, special: &Special) -> Option<Sliding> {
    if special.kind != SpecialKind::Boundary {
        return None;
    }
    let unknowns = &special.point.unknowns;
    match &special.place {
        Place::Between { contact, site } => {
            let mode = problem.signature().nodes[site.node].after;
            match (problem.touched(*contact, site, unknowns)?, moves(mode, *contact)) {
                (Bound::Cone(_), Moves::Sticks) => Some(Sliding::Adding),
                (Bound::Speed, Moves::Slips(_)) => Some(Sliding::Grazing),
                (Bound::Surface, Moves::Slips(_)) => Some(Sliding::Touch),
                _ => None,
            }
        }
        Place::Node(node) => {
            let contact = special.contact.filter(|&contact| problem.system().has_friction(contact))?;
            let signature = problem.signature();
            let count = signature.nodes.len();
            let own = signature.nodes[*node].clone();
            let next = match node + 1 {
                next if next < count => signature.nodes[next].clone(),
                _ => signature.image(&signature.nodes[0]),
            };
            let [before, between, after] = [own.before, own.after, next.after].map(|mode| moves(mode, contact));
            let time = unknowns.get(problem.layout().time(*node)).copied().unwrap_or(f64::INFINITY);
            let vanishes = time == 0.0;
            // What an event of another contact ends is no bifurcation of this one alone.
            if time.abs() <= VANISHED_TIME * special.point.period && next.kind.contact() != Some(contact) {
                return None;
            }
            match (before, between, after) {
                (Moves::Slips(a), Moves::Slips(b), Moves::Slips(c))
                    if vanishes && a == c && a != b && is_corner(&own.kind) =>
                {
                    Some(Sliding::Touch)
                }
                (Moves::Slips(a), Moves::Sticks, Moves::Slips(b)) if vanishes && a == b => Some(Sliding::Grazing),
                (Moves::Slips(_), Moves::Sticks, Moves::Slips(_)) if vanishes => Some(Sliding::Crossing),
                (Moves::Sticks, Moves::Slips(_), Moves::Sticks) if vanishes => Some(Sliding::Adding),
                (Moves::Slips(a), Moves::Slips(b), Moves::Sticks) if vanishes && a != b => Some(Sliding::Switching),
                // What begins at the edge of sliding and leads outward at once is a crossing that only just does not slide.
                (Moves::Slips(a), Moves::Sticks, Moves::Slips(b))
                    if a != b && leaves_at_once(problem, *node, contact, unknowns) =>
                {
                    Some(Sliding::Crossing)
                }
                // What a stop or a reversal begins with is at its border.
                (Moves::Slips(_), Moves::Sticks, _) if matches!(own.kind, Kind::Turn { bound: Bound::Speed, .. }) => {
                    Some(Sliding::Switching)
                }
                (Moves::Slips(a), Moves::Slips(b), _) if a != b => Some(Sliding::Crossing),
                _ => None,
            }
        }
        Place::Everywhere => None,
    }
}
