//! Independence of motions from observation: uncoupled bodies, sections and intermediate stops change nothing.
#![allow(clippy::excessive_precision)] // references keep the digits they were computed with

use crate::common::{assert_all_close, assert_close, parse, run};
use saltation_model::Values;
use saltation_motion::{Event, EventKind, Happening, Motion, Settings, System};

/// x lies on a table that throws it where 2 sin(phi) = 1, y bounces beside it.
fn thrown_beside_a_ball(height: f64) -> (System, Values) {
    parse(&format!(
        r#"
format = 1
name = "beside"
[phase.phi]
rate = 1
period = "2*pi"
[mechanics]
coordinates = ["x", "y"]
velocities = ["v", "w"]
M = {{ diagonal = [1, 1] }}
h = [-1, -1]
[contacts.table]
gap = "x - 2*sin(phi)"
restitution = 0.1
[contacts.floor]
gap = "y"
restitution = 0.9
[start]
x = 0
v = 2
y = {height}
w = 0
phi = 0
"#
    ))
}

/// The body lands where 1 + sqrt(3) s - s^2/2 = 2 sin(pi/6 + s), whatever the ball beside it does.
#[test]
fn a_landing_does_not_depend_on_a_ball_beside_it() {
    for height in [0.31, 0.39, 0.41, 2.0] {
        let (system, values) = thrown_beside_a_ball(height);
        let run = run(&system, &values, 12.0);
        let landing = run.events.iter().find(|e| e.kind == EventKind::Impact && e.contact == Some(0)).unwrap();
        assert_close(landing.time, 5.182450251309860, 1e-13);
    }
}

/// The body is thrown while the ball falls: the ball continues to fall.
#[test]
fn a_release_leaves_a_falling_ball_alone() {
    for height in [0.35, 0.37] {
        let (system, values) = thrown_beside_a_ball(height);
        let run = run(&system, &values, 9.0);
        let mut time = (2.0_f64 * height).sqrt();
        let mut speed = time;
        for bounce in run.events.iter().filter(|e| e.contact == Some(1)) {
            assert_eq!(bounce.kind, EventKind::Impact);
            assert_close(bounce.time, time, 1e-12);
            speed *= 0.9;
            time += 2.0 * speed;
        }
        assert!(time > 9.0);
    }
}

/// From phase 0 every other coefficient of the gap v s - s^2/2 - K sin(s) vanishes; the section is on a formula of its own.
#[test]
fn a_first_flight_resolves_the_gap_and_the_sections() {
    let (system, values) = parse(
        r#"
format = 1
name = "zero"
[phase.phi]
rate = 1
period = "2*pi"
[mechanics]
coordinates = ["x"]
velocities = ["v"]
M = [[1]]
h = [-1]
[contacts.table]
gap = "x - sin(phi)/2"
restitution = 0.9
[sections.sine]
when = "sin(phi) - 0.3"
[start]
x = 0
v = 1
phi = 0
"#,
    );
    let run = run(&system, &values, 3.5);
    let at = |kind: EventKind| run.events.iter().find(|e| e.kind == kind).unwrap().time;
    assert_close(at(EventKind::Section), 0.3_f64.asin(), 1e-14);
    let t = at(EventKind::Impact);
    assert_close(t - 0.5 * t * t, 0.5 * t.sin(), 1e-14);
}

fn told(motion: &mut Motion, events: &mut Vec<Event>) {
    loop {
        match motion.advance() {
            Happening::Step(_) | Happening::Quiet { .. } => {}
            Happening::Event(event) => events.push(event.clone()),
            Happening::Ended(ended) => {
                assert!(ended.is_complete(), "{ended:?}");
                return;
            }
        }
    }
}

/// A motion that is stopped at every return and continued has the same events, for every stop condition: in the falling half of a flight,
/// and by the jump of an impact, with restitution and without.
#[test]
fn a_motion_does_not_depend_on_stops() {
    for (restitution, direction) in [(0.7, "rising"), (0.7, "falling"), (0.7, "any"), (0.0, "any")] {
        let (system, values) = parse(&format!(
            r#"
format = 1
name = "walls"
[phase.phi]
rate = 1.2
period = "2*pi"
[mechanics]
coordinates = ["y"]
velocities = ["w"]
M = [[1]]
h = ["1.44*cos(phi) - 0.02*w - y"]
[contacts.upper]
gap = "1 - y"
restitution = {restitution}
[contacts.lower]
gap = "1 + y"
restitution = {restitution}
[sections.turn]
when = "w"
direction = "{direction}"
[start]
y = 0.3
w = 1.1
phi = 0.4
"#
        ));
        let whole = run(&system, &values, 60.0);
        let settings = Settings { until: 60.0, returns: Some((0, 1)), ..Settings::default() };
        let mut motion = Motion::new(&system, &values, settings).unwrap();
        let mut events = Vec::new();
        while motion.time() < 60.0 {
            told(&mut motion, &mut events);
            motion.extend(60.0, Some((0, 1)));
        }
        assert_eq!(events.len(), whole.events.len());
        assert!(events.len() > 12, "{} events", events.len());
        for (ours, known) in events.iter().zip(&whole.events) {
            assert_eq!((ours.kind, ours.contact, ours.section), (known.kind, known.contact, known.section));
            assert_close(ours.time, known.time, 1e-11);
            assert_all_close(&ours.after, &known.after, 1e-10);
        }
    }
}

/// A section whose slope along the phase is a formula of parameters goes round with the phase like any other: w phi = pi/2
/// once per turn, though the phase is wrapped at 2 pi/w.
#[test]
fn a_section_with_a_scaled_phase_is_passed_once_per_turn() {
    for (w, sign) in [(1.7, ""), (0.6, "-")] {
        let (system, values) = parse(&format!(
            r#"
format = 1
name = "scaled"
[parameters]
w = {w}
[phase.phi]
rate = 1
period = "2*pi/w"
[flow]
x = "cos(w*phi) - x"
[sections.quarter]
when = "{sign}(w*phi - pi/2)"
[start]
x = 0
phi = 0
"#
        ));
        let run = run(&system, &values, 30.0);
        let turns = ((30.0 * w - 0.5 * std::f64::consts::PI) / (2.0 * std::f64::consts::PI)).floor() as usize + 1;
        assert_eq!(run.events.len(), turns);
        for (k, event) in run.events.iter().enumerate() {
            assert_close(event.time, (0.5 + 2.0 * k as f64) * std::f64::consts::PI / w, 1e-12);
        }
    }
}
