//! Parses a text to a formula that keeps the position of each term; it becomes a node once its names are resolved.
//!
//! Operators are `+ - * / ^` (`^` binds to the right and more tightly than a sign: `-x^2` is `-(x^2)`, `2^-1` is legal) and
//! round brackets; functions `sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt exprel logistic`; the constant `pi`. Names consist of
//! letters of any alphabet, digits and `_`. Corners are written `sign abs max min clip step` and `if(a < b, p, q)`, whose condition may
//! have `and`, `or`, `not` and brackets; all of them are built of [`Function::Sign`]. `side(NAME)` is the side of a named switch. Any other name with one argument is
//! a table of the graph.
//! Reading is bounded: [`LONGEST_TEXT`], [`MOST_TERMS`], [`NESTING`].

mod reader;
mod token;
mod words;

use std::ops::Range;

use crate::function::Function;
use crate::graph::{Graph, Node};

/// The greatest length of a formula, in bytes.
pub const LONGEST_TEXT: usize = 64 * 1024;
/// The greatest number of numbers, names and operations in one formula.
pub const MOST_TERMS: usize = 20_000;
/// The largest depth of nested brackets, arguments and exponents.
pub const NESTING: usize = 200;

/// Mistakes in a formula, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FormulaError {
    /// One sentence, without a full stop.
    pub message: String,
    /// The bytes of the formula's text concerned.
    pub span: Range<usize>,
    /// The help, if there is one.
    pub help: Option<String>,
}

impl FormulaError {
    fn new(message: impl Into<String>, span: Range<usize>, help: Option<&str>) -> FormulaError {
        FormulaError { message: message.into(), span, help: help.map(str::to_string) }
    }
}

/// The reason for which a name is rejected, given by the resolver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// One sentence, without a full stop.
    pub message: String,
    /// The help, if there is one.
    pub help: Option<String>,
}

impl UnknownName {
    /// The usual reason: the name is not declared; `candidates` are the declared names.
    pub fn among<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> UnknownName {
        let help = match name {
            "time" => Some(
                "write t for the time; what repeats itself is better written by a circle, [phase.phi] with rate = \"omega\" and \
                 period = \"2*pi\", and phi for omega*t"
                    .to_string(),
            ),
            "t" => Some("the time stands in rates, forces, gaps and laws, and not in numbers".to_string()),
            "π" | "Pi" | "PI" => Some("write pi".to_string()),
            _ => nearest(name, candidates).map(|near| format!("did you mean `{near}`?")).or_else(|| {
                (name == "e").then(|| "for Euler's number write exp(1); `e` is free for a restitution".to_string())
            }),
        };
        UnknownName { message: format!("`{name}` is not declared"), help }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// A function with corners or jumps, made of sides of zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Corner {
    Abs,
    Max,
    Min,
    /// clip(x, low, high)
    Clip,
    /// 1 above zero, 0 below.
    Step,
    /// if(condition, value, other)
    If,
}

impl Corner {
    const ALL: [(&'static str, Corner); 6] = [
        ("abs", Corner::Abs),
        ("max", Corner::Max),
        ("min", Corner::Min),
        ("clip", Corner::Clip),
        ("step", Corner::Step),
        ("if", Corner::If),
    ];

    fn named(name: &str) -> Option<Corner> {
        Corner::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, corner)| corner)
    }

    /// How it is written, and how many arguments it takes: no fewer and no more.
    fn usage(self) -> (&'static str, usize, usize) {
        match self {
            Corner::Abs => ("abs(x)", 1, 1),
            Corner::Max => ("max(a, b)", 2, usize::MAX),
            Corner::Min => ("min(a, b)", 2, usize::MAX),
            Corner::Clip => ("clip(x, low, high)", 3, 3),
            Corner::Step => ("step(x)", 1, 1),
            Corner::If => ("if(a < b, p, q)", 3, 3),
        }
    }

