//! The formulas of a mode: rates and outputs with the forces that keep closed contacts closed, and sticking ones sticking.
//!
//! Every closed contact i has a normal force lambda_N that keeps g_N'' = 0. If it slips, its friction is
//! lambda_T = -mu lambda_N sgn(g_T'), which turns the direction of the normal force into w_N - sgn(g_T') mu w_T; if it sticks, a second force
//! lambda_T keeps g_T'' = 0 (Leine & Brogliato, Eqs. (2.3), (2.7), (2.8)). With D_j the direction in which the j-th force moves the states and
//! c_i the speed that the i-th force keeps at zero,
//!
//! sum_j (L_(D_j) c_i) lambda_j = -L_F c_i,    F' = F + sum_j lambda_j D_j.
//!
//! For a contact without friction this is the sticking field of Nordmark & Piiroinen, Eq. (12).

use std::ops::Range;

use saltation_expr::{Function, Graph, Node, Operation};
use saltation_model::{Contact, Friction, Model};

use super::closed::ClosedSet;
use super::constraint::{Bound, Constraint, Limit};
use super::outputs::Outputs;
use super::slip::Slip;
use super::switched::{Switched, switched};
use crate::contact::touch::{holding, rubbing};

/// What the formulas of all modes of a system are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub model: &'a Model,
    /// The states in formulas.
    pub symbols: &'a [Node],
    /// The sections given by formulas.
    pub sections: &'a [Node],
    pub outputs: Outputs,
    /// Whether motions may slide along a switch.
    pub slides: &'a [bool],
}

/// A graph with the rates and outputs of a mode.
pub(crate) struct Formulas {
    pub graph: Graph,
    pub field: Vec<Node>,
    pub outputs: Vec<Node>,
    pub limits: Vec<Limit>,
    /// Constraints that hold because others do, with the outputs that then stay zero: gaps and slip speeds.
    pub still: Vec<(Constraint, usize)>,
    pub singular: Option<usize>,
    /// Coefficients of friction of closed contacts that depend on the state, by their outputs.
    pub coefficients: Vec<(usize, usize)>,
    /// The change of every state that leads back to the constraints of the body and to the surfaces along which the motion slides, then how far the constraints are from being singular; empty
    /// where there are none.
    pub correction: Vec<Node>,
    /// The forces of constraints of the body among the outputs.
    pub constraint_forces: Range<usize>,
    /// The lookups of tables with arguments that move, and these among the outputs.
    pub lookups: Vec<(u32, usize)>,
    /// Whether a state stands in what complementarities keep at zero; empty where they keep nothing.
    pub kept: Vec<bool>,
}

impl Formulas {
    /// Adds the arguments of tables to the outputs: a step ends where one reaches the end of its piece.
    pub(crate) fn watch_lookups(&mut self, states: &[Node]) {
        let formulas: Vec<Node> = self.field.iter().chain(&self.outputs).copied().collect();
        for (lookup, argument) in self.graph.lookups_in(&formulas) {
            if self.graph.symbols_of(argument).iter().any(|symbol| states.contains(symbol)) {
                self.lookups.push((lookup, self.outputs.len()));
                self.outputs.push(argument);
            }
        }
    }
}

/// A force, the direction in which it moves the states, and the speed it keeps at zero with its rate of change in flight.
struct Reaction {
    constraint: Constraint,
    direction: Vec<Node>,
    speed: Node,
    acceleration: Node,
}

/// In which time the rates of a mode are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Clock {
    Time,
    /// tau with d tau = dt/A, in which rates and forces of slip are A times what they are in time.
    Regular,
}

/// The forces of a mode, and the determinant of the equations for the forces of slip over that without friction.
struct Solved {
    forces: Vec<Node>,
    regularity: Option<Node>,
}

/// Up to so many contacts that slip the entry of one of them alone may vanish: their friction may press each against another.
const MOST_BY_COLUMNS: usize = 3;

