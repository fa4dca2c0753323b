//! Nonlinear least squares between bounds: the method of Levenberg and Marquardt with the column scaling of Moré, each step by singular values.
//!
//! D. W. Marquardt, J. SIAM 11 (1963) 431; J. J. Moré, Lecture Notes in Mathematics 630 (1978) 105; the damping is that of H. B. Nielsen, IMM-REP-1999-05. At a
//! bound the components that would leave are held (C. Kanzow, N. Yamashita & M. Fukushima, J. Comput. Appl. Math. 172 (2004) 375).

use crate::dense::{Failure, Matrix};

/// The damping of the first step, relative to the scaled Jacobian, whose columns have length one.
const FIRST_DAMPING: f64 = 1e-3;
/// Where the linear model has foretold the sum of squares, damping falls as fast as it was right, but to no less than this part at once.
const LEAST_PART: f64 = 1e-3;
/// With more damping than this a step is rounding.
const MOST_DAMPING: f64 = 1e20;
/// A step shorter than this part of the unknowns and their sizes changes nothing but rounding.
const STEP_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Residuals at a point, with their derivatives.
#[derive(Debug, Clone, PartialEq)]
pub struct Linearised {
    /// The residuals.
    pub residuals: Vec<f64>,
    /// Their derivatives: one row per residual, one column per unknown. A row that is not finite takes no part in steps.
    pub jacobian: Matrix,
    /// What the sum of squares has besides, constant near the point.
    pub more: f64,
}

impl Linearised {
    /// The sum of squares that is minimised.
    pub fn sum(&self) -> f64 {
        self.residuals.iter().map(|r| r * r).sum::<f64>() + self.more
    }

    /// How far a change of the unknowns is, to first order: in standard errors, if residuals have unit variance.
    pub fn distance(&self, change: &[f64]) -> f64 {
        let row = |i: usize| change.iter().enumerate().map(|(j, change)| self.jacobian[(i, j)] * change).sum::<f64>();
        let squares = (0..self.jacobian.rows()).map(row).filter(|row| row.is_finite()).map(|row| row * row);
        squares.sum::<f64>().sqrt()
    }

    /// Q' r and R of the rows whose derivatives are finite, with these columns.
    fn triangle(&self, columns: &[usize]) -> Result<(Vec<f64>, Matrix), Failure> {
        let jacobian = &self.jacobian;
        let known = |i: &usize| columns.iter().all(|&j| jacobian[(*i, j)].is_finite());
        let rows: Vec<usize> = (0..jacobian.rows()).filter(known).collect();
        let (q, r) = Matrix::from_fn(rows.len(), columns.len(), |i, k| jacobian[(rows[i], columns[k])]).qr()?;
        let dot = |k: usize| q.column(k).iter().zip(&rows).map(|(q, &i)| q * self.residuals[i]).sum();
        Ok(((0..q.columns()).map(dot).collect(), r))
    }
}

/// What is known of the unknowns before.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknowns {
    /// The least value of each, or minus infinity.
    pub lower: Vec<f64>,
    /// The greatest value of each, or infinity.
    pub upper: Vec<f64>,
    /// A change of each that is not small.
    pub sizes: Vec<f64>,
}

impl Unknowns {
    /// Moves a point between the bounds.
    pub fn project(&self, point: &mut [f64]) {
        for (j, x) in point.iter_mut().enumerate() {
            *x = x.max(self.lower[j]).min(self.upper[j]);
        }
    }
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// No step makes the sum of squares smaller by a part that counts.
    Converged,
    /// After the largest number of steps.
    Steps,
    /// No step made it smaller, although the derivatives promise it.
    Stuck,
    /// The search was interrupted.
    Interrupted,
}

/// The end of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    /// Where.
    pub at: Vec<f64>,
    /// The residuals there.
    pub there: Linearised,
    /// The number of steps that were taken.
    pub steps: usize,
    /// By how much the best step of the linear model there would lower the sum of squares.
    pub promised: f64,
    /// How it ended.
    pub ended: Ended,
}

/// When a search ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The largest number of steps.
    pub steps: usize,
    /// A step that is expected to lower the sum by less than this part of it is not taken,
    pub reduction: f64,
    /// nor one that is expected to lower it by less than this: its square root is the change of the unknowns in standard errors, if residuals have unit variance.
    pub least: f64,
}

