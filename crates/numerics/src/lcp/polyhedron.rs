//! Solutions x >= 0 of B x = q for singular B: existence and uniqueness.
//!
//! The simplex method: the first phase starts from one artificial unknown for each equation and makes their sum zero, which
//! leaves a vertex. The second phase lets the components that are zero at this vertex grow: where their sum cannot, the
//! vertex is the only point. Where the first phase leaves an artificial unknown, its prices y prove that there is no point (Farkas, J. reine angew. Math.
//! 124, 1902): B'y <= 0 and y'q > 0, so that y'(q - B x) >= y'q for every x >= 0. Bland's rule (Mathematics of Operations Research 2, 1977) excludes cycles.

use super::candidate::{Column, column};
use super::{DEPENDENT, Failure, NEGLIGIBLE, Solution, units::Problem};
use crate::dense::{Elimination, Matrix};

/// An entry below this part of the terms of its sum, or of its column, is a rounding error and not a pivot.
const ZERO_PIVOT: f64 = 1e-11;

/// Where the equations of a polyhedron are violated by more than this part of the terms of q, only components 10^9 times as large as q has any
/// could make up for it by their rounding.
const CERTAIN_VIOLATION: f64 = 1e-3;

/// A bound of the steps per unknown, above what so few unknowns need.
const STEPS: usize = 1000;

/// A polyhedron B x = q, x >= 0 in the form after the last step of the simplex method.
pub(super) struct Polyhedron<'a> {
    problem: &'a Problem,
    n: usize,
    mask: u32,
    /// B and q after the steps, row by row: n entries and the right-hand side.
    rows: Vec<Vec<f64>>,
    /// The unknown of each row; n + k for the artificial one of equation k.
    basic: Vec<usize>,
    /// Proofs that cones are empty; most exclude many cones.
    proofs: Vec<Proof>,
}

/// Prices y with y'q > 0: a cone whose columns c all have y'c <= 0 does not hold q.
struct Proof {
    /// The components i for which the column of z_i has y'c > 0.
    z: u32,
    /// The same for w_i.
    w: u32,
}

impl Proof {
    fn excludes(&self, mask: u32) -> bool {
        mask & self.z == 0 && !mask & self.w == 0
    }
}

/// How the simplex method ended.
enum End {
    /// The sum is as small as it can be.
    Smallest,
    /// A step of positive length, or one that never ends, was found.
    Moves,
}

impl<'a> Polyhedron<'a> {
    pub(super) fn new(problem: &'a Problem) -> Self {
        Self { problem, n: problem.size(), mask: 0, rows: Vec::new(), basic: Vec::new(), proofs: Vec::new() }
    }

    /// The columns of a possible vertex; rounding decides: if not, the point of these columns has a negative component or one of
    /// a redundant equation that is not zero.
    pub(super) fn vertex(&mut self, mask: u32) -> Result<Option<Vec<Column>>, Failure> {
        if self.proofs.iter().any(|proof| proof.excludes(mask)) {
            return Ok(None);
        }
        let (n, problem) = (self.n, self.problem);
        self.mask = mask;
        self.rows.clear();
        self.basic.clear();
        for i in 0..n {
            let sign = if problem.q[i] < 0.0 { -1.0 } else { 1.0 };
            let entry = |j: usize| match column(mask, j) {
                Column::Z(j) => -sign * problem.m[(i, j)],
                _ => sign * f64::from(i == j),
            };
            self.rows.push((0..n).map(entry).chain([sign * problem.q[i]]).collect());
            // e_i stands in one equation only and can take the place of the artificial unknown.
            let direct = sign > 0.0 && column(mask, i) == Column::W(i);
            self.basic.push(if direct { i } else { n + i });
        }
        self.minimise(|k| f64::from(k >= n), false)?;
        if let Some(proof) = self.proof() {
            self.proofs.push(proof);
            return Ok(None);
        }
        // Where equations are linearly independent, artificial unknowns that are zero are replaced by true ones.
        for row in (0..n).filter(|&row| self.basic[row] >= n).collect::<Vec<_>>() {
            let size = |j: usize| self.rows[row][j].abs();
            let largest = (0..n).filter(|j| !self.basic.contains(j)).max_by(|&a, &b| size(a).total_cmp(&size(b)));
            if let Some(j) = largest.filter(|&j| size(j) > ZERO_PIVOT) {
                self.rows[row][n] = 0.0;
                self.pivot(row, j);
            }
        }
        let name = |&k: &usize| if k < n { column(mask, k) } else { Column::Redundant(k - n) };
        Ok(Some(self.basic.iter().map(name).collect()))
    }

