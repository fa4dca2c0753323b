//! Switches and events: where a field changes its formulas, and where the state jumps.
//!
//! A switch is a smooth function s of the state whose sign stands in the field: +1, -1, or, on s = 0, a value in between (Filippov, *Differential
//! Equations with Discontinuous Righthand Sides*, 1988). The formulas hold it as a node `sign(s)`; every combination of sides is a mode with smooth formulas.
//! The surface of an event is a switch too, so that the side of it on which a motion moves is known, whether or not a formula needs it.

use std::collections::HashMap;

use saltation_expr::{Function, Graph, Node, Operation};

use crate::modulus;
use crate::section::Direction;

/// The most switches of a model, those of its events among them.
pub const MOST_SWITCHES: usize = 64;
/// Formulas with more characters are no names of switches.
const LONGEST_NAME: usize = 24;

/// A surface on which a field changes its formulas.
#[derive(Debug, Clone)]
pub struct Switch {
    /// Its name in the file, that of an event whose surface it is, or its function.
    pub name: String,
    /// s, with its sides s > 0 and s < 0. It may have sides of switches that stand before this one in it.
    pub function: Node,
    /// The node of formulas that is sign(s) or its negative.
    pub sign: Node,
    /// 1 if that node is sign(s), -1 if it is its negative: functions that differ by a constant factor are one switch, and the file names one of them.
    pub orientation: f64,
    /// Whether rates depend on its side; else it is the surface of events or has a name.
    pub is_felt: bool,
    /// Where it is zero slip of dry friction with a static limit: that limit F_s, and the force F in units of which sigma is the friction. It slides while |sigma| F <= F_s, not |sigma| <= 1.
    pub held: Option<(Node, Node)>,
}

/// A surface on which the state jumps.
#[derive(Debug, Clone)]
pub struct Reset {
    /// Its name in the file.
    pub name: String,
    /// The switch that is its surface.
    pub switch: usize,
    /// The direction in which the formula of the event has to cross zero. That of the switch may be the negative of it: then this is turned round.
    pub direction: Direction,
    /// A formula that has to be positive there, if there is one.
    pub condition: Option<Node>,
    /// The state just after it.
    pub after: Vec<Node>,
    /// Whether it ends the trajectory.
    pub stops: bool,
}

/// The values of a state that only jumps change.
#[derive(Debug, Clone)]
pub struct Discrete {
    /// Which state it is.
    pub state: usize,
    /// Its values, formulas of parameters.
    pub values: Vec<Node>,
}

/// A switch that the file names, or the surface of an event: the name, and the formula that is zero on it.
pub(crate) struct Surface {
    pub name: String,
    pub when: Node,
}

/// What the first surface that has a name says of a switch.
#[derive(Clone)]
struct Named {
    name: String,
    function: Node,
    orientation: f64,
}

/// The switches of a model, those of named surfaces first, and sides that are replaced because equal functions, up to a constant factor, are one
/// switch. For every surface its switch, and whether its formula has the opposite sign.
pub(crate) struct Found {
    pub switches: Vec<Switch>,
    pub replaced: HashMap<Node, Node>,
    pub surfaces: Vec<Option<(usize, bool)>>,
}

