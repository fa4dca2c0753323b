//! The harmonics of a periodic function, by a discrete Fourier transform that is certified between its points.

use saltation_numerics::elementary;
use std::f64::consts::TAU;

use saltation_expr::jet::LENGTH;
use saltation_expr::{Jet, Remainder, Tape};
use saltation_numerics::number::Number;

/// Functions o + d phase + sum_k (p_k cos k theta + q_k sin k theta), theta = 2 pi phase/period, with common harmonics.
#[derive(Debug, Clone)]
pub(crate) struct Forcing<T> {
    /// The k that occur.
    pub harmonics: Vec<u32>,
    /// Of every function a row: o, then p_k and q_k for every harmonic.
    pub coefficients: Vec<T>,
    /// Of every function: d.
    pub slopes: Vec<T>,
}

/// The highest k: a function with higher ones is better served by Taylor steps.
pub(super) const HIGHEST_HARMONIC: u32 = 31;
/// A harmonic with an amplitude below this, relative to all of the function, is what rounding has left of none.
pub(super) const NOTHING: f64 = 4.0 * f64::EPSILON;
/// So many equal parts of the period are tried one after another; half of the last are more than the highest harmonic.
const SAMPLES: [usize; 3] = [16, 32, 64];
/// A period is divided where the harmonics in question cannot all agree by chance.
const BETWEEN: f64 = 0.381_966_011_250_105;
/// What sums of some dozens of terms lose by rounding, relative to the largest of them.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The same between samples, where a series of some dozens of such sums is looked at.
const BETWEEN_SAMPLES: f64 = 8.0 * ROUNDING;
/// The order of these series.
const ORDER: usize = 24;

impl<T: Number> Forcing<T> {
    /// Functions that do not change.
    pub(super) fn constant(values: &[T]) -> Forcing<T> {
        Forcing { harmonics: Vec::new(), coefficients: values.to_vec(), slopes: vec![T::ZERO; values.len()] }
    }

    /// The length of a row of coefficients.
    pub(super) fn width(&self) -> usize {
        1 + 2 * self.harmonics.len()
    }

    /// The coefficients of a function.
    pub(super) fn row(&self, function: usize) -> &[T] {
        &self.coefficients[function * self.width()..][..self.width()]
    }

    /// The harmonics of functions of the phase; `sample` gives all their values at one.
    ///
    /// # Errors
    /// The first function that is not one of these up to rounding.
    pub(super) fn resolve(
        functions: usize,
        period: T,
        mut sample: impl FnMut(T, &mut [T]),
    ) -> Result<Forcing<T>, usize> {
        let mut failed = 0;
        for parts in SAMPLES {
            let mut samples = vec![T::ZERO; (parts + 1) * functions];
            for (j, values) in samples.chunks_mut(functions).enumerate() {
                sample(period.scale(j as f64 / parts as f64), values);
            }
            let forcing = Forcing::transform(functions, parts, period, &samples);
            let mut values = vec![T::ZERO; functions];
            let largest: Vec<f64> = (0..functions)
                .map(|f| samples.iter().skip(f).step_by(functions).map(|v| v.magnitude()).fold(0.0, f64::max))
                .collect();
            let wrong = (0..parts).find_map(|j| {
                let part = (j as f64 + BETWEEN) / parts as f64;
                sample(period.scale(part), &mut values);
                let waves: Vec<(f64, f64)> =
                    forcing.harmonics.iter().map(|&k| elementary::sin_cos(TAU * part * f64::from(k))).collect();
                (0..functions).find(|&f| {
                    let error = (forcing.value(f, period.scale(part), &waves) - values[f]).magnitude();
                    // What is not a number is no small error.
                    error.is_nan() || error > ROUNDING * largest[f]
                })
            });
            match wrong {
                None => return Ok(forcing),
                Some(function) => failed = function,
            }
        }
        Err(failed)
    }

