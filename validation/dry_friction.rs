//! Dry friction without a contact: against closed forms, the events of a drive train with three clutches, and contacts that are pressed with the same force.

use crate::common::{assert_close, parse, settled};
use saltation_model::{Model, Overrides, Values, gallery};
use saltation_motion::{Ended, EventKind, Motion, Run, Settings, System};
use saltation_orbit::branch;

fn run(system: &System, values: &Values, until: f64) -> Run {
    Motion::new(system, values, Settings { until, ..Settings::default() }).unwrap().run(false, |_| true)
}

/// The kinds of events in the words of friction, with their times.
fn told(system: &System, run: &Run) -> Vec<(EventKind, f64)> {
    let kinds = [EventKind::Stick, EventKind::Slip];
    let told = run.events.iter().map(|event| (event.kind.told(system, event.switch), event.time));
    told.filter(|(kind, _)| kinds.contains(kind)).collect()
}

fn belt(static_limit: &str) -> String {
    format!(
        "format = 1\nname = \"belt\"\n[parameters]\nF = 0.3\nFs = 0.5\nv0 = 0.2\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-x\"]\n\
         [friction.pad]\ntrack = \"x\"\nforce = \"F\"\n{static_limit}belt = \"v0\"\n[sections.peak]\nwhen = \"v\"\ndirection = \"falling\"\n[start]\nx = 0\nv = 0.2\n"
    )
}

/// A mass on a belt (Den Hartog 1931; Leine and Nijmeijer 2004): it sticks from F - a to F + a with a = F_s - F, and slips on an arc about F: T = 2 a/v0 + 2 pi - 2 atan(a/v0).
#[test]
fn stick_and_slip_on_a_belt_have_the_period_of_the_closed_form() {
    let (system, values) = parse(&belt("static = \"Fs\"\n"));
    let period = |v0: f64| {
        let a: f64 = 0.5 - 0.3;
        2.0 * a / v0 + std::f64::consts::TAU - 2.0 * (a / v0).atan()
    };
    let orbit = settled(&system, &values, 1, 10);
    assert_close(orbit.period, period(0.2), 1e-12);
    assert_eq!(orbit.signature_words(&system), ["stick:pad", "slip:pad"]);
    // It forgets: one multiplier is that of the flow, the other exactly zero.
    assert_close(orbit.multipliers[0].re, 1.0, 1e-12);
    assert_eq!(orbit.multipliers[1].norm(), 0.0);
    let following = values.along(&["v0"]).unwrap();
    let branches = branch::follow(&system, &following, &orbit, &branch::Settings::between(0.1, 0.6), &mut |_, _| true);
    let branch = branches.unwrap().swap_remove(0);
    assert!(branch.points.len() > 10 && branch.points.iter().all(|point| point.admissible));
    for point in &branch.points {
        assert_close(point.period, period(branch.value(point)), 1e-10);
    }
    // Without a limit of its own it comes to sliding at F, where the mass rests.
    let (system, values) = parse(&belt("").replace("Fs = 0.5\n", ""));
    let rest = run(&system, &values, 40.0);
    assert!(rest.events.iter().filter(|event| event.kind == EventKind::Slide).count() < 2, "{:?}", rest.events);
}

/// The drive train `CoupledClutches` of the Modelica Standard Library: events and final speeds by closed forms of its pieces. Its first clutch opens where its normal force turns.
#[test]
fn three_clutches_stick_and_slip_at_the_times_of_their_closed_forms() {
    let (system, values) = crate::common::system("coupled-clutches", &[], &[]);
    let run = run(&system, &values, 1.5);
    assert_eq!(run.ended, Ended::ReachedTime);
    let expected = [
        (EventKind::Stick, 0.709621474694),
        (EventKind::Stick, 0.791662359155),
        (EventKind::Slip, 0.831108506138),
        (EventKind::Stick, 0.906850192798),
        (EventKind::Slip, 1.000295859895),
        (EventKind::Stick, 1.143967492473),
    ];
    let events = told(&system, &run);
    assert_eq!(events.len(), expected.len(), "{events:?}");
    for ((kind, time), (known, at)) in events.into_iter().zip(expected) {
        assert_eq!(kind, known);
        assert_close(time, at, 1e-12);
    }
    assert_close(run.state[4], 3.2470582724188, 1e-12);
    assert_close(run.state[7], 2.4631871666494, 1e-12);
    // What the clutches exchange they do not make: the speeds add up to the impulse of the torque.
    let sum: f64 = run.state[4..8].iter().sum();
    assert_close(sum, 10.0 + 2.0 / std::f64::consts::PI, 1e-12);
}

