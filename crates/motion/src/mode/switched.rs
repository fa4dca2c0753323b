//! The formulas of a mode on given sides of switches, and of sliding along them.
//!
//! On a side, sign(s) is a number. Along s = 0 it is what keeps s at zero (Filippov): with the fields F+ and F- of both sides,
//! F = (F+ + F-)/2 + sigma (F+ - F-)/2, and L_F s = 0 gives sigma = -(L_F+ s + L_F- s)/(L_F+ s - L_F- s). Along several surfaces at once the sigmas solve
//! the linear equations L_F s_i = 0, if the field is affine in them; where products of signs stand in it, by the multilinear closure (Dieci & Lopez, J. Comput. Appl. Math. 236, 2012). Where L_F s does not depend on the side, as that of a position does not, s and L_F s are kept at zero, and
//! L_F^2 s = 0 is the equation (second-order sliding; Levant, Int. J. Control 58, 1993). Of dry friction whose force F varies the unknown is sigma F, which has a value where F vanishes.

use std::collections::HashMap;

use saltation_expr::{Function, Graph, Node};
use saltation_model::{Model, StateKind, Switch};
use saltation_numerics::random::of_pair;

use super::closed::ClosedSet;
use super::complementary::{Complementary, complementary};
use super::constraint::{Bound, Limit};
use super::sides::{Side, Sides};
use super::slip::Slip;
use crate::instant::knowledge::DRAWN;

/// What switches add to a mode.
#[derive(Debug, Clone, Default)]
pub(crate) struct Switched {
    /// On a side |s|, and while sliding 1 - sigma and 1 + sigma, or F_s - sigma F and F_s + sigma F of dry friction with a static limit F_s or with a force F = F_s that varies.
    pub limits: Vec<Limit>,
    /// The change of every state that leads back to the surfaces along which the motion slides, to the constraints of the body, and to what elements that are on keep at zero; empty where
    /// nothing is kept. Where elements keep something, the impulses of all of them follow, and what is kept.
    pub correction: Vec<Node>,
    /// Whether a state stands in what these elements keep; empty where they keep nothing.
    pub kept: Vec<bool>,
}

/// So many places are tried.
const PLACES: u64 = 4;

