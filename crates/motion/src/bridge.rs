//! Where is the system while the rest of a chattering sequence passes? On its way along the surface, in one step.

use crate::automaton::Motion;
use crate::system::ClosedSet;
use crate::time::Time;

/// The rest of a chattering sequence, about to be taken in one step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bridge {
    pub contact: usize,
    pub length: f64,
    pub end: f64,
    /// The contacts that are closed at its end, with their slip.
    pub landed: ClosedSet,
}

impl Motion<'_> {
    /// Takes the rest of a chattering sequence as one step; `self.end` holds its end.
    ///
    /// The path is drawn along the surface: the cubics with the states of the sequence and the rates of the sticking field at
    /// both ends.
    pub(crate) fn cross(&mut self, bridge: Bridge) {
        let start = self.time;
        let from = self.current;
        let states = self.state.len();
        let length = bridge.length;
        let mut resting = std::mem::take(&mut self.after);
        resting.copy_from_slice(&self.state);
        match self.system.coupled {
            true => self.rest_on(bridge.landed, &mut resting),
            false => self.project(bridge.contact, &mut resting),
        }
        self.after = resting;
        self.enter_mode(bridge.landed);
        let mode = &mut self.modes[self.current];
        for (point, first) in [(&self.after, 1), (&self.end, 3)] {
            mode.probe(point, 1);
            for i in 0..states {
                self.bridge_coefficients[4 * i + first] = mode.probe.state(i)[1];
            }
        }
        for (i, value) in self.state.iter_mut().enumerate() {
            let c = &mut self.bridge_coefficients[4 * i..4 * i + 4];
            let (slope, end_slope) = (c[1], c[3]);
            let secant = if length > 0.0 { (self.end[i] - *value) / length } else { 0.0 };
            let (second, third) = if length > 0.0 {
                (
                    (3.0 * secant - 2.0 * slope - end_slope) / length,
                    (slope + end_slope - 2.0 * secant) / (length * length),
                )
            } else {
                (0.0, 0.0)
            };
            c.copy_from_slice(&[*value, slope, second, third]);
            *value = self.end[i];
        }
        self.current = from;
        // What was known of the gaps of others held at the last impact, not at the end of the sequence.
        self.forget_departures();
        self.time = Time::at(bridge.end);
        self.last_step = (start.value(), length, from, true);
        self.wrap_phase();
        self.pass_phase();
        match self.system.coupled {
            true => self.decide(bridge.landed, self.closed(), &[]),
            false => self.close(bridge.contact),
        }
        self.require_finite();
    }
}
