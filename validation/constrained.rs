//! Constraints: bodies in Cartesian coordinates and closed chains against the same bodies in coordinates of their own, quadratures and closed forms.

use crate::common::{assert_all_close, assert_close, parse, run, settled};
use saltation_model::{Model, Overrides, Values, gallery};
use saltation_motion::stepping::{Stepping, SteppingSettings};
use saltation_motion::{Ended, EventKind, System};
use saltation_orbit::equilibrium::{self, find};
use saltation_orbit::lyapunov::{self, LyapunovSettings};
use saltation_orbit::{Orbit, branch};

/// A pendulum between gravity and a wall, with forcing and drag, in Cartesian coordinates.
fn cartesian(forcing: &str) -> (System, Values) {
    parse(&format!(
        "format = 1\nname = \"pendulum\"\n[parameters]\ng = 9.81\nL = 1.3\nm = 0.7\nc = 0.3\nA = {forcing}\nw = 2.4\n[phase.phi]\nrate = \"w\"\nperiod = \"2*pi\"\n\
         [mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\nM = {{ diagonal = [\"m\", \"m\"] }}\nh = [\"-m*c*u + m*A*cos(phi)\", \"-m*g - m*c*v\"]\n\
         [constraints.rod]\nkeep = \"x^2 + y^2 - L^2\"\n[contacts.wall]\ngap = \"x + 0.2\"\nrestitution = 0.7\n\
         [start]\nx = \"L*sin(0.1)\"\ny = \"-L*cos(0.1)\"\nu = 0\nv = 0\nphi = 0\n"
    ))
}

/// The same by its angle.
fn angular(forcing: &str) -> (System, Values) {
    parse(&format!(
        "format = 1\nname = \"pendulum\"\n[parameters]\ng = 9.81\nL = 1.3\nc = 0.3\nA = {forcing}\nw = 2.4\n[phase.phi]\nrate = \"w\"\nperiod = \"2*pi\"\n\
         [mechanics]\ncoordinates = [\"th\"]\nvelocities = [\"om\"]\nM = [[\"L^2\"]]\nh = [\"-g*L*sin(th) - c*L^2*om + A*L*cos(th)*cos(phi)\"]\n\
         [contacts.wall]\ngap = \"L*sin(th) + 0.2\"\nrestitution = 0.7\n[start]\nth = 0.1\nom = 0\nphi = 0\n"
    ))
}

/// x and u of an angle and its speed.
fn horizontal(th: f64, om: f64) -> [f64; 2] {
    [1.3 * th.sin(), 1.3 * th.cos() * om]
}

#[test]
fn a_pendulum_moves_as_its_angle_does() {
    let ((system, values), (reduced, own)) = (cartesian("2"), angular("2"));
    let (motion, expected) = (run(&system, &values, 12.0), run(&reduced, &own, 12.0));
    assert_eq!(motion.events.len(), expected.events.len());
    assert!(motion.events.len() > 3);
    for (event, other) in motion.events.iter().zip(&expected.events) {
        assert_eq!(event.kind, other.kind);
        assert_close(event.time, other.time, 1e-10);
        assert_close(event.speed_before, other.speed_before, 1e-9);
    }
    let ([x, u], end) = (horizontal(expected.state[0], expected.state[1]), &motion.state);
    assert_all_close(&[end[0], end[2]], &[x, u], 1e-9);
    // The constraint and its rate stay at rounding.
    assert!((end[0].hypot(end[1]) - 1.3).abs() < 1e-14 && (end[0] * end[2] + end[1] * end[3]).abs() < 1e-13);
}

