//! Cycles of autonomous systems: relay feedback, the belt, planar Filippov systems, and Chua's circuit.

use std::f64::consts::TAU;

use saltation_motion::{Ended, EventKind};
use saltation_orbit::lyapunov::{LyapunovSettings, exponents};

use super::{
    assert_eigenvalues, assert_multipliers, assert_relative, orbit, orbit_with, simulate, stays, system, times,
};
use crate::common::assert_close;

/// 1/(s + 1)^3 with a relay, in Jordan's form.
const TRIPLE: &str = r#"
format = 1
name = "triple"
[flow]
x = "y - x"
y = "z - y"
z = "-z - sign(x)"
[sections.up]
when = "x"
direction = "rising"
[start]
x = 0
y = 0.3
z = 0.7
"#;

/// x0 = -(I + e^(A tau))^-1 G with C x0 = 0, and the squares of the multipliers of the half map (equation solved to all digits). One of them is 1.
#[test]
fn a_relay_without_sliding() {
    let found = orbit(TRIPLE, &[]);
    assert_close(found.period, 2.0 * 1.839875335432399, 1e-12);
    assert_eq!(times(&found.events, EventKind::Slide).len(), 0);
    for (ours, known) in found.state.iter().zip([0.0, 0.2906309222293034, 0.7258679257978837]) {
        assert_close(*ours, known, 1e-12);
    }
    let squares = [0.3839905776236071_f64.powi(2), 0.01043605394950522_f64.powi(2)];
    assert_multipliers(&found, &[(1.0, 0.0), (squares[0], 0.0), (squares[1], 0.0)]);
    assert_relative(found.multipliers[2].re, squares[1], 1e-9);

    let found = orbit("relay-feedback", &["omega=1", "x2:6", "x3:9.7"]);
    assert_close(found.period, 2.0 * 3.385229407128116, 1e-11);
    let up = found.events.iter().rfind(|event| event.kind == EventKind::Switch).expect("it crosses upwards");
    for (ours, known) in up.before.iter().zip([0.0, 5.956079427184513, 9.693997148559304]) {
        assert_close(*ours, known, 1e-11);
    }
    let squares = [0.6897319080904534_f64.powi(2), 0.01777745820001203_f64.powi(2)];
    assert_multipliers(&found, &[(1.0, 0.0), (squares[0], 0.0), (squares[1], 0.0)]);
}

/// With one slide per half period; slides while |C A x| < C B (di Bernardo, Johansson & Vasca; digits from the equation of the half map).
#[test]
fn a_relay_with_sliding() {
    let orbit = orbit("relay-feedback", &[]);
    let slides = stays(&orbit, EventKind::Slide, EventKind::Leave);
    let flights = stays(&orbit, EventKind::Leave, EventKind::Slide);
    assert_eq!(slides.len(), 2);
    for i in 0..2 {
        assert_close(slides[i], 0.7962177199925663, 1e-11);
        assert_close(flights[i], 0.9839488388627632, 1e-11);
    }
    let upwards = |kind: EventKind, sign: f64| {
        orbit
            .events
            .iter()
            .find(|e| e.kind == kind && e.before[1] * sign > 0.0)
            .expect("one on each side")
            .before
            .clone()
    };
    let leaves = upwards(EventKind::Leave, 1.0);
    for (ours, known) in leaves.iter().zip([0.0, 1.0, 1.692238189102072]) {
        assert_close(*ours, known, 1e-12);
    }
    assert_close(upwards(EventKind::Slide, 1.0)[1], 0.5158033145967617, 1e-11);
    assert_multipliers(&orbit, &[(1.0, 0.0), (0.08646341626965846, 0.0), (0.0, 0.0)]);
    assert_relative(0.2940466226122287_f64.powi(2), 0.08646341626965846, 1e-14);
}

/// A mass on a belt with friction that falls as Fs/(1 + d |v|); at the release the field of slip is tangent to the surface.
const BELT: &str = r#"
format = 1
name = "belt"
[parameters]
v0 = 0.2
d = 3
[flow]
x = "y"
y = "-x + if(y < v0, 1/(1 + d*(v0 - y)), -1/(1 + d*(y - v0)))"
[sections.turn]
when = "y"
direction = "falling"
[start]
x = 0
y = 0.1
"#;

