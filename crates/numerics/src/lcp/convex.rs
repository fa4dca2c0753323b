//! Solves w = M z + q with 0 <= w ⊥ z >= 0 for symmetric positive semidefinite M of any size, by proximal points and an active set.
//!
//! These are the conditions for a minimum of z'Mz/2 + q'z over z >= 0. w and M z are unique, and there is a solution if M z + q >= 0 for
//! any z >= 0 at all (Cottle, Pang and Stone, The Linear Complementarity Problem, 1992, Theorems 3.1.2 and 3.1.7).
//!
//! * Each *proximal point* makes z'Mz/2 + q'z + ε |z - z_k|²_D/2 least, with D the diagonal of M, so that its matrix is definite whatever M
//!   is (Rockafellar, SIAM J. Control Optim. 14, 1976). For quadratic functions finitely many of them reach a minimum; where there is none they
//!   diverge along a direction y >= 0 with M y = 0 and q'y < 0, which proves it.
//! * A definite problem is solved by an *active set*: the component whose gradient falls most steeply joins it, and those that would become
//!   negative leave. Every change makes the function smaller, so that no set recurs (Lawson and Hanson, Solving Least Squares
//!   Problems, 1974, chapter 23).
//! * The point of the last set is corrected with residuals in double-double numbers.
//! * Of all solutions [`least`] finds the one of least norm by the method of multipliers (Hestenes, J. Optim. Theory Appl. 4, 1969).

use super::{Answer, DEPENDENT, Failure, NEGLIGIBLE, Solution, Status, units::check};
use crate::dense::Matrix;
use crate::exact::DoubleDouble;
use crate::scaling::{exponent, times_power_of_two};

/// ε of proximal points, relative to the diagonal: far above rounding, far below the smallest eigenvalue of what is not singular.
const PROXIMAL: f64 = 1.0 / (1 << 30) as f64;

/// ε of the method of multipliers.
const MULTIPLIER: f64 = 1.0 / 1024.0;

/// The largest number of proximal points: by then a direction without a minimum is detected.
const MOST_POINTS: usize = 60;

/// Steps of the method of multipliers.
const MOST_STEPS: usize = 1000;

/// Sums of terms that differ by less than this part of them are equal within rounding errors.
const EQUAL_SUMS: f64 = 1e-11;

/// Corrections of a point, and the part of its terms below which they are irrelevant.
const CORRECTIONS: usize = 60;
const NEGLIGIBLE_CORRECTION: f64 = 1e-20;

/// A gradient below this part of its terms is a rounding error.
const ZERO_GRADIENT: f64 = 1e-14;

/// The components that are not held at zero, and the factor of their matrix.
#[derive(Default)]
struct ActiveSet {
    basic: Vec<usize>,
    /// L of A = L L' for the basic components, row by row; so many rows are known.
    factor: Vec<Vec<f64>>,
    known: usize,
    /// The first entry of each row that is not zero.
    first: Vec<usize>,
    point: Vec<f64>,
    gradient: Vec<f64>,
}

impl ActiveSet {
    /// Makes x'Ax/2 - b'x least over x >= 0 for a definite A, from a point x >= 0 on.
    fn descend(&mut self, a: &Matrix, b: &[f64], x: &mut [f64]) {
        let n = b.len();
        self.basic.clear();
        self.basic.extend((0..n).filter(|&i| x[i] > 0.0));
        self.known = 0;
        // A bound far above the changes that any set needs; a point that is not a minimum because of rounding is detected by its gradient.
        for _ in 0..20 * n + 100 {
            self.solve(a, b);
            let steps = self.basic.iter().zip(&self.point).filter(|(_, target)| **target <= 0.0);
            let shortest = steps.map(|(&i, &target)| if x[i] > 0.0 { x[i] / (x[i] - target) } else { 0.0 });
            let length = shortest.fold(f64::INFINITY, f64::min);
            if length.is_finite() {
                for (&i, &target) in self.basic.iter().zip(&self.point) {
                    let leaves = target <= 0.0 && (x[i] <= 0.0 || x[i] / (x[i] - target) <= length);
                    x[i] = if leaves { 0.0 } else { x[i] + length * (target - x[i]) };
                }
                self.retain(|i| x[i] > 0.0);
                continue;
            }
            self.basic.iter().zip(&self.point).for_each(|(&i, &target)| x[i] = target);
            match self.steepest(a, b, x) {
                Some(next) => self.basic.push(next),
                None => return,
            }
        }
    }

