//! Constraints with friction, mu times the modulus of their force: against the equations of one independent coordinate, the force of which is solved for on either side of both signs.

use crate::common::guided::{Found, Rough, Shape, follow, solve, turns};
use crate::common::{assert_all_close, parse, run};
use saltation_model::{Model, Overrides, Values};
use saltation_motion::{Ended, EventKind, Run, System};

fn agree(motion: &Run, found: &Found) {
    assert_eq!(motion.ended, Ended::ReachedTime);
    assert_all_close(&turns(motion), &found.turns, 1e-9);
}

/// A bead on a ring that goes over the top: there the ring pulls it instead of pushing. At last it sticks beside the lowest point.
#[test]
fn a_bead_on_a_ring_moves_as_its_angle_does() {
    let (radius, g, mu) = (0.5, 9.81, 0.2);
    let (system, values) = parse(
        "format = 1\nname = \"ring\"\n[parameters]\nR = 0.5\ng = 9.81\nmu = 0.2\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\n\
         M = { diagonal = [2, 2] }\nh = [0, \"-2*g\"]\n[constraints.ring]\nkeep = \"sqrt(x^2 + y^2) - R\"\ntrack = \"R*atan2(x, -y)\"\nfriction = { law = \"coulomb\", mu = \"mu\" }\n\
         [start]\nx = 0\ny = \"-R\"\nu = 7\nv = 0\n",
    );
    let shape = |q: f64, _: f64| {
        let (s, c) = q.sin_cos();
        Shape {
            first: vec![radius * c, radius * s],
            second: vec![-radius * s, radius * c],
            mass: vec![vec![2.0, 0.0], vec![0.0, 2.0]],
            force: vec![0.0, -2.0 * g],
            rough: vec![Rough { held: vec![s, -c], track: vec![c, s], mu }],
            others: Vec::new(),
        }
    };
    let found = follow(&shape, [0.0, 14.0], 6.0).unwrap();
    assert!(found.rests && found.exchanges >= 2 && found.turns.len() >= 3, "{} and {:?}", found.exchanges, found.turns);
    let motion = run(&system, &values, 6.0);
    agree(&motion, &found);
    let (s, c) = found.state[0].sin_cos();
    assert_all_close(&motion.state[..2], &[radius * s, -radius * c], 1e-9);
    // It holds where the friction allows it.
    assert!(found.state[0].tan().abs() < mu && motion.state[2..].iter().all(|v| v.abs() < 1e-12));
}

/// An impact takes the ring along: along its one direction of motion a bead rebounds as without friction, which changes how large the impulse is.
#[test]
fn impacts_are_those_of_the_bead_on_its_ring() {
    let text = |mu: f64| {
        format!(
            "format = 1\nname = \"ring\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\nM = {{ diagonal = [2, 2] }}\nh = [0, -19.62]\n\
             [constraints.ring]\nkeep = \"sqrt(x^2 + y^2) - 0.5\"\ntrack = \"0.5*atan2(x, -y)\"\nfriction = {{ law = \"coulomb\", mu = {mu:?} }}\n\
             [contacts.wall]\ngap = \"x + 0.2\"\nrestitution = 0.5\n[start]\nx = 0\ny = -0.5\nu = -3\nv = 0\n"
        )
    };
    for mu in [0.0, 0.3] {
        let (system, values) = parse(&text(mu));
        let motion = run(&system, &values, 2.0);
        let impacts: Vec<_> = motion.events.iter().filter(|event| event.kind == EventKind::Impact).collect();
        assert!(!impacts.is_empty());
        for event in impacts {
            assert!((event.speed_after + 0.5 * event.speed_before).abs() < 1e-12);
            let after = &event.after;
            assert!((after[0] * after[2] + after[1] * after[3]).abs() < 1e-13, "it stays on the ring");
        }
    }
}

/// A ball that falls on a floor does nothing to a bead on a rough ring, although all closed contacts take part in its impacts: the sides of the ring do not press against each other.
#[test]
fn no_impact_elsewhere_stops_a_bead() {
    let text = |[q, v, mass, force, floor, start]: [&str; 6]| {
        format!(
            "format = 1\nname = \"ring\"\n[mechanics]\ncoordinates = [\"x\", \"y\"{q}]\nvelocities = [\"u\", \"v\"{v}]\nM = {{ diagonal = [2, 2{mass}] }}\nh = [0, -19.62{force}]\n\
             [constraints.ring]\nkeep = \"sqrt(x^2 + y^2) - 0.5\"\ntrack = \"0.5*atan2(x, -y)\"\nfriction = {{ law = \"coulomb\", mu = 0.3 }}\n{floor}\
             [start]\nx = 0\ny = -0.5\nu = -3\nv = 0\n{start}"
        )
    };
    let floor = "[contacts.floor]\ngap = \"z + 0.1\"\nrestitution = 0.5\n";
    let [alone, beside] = [[""; 6], [", \"z\"", ", \"w\"", ", 1", ", -9.81", floor, "z = 0.5\nw = 0\n"]].map(|ball| {
        let (system, values) = parse(&text(ball));
        run(&system, &values, 1.0)
    });
    assert!(beside.events.iter().filter(|event| event.kind == EventKind::Impact).count() > 3);
    assert_all_close(&beside.state[..2], &alone.state[..2], 1e-12);
    assert_all_close(&beside.state[3..5], &alone.state[2..], 1e-11);
}

