//! Taylor coefficients of a motion, computed order by order on the instructions of a tape (automatic differentiation).
//!
//! For x' = F(x) the coefficient of order k+1 of a state is that of order k of its rate, divided by k+1; every instruction
//! has a recurrence that gives its coefficient of order k from those of its operands up to order k. Writing u' for the
//! derivative, e.g. e = exp u obeys e' = e u', hence k e_k = sum_{j=1..k} (j u_j) e_{k-j}.

use saltation_numerics::number::Number;

use crate::function::Function;
use crate::tape::{Instruction, Row, Slot, Tape};

/// The number of coefficients in a row: orders 0 to [`HIGHEST_ORDER`].
pub const LENGTH: usize = 32;
/// The highest order of a jet.
pub const HIGHEST_ORDER: usize = LENGTH - 1;

/// Taylor coefficients of the states and outputs of one tape, for any kind of number.
///
/// A jet is made once and filled again and again without allocation.
#[derive(Debug, Clone)]
pub struct Jet<T> {
    rows: Vec<[T; LENGTH]>,
    /// The highest order for which the states have coefficients.
    order: usize,
}

/// The order of the coefficients that are computed in one pass over the instructions.
trait Order: Copy {
    fn k(self) -> usize;
}

/// An order known to the compiler, which then writes out every sum.
#[derive(Clone, Copy)]
struct Known<const K: usize>;

impl<const K: usize> Order for Known<K> {
    #[inline(always)]
    fn k(self) -> usize {
        K
    }
}

const ZERO: Known<0> = Known;

/// An order known when the program runs.
#[derive(Clone, Copy)]
struct Any(usize);

impl Order for Any {
    #[inline(always)]
    fn k(self) -> usize {
        self.0 % LENGTH
    }
}

impl<T: Number> Jet<T> {
    /// Room for the rows of `tape`, up to [`HIGHEST_ORDER`].
    pub fn new(tape: &Tape) -> Jet<T> {
        Jet { rows: vec![[T::ZERO; LENGTH]; tape.rows], order: 0 }
    }

    /// The highest order that has been computed.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The coefficients of a state, orders 0 to [`Jet::order`].
    #[inline]
    pub fn state(&self, index: usize) -> &[T] {
        &self.rows[index][..=self.order]
    }

    /// The coefficients of an output, orders 0 to [`Jet::order`]; complete after [`Tape::finish`].
    #[inline]
    pub fn output(&self, tape: &Tape, index: usize) -> &[T] {
        &self.rows[tape.outputs[index] as usize][..=self.order]
    }

    /// The coefficients of the rate of a state, which are known to one order less than those of the states.
    #[inline]
    pub fn rate(&self, tape: &Tape, index: usize) -> &[T] {
        &self.rows[tape.rates[index] as usize][..=self.order]
    }

    /// Sets the order, for a motion whose coefficients are known in closed form: [`Jet::state_row`] and [`Jet::output_row`]
    /// are then to be filled up to it.
    ///
    /// # Panics
    /// Above [`HIGHEST_ORDER`].
    #[inline]
    pub fn set_order(&mut self, order: usize) {
        assert!(order <= HIGHEST_ORDER, "a jet has room for order {HIGHEST_ORDER} at most");
        self.order = order;
    }

    /// The row of a state, to be filled: coefficients of orders 0 to [`HIGHEST_ORDER`].
    #[inline]
    pub fn state_row(&mut self, index: usize) -> &mut [T; LENGTH] {
        &mut self.rows[index]
    }

    /// The row of an output, to be filled: coefficients of orders 0 to [`HIGHEST_ORDER`]. It may be that of a state or of
    /// another output, if their formulas are the same.
    #[inline]
    pub fn output_row(&mut self, tape: &Tape, index: usize) -> &mut [T; LENGTH] {
        &mut self.rows[tape.outputs[index] as usize]
    }

