//! What are the Taylor coefficients of a motion? The instructions of a tape, run order by order.
//!
//! For x' = F(x) the coefficient of order k+1 of a state is that of order k of its rate, divided by k+1; every instruction
//! has a recurrence that gives its coefficient of order k from those of its operands up to order k. Writing u' for the
//! derivative, e.g. e = exp u obeys e' = e u', hence k e_k = sum_{j=1..k} (j u_j) e_{k-j}.

use saltation_numerics::number::Number;

use crate::tape::{Instruction, Row, Slot, Tape, apply};

/// Taylor coefficients of the states and outputs of one tape, for any kind of number.
///
/// Rows are contiguous: a product of two rows is a dot product of one with the other reversed. A jet is made once and
/// filled again and again without allocation.
#[derive(Debug, Clone)]
pub struct Jet<T> {
    coefficients: Vec<T>,
    stride: usize,
    /// The highest order for which the states have coefficients.
    order: usize,
}

impl<T: Number> Jet<T> {
    /// Room for the rows of `tape` up to the given order.
    pub fn new(tape: &Tape, order: usize) -> Jet<T> {
        Jet {
            coefficients: vec![T::ZERO; tape.rows * (order + 1)],
            stride: order + 1,
            order: 0,
        }
    }

    /// The highest order this jet has room for.
    pub fn capacity(&self) -> usize {
        self.stride - 1
    }

    /// The highest order that has been computed.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The coefficients of a state, orders 0 to [`Jet::order`].
    #[inline]
    pub fn state(&self, index: usize) -> &[T] {
        let start = index * self.stride;
        &self.coefficients[start..=start + self.order]
    }

    /// The coefficients of an output, orders 0 to [`Jet::order`]; complete after [`Tape::finish`].
    #[inline]
    pub fn output(&self, tape: &Tape, index: usize) -> &[T] {
        let start = tape.outputs[index] as usize * self.stride;
        &self.coefficients[start..=start + self.order]
    }

    #[inline]
    fn get(&self, row: Row, k: usize) -> T {
        self.coefficients[row as usize * self.stride + k]
    }

    #[inline]
    fn set(&mut self, row: Row, k: usize, value: T) {
        self.coefficients[row as usize * self.stride + k] = value;
    }

    /// sum_{j=0..length-1} a[from_a + j] b[k - from_a - j]: the part of order k of the product of two rows.
    #[inline]
    fn convolve(&self, a: Row, b: Row, k: usize, first: usize, last: usize) -> T {
        // a runs over first..=last, b over k-last..=k-first, backwards.
        let (a, b) = (a as usize * self.stride, b as usize * self.stride);
        T::dot_reversed(
            &self.coefficients[a + first..a + last + 1],
            &self.coefficients[b + k - last..b + k - first + 1],
        )
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
    pub fn extend<T: Number>(&self, slots: &[T], jet: &mut Jet<T>) {
        let k = jet.order;
        debug_assert!(k < jet.capacity());
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
            Instruction::Product { out, a, b } => jet.set(out, k, jet.convolve(a, b, k, 0, k)),
            Instruction::Square { out, a } => {
                // 2 (a_0 a_k + a_1 a_{k-1} + ...), and the middle square for even k.
                let pairs = (k - 1) / 2;
                let mut value = jet.convolve(a, a, k, 0, pairs).scale(2.0);
                if k % 2 == 0 {
                    value += jet.get(a, k / 2).square();
                }
                jet.set(out, k, value);
            }
            Instruction::Quotient { out, a, b } => {
                // q b = a: q_k b_0 = a_k - sum_{j<k} q_j b_{k-j}
                let known = jet.convolve(out, b, k, 0, k - 1);
                jet.set(out, k, (jet.get(a, k) - known) / jet.get(b, 0));
            }
            Instruction::Reciprocal { out, b, .. } => {
                let known = jet.convolve(out, b, k, 0, k - 1);
                jet.set(out, k, -known / jet.get(b, 0));
            }
            Instruction::SineCosine {
                sine,
                cosine,
                slope,
                a,
            } => {
                jet.set(slope, k, times_k(jet.get(a, k)));
                let s = jet.convolve(slope, cosine, k, 1, k) * inverse;
                let c = jet.convolve(slope, sine, k, 1, k) * -inverse;
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
                let s = jet.convolve(slope, cosine, k, 1, k) * inverse;
                let c = jet.convolve(slope, sine, k, 1, k) * inverse;
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
                let t = jet.convolve(slope, weight, k, 1, k) * inverse;
                jet.set(out, k, t);
                jet.set(weight, k, jet.convolve(out, out, k, 0, k));
            }
            Instruction::HyperbolicTangent {
                out,
                weight,
                slope,
                a,
            } => {
                jet.set(slope, k, times_k(jet.get(a, k)));
                let t = jet.convolve(slope, weight, k, 1, k) * inverse;
                jet.set(out, k, t);
                jet.set(weight, k, -jet.convolve(out, out, k, 0, k));
            }
            Instruction::Exponential { out, slope, a } => {
                jet.set(slope, k, times_k(jet.get(a, k)));
                jet.set(out, k, jet.convolve(slope, out, k, 1, k) * inverse);
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
                if k > 1 {
                    value -= jet.convolve(slope, weight, k, 1, k - 1);
                }
                let value = value / jet.get(weight, 0);
                jet.set(slope, k, value);
                jet.set(out, k, value * inverse);
            }
            Instruction::SquareRoot { out, a } => {
                // 2 s_0 s_k = a_k - sum_{0<j<k} s_j s_{k-j}
                let mut value = jet.get(a, k);
                if k > 1 {
                    value -= jet.convolve(out, out, k, 1, k - 1);
                }
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
                let mut value = jet.convolve(slope, out, k, 1, k).scale(exponent);
                if k > 1 {
                    value -= jet.convolve(own_slope, a, k, 1, k - 1);
                }
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
                    jet.convolve(slope_y, x, k, 1, k) - jet.convolve(slope_x, y, k, 1, k);
                if k > 1 {
                    value -= jet.convolve(own_slope, weight, k, 1, k - 1);
                }
                let value = value / jet.get(weight, 0);
                jet.set(own_slope, k, value);
                jet.set(out, k, value * inverse);
            }
        }
    }
}
