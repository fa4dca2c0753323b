//! Are periodic motions, their multipliers and their derivatives right? Against published tables and closed forms.

mod common;

use common::{assert_close, system};
use saltation::motion::System;
use saltation::orbit::{Ended, Orbit, Search, Settings, find};

fn search(name: &str, set: &[(&str, f64)], start: &[(&str, f64)], change: impl Fn(&mut Settings)) -> (System, Search) {
    let (system, values) = system(name, set, start);
    let mut settings = Settings::through(system.default_section().expect("the model has one"));
    change(&mut settings);
    let search = find(&system, &values, &settings, &mut |_| true);
    (system, search)
}

fn orbit(name: &str, set: &[(&str, f64)], start: &[(&str, f64)]) -> Orbit {
    let (system, search) = search(name, set, start, |_| {});
    assert_eq!(search.ended, Ended::Converged, "{}", search.ended.describe(&system));
    eprintln!("{:?} returns {}", search.history, search.returns);
    search.orbit.unwrap()
}

#[test]
fn two_walls() {
    let orbit = orbit("two-wall-oscillator", &[("nu", 1.2)], &[("y", 0.93), ("w", 1.3)]);
    eprintln!("{:?} {:?} {:e} {:?}", orbit.state, orbit.multipliers, orbit.residual, orbit.half);
    assert_close(orbit.state[0], 0.92839156113195771, 1e-12);
}

#[test]
fn pendulum() {
    let orbit = orbit("double-pendulum", &[], &[]);
    eprintln!("{:?} {:?} {:e} {:?} {:?}", orbit.state, orbit.multipliers, orbit.residual, orbit.trivial, orbit.monodromy);
    eprintln!("{:?} {:?}", orbit.period, orbit.signature.len());
}

#[test]
fn damper() {
    let (system, search) = search("impact-damper", &[("nu", 0.5464)], &[], |s| { s.settle = 4000; s.returns = 43; });
    eprintln!("{:?} {} {:?}", search.ended.describe(&system), search.returns, search.history);
    let orbit = search.orbit.unwrap();
    eprintln!("{:?} {:?} {:e} {:?} {:?}", orbit.state, orbit.multipliers, orbit.residual, orbit.trivial, orbit.signature.len());
}
