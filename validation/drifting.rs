//! Motions that repeat up to a drift: the woodpecker on its pole, and a block on a shaken plane in its absolute position against its speed alone.
#![allow(clippy::excessive_precision)] // references keep the digits they were computed with

use crate::common::{assert_close, free, model, parse, system};
use saltation_model::Values;
use saltation_motion::System;
use saltation_orbit::branch::{self, Branch, SpecialKind};
use saltation_orbit::{Ended, Orbit, Search, Settings, find};
use std::f64::consts::TAU;

fn search(system: &System, values: &Values, change: impl Fn(&mut Settings)) -> Search {
    let mut settings = Settings::through(system.default_section().expect("the model has one"));
    change(&mut settings);
    find(system, values, &settings, &mut |_| true)
}

fn orbit(system: &System, values: &Values, settle: u64) -> Orbit {
    let search = search(system, values, |settings| settings.settle = settle);
    assert_eq!(search.ended, Ended::Converged, "{}", search.ended.describe(system));
    search.orbit.expect("a search that converged has an orbit")
}

fn followed(system: &System, following: &Values, range: (f64, f64)) -> Branch {
    let orbit = orbit(system, following, 0);
    let settings = branch::Settings::between(range.0, range.1);
    branch::follow(system, following, &orbit, &settings, &mut |_, _| true).expect("it begins").remove(0)
}

/// Period and drop of a second computation, to their digits; the multiplier is the limit of ratios of deviations from the cycle, period by period.
#[test]
fn the_cycle_of_the_woodpecker() {
    let (system, values) = system("woodpecker", &[], &[]);
    for settle in [0, 40] {
        let orbit = orbit(&system, &values, settle);
        assert_close(orbit.period, 0.1459760651, 1e-10);
        let [(state, drop)] = orbit.drift[..] else { panic!("the height drifts: {:?}", orbit.drift) };
        assert_eq!((state, orbit.state[state]), (0, 0.0));
        assert_close(drop, -0.0194453793, 1e-10);
        assert_eq!(orbit.multipliers.len(), 5);
        assert_close(orbit.multipliers[1].re, deviation_ratio(&system, &orbit), 1e-8);
        assert_close(orbit.multipliers[1].re, -0.8391556530, 1e-9);
        assert!(orbit.stable && orbit.trivial.is_some_and(|(_, error)| error < 1e-12));
    }
}

/// The ratio of deviations of two motions beside the cycle, one period later.
fn deviation_ratio(system: &System, orbit: &Orbit) -> f64 {
    let model = saltation_model::gallery::model("woodpecker").expect("it is there").expect("it is right");
    let values = model.values(&Default::default()).expect("they are right");
    let rate = orbit.state.len() - 1;
    let beside = |step: f64| {
        let mut state = orbit.state.clone();
        state[rate] += step;
        let settings = saltation_motion::Settings { until: 3.5 * orbit.period, tolerance: 1e-14, ..Default::default() };
        let run = crate::common::run_with(system, &values.with_start(&state), settings);
        let passages = run.events.iter().filter(|event| event.section.is_some() && event.time > 0.5 * orbit.period);
        passages.map(|event| event.before[rate]).collect::<Vec<f64>>()
    };
    let (above, below) = (beside(1e-4), beside(-1e-4));
    let apart = |k: usize| above[k] - below[k];
    apart(1) / apart(0)
}

/// Along the restitution of the beak the drop is that of the orbits at single values.
#[test]
fn the_drop_of_the_woodpecker_along_a_branch() {
    let (system, following) = free("woodpecker", &[], &["e"]);
    let branch = followed(&system, &following, (0.45, 0.55));
    for point in branch.points.iter().step_by(5) {
        let alone = orbit(&system, &following.at_free(&[branch.value(point)]), 200);
        assert_close(point.drift[0].1, alone.drift[0].1, 1e-11);
        assert_close(point.period, alone.period, 1e-11);
        assert_close(point.multipliers[1].re, alone.multipliers[1].re, 1e-8);
    }
    // Impacts without restitution have laws that stay at zero: these are no borders.
    assert_eq!(branch.special.len(), 1);
}

/// At a period doubling the drift of two periods begins, and differs from it along the branch.
#[test]
fn the_woodpecker_of_twice_the_period() {
    let (system, following) = free("woodpecker", &[], &["mu"]);
    let orbit = orbit(&system, &following, 0);
    let settings = branch::Settings { switch: true, ..branch::Settings::between(0.289, 0.31) };
    let branches = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).expect("it begins");
    let doubling = branches[0].special.iter().find(|special| special.kind == SpecialKind::PeriodDoubling);
    let doubling = &doubling.expect("it doubles its period").point;
    let doubled = branches.get(1).expect("orbits of twice the period begin");
    let first = &doubled.points[0];
    assert_close(first.period, 2.0 * doubling.period, 1e-3 * doubling.period);
    assert_close(first.drift[0].1, 2.0 * doubling.drift[0].1, 1e-3 * doubling.drift[0].1.abs());
}

