//! Coulomb friction: blocks, belts, discs and several contacts against closed forms, and derivatives against differences.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

use crate::common::{assert_all_close, assert_close, beside, of_kind, parse, run, run_with, system};
use saltation_model::Values;
use saltation_motion::{Derivatives, Ended, EventKind, Happening, Motion, Perturbation, Run, Settings, System};
use saltation_orbit::{self as orbit, branch};
use std::f64::consts::{PI, TAU};

fn kinds(run: &Run) -> Vec<EventKind> {
    run.events.iter().map(|e| e.kind).collect()
}

const GRAVITY: f64 = 9.81;

/// A block on its two corners, 0.4 wide and 0.2 high, on an incline.
fn two_corners(alpha: f64, mu: f64, speed: f64) -> (System, Values) {
    parse(&format!(
        "format = 1\nname = \"block\"\n[parameters]\nalpha = {alpha:e}\nmu = {mu:e}\n[mechanics]\ncoordinates = [\"x\", \"y\", \"p\"]\n\
         velocities = [\"vx\", \"vy\", \"w\"]\nM = {{ diagonal = [1, 1, 0.0167] }}\nh = [\"-9.81*sin(alpha)\", \"-9.81*cos(alpha)\", 0]\n\
         [contacts.rear]\ngap = \"y - 0.2*sin(p) - 0.1*cos(p)\"\ntrack = \"x - 0.2*cos(p) + 0.1*sin(p)\"\nrestitution = 0\n\
         friction = {{ law = \"coulomb\", mu = \"mu\" }}\n\
         [contacts.front]\ngap = \"y + 0.2*sin(p) - 0.1*cos(p)\"\ntrack = \"x + 0.2*cos(p) + 0.1*sin(p)\"\nrestitution = 0\n\
         friction = {{ law = \"coulomb\", mu = \"mu\" }}\n[impacts]\ntogether = \"lcp\"\n\
         [start]\nx = 0\ny = 0.1\np = 0\nvx = {speed:e}\nvy = 0\nw = 0\n"
    ))
}

/// Traps 7 and 9: a block on an incline stops when its closed form says so, on one contact or on two redundant ones, which stop in the same
/// event; then it stays, or slides back.
#[test]
fn a_block_on_an_incline_stops_and_stays_or_slides_back() {
    let alpha = 20.0 * PI / 180.0;
    for (mu, stops, reference) in [(0.2, false, 0.3846971677), (0.5, true, 0.2511171603)] {
        let (up, down) = (alpha.sin() + mu * alpha.cos(), alpha.sin() - mu * alpha.cos());
        let time = 2.0 / (GRAVITY * up);
        let top = 0.5 * 2.0 * time;
        let until = 1.5_f64;
        let after = if stops { 0.0 } else { -GRAVITY * down * (until - time) };
        let end = top + 0.5 * after * (until - time);

        let (point, values) = system("sliding-block", &[("mu", mu)], &[]);
        let single = run(&point, &values, until);
        let last = if stops { EventKind::Stick } else { EventKind::Slip };
        assert_eq!(kinds(&single), [EventKind::Slip, last]);
        assert_close(single.events[1].time, reference, 5e-11);
        assert_close(single.events[1].time, time, 1e-15);
        assert_all_close(&single.state, &[end, 0.0, after, 0.0], 1e-13);

        let (block, values) = two_corners(alpha, mu, 2.0);
        let double = run(&block, &values, until);
        assert_eq!(kinds(&double), [EventKind::Slip, EventKind::Slip, last, last]);
        assert!(double.events[2..].iter().all(|e| e.time == double.events[2].time));
        assert_close(double.events[2].time, time, 1e-14);
        assert_all_close(&double.state, &[end, 0.1, 0.0, after, 0.0, 0.0], 1e-13);
    }
}

/// A sliding block tips over its front corner if mu h > a, with a half its width and h half its height: gravity turns it back with m g a at most, friction
/// forward with mu m g h.
#[test]
fn a_pushed_block_slides_or_tips() {
    let (a, h) = (0.2, 0.1);
    for (factor, tips) in [(1.0 - 1e-9, false), (1.0 + 1e-9, true), (0.5, false), (1.3, true)] {
        let mu = a / h * factor;
        let (block, values) = two_corners(0.0, mu, 3.0);
        let run = run(&block, &values, 1e-3);
        assert_eq!(run.closed.contains(0), !tips, "{factor}");
        assert!(run.closed.contains(1));
        if tips {
            // One corner: the equations of the box.
            let inertia = 0.0167;
            let force = GRAVITY / (1.0 + (a - mu * h) * a / inertia);
            let turning = force * (a - mu * h) / inertia;
            assert_close(run.state[5] / 1e-3, turning, 2e-3 * turning.abs());
        } else {
            assert_close(run.state[3], 3.0 - mu * GRAVITY * 1e-3, 1e-14);
        }
    }
}

