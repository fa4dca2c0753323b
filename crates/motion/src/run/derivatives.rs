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

    /// The derivatives of the state in which a section is passed, and of the time of the passage, where the motion is on
    /// the section.
    pub fn return_derivatives(&mut self, section: usize) -> Derivatives {
        self.automaton.return_derivatives(section)
    }

    /// The derivatives of the state just before the last impact at a fixed time, and of the time of that impact.
    pub fn derivatives_before_impact(&mut self) -> Derivatives {
        self.automaton.derivatives_before_impact()
    }

    /// The gradients of what the closed contacts keep at zero at the present state, with respect to all states: the gap and the opening speed of each, and
    /// the slip speed of those that stick. Derivatives of states at rest are orthogonal to them, but for the part of the phase.
    pub fn surface_gradients(&self) -> Vec<Vec<f64>> {
        self.automaton.surface_gradients()
    }
}
