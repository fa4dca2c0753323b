//! Releases, landings and boundaries of friction: the defining quantity of a located event vanishes, against closed forms and other formulations.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

use crate::common::{assert_close, model, of_kind, parse, run};
use saltation_motion::{Ended, EventKind, Run};
use std::f64::consts::TAU;

fn times(run: &Run, kind: EventKind) -> Vec<f64> {
    of_kind(run, kind).iter().map(|event| event.time).collect()
}

/// Numbers in [0, 1) without a pattern that matters here.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// A body that is pressed on a surface by c + cos t leaves it where that falls to zero, in all turns.
#[test]
fn a_pressed_body_leaves_where_its_force_vanishes() {
    let (system, values) = model("release-hang");
    let found = run(&system, &values, 20.0);
    assert_eq!(found.ended, Ended::ReachedTime);
    let released = times(&found, EventKind::Release);
    assert_eq!(released.len(), 3);
    for (turn, &time) in released.iter().enumerate() {
        assert_close(time, (-0.7_f64).acos() + TAU * turn as f64, 1e-13 * time);
    }
    let press = run(&model("press").0, &model("press").1, 20.0);
    assert_eq!(press.ended, Ended::ReachedTime);
    assert_close(times(&press, EventKind::Release)[0], (-0.3_f64).acos(), 1e-14);
}

/// The pressing force of a body on a flat surface knows nothing of what friction does along it: with and without friction, with and without the
/// law for joint impacts, the body lands and leaves at the same times.
#[test]
fn friction_along_a_surface_changes_no_release() {
    let mut random = Random(5);
    let mut releases = 0;
    for member in 0..120 {
        let (mass, scale) = (random.within(0.3, 3.0), random.within(0.4, 3.0));
        let (rate, constant) = (random.within(0.3, 4.0), random.within(0.05, 0.95));
        let (push, mu, speed) = (random.within(-0.6, 0.6), random.within(0.0, 1.2), random.within(-2.0, 2.0));
        let text = |along: &str, joint: &str, extra: &str| {
            format!(
                "format = 1\nname = \"pressed\"\n{joint}[phase.t]\nrate = {rate:e}\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\n\
                 velocities = [\"v\", \"u\"]\nM = {{ diagonal = [{mass:e}, 1] }}\nh = [\"-{constant:e} - cos(t)\", \"({push:e})*sin(2*t)\"]\n\
                 [contacts.c]\ngap = \"{scale:e}*x\"\nrestitution = 0\n{along}{extra}[start]\nx = 0\ny = 0\nv = 0\nu = {speed:e}\nt = 0\n"
            )
        };
        let rough = format!("track = \"y\"\nfriction = {{ law = \"coulomb\", mu = {mu:e} }}\n");
        let joint = "[impacts]\ntogether = \"lcp\"\n";
        let runs = [("", ""), (rough.as_str(), ""), ("", joint), (rough.as_str(), joint)].map(|(along, joint)| {
            let (system, values) = parse(&text(along, joint, ""));
            run(&system, &values, 60.0 / rate)
        });
        for other in &runs {
            assert_eq!(other.ended, Ended::ReachedTime, "member {member}");
            for kind in [EventKind::Release, EventKind::Impact] {
                let (smooth, found) = (times(&runs[0], kind), times(other, kind));
                assert_eq!(smooth.len(), found.len(), "member {member}: {kind:?}");
                for (a, b) in smooth.iter().zip(&found) {
                    assert_close(*a, *b, 1e-10 * (1.0 + a));
                }
            }
        }
        let first = times(&runs[1], EventKind::Release)[0];
        assert_close(first, (-constant).acos() / rate, 1e-13 * (1.0 + first));
        releases += times(&runs[1], EventKind::Release).len();
    }
    assert!(releases > 300, "{releases}");
}

