//! Costs of a periodic orbit by shooting and by simulation, and of the spectrum of Lyapunov exponents.
//!
//! * `orbits_between_walls`: the symmetric orbit between two walls from nu = 1.2 to 1.0 in 21 steps, each begun from the one
//!   before, the first from one digit (Yoshitake et al., Table 2), at 1e-12; the time of one orbit;
//! * `orbits_of_the_damper`: the same for the impact damper from nu = 1.1 to 1.3 (their Table 5);
//! * `lyapunov`: periods of the chaotic motion between two walls with its two exponents.
//!
//! The example `shooting_costs` compares settling with shooting, and Taylor steps with the exact flow.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use saltation_model::{Overrides, Values, gallery};
use saltation_motion::System;
use saltation_orbit::lyapunov::{self, LyapunovSettings};
use saltation_orbit::{Settings, find};

fn main() {
    divan::main();
}

struct Chain {
    system: System,
    values: Values,
    parameter: usize,
    from: f64,
    step: f64,
}

const ORBITS: usize = 21;

fn chain(name: &str, start: &[(&str, f64)], from: f64, step: f64) -> Chain {
    let model = gallery::model(name).expect("the gallery has it").expect("the gallery is right");
    let pairs = |list: &[(&str, f64)]| list.iter().map(|&(n, v)| (n.to_string(), format!("{v:e}"))).collect();
    let overrides = Overrides { set: pairs(&[("nu", from)]), start: pairs(start) };
    let values = model.values(&overrides).expect("the start is admissible");
    let parameter = model.parameter("nu").expect("it has a frequency");
    Chain { system: System::new(&model), values, parameter, from, step }
}

impl Chain {
    /// All orbits by shooting; the number of returns followed.
    fn shoot(&self) -> u64 {
        let mut values = self.values.clone();
        let settings = Settings::through(self.system.default_section().expect("it is forced"));
        let mut returns = 0;
        for k in 0..ORBITS {
            values.set(self.parameter, self.from + self.step * k as f64).expect("it is positive");
            let search = find(&self.system, &values, &settings, &mut |_| true);
            values.start_from(&search.orbit.expect("there is an orbit").state);
            returns += search.returns;
        }
        returns
    }
}

fn walls() -> Chain {
    chain("two-wall-oscillator", &[("y", 0.9), ("w", 1.0)], 1.2, -0.01)
}

fn damper() -> Chain {
    chain("impact-damper", &[("Y1", -2.0), ("Y2", -5.0), ("V1", 0.6), ("V2", 4.0)], 1.1, 0.01)
}

#[divan::bench]
fn orbits_between_walls(bencher: Bencher) {
    let chain = walls();
    bencher.counter(ItemsCount::new(ORBITS)).bench_local(|| black_box(chain.shoot()));
}

#[divan::bench]
fn orbits_of_the_damper(bencher: Bencher) {
    let chain = damper();
    bencher.counter(ItemsCount::new(ORBITS)).bench_local(|| black_box(chain.shoot()));
}

#[divan::bench]
fn lyapunov_spectrum(bencher: Bencher) {
    const RETURNS: u64 = 1000;
    let chain = chain("two-wall-oscillator", &[("y", 0.9997), ("w", 0.02)], 0.7072, 0.0);
    let section = chain.system.default_section().expect("it is forced");
    let settings = LyapunovSettings { settle: 0, returns: RETURNS, ..LyapunovSettings::through(section) };
    bencher
        .counter(ItemsCount::new(RETURNS))
        .bench_local(|| black_box(lyapunov::exponents(&chain.system, &chain.values, &settings, &mut |_| true)));
}
