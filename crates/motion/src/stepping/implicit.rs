//! What forces and impulses do to velocities in a step that is implicit in stiffness and damping: the theta method, linearised once.
//!
//! With C' = df/dv and K' = df/dq where the force is evaluated, one step of Newton's method on the theta method has
//!
//! ```text
//! Mhat (v^+ - v) = h f + W P,    Mhat = M - theta h C' - theta^2 h^2 K'
//! ```
//!
//! (E. Hairer & G. Wanner, Solving Ordinary Differential Equations II, IV.7, linearly implicit methods; V. Acary & B. Brogliato,
//! Numerical Methods for Nonsmooth Dynamical Systems, 10.1). All that is needed of it is what becomes of a change of velocities: M^-1 b becomes
//! Mhat^-1 b. Of a structure given by its matrices that is M once and the factors of a sparse Mhat; of formulas it is (M^-1 Mhat)^-1, where
//! M^-1 Mhat = I - theta h A_v - theta^2 h^2 A_q has the derivatives of the accelerations, with those of M.
//!
//! As h grows from 0 on, the step means something until Mhat first becomes singular: until then M^-1 Mhat has no eigenvalue on the real axis up to 0.

use super::formulas::{By, Evaluated, Place, of_derivatives};
use saltation_expr::Node;
use saltation_model::{Matrices, Mechanics, Model};
use saltation_numerics::dense::{Elimination, Matrix};
use saltation_numerics::matrix_market::Coordinates;
use saltation_numerics::skyline::Skyline;

/// Where stiffness and damping come from.
#[derive(Debug)]
enum Derivatives {
    /// Constant matrices of a structure.
    Structure { mass: Coordinates, damping: Coordinates, stiffness: Coordinates },
    /// Derivatives of the accelerations; `is_constant` where they depend on parameters only.
    Formulas { evaluated: Box<Evaluated>, places: Vec<Place>, is_constant: bool, matrix: Matrix },
}

/// The factors of Mhat, or of M^-1 Mhat.
#[derive(Debug)]
enum Factors {
    Sparse(Skyline),
    Dense(Elimination),
}

/// Mhat, with the room in which it is made and used.
#[derive(Debug)]
pub(super) struct Implicit {
    theta: f64,
    derivatives: Derivatives,
    factors: Factors,
    /// The step for which the factors are, where they do not change otherwise.
    made_for: Option<f64>,
    moved: Vec<f64>,
}

impl Implicit {
    /// Nothing where no force depends on coordinates or velocities: there M is Mhat.
    pub(super) fn new(model: &Model, body: &Mechanics, parameters: &[f64], theta: f64) -> Option<Implicit> {
        let count = body.velocities.len();
        let derivatives = match &body.matrices {
            Some(matrices) => structure(model, matrices, parameters)?,
            None => {
                let (evaluated, places, is_constant) = of_derivatives(model, body, parameters)?;
                let evaluated = Box::new(evaluated);
                Derivatives::Formulas { evaluated, places, is_constant, matrix: Matrix::zeros(count, count) }
            }
        };
        let factors = Factors::Dense(Elimination::default());
        Some(Implicit { theta, derivatives, factors, made_for: None, moved: vec![0.0; count] })
    }

    /// Makes Mhat of a step at the state where its force is evaluated. Where a derivative has no value there, as that of a root at
    /// zero, its part of the force is taken as explicit.
    ///
    /// # Errors
    /// The longest of h/2, h/4, .. for which Mhat is positive, where that of `h` is not.
    pub(super) fn prepare(&mut self, h: f64, state: &[f64]) -> Result<(), f64> {
        if self.made_for == Some(h) {
            return Ok(());
        }
        let mut is_constant = true;
        if let Derivatives::Formulas { evaluated, is_constant: constant, .. } = &mut self.derivatives {
            is_constant = *constant;
            evaluated.at(state);
        }
        if self.factor(h) {
            self.made_for = is_constant.then_some(h);
            return Ok(());
        }
        Err(self.shorter(h, |_| true))
    }

    /// The longest of h/2, h/4, .. whose Mhat is positive and as is asked; 0 if there is none above rounding.
    pub(super) fn shorter(&mut self, h: f64, mut is_good: impl FnMut(&mut Implicit) -> bool) -> f64 {
        self.made_for = None;
        let mut step = 0.5 * h;
        while step > f64::EPSILON * h && !(self.factor(step) && is_good(self)) {
            step *= 0.5;
        }
        if step > f64::EPSILON * h { step } else { 0.0 }
    }

