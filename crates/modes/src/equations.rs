//! Equations for the impact times and speeds of a periodic motion, regular also where the matrices Π and Σ are singular.
//!
//! With s_T(τ) = Σ q_p² cos(ω_p (τ - T/2))/(ω_p sin(ω_p T/2)) the periodic motion with impacts λ_j at t_j, t_k = T, has
//!
//! ```text
//! g(t)/√G = ρ g₀/√G + Σ_j λ_j s_T(|t - t_j|),
//! ```
//!
//! and it has to be zero at every t_i (Σ λ = -g₀ j of the paper), with opening speeds that are opposite before and
//! after: their mean Σ_j λ_j sgn(t_i - t_j) s_T'(|t_i - t_j|) is zero (Π λ = 0). Three things make of this one regular
//! system for all k.
//!
//! *One equation too many.* λ'Π λ = 0 whatever the times, so that the 2 k equations are dependent. A small loss ε λ_i
//! of speed at every impact is allowed; λ'(Π λ + ε λ) = ε λ'λ then says that ε = 0, and all equations may be kept, for
//! odd and for even k.
//!
//! *Harmonics.* Where sin(ω_p T/2) is small the amplitude of mode p is an unknown of its own, B = cot(ω_p T/2) Σ λ_j
//! exp(i ω_p t_j), with the equation sin(ω_p T/2) B = cos(ω_p T/2) Σ λ_j exp(i ω_p t_j): the sines are multiplied
//! through. The share of the mode is then (q²/ω) (Re(B exp(-i ω t)) + Σ_j λ_j sin ω|t - t_j|). At a harmonic B is free
//! and the impacts must not drive the mode, or all their speeds tend to zero. The loss ε enters here as a rotation of B, with the
//! sign with which it adds up with the one at the impacts. The unknown is A = q² max(1, 1/ω) B, as large as what the
//! mode adds to the gap or to its speed at most: B itself is larger by 1/q², so that with B as an unknown of length 1
//! impacts and gap would be known to few digits where a mode with a small share in the contact is resonant.
//!
//! *Infinite speeds.* The unknowns λ, A and ρ are homogeneous; their squares add up to 1. λ -> ∞ is ρ -> 0, beyond
//! which the curve continues with the other sign of g₀. The motion itself has λ/ρ.
//!
//! Times are in units of 1/ω̄, ω̄ = Σ q² ω, and λ in units of |g₀| ω̄/√G.

use saltation_continuation::Problem;
use saltation_numerics::dense::Matrix;
use saltation_numerics::elementary;

use crate::motion::{Amplitude, drive};
use crate::{LinearModes, Motion};

/// The equations of periodic motions with k impacts per period. Unknowns: σ_1 .. σ_k, λ_1 .. λ_k, Re A, Im A of every
/// resonant mode, ρ, ε.
#[derive(Clone, Debug)]
pub struct Equations {
    impacts: usize,
    /// ω_p/ω̄ and q_p² of all modes.
    frequencies: Vec<f64>,
    squares: Vec<f64>,
    /// A/B of all modes.
    weights: Vec<f64>,
    /// Modes with an amplitude of their own.
    resonant: Vec<usize>,
    is_resonant: Vec<bool>,
    /// g₀/(√G Λ): 1, -1, or 0.
    gap: f64,
    /// ω̄ and Λ.
    rate: f64,
    size: f64,
    sizes: Vec<f64>,
    work: Work,
}

/// The workspace of an evaluation.
#[derive(Clone, Debug, Default)]
struct Work {
    times: Vec<f64>,
    /// sin and cos of ω_p t_i, by modes and then impacts.
    waves: Vec<(f64, f64)>,
    halves: Vec<(f64, f64)>,
    /// Jacobian by times instead of durations.
    by_times: Vec<f64>,
}

/// An equation was evaluated where it is undefined.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("two impacts have come together, or the period is a harmonic")]
pub struct OutOfRange;

