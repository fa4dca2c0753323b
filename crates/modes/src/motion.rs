//! A periodic motion with k impacts per period: its state at any time, and whether it is admissible.
//!
//! The state is kept as c_p = ω_p η_p + i dη_p/dt, an amplitude for every mode that the contact moves. In flight
//! c -> c exp(-i ω t); an impact adds 2 i q λ. With impacts at t_1 < ... < t_k = T the periodic motion has just after
//! the impact at 0
//!
//! ```text
//! c_p(0⁺) = q_p Σ_j λ_j exp(i ω_p t_j) (cot(ω_p T/2) - i)
//! ```
//!
//! (the sum over c(0⁺) = 2 i q λ_j exp(-i ω (T - t_j))/(1 - exp(-i ω T)) of all impacts; Thorin, Delezoide and Legrand,
//! Theorem 3.4). At a harmonic the cotangent is infinite and the amplitude is not determined by the impacts.

use crate::LinearModes;
use crate::waves::{Minimum, Waves};
use saltation_numerics::elementary;

/// Real and imaginary part of c_p.
pub type Amplitude = [f64; 2];

/// A periodic motion with k impacts per period, admissible or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// t_1 < ... < t_k = T, the times of the impacts; the one at T is also the one at 0.
    pub impact_times: Vec<f64>,
    /// λ_j = -(opening speed before impact j)/√G, in their order.
    pub lambda: Vec<f64>,
    /// c_p just after the impact at time 0, for every mode that the contact moves.
    pub amplitudes: Vec<Amplitude>,
}

/// The smallest gap between impacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastGap {
    /// When in the period.
    pub time: f64,
    /// The gap there; negative if the motion penetrates.
    pub gap: f64,
}

/// The admissibility of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Every impact closes the gap, and all minima of the gap in flight were bounded or found, and are positive.
    Admissible,
    /// It grazes within rounding errors, between impacts or in an impact without speed.
    Grazing,
    /// The impulse of an impact is tensile: its λ is negative.
    Pulls {
        /// Which, from 0.
        impact: usize,
    },
    /// The gap is negative between impacts.
    Penetrates(LeastGap),
}

impl Verdict {
    /// The admissibility of the motion.
    pub fn is_admissible(self) -> bool {
        matches!(self, Verdict::Admissible | Verdict::Grazing)
    }
}

/// Impacts with a λ below this part of the largest one have zero speed within rounding errors.
const ZERO_SPEED: f64 = 1e-13;
/// Impacts with a λ below this part of the largest one are reported as grazing.
const GRAZING_SPEED: f64 = 1e-9;

fn turned([re, im]: Amplitude, angle: f64) -> Amplitude {
    let (sine, cosine) = elementary::sin_cos(angle);
    // c exp(-i angle)
    [re * cosine + im * sine, im * cosine - re * sine]
}

impl Motion {
    /// The motion with these impacts, at a period that is not a harmonic; its admissibility is not tested.
    pub fn from_impacts(modes: &LinearModes, impact_times: Vec<f64>, lambda: Vec<f64>) -> Motion {
        let period = impact_times.last().copied().unwrap_or(0.0);
        let amplitude = |(w, q): (&f64, &f64)| {
            let [re, im] = drive(*w, &impact_times, &lambda);
            let cotangent = 1.0 / elementary::tan(0.5 * w * period);
            [q * (cotangent * re + im), q * (cotangent * im - re)]
        };
        let amplitudes = modes.frequencies().iter().zip(modes.shares()).map(amplitude).collect();
        Motion { impact_times, lambda, amplitudes }
    }

    /// k.
    pub fn impacts(&self) -> usize {
        self.impact_times.len()
    }

    /// T.
    pub fn period(&self) -> f64 {
        self.impact_times.last().copied().unwrap_or(0.0)
    }

    /// σ_1 .. σ_k, the durations of the flights; flight i ends with impact i.
    pub fn flight_times(&self) -> Vec<f64> {
        let before = std::iter::once(0.0).chain(self.impact_times.iter().copied());
        self.impact_times.iter().zip(before).map(|(after, before)| after - before).collect()
    }

    /// v'Mv/2 + u'Ku/2.
    pub fn energy(&self) -> f64 {
        0.5 * self.amplitudes.iter().map(|[re, im]| re * re + im * im).sum::<f64>()
    }

