//! Scaling of a complementarity problem by the units of its variables.
//!
//! For any positive diagonal R and C the vectors z = C z' and w = R w' are complementary and nonnegative if z' and w' are,
//! and w' = (R⁻¹M C) z' + R⁻¹q. R and C are powers of two, so that nothing is rounded. They first make the logarithms of
//! the entries as small as possible in the mean, which does not depend on the units at the start, and then the largest
//! entry of each row and column about one, which small entries cannot spoil (Ruiz, Rutherford Appleton Laboratory 2001).

use super::{Failure, Solution};
use crate::dense::Matrix;
use crate::scaling::{exponent, times_power_of_two};

/// Alternating sweeps over rows and columns; each at least halves the logarithms in Ruiz's iteration.
const SWEEPS: usize = 12;

/// The problem in units of its own.
pub(super) struct Problem {
    /// R⁻¹M C: the largest entry of each column lies in [1, 2), unless all are zero.
    pub(super) m: Matrix,
    /// R⁻¹q, over a power of two by which the largest entry lies in [1, 2).
    pub(super) q: Vec<f64>,
    /// The sizes of the terms that the entries of q are sums of, in the units of q.
    pub(super) sizes: Vec<f64>,
    /// w_i = 2^`rows[i]` w'_i.
    rows: Vec<i64>,
    /// z_i = 2^`columns[i]` z'_i.
    columns: Vec<i64>,
}

/// The exponents of the entries that are not zero.
struct Exponents {
    entries: Vec<(usize, usize, f64)>,
    rows: Vec<f64>,
    columns: Vec<f64>,
}

impl Exponents {
    /// The mean logarithm of the rows (or columns) becomes zero.
    fn centre(&mut self, by_row: bool) {
        let n = self.rows.len();
        let (mut sum, mut count) = (vec![0.0; n], vec![0.0; n]);
        for &(i, j, e) in &self.entries {
            let k = if by_row { i } else { j };
            sum[k] += e + self.columns[j] - self.rows[i];
            count[k] += 1.0;
        }
        for k in (0..n).filter(|&k| count[k] > 0.0) {
            if by_row { self.rows[k] += sum[k] / count[k] } else { self.columns[k] -= sum[k] / count[k] }
        }
    }

    /// The largest logarithm in each row and column, where there is one.
    fn largest(&self) -> (Vec<f64>, Vec<f64>) {
        let n = self.rows.len();
        let (mut rows, mut columns) = (vec![f64::NEG_INFINITY; n], vec![f64::NEG_INFINITY; n]);
        for &(i, j, e) in &self.entries {
            let e = e + self.columns[j] - self.rows[i];
            rows[i] = rows[i].max(e);
            columns[j] = columns[j].max(e);
        }
        (rows, columns)
    }

    /// Half of the largest logarithm goes from each row and each column.
    fn balance(&mut self) {
        let (rows, columns) = self.largest();
        for (scale, largest) in self.rows.iter_mut().zip(rows).filter(|(_, largest)| largest.is_finite()) {
            *scale += 0.5 * largest;
        }
        for (scale, largest) in self.columns.iter_mut().zip(columns).filter(|(_, largest)| largest.is_finite()) {
            *scale -= 0.5 * largest;
        }
    }
}

/// Whether M, q and the sizes of the terms of q are a problem.
pub(super) fn check(m: &Matrix, q: &[f64], sizes: &[f64]) -> Result<(), Failure> {
    let n = m.rows();
    if m.columns() != n {
        return Err(Failure::NotSquare { rows: n, columns: m.columns() });
    }
    if let Some(other) = [q, sizes].into_iter().find(|x| x.len() != n) {
        return Err(Failure::Mismatch { expected: n, found: other.len() });
    }
    let finite = m.is_finite() && q.iter().chain(sizes).all(|x| x.is_finite());
    if finite { Ok(()) } else { Err(Failure::NotFinite) }
}

impl Problem {
    /// Scales w = M z + q, or returns the reason for which it is invalid.
    pub(super) fn new(m: &Matrix, q: &[f64], sizes: &[f64]) -> Result<Self, Failure> {
        check(m, q, sizes)?;
        let n = m.rows();
        let places = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
        let entries = places.filter(|&place| m[place] != 0.0).map(|(i, j)| (i, j, f64::from(exponent(m[(i, j)]))));
        let mut scales = Exponents { entries: entries.collect(), rows: vec![0.0; n], columns: vec![0.0; n] };
        for _ in 0..SWEEPS {
            scales.centre(true);
            scales.centre(false);
        }
        for _ in 0..SWEEPS {
            scales.balance();
        }
        let (filled, _) = scales.largest();
        for (i, scale) in scales.rows.iter_mut().enumerate() {
            // A row of zeros has only q_i for a size.
            *scale = if filled[i].is_finite() { scale.round() } else { f64::from(exponent(q[i])) };
        }
        let (_, columns) = scales.largest();
        for (scale, largest) in scales.columns.iter_mut().zip(columns).filter(|(_, largest)| largest.is_finite()) {
            *scale -= largest;
        }
        let rows: Vec<i64> = scales.rows.iter().map(|&scale| scale as i64).collect();
        let mut columns: Vec<i64> = scales.columns.iter().map(|&scale| scale.round() as i64).collect();
        let scaled = Matrix::from_fn(n, n, |i, j| times_power_of_two(m[(i, j)], columns[j] - rows[i]));
        let size = |i: usize| i64::from(exponent(q[i])) - rows[i];
        let common = (0..n).filter(|&i| q[i] != 0.0).map(size).max().unwrap_or(0);
        let scaled_by_row =
            |x: &dyn Fn(usize) -> f64| (0..n).map(|i| times_power_of_two(x(i), -rows[i] - common)).collect();
        let free = scaled_by_row(&|i| q[i]);
        let sizes = scaled_by_row(&|i| sizes[i].max(q[i].abs()));
        columns.iter_mut().for_each(|scale| *scale += common);
        let rows = rows.iter().map(|scale| scale + common).collect();
        Ok(Self { m: scaled, q: free, sizes, rows, columns })
    }

    /// The number of components.
    pub(super) fn size(&self) -> usize {
        self.q.len()
    }

    /// A solution in the units of the question.
    pub(super) fn in_first_units(&self, mut solution: Solution) -> Result<Solution, Failure> {
        let back = |x: &mut f64, &k: &i64| *x = times_power_of_two(*x, k);
        solution.z.iter_mut().zip(&self.columns).for_each(|(z, k)| back(z, k));
        solution.w.iter_mut().zip(&self.rows).for_each(|(w, k)| back(w, k));
        let finite = solution.z.iter().chain(&solution.w).all(|x| x.is_finite());
        if finite { Ok(solution) } else { Err(Failure::OutOfRange) }
    }
}
