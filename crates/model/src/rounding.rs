//! How large are the terms of a formula at a state, as far as rounding is concerned?

use std::collections::HashMap;

use saltation_expr::{Function, Graph, Node, Operation};

/// A bound of the rounding error of every formula in units of the rounding unit, to first order (running error analysis, Higham,
/// Accuracy and Stability of Numerical Algorithms, Sect. 3.3): with u = f(a, b),
///
/// ```text
/// size(u) = |u| + |df/da| size(a) + |df/db| size(b),    size(x) = |x| for symbols and constants.
/// ```
///
/// For a sum it is about the sum of the sizes of its terms.
pub(crate) fn sizes(graph: &Graph, nodes: &[Node], symbol: &dyn Fn(usize) -> f64) -> Vec<f64> {
    let below = graph.reachable(nodes);
    let values: HashMap<Node, f64> = graph.values(&below, symbol);
    let mut sizes: HashMap<Node, f64> = HashMap::with_capacity(below.len());
    for node in below {
        let value = |node: Node| values[&node];
        let u = value(node);
        let carried = {
            let size = |node: Node| sizes[&node];
            match graph.operation(node) {
                Operation::Constant(_) | Operation::Symbol(_) => 0.0,
                Operation::Add(a, b) | Operation::Subtract(a, b) => size(a) + size(b),
                Operation::Multiply(a, b) => size(a) * value(b).abs() + value(a).abs() * size(b),
                Operation::Divide(a, b) => (size(a) + u.abs() * size(b)) / value(b).abs(),
                Operation::Negate(a) => size(a),
                Operation::Power(a, c) => (c * value(a).powf(c - 1.0)).abs() * size(a),
                Operation::Apply(function, a) => slope(function, value(a), u).abs() * size(a),
                Operation::Atan2(a, b) => {
                    let square = value(a).powi(2) + value(b).powi(2);
                    (size(a) * value(b).abs() + size(b) * value(a).abs()) / square
                }
            }
        };
        sizes.insert(node, u.abs() + carried);
    }
    nodes.iter().map(|node| sizes[node]).collect()
}

/// du/dx of u = f(x); for sine and cosine its largest value.
fn slope(function: Function, x: f64, u: f64) -> f64 {
    match function {
        Function::Sin | Function::Cos => 1.0,
        Function::Tan => 1.0 + u * u,
        Function::Asin | Function::Acos => 1.0 / (1.0 - x * x).sqrt(),
        Function::Atan => 1.0 / (1.0 + x * x),
        Function::Sinh => x.cosh(),
        Function::Cosh => x.sinh(),
        Function::Tanh => 1.0 - u * u,
        Function::Exp => u,
        Function::Log => 1.0 / x,
        Function::Sqrt => 0.5 / u,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_the_derivatives() {
        for function in Function::ALL.into_iter().filter(|f| !matches!(f, Function::Sin | Function::Cos)) {
            for x in [0.2, 0.7] {
                let h = 1e-6;
                let difference = (function.of(x + h) - function.of(x - h)) / (2.0 * h);
                // The sign of a slope does not matter to a size.
                let error = slope(function, x, function.of(x)).abs() - difference.abs();
                assert!(error.abs() < 1e-8, "{function:?} at {x}: {error}");
            }
        }
    }

    #[test]
    fn terms_that_cancel_count_with_their_size() {
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
}
