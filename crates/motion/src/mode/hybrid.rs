//! The functions of switches and the jumps of events, compiled, and whether motions can slide along a switch.

use std::collections::HashMap;

use saltation_expr::{Graph, Node, Point, Tape};
use saltation_model::{Direction, Model, StateKind, Switch};
use saltation_numerics::number::Number;
use saltation_numerics::random::of_pair;

use super::sides::Side;
use crate::instant::knowledge::DRAWN;

/// What a system does at its switches and events.
#[derive(Debug, Clone)]
pub(crate) struct Hybrid {
    /// The names of the switches.
    pub names: Vec<String>,
    /// Whether rates depend on the side of a switch.
    pub felt: Vec<bool>,
    /// Whether it is zero slip of dry friction, and whether that has a static limit.
    pub has_friction: Vec<bool>,
    /// See [`Hybrid::has_friction`].
    pub holds: Vec<bool>,
    /// The element that is a complementarity, whose positive side is on and whose function is read from modes, by its place in the model.
    pub complements: Vec<Option<usize>>,
    /// Whether the field jumps across the surface of a switch such that a motion could slide along it, at some of the states that were tried.
    pub slides: Vec<bool>,
    /// Whether L_F s is continuous and L_F^2 s jumps with the side: motions slide along s = 0 where L_F s vanishes as well (second-order sliding).
    pub second: Vec<bool>,
    /// Pairs of switches along which motions may slide at once, though not along each of them.
    pub pairs: Vec<(usize, usize)>,
    /// The switches whose sides stand in the function of each switch: it jumps where one of them is crossed.
    pub inner: Vec<Vec<usize>>,
    pub resets: Vec<CompiledReset>,
    /// The switches whose functions the sides of each one move, sooner or later.
    moves: Vec<Vec<usize>>,
    /// s of every switch.
    functions: Tape,
}

/// An event at which the state jumps.
#[derive(Debug, Clone)]
pub(crate) struct CompiledReset {
    pub name: String,
    pub switch: usize,
    pub direction: Direction,
    /// Whether it ends the trajectory.
    pub stops: bool,
    /// The state after it, then its condition.
    tape: Tape,
}

impl CompiledReset {
    /// Whether it happens where a motion crosses its surface to this side.
    pub(crate) fn is_crossed(&self, to: Side) -> bool {
        match self.direction {
            Direction::Any => true,
            Direction::Rising => to == Side::Positive,
            Direction::Falling => to == Side::Negative,
        }
    }
}

/// The switches whose sides stand in the function of one of them.
fn inner_sides(graph: &Graph, switch: &Switch, all: &[Switch]) -> Vec<usize> {
    let parts = graph.reachable(&[switch.function]);
    (0..all.len()).filter(|&k| parts.contains(&all[k].sign)).collect()
}

/// The same for all switches.
fn inner_of_all(model: &Model, symbols: &[Node]) -> Vec<Vec<usize>> {
    let mut inner: Vec<Vec<usize>> =
        model.switches.iter().map(|switch| inner_sides(&model.graph, switch, &model.switches)).collect();
    for (element, own) in model.complementarities.iter().zip(complements_inner(model, symbols)) {
        inner[element.switch] = own;
    }
    inner
}

/// For every complementarity the switches whose sides change its value or multiplier at once: all elements that act on each other at an instant, and the sides in their formulas.
fn complements_inner(model: &Model, symbols: &[Node]) -> Vec<Vec<usize>> {
    let mut graph = model.graph.clone();
    let zero = graph.constant(0.0);
    let elements = &model.complementarities;
    let mut acts = |i: usize, j: usize| {
        elements[i].gains[j] != zero
            || graph.lie_derivative(elements[i].constant, symbols, &elements[j].direction) != zero
    };
    let count = elements.len();
    let linked: Vec<Vec<bool>> =
        (0..count).map(|i| (0..count).map(|j| i == j || acts(i, j) || acts(j, i)).collect()).collect();
    let group = |i: usize| {
        let mut reached = vec![i];
        let mut next = 0;
        while let Some(&from) = reached.get(next) {
            reached.extend((0..count).filter(|j| linked[from][*j] && !reached.contains(j)).collect::<Vec<_>>());
            next += 1;
        }
        reached
    };
    let inner = |i: usize| {
        let group = group(i);
        let formulas: Vec<Node> = group.iter().flat_map(|&j| elements[j].formulas()).collect();
        let parts = model.graph.reachable(&formulas);
        let sides = (0..model.switches.len()).filter(|&k| parts.contains(&model.switches[k].sign));
        let others = group.iter().filter(|j| **j != i).map(|&j| elements[j].switch);
        sides.chain(others).collect()
    };
    (0..count).map(inner).collect()
}

