//! Traversal of the graph: operands, symbols, values and substitution below a node.

use saltation_numerics::elementary;
use std::collections::{BinaryHeap, HashMap};

use crate::function::Function;
use crate::graph::{Graph, Node, Operation, raise};
use crate::hashing::Table;

/// A graph with more nodes than this is large for one formula.
const LARGE: usize = 4096;

/// A few formulas in a graph of their own, see [`Graph::part`].
#[derive(Debug, Clone)]
pub struct Part {
    /// The graph.
    pub graph: Graph,
    /// The formulas, in the order in which they were asked for.
    pub roots: Vec<Node>,
    /// For every symbol of the new graph its index in the old one.
    pub symbols: Vec<usize>,
}

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
            Operation::Negate(a) | Operation::Power(a, _) | Operation::Apply(_, a) | Operation::Piece(_, _, a) => {
                (Some(a), None)
            }
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
        if highest > LARGE && roots.len() < highest / LARGE {
            return self.reachable_from_few(roots, known);
        }
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

    /// The same where a table of all nodes would be larger than what is found: the last node first, by a heap.
    fn reachable_from_few(&self, roots: &[Node], known: impl Fn(Node) -> bool) -> Vec<Node> {
        let mut found: Vec<Node> = Vec::new();
        let mut waiting: BinaryHeap<Node> = roots.iter().copied().collect();
        while let Some(node) = waiting.pop() {
            // Operands have smaller indices, so that equal nodes come one after another.
            if found.last() != Some(&node) && !known(node) {
                found.push(node);
                waiting.extend(self.operands(node));
            }
        }
        found.reverse();
        found
    }

    /// A graph of its own for a few formulas: only what they need, with their symbols in the order in which those were made.
    ///
    /// ```
    /// use saltation_expr::Graph;
    /// let mut graph = Graph::new();
    /// let (x, y, z) = (graph.symbol("x"), graph.symbol("y"), graph.symbol("z"));
    /// let (_, product) = (graph.add(x, y), graph.multiply(x, z));
    /// let part = graph.part(&[product]);
    /// assert_eq!(part.graph.print(part.roots[0]), "x*z");
    /// assert_eq!((part.graph.len(), part.symbols), (3, vec![0, 2])); // its symbols 0 and 1 were 0 and 2
    /// ```
    pub fn part(&self, roots: &[Node]) -> Part {
        let mut graph = Graph::new();
        graph.tables = self.tables.without_nodes();
        let mut symbols = Vec::new();
        let mut image: Table<Node, Node> = Table::default();
        for n in self.reachable(roots) {
            let of = |a: Node| image[&a];
            let new = match self.operation(n) {
                Operation::Constant(c) => graph.constant(c),
                Operation::Symbol(s) => {
                    symbols.push(s);
                    graph.symbol(self.symbol_name(s))
                }
                Operation::Add(a, b) => graph.add(of(a), of(b)),
                Operation::Subtract(a, b) => graph.subtract(of(a), of(b)),
                Operation::Multiply(a, b) => graph.multiply(of(a), of(b)),
                Operation::Divide(a, b) => graph.divide(of(a), of(b)),
                Operation::Negate(a) => graph.negate(of(a)),
                Operation::Power(a, c) => graph.power(of(a), c),
                Operation::Apply(f, a) => graph.apply(f, of(a)),
                Operation::Atan2(a, b) => graph.atan2(of(a), of(b)),
                Operation::Piece(lookup, part, a) => graph.piece(lookup, part, of(a)),
            };
            image.insert(n, new);
        }
        let roots = roots.iter().map(|root| image[root]).collect();
        Part { graph, roots, symbols }
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
        self.substitute_all(&[node], replacements)[0]
    }

    /// The same for several formulas, whose common parts are replaced once.
    pub fn substitute_all(&mut self, nodes: &[Node], replacements: &HashMap<Node, Node>) -> Vec<Node> {
        if replacements.is_empty() {
            return nodes.to_vec();
        }
        let mut image: Table<Node, Node> = Table::default();
        for n in self.reachable(nodes) {
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
                    Operation::Piece(lookup, part, a) => self.piece(lookup, part, of(a)),
                }
            };
            image.insert(n, new);
        }
        nodes.iter().map(|node| image[node]).collect()
    }

    /// The value of a formula, given a value for every symbol it contains (by symbol index).
    ///
    /// This traverses the graph and is meant for checks; a [`crate::Tape`] is faster.
    pub fn evaluate(&self, node: Node, symbol: &dyn Fn(usize) -> f64) -> f64 {
        self.evaluate_all(&[node], symbol)[0]
    }

    /// The values of formulas, in their order, as [`Graph::evaluate`].
    pub fn evaluate_all(&self, roots: &[Node], symbol: &dyn Fn(usize) -> f64) -> Vec<f64> {
        let (nodes, values) = self.worked_out(roots, symbol, &|_, sign| sign);
        roots.iter().map(|&root| values[position(&nodes, root)]).collect()
    }

    /// The values of all nodes that the roots need. What a condition does not choose has the factor 0 and need have no value.
    pub fn values(&self, roots: &[Node], symbol: &dyn Fn(usize) -> f64) -> HashMap<Node, f64> {
        self.values_on_sides(roots, symbol, &|_, sign| sign)
    }

    /// The same on given sides: `side` receives every node that is a sign, with its value, and returns the value to be taken. Formulas are continued to where they have others.
    pub fn values_on_sides(
        &self,
        roots: &[Node],
        symbol: &dyn Fn(usize) -> f64,
        side: &dyn Fn(Node, f64) -> f64,
    ) -> HashMap<Node, f64> {
        let (nodes, values) = self.worked_out(roots, symbol, side);
        nodes.into_iter().zip(values).collect()
    }

    /// All nodes that the roots need, operands first, and their values.
    fn worked_out(
        &self,
        roots: &[Node],
        symbol: &dyn Fn(usize) -> f64,
        side: &dyn Fn(Node, f64) -> f64,
    ) -> (Vec<Node>, Vec<f64>) {
        let nodes = self.reachable(roots);
        let mut values: Vec<f64> = Vec::with_capacity(nodes.len());
        // Which are formulas of sides and numbers alone.
        let mut choices: Vec<bool> = Vec::with_capacity(nodes.len());
        for &n in &nodes {
            let mut operands = self.operands(n).map(|a| position(&nodes, a));
            let [first, second] = [operands.next(), operands.next()];
            let [a, b] = [first, second].map(|at| at.map_or(f64::NAN, |at| values[at]));
            let [chosen_a, chosen_b] = [first, second].map(|at| at.is_none_or(|at| choices[at]));
            let operation = self.operation(n);
            choices.push(match operation {
                Operation::Constant(_) | Operation::Apply(Function::Sign, _) => true,
                Operation::Symbol(_) => false,
                _ => chosen_a && chosen_b,
            });
            values.push(match operation {
                Operation::Multiply(..) if chosen_a && a == 0.0 || chosen_b && b == 0.0 => 0.0,
                Operation::Constant(c) => c,
                Operation::Symbol(s) => symbol(s),
                Operation::Add(..) => a + b,
                Operation::Subtract(..) => a - b,
                Operation::Multiply(..) => a * b,
                Operation::Divide(..) => a / b,
                Operation::Negate(_) => -a,
                Operation::Power(_, c) => raise(a, c),
                Operation::Apply(Function::Sign, _) => side(n, Function::Sign.of(a)),
                Operation::Apply(f, _) => f.of(a),
                Operation::Atan2(..) => elementary::atan2(a, b),
                Operation::Piece(lookup, part, _) => self.piece_at(lookup, part, a),
            });
        }
        (nodes, values)
    }

    /// The innermost subformula without a finite value, if the formula has none at these symbol values.
    pub fn first_undefined(&self, node: Node, symbol: &dyn Fn(usize) -> f64) -> Option<Node> {
        let values = self.values(&[node], symbol);
        if values.get(&node).is_none_or(|v| v.is_finite()) {
            return None;
        }
        // Parts that are not chosen may have none.
        let mut part = node;
        while let Some(inner) = self.operands(part).find(|a| !values[a].is_finite()) {
            part = inner;
        }
        Some(part)
    }
}

/// Where a node stands in a list that is sorted and holds it.
fn position(nodes: &[Node], node: Node) -> usize {
    // What is reached has its operands in the list, and is sorted by them.
    nodes.binary_search(&node).expect("operands of nodes that were reached are reached")
}
