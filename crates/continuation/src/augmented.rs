//! Follows bifurcations in two parameters: the defining condition of the bifurcation is added to the equations of a family.
//!
//! A family F: R^(n+2) -> R^n with a [`Condition`] is a [`Problem`] again, and its curve consists of bifurcations. Its regular
//! points are those at which the bifurcation is of codimension one.

use saltation_numerics::blocks::{BlockMatrix, Pattern};
use saltation_numerics::dense::{Failure as Singularity, Matrix};

use crate::singular::Bordering;
use crate::test_function::{Change, part};
use crate::{Point, Problem, evaluate_densely};

/// Equations to be added to a family.
pub trait Condition<P: Problem> {
    /// How many.
    fn equations(&self) -> usize {
        1
    }

    /// Fills the left sides at u, and their gradients as rows. `jacobian` is that of the family at u.
    fn evaluate(
        &mut self,
        family: &mut P,
        u: &[f64],
        jacobian: &BlockMatrix,
        values: &mut [f64],
        gradients: &mut Matrix,
    ) -> Result<(), Failure<P::Failure>>;

    /// Receives the accepted points, as [`Problem::accepted`] is; the rows of the point's Jacobian begin with the family's.
    fn accepted(&mut self, _family: &P, _point: &Point) {}
}

/// One equation as a closure of u and the family's Jacobian, which fills its gradient and returns its left side.
impl<P, E> Condition<P> for E
where
    P: Problem,
    E: FnMut(&mut P, &[f64], &BlockMatrix, &mut [f64]) -> Result<f64, P::Failure>,
{
    fn evaluate(
        &mut self,
        family: &mut P,
        u: &[f64],
        jacobian: &BlockMatrix,
        values: &mut [f64],
        gradients: &mut Matrix,
    ) -> Result<(), Failure<P::Failure>> {
        values[0] = self(family, u, jacobian, gradients.entries_mut()).map_err(Failure::Family)?;
        Ok(())
    }
}

/// Why a family with a condition cannot be evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure<F> {
    /// The family cannot.
    #[error("{0}")]
    Family(F),
    /// The condition cannot: its matrix is not finite, not square, or singular more than once.
    #[error("the condition cannot be evaluated: {0}")]
    Condition(Singularity),
}

/// A family with conditions added to its equations.
///
/// ```
/// use saltation_continuation::{Augmented, Curve, Problem, Settings, Singular};
/// use saltation_numerics::dense::Matrix;
///
/// /// x³ - a x + b = 0, which has a double root where 4 a³ = 27 b².
/// struct Cubic;
///
/// impl Problem for Cubic {
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
///         let (x, a, b) = (u[0], u[1], u[2]);
///         residual[0] = x * x * x - a * x + b;
///         jacobian.entries_mut().copy_from_slice(&[3.0 * x * x - a, -x, 1.0]);
///         Ok(())
///     }
/// }
///
/// let near = [0.6, 1.0, 0.4];
/// let folds = Singular::new(&mut Cubic, &near, vec![0], Vec::new()).unwrap();
/// let mut curve = Curve::start(Augmented::new(Cubic, folds), &near, 1, Settings::default()).unwrap();
/// curve.orient(1, -1.0);
/// for _ in 0..40 {
///     let u = &curve.advance().unwrap().unknowns;
///     assert!((4.0 * u[1].powi(3) - 27.0 * u[2].powi(2)).abs() < 1e-13);
/// }
/// // Through the cusp at a = b = 0 to the other side.
/// assert!(curve.point().unknowns[2] < 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct Augmented<P, C> {
    family: P,
    condition: C,
    jacobian: BlockMatrix,
    gradients: Matrix,
}

impl<P: Problem, C: Condition<P>> Augmented<P, C> {
    /// The equations of the family, and after them the conditions.
    pub fn new(family: P, condition: C) -> Self {
        let gradients = Matrix::zeros(condition.equations(), family.unknowns());
        let jacobian = BlockMatrix::zeros(family.pattern());
        Self { family, condition, jacobian, gradients }
    }

    /// The family.
    pub fn family(&self) -> &P {
        &self.family
    }

    /// The conditions.
    pub fn condition(&self) -> &C {
        &self.condition
    }
}

