//! The periodic QR algorithm: implicit double shifts, chased through all factors of a Hessenberg-triangular chain.
//!
//! With H = A₁ Hessenberg and T = A_N ... A₂ triangular, H T is Hessenberg. A step of Francis' QR algorithm on it begins
//! with a reflection of three rows taken from the first column of (H T - σ₁)(H T - σ₂); every factor passes the reflection of
//! its columns on as a reflection of its rows that keeps it triangular, until it reaches the columns of H.

use super::{Multiplier, chain::Chain};
use crate::dense::{Complex, Failure, Matrix};
use crate::scaling::{Scaled, exponent, times_power_of_two};

/// The largest number of sweeps without a new split; ten per eigenvalue are usually sufficient.
const MOST_SWEEPS: usize = 120;
/// After so many sweeps an entry below the diagonal of H counts as zero beside the largest of H, and not only beside its neighbours: among what rounding has
/// left of multiple zeros, neighbours are rounding themselves.
const PATIENCE: usize = 60;
/// Where the sweeps do not converge, a diagonal entry below this, relative to its factor, is a rounding error of zero.
const ZERO_DIAGONAL: f64 = 16.0 * f64::EPSILON;

/// An orthogonal change of the `size` neighbouring coordinates from `first`: x -> Q x.
struct Turn {
    first: usize,
    size: usize,
    q: [[f64; 3]; 3],
}

impl Turn {
    /// The reflection that takes x, of one to three entries, to a multiple of the first unit vector.
    fn annihilating(first: usize, x: &[f64]) -> Self {
        let mut q = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let scale = x.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
        if scale > 0.0 && x[1..].iter().any(|x| *x != 0.0) {
            let mut v = [0.0; 3];
            for (v, x) in v.iter_mut().zip(x) {
                *v = x / scale;
            }
            let norm = v.iter().map(|v| v * v).sum::<f64>().sqrt();
            let tail = v[1] * v[1] + v[2] * v[2];
            // v₀ + sign(v₀)|v| has no cancellation.
            v[0] += norm.copysign(v[0]);
            let factor = 2.0 / (v[0] * v[0] + tail);
            for (i, row) in q.iter_mut().enumerate() {
                for (j, q) in row.iter_mut().enumerate() {
                    *q -= factor * v[i] * v[j];
                }
            }
        }
        Self { first, size: x.len(), q }
    }

    /// Q times the rows, in the columns `columns`.
    fn rows(&self, a: &mut Matrix, columns: core::ops::Range<usize>) {
        for j in columns {
            let column = &mut a.column_mut(j)[self.first..self.first + self.size];
            let old: [f64; 3] = core::array::from_fn(|i| column.get(i).copied().unwrap_or(0.0));
            for (entry, row) in column.iter_mut().zip(&self.q) {
                *entry = row.iter().zip(old).map(|(q, x)| q * x).sum();
            }
        }
    }

    /// The columns times Qᵀ, in the rows `rows`.
    fn columns(&self, a: &mut Matrix, rows: core::ops::Range<usize>) {
        for i in rows {
            let old: [f64; 3] = core::array::from_fn(|k| if k < self.size { a[(i, self.first + k)] } else { 0.0 });
            for (k, row) in self.q.iter().enumerate().take(self.size) {
                a[(i, self.first + k)] = row.iter().zip(old).map(|(q, x)| q * x).sum();
            }
        }
    }

    /// Takes this turn of the columns of a triangular factor, and returns the turn of its rows that keeps it triangular.
    fn through(self, a: &mut Matrix, window: Window) -> Self {
        let (first, size) = (self.first, self.size);
        self.columns(a, window.low..first + size);
        let mut sent = Self { first, size, q: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };
        for c in 0..size - 1 {
            let step = Self::annihilating(first + c, &a.column(first + c)[first + c..first + size]);
            step.rows(a, first + c..window.high + 1);
            a.column_mut(first + c)[first + c + 1..first + size].fill(0.0);
            let before = sent.q;
            for i in 0..size - c {
                let row = |j: usize| (0..size - c).map(|k| step.q[i][k] * before[c + k][j]).sum();
                sent.q[c + i] = core::array::from_fn(row);
            }
        }
        sent
    }
}

