//! Orbits, branches and equilibria that are none: what chattering leaves of a motion, states that run away, corners, points behind a border of friction.

use saltation_motion::Settings as Running;
use saltation_orbit::branch::{self, Branch};
use saltation_orbit::{Ended, equilibrium, find};

use crate::common::{assert_close, parse, run_with};

fn text(body: &str) -> String {
    format!("format = 1\nname = \"m\"\n{body}")
}

fn searched(body: &str, settle: u64) -> Ended {
    let (system, values) = parse(&text(body));
    let section = system.default_section().expect("the model has one");
    let settings = saltation_orbit::Settings { settle, ..saltation_orbit::Settings::through(section) };
    find(&system, &values, &settings, &mut |_| true).ended
}

/// Bounces that shrink by a ratio, and crossings that shrink without one, close ever better and are no orbits.
#[test]
fn motions_that_come_to_rest_are_no_orbits() {
    let apex = "[sections.apex]\nwhen = \"v\"\ndirection = \"falling\"\n[start]\n";
    let models = [
        format!(
            "[flow]\ny = \"v\"\nv = -9.81\n[events.bounce]\nwhen = \"y\"\ndirection = \"falling\"\njump = {{ v = \"-0.8*v\" }}\n{apex}y = 1\nv = 0.1\n"
        ),
        format!(
            "[mechanics]\ncoordinates = [\"y\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [-9.81]\n[contacts.f]\ngap = \"y\"\nrestitution = 0.8\n{apex}y = 1\nv = 0.1\n"
        ),
        format!("[flow]\nx = \"v\"\nv = \"-sign(x) - 0.4*sign(v)\"\n{apex}x = 1\nv = 0.1\n"),
        format!("[flow]\nx = \"v\"\nv = \"-sign(x) - 0.4*v\"\n{apex}x = 1\nv = 0.1\n"),
    ];
    for model in models {
        for settle in [5, 10, 20] {
            let ended = searched(&model, settle);
            assert!(matches!(ended, Ended::AtRest { .. }), "{model} {settle}: {ended:?}");
        }
    }
}

/// A sampled loop with too large a gain: x goes to -1.5 x with every sample, and does not rest where Newton's method comes to rest.
#[test]
fn a_loop_that_runs_away_is_not_at_rest() {
    let model = |gain: f64| {
        format!(
            "[phase.s]\nrate = 1\nperiod = 1\n[flow]\nx = \"u\"\nu = 0\n[events.sample]\nwhen = \"s - 0.5\"\ndirection = \"rising\"\njump = {{ u = \"-{gain}*x\" }}\n[start]\nx = 0.3\nu = 0\ns = 0\n"
        )
    };
    for gain in [2.0, 2.5] {
        let ended = searched(&model(gain), 20);
        assert!(matches!(ended, Ended::NotPeriodic { .. }), "{gain}: {ended:?}");
    }
}

/// An output that flips with every sample of a fast clock repeats after two of them, however little the continuous state differs.
#[test]
fn a_discrete_state_is_part_of_an_orbit() {
    let model = "[phase.s]\nrate = 100\nperiod = 1\n[flow]\nx = \"293 + on - x\"\n[discrete]\non = { value = 1, values = [-1, 1] }\n[events.sample]\nwhen = \"s - 0.5\"\ndirection = \"rising\"\njump = { on = \"-on\" }\n[start]\nx = 293\ns = 0\n";
    let (system, values) = parse(&text(model));
    let section = system.default_section().expect("the phase");
    let settings =
        saltation_orbit::Settings { settle: 4000, returns: 2, ..saltation_orbit::Settings::through(section) };
    let orbit = find(&system, &values, &settings, &mut |_| true).orbit.expect("an orbit");
    assert_close(orbit.period, 0.02, 1e-12);
    assert_close(orbit.multipliers[0].re, f64::exp(-0.02), 1e-9);
}

/// Linear fields without an equilibrium, sliding beyond all bounds, a two-fold at which no combination of the fields vanishes, and falling bodies that a corner would hold.
#[test]
fn fields_without_an_equilibrium_have_none() {
    let none = |body: &str, mode: &str| {
        let (system, values) = parse(&text(body));
        let settings = equilibrium::Settings::default();
        let found = equilibrium::find(&system, &values, &settings).expect("a search");
        let named = |rest: &&equilibrium::Equilibrium| system.mode_name(rest.closed).contains(mode);
        let wrong: Vec<_> = found.equilibria.iter().filter(named).filter(|rest| rest.admissible).collect();
        assert!(wrong.is_empty(), "{body}: {wrong:?}");
    };
    none("[flow]\nx = \"-0.5*x - y - 1.5\"\ny = \"x + 2*y - 2\"\n[start]\nx = 1\ny = 0.2\n", "");
    none(
        "[flow]\nx = \"if(x > 0.5, -1.5*x + y + 2, -0.5*x + y + 2)\"\ny = \"if(x > 0.5, -1.5*x + 0.5*y + 0.5, -1.5*x + 2*y - 1)\"\n[start]\nx = -1\ny = 1\n",
        "slide",
    );
    none(
        "[flow]\nx = \"if(x > 0, 1.5*x + 1.5*y + 2, 2*x - 1.5*y - 2)\"\ny = \"if(x > 0, -x - 0.5*y + 1, -x + 0.5*y + 1)\"\n[start]\nx = 1\ny = 0.2\n",
        "slide",
    );
    none(
        "[mechanics]\ncoordinates = [\"x0\", \"x1\"]\nvelocities = [\"v0\", \"v1\"]\nM = [[1, 0], [0, 1]]\nh = [\"-3 - 4*max(0, x0 - x1 + 1)\", \"-2 + 4*max(0, x0 - x1 + 1)\"]\n[start]\nx0 = 0\nv0 = 0\nx1 = 0\nv1 = 0\n",
        "",
    );
}