/// The mass sticks until the spring and the damper exceed static friction: k x + c v = mu_s N.
#[test]
fn a_belt_carries_the_mass_as_long_as_its_friction_can() {
    for (v, mu, c) in [(0.2, 0.6, 0.05), (0.1, 0.8, 0.0), (0.35, 0.5, 0.02)] {
        let (belt, values) = system("belt-oscillator", &[("v", v), ("mu_s", mu), ("c", c)], &[]);
        let run = run(&belt, &values, 60.0);
        let mut sticks = 0;
        for pair in
            run.events.windows(2).filter(|pair| pair[0].kind == EventKind::Stick && pair[1].kind == EventKind::Slip)
        {
            let (from, to) = (&pair[0].after, &pair[1].after);
            assert_close(to[0], mu - c * v, 1e-13);
            assert_close(pair[1].time - pair[0].time, (to[0] - from[0]) / v, 1e-11);
            assert_close(to[2], v, 1e-15);
            sticks += 1;
        }
        assert!(sticks > 2, "{v} {mu} {c} {sticks} {:?}", kinds(&run));
    }
}

/// One impact of a disc of radius 0.1: it slips if mu (1 + e) |v_n| is less than a third of the slip, and rolls otherwise; then all
/// impacts of a sequence, one by one in the test and at once in the program.
#[test]
fn a_disc_that_bounces_slips_until_it_rolls() {
    let (g, radius) = (GRAVITY, 0.1);
    for (mu, spin, e) in [(0.05, 60.0, 0.8), (0.3, 60.0, 0.8), (2.0, 60.0, 0.5), (0.02, -200.0, 0.6), (0.1, 30.0, 0.3)]
    {
        let (disc, values) = system("bouncing-disc", &[("mu", mu), ("r", e)], &[("w", spin)]);
        let fall = (2.0_f64 * 0.5 / g).sqrt();
        let (mut t, mut x, mut phi, mut v, mut w, mut vn) = (fall, 0.0, spin * fall, 0.0, spin, g * fall);
        let (mut first, mut rolling) = (None, false);
        while vn > 1e-18 {
            let slip: f64 = v + radius * w;
            let full = slip.abs() / 3.0;
            let limit = mu * (1.0 + e) * vn;
            rolling = full <= limit;
            let impulse = -slip.signum() * full.min(limit);
            v += impulse;
            w += impulse * radius / (0.5 * radius * radius);
            vn *= e;
            first.get_or_insert([v, vn, w]);
            let flight = 2.0 * vn / g;
            (t, x, phi) = (t + flight, x + v * flight, phi + w * flight);
        }
        let until = t + 1e-9;
        let run = run(&disc, &values, until);
        assert_all_close(&run.events[0].after[3..], &first.unwrap(), 1e-13 * spin.abs());
        let end = run.events.iter().find(|k| matches!(k.kind, EventKind::Stick | EventKind::Slip)).expect("it ends");
        assert_eq!(end.kind == EventKind::Stick, rolling, "{mu} {spin} {e}");
        assert_close(end.time, t, 1e-11);
        assert_all_close(&end.after, &[x, radius, phi, v, 0.0, w], 1e-9);
        assert_eq!(run.count(EventKind::Chatter), 1);
    }
}

/// Without friction a rough contact is a smooth one.
#[test]
fn friction_zero_is_no_friction() {
    let text = |friction: &str| {
        format!(
            "format = 1\nname = \"smooth\"\n[phase.f]\nrate = 2\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\n\
             M = [[2, \"0.3*cos(x)\"], [\"0.3*cos(x)\", 1]]\nh = [\"-x - 0.1*u\", \"-2 - y + 2.5*cos(f)\"]\n\
             [contacts.floor]\ngap = \"y + 0.2*sin(x)\"\nrestitution = 0.6\n{friction}\n[start]\nx = 0.4\ny = 0.8\nu = 0.3\nw = 0\nf = 0\n"
        )
    };
    let (plain, values) = parse(&text(""));
    let (rough, same) = parse(&text("track = \"x\"\nbelt = 0.3\nfriction = { law = \"coulomb\", mu = 0 }"));
    let (a, b) = (run(&plain, &values, 30.0), run(&rough, &same, 30.0));
    let lasting = |run: &Run| of_kind(run, EventKind::Chatter).len() + of_kind(run, EventKind::Release).len();
    assert!(lasting(&a) > 3);
    assert_eq!(lasting(&a), lasting(&b));
    assert_all_close(&a.state, &b.state, 1e-11);
    for (a, b) in of_kind(&a, EventKind::Release).iter().zip(of_kind(&b, EventKind::Release)) {
        assert_close(a.time, b.time, 1e-11);
    }
}

/// Den Hartog's oscillator: unit mass and stiffness, dry friction f, force F cos(omega t).
fn den_hartog(force: f64, friction: f64, omega: f64) -> String {
    format!(
        "format = 1\nname = \"dry\"\n[parameters]\nF = {force:e}\nf = {friction:e}\nomega = {omega:e}\n[phase.p]\nrate = \"omega\"\nperiod = \"2*pi\"\n\
         [mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\nM = [[1, 0], [0, 1]]\nh = [\"-x + F*cos(p)\", -1]\n\
         [contacts.floor]\ngap = \"y\"\ntrack = \"x\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = \"f\" }}\n\
         [start]\nx = 1\ny = 0\nu = 0.1\nw = 0\np = 0\n"
    )
}

/// The amplitude of motion without stops (Den Hartog, Trans. ASME 53, 1931): F^2 V^2 - f^2 U^2 squared.
fn amplitude(force: f64, friction: f64, omega: f64) -> f64 {
    let v = 1.0 / (1.0 - omega * omega);
    let u = (PI / omega).sin() / (omega * (1.0 + (PI / omega).cos()));
    ((force * v).powi(2) - (friction * u).powi(2)).sqrt()
}

