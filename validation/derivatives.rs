//! Are the derivatives of a motion right? Against central differences of whole motions, and closed forms.

mod common;

use common::{assert_close, system};
use saltation::model::Values;
use saltation::motion::{Derivatives, EventKind, Happening, Motion, Perturbation, Settings, System};

/// Runs to a time with all derivatives: the kinds of the events, the last state, and its derivatives with respect to every
/// state and then every parameter.
fn differentiate(system: &System, values: &Values, until: f64) -> (Vec<EventKind>, Vec<f64>, Derivatives) {
    let states = (0..values.start.len()).map(|i| Perturbation::of_state(system, i));
    let parameters = (0..values.parameters.len()).map(|i| Perturbation::of_parameter(system, i));
    let directions: Vec<Perturbation> = states.chain(parameters).collect();
    let settings = Settings { until, ..Settings::default() };
    let mut motion = Motion::with_derivatives(system, values, settings, &directions).expect("the start is admissible");
    let mut kinds = Vec::new();
    loop {
        match motion.advance() {
            Happening::Step(_) => {}
            Happening::Event(event) => kinds.push(event.kind),
            Happening::Ended(ended) => {
                assert!(ended.is_complete(), "{ended:?}");
                break;
            }
        }
    }
    (kinds, motion.state().to_vec(), motion.derivatives())
}

fn end_state(system: &System, values: &Values, until: f64) -> (Vec<EventKind>, Vec<f64>) {
    let run = common::run(system, values, until);
    (run.events.iter().map(|e| e.kind).filter(|k| *k != EventKind::Section).collect(), run.state)
}

/// Central differences of fourth order against the derivatives; kinds of events that must occur are asked for, so that a
/// case cannot lose its point. Directions listed are left out: their differences leave the surface the motion starts on.
fn compare(name: &str, set: &[(&str, f64)], start: &[(&str, f64)], until: f64, kinds: &[EventKind], without: &[&str]) {
    let (system, values) = system(name, set, start);
    let (met, _, derivatives) = differentiate(&system, &values, until);
    let met: Vec<EventKind> = met.into_iter().filter(|k| *k != EventKind::Section).collect();
    for kind in kinds {
        assert!(met.contains(kind), "{name}: no {kind:?} until {until}");
    }
    let states = values.start.len();
    for direction in 0..derivatives.directions() {
        let label = match direction.checked_sub(states) {
            None => system.state_names()[direction].as_str(),
            Some(i) => system.model().parameters[i].name.as_str(),
        };
        if without.contains(&label) {
            continue;
        }
        let shifted = |step: f64| {
            let mut values = values.clone();
            match direction.checked_sub(states) {
                None => values.start[direction] += step,
                Some(i) => values.parameters[i] += step,
            }
            let (kinds, state) = end_state(&system, &values, until);
            let impacts = |k: &[EventKind]| k.iter().filter(|k| **k != EventKind::Impact).count();
            assert_eq!(impacts(&kinds), impacts(&met), "{name}: {label} changes the events");
            state
        };
        let h = 2e-5;
        let [far_down, down, up, far_up] = [-2.0 * h, -h, h, 2.0 * h].map(shifted);
        let slopes: Vec<f64> =
            (0..states).map(|i| (8.0 * (up[i] - down[i]) - (far_up[i] - far_down[i])) / (12.0 * h)).collect();
        let size = slopes.iter().fold(1.0_f64, |m, s| m.max(s.abs()));
        for (i, (&exact, &difference)) in derivatives.state(direction).iter().zip(&slopes).enumerate() {
            let error = (exact - difference).abs();
            let state = &system.state_names()[i];
            assert!(error <= 1e-6 * size, "{name}: d {state}/d {label} = {exact}, by differences {difference}");
        }
    }
}

use EventKind::{Chatter, Impact, Release, Stick};

#[test]
fn a_ball_through_impacts_to_rest() {
    compare("bouncing-ball", &[], &[], 2.0, &[Impact], &[]);
    compare("bouncing-ball", &[], &[], 6.0, &[Impact, Chatter, Stick], &[]);
}

#[test]
fn oscillators_through_impacts() {
    compare("impact-oscillator", &[], &[], 20.0, &[Impact], &[]);
    compare("two-wall-oscillator", &[], &[], 12.0, &[Impact], &[]);
    compare("impact-damper", &[], &[], 12.0, &[Impact], &[]);
    compare("coco-impact", &[], &[], 14.0, &[Impact], &[]);
}

#[test]
fn a_ball_on_a_table_through_impacts_chatter_stick_and_release() {
    compare("ball-on-table", &[], &[], 20.0, &[Impact], &[]);
    compare("ball-on-table", &[("K", 1.1), ("e", 0.3)], &[], 30.0, &[Impact, Chatter, Stick, Release], &[]);
}

#[test]
fn the_forced_oscillator_through_chatter_stick_and_release() {
    compare("forced-oscillator", &[], &[], 20.0, &[Impact, Chatter, Stick, Release], &[]);
    let middle = [("x1", 0.02), ("x2", -0.2), ("x3", 2.4)];
    compare("forced-oscillator", &[("sigma", 0.01)], &middle, 9.0, &[Chatter, Stick, Release], &[]);
}

#[test]
fn the_pendulum_through_everything() {
    for name in ["double-pendulum", "double-pendulum-mechanics"] {
        compare(name, &[], &[], 7.0, &[Impact, Chatter, Stick, Release], &[]);
    }
}

#[test]
fn the_relief_valve_through_impacts() {
    compare("relief-valve", &[("q", 3.0)], &[], 10.0, &[Impact], &[]);
}

/// x2 after n impacts of a ball let fall from s: Nordmark & Piiroinen, Eq. (48), rows 1 and 2, before impact n, and that the
/// dependence on s ends with the sequence.
#[test]
fn the_ball_s_derivatives_before_its_impacts() {
    let (system, values) = system("bouncing-ball", &[("g", 9.8), ("e", 0.8)], &[("x", 1.0), ("v", 0.0)]);
    let reference = [
        (1, 2.08, 3.984469851812158),
        (5, 2.0901265408, 13.39419385385175),
        (10, 0.8741339212314528, 17.78320329588189),
    ];
    let settings = Settings { until: 10.0, ..Settings::default() };
    let mut motion =
        Motion::with_derivatives(&system, &values, settings, &[Perturbation::of_state(&system, 0)]).unwrap();
    let mut impacts = 0;
    loop {
        match motion.advance() {
            Happening::Event(event) if event.kind == Impact => {
                let _ = &event;
                if let Some((_, x1, x2)) = reference.iter().find(|(n, ..)| *n == impacts) {
                    let before = motion.derivatives_before_impact();
                    assert_close(before.state(0)[0], *x1, 1e-12);
                    assert_close(before.state(0)[1], *x2, 1e-11);
                }
                impacts += 1;
            }
            Happening::Ended(_) => break,
            _ => {}
        }
    }
    assert_eq!(motion.derivatives().state(0), [0.0, 0.0]);
}
