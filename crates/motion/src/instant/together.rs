//! Many switches that are zero at one instant: the linear complementarity problem of their rates, with sigma between -1 and 1.
//!
//! If the field is affine in the signs, the rates of the functions are w = b + G sigma. A switch goes to its positive side with sigma = 1 and w >= 0, to its
//! negative one with sigma = -1 and w <= 0, and is slid along with w = 0. Where -G is positive definite, as for friction of any number of bodies, there is one
//! solution, and exchanging one violated switch at a time finds it (Murty's principal pivoting; Cottle, Pang & Stone, *The Linear Complementarity Problem*, Sect. 4.2).

use saltation_numerics::dense::{Elimination, Matrix};

use crate::instant::knowledge::{BORDER, ROUNDING};
use crate::mode::{ClosedSet, Side, Sides};
use crate::transition::automaton::Automaton;

/// So many exchanges for every switch.
const MOST_EXCHANGES: usize = 50;

impl Automaton<'_> {
    /// The sides of switches that are zero, by the first derivatives of their functions, and those at the border of what they do: at these, first derivatives
    /// do not decide. `None` if there is not one solution for certain.
    pub(crate) fn sides_together(&mut self, closed: ClosedSet, zero: &[usize]) -> Option<(Sides, Vec<usize>)> {
        let before = self.now.sides;
        let m = zero.len();
        let positive = zero.iter().fold(before, |sides, &k| sides.with(k, Side::Positive));
        let first = self.function_rates(closed, positive, zero)?;
        let mut columns = Vec::with_capacity(m);
        for &k in zero {
            let rates = self.function_rates(closed, positive.with(k, Side::Negative), zero)?;
            columns.push(first.iter().zip(&rates).map(|(a, b)| 0.5 * (a - b)).collect::<Vec<f64>>());
        }
        // The other corner shows whether the field is affine.
        let negative = zero.iter().fold(before, |sides, &k| sides.with(k, Side::Negative));
        let last = self.function_rates(closed, negative, zero)?;
        let size = |i: usize| first[i].abs() + columns.iter().map(|column| column[i].abs()).sum::<f64>();
        let sum = |i: usize| columns.iter().map(|column| column[i]).sum::<f64>();
        let is_affine = |i: usize| (first[i] - 2.0 * sum(i) - last[i]).abs() <= 1e3 * ROUNDING * size(i);
        if !(0..m).all(is_affine) {
            return None;
        }
        let b: Vec<f64> = (0..m).map(|i| first[i] - sum(i)).collect();
        if !is_definite(&columns) {
            return None;
        }
        let mut own: Vec<Side> = vec![Side::Sliding; m];
        for _ in 0..MOST_EXCHANGES * m {
            let sigma = solve(&columns, &b, &own)?;
            let rate = |i: usize| b[i] + (0..m).map(|j| columns[j][i] * sigma[j]).sum::<f64>();
            // The first that is violated is exchanged: no cycle comes back.
            let violated = (0..m).find(|&i| match own[i] {
                Side::Sliding => sigma[i].abs() > 1.0 + ROUNDING,
                Side::Positive => rate(i) < -ROUNDING * size(i),
                Side::Negative => rate(i) > ROUNDING * size(i),
            });
            let Some(i) = violated else {
                let border = |&i: &usize| match own[i] {
                    Side::Sliding => sigma[i].abs() >= 1.0 - BORDER,
                    _ => rate(i).abs() <= BORDER * size(i),
                };
                let border = (0..m).filter(border).map(|i| zero[i]).collect();
                return Some((zero.iter().zip(&own).fold(before, |sides, (&k, &side)| sides.with(k, side)), border));
            };
            own[i] = if own[i] == Side::Sliding { Side::of(sigma[i]) } else { Side::Sliding };
        }
        None
    }

    /// The rates of the functions of some switches on given sides.
    fn function_rates(&mut self, closed: ClosedSet, sides: Sides, zero: &[usize]) -> Option<Vec<f64>> {
        self.now.sides = sides;
        self.enter_mode(closed);
        let mode = self.modes.now_mut();
        mode.probe(&self.now.state, 1);
        let limits = mode.limits.clone();
        let rate = |&k: &usize| {
            let limit = limits.iter().find(|limit| limit.contact == ClosedSet::element(k))?;
            let sign = sides.of(k).sign()?;
            Some(sign * mode.probed(limit.output)[1]).filter(|rate| rate.is_finite())
        };
        zero.iter().map(rate).collect()
    }
}

/// Sigma of every switch, those on a side 1 or -1.
fn solve(columns: &[Vec<f64>], b: &[f64], own: &[Side]) -> Option<Vec<f64>> {
    let mut sigma: Vec<f64> = own.iter().map(|side| side.sign().unwrap_or(0.0)).collect();
    let free: Vec<usize> = (0..own.len()).filter(|&i| own[i] == Side::Sliding).collect();
    let matrix = Matrix::from_fn(free.len(), free.len(), |i, j| columns[free[j]][free[i]]);
    let fixed = |i: usize| b[i] + (0..own.len()).map(|j| columns[j][i] * sigma[j]).sum::<f64>();
    let mut right: Vec<f64> = free.iter().map(|&i| -fixed(i)).collect();
    let mut elimination = Elimination::default();
    elimination.factor(&matrix).and_then(|()| elimination.solve_in_place(&mut right)).ok()?;
    free.iter().zip(right).for_each(|(&i, x)| sigma[i] = x);
    Some(sigma)
}

/// Whether the symmetric part of -G is positive definite: its pivots are positive.
fn is_definite(columns: &[Vec<f64>]) -> bool {
    let m = columns.len();
    let mut a = Matrix::from_fn(m, m, |i, j| -0.5 * (columns[j][i] + columns[i][j]));
    (0..m).all(|k| {
        let pivot = a[(k, k)];
        for i in k + 1..m {
            let factor = a[(i, k)] / pivot;
            for j in k..m {
                a[(i, j)] -= factor * a[(k, j)];
            }
        }
        pivot > 0.0
    })
}
