//! Instants at which friction, contacts and signs hold one body together, found by random members of the adversary's family `instants`: ends by closed forms, or of bodies at rest.

use saltation_motion::{Ended, EventKind, Run};

use crate::common::{assert_all_close, assert_close, parse};

fn run(text: &str, until: f64) -> Run {
    let (system, values) = parse(&format!("format = 1\nname = \"held\"\n{text}"));
    let run = crate::common::run(&system, &values, until);
    assert_eq!(run.ended, Ended::ReachedTime, "{text}");
    run
}

/// Bodies on a line of these masses, with forces, contacts (gap, restitution), and a start.
fn bodies(masses: &[f64], h: &[&str], contacts: &[(&str, f64)], start: &[f64]) -> String {
    let n = masses.len();
    let names = |letter: &str| (0..n).map(|i| format!("\"{letter}{i}\"")).collect::<Vec<_>>().join(", ");
    let list = |items: Vec<String>| items.join(", ");
    let mut text = format!(
        "[phase.phi]\nrate = 2.0\nperiod = \"2*pi\"\n[impacts]\ntogether = \"lcp\"\n[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [{}] }}\nh = [{}]\n",
        names("x"),
        names("v"),
        list(masses.iter().map(|m| format!("{m:?}")).collect()),
        list(h.iter().map(|h| format!("\"{h}\"")).collect()),
    );
    for (k, (gap, restitution)) in contacts.iter().enumerate() {
        text += &format!("[contacts.c{k}]\ngap = \"{gap}\"\nrestitution = {restitution:?}\n");
    }
    text += "[start]\nphi = 0\n";
    for (i, value) in start.iter().enumerate() {
        let letter = if i < n { "x" } else { "v" };
        text += &format!("{letter}{} = {value:?}\n", i % n);
    }
    text
}

/// v' = -20 x - 0.4 while it moves back; the body is struck where its motion begins, and its friction does not turn.
#[test]
fn an_impact_where_a_motion_begins_leaves_nothing_at_zero() {
    let text =
        bodies(&[1.0, 1.0], &["-20*x0 - 0.5 - 0.1*sign(v0)", "0"], &[("x1 - x0 - 1", 0.5)], &[0.0, 1.0, 0.0, -1.2]);
    for together in [true, false] {
        let text = if together { text.clone() } else { text.replace("[impacts]\ntogether = \"lcp\"\n", "") };
        let (t, w) = (0.064, f64::sqrt(20.0));
        let found = run(&text, t);
        assert_eq!(found.events.len(), 1, "{:?}", found.events);
        assert_close(found.state[0], -0.02 + 0.02 * f64::cos(w * t) - 0.9 / w * f64::sin(w * t), 1e-13);
    }
}

/// A body lies on an elastic floor, and dry friction holds it; when the load exceeds that the floor holds it.
#[test]
fn a_floor_takes_over_what_dry_friction_holds() {
    for restitution in [0.0, 0.5, 1.0] {
        let text = bodies(&[1.0], &["3*cos(0.5*phi) - 2 - 1.5*sign(v0)"], &[("x0", restitution)], &[0.0, 0.0]);
        let text = text.replace("period = \"2*pi\"", "period = \"4*pi\"");
        for text in [text.replace("[impacts]\ntogether = \"lcp\"\n", ""), text] {
            let found = run(&text, 4.5);
            assert_eq!(found.state[..2], [0.0, 0.0], "e = {restitution}");
            assert!(found.events.iter().all(|event| event.kind != EventKind::Impact), "{:?}", found.events);
        }
    }
}

/// Three bodies in contact that their frictions hold: the rounding of what stands still does not grow from step to step.
#[test]
fn what_is_held_for_long_is_known_as_well_as_at_first() {
    let h = [
        "-40*x0 + 20*x1 - v0 - 10 - sign(v0)",
        "20*x0 - 40*x1 - 0.5*v1 + 3*cos(3*phi) + 45 - 2*sign(v1)",
        "-4*x2 - 2*cos(3*phi) - sign(v2)",
    ];
    let contacts = [("x1 - x0 - 1", 0.0), ("x2 - x1 - 1", 0.5)];
    let text = bodies(&[2.0, 2.0, 1.0], &h, &contacts, &[0.0, 1.0, 2.0, 0.0, 1.0, 0.0]);
    let (early, late) = (run(&text, 1.0), run(&text, 12.0));
    assert_all_close(&late.state[..3], &early.state[..3], 1e-14);
    assert_all_close(&late.state[3..6], &[0.0; 3], 1e-14);
    assert_close(early.state[0], 0.20466, 1e-5);
}

/// `abs(v)` has no jump in its rate; along v = 0 it could not slide with any multiplier, and says nothing of the sizes of others.
#[test]
fn a_body_with_quadratic_corners_turns_where_it_stops() {
    let h = [
        "-0.3 - 1.5*sign(v0 - 1) - sign(x0 - 0.5) - 5*abs(v0) + sign(v1 - v0) + sign(x1 - x0 - 1)",
        "8*cos(3*phi) - 0.5 - 4.5*sign(v1) - sign(v1 - v0) - sign(x1 - x0 - 1)",
    ];
    let text = bodies(&[1.0, 0.5], &h, &[("x1 - x0 - 1", 0.0)], &[0.0, 1.0, 0.0, 0.0]);
    let found = run(&text, 3.017);
    // By implicit steps of the inclusion.
    assert_all_close(&found.state[..4], &[0.22875, 1.22875, 0.09004, 0.09004], 3e-4);
}