#[test]
fn stick_and_slip_on_a_belt() {
    let cases = [
        ("v0=0.2", 4.295999525480155, -0.5410063538700848, 7.705031769350424, 12.00103129483058),
        ("v0=0.5", 4.51656675654074, -0.8830883830686888, (1.0 + 0.8830883830686888) / 0.5, 8.282743522678117),
    ];
    for (set, slip, caught, stick, period) in cases {
        let orbit = orbit(BELT, &[set]);
        assert_close(orbit.period, period, 1e-11);
        assert_close(stays(&orbit, EventKind::Leave, EventKind::Slide)[0], slip, 1e-11);
        assert_close(stays(&orbit, EventKind::Slide, EventKind::Leave)[0], stick, 1e-11);
        let catch = orbit.events.iter().find(|event| event.kind == EventKind::Slide).expect("it is caught");
        assert_close(catch.before[0], caught, 1e-11);
        let release = orbit.events.iter().find(|event| event.kind == EventKind::Leave).expect("it is released");
        assert_close(release.before[0], 1.0, 1e-13);
        assert_multipliers(&orbit, &[(1.0, 0.0), (0.0, 0.0)]);
        assert_eq!(orbit.multipliers[1].norm(), 0.0);
    }
}

/// The steady slip x = Fs/(1 + d v0) is unstable: both exponents are half the slope of the friction, d Fs/(1 + d v0)^2.
#[test]
fn the_steady_slip_on_a_belt() {
    let (_, run) = simulate(BELT, &["x:1/1.6 + 1e-6", "y:0"], 40.0);
    assert!(run.count(EventKind::Slide) > 0);
    let a: f64 = 3.0 / 2.56 / 2.0;
    let w = (1.0 - a * a).sqrt();
    // While it is small the distance is 1e-6 e^(a t)(cos w t - a/w sin w t), and the nonlinearity a thousandth of it.
    let t = 5.0_f64;
    let known = 1e-6 * (a * t).exp() * ((w * t).cos() - a / w * (w * t).sin());
    let there = run.trajectory.expect("it is kept").at(t)[0] - 1.0 / 1.6;
    assert_close(there, known, 1e-3 * 1e-6 * (a * t).exp());
}

/// Two invisible folds: x = mu +- r with r^2 = 3 mu/c - 3 mu^2, period 4 r (closed form).
const TWO_FOLDS: &str = r#"
format = 1
name = "two-folds"
[parameters]
mu = 0.03
c = 0.5
[switches.s]
when = "y"
[flow]
x = "side(s)"
y = "if(y > 0, mu - x, -x + c*x^2)"
[sections.up]
when = "y"
direction = "rising"
[start]
x = -0.39
y = 0
"#;

#[test]
fn a_crossing_cycle_of_two_folds() {
    for mu in [0.03, 1e-3, 1e-5] {
        let c = 0.5_f64;
        let r = (3.0 * mu / c - 3.0 * mu * mu).sqrt();
        let (left, right) = (mu - r, mu + r);
        let orbit = orbit(TWO_FOLDS, &[&format!("mu={mu:e}"), &format!("x:{:e}", 0.97 * left)]);
        assert_relative(orbit.period, 4.0 * r, 1e-10);
        assert_relative(orbit.state[0], left, 1e-10);
        let multiplier = -(right - c * right * right) / (left - c * left * left);
        assert_multipliers(&orbit, &[(1.0, 0.0), (multiplier, 0.0)]);
        assert_eq!(times(&orbit.events, EventKind::Switch).len(), 2);
        let down = orbit.events.iter().find(|event| event.kind == EventKind::Switch).expect("it crosses");
        assert_relative(down.before[0], right, 1e-10);
        if mu == 0.03 {
            assert_close(left, -0.391070065428546, 1e-14);
            assert_close(right, 0.451070065428546, 1e-14);
            assert_close(orbit.period, 1.684280261714184, 1e-12);
            assert_close(orbit.multipliers[1].re, 0.7471863052064773, 1e-11);
        }
    }
}

/// The sliding piece 0 < x < mu between the folds is repelling for mu > 0: on it no motion is chosen, beside it one is.
#[test]
fn between_the_folds() {
    let (_, run) = simulate(TWO_FOLDS, &["x:0.01"], 1.0);
    assert!(matches!(&run.ended, Ended::NotUnique { modes, .. } if modes.len() == 3), "{:?}", run.ended);
    for x in ["x:-0.01", "x:0.04"] {
        let (_, run) = simulate(TWO_FOLDS, &[x], 0.1);
        assert_eq!(run.ended, Ended::ReachedTime);
    }
}

/// A stable circle above y = -h, where the field below leads straight back: sliding is born at h = 1 where the circle touches.
const GRAZING: &str = r#"
format = 1
name = "grazing-sliding"
[parameters]
s = 0.1
h = 0.95
[flow]
x = "if(y > -h, s*x*(1 - x^2 - y^2) - y, 0)"
y = "if(y > -h, s*y*(1 - x^2 - y^2) + x, 1)"
[sections.left]
when = "y"
direction = "falling"
[start]
x = -1
y = 0
"#;

