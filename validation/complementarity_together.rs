//! Complementarities beside switches, friction and contacts: what holds a body in one direction lets go as soon as others push it away, by closed forms.

use saltation_motion::{Ended, Run};

use crate::common::{assert_all_close, assert_close, parse};

fn run(text: &str, until: f64) -> Run {
    let (system, values) = parse(&format!("format = 1\nname = \"ratchet\"\n{text}"));
    let run = crate::common::run(&system, &values, until);
    assert_eq!(run.ended, Ended::ReachedTime, "{text}");
    run
}

/// The same with a state that is not linear, so that steps are those of Taylor series.
fn both_flows(text: &str, section: &str, until: f64) -> [Run; 2] {
    let wave = text.replace(section, &format!("{section}\nq = \"0.1*sin(q)\"")).replace("[start]", "[start]\nq = 1");
    [run(text, until), run(&wave, until)]
}

/// Two bodies of mass one on a line; the one named by `ratchet` moves forwards only.
fn bodies(h: [&str; 2], ratchet: &str, others: &str, start: [f64; 4]) -> String {
    let [x, y, u, v] = start;
    format!(
        "[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\nM = {{ diagonal = [1, 1] }}\nh = [\"{}\", \"{}\"]\n\
         [complementarity.ratchet]\nmultiplier = \"i\"\nvalue = \"{ratchet}\"\n{others}[start]\nx = {x:?}\ny = {y:?}\nu = {u:?}\nv = {v:?}\n",
        h[0], h[1]
    )
}

/// v' = 2 up to the limit 1/2, which holds v until the drive turns at t = 1; then v' = -2.
#[test]
fn a_limiter_lets_go_where_its_drive_turns() {
    let text = "[flow]\nv = \"2 - 4*step(t - 1) - i\"\n[complementarity.o]\nmultiplier = \"i\"\nvalue = \"0.5 - v\"\n[start]\nv = 0\n";
    for found in both_flows(text, "[flow]", 3.0) {
        assert_close(found.state[found.state.len() - 2], -3.5, 1e-12);
    }
    let phase = text.replace("step(t - 1)", "step(phi - 1)");
    let phase = format!("[phase.phi]\nrate = 1.0\nperiod = 4\n{phase}phi = 0\n");
    assert_close(run(&phase, 3.0).state[0], -3.5, 1e-12);
}

/// v' = 4 to the limit 1/2, at t = 1/8; the body passes x = 1/2 with it, where the force turns to -6.
#[test]
fn a_limiter_lets_go_where_its_body_crosses_a_surface() {
    let text = "[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-1 - 5*sign(x - 0.5) - i\"]\n\
                [complementarity.o]\nmultiplier = \"i\"\nvalue = \"0.5 - v\"\n[start]\nx = 0\nv = 0\n";
    let found = run(text, 1.0);
    // 1/32 up to the limit, x = 1/2 at 1/8 + 15/16; x is there at t = 17/16 only, so one second is before it.
    assert_close(found.state[0], 1.0 / 32.0 + 0.5 * 7.0 / 8.0, 1e-13);
    let found = run(text, 1.1);
    let t = 1.1 - 17.0 / 16.0;
    assert_all_close(&found.state, &[0.5 + 0.5 * t - 3.0 * t * t, 0.5 - 6.0 * t], 1e-12);
}

/// Where slip turns at t = 1/6 friction pushes the ratchet forwards.
#[test]
fn a_ratchet_lets_go_where_slip_turns() {
    let text = bodies(["i - 1 - 2*sign(u - v)", "4 - 2*sign(v - u)"], "u", "", [0.0, 0.0, 0.0, -1.0]);
    let found = run(&text, 1.0);
    let t = 5.0 / 6.0;
    assert_close(found.state[2], t, 1e-12);
    assert_close(found.state[0], 0.5 * t * t, 1e-12);
    assert_close(found.state[3], 2.0 * t, 1e-12);
}

