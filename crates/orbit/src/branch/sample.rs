//! Evaluates a point of a branch: its orbit, and the values of all test functions.

use saltation_continuation::Point;
use saltation_model::{Direction, SectionKind, SymmetryMap};
use saltation_motion::extension::Lost;
use saltation_numerics::blocks::{BlockMatrix, Condensation};
use saltation_numerics::dense;
use saltation_numerics::dense::Complex;
use saltation_numerics::elementary;
use saltation_numerics::polynomial::Workspace;

use super::{BranchPoint, Origin};
use crate::signature::{Circle, Equations, Inspection, Kind, MonitoredSection};

/// Moduli this close to 1 lie on the unit circle: points of a branch are known to about this.
const UNIT_CIRCLE: f64 = 1e-9;

/// Multipliers this near to 1 or -1 have that value at a point that was located: a double multiplier is known to half of its digits.
pub(crate) const UNIT_MULTIPLIER: f64 = 1e-4;

/// A state this small, relative to its size, is zero: orbits are not known any better.
const ZERO_STATE: f64 = f64::EPSILON;

/// A number by its sign and the logarithm of its modulus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Signed {
    pub sign: f64,
    pub logarithm: f64,
}

impl Signed {
    /// The number over the modulus with this logarithm; none if it is too large.
    pub(crate) fn relative(&self, reference: f64) -> Option<f64> {
        let size = elementary::exp(self.logarithm - reference);
        if self.sign == 0.0 { Some(0.0) } else { size.is_finite().then_some(self.sign * size) }
    }

    /// The number over another one that is not zero.
    pub(crate) fn over(&self, other: &Signed) -> Option<f64> {
        if other.sign == 0.0 { None } else { self.relative(other.logarithm).map(|size| other.sign * size) }
    }
}

/// The values of the test functions at a point: each changes its sign at a bifurcation of its kind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tests {
    /// The part of the tangent along the parameter.
    pub fold: f64,
    /// det [J; t'].
    pub branching: Signed,
    /// The determinant of the equations of perturbations that return with the opposite sign.
    pub doubling: Signed,
    /// The product of 1 - mu_i mu_j over all pairs of multipliers; not where they do not exist.
    pub torus: Option<f64>,
    /// The speed with which an orbit without events crosses the plane it begins on.
    pub crossing: Option<f64>,
}

/// A point of the curve with its orbit, its inspection and the values of its test functions.
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
pub(crate) struct Scratch {
    pub workspace: Workspace,
    pub condensation: Condensation,
}

/// The determinant of a matrix.
pub(crate) fn determinant(matrix: &BlockMatrix, condensation: &mut Condensation) -> Signed {
    match condensation.factor(matrix) {
        Ok(()) => {
            let (sign, logarithm) = condensation.log_determinant();
            Signed { sign, logarithm }
        }
        Err(_) => Signed { sign: 0.0, logarithm: f64::NEG_INFINITY },
    }
}

/// The sign and logarithm of det J(-1), see [`Equations::closing`].
pub(crate) fn doubling(equations: &Equations, jacobian: &BlockMatrix, condensation: &mut Condensation) -> Signed {
    determinant(&coupled(equations, jacobian, -1.0), condensation)
}

