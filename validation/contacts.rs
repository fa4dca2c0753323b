//! Several contacts: equivalent models have equal motions, and forbidden events do not occur.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

use crate::common::{assert_all_close, assert_close, run, run_with, system};
use saltation_model::{Model, Overrides};
use saltation_motion::{Ended, EventKind, Motion, Settings, StartError, System};

/// The pendulum from its Lagrangian and from its printed mass matrix moves identically through chattering, stick and
/// release.
#[test]
fn the_twins_of_the_double_pendulum_move_identically() {
    let (lagrangian, values) = system("double-pendulum", &[], &[]);
    let (mechanics, twin_values) = system("double-pendulum-mechanics", &[], &[]);
    assert_eq!(values, twin_values);
    let (a, b) = (run(&lagrangian, &values, 12.0), run(&mechanics, &twin_values, 12.0));
    assert_eq!(a.events.len(), b.events.len());
    for (x, y) in a.events.iter().zip(&b.events) {
        assert_eq!(x.kind, y.kind);
        assert_close(x.time, y.time, 1e-10);
    }
    let (path_a, path_b) = (a.trajectory.unwrap(), b.trajectory.unwrap());
    for k in 0..=240 {
        let time = 12.0 * k as f64 / 240.0;
        assert_all_close(&path_a.at(time), &path_b.at(time), 1e-10);
    }
}

/// Yoshitake et al., Eq. (39): the mass between two walls on its symmetric orbit with one impact on each per cycle. Section at phase 0,
/// nu = 1.2: the state returns after one period.
#[test]
fn the_orbit_between_two_walls_closes() {
    for (nu, y, v) in [
        (1.2, 0.92839156113195771, 1.31765069124415149),
        (1.1, 0.95757752288293107, 1.13234128652518997),
        (1.0, 0.98616540820515331, 0.92141459487372826),
    ] {
        let (system, mut values) = system("two-wall-oscillator", &[("nu", nu)], &[]);
        let states = system.state_names().len();
        assert_eq!(states, 3);
        values.start_from(&[y, v, 0.0]);
        let section = system.default_section().unwrap();
        let settings = Settings { until: 100.0, returns: Some((section, 1)), ..Settings::default() };
        let run = run_with(&system, &values, settings);
        assert_eq!(run.ended, Ended::ReachedReturns);
        assert_close(run.time, 2.0 * std::f64::consts::PI / nu, 1e-12);
        assert_eq!(run.count(EventKind::Impact), 2);
        assert_all_close(&run.state[..2], &[y, v], 1e-10);
    }
}

/// Yoshitake et al., Table 3: the impact damper's orbit at nu = 1.0852502 has two impacts per cycle and closes.
#[test]
fn the_orbit_of_the_impact_damper_closes() {
    let (system, values) = system("impact-damper", &[], &[]);
    let section = system.default_section().unwrap();
    let settings = Settings { until: 100.0, returns: Some((section, 1)), ..Settings::default() };
    let run = run_with(&system, &values, settings);
    assert_eq!(run.count(EventKind::Impact), 2);
    let contacts: Vec<_> = run.events.iter().filter_map(|e| e.contact).collect();
    assert_ne!(contacts[0], contacts[1]);
    assert_all_close(&run.state[..4], &values.start()[..4], 1e-11);
}

/// The image of a motion under the symmetry of its model is the motion from the image of its start: states at all times,
/// and each impact at the image of its contact. Off the symmetric orbits, so that the two motions differ.
#[test]
fn the_image_of_a_motion_is_a_motion() {
    let starts: [(&str, &[(&str, f64)]); 2] = [
        ("two-wall-oscillator", &[("y", 0.2), ("w", -0.9), ("phi", 0.4)]),
        ("impact-damper", &[("Y1", 0.3), ("V1", -1.1), ("Y2", 1.2), ("V2", 2.5), ("phi", 0.7)]),
    ];
    for (name, start) in starts {
        let (system, values) = system(name, &[], start);
        let symmetry = values.symmetry().cloned().unwrap();
        let mut image = values.start().to_vec();
        symmetry.apply(&mut image);
        let image = values.with_start(&image);
        let (here, there) = (run(&system, &values, 20.0), run(&system, &image, 20.0));
        assert!(here.count(EventKind::Impact) >= 5, "{name}");
        assert_eq!(here.events.len(), there.events.len());
        for (a, b) in here.events.iter().zip(&there.events) {
            assert_eq!(a.kind, b.kind);
            assert_eq!(a.contact.map(|contact| symmetry.contacts[contact]), b.contact);
            assert_close(a.time, b.time, 1e-12);
        }
        let (path, image_path) = (here.trajectory.unwrap(), there.trajectory.unwrap());
        for k in 0..=100 {
            let mut state = path.at(0.2 * f64::from(k));
            symmetry.apply(&mut state);
            let other = image_path.at(0.2 * f64::from(k));
            let last = state.len() - 1;
            // The steps are the same, so that only rounding is left: it differs, since the phase does.
            assert_all_close(&state[..last], &other[..last], 1e-12);
            assert_close((state[last] - other[last]).sin(), 0.0, 1e-12);
            assert!((state[last] - other[last]).cos() > 0.0);
        }
    }
}

