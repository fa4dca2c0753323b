//! How the state and the period of a periodic orbit change with parameters: the implicit function theorem for the fixed point of the return map.
//!
//! Where x = P(x, p), the change of x with p is (I - dP/dx)⁻¹ dP/dp; both derivatives are carried along the orbit through all its events. The period is the time of
//! the return, T(x, p), and changes by dT/dx dx + dT/dp.

use saltation_model::Values;
use saltation_motion::{Perturbation, System};
use saltation_numerics::dense::Matrix;

use crate::orbit::{Orbit, UNIT_CIRCLE};
use crate::return_map::{Point, ReturnMap, follow_smoothly};
use crate::shooting::Settings;

/// The change of an orbit with a parameter, and all that follows from it by formulas.
#[derive(Debug, Clone, PartialEq)]
pub struct Dependence {
    /// That of every state on the section. States that drift stay where they are.
    pub state: Vec<f64>,
    /// That of the period.
    pub period: f64,
}

/// The derivatives of an orbit by some parameters, at `values`; nothing where there are none: behind a graze, and where a multiplier is 1.
///
/// ```
/// use saltation_motion::System;
/// use saltation_orbit::{Settings, dependence, find};
/// # let text = saltation_model::gallery::find("two-wall-oscillator").unwrap();
/// # let model = saltation_model::Model::parse(text, "two-wall-oscillator").unwrap();
/// let system = System::new(&model);
/// let values = model.values(&Default::default()).unwrap();
/// let settings = Settings::through(system.default_section().unwrap());
/// let orbit = find(&system, &values, &settings, &mut |_| true).orbit.unwrap();
/// let frequency = model.parameter("nu").unwrap();
/// let changed = &dependence(&system, &values, &settings, &orbit, &[frequency]).unwrap()[0];
/// // The period is that of the forcing, 2 pi/nu.
/// let expected = -orbit.period / values.parameters()[frequency];
/// assert!((changed.period - expected).abs() < 1e-9);
/// ```
pub fn dependence(
    system: &System,
    values: &Values,
    settings: &Settings,
    orbit: &Orbit,
    parameters: &[usize],
) -> Option<Vec<Dependence>> {
    let map = ReturnMap::new(system, values, settings.section, settings.tolerance);
    let drifting: Vec<usize> = orbit.drift.iter().map(|(state, _)| *state).collect();
    let mut map = map.with_flow(settings.flow).with_policy(settings.policy).up_to_drift(&drifting);
    let unit = map.directions();
    let of_parameter = |&parameter: &usize| {
        let Perturbation { mut state, parameters } = Perturbation::following(values, parameter);
        state.fill(0.0);
        Perturbation { state, parameters }
    };
    let directions: Vec<Perturbation> = unit.iter().cloned().chain(parameters.iter().map(of_parameter)).collect();
    let point = Point { state: orbit.state.clone(), closed: orbit.closed };
    let mut motion = map.motion(&point, orbit.returns, &directions).ok()?.without_path();
    follow_smoothly(&mut motion, orbit.returns, &mut || true, |_| {}).ok()?;
    let changed = motion.return_derivatives(map.section());
    if !changed.is_finite() {
        return None;
    }
    let (n, coordinates) = (unit.len(), map.coordinates().to_vec());
    let entry = |i: usize, j: usize| changed.state(j)[coordinates[i]];
    let matrix = Matrix::from_fn(n, n, |i, j| f64::from(i == j) - entry(i, j));
    let solved = |k: usize| {
        let right: Vec<f64> = (0..n).map(|i| entry(i, n + k)).collect();
        let solution = matrix.solve(&right).ok()?;
        // Derivatives are known to about this.
        if solution.reciprocal_condition <= UNIT_CIRCLE {
            return None;
        }
        let shift = solution.x;
        let mut state = vec![0.0; orbit.state.len()];
        for (direction, by) in unit.iter().zip(&shift) {
            state.iter_mut().zip(&direction.state).for_each(|(sum, x)| *sum += by * x);
        }
        let period = changed.time(n + k) + shift.iter().enumerate().map(|(j, by)| changed.time(j) * by).sum::<f64>();
        (period.is_finite() && state.iter().all(|x| x.is_finite())).then_some(Dependence { state, period })
    };
    (0..parameters.len()).map(solved).collect()
}
