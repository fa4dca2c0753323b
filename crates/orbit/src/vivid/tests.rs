//! Tests of the VIVID function against closed forms and against the published results of Ghosh & Simpson.

use saltation_continuation::{Curve, Settings, test_function};
use saltation_model::{Model, Overrides, Values, gallery};
use saltation_motion::{ClosedSet, FlowChoice, System};
use saltation_numerics::dense::Matrix;

use super::*;
use crate::signature::{Kind, Node, Signature};

const ACCURACY: (f64, FlowChoice) = (1e-12, FlowChoice::Automatic);
/// Of the graze at omega = 0.81.
const AMPLITUDE: f64 = 0.3454228857502062;
const PHASE: f64 = 0.09391443;

fn oscillator() -> (System, Values) {
    let model = gallery::model("impact-oscillator").unwrap().unwrap();
    let following = model.values(&Overrides::default()).and_then(|values| values.along(&["A"])).unwrap();
    (System::new(&model), following)
}

fn vivid<'s>((system, following): &'s (System, Values), loops: usize) -> Vivid<'s> {
    let sizes = vec![1.0; following.start().len() + following.free().len()];
    Vivid::new(system, following.clone(), 0, loops, sizes, ACCURACY).unwrap()
}

/// A weight on a spring that hangs above a floor, g = h + x with x'' = -x: all flights are known.
fn spring() -> (System, Values) {
    let text = r#"
        format = 1
        name = "spring"
        [parameters]
        h = 0.5
        r = 0.8
        [mechanics]
        coordinates = ["x"]
        velocities = ["v"]
        M = [[1]]
        h = ["-x"]
        [contacts.floor]
        gap = "h + x"
        restitution = "r"
        [start]
        x = 0
        v = 0
    "#;
    let model = Model::parse(text, "spring").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let following = model.values(&Overrides::default()).and_then(|values| values.along(&["h"])).unwrap();
    (System::new(&model), following)
}

fn component(state: usize, sign: f64) -> Component {
    Component { state, sign }
}

#[test]
fn the_maps_of_a_spring_are_those_of_its_circles() {
    let system = spring();
    let mut vivid = vivid(&system, 1);
    vivid.bind(&[0.5]);
    let mut end = Image::new(2, 1);
    for speed in [-2.0, -0.3, -1e-7, 0.0, 1e-12, 0.4, 3.0] {
        // (x, v) = R (-cos t, sin t) with its minimum at t = 0.
        let time = vivid.virtual_map(&[-0.5, speed], &mut end).unwrap();
        let radius = 0.5_f64.hypot(speed);
        assert!((time + (speed / 0.5).atan()).abs() < 1e-14, "{speed}: {time}");
        assert!((end.state[0] + radius).abs() < 1e-14 && end.state[1].abs() < 1e-14);
        assert!((end.derivative[(0, 1)] + speed / radius).abs() < 1e-13);
        assert!((end.derivative[(0, 0)] - 0.5 / radius).abs() < 1e-13);
        assert!(end.derivative[(1, 0)].abs() < 1e-13 && end.derivative[(1, 1)].abs() < 1e-13);
    }
    for loops in [1, 2, 7] {
        let time = vivid.global_map(&[-0.7, 0.0], loops, &mut end).unwrap();
        assert!((time - loops as f64 * std::f64::consts::TAU).abs() < 1e-13);
        assert!((end.state[0] + 0.7).abs() < 1e-13 && (end.derivative[(0, 0)] - 1.0).abs() < 1e-13);
    }
}

