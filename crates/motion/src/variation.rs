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
use saltation_numerics::number::Number;

use crate::automaton::Motion;
use crate::chatter::{Impact, Sequence};
use crate::flow::taylor::Taylor;
use crate::law::BoundLaw;
use crate::system::System;

/// So many directions are taken through the formulas together.
pub(crate) const LANES: usize = 4;
/// A step is taken in parts for the sake of the derivatives, none shorter than this fraction of it.
const SHORTEST: f64 = 1e-5;
/// A number with its derivatives.
pub(crate) type Number4 = Dual<LANES>;

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

/// Where a flight ends: at a zero of an output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Landing {
    /// Position of the output in the tape of the mode.
    pub output: usize,
    /// So many of its first coefficients vanish.
    pub vanishing: usize,
    /// Whether they do so for the neighbouring motions as well.
    pub obeyed: bool,
}

/// The same motion in dual numbers, for a few directions.
#[derive(Debug, Clone)]
struct Shadow {
    parameters: Vec<Number4>,
    /// Room for the derivative of one series in one direction.
    series: Vec<f64>,
    /// The modes met so far, by their position in the motion.
    modes: Vec<Option<(Vec<Number4>, Jet<Number4>)>>,
    laws: Vec<BoundLaw<Number4>>,
    /// At the last event or the last step: the state, and the derivative of its time.
    state: Vec<Number4>,
    clock: [f64; LANES],
    /// Just before the last impact, likewise, and the mode of the flight that it ended.
    before: Vec<Number4>,
    clock_before: [f64; LANES],
    mode_before: usize,
    /// The state after the impact that is being judged, and its speed and restitution.
    after: Vec<Number4>,
    speed: Number4,
    restitution: Number4,
    jump: Vec<Number4>,
    rate: Vec<Number4>,
    sequence: Sequence<Number4>,
    phase_period: Number4,
    section_periods: Vec<Number4>,
    /// The change of the start phase, which moves the section that stands there.
    start_phase: [f64; LANES],
}

impl Shadow {
    fn new(system: &System, parameters: Vec<Number4>) -> Shadow {
        let states = system.names.len();
        let row = vec![Number4::ZERO; states];
        let slots = system.periods.bind(&parameters);
        let mut values = vec![Number4::ZERO; system.periods.outputs()];
        system.periods.evaluate(&slots, &[], &mut Jet::new(&system.periods), &mut values);
        Shadow {
            series: Vec::new(),
            modes: Vec::new(),
            laws: system.laws.iter().map(|law| BoundLaw::new(law, &parameters)).collect(),
            state: row.clone(),
            clock: [0.0; LANES],
            before: row.clone(),
            clock_before: [0.0; LANES],
            mode_before: 0,
            after: row.clone(),
            speed: Number4::ZERO,
            restitution: Number4::ZERO,
            jump: row.clone(),
            rate: row,
            sequence: Sequence::new(states),
            phase_period: values[0],
            section_periods: values[1..].to_vec(),
            start_phase: [0.0; LANES],
            parameters,
        }
    }

    /// Makes sure that a mode can run.
    fn prepare(&mut self, mode: usize, tape: &Tape) {
        if self.modes.len() <= mode {
            self.modes.resize_with(mode + 1, || None);
        }
        if self.modes[mode].is_none() {
            self.modes[mode] = Some((tape.bind(&self.parameters), Jet::new(tape)));
        }
    }

    /// The jet of the motion through the state, up to an order.
    fn expand(&mut self, mode: usize, tape: &Tape, order: usize) -> &Jet<Number4> {
        self.prepare(mode, tape);
        let Some((slots, jet)) = &mut self.modes[mode] else { unreachable!("it was prepared above") };
        tape.expand(slots, &self.state, order, jet);
        jet
    }

    fn set_values(&mut self, values: &[f64]) {
        for (x, &value) in self.state.iter_mut().zip(values) {
            x.value = value;
        }
    }

