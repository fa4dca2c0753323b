//! The data of a point of a curve.

use saltation_numerics::blocks::{BlockMatrix, Pattern};

/// A point on a curve F(u) = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// u.
    pub unknowns: Vec<f64>,
    /// du/ds in the direction in which the curve is followed, in the units of u: Σ (tangent_i / size_i)² = 1.
    pub tangent: Vec<f64>,
    /// The length s of the curve from its start, in the metric.
    pub arclength: f64,
    /// The Jacobian of F, from the last evaluation: off `unknowns` by the last correction, at most the tolerance.
    pub jacobian: BlockMatrix,
    /// The Euclidean norm of F at that last evaluation, before the last correction.
    pub residual: f64,
    /// How many evaluations it took from the prediction.
    pub iterations: usize,
    /// The sign of det [J S; t'] for J times the sizes S, above the tangent t in units of the sizes: it changes at branch
    /// points and nowhere else on a smooth curve.
    pub orientation: f64,
    /// ln |det [J S; t']|, the sum of the logarithms of the singular values of J S.
    pub log_determinant: f64,
}

impl Point {
    /// A place for a point.
    pub(crate) fn blank(pattern: Pattern) -> Self {
        let unknowns = pattern.columns();
        Self {
            unknowns: vec![0.0; unknowns],
            tangent: vec![0.0; unknowns],
            arclength: 0.0,
            jacobian: BlockMatrix::zeros(pattern),
            residual: f64::INFINITY,
            iterations: 0,
            orientation: 0.0,
            log_determinant: f64::NEG_INFINITY,
        }
    }

    /// The same point with the direction of the curve reversed.
    pub(crate) fn reverse(&mut self) {
        self.tangent.iter_mut().for_each(|t| *t = -*t);
        self.orientation = -self.orientation;
    }
}
