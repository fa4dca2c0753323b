//! Formulas of the phase as sums of waves, o + d phase + sum_w (p_w cos(w phase) + q_w sin(w phase)), by product-to-sum identities on the graph.
//!
//! Sines and cosines of w phase + shift are waves by the addition theorem, and
//!
//! 2 cos a cos b = cos(a - b) + cos(a + b),   2 sin a sin b = cos(a - b) - cos(a + b),   2 sin a cos b = sin(a - b) + sin(a + b)
//!
//! make waves of products and powers of waves. All coefficients and frequencies w are formulas of the parameters.

use std::collections::HashMap;

use saltation_expr::{Function, Graph, Node, Operation};

/// A formula with more waves than this is better served by samples.
const MOST_WAVES: usize = 64;
/// The highest power that is multiplied out.
const HIGHEST_POWER: f64 = 64.0;

/// A frequency w, the sum of numbers times formulas of the parameters, in the order of their nodes: so that w + w' - w' is w again.
pub(super) type Frequency = Vec<(Node, f64)>;

/// p cos(w phase) + q sin(w phase).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wave {
    pub frequency: Frequency,
    pub cosine: Node,
    pub sine: Node,
}

/// A formula of the phase as a sum of waves of different frequencies.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Waves {
    /// o
    pub constant: Node,
    /// d
    pub slope: Node,
    pub waves: Vec<Wave>,
}

/// Writes formulas as sums of waves, each common subexpression once.
pub(super) struct Splitter<'g> {
    graph: &'g mut Graph,
    zero: Node,
    known: HashMap<Node, Option<Waves>>,
}

