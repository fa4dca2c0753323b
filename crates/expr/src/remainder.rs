//! What do the truncated series of a jet leave out on a step? A bound for every row on |t| <= h, by majorants.
//!
//! The states are taken as what a step makes of them, polynomials. Every instruction then has a majorant (Moore, Interval
//! Analysis, Ch. 11; Jorba & Zou, Exp. Math. 14 (2005), Sect. 3.3): its recurrence with absolute values. With m_k = |x_k| h^k and
//! K the last order that is known, the product of two polynomials leaves out sum_{i+j>K} a_i b_j, what a recurrence carries
//! beyond K returns in its own bound T, and T = p + q T has a solution for q < 1 alone. That is where the argument stays inside
//! the disc in which the function's series converges: away from zeros of denominators, branch points and poles; exp, sin and
//! cosh have none, and there q < 1 says that the order resolves the change of the argument. Otherwise T is infinite, unless the function
//! is bounded on the step, as exp far below zero and tanh far from it are.
//!
//! The bounds are sums of terms with one sign. Nothing in them cancels, so that zero coefficients and values below the smallest
//! number hide nothing: arguments are bounded by themselves.

use crate::jet::{Jet, LENGTH};
use crate::tape::{Instruction, Row, Tape};

/// What is known of a row on a step, |t| <= h.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bound {
    /// |x_0|.
    pub value: f64,
    /// The sum of |x_k| h^k over the orders 1 to K, which are known.
    pub change: f64,
    /// A bound of what these orders leave out. A part of it whose series does not begin above K counts K + 1 times, so that a
    /// state whose rate leaves out `tail` is wrong by no more than h `tail`/(K + 1) at the end of the step.
    pub tail: f64,
    /// The size of the terms before they cancel.
    pub terms: f64,
}

impl Bound {
    /// A bound of the known polynomial.
    #[inline(always)]
    fn size(&self) -> f64 {
        self.value + self.change
    }

    /// A bound of what is added to the value at the start.
    #[inline(always)]
    fn motion(&self) -> f64 {
        self.change + self.tail
    }
}

/// Room for the bounds of all rows of a tape; made once and filled again and again without allocation.
#[derive(Debug, Clone)]
pub struct Remainder {
    /// |x_k| h^k.
    sizes: Vec<[f64; LENGTH]>,
    bounds: Vec<Bound>,
    powers: [f64; LENGTH],
    /// The last order that is known of every row.
    last: usize,
}

impl Remainder {
    /// Room for the rows of `tape`.
    pub fn new(tape: &Tape) -> Remainder {
        Remainder {
            sizes: vec![[0.0; LENGTH]; tape.rows],
            bounds: vec![Bound::default(); tape.rows],
            powers: [1.0; LENGTH],
            last: 0,
        }
    }

    /// The bound of a state.
    pub fn state(&self, index: usize) -> Bound {
        self.bounds[index]
    }

    /// The bound of the rate of a state.
    pub fn rate(&self, tape: &Tape, index: usize) -> Bound {
        self.bounds[tape.rates[index] as usize]
    }

    /// The bound of an output.
    pub fn output(&self, tape: &Tape, index: usize) -> Bound {
        self.bounds[tape.outputs[index] as usize]
    }

    #[inline(always)]
    fn of(&self, row: Row) -> Bound {
        self.bounds[row as usize]
    }

    /// Sizes the terms of a row, of which nothing is left out yet.
    #[inline(always)]
    fn measure(&mut self, jet: &Jet<f64>, row: Row) -> Bound {
        let (series, sizes) = (jet.row(row), &mut self.sizes[row as usize]);
        for k in 0..LENGTH {
            sizes[k] = series[k].abs() * self.powers[k];
        }
        let (mut even, mut odd) = (0.0, 0.0);
        for pair in sizes[1..=self.last].chunks_exact(2) {
            even += pair[0];
            odd += pair[1];
        }
        if self.last % 2 == 1 {
            even += sizes[self.last];
        }
        let (value, change) = (sizes[0], even + odd);
        Bound { value, change, tail: 0.0, terms: value + change }
    }

