//! What lies below a node? Its operands, symbols and values.

use std::collections::HashMap;

use crate::graph::{Graph, Node, Operation, raise};

impl Graph {
    /// The operands of a node, in order.
    pub fn operands(&self, node: Node) -> impl Iterator<Item = Node> + use<> {
        let (a, b) = match self.operation(node) {
            Operation::Constant(_) | Operation::Symbol(_) => (None, None),
            Operation::Add(a, b)
            | Operation::Subtract(a, b)
            | Operation::Multiply(a, b)
            | Operation::Divide(a, b)
            | Operation::Atan2(a, b) => (Some(a), Some(b)),
            Operation::Negate(a) | Operation::Power(a, _) | Operation::Apply(_, a) => (Some(a), None),
        };
        a.into_iter().chain(b)
    }

    /// Every node that the roots need, operands first, without repetition.
    pub fn reachable(&self, roots: &[Node]) -> Vec<Node> {
        let mut needed = vec![false; self.len()];
        for root in roots {
            needed[root.index()] = true;
        }
        // Operands have smaller indices than the nodes that use them: one backward sweep is enough.
        for index in (0..self.len()).rev() {
            if needed[index] {
                for operand in self.operands(Node(index as u32)) {
                    needed[operand.index()] = true;
                }
            }
        }
        (0..self.len()).filter(|&i| needed[i]).map(|i| Node(i as u32)).collect()
    }

    /// The symbols a formula contains, in the order in which they were made.
    pub fn symbols_of(&self, node: Node) -> Vec<Node> {
        self.reachable(&[node]).into_iter().filter(|&n| matches!(self.operation(n), Operation::Symbol(_))).collect()
    }

    /// Whether a formula contains a symbol.
    pub fn depends_on(&self, node: Node, symbol: Node) -> bool {
        self.symbols_of(node).contains(&symbol)
    }

    /// The formula with nodes (usually symbols) replaced by others.
    pub fn substitute(&mut self, node: Node, replacements: &HashMap<Node, Node>) -> Node {
        let mut image: HashMap<Node, Node> = HashMap::new();
        for n in self.reachable(&[node]) {
            let new = if let Some(&replacement) = replacements.get(&n) {
                replacement
            } else {
                let of = |a: Node| image[&a];
                match self.operation(n) {
                    Operation::Constant(_) | Operation::Symbol(_) => n,
                    Operation::Add(a, b) => self.add(of(a), of(b)),
                    Operation::Subtract(a, b) => self.subtract(of(a), of(b)),
                    Operation::Multiply(a, b) => self.multiply(of(a), of(b)),
                    Operation::Divide(a, b) => self.divide(of(a), of(b)),
                    Operation::Negate(a) => self.negate(of(a)),
                    Operation::Power(a, c) => self.power(of(a), c),
                    Operation::Apply(f, a) => self.apply(f, of(a)),
                    Operation::Atan2(a, b) => self.atan2(of(a), of(b)),
                }
            };
            image.insert(n, new);
        }
        image[&node]
    }

    /// The value of a formula, given a value for every symbol it contains (by symbol index).
    ///
    /// This walks the graph and is meant for checks; a [`crate::Tape`] is the fast way.
    pub fn evaluate(&self, node: Node, symbol: &dyn Fn(usize) -> f64) -> f64 {
        self.values(&[node], symbol).get(&node).copied().unwrap_or(f64::NAN)
    }

    /// The values of all nodes that the roots need.
    pub fn values(&self, roots: &[Node], symbol: &dyn Fn(usize) -> f64) -> HashMap<Node, f64> {
        let mut values: HashMap<Node, f64> = HashMap::new();
        for n in self.reachable(roots) {
            let of = |a: Node| values[&a];
            let value = match self.operation(n) {
                Operation::Constant(c) => c,
                Operation::Symbol(s) => symbol(s),
                Operation::Add(a, b) => of(a) + of(b),
                Operation::Subtract(a, b) => of(a) - of(b),
                Operation::Multiply(a, b) => of(a) * of(b),
                Operation::Divide(a, b) => of(a) / of(b),
                Operation::Negate(a) => -of(a),
                Operation::Power(a, c) => raise(of(a), c),
                Operation::Apply(f, a) => f.of(of(a)),
                Operation::Atan2(a, b) => of(a).atan2(of(b)),
            };
            values.insert(n, value);
        }
        values
    }

    /// The innermost subformula without a finite value, if the formula has none at these symbol values.
    pub fn first_undefined(&self, node: Node, symbol: &dyn Fn(usize) -> f64) -> Option<Node> {
        let values = self.values(&[node], symbol);
        if values.get(&node).is_none_or(|v| v.is_finite()) {
            return None;
        }
        self.reachable(&[node]).into_iter().find(|n| !values[n].is_finite())
    }
}
