//! The equations of equilibria that are followed as parameters vary: as many as there are states, smooth in states and parameters.
//!
//! In contact the equations F_m = 0, g = 0, v = 0 are more than the unknowns. With Z a basis of the directions along the surfaces
//! g = v = 0,
//!
//! Z^T F_m(x, p) = 0,   g_i(x, p) = 0,   v_i(x, p) = 0
//!
//! are n equations for n states and the parameters, and have the same solutions nearby: on the surfaces F_m has n - 2k free
//! directions, and Z^T loses none of them as long as the surfaces do not turn by a right angle. The basis turns with them along a
//! curve.
//!
//! In slip the accelerations have a pole where A = 0 (Leine & Brogliato's critical friction), although the steady slip itself is smooth there: for them
//! A F_m takes the place of F_m.

use saltation_continuation::{Point, Problem};
use saltation_model::Values;
use saltation_motion::{Bound, ClosedSet, Field, LocalField, System};
use saltation_numerics::dense::{Complex, Matrix};
use saltation_numerics::dual::Dual;

use super::attraction::attraction;
use super::units::Units;
use super::{Equilibrium, eigenvalues, flowing, friction, newton, tangent};

/// The equations of equilibria in one mode, with one or two free parameters and those that follow them.
///
/// As a [`Problem`] its unknowns are those of [`Equations::unknowns`] and then the free parameters.
#[derive(Debug, Clone)]
pub struct Equations<'s> {
    field: Field<'s>,
    following: Values,
    flowing: Vec<usize>,
    /// The velocities of a mechanical body among the states.
    velocities: Vec<usize>,
    units: Units,
    /// The basis Z, one column per direction along the surfaces, orthonormal in the units.
    basis: Matrix,
    /// Z^T in the states and rates, one row per direction.
    along: Matrix,
    state: Vec<f64>,
    /// The size of every unknown, the free parameters last.
    sizes: Vec<f64>,
    parameters: Vec<f64>,
    directions: Vec<Vec<f64>>,
    numbers: Vec<Dual<2>>,
}

/// What changes sign where an equilibrium changes its kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Tests {
    /// The force of every closed contact, in order.
    pub contact_forces: Vec<f64>,
    /// The gap of every contact of the model.
    pub gaps: Vec<f64>,
    /// What friction keeps above zero, in the order of [`Equilibrium::bounds`], and last A over its value without friction.
    pub friction: Vec<f64>,
    /// The eigenvalues of the field of the mode, the largest real part first.
    pub eigenvalues: Vec<Complex>,
}

/// Why the equations cannot be evaluated at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a rate, a gap or an opening speed has no finite value or no finite derivative")]
pub struct Undefined;

impl<'s> Equations<'s> {
    /// The equations near an equilibrium at the values of `following`, which has one or two free parameters.
    ///
    /// None if the field has no finite derivatives there, or if the surfaces of the closed contacts touch.
    pub fn new(system: &'s System, following: &Values, equilibrium: &Equilibrium) -> Option<Equations<'s>> {
        Equations::near(system, following, (&equilibrium.state, equilibrium.closed), &following.free_values())
    }

    /// The same near a state with some contacts closed, at other values of the free parameters.
    pub(crate) fn near(
        system: &'s System,
        following: &Values,
        (state, closed): (&[f64], ClosedSet),
        free: &[f64],
    ) -> Option<Equations<'s>> {
        let values = following;
        let mut parameters = Vec::new();
        following.parameters_at(free, &mut parameters);
        let still = vec![vec![0.0; parameters.len()]; free.len()];
        let mut field = Field::new(system, &parameters, &still, closed);
        let flowing = flowing(system);
        let local = field.at(state);
        if !local.is_finite() {
            return None;
        }
        let sizes: Vec<f64> = flowing
            .iter()
            .map(|&i| {
                let radian = values.angle_periods()[i].map_or(0.0, |period| period.abs() / std::f64::consts::TAU);
                state[i].abs().max(values.start()[i].abs()).max(radian)
            })
            .collect();
        let units = Units::new(local, &local.held_gradients, &flowing, &sizes);
        let basis = tangent(local, &flowing, &units).0;
        if basis.columns() + local.held.len() != flowing.len() {
            return None;
        }
        let free = free.iter().map(|p| if *p != 0.0 { p.abs() } else { 1.0 });
        let sizes = units.of.iter().copied().chain(free).collect();
        let mut equations = Equations {
            field,
            following: following.clone(),
            velocities: system.model().body.mechanics().map_or(Vec::new(), |body| body.velocities.clone()),
            flowing,
            along: Matrix::zeros(0, 0),
            basis,
            units,
            state: state.to_vec(),
            sizes,
            parameters,
            directions: still,
            numbers: Vec::new(),
        };
        equations.update_projection();
        Some(equations)
    }

