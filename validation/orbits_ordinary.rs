//! Orbits of ordinary models with friction, switches and events, against closed forms, long motions and each other.

use crate::common::{assert_all_close, assert_close, model, parse, run};
use saltation_model::Values;
use saltation_motion::{EventKind, System};
use saltation_orbit::branch::{self, Branch, SpecialKind};
use saltation_orbit::{Ended, Orbit, Search, Settings, find};

fn search(system: &System, values: &Values, change: impl Fn(&mut Settings)) -> Search {
    let mut settings = Settings::through(system.default_section().expect("the model has one"));
    change(&mut settings);
    find(system, values, &settings, &mut |_| true)
}

fn settled(system: &System, values: &Values, settle: u64) -> Orbit {
    let search = search(system, values, |settings| settings.settle = settle);
    assert_eq!(search.ended, Ended::Converged, "{}", search.ended.describe(system));
    search.orbit.unwrap()
}

/// A belt drags a mass on a spring. The section is passed in slip, and friction decides on which side of it a motion begins there.
#[test]
fn the_mass_on_a_belt_sticks_and_slips() {
    let (system, values) = model("belt");
    for settle in [0, 1, 50] {
        let orbit = settled(&system, &values, settle);
        assert_close(orbit.period, 5.922606348563, 1e-11);
        assert_eq!(orbit.signature_words(&system), ["stick:belt", "slip:belt"]);
        assert!(orbit.stable && orbit.trivial.is_some_and(|(_, error)| error < 1e-12));
    }
}

/// Newton's method comes to motions whose derivatives do not exist; the motion itself repeats after four returns.
#[test]
fn a_search_between_two_surfaces_ends() {
    let (system, values) = model("two-surfaces");
    let alone = search(&system, &values, |settings| settings.settle = 20);
    // The least number of returns, although multiples of it may miss by less.
    assert!(matches!(alone.ended, Ended::NotPeriodic { nearest: (2, miss), .. } if miss < 1e-12), "{:?}", alone.ended);
    let two = search(&system, &values, |settings| (settings.settle, settings.returns) = (20, 2));
    let orbit = two.orbit.unwrap_or_else(|| panic!("{:?}", two.ended));
    assert!(orbit.stable && orbit.residual < 1e-10);
}

/// A search that is told to stop does so, wherever it is.
#[test]
fn searches_hear_an_interruption() {
    for name in ["belt", "two-surfaces"] {
        let (system, values) = model(name);
        let settings = Settings { settle: 20, ..Settings::through(system.default_section().unwrap()) };
        let mut calls = 0;
        let all = find(&system, &values, &settings, &mut |_| {
            calls += 1;
            true
        });
        assert_ne!(all.ended, Ended::Interrupted);
        for part in [1, calls / 4, calls / 2, calls - 1] {
            let mut left = part;
            let search = find(&system, &values, &settings, &mut |_| {
                left -= 1;
                left > 0
            });
            assert_eq!(search.ended, Ended::Interrupted, "{name} after {part} of {calls}");
        }
    }
}

/// A model with discrete states but no phase is autonomous: the period is that of two exponentials, and the wall follows with the factor e^-T.
#[test]
fn the_thermostat_has_a_trivial_multiplier() {
    let (system, values) = model("thermostat-wall");
    let orbit = settled(&system, &values, 20);
    // Heating from 19 to 21 toward 30, cooling from 21 to 19 toward 10, at the rate 0.1.
    let period = 10.0 * ((11.0_f64 / 9.0).ln() + (11.0_f64 / 9.0).ln());
    assert_close(orbit.period, period, 1e-12);
    assert!(orbit.stable && !orbit.is_neutral());
    assert!(orbit.trivial.is_some_and(|(index, error)| index == 0 && error < 1e-13));
    assert_close(orbit.leading_modulus(), (-period).exp(), 1e-14);
}

