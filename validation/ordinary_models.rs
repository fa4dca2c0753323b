//! Ordinary models, as someone writes them on a first day, against closed forms: corners within corners, events that accumulate beside switches, friction whose force begins at zero,
//! constraints on velocities, roots.

use saltation_motion::{Ended, Run};
use saltation_orbit::branch::{self, Branch, SpecialKind, Vanishing};
use saltation_orbit::{equilibrium, find};

use crate::common::{assert_all_close, assert_close, parse};

fn run(text: &str, until: f64) -> Run {
    let (system, values) = parse(&format!("format = 1\nname = \"m\"\n{text}"));
    crate::common::run(&system, &values, until)
}

/// The state at the end of a trajectory that comes to it.
fn end(text: &str, until: f64) -> Vec<f64> {
    let found = run(text, until);
    assert_eq!(found.ended, Ended::ReachedTime, "{text}");
    found.state
}

/// A branch along a parameter from an orbit that settles.
fn branch(text: &str, settle: u64, along: &str, (low, high): (f64, f64)) -> Branch {
    let (system, values) = parse(&format!("format = 1\nname = \"m\"\n{text}"));
    let settings =
        saltation_orbit::Settings { settle, ..saltation_orbit::Settings::through(system.default_section().unwrap()) };
    let orbit = find(&system, &values, &settings, &mut |_| true).orbit.unwrap();
    let following = values.along(&[along]).unwrap();
    let settings = branch::Settings::between(low, high);
    branch::follow(&system, &following, &orbit, &settings, &mut |_: usize, _: f64| true).unwrap().swap_remove(0)
}

/// Formulas that are constant where they are tried, as min(x, -0.3) for x > 0, are no multiples of each other.
#[test]
fn corners_of_formulas_that_are_partly_constant() {
    let y = |formula: &str, from: f64, until: f64| {
        end(&format!("[flow]\nx = 1\ny = \"{formula}\"\n[start]\nx = {from:?}\ny = 0\n"), until)[1]
    };
    assert_close(y("clip(min(x, -0.3), -1.8, 1.6)", -3.0, 6.0), -2.16 - 1.575 - 0.99, 1e-13);
    assert_close(y("clip(4*min(x, 0), -2, 1)", -3.0, 6.0), -5.0 - 0.5, 1e-13);
    assert_close(y("step(min(x, 0) + 1) + step(min(x, 0) + 2)", -3.0, 6.0), 5.0 + 4.0, 1e-13);
    // exp underflows at all places of the size of one.
    let [outer, inner] = [5.0_f64, 5.0 / 3.0].map(|ratio| 2.0 * (ratio.ln() / 1000.0).sqrt());
    assert_close(y("step(exp(-1000*x^2) - 0.2) + step(exp(-1000*x^2) - 0.6)", -3.0, 6.0), outer + inner, 1e-12);
    // A rope with a greatest force, under a weight: h = 2 - 1 up to x = -1/2, then a vibration of -4 x - 1.
    let rope = "[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-clip(4*min(x, 0), -2, 1) - 1\"]\n[start]\nx = -1\nv = 0\n";
    assert_all_close(&end(rope, 1.0), &[-0.5, 1.0], 1e-13);
}

/// A corner whose inner switch is another one times a number: sign(2 t - 1) is sign(t - 1/2).
#[test]
fn a_corner_around_a_multiple_of_another_switch() {
    for formula in ["max(0, t - 0.5) + max(0, min(1, 2*t - 1))", "max(0, min(1, 2*t - 1)) + max(0, t - 0.5)"] {
        // (3/2)^2/2 and 1/4 + 1.
        assert_close(end(&format!("[flow]\nx = \"{formula}\"\n[start]\nx = 0\n"), 2.0)[0], 1.125 + 1.25, 1e-13);
    }
    let both = "[flow]\nx = \"max(0, t - 1) + max(0, min(1, 2*t - 1))\"\n[start]\nx = 0\n";
    assert_close(end(both, 2.0)[0], 0.5 + 0.25 + 1.0, 1e-13);
}

