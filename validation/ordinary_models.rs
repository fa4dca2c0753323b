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

/// A wall stops one of two bodies that attract each other side by side: the other one moves on.
#[test]
fn an_impact_takes_a_motion_off_a_surface_along_which_it_slid() {
    let two = r#"
[mechanics]
coordinates = ["x0", "x1"]
velocities = ["v0", "v1"]
M = [[1, 0], [0, 1]]
h = ["2*sign(x1 - x0 - 1)", "-2*sign(x1 - x0 - 1) - sign(x1 - 1) - 2"]
[contacts.wall]
gap = "x0"
restitution = 0
[start]
x0 = 0
x1 = 1
v0 = -2
v1 = -2
"#;
    assert_all_close(&end(two, 0.1), &[0.0, 1.0 - 0.2 + 0.005, 0.0, -1.9], 1e-13);
    // Five surfaces at once: the first body rebounds with 1/2, and the others go on with -1, the last two along their common surface with (0.2 + 0.4 + 0.3)/2.
    let three = r#"
[mechanics]
coordinates = ["x0", "x1", "x2"]
velocities = ["v0", "v1", "v2"]
M = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
h = ["-0.1*sign(x0) + 0.4*sign(x1 - x0 - 1)", "-0.2*sign(x1 - 1) + 3*sign(x2 - x1 - 1) - 0.4*sign(x1 - x0 - 1)", "-0.3*sign(x2 - 2) - 3*sign(x2 - x1 - 1)"]
[contacts.wall]
gap = "x0"
restitution = 0.5
[start]
x0 = 0
x1 = 1
x2 = 2
v0 = -1
v1 = -1
v2 = -1
"#;
    let (x0, x1) = (0.15 - 0.25 * 0.09, 1.0 - 0.3 + 0.225 * 0.09);
    let (v0, v1) = (0.5 - 0.15, -1.0 + 0.135);
    assert_all_close(&end(three, 0.3), &[x0, x1, x1 + 1.0, v0, v1, v1], 1e-13);
}

/// Bodies that dry friction, pads and a switch on a position hold remain at rest where another body lands on the pads, whatever rounding its impulses leave of their speeds.
#[test]
fn an_impact_leaves_bodies_at_rest_that_are_held() {
    let held = r#"
[phase.phi]
rate = 1.0
period = "2*pi"
[mechanics]
coordinates = ["x0", "x1", "x2", "x3", "x4"]
velocities = ["v0", "v1", "v2", "v3", "v4"]
M = { diagonal = [1.0, 0.5, 1.0, 1.0, 0.5] }
h = ["0.5*cos(phi) - 0.3 - 2.0*sign(x0)", "0 - 1.0*sign(v1)", "10.0 - 1.0*sign(v2) - 10.0*sign(x2 + 0.5)", "- 10.0", "- 2.0"]
[contacts.c0]
gap = "x3"
track = "x0 + x1"
friction = { law = "coulomb", mu = 0.2 }
restitution = 0.0
[contacts.c1]
gap = "- x3 + x4 - 1.0"
track = "- x0 + x2"
friction = { law = "coulomb", mu = 1.0 }
restitution = 0.0
[impacts]
together = "lcp"
[start]
x0 = 0.0
x1 = 1.0
x2 = 2.0
x3 = 0.5
x4 = 1.5
v0 = 0.0
v1 = 0.3
v2 = 0.0
v3 = 0.0
v4 = 0.0
phi = 0
"#;
    // The second body stops after 0.15 s.
    assert_all_close(&end(held, 1.013)[..5], &[0.0, 1.0 + 0.3 * 0.15 / 2.0, 2.0, 0.0, 1.0], 1e-13);
}

