//! Chooses units in which all states of a system are of one size: those in which the derivative of its field is balanced.
//!
//! The derivative A of the field, with A_ij in the unit of x_i over that of x_j and time, becomes D^-1 A D in other units. Osborne's
//! iteration makes the sums of every row and of its column equal; it leaves one factor free, which the states themselves fix. What
//! is then called small does not depend on the units of the model.

use saltation_motion::LocalField;
use saltation_numerics::dense::Matrix;

/// Balancing stops when no unit changes by more than this factor, or after so many sweeps: it is a matter of size only.
const BALANCED_FACTOR: f64 = 1.1;
const MOST_SWEEPS: usize = 60;

/// The unit of every state that flows, and of time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Units {
    /// The size of every state that flows.
    pub of: Vec<f64>,
    /// The time in which the fastest of them moves by its size.
    pub time: f64,
    /// The size of every rate: how much the states change it, or what it is.
    pub rates: Vec<f64>,
}

impl Units {
    /// The units near a state. `sizes` says for every state that flows how far it is from zero, or how long a radian of it is.
    pub(super) fn new(field: &LocalField, flowing: &[usize], sizes: &[f64]) -> Units {
        let entry = |i: usize, j: usize| field.jacobian[(flowing[i], flowing[j])].abs();
        let n = flowing.len();
        let mut of: Vec<f64> = sizes.iter().map(|&size| if size > 0.0 { size } else { 1.0 }).collect();
        for _ in 0..MOST_SWEEPS {
            let mut changed = false;
            for i in 0..n {
                let others = || (0..n).filter(|&j| j != i);
                let row: f64 = others().map(|j| entry(i, j) * of[j] / of[i]).sum();
                let column: f64 = others().map(|j| entry(j, i) * of[i] / of[j]).sum();
                // Two roots: the quotient of very different sums is not finite.
                let factor = row.sqrt() / column.sqrt();
                let unit = of[i] * factor;
                if factor.is_finite() && factor > 0.0 && unit.is_normal() {
                    changed |= !(1.0 / BALANCED_FACTOR..=BALANCED_FACTOR).contains(&factor);
                    of[i] = unit;
                }
            }
            if !changed {
                break;
            }
        }
        // Parts that do not act on each other both ways have a factor each: none is smaller than its own states.
        let size = sizes.iter().zip(&of).map(|(size, unit)| size / unit).fold(0.0, f64::max);
        if size.is_normal() {
            of.iter_mut().for_each(|unit| *unit *= size);
        }
        let mut units = Units { of, time: 1.0, rates: Vec::new() };
        let fastest = units.derivative(field, flowing).infinity_norm();
        if fastest.is_normal() {
            units.time = 1.0 / fastest;
        }
        let rate = |(&i, unit): (&usize, &f64)| {
            let slopes = flowing.iter().zip(&units.of).map(|(&j, unit)| (field.jacobian[(i, j)] * unit).abs());
            let size = slopes.sum::<f64>().max(field.rates[i].abs());
            if size.is_normal() { size } else { unit / units.time }
        };
        units.rates = flowing.iter().zip(&units.of).map(rate).collect();
        units
    }

    /// D^-1 A D, per time.
    pub(super) fn derivative(&self, field: &LocalField, flowing: &[usize]) -> Matrix {
        let n = flowing.len();
        Matrix::from_fn(n, n, |i, j| field.jacobian[(flowing[i], flowing[j])] * self.of[j] / self.of[i])
    }
}
