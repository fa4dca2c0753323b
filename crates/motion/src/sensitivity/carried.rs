//! Derivatives of a motion by its start and its parameters, carried through every event.
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

use saltation_numerics::dual::Dual;

use super::dual::{LANES, Number4, SHORTEST, VariationalMotion};
use super::perturbation::{Derivatives, Perturbation};
use crate::contact::group::Group;
use crate::contact::law::BoundLaw;
use crate::mode::ClosedSet;
use crate::mode::expansion::Expansion;
use crate::transition::automaton::Automaton;
use crate::transition::sequence::Sequence;

impl Automaton<'_> {
    /// Starts to carry the derivatives in the given directions, from the present state on; earlier ones are forgotten.
    ///
    /// Directions that lead off the surface of a closed contact or off the constraints of the body are projected onto them.
    pub(crate) fn differentiate(&mut self, perturbations: &[Perturbation]) {
        let mut variation = std::mem::take(&mut self.variation);
        variation.directions = perturbations.len();
        variation.obeyed.clear();
        variation.obeyed.resize(self.system.contact_names.len(), false);
        let groups = perturbations.chunks(LANES);
        for (k, group) in groups.enumerate() {
            let lanes = |of: &dyn Fn(&Perturbation) -> f64| std::array::from_fn(|m| group.get(m).map_or(0.0, of));
            let parameter = |i: usize| Dual { value: self.parameters[i], tangent: lanes(&|p| p.parameters[i]) };
            let known = variation
                .motions
                .get(k)
                .is_some_and(|motion| motion.parameters.iter().enumerate().all(|(i, known)| *known == parameter(i)));
            if !known {
                let parameters = (0..self.parameters.len()).map(parameter).collect();
                variation.motions.truncate(k);
                variation.motions.push(VariationalMotion::new(self.system, parameters));
            }
            let motion = &mut variation.motions[k];
            for (i, x) in motion.state.iter_mut().enumerate() {
                *x = Dual { value: self.now.state[i], tangent: lanes(&|p| p.state[i]) };
            }
            motion.clock = [0.0; LANES];
            motion.start_phase = self.system.phase.map_or([0.0; LANES], |phase| lanes(&|p| p.state[phase]));
            motion.sequences.iter_mut().for_each(Sequence::clear);
        }
        self.variation = variation;
        self.forget_sequences();
        if self.system.constraints.is_some() {
            self.vary_kept();
        }
        let closed = self.closed();
        self.vary_projection_onto(closed);
    }

    /// The derivatives of the state at the time reached.
    ///
    /// Empty if none were asked for.
    pub(crate) fn derivatives(&mut self) -> Derivatives {
        self.moved_derivatives(|motion, _| motion.clock.map(|dt| -dt))
    }

    /// The derivatives of the present state, and of its time, as those of the event that was passed last: at an impact, of
    /// the state after it, on the surface of the contact.
    pub(crate) fn event_derivatives(&mut self) -> Derivatives {
        self.moved_derivatives(|_, _| [0.0; LANES])
    }

    /// The derivatives of the time of the event that was passed last, and whether those of the state after it are finite, too.
    pub(crate) fn event_time_derivatives(&mut self) -> (Derivatives, bool) {
        let directions = self.variation.directions;
        let mut time = Vec::with_capacity(directions);
        let mut finite = true;
        for motion in self.variation.active() {
            let lanes = (directions - time.len()).min(LANES);
            time.extend_from_slice(&motion.clock[..lanes]);
            finite &= motion.state.iter().all(|x| x.tangent[..lanes].iter().all(|slope| slope.is_finite()));
        }
        let result = Derivatives::of_time(time);
        finite &= result.is_finite();
        (result, finite)
    }

    /// The derivatives of the state in which a section is passed, and of the time of the passage, where the motion is on
    /// the section.
    pub(crate) fn return_derivatives(&mut self, section: usize) -> Derivatives {
        if self.system.sections[section].contact.is_some() {
            return self.event_derivatives();
        }
        let late = self.lateness(section);
        self.moved_derivatives(late)
    }

    /// By how much the neighbours pass a section later than the trajectory, which is on it: -dg/g' for the function g of the section, whose level moves with the period.
    fn lateness(&self, section: usize) -> impl Fn(&VariationalMotion, &Expansion<Number4>) -> [f64; LANES] + use<> {
        let known = &self.system.sections[section];
        let output = self.system.section_output(known);
        let place = (self.sections.places[section].offset, self.sections.places[section].period);
        let declared = known.declared;
        let phase = self.system.phase;
        move |motion, series| {
            let (offset, period) = place;
            let row = series.output(output);
            let level = match declared {
                None => {
                    let phase = phase.map_or(0.0, |p| motion.state[p].value);
                    let turns = ((phase - offset) / period).round();
                    let moved = motion.phase_period.tangent;
                    std::array::from_fn(|m| motion.start_phase[m] + turns * moved[m])
                }
                Some(declared) if period.is_finite() => {
                    let turns = (row[0].value / period).round();
                    motion.section_periods[declared].tangent.map(|moved| turns * moved)
                }
                Some(_) => [0.0; LANES],
            };
            std::array::from_fn(|m| -(row[0].tangent[m] - level[m]) / row[1].value)
        }
    }

    /// Keeps the derivatives of a passage of a section within the step that begins at the current state, if they are wanted; where no section is passed, at a graze, there are none.
    pub(crate) fn vary_mark(&mut self, section: Option<usize>, at: f64) {
        if !self.variation.keeps_marks {
            return;
        }
        let (states, directions) = (self.now.state.len(), self.variation.directions);
        let Some(section) = section.filter(|&section| self.system.sections[section].contact.is_none()) else {
            self.variation.marks.push(Derivatives::none(states, directions));
            return;
        };
        let late = self.lateness(section);
        let (index, order) = (self.modes.current, self.modes.now().order());
        let mut variation = std::mem::take(&mut self.variation);
        let mut result = Derivatives::empty(states, directions);
        for motion in variation.active() {
            let (state, clock) = (motion.state.clone(), motion.clock);
            motion.set_values(&self.now.state);
            motion.prepare(index, self.modes.now(), self.system.section_range());
            motion.flow(index, &self.flow.taylor, (order, at, SHORTEST * at), None);
            motion.expand(index, 1);
            if let Some(series) = motion.series(index) {
                let change = late(motion, series);
                let time = std::array::from_fn(|m| motion.clock[m] + change[m]);
                result.push(directions, series, &change, &time);
            }
            (motion.state, motion.clock) = (state, clock);
        }
        self.variation = variation;
        self.variation.marks.push(result);
    }

    /// The derivatives of the state from which the last impact, or the last event of the model, has jumped, and of its time, as those of the event.
    pub(crate) fn derivatives_before_jump(&mut self, reset: bool) -> Derivatives {
        let mut result = Derivatives::empty(self.now.state.len(), self.variation.directions);
        let directions = self.variation.directions;
        for motion in self.variation.active() {
            // A jump of an event exchanges the states before and after it.
            let (state, clock) =
                if reset { (&motion.after, motion.clock) } else { (&motion.before, motion.clock_before) };
            result.push_state(directions, state, &clock);
        }
        result
    }

    /// The derivatives of the opening speed of a contact before and after its last impact, in every direction.
    pub(crate) fn speed_derivatives(&mut self, contact: usize) -> [Vec<f64>; 2] {
        let law = &self.system.laws[contact];
        let mut result = [Vec::new(), Vec::new()];
        let mut variation = std::mem::take(&mut self.variation);
        let directions = variation.directions;
        for motion in variation.active() {
            let here: Vec<Number4> = (motion.state.iter().zip(&self.now.state))
                .map(|(x, &value)| Dual { value, tangent: x.tangent })
                .collect();
            for (speeds, state) in result.iter_mut().zip([&motion.before, &here]) {
                let (_, speed) = motion.laws[contact].surface(law, state);
                let lanes = (directions - speeds.len()).min(LANES);
                speeds.extend_from_slice(&speed.tangent[..lanes]);
            }
        }
        self.variation = variation;
        result
    }

    /// The derivatives of the state just before the last impact at a fixed time, and of the time of that impact.
    pub(crate) fn derivatives_before_impact(&mut self) -> Derivatives {
        let states = self.now.state.len();
        let mut variation = std::mem::take(&mut self.variation);
        let mut result = Derivatives::empty(states, variation.directions);
        let directions = variation.directions;
        for motion in variation.active() {
            let mode = motion.mode_before;
            std::mem::swap(&mut motion.state, &mut motion.before);
            motion.prepare(mode, &self.modes.list[mode], self.system.section_range());
            motion.expand(mode, 1);
            std::mem::swap(&mut motion.state, &mut motion.before);
            let Some(series) = motion.series(mode) else { continue };
            let back = motion.clock_before.map(|dt| -dt);
            result.push(directions, series, &back, &motion.clock_before);
        }
        self.variation = variation;
        result
    }

    /// The gradients of what closed contacts and the constraints of the body keep at zero at a state, with respect to all states: the gap and the opening speed of each
    /// contact, the slip speed of those that stick, and constraints with their rates. Derivatives of states at rest are orthogonal to them, but for the part of the phase.
    pub(crate) fn surface_gradients(&self, closed: ClosedSet, at: &[f64]) -> Vec<Vec<f64>> {
        let states = at.len();
        let mut rows = vec![vec![0.0; states]; 2 * closed.iter().count()];
        let sticks = |contact: usize| self.system.has_friction(contact) && closed.slip(contact).is_none();
        let parameters: Vec<Number4> = self.parameters.iter().map(|&p| Number4::constant(p)).collect();
        for (k, contact) in closed.iter().enumerate() {
            let law = &self.system.laws[contact];
            let mut bound = BoundLaw::new(law, &parameters);
            for first in (0..states).step_by(LANES) {
                let lanes = at.iter().enumerate();
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
                let lanes = at.iter().enumerate();
                let state: Vec<Number4> = lanes.map(|(i, &x)| Number4::variable(x, i.wrapping_sub(first))).collect();
                group.look(self.system, contact, &state);
                let slip = group.touches[contact].slip();
                let count = LANES.min(states - first);
                row[first..first + count].copy_from_slice(&slip.tangent[..count]);
            }
            rows.push(row);
        }
        if let Some(tapes) = &self.system.constraints {
            let mut kept = Expansion::new(&tapes.functions, &parameters);
            let own = rows.len();
            rows.resize(own + tapes.functions.outputs(), vec![0.0; states]);
            for first in (0..states).step_by(LANES) {
                let lanes = at.iter().enumerate();
                let state: Vec<Number4> = lanes.map(|(i, &x)| Number4::variable(x, i.wrapping_sub(first))).collect();
                kept.expand(&state, 0);
                let count = LANES.min(states - first);
                for (k, row) in rows[own..].iter_mut().enumerate() {
                    row[first..first + count].copy_from_slice(&kept.output(k)[0].tangent[..count]);
                }
            }
        }
        rows
    }

    /// Derivatives after a further flow for a time that depends on the direction.
    fn moved_derivatives(
        &mut self,
        time: impl Fn(&VariationalMotion, &Expansion<Number4>) -> [f64; LANES],
    ) -> Derivatives {
        let states = self.now.state.len();
        let mut variation = std::mem::take(&mut self.variation);
        let mut result = Derivatives::empty(states, variation.directions);
        let directions = variation.directions;
        for motion in variation.active() {
            motion.set_values(&self.now.state);
            motion.prepare(self.modes.current, self.modes.now(), self.system.section_range());
            motion.expand(self.modes.current, 1);
            let Some(series) = motion.series(self.modes.current) else { continue };
            let change = time(motion, series);
            let time = std::array::from_fn(|m| motion.clock[m] + change[m]);
            result.push(directions, series, &change, &time);
        }
        self.variation = variation;
        result
    }
}
