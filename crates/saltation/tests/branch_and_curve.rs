//! Branches and curves: answers own their data, and invalid requests are rejected with their fields.

use saltation::{Branch, CurveSettings, Error, MotionSettings, System};

fn fields(error: Error) -> Vec<(&'static str, String)> {
    match error {
        Error::Request(list) => list.into_iter().map(|refusal| (refusal.field, refusal.help)).collect(),
        other => panic!("{other:?}"),
    }
}

fn branch() -> Branch {
    let orbit = System::gallery("ball-on-table").unwrap().orbit().find().unwrap();
    let found = orbit.continue_in("K", 0.1..=1.2).run();
    found.unwrap()
}

#[test]
fn requests_that_make_no_sense_are_refused_with_their_fields() {
    let orbit = System::gallery("ball-on-table").unwrap().orbit().find().unwrap();
    let refused = |name: &str, low: f64, high: f64| fields(orbit.continue_in(name, low..=high).run().unwrap_err());
    assert_eq!(refused("k", 0.1, 1.2), [("along", "did you mean `K`?".to_string())]);
    assert_eq!(refused("", 0.1, 1.2)[0].0, "along");
    for (low, high) in [(f64::NAN, 1.0), (0.1, f64::INFINITY), (1.2, 0.1), (0.5, 0.5), (2.0, 3.0)] {
        assert_eq!(refused("K", low, high)[0].0, "range", "{low} {high}");
    }
    let asked = orbit.continue_in("K", 0.1..=1.2);
    for step in [0.0, -1.0, 2.0, f64::NAN] {
        assert_eq!(fields(asked.clone().step(step).run().unwrap_err())[0].0, "step");
    }
    assert_eq!(fields(asked.clone().points(0).run().unwrap_err())[0].0, "points");
    assert_eq!(fields(asked.clone().at_least(1).run().unwrap_err())[0].0, "at_least");
    assert_eq!(fields(asked.clone().tolerance(f64::NAN).run().unwrap_err())[0].0, "tol");
    let nothing = orbit.search.system.orbit().continue_as(saltation::branch::Request::default());
    let missing: Vec<&str> = fields(nothing.run().unwrap_err()).into_iter().map(|(field, _)| field).collect();
    assert_eq!(missing, ["along", "range"]);
}

/// What a single orbit refuses no branch leads to: friction that holds less than it drags with.
#[test]
fn a_range_in_which_static_limits_are_below_friction_is_refused() {
    let text = "format = 1\nname = \"dry\"\nparameters = { F = 0.3, held = 0.5 }\n[phase.p]\nrate = 0.8\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\n\
                M = [[1]]\nh = [\"cos(p) - x - 0.1*v\"]\n[friction.dry]\ntrack = \"x\"\nforce = \"F\"\nstatic = \"held\"\n[start]\nx = 0\nv = 1\np = 0\n";
    let orbit = System::parse(text, "dry.toml").unwrap().orbit().settle(60).find().unwrap();
    for (name, low, high) in [("held", 0.2, 1.0), ("F", 0.2, 0.6)] {
        let Error::Request(list) = orbit.continue_in(name, low..=high).run().unwrap_err() else { panic!("{name}") };
        assert_eq!(list[0].field, "range");
        assert!(list[0].message.contains("of friction `dry` is below its force while it slips"), "{}", list[0].message);
    }
    assert!(orbit.continue_in("held", 0.3..=1.0).run().is_ok());
}

#[test]
fn curves_begin_at_special_points_that_there_are() {
    let branch = branch();
    let fold = branch.special.iter().position(|special| special.kind.name() == "fold").unwrap();
    assert_eq!(fields(branch.curve(99).unwrap_err())[0].0, "at");
    assert_eq!(fields(branch.curve_on(1, 0).unwrap_err())[0].0, "at");
    assert!(branch.figure(Some("perod")).is_err_and(|error| fields(error)[0].1.contains("`period`")));
    let curve = branch.curve(fold).unwrap();
    assert_eq!(
        fields(curve.run().unwrap_err()).iter().map(|(field, _)| *field).collect::<Vec<_>>(),
        ["along", "range"]
    );
    assert_eq!(fields(curve.clone().follow_in("K", 0.7..=0.9).run().unwrap_err())[0].0, "along");
    assert_eq!(fields(curve.clone().follow_in("e", 0.95..=0.99).run().unwrap_err())[0].0, "range");
    assert_eq!(fields(curve.clone().follow_in("e", 0.7..=f64::NAN).run().unwrap_err())[0].0, "range");
    let short = curve.follow_in("e", 0.7..=0.9).points(3).run().unwrap();
    // The same from the answer as plain data, as another program has it.
    let system = System::gallery("ball-on-table").unwrap();
    let again = system.curve_from(&branch.answer, &fold.to_string()).unwrap().follow_in("e", 0.7..=0.9).points(3);
    assert_eq!(again.run().unwrap().points, short.points);
    let other = System::gallery("impact-oscillator").unwrap();
    assert_eq!(fields(other.curve_from(&branch.answer, "0").unwrap_err())[0].0, "from");
    assert!(matches!(system.with("e", 0.7).unwrap().curve_from(&branch.answer, "0"), Err(Error::Text(_))));
}

