//! The multipliers of complementarities in a mode: those that are off are zero, and those that are on keep their values at zero.
//!
//! With w = a + D lambda and the field F + E lambda, the equations of the elements that are on are w_i = 0. Combinations of them in which no multiplier stands, y' a(x) = 0 with y' D = 0, bind the
//! states: their rates L_F (y' a) + sum_j L_(E_j) (y' a) lambda_j = 0 take their places (the structure algorithm, one step of it: relative degree 1). By elimination in the graph, with pivots
//! that are not zero at places drawn at random. What binds the states is kept at zero along the directions of multipliers, by impulses p with D p = 0 on the elements that are on:
//! x+ = x + E p is also the jump of a state that does not obey (Heemels, Schumacher & Weiland, *SIAM J. Appl. Math.* 60, 2000).

use std::collections::HashMap;

use saltation_expr::{Graph, Node, Operation};
use saltation_model::{Complementarity, Model};
use saltation_numerics::random::of_pair;

use super::sides::{Side, Sides};
use crate::instant::knowledge::DRAWN;

/// So many places are tried.
const PLACES: u64 = 3;

/// What complementarities add to a mode. Vectors have one entry for every element.
#[derive(Debug, Clone, Default)]
pub(crate) struct Complementary {
    /// The multipliers, as they are put into formulas.
    pub multipliers: HashMap<Node, Node>,
    /// The multiplier of an element that is on, and the value of one that is off.
    pub positive: Vec<Node>,
    /// What binds the states.
    pub kept: Vec<Node>,
    /// The change of every state that leads back to where that is zero; empty where nothing binds them.
    pub correction: Vec<Node>,
    /// The impulse of an element that is on, in that change, and what impulses add to the value of one that is off; empty likewise.
    pub impulses: Vec<Node>,
}

/// An equation for the multipliers that are on: sum of entries lambda + constant = 0, and the same for impulses.
struct Row {
    /// The element that it is first of, among those that are on.
    own: usize,
    entries: Vec<Node>,
    constant: Node,
    impulse: Node,
    by_rate: bool,
}

/// The multipliers of a mode on given sides, `field` and values having their symbols.
pub(crate) fn complementary(
    graph: &mut Graph,
    (model, symbols): (&Model, &[Node]),
    sides: Sides,
    field: &[Node],
) -> Complementary {
    let all = model.multiplier_symbols(graph);
    let zero = graph.constant(0.0);
    // A sign that is known is a number, and another one may have any value: it is a symbol as yet.
    let mut known: HashMap<Node, Node> = HashMap::new();
    let mut later: HashMap<Node, Node> = HashMap::new();
    for (k, switch) in model.switches.iter().enumerate() {
        let side = match sides.of(k).sign() {
            Some(sign) => graph.constant(switch.orientation * sign),
            None => graph.symbol(&format!("side {k}")),
        };
        known.insert(switch.sign, side);
        if sides.of(k).sign().is_none() {
            later.insert(side, switch.sign);
        }
    }
    let field = &graph.substitute_all(field, &known)[..];
    let elements: Vec<Complementarity> = model.complementarities.clone();
    let elements: Vec<Complementarity> = elements
        .into_iter()
        .map(|mut element| {
            element.gains = graph.substitute_all(&element.gains, &known);
            element.constant = graph.substitute(element.constant, &known);
            element
        })
        .collect();
    let on: Vec<usize> = (0..elements.len()).filter(|&i| sides.of(elements[i].switch) == Side::Positive).collect();
    let none: HashMap<Node, Node> = all.iter().map(|&multiplier| (multiplier, zero)).collect();
    let free = graph.substitute_all(field, &none);
    let directions: Vec<Vec<Node>> =
        on.iter().map(|&j| field.iter().map(|&rate| graph.derivative(rate, all[j])).collect()).collect();
    let mut waiting: Vec<Row> = on
        .iter()
        .enumerate()
        .map(|(own, &i)| {
            let entries = on.iter().map(|&j| elements[i].gains[j]).collect();
            Row { own, entries, constant: elements[i].constant, impulse: zero, by_rate: false }
        })
        .collect();
    let mut solved: Vec<(usize, Row)> = Vec::new();
    let mut kept = Vec::new();
    let mut regular = true;
    while !waiting.is_empty() && regular {
        if let Some((at, column)) = pivot(graph, &waiting) {
            let row = waiting.swap_remove(at);
            waiting.iter_mut().for_each(|other| reduce(graph, other, &row, column));
            // The order of the others does not depend on that of removals.
            waiting.sort_by_key(|row| row.own);
            solved.push((column, row));
            continue;
        }
        for row in &mut waiting {
            let bound = row.constant;
            regular &= !row.by_rate && !is_zero(graph, bound);
            kept.push(bound);
            row.entries = directions.iter().map(|along| slope(graph, bound, symbols, along)).collect();
            (row.constant, row.impulse, row.by_rate) = (graph.lie_derivative(bound, symbols, &free), bound, true);
            solved.iter().for_each(|(column, known)| reduce(graph, row, known, *column));
        }
    }
    let nowhere = graph.constant(f64::NAN);
    let mut unknowns = [vec![nowhere; on.len()], vec![nowhere; on.len()]];
    for (column, row) in solved.iter().rev().filter(|_| regular) {
        for (unknown, right) in unknowns.iter_mut().zip([row.constant, row.impulse]) {
            let mut sum = right;
            for (j, &entry) in row.entries.iter().enumerate().filter(|(j, entry)| j != column && **entry != zero) {
                let part = graph.multiply(entry, unknown[j]);
                sum = graph.add(sum, part);
            }
            let quotient = graph.divide(sum, row.entries[*column]);
            unknown[*column] = graph.negate(quotient);
        }
    }
    let [forces, impulses] = unknowns;
    let mut multipliers = none;
    multipliers.extend(on.iter().zip(&forces).map(|(&j, &force)| (all[j], force)));
    let place = |i: usize| on.iter().position(|&j| j == i);
    let mut sum = |i: usize, first: Node, unknown: &[Node]| {
        on.iter().zip(unknown).fold(first, |sum, (&j, &unknown)| {
            let part = graph.multiply(elements[i].gains[j], unknown);
            graph.add(sum, part)
        })
    };
    let mut positive: Vec<Node> = Vec::with_capacity(elements.len());
    let mut pushed: Vec<Node> = Vec::with_capacity(elements.len());
    for (i, element) in elements.iter().enumerate() {
        let own = place(i);
        positive.push(own.map_or_else(|| sum(i, element.constant, &forces), |k| forces[k]));
        pushed.push(own.map_or_else(|| sum(i, zero, &impulses), |k| impulses[k]));
    }
    // What is zero for every state is so without rounding; a table may be zero at some places alone.
    let tabulated =
        |node: Node| graph.reachable(&[node]).iter().any(|&part| matches!(graph.operation(part), Operation::Piece(..)));
    positive
        .iter_mut()
        .filter(|node| regular && is_zero(graph, **node) && !tabulated(**node))
        .for_each(|node| *node = zero);
    let correction = (0..field.len()).map(|i| {
        directions.iter().zip(&impulses).fold(zero, |sum, (direction, &impulse)| {
            let part = graph.multiply(direction[i], impulse);
            graph.add(sum, part)
        })
    });
    let correction: Vec<Node> = if kept.is_empty() { Vec::new() } else { correction.collect() };
    let impulses = if kept.is_empty() { Vec::new() } else { pushed };
    multipliers.values_mut().for_each(|force| *force = graph.substitute(*force, &later));
    let [positive, kept, correction, impulses] =
        [&positive, &kept, &correction, &impulses].map(|nodes| graph.substitute_all(nodes, &later));
    Complementary { multipliers, positive, kept, correction, impulses }
}

