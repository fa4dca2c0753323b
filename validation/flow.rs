//! The smooth flow between events: closed forms, conserved energy, and errors that follow the tolerance.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

use crate::common::oscillator::Oscillator;
use crate::common::{assert_close, run_with, system};
use saltation_motion::{EventKind, FlowChoice, Settings};

/// The energy of the double pendulum without torque, damping and wall, from (1, 0.5) with zero velocity, over 100 time units.
#[test]
fn the_free_double_pendulum_keeps_its_energy() {
    let set = [("T", 0.0), ("D", 0.0), ("d", 10.0)];
    let start = [("q1", 1.0), ("q2", 0.5), ("w1", 0.0), ("w2", 0.0)];
    let (system, values) = system("double-pendulum", &set, &start);
    let energy = |x: &[f64]| {
        let (q1, q2, w1, w2) = (x[0], x[1], x[2], x[3]);
        let kinetic = 1.5 * w1 * w1 + w2 * w2 + 2.0 * w1 * w2 * (q1 - q2).cos();
        kinetic - 9.81 * (3.0 * q1.cos() + 2.0 * q2.cos())
    };
    let settings = Settings { until: 100.0, tolerance: 1e-15, ..Settings::default() };
    let run = run_with(&system, &values, settings);
    let path = run.trajectory.unwrap();
    let begin = energy(values.start());
    let drift = (0..=1000).map(|k| (energy(&path.at(0.1 * k as f64)) - begin).abs()).fold(0.0, f64::max);
    assert!(drift < 1e-11, "{drift:e}");
}

/// The linear oscillator against its closed form, impacts included: the error falls with the tolerance down to 1e-13,
/// and at the default it is below the default.
#[test]
fn errors_fall_with_the_tolerance() {
    let oscillator = Oscillator { zeta: 0.02, omega: 0.81, amplitude: 0.5 };
    let (system, values) = system("impact-oscillator", &[("A", 0.5)], &[("x", -0.5), ("y", 0.0), ("phi", 0.0)]);
    let error = |tolerance: f64| {
        let settings = Settings { until: 30.0, tolerance, flow: FlowChoice::Taylor, ..Settings::default() };
        let run = run_with(&system, &values, settings);
        let path = run.trajectory.as_ref().unwrap();
        // The closed form from one impact to the next.
        let (mut t0, mut x0, mut v0) = (0.0, -0.5, 0.0);
        let mut worst = 0.0_f64;
        let mut impacts = run.events.iter().filter(|e| e.kind == EventKind::Impact).peekable();
        for k in 1..=600 {
            let t = 0.05 * k as f64;
            while let Some(impact) = impacts.next_if(|e| e.time < t) {
                // The true impact near the one that was found, by Newton's method on the closed form.
                let mut hit = impact.time;
                for _ in 0..4 {
                    let (x, v) = oscillator.flight(hit, t0, x0, v0);
                    hit -= x / v;
                }
                worst = worst.max((hit - impact.time).abs());
                v0 = -0.9 * oscillator.flight(hit, t0, x0, v0).1;
                (t0, x0) = (hit, 0.0);
            }
            let (x, v) = oscillator.flight(t, t0, x0, v0);
            let at = path.at(t);
            worst = worst.max((at[0] - x).abs()).max((at[1] - v).abs());
        }
        assert!(run.count(EventKind::Impact) >= 3);
        worst
    };
    for tolerance in [1e-5, 1e-7, 1e-9, 1e-11, 1e-12, 1e-13] {
        let error = error(tolerance);
        assert!(error < 10.0 * tolerance, "error {error:.2e} at tolerance {tolerance:.0e}");
    }
    assert!(error(Settings::default().tolerance) < Settings::default().tolerance);
    assert!(error(1e-5) > 100.0 * error(1e-9));
}

/// The pendulum has no closed form: at the default tolerance it agrees with a run at 1e-15, through a whole period with
/// chattering and stick.
#[test]
fn the_default_tolerance_is_reached_through_chattering() {
    let (system, values) = system("double-pendulum", &[], &[]);
    let at = |tolerance: f64, until: f64| {
        let settings = Settings { until, tolerance, ..Settings::default() };
        run_with(&system, &values, settings).state
    };
    for until in [1.0, 3.0, 5.2, 6.0] {
        let (default, exact) = (at(1e-12, until), at(1e-15, until));
        for (a, b) in default.iter().zip(&exact) {
            assert_close(*a, *b, 5e-12 * (1.0 + b.abs()));
        }
    }
}

/// Springs of pure powers: from rest position x = 0 the series of x'' = -x^n has a coefficient at every (n+1)-th order only, so
/// that its last ones may vanish without saying anything. The energy v^2/2 + x^(n+1)/(n+1) shows whether the motion is correct.
#[test]
fn series_with_gaps_are_not_taken_for_polynomials() {
    for power in [3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 20, 23, 30, 40] {
        let text = format!(
            "format = 1\nname = \"spring\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\n\
             h = [\"-x^{power}\"]\n[contacts.far]\ngap = \"x + 2\"\nrestitution = 1\n[start]\nx = 0\nv = 1\n"
        );
        let model = saltation_model::Model::parse(&text, "spring.toml").unwrap_or_else(|m| panic!("{m}"));
        let system = saltation_motion::System::new(&model);
        for start in [0.0, 1e-9, 1e-4, 1e-2] {
            let mut values = model.values(&Default::default()).unwrap_or_else(|m| panic!("{m}"));
            values.set_start(0, start).unwrap();
            for tolerance in [1e-12, 5e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7] {
                let run = run_with(&system, &values, Settings { until: 1.9, tolerance, ..Settings::default() });
                assert_eq!(run.events.len(), 0);
                let order = f64::from(power + 1);
                let energy = |x: f64, v: f64| v * v / 2.0 + x.powf(order) / order;
                let path = run.trajectory.unwrap();
                for k in 0..=19 {
                    let state = path.at(0.1 * f64::from(k));
                    let drift = energy(state[0], state[1]) - energy(start, 1.0);
                    assert!(drift.abs() < 100.0 * tolerance, "x^{power} from {start:e} at {tolerance:e}: {drift:e}");
                }
            }
        }
    }
}
