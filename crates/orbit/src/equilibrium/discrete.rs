//! Values of discrete states at which equilibria are looked for: those of the start, and those to which the jumps of events lead.

use std::collections::HashMap;

use saltation_expr::{Graph, Node};
use saltation_model::{Direction, Model, Reset, StateKind, Values};
use saltation_motion::{ClosedSet, Side, System};

/// Starts with all values of discrete states that are known to be reached.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reached {
    /// The start, and then the same with other discrete states.
    pub starts: Vec<Vec<f64>>,
    /// The discrete states that have further values, or may have.
    pub open: Vec<usize>,
}

/// Starts at all values that the jumps lead to, in any order, as far as these depend on discrete states and parameters alone; at most so many.
pub(super) fn reached(system: &System, values: &Values, most: usize) -> Reached {
    let model = system.model();
    let jumps = Jumps::new(model, values);
    let mut reached = Reached { starts: vec![values.start().to_vec()], open: Vec::new() };
    let deciding = deciding(model);
    if deciding.is_empty() {
        return reached;
    }
    let mut done = 0;
    while let Some(start) = reached.starts.get(done).cloned() {
        done += 1;
        for reset in &model.resets {
            let Some(after) = jumps.after(reset, &start) else { continue };
            let mut next = start.clone();
            let unknown: Vec<usize> = deciding.iter().copied().filter(|&d| after[d].is_none()).collect();
            deciding.iter().for_each(|&d| next[d] = after[d].unwrap_or(next[d]));
            let known = reached.starts.iter().any(|other| deciding.iter().all(|&d| other[d] == next[d]));
            match (unknown.is_empty(), known) {
                (true, true) => {}
                (true, false) if reached.starts.len() < most => reached.starts.push(next),
                (true, false) => reached.open.extend(deciding.iter().filter(|&&d| next[d] != start[d])),
                (false, _) => reached.open.extend(unknown),
            }
        }
    }
    reached.open.sort_unstable();
    reached.open.dedup();
    reached
}

/// A mode with sides of surfaces of events as at a state, where motions at these discrete states may cross them and nothing happens.
pub(super) fn on_own_sides(system: &System, values: &Values, closed: ClosedSet, state: &[f64]) -> ClosedSet {
    let model = system.model();
    let own = system.sides_at(values.parameters(), state);
    let beyond = (0..model.switches.len()).filter(|&k| !system.is_felt(k) && closed.sides().of(k) != own.of(k));
    let beyond: Vec<usize> = beyond.collect();
    if beyond.is_empty() {
        return closed;
    }
    let jumps = Jumps::new(model, values);
    let crossed = |reset: &&Reset, k: usize| {
        let to = match own.of(k) {
            Side::Positive => Direction::Rising,
            Side::Negative | Side::Sliding => Direction::Falling,
        };
        reset.switch == k && (reset.direction == Direction::Any || reset.direction == to)
    };
    let free = |&k: &usize| {
        model.resets.iter().filter(|reset| crossed(reset, k)).all(|reset| !reset.stops && jumps.keeps(reset, state))
    };
    beyond.into_iter().filter(free).fold(closed, |mode, k| mode.with_side(k, own.of(k)))
}

/// The discrete states on which a rate, a gap, friction or a switch depends.
fn deciding(model: &Model) -> Vec<usize> {
    let discrete = |&i: &usize| matches!(model.states[i].kind, StateKind::Discrete);
    let discrete: Vec<usize> = (0..model.states.len()).filter(discrete).collect();
    if discrete.is_empty() {
        return discrete;
    }
    let rates = model.states.iter().map(|state| state.rate);
    let frictions = model.contacts.iter().filter_map(|contact| contact.friction.as_ref());
    let frictions = frictions.flat_map(|friction| [friction.coefficient, friction.slip]);
    let switches = model.switches.iter().flat_map(|switch| [Some(switch.function), switch.held.map(|held| held.0)]);
    let formulas: Vec<Node> = rates
        .chain(model.contacts.iter().map(|contact| contact.gap))
        .chain(frictions)
        .chain(switches.flatten())
        .collect();
    let seen = model.graph.reachable(&formulas);
    discrete.into_iter().filter(|&i| seen.contains(&model.states[i].symbol)).collect()
}

/// The jumps of events at values of the parameters and of discrete states.
struct Jumps<'m> {
    model: &'m Model,
    parameters: Vec<f64>,
}

impl<'m> Jumps<'m> {
    fn new(model: &'m Model, values: &Values) -> Jumps<'m> {
        Jumps { model, parameters: values.parameters().to_vec() }
    }

    /// Formulas with the numbers of parameters, and of discrete states as in a state.
    fn at(&self, state: &[f64], formulas: &[Node]) -> (Graph, Vec<Node>) {
        let Jumps { model, parameters } = self;
        let mut graph = model.graph.clone();
        let mut numbers: HashMap<Node, Node> = HashMap::new();
        for (parameter, &value) in model.parameters.iter().zip(parameters) {
            numbers.insert(parameter.symbol, graph.constant(value));
        }
        for (known, &value) in model.states.iter().zip(state) {
            if matches!(known.kind, StateKind::Discrete) {
                numbers.insert(known.symbol, graph.constant(value));
            }
        }
        let formulas = formulas.iter().map(|&formula| graph.substitute(formula, &numbers)).collect();
        (graph, formulas)
    }

    /// Whether an event does not happen at these discrete states.
    fn is_off(&self, reset: &Reset, state: &[f64]) -> bool {
        let (graph, condition) = self.at(state, reset.condition.as_slice());
        condition.first().is_some_and(|&condition| graph.as_constant(condition).is_some_and(|value| value <= 0.0))
    }

    /// The states just after an event, as far as they do not depend on the others; none if it does not happen at these discrete states, or ends the trajectory.
    fn after(&self, reset: &Reset, state: &[f64]) -> Option<Vec<Option<f64>>> {
        if reset.stops || self.is_off(reset, state) {
            return None;
        }
        let (graph, after) = self.at(state, &reset.after);
        Some(after.iter().map(|&after| graph.as_constant(after)).collect())
    }

    /// Whether an event changes nothing at these discrete states.
    fn keeps(&self, reset: &Reset, state: &[f64]) -> bool {
        if self.is_off(reset, state) {
            return true;
        }
        let (graph, after) = self.at(state, &reset.after);
        let states = self.model.states.iter().zip(state).zip(after);
        states.into_iter().all(|((known, &value), after)| match known.kind {
            StateKind::Discrete => graph.as_constant(after) == Some(value),
            _ => after == known.symbol,
        })
    }
}
