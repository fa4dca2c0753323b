//! Motions that random systems have shown to be hard: at rest on a surface, on two surfaces at once, and the names of sides.

use saltation_motion::{Ended, EventKind, Motion, Settings};

use super::{simulate, system, times};
use crate::common::assert_close;

/// Sliding that comes to rest: x' = -1.916 x - 0.497 sigma with sigma = (1.46 x + 0.9)/1.084 decays at the rate 1.916 + 0.497 * 1.46/1.084.
#[test]

fn sliding_comes_to_rest() {
    let text = r#"
format = 1
name = "rest"
[flow]
x = "-1.916*x - 0.497*sign(y)"
y = "1.46*x + 0.9 - 1.084*sign(y)"
[start]
x = 0
y = 0
"#;
    let (system, values) = system(text, &[]);
    let settings = Settings { until: 20.0, ..Settings::default() };
    let mut steps = 0;
    let run = Motion::new(&system, &values, settings).expect("the start is admissible").run(true, |_| {
        steps += 1;
        steps < 10_000
    });
    assert_eq!(run.ended, Ended::ReachedTime, "at {} after {steps} steps", run.time);
    let rate = 1.916 + 0.497 * 1.46 / 1.084;
    let rest = -0.497 * 0.9 / 1.084 / rate;
    assert_close(run.state[0], rest, 1e-13);
    assert_close(run.trajectory.expect("it is kept").at(2.0)[0], rest * (1.0 - (-2.0 * rate).exp()), 1e-13);
}

/// Around the corner of x' = sign y, y' = -sign x every motion turns, and none leaves it: at the corner both sides are 0, where D s = 0.
#[test]

fn rest_in_a_corner() {
    let text = "format = 1\nname = \"centre\"\n[flow]\nx = \"sign(y)\"\ny = \"-sign(x)\"\n[start]\nx = 0\ny = 0\n";
    let (system, run) = simulate(text, &[], 1.0);
    assert_eq!(run.ended, Ended::ReachedTime, "{}", run.ended.describe(&system));
    assert_eq!(run.state, [0.0, 0.0]);
}

/// The time in one turn about the corner is that of straight pieces: from (a, 0) it comes back after 4 a.
#[test]
fn around_a_corner() {
    let text =
        "format = 1\nname = \"centre\"\n[flow]\nx = \"sign(y)\"\ny = \"-sign(x)\"\n[start]\nx = 0.25\ny = 0.125\n";
    let (_, run) = simulate(text, &[], 1.5);
    assert_close(run.state[0], 0.25, 1e-15);
    assert_close(run.state[1], 0.125, 1e-15);
    for (time, known) in times(&run.events, EventKind::Switch).iter().zip([0.125, 0.5, 0.875, 1.25]) {
        assert_close(*time, known, 1e-15);
    }
}

/// With x' = s_y - s_x/2, y' = -s_x - s_y/2 every turn is a third of the one before: from |x| + |y| = 1/2 it ends in the corner at a finite time, and stays.
#[test]
fn turns_that_end_in_a_corner() {
    let text = "format = 1\nname = \"focus\"\n[flow]\nx = \"sign(y) - 0.5*sign(x)\"\ny = \"-sign(x) - 0.5*sign(y)\"\n[start]\nx = 0.3\ny = 0.2\n";
    let (_, run) = simulate(text, &[], 5.0);
    assert!(run.state.iter().all(|x| x.abs() < 1e-13), "{:?}", run.state);
    // |x| + |y| falls at the rate 1 wherever the motion is.
    for (time, event) in run.events.iter().filter(|e| e.kind == EventKind::Switch).map(|e| (e.time, e)) {
        assert_close(event.before[0].abs() + event.before[1].abs(), 0.5 - time, 1e-13);
    }
}

/// The name of a side is the sign of the formula that the file gives.
#[test]

fn sides_are_those_of_the_formula_in_the_file() {
    for (when, name) in [("x - 1", "on:+"), ("1 - x", "on:-"), ("0.039*x - 0.039", "on:+"), ("-0.5*x + 0.5", "on:-")] {
        let text = format!(
            "format = 1\nname = \"named\"\n[switches.on]\nwhen = \"{when}\"\n[flow]\nx = \"1\"\nz = \"side(on)\"\n[start]\nx = 0\nz = 0\n"
        );
        let (system, run) = simulate(&text, &[], 3.0);
        assert_eq!(system.mode_name(run.closed), name, "{when}");
        // What the motion feels is the side of the formula: from 0 to 1 the other one, and then this one.
        assert_close(run.state[1], if name == "on:+" { 1.0 } else { -1.0 }, 1e-14);
    }
}

/// Sliding along two surfaces ends at sigma_1 = 1, and only the mode on `one:+` along `two` obeys the field: along `one` with `two:-` sigma_1 would be 2.9.
#[test]

fn sliding_along_two_surfaces_ends_along_one() {
    let text = r#"
format = 1
name = "two"
[switches.one]
when = "0.8*x - 0.4*z"
[switches.two]
when = "y"
[flow]
x = "-x - 1.2*z - 1.3 + side(one)*(-0.7*x - 0.6*y + z + 1.3) + side(two)*(0.4*x + 1)"
y = "0.6 + side(one)*(-0.2*x - 1.3*y + 1.4*z) - side(two)*0.7"
z = "x + 1.3*y - 1 + side(one)*(-0.5*y - z) + side(two)*(y + z - 1.3)"
[start]
x = -1.5
y = 1
z = 0
"#;
    let (system, run) = simulate(text, &[], 7.6);
    assert_eq!(run.ended, Ended::ReachedTime, "{}", run.ended.describe(&system));
    let last = run.events.last().expect("it has events");
    assert_eq!((last.kind, system.mode_name(last.mode)), (EventKind::Leave, "one:+,two:slide".to_string()));
    assert_close(last.time, 7.546583811828032, 1e-10);
}
