//! Exact motion of the structure from any state: closed-form flights between impacts that are located one after another.
//!
//! This is a route of its own beside the library: the state is c_p = ω_p η_p + i dη_p/dt, which a flight turns and an impact
//! reflects; the next impact is bracketed on short cells of the gap and its minima.

use saltation_modes::{Amplitude, LinearModes};

/// A state, with the structure that it belongs to.
#[derive(Clone)]
pub(crate) struct State<'m> {
    modes: &'m LinearModes,
    pub amplitudes: Vec<Amplitude>,
}

/// The cells of the longest flight that is waited for: over 100 periods of the fastest linear mode.
const LONGEST: i32 = 5000;

/// The zero of a function between two places of different sign.
fn bisect(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let below = f(low) < 0.0;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        *(if (f(middle) < 0.0) == below { &mut low } else { &mut high }) = middle;
    }
    0.5 * (low + high)
}

impl<'m> State<'m> {
    pub(crate) fn new(modes: &'m LinearModes, amplitudes: Vec<Amplitude>) -> State<'m> {
        State { modes, amplitudes }
    }

    /// The gap and its opening speed after a time without impact.
    fn gap(&self, time: f64) -> (f64, f64) {
        let (mut gap, mut speed) = (self.modes.gap(), 0.0);
        for ((w, q), [re, im]) in self.modes.frequencies().iter().zip(self.modes.shares()).zip(&self.amplitudes) {
            let (sine, cosine) = (w * time).sin_cos();
            gap += self.modes.root_mobility() * q / w * (re * cosine + im * sine);
            speed += self.modes.root_mobility() * q * (im * cosine - re * sine);
        }
        (gap, speed)
    }

    /// The duration of the flight that begins now, just after an impact; `None` if it is too long to be waited for.
    pub(crate) fn flight(&self) -> Option<f64> {
        let cell = self.modes.period(self.modes.len() - 1) / 48.0;
        let gap = |t: f64| self.gap(t).0;
        // The gap is zero at the start.
        let mut left = 1e-6 * cell;
        let mut at_left = self.gap(left);
        for i in 1..LONGEST {
            let right = f64::from(i) * cell;
            let at_right = self.gap(right);
            if at_right.0 < 0.0 {
                return Some(bisect(gap, left, right));
            }
            if at_left.1 < 0.0 && at_right.1 > 0.0 {
                let lowest = bisect(|t| self.gap(t).1, left, right);
                if gap(lowest) < 0.0 {
                    return Some(bisect(gap, left, lowest));
                }
            }
            (left, at_left) = (right, at_right);
        }
        None
    }

    /// The state after a time without impact.
    pub(crate) fn later(&self, time: f64) -> State<'m> {
        let turned = |(w, [re, im]): (&f64, &Amplitude)| {
            let (sine, cosine) = (w * time).sin_cos();
            [re * cosine + im * sine, im * cosine - re * sine]
        };
        let amplitudes = self.modes.frequencies().iter().zip(&self.amplitudes).map(turned).collect();
        State { amplitudes, ..*self }
    }

    /// The state after an impact now: the opening speed is reversed.
    pub(crate) fn reflected(mut self) -> State<'m> {
        let speed: f64 = self.modes.shares().iter().zip(&self.amplitudes).map(|(q, c)| q * c[1]).sum();
        for (q, c) in self.modes.shares().iter().zip(&mut self.amplitudes) {
            c[1] -= 2.0 * q * speed;
        }
        self
    }

    /// v'Mv + u'Ku.
    pub(crate) fn twice_energy(&self) -> f64 {
        self.amplitudes.iter().map(|[re, im]| re * re + im * im).sum()
    }

    /// The distance from another state, relative to this one.
    pub(crate) fn distance(&self, other: &State) -> f64 {
        let apart = |(a, b): (&Amplitude, &Amplitude)| (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
        let square: f64 = self.amplitudes.iter().zip(&other.amplitudes).map(apart).sum();
        (square / self.twice_energy()).sqrt()
    }

    /// Positions and velocities.
    pub(crate) fn place(&self) -> (Vec<f64>, Vec<f64>) {
        let n = self.modes.degrees_of_freedom();
        let (mut u, mut v) = (vec![0.0; n], vec![0.0; n]);
        for (p, ([re, im], w)) in self.amplitudes.iter().zip(self.modes.frequencies()).enumerate() {
            for (i, shape) in self.modes.shapes().column(p).iter().enumerate() {
                u[i] += shape * re / w;
                v[i] += shape * im;
            }
        }
        (u, v)
    }
}

#[cfg(test)]
mod tests {
    use super::super::chain::chain;
    use super::*;
    use saltation_modes::Single;

    #[test]
    fn a_mode_comes_back() {
        let modes = chain(1.0).unwrap();
        let motion = Single::new(&modes, 4.1).motion(&modes);
        let start = State::new(&modes, motion.amplitudes.clone());
        let flight = start.flight().unwrap();
        assert!((flight - 4.1).abs() < 1e-12);
        assert!(start.distance(&start.later(flight).reflected()) < 1e-12);
        let (u, _) = start.later(1.0).place();
        assert!(u.iter().zip(&motion.state(&modes, 1.0).0).all(|(a, b)| (a - b).abs() < 1e-13));
    }
}
