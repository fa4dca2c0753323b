//! The end of rebounds too low to be resolved: the contact closes, with all others that touch it and whose speeds are rounding.

use super::automaton::{Automaton, LastStep};
use super::collide::SLOW;
use super::rebound::UNSHAKEN;
use crate::ended::Ended;
use crate::locate::polynomials::size_on;
use crate::mode::{ClosedSet, Slip};

/// Gaps this small, relative to their terms, are rounding.
const TOUCHING: f64 = 1e-13;
/// Speeds this many times above rounding are rounding after a few more impacts.
const NEARLY: f64 = 1e3;

impl Automaton<'_> {
    /// Rebounds too low to be resolved would not end in finite time: the contact closes, with all others that touch and whose speeds are
    /// rounding, or where there have been very many rebounds with all others that touch.
    pub(crate) fn come_to_rest(&mut self, contact: usize) -> Result<(), Ended> {
        let before = self.closed();
        let state = self.state.clone();
        let fastest = self.fastest(&state);
        let long = self.crowd.is_long(contact);
        // The largest velocity that coming to rest takes away, or that is rounding.
        let mut pace = self.crowd.rounding(contact) / self.reach(contact);
        let joins = self.system.joins();
        let mut open: Vec<usize> =
            (0..self.system.contact_names.len()).filter(|&c| c != contact && !before.contains(c)).collect();
        open.retain(|&other| (self.crowd.contacts().contains(other) || joins) && self.touches_at(other));
        let mut pressed = before.with(contact);
        for &other in &open {
            let rounding = self.crowd.rounding(other).max(pace * self.reach(other));
            let speed = self.group.touches[other].speed().abs();
            let slow =
                long && self.crowd.is_long(other) && speed <= SLOW * self.reach(other) * fastest.max(self.fastest);
            let lost = self.crowd.is_lost(other, speed);
            if slow || speed <= rounding || lost {
                pressed = pressed.with(other);
            }
            if lost {
                pace = pace.max(speed / self.reach(other));
            }
        }
        // What slips does so at the speed that is left when nothing opens or closes.
        let mut state = state;
        let rubbing = pressed.iter().filter(|&other| self.system.rubs(other));
        let free = rubbing.fold(pressed, |set, other| set.with_slip(other, Slip::Forward));
        self.project_onto(free, &mut state);
        for other in pressed.iter() {
            let Some(slip) = self.slip_at(other, &state, fastest) else { continue };
            // What a stick takes away from the motion is rounding, or it slips.
            let mut stopped = state.clone();
            self.project_onto(free.with(other), &mut stopped);
            self.system.velocities().iter().for_each(|&v| stopped[v] -= state[v]);
            if self.group.pace(self.system, &stopped) > pace {
                pressed = pressed.with_slip(other, slip);
            }
        }
        // Others may hold a contact that is not pressed itself.
        let pressed = self.with_held(pressed, &open, &mut state, pace.max(UNSHAKEN * fastest));
        // The sequences of others pass this as the end of one of their flights' own.
        pressed.iter().for_each(|closed| self.sequences[closed].clear());
        pressed.iter().for_each(|closed| self.crowd.closes(closed));
        self.decide(pressed, before, &[])
    }

    /// Closed contacts with those of others, which touch, that they hold: these have no speed above that of a velocity `still` once the state lies on the
    /// surfaces of the closed ones.
    pub(crate) fn with_held(
        &mut self,
        closed: ClosedSet,
        others: &[usize],
        state: &mut [f64],
        still: f64,
    ) -> ClosedSet {
        let fastest = self.fastest(state);
        self.project_onto(closed, state);
        others.iter().filter(|&&other| !closed.contains(other)).fold(closed, |closed, &other| {
            self.group.look(self.system, other, state);
            let touch = &self.group.touches[other];
            if touch.speed().abs() > still * touch.reach() {
                return closed;
            }
            let slip = self.slip_at(other, state, fastest);
            slip.map_or(closed.with(other), |slip| closed.with_slip(other, slip))
        })
    }

    /// Whether another contact of the crowd comes to rest with this one, but its speed is not yet rounding.
    pub(crate) fn is_nearly_joined(&mut self, contact: usize) -> bool {
        let closed = self.closed();
        let crowded = self.crowd.contacts();
        crowded.iter().filter(|&other| other != contact && !closed.contains(other)).any(|other| {
            let (speed, rounding) = (self.surface(other).1.abs(), self.crowd.rounding(other));
            rounding < speed && speed <= NEARLY * rounding && self.touches_at(other)
        })
    }

    /// How far the body has moved at a contact since this has opened, at its present velocity, and the opening speed.
    pub(crate) fn path_since_opening(&mut self, contact: usize) -> (f64, f64) {
        let flight = self.crowd.flight(contact, self.time.value());
        self.group.look(self.system, contact, &self.state);
        let terms = self.group.touches[contact].normal().iter().zip(self.system.velocities());
        let size: f64 = terms.map(|(w, &v)| (w * self.state[v]).abs()).sum();
        (size * flight, self.group.touches[contact].speed())
    }

    /// Whether the gap of a contact is rounding at the current state. Coordinates carry that of their largest terms on the last step, and
    /// the last digit of the largest values that they have had.
    pub(crate) fn touches_at(&mut self, contact: usize) -> bool {
        let gap = self.surface(contact).0;
        let LastStep { length, mode, cubic, .. } = self.last_step;
        let jet = self.modes.list.get(mode).filter(|_| !cubic).map(|mode| &mode.series.jet);
        let largest = |i: usize| jet.map_or(0.0, |jet| size_on(jet.state(i), length)).max(self.state[i].abs());
        let gradient = self.laws[contact].gradient();
        let size: f64 = gradient.iter().enumerate().map(|(i, g)| g.abs() * largest(i)).sum();
        gap <= TOUCHING * size || gap <= f64::EPSILON * self.gap_terms(contact)
    }

    /// The largest opening speed of a contact at the unit of kinetic energy, at the current state.
    pub(crate) fn reach(&mut self, contact: usize) -> f64 {
        self.group.look(self.system, contact, &self.state);
        self.group.touches[contact].reach()
    }
}
