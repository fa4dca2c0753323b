//! Boundaries of branches of forced orbits, for every origin of the phase of the force: closed forms, and orbits that attract motions on either side. All
//! cases were found by the adversary's family `branches`.

use crate::common::{assert_close, parse, settled};
use saltation_model::{Model, Overrides};
use saltation_motion::{EventKind, System};
use saltation_orbit::branch::{self, Branch, Ended, SpecialKind, Vanishing};
use saltation_orbit::{Orbit, Settings, find};
use std::f64::consts::TAU;

/// A forced body of one coordinate: the numbers, the force, the tables of its contacts, and its start.
struct Forced {
    numbers: &'static str,
    force: &'static str,
    contacts: &'static str,
    start: (f64, f64),
}

impl Forced {
    fn text(&self) -> String {
        let Forced { numbers, force, contacts, start } = self;
        format!(
            "format = 1\nname = \"forced\"\n[parameters]\n{numbers}\ns = 0\n[phase.phi]\nrate = \"om\"\nperiod = \"2*pi\"\n[mechanics]\n\
             coordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"{force}\"]\n{contacts}\n[start]\nx = {:?}\nv = {:?}\nphi = 0\n",
            start.0, start.1
        )
    }

    /// The attracting orbit of a given number of returns and its branch, with another origin of the phase.
    fn branch(&self, shift: f64, returns: u64, along: &str, range: (f64, f64)) -> (Orbit, Branch) {
        branch_of(&self.text(), shift, returns, along, range)
    }
}

fn branch_of(text: &str, shift: f64, returns: u64, along: &str, range: (f64, f64)) -> (Orbit, Branch) {
    let model = Model::parse(text, "test.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let set = vec![("s".to_string(), format!("{shift:?}"))];
    let following = model.values(&Overrides { set, start: vec![] }).and_then(|values| values.along(&[along])).unwrap();
    let system = System::new(&model);
    let orbit = settled(&system, &following, returns, 400);
    let settings = branch::Settings::between(range.0, range.1);
    let branch = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).unwrap().swap_remove(0);
    (orbit, branch)
}

/// The special points: kind, value, and whether they are admissible.
fn told(branch: &Branch) -> Vec<(SpecialKind, f64, bool)> {
    branch.special.iter().map(|one| (one.kind, branch.value(&one.point), one.point.admissible)).collect()
}

fn only_border(branch: &Branch, value: f64, accuracy: f64) {
    let told = told(branch);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0].0, told[0].2), (SpecialKind::Boundary, true));
    assert_close(told[0].1, value, accuracy);
}

const WALL: &str = "[contacts.wall]\ngap = \"d - x\"\nrestitution = \"r\"";
const WALLS: &str =
    "[contacts.low]\ngap = \"x + e\"\nrestitution = \"r\"\n[contacts.high]\ngap = \"d - x\"\nrestitution = \"r\"";
const TABLE: &str = "[contacts.table]\ngap = \"x\"\nrestitution = \"r\"";
const SHAKEN: &str = "[contacts.table]\ngap = \"x - A*cos(phi + s)\"\nrestitution = \"r\"";

/// A body stays in contact with a wall at d, until A cos(phi) - k d falls to zero: at d = -A/k the flight vanishes, and all impacts with it.
#[test]
fn a_flight_vanishes_with_all_its_impacts() {
    let member =
        |numbers| Forced { numbers, force: "A*cos(phi + s) - 2*z*v - k*x", contacts: WALL, start: (-1.0, 0.1) };
    let one = member("z = 0.05\nk = 1.1\nom = 1.9\nr = 0.9\nA = 0.8\nd = -0.7");
    let many = member("z = 0.1\nk = 1.0\nom = 2.0\nr = 0.7\nA = 0.6\nd = -0.5");
    for (member, range, value) in [(one, (-0.87, -0.65), -0.8 / 1.1), (many, (-0.77, -0.5), -0.6)] {
        let (_, branch) = member.branch(0.0, 1, "d", range);
        assert!(branch.ended[0].border() == Some(SpecialKind::Boundary), "{:?}", branch.ended);
        only_border(&branch, value, 1e-12);
    }
}

