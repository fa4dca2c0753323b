//! Sizes of the terms of a formula at a state, by running error analysis: its evaluation on [`Rounded`] numbers.

use std::collections::HashMap;

use saltation_expr::{Graph, Node, Operation};
use saltation_numerics::number::Number;
use saltation_numerics::rounded::Rounded;

/// A bound of the rounding error of every formula in units of the rounding unit, to first order. For a sum it is about the sum of the
/// sizes of its terms.
pub(crate) fn sizes(graph: &Graph, nodes: &[Node], symbol: &dyn Fn(usize) -> f64) -> Vec<f64> {
    let mut values: HashMap<Node, Rounded> = HashMap::new();
    for node in graph.reachable(nodes) {
        let of = |node: Node| values[&node];
        let value = match graph.operation(node) {
            Operation::Constant(c) => Rounded::new(c),
            Operation::Symbol(s) => Rounded::new(symbol(s)),
            Operation::Add(a, b) => of(a) + of(b),
            Operation::Subtract(a, b) => of(a) - of(b),
            Operation::Multiply(a, b) => of(a) * of(b),
            Operation::Divide(a, b) => of(a) / of(b),
            Operation::Negate(a) => -of(a),
            Operation::Power(a, c) => of(a).powf(c),
            Operation::Apply(function, a) => function.at(of(a)),
            Operation::Atan2(a, b) => of(a).atan2(of(b)),
            Operation::Piece(lookup, part, a) => Rounded::new(graph.piece_at(lookup, part, of(a).value)),
        };
        values.insert(node, value);
    }
    nodes.iter().map(|node| values[node].size).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltation_expr::Function;

    #[test]
    fn a_formula_has_the_size_of_its_terms() {
        let mut graph = Graph::new();
        let (x, y) = (graph.symbol("x"), graph.symbol("y"));
        let (difference, product) = (graph.subtract(x, y), graph.multiply(x, y));
        let quotient = graph.divide(x, difference);
        let values = [1e8 + 1.0, 1e8];
        let sizes = sizes(&graph, &[difference, product, quotient], &|symbol| values[symbol]);
        let expected = [2e8 + 2.0, 3e16, 2e16];
        for (size, expected) in sizes.iter().zip(expected) {
            assert!((size / expected - 1.0).abs() < 1e-7, "{size} and {expected}");
        }
    }

    #[test]
    fn every_function_is_the_one_it_is_named_after() {
        for function in Function::ALL {
            for x in [0.2, 0.7] {
                let value = function.at(Rounded::new(x)).value;
                assert!((value - function.of(x)).abs() <= 1e-15, "{function:?} at {x}: {value}");
            }
        }
    }
}
