//! What `[complementarity.NAME]` adds to a body: its multiplier in rates and values, what can be wrong with it, and how it is described (`complementarity`).

use std::collections::HashMap;

use saltation_expr::{Function, Graph, Node};

use crate::complementarity::{Complementarity, ComplementarityReport};
use crate::entries::{BodyEntry, ComplementarityEntry};
use crate::meaning::Meaning;
use crate::mistake::Mistake;
use crate::model::{Body, Model, State};
use crate::names::Place;
use crate::point::Point;
use crate::switch::{self, Switch};

/// The most elements whose matrix is looked at, principal minor by principal minor.
const MOST_MINORS: usize = 12;
/// A minor below this part of its terms is zero.
const ZERO: f64 = 1e-12;

impl Meaning<'_> {
    /// The values of `[complementarity.NAME]`.
    pub(crate) fn complements(&mut self) -> Vec<Node> {
        let file = self.file;
        let Some(first) = file.complementarities.first() else { return Vec::new() };
        if let BodyEntry::Matrices(_) = file.body {
            let message = "multipliers act in formulas, which a structure of [matrices] does not have";
            self.mistakes
                .push(Mistake::at(first.name.inside(), message).help("write the body as [mechanics] or [flow]"));
            return Vec::new();
        }
        if let Some(symmetry) = &file.symmetry {
            let message = "a model with [complementarity] has no [symmetry]: images of multipliers are not known";
            let help = "leave [symmetry] out; orbits and branches are found without it";
            self.mistakes.push(Mistake::at(symmetry.span.clone(), message).help(help));
        }
        let value = |entry: &ComplementarityEntry| {
            self.formula(&entry.value, &Place::COMPLEMENT, &format!("complementarity.{}.value", entry.name.text))
        };
        file.complementarities.iter().map(value).collect()
    }
}