#[test]
fn curves_run_through_the_graze_and_find_the_fold() {
    let (_, following) = oscillator();
    let model = gallery::model("impact-oscillator").unwrap().unwrap();
    // The curve at omega = 0.81 through the graze, y = 0, to the virtual orbit at y = -0.05.
    let system = (System::new(&model), following);
    let guess = [0.0, 0.1, PHASE, AMPLITUDE];
    let mut curve = Curve::start(vivid(&system, 2), &guess, 1, Settings::default()).unwrap();
    assert!((curve.point().unknowns[3] - 0.3486891854227736).abs() < 1e-12);
    curve.reverse();
    let mut at = |speed: f64| {
        for _ in 0..50 {
            if let Some(point) = curve.locate(&mut test_function::value(1, speed)).unwrap() {
                return point.unknowns[3];
            }
            curve.advance().unwrap();
        }
        panic!("the curve does not come to {speed}");
    };
    assert!((at(0.01) - 0.3457405275930006).abs() < 1e-11);
    assert!((at(0.0) - AMPLITUDE).abs() < 1e-11);
    assert!((at(-0.05) - 0.34386505469618783).abs() < 1e-11);
    // The fold at omega = 0.799.
    let settings = Overrides { set: vec![("omega".into(), "0.799".into())], start: vec![] };
    let system = (System::new(&model), model.values(&settings).and_then(|values| values.along(&["A"])).unwrap());
    let mut curve = Curve::start(vivid(&system, 2), &[0.0, 0.01, 0.08, 0.363], 1, Settings::default()).unwrap();
    let fold = loop {
        curve.advance().unwrap();
        assert!(curve.point().unknowns[1] < 0.3);
        if let Some(fold) = curve.locate(&mut test_function::fold(3)).unwrap() {
            break fold;
        }
    };
    assert!((fold.unknowns[3] - 0.362836201980889).abs() < 1e-12);
    assert!((fold.unknowns[1] - 0.124087344852288).abs() < 1e-8);
}

#[test]
fn what_has_no_vivid_function_is_refused() {
    let (system, following) = oscillator();
    let new = |contact, loops, sizes: Vec<f64>| {
        Vivid::new(&system, following.clone(), contact, loops, sizes, ACCURACY).map(|_| ()).unwrap_err()
    };
    assert_eq!(new(1, 1, vec![1.0; 4]), Unsuitable::Contact { contact: 1, contacts: 1 });
    assert_eq!(new(0, 0, vec![1.0; 4]), Unsuitable::Loops(0));
    assert_eq!(new(0, usize::MAX, vec![1.0; 4]), Unsuitable::Loops(usize::MAX));
    for sizes in [vec![1.0; 3], vec![1.0, 1.0, 1.0, f64::NAN], vec![1.0, 0.0, 1.0, 1.0]] {
        assert_eq!(new(0, 1, sizes), Unsuitable::Sizes { expected: 4 });
    }
    let node = |kind: Kind, after: ClosedSet| Node { kind, before: ClosedSet::NONE, after, collisions: Vec::new() };
    let impact = node(Kind::Impact { contact: 0 }, ClosedSet::NONE);
    let signature = |nodes: Vec<Node>| Signature { nodes, turns: vec![0.0, 0.0, 2.0], mirror: None, held: Vec::new() };
    let of = |signature: &Signature, unknowns: &[f64]| {
        let sizes = vec![1.0; unknowns.len()];
        Vivid::of_signature(&system, following.clone(), signature, (unknowns, &sizes), ACCURACY)
            .map(|_| ())
            .unwrap_err()
    };
    let two = signature(vec![impact.clone(), impact.clone()]);
    assert!(matches!(of(&two, &[0.0; 9]), Unsuitable::Signature(_)));
    assert!(matches!(of(&signature(vec![]), &[0.0; 1]), Unsuitable::Signature(_)));
    assert!(matches!(of(&signature(vec![node(Kind::Waypoint, ClosedSet::NONE)]), &[0.0; 4]), Unsuitable::Signature(_)));
    let stuck = node(Kind::Impact { contact: 0 }, ClosedSet::NONE.with(0));
    assert!(matches!(of(&signature(vec![stuck]), &[0.0; 5]), Unsuitable::Signature(_)));
    let one = signature(vec![impact]);
    assert_eq!(of(&one, &[0.0; 3]), Unsuitable::Sizes { expected: 5 });
    // A motion that does not come back at a minimum, at once, or ever.
    for time in [10.0, 0.0, -1.0, f64::NAN] {
        assert!(matches!(of(&one, &[0.0, 0.1, PHASE, time, AMPLITUDE]), Unsuitable::Uncounted(_)), "{time}");
    }
    assert!(matches!(of(&one, &[0.0, 0.1, PHASE, 1e9, AMPLITUDE]), Unsuitable::Loops(_)));
}

