//! The order of eigenvalues, and eigenvectors of general matrices by inverse iteration.

use super::{Elimination, Failure, Matrix, matrix::euclidean_norm};
use crate::elementary::{atan2, hypot};
use std::borrow::Borrow;

/// A complex number re + i im.
pub type Complex = num_complex::Complex<f64>;

/// |z|.
#[inline]
pub fn modulus(z: impl Borrow<Complex>) -> f64 {
    let z = z.borrow();
    hypot(z.re, z.im)
}

/// The angle of z in [-π, π].
#[inline]
pub fn argument(z: impl Borrow<Complex>) -> f64 {
    let z = z.borrow();
    atan2(z.im, z.re)
}

/// All eigenvalues of a real matrix in their order, from those with imaginary part >= 0: the largest modulus first, of
/// equal moduli the largest real part; after each the conjugate, where there is one.
pub(crate) fn ordered<T>(
    mut upper: Vec<T>,
    size: impl Fn(&T) -> f64,
    real_part: impl Fn(&T) -> f64,
    conjugate: impl Fn(&T) -> Option<T>,
) -> Vec<T> {
    upper.sort_by(|a, b| size(b).total_cmp(&size(a)).then(real_part(b).total_cmp(&real_part(a))));
    let mut all = Vec::with_capacity(2 * upper.len());
    for eigenvalue in upper {
        let conjugate = conjugate(&eigenvalue);
        all.push(eigenvalue);
        all.extend(conjugate);
    }
    all
}

impl Matrix {
    /// A unit vector v with A v as near to λ v as rounding allows, for an eigenvalue λ known to rounding.
    ///
    /// Inverse iteration: the equations (A - λ) v' = v are nearly singular, and their solution is almost an eigenvector.
    /// For a complex λ they are written in real and imaginary parts. The largest entry of v is real and positive. Of several
    /// eigenvectors with the same λ it is one. Fails like [`Self::eigenvalues`], and with [`Failure::NotFinite`] if λ is
    /// not finite.
    ///
    /// ```
    /// use saltation_numerics::dense::{Complex, Matrix};
    ///
    /// let v = Matrix::from_rows([[2.0, 1.0], [1.0, 2.0]]).eigenvector(Complex::new(3.0, 0.0)).unwrap();
    /// assert!((v[0].re - v[1].re).abs() < 1e-15 && v[0].im == 0.0);
    /// ```
    pub fn eigenvector(&self, eigenvalue: Complex) -> Result<Vec<Complex>, Failure> {
        let n = self.square()?;
        self.finite()?;
        if !eigenvalue.re.is_finite() || !eigenvalue.im.is_finite() {
            return Err(Failure::NotFinite);
        }
        let scale = self.largest();
        if n == 0 || scale == 0.0 {
            return Ok((0..n).map(|k| Complex::new(f64::from(k == 0), 0.0)).collect());
        }
        let (re, im) = (eigenvalue.re / scale, eigenvalue.im / scale);
        let doubled = if im == 0.0 { n } else { 2 * n };
        // (A - re) x + im y in the upper half, (A - re) y - im x in the lower one, for v = x + i y.
        let shifted = Matrix::from_fn(doubled, doubled, |i, j| match (i / n, j / n) {
            (0, 0) | (1, 1) => self[(i % n, j % n)] / scale - if i == j { re } else { 0.0 },
            (0, 1) if i == j - n => im,
            (1, 0) if i - n == j => -im,
            _ => 0.0,
        });
        let mut elimination = Elimination::default();
        elimination.factor(&shifted)?;
        elimination.raise_pivots(f64::EPSILON * shifted.one_norm().max(f64::EPSILON));
        let residual = |v: &[f64]| euclidean_norm(&shifted.times(v).unwrap_or_default());
        let mut best: Option<(f64, Vec<f64>)> = None;
        // A start without any part along the eigenvector is possible but not for all of these.
        for start in 0..=n {
            let mut v: Vec<f64> = (0..doubled)
                .map(|k| if start == 0 { 1.0 / (1.0 + k as f64) } else { f64::from(k + 1 == start) })
                .collect();
            for _ in 0..3 {
                elimination.substitute(&mut v);
                let norm = euclidean_norm(&v);
                if !norm.is_finite() || norm == 0.0 {
                    break;
                }
                v.iter_mut().for_each(|v| *v /= norm);
                let error = residual(&v);
                if best.as_ref().is_none_or(|(least, _)| error < *least) {
                    best = Some((error, v.clone()));
                }
            }
            if best.as_ref().is_some_and(|(error, _)| *error <= 4.0 * f64::EPSILON * doubled as f64) {
                break;
            }
        }
        let Some((_, v)) = best else { return Err(Failure::NoConvergence) };
        let entry = |k: usize| Complex::new(v[k], if im == 0.0 { 0.0 } else { v[n + k] });
        let largest = (0..n).map(entry).fold(Complex::default(), |a, b| if modulus(b) > modulus(a) { b } else { a });
        let (cosine, sine) = (largest.re / modulus(largest), largest.im / modulus(largest));
        let turned = |z: Complex| Complex::new(z.re * cosine + z.im * sine, z.im * cosine - z.re * sine);
        Ok((0..n).map(|k| turned(entry(k))).collect())
    }
}
