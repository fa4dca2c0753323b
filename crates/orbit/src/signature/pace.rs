//! Several phases in the equations of an orbit: each of the others keeps its place beside the first one,
//!
//! phi_b - r phi_a = c at x_1,   r = n_b P_b / (n_a P_a),
//!
//! with the turns n and the periods P, instead of its closing, which follows from that of the first as long as r is the ratio of the rates.

use saltation_motion::extension::Lost;
use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

use super::Equations;
use crate::phases::is_other;

/// The ratio of two rates is known to this part.
const SAME_PACE: f64 = 64.0 * f64::EPSILON;

impl Equations<'_> {
    /// How far a phase other than the first advances while the first one, of which the position is given, advances by 1.
    pub(super) fn pace(&self, state: usize) -> Option<(usize, Dual<2>)> {
        let phase = self.system().model().phase.as_ref()?.state;
        if !is_other(self.system().model(), state) {
            return None;
        }
        let turn = |i: usize| Number::scale(self.periods[i], self.signature.turns[i]);
        Some((phase, turn(state) / turn(phase)))
    }

    /// That the phases still turn in the ratios of the signature.
    pub(super) fn keep_pace(&mut self, unknowns: &[f64]) -> Result<(), Lost> {
        let states = self.layout.states;
        if self.system().model().tones.is_empty() {
            return Ok(());
        }
        let mut rate = vec![0.0; states];
        self.flow.rate(self.signature.nodes[0].before, &unknowns[..states], &mut rate);
        for i in 0..states {
            if let Some((phase, pace)) = self.pace(i)
                && (rate[i] - pace.value * rate[phase]).abs() > SAME_PACE * rate[i].abs()
            {
                let names = self.system().state_names();
                return Err(Lost::Apart { first: names[phase].clone(), other: names[i].clone() });
            }
        }
        Ok(())
    }
}
