//! Variational motions through steps and events: the automaton decides what happens, and the derivatives are taken through it.

use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

use super::dual::{DualMode, LANES, Landing, SHORTEST};
use crate::contact::collision::Collision;
use crate::mode::ClosedSet;
use crate::trajectory::horner;
use crate::transition::automaton::Automaton;
use crate::transition::sequence::Impact;

/// Parts of a step from a vanishing root: on the first that is short enough the gradient of the field is constant.
const FIRST_PARTS: [f64; 4] = [1e-6, 1e-8, 1e-10, 1e-12];
/// From there on the series in time converge as far as to the root, and parts may be as short as this fraction of that.
const BESIDE: f64 = 0.1;

impl Automaton<'_> {
    /// Whether derivatives are carried along.
    pub(crate) fn varies(&self) -> bool {
        !self.variation.is_empty()
    }

    /// The variational equations over a step from the current state.
    pub(crate) fn vary_flow(&mut self, length: f64, order: usize, landing: Option<(usize, Option<usize>)>) {
        let mode = self.modes.now();
        let landing = self.landing_at(landing);
        for motion in self.variation.active() {
            motion.set_values(&self.now.state);
            motion.prepare(self.modes.current, mode, self.system.section_range());
            motion.flow(self.modes.current, &self.flow.taylor, (order, length, SHORTEST * length), landing);
        }
    }

    /// The output that vanishes at the end of a step, and the contact that it belongs to.
    fn landing_at(&self, end: Option<(usize, Option<usize>)>) -> Option<Landing> {
        let (output, contact) = end?;
        let vanishing = contact.map_or(0, |c| self.departures.leaving[c]);
        Some(Landing { output, vanishing, obeyed: contact.is_some_and(|c| self.variation.obeyed[c]) })
    }

    /// The variational equations over a step that begins where square roots vanish.
    ///
    /// There the gradient of the field is a + b sqrt(t) at best. A first part of the step is so short that its gradient is constant, which the gradient
    /// at its end confirms; from there on the step has series in time. Where there is none, as beside sqrt(x) itself, derivatives are lost.
    pub(crate) fn vary_departure(&mut self, length: f64, landing: Option<(usize, Option<usize>)>) {
        let (mode, index) = (self.modes.now(), self.modes.current);
        let place = |time: f64| (0..self.now.state.len()).map(|i| horner(mode.state(i), time)).collect::<Vec<f64>>();
        let landing = self.landing_at(landing);
        let mut lost = false;
        for motion in self.variation.active() {
            motion.prepare(index, mode, self.system.section_range());
            let drifts = |part: &f64| {
                let first = part * length;
                let (middle, end) = (place(0.5 * first), place(first));
                motion.drift(index, (&middle, &end), first, self.settings.tolerance).then_some((first, end))
            };
            let Some((first, end)) = FIRST_PARTS.iter().find_map(drifts) else {
                lost = true;
                break;
            };
            motion.set_values(&end);
            motion.flow(index, &self.flow.taylor, (self.flow.taylor.order, length - first, BESIDE * first), landing);
        }
        if lost {
            self.lose_derivatives();
        }
    }

    /// The variational equations over cells of the grid of the exact flow, from the current state.
    pub(crate) fn vary_quiet_cells(&mut self, (first, cells): (usize, usize), length: f64, landed: f64) {
        let mode = self.modes.now();
        for motion in self.variation.active() {
            motion.set_values(&self.now.state);
            motion.prepare(self.modes.current, mode, self.system.section_range());
            motion.flow_over_cells(self.modes.current, &self.flow.taylor, (first, cells), (length, landed));
        }
    }

    /// Every neighbour is moved along the field of the present mode to where an output that is zero at the present state is zero for it.
    pub(crate) fn vary_to_zero(&mut self, output: usize) {
        let mode = self.modes.now();
        for motion in self.variation.active() {
            motion.set_values(&self.now.state);
            motion.prepare(self.modes.current, mode, self.system.section_range());
            motion.expand(self.modes.current, 1);
            let Some(series) = motion.series(self.modes.current) else { continue };
            let row = series.output(output);
            let (off, rate) = (row[0].tangent, row[1].value);
            let late = off.map(|off| if off == 0.0 { 0.0 } else { -off / rate });
            motion.shift(self.modes.current, late);
        }
    }

    /// Every neighbour is moved along the field of the present mode to where its own phase begins a new circle, where formulas are not smooth there.
    pub(crate) fn vary_to_wrap(&mut self, phase: usize, turns: f64) {
        let mode = self.modes.now();
        for motion in self.variation.active() {
            motion.set_values(&self.now.state);
            motion.prepare(self.modes.current, mode, self.system.section_range());
            motion.expand(self.modes.current, 1);
            let Some(series) = motion.series(self.modes.current) else { continue };
            let rate = series.state(phase)[1].value;
            let (own, period) = (motion.state[phase].tangent, motion.phase_period.tangent);
            let late = std::array::from_fn(|m| {
                let off = own[m] - turns * period[m];
                if off == 0.0 { 0.0 } else { -off / rate }
            });
            motion.shift(self.modes.current, late);
        }
    }

    /// The phase was wrapped by whole turns.
    pub(crate) fn vary_wrap(&mut self, phase: usize, turns: f64) {
        for motion in self.variation.active() {
            motion.state[phase] -= motion.phase_period.scale(turns);
        }
    }

    /// One of the other phases was wrapped by whole turns.
    pub(crate) fn vary_tone(&mut self, tone: usize, turns: f64) {
        let state = self.system.tones[tone].state;
        for motion in self.variation.active() {
            motion.state[state] -= motion.tone_periods[tone].scale(turns);
        }
    }

    /// The impact law at the current state, to be followed by [`Automaton::vary_jump`] or by the completion of a sequence.
    pub(crate) fn vary_impact(&mut self, contact: usize) {
        for motion in self.variation.active() {
            motion.set_values(&self.now.state);
            let law = &self.system.laws[contact];
            let struck = motion.laws[contact].strike(law, &motion.state);
            motion.after.copy_from_slice(struck.after);
            (motion.speed, motion.ratio) = (struck.speed, -(struck.opened / struck.speed));
            motion.before.copy_from_slice(&motion.state);
            motion.clock_before = motion.clock;
            motion.mode_before = self.modes.current;
        }
    }

    /// A collision at the current state, to be followed by [`Automaton::vary_jump`] or by the completion of a sequence.
    pub(crate) fn vary_collision(&mut self, collision: &Collision) {
        let system = self.system;
        for motion in self.variation.active() {
            motion.set_values(&self.now.state);
            motion.after.copy_from_slice(&motion.state);
            motion.group.collide(system, collision, &mut motion.after);
            motion.before.copy_from_slice(&motion.state);
            motion.clock_before = motion.clock;
            motion.mode_before = self.modes.current;
        }
    }

    /// The impulses of the impact that was judged are one choice of many, by a rule that is not differentiated: so are the speeds of which the law gives back a part.
    pub(crate) fn lose_impact(&mut self) {
        for motion in self.variation.active() {
            motion.after.iter_mut().for_each(|x| x.tangent = [f64::NAN; LANES]);
        }
    }

    /// The motion comes to a place behind which its derivatives are not followed.
    pub(crate) fn lose_derivatives(&mut self) {
        for motion in self.variation.active() {
            motion.state.iter_mut().for_each(|x| x.tangent = [f64::NAN; LANES]);
            motion.clock = [f64::NAN; LANES];
        }
    }

    /// The state jumps as the law of an impact of these contacts says; neighbouring motions leave their surfaces together with this one.
    pub(crate) fn vary_jump(&mut self, contacts: &[usize]) {
        self.variation.obey(contacts.iter().copied());
        for motion in self.variation.active() {
            std::mem::swap(&mut motion.state, &mut motion.after);
        }
    }

    /// The impact is the first of a sequence of its contact.
    pub(crate) fn vary_first(&mut self, contact: usize, speed: f64) {
        let time = self.now.time.value();
        for motion in self.variation.active() {
            motion.sequences[contact].begin(contact, Dual { value: time, tangent: motion.clock }, speed);
        }
    }

    /// The estimate of the end of the sequence, after that of the motion itself.
    pub(crate) fn vary_estimate(&mut self, contact: usize, terms: f64) {
        let mode = self.modes.now();
        let output = self.system.gap_output(contact);
        for motion in self.variation.active() {
            motion.prepare(self.modes.current, mode, self.system.section_range());
            motion.expand(self.modes.current, 4);
            if self.system.coupled {
                motion.ratio = motion.ratio_of(self.system, contact);
            }
            let Some(DualMode { series, .. }) = &motion.modes[self.modes.current] else { continue };
            let gap = series.output(output);
            for i in 0..motion.state.len() {
                motion.rate[i] = series.state(i)[1];
                motion.jump[i] = motion.after[i] - motion.state[i];
            }
            let impact = Impact {
                time: Dual { value: self.now.time.value(), tangent: motion.clock },
                state: &motion.state,
                jump: &motion.jump,
                rate: &motion.rate,
                speed: if self.system.coupled { gap[1] } else { motion.speed },
                acceleration: gap[2].scale(2.0),
                jerk: gap[3].scale(6.0),
                ratio: motion.ratio,
                terms,
                undisturbed: self.accumulating.sequences[contact].is_undisturbed(),
            };
            motion.sequences[contact].repeat(&impact, &self.accumulating.sequences[contact]);
        }
    }

    /// The sequence is complete: the derivatives are those of its end, on the surface.
    pub(crate) fn vary_completion(&mut self, contact: usize, landed: ClosedSet) {
        for motion in self.variation.active() {
            let sequence = &mut motion.sequences[contact];
            motion.state.copy_from_slice(sequence.end_state());
            motion.clock = sequence.end_time().tangent;
            sequence.clear();
            motion.project_onto(self.system, landed);
        }
    }

    /// The state jumps as an event of the model says; the trajectory has still the state before it.
    pub(crate) fn vary_reset(&mut self, reset: usize) {
        let system = self.system;
        for motion in self.variation.active() {
            motion.set_values(&self.now.state);
            let (after, _) = motion.hybrid.reset(&system.hybrid, reset, &motion.state);
            motion.after.copy_from_slice(after);
            std::mem::swap(&mut motion.state, &mut motion.after);
        }
    }

    /// The projection of the state onto the constraints of the body and onto the surfaces along which the motion slides, before that of the motion itself.
    pub(crate) fn vary_kept(&mut self) {
        let (current, sections) = (self.modes.current, self.system.section_range());
        let mode = self.modes.now();
        for motion in self.variation.active() {
            motion.set_values(&self.now.state);
            motion.prepare(current, mode, sections.clone());
            motion.correct(current);
        }
    }

    /// The projection of the state onto the surfaces of contacts, g = v = 0.
    pub(crate) fn vary_projection_onto(&mut self, closed: ClosedSet) {
        self.variation.obey(closed.iter());
        for motion in self.variation.active() {
            motion.project_onto(self.system, closed);
        }
    }
}
