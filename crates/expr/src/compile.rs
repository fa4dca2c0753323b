//! Compiles a set of formulas to a tape: one instruction per sum, common subexpressions once, constant subexpressions in advance.

use std::collections::HashMap;

use crate::function::Function;
use crate::graph::{Graph, Node, Operation};
use crate::tape::{Fixed, Instruction, Row, Rule, Slot, Tape, small_integer};
use crate::weights;

/// Below this size of its argument `exprel` is a mean of exponential functions: on |a| <= 2 SMALL the formula of Gauss with ten nodes is wrong by 6e-19 of it, and beyond SMALL
/// the rounding of (exp a - 1)/a is not that of a quotient near zero over zero.
const SMALL: f64 = 2.0;
/// The nodes of Gauss on [0, 1] and their weights.
const NODES: [[f64; 2]; 10] = [
    [0.01304673574141414, 0.03333567215434407],
    [0.06746831665550775, 0.0747256745752903],
    [0.1602952158504878, 0.10954318125799102],
    [0.2833023029353764, 0.13463335965499817],
    [0.4255628305091844, 0.14776211235737644],
    [0.5744371694908156, 0.14776211235737644],
    [0.7166976970646236, 0.13463335965499817],
    [0.8397047841495122, 0.10954318125799102],
    [0.9325316833444922, 0.0747256745752903],
    [0.9869532642585859, 0.03333567215434407],
];

impl Tape {
    /// Compiles formulas.
    ///
    /// `states` and `parameters` are symbols; `rates` has one formula per state (or none at all, for a tape that is only
    /// evaluated and never expanded in time); every symbol in a formula must be one of them.
    ///
    /// # Panics
    /// If a formula contains a symbol that is neither state nor parameter: a model that passed its checks has none.
    pub fn new(graph: &Graph, states: &[Node], parameters: &[Node], rates: &[Node], outputs: &[Node]) -> Tape {
        assert!(rates.is_empty() || rates.len() == states.len(), "one rate per state");
        let mut graph = graph.clone();
        let roots: Vec<Node> = rates.iter().chain(outputs).copied().collect();
        let moving = moving(&graph, states, &roots);
        let roots = weights::taken_out(&mut graph, &moving, &roots);
        let (rates, outputs) = roots.split_at(rates.len());
        Compiler::new(graph, states, parameters, rates, outputs).compile(rates, outputs)
    }
}

/// Whether a node that the roots need depends on a state, by node.
fn moving(graph: &Graph, states: &[Node], roots: &[Node]) -> Vec<bool> {
    let mut moving = vec![false; graph.len()];
    for &state in states {
        moving[state.index()] = true;
    }
    for &node in &graph.reachable(roots) {
        for operand in graph.operands(node) {
            moving[node.index()] |= moving[operand.index()];
        }
    }
    moving
}

/// A value during compilation.
#[derive(Clone, Copy)]
enum Place {
    Fixed(Slot),
    Row(Row),
}

pub(crate) struct Compiler {
    graph: Graph,
    /// Whether a node depends on a state, by node.
    moving: Vec<bool>,
    /// The number of uses of a node by nodes that the roots need.
    uses: Vec<u32>,
    slots: HashMap<Node, Slot>,
    rows: HashMap<Node, Row>,
    tape: Tape,
}

impl Compiler {
    pub(crate) fn new(
        graph: Graph,
        states: &[Node],
        parameters: &[Node],
        rates: &[Node],
        outputs: &[Node],
    ) -> Compiler {
        let roots: Vec<Node> = rates.iter().chain(outputs).copied().collect();
        let moving = moving(&graph, states, &roots);
        let mut uses = vec![0; graph.len()];
        for &root in &roots {
            uses[root.index()] += 1;
        }
        for &node in &graph.reachable(&roots) {
            for operand in graph.operands(node) {
                uses[operand.index()] += 1;
            }
        }
        let mut compiler = Compiler {
            graph,
            moving,
            uses,
            slots: parameters.iter().enumerate().map(|(i, &p)| (p, i as Slot)).collect(),
            rows: states.iter().enumerate().map(|(i, &s)| (s, i as Row)).collect(),
            tape: Tape {
                states: states.len(),
                rows: states.len(),
                instructions: Vec::new(),
                output_instructions: Vec::new(),
                terms: Vec::new(),
                rates: Vec::new(),
                outputs: Vec::new(),
                affine: false,
                wide: false,
                waves: Vec::new(),
                steady: Vec::new(),
                seen: Vec::new(),
                multiplied: Vec::new(),
                parameters: parameters.len(),
                constants: Vec::new(),
                fixed: Vec::new(),
                lookups: Vec::new(),
            },
        };
        // All constants first: their slots follow those of the parameters.
        for node in compiler.graph.reachable(&roots) {
            compiler.constant_slot(node);
        }
        let averages = compiler
            .graph
            .reachable(&roots)
            .iter()
            .any(|&node| matches!(compiler.graph.operation(node), Operation::Apply(Function::Exprel, _)));
        let of_averages = NODES.iter().flatten().copied().filter(|_| averages);
        for value in [0.0, 1.0, -1.0].into_iter().chain(of_averages) {
            let node = compiler.graph.constant(value);
            compiler.constant_slot(node);
        }
        compiler.grow();
        compiler
    }

