//! The flow of a linear field over any time, with its derivatives by the start and by parameters.
//!
//! With the waves w = (1, cos k theta, sin k theta), which turn by w(t + h) = R(h) w(t), the flow over a time T is
//! x(T) = e^(AT) x + G(T) w. Both matrices come from one Taylor series over h = T/2^s, short enough for its order, and s
//! doublings
//!
//! e^(2Ah) = (e^(Ah))^2,   G(2h) = e^(Ah) G(h) + G(h) R(h).
//!
//! T may be negative. Derivatives by the state are the matrices themselves, those by the parameters are carried by dual numbers.

use saltation_numerics::elementary;
use std::f64::consts::TAU;

use saltation_expr::Tape;
use saltation_numerics::dense::Matrix;
use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

use super::form::LinearForm;
use super::growth;

/// The order of the series, and the time times the rate of growth that it serves.
const ORDER: usize = 15;
/// More doublings would leave nothing of the digits.
const DOUBLINGS: f64 = 60.0;

/// A linear field with its coefficients, on numbers with derivatives by P parameters.
#[derive(Debug, Clone)]
pub(crate) struct Passage<const P: usize> {
    moving: usize,
    matrix: Vec<Dual<P>>,
    /// The row of b, C_k, S_k of every state.
    forced: Vec<Dual<P>>,
    harmonics: Vec<u32>,
    /// The angular frequency of the first harmonic, if there is a phase: theta = phase turn.
    omega: Dual<P>,
    turn: Dual<P>,
    phase_rate: Dual<P>,
    growth: f64,
    /// e^(Ah) - 1, G and the terms of their series, kept as room.
    power: Vec<Dual<P>>,
    wave: Vec<Dual<P>>,
    term: (Vec<Dual<P>>, Vec<Dual<P>>),
    next: (Vec<Dual<P>>, Vec<Dual<P>>),
    start: Vec<Dual<P>>,
}

impl<const P: usize> Passage<P> {
    /// Binds a linear mode; `None` if its forcing has too many harmonics, or its numbers are not finite.
    pub(crate) fn bind(
        form: &LinearForm,
        tape: &Tape,
        slots: &[Dual<P>],
        parameters: &[Dual<P>],
        period: Option<Dual<P>>,
    ) -> Option<Passage<P>> {
        let n = form.moving;
        let coefficients = form.bind(parameters);
        let forcing = form.forcing(&coefficients, n, (tape, slots), period).ok()?;
        if n == 0 || forcing.slopes.iter().any(|slope| slope.magnitude() != 0.0) {
            return None;
        }
        let phase_rate = coefficients.phase_rate();
        let turn = period.map_or(Dual::ZERO, |period| Dual::constant(TAU) / period);
        let omega = phase_rate * turn;
        let values: Vec<f64> = coefficients.matrix().iter().map(|entry| entry.value).collect();
        let highest = forcing.harmonics.last().map_or(0.0, |&k| (omega.value * f64::from(k)).abs());
        let growth = form.growth(&values).max(highest);
        let forced = forcing.coefficients;
        if !coefficients.is_finite() || !forced.iter().chain([&omega]).all(|c| c.is_finite()) || !growth.is_finite() {
            return None;
        }
        let (square, wide) = (vec![Dual::ZERO; n * n], vec![Dual::ZERO; forced.len()]);
        Some(Passage {
            moving: n,
            matrix: coefficients.matrix().to_vec(),
            start: vec![Dual::ZERO; forced.len() / n],
            forced,
            harmonics: forcing.harmonics,
            omega,
            turn,
            phase_rate,
            growth,
            power: square.clone(),
            wave: wide.clone(),
            term: (square.clone(), wide.clone()),
            next: (square, wide),
        })
    }

    /// The number of waves, 1 among them.
    fn waves(&self) -> usize {
        self.start.len()
    }

