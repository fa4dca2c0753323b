//! Computes the multipliers of a solution as the eigenvalues of its derivatives from event to event.
//!
//! With D the derivative of a flow with its jump at a fixed time, f the rate where it arrives and n the gradient of the
//! condition there, perturbations are taken from event to event by
//!
//! P = D - f (n D) / (n f).
//!
//! All of these stand in the Jacobian of the equations. At an impact n f is its speed: multipliers grow beyond all bounds where
//! that goes through zero, and the determinants of the equations do not.

use saltation_numerics::blocks::BlockMatrix;
use saltation_numerics::dense;
use saltation_numerics::dense::{Complex, Failure, Matrix};
use saltation_numerics::spectrum::{Ranks, multipliers};

use super::{Equations, FlowTime, Kind};

/// A condition that is passed with less than this part of the terms of its speed is passed without speed: that is their rounding.
const STILL: f64 = 16.0 * f64::EPSILON;

impl Equations<'_> {
    /// The multipliers of a solution from the Jacobian there, largest modulus first; those of states other than the phase, discrete states and those that drift, with
    /// the trivial one of autonomous models. For half an orbit those of the half map, whose squares are the orbit's.
    ///
    /// # Errors
    /// Where the condition of an event is passed without speed, as at an impact of speed zero: there they do not exist.
    pub fn multipliers(&self, jacobian: &BlockMatrix) -> Result<Vec<Complex>, Failure> {
        let layout = self.layout();
        let signature = self.signature();
        let states = layout.states;
        let count = signature.nodes.len();
        // Directions that constraints take, and states that no perturbation changes.
        let fixed = self.discrete.iter().filter(|discrete| **discrete).count();
        let constrained = self.system().constrained_dimensions() + fixed;
        let sizes = &self.sizes()[..states];
        let mut factors = Vec::with_capacity(count);
        let mut ranks = Vec::with_capacity(count);
        for k in 0..count {
            let at = layout.nodes[k];
            let FlowTime { unknown: time, parts } = layout.times[k];
            let last = k + 1 == count;
            let sign = |i: usize| match &signature.mirror {
                Some(mirror) if last => mirror.signs[i],
                _ => 1.0,
            };
            // Phases other than the first go with it.
            let tied: Vec<_> = match last {
                true => signature.held.iter().filter_map(|&(i, _)| Some((i, self.pace(i)?))).collect(),
                false => Vec::new(),
            };
            let mut d = Matrix::from_fn(states, states, |i, j| {
                // With a single node its closing stands in the same place.
                let closing = if last && at == 0 && i == j { sign(i) } else { 0.0 };
                // The equation of a state that drifts is no closing: a shift of it has a multiplier of 1, which becomes 0 here and is left out.
                let drifts = last && signature.drifts(i);
                if drifts { 0.0 } else { sign(i) * (jacobian[(at + i, at + j)] + closing) }
            });
            for &(i, (phase, pace)) in &tied {
                (0..states).for_each(|j| d[(i, j)] = pace.value * d[(phase, j)]);
            }
            let next = if last { 0 } else { k + 1 };
            let after = signature.nodes[k].after;
            let sticking = after.iter().filter(|&c| after.slip(c).is_none() && self.system().has_friction(c)).count();
            let mut rank = states.saturating_sub(2 * after.iter().count() + sticking + constrained);
            if signature.nodes[next].kind != Kind::Waypoint {
                let mut rate: Vec<f64> =
                    (0..states).map(|i| sign(i) * jacobian[(at + i, time)] * parts as f64).collect();
                for &(i, (phase, pace)) in &tied {
                    rate[i] = pace.value * rate[phase];
                }
                let to = layout.nodes[next];
                let normal: Vec<f64> = (0..states).map(|j| jacobian[(to + states, to + j)]).collect();
                let speed: f64 = normal.iter().zip(&rate).map(|(n, f)| n * f).sum();
                let terms: f64 = normal.iter().zip(&rate).map(|(n, f)| (n * f).abs()).sum();
                if speed.abs() <= STILL * terms {
                    return Err(Failure::Singular);
                }
                let row: Vec<f64> =
                    (0..states).map(|j| (0..states).map(|i| normal[i] * d[(i, j)]).sum::<f64>() / speed).collect();
                for j in 0..states {
                    for i in 0..states {
                        d[(i, j)] -= rate[i] * row[j];
                    }
                }
                rank = rank.saturating_sub(1);
            }
            if last {
                rank = rank.saturating_sub(signature.held.len());
            }
            factors.push(Matrix::from_fn(states, states, |i, j| d[(i, j)] * sizes[j] / sizes[i]));
            ranks.push(rank);
        }
        let found = multipliers(&factors, Ranks::Known(&ranks))?;
        let mut values: Vec<Complex> = found.iter().map(|m| m.value).collect();
        // The surfaces take one direction, that of the motion.
        values.truncate(states.saturating_sub(1 + signature.held.len() + constrained));
        if self.system().model().phase.is_none() {
            let place = values.iter().position(|m| dense::modulus(m) < 1.0).unwrap_or(values.len());
            values.insert(place, Complex::new(1.0, 0.0));
        }
        Ok(values)
    }
}
