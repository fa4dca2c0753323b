//! Taylor coefficients of a motion, computed order by order on the instructions of a tape (automatic differentiation).
//!
//! For x' = F(x) the coefficient of order k+1 of a state is that of order k of its rate, divided by k+1; every instruction
//! has a recurrence that gives its coefficient of order k from those of its operands up to order k. Writing u' for the
//! derivative, e.g. e = exp u obeys e' = e u', hence k e_k = sum_{j=1..k} (j u_j) e_{k-j}.

mod columns;
pub(crate) mod listing;

use std::any::Any;
use std::cell::Cell;

use columns::Column;
use listing::{AnyOrder, Known, Listing, Order, ZERO, passes_unrolled};
use saltation_numerics::number::Number;
use saltation_numerics::vectors::{Portable, Unit, Vectors};

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
    pub(crate) rows: Vec<[T; LENGTH]>,
    /// The highest order for which the states have coefficients.
    order: usize,
    /// For a [wide](Tape::is_wide) tape.
    column: Column<T>,
    vectors: Vectors,
}

impl<T: Number> Jet<T> {
    /// Room for the rows of `tape`, up to [`HIGHEST_ORDER`]; filled by the fastest arithmetic of the processor.
    pub fn new(tape: &Tape) -> Jet<T> {
        Jet::on(tape, Vectors::of_process())
    }

    /// The same with a certain form of arithmetic.
    pub fn on(tape: &Tape, vectors: Vectors) -> Jet<T> {
        Jet { rows: vec![[T::ZERO; LENGTH]; tape.rows], order: 0, column: Column::new(tape), vectors }
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

    /// The coefficients of the rate of a state, which are known to one order less than those of the states, if the tape is not
    /// [wide](Tape::is_wide).
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
        self.column.order = None;
        self.order = order;
    }

    /// The row of a state, to be filled: coefficients of orders 0 to [`HIGHEST_ORDER`].
    #[inline]
    pub fn state_row(&mut self, index: usize) -> &mut [T; LENGTH] {
        self.column.order = None;
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
        self.column.order = None;
        let (low, high) = self.rows.split_at_mut(read.max(filled));
        if read < filled { (&low[read], &mut high[0]) } else { (&high[0], &mut low[filled]) }
    }

    /// Whether it is computed on vectors of four, in whose lanes other motions may [stand beside it](crate::SideBySide).
    pub fn has_lanes(&self) -> bool {
        self.vectors.are_wide()
    }

    /// The vector unit on which it is computed.
    pub(crate) fn vectors(&self) -> Vectors {
        self.vectors
    }

    #[inline(always)]
    pub(crate) fn row(&self, row: Row) -> &[T; LENGTH] {
        &self.rows[row as usize]
    }

    pub(crate) fn row_mut(&mut self, row: Row) -> &mut [T; LENGTH] {
        &mut self.rows[row as usize]
    }
}

/// The values of all rows of one tape at one point: room for [`Tape::evaluate_at`], and so much less of it than a jet.
#[derive(Debug, Clone)]
pub struct Point<T> {
    rows: Vec<[T; 1]>,
}

impl<T: Number> Point<T> {
    /// Room for the rows of `tape`.
    pub fn new(tape: &Tape) -> Point<T> {
        Point { rows: vec![[T::ZERO]; tape.rows] }
    }
}

/// All rows of a jet, each of which may be read while another one is written.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a, T, const L: usize = LENGTH>(&'a [[Cell<T>; L]]);

impl<'a, T: Number> Rows<'a, T, LENGTH> {
    fn of(jet: &'a mut Jet<T>) -> Rows<'a, T> {
        Rows::among(&mut jet.rows)
    }
}

impl<'a, T: Number, const L: usize> Rows<'a, T, L> {
    pub(crate) fn among(rows: &'a mut [[T; L]]) -> Rows<'a, T, L> {
        Rows(Cell::from_mut(rows.as_flattened_mut()).as_slice_of_cells().as_chunks().0)
    }

    #[inline(always)]
    pub(crate) fn row(self, row: Row) -> &'a [Cell<T>; L] {
        &self.0[row as usize]
    }

    #[inline(always)]
    pub(crate) fn get(self, row: Row, order: impl Order) -> T {
        self.row(row)[order.k()].get()
    }

    #[inline(always)]
    fn set(self, row: Row, order: impl Order, value: T) {
        self.row(row)[order.k()].set(value);
    }

