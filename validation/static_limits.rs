//! Static limits where several frictions hold one body: it rests exactly as long as forces within all limits exist, by closed forms and by the vertices of the polyhedron of these forces.

use crate::common::{assert_all_close, assert_close};
use saltation_model::{Model, Overrides};
use saltation_motion::{Ended, EventKind, Motion, Run, Settings, System};
use saltation_numerics::dense::{Elimination, Matrix};
use saltation_numerics::random::of_pair;

fn run(text: &str, until: f64) -> Run {
    let model =
        Model::parse(&format!("format = 1\nname = \"test\"\n{text}"), "test.toml").unwrap_or_else(|m| panic!("{m}"));
    let values = model.values(&Overrides::default()).unwrap_or_else(|m| panic!("{m}"));
    let settings = Settings { until, ..Settings::default() };
    Motion::new(&System::new(&model), &values, settings).unwrap_or_else(|e| panic!("{e}")).run(false, |_| true)
}

/// A friction: how its slip is made of the velocities of the bodies, and its forces of slip and of stick.
#[derive(Debug, Clone)]
struct Held {
    track: Vec<f64>,
    force: f64,
    limit: f64,
    /// Whether it is that of a contact, pressed by a weight of its own; else dry friction without a contact.
    pressed: bool,
}

/// Bodies of mass 1 under loads times a factor, which frictions hold.
fn model(loads: &[f64], held: &[Held], factor: &str, more: &str) -> String {
    let n = loads.len();
    let pads = held.iter().filter(|held| held.pressed).count();
    let names = |letter: &str| {
        let bodies = (0..n).map(|i| format!("{letter}{i}"));
        bodies.chain((0..pads).map(|k| format!("{letter}p{k}"))).collect::<Vec<_>>()
    };
    let quoted = |names: &[String]| names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let (x, v) = (names("x"), names("v"));
    let mut forces: Vec<String> = loads.iter().map(|load| format!("({factor})*({load})")).collect();
    forces.extend((0..pads).map(|_| "-10".to_string()));
    let start = x.iter().chain(&v).map(|name| format!("{name} = 0\n")).collect::<String>();
    let ones = vec!["1"; n + pads].join(", ");
    let mut text = format!(
        "{more}[start]\n{start}{}[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [{ones}] }}\nh = [{}]\n[impacts]\ntogether = \"lcp\"\n",
        if more.is_empty() { "" } else { "s = 0\n" },
        quoted(&x),
        quoted(&v),
        quoted(&forces)
    );
    let mut pad = 0;
    for (k, held) in held.iter().enumerate() {
        let track = held.track.iter().enumerate().map(|(i, c)| format!("({c})*x{i}")).collect::<Vec<_>>().join(" + ");
        if held.pressed {
            text += &format!(
                "[contacts.c{k}]\ngap = \"xp{pad}\"\ntrack = \"{track}\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = {}, mu_static = {} }}\n",
                held.force / 10.0,
                held.limit / 10.0
            );
            pad += 1;
        } else {
            text += &format!("[friction.f{k}]\ntrack = \"{track}\"\nforce = {}\nstatic = {}\n", held.force, held.limit);
        }
    }
    text
}

/// Three frictions hold two bodies: the first, the second, and one between them.
fn triangle(pressed: [bool; 3]) -> Vec<Held> {
    let tracks = [[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]];
    let own = |(track, pressed): ([f64; 2], bool)| Held { track: track.to_vec(), force: 1.0, limit: 1.5, pressed };
    tracks.into_iter().zip(pressed).map(own).collect()
}

