//! Which equation holds along a curve of special orbits?

use saltation_continuation::Singular;
use saltation_continuation::augmented::Failure;
use saltation_model::Values;
use saltation_motion::extension::Lost;
use saltation_motion::friction::Bound;
use saltation_motion::{ClosedSet, System};
use saltation_numerics::dense::Matrix;

use super::Settings;
use crate::branch::limit::{self, Reduced, Turns};
use crate::branch::tracer::Start;
use crate::branch::{Place, SpecialKind};
use crate::signature::extra::Extra;
use crate::signature::{Equations, Kind, Layout, Node, Signature, Site};

/// The condition of a special point on the equations of its signature; `None` if it has none.
pub(super) fn of(
    kind: SpecialKind,
    place: &Place,
    equations: &mut Equations,
    unknowns: &[f64],
) -> Option<Result<Extra, Failure<Lost>>> {
    let n = equations.layout().parameters;
    let columns = || (0..n).collect::<Vec<usize>>();
    let mut singular = |constant: Option<Matrix>| {
        Singular::new(equations, unknowns, columns(), constant).map(|singular| Extra::Singular(Box::new(singular)))
    };
    Some(match (kind, place) {
        (SpecialKind::Fold, _) => singular(None),
        (SpecialKind::PeriodDoubling | SpecialKind::SymmetryBreaking, _) => {
            let mut constant = Matrix::zeros(n, n);
            for (i, j, change) in equations.closing(-1.0) {
                constant[(i, j)] = change;
            }
            let singular = Singular::new(equations, unknowns, columns(), Some(constant));
            singular.map(|singular| Extra::Singular(Box::new(singular)))
        }
        (SpecialKind::Graze, Place::Node(node)) => Ok(match equations.signature().nodes[*node].kind {
            Kind::Minimum { .. } => Extra::Gap(*node),
            _ => Extra::Speed(*node),
        }),
        (SpecialKind::Boundary, Place::Node(node)) => {
            let own = &equations.signature().nodes[*node];
            Ok(match own.kind {
                Kind::Release { .. } => Extra::BoundRate(*node),
                // Touched between events.
                Kind::Turn { .. } if own.before == own.after => Extra::BoundRate(*node),
                // Two events at once.
                _ => Extra::Time(equations.layout().times[*node].0, 0.0),
            })
        }
        (SpecialKind::StickLoss | SpecialKind::ChatterLoss, Place::Node(node)) => {
            Ok(Extra::Time(equations.layout().times[*node].0, 0.0))
        }
        _ => return None,
    })
}

/// The equations of a point of a branch with the free parameters of a curve, and its unknowns with them.
fn with_both<'s>(
    system: &'s System,
    following: &Values,
    start: &Start,
    settings: &Settings,
) -> (Equations<'s>, Vec<f64>) {
    let second = following.free_values().get(1).copied();
    let unknowns = start.unknowns.iter().copied().chain(second).collect();
    let sizes = start.sizes.iter().copied().chain(second.map(|_| 1.0)).collect();
    let accuracy = (settings.tolerance, settings.flow);
    (Equations::new(system, following.clone(), start.signature.clone(), sizes, accuracy), unknowns)
}

/// What a contact touches at a place between events: the bound that is nearest to zero there, relative to its size on the way to it.
pub(super) fn touched(
    (system, following, settings): (&System, &Values, &Settings),
    start: &Start,
    (contact, site): (usize, &Site),
) -> Option<Kind> {
    let (mut equations, unknowns) = with_both(system, following, start, settings);
    let bound = equations.touched(contact, site, &unknowns)?;
    Some(match bound {
        Bound::Force => Kind::Release { contact },
        _ => Kind::Turn { contact, bound },
    })
}

/// A point at which the time after node `k` vanishes, without the event after it, and the equation that holds there; `None` where nothing is to be left out.
pub(super) fn without_second(
    (system, following, settings): (&System, &Values, &Settings),
    start: &Start,
    k: usize,
) -> Option<(Start, Extra)> {
    let states = system.state_names().len();
    let (mut equations, unknowns) = with_both(system, following, start, settings);
    let turns = Turns::new(start, states, equations.turn_lengths(&unknowns));
    let Reduced { start: mut reduced, mut extras, whole, nodes, .. } = limit::reduced(start, &turns, &[k])?;
    let (extra, at) = (extras.pop()?, *nodes.first()?);
    if let Kind::Accumulation { impacts, .. } = &mut reduced.signature.nodes[at].kind {
        let (mut sequence, unknowns) = with_both(system, following, &whole, settings);
        *impacts = limit::impacts(&mut sequence, at, &unknowns)?;
    }
    Some((reduced, extra))
}

/// A signature and its unknowns with a node at a minimum between events: its position, and both.
pub(crate) fn with_minimum(
    signature: &Signature,
    unknowns: &[f64],
    sizes: &[f64],
    states: usize,
    contact: usize,
    site: &Site,
) -> (usize, Signature, Vec<f64>, Vec<f64>) {
    let kind = Kind::Minimum { contact };
    with_node(signature, (unknowns, sizes), states, kind, site)
}

/// A signature and its unknowns with a node in which nothing happens, between others.
pub(crate) fn with_node(
    signature: &Signature,
    (unknowns, sizes): (&[f64], &[f64]),
    states: usize,
    kind: Kind,
    site: &Site,
) -> (usize, Signature, Vec<f64>, Vec<f64>) {
    let Layout { nodes, .. } = signature.layout(states);
    let closed: ClosedSet = signature.nodes[site.node].after;
    let mut wider = signature.clone();
    wider.nodes.insert(site.node + 1, Node { kind, before: closed, after: closed, collisions: Vec::new() });
    let at = nodes[site.node];
    let time = at + states;
    let mut longer = unknowns[..time].to_vec();
    longer.push(site.time);
    longer.extend_from_slice(&site.state);
    longer.push(unknowns[time] - site.time);
    longer.extend_from_slice(&unknowns[time + 1..]);
    let mut more = sizes[..time + 1].to_vec();
    more.extend_from_slice(&sizes[at..time + 1]);
    more.extend_from_slice(&sizes[time + 1..]);
    (site.node + 1, wider, longer, more)
}