/// x v passes zero with x: its rate v^2 there does not depend on the force. An oscillator about -a/k, then about a/k.
#[test]
fn a_product_passes_zero_with_the_factor_that_does() {
    for order in [["x", "v"], ["v", "x"]] {
        let rate = |name: &str| if name == "x" { "v" } else { "-1.7*sign(x*v) - 4*x" };
        let text = format!(
            "[flow]\n{} = \"{}\"\n{} = \"{}\"\n[start]\nx = 1\nv = -1\n",
            order[0],
            rate(order[0]),
            order[1],
            rate(order[1])
        );
        // x = 0.425 + 0.575 cos 2t - 0.5 sin 2t is zero at t; from there x = -0.425 + 0.425 cos 2s + v/2 sin 2s.
        let amplitude = 0.575_f64.hypot(0.5);
        let t = 0.5 * ((-0.425 / amplitude).acos() - (0.5_f64).atan2(0.575));
        let v = -2.0 * (0.575 * (2.0 * t).sin() + 0.5 * (2.0 * t).cos());
        let s: f64 = 0.3;
        let x = -0.425 + 0.425 * (2.0 * s).cos() + 0.5 * v * (2.0 * s).sin();
        let found = end(&text, t + s);
        assert_close(found[usize::from(order[0] == "v")], x, 1e-12);
    }
}

/// Bounces by an event, with a switch between them at v = 0, end where infinitely many of them do: the body never falls through the floor.
#[test]
fn events_accumulate_with_a_switch_between_them() {
    let ball = |drag: &str| {
        format!(
            "[flow]\nx = \"v\"\nv = \"-1 - {drag}\"\n[events.hit]\nwhen = \"x\"\ndirection = \"falling\"\njump = {{ v = \"-0.7*v\" }}\n[start]\nx = 1\nv = 0\n"
        )
    };
    // With friction 0.1 v^2/2 = 1.1 x up and 0.9 x down: speeds shrink by 0.7 sqrt(0.9/1.1).
    let down = (2.0_f64 / 0.9).sqrt();
    let ratio = 0.7 * (0.9_f64 / 1.1).sqrt();
    let turn = 0.7 * 0.9 * down * (1.0 / 1.1 + (1.0_f64 / (1.1 * 0.9)).sqrt());
    let found = run(&ball("0.1*sign(v)"), 20.0);
    let Ended::Accumulated { time } = found.ended else { panic!("{:?}", found.ended) };
    assert_close(time, down + turn / (1.0 - ratio), 1e-7);
    for drag in ["0.1*v*abs(v)", "0.1*max(v, 0)", "0.1*abs(v)"] {
        let found = run(&ball(drag), 20.0);
        assert!(
            matches!(found.ended, Ended::Accumulated { .. }) && found.state[0] > -1e-12,
            "{drag}: {:?}",
            found.ended
        );
    }
    // A relay by a discrete state, which is -sign(x), beside friction: one turn takes a factor of sqrt(1/3).
    let relay = "[discrete]\ns = { value = 1, values = [-1, 1] }\n[flow]\nx = \"v\"\nv = \"-s - 0.5*sign(v)\"\n\
                 [events.up]\nwhen = \"x\"\ndirection = \"rising\"\njump = { s = \"1\" }\n\
                 [events.down]\nwhen = \"x\"\ndirection = \"falling\"\njump = { s = \"-1\" }\n[start]\nx = 1\nv = 0\n";
    let found = run(relay, 12.0);
    let Ended::Accumulated { time } = found.ended else { panic!("{:?}", found.ended) };
    // The fall with 1/2 takes 2, and each half turn slows with 3/2 and returns with 1/2.
    let ratio = (1.0_f64 / 3.0).sqrt();
    assert_close(time, 2.0 + (2.0 / 3.0 + 2.0 * ratio) / (1.0 - ratio), 1e-7);
}

/// Friction whose force begins at zero while nothing slips, and nothing pulls yet, holds from there on.
#[test]
fn friction_begins_with_its_force() {
    let body = |h: &str, force: &str| {
        format!(
            "[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"{h}\"]\n[friction.brake]\ntrack = \"x\"\nforce = \"{force}\"\n[start]\nx = 0\nv = 0\n"
        )
    };
    for (h, force, v) in [
        ("0", "max(0, t - 1)", 0.0),
        ("0.5*t", "t", 0.0),
        ("0.5*max(0, t - 1)", "max(0, t - 1)", 0.0),
        // Slip begins where t^2 = t: 7/3 - 3/2 at t = 2.
        ("t^2", "t", 7.0 / 3.0 - 1.5),
        ("0.5*sin(t)", "abs(sin(t))", 0.0),
    ] {
        let until = if force.starts_with("abs") { 10.0 } else { 2.0 };
        assert_close(end(&body(h, force), until)[1], v, 1e-12);
    }
    // Two discs with a clutch that is pressed from t = 0 on: load 0.8 sin 1.3 t, of which the second takes half.
    let clutch = "[mechanics]\ncoordinates = [\"p\", \"q\"]\nvelocities = [\"u\", \"w\"]\nM = { diagonal = [1, 1] }\nh = [\"0.8*sin(1.3*t)\", \"0\"]\n\
                  [friction.c]\ntrack = \"p - q\"\nforce = \"2*t\"\n[start]\np = 0\nq = 0\nu = 0\nw = 0\n";
    let speed = 0.4 * (1.0 - (1.3_f64 * 2.0).cos()) / 1.3;
    assert_all_close(&end(clutch, 2.0)[2..4], &[speed, speed], 1e-12);
}

