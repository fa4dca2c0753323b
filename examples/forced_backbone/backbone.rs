//! Predicts the resonance of a weakly damped structure under a harmonic load: the point of the backbone at which work and dissipation balance.
//!
//! In a mode with one impact per period T, with ω = 2 π/T and λ = 1,
//!
//! ```text
//! dη_p/dt = -q_p sin(ω_p (t - T/2))/sin(ω_p T/2)
//! ∫ v'Mv dt = Σ q_p² (T/2 - sin(ω_p T)/(2 ω_p))/sin²(ω_p T/2)
//! max over phases ∫ v_n cos(ω t + phase) dt = √G |Σ q_p² 2 ω/(ω_p² - ω²)|
//! ```
//!
//! with the last displacement u_n = -√G Σ q_p η_p, at which the load F cos φ acts. Damping a M takes a λ² times the second line in a
//! period, and the load can give F λ times the third. So on the backbone the ratio F/a is that of the two lines, times λ.

use std::f64::consts::TAU;

use saltation_draw::Points;
use saltation_model::{Structure, gallery};
use saltation_modes::{LinearModes, Single, single};

use super::Outcome;

/// The linear modes of the chain of the gallery, the first of which has the period 4.415.
pub(crate) fn chain() -> Outcome<LinearModes> {
    let model = gallery::model("chain").ok_or("the gallery has a chain")??;
    let structure = Structure::of(&model, &model.numbers()?, None)?;
    let (mass, stiffness) = (&structure.mass.entries, &structure.stiffness.entries);
    Ok(LinearModes::new(structure.rest.len(), mass, stiffness, &structure.normal, structure.gap)?)
}

/// The modes with one impact per period that end in the first linear mode.
pub(crate) struct Backbone {
    modes: LinearModes,
    /// The periods of its ends.
    pub periods: (f64, f64),
}

impl Backbone {
    pub(crate) fn new() -> Outcome<Backbone> {
        let modes = chain()?;
        let longest = modes.period(0);
        let interval = single::intervals(&modes, 0.7 * longest, longest).pop().ok_or("there is an interval")?;
        Ok(Backbone { periods: (interval.from, interval.to), modes })
    }

    /// The impact speed √G λ at a frequency.
    pub(crate) fn speed(&self, omega: f64) -> f64 {
        self.modes.root_mobility() * Single::new(&self.modes, TAU / omega).lambda
    }

    /// F/a at a frequency: the load that keeps the mode going over the damping that slows it down.
    pub(crate) fn load(&self, omega: f64) -> f64 {
        let (modes, period) = (&self.modes, TAU / omega);
        let (mut lost, mut given) = (0.0, 0.0);
        for (w, square) in modes.frequencies().iter().zip(modes.squares()) {
            let half = (0.5 * w * period).sin();
            lost += square * (0.5 * period - 0.5 * (w * period).sin() / w) / (half * half);
            given += square * 2.0 * omega / (w * w - omega * omega);
        }
        Single::new(modes, period).lambda * lost / (modes.root_mobility() * given.abs())
    }

    /// The frequency at which F/a has this value; `None` for values below that at the linear mode, 0.799, or beyond the other end.
    /// Just behind the linear mode F/a falls by a hundredth, and then it only rises: the frequency is the only one.
    pub(crate) fn frequency(&self, load: f64) -> Option<f64> {
        let inside = 1e-9 * (self.periods.1 - self.periods.0);
        let (mut low, mut high) = (TAU / (self.periods.1 - inside), TAU / self.periods.0);
        if !(self.load(low)..=self.load(high)).contains(&load) {
            return None;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if self.load(middle) < load { &mut low } else { &mut high }) = middle;
        }
        Some(0.5 * (low + high))
    }

    /// (ω, impact speed) along it.
    pub(crate) fn points(&self) -> Points {
        let (from, to) = self.periods;
        let periods = (1..400).map(|i| from + (to - from) * f64::from(i) / 400.0);
        periods.map(|period| TAU / period).map(|omega| (omega, self.speed(omega))).collect()
    }
}
