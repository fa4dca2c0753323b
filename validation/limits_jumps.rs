//! Where a field or a state jumps, everything else is decided anew: closed contacts, events at the same instant, chattering, conditions. Against closed forms.

use crate::common::{assert_all_close, assert_close};
use saltation_model::{Model, Overrides};
use saltation_motion::problems::{Contacts, Status};
use saltation_motion::{Ended, EventKind, Motion, Run, Settings, System};

/// A motion from the start of a model.
fn run(body: &str, until: f64) -> Run {
    run_with(body, Settings { until, ..Settings::default() })
}

fn run_with(body: &str, settings: Settings) -> Run {
    let model = parse(body);
    let values = model.values(&Overrides::default()).unwrap_or_else(|m| panic!("{m}"));
    let system = System::new(&model);
    Motion::new(&system, &values, settings).unwrap_or_else(|e| panic!("{e}")).run(false, |_| true)
}

fn parse(body: &str) -> Model {
    Model::parse(&format!("format = 1\nname = \"test\"\n{body}"), "test.toml").unwrap_or_else(|m| panic!("{m}"))
}

fn assert_ends(body: &str, until: f64, wanted: &[f64], tolerance: f64) {
    let run = run(body, until);
    assert!(matches!(run.ended, Ended::ReachedTime), "{body}: {:?}", run.ended);
    assert_all_close(&run.state, wanted, tolerance);
}

fn count(run: &Run, kind: EventKind) -> usize {
    run.events.iter().filter(|event| event.kind == kind).count()
}

/// A body of weight 1 on the ground; the force on it, and more.
fn body_on_the_ground(force: &str, more: &str) -> String {
    format!(
        "[phase.phi]\nrate = 1\nperiod = 20\n[mechanics]\ncoordinates = [\"y\"]\nvelocities = [\"w\"]\nM = [[1]]\nh = [\"-1 + {force}\"]\n\
         [contacts.ground]\ngap = \"y\"\nrestitution = 0\n{more}[start]\ny = 0\nw = 0\nphi = 0\n"
    )
}

/// A block of weight 1 on a floor; forces and coefficient of friction, start speed, and more.
fn block((along, up): (&str, &str), mu: &str, v: f64, more: &str) -> String {
    format!(
        "[phase.phi]\nrate = 1\nperiod = 20\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"v\", \"w\"]\nM = [[1, 0], [0, 1]]\n\
         h = [\"{along}\", \"-1 + {up}\"]\n[contacts.floor]\ngap = \"y\"\ntrack = \"x\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = \"{mu}\" }}\n\
         {more}[start]\nx = 0\ny = 0\nv = {v}\nw = 0\nphi = 0\n"
    )
}

#[test]
fn a_contact_that_is_pulled_opens_whatever_made_its_force_jump() {
    // y'' = 1 from t = 5 on.
    assert_ends(&body_on_the_ground("2*step(phi - 5)", ""), 8.0, &[4.5, 3.0, 8.0], 1e-12);
    let event = "[discrete]\non = { value = 0, values = [0, 1] }\n[events.lift]\nwhen = \"phi - 5\"\ndirection = \"rising\"\njump = { on = \"1\" }\n";
    assert_ends(&body_on_the_ground("2*on", event), 8.0, &[4.5, 3.0, 1.0, 8.0], 1e-12);
    // A ramp that begins anew at t = 20 with twice the weight, and falls to nothing.
    let ramp = body_on_the_ground("2*(1 - phi/20)", "").replace("phi = 0", "phi = 15");
    // w' = 1 - s/10 from s = t - 5 = 0 on.
    assert_ends(&ramp, 9.0, &[8.0 - 64.0 / 60.0, 4.0 - 0.8, 4.0], 1e-12);
    // Friction ends where the block is lifted.
    assert_ends(&block(("0", "2*step(phi - 1)"), "0.5", 2.0, ""), 4.0, &[6.25, 4.5, 1.5, 3.0, 4.0], 1e-12);
}