/// The equations of perturbations that return multiplied by sigma, at fixed parameters, in units of the sizes of the unknowns.
pub(crate) fn coupled(equations: &Equations, jacobian: &BlockMatrix, sigma: f64) -> BlockMatrix {
    let columns: Vec<usize> = (0..equations.layout().parameters).collect();
    let mut matrix = BlockMatrix::zeros(equations.pattern().select(&columns));
    matrix.take_columns(jacobian, &columns);
    equations.closing(sigma).for_each(|(i, j, change)| matrix[(i, j)] += change);
    matrix.scale_columns(&equations.sizes()[..columns.len()]);
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

/// Where a curve returns to its first point on its last step, if it does: its arclength there.
pub(crate) fn closing(first: &Point, last: &Point, now: &Point, sizes: &[f64], circles: &[Circle]) -> Option<f64> {
    let mut periods = vec![0.0; sizes.len()];
    circles.iter().for_each(|circle| periods[circle.unknown] = circle.period);
    let distance = |a: &Point, b: &Point| {
        let part = |i: usize| {
            let d = a.unknowns[i] - b.unknowns[i];
            let d = if periods[i] > 0.0 { d - periods[i] * (d / periods[i]).round() } else { d };
            (d / sizes[i]).powi(2)
        };
        (0..sizes.len()).map(part).sum::<f64>().sqrt()
    };
    let step = distance(last, now);
    let along: f64 = first.tangent.iter().zip(&now.tangent).zip(sizes).map(|((a, b), s)| a / s * (b / s)).sum();
    let followed = (now.arclength - first.arclength).abs();
    let (before, after) = (distance(last, first), distance(now, first));
    let returns = followed > 3.0 * step && before + after <= 1.05 * step && along > 0.8;
    returns.then(|| last.arclength + before / (before + after) * (now.arclength - last.arclength))
}

impl Sample {
    /// Evaluates a point of the curve, which `seen` is in the unknowns of the signature.
    ///
    /// # Errors
    /// If a piece of the trajectory has no end.
    pub(crate) fn new(
        equations: &mut Equations,
        curve: Point,
        seen: &Point,
        origin: &Origin,
        scratch: &mut Scratch,
    ) -> Result<Sample, Lost> {
        let system = equations.system();
        let autonomous = system.model().phase.is_none();
        let section = monitored_section(equations, &seen.unknowns, origin);
        let inspection = equations.inspect(&seen.unknowns, section, &mut scratch.workspace)?;
        let half = equations.multipliers(&seen.jacobian).unwrap_or_default();
        let torus = torus(&half, autonomous);
        let multipliers: Vec<Complex> = match equations.signature().mirror {
            Some(_) => half.iter().map(|m| Complex::new(m.re * m.re - m.im * m.im, 2.0 * m.re * m.im)).collect(),
            None => half,
        };
        let free = nontrivial(&multipliers, autonomous);
        let stable = !multipliers.is_empty() && free.iter().all(|m| dense::modulus(m) < 1.0 - UNIT_CIRCLE);
        let tests = Tests {
            fold: curve.tangent.last().copied().unwrap_or(0.0),
            branching: Signed { sign: curve.orientation, logarithm: curve.log_determinant },
            doubling: doubling(equations, &seen.jacobian, &mut scratch.condensation),
            torus,
            crossing: equations.crossing_speed(&seen.unknowns),
        };
        let speeds: Vec<f64> = inspection.speeds.iter().map(|impact| impact.speed).collect();
        let impact_speeds = match equations.signature().mirror {
            Some(_) => speeds.iter().chain(&speeds).copied().collect(),
            None => speeds,
        };
        let period = equations.period(&seen.unknowns)?;
        let state = reported_state(equations, &seen.unknowns, &inspection, origin);
        let point = BranchPoint {
            parameters: equations.parameters(&seen.unknowns).to_vec(),
            period,
            state,
            drift: equations.drift(&seen.unknowns)?,
            impact_speeds,
            multipliers,
            stable,
            admissible: inspection.admissible,
            gaps: lowest(&inspection, equations.signature().mirror.as_ref()),
            unknowns: equations.without_waypoints(&seen.unknowns),
        };
        let tangent = equations.without_waypoints(&seen.tangent);
        Ok(Sample { curve, tangent, point, inspection, tests })
    }
}

/// The lowest minimum of every gap; over half an orbit each contact has its own and that of its mirror image.
pub(super) fn lowest(inspection: &Inspection, mirror: Option<&SymmetryMap>) -> Vec<Option<f64>> {
    let own = |contact: usize| inspection.gaps[contact].as_ref().map(|low| low.value);
    let both = |contact: usize| match mirror {
        Some(mirror) => own(contact).into_iter().chain(own(mirror.contacts[contact])).reduce(f64::min),
        None => own(contact),
    };
    (0..inspection.gaps.len()).map(both).collect()
}

/// The section on which states are reported, if it has a formula.
pub(crate) fn monitored_section(
    equations: &mut Equations,
    unknowns: &[f64],
    origin: &Origin,
) -> Option<MonitoredSection> {
    let model = equations.system().model();
    let section = origin.section;
    match model.sections.get(section) {
        None => {
            let phase = model.phase.as_ref()?.state;
            let period = Some(equations.state_periods(unknowns)[phase]);
            Some(MonitoredSection { section, offset: origin.phase, period, direction: Direction::Any })
        }
        Some(known) => {
            equations.parameters(unknowns);
            let period = equations.section_period(section);
            let direction = known.direction;
            let by_formula = matches!(known.kind, SectionKind::Formula { .. });
            by_formula.then_some(MonitoredSection { section, offset: 0.0, period, direction })
        }
    }
}

/// The state that stands for a point: where the orbit passes the section it was found on, next to where it was reported last;
/// else at its first event.
pub(crate) fn reported_state(
    equations: &mut Equations,
    unknowns: &[f64],
    inspection: &Inspection,
    origin: &Origin,
) -> Vec<f64> {
    let model = equations.system().model();
    let states = equations.layout().states;
    let periods = equations.state_periods(unknowns);
    let contact = model.sections.get(origin.section).and_then(|section| match section.kind {
        SectionKind::Contact(contact) => Some(contact),
        _ => None,
    });
    let node_state = |equations: &Equations, node: usize| {
        let at = equations.layout().nodes[node];
        unknowns[at..at + states].to_vec()
    };
    let mut found: Vec<Vec<f64>> = match contact {
        Some(contact) => {
            let own = |kind: &Kind| matches!(kind, Kind::Impact { contact: c } | Kind::Chatter { contact: c } if *c == contact);
            let nodes = &equations.signature().nodes;
            (0..nodes.len()).filter(|&k| own(&nodes[k].kind)).map(|k| node_state(equations, k)).collect()
        }
        None => inspection.passages.iter().map(|site| site.state.clone()).collect(),
    };
    let known = origin.section < equations.system().section_names().count();
    if found.is_empty() && contact.is_none() && known && inspection.admissible {
        found.extend(equations.passage_by_motion(unknowns, origin.section, origin.phase));
    }
    let off = |i: usize, x: f64| {
        let d = x - origin.last.get(i).copied().unwrap_or(x);
        if periods[i] > 0.0 { d - periods[i] * (d / periods[i]).round() } else { d }
    };
    let sizes = equations.sizes();
    let far = |state: &Vec<f64>| -> f64 { (0..states).map(|i| (off(i, state[i]) / sizes[i]).powi(2)).sum() };
    let nearest = found.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
    let on_phase = nearest.is_some() && contact.is_none() && origin.section >= model.sections.len();
    let mut state = nearest.cloned().unwrap_or_else(|| node_state(equations, 0));
    let phase = model.phase.as_ref().map(|phase| phase.state);
    for i in 0..states {
        if periods[i] <= 0.0 {
            // A state that is zero up to rounding may lie inside an obstacle.
            if state[i].abs() < ZERO_STATE * sizes[i] {
                state[i] = 0.0;
            }
            continue;
        }
        if phase == Some(i) {
            state[i] = if on_phase { origin.phase } else { state[i].rem_euclid(periods[i]) };
        } else {
            // An angle is reported near where it was reported last.
            state[i] = origin.last.get(i).map_or(state[i], |last| last + off(i, state[i]));
        }
    }
    state
}