/// A point with residuals, or the reason why there is none.
pub enum Trial {
    /// Residuals.
    Known(Linearised),
    /// The point has none.
    Nothing,
    /// The search is to end.
    Interrupted,
}

/// The least sum of squares near a point: a local minimum. `evaluate` gives the residuals at a point, and nothing where there are none: a shorter step is tried then.
///
/// Returns nothing if there are no residuals at the start.
///
/// ```
/// use saltation_numerics::dense::Matrix;
/// use saltation_numerics::least_squares::{Ended, Limits, Linearised, Trial, Unknowns, minimise};
///
/// // Rosenbrock's valley: 10 (y - x²) and 1 - x.
/// let mut valley = |p: &[f64]| {
///     let (x, y) = (p[0], p[1]);
///     let jacobian = Matrix::from_rows([[-20.0 * x, 10.0], [-1.0, 0.0]]);
///     Trial::Known(Linearised { residuals: vec![10.0 * (y - x * x), 1.0 - x], jacobian, more: 0.0 })
/// };
/// let free = Unknowns { lower: vec![f64::NEG_INFINITY; 2], upper: vec![f64::INFINITY; 2], sizes: vec![1.0; 2] };
/// let limits = Limits { steps: 100, reduction: 1e-12, least: 0.0 };
/// let found = minimise(&[-1.2, 1.0], &free, limits, &mut valley).unwrap();
/// assert!(found.ended == Ended::Converged && found.at.iter().all(|x| (x - 1.0).abs() < 1e-12));
///
/// let bounded = Unknowns { upper: vec![0.5, f64::INFINITY], ..free };
/// let found = minimise(&[-1.2, 1.0], &bounded, limits, &mut valley).unwrap();
/// assert!(found.at[0] == 0.5 && (found.at[1] - 0.25).abs() < 1e-6);
/// ```
///
/// # Panics
/// If numbers of unknowns do not agree.
pub fn minimise(
    start: &[f64],
    unknowns: &Unknowns,
    limits: Limits,
    evaluate: &mut dyn FnMut(&[f64]) -> Trial,
) -> Option<Minimum> {
    let n = start.len();
    assert!(
        unknowns.lower.len() == n && unknowns.upper.len() == n && unknowns.sizes.len() == n,
        "as many bounds as unknowns"
    );
    let mut at = start.to_vec();
    unknowns.project(&mut at);
    let Trial::Known(mut there) = evaluate(&at) else { return None };
    let mut scales = vec![0.0_f64; n];
    let (mut damping, mut growth) = (FIRST_DAMPING, 2.0);
    let mut steps = 0;
    let ended = loop {
        if steps == limits.steps {
            break Ended::Steps;
        }
        let Some(model) = Model::new(&there, &at, unknowns, &mut scales) else { break Ended::Converged };
        let sum = there.sum();
        let taken = loop {
            let trial = model.step(damping, &at, unknowns);
            let change: Vec<f64> = trial.iter().zip(&at).map(|(new, old)| new - old).collect();
            let moves = |j: usize| change[j].abs() > STEP_ROUNDING * at[j].abs().max(unknowns.sizes[j]);
            let expected = model.reduction(&change);
            if !(0..n).any(moves) || expected <= (limits.reduction * sum).max(limits.least) {
                // A step that damping has made short says nothing about the minimum.
                break Err(if damping <= FIRST_DAMPING { Ended::Converged } else { Ended::Stuck });
            }
            match evaluate(&trial) {
                Trial::Interrupted => break Err(Ended::Interrupted),
                Trial::Known(next) if next.sum() < sum => {
                    let gain = (sum - next.sum()) / expected;
                    damping *= (1.0 - (2.0 * gain - 1.0).powi(3)).max(LEAST_PART);
                    growth = 2.0;
                    break Ok((trial, next));
                }
                _ => {
                    damping *= growth;
                    growth *= 2.0;
                }
            }
            if damping > MOST_DAMPING {
                break Err(Ended::Stuck);
            }
        };
        match taken {
            Ok((point, value)) => (at, there, steps) = (point, value, steps + 1),
            Err(ended) => break ended,
        }
    };
    let promised =
        Model::new(&there, &at, unknowns, &mut scales).map_or(0.0, |model| model.reduction_of_all(&at, unknowns));
    Some(Minimum { at, there, steps, promised, ended })
}

