//! Branches of equilibria along a parameter: bifurcations in closed form, and the limit cycles that bifurcate from them.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

use crate::common::{assert_all_close, assert_close};
use saltation_model::{Model, Overrides, Values, gallery};
use saltation_motion::{ClosedSet, System};
use saltation_orbit::Equilibrium;
use saltation_orbit::branch::{self as orbits, Ended, SpecialKind};
use saltation_orbit::equilibrium::branch::{self, EquilibriumBranch, Special};
use saltation_orbit::equilibrium::{self, find};
use std::f64::consts::{PI, TAU};

/// The one equilibrium of a mode.
#[track_caller]
fn only(system: &System, values: &Values, closed: ClosedSet) -> Equilibrium {
    let settings = equilibrium::Settings { closed: Some(closed), ..Default::default() };
    let found = find(system, values, &settings).unwrap();
    assert_eq!(found.equilibria.len(), 1, "{found:?}");
    found.equilibria.into_iter().next().unwrap()
}

fn wall() -> ClosedSet {
    ClosedSet::NONE.with(0)
}

/// A model of the gallery with other parameters, one of them free.
fn free(name: &str, set: &[(&str, f64)], along: &str) -> (System, Values) {
    let model = gallery::model(name).unwrap().unwrap();
    let set = set.iter().map(|(name, value)| (name.to_string(), format!("{value:e}"))).collect();
    let following =
        model.values(&Overrides { set, start: Vec::new() }).and_then(|values| values.along(&[along])).unwrap();
    (System::new(&model), following)
}

/// A model given by its text, with one free parameter.
fn text(text: &str, along: &str) -> (System, Values) {
    let model = Model::parse(text, "test.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let following = model.values(&Overrides::default()).and_then(|values| values.along(&[along])).unwrap();
    (System::new(&model), following)
}

/// The branch of the one equilibrium of a mode.
#[track_caller]
fn branch((system, following): &(System, Values), closed: ClosedSet, (low, high): (f64, f64)) -> EquilibriumBranch {
    let rest = only(system, following, closed);
    let settings = branch::Settings::between(low, high);
    let branch = branch::follow(system, following, &rest, &settings, &mut |_, _| true).unwrap();
    for pair in branch.points.windows(2) {
        assert!(pair[0].unknowns != pair[1].unknowns, "no point is told twice");
    }
    for special in &branch.special {
        assert_eq!(special.point, branch.points[special.index]);
    }
    branch
}

/// The kinds and places of the special points, sorted by place.
fn places(branch: &EquilibriumBranch) -> Vec<(SpecialKind, f64)> {
    branch.special.iter().map(|special| (special.kind, branch.value(&special.point))).collect()
}

#[track_caller]
fn assert_places(branch: &EquilibriumBranch, expected: &[(SpecialKind, f64)], tolerance: f64) {
    let found = places(branch);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.0, expected.0, "{found:?} {expected:?}");
        assert_close(found.1, expected.1, tolerance);
    }
}

