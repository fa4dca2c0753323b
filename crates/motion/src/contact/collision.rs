//! What was decided about an impact: its equations, in words and on any kind of number, and how well the laws hold that were not used as equations.

use saltation_model::Together;
use saltation_numerics::number::Number;

use super::group::Group;
use super::impulse::{NormalRule, Rules, TangentialRule};
use super::problem::{Balance, Does, Problem, Sliding};
use crate::mode::Slip;
use crate::system::System;

/// What was decided about an impact: which of its laws hold as equations, at every contact and in one or two phases. Neighbouring impacts obey the same
/// equations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Collision {
    pub(crate) contacts: Vec<usize>,
    pub(crate) phases: Vec<Vec<Rules>>,
}

impl Collision {
    /// The equations in words: for every phase, every contact with what holds along its normal (`free`, `newton`, `halt`, `restitution`) and along its
    /// surface (`free`, `slip+`, `slip-`, `stick`).
    pub fn rules(&self) -> Vec<Vec<(usize, &'static str, &'static str)>> {
        let words = |(&contact, &(normal, tangential)): (&usize, &Rules)| {
            let normal = NORMAL_WORDS.iter().find(|known| known.0 == normal).map_or("", |known| known.1);
            let tangential = TANGENTIAL_WORDS.iter().find(|known| known.0 == tangential).map_or("", |known| known.1);
            (contact, normal, tangential)
        };
        self.phases.iter().map(|rules| self.contacts.iter().zip(rules).map(words).collect()).collect()
    }

    /// A collision from the words of [`Collision::rules`]; `None` if they are no such words, or not for the same contacts in all phases.
    pub fn from_rules(phases: &[Vec<(usize, &str, &str)>]) -> Option<Collision> {
        let contacts: Vec<usize> = phases.first()?.iter().map(|rule| rule.0).collect();
        let rules = |&(_, normal, tangential): &(usize, &str, &str)| {
            let normal = NORMAL_WORDS.iter().find(|known| known.1 == normal)?.0;
            Some((normal, TANGENTIAL_WORDS.iter().find(|known| known.1 == tangential)?.0))
        };
        let same = |phase: &Vec<(usize, &str, &str)>| phase.iter().map(|rule| rule.0).eq(contacts.iter().copied());
        if !phases.iter().all(same) {
            return None;
        }
        let phases = phases.iter().map(|phase| phase.iter().map(rules).collect()).collect::<Option<_>>()?;
        Some(Collision { contacts, phases })
    }
}

/// The equations that hold in a solution; `closing` is the normal law of contacts with an impulse.
pub(crate) fn rules(problem: &Problem, balance: &Balance, closing: NormalRule) -> Vec<Rules> {
    (0..problem.contacts())
        .map(|i| {
            let own = balance.normal[i] - problem.given[i];
            let smallest = 1e-12 * (problem.scale[i] / problem.delassus[(i, i)]).max(balance.normal[i].abs());
            let normal = match (own > smallest, problem.given[i] > 0.0) {
                (true, _) => closing,
                (false, true) => NormalRule::Restitution,
                (false, false) => NormalRule::Free,
            };
            let tangential = match (problem.sliding[i], balance.does[i]) {
                _ if normal == NormalRule::Free => TangentialRule::Free,
                (Sliding::Smooth, _) => TangentialRule::Free,
                // What has no coefficient has no friction.
                _ if problem.friction[i] == 0.0 => TangentialRule::Free,
                (_, Does::Slip(slip)) => TangentialRule::Slip(slip),
                // Of forces that are one choice of many those with bounds that are reached solve the equations of these bounds.
                (_, Does::Stick) if balance.underdetermined && problem.is_at_edge(balance, i) => {
                    TangentialRule::Slip(Slip::of(-balance.tangential[i]))
                }
                (_, Does::Stick | Does::Open) => TangentialRule::Stick,
            };
            (normal, tangential)
        })
        .collect()
}

const NORMAL_WORDS: [(NormalRule, &str); 4] = [
    (NormalRule::Free, "free"),
    (NormalRule::Newton, "newton"),
    (NormalRule::Halt, "halt"),
    (NormalRule::Restitution, "restitution"),
];
const TANGENTIAL_WORDS: [(TangentialRule, &str); 4] = [
    (TangentialRule::Free, "free"),
    (TangentialRule::Slip(Slip::Forward), "slip+"),
    (TangentialRule::Slip(Slip::Backward), "slip-"),
    (TangentialRule::Stick, "stick"),
];

impl<T: Number> Group<T> {
    /// Lets a collision change the velocities of a state.
    pub(crate) fn collide(&mut self, system: &System, collision: &Collision, state: &mut [T]) {
        for &contact in &collision.contacts {
            self.look(system, contact, state);
        }
        self.moved.clear();
        self.moved.resize(system.velocities().len(), T::ZERO);
        self.contacts.clear();
        self.contacts.extend_from_slice(&collision.contacts);
        self.impulses.begin(collision.contacts.len());
        for rules in &collision.phases {
            self.impulses.phase(&self.touches, &self.contacts, rules, &mut self.moved);
        }
        for (&v, &change) in system.velocities().iter().zip(&self.moved) {
            state[v] += change;
        }
    }
}

impl Group {
    /// By how much a collision obeys the laws that were not used as equations, as
    /// [`Extension::margin`](crate::extension::Extension::margin) measures it.
    pub(crate) fn margin(&mut self, system: &System, collision: &Collision, state: &[f64]) -> f64 {
        let mut after = state.to_vec();
        self.collide(system, collision, &mut after);
        let impulses = self.impulses.total.clone();
        let largest = impulses.iter().map(|(normal, _)| normal.abs()).fold(f64::MIN_POSITIVE, f64::max);
        let fastest = system.velocities().iter().map(|&v| state[v].abs().max(after[v].abs()));
        let fastest = fastest.fold(f64::MIN_POSITIVE, f64::max);
        let mut least = match system.model().impacts.together {
            Together::Sequence => self.order_margin(system, collision, state, fastest),
            _ => f64::INFINITY,
        };
        let Some(last) = collision.phases.last() else { return least };
        for ((&contact, &(normal, tangential)), (pushed, rubbed)) in collision.contacts.iter().zip(last).zip(impulses) {
            self.look(system, contact, &after);
            let touch = &self.touches[contact];
            let of_normal = if normal == NormalRule::Free { touch.speed() / fastest } else { pushed / largest };
            let of_slip = match tangential {
                TangentialRule::Free => f64::INFINITY,
                TangentialRule::Slip(slip) => slip.sign() * touch.slip() / fastest,
                TangentialRule::Stick => (touch.friction() * pushed - rubbed.abs()) / largest,
            };
            least = least.min(of_normal).min(of_slip);
        }
        least
    }
}