/// A ball leaves a table that shakes with A cos(phi) as long as g is less than A om^2. What is near that border is small, and no less a motion.
#[test]
fn short_flights_are_motions_up_to_their_border() {
    let numbers = "g = 1.8\nr = 0.0\nA = 0.3\nom = 2.6\nz = 0.0";
    let ball = Forced { numbers, force: "-g - z*v", contacts: SHAKEN, start: (1.0, 0.0) };
    for shift in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] {
        let (_, branch) = ball.branch(shift, 1, "g", (1.8, 2.2));
        only_border(&branch, 0.3 * 2.6 * 2.6, 1e-12);
        assert!(branch.points.iter().all(|point| point.admissible), "s = {shift}");
    }
    let numbers = "g = 0.8204\nr = 0.6\nA = 0.92\nom = 2.0\nz = 0.1";
    let spring = Forced { numbers, force: "A*cos(phi + s) - g - z*v - 0.3*x", contacts: TABLE, start: (0.5, 0.0) };
    for shift in [0.0, 1.0, 2.0] {
        let (_, branch) = spring.branch(shift, 1, "g", (0.8204, 1.12472));
        only_border(&branch, 0.92, 1e-12);
        assert!(branch.points.iter().all(|point| point.admissible), "s = {shift}");
    }
}

/// Where the coordinate is zero at all events and on the section, its size is that of the flight.
#[test]
fn a_coordinate_that_is_zero_at_all_events_does_not_shorten_steps() {
    let numbers = "g = 0.6271\nr = 0.0\nA = 0.635\nom = 3.0\nz = 0.0";
    let body = Forced { numbers, force: "A*cos(phi + s) - g - z*v - 0.3*x", contacts: TABLE, start: (0.5, 0.0) };
    let (_, branch) = body.branch(3.0, 1, "g", (0.6271, 0.71));
    assert!(branch.points.len() < 100);
    only_border(&branch, 0.635, 1e-12);
}

/// A body that nothing moves: its force on the wall is least once in a period, wherever the phase begins.
#[test]
fn a_phase_at_which_nothing_happens_is_no_border() {
    let numbers = "z = 0.05\nk = 1.0\nom = 3.0\nr = 0.0\nA = 0.5\nd = -0.6\nc = 0.0";
    let body = Forced { numbers, force: "A*cos(phi + s) - 2*z*v - k*x", contacts: WALL, start: (-0.9, 0.1) };
    for shift in [0.0, 1.0, 3.0, std::f64::consts::PI] {
        let (_, branch) = body.branch(shift, 1, "d", (-0.6, -0.41));
        only_border(&branch, -0.5, 1e-12);
    }
}

/// After an impact without restitution the contact opens only if the force on it pulls: the border is where that is zero, not where the body would sink in.
#[test]
fn an_impact_without_restitution_leaves_only_where_the_force_pulls() {
    let numbers = "z = 0.1\nk = 1.761\nom = 1.896\nr = 0.0\nA = 1.099\nd = 0.4792\ne = 0.608\nc = 0.9754";
    let force = "A*cos(phi + s) - 2*z*v - k*x - c*x^3";
    let contacts =
        "[contacts.low]\ngap = \"x + e\"\nrestitution = \"r\"\n[contacts.high]\ngap = \"d - x\"\nrestitution = \"r\"";
    let body = Forced { numbers, force, contacts, start: (0.0, 0.1) };
    let (_, branch) = body.branch(0.0, 1, "e", (0.486769, 0.904654));
    let borders: Vec<f64> = told(&branch).iter().map(|one| one.1).collect();
    assert!(branch.special.iter().all(|one| one.kind == SpecialKind::Boundary && one.point.admissible));
    assert_eq!(borders.len(), 2, "{borders:?}");
    // Attracting orbits on either side stick between the boundaries and not beyond.
    let sticks = |e: f64| {
        let (system, values) = parse(&body.text().replace("e = 0.608", &format!("e = {e:?}")));
        settled(&system, &values, 1, 400).count(EventKind::Stick)
    };
    for (border, inside) in [(borders[0], 1e-4), (borders[1], -1e-4)] {
        assert_eq!((sticks(border + inside), sticks(border - inside)), (1, 0), "{border}");
    }
}

