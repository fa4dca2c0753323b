//! Derivatives of motions against central differences of whole motions and against closed forms.
#![allow(clippy::excessive_precision)] // references keep the digits they were computed with

use crate::common::{assert_close, beside, saltation, system};
use saltation_model::Values;
use saltation_motion::{Derivatives, EventKind, FlowChoice, Happening, Motion, Perturbation, Settings, System};

/// Runs to a time with all derivatives: the kinds of the events, the last state, and its derivatives with respect to every
/// state and then every parameter.
fn differentiate(system: &System, values: &Values, until: f64) -> (Vec<EventKind>, Vec<f64>, Derivatives) {
    let states = (0..values.start().len()).map(|i| Perturbation::of_state(system, i));
    let parameters = (0..values.parameters().len()).map(|i| Perturbation::of_parameter(system, i));
    let directions: Vec<Perturbation> = states.chain(parameters).collect();
    let settings = Settings { until, ..Settings::default() };
    let mut motion = Motion::with_derivatives(system, values, settings, &directions).expect("the start is admissible");
    let mut kinds = Vec::new();
    loop {
        match motion.advance() {
            Happening::Step(_) | Happening::Quiet { .. } => {}
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
    let run = crate::common::run(system, values, until);
    (run.events.iter().map(|e| e.kind).filter(|k| *k != EventKind::Section).collect(), run.state)
}

/// Central differences of fourth order against the derivatives; kinds of events that must occur are asked for, so that a
/// case cannot lose its point.
fn compare(name: &str, set: &[(&str, f64)], start: &[(&str, f64)], until: f64, kinds: &[EventKind]) {
    let (system, values) = system(name, set, start);
    let (met, _, derivatives) = differentiate(&system, &values, until);
    let met: Vec<EventKind> = met.into_iter().filter(|k| *k != EventKind::Section).collect();
    for kind in kinds {
        assert!(met.contains(kind), "{name}: no {kind:?} until {until}");
    }
    let states = values.start().len();
    for direction in 0..derivatives.directions() {
        let label = match direction.checked_sub(states) {
            None => system.state_names()[direction].as_str(),
            Some(i) => system.model().parameters[i].name.as_str(),
        };
        let shifted = |step: f64| {
            let values = beside(&values, direction, step);
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
    compare("bouncing-ball", &[], &[], 2.0, &[Impact]);
    compare("bouncing-ball", &[], &[], 6.0, &[Impact, Chatter, Stick]);
}

#[test]
fn oscillators_through_impacts() {
    compare("impact-oscillator", &[], &[], 20.0, &[Impact]);
    compare("two-wall-oscillator", &[], &[], 12.0, &[Impact]);
    compare("impact-damper", &[], &[], 12.0, &[Impact]);
    compare("coco-impact", &[], &[], 14.0, &[Impact]);
}

#[test]
fn a_ball_on_a_table_through_impacts_chatter_stick_and_release() {
    compare("ball-on-table", &[], &[], 20.0, &[Impact]);
    compare("ball-on-table", &[("K", 1.1), ("e", 0.3)], &[], 30.0, &[Impact, Chatter, Stick, Release]);
}

#[test]
fn the_forced_oscillator_through_chatter_stick_and_release() {
    compare("forced-oscillator", &[], &[], 20.0, &[Impact, Chatter, Stick, Release]);
    let middle = [("x1", 0.02), ("x2", -0.2), ("x3", 2.4)];
    compare("forced-oscillator", &[("sigma", 0.01)], &middle, 9.0, &[Chatter, Stick, Release]);
}

#[test]
fn the_pendulum_through_everything() {
    for name in ["double-pendulum", "double-pendulum-mechanics"] {
        compare(name, &[], &[], 7.0, &[Impact, Chatter, Stick, Release]);
    }
}

/// Slip into its singular point and the impact without collision there.
#[test]
fn the_hop_through_the_singular_point_of_slip() {
    let set = [("ky", 20.0), ("cy", 3.0), ("y0", 0.76), ("kp", 20.0), ("cp", 0.1), ("phi0", 0.56), ("v", 10.0)];
    let start = [("y", 0.9), ("phi", 0.6), ("u", 0.0), ("w", 0.0)];
    let set = [&set[..], &[("mu", 1.5)]].concat();
    compare("frictional-bounce", &set, &start, 2.0, &[EventKind::Slip, EventKind::ImpactWithoutCollision, Release]);
}

#[test]
fn the_relief_valve_through_impacts() {
    compare("relief-valve", &[("q", 3.0)], &[], 10.0, &[Impact]);
}

/// Nordmark & Piiroinen, Eq. (48) with entry (4, 1) corrected, row by row: the derivatives of x, v, h = H/u and u just
/// before impact n with respect to height and speed of the release, u being the speed after the impact before it. A change
/// of h at fixed time is that of the time of impact, because h' = v/u = -1 there.
#[test]
fn the_ball_s_closed_form_row_by_row() {
    let (system, values) = system("bouncing-ball", &[("g", 9.8), ("e", 0.8)], &[("x", 1.0), ("v", 0.0)]);
    let (g, e): (f64, f64) = (9.8, 0.8);
    let fall = -(2.0 * g).sqrt();
    let settings = Settings { until: 10.0, ..Settings::default() };
    let directions = [Perturbation::of_state(&system, 0), Perturbation::of_state(&system, 1)];
    let mut motion = Motion::with_derivatives(&system, &values, settings, &directions).expect("it starts in the air");
    let mut departure: Option<Derivatives> = None;
    let mut impacts = 0;
    loop {
        match motion.advance() {
            Happening::Event(event) if event.kind == Impact => {
                let before = motion.derivatives_before_impact();
                let power = e.powi(impacts);
                let one = 1.0 - e;
                let rows = [
                    [power * (1.0 + e - 2.0 * power * e), -fall / g * power * one],
                    [-g / fall * (1.0 + e) * (1.0 - power), one],
                    [-(1.0 + e - 2.0 * power * e) / fall, one / g],
                    [-g / fall * power * one, 0.0],
                ];
                let rows = rows.map(|row| row.map(|entry| entry / one));
                let columns = [0, 1].map(|j| rows.map(|row| row[j]));
                for (direction, [x, v, h, u]) in columns.into_iter().enumerate() {
                    assert_close(before.state(direction)[0], x, 1e-12);
                    assert_close(before.state(direction)[1], v, 1e-10);
                    assert_close(before.time(direction), h, 1e-12);
                    if let Some(departure) = &departure {
                        assert_close(departure.state(direction)[1], u, 1e-12);
                    }
                }
                departure = Some(motion.event_derivatives());
                impacts += 1;
            }
            Happening::Ended(_) => break,
            _ => {}
        }
    }
    assert!(impacts > 30);
    for direction in 0..2 {
        assert_eq!(motion.derivatives().state(direction), [0.0, 0.0]);
    }
}

/// Their numbers for rows 1 and 2, and the limit of the second before the sequence completes.
#[test]
fn the_ball_s_reference_numbers() {
    let (system, values) = system("bouncing-ball", &[("g", 9.8), ("e", 0.8)], &[("x", 1.0), ("v", 0.0)]);
    let reference = [
        (1, 2.08, 3.984469851812158),
        (5, 2.0901265408, 13.39419385385175),
        (10, 0.8741339212314528, 17.78320329588189),
    ];
    let settings = Settings { until: 4.065, ..Settings::default() };
    let height = [Perturbation::of_state(&system, 0)];
    let mut motion = Motion::with_derivatives(&system, &values, settings, &height).expect("it starts in the air");
    let mut impacts = 0;
    let mut last = 0.0;
    loop {
        match motion.advance() {
            Happening::Event(event) if event.kind == Impact => {
                let before = motion.derivatives_before_impact();
                last = before.state(0)[1];
                if let Some((_, x, v)) = reference.iter().find(|(n, ..)| *n == impacts) {
                    assert_close(before.state(0)[0], *x, 1e-13);
                    assert_close(last, *v, 1e-12);
                }
                impacts += 1;
            }
            Happening::Ended(_) => break,
            _ => {}
        }
    }
    // The distance from the limit falls like e^n.
    assert_close(last, 19.92234925906 * (1.0 - 0.8_f64.powi(impacts - 1)), 1e-10);
}

/// Fig. 3(a): along a chattering sequence the saltation matrix grows without bound in x, and stays bounded in (x, h, u).
#[test]
fn saltation_matrices_along_a_sequence() {
    let (system, values) = system("bouncing-ball", &[("g", 9.8), ("e", 0.8)], &[("x", 1.0), ("v", 0.0)]);
    let run = crate::common::run(&system, &values, 10.0);
    let norm = |matrix: &[Vec<f64>]| {
        (0..matrix[0].len()).map(|j| matrix.iter().map(|row| row[j].abs()).sum::<f64>()).fold(0.0, f64::max)
    };
    let mut last = (0.0, 0.0);
    let impacts: Vec<_> = run.events.iter().filter(|event| event.kind == Impact).collect();
    for pair in impacts.windows(2) {
        let plain = saltation::matrix(system.model(), &values, 0, &pair[1].before);
        let scaled = saltation::scaled_matrix(system.model(), &values, 0, &pair[1].before, pair[0].speed_after);
        let (e, g, v) = (0.8, 9.8, pair[1].speed_before);
        let known = [
            [1.0, 0.0, (1.0 + e) * v, 0.0],
            [0.0, -e, (1.0 + e) * g, 0.0],
            [0.0, 0.0, -1.0, 0.0],
            [0.0, -e, e * g, 0.0],
        ];
        for (row, known) in scaled.iter().zip(known) {
            row.iter().zip(known).for_each(|(x, known)| assert_close(*x, known, 1e-9));
        }
        assert!(norm(&plain) > last.0);
        last = (norm(&plain), norm(&scaled));
    }
    assert!(last.0 > 1e3 && last.1 < 40.0, "{last:?}");
}

/// The derivatives carried from event to event against the product of flow Jacobians and saltation matrices, Eq. (43).
#[test]
fn carried_derivatives_are_products_with_saltation_matrices() {
    let (system, values) = system("two-wall-oscillator", &[], &[("y", 0.9), ("w", 1.2)]);
    let directions: Vec<Perturbation> = (0..3).map(|i| Perturbation::of_state(&system, i)).collect();
    let settings = Settings { until: 9.0, ..Settings::default() };
    let columns = |derivatives: &Derivatives| (0..3).map(|d| derivatives.state(d).to_vec()).collect::<Vec<_>>();
    let apply = |matrix: &[Vec<f64>], columns: &[Vec<f64>]| {
        let times = |column: &Vec<f64>| {
            let product = |row: &Vec<f64>| row.iter().zip(column).map(|(a, b)| a * b).sum::<f64>();
            matrix.iter().map(product).collect::<Vec<f64>>()
        };
        columns.iter().map(times).collect::<Vec<_>>()
    };
    let mut motion = Motion::with_derivatives(&system, &values, settings, &directions).expect("it starts inside");
    let mut impacts = 0;
    loop {
        match motion.advance() {
            Happening::Event(event) if event.kind == Impact => {
                let event = event.clone();
                let contact = event.contact.expect("an impact has a contact");
                let matrix = saltation::matrix(system.model(), &values, contact, &event.before);
                let expected = apply(&matrix, &columns(&motion.derivatives_before_impact()));
                for (ours, known) in columns(&motion.derivatives()).iter().zip(&expected) {
                    ours.iter().zip(known).for_each(|(x, known)| assert_close(*x, *known, 1e-11));
                }
                impacts += 1;
            }
            Happening::Ended(_) => break,
            _ => {}
        }
    }
    assert!(impacts > 2);
}

/// A body in contact with a table K sin(w phi)/w^2 over turns of a phase whose period 2 pi/w depends on a parameter, from a start some turns
/// on: its place is known at every time.
#[test]
fn resting_through_turns_of_the_phase() {
    let text = r#"
        format = 1
        name = "resting"
        [parameters]
        w = 1.3
        [phase.phi]
        rate = 1
        period = "2*pi/w"
        [mechanics]
        coordinates = ["x"]
        velocities = ["v"]
        M = [[1]]
        h = [-1]
        [contacts.table]
        gap = "x - 0.5*sin(w*phi)/w^2"
        restitution = 0.5
        [start]
        x = "0.5*sin(1.3)/w^2"
        v = "0.5*cos(1.3)/w"
        phi = "6*pi/1.3 + 1"
    "#;
    let (system, values) = crate::common::parse(text);
    let frequency = [Perturbation::of_parameter(&system, 0)];
    let settings = Settings { until: 17.0, ..Settings::default() };
    let mut motion = Motion::with_derivatives(&system, &values, settings, &frequency).expect("it starts at rest");
    while !matches!(motion.advance(), Happening::Ended(_)) {}
    assert!(motion.closed().contains(0));
    let (w, phase) = (1.3_f64, values.start()[2] + 17.0);
    let (sine, cosine) = (w * phase).sin_cos();
    let derivatives = motion.derivatives();
    assert_close(derivatives.state(0)[0], 0.5 * (phase * cosine / w.powi(2) - 2.0 * sine / w.powi(3)), 1e-12);
    assert_close(derivatives.state(0)[1], 0.5 * (-phase * sine / w - cosine / w.powi(2)), 1e-12);
    let turns = (phase * w / (2.0 * std::f64::consts::PI)).floor();
    assert_close(derivatives.state(0)[2], turns * 2.0 * std::f64::consts::PI / w.powi(2), 1e-12);
}

/// An oscillator that follows a slow force: the trajectory has none of the fast vibration in it that its derivatives consist of,
/// exp(A t) for y'' + 0.02 y' + y = cos(nu t).
#[test]
fn derivatives_are_faster_than_a_slow_motion() {
    let flows = [FlowChoice::Taylor, FlowChoice::Exact];
    for (nu, flow) in [0.4, 0.2, 0.1].into_iter().flat_map(|nu| flows.map(|flow| (nu, flow))) {
        let text = format!(
            r#"
            format = 1
            name = "slow"
            [phase.phi]
            rate = {nu}
            period = "2*pi"
            [mechanics]
            coordinates = ["y"]
            velocities = ["w"]
            M = [[1]]
            h = ["cos(phi) - 0.02*w - y"]
            [contacts.wall]
            gap = "10 - y"
            restitution = 0.5
            [start]
            y = "(1 - {nu}^2)/((1 - {nu}^2)^2 + (0.02*{nu})^2)"
            w = "{nu}*0.02*{nu}/((1 - {nu}^2)^2 + (0.02*{nu})^2)"
            phi = 0
        "#
        );
        let (system, values) = crate::common::parse(&text);
        let directions = [Perturbation::of_state(&system, 0), Perturbation::of_state(&system, 1)];
        let t = 40.0_f64;
        let settings = Settings { until: t, flow, ..Settings::default() };
        let mut motion = Motion::with_derivatives(&system, &values, settings, &directions).expect("it starts inside");
        while !matches!(motion.advance(), Happening::Ended(_)) {}
        let (omega, decay) = ((1.0 - 1e-4_f64).sqrt(), (-0.01 * t).exp());
        let (sine, cosine) = (omega * t).sin_cos();
        let derivatives = motion.derivatives();
        assert_close(derivatives.state(0)[0], decay * (cosine + 0.01 / omega * sine), 1e-12);
        assert_close(derivatives.state(0)[1], -decay * sine / omega, 1e-12);
        assert_close(derivatives.state(1)[0], decay * sine / omega, 1e-12);
        assert_close(derivatives.state(1)[1], decay * (cosine - 0.01 / omega * sine), 1e-12);
    }
}

/// Every linear model with forcing, by quiet steps of the exact flow, along its path, and by Taylor steps: the same derivatives with
/// respect to every state and every parameter, also those that move the grid.
#[test]
fn derivatives_leap_with_the_motion() {
    for (name, set, until) in [
        ("impact-oscillator", vec![], 30.0),
        // The derivative with respect to an amplitude of zero has a harmonic that the trajectory has not.
        ("impact-oscillator", vec![("A", 0.0), ("omega", 3.0)], 30.0),
        ("two-wall-oscillator", vec![], 20.0),
        ("impact-damper", vec![], 30.0),
        ("ball-on-table", vec![("K", 1.1), ("e", 0.3)], 30.0),
        ("forced-oscillator", vec![("e", 0.1)], 20.0),
        ("coco-impact", vec![], 20.0),
    ] {
        let (system, values) = system(name, &set, &[]);
        let states = (0..values.start().len()).map(|i| Perturbation::of_state(&system, i));
        let parameters = (0..values.parameters().len()).map(|i| Perturbation::of_parameter(&system, i));
        let directions: Vec<Perturbation> = states.chain(parameters).collect();
        let run = |flow: FlowChoice, leaps: bool| {
            let settings = Settings { until, flow, ..Settings::default() };
            let motion = Motion::with_derivatives(&system, &values, settings, &directions);
            let mut motion = motion.expect("the start is admissible");
            motion.keep_path(!leaps);
            let mut leapt = 0;
            loop {
                match motion.advance() {
                    Happening::Quiet { .. } => leapt += 1,
                    Happening::Ended(_) => break,
                    _ => {}
                }
            }
            (motion.derivatives(), leapt)
        };
        let (taylor, _) = run(FlowChoice::Taylor, false);
        let (path, none) = run(FlowChoice::Exact, false);
        let (leaps, some) = run(FlowChoice::Exact, true);
        assert!(none == 0 && some > 1, "{name}: {some} leaps");
        for d in 0..directions.len() {
            let size = taylor.state(d).iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            for i in 0..values.start().len() {
                assert_close(path.state(d)[i], taylor.state(d)[i], 1e-9 * size);
                assert_close(leaps.state(d)[i], taylor.state(d)[i], 1e-9 * size);
            }
        }
    }
}
