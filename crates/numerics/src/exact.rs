//! Double-double arithmetic, with about thirty digits.
//!
//! A number is the unevaluated sum hi + lo of two `f64` with |lo| at most half a unit in the last place of hi, about 106
//! bits. Sums and products use error-free transformations (Dekker 1971; Knuth, TAOCP vol. 2, section 4.2.2; the error
//! bounds are those of Joldes, Muller and Popescu 2017): a relative error below 2⁻¹⁰² for each of + - * / and the square
//! root, as long as nothing overflows and no part falls below the smallest normal number. The functions are in
//! `exact/functions.rs`.

mod functions;

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::number::assigning_operators;

/// The unevaluated sum of two `f64`: about thirty digits with the range of `f64`.
///
/// A result that overflows, or an argument outside a function's domain, gives a number that is not finite.
///
/// ```
/// use saltation_numerics::{exact::DoubleDouble, number::Number};
///
/// let third = DoubleDouble::ONE / 3.0.into();
/// assert_eq!(third.hi, 1.0 / 3.0);
/// assert!((third * 3.0.into() - DoubleDouble::ONE).value().abs() < 1e-31);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct DoubleDouble {
    /// The leading part: the number rounded to `f64`.
    pub hi: f64,
    /// The remainder of the leading part.
    pub lo: f64,
}

/// The rounded sum and its exact error.
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// The rounded product and its exact error.
#[inline]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

impl DoubleDouble {
    /// π.
    pub const PI: Self = Self { hi: core::f64::consts::PI, lo: 1.2246467991473532e-16 };
    /// The natural logarithm of two.
    pub const LN_2: Self = Self { hi: core::f64::consts::LN_2, lo: 2.3190468138462996e-17 };

    /// The number hi + lo, for |lo| <= |hi| or any parts whose sum's error is still exact that way.
    #[inline]
    fn renormalised(hi: f64, lo: f64) -> Self {
        let sum = hi + lo;
        Self { hi: sum, lo: lo - (sum - hi) }
    }

    /// The exact product of two plain numbers.
    #[inline]
    pub fn product(a: f64, b: f64) -> Self {
        let (hi, lo) = two_product(a, b);
        Self { hi, lo }
    }

    /// The absolute value.
    #[inline]
    pub fn abs(self) -> Self {
        if self.hi < 0.0 || (self.hi == 0.0 && self.lo < 0.0) { -self } else { self }
    }

    /// This number times 2^k, exact as long as no part underflows.
    fn times_power_of_two(self, k: i32) -> Self {
        // Two factors, because 2^k itself may lie outside the range of f64 where the result does not.
        let (half, rest) = (k / 2, k - k / 2);
        let (first, second) = (2f64.powi(half), 2f64.powi(rest));
        Self { hi: self.hi * first * second, lo: self.lo * first * second }
    }
}

impl From<f64> for DoubleDouble {
    #[inline]
    fn from(value: f64) -> Self {
        Self { hi: value, lo: 0.0 }
    }
}

impl From<DoubleDouble> for f64 {
    #[inline]
    fn from(number: DoubleDouble) -> Self {
        number.hi
    }
}

impl Add for DoubleDouble {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let (hi, hi_error) = two_sum(self.hi, other.hi);
        let (lo, lo_error) = two_sum(self.lo, other.lo);
        let sum = Self::renormalised(hi, hi_error + lo);
        Self::renormalised(sum.hi, sum.lo + lo_error)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let (hi, error) = two_product(self.hi, other.hi);
        Self::renormalised(hi, error + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    /// Long division with three digits in base 2⁵³.
    #[inline]
    fn div(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let remainder = self - other * first.into();
        let second = remainder.hi / other.hi;
        let remainder = remainder - other * second.into();
        let third = remainder.hi / other.hi;
        Self::renormalised(first, second) + third.into()
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

assigning_operators!([] DoubleDouble);

#[cfg(test)]
mod tests;