    /// The component at zero whose growth makes the function fall fastest.
    fn steepest(&mut self, a: &Matrix, b: &[f64], x: &[f64]) -> Option<usize> {
        self.gradient.clear();
        self.gradient.extend(b);
        let mut sizes: Vec<f64> = b.iter().map(|b| b.abs()).collect();
        for &j in &self.basic {
            for (i, &entry) in a.column(j).iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
                self.gradient[i] -= entry * x[j];
                sizes[i] += (entry * x[j]).abs();
            }
        }
        let falls = |&i: &usize| x[i] == 0.0 && self.gradient[i] > ZERO_GRADIENT * sizes[i];
        let fall = |i: usize| self.gradient[i] / a[(i, i)].sqrt();
        (0..b.len()).filter(falls).max_by(|&i, &j| fall(i).total_cmp(&fall(j)).then(j.cmp(&i)))
    }

    /// Keeps some of the basic components; the rows before the first that leaves stay as they are.
    fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let stays = self.basic.iter().position(|&i| !keep(i)).unwrap_or(self.basic.len());
        self.known = self.known.min(stays);
        self.basic.retain(|&i| keep(i));
    }

    /// Solves A x = b for the basic components.
    fn solve(&mut self, a: &Matrix, b: &[f64]) {
        self.point.clear();
        self.point.extend(self.basic.iter().map(|&i| b[i]));
        self.factorise(a);
        self.substitute();
    }

    /// Completes the factor within its envelope.
    fn factorise(&mut self, a: &Matrix) {
        let size = self.basic.len();
        self.factor.resize_with(size.max(self.factor.len()), Vec::new);
        self.first.resize(size.max(self.first.len()), 0);
        for k in self.known..size {
            let column = a.column(self.basic[k]);
            let first = self.basic[..k].iter().position(|&j| column[j] != 0.0).unwrap_or(k);
            let mut row = core::mem::take(&mut self.factor[k]);
            row.clear();
            row.resize(k + 1, 0.0);
            for j in first..k {
                let from = first.max(self.first[j]);
                let above = &self.factor[j];
                let sum = row[from..j].iter().zip(&above[from..j]).fold(column[self.basic[j]], |s, (x, y)| s - x * y);
                row[j] = sum / above[j];
            }
            let square = row[first..k].iter().fold(column[self.basic[k]], |s, x| s - x * x);
            // A definite matrix has positive pivots; rounding leaves at least this.
            row[k] = square.max(f64::EPSILON * column[self.basic[k]]).sqrt();
            (self.factor[k], self.first[k]) = (row, first);
        }
        self.known = size;
    }

    /// Replaces `point` by A⁻¹ of it.
    fn substitute(&mut self) {
        self.forward();
        self.backward();
    }

    /// Replaces `point` by L⁻¹ of it.
    fn forward(&mut self) {
        for k in 0..self.basic.len() {
            let row = &self.factor[k];
            let from = self.first[k];
            let sum = row[from..k].iter().zip(&self.point[from..k]).fold(self.point[k], |s, (l, x)| s - l * x);
            self.point[k] = sum / row[k];
        }
    }

    /// Replaces `point` by L'⁻¹ of it.
    fn backward(&mut self) {
        for k in (0..self.basic.len()).rev() {
            let row = &self.factor[k];
            let from = self.first[k];
            let value = self.point[k] / row[k];
            self.point[k] = value;
            self.point[from..k].iter_mut().zip(&row[from..k]).for_each(|(x, l)| *x -= l * value);
        }
    }

    /// The smallest pivot relative to the diagonal: the remainder of a direction after projection on the others.
    fn smallest_pivot(&self, a: &Matrix) -> f64 {
        let part = |k: usize| self.factor[k][k] * self.factor[k][k] / a[(self.basic[k], self.basic[k])];
        (0..self.basic.len()).map(part).fold(f64::INFINITY, f64::min)
    }
}

/// M with its diagonal times 1 + ε.
fn regular(m: &Matrix, epsilon: f64) -> Matrix {
    let n = m.rows();
    Matrix::from_fn(n, n, |i, j| if i == j { m[(i, i)] * (1.0 + epsilon) } else { m[(i, j)] })
}

/// M z + q, and the sizes of its terms.
fn residuals(m: &Matrix, q: &[f64], sizes: &[f64], z: &[DoubleDouble]) -> (Vec<DoubleDouble>, Vec<f64>) {
    let mut w: Vec<DoubleDouble> = q.iter().map(|&q| q.into()).collect();
    let mut terms: Vec<f64> = sizes.iter().zip(q).map(|(size, q)| size.max(q.abs())).collect();
    for (j, &z) in z.iter().enumerate().filter(|(_, z)| z.hi != 0.0) {
        for (i, &entry) in m.column(j).iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
            let term = z * entry.into();
            w[i] += term;
            terms[i] += term.hi.abs();
        }
    }
    (w, terms)
}