/// The rows and columns still coupled, `low..=high`.
#[derive(Clone, Copy)]
struct Window {
    low: usize,
    high: usize,
}

/// A block of up to three rows times 2^power.
struct Block {
    entries: [[f64; 3]; 3],
    power: i64,
}

impl Block {
    /// The block from row `first` of the product of the triangular factors.
    fn of_triangles(factors: &[Matrix], first: usize, size: usize) -> Self {
        let mut product = Self { entries: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], power: 0 };
        for factor in factors {
            let old = product.entries;
            let entry = |i: usize, j: usize| match j < size {
                true => (i..=j).map(|k| factor[(first + i, first + k)] * old[k][j]).sum(),
                false => old[i][j],
            };
            product.entries = core::array::from_fn(|i| core::array::from_fn(|j| entry(i, j)));
            product.rescale(size);
        }
        product
    }

    fn rescale(&mut self, size: usize) {
        let entries = self.entries.iter_mut().take(size).flat_map(|row| row.iter_mut().take(size));
        let largest = entries.fold(0.0f64, |largest, x| largest.max(x.abs()));
        if largest != 0.0 && !(1e-50..1e50).contains(&largest) {
            let k = i64::from(exponent(largest));
            self.entries.iter_mut().flatten().for_each(|x| *x = times_power_of_two(*x, -k));
            self.power += k;
        }
    }

    /// The entries times 2^(power - common).
    fn in_units_of(&self, common: i64) -> [[f64; 3]; 3] {
        self.entries.map(|row| row.map(|x| times_power_of_two(x, self.power - common)))
    }
}

/// Sum and product of the two eigenvalues of a block of two rows, and its discriminant ((a - d)/2)² + b c.
fn sum_product_discriminant([a, b, c, d]: [f64; 4]) -> (f64, f64, f64) {
    let half = (a - d) / 2.0;
    (a + d, a * d - b * c, half * half + b * c)
}

/// Makes the chain triangular and adds its eigenvalues with imaginary part >= 0, times 2^power, to `upper`. A piece that
/// lost a direction is put back to `waiting`, smaller by one and with a zero added for it.
pub(super) fn diagonalise(
    mut chain: Chain,
    power: i64,
    upper: &mut Vec<Multiplier>,
    waiting: &mut Vec<Chain>,
) -> Result<(), Failure> {
    chain.reduce()?;
    let mut end = chain.size();
    let mut sweeps = 0;
    while end > 0 {
        let high = end - 1;
        let low = chain.split(high, sweeps);
        let window = Window { low, high };
        if low == high {
            upper.push(chain.single(high, power));
            (end, sweeps) = (low, 0);
            continue;
        }
        if low + 1 == high
            && let Some(pair) = chain.pair(low, power, sweeps)
        {
            upper.extend(pair);
            (end, sweeps) = (low, 0);
            continue;
        }
        let threshold = if sweeps < MOST_SWEEPS { 0.0 } else { ZERO_DIAGONAL };
        if let Some(k) = chain.without_diagonal(window, threshold) {
            upper.push(Multiplier::ZERO);
            waiting.push(chain.block(low, high).narrowed(k, high - low)?);
            (end, sweeps) = (low, 0);
            continue;
        }
        if sweeps >= MOST_SWEEPS {
            return Err(Failure::NoConvergence);
        }
        sweeps += 1;
        let start = chain.start(window, sweeps);
        chain.sweep(window, &start[..3.min(high - low + 1)]);
    }
    Ok(())
}