#[test]
fn a_forced_mass_with_dry_friction_moves_as_den_hartog_says() {
    for (friction, omega) in [(0.3, 0.8), (0.5, 1.3), (0.2, 1.7), (0.6, 0.9)] {
        let (dry, values) = parse(&den_hartog(1.0, friction, omega));
        let orbit = crate::common::settled(&dry, &values, 1, 60);
        let turns: Vec<f64> = orbit
            .events
            .iter()
            .filter(|e| e.kind == EventKind::Slip && e.cause.is_some())
            .map(|e| e.before[0])
            .collect();
        assert_eq!(turns.len(), 2);
        for turn in turns {
            assert_close(turn.abs(), amplitude(1.0, friction, omega), 1e-11);
        }
        assert_close(orbit.period, TAU / omega, 1e-12);
        assert!(orbit.stable);
    }
    // Beyond his limit it stops, and then twice a turn.
    let (dry, values) = parse(&den_hartog(1.0, 0.85, 0.5));
    let orbit = crate::common::settled(&dry, &values, 1, 60);
    assert!(orbit.events.iter().filter(|e| e.kind == EventKind::Stick).count() >= 2);
}

#[test]
fn a_branch_of_dry_friction_follows_den_hartog() {
    let model = saltation_model::Model::parse(&den_hartog(1.0, 0.3, 1.4), "dry.toml").unwrap_or_else(|m| panic!("{m}"));
    let following = model.values(&Default::default()).and_then(|values| values.along(&["omega"])).unwrap();
    let dry = System::new(&model);
    let section = dry.default_section().unwrap();
    let settings = orbit::Settings { settle: 60, ..orbit::Settings::through(section) };
    let start = orbit::find(&dry, &following, &settings, &mut |_| true).orbit.unwrap();
    let settings = branch::Settings::between(1.1, 2.5);
    let found = branch::follow(&dry, &following, &start, &settings, &mut |_, _| true).unwrap();
    let branch = &found[0];
    let mut compared = 0;
    for point in branch.points.iter().filter(|p| p.admissible).step_by(3) {
        let omega = branch.value(point);
        assert_close(point.period, TAU / omega, 1e-10);
        let values = following.with_start(&point.state).with_parameters(&point.parameters);
        let run = run(&dry, &values, 1.01 * point.period);
        let turn =
            run.events.iter().find(|e| e.kind == EventKind::Slip && e.time > 1e-6 && e.before[2].abs() < 1e-9).unwrap();
        assert_close(turn.before[0].abs(), amplitude(1.0, 0.3, omega), 1e-9);
        compared += 1;
    }
    assert!(compared > 5, "{compared}");
}

/// Den Hartog's oscillator with a static limit of its own: where its slip reverses, omega^2 times the amplitude has to exceed that limit, or it stops there. The branch along the
/// limit is that of slip up to this value, and there it has a border, for dry friction and for a rough contact.
#[test]
fn slip_reverses_where_more_than_the_static_limit_is_needed_to_hold_it() {
    let (force, omega) = (0.3, 0.8);
    let limit = omega * omega * amplitude(1.0, force, omega);
    let contact = den_hartog(1.0, force, omega)
        .replace("[phase.p]", "held = 0.5\n[phase.p]")
        .replace("mu = \"f\"", "mu = \"f\", mu_static = \"held\"");
    let dry = format!(
        "format = 1\nname = \"dry\"\n[parameters]\nheld = 0.5\n[phase.p]\nrate = {omega}\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"u\"]\n\
         M = [[1]]\nh = [\"-x + cos(p)\"]\n[friction.floor]\ntrack = \"x\"\nforce = {force}\nstatic = \"held\"\n[start]\nx = 1\nu = 0.1\np = 0\n"
    );
    for text in [dry, contact] {
        let model = saltation_model::Model::parse(&text, "static.toml").unwrap_or_else(|m| panic!("{m}"));
        let following = model.values(&Default::default()).and_then(|values| values.along(&["held"])).unwrap();
        let system = System::new(&model);
        let settings = orbit::Settings { settle: 60, ..orbit::Settings::through(system.default_section().unwrap()) };
        let start = orbit::find(&system, &following, &settings, &mut |_| true).orbit.unwrap();
        let settings = branch::Settings::between(0.4, 3.0);
        let branch = branch::follow(&system, &following, &start, &settings, &mut |_, _| true).unwrap().remove(0);
        assert!(!branch.special.is_empty());
        for special in &branch.special {
            assert_eq!(special.kind, branch::SpecialKind::Boundary);
            assert_eq!(special.sliding, Some(branch::Sliding::Crossing));
            assert_close(branch.value(&special.point), limit, 1e-9);
        }
        for point in &branch.points {
            assert_eq!(point.admissible, branch.value(point) <= limit + 1e-9, "{}", branch.value(point));
        }
        // The trajectory stops there, too.
        for (held, stops) in [(0.99 * limit, false), (1.01 * limit, true)] {
            let mut parameters = start.parameters.clone();
            parameters[branch.parameter] = held;
            let run =
                run(&system, &following.with_start(&start.state).with_parameters(&parameters), 2.0 * start.period);
            let stopped = |event: &saltation_motion::Event| {
                matches!(event.kind, EventKind::Stick | EventKind::Slide) && event.time > 0.1
            };
            assert_eq!(run.events.iter().any(stopped), stops, "{held}");
        }
    }
}