/// The linear model near a point: of the columns that are not held at a bound.
struct Model {
    columns: Vec<usize>,
    scales: Vec<f64>,
    /// R of the columns and Q' r.
    triangle: Matrix,
    part: Vec<f64>,
    whole: Singular,
}

/// Some columns of it in their scales: their singular values and vectors.
struct Singular {
    left: Matrix,
    values: Vec<f64>,
    right: Matrix,
}

impl Model {
    /// Nothing where no unknown can move.
    fn new(there: &Linearised, at: &[f64], unknowns: &Unknowns, scales: &mut [f64]) -> Option<Model> {
        let jacobian = &there.jacobian;
        let mut columns = Vec::new();
        for (j, scale) in scales.iter_mut().enumerate() {
            let known = there.residuals.iter().zip(jacobian.column(j)).filter(|(_, a)| a.is_finite());
            let (slope, square) = known.fold((0.0, 0.0), |(slope, square), (r, a)| (slope + r * a, square + a * a));
            *scale = scale.max(square.sqrt());
            let held = at[j] <= unknowns.lower[j] && slope >= 0.0 || at[j] >= unknowns.upper[j] && slope <= 0.0;
            if !held && square > 0.0 {
                columns.push(j);
            }
        }
        if columns.is_empty() {
            return None;
        }
        let (part, triangle) = there.triangle(&columns).ok()?;
        let scales: Vec<f64> = columns.iter().map(|&j| scales[j]).collect();
        let all: Vec<usize> = (0..columns.len()).collect();
        let whole = Singular::of(&triangle, &scales, &all)?;
        Some(Model { columns, scales, triangle, part, whole })
    }

    /// The point after a step with some damping. A component that would leave its bounds ends there, and the others are chosen anew.
    fn step(&self, damping: f64, at: &[f64], unknowns: &Unknowns) -> Vec<f64> {
        let mut point = at.to_vec();
        let mut inner: Vec<usize> = (0..self.columns.len()).collect();
        let mut part = self.part.clone();
        let mut own = None;
        loop {
            let singular = own.as_ref().unwrap_or(&self.whole);
            let changes = singular.step(damping, &part);
            let mut beyond = Vec::new();
            for (&k, change) in inner.iter().zip(&changes) {
                let (j, s) = (self.columns[k], change / self.scales[k]);
                let bounded = (at[j] + s).max(unknowns.lower[j]).min(unknowns.upper[j]);
                if bounded != at[j] + s {
                    beyond.push(k);
                    let moved = bounded - at[j];
                    part.iter_mut().enumerate().for_each(|(i, r)| *r += self.triangle[(i, k)] * moved);
                }
                point[j] = bounded;
            }
            inner.retain(|k| !beyond.contains(k));
            if beyond.is_empty() || inner.is_empty() {
                return point;
            }
            own = Singular::of(&self.triangle, &self.scales, &inner);
            if own.is_none() {
                return point;
            }
        }
    }

    /// By how much a change of all unknowns lowers the sum of squares of the model: |r|² - |r + R s|².
    fn reduction(&self, change: &[f64]) -> f64 {
        let row =
            |i: usize| self.columns.iter().enumerate().map(|(k, &j)| self.triangle[(i, k)] * change[j]).sum::<f64>();
        self.part.iter().enumerate().map(|(i, r)| -row(i) * (2.0 * r + row(i))).sum()
    }

    /// By how much the best step without damping lowers it.
    fn reduction_of_all(&self, at: &[f64], unknowns: &Unknowns) -> f64 {
        let point = self.step(0.0, at, unknowns);
        let change: Vec<f64> = point.iter().zip(at).map(|(new, old)| new - old).collect();
        self.reduction(&change)
    }
}

impl Singular {
    fn of(triangle: &Matrix, scales: &[f64], columns: &[usize]) -> Option<Singular> {
        let entry = |i: usize, k: usize| triangle[(i, columns[k])] / scales[columns[k]];
        let scaled = Matrix::from_fn(triangle.rows(), columns.len(), entry);
        let (left, values, right) = scaled.singular_vectors().ok()?;
        Some(Singular { left, values, right })
    }

