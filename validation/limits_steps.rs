//! Steps miss no event: pulses, steep tanh, discontinuous ramps and narrow gaps against closed forms and small steps. Fields without a series in
//! time, and stiff ones, are reported.

#[path = "../crates/adversary/src/steep.rs"]
mod steep;

use crate::common::{assert_all_close, assert_close};
use saltation_model::{Model, Overrides, Values};
use saltation_motion::extension::{Extension, Image};
use saltation_motion::{ClosedSet, Ended, EventKind, FlowChoice, Happening, Motion, Run, Settings, System};
use steep::{Verdict, examine};

fn compile(text: &str, start: &[(&str, &str)]) -> (System, Values) {
    let model = Model::parse(text, "test.toml").unwrap_or_else(|m| panic!("{m}"));
    let start = start.iter().map(|&(name, value)| (name.to_string(), value.to_string())).collect();
    let values = model.values(&Overrides { start, ..Overrides::default() }).unwrap_or_else(|m| panic!("{m}"));
    (System::new(&model), values)
}

fn flow(body: &str) -> String {
    format!("format = 1\nname = \"test\"\n{body}")
}

fn run(text: &str, until: f64, tolerance: f64) -> Run {
    let (system, values) = compile(text, &[]);
    let settings = Settings { until, tolerance, ..Settings::default() };
    Motion::new(&system, &values, settings).unwrap_or_else(|e| panic!("{e}")).run(false, |_| true)
}

/// v^2/2 grows by the integral of the pulse, 100 * 0.01 sqrt(pi).
#[test]
fn a_pulse_is_not_passed_over() {
    let speed = (1.0 + 2.0 * std::f64::consts::PI.sqrt()).sqrt();
    let text = include_str!("models/pulse.toml");
    for tolerance in [1e-9, 1e-12, 1e-15] {
        let run = run(text, 3.0, tolerance);
        assert_all_close(&run.state, &[4.26885128, speed], (10.0 * tolerance).max(1e-8));
        assert_close(run.state[1], speed, (100.0 * tolerance).max(1e-13));
    }
    // Nor by the flow that pieces of orbits are made of, forward and back.
    let (system, values) = compile(text, &[]);
    let mut extension = Extension::new(&system, 1e-12, FlowChoice::Automatic);
    extension.bind(values.parameters(), &[]);
    let mut end = Image::new(2, 0);
    extension.flow(ClosedSet::NONE, values.start(), 3.0, &mut end).unwrap();
    assert_close(end.state[1], speed, 1e-10);
    let there = end.state.clone();
    extension.flow(ClosedSet::NONE, &there, -3.0, &mut end).unwrap();
    assert_all_close(&end.state, values.start(), 1e-9);
}

/// The references are those of small steps; a tolerance below rounding changes nothing.
#[test]
fn steep_friction_relays_and_converters_are_right() {
    let friction = run(include_str!("models/steep-friction.toml"), 40.0, 1e-12);
    assert_all_close(&friction.state, &[0.03482845, -0.02084127], 1e-8);
    let relay = include_str!("models/steep-relay.toml");
    for tolerance in [1e-12, 1e-16] {
        assert_all_close(&run(relay, 5.0, tolerance).state, &[0.00765835, -0.00771622], 1e-8);
        assert_all_close(&run(relay, 40.0, tolerance).state, &[0.0, 0.0], 1e-12);
    }
    // Fifty periods of a ramp that jumps where the phase wraps.
    let buck = run(include_str!("models/steep-buck.toml"), 0.02, 1e-12);
    assert_all_close(&buck.state[..2], &[12.0221661, 0.606495], 1e-6);
}

/// y = x^41/41 has no coefficient below order 41.
#[test]
fn powers_beyond_the_order_are_not_passed_over() {
    let run = run(&flow("[flow]\nx = \"1\"\ny = \"x^40\"\n[start]\nx = 0\ny = 0\n"), 1.0, 1e-12);
    assert_close(run.state[1], 1.0 / 41.0, 1e-14);
}