    /// Flows for a length, which depends on the direction if the flight ends where an output vanishes.
    ///
    /// A step that serves the motion need not serve its derivatives: beside a slow motion there may be fast ones that it does not
    /// take part in. They are carried in as many parts as their own series ask for.
    fn flow(&mut self, mode: usize, tape: &Tape, taylor: &Taylor, order: usize, length: f64, landing: Option<Landing>) {
        let (mut order, mut landing) = (order, landing);
        let (mut left, shortest) = (length, SHORTEST * length);
        loop {
            self.expand(mode, tape, order);
            let reach = self.reach(mode, tape, taylor, landing).max(shortest);
            if reach >= left || reach.is_nan() {
                break;
            }
            if order < taylor.order {
                order = taylor.order;
                continue;
            }
            self.advance(mode, Number4::constant(reach));
            left -= reach;
            if let Some(landing) = &mut landing {
                // The surface that was left is far by now.
                landing.vanishing = 0;
            }
        }
        let mut time = Number4::constant(left);
        if let (Some(landing), Some((_, jet))) = (landing, &self.modes[mode]) {
            time.tangent = landing.change(jet.output(tape, landing.output), left);
        }
        self.advance(mode, time);
        for (clock, change) in self.clock.iter_mut().zip(time.tangent) {
            *clock += change;
        }
    }

    /// How far the series of all derivatives serve that were expanded last.
    fn reach(&mut self, mode: usize, tape: &Tape, taylor: &Taylor, landing: Option<Landing>) -> f64 {
        let Some((_, jet)) = &self.modes[mode] else { return f64::INFINITY };
        let states = (0..self.state.len()).map(|i| (jet.state(i), 0));
        let output = landing.map(|landing| (jet.output(tape, landing.output), landing.vanishing));
        let mut reach = f64::INFINITY;
        for (series, vanishing) in states.chain(output) {
            for m in 0..LANES {
                self.series.clear();
                self.series.extend(series.iter().map(|c| c.tangent[m]));
                let low = vanishing.min(self.series.len());
                self.series[..low].fill(0.0);
                reach = reach.min(taylor.reach(&self.series));
            }
        }
        reach
    }

    /// Moves along the jet that was expanded last.
    fn advance(&mut self, mode: usize, time: Number4) {
        let Some((_, jet)) = &self.modes[mode] else { return };
        for (i, x) in self.state.iter_mut().enumerate() {
            *x = jet.state(i).iter().rev().fold(Number4::ZERO, |value, &c| value * time + c);
        }
    }
}

impl Landing {
    /// dL = -dq(L)/q'(L) for the quotient q of the output by the power of the step variable that it contains.
    fn change(&self, row: &[Number4], length: f64) -> [f64; LANES] {
        let low = self.vanishing.min(row.len() - 1);
        let (mut slope, mut value) = (0.0, 0.0);
        let mut change = [0.0; LANES];
        for c in row[low..].iter().rev() {
            slope = slope * length + value;
            value = value * length + c.value;
            for (sum, tangent) in change.iter_mut().zip(c.tangent) {
                *sum = *sum * length + tangent;
            }
        }
        if !self.obeyed {
            for (i, c) in row[..low].iter().enumerate() {
                let power = length.powi(i as i32 - low as i32);
                for (sum, tangent) in change.iter_mut().zip(c.tangent) {
                    *sum += tangent * power;
                }
            }
        }
        change.map(|x| if x == 0.0 { 0.0 } else { -x / slope })
    }
}

/// The derivatives that a motion carries along.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variation {
    directions: usize,
    shadows: Vec<Shadow>,
    /// Contacts whose surface the neighbouring motions left together with this one.
    obeyed: Vec<bool>,
}

