//! Driven oscillators with a kink, dry friction at one and two masses, and the buck converter.

use std::f64::consts::{PI, TAU};

use saltation_motion::{Ended, EventKind};
use saltation_orbit::Orbit;

use super::{assert_multipliers, assert_relative, orbit, orbit_with, simulate, stays, system, times, turn};
use crate::common::assert_close;

/// A_g of the bilinear oscillator: g sqrt((1 - w^2)^2 + 4 zeta^2 w^2).
const TOUCH: f64 = 0.3687817782917155;

fn bilinear(amplitude: f64) -> Orbit {
    orbit("bilinear-oscillator", &[&format!("A={amplitude:e}"), "x:-0.7", "v:0.2"])
}

fn trace(orbit: &Orbit) -> f64 {
    orbit.multipliers.iter().map(|m| m.re).sum()
}

/// Below the first touch the motion is harmonic, of amplitude A/A_g, and its multipliers are those of the oscillator alone (closed form).
#[test]
fn the_bilinear_oscillator_before_it_touches() {
    let closed = (1.0_f64 - 0.64).hypot(2.0 * 0.05 * 0.8);
    assert_close(closed, TOUCH, 1e-15);
    for share in [0.5, 0.99, 1.0 - 1e-12] {
        let orbit = bilinear(share * TOUCH);
        assert!(times(&orbit.events, EventKind::Switch).is_empty());
        assert_close(orbit.state[0].hypot(orbit.state[1] / 0.8), share, 1e-12);
        assert_multipliers(
            &orbit,
            &[(0.006633115412392232, 0.6751993257890015), (0.006633115412392232, -0.6751993257890015)],
        );
        let product = orbit.multipliers[0] * orbit.multipliers[1];
        assert_relative(product.re, (-4.0 * PI * 0.05 / 0.8_f64).exp(), 1e-12);
    }
}

/// Past it the trace changes by c sqrt(A/A_g - 1), c = -k Phi_12(T) 2 sqrt 2/w: continuous, and not differentiable.
#[test]
fn the_multipliers_past_the_first_touch() {
    let share = |excess: f64| {
        let orbit = bilinear(TOUCH * (1.0 + excess));
        assert_eq!(times(&orbit.events, EventKind::Switch).len(), 2);
        (trace(&orbit) - 2.0 * 0.006633115412392232) / excess.sqrt()
    };
    // Richardson's rule for errors of first and second order in sqrt(excess).
    let q = [1e-6, 0.25e-6, 0.0625e-6].map(share);
    let p = [2.0 * q[1] - q[0], 2.0 * q[2] - q[1]];
    assert_relative((4.0 * p[1] - p[0]) / 3.0, -21.51161733496953, 1e-5);
}

/// With A = 0.42 (closed form of the two linear pieces, solved to all digits).
#[test]
fn the_bilinear_oscillator_in_contact() {
    let orbit = orbit("bilinear-oscillator", &[]);
    let enters = orbit.events.iter().rfind(|event| event.kind == EventKind::Switch).expect("it enters");
    let [_, v, phi] = columns("bilinear-oscillator");
    assert_close(turn(enters.before[phi]), 6.223340003340634, 1e-12);
    assert_close(enters.before[v], 0.282090390621742, 1e-12);
    let switches = times(&orbit.events, EventKind::Switch);
    assert_close(switches[0] + orbit.period - switches[1], 0.6221218997659537, 1e-12);
    assert_multipliers(&orbit, &[(-0.2524461952179147, 0.0), (-1.806080410015389, 0.0)]);
    assert!(!orbit.stable);
}

/// With g = 0 the amplitude scales out: no bifurcation in A is possible.
#[test]
fn without_a_gap_the_amplitude_scales_out() {
    let at = |a: f64| {
        orbit("bilinear-oscillator", &["g=0", &format!("A={a}"), &format!("x:{}", 0.1 * a), &format!("v:{}", 0.3 * a)])
    };
    let one = at(1.0);
    for a in [1e-3, 0.3, 40.0] {
        let other = at(a);
        assert_close(other.state[0], a * one.state[0], 1e-12 * a);
        assert_close(other.state[1], a * one.state[1], 1e-12 * a);
        for (m, n) in other.multipliers.iter().zip(&one.multipliers) {
            assert_close((m - n).norm(), 0.0, 1e-11);
        }
    }
}

/// Columns of the states x, v and phi.
fn columns(model: &str) -> [usize; 3] {
    let (system, _) = system(model, &[]);
    ["x", "v", "phi"].map(|name| system.state_names().iter().position(|known| known == name).expect("a state"))
}