    /// Factors Mhat of a step; false where it is not positive.
    fn factor(&mut self, h: f64) -> bool {
        let (by_velocity, by_coordinate) = (self.theta * h, (self.theta * h) * (self.theta * h));
        match &mut self.derivatives {
            Derivatives::Structure { mass, damping, stiffness } => {
                let scaled = |matrix: &Coordinates, factor: f64| -> Vec<(usize, usize, f64)> {
                    matrix.entries.iter().map(|&(i, j, a)| (i, j, factor * a)).collect()
                };
                let parts = [scaled(mass, 1.0), scaled(damping, by_velocity), scaled(stiffness, by_coordinate)];
                let hat = Coordinates::new(mass.rows, mass.columns, parts.concat());
                if hat.is_symmetric(f64::EPSILON).is_none() {
                    let Ok(factors) = Skyline::factor(&hat) else { return false };
                    self.factors = Factors::Sparse(factors);
                    return true;
                }
                // x' Mhat x > 0 for all x is enough; where it fails M^-1 Mhat decides.
                let dense = hat.dense();
                if Skyline::factor(&hat.symmetrised()).is_err()
                    && !by_masses(mass, &dense).is_some_and(|b| is_positive(&b))
                {
                    return false;
                }
                factored(&mut self.factors, &dense)
            }
            Derivatives::Formulas { evaluated, places, matrix, .. } => {
                matrix.entries_mut().fill(0.0);
                for (place, &value) in places.iter().zip(&evaluated.values) {
                    let factor = if place.by == By::Velocity { by_velocity } else { by_coordinate };
                    let part = factor * value;
                    matrix[(place.row, place.column)] -= if part.is_finite() { part } else { 0.0 };
                }
                let is_small = matrix.infinity_norm() < 1.0;
                for i in 0..matrix.rows() {
                    matrix[(i, i)] += 1.0;
                }
                // What differs from I by less than 1 is positive.
                (is_small || is_positive(matrix)) && factored(&mut self.factors, matrix)
            }
        }
    }

    /// What becomes of M^-1 b: Mhat^-1 b, both by velocities in the order of the model.
    pub(super) fn carry(&mut self, x: &mut [f64]) {
        if let Derivatives::Structure { mass, .. } = &self.derivatives {
            self.moved.fill(0.0);
            for &(i, j, m) in &mass.entries {
                self.moved[i] += m * x[j];
            }
            x.copy_from_slice(&self.moved);
        }
        match &self.factors {
            Factors::Sparse(factors) => factors.solve(x),
            // A singular matrix was refused when it was factored.
            Factors::Dense(factors) => factors.solve_in_place(x).unwrap_or_else(|_| x.fill(f64::NAN)),
        }
    }
}

/// The numbers of a structure; nothing where all its forces are loads.
fn structure(model: &Model, matrices: &Matrices, parameters: &[f64]) -> Option<Derivatives> {
    let states = model.states.len();
    let value = |node: Node| {
        let parameter = |symbol: usize| parameters.get(symbol.wrapping_sub(states)).copied().unwrap_or(f64::NAN);
        model.graph.evaluate(node, &parameter)
    };
    let (of_mass, of_stiffness) = (value(matrices.proportional.0), value(matrices.proportional.1));
    let scaled = |matrix: &Coordinates, factor: f64| -> Vec<(usize, usize, f64)> {
        matrix.entries.iter().map(|&(i, j, a)| (i, j, factor * a)).collect()
    };
    let own = matrices.damping.as_ref().map_or(Vec::new(), |damping| damping.entries.clone());
    let parts = [own, scaled(&matrices.mass, of_mass), scaled(&matrices.stiffness, of_stiffness)];
    let (mass, stiffness) = (matrices.mass.clone(), matrices.stiffness.clone());
    let damping = Coordinates::new(mass.rows, mass.columns, parts.concat());
    let acts = |matrix: &Coordinates| matrix.entries.iter().any(|(_, _, a)| *a != 0.0);
    (acts(&damping) || acts(&stiffness)).then_some(Derivatives::Structure { mass, damping, stiffness })
}

/// M^-1 times a matrix.
fn by_masses(mass: &Coordinates, matrix: &Matrix) -> Option<Matrix> {
    let factors = Skyline::factor(mass).ok()?;
    let mut product = matrix.clone();
    for column in 0..product.columns() {
        factors.solve(product.column_mut(column));
    }
    Some(product)
}

/// Whether a matrix has no real eigenvalue up to 0.
fn is_positive(matrix: &Matrix) -> bool {
    matrix.eigenvalues().is_ok_and(|all| all.iter().all(|z| z.im != 0.0 || z.re > 0.0))
}

/// Factors a matrix by elimination; false if it is singular.
fn factored(factors: &mut Factors, matrix: &Matrix) -> bool {
    if let Factors::Sparse(_) = factors {
        *factors = Factors::Dense(Elimination::default());
    }
    match factors {
        Factors::Dense(elimination) => elimination.factor(matrix).is_ok() && !elimination.is_singular(),
        Factors::Sparse(_) => false,
    }
}
