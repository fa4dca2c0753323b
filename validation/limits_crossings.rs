//! Surfaces that are touched, met together or vanish along a motion: which events happen, and that motions that are the same are one. Against closed forms and other formulations.

use crate::common::{assert_all_close, assert_close};
use saltation_model::{Model, Overrides};
use saltation_motion::{Ended, EventKind, Motion, Run, Settings, System};

fn run(body: &str, settings: Settings) -> Run {
    let text = format!("format = 1\nname = \"test\"\n{body}");
    let model = Model::parse(&text, "test.toml").unwrap_or_else(|m| panic!("{m}"));
    let values = model.values(&Overrides::default()).unwrap_or_else(|m| panic!("{m}"));
    let system = System::new(&model);
    Motion::new(&system, &values, settings).unwrap_or_else(|e| panic!("{e}")).run(false, |_| true)
}

fn run_until(body: &str, until: f64) -> Run {
    run(body, Settings { until, ..Settings::default() })
}

fn assert_ends(body: &str, until: f64, wanted: &[f64], tolerance: f64) -> Run {
    let run = run_until(body, until);
    assert!(matches!(run.ended, Ended::ReachedTime), "{body}: {:?}", run.ended);
    assert_all_close(&run.state, wanted, tolerance);
    run
}

fn count(run: &Run, kind: EventKind) -> usize {
    run.events.iter().filter(|event| event.kind == kind).count()
}

/// s' = `rate` from 0, and a counter of passages of a function of s.
fn counted(function: &str, rate: &str, direction: &str) -> String {
    format!(
        "[flow]\ns = \"{rate}\"\nn = \"0\"\n[events.mark]\nwhen = \"{function}\"\ndirection = \"{direction}\"\njump = {{ n = \"n + 1\" }}\n[start]\ns = 0\nn = 0\n"
    )
}

#[test]
fn a_root_of_odd_order_is_passed_once_and_one_of_even_order_never() {
    for rate in ["1", "0.5 + 0.1*cos(s)"] {
        for (function, direction, passages) in [
            ("(s - 0.7)^3", "rising", 1.0),
            ("(0.7 - s)^3", "falling", 1.0),
            ("(s - 0.7)^5", "any", 1.0),
            ("s^3 - 2.1*s^2 + 1.47*s - 0.343", "rising", 1.0),
            ("s - 0.7 - sin(s - 0.7)", "any", 1.0),
            ("(s - 0.7)^2", "any", 0.0),
            ("(s - 0.7)^4", "rising", 0.0),
            ("(s - 0.7)^2*(s - 0.9)", "any", 1.0),
        ] {
            let found = run_until(&counted(function, rate, direction), 2.0);
            assert!(matches!(found.ended, Ended::ReachedTime), "{function}: {:?}", found.ended);
            assert_eq!(found.state[1], passages, "{function} along {rate}");
        }
    }
}

#[test]
fn an_event_at_the_end_of_a_motion_happens() {
    let next = |x: f64| f64::from_bits(x.to_bits() + 1);
    for (until, passages) in [(next(1.0), 1.0), (1.0, 1.0), (1.0 - f64::EPSILON, 0.0)] {
        assert_eq!(run_until(&counted("s - 1", "1", "rising"), until).state[1], passages, "until {until}");
    }
}

#[test]
fn all_events_of_a_crossing_happen() {
    let both = |a: &str, b: &str| {
        format!(
            "[flow]\nx = \"1\"\ny = \"0\"\nz = \"0\"\n[events.a]\nwhen = \"x - 1\"\n{a}jump = {{ y = \"y + 1\" }}\n[events.b]\nwhen = \"{b}\njump = {{ z = \"z + 1\" }}\n[start]\nx = 0\ny = 0\nz = 0\n"
        )
    };
    for (a, b) in [
        ("direction = \"rising\"\n", "x - 1\"\ndirection = \"rising\""),
        ("", "1 - x\"\ndirection = \"falling\""),
        ("", "2*x - 2\""),
        ("if = \"1 - x/2\"\n", "x - 1\"\nif = \"x\""),
        ("", "x^2 - 1\""),
    ] {
        assert_ends(&both(a, b), 3.0, &[3.0, 1.0, 1.0], 1e-12);
    }
    // Conditions are those at the crossing: a toggle turns once.
    let toggle = "[discrete]\non = { value = 0, values = [0, 1] }\n[flow]\nx = \"1\"\n[events.up]\nwhen = \"x - 1\"\nif = \"0.5 - on\"\njump = { on = \"1\" }\n\
                  [events.down]\nwhen = \"x - 1\"\nif = \"on - 0.5\"\njump = { on = \"0\" }\n[start]\nx = 0\n";
    assert_ends(toggle, 2.0, &[2.0, 1.0], 1e-12);
}