/// Puts the sides into the rates and outputs of a mode, whose signs are nodes, and adds what the switches keep above zero to its outputs. The rates may be followed by other quantities
/// that depend on signs as they do; `constrained` is the way back to the constraints of the body, which no sliding leaves.
pub(crate) fn switched(
    graph: &mut Graph,
    (model, symbols, constrained): (&Model, &[Node], &[Node]),
    (sides, slides): (Sides, &[bool]),
    field: &mut [Node],
    outputs: &mut Vec<Node>,
) -> Switched {
    let switches = &model.switches;
    let sliding: Vec<usize> = sides.holding().collect();
    let Complementary { multipliers, positive: complements, kept: bound, correction: back, impulses } =
        match model.complementarities.is_empty() {
            true => Complementary::default(),
            false => complementary(graph, (model, symbols), sides, field),
        };
    if !complements.is_empty() {
        field.copy_from_slice(&graph.substitute_all(field, &multipliers));
        let whole = graph.substitute_all(outputs, &multipliers);
        outputs.copy_from_slice(&whole);
    }
    let mut values: HashMap<Node, Node> = HashMap::new();
    for (k, switch) in switches.iter().enumerate() {
        if let Some(sign) = sides.of(k).sign() {
            values.insert(switch.sign, graph.constant(switch.orientation * sign));
        }
    }
    for (k, switch) in switches.iter().enumerate() {
        if let (Some(slip), Some((held, force))) = (sides.limiting(k), switch.held) {
            let ratio = graph.divide(held, force);
            let ratio = graph.substitute(ratio, &values);
            let sign = graph.constant(switch.orientation * slip.sign());
            values.insert(switch.sign, graph.multiply(sign, ratio));
        }
    }
    // The field with the sliding switches on given sides, the first ones of them as listed and the others positive.
    let on = |graph: &mut Graph, field: &[Node], negative: &[usize]| -> Vec<Node> {
        let mut values = values.clone();
        for &k in &sliding {
            let sign = if negative.contains(&k) { -1.0 } else { 1.0 };
            values.insert(switches[k].sign, graph.constant(switches[k].orientation * sign));
        }
        graph.substitute_all(field, &values)
    };
    let surfaces: Vec<Node> = switches.iter().map(|switch| graph.substitute(switch.function, &values)).collect();
    let two = graph.constant(2.0);
    let mut correction = constrained.to_vec();
    let mut sigmas: Vec<Node> = Vec::new();
    let mut units: Vec<Option<Node>> = vec![None; sliding.len()];
    let positive = on(graph, field, &[]);
    if sliding.is_empty() {
        field.copy_from_slice(&positive);
    } else {
        // F = F0 + sum of sigma_j D_j, with F0 = F(all positive) - sum of D_j.
        let mut jumps: Vec<Vec<Node>> = Vec::new();
        for &k in &sliding {
            let negative = on(graph, field, &[k]);
            let halves = positive.iter().zip(&negative).map(|(&p, &n)| {
                let jump = graph.subtract(p, n);
                graph.divide(jump, two)
            });
            jumps.push(halves.collect());
        }
        let affine = sliding.len() == 1 || {
            let negative = on(graph, field, &sliding);
            let sum = |i: usize, graph: &mut Graph| {
                let terms: Vec<Node> = jumps.iter().map(|jump| jump[i]).collect();
                let sum = graph.sum(terms);
                let sum = graph.multiply(two, sum);
                let back = graph.subtract(positive[i], sum);
                vanishes(graph, back, negative[i])
            };
            (0..field.len()).all(|i| sum(i, graph))
        };
        let mean: Vec<Node> = (0..field.len())
            .map(|i| jumps.iter().fold(positive[i], |rate, jump| graph.subtract(rate, jump[i])))
            .collect();
        // What is kept at zero for each switch, the function last whose rate its sigma acts on.
        let kept: Vec<Vec<Node>> = sliding.iter().map(|&k| kept(graph, symbols, surfaces[k], &mean, &jumps)).collect();
        let last: Vec<Node> = kept.iter().map(|functions| functions[functions.len() - 1]).collect();
        if affine {
            for ((&k, jump), unit) in sliding.iter().zip(&mut jumps).zip(&mut units) {
                if let Some((force, direction)) = drag(graph, (model, k), &values, jump) {
                    (*unit, *jump) = (Some(force), direction);
                }
            }
        }
        let matrix: Vec<Vec<Node>> = last
            .iter()
            .map(|&function| jumps.iter().map(|jump| graph.lie_derivative(function, symbols, jump)).collect())
            .collect();
        let right: Vec<Node> = last
            .iter()
            .map(|&function| {
                let drift = graph.lie_derivative(function, symbols, &mean);
                graph.negate(drift)
            })
            .collect();
        if affine {
            sigmas = solve(graph, &matrix, &right);
            for (i, rate) in field.iter_mut().enumerate() {
                let terms: Vec<Node> = sigmas.iter().zip(&jumps).map(|(&s, jump)| graph.multiply(s, jump[i])).collect();
                let sum = graph.sum(terms);
                *rate = graph.add(mean[i], sum);
            }
        } else {
            let corners = Corners { switches, sliding: &sliding, values: &values, field: field.to_vec() };
            sigmas = corners.sigmas(graph, symbols, &last, (&matrix, &right));
            let closed = corners.interpolated(graph, &sigmas);
            field.copy_from_slice(&closed);
        }
        // From where the way back to the constraints leads.
        let beside = |graph: &mut Graph, function: Node| {
            let moved = graph.lie_derivative(function, symbols, constrained);
            graph.add(function, moved)
        };
        let beside_last: Vec<Node> = match constrained {
            [] => last.clone(),
            _ => last.iter().map(|&function| beside(graph, function)).collect(),
        };
        let back = solve(graph, &matrix, &beside_last);
        correction = (0..field.len())
            .map(|i| {
                let terms: Vec<Node> = back.iter().zip(&jumps).map(|(&b, jump)| graph.multiply(b, jump[i])).collect();
                let sum = graph.sum(terms);
                match constrained.get(i) {
                    Some(&own) => graph.subtract(own, sum),
                    None => graph.negate(sum),
                }
            })
            .collect();
        // No sigma acts on the rate of what comes before: back along its gradient.
        for &function in kept.iter().flat_map(|functions| &functions[..functions.len() - 1]) {
            let slope = graph.gradient(function, symbols);
            let slope: Vec<Node> =
                (0..slope.len()).map(|i| if flows(model, i) { slope[i] } else { graph.constant(0.0) }).collect();
            let square = graph.dot(&slope, &slope);
            let part = graph.divide(function, square);
            for (moved, &slope) in correction.iter_mut().zip(&slope) {
                let back = graph.multiply(part, slope);
                *moved = graph.subtract(*moved, back);
            }
        }
        let kept: Vec<Node> = kept.concat();
        determine(graph, (model, symbols), &kept, field, &mut correction);
        for ((&k, &sigma), unit) in sliding.iter().zip(&sigmas).zip(&units) {
            let orientation = graph.constant(switches[k].orientation);
            let sigma = unit.map_or(sigma, |force| graph.divide(sigma, force));
            values.insert(switches[k].sign, graph.multiply(orientation, sigma));
        }
    }
    for output in outputs.iter_mut() {
        *output = graph.substitute(*output, &values);
    }
    let mut kept = Vec::new();
    if !bound.is_empty() {
        let [bound, mut back, impulses] = [&bound, &back, &impulses].map(|nodes| graph.substitute_all(nodes, &values));
        determine(graph, (model, symbols), &bound, field, &mut back);
        if !correction.is_empty() {
            back.iter_mut().zip(&correction).for_each(|(back, &own)| *back = graph.add(*back, own));
        }
        let zero = graph.constant(0.0);
        kept = vec![false; symbols.len()];
        for &function in &bound {
            let slopes = graph.gradient(function, symbols);
            kept.iter_mut().zip(slopes).for_each(|(kept, slope)| *kept |= slope != zero);
        }
        correction = [back, impulses, bound].concat();
    }
    let mut limits = Vec::new();
    let one = graph.constant(1.0);
    for (k, &surface) in surfaces.iter().enumerate() {
        let surface = graph.substitute(surface, &values);
        let mut limit = |kind: Bound, formula: Node| {
            limits.push(Limit { contact: ClosedSet::element(k), kind, output: outputs.len() });
            outputs.push(formula);
        };
        if let Some(element) = model.complementarities.iter().position(|element| element.switch == k) {
            limit(Bound::Surface, graph.substitute(complements[element], &values));
            continue;
        }
        match (sides.of(k), sliding.iter().position(|&other| other == k)) {
            (_, Some(place)) => {
                // Dry friction holds up to its static limit.
                let held =
                    switches[k].held.map(|(held, force)| [held, force].map(|part| graph.substitute(part, &values)));
                let (most, share) = match (units[place], held) {
                    (None, None) => (one, sigmas[place]),
                    (None, Some([held, force])) => (held, graph.multiply(sigmas[place], force)),
                    (Some(force), held) => (held.map_or(force, |[held, _]| held), sigmas[place]),
                };
                limit(Bound::Cone(Slip::Forward), graph.subtract(most, share));
                limit(Bound::Cone(Slip::Backward), graph.add(most, share));
            }
            (side, _) => {
                let kind = if slides[k] { Bound::Speed } else { Bound::Surface };
                // At its static limit friction neither leaves zero slip, to either side.
                limit(kind, if side == Side::Negative { graph.negate(surface) } else { surface });
            }
        }
    }
    Switched { limits, correction, kept }
}

