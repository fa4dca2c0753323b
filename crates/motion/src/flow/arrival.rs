//! Steps that end where a root vanishes: with a speed, or at rest, as a tank h' = -k sqrt(h) that runs empty.
//!
//! With a speed what stands under the root falls as a line, r ~ T - t. The series in time converges up to there, where its terms fall as a power of
//! their order and no faster (Darboux). With f ~ (T - t)^p the terms at t = T are c k^(-p-1), so that what follows order K is at most the last term
//! times K for p >= 1.
//!
//! At rest r' = -c r^p with c > 0 and p < 1: the variable w = r^(1-p) obeys w' = -(1-p) c, which is regular, and goes to zero in a finite time with a finite
//! speed. There r = w^m with m = 1/(1-p) has a zero of that order, which no sign of r shows, and w a simple one. It is the root of the series of w,
//! as exact as w is where the step begins; for integer m, as 2 for the square root, states are smooth in time up to T and beyond (Puiseux).
//!
//! Then r stays zero if the field without the roots keeps it there. That is the only motion if no root makes room for itself: a motion that leaves
//! needs w >= 0 with r_i' = sum_j G_ij w_j > 0 wherever w_i > 0, and there is none if -G is a P-matrix, which reverses the sign of no vector
//! (Cottle, Pang & Stone, The Linear Complementarity Problem, Sect. 3.3).

use saltation_expr::{Jet, Remainder, Root, SideBySide, Tape};
use saltation_numerics::elementary;

use super::departure::within;
use super::taylor::Taylor;
use crate::locate::polynomials::variation;
use crate::trajectory::horner;

/// What stands under a root has gone to zero if it is this part of what it was: its own curvature over the step.
const GONE: f64 = 1e-2;
/// A bound is believed with this margin for the rounding of its sum.
pub(crate) const MARGIN: f64 = 0.999;
/// Roots of one instant have zeros that differ by no more than this part of the step.
const TOGETHER: f64 = 1e-9;
/// All principal minors of the growth of so many roots are looked at; that of more is compared with its diagonal.
const MOST_MINORS: usize = 12;

impl Taylor {
    /// Whether the zero of an output that falls as a line is known to within the tolerance of the time reached there.
    pub(crate) fn knows_zero(&self, row: &[f64], zero: f64, start: f64) -> bool {
        let slope = row.iter().enumerate().skip(1).rev().fold(0.0, |sum, (k, c)| sum * zero + k as f64 * c);
        within(rest_of(row, zero), self.step_tolerance() * slope.abs() * (start + zero))
    }

    /// Whether a jet serves up to `length`, where it reaches a surface on which roots vanish; `widest` is how large states have been.
    pub(crate) fn arrives(
        &self,
        formulas: (&Tape, &[f64], &[usize]),
        (jet, room): (&Jet<f64>, &mut Remainder),
        (length, widest): (f64, &[f64]),
    ) -> bool {
        // All else that the formulas do is known from half of the way.
        formulas.0.roots_end_at(jet, length, GONE)
            && self.serves(formulas, (jet, room), 0.5 * length)
            && self.ends(formulas, (jet, room), (length, widest))
    }

    /// The length of a step at whose end roots come to zero at rest, if it is at most `longest` and the jet serves on all of it. Away from such an end it serves `served`.
    pub(crate) fn comes_to_rest(
        &self,
        formulas: (&Tape, &[f64], &[usize]),
        (jet, room): (&Jet<f64>, &mut Remainder),
        (served, longest, widest): (f64, f64, &[f64]),
    ) -> Option<f64> {
        let first = self.first_rest(formulas.0, jet, served)?;
        let length = first.at;
        if length > longest {
            return None;
        }
        // What stands under other powers than 1/2 has to be more than its change.
        let part = if first.exponent == 0.5 { 0.5 } else { 0.5 * (elementary::exp2(1.0 - first.exponent) - 1.0) };
        let serves =
            self.serves(formulas, (jet, room), part * length) && self.ends(formulas, (jet, room), (length, widest));
        serves.then_some(length)
    }

    /// Whether a series has no zero as far as it is known, beyond what it serves.
    fn is_unknown_at_zero(&self, series: &[f64], served: f64) -> bool {
        let twice = 2.0 * served;
        let beyond = || variation(series, twice) < MARGIN * series[0];
        let falls = series.len() > 2 && series[0] > 0.0 && series[1] < 0.0;
        !falls || beyond() && MARGIN * rest_of(series, twice) > self.step_tolerance() * series[0]
    }

    /// Whether roots of a lane certainly do not come to zero at rest.
    pub(crate) fn roots_go_on(&self, tape: &Tape, (together, lane): (&SideBySide, usize), served: f64) -> bool {
        tape.square_roots_all_in(together, lane, |series| self.is_unknown_at_zero(series, served))
    }

    /// The first zero at rest of what stands under roots, if its series is known there.
    fn first_rest(&self, tape: &Tape, jet: &Jet<f64>, served: f64) -> Option<RegularZero> {
        if tape.square_roots_all(jet, |series| self.is_unknown_at_zero(series, served)) {
            return None;
        }
        let zeros = regular_zeros(tape, jet);
        let length = zeros.iter().map(|zero| zero.at).fold(f64::INFINITY, f64::min);
        let first = zeros.into_iter().find(|zero| zero.at == length)?;
        within(rest_of(&first.series, length), self.step_tolerance() * first.series[0]).then_some(first)
    }

