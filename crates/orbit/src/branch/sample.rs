//! What is there to know about one point of a branch? Its orbit, and the values of all test functions.

use saltation_continuation::Point;
use saltation_model::{Direction, Values};
use saltation_motion::System;
use saltation_motion::extension::Lost;
use saltation_numerics::dense::{Complex, Elimination, Matrix};
use saltation_numerics::polynomial::Workspace;

use super::{BranchPoint, Origin};
use crate::signature::{Equations, Inspection, Kind, Watched};

/// Moduli this close to 1 are not told from it.
const ON_CIRCLE: f64 = 1e-9;

/// A number by its sign and the logarithm of its modulus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Signed {
    pub sign: f64,
    pub logarithm: f64,
}

/// The values of the test functions at a point: each changes its sign at a special point of its kind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tests {
    /// The part of the tangent along the parameter.
    pub fold: f64,
    /// det [J; t'].
    pub branching: Signed,
    /// The determinant of the equations of neighbours that come back with the opposite sign.
    pub doubling: Signed,
    /// The product of 1 - mu_i mu_j over all pairs of multipliers; not where they do not exist.
    pub torus: Option<f64>,
}

/// A point with everything about it.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub curve: Point,
    /// The tangent without the part of waypoints.
    pub tangent: Vec<f64>,
    pub point: BranchPoint,
    pub inspection: Inspection,
    pub tests: Tests,
}

/// Memory for samples.
#[derive(Debug, Default)]
pub(crate) struct Room {
    pub workspace: Workspace,
    pub elimination: Elimination,
}

/// The sign and logarithm of det J(-1), see [`Equations::closing`].
pub(crate) fn doubling(equations: &Equations, jacobian: &Matrix, elimination: &mut Elimination) -> Signed {
    let matrix = coupled(equations, jacobian, -1.0);
    match elimination.factor(&matrix) {
        Ok(()) => {
            let (sign, logarithm) = elimination.log_determinant();
            Signed { sign, logarithm }
        }
        Err(_) => Signed { sign: 0.0, logarithm: f64::NEG_INFINITY },
    }
}

/// The equations of neighbours that come back multiplied by sigma, at fixed parameters, in units of the sizes of the unknowns.
pub(crate) fn coupled(equations: &Equations, jacobian: &Matrix, sigma: f64) -> Matrix {
    let n = equations.layout().parameters;
    let sizes = equations.sizes();
    let mut matrix = Matrix::from_fn(n, n, |i, j| jacobian[(i, j)] * sizes[j]);
    for (i, j, change) in equations.closing(sigma) {
        matrix[(i, j)] += change * sizes[j];
    }
    matrix
}

/// The product of 1 - mu_i mu_j over all pairs, the trivial multiplier left out: zero where two are on the unit circle.
pub(crate) fn torus(multipliers: &[Complex], autonomous: bool) -> Option<f64> {
    let free = nontrivial(multipliers, autonomous);
    let mut product = Complex::new(1.0, 0.0);
    for (i, a) in free.iter().enumerate() {
        for b in &free[i + 1..] {
            let pair = Complex::new(1.0 - (a.re * b.re - a.im * b.im), -(a.re * b.im + a.im * b.re));
            product =
                Complex::new(product.re * pair.re - product.im * pair.im, product.re * pair.im + product.im * pair.re);
        }
    }
    (free.len() > 1 && product.re.is_finite()).then_some(product.re)
}

/// The multipliers without the trivial one of an autonomous model.
pub(crate) fn nontrivial(multipliers: &[Complex], autonomous: bool) -> Vec<Complex> {
    let trivial = if autonomous { multipliers.iter().position(|m| *m == Complex::new(1.0, 0.0)) } else { None };
    multipliers.iter().enumerate().filter(|(i, _)| Some(*i) != trivial).map(|(_, m)| *m).collect()
}

/// Whether a curve has come back to its first point on its last step.
pub(crate) fn closes(first: &Point, last: &Point, now: &Point, sizes: &[f64]) -> bool {
    let distance = |a: &Point, b: &Point| {
        let parts = a.unknowns.iter().zip(&b.unknowns).zip(sizes);
        parts.map(|((x, y), s)| ((x - y) / s).powi(2)).sum::<f64>().sqrt()
    };
    let step = distance(last, now);
    let along: f64 = first.tangent.iter().zip(&now.tangent).zip(sizes).map(|((a, b), s)| a / s * (b / s)).sum();
    let gone = (now.arclength - first.arclength).abs();
    gone > 3.0 * step && distance(last, first) + distance(now, first) <= 1.05 * step && along > 0.8
}

