//! The modulus of the slip velocity on either side of zero: a formula that contains |s| is smooth on each side.
//!
//! |s| is written abs(s), and means sqrt(s^2). Roots of squares are found in the graph, and those of products and quotients with s as a
//! factor become s or -s, as the side says: the other factors may not depend on the state.

use std::collections::HashMap;

use saltation_expr::{Function, Graph, Node, Operation};
use saltation_numerics::random::of_pair;

/// The number of sample points at which the ratio of two formulas is compared.
const SAMPLE_POINTS: u64 = 8;
/// All sides of so many switches at most are looked at.
const MOST_SIDES: usize = 6;
/// The tolerance with which ratios are equal.
const RATIO_TOLERANCE: f64 = 1e-9;

/// A formula for s > 0 and for s < 0, and whether a root of a square of states is left in it.
pub(crate) struct Sides {
    pub forward: Node,
    pub backward: Node,
    pub corner: bool,
}

/// The sides of a formula; `slip` is s, and `states` are the symbols that change along a motion.
pub(crate) fn sides(graph: &mut Graph, formula: Node, slip: Node, states: &[Node]) -> Sides {
    let mut replaced = [HashMap::new(), HashMap::new()];
    let mut corner = false;
    for node in graph.reachable(&[formula]) {
        let Some((root, power)) = rooted(graph, node, states) else { continue };
        if is_constant(graph, root, states) {
            continue;
        }
        for (replaced, side) in replaced.iter_mut().zip([1.0, -1.0]) {
            match modulus(graph, root, (slip, side), states) {
                Some(modulus) => {
                    replaced.insert(node, graph.power(modulus, power));
                }
                None => corner = true,
            }
        }
    }
    let [forward, backward] = replaced.map(|replaced| graph.substitute(formula, &replaced));
    Sides { forward, backward, corner }
}

/// r and an odd k if a node is (r^2)^(k/2) = |r|^k.
fn rooted(graph: &mut Graph, node: Node, states: &[Node]) -> Option<(Node, f64)> {
    let (square, power) = match graph.operation(node) {
        Operation::Apply(Function::Sqrt, square) => (square, 1.0),
        Operation::Power(square, exponent) if exponent.fract() != 0.0 && (2.0 * exponent).fract() == 0.0 => {
            (square, 2.0 * exponent)
        }
        _ => return None,
    };
    square_root(graph, square, states).map(|root| (root, power))
}

/// r with r^2 as given, of either sign: a product of powers whose exponents are even, and of constants.
fn square_root(graph: &mut Graph, square: Node, states: &[Node]) -> Option<Node> {
    let mut factors = Vec::new();
    factorise(graph, square, 1.0, &mut factors);
    let one = graph.constant(1.0);
    factors.into_iter().try_fold(one, |root, (base, exponent)| {
        let half = 0.5 * exponent;
        let factor = if is_constant(graph, base, states) {
            let square = graph.power(base, exponent);
            graph.apply(Function::Sqrt, square)
        } else {
            (half.fract() == 0.0).then(|| graph.power(base, half))?
        };
        Some(graph.multiply(root, factor))
    })
}

/// The factors of a product or quotient with their exponents, each factor once.
fn factorise(graph: &Graph, node: Node, exponent: f64, factors: &mut Vec<(Node, f64)>) {
    match graph.operation(node) {
        Operation::Multiply(a, b) => {
            factorise(graph, a, exponent, factors);
            factorise(graph, b, exponent, factors);
        }
        Operation::Divide(a, b) => {
            factorise(graph, a, exponent, factors);
            factorise(graph, b, -exponent, factors);
        }
        Operation::Power(base, power) if power.fract() == 0.0 => factorise(graph, base, power * exponent, factors),
        _ => match factors.iter_mut().find(|(known, _)| *known == node) {
            Some((_, sum)) => *sum += exponent,
            None => factors.push((node, exponent)),
        },
    }
}

/// |r| on a side of s = 0, for a product or quotient of multiples of s and constants.
fn modulus(graph: &mut Graph, r: Node, (slip, side): (Node, f64), states: &[Node]) -> Option<Node> {
    if is_constant(graph, r, states) {
        let square = graph.power(r, 2.0);
        return Some(graph.apply(Function::Sqrt, square));
    }
    if let Some(ratio) = ratio(graph, r, slip) {
        return Some(if ratio * side > 0.0 { r } else { graph.negate(r) });
    }
    match graph.operation(r) {
        Operation::Negate(a) => modulus(graph, a, (slip, side), states),
        Operation::Multiply(a, b) => {
            let (a, b) = (modulus(graph, a, (slip, side), states)?, modulus(graph, b, (slip, side), states)?);
            Some(graph.multiply(a, b))
        }
        Operation::Divide(a, b) => {
            let (a, b) = (modulus(graph, a, (slip, side), states)?, modulus(graph, b, (slip, side), states)?);
            Some(graph.divide(a, b))
        }
        Operation::Power(a, exponent) if exponent.fract() == 0.0 => {
            let a = modulus(graph, a, (slip, side), states)?;
            Some(graph.power(a, exponent))
        }
        _ => None,
    }
}

