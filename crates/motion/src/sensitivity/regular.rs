//! Variational motions on the way to a singular point of slip, by the variational equations in the regular time.
//!
//! With d tau = dt/A the singular points A = b = 0 are points of rest, and neighbouring motions tend to such points too. Their derivatives tend to those of the
//! end, which lie along the surface A = b = 0; that of the time of arrival is the integral of dA over tau. Both are the limits of linear equations whose
//! solutions settle as fast as the motion itself, from where it has come to rest on with constant coefficients.

use std::sync::Arc;

use saltation_expr::Tape;
use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

use super::dual::{LANES, Landing, Number4, SHORTEST, VariationalMotion, longest_step_of_derivatives};
use crate::flow::taylor::{HIGHEST_ORDER, Taylor};
use crate::mode::expansion::Expansion;
use crate::transition::automaton::Automaton;

/// A variational motion in the regular time, with the time as its last state.
#[derive(Debug, Clone)]
pub(crate) struct RegularMotion {
    series: Expansion<Number4>,
    state: Vec<Number4>,
    room: Vec<f64>,
}

impl RegularMotion {
    fn new(tape: &Arc<Tape>, motion: &VariationalMotion) -> RegularMotion {
        let mut state = motion.state.clone();
        state.push(Number4::ZERO);
        RegularMotion { series: Expansion::new(tape, &motion.parameters), state, room: Vec::new() }
    }

    /// Expands the neighbours of a state, whose last entry is the time; how far their series serve.
    fn expand(&mut self, taylor: &Taylor, landing: Option<Landing>) -> f64 {
        self.series.expand(&self.state, HIGHEST_ORDER);
        longest_step_of_derivatives((&self.series, &self.state), taylor, landing, &mut self.room)
    }

    fn advance(&mut self, time: Number4) {
        for (i, x) in self.state.iter_mut().enumerate() {
            *x = self.series.state(i).iter().rev().fold(Number4::ZERO, |value, &c| value * time + c);
        }
    }

    fn set_values(&mut self, values: &[f64]) {
        self.state.iter_mut().zip(values).for_each(|(x, &value)| x.value = value);
    }

    /// A step from a state, in as many parts as the derivatives ask for; it may end where an output vanishes.
    pub(crate) fn step(&mut self, taylor: &Taylor, start: &[f64], length: f64, output: Option<usize>) {
        let landing = output.map(|output| Landing { output, vanishing: 0, obeyed: false });
        self.set_values(start);
        let mut left = length;
        loop {
            let step = self.expand(taylor, landing).max(SHORTEST * length);
            // Also where there are no numbers.
            if step.is_nan() || step >= left {
                break;
            }
            self.advance(Number4::constant(step));
            left -= step;
        }
        let mut time = Number4::constant(left);
        if let Some(landing) = landing {
            time.tangent = landing.change(self.series.output(landing.output), left);
        }
        self.advance(time);
    }

    /// Beside a point of rest: steps until nothing moves by more than a tolerance any more, as far as the last two steps tell. Whether it has settled.
    pub(crate) fn comes_to_rest(
        &mut self,
        taylor: &Taylor,
        (place, sizes): (&[f64], &[f64]),
        (tolerance, steps): (f64, usize),
    ) -> bool {
        let mut before = [f64::INFINITY; LANES];
        let largest = |of: &dyn Fn(usize) -> f64| {
            sizes.iter().enumerate().map(|(i, size)| of(i).abs() / size).fold(0.0_f64, f64::max)
        };
        for _ in 0..steps {
            self.set_values(place);
            let step = self.expand(taylor, None);
            if step.is_infinite() {
                return true;
            }
            let start = self.state.clone();
            self.advance(Number4::constant(step));
            let mut settled = true;
            for (m, before) in before.iter_mut().enumerate() {
                // Derivatives that do not exist do not move.
                let moved = largest(&|i| self.state[i].tangent[m] - start[i].tangent[m]);
                let size = largest(&|i| self.state[i].tangent[m]);
                // What is left of a geometric sequence.
                let ratio = moved / *before;
                let left = if ratio < 1.0 { moved * ratio / (1.0 - ratio) } else { moved };
                settled &= before.is_finite() && moved.max(left) <= tolerance * size;
                *before = moved;
            }
            if settled {
                return true;
            }
        }
        false
    }
}

impl Automaton<'_> {
    /// The variational motions that begin their way to a singular point at the present state; `tape` is the field in the regular time.
    pub(crate) fn vary_regularly(&mut self, tape: &Arc<Tape>) -> Vec<RegularMotion> {
        self.variation.active().map(|motion| RegularMotion::new(tape, motion)).collect()
    }

    /// They have arrived.
    pub(crate) fn vary_arrival(&mut self, arrived: &[RegularMotion]) {
        for (motion, RegularMotion { state, .. }) in self.variation.active().zip(arrived) {
            let places = motion.state.iter_mut().zip(state);
            places.for_each(|(x, &Dual { tangent, .. })| x.tangent = tangent);
            motion.delay(state[motion.state.len()].tangent);
        }
    }
}
