//! Rounding at rest: coordinates that contacts keep at zero decide no step, and what rounding leaves in a printed state is nothing where it is a start. Against
//! the same bodies without the coordinate, and closed forms.

use crate::common::{assert_all_close, assert_close, of_kind, parse, run, run_with};
use saltation_motion::{Ended, EventKind, Settings};

/// A pendulum on a cart on the floor, which M couples to the height: the height and its velocity stay at zero, and what rounding leaves in their series decides
/// no step. With y = 0 the angle is that of a plain pendulum.
#[test]
fn a_coordinate_that_a_contact_keeps_at_zero_decides_no_step() {
    let tail = "[contacts.floor]\ngap = \"y\"\nrestitution = 0\n";
    let head = "format = 1\nname = \"cart\"\n";
    for (p, w) in [(2.0, -1.0), (0.3, 1.0), (1.1, 0.2), (-0.7, 2.5)] {
        let coupled = format!(
            "{head}[mechanics]\ncoordinates = [\"p\", \"y\"]\nvelocities = [\"w\", \"v\"]\nM = [[1, \"0.5*sin(p)\"], [\"0.5*sin(p)\", 2]]\n\
             h = [\"-9.81*sin(p)\", \"-9.81\"]\n{tail}[start]\np = {p}\ny = 0\nw = {w}\nv = 0\n"
        );
        let plain = format!("{head}[flow]\np = \"w\"\nw = \"-9.81*sin(p)\"\n[start]\np = {p}\nw = {w}\n");
        let (system, values) = parse(&plain);
        let exact = run_with(&system, &values, Settings { until: 30.0, tolerance: 1e-13, ..Settings::default() });
        let (system, values) = parse(&coupled);
        for tolerance in [1e-6, 1e-9, 1e-12, 1e-13] {
            let run = run_with(&system, &values, Settings { until: 30.0, tolerance, ..Settings::default() });
            assert_eq!(run.ended, Ended::ReachedTime, "{p} {w} {tolerance:e}");
            assert_eq!(run.closed.iter().count(), 1);
            // Errors grow with the time, and those of a pendulum that turns over with its square.
            assert_close(run.state[0], exact.state[0], 1e4 * tolerance + 1e-10);
        }
    }
    // The same by its energy, with friction in the pendulum alone, and driven: forces along x are not felt by the floor.
    let cart = format!(
        "{head}[phase.t]\nrate = 7\nperiod = \"2*pi\"\n[lagrangian]\ncoordinates = [\"x\", \"y\", \"p\"]\nvelocities = [\"u\", \"v\", \"w\"]\n\
         L = \"u^2 + v^2 + ((u + w*cos(p))^2 + (v + w*sin(p))^2)/4 - 9.81*(2*y + 0.5*(y - cos(p)))\"\ndissipation = \"0.05*w^2/2\"\n\
         forces = {{ x = \"4.8*cos(t)\" }}\n{tail}[start]\nx = 0\ny = 0\np = 0.1485\nu = -0.3726\nv = 0\nw = 0.0207\nt = 0\n"
    );
    // Without the height: the same pendulum on a rail.
    let rail = cart.replace("\"x\", \"y\", \"p\"", "\"x\", \"p\"").replace("\"u\", \"v\", \"w\"", "\"u\", \"w\"");
    let rail = rail
        .replace("u^2 + v^2", "u^2")
        .replace("(v + w*sin(p))", "(w*sin(p))")
        .replace("2*y + 0.5*(y - cos(p))", "-0.5*cos(p)");
    let rail = rail.replace(tail, "").replace("y = 0\n", "").replace("v = 0\n", "");
    let (on_rail, values) = parse(&rail);
    let exact = run_with(&on_rail, &values, Settings { until: 30.0, ..Settings::default() });
    assert_eq!(exact.ended, Ended::ReachedTime);
    let (system, values) = parse(&cart);
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let run = run_with(&system, &values, Settings { until: 30.0, tolerance, ..Settings::default() });
        assert_eq!(run.ended, Ended::ReachedTime, "{tolerance:e}");
        assert_close(run.state[2], exact.state[1], 1e4 * tolerance + 1e-9);
    }
}