#[test]
fn bodies_rest_as_long_as_some_forces_within_all_limits_hold_them() {
    // The load on the first body is carried by its own friction, and through the one between them by that of the second: 1.5 + 1.5 at most.
    for pressed in [[false; 3], [true; 3], [true, false, false], [false, true, false], [false, false, true]] {
        let held = triangle(pressed);
        for load in [0.5, 1.7, 2.3, 2.9, 2.999] {
            let run = run(&model(&[load, 0.0], &held, "1", ""), 2.0);
            assert!(matches!(run.ended, Ended::ReachedTime), "{pressed:?} {load}: {:?}", run.ended);
            assert!(run.state.iter().all(|x| *x == 0.0), "{pressed:?} {load}: {:?}", run.state);
        }
        // Beyond it the first body slips at both, and the second is held: x'' = 3.001 - 1 - 1.
        let run = run(&model(&[3.001, 0.0], &held, "1", ""), 2.0);
        assert!(matches!(run.ended, Ended::ReachedTime), "{pressed:?}: {:?}", run.ended);
        assert_close(run.state[0], 2.0 * 1.001, 1e-12);
        assert_close(run.state[1], 0.0, 1e-12);
    }
}

#[test]
fn a_growing_load_moves_bodies_when_it_exceeds_what_all_limits_can_hold() {
    // 2 + t exceeds 3 at t = 1; then x'' = t - 1 + 1 with x''(1) = 1.
    for pressed in [[false; 3], [true; 3], [false, true, false]] {
        let run = run(&model(&[1.0, 0.0], &triangle(pressed), "2 + s", "[phase.s]\nrate = 1\nperiod = 100\n"), 2.0);
        assert!(matches!(run.ended, Ended::ReachedTime), "{pressed:?}: {:?}", run.ended);
        assert_close(run.state[0], 0.5 + 1.0 / 6.0, 1e-10);
        assert_close(run.state[1], 0.0, 1e-12);
        let begins = run.events.iter().rfind(|event| matches!(event.kind, EventKind::Slip | EventKind::Leave));
        let time = begins.map_or(f64::NAN, |event| event.time);
        assert_close(time, 1.0, 1e-12);
    }
}

/// Whether forces within all limits hold the loads: a vertex of their polyhedron has as many forces inside as there are bodies, and all others at their limits.
fn can_rest(loads: &[f64], held: &[Held]) -> bool {
    let (n, m) = (loads.len(), held.len());
    let inside = |set: usize| -> Vec<usize> { (0..m).filter(|k| set >> k & 1 == 1).collect() };
    (0..1_usize << m).filter(|set| set.count_ones() as usize == n).map(inside).any(|free| {
        let bound: Vec<usize> = (0..m).filter(|k| !free.contains(k)).collect();
        let matrix = Matrix::from_fn(n, n, |i, j| held[free[j]].track[i]);
        let mut elimination = Elimination::default();
        if elimination.factor(&matrix).is_err() {
            return false;
        }
        (0..1_usize << bound.len()).any(|signs| {
            let mut left = loads.to_vec();
            for (at, &k) in bound.iter().enumerate() {
                let force = if signs >> at & 1 == 1 { held[k].limit } else { -held[k].limit };
                left.iter_mut().zip(&held[k].track).for_each(|(load, w)| *load -= force * w);
            }
            elimination.solve_in_place(&mut left).is_ok()
                && free.iter().zip(&left).all(|(&k, force)| force.abs() <= held[k].limit * (1.0 + 1e-12))
        })
    })
}

/// A random system: two or three bodies, and more frictions than bodies, some of contacts.
fn drawn(seed: u64) -> (Vec<f64>, Vec<Held>) {
    let mut count = 0;
    let mut next = |least: f64, most: f64| {
        count += 1;
        least + (most - least) * of_pair(seed, count, 0x0057_a71c)
    };
    let n = if next(0.0, 1.0) < 0.6 { 2 } else { 3 };
    let loads: Vec<f64> = (0..n).map(|_| (next(-2.0, 2.0) * 4.0).round() / 4.0).collect();
    let mut held: Vec<Held> = Vec::new();
    while held.len() < n + 1 + usize::from(next(0.0, 1.0) < 0.3) {
        let track: Vec<f64> = (0..n).map(|_| next(-1.4, 1.4).round()).collect();
        let parallel = |other: &Held| {
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            let share = dot(&track, &other.track).powi(2);
            share >= 0.999 * dot(&track, &track) * dot(&other.track, &other.track)
        };
        // Two along one track are one, with the sums of their forces.
        if track.iter().all(|w| *w == 0.0) || held.iter().any(parallel) {
            continue;
        }
        let force = (next(0.2, 1.5) * 10.0).round() / 10.0;
        let limit = force * if next(0.0, 1.0) < 0.3 { 1.0 } else { (next(1.1, 2.0) * 10.0).round() / 10.0 };
        held.push(Held { track, force, limit, pressed: next(0.0, 1.0) < 0.5 });
    }
    (loads, held)
}