#[test]
fn bodies_that_are_held_together_stay_where_they_are() {
    // A spring, friction between bodies, and a valley: after a rebound all are held at once.
    let valley = bodies(
        &[2.0, 2.0],
        &[
            "-20*x0 + 20*x1 - 22 - 0.1*sign(v0) + 3*sign(v1 - v0)",
            "20*x0 - 20*x1 + 20 - 5*sign(x1 - 1.1) - 3*sign(v1 - v0)",
        ],
        &[("x0", 0.5)],
        &[0.0, 1.1, -1.2, 0.0],
    );
    assert_all_close(&run(&valley, 3.0).state[..4], &[0.09, 1.1, 0.0, 0.0], 1e-13);
    // Both bodies are stopped by one impact, as far as rounding goes.
    let stopped = bodies(
        &[0.5, 1.0],
        &["0", "x0 - x1 - 1.5*sign(v1) + 0.5*sign(x1 - 2)"],
        &[("x1 - x0 - 1", 0.0), ("x0 - 1", 0.0)],
        &[1.0, 2.0, -1.0, -1.0],
    );
    assert_all_close(&run(&stopped, 1.5).state[..4], &[1.0, 2.0, 0.0, 0.0], 1e-13);
    // A body at rest at a wall, touched from behind and struck: wall and neighbours take part in one impact.
    let struck = bodies(
        &[1.0, 2.0, 1.0],
        &["-0.3 - 1.5*sign(v0)", "0", "-4"],
        &[("x1 - x0 - 1", 0.0), ("x2 - x1 - 1", 0.0), ("x1 - 1", 0.0)],
        &[0.0, 1.0, 2.0, 0.0, 0.0, 0.5],
    );
    assert_all_close(&run(&struck, 0.378).state[..6], &[0.0, 1.0, 2.0, 0.0, 0.0, 0.0], 1e-13);
    // Friction of a floor and a sign hold two bodies in contact: forces that are numbers alone cancel.
    let mut held = bodies(
        &[2.0, 1.0, 1.0, 1.0],
        &["-3*sign(v0)", "0", "0.1*cos(phi)", "-10"],
        &[("x1 - x0 - 1", 0.0)],
        &[0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    );
    held = held.replace(
        "[start]",
        "[contacts.floor]\ngap = \"x3\"\ntrack = \"x1\"\nfriction = { law = \"coulomb\", mu = 1.0 }\nrestitution = 0.0\n[start]",
    );
    let found = run(&held, 1.0);
    assert_all_close(&found.state[..2], &[0.0, 1.0], 1e-13);
    assert_close(found.state[2], 2.0 + 0.1 * (1.0 - f64::cos(2.0)) / 4.0, 1e-13);
}

/// A spring takes a body off a wall at the very instant at which another body strikes it: the body that flies before it is struck in turn.
#[test]
fn a_release_and_an_impact_at_one_instant_leave_no_speed_of_before() {
    let text = bodies(
        &[1.0, 1.0, 0.5],
        &["-20*x0 + 20*x1 - 19 - 2*sign(v0)", "20*x0 - 20*x1 + 20", "10 - 4*sign(v2) - 5*sign(x2 - 1.1)"],
        &[("x1 - x0 - 1", 0.0), ("x2 - x1 - 1", 0.0), ("x1 - 1.1", 0.0)],
        &[0.0, 1.1, 2.1, 2.0, 0.0, -1.0],
    );
    // Body 0 moves with the speed 2 until 0.1, where the spring has no force on body 1; both go on with half of it.
    let found = run(&text, 1.013);
    let struck: Vec<_> = found.events.iter().filter(|event| event.contact == Some(1)).collect();
    assert!(struck.len() > 1 && struck[1].kind == EventKind::Impact && struck[1].time < 0.0526, "{struck:?}");
    // By implicit steps of the inclusion.
    assert_all_close(&found.state[..6], &[0.65937, 1.65991, 3.81268, 0.35609, 0.32331, 2.74078], 1e-4);
}

/// A body that dry friction holds on two feet: one of them sticks, and with that the other stays closed without a force of its own. Its gap is rounding, and no obstacle.
#[test]
fn a_gap_that_others_keep_at_zero_is_no_obstacle() {
    for (left, right) in [(0.5, 0.1), (0.3, 0.5), (0.1, 0.3)] {
        let foot = |name: &str, gap: &str, mu: f64| {
            format!(
                "[contacts.{name}]\ngap = \"{gap}\"\nrestitution = 0\ntrack = \"x + a\"\nfriction = {{ law = \"coulomb\", mu = {mu:?} }}\n"
            )
        };
        let text = format!(
            "[mechanics]\ncoordinates = [\"x\", \"y\", \"a\", \"z\"]\nvelocities = [\"u\", \"v\", \"w\", \"s\"]\nM = {{ diagonal = [1, 1, 1, 1] }}\n\
             h = [\"-sign(u)\", -1, 0, \"-sin(z)\"]\n{}{}[impacts]\ntogether = \"lcp\"\n[start]\nx = 0\ny = 0\na = 0\nz = 0.3\nu = 0\nv = 0\nw = 0\ns = 0\n",
            foot("left", "y + 0.5*a", left),
            foot("right", "y - 0.5*a", right),
        );
        let found = run(&text, 10.0);
        assert_all_close(&found.state[..3], &[0.0; 3], 1e-14);
        assert_all_close(&found.state[4..7], &[0.0; 3], 1e-14);
    }
}
