//! A number with the size of the terms it is made of, by running error analysis (Higham, Accuracy and Stability of Numerical Algorithms,
//! 2nd ed., Sect. 3.3).
//!
//! With u = f(a, b),
//!
//! ```text
//! size(u) = |u| + |df/da| size(a) + |df/db| size(b),    size(x) = |x| for data and constants.
//! ```
//!
//! To first order the rounding error of u is at most its size times the rounding unit, and the error that data with relative errors δ
//! carry into it at most its size times δ. So a value far below its size is what cancellation has left. Of a sum the size is about the sum of the
//! sizes of its terms. A value that underflows to zero is not known to be zero: its size is the least normal number.

use crate::elementary;
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::number::{Number, assigning_operators};

/// Operations whose rounding adds up.
const FEW: f64 = 8.0;

/// A value and the size of the terms it is made of; see the [module](self).
///
/// ```
/// use saltation_numerics::{number::Number, rounded::Rounded};
/// let (x, y) = (Rounded::new(1e8 + 1.0), Rounded::new(1e8));
/// let difference = x - y;
/// assert_eq!(difference.value, 1.0);
/// assert!((difference.size / 2e8 - 1.0).abs() < 1e-7);
/// assert!(!difference.exceeds(1e-6) && difference.exceeds(1e-9));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rounded {
    /// The value.
    pub value: f64,
    /// The size of its terms; not below |value|.
    pub size: f64,
}

impl Rounded {
    /// A given number.
    pub fn new(value: f64) -> Rounded {
        Rounded { value, size: value.abs() }
    }

    /// Whether |value| is more than this part of the size; false if either is not a number.
    pub fn exceeds(self, part: f64) -> bool {
        self.value.abs() > part * self.size
    }

    /// Whether the value is no more than the rounding of a few operations on terms of this size.
    pub fn is_rounding(self) -> bool {
        self.value.abs() <= self.rounding()
    }

    /// The rounding of a few operations on terms of this size.
    pub fn rounding(self) -> f64 {
        FEW * f64::EPSILON * self.size
    }

    /// Whether the value is what underflow leaves of it: the rounding of numbers so small is not relative to them.
    pub fn underflows(self) -> bool {
        self.size > 0.0 && self.size * f64::EPSILON < f64::MIN_POSITIVE
    }

    /// The same, where the exact value is not zero.
    fn not_zero(self) -> Rounded {
        Rounded { size: self.size.max(f64::MIN_POSITIVE), ..self }
    }

    /// f(self) with this value and the slope f' there.
    fn of(self, value: f64, slope: f64) -> Rounded {
        Rounded { value, size: value.abs() + slope.abs() * self.size }
    }
}

impl Add for Rounded {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let value = self.value + other.value;
        Rounded { value, size: value.abs() + self.size + other.size }
    }
}

impl Sub for Rounded {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Rounded {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let value = self.value * other.value;
        let product =
            Rounded { value, size: value.abs() + self.size * other.value.abs() + self.value.abs() * other.size };
        if value == 0.0 && self.value != 0.0 && other.value != 0.0 { product.not_zero() } else { product }
    }
}

impl Div for Rounded {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Rounded { value, size: value.abs() + (self.size + value.abs() * other.size) / other.value.abs() }
    }
}

impl Neg for Rounded {
    type Output = Self;
    fn neg(self) -> Self {
        Rounded { value: -self.value, size: self.size }
    }
}

assigning_operators!([] Rounded);

impl Number for Rounded {
    const ZERO: Self = Rounded { value: 0.0, size: 0.0 };
    const ONE: Self = Rounded { value: 1.0, size: 1.0 };

    fn from_f64(value: f64) -> Self {
        Rounded::new(value)
    }

    fn value(self) -> f64 {
        self.value
    }

    fn magnitude(self) -> f64 {
        self.size
    }

    fn is_finite(self) -> bool {
        self.value.is_finite()
    }

    fn scale(self, factor: f64) -> Self {
        self.of(self.value * factor, factor)
    }

    fn square(self) -> Self {
        self.of(self.value * self.value, 2.0 * self.value)
    }

    fn reciprocal(self) -> Self {
        let value = self.value.recip();
        self.of(value, value * value)
    }

    /// Of what is rounding the root is zero, as large as it may be.
    fn sqrt(self) -> Self {
        if self.is_rounding() {
            return Rounded { value: 0.0, size: (FEW * f64::EPSILON * self.size).sqrt() };
        }
        let value = self.value.sqrt();
        self.of(value, 0.5 / value)
    }

    fn exp(self) -> Self {
        let value = elementary::exp(self.value);
        self.of(value, value).not_zero()
    }