/// A capsule on rough ground that is driven from within, by a mass that strikes it.
const CAPSULE: &str = r#"
format = 1
name = "capsule"
parameters = { gamma = 5, zeta = 0.05, P = 0.5, omega = 1, f = 0.5, d = 0.3, e = 0.7 }
phase = { phi = { rate = "omega", period = "2*pi" } }
contacts = { stop = { gap = "d - r", restitution = "e" } }
friction = { ground = { track = "x", force = "f" } }
start = { r = 0, x = 0, u = 0, v = 0, phi = 0 }
[mechanics]
coordinates = ["r", "x"]
velocities = ["u", "v"]
M = [[1, 1], [1, "1 + gamma"]]
h = ["P*cos(phi) - r - 2*zeta*u", "P*cos(phi)"]
"#;

/// The branch that begins at the first special point that is a motion beyond the start, which ends where the orbit of a simulation is.
fn goes_on(set: &[(&str, f64)], along: &str, (low, high): (f64, f64), sliding: Option<&str>) {
    let system = System::parse(CAPSULE, "test.toml").unwrap();
    let system = set.iter().fold(system, |system, (name, value)| system.with(name, *value).unwrap());
    let found = system.orbit().settle(200).find().unwrap().continue_in(along, low..=high).switch().run().unwrap();
    let at = found.special.iter().position(|one| one.contact.as_deref() == Some("ground") && one.admissible).unwrap();
    assert_eq!(found.special[at].sliding.as_deref(), sliding);
    let beyond = found.branches.iter().find(|branch| branch.parent.is_some_and(|parent| parent.special == at)).unwrap();
    let end = beyond.points.last().unwrap();
    assert!(end.admissible && (end.parameters[along] - high).abs() < 1e-12);
    let settled = system.with(along, high).unwrap().orbit().settle(300).find().unwrap();
    let speed = settled.events.iter().find(|event| event.kind.name() == "impact").unwrap().speed_before;
    assert!((end.impact_speeds[0] - speed).abs() < 1e-9, "{} {speed}", end.impact_speeds[0]);
}

/// Beyond P = 0.7424 the impact comes before the capsule has stopped; beyond omega = 1.2026 its slip reverses without a stop.
#[test]
fn stops_that_have_no_duration_any_more_are_left_out() {
    goes_on(&[], "P", (0.5, 1.0), None);
    goes_on(&[("P", 1.0)], "omega", (1.0, 1.3), Some("crossing_sliding"));
}

#[test]
fn what_begins_nowhere_is_said() {
    let system = System::parse(CAPSULE, "test.toml").unwrap().with("P", 1.0).unwrap();
    let orbit = system.orbit().settle(200).find().unwrap();
    let all = orbit.continue_in("omega", 0.9..=1.1).switch().run().unwrap();
    let graze = all.special.iter().position(|one| one.kind.name() == "graze" && one.admissible).unwrap();
    assert_eq!(all.special[graze].not_followed.as_deref(), Some("not_found"));
    let words = format!("nothing to follow at {graze}: no branch was found that begins there");
    assert!(saltation::Answered::report(&all).contains(&words));
    let virtual_ = orbit.continue_in("omega", 0.5..=1.1).run().unwrap().special.iter().position(|one| !one.admissible);
    let chosen = orbit.continue_in("omega", 0.5..=1.1).switch_at(virtual_.unwrap()).run().unwrap();
    assert_eq!(chosen.special[virtual_.unwrap()].not_followed.as_deref(), Some("virtual"));
}

