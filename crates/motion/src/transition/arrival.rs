//! The end of a step: time and state move to it, the phase stays within its period, and closed contacts keep their gaps at zero.

use super::automaton::{Automaton, LastStep};
use super::sequence::Sequence;
use crate::ended::Ended;
use crate::time::Time;

/// Phases this close to an end of their circle, in units of rounding of the period, are on it.
const ON_END: f64 = 8.0 * f64::EPSILON;

impl Automaton<'_> {
    /// Keeps account of a step whose end is the state.
    ///
    /// # Errors
    /// Steps that do not advance the time any more, and a state that is not finite.
    pub(crate) fn arrive(&mut self, (start, end): (Time, Time), length: f64) -> Result<(), Ended> {
        self.time = end;
        self.linear.cells = 0;
        self.last_step = LastStep { start: start.value(), length, mode: self.modes.current, cubic: false };
        if length > 0.0 {
            for (contact, leaving) in self.departures.leaving.iter_mut().enumerate() {
                if std::mem::take(leaving) > 0 {
                    self.crowd.departs(contact, start);
                }
            }
            self.departures.vanishing.clear();
            self.departures.bounced = None;
        }
        let in_sequence = || self.completion.is_some() || self.sequences.iter().any(Sequence::is_followed);
        let advances = self.progress.advances((start.value(), self.time.value()), in_sequence);
        let turned = self.wrap_phase();
        if !self.closed().is_empty() {
            self.project_closed();
        }
        self.project_sliding();
        let finite = self.require_finite();
        self.pass_phase();
        if !advances {
            return Err(Ended::NoProgress);
        }
        // Formulas that are not periodic in the phase jump with it.
        if turned && !self.smooth_wrap && finite.is_ok() { self.switch_at_wrap() } else { finite }
    }

    /// How long the phase takes to the end of its circle, if steps have to end there; the jet of the step has begun.
    pub(crate) fn until_wrap(&mut self) -> f64 {
        let (Some(phase), false) = (self.system.phase, self.smooth_wrap) else { return f64::INFINITY };
        let mode = self.modes.now();
        let rate = mode.state(phase)[1];
        if rate < 0.0 && self.state[phase] <= 0.0 {
            // Backward the circle begins at its upper end.
            let order = mode.order();
            self.turn_phase(-1.0);
            self.modes.now_mut().begin(&self.state, order);
        }
        let left = if rate < 0.0 { self.state[phase] } else { self.phase_period - self.state[phase] };
        left / rate.abs()
    }

    /// Puts the phase on the end of its circle where it is there up to rounding, so that no step is left of it.
    pub(crate) fn snap_phase(&mut self) {
        if let (Some(phase), false) = (self.system.phase, self.smooth_wrap) {
            for end in [0.0, self.phase_period] {
                if (self.state[phase] - end).abs() <= ON_END * self.phase_period {
                    self.state[phase] = end;
                }
            }
        }
    }

    /// Keeps the phase within its period; whether it has begun a new circle.
    pub(crate) fn wrap_phase(&mut self) -> bool {
        if let Some(phase) = self.system.phase
            && !(0.0..self.phase_period).contains(&self.state[phase])
        {
            self.turn_phase((self.state[phase] / self.phase_period).floor());
            return true;
        }
        false
    }

    /// Takes whole turns off the phase.
    fn turn_phase(&mut self, turns: f64) {
        let Some(phase) = self.system.phase.filter(|_| turns != 0.0) else { return };
        self.after.copy_from_slice(&self.state);
        self.after[phase] -= turns * self.phase_period;
        if !self.smooth_wrap && self.varies() {
            self.vary_to_wrap(phase, turns);
        }
        self.wrap_sections();
        self.vary_wrap(phase, turns);
        self.state[phase] = self.after[phase];
    }
}
