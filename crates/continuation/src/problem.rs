//! The interface of the equations F(u) = 0 that a curve consists of.

use saltation_numerics::blocks::{BlockMatrix, Pattern};
use saltation_numerics::dense::Matrix;

use crate::Point;

/// Equations F(u) = 0, of which only residuals and Jacobians are known.
///
/// With one unknown more than equations the solutions form curves, which [`Curve`](crate::Curve) follows. A family with two
/// unknowns more than equations says so by [`Self::equations`]; it gives curves when an unknown is held ([`Slice`]) or an
/// equation is added ([`Augmented`](crate::augmented::Augmented)).
pub trait Problem {
    /// Why F cannot be evaluated somewhere: what left its domain.
    type Failure: Clone + std::fmt::Debug + std::fmt::Display;

    /// The number of unknowns, the entries of u.
    fn unknowns(&self) -> usize;

    /// The number of equations, the entries of F: one less than unknowns for a curve.
    fn equations(&self) -> usize {
        self.unknowns().saturating_sub(1)
    }

    /// The size of every unknown, in its own unit, positive: lengths are measured by ds² = Σ (du_i / size_i)².
    fn sizes(&self) -> &[f64];

    /// Fills F(u), an entry per equation, and its Jacobian, a row per equation and a column per unknown.
    ///
    /// Every entry has to be written: what stands there is from an earlier call.
    fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Self::Failure>;

    /// The places at which the Jacobian may have entries, by default all. Where equations come in blocks with few unknowns each,
    /// [`Self::linearise`] is given too, and a point costs in proportion to the number of blocks.
    fn pattern(&self) -> Pattern {
        Pattern::dense(self.equations(), self.unknowns())
    }

    /// The same as [`Self::evaluate`] with the Jacobian in the blocks of its pattern.
    fn linearise(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut BlockMatrix) -> Result<(), Self::Failure> {
        self.evaluate(u, residual, jacobian.full_mut())
    }

    /// Receives every point that a curve has accepted, for equations that are normalised again along the curve. They must
    /// keep their zeros, and the sign of every equation near the point.
    fn accepted(&mut self, _point: &Point) {}
}

/// [`Problem::evaluate`] by [`Problem::linearise`], for equations that come in blocks.
pub fn evaluate_densely<P: Problem>(
    problem: &mut P,
    u: &[f64],
    residual: &mut [f64],
    jacobian: &mut Matrix,
) -> Result<(), P::Failure> {
    let mut blocks = BlockMatrix::zeros(problem.pattern());
    problem.linearise(u, residual, &mut blocks)?;
    *jacobian = blocks.to_dense();
    Ok(())
}

/// A borrowed problem is one too, and is at hand again when the curve is done.
impl<P: Problem> Problem for &mut P {
    type Failure = P::Failure;

    fn unknowns(&self) -> usize {
        (**self).unknowns()
    }

    fn equations(&self) -> usize {
        (**self).equations()
    }

    fn sizes(&self) -> &[f64] {
        (**self).sizes()
    }

    fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Self::Failure> {
        (**self).evaluate(u, residual, jacobian)
    }

    fn pattern(&self) -> Pattern {
        (**self).pattern()
    }

    fn linearise(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut BlockMatrix) -> Result<(), Self::Failure> {
        (**self).linearise(u, residual, jacobian)
    }

    fn accepted(&mut self, point: &Point) {
        (**self).accepted(point);
    }
}

/// A problem with one unknown held at a value: it has an unknown less.
///
/// ```
/// use saltation_continuation::{Curve, Problem, Settings, Slice};
/// use saltation_numerics::dense::Matrix;
///
/// /// The unit sphere, a surface.
/// struct Sphere;
///
/// impl Problem for Sphere {
///     type Failure = std::convert::Infallible;
///     fn unknowns(&self) -> usize {
///         3
///     }
///     fn equations(&self) -> usize {
///         1
///     }
///     fn sizes(&self) -> &[f64] {
///         &[1.0; 3]
///     }
///     fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Self::Failure> {
///         residual[0] = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1.0;
///         jacobian.entries_mut().iter_mut().zip(u).for_each(|(entry, u)| *entry = 2.0 * u);
///         Ok(())
///     }
/// }
///
/// // The circle at height 0.6 has the radius 0.8.
/// let circle = Slice::new(Sphere, 2, 0.6);
/// let curve = Curve::start(circle, &[0.7, 0.1], 1, Settings::default()).unwrap();
/// let u = &curve.point().unknowns;
/// assert!((u[0].hypot(u[1]) - 0.8).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct Slice<P> {
    family: P,
    held: usize,
    sizes: Vec<f64>,
    full: Vec<f64>,
    others: Vec<usize>,
    jacobian: BlockMatrix,
}

impl<P: Problem> Slice<P> {
    /// Holds unknown `held` of the family at `value`; panics if there is no such unknown.
    pub fn new(family: P, held: usize, value: f64) -> Self {
        let unknowns = family.unknowns();
        assert!(held < unknowns, "unknown {held} of {unknowns}");
        let mut sizes = family.sizes().to_vec();
        sizes.remove(held);
        let mut full = vec![0.0; unknowns];
        full[held] = value;
        let others = (0..unknowns).filter(|&unknown| unknown != held).collect();
        let jacobian = BlockMatrix::zeros(family.pattern());
        Self { family, held, sizes, full, others, jacobian }
    }

    /// The value of the held unknown.
    pub fn value(&self) -> f64 {
        self.full[self.held]
    }

    /// The unknowns of the family at a point of the slice.
    pub fn lift(&self, u: &[f64]) -> Vec<f64> {
        let mut full = u.to_vec();
        full.insert(self.held, self.value());
        full
    }

    /// The family, with nothing held.
    pub fn family(&self) -> &P {
        &self.family
    }
}

impl<P: Problem> Problem for Slice<P> {
    type Failure = P::Failure;

    fn unknowns(&self) -> usize {
        self.full.len() - 1
    }

    fn equations(&self) -> usize {
        self.family.equations()
    }

    fn sizes(&self) -> &[f64] {
        &self.sizes
    }

    fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Self::Failure> {
        evaluate_densely(self, u, residual, jacobian)
    }

    fn pattern(&self) -> Pattern {
        self.jacobian.pattern().select(&self.others)
    }

    fn linearise(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut BlockMatrix) -> Result<(), Self::Failure> {
        let held = self.held;
        self.full[..held].copy_from_slice(&u[..held]);
        self.full[held + 1..].copy_from_slice(&u[held..]);
        self.family.linearise(&self.full, residual, &mut self.jacobian)?;
        jacobian.take_columns(&self.jacobian, &self.others);
        Ok(())
    }
}
