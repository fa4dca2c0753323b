//! Evaluates the quantities of one motion on the polynomials of its steps.

use crate::drawing::quantity::Quantity;
use saltation_expr::{Jet, Node, Tape};
use saltation_model::{Model, Values};
use saltation_motion::field::{Field, LocalField};
use saltation_motion::{Bound, ClosedSet, Piece, Side, Support, System};

/// Evaluates states, gaps, contact forces and the energy of one motion.
#[derive(Debug)]
pub(crate) struct Gauge<'a> {
    system: &'a System,
    parameters: Vec<f64>,
    formulas: Formulas,
    state: Vec<f64>,
    values: Vec<f64>,
    /// The fields of the closed contacts that occurred, the last one last.
    fields: Vec<Field<'a>>,
}

/// The largest number of sets of closed contacts whose fields are kept.
const MOST_FIELDS: usize = 32;

/// Gaps and the energy, compiled.
#[derive(Debug)]
struct Formulas {
    tape: Tape,
    slots: Vec<f64>,
    jet: Jet<f64>,
    has_energy: bool,
}

impl Formulas {
    fn new(model: &Model, values: &Values) -> Formulas {
        let mut graph = model.graph.clone();
        let energy = energy(model, &mut graph);
        let outputs: Vec<Node> = model.contacts.iter().map(|contact| contact.gap).chain(energy).collect();
        let tape = Tape::new(&graph, &model.state_symbols(), &model.parameter_symbols(), &[], &outputs);
        let slots = tape.bind(values.parameters());
        let jet = Jet::new(&tape);
        Formulas { tape, slots, jet, has_energy: energy.is_some() }
    }
}

/// The energy as a formula: v dL/dv - L of a Lagrangian, v' M v/2 of another mechanical body.
pub(crate) fn energy(model: &Model, graph: &mut saltation_expr::Graph) -> Option<Node> {
    let body = model.body.mechanics()?;
    let velocities: Vec<Node> = body.velocities.iter().map(|&v| model.states[v].symbol).collect();
    if let Some(lagrangian) = body.lagrangian {
        let momenta: Vec<Node> = velocities.iter().map(|&v| graph.derivative(lagrangian, v)).collect();
        let terms: Vec<Node> = velocities.iter().zip(momenta).map(|(&v, p)| graph.multiply(v, p)).collect();
        let sum = graph.sum(terms);
        return Some(graph.subtract(sum, lagrangian));
    }
    let (mut terms, zero) = (Vec::new(), graph.constant(0.0));
    for (row, &a) in body.mass.iter().zip(&velocities) {
        for (&mass, &b) in row.iter().zip(&velocities).filter(|(mass, _)| **mass != zero) {
            let pair = graph.multiply(a, b);
            terms.push(graph.multiply(mass, pair));
        }
    }
    let (twice, half) = (graph.sum(terms), graph.constant(0.5));
    (!body.mass.is_empty()).then(|| graph.multiply(half, twice))
}

impl<'a> Gauge<'a> {
    /// The quantities of a model at these values; `system` is the model compiled.
    pub(crate) fn new(system: &'a System, model: &Model, values: &Values) -> Gauge<'a> {
        let formulas = Formulas::new(model, values);
        let outputs = model.contacts.len() + usize::from(formulas.has_energy);
        Gauge {
            system,
            parameters: values.parameters().to_vec(),
            formulas,
            state: vec![0.0; model.states.len()],
            values: vec![0.0; outputs],
            fields: Vec::new(),
        }
    }

    /// The quantities at a time since the start of a step.
    pub(crate) fn on_piece(&mut self, piece: &Piece, since: f64, wanted: &[Quantity], found: &mut [f64]) {
        piece.evaluate(since, &mut self.state);
        self.read(piece.support(), wanted, found);
    }

    /// The quantities at a state with these contacts closed.
    pub(crate) fn at(&mut self, state: &[f64], support: Support, wanted: &[Quantity], found: &mut [f64]) {
        self.state.copy_from_slice(state);
        self.read(support, wanted, found);
    }

    fn read(&mut self, support: Support, wanted: &[Quantity], found: &mut [f64]) {
        if wanted.iter().any(|quantity| matches!(quantity, Quantity::Gap(_) | Quantity::Energy)) {
            let Formulas { tape, slots, jet, .. } = &mut self.formulas;
            tape.evaluate(slots, &self.state, jet, &mut self.values);
        }
        for (value, quantity) in found.iter_mut().zip(wanted) {
            *value = match *quantity {
                Quantity::State(state) => self.state[state],
                Quantity::Gap(contact) => self.values[contact],
                Quantity::Force(contact) => self.force(contact, support),
                Quantity::Reaction(constraint) => self.reaction(constraint, support),
                Quantity::Multiplier(element) => self.multiplier(element, support),
                Quantity::Rate(state) => self.local(support).map_or(f64::NAN, |local| local.rates[state]),
                Quantity::Energy if self.formulas.has_energy => self.values.last().copied().unwrap_or(f64::NAN),
                Quantity::Energy => f64::NAN,
            };
        }
    }

    /// The force of a contact at the present state; zero if it is open.
    fn force(&mut self, contact: usize, support: Support) -> f64 {
        let Some(place) = support.closed.iter().position(|other| other == contact) else { return 0.0 };
        self.local(support).and_then(|local| local.forces.get(place).copied()).unwrap_or(f64::NAN)
    }

    /// The force of a constraint at the present state.
    fn reaction(&mut self, constraint: usize, support: Support) -> f64 {
        let known = &self.system.model().constraints[constraint];
        if let Some([pushes, pulls]) = known.sides {
            return self.force(pushes, support) - self.force(pulls, support);
        }
        let own = known.force;
        let local = self.local(support);
        own.zip(local).and_then(|(own, local)| local.constraint_forces.get(own).copied()).unwrap_or(f64::NAN)
    }

    /// The multiplier of a complementarity at the present state; zero if that is off.
    fn multiplier(&mut self, element: usize, support: Support) -> f64 {
        let switch = self.system.model().complementarities[element].switch;
        if support.closed.sides().of(switch) != Side::Positive {
            return 0.0;
        }
        let own = |bound: &&(usize, Bound, f64)| bound.0 == ClosedSet::element(switch);
        let local = self.local(support);
        local.and_then(|local| local.bounds.iter().find(own)).map_or(f64::NAN, |bound| bound.2)
    }

    /// The field at the present state.
    fn local(&mut self, support: Support) -> Option<&LocalField> {
        match self.fields.iter().position(|known| known.is_of(support)) {
            Some(known) => {
                let last = self.fields.len() - 1;
                self.fields.swap(known, last);
            }
            None => {
                self.fields.truncate(MOST_FIELDS - 1);
                self.fields.push(Field::supported(self.system, &self.parameters, &[], support));
            }
        }
        self.fields.last_mut().map(|field| field.at(&self.state))
    }
}
