//! What is evaluated in time stepping: accelerations and gaps of all contacts, and what those that are near need.

use std::collections::HashMap;

use saltation_expr::{Graph, Jet, Node, Operation, Part, Tape};
use saltation_model::{Contact, Mechanics, Model};

/// Formulas with the room in which they are evaluated.
#[derive(Debug)]
pub(super) struct Evaluated {
    tape: Tape,
    slots: Vec<f64>,
    jet: Jet<f64>,
    pub values: Vec<f64>,
}

impl Evaluated {
    fn new(graph: &Graph, states: &[Node], parameters: &[(Node, f64)], outputs: &[Node]) -> Evaluated {
        let (symbols, numbers): (Vec<Node>, Vec<f64>) = parameters.iter().copied().unzip();
        let tape = Tape::new(graph, states, &symbols, &[], outputs);
        let slots = tape.bind(&numbers);
        let jet = Jet::new(&tape);
        Evaluated { values: vec![0.0; outputs.len()], tape, slots, jet }
    }

    #[inline]
    pub(super) fn at(&mut self, state: &[f64]) -> &[f64] {
        self.tape.evaluate(&self.slots, state, &mut self.jet, &mut self.values);
        &self.values
    }
}

/// Formulas of all states.
pub(super) fn of_states(model: &Model, parameters: &[f64], outputs: &[Node]) -> Evaluated {
    let Part { mut graph, roots, .. } = model.graph.part(outputs);
    let states: Vec<Node> = model.states.iter().map(|state| graph.symbol(&state.name)).collect();
    let names = model.parameters.iter().map(|parameter| graph.symbol(&parameter.name));
    let parameters: Vec<(Node, f64)> = names.zip(parameters.iter().copied()).collect();
    Evaluated::new(&graph, &states, &parameters, &roots)
}

/// Which part of the state an acceleration is derived by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// A coordinate.
    Coordinate,
    /// A velocity.
    Velocity,
}

/// One derivative of an acceleration that is not zero everywhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Which acceleration.
    pub row: usize,
    /// By which coordinate, or which velocity.
    pub column: usize,
    pub by: By,
}

/// The derivatives of the accelerations by coordinates and velocities that are not zero everywhere, with their places, and whether they depend on
/// parameters only. Nothing where all are zero.
pub(super) fn of_derivatives(
    model: &Model,
    body: &Mechanics,
    parameters: &[f64],
) -> Option<(Evaluated, Vec<Place>, bool)> {
    let rates: Vec<Node> = body.velocities.iter().map(|&velocity| model.states[velocity].rate).collect();
    let Part { mut graph, roots, .. } = model.graph.part(&rates);
    let states: Vec<Node> = model.states.iter().map(|state| graph.symbol(&state.name)).collect();
    let names = model.parameters.iter().map(|parameter| graph.symbol(&parameter.name));
    let parameters: Vec<(Node, f64)> = names.zip(parameters.iter().copied()).collect();
    let columns = |list: &[usize], by: By| -> HashMap<Node, (usize, By)> {
        list.iter().enumerate().map(|(column, &state)| (states[state], (column, by))).collect()
    };
    let mut known = columns(&body.coordinates, By::Coordinate);
    known.extend(columns(&body.velocities, By::Velocity));
    let (mut places, mut outputs) = (Vec::new(), Vec::new());
    for (row, &rate) in roots.iter().enumerate() {
        for symbol in graph.symbols_of(rate) {
            let Some(&(column, by)) = known.get(&symbol) else { continue };
            let slope = graph.derivative(rate, symbol);
            if graph.as_constant(slope) != Some(0.0) {
                places.push(Place { row, column, by });
                outputs.push(slope);
            }
        }
    }
    let is_constant =
        !outputs.iter().any(|&slope| graph.symbols_of(slope).iter().any(|symbol| states.contains(symbol)));
    (!places.is_empty()).then(|| (Evaluated::new(&graph, &states, &parameters, &outputs), places, is_constant))
}