#[test]
fn branches_begin_at_chosen_points_of_any_branch() {
    let orbit = System::gallery("ball-on-table").unwrap().orbit().find().unwrap();
    let asked = orbit.continue_in("K", 0.1..=1.2);
    let all = asked.clone().switch().run().unwrap();
    let doubled = all.branches.iter().position(|one| one.parent.is_some_and(|parent| parent.branch == 1)).unwrap();
    let first = all.branches[0].parent.unwrap().special;
    let second = all.branches[doubled].parent.unwrap().special;
    // The second one is on a branch that begins at the first one, whichever is asked for first.
    for chosen in
        [asked.clone().switch_at(first).switch_at_of(1, second), asked.clone().switch_at_of(1, second).switch_at(first)]
    {
        let found = chosen.run().unwrap();
        assert_eq!(found.branches[0].points, all.branches[0].points);
        assert_eq!(found.branches.last().unwrap().points, all.branches[doubled].points);
    }
    assert_eq!(fields(asked.clone().switch_at_of(1, 0).run().unwrap_err())[0].0, "switch_at");
    assert_eq!(fields(asked.switch_at(99).run().unwrap_err())[0].0, "switch_at");
    // As they are typed, one or several.
    let read = |json: &str| serde_json::from_str::<saltation::branch::Request>(json).map(|request| request.switch_at);
    let typed = read(r#"{ "switch_at": [0, "2:1", [3, 4]] }"#).unwrap();
    assert_eq!(typed.iter().map(|at| (at.branch, at.special)).collect::<Vec<_>>(), [(0, 0), (2, 1), (3, 4)]);
    assert_eq!(read(r#"{ "switch_at": 5 }"#).unwrap()[0].special, 5);
    assert!(read(r#"{ "switch_at": "2:x" }"#).is_err_and(|error| error.to_string().contains("BRANCH:INDEX")));
}

/// Of a jump that puts one discrete state in the place of the other no perturbation is left: its derivative is none.
#[test]
fn orbits_whose_jumps_flip_a_discrete_state_are_followed() {
    let text = r#"
format = 1
name = "flip"
parameters = { c = 0.2, F = 0.5, k = 0.3 }
phase = { phi = { rate = "1", period = "2*pi" } }
discrete = { on = { value = 0, values = [0, 1] } }
events = { turn = { when = "v", jump = { on = "1 - on" } } }
start = { x = 0.1, v = 0.2, phi = 0 }
[mechanics]
coordinates = ["x"]
velocities = ["v"]
M = [[1]]
h = ["-c*v - (1 + k*on)*x + F*cos(phi)"]
"#;
    let orbit = System::parse(text, "test.toml").unwrap().orbit().settle(100).find().unwrap();
    let branch = orbit.continue_in("F", 0.2..=2.0).run().unwrap();
    assert_eq!((branch.ends[0].ended.as_str(), branch.ends[1].ended.as_str()), ("range", "range"));
    // The equations are homogeneous in F: the multipliers are those of the orbit, one for each state that flows.
    for point in &branch.points {
        assert_eq!(point.multipliers.len(), orbit.multipliers.len());
        let pairs = point.multipliers.iter().zip(&orbit.multipliers);
        assert!(pairs.into_iter().all(|(a, b)| (a.re - b.re).abs().max((a.im - b.im).abs()) < 1e-9));
    }
}

/// States of a branch are printed with the rounding of their gaps, -3e-15 where the ball lies on the table: searches begin there as trajectories do.
#[test]
fn searches_begin_at_states_of_a_branch() {
    let text = r#"
format = 1
name = "ball"
parameters = { K = 0.4006, e = 0.3943, K2 = 0.2353 }
[phase.phi]
rate = 1
period = "2*pi"
[mechanics]
coordinates = ["x"]
velocities = ["v"]
M = [[1]]
h = [-1]
[contacts.table]
gap = "x - K*sin(phi) - K2*sin(2*phi)"
restitution = "e"
[start]
x = 0.9006
v = 0
phi = 0
"#;
    let system = System::parse(text, "ball.toml").unwrap();
    let branch = system.orbit().settle(100).find().unwrap().continue_in("e", 0.335..=0.45).run().unwrap();
    let admissible: Vec<_> = branch.points.iter().filter(|point| point.admissible).collect();
    assert!(admissible.iter().any(|point| point.state["x"] < 0.0));
    for point in admissible.iter().step_by(3) {
        let at = system.with("e", point.parameters["e"]).unwrap();
        let at = at.from_state("x", point.state["x"]).unwrap().from_state("v", point.state["v"]).unwrap();
        at.simulation().until(1.0).run().unwrap();
        let orbit = at.orbit().find().unwrap();
        assert!((orbit.period - point.period).abs() < 1e-10 && orbit.stable == point.stable);
        at.lyapunov().settle(0).returns(10).run().unwrap();
    }
}
