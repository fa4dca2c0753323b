//! The derivatives of a motion, as its user reads them.

use super::motion::Motion;
use crate::sensitivity::{Derivatives, Perturbation};

impl Motion<'_> {
    /// Starts to carry the derivatives in the given directions, from the present state on; earlier ones are forgotten.
    ///
    /// Directions that lead off the surface of a closed contact are projected onto it.
    pub fn differentiate(&mut self, perturbations: &[Perturbation]) {
        self.automaton.differentiate(perturbations);
    }

    /// The derivatives of the state at the time reached.
    ///
    /// Empty if none were asked for.
    pub fn derivatives(&mut self) -> Derivatives {
        self.automaton.derivatives()
    }

    /// The derivatives of the present state, and of its time, as those of the event that was passed last: at an impact, of
    /// the state after it, on the surface of the contact.
    pub fn event_derivatives(&mut self) -> Derivatives {
        self.automaton.event_derivatives()
    }

    /// The derivatives of the time of the event that was passed last, without those of the state; and whether those are finite, too.
    pub fn event_time_derivatives(&mut self) -> (Derivatives, bool) {
        self.automaton.event_time_derivatives()
    }

    /// The derivatives of the state in which a section is passed, and of the time of the passage, where the motion is on
    /// the section.
    pub fn return_derivatives(&mut self, section: usize) -> Derivatives {
        self.automaton.return_derivatives(section)
    }

    /// From now on the derivatives of events within steps, passages of sections and grazes, are kept ([`Motion::take_marks`]).
    pub fn keep_marks(&mut self) {
        self.automaton.variation.keeps_marks = true;
    }

    /// The derivatives of the events within the last step, in their order, each of the state there and of its time; they are reported before what ends the step. A graze has none:
    /// not a number.
    pub fn take_marks(&mut self) -> Vec<Derivatives> {
        std::mem::take(&mut self.automaton.variation.marks)
    }

    /// The derivatives of the state from which the last impact has jumped, or the last event of the model if `reset`, and of its time, as those of the event.
    pub fn derivatives_before_jump(&mut self, reset: bool) -> Derivatives {
        self.automaton.derivatives_before_jump(reset)
    }

    /// The derivatives of the opening speed of a contact just before and just after its last impact, in every direction.
    pub fn speed_derivatives(&mut self, contact: usize) -> [Vec<f64>; 2] {
        self.automaton.speed_derivatives(contact)
    }

    /// The derivatives of the state just before the last impact at a fixed time, and of the time of that impact.
    pub fn derivatives_before_impact(&mut self) -> Derivatives {
        self.automaton.derivatives_before_impact()
    }

    /// The gradients of what the closed contacts keep at zero at the present state, with respect to all states: the gap and the opening speed of each, and
    /// the slip speed of those that stick. Derivatives of states at rest are orthogonal to them, but for the part of the phase.
    pub fn surface_gradients(&self) -> Vec<Vec<f64>> {
        self.automaton.surface_gradients(self.automaton.closed(), &self.automaton.now.state)
    }

    /// Where the motion begins with an impact: the same of the contacts that are closed before it, at the start. `None` elsewhere.
    pub fn surface_gradients_before(&self, start: &[f64]) -> Option<Vec<Vec<f64>>> {
        self.automaton.located.struck_from.map(|closed| self.automaton.surface_gradients(closed, start))
    }
}