/// The rest of the valve along the inflow, its Hopf bifurcation, and the oscillation that begins there as far as its first graze:
/// the figures of the Hopf point from the polynomial of its eigenvalues, those of the graze from an independent collocation code.
#[test]
fn the_oscillation_of_the_valve_begins_and_grazes() {
    let valve = free("relief-valve", &[("q", 7.0)], "q");
    let branch = branch(&valve, ClosedSet::NONE, (1.0, 10.0));
    assert_eq!(branch.ended, [Ended::Range { value: 1.0 }, Ended::Range { value: 10.0 }]);
    assert_places(&branch, &[(SpecialKind::Hopf, 8.4911176352)], 1e-10);
    let special = &branch.special[0];
    assert_close(special.point.state[0], 2.4103132377, 1e-10);
    assert_close(special.hopf.unwrap().period(), 2.0329269486, 1e-10);
    for point in &branch.points {
        let (q, y) = (branch.value(point), point.state[0]);
        assert_close(y * (y + 10.0).sqrt(), q, 1e-13 * q);
        assert!(point.admissible && (point.stable == (q > branch.value(&special.point))) || point == &special.point);
    }
    let settings = orbits::Settings::between(7.4, 8.6);
    let cycles = branch::follow_cycle(&valve.0, &valve.1, special, &settings, &mut |_, _| true).unwrap();
    assert_eq!(cycles.ended[0], Ended::Border { kind: SpecialKind::Hopf });
    let graze = cycles.special.iter().find(|special| special.kind == SpecialKind::Graze).unwrap();
    assert!(matches!(graze.place, orbits::Place::Between { contact: 0, .. }));
    assert_close(cycles.value(&graze.point), 7.557210972, 1e-9);
    assert_close(graze.point.period, 2.656012148, 1e-9);
    // The cycles begin small, with the period of the linear oscillation, where the rest is unstable.
    let first = &cycles.points[0];
    assert_close(first.period, special.hopf.unwrap().period(), 1e-2);
    assert!(first.stable && first.admissible && cycles.value(first) < branch.value(&special.point));
}

/// x' = p - x^2 with a state that follows: a fold at p = 0, and the same in units of 1e-6.
#[test]
fn a_fold_is_where_the_parabola_turns() {
    for unit in [1.0, 1e-6, 1e6] {
        let saddle_node = text(
            &format!(
                "format = 1\nname = \"fold\"\n[parameters]\np = 1\nu = {unit:e}\n[flow]\nx = \"(p - (x/u)^2)*u\"\n\
                 y = \"x - 2*y\"\n[start]\nx = {unit:e}\ny = {unit:e}\n"
            ),
            "p",
        );
        let branch = branch(&saddle_node, ClosedSet::NONE, (-1.0, 2.0));
        assert_eq!(branch.ended, [Ended::Range { value: 2.0 }, Ended::Range { value: 2.0 }]);
        assert_places(&branch, &[(SpecialKind::Fold, 0.0)], 1e-15);
        assert_close(branch.special[0].point.state[0] / unit, 0.0, 1e-9);
        for point in &branch.points {
            let (x, y, p) = (point.state[0] / unit, point.state[1] / unit, branch.value(point));
            assert_close(x * x, p, 1e-14);
            assert_close(y, 0.5 * x, 1e-14);
            assert_eq!(point.stable, x > 1e-9);
        }
        assert!(branch.points.first().unwrap().state[0] < 0.0 && branch.points.last().unwrap().state[0] > 0.0);
    }
}

/// A plate on a spring drawn by a charge, x'' + c x' + x = V/(1 - x)^2 with a stop at x = 1/2: it is drawn in at V = 4/27 and x = 1/3,
/// and beyond that fold it would touch the stop at V = 1/8. Resting at the stop it is held by the force V/(1 - x)^2 - x, which is
/// zero for the same V. In micrometres as in metres.
#[test]
fn the_plate_is_drawn_in_and_lets_go() {
    for unit in [1.0, 1e-6] {
        let plate = text(
            &format!(
                "format = 1\nname = \"plate\"\n[parameters]\nV = 0.1\nU = \"V^2\"\nL = {unit:e}\n\
                 [mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\n\
                 M = [[1]]\nh = [\"-0.3*v - x + L*V/(1 - x/L)^2\"]\n[contacts.stop]\ngap = \"L/2 - x\"\nrestitution = 0.5\n\
                 [start]\nx = {:e}\nv = 0\n",
                0.1 * unit
            ),
            "V",
        );
        let free = branch(&plate, ClosedSet::NONE, (0.05, 0.2));
        assert_places(&free, &[(SpecialKind::Fold, 4.0 / 27.0), (SpecialKind::Boundary, 0.125)], 1e-14);
        assert_close(free.special[0].point.state[0] / unit, 1.0 / 3.0, 1e-7);
        assert_eq!(free.special[1].contact, Some(0));
        assert_close(free.special[1].point.state[0] / unit, 0.5, 1e-12);
        for point in &free.points {
            let x = point.state[0] / unit;
            assert_close(x * (1.0 - x).powi(2), free.value(point), 1e-13);
            assert_close(point.parameters[1], free.value(point).powi(2), 1e-15);
            assert_eq!(point.admissible, x < 0.5 + 1e-9);
            assert!((x - 1.0 / 3.0).abs() < 1e-7 || point.stable == (x < 1.0 / 3.0));
        }
        let held = branch(&plate, wall(), (0.05, 0.2));
        assert_places(&held, &[(SpecialKind::Boundary, 0.125)], 1e-14);
        assert_eq!((held.special[0].contact, held.special[0].point.closed), (Some(0), wall()));
        for point in &held.points {
            let value = held.value(point);
            // The force is the factor of the gap's gradient, -1 here.
            assert_close(point.contact_forces[0] / unit, 4.0 * value - 0.5, 1e-13);
            assert_eq!(point.admissible, value >= 0.125 - 1e-14);
        }
    }
}

