//! Solves for periodic points of a return map by multiple shooting with a damped Newton's method.
//!
//! Nodes x_0 ... x_(K-1) on the section are to satisfy P_k(x_k) = x_(k+1 mod K), where P_k follows some returns. Newton's
//! step solves
//!
//! DP_k d_k - d_(k+1) = -(P_k(x_k) - x_(k+1)),
//!
//! and is shortened until it leads to admissible states and the natural monotonicity test holds: the step that the old
//! derivative would ask for next is smaller than this one (Deuflhard, Newton Methods for Nonlinear Problems, Sect. 3.1).
//! With one node this is single shooting.

use saltation_motion::ClosedSet;
use saltation_numerics::dense::{Elimination, Matrix};

use crate::ended::Ended;
use crate::return_map::{Failure, Point, Return, ReturnMap};

/// The equations are solved as one dense system of at most about this many unknowns; longer orbits have several returns
/// between their nodes.
const MOST_UNKNOWNS: usize = 400;
/// A step is halved at most so often.
const MOST_HALVINGS: usize = 12;
/// Closures below this, relative to the size of the states, are as good as rounding lets them be.
const CLOSURE_ROUNDING: f64 = 1e-14;
/// A matrix with a smaller reciprocal condition number is singular.
const SINGULAR_CONDITION: f64 = 1e-14;

/// The nodes and how many returns lie between each and the next.
#[derive(Debug, Clone)]
pub(crate) struct Chain {
    pub nodes: Vec<Point>,
    pub counts: Vec<u64>,
}

/// One step of the method, for reports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iterate {
    /// The largest closure before the step, relative to the size of each state.
    pub residual: f64,
    /// By how much the step was shortened; 1 if it was taken whole.
    pub damping: f64,
}

/// What came of an iteration.
pub(crate) struct Outcome {
    pub ended: Ended,
    pub history: Vec<Iterate>,
    /// The reciprocal condition number of the last equations: rounding moves the orbit by about its own size over this.
    pub condition: f64,
}

/// How the iteration is judged.
pub(crate) struct Rule<'r> {
    /// The closure that is asked for, relative to the size of each state.
    pub closure: f64,
    pub iterations: usize,
    /// The size of every coordinate of the section.
    pub scale: &'r [f64],
}

/// How many returns lie between the nodes of an orbit with so many returns.
pub(crate) fn counts(returns: u64, dimension: usize) -> Vec<u64> {
    let nodes = ((MOST_UNKNOWNS / dimension.max(1)) as u64).clamp(1, returns.max(1));
    (0..nodes).map(|k| returns * (k + 1) / nodes - returns * k / nodes).collect()
}

/// The images of all nodes with their derivatives, and the closures.
struct Evaluation {
    derivatives: Vec<Matrix>,
    closures: Vec<f64>,
    closed: Vec<ClosedSet>,
}

impl Evaluation {
    /// The contacts that are closed, and the sides of switches, where the predecessor of a node arrives: the node keeps them.
    fn arrives_at(&self, node: usize) -> ClosedSet {
        self.closed[(node + self.closed.len() - 1) % self.closed.len()]
    }

    /// The nodes of a chain after a part of a step, which is in units of the size of each coordinate.
    fn moved(&self, map: &mut ReturnMap, chain: &Chain, direction: &[f64], (damping, scale): (f64, &[f64])) -> Chain {
        let mut moved = chain.clone();
        for (k, node) in moved.nodes.iter_mut().enumerate() {
            let moves = direction[k * scale.len()..].iter().zip(scale);
            for (&i, (d, size)) in map.coordinates().iter().zip(moves) {
                map.shift(&mut node.state, i, damping * d * size);
            }
            map.place(&mut node.state);
            node.closed = self.arrives_at(k);
        }
        moved
    }