    /// sum_{0<j<k} a_j b_{k-j}: order k of the product of two rows, but for the two terms with a coefficient of order k.
    #[inline(always)]
    fn inner<U: Unit>(self, unit: U, a: Row, b: Row, order: impl Order) -> T {
        let k = order.k();
        let (a, b) = (self.row(a), self.row(b));
        T::convolve(unit, &a[1..k.max(1)], &b[1..k.max(1)])
    }

    /// The same sum for the square of a row.
    #[inline(always)]
    fn inner_square<U: Unit>(self, unit: U, a: Row, order: impl Order) -> T {
        let k = order.k();
        let a = self.row(a);
        let terms = k.saturating_sub(1) / 2;
        let pairs = T::convolve(unit, &a[1..=terms], &a[k - terms..k]).scale(2.0);
        if k.is_multiple_of(2) { pairs + a[k / 2].get().square() } else { pairs }
    }

    /// sum_{0<=j<=k} a_j b_{k-j}: order k >= 1 of the product of two rows. The latest coefficient of a enters last, so that little has to wait for it.
    #[inline(always)]
    fn product<U: Unit>(self, unit: U, a: Row, b: Row, order: impl Order) -> T {
        let known = T::times_plus(unit, self.get(b, order), self.get(a, ZERO), self.inner(unit, a, b, order));
        T::times_plus(unit, self.get(a, order), self.get(b, ZERO), known)
    }

    /// -(1/b_0) sum_{j<k} q_j b_{k-j}: order k >= 1 of a quotient q = a/b, but for a_k/b_0.
    #[inline(always)]
    fn quotient<U: Unit>(self, unit: U, (q, b): (Row, Row), order: impl Order) -> T {
        let factor = -self.get(b, ZERO).reciprocal();
        T::times_plus(unit, self.get(b, order), self.get(q, ZERO) * factor, self.inner(unit, q, b, order) * factor)
    }

    /// Order k >= 1 of the integral of a' b: (1/k) sum_{0<j<=k} (j a_j) b_{k-j}, where `slope` holds the j a_j below k. The
    /// latest coefficient of a enters as it is, so that little has to wait for it.
    #[inline(always)]
    fn integral<U: Unit>(self, unit: U, a: Row, slope: Row, b: Row, order: impl Order, inverse: T) -> T {
        let known = self.inner(unit, slope, b, order) * inverse;
        T::times_plus(unit, self.get(a, order), self.get(b, ZERO), known)
    }
}

impl Tape {
    /// Computes the jet of the motion through `state` up to `order`, outputs included.
    ///
    /// `slots` come from [`Tape::bind`]; `state` has one value per state. Nothing is allocated.
    pub fn expand<T: Number>(&self, slots: &[T], state: &[T], order: usize, jet: &mut Jet<T>) {
        self.begin(state, jet);
        self.raise(slots, jet, order);
        self.finish(slots, jet);
    }

    /// Sets the jet to order 0 at a state.
    pub fn begin<T: Number>(&self, state: &[T], jet: &mut Jet<T>) {
        jet.order = 0;
        jet.column.order = None;
        for (row, &value) in state.iter().enumerate().take(self.states) {
            jet.rows[row][0] = value;
        }
    }

    /// Raises the order of the states by one.
    ///
    /// # Panics
    /// Above [`HIGHEST_ORDER`].
    pub fn extend<T: Number>(&self, slots: &[T], jet: &mut Jet<T>) {
        self.raise(slots, jet, jet.order + 1);
    }

    /// Raises the order of the states to the given one, if it is below.
    ///
    /// # Panics
    /// Above [`HIGHEST_ORDER`].
    pub fn raise<T: Number>(&self, slots: &[T], jet: &mut Jet<T>, order: usize) {
        assert!(order <= HIGHEST_ORDER, "a jet has room for order {HIGHEST_ORDER} at most");
        let listing = Listing { tape: self, slots, instructions: &self.instructions, rates: &self.rates };
        self.passes(listing, jet, (jet.order, order));
        jet.order = jet.order.max(order);
    }

    /// Brings the outputs to the order of the states.
    pub fn finish<T: Number>(&self, slots: &[T], jet: &mut Jet<T>) {
        let listing = Listing { tape: self, slots, instructions: &self.output_instructions, rates: &[] };
        self.passes(listing, jet, (jet.order, jet.order + 1));
    }

