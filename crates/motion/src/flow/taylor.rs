//! The length of a Taylor step and the orders that it needs.
//!
//! The order follows from the tolerance and the step from the last two coefficients (Jorba & Zou, Exp. Math. 14 (2005), Sect.
//! 3.2). Their order, N = 1 - ln(tol)/2, is best if the work grows with its square; here a good part of the work of an
//! order does not depend on how high it is, and N = 1 - 3 ln(tol)/4 with its longer steps is faster by a fifth to a half. Where it is known beforehand that only a short step is wanted, as between the impacts of a
//! chattering sequence, the series ends as soon as its terms vanish on that step.

use saltation_expr::remainder::{Bound, Remainder};
use saltation_expr::{Jet, SideBySide, Tape};
use saltation_numerics::elementary;
use saltation_numerics::lanes::Lanes;
use saltation_numerics::number::{Number, Real};
use saltation_numerics::vectors::{Loop, Unit};

/// The rule by which orders and lengths are chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taylor {
    /// The highest order.
    pub order: usize,
    /// The size of the last two terms, relative to that of the state on the step.
    tolerance: f64,
    /// No step is longer.
    longest: f64,
}

/// A step that is expected to end soon, because a contact was just left and will close again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShortFlight {
    /// Position of the contact's gap among the outputs.
    pub gap: usize,
    /// A length that covers the flight.
    pub length: f64,
}

/// How far a jet serves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    /// The length of the step.
    pub length: f64,
    /// Whether the series puts no bound on it, because the motion is a polynomial of low order; the length then covers
    /// everything that can happen on it.
    pub boundless: bool,
}

/// What a series alone says of the length of its step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judged {
    /// log2 of the lengths by the last terms of states and of watched outputs.
    pub by_states: f64,
    pub by_outputs: f64,
    /// The length by these terms, if it is known that up to it nothing that is left out is too large; else 0.
    pub served: f64,
}

/// A length is taken to serve, with all that are shorter, if what is left out is this part of what may be.
const SURELY: f64 = 0.5;

/// The part of a step's tolerance that its last terms may be.
const PART: f64 = 0.1;
/// So many last terms of a series decide the length of a step.
const LAST: usize = 2;
/// Steps that outputs make this much shorter than states do are looked at otherwise.
const NOISY: f64 = 1e-2;
/// So many times the time in which terms of a series that ends outgrow each other lies beyond all its roots and turning points.
const FAR: f64 = 1e6;
/// More steps without an event lengthen the next one no further: the factor remains a number.
const LONGEST_QUIET: u32 = 40;
/// A step that leaves out too much is shortened at most so often: beyond all powers of two.
const SHORTER: usize = 1200;
/// log2 of half the range of numbers: squares of what is below stay numbers.
const HALF_RANGE: f64 = 512.0;
/// All powers of lengths up to this one are inside that half: 2^16.
const SHORT: f64 = 65536.0;
/// The highest order any tolerance asks for.
pub(crate) const HIGHEST_ORDER: usize = 28;
/// The order at which opening speeds and accelerations are known, so that the automaton can say what it expects.
pub(crate) const PREVIEW_ORDER: usize = 3;

impl Taylor {
    pub(crate) fn new(tolerance: f64, longest: f64) -> Taylor {
        // A part of the tolerance per step leaves room for the steps to add up.
        let tolerance = PART * tolerance;
        let order = (1.0 - 0.75 * elementary::ln(tolerance)).ceil() as usize;
        Taylor { order: order.clamp(6, HIGHEST_ORDER), tolerance, longest }
    }

    /// The highest order of a tape. Where there are sums only, the work of an order does not grow with it, and the longest steps are best.
    pub(crate) fn order_for(&self, tape: &Tape) -> usize {
        if tape.is_wide() { HIGHEST_ORDER } else { self.order }
    }

    /// The error that a step may make, relative to the size of the state.
    pub(crate) fn step_tolerance(&self) -> f64 {
        self.tolerance / PART
    }

