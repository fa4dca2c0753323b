//! Roots that vanish in a state's own rate: tanks that run empty or level out, laws x' = -x^p, and what follows, against closed forms and against the same
//! motions in regular variables.

use crate::common::{assert_all_close, assert_close, parse};
use saltation_motion::{Ended, EventKind, FlowChoice, Happening, Motion, Perturbation, Policy, Run, Settings};

fn flow(parameters: &str, rates: &[(&str, &str)], start: &str) -> String {
    let rates: Vec<String> = rates.iter().map(|(state, rate)| format!("{state} = \"{rate}\"")).collect();
    format!("format = 1\nname = \"roots\"\n{parameters}\n[flow]\n{}\n[start]\n{start}\n", rates.join("\n"))
}

fn run_with(text: &str, settings: Settings) -> Run {
    let (system, values) = parse(text);
    Motion::new(&system, &values, settings).expect("it begins").run(true, |_| true)
}

/// The motion up to a time, by both flows.
#[track_caller]
fn run(text: &str, until: f64) -> Run {
    let runs = [FlowChoice::Automatic, FlowChoice::Taylor]
        .map(|flow| run_with(text, Settings { until, flow, ..Settings::default() }));
    for run in &runs {
        assert_eq!(run.ended, Ended::ReachedTime, "{text}");
    }
    assert_all_close(&runs[0].state, &runs[1].state, 1e-15);
    let [first, _] = runs;
    first
}

#[track_caller]
fn assert_path(run: &Run, state: usize, times: &[f64], exact: impl Fn(f64) -> f64, tolerance: f64) {
    let path = run.trajectory.as_ref().expect("the path is kept");
    for &time in times {
        assert_close(path.at(time)[state], exact(time), tolerance);
    }
}

const TIMES: [f64; 8] = [0.0, 0.7, 1.9, 3.0, 3.9, 3.999, 4.001, 4.8];

#[test]
fn a_tank_runs_empty_and_stays_so() {
    let exact = |t: f64| if t < 4.0 { (1.0 - t / 4.0).powi(2) } else { 0.0 };
    for rate in ["-0.5*sqrt(h)", "-0.5*sqrt(max(h, 0))", "-0.5*sign(h)*sqrt(abs(h))"] {
        let run = run(&flow("", &[("h", rate)], "h = 1"), 5.0);
        assert_path(&run, 0, &TIMES, exact, 1e-12);
        assert_eq!(run.state, [0.0]);
    }
    // In other units, and with a part that is linear: w' = -(w + 1)/2 for w = sqrt(h), so that w = 2 exp(-t/2) - 1.
    for unit in [1e6, 1e-6, 1e-12] {
        let rate = format!("-{:e}*sqrt(h)", 0.5 * f64::sqrt(unit));
        let run = run(&flow("", &[("h", &rate)], &format!("h = {unit:e}")), 5.0);
        assert_path(&run, 0, &TIMES, |t| unit * exact(t), 1e-12 * unit);
        assert_eq!(run.state, [0.0]);
    }
    let run = run(&flow("", &[("h", "-h - sqrt(h)"), ("s", "h")], "h = 1\ns = 0"), 5.0);
    let end = 2.0 * f64::ln(2.0);
    let exact = |t: f64| if t < end { (2.0 * f64::exp(-t / 2.0) - 1.0).powi(2) } else { 0.0 };
    assert_path(&run, 0, &[0.5, 1.0, 1.38, 1.39], exact, 1e-12);
    // The integral of h tells when it ended.
    let integral = |t: f64| 4.0 * (1.0 - f64::exp(-t)) - 8.0 * (1.0 - f64::exp(-t / 2.0)) + t;
    assert_all_close(&run.state, &[0.0, integral(end)], 1e-12);
}

