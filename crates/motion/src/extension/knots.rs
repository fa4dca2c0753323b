//! The pieces of tables on the steps of a piece of motion, forward and backward in time, and the derivatives at their knots.

use saltation_numerics::polynomial::{Workspace, first_descent};

use super::Field;
use crate::sensitivity::dual::{LANES, Number4};
use crate::system::System;
use crate::transition::pieces::{NO_JUMP, ON_KNOT};

/// The order up to which arguments on a knot are looked at.
const ORDER: usize = 4;
/// A step may pass so many knots at its start.
const MOST_PASSED: usize = 64;

/// The pieces on which steps are.
#[derive(Debug, Clone, Default)]
pub(super) struct Passed {
    /// By the numbers of lookups, on the present step.
    held: Vec<Option<i64>>,
    /// The same for all steps, and the output that was zero where each began, if it began with a knot.
    steps: Vec<(Vec<Option<i64>>, Vec<usize>)>,
    /// The ends that arguments reach at the end of the step, and whether they are higher than the argument.
    reached: Vec<Option<bool>>,
    /// The number of first coefficients that vanish at the end on which an argument is, by lookup.
    on: Vec<Option<(bool, usize)>>,
    row: Vec<f64>,
    room: Workspace,
}

impl Passed {
    /// Before the first step of a mode.
    pub(super) fn begin(&mut self, field: &mut Field) {
        self.steps.clear();
        if field.lookups.is_empty() {
            return;
        }
        let count = field.lookups.iter().map(|(lookup, _)| *lookup as usize + 1).max().unwrap_or(0);
        self.held.clear();
        self.held.resize(count, None);
        self.reached.clear();
        self.reached.resize(count, None);
        self.on.clear();
        self.on.resize(count, None);
    }

    /// Finds the pieces on which the motion goes on from a state, forward (1) or backward (-1); whether all arguments are on one.
    pub(super) fn find_pieces(&mut self, system: &System, field: &mut Field, state: &[f64], sense: f64) -> bool {
        if field.lookups.is_empty() {
            return true;
        }
        let mut knots = Vec::new();
        'again: for _ in 0..MOST_PASSED {
            field.series.hold(&self.held);
            field.series.tape.expand(&field.series.slots, state, ORDER, &mut field.probe);
            for &(lookup, output) in &field.lookups {
                let number = lookup as usize;
                let table = &system.lookup(lookup).table;
                let row = field.probe.output(&field.series.tape, output);
                let x = row[0];
                let held = self.held[number].filter(|&piece| {
                    let [low, high] = table.ends(piece);
                    let rounding = rounding([x, low, high]);
                    self.reached[number].is_some() || low - rounding <= x && x <= high + rounding
                });
                let Some(piece) = held else {
                    let Some(piece) = table.find(x) else { return false };
                    self.held[number] = Some(piece);
                    continue 'again;
                };
                let [low, high] = table.ends(piece);
                let rounding = rounding([x, low, high]);
                let end = self.reached[number].or(match () {
                    () if (x - low).abs() <= rounding => Some(false),
                    () if (x - high).abs() <= rounding => Some(true),
                    () => None,
                });
                self.on[number] = None;
                let first = row.iter().skip(1).position(|&c| c != 0.0).map(|k| k + 1);
                let (Some(end), Some(first)) = (end, first) else { continue };
                let odd = first % 2 == 1;
                let rises = (row[first] > 0.0) == (!odd || sense > 0.0);
                if rises != end {
                    self.on[number] = Some((end, first));
                    continue;
                }
                let next = if end { piece + 1 } else { piece - 1 };
                self.reached[number] = None;
                if !table.has(next) {
                    return false;
                }
                self.held[number] = Some(next);
                knots.push(output);
                continue 'again;
            }
            self.reached.fill(None);
            self.steps.push((self.held.clone(), knots));
            return true;
        }
        false
    }

    /// The part of a step of this length, whose polynomials are complete, up to the first end of a piece.
    pub(super) fn until_knot(&mut self, system: &System, field: &Field, sense: f64, length: f64) -> f64 {
        let mut within = length;
        for &(lookup, output) in &field.lookups {
            let number = lookup as usize;
            let Some(piece) = self.held[number] else { continue };
            let [low, high] = system.lookup(lookup).table.ends(piece);
            let series = field.series.output(output);
            for (end, knot, sign) in [(false, low, 1.0), (true, high, -1.0)] {
                if knot.is_infinite() {
                    continue;
                }
                self.row.clear();
                let mut power = sign;
                for c in series {
                    self.row.push(power * c);
                    power *= sense;
                }
                self.row[0] -= sign * knot;
                let vanishing = self.on[number].filter(|(on, _)| *on == end).map_or(0, |(_, vanishing)| vanishing);
                if within.is_infinite() && self.row[1..].iter().all(|c| *c == 0.0) {
                    continue;
                }
                if let Some(root) = first_descent(&self.row, within, vanishing, &mut self.room).root {
                    if root < within {
                        self.reached.fill(None);
                    }
                    within = root;
                    self.reached[number] = Some(end);
                }
            }
        }
        within
    }

    /// Enters the pieces of a step with the derivatives of a group, at its start. Where rates jump at a knot the neighbours pass it at their own times.
    pub(super) fn enter(&self, field: &mut Field, group: usize, step: usize, state: &mut [Number4]) {
        let Some((held, knots)) = self.steps.get(step) else { return };
        let dual = &mut field.duals[group];
        let before = step.checked_sub(1).and_then(|step| self.steps.get(step));
        let Some((earlier, _)) = before.filter(|_| !knots.is_empty()) else {
            dual.hold(held);
            return;
        };
        dual.hold(earlier);
        dual.expand(state, 1);
        let rates: Vec<f64> = (0..state.len()).map(|i| dual.state(i)[1].value).collect();
        let arguments: Vec<[Number4; 2]> =
            knots.iter().map(|&output| [dual.output(output)[0], dual.output(output)[1]]).collect();
        dual.hold(held);
        dual.expand(state, 1);
        let jumps: Vec<f64> = rates.iter().enumerate().map(|(i, rate)| rate - dual.state(i)[1].value).collect();
        let jump = |(jump, rate): (&f64, &f64)| jump.abs() > NO_JUMP * rate.abs();
        if !jumps.iter().zip(&rates).any(jump) {
            return;
        }
        // Knots of several tables at once have one time: they stand at the same place.
        let [off, rate] = arguments[0];
        for m in 0..LANES {
            let late = -off.tangent[m] / rate.value;
            for (x, jump) in state.iter_mut().zip(&jumps) {
                x.tangent[m] += jump * late;
            }
        }
    }
}

fn rounding(sizes: [f64; 3]) -> f64 {
    ON_KNOT * sizes.into_iter().filter(|x| x.is_finite()).fold(0.0, |size: f64, x| size.max(x.abs()))
}