    /// c_p at the beginning of every flight, just after its impact: flight after flight.
    pub fn flights(&self, modes: &LinearModes) -> Vec<Vec<Amplitude>> {
        let mut c = self.amplitudes.clone();
        let mut flights = vec![c.clone()];
        for (sigma, lambda) in self.flight_times().iter().zip(&self.lambda) {
            for ((c, w), q) in c.iter_mut().zip(modes.frequencies()).zip(modes.shares()) {
                *c = turned(*c, w * sigma);
                c[1] += 2.0 * q * lambda;
            }
            flights.push(c.clone());
        }
        flights.pop();
        flights
    }

    /// The periodicity residual of c after a period of exact flights and reflections, relative to its size, and
    /// the gap at the impacts, relative to the size of its terms.
    ///
    /// Here impacts reflect the arriving velocity instead of applying the λ of the motion.
    pub fn closing_error(&self, modes: &LinearModes) -> f64 {
        let size = (2.0 * self.energy()).sqrt();
        let mut c = self.amplitudes.clone();
        let mut worst = 0.0_f64;
        for sigma in self.flight_times() {
            let (mut speed, mut gap) = (0.0, modes.gap() / modes.root_mobility());
            let mut scale = gap.abs();
            for ((c, w), q) in c.iter_mut().zip(modes.frequencies()).zip(modes.shares()) {
                *c = turned(*c, w * sigma);
                speed += q * c[1];
                gap += q * c[0] / w;
                scale += (q * c[0] / w).abs();
            }
            worst = worst.max(gap.abs() / scale);
            for (c, q) in c.iter_mut().zip(modes.shares()) {
                c[1] -= 2.0 * q * speed;
            }
        }
        let missed = c.iter().zip(&self.amplitudes).map(|(a, b)| (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2));
        worst.max(missed.sum::<f64>().sqrt() / size)
    }

    /// Positions and velocities of all degrees of freedom, measured from equilibrium, at a time counted from the impact at 0;
    /// at the time of an impact those after it.
    pub fn state(&self, modes: &LinearModes, time: f64) -> (Vec<f64>, Vec<f64>) {
        let period = self.period();
        let time = time.rem_euclid(period);
        let flight = self.impact_times.iter().filter(|&&t| t <= time).count().min(self.impacts() - 1);
        let begin = if flight == 0 { 0.0 } else { self.impact_times[flight - 1] };
        let amplitudes = &self.flights(modes)[flight];
        state(modes, amplitudes, time - begin)
    }

    /// Positions and velocities at `count` + 1 equally spaced times of every flight, both ends included: (time, u, v).
    pub fn path(&self, modes: &LinearModes, count: usize) -> Vec<(f64, Vec<f64>, Vec<f64>)> {
        let mut path = Vec::with_capacity((count + 1) * self.impacts());
        let mut begin = 0.0;
        for (amplitudes, sigma) in self.flights(modes).iter().zip(self.flight_times()) {
            for i in 0..=count {
                let t = sigma * i as f64 / count as f64;
                let (u, v) = state(modes, amplitudes, t);
                path.push((begin + t, u, v));
            }
            begin += sigma;
        }
        path
    }

    /// The gap over √G, `gap` at equilibrium, in a flight that begins with these amplitudes.
    fn set(waves: &mut Waves<'_>, modes: &LinearModes, gap: f64, amplitudes: &[Amplitude], sigma: f64) {
        waves.set(gap / modes.root_mobility(), sigma, |p| {
            let weight = modes.shares()[p] / modes.frequencies()[p];
            (weight * amplitudes[p][0], weight * amplitudes[p][1])
        });
    }

    /// The least gap between impacts, of all its local minima; `None` if there is none, so that every flight is one
    /// hump.
    ///
    /// Minima that touch the ends of a flight to rounding are left out: they are impacts without speed.
    pub fn least_gap(&self, modes: &LinearModes) -> Option<LeastGap> {
        self.least_gap_behind(modes, modes.gap()).0
    }

