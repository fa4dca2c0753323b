//! Values of formulas at one state of a model, and a nearby state at which a contact touches.

use saltation_expr::{Graph, Node, Operation, Part};
use saltation_numerics::elementary;
use saltation_numerics::random::Random;

use crate::contact::Contact;
use crate::model::{Model, StateKind};
use crate::numbers::Numbers;
use crate::rounding;
use crate::symmetry::SymmetryMap;

/// The largest number of values in a message.
const MOST_DESCRIBED: usize = 8;

/// A number with six digits.
pub(crate) fn short(x: f64) -> String {
    let exponent = if x == 0.0 || !x.is_finite() { 0 } else { elementary::log10(x.abs()).floor() as i32 };
    if (-5..6).contains(&exponent) {
        let decimals = (5 - exponent).max(0) as usize;
        let text = format!("{x:.decimals$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
    } else {
        format!("{x:.3e}")
    }
}

/// Values for all symbols of a model: its states, then its parameters.
#[derive(Clone)]
pub(crate) struct Point {
    symbols: Vec<f64>,
}

impl Point {
    pub(crate) fn start(numbers: &Numbers) -> Point {
        Point { symbols: [&numbers.start[..], &numbers.parameters].concat() }
    }

    pub(crate) fn state(&self, i: usize) -> f64 {
        self.symbols[i]
    }

    /// The same with another value of state number i.
    pub(crate) fn with(&self, i: usize, value: f64) -> Point {
        let mut point = self.clone();
        point.symbols[i] = value;
        point
    }

    /// The point between this one (0) and `other` (1), by linear interpolation.
    pub(crate) fn towards(&self, other: &Point, share: f64) -> Point {
        let between = |(a, b): (&f64, &f64)| a + share * (b - a);
        Point { symbols: self.symbols.iter().zip(&other.symbols).map(between).collect() }
    }

    /// The image of the point under a symmetry.
    pub(crate) fn image(&self, symmetry: &SymmetryMap) -> Point {
        let mut point = self.clone();
        symmetry.apply(&mut point.symbols);
        point
    }

    pub(crate) fn value(&self, graph: &Graph, node: Node) -> f64 {
        graph.evaluate(node, &|symbol| self.symbols[symbol])
    }

    pub(crate) fn values(&self, graph: &Graph, nodes: &[Node]) -> Vec<f64> {
        graph.evaluate_all(nodes, &|symbol| self.symbols[symbol])
    }

    /// The size of the terms of formulas here, see [`rounding::sizes`].
    pub(crate) fn sizes(&self, graph: &Graph, nodes: &[Node]) -> Vec<f64> {
        rounding::sizes(graph, nodes, &|symbol| self.symbols[symbol])
    }

    /// The innermost part of a formula that has no finite value here.
    pub(crate) fn undefined(&self, graph: &Graph, node: Node) -> Option<Node> {
        graph.first_undefined(node, &|symbol| self.symbols[symbol])
    }

    /// The quantities in a formula with their values, as in `x = 1, e = 0.5`.
    pub(crate) fn described(&self, graph: &Graph, node: Node) -> String {
        let values = graph.symbols_of(node).into_iter().filter_map(|symbol| match graph.operation(symbol) {
            Operation::Symbol(index) => Some(format!("{} = {}", graph.symbol_name(index), short(self.symbols[index]))),
            _ => None,
        });
        let mut values: Vec<String> = values.collect();
        if values.len() > MOST_DESCRIBED {
            values.truncate(MOST_DESCRIBED);
            values.push("…".to_string());
        }
        values.join(", ")
    }

    /// The image of the point under the jump of a contact.
    pub(crate) fn after(&self, model: &Model, contact: &Contact) -> Point {
        let mut point = self.clone();
        point.symbols[..model.states.len()].copy_from_slice(&self.values(&model.graph, &contact.after));
        point
    }
}

/// Pseudo-random states near the start, the same at every run (splitmix64).
pub(crate) struct Sampler<'m> {
    model: &'m Model,
    start: Point,
    /// The largest distance of each state from its start value.
    reach: Vec<f64>,
    random: Random,
}

