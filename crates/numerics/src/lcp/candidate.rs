//! Decides whether a complementary cone contains q: the solution of its basis in double-double arithmetic, and, where an entry is negative by
//! rounding only, the nearest problem that has a solution.
//!
//! w - M z = q for n basic components is B x = q with columns e_i for w_i and -M e_i for z_i. x is refined with residuals
//! in double-double numbers, so that what cancels in the given numbers cancels here. When B and q change by a small part ε
//! of each entry, x changes by ε |B⁻¹| (|B| |x| + |q|) at most (Skeel, Journal of the ACM 26, 1979). A component less than
//! [`NEGLIGIBLE`] times this sum of terms may be zero, and a more negative one excludes the cone. If some may be, they are left out and the others
//! fitted to q, each equation in units of its terms: the defect that remains is the change of the problem that makes them zero.

use super::{NEGLIGIBLE, Solution, convex::convex, units::Problem};
use crate::dense::{Elimination, Matrix};
use crate::exact::DoubleDouble;

/// Corrections of x at most; the first few are enough unless B is singular for rounding, and then x is undetermined.
const CORRECTIONS: usize = 12;

/// Corrections below this part of the terms are irrelevant: a rounding error of a rounding error.
const NEGLIGIBLE_CORRECTION: f64 = 1e-20;

/// A column of a basis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// e_i, whose component is w_i.
    W(usize),
    /// -M e_i, whose component is z_i.
    Z(usize),
    /// e_i for an equation that follows from the others; its component must be zero.
    Redundant(usize),
}

/// A basis is singular, at least for rounding, and its point is undetermined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Singular;

/// A solution in the units of the problem, and how large the terms of z are.
pub(super) struct Candidate {
    pub(super) solution: Solution,
    /// (|B⁻¹| (|B| |x| + |q|))_i for basic z_i, zero for others.
    pub(super) sizes: Vec<f64>,
}

/// Memory for the points of bases.
#[derive(Default)]
pub(super) struct Points {
    basis: Matrix,
    elimination: Elimination,
    x: Vec<DoubleDouble>,
    residual: Vec<DoubleDouble>,
    sizes: Vec<f64>,
    weights: Vec<f64>,
    work: Vec<f64>,
}

impl Points {
    /// The point of a basis if it is a solution.
    ///
    /// # Errors
    /// If the basis is singular, at least for rounding.
    pub(super) fn solution(&mut self, problem: &Problem, columns: &[Column]) -> Result<Option<Candidate>, Singular> {
        self.solve(problem, columns).ok_or(Singular)?;
        let negligible = |k: usize| self.x[k].hi.abs() <= NEGLIGIBLE * self.sizes[k];
        let excluded =
            |k: usize| self.x[k].hi < 0.0 || self.x[k].hi != 0.0 && matches!(columns[k], Column::Redundant(_));
        let n = columns.len();
        if (0..n).any(|k| excluded(k) && !negligible(k)) {
            return Ok(None);
        }
        let zeros = |zero: &dyn Fn(usize) -> bool| (0..n).map(zero).collect::<Vec<bool>>();
        let most = zeros(&negligible);
        let fewest = zeros(&|k| excluded(k) || self.x[k].hi == 0.0);
        Ok(self.with_zeros(problem, columns, &most).or_else(|| self.with_zeros(problem, columns, &fewest)))
    }

    /// The point near x in which some components are zero, if it satisfies all equations within rounding errors.
    fn with_zeros(&self, problem: &Problem, columns: &[Column], zero: &[bool]) -> Option<Candidate> {
        let n = columns.len();
        let mut x: Vec<f64> = (0..n).map(|k| if zero[k] { 0.0 } else { self.x[k].hi }).collect();
        if (0..n).any(|k| zero[k] && self.x[k].hi != 0.0) {
            self.fit(&problem.q, zero, &mut x)?;
        }
        let mut solution =
            Solution { z: vec![0.0; n], w: vec![0.0; n], basic: vec![false; n], residual: 0.0, isolated: true };
        let mut sizes = vec![0.0; n];
        for (k, &column) in columns.iter().enumerate() {
            match column {
                Column::W(i) => solution.w[i] = x[k],
                Column::Z(i) => (solution.z[i], solution.basic[i], sizes[i]) = (x[k], true, self.sizes[k]),
                Column::Redundant(_) => (),
            }
        }
        solution.residual = residual(problem, &solution.z, &solution.w);
        (solution.residual <= NEGLIGIBLE && depends_on_q(problem, &solution)).then_some(Candidate { solution, sizes })
    }

