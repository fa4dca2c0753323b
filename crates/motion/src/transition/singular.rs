//! Singular points of slip, where its forces grow without bound: the path there in a regular time, and what follows.
//!
//! In slip g_N'' = A lambda_N + b, so that lambda_N = -b/A. Where A falls to zero with b < 0 the force grows without bound, and steps in
//! time become ever shorter. In the time tau with d tau = dt/A nothing is singular: the field A F + (-b)(...) is smooth, A = b = 0 is a point of
//! rest of it, and the motion tends to such a point as tau grows (Genot & Brogliato, Eur. J. Mech. A 18, 1999). The last piece
//! of the way is taken so; at its end slip has no finite force, and the policy of the run says what follows: an impact without collision, or
//! flight.
//!
//! With several contacts, A is the product of the pivots of slip, each over its value without friction.

use std::sync::Arc;

use saltation_expr::Tape;
use saltation_numerics::polynomial::{self, Workspace};

use super::automaton::{Automaton, LastStep};
use crate::ended::Ended;
use crate::event::{Alternative, EventKind};
use crate::flow::taylor::HIGHEST_ORDER;
use crate::instant::knowledge::ROUNDING;
use crate::mode::ClosedSet;
use crate::mode::bound::NEAR_SINGULAR as NEAR;
use crate::mode::expansion::Expansion;
use crate::mode::formulas::Formulas;
use crate::sensitivity::regular::RegularMotion;
use crate::settings::Policy;
use crate::system::System;
use crate::trajectory::horner;

/// The neighbourhood of the singular point has been left if A is this much larger again.
const LEFT: f64 = 2.0;
/// Steps that change no state by more than this, relative to the sizes of coordinates or velocities, lead nowhere any more.
const STILL: f64 = 1e-15;
/// A path that takes more steps than this does not end.
const MOST_STEPS: usize = 2000;

/// How the path ended.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    /// At the singular point.
    Singular,
    /// Slip stopped, or a force vanished, or A grew again: the motion continues in time.
    Regular,
}

/// The field of a mode in the regular time, with the time as one more state; outputs are A and what must stay above zero.
fn regular(system: &System, closed: ClosedSet) -> Option<Tape> {
    let Formulas { mut graph, mut field, outputs, limits, singular, .. } = system.regular_formulas(closed);
    let ratio = outputs[singular?];
    let time = graph.symbol(" time of slip");
    let mut watched = vec![ratio];
    watched.extend((0..closed.iter().count()).map(|k| outputs[system.force_output(k)]));
    watched.extend(limits.iter().map(|limit| outputs[limit.output]));
    field.push(ratio);
    let mut symbols = system.symbols().to_vec();
    symbols.push(time);
    Some(Tape::new(&graph, &symbols, system.parameter_symbols(), &field, &watched))
}