    /// The function as a formula of sides. Where a side is a number, what it does not choose has a factor 0 and is gone.
    fn build(self, graph: &mut Graph, a: &[Node], exact: Exact<'_>) -> Node {
        match self {
            Corner::Abs => {
                let sign = graph.apply(Function::Sign, a[0]);
                graph.multiply(sign, a[0])
            }
            Corner::Max => a[1..].iter().fold(a[0], |largest, &next| {
                let chosen = is_less(graph, next, largest, exact);
                choose(graph, chosen, largest, next)
            }),
            Corner::Min => a[1..].iter().fold(a[0], |least, &next| {
                let chosen = is_less(graph, least, next, exact);
                choose(graph, chosen, least, next)
            }),
            Corner::Clip => {
                let (below, above) = (is_less(graph, a[0], a[1], exact), is_less(graph, a[2], a[0], exact));
                let inner = choose(graph, below, a[1], a[0]);
                choose(graph, above, a[2], inner)
            }
            Corner::Step => {
                let zero = graph.constant(0.0);
                is_less(graph, zero, a[0], exact)
            }
            Corner::If => choose(graph, a[0], a[1], a[2]),
        }
    }
}

/// Whether a condition on the sign of this difference does not hold where it is zero; else what it chooses is the mean of both sides there, as along a surface (Filippov).
type Exact<'a> = &'a dyn Fn(&Graph, Node) -> bool;

/// 1 where a < b, 0 where a > b: (1 + s)/2 with s = sign(b - a), or s (1 + s)/2, which is 0 for s = 0 as well.
fn is_less(graph: &mut Graph, a: Node, b: Node, exact: Exact<'_>) -> Node {
    let difference = graph.subtract(b, a);
    if let Some(difference) = graph.as_constant(difference) {
        return graph.constant(if difference > 0.0 { 1.0 } else { 0.0 });
    }
    let sign = graph.apply(Function::Sign, difference);
    let (one, two) = (graph.constant(1.0), graph.constant(2.0));
    let mut sum = graph.add(one, sign);
    if exact(graph, difference) {
        sum = graph.multiply(sign, sum);
    }
    graph.divide(sum, two)
}

/// The same with 1 for a = b, where that is not the mean.
fn is_at_most(graph: &mut Graph, a: Node, b: Node, exact: Exact<'_>) -> Node {
    let difference = graph.subtract(b, a);
    if graph.as_constant(difference).is_none() && !exact(graph, difference) {
        return is_less(graph, a, b, exact);
    }
    let (one, greater) = (graph.constant(1.0), is_less(graph, b, a, exact));
    graph.subtract(one, greater)
}

/// One value where an indicator is 1, and another where it is 0.
fn choose(graph: &mut Graph, indicator: Node, one: Node, other: Node) -> Node {
    let unit = graph.constant(1.0);
    let rest = graph.subtract(unit, indicator);
    let (one, other) = (graph.multiply(indicator, one), graph.multiply(rest, other));
    graph.add(one, other)
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    Number(f64),
    Name(String),
    Negate(usize),
    Binary(Binary, usize, usize),
    Apply(Function, usize),
    /// The modulus, sqrt(a^2).
    Modulus(usize),
    /// A function with corners.
    Corner(Corner, Vec<usize>),
    /// 1 where the first is less than the second, and 0 where it is greater.
    Less(usize, usize),
    /// The same with 1 where they are equal.
    AtMost(usize, usize),
    And(usize, usize),
    Or(usize, usize),
    Not(usize),
    /// The side of a switch that has a name.
    Side(String),
    Atan2(usize, usize),
    /// A table of the graph with its argument, and the place of its name.
    Table(String, usize, Range<usize>),
}

#[derive(Debug, Clone, PartialEq)]
struct Term {
    what: What,
    span: Range<usize>,
}