    /// What the prices after the first phase prove beyond rounding errors, if it is anything.
    fn proof(&self) -> Option<Proof> {
        let (n, problem) = (self.n, self.problem);
        if self.basic.iter().all(|&k| k < n) {
            return None;
        }
        let entry = |i: usize, column: Column| match column {
            Column::Z(j) => -problem.m[(i, j)],
            Column::W(j) => f64::from(i == j),
            Column::Redundant(j) => f64::from(i == j) * if problem.q[i] < 0.0 { -1.0 } else { 1.0 },
        };
        let name = |k: usize| if k < n { column(self.mask, k) } else { Column::Redundant(k - n) };
        let mut prices: Vec<f64> = self.basic.iter().map(|&k| f64::from(k >= n)).collect();
        let basis = Matrix::from_fn(n, n, |i, row| entry(i, name(self.basic[row])));
        let mut elimination = Elimination::default();
        elimination.factor(&basis).ok()?;
        elimination.solve_transposed_in_place(&mut prices).ok()?;
        // Prices have the rounding error of the largest one.
        let blur = ZERO_PIVOT * prices.iter().fold(0.0_f64, |largest, y| largest.max(y.abs()));
        let violated: f64 = prices.iter().zip(&problem.q).map(|(y, q)| y * q - blur * q.abs()).sum();
        let allowed: f64 = prices.iter().zip(&problem.sizes).map(|(y, size)| (y.abs() + blur) * size).sum();
        let is_positive = |column: Column| {
            let price: f64 = (0..n).map(|i| prices[i] * entry(i, column)).sum();
            let rounding = |i: usize| (NEGLIGIBLE * prices[i].abs() + blur) * entry(i, column).abs();
            price > (0..n).map(rounding).sum()
        };
        let bits = |of: fn(usize) -> Column| (0..n).fold(0, |bits, k| bits | u32::from(is_positive(of(k))) << k);
        let proof = Proof { z: bits(Column::Z), w: bits(Column::W) };
        (violated > CERTAIN_VIOLATION * allowed && proof.excludes(self.mask)).then_some(proof)
    }

    /// Whether there are other points than the vertex found last.
    pub(super) fn has_other_points(&mut self, vertex: &Solution) -> Result<bool, Failure> {
        let n = self.n;
        let redundant: Vec<bool> = self.basic.iter().map(|&k| k >= n).collect();
        let mut keep = redundant.iter().map(|redundant| !redundant);
        self.rows.retain(|_| keep.next().unwrap_or(true));
        self.basic.retain(|&k| k < n);
        let zero = |k: usize| if self.mask >> k & 1 == 1 { vertex.z[k] == 0.0 } else { vertex.w[k] == 0.0 };
        let costs: Vec<f64> = (0..n).map(|k| if zero(k) { -1.0 } else { 0.0 }).collect();
        for (row, &k) in self.rows.iter_mut().zip(&self.basic) {
            if costs[k] != 0.0 {
                row[n] = 0.0;
            }
        }
        Ok(matches!(self.minimise(|k| costs[k], true)?, End::Moves))
    }

    /// Makes Σ cost_k x_k smallest, or stops at the first step that changes it if `stop` is set.
    fn minimise(&mut self, cost: impl Fn(usize) -> f64, stop: bool) -> Result<End, Failure> {
        let n = self.n;
        for _ in 0..STEPS * (n + 1) {
            let falls = |j: &usize| {
                let (mut reduced, mut terms) = (cost(*j), cost(*j).abs());
                for (row, &k) in self.rows.iter().zip(&self.basic) {
                    reduced -= cost(k) * row[*j];
                    terms += (cost(k) * row[*j]).abs();
                }
                reduced < -ZERO_PIVOT * terms && !self.basic.contains(j)
            };
            let Some(entering) = (0..n).find(falls) else { return Ok(End::Smallest) };
            let Some(row) = self.leaving(entering) else { return Ok(End::Moves) };
            if stop && self.rows[row][n] > 0.0 {
                return Ok(End::Moves);
            }
            self.pivot(row, entering);
        }
        Err(Failure::NoConvergence)
    }