/// Orbits, multipliers, branches and exponents: the directions that the constraint takes are no perturbations.
#[test]
fn its_orbits_are_those_of_the_angle() {
    let ((system, values), (reduced, own)) = (cartesian("2"), angular("2"));
    let (orbit, expected): (Orbit, Orbit) = (settled(&system, &values, 1, 60), settled(&reduced, &own, 1, 60));
    assert_all_close(&[orbit.state[0], orbit.state[2]], &horizontal(expected.state[0], expected.state[1]), 1e-11);
    assert_eq!(orbit.multipliers.len(), 2);
    for (one, other) in orbit.multipliers.iter().zip(&expected.multipliers) {
        assert!((one - other).norm() < 1e-10, "{one} and {other}");
    }
    let follow = |system: &System, values: &Values, orbit: &Orbit| {
        let following = values.along(&["A"]).unwrap();
        let settings = branch::Settings::between(1.6, 2.6);
        branch::follow(system, &following, orbit, &settings, &mut |_, _| true).unwrap().swap_remove(0)
    };
    let (branch, other) = (follow(&system, &values, &orbit), follow(&reduced, &own, &expected));
    // Both branches take their own steps: compared where they end, and in their special points.
    for k in [0, branch.points.len() - 1] {
        let (a, b) = (&branch.points[k], &other.points[if k == 0 { 0 } else { other.points.len() - 1 }]);
        assert_eq!(a.multipliers.len(), 2);
        assert_eq!(branch.value(a), other.value(b));
        assert!((a.multipliers[0].norm() - b.multipliers[0].norm()).abs() < 1e-8);
    }
    let exponents = |system: &System, values: &Values| {
        let section = system.default_section().unwrap();
        let settings = LyapunovSettings { returns: 100, settle: 60, ..LyapunovSettings::through(section) };
        lyapunov::exponents(system, values, &settings, &mut |_| true).exponents
    };
    let (found, sum) = (exponents(&system, &values), exponents(&reduced, &own).iter().sum::<f64>());
    assert_eq!(found.len(), 2);
    assert_close(found.iter().sum::<f64>(), sum, 1e-9);
}

/// At rest below its pivot: the eigenvalues are those of th'' = -c th' - g/L th.
#[test]
fn its_equilibrium_has_the_eigenvalues_of_the_angle() {
    let (system, values) = cartesian("0");
    let settings = equilibrium::Settings::default();
    let rests = find(&system, &values, &settings).unwrap().equilibria;
    let rest = rests.iter().find(|rest| rest.state[1] < 0.0).expect("it hangs");
    assert_all_close(&rest.state[..4], &[0.0, -1.3, 0.0, 0.0], 1e-12);
    assert_eq!(rest.eigenvalues.len(), 2);
    let frequency = (9.81_f64 / 1.3 - 0.15 * 0.15).sqrt();
    assert_close(rest.eigenvalues[0].re, -0.15, 1e-10);
    assert_close(rest.eigenvalues[0].im.abs(), frequency, 1e-10);
}

/// The links of a four-bar linkage: crank, coupler, rocker and frame.
const LINKS: [f64; 4] = [1.0, 3.0, 2.5, 3.0];

/// Coupler and rocker angles at a crank angle, and their speeds per unit of that of the crank.
fn linkage(a: f64) -> [f64; 4] {
    let [l1, l2, l3, d] = LINKS;
    // From the end of the crank to the foot of the rocker.
    let (x, y) = (d - l1 * a.cos(), -l1 * a.sin());
    let r = x.hypot(y);
    let b = y.atan2(x) + ((r * r + l2 * l2 - l3 * l3) / (2.0 * r * l2)).acos();
    let c = (l1 * a.sin() + l2 * b.sin()).atan2(l1 * a.cos() + l2 * b.cos() - d);
    // The rates of the closure equations.
    let determinant = l2 * l3 * (b - c).sin();
    [b, c, -l1 * l3 * (a - c).sin() / determinant, -l1 * l2 * (a - b).sin() / determinant]
}

/// Twice the kinetic energy per square of the crank's speed, and the potential energy.
fn energies(a: f64) -> [f64; 2] {
    let ([l1, l2, l3, _], [b, c, rb, rc]) = (LINKS, linkage(a));
    let inertia =
        l1 * l1 / 3.0 + l1 * l1 + l2 * l2 * rb * rb / 3.0 + l1 * l2 * rb * (a - b).cos() + l3 * l3 * rc * rc / 3.0;
    [inertia, 9.81 * (1.5 * l1 * a.sin() + 0.5 * l2 * b.sin() + 0.5 * l3 * c.sin())]
}

