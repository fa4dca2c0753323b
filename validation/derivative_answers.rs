//! Derivatives as answers of `simulate`: samples, event times, states and speeds at events, against differences of whole trajectories for models of the gallery, and against closed forms.

use saltation::simulation::{Run, Simulation};
use saltation::{Error, System};

/// All that can be shown of a model beside its states.
fn quantities(system: &System) -> Vec<String> {
    let model = system.model();
    let contacts = model.contacts.iter().flat_map(|one| ["gap", "force"].map(|kind| format!("{kind}:{}", one.name)));
    let reactions = model.constraints.iter().filter(|one| !one.is_redundant()).map(|one| format!("force:{}", one.name));
    let multipliers = model.complementarities.iter().map(|one| format!("multiplier:{}", one.name));
    let rates = system.state_names().iter().map(|state| format!("rate:{state}"));
    let energy = model.body.mechanics().map(|_| "energy".to_string());
    contacts.chain(reactions).chain(multipliers).chain(rates).chain(energy).collect()
}

fn followed(system: &System, until: f64, derivatives: &[String]) -> Result<Run, Error> {
    let simulation: Simulation = system.simulation().until(until).every(until / 4.0).show(quantities(system));
    simulation.derivatives(derivatives.iter().cloned()).run()
}

/// What a run says, as a list of numbers: samples, then every event with its time, its state before and after, and its speeds.
fn numbers(run: &Run) -> (Vec<f64>, Vec<(String, Vec<f64>)>) {
    let columns = run.samples.as_ref().unwrap();
    let values = columns.0[1..].iter().filter(|(name, _)| !name.starts_with("d "));
    let samples = values.flat_map(|(_, column)| column.iter().copied()).collect();
    let event = |event: &saltation::simulation::Event| {
        let place =
            [&event.contact, &event.section, &event.switch, &event.event].map(|name| name.clone().unwrap_or_default());
        let mut own = vec![event.time];
        own.extend(event.before.values().iter().chain(event.after.values()));
        own.extend([event.speed_before, event.speed_after, event.time + event.duration]);
        (format!("{:?} {place:?}", event.kind), own)
    };
    (samples, run.events.iter().map(event).collect())
}

/// Their derivatives by one name, in the same order; NaN where none is given.
fn derivatives(run: &Run, name: &str) -> (Vec<f64>, Vec<Vec<f64>>) {
    let columns = run.samples.as_ref().unwrap();
    let of = |one: String| columns.get(&format!("d {one} / d {name}")).unwrap().to_vec();
    let all = run.system.state_names().iter().cloned().chain(quantities(&run.system));
    let samples = all.flat_map(of).collect();
    let event = |event: &saltation::simulation::Event| {
        let own = event.derivatives.as_ref().unwrap();
        let at = |named: &saltation::Named| named.get(name).unwrap();
        let mut row = vec![at(&own.time)];
        row.extend(own.before.by(name).unwrap().values());
        row.extend(own.after.by(name).unwrap().values());
        let end = own.end_time.as_ref().map_or(f64::NAN, at);
        row.extend([&own.speed_before, &own.speed_after].map(|speed| speed.as_ref().map_or(f64::NAN, at)));
        row.push(end);
        row
    };
    (samples, run.events.iter().map(event).collect())
}

