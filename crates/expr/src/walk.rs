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
        self.reachable_but(roots, |_| false)
    }

    /// The same without the nodes that are `known`, and without what only these need.
    pub(crate) fn reachable_but(&self, roots: &[Node], known: impl Fn(Node) -> bool) -> Vec<Node> {
        // Operands have smaller indices than the nodes that use them.
        let highest = roots.iter().map(|root| root.index() + 1).max().unwrap_or(0);
        let mut seen = vec![false; highest];
        let mut found = Vec::new();
        let mut waiting = roots.to_vec();
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut seen[node.index()], true) && !known(node) {
                found.push(node);
                waiting.extend(self.operands(node));
            }
        }
        found.sort_unstable();
        found
    }

    /// The symbols a formula contains, in the order in which they were made.
    pub fn symbols_of(&self, node: Node) -> Vec<Node> {
        if let Operation::Constant(_) = self.operation(node) {
            return Vec::new();
        }
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
