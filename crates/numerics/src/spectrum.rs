//! Eigenvalues of a product of many matrices, which is never formed.
//!
//! The product A = A_N ... A₂ A₁ is never formed: its small eigenvalues would be lost in the rounding errors of the large ones.
//! Instead orthogonal Q₀, Q₁, ..., Q_N = Q₀ are found for which all Q_kᵀ A_k Q_{k-1} are upper triangular, except for blocks
//! of two rows that hold complex pairs. The product's eigenvalues are the products of the diagonals. This is the periodic
//! QR algorithm (Bojanczyk, Golub and Van Dooren, Proc. SPIE 1770, 1992; Kressner, Numerical Methods for General and
//! Structured Eigenvalue Problems, Springer 2005, chapter 3): what it returns is exact for factors that each differ from
//! those given by a few units in the last place of their own norm. A multiplier of 10⁻⁶⁰ has correct digits beside one of
//! 10⁵ if no single factor hides it.
//!
//! **Zeros.** A factor without full rank (a motion that sticks to a surface loses directions) makes multipliers
//! zero, and [`Ranks`] says how ranks are known. The zeros are taken out first, exactly: with A_k = U B, U an orthonormal
//! basis of the r columns' space, the nonzero eigenvalues are those of the chain B A_{k-1} ... A₁ A_N ... A_{k+1} U, which
//! orthonormal bases carried around the chain turn into factors with r rows and columns.
//!
//! ```
//! use saltation_numerics::{dense::Matrix, spectrum::{Ranks, multipliers}};
//!
//! // 200 equal factors: their product has the eigenvalues 3²⁰⁰ and 2⁻²⁰⁰.
//! let chain = vec![Matrix::from_rows([[3.0, 7.0], [0.0, 0.5]]); 200];
//! let multipliers = multipliers(&chain, Ranks::Full).unwrap();
//! assert!((multipliers[0].log_modulus - 200.0 * 3f64.ln()).abs() < 1e-11);
//! assert!((multipliers[1].value.re / 2f64.powi(-200) - 1.0).abs() < 1e-12);
//! ```

mod chain;
mod periodic;
#[cfg(test)]
mod tests;

use crate::dense;
use crate::dense::{Complex, Failure, Matrix, ordered};
use crate::elementary;
use crate::scaling::{Scaled, exponent, times_power_of_two};
use chain::Chain;

/// Some sixty units in the last place: what a few orthogonal changes of basis leave of a singular value that is zero.
const ROUNDING: f64 = 1e-14;

/// How the ranks of the factors are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ranks<'a> {
    /// No factor is singular. One that is all the same gives zeros or numbers of the size of rounding.
    Full,
    /// Factor k has rank `ranks[k]`, known from where it comes from; smaller singular values are rounding.
    ///
    /// Where a deficient factor acts on what another one leaves, its rank there may be less still: that is judged as by
    /// [`Ranks::ROUNDING`].
    Known(&'a [usize]),
    /// Singular values up to this number times the largest one of their factor are zero.
    Within(f64),
}

impl Ranks<'_> {
    /// Singular values below the rounding error of their factor are zero.
    pub const ROUNDING: Ranks<'static> = Ranks::Within(ROUNDING);
}

/// An eigenvalue of a product of matrices, also where it lies beyond the range of `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multiplier {
    /// The eigenvalue; a part too small for `f64` is 0, a part too large infinite.
    pub value: Complex,
    /// The natural logarithm of its absolute value, also where `value` is 0 or infinite; -∞ for an exact zero.
    pub log_modulus: f64,
    /// Its angle in (-π, π], also where `value` is 0 or infinite; 0 for an exact zero.
    pub argument: f64,
}

impl Multiplier {
    const ZERO: Self = Self { value: Complex::new(0.0, 0.0), log_modulus: f64::NEG_INFINITY, argument: 0.0 };

    /// The eigenvalue z 2^power with imaginary part >= 0.
    fn new(z: Complex, power: i64) -> Self {
        let modulus = Scaled::new(dense::modulus(z), power);
        if modulus.mantissa == 0.0 {
            return Self::ZERO;
        }
        Self {
            value: Complex::new(times_power_of_two(z.re, power), times_power_of_two(z.im, power)),
            log_modulus: elementary::ln(modulus.mantissa) + modulus.exponent as f64 * core::f64::consts::LN_2,
            // A complex number stays one however near to the real axis it is.
            argument: match z.im {
                0.0 => dense::argument(z),
                _ => dense::argument(z).clamp(f64::MIN_POSITIVE, core::f64::consts::PI.next_down()),
            },
        }
    }

    /// The conjugate of an eigenvalue with imaginary part > 0.
    fn conjugate(&self) -> Option<Self> {
        let complex = self.argument > 0.0 && self.argument < core::f64::consts::PI;
        complex.then(|| Self { value: self.value.conj(), argument: -self.argument, ..*self })
    }
}

/// The eigenvalues of A_N ... A₂ A₁ for `factors` = [A₁, A₂, ..., A_N], the first to act first; in the order of
/// [`Matrix::eigenvalues`].
///
/// As many as the factors have rows; none for no factors. Fails if the factors are not square, differ in size or are not
/// finite (the tolerance neither), and if a list of known ranks has not as many entries as there are factors.
///
/// ```
/// use saltation_numerics::{dense::Matrix, spectrum::{Ranks, multipliers}};
///
/// let forget = Matrix::from_rows([[1.0, 1.0], [1.0, 1.0]]);
/// let turn = Matrix::from_rows([[0.6, -0.8], [0.8, 0.6]]);
/// let multipliers = multipliers(&[forget, turn], Ranks::Known(&[1, 2])).unwrap();
/// assert!((multipliers[0].value.re - 1.2).abs() < 1e-15);
/// assert_eq!(multipliers[1].value.re, 0.0);
/// ```
pub fn multipliers(factors: &[Matrix], ranks: Ranks<'_>) -> Result<Vec<Multiplier>, Failure> {
    let Some(first) = factors.first() else { return Ok(Vec::new()) };
    let n = first.square()?;
    for factor in factors {
        let found = factor.square()?;
        if found != n {
            return Err(Failure::Mismatch { expected: n, found });
        }
        factor.finite()?;
    }
    if let Ranks::Known(known) = ranks
        && known.len() != factors.len()
    {
        return Err(Failure::Mismatch { expected: factors.len(), found: known.len() });
    }
    if let Ranks::Within(tolerance) = ranks
        && !tolerance.is_finite()
    {
        return Err(Failure::NotFinite);
    }
    let mut power = 0;
    let balanced = factors.iter().map(|factor| {
        let k = i64::from(exponent(factor.largest()));
        power += k;
        Matrix::from_fn(n, n, |i, j| times_power_of_two(factor[(i, j)], -k))
    });
    let chain = Chain::new(balanced.collect()).without_zeros(ranks)?;
    let mut upper = vec![Multiplier::ZERO; n - chain.size()];
    let mut waiting = vec![chain];
    while let Some(chain) = waiting.pop() {
        periodic::diagonalise(chain, power, &mut upper, &mut waiting)?;
    }
    Ok(ordered(upper, |m| m.log_modulus, |m| elementary::cos(m.argument), Multiplier::conjugate))
}
