//! Crossings of switches that follow each other ever faster, in a cycle: their end is extrapolated, and taken at once.
//!
//! Let w be the rate of the function of a switch at the first crossing of each cycle, to the same side. Where cycles shrink, as about a point at which surfaces meet (twisting control, a body
//! in a valley), the times and states of these crossings have expansions in powers of w, as those of the impacts of a chattering sequence: the same extrapolation finds the end
//! (`sequence`). There every function of the cycle is zero, with what it is kept by, and what holds from there on is decided for all of them together.

use saltation_numerics::dense::{Elimination, Matrix};
use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

use super::automaton::{Automaton, Completion};
use super::sequence::{Impact, Passage, Sequence};
use crate::event::EventKind;
use crate::mode::hybrid::BoundHybrid;
use crate::mode::{ClosedSet, Side, Sides};
use crate::sensitivity::dual::{LANES, Number4};

/// The place of the sequence of crossings of a switch to a side.
fn place(switch: usize, to: Side) -> usize {
    2 * switch + usize::from(to == Side::Positive)
}

impl Automaton<'_> {
    /// The rate of a limit at the current state, in the present mode: how fast the surface of a switch is reached.
    pub(super) fn speed_of_crossing(&mut self, output: usize) -> f64 {
        self.vary_crossing(output);
        let mode = self.modes.now_mut();
        mode.probe(&self.now.state, 1);
        for (i, rate) in self.room.rate.iter_mut().enumerate() {
            *rate = mode.probed_state(i)[1];
        }
        mode.probed(output)[1]
    }

    /// Counts a crossing to a side, at a speed, in its cycle, and prepares its rest if its end is known. `self.rate` has the rates before it.
    pub(super) fn count_crossing(&mut self, switch: usize, to: Side, speed: f64) {
        let at = place(switch, to);
        let falls = self.accumulating.cycles[at].slows(speed);
        let counted = self.accumulating.cycles[at].count(at, self.now.time.value(), (speed, falls), 0.0);
        if self.accumulating.cycles[at].impacts() == 1 {
            self.vary_first_crossing(at, speed);
        }
        if !counted || !self.accumulating.completes {
            return;
        }
        let impact = Impact {
            time: self.now.time.value(),
            state: &self.now.state,
            jump: &self.room.jump,
            rate: &self.room.rate,
            speed,
            acceleration: 0.0,
            jerk: 0.0,
            ratio: 0.0,
            terms: 0.0,
            undisturbed: false,
        };
        let found = self.accumulating.cycles[at].estimate(&impact, self.settings.tolerance);
        self.vary_estimate_crossing(at);
        let Some(found) = found.filter(|found| found.time <= self.settings.until) else { return };
        let met = self.switches_of(&self.accumulating.cycles[at]).with(switch, Side::Sliding);
        let mut end = std::mem::take(&mut self.accumulating.end);
        end.copy_from_slice(self.accumulating.cycles[at].end_state());
        let taking_part = self.contacts_of(&self.accumulating.cycles[at]);
        self.move_onto(met, &mut end);
        self.project_together(taking_part, &mut end);
        self.accumulating.end = end;
        let landed = self.landing(taking_part);
        let length = self.now.time.until(found.time);
        if !self.keeps_all_else((taking_part, met), length) {
            return;
        }
        let event = self.queue.push(EventKind::Accumulate, self.now.time.value(), &self.now.state);
        event.switch = Some(switch);
        event.after.copy_from_slice(&self.accumulating.end);
        event.speed_before = speed;
        event.duration = length;
        event.impacts = self.accumulating.cycles[at].impacts();
        event.error = found.error;
        self.vary_end_of_crossings(at, landed);
        self.room.after.copy_from_slice(&self.now.state);
        self.accumulating.completion = Some(Completion { length, end: found.time, error: found.error, landed, met });
        self.departures.bounced = None;
        self.forget_sequences();
    }

    /// The switches whose surfaces are passed in every flight of a sequence.
    pub(super) fn switches_of(&self, cycle: &Sequence) -> Sides {
        let sides = cycle.passages().iter().filter_map(Passage::sides);
        let changed = |k: usize| sides.clone().any(|sides| sides.of(k) != self.now.sides.of(k));
        let switches = (0..self.system.hybrid.names.len()).filter(|&k| changed(k));
        switches.fold(Sides::NONE, |met, k| met.with(k, Side::Sliding))
    }

    /// The contacts that close, open, strike or turn their slip in every flight of a sequence.
    fn contacts_of(&self, cycle: &Sequence) -> ClosedSet {
        let closed = self.closed();
        let modes = || cycle.passages().iter().filter_map(Passage::mode);
        let changes = |contact: usize| {
            let does = |mode: ClosedSet| (mode.contains(contact), mode.direction(contact));
            modes().any(|mode| does(mode) != does(closed))
        };
        let changing = (0..self.system.contact_names.len()).filter(|&contact| changes(contact));
        cycle.others().chain(changing).fold(ClosedSet::NONE, ClosedSet::with)
    }

    /// Moves a state close to them onto the surfaces of switches, by Newton's method along their gradients.
    pub(super) fn move_onto(&self, met: Sides, state: &mut [f64]) {
        let system = self.system;
        let zero: Vec<usize> = met.sliding().collect();
        if zero.is_empty() {
            return;
        }
        let parameters: Vec<Number4> = self.parameters.iter().map(|&p| Number4::constant(p)).collect();
        let mut hybrid = BoundHybrid::new(&system.hybrid, &parameters);
        let advances = |i: usize| system.phase == Some(i) || system.tones.iter().any(|tone| tone.state == i);
        let free = |i: usize| !advances(i) && self.bound.values.iter().all(|(state, _)| *state != i);
        for _ in 0..2 {
            let mut slopes = Matrix::zeros(zero.len(), state.len());
            let mut off = vec![0.0; zero.len()];
            for first in (0..state.len()).step_by(LANES) {
                let point: Vec<Number4> =
                    state.iter().enumerate().map(|(i, &x)| Dual::variable(x, i.wrapping_sub(first))).collect();
                let values = hybrid.functions(&system.hybrid, &point);
                for (row, &k) in zero.iter().enumerate() {
                    off[row] = values[k].value;
                    for m in (0..LANES.min(state.len() - first)).filter(|m| free(first + m)) {
                        slopes[(row, first + m)] = values[k].tangent[m];
                    }
                }
            }
            let gram = |i: usize, j: usize| (0..state.len()).map(|n| slopes[(i, n)] * slopes[(j, n)]).sum();
            let mut elimination = Elimination::default();
            let square = Matrix::from_fn(zero.len(), zero.len(), gram);
            if elimination.factor(&square).and_then(|()| elimination.solve_in_place(&mut off)).is_err() {
                return;
            }
            for (i, x) in state.iter_mut().enumerate() {
                *x -= (0..zero.len()).map(|row| slopes[(row, i)] * off[row]).sum::<f64>();
            }
        }
    }

    /// Whether everything but the contacts and switches of a cycle keeps its sign until the end of it, `self.end`, after a time: rates in a cycle are no larger than about twice those at its
    /// beginning and at its end.
    fn keeps_all_else(&mut self, (taking_part, met): (ClosedSet, Sides), length: f64) -> bool {
        let (system, closed) = (self.system, self.closed());
        let mode = self.modes.now_mut();
        let own = |limit: &crate::mode::Limit| match ClosedSet::switch(limit.contact) {
            Some(k) => met.of(k) == Side::Sliding && met.knows(k),
            None => taking_part.contains(limit.contact),
        };
        let limits = mode.limits.iter().filter(|limit| !own(limit)).map(|limit| limit.output);
        let gaps = (0..system.contact_names.len()).filter(|&c| !closed.contains(c) && !taking_part.contains(c));
        let gaps = gaps.map(|c| system.gap_output(c));
        let forces = closed.iter().enumerate().filter(|&(_, contact)| !taking_part.contains(contact));
        let forces = forces.map(|(k, _)| system.force_output(k));
        let outputs: Vec<usize> = limits.chain(gaps).chain(forces).collect();
        let mut reach = |output: usize| {
            let [now, end] = [&self.now.state, &self.accumulating.end].map(|point| {
                mode.probe(point, 1);
                [mode.probed(output)[0], mode.probed(output)[1]]
            });
            (now[0], end[0], 4.0 * length * now[1].abs().max(end[1].abs()) + 2.0 * (now[0] - end[0]).abs())
        };
        let mut positive = outputs.into_iter().map(&mut reach);
        if !positive.all(|(now, end, reach)| now.min(end) > reach) {
            return false;
        }
        let sections = system.sections.iter().zip(&self.sections.places).zip(&self.sections.watched);
        sections.filter(|(_, watched)| **watched).all(|((section, place), _)| {
            let (now, end, reach) = reach(system.section_output(section));
            place.keeps_cell(now.min(end) - reach, now.max(end) + reach)
        })
    }

    /// Derivatives: the rate of the function of a switch where its surface is reached.
    fn vary_crossing(&mut self, output: usize) {
        let (current, sections) = (self.modes.current, self.system.section_range());
        let mode = self.modes.now();
        for motion in self.variation.active() {
            motion.set_values(&self.now.state);
            motion.prepare(current, mode, sections.clone());
            motion.expand(current, 1);
            let Some(series) = motion.series(current) else { continue };
            let speed = series.output(output)[1];
            for i in 0..motion.state.len() {
                motion.rate[i] = motion.series(current).map_or(Number4::ZERO, |series| series.state(i)[1]);
            }
            motion.speed = speed;
        }
    }

    /// Derivatives: a crossing is the first of a cycle.
    fn vary_first_crossing(&mut self, at: usize, speed: f64) {
        let (time, contacts) = (self.now.time.value(), self.system.contact_names.len());
        for motion in self.variation.active() {
            motion.sequences[contacts + at].begin(at, Dual { value: time, tangent: motion.clock }, speed);
        }
    }

    /// Derivatives: the estimate of the end of a cycle.
    fn vary_estimate_crossing(&mut self, at: usize) {
        let (time, contacts) = (self.now.time.value(), self.system.contact_names.len());
        for motion in self.variation.active() {
            motion.set_values(&self.now.state);
            let impact = Impact {
                time: Dual { value: time, tangent: motion.clock },
                state: &motion.state,
                jump: &motion.jump,
                rate: &motion.rate,
                speed: motion.speed,
                acceleration: Number4::ZERO,
                jerk: Number4::ZERO,
                ratio: Number4::ZERO,
                terms: 0.0,
                undisturbed: false,
            };
            motion.sequences[contacts + at].repeat(&impact, &self.accumulating.cycles[at]);
        }
    }

    /// Derivatives: those of the end of a cycle.
    fn vary_end_of_crossings(&mut self, at: usize, landed: ClosedSet) {
        let contacts = self.system.contact_names.len();
        for motion in self.variation.active() {
            let sequence = &motion.sequences[contacts + at];
            motion.state.copy_from_slice(sequence.end_state());
            motion.clock = sequence.end_time().tangent;
            motion.project_onto(self.system, landed);
        }
    }
}
