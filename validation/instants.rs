//! Instants at which contacts, friction, switches and crossings meet: ordinary models against closed forms, from the start and met on the way, in any order and in other units.

use crate::common::{assert_all_close, assert_close};
use saltation_model::{Model, Overrides};
use saltation_motion::{Ended, EventKind, Motion, Perturbation, Run, Settings, System};

/// A model of this text with formulas as values of its parameters and of its start.
fn run(text: &str, set: &[(&str, &str)], start: &[(&str, &str)], until: f64) -> Run {
    let owned =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let model =
        Model::parse(&format!("format = 1\nname = \"test\"\n{text}"), "test.toml").unwrap_or_else(|m| panic!("{m}"));
    let values = model.values(&Overrides { set: owned(set), start: owned(start) }).unwrap_or_else(|m| panic!("{m}"));
    let system = System::new(&model);
    let settings = Settings { until, ..Settings::default() };
    Motion::new(&system, &values, settings).unwrap_or_else(|e| panic!("{e}")).run(false, |_| true)
}

fn assert_ends(text: &str, until: f64, wanted: &[f64]) -> Run {
    let run = run(text, &[], &[], until);
    assert!(matches!(run.ended, Ended::ReachedTime), "{text}: {:?}", run.ended);
    assert_all_close(&run.state, wanted, 1e-11);
    run
}

/// Two bodies side by side, with a contact between them that does not rebound.
fn pair(masses: [f64; 2], forces: [&str; 2], first: bool) -> String {
    let [m1, m2] = masses;
    let [h1, h2] = forces;
    match first {
        true => format!(
            "[mechanics]\ncoordinates = [\"a\", \"b\"]\nvelocities = [\"u\", \"v\"]\nM = {{ diagonal = [{m1}, {m2}] }}\nh = [\"{h1}\", \"{h2}\"]\n\
             [contacts.pad]\ngap = \"b - a - 1\"\nrestitution = 0\n[start]\na = 0\nb = 1\nu = 0\nv = 0\n"
        ),
        false => format!(
            "[mechanics]\ncoordinates = [\"b\", \"a\"]\nvelocities = [\"v\", \"u\"]\nM = {{ diagonal = [{m2}, {m1}] }}\nh = [\"{h2}\", \"{h1}\"]\n\
             [contacts.pad]\ngap = \"b - a - 1\"\nrestitution = 0\n[start]\nb = 1\na = 0\nv = 0\nu = 0\n"
        ),
    }
}

#[test]
fn a_closed_contact_pushes_a_body_that_friction_holds() {
    for order in [true, false] {
        let state = |a: f64, u: f64| if order { [a, a + 1.0, u, u] } else { [a + 1.0, a, u, u] };
        // 10 against 2 on masses 1 and 2, and 3 against 1 and 1.5.
        let acceleration = 8.0 / 3.0;
        assert_ends(
            &pair([1.0, 2.0], ["10", "-2*sign(v)"], order),
            5.0,
            &state(12.5 * acceleration, 5.0 * acceleration),
        );
        let slow = 0.5 / 3.0;
        assert_ends(&pair([1.0, 2.0], ["3 - sign(u)", "-1.5*sign(v)"], order), 5.0, &state(12.5 * slow, 5.0 * slow));
        // What both hold together does not move.
        assert_ends(&pair([1.0, 2.0], ["3 - sign(u)", "-2.1*sign(v)"], order), 5.0, &state(0.0, 0.0));
        assert_ends(&pair([1.0, 2.0], ["2", "-2.1*sign(v)"], order), 5.0, &state(0.0, 0.0));
        // In other units.
        assert_ends(
            &pair([1e6, 2e6], ["1e7", "-2e6*sign(v)"], order),
            5.0,
            &state(12.5 * acceleration, 5.0 * acceleration),
        );
        assert_ends(
            &pair([1e-9, 2e-9], ["1e-8", "-2e-9*sign(v)"], order),
            5.0,
            &state(12.5 * acceleration, 5.0 * acceleration),
        );
    }
}

