//! How does a motion change with its start and its parameters? Derivatives carried through every event.
//!
//! Between events the variational equations are the jets of the motion on dual numbers. At an event the derivative is kept as
//! that of the event itself: dx, the change of the state at the event, and dt, the change of its time. With F the field,
//! the derivative at a fixed time is dx - F dt. A flight of length L that ends where an output g vanishes has
//!
//! dL = -dg(L)/g'(L),
//!
//! an impact takes dx to R_x dx and leaves dt, and the end of a chattering sequence is the derivative of its extrapolation.
//! Composed, these give the saltation matrix of Nordmark & Piiroinen, Eq. (43), of every event, instantaneous or not.
//!
//! Where a contact was just left, g and its first derivatives vanish for the neighbouring motions as well. Divided out of
//! dg and g' they leave a quotient without small numbers: impacts of any low speed pass on bounded derivatives, like the
//! scaled variables h = H/u and u of their Sect. 4.3.

use saltation_expr::{Jet, Tape};
use saltation_numerics::dual::Dual;

use crate::automaton::Motion;
use crate::chatter::Sequence;
use crate::friction::rest::Group;
use crate::law::BoundLaw;
use crate::shadow::{LANES, Number4, Shadow};
use crate::system::System;

/// A direction in which a motion is differentiated: a change of the start state and of the parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Perturbation {
    /// The change of every state.
    pub state: Vec<f64>,
    /// The change of every parameter.
    pub parameters: Vec<f64>,
}

impl Perturbation {
    /// The unit change of one state.
    pub fn of_state(system: &System, state: usize) -> Perturbation {
        let unit = |length: usize, at: Option<usize>| (0..length).map(|i| f64::from(Some(i) == at)).collect();
        Perturbation {
            state: unit(system.names.len(), Some(state)),
            parameters: unit(system.model().parameters.len(), None),
        }
    }

    /// The unit change of one parameter; the others and the start state stay as they are.
    pub fn of_parameter(system: &System, parameter: usize) -> Perturbation {
        let mut perturbation = Perturbation::of_state(system, 0);
        perturbation.state.fill(0.0);
        perturbation.parameters[parameter] = 1.0;
        perturbation
    }
}

/// The derivatives of a state and of the time at which it is reached, in every direction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Derivatives {
    states: usize,
    state: Vec<f64>,
    time: Vec<f64>,
}

impl Derivatives {
    /// The number of directions.
    pub fn directions(&self) -> usize {
        self.time.len()
    }

    /// The derivative of every state in a direction.
    pub fn state(&self, direction: usize) -> &[f64] {
        &self.state[direction * self.states..(direction + 1) * self.states]
    }

    /// The derivative of the time in a direction.
    pub fn time(&self, direction: usize) -> f64 {
        self.time[direction]
    }

    /// Adds a group of directions, of which there are `directions` in all: a state and its rate, flown on for a time that
    /// changes, and the change of the time itself.
    fn push(&mut self, directions: usize, jet: &Jet<Number4>, flown: &[f64; LANES], time: &[f64; LANES]) {
        let count = (directions - self.time.len()).min(LANES);
        for m in 0..count {
            for i in 0..self.states {
                let row = jet.state(i);
                self.state.push(row[0].tangent[m] + row[1].value * flown[m]);
            }
            self.time.push(time[m]);
        }
    }

    /// Whether every derivative is finite: at a graze, none is.
    pub fn is_finite(&self) -> bool {
        self.state.iter().chain(&self.time).all(|x| x.is_finite())
    }
}

/// The derivatives that a motion carries along.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variation {
    pub directions: usize,
    pub shadows: Vec<Shadow>,
    /// Contacts whose surface the neighbouring motions left together with this one.
    pub obeyed: Vec<bool>,
}

impl Variation {
    pub fn is_empty(&self) -> bool {
        self.directions == 0
    }

    /// The shadows that are in use; others wait to be used again.
    pub fn active(&mut self) -> impl Iterator<Item = &mut Shadow> {
        let groups = self.directions.div_ceil(LANES);
        self.shadows[..groups].iter_mut()
    }

