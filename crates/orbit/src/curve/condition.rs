//! Chooses the defining condition that holds along a curve of bifurcations.

use saltation_continuation::Singular;
use saltation_continuation::augmented::Failure;
use saltation_model::Values;
use saltation_motion::Bound;
use saltation_motion::System;
use saltation_motion::extension::Lost;

use super::Settings;
use crate::branch::coalescence::{self, Reduced, Turns};
use crate::branch::tracer::Start;
use crate::branch::{Place, SpecialKind};
use crate::signature::defining::Defining;
use crate::signature::{Equations, Kind, Site};

/// The defining condition of a bifurcation on the equations of its signature; `None` if it has none.
pub(super) fn of(
    kind: SpecialKind,
    place: &Place,
    equations: &mut Equations,
    unknowns: &[f64],
) -> Option<Result<Defining, Failure<Lost>>> {
    let n = equations.layout().parameters;
    let singular = |equations: &mut Equations, changes: Vec<(usize, usize, f64)>| {
        let singular = Singular::new(equations, unknowns, (0..n).collect(), changes);
        singular.map(|singular| Defining::Singular(Box::new(singular)))
    };
    Some(match (kind, place) {
        (SpecialKind::Fold, _) => singular(equations, Vec::new()),
        (SpecialKind::PeriodDoubling | SpecialKind::SymmetryBreaking, _) => {
            let changes = equations.closing(-1.0).collect();
            singular(equations, changes)
        }
        (SpecialKind::Graze, Place::Node(node)) => Ok(match equations.signature().nodes[*node].kind {
            Kind::Minimum { .. } => Defining::Gap(*node),
            _ => Defining::Speed(*node),
        }),
        (SpecialKind::Boundary, Place::Node(node)) => {
            let own = &equations.signature().nodes[*node];
            Ok(match own.kind {
                Kind::Release { .. } => Defining::BoundRate(*node),
                // Touched between events.
                Kind::Turn { .. } if own.before == own.after => Defining::BoundRate(*node),
                // Two events at once.
                _ => Defining::Time(equations.layout().time(*node), 0.0),
            })
        }
        (SpecialKind::StickLoss | SpecialKind::ChatterLoss, Place::Node(node)) => {
            Ok(Defining::Time(equations.layout().time(*node), 0.0))
        }
        _ => return None,
    })
}

/// The system, parameters and settings of a curve.
#[derive(Clone, Copy)]
pub(super) struct Context<'s> {
    pub system: &'s System,
    pub following: &'s Values,
    pub settings: &'s Settings,
}

/// The equations of a point of a branch with the free parameters of a curve, and its unknowns with them.
fn with_both<'s>(context: Context<'s>, start: &Start) -> (Equations<'s>, Vec<f64>) {
    let Context { system, following, settings } = context;
    let second = following.free_values().get(1).copied();
    let unknowns = start.unknowns.iter().copied().chain(second).collect();
    let sizes = start.sizes.iter().copied().chain(second.map(|_| 1.0)).collect();
    let accuracy = (settings.tolerance, settings.flow);
    (Equations::new(system, following.clone(), start.signature.clone(), sizes, accuracy), unknowns)
}

/// What a contact touches at a place between events: the bound that is nearest to zero there, relative to the size of its terms.
pub(super) fn touched(context: Context, start: &Start, contact: usize, site: &Site) -> Option<Kind> {
    let (mut equations, unknowns) = with_both(context, start);
    let bound = equations.touched(contact, site, &unknowns)?;
    Some(match bound {
        Bound::Force => Kind::Release { contact },
        _ => Kind::Turn { contact, bound },
    })
}

/// A point at which the time after node `k` vanishes, without the event after it, and the equation that holds there; `None` where nothing is to be left out.
pub(super) fn without_second(context: Context, start: &Start, k: usize) -> Option<(Start, Defining)> {
    let states = context.system.state_names().len();
    let (mut equations, unknowns) = with_both(context, start);
    let turns = Turns::new(start, states, equations.turn_lengths(&unknowns));
    let Reduced { start: mut reduced, mut conditions, whole, nodes, .. } = coalescence::reduced(start, &turns, &[k])?;
    let (extra, at) = (conditions.pop()?, *nodes.first()?);
    if let Kind::Accumulation { impacts, .. } = &mut reduced.signature.nodes[at].kind {
        let (mut sequence, unknowns) = with_both(context, &whole);
        *impacts = coalescence::impacts(&mut sequence, at, &unknowns)?;
    }
    Some((reduced, extra))
}
