//! Bounds the truncation error of the Taylor series of every row on |t| <= h, by majorants.
//!
//! On a step the states are polynomials. Every instruction then has a majorant (Moore, Interval
//! Analysis, Ch. 11; Jorba & Zou, Exp. Math. 14 (2005), Sect. 3.3): its recurrence with absolute values. With m_k = |x_k| h^k and
//! K the last order that is known, the product of two polynomials omits sum_{i+j>K} a_i b_j, what a recurrence carries
//! beyond K returns in its own bound T, and T = p + q T has a solution only for q < 1. That is where the argument stays inside
//! the disc in which the function's series converges: away from zeros of denominators, branch points and poles; exp, sin and
//! cosh have none, and there q < 1 says that the order resolves the change of the argument. Otherwise T is infinite, unless the function
//! is bounded on the step, as exp far below zero and tanh far from it are.
//!
//! The bounds are sums of terms with one sign. Nothing cancels in them, so that zero coefficients and values below the smallest
//! number hide nothing: arguments are bounded by themselves.
//!
//! Sums over pairs cost a part of what the jet costs. [`Tape::bound_roughly`] replaces them by norms: with |a|^2 = sum (a_i k^-i)^2
//! for a ratio k < 1, sum_{i+j>K} a_i b_j <= |a| |b| k^(K+1)/(1 - k) by the inequality of Cauchy and Schwarz.

mod bound;

pub use bound::Bound;
pub(crate) use bound::Series;

use bound::Factors;
use saltation_numerics::lanes::Lanes;
use saltation_numerics::number::{Number, Real};
use saltation_numerics::vectors::{Loop, Unit, Vectors};

use crate::jet::{Jet, LENGTH};
use crate::tape::{Instruction, Row, Rule, Tape};

/// Room for the bounds of all rows of a tape; made when it is filled first, for motions that need none, and then filled again and again without
/// allocation. For one motion, or for several [side by side](crate::SideBySide).
#[derive(Debug, Clone)]
pub struct Remainder<T = f64> {
    /// |x_k| h^k.
    sizes: Vec<[T; LENGTH]>,
    /// The norm of every row without its value.
    norms: Vec<T>,
    /// Whether a bound of something else needs the norm of a row: the others have none.
    multiplied: Vec<bool>,
    bounds: Vec<Bound<T>>,
    /// h^k, or (h/ratio)^k for norms.
    powers: [T; LENGTH],
    /// The last order that is known of every row.
    last: usize,
    /// The factor of norms.
    factors: Factors,
}

impl<T: Real> Default for Remainder<T> {
    fn default() -> Remainder<T> {
        Remainder {
            sizes: Vec::new(),
            norms: Vec::new(),
            multiplied: Vec::new(),
            bounds: Vec::new(),
            powers: [T::ZERO; LENGTH],
            last: 0,
            factors: Factors::default(),
        }
    }
}

/// Squares below the smallest number may be missing from a norm.
const UNDERFLOW: f64 = 1e-160;

impl<T: Real> Remainder<T> {
    /// Room for the rows of `tape`; that for single sizes is made when they are asked for.
    fn make_room(&mut self, tape: &Tape) {
        self.norms.resize(tape.rows, T::ZERO);
        self.bounds.resize(tape.rows, Bound::NONE);
        self.multiplied.clear();
        self.multiplied.resize(tape.rows, false);
        tape.multiplied.iter().for_each(|&row| self.multiplied[row as usize] = true);
        self.powers[0] = T::ONE;
    }

    /// The bound of a state.
    pub fn state(&self, index: usize) -> Bound<T> {
        known(self.bounds[index])
    }

    /// The bound of the rate of a state.
    pub fn rate(&self, tape: &Tape, index: usize) -> Bound<T> {
        known(self.bounds[tape.rates[index] as usize])
    }

    /// The bound of an output.
    pub fn output(&self, tape: &Tape, index: usize) -> Bound<T> {
        known(self.bounds[tape.outputs[index] as usize])
    }

    #[inline(always)]
    fn of(&self, row: Row) -> Bound<T> {
        self.bounds[row as usize]
    }

