//! The trait of number types on which formulas are evaluated.
//!
//! One formula is evaluated on several kinds of numbers: `f64` gives its value,
//! [`Dual`](crate::dual::Dual) its derivatives, [`DoubleDouble`](crate::exact::DoubleDouble) some thirty digits. [`Number`] is their
//! common interface.

use crate::elementary;
use core::cell::Cell;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::convolution;
use crate::vectors::Unit;

/// A kind of number a formula can be evaluated on.
///
/// Outside the domain of a function (`log` of a negative number, division by zero) the result is not finite, as for
/// `f64`; nothing panics.
///
/// ```
/// use saltation_numerics::{dual::Dual, number::Number};
///
/// fn kinetic_energy<N: Number>(mass: f64, speed: N) -> N {
///     speed.square().scale(0.5 * mass)
/// }
/// assert_eq!(kinetic_energy(2.0, 3.0), 9.0);
/// assert_eq!(kinetic_energy(2.0, Dual::<1>::variable(3.0, 0)).tangent, [6.0]);
/// ```
pub trait Number:
    Copy
    + Send
    + Sync
    + 'static
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// Whether arithmetic is so cheap that loops over coefficients are worth a copy of their own for every length, for vectors of the processor.
    const UNROLLED: bool = false;
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;

    /// The constant `value`.
    fn from_f64(value: f64) -> Self;

    /// These numbers, if they are plain ones.
    #[inline]
    fn plain(_: &[Self]) -> Option<&[f64]> {
        None
    }

    /// The leading `f64` part.
    fn value(self) -> f64;

    /// The largest of its parts in size: zero only for a number that vanishes with all its derivatives.
    fn magnitude(self) -> f64 {
        self.value().abs()
    }

    /// Whether every part is finite.
    fn is_finite(self) -> bool;

    /// This number times a plain number.
    fn scale(self, factor: f64) -> Self;

    /// The square x².
    fn square(self) -> Self;

    /// The reciprocal 1/x.
    fn reciprocal(self) -> Self;

    /// The square root.
    fn sqrt(self) -> Self;

    /// The exponential.
    fn exp(self) -> Self;

    /// The natural logarithm.
    fn log(self) -> Self;

    /// Sine and cosine, in this order.
    fn sin_cos(self) -> (Self, Self);

    /// The tangent.
    fn tan(self) -> Self;

    /// The inverse sine, in [-π/2, π/2].
    fn asin(self) -> Self;

    /// The inverse cosine, in [0, π].
    fn acos(self) -> Self;

    /// The inverse tangent, in [-π/2, π/2].
    fn atan(self) -> Self;

    /// The angle in [-π, π] of the point with ordinate `self` and abscissa `x`.
    fn atan2(self, x: Self) -> Self;

    /// Hyperbolic sine and cosine, in this order.
    fn sinh_cosh(self) -> (Self, Self);

    /// The hyperbolic tangent.
    fn tanh(self) -> Self;

    /// The power with a real constant exponent.
    fn powf(self, exponent: f64) -> Self;

    /// One of two numbers, by a test of the leading part of another one; in each lane of [numbers side by side](crate::lanes::Lanes) the one that is due there.
    #[inline(always)]
    fn choose(of: Self, test: impl Fn(f64) -> bool, then: Self, otherwise: Self) -> Self {
        if test(of.value()) { then } else { otherwise }
    }

    /// The same by whether the [magnitudes](Number::magnitude) of some numbers all are zero.
    #[inline(always)]
    fn choose_at_zero(of: [Self; 3], then: Self, otherwise: Self) -> Self {
        if of.into_iter().all(|x| x.magnitude() == 0.0) { then } else { otherwise }
    }

    /// The scalar product of two rows: the inner loop of every product of power series, one of which is kept backwards.
    ///
    /// Entries beyond the shorter row are left out.
    fn dot(a: &[Self], b: &[Self]) -> Self {
        let mut sum = Self::ZERO;
        for (&x, &y) in a.iter().zip(b) {
            sum += x * y;
        }
        sum
    }

    /// a b + c, rounded once or twice as the vector unit does.
    #[inline(always)]
    fn times_plus<U: Unit>(_: U, a: Self, b: Self, c: Self) -> Self {
        a * b + c
    }

    /// The sum of products of two rows of the same length, of which the second one is read backwards: the inner loop of a product of power series.
    ///
    /// Plain numbers are added four by four on the vector unit.
    #[inline(always)]
    fn convolve<U: Unit>(_: U, a: &[Cell<Self>], b: &[Cell<Self>]) -> Self {
        // Two sums side by side hide the time of an addition.
        let (mut even, mut odd) = (Self::ZERO, Self::ZERO);
        let (pairs, last) = a.as_chunks::<2>();
        let (first, pairs_b) = b.as_rchunks::<2>();
        for (a, b) in pairs.iter().zip(pairs_b.iter().rev()) {
            even += a[0].get() * b[1].get();
            odd += a[1].get() * b[0].get();
        }
        if let ([a], [b]) = (last, first) {
            even += a.get() * b.get();
        }
        even + odd
    }
}

/// Real numbers with an order, of which bounds are made: single ones, or several in [lanes](crate::lanes::Lanes).
pub trait Real: Number {
    /// The absolute value.
    fn modulus(self) -> Self;

    /// The smaller of two numbers, or the only one.
    fn smaller(self, other: Self) -> Self;

    /// The greater of two numbers, or the only one.
    fn greater(self, other: Self) -> Self;

    /// exp x - 1.
    fn exp_m1(self) -> Self;

    /// x^n.
    fn powi(self, n: i32) -> Self;

    /// sum (x_k w_k)^2.
    fn square_sum<U: Unit>(unit: U, numbers: &[Self], weights: &[Self]) -> Self;
}