    /// The row whose unknown becomes zero first when `entering` grows; of several, that of the first unknown.
    fn leaving(&self, entering: usize) -> Option<usize> {
        let n = self.n;
        let largest = self.rows.iter().fold(0.0f64, |largest, row| largest.max(row[entering].abs()));
        let candidates = (0..self.rows.len()).filter(|&i| self.rows[i][entering] > ZERO_PIVOT * largest);
        candidates.reduce(|best, i| {
            let cross = |i: usize, k: usize| self.rows[i][n] * self.rows[k][entering];
            let (new, old) = (cross(i, best), cross(best, i));
            let tie = (new - old).abs() <= ZERO_PIVOT * (new + old);
            let first = if tie { self.basic[i] < self.basic[best] } else { new < old };
            if first { i } else { best }
        })
    }

    /// The unknown `entering` becomes that of `row`.
    fn pivot(&mut self, row: usize, entering: usize) {
        let n = self.n;
        let mut top = core::mem::take(&mut self.rows[row]);
        let pivot = top[entering];
        top.iter_mut().for_each(|x| *x /= pivot);
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[entering];
            if factor == 0.0 {
                continue;
            }
            for (x, t) in other.iter_mut().zip(&top) {
                *x = difference(*x, factor * t);
            }
            other[entering] = 0.0;
            other[n] = other[n].max(0.0);
        }
        self.rows[row] = top;
        self.basic[row] = entering;
    }
}

/// a - b, or zero where it is less than the rounding of its terms.
pub(super) fn difference(a: f64, b: f64) -> f64 {
    let difference = a - b;
    if difference.abs() <= DEPENDENT * (a.abs() + b.abs()) { 0.0 } else { difference }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bar of mass 1 and moment of inertia 1/2 on four feet 0.4 below its centre, with friction 0.5, whose accelerations without forces are these.
    fn bar_on_four_feet(free: [f64; 3]) -> Problem {
        let rows = |x: f64| [[0.0, 1.0, x], [1.0, 0.0, 0.4]];
        let feet = [-0.7, -0.3, 0.2, 0.6].map(rows);
        let acts = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + 2.0 * a[2] * b[2];
        let along = |a: [f64; 3]| a.iter().zip(free).map(|(a, free)| a * free).sum::<f64>();
        let mut m = Matrix::zeros(12, 12);
        let mut q = vec![0.0; 12];
        for i in 0..4 {
            for row in 0..2 {
                for j in 0..4 {
                    let [push, rub] = feet[j].map(|direction| acts(feet[i][row], direction));
                    (m[(3 * i + row, 3 * j)], m[(3 * i + row, 3 * j + 1)]) = (push - 0.5 * rub, rub);
                }
                q[3 * i + row] = along(feet[i][row]);
            }
            (m[(3 * i + 1, 3 * i + 2)], m[(3 * i + 2, 3 * i)], m[(3 * i + 2, 3 * i + 1)]) = (1.0, 1.0, -1.0);
        }
        let sizes: Vec<f64> = q.iter().map(|q| q.abs()).collect();
        Problem::new(&m, &q, &sizes).unwrap()
    }

    #[test]
    fn proofs_exclude_more_cones_than_they_are() {
        for free in [[0.3, -10.0, 2.0], [-8.0, -10.0, 0.5], [0.3, 10.0, 2.0], [4.0, -1.0, -30.0]] {
            let problem = bar_on_four_feet(free);
            let mut polyhedron = Polyhedron::new(&problem);
            let empty = (0..1 << 12).filter(|&mask| polyhedron.vertex(mask).unwrap().is_none()).count();
            let proofs = polyhedron.proofs.len();
            assert!(empty > 2000 && 2 * proofs < empty, "{free:?}: {proofs} proofs of {empty} empty cones");
        }
    }
}