/// The force of dry friction and the rates that a unit of it causes, where `jump` is their product: while the friction holds the force is the unknown, which may vanish.
fn drag(
    graph: &mut Graph,
    (model, switch): (&Model, usize),
    values: &HashMap<Node, Node>,
    jump: &[Node],
) -> Option<(Node, Vec<Node>)> {
    let dry = model.frictions.iter().find(|dry| dry.switch == switch && dry.response.len() == jump.len())?;
    let force = graph.substitute(dry.acts, values);
    if graph.as_constant(force).is_some() {
        return None;
    }
    let against = graph.constant(-model.switches[switch].orientation);
    let direction: Vec<Node> = graph.substitute_all(&dry.response, values);
    let direction: Vec<Node> = direction.into_iter().map(|part| graph.multiply(against, part)).collect();
    let whole: Vec<Node> = direction.iter().map(|&part| graph.multiply(force, part)).collect();
    whole.iter().zip(jump).all(|(&whole, &jump)| vanishes(graph, whole, jump)).then_some((force, direction))
}

/// The solution of linear equations: by Cramer's rule for two, whose diagonal may vanish where two surfaces hold a motion together only.
fn solve(graph: &mut Graph, matrix: &[Vec<Node>], right: &[Node]) -> Vec<Node> {
    let [first, second] = matrix else { return graph.solve(matrix, right).0 };
    let mut minor = |a: Node, b: Node, c: Node, d: Node| {
        let (main, cross) = (graph.multiply(a, d), graph.multiply(b, c));
        graph.subtract(main, cross)
    };
    let determinant = minor(first[0], first[1], second[0], second[1]);
    let (x, y) = (minor(right[0], first[1], right[1], second[1]), minor(first[0], right[0], second[0], right[1]));
    vec![graph.divide(x, determinant), graph.divide(y, determinant)]
}

