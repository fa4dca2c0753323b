//! Hertz's law, whose force has no series in time where contact begins and ends: closed forms, and differences of whole motions.

use saltation_motion::{Ended, EventKind, Motion, Perturbation, Settings};

use super::{assert_relative, orbit_with, simulate, system, times};
use crate::common::assert_close;

/// A free flight at unit speed from the height 1/2 on a surface at rest, without gravity.
const FREE: [&str; 6] = ["grav=0", "a=0", "beta=0", "y:0.5", "v:-1", "k=1000"];

/// From rest to rest the energy m u^2/2 is (2/5) k d^(5/2), and the contact lasts for 2 sqrt(pi) G(7/5)/G(9/10) times d/u (Hertz, J. reine angew. Math. 92, 1882).
#[test]
fn depth_and_duration_of_a_contact() {
    let (system, run) = simulate("hertz-ball", &FREE, 2.0);
    assert_eq!(run.ended, Ended::ReachedTime, "{}", run.ended.describe(&system));
    let [touch, leave] = times(&run.events, EventKind::Switch)[..] else { panic!("{:?}", run.events) };
    let depth = (5.0_f64 / 4000.0).powf(0.4);
    assert_close(touch, 0.5, 1e-15);
    assert_relative(leave - touch, 2.943275184324706 * depth, 1e-11);
    assert_close(run.state[1], 1.0, 1e-11);
    let path = run.trajectory.expect("it is kept");
    assert_close(path.at(0.5 * (touch + leave))[0], -depth, 1e-12);
    assert_close(path.at(0.5 * (touch + leave))[1], 0.0, 1e-10);
}

/// With v dv/(1 + beta v) = -(k/m) d^(3/2) dd the speeds u before and w after a contact obey beta u - log(1 + beta u) = -beta w - log(1 - beta w), whatever
/// the stiffness (Hunt & Crossley, 1975).
#[test]
fn speed_after_a_damped_contact() {
    for (k, speed, beta) in [(1e3, 1.0, 0.3), (1e5, 2.0, 0.7), (50.0, 0.1, 4.0)] {
        let set = [
            "grav=0".to_string(),
            "a=0".to_string(),
            format!("beta={beta}"),
            "y:0.2".to_string(),
            format!("v:-{speed}"),
            format!("k={k}"),
        ];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let (_, run) = simulate("hertz-ball", &set, 5.0);
        assert_eq!(run.count(EventKind::Switch), 2);
        let left = |v: f64| beta * v - (1.0 + beta * v).ln();
        assert_close(left(-run.state[1]), left(speed), 1e-12);
        assert!(run.state[1] > 0.0 && run.state[1] < speed);
    }
}

/// The derivative through contacts is the difference of whole motions.
#[test]
fn derivatives_through_contacts() {
    let (system, values) = system("hertz-ball", &[]);
    let until = 1.5;
    let settings = Settings { until, ..Settings::default() };
    let end = |start: [f64; 3]| -> Vec<f64> {
        let mut motion = Motion::new(&system, &values, settings).expect("the start is admissible");
        motion.restart(&start, motion.closed(), (until, None), &[]).expect("the start is admissible");
        while !matches!(motion.advance(), saltation_motion::Happening::Ended(_)) {}
        motion.state().to_vec()
    };
    for direction in 0..2 {
        let perturbation = [Perturbation::of_state(&system, direction)];
        let mut motion =
            Motion::with_derivatives(&system, &values, settings, &perturbation).expect("the start is admissible");
        let mut events = 0;
        loop {
            match motion.advance() {
                saltation_motion::Happening::Event(_) => events += 1,
                saltation_motion::Happening::Ended(_) => break,
                _ => {}
            }
        }
        assert!(events >= 6, "{events}");
        let found = motion.derivatives().state(0).to_vec();
        let h = 1e-4;
        let shifted = |by: f64| {
            let mut start = [0.1, 0.0, 0.0];
            start[direction] += by;
            end(start)
        };
        // Two differences, extrapolated: the motion is twice differentiable at least.
        let difference = |h: f64| -> Vec<f64> {
            let (plus, minus) = (shifted(h), shifted(-h));
            plus.iter().zip(&minus).map(|(p, m)| (p - m) / (2.0 * h)).collect()
        };
        let (coarse, fine) = (difference(h), difference(0.5 * h));
        for i in 0..2 {
            let reference = (4.0 * fine[i] - coarse[i]) / 3.0;
            assert_close(found[i], reference, 1e-5 * found[i].abs().max(1.0));
        }
    }
}