/// Modes become resonant where |sin(ω T/2)| falls below the first number, and stop to be so above the second.
const RESONANT_BELOW: f64 = 0.05;
const DETUNED_ABOVE: f64 = 0.2;

/// The largest cotangent with which a guess begins.
const LARGEST_GUESS: f64 = 100.0;

/// s_T(τ) of one pair of impacts, with derivatives: by τ, twice, by T, and by both.
#[derive(Clone, Copy, Default)]
struct Kernel {
    s: f64,
    s_tau: f64,
    s_tau_tau: f64,
    s_period: f64,
    s_tau_period: f64,
}

impl Equations {
    /// The equations of motions with `impacts` impacts, with the modes that are resonant at a period.
    pub fn new(modes: &LinearModes, impacts: usize, period: f64) -> Equations {
        let rate: f64 = modes.frequencies().iter().zip(modes.squares()).map(|(w, square)| w * square).sum();
        let distance = modes.gap() / modes.root_mobility();
        let size = if distance == 0.0 { 1.0 } else { distance.abs() * rate };
        let frequencies: Vec<f64> = modes.frequencies().iter().map(|w| w / rate).collect();
        let weight = |(w, square): (&f64, &f64)| square * (1.0 / w).max(1.0);
        let mut equations = Equations {
            impacts,
            weights: frequencies.iter().zip(modes.squares()).map(weight).collect(),
            frequencies,
            squares: modes.squares().to_vec(),
            resonant: Vec::new(),
            is_resonant: vec![false; modes.len()],
            gap: if distance == 0.0 { 0.0 } else { distance.signum() },
            rate,
            size,
            sizes: Vec::new(),
            work: Work::default(),
        };
        let resonant: Vec<usize> = (0..modes.len())
            .filter(|&p| elementary::sin(0.5 * modes.frequencies()[p] * period).abs() < RESONANT_BELOW)
            .collect();
        equations.set_resonant(resonant);
        equations
    }

    /// The same with B itself as the unknown of every resonant mode: Newton's method then changes resonant amplitudes
    /// least, and from random impacts reaches motions that it does not reach otherwise.
    pub(crate) fn with_bare_amplitudes(mut self) -> Equations {
        self.weights.fill(1.0);
        self
    }

    /// The same with A as the unknown of every resonant mode, and a point in these unknowns.
    pub(crate) fn with_shares(&self, modes: &LinearModes, u: &[f64]) -> (Equations, Vec<f64>) {
        let mut equations = Equations::new(modes, self.impacts, self.period(u));
        equations.set_resonant(self.resonant.clone());
        let u = equations.converted(self, u);
        (equations, u)
    }

    fn set_resonant(&mut self, resonant: Vec<usize>) {
        self.is_resonant.fill(false);
        resonant.iter().for_each(|&p| self.is_resonant[p] = true);
        self.resonant = resonant;
        self.sizes = vec![1.0; self.unknowns()];
    }

    /// Whether other modes are resonant at a point than those that have an amplitude of their own.
    pub fn is_outdated(&self, u: &[f64]) -> bool {
        let period: f64 = u[..self.impacts].iter().sum();
        self.frequencies.iter().zip(&self.is_resonant).any(|(w, resonant)| {
            let sine = elementary::sin(0.5 * w * period).abs();
            if *resonant { sine > DETUNED_ABOVE } else { sine < RESONANT_BELOW }
        })
    }

    /// Equations with the modes that are resonant near a point, and the point and its tangent in their unknowns.
    pub fn renewed(&self, u: &[f64], tangent: &[f64]) -> (Equations, Vec<f64>, Vec<f64>) {
        let k = self.impacts;
        let period: f64 = u[..k].iter().sum();
        let mut renewed = self.clone();
        renewed.set_resonant(
            (0..self.frequencies.len())
                .filter(|&p| {
                    let sine = elementary::sin(0.5 * self.frequencies[p] * period).abs();
                    sine < if self.is_resonant[p] { DETUNED_ABOVE } else { RESONANT_BELOW }
                })
                .collect(),
        );
        let (point, along) = (renewed.converted(self, u), {
            let step = 1e-6;
            let ahead: Vec<f64> = u.iter().zip(tangent).map(|(u, t)| u + step * t).collect();
            renewed.converted(self, &ahead)
        });
        let along = along.iter().zip(&point).map(|(a, p)| a - p).collect();
        (renewed, point, along)
    }

