//! Where do as many equations as there are unknowns hold? Newton's method from a point nearby.

use saltation_numerics::dense::{Elimination, Failure as Singularity, Matrix};

use crate::{Problem, Rejection};

/// Corrections that no longer shrink are rounding below this, in units of the sizes.
const STAGNATION: f64 = 1e-9;
/// More corrections than this do not make a better point.
const ITERATIONS: usize = 40;

/// The solution of F(u) = 0 near a point, for a problem with as many equations as unknowns: as exact as rounding lets it be.
///
/// ```
/// use saltation_continuation::{Augmented, Problem, root};
/// use saltation_numerics::dense::Matrix;
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
/// // Where it meets the line y = x.
/// let line = |_: &mut Circle, u: &[f64], _: &Matrix, gradient: &mut [f64]| {
///     gradient.copy_from_slice(&[-1.0, 1.0]);
///     Ok(u[1] - u[0])
/// };
/// let met = root(&mut Augmented::new(Circle, line), &[0.5, 0.9]).unwrap();
/// assert!((met[0] - 0.5f64.sqrt()).abs() < 1e-15 && met[0] == met[1]);
/// ```
///
/// # Errors
/// If the Jacobian is singular on the way, or Newton's method does not converge.
///
/// # Panics
/// If `near` has another length than there are equations.
pub fn root<P: Problem>(problem: &mut P, near: &[f64]) -> Result<Vec<f64>, Rejection<P::Failure>> {
    let n = problem.equations();
    assert!(n == problem.unknowns() && n == near.len(), "{n} equations for {} unknowns", near.len());
    let sizes = problem.sizes().to_vec();
    let mut u = near.to_vec();
    let mut residual = vec![0.0; n];
    let mut jacobian = Matrix::zeros(n, n);
    let mut elimination = Elimination::default();
    let mut before = f64::INFINITY;
    for _ in 0..ITERATIONS {
        problem.evaluate(&u, &mut residual, &mut jacobian).map_err(Rejection::Failure)?;
        let mut correction = vec![0.0; n];
        let mut matrix = Matrix::from_fn(n, n, |i, j| jacobian[(i, j)] * sizes[j]);
        for i in 0..n {
            let height = (0..n).fold(0.0, |largest: f64, j| largest.max(matrix[(i, j)].abs()));
            let height = if height > 0.0 { height } else { 1.0 };
            (0..n).for_each(|j| matrix[(i, j)] /= height);
            correction[i] = -residual[i] / height;
        }
        elimination.factor(&matrix).map_err(reject)?;
        elimination.solve_in_place(&mut correction).map_err(reject)?;
        let norm = correction.iter().map(|d| d * d).sum::<f64>().sqrt();
        if !norm.is_finite() {
            return Err(Rejection::NotFinite);
        }
        if norm >= 0.5 * before && norm <= STAGNATION {
            return Ok(u);
        }
        u.iter_mut().zip(&correction).zip(&sizes).for_each(|((u, d), size)| *u += d * size);
        if norm <= f64::EPSILON {
            return Ok(u);
        }
        before = norm;
    }
    if before <= STAGNATION { Ok(u) } else { Err(Rejection::NoConvergence(before)) }
}

fn reject<F>(singularity: Singularity) -> Rejection<F> {
    match singularity {
        Singularity::NotFinite => Rejection::NotFinite,
        _ => Rejection::Singular,
    }
}
