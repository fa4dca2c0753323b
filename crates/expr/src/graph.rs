//! The expression graph: hash-consed nodes, so that equal subexpressions are one node, with constant folding.
//!
//! Every builder ([`Graph::add`], [`Graph::multiply`], …) looks its result up before it makes a new node (hash-consing), so
//! two formulas that are written alike are the same [`Node`], and derivatives share all they can. Identities that hold
//! for every real argument (`x + 0`, `1 x`, `x - x`, `-(-x)`, `x/1`, …) are applied while building; none that would
//! change where a formula is undefined, except that a product with the constant 0 is 0.

use std::collections::HashMap;

use saltation_numerics::elementary;

use crate::function::Function;
use crate::hashing::Table;
use crate::tabulated::{Lookup, Part};

/// A formula in a [`Graph`]. Cheap to copy; equal nodes of one graph are equal formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub(crate) u32);

impl Node {
    /// The position of the node in its graph; operands always stand before the nodes that use them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The operation and operands of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operation {
    /// A number.
    Constant(f64),
    /// A named quantity: a state, a coordinate, a velocity, a phase or a parameter. The index is that of [`Graph::symbol_name`].
    Symbol(usize),
    /// a + b
    Add(Node, Node),
    /// a - b
    Subtract(Node, Node),
    /// a b
    Multiply(Node, Node),
    /// a / b
    Divide(Node, Node),
    /// -a
    Negate(Node),
    /// a^c with a constant exponent that is neither 0 nor 1
    Power(Node, f64),
    /// f(a)
    Apply(Function, Node),
    /// atan2(y, x)
    Atan2(Node, Node),
    /// A number of the piece of a table on which a lies: it is the same on all of the piece. The first number is that of the [lookup](Graph::lookups).
    Piece(u32, Part, Node),
}

/// An operation as a key: numbers by their bits, so that it can be hashed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Constant(u64),
    Symbol(usize),
    Add(Node, Node),
    Subtract(Node, Node),
    Multiply(Node, Node),
    Divide(Node, Node),
    Negate(Node),
    Power(Node, u64),
    Apply(Function, Node),
    Atan2(Node, Node),
    Piece(u32, Part, Node),
}

impl From<Operation> for Key {
    fn from(operation: Operation) -> Key {
        match operation {
            Operation::Constant(c) => Key::Constant(c.to_bits()),
            Operation::Symbol(s) => Key::Symbol(s),
            Operation::Add(a, b) => Key::Add(a, b),
            Operation::Subtract(a, b) => Key::Subtract(a, b),
            Operation::Multiply(a, b) => Key::Multiply(a, b),
            Operation::Divide(a, b) => Key::Divide(a, b),
            Operation::Negate(a) => Key::Negate(a),
            Operation::Power(a, c) => Key::Power(a, c.to_bits()),
            Operation::Apply(f, a) => Key::Apply(f, a),
            Operation::Atan2(a, b) => Key::Atan2(a, b),
            Operation::Piece(lookup, part, a) => Key::Piece(lookup, part, a),
        }
    }
}

/// A set of formulas over common symbols.
///
/// ```
/// use saltation_expr::Graph;
/// let mut graph = Graph::new();
/// let x = graph.symbol("x");
/// let square = graph.multiply(x, x);
/// let derivative = graph.derivative(square, x);
/// assert_eq!(graph.print(derivative), "2*x");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Graph {
    operations: Vec<Operation>,
    known: Table<Key, Node>,
    symbols: Vec<(String, Node)>,
    symbol_index: HashMap<String, usize>,
    /// The derivatives that are known, by node and symbol.
    pub(crate) derivatives: Table<(Node, Node), Node>,
    /// Functions that are given by points, and where they are looked up.
    pub(crate) tables: Tables,
}