impl Chain {
    /// Sets negligible entries below the diagonal of H to zero; the first row of the block that ends with row `high`.
    fn split(&mut self, high: usize, sweeps: usize) -> usize {
        let largest = self.factors[0].largest();
        let h = &mut self.factors[0];
        for i in (1..=high).rev() {
            let neighbours = h[(i, i)].abs() + h[(i - 1, i - 1)].abs();
            let size = if neighbours == 0.0 || sweeps >= PATIENCE { largest } else { neighbours };
            if h[(i, i - 1)].abs() <= f64::EPSILON * size {
                h[(i, i - 1)] = 0.0;
                return i;
            }
        }
        0
    }

    /// The eigenvalue in row i, the product of the diagonal entries.
    fn single(&self, i: usize, power: i64) -> Multiplier {
        let product = self.factors.iter().fold(Scaled::new(1.0, power), |product, a| product.times(a[(i, i)]));
        Multiplier::new(Complex::new(product.mantissa, 0.0), product.exponent)
    }

    /// The block of two rows of H T, with the power of two that belongs to it.
    fn two_rows(&self, low: usize) -> ([f64; 4], i64) {
        let t = Block::of_triangles(&self.factors[1..], low, 2);
        let [[t00, t01, _], [_, t11, _], _] = t.entries;
        let h = |i: usize, j: usize| self.factors[0][(low + i, low + j)];
        let lower = h(1, 0) * t00;
        ([h(0, 0) * t00, h(0, 0) * t01 + h(0, 1) * t11, lower, h(1, 0) * t01 + h(1, 1) * t11], t.power)
    }

    /// The eigenvalue with imaginary part >= 0 of a complex pair in rows `low` and `low + 1`; both if they are real and so
    /// near to each other that sweeps do not part them; nothing if sweeps are still to part them.
    fn pair(&self, low: usize, power: i64, sweeps: usize) -> Option<Vec<Multiplier>> {
        const UNDECIDED: usize = 10;
        const UNPARTED: usize = 40;
        let (block, block_power) = self.two_rows(low);
        let (sum, _, discriminant) = sum_product_discriminant(block);
        let squares: f64 = block.iter().map(|x| x * x).sum();
        let rounding = 8.0 * f64::EPSILON * (self.factors.len() as f64) * squares;
        let patience = if discriminant >= 0.0 { UNPARTED } else { UNDECIDED };
        if discriminant.is_nan() || (discriminant > -rounding && sweeps < patience) {
            return None;
        }
        // The determinant is more accurate as the product of determinants than from the block.
        let h = |i: usize, j: usize| self.factors[0][(low + i, low + j)];
        let of_h = h(0, 0) * h(1, 1) - h(0, 1) * h(1, 0);
        let determinant = self.factors[1..]
            .iter()
            .fold(Scaled::new(of_h, 0), |product, a| product.times(a[(low, low)]).times(a[(low + 1, low + 1)]));
        let determinant = times_power_of_two(determinant.mantissa, determinant.exponent - 2 * block_power);
        let half = sum / 2.0;
        let total = power + block_power;
        if discriminant < 0.0 {
            // The determinant where the block is far from normal; its own discriminant near a double eigenvalue, where the
            // difference would cancel.
            let from_determinant = determinant - half * half;
            let normal = discriminant.abs().max(squares / 2.0 - half * half) <= determinant;
            let square = if normal || from_determinant <= 0.0 { -discriminant } else { from_determinant };
            Some(vec![Multiplier::new(Complex::new(half, square.sqrt()), total)])
        } else {
            let larger = half + discriminant.sqrt().copysign(half);
            let smaller = if larger == 0.0 { 0.0 } else { determinant / larger };
            Some([larger, smaller].map(|x| Multiplier::new(Complex::new(x, 0.0), total)).into())
        }
    }

    /// A factor other than H with an entry on the diagonal, inside the window, that is zero or at most `threshold` times
    /// the factor's largest entry there.
    fn without_diagonal(&self, window: Window, threshold: f64) -> Option<usize> {
        let Window { low, high } = window;
        (1..self.factors.len()).find(|&k| {
            let a = &self.factors[k];
            let largest = (low..=high).flat_map(|j| &a.column(j)[low..=high]).fold(0.0f64, |l, x| l.max(x.abs()));
            (low..=high).any(|i| a[(i, i)].abs() <= threshold * largest)
        })
    }