/// The orbit of the branch at its period doubling is that of the return map, whose multiplier is -1 there.
#[test]
fn branch_and_return_map_agree_at_a_period_doubling() {
    let system = saltation::System::gallery("hertz-ball").expect("it is there");
    let orbit = system.orbit().settle(200).find().expect("it is stable");
    let branch = orbit.continue_in("a", 0.02..=0.032).run().expect("it begins");
    assert_eq!(branch.special.len(), 1, "{:?}", branch.special);
    let special = &branch.special[0];
    assert_eq!(special.kind.name(), "period_doubling");
    let a = format!("a={}", special.parameters["a"]);
    let start: Vec<String> = ["y", "v"].iter().map(|name| format!("{name}:{}", special.state[*name])).collect();
    let set = [&a[..], &start[0], &start[1]];
    let found = orbit_with("hertz-ball", &set, None, |_| {});
    let nearest = found.multipliers.iter().map(|m| (m.re + 1.0).hypot(m.im)).fold(f64::INFINITY, f64::min);
    assert!(nearest < 1e-8, "{:?}", found.multipliers);
}

/// A thousand orders of stiffness, and powers 1/2 and 5/2: the energy of a conservative contact comes back.
#[test]
fn other_powers_and_stiffnesses_keep_energy() {
    for power in [0.5, 1.5, 2.5, 3.5] {
        for k in [1e-2, 1.0, 1e3, 1e7] {
            let text = format!(
                "format = 1\nname = \"power\"\n[flow]\nx = \"v\"\nv = \"{k}*max(-x, 0)^{power} - 1\"\n[start]\nx = 1\nv = 0\n"
            );
            let (system, run) = simulate(&text, &[], 10.0);
            assert_eq!(run.ended, Ended::ReachedTime, "{power} {k}: {}", run.ended.describe(&system));
            assert!(run.count(EventKind::Switch) >= 2 || k < 1.0, "{power} {k}");
            let (x, v) = (run.state[0], run.state[1]);
            let energy = 0.5 * v * v + x + k * (-x).max(0.0).powf(power + 1.0) / (power + 1.0);
            assert_close(energy, 1.0, 1e-10);
        }
    }
}

/// A surface that is a curve, crossed at an angle: what stands under the root is rounding of either sign where it is reached.
#[test]
fn a_curved_surface() {
    let text = "format = 1\nname = \"round\"\n[flow]\nx = \"u\"\ny = \"v\"\nu = \"-100*x*max(x^2 + y^2 - 1, 0)^1.5\"\nv = \"-100*y*max(x^2 + y^2 - 1, 0)^1.5\"\n[start]\nx = 0.1\ny = 0.2\nu = 1\nv = 0.3\n";
    let (system, run) = simulate(text, &[], 40.0);
    assert_eq!(run.ended, Ended::ReachedTime, "{}", run.ended.describe(&system));
    assert!(run.count(EventKind::Switch) > 30);
    let [x, y, u, v] = run.state[..] else { panic!() };
    let outside = (x * x + y * y - 1.0).max(0.0);
    assert_close(x * v - y * u, 0.1 * 0.3 - 0.2 * 1.0, 1e-10);
    assert_close(0.5 * (u * u + v * v) + 20.0 * outside.powf(2.5), 0.545, 1e-10);
}

/// A long flight and a step that ends far from its start leave rounding of their own size at the surface, on either side of it.
#[test]
fn surfaces_are_reached_from_far() {
    let model = |power: f64, k: f64, gravity: f64, damping: f64, start: [f64; 2]| {
        format!(
            "format = 1\nname = \"ball\"\n[phase.phi]\nrate = 1\nperiod = \"2*pi\"\n[flow]\nx = \"v\"\n\
             v = \"{k:e}*max(-x, 0)^{power} - {gravity:e} - {damping:e}*v\"\n[start]\nx = {:e}\nv = {:e}\nphi = 0\n",
            start[0], start[1]
        )
    };
    let cases = [
        (0.5, 6652.737036370733, 140.56800568572112, 0.12642827886867766, [53.15951817167643, -247.49784190844738]),
        (
            1.5,
            238056.37113942346,
            0.0249103773113356,
            0.03762721512165359,
            [0.004461159891696815, 0.016345240148909295],
        ),
        (2.5, 1e6, 1e-3, 0.0, [1e-4, -1.0]),
        (1.5, 1e3, 1e3, 0.3, [1e3, 1e3]),
    ];
    for (power, k, gravity, damping, start) in cases {
        let text = model(power, k, gravity, damping, start);
        let (system, run) = simulate(&text, &[], 20.0);
        assert_eq!(run.ended, Ended::ReachedTime, "{}\n{text}", run.ended.describe(&system));
        assert!(run.count(EventKind::Switch) >= 2);
    }
}