/// A field in which products of signs stand, by its values on all sides of the surfaces along which it slides: sigmas enter each by itself as a line, which is the multilinear closure
/// (Dieci & Lopez, J. Comput. Appl. Math. 236, 2012).
struct Corners<'a> {
    switches: &'a [Switch],
    sliding: &'a [usize],
    /// The signs of the others.
    values: &'a HashMap<Node, Node>,
    field: Vec<Node>,
}

/// So many surfaces at most have all their sides looked at.
const MOST_SIDES: usize = 6;

impl Corners<'_> {
    /// The field on given sides of the surfaces.
    fn at(&self, graph: &mut Graph, sides: &[f64]) -> Vec<Node> {
        let mut values = self.values.clone();
        for (&k, side) in self.sliding.iter().zip(sides) {
            values.insert(self.switches[k].sign, graph.constant(self.switches[k].orientation * side));
        }
        graph.substitute_all(&self.field, &values)
    }

    /// The field at sigmas: sum of F(sides) prod (1 + side sigma)/2.
    fn interpolated(&self, graph: &mut Graph, sigmas: &[Node]) -> Vec<Node> {
        self.between(graph, sigmas, &mut Vec::new())
    }

    fn between(&self, graph: &mut Graph, sigmas: &[Node], sides: &mut Vec<f64>) -> Vec<Node> {
        let Some(&sigma) = sigmas.get(sides.len()) else { return self.at(graph, sides) };
        let half = graph.constant(0.5);
        let [positive, negative] = [1.0, -1.0].map(|side| {
            sides.push(side);
            let field = self.between(graph, sigmas, sides);
            sides.pop();
            field
        });
        let mix = |(p, n): (Node, Node)| {
            let (sum, difference) = (graph.add(p, n), graph.subtract(p, n));
            let moved = graph.multiply(sigma, difference);
            let whole = graph.add(sum, moved);
            graph.multiply(half, whole)
        };
        positive.into_iter().zip(negative).map(mix).collect()
    }

    /// The sigmas that keep functions at zero: by linear equations if the rates of these are affine, and by a quadratic one for two of them, the solution that the
    /// linear equations become; not numbers for more.
    fn sigmas(
        &self,
        graph: &mut Graph,
        symbols: &[Node],
        last: &[Node],
        (matrix, right): (&[Vec<Node>], &[Node]),
    ) -> Vec<Node> {
        let undefined = vec![graph.constant(f64::NAN); last.len()];
        if last.len() > MOST_SIDES {
            return undefined;
        }
        let corners = (0..1_usize << last.len()).map(|corner| {
            let side = |k: usize| if corner >> k & 1 == 1 { -1.0 } else { 1.0 };
            (0..last.len()).map(side).collect::<Vec<f64>>()
        });
        let corners: Vec<Vec<f64>> = corners.collect();
        let rates: Vec<Vec<Node>> = corners
            .iter()
            .map(|sides| {
                let field = self.at(graph, sides);
                last.iter().map(|&function| graph.lie_derivative(function, symbols, &field)).collect()
            })
            .collect();
        let affine = corners.iter().zip(&rates).all(|(sides, rates)| {
            (0..last.len()).all(|i| {
                let terms: Vec<Node> = (0..last.len())
                    .map(|j| {
                        let side = graph.constant(sides[j]);
                        graph.multiply(matrix[i][j], side)
                    })
                    .collect();
                let sum = graph.sum(terms);
                let whole = graph.subtract(sum, right[i]);
                vanishes(graph, whole, rates[i])
            })
        });
        match last.len() {
            _ if affine => solve(graph, matrix, right),
            2 => bilinear(graph, &rates),
            _ => undefined,
        }
    }
}