/// Motions that never stop: Den Hartog's amplitude, the phase of the force at the greatest displacement, and multipliers with the saltation
/// diag(1, a_after/a_before) at each turn.
#[test]
fn dry_friction_without_stops() {
    let [x, v, phi] = columns("dry-friction-oscillator");
    let cases = [
        (["zeta=0", "w=0.7", "F=0.3"], 1.885699850414254, 0.277632837867492, (-0.4533657390291643, 0.2331451410705284)),
        (
            ["zeta=0.05", "w=1.3", "F=0.25"],
            1.252641812392164,
            2.603217174664228,
            (0.07333560180829744, 0.6146646159708846),
        ),
    ];
    for (set, amplitude, phase, (re, im)) in cases {
        let orbit = orbit_with("dry-friction-oscillator", &set, None, |settings| settings.settle = 100);
        assert!(times(&orbit.events, EventKind::Slide).is_empty());
        let turns: Vec<_> = orbit.events.iter().filter(|event| event.kind == EventKind::Switch).collect();
        assert_eq!(turns.len(), 2);
        let top = turns.iter().find(|event| event.before[x] > 0.0).expect("a greatest displacement");
        assert_close(top.before[x], amplitude, 1e-11);
        assert_close(top.before[v], 0.0, 1e-13);
        assert_close(turn(top.before[phi]), phase, 1e-11);
        assert_multipliers(&orbit, &[(re, im), (re, -im)]);
    }
}

/// Undamped, the mass never stops while F/A < sqrt(V^2/(U^2 + w^-4)).
#[test]
fn where_dry_friction_first_stops_the_mass() {
    let limit = 0.7220709759221043;
    let w = 0.7_f64;
    let (reach, u) = (1.0 / (1.0 - w * w), (PI / w).sin() / (w * (1.0 + (PI / w).cos())));
    assert_close((reach * reach / (u * u + w.powi(-4))).sqrt(), limit, 1e-15);
    let stops = |force: f64| {
        let set = ["zeta=0", "w=0.7", &format!("F={force}")];
        let orbit = orbit_with("dry-friction-oscillator", &set, None, |settings| settings.settle = 400);
        times(&orbit.events, EventKind::Slide).len()
    };
    assert_eq!(stops(limit * (1.0 - 1e-6)), 0);
    assert_eq!(stops(limit * (1.0 + 1e-6)), 2);
}

/// At w = 1/2 the limit is 1/3, and below it the undamped orbit is neutral: 1 and ((1/3 - F)/(1/3 + F))^2 with X = 4/3 and phase 0 (closed form).
#[test]
fn the_neutral_orbit_of_dry_friction() {
    let set = ["zeta=0", "w=0.5", "F=0.2", "x:4/3"];
    let orbit = orbit("dry-friction-oscillator", &set);
    assert_multipliers(&orbit, &[(1.0, 0.0), (1.0 / 16.0, 0.0)]);
    // A lopsided start stays lopsided.
    let (_, run) = simulate("dry-friction-oscillator", &["zeta=0", "w=0.5", "F=0.2", "x:1.36"], 8.0 * TAU);
    let [x, v, _] = columns("dry-friction-oscillator");
    let tops: Vec<f64> = run.events.iter().filter(|e| e.kind == EventKind::Switch).map(|e| e.before[x]).collect();
    assert!(tops.iter().all(|top| top.abs() > 1.3), "{tops:?}");
    assert!((tops[tops.len() - 1] + tops[tops.len() - 2]).abs() > 0.01, "{tops:?}");
    assert!(run.state[v].abs() < 0.1);
}

/// Two stops in a period: where they are, how long they last, and the multipliers 0 and Phi_11(t_s)^2, which do not both vanish.
#[test]
fn dry_friction_with_two_stops() {
    let [x, v, phi] = columns("dry-friction-oscillator");
    let cases = [
        (
            ["zeta=0", "F=0.4"],
            1.328776416495843,
            0.3796985253389729,
            5.570376489081411,
            0.7128088180981753,
            0.5723346214026626,
        ),
        (
            ["zeta=0.05", "F=0.45"],
            1.236273831920193,
            0.6660412725193576,
            5.240743835948662,
            1.042441471230924,
            0.1226021423454526,
        ),
    ];
    for (set, place, phase, slip, stick, multiplier) in cases {
        let orbit = orbit("dry-friction-oscillator", &set);
        let stays_at_rest = stays(&orbit, EventKind::Slide, EventKind::Leave);
        let slips = stays(&orbit, EventKind::Leave, EventKind::Slide);
        assert_eq!(slips.len(), 2);
        for i in 0..2 {
            assert_close(stays_at_rest[i], stick, 1e-11);
            assert_close(slips[i], slip, 1e-11);
        }
        let leaves = orbit.events.iter().filter(|event| event.kind == EventKind::Leave);
        let top = leaves.clone().find(|event| event.before[x] > 0.0).expect("it leaves the top");
        assert_close(top.before[x], place, 1e-12);
        assert_close(top.before[v], 0.0, 0.0);
        assert_close(turn(top.before[phi]), phase, 1e-11);
        assert_multipliers(&orbit, &[(multiplier, 0.0), (0.0, 0.0)]);
        assert_eq!(orbit.multipliers[1].norm(), 0.0);
        // The half map has the square root, with the sign of the symmetry.
        let half = orbit.half.expect("it is symmetric");
        assert_relative(half.multipliers[0].re.powi(2), multiplier, 1e-10);
        if set[0] == "zeta=0" {
            assert_relative(slip.cos().powi(2), multiplier, 1e-12);
        }
    }
}