/// A turn of the crank of a four-bar linkage under a torque: by its energy, the time is a quadrature over its angle.
#[test]
fn a_four_bar_linkage_turns_in_the_time_of_its_quadrature() {
    let (torque, speed) = (20.0, 6.0);
    let [b, c, rb, rc] = linkage(1.0);
    let text = |more: &str| {
        format!(
            "format = 1\nname = \"four-bar\"\n[lagrangian]\ncoordinates = [\"a\", \"b\", \"c\"]\nvelocities = [\"wa\", \"wb\", \"wc\"]\n\
             L = \"0.5*(wa^2/3 + wa^2 + 3*wb^2 + 3*wa*wb*cos(a-b) + 2.5^2/3*wc^2) - 9.81*(1.5*sin(a) + 1.5*sin(b) + 1.25*sin(c))\"\n\
             forces = [{torque:?}, 0, 0]\n[constraints.along]\nkeep = \"cos(a) + 3*cos(b) - 3 - 2.5*cos(c)\"\n\
             [constraints.across]\nkeep = \"sin(a) + 3*sin(b) - 2.5*sin(c)\"\n{more}[start]\na = 1\nb = {b:?}\nc = {c:?}\nwa = {speed:?}\nwb = {:?}\nwc = {:?}\n",
            speed * rb,
            speed * rc
        )
    };
    let [inertia, height] = energies(1.0);
    let whole = 0.5 * inertia * speed * speed + height;
    let rate = |a: f64| {
        let [inertia, height] = energies(a);
        (2.0 * (whole + torque * (a - 1.0) - height) / inertia).sqrt()
    };
    // Gauss's rule of three points on many parts of a turn.
    let (parts, node) = (4000, 0.6_f64.sqrt());
    let width = std::f64::consts::TAU / f64::from(parts);
    let time: f64 = (0..parts)
        .map(|k| {
            let middle = 1.0 + (f64::from(k) + 0.5) * width;
            let at = |share: f64| 1.0 / rate(middle + 0.5 * width * share);
            width * (5.0 * at(-node) + 8.0 * at(0.0) + 5.0 * at(node)) / 18.0
        })
        .sum();
    let end = 1.0 + std::f64::consts::TAU;
    let [b, c, rb, rc] = linkage(end);
    let expected = [end, b, c, rate(end), rb * rate(end), rc * rate(end)];
    // One that says the same again, in other words and other units, changes nothing.
    let again = "[constraints.again]\nkeep = \"7*(cos(a) + 3*cos(b) - 3 - 2.5*cos(c)) - 4*(sin(a) + 3*sin(b) - 2.5*sin(c))\"\n\
                 [constraints.rates]\nrate = \"-sin(a)*wa - 3*sin(b)*wb + 2.5*sin(c)*wc\"\n";
    for more in ["", again] {
        let (system, values) = parse(&text(more));
        let motion = run(&system, &values, time);
        assert_eq!(motion.ended, Ended::ReachedTime);
        assert_all_close(&motion.state, &expected, 1e-9);
        assert_eq!(system.constrained_dimensions(), 4);
    }
    let model = Model::parse(&text(again), "four-bar.toml").unwrap();
    let report = model.check(&Overrides::default()).unwrap();
    let redundant = report.constraints.iter().filter(|constraint| constraint.redundant).map(|c| c.name.as_str());
    assert_eq!(redundant.collect::<Vec<&str>>(), ["again", "rates"]);
    assert_eq!(report.warnings.len(), 2);
}