/// Units that charge to 1 together and push each other when they fire.
#[test]
fn events_that_move_each_other_across_their_surfaces_all_happen() {
    for units in 2..8 {
        let push = 0.01;
        let names: Vec<String> = (0..units).map(|k| format!("x{k}")).collect();
        let rates: String = names.iter().map(|x| format!("{x} = \"2 - {x}\"\n")).collect();
        let event = |x: &String| {
            let others = names.iter().filter(|other| *other != x).map(|o| format!(", {o} = \"{o} + {push}\""));
            format!(
                "[events.{x}]\nwhen = \"{x} - 1\"\ndirection = \"rising\"\njump = {{ {x} = \"0\", n = \"n + 1\"{} }}\n",
                others.collect::<String>()
            )
        };
        let events: String = names.iter().map(event).collect();
        let start: String = names.iter().map(|x| format!("{x} = 0\n")).collect();
        let found = run_until(&format!("[flow]\n{rates}n = \"0\"\n{events}[start]\n{start}n = 0\n"), 0.8);
        assert!(matches!(found.ended, Ended::ReachedTime), "{units} units: {:?}", found.ended);
        assert_eq!(found.state[units], units as f64, "{units} units");
        // Fired k-th it is pushed by those that fire after it.
        for (k, x) in found.state[..units].iter().enumerate() {
            let after = push * (units - 1 - k) as f64;
            assert_close(*x, 2.0 - (2.0 - after) * (-(0.8 - 2.0_f64.ln())).exp(), 1e-12);
        }
    }
}