/// The solution of a0 + a1 x + a2 y + a12 x y = 0 and of the same with b, from their values at (1, 1), (-1, 1), (1, -1), (-1, -1): that of A x^2 + B x + C = 0 which tends to -C/B with A.
fn bilinear(graph: &mut Graph, values: &[Vec<Node>]) -> Vec<Node> {
    let quarter = graph.constant(0.25);
    let mut coefficients = |row: usize| {
        [[1.0, 1.0, 1.0, 1.0], [1.0, -1.0, 1.0, -1.0], [1.0, 1.0, -1.0, -1.0], [1.0, -1.0, -1.0, 1.0]].map(|signs| {
            let terms: Vec<Node> = (0..4)
                .map(|corner| {
                    let sign = graph.constant(signs[corner]);
                    graph.multiply(sign, values[corner][row])
                })
                .collect();
            let sum = graph.sum(terms);
            graph.multiply(quarter, sum)
        })
    };
    let ([a0, a1, a2, a12], [b0, b1, b2, b12]) = (coefficients(0), coefficients(1));
    let mut minor = |a: Node, b: Node, c: Node, d: Node| {
        let (main, cross) = (graph.multiply(a, b), graph.multiply(c, d));
        graph.subtract(main, cross)
    };
    // (b0 + b1 x)(a2 + a12 x) = (b2 + b12 x)(a0 + a1 x).
    let (square, constant) = (minor(b1, a12, b12, a1), minor(b0, a2, b2, a0));
    let (first, second) = (minor(b0, a12, b12, a0), minor(b1, a2, b2, a1));
    let linear = graph.add(first, second);
    let (one, two, four) = (graph.constant(1.0), graph.constant(2.0), graph.constant(4.0));
    let product = graph.multiply(square, constant);
    let product = graph.multiply(four, product);
    let squared = graph.multiply(linear, linear);
    let ratio = graph.divide(product, squared);
    let inside = graph.subtract(one, ratio);
    let root = graph.apply(Function::Sqrt, inside);
    let whole = graph.add(one, root);
    let below = graph.multiply(linear, whole);
    let above = graph.multiply(two, constant);
    let quotient = graph.divide(above, below);
    let x = graph.negate(quotient);
    let mut line = |a: Node, b: Node| {
        let moved = graph.multiply(b, x);
        graph.add(a, moved)
    };
    let (above, below) = (line(a0, a1), line(a2, a12));
    let quotient = graph.divide(above, below);
    let y = graph.negate(quotient);
    vec![x, y]
}