#[test]
fn a_tank_with_an_inflow_settles_or_fills() {
    // dt = 2 w dw/(q - k w).
    let settled = run(&flow("", &[("h", "0.1 - 0.5*sign(h)*sqrt(abs(h))")], "h = 1"), 60.0);
    assert_close(settled.state[0], 0.04, 1e-9);
    let filled = run(&flow("", &[("h", "0.1 - 0.5*sign(h)*sqrt(abs(h))")], "h = 0"), 2.0);
    let w = filled.state[0].sqrt();
    let time = -(2.0 / 0.5) * (w + 0.2 * (1.0 - w / 0.2).ln());
    assert_close(time, 2.0, 1e-11);
}

/// An inflow that begins later fills an empty tank.
#[test]
fn an_inflow_begins_later() {
    let rates = [("h", "if(s > 5, 0.1, 0) - 0.5*sign(h)*sqrt(abs(h))"), ("s", "1")];
    let run = run(&flow("", &rates, "h = 1\ns = 0"), 7.0);
    let w = run.state[0].sqrt();
    assert_close(-4.0 * (w + 0.2 * (1.0 - w / 0.2).ln()), 2.0, 1e-11);
    assert_path(&run, 0, &[2.0, 4.5, 5.0], |t| if t < 4.0 { (1.0 - t / 4.0).powi(2) } else { 0.0 }, 1e-12);
}

#[test]
fn two_tanks_level_out() {
    let rates = [
        ("a", "-k*sqrt(max(a - b, 0)) + k*sqrt(max(b - a, 0))"),
        ("b", "k*sqrt(max(a - b, 0)) - k*sqrt(max(b - a, 0))"),
    ];
    for start in ["a = 2\nb = 1", "a = 1\nb = 2"] {
        let run = run(&flow("parameters = { k = 0.5 }", &rates, start), 5.0);
        assert_all_close(&run.state, &[1.5, 1.5], 1e-13);
    }
    let run = run(&flow("parameters = { k = 0.5 }", &rates, "a = 2\nb = 1"), 5.0);
    let exact = |t: f64| 1.5 + if t < 2.0 { 0.5 * (1.0 - t / 2.0).powi(2) } else { 0.0 };
    assert_path(&run, 0, &[0.5, 1.5, 1.99, 1.999999, 2.0001, 3.0], exact, 1e-12);
}

/// With areas 2 and 3, and where one tank stands higher: what is zero is a difference that rounding does not make zero.
#[test]
fn tanks_of_other_areas_level_out() {
    let root = "sqrt(max(a - 2.3*b, 0))";
    let (out, into) = (format!("-0.25*{root}"), format!("{root}/6"));
    let run = run(&flow("", &[("a", &out), ("b", &into), ("s", "a - 2.3*b")], "a = 7.1\nb = 1\ns = 0"), 10.0);
    // r' = -c w, 4a + 6b is constant, and the integral of r is 2 w^3/(3 c).
    let (c, w) = (0.25 + 2.3 / 6.0, f64::sqrt(4.8));
    let b = (4.0 * 7.1 + 6.0) / (4.0 * 2.3 + 6.0);
    assert_all_close(&run.state, &[2.3 * b, b, 2.0 * w.powi(3) / (3.0 * c)], 1e-11);
}

#[test]
fn a_root_is_passed_with_a_speed() {
    let run = run(&flow("", &[("x", "-sqrt(max(x, 0)) - 1")], "x = 1"), 5.0);
    assert_close(run.state[0], -(5.0 - 2.0 + 2.0 * f64::ln(2.0)), 1e-12);
    assert_close(run.first(EventKind::Switch).expect("it passes zero").time, 2.0 - 2.0 * f64::ln(2.0), 1e-12);
    // A small leak: 2 w w' = -q - k w.
    let run = self::run(&flow("", &[("x", "-1e-6 - 0.5*sqrt(max(x, 0))")], "x = 1"), 5.0);
    let (q, k) = (1e-6, 0.5);
    let time = 2.0 / k * (1.0 - q / k * f64::ln((q + k) / q));
    assert_close(run.first(EventKind::Switch).expect("it passes zero").time, time, 1e-11);
}