    /// Whether a mode is still to be looked at: that before the last impact.
    pub fn needs(&self, mode: usize) -> bool {
        self.shadows.iter().any(|shadow| shadow.mode_before == mode)
    }

    /// Another mode has taken the place of this one.
    pub fn forget(&mut self, mode: usize) {
        self.shadows.iter_mut().for_each(|shadow| shadow.forget(mode));
    }

    fn empty(&self, states: usize) -> Derivatives {
        Derivatives {
            states,
            state: Vec::with_capacity(states * self.directions),
            time: Vec::with_capacity(self.directions),
        }
    }
}

impl<'s> Motion<'s> {
    /// Starts to carry the derivatives in the given directions, from the present state on; earlier ones are forgotten.
    ///
    /// Directions that lead off the surface of a closed contact are projected onto it.
    pub fn differentiate(&mut self, perturbations: &[Perturbation]) {
        let mut variation = std::mem::take(&mut self.variation);
        variation.directions = perturbations.len();
        variation.obeyed.clear();
        variation.obeyed.resize(self.system.contact_names.len(), false);
        let groups = perturbations.chunks(LANES);
        for (k, group) in groups.enumerate() {
            let lanes = |of: &dyn Fn(&Perturbation) -> f64| std::array::from_fn(|m| group.get(m).map_or(0.0, of));
            let parameter = |i: usize| Dual { value: self.parameters[i], tangent: lanes(&|p| p.parameters[i]) };
            let known = variation
                .shadows
                .get(k)
                .is_some_and(|shadow| shadow.parameters.iter().enumerate().all(|(i, known)| *known == parameter(i)));
            if !known {
                let parameters = (0..self.parameters.len()).map(parameter).collect();
                variation.shadows.truncate(k);
                variation.shadows.push(Shadow::new(self.system, parameters));
            }
            let shadow = &mut variation.shadows[k];
            for (i, x) in shadow.state.iter_mut().enumerate() {
                *x = Dual { value: self.state[i], tangent: lanes(&|p| p.state[i]) };
            }
            shadow.clock = [0.0; LANES];
            shadow.start_phase = self.system.phase.map_or([0.0; LANES], |phase| lanes(&|p| p.state[phase]));
            shadow.sequences.iter_mut().for_each(Sequence::clear);
        }
        self.variation = variation;
        self.forget_sequences();
        let closed = self.closed();
        if self.system.coupled {
            self.vary_rest(closed);
            return;
        }
        for contact in closed.iter() {
            self.vary_projection(contact);
        }
    }

    /// The derivatives of the state at the time reached.
    ///
    /// Empty if none were asked for.
    pub fn derivatives(&mut self) -> Derivatives {
        self.moved_derivatives(|shadow, _, _| shadow.clock.map(|dt| -dt))
    }

    /// The derivatives of the present state, and of its time, as those of the event that was passed last: at an impact, of
    /// the state after it, on the surface of the contact.
    pub fn event_derivatives(&mut self) -> Derivatives {
        self.moved_derivatives(|_, _, _| [0.0; LANES])
    }

    /// The derivatives of the state in which a section is passed, and of the time of the passage, where the motion is on
    /// the section.
    pub fn return_derivatives(&mut self, section: usize) -> Derivatives {
        let known = &self.system.sections[section];
        if known.contact.is_some() {
            return self.event_derivatives();
        }
        let output = self.system.section_output(known);
        let place = self.sections[section];
        let declared = known.declared;
        let phase = self.system.phase;
        self.moved_derivatives(|shadow, jet, tape| {
            let row = jet.output(tape, output);
            let level = match declared {
                None => {
                    let phase = phase.map_or(0.0, |p| shadow.state[p].value);
                    let turns = ((phase - place.offset()) / place.period()).round();
                    let moved = shadow.phase_period.tangent;
                    std::array::from_fn(|m| shadow.start_phase[m] + turns * moved[m])
                }
                Some(declared) if place.period().is_finite() => {
                    let turns = (row[0].value / place.period()).round();
                    shadow.section_periods[declared].tangent.map(|moved| turns * moved)
                }
                Some(_) => [0.0; LANES],
            };
            std::array::from_fn(|m| -(row[0].tangent[m] - level[m]) / row[1].value)
        })
    }