/// Lyapunov exponents of the orbit with two stops: log of the multiplier over the period, and minus infinity.
#[test]
fn the_exponents_of_two_stops() {
    let (system, values) = system("dry-friction-oscillator", &[]);
    let section = system.default_section().expect("its phase");
    let mut settings = saltation_orbit::lyapunov::LyapunovSettings::through(section);
    (settings.settle, settings.returns) = (200, 200);
    let found = saltation_orbit::lyapunov::exponents(&system, &values, &settings, &mut |_| true);
    assert!(found.ended.is_complete(), "{:?}", found.ended);
    assert_close(found.exponents[0], 0.5723346214026626_f64.ln() / (2.0 * TAU), 1e-11);
    assert_eq!(found.exponents[1], f64::NEG_INFINITY);
}

/// The buck converter on both sides of its first two doublings; determinants exp(-n T/(R C)), as the saltation has determinant 1.
/// States and instants: closed form, solved to all digits; doublings: Fossas & Olivar (1996) 24.516; di Bernardo et al. (1998) about 31.12.
#[test]
fn the_buck_converter() {
    let on = |orbit: &Orbit| -> Vec<f64> {
        orbit
            .events
            .iter()
            .filter(|e| e.kind == EventKind::Switch)
            .map(|e| e.time / 4e-4)
            .filter(|t| t.fract() > 1e-6)
            .collect()
    };
    let one = orbit("buck-converter", &[]);
    assert_relative(one.state[0], 11.96951153881502, 1e-12);
    assert_relative(one.state[1], 0.5915719359151887, 1e-11);
    assert_close(on(&one)[0], 0.4023503303883548, 1e-11);
    assert_multipliers(&one, &[(-0.6918941558352221, 0.4477469689992346), (-0.6918941558352221, -0.4477469689992346)]);

    let start = ["E=28", "v:12.06", "i:0.66"];
    let two = orbit_with("buck-converter", &start, None, |settings| (settings.returns, settings.settle) = (2, 300));
    let first = usize::from(two.points[0][0] > two.points[1][0]);
    assert_relative(two.points[first][0], 12.0573512759421, 1e-12);
    assert_relative(two.points[first][1], 0.6623082730782067, 1e-11);
    let mut instants = on(&two);
    instants.iter_mut().for_each(|t| *t -= t.floor());
    instants.rotate_left(first);
    assert_close(instants[0], 0.7620060463936361, 1e-10);
    assert_close(instants[1], 0.3757166634804551, 1e-10);
    assert_multipliers(
        &two,
        &[(-0.07801368275164611, 0.6746995911282745), (-0.07801368275164611, -0.6746995911282745)],
    );
    for (orbit, n) in [(&one, 1.0), (&two, 2.0)] {
        let product = orbit.multipliers[0] * orbit.multipliers[1];
        assert_relative(product.re, (-n * 4e-4 / (22.0 * 47e-6_f64)).exp(), 1e-11);
    }
    let near = |e: f64, returns: u64| {
        let set = [format!("E={e}"), "v:12.0".to_string(), "i:0.6".to_string()];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        orbit_with("buck-converter", &set, None, |settings| {
            (settings.returns, settings.settle) = (returns, if returns == 2 { 3000 } else { 0 })
        })
    };
    let doubling = 24.51657282856337;
    assert!(near(doubling - 1e-6, 1).stable);
    assert!(!near(doubling + 1e-6, 1).stable);
    assert!(near(31.11790200677097 - 1e-3, 2).stable);
}

