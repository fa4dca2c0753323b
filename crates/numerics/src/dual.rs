//! Dual numbers: forward-mode derivatives in M directions.
//!
//! A dual number is a value with the coefficients of M infinitesimals whose products vanish, so a smooth function acts
//! as f(x + ẋ ε) = f(x) + f'(x) ẋ ε: no truncation, no step size.

use crate::elementary;
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::number::{Number, assigning_operators};

/// A value and its derivatives in `M` directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const M: usize> {
    /// The value.
    pub value: f64,
    /// The derivative of the value in each direction.
    pub tangent: [f64; M],
}

impl<const M: usize> Dual<M> {
    /// A value that is the same in every direction.
    #[inline]
    pub const fn constant(value: f64) -> Self {
        Self { value, tangent: [0.0; M] }
    }

    /// A value with derivative one in the given direction and zero in all others (in all, if there is no such direction).
    #[inline]
    pub fn variable(value: f64, direction: usize) -> Self {
        Self { value, tangent: core::array::from_fn(|m| if m == direction { 1.0 } else { 0.0 }) }
    }

    /// The chain rule: a function with this value and this derivative at `self.value`.
    #[inline]
    fn chain(self, value: f64, derivative: f64) -> Self {
        Self { value, tangent: self.tangent.map(|tangent| derivative * tangent) }
    }
}

impl<const M: usize> Add for Dual<M> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, tangent: core::array::from_fn(|m| self.tangent[m] + other.tangent[m]) }
    }
}

impl<const M: usize> Sub for Dual<M> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, tangent: core::array::from_fn(|m| self.tangent[m] - other.tangent[m]) }
    }
}

impl<const M: usize> Mul for Dual<M> {
    type Output = Self;
    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "the product rule")]
    fn mul(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            tangent: core::array::from_fn(|m| self.tangent[m] * other.value + self.value * other.tangent[m]),
        }
    }
}

impl<const M: usize> Div for Dual<M> {
    type Output = Self;
    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "the quotient rule")]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self { value, tangent: core::array::from_fn(|m| (self.tangent[m] - value * other.tangent[m]) / other.value) }
    }
}

impl<const M: usize> Neg for Dual<M> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.chain(-self.value, -1.0)
    }
}

assigning_operators!([const M: usize] Dual<M>);

impl<const M: usize> Number for Dual<M> {
    const ZERO: Self = Self::constant(0.0);
    const ONE: Self = Self::constant(1.0);

    #[inline]
    fn from_f64(value: f64) -> Self {
        Self::constant(value)
    }

    #[inline]
    fn value(self) -> f64 {
        self.value
    }

    #[inline]
    fn magnitude(self) -> f64 {
        self.tangent.iter().fold(self.value.abs(), |largest, tangent| largest.max(tangent.abs()))
    }

    #[inline]
    fn is_finite(self) -> bool {
        self.value.is_finite() && self.tangent.iter().all(|tangent| tangent.is_finite())
    }

    #[inline]
    fn scale(self, factor: f64) -> Self {
        self.chain(self.value * factor, factor)
    }

    #[inline]
    fn square(self) -> Self {
        self.chain(self.value * self.value, 2.0 * self.value)
    }

    #[inline]
    fn reciprocal(self) -> Self {
        let value = self.value.recip();
        self.chain(value, -value * value)
    }

