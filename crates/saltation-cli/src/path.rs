//! Where does a quantity go during a motion? States and gaps, evaluated on the polynomials of the steps.

use saltation_expr::{Jet, Tape};
use saltation_model::{Model, Values};
use saltation_motion::{Piece, Trajectory};

/// What can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// A state, by its index.
    State(usize),
    /// The gap of a contact, by its index.
    Gap(usize),
}

/// Evaluates the states and gaps of one motion.
#[derive(Debug)]
pub struct Gauge {
    tape: Tape,
    slots: Vec<f64>,
    jet: Jet<f64>,
    state: Vec<f64>,
    gaps: Vec<f64>,
}

impl Gauge {
    /// The gaps of a model at these values.
    pub fn new(model: &Model, values: &Values) -> Gauge {
        let gaps: Vec<_> = model.contacts.iter().map(|contact| contact.gap).collect();
        let tape = Tape::new(&model.graph, &model.state_symbols(), &model.parameter_symbols(), &[], &gaps);
        let slots = tape.bind(&values.parameters);
        let jet = Jet::new(&tape);
        Gauge { tape, slots, jet, state: vec![0.0; model.states.len()], gaps: vec![0.0; gaps.len()] }
    }

    /// The quantities at a time since the start of a step.
    pub fn on_piece(&mut self, piece: &Piece, since: f64, wanted: &[Quantity], found: &mut [f64]) {
        piece.evaluate(since, &mut self.state);
        self.read(wanted, found);
    }

    /// The quantities at a state.
    pub fn at(&mut self, state: &[f64], wanted: &[Quantity], found: &mut [f64]) {
        self.state.copy_from_slice(state);
        self.read(wanted, found);
    }

    fn read(&mut self, wanted: &[Quantity], found: &mut [f64]) {
        if wanted.iter().any(|quantity| matches!(quantity, Quantity::Gap(_))) {
            self.tape.evaluate(&self.slots, &self.state, &mut self.jet, &mut self.gaps);
        }
        for (value, quantity) in found.iter_mut().zip(wanted) {
            *value = match *quantity {
                Quantity::State(state) => self.state[state],
                Quantity::Gap(contact) => self.gaps[contact],
            };
        }
    }
}

/// The most coefficients of a path that are kept for a figure: 400 megabytes.
const MOST_COEFFICIENTS: usize = 50_000_000;

/// The path of a motion as far as a figure can use it.
#[derive(Debug)]
pub struct Path {
    /// Its steps.
    pub trajectory: Trajectory,
    coefficients: usize,
    /// Whether later steps were left out, because there were too many.
    pub cut: bool,
}

impl Path {
    /// The empty path of a system with so many states.
    pub fn new(states: usize) -> Path {
        Path { trajectory: Trajectory::new(states), coefficients: 0, cut: false }
    }

    /// Adds a step.
    pub fn push(&mut self, piece: &Piece, states: usize) {
        self.cut |= self.coefficients > MOST_COEFFICIENTS;
        if !self.cut && states > 0 {
            self.coefficients += states * piece.polynomial(0).len();
            self.trajectory.push(piece);
        }
    }
}