/// At the end of every ramp the switch changes without a crossing, also where it does not cross at all.
#[test]
fn the_ramps_of_the_buck_converter() {
    // With a voltage far too high the switch stays off over two ramps, and the top of the first is passed as if it were not there.
    let (_, run) = simulate("buck-converter", &["v:16", "i:1"], 8e-4);
    assert!(times(&run.events, EventKind::Switch).is_empty());
    // With one between foot and top it is on at the end of a ramp and off at the foot of the next: the current falls at once.
    let (_, run) = simulate("buck-converter", &[], 4.0001e-4);
    let before = run.trajectory.as_ref().expect("it is kept").at(3.9999e-4);
    let after = run.trajectory.as_ref().expect("it is kept").at(4.0001e-4);
    let rate = (after[1] - before[1]) / 2e-8;
    assert_close(rate, (0.5 * 20.0 - 12.0) / 0.02, 5.0);
    // At E = 35 ramps are crossed once, several times, and not at all.
    let (_, run) = simulate("buck-converter", &["E=35"], 0.2);
    assert_eq!(run.ended, Ended::ReachedTime);
    let switches = times(&run.events, EventKind::Switch);
    let mut counts = vec![0; 500];
    switches.iter().for_each(|t| counts[((t / 4e-4) as usize).min(499)] += 1);
    assert!(counts.contains(&0), "{counts:?}");
    assert!(counts.iter().any(|count| *count > 2), "{counts:?}");
}

/// Two masses, each with dry friction and a spring between them.
const TWO_MASSES: &str = r#"
format = 1
name = "two-masses"
[phase.phi]
rate = "0.4"
period = "2*pi"
[mechanics]
coordinates = ["x1", "x2"]
velocities = ["v1", "v2"]
M = [[1, 0], [0, 1]]
h = ["cos(phi) - x1 - 0.5*(x1 - x2) - 0.1*v1 - 0.3*sign(v1)", "-x2 - 0.5*(x2 - x1) - 0.1*v2 - 0.15*sign(v2)"]
[start]
x1 = 0.70411702
x2 = 0.32304536
v1 = 0
v2 = 0
phi = 0.5
"#;

/// Both rest, the first leaves, then the second, and they stop in turn (linear pieces solved to all digits).
#[test]
fn two_masses_with_dry_friction() {
    let orbit = orbit(TWO_MASSES, &[]);
    let kinds: Vec<(EventKind, Option<usize>)> =
        orbit.events.iter().filter(|e| e.kind != EventKind::Section).map(|e| (e.kind, e.switch)).collect();
    let half = [
        (EventKind::Leave, Some(0)),
        (EventKind::Leave, Some(1)),
        (EventKind::Slide, Some(0)),
        (EventKind::Slide, Some(1)),
    ];
    assert_eq!(kinds, [half, half].concat());
    let t: Vec<f64> = orbit.events.iter().filter(|e| e.kind != EventKind::Section).map(|e| e.time).collect();
    assert_close(0.5 + 0.4 * t[0], 0.9339625336265761, 1e-11);
    let lengths = [0.8734252480499971, 4.326546335747944, 0.2122182835792108, 2.441791766597331];
    for i in 0..7 {
        assert_close(t[i + 1] - t[i], lengths[i % 4], 1e-11);
    }
    let (system, _) = system(TWO_MASSES, &[]);
    let column = |name: &str| system.state_names().iter().position(|known| known == name).expect("a state");
    let released = &orbit.events.iter().find(|e| e.kind == EventKind::Leave).expect("it leaves").before;
    assert_close(released[column("x1")], 0.7041170213988864, 1e-12);
    assert_close(released[column("x2")], 0.323045361921137, 1e-12);
    assert_multipliers(
        &orbit,
        &[
            (0.01498424720362644, 0.1759866164270401),
            (0.01498424720362644, -0.1759866164270401),
            (0.0, 0.0),
            (0.0, 0.0),
        ],
    );
}

/// A field affine in the signs: y' = a - D s at y = 0 slides along both surfaces with D s = a, s = (2/9, -4/45), which z' = s shows.
#[test]
fn sliding_along_two_surfaces() {
    let text = r#"
format = 1
name = "corner"
[flow]
y1 = "0.4 - 2*sign(y1) - 0.5*sign(y2)"
y2 = "-0.2 + 0.3*sign(y1) - 1.5*sign(y2)"
z1 = "sign(y1)"
z2 = "sign(y2)"
[start]
y1 = 0
y2 = 0
z1 = 0
z2 = 0
"#;
    let (system, run) = simulate(text, &[], 9.0);
    assert_eq!(system.mode_name(run.closed), "y1:slide,y2:slide");
    for (value, known) in run.state.iter().zip([0.0, 0.0, 2.0, -0.8]) {
        assert_close(*value, known, 1e-13);
    }
    // From a start beside the corner it comes to slide along one, then both.
    let (system, run) = simulate(text, &["y1:0.3", "y2:-0.4"], 9.0);
    assert_eq!(system.mode_name(run.closed), "y1:slide,y2:slide");
    assert_eq!(times(&run.events, EventKind::Slide).len(), 2);
}