/// The solution of a convex problem, or the fact that there is none.
///
/// `sizes` are the sizes of the terms that the entries of q are sums of: values below [`NEGLIGIBLE`] times these may be zero. `isolated`
/// of the solution says that z is unique, as w and M z always are; of several z the one with the least z'Dz is given, with D the diagonal of M.
///
/// Fails like [`super::enumerate`] if M and q do not fit or are not finite; symmetry and definiteness are not checked.
///
/// ```
/// use saltation_numerics::{dense::Matrix, lcp};
///
/// // Two identical supports share their load.
/// let answer = lcp::convex(&Matrix::from_rows([[1.0, 1.0], [1.0, 1.0]]), &[-1.0, -1.0], &[1.0, 1.0]).unwrap();
/// let solution = &answer.solutions[0];
/// assert!(!solution.isolated && solution.z.iter().all(|z| (z - 0.5).abs() < 1e-12));
/// // M y = 0 and q'y < 0 for y = (1, 1): nothing opens both.
/// let answer = lcp::convex(&Matrix::from_rows([[1.0, -1.0], [-1.0, 1.0]]), &[-1.0, 0.5], &[1.0, 1.0]).unwrap();
/// assert_eq!(answer.status, lcp::Status::None);
/// ```
pub fn convex(m: &Matrix, q: &[f64], sizes: &[f64]) -> Result<Answer, Failure> {
    check(m, q, sizes)?;
    let n = q.len();
    // z = 2^k z', w = 2^-k w': the diagonal comes to lie in [1, 4), and symmetry stays.
    let powers = powers(m);
    let scaled = scaled(m, &powers);
    let size = (0..n).map(|i| i64::from(exponent(q[i])) + powers[i]).filter(|_| q.iter().any(|&q| q != 0.0)).max();
    let common = size.unwrap_or(0);
    let right: Vec<f64> = (0..n).map(|i| times_power_of_two(q[i], powers[i] - common)).collect();
    let terms: Vec<f64> = (0..n).map(|i| times_power_of_two(sizes[i].max(q[i].abs()), powers[i] - common)).collect();
    let Some((z, w, isolated)) = minimum(&scaled, &right, &terms)? else {
        return Ok(Answer { solutions: Vec::new(), status: Status::None });
    };
    let back = |x: &[f64], sign: i64| -> Vec<f64> {
        x.iter().zip(&powers).map(|(x, k)| times_power_of_two(*x, sign * k + common)).collect()
    };
    let basic = z.iter().map(|&z| z > 0.0).collect();
    let residual = residual(&scaled, &right, &terms, &z, &w);
    let solution = Solution { z: back(&z, 1), w: back(&w, -1), basic, residual, isolated };
    let finite = solution.z.iter().chain(&solution.w).all(|x| x.is_finite());
    if !finite {
        return Err(Failure::OutOfRange);
    }
    Ok(Answer { solutions: vec![solution], status: Status::Solutions })
}

/// z, w and whether z is unique, for a diagonal of about one; `None` if there is no minimum.
#[allow(clippy::type_complexity)]
fn minimum(m: &Matrix, q: &[f64], sizes: &[f64]) -> Result<Option<(Vec<f64>, Vec<f64>, bool)>, Failure> {
    let n = q.len();
    let lonely = |i: usize| m[(i, i)] <= 0.0;
    // Nothing moves a component without a diagonal.
    if (0..n).any(|i| lonely(i) && q[i] < -NEGLIGIBLE * sizes[i]) {
        return Ok(None);
    }
    let mut a = regular(m, PROXIMAL);
    for i in (0..n).filter(|&i| lonely(i)) {
        a[(i, i)] = 1.0;
    }
    let mut set = ActiveSet::default();
    let mut x = vec![0.0; n];
    let mut before = x.clone();
    for _ in 0..MOST_POINTS {
        let b: Vec<f64> = (0..n).map(|i| if lonely(i) { 0.0 } else { PROXIMAL * m[(i, i)] * x[i] - q[i] }).collect();
        before.copy_from_slice(&x);
        set.descend(&a, &b, &mut x);
        let z = corrected(&mut set, (m, &a), (q, sizes), &x);
        let (w, terms) = residuals(m, q, sizes, &z);
        let solves = (0..n).all(|i| match z[i].hi > 0.0 {
            true => w[i].abs().hi <= NEGLIGIBLE * terms[i],
            false => w[i].hi >= -NEGLIGIBLE * terms[i],
        });
        if solves {
            let zero = |i: usize| z[i].hi > 0.0 || w[i].hi <= NEGLIGIBLE * terms[i];
            let w: Vec<f64> = (0..n).map(|i| if zero(i) { 0.0 } else { w[i].hi }).collect();
            let z: Vec<f64> = z.iter().map(|z| z.hi).collect();
            set.basic = (0..n).filter(|&i| w[i] == 0.0 && !lonely(i)).collect();
            set.known = 0;
            set.factorise(&a);
            if set.smallest_pivot(&a) > PROXIMAL.sqrt() {
                return Ok(Some((z, w, true)));
            }
            let free: Vec<usize> = set.basic.clone();
            let part = Matrix::from_fn(free.len(), free.len(), |i, j| m[(free[i], free[j])]);
            let diagonal: Vec<f64> = free.iter().map(|&i| m[(i, i)]).collect();
            let own: Vec<f64> = free.iter().map(|&i| z[i]).collect();
            let own = least(&part, &Matrix::diagonal(&diagonal), &own);
            let mut z = vec![0.0; n];
            free.iter().zip(&own).for_each(|(&i, &x)| z[i] = x);
            return Ok(Some((z, w, false)));
        }
        let step: Vec<f64> = x.iter().zip(&before).map(|(x, y)| x - y).collect();
        if has_no_minimum(m, q, sizes, &step) {
            return Ok(None);
        }
    }
    Err(Failure::NoConvergence)
}

