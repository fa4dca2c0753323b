//! Follows equilibria along a parameter as solutions of the [`Equations`] of their mode, and detects the bifurcations on the way.
//!
//! | module | content |
//! |---|---|
//! | `trace` | a branch followed to its ends, and what is detected on it |
//! | `hopf` | test functions of Hopf bifurcations |
//! | [`cycle`] | the small oscillation that begins at a Hopf bifurcation |

mod boundary;
pub mod cycle;
mod hopf;
mod trace;

use saltation_continuation::BranchPoint;
use saltation_model::Values;
use saltation_motion::{ClosedSet, System};
use saltation_numerics::dense::Complex;

use super::search::{Forced, forced};
use super::{Equations, Equilibrium};
use crate::branch::{Ended, SpecialKind};

pub use boundary::Meeting;
pub use cycle::{NoCycle, follow_cycle};
pub use hopf::Hopf;

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The values of the parameter between which the branch is followed.
    pub range: (f64, f64),
    /// The largest last correction of Newton's method, relative to the size of the states and of the range; it is still applied.
    pub tolerance: f64,
    /// The longest step, as a fraction of the range or of the size of the states.
    pub longest_step: f64,
    /// The most points in each direction.
    pub points: usize,
}

impl Settings {
    /// The default between two values of the parameter.
    pub fn between(low: f64, high: f64) -> Settings {
        Settings { range: (low, high), tolerance: 1e-10, longest_step: 0.04, points: 2000 }
    }
}

/// An equilibrium on a branch, possibly not an admissible one (virtual).
#[derive(Debug, Clone, PartialEq)]
pub struct EquilibriumPoint {
    /// The values of all parameters.
    pub parameters: Vec<f64>,
    /// The state.
    pub state: Vec<f64>,
    /// The closed contacts.
    pub closed: ClosedSet,
    /// The force of every closed contact, in order; negative ones are not admissible (virtual).
    pub contact_forces: Vec<f64>,
    /// The gap of every contact of the model; a negative one of an open contact is not admissible (virtual).
    pub gaps: Vec<f64>,
    /// The eigenvalues of the field of the mode, the largest real part first.
    pub eigenvalues: Vec<Complex>,
    /// Whether all real parts are negative, beyond rounding.
    pub stable: bool,
    /// Whether it is an equilibrium of the system, see [`Equilibrium::admissible`].
    pub admissible: bool,
    /// The states other than the phase, then the free parameter.
    pub unknowns: Vec<f64>,
}

impl EquilibriumPoint {
    fn new(parameters: Vec<f64>, unknowns: Vec<f64>, equilibrium: &Equilibrium) -> EquilibriumPoint {
        EquilibriumPoint {
            parameters,
            state: equilibrium.state.clone(),
            closed: equilibrium.closed,
            contact_forces: equilibrium.contact_forces.clone(),
            gaps: equilibrium.gaps.clone(),
            eigenvalues: equilibrium.eigenvalues.clone(),
            stable: equilibrium.stable,
            admissible: equilibrium.admissible,
            unknowns,
        }
    }
}

/// A bifurcation or border (special point): [`SpecialKind::Fold`], [`SpecialKind::Hopf`], [`SpecialKind::BranchPoint`], [`SpecialKind::Boundary`] or, where a
/// branch ends inside its range, [`SpecialKind::End`].
#[derive(Debug, Clone, PartialEq)]
pub struct Special {
    /// What it is.
    pub kind: SpecialKind,
    /// The point.
    pub point: EquilibriumPoint,
    /// Its position among the points of the branch.
    pub index: usize,
    /// The contact whose gap or force is zero, at [`SpecialKind::Boundary`].
    pub contact: Option<usize>,
    /// The oscillation that begins, at [`SpecialKind::Hopf`].
    pub hopf: Option<Hopf>,
    /// How the equilibria of two modes meet, where the contact is a switch.
    pub meeting: Option<Meeting>,
    /// The other curve, at [`SpecialKind::BranchPoint`].
    pub crossing: Option<Box<BranchPoint>>,
    /// The derivative of the unknowns along the curve.
    pub tangent: Vec<f64>,
}

/// A branch of equilibria of one mode.
#[derive(Debug, Clone, PartialEq)]
pub struct EquilibriumBranch {
    /// The free parameter, by its position in the model.
    pub parameter: usize,
    /// The size of every unknown.
    pub sizes: Vec<f64>,
    /// The points in the order of the curve; the first one is that where the parameter went down from the start.
    pub points: Vec<EquilibriumPoint>,
    /// The special points, in the same order.
    pub special: Vec<Special>,
    /// Why the branch ends, before its first and behind its last point.
    pub ended: [Ended; 2],
}

impl EquilibriumBranch {
    /// The value of the free parameter at a point.
    pub fn value(&self, point: &EquilibriumPoint) -> f64 {
        point.parameters[self.parameter]
    }
}