#[test]
fn failures_are_told_and_nothing_panics() {
    let system = oscillator();
    let mut two = vivid(&system, 2);
    // Nothing was evaluated yet.
    assert!(two.reduced().multipliers().is_err());
    for (i, bad) in [(0, f64::NAN), (1, f64::INFINITY), (2, f64::NEG_INFINITY), (3, f64::NAN)] {
        let mut u = [0.0, 0.1, PHASE, AMPLITUDE];
        u[i] = bad;
        assert_eq!(two.vary(&u).unwrap_err(), Failure::NotFinite);
        assert!(two.solve(&u, &[Held::Speed(-0.1)]).is_err());
    }
    for huge in [1e300, -1e300] {
        for i in 0..4 {
            let mut u = [0.0, 0.1, PHASE, AMPLITUDE];
            u[i] = huge;
            let _ = two.vary(&u);
        }
    }
    assert!(matches!(two.solve(&[0.0; 3], &[Held::Speed(0.0)]), Err(Unsolved::Mismatch { .. })));
    assert!(matches!(two.solve(&[0.0; 4], &[]), Err(Unsolved::Mismatch { .. })));
    assert!(matches!(two.solve(&[0.0; 4], &[Held::Unknown(4)]), Err(Unsolved::Mismatch { .. })));
    let unsolved = two.solve(&[0.0, 0.1, PHASE, AMPLITUDE], &[Held::Speed(f64::NAN)]).unwrap_err();
    assert_eq!(unsolved, Unsolved::Failure { failure: Failure::NotFinite, steps: 0 });
    // At speed zero the gap turns downward.
    let turned = two.vary(&[0.0, 0.0, PHASE, 2.0]).unwrap_err();
    assert!(
        matches!(turned, Failure::Tangency { acceleration, .. } if (acceleration + 1.0).abs() < 0.01),
        "{turned:?}"
    );
    // A ball that falls never turns.
    let model = gallery::model("bouncing-ball").unwrap().unwrap();
    let name = model.parameters[0].name.clone();
    let ball =
        (System::new(&model), model.values(&Overrides::default()).and_then(|values| values.along(&[&name])).unwrap());
    let mut ball_vivid = vivid(&ball, 1);
    let value = ball.1.start()[0];
    let fallen = ball_vivid.vary(&[0.0, -1.0, value]).unwrap_err();
    assert!(matches!(fallen, Failure::NoMinimum { .. } | Failure::Lost(_)), "{fallen:?}");
    assert!(matches!(ball_vivid.vary(&[0.0, 0.0, value]).unwrap_err(), Failure::Tangency { .. }));
}

#[test]
fn components_keep_their_zeros_and_signs_when_another_state_is_left_out() {
    let system = oscillator();
    let mut two = vivid(&system, 2);
    let u = [0.0, 0.07, 0.08, 0.348];
    let (mut residual, mut jacobian) = (vec![0.0; 3], Matrix::zeros(3, 4));
    two.evaluate(&u, &mut residual, &mut jacobian).unwrap();
    assert_eq!(two.components, [component(0, 1.0), component(2, 1.0)]);
    // As if v were 0.05 y + phi: to first order along Pi, dphi = -0.05 dy.
    two.variation.normal = vec![0.0, 0.05, 1.0, 0.0];
    two.choose_components();
    assert_eq!(two.components, [component(0, 1.0), component(1, -1.0)]);
    two.variation.normal = vec![0.0, 0.5, 1.0, 0.0];
    two.choose_components();
    assert_eq!(two.components, [component(0, 1.0), component(1, -1.0)]);
}
