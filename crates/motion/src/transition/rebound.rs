//! What follows an impact with friction or of several contacts: which contacts open, and how those that stay closed continue.

use super::automaton::Automaton;
use super::low_rebounds::NEARLY;
use crate::contact::collision::Collision;
use crate::contact::impulse::{NormalRule, TangentialRule};
use crate::ended::Ended;
use crate::instant::knowledge::{ROUNDING, SOLVED};
use crate::mode::ClosedSet;

/// Opening speeds after a single impact this small, relative to those before, are rounding.
const LAST_DIGITS: f64 = 16.0 * f64::EPSILON;

impl Automaton<'_> {
    /// What follows the impact of a contact: which contacts stay closed, and their mode.
    ///
    /// # Errors
    /// No law holds.
    pub(crate) fn rebound(&mut self, contact: usize, speeds: f64) -> Result<(), Ended> {
        let collision = std::mem::take(&mut self.joint.judged.collision);
        self.joint.locked = ClosedSet::NONE;
        let before = self.closed();
        let touching =
            collision.contacts.iter().fold(before, |set, &c| if set.contains(c) { set } else { set.with(c) });
        let closed = self.part(&collision, touching, speeds);
        self.joint.judged.collision = collision;
        let closed = closed?;
        if closed.is_empty() && before.is_empty() {
            self.decide_in_flight()?;
            self.departures.bounced = Some(contact);
            return Ok(());
        }
        if !self.system.joins() {
            // Others that touch and would close now have no law.
            let mut touching = (0..self.system.contact_names.len()).filter(|&c| c != contact && !before.contains(c));
            let pressed = touching
                .find(|&c| self.touches_at(c) && self.surface(c).1 < -SOLVED * self.normal_mobility(c) * speeds);
            if let Some(other) = pressed {
                let mut contacts = vec![contact, other];
                contacts.sort_unstable();
                return Err(Ended::ContactsTogether { contacts });
            }
        }
        let closed = self.hold_others(closed, before, speeds);
        self.decide(closed, before, &[])?;
        if self.departures.leaving[contact] == 1 && !self.closed().contains(contact) && !self.sections.returned {
            self.departures.bounced = Some(contact);
        }
        Ok(())
    }

    /// Where an impact leaves a contact closed that was not: the same with others that touch and have no speed above rounding then. Their flights
    /// are too short for their gaps to be known, and no impact of theirs may follow.
    fn hold_others(&mut self, closed: ClosedSet, before: ClosedSet, speeds: f64) -> ClosedSet {
        if !self.system.joins() || closed.iter().all(|contact| before.contains(contact)) {
            return closed;
        }
        let mut open: Vec<usize> = (0..self.system.contact_names.len()).filter(|&c| !closed.contains(c)).collect();
        open.retain(|&other| self.touches_at(other));
        if open.is_empty() {
            return closed;
        }
        let mut state = self.now.state.clone();
        let still = SOLVED * self.fastest(&state).max(speeds);
        self.with_held(closed, &open, &mut state, still)
    }

    /// After a collision: which of its contacts stay closed, with their slip, and which open. `pressed` were closed before it, or struck.
    ///
    /// # Errors
    /// Other contacts that it closes, for which the model has no law.
    pub(crate) fn part(&mut self, collision: &Collision, pressed: ClosedSet, speeds: f64) -> Result<ClosedSet, Ended> {
        let crowded: Vec<usize> =
            self.accumulating.low_rebounds.contacts().iter().filter(|&c| !pressed.contains(c)).collect();
        let near: Vec<usize> = crowded.into_iter().filter(|&other| self.touches_at(other)).collect();
        let state = std::mem::take(&mut self.now.state);
        let closed = self.part_at(collision, (pressed, &near), speeds, &state);
        self.now.state = state;
        closed
    }

    /// The same at a state, with those of other contacts that follow unresolved flights and touch.
    fn part_at(
        &mut self,
        collision: &Collision,
        (pressed, near): (ClosedSet, &[usize]),
        speeds: f64,
        state: &[f64],
    ) -> Result<ClosedSet, Ended> {
        let mut closed = pressed;
        let last = collision.phases.len() - 1;
        let fastest = self.fastest(state).max(speeds);
        for (k, &contact) in collision.contacts.iter().enumerate() {
            let (normal, tangential) = collision.phases[last][k];
            let slip = match tangential {
                TangentialRule::Stick => None,
                _ => self.slip_at(contact, state, fastest),
            };
            self.joint.group.look(self.system, contact, state);
            let touch = &self.joint.group.touches[contact];
            let (speed, mobility) = (touch.speed(), touch.normal_mobility());
            let rounding = match self.shares_sequence(contact) {
                true if self.some_follow(near, state) => LAST_DIGITS * self.largest_term(contact, state),
                true => ROUNDING * self.largest_term(contact, state),
                false => SOLVED * mobility * fastest,
            };
            // A constraint does not open, whatever rounding leaves of its speed.
            let opens = self.system.opposite[contact].is_none() && normal != NormalRule::Halt && speed > rounding;
            // Its gap is zero here, whatever was known of it.
            self.departures.leave(contact, usize::from(opens));
            if opens {
                closed = closed.without(contact);
            } else {
                closed = match slip {
                    Some(slip) => closed.with_slip(contact, slip),
                    None => closed.with(contact),
                };
            }
        }
        for contact in pressed.iter().filter(|c| !collision.contacts.contains(c)) {
            self.joint.group.look(self.system, contact, state);
            let (speed, mobility) =
                (self.joint.group.touches[contact].speed(), self.joint.group.touches[contact].normal_mobility());
            if self.system.opposite[contact].is_some() || speed.abs() <= SOLVED * mobility * fastest {
                let slip = self.slip_at(contact, state, fastest);
                closed = slip.map_or(closed.with(contact), |slip| closed.with_slip(contact, slip));
            } else if speed > 0.0 {
                closed = closed.without(contact);
                self.departures.leave(contact, 1);
            } else {
                let mut contacts = collision.contacts.clone();
                contacts.push(contact);
                contacts.sort_unstable();
                return Err(Ended::ContactsTogether { contacts });
            }
        }
        Ok(closed)
    }

    /// The largest term of the opening speed of a contact at a state.
    fn largest_term(&mut self, contact: usize, state: &[f64]) -> f64 {
        self.joint.group.look(self.system, contact, state);
        let normal = self.joint.group.touches[contact].normal();
        normal.iter().zip(self.system.velocities()).map(|(w, &v)| (w * state[v]).abs()).fold(0.0, f64::max)
    }

    /// Whether one of some contacts closes at a speed that is small but not rounding: its impact sets those in motion again that have come to rest before it, and
    /// they close together.
    fn some_follow(&mut self, contacts: &[usize], state: &[f64]) -> bool {
        contacts.iter().any(|&other| {
            let rounding = ROUNDING * self.largest_term(other, state);
            let closing = -self.joint.group.touches[other].speed();
            rounding < closing && closing <= NEARLY * rounding
        })
    }

    /// Whether the impacts of a contact are part of a sequence of those of several, or follow unresolved flights as those of others do.
    fn shares_sequence(&self, contact: usize) -> bool {
        let (crowded, closed) = (self.accumulating.low_rebounds.contacts(), self.closed());
        if crowded.contains(contact) && crowded.iter().any(|other| other != contact && !closed.contains(other)) {
            return true;
        }
        let shared = self.accumulating.sequences.iter().enumerate().filter(|(_, sequence)| sequence.is_followed());
        shared
            .filter(|(_, sequence)| sequence.others().next().is_some())
            .any(|(leader, sequence)| leader == contact || sequence.others().any(|other| other == contact))
    }
}