/// Compares all derivatives of a trajectory with central differences of fourth order: how many numbers were compared, and how many events.
fn compare(name: &str, until: f64) -> [usize; 2] {
    let system = System::gallery(name).unwrap();
    let model = system.model();
    // A start value of a constrained body does not move alone.
    let constrained = !model.constraints.is_empty();
    let mut names: Vec<String> = model.parameters.iter().map(|p| p.name.clone()).collect();
    if !constrained {
        names.extend(system.state_names().iter().map(|state| format!("start.{state}")));
    }
    let run = followed(&system, until, &names).unwrap();
    let (samples, events) = numbers(&run);
    let mut compared = [0; 2];
    for by in &names {
        let state = by.strip_prefix("start.");
        let at = |shift: f64| {
            let moved = match state {
                Some(state) => system.from_state(state, system.start().get(state).unwrap() + shift),
                None => system.with(by, system.parameter(by).unwrap() + shift),
            };
            followed(&moved.ok()?, until, &[]).ok().map(|run| numbers(&run))
        };
        let value = state.map_or_else(|| system.parameter(by), |state| system.start().get(state)).unwrap();
        let h = 2e-5 * value.abs().max(0.1);
        let [Some(a), Some(b), Some(c), Some(d)] = [-2.0 * h, -h, h, 2.0 * h].map(at) else { continue };
        let kinds = |events: &[(String, Vec<f64>)]| events.iter().map(|event| event.0.clone()).collect::<Vec<_>>();
        if [&a, &b, &c, &d].iter().any(|other| kinds(&other.1) != kinds(&events)) {
            continue;
        }
        let slope = |a: f64, b: f64, c: f64, d: f64| (8.0 * (c - b) - (d - a)) / (12.0 * h);
        let (of_samples, of_events) = derivatives(&run, by);
        let largest = of_samples.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let size = samples.iter().chain(events.iter().flat_map(|event| &event.1)).fold(0.0_f64, |m, x| m.max(x.abs()));
        let mut check = |what: String, (here, found): (f64, f64), [a, b, c, d]: [f64; 4], scale: f64| {
            // At a border the slopes of both sides differ.
            let border = ((c - here) - (here - b)).abs() > 1e-2 * (c - b).abs() + 1e-11 * size;
            if !found.is_finite() || (d - a).abs() > 0.1 * size || border {
                return;
            }
            let expected = slope(a, b, c, d);
            // What the differences leave out: that between the steps h and 2 h, and rounding.
            let unsure = (expected - (d - a) / (4.0 * h)).abs() + 1e-10 * size / h;
            let off = (found - expected).abs();
            assert!(
                off <= 1e-7 * scale.max(expected.abs()) + 2.0 * unsure,
                "{name}: {what} by {by}: {found} and {expected} +- {unsure:e}"
            );
            compared[0] += 1;
        };
        for (k, found) in of_samples.iter().enumerate() {
            check(format!("sample {k}"), (samples[k], *found), [&a, &b, &c, &d].map(|run| run.0[k]), largest);
        }
        for (e, row) in of_events.iter().enumerate() {
            let scale = row.iter().filter(|x| x.is_finite()).fold(0.0_f64, |m, x| m.max(x.abs()));
            for (k, found) in row.iter().enumerate() {
                let shown = || format!("event {e} {}, number {k}", events[e].0);
                check(shown(), (events[e].1[k], *found), [&a, &b, &c, &d].map(|run| run.1[e].1[k]), scale);
            }
        }
        compared[1] += of_events.len();
    }
    compared
}

/// Through impacts, chattering, friction, switches, resets, complementarities, constraints and phases.
#[test]
fn derivatives_of_the_gallery_are_those_of_differences() {
    for (name, until, least) in [
        ("bouncing-ball", 5.0, [1000, 150]),
        ("impact-oscillator", 30.0, [100, 7]),
        ("two-wall-oscillator", 12.0, [100, 10]),
        ("dry-friction-oscillator", 12.0, [100, 10]),
        ("belt-oscillator", 12.0, [50, 5]),
        ("bouncing-disc", 2.0, [100, 5]),
        ("relay-feedback", 6.0, [100, 5]),
        ("thermostat", 20.0, [50, 5]),
        ("buck-converter", 0.004, [50, 5]),
        ("diode-bridge", 0.03, [5000, 1000]),
        ("coupled-clutches", 3.0, [1000, 50]),
        ("impact-damper", 6.0, [100, 5]),
        ("rocking-block", 4.0, [5000, 300]),
        ("two-tones", 8.0, [50, 5]),
        ("piston-pump", 1.0, [1, 0]),
        ("rimless-wheel", 3.0, [3000, 200]),
    ] {
        let compared = compare(name, until);
        assert!(compared.iter().zip(least).all(|(count, least)| *count >= least), "{name}: {compared:?}");
    }
}

/// A ball from the height h strikes for the k-th time at t1 (1 + 2 e (1 - e^(k-1))/(1 - e)), t1 = sqrt(2 h/g), with the speed -g t1 e^(k-1), and rests after t1 (1 + e)/(1 - e).
#[test]
fn derivatives_of_a_bouncing_ball_are_those_of_the_closed_form() {
    let (g, h, e) = (9.8_f64, 1.0_f64, 0.8_f64);
    let names = ["e", "h", "g"].map(str::to_string);
    let run = followed(&System::gallery("bouncing-ball").unwrap(), 8.0, &names).unwrap();
    let first = (2.0 * h / g).sqrt();
    // By e, h and g: t1 is proportional to sqrt(h/g), and so are all times; speeds to sqrt(h g).
    let near = |found: &saltation::Named, expected: [f64; 3]| {
        for (value, expected) in found.values().iter().zip(expected) {
            assert!((value - expected).abs() <= 1e-11 * expected.abs().max(1.0), "{value} and {expected}");
        }
    };
    for (k, event) in run.events.iter().take_while(|event| event.duration == 0.0).enumerate() {
        let own = event.derivatives.as_ref().unwrap();
        let power = |n: usize| e.powi(n as i32);
        let series: f64 = (1..=k).map(power).sum();
        let slope: f64 = (1..=k).map(|n| n as f64 * power(n - 1)).sum();
        let time = first * (1.0 + 2.0 * series);
        near(&own.time, [2.0 * first * slope, 0.5 * time / h, -0.5 * time / g]);
        let speed = -g * first * power(k);
        let by_e = if k == 0 { 0.0 } else { speed * k as f64 / e };
        near(own.speed_before.as_ref().unwrap(), [by_e, 0.5 * speed / h, 0.5 * speed / g]);
        let after = -e * speed;
        near(own.speed_after.as_ref().unwrap(), [after * (k + 1) as f64 / e, 0.5 * after / h, 0.5 * after / g]);
    }
    let chatter = run.events.iter().find(|event| event.duration > 0.0).unwrap().derivatives.as_ref().unwrap();
    let end = first * (1.0 + e) / (1.0 - e);
    near(chatter.end_time.as_ref().unwrap(), [2.0 * first / (1.0 - e).powi(2), 0.5 * end / h, -0.5 * end / g]);
    let rest = run.derivatives.as_ref().unwrap();
    assert!(rest.state.0.iter().all(|(_, state)| state.values().iter().all(|x| *x == 0.0)));
}