/// Takes the multipliers out of the rates and the forces of a body, and gives what they do.
///
/// # Errors
/// Rates, forces or values that are not affine in the multipliers, and multipliers that act on nothing.
pub(crate) fn take_out(
    graph: &mut Graph,
    entries: &[ComplementarityEntry],
    values: &[Node],
    (rates, body, names): (&mut [Node], &mut Body, &[String]),
) -> Result<Vec<Complementarity>, Vec<Mistake>> {
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let multipliers: Vec<Node> = entries.iter().map(|entry| graph.symbol(&entry.multiplier.text)).collect();
    let zero = graph.constant(0.0);
    let none: HashMap<Node, Node> = multipliers.iter().map(|&multiplier| (multiplier, zero)).collect();
    let mut mistakes = Vec::new();
    let mut not_affine = |graph: &mut Graph, node: Node, what: &str, place: std::ops::Range<usize>| {
        let Some(wrong) = is_not_affine(graph, node, &multipliers) else { return };
        let message = format!("{what} is not affine in the multiplier `{}`", graph.print(wrong));
        let help = "multipliers enter as sums, each times a formula of states: a law of another form needs a value of its own, whose states follow it";
        mistakes.push(Mistake::at(place, message).help(help));
    };
    for (entry, &value) in entries.iter().zip(values) {
        not_affine(graph, value, &format!("the value of `{}`", entry.name.text), entry.value.inside());
    }
    for (&rate, name) in rates.iter().zip(names) {
        not_affine(graph, rate, &format!("the rate of `{name}`"), entries[0].name.inside());
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut elements = Vec::with_capacity(entries.len());
    for ((entry, &value), &multiplier) in entries.iter().zip(values).zip(&multipliers) {
        elements.push(Complementarity {
            name: entry.name.text.clone(),
            multiplier: entry.multiplier.text.clone(),
            switch: 0,
            constant: graph.substitute(value, &none),
            gains: multipliers.iter().map(|&other| graph.derivative(value, other)).collect(),
            direction: rates.iter().map(|&rate| graph.derivative(rate, multiplier)).collect(),
        });
    }
    rates.copy_from_slice(&graph.substitute_all(rates, &none));
    if let Body::Mechanics(body) = body {
        body.force = graph.substitute_all(&body.force, &none);
    }
    for (j, entry) in entries.iter().enumerate() {
        let acts = elements[j].direction.iter().any(|&rate| rate != zero);
        if !acts && elements.iter().all(|element| element.gains[j] == zero) {
            let message =
                format!("the multiplier `{}` of `{}` acts on nothing", entry.multiplier.text, entry.name.text);
            let help = "use it in a rate, a force or the value of an element: it is what keeps the value at zero";
            mistakes.push(Mistake::at(entry.multiplier.inside(), message).help(help));
        }
    }
    if mistakes.is_empty() { Ok(elements) } else { Err(mistakes) }
}

/// A multiplier in which a formula is not affine.
fn is_not_affine(graph: &mut Graph, node: Node, multipliers: &[Node]) -> Option<Node> {
    let within = |graph: &Graph, node: Node| -> Option<Node> {
        let symbols = graph.symbols_of(node);
        multipliers.iter().copied().find(|multiplier| symbols.contains(multiplier))
    };
    let sides = graph.sides_in(node);
    let cornered = sides.into_iter().filter_map(|side| switch::argument(graph, side)).find_map(|s| within(graph, s));
    cornered.or_else(|| {
        multipliers.iter().find_map(|&multiplier| {
            let slope = graph.derivative(node, multiplier);
            within(graph, slope)
        })
    })
}

/// Adds the switches of the elements to those of the model.
pub(crate) fn add_switches(graph: &mut Graph, elements: &mut [Complementarity], switches: &mut Vec<Switch>) {
    for element in elements {
        element.switch = switches.len();
        let multiplier = graph.symbol(&element.multiplier);
        let sign = graph.apply(Function::Sign, multiplier);
        let function = graph.negate(element.constant);
        switches.push(Switch {
            name: element.name.clone(),
            function,
            sign,
            orientation: 1.0,
            is_felt: true,
            held: None,
        });
    }
}

/// Values on which no multiplier acts, nor on their rates: elements of a degree above one.
pub(crate) fn of_high_degree(
    graph: &mut Graph,
    (entries, elements): (&[ComplementarityEntry], &[Complementarity]),
    (symbols, rates): (&[Node], &[Node]),
) -> Vec<Mistake> {
    let zero = graph.constant(0.0);
    let mut mistakes = Vec::new();
    for (entry, element) in entries.iter().zip(elements) {
        if element.gains.iter().any(|&gain| gain != zero) {
            continue;
        }
        let felt = |graph: &mut Graph, value: Node| {
            elements.iter().any(|other| graph.lie_derivative(value, symbols, &other.direction) != zero)
        };
        if felt(graph, element.constant) {
            continue;
        }
        let rate = graph.lie_derivative(element.constant, symbols, rates);
        let name = &entry.name.text;
        let (message, help) = match felt(graph, rate) {
            true => (
                format!(
                    "the multiplier of `{name}` acts on the second derivative of its value, and its degree may be 0 or 1"
                ),
                "a value whose acceleration feels the force is a gap: write it as a contact, [contacts.NAME] with `gap`",
            ),
            false => (
                format!("no multiplier acts on the value of `{name}`, nor on its rate of change"),
                "use the multiplier in the value, or in the rates of the states that stand in it",
            ),
        };
        mistakes.push(Mistake::at(entry.value.inside(), message).help(help));
    }
    mistakes
}

/// Whether the formulas of the elements are linear as rates of a linear field are: values affine in the states, all else constant.
pub(crate) fn are_linear(graph: &mut Graph, elements: &[Complementarity], symbols: &[Node], moving: usize) -> bool {
    elements.iter().all(|element| {
        let fixed = element.gains.iter().chain(&element.direction);
        fixed.clone().all(|&node| !graph.symbols_of(node).iter().any(|symbol| symbols.contains(symbol)))
            && graph.is_affine(element.constant, &symbols[..moving], &symbols[moving..])
    })
}

/// The formulas with their places in the file.
pub(crate) fn formulas(model: &Model) -> Vec<(String, Node)> {
    let of = |element: &Complementarity| {
        let key = format!("complementarity.{}.value", element.name);
        element.formulas().into_iter().map(move |node| (key.clone(), node))
    };
    model.complementarities.iter().flat_map(of).collect()
}

/// A warning where the matrix of the values by the multipliers, or for values without multipliers of their rates, is no P-matrix at a state: then a problem may have no solution or several.
pub(crate) fn doubt(model: &Model, point: &Point) -> Option<String> {
    let n = model.complementarities.len();
    if n == 0 || n > MOST_MINORS {
        return None;
    }
    let mut graph = model.graph.clone();
    let (symbols, zero) = (model.state_symbols(), graph.constant(0.0));
    let mut nodes = Vec::with_capacity(n * n);
    for element in &model.complementarities {
        let by_rate = element.gains.iter().all(|&gain| gain == zero);
        for (j, other) in model.complementarities.iter().enumerate() {
            nodes.push(match by_rate {
                true => graph.lie_derivative(element.constant, &symbols, &other.direction),
                false => element.gains[j],
            });
        }
    }
    let values = point.values(&graph, &nodes);
    let minor = |set: usize| {
        let rows: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        determinant(rows.iter().map(|&i| rows.iter().map(|&j| values[i * n + j]).collect()).collect())
    };
    let wrong: Vec<usize> = (1..1_usize << n).filter(|&set| minor(set) <= 0.0).collect();
    let smallest = wrong.into_iter().min_by_key(|set| set.count_ones())?;
    let kind = if minor(smallest) < 0.0 { "negative" } else { "zero" };
    let names: Vec<String> =
        (0..n).filter(|i| smallest >> i & 1 == 1).map(|i| format!("`{}`", model.complementarities[i].name)).collect();
    Some(format!(
        "the matrix of the values of [complementarity] by the multipliers is no P-matrix at the start: its minor of {} is {kind}; where that matters a state may have no trajectory, or several",
        names.join(", ")
    ))
}

/// The determinant of a matrix; zero where it is that to within rounding.
fn determinant(mut rows: Vec<Vec<f64>>) -> f64 {
    let n = rows.len();
    let mut product = 1.0;
    for k in 0..n {
        let size = |row: &[f64]| row.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let largest = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).unwrap_or(k);
        let bound = ZERO * rows.iter().map(|row| size(row)).fold(0.0, f64::max);
        if rows[largest][k].abs() <= bound {
            return 0.0;
        }
        if largest != k {
            rows.swap(largest, k);
            product = -product;
        }
        product *= rows[k][k];
        let pivot = rows[k].clone();
        for row in &mut rows[k + 1..] {
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(&pivot).skip(k).for_each(|(x, p)| *x -= factor * p);
        }
    }
    product
}

