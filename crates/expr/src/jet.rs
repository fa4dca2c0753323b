//! What are the Taylor coefficients of a motion? The instructions of a tape, run order by order.
//!
//! For x' = F(x) the coefficient of order k+1 of a state is that of order k of its rate, divided by k+1; every instruction
//! has a recurrence that gives its coefficient of order k from those of its operands up to order k. Writing u' for the
//! derivative, e.g. e = exp u obeys e' = e u', hence k e_k = sum_{j=1..k} (j u_j) e_{k-j}.

use saltation_numerics::number::Number;

use crate::tape::{Instruction, Row, Slot, Tape, apply};

/// The number of coefficients in a row: orders 0 to [`HIGHEST_ORDER`].
const LENGTH: usize = 32;
/// The highest order of a jet.
pub const HIGHEST_ORDER: usize = LENGTH - 1;

/// The coefficients of one quantity, forwards and backwards, so that a product of two rows is a scalar product of two
/// contiguous stretches of memory.
#[derive(Debug, Clone, Copy)]
struct Series<T> {
    /// Coefficient k stands at k.
    forward: [T; LENGTH],
    /// Coefficient k stands at `HIGHEST_ORDER - k`.
    backward: [T; LENGTH],
}

/// Taylor coefficients of the states and outputs of one tape, for any kind of number.
///
/// A jet is made once and filled again and again without allocation.
#[derive(Debug, Clone)]
pub struct Jet<T> {
    rows: Vec<Series<T>>,
    /// The highest order for which the states have coefficients.
    order: usize,
}

impl<T: Number> Jet<T> {
    /// Room for the rows of `tape`, up to [`HIGHEST_ORDER`].
    pub fn new(tape: &Tape) -> Jet<T> {
        let empty = Series {
            forward: [T::ZERO; LENGTH],
            backward: [T::ZERO; LENGTH],
        };
        Jet {
            rows: vec![empty; tape.rows],
            order: 0,
        }
    }

    /// The highest order that has been computed.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The coefficients of a state, orders 0 to [`Jet::order`].
    #[inline]
    pub fn state(&self, index: usize) -> &[T] {
        &self.rows[index].forward[..=self.order]
    }

    /// The coefficients of an output, orders 0 to [`Jet::order`]; complete after [`Tape::finish`].
    #[inline]
    pub fn output(&self, tape: &Tape, index: usize) -> &[T] {
        &self.rows[tape.outputs[index] as usize].forward[..=self.order]
    }

    #[inline(always)]
    fn get(&self, row: Row, k: usize) -> T {
        self.rows[row as usize].forward[k % LENGTH]
    }

    #[inline(always)]
    fn set(&mut self, row: Row, k: usize, value: T) {
        let series = &mut self.rows[row as usize];
        series.forward[k % LENGTH] = value;
        series.backward[HIGHEST_ORDER - k % LENGTH] = value;
    }

    /// sum_{0<j<k} a_j b_{k-j}: order k of the product of two rows, but for the two terms with a coefficient of order k. Those were
    /// stored a moment ago and are added one by one, so that the sum need not wait for them.
    #[inline(always)]
    fn inner(&self, a: Row, b: Row, k: usize) -> T {
        let (a, b) = (
            &self.rows[a as usize].forward,
            &self.rows[b as usize].backward,
        );
        T::dot(&a[1..k], &b[HIGHEST_ORDER + 1 - k..HIGHEST_ORDER])
    }

    /// sum_{0<=j<=k} a_j b_{k-j}: order k >= 1 of the product of two rows.
    #[inline(always)]
    fn product(&self, a: Row, b: Row, k: usize) -> T {
        self.inner(a, b, k) + self.get(a, 0) * self.get(b, k) + self.get(a, k) * self.get(b, 0)
    }

