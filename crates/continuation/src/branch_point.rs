//! Locates simple branch points, where two curves cross, by regular extended equations, and computes both tangents there.
//!
//! At a simple branch point J has the rank n - 1: two null vectors v₁, v₂ and a left one w. With borders b and C of the size of
//! the null spaces, [J b; C' 0] [V; G] = [0; 1] gives two numbers G that vanish there, and F + β b = 0, G = 0 are n + 2 regular
//! equations for u and β: Newton's method finds the point to rounding, where a search along the curve would lose half of the
//! digits (Govaerts, section 4.1). β is zero at a branch point; in a perturbed problem it is not, and there is none.
//!
//! The tangents α v₁ + γ v₂ of both curves are the roots of the algebraic branching equation
//! a₁₁ α² + 2 a₁₂ αγ + a₂₂ γ² = 0 with a_jk = w' D²F\[v_j, v_k\] (Allgower and Georg, section 8.3), and the second derivatives are
//! differences of Jacobians along the null vectors, as in [`Singular`](crate::Singular).

use saltation_numerics::blocks::{BlockMatrix, Condensation};
use saltation_numerics::dense::Matrix;
use saltation_numerics::elementary;

use crate::arc::Arc;
use crate::augmented::{Curvature, balance};
use crate::locate::{Crossing, LocateError};
use crate::{Curve, Point, Problem, metric, null, test_function};

/// A branch point further from the cubic between two points, as a part of its length, is on another curve.
const OFF_CURVE: f64 = 0.1;

/// A point where two curves cross.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchPoint {
    /// The point, with the tangent of the curve on which it was found.
    pub point: Point,
    /// The unit tangent of the other curve, in the units of u. If `regular` is false it is only orthogonal to the first, and
    /// a null vector of J as far as that is known.
    pub other: Vec<f64>,
    /// Whether the point is a simple branch point found to rounding, with two real tangents. If not it is where the sign of
    /// det [J; t'] changes, to some eight digits.
    pub regular: bool,
}

impl<P: Problem> Curve<P> {
    /// The branch point between two neighbouring points of the curve, if the sign of det [J; t'] changes there.
    pub fn branch_point_between(
        &mut self,
        a: &Point,
        b: &Point,
    ) -> Result<Option<BranchPoint>, LocateError<P::Failure>> {
        if a.orientation == b.orientation {
            return Ok(None);
        }
        // The determinant is nearly linear between near points.
        let at = 1.0 / (1.0 + elementary::exp(b.log_determinant - a.log_determinant));
        if let Some(found) = self.refine(a, b, at) {
            return Ok(Some(found));
        }
        let point = match self.crossing_between(a, b, &mut test_function::branch_point(a))? {
            Crossing::None => return Ok(None),
            Crossing::Zero(point) => *point,
            Crossing::Jump { before, .. } => *before,
        };
        let length = Arc::new(a, b, &self.corrector.sizes).length();
        let at = if length > 0.0 { (point.arclength - a.arclength) / length } else { 0.5 };
        if let Some(found) = self.refine(a, b, at) {
            return Ok(Some(found));
        }
        let other = self.across(&point);
        Ok(Some(BranchPoint { point, other, regular: false }))
    }