    /// Fits the nonzero components to q by least squares, each equation in units of its terms.
    fn fit(&self, q: &[f64], zero: &[bool], x: &mut [f64]) -> Option<()> {
        let n = x.len();
        let kept: Vec<usize> = (0..n).filter(|&k| !zero[k]).collect();
        let defect = |i: usize| {
            let terms = kept.iter().map(|&k| self.x[k] * self.basis[(i, k)].into());
            terms.fold(DoubleDouble::from(q[i]), |sum, term| sum - term).hi
        };
        let rows: Vec<usize> = (0..n).filter(|&i| self.weights[i] > 0.0).collect();
        if kept.is_empty() {
            return Some(());
        }
        let scaled =
            Matrix::from_fn(rows.len(), kept.len(), |i, k| self.basis[(rows[i], kept[k])] / self.weights[rows[i]]);
        let right: Vec<f64> = rows.iter().map(|&i| defect(i) / self.weights[i]).collect();
        let change = scaled.least_squares(&right, f64::EPSILON).ok()?.x;
        for (&k, change) in kept.iter().zip(change) {
            x[k] = (self.x[k] + change.into()).hi;
        }
        kept.iter().all(|&k| x[k] >= 0.0).then_some(())
    }

    /// The point of a singular cone whose equations are violated least, each in units of the terms of q, if it is a solution.
    pub(super) fn nearest(&mut self, problem: &Problem, columns: &[Column]) -> Option<Candidate> {
        let n = columns.len();
        let largest = problem.sizes.iter().fold(0.0f64, |largest, &size| largest.max(size));
        let weight = |i: usize| problem.sizes[i].max(NEGLIGIBLE * largest).max(f64::MIN_POSITIVE);
        let entry = |i: usize, k: usize| match columns[k] {
            Column::Z(j) => -problem.m[(i, j)] / weight(i),
            Column::W(j) | Column::Redundant(j) => f64::from(i == j) / weight(i),
        };
        let dot = |j: usize, k: usize| (0..n).map(|i| entry(i, j) * entry(i, k)).sum::<f64>();
        let right: Vec<f64> =
            (0..n).map(|k| -(0..n).map(|i| entry(i, k) * problem.q[i] / weight(i)).sum::<f64>()).collect();
        let sizes: Vec<f64> =
            (0..n).map(|k| (0..n).map(|i| entry(i, k).abs() * problem.sizes[i] / weight(i)).sum()).collect();
        let fitted = convex(&Matrix::from_fn(n, n, dot), &right, &sizes).ok()?.solutions.pop()?;
        let zero: Vec<bool> = fitted.z.iter().map(|&x| x <= 0.0).collect();
        self.basis = Matrix::from_fn(n, n, |i, k| entry(i, k) * weight(i));
        self.x = fitted.z.iter().map(|&x| x.into()).collect();
        self.weights = (0..n).map(weight).collect();
        self.sizes = fitted.z;
        let mut x: Vec<f64> = self.sizes.clone();
        self.fit(&problem.q, &zero, &mut x)?;
        self.x = x.iter().map(|&x| x.into()).collect();
        self.with_zeros(problem, columns, &zero)
    }

