//! Impacts, complete chattering, sticking and release against published and closed-form results.
//!
//! Source: Nordmark & Piiroinen, Simulation and stability analysis of impacting systems with complete chattering,
//! Nonlinear Dynamics 58 (2009) 85-106. Its numbers were computed again by two independent routes (series of high order with every
//! impact followed; a Runge-Kutta pair of order 8 with the chatter map), which agree with each other to the digits given.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

use std::f64::consts::PI;

use crate::common::{assert_all_close, assert_close, of_kind, run, run_with, system};
use saltation_motion::{Ended, EventKind, Motion, Settings};

/// Sect. 3.5: a ball dropped from height 1 with g = 9.8, e = 0.8. First impact after sqrt(2/g) with speed sqrt(2 g);
/// the bounces, each shorter by e, add up to sqrt(2/g) (1 + e)/(1 - e).
#[test]
fn the_bouncing_ball_comes_to_rest_when_the_geometric_series_says() {
    let (system, values) = system("bouncing-ball", &[("g", 9.8), ("e", 0.8)], &[("x", 1.0), ("v", 0.0)]);
    let run = run(&system, &values, 10.0);
    let first = run.first(EventKind::Impact).unwrap();
    assert_close(first.time, 0.451753951452626, 1e-14);
    assert_close(first.speed_before, -4.427188724235731, 1e-14);
    let chatter = of_kind(&run, EventKind::Chatter);
    assert_eq!(chatter.len(), 1);
    assert_close(chatter[0].end(), 4.065785563073631, 1e-12);
    assert_close(chatter[0].end(), (2.0_f64 / 9.8).sqrt() * 1.8 / 0.2, 1e-12);
    assert_eq!(run.first(EventKind::Stick).unwrap().time, chatter[0].end());
    assert_eq!(run.state, [0.0, 0.0]);
    assert_eq!(system.mode_name(run.closed), "stick:ground");
}

/// The same for every restitution and in every unit of length and time: nothing in the program has a size of its own.
#[test]
fn the_ball_comes_to_rest_alike_in_all_units() {
    for percent in [1, 10, 30, 50, 70, 90, 97, 99] {
        let e = f64::from(percent) / 100.0;
        let mut impacts = None;
        for (length, time) in [(1.0, 1.0), (1e-6, 1.0), (1e6, 1.0), (1.0, 1e-6), (1.0, 1e6), (1e-9, 1e5), (1e8, 1e-7)] {
            let g = 9.8 * length / (time * time);
            let (system, values) = system("bouncing-ball", &[("g", g), ("e", e)], &[("x", length), ("v", 0.0)]);
            let rest = (2.0 * length / g).sqrt() * (1.0 + e) / (1.0 - e);
            let run = run(&system, &values, 2.0 * rest);
            assert_close(run.first(EventKind::Stick).unwrap().time / rest, 1.0, 1e-13);
            let count = run.count(EventKind::Impact);
            assert_eq!(*impacts.get_or_insert(count), count, "e = {e}, length {length}, time {time}");
        }
    }
}

/// The ball of an event-driven demonstration program that stops at 8.5, before its impacts accumulate: h = 1, e = 0.9,
/// g = 9.81. Here it goes past the accumulation and lies still until 1000.
#[test]
fn a_ball_goes_past_the_accumulation_of_its_impacts() {
    let (system, values) = system("bouncing-ball", &[("g", 9.81), ("e", 0.9)], &[("x", 1.0), ("v", 0.0)]);
    let run = run(&system, &values, 1000.0);
    assert_eq!(run.ended, Ended::ReachedTime);
    assert_eq!(run.time, 1000.0);
    let chatter = of_kind(&run, EventKind::Chatter);
    assert_eq!(chatter.len(), 1);
    assert_close(chatter[0].end(), 8.578949179, 1e-9);
    assert_close(chatter[0].end(), (2.0_f64 / 9.81).sqrt() * 1.9 / 0.1, 1e-12);
    assert_eq!(run.state, [0.0, 0.0]);
    assert_eq!(run.count(EventKind::Release), 0);
}