/// The place of the numbers of a contact among the outputs of its formulas.
const NORMAL_DRIFT: usize = 0;
const TANGENTIAL_DRIFT: usize = 1;
const RESTITUTION: usize = 2;
const COEFFICIENT: usize = 3;
const FIRST_ROW: usize = 4;

/// Where the numbers of one contact come from: formulas that it may share with others of its kind, and its own states.
#[derive(Debug)]
pub(super) struct Source {
    kind: usize,
    /// The states in the formulas.
    states: Vec<usize>,
    /// The velocities whose coefficients in w_N and w_T are not zero everywhere.
    pub columns: Vec<usize>,
    /// The velocities that M^-1 w_N and M^-1 w_T move.
    pub moved: Vec<usize>,
}

/// The formulas of all contacts. Two contacts with the same formulas in other states are of one kind: all pairs of discs share one tape.
#[derive(Debug)]
pub(super) struct Contacts {
    kinds: Vec<Evaluated>,
    pub sources: Vec<Source>,
    /// The states of one contact.
    inside: Vec<f64>,
}

/// The numbers of one contact at a state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers<'a> {
    /// dg/dphi phi', the part of the opening speed that does not depend on velocities.
    pub normal_drift: f64,
    /// The same of the speed of slip, less the belt.
    pub tangential_drift: f64,
    /// e
    pub restitution: f64,
    /// mu
    pub coefficient: f64,
    /// w_N and w_T over the columns.
    pub normal: &'a [f64],
    pub tangential: &'a [f64],
    /// M^-1 w_N and M^-1 w_T over the velocities that are moved.
    pub normal_response: &'a [f64],
    pub tangential_response: &'a [f64],
}

impl Contacts {
    pub(super) fn new(model: &Model, body: &Mechanics, parameters: &[f64]) -> Contacts {
        let mut contacts = Contacts { kinds: Vec::new(), sources: Vec::new(), inside: Vec::new() };
        let mut known: HashMap<String, usize> = HashMap::new();
        for contact in &model.contacts {
            contacts.add(model, body, parameters, contact, &mut known);
        }
        contacts
    }