fn is_constant(graph: &Graph, node: Node, states: &[Node]) -> bool {
    !graph.symbols_of(node).iter().any(|symbol| states.contains(symbol))
}

/// r/s where it is the same number everywhere: an identity of analytic functions holds if it does at a few places drawn at random, and it has to hold on all sides of the switches in
/// them. Formulas with sides of different switches are not analytic together.
pub(crate) fn ratio(graph: &Graph, r: Node, slip: Node) -> Option<f64> {
    if r == slip {
        return Some(1.0);
    }
    let inner = graph.sides_in(r);
    // A table is a multiple of another formula on some of its pieces.
    if inner != graph.sides_in(slip) || pieces_in(graph, r) != pieces_in(graph, slip) {
        return None;
    }
    // Where neither varies, as beyond the ends of a table, nothing is shown.
    let (mut known, mut values_of_r) = (None, Vec::new());
    let combinations = 1_u64 << inner.len().min(MOST_SIDES);
    for sides in 0..combinations {
        // Of many switches some combinations are drawn.
        let side = |sign: Node| {
            let k = inner.iter().position(|&other| other == sign)?;
            let bit = if inner.len() <= MOST_SIDES { sides >> k & 1 == 1 } else { drawn(sides, k as u64) > 0.7 };
            Some(if bit { 1.0 } else { -1.0 })
        };
        let mut seen = 0_u64;
        for place in 0..SAMPLE_POINTS {
            let symbol = |symbol: usize| drawn(place, symbol as u64);
            let values = graph.values_on_sides(&[r, slip], &symbol, &|node, sign| side(node).unwrap_or(sign));
            let (own, other) = (values[&r], values[&slip]);
            let ratio = own / other;
            values_of_r.push(own);
            seen += u64::from(ratio.is_finite() || own == 0.0 && other == 0.0);
            if !ratio.is_finite() {
                continue;
            }
            let first = *known.get_or_insert(ratio);
            if (ratio - first).abs() > RATIO_TOLERANCE * first.abs() || first == 0.0 {
                return None;
            }
        }
        if seen <= SAMPLE_POINTS / 2 {
            return None;
        }
    }
    known.filter(|_| values_of_r.iter().any(|value| *value != values_of_r[0]))
}

/// The values of tables in a formula.
fn pieces_in(graph: &Graph, formula: Node) -> Vec<Node> {
    let is_piece = |node: &Node| matches!(graph.operation(*node), Operation::Piece(..));
    graph.reachable(&[formula]).into_iter().filter(is_piece).collect()
}

/// A number between 0.2 and 1.2.
fn drawn(place: u64, symbol: u64) -> f64 {
    0.2 + of_pair(place, symbol, 0x5a17_a714)
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltation_expr::parse::{Formula, UnknownName};

    fn node(graph: &mut Graph, text: &str) -> Node {
        let formula = Formula::read_with_modulus(text).unwrap();
        formula.build(graph, &mut |graph, name| Ok::<Node, UnknownName>(graph.symbol(name))).unwrap()
    }

    #[test]
    fn each_side_is_smooth_and_has_the_value() {
        for (text, corner) in [
            ("1/(1 + 3*sqrt((u - v)^2))", false),
            ("1/(1 + 3*abs(v - u))", false),
            ("0.2 + 0.1*exp(-abs((u - v)/d))", false),
            ("exp(-sqrt((u - v)*(u - v)/d^2))", false),
            ("exp(-sqrt((2*u - 2*v)^2/d))", false),
            ("1/(1 + sqrt(9*(u - v)*d^2*(u - v)))", false),
            ("1/(1 + ((u - v)^2)^1.5)", false),
            ("abs(u)", true),
            ("abs(u - v) + abs(u + v)", true),
            ("sqrt(1 + (u - v)^2)", false),
        ] {
            let mut graph = Graph::new();
            let (u, v) = (graph.symbol("u"), graph.symbol("v"));
            let slip = graph.subtract(u, v);
            let formula = node(&mut graph, text);
            let sides = sides(&mut graph, formula, slip, &[u]);
            assert_eq!(sides.corner, corner, "{text}");
            if corner {
                continue;
            }
            for (side, speed) in [(sides.forward, 0.7), (sides.backward, -0.7)] {
                let value = |node| graph.evaluate(node, &|symbol| [0.1 + speed, 0.1, 0.5][symbol]);
                assert!((value(side) - value(formula)).abs() < 1e-15, "{text}");
                let at_rest = graph.evaluate(side, &|symbol| [0.1, 0.1, 0.5][symbol]);
                assert!(at_rest.is_finite(), "{text}");
            }
            if text.contains("3*") {
                let slope = graph.derivative(sides.backward, u);
                assert_eq!(graph.evaluate(slope, &|symbol| [0.1, 0.1, 0.5][symbol]), 3.0, "{text}");
            }
        }
    }
}