    /// Raises a jet until its series serves a step of length `wanted`, or to the highest order; then returns the length that it
    /// serves. The jet has been brought to [`PREVIEW_ORDER`] before; its outputs are complete afterwards.
    ///
    /// `watched` are the outputs whose roots matter; `room` is working room. `quiet` steps in a row have ended without an event: where series end, they lay
    /// beyond all roots and turning points. What is found to move after them is rounding, and as long as it is, each step may be longer, again, than all times
    /// in it: what rounding leaves of a state at rest has times of its own, of any length.
    pub(crate) fn complete(
        &self,
        (tape, slots, watched): (&Tape, &[f64], &[usize]),
        (jet, room): (&mut Jet<f64>, &mut Remainder),
        (wanted, quiet): (f64, u32),
        short: Option<ShortFlight>,
        judged: Option<Judged>,
    ) -> Reach {
        let wanted = wanted.min(self.longest);
        // Affine fields have series without surprises, and so have those that are forced by waves, whose own series are looked at.
        let affine = tape.is_affine() || tape.is_wide();
        let order = self.order_for(tape);
        if let Some(flight) = short.filter(|f| f.length < wanted) {
            while jet.order() < order {
                tape.extend(slots, jet);
                if self.vanishes(tape, watched, jet, flight)
                    && (affine || self.serves((tape, slots, watched), (jet, room), flight.length))
                {
                    tape.finish(slots, jet);
                    return Reach { length: flight.length, boundless: false };
                }
            }
        } else {
            tape.raise(slots, jet, order);
            // Close to a singularity high coefficients leave the range of numbers; what is left serves shorter steps.
            while jet.order() > PREVIEW_ORDER && !is_finite(tape, jet) {
                jet.set_order(jet.order() - 1);
            }
        }
        // Series that have been judged are complete.
        if judged.is_none() {
            tape.finish(slots, jet);
        }
        let states = || (0..tape.states()).map(|i| jet.state(i)).chain(tape.waves(jet));
        let outputs = || watched.iter().map(|&i| jet.output(tape, i));
        let judged = judged.filter(|_| jet.order() == order);
        let judged = judged.unwrap_or_else(|| Judged {
            by_states: self.binary_length(states()),
            by_outputs: self.binary_length(outputs()),
            served: 0.0,
        });
        let by_terms = || step_length(&judged, affine, || time_of(states()));
        let length = if judged.served > 0.0 { judged.served } else { by_terms() };
        let boundless = length.is_infinite() && (affine || is_at_rest(tape, jet));
        // What else leaves a bound out is looked at below.
        let farther = || FAR.powi(quiet.min(LONGEST_QUIET) as i32) * far(states().chain(outputs()));
        let length = if boundless && affine { farther() } else { length }.min(wanted);
        if affine || boundless {
            return Reach { length, boundless };
        }
        if length <= judged.served {
            return Reach { length, boundless };
        }
        let mut served = self.shortened((tape, slots, watched), (jet, room), length);
        // There the terms of other rows leave it too.
        while served == 0.0 && jet.order() < order && jet.order() > PREVIEW_ORDER {
            jet.set_order(jet.order() - 1);
            served = self.shortened((tape, slots, watched), (jet, room), length);
        }
        Reach { length: served, boundless }
    }

    /// Judges the series of motions side by side by their last terms. A lane in which they say nothing has no number.
    pub(crate) fn judge(&self, tape: &Tape, watched: &[usize], series: &SideBySide) -> [Lanes; 2] {
        let tolerance = binary_logarithm(self.tolerance);
        let vectors = series.vectors();
        // What moves at a constant rate puts no bound on a step.
        let state = |i| (!tape.is_steady_state(i)).then(|| series.state(i));
        let output = |i: usize| (!tape.is_steady_output(watched[i])).then(|| series.output(tape, watched[i]));
        let by_states = BinaryLengths { series: state, count: tape.states(), tolerance };
        let by_outputs = BinaryLengths { series: output, count: watched.len(), tolerance };
        let unknown = Lanes::from_f64(f64::NAN);
        [vectors.run_wide(by_states).unwrap_or(unknown), vectors.run_wide(by_outputs).unwrap_or(unknown)]
    }

    /// The length of a step by its last terms, if they bound it and nothing else has to be looked at.
    pub(crate) fn length(&self, judged: &Judged) -> Option<f64> {
        let length = step_length(judged, false, || f64::INFINITY);
        (judged.by_states.is_finite() && length > 0.0 && length <= SHORT).then_some(length)
    }

