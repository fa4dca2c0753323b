//! Impacts at nearly one instant: whether contacts strike together or one after another is no matter of steps and coordinates.

use crate::common::{assert_all_close, assert_close, model, run, run_with};
use saltation_motion::{Ended, EventKind, Run, Settings};

/// A motion of a model up to a time, by default steps and by shorter ones.
fn by_steps(name: &str, until: f64, longest: &[f64]) -> Vec<Run> {
    let (system, values) = model(name);
    let steps = [f64::INFINITY].iter().chain(longest);
    let runs = steps.map(|&longest_step| {
        let found = run_with(&system, &values, Settings { until, longest_step, ..Settings::default() });
        assert_eq!(found.ended, Ended::ReachedTime, "{name} by {longest_step}");
        found
    });
    runs.collect()
}

/// Balls above each other meet the floor, and each other, 4e-14 apart at t = 0.6: less than rounding of the time by now, but not of the flights of 7e-12 that end there.
#[test]
fn flights_that_are_known_end_one_after_another() {
    let runs = by_steps("five-balls-on-a-floor", 0.6055, &[0.1, 6e-3, 1e-3]);
    let [first, rest @ ..] = &runs[..] else { panic!() };
    rest.iter().for_each(|other| assert_all_close(&other.state, &first.state, 1e-10));
    let runs = by_steps("five-balls-on-a-floor", 0.60554443694, &[0.1, 6e-3, 1e-3]);
    for found in &runs {
        let impacts = found.events.iter().filter(|event| event.kind == EventKind::Impact);
        let late: Vec<_> = impacts.filter(|event| event.time > 0.6055444369131).map(|event| event.contact).collect();
        assert_eq!(late[..6], [2, 1, 0, 1, 0, 4].map(Some));
        assert_all_close(&found.state, &runs[0].state, 1e-11);
    }
}

/// A disc between two walls, one of which takes all speed: it opens there from rest, for flights of 3e-16 and shorter, and the impact with the other wall pushes it back.
/// After so short a flight from rest the gap is 3e-32, and known to its last digits; the disc closes that with an impact of its own.
#[test]
fn a_contact_that_opens_from_rest_is_open() {
    let runs = by_steps("disc-driven-in-a-wedge", 3.32, &[0.307, 0.1, 0.01]);
    for found in &runs {
        let kinds = found.events.iter().filter(|event| event.time > 3.3112297624 && event.time < 3.32);
        let kinds: Vec<_> = kinds.map(|event| (event.kind, event.contact)).collect();
        let [first, .., last] = &kinds[..] else { panic!() };
        assert_eq!((first, last), (&(EventKind::Impact, Some(1)), &(EventKind::Slip, Some(1))));
        assert!(found.closed.iter().eq([0, 1]), "{:?}", found.closed);
        assert_all_close(&found.state, &runs[0].state, 1e-10);
    }
}

/// Four balls on equal springs pass the middle together. Two of their contacts close slowly, at an instant that is known to 1e-9; the third one, which closes a hundred
/// times as fast, is 7e-12 open, far more than is not known of it. It strikes 9e-8 later, in all coordinates.
#[test]
fn a_slow_impact_closes_no_other_contact_beforehand() {
    let found = ["four-balls-at-one-place", "four-balls-at-one-place-skewed"].map(|name| {
        let (system, values) = model(name);
        run(&system, &values, 3.0)
    });
    for run in &found {
        let late: Vec<_> = run.events.iter().filter(|event| event.time > 2.884 && event.time < 2.885).collect();
        assert_eq!([0, 1, 2].map(|k| late[k].contact), [1, 0, 2].map(Some));
        assert_close(late[2].time - late[0].time, 8.9e-8, 2e-9);
    }
    let [first, second] = found.each_ref().map(|run| run.events.iter().map(|event| event.contact).collect::<Vec<_>>());
    assert_eq!(first, second);
}