/// A flight after an impact without restitution begins with no speed: no sign of its rounding makes it a graze.
#[test]
fn no_speed_after_an_impact_is_no_graze() {
    let numbers = "g = 0.8\nr = 0.0\nA = 2.1\nom = 1.3\nz = 0.0";
    let ball = Forced { numbers, force: "-g - z*v", contacts: SHAKEN, start: (2.8, 0.0) };
    let mut values = Vec::new();
    for shift in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] {
        let (_, branch) = ball.branch(shift, 2, "A", (2.1, 2.6));
        values.push(branch.value(&branch.special[0].point));
        only_border(&branch, values[0], 1e-12);
    }
}

/// The period of a forced orbit is that of its turns, however near the loss of a contact after chattering.
#[test]
fn periods_are_those_of_the_phase() {
    let numbers = "g = 0.9\nr = 0.532\nA = 0.3535\nom = 1.845\nz = 0.0";
    let ball = Forced { numbers, force: "-g - z*v", contacts: SHAKEN, start: (1.05, 0.0) };
    let (orbit, branch) = ball.branch(0.0, 1, "g", (0.590314, 1.35941));
    assert_eq!(branch.ended[0].border(), Some(SpecialKind::StickLoss));
    for point in &branch.points {
        assert_close(point.period, orbit.returns as f64 * TAU / 1.845, 1e-14);
    }
}

/// Both stops of a symmetric orbit with friction begin at the edge of their cones together: both borders are admissible, in any order.
#[test]
fn borders_of_a_symmetric_orbit_are_all_admissible() {
    let text = "format = 1\nname = \"block\"\n[parameters]\nk = 0.8\nz = 0.09\nN = 1.5\nmu = 0.677\nA = 1.551\nom = 1.692\nb = 0.0\ns = 0\n\
        [phase.phi]\nrate = \"om\"\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\n\
        M = [[1, 0], [0, 1]]\nh = [\"A*cos(phi + s) - k*x - z*u\", \"-N\"]\n[contacts.t]\ngap = \"y\"\ntrack = \"x\"\nbelt = \"b\"\n\
        restitution = 0\nfriction = { law = \"coulomb\", mu = \"mu\" }\n[start]\nx = 0.3\ny = 0.0\nu = 0.2\nw = 0.0\nphi = 0\n";
    for shift in [0.0, 1.0, 2.0, 3.0] {
        let (_, branch) = branch_of(text, shift, 1, "mu", (0.342502, 0.6773));
        let told = told(&branch);
        assert_eq!(told.len(), 2, "{told:?}");
        for (kind, value, admissible) in told {
            assert_eq!((kind, admissible), (SpecialKind::Boundary, true), "s = {shift}");
            assert_close(value, 0.6070042679527053, 1e-10);
        }
    }
}

/// Every reported state is a valid start.
#[test]
fn states_at_rest_can_be_begun_from() {
    let text = "format = 1\nname = \"block\"\n[parameters]\nk = 1.3\nz = 0.01\nN = 1.0\nmu = 0.68\nA = 0.711\nom = 0.75\nb = 0.2\ns = 0\n\
        [phase.phi]\nrate = \"om\"\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\n\
        M = [[1, 0], [0, 1]]\nh = [\"A*cos(phi + s) - k*x - z*u\", \"-N\"]\n[contacts.t]\ngap = \"y\"\ntrack = \"x\"\nbelt = \"b\"\n\
        restitution = 0\nfriction = { law = \"coulomb\", mu = \"mu\" }\n[start]\nx = 0.3\ny = 0.0\nu = 0.2\nw = 0.0\nphi = 0\n";
    let (_, branch) = branch_of(text, 0.0, 1, "N", (0.95, 1.2));
    let model = Model::parse(text, "test.toml").unwrap();
    let system = System::new(&model);
    for point in branch.points.iter().filter(|point| point.admissible) {
        let start = system.state_names().iter().zip(&point.state).map(|(n, x)| (n.to_string(), format!("{x:?}")));
        let set = vec![("N".to_string(), format!("{:?}", branch.value(point)))];
        let values = model.values(&Overrides { set, start: start.collect() }).unwrap();
        let settings = Settings::through(system.default_section().unwrap());
        assert!(find(&system, &values, &settings, &mut |_| true).orbit.is_some(), "{:?}", point.state);
    }
}