/// x' = -x^p from 1 reaches zero at 1/(1 - p).
#[test]
fn other_powers_come_to_rest() {
    for (p, power) in
        [(0.3, "0.3"), (1.0 / 3.0, "(1/3)"), (0.45, "0.45"), (2.0 / 3.0, "(2/3)"), (0.75, "0.75"), (0.8, "0.8")]
    {
        let m = 1.0 / (1.0 - p);
        let exact = |t: f64| if t < m { (1.0 - t / m).powf(m) } else { 0.0 };
        for rate in [format!("-x^{power}"), format!("-sign(x)*abs(x)^{power}"), format!("-max(x, 0)^{power}")] {
            let run = run(&flow("", &[("x", &rate), ("s", "x")], "x = 1\ns = 0"), 8.0);
            assert_path(&run, 0, &[0.3, 0.9 * m, 0.999 * m, 1.001 * m], exact, 1e-11);
            // The integral of x is m/(m + 1).
            assert_all_close(&run.state, &[0.0, m / (m + 1.0)], 1e-11);
        }
        let (out, into) = (format!("-sign(a - b)*abs(a - b)^{power}"), format!("sign(a - b)*abs(a - b)^{power}"));
        let run = run(&flow("", &[("a", &out), ("b", &into)], "a = 2\nb = 1"), 8.0);
        assert_all_close(&run.state, &[1.5, 1.5], 1e-11);
    }
}

#[test]
fn what_is_at_rest_stays_at_rest() {
    for rate in ["-sqrt(h)", "-sqrt(max(h, 0))", "-sign(h)*sqrt(abs(h))", "-h^0.3", "-sign(h)*abs(h)^(2/3)"] {
        let run = run(&flow("", &[("h", rate), ("y", "1 + h")], "h = 0\ny = 0"), 3.0);
        assert_all_close(&run.state, &[0.0, 3.0], 1e-14);
    }
}

/// Three tanks in series; of the second and third against w' = (k w1 - k w2)/(2 w2) with w1 in closed form.
#[test]
fn tanks_in_series_run_empty_one_after_the_other() {
    let start = "a = 1\nb = 1\nc = 0.5";
    for root in ["sqrt(#)", "sqrt(max(#, 0))", "sign(#)*sqrt(abs(#))"] {
        let root = |of: &str| root.replace('#', of);
        let (a, b, c) = (root("a"), root("b"), root("c"));
        let rates = [
            ("a", format!("-0.5*{a}")),
            ("b", format!("0.5*{a} - 0.5*{b}")),
            ("c", format!("0.5*{b} - 0.4*{c}")),
            ("out", format!("0.4*{c}")),
        ];
        let rates: Vec<(&str, &str)> = rates.iter().map(|(state, rate)| (*state, rate.as_str())).collect();
        let text = flow("", &rates, &format!("{start}\nout = 0"));
        // Nothing is lost, and all are empty at last.
        assert_all_close(&run(&text, 40.0).state, &[0.0, 0.0, 0.0, 2.5], 1e-11);
        let regular = [("s", "1"), ("w", "(0.5*max(1 - s/4, 0) - 0.5*w)/(2*w)"), ("z", "(0.5*w - 0.4*z)/(2*z)")];
        let regular = run(&flow("", &regular, "s = 0\nw = 1\nz = 0.7071067811865476"), 5.0).state;
        assert_all_close(&run(&text, 5.0).state[1..3], &[regular[1].powi(2), regular[2].powi(2)], 1e-11);
    }
}