/// The tables of a graph and the lookups in them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tables {
    pub named: Vec<Lookup>,
    pub lookups: Vec<Lookup>,
    /// The lookups that are known, by table and argument.
    pub known: HashMap<(usize, Node), u32>,
    /// The nodes that are tables with their arguments.
    pub values: HashMap<Node, (u32, Node)>,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Graph {
        Graph::default()
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Whether there is no node yet.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// The operation and operands of the node.
    pub fn operation(&self, node: Node) -> Operation {
        self.operations[node.index()]
    }

    /// The number the node is, if it is a constant.
    pub fn as_constant(&self, node: Node) -> Option<f64> {
        match self.operation(node) {
            Operation::Constant(c) => Some(c),
            _ => None,
        }
    }

    /// The index of the symbol that the node is, if it is one.
    pub fn as_symbol(&self, node: Node) -> Option<usize> {
        match self.operation(node) {
            Operation::Symbol(index) => Some(index),
            _ => None,
        }
    }

    /// The symbol with this name; the same node at every call.
    pub fn symbol(&mut self, name: &str) -> Node {
        if let Some(&index) = self.symbol_index.get(name) {
            return self.symbols[index].1;
        }
        let index = self.symbols.len();
        let node = self.make(Operation::Symbol(index));
        self.symbols.push((name.to_string(), node));
        self.symbol_index.insert(name.to_string(), index);
        node
    }

    /// The symbol with this name, if it is known.
    pub fn find_symbol(&self, name: &str) -> Option<Node> {
        self.symbol_index.get(name).map(|&i| self.symbols[i].1)
    }

    /// The name of the symbol with this index.
    pub fn symbol_name(&self, index: usize) -> &str {
        &self.symbols[index].0
    }

    /// A number.
    pub fn constant(&mut self, value: f64) -> Node {
        // One zero: -0.0 and 0.0 are the same formula.
        self.make(Operation::Constant(if value == 0.0 { 0.0 } else { value }))
    }

    /// a + b
    pub fn add(&mut self, a: Node, b: Node) -> Node {
        match (self.operation(a), self.operation(b)) {
            (Operation::Constant(x), Operation::Constant(y)) => self.constant(x + y),
            (Operation::Constant(0.0), _) => b,
            (_, Operation::Constant(0.0)) => a,
            (_, Operation::Negate(y)) => self.subtract(a, y),
            (Operation::Negate(x), _) => self.subtract(b, x),
            _ if a == b => {
                let two = self.constant(2.0);
                self.multiply(two, a)
            }
            _ => self.make(Operation::Add(a.min(b), a.max(b))),
        }
    }

    /// a - b
    pub fn subtract(&mut self, a: Node, b: Node) -> Node {
        if a == b {
            return self.constant(0.0);
        }
        match (self.operation(a), self.operation(b)) {
            (Operation::Constant(x), Operation::Constant(y)) => self.constant(x - y),
            (Operation::Constant(0.0), _) => self.negate(b),
            (_, Operation::Constant(0.0)) => a,
            (_, Operation::Negate(y)) => self.add(a, y),
            _ => self.make(Operation::Subtract(a, b)),
        }
    }

    /// -a
    pub fn negate(&mut self, a: Node) -> Node {
        match self.operation(a) {
            Operation::Constant(x) => self.constant(-x),
            Operation::Negate(x) => x,
            Operation::Subtract(x, y) => self.subtract(y, x),
            _ => self.make(Operation::Negate(a)),
        }
    }

    /// a b
    pub fn multiply(&mut self, a: Node, b: Node) -> Node {
        match (self.operation(a), self.operation(b)) {
            (Operation::Constant(x), Operation::Constant(y)) => self.constant(x * y),
            (Operation::Constant(c), _) => self.multiply_by_constant(c, b),
            (_, Operation::Constant(c)) => self.multiply_by_constant(c, a),
            (Operation::Negate(x), Operation::Negate(y)) => self.multiply(x, y),
            (Operation::Negate(x), _) => {
                let product = self.multiply(x, b);
                self.negate(product)
            }
            (_, Operation::Negate(y)) => {
                let product = self.multiply(a, y);
                self.negate(product)
            }
            _ if a == b => self.power(a, 2.0),
            // Constant factors and divisors are moved out of products, so that they cancel.
            (Operation::Multiply(c, x), _) if self.as_constant(c).is_some() => {
                let product = self.multiply(x, b);
                self.multiply(c, product)
            }
            (_, Operation::Multiply(c, y)) if self.as_constant(c).is_some() => {
                let product = self.multiply(a, y);
                self.multiply(c, product)
            }
            (Operation::Divide(x, c), _) if self.as_constant(c).is_some() => {
                let product = self.multiply(x, b);
                self.divide(product, c)
            }
            (_, Operation::Divide(y, c)) if self.as_constant(c).is_some() => {
                let product = self.multiply(a, y);
                self.divide(product, c)
            }
            _ => self.make(Operation::Multiply(a.min(b), a.max(b))),
        }
    }

    fn multiply_by_constant(&mut self, c: f64, a: Node) -> Node {
        if c == 0.0 {
            return self.constant(0.0);
        }
        if c == 1.0 {
            return a;
        }
        if c == -1.0 {
            return self.negate(a);
        }
        match self.operation(a) {
            Operation::Negate(x) => self.multiply_by_constant(-c, x),
            Operation::Divide(x, d) if self.exact_quotient(c, d).is_some() => {
                let quotient = self.exact_quotient(c, d).unwrap_or(c);
                self.multiply_by_constant(quotient, x)
            }
            Operation::Multiply(x, y) => {
                if let Operation::Constant(d) = self.operation(x) {
                    return self.multiply_by_constant(c * d, y);
                }
                let constant = self.constant(c);
                self.make(Operation::Multiply(constant, a))
            }
            _ => {
                let constant = self.constant(c);
                self.make(Operation::Multiply(constant, a))
            }
        }
    }

    /// c / d as a number, if both are constants and nothing is lost by dividing.
    fn fraction(&self, c: Node, d: Node) -> Option<f64> {
        self.exact_quotient(self.as_constant(c)?, d)
    }

    /// c / d as a number, if d is a constant and nothing is lost by dividing.
    fn exact_quotient(&self, c: f64, d: Node) -> Option<f64> {
        let d = self.as_constant(d)?;
        let quotient = c / d;
        (quotient.is_finite() && quotient * d == c && quotient.fract() == 0.0).then_some(quotient)
    }

    /// a / b
    pub fn divide(&mut self, a: Node, b: Node) -> Node {
        match (self.operation(a), self.operation(b)) {
            (Operation::Constant(x), Operation::Constant(y)) if y != 0.0 => self.constant(x / y),
            // No value, not even 0/0: it stays as it is written, so that messages can name its place.
            (_, Operation::Constant(0.0)) => self.make(Operation::Divide(a, b)),
            (Operation::Constant(0.0), o) if !matches!(o, Operation::Constant(_)) => self.constant(0.0),
            (_, Operation::Constant(1.0)) => a,
            (_, Operation::Constant(-1.0)) => self.negate(a),
            (Operation::Multiply(c, x), Operation::Constant(_)) if self.fraction(c, b).is_some() => {
                let quotient = self.fraction(c, b).unwrap_or(1.0);
                self.multiply_by_constant(quotient, x)
            }
            (Operation::Negate(x), Operation::Negate(y)) => self.divide(x, y),
            (Operation::Negate(x), _) => {
                let quotient = self.divide(x, b);
                self.negate(quotient)
            }
            (_, Operation::Negate(y)) => {
                let quotient = self.divide(a, y);
                self.negate(quotient)
            }
            _ if a == b => self.constant(1.0),
            _ => self.removable(a, b).unwrap_or_else(|| self.make(Operation::Divide(a, b))),
        }
    }

    /// a^c for a constant exponent.
    pub fn power(&mut self, a: Node, exponent: f64) -> Node {
        if exponent == 0.0 {
            return self.constant(1.0);
        }
        if exponent == 1.0 {
            return a;
        }
        if exponent == 0.5 {
            return self.apply(Function::Sqrt, a);
        }
        let integer = exponent.fract() == 0.0 && exponent.abs() <= 1e9;
        match self.operation(a) {
            Operation::Constant(x) => {
                let value = raise(x, exponent);
                if value.is_finite() {
                    return self.constant(value);
                }
            }
            Operation::Negate(x) if integer => {
                let power = self.power(x, exponent);
                return if exponent % 2.0 == 0.0 { power } else { self.negate(power) };
            }
            Operation::Power(x, inner) if integer && inner.fract() == 0.0 => {
                return self.power(x, inner * exponent);
            }
            Operation::Apply(Function::Sqrt, x) if exponent == 2.0 => return x,
            // 1 on either side.
            Operation::Apply(Function::Sign, _) if integer => {
                return if exponent % 2.0 == 0.0 { self.constant(1.0) } else { a };
            }
            _ => {}
        }
        self.make(Operation::Power(a, exponent))
    }

    /// a^b; a constant exponent gives [`Operation::Power`], any other `exp(b log a)`.
    pub fn raise(&mut self, a: Node, b: Node) -> Node {
        if let Some(exponent) = self.as_constant(b) {
            return self.power(a, exponent);
        }
        let log = self.apply(Function::Log, a);
        let product = self.multiply(b, log);
        self.apply(Function::Exp, product)
    }

    /// f(a)
    pub fn apply(&mut self, function: Function, a: Node) -> Node {
        match self.operation(a) {
            Operation::Constant(x) => {
                let value = function.of(x);
                if value.is_finite() {
                    return self.constant(value);
                }
            }
            Operation::Negate(x) => match function {
                Function::Cos | Function::Cosh => return self.apply(function, x),
                Function::Sin
                | Function::Tan
                | Function::Asin
                | Function::Atan
                | Function::Sinh
                | Function::Tanh
                | Function::Sign => {
                    let value = self.apply(function, x);
                    return self.negate(value);
                }
                _ => {}
            },
            Operation::Subtract(x, y) if y < x && matches!(function, Function::Cos | Function::Cosh) => {
                let argument = self.subtract(y, x);
                return self.apply(function, argument);
            }
            _ if function == Function::Sign && self.side_of_side(a).is_some() => {
                return self.side_of_side(a).unwrap_or(a);
            }
            Operation::Multiply(c, x) | Operation::Divide(x, c)
                if function == Function::Sign && self.side(c).is_some() =>
            {
                // Constant factors stand first in products.
                let value = self.apply(function, x);
                return if self.side(c) == Some(1.0) { value } else { self.negate(value) };
            }
            Operation::Subtract(x, y)
                if y < x && matches!(function, Function::Sin | Function::Sinh | Function::Sign) =>
            {
                // One orientation of every difference, so that sin(a-b), sin(b-a) and cos(a-b) share their argument.
                let argument = self.subtract(y, x);
                let value = self.apply(function, argument);
                return self.negate(value);
            }
            _ => {}
        }
        self.make(Operation::Apply(function, a))
    }

    /// The side of a formula of one side and numbers, as of `side(NAME) - 0.5`: that side, its negative or a number; `None` for others.
    fn side_of_side(&mut self, a: Node) -> Option<Node> {
        let is_side = |graph: &Graph, node: Node| matches!(graph.operation(node), Operation::Apply(Function::Sign, _));
        let parts = self.reachable_but(&[a], |node| is_side(self, node));
        let mut sides =
            parts.iter().flat_map(|&node| self.operands(node)).chain([a]).filter(|&node| is_side(self, node));
        let side = sides.next()?;
        let plain = |node: &Node| !matches!(self.operation(*node), Operation::Symbol(_));
        if sides.any(|other| other != side) || !parts.iter().all(plain) {
            return None;
        }
        let [high, low] = [1.0, -1.0].map(|value| {
            let value = HashMap::from([(side, self.constant(value))]);
            let node = self.substitute(a, &value);
            self.side(node)
        });
        match (high?, low?) {
            (1.0, 1.0) | (-1.0, -1.0) => high.map(|side| self.constant(side)),
            (1.0, _) => Some(side),
            _ => Some(self.negate(side)),
        }
    }

    /// The side of zero on which a constant other than zero lies.
    fn side(&self, node: Node) -> Option<f64> {
        self.as_constant(node).filter(|c| *c != 0.0 && !c.is_nan()).map(f64::signum)
    }

    /// The angle of the point (x, y), in (-pi, pi].
    pub fn atan2(&mut self, y: Node, x: Node) -> Node {
        if let (Some(a), Some(b)) = (self.as_constant(y), self.as_constant(x)) {
            return self.constant(elementary::atan2(a, b));
        }
        self.make(Operation::Atan2(y, x))
    }

    /// The sum of the nodes; 0 for none.
    pub fn sum(&mut self, terms: impl IntoIterator<Item = Node>) -> Node {
        let zero = self.constant(0.0);
        terms.into_iter().fold(zero, |sum, term| self.add(sum, term))
    }

    pub(crate) fn make(&mut self, operation: Operation) -> Node {
        let key = Key::from(operation);
        if let Some(&node) = self.known.get(&key) {
            return node;
        }
        let node = Node(self.operations.len() as u32);
        self.operations.push(operation);
        self.known.insert(key, node);
        node
    }
}

/// x^c: by multiplication for small integers, so that every kind of number rounds alike.
pub(crate) fn raise(x: f64, c: f64) -> f64 {
    if c.fract() == 0.0 && c.abs() <= 64.0 { x.powi(c as i32) } else { elementary::powf(x, c) }
}
