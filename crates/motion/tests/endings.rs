//! Motions that cannot go on end with the reason, the time and the state, and keep what was computed.

use saltation_model::{Model, Overrides};
use saltation_motion::{Ended, EventKind, Motion, Run, Settings, System};

fn run(body: &str, until: f64) -> (System, Run) {
    let text = format!("format = 1\nname = \"test\"\n{body}");
    let model = Model::parse(&text, "test.toml").unwrap_or_else(|m| panic!("{m}"));
    let values = model.values(&Overrides::default()).unwrap_or_else(|m| panic!("{m}"));
    let system = System::new(&model);
    let run = Motion::new(&system, &values, Settings { until, ..Settings::default() }).unwrap().run(true, |_| true);
    (system, run)
}

/// y reaches 0, where its square root ends, at t = 2 (y = (1 - t/2)^2 from y' = -sqrt(y)); the formula is named.
#[test]
fn the_square_root_that_ends_is_named() {
    let (system, run) = run("[flow]\nx = \"1\"\ny = \"-sqrt(y - x/1000)\"\n[start]\nx = 0\ny = 1\n", 10.0);
    match &run.ended {
        Ended::NotFinite { quantity, formula } => {
            assert_eq!(quantity, "the derivative of the rate of y");
            assert!(formula.contains("sqrt"), "{formula}");
        }
        other => panic!("{other:?}"),
    }
    assert!(run.time > 1.5 && run.time < 2.5, "{}", run.time);
    assert!(run.state.iter().all(|x| x.is_finite()));
    assert!(run.trajectory.unwrap().len() > 3);
    assert!(run.ended.describe(&system).contains("sqrt"));
}

/// x' = x^2 from 1 grows without bound at t = 1.
#[test]
fn growth_without_bound_ends_at_its_time() {
    let (_, run) = run("[flow]\nx = \"x^2\"\n[start]\nx = 1\n", 10.0);
    assert!(matches!(run.ended, Ended::StepCollapsed { state: 0 }), "{:?}", run.ended);
    assert!((run.time - 1.0).abs() < 1e-9, "{}", run.time);
    assert!(run.state[0] > 1e9);
}

/// 1/(1 - t) by way of a clock.
#[test]
fn a_division_by_zero_is_named() {
    let (_, run) = run("[flow]\nc = 1\nx = \"1/(3 - c)\"\n[start]\nc = 0\nx = 0\n", 10.0);
    match &run.ended {
        Ended::NotFinite { quantity, formula } => {
            assert_eq!(quantity, "the rate of x");
            assert!(formula.contains('/'), "{formula}");
        }
        other => panic!("{other:?}"),
    }
    assert!((run.time - 3.0).abs() < 1e-9);
}

/// An impact law whose new state has no value: the root of a quantity that is positive at first.
#[test]
fn an_impact_without_a_state_is_named() {
    let body = "[flow]\nx = \"v\"\nv = -1\nc = 1\n[contacts.floor]\ngap = \"x\"\njump = { v = \"-v*sqrt(4 - c)\" }\n\
                [start]\nx = 2\nv = 0\nc = 3.5\n";
    let text = format!("format = 1\nname = \"test\"\n{body}");
    let model = match Model::parse(&text, "test.toml") {
        Ok(model) => model,
        Err(mistakes) => panic!("{mistakes}"),
    };
    // The model's own check may refuse it at random states; the run has to cope when it does not.
    let Ok(values) = model.values(&Overrides::default()) else {
        return;
    };
    let system = System::new(&model);
    let run =
        Motion::new(&system, &values, Settings { until: 10.0, ..Settings::default() }).unwrap().run(false, |_| true);
    match &run.ended {
        Ended::NotFinite { quantity, formula } => {
            assert!(quantity.contains("floor"), "{quantity}");
            assert!(formula.contains("sqrt"), "{formula}");
        }
        other => panic!("{other:?}"),
    }
    assert!((run.time - 2.0).abs() < 1e-12);
}

