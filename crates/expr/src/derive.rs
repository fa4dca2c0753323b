//! Symbolic derivatives of formulas, as nodes of the same graph.

use std::collections::HashMap;

use crate::function::Function;
use crate::graph::{Graph, Node, Operation};

impl Graph {
    /// The partial derivative of `node` with respect to a symbol.
    pub fn derivative(&mut self, node: Node, symbol: Node) -> Node {
        // Operands of a node with a known derivative have one, too.
        for n in self.reachable_but(&[node], |n| self.derivatives.contains_key(&(n, symbol))) {
            let derivative = self.derivative_of_operation(n, symbol);
            self.derivatives.insert((n, symbol), derivative);
        }
        self.derivatives[&(node, symbol)]
    }

    /// The chain rule at one node; the derivatives of its operands are known.
    fn derivative_of_operation(&mut self, node: Node, symbol: Node) -> Node {
        if node == symbol {
            return self.constant(1.0);
        }
        // Those of the first and of the second operand; of operations without them nothing is asked.
        let mut operands = self.operands(node).map(|a| self.derivatives[&(a, symbol)]);
        let da = operands.next().unwrap_or(node);
        let db = operands.next().unwrap_or(node);
        match self.operation(node) {
            Operation::Constant(_) | Operation::Symbol(_) => self.constant(0.0),
            Operation::Add(..) => self.add(da, db),
            Operation::Subtract(..) => self.subtract(da, db),
            Operation::Negate(_) => self.negate(da),
            Operation::Multiply(a, b) => {
                let left = self.multiply(da, b);
                let right = self.multiply(a, db);
                self.add(left, right)
            }
            Operation::Divide(_, b) => {
                // (a/b)' = (a' - (a/b) b')/b
                let carried = self.multiply(node, db);
                let numerator = self.subtract(da, carried);
                self.divide(numerator, b)
            }
            Operation::Power(a, c) => {
                let lower = self.power(a, c - 1.0);
                let factor = self.constant(c);
                let outer = self.multiply(factor, lower);
                self.multiply(outer, da)
            }
            Operation::Apply(function, a) => {
                if self.as_constant(da) == Some(0.0) {
                    return da;
                }
                let outer = self.derivative_of_function(function, a, node);
                self.multiply(outer, da)
            }
            Operation::Atan2(y, x) => {
                // (x y' - y x')/(x^2 + y^2)
                let left = self.multiply(x, da);
                let right = self.multiply(y, db);
                let numerator = self.subtract(left, right);
                let (xx, yy) = (self.power(x, 2.0), self.power(y, 2.0));
                let denominator = self.add(xx, yy);
                self.divide(numerator, denominator)
            }
        }
    }

    /// f'(a), where `value` is the node f(a).
    fn derivative_of_function(&mut self, function: Function, a: Node, value: Node) -> Node {
        let one = self.constant(1.0);
        match function {
            Function::Sin => self.apply(Function::Cos, a),
            Function::Cos => {
                let sine = self.apply(Function::Sin, a);
                self.negate(sine)
            }
            Function::Tan => {
                let square = self.power(value, 2.0);
                self.add(one, square)
            }
            Function::Asin | Function::Acos => {
                let square = self.power(a, 2.0);
                let rest = self.subtract(one, square);
                let root = self.apply(Function::Sqrt, rest);
                let slope = self.divide(one, root);
                if function == Function::Asin { slope } else { self.negate(slope) }
            }
            Function::Atan => {
                let square = self.power(a, 2.0);
                let sum = self.add(one, square);
                self.divide(one, sum)
            }
            Function::Sinh => self.apply(Function::Cosh, a),
            Function::Cosh => self.apply(Function::Sinh, a),
            Function::Tanh => {
                let square = self.power(value, 2.0);
                self.subtract(one, square)
            }
            Function::Exp => value,
            // On either side of its jump.
            Function::Sign => self.constant(0.0),
            Function::Log => self.divide(one, a),
            Function::Sqrt => {
                let two = self.constant(2.0);
                let double = self.multiply(two, value);
                self.divide(one, double)
            }
        }
    }

