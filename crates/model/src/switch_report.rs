//! Describes switches as text: their functions, and the rates that differ on both sides.

use std::collections::HashMap;

use saltation_expr::{Graph, Node};
use saltation_numerics::random::of_pair;

use crate::model::{Model, StateKind};
use crate::section::Direction;

/// Rates that differ by less than this part at some states are one.
const SAME: f64 = 1e-9;
/// So many states are tried.
const PLACES: u64 = 4;

/// A switch, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchReport {
    /// Its name.
    pub name: String,
    /// Its function.
    pub when: String,
    /// The rates that depend on its side: the state, the rate where the function is positive, and that where it is negative. Sides of other switches stay as they are.
    pub rates: Vec<(String, String, String)>,
}

/// An event, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventReport {
    /// Its name.
    pub name: String,
    /// The switch that is its surface.
    pub switch: String,
    /// `rising`, `falling` or `any`, of the function of that switch.
    pub direction: &'static str,
    /// The condition, if there is one.
    pub condition: Option<String>,
    /// The states that jump, with what they become.
    pub jump: Vec<(String, String)>,
    /// Whether it ends the trajectory.
    pub stops: bool,
}

/// The switches of a model.
pub(crate) fn switches(model: &Model) -> Vec<SwitchReport> {
    let mut graph = model.graph.clone();
    let rates = |graph: &mut Graph, k: usize| {
        let depends = model.states.iter().filter(|state| depends(graph, state.rate, model.switches[k].sign));
        let depends: Vec<_> = depends.collect();
        let mut on = |rate: Node, side: f64| {
            let rate = on_side(graph, model, rate, &[(k, side)]);
            graph.print(rate)
        };
        depends.into_iter().map(|state| (state.name.clone(), on(state.rate, 1.0), on(state.rate, -1.0))).collect()
    };
    (0..model.switches.len())
        .map(|k| SwitchReport {
            name: model.switches[k].name.clone(),
            when: model.graph.print(model.switches[k].function),
            rates: rates(&mut graph, k),
        })
        .collect()
}

/// The events of a model.
pub(crate) fn events(model: &Model) -> Vec<EventReport> {
    let print = |node: Node| model.graph.print(node);
    let event = |reset: &crate::switch::Reset| {
        let jumping = model.states.iter().zip(&reset.after).filter(|(state, after)| state.symbol != **after);
        EventReport {
            name: reset.name.clone(),
            switch: model.switches[reset.switch].name.clone(),
            direction: match reset.direction {
                Direction::Rising => "rising",
                Direction::Falling => "falling",
                Direction::Any => "any",
            },
            condition: reset.condition.map(print),
            jump: jumping.map(|(state, &after)| (state.name.clone(), print(after))).collect(),
            stops: reset.stops,
        }
    };
    model.resets.iter().map(event).collect()
}

/// Warnings about pairs of switches whose sides are multiplied in a rate: there the field is not affine in them.
pub(crate) fn products(model: &Model) -> Vec<String> {
    let mut graph = model.graph.clone();
    let mut warnings = Vec::new();
    // Where the force of dry friction is zero its slip is not felt, and no motion slides along both.
    let opens = |k: usize| model.frictions.iter().any(|dry| model.switches[k].name == format!("{}.force", dry.name));
    // Nor along one that phases alone cross.
    let moves = |k: usize| {
        let symbols = graph.symbols_of(model.switches[k].function);
        let places = model.states.iter().enumerate().filter(|(_, state)| symbols.contains(&state.symbol));
        places.into_iter().any(|(_, state)| state.kind != StateKind::Phase)
    };
    let felt = |k: usize| model.switches[k].is_felt && !opens(k) && moves(k);
    let felt: Vec<usize> = (0..model.switches.len()).filter(|&k| felt(k)).collect();
    for (at, &j) in felt.iter().enumerate() {
        for &k in &felt[..at] {
            let product = model.states.iter().find(|state| {
                let signs = [model.switches[j].sign, model.switches[k].sign];
                signs.iter().all(|&sign| depends(&graph, state.rate, sign))
                    && is_product(&mut graph, model, state.rate, (j, k))
            });
            if let Some(state) = product {
                let (first, second) = (&model.switches[k].name, &model.switches[j].name);
                warnings.push(format!(
                    "the rate of `{}` is not affine in the sides of `{first}` and `{second}`: trajectories that slide along both at once do so by the multilinear closure, in which each side enters as a line",
                    state.name
                ));
            }
        }
    }
    warnings
}

/// Whether a rate has a mixed second difference in two sides.
fn is_product(graph: &mut Graph, model: &Model, rate: Node, (j, k): (usize, usize)) -> bool {
    let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let nodes: Vec<Node> = corners.iter().map(|&(a, b)| on_side(graph, model, rate, &[(j, a), (k, b)])).collect();
    (0..PLACES).any(|place| {
        let values = graph.values(&nodes, &|symbol| drawn(place, symbol as u64));
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| values[&nodes[i]]);
        let size = [a, b, c, d].iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        (a - b - c + d).abs() > SAME * size
    })
}

/// A formula with some switches on given sides.
fn on_side(graph: &mut Graph, model: &Model, node: Node, sides: &[(usize, f64)]) -> Node {
    let mut values = HashMap::new();
    for &(k, side) in sides {
        let switch = &model.switches[k];
        values.insert(switch.sign, graph.constant(switch.orientation * side));
    }
    graph.substitute(node, &values)
}

/// Whether a formula has the side of a switch.
fn depends(graph: &Graph, node: Node, sign: Node) -> bool {
    graph.reachable(&[node]).binary_search(&sign).is_ok()
}

/// A number between 0.2 and 1.2.
fn drawn(place: u64, symbol: u64) -> f64 {
    0.2 + of_pair(place, symbol, 0x5a17_a712)
}