/// Three equal cranks with one coupler: the third one says what the others do. Where all are straight they may go on in two ways, and the motion ends by name.
#[test]
fn a_parallelogram_falls_as_a_pendulum_to_its_singular_place() {
    let crank = |name: &str| {
        format!(
            "[constraints.{name}x]\nkeep = \"x - cos({name})\"\n[constraints.{name}y]\nkeep = \"y - sin({name})\"\n"
        )
    };
    let text = format!(
        "format = 1\nname = \"parallelogram\"\n[mechanics]\ncoordinates = [\"a\", \"b\", \"c\", \"x\", \"y\"]\nvelocities = [\"wa\", \"wb\", \"wc\", \"u\", \"v\"]\n\
         M = {{ diagonal = [0.3, 0.3, 0.3, 1, 1] }}\nh = [\"-4*cos(a)\", \"-4*cos(b)\", \"-4*cos(c)\", 0, -9.81]\n{}{}{}\
         [start]\na = 1\nb = 1\nc = 1\nx = \"cos(1)\"\ny = \"sin(1)\"\nwa = 0\nwb = 0\nwc = 0\nu = 0\nv = 0\n",
        crank("a"),
        crank("b"),
        crank("c")
    );
    let (system, values) = parse(&text);
    assert_eq!(system.constraint_forces(), 4);
    let motion = run(&system, &values, 2.0);
    assert!(matches!(motion.ended, Ended::SingularConstraints { .. }), "{:?}", motion.ended);
    // All angles are that of a pendulum.
    let (reduced, own) = parse(
        "format = 1\nname = \"pendulum\"\n[mechanics]\ncoordinates = [\"a\"]\nvelocities = [\"w\"]\nM = [[1.9]]\nh = [\"-(12 + 9.81)*cos(a)\"]\n[start]\na = 1\nw = 0\n",
    );
    let expected = run(&reduced, &own, motion.time);
    assert!(expected.state[0].abs() < 1e-3);
    for k in 0..3 {
        assert_close(motion.state[k], expected.state[0], 1e-8);
        assert_close(motion.state[5 + k], expected.state[1], 1e-6);
    }
}

/// A disc that rolls down to a wall, and back: g sin(0.3)/(1 + J/(m r^2)), and speeds times the restitution.
#[test]
fn a_disc_rolls_without_slip() {
    let (system, values) = parse(
        "format = 1\nname = \"disc\"\n[parameters]\nr = 0.4\n[mechanics]\ncoordinates = [\"x\", \"th\"]\nvelocities = [\"u\", \"w\"]\nM = { diagonal = [2, 0.16] }\n\
         h = [\"2*9.81*sin(0.3)\", 0]\n[constraints.rolling]\nrate = \"u - r*w\"\n[contacts.wall]\ngap = \"1 - x\"\nrestitution = 0.6\n[start]\nx = 0\nth = 0\nu = 0\nw = 0\n",
    );
    let motion = run(&system, &values, 2.5);
    let slope = 9.81 * 0.3_f64.sin() / 1.5;
    let (first, speed) = ((2.0 / slope).sqrt(), (2.0 * slope).sqrt());
    let impacts: Vec<_> = motion.events.iter().filter(|event| event.kind == EventKind::Impact).collect();
    assert_close(impacts[0].time, first, 1e-12);
    assert_close(impacts[0].speed_before, -speed, 1e-12);
    assert_close(impacts[1].time, first + 2.0 * 0.6 * speed / slope, 1e-12);
    // The disc has turned as it has rolled.
    assert_close(motion.state[0], 0.4 * motion.state[1], 1e-13);
    assert_close(motion.state[2], 0.4 * motion.state[3], 1e-13);
}

/// A blade on an inclined plane turns with a constant speed w and runs along its edge with s = s0 + (g/w) (sin th - sin th0) (Caratheodory's sleigh with its mass above the blade).
#[test]
fn a_blade_runs_along_its_edge() {
    let (system, values) = parse(
        "format = 1\nname = \"blade\"\n[mechanics]\ncoordinates = [\"x\", \"y\", \"th\"]\nvelocities = [\"u\", \"v\", \"w\"]\nM = { diagonal = [1, 1, 0.5] }\nh = [2, 0, 0]\n\
         [constraints.edge]\nrate = \"u*sin(th) - v*cos(th)\"\n[start]\nx = 0\ny = 0\nth = 0.3\nu = \"cos(0.3)\"\nv = \"sin(0.3)\"\nw = 1.4\n",
    );
    let motion = run(&system, &values, 5.0);
    let (th, th0): (f64, f64) = (0.3 + 1.4 * 5.0, 0.3);
    let speed = 1.0 + 2.0 / 1.4 * (th.sin() - th0.sin());
    assert_all_close(&motion.state[2..], &[th, speed * th.cos(), speed * th.sin(), 1.4], 1e-11);
    // x' = s cos th.
    let primitive = |th: f64| (1.0 - 2.0 / 1.4 * th0.sin()) * th.sin() + 2.0 / 1.4 * th.sin() * th.sin() / 2.0;
    assert_close(motion.state[0], (primitive(th) - primitive(th0)) / 1.4, 1e-11);
}

