//! The same machine in two descriptions: dry friction as a contact and as a sign in a flow, and a rigid wall as the limit of a stiff one.

use saltation_motion::EventKind;
use saltation_orbit::Orbit;

use super::{assert_eigenvalues, assert_multipliers, assert_relative, orbit, simulate, times, turn};
use crate::common::assert_close;

/// A block on a floor with its weight N = 1, so that mu is the friction force.
const BLOCK: &str = r#"
format = 1
name = "block"
[parameters]
zeta = 0.05
w = 0.5
F = 0.45
[phase.phi]
rate = "w"
period = "2*pi"
[mechanics]
coordinates = ["x", "y"]
velocities = ["v", "u"]
M = [[1, 0], [0, 1]]
h = ["cos(phi) - 2*zeta*v - x", "-1"]
[contacts.floor]
gap = "y"
track = "x"
restitution = 0
friction = { law = "coulomb", mu = "F" }
[start]
x = 1.3
y = 0
v = 0
u = 0
phi = 0
"#;

fn joined(set: &[&str]) -> (Orbit, Orbit) {
    (orbit(BLOCK, set), orbit("dry-friction-oscillator", set))
}

/// The same motion at the same times: from rest, from a slip to either side, and where the mass does not stop.
#[test]
fn friction_as_a_contact_and_as_a_sign() {
    let cases: [[&str; 5]; 4] = [
        ["zeta=0.05", "w=0.5", "F=0.45", "x:1.3", "v:0"],
        ["zeta=0", "w=0.7", "F=0.3", "x:0", "v:1.5"],
        ["zeta=0.05", "w=1.3", "F=0.25", "x:-0.4", "v:-0.3"],
        ["zeta=0.02", "w=0.23", "F=0.7", "x:0.1", "v:0"],
    ];
    for set in cases {
        let (_, contact) = simulate(BLOCK, &set, 60.0);
        let (_, sign) = simulate("dry-friction-oscillator", &set, 60.0);
        let [a, b] = [&contact, &sign].map(|run| run.trajectory.as_ref().expect("it is kept"));
        for n in 0..=600 {
            let (p, q) = (a.at(0.1 * f64::from(n)), b.at(0.1 * f64::from(n)));
            assert_close(p[0], q[0], 1e-10);
        }
        // A slip that begins is a slip that leaves the surface; one that ends is a stick that slides; slip that turns round crosses.
        // The contact also says in which mode it begins.
        let later =
            |kind: EventKind| -> Vec<f64> { times(&contact.events, kind).into_iter().filter(|t| *t > 0.0).collect() };
        let (begins, ends) = (later(EventKind::Slip).len(), later(EventKind::Stick).len());
        let counts = [EventKind::Leave, EventKind::Switch, EventKind::Slide].map(|kind| sign.count(kind));
        assert_eq!((begins, ends), (counts[0] + counts[1], counts[2]), "{set:?}");
        let starts = times(&sign.events, EventKind::Slide);
        for (p, q) in later(EventKind::Stick).iter().zip(starts) {
            assert_close(*p, q, 1e-9);
        }
    }
}

/// The same orbits and multipliers; the contact adds two directions in which perturbations vanish.
#[test]
fn orbits_of_both_descriptions() {
    for set in [["zeta=0.05", "w=0.5", "F=0.45"], ["zeta=0", "w=0.5", "F=0.4"], ["zeta=0.05", "w=1.3", "F=0.25"]] {
        let (contact, sign) = joined(&set);
        assert_close(contact.state[0], sign.state[0], 1e-11);
        assert_close(contact.period, sign.period, 1e-13);
        let of_sign: Vec<(f64, f64)> = sign.multipliers.iter().map(|m| (m.re, m.im)).chain([(0.0, 0.0); 2]).collect();
        assert_eigenvalues(&contact.multipliers, &of_sign, 1e-10);
    }
}

/// An oscillator at a wall at x = 0, rigid with e = 1.
const RIGID: &str = r#"
format = 1
name = "rigid"
[phase.phi]
rate = "2.8"
period = "2*pi"
[mechanics]
coordinates = ["x"]
velocities = ["v"]
M = [[1]]
h = ["cos(phi) - 0.1*v - x"]
[contacts.wall]
gap = "-x"
restitution = 1
[start]
x = 0
v = -0.3028
phi = 3.0674
"#;

fn stiff(stiffness: f64) -> Orbit {
    let text = RIGID.replace("0.1*v - x", &format!("0.1*v - x - {stiffness:e}*max(x, 0)"));
    let contact = text.find("[contacts").expect("it has one")..text.find("[start]").expect("it has one");
    let mut soft = text.clone();
    soft.replace_range(contact, "");
    orbit(
        &soft.replace("phi = 3.0674", &format!("phi = {:e}", 3.0674 + 2.8 * std::f64::consts::PI / stiffness.sqrt())),
        &[],
    )
}

/// Impact phase, speed and multipliers of the orbit with one elastic impact per period (closed form).
#[test]
fn the_rigid_wall() {
    let orbit = orbit(RIGID, &[]);
    let impact = orbit.events.iter().find(|event| event.kind == EventKind::Impact).expect("an impact");
    assert_close(turn(impact.before[2]), 3.067367131160656, 1e-11);
    assert_close(-impact.speed_before, 0.3028721735289184, 1e-12);
    assert_multipliers(&orbit, &[(-0.2448966058630829, 0.0), (-3.262584586275834, 0.0)]);
}

/// (v_K - v) sqrt K tends to 0.6049807 for the stiffness K, contact lasts pi/sqrt K, and the multipliers tend to those of the rigid wall at the same rate.
#[test]
fn a_stiff_wall_tends_to_the_rigid_one() {
    let rigid = 0.3028721735289184;
    let at = |stiffness: f64| {
        let orbit = stiff(stiffness);
        let enters =
            orbit.events.iter().find(|e| e.kind == EventKind::Switch && e.before[1] > 0.0).expect("it enters the wall");
        let switches = times(&orbit.events, EventKind::Switch);
        let (first, second) = (switches[0], switches[1]);
        let contact = (second - first).min(first + orbit.period - second);
        let largest = orbit.multipliers.iter().map(|m| m.re).fold(0.0, f64::min);
        (
            (enters.before[1] - rigid) * stiffness.sqrt(),
            contact * stiffness.sqrt(),
            (largest + 3.262584586275834) * stiffness.sqrt(),
        )
    };
    let [a, b, c] = [1e6, 4e6, 1.6e7].map(at);
    // Richardson's rule in 1/sqrt K.
    let limit = |a: f64, b: f64, c: f64| (4.0 * (2.0 * c - b) - (2.0 * b - a)) / 3.0;
    assert_relative(limit(a.0, b.0, c.0), 0.6049807, 1e-6);
    assert_close(limit(a.1, b.1, c.1), std::f64::consts::PI, 1e-6);
    // The multipliers err by O(1/sqrt K): the error times sqrt K stays bounded.
    assert_relative(c.2, b.2, 0.05);
    // Over a contact the speed falls by the factor exp(-zeta pi/sqrt K): e = 1 - pi zeta/sqrt K.
    let orbit = stiff(1e8);
    let speeds: Vec<f64> =
        orbit.events.iter().filter(|e| e.kind == EventKind::Switch).map(|e| e.before[1].abs()).collect();
    let restitution = speeds.iter().copied().fold(f64::MAX, f64::min) / speeds.iter().copied().fold(0.0, f64::max);
    assert_close((1.0 - restitution) * 1e4, std::f64::consts::PI * 0.05, 1e-3);
}
