//! The impact oscillator of W1, W4 and W5: x'' + 2 zeta x' + x + 1 = A cos(omega t) below a wall at x = 0, with its flight in closed form.

use saltation::layers::numerics::elementary;
use saltation::{Error, System};
use std::f64::consts::PI;

pub(crate) const ZETA: f64 = 0.02;
pub(crate) const OMEGA: f64 = 0.81;
pub(crate) const RESTITUTION: f64 = 0.9;
/// The period of the forcing.
pub(crate) const PERIOD: f64 = 2.0 * PI / OMEGA;

/// The amplitude at which the motion without impacts grazes the wall (Ghosh & Simpson, Eq. (3.7)).
pub(crate) fn grazing_amplitude() -> f64 {
    ((1.0 - OMEGA * OMEGA).powi(2) + (2.0 * ZETA * OMEGA).powi(2)).sqrt()
}

/// The model of the gallery with these numbers.
///
/// # Errors
/// None, as long as the gallery has it.
pub(crate) fn system(amplitude: f64) -> Result<System, Error> {
    let numbers = [("zeta", ZETA), ("omega", OMEGA), ("r", RESTITUTION), ("A", amplitude)];
    let gallery = System::gallery("impact-oscillator")?;
    numbers.into_iter().try_fold(gallery, |system, (name, value)| system.with(name, value))
}

/// The motion without homogeneous part, (x, x') at time t.
fn particular(amplitude: f64, t: f64) -> (f64, f64) {
    let size = amplitude / grazing_amplitude().powi(2);
    let (c, s) = (size * (1.0 - OMEGA * OMEGA), size * 2.0 * ZETA * OMEGA);
    let (sin, cos) = elementary::sin_cos(OMEGA * t);
    (-1.0 + c * cos + s * sin, OMEGA * (s * cos - c * sin))
}

/// (x, x') at time t of the flight through (x0, v0) at time t0.
pub(crate) fn flight(amplitude: f64, t: f64, (t0, x0, v0): (f64, f64, f64)) -> (f64, f64) {
    let w1 = (1.0 - ZETA * ZETA).sqrt();
    let (p0, q0) = particular(amplitude, t0);
    let a = x0 - p0;
    let b = (v0 - q0 + ZETA * a) / w1;
    let decay = elementary::exp(-ZETA * (t - t0));
    let (sin, cos) = elementary::sin_cos(w1 * (t - t0));
    let h = decay * (a * cos + b * sin);
    let (p, q) = particular(amplitude, t);
    (p + h, q - ZETA * h + decay * w1 * (b * cos - a * sin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_is_the_motion_of_the_model() {
        let system = system(0.33).unwrap().from_state("x", -0.5).unwrap().from_state("y", 0.0).unwrap();
        let run = system.simulate(3.0).unwrap();
        let (x, v) = flight(0.33, 3.0, (0.0, -0.5, 0.0));
        let end = &run.end.state;
        assert!((end["x"] - x).abs() < 1e-11 && (end["y"] - v).abs() < 1e-11, "{end:?}");
    }
}
