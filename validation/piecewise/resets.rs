//! Jumps of the state: walking machines, neurons that fire, the thermostat, and tanks that switch infinitely often in finite time.

use std::f64::consts::PI;

use saltation_motion::{Ended, EventKind};

use super::{assert_eigenvalues, assert_multipliers, assert_relative, orbit, orbit_with, simulate, times};
use crate::common::assert_close;

/// Garcia, Chatterjee, Ruina & Coleman (1998) print .200310900544287 and -.199832473004977.
#[test]
fn the_simplest_walker() {
    let orbit = orbit("simplest-walker", &[]);
    assert_relative(orbit.period, 3.882463752851, 1e-11);
    let strike = orbit.events.iter().find(|event| event.kind == EventKind::Reset).expect("a heel strike");
    assert_close(strike.after[0], 0.200310900544287, 1e-12);
    assert_close(strike.after[2], -0.199832473004977, 1e-12);
    assert_close(strike.after[1], 2.0 * strike.after[0], 1e-14);
    assert_eigenvalues(
        &orbit.multipliers,
        &[(1.0, 0.0), (-0.1900998410659, 0.5575987766821), (-0.1900998410659, -0.5575987766821), (0.0, 0.0)],
        1e-10,
    );
    assert!(orbit.stable);
}

/// phi - 2 theta also crosses zero where the legs pass: the event needs theta < 0, and without that the swing foot scuffs.
#[test]
fn the_swing_foot_scuffs() {
    let text = saltation_model::gallery::find("simplest-walker").expect("it is there");
    let (_, let_through) = simulate(text, &[], 3.0);
    let (_, scuffs) = simulate(&text.replace("if = \"-theta\"\n", ""), &["theta:0.2003", "phi:0.39"], 3.0);
    let first = |events: &[_]| times(events, EventKind::Reset)[0];
    assert_eq!(let_through.count(EventKind::Reset), 0);
    assert!(first(&scuffs.events) < 3.0);
}

/// Goswami, Espiau & Thuilot (1996): m = 5, mH = 10, a = b = 1/2, on a slope of 3 degrees; eight digits.
const COMPASS: &str = r#"
format = 1
name = "compass"
[parameters]
m = 5
mH = 10
a = 0.5
b = 0.5
l = "a + b"
g = 9.81
slope = "3*pi/180"
[definitions]
delta = "st - sw"
m11 = "m*b^2"
m12 = "-m*l*b*cos(delta)"
m22 = "(mH + m)*l^2 + m*a^2"
h1 = "-m*l*b*sin(delta)*wt^2 - m*b*g*sin(sw)"
h2 = "m*l*b*sin(delta)*ws^2 + (mH*l + m*a + m*l)*g*sin(st)"
det = "m11*m22 - m12^2"
k = "cos(delta)"
p11 = "m*b*(b - l*k)"
p12 = "m*l*(l - b*k) + m*a^2 + mH*l^2"
p21 = "m*b^2"
p22 = "-m*b*l*k"
r1 = "-m*a*b*ws + (-m*a*b + (mH*l^2 + 2*m*a*l)*k)*wt"
r2 = "-m*a*b*wt"
[flow]
sw = "ws"
st = "wt"
ws = "(m22*h1 - m12*h2)/det"
wt = "(m11*h2 - m12*h1)/det"
[events.strike]
when = "sw + st + 2*slope"
direction = "falling"
if = "sw - st"
jump = { sw = "st", st = "sw", ws = "(p22*r1 - p12*r2)/(p11*p22 - p12*p21)", wt = "(p11*r2 - p21*r1)/(p11*p22 - p12*p21)" }
[sections.middle]
when = "st"
direction = "falling"
[start]
sw = -0.323388558059
st = 0.218668802939
ws = -0.377373948907
wt = -1.092383589884
"#;

#[test]
fn the_compass_gait() {
    let orbit = orbit(COMPASS, &[]);
    assert_relative(orbit.period, 0.734346391159, 1e-8);
    let strike = orbit.events.iter().find(|event| event.kind == EventKind::Reset).expect("a strike");
    for (ours, known) in strike.after.iter().zip([-0.323388558059, 0.218668802939, -0.377373948907, -1.092383589884]) {
        assert_close(*ours, known, 1e-8);
    }
    let known = [(1.0, 0.0), (-0.19972613, 0.54447606), (-0.19972613, -0.54447606), (0.13157262, 0.0)];
    assert_eigenvalues(&orbit.multipliers, &known, 2e-8);
}

/// Spokes at the angle 2 a on a slope: w+^2 = cos^2 2a (w+^2 + 4 sin a sin g), multiplier cos^2 2a.
const WHEEL: &str = r#"
format = 1
name = "wheel"
[parameters]
a = "pi/8"
g = 0.08
[flow]
th = "w"
w = "sin(th)"
[events.strike]
when = "th - a - g"
direction = "rising"
jump = { th = "g - a", w = "cos(2*a)*w" }
[sections.upright]
when = "th"
direction = "rising"
[start]
th = -0.3
w = 0.35
"#;