fn along_the_width(name: &str) -> (System, Orbit, Branch) {
    let (system, values) = model(name);
    let values = values.along(&["d"]).unwrap();
    let orbit = settled(&system, &values, 50);
    let settings = branch::Settings::between(0.3, 0.4);
    let branch = branch::follow(&system, &values, &orbit, &settings, &mut |_, _| true).unwrap().remove(0);
    (system, orbit, branch)
}

/// Two impacts a period reverse the speed, and with it the friction: nothing is wrong with that.
#[test]
fn impacts_that_reverse_friction_are_motions() {
    let (_, orbit, branch) = along_the_width("shaken-box");
    let (_, floor, with_floor) = along_the_width("shaken-box-floor");
    assert!(orbit.stable && floor.stable);
    assert_close(orbit.state[0], floor.state[0], 1e-10);
    for branch in [&branch, &with_floor] {
        assert!(branch.points.len() > 10 && branch.points.iter().all(|point| point.admissible && point.stable));
        assert!(branch.special.is_empty());
    }
    // Each point is an orbit that a motion finds.
    for point in [branch.points.first().unwrap(), branch.points.last().unwrap()] {
        let (system, values) = model("shaken-box");
        let values = values.with_parameters(&point.parameters);
        let again = settled(&system, &values, 50);
        assert_close(again.period, point.period, 1e-10);
        assert_close(again.state[0], point.state[0], 1e-9);
        assert_close(again.state[1], point.state[1], 1e-9);
    }
}

/// x' = a x + cos phi beside y' = -y, with a phase of rate 1: the larger multiplier is e^(2 pi a) and decides, however near to 1, though volumes shrink.
#[test]
fn an_orbit_with_a_multiplier_just_above_one_is_unstable() {
    for (multiplier, stable) in
        [(0.95, true), (1.0 - 1e-9, true), (1.0 + 1e-9, false), (1.01, false), (1.05, false), (1.09, false)]
    {
        let a = f64::ln(multiplier) / std::f64::consts::TAU;
        let text = format!(
            "format = 1\nname = \"slow\"\n[phase.phi]\nrate = 1\nperiod = \"2*pi\"\n[flow]\nx = \"({a:e})*x + cos(phi)\"\n\
             y = \"x - y\"\n[start]\nx = 0.1\ny = 0\nphi = 0"
        );
        let (system, values) = parse(&text);
        let orbit = settled(&system, &values, 0);
        assert_close(orbit.leading_modulus(), multiplier, 1e-12);
        assert_eq!(orbit.stable, stable, "{multiplier}");
        assert!(!orbit.is_neutral());
    }
}

/// A box with dry friction of its own on a rough floor: while it stops both frictions hold it, and what each of them gives is one choice of many. Orbits of the branch are motions for every one of them.
#[test]
fn two_frictions_that_hold_one_body_are_no_border_of_motions() {
    let text = "format = 1\nname = \"box\"\nparameters = { d = 0.173, mu = 0.2, F = 0.1, r = 0.5, om = 2.605, A = 1.368 }\n[phase.phi]\nrate = \"om\"\nperiod = \"2*pi\"\n\
        [mechanics]\ncoordinates = [\"z\", \"y\"]\nvelocities = [\"w\", \"u\"]\nM = [[1, 0], [0, 1]]\nh = [\"A*cos(phi) - 0.5*z - F*sign(w)\", \"-1\"]\n\
        [contacts.upper]\ngap = \"d/2 - z\"\nrestitution = \"r\"\n[contacts.lower]\ngap = \"d/2 + z\"\nrestitution = \"r\"\n\
        [contacts.floor]\ngap = \"y\"\nrestitution = 0\ntrack = \"z\"\nfriction = { law = \"coulomb\", mu = \"mu\" }\n[start]\nz = 0\nw = 0.1\ny = 0\nu = 0\nphi = 0\n";
    let (system, values) = parse(text);
    let values = values.along(&["r"]).unwrap();
    let orbit = settled(&system, &values, 150);
    let settings = branch::Settings::between(0.4, 0.6);
    let branch = branch::follow(&system, &values, &orbit, &settings, &mut |_, _| true).unwrap().remove(0);
    assert!(branch.points.len() > 10);
    for point in &branch.points {
        assert!(point.admissible, "r = {}", branch.value(point));
        // The trajectory from the point comes back.
        let start = values.with_start(&point.state).with_parameters(&point.parameters);
        let settings = saltation_motion::Settings { until: point.period, ..Default::default() };
        let run = saltation_motion::Motion::new(&system, &start, settings).unwrap().run(false, |_| true);
        for i in 0..4 {
            assert_close(run.state[i], point.state[i], 1e-12);
        }
    }
}