/// What has a static limit sticks while another friction, which has none, can give way: the bearing slips at t = 0.4, the clutch at 0.8.
#[test]
fn a_friction_without_static_limit_gives_way_first() {
    let text = "[mechanics]\ncoordinates = [\"p\", \"q\"]\nvelocities = [\"u\", \"w\"]\nM = { diagonal = [1, 1] }\nh = [\"t\", \"0\"]\n\
                [friction.g]\ntrack = \"q\"\nforce = 0.4\n[friction.c]\ntrack = \"p - q\"\nforce = 0.3\nstatic = 0.6\n[start]\np = 0\nq = 0\nu = 0\nw = 0\n";
    let sign = text.replace("\"0\"]", "\"-0.4*sign(w)\"]").replace("[friction.g]\ntrack = \"q\"\nforce = 0.4\n", "");
    for text in [text, &sign] {
        assert_all_close(&end(text, 2.0)[2..4], &[1.36, 0.0], 1e-12);
    }
}

/// A constraint on velocities whose slopes vanish at the state of the file: u^2 + w^2 = 1 holds from u = 1 on, and is singular at rest.
#[test]
fn a_constraint_with_slopes_that_vanish_in_the_file() {
    let text = "format = 1\nname = \"m\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\nM = { diagonal = [1, 1] }\nh = [0, -9.8]\n\
                [constraints.rod]\nrate = \"u^2 + w^2 - 1\"\n[start]\nx = 1\ny = 0\nu = 0\nw = 0\n";
    let model = saltation_model::Model::parse(text, "m").unwrap();
    let system = saltation_motion::System::new(&model);
    let values = model.values(&saltation_model::Overrides::default());
    assert!(values.is_err_and(|mistakes| mistakes.to_string().contains("singular")));
    let moving = saltation_model::Overrides { start: vec![("u".to_string(), "1".to_string())], ..Default::default() };
    let found = crate::common::run(&system, &model.values(&moving).unwrap(), 0.5);
    // The angle of the velocity falls with a' = -g cos a.
    assert_all_close(&found.state[2..4], &[1.0 / 4.9_f64.cosh(), -4.9_f64.tanh()], 1e-12);
}

/// A coefficient of friction that grows with the time: v(1) is the integral of 1 - 0.1 - t/2.
#[test]
fn a_coefficient_is_asked_from_the_start_on() {
    let slide = "[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"v\", \"w\"]\nM = { diagonal = [1, 1] }\nh = [\"1\", \"-1\"]\n\
                 [contacts.b]\ngap = \"y\"\ntrack = \"x\"\nrestitution = 0\nfriction = { law = \"coulomb\", mu = \"0.1 + 0.5*t\" }\n[start]\nx = 0\ny = 0\nv = 0\nw = 0\n";
    assert_close(end(slide, 1.0)[2], 0.65, 1e-12);
}

/// An empty tank fills to (q/k)^2; a rest in a valley beside another switch in the rate of its position attracts.
#[test]
fn equilibria_from_a_root_and_beside_a_second_switch() {
    let found = |text: &str| {
        let (system, values) = parse(&format!("format = 1\nname = \"m\"\n{text}"));
        equilibrium::find(&system, &values, &Default::default()).unwrap().equilibria
    };
    let tank = found("[flow]\nh = \"0.1 - 0.5*sqrt(max(h, 0))\"\n[start]\nh = 0\n");
    assert_eq!(tank.len(), 1);
    assert_close(tank[0].state[0], 0.04, 1e-14);
    assert_close(tank[0].eigenvalues[0].re, -1.25, 1e-12);
    let valley = found(
        "[flow]\np = \"-0.56*p + 0.55*q - 1.64 + 0.7*sign(q + 5)\"\nq = \"0.66*p - 0.49 - 0.71*sign(p - 0.54)\"\n[start]\np = 0.55\nq = 2.3\n",
    );
    let rest = valley.iter().find(|rest| rest.admissible && rest.state[0] == 0.54).unwrap();
    assert_close(rest.state[1], (0.56 * 0.54 + 1.64 - 0.7) / 0.55, 1e-13);
    assert!(rest.stable);
}

