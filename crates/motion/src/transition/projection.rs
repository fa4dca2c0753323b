//! Projections: the state on what its mode keeps, which are gaps and opening speeds of closed contacts, constraints of the body and surfaces along which it slides.

use super::automaton::{Automaton, Instant};
use crate::ended::Ended;
use crate::mode::ClosedSet;

impl Automaton<'_> {
    /// Keeps the gaps and opening speeds of the closed contacts at rounding level.
    pub(crate) fn project_closed(&mut self) {
        let closed = self.closed();
        let mut state = std::mem::take(&mut self.now.state);
        self.project_onto(closed, &mut state);
        self.now.state = state;
        self.vary_projection_onto(closed);
    }

    /// Moves a state close to it onto g = v = 0 of contacts, and of those that are closed.
    pub(crate) fn project_together(&mut self, contacts: ClosedSet, state: &mut [f64]) {
        let closed = self.with_slip(contacts, state);
        self.project_onto(closed, state);
    }

    /// Moves a state close to them onto the surfaces of contacts.
    pub(crate) fn project_onto(&mut self, closed: ClosedSet, state: &mut [f64]) {
        match self.system.coupled {
            true => self.joint.group.project(self.system, closed, state),
            false => {
                closed.iter().for_each(|contact| self.bound.laws[contact].project(&self.system.laws[contact], state))
            }
        }
    }

    /// Keeps the state on the constraints of the body and on the surfaces along which it slides.
    pub(crate) fn project_kept(&mut self) {
        if self.modes.now().correction.is_none() {
            return;
        }
        self.vary_kept();
        self.correct_kept();
    }

    /// Whether the constraints of the body are not singular, to within a bound of their pivots, where the state was moved onto them last.
    pub(crate) fn require_regular(&self, bound: f64) -> Result<(), Ended> {
        if self.system.constraints.is_none() {
            return Ok(());
        }
        let Some(correction) = &self.modes.now().correction else { return Ok(()) };
        let acting = self.system.model().constraints.iter().filter(|constraint| constraint.force.is_some());
        let pivots = (self.now.state.len()..).map(|k| correction.output(k)[0]);
        match acting.zip(pivots).find(|(_, pivot)| pivot.is_nan() || *pivot < bound) {
            Some((constraint, _)) => Err(Ended::SingularConstraints { constraint: constraint.name.clone() }),
            None => Ok(()),
        }
    }

    /// Moves the state onto what the present mode keeps at zero: constraints of the body, and surfaces along which it slides.
    pub(crate) fn correct_kept(&mut self) {
        if let Some(correction) = &mut self.modes.now_mut().correction {
            correction.expand(&self.now.state, 0);
        }
        let Automaton { modes, now: Instant { state, .. }, .. } = self;
        if let Some(correction) = &modes.now().correction {
            for (i, x) in state.iter_mut().enumerate() {
                *x += correction.output(i)[0];
            }
        }
    }
}