/// A slider-crank whose piston has clearance in a rough guide, by its joints and in the angles of crank and rod.
#[test]
fn a_slider_crank_with_clearance_has_the_impacts_of_its_independent_coordinates() {
    let guide = |x: &str, y: &str| {
        format!(
            "[contacts.lower]\ngap = \"{y} + 0.01\"\nrestitution = 0.5\nfriction = {{ law = \"coulomb\", mu = 0.2 }}\ntrack = \"{x}\"\n\
             [contacts.upper]\ngap = \"0.01 - ({y})\"\nrestitution = 0.5\nfriction = {{ law = \"coulomb\", mu = 0.2 }}\ntrack = \"{x}\"\n[impacts]\ntogether = \"lcp\"\n"
        )
    };
    let joints = format!(
        "format = 1\nname = \"slider-crank\"\n[mechanics]\ncoordinates = [\"a\", \"b\", \"x\", \"y\"]\nvelocities = [\"wa\", \"wb\", \"u\", \"v\"]\n\
         M = {{ diagonal = [0.05, 0.1, 1, 1] }}\nh = [\"5 - 0.5*wa\", 0, \"-3*u\", -9.81]\n\
         [constraints.pinx]\nkeep = \"x - 0.3*cos(a) - cos(b)\"\n[constraints.piny]\nkeep = \"y - 0.3*sin(a) - sin(b)\"\n{}\
         [start]\na = 0.3\nb = \"-asin(0.3*sin(0.3))\"\nx = \"0.3*cos(0.3) + cos(asin(0.3*sin(0.3)))\"\ny = 0\nwa = 0\nwb = 0\nu = 0\nv = 0\n",
        guide("x", "y")
    );
    let (x, y) = ("0.3*cos(a) + cos(b)", "0.3*sin(a) + sin(b)");
    let (u, v) = ("(-0.3*sin(a)*wa - sin(b)*wb)", "(0.3*cos(a)*wa + cos(b)*wb)");
    let angles = format!(
        "format = 1\nname = \"slider-crank\"\n[lagrangian]\ncoordinates = [\"a\", \"b\"]\nvelocities = [\"wa\", \"wb\"]\n\
         L = \"0.5*(0.05*wa^2 + 0.1*wb^2 + {u}^2 + {v}^2) - 9.81*({y})\"\nforces = [\"5 - 0.5*wa + 3*{u}*0.3*sin(a)\", \"3*{u}*sin(b)\"]\n{}\
         [start]\na = 0.3\nb = \"-asin(0.3*sin(0.3))\"\nwa = 0\nwb = 0\n",
        guide(x, y)
    );
    let ((system, values), (reduced, own)) = (parse(&joints), parse(&angles));
    let (motion, expected) = (run(&system, &values, 1.2), run(&reduced, &own, 1.2));
    assert_eq!((&motion.ended, &expected.ended), (&Ended::ReachedTime, &Ended::ReachedTime));
    let told = |run: &saltation_motion::Run| run.events.iter().map(|e| (e.kind, e.contact)).collect::<Vec<_>>();
    assert_eq!(told(&motion), told(&expected));
    assert!(motion.events.len() > 10, "{}", motion.events.len());
    for (event, other) in motion.events.iter().zip(&expected.events) {
        assert_close(event.time, other.time, 1e-9);
        assert_close(event.speed_before, other.speed_before, 1e-7);
    }
    assert_all_close(&motion.state[..2], &expected.state[..2], 1e-8);
}

