//! Branches of orbits and equilibria of systems that switch: sliding bifurcations, converters, corners and boundary equilibria against closed forms and
//! published values, each from both sides.
#![allow(clippy::excessive_precision)] // references keep the digits they were computed with

use saltation::System;
use saltation::branch::{Branch, Special};

fn parse(text: &str) -> System {
    System::parse(text, "test.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// The sliding bifurcations on a branch by this name.
fn named<'b>(branch: &'b Branch, name: &str) -> Vec<&'b Special> {
    branch.special.iter().filter(|special| special.sliding.as_deref() == Some(name)).collect()
}

fn assert_close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} and not {expected}");
}

/// The circle r = 1 of x' = s x (1 - r^2) - y, y' = s y (1 - r^2) + x above y = -h, with x' = 0, y' = 1 below: it touches the switch at h = 1.
const CIRCLE: &str = r#"
    format = 1
    name = "circle"
    [parameters]
    s = 0.1
    h = 1.2
    [switches.floor]
    when = "y + h"
    [flow]
    x = "if(side(floor) > 0, s*x*(1 - x^2 - y^2) - y, 0)"
    y = "if(side(floor) > 0, s*y*(1 - x^2 - y^2) + x, 1)"
    [sections.top]
    when = "x"
    direction = "falling"
    [start]
    x = 0
    y = 1
"#;

#[test]
fn grazing_sliding_from_both_sides_and_in_two_parameters() {
    for (h, events) in [(1.2, 0), (0.9, 2)] {
        let orbit = parse(CIRCLE).with("h", h).unwrap().orbit().settle(10).find().unwrap();
        assert_eq!(orbit.signature.len(), events);
        let branch = orbit.continue_in("h", 0.7..=1.3).run().unwrap();
        let found = named(&branch, "grazing_sliding");
        assert_eq!(found.len(), 1, "{:?}", branch.special.iter().map(|s| s.kind).collect::<Vec<_>>());
        assert_close(found[0].parameters["h"], 1.0, 1e-12);
        assert_eq!(found[0].contact.as_deref(), Some("floor"));
    }
    let orbit = parse(CIRCLE).orbit().find().unwrap();
    let branch = orbit.continue_in("h", 0.7..=1.3).run().unwrap();
    let curve = branch.curve(0).unwrap().follow_in("s", 0.05..=0.5).run().unwrap();
    assert!(curve.points.len() > 5);
    for point in &curve.points {
        assert_close(point.parameters["h"], 1.0, 1e-12);
    }
}

/// First touch of a bilinear oscillator: A = g sqrt((1 - w^2)^2 + 4 z^2 w^2).
#[test]
fn a_corner_is_grazed() {
    let system = System::gallery("bilinear-oscillator").unwrap().with("A", 0.3).unwrap();
    let branch = system.orbit().settle(200).find().unwrap().continue_in("A", 0.2..=0.5).switch().run().unwrap();
    let found = named(&branch, "graze");
    assert_close(found[0].parameters["A"], 0.3687817782917155, 1e-12);
    // Beyond it the orbit crosses the corner and returns, and doubles its period.
    let beyond = &branch.branches[0];
    let doubled = beyond.special.iter().find(|special| special.kind.name() == "period_doubling").unwrap();
    assert!(doubled.parameters["A"] > 0.3687817782917155);
    // The orbit beyond, found by itself, is followed back to the same touch.
    let system = system.with("A", 0.371).unwrap();
    let back = system.orbit().settle(400).find().unwrap().continue_in("A", 0.3..=0.372).run().unwrap();
    assert_close(named(&back, "graze")[0].parameters["A"], 0.3687817782917155, 1e-10);
}

/// Period doublings of the buck converter, whose switch is moved by a ramp (published: 24.516 and about 31.12).
#[test]
fn the_buck_converter_doubles_its_period() {
    let system = System::gallery("buck-converter").unwrap();
    let double = |input: f64, period: u64, range: std::ops::RangeInclusive<f64>| {
        let orbit = system.with("E", input).unwrap().orbit().settle(400).returns(period).find().unwrap();
        let branch = orbit.continue_in("E", range).run().unwrap();
        let doubled = branch.special.iter().find(|special| special.kind.name() == "period_doubling").unwrap();
        doubled.parameters["E"]
    };
    assert_close(double(20.0, 1, 15.0..=30.0), 24.51657282856337, 1e-10);
    assert_close(double(28.0, 2, 25.0..=33.0), 31.11790200677097, 1e-10);
}