#[test]
fn five_equal_systems_switch_together() {
    let five = |of: &dyn Fn(usize) -> String| (0..5).map(of).collect::<String>();
    // Thermostats.
    let flow = five(&|k| format!("x{k} = \"3*d{k} - x{k}\"\n"));
    let discrete = five(&|k| format!("d{k} = {{ value = 1, values = [0, 1] }}\n"));
    let events = five(&|k| {
        format!(
            "[events.off{k}]\nwhen = \"x{k} - 2\"\ndirection = \"rising\"\njump = {{ d{k} = \"0\" }}\n[events.on{k}]\nwhen = \"x{k} - 1\"\ndirection = \"falling\"\njump = {{ d{k} = \"1\" }}\n"
        )
    });
    let start = five(&|k| format!("x{k} = 1\n"));
    let found = run_until(&format!("[discrete]\n{discrete}[flow]\n{flow}{events}[start]\n{start}"), 12.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    // On for ln 2, off for ln 2: 12 = 17 ln 2 + 0.2165.
    let rest = 12.0 - 17.0 * 2.0_f64.ln();
    found.state[..5].iter().for_each(|x| assert_close(*x, 2.0 * (-rest).exp(), 1e-11));
    // Oscillators with dry friction.
    let flow = five(&|k| format!("x{k} = \"v{k}\"\nv{k} = \"-x{k} - 0.1*sign(v{k})\"\n"));
    let start = five(&|k| format!("x{k} = 1\nv{k} = 0\n"));
    let found = run_until(&format!("[flow]\n{flow}[start]\n{start}"), 5.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    // Until pi about 0.1, then about -0.1.
    let x = -0.1 + 0.7 * 5.0_f64.cos();
    found.state.chunks(2).take(5).for_each(|state| assert_close(state[0], x, 1e-11));
}

#[test]
fn a_jump_that_stops_the_field_happens_once() {
    // 0.3 - 0.2 - 0.1 is -2.8e-17.
    let body = "[discrete]\non = { value = 0, values = [0, 1] }\n[flow]\nx = \"0.3 - 0.2*on - 0.1*x\"\n[events.open]\nwhen = \"x - 1\"\ndirection = \"rising\"\njump = { on = \"1\" }\n[start]\nx = 0\n";
    let found = assert_ends(body, 10.0, &[1.0, 1.0], 1e-12);
    assert_eq!(count(&found, EventKind::Reset), 1);
}

/// A ball on a table that shakes, and a counter of what vanishes with its gap.
#[test]
fn a_function_that_vanishes_with_a_gap_is_touched_and_not_crossed() {
    let ball = |when: &str, direction: &str| {
        format!(
            "[parameters]\nA = 0.37\n[phase.p]\nrate = 7.3\nperiod = \"2*pi\"\n[discrete]\nk = {{ value = 0, values = [0, 1, 2, 3, 4, 5] }}\n\
             [mechanics]\ncoordinates = [\"y\"]\nvelocities = [\"u\"]\nM = [[1]]\nh = [\"-10\"]\n[contacts.g]\ngap = \"y - A*sin(p)\"\nrestitution = 0.5\n\
             [events.count]\nwhen = \"{when}\"\ndirection = \"{direction}\"\njump = {{ k = \"k + 1\" }}\n[start]\ny = 1\nu = 0\np = 0\n"
        )
    };
    let alone = run_until(&ball("y - 100", "any"), 20.0);
    for direction in ["falling", "rising", "any"] {
        for when in ["y - A*sin(p)", "y/A - sin(p)", "(y - A*sin(p))*(2 + cos(p))", "(y - A*sin(p))*(1 + u^2)"] {
            let found = run_until(&ball(when, direction), 20.0);
            assert!(matches!(found.ended, Ended::ReachedTime), "{when}: {:?}", found.ended);
            assert_eq!(count(&found, EventKind::Reset), 0, "{when} {direction}");
            assert_all_close(&found.state, &alone.state, 1e-9);
        }
    }
}

#[test]
fn an_event_where_a_sequence_of_impacts_ends_happens() {
    // It comes to rest at 3 sqrt 0.2; the weight turns round.
    let rest = 3.0 * 0.2_f64.sqrt();
    for early in [-1e-9, -1e-12, 0.0, 1e-12, 1e-9] {
        let body = format!(
            "[phase.p]\nrate = 1\nperiod = 100\n[discrete]\ng = {{ value = 1, values = [1, -1] }}\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\n\
             h = [\"-10*g\"]\n[contacts.f]\ngap = \"x\"\nrestitution = 0.5\n[events.e]\nwhen = \"p - {:.17}\"\ndirection = \"rising\"\njump = {{ g = \"-1\" }}\n[start]\nx = 1\nv = 0\np = 0\n",
            rest - early
        );
        assert_ends(&body, 2.0, &[5.0 * (2.0 - rest).powi(2), 10.0 * (2.0 - rest), -1.0, 2.0], 1e-7);
    }
}

/// A body rests on a stop, in a guide that rubs, while its load passes a corner or jumps.
#[test]
fn a_switch_that_vanishes_on_a_closed_contact_decides_nothing() {
    let body = |load: &str, more: &str| {
        format!(
            "[phase.p]\nrate = 1\nperiod = 100\n[flow]\nx = \"v\"\nv = \"-1 + {load} {more}\"\n[contacts.stop]\ngap = \"x\"\njump = {{ v = \"-0.5*v\" }}\n[start]\nx = 0\nv = 0\np = 0\n"
        )
    };
    // x'' = 0.7 from t = 1 on; 2 (t - 1.65) from 1.65 on.
    assert_ends(&body("2*step(p - 1)", "- 0.3*sign(v)"), 3.0, &[1.4, 1.4, 3.0], 1e-12);
    assert_ends(
        &body("2*max(p - 1, 0)", "- 0.3*sign(v)"),
        3.0,
        &[1.35_f64.powi(3) / 3.0, 1.35_f64.powi(2), 3.0],
        1e-12,
    );
    // Open from 1.5 on; x'' = 2 s - 2 x with s = t - 1.5.
    let root = 2.0_f64.sqrt();
    let (x, v) = (1.5 - (root * 1.5).sin() / root, 1.0 - (root * 1.5).cos());
    assert_ends(&body("2*max(p - 1, 0) - x", "- max(x, 0)"), 3.0, &[x, v, 3.0], 1e-12);
}

#[test]
fn modes_with_the_same_motion_are_one() {
    // z stays at zero; w slides on x/3 from the moment it comes there.
    for (z, on) in [("-z", "abs(z)"), ("-abs(z)", "max(z, 0)"), ("0", "abs(z)*sign(z)")] {
        let body =
            format!("[flow]\nx = \"1\"\nz = \"{z}\"\nw = \"-sign(w - x/3) + {on}\"\n[start]\nx = 0\nz = 0\nw = 0.2\n");
        assert_ends(&body, 3.0, &[3.0, 0.0, 1.0], 1e-12);
    }
    // A controller that integrates as long as it does not saturate: the clip and the condition meet on one surface.
    let windup = |condition: &str| {
        format!(
            "[flow]\ny = \"-y + clip(1.5*(1 - y) + i, -0.5, 0.8)\"\ni = \"if({condition}, 1 - y, 0)\"\n[start]\ny = 0\ni = 0\n"
        )
    };
    let one = run_until(&windup("1.5*(1 - y) + i < 0.8"), 20.0);
    assert_ends(&windup("abs(1.5*(1 - y) + i) < 0.8"), 20.0, &one.state.clone(), 1e-10);
    assert_close(one.state[0], 0.799999998351, 1e-11);
}

/// Two sliders rub on the ground and on each other: written by signs, whose forces at rest are not unique, and by implicit steps with the same laws.
#[test]
fn friction_whose_forces_are_not_unique_has_one_motion() {
    let body = "[phase.p]\nrate = 1\nperiod = \"2*pi\"\n[flow]\nx = \"v\"\ny = \"w\"\nv = \"2*sin(p) - 0.3*sign(v) - 0.2*sign(v - w)\"\nw = \"-0.2*sign(w) + 0.2*sign(v - w)\"\n[start]\nx = 0\ny = 0\nv = 0\nw = 0\np = 0\n";
    let found = run_until(body, 6.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    // min over (v, w) of |.-(v0 + dt f, w0)|^2/2 + dt (0.3 |v| + 0.2 |w| + 0.2 |v - w|), by its pieces.
    let (steps, until) = (200_000, 6.0);
    let dt = until / f64::from(steps);
    let (mut x, mut y, mut v, mut w) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for k in 0..steps {
        let (a, b) = (v + dt * 2.0 * (dt * (f64::from(k) + 0.5)).sin(), w);
        (v, w) = implicit((a, b), (0.3 * dt, 0.2 * dt, 0.2 * dt));
        (x, y) = (x + dt * v, y + dt * w);
    }
    let known = [found.state[0], found.state[1], found.state[2], found.state[3]];
    assert_all_close(&known, &[x, y, v, w], 2e-4);
}

/// The v, w at which |v - a|^2/2 + |w - b|^2/2 + c |v| + d |w| + e |v - w| is least: of all pieces the best.
fn implicit((a, b): (f64, f64), (c, d, e): (f64, f64, f64)) -> (f64, f64) {
    let value =
        |v: f64, w: f64| 0.5 * ((v - a).powi(2) + (w - b).powi(2)) + c * v.abs() + d * w.abs() + e * (v - w).abs();
    let mut best = (0.0, 0.0);
    let mut consider = |v: f64, w: f64| {
        if value(v, w) < value(best.0, best.1) {
            best = (v, w);
        }
    };
    for s in [-1.0, 1.0] {
        // w = 0, v = 0, v = w, and the sides.
        consider(a - s * (c + e), 0.0);
        consider(0.0, b - s * (d + e));
        let together = 0.5 * (a + b - s * (c + d));
        consider(together, together);
        for t in [-1.0, 1.0] {
            for r in [-1.0, 1.0] {
                consider(a - s * c - r * e, b - t * d + r * e);
            }
        }
    }
    best
}

#[test]
fn a_corner_within_many_functions_is_passed() {
    for (formula, wanted) in [
        ("clip(abs(t - 1), -0.5, 0.5) + clip(abs(t - 1), -0.6, 0.6)", 1.59),
        ("clip(clip(abs(t - 1), -1, 2), -1.5, 3)", 1.0),
        ("min(min(min(min(abs(t - 1), 1.1), 1.2), 1.3), 1.4)", 1.0),
    ] {
        let body = format!("[flow]\nx = \"{formula}\"\nt = \"1\"\n[start]\nx = 0\nt = 0\n");
        assert_ends(&body, 2.0, &[wanted, 2.0], 1e-12);
    }
}

#[test]
fn a_motion_ends_on_a_surface_that_one_side_keeps() {
    // At 2 ln 3.5 x reaches 0, where the field below vanishes.
    for other in ["", "y = \"-y + abs(y - 0.3) + cos(2*t)\"\nt = \"1\"\n"] {
        for start in ["0.5", "0.213", "0.37"] {
            let states = if other.is_empty() { "" } else { "y = 0\nt = 0\n" };
            let body = format!("[flow]\nx = \"-0.5*x - 0.1*step(x)\"\n{other}[start]\nx = {start}\n{states}");
            let found = run_until(&body, 8.0);
            assert!(matches!(found.ended, Ended::ReachedTime), "{body}: {:?}", found.ended);
            assert_close(found.state[0], 0.0, 1e-15);
        }
    }
}

#[test]
fn a_condition_that_vanishes_on_a_whole_side_is_not_unique() {
    let body = "[flow]\nx = \"if(max(y, 0) > 0, 1, 0)\"\ny = \"1\"\n[start]\nx = 0\ny = -1\n";
    assert!(matches!(run_until(body, 2.0).ended, Ended::NotUnique { .. }));
}

/// A contact that is closed while the phase wraps, where its surface turns or jumps.
#[test]
fn surfaces_that_jump_with_the_phase_open_close_and_drag() {
    let floor = |gap: &str, start: (f64, f64)| {
        format!(
            "[phase.p]\nrate = 1\nperiod = 1\n[mechanics]\ncoordinates = [\"y\"]\nvelocities = [\"u\"]\nM = [[1]]\nh = [\"-10\"]\n[contacts.c]\ngap = \"{gap}\"\nrestitution = 0.5\n[start]\ny = {}\nu = {}\np = 0.5\n",
            start.0, start.1
        )
    };
    // The floor's speed falls from 0.1 to -0.1: a flight of 0.2/5.1.
    let found = run_until(&floor("y + 0.1*p*(1 - p)", (-0.025, 0.0)), 0.52);
    assert_all_close(&found.state, &[0.1 * 0.02 - 5.0 * 0.0004, 0.1 - 0.2, 0.02], 1e-12);
    // It rises from -0.1 to 0.1: an impact, and a rebound of half the closing speed.
    let found = run_until(&floor("y - 0.1*p*(1 - p)", (0.025, 0.0)), 0.51);
    assert_all_close(&found.state, &[0.2 * 0.01 - 5.0 * 0.0001, 0.2 - 0.1, 0.01], 1e-12);
    // A ramp that jumps back leaves the body in the air.
    let found = run_until(&floor("y - 0.1*p", (0.05, 0.1)), 0.55);
    assert_all_close(&found.state, &[0.1 + 0.1 * 0.05 - 5.0 * 0.0025, 0.1 - 0.5, 0.05], 1e-12);
    // A belt whose speed falls from 0.5 to 0 drags.
    let belt = "[phase.p]\nrate = 1\nperiod = 1\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"v\", \"u\"]\nM = [[1, 0], [0, 1]]\nh = [\"0\", \"-10\"]\n\
                [contacts.c]\ngap = \"y\"\ntrack = \"x\"\nbelt = \"0.5*p\"\nrestitution = 0\nfriction = { law = \"coulomb\", mu = 0.1 }\n[start]\nx = 0\ny = 0\nv = 0\nu = 0\np = 0\n";
    assert_ends(belt, 3.5, &[1.0625, 0.0, 0.25, 0.0, 0.5], 1e-12);
}

#[test]
fn a_phase_that_runs_backwards_passes_what_is_there() {
    // p > 1 for three of every four units of time.
    let body = |rates: &str, more: &str| {
        format!("[phase.p]\nrate = -1\nperiod = 4\n[flow]\n{rates}{more}[start]\nx = 0\np = 0\n")
    };
    assert_ends(&body("x = \"step(p - 1)\"\n", ""), 8.0, &[6.0, 0.0], 1e-12);
    let event = "[events.e]\nwhen = \"p - 2\"\njump = { x = \"x + 1\" }\n";
    assert_eq!(run_until(&body("x = \"0\"\n", event), 29.0).state[0], 7.0);
    // A body on a floor with the load -(p - 1.5): it is lifted at t = 2.5.
    let load = "[phase.p]\nrate = -1\nperiod = 4\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-(p - 1.5)\"]\n[contacts.f]\ngap = \"x\"\nrestitution = 0\n[start]\nx = 0\nv = 0\np = 0\n";
    assert_ends(load, 4.0, &[1.5_f64.powi(3) / 6.0, 1.5_f64.powi(2) / 2.0, 0.0], 1e-12);
}

#[test]
fn a_section_that_is_passed_after_many_periods_is_waited_for() {
    // The load is a sawtooth of mean -0.1.
    let body = "[phase.p]\nrate = 1\nperiod = 4\n[sections.s]\nwhen = \"x - 0.01\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"(p - 2) - 0.1\"]\n\
                [contacts.f]\ngap = \"x\"\nrestitution = 0.5\n[start]\nx = 0.02\nv = 3\np = 0\n";
    let settings = Settings { returns: Some((0, 2)), ..Settings::default() };
    let found = run(body, Settings { until: f64::INFINITY, ..settings });
    assert!(matches!(found.ended, Ended::ReachedReturns), "{:?}", found.ended);
    // The same passages on a run to a time.
    let passages: Vec<f64> = {
        let run = run_until(body, 40.0);
        run.events.iter().filter(|event| event.kind == EventKind::Section).map(|event| event.time).collect()
    };
    assert_close(found.time, passages[1], 1e-9);
}

/// A ball bounces to rest at 19 sqrt 0.2 while a block that has nothing to do with it slides to a stop, a little before or after.
#[test]
fn a_stop_of_another_body_within_the_rest_of_a_sequence_is_seen() {
    let rest = 19.0 * 0.2_f64.sqrt();
    for early in [0.2, 1e-2, 1e-3, 5e-4, 1e-4, 1e-5, -1e-4] {
        let speed = rest - early;
        let body = format!(
            "[mechanics]\ncoordinates = [\"x\", \"y\", \"z\"]\nvelocities = [\"u\", \"v\", \"w\"]\nM = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nh = [0, -10, -10]\n\
             [contacts.ball]\ngap = \"z\"\nrestitution = 0.9\n[contacts.block]\ngap = \"y\"\ntrack = \"x\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = 0.1 }}\n\
             [start]\nx = 0\ny = 0\nz = 1\nu = {speed:.17}\nv = 0\nw = 0\n"
        );
        let found = assert_ends(&body, 12.0, &[0.5 * speed * speed, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-10);
        assert_eq!(found.count(EventKind::Slip), 1, "a block that stops {early} before the ball");
    }
}

/// A twisting controller comes to its origin in ever shorter turns, by the factor (r1 - r2)/(r1 + r2) of the speed: what numbers do not resolve is the end.
#[test]
fn turns_that_accumulate_in_a_corner_end_there() {
    let body = "[flow]\nx = \"v\"\nv = \"-2*sign(x) - sign(v)\"\n[start]\nx = 1\nv = 0\n";
    let found = assert_ends(body, 100.0, &[0.0, 0.0], 1e-15);
    assert!(found.events.len() < 200, "{} events", found.events.len());
}

/// x' = a - k(y) sign(x) with y' = 1, where k(y) is seldom larger than |a|: x slides along 0 exactly as long as it is.
#[test]
fn a_motion_slides_where_the_field_jumps_in_a_small_part_of_the_states_only() {
    let model = |rate: &str, x: f64, y: f64| format!("[flow]\nx = \"{rate}\"\ny = \"1\"\n[start]\nx = {x}\ny = {y}\n");
    // Gates that are open: x falls with speed 1/2 and stays at zero.
    for (gated, y) in [
        ("if(y > 0.5, -0.5*sign(x), -0.5)", 0.6),
        ("-0.5*sign(x)*step(y - 0.5)", 0.6),
        ("-0.5*sign(x)*(1 + sign(y - 0.5))/2 - 0.25*(1 - sign(y - 0.5))", 0.6),
        ("if(y > 50, -0.5*sign(x), -0.5)", 60.0),
        ("if(y > 5000, -0.5*sign(x), if(y > 700, 3, -0.5))", 6000.0),
    ] {
        let found = assert_ends(&model(gated, 0.5, y), 3.0, &[0.0, y + 3.0], 1e-12);
        let slide = found.events.iter().find(|event| event.kind == EventKind::Slide).expect("it slides");
        assert_close(slide.time, 1.0, 1e-12);
    }
    // A gate that closes at y = 20 + sqrt(log(10)/30): from there x rises by the integral of 1/10 - exp(-30 (y - 20)^2).
    let closes = 0.3 + (10.0_f64.ln() / 30.0).sqrt();
    let found = run_until(&model("0.1 - exp(-30*(y - 20)^2)*sign(x)", 0.05, 19.7), 3.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    let leave = found.events.iter().find(|event| event.kind == EventKind::Leave).expect("it stops sliding");
    assert_close(leave.time, closes, 1e-10);
    let simpson = |f: &dyn Fn(f64) -> f64, from: f64, to: f64| {
        let (n, h) = (2000, (to - from) / 2000.0);
        let weight = |i: usize| if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
        (0..=n).map(|i| weight(i) * f(from + i as f64 * h)).sum::<f64>() * h / 3.0
    };
    let risen = simpson(&|t| 0.1 - (-30.0 * (t - 0.3).powi(2)).exp(), closes, 3.0);
    assert_close(found.state[0], risen, 1e-11);
}

/// Twisting control with a gain of 8 outwards and 3 inwards, once as a switch of x y. Every half turn takes the speed v times sqrt(3/8) in the time v (1/8 + 1/sqrt(24)), and there is rest from
/// the sum of a geometric series on. Steps of the exact flow reach to the end time, where x y is so large that what it is at the first crossings is rounding of it.
#[test]
fn the_end_of_a_long_step_hides_no_crossing_at_its_beginning() {
    let q = f64::sqrt(3.0 / 8.0);
    let rest = f64::sqrt(2.0 / 3.0) + f64::sqrt(6.0) * (0.125 + 1.0 / f64::sqrt(24.0)) / (1.0 - q);
    for gain in ["if(x*y > 0, 8, 3)", "(5.5 + 2.5*sign(x*y))", "(5.5 + 2.5*sign(x)*sign(y))"] {
        let text = format!("[flow]\nx = \"y\"\ny = \"-sign(x)*{gain}\"\n[start]\nx = 1\ny = 0\n");
        for until in [3.0, 10.0, 1e3] {
            let found = assert_ends(&text, until, &[0.0, 0.0], 1e-15);
            let event = found.events.iter().find(|event| event.kind == EventKind::Accumulate);
            let event = event.unwrap_or_else(|| panic!("{gain} until {until}"));
            assert_close(event.time + event.duration, rest, 1e-11);
            assert!(found.events.len() < 80, "{} events", found.events.len());
        }
    }
}

/// Three surfaces through a point into which a trajectory spirals: without a drift each half turn is one seventh of the one before, and the point is reached at 1/5; with it
/// at times of a program that follows pieces one by one, exactly, up to 1e-8.
#[test]
fn a_spiral_into_three_surfaces_comes_to_rest() {
    for (drift, rest) in [("0", 0.2), ("0.5*x", 0.204_470_725), ("x", 0.209_133_051)] {
        let text = format!(
            "[flow]\nx = \"{drift} - sign(x) - 6*sign(y)\"\ny = \"6*sign(x - y) + sign(y)\"\n[start]\nx = 1\ny = 0\n"
        );
        let found = assert_ends(&text, 2.0, &[0.0, 0.0], 1e-14);
        let last = found.events.iter().rfind(|event| event.kind == EventKind::Switch).unwrap();
        assert_close(last.time, rest, 1e-8);
        assert!(found.events.len() < 100, "{} events", found.events.len());
    }
}

/// A body at rest on a floor, on a belt that turns at phi = pi, where its speed sin(phi) is 1.2e-16 in numbers: the crossing is nearer to the beginning of a step than any time that a step can have.
#[test]
fn a_crossing_may_be_nearer_than_any_step() {
    let body = |push: &str| {
        format!(
            "[phase.phi]\nrate = 6.0\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"v\", \"w\"]\nM = {{ diagonal = [1, 1] }}\n\
             h = [\"{push} - 3.0*sign(v + sin(phi)) + 1.0*sign(w - v)\", \"3.0*cos(phi) - 2.0 - 1.0*sign(w - v)\"]\n[contacts.floor]\ngap = \"x\"\nrestitution = 0\n\
             [start]\nx = 0\ny = 1.5\nv = 0\nw = 1\nphi = 0\n"
        )
    };
    for push in ["2.0", "1.9"] {
        let found = run_until(&body(push), 0.55);
        assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
        // From pi/6 on the force push + 3 - 1 lifts it.
        let since = 0.55 - std::f64::consts::PI / 6.0;
        let force: f64 = push.parse::<f64>().unwrap() + 2.0;
        assert_close(found.state[0], 0.5 * force * since * since, 1e-13);
    }
}
