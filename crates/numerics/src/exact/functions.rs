//! Elementary functions in double-double arithmetic.
//!
//! Each argument is reduced by exact products with π/2 or ln 2 held to three parts (161 bits); on the reduced argument
//! the Taylor series is summed in nested form. Inverse functions correct the `f64` result once by an addition theorem,
//! which doubles its digits.

use super::DoubleDouble;
use crate::elementary;
use crate::number::Number;

/// π/2 in three parts.
const HALF_PI: [f64; 3] = [core::f64::consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33];
/// ln 2 in three parts.
const LN_2: [f64; 3] = [core::f64::consts::LN_2, 2.3190468138462996e-17, 5.707708438416212e-34];

/// x - k c for an integer k and a constant c in three parts.
fn minus_multiple(x: DoubleDouble, k: f64, constant: [f64; 3]) -> DoubleDouble {
    constant.into_iter().fold(x, |rest, part| rest - DoubleDouble::product(k, part))
}

/// The nested sum 1 + t₁ (1 + t₂ (1 + ...)) with tₖ = `numerator` / `denominator(k)` for k up to `terms`.
fn nested(numerator: DoubleDouble, terms: u32, denominator: impl Fn(f64) -> f64) -> DoubleDouble {
    (1..=terms)
        .rev()
        .fold(DoubleDouble::ONE, |sum, k| DoubleDouble::ONE + sum * numerator / denominator(f64::from(k)).into())
}

/// x = r + k π/2 with |r| <= π/4 up to rounding: r and k modulo 4.
fn quarter_turns(mut x: DoubleDouble) -> (DoubleDouble, u8) {
    let mut turns = 0.0;
    // A count beyond 2^53 is itself rounded; then the remainder still contains many quarter turns, which the next pass removes.
    while x.hi.abs() > 0.8 {
        let k = (x.hi / HALF_PI[0]).round();
        x = minus_multiple(x, k, HALF_PI);
        turns = (turns + k % 4.0) % 4.0;
    }
    (x, if turns < 0.0 { (turns + 4.0) as u8 } else { turns as u8 })
}

/// x = m 2^k with m in [√½, √2): m and k, for finite x > 0.
fn mantissa_and_exponent(x: DoubleDouble) -> (DoubleDouble, i32) {
    let exponent = |value: f64| ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    // Numbers below the normal range first move up by 2^200.
    let (x, lift) = if x.hi < 1e-250 { (x.times_power_of_two(200), 200) } else { (x, 0) };
    let k = exponent(x.hi);
    let m = x.times_power_of_two(-k);
    if m.hi >= core::f64::consts::SQRT_2 { (m.scale(0.5), k + 1 - lift) } else { (m, k - lift) }
}

/// The hyperbolic sine by its series, for |x| <= 1/2.
fn sinh_series(x: DoubleDouble) -> DoubleDouble {
    x * nested(x.square(), 13, |k| 2.0 * k * (2.0 * k + 1.0))
}

impl DoubleDouble {
    /// The power with an integer exponent n >= 0 by repeated squaring.
    fn power(self, mut n: u64) -> Self {
        let (mut power, mut square) = (Self::ONE, self);
        while n > 0 {
            if n & 1 == 1 {
                power *= square;
            }
            n >>= 1;
            if n > 0 {
                square = square.square();
            }
        }
        power
    }
}

impl Number for DoubleDouble {
    const ZERO: Self = Self { hi: 0.0, lo: 0.0 };
    const ONE: Self = Self { hi: 1.0, lo: 0.0 };

    #[inline]
    fn from_f64(value: f64) -> Self {
        value.into()
    }

    #[inline]
    fn value(self) -> f64 {
        self.hi
    }

    #[inline]
    fn is_finite(self) -> bool {
        self.hi.is_finite() && self.lo.is_finite()
    }

    #[inline]
    fn scale(self, factor: f64) -> Self {
        self * factor.into()
    }

    #[inline]
    fn square(self) -> Self {
        self * self
    }

    #[inline]
    fn reciprocal(self) -> Self {
        Self::ONE / self
    }

    /// One Newton step from the `f64` root: √x ≈ y + (x - y²) / (2y).
    fn sqrt(self) -> Self {
        if self.hi == 0.0 {
            return Self::ZERO;
        }
        let root = self.hi.sqrt();
        let correction = (self - Self::product(root, root)).hi / (2.0 * root);
        Self::renormalised(root, correction)
    }