/// A block on a rough floor between two stops without rebound, and one with dry friction of its own: while it rests on a stop, friction and stop both hold it, and what each of them gives is one choice of
/// many. The branch begins wherever the section cuts the orbit, is admissible all along, and has no borders.
#[test]
fn a_block_that_friction_holds_on_a_stop_has_branches_without_borders() {
    let stops = "[contacts.low]\ngap = \"x + e\"\nrestitution = 0\n[contacts.high]\ngap = \"d - x\"\nrestitution = 0\n";
    let head = "format = 1\nname = \"block\"\n[phase.phi]\nrate = \"om\"\nperiod = \"2*pi\"\n";
    let floor = format!(
        "{head}[parameters]\nom = 2.0\nA = 3.0\nd = 0.22\ne = 0.4\ns = 0\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\nM = [[1, 0], [0, 1]]\n\
         h = [\"A*cos(phi + s) - 0.14*u\", \"-0.7\"]\n{stops}[contacts.floor]\ngap = \"y\"\ntrack = \"x\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = 0.04 }}\n[start]\nx = 0\ny = 0\nu = 0.1\nw = 0\nphi = 0\n"
    );
    let sign = format!(
        "{head}[parameters]\nom = 1.64\nA = 2.05\nd = 0.9314\ne = 0.7901\nF = 0.3375\ns = 0\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\n\
         h = [\"A*cos(phi + s) - 0.018*v - 0.3*x - F*sign(v)\"]\n{stops}[start]\nx = 0\nv = 0.1\nphi = 0\n"
    );
    for (text, along, range, sections) in
        [(&floor, "d", (0.22, 0.49), [0.0, 0.9]), (&sign, "F", (0.3375, 0.424), [0.0, 1.45])]
    {
        let model = saltation_model::Model::parse(text, "block.toml").unwrap();
        let system = System::new(&model);
        for shift in sections {
            let set = vec![("s".to_string(), format!("{shift:?}"))];
            let values = model.values(&saltation_model::Overrides { set, start: vec![] }).unwrap();
            let values = values.along(&[along]).unwrap();
            let orbit = settled(&system, &values, 150);
            let settings = branch::Settings::between(range.0, range.1);
            let branch = branch::follow(&system, &values, &orbit, &settings, &mut |_, _| true).unwrap().remove(0);
            assert!(branch.points.len() > 10);
            assert!(branch.special.is_empty(), "{along}, s = {shift}: {:?}", branch.special);
            for point in &branch.points {
                assert!(point.admissible, "{along} = {}, s = {shift}", branch.value(point));
                let start = values.with_start(&point.state).with_parameters(&point.parameters);
                let settings = saltation_motion::Settings { until: point.period, ..Default::default() };
                let run = saltation_motion::Motion::new(&system, &start, settings).unwrap().run(false, |_| true);
                for i in 0..point.state.len() - 1 {
                    assert_close(run.state[i], point.state[i], 1e-12);
                }
            }
        }
    }
}