    /// sum_{0<j<=k} a_j b_{k-j}: order k >= 1 of the product of a row without constant term and another one.
    #[inline(always)]
    fn product_from_one(&self, a: Row, b: Row, k: usize) -> T {
        self.inner(a, b, k) + self.get(a, k) * self.get(b, 0)
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
            jet.set(row as Row, 0, value);
        }
    }

    /// Raises the order of the states by one.
    ///
    /// # Panics
    /// Above [`HIGHEST_ORDER`].
    pub fn extend<T: Number>(&self, slots: &[T], jet: &mut Jet<T>) {
        let k = jet.order;
        assert!(
            k < HIGHEST_ORDER,
            "a jet has room for order {HIGHEST_ORDER} at most"
        );
        if k == 0 {
            for instruction in &self.instructions {
                self.first(instruction, slots, jet);
            }
        } else {
            let inverse = T::from_f64(k as f64).reciprocal();
            for instruction in &self.instructions {
                self.next(instruction, slots, jet, k, inverse);
            }
        }
        let next_inverse = T::from_f64((k + 1) as f64).reciprocal();
        for (state, &rate) in self.rates.iter().enumerate() {
            let coefficient = jet.get(rate, k) * next_inverse;
            jet.set(state as Row, k + 1, coefficient);
        }
        jet.order = k + 1;
    }

    /// Brings the outputs to the order of the states.
    pub fn finish<T: Number>(&self, slots: &[T], jet: &mut Jet<T>) {
        let k = jet.order;
        let inverse = T::from_f64(k.max(1) as f64).reciprocal();
        for &position in &self.output_instructions {
            let instruction = &self.instructions[position as usize];
            if k == 0 {
                self.first(instruction, slots, jet);
            } else {
                self.next(instruction, slots, jet, k, inverse);
            }
        }
    }

    /// The values of the outputs at a state; `jet` is used as working room.
    pub fn evaluate<T: Number>(
        &self,
        slots: &[T],
        state: &[T],
        jet: &mut Jet<T>,
        outputs: &mut [T],
    ) {
        self.begin(state, jet);
        self.finish(slots, jet);
        for (value, &row) in outputs.iter_mut().zip(&self.outputs) {
            *value = jet.get(row, 0);
        }
    }

    /// The values of the rates at a state; `jet` is used as working room and keeps order 0.
    pub fn rates<T: Number>(&self, slots: &[T], state: &[T], jet: &mut Jet<T>, rates: &mut [T]) {
        self.begin(state, jet);
        for instruction in &self.instructions {
            self.first(instruction, slots, jet);
        }
        for (value, &row) in rates.iter_mut().zip(&self.rates) {
            *value = jet.get(row, 0);
        }
    }

    #[inline]
    fn linear<T: Number>(
        &self,
        slots: &[T],
        jet: &Jet<T>,
        first: u32,
        last: u32,
        k: usize,
        from: T,
    ) -> T {
        let mut sum = from;
        for &(weight, row) in &self.terms[first as usize..last as usize] {
            sum += slots[weight as usize] * jet.get(row, k);
        }
        sum
    }

    /// The coefficient of order 0 of one instruction.
    fn first<T: Number>(&self, instruction: &Instruction, slots: &[T], jet: &mut Jet<T>) {
        let fixed = |s: Slot| slots[s as usize];
        match *instruction {
            Instruction::Linear {
                out,
                constant,
                first,
                last,
            } => {
                let value = self.linear(slots, jet, first, last, 0, fixed(constant));
                jet.set(out, 0, value);
            }
            Instruction::Product { out, a, b } => jet.set(out, 0, jet.get(a, 0) * jet.get(b, 0)),
            Instruction::Square { out, a } => jet.set(out, 0, jet.get(a, 0).square()),
            Instruction::Quotient { out, a, b } => jet.set(out, 0, jet.get(a, 0) / jet.get(b, 0)),
            Instruction::Reciprocal { out, a, b } => jet.set(out, 0, fixed(a) / jet.get(b, 0)),
            Instruction::SineCosine {
                sine, cosine, a, ..
            } => {
                let (s, c) = jet.get(a, 0).sin_cos();
                jet.set(sine, 0, s);
                jet.set(cosine, 0, c);
            }
            Instruction::HyperbolicSineCosine {
                sine, cosine, a, ..
            } => {
                let (s, c) = jet.get(a, 0).sinh_cosh();
                jet.set(sine, 0, s);
                jet.set(cosine, 0, c);
            }
            Instruction::Tangent { out, weight, a, .. } => {
                let t = jet.get(a, 0).tan();
                jet.set(out, 0, t);
                jet.set(weight, 0, T::ONE + t.square());
            }
            Instruction::HyperbolicTangent { out, weight, a, .. } => {
                let t = jet.get(a, 0).tanh();
                jet.set(out, 0, t);
                jet.set(weight, 0, T::ONE - t.square());
            }
            Instruction::Exponential { out, a, .. } => jet.set(out, 0, jet.get(a, 0).exp()),
            Instruction::Primitive {
                out, a, function, ..
            } => jet.set(out, 0, apply(function, jet.get(a, 0))),
            Instruction::SquareRoot { out, a } => jet.set(out, 0, jet.get(a, 0).sqrt()),
            Instruction::RealPower {
                out, a, exponent, ..
            } => jet.set(out, 0, jet.get(a, 0).powf(exponent)),
            Instruction::Atan2 { out, y, x, .. } => {
                jet.set(out, 0, jet.get(y, 0).atan2(jet.get(x, 0)))
            }
        }
    }

    /// The coefficient of order k >= 1 of one instruction; `inverse` is 1/k.
    #[inline(always)]
    fn next<T: Number>(
        &self,
        instruction: &Instruction,
        slots: &[T],
        jet: &mut Jet<T>,
        k: usize,
        inverse: T,
    ) {
        let times_k = |x: T| x.scale(k as f64);
        match *instruction {
            Instruction::Linear {
                out, first, last, ..
            } => {
                let value = self.linear(slots, jet, first, last, k, T::ZERO);
                jet.set(out, k, value);
            }
            Instruction::Product { out, a, b } => jet.set(out, k, jet.product(a, b, k)),
            Instruction::Square { out, a } => jet.set(
                out,
                k,
                jet.inner(a, a, k) + (jet.get(a, 0) * jet.get(a, k)).scale(2.0),
            ),
            Instruction::Quotient { out, a, b } => {
                // q b = a: q_k b_0 = a_k - sum_{j<k} q_j b_{k-j}
                let known = jet.inner(out, b, k) + jet.get(out, 0) * jet.get(b, k);
                jet.set(out, k, (jet.get(a, k) - known) / jet.get(b, 0));
            }
            Instruction::Reciprocal { out, b, .. } => {
                let known = jet.inner(out, b, k) + jet.get(out, 0) * jet.get(b, k);
                jet.set(out, k, -known / jet.get(b, 0));
            }
            Instruction::SineCosine {
                sine,
                cosine,
                slope,
                a,
            } => {
                jet.set(slope, k, times_k(jet.get(a, k)));
                let s = jet.product_from_one(slope, cosine, k) * inverse;
                let c = jet.product_from_one(slope, sine, k) * -inverse;
                jet.set(sine, k, s);
                jet.set(cosine, k, c);
            }
            Instruction::HyperbolicSineCosine {
                sine,
                cosine,
                slope,
                a,
            } => {
                jet.set(slope, k, times_k(jet.get(a, k)));
                let s = jet.product_from_one(slope, cosine, k) * inverse;
                let c = jet.product_from_one(slope, sine, k) * inverse;
                jet.set(sine, k, s);
                jet.set(cosine, k, c);
            }
            Instruction::Tangent {
                out,
                weight,
                slope,
                a,
            } => {
                // t' = (1 + t^2) a'
                jet.set(slope, k, times_k(jet.get(a, k)));
                let t = jet.product_from_one(slope, weight, k) * inverse;
                jet.set(out, k, t);
                jet.set(weight, k, jet.product(out, out, k));
            }
            Instruction::HyperbolicTangent {
                out,
                weight,
                slope,
                a,
            } => {
                jet.set(slope, k, times_k(jet.get(a, k)));
                let t = jet.product_from_one(slope, weight, k) * inverse;
                jet.set(out, k, t);
                jet.set(weight, k, -jet.product(out, out, k));
            }
            Instruction::Exponential { out, slope, a } => {
                jet.set(slope, k, times_k(jet.get(a, k)));
                jet.set(out, k, jet.product_from_one(slope, out, k) * inverse);
            }
            Instruction::Primitive {
                out,
                slope,
                a,
                weight,
                ..
            } => {
                // weight out' = a': weight_0 k out_k = k a_k - sum_{0<j<k} (j out_j) weight_{k-j}
                let mut value = times_k(jet.get(a, k));
                value -= jet.inner(slope, weight, k);
                let value = value / jet.get(weight, 0);
                jet.set(slope, k, value);
                jet.set(out, k, value * inverse);
            }
            Instruction::SquareRoot { out, a } => {
                // 2 s_0 s_k = a_k - sum_{0<j<k} s_j s_{k-j}
                let mut value = jet.get(a, k);
                value -= jet.inner(out, out, k);
                jet.set(out, k, value / jet.get(out, 0).scale(2.0));
            }
            Instruction::RealPower {
                out,
                slope,
                own_slope,
                a,
                exponent,
            } => {
                // a p' = c a' p: a_0 k p_k = c sum_{j>0} (j a_j) p_{k-j} - sum_{0<j<k} (j p_j) a_{k-j}
                jet.set(slope, k, times_k(jet.get(a, k)));
                let mut value = jet.product_from_one(slope, out, k).scale(exponent);
                value -= jet.inner(own_slope, a, k);
                let value = value / jet.get(a, 0);
                jet.set(own_slope, k, value);
                jet.set(out, k, value * inverse);
            }
            Instruction::Atan2 {
                out,
                y,
                x,
                weight,
                slopes,
            } => {
                // (x^2 + y^2) out' = x y' - y x'
                let (slope_y, slope_x, own_slope) = (slopes, slopes + 1, slopes + 2);
                jet.set(slope_y, k, times_k(jet.get(y, k)));
                jet.set(slope_x, k, times_k(jet.get(x, k)));
                let mut value =
                    jet.product_from_one(slope_y, x, k) - jet.product_from_one(slope_x, y, k);
                value -= jet.inner(own_slope, weight, k);
                let value = value / jet.get(weight, 0);
                jet.set(own_slope, k, value);
                jet.set(out, k, value * inverse);
            }
        }
    }
}