/// Two bodies between walls: a gap that is small follows from others only where these are small as well.
#[test]
fn no_gap_follows_from_one_that_is_wide() {
    let walls = r#"
[phase.phi]
rate = 1.0
period = "2*pi"
[mechanics]
coordinates = ["x0", "x1", "x2"]
velocities = ["v0", "v1", "v2"]
M = { diagonal = [1.0, 1.0, 0.5] }
h = ["- x0 + x1 + 4.0 - 3.0*sign(x0 + 0.5) - 5.0*1.0*min(v0, 0)", "x0 - 21.0*x1 + 3.0*cos(phi) + 21.0 - 3.0*sign(v1)", "- 1.0"]
[contacts.c0]
gap = "- x0 + x1 - 1.0"
restitution = 0.5
[contacts.c1]
gap = "- x0 + 0.1"
restitution = 0.0
[contacts.c2]
gap = "x0"
restitution = 0.0
[contacts.c3]
gap = "- x1 + 1.1"
restitution = 1.0
[contacts.c4]
gap = "x2"
track = "x0"
friction = { law = "coulomb", mu = 0.2 }
restitution = 0.0
[impacts]
together = "lcp"
[start]
x0 = 0.0
x1 = 1.0
x2 = 0.0
v0 = 2.0
v1 = 0.3
v2 = 0.0
phi = 0
"#;
    for until in [0.88, 0.883, 0.8846, 0.9, 1.5, 2.5] {
        let state = end(walls, until);
        let gaps = [state[1] - state[0] - 1.0, 0.1 - state[0], state[0], 1.1 - state[1]];
        assert!(gaps.iter().all(|gap| *gap >= -1e-13), "{until}: {gaps:?}");
    }
    // Chattering ends beside the walls, where friction holds both.
    assert_all_close(&end(walls, 3.0)[..2], &[0.1, 1.1], 1e-7);
}

/// A friction whose force has a step in it, which is positive everywhere, and an event of time: each on its own surface.
#[test]
fn an_event_beside_a_friction_with_a_step_in_its_force() {
    let kicked = r#"
[mechanics]
coordinates = ["x"]
velocities = ["v"]
M = [[1]]
h = ["-1.5*sign(x)"]
[friction.b]
track = "x"
force = "0.5 + 0.5*step(t - 1.9)"
[events.kick]
when = "t - 2"
jump = { v = "5" }
[start]
x = 0.5
v = 0
"#;
    // Back through zero with -1 at t = 1, with 1/2 under 3/2 - 1/2, then 3/2 - 1; a kick to 5 at t = 2, through zero again, and against 3/2 + 1.
    let before = -0.17 + 0.04 + 0.0025;
    let to_zero = -10.0 + (100.0_f64 - 4.0 * before).sqrt();
    let (speed, left) = (5.0 + 0.5 * to_zero, 0.5 - to_zero);
    assert_all_close(&end(kicked, 2.5)[..2], &[speed * left - 1.25 * left * left, speed - 2.5 * left], 1e-12);
    // A force by a table that falls to zero in a straight line is no multiple of the time that is left.
    let brake = r#"
[tables.brake]
knots = [[0, 1], [2, 0]]
interpolation = "linear"
beyond = "hold"
[mechanics]
coordinates = ["x"]
velocities = ["v"]
M = [[1]]
h = ["0"]
[friction.b]
track = "x"
force = "brake(t)"
[discrete]
d = { value = 0, values = [0, 1] }
[events.e]
when = "t - 2"
jump = { d = "1" }
[start]
x = 0
v = 5
"#;
    assert_all_close(&end(brake, 2.5)[..3], &[10.0 + 2.0 / 3.0, 4.0, 1.0], 1e-12);
}

/// A load that is exactly the friction, and an impact that takes the body off the surface of an event: it moves against both.
#[test]
fn an_event_on_a_speed_that_an_impact_takes_off_zero() {
    for (friction, load) in [("[friction.b]\ntrack = \"x1\"\nforce = \"0.5\"\n", "-0.5"), ("", "-0.5 - 0.5*sign(v1)")] {
        let text = format!(
            "[mechanics]\ncoordinates = [\"x0\", \"x1\"]\nvelocities = [\"v0\", \"v1\"]\nM = [[1, 0], [0, 1]]\nh = [\"0\", \"{load}\"]\n{friction}[contacts.c]\ngap = \"x1 - x0\"\nrestitution = 1\n[events.e]\nwhen = \"v1\"\njump = {{ v0 = \"v0\" }}\n[start]\nx0 = -1\nv0 = 1\nx1 = 0\nv1 = 0\n"
        );
        assert_all_close(&end(&text, 1.5), &[0.0, 0.375, 0.0, 0.5], 1e-12);
    }
}