/// Three tanks that level out together: w' of both differences in regular variables, where they are not zero.
#[test]
fn three_tanks_level_out_together() {
    let root = |of: &str| format!("sign({of})*sqrt(abs({of}))");
    let (ab, bc) = (root("a - b"), root("b - c"));
    let rates = [("a", format!("-0.5*{ab}")), ("b", format!("0.5*{ab} - 0.5*{bc}")), ("c", format!("0.5*{bc}"))];
    let rates: Vec<(&str, &str)> = rates.iter().map(|(state, rate)| (*state, rate.as_str())).collect();
    for start in ["a = 3\nb = 2\nc = 0.5", "a = 3\nb = 3\nc = 0.5", "a = 0\nb = 2\nc = 1"] {
        let run = run(&flow("", &rates, start), 8.0);
        let mean = run.trajectory.as_ref().expect("the path is kept").at(0.0).iter().sum::<f64>() / 3.0;
        assert_all_close(&run.state, &[mean; 3], 1e-11);
    }
    let regular = [("w", "(-2*0.5*w + 0.5*z)/(2*w)"), ("z", "(0.5*w - 2*0.5*z)/(2*z)")];
    let regular = run(&flow("", &regular, "w = 1\nz = 1.224744871391589"), 3.0).state;
    let state = run(&flow("", &rates, "a = 3\nb = 2\nc = 0.5"), 3.0).state;
    assert_all_close(&[state[0] - state[1], state[1] - state[2]], &[regular[0].powi(2), regular[1].powi(2)], 1e-11);
}

/// An inflow that grows from zero: h' = 3 s - sqrt(h) has h = s^2, from an empty tank and from the start.
#[test]
fn an_inflow_grows_from_zero() {
    for root in ["sqrt(h)", "sqrt(max(h, 0))", "sign(h)*sqrt(abs(h))"] {
        let rate = format!("3*max(s - 1, 0) - {root}");
        let run = run(&flow("", &[("h", &rate), ("s", "1")], "h = 0\ns = 0"), 3.0);
        assert_path(&run, 0, &[0.5, 1.0, 1.01, 1.5, 2.5], |t| (t - 1.0).max(0.0).powi(2), 1e-11);
        let run = self::run(&flow("", &[("h", &format!("3*s - {root}")), ("s", "1")], "h = 0\ns = 0"), 2.0);
        assert_close(run.state[0], 4.0, 1e-11);
    }
    // Into the higher one of two tanks, and three in a row: what flows in is there.
    let root = "sqrt(max(a - b, 0))";
    let two = [("a", format!("max(s - 1, 0) - {root}")), ("b", root.to_string()), ("s", "1".to_string())];
    let two: Vec<(&str, &str)> = two.iter().map(|(state, rate)| (*state, rate.as_str())).collect();
    let run = run(&flow("", &two, "a = 1.01\nb = 1\ns = 0"), 3.0);
    // r' = u - 2 w with r = w^2 from u = 0: w = c u with 2 c^2 = 1 - 2 c.
    let c = (f64::sqrt(3.0) - 1.0) / 2.0;
    assert_all_close(&[run.state[0] - run.state[1], run.state[0] + run.state[1]], &[4.0 * c * c, 4.01], 1e-11);
}

