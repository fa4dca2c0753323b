//! Quantities of a motion with their derivatives in some directions: formulas on dual numbers, forces and rates by the chain rule in the field of the present mode.

use crate::drawing::gauge::energy;
use crate::drawing::quantity::Quantity;
use saltation_expr::{Graph, Jet, Node, Tape};
use saltation_model::Model;
use saltation_motion::field::{Field, LocalField};
use saltation_motion::{Bound, ClosedSet, Side, Support, System};
use saltation_numerics::dense::Matrix;
use saltation_numerics::dual::Dual;

/// The directions that are taken through formulas together.
const LANES: usize = 4;
/// The largest number of modes whose fields are kept.
const MOST_FIELDS: usize = 32;

/// What is evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Subject {
    /// A quantity of the trajectory.
    Quantity(Quantity),
    /// A formula of states and parameters, in a graph that has grown out of that of the model.
    Formula(Node),
}

/// How a subject is evaluated.
#[derive(Debug, Clone, Copy)]
enum Way {
    State(usize),
    /// An output of the formulas.
    Output(usize),
    Rate(usize),
    Force(usize),
    /// The difference of the forces of two contacts.
    Sides([usize; 2]),
    /// The force of a constraint of its own.
    Reaction(usize),
    Multiplier(usize),
    Nothing,
}

/// Evaluates subjects and their derivatives on one motion.
#[derive(Debug)]
pub(crate) struct Slopes<'a> {
    system: &'a System,
    ways: Vec<Way>,
    tape: Tape,
    groups: Vec<Vec<Dual<LANES>>>,
    jet: Jet<Dual<LANES>>,
    state: Vec<Dual<LANES>>,
    outputs: Vec<Dual<LANES>>,
    parameters: Vec<f64>,
    directions: Vec<Vec<f64>>,
    fields: Vec<Field<'a>>,
}