    fn residual(&self, scale: &[f64]) -> f64 {
        let relative = self.closures.iter().enumerate().map(|(i, r)| r.abs() / scale[i % scale.len()]);
        relative.fold(0.0, |m: f64, r| if r.is_nan() { f64::INFINITY } else { m.max(r) })
    }
}

fn evaluate(map: &mut ReturnMap, chain: &Chain, monitor: &mut dyn FnMut() -> bool) -> Result<Evaluation, Failure> {
    let count = chain.nodes.len();
    let mut evaluation = Evaluation { derivatives: Vec::new(), closures: Vec::new(), closed: Vec::new() };
    for (k, (node, &returns)) in chain.nodes.iter().zip(&chain.counts).enumerate() {
        let Return { point, derivative, .. } = map.apply(node, returns, true, monitor)?;
        let next = &chain.nodes[(k + 1) % count];
        evaluation.closures.extend(map.difference(&next.state, &point.state));
        evaluation.derivatives.extend(derivative);
        evaluation.closed.push(point.closed);
    }
    Ok(evaluation)
}

/// The matrix of Newton's equations, block cyclic, in units of the size of each coordinate.
fn jacobian(derivatives: &[Matrix], scale: &[f64]) -> Matrix {
    let dimension = scale.len();
    let count = derivatives.len();
    let mut matrix = Matrix::zeros(count * dimension, count * dimension);
    for (k, derivative) in derivatives.iter().enumerate() {
        let next = (k + 1) % count;
        for i in 0..dimension {
            for j in 0..dimension {
                matrix[(k * dimension + i, k * dimension + j)] += derivative[(i, j)] * scale[j] / scale[i];
            }
            matrix[(k * dimension + i, next * dimension + i)] -= 1.0;
        }
    }
    matrix
}

/// Newton's step from the closures, in units of the size of each coordinate; none if the matrix is singular.
fn step(elimination: &Elimination, closures: &[f64], scale: &[f64]) -> Option<Vec<f64>> {
    let mut step: Vec<f64> = closures.iter().enumerate().map(|(i, r)| -r / scale[i % scale.len()]).collect();
    elimination.solve_in_place(&mut step).ok()?;
    step.iter().all(|x| x.is_finite()).then_some(step)
}

fn norm(step: &[f64]) -> f64 {
    step.iter().map(|d| d * d).sum::<f64>().sqrt()
}

/// The words for a failure of a trial step.
fn reason(failure: &Failure, map: &ReturnMap) -> String {
    match failure {
        Failure::Start(error) => error.to_string(),
        Failure::Ended { ended, .. } => ended.describe(map.system()),
        Failure::NoReturn { .. } => "the trajectory does not come back to the section".to_string(),
        Failure::Grazed { contact, .. } => match contact {
            Some(contact) => format!("the trajectory grazes the contact {}", map.system().contact_names()[*contact]),
            None => "the trajectory touches the surface of a switch".to_string(),
        },
        Failure::NoDerivative { .. } => "the derivatives of the trajectory are not finite".to_string(),
        Failure::Jumped { .. } => "an impact or an event jumps at the section".to_string(),
        Failure::Interrupted => "interrupted".to_string(),
    }
}

/// How a failure at the first point, or by interruption, ends the search.
pub(crate) fn ended_by(failure: Failure, map: &ReturnMap, residual: f64) -> Ended {
    match failure {
        Failure::Start(error) => Ended::LeftDomain { residual, reason: error.to_string() },
        Failure::Ended { ended, time } => Ended::MotionEnded { ended, time },
        Failure::NoReturn { time, steps } => Ended::NoReturn { section: map.section(), time, steps },
        Failure::Grazed { contact, time } => Ended::Grazed { contact, time },
        Failure::NoDerivative { time } => Ended::NoDerivative { time },
        Failure::Jumped { time } => Ended::Jumped { section: map.section(), time },
        Failure::Interrupted => Ended::Interrupted,
    }
}