/// A saddle of one side that lies on the surface: trajectories leave it there, and what slides towards it is not stable.
#[test]
fn an_equilibrium_at_a_boundary_is_stable_on_both_sides_or_not_at_all() {
    let body = "[flow]\nx = \"if(x > 0, 2*x - 0.5*y - 1.5, 2*x - 0.5*y + 2)\"\ny = \"-2*x - 0.5*y + 2\"\n[start]\nx = -1\ny = 1\n";
    let (system, values) = parse(&text(body));
    let found = equilibrium::find(&system, &values, &equilibrium::Settings::default()).expect("a search");
    let here: Vec<_> = found.equilibria.iter().filter(|rest| (rest.state[1] - 4.0).abs() < 1e-9).collect();
    assert!(here.len() == 2 && here.iter().all(|rest| !rest.stable), "{here:?}");
}

fn followed(body: &str, (settle, returns): (u64, u64), along: &str, (low, high): (f64, f64)) -> Branch {
    let (system, values) = parse(&text(body));
    let section = system.default_section().expect("the phase");
    let settings = saltation_orbit::Settings { settle, returns, ..saltation_orbit::Settings::through(section) };
    let orbit = find(&system, &values, &settings, &mut |_| true).orbit.expect("an orbit");
    let following = values.along(&[along]).unwrap();
    let settings = branch::Settings::between(low, high);
    branch::follow(&system, &following, &orbit, &settings, &mut |_: usize, _: f64| true).unwrap().swap_remove(0)
}

/// By how much the trajectory from a printed state misses it after the printed period, in the coordinate x.
fn misses(body: &str, along: &str, point: &branch::BranchPoint) -> f64 {
    let (system, values) = parse(&text(body));
    let values = values.along(&[along]).unwrap().with_parameters(&point.parameters).with_start(&point.state);
    let run = run_with(&system, &values, Running { until: point.period, ..Running::default() });
    let x = system.state_names().iter().position(|name| name == "x").unwrap();
    (run.state[x] - point.state[x]).abs()
}

/// A block on a shaken rough floor: where an impact or chattering ends its slip, the static limit, or the impulses within the sequence, say what follows. Points that are called
/// admissible are those from which the trajectory comes back.
#[test]
fn branches_with_friction_are_those_of_the_trajectories() {
    let floor = |w: f64,
                 b: f64,
                 e: f64,
                 (mu, limit): (f64, f64),
                 (k, c): (f64, f64),
                 (a, belt, tilt): (f64, f64, f64)| {
        format!(
            "[parameters]\nw = {w:?}\nB = {b:?}\ne = {e:?}\n[phase.phi]\nrate = \"w\"\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\nM = [[1, 0], [0, 1]]\nh = [\"-{k}*x - {c}*u + {a}*cos(phi) + {tilt}\", \"-1\"]\n[contacts.floor]\ngap = \"y - B*sin(phi)\"\ntrack = \"x\"\nbelt = \"{belt}\"\nrestitution = \"e\"\nfriction = {{ law = \"coulomb\", mu = {mu}, mu_static = {limit} }}\n[start]\nx = 0.1\ny = 0.5\nu = 0\nv = 0\nphi = 0\n"
        )
    };
    let cases = [
        (floor(1.5, 1.333333, 0.0, (0.5, 0.65), (0.5, 0.1), (1.0, -0.3, 0.2)), (60, 1), "w", (1.2, 1.6), 1.3927),
        (floor(1.5, 0.666667, 0.3, (0.5, 0.8), (1.0, 0.2), (0.0, 0.5, 0.0)), (100, 1), "e", (0.2, 0.42), 0.2555),
        (floor(1.0, 1.5, 0.3, (0.5, 0.5), (4.0, 0.05), (1.0, 1.0, 0.2)), (60, 1), "B", (1.125, 1.95), 1.5403),
    ];
    for (body, settle, along, range, border) in cases {
        let found = followed(&body, settle, along, range);
        let at = |point: &branch::BranchPoint| found.value(point);
        let admissible: Vec<_> = found.points.iter().filter(|point| point.admissible).collect();
        assert!(admissible.len() > 5, "{along}: {} points", admissible.len());
        // The border itself counts as admissible.
        for point in admissible.iter().filter(|point| (at(point) - border).abs() > 1e-3) {
            let miss = misses(&body, along, point);
            assert!(miss < 1e-5, "{along} = {}: {miss:e}", at(point));
        }
        let virtual_ones = found.points.iter().filter(|point| !point.admissible);
        let nearest = virtual_ones.map(|point| (at(point) - border).abs()).fold(f64::INFINITY, f64::min);
        assert!(nearest < 0.1, "{along}: no point beside the border {border} is virtual, the nearest {nearest}");
        let specials = found.special.iter().any(|special| (at(&special.point) - border).abs() < 1e-3);
        assert!(specials, "{along}: no border at {border}");
    }
}