/// A mass on a belt, which sticks and slips twice a period: where it breaks loose its slip begins with an acceleration, whatever comes next. The branch is one of motions up to its fold.
#[test]
fn a_contact_that_breaks_loose_begins_to_slip_with_an_acceleration() {
    let text = "format = 1\nname = \"static\"\nparameters = { F = 0.468, held = 1.0962 }\n[phase.phi]\nrate = 1.3496\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\n\
                velocities = [\"u\", \"w\"]\nM = [[1, 0], [0, 1]]\nh = [\"-0.9399*x - 0.2908*u - 0.1735 + cos(phi)\", -1]\n[contacts.b]\ngap = \"y\"\ntrack = \"x\"\nbelt = 0.0761\n\
                restitution = 0\nfriction = { law = \"coulomb\", mu = \"F\", mu_static = \"held\" }\n[start]\nx = 0\nu = 0\ny = 0\nw = 0\nphi = 0\n";
    let model = saltation_model::Model::parse(text, "static.toml").unwrap_or_else(|m| panic!("{m}"));
    let following = model.values(&Default::default()).and_then(|values| values.along(&["F"])).unwrap();
    let system = System::new(&model);
    let settings = orbit::Settings { settle: 30, ..orbit::Settings::through(system.default_section().unwrap()) };
    let start = orbit::find(&system, &following, &settings, &mut |_| true).orbit.unwrap();
    let settings = branch::Settings::between(0.46, 0.6);
    let branch = branch::follow(&system, &following, &start, &settings, &mut |_, _| true).unwrap().remove(0);
    let fold = branch.special.iter().position(|special| special.kind == branch::SpecialKind::Fold).expect("it turns");
    let before = &branch.points[..branch.special[fold].index];
    assert!(before.len() > 10);
    for point in before {
        assert!(point.admissible, "{}", branch.value(point));
        let values = following.with_start(&point.state).with_parameters(&point.parameters);
        let run = run(&system, &values, point.period);
        assert_close(run.state[0], point.state[0], 1e-8);
        assert_close(run.state[2], point.state[2], 1e-8);
    }
}

fn gained(m: [[f64; 2]; 2], before: &[f64], after: &[f64]) -> f64 {
    let energy = |v: &[f64]| 0.5 * (m[0][0] * v[0] * v[0] + 2.0 * m[0][1] * v[0] * v[1] + m[1][1] * v[1] * v[1]);
    energy(after) - energy(before)
}

/// Kane's paradox (1984): with friction, Newton's restitution can add energy; Poisson's cannot. The event says so.
#[test]
fn newtons_law_can_add_energy_and_poissons_cannot() {
    let mut dice = crate::common::rough::Dice(1);
    let mut paradoxes = 0;
    for _ in 0..400 {
        let c = dice.between(-0.95, 0.95);
        let (e, mu, slip) = (dice.between(0.0, 1.0), dice.between(0.0, 2.0), dice.between(-2.0, 2.0));
        for law in ["newton", "poisson"] {
            let (body, values) = parse(&format!(
                "format = 1\nname = \"kane\"\n[mechanics]\ncoordinates = [\"y\", \"x\"]\nvelocities = [\"v\", \"u\"]\nM = [[1, {c:e}], [{c:e}, 1]]\n\
                 h = [0, 0]\n[contacts.c]\ngap = \"y\"\ntrack = \"x\"\nrestitution = {e:e}\nfriction = {{ law = \"coulomb\", mu = {mu:e} }}\n\
                 [impacts]\nlaw = \"{law}\"\n[start]\ny = 1\nx = 0\nv = -1\nu = {slip:e}\n"
            ));
            let run = run(&body, &values, 1.5);
            let event = run.first(EventKind::Impact).unwrap();
            let change = gained([[1.0, c], [c, 1.0]], &event.before[2..], &event.after[2..]);
            assert_close(event.energy, change, 1e-13 * (1.0 + slip * slip) / (1.0 - c * c));
            if law == "newton" {
                assert_close(event.after[2], e, 1e-13 / (1.0 - c * c));
                paradoxes += usize::from(change > 1e-3);
                let smooth = mu == 0.0;
                assert!(!smooth || change <= 0.0);
            } else {
                assert!(change <= 1e-14, "{change:e}");
            }
        }
    }
    assert!(paradoxes > 10, "{paradoxes}");
}

