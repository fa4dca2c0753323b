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
            // The same on all of a piece.
            Operation::Piece(..) => self.constant(0.0),
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
            Function::Exprel => {
                // ((exp a - 1)/a)' = (exp a - exprel a)/a
                let exponential = self.apply(Function::Exp, a);
                let difference = self.subtract(exponential, value);
                self.divide(difference, a)
            }
            Function::Logistic => {
                // L' = L (1 - L), without the difference
                let opposite = self.negate(a);
                let rest = self.apply(Function::Logistic, opposite);
                self.multiply(value, rest)
            }
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
        let (mut a, mut b) = (matrix.to_vec(), right.to_vec());
        self.eliminate(&mut a, &mut b, n);
        let pivots = (0..n).map(|k| a[k][k]).collect();
        self.substitute_back(&a, &mut b, n);
        (b, pivots)
    }

    /// The solution x of A x = b, as formulas: the first unknowns by elimination without exchange of rows, the last ones, with a weight for each of their rows, by columns that are
    /// orthogonal in these weights (modified Gram-Schmidt; Björck, BIT 7, 1967). That divides by no entry of the matrix that is left for these, but by squares, which
    /// vanish only where it is singular. Also the determinant of that matrix.
    pub fn solve_by_columns(&mut self, matrix: &[Vec<Node>], right: &[Node], weights: &[Node]) -> (Vec<Node>, Node) {
        let n = right.len();
        let first = n - weights.len();
        let (mut a, mut b) = (matrix.to_vec(), right.to_vec());
        self.eliminate(&mut a, &mut b, first);
        let part: Vec<Vec<Node>> = a[first..].iter().map(|row| row[first..].to_vec()).collect();
        let determinant = self.determinant(&part);
        let mut columns: Vec<Vec<Node>> = (0..part.len()).map(|j| part.iter().map(|row| row[j]).collect()).collect();
        columns.push(b[first..].to_vec());
        // The components of all later columns along each.
        let mut shares: Vec<Vec<Node>> = Vec::new();
        for j in 0..part.len() {
            let (known, later) = columns.split_at_mut(j + 1);
            let column = &known[j];
            let weighted: Vec<Node> = column.iter().zip(weights).map(|(&x, &w)| self.multiply(w, x)).collect();
            let square = self.dot(&weighted, column);
            let mut own = Vec::new();
            for other in later {
                let product = self.dot(&weighted, other);
                let share = self.divide(product, square);
                for (entry, &x) in other.iter_mut().zip(column) {
                    let carried = self.multiply(share, x);
                    *entry = self.subtract(*entry, carried);
                }
                own.push(share);
            }
            shares.push(own);
        }
        for j in (0..part.len()).rev() {
            let (later, own) = shares[j].split_at(part.len() - 1 - j);
            let mut value = own[0];
            for (&share, k) in later.iter().zip(j + 1..) {
                let carried = self.multiply(share, b[first + k]);
                value = self.subtract(value, carried);
            }
            b[first + j] = value;
        }
        self.substitute_back(&a, &mut b, first);
        (b, determinant)
    }

    /// The solution x of A x = b times d, and d, as formulas: the first unknowns by elimination without exchange of rows, the last ones by Cramer's rule, with d
    /// the determinant of the matrix that is left for these. Nothing is divided by d: the formulas hold where it vanishes.
    pub fn solve_by_determinants(&mut self, matrix: &[Vec<Node>], right: &[Node], last: usize) -> (Vec<Node>, Node) {
        let first = right.len() - last;
        let (mut a, mut b) = (matrix.to_vec(), right.to_vec());
        self.eliminate(&mut a, &mut b, first);
        let part: Vec<Vec<Node>> = a[first..].iter().map(|row| row[first..].to_vec()).collect();
        let determinant = self.determinant(&part);
        let numerators: Vec<Node> = (0..last)
            .map(|j| {
                let mut replaced = part.clone();
                replaced.iter_mut().zip(&b[first..]).for_each(|(row, &value)| row[j] = value);
                self.determinant(&replaced)
            })
            .collect();
        b[first..].copy_from_slice(&numerators);
        for value in &mut b[..first] {
            *value = self.multiply(*value, determinant);
        }
        self.substitute_back(&a, &mut b, first);
        (b, determinant)
    }

    /// Eliminates the first unknowns from the rows below their own.
    fn eliminate(&mut self, a: &mut [Vec<Node>], b: &mut [Node], unknowns: usize) {
        let n = b.len();
        for k in 0..unknowns {
            let (pivot_rows, lower) = a.split_at_mut(k + 1);
            let pivot_row = &pivot_rows[k];
            for (row, i) in lower.iter_mut().zip(k + 1..n) {
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
    }

    /// The first unknowns of eliminated rows, where those behind them are known.
    fn substitute_back(&mut self, a: &[Vec<Node>], b: &mut [Node], unknowns: usize) {
        for k in (0..unknowns).rev() {
            for j in k + 1..b.len() {
                if [a[k][j], b[j]].into_iter().any(|factor| self.as_constant(factor) == Some(0.0)) {
                    continue;
                }
                let carried = self.multiply(a[k][j], b[j]);
                b[k] = self.subtract(b[k], carried);
            }
            b[k] = self.divide(b[k], a[k][k]);
        }
    }

    /// The determinant of a small matrix, by its first column.
    fn determinant(&mut self, matrix: &[Vec<Node>]) -> Node {
        let mut sum = self.constant(if matrix.is_empty() { 1.0 } else { 0.0 });
        for (k, row) in matrix.iter().enumerate() {
            let others = matrix.iter().enumerate().filter(|&(other, _)| other != k);
            let minor: Vec<Vec<Node>> = others.map(|(_, row)| row[1..].to_vec()).collect();
            let minor = self.determinant(&minor);
            let part = self.multiply(row[0], minor);
            sum = if k % 2 == 0 { self.add(sum, part) } else { self.subtract(sum, part) };
        }
        sum
    }

    /// The sides in a formula: all its nodes `sign(s)`, operands first.
    ///
    /// ```
    /// use saltation_expr::{Function, Graph};
    /// let mut graph = Graph::new();
    /// let (x, y) = (graph.symbol("x"), graph.symbol("y"));
    /// let side = graph.apply(Function::Sign, x);
    /// let formula = graph.multiply(side, y);
    /// assert_eq!(graph.sides_in(formula), [side]);
    /// assert!(graph.has_side_of(formula, &[x]) && !graph.has_side_of(formula, &[y]));
    /// ```
    pub fn sides_in(&self, node: Node) -> Vec<Node> {
        let is_side = |&node: &Node| matches!(self.operation(node), Operation::Apply(Function::Sign, _));
        self.reachable(&[node]).into_iter().filter(is_side).collect()
    }

    /// Whether a formula has the side, or the piece of a table, of a formula with any of these symbols in it: that has no slope, and yet it is no constant.
    pub fn has_side_of(&self, node: Node, symbols: &[Node]) -> bool {
        let depends = |side: Node| self.symbols_of(side).iter().any(|symbol| symbols.contains(symbol));
        let steps =
            |&node: &Node| matches!(self.operation(node), Operation::Apply(Function::Sign, _) | Operation::Piece(..));
        self.reachable(&[node]).into_iter().filter(steps).any(depends)
    }

    /// Whether a formula is affine in the given symbols with coefficients free of `excluded`:
    /// no first derivative contains any of either.
    pub fn is_affine(&mut self, node: Node, symbols: &[Node], excluded: &[Node]) -> bool {
        if self.has_side_of(node, symbols) || self.has_side_of(node, excluded) {
            return false;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A matrix, the weights of its last rows, and the determinant of these.
    type Case<'a> = (&'a [&'a [f64]], &'a [f64], f64);

    /// The solution of equations as formulas of their entries, at values of these, and the determinant of the last rows.
    fn solved(a: &[&[f64]], b: &[f64], weights: &[f64]) -> (Vec<f64>, f64) {
        let mut graph = Graph::default();
        let mut values = Vec::new();
        let mut symbol = |value: f64| {
            values.push(value);
            graph.symbol(&format!("s{}", values.len() - 1))
        };
        let matrix: Vec<Vec<Node>> = a.iter().map(|row| row.iter().map(|&x| symbol(x)).collect()).collect();
        let right: Vec<Node> = b.iter().map(|&x| symbol(x)).collect();
        let weights: Vec<Node> = weights.iter().map(|&x| symbol(x)).collect();
        let (mut roots, determinant) = graph.solve_by_columns(&matrix, &right, &weights);
        roots.push(determinant);
        let found = graph.values(&roots, &|symbol| values[symbol]);
        let mut found: Vec<f64> = roots.iter().map(|root| found[root]).collect();
        let determinant = found.pop().unwrap();
        (found, determinant)
    }

    #[test]
    fn equations_are_solved_where_entries_of_the_diagonal_vanish() {
        // Each system with its solution and the determinant of its last rows, after the first unknown is eliminated where there is one.
        let cases: [Case; 4] = [
            (&[&[0.0, 0.44], &[-0.83, 0.57]], &[1.0, 1.0], 0.44 * 0.83),
            (&[&[0.0, 2.0, 1.0], &[3.0, 0.0, -1.0], &[1.0, 1.0, 0.0]], &[1.0, 1.0, 1.0], 1.0),
            (&[&[2.0, 1.0, 0.0], &[2.0, 1.0, 3.0], &[0.5, 4.0, 1.0]], &[1.0, 1.0], -3.0 * (4.0 - 0.25)),
            (&[&[5.0]], &[1.0], 5.0),
        ];
        for (a, weights, determinant) in cases {
            let x: Vec<f64> = (0..a.len()).map(|k| 1.5 - k as f64).collect();
            let b: Vec<f64> = a.iter().map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
            let (found, regular) = solved(a, &b, weights);
            assert!((regular - determinant).abs() < 1e-14, "{a:?}: {regular}");
            found.iter().zip(&x).for_each(|(found, x)| assert!((found - x).abs() < 1e-14, "{a:?}: {found}"));
        }
        // In other units of rows and columns the weights are those of these units.
        let (rows, columns) = ([1e8, 1e-8], [1e8, 1e-8]);
        let a = [[0.0, 0.44 * rows[0] * columns[1]], [-0.83 * rows[1] * columns[0], 0.57 * rows[1] * columns[1]]];
        let x = [2.0 / columns[0], 3.0 / columns[1]];
        let b: Vec<f64> = a.iter().map(|row| row[0] * x[0] + row[1] * x[1]).collect();
        let weights = [rows[1] * columns[1], rows[0] * columns[0]];
        let (found, _) = solved(&[&a[0], &a[1]], &b, &weights);
        found.iter().zip(&x).for_each(|(found, x)| assert!((found - x).abs() < 1e-14 * x.abs(), "{found} {x}"));
    }
}
