//! The first step from a state at which a square root vanishes: so short that it is a line in time up to rounding.
//!
//! There the motion has a series in the square root of time (see [`Tape::expand_in_root`]), and none in time. Its terms of the
//! first order in time are kept, the step is as long as all others are negligible, and steps in time follow.

use saltation_expr::{Jet, Remainder, Tape};

use super::taylor::{PREVIEW_ORDER, Taylor};

/// Lengths are halved at most so often: beyond all powers of two.
const HALVINGS: usize = 1200;

impl Taylor {
    /// The length of the first step from the state in a jet, of at most `wanted`; the rows of states and watched outputs are then
    /// those of that step. `None` if the motion has no series in the square root of time either. `probe` and `room` are
    /// working room.
    pub(crate) fn depart(
        &self,
        (tape, slots, watched): (&Tape, &[f64], &[usize]),
        (jet, probe, room): (&mut Jet<f64>, &mut Jet<f64>, &mut Remainder),
        wanted: f64,
    ) -> Option<f64> {
        let start: Vec<f64> = (0..tape.states()).map(|i| jet.state(i)[0]).collect();
        if !tape.expand_in_root(slots, &start, self.order, probe) {
            return None;
        }
        let tolerance = self.step_tolerance();
        let mut root = wanted.min(f64::MAX).sqrt();
        for _ in 0..HALVINGS {
            tape.bound(slots, probe, root, room);
            let length = root * root;
            let states = (0..tape.states()).all(|i| {
                let (bound, rate) = (room.state(i), room.rate(tape, i));
                let line = bound.value + probe.state(i)[2].abs() * length;
                let left = besides_line(probe.state(i), root) + length * rate.tail;
                within(left, tolerance * line + f64::EPSILON * length * rate.terms)
            });
            let outputs = watched.iter().all(|&output| {
                let bound = room.output(tape, output);
                let row = probe.output(tape, output);
                let line = bound.terms + row[2].abs() * length;
                within(besides_line(row, root) + bound.tail, tolerance * line)
            });
            if states && outputs {
                let line = |row: &[f64]| (row[0], row[2]);
                jet.set_order(PREVIEW_ORDER);
                for &output in watched {
                    let (value, slope) = line(probe.output(tape, output));
                    jet.output_row(tape, output)[..=PREVIEW_ORDER].copy_from_slice(&[value, slope, 0.0, 0.0]);
                }
                for i in 0..tape.states() {
                    let (value, slope) = line(probe.state(i));
                    jet.state_row(i)[..=PREVIEW_ORDER].copy_from_slice(&[value, slope, 0.0, 0.0]);
                }
                return Some(length);
            }
            root *= 0.5;
        }
        None
    }
}

/// Whether a sum is known to be small. On steps so long that it overflows nothing is known.
fn within(sum: f64, bound: f64) -> bool {
    sum.is_finite() && sum <= bound
}

/// The sum of the sizes of all terms but those of order 0 and 2.
fn besides_line(series: &[f64], root: f64) -> f64 {
    let mut power = 1.0;
    let mut sum = 0.0;
    for (k, c) in series.iter().enumerate() {
        if k != 0 && k != 2 {
            sum += c.abs() * power;
        }
        power *= root;
    }
    sum
}