/// Sect. 2.2.1 with zeta = 0.1, omega = 1, sigma = 0, e = 0.6: when the impacts accumulate, when the wall lets go, and where
/// the mass is at time 20. The wall lets go exactly where the forcing turns, at x3 = 3 pi/2.
#[test]
fn the_forced_oscillator_sticks_and_lets_go() {
    let table = [
        ([0.0, -0.2, 2.5], 0.657709021553372825, 2.21238898038468986, [0.37633204513598313, -0.14650526385784488]),
        ([0.05, 0.0, 2.0], 1.26928267372612296, 2.71238898038468986, [0.28414978366236089, 0.52955752961378738]),
    ];
    for (start, accumulation, release, end) in table {
        let start_pairs = [("x1", start[0]), ("x2", start[1]), ("x3", start[2])];
        let (system, values) = system("forced-oscillator", &[], &start_pairs);
        let run = run(&system, &values, 20.0);
        assert_eq!(run.count(EventKind::Chatter), 1);
        assert_close(run.first(EventKind::Chatter).unwrap().end(), accumulation, 1e-10);
        let let_go = run.first(EventKind::Release).unwrap();
        assert_close(let_go.time, release, 1e-10);
        assert_close(let_go.before[2], 1.5 * PI, 1e-10);
        assert_all_close(&run.state[..2], &end, 1e-8);
    }
}

/// From the release point g, v and a vanish together: the departure is a triple root of the gap, and the next impact a
/// simple one far away.
#[test]
fn the_triple_root_of_a_release_is_left_behind() {
    let start = [("x1", 0.0), ("x2", 0.0), ("x3", 1.5 * PI)];
    let (system, values) = system("forced-oscillator", &[], &start);
    let run = run(&system, &values, 20.0);
    let first = run.events.first().unwrap();
    assert_eq!(first.kind, EventKind::Impact);
    assert_close(first.time, 4.500109745651805, 1e-9);
    assert_close(first.speed_before, -1.771545931104, 1e-9);
    assert_all_close(&run.state[..2], &[0.53728454064937787, 0.49017244876988409], 1e-8);
}

/// The duration of chattering from the wall at phase x3 with a small speed v before the impact is
/// tau1 v + tau2 v^2 + O(v^3), with tau1 = 2 e/((1-e) c), tau2 = -4 e^2 (zeta c - s)/(3 (1-e)^2 c^3), c = cos x3, s = sin x3.
#[test]
fn the_duration_of_chattering_has_its_series_in_the_speed() {
    let (e, zeta, phase) = (0.6_f64, 0.1_f64, 2.5_f64);
    let (s, c) = phase.sin_cos();
    let first = 2.0 * e / ((1.0 - e) * c);
    let second = -4.0 * e * e * (zeta * c - s) / (3.0 * (1.0 - e) * (1.0 - e) * c.powi(3));
    let mut errors = Vec::new();
    for speed in [-0.02, -0.01, -0.005] {
        let (system, values) = system("forced-oscillator", &[], &[("x1", 0.0), ("x2", speed), ("x3", phase)]);
        let run = run(&system, &values, 2.0);
        let duration = run.first(EventKind::Stick).unwrap().time;
        errors.push((duration - first * speed - second * speed * speed).abs());
    }
    // What is left is of third order: half the speed, an eighth of the rest.
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 8.0).abs() < 0.5, "{errors:?}");
    }
}

/// A trajectory that arrives at the wall with v = a = 0 enters stick without an impact; it starts there at x3 = pi/2, where
/// the force turns against the wall. It leaves where all sticking motions leave.
#[test]
fn tangential_entry_sticks_without_an_impact() {
    let (system, values) = system("forced-oscillator", &[], &[("x1", 0.0), ("x2", 0.0), ("x3", PI / 2.0)]);
    let run = run(&system, &values, 4.0);
    assert_eq!(run.events[0].kind, EventKind::Stick);
    assert_eq!(run.events[0].time, 0.0);
    assert_eq!(run.events[1].kind, EventKind::Release);
    assert_close(run.events[1].time, PI, 1e-12);
    assert_eq!(run.events.len(), 2);
}

