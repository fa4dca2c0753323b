//! A tape with the parameters bound, on any kind of number, and the jet that was expanded last: numbers, numbers with derivatives, or with the sizes
//! of their terms.

use std::sync::Arc;

use saltation_expr::{Jet, Tape};
use saltation_numerics::number::Number;

/// The rates and outputs of a mode at values of the parameters, and their expansion at a state.
#[derive(Debug, Clone)]
pub(crate) struct Expansion<T = f64> {
    pub tape: Arc<Tape>,
    pub slots: Vec<T>,
    pub jet: Jet<T>,
}

impl<T: Number> Expansion<T> {
    /// A tape at values of its parameters, expanded nowhere yet.
    pub(crate) fn new(tape: &Arc<Tape>, parameters: &[T]) -> Expansion<T> {
        Expansion { tape: Arc::clone(tape), slots: tape.bind(parameters), jet: Jet::new(tape) }
    }

    /// Gives the parameters other values.
    pub(crate) fn bind(&mut self, parameters: &[T]) {
        self.tape.bind_into(parameters, &mut self.slots);
    }

    /// Holds pieces of tables, see [`Tape::hold`].
    pub(crate) fn hold(&mut self, pieces: &[Option<i64>]) {
        self.tape.hold(&mut self.slots, pieces);
    }

    /// Holds the pieces that another expansion of the same tape holds.
    pub(crate) fn hold_like<S: Number>(&mut self, other: &Expansion<S>) {
        self.tape.hold_like(&other.slots, &mut self.slots);
    }

    /// Expands the motion through a state up to an order.
    pub(crate) fn expand(&mut self, state: &[T], order: usize) {
        self.tape.expand(&self.slots, state, order, &mut self.jet);
    }

    /// The coefficients of a state in powers of the time.
    pub(crate) fn state(&self, state: usize) -> &[T] {
        self.jet.state(state)
    }

    /// The coefficients of an output.
    pub(crate) fn output(&self, output: usize) -> &[T] {
        self.jet.output(&self.tape, output)
    }
}