/// x' = q - x^(1/3) from 0, and three tanks that begin to fill one another, of which the second against steps of Runge's rule in s with sqrt(a) = s^4.
#[test]
fn roots_leave_zero_together() {
    for rate in ["0.1 - x^(1/3)", "0.1 - sign(x)*abs(x)^(1/3)", "0.1 - max(x, 0)^(1/3)"] {
        let end = run(&flow("", &[("x", rate)], "x = 0"), 0.005).state[0];
        let (q, y) = (0.1, end.cbrt());
        let time = -3.0 * (y * y / 2.0 + q * y + q * q * f64::ln(1.0 - y / q));
        assert_close(time, 0.005, 1e-13);
    }
    let rate = |s: f64, b: f64| {
        let u = s.powi(4);
        (0.5 * u - 0.5 * b.max(0.0).sqrt()) * 2.0 * u / (0.1 - 0.5 * u) * 4.0 * s.powi(3)
    };
    let until = 2.0;
    for form in ["sqrt(#)", "sqrt(max(#, 0))"] {
        let root = |of: &str| format!("0.5*{}", form.replace('#', of));
        let (a, b, c) = (root("a"), root("b"), root("c"));
        let rates = [("a", format!("0.1 - {a}")), ("b", format!("{a} - {b}")), ("c", format!("{b} - {c}")), ("out", c)];
        let rates: Vec<(&str, &str)> = rates.iter().map(|(state, rate)| (*state, rate.as_str())).collect();
        let run = run(&flow("", &rates, "a = 0\nb = 0\nc = 0\nout = 0"), until);
        assert_close(run.state.iter().sum(), 0.1 * until, 1e-12);
        let last = run.state[0].powf(0.125);
        let (steps, mut second) = (20_000, 0.0);
        let h = last / f64::from(steps);
        for k in 0..steps {
            let s = f64::from(k) * h;
            let first = rate(s, second);
            let middle = rate(s + 0.5 * h, second + 0.5 * h * first);
            let again = rate(s + 0.5 * h, second + 0.5 * h * middle);
            let end = rate(s + h, second + h * again);
            second += h / 6.0 * (first + 2.0 * middle + 2.0 * again + end);
        }
        assert_close(run.state[1], second, 1e-9);
    }
}

/// A root of the state that vanishes where the field reverses is passed: v' = -1 -+ w.
#[test]
fn a_root_is_passed_where_a_field_reverses() {
    let run = run(&flow("", &[("x", "-1 - sign(x)*sqrt(abs(x))")], "x = 1"), 2.0);
    let passed = 2.0 - 2.0 * f64::ln(2.0);
    assert_close(run.first(EventKind::Switch).expect("it passes zero").time, passed, 1e-12);
    // Beyond, -x = w^2 with 2 w w' = 1 - w.
    let w = (-run.state[0]).sqrt();
    assert_close(passed - 2.0 * (w + f64::ln(1.0 - w)), 2.0, 1e-11);
}

/// Where a root may stay zero or leave nothing says what happens; a policy does.
#[test]
fn a_root_that_may_leave_is_not_unique() {
    for (rate, start) in [("sqrt(abs(x))", "x = -1"), ("sign(x)*sqrt(abs(x))", "x = 0"), ("abs(x)^0.3", "x = -1")] {
        let text = flow("", &[("x", rate)], start);
        let run = run_with(&text, Settings { until: 5.0, ..Settings::default() });
        assert!(matches!(run.ended, Ended::NotUnique { .. }), "{rate}: {:?}", run.ended);
        assert_close(run.state[0], 0.0, 1e-15);
        let stays = run_with(&text, Settings { until: 5.0, policy: Policy::Slide, ..Settings::default() });
        assert_eq!((stays.ended, &stays.state[..]), (Ended::ReachedTime, &[0.0][..]), "{rate}");
    }
    // Without a switch the formula without a derivative is named. Two roots may raise each other.
    let run = run_with(&flow("", &[("x", "sqrt(x)")], "x = 0"), Settings { until: 5.0, ..Settings::default() });
    assert!(matches!(run.ended, Ended::NotFinite { .. }), "{:?}", run.ended);
    let rates = [("x", "3*sqrt(y) - sqrt(x)"), ("y", "3*sqrt(x) - sqrt(y)")];
    let run = run_with(&flow("", &rates, "x = 0\ny = 0"), Settings { until: 5.0, ..Settings::default() });
    assert!(matches!(run.ended, Ended::NotFinite { .. }), "{:?}", run.ended);
    let rates = [("x", "0.5*sqrt(y) - sqrt(x)"), ("y", "0.5*sqrt(x) - sqrt(y)")];
    assert_all_close(&self::run(&flow("", &rates, "x = 0\ny = 0"), 5.0).state, &[0.0, 0.0], 0.0);
}