/// The point of the active set with residuals in double-double numbers; negative components leave the set.
fn corrected(
    set: &mut ActiveSet,
    (m, a): (&Matrix, &Matrix),
    (q, sizes): (&[f64], &[f64]),
    x: &[f64],
) -> Vec<DoubleDouble> {
    let mut z: Vec<DoubleDouble> = x.iter().map(|&x| x.into()).collect();
    let mut last = f64::INFINITY;
    for _ in 0..CORRECTIONS {
        let (w, _) = residuals(m, q, sizes, &z);
        set.point.clear();
        set.point.extend(set.basic.iter().map(|&i| -w[i].hi));
        set.factorise(a);
        set.substitute();
        set.basic.iter().zip(&set.point).for_each(|(&i, &d)| z[i] += d.into());
        let small = |(&i, &d): (&usize, &f64)| d.abs() <= NEGLIGIBLE_CORRECTION * z[i].hi.abs();
        let largest = set.point.iter().fold(0.0f64, |largest, d| largest.max(d.abs()));
        // What does not decrease is the part of q outside the range of M.
        let done = set.basic.iter().zip(&set.point).all(small) || largest > 0.5 * last;
        last = largest;
        let negative = set.basic.iter().any(|&i| z[i].hi < 0.0);
        if negative {
            z.iter_mut().filter(|z| z.hi < 0.0).for_each(|z| *z = 0.0.into());
            set.retain(|i| z[i].hi > 0.0);
        } else if done {
            break;
        }
    }
    z
}

/// Whether a direction y proves that there is no minimum: y >= 0, M y = 0 and q'y < 0.
fn has_no_minimum(m: &Matrix, q: &[f64], sizes: &[f64], y: &[f64]) -> bool {
    let (mut fall, mut terms) = (DoubleDouble::default(), 0.0);
    for ((&q, &size), &y) in q.iter().zip(sizes).zip(y) {
        fall += DoubleDouble::product(q, y);
        terms += (size * y).abs();
    }
    let largest = y.iter().fold(0.0f64, |largest, y| largest.max(y.abs()));
    let exact: Vec<DoubleDouble> = y.iter().map(|&y| y.into()).collect();
    let (moved, sizes) = residuals(m, &vec![0.0; q.len()], &vec![0.0; q.len()], &exact);
    // The part of y outside the kernel of M comes from a finite path; on an unbounded path it is small relative to y.
    let still = moved.iter().zip(&sizes).all(|(moved, size)| moved.hi.abs() <= PROXIMAL.sqrt() * size);
    largest > 0.0 && still && y.iter().all(|&y| y >= -PROXIMAL.sqrt() * largest) && fall.hi < -PROXIMAL.sqrt() * terms
}

