//! Anderson's acceleration of sweeps: the mixture of the last ones whose changes cancel best.
//!
//! A sweep is a map G of the impulses, and the impulses that are looked for are its fixed point. While no contact changes its case the
//! map is affine, and Anderson's mixture of the last sweeps (D. G. Anderson, J. ACM 12 (1965); H. Walker & P. Ni, SIAM J. Numer. Anal. 49 (2011))
//!
//! ```text
//! x_(k+1) = G(x_k) - sum_i gamma_i (dx_i + df_i),    gamma = argmin |f_k - sum_i gamma_i df_i|,    f = G(x) - x,
//! ```
//!
//! with differences dx, df of successive sweeps, reaches it as a Krylov method would. Where cases change it may mislead: where a mixture
//! leads to larger changes than there were, the sweeps continue from where they had the least, the past is forgotten, and nothing is
//! mixed for a while, which is longer every time.

use crate::instant::knowledge::ROUNDING;

/// How many differences are mixed.
const DEPTH: usize = 10;
/// By which factor the changes after a mixture may exceed the least so far.
const GROWTH: f64 = 2.0;

/// The last sweeps. Their room is used again for every step.
#[derive(Debug, Default)]
pub(super) struct Acceleration {
    size: usize,
    /// How many differences there are, and which place the next one takes.
    known: usize,
    next: usize,
    has_last: bool,
    /// The least change of a sweep, and where that sweep led to.
    least: f64,
    best: Vec<f64>,
    /// For how many sweeps nothing is mixed, and for how many after the next failure.
    pause: usize,
    patience: usize,
    /// The last x and f.
    last: [Vec<f64>; 2],
    /// The differences dx and df, one row after another.
    differences: [Vec<f64>; 2],
    /// The products of the df.
    gram: [[f64; DEPTH]; DEPTH],
}

impl Acceleration {
    /// Forgets everything; impulses are so many numbers.
    pub(super) fn begin(&mut self, size: usize) {
        self.size = size;
        self.least = f64::INFINITY;
        self.best.resize(size, 0.0);
        (self.pause, self.patience) = (0, 2);
        for last in &mut self.last {
            last.resize(size, 0.0);
        }
        for rows in &mut self.differences {
            rows.resize(DEPTH * size, 0.0);
        }
        self.forget();
    }

    fn forget(&mut self) {
        (self.known, self.next, self.has_last) = (0, 0, false);
    }

    /// Takes x and G(x), and puts into the latter from where the next sweep is to begin.
    pub(super) fn mix(&mut self, x: &[f64], image: &mut [f64]) {
        let size = self.size;
        let change = x.iter().zip(&*image).map(|(x, g)| (g - x) * (g - x)).sum::<f64>().sqrt();
        if change < self.least {
            self.least = change;
            self.best.copy_from_slice(image);
        } else if self.known > 0 && change > GROWTH * self.least {
            image.copy_from_slice(&self.best);
            self.forget();
            self.least = f64::INFINITY;
            (self.pause, self.patience) = (self.patience, 2 * self.patience);
            return;
        }
        if self.pause > 0 {
            self.pause -= 1;
            return;
        }
        let [last_x, last_f] = &mut self.last;
        let [dx, df] = &mut self.differences;
        if self.has_last {
            let place = self.next * size..(self.next + 1) * size;
            let (row_x, row_f) = (&mut dx[place.clone()], &mut df[place]);
            for i in 0..size {
                row_x[i] = x[i] - last_x[i];
                row_f[i] = (image[i] - x[i]) - last_f[i];
            }
            self.known = DEPTH.min(self.known + 1);
            let new = self.next;
            for other in 0..self.known {
                let product = dot(&df[new * size..(new + 1) * size], &df[other * size..(other + 1) * size]);
                (self.gram[new][other], self.gram[other][new]) = (product, product);
            }
            self.next = (self.next + 1) % DEPTH;
        }
        for i in 0..size {
            last_x[i] = x[i];
            last_f[i] = image[i] - x[i];
        }
        self.has_last = true;
        let mut right = [0.0; DEPTH];
        for (k, entry) in right.iter_mut().enumerate().take(self.known) {
            *entry = dot(&df[k * size..(k + 1) * size], last_f);
        }
        let gamma = solve(&self.gram, right, self.known);
        for (k, &gamma) in gamma.iter().enumerate().take(self.known).filter(|(_, gamma)| **gamma != 0.0) {
            let rows = dx[k * size..(k + 1) * size].iter().zip(&df[k * size..(k + 1) * size]);
            for (value, (dx, df)) in image.iter_mut().zip(rows) {
                *value -= gamma * (dx + df);
            }
        }
    }
}

/// A scalar product with four sums at once.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_fours, b_fours) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a_fours.remainder().iter().zip(b_fours.remainder()).map(|(a, b)| a * b).sum();
    let sums = a_fours
        .zip(b_fours)
        .fold([0.0; 4], |sums: [f64; 4], (a, b)| std::array::from_fn(|lane| sums[lane] + a[lane] * b[lane]));
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// The least-squares weights from the products of the differences, by Cholesky's elimination with the largest pivot; differences that the
/// others already span have weight 0.
fn solve(gram: &[[f64; DEPTH]; DEPTH], mut right: [f64; DEPTH], known: usize) -> [f64; DEPTH] {
    let mut a = *gram;
    let mut order: [usize; DEPTH] = std::array::from_fn(|k| k);
    let mut rank = 0;
    while rank < known {
        let relative = |k: usize| if gram[k][k] > 0.0 { a[k][k] / gram[k][k] } else { 0.0 };
        let Some(best) = (rank..known).max_by(|&i, &j| relative(order[i]).total_cmp(&relative(order[j]))) else {
            break;
        };
        if relative(order[best]).is_nan() || relative(order[best]) <= ROUNDING {
            break;
        }
        order.swap(rank, best);
        let pivot = order[rank];
        for &row in &order[rank + 1..known] {
            let factor = a[row][pivot] / a[pivot][pivot];
            for &column in &order[rank + 1..known] {
                a[row][column] -= factor * a[pivot][column];
            }
            right[row] -= factor * right[pivot];
        }
        rank += 1;
    }
    let mut weights = [0.0; DEPTH];
    for k in (0..rank).rev() {
        let pivot = order[k];
        let rest: f64 = order[k + 1..rank].iter().map(|&column| a[pivot][column] * weights[column]).sum();
        weights[pivot] = (right[pivot] - rest) / a[pivot][pivot];
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An affine map of n unknowns is at its fixed point after n + 1 differences, though alone it would take thousands of sweeps.
    #[test]
    fn an_affine_map_ends_at_once() {
        let rates = [0.999, 0.99, 0.9, 0.5, -0.3, 0.7];
        let mut acceleration = Acceleration::default();
        acceleration.begin(rates.len());
        let mut x = [0.0; 6];
        for _ in 0..9 {
            let mut image: [f64; 6] = std::array::from_fn(|i| rates[i] * x[i] + 1.0);
            acceleration.mix(&x, &mut image);
            x = image;
        }
        for (x, rate) in x.iter().zip(rates) {
            assert!((x * (1.0 - rate) - 1.0).abs() < 1e-9, "{x}");
        }
    }

    #[test]
    fn differences_that_agree_count_once() {
        let mut gram = [[0.0; DEPTH]; DEPTH];
        for row in gram.iter_mut().take(3) {
            row[..3].copy_from_slice(&[2.0, 2.0, 2.0]);
        }
        let weights = solve(&gram, [4.0; DEPTH], 3);
        assert_eq!(weights.iter().sum::<f64>(), 2.0);
    }
}