    /// The regular branch point near a fraction of the cubic between two points, if Newton's method finds it there.
    fn refine(&mut self, a: &Point, b: &Point, at: f64) -> Option<BranchPoint> {
        const ITERATIONS: usize = 12;
        let sizes = self.corrector.sizes.clone();
        let arc = Arc::new(a, b, &sizes);
        let (n, m) = (a.jacobian.rows(), sizes.len());
        let mut point = a.clone();
        arc.position(at.clamp(0.0, 1.0), &mut point.unknowns);
        let mut scaled = a.jacobian.clone();
        let heights = balance(&mut scaled, &sizes);
        let mut residual = vec![0.0; n];
        let mut curvature = Curvature::new(scaled.pattern().clone());
        let mut system = BlockMatrix::zeros(scaled.pattern().with_full_column().with_rows(2));
        let mut condensation = Condensation::default();
        let mut borders: Option<Borders> = None;
        let (mut beta, mut before) = (0.0, f64::INFINITY);
        for _ in 0..ITERATIONS {
            self.problem.linearise(&point.unknowns, &mut residual, &mut point.jacobian).ok()?;
            scaled.clone_from(&point.jacobian);
            scaled.scale_columns(&sizes);
            scaled.divide_rows(&heights);
            let borders = match &mut borders {
                Some(borders) => borders,
                None => borders.insert(Borders::new(&scaled)?),
            };
            let null = borders.measure(&scaled)?;
            system.take(&scaled);
            system.set_last_column(&borders.b);
            let mut step = vec![0.0; m + 1];
            for i in 0..n {
                step[i] = -(residual[i] / heights[i] + beta * borders.b[i]);
            }
            let left: Vec<f64> = null.left.iter().zip(&heights).map(|(w, height)| w / height).collect();
            let mut form = [[0.0; 2]; 2];
            for k in 0..2 {
                curvature.direction.iter_mut().zip(&null.right[k]).zip(&sizes).for_each(|((d, v), size)| *d = v * size);
                let second = curvature.along(&mut self.problem, &point.unknowns, &point.jacobian).ok()?;
                step[n + k] = -null.g[k];
                for (j, along) in second.transposed_times(&left).iter().enumerate() {
                    system[(n + k, j)] = -along * sizes[j];
                    (0..2).for_each(|l| form[k][l] += along * sizes[j] * null.right[l][j]);
                }
            }
            condensation.factor(&system).ok()?;
            condensation.solve_in_place(&mut step).ok()?;
            let norm = metric::euclidean(&step);
            for ((u, d), size) in point.unknowns.iter_mut().zip(&step).zip(&sizes) {
                *u += d * size;
            }
            beta += step[m];
            let small = norm <= 1e-14 || (norm <= self.settings.tolerance && norm >= 0.5 * before);
            if !small {
                before = norm;
                continue;
            }
            // A branch point on this curve: F = 0 there, and it is where the curve passes.
            let length = arc.length();
            let passed = metric::distance(&point.unknowns, &a.unknowns, &sizes) / length;
            let mut passing = vec![0.0; m];
            arc.position(passed.clamp(0.0, 1.0), &mut passing);
            let off = metric::distance(&point.unknowns, &passing, &sizes);
            if beta.abs() > 10.0 * self.settings.tolerance || off > OFF_CURVE * length {
                return None;
            }
            return self.tangents(point, &arc, &null.right, form);
        }
        None
    }

    /// Both tangents, by the algebraic branching equation.
    fn tangents(
        &self,
        mut point: Point,
        arc: &Arc<'_>,
        null: &[Vec<f64>; 2],
        [[a, h], [h_again, c]]: [[f64; 2]; 2],
    ) -> Option<BranchPoint> {
        let sizes = &self.corrector.sizes;
        let h = 0.5 * (h + h_again);
        let root = h * h - a * c;
        let largest = a.abs().max(h.abs()).max(c.abs());
        // Nothing but the rounding of the differences: the curves touch, or do not cross.
        if root <= (1e-7 * largest).powi(2) || largest == 0.0 {
            return None;
        }
        // a α² + 2 h αγ + c γ² = 0 without cancellation: with q = -(h ± √) its roots are (α : γ) = (q : a) and (c : q).
        let q = -(h + root.sqrt().copysign(h));
        let mut directions = [(q, a), (c, q)].map(|(alpha, gamma)| {
            let mut direction: Vec<f64> = null[0].iter().zip(&null[1]).map(|(v, w)| alpha * v + gamma * w).collect();
            metric::normalise(&mut direction);
            direction
        });
        let passed = metric::distance(&point.unknowns, &arc.from().unknowns, sizes) / arc.length();
        let mut along = vec![0.0; sizes.len()];
        arc.direction(passed.clamp(0.0, 1.0), sizes, &mut along);
        let parallel = |direction: &[f64]| metric::dot(direction, &along);
        if parallel(&directions[0]).abs() < parallel(&directions[1]).abs() {
            directions.swap(0, 1);
        }
        let [mut own, other] = directions;
        if parallel(&own) < 0.0 {
            own.iter_mut().for_each(|t| *t = -*t);
        }
        let in_units = |direction: Vec<f64>| direction.iter().zip(sizes).map(|(t, size)| t * size).collect();
        point.tangent = in_units(own);
        point.arclength = arc.from().arclength + passed * arc.length();
        (point.orientation, point.log_determinant) = (0.0, f64::NEG_INFINITY);
        Some(BranchPoint { point, other: in_units(other), regular: true })
    }

