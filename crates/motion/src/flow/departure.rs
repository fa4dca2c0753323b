//! Steps that begin where a square root vanishes, as that of Hertz's law k x^(3/2) at x = 0.
//!
//! From there on the trajectory has a series in the square root of time (see [`Tape::expand_in_root`]), and none in time. Its terms of
//! low integer order in time are kept, the step is as long as all others are negligible, and steps in time follow.

use saltation_expr::{Jet, Remainder, Root, Tape};

use super::taylor::{PREVIEW_ORDER, Taylor};
use saltation_numerics::elementary;

/// The orders in the square root of time that are kept: even ones, up to this.
const KEPT: usize = 2 * PREVIEW_ORDER;
/// A series describes a motion where what it leaves out is this part of it.
const DESCRIBED: f64 = 1e-2;
/// Lengths are halved at most so often: beyond all powers of two.
const HALVINGS: usize = 1200;

impl Taylor {
    /// The length of the first step from the state in a jet, of at most `wanted`; the rows of states and watched outputs are then
    /// those of that step. `None` if the trajectory has no series in the square root of time either. What stands under `roots` is zero at
    /// the start; `probe` and `room` are working room.
    pub(crate) fn depart(
        &self,
        (tape, slots, watched): (&Tape, &[f64], &[usize]),
        (jet, probe, room): (&mut Jet<f64>, &mut Jet<f64>, &mut Remainder),
        (wanted, roots): (f64, &[Root]),
    ) -> Option<f64> {
        let start: Vec<f64> = (0..tape.states()).map(|i| jet.state(i)[0]).collect();
        if !tape.expand_in_root(slots, &start, self.order, roots, probe) {
            return self.depart_by_powers((tape, slots, watched), (jet, probe), (wanted, roots));
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

/// So many rounds find the powers with which states begin.
const ROUNDS: usize = 40;
/// Where powers do not describe the motion a step is shortened to this part.
const SHORTER: f64 = 1e-2;

/// A motion on a step so short that every state begins as a line, or from zero as a power of time: x = x_0 + v t/(1 + q), where the rate is v = c t^q.
struct Powers {
    end: Vec<f64>,
    outputs: [Vec<f64>; 3],
}

impl Taylor {
    /// The length of a first step on which powers describe the motion from the state in a jet, as where other roots than those of lines begin at zero: a tank
    /// that another one begins to fill. The rows are then lines to its end.
    fn depart_by_powers(
        &self,
        formulas: (&Tape, &[f64], &[usize]),
        (jet, probe): (&mut Jet<f64>, &mut Jet<f64>),
        (wanted, roots): (f64, &[Root]),
    ) -> Option<f64> {
        let (tape, _, watched) = formulas;
        let start: Vec<f64> = (0..tape.states()).map(|i| jet.state(i)[0]).collect();
        let mut length = wanted.min(1.0);
        while length > f64::MIN_POSITIVE {
            if let Some(Powers { end, outputs: [first, middle, last] }) =
                self.powers(formulas, probe, (&start, roots), length)
            {
                let tolerance = self.step_tolerance();
                let is_line = |((first, last), middle): ((&f64, &f64), &f64)| {
                    within((0.5 * (first + last) - middle).abs(), tolerance * first.abs()) || *first == 0.0
                };
                if first.iter().zip(&last).zip(&middle).all(is_line) {
                    let line = |first: f64, last: f64| [first, (last - first) / length, 0.0, 0.0];
                    jet.set_order(PREVIEW_ORDER);
                    // Rows of outputs may be those of states.
                    for ((&output, &first), &last) in watched.iter().zip(&first).zip(&last) {
                        jet.output_row(tape, output)[..=PREVIEW_ORDER].copy_from_slice(&line(first, last));
                    }
                    for (i, (&first, &last)) in start.iter().zip(&end).enumerate() {
                        jet.state_row(i)[..=PREVIEW_ORDER].copy_from_slice(&line(first, last));
                    }
                    return Some(length);
                }
            }
            length *= SHORTER;
        }
        None
    }

    /// The powers with which a motion begins, found by Picard iteration at the end of a step and at its middle and confirmed at its quarter: all `roots` have
    /// left zero there.
    fn powers(
        &self,
        (tape, slots, watched): (&Tape, &[f64], &[usize]),
        probe: &mut Jet<f64>,
        (start, roots): (&[f64], &[Root]),
        length: f64,
    ) -> Option<Powers> {
        let tolerance = self.step_tolerance();
        let count = start.len();
        let mut rates = |state: &[f64]| {
            let mut rates = vec![0.0; count];
            tape.rates(slots, state, probe, &mut rates);
            rates
        };
        let now = rates(start);
        let is_power = |i: usize| start[i] == 0.0 && now[i] == 0.0;
        let mut exponents = vec![0.0; count];
        let place = |rates: &[f64], exponents: &[f64], part: f64| -> Vec<f64> {
            (0..count).map(|i| start[i] + rates[i] * part * length / (1.0 + exponents[i])).collect()
        };
        let parts = [1.0, 0.5, 0.25];
        let mut places = parts.map(|part| place(&now, &exponents, part));
        for _ in 0..ROUNDS {
            let found = [0, 1, 2].map(|k| rates(&places[k]));
            for i in (0..count).filter(|&i| is_power(i)) {
                let ratio = found[0][i] / found[1][i];
                exponents[i] = if ratio > 0.0 { elementary::log2(ratio) } else { 0.0 };
            }
            let next = [0, 1, 2].map(|k| place(&found[k], &exponents, parts[k]));
            let same = |k: usize| {
                let pairs = next[k].iter().zip(&places[k]);
                pairs.zip(start).all(|((a, b), x)| within((a - b).abs(), tolerance * (b - x).abs().max(x.abs())))
            };
            if (0..3).all(same) {
                let described = (0..count).all(|i| match is_power(i) {
                    true => {
                        let expected = found[0][i] * elementary::powf(0.25, exponents[i]);
                        exponents[i] > -1.0 && within((found[2][i] - expected).abs(), tolerance * expected.abs())
                    }
                    false => {
                        within((found[0][i] - now[i]).abs(), tolerance * (start[i].abs() / length).max(now[i].abs()))
                    }
                });
                let mut outputs = |state: &[f64]| -> Vec<f64> {
                    tape.expand(slots, state, 0, probe);
                    watched.iter().map(|&output| probe.output(tape, output)[0]).collect()
                };
                let outputs = [outputs(start), outputs(&next[1]), outputs(&next[0])];
                tape.expand(slots, &next[0], 1, probe);
                let left = roots.iter().all(|&root| tape.under_root(probe, root)[0] > 0.0);
                let [end, ..] = next;
                return (described && left).then_some(Powers { end, outputs });
            }
            places = next;
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