/// What sliding along a surface keeps at zero: its function, and the rate of that where no jump of the field acts on it.
fn kept(graph: &mut Graph, symbols: &[Node], surface: Node, mean: &[Node], jumps: &[Vec<Node>]) -> Vec<Node> {
    let zero = graph.constant(0.0);
    match jumps.iter().all(|jump| graph.lie_derivative(surface, symbols, jump) == zero) {
        true => vec![surface, graph.lie_derivative(surface, symbols, mean)],
        false => vec![surface],
    }
}

/// Takes the rates that what is kept determines from it: where that is one state, that does not move at all.
fn determine(
    graph: &mut Graph,
    (model, symbols): (&Model, &[Node]),
    kept: &[Node],
    field: &mut [Node],
    correction: &mut [Node],
) {
    for (&surface, pivot) in kept.iter().zip(pivots(graph, (model, symbols), kept)) {
        let Some((state, slope)) = pivot else { continue };
        let others = field.iter().enumerate().map(|(i, &rate)| if i == state { graph.constant(0.0) } else { rate });
        let others: Vec<Node> = others.collect();
        let drift = graph.lie_derivative(surface, symbols, &others);
        let quotient = graph.divide(drift, slope);
        field[state] = graph.negate(quotient);
        let moved = correction.iter().enumerate().map(|(i, &x)| if i == state { graph.constant(0.0) } else { x });
        let moved: Vec<Node> = moved.collect();
        let along = graph.lie_derivative(surface, symbols, &moved);
        let left = graph.add(surface, along);
        let quotient = graph.divide(left, slope);
        correction[state] = graph.negate(quotient);
    }
}

/// Whether a state moves with the field, and on its own.
fn flows(model: &Model, state: usize) -> bool {
    !matches!(model.states[state].kind, StateKind::Phase | StateKind::Time | StateKind::Discrete)
}

/// For every surface along which a motion slides a state that it determines: its slope is a number, the largest there is, and no other of these surfaces
/// has the state.
fn pivots(graph: &mut Graph, (model, symbols): (&Model, &[Node]), surfaces: &[Node]) -> Vec<Option<(usize, Node)>> {
    let slopes: Vec<Vec<Node>> = surfaces.iter().map(|&surface| graph.gradient(surface, symbols)).collect();
    let size = |node: Node| graph.as_constant(node).map(f64::abs);
    let own = |row: usize| {
        let alone = |i: &usize| (0..slopes.len()).all(|other| other == row || size(slopes[other][*i]) == Some(0.0));
        let known = (0..symbols.len())
            .filter(|&i| flows(model, i))
            .filter(alone)
            .filter_map(|i| Some((i, size(slopes[row][i])?)));
        let largest = known.filter(|(_, size)| *size > 0.0).max_by(|a, b| a.1.total_cmp(&b.1));
        largest.map(|(i, _)| (i, slopes[row][i]))
    };
    (0..slopes.len()).map(own).collect()
}

/// Whether two formulas agree: as nodes, or at some places drawn at random.
fn vanishes(graph: &Graph, a: Node, b: Node) -> bool {
    a == b
        || (0..PLACES).all(|place| {
            let values = graph.values(&[a, b], &|symbol| drawn(place, symbol as u64));
            let (a, b) = (values[&a], values[&b]);
            // Without values nothing is known.
            (a - b).abs() <= DRAWN * a.abs().max(b.abs())
        })
}

/// Whether a formula is another one times a number.
pub(crate) fn is_multiple(graph: &Graph, a: Node, b: Node) -> bool {
    let ratio = |place| {
        let values = graph.values(&[a, b], &|symbol| drawn(place, symbol as u64));
        values[&a] / values[&b]
    };
    let first = ratio(0);
    (1..PLACES).all(|place| (ratio(place) - first).abs() <= DRAWN * first.abs())
}

/// A number between 0.2 and 1.2.
fn drawn(place: u64, symbol: u64) -> f64 {
    0.2 + of_pair(place, symbol, 0x5a17_a710)
}
