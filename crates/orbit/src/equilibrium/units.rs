//! Chooses units in which all states of a system are of one size: those in which the derivative of its field is balanced.
//!
//! The derivative A of the field, with A_ij in the unit of x_i over that of x_j and time, becomes D^-1 A D in other units. Osborne's
//! iteration makes the sums of every row and of its column equal. What is then called small does not depend on the units of the model.
//!
//! Balance says nothing of how large states are that do not act on each other both ways, i.e. of strongly connected parts of A. Each part is as large as its own states are, and at least so
//! large as what acts on it moves it. What closed contacts and switches keep at zero ties the states of different parts to each other: there D^-1 A D is balanced together with a motion back to it.

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
    /// The units near a state. The rows of `held` are the gradients of what is kept at zero; `sizes` says for every state that flows how far it is from zero, or how long a radian of it is.
    pub(super) fn new(field: &LocalField, held: &Matrix, flowing: &[usize], sizes: &[f64]) -> Units {
        let n = flowing.len();
        let free = Matrix::from_fn(n, n, |i, j| field.jacobian[(flowing[i], flowing[j])].abs());
        let mut of: Vec<f64> = sizes.iter().map(|&size| if size > 0.0 { size } else { 1.0 }).collect();
        let mut parts = Parts::of(&free);
        parts.balance(&free, &mut of);
        if let Some(tied) = parts.tied(&free, held, flowing, &of) {
            parts = Parts::of(&tied);
            parts.balance(&tied, &mut of);
        }
        parts.measure(&free, sizes, &mut of);
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

/// The part that each state belongs to: the states of one act on each other both ways, directly or through others of it.
struct Parts {
    of: Vec<usize>,
    count: usize,
}

impl Parts {
    /// The strongly connected parts of a matrix of moduli.
    fn of(matrix: &Matrix) -> Parts {
        let n = matrix.rows();
        let mut parts = Parts { of: vec![usize::MAX; n], count: 0 };
        for first in 0..n {
            if parts.of[first] != usize::MAX {
                continue;
            }
            let acted_on = reached(n, first, |from, to| matrix[(to, from)] > 0.0);
            let acting = reached(n, first, |from, to| matrix[(from, to)] > 0.0);
            for i in (0..n).filter(|&i| acted_on[i] && acting[i]) {
                parts.of[i] = parts.count;
            }
            parts.count += 1;
        }
        parts
    }

    /// Makes the sums of every row and of its column equal within every part.
    fn balance(&self, matrix: &Matrix, of: &mut [f64]) {
        let n = of.len();
        for _ in 0..MOST_SWEEPS {
            let mut changed = false;
            for i in 0..n {
                let others = || (0..n).filter(|&j| j != i && self.of[j] == self.of[i]);
                let row: f64 = others().map(|j| matrix[(i, j)] * of[j] / of[i]).sum();
                let column: f64 = others().map(|j| matrix[(j, i)] * of[i] / of[j]).sum();
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
    }

    /// How fast the states of every part move each other.
    fn speeds(&self, matrix: &Matrix, of: &[f64]) -> Vec<f64> {
        let mut speeds = vec![0.0; self.count];
        for (i, &part) in self.of.iter().enumerate() {
            let own = (0..of.len()).filter(|&j| self.of[j] == part);
            let speed: f64 = own.map(|j| matrix[(i, j)] * of[j] / of[i]).sum();
            speeds[part] = speed.max(speeds[part]);
        }
        speeds
    }

    /// The matrix with a motion back to what is kept at zero, as fast as the fastest part, where that ties parts to each other; none if it does not.
    fn tied(&self, matrix: &Matrix, held: &Matrix, flowing: &[usize], of: &[f64]) -> Option<Matrix> {
        let speed = fastest(&self.speeds(matrix, of)).unwrap_or(1.0);
        let mut tied = None;
        for row in 0..held.rows() {
            let slope = |i: usize| held[(row, flowing[i])].abs();
            let bound: Vec<usize> = (0..of.len()).filter(|&i| slope(i).is_normal()).collect();
            for &i in &bound {
                for &j in bound.iter().filter(|&&j| self.of[j] != self.of[i]) {
                    tied.get_or_insert_with(|| matrix.clone())[(i, j)] += speed * slope(j) / slope(i);
                }
            }
        }
        tied
    }

    /// Gives every part its size: no state is smaller than it is known to be, nor than what other parts move it by in the time of its own. A part of which nothing is known moves others by their size.
    fn measure(&self, matrix: &Matrix, sizes: &[f64], of: &mut [f64]) {
        let n = of.len();
        let mut known = vec![false; self.count];
        let grow = |of: &mut [f64], known: &mut [bool], part: usize, factor: f64| {
            if factor.is_normal() {
                (0..n).filter(|&i| self.of[i] == part).for_each(|i| of[i] *= factor);
                known[part] = true;
            }
        };
        for part in 0..self.count {
            let own = (0..n).filter(|&i| self.of[i] == part);
            let factor = own.map(|i| sizes[i] / of[i]).fold(0.0, f64::max);
            grow(of, &mut known, part, factor);
        }
        let speeds = self.speeds(matrix, of);
        let Some(fastest) = fastest(&speeds) else { return };
        let speed = |part: usize| if speeds[part].is_normal() { speeds[part] } else { fastest };
        // The parts act on each other in one order: after so many rounds nothing changes.
        for _ in 0..self.count {
            let mut changed = false;
            for i in 0..n {
                let part = self.of[i];
                let others = (0..n).filter(|&j| self.of[j] != part && known[self.of[j]]);
                let moved: f64 = others.map(|j| matrix[(i, j)] * of[j]).sum::<f64>() / speed(part);
                if moved > 0.0 && (!known[part] || moved >= 2.0 * of[i]) {
                    grow(of, &mut known, part, power_of_two(moved / of[i]));
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for _ in 0..self.count {
            let moves = |i: usize, j: usize| known[self.of[i]] && !known[self.of[j]] && matrix[(i, j)] > 0.0;
            let Some((i, j)) = (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).find(|&(i, j)| moves(i, j)) else {
                break;
            };
            let unit = of[i] * speed(self.of[i]) / matrix[(i, j)];
            grow(of, &mut known, self.of[j], power_of_two(unit / of[j]));
            if !known[self.of[j]] {
                break;
            }
        }
    }
}

/// The largest power of two that is not above a positive number: units that change by it round nothing.
fn power_of_two(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & f64::INFINITY.to_bits())
}

/// The largest of some speeds.
fn fastest(speeds: &[f64]) -> Option<f64> {
    Some(speeds.iter().copied().fold(0.0, f64::max)).filter(|speed| speed.is_normal())
}

/// Which of n states are reached from the first by steps.
fn reached(n: usize, first: usize, step: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut reached = vec![false; n];
    reached[first] = true;
    let mut open = vec![first];
    while let Some(from) = open.pop() {
        for (to, known) in reached.iter_mut().enumerate() {
            if !*known && step(from, to) {
                *known = true;
                open.push(to);
            }
        }
    }
    reached
}