    fn add(
        &mut self,
        model: &Model,
        body: &Mechanics,
        numbers: &[f64],
        contact: &Contact,
        known: &mut HashMap<String, usize>,
    ) {
        let is_zero = |node: Node| model.graph.as_constant(node) == Some(0.0);
        let friction = contact.friction.as_ref();
        let moves = |velocity: &usize| {
            !is_zero(contact.response[*velocity]) || friction.is_some_and(|f| !is_zero(f.response[*velocity]))
        };
        let moved: Vec<usize> = body.velocities.iter().copied().filter(moves).collect();
        let mut roots = vec![contact.gap, contact.restitution];
        roots.extend(friction.iter().flat_map(|f| [f.track, f.coefficient, f.belt]));
        let first_rate = roots.len();
        roots.extend(model.phases().map(|phase| phase.rate));
        let first_response = roots.len();
        roots.extend(moved.iter().map(|&velocity| contact.response[velocity]));
        roots.extend(friction.iter().flat_map(|f| moved.iter().map(|&velocity| f.response[velocity])));
        let Part { mut graph, roots, symbols } = model.graph.part(&roots);
        let (gap, restitution) = (roots[0], roots[1]);
        let rubbing = friction.map(|_| (roots[2], roots[3], roots[4]));
        let responses = &roots[first_response..];

        let place = |symbol: usize| graph.find_symbol(model.graph.symbol_name(symbol));
        let columns: Vec<(usize, Node)> = body
            .coordinates
            .iter()
            .zip(&body.velocities)
            .filter_map(|(&coordinate, &velocity)| Some((velocity, place(coordinate)?)))
            .collect();
        let phases = model.phases().zip(&roots[first_rate..first_response]);
        let phases: Vec<(Node, Node)> = phases.filter_map(|(phase, &rate)| Some((place(phase.state)?, rate))).collect();
        let drift = |graph: &mut Graph, node: Node| {
            let zero = graph.constant(0.0);
            phases.iter().fold(zero, |sum, &(phase, rate)| {
                let slope = graph.derivative(node, phase);
                let part = graph.multiply(slope, rate);
                graph.add(sum, part)
            })
        };
        let zero = graph.constant(0.0);
        let across: Vec<Node> = columns.iter().map(|(_, symbol)| graph.derivative(gap, *symbol)).collect();
        let along: Vec<Node> = match rubbing {
            Some((track, ..)) => columns.iter().map(|(_, symbol)| graph.derivative(track, *symbol)).collect(),
            None => vec![zero; columns.len()],
        };
        let mut outputs = vec![drift(&mut graph, gap), zero, restitution, zero];
        if let Some((track, coefficient, belt)) = rubbing {
            let moving = drift(&mut graph, track);
            outputs[TANGENTIAL_DRIFT] = graph.subtract(moving, belt);
            outputs[COEFFICIENT] = coefficient;
        }
        let kept: Vec<usize> = (0..columns.len()).filter(|&i| across[i] != zero || along[i] != zero).collect();
        outputs.extend(kept.iter().map(|&i| across[i]));
        outputs.extend(kept.iter().map(|&i| along[i]));
        outputs.extend(responses);
        outputs.resize(FIRST_ROW + 2 * kept.len() + 2 * moved.len(), zero);

        let states = model.states.len();
        let (inside, parameters): (Vec<usize>, Vec<usize>) = symbols.iter().partition(|&&symbol| symbol < states);
        let node = |graph: &Graph, symbol: usize| graph.find_symbol(model.graph.symbol_name(symbol));
        let local: Vec<Node> = inside.iter().filter_map(|&symbol| node(&graph, symbol)).collect();
        let key = key(&graph, &outputs, &local, &symbols);
        let kind = *known.entry(key).or_insert_with(|| {
            let parameters: Vec<(Node, f64)> =
                parameters.iter().filter_map(|&p| Some((node(&graph, p)?, numbers[p - states]))).collect();
            self.kinds.push(Evaluated::new(&graph, &local, &parameters, &outputs));
            self.kinds.len() - 1
        });
        let columns = kept.iter().map(|&i| columns[i].0).collect();
        self.sources.push(Source { kind, states: inside, columns, moved });
    }

    /// The numbers of a contact.
    #[inline]
    pub(super) fn numbers(&mut self, contact: usize, state: &[f64]) -> Numbers<'_> {
        let source = &self.sources[contact];
        self.inside.clear();
        self.inside.extend(source.states.iter().map(|&i| state[i]));
        let values = self.kinds[source.kind].at(&self.inside);
        let (rows, responses) = values[FIRST_ROW..].split_at(2 * source.columns.len());
        let (normal, tangential) = rows.split_at(source.columns.len());
        let (normal_response, tangential_response) = responses.split_at(source.moved.len());
        Numbers {
            normal_drift: values[NORMAL_DRIFT],
            tangential_drift: values[TANGENTIAL_DRIFT],
            restitution: values[RESTITUTION],
            coefficient: values[COEFFICIENT],
            normal,
            tangential,
            normal_response,
            tangential_response,
        }
    }
}

/// The same text for formulas that differ only in which states they are of.
fn key(graph: &Graph, outputs: &[Node], states: &[Node], symbols: &[usize]) -> String {
    let mut key = format!("{outputs:?} {states:?}");
    for node in graph.reachable(outputs) {
        let operation = graph.operation(node);
        key += &match operation {
            // A parameter is the same in all of them, a state is known by its place alone.
            Operation::Symbol(symbol) if !states.contains(&node) => format!("{node:?} parameter {}", symbols[symbol]),
            _ => format!("{node:?} {operation:?}"),
        };
    }
    key
}
