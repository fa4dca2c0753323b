//! Smoothness of the field where the phase wraps: it is smooth if formulas see the phase only through sines and
//! cosines of its multiples; otherwise steps end there.

use std::collections::HashSet;

use saltation_expr::{Function, Graph, Node, Operation, Tape};
use saltation_model::{Model, Phase};

/// How formulas see the phase.
#[derive(Debug, Clone)]
pub(crate) struct Wrap {
    /// For every sine and cosine of the phase, how often its argument turns while the phase goes round, as a formula of
    /// parameters. None if formulas see the phase otherwise.
    turns: Option<Tape>,
}

impl Wrap {
    /// How the rates, gaps, frictions, switches and events of a model see one of its phases.
    pub(crate) fn new(model: &Model, phase: &Phase, (symbols, parameters): (&[Node], &[Node])) -> Wrap {
        let (phase, period) = (symbols[phase.state], phase.period);
        let mut graph = model.graph.clone();
        let mut roots: Vec<Node> = model.states.iter().map(|state| state.rate).collect();
        for contact in &model.contacts {
            roots.push(contact.gap);
            roots.extend(contact.friction.iter().flat_map(|f| [f.coefficient, f.track, f.belt]));
        }
        roots.extend(model.switches.iter().map(|switch| switch.function));
        for reset in &model.resets {
            roots.extend(reset.after.iter().filter(|&&after| after != phase).chain(&reset.condition));
        }
        let arguments = circular_arguments(&graph, &roots, phase);
        let turn = graph.constant(std::f64::consts::TAU);
        let turns = arguments.and_then(|arguments| {
            let slopes = arguments.into_iter().map(|argument| {
                let slope = graph.derivative(argument, phase);
                let free = graph.symbols_of(slope).iter().all(|symbol| parameters.contains(symbol));
                let advance = graph.multiply(slope, period);
                free.then(|| graph.divide(advance, turn))
            });
            slopes.collect::<Option<Vec<Node>>>()
        });
        Wrap { turns: turns.map(|turns| Tape::new(&graph, &[], parameters, &[], &turns)) }
    }

    /// Whether all formulas are smooth there, at these parameters.
    pub(crate) fn is_smooth(&self, parameters: &[f64]) -> bool {
        let Some(tape) = &self.turns else { return false };
        tape.values(parameters).iter().all(|&turns| (turns - turns.round()).abs() <= 16.0 * f64::EPSILON * turns.abs())
    }
}

/// The arguments of the sines and cosines through which formulas see the phase; `None` if they see it otherwise.
fn circular_arguments(graph: &Graph, roots: &[Node], phase: Node) -> Option<Vec<Node>> {
    let mut arguments = Vec::new();
    let mut seen = HashSet::new();
    let mut waiting: Vec<Node> = roots.to_vec();
    while let Some(node) = waiting.pop() {
        if !seen.insert(node) {
            continue;
        }
        match graph.operation(node) {
            _ if node == phase => return None,
            Operation::Apply(Function::Sin | Function::Cos | Function::Tan, argument)
                if graph.depends_on(argument, phase) =>
            {
                arguments.push(argument);
            }
            _ => waiting.extend(graph.operands(node)),
        }
    }
    Some(arguments)
}