    /// Whether a row is positive on the whole step after its zero at the start, because its first term outweighs the others.
    fn opens(&self, a: Row) -> bool {
        let sizes = &self.sizes[a as usize][1..=self.last];
        let first = sizes.iter().position(|&size| size > 0.0);
        first.is_some_and(|first| sizes[first] > sizes[first + 1..].iter().sum::<f64>() + self.of(a).tail)
    }

    /// sum a_i b_j over 1 <= i, j <= K < i + j.
    #[inline(always)]
    fn pairs(&self, a: Row, b: Row) -> f64 {
        let (a, b) = (&self.sizes[a as usize][1..=self.last], &self.sizes[b as usize][1..=self.last]);
        // `beyond` is the sum of the last terms of b; two at a time, so that little has to wait.
        let (mut beyond, mut sum) = (0.0, 0.0);
        let (firsts, lasts) = (a.chunks_exact(2), b.rchunks_exact(2));
        let rest = (firsts.remainder(), lasts.remainder());
        for (a, b) in firsts.zip(lasts) {
            let nearer = beyond + b[1];
            beyond += b[0] + b[1];
            sum += a[0] * nearer + a[1] * beyond;
        }
        if let ([a], [b]) = rest {
            sum += a * (beyond + b);
        }
        sum
    }
}

impl Tape {
    /// Bounds what the rows of a jet leave out on a step of length h = `length` > 0, |t| <= h. The jet has been extended to two
    /// orders at least; of its rows K = order - 1 are known, of its states one more. Nothing is allocated.
    ///
    /// Every comparison with these bounds has to fail for a NaN.
    ///
    /// ```
    /// use saltation_expr::{Graph, Jet, Remainder, Tape, parse};
    /// // x' = 1 towards a pulse at x = 0, whose series at x = -1 knows nothing of it.
    /// let mut graph = Graph::new();
    /// let x = graph.symbol("x");
    /// let one = graph.constant(1.0);
    /// let square = graph.multiply(x, x);
    /// let scaled = graph.constant(-1e4);
    /// let exponent = graph.multiply(scaled, square);
    /// let pulse = graph.apply(saltation_expr::Function::Exp, exponent);
    /// let tape = Tape::new(&graph, &[x], &[], &[one], &[pulse]);
    /// let (slots, mut jet, mut bounds) = (tape.bind(&[]), Jet::new(&tape), Remainder::new(&tape));
    /// tape.expand(&slots, &[-1.0], 24, &mut jet);
    /// tape.bound(&slots, &jet, 0.3, &mut bounds);
    /// assert!(bounds.output(&tape, 0).tail < 1e-300);
    /// tape.bound(&slots, &jet, 1.0, &mut bounds);
    /// assert!(bounds.output(&tape, 0).tail > 1.0);
    /// ```
    pub fn bound(&self, slots: &[f64], jet: &Jet<f64>, length: f64, room: &mut Remainder) {
        room.last = jet.order().saturating_sub(1);
        for k in 1..=jet.order() {
            room.powers[k] = room.powers[k - 1] * length;
        }
        for state in 0..self.states as Row {
            let mut bound = room.measure(jet, state);
            // The one order more that is known of a state is none of what is known of a product with it.
            bound.tail = room.sizes[state as usize][jet.order()];
            room.bounds[state as usize] = bound;
        }
        for instruction in &self.instructions {
            self.bound_of(instruction, slots, jet, room);
        }
    }