/// A parsed formula with unresolved names. Operands stand before the terms that use them.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    terms: Vec<Term>,
}

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// All mistakes in the text that can be found in one pass.
    ///
    /// ```
    /// use saltation_expr::{Graph, parse::{Formula, UnknownName}};
    /// let mut graph = Graph::new();
    /// let x = graph.symbol("x");
    /// let formula = Formula::read("-x^2 + 1")?;
    /// let node = formula.build(&mut graph, &mut |_, name| if name == "x" { Ok(x) } else { Err(UnknownName::among(name, ["x"])) })?;
    /// assert_eq!(graph.evaluate(node, &|_| 3.0), -8.0);
    /// let errors = Formula::read("2x").unwrap_err();
    /// assert_eq!(errors[0].message, "a `*` is missing between `2` and `x`");
    /// # Ok::<(), Vec<saltation_expr::parse::FormulaError>>(())
    /// ```
    pub fn read(text: &str) -> Result<Formula, Vec<FormulaError>> {
        reader::read(text, false)
    }

    /// Reads a formula in which `abs(x)` may stand for sqrt(x^2).
    ///
    /// # Errors
    /// As [`Formula::read`].
    ///
    /// ```
    /// use saltation_expr::{Graph, parse::Formula};
    /// let formula = Formula::read_with_modulus("0.3 + abs(u)")?;
    /// assert!(formula.has_modulus() && !Formula::read("abs(u)")?.has_modulus());
    /// let mut graph = Graph::new();
    /// let node = formula.build(&mut graph, &mut |graph, name| Ok(graph.symbol(name)))?;
    /// assert_eq!(graph.evaluate(node, &|_| -2.0), 2.3);
    /// # Ok::<(), Vec<saltation_expr::parse::FormulaError>>(())
    /// ```
    pub fn read_with_modulus(text: &str) -> Result<Formula, Vec<FormulaError>> {
        reader::read(text, true)
    }

    /// Whether `abs` stands in it.
    pub fn has_modulus(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.what, What::Modulus(_)))
    }

    /// The names it uses, with their places; `pi` is not among them.
    pub fn names(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        self.terms.iter().filter_map(|term| match &term.what {
            What::Name(name) if name != "pi" => Some((name.as_str(), term.span.clone())),
            _ => None,
        })
    }

    /// The names of the switches whose sides it uses.
    pub fn switches(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().filter_map(|term| match &term.what {
            What::Side(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The formula as a node of `graph`; `resolve` gives the node of each name.
    ///
    /// # Errors
    /// One for each use of a name that `resolve` refuses.
    pub fn build(
        &self,
        graph: &mut Graph,
        resolve: &mut dyn FnMut(&mut Graph, &str) -> Result<Node, UnknownName>,
    ) -> Result<Node, Vec<FormulaError>> {
        self.build_where(graph, resolve, &|_, _| false)
    }

    /// The same where `a < b` does not hold for a = b, of the differences b - a for which `exact` says so. Of others it holds half there: a field is the mean of its
    /// sides on a surface that it cannot leave.
    ///
    /// # Errors
    /// As [`Formula::build`].
    ///
    /// ```
    /// use saltation_expr::{Graph, parse::Formula};
    /// let formula = Formula::read("if(n > 0, 5, 1)")?;
    /// let mut graph = Graph::new();
    /// let node = formula.build_where(&mut graph, &mut |graph, name| Ok(graph.symbol(name)), &|_, _| true)?;
    /// assert_eq!([-1.0, 0.0, 1.0].map(|n| graph.evaluate(node, &|_| n)), [1.0, 1.0, 5.0]);
    /// # Ok::<(), Vec<saltation_expr::parse::FormulaError>>(())
    /// ```
    pub fn build_where(
        &self,
        graph: &mut Graph,
        resolve: &mut dyn FnMut(&mut Graph, &str) -> Result<Node, UnknownName>,
        exact: &dyn Fn(&Graph, Node) -> bool,
    ) -> Result<Node, Vec<FormulaError>> {
        let mut errors = Vec::new();
        let mut nodes: Vec<Node> = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let node = match &term.what {
                What::Number(value) => graph.constant(*value),
                What::Name(name) if name == "pi" => graph.constant(std::f64::consts::PI),
                What::Name(name) => resolve(graph, name).unwrap_or_else(|unknown| {
                    errors.push(FormulaError { message: unknown.message, span: term.span.clone(), help: unknown.help });
                    graph.constant(1.0)
                }),
                What::Negate(a) => graph.negate(nodes[*a]),
                What::Binary(operator, a, b) => {
                    let (a, b) = (nodes[*a], nodes[*b]);
                    match operator {
                        Binary::Add => graph.add(a, b),
                        Binary::Subtract => graph.subtract(a, b),
                        Binary::Multiply => graph.multiply(a, b),
                        Binary::Divide => graph.divide(a, b),
                        Binary::Power => graph.raise(a, b),
                    }
                }
                What::Apply(function, a) => graph.apply(*function, nodes[*a]),
                What::Modulus(a) => {
                    let square = graph.power(nodes[*a], 2.0);
                    graph.apply(Function::Sqrt, square)
                }
                What::Atan2(y, x) => graph.atan2(nodes[*y], nodes[*x]),
                What::Table(name, a, span) => graph.look_up(name, nodes[*a]).unwrap_or_else(|| {
                    errors.push(words::unknown_function(name, span.clone(), graph.table_names()));
                    graph.constant(1.0)
                }),
                What::Corner(corner, arguments) => {
                    let arguments: Vec<Node> = arguments.iter().map(|&a| nodes[a]).collect();
                    corner.build(graph, &arguments, exact)
                }
                What::Less(a, b) => is_less(graph, nodes[*a], nodes[*b], exact),
                What::AtMost(a, b) => is_at_most(graph, nodes[*a], nodes[*b], exact),
                What::And(a, b) => graph.multiply(nodes[*a], nodes[*b]),
                What::Or(a, b) => {
                    let (a, b) = (nodes[*a], nodes[*b]);
                    let (sum, both) = (graph.add(a, b), graph.multiply(a, b));
                    graph.subtract(sum, both)
                }
                What::Not(a) => {
                    let one = graph.constant(1.0);
                    graph.subtract(one, nodes[*a])
                }
                What::Side(name) => resolve(graph, &side_name(name)).unwrap_or_else(|unknown| {
                    errors.push(FormulaError { message: unknown.message, span: term.span.clone(), help: unknown.help });
                    graph.constant(1.0)
                }),
            };
            nodes.push(node);
        }
        match nodes.last() {
            Some(&root) if errors.is_empty() => Ok(root),
            _ => Err(errors),
        }
    }
}

/// Whether a text can be the name of a quantity: letters, digits and `_`, beginning with no digit, and no word of the language.
pub fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(token::starts_name) && text.chars().all(token::continues_name) && !is_reserved(text)
}

/// Whether the language itself uses this name.
pub fn is_reserved(name: &str) -> bool {
    name == "pi" || name == "atan2" || Function::named(name).is_some_and(|function| !function.leaves_its_name())
}

/// Whether a name with arguments in brackets is a function of the language, here or in others, so that no table may have it.
pub fn is_function(name: &str) -> bool {
    Function::named(name).is_some()
        || Corner::named(name).is_some()
        || ["atan2", "side"].contains(&name)
        || words::is_stairs(name)
        || words::is_synonym(name)
}

/// What the side of a switch is called where names are resolved.
pub fn side_name(switch: &str) -> String {
    format!("side({switch})")
}

/// The candidate with the most similar spelling, if it is similar enough.
pub fn nearest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = name.chars().count();
    if length > 64 {
        return None;
    }
    let lower = name.to_lowercase();
    let near = candidates.into_iter().map(|c| (if c.to_lowercase() == lower { 0 } else { distance(name, c) }, c));
    let (differences, near) = near.min_by_key(|(differences, _)| *differences)?;
    // A third of the letters may differ; single letters only by case.
    let longest = length.max(near.chars().count());
    let allowed = if longest <= 1 { 0 } else { (longest / 3).max(1) };
    (differences <= allowed).then_some(near)
}

/// The edit distance of two words: insertions, deletions, replacements and transpositions of neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().take(256).collect());
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(previous[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut previous, row);
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests;