impl<'g> Splitter<'g> {
    /// For formulas of these symbols: the states are zero, and the last of the symbols is the phase if there is one; all others do not change.
    pub(super) fn new(graph: &'g mut Graph, states: &[Node], phase: Option<Node>) -> Splitter<'g> {
        let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
        let plain = |slope: Node| Some(Waves { constant: zero, slope, waves: Vec::new() });
        let states = states.iter().map(|&state| (state, plain(zero)));
        let known = states.chain(phase.map(|phase| (phase, plain(one)))).collect();
        Splitter { graph, zero, known }
    }

    /// A formula as a sum of waves; `None` where it is none by these identities, or one of very many.
    pub(super) fn split(&mut self, formula: Node) -> Option<Waves> {
        for node in self.graph.reachable(&[formula]) {
            if !self.known.contains_key(&node) {
                let waves = self.waves_of(node);
                self.known.insert(node, waves);
            }
        }
        self.known[&formula].clone()
    }

    /// A node as a sum of waves, from those of its operands.
    fn waves_of(&mut self, node: Node) -> Option<Waves> {
        let operand = |at: Node| self.known[&at].clone();
        let constant = |waves: Waves| waves.is_constant(self.zero).then_some(waves.constant);
        match self.graph.operation(node) {
            Operation::Constant(_) | Operation::Symbol(_) => Some(self.unchanging(node)),
            Operation::Add(a, b) => {
                let (a, b) = (operand(a)?, operand(b)?);
                self.sum(a, b)
            }
            Operation::Subtract(a, b) => {
                let (a, b) = (operand(a)?, operand(b)?);
                let minus = self.each(b, |graph, x| graph.negate(x));
                self.sum(a, minus)
            }
            Operation::Negate(a) => {
                let a = operand(a)?;
                Some(self.each(a, |graph, x| graph.negate(x)))
            }
            Operation::Multiply(a, b) => {
                let (a, b) = (operand(a)?, operand(b)?);
                self.product(a, b)
            }
            Operation::Divide(a, b) => {
                let (a, divisor) = (operand(a)?, constant(operand(b)?)?);
                Some(self.each(a, |graph, x| graph.divide(x, divisor)))
            }
            Operation::Power(a, exponent) => {
                let base = operand(a)?;
                if base.is_constant(self.zero) {
                    let power = self.graph.power(base.constant, exponent);
                    return Some(self.unchanging(power));
                }
                if exponent.fract() != 0.0 || !(2.0..=HIGHEST_POWER).contains(&exponent) {
                    return None;
                }
                (1..exponent as usize).try_fold(base.clone(), |power, _| self.product(power, base.clone()))
            }
            Operation::Apply(function @ (Function::Sin | Function::Cos), a) => {
                let argument = operand(a)?;
                if !argument.waves.is_empty() {
                    return None;
                }
                let Waves { constant: shift, slope, .. } = argument;
                if slope == self.zero {
                    let value = self.graph.apply(function, shift);
                    return Some(self.unchanging(value));
                }
                let (sine, cosine) = (self.graph.apply(Function::Sin, shift), self.graph.apply(Function::Cos, shift));
                // sin(w phase + s) = sin s cos(w phase) + cos s sin(w phase), cos(w phase + s) = cos s cos(w phase) - sin s sin(w phase)
                let (cosine, sine) = match function {
                    Function::Sin => (sine, cosine),
                    _ => (cosine, self.graph.negate(sine)),
                };
                let mut wave = self.unchanging(self.zero);
                let frequency = frequency(self.graph, slope);
                self.add_wave(&mut wave, frequency, (cosine, sine))?;
                Some(wave)
            }
            Operation::Apply(function, a) => {
                let argument = constant(operand(a)?)?;
                let value = self.graph.apply(function, argument);
                Some(self.unchanging(value))
            }
            Operation::Piece(lookup, part, a) => {
                let argument = constant(operand(a)?)?;
                let value = self.graph.piece(lookup, part, argument);
                Some(self.unchanging(value))
            }
            Operation::Atan2(y, x) => {
                let (y, x) = (constant(operand(y)?)?, constant(operand(x)?)?);
                let value = self.graph.atan2(y, x);
                Some(self.unchanging(value))
            }
        }
    }

    /// A formula that does not change.
    fn unchanging(&self, constant: Node) -> Waves {
        Waves { constant, slope: self.zero, waves: Vec::new() }
    }

    /// The same linear operation on all coefficients.
    fn each(&mut self, waves: Waves, mut operation: impl FnMut(&mut Graph, Node) -> Node) -> Waves {
        let Waves { constant, slope, waves } = waves;
        let graph = &mut *self.graph;
        let (constant, slope) = (operation(graph, constant), operation(graph, slope));
        let waves = waves.into_iter().map(|Wave { frequency, cosine, sine }| {
            let (cosine, sine) = (operation(graph, cosine), operation(graph, sine));
            Wave { frequency, cosine, sine }
        });
        Waves { constant, slope, waves: waves.collect() }
    }

    fn sum(&mut self, mut a: Waves, b: Waves) -> Option<Waves> {
        a.constant = self.graph.add(a.constant, b.constant);
        a.slope = self.graph.add(a.slope, b.slope);
        for Wave { frequency, cosine, sine } in b.waves {
            self.add_wave(&mut a, frequency, (cosine, sine))?;
        }
        Some(a)
    }

    fn product(&mut self, a: Waves, b: Waves) -> Option<Waves> {
        let zero = self.zero;
        for (factor, other) in [(&a, &b), (&b, &a)] {
            if factor.is_constant(zero) {
                let factor = factor.constant;
                return Some(self.each(other.clone(), |graph, x| graph.multiply(factor, x)));
            }
        }
        if a.slope != zero || b.slope != zero {
            return None;
        }
        // The constants are waves of frequency zero, without sine.
        let all = |waves: &Waves| {
            let constant = Wave { frequency: Vec::new(), cosine: waves.constant, sine: zero };
            std::iter::once(constant).chain(waves.waves.iter().cloned()).collect::<Vec<Wave>>()
        };
        let mut product = self.unchanging(zero);
        for Wave { frequency: alpha, cosine: p, sine: q } in all(&a) {
            for Wave { frequency: beta, cosine: r, sine: s } in all(&b) {
                let graph = &mut *self.graph;
                let two = graph.constant(2.0);
                let [pr, ps, qr, qs] = [(p, r), (p, s), (q, r), (q, s)].map(|(x, y)| {
                    let product = graph.multiply(x, y);
                    graph.divide(product, two)
                });
                let above = (graph.subtract(pr, qs), graph.add(qr, ps));
                let below = (graph.add(pr, qs), graph.subtract(qr, ps));
                self.add_wave(&mut product, combined(&alpha, &beta, 1.0), above)?;
                self.add_wave(&mut product, combined(&alpha, &beta, -1.0), below)?;
            }
        }
        Some(product)
    }

    /// Adds p cos(w phase) + q sin(w phase); `None` if there are too many waves then.
    fn add_wave(&mut self, waves: &mut Waves, mut w: Frequency, (p, mut q): (Node, Node)) -> Option<()> {
        // The same wave with -w: one of the two stands for both.
        match w.first() {
            None => {
                waves.constant = self.graph.add(waves.constant, p);
                return Some(());
            }
            Some(&(_, first)) if first < 0.0 => {
                w.iter_mut().for_each(|(_, number)| *number = -*number);
                q = self.graph.negate(q);
            }
            Some(_) => {}
        }
        if p == self.zero && q == self.zero {
            return Some(());
        }
        match waves.waves.iter_mut().find(|wave| wave.frequency == w) {
            Some(wave) => {
                wave.cosine = self.graph.add(wave.cosine, p);
                wave.sine = self.graph.add(wave.sine, q);
            }
            None => waves.waves.push(Wave { frequency: w, cosine: p, sine: q }),
        }
        (waves.waves.len() <= MOST_WAVES).then_some(())
    }
}

impl Waves {
    fn is_constant(&self, zero: Node) -> bool {
        self.slope == zero && self.waves.is_empty()
    }
}

/// A formula as a sum of numbers times formulas.
fn frequency(graph: &mut Graph, formula: Node) -> Frequency {
    let one = graph.constant(1.0);
    let mut sum = Vec::new();
    let mut waiting = vec![(formula, 1.0)];
    while let Some((node, weight)) = waiting.pop() {
        match graph.operation(node) {
            Operation::Constant(c) => sum = combined(&sum, &[(one, weight * c)], 1.0),
            Operation::Add(a, b) => waiting.extend([(a, weight), (b, weight)]),
            Operation::Subtract(a, b) => waiting.extend([(a, weight), (b, -weight)]),
            Operation::Negate(a) => waiting.push((a, -weight)),
            // Constant factors stand first in products.
            Operation::Multiply(a, b) if graph.as_constant(a).is_some() => {
                waiting.push((b, weight * graph.as_constant(a).unwrap_or(1.0)));
            }
            Operation::Divide(a, b) if graph.as_constant(a).is_some_and(|c| c != 1.0) => {
                let part = graph.divide(one, b);
                sum = combined(&sum, &[(part, weight * graph.as_constant(a).unwrap_or(1.0))], 1.0);
            }
            _ => sum = combined(&sum, &[(node, weight)], 1.0),
        }
    }
    sum
}

/// a + factor b for frequencies.
fn combined(a: &[(Node, f64)], b: &[(Node, f64)], factor: f64) -> Frequency {
    let mut sum = a.to_vec();
    for &(node, weight) in b {
        match sum.binary_search_by_key(&node, |&(node, _)| node) {
            Ok(place) => sum[place].1 += factor * weight,
            Err(place) => sum.insert(place, (node, factor * weight)),
        }
    }
    sum.retain(|&(_, weight)| weight != 0.0);
    sum
}