impl<'m> Sampler<'m> {
    pub(crate) fn new(model: &'m Model, numbers: &Numbers) -> Sampler<'m> {
        let reach = |(x, period): (&f64, &Option<f64>)| period.unwrap_or(0.5 * x.abs().max(1.0));
        let reach = numbers.start.iter().zip(&numbers.angle_periods).map(reach).collect();
        Sampler { model, start: Point::start(numbers), reach, random: Random(0x5a17_a710) }
    }

    /// A number between -1 and 1.
    pub(crate) fn number(&mut self) -> f64 {
        self.random.symmetric()
    }

    /// A state near the start; the time is never before it.
    pub(crate) fn point(&mut self) -> Point {
        let mut point = self.start.clone();
        for (i, state) in self.model.states.iter().enumerate() {
            let number = self.random.symmetric();
            point.symbols[i] += self.reach[i] * if state.kind == StateKind::Time { number.abs() } else { number };
        }
        point
    }
}

/// A contact with the gradients by which states on its surface are found.
pub(crate) struct Surface {
    graph: Graph,
    /// For every symbol of the graph that of the model.
    symbols: Vec<usize>,
    /// H and v, each with the parts of its gradient over the states without the phase that are not zero everywhere.
    rows: [Row; 2],
}

/// A formula with its slopes.
struct Row {
    nodes: Vec<Node>,
    /// The state of every slope.
    states: Vec<usize>,
}

impl Surface {
    /// The opening speed of a contact is differentiated only on request.
    pub(crate) fn new(model: &Model, contact: &Contact, with_speed: bool) -> Surface {
        // The formulas of one contact are few among those of a large model.
        let Part { mut graph, roots, symbols } = model.graph.part(&[contact.gap, contact.speed]);
        let rows = [(roots[0], true), (roots[1], with_speed)].map(|(node, wanted)| {
            let mut row = Row { nodes: vec![node], states: Vec::new() };
            for symbol in if wanted { graph.symbols_of(node) } else { Vec::new() } {
                let Operation::Symbol(index) = graph.operation(symbol) else { continue };
                let index = symbols[index];
                if model
                    .states
                    .get(index)
                    .is_some_and(|state| !matches!(state.kind, StateKind::Phase | StateKind::Time))
                {
                    row.nodes.push(graph.derivative(node, symbol));
                    row.states.push(index);
                }
            }
            row
        });
        Surface { graph, symbols, rows }
    }

    /// The value of a formula and its slopes.
    fn values(&self, row: &Row, point: &Point) -> Vec<f64> {
        self.graph.evaluate_all(&row.nodes, &|symbol| point.symbols[self.symbols[symbol]])
    }

    /// The state with H = 0 that Newton's method (least change of the state) finds from `point`, and by which
    /// factor by which |grad H| has changed.
    pub(crate) fn touching(&self, mut point: Point) -> Option<(Point, f64)> {
        let mut first = None;
        for _ in 0..60 {
            let row = self.values(&self.rows[0], &point);
            let square: f64 = row[1..].iter().map(|g| g * g).sum();
            if !row.iter().all(|value| value.is_finite()) {
                return None;
            }
            let first = *first.get_or_insert(square);
            if row[0].abs() <= 1e-13 * (1.0 + square.sqrt()) || square < 1e-30 {
                let factor = if first > 0.0 { (square / first).sqrt() } else { 0.0 };
                return (row[0].abs() < 1e-9).then_some((point, factor));
            }
            for (&state, g) in self.rows[0].states.iter().zip(&row[1..]) {
                point.symbols[state] -= row[0] * g / square;
            }
        }
        None
    }

    /// The state with H = 0 and v = `speed` that Newton's method (least change of the state) finds from `point`.
    ///
    /// It is refined to rounding errors, because laws may be steep where speeds vanish.
    pub(crate) fn closing(&self, mut point: Point, speed: f64) -> Option<Point> {
        let mut refined = 0;
        for _ in 0..60 {
            // Both gradients over all symbols.
            let [h, v] = [&self.rows[0], &self.rows[1]].map(|row| {
                let values = self.values(row, &point);
                let mut all = vec![0.0; 1 + point.symbols.len()];
                all[0] = values[0];
                row.states.iter().zip(&values[1..]).for_each(|(&state, &slope)| all[1 + state] = slope);
                all
            });
            let wrong = [h[0], v[0] - speed];
            if !h.iter().chain(&v).all(|value| value.is_finite()) {
                return None;
            }
            let dot = |a: &[f64], b: &[f64]| a[1..].iter().zip(&b[1..]).map(|(x, y)| x * y).sum::<f64>();
            let (hh, hv, vv) = (dot(&h, &h), dot(&h, &v), dot(&v, &v));
            if wrong[0].abs() <= 1e-12 * (1.0 + hh.sqrt()) && wrong[1].abs() <= 1e-12 * (1.0 + vv.sqrt()) {
                refined += 1;
                if refined == 3 || wrong == [0.0; 2] {
                    return Some(point);
                }
            }
            // The step J' (J J')^-1 wrong, with J the two gradients.
            let determinant = hh * vv - hv * hv;
            let a = (vv * wrong[0] - hv * wrong[1]) / determinant;
            let b = (hh * wrong[1] - hv * wrong[0]) / determinant;
            for ((x, g), w) in point.symbols.iter_mut().zip(&h[1..]).zip(&v[1..]) {
                *x -= a * g + b * w;
            }
        }
        None
    }
}