/// Inelastic impacts, impacts without collision, and impacts without friction add no energy.
#[test]
fn inelastic_impacts_and_smooth_ones_add_no_energy() {
    let mut seen = [0; 3];
    for seed in 0..300 {
        let mut dice = crate::common::rough::Dice(seed);
        let mut body =
            crate::common::rough::body(&mut dice, crate::common::rough::Wild { contacts: 1, extremes: false });
        let smooth = seed % 2 == 0;
        for contact in &mut body.contacts {
            if smooth {
                contact.has_friction = false;
            } else {
                contact.restitution = 0.0;
                contact.mu *= 2.0;
            }
        }
        let (system, values) = parse(&body.text(1.0, 1.0, 1.0));
        for event in run(&system, &values, 3.0).events {
            let speed: f64 = event.before.iter().map(|v| v * v).sum();
            assert!(event.energy <= 1e-13 * speed, "{seed}: {:?} {:e}", event.kind, event.energy);
            match event.kind {
                EventKind::Impact => seen[usize::from(smooth)] += 1,
                EventKind::ImpactWithoutCollision => seen[2] += 1,
                _ => {}
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 5), "{seen:?}");
}

/// Closed contacts do not drift: a mass on a belt, and a block on both corners on a table that is shaken along and across.
#[test]
fn closed_contacts_do_not_drift() {
    let (belt, values) = system("belt-oscillator", &[], &[]);
    let mut motion = Motion::new(&belt, &values, Settings { until: 1000.0, ..Settings::default() }).unwrap();
    let mut sticking = 0;
    loop {
        match motion.advance() {
            Happening::Ended(ended) => break assert_eq!(*ended, Ended::ReachedTime),
            Happening::Step(_) => {}
            _ => continue,
        }
        let (state, closed) = (motion.state(), motion.closed());
        assert!(state[1].abs() < 1e-15 && state[3].abs() < 1e-15);
        if closed.contains(0) && closed.slip(0).is_none() {
            assert!((state[2] - 0.2).abs() < 1e-15);
            sticking += 1;
        }
    }
    assert!(sticking > 100);

    let (table, values) = parse(
        "format = 1\nname = \"table\"\n[phase.f]\nrate = 2\nperiod = \"2*pi\"\n[definitions]\nheight = \"0.5*sin(f)\"\n[mechanics]\n\
         coordinates = [\"x\", \"y\", \"p\"]\nvelocities = [\"vx\", \"vy\", \"w\"]\nM = { diagonal = [1, 1, 0.0167] }\nh = [0, -9.81, 0]\n\
         [contacts.rear]\ngap = \"y - 0.2*sin(p) - 0.1*cos(p) - height\"\ntrack = \"x - 0.2*cos(p) + 0.1*sin(p)\"\nbelt = \"2*cos(f)\"\nrestitution = 0\n\
         friction = { law = \"coulomb\", mu = 0.3 }\n\
         [contacts.front]\ngap = \"y + 0.2*sin(p) - 0.1*cos(p) - height\"\ntrack = \"x + 0.2*cos(p) + 0.1*sin(p)\"\nbelt = \"2*cos(f)\"\nrestitution = 0\n\
         friction = { law = \"coulomb\", mu = 0.3 }\n[impacts]\ntogether = \"lcp\"\n\
         [start]\nx = 0\ny = 0.1\np = 0\nvx = 2\nvy = 1\nw = 0\nf = 0\n",
    );
    let mut motion = Motion::new(&table, &values, Settings { until: 1000.0, ..Settings::default() }).unwrap();
    let (mut slips, mut sticks) = (0, 0);
    loop {
        match motion.advance() {
            Happening::Ended(ended) => break assert_eq!(*ended, Ended::ReachedTime),
            Happening::Event(event) => {
                slips += usize::from(event.kind == EventKind::Slip);
                sticks += usize::from(event.kind == EventKind::Stick);
                continue;
            }
            _ => {}
        }
        let (s, closed) = (motion.state(), motion.closed());
        assert!(closed.contains(0) && closed.contains(1));
        assert!((s[1] - 0.1 - 0.5 * s[6].sin()).abs() < 1e-14 && s[2].abs() < 1e-14);
        assert!((s[4] - s[6].cos()).abs() < 1e-14 && s[5].abs() < 1e-13);
        if closed.slip(0).is_none() {
            assert!((s[3] - 2.0 * s[6].cos()).abs() < 1e-14);
        }
    }
    assert!(slips > 500, "{slips} {sticks}");
}

/// Several contacts in one impact: a block that falls flat, three balls in a row, a block that falls on another one (trap 8), and no law for it.
#[test]
fn contacts_that_close_together_obey_one_problem() {
    let block = |e: f64, law: &str, tilt: f64| {
        parse(&format!(
            "format = 1\nname = \"flat\"\n[mechanics]\ncoordinates = [\"y\", \"p\"]\nvelocities = [\"v\", \"w\"]\nM = [[1, 0], [0, 0.0167]]\nh = [-10, 0]\n\
             [contacts.left]\ngap = \"y - 0.2*p\"\nrestitution = {e}\n[contacts.right]\ngap = \"y + 0.2*p\"\nrestitution = {e}\n\
             [impacts]\ntogether = \"lcp\"\nlaw = \"{law}\"\n[start]\ny = 0.2\np = {tilt}\nv = 0\nw = 0\n"
        ))
    };
    for law in ["newton", "poisson"] {
        for e in [0.0, 0.5] {
            let (flat, values) = block(e, law, 0.0);
            let run = run(&flat, &values, 0.2001);
            assert_eq!(run.count(EventKind::Impact), 2);
            assert_close(run.events[0].time, 0.2, 1e-15);
            assert_all_close(&run.events[0].after, &[0.0, 0.0, 2.0 * e, 0.0], 1e-13);
            assert_eq!(run.closed.is_empty(), e > 0.0);
            // Tilted it hits with one corner: Lambda = (1 + e) v/(1 + 0.2^2/J).
            let (tilted, values) = block(e, law, -0.3);
            let run = crate::common::run(&tilted, &values, 0.19);
            let impact = run.first(EventKind::Impact).unwrap();
            assert_eq!((impact.contact, run.count(EventKind::Impact) >= 1), (Some(1), true));
            let speed = (2.0_f64 * 10.0 * 0.14).sqrt();
            let impulse = (1.0 + e) * speed / (1.0 + 0.04 / 0.0167);
            assert_all_close(&impact.after[2..], &[impulse - speed, 0.2 * impulse / 0.0167], 1e-12);
        }
        // Three balls, the last two touching: (-1/3, 2/3, 2/3) by the complementarity problem, and not (0, 0, 1).
        let (row, values) = parse(&format!(
            "format = 1\nname = \"row\"\n[mechanics]\ncoordinates = [\"a\", \"b\", \"c\"]\nvelocities = [\"u\", \"v\", \"w\"]\nM = {{ diagonal = [1, 1, 1] }}\nh = [0, 0, 0]\n\
             [contacts.ab]\ngap = \"b - a - 1\"\nrestitution = 1\n[contacts.bc]\ngap = \"c - b - 1\"\nrestitution = 1\n\
             [impacts]\ntogether = \"lcp\"\nlaw = \"{law}\"\n[start]\na = -1\nb = 1\nc = 2\nu = 1\nv = 0\nw = 0\n"
        ));
        let run = run(&row, &values, 2.0);
        assert_close(run.events.iter().find(|e| e.kind == EventKind::Impact).unwrap().time, 1.0, 1e-15);
        assert_all_close(&run.state[3..], &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], 1e-14);
        // The lower block lies on the ground, the upper one falls on it without restitution: nothing moves any more.
        let (tower, values) = parse(&format!(
            "format = 1\nname = \"tower\"\n[mechanics]\ncoordinates = [\"a\", \"b\"]\nvelocities = [\"u\", \"v\"]\nM = {{ diagonal = [1, 2] }}\nh = [-10, -20]\n\
             [contacts.ground]\ngap = \"a\"\nrestitution = 0\n[contacts.between]\ngap = \"b - a - 1\"\nrestitution = 0\n\
             [impacts]\ntogether = \"lcp\"\nlaw = \"{law}\"\n[start]\na = 0\nb = 1.2\nu = 0\nv = 0\n"
        ));
        let mut motion = Motion::new(&tower, &values, Settings { until: 1.0, ..Settings::default() }).unwrap();
        while !matches!(motion.advance(), Happening::Ended(_)) {}
        assert_all_close(motion.state(), &[0.0, 1.0, 0.0, 0.0], 1e-15);
        assert_close(motion.contact_force(0), 30.0, 1e-12);
        assert_close(motion.contact_force(1), 20.0, 1e-12);
    }
    let (walls, values) = parse(
        "format = 1\nname = \"walls\"\n[phase.f]\nrate = 1\nperiod = 10\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [0]\n\
         [contacts.left]\ngap = \"x + 1 - f\"\nrestitution = 0.5\n[contacts.right]\ngap = \"1 - f - x\"\nrestitution = 0.5\n[start]\nx = 0\nv = 0\nf = 0\n",
    );
    let run = run(&walls, &values, 2.0);
    assert!(matches!(&run.ended, Ended::ContactsTogether { contacts } if contacts[..] == [0, 1]), "{:?}", run.ended);
    assert_close(run.time, 1.0, 1e-15);
}

