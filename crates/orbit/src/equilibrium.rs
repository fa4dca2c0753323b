//! Equilibria in flight and in contact, and their stability by the eigenvalues of the field of their mode.
//!
//! An equilibrium of the mode m, a set of closed contacts, is a state x with
//!
//! F_m(x) = 0,   g_i(x) = 0 and v_i(x) = 0 for every closed contact i, and g_T,i'(x) = 0 if it sticks by friction.
//!
//! F_m is the field of flight or the sticking field (Nordmark & Piiroinen, Eq. (12)), whose motions from the surface g = v = 0 stay on
//! it. The eigenvalues are those of the derivative of F_m in flight, and along that surface while contacts are closed: there are
//! two fewer for each of them. An equilibrium that slides along surfaces of switches is stable only if these attract.
//!
//! | module | content |
//! |---|---|
//! | `units` | units in which all states are of one size |
//! | `newton` | the Gauss-Newton method for redundant equations |
//! | `discrete` | the values of discrete states at which it looks |
//! | `modes` | the modes in which a search looks |
//! | [`attraction`] | whether trajectories come to the surfaces of sliding |
//! | `reason` | why a search found none |
//! | `vanishing` | whether what is to vanish does so, and at a boundary in all modes |
//! | [`search`] | equilibria near the start and along the motion from there |
//! | [`equations`] | square equations that follow an equilibrium as parameters vary |
//! | [`mod@branch`] | equilibria along a parameter, with their bifurcations |

pub mod attraction;
pub mod branch;
mod discrete;
pub mod equations;
mod modes;
mod newton;
mod reason;
pub mod search;
mod units;
mod vanishing;

use saltation_model::StateKind;
use saltation_motion::{Bound, ClosedSet, Field, LocalField, System};
use saltation_numerics::dense::{Complex, Matrix};

use crate::stability::Basis;
use units::Units;

pub use attraction::Attraction;
pub use equations::Equations;
pub use reason::Reason;
pub use search::{Forced, Missed, Search, Settings, Watch, find, find_watched};

/// Real parts this small, relative to the size of the derivative in balanced units, are zero within rounding.
const EIGENVALUE_ROUNDING: f64 = 1e-13;
/// Rounding leaves an equilibrium uncertain by about so much, times the condition of its equations, relative to the states.
const STATE_ROUNDING: f64 = 16.0 * f64::EPSILON;
/// A ratio of singular values below this belongs to a whole family of equilibria, or to two that coincide: derivatives are exact, and lose some digits only by cancellation.
const SINGULAR_RATIO: f64 = 1e-11;

/// An equilibrium: a state at which all rates are zero and all closed contacts stay closed.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// The state, in the order of [`System::state_names`]; angles in the turn of the start, the phase as at the start.
    pub state: Vec<f64>,
    /// The closed contacts.
    pub closed: ClosedSet,
    /// The force of every closed contact, in order, as [`Motion::contact_force`](saltation_motion::Motion::contact_force) defines it.
    pub contact_forces: Vec<f64>,
    /// The gap of every contact of the model.
    pub gaps: Vec<f64>,
    /// What friction keeps above zero, as [`LocalField::bounds`] has it.
    pub bounds: Vec<(usize, Bound, f64)>,
    /// A over its value without friction, as [`LocalField::regularity`] has it.
    pub regularity: f64,
    /// The eigenvalues of the field of the mode, the largest real part first.
    pub eigenvalues: Vec<Complex>,
    /// Whether it is shown to be stable: all real parts are negative, beyond rounding, so that perturbations in the same mode decay, and the surfaces along which it
    /// slides attract.
    pub stable: bool,
    /// Whether trajectories come to the surfaces along which it slides; attracting if it slides along none.
    pub attraction: Attraction,
    /// Whether it is an equilibrium of the system: no gap of an open contact is negative, no closed contact pulls, friction keeps its laws, and A > 0. (With A < 0
    /// steady slip may obey all laws, but so does flight, and no perturbed motion stays in slip.) What is zero within
    /// rounding is admissible, and listed in [`Equilibrium::boundary`].
    pub admissible: bool,
    /// The contacts whose gap, if open, or whose force, if closed, is zero within rounding: there the equilibrium of this mode meets
    /// one of another.
    pub boundary: Vec<usize>,
    /// Whether there are no other equilibria arbitrarily near, as along a coordinate on which nothing depends.
    pub isolated: bool,
    /// The ends of the family that it belongs to, where a contact or dry friction sticks and these equilibria form a curve: states at which a force is at the edge of its cone.
    pub ends: Vec<Vec<f64>>,
    /// The largest rate, gap or opening speed that is left, relative to the terms that each is made of.
    pub residual: f64,
    /// The steps of Newton's method from its start.
    pub iterations: usize,
}