    /// The rows of two different states, the second to be filled.
    ///
    /// # Panics
    /// If they are the same.
    #[inline]
    pub fn state_rows(&mut self, read: usize, filled: usize) -> (&[T; LENGTH], &mut [T; LENGTH]) {
        self.two_rows(read, filled)
    }

    /// The row of a state, and that of an output with a row of its own, to be filled.
    ///
    /// # Panics
    /// If they are the same.
    #[inline]
    pub fn state_and_output_row(
        &mut self,
        tape: &Tape,
        (state, output): (usize, usize),
    ) -> (&[T; LENGTH], &mut [T; LENGTH]) {
        self.two_rows(state, tape.outputs[output] as usize)
    }

    fn two_rows(&mut self, read: usize, filled: usize) -> (&[T; LENGTH], &mut [T; LENGTH]) {
        assert!(read != filled, "a row is not filled from itself");
        let (low, high) = self.rows.split_at_mut(read.max(filled));
        if read < filled { (&low[read], &mut high[0]) } else { (&high[0], &mut low[filled]) }
    }

    #[inline(always)]
    pub(crate) fn row(&self, row: Row) -> &[T; LENGTH] {
        &self.rows[row as usize]
    }

    pub(crate) fn row_mut(&mut self, row: Row) -> &mut [T; LENGTH] {
        &mut self.rows[row as usize]
    }

    #[inline(always)]
    fn get(&self, row: Row, order: impl Order) -> T {
        self.row(row)[order.k()]
    }

    #[inline(always)]
    fn set(&mut self, row: Row, order: impl Order, value: T) {
        self.rows[row as usize][order.k()] = value;
    }

    /// sum_{0<j<k} a_j b_{k-j}: order k of the product of two rows, but for the two terms with a coefficient of order k.
    #[inline(always)]
    fn inner(&self, a: Row, b: Row, order: impl Order) -> T {
        let k = order.k();
        let (a, b) = (self.row(a), self.row(b));
        // Two sums side by side hide the time of an addition.
        let (mut even, mut odd) = (T::ZERO, T::ZERO);
        let mut j = 1;
        while j + 1 < k {
            even += a[j] * b[k - j];
            odd += a[j + 1] * b[k - j - 1];
            j += 2;
        }
        if j < k {
            even += a[j] * b[k - j];
        }
        even + odd
    }

    /// sum_{0<=j<=k} a_j b_{k-j}: order k >= 1 of the product of two rows.
    #[inline(always)]
    fn product(&self, a: Row, b: Row, order: impl Order) -> T {
        self.inner(a, b, order) + (self.get(a, ZERO) * self.get(b, order) + self.get(a, order) * self.get(b, ZERO))
    }

    /// Order k >= 1 of the integral of a' b: (1/k) sum_{0<j<=k} (j a_j) b_{k-j}, where `slope` holds the j a_j below k. The
    /// latest coefficient of a enters as it is, so that little has to wait for it.
    #[inline(always)]
    fn integral(&self, a: Row, slope: Row, b: Row, order: impl Order, inverse: T) -> T {
        self.inner(slope, b, order) * inverse + self.get(a, order) * self.get(b, ZERO)
    }
}

impl Tape {
    /// Computes the jet of the motion through `state` up to `order`, outputs included.
    ///
    /// `slots` come from [`Tape::bind`]; `state` has one value per state. Nothing is allocated.
    pub fn expand<T: Number>(&self, slots: &[T], state: &[T], order: usize, jet: &mut Jet<T>) {
        self.begin(state, jet);
        for _ in 0..order {
            self.extend(slots, jet);
        }
        self.finish(slots, jet);
    }

    /// Sets the jet to order 0 at a state.
    pub fn begin<T: Number>(&self, state: &[T], jet: &mut Jet<T>) {
        jet.order = 0;
        for (row, &value) in state.iter().enumerate().take(self.states) {
            jet.set(row as Row, ZERO, value);
        }
    }