    /// Unknowns of other equations of the same motions in those of this one.
    fn converted(&self, other: &Equations, u: &[f64]) -> Vec<f64> {
        let k = self.impacts;
        let times = times(&u[..k]);
        let mut converted = u[..2 * k].to_vec();
        for &p in &self.resonant {
            match other.resonant.iter().position(|&q| q == p) {
                Some(i) => {
                    let factor = self.weights[p] / other.weights[p];
                    converted.extend(u[2 * k + 2 * i..2 * k + 2 * i + 2].iter().map(|a| factor * a));
                }
                None => {
                    let [re, im] = drive(self.frequencies[p], &times, &u[k..2 * k]);
                    let factor = self.weights[p] / elementary::tan(0.5 * self.frequencies[p] * times[k - 1]);
                    converted.extend([factor * re, factor * im]);
                }
            }
        }
        converted.extend(&u[u.len() - 2..]);
        self.normalise(&mut converted);
        converted
    }

    /// Scales λ, A and ρ so that their squares add up to 1.
    fn normalise(&self, u: &mut [f64]) {
        let end = u.len() - 1;
        let homogeneous = &mut u[self.impacts..end];
        let length = homogeneous.iter().map(|x| x * x).sum::<f64>().sqrt();
        homogeneous.iter_mut().for_each(|x| *x /= length);
    }

    /// k.
    pub fn impacts(&self) -> usize {
        self.impacts
    }