    /// A direction orthogonal to the tangent which J takes nearly to nothing: of its two smallest right singular vectors that
    /// combination which is.
    fn across(&self, point: &Point) -> Vec<f64> {
        let sizes = &self.corrector.sizes;
        let m = sizes.len();
        let tangent: Vec<f64> = point.tangent.iter().zip(sizes).map(|(t, size)| t / size).collect();
        let padded = Matrix::from_fn(m, m, |i, j| if i + 1 == m { 0.0 } else { point.jacobian[(i, j)] * sizes[j] });
        let Ok((_, _, right)) = padded.singular_vectors() else { return point.tangent.clone() };
        let (v, w) = (right.column(m.saturating_sub(2)), right.column(m - 1));
        let (along_v, along_w) = (metric::dot(v, &tangent), metric::dot(w, &tangent));
        v.iter().zip(w).zip(sizes).map(|((v, w), size)| (along_w * v - along_v * w) * size).collect()
    }
}

/// The null vectors of the bordered matrix.
struct Null {
    right: [Vec<f64>; 2],
    left: Vec<f64>,
    g: [f64; 2],
}

/// The borders b and C, which stay what they were at first.
struct Borders {
    b: Vec<f64>,
    c: [Vec<f64>; 2],
    bordered: BlockMatrix,
    condensation: Condensation,
}

impl Borders {
    /// The singular vectors of the smallest singular value, and the vector that is always taken to zero.
    fn new(jacobian: &BlockMatrix) -> Option<Self> {
        let (n, m) = (jacobian.rows(), jacobian.columns());
        let mut borders = Self {
            b: vec![0.0; n],
            c: [vec![0.0; m], vec![0.0; m]],
            bordered: BlockMatrix::zeros(jacobian.pattern().with_full_column().with_rows(2)),
            condensation: Condensation::default(),
        };
        if jacobian.pattern().is_dense() {
            let padded = Matrix::from_fn(m, m, |i, j| if i < n { jacobian[(i, j)] } else { 0.0 });
            let (left, _, right) = padded.singular_vectors().ok()?;
            borders.b.copy_from_slice(&left.column(m.checked_sub(2)?)[..n]);
            borders.c = [right.column(m - 2).to_vec(), right.column(m - 1).to_vec()];
            return Some(borders);
        }
        null::start(&mut borders.b);
        let [first, second] = &mut borders.c;
        null::start(first);
        second.iter_mut().zip(first.iter().rev()).for_each(|(c, start)| *c = *start);
        for _ in 0..null::MOST_STEPS {
            let Null { right: [mut v, mut w], mut left, .. } = borders.measure(jacobian)?;
            metric::normalise(&mut left);
            metric::normalise(&mut v);
            let along = metric::dot(&v, &w);
            w.iter_mut().zip(&v).for_each(|(w, v)| *w -= along * v);
            metric::normalise(&mut w);
            (borders.b, borders.c) = (left, [v, w]);
        }
        Some(borders)
    }

    fn measure(&mut self, jacobian: &BlockMatrix) -> Option<Null> {
        let (n, m) = (jacobian.rows(), jacobian.columns());
        self.bordered.take(jacobian);
        self.bordered.set_last_column(&self.b);
        for (k, c) in self.c.iter().enumerate() {
            c.iter().enumerate().for_each(|(j, c)| self.bordered[(n + k, j)] = *c);
        }
        self.condensation.factor(&self.bordered).ok()?;
        let mut g = [0.0; 2];
        let mut right = [vec![0.0; m + 1], vec![0.0; m + 1]];
        for (k, right) in right.iter_mut().enumerate() {
            right[n + k] = 1.0;
            self.condensation.solve_in_place(right).ok()?;
            g[k] = right.pop()?;
        }
        let mut left = vec![0.0; m + 1];
        left[m] = 1.0;
        self.condensation.solve_transposed_in_place(&mut left).ok()?;
        left.truncate(n);
        Some(Null { right, left, g })
    }
}
