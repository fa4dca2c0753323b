//! The formula that lost its value: the innermost one without a finite value, or the one nearest to the edge of its domain.

use saltation_expr::{Function, Graph, Node, Operation};
use saltation_model::{Contact, Model, State};
use saltation_numerics::elementary;

use super::automaton::Automaton;
use crate::ended::Ended;
use crate::instant::knowledge::SINGULAR;

impl Automaton<'_> {
    /// Why no step can be made from the current state.
    pub(crate) fn diagnose(&self) -> Ended {
        // Beside a singular place of constraints their forces leave the range of numbers.
        if let Err(singular) = self.require_regular(SINGULAR.sqrt()) {
            return singular;
        }
        if let Some(ended) = self.undefined() {
            return ended;
        }
        // All formulas have values here, but a step ahead one has none: the one whose argument is closest to where it ends.
        let model = self.system.model();
        let value = symbol_values(self.system.model(), &self.now.state, &self.parameters);
        let mut nearest: Option<(f64, String, Node)> = None;
        for (quantity, node) in self.quantities().into_iter().chain(self.coefficients()) {
            if let Some((distance, part)) = nearest_edge((&model.graph, &model.states), node, &value)
                && distance < 1e-3
                && nearest.as_ref().is_none_or(|(d, ..)| distance < *d)
            {
                nearest = Some((distance, quantity, part));
            }
        }
        if let Some((_, quantity, part)) = nearest {
            // At a branch point the formula has a value and no derivative.
            let quantity =
                if has_value_at_edge(&model.graph, part) { format!("the derivative of {quantity}") } else { quantity };
            return Ended::NotFinite { quantity, formula: model.graph.print(part) };
        }
        // No formula is at an edge: the motion itself grows without bound.
        let jet = &self.modes.now().series.jet;
        let growth = |i: usize| {
            let c = jet.state(i);
            let last = c[c.len() - 1].abs();
            if last.is_finite() { last } else { f64::INFINITY }
        };
        let state = (0..self.now.state.len()).max_by(|&a, &b| growth(a).total_cmp(&growth(b))).unwrap_or(0);
        Ended::StepCollapsed { state }
    }

    /// Why an output of the present mode has no series at the current state: it has no value, or a part of it is where its values end.
    pub(crate) fn diagnose_output(&self, output: usize) -> Ended {
        let mode = self.modes.now();
        let (quantity, graph, node) = self.system.output_formula(mode.closed, &mode.redundant, output);
        let value = symbol_values(self.system.model(), &self.now.state, &self.parameters);
        let part = graph.first_undefined(node, &value);
        let part =
            part.or_else(|| nearest_edge((&graph, &self.system.model().states), node, &value).map(|(_, part)| part));
        Ended::NotFinite { quantity, formula: graph.print(part.unwrap_or(node)) }
    }

    /// Why the coefficient of friction of a contact has no value at the current state.
    pub(crate) fn diagnose_friction(&self, contact: usize) -> Ended {
        let model = self.system.model();
        let Contact { name, friction, .. } = &model.contacts[contact];
        let value = symbol_values(self.system.model(), &self.now.state, &self.parameters);
        let formulas = friction.iter().flat_map(|f| [Some(f.forward), Some(f.backward), f.held]).flatten();
        let part = formulas.into_iter().find_map(|node| model.graph.first_undefined(node, &value));
        Ended::NotFinite {
            quantity: format!("the coefficient of friction of contact {name}"),
            formula: part.map_or_else(String::new, |part| model.graph.print(part)),
        }
    }

    /// The first quantity without a finite value at the current state, if there is one.
    pub(crate) fn undefined(&self) -> Option<Ended> {
        let model = self.system.model();
        let value = symbol_values(self.system.model(), &self.now.state, &self.parameters);
        self.quantities().into_iter().find_map(|(quantity, node)| {
            let formula = model.graph.first_undefined(node, &value)?;
            if let Operation::Piece(lookup, _, argument) = model.graph.operation(formula) {
                let value = model.graph.evaluate(argument, &value);
                return Some(Ended::OutsideTable { lookup, value });
            }
            Some(Ended::NotFinite { quantity, formula: model.graph.print(formula) })
        })
    }

    /// Why the impact law of a contact gives no finite state.
    pub(crate) fn diagnose_impact(&self, contact: usize) -> Ended {
        let model = self.system.model();
        let law = &model.contacts[contact];
        let value = symbol_values(self.system.model(), &self.now.state, &self.parameters);
        let formula = law.after.iter().find_map(|&node| model.graph.first_undefined(node, &value));
        Ended::NotFinite {
            quantity: format!("the state after an impact of contact {}", law.name),
            formula: formula.map_or_else(String::new, |f| model.graph.print(f)),
        }
    }

    /// The rates and gaps with the words for them.
    fn quantities(&self) -> Vec<(String, Node)> {
        let model = self.system.model();
        let rates = model.states.iter().map(|s| (format!("the rate of {}", s.name), s.rate));
        let gaps = model.contacts.iter().map(|c| (format!("the gap of contact {}", c.name), c.gap));
        rates.chain(gaps).collect()
    }

    /// The coefficients of friction of the closed contacts with the words for them.
    fn coefficients(&self) -> Vec<(String, Node)> {
        let contacts = &self.system.model().contacts;
        let closed = self.closed();
        let of = |contact: usize| {
            let friction = contacts[contact].friction.as_ref()?;
            Some((format!("the coefficient of friction of contact {}", contacts[contact].name), friction.coefficient))
        };
        closed.iter().filter_map(of).collect()
    }
}