/// Trap 10: when a rocking block lands on its other corner, the old pivot may take no impulse; the speed that is left is Housner's.
#[test]
fn the_old_pivot_of_a_rocking_block_takes_no_impulse() {
    let (block, values) = system("rocking-block", &[], &[]);
    let run = run(&block, &values, 0.6);
    let (b, h) = (0.1_f64, 0.2_f64);
    let inertia = (b * b + h * h) / 3.0;
    let left = (inertia + h * h - b * b) / (inertia + h * h + b * b);
    let impacts = of_kind(&run, EventKind::Impact);
    assert!(impacts.len() >= 3);
    for (i, impact) in impacts.iter().enumerate() {
        assert_close(impact.after[5] / impact.before[5], left, 1e-12);
        let pivot = if i % 2 == 0 { "right" } else { "left" };
        let release = run.events.iter().find(|e| e.time == impact.time && e.kind == EventKind::Release).unwrap();
        assert_eq!(block.contact_names()[release.contact.unwrap()], pivot);
        let rules = impact.collision.as_ref().unwrap().rules();
        let old = rules[0].iter().find(|rule| Some(rule.0) == release.contact).unwrap();
        assert_eq!(old.1, "free");
    }
}

fn differentiate(system: &System, values: &Values, until: f64) -> (Vec<EventKind>, Derivatives) {
    let states = (0..values.start().len()).map(|i| Perturbation::of_state(system, i));
    let parameters = (0..values.parameters().len()).map(|i| Perturbation::of_parameter(system, i));
    let directions: Vec<Perturbation> = states.chain(parameters).collect();
    let settings = Settings { until, ..Settings::default() };
    let mut motion = Motion::with_derivatives(system, values, settings, &directions).expect("the start is admissible");
    let mut kinds = Vec::new();
    loop {
        match motion.advance() {
            Happening::Step(_) | Happening::Quiet { .. } => {}
            Happening::Event(event) => kinds.push(event.kind),
            Happening::Ended(ended) => break assert!(ended.is_complete(), "{ended:?}"),
        }
    }
    (kinds, motion.derivatives())
}

fn without_impacts(kinds: &[EventKind]) -> Vec<EventKind> {
    kinds.iter().copied().filter(|k| !matches!(k, EventKind::Impact | EventKind::Section)).collect()
}

