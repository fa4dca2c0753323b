//! Sketches show what the model says: parts touch exactly where gaps are zero, walls move with parameters, and what has no place is left out.

use saltation::layers::draw::Figure;
use saltation::layers::model::Model;
use saltation::sketch::{Frames, Link, Shape, time_refusals};
use saltation::{Error, EventKind, System, gallery};

/// What touches.
#[derive(Clone, Copy)]
enum Body {
    /// The first, second, ... disc.
    Disc(usize),
    /// The nearest corner of a polygon.
    Polygon(usize),
    /// A point.
    Point(&'static str),
}
use Body::{Disc, Point, Polygon};

/// A contact, the part that touches, and the ends of what it touches. Who walks from the first to the second has free space on the left.
type Touch = (&'static str, Body, &'static str, &'static str);

/// Every contact of every model of the gallery that has a sketch.
const TOUCHES: &[(&str, &[Touch])] = &[
    ("bouncing-ball", &[("ground", Disc(0), "left", "right")]),
    ("impact-oscillator", &[("wall", Polygon(0), "w1", "w2")]),
    ("forced-oscillator", &[("stop", Polygon(0), "w1", "w2")]),
    ("double-pendulum", &[("wall", Disc(2), "W1", "W2")]),
    ("double-pendulum-mechanics", &[("wall", Disc(2), "W1", "W2")]),
    ("ball-on-table", &[("table", Disc(0), "left", "right")]),
    (
        "two-wall-oscillator",
        &[("upper", Polygon(0), "u1", "u2"), ("lower", Polygon(0), "l1", "l2"), ("lower", Polygon(0), "l3", "l4")],
    ),
    ("impact-damper", &[("left", Disc(0), "g", "f"), ("right", Disc(0), "e", "d")]),
    ("coco-impact", &[("stop", Polygon(0), "w1", "w2")]),
    ("relief-valve", &[("seat", Polygon(0), "l0", "l1"), ("seat", Polygon(0), "r1", "r0")]),
    ("chain", &[("wall", Disc(4), "w1", "w2")]),
    ("bar", &[("wall", Polygon(0), "w1", "w2")]),
    ("sliding-block", &[("incline", Polygon(0), "low", "high")]),
    ("belt-oscillator", &[("belt", Polygon(0), "t1", "t2")]),
    ("bouncing-disc", &[("floor", Disc(0), "left", "right")]),
    ("rocking-block", &[("left", Point("left"), "g1", "g2"), ("right", Point("right"), "g1", "g2")]),
    ("painleve-rod", &[("tip", Point("tip"), "left", "right")]),
    (
        "woodpecker",
        &[
            ("beak", Point("beak"), "top", "bottom"),
            ("lower", Point("ll"), "top", "bottom"),
            ("upper", Point("ul"), "top", "bottom"),
        ],
    ),
    ("painleve-box", &[("corner", Point("corner"), "left", "right")]),
    ("frictional-bounce", &[("tip", Point("tip"), "t1", "t2")]),
    ("simplified-bounce", &[("tip", Point("tip"), "t1", "t2")]),
    // Without contacts: forces with corners, and a walker.
    ("dry-friction-oscillator", &[]),
    ("bilinear-oscillator", &[]),
    ("hertz-ball", &[]),
    ("simplest-walker", &[]),
    (
        "slider-crank",
        &[
            ("lower_left", Point("ll"), "g1", "g2"),
            ("lower_right", Point("lr"), "g1", "g2"),
            ("upper_left", Point("ul"), "g4", "g3"),
            ("upper_right", Point("ur"), "g4", "g3"),
        ],
    ),
    ("coupled-clutches", &[]),
    ("quarter-car", &[]),
    (
        "rimless-wheel",
        &[
            ("s0", Point("t0"), "up", "down"),
            ("s1", Point("t1"), "up", "down"),
            ("s2", Point("t2"), "up", "down"),
            ("s3", Point("t3"), "up", "down"),
            ("s4", Point("t4"), "up", "down"),
            ("s5", Point("t5"), "up", "down"),
        ],
    ),
    ("two-tones", &[("wall", Disc(0), "Q", "P")]),
];

/// Circuits have no places.
const WITHOUT: [&str; 6] =
    ["relay-feedback", "buck-converter", "chua-circuit", "thermostat", "diode-bridge", "piston-pump"];

fn named(shape: &Shape, name: &str) -> usize {
    shape.points.iter().position(|point| point == name).unwrap_or_else(|| panic!("no point {name}"))
}

/// The drawn distance between a body and a wall, negative beyond it.
fn distance(frames: &Frames, frame: usize, body: Body, from: &str, to: &str) -> f64 {
    let shape = frames.shape();
    let (p, q) = (frames.point(frame, named(shape, from)), frames.point(frame, named(shape, to)));
    let (dx, dy) = (q.0 - p.0, q.1 - p.1);
    let length = dx.hypot(dy);
    let above = |(x, y): (f64, f64)| (dx * (y - p.1) - dy * (x - p.0)) / length;
    match body {
        Disc(i) => above(frames.point(frame, shape.discs[i].at)) - frames.radii[frame * shape.discs.len() + i],
        Polygon(i) => {
            let corners = shape.polygons[i].iter().map(|&corner| above(frames.point(frame, corner)));
            corners.fold(f64::INFINITY, f64::min)
        }
        Point(name) => above(frames.point(frame, named(shape, name))),
    }
}

/// The rounding of distances in a frame: they are differences of its coordinates, and walls may be so many times shorter than these are large.
fn rounding(frames: &Frames, state: &[f64]) -> f64 {
    let size = frames.points.iter().chain(state).fold(1.0_f64, |m, x| m.max(x.abs()));
    256.0 * f64::EPSILON * size
}

/// Whether the two points are the ends of something that is drawn.
fn is_drawn(shape: &Shape, from: &str, to: &str) -> bool {
    let (from, to) = (named(shape, from), named(shape, to));
    let links = shape.walls.contains(&Link { from, to }) || shape.segments.contains(&Link { from, to });
    let edge = |corners: &Vec<usize>| {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).any(|(&a, &b)| (a, b) == (from, to) || (b, a) == (from, to))
    };
    links || shape.polygons.iter().any(edge)
}

/// Numbers between -1 and 1 that depend on nothing.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

fn gap(model: &Model, parameters: &[f64], contact: usize, state: &[f64]) -> f64 {
    let value = |symbol: usize| match symbol.checked_sub(state.len()) {
        Some(parameter) => parameters[parameter],
        None => state[symbol],
    };
    model.graph.evaluate(model.contacts[contact].gap, &value)
}

#[test]
fn drawn_distances_are_the_gaps() {
    let mut random = Random(7);
    for (name, touches) in TOUCHES {
        let system = System::gallery(name).unwrap();
        for contact in &system.model().contacts {
            assert!(
                touches.iter().any(|touch| touch.0 == contact.name),
                "{name}: {} is not in the table",
                contact.name
            );
        }
        for trial in 0..40 {
            // Other values of the parameters, by up to a tenth.
            let mut there = system.clone();
            for parameter in system.model().parameters.iter().filter(|_| trial > 0) {
                let value = system.parameter(&parameter.name).unwrap() * (1.0 + 0.1 * random.next());
                there = there.with(&parameter.name, value).unwrap_or(there);
            }
            let parameters = there.numbers().parameters();
            let state: Vec<f64> = there.numbers().start().iter().map(|x| x + random.next()).collect();
            let sketch = there.sketch().unwrap_or_else(|| panic!("{name} has no sketch"));
            let frames = sketch.frames([&state[..]]);
            assert!(frames.points.iter().chain(&frames.radii).all(|x| x.is_finite()), "{name}");
            for (contact, body, from, to) in *touches {
                assert!(is_drawn(sketch.shape(), from, to), "{name}: nothing is drawn from {from} to {to}");
                let index = there.model().contact(contact).unwrap();
                let (gap, drawn) =
                    (gap(there.model(), parameters, index, &state), distance(&frames, 0, *body, from, to));
                assert!((gap - drawn).abs() <= rounding(&frames, &state), "{name}, {contact}: {gap} {drawn}");
            }
        }
    }
}

#[test]
fn parts_touch_at_impacts() {
    let mut impacts = 0;
    for (name, touches) in TOUCHES {
        let system = System::gallery(name).unwrap();
        let (Some(sketch), until) = (system.sketch(), 6.0) else { panic!("{name}") };
        let run = system.simulate(until).unwrap();
        for event in run.events.iter().filter(|event| event.kind == EventKind::Impact) {
            let state = event.before.values();
            let frames = sketch.frames([state]);
            let here = touches.iter().filter(|touch| event.contact.as_deref() == Some(touch.0));
            for (contact, body, from, to) in here {
                let drawn = distance(&frames, 0, *body, from, to);
                // The state is that of a step whose local error is 1e-12 of its size.
                let size = rounding(&frames, state) / (256.0 * f64::EPSILON);
                assert!(drawn.abs() < 1e-11 * size, "{name}, {contact} at {}: {drawn}", event.time);
                impacts += 1;
            }
        }
    }
    assert!(impacts > 100, "{impacts}");
}

#[test]
fn parts_touch_where_forces_have_their_corners() {
    let mut random = Random(3);
    for _ in 0..100 {
        let system = System::gallery("hertz-ball").unwrap();
        let state = [0.1 * random.next(), random.next(), 3.0 * random.next()];
        let frames = system.sketch().unwrap().frames([&state[..]]);
        let depth = 0.022 * state[2].sin() - state[0];
        assert!((distance(&frames, 0, Disc(0), "left", "right") + depth).abs() < 1e-15);

        let system = System::gallery("bilinear-oscillator").unwrap();
        let state = [2.0 * random.next(), 0.0, 0.0];
        let frames = system.sketch().unwrap().frames([&state[..]]);
        let free = (system.parameter("g").unwrap() - state[0]).max(0.0);
        assert!((distance(&frames, 0, Polygon(0), "e1", "e2") - free).abs() < 1e-14);

        let system = System::gallery("dry-friction-oscillator").unwrap();
        let frames = system.sketch().unwrap().frames([&state[..]]);
        assert_eq!(distance(&frames, 0, Polygon(0), "g2", "g3"), 0.0);

        // The states of a walker are in the order of its flow: theta, phi, u, w. Its foot is on the ground at the strike.
        let system = System::gallery("simplest-walker").unwrap();
        let theta = 0.3 * random.next();
        let state = [theta, 2.0 * theta, 0.0, 0.0];
        let frames = system.sketch().unwrap().frames([&state[..]]);
        assert!(distance(&frames, 0, Point("swing"), "up", "down").abs() < 1e-15);
        let bar = |a: &str, b: &str| {
            let (p, q) = (frames.point(0, named(frames.shape(), a)), frames.point(0, named(frames.shape(), b)));
            (q.0 - p.0).hypot(q.1 - p.1)
        };
        assert!((bar("stance", "hip") - 1.0).abs() < 1e-14 && (bar("hip", "swing") - 1.0).abs() < 1e-14);
    }
}

#[test]
fn all_mechanisms_of_the_gallery_have_sketches() {
    for name in gallery::NAMES {
        let drawn = TOUCHES.iter().any(|(known, _)| *known == name);
        assert_ne!(drawn, WITHOUT.contains(&name), "{name}");
        assert_eq!(System::gallery(name).unwrap().sketch().is_some(), drawn, "{name}");
    }
}

/// The tape against the formulas of the graph, node by node.
#[test]
fn frames_are_the_values_of_the_formulas() {
    let mut random = Random(11);
    for (name, _) in TOUCHES {
        let system = System::gallery(name).unwrap();
        let sketch = system.model().sketch.as_ref().unwrap();
        let starts = system.numbers().start();
        let states: Vec<Vec<f64>> = (0..3).map(|_| starts.iter().map(|x| x + random.next()).collect()).collect();
        let frames = system.sketch().unwrap().frames(states.iter().map(Vec::as_slice));
        assert_eq!(frames.count, 3);
        for (frame, state) in states.iter().enumerate() {
            let value = |symbol: usize| match symbol.checked_sub(state.len()) {
                Some(parameter) => system.numbers().parameters()[parameter],
                None => state[symbol],
            };
            let of = |node| sketch.graph.evaluate(node, &value);
            let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-13 * (1.0 + b.abs()), "{name}: {a} {b}");
            for (i, point) in sketch.points.iter().enumerate() {
                let (x, y) = frames.point(frame, i);
                near(x, of(point.x));
                near(y, of(point.y));
            }
            for (i, disc) in sketch.discs.iter().enumerate() {
                let at = frame * sketch.discs.len() + i;
                near(frames.radii[at], of(disc.radius));
                near(frames.turns[at], disc.turn.map_or(0.0, of));
            }
        }
    }
}