/// A gap that closes within a thousandth on a flight with constant speed.
#[test]
fn a_narrow_obstacle_is_hit() {
    let body = "[flow]\nx = \"v\"\nv = \"0\"\n[contacts.bump]\ngap = \"0.5 - exp(-(x/0.001)^2)\"\njump = { v = \"-v\" }\n[start]\nx = -1\nv = 1\n";
    let run = run(&flow(body), 1.5, 1e-12);
    assert_eq!(run.count(EventKind::Impact), 1);
    assert_close(run.events[0].time, 1.0 - 0.001 * 2.0_f64.ln().sqrt(), 1e-12);
}

/// Samples of a forcing see nothing of a pulse between them: the integral over a period is 2 pi exp(-b) I_0(b) with b = 1/(2 eps^2).
#[test]
fn a_narrow_forcing_of_a_linear_field_is_seen() {
    let eps = 1e-3_f64;
    let body = "[phase.phi]\nrate = 1\nperiod = \"2*pi\"\n[flow]\nx = \"exp(-(sin((phi - 1.2345)/2)/0.001)^2)\"\n[start]\nx = 0\nphi = 0\n";
    let run = run(&flow(body), 2.0 * std::f64::consts::PI, 1e-12);
    let b = 0.5 / (eps * eps);
    let series = 1.0 + 1.0 / (8.0 * b) + 9.0 / (128.0 * b * b);
    assert_close(run.state[0], (2.0 * std::f64::consts::PI / b).sqrt() * series, 1e-15);
}

/// From an empty reservoir the pressure grows as t and its root as sqrt t; starts nearby lead to the same place.
#[test]
fn a_motion_begins_at_a_root_of_zero() {
    let text = include_str!("models/relief-valve-scan.toml");
    let end = |pressure: &str| {
        let (system, values) = compile(text, &[("y1", "0.2"), ("y2", "0"), ("y3", pressure)]);
        let settings = Settings { until: 3.0, ..Settings::default() };
        let run = Motion::new(&system, &values, settings).unwrap_or_else(|e| panic!("{e}")).run(false, |_| true);
        assert_eq!(run.ended, Ended::ReachedTime);
        run.state
    };
    let empty = end("0");
    for pressure in ["1e-30", "1e-14"] {
        assert_all_close(&empty, &end(pressure), 1e-11);
    }
    // Without an end time the first step is as short: nothing is known of one on which bounds overflow.
    let to_return = |pressure: &str| {
        let (system, values) = compile(text, &[("y1", "0.2"), ("y2", "0"), ("y3", pressure)]);
        let returns = Some((system.default_section().unwrap(), 1));
        let settings = Settings { returns, ..Settings::default() };
        let run = Motion::new(&system, &values, settings).unwrap_or_else(|e| panic!("{e}")).run(false, |_| true);
        assert_eq!(run.ended, Ended::ReachedReturns);
        run.state
    };
    assert_all_close(&to_return("0"), &to_return("1e-30"), 1e-11);
    // x' = 1 - sqrt x: t = -2 sqrt x - 2 ln(1 - sqrt x).
    let run = run(&flow("[flow]\nx = \"1 - sqrt(x)\"\n[start]\nx = 0\n"), 1.0, 1e-12);
    let root = run.state[0].sqrt();
    assert_close(-2.0 * root - 2.0 * (1.0 - root).ln(), 1.0, 1e-11);
}