/// Of all z >= 0 with the same M z the one with the least z'Dz, for a symmetric positive semidefinite M and a definite D.
///
/// The choice does not depend on the order of the components. The method of multipliers finds the components that are not zero, and a singular value
/// decomposition the shortest solution with these.
///
/// ```
/// use saltation_numerics::{dense::Matrix, lcp};
///
/// let m = Matrix::from_rows([[1.0, 1.0], [1.0, 1.0]]);
/// let z = lcp::least(&m, &Matrix::diagonal(&[1.0, 3.0]), &[1.0, 0.0]);
/// assert!((z[0] - 0.75).abs() < 1e-12 && (z[1] - 0.25).abs() < 1e-12);
/// ```
pub fn least(m: &Matrix, metric: &Matrix, z: &[f64]) -> Vec<f64> {
    let powers = powers(metric);
    let scale = |z: &[f64], sign: i64| z.iter().zip(&powers).map(|(&z, k)| times_power_of_two(z, sign * k)).collect();
    let own: Vec<f64> = scale(z, -1);
    scale(&least_scaled(&scaled(m, &powers), &scaled(metric, &powers), &own), 1)
}

/// The powers of two by which rows and columns of a matrix come to have a diagonal in [1, 4).
fn powers(m: &Matrix) -> Vec<i64> {
    let power = |x: f64| if x > 0.0 { -i64::from(exponent(x)).div_euclid(2) } else { 0 };
    (0..m.rows()).map(|i| power(m[(i, i)])).collect()
}

/// Rows and columns times powers of two.
fn scaled(m: &Matrix, powers: &[i64]) -> Matrix {
    let n = powers.len();
    Matrix::from_fn(n, n, |i, j| times_power_of_two(m[(i, j)], powers[i] + powers[j]))
}

/// [`least`] for a metric with a diagonal of about one.
fn least_scaled(m: &Matrix, metric: &Matrix, z: &[f64]) -> Vec<f64> {
    let n = z.len();
    let a = Matrix::from_fn(n, n, |i, j| m[(i, j)] + MULTIPLIER * metric[(i, j)]);
    let mut set = ActiveSet::default();
    let (mut x, mut right) = (vec![0.0; n], vec![0.0; n]);
    let mut support = Vec::new();
    for _ in 0..MOST_STEPS {
        // M (z - x), the defect that the multipliers remove.
        for j in 0..n {
            right.iter_mut().zip(m.column(j)).for_each(|(right, entry)| *right += entry * (z[j] - x[j]));
        }
        set.descend(&a, &right, &mut x);
        set.basic.sort_unstable();
        if set.basic == support {
            continue;
        }
        support.clone_from(&set.basic);
        if let Some(shortest) = shortest(m, metric, z, &support) {
            return shortest;
        }
    }
    z.to_vec()
}

/// The x of least norm with components at some places only and M x = M z there; `None` if one is negative or M x is not M z.
fn shortest(m: &Matrix, metric: &Matrix, z: &[f64], places: &[usize]) -> Option<Vec<f64>> {
    let mut set = ActiveSet { basic: places.to_vec(), ..ActiveSet::default() };
    set.factorise(metric);
    // With D = L L' and x = L'⁻¹ y the norm is that of y, and M x = (L⁻¹ M)' y.
    let mut columns = Vec::with_capacity(places.len());
    for row in 0..z.len() {
        set.point.clear();
        set.point.extend(places.iter().map(|&j| m[(row, j)]));
        set.forward();
        columns.push(set.point.clone());
    }
    let moved = m.times(z).ok()?;
    let matrix = Matrix::from_fn(z.len(), places.len(), |row, k| columns[row][k]);
    set.point = matrix.least_squares(&moved, DEPENDENT).ok()?.x;
    set.backward();
    let largest = set.point.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    if !set.point.iter().all(|&x| x >= -NEGLIGIBLE * largest) {
        return None;
    }
    let mut x = vec![0.0; z.len()];
    places.iter().zip(&set.point).for_each(|(&i, &value)| x[i] = value.max(0.0));
    let same = (0..z.len()).all(|i| {
        let terms = (0..z.len()).map(|j| m[(i, j)].abs() * (z[j].abs() + x[j].abs())).sum::<f64>();
        let apart = (0..z.len()).map(|j| m[(i, j)] * (z[j] - x[j])).sum::<f64>();
        apart.abs() <= EQUAL_SUMS * terms
    });
    same.then_some(x)
}

/// The largest |w - M z - q|_i relative to its terms.
fn residual(m: &Matrix, q: &[f64], sizes: &[f64], z: &[f64], w: &[f64]) -> f64 {
    let exact: Vec<DoubleDouble> = z.iter().map(|&z| z.into()).collect();
    let (found, terms) = residuals(m, q, sizes, &exact);
    let defects = found.iter().zip(w).zip(&terms).filter(|(_, terms)| **terms > 0.0);
    defects.map(|((found, &w), terms)| (*found - w.into()).hi.abs() / terms).fold(0.0, f64::max)
}
