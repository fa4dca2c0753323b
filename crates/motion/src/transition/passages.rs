//! Passages of sections at one instant: where a jump begins on them, by an impact that is itself a section, and by the phase on an exact flow.

use super::automaton::Automaton;
use crate::event::EventKind;
use crate::instant::knowledge::EVALUATED;

/// The order up to which the value of a section is expanded to see on which side of it a motion begins.
const START_ORDER: usize = 3;

impl Automaton<'_> {
    /// Counts and reports a passage of a section at a time and state; whether it was the last one that was asked for.
    pub(crate) fn pass(&mut self, section: usize, rising: bool, time: f64, state: &[f64]) -> bool {
        let before = std::mem::take(&mut self.sections.returned);
        if self.sections.count(self.system, section, rising) {
            let event = self.queue.push(EventKind::Section, time, state);
            event.section = Some(section);
            event.contact = self.system.sections[section].contact;
        }
        let last = self.sections.returned;
        self.sections.returned |= before;
        last
    }

    /// Counts and reports a passage at the current state.
    fn pass_here(&mut self, section: usize, rising: bool) -> bool {
        let mut point = std::mem::take(&mut self.room.point);
        point.clear();
        point.extend_from_slice(&self.now.state);
        let last = self.pass(section, rising, self.now.time.value(), &point);
        self.room.point = point;
        last
    }

    /// Passes the sections that are the impacts of this contact; whether that was the last return asked for.
    pub(crate) fn pass_contact_sections(&mut self, contact: usize) -> bool {
        let system = self.system;
        let own = |&section: &usize| system.sections[section].contact == Some(contact);
        (0..system.sections.len()).filter(own).any(|section| self.pass_here(section, false))
    }

    /// Finds the sections on which a jump of the state begins, from the current one to `self.after`: the trajectory has come there and passes them. What a jump leaps
    /// over is not passed, as the motion is nowhere on it.
    pub(crate) fn jump_sections(&mut self) {
        for section in 0..self.sections.places.len() {
            if !self.sections.watched[section] {
                continue;
            }
            let after = self.section_value(section, true);
            let (before, slope) = (self.section_value(section, false), self.section_slope(section));
            let place = self.sections.places[section];
            let size = before.abs().max(after.abs()) + place.offset.abs();
            let rounding = EVALUATED * size;
            if (after - before).abs() <= rounding {
                continue;
            }
            let mut point = std::mem::take(&mut self.room.point);
            if let Some(cell) = place.cell_behind(before, slope, rounding) {
                self.sections.places[section].cell = cell;
                point.clone_from(&self.now.state);
                self.sections.by_jump |= self.pass(section, cell > place.cell, self.now.time.value(), &point);
            }
            self.room.point = point;
            let place = &mut self.sections.places[section];
            place.cell = place.cell_of(after);
            if place.is_on(after, rounding) {
                self.sections.landed.push(section);
            }
        }
    }

    /// A section on which a jump has put the motion is left, not passed: its side is where the motion goes on in the mode that was decided after the jump.
    pub(crate) fn place_landed(&mut self) {
        while let Some(section) = self.sections.landed.pop() {
            self.place_section(section);
        }
    }

    /// Renumbers the cells of the sections when the phase is wrapped from the current state to that of `self.after`.
    pub(crate) fn wrap_sections(&mut self) {
        for section in 0..self.sections.places.len() {
            if !self.sections.is_periodic(section) {
                continue;
            }
            let (before, after) = (self.section_value(section, false), self.section_value(section, true));
            let place = &mut self.sections.places[section];
            place.cell += ((after - before) / place.period).round();
        }
    }

    /// The value of a section's formula at the current state, or at `self.after`.
    fn section_value(&mut self, section: usize, after: bool) -> f64 {
        let state = if after { &self.room.after } else { &self.now.state };
        let known = &self.system.sections[section];
        if let (None, Some(phase)) = (known.declared, self.system.phase) {
            return state[phase];
        }
        let mode = self.modes.now_mut();
        mode.probe(state, 0);
        mode.probed(self.system.section_output(known))[0]
    }

    /// The rate of a section's formula at the current state in the present mode.
    fn section_slope(&mut self, section: usize) -> f64 {
        let known = &self.system.sections[section];
        let mode = self.modes.now_mut();
        mode.probe(&self.now.state, 1);
        match (known.declared, self.system.phase) {
            (None, Some(phase)) => mode.probed_state(phase)[1],
            _ => mode.probed(self.system.section_output(known))[1],
        }
    }

    /// Finds the side of a section at the current state; a section on which the motion starts is left, not passed.
    pub(crate) fn place_section(&mut self, section: usize) {
        let known = &self.system.sections[section];
        if known.formula.is_none() {
            return;
        }
        self.modes.now_mut().probe(&self.now.state, START_ORDER);
        self.place_probed_section(section);
    }

    /// The same where the mode has been probed, at least to the third order.
    pub(crate) fn place_probed_section(&mut self, section: usize) {
        let known = &self.system.sections[section];
        if known.formula.is_none() {
            return;
        }
        let row = self.modes.now().probed(self.system.section_output(known));
        let place = &mut self.sections.places[section];
        place.cell = place.cell_at_start(&row[..=START_ORDER]);
    }

    /// Passes the section by the phase of a forced model where a motion on an exact flow has reached it.
    pub(crate) fn pass_phase(&mut self) {
        let Some(linear) = &self.modes.now().linear else { return };
        let (Some(circle), Some(phase)) = (&linear.exact.circle, self.system.phase) else { return };
        let section = self.sections.places.len() - 1;
        if !self.sections.watched[section] || self.system.sections[section].declared.is_some() {
            return;
        }
        let place = &mut self.sections.places[section];
        let cell = place.cell_ahead(self.now.state[phase], circle.direction > 0.0);
        let passed = cell - place.cell;
        place.cell = cell;
        if passed != 0.0 {
            self.pass_here(section, passed > 0.0);
        }
    }
}