/// A forced mass on a moving belt: friction without a contact, and by a second body that is pressed on the belt, sixty drawn at random. Every event and the end are the same.
#[test]
fn it_is_the_friction_of_a_contact_that_is_pressed_with_the_force() {
    let mut seed = 7_u64;
    let mut drawn = |low: f64, high: f64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut sticks = 0;
    for member in 0..60 {
        let [a, w, b, n, m, belt, x] =
            [(0.2, 2.0), (0.3, 2.0), (0.0, 0.6), (0.2, 1.5), (0.0, 0.5), (-0.5, 0.5), (-1.0, 1.0)]
                .map(|(low, high)| drawn(low, high));
        let held = if member % 3 == 0 { 0.3 } else { 0.3 + m };
        let head = format!(
            "format = 1\nname = \"member\"\n[phase.s]\nrate = \"{w}\"\nperiod = \"2*pi\"\n[definitions]\nN = \"{n}*(1 + {b}*sin(s))\"\n[mechanics]\n"
        );
        let force = format!("{a}*cos(s) - x - 0.1*v");
        let dry = format!(
            "{head}coordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"{force}\"]\n[friction.pad]\ntrack = \"x\"\nforce = \"0.3*N\"\nstatic = \"{held}*N\"\nbelt = \"{belt}\"\n\
             [start]\nx = {x}\nv = 0\ns = 0\n"
        );
        let pressed = format!(
            "{head}coordinates = [\"x\", \"z\"]\nvelocities = [\"v\", \"u\"]\nM = [[1, 0], [0, 1]]\nh = [\"{force}\", \"-N\"]\n[contacts.pad]\ngap = \"z\"\nrestitution = 0\n\
             friction = {{ law = \"coulomb\", mu = 0.3, mu_static = {held} }}\ntrack = \"x\"\nbelt = \"{belt}\"\n[start]\nx = {x}\nz = 0\nv = 0\nu = 0\ns = 0\n"
        );
        let ((one, at), (two, there)) = (parse(&dry), parse(&pressed));
        let (dry, pressed) = (run(&one, &at, 40.0), run(&two, &there, 40.0));
        assert_eq!((&dry.ended, &pressed.ended), (&Ended::ReachedTime, &Ended::ReachedTime), "{member}");
        let (mine, theirs) = (told(&one, &dry), told(&two, &pressed));
        // What a contact reports of the start is no event of the motion.
        let theirs: Vec<_> = theirs.into_iter().filter(|(_, time)| *time > 0.0).collect();
        assert_eq!(mine.len(), theirs.len(), "{member}: {mine:?}\n{theirs:?}");
        for ((kind, time), (other, then)) in mine.iter().zip(&theirs) {
            assert_eq!(kind, other, "{member}");
            assert_close(*time, *then, 1e-9);
        }
        sticks += mine.iter().filter(|(kind, _)| *kind == EventKind::Stick).count();
        assert_close(dry.state[0], pressed.state[0], 1e-9);
        assert_close(dry.state[1], pressed.state[2], 1e-9);
    }
    assert!(sticks > 50, "{sticks}");
}

/// A clutch whose force turns negative is open: the disc keeps its speed. Under a load it slips before.
#[test]
fn a_negative_force_is_none() {
    let text = "format = 1\nname = \"clutch\"\n[phase.s]\nrate = 1\nperiod = 100\n[mechanics]\ncoordinates = [\"a\", \"b\"]\nvelocities = [\"u\", \"v\"]\nM = [[1, 0], [0, 1]]\nh = [LOAD, 0]\n\
                [friction.clutch]\ntrack = \"a - b\"\nforce = \"1 - s\"\n[start]\na = 0\nb = 0\nu = SPEED\nv = 0\ns = 0\n";
    let (system, values) = parse(&text.replace("SPEED", "3").replace("LOAD", "0"));
    // The speeds approach each other by s - s^2/2 each, until s = 1.
    let open = run(&system, &values, 10.0);
    assert_close(open.state[2], 2.5, 1e-12);
    assert_close(open.state[3], 0.5, 1e-12);
    // Under a load of 1/10 the difference of the speeds is 1/2 - 2 (s - s^2/2) + s/10 until they turn alike, and they do until the force is half the load.
    let (system, values) = parse(&text.replace("SPEED", "0.5").replace("LOAD", "0.1"));
    let alike = run(&system, &values, 10.0);
    assert_eq!(alike.ended, Ended::ReachedTime, "{:?}", alike.events);
    let events = told(&system, &alike);
    assert_eq!(events.len(), 2);
    assert_close(events[0].1, (1.9 - (1.9_f64 * 1.9 - 2.0).sqrt()) / 2.0, 1e-12);
    assert_close(events[1].1, 0.95, 1e-12);
    assert_close(alike.state[2] + alike.state[3], 0.5 + 1.0, 1e-12);
}