/// What slides up to its limit at the very end of the circle of a phase is under another load after it.
#[test]
fn a_limit_that_is_reached_where_the_phase_wraps() {
    let flow = "[phase.phi]\nrate = 1\nperiod = 2\n[flow]\nx = \"0.5*sign(sin(pi*phi))\"\ny = \"-phi - 2*sign(y)\"\n[start]\nx = 0\ny = 1\nphi = 0\n";
    assert_all_close(&end(flow, 2.75)[..2], &[0.375, 0.0], 1e-13);
    let body = "[phase.phi]\nrate = 1\nperiod = 2\n[mechanics]\ncoordinates = [\"x\", \"z\"]\nvelocities = [\"v\", \"w\"]\nM = [[1, 0], [0, 1]]\nh = [\"-phi\", \"sign(sin(pi*phi))\"]\n[friction.b]\ntrack = \"x\"\nforce = \"2\"\n[start]\nx = 0\nv = 0\nz = 0\nw = 0\nphi = 0\n";
    let state = end(body, 2.5);
    assert_all_close(&[state[0], state[2]], &[0.0, 0.0], 1e-14);
}

/// Two surfaces that hold a motion together where one of them alone does not act on its own function.
#[test]
fn a_motion_slides_along_two_surfaces_of_which_one_acts_on_the_other() {
    for (rate, until) in [("1 + y", 3.0), ("1 + x", 3.0), ("1", 3.0)] {
        let text = format!(
            "[flow]\nx = \"{rate} - 2*sign(x - y)\"\ny = \"-4*step(x) + 2*sign(x - y)\"\n[start]\nx = -0.1\ny = -0.1\n"
        );
        assert_all_close(&end(&text, until), &[0.0, 0.0], 1e-13);
    }
}

/// Multipliers and values that are zero on one side of a switch, or on one piece of a table, alone.
#[test]
fn a_multiplier_that_is_zero_before_a_step_alone() {
    let limiter = |load: &str| {
        format!(
            "[tables.load]\nknots = [[0, 0], [2, 1]]\ninterpolation = \"step\"\nbeyond = \"hold\"\n[flow]\nv = \"{load} + p\"\n[complementarity.D]\nmultiplier = \"p\"\nvalue = \"v + 1\"\n[start]\nv = -1\n"
        )
    };
    for load in ["step(t - 2)", "load(t)", "if(t < 2, 0, 1)"] {
        let load = format!("{load}{}", if load.starts_with("load") { "" } else { " + 0*load(t)" });
        assert_close(end(&limiter(&load), 3.0)[0], 0.0, 1e-13);
    }
    let beside = "[flow]\nx = \"0.5 - sign(x - 1) + i\"\ny = \"if(t < 1, -1.5, 1.5) + i\"\n[complementarity.D]\nmultiplier = \"i\"\nvalue = \"y + x\"\n[start]\nx = 2\ny = -1\n";
    assert_all_close(&end(beside, 3.0)[..2], &[1.0, 1.0], 1e-13);
}

/// A one-way clutch takes along a body that dry friction has held: after 1 m/s they share 2/3, and 1 on a mass of 3 brakes both.
#[test]
fn a_clutch_takes_along_what_has_stuck() {
    for (friction, load) in [("[friction.b]\ntrack = \"x1\"\nforce = \"1\"\n", "p"), ("", "-sign(v1) + p")] {
        let text = format!(
            "[mechanics]\ncoordinates = [\"x0\", \"x1\"]\nvelocities = [\"v0\", \"v1\"]\nM = [[2, 0], [0, 1]]\nh = [\"-p\", \"{load}\"]\n[complementarity.clutch]\nmultiplier = \"p\"\nvalue = \"v1 - v0\"\n{friction}[contacts.w]\ngap = \"x0 + 1\"\nrestitution = 1\n[start]\nx0 = 0\nv0 = -1\nx1 = 0\nv1 = 0\n"
        );
        let speed = 1.0 / 6.0;
        assert_all_close(&end(&text, 2.5), &[-0.375, 0.625, speed, speed], 1e-12);
    }
}

/// A tank that has run dry beside a body that comes to rest on a floor.
#[test]
fn a_body_lands_beside_an_empty_tank() {
    let text = "[mechanics]\ncoordinates = [\"y\", \"w\"]\nvelocities = [\"v\", \"r\"]\nM = [[1, 0], [0, 1]]\nh = [\"-1\", \"-sqrt(abs(w))*sign(w) - r\"]\n[contacts.floor]\ngap = \"y\"\nrestitution = 0.5\n[start]\ny = 1\nv = 0\nw = 0\nr = 0\n";
    let found = run(text, 6.0);
    assert_eq!(found.ended, Ended::ReachedTime);
    assert_all_close(&found.state, &[0.0; 4], 1e-14);
}
