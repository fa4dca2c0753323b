//! Sticking and release of contacts without friction, and points at which a surface is touched without speed.

use super::automaton::Automaton;
use crate::ended::Ended;
use crate::event::EventKind;
use crate::instant::knowledge::{ROUNDING, SOLVED};
use crate::mode::ClosedSet;

/// The order up to which a motion that touches a surface without speed is looked at.
const PROBE_ORDER: usize = 6;

impl Automaton<'_> {
    /// Decides what follows when a contact is touched without speed, g = v = 0: the first coefficient of its gap that is
    /// not zero presses it together (stick) or opens it (flight). Nordmark & Piiroinen: the sets Sigma_m^- and Sigma_m^+. One that others keep at zero, as the second
    /// of two walls that a body touches, carries nothing.
    pub(crate) fn touch_without_speed(&mut self, contact: usize) -> Result<(), Ended> {
        if self.system.coupled {
            return self.touch_down(contact);
        }
        self.forget_sequences();
        let mut state = std::mem::take(&mut self.now.state);
        self.project(contact, &mut state);
        self.now.state = state;
        self.vary_projection(contact);
        match self.first_motion(contact, 2) {
            Some((order, true)) => {
                self.departures.leaving[contact] = order;
                Ok(())
            }
            None if !self.closed().is_empty() => {
                self.departures.leaving[contact] = 2;
                Ok(())
            }
            _ => self.close(contact),
        }
    }

    /// The lowest order from `from` on at which the gap of a contact moves, and whether it opens.
    pub(super) fn first_motion(&mut self, contact: usize, from: usize) -> Option<(usize, bool)> {
        let output = self.system.gap_output(contact);
        let states = self.now.state.len();
        let mode = self.modes.now_mut();
        mode.probe(&self.now.state, PROBE_ORDER);
        let gap = mode.probed(output);
        (from..=PROBE_ORDER).find_map(|k| {
            // Coefficients of the states at this order and the one below measure what rounding can do.
            let size = (0..states)
                .map(|i| mode.probed_state(i)[k].abs().max(mode.probed_state(i)[k - 1].abs()))
                .fold(0.0, f64::max);
            (gap[k].abs() > ROUNDING * size).then_some((k, gap[k] > 0.0))
        })
    }

    /// Persistent contact begins.
    pub(crate) fn close(&mut self, contact: usize) -> Result<(), Ended> {
        self.departures.bounced = None;
        if self.system.coupled {
            return self.touch_down(contact);
        }
        self.forget_sequences();
        self.enter_mode(self.closed().with(contact));
        self.departures.leaving[contact] = 0;
        self.project_closed();
        self.report(EventKind::Stick, Some(contact));
        self.let_go()
    }

    /// The contact force has fallen to zero: g = v = a = 0, and the gap leaves with its third derivative.
    pub(crate) fn release(&mut self, contact: usize) -> Result<(), Ended> {
        if self.system.coupled {
            return self.unload(contact);
        }
        let closed = self.closed();
        self.enter_mode(closed.without(contact));
        let order = match self.first_motion(contact, 3) {
            Some((order, false)) => {
                // The force rises again at once, two orders below the gap that it closes.
                self.enter_mode(closed);
                let place = closed.iter().take_while(|&other| other != contact).count();
                self.departures.vanishing.push((self.system.force_output(place), order - 2));
                return Ok(());
            }
            Some((order, true)) => order,
            // The gap stays at zero until something moves it.
            None => 2,
        };
        self.forget_sequences();
        self.report(EventKind::Release, Some(contact));
        self.departures.leaving[contact] = order;
        Ok(())
    }

    /// Where several contacts are closed, none may pull: those whose force is negative are released.
    fn let_go(&mut self) -> Result<(), Ended> {
        let closed = self.closed();
        if closed.iter().count() < 2 {
            return Ok(());
        }
        let mode = self.modes.now_mut();
        mode.probe(&self.now.state, 1);
        let forces = |k: usize| mode.probed(self.system.force_output(k))[0];
        let size = (0..closed.iter().count()).map(|k| forces(k).abs()).fold(0.0, f64::max);
        let pulling = closed.iter().enumerate().find(|&(k, _)| forces(k) < -ROUNDING * size);
        let Some((_, contact)) = pulling else { return Ok(()) };
        self.report(EventKind::Release, Some(contact));
        self.enter_mode(closed.without(contact));
        match self.first_motion(contact, 2) {
            Some((order, true)) => {
                self.departures.leaving[contact] = order;
                Ok(())
            }
            // Neither closed nor open: the two contacts need each other, which is a law for both together.
            _ => Err(Ended::ContactsTogether { contacts: closed.iter().collect() }),
        }
    }

    /// After an impact at one contact with opening speed `speed` before it: closed contacts that it opens are released; one that it would
    /// press together would have an impact at the same instant, for which the model has no law.
    pub(crate) fn shake_closed(&mut self, struck: usize, speed: f64) -> Result<(), Ended> {
        for contact in self.closed().iter() {
            if contact == struck {
                continue;
            }
            let after = self.surface(contact).1;
            if after > SOLVED * speed.abs() {
                self.report(EventKind::Release, Some(contact)).speed_after = after;
                self.enter_mode(self.closed().without(contact));
                self.departures.leaving[contact] = 1;
            } else if after < -SOLVED * speed.abs() {
                let mut contacts = vec![struck, contact];
                contacts.sort_unstable();
                return Err(Ended::ContactsTogether { contacts });
            }
        }
        Ok(())
    }

    /// Keeps the gaps and opening speeds of the closed contacts at rounding level.
    pub(crate) fn project_closed(&mut self) {
        let closed = self.closed();
        let mut state = std::mem::take(&mut self.now.state);
        if self.system.coupled {
            self.project_onto(closed, &mut state);
            self.now.state = state;
            self.vary_projection_onto(closed);
            return;
        }
        for contact in closed.iter() {
            self.project(contact, &mut state);
            self.vary_projection(contact);
        }
        self.now.state = state;
    }

    /// Moves a state close to it onto g = v = 0 of a contact.
    pub(crate) fn project(&mut self, contact: usize, state: &mut [f64]) {
        self.project_together(ClosedSet::NONE.with(contact), state);
    }

    /// Moves a state close to it onto g = v = 0 of contacts.
    pub(crate) fn project_together(&mut self, contacts: ClosedSet, state: &mut [f64]) {
        if self.system.coupled {
            let closed = self.with_slip(contacts, state);
            self.project_onto(closed, state);
            return;
        }
        contacts.iter().for_each(|contact| self.bound.laws[contact].project(&self.system.laws[contact], state));
    }

    /// Moves a state close to them onto the surfaces of contacts that are decided together.
    pub(crate) fn project_onto(&mut self, closed: ClosedSet, state: &mut [f64]) {
        self.joint.group.project(self.system, closed, state);
    }
}
