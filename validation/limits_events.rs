//! Events along orbits and at sections, conditions of events along branches, and derivatives beside half-integer powers: against closed forms, other
//! formulations, and differences of whole motions.

use crate::common::{assert_close, beside, parse};
use saltation_model::Values;
use saltation_motion::{EventKind, Motion, Settings, System};
use saltation_numerics::dense::Complex;
use saltation_orbit::branch::{self, Branch, SpecialKind};
use saltation_orbit::{self as orbit, Ended, LyapunovSettings, Orbit, lyapunov};

fn model(body: &str) -> (System, Values) {
    parse(&format!("format = 1\nname = \"test\"\n{body}"))
}

fn found(system: &System, values: &Values, settle: u64) -> Orbit {
    let settings = orbit::Settings { settle, ..orbit::Settings::through(system.default_section().unwrap()) };
    let search = orbit::find(system, values, &settings, &mut |_| true);
    search.orbit.unwrap_or_else(|| panic!("{:?}", search.ended))
}

fn branch_of(system: &System, values: &Values, orbit: &Orbit, range: (f64, f64)) -> Branch {
    let settings = branch::Settings::between(range.0, range.1);
    branch::follow(system, values, orbit, &settings, &mut |_, _| true).unwrap().swap_remove(0)
}

/// V' = I - V, reset from 1 to 0: the natural section of a neuron is its threshold. It is passed with every spike, after log(I/(I - 1)) each.
#[test]
fn a_section_on_the_surface_of_an_event_is_passed_with_each_event() {
    let (system, values) = model(
        "[flow]\nV = \"1.2 - V\"\n[events.spike]\nwhen = \"V - 1\"\ndirection = \"rising\"\njump = { V = \"0\" }\n\
         [sections.threshold]\nwhen = \"V - 1\"\ndirection = \"rising\"\n[start]\nV = 0\n",
    );
    let settings = Settings { until: 100.0, returns: Some((0, 4)), ..Settings::default() };
    let run = Motion::new(&system, &values, settings).unwrap().run(false, |_| true);
    let period = (1.2_f64 / 0.2).ln();
    // A section 1e-10 below the threshold is passed before the event; its jump leaps over it, which is no passage.
    let text = "[flow]\nV = \"36 - V\"\n[events.spike]\nwhen = \"V - 30\"\ndirection = \"rising\"\njump = { V = \"-65\" }\n\
                [sections.below]\nwhen = \"V - 30 + 1e-10\"\n[start]\nV = 0\n";
    let (close, at) = model(text);
    let found = Motion::new(&close, &at, Settings { until: 6.0, ..Settings::default() }).unwrap().run(false, |_| true);
    let of = |kind: EventKind| found.events.iter().filter(|event| event.kind == kind).count();
    assert_eq!(of(EventKind::Section), of(EventKind::Reset));
    assert_eq!(of(EventKind::Reset), 2);
    let passages: Vec<f64> = run.events.iter().filter(|e| e.kind == EventKind::Section).map(|e| e.time).collect();
    assert_eq!(passages.len(), 4);
    for (k, time) in passages.iter().enumerate() {
        assert_close(*time, (k + 1) as f64 * period, 1e-12);
    }
    assert_eq!(run.events.iter().filter(|event| event.kind == EventKind::Reset).count(), 4);
    // Where it begins on the section an orbit would not come to the event.
    let settings = orbit::Settings { settle: 5, ..orbit::Settings::through(0) };
    assert!(matches!(orbit::find(&system, &values, &settings, &mut |_| true).ended, Ended::Jumped { section: 0, .. }));
}

