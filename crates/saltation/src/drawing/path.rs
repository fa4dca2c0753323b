//! The path of a motion: states and gaps, evaluated on the polynomials of its steps.

use crate::naming::Naming;
use crate::table::{Cell, Table};
use crate::text::{cut, number};
use saltation_expr::parse::nearest;
use saltation_expr::{Jet, Tape};
use saltation_model::{Model, Values};
use saltation_motion::{Piece, Trajectory};

/// A quantity that can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// A state, by its index.
    State(usize),
    /// The gap of a contact, by its index.
    Gap(usize),
}

impl Quantity {
    /// The state of this name, or the gap of the contact of this name.
    ///
    /// # Errors
    /// The help where the model has neither.
    pub fn named(model: &Model, name: &str) -> Result<Quantity, (String, String)> {
        let gap = || model.contact(name).map(Quantity::Gap);
        model.state(name).map(Quantity::State).or_else(gap).ok_or_else(|| {
            let contacts = model.contacts.iter().map(|contact| contact.name.as_str());
            let all: Vec<&str> = model.states.iter().map(|state| state.name.as_str()).chain(contacts).collect();
            let help = match nearest(name, all.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if all.len() > MOST_NAMED => {
                    format!("`saltation check` lists all {} states and contacts", all.len())
                }
                None => format!("there are {}", all.join(", ")),
            };
            let message = match name {
                "" => "the name of a state or contact is missing".to_string(),
                _ => format!("`{}` is neither a state nor a contact of the model", cut(name)),
            };
            (message, help)
        })
    }
}

/// The largest number of names in a message.
const MOST_NAMED: usize = 100;

/// Evaluates the states and gaps of one motion.
#[derive(Debug)]
pub(crate) struct Gauge {
    tape: Tape,
    slots: Vec<f64>,
    jet: Jet<f64>,
    state: Vec<f64>,
    gaps: Vec<f64>,
}

impl Gauge {
    /// The gaps of a model at these values.
    pub(crate) fn new(model: &Model, values: &Values) -> Gauge {
        let gaps: Vec<_> = model.contacts.iter().map(|contact| contact.gap).collect();
        let tape = Tape::new(&model.graph, &model.state_symbols(), &model.parameter_symbols(), &[], &gaps);
        let slots = tape.bind(values.parameters());
        let jet = Jet::new(&tape);
        Gauge { tape, slots, jet, state: vec![0.0; model.states.len()], gaps: vec![0.0; gaps.len()] }
    }

    /// The quantities at a time since the start of a step.
    pub(crate) fn on_piece(&mut self, piece: &Piece, since: f64, wanted: &[Quantity], found: &mut [f64]) {
        piece.evaluate(since, &mut self.state);
        self.read(wanted, found);
    }

    /// The quantities at a state.
    pub(crate) fn at(&mut self, state: &[f64], wanted: &[Quantity], found: &mut [f64]) {
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

/// The largest number of coefficients of a path that are kept for a figure: 400 megabytes.
const MOST_COEFFICIENTS: usize = 50_000_000;

/// The path of a motion as far as a figure can use it.
#[derive(Debug)]
pub(crate) struct Path {
    /// Its steps.
    pub trajectory: Trajectory,
    coefficients: usize,
    /// Whether later steps were left out, because there were too many.
    pub cut: bool,
}

impl Path {
    /// The empty path of a system with a given number of states.
    pub(crate) fn new(states: usize) -> Path {
        Path { trajectory: Trajectory::new(states), coefficients: 0, cut: false }
    }

    /// Adds a step.
    pub(crate) fn push(&mut self, piece: &Piece, states: usize) {
        self.cut |= self.coefficients > MOST_COEFFICIENTS;
        if !self.cut && states > 0 {
            self.coefficients += states * piece.polynomial(0).len();
            self.trajectory.push(piece);
        }
    }

    /// The warning if later steps were omitted.
    pub(crate) fn warning(&self) -> Option<String> {
        let end = number::short(self.trajectory.span().map_or(0.0, |(_, end)| end), 6);
        let words = || format!("the figure shows the motion only up to t = {end}, because it has too many steps");
        self.cut.then(words)
    }
}

/// The approximate number of rows for a period of a path.
const ROWS: f64 = 1000.0;

/// A table of a path: the ends of every step, and points between them. A jump has two rows at one time.
pub(crate) fn table(naming: Naming, trajectory: &Trajectory) -> Table {
    let states = naming.states();
    let whole = trajectory.span().map_or(0.0, |(from, to)| to - from);
    let mut state = vec![0.0; states.len()];
    let mut last: Option<(f64, Vec<f64>)> = None;
    let mut rows = Vec::new();
    for piece in trajectory.pieces() {
        let share = if whole > 0.0 { piece.length / whole } else { 0.0 };
        let parts = (ROWS * share).ceil().clamp(1.0, ROWS) as u32;
        for k in 0..=parts {
            let since = piece.length * (f64::from(k) / f64::from(parts));
            piece.evaluate(since, &mut state);
            // The end of one step and the start of the next are the same time up to rounding.
            let time = last.as_ref().map_or(piece.start + since, |(t, _)| t.max(piece.start + since));
            // A step begins where the last one ended, unless the state has jumped.
            if k == 0 && last.as_ref().is_some_and(|(t, x)| *t == time && same(x, &state)) {
                continue;
            }
            rows.push(std::iter::once(time).chain(naming.state(&state).map(|(_, x)| x)).map(Cell::from).collect());
            last = Some((time, state.clone()));
        }
    }
    let head = std::iter::once("time".to_string()).chain(states.iter().cloned()).collect();
    Table { name: "path", head, rows }
}

/// Whether two states are equal up to rounding errors at the boundary of two steps.
fn same(a: &[f64], b: &[f64]) -> bool {
    let size = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-12 * size)
}