impl<P: Problem, C: Condition<P>> Problem for Augmented<P, C> {
    type Failure = Failure<P::Failure>;

    fn unknowns(&self) -> usize {
        self.family.unknowns()
    }

    fn equations(&self) -> usize {
        self.family.equations() + self.condition.equations()
    }

    fn sizes(&self) -> &[f64] {
        self.family.sizes()
    }

    fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Self::Failure> {
        evaluate_densely(self, u, residual, jacobian)
    }

    fn pattern(&self) -> Pattern {
        self.jacobian.pattern().with_rows(self.condition.equations())
    }

    fn linearise(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut BlockMatrix) -> Result<(), Self::Failure> {
        let (of_family, values) = residual.split_at_mut(self.family.equations());
        self.family.linearise(u, of_family, &mut self.jacobian).map_err(Failure::Family)?;
        self.condition.evaluate(&mut self.family, u, &self.jacobian, values, &mut self.gradients)?;
        jacobian.take(&self.jacobian);
        let below = self.jacobian.full().rows();
        for j in 0..u.len() {
            jacobian.full_mut().column_mut(j)[below..].copy_from_slice(self.gradients.column(j));
        }
        Ok(())
    }

    fn accepted(&mut self, point: &Point) {
        self.family.accepted(point);
        self.condition.accepted(&self.family, point);
    }
}

/// The condition that K = J\[columns\] + `changes` is singular, by a [`Bordering`].
///
/// At a fold K is the Jacobian without the columns of the parameters. Where perturbations couple to themselves with another sign or
/// factor, as at a period doubling, the changes are those of that coupling.
///
/// The gradient of g needs second derivatives along the null vector v only, (J(u + h v) - J(u - h v)) / 2h for all unknowns
/// at once. Its error of some 10⁻¹⁰ slows Newton's method down by that factor per iteration and turns the tangent by it; it
/// does not change the points of the curve, where g itself is zero. Where one of u ± h v is outside the domain of F, the
/// difference is one-sided.
#[derive(Clone, Debug)]
pub struct Singular {
    columns: Vec<usize>,
    changes: Vec<Change>,
    /// The sizes of the unknowns that belong to the columns, and the largest entry of every row in these.
    widths: Vec<f64>,
    heights: Vec<f64>,
    bordering: Bordering,
    k: BlockMatrix,
    curvature: Curvature,
}

impl Singular {
    /// Borders for the family near u, where K should be nearly singular.
    pub fn new<P: Problem>(
        family: &mut P,
        u: &[f64],
        columns: Vec<usize>,
        changes: Vec<Change>,
    ) -> Result<Self, Failure<P::Failure>> {
        let (n, m) = (family.equations(), family.unknowns());
        let mismatch = |expected, found| Err(Failure::Condition(Singularity::Mismatch { expected, found }));
        if u.len() != m {
            return mismatch(m, u.len());
        }
        let mut jacobian = BlockMatrix::zeros(family.pattern());
        family.linearise(u, &mut vec![0.0; n], &mut jacobian).map_err(Failure::Family)?;
        let Some(mut k) = part(&jacobian, &columns, &changes) else { return mismatch(n, columns.len()) };
        let widths: Vec<f64> = columns.iter().map(|&column| family.sizes()[column]).collect();
        let heights = balance(&mut k, &widths);
        let bordering = Bordering::new(&k).map_err(Failure::Condition)?;
        Ok(Self { columns, changes, widths, heights, bordering, k, curvature: Curvature::new(family.pattern()) })
    }

    /// The null vector of K at the last evaluation, in the units of the unknowns that belong to its columns; of no particular
    /// length.
    pub fn null_vector(&self) -> Vec<f64> {
        self.bordering.right().iter().zip(&self.widths).map(|(v, width)| v * width).collect()
    }

    /// K from the first rows of a Jacobian, scaled.
    fn fill(&mut self, jacobian: &BlockMatrix) {
        self.k.take_columns(jacobian, &self.columns);
        self.changes.iter().for_each(|&(i, j, change)| self.k[(i, j)] += change);
        self.k.scale_columns(&self.widths);
        self.k.divide_rows(&self.heights);
    }
}