#[test]
fn a_block_that_sticks_slips_whatever_made_its_forces_jump() {
    // x'' = 0.8 - 0.5 from t = 5 on.
    assert_ends(&block(("0.3 + 0.5*step(phi - 5)", "0"), "0.5", 0.0, ""), 8.0, &[1.35, 0.0, 0.9, 0.0, 8.0], 1e-12);
    // mu falls from 0.5 to 0.1 under a push of 0.3.
    let wet = "[discrete]\nwet = { value = 0, values = [0, 1] }\n[events.rain]\nwhen = \"phi - 5\"\ndirection = \"rising\"\njump = { wet = \"1\" }\n";
    assert_ends(&block(("0.3", "0"), "0.5 - 0.4*wet", 0.0, wet), 8.0, &[0.9, 0.0, 0.6, 0.0, 1.0, 8.0], 1e-12);
    // A kick of 1 stops after 2, at x = 1; one against the motion turns it round.
    let kick = |jump: &str| {
        format!("[events.kick]\nwhen = \"phi - 1\"\ndirection = \"rising\"\njump = {{ v = \"v + {jump}\" }}\n")
    };
    assert_ends(&block(("0", "0"), "0.5", 0.0, &kick("1")), 4.0, &[1.0, 0.0, 0.0, 0.0, 4.0], 1e-12);
    // v = 2 - t/2, then -1.5 after the kick, which friction slows to -1 at t = 2.
    assert_ends(&block(("0", "0"), "0.5", 2.0, &kick("-3")), 2.0, &[0.5, 0.0, -1.0, 0.0, 2.0], 1e-12);
    // A kick of 1e-7 beside a state of 1e6, under a weight of 1e-9: 1e-7 s - 5e-10 s^2.
    let light = "[flow]\nx = \"0\"\ny = \"w\"\nw = \"-1e-9\"\nt = \"1\"\n[contacts.ground]\ngap = \"y\"\njump = { w = \"0\" }\n\
                 [events.kick]\nwhen = \"t - 1\"\ndirection = \"rising\"\njump = { w = \"w + 1e-7\" }\n[start]\nx = 1e6\ny = 0\nw = 0\nt = 0\n";
    let found = run(light, 101.0);
    assert!(matches!(found.ended, Ended::ReachedTime), "{:?}", found.ended);
    assert_close(found.state[1], 5e-6, 1e-17);
    // What still holds is not decided otherwise.
    let held = run(&block(("0.3 + 0.1*step(phi - 5)", "0"), "0.5", 0.0, ""), 8.0);
    assert_eq!((count(&held, EventKind::Slip), held.state[0]), (0, 0.0));
}

/// Two neurons that do not know each other, an impact and a clock, a phase that begins anew, and a switch.
#[test]
fn events_at_the_same_instant_as_anything_else_happen() {
    let neurons = "[flow]\nx = \"1.5 - x\"\ny = \"1.5 - y\"\n[events.a]\nwhen = \"x - 1\"\ndirection = \"rising\"\njump = { x = \"0\" }\n\
                   [events.b]\nwhen = \"y - 1\"\ndirection = \"rising\"\njump = { y = \"0\" }\n[start]\nx = 0\ny = 0\n";
    let last = 1.5 * (1.0 - (9.0 * 3f64.ln() - 10.0).exp());
    assert_ends(neurons, 10.0, &[last, last], 1e-10);

    let clock = "[phase.phi]\nrate = 1\nperiod = 10\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [-2]\n\
                 [contacts.ground]\ngap = \"x\"\nrestitution = 0.5\n[discrete]\nn = { value = 0, values = [0, 1, 2] }\n\
                 [events.clock]\nwhen = \"phi - 1\"\ndirection = \"rising\"\njump = { n = \"n + 1\" }\n[start]\nx = 1\nv = 0\nphi = 0\n";
    assert_ends(clock, 1.5, &[0.25, 0.0, 1.0, 1.5], 1e-12);

    let counter = "[events.full]\nwhen = \"y - 1\"\ndirection = \"rising\"\njump = { y = \"0\", n = \"n + 1\" }\n";
    let wrap = format!(
        "[phase.phi]\nrate = 1\nperiod = 1\n[flow]\ny = \"if(phi < 0.5, 1.5, 0.5)\"\nn = \"0\"\n{counter}[start]\ny = 0\nn = 0\nphi = 0\n"
    );
    assert_ends(&wrap, 10.5, &[0.75, 10.0, 0.5], 1e-11);
    let switch =
        format!("[flow]\nx = \"1\"\ny = \"if(x < 1, 1, 2)\"\nn = \"0\"\n{counter}[start]\nx = 0\ny = 0\nn = 0\n");
    assert_ends(&switch, 1.9, &[1.9, 0.8, 2.0], 1e-12);
}