/// Where a field is not Lipschitz and several motions begin, or the root ends, the motion ends, with the place and the formula; where one stays there it
/// goes on: `limits_roots.rs`.
#[test]
fn roots_that_end_or_branch_say_so() {
    let ended = |body: &str| run(&flow(body), 3.0, 1e-12);
    let falling = ended("[flow]\nx = \"-1 - sqrt(x)\"\n[start]\nx = 1\n");
    assert_close(falling.time, 2.0 - 2.0 * f64::ln(2.0), 1e-11);
    let branching = ended("[flow]\nx = \"sqrt(x)\"\n[start]\nx = 0\n");
    assert_eq!(branching.time, 0.0);
    for run in [falling, branching] {
        let Ended::NotFinite { quantity, formula } = &run.ended else { panic!("{:?}", run.ended) };
        assert_eq!((quantity.as_str(), formula.as_str()), ("the derivative of the rate of x", "sqrt(x)"));
    }
}

/// A relay of width 1e-12 would take 10^13 steps: the run says so, and names the formula.
#[test]
fn stiffness_is_named() {
    let text = include_str!("models/steep-relay.toml").replace("/0.01", "/1e-12");
    let run = run(&text, 40.0, 1e-12);
    let Ended::Stiff { quantity, formula, step } = &run.ended else { panic!("{:?}", run.ended) };
    assert_eq!(quantity, "the rate of y");
    assert!(formula.starts_with("tanh(") && *step < 1e-9, "{formula} {step}");
}

/// Sliding towards a point at which both fields are tangent to the surface: its field is a quotient of two numbers that vanish, whose changes become as steep as the
/// point is near, and steps as short. The run says so, however long its steps were before, and it is at that point.
#[test]
fn a_motion_that_becomes_stiff_is_named() {
    let one = "side(one)*(0.673*y + 1.148*z - 0.859)";
    let text = flow(&format!(
        "[switches.one]\nwhen = \"x\"\n[switches.two]\nwhen = \"y\"\n[flow]\n\
         x = \"-1.5*x + 1.057*y - 0.258*z - 0.396 + {one} + side(two)*(0.489*y - 0.847*z)\"\n\
         y = \"-1.5*y + 1.459 + side(one)*(-0.494*y - 0.586*z + 0.091) + side(two)*(-0.571*y - 0.263)\"\n\
         z = \"-0.944*z + 0.615 + side(one)*(1.196*x + 0.285*y + 0.26*z + 0.404) + side(two)*(1.456*x + 0.372*y + 0.915*z - 0.873)\"\n\
         [start]\nx = 0\ny = 0\nz = 0.9\n"
    ));
    let found = run(&text, 8.0, 1e-12);
    assert!(matches!(found.ended, Ended::Stiff { .. }), "{:?}", found.ended);
    // 1.546 y - 1.105 z = 0.396 and 0.673 y + 1.148 z = 0.859.
    let determinant = 1.546 * 1.148 + 1.105 * 0.673;
    let point = [0.0, (0.396 * 1.148 + 1.105 * 0.859) / determinant, (1.546 * 0.859 - 0.396 * 0.673) / determinant];
    assert_all_close(&found.state, &point, 1e-6);

    // Towards rest at such a point the steps shrink with the state.
    let text = flow(
        "[switches.one]\nwhen = \"x\"\n[flow]\n\
         x = \"1.045*y + 1.447*z + side(one)*(0.551*x + 1.264*z)\"\n\
         y = \"-2.289*y - side(one)*(0.733*y + 0.442)\"\n\
         z = \"0.262*y - 1.679*z + side(one)*(-1.224*x + 1.335*y - 0.634*z - 1.099)\"\n\
         [start]\nx = 0.219\ny = 0\nz = -1.111\n",
    );
    let run = run(&text, 8.0, 1e-12);
    assert!(matches!(run.ended, Ended::Stiff { .. }), "{:?}", run.ended);
    assert_all_close(&run.state, &[0.0; 3], 1e-6);
}

/// However slow a motion is on them, steps that are asked to be short are made.
#[test]
fn steps_that_are_asked_to_be_short_are_no_stiffness() {
    let (system, values) = compile(&flow("[flow]\nx = \"-x\"\n[start]\nx = 1\n"), &[]);
    let settings = Settings { until: 1e3, longest_step: 1e-6, ..Settings::default() };
    let mut motion = Motion::new(&system, &values, settings).unwrap();
    for step in 0..70_000 {
        assert!(!matches!(motion.advance(), Happening::Ended(_)), "{step}");
    }
    assert_close(motion.state()[0], (-motion.time()).exp(), 1e-12);
}

