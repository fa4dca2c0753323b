//! The elementary functions of plain numbers: the platform's, or in a [`portable`](mod@crate::portable) process those of the crate libm, a translation of musl
//! and FreeBSD into Rust.
//!
//! Errors are below one unit in the last place either way. libm calls the hardware for roots, roundings and fused multiply-adds alone, which are
//! correct on every processor. The methods of `f64` of the same names are not to be used in this library: `clippy.toml` lists them.

#![allow(clippy::disallowed_methods)]

use crate::portable;

/// Functions of one number: name, method of `f64`, function of libm.
macro_rules! functions {
    ($($(#[$documentation:meta])* $name:ident: $method:ident, $portable:ident;)*) => {
        $(
            $(#[$documentation])*
            #[inline]
            pub fn $name(x: f64) -> f64 {
                if portable::is_chosen() { libm::$portable(x) } else { x.$method() }
            }
        )*

        #[cfg(test)]
        const OF_ONE_NUMBER: &[(&str, fn(f64) -> f64, fn(f64) -> f64)] = &[$((stringify!($name), f64::$method, libm::$portable)),*];
    };
}

functions! {
    /// e^x.
    exp: exp, exp;
    /// e^x - 1, also where it is small.
    exp_m1: exp_m1, expm1;
    /// 2^x.
    exp2: exp2, exp2;
    /// The natural logarithm.
    ln: ln, log;
    /// ln(1 + x), also where it is small.
    ln_1p: ln_1p, log1p;
    /// The logarithm to base 2.
    log2: log2, log2;
    /// The logarithm to base 10.
    log10: log10, log10;
    /// The sine.
    sin: sin, sin;
    /// The cosine.
    cos: cos, cos;
    /// The tangent.
    tan: tan, tan;
    /// The inverse sine, in [-π/2, π/2].
    asin: asin, asin;
    /// The inverse cosine, in [0, π].
    acos: acos, acos;
    /// The inverse tangent, in [-π/2, π/2].
    atan: atan, atan;
    /// The hyperbolic sine.
    sinh: sinh, sinh;
    /// The hyperbolic cosine.
    cosh: cosh, cosh;
    /// The hyperbolic tangent.
    tanh: tanh, tanh;
    /// The cubic root.
    cbrt: cbrt, cbrt;
}

/// Sine and cosine, in this order.
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    if portable::is_chosen() { libm::sincos(x) } else { x.sin_cos() }
}

/// The angle in [-π, π] of the point (x, y).
#[inline]
pub fn atan2(y: f64, x: f64) -> f64 {
    if portable::is_chosen() { libm::atan2(y, x) } else { y.atan2(x) }
}

/// √(x² + y²), without intermediate overflow.
#[inline]
pub fn hypot(x: f64, y: f64) -> f64 {
    if portable::is_chosen() { libm::hypot(x, y) } else { x.hypot(y) }
}

/// x to a real power.
#[inline]
pub fn powf(x: f64, exponent: f64) -> f64 {
    if portable::is_chosen() { libm::pow(x, exponent) } else { x.powf(exponent) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal as far as two correct functions may differ: by a unit in the last place each.
    fn close(a: f64, b: f64) -> bool {
        let unit = a.abs().max(b.abs()).max(f64::MIN_POSITIVE) * f64::EPSILON;
        a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 2.0 * unit
    }

    fn arguments() -> impl Iterator<Item = f64> {
        let special =
            [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e300, 5e-324, 710.0, -746.0];
        let spread = (-300..300).map(|k| f64::from(k) * 0.0137 + 1e-3);
        let graded = (-60..60).flat_map(|k| [2.7_f64.powi(k), -2.7_f64.powi(k)]);
        special.into_iter().chain(spread).chain(graded)
    }

    #[test]
    fn both_kinds_agree_to_a_unit_in_the_last_place_each() {
        for &(name, fastest, portable) in OF_ONE_NUMBER {
            for x in arguments() {
                assert!(close(fastest(x), portable(x)), "{name}({x:e}): {:e} {:e}", fastest(x), portable(x));
            }
        }
        for x in arguments() {
            let (sine, cosine) = libm::sincos(x);
            assert!(close(sine, x.sin()) && close(cosine, x.cos()), "{x:e}");
            for y in arguments() {
                assert!(close(y.atan2(x), libm::atan2(y, x)), "atan2({y:e}, {x:e})");
                assert!(close(x.hypot(y), libm::hypot(x, y)), "hypot({x:e}, {y:e})");
                assert!(close(x.powf(y), libm::pow(x, y)), "{x:e}^{y:e}: {:e} {:e}", x.powf(y), libm::pow(x, y));
            }
        }
    }

    /// Of the portable ones the bits are known, on whatever machine this runs.
    #[test]
    fn portable_functions_have_their_bits() {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |x: f64| {
            let bits = if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
            hash = bits
                .to_le_bytes()
                .iter()
                .fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        };
        for x in arguments() {
            OF_ONE_NUMBER.iter().for_each(|(_, _, portable)| add(portable(x)));
            let (sine, cosine) = libm::sincos(x);
            [sine, cosine, libm::atan2(x, 0.7), libm::hypot(x, 0.7), libm::pow(x.abs(), 0.7)]
                .into_iter()
                .for_each(&mut add);
        }
        assert_eq!(format!("{hash:016x}"), "c9519410b4a4830f");
    }

    /// Whole powers are products in the order of the binary digits of the exponent, whatever the compiler makes of them.
    #[test]
    fn whole_powers_are_products() {
        for x in arguments() {
            for n in -40_i32..40 {
                let (mut power, mut square, mut left) = (1.0, x, n.unsigned_abs());
                while left > 0 {
                    if left % 2 == 1 {
                        power *= square;
                    }
                    (square, left) = (square * square, left / 2);
                }
                let expected = if n < 0 { 1.0 / power } else { power };
                let found = std::hint::black_box(x).powi(std::hint::black_box(n));
                assert!(found == expected || found.is_nan() && expected.is_nan(), "{x:e}^{n}: {found:e} {expected:e}");
            }
        }
    }
}
