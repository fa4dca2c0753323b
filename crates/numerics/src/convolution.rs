//! Sums of products of two power series of plain numbers, four terms side by side: what almost every order of a Taylor jet costs.

use core::cell::Cell;

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

/// The same sum for numbers side by side, of which one vector is taken: sum of a_i b_(n-1-i) over all n terms. The partial sums of each lane are those of [`lanes`], and so
/// are its bits.
#[inline(always)]
pub(crate) fn side_by_side<U: Unit, T: Copy>(
    unit: U,
    part: impl Fn(&Cell<T>) -> U::Four + Copy,
    a: &[Cell<T>],
    b: &[Cell<T>],
) -> U::Four {
    let zero = unit.four([0.0; 4]);
    if a.len() != b.len() {
        return zero;
    }
    match (a, b) {
        ([], _) => return zero,
        ([a], [b]) => return unit.times(part(a), part(b)),
        ([a, c], [d, b]) => return unit.times_plus(part(c), part(d), unit.times(part(a), part(b))),
        ([a, c, e], [f, d, b]) => {
            let two = unit.times_plus(part(c), part(d), unit.times(part(a), part(b)));
            return unit.times_plus(part(e), part(f), two);
        }
        _ => {}
    }
    let (eights, left) = a.as_chunks::<8>();
    let (left_b, eights_b) = b.as_rchunks::<8>();
    // Written out: what stands in closures of closures is not compiled for the unit.
    macro_rules! add {
        ($sum:ident, $x:expr, $y:expr, $from:literal) => {
            $sum.0 = unit.times_plus(part(&$x[$from]), part(&$y[$y.len() - 1 - $from]), $sum.0);
            $sum.1 = unit.times_plus(part(&$x[$from + 1]), part(&$y[$y.len() - 2 - $from]), $sum.1);
            $sum.2 = unit.times_plus(part(&$x[$from + 2]), part(&$y[$y.len() - 3 - $from]), $sum.2);
            $sum.3 = unit.times_plus(part(&$x[$from + 3]), part(&$y[$y.len() - 4 - $from]), $sum.3);
        };
    }
    macro_rules! first {
        ($x:expr, $y:expr, $from:literal) => {
            (
                unit.times(part(&$x[$from]), part(&$y[$y.len() - 1 - $from])),
                unit.times(part(&$x[$from + 1]), part(&$y[$y.len() - 2 - $from])),
                unit.times(part(&$x[$from + 2]), part(&$y[$y.len() - 3 - $from])),
                unit.times(part(&$x[$from + 3]), part(&$y[$y.len() - 4 - $from])),
            )
        };
    }
    let mut blocks = eights.iter().zip(eights_b.iter().rev());
    let (fours, fours_b) = (left.first_chunk::<4>(), left_b.last_chunk::<4>());
    let mut sum;
    match blocks.next() {
        Some((x, y)) => {
            sum = first!(x, y, 0);
            let mut second = first!(x, y, 4);
            for (x, y) in blocks {
                add!(sum, x, y, 0);
                add!(second, x, y, 4);
            }
            if let Some((x, y)) = fours.zip(fours_b) {
                add!(sum, x, y, 0);
            }
            sum.0 = unit.plus(sum.0, second.0);
            sum.1 = unit.plus(sum.1, second.1);
            sum.2 = unit.plus(sum.2, second.2);
            sum.3 = unit.plus(sum.3, second.3);
        }
        None => match fours.zip(fours_b) {
            Some((x, y)) => sum = first!(x, y, 0),
            None => return zero,
        },
    }
    let rest = a.len() % LANES;
    if rest > 0
        && let Some((x, y)) = a.last_chunk::<4>().zip(b.first_chunk::<4>())
    {
        // A product with zero adds nothing, or what is no number, as it does in one motion.
        sum.0 = unit.times_plus(zero, part(&y[3]), sum.0);
        sum.1 = unit.times_plus(if rest < 3 { zero } else { part(&x[1]) }, part(&y[2]), sum.1);
        sum.2 = unit.times_plus(if rest < 2 { zero } else { part(&x[2]) }, part(&y[1]), sum.2);
        sum.3 = unit.times_plus(part(&x[3]), part(&y[0]), sum.3);
    }
    unit.plus(unit.plus(sum.0, sum.2), unit.plus(sum.1, sum.3))
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