/// A bar that slides on one of three feet in line falls back on the other two, which land at one instant, as all three are in line. One of them is close to the first, and
/// so lands a thousand times as slowly as the other: its time is not known to better than 1e-12. They strike together at every tolerance.
#[test]
fn feet_in_line_land_together_however_slow_one_of_them_is() {
    let (system, values) = model("bar-on-neighbouring-feet");
    let mut ends = Vec::new();
    for tolerance in [1e-12, 1e-13, 1e-14, 9.55549083949155e-16, 1e-16] {
        let found = run_with(&system, &values, Settings { until: 2.71, tolerance, ..Settings::default() });
        assert_eq!(found.ended, Ended::ReachedTime);
        let landed = found.events.iter().filter(|event| event.time > 2.695 && event.kind == EventKind::Impact);
        let mut times: Vec<f64> = landed.map(|event| event.time).collect();
        times.dedup();
        assert!(times.len() == 1 && found.closed.iter().eq([1]), "{tolerance:e}: {times:?} {:?}", found.closed);
        ends.push(found.state);
    }
    ends.iter().for_each(|end| assert_all_close(end, &ends[0], 1e-11));
}

/// The velocities of balls in line where a chattering of all of them ends, at the last event of its kind, and the one that they have together by their momentum
/// before the impact from which on they touch.
fn merged(found: &Run, masses: &[f64], unit: f64) -> (Vec<f64>, f64) {
    let n = masses.len();
    let end = found.events.iter().rposition(|event| event.kind == EventKind::Chatter).unwrap();
    let speeds = |state: &[f64]| state[n..2 * n].iter().map(|v| unit * v).collect::<Vec<f64>>();
    let before = found.events[..end].iter().rfind(|event| found.events[end].time - event.time > 1e-6).unwrap();
    let first = found.events[..end].iter().find(|event| event.time > before.time).unwrap();
    let momentum: f64 = masses.iter().zip(speeds(&first.before)).map(|(m, v)| m * v).sum();
    (speeds(&found.events[end].after), momentum / masses.iter().sum::<f64>())
}

/// Balls pass the middle together. The first impact takes all speed, and the two balls then part by their damping alone: the flights between that and the next impact become
/// shorter by squares, down to 1e-160, until all are at rest on each other. In the first model that happens once. In the second one a fourth ball strikes in between, and the
/// chattering of the other three is a flight of its own.
#[test]
fn flights_from_rest_that_shrink_by_squares_end_in_contact_in_any_unit() {
    for (name, masses, closed) in [
        ("short-plastic-flights", &[1.9, 1.25, 1.0][..], &[][..]),
        ("chatter-within-chatter", &[1.9, 1.25, 1.0, 2.24][..], &[1, 2][..]),
    ] {
        let units = format!("{name}-units");
        let runs = [(name, 1.0), (&units, 37000.0)].map(|(name, unit)| {
            let (system, values) = model(name);
            let found = run(&system, &values, 1.2);
            assert_eq!(found.ended, Ended::ReachedTime, "{name}");
            assert!(found.closed.iter().eq(closed.iter().copied()), "{name}: {:?}", found.closed);
            let (speeds, together) = merged(&found, masses, unit);
            speeds.iter().for_each(|&speed| assert_close(speed, together, 2e-9));
            (found.events.len(), found.state.iter().map(|x| unit * x).collect::<Vec<f64>>())
        });
        assert_eq!(runs[0].0, runs[1].0, "{name}");
        assert_all_close(&runs[1].1, &runs[0].1, 1e-12);
    }
}

/// Four balls in the air close in ever shorter turns of impacts. In the first model two of them have come to rest by rounding when the third still closes at 4e-10, which
/// opens them again: its next impacts close all. In the second one two contacts have eight impacts and separate at 1e-11 in every turn, whose speeds fall ever faster
/// from one to the next: that is no chattering of its own, which would leave the other ball at the speed of its next impact.
#[test]
fn balls_that_collapse_together_are_at_rest_together_at_any_tolerance() {
    for (name, until, closed) in [
        ("balls-that-collapse-in-the-air", 0.74, vec![0, 2, 3, 4]),
        ("collapse-around-a-separation", 1.5160364715, vec![0, 1, 2]),
    ] {
        let (system, values) = model(name);
        let mut ends = Vec::new();
        for tolerance in [1e-10, 1e-12, 1e-13, 3e-14, 1.5482312950712467e-14, 1.497933671539415e-14, 1e-15] {
            let found = run_with(&system, &values, Settings { until, tolerance, ..Settings::default() });
            assert_eq!(found.ended, Ended::ReachedTime, "{name} at {tolerance:e}");
            assert!(found.closed.iter().eq(closed.iter().copied()), "{name} at {tolerance:e}: {:?}", found.closed);
            ends.push(found.state);
        }
        ends.iter().for_each(|end| assert_all_close(end, &ends[1], 1e-10));
    }
}