    /// Z^T for rates per unit of their states and of time.
    fn update_projection(&mut self) {
        let Units { of, time, .. } = &self.units;
        self.along = Matrix::from_fn(self.basis.columns(), of.len(), |k, i| self.basis[(i, k)] * time / of[i]);
    }

    /// How many equations there are: one for every state other than the phase.
    pub fn dimension(&self) -> usize {
        self.flowing.len()
    }

    /// The unknowns of a whole state: those other than the phase.
    pub fn unknowns(&self, state: &[f64]) -> Vec<f64> {
        self.flowing.iter().map(|&i| state[i]).collect()
    }

    /// The whole state of some unknowns, with the phase of the equilibrium where the curve began.
    pub fn state(&self, unknowns: &[f64]) -> Vec<f64> {
        let mut state = self.state.clone();
        self.flowing.iter().zip(unknowns).for_each(|(&i, &x)| state[i] = x);
        state
    }

    /// A size of every unknown, in which the rates are balanced.
    pub fn scale(&self) -> &[f64] {
        &self.units.of
    }

    /// Replaces the sizes of all unknowns of the [`Problem`], those of the free parameters last.
    ///
    /// # Panics
    /// If there is not one for each.
    pub fn set_sizes(&mut self, sizes: Vec<f64>) {
        assert_eq!(sizes.len(), self.sizes.len(), "one size per unknown");
        self.sizes = sizes;
    }

    /// The values of all parameters, given those of the free ones.
    pub fn parameters(&self, free: &[f64]) -> Vec<f64> {
        let mut parameters = Vec::new();
        self.following.parameters_at(free, &mut parameters);
        parameters
    }

    /// The closed contacts.
    pub fn closed(&self) -> ClosedSet {
        self.field.closed()
    }

    fn at(&mut self, unknowns: &[f64], free: &[f64]) -> &LocalField {
        let free: Vec<Dual<2>> = free.iter().enumerate().map(|(k, &value)| Dual::variable(value, k)).collect();
        self.following.parameters_at(&free, &mut self.numbers);
        self.parameters.clear();
        self.parameters.extend(self.numbers.iter().map(|p| p.value));
        for (k, direction) in self.directions.iter_mut().enumerate() {
            direction.clear();
            direction.extend(self.numbers.iter().map(|p| p.tangent[k]));
        }
        self.field.bind(&self.parameters, &self.directions);
        let state = self.state(unknowns);
        self.field.at(&state)
    }

    /// The residual, with an entry for every equation, and its derivative, with a row for every equation and a column for every
    /// unknown and then one for every free parameter. None where they are not finite.
    pub fn evaluate(&mut self, unknowns: &[f64], free: &[f64]) -> Option<(Vec<f64>, Matrix)> {
        let mut residual = vec![0.0; self.dimension()];
        let mut jacobian = Matrix::zeros(self.dimension(), self.dimension() + free.len());
        self.fill(unknowns, free, &mut residual, &mut jacobian).ok()?;
        Some((residual, jacobian))
    }

    fn fill(
        &mut self,
        unknowns: &[f64],
        free: &[f64],
        residual: &mut [f64],
        jacobian: &mut Matrix,
    ) -> Result<(), Undefined> {
        let local = self.at(unknowns, free).clone();
        if !local.is_finite() {
            return Err(Undefined);
        }
        let parameters = (0..free.len()).map(|k| self.state.len() + k);
        let columns: Vec<usize> = self.flowing.iter().copied().chain(parameters).collect();
        let along = self.along.rows();
        residual.fill(0.0);
        jacobian.entries_mut().fill(0.0);
        let slips = self.closed().slips();
        for k in 0..along {
            for (i, &row) in self.flowing.iter().enumerate() {
                let weight = self.along[(k, i)];
                // Accelerations times A have no pole where A = 0.
                let regular = slips && self.velocities.contains(&row);
                let factor = if regular { local.regularity } else { 1.0 };
                residual[k] += weight * factor * local.rates[row];
                for (j, &column) in columns.iter().enumerate() {
                    let turned = if regular { local.regularity_gradient[(0, column)] * local.rates[row] } else { 0.0 };
                    jacobian[(k, j)] += weight * (factor * local.jacobian[(row, column)] + turned);
                }
            }
        }
        for (held, &value) in local.held.iter().enumerate() {
            residual[along + held] = value;
            for (j, &column) in columns.iter().enumerate() {
                jacobian[(along + held, j)] = local.held_gradients[(held, column)];
            }
        }
        Ok(())
    }

    /// What friction and switches keep above zero, with the gradients by all states and then by the free parameters, and the number of states.
    pub(crate) fn bounds(&mut self, unknowns: &[f64], free: &[f64]) -> (Vec<(usize, Bound, f64)>, Matrix, usize) {
        let states = self.state.len();
        let local = self.at(unknowns, free);
        (local.bounds.clone(), local.bound_gradients.clone(), states)
    }

