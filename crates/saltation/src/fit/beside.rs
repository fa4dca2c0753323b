//! Samples beside events at which what they measure jumps: as long as it is not known on which side of the event they lie, they are not compared.
//!
//! The sum of squares would jump where an event passes a sample, and have its least value beside a jump instead of where its derivatives vanish. How well the time of an
//! event is known follows from its derivatives and the covariance of what is fitted.

use crate::drawing::quantity::Quantity;
use crate::drawing::slopes::Subject;
use crate::fit::measured::{GATE, Measured};
use crate::fit::observed::{Jump, Observed};
use saltation_expr::Node;
use saltation_model::{Model, StateKind};
use saltation_motion::EventKind;
use saltation_numerics::dense::Matrix;

/// The samples of every column that are not compared.
pub(crate) type Beside = Vec<Vec<bool>>;

/// At which events a quantity may jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Jumps {
    /// Where the model lets the state jump.
    Resets,
    /// There, and at impacts.
    Impacts,
    /// Wherever the mode changes.
    Modes,
}

/// What a formula jumps at.
fn of_formula(model: &Model, graph: &saltation_expr::Graph, node: Node) -> Jumps {
    let symbols = graph.symbols_of(node);
    let moves =
        |kind: StateKind| model.states.iter().any(|state| state.kind == kind && symbols.contains(&state.symbol));
    // Signs in it may jump wherever something happens.
    match () {
        () if !graph.sides_in(node).is_empty() => Jumps::Modes,
        () if moves(StateKind::Velocity) => Jumps::Impacts,
        () => Jumps::Resets,
    }
}

fn jumps_of(model: &Model, measured: &Measured, subject: Subject) -> Jumps {
    match subject {
        Subject::Formula(node) => of_formula(model, &measured.graph, node),
        Subject::Quantity(quantity) => match quantity {
            Quantity::State(state) => match model.states[state].kind {
                StateKind::Velocity => Jumps::Impacts,
                _ => Jumps::Resets,
            },
            Quantity::Gap(_) => Jumps::Resets,
            Quantity::Energy => Jumps::Impacts,
            Quantity::Force(_) | Quantity::Reaction(_) | Quantity::Multiplier(_) | Quantity::Rate(_) => Jumps::Modes,
        },
    }
}

/// At which quantities jump when this happens; nothing where none does.
fn at(kind: EventKind) -> Option<Jumps> {
    match kind {
        EventKind::Graze | EventKind::Section => None,
        EventKind::Reset => Some(Jumps::Resets),
        EventKind::Impact | EventKind::Chatter | EventKind::ImpactWithoutCollision => Some(Jumps::Impacts),
        _ => Some(Jumps::Modes),
    }
}

/// The samples beside events, where what is fitted has a covariance.
pub(crate) fn beside(model: &Model, measured: &Measured, observed: &Observed, covariance: &Matrix) -> Beside {
    let n = covariance.rows();
    let spread = |slopes: &[f64]| {
        let sum: f64 = (0..n)
            .flat_map(|i| (0..n).map(move |j| (i, j)))
            .map(|(i, j)| slopes[i] * covariance[(i, j)] * slopes[j])
            .sum();
        sum.max(0.0).sqrt()
    };
    let interval = |jump: &Jump| {
        let width = GATE * spread(&jump.slopes);
        width.is_finite().then_some((jump.time - width, jump.end + width))
    };
    let known: Vec<(Jumps, (f64, f64))> =
        observed.jumps.iter().filter_map(|jump| at(jump.kind).zip(interval(jump))).collect();
    let of = |samples: &crate::fit::measured::Samples| {
        let jumps = jumps_of(model, measured, samples.subject);
        let mut beside = vec![false; samples.rows.len()];
        for &(_, (low, high)) in known.iter().filter(|(at, _)| *at <= jumps) {
            let first = samples.rows.partition_point(|&row| measured.times[row] < low);
            let end = samples.rows.partition_point(|&row| measured.times[row] <= high);
            beside[first..end].fill(true);
        }
        beside
    };
    measured.samples.iter().map(of).collect()
}