/// The largest error of the derivatives relative to the largest derivative in its direction, against central differences of fourth order. `None` where a
/// neighbour has other events. Directions before `first` (the states come before the parameters) and parameters named in `without` are left out.
fn error(
    system: &System,
    values: &Values,
    (until, h): (f64, f64),
    (first, without): (usize, &[&str]),
) -> Option<(Vec<EventKind>, f64)> {
    let (met, derivatives) = differentiate(system, values, until);
    let states = values.start().len();
    let mut worst = 0.0_f64;
    for direction in first..derivatives.directions() {
        let name = direction.checked_sub(states).map(|i| system.model().parameters[i].name.as_str());
        if name.is_some_and(|name| without.contains(&name)) {
            continue;
        }
        let mut ends = Vec::new();
        for step in [-2.0, -1.0, 1.0, 2.0] {
            let values = beside(values, direction, step * h);
            let run = run(system, &values, until);
            if without_impacts(&kinds(&run)) != without_impacts(&met) {
                return None;
            }
            ends.push(run.state);
        }
        let slopes: Vec<f64> =
            (0..states).map(|i| (8.0 * (ends[2][i] - ends[1][i]) - (ends[3][i] - ends[0][i])) / (12.0 * h)).collect();
        let size = slopes.iter().fold(1.0_f64, |m, s| m.max(s.abs()));
        for (exact, slope) in derivatives.state(direction).iter().zip(&slopes) {
            worst = worst.max((exact - slope).abs() / size);
        }
    }
    Some((met, worst))
}

/// Every kind of transition with friction, against differences of whole motions. The start is in flight, so that neighbours are.
#[test]
fn derivatives_pass_through_every_transition() {
    use EventKind::{Chatter, Impact, ImpactWithoutCollision, Release, Slip, Stick};
    let drop = |mu: f64, e: f64, u: f64, belt: f64, spring: f64, load: f64| {
        format!(
            "format = 1\nname = \"drop\"\n[parameters]\nmu = {mu}\ne = {e}\nbelt = {belt}\nk = {spring}\nF = {load}\n[phase.f]\nrate = 1.7\nperiod = \"2*pi\"\n\
             [mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\nM = [[1, 0.2], [0.2, 1.5]]\nh = [\"-k*x - 0.1*u\", \"-2 - y + F*cos(f)\"]\n\
             [contacts.floor]\ngap = \"y + 0.1*sin(x)\"\ntrack = \"x\"\nbelt = \"belt\"\nrestitution = \"e\"\nfriction = {{ law = \"coulomb\", mu = \"mu\" }}\n\
             [start]\nx = 0.5\ny = 0.3\nu = {u}\nw = 0\nf = 0.3\n"
        )
    };
    let cases: Vec<(&str, String, f64, Vec<EventKind>)> = vec![
        ("slip, stick, slip", drop(0.5, 0.0, 0.8, 0.3, 1.5, 0.5), 9.0, vec![Impact, Slip, Stick]),
        ("reversal", drop(0.1, 0.0, 1.0, 0.0, 3.0, 0.2), 6.0, vec![Impact, Slip, Slip]),
        ("impact that sticks", drop(1.5, 0.0, 0.05, 0.0, 0.5, 0.2), 3.0, vec![Impact, Stick]),
        ("rebounds", drop(0.4, 0.7, 1.0, 0.2, 1.0, 0.3), 2.2, vec![Impact]),
        ("chattering with friction", drop(0.3, 0.5, 1.0, 0.2, 1.0, 0.2), 5.0, vec![Chatter]),
        ("release", drop(0.4, 0.0, 1.0, 0.2, 1.0, 3.5), 6.0, vec![Impact, Release]),
    ];
    for (name, text, until, wanted) in cases {
        let (system, values) = parse(&text);
        // Restitution is not below zero.
        let without: &[&str] = if values.parameters()[1] == 0.0 { &["e"] } else { &[] };
        let (met, worst) =
            error(&system, &values, (until, 2e-5), (0, without)).unwrap_or_else(|| panic!("{name}: neighbours differ"));
        for kind in wanted {
            assert!(met.contains(&kind), "{name}: {met:?}");
        }
        assert!(worst < 1e-6, "{name}: {worst:e}");
    }
    let (bounce, values) = system("frictional-bounce", &[], &[]);
    let (met, worst) = error(&bounce, &values, (2.0, 2e-5), (0, &[])).unwrap();
    assert!(met.contains(&Release) && met.contains(&Stick) && worst < 1e-6, "{met:?} {worst:e}");
    // An impact without collision where the force of a slip with A < 0 vanishes. The rod starts on the ground: parameters only, and not its length.
    let start = [("mu", 5.0 / 3.0), ("angle", PI / 3.0), ("slip", 30.0), ("spin", -3.6)];
    let (rod, values) = system("painleve-rod", &start, &[]);
    let (met, worst) = error(&rod, &values, (0.2, 1e-5), (values.start().len(), &["s"])).unwrap();
    assert!(met.contains(&ImpactWithoutCollision) && worst < 1e-6, "{met:?} {worst:e}");
    // Two redundant corners that stop together: x = v^2/(2 g (sin alpha + mu cos alpha)).
    let (alpha, mu, speed) = (0.3_f64, 0.5, 2.0);
    let (block, values) = two_corners(alpha, mu, speed);
    let (met, derivatives) = differentiate(&block, &values, 0.6);
    assert_eq!(met, [Slip, Slip, Stick, Stick]);
    let (slope, states) = (alpha.sin() + mu * alpha.cos(), values.start().len());
    let scale = -0.5 * speed * speed / (GRAVITY * slope * slope);
    assert_close(derivatives.state(3)[0], speed / (GRAVITY * slope), 1e-13);
    assert_close(derivatives.state(states)[0], scale * (alpha.cos() - mu * alpha.sin()), 1e-13);
    assert_close(derivatives.state(states + 1)[0], scale * alpha.cos(), 1e-13);
}