/// Values of the symbols of a model by their index, at a state and values of the parameters.
pub(crate) fn symbol_values<'a>(
    model: &'a Model,
    state: &'a [f64],
    parameters: &'a [f64],
) -> impl Fn(usize) -> f64 + 'a {
    move |symbol| {
        let name = model.graph.symbol_name(symbol);
        let state = model.states.iter().position(|s| s.name == name).map(|i| state[i]);
        let parameter = || model.parameters.iter().position(|p| p.name == name).map(|i| parameters[i]);
        state.or_else(parameter).unwrap_or(f64::NAN)
    }
}

/// The part of a formula whose argument is nearest to where its values end, and its distance from there.
fn nearest_edge((graph, states): (&Graph, &[State]), node: Node, value: &dyn Fn(usize) -> f64) -> Option<(f64, Node)> {
    let values = graph.values(&[node], value);
    let value_of = |n: Node| values.get(&n).copied().unwrap_or(f64::NAN);
    let parts = graph.reachable(&[node]).into_iter();
    let distances = parts.filter_map(|part| Some((distance_from_edge((graph, states), part, &value_of)?, part)));
    distances.min_by(|a, b| a.0.total_cmp(&b.0))
}

/// How far an operation's argument is from where the operation is singular; `None` if it is defined everywhere, or its argument is the same
/// at all states.
fn distance_from_edge((graph, states): (&Graph, &[State]), node: Node, value: &dyn Fn(Node) -> f64) -> Option<f64> {
    let (argument, distance): (Node, fn(f64) -> f64) = match graph.operation(node) {
        Operation::Divide(_, b) => (b, f64::abs),
        Operation::Power(a, c) if c < 0.0 || c.fract() != 0.0 => (a, f64::abs),
        Operation::Apply(Function::Sqrt | Function::Log, a) => (a, f64::abs),
        Operation::Apply(Function::Asin | Function::Acos, a) => (a, |x| (1.0 - x.abs()).abs()),
        Operation::Apply(Function::Tan, a) => (a, |x| elementary::cos(x).abs()),
        _ => return None,
    };
    let is_state = |part: &Node| match graph.operation(*part) {
        Operation::Symbol(index) => states.iter().any(|state| state.name == graph.symbol_name(index)),
        _ => false,
    };
    graph.reachable(&[argument]).iter().any(is_state).then(|| distance(value(argument)))
}

/// Whether an operation has a value where it is singular.
fn has_value_at_edge(graph: &Graph, node: Node) -> bool {
    match graph.operation(node) {
        Operation::Power(_, c) => c > 0.0,
        Operation::Apply(Function::Sqrt | Function::Asin | Function::Acos, _) => true,
        _ => false,
    }
}
