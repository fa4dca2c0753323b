//! The time itself in formulas: against a phase, against closed forms, and through derivatives.

use crate::common::{assert_all_close, beside, parse, run, run_with};
use saltation_motion::{FlowChoice, Happening, Motion, Perturbation, Settings};

/// An oscillator with a wall, forced by `force`.
fn oscillator(force: &str, phase: &str, start: &str) -> String {
    format!(
        "format = 1\nname = \"forced\"\n[parameters]\nomega = 0.9\nA = 0.6\n{phase}\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\n\
         M = [[1]]\nh = [\"A*{force} - 0.04*v - x - 1\"]\n[contacts.wall]\ngap = \"-x + 0.01*{force}\"\nrestitution = 0.8\n[start]\nx = -0.5\nv = 0\n{start}\n"
    )
}

#[test]
fn the_time_forces_as_a_phase_does() {
    let phase = "[phase.phi]\nrate = \"omega\"\nperiod = \"2*pi\"";
    let by_phase = parse(&oscillator("cos(phi)", phase, "phi = 0"));
    let by_time = parse(&oscillator("cos(omega*t)", "", ""));
    assert_eq!(by_time.0.state_names(), ["x", "v", "t"]);
    let (phased, timed) = (run(&by_phase.0, &by_phase.1, 40.0), run(&by_time.0, &by_time.1, 40.0));
    let times = |run: &saltation_motion::Run| {
        let events = run.events.iter().filter(|event| event.contact.is_some());
        events.map(|event| event.time).collect::<Vec<f64>>()
    };
    let (expected, found) = (times(&phased), times(&timed));
    assert!(found.len() > 4, "{:?} {:?} {found:?}", timed.ended, timed.state);
    assert_all_close(&found, &expected, 1e-9);
    assert_all_close(&timed.state[..2], &phased.state[..2], 1e-9);
    assert!((timed.state[2] - 40.0).abs() < 1e-12);
}

#[test]
fn a_motion_depends_on_when_it_begins() {
    // From the state at time 7 a motion that begins at t = 7 goes on as the first.
    let (system, values) = parse(&oscillator("cos(omega*t + 0.1*t^2)", "", ""));
    let (whole, first) = (run(&system, &values, 15.0), run(&system, &values, 7.0));
    let rest = run(&system, &values.with_start(&first.state), 8.0);
    assert_all_close(&rest.state, &whole.state, 1e-9);
    let late = run(&system, &values.with_start(&[-0.5, 0.0, 2.0]), 15.0);
    assert!((late.state[0] - whole.state[0]).abs() > 1e-3);
}

#[test]
fn derivatives_by_the_start_time_are_those_of_differences() {
    let (system, values) = parse(&oscillator("cos(omega*t + 0.05*t^2)", "", "t = 1"));
    let directions: Vec<Perturbation> = (0..3).map(|i| Perturbation::of_state(&system, i)).collect();
    let until = 9.0;
    let settings = Settings { until, ..Settings::default() };
    let mut motion = Motion::with_derivatives(&system, &values, settings, &directions).unwrap();
    while !matches!(motion.advance(), Happening::Ended(_)) {}
    let derivatives = motion.derivatives();
    for direction in 0..3 {
        let h = 2e-5;
        let [down, up] = [-h, h].map(|step| run(&system, &beside(&values, direction, step), until).state);
        for i in 0..3 {
            let slope = (up[i] - down[i]) / (2.0 * h);
            assert!((derivatives.state(direction)[i] - slope).abs() < 1e-5 * slope.abs().max(1.0), "{direction} {i}");
        }
    }
}

/// d/dt (m(t) x') = -k x with m = 1 + t/2, twice: the Wronskian of both, m (x y' - x' y), is constant.
#[test]
fn a_lagrangian_may_have_the_time() {
    let text = "format = 1\nname = \"bessel\"\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"v\", \"w\"]\n\
                L = \"(1 + t/2)*(v^2 + w^2)/2 - 2*(x^2 + y^2)/2\"\n[start]\nx = 1\ny = 0\nv = 0\nw = 1\n";
    let (system, values) = parse(text);
    let path = run(&system, &values, 20.0).trajectory.unwrap();
    for k in 0..=40 {
        let [x, y, v, w, t] = path.at(0.5 * f64::from(k))[..] else { unreachable!("five states") };
        assert!(((1.0 + t / 2.0) * (x * w - v * y) - 1.0).abs() < 1e-10, "{t}");
    }
}

/// x'' = -x + c t from rest: x = c (t - sin t). What is affine in the time flows exactly.
#[test]
fn a_ramp_flows_exactly() {
    let text = "format = 1\nname = \"ramp\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-x + 0.3*t\"]\n[start]\nx = 0\nv = 0\n";
    let (system, values) = parse(text);
    assert!(system.model().linear);
    for flow in [FlowChoice::Exact, FlowChoice::Taylor] {
        let run = run_with(&system, &values, Settings { until: 30.0, flow, ..Settings::default() });
        assert!((run.state[0] - 0.3 * (30.0 - 30.0_f64.sin())).abs() < 1e-11, "{flow:?}: {}", run.state[0]);
    }
}

#[test]
fn what_needs_a_period_says_so() {
    let system = saltation::System::parse(&oscillator("cos(omega*t)", "", ""), "forced.toml").unwrap();
    let said = [
        system.orbit().find().map(|_| ()),
        system.equilibria().find().map(|_| ()),
        system.lyapunov().run().map(|_| ()),
    ];
    for (said, what) in said.into_iter().zip(["orbits", "equilibria", "exponents"]) {
        let said = said.unwrap_err().to_string();
        assert!(said.contains(&format!("there are no {what} of a model with the time `t`")), "{said}");
        assert!(said.contains("[phase.phi]"), "{said}");
    }
}
