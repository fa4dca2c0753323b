//! Sine and cosine of many numbers at once: multiples of π/2 are subtracted in three parts, and polynomials of the rest are evaluated. There
//! are no branches, so that loops over numbers become vectors; and no fused operations, so that all processors find the same bits.

use saltation_numerics::elementary;
/// Beyond this the multiples of π/2 have too many digits for their three parts.
const LARGEST: f64 = 1e6;

/// π/2 in parts: a product of one of the first two with a number below 2^20 is exact.
const HALF_PI: [f64; 3] = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21];

/// 3 · 2^51: sums with it are integers, in their last bits.
const INTEGERS: f64 = 6755399441055744.0;

/// The coefficients of sin x = x + S₁ x³ + .. and cos x = 1 - x²/2 + C₁ x⁴ + .. for |x| <= π/4, as in FDLIBM (Sun Microsystems, 1993).
const SINE: [f64; 6] = [
    -0.16666666666666632,
    0.00833333333332249,
    -0.0001984126982985795,
    2.7557313707070068e-6,
    -2.5050760253406863e-8,
    1.58969099521155e-10,
];
const COSINE: [f64; 6] = [
    0.0416666666666666,
    -0.001388888888887411,
    0.00002480158728947673,
    -2.7557314351390663e-7,
    2.087572321298175e-9,
    -1.1359647557788195e-11,
];

/// Σ c_i z^i.
#[inline(always)]
fn polynomial(coefficients: &[f64; 6], z: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * z + c)
}

/// sin x and cos x for |x| <= 10⁶, with errors below 2e-16.
#[inline(always)]
fn sine_and_cosine(x: f64) -> (f64, f64) {
    let shifted = x * std::f64::consts::FRAC_2_PI + INTEGERS;
    let (quarters, turns) = (shifted.to_bits(), shifted - INTEGERS);
    let rest = ((x - turns * HALF_PI[0]) - turns * HALF_PI[1]) - turns * HALF_PI[2];
    let z = rest * rest;
    let sine = rest + rest * z * polynomial(&SINE, z);
    let cosine = 1.0 - (0.5 * z - z * z * polynomial(&COSINE, z));
    // After an odd number of quarters they have changed places; signs follow the second bit.
    let (a, b) = if quarters & 1 == 0 { (sine, cosine) } else { (cosine, sine) };
    let signed = |x: f64, quarters: u64| f64::from_bits(x.to_bits() ^ (quarters & 2) << 62);
    (signed(a, quarters), signed(b, quarters.wrapping_add(1)))
}

/// sin and cos of all rates times a number; lists have one length.
#[inline(always)]
pub(crate) fn of_multiples(rates: &[f64], by: f64, sines: &mut [f64], cosines: &mut [f64]) {
    let largest = rates.iter().fold(0.0_f64, |most, rate| most.max(rate.abs()));
    let places = rates.iter().zip(sines.iter_mut().zip(cosines));
    if largest * by.abs() <= LARGEST {
        places.for_each(|(rate, (sine, cosine))| (*sine, *cosine) = sine_and_cosine(rate * by));
    } else {
        places.for_each(|(rate, (sine, cosine))| (*sine, *cosine) = elementary::sin_cos(rate * by));
    }
}

/// The same, compiled for the vector instructions of the processor.
pub(crate) fn vectors_of_multiples(rates: &[f64], by: f64, sines: &mut [f64], cosines: &mut [f64]) {
    pulp::Arch::new().dispatch(Multiples { rates, by, sines, cosines });
}

struct Multiples<'a> {
    rates: &'a [f64],
    by: f64,
    sines: &'a mut [f64],
    cosines: &'a mut [f64],
}

impl pulp::NullaryFnOnce for Multiples<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        of_multiples(self.rates, self.by, self.sines, self.cosines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_rounding() {
        let rates: Vec<f64> = (0..40_000).map(|k| f64::from(k) * 0.37 - 3000.0).collect();
        let (mut sines, mut cosines) = (vec![0.0; rates.len()], vec![0.0; rates.len()]);
        for by in [1e-9, 0.01, 1.0, -2.5, 79.577, 1e5] {
            vectors_of_multiples(&rates, by, &mut sines, &mut cosines);
            for ((rate, sine), cosine) in rates.iter().zip(&sines).zip(&cosines) {
                let (s, c) = (rate * by).sin_cos();
                assert!((s - sine).abs() < 2.3e-16 && (c - cosine).abs() < 2.3e-16, "{}", rate * by);
            }
        }
    }

    /// The same loop, compiled for the vectors of this processor and for those of every one of its kind: no operation is fused, none changes its place.
    #[test]
    fn vectors_have_the_bits_of_plain_loops() {
        let rates: Vec<f64> = (0..4001).map(|k| f64::from(k) * 0.37 - 300.0).collect();
        let empty = || (vec![0.0; rates.len()], vec![0.0; rates.len()]);
        let ((mut sines, mut cosines), (mut plain_sines, mut plain_cosines)) = (empty(), empty());
        for by in [1e-9, 0.01, 1.0, -2.5, 79.577] {
            vectors_of_multiples(&rates, by, &mut sines, &mut cosines);
            of_multiples(&rates, by, &mut plain_sines, &mut plain_cosines);
            let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(x, y)| x.to_bits() == y.to_bits());
            assert!(same(&sines, &plain_sines) && same(&cosines, &plain_cosines), "{by}");
        }
    }

    #[test]
    fn quarters_of_a_turn_keep_their_digits() {
        for k in -200_000..200_000 {
            let x = f64::from(k) * std::f64::consts::FRAC_PI_2;
            let (s, c) = x.sin_cos();
            let (sine, cosine) = sine_and_cosine(x);
            assert!((s - sine).abs() < 2.3e-16 && (c - cosine).abs() < 2.3e-16, "{x}");
            // The small one is what is left of x, to many digits.
            let (small, own) = if k % 2 == 0 { (s, sine) } else { (c, cosine) };
            assert!((small - own).abs() <= 1e-6 * small.abs(), "{x}: {small:e} {own:e}");
        }
    }
}