/// The complementarities of a model.
pub(crate) fn reports(model: &Model) -> Vec<ComplementarityReport> {
    let mut graph = model.graph.clone();
    let values = model.values_with_multipliers(&mut graph);
    let report = |(element, value): (&Complementarity, Node)| {
        let acting = model.states.iter().zip(&element.direction);
        let acting = acting.filter(|(_, direction)| graph.as_constant(**direction) != Some(0.0));
        ComplementarityReport {
            name: element.name.clone(),
            multiplier: element.multiplier.clone(),
            value: graph.print(value),
            direction: acting.map(|(state, &direction)| (state.name.clone(), graph.print(direction))).collect(),
        }
    };
    model.complementarities.iter().zip(values).map(report).collect()
}

impl Model {
    /// The formulas of all complementarities: values without multipliers, gains and directions.
    pub fn complementary_formulas(&self) -> Vec<Node> {
        self.complementarities.iter().flat_map(Complementarity::formulas).collect()
    }

    /// The symbols of the multipliers in a graph, in the order of their elements.
    pub fn multiplier_symbols(&self, graph: &mut Graph) -> Vec<Node> {
        self.complementarities.iter().map(|element| graph.symbol(&element.multiplier)).collect()
    }

    /// The rates of all states with the multipliers as symbols.
    pub fn rates_with_multipliers(&self, graph: &mut Graph) -> Vec<Node> {
        let symbols = self.multiplier_symbols(graph);
        let whole = |(i, state): (usize, &State)| {
            self.complementarities.iter().zip(&symbols).fold(state.rate, |rate, (element, &symbol)| {
                let part = graph.multiply(symbol, element.direction[i]);
                graph.add(rate, part)
            })
        };
        self.states.iter().enumerate().map(whole).collect()
    }

    /// The values of all elements with the multipliers as symbols.
    pub fn values_with_multipliers(&self, graph: &mut Graph) -> Vec<Node> {
        let symbols = self.multiplier_symbols(graph);
        let whole = |element: &Complementarity| {
            element.gains.iter().zip(&symbols).fold(element.constant, |value, (&gain, &symbol)| {
                let part = graph.multiply(gain, symbol);
                graph.add(value, part)
            })
        };
        self.complementarities.iter().map(whole).collect()
    }
}