/// A force that touches zero and rises again does not end contact.
#[test]
fn a_force_that_touches_zero_does_not_end_contact() {
    for (along, joint) in [
        ("", ""),
        ("", "[impacts]\ntogether = \"lcp\"\n"),
        ("track = \"y\"\nfriction = { law = \"coulomb\", mu = 0.3 }\n", ""),
    ] {
        let (system, values) = parse(&format!(
            "format = 1\nname = \"touching\"\n{joint}[phase.t]\nrate = 1\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\n\
             velocities = [\"v\", \"u\"]\nM = {{ diagonal = [1, 1] }}\nh = [\"-1 - cos(t)\", 0]\n[contacts.c]\ngap = \"x\"\nrestitution = 0\n{along}\
             [start]\nx = 0\ny = 0\nv = 0\nu = 1\nt = 0\n"
        ));
        let found = run(&system, &values, 30.0);
        assert_eq!(found.ended, Ended::ReachedTime);
        assert!(found.closed.contains(0), "{along}{joint}");
        assert!(found.state[0].abs() < 1e-9, "{}", found.state[0]);
        assert!(found.events.len() < 40, "{} events", found.events.len());
    }
}

/// A slider on rough ground, in which a body is pushed against a stop by a constant force: each impact moves the slider, friction stops it, and the body
/// follows. Every time is proportional to the speed of the impact, so that the sequence is geometric.
#[test]
fn chattering_completes_while_another_contact_slips_and_sticks() {
    let mut random = Random(11);
    for member in 0..40 {
        let (m1, m2, restitution) = (random.within(0.5, 3.0), random.within(0.1, 1.0), random.within(0.2, 0.8));
        let (force, mu, start) = (random.within(0.05, 0.3), random.within(0.4, 0.9), random.within(0.01, 0.2));
        let joint = if member % 2 == 0 { "[impacts]\ntogether = \"lcp\"\n" } else { "" };
        let (system, values) = parse(&format!(
            "format = 1\nname = \"slider\"\n{joint}[mechanics]\ncoordinates = [\"x\", \"y\", \"z\"]\nvelocities = [\"u\", \"v\", \"w\"]\n\
             M = {{ diagonal = [{m1:e}, {m1:e}, {m2:e}] }}\nh = [\"-{force:e}\", -1, \"{force:e}\"]\n\
             [contacts.ground]\ngap = \"y\"\ntrack = \"x\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = {mu:e} }}\n\
             [contacts.stop]\ngap = \"x - z\"\nrestitution = {restitution:e}\n[start]\nx = 0\ny = 0\nz = -{start:e}\nu = 0\nv = 0\nw = 0\n"
        ));
        // The force is less than mu: the ground holds the slider until the first impact.
        let speed = (2.0 * force / m2 * start).sqrt();
        let first = speed / (force / m2);
        // One cycle from an impact at relative speed 1: the slider gets u and is stopped by d, the body is pushed by b.
        let u = (1.0 + restitution) * m2 / (m1 + m2);
        let (d, b) = ((mu + force) / m1, force / m2);
        let stop = u / d;
        // Closing speed and distance when the slider stops, unless they meet before.
        let meets = |t: f64| restitution * t - 0.5 * (b + d) * t * t;
        let (duration, again, slid) = if meets(stop) > 0.0 {
            let (gap, opening) = (meets(stop), restitution - (b + d) * stop);
            let rest = (opening + (opening * opening + 2.0 * b * gap).sqrt()) / b;
            (stop + rest, b * rest - opening, 0.5 * u * stop)
        } else {
            continue;
        };
        assert!(again < 1.0);
        let until = first + speed * duration / (1.0 - again);
        let place = speed * speed * slid / (1.0 - again * again);
        let found = run(&system, &values, until + 1.0);
        assert_eq!(found.ended, Ended::ReachedTime);
        let sequence = of_kind(&found, EventKind::Chatter);
        assert_eq!(sequence.len(), 1, "member {member}: {} events", found.events.len());
        let end = sequence[0].time + sequence[0].duration;
        assert_close(end, until, 2e-11 * until);
        assert_close(found.state[0], place, 1e-11 * (place + start));
        assert!(found.closed.contains(1), "the body stays at the stop");
        assert!(of_kind(&found, EventKind::Impact).len() < 120);
    }
}