/// What was at zero is seen again after a jump.
#[test]
fn a_jump_fills_an_empty_tank() {
    let text = "format = 1\nname = \"refill\"\n[flow]\nh = \"-0.5*sqrt(h)\"\ns = \"1\"\n[events.refill]\nwhen = \"s - 6\"\n\
                direction = \"rising\"\njump = { h = \"h + 1\" }\n[start]\nh = 1\ns = 0\n";
    assert_close(run(text, 8.0).state[0], 0.25, 1e-12);
    assert_close(run(text, 11.0).state[0], 0.0, 0.0);
}

/// Derivatives go through an arrival at rest, where those by the start end: only what stays along the surface is left.
#[test]
fn derivatives_come_to_rest() {
    let derivatives = |text: &str, until: f64| {
        let (system, values) = parse(text);
        let states = (0..values.start().len()).map(|i| Perturbation::of_state(&system, i));
        let parameters = (0..values.parameters().len()).map(|i| Perturbation::of_parameter(&system, i));
        let all: Vec<Perturbation> = states.chain(parameters).collect();
        let settings = Settings { until, ..Settings::default() };
        let mut motion = Motion::with_derivatives(&system, &values, settings, &all).expect("it begins");
        while !matches!(motion.advance(), Happening::Ended(_)) {}
        let derivatives = motion.derivatives();
        (0..derivatives.directions()).map(|direction| derivatives.state(direction).to_vec()).collect::<Vec<_>>()
    };
    // h = (sqrt(h0) - k t/2)^2, and its integral is 2 h0^(3/2)/(3k) in the end.
    let tank = flow("parameters = { k = 0.5 }", &[("h", "-k*sign(h)*sqrt(abs(h))"), ("s", "h")], "h = 1\ns = 0");
    let [by_start, _, by_rate] = &derivatives(&tank, 5.0)[..] else { panic!("three directions") };
    assert_all_close(by_start, &[0.0, 2.0], 1e-10);
    assert_all_close(by_rate, &[0.0, -8.0 / 3.0], 1e-10);
    let root = "sqrt(max(a - b, 0))";
    let tanks = flow("", &[("a", &format!("-{root}/2")), ("b", &format!("{root}/6"))], "a = 2\nb = 1");
    // 2a + 6b is constant.
    let [by_a, by_b] = &derivatives(&tanks, 5.0)[..] else { panic!("two directions") };
    assert_all_close(by_a, &[0.25, 0.25], 1e-10);
    assert_all_close(by_b, &[0.75, 0.75], 1e-10);
    // With other powers what a series shows of them is none.
    let power = flow("", &[("x", "-x^0.3"), ("s", "x")], "x = 1\ns = 0");
    assert!(derivatives(&power, 5.0).concat().iter().all(|d| d.is_nan()));
}

/// What stands under a root that is steep, and never zero, comes near zero beside the way: its own series there knows nothing of that. The end is that of small steps.
#[test]
fn a_root_that_nearly_vanishes_does_not() {
    let text = "format = 1\nname = \"steep\"\n[flow]\nx = \"v\"\nv = \"-(1.502633767071301)*x - (0.18796861091968237)*v + (0.0)*0 + (0.5915762650019205)*(((1.0)*x + (0.0)*v + (0.0)*0 + (-0.7039999058692992))/(0.004563524137605681))/sqrt(1 + (((1.0)*x + (0.0)*v + (0.0)*0 + (-0.7039999058692992))/(0.004563524137605681))^2) + (-45.882631714054334)*log(1 + exp(-(((-0.9679473032484525)*x + (0.8555568232712318)*v + (0.0)*0 + (0.7422514785246745))/(0.006012736570809128))^2))\"\n[start]\nx = 0.45888779983540595\nv = 0.7787348565483279\n";
    let found = run(text, 2.6166412398822034);
    assert_all_close(&found.state, &[-2.0924732002323916, -3.244422884525964], 1e-9);
}