/// Multiplies the columns of K by the widths and divides its rows by their largest entries, which it returns.
pub(crate) fn balance(k: &mut BlockMatrix, widths: &[f64]) -> Vec<f64> {
    let mut heights = vec![1.0; k.rows()];
    k.scale_columns(widths);
    k.balance_rows(&mut heights);
    heights
}

impl<P: Problem> Condition<P> for Singular {
    fn evaluate(
        &mut self,
        family: &mut P,
        u: &[f64],
        jacobian: &BlockMatrix,
        values: &mut [f64],
        gradients: &mut Matrix,
    ) -> Result<(), Failure<P::Failure>> {
        self.fill(jacobian);
        values[0] = self.bordering.measure(&self.k).map_err(Failure::Condition)?;
        let v = &mut self.curvature.direction;
        v.fill(0.0);
        for ((&column, width), part) in self.columns.iter().zip(&self.widths).zip(self.bordering.right()) {
            v[column] = part * width;
        }
        let second = self.curvature.along(family, u, jacobian).map_err(Failure::Family)?;
        let left: Vec<f64> = self.bordering.left().iter().zip(&self.heights).map(|(w, height)| -w / height).collect();
        gradients.entries_mut().copy_from_slice(&second.transposed_times(&left));
        Ok(())
    }

    fn accepted(&mut self, _family: &P, point: &Point) {
        self.fill(&point.jacobian);
        if self.bordering.measure(&self.k).is_ok() {
            self.bordering.update();
        }
    }
}

/// Second derivatives of F along a direction, by differences of its Jacobian.
#[derive(Clone, Debug)]
pub(crate) struct Curvature {
    /// The direction, in the units of the unknowns, to be set before.
    pub(crate) direction: Vec<f64>,
    shifted: Vec<f64>,
    residual: Vec<f64>,
    ahead: BlockMatrix,
    behind: BlockMatrix,
}

impl Curvature {
    pub(crate) fn new(pattern: Pattern) -> Self {
        let (equations, unknowns) = (pattern.rows(), pattern.columns());
        let matrix = BlockMatrix::zeros(pattern);
        Self {
            direction: vec![0.0; unknowns],
            shifted: vec![0.0; unknowns],
            residual: vec![0.0; equations],
            ahead: matrix.clone(),
            behind: matrix,
        }
    }