/// The state is on the surface after the jump, whatever rounding leaves of it.
#[test]
fn an_event_happens_once_where_its_jump_stays_on_the_surface() {
    // Higher than where impacts accumulate before the end.
    for start in [1.0, 0.6, 0.7, 1.9, 2.3, 4.1, 5.7, 7.7, 9.1, 0.9] {
        let (g, e, until): (f64, f64, f64) = (9.8, 0.8, 3.0);
        let ball = |ground: &str| format!("{ground}[start]\nx = {start}\nv = 0\n");
        let event = ball("[flow]\nx = \"v\"\nv = \"-9.8\"\n[events.ground]\nwhen = \"x\"\njump = { v = \"-0.8*v\" }\n");
        // Flights take 2 e^k v/g.
        let speed = (2.0 * g * start).sqrt();
        let (mut time, mut after) = (speed / g, e * speed);
        while time + 2.0 * after / g < until {
            time += 2.0 * after / g;
            after *= e;
        }
        let left = until - time;
        assert_ends(&event, until, &[after * left - 0.5 * g * left * left, after - g * left], 1e-9);
    }
    let clock = "[flow]\nq = \"w\"\nw = \"-sin(q) - 0.05*w\"\n[events.kick]\nwhen = \"q\"\ndirection = \"rising\"\njump = { w = \"w + 0.05\" }\n[start]\nq = 0.5\nw = 0\n";
    let run = run(clock, 60.0);
    assert_eq!(count(&run, EventKind::Reset), 9);
    // DOP853 with tolerance 1e-12.
    assert_all_close(&run.state, &[-0.32416852, -0.11134777], 1e-8);
}

/// A ball comes to rest at t = 39 sqrt 2 (e = 0.95); another body feels a switch shortly before, or an event counts.
#[test]
fn chattering_is_completed_neither_beyond_a_switch_nor_from_impacts_before_one() {
    let ball = |force: &str, z: &str| {
        format!(
            "[phase.phi]\nrate = 1\nperiod = 100\n[mechanics]\ncoordinates = [\"x\", \"z\"]\nvelocities = [\"v\", \"u\"]\nM = [[1, 0], [0, 1]]\n\
             h = [\"-1\", \"{force}\"]\n[contacts.ground]\ngap = \"x\"\nrestitution = 0.95\n[start]\nx = 1\nv = 0\n{z}phi = 0\n"
        )
    };
    for at in [50.0, 55.0, 55.1, 55.15] {
        let pushed: f64 = 57.0 - at;
        let text = ball(&format!("step(phi - {at})"), "z = 0\nu = 0\n");
        assert_ends(&text, 57.0, &[0.0, 0.5 * pushed * pushed, 0.0, pushed, 57.0], 1e-9);
    }
    let count = "[phase.phi]\nrate = 1\nperiod = 100\n[discrete]\nn = { value = 0, values = [0, 1] }\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\n\
                 M = [[1]]\nh = [-1]\n[contacts.ground]\ngap = \"x\"\nrestitution = 0.9\n[events.clock]\nwhen = \"phi - 26.86\"\ndirection = \"rising\"\n\
                 jump = { n = \"1\" }\n[start]\nx = 1\nv = 0\nphi = 0\n";
    assert_ends(count, 30.0, &[0.0, 0.0, 1.0, 30.0], 1e-9);
}