fn model(text: &str) -> (System, saltation_model::Values) {
    let model = Model::parse(text, "test.toml").unwrap_or_else(|m| panic!("{m}"));
    let values = model.values(&Overrides::default()).unwrap_or_else(|m| panic!("{m}"));
    (System::new(&model), values)
}

const TWO_BALLS: &str = r#"
format = 1
name = "two-balls"
[parameters]
h = 2
[mechanics]
coordinates = ["x", "y"]
velocities = ["v", "w"]
M = [[1, 0], [0, 3]]
h = [-10, -30]
[contacts.left]
gap = "x"
restitution = 0.5
[contacts.right]
gap = "y"
restitution = 0.6
[start]
x = 1
v = 0
y = "h"
w = 0
"#;

/// Two balls that know nothing of each other come to rest one after the other, each at its own time, and both stay.
#[test]
fn independent_contacts_chatter_and_close_each_in_its_own_time() {
    let (system, values) = model(TWO_BALLS);
    let run = run(&system, &values, 20.0);
    assert_eq!(run.ended, Ended::ReachedTime);
    let sticks: Vec<_> = run.events.iter().filter(|e| e.kind == EventKind::Stick).collect();
    assert_eq!(sticks.len(), 2);
    let rest = |height: f64, e: f64| (2.0 * height / 10.0).sqrt() * (1.0 + e) / (1.0 - e);
    assert_close(sticks[0].time, rest(1.0, 0.5), 1e-11);
    assert_close(sticks[1].time, rest(2.0, 0.6), 1e-11);
    assert_eq!(system.mode_name(run.closed), "stick:left,stick:right");
    assert_eq!(run.state, [0.0, 0.0, 0.0, 0.0]);
}

/// Contacts that close at the same instant end the run, and the message names them.
#[test]
fn contacts_that_close_together_end_the_run() {
    let (system, values) = model(&TWO_BALLS.replace("h = 2", "h = 1"));
    let run = run(&system, &values, 20.0);
    assert_eq!(run.ended, Ended::ContactsTogether { contacts: vec![0, 1] });
    assert_close(run.time, 0.2_f64.sqrt(), 1e-12);
    let message = run.ended.describe(&system);
    assert!(message.contains("left") && message.contains("right"), "{message}");
}

/// A bar on two feet, without restitution, stands on the left one and falls on the right one; N_l M^-1 N_r = 1 - 1/inertia. A
/// bar of small inertia would be pressed down at the left at the same instant, which needs a law for both feet. One of
/// large inertia rocks: each impact lifts the other foot with a third of the speed, and all comes to rest after twice the
/// time of the first fall.
#[test]
fn an_impact_shakes_closed_contacts() {
    let bar = |inertia: f64| {
        model(&format!(
            r#"
format = 1
name = "bar"
[mechanics]
coordinates = ["y", "p"]
velocities = ["v", "w"]
M = [[1, 0], [0, {inertia}]]
h = [-10, 0]
[contacts.left]
gap = "y - p"
restitution = 0
[contacts.right]
gap = "y + p"
restitution = 0
[start]
y = 0.1
p = 0.1
v = 0
w = 0
"#
        ))
    };
    let (system, values) = bar(0.5);
    let pressed = run(&system, &values, 3.0);
    assert_eq!(pressed.ended, Ended::ContactsTogether { contacts: vec![0, 1] });
    let (system, values) = bar(2.0);
    let rocking = run(&system, &values, 3.0);
    assert_eq!(rocking.ended, Ended::ReachedTime);
    // With the left foot down the right one falls from 0.2 with the acceleration 20/3.
    let fall = (2.0 * 0.2 / (20.0 / 3.0_f64)).sqrt();
    let impacts: Vec<_> = rocking.events.iter().filter(|e| e.kind == EventKind::Impact).collect();
    assert_close(impacts[0].time, fall, 1e-14);
    assert_close(impacts[1].time, fall * (1.0 + 2.0 / 3.0), 1e-14);
    assert_close(impacts[5].time, fall * (2.0 - 1.0 / 243.0), 1e-14);
    assert_close(rocking.events.last().unwrap().time, 2.0 * fall, 1e-13);
    assert_eq!(system.mode_name(rocking.closed), "stick:left,stick:right");
    assert_all_close(&rocking.state, &[0.0; 4], 1e-15);
}