    /// Whether the harmonics are what the functions are everywhere, and not at the samples alone: on parts of the period that
    /// resolve the highest harmonic, the series of the functions are compared with those of the harmonics, and what they leave out
    /// is bounded. The functions are the rates of a tape but that of the phase, which is the last state, and then its outputs; all other
    /// states are zero.
    ///
    /// # Errors
    /// The first function of which this cannot be said.
    pub(super) fn certify(&self, (tape, slots): (&Tape, &[T]), period: T) -> Result<(), usize> {
        let slots: Vec<f64> = slots.iter().map(|slot| slot.value()).collect();
        let (mut jet, mut room) = (Jet::new(tape), Remainder::default());
        let omega = TAU / period.value();
        let highest = f64::from(self.harmonics.last().copied().unwrap_or(1));
        let parts = (0.5 * TAU * highest).ceil().max(16.0);
        let half = 0.5 * period.value() / parts;
        for part in 0..parts as usize {
            let centre = (2 * part + 1) as f64 * half;
            jet.set_order(ORDER);
            for state in 0..tape.states() {
                *jet.state_row(state) = [0.0; LENGTH];
            }
            let phase = jet.state_row(tape.states() - 1);
            (phase[0], phase[1]) = (centre, 1.0);
            tape.compose(&slots, &mut jet);
            tape.bound(&slots, &jet, half, &mut room);
            let rates = tape.states() - 1;
            for (f, row) in self.coefficients.chunks_exact(self.width()).enumerate() {
                let (series, tail) = match f.checked_sub(rates) {
                    None => (jet.rate(tape, f), room.rate(tape, f).tail),
                    Some(output) => (jet.output(tape, output), room.output(tape, output).tail),
                };
                let slope = self.slopes[f].value();
                let size = row.iter().map(|c| c.magnitude()).sum::<f64>() + (slope * period.value()).abs();
                let (mut error, mut power) = (tail, 1.0);
                for (j, c) in series[..ORDER].iter().enumerate() {
                    let line = [row[0].value() + slope * centre, slope].get(j).copied().unwrap_or(0.0);
                    let waves = self.harmonics.iter().zip(row[1..].chunks_exact(2)).map(|(&k, pair)| {
                        let frequency = f64::from(k) * omega;
                        let (sine, cosine) = elementary::sin_cos(frequency * centre + j as f64 * 0.25 * TAU);
                        (frequency * half).powi(j as i32) * (pair[0].value() * cosine + pair[1].value() * sine)
                    });
                    let factorial: f64 = (1..=j).map(|i| i as f64).product();
                    error += (c * power - waves.sum::<f64>() / factorial - line * power).abs();
                    power *= half;
                }
                // What is not a number is no small error.
                if error.is_nan() || error > BETWEEN_SAMPLES * size {
                    return Err(f);
                }
            }
        }
        Ok(())
    }

    /// The coefficients from samples at equal parts of the period, both ends included.
    fn transform(functions: usize, parts: usize, period: T, samples: &[T]) -> Forcing<T> {
        let circle: Vec<(f64, f64)> = (0..parts).map(|j| elementary::sin_cos(TAU * j as f64 / parts as f64)).collect();
        let highest = parts / 2 - 1;
        let mut slopes = Vec::with_capacity(functions);
        let mut spectra = Vec::with_capacity(functions);
        let mut occurs = vec![false; highest + 1];
        for f in 0..functions {
            let value = |j: usize| samples[j * functions + f];
            let largest = (0..=parts).map(|j| value(j).magnitude()).fold(0.0, f64::max);
            let change = value(parts) - value(0);
            let slope = if change.magnitude() > ROUNDING * largest { change / period } else { T::ZERO };
            let level = |j: usize| value(j) - slope * period.scale(j as f64 / parts as f64);
            let still = (0..parts).all(|j| (level(j) - level(0)).magnitude() <= f64::EPSILON * largest);
            let mut spectrum = vec![(T::ZERO, T::ZERO); highest + 1];
            if still {
                spectrum[0].0 = level(0);
            } else {
                for (k, (cosine, sine)) in spectrum.iter_mut().enumerate() {
                    for j in 0..parts {
                        let (s, c) = circle[j * k % parts];
                        *cosine += level(j).scale(c);
                        *sine += level(j).scale(s);
                    }
                    let weight = if k == 0 { 1.0 } else { 2.0 } / parts as f64;
                    for part in [cosine, sine] {
                        *part = part.scale(weight);
                        if part.magnitude() <= NOTHING * largest {
                            *part = T::ZERO;
                        } else {
                            occurs[k] = true;
                        }
                    }
                }
            }
            slopes.push(slope);
            spectra.push(spectrum);
        }
        let harmonics: Vec<u32> = (1..=highest as u32).filter(|&k| occurs[k as usize]).collect();
        let coefficients = spectra
            .iter()
            .flat_map(|spectrum| {
                let waves = harmonics.iter().flat_map(|&k| [spectrum[k as usize].0, spectrum[k as usize].1]);
                std::iter::once(spectrum[0].0).chain(waves)
            })
            .collect();
        Forcing { harmonics, coefficients, slopes }
    }

    /// The value of a function at a phase with these sines and cosines.
    fn value(&self, function: usize, phase: T, waves: &[(f64, f64)]) -> T {
        let row = self.row(function);
        let sum = row[0] + self.slopes[function] * phase;
        row[1..]
            .chunks_exact(2)
            .zip(waves)
            .fold(sum, |sum, (pair, &(sine, cosine))| sum + pair[0].scale(cosine) + pair[1].scale(sine))
    }
}
