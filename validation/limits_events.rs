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
    // A section 1e-10 below the threshold is passed before the event, and by its jump: not a third time.
    let text = "[flow]\nV = \"36 - V\"\n[events.spike]\nwhen = \"V - 30\"\ndirection = \"rising\"\njump = { V = \"-65\" }\n\
                [sections.below]\nwhen = \"V - 30 + 1e-10\"\n[start]\nV = 0\n";
    let (close, at) = model(text);
    let found = Motion::new(&close, &at, Settings { until: 6.0, ..Settings::default() }).unwrap().run(false, |_| true);
    let of = |kind: EventKind| found.events.iter().filter(|event| event.kind == kind).count();
    assert_eq!(of(EventKind::Section), 2 * of(EventKind::Reset));
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