    /// The sizes of the terms of a row, without a remainder yet.
    #[inline(always)]
    fn measure<const SHARP: bool, U: Unit>(&mut self, unit: U, jet: &impl Series<T>, row: Row) -> Bound<T> {
        let known = self.last + 1;
        let value = jet.row(row)[0].modulus();
        if !SHARP && !self.multiplied[row as usize] {
            return Bound { value, change: T::from_f64(f64::INFINITY), tail: T::ZERO, terms: value };
        }
        let (series, powers) = (&jet.row(row)[..known], &self.powers[..known]);
        if SHARP {
            // Two sums side by side hide the time of an addition.
            let mut sums = [T::ZERO; 2];
            let sizes = &mut self.sizes[row as usize][..known];
            for ((size, x), power) in sizes.iter_mut().zip(series).zip(powers) {
                *size = x.modulus() * *power;
            }
            for pair in sizes[1..].chunks(2) {
                pair.iter().zip(&mut sums).for_each(|(size, sum)| *sum += *size);
            }
            let change = sums[0] + sums[1];
            return Bound { value, change, tail: T::ZERO, terms: value + change };
        }
        let norm = T::square_sum(unit, &series[1..], &powers[1..]).sqrt() + T::from_f64(UNDERFLOW);
        self.norms[row as usize] = norm;
        Bound { value, change: norm.scale(self.factors.sum), tail: T::ZERO, terms: value }
    }

    /// The sum of k m_k of a row, of which another one holds k x_k.
    #[inline(always)]
    fn speed<const SHARP: bool, U: Unit>(&mut self, unit: U, jet: &impl Series<T>, slope: Row, row: Row) -> T {
        if SHARP {
            return self.measure::<SHARP, U>(unit, jet, slope).change;
        }
        self.norms[row as usize].scale(self.factors.speed)
    }

    /// Whether a row is positive on the whole step after its zero at the start, because its first term outweighs the others.
    fn opens(&self, a: Row) -> bool {
        let sizes = &self.sizes[a as usize][1..=self.last];
        let first = sizes.iter().position(|&size| size.value() > 0.0);
        let rest = |first: usize| sizes[first + 1..].iter().map(|size| size.value()).sum::<f64>();
        first.is_some_and(|first| sizes[first].value() > rest(first) + self.of(a).tail.value())
    }

    /// sum a_i b_j over 1 <= i, j <= K < i + j.
    #[inline(always)]
    fn pairs<const SHARP: bool>(&self, a: Row, b: Row) -> T {
        if !SHARP {
            return (self.norms[a as usize] * self.norms[b as usize]).scale(self.factors.pairs);
        }
        let (a, b) = (&self.sizes[a as usize][1..=self.last], &self.sizes[b as usize][1..=self.last]);
        // `beyond` is the sum of the last terms of b; two at a time, so that little has to wait.
        let (mut beyond, mut sum) = (T::ZERO, T::ZERO);
        let (firsts, lasts) = (a.chunks_exact(2), b.rchunks_exact(2));
        let rest = (firsts.remainder(), lasts.remainder());
        for (a, b) in firsts.zip(lasts) {
            let nearer = beyond + b[1];
            beyond += b[0] + b[1];
            sum += a[0] * nearer + a[1] * beyond;
        }
        if let ([a], [b]) = rest {
            sum += *a * (beyond + *b);
        }
        sum
    }

    /// The same sum of i/(i + j) a_i b_j, where `slope` holds the i a_i.
    #[inline(always)]
    fn driven<const SHARP: bool>(&self, slope: Row, a: Row, b: Row) -> T {
        match SHARP {
            true => self.pairs::<SHARP>(slope, b) / T::from_f64((self.last + 1) as f64),
            false => self.pairs::<SHARP>(a, b),
        }
    }
}

/// The bounds of all rows.
struct All<'a, const SHARP: bool, T, S> {
    tape: &'a Tape,
    slots: &'a [T],
    jet: &'a S,
    length: T,
    /// The ratio of successive terms; 1 for sharp bounds.
    ratio: f64,
    room: &'a mut Remainder<T>,
}

impl<const SHARP: bool, T: Real, S: Series<T>> Loop for All<'_, SHARP, T, S> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        let All { tape, slots, jet, length, ratio, room } = self;
        tape.bound_on::<SHARP, T, U>(unit, (slots, jet), (length, ratio), room);
    }
}

