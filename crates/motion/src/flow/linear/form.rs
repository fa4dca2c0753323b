//! The coefficients of a mode if its field is linear, which the derivatives of its formulas show.

use saltation_expr::{Function, Graph, Jet, Node, Operation, Tape};
use saltation_numerics::number::Number;

use super::forcing::Forcing;
use super::growth::KnownRate;
use super::harmonics::Harmonics;
use super::waves::Splitter;

/// The coefficients of a linear mode as formulas of the parameters: the matrix A row by row, the row c of every output, the rate of the phase, and the
/// harmonics of the forcing where they are known as formulas.
#[derive(Debug)]
pub(crate) struct LinearForm {
    coefficients: Tape,
    /// The number of states without the phase.
    pub moving: usize,
    outputs: usize,
    harmonics: Option<Harmonics>,
    /// Whether the phase enters through sums and products of sines and cosines alone, so that samples say what holds between them.
    trigonometric: bool,
    growth: KnownRate,
}

/// The coefficients with values for the parameters.
#[derive(Debug, Clone)]
pub(crate) struct Coefficients<T> {
    values: Vec<T>,
    moving: usize,
    outputs: usize,
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
        let (mut functions, mut phase_rate) = (Vec::with_capacity(moving + outputs.len()), zero);
        for (position, &formula) in rates.iter().chain(outputs).enumerate() {
            if phase && position == moving {
                // The phase moves at a rate of its own.
                if graph.symbols_of(formula).iter().any(|symbol| symbols.contains(symbol)) {
                    return Err(position);
                }
                phase_rate = formula;
                continue;
            }
            functions.push(formula);
            let inside = graph.symbols_of(formula);
            if graph.has_side_of(formula, symbols) {
                return Err(position);
            }
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
        coefficients.push(phase_rate);
        let (states, phase) = symbols.split_at(moving);
        let harmonics = Harmonics::new(&mut Splitter::new(graph, states, phase.first().copied()), &functions);
        let harmonics = harmonics.map(|(harmonics, values)| {
            coefficients.extend(values);
            harmonics
        });
        let coefficients = Tape::new(graph, &[], parameters, &[], &coefficients);
        Ok(LinearForm {
            coefficients,
            moving,
            outputs: outputs.len(),
            harmonics,
            trigonometric,
            growth: KnownRate::default(),
        })
    }

    /// Whether the harmonics are known as formulas.
    #[cfg(test)]
    pub(super) fn has_formulas(&self) -> bool {
        self.harmonics.is_some()
    }

    /// The same with harmonics from samples.
    #[cfg(test)]
    pub(super) fn sampled(self) -> LinearForm {
        LinearForm { harmonics: None, ..self }
    }

    /// A bound on the growth of the states, for a matrix of this form.
    pub(crate) fn growth(&self, matrix: &[f64]) -> f64 {
        self.growth.of(matrix, self.moving)
    }

    /// The coefficients with values for the parameters.
    pub(crate) fn bind<T: Number>(&self, parameters: &[T]) -> Coefficients<T> {
        let values = self.coefficients.values(parameters);
        Coefficients { values, moving: self.moving, outputs: self.outputs }
    }

    /// The harmonics of the rates and of as many outputs that the number of `functions` says, by their formulas, or else by samples of the tape.
    ///
    /// # Errors
    /// The first function that is no sum of harmonics of the period.
    pub(crate) fn forcing<T: Number>(
        &self,
        coefficients: &Coefficients<T>,
        functions: usize,
        (tape, slots): (&Tape, &[T]),
        period: Option<T>,
    ) -> Result<Forcing<T>, usize> {
        if let Some(harmonics) = &self.harmonics {
            return harmonics.bind(coefficients.waves(), functions, period);
        }
        let n = self.moving;
        let mut jet = Jet::new(tape);
        let mut point = vec![T::ZERO; tape.states()];
        let mut rates = vec![T::ZERO; tape.states()];
        let mut sample = |phase: T, values: &mut [T]| {
            if let Some(last) = point.get_mut(n) {
                *last = phase;
            }
            tape.rates(slots, &point, &mut jet, &mut rates);
            values[..n].copy_from_slice(&rates[..n]);
            if functions > n {
                tape.evaluate(slots, &point, &mut jet, &mut values[n..]);
            }
        };
        let Some(period) = period else {
            let mut values = vec![T::ZERO; functions];
            sample(T::ZERO, &mut values);
            return Ok(Forcing::constant(&values));
        };
        let forcing = Forcing::resolve(functions, period, &mut sample)?;
        if !self.trigonometric {
            forcing.certify((tape, slots), period)?;
        }
        Ok(forcing)
    }
}

impl<T: Number> Coefficients<T> {
    /// The matrix A, row by row.
    pub(crate) fn matrix(&self) -> &[T] {
        &self.values[..self.moving * self.moving]
    }

    /// The row c of an output.
    pub(crate) fn output(&self, output: usize) -> &[T] {
        &self.values[(self.moving + output) * self.moving..][..self.moving]
    }

    /// The rate of the phase; zero if there is none.
    pub(crate) fn phase_rate(&self) -> T {
        self.values[(self.moving + self.outputs) * self.moving]
    }

    /// What the harmonics are made of.
    fn waves(&self) -> &[T] {
        &self.values[(self.moving + self.outputs) * self.moving + 1..]
    }

    /// Whether A and all rows c are finite.
    pub(crate) fn is_finite(&self) -> bool {
        self.values[..(self.moving + self.outputs) * self.moving].iter().all(|c| c.is_finite())
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
            Operation::Apply(_, a) | Operation::Piece(_, _, a) => !moves(graph, a),
            _ => true,
        }
    })
}