/// An orbit of dry friction whose stop is divided: the border is the same from the branch with two stops and from that with four.
#[test]
fn adding_sliding_from_both_sides() {
    let system = System::gallery("dry-friction-oscillator").unwrap();
    let system = [("zeta", 0.05), ("w", 0.5), ("F", 0.45)]
        .iter()
        .fold(system, |system, (name, value)| system.with(name, *value).unwrap());
    let along = "w";
    let orbit = system.orbit().settle(40).find().unwrap();
    let branch = orbit.continue_in(along, 0.17..=0.55).switch().run().unwrap();
    let adding = named(&branch, "adding_sliding")[0].parameters[along];
    // The branch with four stops begins there.
    let beyond = &branch.branches[0];
    let first = beyond.points.first().into_iter().chain(beyond.points.last());
    let near = first.map(|point| (point.parameters[along] - adding).abs()).fold(f64::INFINITY, f64::min);
    assert!(near < 1e-9, "{near}");
    // An orbit with four stops, found by itself, is followed back to it.
    let four = system.with(along, 0.19).unwrap().orbit().settle(60).find().unwrap();
    let back = four.continue_in(along, 0.17..=0.3).run().unwrap();
    let ends = back.points.iter().map(|point| point.parameters[along]).fold(0.0, f64::max);
    assert_close(ends, adding, 1e-10);
}

fn boundary(entries: &str) -> System {
    parse(&format!(
        r#"
        format = 1
        name = "boundary"
        [parameters]
        mu = -0.5
        {entries}
        [flow]
        x = "if(x < 0, a*x + b*y + mu, -1)"
        y = "if(x < 0, c*x + d*y, k)"
        [start]
        x = -0.5
        y = -0.5
        "#
    ))
}

/// Where an equilibrium reaches the switch a pseudo-equilibrium takes its place, or both vanish.
#[test]
fn boundary_equilibria_persist_or_fold() {
    for (entries, start, name, admissible) in [
        ("a = -1\nb = 1\nc = -1\nd = -1\nk = 0", -0.5, "persistence", true),
        ("a = 1\nb = 1\nc = -1\nd = 1\nk = 2", 1.0, "nonsmooth_fold", true),
    ] {
        let system = boundary(entries).with("mu", start).unwrap();
        let branch = system.equilibria().continue_in("mu", -1.0..=1.0).run().unwrap();
        let special = &branch.special[0];
        assert_eq!(special.boundary_equilibrium.as_deref(), Some(name));
        assert_close(special.parameters["mu"], 0.0, 1e-14);
        let here = system.equilibria().search().unwrap();
        assert_eq!(here.equilibria[0].admissible, admissible);
        // On the other side of the parameter.
        let there = system.with("mu", -start.signum()).unwrap().equilibria().search().unwrap();
        let found: Vec<&str> = there.equilibria.iter().filter(|e| e.admissible).map(|e| e.mode.as_str()).collect();
        assert_eq!(found, if name == "persistence" { vec!["x:slide"] } else { Vec::new() });
    }
    // At mu = 1 the fold has an equilibrium (-1/2, -1/2) and a pseudo-saddle at y = -2/3 with the eigenvalue 2.25.
    let system = boundary("a = 1\nb = 1\nc = -1\nd = 1\nk = 2").with("mu", 1.0).unwrap();
    let found = system.equilibria().search().unwrap();
    let saddle = found.equilibria.iter().find(|e| e.mode == "x:slide" && e.admissible).unwrap();
    assert_close(saddle.state["y"], -2.0 / 3.0, 1e-13);
    assert_close(saddle.eigenvalues[0].re, 2.25, 1e-12);
}

/// The pseudo-equilibrium of a visible and an invisible fold, al mu/(al - be).
#[test]
fn pseudo_equilibria() {
    let text = r#"
        format = 1
        name = "folds"
        [parameters]
        mu = 0.1
        al = 0.5
        be = 2
        [flow]
        x = "if(y > 0, 1, -al)"
        y = "if(y > 0, x - mu, -be*x)"
        [start]
        x = 0
        y = 0.5
    "#;
    let found = parse(text).equilibria().search().unwrap();
    assert_eq!(found.equilibria.len(), 1);
    let [only] = &found.equilibria[..] else { panic!("one equilibrium") };
    assert_eq!((only.mode.as_str(), only.stable), ("y:slide", true));
    assert_close(only.state["x"], -1.0 / 30.0, 1e-15);
    assert_close(only.eigenvalues[0].re, -7.5, 1e-12);
}