/// Solves the equations of all forces, of which the last ones are those of slip; `free` is the matrix without their friction.
///
/// By friction the entry of one contact alone may vanish where the equations of all together are regular: an eccentric disc that slips between two walls. Gaps have units; in those in which
/// each contact alone moves the masses by 1, the rows have the same weight.
///
/// In the regular time forces are those times this determinant: of few contacts they are not divided by it.
fn solve(
    graph: &mut Graph,
    (matrix, right): (&[Vec<Node>], &[Node]),
    free: &[Vec<Node>],
    (slips, clock): (usize, Clock),
) -> Solved {
    let first = right.len() - slips;
    let one = graph.constant(1.0);
    let by_determinants = clock == Clock::Regular && (1..=MOST_BY_COLUMNS).contains(&slips);
    let (mut forces, regular) = match slips {
        _ if by_determinants => graph.solve_by_determinants(matrix, right, slips),
        2..=MOST_BY_COLUMNS => {
            let other = |graph: &mut Graph, i: usize| {
                let others = (first..right.len()).filter(|&j| j != i);
                others.fold(one, |product, j| graph.multiply(product, free[j][j]))
            };
            let weights: Vec<Node> = (first..right.len()).map(|i| other(graph, i)).collect();
            graph.solve_by_columns(matrix, right, &weights)
        }
        _ => {
            let (forces, pivots) = graph.solve(matrix, right);
            let regular = pivots[first..].iter().fold(one, |product, &pivot| graph.multiply(product, pivot));
            (forces, regular)
        }
    };
    if slips == 0 {
        return Solved { forces, regularity: None };
    }
    let zero = graph.constant(0.0);
    let (_, pivots) = graph.solve(free, &vec![zero; right.len()]);
    let alone = pivots[first..].iter().fold(one, |product, &pivot| graph.multiply(product, pivot));
    let regularity = graph.divide(regular, alone);
    for force in &mut forces {
        match clock {
            Clock::Time => {}
            Clock::Regular if by_determinants => *force = graph.divide(*force, alone),
            Clock::Regular => *force = graph.multiply(*force, regularity),
        }
    }
    Solved { forces, regularity: Some(regularity) }
}