    /// The same with another gap at equilibrium, and the size of the terms of which the gap in flight is the sum.
    pub(crate) fn least_gap_behind(&self, modes: &LinearModes, gap: f64) -> (Option<LeastGap>, f64) {
        let (mut begin, mut size) = (0.0, 0.0_f64);
        let mut least: Option<LeastGap> = None;
        let mut waves = Waves::with_frequencies(modes.frequencies());
        for (amplitudes, sigma) in self.flights(modes).iter().zip(self.flight_times()) {
            Self::set(&mut waves, modes, gap, amplitudes, sigma);
            size = size.max(waves.size());
            let inside = |minimum: &Minimum| minimum.at > 1e-7 * sigma && minimum.at < (1.0 - 1e-7) * sigma;
            let mut level = least.map_or(f64::INFINITY, |least| least.gap);
            let rounding = waves.rounding();
            waves.minima_below(level, |minimum| {
                // Of minima that are equal up to rounding, as in motions that are their own mirror image, the first counts.
                if inside(&minimum) && minimum.value < level - rounding {
                    level = minimum.value;
                    least = Some(LeastGap { time: begin + minimum.at, gap: minimum.value });
                }
                level
            });
            begin += sigma;
        }
        let least = least.map(|least| LeastGap { gap: least.gap * modes.root_mobility(), ..least });
        (least, size * modes.root_mobility())
    }

    /// The admissibility of the motion, by bounds over all of its flights.
    pub fn verdict(&self, modes: &LinearModes) -> Verdict {
        let largest = self.lambda.iter().fold(0.0_f64, |largest, lambda| largest.max(lambda.abs()));
        if let Some(impact) = self.lambda.iter().position(|lambda| *lambda < -ZERO_SPEED * largest || lambda.is_nan()) {
            return Verdict::Pulls { impact };
        }
        let mut begin = 0.0;
        let mut waves = Waves::with_frequencies(modes.frequencies());
        let mut grazing = self.lambda.iter().any(|lambda| *lambda <= GRAZING_SPEED * largest);
        for (amplitudes, sigma) in self.flights(modes).iter().zip(self.flight_times()) {
            if sigma <= 0.0 {
                return Verdict::Penetrates(LeastGap { time: begin, gap: f64::NAN });
            }
            Self::set(&mut waves, modes, modes.gap(), amplitudes, sigma);
            // Amplitudes were turned from flight to flight.
            let touch = (self.impacts() as f64).sqrt() * 4.0 * waves.rounding();
            let mut deepest: Option<Minimum> = None;
            waves.minima_below(touch, |minimum| {
                deepest = Some(minimum);
                if minimum.value < -touch { f64::NEG_INFINITY } else { touch }
            });
            if let Some(minimum) = deepest {
                if minimum.value < -touch {
                    let gap = modes.root_mobility() * minimum.value;
                    return Verdict::Penetrates(LeastGap { time: begin + minimum.at, gap });
                }
                grazing = true;
            }
            begin += sigma;
        }
        if grazing { Verdict::Grazing } else { Verdict::Admissible }
    }

    /// The same motion with another impact, number `first` (from 0), as the one at time 0.
    pub fn rotated(&self, modes: &LinearModes, first: usize) -> Motion {
        let k = self.impacts();
        let sigmas = self.flight_times();
        // Impact `first` ends flight `first`; the period then begins with flight `first + 1`.
        let order = (1..=k).map(|i| (first + i) % k);
        let mut time = 0.0;
        let mut impact_times: Vec<f64> = Vec::with_capacity(k);
        for i in order.clone() {
            time += sigmas[i];
            impact_times.push(time);
        }
        impact_times[k - 1] = self.period();
        let lambda = order.map(|i| self.lambda[i]).collect();
        let amplitudes = self.flights(modes).swap_remove((first + 1) % k);
        Motion { impact_times, lambda, amplitudes }
    }
}

/// Σ_j λ_j exp(i ω t_j).
pub(crate) fn drive(w: f64, times: &[f64], lambda: &[f64]) -> Amplitude {
    let mut sum = [0.0; 2];
    for (t, lambda) in times.iter().zip(lambda) {
        let (sine, cosine) = elementary::sin_cos(w * t);
        sum[0] += lambda * cosine;
        sum[1] += lambda * sine;
    }
    sum
}

/// u = Φ η and v = Φ dη/dt a time after the amplitudes.
fn state(modes: &LinearModes, amplitudes: &[Amplitude], time: f64) -> (Vec<f64>, Vec<f64>) {
    let n = modes.degrees_of_freedom();
    let (mut u, mut v) = (vec![0.0; n], vec![0.0; n]);
    for (p, c) in amplitudes.iter().enumerate() {
        let w = modes.frequencies()[p];
        let [re, im] = turned(*c, w * time);
        for (i, shape) in modes.shapes().column(p).iter().enumerate() {
            u[i] += shape * re / w;
            v[i] += shape * im;
        }
    }
    (u, v)
}
