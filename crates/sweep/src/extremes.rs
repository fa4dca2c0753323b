//! The least and the greatest value of states and gaps along a motion, from the critical points of their polynomials on every step.

use saltation_expr::{Jet, Node, Tape};
use saltation_model::{Model, Values};
use saltation_motion::Piece;
use saltation_numerics::polynomial::{self, Workspace, real_roots};

/// A quantity along a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// A state, by its position.
    State(usize),
    /// The gap of a contact, by its position.
    Gap(usize),
}

impl Quantity {
    fn node(self, model: &Model) -> Node {
        match self {
            Quantity::State(state) => model.states[state].symbol,
            Quantity::Gap(contact) => model.contacts[contact].gap,
        }
    }
}

/// The extremes of some quantities so far.
#[derive(Debug, Clone)]
pub struct Extremes {
    tape: Tape,
    slots: Vec<f64>,
    jet: Jet<f64>,
    workspace: Workspace,
    bernstein: Vec<f64>,
    slope: Vec<f64>,
    /// The least and the greatest value of each; NaN before the first step.
    pub ranges: Vec<(f64, f64)>,
}

impl Extremes {
    /// Of these quantities of a model.
    pub fn new(model: &Model, quantities: &[Quantity]) -> Extremes {
        let nodes: Vec<Node> = quantities.iter().map(|quantity| quantity.node(model)).collect();
        let tape = Tape::new(&model.graph, &model.state_symbols(), &model.parameter_symbols(), &[], &nodes);
        Extremes {
            slots: Vec::new(),
            jet: Jet::new(&tape),
            workspace: Workspace::new(),
            bernstein: Vec::new(),
            slope: Vec::new(),
            ranges: vec![(f64::NAN, f64::NAN); quantities.len()],
            tape,
        }
    }

    /// Begins anew at other parameters.
    pub fn begin(&mut self, values: &Values) {
        self.tape.bind_into(values.parameters(), &mut self.slots);
        self.ranges.fill((f64::NAN, f64::NAN));
    }

    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Takes a step of the motion in.
    pub fn step(&mut self, piece: &Piece) {
        let Extremes { tape, slots, jet, workspace, bernstein, slope, ranges } = self;
        jet.set_order(piece.order());
        for state in 0..tape.states() {
            let row = piece.polynomial(state);
            jet.state_row(state)[..row.len()].copy_from_slice(row);
        }
        tape.compose(slots, jet);
        let h = piece.length;
        for (output, range) in ranges.iter_mut().enumerate() {
            let row = jet.output(tape, output);
            // f64::min and f64::max leave NaN out.
            let mut take = |value: f64| *range = (range.0.min(value), range.1.max(value));
            take(polynomial::evaluate(row, 0.0));
            take(polynomial::evaluate(row, h));
            bernstein.clear();
            let mut power = 1.0;
            for c in row {
                bernstein.push(c * power);
                power *= h;
            }
            polynomial::to_bernstein(bernstein);
            // A polynomial lies within its Bernstein coefficients: mostly nothing new can be found inside.
            let inside = bernstein.iter().all(|b| (range.0..=range.1).contains(b));
            if !inside {
                polynomial::differentiate(row, slope);
                for root in real_roots(slope, 0.0, h, 0.0, workspace) {
                    let value = polynomial::evaluate(row, root.at);
                    *range = (range.0.min(value), range.1.max(value));
                }
            }
        }
    }
}