    /// Computes the orders from `from` to below `to`.
    fn passes<T: Number>(&self, listing: Listing<'_, T>, jet: &mut Jet<T>, (from, to): (usize, usize)) {
        if self.is_wide() {
            let Listing { slots, instructions, rates, .. } = listing;
            return (from..to).for_each(|k| self.pass_column(slots, jet, (instructions, rates), k));
        }
        if from == 0 && to > 0 {
            listing.begin(Rows::of(jet));
        }
        let from = from.max(1);
        let plain = (jet as &mut dyn Any).downcast_mut::<Jet<f64>>();
        match T::plain(listing.slots).zip(plain) {
            Some((slots, jet)) => {
                let Listing { tape, instructions, rates, .. } = listing;
                passes_unrolled(Listing { tape, slots, instructions, rates }, jet, (from, to));
            }
            None => {
                let rows = Rows::of(jet);
                (from..to).for_each(|k| listing.pass(Portable, rows, AnyOrder(k)));
            }
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
        let rows = Rows::of(jet);
        self.first(instruction, slots, rows);
        let instruction = &instruction.on_any_series();
        for k in 1..=order {
            self.next(Portable, instruction, slots, rows, AnyOrder(k), T::from_f64(k as f64).reciprocal());
        }
    }

    /// The values of the outputs at a state; `jet` is used as working room.
    pub fn evaluate<T: Number>(&self, slots: &[T], state: &[T], jet: &mut Jet<T>, outputs: &mut [T]) {
        self.begin(state, jet);
        self.finish(slots, jet);
        for (value, &row) in outputs.iter_mut().zip(&self.outputs) {
            *value = jet.row(row)[0];
        }
    }

    /// The same with room for nothing but values.
    pub fn evaluate_at<T: Number>(&self, slots: &[T], state: &[T], point: &mut Point<T>, outputs: &mut [T]) {
        point.rows.iter_mut().zip(state).take(self.states).for_each(|(row, &value)| *row = [value]);
        let rows = Rows::among(&mut point.rows);
        for instruction in &self.output_instructions {
            self.first(instruction, slots, rows);
        }
        for (value, &row) in outputs.iter_mut().zip(&self.outputs) {
            *value = point.rows[row as usize][0];
        }
    }

    /// The values of the rates at a state; `jet` is used as working room and keeps order 0.
    pub fn rates<T: Number>(&self, slots: &[T], state: &[T], jet: &mut Jet<T>, rates: &mut [T]) {
        self.begin(state, jet);
        let rows = Rows::of(jet);
        for instruction in &self.instructions {
            self.first(instruction, slots, rows);
        }
        for (value, &row) in rates.iter_mut().zip(&self.rates) {
            *value = jet.row(row)[0];
        }
    }

    /// Plain products and sums, whatever the unit: what is fused would leave the rounding of one of two equal terms that cancel.
    #[inline(always)]
    fn linear<T: Number, const L: usize>(
        &self,
        slots: &[T],
        rows: Rows<'_, T, L>,
        (first, last): (u32, u32),
        order: impl Order,
        from: T,
    ) -> T {
        let terms = &self.terms[first as usize..last as usize];
        let mut sum = from;
        for &(weight, row) in terms {
            sum += slots[weight as usize] * rows.get(row, order);
        }
        sum
    }

    /// The coefficient of order 0 of one instruction.
    fn first<T: Number, const L: usize>(&self, instruction: &Instruction, slots: &[T], rows: Rows<'_, T, L>) {
        let fixed = |s: Slot| slots[s as usize];
        match *instruction {
            Instruction::Linear { out, constant, first, last } => {
                let value = self.linear(slots, rows, (first, last), ZERO, fixed(constant));
                rows.set(out, ZERO, value);
            }
            Instruction::Product { out, a, b } => rows.set(out, ZERO, rows.get(a, ZERO) * rows.get(b, ZERO)),
            Instruction::Square { out, a } => rows.set(out, ZERO, rows.get(a, ZERO).square()),
            Instruction::Quotient { out, a, b } => rows.set(out, ZERO, rows.get(a, ZERO) / rows.get(b, ZERO)),
            Instruction::Reciprocal { out, a, b } => rows.set(out, ZERO, fixed(a) / rows.get(b, ZERO)),
            Instruction::SineCosine { sine, cosine, a, .. } => {
                let (s, c) = rows.get(a, ZERO).sin_cos();
                rows.set(sine, ZERO, s);
                rows.set(cosine, ZERO, c);
            }
            Instruction::HyperbolicSineCosine { sine, cosine, a, .. } => {
                let (s, c) = rows.get(a, ZERO).sinh_cosh();
                rows.set(sine, ZERO, s);
                rows.set(cosine, ZERO, c);
            }
            Instruction::Tangent { out, weight, a, .. } => {
                let t = rows.get(a, ZERO).tan();
                rows.set(out, ZERO, t);
                rows.set(weight, ZERO, T::ONE + t.square());
            }
            Instruction::HyperbolicTangent { out, weight, a, .. } => {
                let t = rows.get(a, ZERO).tanh();
                rows.set(out, ZERO, t);
                // 1 - t^2 without the difference, which has no digits where t is near one.
                let argument = rows.get(a, ZERO);
                let falling = T::choose(t, |t| t < 0.0, argument.scale(2.0), argument.scale(-2.0)).exp();
                rows.set(weight, ZERO, falling.scale(4.0) / (T::ONE + falling).square());
            }
            Instruction::Exponential { out, a, .. } => rows.set(out, ZERO, rows.get(a, ZERO).exp()),
            Instruction::Primitive { out, a, function, .. } => rows.set(out, ZERO, function.at(rows.get(a, ZERO))),
            Instruction::SquareRoot { out, a } => rows.set(out, ZERO, rows.get(a, ZERO).sqrt()),
            Instruction::Either { out, a, near, far, rule } => {
                let (near, far) = (rows.get(near, ZERO), rows.get(far, ZERO));
                rows.set(out, ZERO, T::choose(rows.get(a, ZERO), |a| rule.is_near(a), near, far));
            }
            Instruction::Sign { out, a } => rows.set(out, ZERO, Function::Sign.at(rows.get(a, ZERO))),
            Instruction::Piece { out, a, lookup, part } => {
                rows.set(out, ZERO, T::from_f64(self.piece(slots, (lookup, part), rows.get(a, ZERO).value())));
            }
            Instruction::RealPower { out, a, exponent, .. } => rows.set(out, ZERO, rows.get(a, ZERO).powf(exponent)),
            Instruction::Atan2 { out, y, x, .. } => rows.set(out, ZERO, rows.get(y, ZERO).atan2(rows.get(x, ZERO))),
        }
    }

    /// The coefficient of order k >= 1 of one instruction; `inverse` is 1/k.
    #[inline(always)]
    fn next<T: Number, U: Unit, const L: usize>(
        &self,
        unit: U,
        instruction: &Instruction,
        slots: &[T],
        rows: Rows<'_, T, L>,
        order: impl Order,
        inverse: T,
    ) {
        let times_k = |x: T| x.scale(order.k() as f64);
        match *instruction {
            Instruction::Linear { out, first, last, .. } => {
                let value = self.linear(slots, rows, (first, last), order, T::ZERO);
                rows.set(out, order, value);
            }
            Instruction::Product { out, a, b } => rows.set(out, order, rows.product(unit, a, b, order)),
            Instruction::Square { out, a } => {
                let known = rows.inner_square(unit, a, order);
                rows.set(out, order, T::times_plus(unit, rows.get(a, ZERO).scale(2.0), rows.get(a, order), known));
            }
            Instruction::Quotient { out, a, b } => {
                // q b = a: q_k b_0 = a_k - sum_{j<k} q_j b_{k-j}
                let known = rows.quotient(unit, (out, b), order);
                rows.set(out, order, T::times_plus(unit, rows.get(a, order), rows.get(b, ZERO).reciprocal(), known));
            }
            Instruction::Reciprocal { out, b, .. } => rows.set(out, order, rows.quotient(unit, (out, b), order)),
            Instruction::SineCosine { sine, cosine, slope, a, steady: true } if order.k() > 1 => {
                // a' is a constant.
                rows.set(slope, order, T::ZERO);
                let (speed, before) = (rows.get(a, Known::<1>), order.k() - 1);
                let (s, c) = (speed * rows.row(cosine)[before].get(), speed * rows.row(sine)[before].get());
                rows.set(sine, order, s * inverse);
                rows.set(cosine, order, -(c * inverse));
            }
            Instruction::SineCosine { sine, cosine, slope, a, .. } => {
                rows.set(slope, order, times_k(rows.get(a, order)));
                let s = rows.integral(unit, a, slope, cosine, order, inverse);
                let c = -rows.integral(unit, a, slope, sine, order, inverse);
                rows.set(sine, order, s);
                rows.set(cosine, order, c);
            }
            Instruction::HyperbolicSineCosine { sine, cosine, slope, a } => {
                rows.set(slope, order, times_k(rows.get(a, order)));
                let s = rows.integral(unit, a, slope, cosine, order, inverse);
                let c = rows.integral(unit, a, slope, sine, order, inverse);
                rows.set(sine, order, s);
                rows.set(cosine, order, c);
            }
            Instruction::Tangent { out, weight, slope, a } => {
                // t' = (1 + t^2) a'
                rows.set(slope, order, times_k(rows.get(a, order)));
                let t = rows.integral(unit, a, slope, weight, order, inverse);
                rows.set(out, order, t);
                rows.set(weight, order, rows.product(unit, out, out, order));
            }
            Instruction::HyperbolicTangent { out, weight, slope, a } => {
                rows.set(slope, order, times_k(rows.get(a, order)));
                let t = rows.integral(unit, a, slope, weight, order, inverse);
                rows.set(out, order, t);
                rows.set(weight, order, -rows.product(unit, out, out, order));
            }
            Instruction::Exponential { out, slope, a } => {
                rows.set(slope, order, times_k(rows.get(a, order)));
                rows.set(out, order, rows.integral(unit, a, slope, out, order, inverse));
            }
            Instruction::Primitive { out, slope, a, weight, .. } => {
                // weight out' = a': weight_0 out_k = a_k - (1/k) sum_{0<j<k} (j out_j) weight_{k-j}
                let value =
                    (rows.get(a, order) - rows.inner(unit, slope, weight, order) * inverse) / rows.get(weight, ZERO);
                rows.set(slope, order, times_k(value));
                rows.set(out, order, value);
            }
            Instruction::SquareRoot { out, a } => {
                // 2 s_0 s_k = a_k - sum_{0<j<k} s_j s_{k-j}
                let mut value = rows.get(a, order);
                value -= rows.inner_square(unit, out, order);
                rows.set(out, order, value / rows.get(out, ZERO).scale(2.0));
            }
            Instruction::Either { out, a, near, far, rule } => {
                let (near, far) = (rows.get(near, order), rows.get(far, order));
                rows.set(out, order, T::choose(rows.get(a, ZERO), |a| rule.is_near(a), near, far));
            }
            Instruction::Sign { out, .. } | Instruction::Piece { out, .. } => rows.set(out, order, T::ZERO),
            Instruction::RealPower { out, slope, own_slope, a, exponent } => {
                // a p' = c a' p: a_0 p_k = (c/k) sum_{j>0} (j a_j) p_{k-j} - (1/k) sum_{0<j<k} (j p_j) a_{k-j}
                rows.set(slope, order, times_k(rows.get(a, order)));
                let driven = rows.integral(unit, a, slope, out, order, inverse).scale(exponent);
                // The power of a constant zero base is constant, although it has no derivative there.
                let moving = (driven - rows.inner(unit, own_slope, a, order) * inverse) / rows.get(a, ZERO);
                let value = match exponent > 0.0 {
                    true => {
                        let before = rows.row(out)[order.k() - 1].get();
                        T::choose_at_zero([rows.get(a, ZERO), rows.get(a, order), before], T::ZERO, moving)
                    }
                    false => moving,
                };
                rows.set(own_slope, order, times_k(value));
                rows.set(out, order, value);
            }
            Instruction::Atan2 { out, y, x, weight, slopes } => {
                // (x^2 + y^2) out' = x y' - y x'
                let (slope_y, slope_x, own_slope) = (slopes, slopes + 1, slopes + 2);
                rows.set(slope_y, order, times_k(rows.get(y, order)));
                rows.set(slope_x, order, times_k(rows.get(x, order)));
                let turned = rows.integral(unit, y, slope_y, x, order, inverse)
                    - rows.integral(unit, x, slope_x, y, order, inverse);
                let value = (turned - rows.inner(unit, own_slope, weight, order) * inverse) / rows.get(weight, ZERO);
                rows.set(own_slope, order, times_k(value));
                rows.set(out, order, value);
            }
        }
    }
}
