//! The end of a step: time and state move to it, phases stay within their periods, and closed contacts keep their gaps at zero.

use super::automaton::{Automaton, LastStep};
use super::sequence::Sequence;
use crate::ended::Ended;
use crate::instant::knowledge::SINGULAR;
use crate::time::Time;

/// Phases this close to an end of their circle, in units of rounding of the period, are on it.
const ON_END: f64 = 8.0 * f64::EPSILON;

impl Automaton<'_> {
    /// Keeps account of a step whose end is the state. Whether formulas jump there with the phase: then all that holds has been decided anew.
    ///
    /// # Errors
    /// Steps that do not advance the time any more, and a state that is not finite.
    pub(crate) fn arrive(&mut self, (start, end): (Time, Time), length: f64) -> Result<bool, Ended> {
        self.now.time = end;
        self.flow.linear.cells = 0;
        self.flow.last_step = LastStep { start: start.value(), length, mode: self.modes.current, cubic: false };
        if length > 0.0 {
            for (contact, leaving) in self.departures.leaving.iter_mut().enumerate() {
                if std::mem::take(leaving) > 0 {
                    self.accumulating.low_rebounds.departs(contact, start);
                }
            }
            self.departures.vanishing.clear();
            self.departures.bounced = None;
        }
        let in_sequence = || {
            self.accumulating.completion.is_some()
                || self.accumulating.sequences.iter().chain(&self.accumulating.cycles).any(Sequence::is_followed)
        };
        let advances = self.flow.progress.advances((start.value(), self.now.time.value()), in_sequence);
        let jumps = self.has_turned() && !self.bound.smooth_wrap;
        let surfaces = if jumps { self.closed_surfaces() } else { Vec::new() };
        self.wrap_phase();
        // Where the surfaces of contacts jump, that is seen first.
        if !jumps && !self.closed().is_empty() {
            self.project_closed();
        }
        self.project_kept();
        let finite = self.require_finite().and_then(|()| self.require_regular(SINGULAR));
        self.pass_phase();
        if !advances {
            return Err(Ended::NoProgress);
        }
        // Formulas that are not periodic in the phase jump with it.
        finite?;
        if jumps {
            self.switch_at_wrap(&surfaces)?;
        }
        Ok(jumps)
    }

    /// Whether the phase runs backwards from the lower end of its circle, which then begins at its upper end.
    fn begins_backwards(&mut self) -> bool {
        let (Some(phase), false) = (self.system.phase, self.bound.smooth_wrap) else { return false };
        if self.now.state[phase] > 0.0 {
            return false;
        }
        let mode = self.modes.now_mut();
        mode.probe(&self.now.state, 1);
        mode.probed_state(phase)[1] < 0.0
    }

    /// A motion that begins there begins at the upper end.
    pub(crate) fn begin_backwards(&mut self) {
        if self.begins_backwards() {
            self.turn_phase(-1.0);
        }
    }

    /// Where it comes there it wraps.
    ///
    /// # Errors
    /// No mode obeys the field there.
    pub(crate) fn turn_backwards(&mut self) -> Result<(), Ended> {
        if !self.begins_backwards() {
            return Ok(());
        }
        let surfaces = self.closed_surfaces();
        self.turn_phase(-1.0);
        self.switch_at_wrap(&surfaces)
    }

    /// How long the phase takes to the end of its circle, if steps have to end there; the jet of the step has begun.
    pub(crate) fn until_wrap(&mut self) -> f64 {
        let (Some(phase), false) = (self.system.phase, self.bound.smooth_wrap) else { return f64::INFINITY };
        let mode = self.modes.now();
        let rate = mode.state(phase)[1];
        let left = if rate < 0.0 { self.now.state[phase] } else { self.bound.phase_period - self.now.state[phase] };
        left / rate.abs()
    }

    /// Puts the phase on the end of its circle where it is there up to rounding, so that no step is left of it.
    pub(crate) fn snap_phase(&mut self) {
        if let (Some(phase), false) = (self.system.phase, self.bound.smooth_wrap) {
            for end in [0.0, self.bound.phase_period] {
                if (self.now.state[phase] - end).abs() <= ON_END * self.bound.phase_period {
                    self.now.state[phase] = end;
                }
            }
        }
    }

    /// Whether the phase has left its circle.
    fn has_turned(&self) -> bool {
        self.system.phase.is_some_and(|phase| !(0.0..self.bound.phase_period).contains(&self.now.state[phase]))
    }

    /// Keeps the phases within their periods.
    pub(crate) fn wrap_phase(&mut self) {
        if let (Some(phase), true) = (self.system.phase, self.has_turned()) {
            self.turn_phase((self.now.state[phase] / self.bound.phase_period).floor());
        }
        for tone in 0..self.bound.tone_periods.len() {
            self.wrap_tone(tone);
        }
    }

    /// Keeps a phase that does not count returns within its period.
    fn wrap_tone(&mut self, tone: usize) {
        let (state, period) = (self.system.tones[tone].state, self.bound.tone_periods[tone]);
        let turns = (self.now.state[state] / period).floor();
        if !period.is_finite() || turns == 0.0 {
            return;
        }
        self.room.after.copy_from_slice(&self.now.state);
        self.room.after[state] -= turns * period;
        self.wrap_sections();
        self.vary_tone(tone, turns);
        self.now.state[state] = self.room.after[state];
    }

    /// Takes whole turns off the phase.
    fn turn_phase(&mut self, turns: f64) {
        let Some(phase) = self.system.phase.filter(|_| turns != 0.0) else { return };
        self.room.after.copy_from_slice(&self.now.state);
        self.room.after[phase] -= turns * self.bound.phase_period;
        if !self.bound.smooth_wrap && self.varies() {
            self.vary_to_wrap(phase, turns);
        }
        self.wrap_sections();
        self.vary_wrap(phase, turns);
        self.now.state[phase] = self.room.after[phase];
    }
}
