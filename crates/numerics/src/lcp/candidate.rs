//! Is the point that belongs to a basis a solution?
//!
//! w - M z = q for n basic components is B x = q with columns e_i for w_i and -M e_i for z_i. x is refined with residuals
//! in double-double numbers, so that what cancels in the given numbers cancels here. When B and q change by a small part ε
//! of each entry, x changes by ε |B⁻¹| (|B| |x| + |q|) at most (Skeel, Journal of the ACM 26, 1979). A component less than
//! [`NEGLIGIBLE`] times this sum of terms is zero; the point is a solution if nothing else is negative, and if the zeros
//! violate no equation by more than this part of its terms.

use super::{NEGLIGIBLE, Solution, units::Problem};
use crate::dense::{Elimination, Matrix};
use crate::exact::DoubleDouble;

/// Corrections of x at most; the first few are enough unless B is singular for rounding, and then nothing is known of x.
const CORRECTIONS: usize = 12;

/// A correction below this part of the terms changes nothing that is looked at: less than a rounding of a rounding.
const CORRECTED: f64 = 1e-20;

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
    /// The point of a basis if it is a solution; `None` also for a basis that is singular, at least for
    /// rounding.
    pub(super) fn solution(&mut self, problem: &Problem, columns: &[Column]) -> Option<Candidate> {
        self.solve(problem, columns)?;
        let n = columns.len();
        let mut solution =
            Solution { z: vec![0.0; n], w: vec![0.0; n], basic: vec![false; n], residual: 0.0, isolated: true };
        let mut sizes = vec![0.0; n];
        for (k, &column) in columns.iter().enumerate() {
            let x = self.x[k].hi;
            let zero = x.abs() <= NEGLIGIBLE * self.sizes[k];
            if !zero && (x < 0.0 || matches!(column, Column::Redundant(_))) {
                return None;
            }
            let x = if zero { 0.0 } else { x };
            match column {
                Column::W(i) => solution.w[i] = x,
                Column::Z(i) => (solution.z[i], solution.basic[i], sizes[i]) = (x, true, self.sizes[k]),
                Column::Redundant(_) => (),
            }
        }
        solution.residual = residual(problem, &solution.z, &solution.w);
        (solution.residual <= NEGLIGIBLE).then_some(Candidate { solution, sizes })
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
        self.measure_terms(&problem.q)?;
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
            let small = |(dx, size): (&f64, &f64)| *size == 0.0 || dx.abs() <= CORRECTED * size;
            corrected = self.work.iter().zip(&self.sizes).all(small);
            if corrected {
                break;
            }
        }
        // Nothing is added up to a component without terms.
        let empty = self.x.iter_mut().zip(&self.sizes).filter(|(_, size)| **size == 0.0);
        empty.for_each(|(x, _)| *x = 0.0.into());
        corrected.then_some(())
    }

    /// The sizes |B⁻¹| (|B| |x| + |q|), with x as one elimination gives it.
    fn measure_terms(&mut self, q: &[f64]) -> Option<()> {
        let n = q.len();
        self.work.clear();
        self.work.extend(q);
        self.elimination.solve_in_place(&mut self.work).ok()?;
        self.weights.clear();
        self.weights.extend(q.iter().map(|q| q.abs()));
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

/// The largest |w - M z - q|_i relative to |w_i| + |q_i| + Σ_j |M_ij z_j|.
fn residual(problem: &Problem, z: &[f64], w: &[f64]) -> f64 {
    let row = |i: usize| {
        let mut defect = DoubleDouble::from(w[i]) - problem.q[i].into();
        let mut size = w[i].abs() + problem.q[i].abs();
        for (j, &z) in z.iter().enumerate().filter(|(_, z)| **z != 0.0) {
            let term = DoubleDouble::product(problem.m[(i, j)], z);
            defect -= term;
            size += term.hi.abs();
        }
        if size > 0.0 { defect.hi.abs() / size } else { 0.0 }
    };
    (0..w.len()).map(row).fold(0.0, f64::max)
}
