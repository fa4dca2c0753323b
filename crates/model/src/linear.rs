//! Decides whether a field is linear: affine in the states, with coefficients independent of states and phase, on every side of its switches.

use std::collections::HashMap;

use saltation_expr::{Graph, Node};

use crate::model::Body;
use crate::switch::Switch;

/// Whether the rates are affine on every side of all switches: their sides are constants there.
pub(crate) fn on_every_side(
    graph: &mut Graph,
    (body, rates): (&Body, &[Node]),
    switches: &[Switch],
    symbols: &[Node],
    moving: usize,
) -> bool {
    if switches.is_empty() {
        return is_linear(graph, body, rates, symbols, moving);
    }
    let mut graph = graph.clone();
    let sides = switches.iter().enumerate().map(|(k, switch)| (switch.sign, graph.symbol(&format!("side {k}"))));
    let sides: HashMap<Node, Node> = sides.collect();
    let rates = graph.substitute_all(rates, &sides);
    let mut body = body.clone();
    if let Body::Mechanics(mechanics) = &mut body {
        mechanics.force = graph.substitute_all(&mechanics.force, &sides);
    }
    is_linear(&mut graph, &body, &rates, symbols, moving)
}

/// Whether the rates of the first `moving` symbols (all but the phase) are affine in these.
pub(crate) fn is_linear(graph: &mut Graph, body: &Body, rates: &[Node], symbols: &[Node], moving: usize) -> bool {
    match body {
        Body::Flow => rates[..moving].iter().all(|&rate| is_affine(graph, rate, symbols, moving)),
        Body::Mechanics(mechanics) if mechanics.constrained.is_some() => {
            rates[..moving].iter().all(|&rate| is_affine(graph, rate, symbols, moving))
        }
        // With constant M the rates are affine where the forces are; their formulas are shorter.
        Body::Mechanics(mechanics) => {
            let free = |m: &Node| !graph.symbols_of(*m).iter().any(|symbol| symbols.contains(symbol));
            mechanics.mass.iter().flatten().all(free)
                && mechanics.force.iter().all(|&h| is_affine(graph, h, symbols, moving))
        }
    }
}

fn is_affine(graph: &mut Graph, node: Node, symbols: &[Node], moving: usize) -> bool {
    let inside = graph.symbols_of(node);
    let x: Vec<Node> = symbols[..moving].iter().copied().filter(|symbol| inside.contains(symbol)).collect();
    graph.is_affine(node, &x, &symbols[moving..])
}
