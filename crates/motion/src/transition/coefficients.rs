//! The ranges of coefficients, 0 <= e <= 1 and mu >= 0 where they are used, and what follows where stick holds more than slip.
//!
//! A contact without slip whose friction depends on whether, or in which direction, it slips has no complementarity problem: what it may do is tried
//! one by one. It sticks as long as it can, which is what a coefficient of stick means.

use super::automaton::Automaton;
use super::border::Border;
use super::consistent::{ConsistentMode, ORDER, TimeScale};
use super::likely::Candidate;
use crate::contact::bordering::bordering;
use crate::contact::problem::{Balance, Problem, Sliding};
use crate::ended::Ended;
use crate::instant::judge::moves_needlessly;
use crate::instant::knowledge::ROUNDING;
use crate::mode::{Bound, ClosedSet};

/// Problems for so many choices of the uneven contacts that begin to slip are solved.
const MOST_SLIPPING: usize = 64;

impl Automaton<'_> {
    /// The coefficients of friction of contacts at the current state.
    ///
    /// # Errors
    /// The ending where one is negative or not a number.
    pub(crate) fn require_lawful_friction(&mut self, contacts: ClosedSet) -> Result<(), Ended> {
        let system = self.system;
        contacts.iter().filter(|&contact| system.has_friction(contact)).try_for_each(|contact| {
            self.joint.group.look(system, contact, &self.now.state);
            let touch = &self.joint.group.touches[contact];
            let mu = if contacts.slip(contact).is_some() { touch.friction() } else { touch.holding() };
            self.require_friction(contact, mu)
        })
    }

    /// The ending for a coefficient of friction that is negative or not a number.
    fn require_friction(&self, contact: usize, mu: f64) -> Result<(), Ended> {
        match mu {
            _ if mu.is_nan() => Err(self.diagnose_friction(contact)),
            _ if mu < -ROUNDING => Err(Ended::friction(contact, mu)),
            _ => Ok(()),
        }
    }

    /// The coefficients of contacts that take part in an impact and have been looked at.
    ///
    /// # Errors
    /// The ending where one is out of range.
    pub(crate) fn require_lawful(&self, contacts: &[usize]) -> Result<(), Ended> {
        for &contact in contacts {
            let touch = &self.joint.group.touches[contact];
            let (restitution, friction) = (touch.restitution(), touch.friction());
            if touch.speed() < 0.0 && !(-ROUNDING..=1.0 + ROUNDING).contains(&restitution) {
                return Err(Ended::restitution(contact, restitution));
            }
            self.require_friction(contact, friction)?;
        }
        Ok(())
    }

    /// Whether a contact without slip holds more than it rubs, or more against one direction than the other.
    pub(crate) fn is_uneven(&self, contact: usize) -> bool {
        self.system.has_friction(contact) && self.joint.group.touches[contact].is_uneven()
    }

    /// Marks uneven contacts without slip as undecided in solutions of the problem of accelerations.
    pub(crate) fn question_uneven(&self, problem: &Problem, contacts: &[usize], solutions: &mut [Balance]) {
        for (k, &contact) in contacts.iter().enumerate() {
            if problem.sliding[k] == Sliding::Sticking && self.is_uneven(contact) {
                solutions.iter_mut().for_each(|solution| solution.borderline[k] = true);
            }
        }
    }

    /// Modes of contacts beside those of `modes` in which an uneven contact begins to slip. Its friction is then another one than that which held it, and what the
    /// others do follows from the accelerations with that: a body that a breaking contact had held may be torn off the one on which it lies.
    pub(crate) fn modes_beside_slip(
        &mut self,
        problem: &Problem,
        contacts: &[usize],
        modes: &[Candidate],
    ) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        if !(0..contacts.len()).any(|k| problem.sliding[k] == Sliding::Sticking && self.is_uneven(contacts[k])) {
            return found;
        }
        let mut solved = vec![problem.sliding.clone()];
        let mut open: Vec<ClosedSet> = modes.iter().map(|(mode, _)| *mode).collect();
        while let Some(mode) = open.pop().filter(|_| solved.len() <= MOST_SLIPPING) {
            let mut slipping = problem.clone();
            for (k, &contact) in contacts.iter().enumerate() {
                if let Some(slip) = mode.slip(contact)
                    && problem.sliding[k] == Sliding::Sticking
                    && self.is_uneven(contact)
                {
                    slipping.sliding[k] = Sliding::Along(slip);
                    slipping.friction[k] = self.joint.group.touches[contact].rubbing(slip);
                }
            }
            if solved.contains(&slipping.sliding) {
                continue;
            }
            let (mut solutions, _) = self.joint.solved.solutions(&slipping);
            self.question_uneven(&slipping, contacts, &mut solutions);
            for solution in &solutions {
                let loaded = solution.loaded(contacts);
                let modes = bordering(&slipping, solution, contacts);
                open.extend(&modes);
                found.extend(modes.into_iter().map(|mode| (mode, loaded.clone())));
            }
            solved.push(slipping.sliding);
        }
        found
    }

    /// Leaves out modes in which an uneven contact begins to slip although it could stick. What holds more than it rubs breaks loose only where its own force leaves its cone, be it that those
    /// which broke before it slip already: one after the other, from the mode in which all stick. Where `all` modes are wanted, because switches allow none of these, they are only marked.
    pub(super) fn prefer_stick(
        &mut self,
        consistent: &mut Vec<ConsistentMode>,
        pace: &TimeScale,
        border: &Border,
        all: bool,
    ) {
        let mut breaks_loose = consistent.iter().map(|next| {
            let mut held = next.moving();
            while held.iter().any(|&contact| self.is_uneven(contact)) {
                let stuck = held.iter().fold(next.mode, |set, &contact| set.with(contact));
                let leaves = |&contact: &usize| self.leaves_cone(stuck, (contact, next.mode), pace, border);
                let Some(broken) = held.iter().position(leaves) else { return false };
                held.remove(broken);
            }
            true
        });
        let lawful: Vec<bool> = breaks_loose.by_ref().collect();
        consistent.iter_mut().zip(&lawful).for_each(|(next, lawful)| next.slips_early = !lawful);
        if all {
            return;
        }
        consistent.retain(|next| !next.slips_early);
        let moving: Vec<Vec<usize>> = consistent.iter().map(ConsistentMode::moving).collect();
        consistent
            .retain(|next| !moving.iter().any(|less| moves_needlessly(&next.moving(), less, |c| self.is_uneven(c))));
    }

    /// Whether the force of a contact that sticks leaves its cone on the side on which it slips in another mode.
    fn leaves_cone(
        &mut self,
        stuck: ClosedSet,
        (contact, slipping): (usize, ClosedSet),
        pace: &TimeScale,
        border: &Border,
    ) -> bool {
        let Some(slip) = slipping.slip(contact) else { return true };
        let rounding = self.rounding();
        let redundant = self.joint.group.redundant(self.system, stuck, &self.now.state, &[]);
        let known = border.joins_with(stuck, &redundant) && border.contains(contact, Bound::Cone(slip));
        self.enter_mode_without(stuck, redundant);
        let mode = self.modes.now_mut();
        let limit = mode.friction_limits().find(|limit| (limit.contact, limit.kind) == (contact, Bound::Cone(slip)));
        // What others keep from slipping has no cone of its own.
        let Some(output) = limit.map(|limit| limit.output) else { return true };
        let series = mode.expand_sized(&self.parameters, &pace.data, ORDER);
        let row = &series.output(output)[usize::from(known)..=ORDER];
        row.iter().find(|c| c.exceeds(rounding) || c.value.is_nan()).is_none_or(|c| c.value.is_nan() || c.value < 0.0)
    }
}
