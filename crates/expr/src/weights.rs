//! Takes factors that do not move out of products, quotients and whole powers: as weights of the sums in which they end they cost nothing,
//! and formulas that differ by such a factor share one row.

use std::collections::HashMap;

use crate::graph::{Graph, Node, Operation};
use crate::tape::small_integer;

/// A node as a factor that does not move times a node.
#[derive(Clone, Copy)]
struct Scaled {
    weight: Node,
    base: Node,
}

/// The roots as nodes whose products have no such factors inside; `moving` says which nodes depend on a state.
pub(crate) fn taken_out(graph: &mut Graph, moving: &[bool], roots: &[Node]) -> Vec<Node> {
    let one = graph.constant(1.0);
    let mut found: HashMap<Node, Scaled> = HashMap::new();
    let moves = |node: Node| moving[node.index()];
    for node in graph.reachable(roots) {
        if !moves(node) {
            continue;
        }
        let of = |node: Node| found[&node];
        // A node as it is, without a factor before it.
        let whole = |graph: &mut Graph, node: Node| match found.get(&node) {
            Some(&Scaled { weight, base }) => graph.multiply(weight, base),
            None => node,
        };
        let scaled = match graph.operation(node) {
            Operation::Constant(_) | Operation::Symbol(_) => Scaled { weight: one, base: node },
            Operation::Negate(a) => {
                let Scaled { weight, base } = of(a);
                Scaled { weight: graph.negate(weight), base }
            }
            Operation::Multiply(a, b) if moves(a) && moves(b) => {
                let (x, y) = (of(a), of(b));
                Scaled { weight: graph.multiply(x.weight, y.weight), base: graph.multiply(x.base, y.base) }
            }
            Operation::Multiply(a, b) => {
                let (fixed, row) = if moves(b) { (a, b) } else { (b, a) };
                let Scaled { weight, base } = of(row);
                Scaled { weight: graph.multiply(fixed, weight), base }
            }
            Operation::Divide(a, b) if !moves(b) => {
                let Scaled { weight, base } = of(a);
                Scaled { weight: graph.divide(weight, b), base }
            }
            Operation::Divide(a, b) => {
                let x = if moves(a) { of(a) } else { Scaled { weight: a, base: one } };
                let y = of(b);
                Scaled { weight: graph.divide(x.weight, y.weight), base: graph.divide(x.base, y.base) }
            }
            Operation::Power(a, exponent) if small_integer(exponent).is_some() => {
                let Scaled { weight, base } = of(a);
                Scaled { weight: graph.power(weight, exponent), base: graph.power(base, exponent) }
            }
            Operation::Add(a, b) => {
                let (a, b) = (whole(graph, a), whole(graph, b));
                Scaled { weight: one, base: graph.add(a, b) }
            }
            Operation::Subtract(a, b) => {
                let (a, b) = (whole(graph, a), whole(graph, b));
                Scaled { weight: one, base: graph.subtract(a, b) }
            }
            Operation::Power(a, exponent) => {
                let a = whole(graph, a);
                Scaled { weight: one, base: graph.power(a, exponent) }
            }
            Operation::Apply(function, a) => {
                let a = whole(graph, a);
                Scaled { weight: one, base: graph.apply(function, a) }
            }
            Operation::Piece(lookup, part, a) => {
                let a = whole(graph, a);
                Scaled { weight: one, base: graph.piece(lookup, part, a) }
            }
            Operation::Atan2(y, x) => {
                let (y, x) = (whole(graph, y), whole(graph, x));
                Scaled { weight: one, base: graph.atan2(y, x) }
            }
        };
        found.insert(node, scaled);
    }
    let root = |&root: &Node| match found.get(&root) {
        Some(&Scaled { weight, base }) => graph.multiply(weight, base),
        None => root,
    };
    roots.iter().map(root).collect()
}
