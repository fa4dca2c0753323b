//! Which equations hold right now? Those of flight or of a set of closed contacts, with the parameters bound.

use std::borrow::Cow;

use saltation_expr::{Jet, Tape};

use crate::automaton::Motion;
use crate::system::ClosedSet;

/// A mode ready to run: its tape with the parameters bound, and room for its jets.
#[derive(Debug, Clone)]
pub(crate) struct BoundMode<'s> {
    pub closed: ClosedSet,
    pub tape: Cow<'s, Tape>,
    pub slots: Vec<f64>,
    pub jet: Jet<f64>,
    /// The outputs whose roots matter: all but the gaps of closed contacts, which are zero.
    pub watched: Vec<usize>,
    /// Room for the few orders by which single points are judged.
    pub probe: Jet<f64>,
    /// Whether the probe holds the first order at the end of the last step.
    pub ahead: bool,
}

impl BoundMode<'_> {
    /// Expands the motion through a state to a low order, into [`BoundMode::probe`].
    pub fn probe(&mut self, state: &[f64], order: usize) {
        self.ahead = false;
        self.tape.expand(&self.slots, state, order, &mut self.probe);
    }

    /// Expands the motion through a state to a low order, into [`BoundMode::jet`]; takes what the probe has of it already.
    pub fn begin(&mut self, state: &[f64], order: usize) {
        let known =
            std::mem::take(&mut self.ahead) && state.iter().enumerate().all(|(i, x)| self.probe.state(i)[0] == *x);
        if known {
            std::mem::swap(&mut self.jet, &mut self.probe);
        } else {
            self.tape.begin(state, &mut self.jet);
        }
        while self.jet.order() < order {
            self.tape.extend(&self.slots, &mut self.jet);
        }
    }
}

impl<'s> Motion<'s> {
    /// Makes a set of closed contacts the current mode, compiling it if it is new.
    pub(crate) fn enter_mode(&mut self, closed: ClosedSet) {
        if let Some(known) = self.modes.iter().position(|m| m.closed == closed) {
            self.current = known;
            return;
        }
        let tape: Cow<'s, Tape> = match self.system.modes.iter().find(|m| m.closed == closed) {
            Some(mode) => Cow::Borrowed(&mode.tape),
            None => Cow::Owned(self.system.compile_mode(closed).tape),
        };
        let slots = tape.bind(&self.parameters);
        let jet = Jet::new(&tape);
        let probe = Jet::new(&tape);
        self.current = self.modes.len();
        let contacts = self.system.contact_names.len();
        let watched = (0..tape.outputs()).filter(|&o| o >= contacts || !closed.contains(o)).collect();
        self.modes.push(BoundMode { closed, tape, slots, jet, watched, probe, ahead: false });
    }
}