/// For every switch the others whose functions change with its sides: through the states whose rates depend on it, and those whose rates depend on these.
fn moved_by_sides(model: &Model, symbols: &[Node]) -> Vec<Vec<usize>> {
    let graph = &model.graph;
    let parts = |node: Node| graph.reachable(&[node]);
    let rates: Vec<Vec<Node>> = model.states.iter().map(|state| parts(state.rate)).collect();
    let functions: Vec<Vec<Node>> = model.switches.iter().map(|switch| parts(switch.function)).collect();
    let at =
        |switch: &Switch| model.switches.iter().position(|other| std::ptr::eq(other, switch)).unwrap_or(usize::MAX);
    let moved = |switch: &Switch| {
        let mut states = vec![false; symbols.len()];
        let element = model.complementarities.iter().find(|element| element.switch == at(switch));
        for _ in 0..=symbols.len() {
            let feels = |i: usize, states: &[bool]| {
                rates[i].contains(&switch.sign)
                    || element.is_some_and(|element| graph.as_constant(element.direction[i]) != Some(0.0))
                    || symbols.iter().zip(states).any(|(symbol, moved)| *moved && rates[i].contains(symbol))
            };
            let next: Vec<bool> = (0..symbols.len()).map(|i| states[i] || feels(i, &states)).collect();
            if next == states {
                break;
            }
            states = next;
        }
        let feels = |function: &Vec<Node>| {
            element.is_some() && model.complementarities.iter().any(|other| functions[other.switch] == *function)
                || function.contains(&switch.sign)
                || symbols.iter().zip(&states).any(|(symbol, moved)| *moved && function.contains(symbol))
        };
        (0..functions.len()).filter(|&j| feels(&functions[j])).collect()
    };
    model.switches.iter().map(moved).collect()
}

/// So many states on the surface of a switch are tried, by so many steps of Newton's method from a place drawn at random.
const PLACES: u64 = 12;
const STEPS: usize = 20;
/// The sizes of the places in turn.
const SIZES: [f64; 3] = [1.2, 1.2, 12.0];

impl Hybrid {
    /// The switches and events of a model.
    pub(crate) fn new(model: &Model, symbols: &[Node], parameters: &[Node]) -> Hybrid {
        let mut graph = model.graph.clone();
        let one = graph.constant(1.0);
        let functions: Vec<Node> = model.switches.iter().map(|switch| switch.function).collect();
        let mut known = Jumps { model, graph: graph.clone(), symbols };
        let count = model.switches.len();
        let element = |k: usize| model.complementarities.iter().position(|element| element.switch == k);
        let complements: Vec<Option<usize>> = (0..count).map(element).collect();
        let slides: Vec<bool> = (0..count).map(|k| complements[k].is_none() && known.slides(k)).collect();
        let second =
            (0..count).map(|k| complements[k].is_none() && !slides[k] && known.slides_by_acceleration(k)).collect();
        let pairs = (0..count).flat_map(|j| (0..j).map(move |k| (k, j)));
        let pairs = pairs.filter(|&(k, j)| complements[k].is_none() && complements[j].is_none());
        let pairs = pairs.filter(|&(k, j)| !(slides[j] && slides[k]) && known.is_regular(&[k, j])).collect();
        let compile = |outputs: &[Node]| Tape::new(&graph, symbols, parameters, &[], outputs);
        let resets = model.resets.iter().map(|reset| {
            let outputs: Vec<Node> = reset.after.iter().copied().chain([reset.condition.unwrap_or(one)]).collect();
            let tape = compile(&outputs);
            let (name, direction) = (reset.name.clone(), reset.direction);
            CompiledReset { name, switch: reset.switch, direction, stops: reset.stops, tape }
        });
        Hybrid {
            names: model.switches.iter().map(|switch| switch.name.clone()).collect(),
            felt: model.switches.iter().map(|switch| switch.is_felt).collect(),
            has_friction: (0..count).map(|k| model.frictions.iter().any(|dry| dry.switch == k)).collect(),
            holds: model.switches.iter().map(|switch| switch.held.is_some()).collect(),
            slides,
            second,
            inner: inner_of_all(model, symbols),
            complements,
            pairs,
            moves: moved_by_sides(model, symbols),
            resets: resets.collect(),
            functions: compile(&functions),
        }
    }