    /// Whether what all series leave out at the end of a step is no more than it may be, for all that their last terms say.
    fn ends(
        &self,
        (tape, _, watched): (&Tape, &[f64], &[usize]),
        (jet, room): (&Jet<f64>, &Remainder),
        (length, widest): (f64, &[f64]),
    ) -> bool {
        let tolerance = self.step_tolerance();
        let states = (0..tape.states()).all(|i| {
            let row = jet.state(i);
            within(rest_of(row, length), tolerance * widest[i].max(row[0].abs()).max(row[1].abs() * length))
        });
        states
            && watched.iter().all(|&output| {
                let row = jet.output(tape, output);
                let rest = rest_of(row, length);
                let terms = room.output(tape, output).terms + row[1].abs() * length;
                // What vanishes at the end is as small there as what is left out.
                within(rest, tolerance * terms) || horner(row, length).abs() <= rest
            })
    }
}

/// A zero of the regular variable of a root.
#[derive(Debug, Clone)]
pub(crate) struct RegularZero {
    pub root: Root,
    /// The power of what stands under it.
    pub exponent: f64,
    /// The time since the start of the jet.
    pub at: f64,
    series: Vec<f64>,
}

/// The zeros ahead of the regular variables of all roots of a jet.
fn regular_zeros(tape: &Tape, jet: &Jet<f64>) -> Vec<RegularZero> {
    let roots = tape.roots_at_zero(jet, |value| value > 0.0).into_iter();
    let zeros = roots.filter_map(|root| {
        let (exponent, series) = tape.regular_at_zero(jet, root)?;
        (series.len() > 2).then_some(())?;
        Some(RegularZero { root, exponent, at: zero_ahead(&series)?, series })
    });
    zeros.collect()
}

/// The roots that come to zero at rest at the end of a step.
pub(crate) fn roots_at_end(tape: &Tape, jet: &Jet<f64>, length: f64) -> Vec<RegularZero> {
    let mut zeros = regular_zeros(tape, jet);
    zeros.retain(|zero| (zero.at - length).abs() <= TOGETHER * length);
    zeros
}

/// What follows the last terms of a series at the end of a step, if they fall as a power of their order.
pub(crate) fn rest_of(row: &[f64], length: f64) -> f64 {
    let order = row.len() - 1;
    let power = length.powi(order as i32 - 1);
    order as f64 * (row[order - 1].abs()).max(row[order].abs() * length) * power
}

/// The first zero of a series that falls almost as a line, by Newton's method.
pub(crate) fn zero_ahead(row: &[f64]) -> Option<f64> {
    if !(row[0] > 0.0 && row[1] < 0.0) {
        return None;
    }
    let mut zero = -row[0] / row[1];
    let mut slope = row[1];
    for _ in 0..4 {
        let mut value = 0.0;
        slope = 0.0;
        for &c in row.iter().rev() {
            slope = slope * zero + value;
            value = value * zero + c;
        }
        zero -= value / slope;
    }
    // At a zero of higher order a function falls as no line.
    let line = zero > 0.0 && zero <= -2.0 * row[0] / row[1] && slope <= 0.25 * row[1];
    line.then_some(zero)
}

/// Whether roots that are zero may leave zero though they may stay there: `growth` has da_i'/dw_j for what stands under each of them.
pub(crate) fn may_leave(growth: &[Vec<f64>]) -> bool {
    let mut left: Vec<usize> = (0..growth.len()).collect();
    // What others do not move stays where it is.
    let alone = |i: usize, left: &[usize]| growth[i][i] <= 0.0 && left.iter().all(|&j| j == i || growth[i][j] == 0.0);
    while let Some(place) = left.iter().position(|&i| alone(i, &left)) {
        left.remove(place);
    }
    let opposite: Vec<Vec<f64>> = left.iter().map(|&i| left.iter().map(|&j| -growth[i][j]).collect()).collect();
    match left.len() > MOST_MINORS {
        true => !opposite.iter().enumerate().all(|(i, row)| {
            let others: f64 = row.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, g)| g.abs()).sum();
            row[i] > others
        }),
        false => !is_p_matrix(opposite),
    }
}

/// Whether all principal minors of a matrix are positive, by Schur complements (Tsatsomeros & Li, Linear Algebra Appl. 330 (2001)).
fn is_p_matrix(matrix: Vec<Vec<f64>>) -> bool {
    let Some((first, below)) = matrix.split_first() else { return true };
    let pivot = first[0];
    if pivot.is_nan() || pivot <= 0.0 {
        return false;
    }
    let others: Vec<Vec<f64>> = below.iter().map(|row| row[1..].to_vec()).collect();
    let eliminate = |row: &Vec<f64>| (1..row.len()).map(|j| row[j] - row[0] * first[j] / pivot).collect();
    let complement: Vec<Vec<f64>> = below.iter().map(eliminate).collect();
    is_p_matrix(others) && is_p_matrix(complement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_leave_where_they_raise_themselves_or_one_another() {
        let leaves = |growth: &[&[f64]]| may_leave(&growth.iter().map(|row| row.to_vec()).collect::<Vec<_>>());
        assert!(!leaves(&[&[-1.0]]) && leaves(&[&[1.0]]));
        // Tanks in series, and levels of three in a row.
        assert!(!leaves(&[&[-1.0, 0.0, 0.0], &[1.0, -1.0, 0.0], &[0.0, 1.0, -1.0]]));
        assert!(!leaves(&[&[-2.0, 1.0], &[1.0, -2.0]]));
        // w_1 = w_2 grows where each raises the other more than it empties itself.
        assert!(leaves(&[&[-1.0, 3.0], &[3.0, -1.0]]));
        assert!(leaves(&[&[-1.0, f64::NAN], &[1.0, -1.0]]));
    }

    #[test]
    fn a_zero_of_higher_order_is_no_line() {
        assert_eq!(zero_ahead(&[1.0, -0.5]), Some(2.0));
        assert_eq!(zero_ahead(&[1.0, -2.0, 1.0]), None);
    }
}