/// The entry that is solved for next, by its row and its column: that of an element in its own row, or else the first that is not zero.
fn pivot(graph: &Graph, rows: &[Row]) -> Option<(usize, usize)> {
    let own = rows.iter().position(|row| !is_zero(graph, row.entries[row.own]));
    let any = || {
        rows.iter().enumerate().find_map(|(at, row)| Some((at, row.entries.iter().position(|&e| !is_zero(graph, e))?)))
    };
    own.map(|at| (at, rows[at].own)).or_else(any)
}

/// Takes a multiple of a row from another one, so that the latter has nothing in a column.
fn reduce(graph: &mut Graph, row: &mut Row, by: &Row, column: usize) {
    let zero = graph.constant(0.0);
    if row.entries[column] == zero {
        return;
    }
    let factor = graph.divide(row.entries[column], by.entries[column]);
    let mut less = |own: Node, other: Node| {
        let part = graph.multiply(factor, other);
        let left = graph.subtract(own, part);
        // Numbers that cancel leave no terms to be compared with later.
        let terms = [own, part].map(|node| graph.as_constant(node).map_or(0.0, f64::abs));
        let spent = |left: f64| left.abs() <= DRAWN * terms[0].max(terms[1]);
        if graph.as_constant(left).is_some_and(spent) { zero } else { left }
    };
    for (own, &other) in row.entries.iter_mut().zip(&by.entries) {
        *own = less(*own, other);
    }
    row.entries[column] = zero;
    (row.constant, row.impulse) = (less(row.constant, by.constant), less(row.impulse, by.impulse));
}

/// The derivative of a formula along a direction; zero where it is a sum of numbers that cancel.
fn slope(graph: &mut Graph, formula: Node, symbols: &[Node], along: &[Node]) -> Node {
    let gradient = graph.gradient(formula, symbols);
    let parts: Vec<Node> = gradient.iter().zip(along).map(|(&slope, &rate)| graph.multiply(slope, rate)).collect();
    let sizes: Option<f64> = parts.iter().map(|&part| graph.as_constant(part).map(f64::abs)).sum();
    let sum = graph.sum(parts);
    match (graph.as_constant(sum), sizes) {
        (Some(value), Some(size)) if value.abs() <= DRAWN * size => graph.constant(0.0),
        _ => sum,
    }
}

/// Whether a formula is zero for all states and parameters: to within a part of its terms at some places.
fn is_zero(graph: &Graph, node: Node) -> bool {
    if let Some(value) = graph.as_constant(node) {
        return value == 0.0;
    }
    (0..PLACES).all(|place| {
        let parts = graph.reachable(&[node]);
        let values = graph.values(&parts, &|symbol| drawn(place, symbol as u64));
        let mut sizes: HashMap<Node, f64> = HashMap::with_capacity(parts.len());
        for part in parts {
            let value = values[&part].abs();
            let size = match graph.operation(part) {
                Operation::Add(a, b) | Operation::Subtract(a, b) => sizes[&a].max(sizes[&b]),
                Operation::Multiply(a, b) => sizes[&a] * sizes[&b],
                Operation::Divide(a, b) => sizes[&a] / values[&b].abs(),
                Operation::Negate(a) => sizes[&a],
                _ => value,
            };
            sizes.insert(part, size.max(value));
        }
        values[&node].abs() <= DRAWN * sizes[&node]
    })
}

/// A number between 0.2 and 1.2.
fn drawn(place: u64, symbol: u64) -> f64 {
    0.2 + of_pair(place, symbol, 0x5a17_a713)
}