    /// eˣ = 2ᵏ (1 + p) with p = e^r - 1 taken from r/512 by nine doublings p -> p (2 + p).
    fn exp(self) -> Self {
        if self.hi < -745.2 {
            return Self::ZERO;
        }
        if self.hi > 709.8 {
            return f64::INFINITY.into();
        }
        let k = (self.hi / LN_2[0]).round();
        let r = minus_multiple(self, k, LN_2).scale(1.0 / 512.0);
        let mut excess = r * nested(r, 9, |k| k + 1.0);
        for _ in 0..9 {
            excess *= excess + 2.0.into();
        }
        (excess + Self::ONE).times_power_of_two(k as i32)
    }

    /// log x = k ln 2 + 2 artanh((m - 1)/(m + 1)) for x = m 2ᵏ.
    fn log(self) -> Self {
        if self.hi <= 0.0 || !self.is_finite() {
            return elementary::ln(self.hi).into();
        }
        let (m, k) = mantissa_and_exponent(self);
        let z = (m - Self::ONE) / (m + Self::ONE);
        let z_squared = z.square();
        let series = (0..22).rev().fold(Self::ZERO, |sum, j| sum * z_squared + Self::ONE / f64::from(2 * j + 1).into());
        minus_multiple(z.scale(2.0) * series, -f64::from(k), LN_2)
    }

    /// To thirty digits for |x| up to 10¹⁷; beyond, the error grows like 10⁻⁴⁹ |x|.
    fn sin_cos(self) -> (Self, Self) {
        if !self.is_finite() {
            return (f64::NAN.into(), f64::NAN.into());
        }
        let (r, turns) = quarter_turns(self);
        let minus_square = -r.square();
        let sine = r * nested(minus_square, 15, |k| 2.0 * k * (2.0 * k + 1.0));
        let cosine = nested(minus_square, 15, |k| 2.0 * k * (2.0 * k - 1.0));
        match turns {
            0 => (sine, cosine),
            1 => (cosine, -sine),
            2 => (-sine, -cosine),
            _ => (-cosine, sine),
        }
    }

    fn tan(self) -> Self {
        let (sine, cosine) = self.sin_cos();
        sine / cosine
    }

    fn asin(self) -> Self {
        self.atan2(((Self::ONE - self) * (Self::ONE + self)).sqrt())
    }

    fn acos(self) -> Self {
        ((Self::ONE - self) * (Self::ONE + self)).sqrt().atan2(self)
    }

    fn atan(self) -> Self {
        self.atan2(Self::ONE)
    }

    /// With the `f64` angle θ: tan(angle - θ) = (y cos θ - x sin θ) / (x cos θ + y sin θ), a number so small that it is
    /// the angle.
    fn atan2(self, x: Self) -> Self {
        let (y, x) = match (self.hi == 0.0, x.hi == 0.0) {
            (true, true) => (self, 1f64.copysign(x.hi).into()),
            _ => (self, x),
        };
        let angle = elementary::atan2(y.hi, x.hi);
        let largest = y.hi.abs().max(x.hi.abs());
        if !largest.is_finite() || angle == 0.0 {
            return angle.into();
        }
        let exponent = -mantissa_and_exponent(largest.into()).1;
        let (y, x) = (y.times_power_of_two(exponent), x.times_power_of_two(exponent));
        let (sine, cosine) = Self::from(angle).sin_cos();
        Self::from(angle) + (y * cosine - x * sine) / (x * cosine + y * sine)
    }

    fn sinh_cosh(self) -> (Self, Self) {
        let half_exponential = (self.abs() - Self::LN_2).exp();
        let half_decay = Self::from(0.25) / half_exponential;
        let cosine = half_exponential + half_decay;
        let sine = match self {
            _ if self.hi.abs() <= 0.5 => sinh_series(self),
            _ if self.hi < 0.0 => half_decay - half_exponential,
            _ => half_exponential - half_decay,
        };
        (sine, cosine)
    }

    fn tanh(self) -> Self {
        if self.hi.abs() <= 0.5 {
            let (sine, cosine) = self.sinh_cosh();
            return sine / cosine;
        }
        let decay = self.abs().scale(-2.0).exp();
        let value = (Self::ONE - decay) / (Self::ONE + decay);
        if self.hi < 0.0 { -value } else { value }
    }

    /// Repeated squaring for integer exponents up to 1024 in size, else exp(exponent log x).
    fn powf(self, exponent: f64) -> Self {
        if exponent.fract() == 0.0 && exponent.abs() <= 1024.0 {
            let power = self.power(exponent.abs() as u64);
            if exponent < 0.0 { power.reciprocal() } else { power }
        } else if self.hi == 0.0 {
            elementary::powf(0f64, exponent).into()
        } else {
            self.log().scale(exponent).exp()
        }
    }
}