impl Variation {
    pub fn is_empty(&self) -> bool {
        self.shadows.is_empty()
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
        variation.shadows.truncate(groups.len());
        for (k, group) in groups.enumerate() {
            let lanes = |of: &dyn Fn(&Perturbation) -> f64| std::array::from_fn(|m| group.get(m).map_or(0.0, of));
            let parameters: Vec<Number4> = self
                .parameters
                .iter()
                .enumerate()
                .map(|(i, &value)| Dual { value, tangent: lanes(&|p| p.parameters[i]) })
                .collect();
            match variation.shadows.get_mut(k) {
                Some(shadow) if shadow.parameters == parameters => {}
                Some(shadow) => *shadow = Shadow::new(self.system, parameters),
                None => variation.shadows.push(Shadow::new(self.system, parameters)),
            }
            let shadow = &mut variation.shadows[k];
            for (i, x) in shadow.state.iter_mut().enumerate() {
                *x = Dual { value: self.state[i], tangent: lanes(&|p| p.state[i]) };
            }
            shadow.clock = [0.0; LANES];
            shadow.start_phase = self.system.phase.map_or([0.0; LANES], |phase| lanes(&|p| p.state[phase]));
            shadow.sequence.clear();
        }
        self.variation = variation;
        self.sequence.clear();
        for contact in self.closed().iter() {
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
        for shadow in &mut variation.shadows {
            let mode = shadow.mode_before;
            std::mem::swap(&mut shadow.state, &mut shadow.before);
            shadow.expand(mode, &self.modes[mode].tape, 1);
            std::mem::swap(&mut shadow.state, &mut shadow.before);
            let Some((_, jet)) = &shadow.modes[mode] else { continue };
            let back = shadow.clock_before.map(|dt| -dt);
            result.push(variation.directions, jet, &back, &shadow.clock_before);
        }
        self.variation = variation;
        result
    }

    /// The gradients of the gap and of the opening speed of every closed contact at the present state, with respect to all
    /// states: two rows per contact. Derivatives of states at rest are orthogonal to them, but for the part of the phase.
    pub fn surface_gradients(&self) -> Vec<Vec<f64>> {
        let states = self.state.len();
        let closed = self.closed();
        let mut rows = vec![vec![0.0; states]; 2 * closed.iter().count()];
        let parameters: Vec<Number4> = self.parameters.iter().map(|&p| Number4::constant(p)).collect();
        for (k, contact) in closed.iter().enumerate() {
            let law = &self.system.laws[contact];
            let mut bound = BoundLaw::new(law, &parameters);
            for first in (0..states).step_by(LANES) {
                let lanes = self.state.iter().enumerate();
                let state: Vec<Number4> = lanes.map(|(i, &x)| Number4::variable(x, i.wrapping_sub(first))).collect();
                let (gap, speed, _) = bound.surface(law, &state);
                for m in 0..LANES.min(states - first) {
                    rows[2 * k][first + m] = gap.tangent[m];
                    rows[2 * k + 1][first + m] = speed.tangent[m];
                }
            }
        }
        rows
    }

    /// Derivatives after a further flow for a time that depends on the direction.
    fn moved_derivatives(&mut self, time: impl Fn(&Shadow, &Jet<Number4>, &Tape) -> [f64; LANES]) -> Derivatives {
        let states = self.state.len();
        let mut variation = std::mem::take(&mut self.variation);
        let mut result = variation.empty(states);
        for shadow in &mut variation.shadows {
            shadow.set_values(&self.state);
            let tape = &self.modes[self.current].tape;
            shadow.expand(self.current, tape, 1);
            let Some((_, jet)) = &shadow.modes[self.current] else { continue };
            let change = time(shadow, jet, tape);
            let time = std::array::from_fn(|m| shadow.clock[m] + change[m]);
            result.push(variation.directions, jet, &change, &time);
        }
        self.variation = variation;
        result
    }

    /// Whether derivatives are carried along.
    pub(crate) fn varies(&self) -> bool {
        !self.variation.is_empty()
    }

    /// The variational equations over a step from the current state.
    pub(crate) fn vary_flow(&mut self, length: f64, order: usize, landing: Option<(usize, Option<usize>)>) {
        let mode = &self.modes[self.current];
        let landing = landing.map(|(output, contact)| Landing {
            output,
            vanishing: contact.map_or(0, |c| self.leaving[c]),
            obeyed: contact.is_some_and(|c| self.variation.obeyed[c]),
        });
        for shadow in &mut self.variation.shadows {
            shadow.set_values(&self.state);
            shadow.flow(self.current, &mode.tape, &self.taylor, order, length, landing);
        }
    }

    /// The phase was wrapped by whole turns.
    pub(crate) fn vary_wrap(&mut self, phase: usize, turns: f64) {
        for shadow in &mut self.variation.shadows {
            shadow.state[phase] += shadow.phase_period.scale(-turns);
        }
    }

    /// The impact law at the current state, to be followed by [`Motion::vary_jump`] or by the completion of a sequence.
    pub(crate) fn vary_impact(&mut self, contact: usize) {
        for shadow in &mut self.variation.shadows {
            shadow.set_values(&self.state);
            let law = &self.system.laws[contact];
            let (after, speed, restitution) = shadow.laws[contact].strike(law, &shadow.state);
            shadow.after.copy_from_slice(after);
            shadow.before.copy_from_slice(&shadow.state);
            shadow.clock_before = shadow.clock;
            shadow.mode_before = self.current;
            (shadow.speed, shadow.restitution) = (speed, restitution);
        }
    }

    /// The state jumps as the impact law says.
    pub(crate) fn vary_jump(&mut self, contact: usize) {
        if let Some(obeyed) = self.variation.obeyed.get_mut(contact) {
            *obeyed = true;
        }
        for shadow in &mut self.variation.shadows {
            std::mem::swap(&mut shadow.state, &mut shadow.after);
        }
    }

    /// Counts the impact in its sequence, `first` if it is the first of one.
    pub(crate) fn vary_count(&mut self, contact: usize, first: bool) {
        let time = self.time.value();
        for shadow in &mut self.variation.shadows {
            if first {
                shadow.sequence.clear();
            }
            let time = Dual { value: time, tangent: shadow.clock };
            shadow.sequence.count(contact, time, shadow.speed.value, shadow.restitution.value);
        }
    }

    /// The estimate of the end of the sequence, after that of the motion itself.
    pub(crate) fn vary_estimate(&mut self, contact: usize) {
        let mode = &self.modes[self.current];
        let output = self.system.gap_output(contact);
        for shadow in &mut self.variation.shadows {
            shadow.expand(self.current, &mode.tape, 4);
            let Some((_, jet)) = &shadow.modes[self.current] else { continue };
            let gap = jet.output(&mode.tape, output);
            for i in 0..shadow.state.len() {
                shadow.rate[i] = jet.state(i)[1];
                shadow.jump[i] = shadow.after[i] - shadow.state[i];
            }
            let impact = Impact {
                time: Dual { value: self.time.value(), tangent: shadow.clock },
                state: &shadow.state,
                jump: &shadow.jump,
                rate: &shadow.rate,
                speed: shadow.speed,
                acceleration: gap[2].scale(2.0),
                jerk: gap[3].scale(6.0),
                restitution: shadow.restitution,
            };
            shadow.sequence.estimate(&impact, self.settings.tolerance);
        }
    }

    /// The sequence is complete: the derivatives are those of its end, on the surface.
    pub(crate) fn vary_completion(&mut self, contact: usize) {
        for shadow in &mut self.variation.shadows {
            shadow.state.copy_from_slice(shadow.sequence.end_state());
            shadow.clock = shadow.sequence.end_time().tangent;
            shadow.sequence.clear();
            shadow.laws[contact].project(&self.system.laws[contact], &mut shadow.state);
        }
    }

    /// The projection of the state onto the surface of a contact, g = v = 0.
    pub(crate) fn vary_projection(&mut self, contact: usize) {
        if let Some(obeyed) = self.variation.obeyed.get_mut(contact) {
            *obeyed = true;
        }
        for shadow in &mut self.variation.shadows {
            shadow.laws[contact].project(&self.system.laws[contact], &mut shadow.state);
        }
    }
}