    /// The lanes in which series serve steps of their lengths, and all shorter ones: those that have a 1.
    pub(crate) fn surely_serve(
        &self,
        tape: &Tape,
        watched: &[usize],
        series: &mut SideBySide,
        lengths: Lanes,
    ) -> Lanes {
        let look = |series: &mut SideBySide, sharp: bool| {
            series.bound(tape, lengths, (!sharp).then_some(self.tolerance));
            let compared = SurelyServe { tape, watched, series, lengths, tolerance: self.step_tolerance(), sharp };
            series.vectors().run_wide(compared).unwrap_or(Lanes::ZERO)
        };
        let roughly = look(series, false);
        let doubtful = |lane: usize| lengths.lane(lane) > 0.0 && roughly.lane(lane) == 0.0;
        if (0..Lanes::COUNT).any(doubtful) { roughly.greater(look(series, true)) } else { roughly }
    }

    /// The length, at most `wanted`, of a step that a complete jet serves, for all that its last terms and bounds say.
    pub(crate) fn served(
        &self,
        (tape, slots, watched): (&Tape, &[f64], &[usize]),
        (jet, room): (&Jet<f64>, &mut Remainder),
        wanted: f64,
    ) -> f64 {
        let states = (0..tape.states()).map(|i| jet.state(i));
        let length = self.binary_length(states.chain(watched.iter().map(|&i| jet.output(tape, i))));
        self.shortened((tape, slots, watched), (jet, room), elementary::exp2(length).min(wanted).min(self.longest))
    }

    /// A length, at most the given one, on which the series leave out no more than a step may; zero if there is none.
    ///
    /// The last terms alone do not suffice: a series such as that of x'' = -x^6 from x = 0 has a coefficient at every seventh order
    /// only, and that of a pulse which lies ahead has none that differs from zero.
    fn shortened(
        &self,
        formulas: (&Tape, &[f64], &[usize]),
        (jet, room): (&Jet<f64>, &mut Remainder),
        mut length: f64,
    ) -> f64 {
        // Lengths whose powers are no numbers bound nothing.
        if length > SHORT {
            length = length.min(elementary::exp2(HALF_RANGE / jet.order() as f64));
        }
        if self.serves_surely(formulas, (jet, room), length) {
            return length;
        }
        for _ in 0..SHORTER {
            let excess = self.excess(formulas, (jet, room), length);
            if excess <= 1.0 {
                return length;
            }
            // What is left out falls at least with the power of its first order.
            let shorter = elementary::powf(excess, -1.0 / jet.order() as f64);
            length *= if shorter > 0.25 { 0.98 * shorter } else { 0.25 };
        }
        0.0
    }

    /// Whether the series leave out no more than a step of this length may.
    pub(super) fn serves(
        &self,
        formulas: (&Tape, &[f64], &[usize]),
        (jet, room): (&Jet<f64>, &mut Remainder),
        length: f64,
    ) -> bool {
        self.serves_surely(formulas, (jet, room), length) || self.excess(formulas, (jet, room), length) <= 1.0
    }

    /// Whether a fast look is enough to say so: at the ratio of successive terms that the tolerance asks for.
    fn serves_surely(
        &self,
        (tape, slots, watched): (&Tape, &[f64], &[usize]),
        (jet, room): (&Jet<f64>, &mut Remainder),
        length: f64,
    ) -> bool {
        tape.bound_roughly(slots, jet, (length, self.tolerance), room);
        // What states and outputs surely move.
        let moved = |row: &[f64], _: Bound| row[1].abs() * length;
        self.compare((tape, watched), (jet, room), length, moved) <= 1.0
    }

    /// How much the series leave out on a step, in units of what is allowed; infinite where nothing is known.
    fn excess(
        &self,
        (tape, slots, watched): (&Tape, &[f64], &[usize]),
        (jet, room): (&Jet<f64>, &mut Remainder),
        length: f64,
    ) -> f64 {
        tape.bound(slots, jet, length, room);
        self.compare((tape, watched), (jet, room), length, |_, bound| bound.change)
    }