impl Equilibrium {
    /// Everything about an equilibrium, from the field there.
    fn new(
        field: &LocalField,
        (state, closed, attraction): (Vec<f64>, ClosedSet, Attraction),
        flowing: &[usize],
        units: &Units,
        solution: &newton::Solution,
    ) -> Equilibrium {
        let largest = solution.singular_values.first().copied().unwrap_or(0.0);
        let smallest = solution.singular_values.get(flowing.len().saturating_sub(1)).copied().unwrap_or(0.0);
        let isolated = flowing.is_empty() || smallest > SINGULAR_RATIO * largest;
        let least = solution.singular_values.iter().copied().filter(|&value| value > SINGULAR_RATIO * largest);
        let condition = largest / least.fold(largest, f64::min).max(f64::MIN_POSITIVE);
        // What rounding of the state can do to a quantity with this gradient.
        let doubt = |gradients: &Matrix, row: usize, value: f64| {
            let size: f64 = flowing.iter().zip(&units.of).map(|(&j, unit)| (gradients[(row, j)] * unit).abs()).sum();
            STATE_ROUNDING * (condition.max(1.0) * size + value.abs())
        };
        let (mut admissible, mut boundary) = (true, Vec::new());
        let mut forces = field.forces.iter().enumerate();
        for (contact, &gap) in field.gaps.iter().enumerate() {
            let (value, doubt) = match closed.contains(contact) {
                // There is a force for every closed contact, in their order.
                true => forces.next().map_or((f64::NAN, 0.0), |(k, &f)| (f, doubt(&field.force_gradients, k, f))),
                false => (gap, doubt(&field.gap_gradients, contact, gap)),
            };
            if value.abs() <= doubt {
                boundary.push(contact);
            } else if value.is_nan() || value < 0.0 {
                admissible = false;
            }
        }
        for (row, &(contact, _, value)) in field.bounds.iter().enumerate() {
            if value.abs() <= doubt(&field.bound_gradients, row, value) {
                boundary.push(contact);
            } else if value.is_nan() || value < 0.0 {
                admissible = false;
            }
        }
        // Where slip has no positive A, contact could open as well, or has no finite force.
        let slipping = closed.iter().filter(|&contact| closed.slip(contact).is_some());
        if field.regularity.abs() <= doubt(&field.regularity_gradient, 0, field.regularity) {
            boundary.extend(slipping);
        } else if field.regularity.is_nan() || field.regularity < 0.0 {
            admissible = false;
        }
        boundary.sort_unstable();
        boundary.dedup();
        let eigenvalues = eigenvalues(field, flowing, units);
        let fastest = units.derivative(field, flowing).infinity_norm();
        let decays = eigenvalues.iter().all(|z| z.re < -EIGENVALUE_ROUNDING * fastest);
        Equilibrium {
            state,
            closed,
            contact_forces: field.forces.clone(),
            gaps: field.gaps.clone(),
            bounds: field.bounds.clone(),
            regularity: field.regularity,
            eigenvalues,
            stable: decays && attraction == Attraction::Attracting,
            attraction,
            admissible,
            boundary,
            isolated,
            ends: Vec::new(),
            residual: solution.residual,
            iterations: solution.iterations,
        }
    }
}

/// What friction keeps above zero, and last A over its value without friction.
fn friction(field: &LocalField) -> Vec<f64> {
    field.bounds.iter().map(|bound| bound.2).chain([field.regularity]).collect()
}

/// The eigenvalues of a field at one of its equilibria, along the surfaces of the closed contacts; the largest real part first,
/// and of a pair the positive imaginary part.
fn eigenvalues(field: &LocalField, flowing: &[usize], units: &Units) -> Vec<Complex> {
    let derivative = units.derivative(field, flowing);
    let basis = tangent(field, flowing, units);
    let along = derivative.product(&basis.0).and_then(|moved| basis.0.transpose().product(&moved));
    // The derivative is finite, and its eigenvalues are found: else there are none to report.
    let mut eigenvalues = along.and_then(|along| along.eigenvalues()).unwrap_or_default();
    eigenvalues.sort_by(|a, b| b.re.total_cmp(&a.re).then(b.im.total_cmp(&a.im)));
    eigenvalues
}

/// The directions along the surfaces g = v = 0 of the closed contacts, and along g_T' = 0 of those that stick, orthonormal in the units.
fn tangent(field: &LocalField, flowing: &[usize], units: &Units) -> Basis {
    let row = |gradients: &Matrix, row: usize| {
        flowing.iter().zip(&units.of).map(|(&j, unit)| gradients[(row, j)] * unit).collect::<Vec<f64>>()
    };
    let rows: Vec<Vec<f64>> = (0..field.held.len()).map(|held| row(&field.held_gradients, held)).collect();
    Basis::across(&rows, flowing.len())
}

/// The states that flow: all but the phase and discrete states.
fn flowing(system: &System) -> Vec<usize> {
    let states = &system.model().states;
    (0..states.len())
        .filter(|&i| !matches!(states[i].kind, StateKind::Phase | StateKind::Time | StateKind::Discrete))
        .collect()
}

/// The field of a mode with the derivatives by the states alone.
fn field_of<'s>(system: &'s System, parameters: &[f64], closed: ClosedSet) -> Field<'s> {
    Field::new(system, parameters, &[], closed)
}