    /// The derivatives of the state just before the last impact at a fixed time, and of the time of that impact.
    pub fn derivatives_before_impact(&mut self) -> Derivatives {
        let states = self.state.len();
        let mut variation = std::mem::take(&mut self.variation);
        let mut result = variation.empty(states);
        let directions = variation.directions;
        for shadow in variation.active() {
            let mode = shadow.mode_before;
            std::mem::swap(&mut shadow.state, &mut shadow.before);
            shadow.prepare(mode, &self.modes[mode], self.system.section_range());
            shadow.expand(mode, &self.modes[mode].tape, 1);
            std::mem::swap(&mut shadow.state, &mut shadow.before);
            let Some(jet) = shadow.jet(mode) else { continue };
            let back = shadow.clock_before.map(|dt| -dt);
            result.push(directions, jet, &back, &shadow.clock_before);
        }
        self.variation = variation;
        result
    }

    /// The gradients of what the closed contacts keep at zero at the present state, with respect to all states: the gap and the opening speed of each, and
    /// the slip speed of those that stick. Derivatives of states at rest are orthogonal to them, but for the part of the phase.
    pub fn surface_gradients(&self) -> Vec<Vec<f64>> {
        let states = self.state.len();
        let closed = self.closed();
        let mut rows = vec![vec![0.0; states]; 2 * closed.iter().count()];
        let sticks = |contact: usize| self.system.rubs(contact) && closed.slip(contact).is_none();
        let parameters: Vec<Number4> = self.parameters.iter().map(|&p| Number4::constant(p)).collect();
        for (k, contact) in closed.iter().enumerate() {
            let law = &self.system.laws[contact];
            let mut bound = BoundLaw::new(law, &parameters);
            for first in (0..states).step_by(LANES) {
                let lanes = self.state.iter().enumerate();
                let state: Vec<Number4> = lanes.map(|(i, &x)| Number4::variable(x, i.wrapping_sub(first))).collect();
                let (gap, speed) = bound.surface(law, &state);
                for m in 0..LANES.min(states - first) {
                    rows[2 * k][first + m] = gap.tangent[m];
                    rows[2 * k + 1][first + m] = speed.tangent[m];
                }
            }
        }
        let mut group = Group::new(self.system, &parameters);
        for contact in closed.iter().filter(|&contact| sticks(contact)) {
            let mut row = vec![0.0; states];
            for first in (0..states).step_by(LANES) {
                let lanes = self.state.iter().enumerate();
                let state: Vec<Number4> = lanes.map(|(i, &x)| Number4::variable(x, i.wrapping_sub(first))).collect();
                group.look(self.system, contact, &state);
                let slip = group.touches[contact].slip();
                let count = LANES.min(states - first);
                row[first..first + count].copy_from_slice(&slip.tangent[..count]);
            }
            rows.push(row);
        }
        rows
    }

    /// Derivatives after a further flow for a time that depends on the direction.
    fn moved_derivatives(&mut self, time: impl Fn(&Shadow, &Jet<Number4>, &Tape) -> [f64; LANES]) -> Derivatives {
        let states = self.state.len();
        let mut variation = std::mem::take(&mut self.variation);
        let mut result = variation.empty(states);
        let directions = variation.directions;
        for shadow in variation.active() {
            shadow.set_values(&self.state);
            let tape = &self.modes[self.current].tape;
            shadow.prepare(self.current, &self.modes[self.current], self.system.section_range());
            shadow.expand(self.current, tape, 1);
            let Some(jet) = shadow.jet(self.current) else { continue };
            let change = time(shadow, jet, tape);
            let time = std::array::from_fn(|m| shadow.clock[m] + change[m]);
            result.push(directions, jet, &change, &time);
        }
        self.variation = variation;
        result
    }
}