impl Automaton<'_> {
    /// Follows the motion to a singular point in the regular time, and beyond it.
    ///
    /// # Errors
    /// No step leads there, or no law holds beyond it.
    pub(crate) fn approach(&mut self) -> Result<(), Ended> {
        let closed = self.closed();
        let start = self.now.time;
        let system = self.system;
        let Some(tape) = regular(system, closed).map(Arc::new) else { return Ok(()) };
        let mut series = Expansion::new(&tape, &self.parameters);
        let mut state = self.now.state.clone();
        state.push(0.0);
        let mut neighbours = self.vary_regularly(&tape);
        let end = self.follow_regularly(&mut series, &mut state, &mut neighbours);
        let elapsed = state.pop().unwrap_or(0.0).max(0.0);
        let arrived = start.plus(elapsed);
        if end.is_none() || arrived.value() > self.settings.until {
            return Err(self.diagnose());
        }
        for (i, (&from, &to)) in self.now.state.iter().zip(&state).enumerate() {
            let slope = if elapsed > 0.0 { (to - from) / elapsed } else { 0.0 };
            self.flow.cubics[4 * i..4 * i + 4].copy_from_slice(&[from, slope, 0.0, 0.0]);
        }
        let from = self.modes.current;
        let settled = end == Some(End::Regular) || self.all_come_to_rest(&mut neighbours, &state);
        self.vary_arrival(&neighbours);
        if !settled {
            self.lose_derivatives();
        }
        self.departures.forget();
        self.now.state.copy_from_slice(&state);
        let arrival = self.arrive((start, arrived), elapsed);
        self.flow.last_step = LastStep { start: start.value(), length: elapsed, mode: from, cubic: true };
        arrival?;
        if self.sections.returned {
            return Ok(());
        }
        match end {
            Some(End::Singular) => self.leave_singular(closed),
            _ => self.decide(closed, closed, &[closed]),
        }
    }

    /// The neighbours of a motion that has come to rest at a singular point come to rest too. Whether they do.
    fn all_come_to_rest(&self, neighbours: &mut [RegularMotion], state: &[f64]) -> bool {
        let sizes = self.sizes(state);
        neighbours.iter_mut().all(|motion| {
            motion.comes_to_rest(&self.flow.taylor, (state, &sizes), (self.settings.tolerance, MOST_STEPS))
        })
    }

    /// Steps in the regular time until something happens; `None` if nothing does.
    fn follow_regularly(
        &mut self,
        series: &mut Expansion,
        state: &mut [f64],
        neighbours: &mut [RegularMotion],
    ) -> Option<End> {
        let order = HIGHEST_ORDER;
        let mut workspace = Workspace::new();
        let n = state.len() - 1;
        series.expand(state, 1);
        let begin = series.output(0)[0].abs().max(NEAR);
        for _ in 0..MOST_STEPS {
            series.expand(state, order);
            let length = (0..n).map(|i| self.flow.taylor.longest_step(series.state(i))).fold(f64::INFINITY, f64::min);
            if !(0..n).all(|i| series.state(i).iter().all(|c| c.is_finite())) || length.is_infinite() {
                // At rest; with many contacts A may be exactly zero.
                return Some(End::Singular);
            }
            let mut step = length;
            let mut happens = None;
            for output in 1..series.tape.outputs() {
                let row = series.output(output);
                let descent = polynomial::first_descent(&row[..=order], step, 0, &mut workspace);
                if let Some(at) = descent.root {
                    step = at;
                    happens = Some(output);
                }
            }
            let start = state.to_vec();
            let sizes = self.sizes(&state[..n]);
            let mut moved = 0.0_f64;
            for i in 0..=n {
                let value = horner(series.state(i), step);
                if i < n {
                    moved = moved.max((value - state[i]).abs() / sizes[i]);
                }
                state[i] = value;
            }
            let ratio = horner(series.output(0), step).abs();
            // Forces stand before what else is watched. Where A is rounding, so is the place at which b vanishes.
            let forces = 1..=self.closed().iter().count();
            let vanished = happens.is_some_and(|output| forces.contains(&output)) && ratio <= ROUNDING;
            let end = if vanished || moved <= STILL {
                Some(End::Singular)
            } else {
                (happens.is_some() || ratio > LEFT * begin).then_some(End::Regular)
            };
            // At a singular point outputs vanish by rounding.
            let landing = happens.filter(|_| end == Some(End::Regular));
            neighbours.iter_mut().for_each(|motion| motion.step(&self.flow.taylor, &start, step, landing));
            if end.is_some() {
                return end;
            }
        }
        None
    }

    /// The size of every state: the largest coordinate, or velocity.
    fn sizes(&self, state: &[f64]) -> Vec<f64> {
        let velocities = self.system.velocities();
        let is_velocity = |i: &usize| velocities.contains(i);
        let largest = |wanted: bool| {
            let chosen = (0..state.len()).filter(|i| is_velocity(i) == wanted).map(|i| state[i].abs());
            chosen.fold(f64::MIN_POSITIVE, f64::max)
        };
        let (places, speeds) = (largest(false), largest(true));
        (0..state.len()).map(|i| if is_velocity(&i) { speeds } else { places }).collect()
    }

    /// At a singular point: an impact without collision, or flight, as the policy says.
    fn leave_singular(&mut self, closed: ClosedSet) -> Result<(), Ended> {
        let slipping: Vec<usize> = closed.iter().filter(|&c| closed.slip(c).is_some()).collect();
        let open = slipping.iter().fold(closed, |set, &contact| set.without(contact));
        let flight = self.consistent_mode_of(closed, open);
        let impact = self.halting_impact(closed);
        let mut alternatives: Vec<Alternative> = flight.iter().map(|_| Alternative::Mode(open)).collect();
        alternatives.extend(impact.iter().map(|_| Alternative::Impact));
        self.enter_mode(closed);
        match (flight, impact, self.settings.policy) {
            (Some(next), _, Policy::LiftOff) | (Some(next), None, _) => {
                self.take(&next, closed, alternatives);
                Ok(())
            }
            (_, Some(collision), _) => {
                let left = self.strike_freely(closed, &collision, alternatives)?;
                self.decide(left, closed, &[])
            }
            (None, None, _) => {
                self.report(EventKind::Slip, slipping.first().copied());
                Err(Ended::Inconsistent { contacts: closed.iter().collect() })
            }
        }
    }
}