    /// The unknowns of a motion.
    pub fn unknowns_of(&self, modes: &LinearModes, motion: &Motion) -> Vec<f64> {
        let mut u = self.unknowns_of_impacts(&motion.flight_times(), &motion.lambda);
        let k = self.impacts;
        // Homogeneous unknowns are known up to a factor, which is that of λ.
        let factor = match motion.lambda.iter().zip(&u[k..]).max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())) {
            Some((lambda, own)) if *lambda != 0.0 => own / lambda,
            _ => return u,
        };
        for (r, &p) in self.resonant.iter().enumerate() {
            let times = times(&u[..k]);
            let [re, im] = drive(self.frequencies[p], &times, &u[k..2 * k]);
            let [a, b] = motion.amplitudes[p];
            let q = modes.shares()[p];
            let weight = self.weights[p];
            (u[2 * k + 2 * r], u[2 * k + 2 * r + 1]) = (weight * (factor * a / q - im), weight * (factor * b / q + re));
        }
        self.normalise(&mut u);
        u
    }

    /// The unknowns of impacts at the ends of flights. A resonant mode has the amplitude to which they drive it, as
    /// far as that is not too large for a guess.
    pub fn unknowns_of_impacts(&self, sigmas: &[f64], lambda: &[f64]) -> Vec<f64> {
        let scaled: Vec<f64> = sigmas.iter().map(|s| s * self.rate).collect();
        let times = times(&scaled);
        let lambda: Vec<f64> = lambda.iter().map(|l| l / self.size).collect();
        let mut u = scaled;
        u.extend(&lambda);
        for &p in &self.resonant {
            let [re, im] = drive(self.frequencies[p], &times, &lambda);
            let cotangent = 1.0 / elementary::tan(0.5 * self.frequencies[p] * times[self.impacts - 1]);
            let cotangent = if cotangent.is_nan() { 0.0 } else { cotangent.clamp(-LARGEST_GUESS, LARGEST_GUESS) };
            let factor = self.weights[p] * cotangent;
            u.extend([factor * re, factor * im]);
        }
        u.extend([if self.gap == 0.0 { 0.0 } else { 1.0 }, 0.0]);
        self.normalise(&mut u);
        u
    }

    /// The unknown ρ.
    pub fn rho_index(&self) -> usize {
        self.unknowns() - 2
    }

    /// Λ, the unit of λ.
    pub fn speed_unit(&self) -> f64 {
        self.size
    }

    /// ρ, which is zero where λ is infinite.
    pub fn rho(&self, u: &[f64]) -> f64 {
        u[u.len() - 2]
    }

    /// T.
    pub fn period(&self, u: &[f64]) -> f64 {
        u[..self.impacts].iter().sum::<f64>() / self.rate
    }

    /// The homogeneous λ_j, with the sign of ρ: those of the motion but for a positive factor.
    pub fn lambda<'u>(&self, u: &'u [f64]) -> &'u [f64] {
        &u[self.impacts..2 * self.impacts]
    }

    /// The largest |λ|, homogeneous.
    pub fn largest_lambda(&self, u: &[f64]) -> f64 {
        self.lambda(u).iter().fold(0.0, |largest, lambda| largest.max(lambda.abs()))
    }

    /// The mode whose amplitude is largest of those that are resonant, and the multiple of its period that T is
    /// nearest to.
    pub fn resonance(&self, u: &[f64]) -> Option<(usize, usize)> {
        let amplitudes = u[2 * self.impacts..].chunks_exact(2).zip(&self.resonant);
        let size = |c: &[f64]| elementary::hypot(c[0], c[1]);
        let (_, &mode) = amplitudes.max_by(|a, b| size(a.0).total_cmp(&size(b.0)))?;
        let period: f64 = u[..self.impacts].iter().sum();
        let multiple = (period * self.frequencies[mode] / (2.0 * std::f64::consts::PI)).round();
        Some((mode, multiple as usize))
    }

    /// The motion of a solution: with λ/ρ, or for g₀ = 0 with λ'λ = 1.
    pub fn motion(&self, modes: &LinearModes, u: &[f64]) -> Motion {
        let k = self.impacts;
        let factor = if self.gap == 0.0 {
            1.0 / u[k..2 * k].iter().map(|l| l * l).sum::<f64>().sqrt()
        } else {
            self.size / self.rho(u)
        };
        self.times_factor(modes, u, factor)
    }

    /// The motion behind the gap ρ g₀, and this gap: that of the solution but for its size, which exists at ρ = 0 too.
    pub fn homogeneous_motion(&self, modes: &LinearModes, u: &[f64]) -> (Motion, f64) {
        (self.times_factor(modes, u, self.size), self.rho(u) * modes.gap())
    }

    /// The unit of length of homogeneous motions: |g₀|, or √G/ω̄ without a gap.
    pub fn length_unit(&self, modes: &LinearModes) -> f64 {
        self.size * modes.root_mobility() / self.rate
    }

    fn times_factor(&self, modes: &LinearModes, u: &[f64], factor: f64) -> Motion {
        let k = self.impacts;
        let times = times(&u[..k]);
        let period = times[k - 1];
        let mut resonant = self.resonant.iter().zip(u[2 * k..].chunks_exact(2)).peekable();
        let amplitude = |p: usize| -> Amplitude {
            let [re, im] = drive(self.frequencies[p], &times, &u[k..2 * k]);
            let q = factor * modes.shares()[p];
            let [b, c] = match resonant.next_if(|(mode, _)| **mode == p) {
                Some((_, own)) => [own[0] / self.weights[p], own[1] / self.weights[p]],
                None => {
                    let cotangent = 1.0 / elementary::tan(0.5 * self.frequencies[p] * period);
                    [cotangent * re, cotangent * im]
                }
            };
            [q * (b + im), q * (c - re)]
        };
        let amplitudes = (0..self.frequencies.len()).map(amplitude).collect();
        let impact_times = times.iter().map(|t| t / self.rate).collect();
        let lambda = u[k..2 * k].iter().map(|l| l * factor).collect();
        Motion { impact_times, lambda, amplitudes }
    }

    fn kernel(&self, waves: &[(f64, f64)], i: usize, j: usize, halves: &[(f64, f64)]) -> Kernel {
        let k = self.impacts;
        let mut kernel = Kernel::default();
        for (p, (w, square)) in self.frequencies.iter().zip(&self.squares).enumerate() {
            let ((si, ci), (sj, cj)) = (waves[p * k + i], waves[p * k + j]);
            // sin and cos of ω (t_i - t_j) for i >= j.
            let (sine, cosine) = (si * cj - ci * sj, ci * cj + si * sj);
            if self.is_resonant[p] {
                kernel.s += square / w * sine;
                kernel.s_tau += square * cosine;
                kernel.s_tau_tau -= square * w * sine;
                continue;
            }
            let (half_sine, half_cosine) = halves[p];
            let size = square / half_sine;
            // cos and sin of ω (τ - T/2)
            let along = cosine * half_cosine + sine * half_sine;
            let across = sine * half_cosine - cosine * half_sine;
            kernel.s += size / w * along;
            kernel.s_tau -= size * across;
            kernel.s_tau_tau -= size * w * along;
            // ∂/∂T cos(ω (τ - T/2))/sin(ω T/2) = -(ω/2) cos(ω τ)/sin²; its ∂/∂τ follows.
            kernel.s_period -= 0.5 * size * cosine / half_sine;
            kernel.s_tau_period += 0.5 * w * size * sine / half_sine;
        }
        kernel
    }
}