    #[inline]
    fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        self.chain(value, 0.5 / value)
    }

    #[inline]
    fn exp(self) -> Self {
        let value = elementary::exp(self.value);
        self.chain(value, value)
    }

    #[inline]
    fn log(self) -> Self {
        self.chain(elementary::ln(self.value), self.value.recip())
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = elementary::sin_cos(self.value);
        (self.chain(sine, cosine), self.chain(cosine, -sine))
    }

    #[inline]
    fn tan(self) -> Self {
        let value = elementary::tan(self.value);
        self.chain(value, 1.0 + value * value)
    }

    #[inline]
    fn asin(self) -> Self {
        let x = self.value;
        self.chain(elementary::asin(x), ((1.0 - x) * (1.0 + x)).sqrt().recip())
    }

    #[inline]
    fn acos(self) -> Self {
        let x = self.value;
        self.chain(elementary::acos(x), -((1.0 - x) * (1.0 + x)).sqrt().recip())
    }

    #[inline]
    fn atan(self) -> Self {
        let x = self.value;
        self.chain(elementary::atan(x), (1.0 + x * x).recip())
    }

    /// d atan2(y, x) = (x dy - y dx) / (x² + y²), with the squares formed from the direction so that they neither
    /// overflow nor vanish.
    #[inline]
    fn atan2(self, x: Self) -> Self {
        let radius = elementary::hypot(self.value, x.value);
        let (sine, cosine) = (self.value / radius, x.value / radius);
        Self {
            value: elementary::atan2(self.value, x.value),
            tangent: core::array::from_fn(|m| (cosine * self.tangent[m] - sine * x.tangent[m]) / radius),
        }
    }

    #[inline]
    fn sinh_cosh(self) -> (Self, Self) {
        let (sine, cosine) = (elementary::sinh(self.value), elementary::cosh(self.value));
        (self.chain(sine, cosine), self.chain(cosine, sine))
    }

    #[inline]
    fn tanh(self) -> Self {
        let value = elementary::tanh(self.value);
        self.chain(value, (1.0 - value) * (1.0 + value))
    }

    #[inline]
    fn powf(self, exponent: f64) -> Self {
        let derivative = if exponent == 0.0 { 0.0 } else { exponent * elementary::powf(self.value, exponent - 1.0) };
        self.chain(elementary::powf(self.value, exponent), derivative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::DoubleDouble;

    /// One formula through every operation, with both arguments inside the domain of each function.
    fn every_operation<N: Number>(x: N, y: N) -> [N; 20] {
        let (sine, cosine) = x.sin_cos();
        let (hyperbolic_sine, hyperbolic_cosine) = y.sinh_cosh();
        [
            x + y,
            x - y,
            x * y,
            x / y,
            -x,
            x.scale(3.0),
            x.square(),
            x.reciprocal(),
            (x * y).sqrt(),
            (x + y).exp(),
            (x * y).log(),
            sine * y,
            cosine / y,
            x.tan() + y.tanh(),
            (x * y).asin(),
            (x - y).acos(),
            (x / y).atan(),
            x.atan2(-y),
            hyperbolic_sine * hyperbolic_cosine,
            (x + y).powf(-1.7),
        ]
    }

    /// Central differences in thirty digits know the derivative to more digits than `f64` holds.
    #[test]
    fn tangents_agree_with_differences_in_thirty_digits() {
        let (x, y, step) = (0.37, 0.81, 1e-9);
        let dual = every_operation(Dual::<2>::variable(x, 0), Dual::<2>::variable(y, 1));
        let plain = every_operation(x, y);
        let shifted = |dx: f64, dy: f64| {
            every_operation(DoubleDouble::from_f64(x) + dx.into(), DoubleDouble::from_f64(y) + dy.into())
        };
        let (right, left, up, down) =
            (shifted(step, 0.0), shifted(-step, 0.0), shifted(0.0, step), shifted(0.0, -step));
        for (k, number) in dual.iter().enumerate() {
            assert_eq!(number.value, plain[k], "value of operation {k}");
            let expected = [(right[k] - left[k]).value() / (2.0 * step), (up[k] - down[k]).value() / (2.0 * step)];
            for (tangent, expected) in number.tangent.iter().zip(expected) {
                let error = (tangent - expected).abs();
                assert!(error <= 1e-13 * (1.0 + expected.abs()), "operation {k}: {tangent} against {expected}");
            }
        }
    }

    #[test]
    fn powers_at_zero_have_their_limits() {
        let zero = Dual::<1>::variable(0.0, 0);
        assert_eq!(zero.powf(0.0), Dual { value: 1.0, tangent: [0.0] });
        assert_eq!(zero.powf(1.0), Dual { value: 0.0, tangent: [1.0] });
        assert_eq!(zero.powf(2.0), Dual { value: 0.0, tangent: [0.0] });
        assert!(!zero.powf(0.5).is_finite());
    }
}