    /// D²F\[v, .\] at u for the direction v: column k is its product with the unit vector k. `jacobian` is that at u.
    pub(crate) fn along<P: Problem>(
        &mut self,
        family: &mut P,
        u: &[f64],
        jacobian: &BlockMatrix,
    ) -> Result<&BlockMatrix, P::Failure> {
        // The cube root of the rounding unit: the errors of truncation, h², and of rounding, ε/h, are of the same size.
        const LENGTH: f64 = 6e-6;
        let length = family.sizes().iter().zip(&self.direction).map(|(size, v)| (v / size).powi(2)).sum::<f64>().sqrt();
        if length == 0.0 || !length.is_finite() {
            self.ahead.clear();
            return Ok(&self.ahead);
        }
        let h = LENGTH / length;
        let mut shift = |h: f64, to: &mut BlockMatrix| {
            for ((shifted, u), v) in self.shifted.iter_mut().zip(u).zip(&self.direction) {
                *shifted = u + h * v;
            }
            family.linearise(&self.shifted, &mut self.residual, to)
        };
        let (ahead, behind) = (shift(h, &mut self.ahead), shift(-h, &mut self.behind));
        let mut width = 2.0 * h;
        match (ahead, behind) {
            (Ok(()), Ok(())) => {}
            (Ok(()), Err(_)) => {
                self.behind.clone_from(jacobian);
                width = h;
            }
            (Err(_), Ok(())) => {
                self.ahead.clone_from(jacobian);
                width = h;
            }
            (Err(failure), Err(_)) => return Err(failure),
        }
        self.ahead.combine(&self.behind, |ahead, behind| (ahead - behind) / width);
        Ok(&self.ahead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Given, given};
    use crate::{Curve, Settings};

    /// x³ - 3 a x - 2 b: it has folds at a = x², b = -x³, a cusp in (a, b) at the origin.
    fn cusp() -> Given {
        given(&[1.0; 3], 1, |u, residual, jacobian| {
            let (x, a, b) = (u[0], u[1], u[2]);
            residual[0] = x.powi(3) - 3.0 * a * x - 2.0 * b;
            jacobian.entries_mut().copy_from_slice(&[3.0 * (x * x - a), -3.0 * x, -2.0]);
            Ok(())
        })
    }

    #[test]
    fn a_curve_of_folds_runs_through_the_cusp() {
        let start = [1.01, 0.99, -1.0];
        let mut family = cusp();
        let folds = Singular::new(&mut family, &start, vec![0], Vec::new()).unwrap();
        let mut curve = Curve::start(Augmented::new(family, folds), &start, 2, Settings::default()).unwrap();
        curve.orient(0, -1.0);
        while curve.point().unknowns[0] > -1.0 {
            let point = curve.advance().unwrap();
            let (x, a, b) = (point.unknowns[0], point.unknowns[1], point.unknowns[2]);
            assert!((a - x * x).abs() < 1e-13 && (b + x * x * x).abs() < 1e-13, "{:?}", point.unknowns);
        }
        assert_eq!(curve.rejected(), 0);
        assert!(curve.problem().condition().null_vector()[0].abs() > 0.1);
    }

    /// The map x -> 1 - a x² + b y, y -> x of Hénon: with F = (1 - a x² + b y - x, x - y), its period doubling, K = J + 2 E,
    /// is at a = 3 (1 - b)² / 4, x = 2 / (3 (1 - b)).
    #[test]
    fn period_doublings_of_the_henon_map() {
        let mut family = given(&[1.0, 2.0, 1.0, 0.5], 2, |u, residual, jacobian| {
            let (x, y, a, b) = (u[0], u[1], u[2], u[3]);
            residual.copy_from_slice(&[1.0 - a * x * x + b * y - x, 1e3 * (x - y)]);
            let columns = [-2.0 * a * x - 1.0, 1e3, b, -1e3, -x * x, 0.0, y, 0.0];
            jacobian.entries_mut().copy_from_slice(&columns);
            Ok(())
        });
        let start = [0.9, 0.9, 0.4, 0.3];
        let coupling = vec![(0, 0, 2.0), (1, 1, 2e3)];
        let doublings = Singular::new(&mut family, &start, vec![0, 1], coupling).unwrap();
        let mut curve = Curve::start(Augmented::new(family, doublings), &start, 3, Settings::default()).unwrap();
        curve.orient(3, -1.0);
        while curve.point().unknowns[3] > -0.5 {
            let point = curve.advance().unwrap();
            // Wrong gradients would show here.
            assert!(point.iterations <= 4);
            let u = &point.unknowns;
            assert!((u[2] - 0.75 * (1.0 - u[3]).powi(2)).abs() < 1e-12, "{u:?}");
            assert!((u[0] - 2.0 / (3.0 * (1.0 - u[3]))).abs() < 1e-12 && (u[0] - u[1]).abs() < 1e-13, "{u:?}");
        }
        assert_eq!(curve.rejected(), 0);
    }

    /// A sphere cut by the plane x = y, by a condition that is a closure.
    #[test]
    fn a_plain_equation_is_a_condition() {
        let sphere = given(&[1.0; 3], 1, |u, residual, jacobian| {
            residual[0] = u.iter().map(|u| u * u).sum::<f64>() - 1.0;
            jacobian.entries_mut().iter_mut().zip(u).for_each(|(entry, u)| *entry = 2.0 * u);
            Ok(())
        });
        let plane = |_: &mut _, u: &[f64], _: &BlockMatrix, gradient: &mut [f64]| {
            gradient.copy_from_slice(&[1.0, -1.0, 0.0]);
            Ok(u[0] - u[1])
        };
        let mut curve = Curve::start(Augmented::new(sphere, plane), &[0.6, 0.6, 0.5], 2, Settings::default()).unwrap();
        for _ in 0..50 {
            let u = &curve.advance().unwrap().unknowns;
            assert!((u[0] - u[1]).abs() < 1e-15 && (u[0].hypot(u[1]).hypot(u[2]) - 1.0).abs() < 1e-14);
        }
    }
}