    /// x = B⁻¹q and the sizes of its terms.
    fn solve(&mut self, problem: &Problem, columns: &[Column]) -> Option<()> {
        let n = columns.len();
        if self.basis.rows() != n {
            self.basis = Matrix::zeros(n, n);
        }
        for (k, &column) in columns.iter().enumerate() {
            let place = self.basis.column_mut(k);
            match column {
                Column::W(i) | Column::Redundant(i) => {
                    place.fill(0.0);
                    place[i] = 1.0;
                }
                Column::Z(j) => place.iter_mut().zip(problem.m.column(j)).for_each(|(b, m)| *b = -m),
            }
        }
        self.elimination.factor(&self.basis).ok()?;
        self.measure_terms(problem)?;
        self.x.clear();
        self.x.resize(n, 0.0.into());
        let mut corrected = false;
        for _ in 0..CORRECTIONS {
            self.residual.clear();
            self.residual.extend(problem.q.iter().map(|&q| DoubleDouble::from(q)));
            for (k, &x) in self.x.iter().enumerate().filter(|(_, x)| x.hi != 0.0) {
                for (r, &b) in self.residual.iter_mut().zip(self.basis.column(k)).filter(|(_, b)| **b != 0.0) {
                    *r -= x * b.into();
                }
            }
            self.work.iter_mut().zip(&self.residual).for_each(|(work, r)| *work = r.hi);
            self.elimination.solve_in_place(&mut self.work).ok()?;
            self.x.iter_mut().zip(&self.work).for_each(|(x, &dx)| *x += dx.into());
            let small = |(dx, size): (&f64, &f64)| *size == 0.0 || dx.abs() <= NEGLIGIBLE_CORRECTION * size;
            corrected = self.work.iter().zip(&self.sizes).all(small);
            if corrected {
                break;
            }
        }
        // A component without terms is zero.
        let empty = self.x.iter_mut().zip(&self.sizes).filter(|(_, size)| **size == 0.0);
        empty.for_each(|(x, _)| *x = 0.0.into());
        corrected.then_some(())
    }

    /// The sizes |B⁻¹| (|B| |x| + |q|), with x as one elimination gives it.
    fn measure_terms(&mut self, problem: &Problem) -> Option<()> {
        let n = problem.size();
        self.work.clear();
        self.work.extend(&problem.q);
        self.elimination.solve_in_place(&mut self.work).ok()?;
        self.weights.clear();
        self.weights.extend(&problem.sizes);
        for (k, x) in self.work.iter().enumerate() {
            let terms = self.weights.iter_mut().zip(self.basis.column(k));
            terms.for_each(|(weight, b)| *weight += (b * x).abs());
        }
        self.sizes.clear();
        self.sizes.resize(n, 0.0);
        for (k, &weight) in self.weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            self.work.fill(0.0);
            self.work[k] = weight;
            self.elimination.solve_in_place(&mut self.work).ok()?;
            self.sizes.iter_mut().zip(&self.work).for_each(|(size, x)| *size += x.abs());
        }
        Some(())
    }
}

/// Whether q is significant relative to the terms of a solution in any equation. Self-equilibrated forces may have any size, and where they are so large that the
/// rounding error of their balance exceeds q, the same point solves the problem without q and is not a solution of this one.
fn depends_on_q(problem: &Problem, solution: &Solution) -> bool {
    let terms = |i: usize| {
        let parts = solution.z.iter().enumerate().map(|(j, z)| (problem.m[(i, j)] * z).abs());
        parts.fold(solution.w[i].abs() + problem.sizes[i], |sum, part| sum + part)
    };
    let mut loaded = (0..solution.z.len()).filter(|&i| problem.sizes[i] > 0.0).peekable();
    loaded.peek().is_none() || loaded.any(|i| problem.sizes[i] > NEGLIGIBLE * terms(i))
}

/// The largest |w - M z - q|_i relative to |w_i| + |q_i| + Σ_j |M_ij z_j|.
fn residual(problem: &Problem, z: &[f64], w: &[f64]) -> f64 {
    let row = |i: usize| {
        let mut defect = DoubleDouble::from(w[i]) - problem.q[i].into();
        let mut size = w[i].abs() + problem.sizes[i];
        for (j, &z) in z.iter().enumerate().filter(|(_, z)| **z != 0.0) {
            let term = DoubleDouble::product(problem.m[(i, j)], z);
            defect -= term;
            size += term.hi.abs();
        }
        if size > 0.0 { defect.hi.abs() / size } else { 0.0 }
    };
    (0..w.len()).map(row).fold(0.0, f64::max)
}

/// Column i of a cone.
pub(super) fn column(mask: u32, i: usize) -> Column {
    if mask >> i & 1 == 1 { Column::Z(i) } else { Column::W(i) }
}