/// The Brusselator x' = a - (b + 1) x + x^2 y, y' = b x - x^2 y has its Hopf bifurcation at b = 1 + a^2 with the frequency a; held
/// along with it are two real eigenvalues of opposite sign, whose sum vanishes at b = 4 and is nothing.
#[test]
fn the_brusselator_begins_to_oscillate() {
    let mut ends: Vec<(f64, Vec<f64>)> = Vec::new();
    for unit in [1.0, 1e-6] {
        let brusselator = text(
            &format!(
                "format = 1\nname = \"brusselator\"\n[parameters]\na = 1.5\nb = 2\nu = {unit:e}\n\
                 [flow]\nx = \"u*(a - (b + 1)*x/u + (x/u)^2*y/u)\"\ny = \"u*(b*x/u - (x/u)^2*y/u)\"\nz = \"z\"\nw = \"(3 - b)*w\"\n\
                 [start]\nx = {unit:e}\ny = {unit:e}\nz = {unit:e}\nw = {unit:e}\n"
            ),
            "b",
        );
        let branch = branch(&brusselator, ClosedSet::NONE, (1.0, 5.0));
        // At b = 3 another curve crosses: w is free.
        assert_places(&branch, &[(SpecialKind::BranchPoint, 3.0), (SpecialKind::Hopf, 3.25)], 1e-12);
        assert_close(branch.special[1].hopf.unwrap().frequency, 1.5, 1e-12);
        assert_all_close(&branch.special[1].point.state[..2], &[1.5 * unit, 3.25 / 1.5 * unit], 1e-12 * unit);
        // Its oscillation.
        let settings = orbits::Settings::between(3.0, 3.5);
        let (system, following) = &brusselator;
        let cycles = branch::follow_cycle(system, following, &branch.special[1], &settings, &mut |_, _| true).unwrap();
        assert_eq!(cycles.ended[1], Ended::Range { value: 3.5 });
        let last = cycles.points.last().unwrap();
        ends.push((last.period, last.multipliers.iter().map(|m| m.norm()).collect()));
    }
    let [(period, multipliers), (small, of_small)] = &ends[..] else { panic!() };
    assert_close(*small, *period, 1e-10);
    for (a, b) in of_small.iter().zip(multipliers) {
        assert_close(a / b, 1.0, 1e-8);
    }
}