/// The caller stops: the run ends there, with what it has.
#[test]
fn an_interrupted_run_keeps_what_it_has() {
    let model = saltation_model::gallery::model("double-pendulum").unwrap().unwrap();
    let values = model.values(&Overrides::default()).unwrap();
    let system = System::new(&model);
    let motion = Motion::new(&system, &values, Settings { until: 1e9, ..Settings::default() }).unwrap();
    let run = motion.run(true, |time| time < 50.0);
    assert_eq!(run.ended, Ended::Interrupted);
    assert!(run.time >= 50.0 && run.time < 60.0);
    assert!(run.count(EventKind::Impact) > 3);
    assert!((run.trajectory.unwrap().span().unwrap().1 - run.time).abs() < 1e-13);
}

/// Every model of the gallery runs for a hundred time units from its own start, stays outside its obstacles, and its trajectory is
/// continuous but for the jumps of its events.
#[test]
fn every_gallery_model_moves_and_stays_outside() {
    for name in saltation_model::gallery::NAMES {
        let model = saltation_model::gallery::model(name).unwrap().unwrap();
        let values = model.values(&Overrides::default()).unwrap();
        let system = System::new(&model);
        // The converter has 2500 ramps in a second, and the crank 24 turns; the oscillation of the bridge decays to nothing within a second.
        let until = match name {
            "buck-converter" | "diode-bridge" => 0.1,
            "slider-crank" => 4.0,
            _ => 100.0,
        };
        let motion = Motion::new(&system, &values, Settings { until, ..Settings::default() }).unwrap();
        let run = motion.run(true, |_| true);
        assert_eq!(run.ended, Ended::ReachedTime, "{name}");
        assert!(!run.events.is_empty(), "{name}");
        let path = run.trajectory.unwrap();
        let gap = |contact: usize, state: &[f64]| {
            let states = state.len();
            let value = |s: usize| {
                if s < states { state[s] } else { values.parameters()[s - states] }
            };
            model.graph.evaluate(model.contacts[contact].gap, &value)
        };
        for k in 0..=2000 {
            let state = path.at(until / 2000.0 * k as f64);
            for contact in 0..model.contacts.len() {
                let g = gap(contact, &state);
                assert!(g > -1e-11, "{name}: {g:e} at {}", until / 2000.0 * k as f64);
            }
        }
        let mut end: Option<(f64, Vec<f64>)> = None;
        for piece in path.pieces() {
            let mut state = vec![0.0; values.start().len()];
            piece.evaluate(0.0, &mut state);
            if let Some((time, previous)) = &end {
                assert!((time - piece.start).abs() < 1e-12, "{name}: a gap in time at {time}");
                let jumped = run.events.iter().any(|e| (e.time - time).abs() < 1e-12 || (e.end() - time).abs() < 1e-12);
                let wrapped = model.phases().any(|phase| (state[phase.state] - previous[phase.state]).abs() > 1.0);
                let moved = state.iter().zip(previous).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(jumped || wrapped || moved < 1e-9, "{name}: a jump of {moved:e} at {time} without an event");
            }
            piece.evaluate(piece.length, &mut state);
            end = Some((piece.start + piece.length, state));
        }
    }
}

/// Numbers beyond the largest are no result: a motion whose state is not finite ends, and says so.
#[test]
fn a_state_that_overflows_ends_the_motion() {
    let model = saltation_model::gallery::model("bouncing-ball").unwrap().unwrap();
    let overrides = Overrides { set: vec![("g".into(), "1e300".into())], start: vec![] };
    let values = model.values(&overrides).unwrap();
    let system = System::new(&model);
    let motion = Motion::new(&system, &values, Settings { until: 1.0, ..Settings::default() }).unwrap();
    let run = motion.run(false, |_| true);
    assert!(run.ended.is_complete() == run.state.iter().all(|x| x.is_finite()), "{:?} {:?}", run.ended, run.state);
}

/// A ball at rest needs no steps to speak of, however long it lies there.
#[test]
fn rest_takes_no_time() {
    let model = saltation_model::gallery::model("bouncing-ball").unwrap().unwrap();
    let values = model.values(&Overrides::default()).unwrap();
    let system = System::new(&model);
    let run =
        Motion::new(&system, &values, Settings { until: 1e300, ..Settings::default() }).unwrap().run(true, |_| true);
    assert_eq!(run.ended, Ended::ReachedTime);
    assert!(run.trajectory.unwrap().len() < 300);
}