/// A thermostat with hysteresis: the period ln((P + a - lo)/(P + a - hi)) + .. falls to zero with hi - lo, and the orbit ends there.
#[test]
fn a_branch_ends_where_its_period_vanishes() {
    let text = "[parameters]\nlo = 3.1\nhi = 3.9\n[discrete]\non = { value = 1, values = [0, 1] }\n[flow]\nT = \"0.6*(-2.5 + 10*on - T)\"\nw = \"0.8*(T - w)\"\n\
                [events.off]\nwhen = \"T - hi\"\ndirection = \"rising\"\njump = { on = \"0\" }\n[events.heat]\nwhen = \"T - lo\"\ndirection = \"falling\"\njump = { on = \"1\" }\n\
                [sections.middle]\nwhen = \"T - 3.2\"\ndirection = \"rising\"\n[start]\nT = 3.2\nw = 3.2\n";
    let branch = branch(text, 100, "hi", (2.9, 4.4));
    assert_eq!(branch.ended[0], branch::Ended::Vanished { what: Vanishing::Period });
    assert_close(branch.value(&branch.points[0]), 3.1, 1e-7);
    assert!(branch.points.iter().all(|point| point.period > 0.0 && point.admissible));
    for point in &branch.points {
        let hi = branch.value(point);
        let period = (((7.5 - 3.1) / (7.5 - hi)).ln() + ((hi + 2.5) / (3.1 + 2.5)).ln()) / 0.6;
        assert_close(point.period, period, 1e-10);
    }
    assert_eq!(branch.special.len(), 1);
}

/// The same orbit of a relay and a wall through two sections, one of them the impacts of the wall.
#[test]
fn a_section_at_a_wall_beside_events() {
    let text = |section: &str| {
        format!(
            "[parameters]\nk = 1\n[discrete]\ns = {{ value = 1, values = [-1, 1] }}\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-k*x - 0.2*v + s\"]\n\
             [contacts.wall]\ngap = \"0.5 - x\"\nrestitution = 0.8\n[events.up]\nwhen = \"x - 0.2\"\ndirection = \"rising\"\njump = {{ s = \"-1\" }}\n\
             [events.down]\nwhen = \"x + 0.2\"\ndirection = \"falling\"\njump = {{ s = \"1\" }}\n[sections.hit]\n{section}\n[start]\nx = 0\nv = 1\n"
        )
    };
    let all = ["when = \"contact wall\"", "when = \"x\"\ndirection = \"rising\""]
        .map(|section| branch(&text(section), 100, "k", (0.8, 1.2)));
    for branch in &all {
        assert!(branch.points.iter().all(|point| point.admissible && point.stable));
        assert!(branch.ended.iter().all(|ended| matches!(ended, branch::Ended::Range { .. })));
    }
    let [low, high] = all.each_ref().map(|branch| branch.points[0].period);
    assert_close(low, high, 1e-11);
}

/// `sqrt(max(y, 0))` and `sqrt(y)` are one flow where y stays positive.
#[test]
fn branches_through_roots_are_those_of_the_motions() {
    let valve = |root: &str| {
        format!(
            "[parameters]\nk = 0.61\n[flow]\ny1 = \"y2\"\ny2 = \"-k*y2 - (y1 + 2.322) + y3\"\ny3 = \"9.564*(4.854 - y1*{root})\"\n\
             [contacts.seat]\ngap = \"y1\"\njump = {{ y2 = \"-0.75*y2\" }}\n[sections.s]\nwhen = \"y3 - 3.322\"\ndirection = \"rising\"\n[start]\ny1 = 0.5\ny2 = 0\ny3 = 2.322\n"
        )
    };
    let all = ["sqrt(max(y3, 0))", "sqrt(y3)", "sqrt(abs(y3))"].map(|root| branch(&valve(root), 150, "k", (0.6, 0.68)));
    for branch in &all {
        let [doubling] = &branch.special[..] else { panic!("{:?}", branch.special) };
        assert_eq!(doubling.kind, SpecialKind::PeriodDoubling);
        assert_close(branch.value(&doubling.point), 0.6339004504, 1e-9);
        assert!(branch.ended.iter().all(|ended| matches!(ended, branch::Ended::Range { .. })));
    }
}