    /// Raises the order of the states by one.
    ///
    /// # Panics
    /// Above [`HIGHEST_ORDER`].
    pub fn extend<T: Number>(&self, slots: &[T], jet: &mut Jet<T>) {
        let k = jet.order;
        assert!(k < HIGHEST_ORDER, "a jet has room for order {HIGHEST_ORDER} at most");
        self.pass(slots, jet, &self.instructions, k);
        let inverse = T::from_f64((k + 1) as f64).reciprocal();
        for (state, &rate) in self.rates.iter().enumerate() {
            let coefficient = jet.get(rate, Any(k)) * inverse;
            jet.set(state as Row, Any(k + 1), coefficient);
        }
        jet.order = k + 1;
    }

    /// Brings the outputs to the order of the states.
    pub fn finish<T: Number>(&self, slots: &[T], jet: &mut Jet<T>) {
        self.pass(slots, jet, &self.output_instructions, jet.order);
    }

    /// Computes the coefficients of order k of some instructions.
    fn pass<T: Number>(&self, slots: &[T], jet: &mut Jet<T>, instructions: &[Instruction], k: usize) {
        macro_rules! known_orders {
            ($($order:literal)*) => {
                match k {
                    0 => {
                        for instruction in instructions {
                            self.first(instruction, slots, jet);
                        }
                    }
                    $($order if T::UNROLLED => self.later_pass(slots, jet, instructions, Known::<$order>),)*
                    _ => self.later_pass(slots, jet, instructions, Any(k)),
                }
            };
        }
        known_orders!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28);
    }

    fn later_pass<T: Number>(&self, slots: &[T], jet: &mut Jet<T>, instructions: &[Instruction], order: impl Order) {
        let inverse = T::from_f64(order.k() as f64).reciprocal();
        for instruction in instructions {
            self.next(instruction, slots, jet, order, inverse);
        }
    }

    /// Computes all rows up to the order of the jet from those of the states, which are any series.
    pub fn compose<T: Number>(&self, slots: &[T], jet: &mut Jet<T>) {
        for instruction in &self.instructions {
            self.evaluate_series(instruction, slots, jet, jet.order);
        }
    }

    /// All coefficients of one instruction up to an order, from those of its operands.
    pub(crate) fn evaluate_series<T: Number>(
        &self,
        instruction: &Instruction,
        slots: &[T],
        jet: &mut Jet<T>,
        order: usize,
    ) {
        self.first(instruction, slots, jet);
        for k in 1..=order {
            self.next(instruction, slots, jet, Any(k), T::from_f64(k as f64).reciprocal());
        }
    }

    /// The values of the outputs at a state; `jet` is used as working room.
    pub fn evaluate<T: Number>(&self, slots: &[T], state: &[T], jet: &mut Jet<T>, outputs: &mut [T]) {
        self.begin(state, jet);
        self.finish(slots, jet);
        for (value, &row) in outputs.iter_mut().zip(&self.outputs) {
            *value = jet.get(row, ZERO);
        }
    }

    /// The values of the rates at a state; `jet` is used as working room and keeps order 0.
    pub fn rates<T: Number>(&self, slots: &[T], state: &[T], jet: &mut Jet<T>, rates: &mut [T]) {
        self.begin(state, jet);
        for instruction in &self.instructions {
            self.first(instruction, slots, jet);
        }
        for (value, &row) in rates.iter_mut().zip(&self.rates) {
            *value = jet.get(row, ZERO);
        }
    }

    #[inline(always)]
    fn linear<T: Number>(&self, slots: &[T], jet: &Jet<T>, (first, last): (u32, u32), order: impl Order, from: T) -> T {
        let mut sum = from;
        for &(weight, row) in &self.terms[first as usize..last as usize] {
            sum += slots[weight as usize] * jet.get(row, order);
        }
        sum
    }

    /// The coefficient of order 0 of one instruction.
    fn first<T: Number>(&self, instruction: &Instruction, slots: &[T], jet: &mut Jet<T>) {
        let fixed = |s: Slot| slots[s as usize];
        match *instruction {
            Instruction::Linear { out, constant, first, last } => {
                let value = self.linear(slots, jet, (first, last), ZERO, fixed(constant));
                jet.set(out, ZERO, value);
            }
            Instruction::Product { out, a, b } => jet.set(out, ZERO, jet.get(a, ZERO) * jet.get(b, ZERO)),
            Instruction::Square { out, a } => jet.set(out, ZERO, jet.get(a, ZERO).square()),
            Instruction::Quotient { out, a, b } => jet.set(out, ZERO, jet.get(a, ZERO) / jet.get(b, ZERO)),
            Instruction::Reciprocal { out, a, b } => jet.set(out, ZERO, fixed(a) / jet.get(b, ZERO)),
            Instruction::SineCosine { sine, cosine, a, .. } => {
                let (s, c) = jet.get(a, ZERO).sin_cos();
                jet.set(sine, ZERO, s);
                jet.set(cosine, ZERO, c);
            }
            Instruction::HyperbolicSineCosine { sine, cosine, a, .. } => {
                let (s, c) = jet.get(a, ZERO).sinh_cosh();
                jet.set(sine, ZERO, s);
                jet.set(cosine, ZERO, c);
            }
            Instruction::Tangent { out, weight, a, .. } => {
                let t = jet.get(a, ZERO).tan();
                jet.set(out, ZERO, t);
                jet.set(weight, ZERO, T::ONE + t.square());
            }
            Instruction::HyperbolicTangent { out, weight, a, .. } => {
                let t = jet.get(a, ZERO).tanh();
                jet.set(out, ZERO, t);
                // 1 - t^2 without the difference, which has no digits where t is near one.
                let falling = jet.get(a, ZERO).scale(if t.value() < 0.0 { 2.0 } else { -2.0 }).exp();
                jet.set(weight, ZERO, falling.scale(4.0) / (T::ONE + falling).square());
            }
            Instruction::Exponential { out, a, .. } => jet.set(out, ZERO, jet.get(a, ZERO).exp()),
            Instruction::Primitive { out, a, function, .. } => jet.set(out, ZERO, function.at(jet.get(a, ZERO))),
            Instruction::SquareRoot { out, a } => jet.set(out, ZERO, jet.get(a, ZERO).sqrt()),
            Instruction::Sign { out, a } => jet.set(out, ZERO, Function::Sign.at(jet.get(a, ZERO))),
            Instruction::RealPower { out, a, exponent, .. } => jet.set(out, ZERO, jet.get(a, ZERO).powf(exponent)),
            Instruction::Atan2 { out, y, x, .. } => jet.set(out, ZERO, jet.get(y, ZERO).atan2(jet.get(x, ZERO))),
        }
    }

    /// The coefficient of order k >= 1 of one instruction; `inverse` is 1/k.
    #[inline(always)]
    fn next<T: Number>(&self, instruction: &Instruction, slots: &[T], jet: &mut Jet<T>, order: impl Order, inverse: T) {
        let times_k = |x: T| x.scale(order.k() as f64);
        match *instruction {
            Instruction::Linear { out, first, last, .. } => {
                let value = self.linear(slots, jet, (first, last), order, T::ZERO);
                jet.set(out, order, value);
            }
            Instruction::Product { out, a, b } => jet.set(out, order, jet.product(a, b, order)),
            Instruction::Square { out, a } => {
                jet.set(out, order, jet.inner(a, a, order) + (jet.get(a, ZERO) * jet.get(a, order)).scale(2.0))
            }
            Instruction::Quotient { out, a, b } => {
                // q b = a: q_k b_0 = a_k - sum_{j<k} q_j b_{k-j}
                let known = jet.inner(out, b, order) + jet.get(out, ZERO) * jet.get(b, order);
                jet.set(out, order, (jet.get(a, order) - known) / jet.get(b, ZERO));
            }
            Instruction::Reciprocal { out, b, .. } => {
                let known = jet.inner(out, b, order) + jet.get(out, ZERO) * jet.get(b, order);
                jet.set(out, order, -known / jet.get(b, ZERO));
            }
            Instruction::SineCosine { sine, cosine, slope, a } => {
                jet.set(slope, order, times_k(jet.get(a, order)));
                let s = jet.integral(a, slope, cosine, order, inverse);
                let c = -jet.integral(a, slope, sine, order, inverse);
                jet.set(sine, order, s);
                jet.set(cosine, order, c);
            }
            Instruction::HyperbolicSineCosine { sine, cosine, slope, a } => {
                jet.set(slope, order, times_k(jet.get(a, order)));
                let s = jet.integral(a, slope, cosine, order, inverse);
                let c = jet.integral(a, slope, sine, order, inverse);
                jet.set(sine, order, s);
                jet.set(cosine, order, c);
            }
            Instruction::Tangent { out, weight, slope, a } => {
                // t' = (1 + t^2) a'
                jet.set(slope, order, times_k(jet.get(a, order)));
                let t = jet.integral(a, slope, weight, order, inverse);
                jet.set(out, order, t);
                jet.set(weight, order, jet.product(out, out, order));
            }
            Instruction::HyperbolicTangent { out, weight, slope, a } => {
                jet.set(slope, order, times_k(jet.get(a, order)));
                let t = jet.integral(a, slope, weight, order, inverse);
                jet.set(out, order, t);
                jet.set(weight, order, -jet.product(out, out, order));
            }
            Instruction::Exponential { out, slope, a } => {
                jet.set(slope, order, times_k(jet.get(a, order)));
                jet.set(out, order, jet.integral(a, slope, out, order, inverse));
            }
            Instruction::Primitive { out, slope, a, weight, .. } => {
                // weight out' = a': weight_0 out_k = a_k - (1/k) sum_{0<j<k} (j out_j) weight_{k-j}
                let value = (jet.get(a, order) - jet.inner(slope, weight, order) * inverse) / jet.get(weight, ZERO);
                jet.set(slope, order, times_k(value));
                jet.set(out, order, value);
            }
            Instruction::SquareRoot { out, a } => {
                // 2 s_0 s_k = a_k - sum_{0<j<k} s_j s_{k-j}
                let mut value = jet.get(a, order);
                value -= jet.inner(out, out, order);
                jet.set(out, order, value / jet.get(out, ZERO).scale(2.0));
            }
            Instruction::Sign { out, .. } => jet.set(out, order, T::ZERO),
            Instruction::RealPower { out, slope, own_slope, a, exponent } => {
                // a p' = c a' p: a_0 p_k = (c/k) sum_{j>0} (j a_j) p_{k-j} - (1/k) sum_{0<j<k} (j p_j) a_{k-j}
                jet.set(slope, order, times_k(jet.get(a, order)));
                let driven = jet.integral(a, slope, out, order, inverse).scale(exponent);
                // The power of a constant zero base is constant, although it has no derivative there.
                let vanishes = |x: T| x.magnitude() == 0.0;
                let stays = exponent > 0.0
                    && [jet.get(a, ZERO), jet.get(a, order), jet.row(out)[order.k() - 1]].into_iter().all(vanishes);
                let value = match stays {
                    true => T::ZERO,
                    false => (driven - jet.inner(own_slope, a, order) * inverse) / jet.get(a, ZERO),
                };
                jet.set(own_slope, order, times_k(value));
                jet.set(out, order, value);
            }
            Instruction::Atan2 { out, y, x, weight, slopes } => {
                // (x^2 + y^2) out' = x y' - y x'
                let (slope_y, slope_x, own_slope) = (slopes, slopes + 1, slopes + 2);
                jet.set(slope_y, order, times_k(jet.get(y, order)));
                jet.set(slope_x, order, times_k(jet.get(x, order)));
                let turned = jet.integral(y, slope_y, x, order, inverse) - jet.integral(x, slope_x, y, order, inverse);
                let value = (turned - jet.inner(own_slope, weight, order) * inverse) / jet.get(weight, ZERO);
                jet.set(own_slope, order, times_k(value));
                jet.set(out, order, value);
            }
        }
    }
}