    /// The gradient of `node` with respect to the symbols, in their order.
    pub fn gradient(&mut self, node: Node, symbols: &[Node]) -> Vec<Node> {
        let (inside, zero) = (self.symbols_of(node), self.constant(0.0));
        // The symbols of a node are in order.
        let slope = |s: &Node| if inside.binary_search(s).is_ok() { self.derivative(node, *s) } else { zero };
        symbols.iter().map(slope).collect()
    }

    /// Discards the table of derivatives, not their nodes: for large graphs the table is larger than the graph.
    pub fn forget_derivatives(&mut self) {
        self.derivatives.clear();
    }

    /// The Lie derivative L_F(h) = sum_i dh/dx_i F_i of a formula along a field
    /// (Nordmark & Piiroinen, Sect. 2.2); `states` and `field` have equal length.
    pub fn lie_derivative(&mut self, node: Node, states: &[Node], field: &[Node]) -> Node {
        let inside = self.symbols_of(node);
        let mut terms = Vec::with_capacity(inside.len());
        for (&state, &rate) in states.iter().zip(field).filter(|(state, _)| inside.binary_search(state).is_ok()) {
            let slope = self.derivative(node, state);
            terms.push(self.multiply(slope, rate));
        }
        self.sum(terms)
    }

    /// The scalar product of two vectors of formulas.
    pub fn dot(&mut self, a: &[Node], b: &[Node]) -> Node {
        let terms: Vec<Node> = a.iter().zip(b).map(|(&x, &y)| self.multiply(x, y)).collect();
        self.sum(terms)
    }

    /// The solution x of A x = b by elimination without exchange of rows, as formulas, and the pivots.
    ///
    /// Without exchanges this is right for symmetric positive definite A (its pivots are then positive: they are the D of
    /// A = L D L^T) and for any other matrix as long as no pivot vanishes where the formulas are evaluated.
    pub fn solve(&mut self, matrix: &[Vec<Node>], right: &[Node]) -> (Vec<Node>, Vec<Node>) {
        let n = right.len();
        let mut a: Vec<Vec<Node>> = matrix.to_vec();
        let mut b = right.to_vec();
        for k in 0..n {
            let (pivot_rows, lower) = a.split_at_mut(k + 1);
            let pivot_row = &pivot_rows[k];
            for (row, i) in lower.iter_mut().zip(k + 1..) {
                if self.as_constant(row[k]) == Some(0.0) {
                    continue;
                }
                let factor = self.divide(row[k], pivot_row[k]);
                for (entry, &above) in row.iter_mut().zip(pivot_row).skip(k + 1) {
                    let carried = self.multiply(factor, above);
                    *entry = self.subtract(*entry, carried);
                }
                let carried = self.multiply(factor, b[k]);
                b[i] = self.subtract(b[i], carried);
            }
        }
        let pivots = (0..n).map(|k| a[k][k]).collect();
        for k in (0..n).rev() {
            for j in k + 1..n {
                if [a[k][j], b[j]].into_iter().any(|factor| self.as_constant(factor) == Some(0.0)) {
                    continue;
                }
                let carried = self.multiply(a[k][j], b[j]);
                b[k] = self.subtract(b[k], carried);
            }
            b[k] = self.divide(b[k], a[k][k]);
        }
        (b, pivots)
    }

    /// Whether a formula is affine in the given symbols with coefficients free of `excluded`:
    /// no first derivative contains any of either.
    pub fn is_affine(&mut self, node: Node, symbols: &[Node], excluded: &[Node]) -> bool {
        let gradient = self.gradient(node, symbols);
        gradient.iter().all(|&g| {
            let inside = self.symbols_of(g);
            !inside.iter().any(|s| symbols.contains(s) || excluded.contains(s))
        })
    }
}

/// Replacements by symbol name, for [`Graph::substitute`].
pub fn replacements(graph: &mut Graph, pairs: &[(&str, Node)]) -> HashMap<Node, Node> {
    pairs.iter().map(|&(name, node)| (graph.symbol(name), node)).collect()
}
