//! Cuts pieces of motion that are too sensitive for single shooting by waypoints into pieces of equal time.

use saltation_continuation::Curve;
use saltation_motion::extension::Image;
use saltation_numerics::elementary;

use super::tracer::{Start, Tracer, plain_sizes};
use crate::signature::{Equations, Kind, Node, Signature};

/// A piece on which perturbations grow by more than this factor is cut.
const MOST_GROWTH: f64 = 1e4;
/// Perturbations grow by about this factor on the pieces that it is cut into.
const GROWTH_OF_PARTS: f64 = 1e2;
/// A plane across the motion is turned where their angle is smaller than this, as a cosine.
const LEAST_COSINE: f64 = 0.5;

/// A signature and its unknowns without waypoints.
pub(crate) fn plain(signature: &Signature, unknowns: &[f64], sizes: &[f64], states: usize) -> Start {
    let layout = signature.layout(states);
    let nodes = signature.nodes.iter().filter(|node| node.kind != Kind::Waypoint).cloned().collect();
    Start {
        signature: Signature { nodes, ..signature.clone() },
        unknowns: layout.without_waypoints(signature, unknowns),
        sizes: layout.without_waypoints(signature, sizes),
        tangent: None,
    }
}

/// The same start with as many waypoints as it needs.
pub(crate) fn meshed(tracer: &Tracer, start: Start) -> Start {
    if start.tangent.is_some() {
        return start;
    }
    let states = tracer.system.state_names().len();
    let start = plain(&start.signature, &start.unknowns, &start.sizes, states);
    let layout = start.signature.layout(states);
    let signature = start.signature.clone();
    let mut problem = tracer.equations(&start);
    let mut result = Start {
        signature: Signature { nodes: Vec::new(), ..signature.clone() },
        unknowns: Vec::new(),
        sizes: Vec::new(),
        tangent: None,
    };
    let mut image = Image::new(states, tracer.following.free().len());
    for (k, node) in signature.nodes.iter().enumerate() {
        let at = layout.nodes[k];
        let time = start.unknowns[layout.time(k)];
        result.signature.nodes.push(node.clone());
        result.unknowns.extend_from_slice(&start.unknowns[at..at + states + 1]);
        result.sizes.extend_from_slice(&start.sizes[at..at + states + 1]);
        let parts = problem.growth(k, &start.unknowns, &mut image).map_or(1, |growth| {
            if growth > MOST_GROWTH {
                (elementary::ln(growth) / elementary::ln(GROWTH_OF_PARTS)).ceil() as usize
            } else {
                1
            }
        });
        for part in 1..parts {
            let share = part as f64 / parts as f64;
            let Ok(state) = problem.along(k, &start.unknowns, share * time, &mut image) else { break };
            result.signature.nodes.push(Node {
                kind: Kind::Waypoint,
                before: node.after,
                after: node.after,
                collisions: Vec::new(),
            });
            result.unknowns.extend(state);
            result.sizes.extend_from_slice(&start.sizes[at..at + states]);
        }
    }
    result.unknowns.extend_from_slice(&start.unknowns[layout.parameters..]);
    result.sizes.extend_from_slice(&start.sizes[layout.parameters..]);
    result
}

/// Cuts pieces that have become too sensitive since the period was last examined; whether there were any.
pub(crate) fn refine<'s>(
    tracer: &Tracer<'s, '_>,
    curve: &mut Curve<Equations<'s>>,
    growth: &mut super::homoclinic::Growth,
) -> bool {
    if !growth.is_long() {
        return false;
    }
    let states = tracer.system.state_names().len();
    let unknowns = curve.point().unknowns.clone();
    let mut image = Image::new(states, tracer.following.free().len());
    let sensitive = (0..curve.problem().signature().nodes.len())
        .any(|k| curve.problem_mut().growth(k, &unknowns, &mut image).is_ok_and(|growth| growth > MOST_GROWTH));
    if !sensitive {
        return false;
    }
    let signature = curve.problem().signature().clone();
    let sizes = plain_sizes(curve.problem());
    let before = plain(&signature, &unknowns, &sizes, states);
    let tangent = curve.problem().without_waypoints(&curve.point().tangent);
    let mut start = meshed(tracer, before);
    // Waypoints are free to move in the first correction.
    let layout = start.signature.layout(states);
    let mut wider = vec![0.0; start.unknowns.len()];
    let mut from = tangent.iter();
    for (k, node) in start.signature.nodes.iter().enumerate() {
        if node.kind != Kind::Waypoint {
            wider[layout.nodes[k]..layout.nodes[k] + states + 1].iter_mut().zip(&mut from).for_each(|(t, v)| *t = *v);
        }
    }
    wider[layout.parameters..].iter_mut().zip(from).for_each(|(t, v)| *t = *v);
    start.tangent = Some(wider);
    match tracer.curve(&start) {
        Ok(refined) => {
            *curve = refined;
            true
        }
        Err(_) => false,
    }
}

/// Turns planes that the trajectory has come to cross at a small angle.
pub(crate) fn straighten(curve: &mut Curve<Equations>) {
    let unknowns = curve.point().unknowns.clone();
    let askew: Vec<usize> = curve.problem_mut().askew(&unknowns, LEAST_COSINE);
    if askew.is_empty() {
        return;
    }
    for node in askew {
        curve.problem_mut().turn_plane(node, &unknowns);
    }
    // If the equations have no solution now, the next step fails.
    let _ = curve.refresh();
}