#[test]
fn the_rimless_wheel() {
    let wheel = orbit(WHEEL, &[]);
    assert_close(wheel.period, 3.240305138998394, 1e-11);
    let strike = wheel.events.iter().find(|event| event.kind == EventKind::Reset).expect("a strike");
    assert_close(strike.after[1], 0.3497543674325097, 1e-12);
    let (a, g) = (PI / 8.0, 0.08_f64);
    let square = (2.0 * a).cos().powi(2) * 4.0 * a.sin() * g.sin() / (2.0 * a).sin().powi(2);
    assert_close(square.sqrt(), 0.3497543674325097, 1e-15);
    assert_multipliers(&wheel, &[(1.0, 0.0), (0.5, 0.0)]);
    // It rolls on from w+ as long as w+^2 > 2 (1 - cos(a - g)), which is g > 0.06822945245228716; else it rocks back and never stands upright.
    let rolls = |g: f64| {
        let square = (2.0 * a).cos().powi(2) * 4.0 * a.sin() * g.sin() / (2.0 * a).sin().powi(2);
        let set = [format!("g={g}"), format!("th:{:e}", g - a), format!("w:{:e}", square.sqrt())];
        let (_, run) = simulate(WHEEL, &[&set[0], &set[1], &set[2]], 60.0);
        run.count(EventKind::Section) > 0
    };
    assert!(rolls(0.0682294526));
    assert!(!rolls(0.0682294523));
}

/// v' = 1.2 - v, from 1 to 0: period log 6. And a resonator that fires at y = 1 and begins at rest again.
#[test]
fn neurons_that_fire() {
    let leaky = "format = 1\nname = \"leaky\"\n[flow]\nv = \"1.2 - v\"\n[events.fire]\nwhen = \"v - 1\"\ndirection = \"rising\"\njump = { v = \"0\" }\n\
        [sections.half]\nwhen = \"v - 1/2\"\n[start]\nv = 0\n";
    let (_, run) = simulate(leaky, &[], 18.0);
    for (n, time) in times(&run.events, EventKind::Reset).iter().enumerate() {
        assert_close(*time, (n + 1) as f64 * 6.0_f64.ln(), 1e-12);
    }
    assert_eq!(run.count(EventKind::Reset), 10);
    let rising = leaky.replace("when = \"v - 1/2\"\n", "when = \"v - 1/2\"\ndirection = \"rising\"\n");
    let found = orbit(&rising, &[]);
    assert_close(found.period, 1.791759469228055, 1e-13);
    assert_multipliers(&found, &[(1.0, 0.0)]);

    let resonant = "format = 1\nname = \"resonant\"\n[flow]\nx = \"-0.1*x - 2*y\"\ny = \"2*x - 0.1*y + 3\"\n[events.fire]\nwhen = \"y - 1\"\n\
        direction = \"rising\"\njump = { x = \"0\", y = \"0\" }\n[sections.half]\nwhen = \"y - 1/2\"\ndirection = \"rising\"\n[start]\nx = 0\ny = 0\n";
    let found = orbit(resonant, &["y:0.1"]);
    assert_close(found.period, 0.3728958499357148, 1e-13);
    assert_multipliers(&found, &[(1.0, 0.0), (0.0, 0.0)]);
}

#[test]
fn the_thermostat() {
    let found = orbit("thermostat", &[]);
    assert_close(found.period, 4.013413909243023, 1e-13);
    assert_close(20.0 * (11.0_f64 / 9.0).ln(), 4.013413909243023, 1e-14);
    let resets = times(&found.events, EventKind::Reset);
    assert_close(resets[1] - resets[0], 0.5 * found.period, 1e-12);
    // A perturbation of the temperature is one along the motion; one of the discrete state has no meaning.
    assert_close(found.multipliers[0].re, 1.0, 1e-12);
    let other = orbit_with("thermostat", &["low=18", "high=22", "r=0.3"], None, |_| {});
    assert_close(other.period, 2.0 * (12.0_f64 / 8.0).ln() / 0.3, 1e-12);
}

/// Two tanks, levels 8 and 7, floors 5, inflow 3/4 into one of them, outflow 1/2 each.
const TANKS: &str = r#"
format = 1
name = "tanks"
[discrete]
first = { value = 1, values = [0, 1] }
[flow]
x1 = "0.75*first - 0.5"
x2 = "0.75*(1 - first) - 0.5"
[events.second]
when = "x2 - 5"
direction = "falling"
jump = { first = "0" }
[events.back]
when = "x1 - 5"
direction = "falling"
jump = { first = "1" }
[start]
x1 = 8
x2 = 7
"#;

/// Switches at 4, 12, 16, 18, ...: n-th at 20 - 16/2^n.
#[test]
fn two_tanks_before_their_switches_accumulate() {
    let (_, run) = simulate(TANKS, &[], 19.999);
    let switches = times(&run.events, EventKind::Reset);
    assert_eq!(switches.len(), 14);
    for (n, time) in switches.iter().enumerate() {
        assert_close(*time, 20.0 - 16.0 * 0.5_f64.powi(n as i32), 1e-12);
    }
}

/// Infinitely many switches end at 20, and no motion goes on from there: both floors are reached.
#[test]

fn two_tanks_end_where_their_switches_accumulate() {
    let (_, run) = simulate(TANKS, &[], 30.0);
    match run.ended {
        Ended::Accumulated { time } => assert_close(time, 20.0, 1e-10),
        other => panic!("{other:?} at {}, {:?}", run.time, run.state),
    }
}
