//! Sums of products of two power series of plain numbers, four terms side by side: what almost every order of a Taylor jet costs.

use crate::vectors::Unit;

/// Terms side by side.
const LANES: usize = 4;

/// sum of a(j) b(k-j) over 1 <= j <= `terms`, where `terms` < k.
#[inline(always)]
pub(crate) fn lanes<U: Unit>(
    unit: U,
    a: impl Fn(usize) -> f64,
    b: impl Fn(usize) -> f64,
    k: usize,
    terms: usize,
) -> f64 {
    let after = |sum: f64, j: usize| unit.one_times_plus(a(j), b(k - j), sum);
    match terms {
        0 => return 0.0,
        1 => return a(1) * b(k - 1),
        2 => return after(a(1) * b(k - 1), 2),
        3 => return after(after(a(1) * b(k - 1), 2), 3),
        _ => {}
    }
    let factor = |j: usize| unit.four([a(j), a(j + 1), a(j + 2), a(j + 3)]);
    let other = |j: usize| unit.reversed([b(k - j - 3), b(k - j - 2), b(k - j - 1), b(k - j)]);
    // Two sums, so that one need not wait for the other.
    let mut sum = unit.times(factor(1), other(1));
    let (whole, rest) = (terms / LANES, terms % LANES);
    if whole >= 2 {
        let mut second = unit.times(factor(1 + LANES), other(1 + LANES));
        for block in 2..whole {
            let j = 1 + block * LANES;
            if block % 2 == 0 {
                sum = unit.times_plus(factor(j), other(j), sum);
            } else {
                second = unit.times_plus(factor(j), other(j), second);
            }
        }
        sum = unit.plus(sum, second);
    }
    if rest > 0 {
        // The last four, without those that have been counted.
        let j = terms + 1 - LANES;
        sum = unit.times_plus(unit.without_first(factor(j), LANES - rest), other(j), sum);
    }
    unit.sum(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::{Loop, Vectors};

    struct Sum<'a>(&'a [f64], &'a [f64], usize, usize);

    impl Loop for Sum<'_> {
        type Output = f64;

        #[inline(always)]
        fn run<U: Unit>(self, unit: U) -> f64 {
            lanes(unit, |j| self.0[j], |j| self.1[j], self.2, self.3)
        }
    }

    #[test]
    fn every_number_of_terms_of_every_order() {
        let a: [f64; 32] = core::array::from_fn(|j| (j * j + 1) as f64);
        let b: [f64; 32] = core::array::from_fn(|j| 3.0 - j as f64);
        for k in 1..32 {
            for terms in 0..k {
                let expected: f64 = (1..=terms).map(|j| a[j] * b[k - j]).sum();
                assert_eq!(Vectors::native().run(Sum(&a, &b, k, terms)), expected, "{terms} of {k}");
                assert_eq!(Vectors::PORTABLE.run(Sum(&a, &b, k, terms)), expected, "{terms} of {k}");
            }
        }
    }
}