impl Tape {
    /// Bounds the truncation errors of the rows of a jet on a step of length h = `length` > 0, |t| <= h. The jet has been extended to two
    /// orders at least; of its rows K = order - 1 are known, of its states one more. A room serves one tape; once filled it allocates nothing.
    ///
    /// Every comparison with these bounds has to fail for a NaN.
    ///
    /// ```
    /// use saltation_expr::{Graph, Jet, Remainder, Tape, parse};
    /// // x' = 1 towards a pulse at x = 0, which is invisible in the series at x = -1.
    /// let mut graph = Graph::new();
    /// let x = graph.symbol("x");
    /// let one = graph.constant(1.0);
    /// let square = graph.multiply(x, x);
    /// let scaled = graph.constant(-1e4);
    /// let exponent = graph.multiply(scaled, square);
    /// let pulse = graph.apply(saltation_expr::Function::Exp, exponent);
    /// let tape = Tape::new(&graph, &[x], &[], &[one], &[pulse]);
    /// let (slots, mut jet, mut bounds) = (tape.bind(&[]), Jet::new(&tape), Remainder::default());
    /// tape.expand(&slots, &[-1.0], 24, &mut jet);
    /// tape.bound(&slots, &jet, 0.3, &mut bounds);
    /// assert!(bounds.output(&tape, 0).tail < 1e-300);
    /// tape.bound(&slots, &jet, 1.0, &mut bounds);
    /// assert!(bounds.output(&tape, 0).tail > 1.0);
    /// ```
    pub fn bound(&self, slots: &[f64], jet: &Jet<f64>, length: f64, room: &mut Remainder) {
        self.bound_all::<true>(slots, jet, (length, 1.0), room);
    }

    /// The same by norms, for the ratio of successive terms that a tolerance < 1 of the last of them asks for: bounds that are less sharp and
    /// much faster, also of `change`, which is infinite for rows whose size no bound needs.
    pub fn bound_roughly(&self, slots: &[f64], jet: &Jet<f64>, (length, tolerance): (f64, f64), room: &mut Remainder) {
        room.factors.serve(jet.order(), tolerance);
        self.bound_all::<false>(slots, jet, (length, room.factors.ratio), room);
    }

    /// The same for jets side by side, each on a step of its own length; for no tolerance the sharp bounds.
    pub(crate) fn bound_side_by_side(
        &self,
        slots: &[Lanes],
        (jet, vectors): (&impl Series<Lanes>, Vectors),
        (length, tolerance): (Lanes, Option<f64>),
        room: &mut Remainder<Lanes>,
    ) {
        if room.bounds.len() != self.rows {
            room.make_room(self);
        }
        match tolerance {
            Some(tolerance) => {
                room.factors.serve(jet.order(), tolerance);
                let ratio = room.factors.ratio;
                vectors.run_wide(All::<false, _, _> { tape: self, slots, jet, length, ratio, room });
            }
            None => {
                room.sizes.resize(self.rows, [Lanes::ZERO; LENGTH]);
                vectors.run_wide(All::<true, _, _> { tape: self, slots, jet, length, ratio: 1.0, room });
            }
        }
    }

    fn bound_all<const SHARP: bool>(
        &self,
        slots: &[f64],
        jet: &Jet<f64>,
        (length, ratio): (f64, f64),
        room: &mut Remainder,
    ) {
        if room.bounds.len() != self.rows {
            room.make_room(self);
        }
        if SHARP {
            room.sizes.resize(self.rows, [0.0; LENGTH]);
        }
        jet.vectors().run(All::<SHARP, _, _> { tape: self, slots, jet, length, ratio, room });
    }

    #[inline(always)]
    fn bound_on<const SHARP: bool, T: Real, U: Unit>(
        &self,
        unit: U,
        (slots, jet): (&[T], &impl Series<T>),
        (length, ratio): (T, f64),
        room: &mut Remainder<T>,
    ) {
        let order = jet.order();
        room.last = order.saturating_sub(1);
        let scale = length / T::from_f64(ratio);
        for k in 1..=order {
            room.powers[k] = room.powers[k - 1] * scale;
        }
        let beyond = length.powi(order as i32);
        for state in 0..self.states as Row {
            let mut bound = room.measure::<SHARP, U>(unit, jet, state);
            // The one order more that is known of a state is none of what is known of a product with it.
            bound.tail = (jet.row(state)[order] * beyond).modulus();
            room.bounds[state as usize] = bound;
        }
        for instruction in &self.instructions {
            self.bound_of::<SHARP, T, U>(unit, instruction, slots, jet, room);
        }
    }

