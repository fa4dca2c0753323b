//! All real roots and extrema of a polynomial on an interval, by Bernstein coefficients and subdivision.
//!
//! A polynomial is the row of its coefficients c₀, c₁, ..., cₙ in power form: p(s) = Σ cₖ sᵏ. On [0, 1] it is also a
//! combination of Bernstein polynomials, whose coefficients bound it and, by Descartes' rule, bound the number of its
//! roots: as many as the coefficients change sign, less an even number. Halving the interval until no piece has more
//! than one change isolates all roots (Lane and Riesenfeld, BIT 21, 1981; Collins and Akritas, SYMSAC 1976), and a
//! bracketed Newton iteration finds each to the last bits.
//!
//! * [`real_roots`]: all roots on an interval;
//! * [`sign_changes`]: the ordered crossings of zero, continued over consecutive intervals;
//! * [`first_descent`]: the first fall from positive to zero, with every local minimum before it.
//!
//! Coefficients must be finite, and so must be their terms on the interval; where they are not, nothing is found. All memory is in a [`Workspace`]; once it has
//! seen a degree, further calls allocate nothing.

mod descent;
mod isolation;
mod refinement;
mod roots;
#[cfg(test)]
mod tests;

pub use descent::{Descent, Minimum, first_descent};
pub use roots::{Crossing, Root, SignChanges, real_roots, sign_changes};

use crate::number::Number;
use isolation::Stack;

/// The memory of the root searches.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// The polynomial moved and scaled to the unit interval.
    unit: Vec<f64>,
    /// The derivative, divided by a power of the variable.
    slope: Vec<f64>,
    /// The pieces of the interval not yet decided.
    stack: Stack,
    roots: Vec<Root>,
    minima: Vec<Minimum>,
}

impl Workspace {
    /// An empty workspace; it grows with the degrees it sees.
    pub fn new() -> Self {
        Self::default()
    }
}

/// The value Σ cₖ sᵏ, by Horner's rule for the even and the odd powers side by side: neither waits for the other.
///
/// ```
/// assert_eq!(saltation_numerics::polynomial::evaluate(&[1.0, -3.0, 2.0], 2.0), 3.0);
/// ```
#[inline]
pub fn evaluate<N: Number>(c: &[f64], s: N) -> N {
    let square = s.square();
    if !square.is_finite() {
        return c.iter().rev().fold(N::ZERO, |sum, &c| sum * s + N::from_f64(c));
    }
    let (pairs, last) = c.as_chunks::<2>();
    let (mut even, mut odd) = (last.first().map_or(N::ZERO, |&c| N::from_f64(c)), N::ZERO);
    for &[e, o] in pairs.iter().rev() {
        even = even * square + N::from_f64(e);
        odd = odd * square + N::from_f64(o);
    }
    even + s * odd
}

/// The same for coefficients of any kind of number.
#[inline(always)]
pub fn evaluate_series<N: Number>(c: &[N], s: N) -> N {
    let square = s.square();
    let (pairs, last) = c.as_chunks::<2>();
    let (mut even, mut odd) = (N::ZERO, N::ZERO);
    if let [last] = last {
        even = *last;
    }
    for [e, o] in pairs.iter().rev() {
        even = even * square + *e;
        odd = odd * square + *o;
    }
    even + s * odd
}

/// The value and the derivative with respect to s, in the same way: with p(s) = e(s²) + s o(s²) the derivative is
/// o + 2 s (e' + s o').
#[inline]
pub fn evaluate_with_derivative<N: Number>(c: &[f64], s: N) -> (N, N) {
    let square = s.square();
    if !square.is_finite() {
        let both = (N::ZERO, N::ZERO);
        return c.iter().rev().fold(both, |(sum, slope), &c| (sum * s + N::from_f64(c), slope * s + sum));
    }
    let (pairs, last) = c.as_chunks::<2>();
    let (mut even, mut odd) = (last.first().map_or(N::ZERO, |&c| N::from_f64(c)), N::ZERO);
    let (mut even_slope, mut odd_slope) = (N::ZERO, N::ZERO);
    for &[e, o] in pairs.iter().rev() {
        even_slope = even_slope * square + even;
        odd_slope = odd_slope * square + odd;
        even = even * square + N::from_f64(e);
        odd = odd * square + N::from_f64(o);
    }
    (even + s * odd, odd + (s * (even_slope + s * odd_slope)).scale(2.0))
}

/// The coefficients of the derivative, one fewer than `c`, into `derivative`.
pub fn differentiate(c: &[f64], derivative: &mut Vec<f64>) {
    derivative.clear();
    derivative.extend((0u32..).zip(c).skip(1).map(|(k, &c)| f64::from(k) * c));
}

/// The Bernstein coefficients on [0, 1] of the polynomial with power coefficients `row`, in place:
/// bⱼ = Σ (j over i) / (n over i) cᵢ over i <= j.
///
/// ```
/// let mut row = [0.0, 0.0, 1.0]; // s²
/// saltation_numerics::polynomial::to_bernstein(&mut row);
/// assert_eq!(row, [0.0, 0.0, 1.0]);
/// let mut row = [1.0, 2.0, 0.0]; // 1 + 2 s, raised to degree two
/// saltation_numerics::polynomial::to_bernstein(&mut row);
/// assert_eq!(row, [1.0, 2.0, 3.0]);
/// ```
#[inline]
pub fn to_bernstein(row: &mut [f64]) {
    let n = row.len().saturating_sub(1);
    match isolation::RECIPROCAL_BINOMIALS.get(n) {
        Some(reciprocals) => row.iter_mut().zip(reciprocals).for_each(|(c, reciprocal)| *c *= reciprocal),
        None => {
            let mut binomial = 1.0;
            for (i, c) in row.iter_mut().enumerate() {
                *c /= binomial;
                binomial *= (n - i) as f64 / (i + 1) as f64;
            }
        }
    }
    isolation::accumulate_differences(row);
}

/// The sign of x: 1, -1, or 0 for zero (and for what is not a number).
#[inline]
fn sign(x: f64) -> i8 {
    i8::from(x > 0.0) - i8::from(x < 0.0)
}

/// Whether all coefficients are numbers; without a branch for each.
fn all_finite(c: &[f64]) -> bool {
    c.iter().fold(true, |finite, c| finite & c.is_finite())
}

/// p(h u) as a polynomial in u: the coefficients cₖ hᵏ into `unit`, and the sum of the sizes of all but the first.
///
/// The power enters as two factors of half the size, which do not overflow or vanish where the product does not.
fn scale_to_unit(c: &[f64], h: f64, unit: &mut Vec<f64>) -> f64 {
    unit.clear();
    unit.extend_from_slice(c);
    let mut half = 1.0;
    let (pairs, last) = unit.as_chunks_mut::<2>();
    for [even, odd] in pairs {
        let next = half * h;
        *even = *even * half * half;
        *odd = *odd * half * next;
        half = next;
    }
    last.iter_mut().for_each(|even| *even = *even * half * half);
    unit.get(1..).unwrap_or_default().iter().map(|c| c.abs()).sum()
}