/// Reached from free flight, by way of the motion backwards in time from the point of tangential entry.
#[test]
fn tangential_entry_from_flight_ends_in_stick() {
    // Backwards: x'' = -x + 2 zeta x' + cos(x3) with x3' = -1, the gallery's model with two signs changed.
    let start = [("x1", 0.0), ("x2", 0.0), ("x3", PI / 2.0)];
    let (mirror, from) = system("forced-oscillator", &[], &start);
    let mut parameters = from.parameters().to_vec();
    for name in ["zeta", "omega"] {
        parameters[mirror.model().parameter(name).unwrap()] *= -1.0;
    }
    let from = from.with_parameters(&parameters);
    let back = run(&mirror, &from, 0.8);
    assert!(back.events.is_empty(), "the motion backwards leaves the wall: {:?}", back.events);
    let (system, values) =
        system("forced-oscillator", &[], &[("x1", back.state[0]), ("x2", -back.state[1]), ("x3", back.state[2])]);
    let run = run(&system, &values, 5.0);
    let stick = run.first(EventKind::Stick).expect("it sticks");
    assert_close(stick.time, 0.8, 1e-4);
    let release = run.first(EventKind::Release).expect("and lets go");
    assert_close(release.time, 0.8 + PI, 1e-9);
    assert!(run.events.iter().filter(|e| e.time < 1.5).all(|e| e.speed_before.abs() < 1e-7), "no impact to speak of");
}

/// A jump to the end of a sequence may not skip the end time: a run that ends before the accumulation ends in flight, on the way.
#[test]
fn chattering_does_not_jump_over_the_end_time() {
    let start = [("x1", 0.0), ("x2", -0.2), ("x3", 2.5)];
    let (system, values) = system("forced-oscillator", &[], &start);
    let whole = run(&system, &values, 1.0);
    for before in [1e-4, 1e-6, 1e-9] {
        let until = 0.657709021553372825 - before;
        let run = run(&system, &values, until);
        assert_eq!(run.time, until);
        assert_eq!(run.count(EventKind::Chatter), 0);
        // Nothing is known of a height better than to the rounding of the first flights, 0.03 high.
        let rounding = 0.03 * f64::EPSILON;
        assert!(run.state[0] >= -1e-15 && run.state[0] < before * before + rounding, "{:e}", run.state[0]);
        assert!(whole.count(EventKind::Impact) < run.count(EventKind::Impact));
    }
}

/// Double pendulum of Sect. 6 at T = -31.15, d = 0.5, e = 0.89: one period of its stable orbit, with 0.247714498 time units of sticking.
#[test]
fn the_double_pendulum_returns_after_one_period() {
    let (system, values) = system("double-pendulum", &[], &[]);
    let section = system.section_names().position(|s| s == "turn").unwrap();
    let settings = Settings { until: 100.0, returns: Some((section, 1)), ..Settings::default() };
    let run = run_with(&system, &values, settings);
    assert_eq!(run.ended, Ended::ReachedReturns);
    assert_close(run.time, 6.170196095475, 1e-8);
    let mut end = run.state.clone();
    end[0] += 2.0 * PI;
    assert_all_close(&end, values.start(), 1e-8);
    let sticking = run.first(EventKind::Release).unwrap().time - run.first(EventKind::Stick).unwrap().time;
    assert_close(sticking, 0.247714498, 1e-8);
    assert_eq!(run.count(EventKind::Chatter), 1);
}