/// The time of some returns from where one more step of Newton's method leads, infinite if nothing returns from there; `None` if there is no step. From an orbit a step leads back to it.
pub(crate) fn period_after_step(
    map: &mut ReturnMap,
    start: &Point,
    returns: u64,
    scale: &[f64],
    monitor: &mut dyn FnMut() -> bool,
) -> Option<f64> {
    let chain = Chain { nodes: vec![start.clone()], counts: vec![returns] };
    let here = evaluate(map, &chain, monitor).ok()?;
    let mut elimination = Elimination::default();
    elimination.factor(&jacobian(&here.derivatives, scale)).ok()?;
    let direction = step(&elimination, &here.closures, scale)?;
    let moved = here.moved(map, &chain, &direction, (1.0, scale));
    Some(map.apply(&moved.nodes[0], returns, false, monitor).map_or(f64::INFINITY, |back| back.time))
}

/// Improves a chain until it closes.
pub(crate) fn solve(map: &mut ReturnMap, chain: &mut Chain, rule: &Rule, monitor: &mut dyn FnMut() -> bool) -> Outcome {
    let mut outcome = Outcome { ended: Ended::Interrupted, history: Vec::new(), condition: 0.0 };
    outcome.ended = iterate(map, chain, rule, monitor, &mut outcome);
    outcome
}

fn iterate(
    map: &mut ReturnMap,
    chain: &mut Chain,
    rule: &Rule,
    monitor: &mut dyn FnMut() -> bool,
    Outcome { history, condition, .. }: &mut Outcome,
) -> Ended {
    let mut elimination = Elimination::default();
    let mut current = match evaluate(map, chain, monitor) {
        Ok(evaluation) => evaluation,
        Err(failure) => return ended_by(failure, map, f64::INFINITY),
    };
    let mut residual = current.residual(rule.scale);
    while history.len() < rule.iterations {
        if residual <= CLOSURE_ROUNDING {
            break;
        }
        let factored = elimination.factor(&jacobian(&current.derivatives, rule.scale)).is_ok();
        *condition = if factored && !elimination.is_singular() { elimination.reciprocal_condition() } else { 0.0 };
        if *condition < SINGULAR_CONDITION {
            return if residual <= rule.closure { Ended::Converged } else { Ended::Singular };
        }
        let Some(direction) = step(&elimination, &current.closures, rule.scale) else {
            return Ended::Singular;
        };
        let length = norm(&direction);
        let mut damping = 1.0;
        let mut failed = None;
        let mut accepted = None;
        for _ in 0..=MOST_HALVINGS {
            let trial = current.moved(map, chain, &direction, (damping, rule.scale));
            match evaluate(map, &trial, monitor) {
                Err(Failure::Interrupted) => return Ended::Interrupted,
                Err(failure) => failed = Some(failure),
                Ok(evaluation) => {
                    failed = None;
                    let next = step(&elimination, &evaluation.closures, rule.scale);
                    if next.is_some_and(|next| norm(&next) <= (1.0 - 0.25 * damping) * length) {
                        accepted = Some((trial, evaluation));
                        break;
                    }
                }
            }
            if residual <= rule.closure {
                break;
            }
            damping *= 0.5;
        }
        let Some((trial, evaluation)) = accepted else {
            // Near the orbit rounding stops the decrease.
            let ended = match failed {
                _ if residual <= rule.closure => Ended::Converged,
                Some(failure) => Ended::LeftDomain { residual, reason: reason(&failure, map) },
                None => Ended::NotConverged { residual, iterations: history.len() },
            };
            return ended;
        };
        history.push(Iterate { residual, damping });
        *chain = trial;
        current = evaluation;
        // A step may have led to the other side of a switch.
        for (k, node) in chain.nodes.iter_mut().enumerate() {
            node.closed = current.arrives_at(k);
        }
        residual = current.residual(rule.scale);
    }
    if residual <= rule.closure {
        Ended::Converged
    } else {
        Ended::NotConverged { residual, iterations: history.len() }
    }
}