/// States that were printed are starts: a gap, a slip and an opening speed of 1e-33 and 1e-49 are rounding although nothing else in the model is small.
#[test]
fn what_rounding_leaves_in_a_printed_state_is_nothing() {
    let bar = "format = 1\nname = \"bar\"\n[phase.t]\nrate = 1\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\", \"p\"]\n\
         velocities = [\"u\", \"v\", \"w\"]\nM = { diagonal = [1, 1, 1] }\n\
         h = [\"9.81*sin(0.4) + 1.993441*cos(t)\", \"-9.81*cos(0.4)\", \"1.993441*sin(t)\"]\n[impacts]\ntogether = \"lcp\"\nlaw = \"poisson\"\n\
         [contacts.l]\ngap = \"y - sin(p) - 0.6*cos(p)\"\ntrack = \"x - cos(p) + 0.6*sin(p)\"\nrestitution = 0.3\n\
         friction = { law = \"coulomb\", mu = 0.5, mu_static = 0.65 }\n\
         [contacts.r]\ngap = \"y + sin(p) - 0.6*cos(p)\"\ntrack = \"x + cos(p) + 0.6*sin(p)\"\nrestitution = 0.3\n\
         friction = { law = \"coulomb\", mu = 0.5, mu_static = 0.65 }\n[start]\nx = 0\ny = 0.6\np = 0\nu = 0\nv = 0\nw = 0\nt = 0.925\n";
    let (system, values) = parse(bar);
    for tiny in [0.0, 2e-49, -1e-40, 3e-33] {
        let start = [-0.09, 0.6, 2.4e-18 * f64::from(tiny != 0.0), 1.7 * tiny, 0.3 * tiny, 0.8 * tiny, 0.925];
        let stuck = run(&system, &values.with_start(&start), 1.575);
        assert_eq!(stuck.ended, Ended::ReachedTime, "{tiny:e}");
        assert_close(stuck.state[0], -0.09, 1e-15);
        assert!(of_kind(&stuck, EventKind::Impact).is_empty(), "{tiny:e}");
    }
    // A block on the floor that is pulled along, from one side of the floor and from the other.
    let block = "format = 1\nname = \"block\"\n[phase.t]\nrate = 3\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\n\
         velocities = [\"u\", \"v\"]\nM = { diagonal = [1, 1] }\nh = [\"-3*x + 5.8*cos(t)\", \"-9.81\"]\n[contacts.floor]\ngap = \"y\"\ntrack = \"x\"\n\
         restitution = 0\nfriction = { law = \"coulomb\", mu = 0.2 }\n[start]\nx = 0.5\ny = 0\nu = -0.9\nv = 0\nt = 3.75\n";
    let (system, values) = parse(block);
    let exact = run(&system, &values, 2.0);
    for tiny in [-8e-33, 5e-33, -1e-50, 1e-50] {
        let again = run(&system, &values.with_start(&[0.5, tiny, -0.9, 0.1 * tiny, 3.75]), 2.0);
        assert_eq!(again.ended, Ended::ReachedTime, "{tiny:e}");
        assert_all_close(&again.state[..1], &exact.state[..1], 1e-12);
        assert_eq!(again.events.len(), exact.events.len(), "{tiny:e}");
    }
    // A start as far inside as it can be seen is refused.
    assert!(
        saltation_motion::Motion::new(&system, &values.with_start(&[0.5, -1e-9, -0.9, 0.0, 3.75]), Settings::default())
            .is_err()
    );
}

/// However long a motion is asked for: a ball that is dropped from 1e-5, and one that is thrown up with 0.05, make their impacts.
#[test]
fn how_long_a_motion_may_take_says_nothing_of_its_start() {
    for (height, speed) in [(1e-5_f64, 0.0_f64), (0.0, 0.05)] {
        let text = format!(
            "format = 1\nname = \"ball\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\nM = [[1, 0], [0, 1]]\n\
             h = [0, -9.81]\n[contacts.floor]\ngap = \"y\"\ntrack = \"x\"\nrestitution = 0.5\nfriction = {{ law = \"coulomb\", mu = 0.3 }}\n\
             [start]\nx = 0\ny = {height:e}\nu = 0\nv = {speed:e}\n"
        );
        let (system, values) = parse(&text);
        let first = (speed + (speed * speed + 2.0 * 9.81 * height).sqrt()) / 9.81;
        for until in [1.0, 1e6, 1e12] {
            let run = run_with(&system, &values, Settings { until, ..Settings::default() });
            assert_eq!(run.ended, Ended::ReachedTime, "{until:e}");
            assert_close(of_kind(&run, EventKind::Impact)[0].time, first, 1e-12);
        }
    }
}