    /// The largest of what is left out, in units of what is allowed; `moved` is how far a row moves on the step.
    ///
    /// A defect d whose series begins at the order N of the jet moves a state by at most h d/(N + 1), which is
    /// compared with the tolerance of a step and with the rounding of the rate's terms; an output is compared with its terms. A coordinate follows its
    /// velocity, whose rounding over the step it need not know better: where a contact keeps both at zero, their series are rounding.
    fn compare(
        &self,
        (tape, watched): (&Tape, &[usize]),
        (jet, room): (&Jet<f64>, &Remainder),
        length: f64,
        moved: impl Fn(&[f64], Bound) -> f64,
    ) -> f64 {
        let tolerance = self.step_tolerance();
        let left = length / (jet.order() + 1) as f64;
        let mut worst = 0.0_f64;
        let mut compare = |tail: f64, allowed: f64| {
            worst = if tail <= allowed * worst { worst } else { tail / allowed };
            // What is not a number is no small defect.
            worst = if worst.is_nan() { f64::INFINITY } else { worst };
        };
        for i in 0..tape.states() {
            let (state, rate) = (room.state(i), room.rate(tape, i));
            let size = state.value + moved(jet.state(i), state);
            let rounding = |terms: f64| f64::EPSILON * length * terms;
            let followed = tape.followed(i).map_or(0.0, |velocity| length * rounding(room.rate(tape, velocity).terms));
            compare(left * rate.tail, tolerance * size + rounding(rate.terms) + followed);
        }
        for &output in watched {
            let bound = room.output(tape, output);
            compare(bound.tail, tolerance * (bound.terms + moved(jet.output(tape, output), bound)));
        }
        worst
    }

    /// Whether the last two terms are below the tolerance on a short flight: of every state and every watched output, relative to
    /// what it is, and of the gap relative to the height of the flight.
    fn vanishes(&self, tape: &Tape, watched: &[usize], jet: &Jet<f64>, flight: ShortFlight) -> bool {
        let order = jet.order();
        let length = flight.length;
        let before = length.powi(order as i32 - 2);
        // Last terms k - 1 and k, the first of them times length^(order - 2).
        let small = |c: &[f64], k: usize, first: f64, size: f64| {
            let bound = self.tolerance * size;
            (c[k] * first * length).abs() <= bound && (c[k - 1] * first).abs() <= bound
        };
        let states = (0..tape.states()).all(|i| {
            let c = jet.state(i);
            small(c, order, before * length, c[0].abs().max((c[1] * length).abs()))
        });
        // Outputs are known up to the order below.
        states
            && watched.iter().all(|&output| {
                let c = jet.output(tape, output);
                let height = (c[1] * length).abs();
                let size = if output == flight.gap { height } else { height.max(c[0].abs()) };
                small(c, order - 1, before, size)
            })
    }

    /// The longest step on which the last terms of one series stay below the tolerance. Infinite where the first ones all vanish: then
    /// nothing is known that they could be compared with.
    pub(crate) fn longest_step(&self, series: &[f64]) -> f64 {
        let low = &series[..=(series.len() - 1) / 3];
        if low.iter().all(|&c| c == 0.0) {
            return f64::INFINITY;
        }
        elementary::exp2(binary_length(series, binary_logarithm(self.tolerance)))
    }

    /// log2 of the longest step on which the last terms of every series stay below the tolerance.
    fn binary_length<'a>(&self, series: impl Iterator<Item = &'a [f64]>) -> f64 {
        let tolerance = binary_logarithm(self.tolerance);
        let mut shortest = f64::INFINITY;
        for c in series {
            shortest = shortest.min(binary_length(c, tolerance));
        }
        shortest
    }
}

/// The length of a step by its last terms. Outputs that cancel, as forces between bodies that move alike, have series of rounding; what they are compared with has its size.
fn step_length(judged: &Judged, affine: bool, time_of_states: impl Fn() -> f64) -> f64 {
    let Judged { by_states, by_outputs, .. } = *judged;
    let by_both = elementary::exp2(by_states.min(by_outputs));
    let noisy = || {
        let moving = if by_states.is_finite() { elementary::exp2(by_states) } else { time_of_states() };
        !affine && by_both < NOISY * moving
    };
    if by_outputs < by_states && noisy() { elementary::exp2(by_states) } else { by_both }
}

/// Whether the last coefficients of all states are numbers.
fn is_finite(tape: &Tape, jet: &Jet<f64>) -> bool {
    (0..tape.states()).all(|i| jet.state(i)[jet.order()].is_finite())
}

/// Whether no state moves.
fn is_at_rest(tape: &Tape, jet: &Jet<f64>) -> bool {
    (0..tape.states()).all(|i| jet.state(i)[1..].iter().all(|&c| c == 0.0))
}