/// `a < b` does not hold for a = b where there is one state, as in a jump, or where nothing moves.
#[test]
fn conditions_between_equal_numbers_hold_or_do_not() {
    let toggle = |next: &str| {
        format!(
            "[flow]\nclock = \"1\"\nn = \"0\"\n[events.tick]\nwhen = \"clock - 1\"\ndirection = \"rising\"\njump = {{ clock = \"0\", n = \"{next}\" }}\n\
             [start]\nclock = 0\nn = 0\n"
        )
    };
    for next in ["if(n > 0, 0, 1)", "if(n < 1, 1, 0)", "if(n <= 0, 1, 0)", "if(n >= 1, 0, 1)", "if(not (n > 0), 1, 0)"]
    {
        for (ticks, value) in [(1.5, 1.0), (2.5, 0.0), (5.5, 1.0)] {
            assert_ends(&toggle(next), ticks, &[0.5, value], 1e-12);
        }
    }
    let level = "[parameters]\nlevel = 0\n[flow]\na = \"if(level > 0, 1, 0)\"\nb = \"if(level <= 0, 1, 0)\"\nc = \"if(level >= 0, 1, 0)\"\nd = \"if(1 < 1, 1, 0)\"\n\
                 [start]\na = 0\nb = 0\nc = 0\nd = 0\n";
    assert_ends(level, 1.0, &[0.0, 1.0, 1.0, 0.0], 0.0);
    // A heater with hysteresis: T' = (T_on - T)/10 between 19 and 21.
    let heater = "[discrete]\non = { value = 0, values = [0, 1] }\n[flow]\nT = \"0.1*(if(on > 0, 30, 10) - T)\"\n\
                  [events.off]\nwhen = \"T - 21\"\ndirection = \"rising\"\njump = { on = \"0\" }\n\
                  [events.heat]\nwhen = \"T - 19\"\ndirection = \"falling\"\njump = { on = \"1\" }\n[start]\nT = 20\n";
    let first = 10.0 * (10.0_f64 / 9.0).ln();
    let period = 10.0 * ((11.0_f64 / 9.0).ln() + (11.0_f64 / 9.0).ln());
    let phase = (40.0 - first).rem_euclid(period);
    let warm = 10.0 * (11.0_f64 / 9.0).ln();
    let end =
        if phase < warm { 30.0 - 11.0 * (-0.1 * phase).exp() } else { 10.0 + 11.0 * (-0.1 * (phase - warm)).exp() };
    let on = if phase < warm { 1.0 } else { 0.0 };
    assert_ends(heater, 40.0, &[end, on], 1e-9);
}

/// Corners of corners: z is the integral over x from -1 to 1.
#[test]
fn functions_with_corners_of_functions_with_corners_are_right() {
    let formulas = [
        ("abs(abs(x))", 1.0),
        ("max(x, -x, 0)", 1.0),
        ("max(abs(x), 0)", 1.0),
        ("clip(abs(x), 0, 1)", 1.0),
        ("if(abs(x) > 0, 1, 0)", 2.0),
        ("sign(abs(x))", 2.0),
        ("min(abs(x), 0.5)", 0.75),
        ("abs(abs(x) - 0.5)", 0.5),
        ("x*sign(x - 5)", 0.0),
    ];
    for (formula, integral) in formulas {
        assert_ends(
            &format!("[flow]\nx = \"1\"\nz = \"{formula}\"\n[start]\nx = -1\nz = 0\n"),
            2.0,
            &[1.0, integral],
            1e-12,
        );
    }
}