    /// The vector of three (two in a window of two) from which a sweep begins, up to its length.
    fn start(&self, window: Window, sweeps: usize) -> [f64; 3] {
        let Window { low, high } = window;
        let h = &self.factors[0];
        if low + 1 == high {
            let (block, _) = self.two_rows(low);
            let [a, _, c, d] = block;
            let (sum, _, discriminant) = sum_product_discriminant(block);
            // The eigenvalue next to d; where there is none, or from time to time, no shift.
            let root = discriminant.max(0.0).sqrt();
            let shift = if sum < 2.0 * d { sum / 2.0 + root } else { sum / 2.0 - root };
            let shift = if discriminant < 0.0 || sweeps % 8 == 7 { 0.0 } else { shift };
            return [a - shift, c, 0.0];
        }
        let leading = Block::of_triangles(&self.factors[1..], low, 2);
        let trailing = Block::of_triangles(&self.factors[1..], high - 2, 3);
        let (sum, product, unit) = {
            let t = trailing.entries;
            let entry =
                |i: usize, j: usize| -> f64 { (i - 1..=j).map(|k| h[(high - 2 + i, high - 2 + k)] * t[k][j]).sum() };
            let block = [entry(1, 1), entry(1, 2), entry(2, 1), entry(2, 2)];
            let (sum, product, _) = sum_product_discriminant(block);
            match sweeps % 12 {
                // Exceptional shifts break rare cycles of the iteration.
                6 => {
                    let size = block[2].abs() + entry(1, 0).abs();
                    (1.5 * size, size * size, trailing.power)
                }
                11 => (0.0, 0.0, leading.power),
                _ => (sum, product, trailing.power),
            }
        };
        let begin = |common: i64| {
            let [[t00, t01, _], [_, t11, _], _] = leading.in_units_of(common);
            let (p00, p10) = (h[(low, low)] * t00, h[(low + 1, low)] * t00);
            let p01 = h[(low, low)] * t01 + h[(low, low + 1)] * t11;
            let p11 = h[(low + 1, low)] * t01 + h[(low + 1, low + 1)] * t11;
            let p21 = h[(low + 2, low + 1)] * t11;
            let sum = times_power_of_two(sum, unit - common);
            let product = times_power_of_two(product, 2 * (unit - common));
            [p00 * (p00 - sum) + product + p01 * p10, p10 * (p00 + p11 - sum), p10 * p21]
        };
        let start = begin(leading.power.max(unit));
        if start.iter().all(|x| x.is_finite()) && (start[1] != 0.0 || start[2] != 0.0) {
            return start;
        }
        // The shifts overflow the first rows: a step without them.
        [h[(low, low)], h[(low + 1, low)], 0.0]
    }

    /// One sweep over the window, begun with the reflection that annihilates all but the first entry of `start`.
    fn sweep(&mut self, window: Window, start: &[f64]) {
        let Window { low, high } = window;
        let turn = Turn::annihilating(low, start);
        turn.rows(&mut self.factors[0], low..high + 1);
        self.around(turn, window);
        for k in low..high.saturating_sub(1) {
            let size = 3.min(high - k);
            let turn = Turn::annihilating(k + 1, &self.factors[0].column(k)[k + 1..k + 1 + size]);
            turn.rows(&mut self.factors[0], k..high + 1);
            self.factors[0].column_mut(k)[k + 2..k + 1 + size].fill(0.0);
            self.around(turn, window);
        }
    }

    /// Carries a turn of the rows of H through the triangular factors to the columns of H.
    fn around(&mut self, mut turn: Turn, window: Window) {
        let (first, triangles) = self.factors.split_at_mut(1);
        for factor in triangles {
            turn = turn.through(factor, window);
        }
        let last = (turn.first + turn.size + 1).min(window.high + 1);
        turn.columns(&mut first[0], window.low..last);
    }
}
