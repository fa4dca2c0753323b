//! The metric of the unknowns: |d|² = Σ (d_i / size_i)².

use saltation_numerics::elementary;
/// The distance of a and b.
pub(crate) fn distance(a: &[f64], b: &[f64], sizes: &[f64]) -> f64 {
    a.iter().zip(b).zip(sizes).map(|((a, b), size)| ((a - b) / size).powi(2)).sum::<f64>().sqrt()
}

/// The angle of two unit vectors, without loss for small angles.
pub(crate) fn angle(a: &[f64], b: &[f64], sizes: &[f64]) -> f64 {
    2.0 * elementary::asin((0.5 * distance(a, b, sizes)).min(1.0))
}

/// The inner product without sizes.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The Euclidean length.
pub(crate) fn euclidean(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Makes a vector a unit vector and returns its length before; a vector without a direction is left alone.
pub(crate) fn normalise(a: &mut [f64]) -> f64 {
    let norm = euclidean(a);
    if norm > 0.0 && norm.is_finite() {
        a.iter_mut().for_each(|a| *a /= norm);
    }
    norm
}
