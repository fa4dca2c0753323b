//! Quotients whose numerator and denominator vanish together, as x/(exp x - 1) in the rates of ion channels, and fractions as 1/(1 + exp x) whose exponential leaves the range
//! of numbers: written by functions that have values and series there.
//!
//! With E(x) = (exp x - 1)/x, `exprel`, and L(x) = 1/(1 + exp(-x)), `logistic`, these are x/(exp x - 1) = 1/E(x), x/tanh x = x + 1/E(2x), sinh x/x = (E(x) + E(-x))/2 and
//! 1/(a + b exp x) = L(-x - log(b/a))/a.

use saltation_numerics::elementary;

use crate::function::Function;
use crate::graph::{Graph, Node, Operation};

/// A number, factors and divisors.
#[derive(Debug, Clone, PartialEq)]
struct Product {
    number: f64,
    factors: Vec<Node>,
    divisors: Vec<Node>,
}

/// A sum of nodes with numbers as weights, in order of the nodes, and a number.
#[derive(Debug, Clone, PartialEq)]
struct Sum {
    terms: Vec<(Node, f64)>,
    constant: f64,
}

/// What vanishes where its argument does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Zero {
    /// exp x - 1
    Exponential,
    HyperbolicSine,
    HyperbolicTangent,
}

/// Powers up to this one are products.
const HIGHEST_POWER: f64 = 4.0;
/// Longer sums are not compared.
const MOST_TERMS: usize = 16;
/// Weights that were rounded once or twice.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Graph {
    /// a/b in a form that has a value where both vanish, or where an exponential in b leaves the range of numbers; `None` for all other quotients.
    pub(crate) fn removable(&mut self, a: Node, b: Node) -> Option<Node> {
        let product = self.product(a, b);
        (0..product.divisors.len())
            .find_map(|k| self.without_zero(&product, k, true).or_else(|| self.without_overflow(&product, k)))
            .or_else(|| (0..product.factors.len()).find_map(|k| self.without_zero(&product, k, false)))
    }

    /// The product without its divisor k, or factor k, if that vanishes where a factor, or divisor, does.
    fn without_zero(&mut self, product: &Product, k: usize, divides: bool) -> Option<Node> {
        let own = if divides { product.divisors[k] } else { product.factors[k] };
        let (zero, weight, argument) = self.zero(own)?;
        // own = weight zero(x) and x = inner: what vanishes is one of the factors of x.
        let one = self.constant(1.0);
        let inner = self.product(argument, one);
        let opposite = if divides { &product.factors } else { &product.divisors };
        let (at, of, ratio) = opposite.iter().enumerate().find_map(|(at, &s)| {
            inner.factors.iter().enumerate().find_map(|(of, &t)| Some((at, of, self.ratio(s, t)?)))
        })?;
        // s = ratio t: s/x = ratio/(x without t).
        let mut rest = product.clone();
        if divides {
            rest.divisors.remove(k);
            rest.factors.remove(at);
            rest.factors.extend(&inner.divisors);
            rest.divisors.extend(inner.factors.iter().enumerate().filter(|&(k, _)| k != of).map(|(_, &t)| t));
            rest.number *= ratio / (weight * inner.number);
        } else {
            rest.factors.remove(k);
            rest.divisors.remove(at);
            rest.divisors.extend(&inner.divisors);
            rest.factors.extend(inner.factors.iter().enumerate().filter(|&(k, _)| k != of).map(|(_, &t)| t));
            rest.number *= weight * inner.number / ratio;
        }
        let quotient = self.relative(zero, argument);
        if divides {
            rest.divisors.push(quotient)
        } else {
            rest.factors.push(quotient)
        }
        Some(self.product_as_node(&rest))
    }

    /// zero(x)/x.
    fn relative(&mut self, zero: Zero, x: Node) -> Node {
        let one = self.constant(1.0);
        let two = self.constant(2.0);
        match zero {
            Zero::Exponential => self.apply(Function::Exprel, x),
            Zero::HyperbolicSine => {
                let opposite = self.negate(x);
                let (forward, backward) = (self.apply(Function::Exprel, x), self.apply(Function::Exprel, opposite));
                let sum = self.add(forward, backward);
                self.divide(sum, two)
            }
            Zero::HyperbolicTangent => {
                let double = self.multiply(two, x);
                let exprel = self.apply(Function::Exprel, double);
                let inverse = self.divide(one, exprel);
                let sum = self.add(x, inverse);
                self.divide(one, sum)
            }
        }
    }

    /// The product with a logistic function for its divisor k, if that is the sum of a number and an exponential function with weights of one sign.
    fn without_overflow(&mut self, product: &Product, k: usize) -> Option<Node> {
        let Sum { terms, constant } = self.weighted_sum(product.divisors[k])?;
        let &[(exponential, weight)] = &terms[..] else { return None };
        let Operation::Apply(Function::Exp, x) = self.operation(exponential) else { return None };
        let ratio = weight / constant;
        if !(ratio > 0.0 && ratio.is_finite()) {
            return None;
        }
        let mut rest = product.clone();
        rest.divisors.remove(k);
        let shift = self.constant(elementary::ln(ratio));
        let shifted = self.add(x, shift);
        // exp x/(a + b exp x) = L(x + log(b/a))/b
        let argument = match rest.factors.iter().position(|&factor| factor == exponential) {
            Some(at) => {
                rest.factors.remove(at);
                rest.number /= weight;
                shifted
            }
            None => {
                rest.number /= constant;
                self.negate(shifted)
            }
        };
        let logistic = self.apply(Function::Logistic, argument);
        rest.factors.push(logistic);
        Some(self.product_as_node(&rest))
    }

    /// The node as weight zero(x), with x.
    fn zero(&self, node: Node) -> Option<(Zero, f64, Node)> {
        match self.operation(node) {
            Operation::Apply(Function::Sinh, x) => Some((Zero::HyperbolicSine, 1.0, x)),
            Operation::Apply(Function::Tanh, x) => Some((Zero::HyperbolicTangent, 1.0, x)),
            Operation::Add(..) | Operation::Subtract(..) => {
                let Sum { terms, constant } = self.weighted_sum(node)?;
                let &[(exponential, weight)] = &terms[..] else { return None };
                let Operation::Apply(Function::Exp, x) = self.operation(exponential) else { return None };
                (weight == -constant).then_some((Zero::Exponential, weight, x))
            }
            _ => None,
        }
    }

    /// a/b as a product.
    fn product(&self, a: Node, b: Node) -> Product {
        let mut product = Product { number: 1.0, factors: Vec::new(), divisors: Vec::new() };
        let mut stack = vec![(a, true), (b, false)];
        while let Some((node, above)) = stack.pop() {
            match self.operation(node) {
                Operation::Constant(c) if above => product.number *= c,
                Operation::Constant(c) if c != 0.0 => product.number /= c,
                Operation::Negate(x) => {
                    product.number = -product.number;
                    stack.push((x, above));
                }
                Operation::Multiply(x, y) => stack.extend([(y, above), (x, above)]),
                Operation::Divide(x, y) => stack.extend([(y, !above), (x, above)]),
                Operation::Power(x, n) if n.fract() == 0.0 && (2.0..=HIGHEST_POWER).contains(&n) => {
                    stack.extend(vec![(x, above); n as usize]);
                }
                _ if above => product.factors.push(node),
                _ => product.divisors.push(node),
            }
        }
        product
    }

    fn product_as_node(&mut self, product: &Product) -> Node {
        let number = self.constant(product.number);
        let above = product.factors.iter().fold(number, |all, &factor| self.multiply(all, factor));
        let one = self.constant(1.0);
        let below = product.divisors.iter().fold(one, |all, &divisor| self.multiply(all, divisor));
        self.divide(above, below)
    }

    /// The node as a sum of others; `None` for a long one.
    fn weighted_sum(&self, node: Node) -> Option<Sum> {
        let mut sum = Sum { terms: Vec::new(), constant: 0.0 };
        let mut stack = vec![(node, 1.0)];
        while let Some((node, weight)) = stack.pop() {
            match self.operation(node) {
                Operation::Constant(c) => sum.constant += weight * c,
                Operation::Negate(x) => stack.push((x, -weight)),
                Operation::Add(x, y) => stack.extend([(x, weight), (y, weight)]),
                Operation::Subtract(x, y) => stack.extend([(x, weight), (y, -weight)]),
                Operation::Multiply(c, x) if self.as_constant(c).is_some() => {
                    stack.push((x, weight * self.as_constant(c)?));
                }
                Operation::Divide(x, c) if self.as_constant(c).is_some() => {
                    stack.push((x, weight / self.as_constant(c)?));
                }
                _ => match sum.terms.iter().position(|(term, _)| *term == node) {
                    Some(known) => sum.terms[known].1 += weight,
                    None if sum.terms.len() == MOST_TERMS => return None,
                    None => sum.terms.push((node, weight)),
                },
            }
        }
        sum.terms.sort_unstable_by_key(|&(node, _)| node);
        Some(sum)
    }

    /// The number by which s is a multiple of t, to within rounding of their weights.
    fn ratio(&self, s: Node, t: Node) -> Option<f64> {
        if s == t {
            return Some(1.0);
        }
        let (s, t) = (self.weighted_sum(s)?, self.weighted_sum(t)?);
        let ratio = s.terms.first()?.1 / t.terms.first()?.1;
        let alike = |s: f64, t: f64| (s - ratio * t).abs() <= ROUNDING * (s.abs() + (ratio * t).abs());
        let same = s.terms.len() == t.terms.len()
            && s.terms.iter().zip(&t.terms).all(|(s, t)| s.0 == t.0 && alike(s.1, t.1))
            && alike(s.constant, t.constant);
        (same && ratio.is_finite() && ratio != 0.0).then_some(ratio)
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::{Graph, Node};
    use crate::parse::{Formula, UnknownName};

    fn node(graph: &mut Graph, text: &str) -> Node {
        let formula = Formula::read(text).unwrap();
        formula.build(graph, &mut |graph, name| Ok::<Node, UnknownName>(graph.symbol(name))).unwrap()
    }

    /// The formula as it is kept, and its value for V = `v` and k = 2.
    fn kept(text: &str, v: f64) -> (String, f64) {
        let mut graph = Graph::new();
        graph.symbol("V");
        graph.symbol("k");
        let node = node(&mut graph, text);
        (graph.print(node), graph.evaluate(node, &|symbol| [v, 2.0][symbol]))
    }

    #[test]
    fn quotients_have_values_where_both_parts_vanish() {
        // Each with the place, and the value there.
        for (text, place, value) in [
            ("V/(exp(V) - 1)", 0.0, 1.0),
            ("V/(1 - exp(-V))", 0.0, 1.0),
            ("0.01*(10 - V)/(exp((10 - V)/10) - 1)", 10.0, 0.1),
            ("(0.1 - 0.01*V)/(exp(1 - 0.1*V) - 1)", 10.0, 0.1),
            ("0.1*(V + 40)/(1 - exp(-(V + 40)/10))", -40.0, 1.0),
            ("0.3*(V - 3)*k/(-1 + exp((V - 3)/k))", 3.0, 1.2),
            ("(V - 3)^2/(exp(k*(V - 3)) - 1)", 3.0, 0.0),
            ("3*(2*exp(V/k) - 2)/V", 0.0, 3.0),
            ("V/tanh(V/k)", 0.0, 2.0),
            ("tanh(k*V)/V", 0.0, 2.0),
            ("sinh(V)/(3*V)", 0.0, 1.0 / 3.0),
            ("V/sinh(k*V)", 0.0, 0.5),
        ] {
            let (form, at) = kept(text, place);
            assert!((at - value).abs() < 1e-15, "{text} is {form}: {at}");
        }
    }

    #[test]
    fn they_are_what_is_written_elsewhere() {
        for (text, value) in [
            (
                "0.1*(V + 4)/(1 - exp(-(V + 4)/10))",
                &(|v: f64| 0.1 * (v + 4.0) / (1.0 - (-(v + 4.0) / 10.0).exp())) as &dyn Fn(f64) -> f64,
            ),
            ("V/tanh(V/k)", &|v: f64| v / (v / 2.0).tanh()),
            ("k*sinh(V)/(3*V)", &|v: f64| 2.0 * v.sinh() / (3.0 * v)),
            ("tanh(k*V)*k/V", &|v: f64| 2.0 * (2.0 * v).tanh() / v),
            ("(V - 3)^2/(exp(k*(V - 3)) - 1)/(V - 3)", &|v: f64| (v - 3.0) / ((2.0 * (v - 3.0)).exp() - 1.0)),
            ("k/(3 + 6*exp(-V))", &|v: f64| 2.0 / (3.0 + 6.0 * (-v).exp())),
            ("5*exp(V)*k/(0.5 + 0.25*exp(V))", &|v: f64| 10.0 * v.exp() / (0.5 + 0.25 * v.exp())),
            ("exp(-V)/(1 + exp(V))", &|v: f64| (-v).exp() / (1.0 + v.exp())),
        ] {
            for v in [-7.3, -1.9, -0.3, 0.2, 1.0, 2.1, 11.0] {
                let (form, at) = kept(text, v);
                assert!((at / value(v) - 1.0).abs() < 1e-13, "{text} is {form}: {at} at {v}");
            }
        }
    }

    #[test]
    fn fractions_of_exponentials_stay_in_the_range_of_numbers() {
        for (text, v, value) in [
            ("1/(1 + exp(-1000*V))", -2.0, 0.0),
            ("1/(1 + exp(-1000*V))", 2.0, 1.0),
            ("exp(1000*V)/(2 + 4*exp(1000*V))", 3.0, 0.25),
            ("3/(exp(900*V) + 1)", 1.0, 3.0 * (-900.0_f64).exp()),
        ] {
            let (form, at) = kept(text, v);
            assert!((at - value).abs() <= 1e-15 * value, "{text} is {form}: {at}");
        }
    }

    #[test]
    fn other_quotients_are_as_they_are_written() {
        for text in
            ["1/(exp(V) - 1)", "V/(exp(V) - 2)", "V/(1 - exp(k))", "tanh(V)/k", "1/(1 - 2*exp(V))", "V^2/(1 + V)"]
        {
            assert!(!kept(text, 1.0).0.contains("exprel") && !kept(text, 1.0).0.contains("logistic"), "{text}");
        }
    }
}