/// A small cycle of x'' + x = (p - x^2) x': by averaging its amplitude is 2 sqrt p with the period 2 pi (1 + p^2/16), on top of
/// a body in contact with the floor.
#[test]
fn oscillations_begin_in_contact_too() {
    let resting = text(
        "format = 1\nname = \"resting\"\n[parameters]\np = -0.5\n[flow]\nx = \"v\"\nv = \"(p - x^2)*v - x\"\n\
         h = \"s\"\ns = \"x - 9\"\n[contacts.floor]\ngap = \"h\"\njump = { s = \"-0.5*s\" }\n[start]\nx = 1\nv = 1\nh = 0\ns = 0\n",
        "p",
    );
    let branch = branch(&resting, wall(), (-1.0, 1.0));
    assert_places(&branch, &[(SpecialKind::Hopf, 0.0)], 1e-13);
    assert_close(branch.special[0].hopf.unwrap().period(), TAU, 1e-13);
    let settings = orbits::Settings::between(-1.0, 0.1);
    let cycles = branch::follow_cycle(&resting.0, &resting.1, &branch.special[0], &settings, &mut |_, _| true).unwrap();
    assert_eq!(cycles.ended[1], Ended::Range { value: 0.1 });
    for point in &cycles.points {
        let p = cycles.value(point);
        assert!(p > 0.0 && point.admissible);
        assert_close(point.period, TAU * (1.0 + p * p / 16.0), 0.2 * p.powi(3) + 1e-9);
        assert_all_close(&point.state[2..], &[0.0, 0.0], 1e-15);
        // The tip of an axis: an amplitude of the oscillation.
        assert_close(point.state[0].hypot(point.state[1]), 2.0 * p.sqrt(), 2.0 * p.sqrt() * 0.5 * p + 1e-6);
    }
    let no_hopf = branch::follow_cycle(
        &resting.0,
        &resting.1,
        &Special { hopf: None, ..branch.special[0].clone() },
        &settings,
        &mut |_, _| true,
    );
    assert!(matches!(no_hopf, Err(branch::NoCycle::Kind(SpecialKind::Hopf))));
}

/// A pendulum in a frame that rotates at the rate W stands straight until W^2 = g/L; the curve that crosses there has
/// cos a = g/(L W^2). Without friction all its eigenvalues lie on the axis, which is no Hopf bifurcation.
#[test]
fn the_rotating_pendulum_leaves_its_axis() {
    for friction in [0.1, 0.0] {
        let pendulum = text(
            &format!(
                "format = 1\nname = \"governor\"\n[parameters]\nW = 2\nc = {friction}\n[mechanics]\ncoordinates = [\"a\"]\nvelocities = [\"w\"]\n\
                 M = [[1]]\nh = [\"W^2*sin(a)*cos(a) - 9*sin(a) - c*w\"]\n[angles]\na = \"2*pi\"\n[start]\na = 0\nw = 0\n"
            ),
            "W",
        );
        let straight = branch(&pendulum, ClosedSet::NONE, (1.0, 5.0));
        assert_places(&straight, &[(SpecialKind::BranchPoint, 3.0)], 1e-12);
        let crossing = straight.special[0].crossing.as_ref().unwrap();
        assert!(crossing.regular);
        assert_close(crossing.other[2], 0.0, 1e-8);
        // On the other curve the branch point is a turn as well.
        let (system, following) = &pendulum;
        let set = vec![("W".to_string(), "4".to_string())];
        let start = vec![("a".to_string(), "1".to_string())];
        let elsewhere = system.model().values(&Overrides { set, start }).unwrap().along(&["W"]).unwrap();
        let bent = branch(&(System::new(system.model()), elsewhere), ClosedSet::NONE, (1.0, 5.0));
        assert_places(&bent, &[(SpecialKind::BranchPoint, 3.0)], 1e-12);
        // The same curve from the branch point.
        let settings = branch::Settings::between(1.0, 5.0);
        let special = &straight.special[0];
        let crossing = branch::follow_crossing(system, following, special, &settings, &mut |_, _| true).unwrap();
        assert!(crossing.points.contains(&special.point));
        for bent in [&bent, &crossing] {
            assert_eq!(bent.ended, [Ended::Range { value: 5.0 }, Ended::Range { value: 5.0 }]);
            for point in &bent.points {
                assert_close(point.state[0].cos() * bent.value(point).powi(2), 9.0, 1e-12);
            }
            assert!(bent.points[0].state[0] * bent.points.last().unwrap().state[0] < 0.0);
        }
    }
}