impl Sample {
    /// Everything about a point of the curve, which `seen` is in the unknowns of the signature.
    ///
    /// # Errors
    /// If a piece of the motion has no end.
    pub fn new(
        equations: &mut Equations,
        values: &Values,
        (curve, seen): (Point, &Point),
        origin: &mut Origin,
        room: &mut Room,
    ) -> Result<Sample, Lost> {
        let system = equations.system();
        let autonomous = system.model().phase.is_none();
        let watched = watched(system, values, origin);
        let inspection = equations.inspect(&seen.unknowns, watched, &mut room.workspace)?;
        let half = equations.multipliers(&seen.jacobian).unwrap_or_default();
        let torus = torus(&half, autonomous);
        let multipliers: Vec<Complex> = match equations.signature().mirror {
            Some(_) => half.iter().map(|m| Complex::new(m.re * m.re - m.im * m.im, 2.0 * m.re * m.im)).collect(),
            None => half,
        };
        let free = nontrivial(&multipliers, autonomous);
        let stable = !multipliers.is_empty() && free.iter().all(|m| m.modulus() < 1.0 - ON_CIRCLE);
        let tests = Tests {
            fold: curve.tangent.last().copied().unwrap_or(0.0),
            branching: Signed { sign: curve.orientation, logarithm: curve.log_determinant },
            doubling: doubling(equations, &seen.jacobian, &mut room.elimination),
            torus,
        };
        let speeds: Vec<f64> = inspection.speeds.iter().map(|s| s.2).collect();
        let impact_speeds = match equations.signature().mirror {
            Some(_) => speeds.iter().chain(&speeds).copied().collect(),
            None => speeds,
        };
        let period = equations.period(&seen.unknowns)?;
        let state = told(equations, values, &seen.unknowns, &inspection, origin);
        let point = BranchPoint {
            parameters: equations.parameters(&seen.unknowns).to_vec(),
            period,
            state,
            impact_speeds,
            multipliers,
            stable,
            admissible: inspection.admissible,
            gaps: inspection.gaps.iter().map(|low| low.as_ref().map(|low| low.value)).collect(),
            unknowns: equations.without_waypoints(&seen.unknowns),
        };
        let tangent = equations.without_waypoints(&seen.tangent);
        Ok(Sample { curve, tangent, point, inspection, tests })
    }
}

/// The section on which states are told, if it has a formula.
pub(crate) fn watched(system: &System, values: &Values, origin: &Origin) -> Option<Watched> {
    let declared = &system.model().sections;
    match declared.get(origin.section) {
        None => Some(Watched {
            section: origin.section,
            offset: origin.phase,
            period: values.phase_period,
            direction: Direction::Any,
        }),
        Some(section) => matches!(section.kind, saltation_model::SectionKind::Formula { .. }).then(|| Watched {
            section: origin.section,
            offset: 0.0,
            period: values.section_periods[origin.section],
            direction: section.direction,
        }),
    }
}

/// The state that stands for a point: where the orbit passes the section it was found on, else at its first event.
pub(crate) fn told(
    equations: &Equations,
    values: &Values,
    unknowns: &[f64],
    inspection: &Inspection,
    origin: &mut Origin,
) -> Vec<f64> {
    let system = equations.system();
    let states = equations.layout().states;
    let nodes = &equations.layout().nodes;
    let contact = system.model().sections.get(origin.section).and_then(|section| match section.kind {
        saltation_model::SectionKind::Contact(contact) => Some(contact),
        _ => None,
    });
    let mut state = match (contact, inspection.passages.as_slice()) {
        (Some(contact), _) => {
            let own = |kind: &Kind| matches!(kind, Kind::Impact { contact: c } | Kind::Chatter { contact: c } if *c == contact);
            let node = equations.signature().nodes.iter().position(|node| own(&node.kind)).unwrap_or(0);
            unknowns[nodes[node]..nodes[node] + states].to_vec()
        }
        (None, []) => unknowns[..states].to_vec(),
        (None, passages) => {
            // The passage that continues the one told before.
            let near = |state: &[f64]| -> f64 {
                let parts = state.iter().zip(&values.start).zip(&values.angle_periods);
                parts
                    .map(|((x, y), period)| {
                        let d = x - y;
                        let d = period.map_or(d, |p| d - p * (d / p).round());
                        d * d
                    })
                    .sum()
            };
            let first = || {
                (0..passages.len())
                    .min_by(|&a, &b| near(&passages[a].state).total_cmp(&near(&passages[b].state)))
                    .unwrap_or(0)
            };
            let index = *origin.passage.get_or_insert_with(first);
            passages[index % passages.len()].state.clone()
        }
    };
    if let (Some(phase), Some(period)) = (&system.model().phase, values.phase_period) {
        let x = &mut state[phase.state];
        if contact.is_none() && !inspection.passages.is_empty() && origin.section >= system.model().sections.len() {
            *x = origin.phase;
        } else {
            *x -= period * (*x / period).floor();
        }
    }
    state
}
