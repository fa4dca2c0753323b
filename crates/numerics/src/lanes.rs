//! L independent values, on which one formula is evaluated at once.
//!
//! The lanes are independent; each computes as `f64` would, and the compiler turns the arithmetic into vector instructions.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::number::{Number, assigning_operators};

/// `L` independent values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanes<const L: usize>(
    /// The values, one in each lane.
    pub [f64; L],
);

impl<const L: usize> Lanes<L> {
    /// Lane by lane, a function of two numbers.
    #[inline]
    fn zip(self, other: Self, function: impl Fn(f64, f64) -> f64) -> Self {
        Self(core::array::from_fn(|lane| function(self.0[lane], other.0[lane])))
    }

    /// Lane by lane, a function of one number with two results.
    #[inline]
    fn map_pair(self, function: impl Fn(f64) -> (f64, f64)) -> (Self, Self) {
        let pairs = self.0.map(function);
        (Self(pairs.map(|pair| pair.0)), Self(pairs.map(|pair| pair.1)))
    }
}

impl<const L: usize> Add for Lanes<L> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.zip(other, |x, y| x + y)
    }
}

impl<const L: usize> Sub for Lanes<L> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |x, y| x - y)
    }
}

impl<const L: usize> Mul for Lanes<L> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |x, y| x * y)
    }
}

impl<const L: usize> Div for Lanes<L> {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        self.zip(other, |x, y| x / y)
    }
}

impl<const L: usize> Neg for Lanes<L> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

assigning_operators!([const L: usize] Lanes<L>);

/// Lane by lane, the functions of one number.
macro_rules! lane_by_lane {
    ($($function:ident)*) => {
        $(
            #[inline]
            fn $function(self) -> Self {
                Self(self.0.map(Number::$function))
            }
        )*
    };
}

impl<const L: usize> Number for Lanes<L> {
    const ZERO: Self = Self([0.0; L]);
    const ONE: Self = Self([1.0; L]);

    lane_by_lane! { square reciprocal sqrt exp log tan asin acos atan tanh }

    #[inline]
    fn from_f64(value: f64) -> Self {
        Self([value; L])
    }

    /// The value in lane 0.
    #[inline]
    fn value(self) -> f64 {
        self.0.first().copied().unwrap_or(0.0)
    }

    #[inline]
    fn magnitude(self) -> f64 {
        self.0.iter().fold(0.0, |largest, lane| lane.abs().max(largest))
    }

    #[inline]
    fn is_finite(self) -> bool {
        self.0.iter().all(|x| x.is_finite())
    }

    #[inline]
    fn scale(self, factor: f64) -> Self {
        Self(self.0.map(|x| x * factor))
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        self.map_pair(f64::sin_cos)
    }

    #[inline]
    fn atan2(self, x: Self) -> Self {
        self.zip(x, f64::atan2)
    }

    #[inline]
    fn sinh_cosh(self) -> (Self, Self) {
        self.map_pair(Number::sinh_cosh)
    }

    #[inline]
    fn powf(self, exponent: f64) -> Self {
        Self(self.0.map(|x| x.powf(exponent)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A formula through many operations.
    fn formula<N: Number>(x: N, y: N) -> N {
        let (sine, cosine) = (x * y).sin_cos();
        let (hyperbolic_sine, hyperbolic_cosine) = (x - y).sinh_cosh();
        let mut sum = sine / (cosine.square() + N::ONE) + hyperbolic_sine * hyperbolic_cosine - y.tanh();
        sum += x.exp().log().sqrt() - y.reciprocal().scale(0.3);
        sum -= x.atan2(y) + (x * y).asin() + (x * y).acos() + y.atan() + x.tan();
        sum *= N::from_f64(1.7) - (x + y).powf(1.3);
        sum + N::dot(&[x, y, x], &[N::ZERO, -x, y])
    }

    #[test]
    fn every_lane_is_the_plain_evaluation() {
        let (x, y) = ([0.2, 0.5, 0.9, 1.1], [0.7, 0.3, 0.4, 0.1]);
        let lanes = formula(Lanes(x), Lanes(y));
        for lane in 0..4 {
            assert_eq!(lanes.0[lane], formula(x[lane], y[lane]), "lane {lane}");
        }
        assert_eq!(lanes.value(), lanes.0[0]);
        assert!(lanes.is_finite());
        assert!(!Lanes([1.0, -1.0]).log().is_finite());
    }
}