    #[inline(always)]
    fn bound_of<const SHARP: bool, T: Real, U: Unit>(
        &self,
        unit: U,
        instruction: &Instruction,
        slots: &[T],
        jet: &impl Series<T>,
        room: &mut Remainder<T>,
    ) {
        let infinite = T::from_f64(f64::INFINITY);
        let last = room.last as f64;
        // k x_k = sum_j (j a_j) b_{k-j} for k > K: with what is left out itself a pair counts at most j/(K + 2).
        let by_second = 1.0 / (last + 2.0);
        match *instruction {
            Instruction::Linear { out, constant, first, last } => {
                let mut bound = room.measure::<SHARP, U>(unit, jet, out);
                bound.terms = slots[constant as usize].modulus();
                for &(weight, row) in &self.terms[first as usize..last as usize] {
                    let (weight, term) = (slots[weight as usize].modulus(), room.of(row));
                    bound.tail += weight * term.tail;
                    bound.terms += weight * term.terms;
                }
                room.bounds[out as usize] = bound;
            }
            Instruction::Product { out, a, b } => {
                let mut bound = room.measure::<SHARP, U>(unit, jet, out);
                let (x, y) = (room.of(a), room.of(b));
                bound.tail = room.pairs::<SHARP>(a, b) + x.size() * y.tail + y.size() * x.tail + x.tail * y.tail;
                bound.terms = x.terms * y.terms;
                room.bounds[out as usize] = bound;
            }
            Instruction::Square { out, a } => {
                let mut bound = room.measure::<SHARP, U>(unit, jet, out);
                let x = room.of(a);
                bound.tail = room.pairs::<SHARP>(a, a) + (x.size().scale(2.0) + x.tail) * x.tail;
                bound.terms = x.terms * x.terms;
                room.bounds[out as usize] = bound;
            }
            Instruction::Quotient { out, a, b } => {
                self.bound_quotient::<SHARP, T, U>(unit, jet, room, (out, b), room.of(a))
            }
            Instruction::Reciprocal { out, a, b } => {
                let value = slots[a as usize].modulus();
                let fixed = Bound { value, change: T::ZERO, tail: T::ZERO, terms: value };
                self.bound_quotient::<SHARP, T, U>(unit, jet, room, (out, b), fixed);
            }
            Instruction::SineCosine { sine, cosine, slope, a, .. } => {
                let speed = room.speed::<SHARP, U>(unit, jet, slope, a);
                let (mut s, mut c) =
                    (room.measure::<SHARP, U>(unit, jet, sine), room.measure::<SHARP, U>(unit, jet, cosine));
                let x = room.of(a);
                let left = room.driven::<SHARP>(slope, a, sine).greater(room.driven::<SHARP>(slope, a, cosine));
                let tail = returned(left, speed.scale(by_second)) + x.tail;
                // Where the order does not resolve them they are at most one.
                s.tail = tail.smaller((T::ONE + s.size()).scale(last + 2.0));
                c.tail = tail.smaller((T::ONE + c.size()).scale(last + 2.0));
                (room.bounds[sine as usize], room.bounds[cosine as usize]) = (s, c);
            }
            Instruction::HyperbolicSineCosine { sine, cosine, slope, a } => {
                let speed = room.speed::<SHARP, U>(unit, jet, slope, a);
                let (mut s, mut c) =
                    (room.measure::<SHARP, U>(unit, jet, sine), room.measure::<SHARP, U>(unit, jet, cosine));
                let left = room.driven::<SHARP>(slope, a, sine).greater(room.driven::<SHARP>(slope, a, cosine));
                let tail = returned(left, speed.scale(by_second));
                let moved = (s.size() + c.size() + tail.scale(2.0)) * room.of(a).tail.exp_m1();
                (s.tail, c.tail) = (tail + moved, tail + moved);
                (room.bounds[sine as usize], room.bounds[cosine as usize]) = (s, c);
            }
            Instruction::Exponential { out, slope, a } => {
                let speed = room.speed::<SHARP, U>(unit, jet, slope, a);
                let mut bound = room.measure::<SHARP, U>(unit, jet, out);
                let x = room.of(a);
                let tail = returned(room.driven::<SHARP>(slope, a, out), speed.scale(by_second));
                let highest = (jet.row(a)[0] + x.motion()).exp();
                bound.tail = (tail + (bound.size() + tail) * x.tail.exp_m1())
                    .smaller((highest + bound.size()).scale(last + 2.0));
                room.bounds[out as usize] = bound;
            }
            Instruction::Tangent { out, weight, slope, a } => {
                let (mut bound, rise) = bound_riccati::<SHARP, T, U>(unit, jet, room, (out, weight, slope, a));
                // tan(b + t) - tan b = (1 + tan^2 b) tan t/(1 - tan b tan t), and tan t <= 2 t for t <= 1
                let turn = room.of(a).tail;
                let turn = T::choose(turn, |turn| turn <= 1.0, turn.scale(2.0), infinite);
                bound.tail += over(rise * turn, T::ONE - turn * (bound.size() + bound.tail));
                room.bounds[out as usize] = bound;
            }
            Instruction::HyperbolicTangent { out, weight, slope, a } => {
                let (mut bound, _) = bound_riccati::<SHARP, T, U>(unit, jet, room, (out, weight, slope, a));
                // tanh' = 1/cosh^2 <= 4 exp(-2 |x|), and at most 1; where the order does not resolve it, so much is left to 1.
                let x = room.of(a);
                let nearest = (x.value - x.motion()).greater(T::ZERO);
                let slack = nearest.scale(-2.0).exp().scale(4.0);
                bound.tail =
                    (bound.tail + slack.smaller(T::ONE) * x.tail).smaller((slack + bound.change).scale(last + 2.0));
                room.bounds[out as usize] = bound;
            }
            Instruction::Primitive { out, slope, a, weight, .. } => {
                let mut bound = room.measure::<SHARP, U>(unit, jet, out);
                let _ = room.speed::<SHARP, U>(unit, jet, slope, out);
                let (x, w) = (room.of(a), room.of(weight));
                let nearest = w.value - w.motion();
                let left = room.driven::<SHARP>(slope, out, weight) + w.tail * bound.change + x.tail;
                bound.tail = over(left, nearest);
                room.bounds[out as usize] = bound;
            }
            Instruction::Either { out, a, near, far, rule } => {
                let mut bound = room.measure::<SHARP, U>(unit, jet, out);
                let x = room.of(a);
                let (near, far) = (room.of(near), room.of(far));
                let is_near = |a: f64| rule.is_near(a);
                let near_tail = match rule {
                    Rule::Small(bound) => T::choose(x.motion(), |motion| motion < bound, near.tail, infinite),
                    Rule::Negative => near.tail,
                };
                bound.tail = T::choose(jet.row(a)[0], is_near, near_tail, far.tail);
                bound.terms = T::choose(jet.row(a)[0], is_near, near.terms, far.terms);
                room.bounds[out as usize] = bound;
            }
            // The step ends where the piece does.
            Instruction::Piece { out, .. } => {
                let mut bound = room.measure::<SHARP, U>(unit, jet, out);
                bound.tail = T::ZERO;
                room.bounds[out as usize] = bound;
            }
            Instruction::Sign { out, a } => {
                let mut bound = room.measure::<SHARP, U>(unit, jet, out);
                let x = room.of(a);
                let moved = x.change + x.tail;
                let outside = T::choose(x.value - moved, |distance| distance > 0.0, T::ZERO, infinite);
                bound.tail = T::choose(moved, |moved| moved == 0.0, T::ZERO, outside);
                room.bounds[out as usize] = bound;
            }
            Instruction::SquareRoot { out, a } => {
                // a - s^2 = (sqrt a - s)(sqrt a + s)
                let mut bound = room.measure::<SHARP, U>(unit, jet, out);
                let nearest = bound.value - bound.change;
                let left = room.pairs::<SHARP>(out, out) + room.of(a).tail;
                bound.tail = if SHARP && bound.value.value() == 0.0 && room.opens(a) {
                    // |sqrt a - s| <= sqrt |a - s^2|
                    left.sqrt().scale(last + 2.0)
                } else {
                    T::choose(nearest * nearest - left, |distance| distance > 0.0, over(left, nearest), infinite)
                };
                room.bounds[out as usize] = bound;
            }
            Instruction::RealPower { out, slope, own_slope, a, exponent } => {
                let exponent = exponent.abs();
                let mut bound = room.measure::<SHARP, U>(unit, jet, out);
                let (speed, _) =
                    (room.speed::<SHARP, U>(unit, jet, slope, a), room.speed::<SHARP, U>(unit, jet, own_slope, out));
                let x = room.of(a);
                let nearest = x.value - x.motion();
                let left =
                    room.driven::<SHARP>(slope, a, out).scale(exponent) + room.driven::<SHARP>(own_slope, out, a);
                let tail = over(left, nearest - speed.scale(exponent * by_second));
                let moving = tail + over(x.tail.scale(exponent) * (bound.size() + tail), nearest);
                // A base that stays at zero.
                bound.tail = T::choose(x.size() + x.tail + bound.size(), |size| size == 0.0, T::ZERO, moving);
                room.bounds[out as usize] = bound;
            }
            Instruction::Atan2 { out, y, x, weight, slopes } => {
                let mut bound = room.measure::<SHARP, U>(unit, jet, out);
                let own = slopes + 2;
                for (slope, row) in [(slopes, y), (slopes + 1, x), (own, out)] {
                    let _ = room.speed::<SHARP, U>(unit, jet, slope, row);
                }
                let (a, b, w) = (room.of(y), room.of(x), room.of(weight));
                let nearest = w.value - w.motion();
                let turned = room.driven::<SHARP>(slopes, y, x) + room.driven::<SHARP>(slopes + 1, x, y);
                let returned = room.driven::<SHARP>(own, out, weight) + w.tail * bound.change;
                let moved = over(a.tail + b.tail, nearest.greater(T::ZERO).sqrt());
                bound.tail = over(turned + returned, nearest) + moved;
                room.bounds[out as usize] = bound;
            }
        }
    }