/// Branches that cannot be followed are reported.
#[test]
fn branches_that_do_not_begin() {
    let (system, following) = free("relief-valve", &[("q", 7.0)], "q");
    let rest = only(&system, &following, ClosedSet::NONE);
    for range in [(8.0, 9.0), (7.0, 7.0), (f64::NAN, 8.0), (6.0, f64::INFINITY)] {
        let failure =
            branch::follow(&system, &following, &rest, &branch::Settings::between(range.0, range.1), &mut |_, _| true);
        assert!(matches!(failure, Err(branch::StartError::OutOfRange { .. })), "{failure:?}");
    }
    let settings = branch::Settings { longest_step: f64::NAN, ..branch::Settings::between(6.0, 8.0) };
    let failure = branch::follow(&system, &following, &rest, &settings, &mut |_, _| true);
    assert!(matches!(failure, Err(branch::StartError::NoPoint(_))), "{failure:?}");
    let mut asked = 0;
    let settings = branch::Settings::between(1.0, 8.0);
    let interrupted = branch::follow(&system, &following, &rest, &settings, &mut |_, _| {
        asked += 1;
        asked < 4
    })
    .unwrap();
    assert_eq!(interrupted.ended[1], Ended::Interrupted);
    assert_eq!(interrupted.points.len(), 4);
    // An oscillator in equilibrium while its forcing is zero.
    let (system, following) = free("impact-oscillator", &[("A", 0.0)], "A");
    let rest = only(&system, &following, ClosedSet::NONE);
    let failure = branch::follow(&system, &following, &rest, &branch::Settings::between(-1.0, 1.0), &mut |_, _| true);
    assert!(matches!(failure, Err(branch::StartError::Forced(_))), "{failure:?}");
    // At the end of its range a branch goes one way.
    let (system, following) = free("relief-valve", &[("q", 7.0)], "q");
    let settings = branch::Settings::between(7.0, 9.0);
    let rest = only(&system, &following, ClosedSet::NONE);
    let upward = branch::follow(&system, &following, &rest, &settings, &mut |_, _| true).unwrap();
    assert_eq!(upward.ended, [Ended::Range { value: 7.0 }, Ended::Range { value: 9.0 }]);
    assert_eq!((upward.value(&upward.points[0]), upward.value(upward.points.last().unwrap())), (7.0, 9.0));
    let failure = branch::follow_crossing(&system, &following, &upward.special[0], &settings, &mut |_, _| true);
    assert_eq!(failure, Err(branch::StartError::Kind(SpecialKind::Hopf)));
}

/// Neither x' = sqrt p - x nor x' = p + p sqrt p - x has a rest below p = 0; the first curve comes there straight down.
#[test]
fn a_branch_ends_where_a_formula_has_no_value() {
    for (rest, tolerance) in [("sqrt(p)", 1e-6), ("p + p*sqrt(p)", 1e-6)] {
        let root = text(
            &format!(
                "format = 1\nname = \"root\"\n[parameters]\np = 0.5\n[flow]\nx = \"{rest} - x\"\n[start]\nx = 1\n"
            ),
            "p",
        );
        let branch = branch(&root, ClosedSet::NONE, (-1.0, 1.0));
        assert!(matches!(&branch.ended[0], Ended::Stopped { .. }), "{branch:?}");
        assert_eq!(branch.ended[1], Ended::Range { value: 1.0 });
        assert_places(&branch, &[(SpecialKind::End, 0.0)], tolerance);
    }
}

