//! Four numbers at a time: loops compiled for the vector unit of the processor, without unsafe code (by pulp), and a portable form of them.
//!
//! A loop is compiled twice: for AVX2 with fused multiply-adds, and for every processor of its kind. Which one runs is found once, when the program runs. Both add in the
//! same order; a fused multiply-add rounds once instead of twice, so that results differ by rounding between processors with and without it. The second form
//! rounds alike everywhere, and is the one of a [`portable`](mod@crate::portable) process.

use crate::portable;

/// A loop, or a few, that gain from vectors.
pub trait Loop {
    /// What it gives back.
    type Output;

    /// Runs it on a vector unit. To be marked `#[inline(always)]`, so that it is compiled for that unit.
    fn run<U: Unit>(self, unit: U) -> Self::Output;
}

/// Arithmetic on four numbers side by side.
pub trait Unit: Copy {
    /// Four numbers.
    type Four: Copy;

    /// Four numbers in their order.
    fn four(self, x: [f64; 4]) -> Self::Four;

    /// The numbers in their order.
    fn numbers(self, x: Self::Four) -> [f64; 4];

    /// Four numbers, the last one first.
    fn reversed(self, x: [f64; 4]) -> Self::Four;

    /// x with zeros for its first n < 4 numbers.
    fn without_first(self, x: Self::Four, n: usize) -> Self::Four;

    /// a b.
    fn times(self, a: Self::Four, b: Self::Four) -> Self::Four;

    /// a + b.
    fn plus(self, a: Self::Four, b: Self::Four) -> Self::Four;

    /// a b + c, rounded once or twice.
    fn times_plus(self, a: Self::Four, b: Self::Four, c: Self::Four) -> Self::Four;

    /// (x_0 + x_2) + (x_1 + x_3).
    fn sum(self, x: Self::Four) -> f64;

    /// a b + c of single numbers, rounded as those of four.
    fn one_times_plus(self, a: f64, b: f64, c: f64) -> f64;
}

/// Which form of a loop runs.
///
/// ```
/// use saltation_numerics::vectors::{Loop, Unit, Vectors};
///
/// struct Dot([f64; 4], [f64; 4]);
/// impl Loop for Dot {
///     type Output = f64;
///     #[inline(always)]
///     fn run<U: Unit>(self, unit: U) -> f64 {
///         unit.sum(unit.times(unit.four(self.0), unit.reversed(self.1)))
///     }
/// }
/// let dot = || Dot([1.0, 2.0, 3.0, 4.0], [1.0, 10.0, 100.0, 1000.0]);
/// assert_eq!((Vectors::native().run(dot()), Vectors::PORTABLE.run(dot())), (1234.0, 1234.0));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Vectors {
    #[cfg(target_arch = "x86_64")]
    avx: Option<pulp::x86::V3>,
}

impl Vectors {
    /// The form that runs on every processor and rounds alike on all.
    pub const PORTABLE: Vectors = Vectors {
        #[cfg(target_arch = "x86_64")]
        avx: None,
    };

    /// The form of this process: the fastest, or the portable one if that is [chosen](crate::portable).
    pub fn of_process() -> Vectors {
        if portable::is_chosen() { Vectors::PORTABLE } else { Vectors::native() }
    }

    /// The fastest form on this processor.
    pub fn native() -> Vectors {
        Vectors {
            #[cfg(target_arch = "x86_64")]
            avx: pulp::x86::V3::try_new(),
        }
    }

    /// Runs a loop in this form.
    #[inline(always)]
    pub fn run<L: Loop>(self, work: L) -> L::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx) = self.avx {
            return avx.vectorize(avx::On(work, avx));
        }
        work.run(Portable)
    }

    /// Whether there are vectors of four.
    pub fn are_wide(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self.avx.is_some();
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Runs a loop where there are vectors of four; there is no other form of it.
    #[inline(always)]
    pub fn run_wide<L: Loop>(self, work: L) -> Option<L::Output> {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx) = self.avx {
            return Some(avx.vectorize(avx::On(work, avx)));
        }
        drop(work);
        None
    }
}

/// Runs a plain loop, compiled for vectors of four as well. Its sums and products are rounded one by one in the order in which they are written, so that
/// both forms have the same bits, and it belongs to a portable process, too. What it calls is to be marked `#[inline(always)]`.
#[inline(always)]
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx) = pulp::x86::V3::try_new() {
        return avx.vectorize(work);
    }
    work()
}

