//! Is the field of a mode linear, and what are its coefficients? The derivatives of its formulas say so.

use saltation_expr::{Graph, Jet, Node, Tape};
use saltation_numerics::number::Number;

/// The coefficients of a linear mode as formulas of the parameters: the matrix A row by row, then the row c of every output.
#[derive(Debug, Clone)]
pub(crate) struct LinearForm {
    coefficients: Tape,
    /// The number of states without the phase.
    pub moving: usize,
}

impl LinearForm {
    /// The form of the rates and outputs of a mode; `symbols` are the states, the phase (if `phase`) last.
    ///
    /// # Errors
    /// The first formula that is not of the form: its place among rates and then outputs.
    pub fn new(
        graph: &mut Graph,
        symbols: &[Node],
        parameters: &[Node],
        (rates, outputs): (&[Node], &[Node]),
        phase: bool,
    ) -> Result<LinearForm, usize> {
        let moving = symbols.len() - usize::from(phase);
        let zero = graph.constant(0.0);
        let mut coefficients = Vec::with_capacity((moving + outputs.len()) * moving);
        for (position, &formula) in rates.iter().chain(outputs).enumerate() {
            if phase && position == moving {
                // The phase moves at a rate of its own.
                if graph.symbols_of(formula).iter().any(|symbol| symbols.contains(symbol)) {
                    return Err(position);
                }
                continue;
            }
            let inside = graph.symbols_of(formula);
            for &state in &symbols[..moving] {
                if inside.binary_search(&state).is_err() {
                    coefficients.push(zero);
                    continue;
                }
                let coefficient = graph.derivative(formula, state);
                if graph.symbols_of(coefficient).iter().any(|symbol| symbols.contains(symbol)) {
                    return Err(position);
                }
                coefficients.push(coefficient);
            }
        }
        Ok(LinearForm { coefficients: Tape::new(graph, &[], parameters, &[], &coefficients), moving })
    }

    /// The coefficients with values for the parameters, row by row.
    pub fn bind<T: Number>(&self, parameters: &[T]) -> Vec<T> {
        let slots = self.coefficients.bind(parameters);
        let mut values = vec![T::ZERO; self.coefficients.outputs()];
        self.coefficients.evaluate(&slots, &[], &mut Jet::new(&self.coefficients), &mut values);
        values
    }
}
