//! The end of rebounds too low to be resolved: the contact closes, with all others that touch it and whose speeds are rounding.

use super::automaton::{Automaton, LastStep};
use super::border::Border;
use super::collide::SLOW;
use super::low_rebounds::NEARLY;
use crate::contact::collision::Collision;
use crate::contact::impulse::{NormalRule, TangentialRule};
use crate::ended::Ended;
use crate::event::EventKind;
use crate::instant::knowledge::SOLVED;
use crate::locate::polynomials::size_on;
use crate::mode::{ClosedSet, Slip};

/// Gaps this small, relative to their terms, are rounding.
const TOUCHING: f64 = 1e-13;

impl Automaton<'_> {
    /// Rebounds too low to be resolved would not end in finite time: the contact closes, with all others that touch and whose speeds are
    /// rounding, or where there have been very many rebounds with all others that touch. Where that takes more than rounding from the motion, it is an impact.
    pub(crate) fn come_to_rest(&mut self, contact: usize) -> Result<(), Ended> {
        let before = self.closed();
        let state = self.now.state.clone();
        let fastest = self.fastest(&state);
        let long = self.accumulating.low_rebounds.is_long(contact);
        // The largest velocity that coming to rest takes away, or that is rounding.
        let mut pace = self.accumulating.low_rebounds.rounding(contact) / self.normal_mobility(contact);
        let joins = self.system.joins();
        let mut open: Vec<usize> =
            (0..self.system.contact_names.len()).filter(|&c| c != contact && !before.contains(c)).collect();
        open.retain(|&other| {
            (self.accumulating.low_rebounds.contacts().contains(other) || joins) && self.touches_at(other)
        });
        let mut pressed = before.with(contact);
        for &other in &open {
            let rounding = self.accumulating.low_rebounds.rounding(other).max(pace * self.normal_mobility(other));
            let speed = self.joint.group.touches[other].speed().abs();
            let slow = long
                && self.accumulating.low_rebounds.is_long(other)
                && speed <= SLOW * self.normal_mobility(other) * fastest.max(self.known.fastest);
            let lost = self.accumulating.low_rebounds.is_lost(other, speed) && self.falls_from_rounding(other, speed);
            if slow || speed <= rounding || lost {
                pressed = pressed.with(other);
            }
            if lost {
                pace = pace.max(speed / self.normal_mobility(other));
            }
        }
        // What slips does so at the speed that is left when nothing opens or closes.
        let mut state = state;
        let rubbing = pressed.iter().filter(|&other| self.system.has_friction(other));
        let free = rubbing.fold(pressed, |set, other| set.with_slip(other, Slip::Forward));
        self.project_onto(free, &mut state);
        for other in pressed.iter() {
            let Some(slip) = self.slip_at(other, &state, fastest) else { continue };
            // What a stick takes away from the motion is rounding, or it slips.
            let mut stopped = state.clone();
            self.project_onto(free.with(other), &mut stopped);
            self.system.velocities().iter().for_each(|&v| stopped[v] -= state[v]);
            if self.joint.group.pace(self.system, &stopped) > pace {
                pressed = pressed.with_slip(other, slip);
            }
        }
        // Others may hold a contact that is not pressed itself.
        let pressed = self.with_held(pressed, &open, &mut state, pace.max(SOLVED * fastest));
        // Slip that would open contacts ends where its own friction does so at once.
        let halted = self.with_stopped(pressed, &state);
        let halts = halted != pressed && self.opens_some(pressed, &state);
        let pressed = if halts { halted } else { pressed };
        self.project_onto(pressed, &mut state);
        self.system.velocities().iter().for_each(|&v| state[v] -= self.now.state[v]);
        let strikes = self.joint.group.pace(self.system, &state) > pace;
        if strikes && !std::mem::take(&mut self.located.reported_return) && self.pass_contact_sections(contact) {
            self.enter_mode(before);
            self.located.pending = Some(contact);
            return Ok(());
        }
        // The sequences of others pass this as the end of one of their flights' own.
        pressed.iter().for_each(|closed| self.accumulating.sequences[closed].clear());
        pressed.iter().for_each(|closed| self.accumulating.low_rebounds.closes(closed));
        if strikes {
            self.halt_by_impact(contact, pressed)?;
        }
        self.decide(pressed, before, &[])
    }

    /// Whether the friction of a contact alone stops its slip at a state on a path no longer than the last digit of the gap's terms: stopped at once it ends at the
    /// same place. With w_N' M^-1 w_N = n, w_T' M^-1 w_N = c, w_T' M^-1 w_T = t and slip in the direction s, it slows by
    /// -s g_T'' = (mu t - s c) lambda - s a_T, where lambda = -a_N / (n - s mu c) keeps the gap closed.
    fn stops_at_once(&mut self, contact: usize, state: &[f64]) -> bool {
        let path = f64::EPSILON * self.gap_terms(contact);
        self.joint.group.look(self.system, contact, state);
        let touch = &self.joint.group.touches[contact];
        let (sign, mu) = (touch.slip().signum(), touch.friction());
        let across = touch.dot(touch.tangent(), touch.normal_response());
        let [normal, tangential] = [touch.normal_mobility(), touch.tangential_mobility()].map(|reach| reach * reach);
        let force = -touch.acceleration() / (normal - sign * mu * across);
        let slows = (mu * tangential - sign * across) * force - sign * touch.slip_acceleration();
        force > 0.0 && touch.slip() * touch.slip() <= 2.0 * slows * path
    }

    /// Closed contacts in which those stick whose friction stops their slip at once.
    fn with_stopped(&mut self, closed: ClosedSet, state: &[f64]) -> ClosedSet {
        let slips = closed.iter().filter(|&contact| closed.slip(contact).is_some());
        slips.fold(closed, |set, contact| if self.stops_at_once(contact, state) { set.with(contact) } else { set })
    }

    /// Whether every motion on which closed contacts continue at a state opens some of them.
    fn opens_some(&mut self, closed: ClosedSet, state: &[f64]) -> bool {
        let present = std::mem::replace(&mut self.now.state, state.to_vec());
        let next = self.consistent_modes(closed, &[], &Border::default());
        self.now.state = present;
        next.iter().all(|next| !next.opening.is_empty())
    }

    /// An impact at which what closes keeps no speed, nor that along its surface where it sticks.
    fn halt_by_impact(&mut self, contact: usize, pressed: ClosedSet) -> Result<(), Ended> {
        let sticks = |c| self.system.has_friction(c) && pressed.slip(c).is_none();
        let along = |c| if sticks(c) { TangentialRule::Stick } else { TangentialRule::Free };
        let rules = pressed.iter().map(|c| (NormalRule::Halt, along(c))).collect();
        let collision = Collision { contacts: pressed.iter().collect(), phases: vec![rules] };
        let speed = self.surface(contact).1;
        self.strike_as(EventKind::Impact, &collision, |event| {
            (event.contact, event.speed_before, event.impacts) = (Some(contact), speed, 1);
        })
    }

    /// Closed contacts with those of others, which touch, that they hold: these have no speed above that of a velocity `still` once the state lies on the
    /// surfaces of the closed ones, those that are found among them.
    pub(crate) fn with_held(
        &mut self,
        closed: ClosedSet,
        others: &[usize],
        state: &mut [f64],
        still: f64,
    ) -> ClosedSet {
        let fastest = self.fastest(state);
        let mut closed = closed;
        loop {
            self.project_onto(closed, state);
            let before = closed;
            for &other in others.iter().filter(|&&other| !before.contains(other)) {
                self.joint.group.look(self.system, other, state);
                let touch = &self.joint.group.touches[other];
                if touch.speed().abs() <= still * touch.normal_mobility() {
                    let slip = self.slip_at(other, state, fastest);
                    closed = slip.map_or(closed.with(other), |slip| closed.with_slip(other, slip));
                }
            }
            if closed == before {
                return closed;
            }
        }
    }

    /// Whether another contact of the crowd comes to rest with this one, but its speed is not yet rounding. One that does not by the time at which this speed is far
    /// below rounding comes too late.
    pub(crate) fn is_nearly_joined(&mut self, contact: usize, speed: f64) -> bool {
        if NEARLY * speed.abs() < self.accumulating.low_rebounds.rounding(contact) {
            return false;
        }
        let closed = self.closed();
        let crowded = self.accumulating.low_rebounds.contacts();
        let pace = self.accumulating.low_rebounds.rounding(contact) / self.normal_mobility(contact);
        crowded.iter().filter(|&other| other != contact && !closed.contains(other)).any(|other| {
            let rounding = self.accumulating.low_rebounds.rounding(other).max(pace * self.normal_mobility(other));
            let own = self.surface(other).1.abs();
            rounding < own && own <= NEARLY * rounding && self.touches_at(other)
        })
    }

    /// How far a body of the present kinetic energy could have moved at a contact since this has opened, which depends on no coordinates; no farther than the
    /// terms of its first coefficient could have moved it, where the lower ones of so many are zero.
    pub(crate) fn path_since_opening(&mut self, contact: usize, zeros: usize) -> f64 {
        let flight = self.accumulating.low_rebounds.flight(contact, self.now.time);
        let free = self.normal_mobility(contact) * self.joint.group.pace(self.system, &self.now.state) * flight;
        if zeros < 2 {
            return free;
        }
        let power = i32::try_from(zeros).unwrap_or(i32::MAX);
        free.min(self.terms(contact, zeros) * flight.powi(power))
    }

    /// Whether the gap of a contact is rounding at the current state. Coordinates carry that of their largest terms on the last step, and
    /// the last digit of the largest values that they have had.
    pub(crate) fn touches_at(&mut self, contact: usize) -> bool {
        let gap = self.surface(contact).0;
        let LastStep { length, mode, cubic, .. } = self.flow.last_step;
        let jet = self.modes.list.get(mode).filter(|_| !cubic).map(|mode| &mode.series.jet);
        let largest = |i: usize| jet.map_or(0.0, |jet| size_on(jet.state(i), length)).max(self.now.state[i].abs());
        let gradient = self.bound.laws[contact].gradient();
        let size: f64 = gradient.iter().enumerate().map(|(i, g)| g.abs() * largest(i)).sum();
        gap <= TOUCHING * size || gap <= f64::EPSILON * self.gap_terms(contact)
    }

    /// The largest opening speed of a contact at the unit of kinetic energy, at the current state.
    pub(crate) fn normal_mobility(&mut self, contact: usize) -> f64 {
        self.joint.group.look(self.system, contact, &self.now.state);
        self.joint.group.touches[contact].normal_mobility()
    }
}