    /// Computes e^(AT) - 1 and G(T).
    fn raise(&mut self, time: f64) {
        let (n, m) = (self.moving, self.waves());
        let reach = (time * self.growth).abs() / growth::serves()[ORDER];
        let doublings = if reach > 1.0 { elementary::log2(reach).ceil().min(DOUBLINGS) as i32 } else { 0 };
        let mut h = time / elementary::exp2(f64::from(doublings));
        // The series: its terms are t_(k+1) = t_k Z h/(k+1), in the rows of the states.
        self.power.fill(Dual::ZERO);
        self.wave.fill(Dual::ZERO);
        for k in 1..=ORDER {
            let share = h / k as f64;
            if k == 1 {
                self.term.0.iter_mut().zip(&self.matrix).for_each(|(t, a)| *t = a.scale(share));
                self.term.1.iter_mut().zip(&self.forced).for_each(|(t, f)| *t = f.scale(share));
            } else {
                let (a, f) = (&self.matrix, &self.forced);
                for i in 0..n {
                    let row = &self.term.0[i * n..(i + 1) * n];
                    let waves = &self.term.1[i * m..(i + 1) * m];
                    for j in 0..n {
                        let sum = (0..n).fold(Dual::ZERO, |sum, l| sum + row[l] * a[l * n + j]);
                        self.next.0[i * n + j] = sum.scale(share);
                    }
                    for j in 0..m {
                        let sum = (0..n).fold(Dual::ZERO, |sum, l| sum + row[l] * f[l * m + j]);
                        self.next.1[i * m + j] = sum.scale(share);
                    }
                    for (h, &harmonic) in self.harmonics.iter().enumerate() {
                        let (cosine, sine) = (1 + 2 * h, 2 + 2 * h);
                        let frequency = self.omega.scale(f64::from(harmonic) * share);
                        self.next.1[i * m + cosine] += waves[sine] * frequency;
                        self.next.1[i * m + sine] -= waves[cosine] * frequency;
                    }
                }
                std::mem::swap(&mut self.term, &mut self.next);
            }
            self.power.iter_mut().zip(&self.term.0).for_each(|(sum, &t)| *sum += t);
            self.wave.iter_mut().zip(&self.term.1).for_each(|(sum, &t)| *sum += t);
        }
        for _ in 0..doublings {
            for i in 0..n {
                let row = &self.power[i * n..(i + 1) * n];
                let waves = &self.wave[i * m..(i + 1) * m];
                for j in 0..n {
                    let square = (0..n).fold(Dual::ZERO, |sum, l| sum + row[l] * self.power[l * n + j]);
                    self.next.0[i * n + j] = row[j].scale(2.0) + square;
                }
                for (j, &own) in waves.iter().enumerate() {
                    self.next.1[i * m + j] = (0..n).fold(own, |sum, l| sum + row[l] * self.wave[l * m + j]);
                }
                self.next.1[i * m] += waves[0];
            }
            for (l, &harmonic) in self.harmonics.iter().enumerate() {
                let (cosine, sine) = (1 + 2 * l, 2 + 2 * l);
                let (s, c) = self.omega.scale(f64::from(harmonic) * h).sin_cos();
                for i in 0..n {
                    let (p, q) = (self.wave[i * m + cosine], self.wave[i * m + sine]);
                    self.next.1[i * m + cosine] += p * c + q * s;
                    self.next.1[i * m + sine] += q * c - p * s;
                }
            }
            std::mem::swap(&mut self.power, &mut self.next.0);
            std::mem::swap(&mut self.wave, &mut self.next.1);
            h *= 2.0;
        }
    }

    /// The state after a time, with its derivatives by the states and then by the first parameters, as many as `derivative` has room for.
    pub(crate) fn flow(&mut self, state: &[f64], time: f64, end: &mut [f64], derivative: &mut Matrix) {
        self.raise(time);
        let (n, m) = (self.moving, self.waves());
        let states = state.len();
        let parameters = derivative.columns() - states;
        self.start[0] = Dual::ONE;
        let mut slope = 0.0;
        if states > n {
            let angle = self.turn.scale(state[n]);
            for (h, &harmonic) in self.harmonics.iter().enumerate() {
                let (sine, cosine) = angle.scale(f64::from(harmonic)).sin_cos();
                self.start[1 + 2 * h] = cosine;
                self.start[2 + 2 * h] = sine;
            }
            slope = self.turn.value;
        }
        for i in 0..n {
            let row = &self.power[i * n..(i + 1) * n];
            let waves = &self.wave[i * m..(i + 1) * m];
            let mut change = Dual::dot(waves, &self.start);
            for (j, &entry) in row.iter().enumerate() {
                change += entry.scale(state[j]);
                derivative[(i, j)] = entry.value + f64::from(i == j);
            }
            end[i] = state[i] + change.value;
            if states > n {
                derivative[(i, n)] = self.harmonics.iter().enumerate().fold(0.0, |sum, (h, &harmonic)| {
                    let (cosine, sine) = (1 + 2 * h, 2 + 2 * h);
                    let moved =
                        waves[sine].value * self.start[cosine].value - waves[cosine].value * self.start[sine].value;
                    sum + f64::from(harmonic) * slope * moved
                });
            }
            for j in 0..parameters {
                derivative[(i, states + j)] = change.tangent[j];
            }
        }
        if states > n {
            end[n] = state[n] + self.phase_rate.value * time;
            for j in 0..states {
                derivative[(n, j)] = f64::from(j == n);
            }
            for j in 0..parameters {
                derivative[(n, states + j)] = self.phase_rate.tangent[j] * time;
            }
        }
    }
}
