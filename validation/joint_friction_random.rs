//! Random mechanisms with rough guides, one or two of them, against the equations of one independent coordinate: beads on wires, slider-cranks and trammels.

use crate::common::guided::{Found, Rough, Shape, follow, turns};
use crate::common::{assert_all_close, parse, run};
use saltation_motion::Ended;
use saltation_numerics::random::Random;

type Form = Box<dyn Fn(f64, f64) -> Shape>;

/// A mechanism: its file, the same in one coordinate, where it begins, and where the own coordinate and its rate stand among the states.
struct Drawn {
    text: String,
    shape: Form,
    start: [f64; 2],
    places: [usize; 2],
}

/// A bead of mass m on the wire y = a sin(k x) + b x^2, with weight, a spring and the resistance of air.
fn wire(random: &mut Random) -> Drawn {
    let [a, k, b] = [(0.1, 0.5), (0.5, 2.0), (0.05, 0.5)].map(|(low, high)| random.between(low, high));
    let [m, c, d, g] = [(0.5, 2.0), (0.0, 3.0), (0.0, 0.2), (2.0, 10.0)].map(|(low, high)| random.between(low, high));
    let mu = random.between(0.0, 0.4);
    let [x, w] = [random.between(-1.5, 1.5), random.between(-4.0, 4.0)];
    let height = move |x: f64| a * (k * x).sin() + b * x * x;
    let slope = move |x: f64| a * k * (k * x).cos() + 2.0 * b * x;
    let text = format!(
        "format = 1\nname = \"wire\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\nM = {{ diagonal = [{m:?}, {m:?}] }}\n\
         h = [\"-{c:?}*x - {d:?}*u\", \"-{m:?}*{g:?} - {d:?}*v\"]\n[constraints.wire]\nkeep = \"y - {a:?}*sin({k:?}*x) - {b:?}*x^2\"\ntrack = \"x\"\n\
         friction = {{ law = \"coulomb\", mu = {mu:?} }}\n[start]\nx = {x:?}\ny = {:?}\nu = {w:?}\nv = {:?}\n",
        height(x),
        slope(x) * w
    );
    let shape = move |x: f64, w: f64| {
        let s = slope(x);
        Shape {
            first: vec![1.0, s],
            second: vec![0.0, -a * k * k * (k * x).sin() + 2.0 * b],
            mass: vec![vec![m, 0.0], vec![0.0, m]],
            force: vec![-c * x - d * w, -m * g - d * s * w],
            rough: vec![Rough { held: vec![-s, 1.0], track: vec![1.0, 0.0], mu }],
            others: Vec::new(),
        }
    };
    Drawn { text, shape: Box::new(shape), start: [x, w], places: [0, 2] }
}

/// A crank with a torque and resistance turns a heavy piston in a guide.
fn slider_crank(random: &mut Random) -> Drawn {
    let l = random.between(0.6, 1.2);
    let r = random.between(0.2, 0.8) * l;
    let [torque, inertia, mass, g] =
        [(-0.3, 0.3), (0.05, 0.5), (0.3, 1.5), (0.0, 5.0)].map(|(low, high)| random.between(low, high));
    let (d, mu) = (random.between(0.0, 0.05), random.between(0.0, 0.4));
    let [a, w] = [random.between(-3.0, 3.0), random.between(-7.0, 7.0)];
    let foot = move |s: f64| (l * l - r * r * s * s).sqrt();
    let place = move |a: f64| r * a.cos() + foot(a.sin());
    let slope = move |a: f64| -r * a.sin() - r * r * a.sin() * a.cos() / foot(a.sin());
    let text = format!(
        "format = 1\nname = \"slider-crank\"\n[mechanics]\ncoordinates = [\"a\", \"x\", \"y\"]\nvelocities = [\"w\", \"u\", \"v\"]\n\
         M = {{ diagonal = [{inertia:?}, {mass:?}, {mass:?}] }}\nh = [\"{torque:?} - {d:?}*w\", 0, \"-{mass:?}*{g:?}\"]\n[constraints.rod]\n\
         keep = \"sqrt((x - {r:?}*cos(a))^2 + (y - {r:?}*sin(a))^2) - {l:?}\"\n[constraints.guide]\nkeep = \"y\"\ntrack = \"x\"\n\
         friction = {{ law = \"coulomb\", mu = {mu:?} }}\n[start]\na = {a:?}\nx = {:?}\ny = 0\nw = {w:?}\nu = {:?}\nv = 0\n",
        place(a),
        slope(a) * w
    );
    let shape = move |a: f64, w: f64| {
        let (s, c) = a.sin_cos();
        let f = foot(s);
        let second = -r * c - r * r * (c * c - s * s) / f - (r * r * s * c).powi(2) / f.powi(3);
        let (dx, dy) = ((place(a) - r * c) / l, -r * s / l);
        Shape {
            first: vec![1.0, slope(a), 0.0],
            second: vec![0.0, second, 0.0],
            mass: vec![vec![inertia, 0.0, 0.0], vec![0.0, mass, 0.0], vec![0.0, 0.0, mass]],
            force: vec![torque - d * w, 0.0, -mass * g],
            rough: vec![Rough { held: vec![0.0, 0.0, 1.0], track: vec![0.0, 1.0, 0.0], mu }],
            others: vec![vec![dx * r * s - dy * r * c, dx, dy]],
        }
    };
    Drawn { text, shape: Box::new(shape), start: [a, w], places: [0, 3] }
}

