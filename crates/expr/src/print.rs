//! Prints a node as text that parses back to the same node.

use crate::graph::{Graph, Node, Operation};

/// Operator precedence, weakest first.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binding {
    Sum,
    Product,
    Sign,
    Power,
    Atom,
}

impl Graph {
    /// The formula as text in the formula language.
    ///
    /// Shared subformulas are written out where they are used, so text can be far longer than the graph;
    /// past 10,000 characters it is cut and ends with an ellipsis.
    pub fn print(&self, node: Node) -> String {
        let mut text = String::new();
        self.write(node, Binding::Sum, 0, &mut text);
        if text.len() > LONGEST {
            let mut end = LONGEST;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            text.push('…');
        }
        text
    }

    fn is_sum(&self, node: Node) -> bool {
        matches!(self.operation(node), Operation::Add(..) | Operation::Subtract(..))
    }

    fn is_product(&self, node: Node) -> bool {
        matches!(self.operation(node), Operation::Multiply(..) | Operation::Divide(..))
    }

    /// A product whose second factor is neither a quotient, a product nor a sign.
    fn is_plain_product(&self, node: Node) -> bool {
        let Operation::Multiply(a, b) = self.operation(node) else {
            return false;
        };
        let (first, second) = if self.is_product(b) && !self.is_product(a) { (b, a) } else { (a, b) };
        let signed = |n: Node| matches!(self.operation(n), Operation::Negate(_));
        !self.is_product(second)
            && !signed(first)
            && !signed(second)
            && (!self.is_product(first) || self.is_plain_product(first))
    }

    fn write(&self, node: Node, around: Binding, depth: usize, text: &mut String) {
        if text.len() > LONGEST {
            return;
        }
        if depth > 200 {
            text.push('…');
            return;
        }
        if let Some((table, argument)) = self.looked_up(node) {
            text.push_str(table);
            text.push('(');
            self.write(argument, Binding::Sum, depth + 1, text);
            text.push(')');
            return;
        }
        let binding = match self.operation(node) {
            Operation::Constant(c) if c < 0.0 => Binding::Sign,
            Operation::Constant(_)
            | Operation::Symbol(_)
            | Operation::Apply(..)
            | Operation::Atan2(..)
            | Operation::Piece(..) => Binding::Atom,
            Operation::Add(..) | Operation::Subtract(..) => Binding::Sum,
            Operation::Multiply(..) | Operation::Divide(..) => Binding::Product,
            Operation::Negate(_) => Binding::Sign,
            Operation::Power(..) => Binding::Power,
        };
        let bracket = binding < around;
        if bracket {
            text.push('(');
        }
        let next = depth + 1;
        match self.operation(node) {
            Operation::Constant(c) => text.push_str(&number(c)),
            Operation::Symbol(s) => text.push_str(self.symbol_name(s)),
            Operation::Add(a, b) => {
                // Either order reads back as the same node: the one that needs no brackets.
                let (a, b) = if self.is_sum(b) && !self.is_sum(a) { (b, a) } else { (a, b) };
                self.write(a, Binding::Sum, next, text);
                text.push_str(" + ");
                self.write(b, Binding::Product, next, text);
            }
            Operation::Subtract(a, b) => {
                self.write(a, Binding::Sum, next, text);
                text.push_str(" - ");
                self.write(b, Binding::Product, next, text);
            }
            Operation::Multiply(a, b) if self.as_constant(a).is_some() && self.is_plain_product(b) => {
                self.write(a, Binding::Product, next, text);
                text.push('*');
                self.write(b, Binding::Product, next, text);
            }
            Operation::Multiply(a, b) => {
                let (a, b) = if self.is_product(b) && !self.is_product(a) && self.as_constant(a).is_none() {
                    (b, a)
                } else {
                    (a, b)
                };
                self.write(a, Binding::Product, next, text);
                text.push('*');
                self.write(b, Binding::Sign, next, text);
            }
            Operation::Divide(a, b) => {
                self.write(a, Binding::Product, next, text);
                text.push('/');
                self.write(b, Binding::Power, next, text);
            }
            Operation::Negate(a) => {
                text.push('-');
                self.write(a, Binding::Sign, next, text);
            }
            Operation::Power(a, c) => {
                self.write(a, Binding::Atom, next, text);
                text.push('^');
                if c < 0.0 {
                    text.push_str(&format!("({})", number(c)));
                } else {
                    text.push_str(&number(c));
                }
            }
            Operation::Apply(f, a) => {
                text.push_str(f.name());
                text.push('(');
                self.write(a, Binding::Sum, next, text);
                text.push(')');
            }
            Operation::Piece(lookup, part, a) => {
                text.push_str(&self.piece_name(lookup, part));
                text.push('(');
                self.write(a, Binding::Sum, next, text);
                text.push(')');
            }
            Operation::Atan2(y, x) => {
                text.push_str("atan2(");
                self.write(y, Binding::Sum, next, text);
                text.push_str(", ");
                self.write(x, Binding::Sum, next, text);
                text.push(')');
            }
        }
        if bracket {
            text.push(')');
        }
    }
}

const LONGEST: usize = 10_000;

/// The shortest text that reads back as the same number.
fn number(c: f64) -> String {
    let plain = format!("{c}");
    if plain.len() <= 12 {
        plain
    } else {
        let e = format!("{c:e}");
        if e.len() < plain.len() { e } else { plain }
    }
}