/// The integral of the angle of a point on a circle, which jumps at pi.
#[test]
fn the_direction_of_a_point_jumps_where_it_is_cut() {
    let pi = std::f64::consts::PI;
    let integral = 0.5 * pi * pi + 0.5 * (16.0 - pi * pi) - 2.0 * pi * (4.0 - pi);
    let body = "[flow]\nx = \"-y\"\ny = \"x\"\nz = \"atan2(y, x)\"\n[start]\nx = 1\ny = 0\nz = 0\n";
    for (longest_step, tolerance) in [(f64::INFINITY, 1e-12), (0.1, 1e-12), (0.01, 1e-12), (f64::INFINITY, 1e-9)] {
        let run = run_with(body, Settings { until: 4.0, longest_step, tolerance, ..Settings::default() });
        assert_close(run.state[2], integral, 1e3 * tolerance);
    }
    let mark = "[flow]\nx = \"-y\"\ny = \"x\"\nn = \"0\"\n[events.mark]\nwhen = \"atan2(y, x) - 1\"\ndirection = \"rising\"\njump = { n = \"n + 1\" }\n[start]\nx = 1\ny = 0\nn = 0\n";
    assert_ends(mark, 20.0, &[20f64.cos(), 20f64.sin(), 4.0], 1e-10);
}