/// Finds the switches in rates, and those of surfaces. A side of a formula without any of the symbols `moving` is a number along a motion, and no switch.
pub(crate) fn find(graph: &mut Graph, surfaces: &[Surface], rates: &[Node], moving: &[Node]) -> Found {
    let mut known: Vec<(Node, Option<Named>)> = Vec::new();
    let mut replaced = HashMap::new();
    let mut placed: Vec<Option<(usize, bool)>> = vec![None; surfaces.len()];
    let mut signs: Vec<(Node, Option<usize>)> = Vec::new();
    for (number, surface) in surfaces.iter().enumerate() {
        let sign = graph.apply(Function::Sign, surface.when);
        signs.extend(argument(graph, sign).map(|_| (sign, Some(number))));
    }
    // Sides within functions of switches stand before those.
    let roots: Vec<Node> = rates.iter().copied().chain(signs.iter().map(|(sign, _)| *sign)).collect();
    let inner = graph.reachable(&roots);
    let moves = |node: Node| graph.symbols_of(node).iter().any(|symbol| moving.contains(symbol));
    let own = inner.into_iter().filter(|&node| is_sign(graph, node) && moves(node));
    signs.extend(own.map(|sign| (sign, None)));
    for (sign, surface) in signs {
        // The node may be the negative of a side.
        let (plain, negative) = match graph.operation(sign) {
            Operation::Negate(inner) => (inner, true),
            _ => (sign, false),
        };
        let Some(function) = argument(graph, plain) else { continue };
        let same = known.iter().position(|(other, _)| *other == plain).map(|k| (k, 1.0)).or_else(|| {
            let factor = |(other, _): &(Node, Option<Named>)| modulus::ratio(graph, function, argument(graph, *other)?);
            known.iter().enumerate().find_map(|(k, other)| Some((k, factor(other)?)))
        });
        let (index, factor) = same.unwrap_or((known.len(), 1.0));
        if same.is_none() {
            known.push((plain, None));
        }
        let first = known[index].0;
        if first != plain {
            let side = if factor < 0.0 { graph.negate(first) } else { first };
            replaced.insert(plain, side);
        }
        if let Some(number) = surface {
            let surface = &surfaces[number];
            let negative = negative != (factor < 0.0);
            let named = known[index].1.get_or_insert_with(|| Named {
                name: surface.name.clone(),
                function: surface.when,
                orientation: if negative { -1.0 } else { 1.0 },
            });
            placed[number] = Some((index, negative != (named.orientation < 0.0)));
        }
    }
    // Functions within functions first.
    let mut order: Vec<usize> = (0..known.len()).collect();
    order.sort_by_key(|&k| known[k].0);
    let place = |k: usize| order.iter().position(|&at| at == k).unwrap_or(0);
    let placed = placed.into_iter().map(|at| at.map(|(k, negative)| (place(k), negative))).collect();
    // Sides stand in the functions of others, which are other nodes without them: operands come first.
    let mut nodes: Vec<Node> = replaced.keys().copied().collect();
    nodes.sort();
    for node in nodes {
        let side = graph.substitute(replaced[&node], &replaced);
        replaced.insert(node, side);
    }
    let felt = graph.substitute_all(rates, &replaced);
    let felt = graph.reachable(&felt);
    let switches = order.iter().enumerate().map(|(place, &k)| {
        let (sign, named) = known[k].clone();
        let sign = graph.substitute(sign, &replaced);
        let is_felt = felt.contains(&sign);
        let own = named.as_ref().map_or_else(|| argument(graph, sign).unwrap_or(sign), |named| named.function);
        let function = graph.substitute(own, &replaced);
        let (name, orientation) = match named {
            Some(Named { name, orientation, .. }) => (name, orientation),
            None => (name_of(graph, function, place), 1.0),
        };
        Switch { name, function, sign, orientation, is_felt, held: None }
    });
    Found { switches: switches.collect(), replaced, surfaces: placed }
}

/// Arguments of directions that jump by 2 pi where y = 0 and x < 0, as formulas of the side of y that are smooth on each side: with s = sign(y),
/// atan2(y, x) = s pi/2 + atan2(-s x, s y). Those whose y does not move stay as they are.
pub(crate) fn with_cuts(graph: &mut Graph, formulas: &[Node], moving: &[Node]) -> HashMap<Node, Node> {
    let mut cut = HashMap::new();
    for node in graph.reachable(formulas) {
        let Operation::Atan2(y, x) = graph.operation(node) else { continue };
        if !graph.symbols_of(y).iter().any(|symbol| moving.contains(symbol)) {
            continue;
        }
        let (y, x) = (graph.substitute(y, &cut), graph.substitute(x, &cut));
        let side = graph.apply(Function::Sign, y);
        let (along, across) = (graph.multiply(side, y), graph.multiply(side, x));
        let across = graph.negate(across);
        let quarter = graph.constant(std::f64::consts::FRAC_PI_2);
        let (turned, rest) = (graph.multiply(side, quarter), graph.atan2(across, along));
        cut.insert(node, graph.add(turned, rest));
    }
    cut
}

/// The argument of a side, also of its negative.
pub(crate) fn argument(graph: &Graph, node: Node) -> Option<Node> {
    match graph.operation(node) {
        Operation::Apply(Function::Sign, function) => Some(function),
        Operation::Negate(inner) => argument(graph, inner),
        _ => None,
    }
}

/// Whether a node is the side of a switch.
fn is_sign(graph: &Graph, node: Node) -> bool {
    matches!(graph.operation(node), Operation::Apply(Function::Sign, _))
}

/// A switch without a name is called by its function, where that is short and has none of the signs between modes.
fn name_of(graph: &Graph, function: Node, place: usize) -> String {
    let text: String = graph.print(function).chars().filter(|c| !c.is_whitespace()).collect();
    if text.chars().count() <= LONGEST_NAME && !text.contains([',', ':']) {
        text
    } else {
        format!("switch{}", place + 1)
    }
}