    #[inline(always)]
    fn bound_of(&self, instruction: &Instruction, slots: &[f64], jet: &Jet<f64>, room: &mut Remainder) {
        let last = room.last as f64;
        // k x_k = sum_j (j a_j) b_{k-j} for k > K: a pair counts at most j/(K + 1), or j/(K + 2) with what is left out itself.
        let (by_first, by_second) = (1.0 / (last + 1.0), 1.0 / (last + 2.0));
        match *instruction {
            Instruction::Linear { out, constant, first, last } => {
                let mut bound = room.measure(jet, out);
                bound.terms = slots[constant as usize].abs();
                for &(weight, row) in &self.terms[first as usize..last as usize] {
                    let (weight, term) = (slots[weight as usize].abs(), room.of(row));
                    bound.tail += weight * term.tail;
                    bound.terms += weight * term.terms;
                }
                room.bounds[out as usize] = bound;
            }
            Instruction::Product { out, a, b } => {
                let mut bound = room.measure(jet, out);
                let (x, y) = (room.of(a), room.of(b));
                bound.tail = room.pairs(a, b) + x.size() * y.tail + y.size() * x.tail + x.tail * y.tail;
                bound.terms = x.terms * y.terms;
                room.bounds[out as usize] = bound;
            }
            Instruction::Square { out, a } => {
                let mut bound = room.measure(jet, out);
                let x = room.of(a);
                bound.tail = room.pairs(a, a) + (2.0 * x.size() + x.tail) * x.tail;
                bound.terms = x.terms * x.terms;
                room.bounds[out as usize] = bound;
            }
            Instruction::Quotient { out, a, b } => self.bound_quotient(jet, room, (out, b), room.of(a)),
            Instruction::Reciprocal { out, a, b } => {
                let value = slots[a as usize].abs();
                let fixed = Bound { value, change: 0.0, tail: 0.0, terms: value };
                self.bound_quotient(jet, room, (out, b), fixed);
            }
            Instruction::SineCosine { sine, cosine, slope, a } => {
                let speed = room.measure(jet, slope).change;
                let (mut s, mut c) = (room.measure(jet, sine), room.measure(jet, cosine));
                let x = room.of(a);
                let left = (room.pairs(slope, sine).max(room.pairs(slope, cosine))) * by_first;
                let tail = returned(left, speed * by_second) + x.tail;
                // Where the order does not resolve them they are at most one.
                s.tail = tail.min((last + 1.0) * (1.0 + s.size()));
                c.tail = tail.min((last + 1.0) * (1.0 + c.size()));
                (room.bounds[sine as usize], room.bounds[cosine as usize]) = (s, c);
            }
            Instruction::HyperbolicSineCosine { sine, cosine, slope, a } => {
                let speed = room.measure(jet, slope).change;
                let (mut s, mut c) = (room.measure(jet, sine), room.measure(jet, cosine));
                let left = (room.pairs(slope, sine).max(room.pairs(slope, cosine))) * by_first;
                let tail = returned(left, speed * by_second);
                let moved = (s.size() + c.size() + 2.0 * tail) * room.of(a).tail.exp_m1();
                (s.tail, c.tail) = (tail + moved, tail + moved);
                (room.bounds[sine as usize], room.bounds[cosine as usize]) = (s, c);
            }
            Instruction::Exponential { out, slope, a } => {
                let speed = room.measure(jet, slope).change;
                let mut bound = room.measure(jet, out);
                let x = room.of(a);
                let tail = returned(room.pairs(slope, out) * by_first, speed * by_second);
                let highest = (jet.row(a)[0] + x.motion()).exp();
                bound.tail = (tail + (bound.size() + tail) * x.tail.exp_m1()).min((last + 1.0) * (highest + bound.size()));
                room.bounds[out as usize] = bound;
            }
            Instruction::Tangent { out, weight, slope, a } => {
                let (mut bound, rise) = bound_riccati(jet, room, (out, weight, slope));
                // tan(b + t) - tan b = (1 + tan^2 b) tan t/(1 - tan b tan t), and tan t <= 2 t for t <= 1
                let turn = room.of(a).tail;
                let turn = if turn <= 1.0 { 2.0 * turn } else { f64::INFINITY };
                bound.tail += over(rise * turn, 1.0 - turn * (bound.size() + bound.tail));
                room.bounds[out as usize] = bound;
            }
            Instruction::HyperbolicTangent { out, weight, slope, a } => {
                let (mut bound, _) = bound_riccati(jet, room, (out, weight, slope));
                // tanh' = 1/cosh^2 <= 4 exp(-2 |x|), and at most 1; where the order does not resolve it, so much is left to 1.
                let x = room.of(a);
                let nearest = (x.value - x.motion()).max(0.0);
                let slack = 4.0 * (-2.0 * nearest).exp();
                bound.tail = (bound.tail + slack.min(1.0) * x.tail).min((last + 1.0) * (slack + bound.change));
                room.bounds[out as usize] = bound;
            }
            Instruction::Primitive { out, slope, a, weight, .. } => {
                let _ = room.measure(jet, slope);
                let mut bound = room.measure(jet, out);
                let (x, w) = (room.of(a), room.of(weight));
                let nearest = w.value - w.motion();
                let left = room.pairs(slope, weight) * by_first + w.tail * bound.change + x.tail;
                bound.tail = over(left, nearest);
                room.bounds[out as usize] = bound;
            }
            Instruction::SquareRoot { out, a } => {
                // a - s^2 = (sqrt a - s)(sqrt a + s)
                let mut bound = room.measure(jet, out);
                let nearest = bound.value - bound.change;
                let left = room.pairs(out, out) + room.of(a).tail;
                bound.tail = if bound.value == 0.0 && room.opens(a) {
                    // |sqrt a - s| <= sqrt |a - s^2|
                    (last + 1.0) * left.sqrt()
                } else if left < nearest * nearest {
                    over(left, nearest)
                } else {
                    f64::INFINITY
                };
                room.bounds[out as usize] = bound;
            }
            Instruction::RealPower { out, slope, own_slope, a, exponent } => {
                let exponent = exponent.abs();
                let (speed, _) = (room.measure(jet, slope).change, room.measure(jet, own_slope));
                let mut bound = room.measure(jet, out);
                let x = room.of(a);
                let nearest = x.value - x.motion();
                let left = (exponent * room.pairs(slope, out) + room.pairs(own_slope, a)) * by_first;
                let tail = over(left, nearest - exponent * speed * by_second);
                bound.tail = tail + over(exponent * x.tail * (bound.size() + tail), nearest);
                room.bounds[out as usize] = bound;
            }
            Instruction::Atan2 { out, y, x, weight, slopes } => {
                for row in slopes..slopes + 3 {
                    let _ = room.measure(jet, row);
                }
                let mut bound = room.measure(jet, out);
                let (a, b, w) = (room.of(y), room.of(x), room.of(weight));
                let nearest = w.value - w.motion();
                let turned = room.pairs(slopes, x) + room.pairs(slopes + 1, y) + room.pairs(slopes + 2, weight);
                let moved = over(a.tail + b.tail, nearest.max(0.0).sqrt());
                bound.tail = over(turned * by_first + w.tail * bound.change, nearest) + moved;
                room.bounds[out as usize] = bound;
            }
        }
    }