#[test]
fn grazing_sliding() {
    for h in ["h=1.05", "h=1.0000001"] {
        let circle = orbit(GRAZING, &[h, "x:-1.01"]);
        assert_close(circle.period, TAU, 1e-12);
        assert_multipliers(&circle, &[(1.0, 0.0), (0.2846095433360293, 0.0)]);
    }
    let cases = [
        ("h=0.95", 0.009254363891152163, -0.2570450925681435, 6.326546529055108),
        ("h=0.8", 0.02873394881484049, -0.4568634286631829, 6.485085264394297),
    ];
    for (set, leaves, lands, period) in cases {
        let orbit = orbit(GRAZING, &[set]);
        assert_close(orbit.period, period, 1e-11);
        let place =
            |kind: EventKind| orbit.events.iter().find(|event| event.kind == kind).expect("one of each").before[0];
        assert_close(place(EventKind::Leave), leaves, 1e-12);
        assert_close(place(EventKind::Slide), lands, 1e-11);
        assert_multipliers(&orbit, &[(1.0, 0.0), (0.0, 0.0)]);
        assert_eq!(orbit.multipliers[1].norm(), 0.0);
    }
    // Just past the touch the multiplier has jumped to zero.
    let orbit = orbit(GRAZING, &["h=0.9999999"]);
    assert_eq!(orbit.multipliers[1].norm(), 0.0);
    assert_eq!(times(&orbit.events, EventKind::Slide).len(), 1);
}

/// Chua's circuit at alpha = 8 (two linear pieces, solved to all digits).
#[test]
fn the_cycle_of_chua_s_circuit() {
    let orbit = orbit("chua-circuit", &[]);
    for (ours, known) in orbit.state.iter().zip([1.0, -0.3539558237068723, -1.307456271167764]) {
        assert_close(*ours, known, 1e-11);
    }
    let out = times(&orbit.events, EventKind::Switch)[0];
    assert_close(out, 0.8952240363167645, 1e-11);
    assert_close(orbit.period - out, 1.354775392505764, 1e-11);
    assert_multipliers(&orbit, &[(1.0, 0.0), (-0.6773126426136586, 0.0), (-0.01956734044688318, 0.0)]);
    // Its exponents are the logarithms over the period.
    let (system, values) = system("chua-circuit", &[]);
    let mut settings = LyapunovSettings::through(system.default_section().expect("the model has one"));
    (settings.settle, settings.returns) = (300, 400);
    let found = exponents(&system, &values, &settings, &mut |_| true);
    assert!(found.ended.is_complete(), "{:?}", found.ended);
    let logarithms = [1.0, 0.6773126426136586_f64, 0.01956734044688318].map(|m| m.ln() / orbit.period);
    for (ours, known) in found.exponents.iter().zip(logarithms) {
        assert_close(*ours, known, 1e-9);
    }
}

/// At alpha = (7/4)(sqrt(1 + 8 beta/5) - 1) the outer equilibria have a pair of imaginary eigenvalues. As the region is linear every amplitude up to 0.5
/// is a neutral cycle, and the first touch of x = 1 is at 0.5.
#[test]
fn no_small_cycle_in_chua_s_circuit() {
    let (beta, alpha, w) = (100.0 / 7.0_f64, 6.797660498639379, 3.070869990893765_f64);
    assert_close(1.75 * ((1.0 + 1.6 * beta).sqrt() - 1.0), alpha, 1e-14);
    // The eigenvector (1, y, z): i w y = 1 - y + z and i w z = -beta y.
    let across = w - beta / w;
    let y = [1.0 / (1.0 + across * across), -across / (1.0 + across * across)];
    let z = -beta / w * y[1];
    for (amplitude, touches) in [(0.1, false), (0.4999999, false), (0.5000001, true)] {
        let place = [1.5 + amplitude, amplitude * y[0], -1.5 + amplitude * z];
        let start: Vec<String> = ["x", "y", "z"].iter().zip(place).map(|(n, v)| format!("{n}:{v:e}")).collect();
        let set: Vec<&str> = ["alpha=6.797660498639379"].into_iter().chain(start.iter().map(String::as_str)).collect();
        let (_, run) = simulate("chua-circuit", &set, TAU / w);
        assert_eq!(run.count(EventKind::Switch), if touches { 2 } else { 0 });
        for (ours, known) in run.state.iter().zip(place) {
            assert_close(*ours, known, if touches { 1e-6 } else { 1e-12 });
        }
    }
    // At alpha = 7 a large cycle exists, and it leaves the region.
    let large = orbit_with("chua-circuit", &["alpha=7"], None, |settings| settings.settle = 500);
    assert_eq!(times(&large.events, EventKind::Switch).len(), 2);
    assert!(large.stable);
    assert_eigenvalues(&large.multipliers[..1], &[(1.0, 0.0)], 1e-10);
}