/// Random fields of widths down to 1e-4 against small steps.
#[test]
fn steep_fields_agree_with_small_steps() {
    let mut state = 20_250_101_u64;
    let mut unit = || {
        // SplitMix64
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut agreed = 0;
    for member in 0..120 {
        match examine(&mut unit, &|_, _, _| None) {
            Verdict::Agree { share, .. } => {
                assert!(share <= 1.0);
                agreed += 1;
            }
            Verdict::Undecided(_) => {}
            Verdict::Differ { what, file } => panic!("member {member}: {what}\n{file}"),
        }
    }
    assert!(agreed > 90, "{agreed}");
}

/// Blocks that stick, in coordinates that mix them: the series of a velocity is rounding, 1e-84 t^9 and less, and what it was compared with was zero. A million
/// steps were taken to the end.
#[test]
fn a_series_of_rounding_that_begins_late_bounds_no_step() {
    let (system, values) = compile(include_str!("models/blocks-stuck-in-other-coordinates.toml"), &[]);
    let (mut steps, mut ends) = (0, Vec::new());
    for until in [1.7, 15.0] {
        let motion = Motion::new(&system, &values, Settings { until, ..Settings::default() }).unwrap();
        ends.push(motion.run(false, |_| {
            steps += 1;
            true
        }));
    }
    assert!(steps < 1000, "{steps}");
    assert_all_close(&ends[0].state[..4], &ends[1].state[..4], 1e-14);
    assert!(ends[1].state[4..8].iter().all(|speed| speed.abs() < 1e-15));
}

/// A state that is zero at the start has no size there; it begins with a power of time that is not whole.
#[test]
fn a_state_that_begins_at_zero_with_a_root_is_followed() {
    let power = |rate: &str| flow(&format!("[flow]\ns = \"1\"\nz = \"{rate}\"\n[start]\ns = 0\nz = 0\n"));
    for (rate, integral) in
        [("s^1.5", 0.4), ("sqrt(s)", 2.0 / 3.0), ("1 + sqrt(s)", 5.0 / 3.0), ("s*sqrt(s) - s", -0.1)]
    {
        assert_all_close(&run(&power(rate), 1.0, 1e-12).state, &[1.0, integral], 1e-11);
    }
    // The integral of sqrt(sin s) from 0 to 1, by the substitution s = r^2.
    assert_close(run(&power("sqrt(sin(s))"), 1.0, 1e-12).state[1], integral_of_root_of_sine(), 1e-11);
    // A tank that is filled at rate 1 and drained by sqrt(h): 2 (-sqrt h - ln(1 - sqrt h)) = t, and what has left it.
    let tank = run(&flow("[flow]\nh = \"1 - sqrt(h)\"\nq = \"sqrt(h)\"\n[start]\nh = 0\nq = 0\n"), 2.0, 1e-12).state;
    let root = tank[0].sqrt();
    assert_close(2.0 * (-root - (1.0 - root).ln()), 2.0, 1e-10);
    assert_close(tank[0] + tank[1], 2.0, 1e-11);
}

/// Simpson's rule for 2 r sqrt(sin r^2) from 0 to 1.
fn integral_of_root_of_sine() -> f64 {
    let steps: u32 = 2000;
    let value = |k: u32| {
        let r = f64::from(k) / f64::from(steps);
        2.0 * r * (r * r).sin().sqrt()
    };
    let weight = |k: u32| {
        if k == 0 || k == steps {
            1.0
        } else if k % 2 == 1 {
            4.0
        } else {
            2.0
        }
    };
    (0..=steps).map(|k| weight(k) * value(k)).sum::<f64>() / f64::from(3 * steps)
}