/// Why a branch does not begin.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StartError {
    /// The special point is of another kind.
    #[error("another branch crosses at a branch point; this is a point of the kind {}", .0.name())]
    Kind(SpecialKind),
    /// Not one parameter is free.
    #[error("a branch of equilibria has one free parameter, not {0}")]
    Free(usize),
    /// The range is empty, not finite, or does not contain the equilibrium.
    #[error("the range {low} to {high} does not contain the value of the equilibrium, {value}")]
    OutOfRange {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// The value at the equilibrium.
        value: f64,
    },
    /// The model is forced at some values of the parameter.
    #[error(transparent)]
    Forced(#[from] Forced),
    /// The field has no finite derivatives at the equilibrium, or the surfaces of its closed contacts touch.
    #[error("the equations of the equilibrium have no finite derivatives, or the surfaces of its contacts touch")]
    Undefined,
    /// Newton's method found no solution near the equilibrium.
    #[error("the equations of the equilibrium have no curve of solutions near it: {0}")]
    NoPoint(String),
}

/// Follows the equilibrium as the free parameter of `following` varies, in both directions.
///
/// The values of `following` are those at which the equilibrium was found. Behind a [`SpecialKind::Boundary`] the branch continues
/// as not admissible. `monitor` is asked after every point, with their number so far and the value of the parameter, whether to continue.
///
/// ```
/// use saltation_motion::System;
/// use saltation_orbit::branch::SpecialKind;
/// use saltation_orbit::equilibrium::{self, branch};
/// # let text = saltation_model::gallery::find("relief-valve").unwrap();
/// # let model = saltation_model::Model::parse(text, "relief-valve").unwrap();
/// let system = System::new(&model);
/// let following = model.values(&Default::default())?.along(&["q"])?;
/// let start = &equilibrium::find(&system, &following, &Default::default())?.equilibria[0];
/// let settings = branch::Settings::between(1.0, 10.0);
/// let branch = branch::follow(&system, &following, start, &settings, &mut |_, _| true)?;
/// let hopf = branch.special.iter().find(|special| special.kind == SpecialKind::Hopf).unwrap();
/// assert!((branch.value(&hopf.point) - 8.4911176352).abs() < 1e-10);
/// assert!((hopf.hopf.unwrap().period() - 2.0329269486).abs() < 1e-10);
/// // The oscillation that begins there:
/// let settings = saltation_orbit::branch::Settings::between(7.5, 8.6);
/// let cycles = branch::follow_cycle(&system, &following, hopf, &settings, &mut |_, _| true)?;
/// let graze = cycles.special.iter().find(|special| special.kind == SpecialKind::Graze).unwrap();
/// assert!((cycles.value(&graze.point) - 7.557210972).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the branch does not begin.
pub fn follow(
    system: &System,
    following: &Values,
    equilibrium: &Equilibrium,
    settings: &Settings,
    monitor: &mut dyn FnMut(usize, f64) -> bool,
) -> Result<EquilibriumBranch, StartError> {
    let [value] = following.free_values()[..] else { return Err(StartError::Free(following.free().len())) };
    within(system, following, settings, value)?;
    let equations = Equations::new(system, following, equilibrium).ok_or(StartError::Undefined)?;
    let mut unknowns = equations.unknowns(&equilibrium.state);
    unknowns.push(value);
    let (equations, sizes) = measured(equations, settings);
    trace::branch(equations, &unknowns, (following.free()[0], sizes), settings, monitor)
}

/// Follows the other branch through a branch point, in both directions, the branch point in the middle.
///
/// `special` is a special point of a branch that was followed with the same `following`.
///
/// # Errors
/// If it is no [`SpecialKind::BranchPoint`], or if the other branch is not found.
pub fn follow_crossing(
    system: &System,
    following: &Values,
    special: &Special,
    settings: &Settings,
    monitor: &mut dyn FnMut(usize, f64) -> bool,
) -> Result<EquilibriumBranch, StartError> {
    let crossing = special.crossing.as_ref().ok_or(StartError::Kind(special.kind))?;
    let free = &special.point.unknowns[special.point.unknowns.len() - following.free().len().max(1)..];
    let [value] = free[..] else { return Err(StartError::Free(following.free().len())) };
    within(system, following, settings, value)?;
    let place = (&special.point.state[..], special.point.closed);
    let equations = Equations::near(system, following, place, free).ok_or(StartError::Undefined)?;
    let (equations, sizes) = measured(equations, settings);
    trace::other(equations, crossing, (following.free()[0], sizes), settings, monitor)
}

/// Whether a branch can begin at a value of the parameter.
fn within(system: &System, following: &Values, settings: &Settings, value: f64) -> Result<(), StartError> {
    let (low, high) = settings.range;
    if !(low <= value && value <= high && low < high && (high - low).is_finite()) {
        return Err(StartError::OutOfRange { low, high, value });
    }
    // What depends on the phase at one value of the parameter is forced there, though not where a factor is zero.
    for at in [value, low, high, 0.5 * (low + high)] {
        forced(system, &following.at_free(&[at]))?;
    }
    Ok(())
}

/// The equations with the sizes in which the curve is measured, and the plain ones. Every state has its share in the metric,
/// however many there are.
fn measured<'s>(mut equations: Equations<'s>, settings: &Settings) -> (Equations<'s>, Vec<f64>) {
    let width = settings.range.1 - settings.range.0;
    let share = (equations.dimension().max(1) as f64).sqrt();
    let plain = equations.scale().iter().copied().chain([width]).collect();
    let sizes = equations.scale().iter().map(|size| size * share).chain([width]).collect();
    equations.set_sizes(sizes);
    (equations, plain)
}
