//! Impacts without collision: speeds jump although no contact closes, where slip has no finite force.
//!
//! With g_N'(t-) = 0 the problem of an impact always has the solution without impulses (Leine & Brogliato, Eq. (2.17)); in an inconsistent contact it is the other one that
//! happens: slip stops, or turns, by impulses alone (Lecornu).

use super::automaton::Automaton;
use crate::contact::collision::Collision;
use crate::contact::collision::rules;
use crate::contact::impulse::{NormalRule, TangentialRule};
use crate::contact::problem::Balance;
use crate::ended::Ended;
use crate::event::{Alternative, Event, EventKind};
use crate::instant::knowledge::BORDER;
use crate::mode::ClosedSet;

/// Where A is rounding, the impulse stands at the edge of the cone to within this.
const AT_EDGE: f64 = 1e-6;

impl Automaton<'_> {
    /// An impact without collision of contacts with g_N = g_N' = 0, if there is one: of several the one that loses most energy.
    pub(crate) fn free_impact(&mut self, pressed: ClosedSet) -> Option<Collision> {
        if !self.system.coupled {
            return None;
        }
        let contacts: Vec<usize> = pressed.iter().collect();
        let n = contacts.len();
        let mut problem = self.speed_problem(&contacts, false);
        // No contact closes, and what sticks does not slip: what is left of these speeds is rounding.
        problem.free[..n].fill(0.0);
        for (k, &contact) in contacts.iter().enumerate() {
            problem.free[n + k] =
                if pressed.slip(contact).is_some() { self.joint.group.touches[contact].slip() } else { 0.0 };
        }
        // There is nothing to stop but slip, however small beside the velocities that it consists of, and beside that of contacts elsewhere.
        let pace = |row: usize| problem.free[row].abs() / problem.delassus[(row, row)].sqrt();
        let mut scale = vec![0.0; 2 * n];
        for group in problem.groups() {
            let paces = group.iter().map(|&contact| pace(n + contact)).filter(|pace| pace.is_finite());
            let fastest = paces.fold(0.0, f64::max);
            for row in group.iter().flat_map(|&contact| [contact, n + contact]) {
                scale[row] = fastest * problem.delassus[(row, row)].sqrt();
            }
        }
        problem.scale = scale;
        let (solutions, _) = self.joint.solved.solutions(&problem);
        let moves = |balance: &Balance| {
            let change = |row: usize| {
                let forces = balance.normal.iter().chain(&balance.tangential).enumerate();
                forces.map(|(column, force)| problem.delassus[(row, column)] * force).sum::<f64>()
            };
            (0..2 * n).any(|row| change(row).abs() > BORDER * problem.scale[row])
        };
        let every: Vec<usize> = (0..n).collect();
        let energy = |balance: &Balance| problem.gained(balance, &every);
        let found = solutions.into_iter().filter(moves).min_by(|a, b| energy(a).total_cmp(&energy(b)))?;
        let rules = rules(&problem, &found, NormalRule::Halt);
        Some(Collision { contacts, phases: vec![rules] })
    }

    /// The impact without collision at a singular point, where A = 0: slip itself needs no energy from the normal direction, and lasts until it
    /// stops, with all friction that the impulses allow. It is the limit of the impacts without collision for A < 0.
    pub(crate) fn halting_impact(&mut self, closed: ClosedSet) -> Option<Collision> {
        let system = self.system;
        let contacts: Vec<usize> = closed.iter().collect();
        let rules = contacts.iter().map(|&c| match system.has_friction(c) {
            true => (NormalRule::Halt, TangentialRule::Stick),
            false => (NormalRule::Halt, TangentialRule::Free),
        });
        let collision = Collision { phases: vec![rules.collect()], contacts };
        let mut after = self.now.state.clone();
        self.joint.group.collide(system, &collision, &mut after);
        let within =
            collision.contacts.iter().zip(&self.joint.group.impulses.total).all(|(&contact, &(normal, tangential))| {
                let most = self.joint.group.touches[contact].friction() * normal;
                normal >= 0.0 && tangential.abs() <= most * (1.0 + AT_EDGE)
            });
        within.then_some(collision)
    }

    /// Carries out an impact without collision at the current state and reports it. The contacts that are closed after it.
    ///
    /// # Errors
    /// Other contacts that it closes, for which the model has no law.
    pub(crate) fn strike_freely(
        &mut self,
        pressed: ClosedSet,
        collision: &Collision,
        alternatives: Vec<Alternative>,
    ) -> Result<ClosedSet, Ended> {
        let struck = collision.contacts.iter().zip(&collision.phases[0]).find(|(_, rules)| rules.0 != NormalRule::Free);
        let contact = struck.map(|(&contact, _)| contact);
        let fastest = self.joint.group.pace(self.system, &self.now.state);
        self.strike_as(EventKind::ImpactWithoutCollision, collision, |event| {
            event.contact = contact;
            event.alternatives = alternatives;
        })?;
        self.part(collision, pressed, fastest)
    }

    /// Carries out a collision at the current state and reports it; `complete` writes what is its own.
    ///
    /// # Errors
    /// Sides of switches that no law decides.
    pub(crate) fn strike_as(
        &mut self,
        kind: EventKind,
        collision: &Collision,
        complete: impl FnOnce(&mut Event),
    ) -> Result<(), Ended> {
        self.room.after.copy_from_slice(&self.now.state);
        let mut after = std::mem::take(&mut self.room.after);
        self.joint.group.collide(self.system, collision, &mut after);
        self.room.after = after;
        let energy = self.energy_gained(collision);
        self.vary_collision(collision);
        let event = self.queue.push(kind, self.now.time.value(), &self.now.state);
        event.after.copy_from_slice(&self.room.after);
        event.energy = energy;
        event.cause = self.located.cause;
        event.collision = Some(collision.clone());
        complete(event);
        self.jump_sections();
        self.know_impact();
        self.now.state.copy_from_slice(&self.room.after);
        self.vary_jump(&collision.contacts);
        self.change_sides()
    }
}