    /// The step with some damping, in the scales.
    fn step(&self, damping: f64, part: &[f64]) -> Vec<f64> {
        let mut step = vec![0.0; self.right.rows()];
        for (k, &value) in self.values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
            let along: f64 = self.left.column(k).iter().zip(part).map(|(u, r)| u * r).sum();
            let factor = -along * value / (value * value + damping);
            step.iter_mut().enumerate().for_each(|(i, s)| *s += factor * self.right[(i, k)]);
        }
        step
    }
}

/// What residuals of unit variance say about the unknowns, to first order.
#[derive(Debug, Clone, PartialEq)]
pub struct Information {
    /// The covariance of the unknowns; NaN in the rows and columns of those that are not determined.
    pub covariance: Matrix,
    /// Directions in which the residuals do not change, one column each, in units of the sizes.
    pub undetermined: Matrix,
}

/// The covariance (J'J)⁻¹ of some unknowns by singular values, columns in units of `sizes`; singular values up to `tolerance` times the largest count as zero.
///
/// ```
/// use saltation_numerics::dense::Matrix;
/// use saltation_numerics::least_squares::{Linearised, information};
/// let there = Linearised { residuals: vec![0.0; 2], jacobian: Matrix::from_rows([[2.0, 2.0], [0.0, 0.0]]), more: 0.0 };
/// assert_eq!(information(&there, &[0], &[1.0], 1e-9).unwrap().covariance[(0, 0)], 0.25);
/// assert_eq!(information(&there, &[0, 1], &[1.0; 2], 1e-9).unwrap().undetermined.columns(), 1); // the sum alone is known
/// ```
///
/// # Errors
/// If there is no derivative that is finite.
pub fn information(
    there: &Linearised,
    columns: &[usize],
    sizes: &[f64],
    tolerance: f64,
) -> Result<Information, Failure> {
    let n = columns.len();
    let (_, triangle) = there.triangle(columns)?;
    // With rows of zeros null vectors of few residuals show as well.
    let rows = triangle.rows().max(n);
    let scaled = Matrix::from_fn(rows, n, |i, k| if i < triangle.rows() { triangle[(i, k)] * sizes[k] } else { 0.0 });
    let (_, values, right) = scaled.singular_vectors()?;
    let least = tolerance * values.first().copied().unwrap_or(0.0);
    let known = values.iter().take_while(|value| **value > least).count();
    let sum =
        |i: usize, j: usize| (0..known).map(|k| right[(i, k)] * right[(j, k)] / (values[k] * values[k])).sum::<f64>();
    let lost = |i: usize| (known..n).map(|k| right[(i, k)] * right[(i, k)]).sum::<f64>() > tolerance * tolerance;
    let entry = |i: usize, j: usize| if lost(i) || lost(j) { f64::NAN } else { sizes[i] * sizes[j] * sum(i, j) };
    Ok(Information {
        covariance: Matrix::from_fn(n, n, entry),
        undetermined: Matrix::from_fn(n, n - known, |i, k| right[(i, known + k)]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two unknowns whose columns nearly agree: the sum of both is known ten thousand times better than their difference.
    #[test]
    fn what_the_linear_model_foretells_is_soon_undamped() {
        let mut nearly_alike = |p: &[f64]| {
            let jacobian = Matrix::from_rows([[1.0, 1.0], [1e-4, -1e-4]]);
            let residuals = vec![p[0] + p[1] - 3.0, 1e-4 * (p[0] - p[1] - 1.0)];
            Trial::Known(Linearised { residuals, jacobian, more: 0.0 })
        };
        let free = Unknowns { lower: vec![f64::NEG_INFINITY; 2], upper: vec![f64::INFINITY; 2], sizes: vec![1.0; 2] };
        let limits = Limits { steps: 100, reduction: 0.0, least: 1e-24 };
        let found = minimise(&[0.0, 0.0], &free, limits, &mut nearly_alike).unwrap();
        assert!((found.at[0] - 2.0).abs() < 1e-7 && (found.at[1] - 1.0).abs() < 1e-7, "{:?}", found.at);
        assert!(found.ended == Ended::Converged && found.steps <= 5, "{} steps", found.steps);
    }
}
