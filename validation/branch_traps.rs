//! Branches of orbits in difficult cases: every admissible point is found again by shooting, and spurious orbits are
//! rejected.

use crate::common::{assert_close, free, settled};
use saltation_model::{Model, Overrides, Values};
use saltation_motion::System;
use saltation_orbit::branch::{self, Branch, Ended, Place, SpecialKind};
use saltation_orbit::curve::{self, Origin};
use saltation_orbit::{Orbit, Settings, find};

/// A model given by its text with one parameter free.
fn parse(text: &str, set: &[(&str, &str)], along: &str) -> (System, Values) {
    let model = Model::parse(text, "test.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let set = set.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let following = model.values(&Overrides { set, start: vec![] }).and_then(|values| values.along(&[along])).unwrap();
    (System::new(&model), following)
}

fn follow(system: &System, following: &Values, orbit: &Orbit, range: (f64, f64), switch: bool) -> Vec<Branch> {
    let settings = branch::Settings { switch, ..branch::Settings::between(range.0, range.1) };
    branch::follow(system, following, orbit, &settings, &mut |_, _| true).unwrap()
}

/// Shoots from the state of every admissible point, at its parameters: the same orbit must be there. Returns how many were compared.
fn shoot_again(system: &System, following: &Values, branch: &Branch, orbit: &Orbit, returns: u64) -> usize {
    let mut compared = 0;
    for point in branch.points.iter().filter(|point| point.admissible) {
        // Where shooting itself fails: next to a graze, on very unstable orbits, and where two orbits meet.
        let slow = point.impact_speeds.iter().any(|v| v.abs() < 1e-4);
        let low = point.gaps.iter().flatten().any(|gap| gap.abs() < 1e-6);
        let wild = point.multipliers.iter().any(|m| m.norm() > 1e3 || (m.re - 1.0).hypot(m.im) < 1e-3);
        if slow || low || wild || point.multipliers.is_empty() {
            continue;
        }
        let values = following.at_free(&[branch.value(point)]).with_start(&point.state);
        let settings = Settings { returns, ..Settings::through(orbit.section) };
        let search = find(system, &values, &settings, &mut |_| true);
        let found = search.orbit.unwrap_or_else(|| panic!("{:?} at {}", search.ended, branch.value(point)));
        assert_close(found.period, point.period, 1e-8 * point.period);
        // Shooting may report the orbit at another of its returns.
        let near =
            |state: &Vec<f64>| state.iter().zip(&point.state).all(|(x, y)| (x - y).abs() < 1e-6 * (1.0 + y.abs()));
        let told = found.points.iter().any(near);
        assert!(told, "{:?} for {:?} at {}", found.points, point.state, branch.value(point));
        for (m, n) in found.multipliers.iter().zip(&point.multipliers) {
            assert_close(m.norm(), n.norm(), 1e-4 * (1.0 + n.norm()));
        }
        compared += 1;
    }
    compared
}

/// A model of the gallery with its settings, the parameter, returns, returns of the transient, and the range.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str, (u64, u64), (f64, f64));

#[test]
fn every_admissible_point_is_found_by_shooting() {
    let cases: [Case; 7] = [
        ("impact-oscillator", &[("A", "0.35")], "A", (2, 400), (0.34, 0.36)),
        ("two-wall-oscillator", &[("nu", "1.1")], "nu", (1, 200), (0.85, 1.25)),
        // The section is passed in either half of the orbit.
        ("two-wall-oscillator", &[("nu", "1.1")], "Delta", (1, 200), (0.2, 1.5)),
        ("impact-damper", &[("nu", "1.2")], "nu", (1, 600), (1.06, 1.4)),
        ("ball-on-table", &[], "K", (1, 0), (0.17, 1.2)),
        // The section is passed while the stop is chattered against.
        ("forced-oscillator", &[("e", "0.2")], "sigma", (1, 60), (-0.2, 0.8)),
        ("coco-impact", &[("A", "0.05")], "w", (1, 300), (0.6, 1.4)),
    ];
    for (name, set, along, (returns, settle), range) in cases {
        let (system, following) = free(name, set, &[along]);
        let orbit = settled(&system, &following, returns, settle);
        let found = follow(&system, &following, &orbit, range, false);
        let compared = shoot_again(&system, &following, &found[0], &orbit, returns);
        assert!(compared > 8, "{name} along {along}: {compared} of {}", found[0].points.len());
        // The state is reported as that of the orbit.
        let start = found[0].points.iter().find(|point| found[0].value(point) == following.free_values()[0]).unwrap();
        for (x, y) in start.state.iter().zip(&orbit.state) {
            assert_close(*x, *y, 1e-9 * (1.0 + y.abs()));
        }
    }
}

const PHASE_IS_TIME: &str = r#"
    format = 1
    name = "time"
    [parameters]
    f = 0.13
    omega = "2*pi*f"
    A = 0.2
    [phase.t]
    rate = "1"
    period = "2*pi/omega"
    [mechanics]
    coordinates = ["x"]
    velocities = ["y"]
    M = [[1]]
    h = ["A*cos(omega*t) - 0.04*y - x - 1"]
    [contacts.wall]
    gap = "-x"
    restitution = 0.9
    [start]
    x = -0.5
    y = 0
    t = 0
"#;

/// Parameters that follow by formula, and a period of the phase that depends on them.
#[test]
fn the_period_of_the_phase_may_vary() {
    let (system, following) = parse(PHASE_IS_TIME, &[], "f");
    let orbit = settled(&system, &following, 1, 400);
    let found = follow(&system, &following, &orbit, (0.08, 0.15), false);
    for point in &found[0].points {
        let w = std::f64::consts::TAU * found[0].value(point);
        assert_close(point.period, std::f64::consts::TAU / w, 1e-11);
        let d = (1.0 - w * w).powi(2) + (0.04 * w).powi(2);
        assert_close(point.state[0], -1.0 + 0.2 * (1.0 - w * w) / d, 1e-10);
    }
    // Grazes where A = sqrt(d).
    let graze = found[0].special.iter().find(|special| special.kind == SpecialKind::Graze).unwrap();
    let w = std::f64::consts::TAU * found[0].value(&graze.point);
    assert_close(((1.0 - w * w).powi(2) + (0.04 * w).powi(2)).sqrt(), 0.2, 1e-11);
}

/// A phase that runs backward: two loops without impact are one, as with one that runs forward.
#[test]
fn the_phase_may_run_backward() {
    let text = PHASE_IS_TIME
        .replace("rate = \"1\"", "rate = \"-1\"")
        .replace("f = 0.13", "f = 0.12891550390443522")
        .replace("A = 0.2", "A = 0.35");
    let (system, following) = parse(&text, &[], "A");
    let orbit = settled(&system, &following, 2, 400);
    let found = follow(&system, &following, &orbit, (0.34, 0.36), true);
    let quiet = found.iter().find(|branch| branch.marks().is_empty()).unwrap();
    assert_close(quiet.points[0].period, std::f64::consts::TAU / 0.81, 1e-10);
    let doubling = found[0].special.iter().find(|s| s.kind == SpecialKind::PeriodDoubling).unwrap();
    assert_close(found[0].value(&doubling.point), 0.347533397412283, 1e-10);
}

const TWO_WALLS_BEHIND_EACH_OTHER: &str = r#"
    format = 1
    name = "behind"
    [parameters]
    a = 1.3
    b = 1
    [phase.phi]
    rate = 0.9
    period = "2*pi"
    [mechanics]
    coordinates = ["x"]
    velocities = ["v"]
    M = [[1]]
    h = ["0.8*cos(phi) - 0.2*v - x"]
    [contacts.behind]
    gap = "a - x"
    restitution = 0.7
    [contacts.front]
    gap = "b - x"
    restitution = 0.7
    [start]
    x = 0
    v = 0
    phi = 0
"#;

/// The wall behind comes to the front: an orbit that would have to go through it is none, although no gap has a smooth minimum there.
#[test]
fn walls_that_are_passed_at_an_impact_are_seen() {
    let (system, following) = parse(TWO_WALLS_BEHIND_EACH_OTHER, &[], "a");
    let orbit = settled(&system, &following, 1, 300);
    let found = follow(&system, &following, &orbit, (0.3, 2.0), false);
    for point in &found[0].points {
        let value = found[0].value(point);
        if (value - 1.0).abs() > 1e-9 {
            assert_eq!(point.admissible, value > 1.0, "{value}");
        }
    }
    // Where they are level, one more contact is touched.
    let level = found[0].special.iter().find(|special| special.kind == SpecialKind::Graze).unwrap();
    assert_close(found[0].value(&level.point), 1.0, 1e-9);
}

const PLASTIC: &str = r#"
    format = 1
    name = "plastic"
    [parameters]
    omega = 1
    e = 0
    [phase.p]
    rate = "omega"
    period = "2*pi"
    [flow]
    x = "v"
    v = "-x - 0.2*v + cos(p)"
    [contacts.stop]
    gap = "x"
    jump = { v = "-e*v" }
    [start]
    x = 0.5
    v = 0
    p = 0
"#;

/// Impact, stick, release: only without restitution, and only while the contact is pressed together from the start.
#[test]
fn contact_that_begins_must_be_pressed_together() {
    let (system, following) = parse(PLASTIC, &[], "e");
    let orbit = settled(&system, &following, 1, 30);
    assert_eq!(orbit.signature_words(&system), ["impact:stop", "stick:stop", "release:stop"]);
    let found = follow(&system, &following, &orbit, (0.0, 0.4), false);
    for point in found[0].points.iter().filter(|point| !(1e-15..1e-10).contains(&found[0].value(point))) {
        assert_eq!(point.admissible, found[0].value(point) == 0.0);
    }
    let (system, following) = parse(PLASTIC, &[], "omega");
    let found = follow(&system, &following, &orbit, (0.1, 3.0), false);
    let (mut inside, mut outside) = (0, 0);
    // At a border itself rounding decides what happens there.
    let border: Vec<usize> = found[0].special.iter().map(|special| special.index).collect();
    for (index, point) in found[0].points.iter().enumerate() {
        if border.contains(&index) || point.impact_speeds[0].abs() < 1e-3 {
            continue;
        }
        let values = following.at_free(&[found[0].value(point)]).with_start(&point.state);
        let settings = Settings { settle: 3, ..Settings::through(orbit.section) };
        let Some(real) = find(&system, &values, &settings, &mut |_| true).orbit else { continue };
        let same = real.signature == orbit.signature || real.signature.len() == 3;
        if point.admissible {
            assert!(same, "{} at {}", real.signature_words(&system).join(" "), found[0].value(point));
            inside += 1;
        } else {
            outside += 1;
        }
    }
    assert!(inside > 10 && outside > 0, "{inside} {outside}");
}

/// A special point exactly at the start, and one exactly at the end of the range.
#[test]
fn starts_and_ends_may_be_special() {
    let (system, following) = free("ball-on-table", &[("K", "1.0163107123046228")], &["K"]);
    let orbit = settled(&system, &following, 1, 0);
    let found = follow(&system, &following, &orbit, (0.16534698176788385, 1.2), true);
    let kinds: Vec<SpecialKind> = found[0].special.iter().map(|special| special.kind).collect();
    assert!(kinds.contains(&SpecialKind::PeriodDoubling), "{kinds:?}");
    assert!(found.len() > 1);
    let (system, following) = free("two-wall-oscillator", &[("nu", "1.22304360641821")], &["nu"]);
    let orbit = settled(&system, &following, 1, 0);
    let found = follow(&system, &following, &orbit, (0.9, 1.3), false);
    let kinds: Vec<SpecialKind> = found[0].special.iter().map(|special| special.kind).collect();
    assert_eq!(kinds, [SpecialKind::SymmetryBreaking]);
}

/// A closed curve of orbits is reported once, also where the phase of its impacts has completed a turn; its symmetric image has branches
/// of its own, and no branch is reported twice.
#[test]
fn closed_branches_are_told_once() {
    let (system, following) = free("coco-impact", &[("A", "0.05")], &["d"]);
    let orbit = settled(&system, &following, 1, 300);
    let found = follow(&system, &following, &orbit, (-2.0, 2.0), true);
    let closed: Vec<&Branch> = found.iter().filter(|branch| branch.ended[1] == Ended::Closed).collect();
    assert!(!closed.is_empty(), "{:?}", found.iter().map(|b| b.ended.clone()).collect::<Vec<_>>());
    assert!(closed.iter().all(|branch| branch.points.len() < 400));

    let (system, following) = free("two-wall-oscillator", &[("nu", "1.1")], &["nu"]);
    let orbit = settled(&system, &following, 1, 200);
    let found = follow(&system, &following, &orbit, (0.8, 1.2), true);
    let words = |branch: &Branch| branch.signature.words(&system).join(" ");
    let single = |wall: &str| found.iter().filter(|branch| words(branch) == format!("impact:{wall}")).count();
    assert_eq!((single("upper"), single("lower")), (1, 1));
}

/// Curves of grazes between events: the node that stands at the minimum is not found again as another one.
#[test]
fn a_grazing_minimum_is_not_told_as_another() {
    let (system, following) = free("impact-oscillator", &[("A", "0.2")], &["A"]);
    let orbit = settled(&system, &following, 1, 300);
    let found = follow(&system, &following, &orbit, (0.2, 0.36), false);
    let graze = &found[0].special[0];
    assert!(matches!(graze.place, Place::Between { .. }));
    let (_, both) = free("impact-oscillator", &[("A", "0.2")], &["A", "omega"]);
    let origin = Origin::of(&found[0], graze, &orbit);
    let along = curve::follow(&system, &both, &origin, &curve::Settings::between(0.2, 3.0), &mut |_, _| true).unwrap();
    assert!(along.special.is_empty(), "{:?}", along.special.iter().map(|s| s.kind).collect::<Vec<_>>());
    assert!(along.points.iter().all(|point| point.admissible));
}

/// Answers are plain data that any thread may hold, the same every time; a caller who stops keeps what is done.
#[test]
fn answers_are_plain_data_and_keep_what_is_done() {
    fn plain<T: Send + Sync + Clone>() {}
    plain::<Branch>();
    plain::<curve::SpecialCurve>();
    plain::<Origin>();
    let (system, following) = free("impact-oscillator", &[("A", "0.35")], &["A"]);
    let orbit = settled(&system, &following, 2, 400);
    let settings = branch::Settings::between(0.34, 0.36);
    let run =
        |most: usize| branch::follow(&system, &following, &orbit, &settings, &mut |n, _| n < most).unwrap().remove(0);
    let (once, again, short) = (run(usize::MAX), run(usize::MAX), run(6));
    assert_eq!(once.points, again.points);
    assert_eq!(short.ended, [Ended::Interrupted, Ended::Interrupted]);
    assert!(short.points.len() > 2 && short.points.iter().all(|point| once.points.contains(point)));
    let few = branch::Settings { points: 3, ..settings.clone() };
    let few = branch::follow(&system, &following, &orbit, &few, &mut |_, _| true).unwrap().remove(0);
    assert_eq!(few.ended, [Ended::Points, Ended::Points]);
    let outside = branch::Settings::between(0.4, 0.5);
    let refused = branch::follow(&system, &following, &orbit, &outside, &mut |_, _| true).unwrap_err();
    assert_eq!(refused, branch::StartError::OutOfRange { low: 0.4, high: 0.5, value: 0.35 });
}