    fn constant_slot(&mut self, node: Node) {
        if let Operation::Constant(c) = self.graph.operation(node)
            && !self.slots.contains_key(&node)
        {
            let slot = (self.tape.parameters + self.tape.constants.len()) as Slot;
            self.tape.constants.push(c);
            self.slots.insert(node, slot);
        }
    }

    /// Keeps the tables as long as the graph; nodes created while compiling are constant weights.
    fn grow(&mut self) {
        self.moving.resize(self.graph.len(), false);
        self.uses.resize(self.graph.len(), 1);
    }

    pub(crate) fn compile(mut self, rates: &[Node], outputs: &[Node]) -> Tape {
        // Which nodes need a row of their own, found from the roots; then in graph order, operands first.
        let mut needed: Vec<Node> = Vec::new();
        let mut seen = vec![false; self.graph.len()];
        let mut stack: Vec<Node> = rates.iter().chain(outputs).copied().filter(|r| self.is_moving(*r)).collect();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node.index()], true) {
                continue;
            }
            needed.push(node);
            if self.is_linear(node) {
                let (terms, _) = self.linear_terms(node);
                stack.extend(terms.into_iter().map(|(_, row)| row));
            } else {
                stack.extend(self.graph.operands(node).filter(|&a| self.is_moving(a)));
            }
        }
        // Weights made by `linear_terms` are plain constants and products of fixed nodes: they never move.
        needed.sort_unstable();
        // Weights may be new constants; their slots come before the computed ones, so collect them first.
        for &node in &needed {
            if self.is_linear(node) {
                let (terms, constant) = self.linear_terms(node);
                let weights: Vec<Node> = terms.into_iter().map(|(weight, _)| weight).chain([constant]).collect();
                for part in self.graph.reachable_but(&weights, |part| self.slots.contains_key(&part)) {
                    self.constant_slot(part);
                }
            }
        }
        let roots: Vec<Node> = rates.iter().chain(outputs).copied().collect();
        for part in self.graph.reachable(&roots) {
            self.constant_slot(part);
        }
        for node in needed {
            self.emit(node);
        }
        let rate_rows: Vec<Row> = rates.iter().map(|&r| self.root_row(r)).collect();
        let output_rows: Vec<Row> = outputs.iter().map(|&o| self.root_row(o)).collect();
        self.tape.rates = rate_rows;
        self.tape.outputs = output_rows;
        self.tape.mark_waves();
        self.tape.note_readers();
        self.tape.output_instructions = self.tape.instructions_for(&self.tape.outputs);
        self.tape.affine = self.tape.instructions.iter().all(|i| matches!(i, Instruction::Linear { .. }));
        if let Some(waves) = self.tape.sums_and_waves() {
            self.tape.widen(&waves);
        }
        self.tape
    }

    fn is_moving(&self, node: Node) -> bool {
        self.moving[node.index()]
    }

    /// The row of a root; a root that does not move gets a row with one coefficient.
    fn root_row(&mut self, node: Node) -> Row {
        if self.is_moving(node) {
            return self.rows[&node];
        }
        let constant = self.slot(node);
        let out = self.new_row();
        let at = self.tape.terms.len() as u32;
        self.tape.instructions.push(Instruction::Linear { out, constant, first: at, last: at });
        out
    }

    /// A sum, a sign or a product with a fixed factor.
    fn is_linear(&self, node: Node) -> bool {
        match self.graph.operation(node) {
            Operation::Add(..) | Operation::Subtract(..) | Operation::Negate(_) => true,
            Operation::Multiply(a, b) => !(self.is_moving(a) && self.is_moving(b)),
            Operation::Divide(_, b) => !self.is_moving(b),
            _ => false,
        }
    }

    /// The node as constant + sum of weight * row node, with sums used nowhere else written out.
    fn linear_terms(&mut self, root: Node) -> (Vec<(Node, Node)>, Node) {
        let one = self.graph.constant(1.0);
        let mut constant = self.graph.constant(0.0);
        let mut terms: Vec<(Node, Node)> = Vec::new();
        let mut stack = vec![(root, one)];
        while let Some((node, weight)) = stack.pop() {
            if !self.is_moving(node) {
                let part = self.graph.multiply(weight, node);
                constant = self.graph.add(constant, part);
                self.grow();
                continue;
            }
            let inside = node == root || self.uses[node.index()] == 1;
            match self.graph.operation(node) {
                Operation::Add(a, b) if inside => stack.extend([(b, weight), (a, weight)]),
                Operation::Subtract(a, b) if inside => {
                    let minus = self.graph.negate(weight);
                    stack.extend([(b, minus), (a, weight)]);
                }
                Operation::Negate(a) => {
                    let minus = self.graph.negate(weight);
                    stack.push((a, minus));
                }
                Operation::Multiply(a, b) if !(self.is_moving(a) && self.is_moving(b)) => {
                    let (fixed, row) = if self.is_moving(b) { (a, b) } else { (b, a) };
                    let product = self.graph.multiply(weight, fixed);
                    stack.push((row, product));
                }
                Operation::Divide(a, b) if !self.is_moving(b) => {
                    let quotient = self.graph.divide(weight, b);
                    stack.push((a, quotient));
                }
                _ => match terms.iter_mut().find(|(_, row)| *row == node) {
                    Some(term) => term.0 = self.graph.add(term.0, weight),
                    None => terms.push((weight, node)),
                },
            }
            self.grow();
        }
        let zero = self.graph.constant(0.0);
        self.grow();
        terms.retain(|&(weight, _)| weight != zero);
        (terms, constant)
    }

    /// The slot of a node that does not move.
    fn slot(&mut self, node: Node) -> Slot {
        for part in self.graph.reachable_but(&[node], |part| self.slots.contains_key(&part)) {
            let looked = match self.graph.operation(part) {
                Operation::Piece(lookup, ..) => self.lookup(lookup),
                _ => 0,
            };
            let of = |n: Node| self.slots[&n];
            let fixed = match self.graph.operation(part) {
                Operation::Add(a, b) => Fixed::Add(of(a), of(b)),
                Operation::Subtract(a, b) => Fixed::Subtract(of(a), of(b)),
                Operation::Multiply(a, b) => Fixed::Multiply(of(a), of(b)),
                Operation::Divide(a, b) => Fixed::Divide(of(a), of(b)),
                Operation::Negate(a) => Fixed::Negate(of(a)),
                Operation::Power(a, c) => Fixed::Power(of(a), c),
                Operation::Apply(f, a) => Fixed::Apply(f, of(a)),
                Operation::Atan2(y, x) => Fixed::Atan2(of(y), of(x)),
                Operation::Piece(_, piece, a) => Fixed::Piece(looked, piece, of(a)),
                Operation::Symbol(s) => {
                    panic!("the symbol {} is neither a state nor a parameter", self.graph.symbol_name(s))
                }
                Operation::Constant(_) => {
                    unreachable!("constants have their slots before anything is computed")
                }
            };
            let slot = (self.tape.parameters + self.tape.constants.len() + self.tape.fixed.len()) as Slot;
            self.tape.fixed.push(fixed);
            self.slots.insert(part, slot);
        }
        self.slots[&node]
    }

    fn new_row(&mut self) -> Row {
        self.tape.rows += 1;
        (self.tape.rows - 1) as Row
    }

    fn push(&mut self, instruction: Instruction) {
        self.tape.instructions.push(instruction);
    }

    fn place(&mut self, node: Node) -> Place {
        if self.is_moving(node) { Place::Row(self.rows[&node]) } else { Place::Fixed(self.slot(node)) }
    }

    /// A row for a node, moving or not.
    fn row(&mut self, node: Node) -> Row {
        match self.place(node) {
            Place::Row(row) => row,
            Place::Fixed(_) => self.root_row(node),
        }
    }

    fn emit(&mut self, node: Node) {
        if self.rows.contains_key(&node) {
            return;
        }
        if self.is_linear(node) {
            let (terms, constant) = self.linear_terms(node);
            let terms: Vec<(Slot, Row)> = terms.iter().map(|&(w, row)| (self.slot(w), self.rows[&row])).collect();
            let constant = self.slot(constant);
            let out = self.linear(constant, &terms);
            self.rows.insert(node, out);
            return;
        }
        let out = match self.graph.operation(node) {
            Operation::Multiply(a, b) => {
                let (a, b) = (self.row(a), self.row(b));
                self.product(a, b)
            }
            Operation::Divide(a, b) => {
                let b = self.rows[&b];
                match self.place(a) {
                    Place::Fixed(a) => self.reciprocal(a, b),
                    Place::Row(a) => {
                        let out = self.new_row();
                        self.push(Instruction::Quotient { out, a, b });
                        out
                    }
                }
            }
            Operation::Power(a, c) => {
                let a = self.rows[&a];
                self.power(a, c)
            }
            Operation::Apply(function, a) => {
                self.function(node, function, a);
                return;
            }
            Operation::Piece(lookup, part, a) => {
                let (a, lookup) = (self.row(a), self.lookup(lookup));
                let out = self.new_row();
                self.push(Instruction::Piece { out, a, lookup, part });
                out
            }
            Operation::Atan2(y, x) => {
                let (y, x) = (self.row(y), self.row(x));
                let (yy, xx) = (self.square(y), self.square(x));
                let (zero, one) = (self.fixed_constant(0.0), self.fixed_constant(1.0));
                let weight = self.linear(zero, &[(one, xx), (one, yy)]);
                let out = self.new_row();
                let slopes = self.new_row();
                self.new_row();
                self.new_row();
                self.push(Instruction::Atan2 { out, y, x, weight, slopes });
                out
            }
            operation => unreachable!("{operation:?} has its row already or is linear"),
        };
        self.rows.insert(node, out);
    }

    /// The place of a lookup in the tape.
    fn lookup(&mut self, number: u32) -> u32 {
        let known = self.tape.lookups.iter().position(|(known, _)| *known == number);
        known.unwrap_or_else(|| {
            self.tape.lookups.push((number, self.graph.lookups()[number as usize].clone()));
            self.tape.lookups.len() - 1
        }) as u32
    }

    fn fixed_constant(&mut self, value: f64) -> Slot {
        let node = self.graph.constant(value);
        self.grow();
        self.slots[&node]
    }

    fn linear(&mut self, constant: Slot, terms: &[(Slot, Row)]) -> Row {
        let out = self.new_row();
        let first = self.tape.terms.len() as u32;
        self.tape.terms.extend_from_slice(terms);
        let last = self.tape.terms.len() as u32;
        self.push(Instruction::Linear { out, constant, first, last });
        out
    }

    /// The factor that is computed later comes first: its coefficients enter last.
    fn product(&mut self, a: Row, b: Row) -> Row {
        let out = self.new_row();
        self.push(Instruction::Product { out, a: a.max(b), b: a.min(b) });
        out
    }

    fn square(&mut self, a: Row) -> Row {
        let out = self.new_row();
        self.push(Instruction::Square { out, a });
        out
    }

    fn reciprocal(&mut self, a: Slot, b: Row) -> Row {
        let out = self.new_row();
        self.push(Instruction::Reciprocal { out, a, b });
        out
    }

    fn power(&mut self, a: Row, c: f64) -> Row {
        if c.fract() != 0.0 && small_integer(2.0 * c).is_some() {
            // A square root is differentiable in more cases than a power.
            let root = self.new_row();
            self.push(Instruction::SquareRoot { out: root, a });
            return self.power(root, 2.0 * c);
        }
        let Some(n) = small_integer(c) else {
            let (out, slope, own_slope) = (self.new_row(), self.new_row(), self.new_row());
            self.push(Instruction::RealPower { out, slope, own_slope, a, exponent: c });
            return out;
        };
        let mut power: Option<Row> = None;
        let mut base = a;
        let mut rest = n.unsigned_abs();
        while rest > 0 {
            if rest & 1 == 1 {
                power = Some(match power {
                    None => base,
                    Some(so_far) => self.product(so_far, base),
                });
            }
            rest >>= 1;
            if rest > 0 {
                base = self.square(base);
            }
        }
        // The graph folds exponents 0 and 1, so at least one factor was taken.
        let power = power.unwrap_or(a);
        if n < 0 {
            let one = self.fixed_constant(1.0);
            self.reciprocal(one, power)
        } else {
            power
        }
    }

    /// f(a) and, for sines and cosines, the other one of the pair.
    fn function(&mut self, node: Node, function: Function, argument: Node) {
        let a = self.rows[&argument];
        let out = match function {
            Function::Sin | Function::Cos | Function::Sinh | Function::Cosh => {
                let (sine, cosine, slope) = (self.new_row(), self.new_row(), self.new_row());
                let circular = matches!(function, Function::Sin | Function::Cos);
                let (first, second) = if circular {
                    self.push(Instruction::SineCosine { sine, cosine, slope, a, steady: false });
                    (Function::Sin, Function::Cos)
                } else {
                    self.push(Instruction::HyperbolicSineCosine { sine, cosine, slope, a });
                    (Function::Sinh, Function::Cosh)
                };
                for (f, row) in [(first, sine), (second, cosine)] {
                    let node = self.graph.apply(f, argument);
                    self.grow();
                    // Folding may turn a function into another node; only the true pair is entered.
                    if self.graph.operation(node) == Operation::Apply(f, argument) {
                        self.moving[node.index()] = true;
                        self.rows.insert(node, row);
                    }
                }
                return;
            }
            Function::Tan => {
                let (out, weight, slope) = (self.new_row(), self.new_row(), self.new_row());
                self.push(Instruction::Tangent { out, weight, slope, a });
                out
            }
            Function::Tanh => {
                let (out, weight, slope) = (self.new_row(), self.new_row(), self.new_row());
                self.push(Instruction::HyperbolicTangent { out, weight, slope, a });
                out
            }
            Function::Exp => self.exponential(a),
            Function::Exprel => self.exprel(a),
            Function::Logistic => self.logistic(a),
            Function::Sqrt => {
                let out = self.new_row();
                self.push(Instruction::SquareRoot { out, a });
                out
            }
            Function::Sign => {
                let out = self.new_row();
                self.push(Instruction::Sign { out, a });
                out
            }
            Function::Log => self.primitive(function, a, a),
            Function::Atan | Function::Asin | Function::Acos => {
                let square = self.square(a);
                let one = self.fixed_constant(1.0);
                let minus = self.fixed_constant(-1.0);
                let zero = self.fixed_constant(0.0);
                let weight = if function == Function::Atan {
                    self.linear(one, &[(one, square)])
                } else {
                    let rest = self.linear(one, &[(minus, square)]);
                    let root = self.new_row();
                    self.push(Instruction::SquareRoot { out: root, a: rest });
                    if function == Function::Asin { root } else { self.linear(zero, &[(minus, root)]) }
                };
                self.primitive(function, a, weight)
            }
        };
        self.rows.insert(node, out);
    }

    fn exponential(&mut self, a: Row) -> Row {
        let (out, slope) = (self.new_row(), self.new_row());
        self.push(Instruction::Exponential { out, slope, a });
        out
    }

    /// (exp a - 1)/a where a is large, and the mean of exp(s a) over 0 <= s <= 1 where it is not, by the formula of Gauss.
    fn exprel(&mut self, a: Row) -> Row {
        let (zero, one, minus) = (self.fixed_constant(0.0), self.fixed_constant(1.0), self.fixed_constant(-1.0));
        let exponential = self.exponential(a);
        let difference = self.linear(minus, &[(one, exponential)]);
        let far = self.new_row();
        self.push(Instruction::Quotient { out: far, a: difference, b: a });
        let terms = NODES.map(|[node, weight]| {
            let (node, weight) = (self.fixed_constant(node), self.fixed_constant(weight));
            let part = self.linear(zero, &[(node, a)]);
            (weight, self.exponential(part))
        });
        let near = self.linear(zero, &terms);
        self.either(a, near, far, Rule::Small(SMALL))
    }

    /// e/(1 + e) with e = exp a where a is negative, and 1/(1 + e) with e = exp(-a) where it is not.
    fn logistic(&mut self, a: Row) -> Row {
        let (zero, one, minus) = (self.fixed_constant(0.0), self.fixed_constant(1.0), self.fixed_constant(-1.0));
        let rising = self.exponential(a);
        let more = self.linear(one, &[(one, rising)]);
        let near = self.new_row();
        self.push(Instruction::Quotient { out: near, a: rising, b: more });
        let opposite = self.linear(zero, &[(minus, a)]);
        let falling = self.exponential(opposite);
        let more = self.linear(one, &[(one, falling)]);
        let far = self.reciprocal(one, more);
        self.either(a, near, far, Rule::Negative)
    }

    fn either(&mut self, a: Row, near: Row, far: Row, rule: Rule) -> Row {
        let out = self.new_row();
        self.push(Instruction::Either { out, a, near, far, rule });
        out
    }

    fn primitive(&mut self, function: Function, a: Row, weight: Row) -> Row {
        let (out, slope) = (self.new_row(), self.new_row());
        self.push(Instruction::Primitive { out, slope, a, weight, function });
        out
    }
}