impl Source<'_> {
    /// The graph of a mode with its rates and outputs. Constraints in `redundant` have no force: they hold because the others do.
    pub(crate) fn formulas(&self, closed: ClosedSet, redundant: &[Constraint], clock: Clock) -> Formulas {
        let model = self.model;
        let mut graph: Graph = model.graph.clone();
        let symbols = self.symbols;
        let mut field = match model.complementarities.is_empty() {
            true => model.rates(),
            false => model.rates_with_multipliers(&mut graph),
        };
        // The forces of constraints depend on all others as rates do.
        let states = field.len();
        field.extend(model.body.constrained().map_or(&[][..], |constrained| &constrained.forces));
        let (mut reactions, slipping) = self.reactions(&mut graph, closed, redundant);
        self.push_by_multipliers(&mut graph, &mut reactions);
        let moved = |graph: &mut Graph, directions: &[&[Node]]| -> Vec<Vec<Node>> {
            let mut row = |speed: Node| directions.iter().map(|d| graph.lie_derivative(speed, symbols, d)).collect();
            reactions.iter().map(|reaction| row(reaction.speed)).collect()
        };
        let directions: Vec<&[Node]> = reactions.iter().map(|force| &force.direction[..]).collect();
        let matrix = moved(&mut graph, &directions);
        let right: Vec<Node> = reactions.iter().map(|reaction| reaction.acceleration).collect();
        let zero = graph.constant(0.0);
        let Solved { forces, regularity } = {
            let mut smooth = directions.clone();
            slipping.iter().for_each(|(at, push)| smooth[*at] = push);
            let free = if slipping.is_empty() { Vec::new() } else { moved(&mut graph, &smooth) };
            solve(&mut graph, (&matrix, &right), &free, (slipping.len(), clock))
        };
        if let (Clock::Regular, Some(ratio)) = (clock, regularity) {
            field.iter_mut().for_each(|rate| *rate = graph.multiply(*rate, ratio));
        }
        for (reaction, &force) in reactions.iter().zip(&forces) {
            for (rate, &direction) in field.iter_mut().zip(&reaction.direction) {
                let push = graph.multiply(force, direction);
                *rate = graph.subtract(*rate, push);
            }
        }
        let found = |constraint: Constraint| {
            reactions.iter().zip(&forces).find(|(r, _)| r.constraint == constraint).map_or(zero, |(_, &force)| force)
        };
        let normal: Vec<(usize, Node)> = closed
            .iter()
            .map(|contact| {
                let force = found(Constraint::Normal(contact));
                (
                    contact,
                    if self.model.body.mechanics().is_some() {
                        force
                    } else {
                        self.multiplier(&mut graph, contact, force)
                    },
                )
            })
            .collect();

        let mut outputs: Vec<Node> = model.contacts.iter().map(|contact| contact.gap).collect();
        outputs.extend(self.sections);
        outputs.extend(normal.iter().map(|&(_, force)| force));
        let mut limits = Vec::new();
        let own_gap = |constraint: &Constraint| match *constraint {
            Constraint::Normal(contact) => Some((*constraint, self.outputs.gap(contact))),
            Constraint::Tangential(_) | Constraint::Parallel(_) => None,
        };
        let mut still: Vec<(Constraint, usize)> = redundant.iter().filter_map(own_gap).collect();
        for &(contact, force) in &normal {
            let Some(friction) = &model.contacts[contact].friction else { continue };
            match closed.direction(contact) {
                Some(_) if closed.limiting(contact).is_some() => {
                    still.push((Constraint::Tangential(contact), outputs.len()));
                    outputs.push(friction.slip);
                }
                Some(slip) => {
                    let sign = graph.constant(slip.sign());
                    limits.push(Limit { contact, kind: Bound::Speed, output: outputs.len() });
                    outputs.push(graph.multiply(sign, friction.slip));
                }
                None if redundant.contains(&Constraint::Tangential(contact)) => {
                    still.push((Constraint::Tangential(contact), outputs.len()));
                    outputs.push(friction.slip);
                }
                None => {
                    let followers = self.followers(&mut graph, closed, redundant, contact);
                    let held = found(Constraint::Tangential(contact));
                    for slip in Slip::BOTH {
                        let mut most = graph.multiply(holding(friction, slip), force);
                        for &(follower, share) in &followers {
                            let force = normal.iter().find(|(c, _)| *c == follower).map_or(zero, |&(_, force)| force);
                            let own = model.contacts[follower].friction.as_ref().map_or(zero, |f| holding(f, slip));
                            let own = graph.multiply(own, force);
                            let part = graph.multiply(share, own);
                            most = graph.add(most, part);
                        }
                        let limit = match slip {
                            Slip::Forward => graph.add(most, held),
                            Slip::Backward => graph.subtract(most, held),
                        };
                        limits.push(Limit { contact, kind: Bound::Cone(slip), output: outputs.len() });
                        outputs.push(limit);
                    }
                }
            }
        }
        let mut coefficients = Vec::new();
        for contact in closed.iter() {
            let Some(friction) = &model.contacts[contact].friction else { continue };
            let mut own = match closed.direction(contact) {
                Some(slip) => vec![largest(friction, (closed, contact, slip))],
                None => Slip::BOTH.map(|slip| holding(friction, slip)).to_vec(),
            };
            own.dedup();
            own.retain(|&mu| graph.symbols_of(mu).iter().any(|symbol| symbols.contains(symbol)));
            for mu in own {
                coefficients.push((contact, outputs.len()));
                outputs.push(mu);
            }
        }
        let singular = regularity.filter(|&ratio| graph.as_constant(ratio).is_none()).map(|ratio| {
            outputs.push(ratio);
            outputs.len() - 1
        });
        let back = onto_constraints(&mut graph, model);
        let Switched { limits: own, mut correction, kept } = match model.switches.is_empty() {
            true => Switched { correction: back, ..Switched::default() },
            false => {
                let body = (model, symbols, &back[..]);
                switched(&mut graph, body, (closed.sides(), self.slides), &mut field, &mut outputs)
            }
        };
        limits.extend(own);
        if let Some(constrained) = model.body.constrained() {
            correction.truncate(states);
            correction.extend(&constrained.regularity);
        }
        let forces = field.split_off(states);
        let constraint_forces = outputs.len()..outputs.len() + forces.len();
        outputs.extend(&forces);
        let lookups = Vec::new();
        Formulas {
            graph,
            field,
            outputs,
            limits,
            still,
            singular,
            coefficients,
            correction,
            constraint_forces,
            lookups,
            kept,
        }
    }

    /// Multipliers accelerate what forces hold.
    fn push_by_multipliers(&self, graph: &mut Graph, reactions: &mut [Reaction]) {
        if self.model.complementarities.is_empty() {
            return;
        }
        let multipliers = self.model.multiplier_symbols(graph);
        for reaction in reactions {
            for (element, &multiplier) in self.model.complementarities.iter().zip(&multipliers) {
                let along = graph.lie_derivative(reaction.speed, self.symbols, &element.direction);
                let part = graph.multiply(multiplier, along);
                reaction.acceleration = graph.add(reaction.acceleration, part);
            }
        }
    }

    /// The forces of a mode, those of slip last, and for these their place and their direction without friction.
    fn reactions(
        &self,
        graph: &mut Graph,
        closed: ClosedSet,
        redundant: &[Constraint],
    ) -> (Vec<Reaction>, Vec<(usize, Vec<Node>)>) {
        let model = self.model;
        let mut reactions = Vec::new();
        for contact in closed.iter().filter(|&c| closed.direction(c).is_none()) {
            let Contact { speed, acceleration, push, response, carried, friction, .. } = &model.contacts[contact];
            // A flow has no masses: it is pushed in the direction of its impacts, whose limit persistent contact is.
            let pushed = if model.body.mechanics().is_some() { response } else { push };
            let direction = pushed.iter().chain(carried).map(|&r| graph.negate(r)).collect();
            let normal = Constraint::Normal(contact);
            reactions.push(Reaction { constraint: normal, direction, speed: *speed, acceleration: *acceleration });
            let Some(friction) = friction else { continue };
            let direction = friction.response.iter().chain(&friction.carried).map(|&r| graph.negate(r)).collect();
            let (speed, acceleration) = (friction.slip, friction.slip_acceleration);
            reactions.push(Reaction { constraint: Constraint::Tangential(contact), direction, speed, acceleration });
        }
        reactions.retain(|reaction| !redundant.contains(&reaction.constraint));
        let mut slipping = Vec::new();
        for contact in closed.iter() {
            let Some(slip) = closed.direction(contact) else { continue };
            let Contact { speed, acceleration, response, carried, friction: Some(friction), .. } =
                &model.contacts[contact]
            else {
                continue;
            };
            let constraint = Constraint::Normal(contact);
            if redundant.contains(&constraint) {
                continue;
            }
            let sign = graph.constant(slip.sign());
            let pull = graph.multiply(sign, largest(friction, (closed, contact, slip)));
            let mut direction = Vec::with_capacity(response.len());
            let has_friction = friction.response.iter().chain(&friction.carried);
            for (&n, &t) in response.iter().chain(carried).zip(has_friction) {
                let rubbed = graph.multiply(pull, t);
                direction.push(graph.subtract(rubbed, n));
            }
            slipping.push((reactions.len(), response.iter().chain(carried).map(|&r| graph.negate(r)).collect()));
            reactions.push(Reaction { constraint, direction, speed: *speed, acceleration: *acceleration });
        }
        (reactions, slipping)
    }

    /// The contacts that stick because this one does, their tangents being parallel, with |w_T|/|w_T of this one|: how much of
    /// their friction helps.
    fn followers(
        &self,
        graph: &mut Graph,
        closed: ClosedSet,
        redundant: &[Constraint],
        leader: usize,
    ) -> Vec<(usize, Node)> {
        let model = self.model;
        let first = redundant.iter().filter_map(|constraint| match constraint {
            Constraint::Parallel(contact) if closed.contains(*contact) => Some(*contact),
            _ => None,
        });
        let Some(lead) = &model.contacts[leader].friction else { return Vec::new() };
        // A follower helps the first contact that could be its leader.
        let leads = closed.iter().find(|&c| {
            closed.direction(c).is_none()
                && self.model.contacts[c].friction.is_some()
                && !redundant.contains(&Constraint::Tangential(c))
        });
        if leads != Some(leader) {
            return Vec::new();
        }
        first
            .filter_map(|contact| {
                let friction = model.contacts[contact].friction.as_ref()?;
                let across = graph.lie_derivative(friction.slip, self.symbols, &lead.response);
                let own = graph.lie_derivative(lead.slip, self.symbols, &lead.response);
                let share = graph.divide(across, own);
                let square = graph.multiply(share, share);
                Some((contact, graph.apply(Function::Sqrt, square)))
            })
            .collect()
    }

    /// The multiplier lambda of the sticking field F' = F - lambda W of a flow from that of -N: W = (L_W v) N. That of -N itself where the law has a root
    /// of states that jump: W need not exist at zero speed, but 1 + r is positive, so that both have the same sign.
    fn multiplier(&self, graph: &mut Graph, contact: usize, force: Node) -> Node {
        let Contact { restitution: slope, after, .. } = &self.model.contacts[contact];
        let slope = *slope;
        let jumping: Vec<Node> =
            self.symbols.iter().zip(after).filter(|(x, after)| x != after).map(|(&x, _)| x).collect();
        if graph.reachable(&[slope]).into_iter().any(|node| is_singular(graph, node, &jumping)) {
            return force;
        }
        let one = graph.constant(1.0);
        let bounce = graph.add(one, slope);
        graph.divide(force, bounce)
    }
}