/// A start beside the constraints is moved onto them; one that is far from them, and constraints that are wrong, are refused by name.
#[test]
fn starts_and_constraints_that_are_wrong_are_refused() {
    let body = |constraints: &str, start: &str| {
        format!(
            "format = 1\nname = \"body\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\nM = {{ diagonal = [1, 1] }}\nh = [0, -9.81]\n{constraints}\n[start]\n{start}\n"
        )
    };
    let rod = "[constraints.rod]\nkeep = \"x^2 + y^2 - 1\"\n";
    let start = "x = 0.6\ny = -0.8\nu = 0.8\nv = 0.6";
    let refused = |constraints: &str, start: &str| {
        let model = Model::parse(&body(constraints, start), "body.toml");
        let mistakes = model.and_then(|model| model.values(&Overrides::default()));
        mistakes.expect_err("it is refused").to_string()
    };
    let (_, values) = parse(&body(rod, "x = 0.601\ny = -0.8\nu = 0.8\nv = 0.6"));
    let shift = values.start_shift();
    assert!((-1e-3..-3e-4).contains(&shift[0]) && shift[3] != 0.0, "{shift:?}");
    assert_close(values.start()[0].hypot(values.start()[1]), 1.0, 1e-15);
    let (_, values) = parse(&body(rod, start));
    assert!(values.start_shift().is_empty());
    for (constraints, start, message) in [
        (rod, "x = 3\ny = -4\nu = 0\nv = 0", "the start is far from the constraints: `rod` is 24"),
        (
            rod,
            "x = 0.6\ny = -0.8\nu = 6\nv = -8",
            "the velocities of the start are far from what the constraints allow",
        ),
        (rod, "x = 0\ny = 0\nu = 0\nv = 0", "the constraints are singular at the start"),
        ("[constraints.rod]\nkeep = \"x - x + 1\"", start, "`rod` does not depend on any coordinate"),
        ("[constraints.rod]\nrate = \"x + y\"", start, "`rod` does not depend on any velocity"),
        (
            "[constraints.rod]\nkeep = \"x + u\"",
            start,
            "a constraint on positions cannot depend on `u`, which is a velocity",
        ),
        ("[constraints.rod]\nkeep = \"x\"\nrate = \"u\"", start, "has `keep` and `rate`"),
        ("[constraints.rod]\nkeep = \"abs(x) - 0.6\"", start, "abs"),
        (&format!("{rod}[constraints.other]\nkeep = \"x^2 + y^2 - 1.2\"\n"), start, "contradicts the others"),
        (
            &format!("{rod}[contacts.same]\ngap = \"sqrt(x^2 + y^2) - 1\"\nrestitution = 0.5\n"),
            start,
            "the constraints hold the gap of contact `same`",
        ),
        (
            &format!("{rod}[contacts.rod]\ngap = \"x\"\nrestitution = 0.5\n"),
            start,
            "the name of a contact and of a constraint",
        ),
    ] {
        let told = refused(constraints, start);
        assert!(told.contains(message), "{constraints}: {told}");
    }
    let flow = "format = 1\nname = \"flow\"\n[flow]\nx = \"y\"\ny = \"-x\"\n[constraints.rod]\nkeep = \"x^2 + y^2 - 1\"\n[start]\nx = 1\ny = 0\n";
    let told = Model::parse(flow, "flow.toml").expect_err("a flow has no forces").to_string();
    assert!(told.contains("in a [flow] remove a state"), "{told}");
}