impl<'a> Slopes<'a> {
    /// Some subjects of a model, whose formulas stand in `graph`; `system` is the model compiled.
    pub(crate) fn new(system: &'a System, model: &Model, mut graph: Graph, subjects: &[Subject]) -> Slopes<'a> {
        let mut nodes = Vec::new();
        let mut output = |node: Node| {
            nodes.push(node);
            Way::Output(nodes.len() - 1)
        };
        let mut way = |subject: &Subject| match *subject {
            Subject::Formula(node) => output(node),
            Subject::Quantity(quantity) => match quantity {
                Quantity::State(state) => Way::State(state),
                Quantity::Gap(contact) => output(model.contacts[contact].gap),
                Quantity::Energy => energy(model, &mut graph).map_or(Way::Nothing, &mut output),
                Quantity::Rate(state) => Way::Rate(state),
                Quantity::Force(contact) => Way::Force(contact),
                Quantity::Multiplier(element) => Way::Multiplier(element),
                Quantity::Reaction(constraint) => {
                    let known = &system.model().constraints[constraint];
                    known.sides.map(Way::Sides).or(known.force.map(Way::Reaction)).unwrap_or(Way::Nothing)
                }
            },
        };
        let ways: Vec<Way> = subjects.iter().map(&mut way).collect();
        let tape = Tape::new(&graph, &model.state_symbols(), &model.parameter_symbols(), &[], &nodes);
        let jet = Jet::new(&tape);
        let (states, outputs) = (model.states.len(), nodes.len());
        let zero = Dual { value: 0.0, tangent: [0.0; LANES] };
        Slopes {
            system,
            ways,
            tape,
            groups: Vec::new(),
            jet,
            state: vec![zero; states],
            outputs: vec![zero; outputs],
            parameters: Vec::new(),
            directions: Vec::new(),
            fields: Vec::new(),
        }
    }

    /// Binds the values of the parameters, and their change in every direction.
    pub(crate) fn bind(&mut self, parameters: &[f64], directions: &[Vec<f64>]) {
        self.parameters = parameters.to_vec();
        if directions.len() == self.directions.len() {
            self.fields.iter_mut().for_each(|field| field.bind(parameters, directions));
        } else {
            self.fields.clear();
        }
        self.directions = directions.to_vec();
        let group = |first: usize| {
            let tangent = |p: usize| std::array::from_fn(|m| directions.get(first + m).map_or(0.0, |d| d[p]));
            let bound = parameters.iter().enumerate().map(|(p, &value)| Dual { value, tangent: tangent(p) });
            self.tape.bind(&bound.collect::<Vec<_>>())
        };
        self.groups = (0..directions.len().max(1)).step_by(LANES).map(group).collect();
    }

    /// The values of all subjects at a state with this mode, and their derivatives: those of the first subject, then those of the second. `tangents` is the change
    /// of the state in every direction, one after the other.
    pub(crate) fn at(
        &mut self,
        state: &[f64],
        support: Support,
        tangents: &[f64],
        values: &mut [f64],
        slopes: &mut [f64],
    ) {
        let (states, count) = (state.len(), self.directions.len());
        if !self.outputs.is_empty() {
            self.formulas(state, tangents, values, slopes);
        }
        for k in 0..self.ways.len() {
            let way = self.ways[k];
            let slopes = &mut slopes[k * count..(k + 1) * count];
            let along = |gradient: &dyn Fn(usize) -> f64, slopes: &mut [f64], factor: f64| {
                for (m, slope) in slopes.iter_mut().enumerate() {
                    let own = &tangents[m * states..(m + 1) * states];
                    // What does not change adds nothing, also where a derivative has no value.
                    let moves = own.iter().enumerate().filter(|(_, dx)| **dx != 0.0);
                    let sum: f64 = moves.map(|(i, dx)| gradient(i) * dx).sum();
                    *slope += factor * (sum + gradient(states + m));
                }
            };
            match way {
                Way::Output(_) => continue,
                Way::State(i) => {
                    values[k] = state[i];
                    slopes.iter_mut().enumerate().for_each(|(m, slope)| *slope = tangents[m * states + i]);
                    continue;
                }
                _ => slopes.fill(0.0),
            }
            values[k] = 0.0;
            let mut add = |value: f64, gradients: &Matrix, row: usize, factor: f64| {
                values[k] += factor * value;
                along(&|column| gradients[(row, column)], slopes, factor);
            };
            let place = |contact: usize| support.closed.iter().position(|other| other == contact);
            let element = |element: usize| self.system.model().complementarities[element].switch;
            match way {
                Way::State(_) | Way::Output(_) => {}
                Way::Rate(i) => {
                    let local = self.local(state, support);
                    add(local.rates[i], &local.jacobian, i, 1.0);
                }
                Way::Force(contact) => {
                    if let Some(row) = place(contact) {
                        let local = self.local(state, support);
                        add(local.forces[row], &local.force_gradients, row, 1.0);
                    }
                }
                Way::Sides([pushes, pulls]) => {
                    for (contact, sign) in [(pushes, 1.0), (pulls, -1.0)] {
                        if let Some(row) = place(contact) {
                            let local = self.local(state, support);
                            add(local.forces[row], &local.force_gradients, row, sign);
                        }
                    }
                }
                Way::Reaction(force) => {
                    let local = self.local(state, support);
                    add(local.constraint_forces[force], &local.constraint_force_gradients, force, 1.0);
                }
                Way::Multiplier(own) => {
                    let switch = element(own);
                    if support.closed.sides().of(switch) == Side::Positive {
                        let local = self.local(state, support);
                        let is_own = |bound: &(usize, Bound, f64)| bound.0 == ClosedSet::element(switch);
                        match local.bounds.iter().position(is_own) {
                            Some(row) => add(local.bounds[row].2, &local.bound_gradients, row, 1.0),
                            None => values[k] = f64::NAN,
                        }
                    }
                }
                Way::Nothing => values[k] = f64::NAN,
            }
        }
    }

    fn formulas(&mut self, state: &[f64], tangents: &[f64], values: &mut [f64], slopes: &mut [f64]) {
        let (states, count) = (state.len(), self.directions.len());
        for (group, slots) in self.groups.iter().enumerate() {
            let first = group * LANES;
            for (i, x) in self.state.iter_mut().enumerate() {
                let tangent = |m: usize| tangents.get((first + m) * states + i).copied().unwrap_or(0.0);
                *x = Dual { value: state[i], tangent: std::array::from_fn(tangent) };
            }
            self.tape.evaluate(slots, &self.state, &mut self.jet, &mut self.outputs);
            for (k, way) in self.ways.iter().enumerate() {
                let Way::Output(output) = way else { continue };
                values[k] = self.outputs[*output].value;
                let own = first..(first + LANES).min(count);
                own.for_each(|m| slopes[k * count + m] = self.outputs[*output].tangent[m - first]);
            }
        }
    }

    /// The rate of change of every state.
    pub(crate) fn rates(&mut self, state: &[f64], support: Support) -> &[f64] {
        &self.local(state, support).rates
    }

    /// The field of the present mode at a state.
    fn local(&mut self, state: &[f64], support: Support) -> &LocalField {
        let known = self.fields.iter().position(|known| known.is_of(support));
        let last = match known {
            Some(known) => known,
            None => {
                self.fields.truncate(MOST_FIELDS - 1);
                self.fields.push(Field::supported(self.system, &self.parameters, &self.directions, support));
                self.fields.len() - 1
            }
        };
        self.fields[last].at(state)
    }
}