/// The circle x^2 + p^2 = 1 of x' = 1 - x^2 - p^2 closes, and turns at p = 1 and -1.
#[test]
fn a_circle_of_rests_closes() {
    let circle = text(
        "format = 1\nname = \"circle\"\n[parameters]\np = 0.3\n[flow]\nx = \"1 - x^2 - p^2\"\n[start]\nx = 1\n",
        "p",
    );
    let whole = branch(&circle, ClosedSet::NONE, (-2.0, 2.0));
    assert_eq!(whole.ended, [Ended::Closed, Ended::Closed]);
    assert_places(&whole, &[(SpecialKind::Fold, 1.0), (SpecialKind::Fold, -1.0)], 1e-14);
    // The turn at p = 1 is beyond the range, however near: the branch ends where it leaves.
    let part = branch(&circle, ClosedSet::NONE, (-2.0, 1.0 - 1e-9));
    assert_eq!(part.ended, [Ended::Range { value: 1.0 - 1e-9 }, Ended::Range { value: 1.0 - 1e-9 }]);
    assert_places(&part, &[(SpecialKind::Fold, -1.0)], 1e-14);
}

/// A bead in a bowl lies where its load, which turns with p, points: round and round, held with the force 1. Its eigenvalues are
/// those of a pendulum of unit length.
#[test]
fn the_bead_goes_round_its_bowl() {
    let bead = text(
        "format = 1\nname = \"bead\"\n[parameters]\np = 0\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"v\", \"w\"]\n\
         M = [[1, 0], [0, 1]]\nh = [\"cos(p) - 0.4*v\", \"sin(p) - 0.4*w\"]\n[contacts.bowl]\ngap = \"1 - sqrt(x^2 + y^2)\"\n\
         restitution = 0.5\n[start]\nx = 0.9\ny = 0.1\nv = 0\nw = 0\n",
        "p",
    );
    // Also to where the wall stands at a right angle to that at the start.
    for turn in [8.0, 0.5 * PI] {
        let branch = branch(&bead, wall(), (-turn, turn));
        assert_eq!(branch.ended, [Ended::Range { value: -turn }, Ended::Range { value: turn }]);
        assert!(branch.special.is_empty(), "{:?}", places(&branch));
        for point in &branch.points {
            let p = branch.value(point);
            assert_all_close(&point.state, &[p.cos(), p.sin(), 0.0, 0.0], 1e-13);
            assert_close(point.contact_forces[0], 1.0, 1e-13);
            assert_close(point.eigenvalues[0].re, -0.2, 1e-12);
            assert_close(point.eigenvalues[0].im, 0.96_f64.sqrt(), 1e-12);
            assert!(point.stable && point.admissible);
        }
    }
}

/// Two equal oscillators x'' + x = (p - x^2) x' lose their rest at once, and a third one with the frequency 2 a little later; two
/// real eigenvalues of opposite sign in the same place hide none of them.
#[test]
fn several_oscillations_begin_at_once() {
    let many = text(
        "format = 1\nname = \"many\"\n[parameters]\np = -0.5\n[flow]\na = \"b\"\nb = \"(p - a^2)*b - a\"\nc = \"d\"\n\
         d = \"(p - c^2)*d - c\"\ne = \"f\"\nf = \"(p - 0.001 - e^2)*f - 4*e\"\ng = \"g\"\nh = \"(p - 1.0005)*h\"\n\
         [start]\na = 1\nb = 1\nc = 1\nd = 1\ne = 1\nf = 1\ng = 1\nh = 1\n",
        "p",
    );
    let (system, mut following) = many;
    following.start_from(&[0.01; 8]);
    let branch = branch(&(system, following), ClosedSet::NONE, (-1.0, 0.9));
    assert_places(&branch, &[(SpecialKind::Hopf, 0.0), (SpecialKind::Hopf, 0.001)], 1e-13);
    let frequencies: Vec<f64> = branch.special.iter().map(|special| special.hopf.unwrap().frequency).collect();
    assert_all_close(&frequencies, &[1.0, 2.0], 1e-13);
}