const CRANK: [f64; 2] = [0.3, 0.8];

/// A crank turns a piston in a guide with friction, which carries the weight of the piston, too: at the dead centres its slip turns, and in between the side of the guide that carries changes.
#[test]
fn a_piston_in_its_guide_moves_as_its_crank_does() {
    let [r, l] = CRANK;
    let (mu, torque, inertia, mass, g) = (0.4, 0.05, 0.1, 0.7, 0.5);
    let (system, values) = slider_crank(torque);
    let shape = |q: f64, _: f64| {
        let (s, c) = q.sin_cos();
        let foot = (l * l - r * r * s * s).sqrt();
        let x = r * c + foot;
        let first = -r * s - r * r * s * c / foot;
        let second = -r * c - r * r * (c * c - s * s) / foot - (r * r * s * c).powi(2) / foot.powi(3);
        let (dx, dy) = ((x - r * c) / l, -r * s / l);
        Shape {
            first: vec![1.0, first, 0.0],
            second: vec![0.0, second, 0.0],
            mass: vec![vec![inertia, 0.0, 0.0], vec![0.0, mass, 0.0], vec![0.0, 0.0, mass]],
            force: vec![torque, 0.0, -mass * g],
            rough: vec![Rough { held: vec![0.0, 0.0, 1.0], track: vec![0.0, 1.0, 0.0], mu }],
            others: vec![vec![dx * r * s - dy * r * c, dx, dy]],
        }
    };
    let found = follow(&shape, [0.4, 5.0], 8.0).unwrap();
    assert!(found.exchanges > 8 && found.turns.len() > 8, "{} and {}", found.exchanges, found.turns.len());
    let motion = run(&system, &values, 8.0);
    agree(&motion, &found);
    assert_all_close(&[motion.state[0], motion.state[3]], &found.state, 1e-9);
    assert!(motion.state[2].abs() < 1e-14 && motion.state[5].abs() < 1e-13);
}

fn slider_crank(torque: f64) -> (System, Values) {
    parse(&format!(
        "format = 1\nname = \"slider-crank\"\n[parameters]\nr = 0.3\nl = 0.8\nT = {torque:?}\n[mechanics]\ncoordinates = [\"a\", \"x\", \"y\"]\nvelocities = [\"w\", \"u\", \"v\"]\n\
         M = {{ diagonal = [0.1, 0.7, 0.7] }}\nh = [\"T\", 0, \"-0.7*0.5\"]\n[constraints.rod]\nkeep = \"sqrt((x - r*cos(a))^2 + (y - r*sin(a))^2) - l\"\n\
         [constraints.guide]\nkeep = \"y\"\ntrack = \"x\"\nfriction = {{ law = \"coulomb\", mu = 0.4 }}\n\
         [start]\na = 0.4\nx = \"r*cos(0.4) + sqrt(l^2 - r^2*sin(0.4)^2)\"\ny = 0\nw = 5\nu = \"-5*(r*sin(0.4) + r^2*sin(0.4)*cos(0.4)/sqrt(l^2 - r^2*sin(0.4)^2))\"\nv = 0\n"
    ))
}