/// A capsule that an inner body drives along rough ground (A = 1 at the ground): sticking is the only way where the stop lets go, and each sequence of
/// impacts is completed at once.
#[test]
fn the_capsule_has_one_way_at_every_release() {
    let (system, values) = model("capsule");
    let found = run(&system, &values, 30.0);
    assert_eq!(found.ended, Ended::ReachedTime);
    assert!(found.events.iter().all(|event| event.alternatives.is_empty()));
    assert!(of_kind(&found, EventKind::Chatter).len() >= 4);
    assert!(of_kind(&found, EventKind::Impact).len() < 100);
    // The rest of each sequence is what its impacts converge to: with a tenth of the tolerance more of them are followed.
    let settings = saltation_motion::Settings { until: 30.0, tolerance: 1e-14, ..Default::default() };
    let fine = crate::common::run_with(&system, &values, settings);
    for (a, b) in found.state.iter().zip(&fine.state) {
        assert_close(*a, *b, 1e-10);
    }
}

/// The woodpecker of Leine, Glocker & van Campen converges to its cycle: successive releases of the upper contact, against the computation in
/// `validation/README.md`.
#[test]
fn the_woodpecker_settles_on_its_cycle() {
    let (system, values) = model("woodpecker");
    let found = run(&system, &values, 24.0);
    assert_eq!(found.ended, Ended::ReachedTime);
    // The release of the upper sleeve that follows the impact of the beak, once per cycle.
    let upper = system.contact_names().iter().position(|name| name == "upper");
    let releases: Vec<_> =
        of_kind(&found, EventKind::Release).into_iter().filter(|event| event.contact == upper).collect();
    let [.., a, b] = releases[..] else { panic!("the cycle repeats") };
    assert_close(b.time - a.time, 0.1459760651, 2e-10);
    assert_close(a.before[0] - b.before[0], 0.0194453793, 2e-10);
}

/// A gap that rounding leaves below zero is on the surface: it is measured by the terms it is made of.
#[test]
fn rounding_is_no_penetration() {
    let (system, values) = model("spurious-stop");
    assert_eq!(run(&system, &values, 8.0).ended, Ended::ReachedTime);
}

/// Slip that a belt and a spring cause begins where the spring force reaches the edge of the cone; a force that feeds energy in makes it end in a stick. Both
/// happen at the same times in any units.
#[test]
fn edges_of_cones_do_not_depend_on_units() {
    let text = |length: f64, time: f64| {
        let acceleration = length / (time * time);
        format!(
            "format = 1\nname = \"belt\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\nM = {{ diagonal = [1, 1] }}\n\
             h = [\"-{:e}*x + {:e}*u\", \"-{acceleration:e}\"]\n[contacts.belt]\ngap = \"y\"\ntrack = \"x\"\nbelt = {:e}\nrestitution = 0\n\
             friction = {{ law = \"coulomb\", mu = 0.5 }}\n[start]\nx = 0\ny = 0\nu = {:e}\nv = 0\n",
            1.0 / (time * time),
            0.1 / time,
            0.3 * length / time,
            0.3 * length / time,
        )
    };
    let reference = {
        let (system, values) = parse(&text(1.0, 1.0));
        run(&system, &values, 40.0)
    };
    assert_close(times(&reference, EventKind::Slip)[0], (0.5 + 0.1 * 0.3) / 0.3, 1e-13);
    assert!(reference.events.len() > 4);
    for (length, time) in [(1e-6, 1.0), (1.0, 1e5), (3.7e4, 2.3e-4), (1e-9, 1e-9)] {
        let (system, values) = parse(&text(length, time));
        let found = run(&system, &values, 40.0 * time);
        assert_eq!(found.events.len(), reference.events.len());
        for (a, b) in found.events.iter().zip(&reference.events) {
            assert_eq!(a.kind, b.kind);
            assert_close(a.time / time, b.time, 1e-11 * (1.0 + b.time));
        }
    }
}