fn times(sigmas: &[f64]) -> Vec<f64> {
    let mut time = 0.0;
    sigmas
        .iter()
        .map(|sigma| {
            time += sigma;
            time
        })
        .collect()
}

impl Problem for Equations {
    type Failure = OutOfRange;

    fn unknowns(&self) -> usize {
        2 * self.impacts + 2 * self.resonant.len() + 2
    }

    fn sizes(&self) -> &[f64] {
        &self.sizes
    }

    fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), OutOfRange> {
        let k = self.impacts;
        if u[..k].iter().any(|sigma| sigma.is_nan() || *sigma <= 0.0) {
            return Err(OutOfRange);
        }
        let mut work = std::mem::take(&mut self.work);
        let Work { times, waves, halves, by_times } = &mut work;
        times.clear();
        let mut time = 0.0;
        for sigma in &u[..k] {
            time += sigma;
            times.push(time);
        }
        let period = time;
        waves.clear();
        halves.clear();
        for w in &self.frequencies {
            waves.extend(times.iter().map(|t| elementary::sin_cos(w * t)));
            halves.push(elementary::sin_cos(0.5 * w * period));
        }
        let (lambda, rho, epsilon) = (&u[k..2 * k], u[u.len() - 2], u[u.len() - 1]);
        let (rho_column, epsilon_column) = (u.len() - 2, u.len() - 1);
        residual.fill(0.0);
        jacobian.entries_mut().fill(0.0);
        // Rows: speeds 0..k, gaps k..2k, resonances, normalisation. Derivatives by times first, in `by_times`, row by
        // row.
        let rows = residual.len();
        by_times.clear();
        by_times.resize(rows * k, 0.0);
        let last = k - 1;
        for i in 0..k {
            for j in 0..=i {
                let kernel = self.kernel(waves, i, j, halves);
                // The gap at i from the impact at j, and vice versa.
                for (at, from) in [(i, j), (j, i)] {
                    let sign = if at > from { 1.0 } else { -1.0 };
                    residual[k + at] += lambda[from] * kernel.s;
                    jacobian[(k + at, k + from)] += kernel.s;
                    by_times[(k + at) * k + last] += lambda[from] * kernel.s_period;
                    if i == j {
                        break;
                    }
                    let slope = lambda[from] * sign * kernel.s_tau;
                    by_times[(k + at) * k + at] += slope;
                    by_times[(k + at) * k + from] -= slope;
                    residual[at] += slope;
                    jacobian[(at, k + from)] += sign * kernel.s_tau;
                    let bend = lambda[from] * kernel.s_tau_tau;
                    by_times[at * k + at] += bend;
                    by_times[at * k + from] -= bend;
                    by_times[at * k + last] += lambda[from] * sign * kernel.s_tau_period;
                }
            }
        }
        for (r, &p) in self.resonant.iter().enumerate() {
            let (row, column) = (2 * k + 2 * r, 2 * k + 2 * r);
            let (w, weight) = (self.frequencies[p], self.weights[p]);
            let (b, c) = (u[column], u[column + 1]);
            let share = self.squares[p] / weight;
            let (half_sine, half_cosine) = halves[p];
            let (mut driven, mut across) = (0.0, 0.0);
            for i in 0..k {
                let (sine, cosine) = waves[p * k + i];
                let (along, turned) = (b * cosine + c * sine, c * cosine - b * sine);
                residual[k + i] += share / w * along;
                jacobian[(k + i, column)] += share / w * cosine;
                jacobian[(k + i, column + 1)] += share / w * sine;
                by_times[(k + i) * k + i] += share * turned;
                residual[i] += share * turned;
                jacobian[(i, column)] -= share * sine;
                jacobian[(i, column + 1)] += share * cosine;
                by_times[i * k + i] -= share * w * along;
                driven += weight * lambda[i] * cosine;
                across += weight * lambda[i] * sine;
                jacobian[(row, k + i)] = -weight * half_cosine * cosine;
                jacobian[(row + 1, k + i)] = -weight * half_cosine * sine;
                by_times[row * k + i] += weight * half_cosine * lambda[i] * w * sine;
                by_times[(row + 1) * k + i] -= weight * half_cosine * lambda[i] * w * cosine;
            }
            residual[row] = half_sine * b - half_cosine * driven + epsilon * half_cosine * c;
            residual[row + 1] = half_sine * c - half_cosine * across - epsilon * half_cosine * b;
            jacobian[(row, column)] = half_sine;
            jacobian[(row, column + 1)] = epsilon * half_cosine;
            jacobian[(row + 1, column)] = -epsilon * half_cosine;
            jacobian[(row + 1, column + 1)] = half_sine;
            jacobian[(row, epsilon_column)] = half_cosine * c;
            jacobian[(row + 1, epsilon_column)] = -half_cosine * b;
            by_times[row * k + last] += 0.5 * w * (half_cosine * b + half_sine * (driven - epsilon * c));
            by_times[(row + 1) * k + last] += 0.5 * w * (half_cosine * c + half_sine * (across + epsilon * b));
        }
        for i in 0..k {
            residual[i] += epsilon * lambda[i];
            jacobian[(i, k + i)] += epsilon;
            jacobian[(i, epsilon_column)] = lambda[i];
            residual[k + i] += rho * self.gap;
            jacobian[(k + i, rho_column)] = self.gap;
        }
        let homogeneous = &u[k..epsilon_column];
        residual[rows - 1] = 0.5 * (homogeneous.iter().map(|x| x * x).sum::<f64>() - 1.0);
        for (offset, x) in homogeneous.iter().enumerate() {
            jacobian[(rows - 1, k + offset)] = *x;
        }
        // t_i = σ_1 + .. + σ_i: the derivative by σ_j is the sum over all i >= j.
        for row in 0..rows {
            let mut sum = 0.0;
            for j in (0..k).rev() {
                sum += by_times[row * k + j];
                jacobian[(row, j)] = sum;
            }
        }
        self.work = work;
        if residual.iter().all(|r| r.is_finite()) { Ok(()) } else { Err(OutOfRange) }
    }
}

#[cfg(test)]
mod tests;
