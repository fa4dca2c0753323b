//! Steps that begin where a square root vanishes, as that of Hertz's law k x^(3/2) at x = 0.
//!
//! From there on the motion has a series in the square root of time (see [`Tape::expand_in_root`]), and none in time. Its terms of
//! low integer order in time are kept, the step is as long as all others are negligible, and steps in time follow.

use saltation_expr::{Jet, Remainder, Root, Tape};

use super::taylor::{PREVIEW_ORDER, Taylor};

/// The orders in the square root of time that are kept: even ones, up to this.
const KEPT: usize = 2 * PREVIEW_ORDER;
/// A series describes a motion where what it leaves out is this part of it.
const DESCRIBED: f64 = 1e-2;
/// Lengths are halved at most so often: beyond all powers of two.
const HALVINGS: usize = 1200;

impl Taylor {
    /// The length of the first step from the state in a jet, of at most `wanted`; the rows of states and watched outputs are then
    /// those of that step. `None` if the motion has no series in the square root of time either. What stands under `roots` is zero at
    /// the start; `probe` and `room` are working room.
    pub(crate) fn depart(
        &self,
        (tape, slots, watched): (&Tape, &[f64], &[usize]),
        (jet, probe, room): (&mut Jet<f64>, &mut Jet<f64>, &mut Remainder),
        (wanted, roots): (f64, &[Root]),
    ) -> Option<f64> {
        let start: Vec<f64> = (0..tape.states()).map(|i| jet.state(i)[0]).collect();
        if !tape.expand_in_root(slots, &start, self.order, roots, probe) {
            return self.depart_on_line((tape, slots, watched), (jet, probe), wanted);
        }
        let tolerance = self.step_tolerance();
        let mut root = wanted.min(f64::MAX).sqrt();
        // How large states are on the longest step that their series describes at all: one that begins at zero has no size at its start.
        let mut sizes = vec![0.0_f64; tape.states()];
        for _ in 0..HALVINGS {
            tape.bound(slots, probe, root, room);
            let length = root * root;
            let line = |i: usize| room.state(i).value + probe.state(i)[2].abs() * length;
            let tail = |i: usize| length * room.rate(tape, i).tail;
            let size = |i: usize| line(i) + besides_kept(probe.state(i), root);
            if sizes.iter().all(|&size| size == 0.0) && (0..sizes.len()).all(|i| within(tail(i), DESCRIBED * size(i))) {
                sizes.iter_mut().enumerate().for_each(|(i, known)| *known = size(i));
            }
            // What is nothing beside that has no size of its own as yet.
            let own = |i: usize| if line(i) < tolerance * sizes[i] { sizes[i] } else { line(i) };
            let states = (0..tape.states()).all(|i| {
                let left = besides_kept(probe.state(i), root) + tail(i);
                within(left, tolerance * own(i) + f64::EPSILON * length * room.rate(tape, i).terms)
            });
            let outputs = watched.iter().all(|&output| {
                let bound = room.output(tape, output);
                let row = probe.output(tape, output);
                let line = bound.terms + row[2].abs() * length;
                within(besides_kept(row, root) + bound.tail, tolerance * line)
            });
            if states && outputs {
                let kept = |row: &[f64]| std::array::from_fn::<f64, { PREVIEW_ORDER + 1 }, _>(|k| row[2 * k]);
                jet.set_order(PREVIEW_ORDER);
                for &output in watched {
                    let row = kept(probe.output(tape, output));
                    jet.output_row(tape, output)[..=PREVIEW_ORDER].copy_from_slice(&row);
                }
                for (i, size) in sizes.iter().enumerate() {
                    let mut row = kept(probe.state(i));
                    if line(i) < tolerance * size {
                        // All terms at the end of the step, and a line to there.
                        row[1] += terms_besides_kept(probe.state(i), root).sum::<f64>() / length;
                    }
                    jet.state_row(i)[..=PREVIEW_ORDER].copy_from_slice(&row);
                }
                return Some(length);
            }
            root *= 0.5;
        }
        None
    }
}

impl Taylor {
    /// The length of a first step so short that the motion from the state in a jet is a line on it, as where another power than 1/2 of a state begins at zero.
    fn depart_on_line(
        &self,
        (tape, slots, watched): (&Tape, &[f64], &[usize]),
        (jet, probe): (&mut Jet<f64>, &mut Jet<f64>),
        wanted: f64,
    ) -> Option<f64> {
        let start: Vec<f64> = (0..tape.states()).map(|i| jet.state(i)[0]).collect();
        let mut at = |state: &[f64]| {
            tape.expand(slots, state, 0, probe);
            let outputs: Vec<f64> = watched.iter().map(|&output| probe.output(tape, output)[0]).collect();
            let mut rates = vec![0.0; state.len()];
            tape.rates(slots, state, probe, &mut rates);
            (rates, outputs)
        };
        let (rates, outputs) = at(&start);
        if !rates.iter().chain(&outputs).all(|x| x.is_finite()) {
            return None;
        }
        let tolerance = self.step_tolerance();
        let mut length = wanted.min(f64::MAX);
        for _ in 0..HALVINGS {
            let place =
                |part: f64| -> Vec<f64> { start.iter().zip(&rates).map(|(x, v)| x + part * length * v).collect() };
            let ((later, ends), (_, middles)) = (at(&place(1.0)), at(&place(0.5)));
            let constant =
                rates.iter().zip(&later).zip(&start).all(|((now, later), x)| {
                    within((later - now).abs(), tolerance * (x.abs() / length).max(now.abs()))
                });
            let lines = outputs.iter().zip(&ends).zip(&middles).all(|((first, last), middle)| {
                within((0.5 * (first + last) - middle).abs(), tolerance * first.abs().max(last.abs()))
            });
            if constant && lines {
                jet.set_order(PREVIEW_ORDER);
                // Rows of outputs may be those of states.
                let slopes = outputs.iter().zip(&ends).map(|(first, last)| (last - first) / length);
                for ((&output, &first), slope) in watched.iter().zip(&outputs).zip(slopes) {
                    jet.output_row(tape, output)[..=PREVIEW_ORDER].copy_from_slice(&[first, slope, 0.0, 0.0]);
                }
                for (i, (&x, &rate)) in start.iter().zip(&rates).enumerate() {
                    jet.state_row(i)[..=PREVIEW_ORDER].copy_from_slice(&[x, rate, 0.0, 0.0]);
                }
                return Some(length);
            }
            length *= 0.5;
        }
        None
    }
}

/// Whether a sum is known to be small. On steps so long that it overflows nothing is known.
pub(super) fn within(sum: f64, bound: f64) -> bool {
    sum.is_finite() && sum <= bound
}

/// The sum of the sizes of all terms that are not kept.
fn besides_kept(series: &[f64], root: f64) -> f64 {
    terms_besides_kept(series, root).map(f64::abs).sum()
}

/// All terms that are not kept.
fn terms_besides_kept(series: &[f64], root: f64) -> impl Iterator<Item = f64> + '_ {
    let powers = std::iter::successors(Some(1.0), move |power| Some(power * root));
    let terms = series.iter().zip(powers).enumerate();
    terms.filter(|(k, _)| k % 2 != 0 || *k > KEPT).map(|(_, (c, power))| c * power)
}
