//! Several plain numbers side by side, on which a formula is evaluated at once: each lane has the bits that it would have alone.
//!
//! Sums, products and roots are those of the vector unit; elementary functions are computed lane by lane. The sums of products of power series have the same
//! partial sums as those of single numbers (`convolution`), so that nothing depends on what stands beside a lane.

use core::cell::Cell;
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::convolution;
use crate::number::{Number, Real, assigning_operators};
use crate::vectors::Unit;

/// Numbers in one vector, and vectors side by side: while one waits for a sum the other goes on.
const FOUR: usize = 4;
const VECTORS: usize = 2;

/// Eight numbers side by side.
///
/// ```
/// use saltation_numerics::{lanes::Lanes, number::Number};
/// let x = Lanes::of(|lane| lane as f64);
/// let (sine, _) = (x * x + Lanes::ONE).sin_cos();
/// assert_eq!(sine.lane(2), 5.0_f64.sin_cos().0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub struct Lanes([[f64; FOUR]; VECTORS]);

impl Lanes {
    /// How many numbers stand side by side.
    pub const COUNT: usize = FOUR * VECTORS;

    /// The numbers by their lanes.
    #[inline(always)]
    pub fn of(number: impl Fn(usize) -> f64) -> Lanes {
        let mut of = [[0.0; FOUR]; VECTORS];
        for (lane, x) in of.as_flattened_mut().iter_mut().enumerate() {
            *x = number(lane);
        }
        Lanes(of)
    }

    /// The number in a lane.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> f64 {
        self.0.as_flattened()[lane]
    }

    /// log2 |x| to within 0.09, from the bits of the numbers; -1023 for zero.
    #[inline(always)]
    pub fn binary_logarithm(self) -> Lanes {
        // An integer below 2^63 as a sum of its halves on 2^84 and 2^52, which is rounded once, as the conversion of the processor is.
        const HIGH: f64 = 19342813113834066795298816.0;
        const LOW: f64 = 4503599627370496.0;
        self.map(|x| {
            let bits = x.abs().to_bits();
            let high = f64::from_bits(bits >> 32 | HIGH.to_bits());
            let low = f64::from_bits(bits & 0xffff_ffff | LOW.to_bits());
            ((high - (HIGH + LOW)) + low) * (1.0 / LOW) - 1023.0
        })
    }

    /// Changes the number in a lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, value: f64) {
        self.0.as_flattened_mut()[lane] = value;
    }

    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Lanes {
        let four = |x: [f64; FOUR]| [f(x[0]), f(x[1]), f(x[2]), f(x[3])];
        Lanes([four(self.0[0]), four(self.0[1])])
    }

    #[inline(always)]
    fn zip(self, other: Lanes, f: impl Fn(f64, f64) -> f64) -> Lanes {
        let four = |x: [f64; FOUR], y: [f64; FOUR]| [f(x[0], y[0]), f(x[1], y[1]), f(x[2], y[2]), f(x[3], y[3])];
        Lanes([four(self.0[0], other.0[0]), four(self.0[1], other.0[1])])
    }

    fn pairs(self, f: impl Fn(f64) -> (f64, f64)) -> (Lanes, Lanes) {
        let (mut first, mut second) = (self, self);
        let both = first.0.as_flattened_mut().iter_mut().zip(second.0.as_flattened_mut());
        both.for_each(|(x, y)| (*x, *y) = f(*x));
        (first, second)
    }
}

impl Add for Lanes {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |x, y| x + y)
    }
}

impl Sub for Lanes {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |x, y| x - y)
    }
}

impl Mul for Lanes {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |x, y| x * y)
    }
}

impl Div for Lanes {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |x, y| x / y)
    }
}

impl Neg for Lanes {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|x| -x)
    }
}

assigning_operators!([] Lanes);