    /// a/b from its residual a - b q and a lower bound of |b|.
    #[inline(always)]
    fn bound_quotient<const SHARP: bool, T: Real, U: Unit>(
        &self,
        unit: U,
        jet: &impl Series<T>,
        room: &mut Remainder<T>,
        (out, b): (Row, Row),
        a: Bound<T>,
    ) {
        let mut bound = room.measure::<SHARP, U>(unit, jet, out);
        let y = room.of(b);
        let nearest = y.value - y.motion();
        bound.tail = over(room.pairs::<SHARP>(b, out) + a.tail + y.tail * bound.size(), nearest);
        bound.terms = a.terms / y.value;
        room.bounds[out as usize] = bound;
    }
}

/// y' = w a' with w = 1 +- y^2: the bounds of y for a polynomial a, and of |w|.
#[inline(always)]
fn bound_riccati<const SHARP: bool, T: Real, U: Unit>(
    unit: U,
    jet: &impl Series<T>,
    room: &mut Remainder<T>,
    (out, weight, slope, a): (Row, Row, Row, Row),
) -> (Bound<T>, T) {
    let last = room.last as f64;
    let speed = room.speed::<SHARP, U>(unit, jet, slope, a) / T::from_f64(last + 2.0);
    let (mut bound, rise) = (room.measure::<SHARP, U>(unit, jet, out), room.measure::<SHARP, U>(unit, jet, weight));
    // T = p + q W, W = r + 2 |y| T + T^2: the smaller root.
    let (p, r) = (room.driven::<SHARP>(slope, a, weight), room.pairs::<SHARP>(out, out));
    let (linear, constant) = (T::ONE - speed.scale(2.0) * bound.size(), p + speed * r);
    let discriminant = linear * linear - speed.scale(4.0) * constant;
    let infinite = T::from_f64(f64::INFINITY);
    let root = constant.scale(2.0) / (linear + discriminant.sqrt());
    let resolved = T::choose(discriminant, |discriminant| discriminant >= 0.0, root, infinite);
    bound.tail = T::choose(linear, |linear| linear > 0.0, resolved, infinite);
    (bound, rise.size() + r + (bound.size().scale(2.0) + bound.tail) * bound.tail)
}

/// The T of T = p + q T.
#[inline(always)]
fn returned<T: Real>(p: T, q: T) -> T {
    over(p, T::ONE - q)
}

/// x/distance for a positive distance; infinite otherwise, and where x is NaN.
#[inline(always)]
fn over<T: Real>(x: T, distance: T) -> T {
    let infinite = T::from_f64(f64::INFINITY);
    let quotient = T::choose(x, |x| x < f64::INFINITY, x / distance, infinite);
    T::choose(distance, |distance| distance > 0.0, quotient, infinite)
}

/// A bound that is NaN, from zero times infinity, becomes infinite.
#[inline(always)]
fn known<T: Real>(bound: Bound<T>) -> Bound<T> {
    let tail = T::choose(bound.tail, f64::is_nan, T::from_f64(f64::INFINITY), bound.tail);
    Bound { tail, ..bound }
}
