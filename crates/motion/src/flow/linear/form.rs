//! The coefficients of a mode if its field is linear, which the derivatives of its formulas show.

use saltation_expr::{Function, Graph, Jet, Node, Operation, Tape};
use saltation_numerics::number::Number;

/// The coefficients of a linear mode as formulas of the parameters: the matrix A row by row, then the row c of every output.
#[derive(Debug, Clone)]
pub(crate) struct LinearForm {
    coefficients: Tape,
    /// The number of states without the phase.
    pub moving: usize,
    /// Whether the phase enters through sums and products of sines and cosines alone, so that samples say what holds between them.
    pub trigonometric: bool,
}

impl LinearForm {
    /// The form of the rates and outputs of a mode; `symbols` are the states, the phase (if `phase`) last.
    ///
    /// # Errors
    /// The first formula that is not of the form: its place among rates and then outputs.
    pub(crate) fn new(
        graph: &mut Graph,
        symbols: &[Node],
        parameters: &[Node],
        (rates, outputs): (&[Node], &[Node]),
        phase: bool,
    ) -> Result<LinearForm, usize> {
        let moving = symbols.len() - usize::from(phase);
        let zero = graph.constant(0.0);
        let mut trigonometric = true;
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
            trigonometric &= !phase || is_trigonometric(graph, formula, symbols[moving]);
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
        Ok(LinearForm { coefficients: Tape::new(graph, &[], parameters, &[], &coefficients), moving, trigonometric })
    }

    /// The coefficients with values for the parameters, row by row.
    pub(crate) fn bind<T: Number>(&self, parameters: &[T]) -> Vec<T> {
        let slots = self.coefficients.bind(parameters);
        let mut values = vec![T::ZERO; self.coefficients.outputs()];
        self.coefficients.evaluate(&slots, &[], &mut Jet::new(&self.coefficients), &mut values);
        values
    }
}

/// Whether a formula is a polynomial in the phase and in sines and cosines of its multiples: what equally spaced samples of it say holds in
/// between. Of other functions they may miss a narrow peak.
fn is_trigonometric(graph: &mut Graph, formula: Node, phase: Node) -> bool {
    graph.reachable(&[formula]).into_iter().all(|node| {
        let moves = |graph: &Graph, operand: Node| graph.depends_on(operand, phase);
        match graph.operation(node) {
            Operation::Divide(_, b) => !moves(graph, b),
            Operation::Power(a, c) => c > 0.0 && c.fract() == 0.0 || !moves(graph, a),
            Operation::Atan2(y, x) => !moves(graph, y) && !moves(graph, x),
            Operation::Apply(Function::Sin | Function::Cos, a) => {
                let slope = graph.derivative(a, phase);
                !moves(graph, slope)
            }
            Operation::Apply(_, a) => !moves(graph, a),
            _ => true,
        }
    })
}