impl Number for Lanes {
    const ZERO: Self = Lanes([[0.0; FOUR]; VECTORS]);
    const ONE: Self = Lanes([[1.0; FOUR]; VECTORS]);

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Lanes([[value; FOUR]; VECTORS])
    }

    /// That of the first lane.
    #[inline(always)]
    fn value(self) -> f64 {
        self.lane(0)
    }

    /// Whether all are.
    #[inline(always)]
    fn is_finite(self) -> bool {
        self.0.as_flattened().iter().all(|x| x.is_finite())
    }

    #[inline(always)]
    fn scale(self, factor: f64) -> Self {
        self.map(|x| x * factor)
    }

    #[inline(always)]
    fn square(self) -> Self {
        self.map(|x| x * x)
    }

    #[inline(always)]
    fn reciprocal(self) -> Self {
        self.map(f64::recip)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }

    fn exp(self) -> Self {
        self.map(Number::exp)
    }

    fn log(self) -> Self {
        self.map(Number::log)
    }

    fn sin_cos(self) -> (Self, Self) {
        self.pairs(Number::sin_cos)
    }

    fn tan(self) -> Self {
        self.map(Number::tan)
    }

    fn asin(self) -> Self {
        self.map(Number::asin)
    }

    fn acos(self) -> Self {
        self.map(Number::acos)
    }

    fn atan(self) -> Self {
        self.map(Number::atan)
    }

    fn atan2(self, x: Self) -> Self {
        self.zip(x, Number::atan2)
    }

    fn sinh_cosh(self) -> (Self, Self) {
        self.pairs(Number::sinh_cosh)
    }

    fn tanh(self) -> Self {
        self.map(Number::tanh)
    }

    fn powf(self, exponent: f64) -> Self {
        self.map(|x| Number::powf(x, exponent))
    }

    #[inline(always)]
    fn choose(of: Self, test: impl Fn(f64) -> bool, then: Self, otherwise: Self) -> Self {
        Lanes::of(|lane| if test(of.lane(lane)) { then.lane(lane) } else { otherwise.lane(lane) })
    }

    #[inline(always)]
    fn choose_at_zero(of: [Self; 3], then: Self, otherwise: Self) -> Self {
        let vanish = |lane: usize| of.iter().all(|x| x.lane(lane) == 0.0);
        Lanes::of(|lane| if vanish(lane) { then.lane(lane) } else { otherwise.lane(lane) })
    }

    #[inline(always)]
    fn times_plus<U: Unit>(unit: U, a: Self, b: Self, c: Self) -> Self {
        let first = unit.times_plus(unit.four(a.0[0]), unit.four(b.0[0]), unit.four(c.0[0]));
        let second = unit.times_plus(unit.four(a.0[1]), unit.four(b.0[1]), unit.four(c.0[1]));
        Lanes([unit.numbers(first), unit.numbers(second)])
    }

    #[inline(always)]
    fn convolve<U: Unit>(unit: U, a: &[Cell<Self>], b: &[Cell<Self>]) -> Self {
        // The vector that is taken has to be known to the compiler.
        let first = convolution::side_by_side(unit, |x| unit.four(x.get().0[0]), a, b);
        let second = convolution::side_by_side(unit, |x| unit.four(x.get().0[1]), a, b);
        Lanes([unit.numbers(first), unit.numbers(second)])
    }
}

impl Real for Lanes {
    #[inline(always)]
    fn modulus(self) -> Self {
        self.map(f64::abs)
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        self.zip(other, f64::min)
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        self.zip(other, f64::max)
    }

