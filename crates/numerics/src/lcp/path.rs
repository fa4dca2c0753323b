//! Lemke's method of complementary pivots.
//!
//! w - M z - d z₀ = q with d = (1, ..., 1): z₀ begins so large that w >= 0, and the component whose partner has just become
//! zero enters the basis until z₀ itself leaves it, or nothing does (Lemke, Management Science 11, 1965). Ties are
//! decided lexicographically by the rows of (B⁻¹q, B⁻¹), which stay positive in this order, so that no basis recurs.

use super::candidate::{Column, Points};
use super::{Failure, Solution, polyhedron::difference, units::Problem};

/// An entry below this part of the largest of its column is a rounding error and not a pivot.
const ZERO_PIVOT: f64 = 1e-11;

/// The largest number of pivots per component: beyond it rounding errors cycle, and the path is as undecided as in a ray.
const PIVOTS: usize = 1000;

/// The equations solved for the basic components.
struct Tableau {
    n: usize,
    /// Row by row the columns of w, z and z₀ and the right-hand side.
    rows: Vec<f64>,
    /// The component of each row: i for w_i, n + i for z_i, 2 n for z₀.
    basic: Vec<usize>,
    top: Vec<f64>,
}

impl Tableau {
    fn new(problem: &Problem) -> Self {
        let n = problem.size();
        let mut rows = Vec::with_capacity(n * (2 * n + 2));
        for i in 0..n {
            rows.extend((0..n).map(|j| f64::from(i == j)));
            rows.extend((0..n).map(|j| -problem.m[(i, j)]));
            rows.extend([-1.0, problem.q[i]]);
        }
        Self { n, rows, basic: (0..n).collect(), top: Vec::new() }
    }

    fn width(&self) -> usize {
        2 * self.n + 2
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        self.rows[row * self.width() + column]
    }

    /// Whether row i over its entry in `column` comes lexicographically before row k.
    fn before(&self, i: usize, k: usize, column: usize) -> bool {
        let right = 2 * self.n + 1;
        let (a, b) = (self.entry(k, column), self.entry(i, column));
        for place in core::iter::once(right).chain(0..self.n) {
            let order = difference(self.entry(i, place) * a, self.entry(k, place) * b);
            // z₀ leaves the basis as soon as possible.
            if order == 0.0 && place == right && (self.is_last(i) || self.is_last(k)) {
                return self.is_last(i);
            }
            if order != 0.0 {
                return order < 0.0;
            }
        }
        false
    }

    fn is_last(&self, row: usize) -> bool {
        self.basic[row] == 2 * self.n
    }

    /// The row in which `column` enters; `None` for a ray.
    fn leaving(&self, column: usize) -> Option<usize> {
        let largest = (0..self.n).fold(0.0f64, |largest, i| largest.max(self.entry(i, column).abs()));
        let candidates = (0..self.n).filter(|&i| self.entry(i, column) > ZERO_PIVOT * largest);
        candidates.reduce(|best, i| if self.before(i, best, column) { i } else { best })
    }

    /// `column` becomes basic in `row`; the component that leaves.
    fn pivot(&mut self, row: usize, column: usize) -> usize {
        let width = self.width();
        let pivot = self.entry(row, column);
        self.top.clear();
        self.top.extend(self.rows[row * width..(row + 1) * width].iter().map(|x| x / pivot));
        for (i, other) in self.rows.chunks_exact_mut(width).enumerate() {
            let factor = other[column];
            if i == row {
                other.copy_from_slice(&self.top);
            } else if factor != 0.0 {
                other.iter_mut().zip(&self.top).for_each(|(x, t)| *x = difference(*x, factor * t));
                other[column] = 0.0;
            }
        }
        core::mem::replace(&mut self.basic[row], column)
    }

    /// The columns of the basis, or `None` if z₀ is one of them.
    fn columns(&self) -> Option<Vec<Column>> {
        let n = self.n;
        let mut columns: Vec<Column> = (0..n).map(Column::W).collect();
        for &k in self.basic.iter().filter(|&&k| k >= n) {
            *columns.get_mut(k - n)? = Column::Z(k - n);
        }
        Some(columns)
    }
}

/// The solution at the end of the path, in the units of the question; `None` if there is none.
pub(super) fn lemke(problem: &Problem) -> Result<Option<Solution>, Failure> {
    let n = problem.size();
    let mut tableau = Tableau::new(problem);
    // The most negative q_i; of several, the last is the first in lexicographic order.
    let first = (0..n).filter(|&i| problem.q[i] < 0.0);
    if let Some(row) = first.min_by(|&a, &b| problem.q[a].total_cmp(&problem.q[b]).then(b.cmp(&a))) {
        let mut left = tableau.pivot(row, 2 * n);
        for _ in 0..PIVOTS * n {
            let entering = if left < n { left + n } else { left - n };
            let Some(row) = tableau.leaving(entering) else { return Ok(None) };
            left = tableau.pivot(row, entering);
            if left == 2 * n {
                break;
            }
        }
    }
    let Some(columns) = tableau.columns() else { return Ok(None) };
    let candidate = Points::default().solution(problem, &columns).ok().flatten();
    candidate.map(|candidate| problem.in_first_units(candidate.solution)).transpose()
}