/// An impact without restitution sticks at once.
#[test]
fn an_impact_without_restitution_sticks() {
    let (system, values) = system("bouncing-ball", &[("e", 0.0)], &[]);
    let run = run(&system, &values, 3.0);
    let kinds: Vec<_> = run.events.iter().map(|e| e.kind).collect();
    assert_eq!(kinds, [EventKind::Impact, EventKind::Stick]);
    assert_eq!(run.events[0].speed_after, 0.0);
    assert_eq!(run.state, [0.0, 0.0]);
}

/// Elastic bounces never end and keep their energy.
#[test]
fn elastic_bounces_go_on() {
    let (system, values) = system("bouncing-ball", &[("e", 1.0)], &[]);
    let run = run(&system, &values, 200.0);
    assert_eq!(run.ended, Ended::ReachedTime);
    assert_eq!(run.count(EventKind::Chatter), 0);
    let flight = 2.0 * (2.0_f64 / 9.8).sqrt();
    assert_eq!(run.count(EventKind::Impact), (200.0 / flight + 0.5) as usize);
    assert_close(run.events.last().unwrap().speed_before, -(2.0_f64 * 9.8).sqrt(), 1e-10);
}

/// Starts on the surface: before an impact, separating, in persistent contact; and inside, which is rejected with the contact and the depth.
#[test]
fn starts_on_a_surface_are_understood() {
    let start = |x: f64, v: f64| system("bouncing-ball", &[], &[("x", x), ("v", v)]);
    let (ball, values) = start(0.0, -2.0);
    let before = run(&ball, &values, 0.1);
    assert_eq!((before.events[0].kind, before.events[0].time), (EventKind::Impact, 0.0));
    let (ball, values) = start(0.0, 2.0);
    let leaving = run(&ball, &values, 0.45);
    assert_eq!(leaving.events[0].kind, EventKind::Impact);
    assert_close(leaving.events[0].time, 4.0 / 9.8, 1e-13);
    let (ball, values) = start(0.0, 0.0);
    let rest = run(&ball, &values, 1.0);
    assert_eq!(rest.events.len(), 1);
    assert_eq!((rest.events[0].kind, rest.events[0].time), (EventKind::Stick, 0.0));
    // The library's own check, for starts that are set after the model's.
    let (ball, mut values) = start(0.0, 0.0);
    values.set_start(0, -0.25).unwrap();
    match Motion::new(&ball, &values, Settings::default()) {
        Err(StartError::Inside { contact, gap }) => {
            assert_eq!((contact.as_str(), gap), ("ground", -0.25))
        }
        other => panic!("{other:?}"),
    }
}

/// The same run gives the same bits, and results may cross threads.
#[test]
fn runs_are_reproducible_and_can_be_sent() {
    fn sendable<T: Send + Sync>(value: T) -> T {
        value
    }
    let (system, values) = system("double-pendulum", &[], &[]);
    let reference = sendable(run(&system, &values, 20.0));
    let system = sendable(&system);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(|| run(system, &values, 20.0))).collect();
        for thread in threads {
            let run = thread.join().unwrap();
            assert_eq!(run.events, reference.events);
            assert_eq!(run.state, reference.state);
        }
    });
}

/// Sections: a turn of an angle is found at every turn, in its direction only, and chattering does not jump over one.
#[test]
fn every_return_to_a_section_is_found() {
    let (system, values) = system("double-pendulum", &[], &[]);
    let run = run(&system, &values, 62.0);
    let turns: Vec<_> = run.events.iter().filter(|e| e.kind == EventKind::Section).collect();
    assert_eq!(turns.len(), 10);
    for (k, turn) in turns.iter().enumerate() {
        assert_close(turn.time, 6.170196095475 * (k + 1) as f64, 1e-6);
        assert_close(turn.before[0], std::f64::consts::FRAC_PI_2 - 2.0 * std::f64::consts::PI * (k + 1) as f64, 1e-12);
    }
}