    fn exp_m1(self) -> Self {
        self.map(Real::exp_m1)
    }

    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        self.map(|x| f64::powi(x, n))
    }

    #[inline(always)]
    fn square_sum<U: Unit>(unit: U, numbers: &[Self], weights: &[Self]) -> Self {
        let mut square = Self::ZERO;
        for (&x, &weight) in numbers.iter().zip(weights) {
            let size = x * weight;
            square = Self::times_plus(unit, size, size, square);
        }
        square
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::array::from_fn;

    use crate::vectors::{Loop, Vectors};

    struct Sum<'a, T>(&'a [T], &'a [T], usize, usize);

    impl<T: Number> Loop for Sum<'_, T> {
        type Output = [T; 2];

        #[inline(always)]
        fn run<U: Unit>(self, unit: U) -> [T; 2] {
            let Sum(a, b, k, terms) = self;
            let cells = |row: &[T]| row.iter().map(|x| Cell::new(*x)).collect::<Vec<_>>();
            let sum = T::convolve(unit, &cells(&a[1..=terms]), &cells(&b[k - terms..k]));
            [sum, T::times_plus(unit, sum, self.0[0], self.1[0])]
        }
    }

    /// Sums of products have the bits of single numbers on every unit, whatever their number, with zeros, infinities and what is no number among them.
    #[test]
    fn lanes_have_the_bits_of_single_numbers() {
        let number = |seed: usize, j: usize, lane: usize| match (seed * 7 + j * 5 + lane * 3) % 41 {
            0 => 0.0,
            1 if lane == 3 => f64::INFINITY,
            2 if lane == 5 => f64::NAN,
            n => ((n * n + j + 17 * lane) as f64).sin() * 10.0_f64.powi(n as i32 % 9 - 4),
        };
        for seed in 0..20 {
            let a: [Lanes; 32] = from_fn(|j| Lanes::of(|lane| number(seed, j, lane)));
            let b: [Lanes; 32] = from_fn(|j| Lanes::of(|lane| number(seed + 100, j, lane)));
            for vectors in [Vectors::native(), Vectors::PORTABLE] {
                for k in 1..32 {
                    for terms in 0..k {
                        let together = vectors.run(Sum(&a, &b, k, terms));
                        for lane in 0..8 {
                            let (a, b) = (a.map(|x| x.lane(lane)), b.map(|x| x.lane(lane)));
                            let alone = vectors.run(Sum(&a, &b, k, terms));
                            let same = |x: f64, y: f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
                            assert!(same(together[0].lane(lane), alone[0]), "{terms} of {k}, lane {lane}");
                            assert!(same(together[1].lane(lane), alone[1]), "{terms} of {k}, lane {lane}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn binary_logarithms_are_bits_as_integers() {
        for x in [0.0, 5e-324, 1e-310, 0.1, 1.0, -3.7, 1e300, f64::MAX, f64::INFINITY, std::f64::consts::PI] {
            let expected = x.abs().to_bits() as i64 as f64 * (1.0 / (1_u64 << 52) as f64) - 1023.0;
            assert_eq!(Lanes::from_f64(x).binary_logarithm().lane(5), expected, "{x}");
        }
    }

    #[test]
    fn functions_are_those_of_single_numbers() {
        let x = Lanes::of(|lane| 0.2 + 0.09 * lane as f64);
        let y = Lanes::of(|lane| 1.0 - lane as f64);
        let together =
            [x.exp(), x.log(), x.tan(), x.asin(), x.acos(), x.atan(), x.atan2(y), x.tanh(), x.powf(1.7), x.sqrt()];
        for lane in 0..Lanes::COUNT {
            let (x, y) = (x.lane(lane), y.lane(lane));
            let alone = [
                Number::exp(x),
                Number::log(x),
                Number::tan(x),
                Number::asin(x),
                Number::acos(x),
                Number::atan(x),
                Number::atan2(x, y),
                Number::tanh(x),
                Number::powf(x, 1.7),
                Number::sqrt(x),
            ];
            assert_eq!(together.map(|f| f.lane(lane)), alone);
        }
        let chosen = Lanes::choose(y, |y| y < 0.0, x, -x);
        assert_eq!([0, 1, 2, 3].map(|lane| chosen.lane(lane) > 0.0), [false, false, true, true]);
    }
}
