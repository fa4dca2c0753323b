//! Corrects a prediction to a point of the curve by Newton's method with a bordered Jacobian.
//!
//! With the row t' below the Jacobian J, in units of the sizes, one elimination gives both the correction, [J; t'] d = [-F; 0],
//! and the tangent, [J; t'] τ = [0; 1]. Held in the plane orthogonal to t the corrections stay d; those of Moore and Penrose
//! are the shortest ones, d without its part along τ, and t becomes τ (Allgower and Georg, chapter 3; Kuznetsov, section
//! 10.2).

use saltation_numerics::blocks::{BlockMatrix, Condensation, Pattern};
use saltation_numerics::dense::Failure as Singularity;
use saltation_numerics::elementary;

use crate::{Point, Problem, metric, null};

/// Equations that hold to this part of their terms hold to rounding: a few operations on doubles.
const RESIDUAL_ROUNDING: f64 = 8.0 * f64::EPSILON;
/// Where rounding of the equations moves a point by more than this, less than half of its digits are known: there it is no solution.
const HALF_DIGITS: f64 = 1.5e-8;

/// Why a trial is not accepted as a point of the curve.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Rejection<F> {
    /// F cannot be evaluated there.
    #[error("{0}")]
    Failure(F),
    /// F or its Jacobian is infinite or not a number.
    #[error("the residual or its Jacobian is not finite")]
    NotFinite,
    /// The Jacobian has not full rank.
    #[error("the Jacobian is singular")]
    Singular,
    /// The corrections did not become small.
    #[error("Newton's method did not converge: its last correction is {0:.1e}")]
    NoConvergence(f64),
    /// The tangents at both ends of the step, or the chord, are too far from parallel.
    #[error("the curve turns too far in one step")]
    Angle,
    /// The point is too far from its prediction.
    #[error("the point is too far from its prediction")]
    Distance,
    /// The point is on another part of the curve, or on another curve: halfway there is no curve between.
    #[error("the step leads to another part of the curve")]
    Jump,
}

/// What is kept while Newton's method goes to the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Keep {
    /// The plane orthogonal to the border.
    Plane,
    /// Nothing: the shortest corrections.
    Shortest,
    /// One unknown.
    Unknown(usize),
}

/// When Newton's method has converged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The last correction is at most this.
    pub(crate) tolerance: f64,
    /// A correction that did not shrink, or that is one too many, is the last if it is at most this, or if every equation holds to rounding.
    pub(crate) stagnation: f64,
    pub(crate) iterations: usize,
    /// A correction may be this times the one before.
    pub(crate) contraction: f64,
}

/// How Newton's method went.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Course {
    /// The first correction.
    pub(crate) first: f64,
    /// The second one; 0 if there was none.
    pub(crate) second: f64,
}

/// The memory of the corrector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corrector {
    pub(crate) sizes: Vec<f64>,
    /// The unit vector t in units of the sizes, to be set before a correction.
    pub(crate) border: Vec<f64>,
    /// The direction which the tangent follows.
    along: Vec<f64>,
    bordered: BlockMatrix,
    elimination: Condensation,
    residual: Vec<f64>,
    correction: Vec<f64>,
    tangent: Vec<f64>,
    /// The length of the tangent before it became a unit vector.
    stretch: f64,
    /// The largest entry of every row of J S; 1 for the border.
    heights: Vec<f64>,
}

impl Corrector {
    pub(crate) fn new(sizes: &[f64], pattern: Pattern) -> Self {
        let (equations, unknowns) = (pattern.rows(), sizes.len());
        Self {
            sizes: sizes.to_vec(),
            border: vec![0.0; unknowns],
            along: vec![0.0; unknowns],
            bordered: BlockMatrix::zeros(pattern.with_rows(1)),
            elimination: Condensation::default(),
            residual: vec![0.0; equations],
            correction: vec![0.0; unknowns],
            tangent: vec![0.0; unknowns],
            stretch: 1.0,
            heights: vec![1.0; equations + 1],
        }
    }

    /// Takes the tangent of a point as the border.
    pub(crate) fn border_along(&mut self, tangent: &[f64]) {
        for ((border, t), size) in self.border.iter_mut().zip(tangent).zip(&self.sizes) {
            *border = t / size;
        }
        metric::normalise(&mut self.border);
    }