/// A contact after chattering is lost where the impacts accumulate at a force of zero. The ratio of speeds was taken from impacts of rounding: limits that are none,
/// and a `chatter_loss` beside the border.
#[test]
fn a_contact_after_chattering_is_lost_where_motions_lose_it() {
    let force = "A*cos(phi + s) - g - z*v - 0.3*x";
    let numbers = "g = 0.2284\nr = 0.1207\nA = 1.396\nom = 2.44\nz = 0.05";
    let spring = Forced { numbers, force, contacts: TABLE, start: (0.5, 0.0) };
    let numbers = "g = 0.7299\nr = 0.1123\nA = 0.3322\nom = 2.984\nz = 0.1";
    let ball = Forced { numbers, force: "-g - z*v", contacts: SHAKEN, start: (0.5, 0.0) };
    let cases = [
        (&spring, "om", 4, (2.0, 3.0), "om = 2.44", [2.389213510282, 2.776272072019]),
        (&ball, "r", 8, (0.09, 0.13), "r = 0.1123", [0.107370784711433, 0.113728510011]),
    ];
    for (member, along, returns, range, own, borders) in cases {
        for shift in [0.0, 1.0, 2.0] {
            let (_, branch) = member.branch(shift, returns, along, range);
            let told = told(&branch);
            assert_eq!(told.len(), 2, "s = {shift}: {told:?}");
            for (one, border) in told.iter().zip(borders) {
                assert_eq!((one.0, one.2), (SpecialKind::StickLoss, true), "s = {shift}");
                assert_close(one.1, border, 1e-11);
            }
        }
        // Attracting orbits on either side stick inside and not beyond.
        let sticks = |value: f64| {
            let (system, values) = parse(&member.text().replace(own, &format!("{along} = {value:?}")));
            settled(&system, &values, returns, 2000).count(EventKind::Stick)
        };
        for (border, inside) in [(borders[0], 1e-6), (borders[1], -1e-6)] {
            assert_eq!((sticks(border + inside), sticks(border - inside)), (1, 0), "{along} = {border}");
        }
    }
}

/// Which impacts belong to a sequence does not depend on the section: those whose flights press the contact all the time.
#[test]
fn chattering_begins_at_the_same_impact_on_every_section() {
    let numbers = "g = 0.2284\nr = 0.1207\nA = 1.396\nom = 2.44\nz = 0.05";
    let spring = Forced { numbers, force: "A*cos(phi + s) - g - z*v - 0.3*x", contacts: TABLE, start: (0.5, 0.0) };
    for shift in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] {
        let (orbit, branch) = spring.branch(shift, 4, "om", (2.4, 2.5));
        let counts = [EventKind::Impact, EventKind::Chatter, EventKind::Stick].map(|kind| orbit.count(kind));
        assert_eq!((counts, branch.signature.nodes.len()), ([3, 1, 1], 5), "s = {shift}");
    }
    // From the fourth of these sections the branch did not begin: the sequence was one impact of rounding.
    let numbers = "z = 0.05\nk = 1.9\nom = 1.0\nr = 0.06\nA = 1.6\nd = 0.62\ne = 1.0\nc = 0.8";
    let body = Forced { numbers, force: "A*cos(phi + s) - 2*z*v - k*x - c*x^3", contacts: WALLS, start: (0.0, 0.1) };
    for shift in [0.0, 1.0, 2.0, 3.0] {
        let (_, branch) = body.branch(shift, 1, "d", (0.62, 0.74547));
        let told = told(&branch);
        assert_eq!((told.len(), told[0].0), (1, SpecialKind::StickLoss), "s = {shift}: {told:?}");
        assert_close(told[0].1, 0.641495494836, 1e-11);
    }
}