/// The rimless wheel (McGeer 1990) with the angle of its stance leg, which jumps back from alpha to -alpha with every strike. It passes the upright position once a step, not when
/// the angle jumps, and falls through nothing. Between strikes w^2/2 + cos(th + gamma) is constant.
#[test]
fn a_jump_over_a_section_is_no_passage_of_it() {
    let (alpha, gamma) = (0.3_f64, 0.15_f64);
    let (system, values) = model(
        "[parameters]\nalpha = 0.3\ngamma = 0.15\n[flow]\nth = \"w\"\nw = \"sin(th + gamma)\"\n[events.strike]\nwhen = \"th - alpha\"\ndirection = \"rising\"\n\
         jump = { th = \"-alpha\", w = \"w*cos(2*alpha)\" }\n[sections.upright]\nwhen = \"th\"\n[sections.back]\nwhen = \"th - 0.2\"\ndirection = \"falling\"\n\
         [start]\nth = 0\nw = 0.6\n",
    );
    let settings = Settings { until: 100.0, returns: Some((0, 5)), ..Settings::default() };
    let run = Motion::new(&system, &values, settings).unwrap().run(false, |_| true);
    let mut square = 0.6_f64.powi(2);
    let passages: Vec<_> = run.events.iter().filter(|event| event.kind == EventKind::Section).collect();
    assert_eq!((passages.len(), run.events.iter().filter(|event| event.kind == EventKind::Reset).count()), (5, 5));
    for passage in passages {
        let before = square + 2.0 * (gamma.cos() - (alpha + gamma).cos());
        square = before * (2.0 * alpha).cos().powi(2) + 2.0 * ((gamma - alpha).cos() - gamma.cos());
        assert_eq!(passage.section, Some(0));
        assert_close(passage.before[1], square.sqrt(), 1e-12);
    }
    // Where a jump lands on a section it leaves it on the side to which the motion goes: the same wheel with the section at -alpha.
    let landing = Settings { until: 10.0, ..Settings::default() };
    let (system, values) = model(
        "[parameters]\nalpha = 0.3\n[flow]\nth = \"w\"\nw = \"sin(th + 0.15)\"\n[events.strike]\nwhen = \"th - alpha\"\ndirection = \"rising\"\n\
         jump = { th = \"-alpha\", w = \"w*cos(2*alpha)\" }\n[sections.begin]\nwhen = \"th + alpha\"\n[start]\nth = 0\nw = 0.6\n",
    );
    let run = Motion::new(&system, &values, landing).unwrap().run(false, |_| true);
    assert!(run.events.len() > 10 && run.events.iter().all(|event| event.kind == EventKind::Reset));
}

/// Neurons V' = I - V that fire at 1, return to 0 and raise the other by k (Mirollo and Strogatz 1990): where that raises it beyond its threshold it fires at once, and from there on
/// both fire together, log((1.5 - k)/0.5) apart, whatever they did before: the multiplier that is not that of the flow is zero. Where each puts the other beyond its threshold again they fire without end.
#[test]
fn a_jump_beyond_the_surface_of_another_event_makes_it_happen() {
    let neurons = |k: f64| {
        let event = |fires: &str, other: &str| {
            format!(
                "[events.{fires}]\nwhen = \"{fires} - 1\"\ndirection = \"rising\"\njump = {{ {fires} = \"0\", {other} = \"{other} + k\" }}\n"
            )
        };
        let (a, b) = (event("a", "b"), event("b", "a"));
        model(&format!(
            "[parameters]\nk = {k}\n[flow]\na = \"1.5 - a\"\nb = \"1.4 - b\"\n{a}{b}[sections.half]\nwhen = \"a - 0.5\"\ndirection = \"rising\"\n[start]\na = 0.45\nb = 0.4\n"
        ))
    };
    let (system, values) = neurons(0.3);
    let run =
        Motion::new(&system, &values, Settings { until: 6.0, ..Settings::default() }).unwrap().run(false, |_| true);
    let fired: Vec<(f64, usize)> = run.events.iter().filter_map(|event| Some((event.time, event.reset?))).collect();
    let (first, period) = ((1.05_f64 / 0.5).ln(), (1.2_f64 / 0.5).ln());
    assert!(fired.len() > 10);
    for (n, pair) in fired.chunks_exact(2).enumerate() {
        assert_eq!((pair[0].1, pair[1].1), (0, 1));
        assert_close(pair[0].0, first + n as f64 * period, 1e-12);
        assert_eq!(pair[0].0, pair[1].0);
    }
    let orbit = found(&system, &values, 3);
    assert_close(orbit.period, period, 1e-12);
    assert_close(orbit.multipliers[0].re, 1.0, 1e-12);
    assert!(orbit.multipliers[1].norm() < 1e-12, "{:?}", orbit.multipliers);
    let (system, values) = neurons(1.2);
    let run =
        Motion::new(&system, &values, Settings { until: 6.0, ..Settings::default() }).unwrap().run(false, |_| true);
    assert_eq!(run.ended, saltation_motion::Ended::NoProgress);
}

