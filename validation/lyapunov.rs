//! Lyapunov exponents against published values, the exact sum, and motions with known exponents.
#![allow(clippy::excessive_precision)] // references keep the digits they were computed with

use std::f64::consts::TAU;

use crate::common::{assert_close, model, system};
use saltation_orbit::lyapunov::{self, Exponents, LyapunovSettings};

fn exponents(
    name: &str,
    set: &[(&str, f64)],
    start: &[(&str, f64)],
    change: impl Fn(&mut LyapunovSettings),
) -> Exponents {
    let (system, values) = system(name, set, start);
    let mut settings = LyapunovSettings::through(system.default_section().expect("the model has one"));
    change(&mut settings);
    let found = lyapunov::exponents(&system, &values, &settings, &mut |_| true);
    assert!(found.ended.is_complete(), "{:?}", found.ended);
    found
}

/// The oscillator between two walls just after the impact-free orbit has grazed both (Yoshitake et al., Fig. 6): 0.0424 and
/// -0.1293, known to 0.0003; the sum is -2 gamma + 2 ln e times the impacts per unit time.
#[test]
fn chaos_between_two_walls() {
    let start = [("y", 0.999727084485945878), ("w", 0.0200050887922844122)];
    let found = exponents("two-wall-oscillator", &[("nu", 0.7072)], &start, |settings| {
        (settings.settle, settings.returns) = (500, 20_000);
    });
    for (i, known) in [0.0424, -0.1293].into_iter().enumerate() {
        let error = found.standard_errors[i];
        assert!(error < 1.5e-3, "{found:?}");
        assert_close(found.exponents[i], known, 3.0 * error.hypot(0.0001));
    }
    let sum = -0.02 + 2.0 * 0.7_f64.ln() * found.impacts as f64 / found.time;
    assert_close(found.exponents.iter().sum(), sum, 1e-10);
}

/// Along a periodic orbit the exponents are the logarithms of the multipliers over the period.
#[test]
fn a_stable_orbit() {
    let found = exponents("two-wall-oscillator", &[("nu", 1.2)], &[("y", 0.92), ("w", 1.3)], |settings| {
        (settings.settle, settings.returns) = (2000, 2000);
    });
    let period = 2.0 * std::f64::consts::PI / 1.2;
    for (ours, multiplier) in found.exponents.iter().zip([0.94619479707125929_f64, 0.22852430280100066]) {
        assert_close(*ours, multiplier.ln() / period, 1e-12);
    }
}

/// An autonomous motion has the exponent 0 of its own direction, and sticking takes two dimensions for good.
#[test]
fn a_motion_with_sticking() {
    let found = exponents("double-pendulum", &[], &[], |settings| {
        (settings.settle, settings.returns) = (40, 100);
    });
    assert_close(found.exponents[0], 0.0, 1e-10);
    assert_close(found.exponents[1], 7.22135e-4_f64.ln() / 6.170196095475, 1e-7);
    assert_eq!(found.exponents[2..], [f64::NEG_INFINITY; 2]);
}

/// The damper on its torus: one exponent vanishes, the others are negative; the sum is exact.
#[test]
fn a_torus_of_the_impact_damper() {
    let found = exponents("impact-damper", &[("nu", 1.38)], &[], |settings| {
        (settings.settle, settings.returns) = (2000, 4000);
    });
    assert!(found.exponents[0].abs() < 5e-4, "{found:?}");
    assert!(found.exponents[1..].iter().all(|exponent| *exponent < -1e-4), "{found:?}");
    let sum = -0.1 + 2.0 * 0.8_f64.ln() * found.impacts as f64 / found.time;
    assert_close(found.exponents.iter().sum(), sum, 1e-8);
}

/// Without impacts and without a nonlinearity: the real parts of the eigenvalues, also where one return leaves e^-250 of a
/// direction, and as multipliers of the orbit.
#[test]
fn a_stiff_linear_system() {
    let text = r#"
        format = 1
        name = "linear"
        [phase.phi]
        rate = 1
        period = "2*pi"
        [flow]
        a = "-0.1*a + cos(phi)"
        b = "-3*b + a + c"
        c = "-0.5*c + 2*d"
        d = "-0.5*d - 2*c + sin(phi)"
        f = "-40*f + a"
        [start]
        a = 0.1
        b = 0
        c = 0.1
        d = 0
        f = 0
        phi = 0
    "#;
    let (system, values) = crate::common::parse(text);
    let settings = LyapunovSettings { returns: 200, ..LyapunovSettings::through(0) };
    let mut found = lyapunov::exponents(&system, &values, &settings, &mut |_| true).exponents;
    found.sort_by(|a, b| b.total_cmp(a));
    let search = saltation_orbit::find(&system, &values, &saltation_orbit::Settings::through(0), &mut |_| true);
    let orbit = search.orbit.expect("it has one");
    for (i, known) in [-0.1, -0.5, -0.5, -3.0, -40.0].into_iter().enumerate() {
        assert_close(found[i], known, 1e-11);
        assert_close(orbit.log_moduli[i] / orbit.period, known, 1e-11);
    }
}

/// Van der Pol's oscillator: the exponents follow from the integral of the divergence, in every section alike.
#[test]
fn relaxation() {
    let text = r#"
        format = 1
        name = "relaxation"
        [flow]
        x = "y"
        y = "5*(1 - x^2)*y - x"
        q = "5*(1 - x^2) - q"
        [sections.rising]
        when = "x"
        direction = "rising"
        [start]
        x = 0
        y = 4.4
        q = 0
    "#;
    // The mean of q is that of the divergence: q' = divergence - q.
    let (system, values) = crate::common::parse(text);
    let settings = saltation_orbit::Settings { settle: 10, ..saltation_orbit::Settings::through(0) };
    let orbit = saltation_orbit::find(&system, &values, &settings, &mut |_| true).orbit.expect("it has one");
    let pieces = 200_000;
    let step = orbit.period / f64::from(pieces);
    let mean =
        (0..pieces).map(|k| 5.0 * (1.0 - orbit.trajectory.at(f64::from(k) * step)[0].powi(2))).sum::<f64>() * step;
    let log = orbit.log_moduli.iter().filter(|log| **log < -20.0).sum::<f64>();
    assert_close(log, mean, 1e-8);
    assert_close(orbit.log_moduli[1], -orbit.period, 1e-9);
}

/// The sum of the exponents is the divergence, and 2 ln e at each impact, of exactly the returns that are counted: also where a return cuts a sequence of
/// impacts, at whose end only the frame can begin anew. The motion is chaotic: how many impacts there are in the window, some 1890, depends on rounding.
#[test]
fn the_window_holds_the_growth_of_its_returns() {
    let (system, values) = model("lyapunov-window");
    let section = system.default_section().unwrap();
    for settle in 200..206 {
        let settings = LyapunovSettings { settle, returns: 1000, ..LyapunovSettings::through(section) };
        let found = lyapunov::exponents(&system, &values, &settings, &mut |_| true);
        assert!(found.ended.is_complete());
        assert_eq!(found.returns, 1000);
        assert_close(found.time, 1000.0 * TAU / 1.203, 1e-6);
        let sum: f64 = found.exponents.iter().sum();
        let expected = -2.0 * 0.03 - 1.7361 + 2.0 * 0.9025_f64.ln() * found.impacts as f64 / found.time;
        assert_close(sum, expected, 1e-10);
    }
}