/// Sect. 6.1: sticking is lost at e* = 0.894463634. Below it every turn ends in complete chattering and stick, above it in
/// a long but finite sequence of impacts.
#[test]
fn chattering_becomes_incomplete_at_the_published_restitution() {
    let loss = 0.894463634;
    for (e, sticks) in [(loss - 2e-5, true), (loss + 2e-5, false)] {
        let (system, values) = system("double-pendulum", &[("e", e)], &[]);
        let run = run(&system, &values, 250.0);
        let late = |kind| of_kind(&run, kind).iter().filter(|event| event.time > 150.0).count();
        let turns = late(EventKind::Section);
        assert!(turns >= 15, "{turns}");
        assert!(late(EventKind::Impact) > 60 * turns);
        assert_eq!(run.ended, Ended::ReachedTime);
        for kind in [EventKind::Chatter, EventKind::Stick, EventKind::Release] {
            let count = late(kind);
            if sticks {
                assert!(count.abs_diff(turns) <= 1, "{count} in {turns} turns at e = {e}");
            } else {
                assert_eq!(count, 0, "at e = {e}");
            }
        }
    }
}

/// Unit values at one state: gap, opening speed and acceleration, and the rates in flight and in stick.
#[test]
fn the_double_pendulum_has_its_unit_values() {
    let (system, values) = system(
        "double-pendulum",
        &[("T", -40.0), ("d", 0.5009), ("e", 0.19)],
        &[("q1", 0.4), ("q2", -2.05), ("w1", 0.3), ("w2", 0.8)],
    );
    let model = system.model();
    let value = |symbol: usize| {
        if symbol < 4 { values.start()[symbol] } else { values.parameters()[symbol - 4] }
    };
    let of = |node| model.graph.evaluate(node, &value);
    assert_close(of(model.states[2].rate), -23.037783550855817, 1e-12);
    assert_close(of(model.states[3].rate), -8.981997255360584, 1e-12);
    let wall = &model.contacts[0];
    assert_close(of(wall.gap), 2.955973675275e-3, 1e-15);
    assert_close(of(wall.speed), -9.253985490050e-2, 1e-13);
    assert_close(of(wall.acceleration), -16.54498590338964, 1e-12);
    // F' = F - lambda W with lambda = -a/(1 + r).
    let lambda = -of(wall.acceleration) / (1.0 + of(wall.restitution));
    assert_close(of(model.states[2].rate) - lambda * of(wall.direction[2]), -4.787126731751822, 1e-12);
    assert_close(of(model.states[3].rate) - lambda * of(wall.direction[3]), -8.407289161440273, 1e-12);
}

/// Sect. 6.3: the equilibrium against the wall at T = -31.00166609425, d = 0.5 is a saddle with the rate 0.28879317054699: the
/// motion stays there, a perturbed start leaves with that rate.
#[test]
fn the_saddle_on_the_wall_is_an_equilibrium() {
    let (q1, q2) = (4.91990567552337, 0.49899755317827);
    // The wall is at d = 0.5, which the printed angles meet to their last digit.
    let set = [("T", -31.00166609425), ("d", 0.5), ("e", 0.9)];
    let start = [("q1", q1), ("q2", q2), ("w1", 0.0), ("w2", 0.0)];
    let (system, values) = system("double-pendulum", &set, &start);
    let mut motion = Motion::new(&system, &values, Settings { until: 5.0, ..Settings::default() }).unwrap();
    assert_eq!(system.mode_name(motion.closed()), "stick:wall");
    // lambda of Eq. (53) is that of Eq. (10) times (1 + e)/(N' M^-1 N).
    assert_close(motion.contact_force(0), 10.69293096743960, 1e-11);
    while motion.time() < 5.0 {
        motion.advance();
    }
    assert_all_close(motion.state(), &[q1, q2, 0.0, 0.0], 1e-11);
    // Beside the saddle, along the wall: cos q1 dq1 + cos q2 dq2 = 0.
    let shift: f64 = 1e-5;
    let beside = |sign: f64| {
        let q1 = q1 + sign * shift;
        let q2 = (-0.5 - q1.sin()).asin();
        let q2 = if (q2 - 0.49899755317827).abs() < 1e-3 { q2 } else { PI - q2 };
        let start = [("q1", q1), ("q2", q2), ("w1", 0.0), ("w2", 0.0)];
        let (system, values) = crate::common::system("double-pendulum", &set, &start);
        let long = run(&system, &values, 8.0);
        let late = long.trajectory.as_ref().unwrap();
        (late.at(6.0)[0], late.at(8.0)[0])
    };
    let ((plus_early, plus_late), (minus_early, minus_late)) = (beside(1.0), beside(-1.0));
    let rate = ((plus_late - minus_late) / (plus_early - minus_early)).ln() / 2.0;
    assert_close(rate, 0.28879317054699, 1e-6);
}