fn parse(sketch: &str) -> System {
    let text = format!(
        "format = 1\nname = \"m\"\n[parameters]\nr = 0.5\nd = 2\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\n\
         M = [[1]]\nh = [0]\n[start]\nx = 0\nv = 1\n{sketch}"
    );
    System::parse(&text, "m.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// A ball with a spoke before a wall.
const BALL: &str = "[sketch]\npoints = { A = [\"x\", 0], x = [\"d\", -1], P = [\"d\", 1] }\n\
    discs = [{ at = \"A\", radius = \"r\", turn = \"3*x\" }, { at = \"P\", radius = 0.25 }]\nwalls = [[\"x\", \"P\"]]\n\
    segments = [{ from = \"A\", to = \"P\" }]\npolygons = [[\"A\", \"x\", \"P\"]]\n";

#[test]
fn shape_and_frames_are_plain_data() {
    let sketch = parse(BALL).sketch().unwrap();
    assert_eq!(
        serde_json::to_string(sketch.shape()).unwrap(),
        r#"{"points":["A","x","P"],"segments":[{"from":0,"to":2}],"discs":[{"at":0,"turns":true},{"at":2,"turns":false}],"springs":[],"dampers":[],"walls":[{"from":1,"to":2}],"polygons":[[0,1,2]],"arrows":[]}"#
    );
    let again: Shape = serde_json::from_str(&serde_json::to_string(sketch.shape()).unwrap()).unwrap();
    assert_eq!(&again, sketch.shape());
    let frames = sketch.frames([&[-1.0, 0.0][..], &[0.5, 0.0]]);
    assert_eq!(
        serde_json::to_string(&frames).unwrap(),
        r#"{"count":2,"points":[-1.0,0.0,2.0,-1.0,2.0,1.0,0.5,0.0,2.0,-1.0,2.0,1.0],"radii":[0.5,0.25,0.5,0.25],"turns":[-3.0,0.0,1.5,0.0],"bounds":{"left":-1.5,"bottom":-1.0,"right":2.25,"top":1.25}}"#
    );
    assert_eq!(serde_json::to_value(sketch.frames([])).unwrap()["bounds"], serde_json::Value::Null);
}

#[test]
fn parameters_move_walls() {
    let system = parse(BALL);
    let farther = system.with("d", 7.0).unwrap().with("r", 1.5).unwrap();
    let at = |system: &System| system.sketch().unwrap().frames([&[0.0, 0.0][..]]);
    assert_eq!((at(&system).point(0, 1), at(&system).radii[0]), ((2.0, -1.0), 0.5));
    assert_eq!((at(&farther).point(0, 1), at(&farther).radii[0]), ((7.0, -1.0), 1.5));
    assert_eq!(at(&farther).bounds.unwrap().right, 7.25);
}

fn figure(system: &System, times: &[f64]) -> Result<Option<Figure>, Error> {
    system.simulation().until(2.0).with_path().run().unwrap().sketch_figure(times)
}

fn refused(error: Error) -> String {
    match error {
        Error::Request(list) => list.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    }
}

#[test]
fn what_has_no_place_is_left_out_and_said() {
    // At x = 0 and from x = 1 on; the arrow is too far away at all times.
    let wild = "[sketch]\npoints = { A = [\"1/x\", 0], B = [\"sqrt(1 - x)\", 1], C = [0, 0], D = [\"1e200 + x\", 0], E = [1, 1] }\n\
        discs = [{ at = \"C\", radius = \"1 - x\" }, { at = \"C\", radius = 0.1, turn = \"1/x\" }]\n\
        segments = [[\"A\", \"C\"]]\nsprings = [[\"B\", \"C\"]]\npolygons = [[\"B\", \"C\", \"E\"]]\narrows = [[\"C\", \"D\"]]\n\
        dampers = [[\"A\", \"E\"]]\nwalls = [[\"C\", \"E\"]]\n";
    let system = parse(wild);
    for (time, left_out) in [(0.0, 3), (0.5, 1), (2.0, 4)] {
        let figure = figure(&system, &[time]).unwrap().unwrap();
        let (parts, have) = if left_out == 1 { ("part", "has") } else { ("parts", "have") };
        let said = format!("{left_out} {parts} left out that {have} no finite place or a negative radius");
        assert!(figure.subtitle.contains(&said), "{time}: {}", figure.subtitle);
        assert!(!figure.to_svg().contains("NaN") && !figure.to_svg().contains("inf"), "{time}");
    }
    let all = parse("[sketch]\npoints = { A = [\"log(x - 9)\", 0] }\ndiscs = [{ at = \"A\", radius = 1 }]\n");
    let figure = figure(&all, &[]).unwrap().unwrap();
    assert!(figure.subtitle.contains("5 parts left out"), "{}", figure.subtitle);
    assert!(figure.to_png(1.0).is_ok());
    // A mechanism that is one point, and one of extreme sizes.
    for radius in ["0", "1e-300", "1e149", "1e151"] {
        let point =
            parse(&format!("[sketch]\npoints = {{ A = [3, 0] }}\ndiscs = [{{ at = \"A\", radius = {radius} }}]\n"));
        let svg = self::figure(&point, &[]).unwrap().unwrap().to_svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{radius}");
    }
}

#[test]
fn times_are_those_of_the_motion() {
    let system = parse(BALL);
    let usual = figure(&system, &[]).unwrap().unwrap();
    assert_eq!(usual.subtitle, "mechanism at 5 times, tolerance 1e-12");
    let svg = usual.to_svg();
    for time in ["t = 0<", "t = 0.5<", "t = 1<", "t = 1.5<", "t = 2<"] {
        assert!(svg.contains(time), "{time}");
    }
    assert!(figure(&system, &[1.0]).unwrap().unwrap().subtitle.starts_with("mechanism at one time"));
    assert!(figure(&system, &[20.0 * 0.1]).is_ok());
    for (times, word) in [
        (vec![2.1], "after the end of the trajectory, 2"),
        (vec![-1.0], "no state at t = -1"),
        (vec![f64::NAN], "NaN"),
        (vec![0.0; 61], "at most 60"),
    ] {
        let said = refused(figure(&system, &times).unwrap_err());
        assert!(said.starts_with("sketch_times: ") && said.contains(word), "{said}");
        assert_eq!(time_refusals(&times, Some(2.0)).len(), 1);
    }
    // Before a motion its end may be unknown.
    assert!(time_refusals(&[1e9], None).is_empty());
    // A motion of no length, and one whose path was not kept.
    let still = system.simulation().until(0.0).with_path().run().unwrap();
    assert!(still.sketch_figure(&[]).unwrap().unwrap().to_svg().contains("t = 0<"));
    assert!(system.simulate(1.0).unwrap().sketch_figure(&[]).unwrap().is_none());
}

#[test]
fn a_model_without_a_sketch_says_what_is_missing() {
    let system = System::gallery("thermostat").unwrap();
    assert!(system.sketch().is_none());
    let said = system.simulation().with_path().run().unwrap().sketch_figure(&[]).unwrap_err().to_string();
    assert!(said.contains("no [sketch]") && said.contains("points = { A = [\"temperature\", 0] }"), "{said}");
}

/// Every mechanism draws at its own times, and at parameters far away.
#[test]
fn every_sketch_is_drawn() {
    for (name, _) in TOUCHES {
        let system = System::gallery(name).unwrap();
        let run = system.simulation().until(3.0).with_path().run().unwrap();
        let figure = run.sketch_figure(&[]).unwrap().unwrap();
        assert!(!figure.subtitle.contains("left out"), "{name}");
        let svg = figure.to_svg();
        assert!(svg.contains("<path") && !svg.contains("NaN"), "{name}");
    }
}

/// A mechanism that goes far is drawn about its own place at each time; one that stays is drawn in one box.
#[test]
fn what_goes_far_is_followed() {
    let words = |name: &str, until: f64| {
        let run = System::gallery(name).unwrap().simulation().until(until).with_path().run().unwrap();
        run.sketch_figure(&[]).unwrap().unwrap().to_svg().contains("each about its own place")
    };
    assert!(words("woodpecker", 2.0), "it descends by ten times its height");
    assert!(!words("woodpecker", 0.15) && !words("bouncing-ball", 3.0));
}