/// Parameters of formulas, starts that follow from them, and ends that move.
#[test]
fn what_follows_from_a_parameter_follows_in_its_derivatives() {
    let text = "format = 1\nname = \"m\"\n[parameters]\na = 2\nb = \"3*a\"\n[flow]\nx = \"-b\"\n[sections.zero]\nwhen = \"x\"\n[start]\nx = \"a^2\"\n";
    let system = System::parse(text, "m.toml").unwrap();
    let names = ["a", "b", "x", "start.x"];
    let run = system.simulation().returns(1).section("zero").derivatives(names).run();
    // It is at zero at a^2/(3 a) = a/3; x counts as start.x.
    let run = run.unwrap();
    let time = run.derivatives.as_ref().unwrap().time.clone();
    for (name, expected) in names.iter().zip([1.0 / 3.0, -4.0 / 36.0, 1.0 / 6.0, 1.0 / 6.0]) {
        assert!((time.get(name).unwrap() - expected).abs() < 1e-12, "{name}: {time:?}");
    }
    assert!(run.derivatives.as_ref().unwrap().state.0.iter().all(|(_, state)| state.values()[0].abs() < 1e-12));
    // A number in the place of a formula keeps it.
    let fixed = system.with("b", 6.0).unwrap().simulation().until(0.5).derivatives(["a"]).run().unwrap();
    assert!((fixed.derivatives.as_ref().unwrap().state.by("a").unwrap().values()[0] - 4.0).abs() < 1e-12);
}

/// Beyond a graze there are no derivatives, and the event says why.
#[test]
fn a_graze_has_no_derivatives() {
    // x = cos t touches the wall at x = 1 from its start of x = -1, at t = pi.
    let text = "format = 1\nname = \"m\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-k*x\"]\n[parameters]\nk = 1\nA = 1\n[contacts.wall]\ngap = \"1 - x\"\nrestitution = 0.5\n[start]\nx = \"-A\"\nv = 0\n";
    let system = System::parse(text, "m.toml").unwrap();
    let run = system.simulation().until(4.0).derivatives(["A"]).run().unwrap();
    let graze = run.events.iter().find(|event| event.derivatives.as_ref().is_some_and(|own| own.lost.is_some()));
    let graze = graze.expect("it touches the wall");
    assert!((graze.time - std::f64::consts::PI).abs() < 1e-6);
    assert!(graze.derivatives.as_ref().unwrap().time.values()[0].is_nan());
}

/// Mistakes, each at its place.
#[test]
fn names_that_are_no_directions_are_refused() {
    let system = System::gallery("bouncing-ball").unwrap();
    for (names, told) in [
        (vec!["ee"], "the model has no parameter or state `ee`"),
        (vec!["start.e"], "the model has no parameter or state `start.e`"),
        (vec!["e", "e"], "`e` is named twice"),
        (vec![""], "the model has no parameter or state ``"),
    ] {
        let refused = system.simulation().until(1.0).derivatives(names.clone()).run().expect_err("refused");
        assert!(refused.to_string().contains(told), "{names:?}: {refused}");
    }
}