impl Real for f64 {
    #[inline(always)]
    fn modulus(self) -> f64 {
        self.abs()
    }

    #[inline(always)]
    fn smaller(self, other: f64) -> f64 {
        self.min(other)
    }

    #[inline(always)]
    fn greater(self, other: f64) -> f64 {
        self.max(other)
    }

    #[inline(always)]
    fn exp_m1(self) -> f64 {
        elementary::exp_m1(self)
    }

    #[inline(always)]
    fn powi(self, n: i32) -> f64 {
        f64::powi(self, n)
    }

    #[inline(always)]
    fn square_sum<U: Unit>(unit: U, numbers: &[f64], weights: &[f64]) -> f64 {
        let ((fours, rest), (weights, last)) = (numbers.as_chunks::<4>(), weights.as_chunks::<4>());
        let mut sum = unit.four([0.0; 4]);
        for (x, weight) in fours.iter().zip(weights) {
            let size = unit.times(unit.four(*x), unit.four(*weight));
            sum = unit.times_plus(size, size, sum);
        }
        let mut square = unit.sum(sum);
        for (x, weight) in rest.iter().zip(last) {
            let size = x * weight;
            square = unit.one_times_plus(size, size, square);
        }
        square
    }
}

impl Number for f64 {
    const UNROLLED: bool = true;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    #[inline]
    fn from_f64(value: f64) -> Self {
        value
    }

    #[inline]
    fn plain(numbers: &[f64]) -> Option<&[f64]> {
        Some(numbers)
    }

    #[inline]
    fn value(self) -> f64 {
        self
    }

    #[inline]
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }

    #[inline]
    fn scale(self, factor: f64) -> Self {
        self * factor
    }

    #[inline]
    fn square(self) -> Self {
        self * self
    }

    #[inline]
    fn reciprocal(self) -> Self {
        self.recip()
    }

    #[inline]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline]
    fn exp(self) -> Self {
        elementary::exp(self)
    }

    #[inline]
    fn log(self) -> Self {
        elementary::ln(self)
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        elementary::sin_cos(self)
    }

    #[inline]
    fn tan(self) -> Self {
        elementary::tan(self)
    }

    #[inline]
    fn asin(self) -> Self {
        elementary::asin(self)
    }

    #[inline]
    fn acos(self) -> Self {
        elementary::acos(self)
    }

    #[inline]
    fn atan(self) -> Self {
        elementary::atan(self)
    }

    #[inline]
    fn atan2(self, x: Self) -> Self {
        elementary::atan2(self, x)
    }

    #[inline]
    fn sinh_cosh(self) -> (Self, Self) {
        (elementary::sinh(self), elementary::cosh(self))
    }

    #[inline]
    fn tanh(self) -> Self {
        elementary::tanh(self)
    }

    #[inline]
    fn powf(self, exponent: f64) -> Self {
        elementary::powf(self, exponent)
    }

    /// Four independent sums, so that neither the latency of one addition nor the reversal holds up the row.
    #[inline(always)]
    fn dot(a: &[Self], b: &[Self]) -> Self {
        // Four sums side by side, which fit the vectors of the processor and hide the time of an addition.
        let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
        let mut sums = [0.0; 4];
        for (x, y) in a.iter().zip(b) {
            sums[0] += x[0] * y[0];
            sums[1] += x[1] * y[1];
            sums[2] += x[2] * y[2];
            sums[3] += x[3] * y[3];
        }
        let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
        ((sums[0] + sums[2]) + (sums[1] + sums[3])) + rest
    }

    #[inline(always)]
    fn times_plus<U: Unit>(unit: U, a: Self, b: Self, c: Self) -> Self {
        unit.one_times_plus(a, b, c)
    }

    #[inline(always)]
    fn convolve<U: Unit>(unit: U, a: &[Cell<Self>], b: &[Cell<Self>]) -> Self {
        let terms = a.len().min(b.len());
        convolution::lanes(unit, |j| a[j - 1].get(), |j| b[j - 1].get(), terms + 1, terms)
    }
}

/// The assigning operators of a number type in terms of the plain ones.
macro_rules! assigning_operators {
    ([$($parameters:tt)*] $type:ty) => {
        impl<$($parameters)*> core::ops::AddAssign for $type {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl<$($parameters)*> core::ops::SubAssign for $type {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
        impl<$($parameters)*> core::ops::MulAssign for $type {
            #[inline(always)]
            fn mul_assign(&mut self, other: Self) {
                *self = *self * other;
            }
        }
    };
}
pub(crate) use assigning_operators;

/// The whole number nearest to x; of two that are equally near the even one.
///
/// ```
/// use saltation_numerics::number::nearest;
/// assert_eq!((nearest(2.4), nearest(-0.6), nearest(2.5), nearest(1e300)), (2.0, -1.0, 2.0, 1e300));
/// ```
#[inline]
pub fn nearest(x: f64) -> f64 {
    /// Numbers between this and twice this are spaced by one.
    const SPACED_BY_ONE: f64 = (1_u64 << 52) as f64;
    const SHIFT: f64 = 1.5 * SPACED_BY_ONE;
    // Larger numbers are whole, or next to it.
    if x.abs() < 0.5 * SPACED_BY_ONE { (x + SHIFT) - SHIFT } else { x.round() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_is_the_sum_of_products_for_every_length() {
        for n in 0..40 {
            let a: Vec<f64> = (0..n).map(|k| (k * k + 1) as f64).collect();
            let b: Vec<f64> = (0..n).map(|k| 3.0 - k as f64).collect();
            let expected: f64 = (0..n).map(|j| a[j] * b[j]).sum();
            assert_eq!(f64::dot(&a, &b), expected, "length {n}");
        }
    }
}
