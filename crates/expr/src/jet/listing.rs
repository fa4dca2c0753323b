//! The orders of a jet: the instructions of a tape are followed order by order, with a copy of the code for every order of plain numbers.

use saltation_numerics::number::Number;
use saltation_numerics::vectors::{Loop, Portable, Unit};

use super::{Jet, LENGTH, Rows};
use crate::tape::{Instruction, Row, Tape};

/// The order of the coefficients that are computed in one pass over the instructions.
pub(crate) trait Order: Copy {
    fn k(self) -> usize;
}

/// An order known to the compiler, which then writes out every sum.
#[derive(Clone, Copy)]
pub(crate) struct Known<const K: usize>;

impl<const K: usize> Order for Known<K> {
    #[inline(always)]
    fn k(self) -> usize {
        K
    }
}

pub(crate) const ZERO: Known<0> = Known;

/// An order known when the program runs.
#[derive(Clone, Copy)]
pub(crate) struct AnyOrder(pub usize);

impl Order for AnyOrder {
    #[inline(always)]
    fn k(self) -> usize {
        self.0 % LENGTH
    }
}

/// The instructions of a tape that are followed, and the rates of the states that go on with them.
#[derive(Clone, Copy)]
pub(crate) struct Listing<'a, T> {
    pub tape: &'a Tape,
    pub slots: &'a [T],
    pub instructions: &'a [Instruction],
    pub rates: &'a [Row],
}

impl<T: Number> Listing<'_, T> {
    /// The coefficients of order k of the instructions, and those of order k + 1 of the states with these rates.
    #[inline(always)]
    pub(crate) fn pass<U: Unit, const L: usize>(self, unit: U, rows: Rows<'_, T, L>, order: impl Order) {
        let inverse = T::from_f64(order.k() as f64).reciprocal();
        for instruction in self.instructions {
            self.tape.next(unit, instruction, self.slots, rows, order, inverse);
        }
        self.go_on(rows, order.k());
    }

    /// Order 0 of the instructions, and order 1 of the states.
    pub(crate) fn begin<const L: usize>(self, rows: Rows<'_, T, L>) {
        for instruction in self.instructions {
            self.tape.first(instruction, self.slots, rows);
        }
        self.go_on(rows, 0);
    }

    #[inline(always)]
    fn go_on<const L: usize>(self, rows: Rows<'_, T, L>, k: usize) {
        let inverse = T::from_f64((k + 1) as f64).reciprocal();
        for (state, &rate) in self.rates.iter().enumerate() {
            let coefficient = rows.row(rate)[k].get();
            rows.row(state as Row)[k + 1].set(if k == 0 { coefficient } else { coefficient * inverse });
        }
    }
}

/// One order of a listing.
struct Pass<'a, O> {
    listing: Listing<'a, f64>,
    rows: Rows<'a, f64>,
    order: O,
}

impl<O: Order> Loop for Pass<'_, O> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        self.listing.pass(unit, self.rows, self.order);
    }
}

/// Computes the orders from `from` >= 1 to below `to` of plain numbers, with a copy of the code for every order. It is generic in nothing, so that one crate compiles these
/// copies.
pub(crate) fn passes_unrolled(listing: Listing<'_, f64>, jet: &mut Jet<f64>, (from, to): (usize, usize)) {
    let (vectors, rows) = (jet.vectors, Rows::of(jet));
    macro_rules! known_orders {
        ($k:ident: $($order:literal)*) => {
            match $k {
                $($order => vectors.run(Pass { listing, rows, order: Known::<$order> }),)*
                _ => Pass { listing, rows, order: AnyOrder($k) }.run(Portable),
            }
        };
    }
    for k in from..to {
        known_orders!(k: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28);
    }
}