    /// Brings `point.unknowns` onto the curve, and fills in everything else but the arclength. The tangent is on the side of
    /// the border that was set.
    pub(crate) fn correct<P: Problem>(
        &mut self,
        problem: &mut P,
        point: &mut Point,
        keep: Keep,
        limits: Limits,
    ) -> Result<Course, Rejection<P::Failure>> {
        self.along.copy_from_slice(&self.border);
        if let Keep::Unknown(held) = keep {
            self.border.fill(0.0);
            self.border[held] = 1.0;
        }
        let mut course = Course::default();
        let mut before = f64::INFINITY;
        for iteration in 1..=limits.iterations {
            self.evaluate(problem, point)?;
            self.solve()?;
            match keep {
                Keep::Plane => {}
                Keep::Shortest => {
                    let along = metric::dot(&self.correction, &self.tangent);
                    self.correction.iter_mut().zip(&self.tangent).for_each(|(d, t)| *d -= along * t);
                }
                Keep::Unknown(held) => self.correction[held] = 0.0,
            }
            let norm = metric::euclidean(&self.correction);
            match iteration {
                1 => course.first = norm,
                2 => course.second = norm,
                _ => {}
            }
            let last = norm >= 0.5 * before || iteration == limits.iterations;
            let rounding = norm <= limits.stagnation || norm <= HALF_DIGITS && self.is_rounding();
            let small = norm <= limits.tolerance || (rounding && last);
            if !norm.is_finite() || (!small && norm > limits.contraction * before) {
                return Err(Rejection::NoConvergence(norm));
            }
            for ((u, d), size) in point.unknowns.iter_mut().zip(&self.correction).zip(&self.sizes) {
                *u += d * size;
            }
            if small {
                point.iterations = iteration;
                self.finish(point);
                return Ok(course);
            }
            if keep == Keep::Shortest {
                self.border.copy_from_slice(&self.tangent);
            }
            before = norm;
        }
        Err(Rejection::NoConvergence(before))
    }

    /// Sets the border to the direction which the Jacobian at a point takes to nothing, where no tangent is known.
    pub(crate) fn border_of_kernel<P: Problem>(
        &mut self,
        problem: &mut P,
        point: &mut Point,
    ) -> Result<(), Rejection<P::Failure>> {
        self.evaluate(problem, point)?;
        self.bordered.balance_rows(&mut self.heights);
        null::kernel(&mut self.bordered, &mut self.border).map_err(reject)
    }

    /// F and its Jacobian at a point, whose residual is set.
    fn evaluate<P: Problem>(&mut self, problem: &mut P, point: &mut Point) -> Result<(), Rejection<P::Failure>> {
        problem.linearise(&point.unknowns, &mut self.residual, &mut point.jacobian).map_err(Rejection::Failure)?;
        self.bordered.take(&point.jacobian);
        self.bordered.scale_columns(&self.sizes);
        self.bordered.set_last_row(&[]);
        point.residual = metric::euclidean(&self.residual);
        Ok(())
    }

    /// Whether the residual of every equation is rounding of its terms, which are about as large as its largest entry.
    fn is_rounding(&self) -> bool {
        self.residual.iter().zip(&self.heights).all(|(residual, height)| residual.abs() <= RESIDUAL_ROUNDING * height)
    }

    /// The correction and the unit tangent.
    fn solve<F>(&mut self) -> Result<(), Rejection<F>> {
        let n = self.residual.len();
        // Every equation gets the size of the border, so that pivots are chosen among comparable numbers.
        self.bordered.balance_rows(&mut self.heights);
        self.bordered.set_last_row(&self.border);
        for i in 0..n {
            self.correction[i] = -self.residual[i] / self.heights[i];
        }
        self.correction[n] = 0.0;
        self.elimination.factor(&self.bordered).map_err(reject)?;
        self.elimination.solve_in_place(&mut self.correction).map_err(reject)?;
        self.tangent.fill(0.0);
        self.tangent[n] = 1.0;
        self.elimination.solve_in_place(&mut self.tangent).map_err(reject)?;
        self.stretch = metric::normalise(&mut self.tangent);
        if self.stretch.is_finite() { Ok(()) } else { Err(Rejection::Singular) }
    }

    /// Tangent and determinant, from the last elimination: det [J S; t'] is that with any border times the length of the
    /// solution τ.
    fn finish(&mut self, point: &mut Point) {
        let sign = if metric::dot(&self.tangent, &self.along) < 0.0 { -1.0 } else { 1.0 };
        for ((to, t), size) in point.tangent.iter_mut().zip(&self.tangent).zip(&self.sizes) {
            *to = sign * t * size;
        }
        let (orientation, logarithm) = self.elimination.log_determinant();
        point.orientation = sign * orientation;
        point.log_determinant = logarithm
            + elementary::ln(self.stretch)
            + self.heights.iter().map(|height| elementary::ln(*height)).sum::<f64>();
    }
}

fn reject<F>(singularity: Singularity) -> Rejection<F> {
    match singularity {
        Singularity::NotFinite => Rejection::NotFinite,
        _ => Rejection::Singular,
    }
}
