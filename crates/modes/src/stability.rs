//! Linear stability of a periodic motion: multipliers of the return map on g = 0 at fixed energy.
//!
//! In z = (ω η, dη/dt) flights are rotations S and impacts reflections N, and a change δ just after an impact becomes
//! after the next
//!
//! ```text
//! δ <- N (1 - f⁻ c'/(c' f⁻)) S(σ) δ
//! ```
//!
//! with the gap's gradient c and the velocity f⁻ of the flow before the impact: the change of the flight time is
//! eliminated, so that g = 0 stays true (Thorin, Delezoide and Legrand, Section 8, with the duration's variation
//! eliminated). Of the product over a period only its restriction to c'δ = 0, z'δ = 0 counts: the energy z'z/2 is
//! kept, and the map there is symplectic, so that multipliers come in pairs μ, 1/μ. The full derivative has beside
//! them a defective double 1, for the shift of time and the neighbour in the family, whose computed eigenvalues are 1
//! only to half of the digits.

use saltation_numerics::dense;
use saltation_numerics::dense::{Complex, Matrix};
use saltation_numerics::elementary;

use crate::{LinearModes, Motion};

/// The multipliers of the return map of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Stability {
    /// The multipliers on g = 0 at fixed energy, largest modulus first: two less than twice the modes that the contact
    /// moves. Modes that the contact does not move have multipliers of modulus 1.
    pub multipliers: Vec<Complex>,
    /// The largest modulus, 1 without multipliers.
    pub spectral_radius: f64,
    /// The largest distance |μ ν - 1| of a multiplier μ from the nearest pair: rounding, for a symplectic map.
    pub pairing: f64,
}

/// Where two multipliers on the unit circle coincide, their error is the square root of the rounding error.
const UNIT_CIRCLE_TOLERANCE: f64 = 1e-6;

impl Stability {
    /// Whether all multipliers lie on the unit circle.
    pub fn is_neutral(&self) -> bool {
        self.spectral_radius <= 1.0 + UNIT_CIRCLE_TOLERANCE
    }
}

/// A reflection 1 - 2 v v'/(v'v) that takes x to a multiple of unit vector `at`, with zeros before it left alone.
fn reflection(x: &[f64], at: usize) -> Vec<f64> {
    let mut v = x.to_vec();
    v[..at].fill(0.0);
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v[at] += length.copysign(v[at]);
    let square = v.iter().map(|x| x * x).sum::<f64>();
    if square > 0.0 {
        let norm = (0.5 * square).sqrt();
        v.iter_mut().for_each(|x| *x /= norm);
    }
    v
}

fn reflect(v: &[f64], x: &mut [f64]) {
    let along: f64 = v.iter().zip(&*x).map(|(v, x)| v * x).sum();
    x.iter_mut().zip(v).for_each(|(x, v)| *x -= along * v);
}

/// The multipliers of a motion; `None` where an impact has no speed, so that the map has no derivative, or the
/// eigenvalues fail.
///
/// The work grows with the third power of the number of modes.
pub fn stability(modes: &LinearModes, motion: &Motion) -> Option<Stability> {
    let m = modes.len();
    let dimension = 2 * m;
    let split = |amplitudes: &[[f64; 2]]| -> Vec<f64> {
        amplitudes.iter().map(|c| c[0]).chain(amplitudes.iter().map(|c| c[1])).collect()
    };
    let gradient: Vec<f64> =
        (0..dimension).map(|i| if i < m { modes.shares()[i] / modes.frequencies()[i] } else { 0.0 }).collect();
    let flights = motion.flights(modes);
    let start = split(&flights[0]);
    // Two reflections take the gradient and the energy's gradient to the first two unit vectors: the others are the
    // basis.
    let first = reflection(&gradient, 0);
    let mut second = start.clone();
    reflect(&first, &mut second);
    let second = reflection(&second, 1);
    let size = dimension - 2;
    let mut reduced = Matrix::zeros(size, size);
    let sigmas = motion.flight_times();
    // For every flight its rotation, and for the impact at its end the field before it.
    let passages: Option<Vec<_>> = flights
        .iter()
        .zip(&sigmas)
        .map(|(amplitudes, sigma)| {
            let rotation: Vec<(f64, f64)> =
                modes.frequencies().iter().map(|w| elementary::sin_cos(w * sigma)).collect();
            let mut field = vec![0.0; dimension];
            let mut speed = 0.0;
            for (p, (sine, cosine)) in rotation.iter().enumerate() {
                let [re, im] = amplitudes[p];
                let (re, im) = (re * cosine + im * sine, im * cosine - re * sine);
                let w = modes.frequencies()[p];
                (field[p], field[m + p]) = (w * im, -w * re);
                speed += modes.shares()[p] * im;
            }
            (speed < 0.0).then(|| {
                field.iter_mut().for_each(|f| *f /= speed);
                (rotation, field)
            })
        })
        .collect();
    let passages = passages?;
    for j in 0..size {
        let mut delta = vec![0.0; dimension];
        delta[j + 2] = 1.0;
        reflect(&second, &mut delta);
        reflect(&first, &mut delta);
        for (rotation, field) in &passages {
            for (p, (sine, cosine)) in rotation.iter().enumerate() {
                let (re, im) = (delta[p], delta[m + p]);
                (delta[p], delta[m + p]) = (re * cosine + im * sine, im * cosine - re * sine);
            }
            let late: f64 = gradient.iter().zip(&delta).map(|(c, d)| c * d).sum();
            delta.iter_mut().zip(field).for_each(|(d, f)| *d -= late * f);
            let speed: f64 = modes.shares().iter().zip(&delta[m..]).map(|(q, d)| q * d).sum();
            delta[m..].iter_mut().zip(modes.shares()).for_each(|(d, q)| *d -= 2.0 * q * speed);
        }
        reflect(&first, &mut delta);
        reflect(&second, &mut delta);
        reduced.column_mut(j).copy_from_slice(&delta[2..]);
    }
    let mut multipliers = reduced.eigenvalues().ok()?;
    multipliers.sort_by(|a, b| dense::modulus(b).total_cmp(&dense::modulus(a)));
    let spectral_radius = multipliers.first().map_or(1.0, dense::modulus);
    let product =
        |a: &Complex, b: &Complex| elementary::hypot(a.re * b.re - a.im * b.im - 1.0, a.re * b.im + a.im * b.re);
    let nearest = |a: &Complex| multipliers.iter().map(|b| product(a, b)).fold(f64::INFINITY, f64::min);
    let pairing = multipliers.iter().map(nearest).fold(0.0, f64::max);
    Some(Stability { spectral_radius, pairing, multipliers })
}

#[cfg(test)]
mod tests;