/// A length beyond all roots and turning points of series that end. Infinite if nothing moves.
fn far<'a>(series: impl Iterator<Item = &'a [f64]>) -> f64 {
    let longest = time_of(series);
    if longest > 0.0 { FAR * longest } else { f64::INFINITY }
}

/// The longest time in which one term of a series outgrows another; 0 if nothing moves.
fn time_of<'a>(series: impl Iterator<Item = &'a [f64]>) -> f64 {
    let mut longest = 0.0_f64;
    for c in series {
        for (k, &high) in c.iter().enumerate().skip(1).filter(|(_, high)| **high != 0.0) {
            for (j, &low) in c[..k].iter().enumerate().filter(|(_, low)| **low != 0.0) {
                longest = longest.max(elementary::powf((low / high).abs(), 1.0 / (k - j) as f64));
            }
        }
    }
    longest
}

/// The terms of a series that its last ones are compared with: a third of them, or those up to the first that is not zero. None if it begins later than with
/// its second third: what rounding leaves of a state at rest may begin anywhere, and last terms compared with their neighbours would decide the step.
#[inline]
fn low_terms(c: &[f64]) -> &[f64] {
    let order = c.len() - 1;
    let low = &c[..=order / 3];
    if low.iter().any(|&c| c != 0.0) {
        return low;
    }
    c[..=2 * order / 3].iter().position(|&c| c != 0.0).map_or(&[], |first| &c[..=first])
}

/// log2 of the longest step for one series: the largest h with |c_k| h^k <= tol |c_j| h^j for one of its low orders j, for each
/// of its last orders k. A term that vanishes puts no bound on it.
#[inline]
fn binary_length(c: &[f64], tolerance: f64) -> f64 {
    let order = c.len() - 1;
    let last = order.saturating_sub(LAST - 1)..order + 1;
    let mut shortest = f64::INFINITY;
    if c[last.clone()].iter().all(|&c| c == 0.0) {
        return shortest;
    }
    let low = low_terms(c);
    if low.is_empty() {
        return shortest;
    }
    let mut allowed = [0.0; saltation_expr::jet::LENGTH];
    let allowed = &mut allowed[..low.len()];
    for (allowed, &c) in allowed.iter_mut().zip(low) {
        *allowed = tolerance + binary_logarithm(c);
    }
    for k in last {
        if c[k] == 0.0 {
            continue;
        }
        let size = binary_logarithm(c[k]);
        let mut longest = f64::NEG_INFINITY;
        // 1/(k - j) for the orders j = 0, 1, ...
        let reciprocals = &BACKWARDS[saltation_expr::jet::LENGTH - 1 - k..];
        for (&allowed, &reciprocal) in allowed.iter().zip(reciprocals) {
            let length = (allowed - size) * reciprocal;
            longest = if length > longest { length } else { longest };
        }
        shortest = if longest < shortest { longest } else { shortest };
    }
    shortest
}

/// [`Taylor::compare`] of series side by side with a part of what is allowed: 1 where all is less.
struct SurelyServe<'a> {
    tape: &'a Tape,
    watched: &'a [usize],
    series: &'a SideBySide,
    lengths: Lanes,
    tolerance: f64,
    /// Whether the bounds are sharp: then they say how far states and outputs move.
    sharp: bool,
}

impl Loop for SurelyServe<'_> {
    type Output = Lanes;

    #[inline(always)]
    fn run<U: Unit>(self, _: U) -> Lanes {
        let SurelyServe { tape, watched, series, lengths, tolerance, sharp } = self;
        let moved = |row: &[Lanes], bound: Bound<Lanes>| match sharp {
            true => bound.change,
            false => row[1].modulus() * lengths,
        };
        let room = series.bounds();
        let left = lengths.scale(1.0 / (series.order() + 1) as f64);
        let mut serve = Lanes::ONE;
        for i in 0..tape.states() {
            let (state, rate) = (room.state(i), room.rate(tape, i));
            let size = state.value + moved(series.state(i), state);
            let rounding = (lengths * rate.terms).scale(f64::EPSILON);
            let allowed = size.scale(tolerance) + rounding;
            serve = Lanes::choose(allowed.scale(SURELY) - left * rate.tail, |spare| spare >= 0.0, serve, Lanes::ZERO);
        }
        for &output in watched {
            let bound = room.output(tape, output);
            let allowed = (bound.terms + moved(series.output(tape, output), bound)).scale(tolerance);
            serve = Lanes::choose(allowed.scale(SURELY) - bound.tail, |spare| spare >= 0.0, serve, Lanes::ZERO);
        }
        serve
    }
}