#[test]
fn mistakes_are_named_at_their_places() {
    let good = belt("static = \"Fs\"\n");
    for (from, to, message) in [
        ("track = \"x\"", "track = \"2\"", "the track of friction `pad` does not depend on any coordinate"),
        ("Fs = 0.5", "Fs = 0.2", "the static limit 0.2 of friction `pad` is below its force while it slips, 0.3"),
        ("force = \"F\"", "mu = 0.3", "unknown key `mu`"),
        ("force = \"F\"\n", "", "has no `force`"),
        ("h = [\"-x\"]", "h = [\"-x - 0.1*sign(v - v0)\"]", "a formula has the sign of the same speed"),
        (
            "[sections",
            "[friction.other]\ntrack = \"2*x\"\nforce = 1\nbelt = \"2*v0\"\n[sections",
            "rub at the same speed of slip",
        ),
        ("friction.pad", "friction.\"a b\"", "cannot be a name"),
    ] {
        assert!(good.contains(from), "{from}");
        let model = Model::parse(&good.replace(from, to), "test.toml");
        let said = match model {
            Ok(model) => model.values(&Default::default()).expect_err(message).to_string(),
            Err(mistakes) => mistakes.to_string(),
        };
        assert!(said.contains(message), "{said}");
    }
    // Time stepping does not know the static limit.
    let (system, values) = parse(&good);
    let settings = saltation_motion::stepping::SteppingSettings::new(0.01, 1.0);
    let refused = saltation_motion::stepping::Stepping::new(system.model(), &values, settings).err();
    assert_eq!(refused, Some(saltation_motion::stepping::SteppingError::Held("pad".to_string())));
    let flow = "format = 1\nname = \"flow\"\nflow = { x = \"-x\" }\nfriction = { pad = { track = \"x\", force = 1 } }\nstart = { x = 1 }\n";
    let said = Model::parse(flow, "test.toml").expect_err("a flow has no coordinates").to_string();
    assert!(said.contains("dry friction acts on a body with coordinates"), "{said}");
}

/// A contact and a switch may have one name: `stick` is of the contact then.
#[test]
fn words_of_modes_tell_friction_from_contacts() {
    use saltation_motion::Side;
    let find = |name: &str| (name == "wall").then_some(3);
    assert_eq!(Side::in_word("stick:wall", find, |_| false), None);
    assert_eq!(Side::in_word("stick:wall", find, |_| true), Some((3, Side::Sliding)));
    assert_eq!(Side::in_word("slip-:wall", find, |_| true), Some((3, Side::Negative)));
    assert_eq!(Side::in_word("wall:+", find, |_| false), Some((3, Side::Positive)));
}

/// A contact that a constant force presses for ever is friction with a known limit: `check` says so, and the motion without the coordinate of the gap is the same.
#[test]
fn what_check_suggests_for_a_contact_that_never_opens_is_the_same_motion() {
    let text = gallery::find("sliding-block").expect("listed");
    let report =
        |text: &str| Model::parse(text, "m.toml").and_then(|model| model.check(&Overrides::default())).unwrap();
    let suggestions = report(text).suggestions;
    let (_, rest) =
        suggestions[0].split_once("[friction.incline] with track = \"x\" and force = \"").expect("it names them");
    let force = rest.split_once('"').expect("it ends").0;
    let force: f64 = force.split_once('*').expect("mu times it").0.parse().unwrap();
    assert_close(force, 9.81 * 20.0_f64.to_radians().cos(), 1e-4);
    // Where the contact may open, or something else knows its coordinate, nothing is said.
    let sliding = |h: &str, gap: &str| {
        format!(
            "format = 1\nname = \"block\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\nM = {{ diagonal = [2, 3] }}\nh = [{h}]\n\
             [contacts.table]\ngap = \"{gap}\"\ntrack = \"x\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = 0.4 }}\n[start]\nx = 0\ny = 0\nu = 3\nv = 0\n"
        )
    };
    let count = |h: &str, gap: &str| report(&sliding(h, gap)).suggestions.len();
    assert_eq!([count("-1, -6", "2*y"), count("-1, \"-6 + u\"", "2*y"), count("\"-1 + y\", -6", "2*y")], [1, 0, 0]);
    assert_eq!([count("-1, 6", "2*y"), count("-1, -6", "2*y + x")], [0, 0]);
    assert!(report(&sliding("-1, -6", "2*y")).suggestions[0].contains("the constant force 3 "));
    let (system, values) = parse(&sliding("-1, -6", "2*y"));
    let (reduced, own) = parse(
        "format = 1\nname = \"block\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"u\"]\nM = [[2]]\nh = [-1]\n\
         [friction.table]\ntrack = \"x\"\nforce = \"3*0.4\"\n[start]\nx = 0\nu = 3\n",
    );
    let (motion, expected) = (run(&system, &values, 5.0), run(&reduced, &own, 5.0));
    assert_close(motion.state[0], expected.state[0], 1e-12);
    assert_eq!((motion.state[2], expected.state[1]), (0.0, 0.0));
}