    /// Whether a motion may slide along all of some switches.
    pub(crate) fn may_slide(&self, sliding: &[usize]) -> bool {
        sliding.iter().all(|&k| self.slides[k] || self.second[k] || self.is_paired(k, sliding))
    }

    /// Whether one of some switches acts on the rate of another one, which acts on its own.
    pub(crate) fn is_paired(&self, k: usize, sliding: &[usize]) -> bool {
        self.pairs.iter().any(|&(a, b)| a == k && sliding.contains(&b) || b == k && sliding.contains(&a))
    }

    /// Some switches in groups that have nothing to do with each other; those that nothing feels come last, each for itself. `coupled` says that all that is felt is one.
    pub(crate) fn groups(&self, switches: &[usize], coupled: bool) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for &k in switches.iter().filter(|&&k| self.felt[k]) {
            let related = |&j: &usize| coupled || self.moves[k].contains(&j) || self.moves[j].contains(&k);
            let (joined, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| group.iter().any(related));
            groups = apart;
            groups.push(joined.into_iter().flatten().chain([k]).collect());
        }
        groups.extend(switches.iter().filter(|&&k| !self.felt[k]).map(|&k| vec![k]));
        groups
    }

    /// The switches that are complementarities.
    pub(crate) fn complementary(&self) -> impl Iterator<Item = usize> {
        (0..self.complements.len()).filter(|&k| self.complements[k].is_some())
    }

    /// Whether there are no switches.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// What is known of the jumps of a field at its switches, tried at states on their surfaces that are drawn at random.
struct Jumps<'m> {
    model: &'m Model,
    graph: Graph,
    symbols: &'m [Node],
}

impl Jumps<'_> {
    /// Half the jump of L_F s of one switch across the surface of another, which comes first, and the larger of the values on both sides.
    fn jump(&mut self, across: usize, of: usize) -> [Node; 2] {
        let Jumps { model, graph, symbols } = self;
        let switch = &model.switches[across];
        [1.0, -1.0].map(|side| {
            let values = HashMap::from([(switch.sign, graph.constant(switch.orientation * side))]);
            let rates: Vec<Node> = model.states.iter().map(|state| state.rate).collect();
            let rates = graph.substitute_all(&rates, &values);
            graph.lie_derivative(model.switches[of].function, symbols, &rates)
        })
    }

    /// Whether L_F s jumps across s = 0.
    fn slides(&mut self, k: usize) -> bool {
        self.is_regular(&[k])
    }

    /// Whether L_F s does not depend on the side and L_F^2 s jumps across s = 0, as formulas show.
    fn slides_by_acceleration(&mut self, k: usize) -> bool {
        let Jumps { model, graph, symbols } = self;
        let switch = &model.switches[k];
        if !switch.is_felt {
            return false;
        }
        let rates = model.rates();
        let rate = graph.lie_derivative(switch.function, symbols, &rates);
        let parts = graph.reachable(&[rate]);
        if parts.contains(&switch.sign) {
            return false;
        }
        let on = [1.0, -1.0].map(|side| {
            let values = HashMap::from([(switch.sign, graph.constant(side))]);
            let rates = graph.substitute_all(&rates, &values);
            graph.lie_derivative(rate, symbols, &rates)
        });
        // A corner jumps in its formula alone.
        on[0] != on[1] && self.jumps_on_surfaces(&[k], &[vec![on]])
    }

    /// Whether motions may slide along several switches at once: the matrix of the jumps of their rates is regular.
    fn is_regular(&mut self, switches: &[usize]) -> bool {
        if switches.iter().any(|&k| !self.model.switches[k].is_felt) {
            return false;
        }
        let jumps: Vec<Vec<[Node; 2]>> =
            switches.iter().map(|&of| switches.iter().map(|&across| self.jump(across, of)).collect()).collect();
        // Most switches have nothing to do with each other, which their formulas show.
        let enters = |i: usize, j: usize| jumps[i][j][0] != jumps[i][j][1];
        let regular = match switches.len() {
            1 => enters(0, 0),
            _ => enters(0, 0) && enters(1, 1) || enters(0, 1) && enters(1, 0),
        };
        regular && self.jumps_on_surfaces(switches, &jumps)
    }

    /// Whether the matrix of jumps of one or two switches is regular at some place on their surfaces.
    fn jumps_on_surfaces(&mut self, switches: &[usize], jumps: &[Vec<[Node; 2]>]) -> bool {
        let surfaces: Vec<Node> = switches.iter().map(|&k| self.model.switches[k].function).collect();
        let slopes: Vec<Vec<Node>> = surfaces.iter().map(|&s| self.graph.gradient(s, self.symbols)).collect();
        let roots = jumps.iter().flatten().flatten().chain(&surfaces).chain(slopes.iter().flatten()).copied();
        let roots: Vec<Node> = roots.collect();
        let kind = |i: usize| self.model.states[i].kind;
        let moved: Vec<usize> = (0..self.symbols.len()).filter(|&i| kind(i) != StateKind::Discrete).collect();
        let count = self.symbols.len() + self.model.parameters.len();
        let mut seen = 0;
        for place in 0..PLACES {
            let mut point: Vec<f64> = (0..count).map(|s| drawn(place, s as u64)).collect();
            let mut regular = None;
            for _ in 0..STEPS {
                let values = self.graph.values(&roots, &|symbol| point.get(symbol).copied().unwrap_or(f64::NAN));
                regular = determinant(jumps, &values);
                if surfaces.iter().all(|surface| values[surface] == 0.0) {
                    break;
                }
                // One surface after the other, along its gradient.
                for (surface, slope) in surfaces.iter().zip(&slopes) {
                    let square: f64 = moved.iter().map(|&i| values[&slope[i]].powi(2)).sum();
                    let off = values[surface];
                    if off != 0.0 && square > 0.0 {
                        moved.iter().for_each(|&i| point[i] -= off * values[&slope[i]] / square);
                    }
                }
            }
            if regular == Some(true) {
                return true;
            }
            seen += u32::from(regular.is_some());
        }
        // Where nothing is known a motion has to be asked.
        seen == 0
    }
}