    fn log(self) -> Self {
        self.of(elementary::ln(self.value), self.value.recip())
    }

    /// With the largest slope there is, 1, for both.
    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = elementary::sin_cos(self.value);
        (self.of(sine, 1.0), self.of(cosine, 1.0))
    }

    fn tan(self) -> Self {
        let value = elementary::tan(self.value);
        self.of(value, 1.0 + value * value)
    }

    fn asin(self) -> Self {
        let x = self.value;
        self.of(elementary::asin(x), ((1.0 - x) * (1.0 + x)).sqrt().recip())
    }

    fn acos(self) -> Self {
        let x = self.value;
        self.of(elementary::acos(x), ((1.0 - x) * (1.0 + x)).sqrt().recip())
    }

    fn atan(self) -> Self {
        let x = self.value;
        self.of(elementary::atan(x), (1.0 + x * x).recip())
    }

    fn atan2(self, x: Self) -> Self {
        let value = elementary::atan2(self.value, x.value);
        let square = self.value * self.value + x.value * x.value;
        let carried = (self.size * x.value.abs() + x.size * self.value.abs()) / square;
        Rounded { value, size: value.abs() + carried }
    }

    fn sinh_cosh(self) -> (Self, Self) {
        let (sine, cosine) = (elementary::sinh(self.value), elementary::cosh(self.value));
        (self.of(sine, cosine), self.of(cosine, sine))
    }

    fn tanh(self) -> Self {
        let value = elementary::tanh(self.value);
        self.of(value, (1.0 - value) * (1.0 + value))
    }

    /// Of what is rounding a positive power is zero, as large as it may be.
    fn powf(self, exponent: f64) -> Self {
        if exponent > 0.0 && self.is_rounding() {
            return Rounded { value: 0.0, size: elementary::powf(self.rounding(), exponent) };
        }
        let slope = if exponent == 0.0 { 0.0 } else { exponent * elementary::powf(self.value, exponent - 1.0) };
        self.of(elementary::powf(self.value, exponent), slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::DoubleDouble;

    /// Formulas in which terms cancel.
    fn formulas<N: Number>(x: N, y: N) -> [N; 12] {
        let (sine, cosine) = (x + y).sin_cos();
        let (hyperbolic_sine, hyperbolic_cosine) = y.sinh_cosh();
        [
            (x + y).square() - x.square() - y.square() - (x * y).scale(2.0),
            sine.square() + cosine.square() - N::ONE,
            (x.exp() * y.exp()) - (x + y).exp(),
            (x * y).log() - x.log() - y.log(),
            x / y - x * y.reciprocal(),
            (x * y).sqrt() - x.sqrt() * y.sqrt(),
            hyperbolic_cosine.square() - hyperbolic_sine.square() - N::ONE,
            x.tan() - x.sin_cos().0 / x.sin_cos().1,
            x.asin() + x.acos() - N::from_f64(core::f64::consts::FRAC_PI_2),
            x.atan() - x.atan2(N::ONE),
            y.tanh() - hyperbolic_sine / hyperbolic_cosine,
            (x * y).powf(1.7) - x.powf(1.7) * y.powf(1.7),
        ]
    }

    #[test]
    fn errors_are_at_most_sizes_times_the_rounding_unit() {
        let mut widest = 0.0_f64;
        for i in 1..20 {
            for j in 1..20 {
                let (x, y) = (0.049 * f64::from(i), 0.13 * f64::from(j));
                let found = formulas(Rounded::new(x), Rounded::new(y));
                let exact = formulas(DoubleDouble::from_f64(x), DoubleDouble::from_f64(y));
                for (k, (found, exact)) in found.iter().zip(exact).enumerate() {
                    // The constant pi/2 is one of the data.
                    let error = (DoubleDouble::from_f64(found.value) - exact).value().abs();
                    widest = widest.max(error / (found.size * f64::EPSILON));
                    assert!(error <= found.size * f64::EPSILON, "formula {k} at {x}, {y}");
                    assert!(found.size >= found.value.abs());
                }
            }
        }
        assert!(widest > 0.05, "the bound is no bound worth having: {widest}");
    }

    #[test]
    fn what_underflows_is_not_known_to_be_zero() {
        let (x, tiny) = (Rounded::new(40.0), Rounded::new(1e-200));
        assert!(
            (-x.square()).exp().underflows() && (tiny * tiny).underflows() && ((-x.square()).exp() * x).underflows()
        );
        assert!(!(Rounded::ZERO * x).underflows() && !(x - x).underflows() && !x.exp().underflows());
    }
}