/// The largest coefficient of friction against slip in a direction: that of slip, or the static one of a contact that sticks at its limit.
fn largest(friction: &Friction, (closed, contact, slip): (ClosedSet, usize, Slip)) -> Node {
    if closed.limiting(contact).is_some() { holding(friction, slip) } else { rubbing(friction, slip) }
}

/// The change of every state that leads back to the constraints of the body; empty where it has none.
pub(crate) fn onto_constraints(graph: &mut Graph, model: &Model) -> Vec<Node> {
    let Some(body) = model.body.mechanics() else { return Vec::new() };
    let Some(constrained) = &body.constrained else { return Vec::new() };
    let mut change = vec![graph.constant(0.0); model.states.len()];
    let (back, impulse) = &constrained.correction;
    body.coordinates.iter().zip(back).for_each(|(&q, &part)| change[q] = part);
    body.velocities.iter().zip(impulse).for_each(|(&v, &part)| change[v] = part);
    change
}

/// Whether an operation is a root or a logarithm of what depends on some states: it has no slope where that vanishes.
fn is_singular(graph: &Graph, node: Node, states: &[Node]) -> bool {
    let argument = match graph.operation(node) {
        Operation::Apply(Function::Sqrt | Function::Log, argument) => argument,
        Operation::Power(base, exponent) if exponent.fract() != 0.0 => base,
        _ => return false,
    };
    graph.symbols_of(argument).iter().any(|symbol| states.contains(symbol))
}
