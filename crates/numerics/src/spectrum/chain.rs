//! Reduces a chain of factors to Hessenberg-triangular form and deflates the null directions of singular factors.

use super::{ROUNDING, Ranks};
use crate::dense::{Elimination, Failure, Matrix, Reflection};

/// The factors of a product, all square with the same size, the first to act first.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) factors: Vec<Matrix>,
}

impl Chain {
    pub(super) fn new(factors: Vec<Matrix>) -> Self {
        Self { factors }
    }

    /// The number of rows of each factor.
    pub(super) fn size(&self) -> usize {
        self.factors.first().map_or(0, Matrix::rows)
    }

    /// The diagonal blocks with rows and columns `low..=high`, as a chain.
    pub(super) fn block(&self, low: usize, high: usize) -> Self {
        let size = high + 1 - low;
        let block = |factor: &Matrix| Matrix::from_fn(size, size, |i, j| factor[(low + i, low + j)]);
        Self::new(self.factors.iter().map(block).collect())
    }

    /// A chain with the same eigenvalues except the zeros that follow from the ranks of factors.
    pub(super) fn without_zeros(mut self, ranks: Ranks<'_>) -> Result<Self, Failure> {
        let n = self.size();
        let (known, tolerance) = match ranks {
            Ranks::Full => return Ok(self),
            Ranks::Known(known) => (known.to_vec(), ROUNDING),
            // The rank of any factor bounds that of the product.
            Ranks::Within(tolerance) => (vec![n; self.factors.len()], tolerance),
        };
        let are_known = matches!(ranks, Ranks::Known(_));
        // Rounding errors of a factor are relative to its original norm, not to its remainder.
        let mut noise = Vec::with_capacity(self.factors.len());
        for factor in &self.factors {
            noise.push(match are_known {
                true => tolerance * factor.frobenius_norm(),
                false => tolerance * factor.singular_values()?.first().copied().unwrap_or(0.0),
            });
        }
        let mut elimination = Elimination::default();
        loop {
            let size = self.size();
            let least = known.iter().copied().enumerate().min_by_key(|&(_, rank)| rank);
            let mut narrowest = least.filter(|&(_, rank)| rank < size).unwrap_or((0, size));
            if narrowest.1 == size {
                for (k, factor) in self.factors.iter().enumerate().filter(|&(k, _)| !(are_known && known[k] >= n)) {
                    if is_regular(factor, noise[k], &mut elimination) {
                        continue;
                    }
                    let values = factor.singular_values()?;
                    let rank = values.iter().filter(|&&value| value > 0.0 && value > noise[k]).count();
                    if rank < narrowest.1 {
                        narrowest = (k, rank);
                    }
                }
            }
            let (k, rank) = narrowest;
            if rank == size {
                return Ok(self);
            }
            self = self.narrowed(k, rank)?;
        }
    }

    /// The chain with `rank` rows and columns that has all eigenvalues that are not zero, if factor k has that rank.
    pub(super) fn narrowed(mut self, k: usize, rank: usize) -> Result<Self, Failure> {
        let mut basis = self.factors[k].leading_left_singular_vectors(rank)?;
        let last = &basis.transpose() * &self.factors[k];
        let count = self.factors.len();
        for i in (k + 1..count).chain(0..k) {
            let (next, factor) = (&self.factors[i] * &basis).qr()?;
            (basis, self.factors[i]) = (next, factor);
        }
        self.factors[k] = &last * &basis;
        Ok(self)
    }

    /// Orthogonal changes of basis between the factors that make the first one upper Hessenberg and the others upper
    /// triangular.
    pub(super) fn reduce(&mut self) -> Result<(), Failure> {
        let (n, count) = (self.size(), self.factors.len());
        for k in 1..count {
            let (q, r) = self.factors[k].qr()?;
            self.factors[k] = r;
            let next = (k + 1) % count;
            self.factors[next] = &self.factors[next] * &q;
        }
        for j in 0..n.saturating_sub(2) {
            let mut reflection = Reflection::default();
            let beta = reflection.annihilate(&self.factors[0].column(j)[j + 1..]);
            self.factors[0].column_mut(j)[j + 1..].fill(0.0);
            self.factors[0][(j + 1, j)] = beta;
            reflection.apply_to_rows(&mut self.factors[0], j + 1, j + 1..n);
            // The reflections that pass from the factor just treated to the columns of the next one.
            let mut sent = vec![(j + 1, reflection)];
            for k in (1..count).chain([0]) {
                let factor = &mut self.factors[k];
                for (first, reflection) in &sent {
                    reflection.apply_to_columns(factor, *first, 0..n);
                }
                if k == 0 {
                    break;
                }
                sent.clear();
                for c in j + 1..n - 1 {
                    let mut reflection = Reflection::default();
                    let beta = reflection.annihilate(&factor.column(c)[c..]);
                    factor.column_mut(c)[c..].fill(0.0);
                    factor[(c, c)] = beta;
                    reflection.apply_to_rows(factor, c, c + 1..n);
                    sent.push((c, reflection));
                }
            }
        }
        Ok(())
    }
}

/// Whether all singular values certainly exceed `noise`: the least is not below the reciprocal of the Frobenius norm of the inverse.
fn is_regular(factor: &Matrix, noise: f64, elimination: &mut Elimination) -> bool {
    /// By this much the computed norm of an inverse may be too small.
    const ROUNDING: f64 = 2.0;
    let n = factor.rows();
    if elimination.factor(factor).is_err() {
        return false;
    }
    let mut sum = 0.0;
    let mut column = vec![0.0; n];
    for j in 0..n {
        column.fill(0.0);
        column[j] = 1.0;
        if elimination.solve_in_place(&mut column).is_err() {
            return false;
        }
        sum += column.iter().map(|x| x * x).sum::<f64>();
    }
    ROUNDING * noise * sum.sqrt() < 1.0
}
