//! Sizes and slopes of polynomials in the time since the start of a step.

/// The largest term of a polynomial on [0, length].
pub(crate) fn size_on(row: &[f64], length: f64) -> f64 {
    let mut power = 1.0;
    let mut size = 0.0_f64;
    for &c in row {
        let term = (c * power).abs();
        // What is not a number has no size.
        if term > size {
            size = term;
        }
        power *= length;
    }
    size
}

/// The first derivative of a polynomial, to the last bit as [`slope_and_curvature`] has it.
pub(crate) fn slope(row: &[f64], s: f64) -> f64 {
    let (mut slope, mut value) = (0.0, 0.0);
    for &c in row.iter().rev() {
        slope = slope * s + value;
        value = value * s + c;
    }
    slope
}

/// The first and second derivative of a polynomial.
pub(crate) fn slope_and_curvature(row: &[f64], s: f64) -> (f64, f64) {
    let (mut slope, mut curvature) = (0.0, 0.0);
    let mut value = 0.0;
    for &c in row.iter().rev() {
        curvature = curvature * s + slope;
        slope = slope * s + value;
        value = value * s + c;
    }
    (slope, 2.0 * curvature)
}

/// A bound on how far a polynomial goes from its constant term on [0, length].
pub(crate) fn variation(row: &[f64], length: f64) -> f64 {
    let mut power = 1.0;
    let mut sum = 0.0;
    for &c in &row[1..] {
        power *= length;
        sum += (c * power).abs();
    }
    sum
}
