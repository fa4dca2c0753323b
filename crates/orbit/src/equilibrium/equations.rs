//! Which equations follow an equilibrium as a parameter varies? As many as there are states, smooth in states and parameter.
//!
//! In contact the equations F_m = 0, g = 0, v = 0 are more than the unknowns. With Z a basis of the directions along the surfaces
//! g = v = 0, taken where the curve begins and kept,
//!
//! Z^T F_m(x, p) = 0,   g_i(x, p) = 0,   v_i(x, p) = 0
//!
//! are n equations for n states and one parameter, and have the same solutions nearby: on the surfaces F_m has n - 2k free
//! directions, and Z^T loses none of them as long as the surfaces do not turn by a right angle.

use saltation_model::Values;
use saltation_motion::{ClosedSet, Field, LocalField, System};
use saltation_numerics::dense::{Complex, Matrix};

use super::units::Units;
use super::{Equilibrium, eigenvalues, flowing, tangent};

/// The equations of equilibria in one mode along a line of parameters, p_0 + s d.
#[derive(Debug, Clone)]
pub struct Equations<'s> {
    field: Field<'s>,
    flowing: Vec<usize>,
    units: Units,
    /// Z^T in the states, one row per direction along the surfaces.
    along: Matrix,
    base: Vec<f64>,
    direction: Vec<f64>,
    state: Vec<f64>,
}

/// What changes sign where an equilibrium changes its kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Tests {
    /// The force of every closed contact, in order.
    pub contact_forces: Vec<f64>,
    /// The gap of every contact of the model.
    pub gaps: Vec<f64>,
    /// The eigenvalues of the field of the mode, the largest real part first.
    pub eigenvalues: Vec<Complex>,
}

impl<'s> Equations<'s> {
    /// The equations near an equilibrium, along a direction of the parameters: an entry for every parameter, such as a one and
    /// zeros.
    ///
    /// None if the field has no finite derivatives there.
    pub fn new(
        system: &'s System,
        values: &Values,
        equilibrium: &Equilibrium,
        direction: Vec<f64>,
    ) -> Option<Equations<'s>> {
        let mut field = Field::new(system, &values.parameters, std::slice::from_ref(&direction), equilibrium.closed);
        let flowing = flowing(system);
        let local = field.at(&equilibrium.state);
        let sizes: Vec<f64> = flowing
            .iter()
            .map(|&i| {
                let radian = values.angle_periods[i].map_or(0.0, |period| period.abs() / std::f64::consts::TAU);
                equilibrium.state[i].abs().max(values.start[i].abs()).max(radian)
            })
            .collect();
        if !local.is_finite() {
            return None;
        }
        let units = Units::new(local, &flowing, &sizes);
        let basis = tangent(local, equilibrium.closed, &flowing, &units).0;
        // Rates per unit of their states and of time.
        let along = Matrix::from_fn(basis.columns(), flowing.len(), |k, i| basis[(i, k)] * units.time / units.of[i]);
        let (base, state) = (values.parameters.clone(), equilibrium.state.clone());
        Some(Equations { field, flowing, units, along, base, direction, state })
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

    /// The parameters at a place of their line.
    pub fn parameters(&self, along: f64) -> Vec<f64> {
        self.base.iter().zip(&self.direction).map(|(base, d)| base + along * d).collect()
    }

    /// The closed contacts.
    pub fn closed(&self) -> ClosedSet {
        self.field.closed()
    }

    fn at(&mut self, unknowns: &[f64], along: f64) -> &LocalField {
        let (state, parameters) = (self.state(unknowns), self.parameters(along));
        self.field.set_parameters(&parameters);
        self.field.at(&state)
    }

    /// The residual, with an entry for every equation, and its derivative, with a row for every equation and a column for every
    /// unknown and one more for the place on the line of parameters. None where they are not finite.
    pub fn evaluate(&mut self, unknowns: &[f64], along: f64) -> Option<(Vec<f64>, Matrix)> {
        let local = self.at(unknowns, along).clone();
        if !local.is_finite() {
            return None;
        }
        let columns: Vec<usize> = self.flowing.iter().copied().chain([self.state.len()]).collect();
        let free = self.along.rows();
        let mut residual = vec![0.0; self.dimension()];
        let mut jacobian = Matrix::zeros(self.dimension(), columns.len());
        for k in 0..free {
            for (i, &row) in self.flowing.iter().enumerate() {
                let weight = self.along[(k, i)];
                residual[k] += weight * local.rates[row];
                for (j, &column) in columns.iter().enumerate() {
                    jacobian[(k, j)] += weight * local.jacobian[(row, column)];
                }
            }
        }
        for (k, contact) in self.closed().iter().enumerate() {
            let surfaces =
                [(local.gaps[contact], &local.gap_gradients), (local.speeds[contact], &local.speed_gradients)];
            for (half, (value, gradients)) in surfaces.into_iter().enumerate() {
                let row = free + 2 * k + half;
                // Closed contacts whose surfaces touch leave fewer rows than equations.
                *residual.get_mut(row)? = value;
                for (j, &column) in columns.iter().enumerate() {
                    jacobian[(row, j)] = gradients[(contact, column)];
                }
            }
        }
        Some((residual, jacobian))
    }

    /// What changes sign where an equilibrium changes its kind, at a solution of the equations.
    pub fn tests(&mut self, unknowns: &[f64], along: f64) -> Tests {
        let local = self.at(unknowns, along).clone();
        let eigenvalues = eigenvalues(&local, self.closed(), &self.flowing, &self.units);
        Tests { contact_forces: local.forces, gaps: local.gaps, eigenvalues }
    }
}