/// Starts exactly at borders between modes, and numbers at the edge of what is sensible.
#[test]
fn starts_at_borders_are_decided_a_moment_later() {
    let incline = |mu: &str, e: f64, g: f64, u: f64, belt: f64| {
        parse(&format!(
            "format = 1\nname = \"border\"\n[parameters]\nalpha = 0.35\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\n\
             M = [[1, 0], [0, 1]]\nh = [\"-{g}*sin(alpha)\", \"-{g}*cos(alpha)\"]\n[contacts.c]\ngap = \"y\"\ntrack = \"x\"\nbelt = {belt}\n\
             restitution = {e:e}\nfriction = {{ law = \"coulomb\", mu = \"{mu}\" }}\n[start]\nx = 0\ny = 0\nu = {u}\nw = 0\n"
        ))
    };
    // At the angle of friction the block sticks; for a slightly smaller coefficient it slides.
    let (rest, values) = incline("sin(alpha)/cos(alpha)", 0.0, 9.81, 0.0, 0.0);
    let end = run(&rest, &values, 100.0);
    assert_eq!(end.ended, Ended::ReachedTime);
    assert_all_close(&end.state, &[0.0; 4], 1e-11);
    let (slides, values) = incline("sin(alpha)/cos(alpha)*(1 - 1e-6)", 0.0, 9.81, 0.0, 0.0);
    let end = run(&slides, &values, 100.0);
    assert_close(end.state[0], -0.5 * 9.81 * 0.35_f64.sin() * 1e-6 * 1e4, 1e-7);
    // On a moving belt: with its speed from the beginning, from rest, and at rest where friction holds gravity.
    let (carried, values) = incline("1", 0.0, 9.81, 0.3, 0.3);
    let end = run(&carried, &values, 10.0);
    assert_eq!(kinds(&end), [EventKind::Stick]);
    assert_close(end.state[0], 3.0, 1e-13);
    let (caught, values) = incline("1", 0.0, 9.81, 0.0, 0.3);
    let end = run(&caught, &values, 10.0);
    assert_eq!(kinds(&end), [EventKind::Slip, EventKind::Stick]);
    let time = 0.3 / (9.81 * (0.35_f64.cos() - 0.35_f64.sin()));
    assert_close(end.state[0], 0.3 * (10.0 - 0.5 * time), 1e-13);
    let (held, values) = incline("sin(alpha)/cos(alpha)", 0.0, 9.81, 0.0, 0.3);
    let end = run(&held, &values, 10.0);
    assert!(end.state[0].abs() < 1e-11 && end.ended == Ended::ReachedTime);
    // Without any force it glides on; with enormous friction it stops at once; a tiny restitution is none.
    let (glides, values) = incline("0.5", 0.0, 0.0, 2.0, 0.0);
    let end = run(&glides, &values, 10.0);
    assert_all_close(&end.state, &[20.0, 0.0, 2.0, 0.0], 1e-13);
    for e in [0.0, 1e-15, 1e-9] {
        let (stops, values) = incline("1000", e, 9.81, 2.0, 0.0);
        let end = run(&stops, &values, 10.0);
        assert_eq!((end.ended.clone(), *kinds(&end).last().unwrap()), (Ended::ReachedTime, EventKind::Stick));
        assert_close(end.state[0], 2.0 / (9.81 * (0.35_f64.sin() + 1000.0 * 0.35_f64.cos())), 1e-15);
    }
    // The belt's mass at the very edge of its cone slips at once.
    let (edge, values) = system("belt-oscillator", &[("c", 0.0)], &[("x", 0.6), ("u", 0.2)]);
    let end = run(&edge, &values, 1.0);
    assert_eq!((kinds(&end)[0], end.events[0].time), (EventKind::Slip, 0.0));
}

/// The same in random models.
#[test]
fn derivatives_of_random_rough_motions() {
    let mut compared = std::collections::BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in 0..150 {
        let mut dice = crate::common::rough::Dice(seed);
        let mut body = crate::common::rough::body(
            &mut dice,
            crate::common::rough::Wild { contacts: 1 + (seed as usize) % 2, extremes: false },
        );
        for contact in &mut body.contacts {
            contact.gap.constant += 0.05;
        }
        let (system, values) = parse(&body.text(1.0, 1.0, 1.0));
        let settings = Settings { until: 2.0, ..Settings::default() };
        if !run_with(&system, &values, settings).ended.is_complete() {
            continue;
        }
        let Some((met, worst)) = error(&system, &values, (2.0, 1e-5), (0, &["L", "T", "m"])) else { continue };
        if worst > 1e-6 {
            wrong.push((seed, worst, met.clone()));
        }
        for kind in met {
            *compared.entry(kind).or_insert(0) += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    for kind in [EventKind::Impact, EventKind::Chatter, EventKind::Stick, EventKind::Release, EventKind::Slip] {
        assert!(compared.get(&kind).is_some_and(|&n| n >= 10), "{compared:?}");
    }
}