/// Bodies with forces strictly inside all cones rest: a disc in a groove, and bodies whose contacts are redundant.
#[test]
fn bodies_at_rest_on_redundant_contacts_stay_there() {
    for mu in [0.2, 0.25, 0.28, 0.3, 0.35, 0.6, 1.0] {
        let disc = format!(
            "[mechanics]\ncoordinates = [\"x\", \"y\", \"p\"]\nvelocities = [\"u\", \"w\", \"s\"]\nM = {{ diagonal = [1, 1, 0.5] }}\nh = [0, -9.81, 0]\n\
             [contacts.a]\ngap = \"sin(pi/3)*x + cos(pi/3)*y\"\ntrack = \"cos(pi/3)*x - sin(pi/3)*y - 1*p\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = {mu} }}\n\
             [contacts.b]\ngap = \"-sin(pi/3)*x + cos(pi/3)*y\"\ntrack = \"cos(pi/3)*x + sin(pi/3)*y - 1*p\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = {mu} }}\n\
             [impacts]\ntogether = \"lcp\"\n[start]\nx = 0\ny = 0\np = 0\nu = 0\nw = 0\ns = 0\n"
        );
        assert_ends(&disc, 1.0, &[0.0; 6], 1e-14);
        assert_eq!(status(&disc), Status::Unique, "mu = {mu}");
    }
    let three = |h: [f64; 3], inertia: f64, rows: [[[f64; 3]; 2]; 3]| {
        let row = |r: [f64; 3]| format!("({:e})*q0 + ({:e})*q1 + ({:e})*q2", r[0], r[1], r[2]);
        let contacts = rows.iter().enumerate().map(|(k, [gap, track])| {
            format!(
                "[contacts.c{k}]\ngap = \"{}\"\ntrack = \"{}\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = 0.5 }}\n",
                row(*gap),
                row(*track)
            )
        });
        format!(
            "[mechanics]\ncoordinates = [\"q0\", \"q1\", \"q2\"]\nvelocities = [\"v0\", \"v1\", \"v2\"]\nM = {{ diagonal = [2, 2, {inertia}] }}\nh = {h:?}\n{}\
             [impacts]\ntogether = \"lcp\"\n[start]\nq0 = 0\nq1 = 0\nq2 = 0\nv0 = 0\nv1 = 0\nv2 = 0\n",
            contacts.collect::<String>()
        )
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    // One whose position moved by what a step is long, and one that grazed 20 000 times at its start.
    let moved = three(
        [0.9424852495948428, -1.0, 0.0],
        0.3,
        [
            [
                [0.73867877911553, 0.674057609766695, 0.40164997423218296],
                [0.674057609766695, -0.73867877911553, 1.0433969993244596],
            ],
            [[half, half, -5.551115123125783e-17], [half, -half, -half]],
            [[-1.0, 0.0, -0.49999999999999994], [0.0, 1.0, 0.5000000000000001]],
        ],
    );
    let grazed = three(
        [-0.8001553348943227, -9.81, -0.5518781179931627],
        1.0,
        [
            [
                [0.985942698286887, 0.167083798420949, 0.9024007990764129],
                [0.167083798420949, -0.985942698286887, 0.6600551475643921],
            ],
            [[half, half, -half], [half, -half, half]],
            [[0.0, 1.0, 1.0], [1.0, 0.0, -0.5000000000000001]],
        ],
    );
    for text in [moved, grazed] {
        assert_ends(&text, 1.0, &[0.0; 6], 1e-13);
    }
}

/// A box on the floor, its side touching a wall: N = g/2 at both feet.
#[test]
fn a_box_in_a_corner_rests_for_the_contact_problem_too() {
    let foot = |name: &str, x: f64| {
        format!(
            "[contacts.{name}]\ngap = \"y + ({x})*sin(p) - 0.5*cos(p) + 0.5\"\ntrack = \"x + ({x})*cos(p) + 0.5*sin(p)\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = 0.5 }}\n"
        )
    };
    let corner = format!(
        "[mechanics]\ncoordinates = [\"x\", \"y\", \"p\"]\nvelocities = [\"u\", \"w\", \"s\"]\nM = {{ diagonal = [1, 1, 0.3] }}\nh = [0, -9.81, 0]\n{}{}\
         [contacts.wall]\ngap = \"x - 0.5*cos(p) + 0.5*sin(p) + 0.5\"\ntrack = \"y - 0.5*sin(p) - 0.5*cos(p)\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = 0.5 }}\n\
         [impacts]\ntogether = \"lcp\"\n[start]\nx = 0\ny = 0\np = 0\nu = 0\nw = 0\ns = 0\n",
        foot("left", -0.5),
        foot("right", 0.5)
    );
    assert_ends(&corner, 1.0, &[0.0; 6], 1e-13);
    assert_eq!(status(&corner), Status::Unique);
}

fn status(body: &str) -> Status {
    let model = parse(body);
    let values = model.values(&Overrides::default()).unwrap_or_else(|m| panic!("{m}"));
    let system = System::new(&model);
    Contacts::new(&system, values.parameters()).unwrap().at(values.start()).status
}

/// A box that falls flat with speed 1: by Poisson's law it leaves with e = 1/2, and loses 3/8 of its energy.
#[test]
fn the_contact_problem_gives_back_what_poissons_law_does() {
    let foot = |name: &str, x: f64| {
        format!(
            "[contacts.{name}]\ngap = \"y + ({x})*sin(p) - 0.2*cos(p)\"\ntrack = \"x + ({x})*cos(p) + 0.2*sin(p)\"\nrestitution = 0.5\nfriction = {{ law = \"coulomb\", mu = 0.5 }}\n"
        )
    };
    let box_ = format!(
        "[mechanics]\ncoordinates = [\"x\", \"y\", \"p\"]\nvelocities = [\"u\", \"w\", \"s\"]\nM = {{ diagonal = [1, 1, 0.1] }}\nh = [0, -9.81, 0]\n{}{}\
         [impacts]\ntogether = \"lcp\"\nlaw = \"poisson\"\n[start]\nx = 0\ny = 0.2\np = 0\nu = 0\nw = -1\ns = 0\n",
        foot("left", -0.3),
        foot("right", 0.3)
    );
    let model = parse(&box_);
    let values = model.values(&Overrides::default()).unwrap_or_else(|m| panic!("{m}"));
    let system = System::new(&model);
    let analysis = Contacts::new(&system, values.parameters()).unwrap().at(values.start());
    let impact = &analysis.collisions.unwrap().solutions[0];
    assert_close(impact.after[4], 0.5, 1e-12);
    assert_close(impact.energy, -0.375, 1e-12);
    assert_all_close(&impact.normal, &[0.75, 0.75], 1e-12);
}