/// A rod between two blocks in guides across each other, both rough: its own coordinate is its angle.
fn trammel(random: &mut Random) -> Drawn {
    let [l, m1, m2, g] = [(0.5, 1.5), (0.5, 2.0), (0.5, 2.0), (1.0, 10.0)].map(|(low, high)| random.between(low, high));
    let [c1, c2, at] = [(0.0, 20.0), (0.0, 20.0), (-0.5, 0.5)].map(|(low, high)| random.between(low, high));
    let (mu1, mu2) = (random.between(0.0, 0.3), random.between(0.0, 0.3));
    let [a, w] = [random.between(-3.0, 3.0), random.between(-7.0, 7.0)];
    let (s, c) = a.sin_cos();
    let text = format!(
        "format = 1\nname = \"trammel\"\n[mechanics]\ncoordinates = [\"a\", \"x1\", \"y1\", \"x2\", \"y2\"]\nvelocities = [\"w\", \"u1\", \"v1\", \"u2\", \"v2\"]\n\
         M = {{ diagonal = [0.01, {m1:?}, {m1:?}, {m2:?}, {m2:?}] }}\nh = [0, \"-{c1:?}*(x1 - {at:?})\", \"-{m1:?}*{g:?}\", 0, \"-{m2:?}*{g:?} - {c2:?}*y2\"]\n\
         [constraints.along]\nkeep = \"x1 - x2 - {l:?}*cos(a)\"\n[constraints.across]\nkeep = \"y2 - y1 - {l:?}*sin(a)\"\n\
         [constraints.floor]\nkeep = \"y1\"\ntrack = \"x1\"\nfriction = {{ law = \"coulomb\", mu = {mu1:?} }}\n\
         [constraints.wall]\nkeep = \"x2\"\ntrack = \"y2\"\nfriction = {{ law = \"coulomb\", mu = {mu2:?} }}\n\
         [start]\na = {a:?}\nx1 = {:?}\ny1 = 0\nx2 = 0\ny2 = {:?}\nw = {w:?}\nu1 = {:?}\nv1 = 0\nu2 = 0\nv2 = {:?}\n",
        l * c,
        l * s,
        -l * s * w,
        l * c * w
    );
    let shape = move |a: f64, _: f64| {
        let (s, c) = a.sin_cos();
        let mass = [0.01, m1, m1, m2, m2];
        Shape {
            first: vec![1.0, -l * s, 0.0, 0.0, l * c],
            second: vec![0.0, -l * c, 0.0, 0.0, -l * s],
            mass: (0..5).map(|i| (0..5).map(|j| if i == j { mass[i] } else { 0.0 }).collect()).collect(),
            force: vec![0.0, -c1 * (l * c - at), -m1 * g, 0.0, -m2 * g - c2 * l * s],
            rough: vec![
                Rough { held: vec![0.0, 0.0, 1.0, 0.0, 0.0], track: vec![0.0, 1.0, 0.0, 0.0, 0.0], mu: mu1 },
                Rough { held: vec![0.0, 0.0, 0.0, 1.0, 0.0], track: vec![0.0, 0.0, 0.0, 0.0, 1.0], mu: mu2 },
            ],
            others: vec![vec![l * s, 1.0, 0.0, -1.0, 0.0], vec![-l * c, 0.0, -1.0, 0.0, 1.0]],
        }
    };
    Drawn { text, shape: Box::new(shape), start: [a, w], places: [0, 5] }
}

/// How many members of a family agree, of so many drawn: where the equations have one solution at every instant. How many rest, and how often forces change their sign.
fn compare(draw: &dyn Fn(&mut Random) -> Drawn, seed: u64, members: usize) -> [usize; 3] {
    let until = 2.0;
    let mut counts = [0; 3];
    for member in 0..members {
        let mut random = Random(seed + member as u64);
        let Drawn { text, shape, start, places } = draw(&mut random);
        let Some(Found { turns: expected, rests, exchanges, state }) = follow(&shape, start, until) else { continue };
        let (system, values) = parse(&text);
        let motion = run(&system, &values, until);
        assert_eq!(motion.ended, Ended::ReachedTime, "{member}: {}\n{text}", motion.ended.describe(&system));
        let found = turns(&motion);
        assert_eq!(found.len(), expected.len(), "{member}: {found:?} and {expected:?}\n{text}");
        for (a, b) in found.iter().zip(&expected) {
            assert!((a - b).abs() < 1e-8, "{member}: {found:?} and {expected:?}\n{text}");
        }
        let here = places.map(|place| motion.state[place]);
        assert_all_close(&here, &if rests { [state[0], 0.0] } else { state }, 1e-7);
        counts = [counts[0] + 1, counts[1] + usize::from(rests), counts[2] + exchanges];
    }
    counts
}

/// Beads on wires, slider-cranks and trammels. Where they come to rest, they stay; the trammel then has two frictions for one motion.
#[test]
fn random_mechanisms_with_rough_guides_move_as_their_own_coordinate_does() {
    for (draw, seed, least) in [
        (&wire as &dyn Fn(&mut Random) -> Drawn, 1000, [11, 3, 0]),
        (&slider_crank, 2000, [11, 1, 12]),
        (&trammel, 3000, [9, 1, 12]),
    ] {
        let counts = compare(draw, seed, 12);
        assert!(counts.iter().zip(least).all(|(count, least)| *count >= least), "{seed}: {counts:?}");
    }
}

/// The same for three hundred of each.
#[test]
#[ignore = "takes minutes"]
fn nine_hundred_mechanisms_with_rough_guides() {
    for (draw, seed) in [(&wire as &dyn Fn(&mut Random) -> Drawn, 10_000), (&slider_crank, 20_000), (&trammel, 30_000)]
    {
        let counts = compare(draw, seed, 300);
        assert!(counts[0] > 250, "{counts:?}");
    }
}