/// Between two walls without a spring a motion is symmetric about the middle: both contacts are lost together, and both are named.
#[test]
fn mirror_images_are_lost_together() {
    let numbers = "z = 0.01\nk = 0.0\nom = 0.9\nr = 0.24\nA = 1.1\nd = 0.7\ne = 0.4\nc = 0.0";
    let body = Forced { numbers, force: "A*cos(phi + s) - 2*z*v - k*x - c*x^3", contacts: WALLS, start: (0.0, 0.1) };
    for shift in [0.0, 1.0, 2.0, 3.0] {
        let (_, branch) = body.branch(shift, 1, "r", (0.24, 0.42));
        let lost: Vec<(SpecialKind, Option<usize>)> =
            branch.special.iter().map(|one| (one.kind, one.contact)).collect();
        assert_eq!(lost, [(SpecialKind::StickLoss, Some(0)), (SpecialKind::StickLoss, Some(1))], "s = {shift}");
        for one in &branch.special {
            assert_close(branch.value(&one.point), 0.274269743333788, 1e-11);
        }
    }
    let sticks = |r: f64| {
        let (system, values) = parse(&body.text().replace("r = 0.24", &format!("r = {r:?}")));
        settled(&system, &values, 1, 400).count(EventKind::Stick)
    };
    assert_eq!((sticks(0.2742697), sticks(0.2742698)), (2, 0));
}

/// A ball without restitution lands where the table leaves it, and flies for one period: (A om^2)^2 = g^2 (1 + pi^2). There the orbit with a contact in every
/// second period is one; on both sides of that point it is none.
#[test]
fn an_orbit_between_virtual_ones_is_admissible() {
    let numbers = "g = 1.5\nr = 0.0\nA = 1.4\nom = 2.1\nz = 0.0";
    let ball = Forced { numbers, force: "-g - z*v", contacts: SHAKEN, start: (3.0, 0.0) };
    let alone = (1.5 * (1.0 + std::f64::consts::PI.powi(2)).sqrt() / 1.4).sqrt();
    for shift in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] {
        let (_, branch) = ball.branch(shift, 2, "om", (1.7, 2.1));
        // There the stick of one impact vanishes, and the other impact begins to stick: rounding decides the order of the two.
        let (first, second) = (&branch.special[0], &branch.special[1]);
        let mut kinds = [first.kind, second.kind];
        kinds.sort_by_key(|kind| kind.name());
        assert_eq!(kinds, [SpecialKind::Boundary, SpecialKind::StickLoss], "s = {shift}");
        for one in [first, second] {
            assert!(one.point.admissible, "s = {shift}");
            assert_close(branch.value(&one.point), alone, 1e-13);
        }
        assert!([first.index - 1, second.index + 1].iter().all(|&index| !branch.points[index].admissible));
    }
}

/// A block on a belt of speed b that turns twice in a period, continued to where the slip between them vanishes: with the speed U = A om / |k - om^2 + i z om| of
/// its sliding, U^2 = b^2 + (2 mu N / om)^2.
#[test]
fn a_slip_between_two_reversals_vanishes() {
    let text = "format = 1\nname = \"block\"\n[parameters]\nk = 2.0\nz = 0.09\nN = 1.4\nmu = 0.35\nA = 1.689\nom = 2.0\nb = 0.7678\ns = 0\n\
        [phase.phi]\nrate = \"om\"\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\n\
        M = [[1, 0], [0, 1]]\nh = [\"A*cos(phi + s) - k*x - z*u\", \"-N\"]\n[contacts.t]\ngap = \"y\"\ntrack = \"x\"\nbelt = \"b\"\n\
        restitution = 0\nfriction = { law = \"coulomb\", mu = \"mu\" }\n[start]\nx = 0.3\ny = 0.0\nu = 0.2\nw = 0.0\nphi = 0\n";
    for shift in [0.0, 1.0, 2.0] {
        let (_, branch) = branch_of(text, shift, 1, "om", (1.924, 2.76296));
        let Ended::Vanished { what: Vanishing::Slip } = branch.ended[1] else { panic!("{:?}", branch.ended) };
        let last = branch.special.last().unwrap();
        let om = branch.value(&last.point);
        let (resistance, width) = ((2.0 - om * om).hypot(0.09 * om), 2.0 * 0.35 * 1.4 / om);
        assert_eq!((last.kind, branch.special.len()), (SpecialKind::Boundary, 2), "s = {shift}");
        assert_close(1.689 * om / resistance, 0.7678_f64.hypot(width), 1e-12);
    }
}