/// The state and the period of orbits, through impacts, sliding, sticking and chattering, forced and autonomous, against differences of orbits.
#[test]
fn derivatives_of_orbits_are_those_of_differences() {
    for (name, settle, returns, parameters) in [
        ("two-wall-oscillator", 300, 1, &["nu", "Delta"][..]),
        ("impact-oscillator", 400, 2, &["A", "omega"]),
        ("relay-feedback", 100, 1, &["zeta", "omega", "k"]),
        ("double-pendulum", 100, 1, &["T"]),
        ("belt-oscillator", 50, 1, &["v", "mu_k", "c"]),
        ("dry-friction-oscillator", 100, 1, &["F", "A", "w"]),
        ("woodpecker", 50, 1, &["mS", "g", "lG"]),
        ("rimless-wheel", 50, 1, &["ga", "J", "e"]),
    ] {
        let system = System::gallery(name).unwrap();
        let known: Vec<&str> = parameters.iter().copied().filter(|p| system.parameter(p).is_some()).collect();
        assert!(!known.is_empty(), "{name}");
        let search = |system: &System| system.orbit().settle(settle).returns(returns);
        let Ok(orbit) = search(&system).derivatives(known.clone()).find() else { panic!("{name} has no orbit") };
        let found = orbit.derivatives.as_ref().unwrap();
        for parameter in known {
            let value = system.parameter(parameter).unwrap();
            let h = 2e-5 * value.abs();
            let near = |system: System| {
                orbit.state.iter().fold(system, |system, (name, x)| system.from_state(name, x).unwrap())
            };
            let at = |shift: f64| {
                let moved = near(system.with(parameter, value + shift).unwrap());
                // The search begins at the first return: so it comes to the same one of them.
                moved.orbit().settle(returns - 1).returns(returns).find().unwrap()
            };
            let four = [at(-2.0 * h), at(-h), at(h), at(2.0 * h)];
            let slope = |of: &dyn Fn(&saltation::Orbit) -> f64| {
                let [a, b, c, d] = four.each_ref().map(of);
                ((8.0 * (c - b) - (d - a)) / (12.0 * h), ((c - b) / (2.0 * h) - (d - a) / (4.0 * h)).abs())
            };
            let (expected, unsure) = slope(&|orbit| orbit.period);
            let off = (found.period[parameter] - expected).abs();
            assert!(off < 1e-6 * expected.abs() + 0.1 * unsure + 1e-11 / h, "{name}: period by {parameter}: {off:e}");
            for state in system.state_names().iter() {
                let (expected, unsure) = slope(&|orbit| orbit.state[state]);
                let here = found.state.by(parameter).unwrap()[state];
                let off = (here - expected).abs();
                let largest = found.state.by(parameter).unwrap().values().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                assert!(
                    off < 1e-6 * largest + 0.1 * unsure + 1e-11 / h,
                    "{name}: {state} by {parameter}: {here} and {expected}"
                );
            }
        }
    }
}

/// Balls that touch without a force move alike: the release of a force that is rounding has no time, and derivatives pass it.
#[test]
fn derivatives_pass_bodies_that_touch_without_a_force() {
    let text = r#"
format = 1
name = "column"
impacts = { together = "lcp", law = "poisson" }
[parameters]
m = 1.6842934718023888
k = 5.565849219845677
e = 0.9
[mechanics]
coordinates = ["q0", "q1", "q2", "q3", "q4"]
velocities = ["v0", "v1", "v2", "v3", "v4"]
M = { diagonal = ["m", "m", "m", "m", "m"] }
h = ["-m*k*q0", "-m*k*q1", "-m*k*q2", "-m*k*q3", "-m*k*q4"]
[contacts]
c0 = { gap = "q1 - q0", restitution = "e" }
c1 = { gap = "q2 - q1", restitution = "e" }
c2 = { gap = "q3 - q2", restitution = "e" }
c3 = { gap = "q4 - q3", restitution = "e" }
[start]
q0 = -1
q1 = 0
q2 = 0
q3 = 0
q4 = 0
v0 = 0
v1 = 0
v2 = 0
v3 = 0
v4 = 0
"#;
    let system = System::parse(text, "column.toml").unwrap();
    let until = 1.8642845046230638;
    let run = system.simulation().until(until).derivatives(["m", "e", "k"]).run().unwrap();
    let state = &run.derivatives.as_ref().unwrap().state;
    // The first ball meets the others, which move as one of four masses, at a quarter of a period, and keeps (1 - 4 e)/5 of its speed.
    let w = system.parameter("k").unwrap().sqrt();
    let since = until - std::f64::consts::FRAC_PI_2 / w;
    let by = |name: &str| [state.by(name).unwrap()["q0"], state.by(name).unwrap()["v0"]];
    let [q, v] = by("e");
    assert!((q + 0.8 * (w * since).sin()).abs() < 1e-10 && (v + 0.8 * w * (w * since).cos()).abs() < 1e-10, "{q} {v}");
    assert_eq!(by("m"), [0.0, 0.0]);
    // With the frequency the phase since the start advances: q0 = (1 - 4 e)/5 sin(w t - pi/2).
    let [q, _] = by("k");
    let expected = (1.0 - 4.0 * 0.9) / 5.0 * (w * since).cos() * until / (2.0 * w);
    assert!((q - expected).abs() < 1e-10, "{q} {expected}");
}