#[test]
fn a_push_that_grows_moves_both_bodies_when_it_exceeds_what_holds_them() {
    // t pushes against 1 + 1.5: from t = 2.5 both move, 3 x'' = t - 2.5.
    let text = pair([1.0, 2.0], ["s - sign(u)", "-1.5*sign(v)"], true)
        .replace("[mechanics]", "[phase.s]\nrate = 1\nperiod = 100\n[mechanics]")
        + "s = 0\n";
    let found = run(&text, &[], &[], 5.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    let (place, speed) = (2.5_f64.powi(3) / 18.0, 2.5_f64.powi(2) / 6.0);
    for (value, wanted) in found.state.iter().zip([place, place + 1.0, speed, speed]) {
        assert_close(*value, wanted, 1e-11);
    }
}

#[test]
fn friction_of_a_contact_turns_a_disc_that_a_bearing_holds() {
    let disc = |u: &str, w: &str| {
        format!(
            "[mechanics]\ncoordinates = [\"x\", \"y\", \"a\"]\nvelocities = [\"u\", \"v\", \"w\"]\nM = {{ diagonal = [1, 1, 1] }}\nh = [0, -1, \"-0.1*sign(w)\"]\n\
             [contacts.table]\ngap = \"y\"\ntrack = \"x + a\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = 1 }}\n\
             [start]\nx = 0\ny = 0\na = 0\nu = {u}\nv = 0\nw = {w}\n"
        )
    };
    // Slip 1 - 1.9 t ends at 1/1.9; from there u = -w falls by 0.05 a second.
    let rolls = 1.0 / 1.9;
    let speed = 1.0 - rolls;
    let until = 5.0;
    let end = speed - 0.05 * (until - rolls);
    let place = 0.5 * (1.0 + speed) * rolls + 0.5 * (speed + end) * (until - rolls);
    let turned = 0.5 * speed * rolls + 0.5 * (speed + end) * (until - rolls);
    assert_close(end, 0.25, 1e-15);
    assert_ends(&disc("1", "0"), until, &[place, 0.0, -turned, end, 0.0, -end]);
    assert_ends(&disc("-1", "0"), until, &[-place, 0.0, turned, -end, 0.0, end]);
    // Until it stands, at 10 (1/1.9) + ... : rolling ends when u = 0.
    let stands = rolls + speed / 0.05;
    let found = run(&disc("1", "0"), &[], &[], stands + 5.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    assert_all_close(&found.state[3..], &[0.0; 3], 1e-12);
}

#[test]
fn a_body_with_dry_friction_rests_on_a_stop_that_does_not_rebound() {
    let stop = |force: &str, phase: &str| {
        format!(
            "{phase}[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"{force}\"]\n[contacts.left]\ngap = \"x\"\nrestitution = 0\n\
             [start]\nx = 0.1\nv = -1\n{}",
            if phase.is_empty() { "" } else { "s = 0\n" }
        )
    };
    // x = 0.1 - t + t^2/4.
    let arrives = 2.0 * (1.0 - (1.0_f64 - 0.1).sqrt());
    let found = assert_ends(&stop("-0.5 - sign(v)", ""), 5.0, &[0.0, 0.0]);
    assert_close(found.events[0].time, arrives, 1e-13);
    assert_close(arrives, 0.10263340389897, 1e-13);
    // The stop opens where the force exceeds friction: s - 1.5 > 1 at s = 2.5, and x'' = s - 2.5 then.
    let found = run(&stop("s - 1.5 - sign(v)", "[phase.s]\nrate = 1\nperiod = 100\n"), &[], &[], 5.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    assert_all_close(&found.state[..2], &[2.5_f64.powi(3) / 6.0, 2.5_f64.powi(2) / 2.0], 1e-11);
    let found = run(&stop("-0.5 + 0.1*cos(s) - sign(v)", "[phase.s]\nrate = 1\nperiod = \"2*pi\"\n"), &[], &[], 5.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    assert_eq!(found.state[..2], [0.0, 0.0]);
}

#[test]
fn a_stop_with_dry_friction_is_the_same_as_one_with_the_friction_of_a_guide() {
    // The guide is a contact that is always closed: its friction is that of sign(v).
    let forced = "[phase.s]\nrate = \"2*pi\"\nperiod = \"2*pi\"\n";
    let signed = format!(
        "{forced}[mechanics]\ncoordinates = [\"x\", \"z\"]\nvelocities = [\"v\", \"w\"]\nM = {{ diagonal = [1, 1] }}\nh = [\"8*sin(s) - 4*sign(v) - 20*(x - z)\", \"20*(x - z) - 2*sign(w)\"]\n\
         [contacts.right]\ngap = \"0.1 - z\"\nrestitution = 0\n[contacts.left]\ngap = \"0.1 + z\"\nrestitution = 0\n[start]\nx = 0\nz = 0\nv = 0\nw = 0\ns = 0\n"
    );
    let guided = format!(
        "{forced}[mechanics]\ncoordinates = [\"x\", \"z\", \"y\", \"q\"]\nvelocities = [\"v\", \"w\", \"vy\", \"vq\"]\nM = {{ diagonal = [1, 1, 1, 1] }}\n\
         h = [\"8*sin(s) - 20*(x - z)\", \"20*(x - z)\", -4, -2]\n\
         [contacts.right]\ngap = \"0.1 - z\"\nrestitution = 0\n[contacts.left]\ngap = \"0.1 + z\"\nrestitution = 0\n\
         [contacts.first]\ngap = \"y\"\ntrack = \"x\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = 1 }}\n\
         [contacts.second]\ngap = \"q\"\ntrack = \"z\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = 1 }}\n\
         [impacts]\ntogether = \"lcp\"\n[start]\nx = 0\nz = 0\ny = 0\nq = 0\nv = 0\nw = 0\nvy = 0\nvq = 0\ns = 0\n"
    );
    for until in [1.0, 1.4, 3.0, 5.0, 20.0] {
        let (one, other) = (run(&signed, &[], &[], until), run(&guided, &[], &[], until));
        assert!(matches!(one.ended, Ended::ReachedTime), "{:?}", one.ended);
        assert!(matches!(other.ended, Ended::ReachedTime), "{:?}", other.ended);
        for (a, b) in [(0, 0), (1, 1), (2, 4), (3, 5)] {
            assert!((one.state[a] - other.state[b]).abs() < 1e-9, "{until}: {:?} {:?}", one.state, other.state);
        }
    }
}

const VALLEY: &str = "[parameters]\nk = 10\nf = 3\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-k*sign(x) - f*sign(v)\"]\n[start]\nx = 1\nv = 0\n";

/// When a body in a valley comes to rest, from (x, 0): speeds at the bottom shrink by rho = sqrt((k - f)/(k + f)) in every half turn.
fn rests(k: f64, f: f64, x: f64) -> f64 {
    let rho = ((k - f) / (k + f)).sqrt();
    let speed = (2.0 * (k - f) * x).sqrt();
    (2.0 * x / (k - f)).sqrt() + speed * (1.0 / (k + f) + 1.0 / (k * k - f * f).sqrt()) / (1.0 - rho)
}

#[test]
fn a_body_comes_to_rest_in_a_valley_after_infinitely_many_turns() {
    assert_close(rests(10.0, 3.0, 1.0), 3.0891825136707, 1e-13);
    for (k, f, x) in [
        (10.0, 3.0, 1.0),
        (10.0, 1.0, 1.0),
        (10.0, 9.9, 1.0),
        (1e6, 3e5, 1.0),
        (1e-6, 3e-7, 1.0),
        (10.0, 3.0, 1e-9),
        (3.0, 1.0, -1e4),
    ] {
        let (wanted, [k, f, x]) = (rests(k, f, f64::abs(x)), [k, f, x].map(|value| format!("{value}")));
        let found = run(VALLEY, &[("k", &k), ("f", &f)], &[("x", &x)], 1.5 * wanted);
        assert!(matches!(found.ended, Ended::ReachedTime), "{k} {f} {x}: {:?}", found.ended);
        assert_eq!(found.state, [0.0, 0.0], "{k} {f} {x}");
        let ends: Vec<_> = found.events.iter().filter(|event| event.kind == EventKind::Accumulate).collect();
        assert_eq!(ends.len(), 1);
        assert_close(ends[0].end() / wanted, 1.0, 1e-12);
    }
    // It rests where it begins at rest, also without friction.
    for f in ["3", "0"] {
        let found = run(VALLEY, &[("f", f)], &[("x", "0")], 5.0);
        assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
        assert_eq!((found.state, found.events.len()), (vec![0.0, 0.0], 0));
    }
}

#[test]
fn the_end_of_the_turns_has_derivatives() {
    // By the closed form at x = 1, by central differences.
    let model =
        Model::parse(&format!("format = 1\nname = \"test\"\n{VALLEY}"), "test.toml").unwrap_or_else(|m| panic!("{m}"));
    let values = model.values(&Overrides::default()).unwrap_or_else(|m| panic!("{m}"));
    let system = System::new(&model);
    let directions = [
        Perturbation::of_state(&system, 0),
        Perturbation::of_parameter(&system, 0),
        Perturbation::of_parameter(&system, 1),
    ];
    let settings = Settings { until: 5.0, ..Settings::default() };
    let mut motion =
        Motion::with_derivatives(&system, &values, settings, &directions).unwrap_or_else(|e| panic!("{e}"));
    let mut found = None;
    while !matches!(motion.advance(), saltation_motion::Happening::Ended(_)) {
        if motion.closed().sides().slides() && found.is_none() {
            found = Some((0..3).map(|k| motion.event_derivatives().time(k)).collect::<Vec<f64>>());
        }
    }
    let h = 1e-5;
    let difference = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
    let wanted = [
        difference(&|d| rests(10.0, 3.0, 1.0 + d)),
        difference(&|d| rests(10.0 + d, 3.0, 1.0)),
        difference(&|d| rests(10.0, 3.0 + d, 1.0)),
    ];
    let found = found.expect("it comes to rest");
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-8 * wanted.abs(), "{found} {wanted}");
    }
    // Where it rests nothing depends on anything.
    for k in 0..3 {
        assert!(motion.derivatives().state(k).iter().all(|x| x.abs() < 1e-9), "{:?}", motion.derivatives().state(k));
    }
}

#[test]
fn twisting_control_ends_where_its_surfaces_meet() {
    let text =
        "[parameters]\nG = 10\nb = 0.3\n[flow]\nx = \"y\"\ny = \"-G*sign(x) - G*b*sign(y)\"\n[start]\nx = 10\ny = 10\n";
    let found = run(text, &[], &[], 20.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    assert_eq!(found.state, [0.0, 0.0]);
    let end = found.events.iter().find(|event| event.kind == EventKind::Accumulate).map(|event| event.end());
    assert_close(end.expect("it ends"), 12.264208764654, 1e-13);
    // A load that friction and the bottom hold together moves it when it exceeds both: x'' = s - 13 from s = 13.
    let loaded = "[phase.s]\nrate = 1\nperiod = 100\n[flow]\nx = \"y\"\ny = \"s - 10*sign(x) - 3*sign(y)\"\n[start]\nx = 0\ny = 0\ns = 0\n";
    let found = run(loaded, &[], &[], 15.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    assert_all_close(&found.state[..2], &[8.0 / 6.0, 2.0], 1e-11);
    let leaves = found.events.iter().find(|event| event.kind == EventKind::Leave).map(|event| event.time);
    assert_close(leaves.expect("it leaves"), 13.0, 1e-13);
}

#[test]
fn turns_accumulate_also_where_they_shrink_by_a_changing_factor() {
    // With a drag that is even in v the first integral of half a turn is known by exponentials: v^2 as a function of x. The end is compared with a run that is followed down to rounding.
    let text = "[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-10*sign(x)*(1 + x^2) - 3*sign(v) - 0.2*v\"]\n[start]\nx = 1\nv = 0\n";
    let found = run(text, &[], &[], 10.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    assert_eq!(found.state, [0.0, 0.0]);
    let end = found
        .events
        .iter()
        .find(|event| event.kind == EventKind::Accumulate)
        .map(|event| event.end())
        .expect("it ends");
    // Crossings of x = 0 from below by a fine classical Runge-Kutta method in x or v between turns, down to speeds of 1e-7, and the geometric rest.
    let rate = |x: f64, v: f64, sx: f64, sv: f64| -10.0 * sx * (1.0 + x * x) - 3.0 * sv - 0.2 * v;
    let (mut t, mut x, mut v) = (0.0, 1.0, 0.0);
    let mut crossings: Vec<(f64, f64)> = Vec::new();
    let (mut sx, mut sv) = (1.0_f64, -1.0_f64);
    for _ in 0..100 {
        // From a turn to the bottom or from the bottom to a turn: steps in time that end by Newton's method.
        let to_bottom = v == 0.0;
        let scale = if to_bottom { (2.0 * f64::abs(x) / 7.0).sqrt() } else { f64::abs(v) / 13.0 };
        let h = scale / 400.0;
        let step = |x: f64, v: f64, h: f64| {
            let (a1, b1) = (v, rate(x, v, sx, sv));
            let (a2, b2) = (v + 0.5 * h * b1, rate(x + 0.5 * h * a1, v + 0.5 * h * b1, sx, sv));
            let (a3, b3) = (v + 0.5 * h * b2, rate(x + 0.5 * h * a2, v + 0.5 * h * b2, sx, sv));
            let (a4, b4) = (v + h * b3, rate(x + h * a3, v + h * b3, sx, sv));
            (x + h * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0, v + h * (b1 + 2.0 * b2 + 2.0 * b3 + b4) / 6.0)
        };
        let passed = |x: f64, v: f64| if to_bottom { x * sx <= 0.0 } else { v * sv <= 0.0 };
        loop {
            let (x1, v1) = step(x, v, h);
            if passed(x1, v1) {
                break;
            }
            (x, v, t) = (x1, v1, t + h);
        }
        let mut last = 0.5 * h;
        for _ in 0..20 {
            let (x1, v1) = step(x, v, last);
            last -= if to_bottom { x1 / v1 } else { v1 / rate(x1, v1, sx, sv) };
        }
        (x, v) = step(x, v, last);
        t += last;
        if to_bottom {
            x = 0.0;
            sx = -sx;
            crossings.push((t, v.abs()));
        } else {
            v = 0.0;
            sv = -sv;
        }
    }
    let [.., (_, before), (time, speed)] = crossings[..] else { panic!("no crossings") };
    let rho = speed / before;
    let rest = speed * (1.0 / 13.0 + 1.0 / 91.0_f64.sqrt()) / (1.0 - rho);
    assert!(speed < 1e-5, "{speed}");
    assert_close(end, time + rest, 1e-10);
}

#[test]
fn of_stacked_contacts_the_one_whose_own_limit_is_reached_breaks_loose() {
    // The joint holds 0.5 and rubs 0.48 of the load 1; the floor holds 1.2.
    let text = "[phase.phi]\nrate = 0.1\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x0\", \"x1\", \"y0\", \"y1\"]\nvelocities = [\"u0\", \"u1\", \"w0\", \"w1\"]\n\
         M = { diagonal = [1, 1, 1, 1] }\nh = [\"0\", \"0.6*sin(phi)\", \"-1\", \"-1\"]\n\
         [contacts.floor]\ngap = \"y0\"\ntrack = \"x0\"\nrestitution = 0\nfriction = { law = \"coulomb\", mu = 0.2, mu_static = MOST }\n\
         [contacts.joint]\ngap = \"y1 - y0 - 1\"\ntrack = \"x1 - x0\"\nrestitution = 0\nfriction = { law = \"coulomb\", mu = 0.48, mu_static = 0.5 }\n\
         [impacts]\ntogether = \"lcp\"\n[start]\nx0 = 0\nx1 = 0\ny0 = 0\ny1 = 1\nu0 = 0\nu1 = 0\nw0 = 0\nw1 = 0\nphi = 0\n";
    let breaks = 10.0 * (5.0_f64 / 6.0).asin();
    let found = run(&text.replace("MOST", "0.6"), &[], &[], 12.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    assert_eq!((found.state[0], found.state[4]), (0.0, 0.0));
    let t = 12.0 - breaks;
    let speed = 6.0 * ((0.1 * breaks).cos() - (0.1_f64 * 12.0).cos()) - 0.48 * t;
    assert_close(found.state[5], speed, 1e-11);
    // A floor that holds 0.49 slips first, at 0.6 sin phi = 0.49; it rubs 0.4, and both go on together.
    let found = run(&text.replace("MOST", "0.245"), &[], &[], 10.0);
    let slips = found.events.iter().find(|event| event.kind == EventKind::Slip).expect("it slips");
    assert_close(slips.time, 10.0 * (0.49_f64 / 0.6).asin(), 1e-12);
    assert_eq!(slips.contact, Some(0));
}

#[test]
fn products_of_signs_slide_by_the_multilinear_closure() {
    let text = "[parameters]\nc = 0.5\n[flow]\nx = \"0.3 - 2*sign(x) - 0.4*sign(y)\"\ny = \"-0.1 + 0.3*sign(x) - 1.2*sign(y)\"\nr = \"1 + 0.5*sign(x) - 0.7*sign(y) + c*sign(x)*sign(y)\"\n\
         [start]\nx = 0.1\ny = -0.2\nr = 0\n";
    let found = run(text, &[], &[], 5.0);
    let began = run(text, &[], &[], 1.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    // 2 p + 0.4 q = 0.3 and 0.3 p - 1.2 q = 0.1.
    let (p, q) = (1.0 / 6.3, -11.0 / 252.0);
    assert_close((found.state[2] - began.state[2]) / 4.0, 1.0 + 0.5 * p - 0.7 * q + 0.5 * p * q, 1e-12);
    // With the product in the rates of both functions: a quadratic equation, against Newton's method.
    let text = "[flow]\nx = \"0.3 - 2*sign(x) - 0.4*sign(y) + 0.2*sign(x)*sign(y)\"\ny = \"-0.1 + 0.3*sign(x) - 1.2*sign(y) - 0.5*sign(x)*sign(y)\"\nr = \"sign(x) + 10*sign(y)\"\n\
         [start]\nx = 0\ny = 0\nr = 0\n";
    let found = run(text, &[], &[], 1.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    let (mut p, mut q) = (0.0_f64, 0.0_f64);
    for _ in 0..50 {
        let (f, g) = (0.3 - 2.0 * p - 0.4 * q + 0.2 * p * q, -0.1 + 0.3 * p - 1.2 * q - 0.5 * p * q);
        let [a, b, c, d] = [-2.0 + 0.2 * q, -0.4 + 0.2 * p, 0.3 - 0.5 * q, -1.2 - 0.5 * p];
        let determinant = a * d - b * c;
        (p, q) = (p - (f * d - g * b) / determinant, q - (a * g - c * f) / determinant);
    }
    assert_close(found.state[2], p + 10.0 * q, 1e-12);
}

/// A body on a rough floor with dry friction of its own drags another one along: neither friction alone holds it, and what couples the two is not at its limit.
#[test]
fn a_body_that_its_frictions_do_not_hold_drags_another_along() {
    let text = "[mechanics]\ncoordinates = [\"x0\", \"x1\", \"y\"]\nvelocities = [\"v0\", \"v1\", \"w\"]\nM = { diagonal = [2, 1, 1] }\n\
                h = [\"3*sign(v1 - v0)\", \"-PULL - 1.5*sign(v1) - 3*sign(v1 - v0)\", \"-5\"]\n\
                [contacts.floor]\ngap = \"y\"\ntrack = \"x1\"\nrestitution = 0\nfriction = { law = \"coulomb\", mu = 0.2 }\n\
                [start]\nx0 = 0\nx1 = 1\ny = 0\nv0 = 0\nv1 = 0\nw = 0\n";
    // 1.5 + 1 hold; what is more accelerates both masses together.
    for (pull, acceleration) in [(4.0, 0.5), (2.4, 0.0), (2.6, 0.1 / 3.0), (6.5, 4.0 / 3.0)] {
        let t = 2.0;
        let (place, speed) = (-0.5 * acceleration * t * t, -acceleration * t);
        assert_ends(&text.replace("PULL", &format!("{pull}")), t, &[place, 1.0 + place, 0.0, speed, speed, 0.0]);
    }
}

#[test]
fn contacts_of_flows_are_decided_with_switches() {
    // The pair of bodies as a flow, with the impulse of its impact written out; the contact pushes a body that its friction holds.
    let pair = |forces: [&str; 2]| {
        let [p, q] = forces;
        format!(
            "[flow]\na = \"u\"\nb = \"v\"\nu = \"{p}\"\nv = \"({q})/2\"\n[contacts.pad]\ngap = \"b - a - 1\"\njump = {{ u = \"(u + 2*v)/3\", v = \"(u + 2*v)/3\" }}\n\
             [start]\na = 0\nb = 1\nu = 0\nv = 0\n"
        )
    };
    let moves = |a: f64| [12.5 * a, 12.5 * a + 1.0, 5.0 * a, 5.0 * a];
    assert_ends(&pair(["10", "-2*sign(v)"]), 5.0, &moves(8.0 / 3.0));
    assert_ends(&pair(["3 - sign(u)", "-1.5*sign(v)"]), 5.0, &moves(0.5 / 3.0));
    assert_ends(&pair(["3 - sign(u)", "-2.1*sign(v)"]), 5.0, &moves(0.0));
    // A force that jumps on the way tears the bodies apart, or stops both.
    let apart = assert_ends(&pair(["4 - 8*step(a - 2)", "0"]), 2.0, &{
        let (time, speed) = (f64::sqrt(2.0 * 2.0 / (4.0 / 3.0)), f64::sqrt(2.0 * 2.0 * 4.0 / 3.0));
        let left = 2.0 - time;
        [2.0 + speed * left - 2.0 * left * left, 3.0 + speed * left, speed - 4.0 * left, speed]
    });
    assert!(apart.events.iter().any(|event| event.kind == EventKind::Release));
}

#[test]
fn a_force_that_just_reaches_the_limit_of_a_switch_moves_nothing() {
    // 8 sin 2t + 2 is at most 10: a body in a valley of that slope stays, whatever rounding says of the instant.
    for (force, limit) in [("8*sin(2*phi) + 2", "10"), ("0.8*sin(2*phi) + 0.2", "1"), ("8e5*sin(2*phi) + 2e5", "1e6")] {
        let text = format!(
            "[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"{force} - {limit}*sign(x) - 5*max(x, 0)\"]\n[phase.phi]\nrate = 1\nperiod = \"2*pi\"\n\
             [start]\nx = 0\nv = 0\nphi = 0\n"
        );
        let found = run(&text, &[], &[], 12.0);
        assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
        assert!(found.state[0].abs() < 1e-30 && found.state[1].abs() < 1e-15, "{:?}", found.state);
        assert!(found.events.len() < 20, "{} events", found.events.len());
    }
}

#[test]
fn contacts_may_take_part_in_crossings_that_accumulate() {
    // The body in a valley shakes another one off the floor in every turn; both come to rest at the same time. The same as bodies and as a flow.
    let end = "[contacts.floor]\ngap = \"y\"\n";
    let start = "[start]\nx = 1\nv = 0\ny = 0\nw = 0\n";
    let [p, q] = ["-10*sign(x) - 3*sign(v)", "-4 + 5*sign(x)"];
    let body = format!(
        "[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"v\", \"w\"]\nM = {{ diagonal = [1, 1] }}\nh = [\"{p}\", \"{q}\"]\n{end}restitution = 0\n{start}"
    );
    let flow = format!("[flow]\nx = \"v\"\ny = \"w\"\nv = \"{p}\"\nw = \"{q}\"\n{end}jump = {{ w = 0 }}\n{start}");
    for text in [body, flow] {
        let found = assert_ends(&text, 5.0, &[0.0; 4]);
        let ends: Vec<_> = found.events.iter().filter(|event| event.kind == EventKind::Accumulate).collect();
        assert_eq!(ends.len(), 1);
        assert_close(ends[0].end(), rests(10.0, 3.0, 1.0), 1e-12);
        assert!(found.events.iter().filter(|event| event.kind == EventKind::Impact).count() > 5);
        // At rest the second body is pressed on the floor.
        assert!(found.events.last().is_some_and(|event| event.kind == EventKind::Stick && event.contact == Some(0)));
    }
}

#[test]
fn the_speed_after_an_impact_is_that_of_the_state_after_it() {
    // One body is held by its friction when the other one strikes it, and is thrown away.
    let end = "[start]\nx = 0\ny = 1\nu = 1.5\nw = 0\n";
    let body = format!(
        "[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\nM = {{ diagonal = [1, 0.5] }}\nh = [\"-4*x\", \"-3 - 5*sign(w)\"]\n\
         [contacts.pad]\ngap = \"y - x - 1\"\nrestitution = 0.5\n{end}"
    );
    let flow = format!(
        "[flow]\nx = \"u\"\ny = \"w\"\nu = \"-4*x\"\nw = \"(-3 - 5*sign(w))/0.5\"\n\
         [contacts.pad]\ngap = \"y - x - 1\"\njump = {{ u = \"u + 0.5*(w - u)\", w = \"u\" }}\n{end}"
    );
    for text in [body, flow] {
        let found = run(&text, &[], &[], 0.01);
        let first = &found.events[0];
        assert_eq!((first.kind, first.contact), (EventKind::Impact, Some(0)));
        assert_close(first.speed_before, -1.5, 1e-15);
        assert_close(first.speed_after, 0.75, 1e-15);
        // It flies: the second body is braked by its weight and by friction, the first one by its spring.
        assert_eq!(found.events.len(), 1);
        let t = 0.01;
        assert_close(found.state[1], 1.0 + 1.5 * t - 8.0 * t * t, 1e-14);
    }
}

#[test]
fn a_contact_that_an_impact_presses_has_no_law_by_itself() {
    // A body that dry friction holds at a wall is struck by another: without a law for both contacts together the trajectory ends there.
    let end = "[start]\nx = 0\ny = 1.5\nu = 0\nw = -1\n";
    let flow = format!(
        "[flow]\nx = \"u\"\ny = \"w\"\nu = \"-2*sign(u)\"\nw = \"0\"\n[contacts.wall]\ngap = \"x\"\njump = {{ u = \"-0.5*u\" }}\n\
         [contacts.pad]\ngap = \"y - x - 1\"\njump = {{ u = \"0.5*(u + w)\", w = \"0.5*(u + w)\" }}\n{end}"
    );
    let found = run(&flow, &[], &[], 3.0);
    assert_eq!(found.ended, Ended::ContactsTogether { contacts: vec![0, 1] });
    assert_close(found.time, 0.5, 1e-14);
}

#[test]
fn a_ball_in_a_wedge_comes_to_rest_in_a_flow_too() {
    // Two walls of slope 3/4 without rebound: the ball falls on one of them, slides to the corner, and every flight from wall to wall leaves 0.28 of the speed along it.
    let text = "[flow]\nx = \"u\"\ny = \"w\"\nu = \"0\"\nw = \"-2\"\n\
        [contacts.a]\ngap = \"0.6*x + 0.8*y\"\njump = { u = \"u - 0.6*(0.6*u + 0.8*w)\", w = \"w - 0.8*(0.6*u + 0.8*w)\" }\n\
        [contacts.b]\ngap = \"-0.6*x + 0.8*y\"\njump = { u = \"u + 0.6*(-0.6*u + 0.8*w)\", w = \"w - 0.8*(-0.6*u + 0.8*w)\" }\n\
        [start]\nx = 0.3\ny = 0.8\nu = 0\nw = 0\n";
    let found = run(text, &[], &[], 3.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    assert!(found.state.iter().all(|x| x.abs() < 1e-15), "{:?}", found.state);
    // It meets b where 0.8 y = 0.18, after t^2 = 0.8 - 0.225, with 1.2 t along it, and is driven along b by 1.2.
    let (met, way) = (f64::sqrt(0.575), f64::hypot(0.3, 0.225));
    let speed = f64::sqrt((1.2 * met).powi(2) + 2.4 * way);
    let corner = met + (speed - 1.2 * met) / 1.2;
    let end = corner + 2.0 * speed / 1.2 * 0.28 / 0.72;
    let last: Vec<_> = found.events.iter().filter(|event| event.kind == EventKind::Chatter).collect();
    assert_eq!(last.len(), 1);
    assert_close(last[0].end(), end, 1e-9);
}