/// A stone that is thrown up ends where it comes to the ground, at the time of the quadratic equation; its orbit is refused by the name of the event.
#[test]
fn an_event_may_end_a_motion() {
    let text = "[flow]\nx = \"v\"\nv = -9.8\n[events.ground]\nwhen = \"x\"\ndirection = \"falling\"\nstop = true\n[sections.top]\nwhen = \"v\"\n[start]\nx = 10\nv = 1\n";
    let (system, values) = model(text);
    let run =
        Motion::new(&system, &values, Settings { until: 60.0, ..Settings::default() }).unwrap().run(false, |_| true);
    assert_eq!(run.ended, saltation_motion::Ended::Event { event: 0 });
    assert_eq!(run.ended.describe(&system), "the event ground ended the trajectory");
    assert_close(run.time, (1.0 + (1.0_f64 + 196.0).sqrt()) / 9.8, 1e-13);
    assert_eq!(run.events.last().unwrap().kind, EventKind::Reset);
    let settings = orbit::Settings::through(0);
    assert!(orbit::find(&system, &values, &settings, &mut |_| true).orbit.is_none());
    // With a jump, the motion ends behind it.
    let (system, values) = model(&text.replace("stop = true", "stop = true\njump = { v = \"-v/2\" }"));
    let run =
        Motion::new(&system, &values, Settings { until: 60.0, ..Settings::default() }).unwrap().run(false, |_| true);
    assert_close(run.state[1], 197.0_f64.sqrt() / 2.0, 1e-12);
}

/// A kick where the phase begins anew, and the section with it, is reported; one beside it is part of the orbit.
#[test]
fn an_event_at_the_section_of_an_orbit_is_reported() {
    let kicked = |at: f64| {
        model(&format!(
            "[phase.s]\nrate = \"0.8\"\nperiod = \"2*pi\"\n[flow]\nx = \"v\"\nv = \"-x - 0.3*v + cos(s)\"\n\
             [events.kick]\nwhen = \"sin(s - {at})\"\ndirection = \"rising\"\njump = {{ v = \"0.5*v\" }}\n[start]\nx = 0.3\nv = 0.1\ns = 0\n"
        ))
    };
    let (system, values) = kicked(0.0);
    let settings = orbit::Settings { settle: 60, ..orbit::Settings::through(system.default_section().unwrap()) };
    assert!(matches!(orbit::find(&system, &values, &settings, &mut |_| true).ended, Ended::Jumped { .. }));
    let (system, values) = kicked(0.5);
    let orbit = found(&system, &values, 60);
    // Liouville: the flow contracts by exp(-0.3 T), the kick by 1/2.
    let product: Complex = orbit.multipliers.iter().product();
    assert_close(product.norm(), 0.5 * (-0.3 * orbit.period).exp(), 1e-10);
}

/// Two events of one surface multiply the velocity by 0.6 and by 0.5, as one does by 0.3: the same branch, through the orbits of motions.
#[test]
fn a_branch_has_all_events_of_a_surface() {
    let event = |name: &str, factor: f64| {
        format!("[events.{name}]\nwhen = \"x - 0.2\"\ndirection = \"rising\"\njump = {{ v = \"{factor}*v\" }}\n")
    };
    let text = |events: &str| {
        format!(
            "[parameters]\nA = 1\n[phase.s]\nrate = \"1\"\nperiod = \"2*pi\"\n[flow]\nx = \"v\"\nv = \"-x - 0.3*v + A*cos(s)\"\n\
             {events}[start]\nx = 0.1\nv = 0\ns = 0\n"
        )
    };
    let branch = |events: &str| {
        let (system, values) = model(&text(events));
        let following = values.along(&["A"]).unwrap();
        let orbit = found(&system, &following, 50);
        let branch = branch_of(&system, &following, &orbit, (0.9, 1.1));
        assert!(branch.special.is_empty(), "{:?}", branch.special);
        let last = branch.points.last().unwrap();
        (branch.value(last), last.state.clone(), last.multipliers.clone())
    };
    let (two, one) = (branch(&(event("a", 0.6) + &event("b", 0.5))), branch(&event("c", 0.3)));
    assert_eq!((two.0, one.0), (1.1, 1.1));
    let (system, values) = model(&text(&event("c", 0.3)).replace("A = 1\n", "A = 1.1\n"));
    let orbit = found(&system, &values, 50);
    for (k, &x) in orbit.state.iter().enumerate() {
        assert_close(two.1[k], x, 1e-9);
        assert_close(one.1[k], x, 1e-9);
    }
    let product = |multipliers: &[Complex]| multipliers.iter().product::<Complex>().norm();
    // Liouville: the jump contracts v by 0.3, and the times of neighbours by the ratio of x' after and before, which is 0.3 too.
    assert_close(product(&two.2), 0.3 * 0.3 * (-0.3 * orbit.period).exp(), 1e-9);
    assert_close(product(&one.2), product(&two.2), 1e-9);
}