/// Whether the matrix of jumps of one or two switches is regular, each entry compared with the rates on both sides; `None` where it has no value.
fn determinant(jumps: &[Vec<[Node; 2]>], values: &HashMap<Node, f64>) -> Option<bool> {
    let entry = |i: usize, j: usize| {
        let [p, n] = jumps[i][j].map(|node| values[&node]);
        let size = p.abs().max(n.abs());
        if size == 0.0 { 0.0 } else { (p - n) / size }
    };
    let found = match jumps.len() {
        1 => entry(0, 0),
        _ => entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0),
    };
    (!found.is_nan()).then(|| found.abs() > DRAWN)
}

/// A number between -1 and 1 times the size of the place.
fn drawn(place: u64, symbol: u64) -> f64 {
    SIZES[place as usize % SIZES.len()] * (2.0 * of_pair(place, symbol, 0x5a17_a711) - 1.0)
}

/// The same with the parameters bound, on any kind of number.
#[derive(Debug, Clone)]
pub(crate) struct BoundHybrid<T = f64> {
    functions: (Vec<T>, Point<T>, Vec<T>),
    resets: Vec<(Vec<T>, Point<T>)>,
    after: Vec<T>,
}

impl<T: Number> BoundHybrid<T> {
    pub(crate) fn new(hybrid: &Hybrid, parameters: &[T]) -> BoundHybrid<T> {
        let bind = |tape: &Tape| (tape.bind(parameters), Point::new(tape));
        let (slots, point) = bind(&hybrid.functions);
        let resets: Vec<_> = hybrid.resets.iter().map(|reset| bind(&reset.tape)).collect();
        let states = hybrid.resets.iter().map(|reset| reset.tape.outputs()).max().unwrap_or(0);
        BoundHybrid {
            functions: (slots, point, vec![T::ZERO; hybrid.names.len()]),
            resets,
            after: vec![T::ZERO; states],
        }
    }

    /// s of every switch at a state.
    pub(crate) fn functions(&mut self, hybrid: &Hybrid, state: &[T]) -> &[T] {
        let (slots, point, values) = &mut self.functions;
        hybrid.functions.evaluate_at(slots, state, point, values);
        values
    }

    /// The state after an event, and its condition, which has to be positive.
    pub(crate) fn reset(&mut self, hybrid: &Hybrid, reset: usize, state: &[T]) -> (&[T], T) {
        let (slots, point) = &mut self.resets[reset];
        hybrid.resets[reset].tape.evaluate_at(slots, state, point, &mut self.after);
        let n = self.after.len() - 1;
        (&self.after[..n], self.after[n])
    }
}