/// A flight of more than a period is none of a sequence, whatever its speeds: the graze in it, and the loss of the contact after it, are those of motions.
#[test]
fn long_flights_are_no_part_of_chattering() {
    let numbers = "g = 1.936\nr = 0.4665\nA = 1.061\nom = 1.8\nz = 0.0";
    let text = Forced { numbers, force: "-g - z*v", contacts: SHAKEN, start: (1.5, 0.0) };
    let (_, branch) = text.branch(0.0, 5, "om", (1.8, 2.1));
    let graze = branch.special.iter().find(|one| one.point.admissible).unwrap();
    let (om, gap) = (branch.value(&graze.point), 1e-9);
    assert_eq!((graze.kind, (om - 1.80000727247).abs() < 1e-10), (SpecialKind::Graze, true), "{om}");
    assert!(graze.point.gaps[0].unwrap().abs() < gap);
    let numbers = "g = 1.332\nr = 0.3613\nA = 1.071\nom = 2.126\nz = 0.0";
    let ball = Forced { numbers, force: "-g - z*v", contacts: SHAKEN, start: (1.5, 0.0) };
    for shift in [0.0, 1.0, 2.0] {
        let (_, branch) = ball.branch(shift, 5, "A", (0.819128, 1.41907));
        let told = told(&branch);
        assert_eq!(told.len(), 2, "s = {shift}: {told:?}");
        for (one, border) in told.iter().zip([0.97073270250919, 1.08625691530186]) {
            assert_eq!((one.0, one.2), (SpecialKind::StickLoss, true), "s = {shift}");
            assert_close(one.1, border, 1e-11);
        }
    }
    let sticks = |a: f64| {
        let (system, values) = parse(&ball.text().replace("A = 1.071", &format!("A = {a:?}")));
        settled(&system, &values, 5, 2000).count(EventKind::Stick)
    };
    assert_eq!([0.970731, 0.970734, 1.086256, 1.086258].map(sticks), [0, 1, 1, 0]);
}

/// Without a spring both walls are grazed together.
#[test]
fn mirror_images_graze_together() {
    let numbers = "z = 0.2\nk = 0.0\nom = 0.62\nr = 0.0\nA = 0.2583\nd = 0.5682\ne = 0.7422\nc = 0.0";
    let body = Forced { numbers, force: "A*cos(phi + s) - 2*z*v - k*x - c*x^3", contacts: WALLS, start: (0.0, 0.1) };
    for shift in [0.0, 1.0, 2.0] {
        let (_, branch) = body.branch(shift, 1, "om", (0.357234, 0.825697));
        let grazes = branch.special.iter().filter(|one| one.kind == SpecialKind::Graze);
        let mut contacts: Vec<Option<usize>> = grazes.map(|one| one.contact).collect();
        contacts.sort_unstable();
        assert_eq!(contacts, [Some(0), Some(1)], "s = {shift}");
        // The smooth motion between the walls has the amplitude A / (om |i om + 2 z|).
        let graze = branch.special.iter().find(|one| one.kind == SpecialKind::Graze).unwrap();
        let om = branch.value(&graze.point);
        assert_close(0.2583 / (om * om.hypot(0.4)), 0.5 * (0.5682 + 0.7422), 1e-9);
    }
}