/// A body that touches from behind pushes it with (4 - 1)/2, from the start or where it comes; before that the load 4 takes it over the distance 1.
#[test]
fn a_contact_pushes_a_ratchet() {
    let contact = "[contacts.c]\ngap = \"x - y\"\nrestitution = 0\n";
    let at_once = bodies(["i - 1", "4"], "u", contact, [0.0; 4]);
    let found = run(&at_once, 3.0);
    assert_all_close(&found.state, &[6.75, 6.75, 4.5, 4.5], 1e-12);
    let later = bodies(["i - 1", "4"], "u", contact, [0.0, -1.0, 0.0, 0.0]);
    let found = run(&later, 3.0);
    let t0 = f64::sqrt(0.5);
    let (u, t) = (2.0 * t0, 3.0 - t0);
    let (x, v) = (u * t + 0.75 * t * t, u + 1.5 * t);
    assert_all_close(&found.state, &[x, x, v, v], 1e-11);
}

/// The impulse of a ratchet is not negative: a body that is struck from behind goes on with the other, or as an equal ball does; struck from the front it stands.
#[test]
fn an_impact_opens_a_ratchet_or_is_taken_by_it() {
    let struck = |restitution: f64, start| {
        let contact = format!("[contacts.c]\ngap = \"y - x\"\nrestitution = {restitution:?}\n");
        bodies(["0", "-1 + i"], "v", &contact, start)
    };
    // Both at 1, then -1/2 on both up to rest at x = 1; as an equal ball 2 and -1, up to rest at y = 2.
    let behind = [-1.0, 0.0, 2.0, 0.0];
    assert_all_close(&run(&struck(0.0, behind), 3.0).state, &[1.0, 1.0, 0.0, 0.0], 1e-12);
    assert_all_close(&run(&struck(1.0, behind), 3.0).state, &[0.0, 2.0, 0.0, 0.0], 1e-12);
    // The other way round the ratchet holds: x comes to rest at it, or leaves as from a wall.
    let front = |restitution: f64| {
        let contact = format!("[contacts.c]\ngap = \"x - y\"\nrestitution = {restitution:?}\n");
        bodies(["0", "-1 + i"], "v", &contact, [1.0, 0.0, -2.0, 0.0])
    };
    assert_all_close(&run(&front(0.0), 3.0).state, &[0.0, 0.0, 0.0, 0.0], 1e-12);
}

/// A wheel with a ratchet slips on a floor, up to t = 2/5; then it rolls, and the floor pushes it forwards with 1/6: u' = 1/3.
#[test]
fn a_ratchet_lets_go_where_stick_begins() {
    let text = "[mechanics]\ncoordinates = [\"x\", \"y\", \"a\"]\nvelocities = [\"u\", \"v\", \"w\"]\nM = { diagonal = [2, 2, 1] }\nh = [\"0.5 + i\", -4, -0.5]\n\
                [contacts.floor]\ngap = \"y\"\ntrack = \"x + a\"\nrestitution = 0\nfriction = { law = \"coulomb\", mu = 0.5 }\n\
                [complementarity.ratchet]\nmultiplier = \"i\"\nvalue = \"u\"\n[start]\nx = 0\ny = 0\na = 0\nu = 0\nv = 0\nw = 1\n";
    let found = run(text, 3.0);
    assert_close(found.state[0], 2.6 * 2.6 / 6.0, 1e-12);
}

/// A disc between a stop and a ratchet that both hold it, on a braked cart: at rest for ever, and soon computed.
#[test]
fn a_stop_and_a_ratchet_hold_a_body() {
    let text = "[phase.phi]\nrate = 2.0\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x0\", \"x1\", \"x2\", \"x3\"]\nvelocities = [\"v0\", \"v1\", \"v2\", \"v3\"]\n\
                M = { diagonal = [1, 1, 1, 1] }\nh = [\"sin(phi) + i4\", -1, 0, \"-1 - 2*sign(v3)\"]\n\
                [contacts.c1]\ngap = \"x1\"\nrestitution = 0\ntrack = \"x0 + x2 - x3\"\nfriction = { law = \"coulomb\", mu = 0.5 }\n\
                [contacts.c3]\ngap = \"- x0\"\nrestitution = 0\n[complementarity.o4]\nmultiplier = \"i4\"\nvalue = \"v0\"\n[impacts]\ntogether = \"lcp\"\n\
                [start]\nx0 = 0\nx1 = 0\nx2 = 0\nx3 = 0\nv0 = 0\nv1 = 0\nv2 = 0\nv3 = 0\nphi = 0\n";
    let found = run(text, 8.0);
    assert_all_close(&found.state[..8], &[0.0; 8], 1e-13);
    assert!(found.events.len() < 60, "{} events", found.events.len());
}