    /// The states that flow.
    pub(crate) fn flowing(&self) -> &[usize] {
        &self.flowing
    }

    /// The system.
    pub(crate) fn system(&self) -> &'s System {
        self.field.system()
    }

    /// The free parameters and what follows them.
    pub(crate) fn following(&self) -> &Values {
        &self.following
    }

    /// What changes sign where an equilibrium changes its kind, at a solution of the equations.
    pub fn tests(&mut self, unknowns: &[f64], free: &[f64]) -> Tests {
        let local = self.at(unknowns, free).clone();
        let eigenvalues = eigenvalues(&local, &self.flowing, &self.units);
        Tests { friction: friction(&local), contact_forces: local.forces, gaps: local.gaps, eigenvalues }
    }

    /// Everything about the equilibrium at a solution of the equations, of which the Jacobian and the residual are known.
    ///
    /// # Errors
    /// If it has no finite derivatives.
    pub fn equilibrium(&mut self, point: &Point) -> Result<Equilibrium, Undefined> {
        let n = self.dimension();
        let (unknowns, free) = point.unknowns.split_at(n);
        let local = self.at(unknowns, free).clone();
        if !local.is_finite() {
            return Err(Undefined);
        }
        let balanced = Matrix::from_fn(n, n, |i, j| point.jacobian[(i, j)] * self.units.of[j]);
        let solution = newton::Solution {
            unknowns: unknowns.to_vec(),
            residual: point.residual,
            converged: true,
            singular_values: balanced.singular_values().unwrap_or_default(),
            iterations: point.iterations,
        };
        let (state, closed) = (self.state(unknowns), self.closed());
        let attraction = attraction(self.field.system(), &self.parameters, closed, &state);
        let place = (state, closed, attraction);
        Ok(Equilibrium::new(&local, place, &self.flowing, &self.units, &solution))
    }

    /// The direction v in which an equilibrium oscillates with a frequency near omega, A v = i omega v for the derivative A along
    /// the surfaces of the closed contacts; one number per state, in the unit of each. None if there is no such direction.
    pub fn oscillation(&mut self, unknowns: &[f64], free: &[f64], frequency: f64) -> Option<Vec<Complex>> {
        let local = self.at(unknowns, free).clone();
        let basis = tangent(&local, &self.flowing, &self.units).0;
        let derivative = self.units.derivative(&local, &self.flowing);
        let along = basis.transpose().product(&derivative.product(&basis).ok()?).ok()?;
        let vector = along.eigenvector(Complex::new(0.0, frequency)).ok()?;
        let mut direction = vec![Complex::new(0.0, 0.0); self.state.len()];
        for (i, &state) in self.flowing.iter().enumerate() {
            for (k, part) in vector.iter().enumerate() {
                direction[state].re += basis[(i, k)] * part.re * self.units.of[i];
                direction[state].im += basis[(i, k)] * part.im * self.units.of[i];
            }
        }
        direction.iter().all(|v| v.re.is_finite() && v.im.is_finite()).then_some(direction)
    }
}

impl Problem for Equations<'_> {
    type Failure = Undefined;

    fn unknowns(&self) -> usize {
        self.sizes.len()
    }

    fn equations(&self) -> usize {
        self.dimension()
    }

    fn sizes(&self) -> &[f64] {
        &self.sizes
    }

    fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Undefined> {
        let (unknowns, free) = u.split_at(self.dimension());
        self.fill(unknowns, free, residual, jacobian)
    }

    /// The basis turns with the surfaces: the old one projected onto them, and made orthonormal one direction after the other,
    /// which keeps its orientation.
    fn accepted(&mut self, point: &Point) {
        if !self.field.system().keeps(self.closed()) {
            return;
        }
        let (unknowns, free) = point.unknowns.split_at(self.dimension());
        let local = self.at(unknowns, free).clone();
        let onto = tangent(&local, &self.flowing, &self.units).0;
        let projected = onto.transpose().product(&self.basis).and_then(|parts| onto.product(&parts));
        let Ok(mut turned) = projected else { return };
        for k in 0..turned.columns() {
            for known in 0..k {
                let part: f64 = turned.column(known).iter().zip(turned.column(k)).map(|(a, b)| a * b).sum();
                for i in 0..turned.rows() {
                    turned[(i, k)] -= part * turned[(i, known)];
                }
            }
            let length = turned.column(k).iter().map(|x| x * x).sum::<f64>().sqrt();
            turned.column_mut(k).iter_mut().for_each(|x| *x /= length);
        }
        // A step never turns the surfaces so far that nothing is left.
        if turned.is_finite() {
            self.basis = turned;
            self.update_projection();
        }
    }
}