/// A block in its absolute position and by its speed alone: the same period, states, multipliers and branch, and the drift is the mean speed.
#[test]
fn a_block_on_a_shaken_plane_in_both_coordinates() {
    let (absolute, reduced) = (model("shaken-plane-absolute"), model("shaken-plane-reduced"));
    let (one, other) = (orbit(&absolute.0, &absolute.1, 0), orbit(&reduced.0, &reduced.1, 0));
    assert_close(one.period, TAU, 1e-13);
    assert_close(one.state[2], other.state[0], 1e-12);
    assert_eq!((one.state[0], one.drift[0].0), (5.0, 0));
    let mean = simpson(|time| other.trajectory.at(time)[0], other.period);
    assert_close(one.drift[0].1, mean, 1e-6);
    assert!(one.multipliers.iter().chain(&other.multipliers).all(|m| m.re == 0.0 && m.im == 0.0));
    let along = |(system, values): (System, Values)| {
        let following = values.along(&["mu"]).expect("it is a parameter");
        followed(&system, &following, (0.2, 0.7))
    };
    let (one, other) = (along(absolute), along(reduced));
    let folds = |branch: &Branch| {
        let folds = branch.special.iter().filter(|special| special.kind == SpecialKind::Fold);
        folds.map(|fold| branch.value(&fold.point)).collect::<Vec<f64>>()
    };
    assert_eq!(folds(&one).len(), folds(&other).len());
    let admissible = |branch: &Branch| {
        let values = branch.points.iter().filter(|point| point.admissible).map(|point| branch.value(point));
        values.fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)))
    };
    let (a, b) = (admissible(&one), admissible(&other));
    assert_close(a.0, b.0, 1e-10);
    assert_close(a.1, b.1, 1e-10);
}

/// The integral over a time, by Simpson's rule.
fn simpson(f: impl Fn(f64) -> f64, time: f64) -> f64 {
    let count = 20_000;
    let weight = |k: usize| if k == 0 || k == count { 1.0 } else { [2.0, 4.0][k % 2] };
    (0..=count).map(|k| weight(k) * f(time * k as f64 / count as f64)).sum::<f64>() * time / (3.0 * count as f64)
}

/// A forced body without friction or contact: where the mean force is zero it repeats up to its drift, at a multiplier of 0.2079 in its speed.
#[test]
fn a_damped_body_that_nothing_holds() {
    let (system, values) = parse(
        "format = 1\nname = \"free\"\n[parameters]\nF = 0.3\n[phase.phi]\nrate = 1\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\"]\n\
         velocities = [\"v\"]\nM = [[1]]\nh = [\"cos(phi) + F - 0.25*v\"]\n[start]\nx = 0\nv = 0\nphi = 0\n",
    );
    let orbit = orbit(&system, &values, 0);
    assert_close(orbit.drift[0].1, TAU * 0.3 / 0.25, 1e-10);
    assert_eq!(orbit.multipliers.len(), 1);
    assert_close(orbit.multipliers[0].re, (-0.25 * TAU).exp(), 1e-12);
    let resting = orbit_at(&system, &values, 0.0);
    assert_eq!(resting.drift, [(0, 0.0)]);
}

fn orbit_at(system: &System, values: &Values, force: f64) -> Orbit {
    orbit(system, &values.with_parameters(&[force]), 0)
}

/// Two bodies that are driven and drift together: neither is free, because a spring knows their distance.
#[test]
fn a_drift_that_something_depends_on_is_named() {
    let (system, values) = parse(
        "format = 1\nname = \"pair\"\n[phase.phi]\nrate = 1\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\n\
         velocities = [\"u\", \"v\"]\nM = [[1, 0], [0, 1]]\nh = [\"1 + cos(phi) - u + 3*(y - x)\", \"1 - v - 3*(y - x)\"]\n\
         [start]\nx = 0\ny = 0\nu = 0\nv = 0\nphi = 0\n",
    );
    let search = search(&system, &values, |settings| settings.settle = 60);
    let text = search.ended.describe(&system);
    assert_eq!(search.ended.name(), "drifts", "{text}");
    assert!(
        text.contains("x advances by 6.283185e0 in every period, and the rate of `u` and the rate of `v` depend on it"),
        "{text}"
    );
}