/// [`binary_length`] of series side by side, the shortest of each lane; no number where the low terms of one all vanish.
struct BinaryLengths<F> {
    series: F,
    count: usize,
    tolerance: f64,
}

impl<'a, F: Fn(usize) -> Option<&'a [Lanes]>> Loop for BinaryLengths<F> {
    type Output = Lanes;

    #[inline(always)]
    fn run<U: Unit>(self, _: U) -> Lanes {
        let BinaryLengths { series, count, tolerance } = self;
        let (infinite, tolerance) = (Lanes::from_f64(f64::INFINITY), Lanes::from_f64(tolerance));
        let (mut shortest, mut unknown) = (infinite, Lanes::ZERO);
        for i in 0..count {
            let Some(c) = series(i) else { continue };
            let order = c.len() - 1;
            let low = &c[..=order / 3];
            let mut allowed = [Lanes::ZERO; saltation_expr::jet::LENGTH];
            let mut sum = Lanes::ZERO;
            for (allowed, &c) in allowed.iter_mut().zip(low) {
                *allowed = tolerance + c.binary_logarithm();
                sum += c.modulus();
            }
            let vanish = |sum: f64| sum == 0.0;
            for k in order.saturating_sub(LAST - 1)..=order {
                let size = c[k].binary_logarithm();
                let mut longest = Lanes::from_f64(f64::NEG_INFINITY);
                let reciprocals = &BACKWARDS[saltation_expr::jet::LENGTH - 1 - k..];
                for (&allowed, &reciprocal) in allowed[..low.len()].iter().zip(reciprocals) {
                    longest = longest.greater((allowed - size).scale(reciprocal));
                }
                let length = Lanes::choose(c[k], vanish, infinite, longest);
                shortest = shortest.smaller(length);
                // A term that says something, and nothing that it could be compared with.
                let alone =
                    Lanes::choose(c[k], vanish, Lanes::ZERO, Lanes::choose(sum, vanish, Lanes::ONE, Lanes::ZERO));
                unknown = unknown.greater(alone);
            }
        }
        Lanes::choose(unknown, |x| x > 0.0, Lanes::from_f64(f64::NAN), shortest)
    }
}

/// 1/31, 1/30, .., 1, and zero.
const BACKWARDS: [f64; saltation_expr::jet::LENGTH] = {
    let mut table = [0.0; saltation_expr::jet::LENGTH];
    let mut k = 0;
    while k + 1 < table.len() {
        table[k] = 1.0 / (table.len() - 1 - k) as f64;
        k += 1;
    }
    table
};

/// log2 |x| to within 0.09, from the bits of the number; -1023 for zero.
///
/// A step's length is the root of high order of such a quotient, so that it is still right to half a percent.
#[inline]
fn binary_logarithm(x: f64) -> f64 {
    x.abs().to_bits() as i64 as f64 * (1.0 / (1_u64 << 52) as f64) - 1023.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_logarithms_are_right_to_a_tenth() {
        for x in [1e-300_f64, 1e-12, 0.3, 1.0, 1.5, -2.0, 7e11, 1e300] {
            assert!((binary_logarithm(x) - x.abs().log2()).abs() < 0.09);
        }
        assert!(binary_logarithm(0.0) <= -1023.0);
    }

    /// A series that begins late is compared with its first term, and one that begins with its last terms bounds nothing.
    #[test]
    fn series_that_begin_late_have_steps_of_their_own() {
        let tolerance = binary_logarithm(1e-12);
        let mut c = [0.0; 25];
        (c[9], c[24]) = (1e-84, 1e-226);
        let exact = (-12.0 + 226.0 - 84.0) / 15.0 * 10.0_f64.log2();
        assert!((binary_length(&c, tolerance) - exact).abs() < 0.1);
        c[9] = 0.0;
        assert_eq!(binary_length(&c, tolerance), f64::INFINITY);
        (c[0], c[24]) = (1.0, 1e-12);
        assert!(binary_length(&c, tolerance).abs() < 0.1);
    }
}