/// How many of so many random systems do not begin to move where, and only where, forces within all limits do not exist.
fn wrong(members: u64) -> Vec<String> {
    let mut found = Vec::new();
    for seed in 0..members {
        let (loads, held) = drawn(seed);
        let scaled = |factor: f64| loads.iter().map(|load| factor * load).collect::<Vec<f64>>();
        if loads.iter().all(|load| *load == 0.0) || can_rest(&scaled(1e3), &held) {
            continue;
        }
        let (mut least, mut most) = (0.0, 1e3);
        for _ in 0..60 {
            let middle = 0.5 * (least + most);
            if can_rest(&scaled(middle), &held) { least = middle } else { most = middle }
        }
        // Loads that nothing holds are no test of limits.
        if least == 0.0 {
            continue;
        }
        for (factor, rests) in [(0.5 * least, true), (0.98 * least, true), (1.02 * least, false)] {
            let text = model(&scaled(factor), &held, "1", "");
            let run = run(&text, 0.1);
            let moves = run.state.iter().any(|x| x.abs() > 1e-9);
            // Beyond the limits it may be open which of them give way.
            let is_open = !rests && matches!(run.ended, Ended::NotUnique { .. });
            if !is_open && (!matches!(run.ended, Ended::ReachedTime) || moves == rests) {
                found.push(format!("{seed} at {factor} of {least}: {:?} {:?}\n{text}", run.ended, run.state));
            }
        }
    }
    found
}

#[test]
fn random_bodies_rest_exactly_where_forces_within_all_limits_exist() {
    let wrong = wrong(60);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
#[ignore = "takes minutes"]
fn thousand_random_bodies_rest_exactly_where_forces_within_all_limits_exist() {
    let wrong = wrong(1000);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// One of the adversary: friction at 4 to 4.5 of a contact whose kinetic limit is 3, with signs of a velocity and of a position and two other contacts on the same bodies.
#[test]
fn a_contact_at_its_static_limit_holds_together_with_signs_and_stops() {
    let text = r#"
[phase.phi]
rate = 6.0
period = "2*pi"
[mechanics]
coordinates = ["x0", "x1", "x2", "x3"]
velocities = ["v0", "v1", "v2", "v3"]
M = { diagonal = [2.0, 2.0, 2.0, 2.0] }
h = ["- 6.0*x0 + 5.0*x1 - v0 - 5.3 - 1.5*sign(v0) - 5.0*sign(x0) + 3.0*sign(- v0 + v1)", "5.0*x0 - 5.0*x1 + 6.0 - 1.0*sign(v1 - 1.0) - 3.0*sign(- v0 + v1)", "- v2 - 2.0*cos(phi) - 2.0 - 4.0*sign(v2 - 0.5)", "- 10.0"]
[contacts.c0]
gap = "- x0 + x1 - 1.0"
restitution = 0.0
[contacts.c1]
gap = "- x1 + x2 - 1.0"
restitution = 0.0
[contacts.c2]
gap = "x3"
track = "x1 + x2"
friction = { law = "coulomb", mu = 0.3, mu_static = 0.45 }
restitution = 0.0
[impacts]
together = "lcp"
[start]
x0 = 0.0
x1 = 1.0
x2 = 2.0
x3 = 0.0
v0 = 0.0
v1 = 0.0
v2 = 0.0
v3 = 0.0
phi = 0
"#;
    let run = run(text, 1.013);
    assert!(matches!(run.ended, Ended::ReachedTime), "{:?}", run.ended);
    assert_all_close(&run.state[..8], &[0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-14);
}