/// The slider-crank of the gallery in the angles of its three parts.
fn slider_crank_in_angles() -> String {
    let text = gallery::find("slider-crank").expect("listed");
    let (head, rest) = text.split_once("# The end of the rod").expect("it says so");
    let (contacts, end) =
        rest.split_once("[contacts.lower_left]").expect("it has").1.split_once("[start]").expect("it has");
    let start = end.split_once("[sketch]").expect("it has").0;
    let head = head
        .replace("\"a\", \"b\", \"x\", \"y\", \"th\"", "\"a\", \"b\", \"th\"")
        .replace("\"wa\", \"wb\", \"u\", \"v\", \"w\"", "\"wa\", \"wb\", \"w\"");
    let places = "[definitions]\nx = \"l1*cos(a) + l2*cos(b)\"\ny = \"l1*sin(a) + l2*sin(b)\"\nu = \"-l1*sin(a)*wa - l2*sin(b)*wb\"\nv = \"l1*cos(a)*wa + l2*cos(b)*wb\"\n";
    let kept = |line: &&str| !["x =", "y =", "u =", "v ="].iter().any(|own| line.starts_with(own));
    let start: Vec<&str> = start.lines().filter(kept).collect();
    format!("{}[contacts.lower_left]{contacts}[start]{}\n", head.replace("[definitions]\n", places), start.join("\n"))
}

/// The slider-crank of the gallery, whose slider tilts and strikes with four corners, against the same in the angles of its three parts: flat impacts strike two corners at once, in an order of rounding,
/// and sequences between which another corner strikes are completed where their predictions settle within 1e-8.
#[test]
fn the_slider_crank_of_the_gallery_moves_as_in_the_angles_of_its_parts() {
    let reduced = slider_crank_in_angles();
    let text = gallery::find("slider-crank").expect("listed");
    let ((system, values), (other, own)) = (parse(text), parse(&reduced));
    let (motion, expected) = (run(&system, &values, 0.1), run(&other, &own, 0.1));
    assert_eq!((&motion.ended, &expected.ended), (&Ended::ReachedTime, &Ended::ReachedTime));
    let pick = |state: &[f64], places: [usize; 6]| places.map(|i| state[i]);
    let (here, there) = (pick(&motion.state, [0, 1, 4, 5, 6, 9]), pick(&expected.state, [0, 1, 2, 3, 4, 5]));
    assert_all_close(&here[..3], &there[..3], 1e-9);
    assert_all_close(&here[3..], &there[3..], 1e-7);
    let told = |run: &saltation_motion::Run| {
        let lasting = [EventKind::Chatter, EventKind::Slip, EventKind::Release];
        let of = |e: &&saltation_motion::Event| lasting.contains(&e.kind);
        run.events.iter().filter(of).map(|e| (e.kind, e.time)).collect::<Vec<_>>()
    };
    let (events, others) = (told(&motion), told(&expected));
    assert!(events.len() == others.len() && events.len() > 10, "{} and {}", events.len(), others.len());
    for ((kind, time), (same, at)) in events.into_iter().zip(others) {
        assert_eq!(kind, same);
        assert_close(time, at, 1e-8);
    }
}

/// The same by time stepping in the angles, which knows no events, no constraints and no accelerations of contacts: it converges to the motion with joints with the first power of the step.
#[test]
fn the_slider_crank_of_the_gallery_is_what_time_stepping_converges_to() {
    let until = 0.05;
    let (system, values) = parse(gallery::find("slider-crank").expect("listed"));
    let motion = run(&system, &values, until);
    assert!(motion.ended == Ended::ReachedTime && motion.events.len() > 10);
    let exact = [0, 1, 4].map(|i| motion.state[i]);
    let model = Model::parse(&slider_crank_in_angles(), "reduced.toml").unwrap();
    let own = model.values(&Overrides::default()).unwrap();
    let error = |steps: f64| {
        let settings = SteppingSettings { tolerance: 1e-12, ..SteppingSettings::new(until / steps, until) };
        let mut stepping = Stepping::new(&model, &own, settings).unwrap();
        while stepping.advance() {}
        let differences = exact.iter().zip(stepping.state()).map(|(a, b)| (a - b).abs());
        differences.fold(0.0, f64::max) * steps
    };
    // An event falls anywhere within its step: the mean over steps of several lengths.
    let mean = |steps: f64| (0..8).map(|k| error((steps * (1.0 + f64::from(k) / 8.0)).round())).sum::<f64>() / 8.0;
    let errors = [mean(1000.0), mean(4000.0)];
    assert!((0.5..2.0).contains(&(errors[1] / errors[0])), "{errors:?}");
    assert!(errors[1] / 4000.0 < 1e-4, "{errors:?}");
}