/// Plain arithmetic.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Unit for Portable {
    type Four = [f64; 4];

    #[inline(always)]
    fn four(self, x: [f64; 4]) -> [f64; 4] {
        x
    }

    #[inline(always)]
    fn numbers(self, x: [f64; 4]) -> [f64; 4] {
        x
    }

    #[inline(always)]
    fn reversed(self, [a, b, c, d]: [f64; 4]) -> [f64; 4] {
        [d, c, b, a]
    }

    #[inline(always)]
    fn without_first(self, x: [f64; 4], n: usize) -> [f64; 4] {
        core::array::from_fn(|lane| if lane < n { 0.0 } else { x[lane] })
    }

    #[inline(always)]
    fn times(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        core::array::from_fn(|lane| a[lane] * b[lane])
    }

    #[inline(always)]
    fn plus(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        core::array::from_fn(|lane| a[lane] + b[lane])
    }

    #[inline(always)]
    fn times_plus(self, a: [f64; 4], b: [f64; 4], c: [f64; 4]) -> [f64; 4] {
        core::array::from_fn(|lane| a[lane] * b[lane] + c[lane])
    }

    #[inline(always)]
    fn sum(self, [a, b, c, d]: [f64; 4]) -> f64 {
        (a + c) + (b + d)
    }

    #[inline(always)]
    fn one_times_plus(self, a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use core::arch::x86_64::{__m128d, __m256d};
    use pulp::x86::V3;

    use super::{Loop, Unit};

    /// A loop on a unit.
    pub(super) struct On<L>(pub L, pub V3);

    impl<L: Loop> pulp::NullaryFnOnce for On<L> {
        type Output = L::Output;

        #[inline(always)]
        fn call(self) -> L::Output {
            self.0.run(self.1)
        }
    }

    impl Unit for V3 {
        type Four = __m256d;

        #[inline(always)]
        fn four(self, x: [f64; 4]) -> __m256d {
            pulp::cast(x)
        }

        #[inline(always)]
        fn numbers(self, x: __m256d) -> [f64; 4] {
            pulp::cast(x)
        }

        #[inline(always)]
        fn reversed(self, x: [f64; 4]) -> __m256d {
            self.avx2._mm256_permute4x64_pd::<0b00_01_10_11>(pulp::cast(x))
        }

        #[inline(always)]
        fn without_first(self, x: __m256d, n: usize) -> __m256d {
            let zero = self.avx._mm256_setzero_pd();
            match n {
                0 => x,
                1 => self.avx._mm256_blend_pd::<0b0001>(x, zero),
                2 => self.avx._mm256_blend_pd::<0b0011>(x, zero),
                _ => self.avx._mm256_blend_pd::<0b0111>(x, zero),
            }
        }

        #[inline(always)]
        fn times(self, a: __m256d, b: __m256d) -> __m256d {
            self.avx._mm256_mul_pd(a, b)
        }

        #[inline(always)]
        fn plus(self, a: __m256d, b: __m256d) -> __m256d {
            self.avx._mm256_add_pd(a, b)
        }

        #[inline(always)]
        fn times_plus(self, a: __m256d, b: __m256d, c: __m256d) -> __m256d {
            self.fma._mm256_fmadd_pd(a, b, c)
        }

        #[inline(always)]
        fn sum(self, x: __m256d) -> f64 {
            let (low, high) = (self.avx._mm256_castpd256_pd128(x), self.avx._mm256_extractf128_pd::<1>(x));
            let pair: __m128d = self.sse2._mm_add_pd(low, high);
            let [first, second]: [f64; 2] = pulp::cast(pair);
            first + second
        }

        #[inline(always)]
        fn one_times_plus(self, a: f64, b: f64, c: f64) -> f64 {
            a.mul_add(b, c)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct All([f64; 4], [f64; 4]);

    impl Loop for All {
        type Output = Vec<f64>;

        #[inline(always)]
        fn run<U: Unit>(self, unit: U) -> Vec<f64> {
            let (a, b) = (unit.four(self.0), unit.reversed(self.1));
            let mut sums =
                vec![unit.sum(unit.times(a, b)), unit.sum(unit.plus(a, b)), unit.sum(unit.times_plus(a, b, a))];
            sums.extend((0..4).map(|n| unit.sum(unit.without_first(unit.times(a, b), n))));
            sums.push(unit.one_times_plus(self.0[0], self.1[0], 5.0));
            sums
        }
    }

    #[test]
    fn all_units_agree_where_nothing_is_rounded() {
        let all = || All([1.0, 2.0, 3.0, 4.0], [5.0, 7.0, 11.0, 13.0]);
        let expected = vec![76.0, 46.0, 86.0, 76.0, 63.0, 41.0, 20.0, 10.0];
        assert_eq!(Vectors::PORTABLE.run(all()), expected);
        assert_eq!(Vectors::native().run(all()), expected);
    }
}
