//! An impact: it throws the state back as its law says, or completes the sequence of impacts it belongs to.

use saltation_numerics::rounded::Rounded;

use super::automaton::Automaton;
use super::collide::Strike;
use super::low_rebounds::LOST;
use crate::contact::law::{BoundLaw, Struck};
use crate::ended::Ended;
use crate::event::EventKind;
use crate::instant::knowledge::{EVALUATED, ROUNDING, SOLVED};

/// Flights that take more than this part of the time are high enough to be resolved.
const SHORT: f64 = 1e-5;

/// Opening speeds that an impact changes by less, relative to the velocities they consist of, are those of before.
const SAME_VELOCITY: f64 = 8.0 * f64::EPSILON;
/// Speeds after an impact below this fraction of that before are looked at, whether they are rounding.
const UNCLEAR: f64 = 1e-6;

impl Automaton<'_> {
    /// A contact has closed at the current state: x -> R(x) = x + W(x) v(x) (Nordmark & Piiroinen, Eq. (5)).
    ///
    /// # Errors
    /// No law holds.
    pub(crate) fn impact(&mut self, contact: usize, graze: bool) -> Result<(), Ended> {
        let Some(Strike { speed, ratio }) = self.strike_by_law(contact)? else { return Ok(()) };
        if speed >= 0.0 {
            // Touched without speed: rounding decided for a root.
            self.report(EventKind::Graze, Some(contact));
            return self.touch_down(contact);
        }
        if !std::mem::take(&mut self.located.reported_return) && self.pass_contact_sections(contact) {
            self.located.pending = Some(contact);
            return Ok(());
        }
        let time = self.now.time.value();
        if self.is_crowded(contact, speed, time) && !self.system.coupled {
            return Err(Ended::ContactsTogether {
                contacts: self.accumulating.low_rebounds.contacts().iter().collect(),
            });
        }
        // What is left of many flights too low to be resolved is rounding; of contacts that are decided together that has been asked.
        if !self.system.coupled
            && self.accumulating.low_rebounds.is_dense(contact)
            && speed.abs() <= self.accumulating.low_rebounds.rounding(contact)
        {
            self.accumulating.low_rebounds.closes(contact);
            return self.touch_down(contact);
        }
        // The rest of the sequence at once, if its end can be predicted.
        if self.continues_sequence(contact, speed, ratio) {
            return Ok(());
        }

        let speed_after = self.speed_after(contact);
        let kind = if graze { EventKind::Graze } else { EventKind::Impact };
        let energy = self.collision_energy();
        let event = self.queue.push(kind, time, &self.now.state);
        event.contact = Some(contact);
        event.after.copy_from_slice(&self.room.after);
        event.impacts = 1;
        event.speed_before = speed;
        event.speed_after = if ratio == 0.0 { 0.0 } else { speed_after };
        event.energy = energy;
        event.collision = self.system.coupled.then(|| self.joint.judged.collision.clone());
        event.choice = Some(self.joint.judged.choice).filter(|choice| self.system.coupled && choice.is_open());
        self.report_others(contact, kind);
        // A section that the jump passes may end the motion; the impact is finished all the same, so that the motion can continue.
        self.jump_sections();
        let pressed = if self.system.coupled { None } else { self.pressed_by(contact, speed) };
        let speeds = self.joint.group.pace(self.system, &self.now.state);
        self.known.fastest = self.known.fastest.max(speeds);
        self.keep_speeds();
        self.know_impact();
        self.now.state.copy_from_slice(&self.room.after);
        // What was zero before it need not be so any more.
        self.departures.vanishing.clear();
        self.vary_jump(&[contact]);
        self.change_sides()?;
        self.departures.bounced = None;
        if self.system.coupled {
            return self.rebound(contact, speeds);
        }
        self.shake_closed(contact, speed)?;
        if let Some(other) = pressed {
            return Err(Ended::ContactsTogether { contacts: vec![contact.min(other), contact.max(other)] });
        }
        let (jumps_off, before) = (self.joint.judged.jumped_off, self.closed());
        let rests = !jumps_off && (ratio == 0.0 || speed_after <= 0.0);
        match rests || !before.is_empty() {
            true => self.decide(if rests { before.with(contact) } else { before }, before, &[])?,
            false => self.decide_in_flight()?,
        }
        if !jumps_off && !rests {
            self.departures.leave(contact, 1);
            self.departures.bounced = Some(contact);
        }
        Ok(())
    }

    /// After an impact at one contact with opening speed `speed` before it: closed contacts that it opens are released; one that it would
    /// press together would have an impact at the same instant, for which the model has no law.
    fn shake_closed(&mut self, struck: usize, speed: f64) -> Result<(), Ended> {
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

    /// An open contact that touches, did not close, and closes after the impact of another one, as a body does that is pressed against a wall.
    fn pressed_by(&mut self, struck: usize, speed: f64) -> Option<usize> {
        let closes = |speed_of: f64| speed_of < -SOLVED * speed.abs();
        let closed = self.closed();
        (0..self.system.contact_names.len()).filter(|&other| other != struck && !closed.contains(other)).find(
            |&other| {
                let law = &self.system.laws[other];
                closes(self.bound.laws[other].surface(law, &self.room.after).1)
                    && !closes(self.surface(other).1)
                    && self.touches_at(other)
            },
        )
    }

    /// The opening speeds of contacts that were left a short while ago are known better than by the state: those that this impact changes by no more than rounding
    /// stay known. What is known of others ends, also where they were left at this very instant.
    fn keep_speeds(&mut self) {
        let system = self.system;
        for contact in 0..self.departures.departed.len() {
            if (self.departures.leaving[contact] > 1 || self.departures.departed[contact].len() > 1)
                && self.changes_speed(contact)
            {
                self.departures.departed[contact].truncate(1);
                self.departures.leaving[contact] = self.departures.leaving[contact].min(1);
            }
        }
        if !system.coupled {
            return;
        }
        for k in 0..self.departures.speeds.len() {
            let (contact, speed) = self.departures.speeds[k];
            if self.departures.departed[contact].len() == 1 && !self.changes_speed(contact) {
                self.departures.departed[contact].push(speed);
            }
        }
    }

    /// Whether the impact that leads to `room.after` changes the opening speed of a contact by more than rounding.
    fn changes_speed(&mut self, contact: usize) -> bool {
        let system = self.system;
        if !system.coupled {
            let law = &system.laws[contact];
            let [before, after] =
                [&self.now.state, &self.room.after].map(|state| self.bound.laws[contact].surface(law, state).1);
            return (after - before).abs() > SAME_VELOCITY * (after.abs() + before.abs());
        }
        self.joint.group.look(system, contact, &self.now.state);
        let normal = self.joint.group.touches[contact].normal();
        let (mut change, mut size) = (0.0, 0.0);
        for (w, &v) in normal.iter().zip(system.velocities()) {
            change += w * (self.room.after[v] - self.now.state[v]);
            size += w.abs() * (self.room.after[v].abs() + self.now.state[v].abs());
        }
        change.abs() > SAME_VELOCITY * size
    }

    /// An impact at the current state, on the surface.
    pub(crate) fn strike(&mut self, contact: usize) -> Result<(), Ended> {
        if self.varies() {
            self.vary_flow(0.0, 2, Some((self.system.gap_output(contact), Some(contact))));
        }
        self.impact(contact, false)?;
        self.settle_events();
        Ok(())
    }

    /// The impact before which the motion stopped because its section was asked for, if there is one.
    pub(crate) fn strike_pending(&mut self) -> Result<(), Ended> {
        let Some(contact) = self.located.pending.take() else { return Ok(()) };
        self.located.reported_return = true;
        self.strike(contact)
    }

    /// The state after an impact of a contact, into `self.after`, with its opening speed before and the ratio of speeds; `None` if the
    /// contact comes to rest instead.
    ///
    /// # Errors
    /// No law holds.
    fn strike_by_law(&mut self, contact: usize) -> Result<Option<Strike>, Ended> {
        let system = self.system;
        if system.coupled {
            return self.strike_coupled(contact);
        }
        let law = &system.laws[contact];
        let Struck { after, speed, opened, gap } = self.bound.laws[contact].strike(law, &self.now.state);
        self.room.after.copy_from_slice(after);
        if !(self.room.after.iter().all(|x| x.is_finite()) && speed.is_finite()) {
            return Err(self.diagnose_impact(contact));
        }
        self.vary_impact(contact);
        self.joint.judged.jumped_off = false;
        if speed >= 0.0 {
            return Ok(Some(Strike { speed, ratio: 0.0 }));
        }
        let ratio = self.rebound_of(contact, (speed, opened), gap)?;
        Ok(Some(Strike { speed, ratio }))
    }

    /// The ratio of speeds -v+/v- of an impact whose result is `self.after`: 0 if nothing but rounding is left of the speed after it.
    ///
    /// # Errors
    /// A law that leaves the gap closing or negative, and a restitution outside [0, 1].
    fn rebound_of(&mut self, contact: usize, (speed, opened): (f64, f64), gap: f64) -> Result<f64, Ended> {
        let system = self.system;
        let ratio = -opened / speed;
        if system.model().body.mechanics().is_some() {
            let is_lawful = (-ROUNDING..=1.0 + ROUNDING).contains(&ratio);
            return if is_lawful { Ok(ratio.max(0.0)) } else { Err(Ended::restitution(contact, ratio)) };
        }
        // Only what is small beside the speed before can be rounding.
        let is_clear = opened > UNCLEAR * speed.abs();
        if is_clear && !system.laws[contact].moves {
            return Ok(ratio);
        }
        let (speed_size, gap_size) = self.sizes_after(contact);
        let rounding = self.settings.tolerance.max(EVALUATED);
        if system.laws[contact].moves {
            if gap.is_nan() || gap < -rounding * gap_size {
                return Err(Ended::Penetrated { contact, gap });
            }
            self.joint.judged.jumped_off = gap > rounding * gap_size;
        }
        match (opened > EVALUATED * speed_size, opened >= -EVALUATED * speed_size) {
            (true, _) => Ok(ratio),
            _ if self.joint.judged.jumped_off => Ok(ratio),
            (false, true) => Ok(0.0),
            (false, false) => Err(Ended::StillCloses { contact, before: speed, after: opened }),
        }
    }

    /// The sizes of the terms that the opening speed and the gap after an impact at the current state consist of.
    fn sizes_after(&mut self, contact: usize) -> (f64, f64) {
        let parameters: Vec<Rounded> = self.parameters.iter().map(|&p| Rounded::new(p)).collect();
        let state: Vec<Rounded> = self.now.state.iter().map(|&x| Rounded::new(x)).collect();
        let law = &self.system.laws[contact];
        let mut bound = BoundLaw::new(law, &parameters);
        let Struck { opened, gap, .. } = bound.strike(law, &state);
        (opened.size, gap.size)
    }

    /// The opening speed of a contact at `self.after`.
    pub(super) fn speed_after(&mut self, contact: usize) -> f64 {
        let output = self.system.gap_output(contact);
        // A mode that holds something has no rates of what it holds; the jump may have moved that.
        if !self.closed().is_empty() || self.now.sides.slides() {
            return self.bound.laws[contact].surface(&self.system.laws[contact], &self.room.after).1;
        }
        if let Some(speed) = self.linear_speed_after(output) {
            return speed;
        }
        let mode = self.modes.now_mut();
        mode.probe(&self.room.after, 1);
        mode.probed(output)[1]
    }

    /// Whether impacts of several contacts follow each other so closely, again and again, that the flights between them are below
    /// what numbers can resolve: the contacts close together, one after another without end.
    fn is_crowded(&mut self, contact: usize, speed: f64, time: f64) -> bool {
        if let Some(lost) = self.unresolved_flight(contact, speed) {
            self.accumulating.low_rebounds.count(contact, (time, speed), lost);
        }
        self.accumulating.low_rebounds.is_endless()
    }

    /// Whether the flight that ends at this impact was nothing but rounding; `None` if it was high enough to be resolved: then the contact is no longer
    /// one of a crowd.
    pub(crate) fn unresolved_flight(&mut self, contact: usize, speed: f64) -> Option<bool> {
        let time = self.now.time.value();
        self.accumulating.low_rebounds.expire(time - SHORT * time.abs());
        let flight = self.accumulating.low_rebounds.flight(contact, self.now.time);
        // The gap is only measured by its terms where the flight was short.
        let size = if flight <= SHORT * time.abs() { self.gap_terms(contact) } else { 0.0 };
        let height = speed.abs() * flight;
        if height > EVALUATED * size {
            self.accumulating.low_rebounds.leaves(contact);
            return None;
        }
        Some(height <= LOST * size)
    }

    /// The size of the terms of a gap at the current state. The rounding of the largest coordinates stays with them.
    pub(crate) fn gap_terms(&mut self, contact: usize) -> f64 {
        self.terms(contact, 0)
    }

    /// The size of the terms of the opening speed of a contact at the current state.
    pub(super) fn speed_terms(&mut self, contact: usize) -> f64 {
        self.terms(contact, 1)
    }

    /// The size of the terms of a coefficient of a gap.
    pub(super) fn terms(&mut self, contact: usize, order: usize) -> f64 {
        let output = self.system.gap_output(contact);
        self.room.data.clear();
        let widest = &self.known.extent.widest;
        self.room
            .data
            .extend(self.now.state.iter().zip(widest).map(|(&x, &w)| Rounded { value: x, size: x.abs().max(w) }));
        let series = self.modes.now_mut().expand_sized(&self.parameters, &self.room.data, order);
        series.output(output)[order].size
    }
}