/// The links of a four-bar linkage with heavy links: crank, coupler, rocker and frame. The joint between coupler and rocker has friction.
#[test]
fn a_four_bar_linkage_with_friction_in_a_joint_moves_as_its_crank_does() {
    let (l2, l3, d) = (3.0_f64, 2.5_f64, 3.0_f64);
    let (mu, torque, speed) = (0.3, 2.0, 6.0);
    let angles = |a: f64| {
        let (x, y) = (d - a.cos(), -a.sin());
        let reach = x.hypot(y);
        let b = y.atan2(x) + ((reach * reach + l2 * l2 - l3 * l3) / (2.0 * reach * l2)).acos();
        [b, (a.sin() + l2 * b.sin()).atan2(a.cos() + l2 * b.cos() - d)]
    };
    let shape = |a: f64, w: f64| {
        let [b, c] = angles(a);
        // The closure, differentiated once and twice by the crank.
        let columns = [vec![-l2 * b.sin(), l2 * b.cos()], vec![l3 * c.sin(), -l3 * c.cos()]];
        let rates = solve(&columns, &[a.sin(), -a.cos()]);
        let (rb, rc) = (rates[0], rates[1]);
        let bent = [
            a.cos() + l2 * b.cos() * rb * rb - l3 * c.cos() * rc * rc,
            a.sin() + l2 * b.sin() * rb * rb - l3 * c.sin() * rc * rc,
        ];
        let second = solve(&columns, &bent);
        let (wb, together) = (rb * w, 1.5 * (a - b).cos());
        let apart = 1.5 * (a - b).sin();
        Shape {
            first: vec![1.0, rb, rc],
            second: vec![0.0, second[0], second[1]],
            mass: vec![vec![4.0 / 3.0, together, 0.0], vec![together, 3.0, 0.0], vec![0.0, 0.0, l3 * l3 / 3.0]],
            force: vec![
                torque - 9.81 * 1.5 * a.cos() - apart * wb * wb,
                -9.81 * 1.5 * b.cos() + apart * w * w,
                -9.81 * 1.25 * c.cos(),
            ],
            rough: vec![Rough { held: vec![-a.sin(), -l2 * b.sin(), l3 * c.sin()], track: vec![0.0, 0.2, -0.2], mu }],
            others: vec![vec![a.cos(), l2 * b.cos(), -l3 * c.cos()]],
        }
    };
    let found = follow(&shape, [1.0, speed], 5.0).unwrap();
    assert!(found.exchanges > 6 && found.turns.len() > 6, "{} and {}", found.exchanges, found.turns.len());
    let here = shape(1.0, speed);
    let [b, c] = angles(1.0);
    let (system, values) = parse(&format!(
        "format = 1\nname = \"four-bar\"\n[lagrangian]\ncoordinates = [\"a\", \"b\", \"c\"]\nvelocities = [\"wa\", \"wb\", \"wc\"]\n\
         L = \"0.5*(wa^2/3 + wa^2 + 3*wb^2 + 3*wa*wb*cos(a-b) + 2.5^2/3*wc^2) - 9.81*(1.5*sin(a) + 1.5*sin(b) + 1.25*sin(c))\"\n\
         forces = [{torque:?}, 0, 0]\n[constraints.along]\nkeep = \"cos(a) + 3*cos(b) - 3 - 2.5*cos(c)\"\ntrack = \"0.2*(b - c)\"\nfriction = {{ law = \"coulomb\", mu = {mu:?} }}\n\
         [constraints.across]\nkeep = \"sin(a) + 3*sin(b) - 2.5*sin(c)\"\n[start]\na = 1\nb = {b:?}\nc = {c:?}\nwa = {speed:?}\nwb = {:?}\nwc = {:?}\n",
        speed * here.first[1],
        speed * here.first[2]
    ));
    let motion = run(&system, &values, 5.0);
    agree(&motion, &found);
    assert_all_close(&[motion.state[0], motion.state[3]], &found.state, 1e-8);
}

/// Mistakes, each at its place.
#[test]
fn friction_that_no_constraint_can_have_is_refused() {
    let text = |constraints: &str| {
        format!(
            "format = 1\nname = \"m\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\nM = {{ diagonal = [1, 1] }}\nh = [0, -1]\n{constraints}[start]\nx = 0\ny = 0\nu = 1\nv = 0\n"
        )
    };
    let rub = "friction = { law = \"coulomb\", mu = 0.3 }\n";
    let guide = format!("[constraints.guide]\nkeep = \"y\"\ntrack = \"x\"\n{rub}");
    for (constraints, told) in [
        (format!("[constraints.guide]\nkeep = \"y\"\n{rub}"), "[constraints.guide] has no `track`"),
        (
            format!("[constraints.guide]\nrate = \"v\"\ntrack = \"x\"\n{rub}"),
            "is a constraint on velocities, and has no friction",
        ),
        ("[constraints.guide]\nkeep = \"y\"\ntrack = \"x\"\n".to_string(), "`track` is for contacts and constraints"),
        (
            format!("{guide}[constraints.same]\nkeep = \"2*y\"\n"),
            "the friction of the constraint `guide` is not determined",
        ),
        (
            format!("{guide}[contacts.guide-]\ngap = \"1 - x\"\nrestitution = 0.5\n"),
            "is the name of a contact and of a constraint",
        ),
        (guide.replace("\"y\"", "\"z\""), "`z` is not declared"),
        (guide.replace("mu = 0.3", "mu = -0.3"), "but it is at least 0"),
        (guide.replace("mu = 0.3", "mu = 0.3, mu_static = 0.2"), "the static coefficient 0.2 of contact"),
        (format!("{guide}[impacts]\ntogether = \"sequence\"\n"), "its impulses are part of every impact"),
    ] {
        let model = Model::parse(&text(&constraints), "m.toml");
        let mistakes = model.and_then(|model| model.check(&Overrides::default())).expect_err("it is refused");
        let mistakes = mistakes.to_string();
        assert_eq!(mistakes.matches(told).count(), 1, "{mistakes} for {constraints}, which should say {told}");
    }
}