/// Chattering completes in every period of a forced model, with any section.
#[test]
fn chattering_completes_in_every_period() {
    let set = [("e", 0.3), ("zeta", 0.3)];
    let start = [("x1", 1.0), ("x2", 0.0), ("x3", 0.0)];
    let (system, values) = system("forced-oscillator", &set, &start);
    let plain = run(&system, &values, 20.0);
    let section = system.default_section().unwrap();
    let settings = Settings { until: 20.0, returns: Some((section, 100)), ..Settings::default() };
    let watched = run_with(&system, &values, settings);
    for kind in [EventKind::Impact, EventKind::Chatter, EventKind::Stick, EventKind::Release] {
        assert_eq!(plain.count(kind), watched.count(kind));
    }
    assert_eq!(plain.count(EventKind::Chatter), 3);
    assert!(plain.count(EventKind::Impact) < 40);
    assert_eq!(plain.state, watched.state);
}

/// A section that every bounce passes has infinitely many passages; the ball comes to rest all the same. One that coincides with
/// the floor is touched and never passed.
#[test]
fn sections_do_not_hold_up_a_ball() {
    let ball = |when: &str, direction: &str| {
        model(&format!(
            r#"
format = 1
name = "ball"
[mechanics]
coordinates = ["x"]
velocities = ["v"]
M = [[1]]
h = [-9.8]
[contacts.floor]
gap = "x"
restitution = 0.8
[sections.watched]
when = "{when}"
{direction}
[start]
x = 1
v = 0
"#
        ))
    };
    for (when, direction, fewest, most) in [
        ("v", "falling", 80, 120),
        // An impact leaps over it.
        ("v", "rising", 0, 0),
        ("x", "any", 0, 0),
        ("x - 1e-9", "falling", 47, 47),
        ("x - 0.5", "any", 3, 3),
        ("contact floor", "any", 30, 60),
    ] {
        let line = if when.starts_with("contact") { String::new() } else { format!("direction = \"{direction}\"") };
        let (system, values) = ball(when, &line);
        let run = run(&system, &values, 10.0);
        assert_eq!(run.ended, Ended::ReachedTime, "{when}");
        assert_close(run.first(EventKind::Stick).unwrap().time, (2.0_f64 / 9.8).sqrt() * 1.8 / 0.2, 1e-12);
        let passages = run.count(EventKind::Section);
        assert!((fewest..=most).contains(&passages), "{passages} passages of {when}, {direction}");
    }
    // Without an end time the run ends with the last return, or when nothing happens any more.
    let (system, values) = ball("x - 0.5", "direction = \"any\"");
    for (count, ended) in [(3, Ended::ReachedReturns), (4, Ended::NeverReturns)] {
        let settings = Settings { returns: Some((0, count)), ..Settings::default() };
        let run = run_with(&system, &values, settings);
        assert_eq!(run.ended, ended);
        assert!(run.state.iter().all(|x| x.is_finite()));
    }
}

/// Two masses above each other, of which the upper one lands on the lower one while that one bounces: impacts at both contacts
/// alternate ever faster, and the run ends with the reason instead of running on at the limit of numbers.
#[test]
fn contacts_that_chatter_against_each_other_end_the_run() {
    for upper in [10.0, 1.0, 0.1] {
        let (system, values) = model(&format!(
            r#"
format = 1
name = "stack"
[mechanics]
coordinates = ["x", "y"]
velocities = ["v", "w"]
M = {{ diagonal = [1, {upper}] }}
h = [-9.8, "-9.8*{upper}"]
[contacts.floor]
gap = "x"
restitution = 0.6
[contacts.mid]
gap = "y - x - 1"
restitution = 0.6
[start]
x = 0.2
y = 2
v = 0
w = 0
"#
        ));
        let run = run(&system, &values, 5.0);
        assert_eq!(run.ended, Ended::ContactsTogether { contacts: vec![0, 1] }, "{upper}");
        assert!(run.time < 3.0);
    }
}

/// The path along the surface at the end of a chattering sequence stays on it, also where the surface is curved.
#[test]
fn the_path_stays_outside_at_the_end_of_chattering() {
    let (system, values) = system("double-pendulum", &[], &[]);
    let run = run(&system, &values, 30.0);
    let path = run.trajectory.as_ref().unwrap();
    let chatters: Vec<_> = run.events.iter().filter(|e| e.kind == EventKind::Chatter).collect();
    assert!(chatters.len() >= 4);
    for chatter in chatters {
        for k in 0..=100 {
            let state = path.at(chatter.time + chatter.duration * k as f64 / 100.0);
            let gap = state[0].sin() + state[1].sin() + 0.5;
            assert!(gap.abs() < 1e-12, "{gap:e}");
        }
    }
}
