//! Numbers beyond the range of `f64`, as m 2ᵏ.

/// The exponent k with |x| in [2ᵏ, 2ᵏ⁺¹) for finite x other than zero, also below the normal range; 0 for other x.
pub(crate) fn exponent(x: f64) -> i32 {
    const LIFT: i32 = 54;
    let field = |x: f64| ((x.to_bits() >> 52) & 0x7ff) as i32;
    match field(x) {
        _ if x == 0.0 || !x.is_finite() => 0,
        0 => field(x * 2f64.powi(LIFT)) - 1023 - LIFT,
        k => k - 1023,
    }
}

/// x 2ᵏ, rounded once (twice where the result is below the normal range); infinite or zero beyond the range of `f64`.
pub(crate) fn times_power_of_two(mut x: f64, k: i64) -> f64 {
    const STEP: i32 = 1000;
    let mut k = k.clamp(-3000, 3000) as i32;
    while k > STEP {
        x *= 2f64.powi(STEP);
        k -= STEP;
    }
    // First to the result's neighbourhood, so that only the last product can fall below the normal range.
    while k < -STEP {
        x *= 2f64.powi(-STEP);
        k += STEP;
    }
    x * 2f64.powi(k)
}

/// The number m 2ᵏ with |m| in [1, 2), or m = 0 = k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scaled {
    pub(crate) mantissa: f64,
    pub(crate) exponent: i64,
}

impl Scaled {
    /// The number `mantissa` 2^`exponent` for any finite `mantissa`.
    pub(crate) fn new(mantissa: f64, power: i64) -> Self {
        let k = exponent(mantissa);
        let mantissa = times_power_of_two(mantissa, -i64::from(k));
        Self { mantissa, exponent: if mantissa == 0.0 { 0 } else { power + i64::from(k) } }
    }

    pub(crate) fn times(self, x: f64) -> Self {
        let k = exponent(x);
        Self::new(self.mantissa * times_power_of_two(x, -i64::from(k)), self.exponent + i64::from(k))
    }

    /// As `f64`: infinite or zero beyond its range.
    pub(crate) fn value(self) -> f64 {
        times_power_of_two(self.mantissa, self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_size_split_and_come_back() {
        for x in [1.0, -1.5, 3.0, 1e300, -1e-300, 5e-324, 1.7e308, 2.2e-308, 1e-310, 0.0] {
            let scaled = Scaled::new(x, 0);
            assert_eq!(scaled.value(), x);
            assert!(x == 0.0 || (1.0..2.0).contains(&scaled.mantissa.abs()), "{x}: {scaled:?}");
        }
        assert_eq!(times_power_of_two(1.0, 2000), f64::INFINITY);
        assert_eq!(times_power_of_two(1.0, -2000), 0.0);
        assert_eq!(times_power_of_two(5e-324, 2097), 2f64.powi(1023));
        assert_eq!(Scaled::new(1.0, 0).times(1e200).times(1e200).times(2f64.powi(-1000)).value().log10().round(), 99.0);
    }
}
