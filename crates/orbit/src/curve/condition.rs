//! Which equation holds along a curve of special orbits?

use saltation_continuation::Singular;
use saltation_continuation::augmented::Failure;
use saltation_motion::ClosedSet;
use saltation_motion::extension::Lost;
use saltation_numerics::dense::Matrix;

use crate::branch::{Place, SpecialKind};
use crate::signature::extra::Extra;
use crate::signature::{Equations, Kind, Layout, Node, Signature, Site};

/// The duration at which the loss of a stick after chattering is followed, as a fraction of the period: at zero itself the end of
/// the chattering cannot be computed.
const SHORT: f64 = 1e-4;

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
        (SpecialKind::Boundary, Place::Node(node)) => Ok(match equations.signature().nodes[*node].kind {
            Kind::Release { .. } => Extra::BoundRate(*node),
            // Two events at once.
            _ => Extra::Time(equations.layout().times[*node].0, 0.0),
        }),
        (SpecialKind::StickLoss | SpecialKind::ChatterLoss, Place::Node(node)) => {
            let time = equations.layout().times[*node].0;
            let least = match equations.signature().nodes[*node].kind {
                Kind::Chatter { .. } => SHORT * equations.sizes()[time],
                _ => 0.0,
            };
            Ok(Extra::Time(time, least))
        }
        _ => return None,
    })
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
