//! The flight of the linear impact oscillator in closed form: an independent result for the flow and its grazings.

/// x'' + 2 zeta x' + x + 1 = A cos(omega t).
#[derive(Clone, Copy)]
pub(crate) struct Oscillator {
    pub zeta: f64,
    pub omega: f64,
    pub amplitude: f64,
}

impl Oscillator {
    /// The amplitude at which the motion without impacts grazes x = 0 (Ghosh & Simpson, Eq. (3.7)).
    pub(crate) fn grazing_amplitude(zeta: f64, omega: f64) -> f64 {
        ((1.0 - omega * omega).powi(2) + 4.0 * zeta * zeta * omega * omega).sqrt()
    }

    fn particular(&self, t: f64) -> (f64, f64) {
        let (z, w) = (self.zeta, self.omega);
        let d = (1.0 - w * w).powi(2) + 4.0 * z * z * w * w;
        let (c, s) = ((1.0 - w * w) / d, 2.0 * z * w / d);
        let (sin, cos) = (w * t).sin_cos();
        (-1.0 + self.amplitude * (c * cos + s * sin), self.amplitude * w * (s * cos - c * sin))
    }

    /// (x, x') at time t of the flight through (x0, v0) at time t0.
    pub(crate) fn flight(&self, t: f64, t0: f64, x0: f64, v0: f64) -> (f64, f64) {
        let z = self.zeta;
        let w1 = (1.0 - z * z).sqrt();
        let (p0, q0) = self.particular(t0);
        let a = x0 - p0;
        let b = (v0 - q0 + z * a) / w1;
        let s = t - t0;
        let e = (-z * s).exp();
        let (sin, cos) = (w1 * s).sin_cos();
        let h = e * (a * cos + b * sin);
        let (p, q) = self.particular(t);
        (p + h, q - z * h + e * w1 * (b * cos - a * sin))
    }
}