/// A block on a rough floor between stops without rebound. Where the section of the phase is moved away from all impacts it lies on a stop, which holds the slip that
/// friction has a direction for: neighbours do not begin to slip. An impact without restitution at each stop leaves no perturbation.
#[test]
fn an_orbit_that_rests_on_its_stops_is_superstable() {
    let text = r#"
format = 1
name = "stops"
parameters = { z = 0.06, k = 0.9, om = 0.7797, A = 0.5703, d = 0.1846, e = 0.1195, N = 1.359, mu = 0.1737 }
[phase.phi]
rate = "om"
period = "2*pi"
[mechanics]
coordinates = ["x", "y"]
velocities = ["u", "w"]
M = [[1, 0], [0, 1]]
h = ["A*cos(phi) - 2*z*u - k*x", "-N"]
[contacts.low]
gap = "x + e"
restitution = 0
[contacts.high]
gap = "d - x"
restitution = 0
[contacts.floor]
gap = "y"
track = "x"
restitution = 0
friction = { law = "coulomb", mu = "mu" }
[start]
x = 0
y = 0
u = 0.1
w = 0
phi = 0
"#;
    let (system, values) = parse(text);
    let orbit = settled(&system, &values, 100);
    let period = std::f64::consts::TAU / 0.7797;
    assert_close(orbit.period, period, 1e-13);
    assert!(orbit.stable && orbit.multipliers.iter().all(|m| (m.re, m.im) == (0.0, 0.0)), "{:?}", orbit.multipliers);
    assert_eq!(orbit.count(EventKind::Impact), 2);
    // The trajectory alone: after one period it is there again, and so is one from beside it.
    for off in [0.0, 1e-3] {
        let mut start = orbit.state.clone();
        start[2] += off;
        let run = run(&system, &values.with_start(&start), period);
        assert_all_close(&run.state[..4], &orbit.state[..4], 1e-12);
    }
}

/// A neuron that fires where v rises through 1, and a forced response that stays above: the start of the file is below. With v = v0 + Re(V exp(i phi)) the response touches the
/// threshold where I/(1 + b) = 1 + |V|, V = -i A/(1 + i om + b/(1 + i om tw)).
#[test]
fn the_side_of_an_event_is_that_of_the_orbit() {
    let (a, om, b, tw) = (0.3354_f64, 4.52_f64, -0.0601_f64, 1.5753_f64);
    let text = format!(
        r#"
format = 1
name = "fires"
parameters = {{ I = 1.1618 }}
[phase.phi]
rate = {om}
period = "2*pi"
[flow]
v = "I - v - w + {a}*sin(phi)"
w = "({b}*v - w)/{tw}"
[events.fire]
when = "v - 1"
direction = "rising"
jump = {{ v = "0.4542", w = "w + 0.2624" }}
[start]
v = 0
w = 0
phi = 0
"#
    );
    let (system, values) = parse(&text);
    let found = search(&system, &values, |settings| (settings.settle, settings.returns) = (100, 2));
    let orbit = found.orbit.unwrap_or_else(|| panic!("{:?}", found.ended));
    assert!(orbit.stable && orbit.signature.is_empty() && orbit.state[0] > 1.0);
    // The real and the imaginary part of 1 + i om + b/(1 + i om tw).
    let square = 1.0 + (om * tw).powi(2);
    let (re, im) = (1.0 + b / square, om - b * om * tw / square);
    let graze = (1.0 + b) * (1.0 + a / re.hypot(im));
    let values = values.along(&["I"]).unwrap();
    let branches = branch::follow(&system, &values, &orbit, &branch::Settings::between(0.9, 1.3), &mut |_, _| true);
    let branch = &branches.unwrap()[0];
    assert_eq!(branch.special.iter().map(|special| special.kind).collect::<Vec<_>>(), [SpecialKind::Boundary]);
    assert_close(branch.value(&branch.special[0].point), graze, 1e-11);
    for point in &branch.points {
        assert_eq!(point.admissible, branch.value(point) >= graze - 1e-11, "{}", branch.value(point));
    }
}
