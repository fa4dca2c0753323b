//! Solves at least as many equations as there are unknowns from a point nearby: by Newton's method, or by that of Gauss and Newton where there are more equations.

use saltation_numerics::blocks::{BlockMatrix, Condensation};
use saltation_numerics::dense::Failure as Singularity;

use crate::{Problem, Rejection};

/// Corrections that no longer shrink are rounding below this, in units of the sizes.
const CORRECTION_ROUNDING: f64 = 1e-9;
/// More corrections than this do not make a better point.
const MOST_ITERATIONS: usize = 40;

/// The solution of F(u) = 0 near a point, for a problem with as many equations as unknowns or more: as exact as rounding lets it be.
///
/// More equations than unknowns make a point regular at which symmetric conditions hold at once.
///
/// ```
/// use saltation_continuation::{Augmented, Problem, root};
/// use saltation_numerics::{blocks::BlockMatrix, dense::Matrix};
///
/// /// The circle x² + y² = 1.
/// struct Circle;
///
/// impl Problem for Circle {
///     type Failure = std::convert::Infallible;
///     fn unknowns(&self) -> usize {
///         2
///     }
///     fn sizes(&self) -> &[f64] {
///         &[1.0; 2]
///     }
///     fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Self::Failure> {
///         residual[0] = u[0] * u[0] + u[1] * u[1] - 1.0;
///         jacobian.entries_mut().copy_from_slice(&[2.0 * u[0], 2.0 * u[1]]);
///         Ok(())
///     }
/// }
///
/// // Where it crosses the line y = x.
/// let line = |_: &mut Circle, u: &[f64], _: &BlockMatrix, gradient: &mut [f64]| {
///     gradient.copy_from_slice(&[-1.0, 1.0]);
///     Ok(u[1] - u[0])
/// };
/// let common = root(&mut Augmented::new(Circle, line), &[0.5, 0.9]).unwrap();
/// assert!((common[0] - 0.5f64.sqrt()).abs() < 1e-15 && common[0] == common[1]);
/// ```
///
/// # Errors
/// If the Jacobian is singular at an iterate, or Newton's method does not converge to a point where all equations hold.
///
/// # Panics
/// If `near` has not an entry per unknown, or there are fewer equations.
pub fn root<P: Problem>(problem: &mut P, near: &[f64]) -> Result<Vec<f64>, Rejection<P::Failure>> {
    let (rows, n) = (problem.equations(), problem.unknowns());
    assert!(rows >= n && n == near.len(), "{rows} equations for {n} unknowns and {} numbers", near.len());
    let sizes = problem.sizes().to_vec();
    let mut u = near.to_vec();
    let mut residual = vec![0.0; rows];
    let mut matrix = BlockMatrix::zeros(problem.pattern());
    let mut heights = vec![1.0; rows];
    let mut elimination = Condensation::default();
    let mut before = f64::INFINITY;
    for _ in 0..MOST_ITERATIONS {
        problem.linearise(&u, &mut residual, &mut matrix).map_err(Rejection::Failure)?;
        matrix.scale_columns(&sizes);
        matrix.balance_rows(&mut heights);
        let mut correction: Vec<f64> = residual.iter().zip(&heights).map(|(r, height)| -r / height).collect();
        let missed = norm(&correction);
        if rows > n {
            correction = matrix.to_dense().least_squares(&correction, f64::EPSILON).map_err(reject)?.x;
        } else {
            elimination.factor(&matrix).map_err(reject)?;
            elimination.solve_in_place(&mut correction).map_err(reject)?;
        }
        let step = norm(&correction);
        if !step.is_finite() {
            return Err(Rejection::NotFinite);
        }
        if step >= 0.5 * before && step <= CORRECTION_ROUNDING {
            return if missed <= CORRECTION_ROUNDING { Ok(u) } else { Err(Rejection::NoConvergence(missed)) };
        }
        u.iter_mut().zip(&correction).zip(&sizes).for_each(|((u, d), size)| *u += d * size);
        before = step;
    }
    Err(Rejection::NoConvergence(before))
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn reject<F>(singularity: Singularity) -> Rejection<F> {
    match singularity {
        Singularity::NotFinite => Rejection::NotFinite,
        _ => Rejection::Singular,
    }
}