/// A body that a force F = 1 pushes against another one on a rough floor: each impact moves that one until its friction stops it, while the first flies back and follows, and both are
/// slower by the same factor the next time, also where impacts themselves lose nothing. Flights are parabolas, on which the speed of the first turns and that of the second ends. With the
/// speed V of an impact, times are V tau, paths of the second body V^2 D, and the next speed is q V.
#[test]
fn impacts_accumulate_where_friction_alone_takes_the_energy() {
    let (mass, other, force, own): (f64, f64, f64, f64) = (0.5, 1.0, 1.0, 0.5);
    let closed_form = |e: f64, rough: f64| {
        let back = (other * e - mass) / (mass + other);
        let away = mass * (1.0 + e) / (mass + other);
        let (slows, returns) = ((force + own) / mass, (force - own) / mass);
        let path = other * away * away / (2.0 * rough);
        let chase = (2.0 * (path + back * back / (2.0 * slows)) / returns).sqrt();
        let tau = back / slows + chase;
        assert!(other * away / rough < tau, "the other body has stopped");
        let q = returns * chase;
        let first = 1.0;
        ((1.0 + first * tau / (1.0 - q)), 1.0 + first * first * path / (1.0 - q * q))
    };
    for (e, rough) in [(1.0, 4.0), (0.8, 4.0), (1.0, 2.5), (0.7, 6.0)] {
        for together in ["refuse", "lcp"] {
            let (system, values) = crate::common::parse(&format!(
                r#"
                format = 1
                name = "pushed"
                [parameters]
                e = {e:?}
                R = {rough:?}
                [mechanics]
                coordinates = ["x", "y"]
                velocities = ["v", "w"]
                M = {{ diagonal = [0.5, 1.0] }}
                h = ["1.0 - 0.5*sign(v)", "-R*sign(w)"]
                [contacts.c]
                gap = "y - x - 1"
                restitution = "e"
                [impacts]
                together = "{together}"
                [start]
                x = -0.5
                y = 1.0
                v = 0.0
                w = 0.0
                "#
            ));
            let settings = Settings { until: 5.0, ..Settings::default() };
            let directions = [0, 1].map(|k| saltation_motion::Perturbation::of_parameter(&system, k));
            let mut motion = Motion::with_derivatives(&system, &values, settings, &directions).unwrap();
            let mut chattered = Vec::new();
            let ended = loop {
                match motion.advance() {
                    saltation_motion::Happening::Event(event) if event.kind == EventKind::Chatter => {
                        chattered.push(event.end());
                    }
                    saltation_motion::Happening::Ended(ended) => break ended,
                    _ => {}
                }
            };
            let (time, place) = closed_form(e, rough);
            assert_eq!((ended, chattered.len()), (&Ended::ReachedTime, 1), "e = {e}, R = {rough}, {together}");
            assert_close(chattered[0], time, 1e-12);
            assert_all_close(motion.state(), &[place - 1.0, place, 0.0, 0.0], 1e-12);
            assert!(motion.closed().contains(0), "{}", system.mode_name(motion.closed()));
            let h = 1e-5;
            let slopes = [
                (closed_form(e + h, rough).1 - closed_form(e - h, rough).1) / (2.0 * h),
                (closed_form(e, rough + h).1 - closed_form(e, rough - h).1) / (2.0 * h),
            ];
            let derivatives = motion.derivatives();
            for (k, slope) in slopes.into_iter().enumerate() {
                assert_all_close(derivatives.state(k), &[slope, slope, 0.0, 0.0], 1e-8);
            }
        }
    }
}