    /// a/b from its residual a - b q and a lower bound of |b|.
    #[inline(always)]
    fn bound_quotient(&self, jet: &Jet<f64>, room: &mut Remainder, (out, b): (Row, Row), a: Bound) {
        let mut bound = room.measure(jet, out);
        let y = room.of(b);
        let nearest = y.value - y.motion();
        bound.tail = over(room.pairs(b, out) + a.tail + y.tail * bound.size(), nearest);
        bound.terms = over(a.terms, nearest);
        room.bounds[out as usize] = bound;
    }
}

/// y' = w a' with w = 1 +- y^2: the bounds of y for a polynomial a, and of |w|.
#[inline(always)]
fn bound_riccati(jet: &Jet<f64>, room: &mut Remainder, (out, weight, slope): (Row, Row, Row)) -> (Bound, f64) {
    let last = room.last as f64;
    let speed = room.measure(jet, slope).change / (last + 2.0);
    let (mut bound, rise) = (room.measure(jet, out), room.measure(jet, weight));
    // T = p + q W, W = r + 2 |y| T + T^2: the smaller root.
    let (p, r) = (room.pairs(slope, weight) / (last + 1.0), room.pairs(out, out));
    let (linear, constant) = (1.0 - 2.0 * speed * bound.size(), p + speed * r);
    let discriminant = linear * linear - 4.0 * speed * constant;
    let resolved = linear > 0.0 && discriminant >= 0.0;
    bound.tail = if resolved { 2.0 * constant / (linear + discriminant.sqrt()) } else { f64::INFINITY };
    (bound, rise.size() + r + (2.0 * bound.size() + bound.tail) * bound.tail)
}

/// The T of T = p + q T.
#[inline(always)]
fn returned(p: f64, q: f64) -> f64 {
    over(p, 1.0 - q)
}

/// x/distance for a positive distance; infinite otherwise.
#[inline(always)]
fn over(x: f64, distance: f64) -> f64 {
    if distance > 0.0 { x / distance } else { f64::INFINITY }
}