/// x' = A - x, halved at s = 1/2 if x > 0.3: before that it is A (1 - 1/e)/(1 - 1/(2 e)), so that the orbit ends at the A for which this is 0.3.
#[test]
fn a_branch_ends_where_the_condition_of_an_event_does() {
    let (system, values) = model(
        "[parameters]\nA = 0.5\n[phase.s]\nrate = \"1\"\nperiod = \"1\"\n[flow]\nx = \"A - x\"\n[events.half]\nwhen = \"s - 0.5\"\n\
         direction = \"rising\"\nif = \"x - 0.3\"\njump = { x = \"0.5*x\" }\n[start]\nx = 0.1\ns = 0\n",
    );
    let following = values.along(&["A"]).unwrap();
    let orbit = found(&system, &following, 50);
    let branch = branch_of(&system, &following, &orbit, (0.2, 0.6));
    let border = 0.3 * (1.0 - 0.5 * (-1.0_f64).exp()) / (1.0 - (-1.0_f64).exp());
    let [special] = &branch.special[..] else { panic!("{:?}", branch.special) };
    assert_eq!(special.kind, SpecialKind::Boundary);
    assert_close(branch.value(&special.point), border, 1e-9);
    for point in &branch.points {
        let value = branch.value(point);
        assert!(point.admissible == (value > border) || (value - border).abs() < 1e-9, "{value}");
    }
}

/// An orbit through the surface on which a half-integer power vanishes, in the rate of its own variable: multipliers against differences of whole motions
/// and against exponents.
#[test]
fn derivatives_pass_half_integer_powers_at_every_tolerance() {
    for power in ["max(v,0)^1.5", "max(x-0.77*v,0)^1.5", "max(x-0.2*v,0)^1.5"] {
        let (system, values) = model(&format!(
            "[phase.s]\nrate = \"0.8\"\nperiod = \"2*pi\"\n[flow]\nx = \"v\"\nv = \"-x - 0.55*v - 0.52*{power} + 0.65*cos(s)\"\n\
             [start]\nx = 0.1\nv = 0.1\ns = 0\n"
        ));
        let orbit = found(&system, &values, 50);
        let period = orbit.period;
        let end = |values: &Values| {
            let settings = Settings { until: period, ..Settings::default() };
            Motion::new(&system, values, settings).unwrap().run(false, |_| true).state
        };
        let (at, step) = (values.with_start(&orbit.state), 1e-5);
        let column = |k: usize| {
            let (up, down) = (end(&beside(&at, k, step)), end(&beside(&at, k, -step)));
            [0, 1].map(|i| (up[i] - down[i]) / (2.0 * step))
        };
        let [[a, c], [b, d]] = [column(0), column(1)];
        let (sum, product): (Complex, Complex) = (orbit.multipliers.iter().sum(), orbit.multipliers.iter().product());
        assert_close(sum.re, a + d, 1e-7);
        assert_close(product.re, a * d - b * c, 1e-7);
        for tolerance in [1e-9, 1e-11, 1e-13] {
            let settings = orbit::Settings { tolerance, ..orbit::Settings::through(system.default_section().unwrap()) };
            let search = orbit::find(&system, &at, &settings, &mut |_| true);
            let again = search.orbit.unwrap_or_else(|| panic!("{power} {tolerance:e}: {:?}", search.ended));
            let again: Complex = again.multipliers.iter().product();
            assert_close(again.re, product.re, 1e-8);
        }
        let section = system.default_section().unwrap();
        let settings = LyapunovSettings { settle: 50, returns: 20, ..LyapunovSettings::through(section) };
        let measured = lyapunov::exponents(&system, &values, &settings, &mut |_| true);
        assert_close(measured.exponents.iter().sum::<f64>(), product.norm().ln() / period, 1e-7);
    }
}

/// A body that another one pushes through a surface: the event there throws it back, and the other one strikes it in the same instant and turns it again. The surface is crossed once, and its
/// event happens once.
#[test]
fn an_event_that_an_impact_turns_in_the_same_instant_happens_once() {
    let text = r#"
        format = 1
        name = "pushed"
        [mechanics]
        coordinates = ["x", "y"]
        velocities = ["v", "w"]
        M = { diagonal = [1.0, 1.0] }
        h = ["0", "0"]
        [contacts.c]
        gap = "y - x - 1"
        restitution = 0.0
        [events.surface]
        when = "x + 0.25"
        jump = { v = "-0.5*v" }
        [start]
        x = 0.0
        y = 1.0
        v = 0.0
        w = -1.0
    "#;
    let (system, values) = crate::common::parse(text);
    let run = crate::common::run(&system, &values, 4.0);
    let resets: Vec<f64> = run.events.iter().filter(|e| e.kind == EventKind::Reset).map(|e| e.time).collect();
    assert_eq!(resets, [0.5]);
    // Both go on with the mean of 1/4 and -1/2.
    let place = -0.25 - 0.125 * 3.5;
    crate::common::assert_all_close(&run.state, &[place, place + 1.0, -0.125, -0.125], 1e-14);
}
