//! How large is the rounding error of a formula? A number that carries the size of the terms it consists of.
//!
//! Running error analysis to first order (Higham, Accuracy and Stability of Numerical Algorithms, Sect. 3.3): with u = f(a, b),
//!
//! ```text
//! size(u) = |u| + |df/da| size(a) + |df/db| size(b),    size(x) = |x| for what is known to rounding.
//! ```
//!
//! The error of u is at most about size(u) times the rounding unit. For a sum it is the sum of the sizes of its terms, before
//! they cancel.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::number::{Number, assigning_operators};

/// A value with the size of its terms.
///
/// ```
/// use saltation_numerics::{number::Number, running::Running};
///
/// let difference = Running::known(1e8 + 1.0) - Running::known(1e8);
/// assert_eq!((difference.value, difference.size), (1.0, 2e8 + 2.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Running {
    /// The value.
    pub value: f64,
    /// The size of its terms, not smaller than that of the value.
    pub size: f64,
}

impl Running {
    /// A number that is known to rounding.
    pub fn known(value: f64) -> Running {
        Running { value, size: value.abs() }
    }

    /// f(a) from its value and its slope at a.
    fn chain(self, value: f64, slope: f64) -> Running {
        Running { value, size: value.abs() + slope.abs() * self.size }
    }
}

impl Add for Running {
    type Output = Running;
    fn add(self, other: Running) -> Running {
        let value = self.value + other.value;
        Running { value, size: value.abs() + self.size + other.size }
    }
}

impl Sub for Running {
    type Output = Running;
    fn sub(self, other: Running) -> Running {
        self + -other
    }
}

impl Mul for Running {
    type Output = Running;
    fn mul(self, other: Running) -> Running {
        let value = self.value * other.value;
        Running { value, size: value.abs() + self.size * other.value.abs() + self.value.abs() * other.size }
    }
}

impl Div for Running {
    type Output = Running;
    fn div(self, other: Running) -> Running {
        let value = self.value / other.value;
        Running { value, size: value.abs() + (self.size + value.abs() * other.size) / other.value.abs() }
    }
}

impl Neg for Running {
    type Output = Running;
    fn neg(self) -> Running {
        Running { value: -self.value, ..self }
    }
}

assigning_operators!([] Running);

impl Number for Running {
    const ZERO: Running = Running { value: 0.0, size: 0.0 };
    const ONE: Running = Running { value: 1.0, size: 1.0 };

    fn from_f64(value: f64) -> Running {
        Running::known(value)
    }

    fn value(self) -> f64 {
        self.value
    }

    fn is_finite(self) -> bool {
        self.value.is_finite() && self.size.is_finite()
    }

    fn scale(self, factor: f64) -> Running {
        self.chain(self.value * factor, factor)
    }

    fn square(self) -> Running {
        self.chain(self.value * self.value, 2.0 * self.value)
    }

    fn reciprocal(self) -> Running {
        let value = self.value.recip();
        self.chain(value, value * value)
    }

    fn sqrt(self) -> Running {
        let value = self.value.sqrt();
        self.chain(value, 0.5 / value)
    }

    fn exp(self) -> Running {
        let value = self.value.exp();
        self.chain(value, value)
    }

    fn log(self) -> Running {
        self.chain(self.value.ln(), self.value.recip())
    }

    fn sin_cos(self) -> (Running, Running) {
        // The largest slope, so that a zero of it hides nothing.
        let (sine, cosine) = self.value.sin_cos();
        (self.chain(sine, 1.0), self.chain(cosine, 1.0))
    }

    fn tan(self) -> Running {
        let value = self.value.tan();
        self.chain(value, 1.0 + value * value)
    }

    fn asin(self) -> Running {
        self.chain(self.value.asin(), (1.0 - self.value * self.value).sqrt().recip())
    }

    fn acos(self) -> Running {
        self.chain(self.value.acos(), (1.0 - self.value * self.value).sqrt().recip())
    }

    fn atan(self) -> Running {
        self.chain(self.value.atan(), (1.0 + self.value * self.value).recip())
    }

    fn atan2(self, x: Running) -> Running {
        let value = self.value.atan2(x.value);
        let square = self.value * self.value + x.value * x.value;
        Running { value, size: value.abs() + (self.size * x.value.abs() + x.size * self.value.abs()) / square }
    }

    fn sinh_cosh(self) -> (Running, Running) {
        let (sine, cosine) = Number::sinh_cosh(self.value);
        (self.chain(sine, cosine), self.chain(cosine, sine))
    }

    fn tanh(self) -> Running {
        let value = self.value.tanh();
        self.chain(value, 1.0 - value * value)
    }

    fn powf(self, exponent: f64) -> Running {
        self.chain(self.value.powf(exponent), exponent * self.value.powf(exponent - 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function with a value for the argument, and its size against |f| + |f'| |x|.
    #[test]
    fn sizes_are_values_and_slopes() {
        let functions: [fn(Dual) -> Dual; 9] = [
            Number::exp,
            Number::log,
            Number::sqrt,
            Number::tan,
            Number::asin,
            Number::atan,
            Number::tanh,
            Number::reciprocal,
            Number::square,
        ];
        type Dual = crate::dual::Dual<1>;
        let same: [fn(Running) -> Running; 9] = [
            Number::exp,
            Number::log,
            Number::sqrt,
            Number::tan,
            Number::asin,
            Number::atan,
            Number::tanh,
            Number::reciprocal,
            Number::square,
        ];
        for x in [0.2, 0.7] {
            for (k, (by_slope, by_size)) in functions.iter().zip(same).enumerate() {
                let f = by_slope(Dual::variable(x, 0));
                let expected = f.value.abs() + f.tangent[0].abs() * x;
                let size = by_size(Running::known(x)).size;
                assert!((size / expected - 1.0).abs() < 1e-14, "function {k} at {x}: {size} and {expected}");
            }
        }
    }

    #[test]
    fn terms_that_cancel_count_with_their_size() {
        let (x, y) = (Running::known(1e8 + 1.0), Running::known(1e8));
        let difference = x - y;
        assert_eq!(difference.value, 1.0);
        for (number, expected) in [(difference, 2e8), (x * y, 3e16), (x / difference, 2e16)] {
            assert!((number.size / expected - 1.0).abs() < 1e-7, "{number:?}");
        }
    }
}
