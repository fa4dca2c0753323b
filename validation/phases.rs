//! Several phases: against closed forms, against tones that are states of their own, and, where their rates are in a ratio of whole numbers, against one phase.

use crate::common::{assert_all_close, assert_close, parse, run, run_with};
use saltation::RecordSettings;
use saltation_model::{Model, Values};
use saltation_motion::{EventKind, FlowChoice, Motion, Perturbation, Settings, System};
use saltation_orbit::branch::{self, Branch, SpecialKind};
use saltation_orbit::curve;
use saltation_orbit::{Ended, LyapunovSettings, Orbit, Settings as Asked, find, lyapunov};
use std::f64::consts::TAU;

const GOLDEN: f64 = 1.618_033_988_749_895;

/// An oscillator with some forcing, with a wall or without.
fn oscillator(parameters: &str, phases: &str, force: &str, wall: &str, start: &str) -> String {
    format!(
        "format = 1\nname = \"tones\"\n[parameters]\nomega = 0.7\nA = 0.8\nB = 0.5\n{parameters}\n{phases}\n[mechanics]\ncoordinates = [\"x\"]\n\
         velocities = [\"v\"]\nM = [[1]]\nh = [\"{force} - 0.2*v - x\"]\n{wall}\n[start]\nx = 0\nv = 0.3\n{start}\n"
    )
}

const WALL: &str = "[contacts.wall]\ngap = \"1 - x\"\nrestitution = 0.7";
const TWO: &str =
    "[phase.a]\nrate = \"omega\"\nperiod = \"2*pi\"\n[phase.b]\nrate = \"ratio*omega\"\nperiod = \"2*pi\"";
const FORCE: &str = "A*cos(a) + B*cos(b)";

/// The oscillator with two tones whose rates have a ratio.
fn two_tones(ratio: &str, wall: &str) -> String {
    oscillator(&format!("ratio = \"{ratio}\""), TWO, FORCE, wall, "a = 0.4\nb = 1.1")
}

/// The response of x'' + 0.2 x' + x to F cos(phi), with its rate: the real part of F e^(i phi)/(1 - w^2 + 0.2 i w).
fn response(force: f64, omega: f64, phi: f64) -> (f64, f64) {
    let (re, im) = (1.0 - omega * omega, 0.2 * omega);
    let size = force / (re * re + im * im);
    let (c, s) = (phi.cos(), phi.sin());
    (size * (re * c + im * s), size * omega * (im * c - re * s))
}

/// The motion from the start of `oscillator` at some time, in closed form.
fn closed_form(ratio: f64, time: f64) -> (f64, f64) {
    let forced = |t: f64| {
        let (x, v) = response(0.8, 0.7, 0.4 + 0.7 * t);
        let (y, w) = response(0.5, 0.7 * ratio, 1.1 + 0.7 * ratio * t);
        (x + y, v + w)
    };
    let (x, v) = forced(0.0);
    let (free, speed) = (0.0 - x, 0.3 - v);
    let (decay, omega) = (0.1, 0.99_f64.sqrt());
    let (c, s, size) = ((omega * time).cos(), (omega * time).sin(), (-decay * time).exp());
    let other = (speed + decay * free) / omega;
    let (x, v) = forced(time);
    let along = free * c + other * s;
    (x + size * along, v + size * (omega * (other * c - free * s) - decay * along))
}

#[test]
fn a_linear_oscillator_with_two_tones_moves_as_its_closed_form() {
    let flow = format!(
        "format = 1\nname = \"tones\"\n[parameters]\nomega = 0.7\nA = 0.8\nB = 0.5\nratio = \"(1 + sqrt(5))/2\"\n{TWO}\n[flow]\nx = \"v\"\n\
         v = \"{FORCE} - 0.2*v - x\"\n[start]\nx = 0\nv = 0.3\na = 0.4\nb = 1.1\n"
    );
    for text in [two_tones("(1 + sqrt(5))/2", ""), flow] {
        let (system, values) = parse(&text);
        assert_eq!(system.state_names(), ["x", "v", "b", "a"]);
        assert_eq!(system.section_names().collect::<Vec<_>>(), ["b", "a"]);
        for time in [0.5, 13.0, 300.0, 4000.0] {
            let state = run(&system, &values, time).state;
            let (x, v) = closed_form(GOLDEN, time);
            assert_all_close(&state[..2], &[x, v], 1e-10);
            // Phases stay on their circles.
            assert_close(state[2], (1.1 + 0.7 * GOLDEN * time).rem_euclid(TAU), 1e-11);
            assert_close(state[3], (0.4 + 0.7 * time).rem_euclid(TAU), 1e-11);
        }
    }
}

/// A tone that is two states, p' = -w q and q' = w p.
const AS_STATES: &str = "format = 1\nname = \"tones\"\n[parameters]\nomega = 0.7\nA = 0.8\nB = 0.5\nw = \"0.7*(1 + sqrt(5))/2\"\n[phase.a]\n\
    rate = \"omega\"\nperiod = \"2*pi\"\n[flow]\nx = \"v\"\nv = \"A*cos(a) + B*p - 0.2*v - x\"\np = \"-w*q\"\nq = \"w*p\"\n[contacts.wall]\n\
    gap = \"1 - x\"\njump = { v = \"-0.7*v\" }\n[start]\nx = 0\nv = 0.3\np = \"cos(1.1)\"\nq = \"sin(1.1)\"\na = 0.4\n";

#[test]
fn an_impact_oscillator_with_two_tones_moves_as_with_a_tone_of_two_states() {
    let (one, other) = (parse(&two_tones("(1 + sqrt(5))/2", WALL)), parse(AS_STATES));
    let until = 300.0;
    let (tones, states) = (run(&one.0, &one.1, until), run(&other.0, &other.1, until));
    let impacts = |run: &saltation_motion::Run| {
        let impacts = run.events.iter().filter(|event| event.kind == EventKind::Impact);
        impacts.map(|event| event.time).collect::<Vec<f64>>()
    };
    assert!(impacts(&tones).len() > 25, "{}", impacts(&tones).len());
    assert_all_close(&impacts(&tones), &impacts(&states), 1e-9);
    assert_all_close(&tones.state[..2], &states.state[..2], 1e-9);
    let exponents = |(system, values): &(System, Values)| {
        let through = LyapunovSettings::through(system.default_section().unwrap());
        let settings = LyapunovSettings { settle: 100, returns: 400, ..through };
        let found = lyapunov::exponents(system, values, &settings, &mut |_| true);
        assert!(found.ended.is_complete());
        (found.exponents, found.time)
    };
    let ((own, time), (with_zeros, _)) = (exponents(&one), exponents(&other));
    assert_eq!((own.len(), with_zeros.len()), (2, 4));
    // The tone of two states adds its own two exponents, which are zero. The angles between directions enter each of them once in the whole time, and not their sum.
    assert_all_close(&with_zeros[..2], &[0.0, 0.0], 1.0 / time);
    assert_all_close(&own, &with_zeros[2..], 1.0 / time);
    assert_close(own.iter().sum(), with_zeros.iter().sum(), 1e-9);
}

/// The same forcing by one phase, of which a turns twice and b three times.
fn combined(wall: &str) -> String {
    let phase = "[phase.phi]\nrate = \"omega/2\"\nperiod = \"2*pi\"";
    oscillator("", phase, "A*cos(2*phi) + B*cos(3*phi + 0.5)", wall, "phi = 0.2")
}

fn searched(system: &System, values: &Values, change: impl Fn(&mut Asked)) -> Orbit {
    let mut settings = Asked { settle: 200, ..Asked::through(system.default_section().expect("it has a phase")) };
    change(&mut settings);
    let search = find(system, values, &settings, &mut |_| true);
    assert_eq!(search.ended, Ended::Converged, "{}", search.ended.describe(system));
    search.orbit.expect("a search that converged has an orbit")
}

#[track_caller]
fn same_multipliers(one: &Orbit, other: &Orbit, tolerance: f64) {
    assert_eq!(one.multipliers.len(), other.multipliers.len());
    for (a, b) in one.multipliers.iter().zip(&other.multipliers) {
        assert_close(a.re, b.re, tolerance);
        assert_close(a.im.abs(), b.im.abs(), tolerance);
    }
}

#[test]
fn commensurate_tones_have_the_orbits_of_one_phase() {
    // The tones of both are cos(a) and cos(b) with b = 3/2 a + 0.5.
    let (one, other) = (parse(&two_tones("3/2", WALL)), parse(&combined(WALL)));
    for returns in [1, 2] {
        let orbit = searched(&one.0, &one.1, |asked| asked.returns = returns);
        let expected = searched(&other.0, &other.1, |_| {});
        assert_eq!((orbit.returns, &orbit.turns[2..]), (2, &[3.0, 2.0][..]));
        assert_close(orbit.period, 2.0 * TAU / 0.7, 1e-13);
        assert_close(orbit.period, expected.period, 1e-12);
        assert!(orbit.residual < 1e-13);
        // The motion may have settled at either passage of a, of which b tells them apart.
        let place = expected.points.first().map(|_| {
            let turn = (orbit.state[2] - 1.1).abs() < 1e-9;
            if turn { expected.state.clone() } else { expected.trajectory.at(0.5 * expected.period) }
        });
        assert_all_close(&orbit.state[..2], &place.expect("it has points")[..2], 1e-10);
        same_multipliers(&orbit, &expected, 1e-10);
        let words = |orbit: &Orbit, system: &System| orbit.signature_words(system).len();
        assert_eq!(words(&orbit, &one.0), words(&expected, &other.0));
    }
}

#[test]
fn every_section_finds_the_same_orbit() {
    let text = two_tones("3/2", WALL)
        + "[sections.hit]\nwhen = \"contact wall\"\n[sections.turn]\nwhen = \"v\"\ndirection = \"falling\"\n[sections.early]\nwhen = \"2*b - 1\"\n";
    let (system, values) = parse(&text);
    let expected = searched(&system, &values, |_| {});
    let section = |name: &str| system.section_names().position(|known| known == name).expect("it is there");
    for (name, returns) in [("b", 1), ("hit", 2), ("early", 6), ("turn", 2)] {
        let passes = expected.trajectory.pieces().count();
        assert!(passes > 0);
        let orbit = searched(&system, &values, |asked| (asked.section, asked.returns) = (section(name), returns));
        assert_close(orbit.period, expected.period, 1e-10);
        same_multipliers(&orbit, &expected, 1e-9);
        assert_eq!(&orbit.turns[2..], &[3.0, 2.0], "{name}");
    }
    // From beside the orbit, where Newton's method has to move the phases together.
    let orbit = searched(&system, &values, |asked| (asked.section, asked.returns) = (section("hit"), 2));
    let mut start = orbit.state.clone();
    (start[1], start[2], start[3]) = (start[1] + 1e-3, start[2] + 1.5e-3, start[3] + 1e-3);
    let near = values.with_start(&start);
    let again = searched(&system, &near, |asked| {
        (asked.section, asked.returns, asked.settle) = (section("hit"), 2, 0);
    });
    assert_all_close(&again.state, &orbit.state, 1e-9);
}

fn followed(
    system: &System,
    values: &Values,
    along: &str,
    range: (f64, f64),
    change: impl Fn(&mut branch::Settings),
) -> Vec<Branch> {
    let following = values.along(&[along]).expect("it is a parameter");
    let orbit = searched(system, &following, |_| {});
    let mut settings = branch::Settings::between(range.0, range.1);
    change(&mut settings);
    branch::follow(system, &following, &orbit, &settings, &mut |_, _| true).expect("it begins")
}

#[test]
fn branches_along_an_amplitude_are_those_of_one_phase() {
    let (one, other) = (parse(&two_tones("3/2", WALL)), parse(&combined(WALL)));
    let [tones, phase] =
        [&one, &other].map(|(system, values)| followed(system, values, "A", (0.3, 1.2), |_| {}).remove(0));
    let special = |branch: &Branch| {
        let known = branch.special.iter().map(|special| (special.kind, branch.value(&special.point)));
        let mut known: Vec<_> = known.collect();
        known.sort_by(|a, b| a.1.total_cmp(&b.1));
        known
    };
    let (found, expected) = (special(&tones), special(&phase));
    assert!(!expected.is_empty());
    assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
    for ((kind, at), (expected, value)) in found.into_iter().zip(expected) {
        assert_eq!(kind, expected);
        assert_close(at, value, 1e-8);
    }
    // Multipliers of branches are those of orbits at single values.
    let (system, values) = &one;
    let following = values.along(&["A"]).unwrap();
    let admissible: Vec<_> = tones.points.iter().filter(|point| point.admissible && point.stable).collect();
    assert!(admissible.len() > 5);
    for point in admissible.iter().step_by(4) {
        let mut alone = following.at_free(&[tones.value(point)]);
        alone = alone.with_start(&point.state);
        let orbit = searched(system, &alone, |asked| asked.settle = 0);
        assert_close(point.period, orbit.period, 1e-11);
        for (a, b) in point.multipliers.iter().zip(&orbit.multipliers) {
            assert_close(a.re, b.re, 1e-8);
            assert_close(a.im.abs(), b.im.abs(), 1e-8);
        }
        assert_eq!(point.multipliers.len(), 2);
    }
}

/// Along a parameter of both rates the ratio stays, and the period follows.
#[test]
fn a_branch_along_a_common_frequency_keeps_the_ratio() {
    let (system, values) = parse(&two_tones("3/2", ""));
    let branch = followed(&system, &values, "omega", (0.5, 0.8), |_| {}).remove(0);
    assert!(branch.points.len() > 3);
    for point in &branch.points {
        let omega = branch.value(point);
        assert_close(point.period, 2.0 * TAU / omega, 1e-11);
        let [x, v, b, a] = point.state[..] else { unreachable!("four states") };
        let (first, second) = (response(0.8, omega, a), response(0.5, 1.5 * omega, b));
        assert_all_close(&[x, v], &[first.0 + second.0, first.1 + second.1], 1e-9);
        let moved = (b - 1.5 * a - 0.5).rem_euclid(0.5 * TAU);
        assert!(moved.min(0.5 * TAU - moved) < 1e-9, "{moved}");
    }
}

#[test]
fn a_parameter_that_changes_the_ratio_is_refused() {
    let (system, values) = parse(&two_tones("3/2", WALL));
    let following = values.along(&["ratio"]).unwrap();
    let orbit = searched(&system, &following, |_| {});
    let refused = branch::follow(&system, &following, &orbit, &branch::Settings::between(1.4, 1.6), &mut |_, _| true);
    let message = refused.expect_err("its phases do not stay together").to_string();
    assert!(message.starts_with("ratio changes the ratio of the rates of the phases a and b"), "{message}");
}

#[test]
fn incommensurate_tones_have_no_orbits() {
    for (ratio, found) in [("(1 + sqrt(5))/2", false), ("1.5*(1 + 1e-12)", false), ("355/113", true), ("1.0001", true)]
    {
        let (system, values) = parse(&two_tones(ratio, ""));
        let search = find(&system, &values, &Asked::through(system.default_section().unwrap()), &mut |_| true);
        if found {
            assert_eq!(search.ended, Ended::Converged, "{ratio}");
            continue;
        }
        assert_eq!((search.ended.name(), search.orbit.is_none()), ("incommensurate", true), "{ratio}");
        let message = search.ended.describe(&system);
        for part in ["the phases a and b never return together", "saltation sweep", "saltation lyapunov"] {
            assert!(message.contains(part), "{message}");
        }
    }
}

/// On the section of a phase the settled motion of a linear oscillator lies on the ellipse that the other tone draws.
#[test]
fn a_section_at_a_phase_is_the_closed_curve_of_the_other() {
    let (system, values) = parse(&two_tones("(1 + sqrt(5))/2", ""));
    for (name, fixed, moving) in [("a", 3, 2), ("b", 2, 3)] {
        let section = system.section_names().position(|known| known == name).unwrap();
        let settings = Settings { returns: Some((section, 400)), until: f64::INFINITY, ..Settings::default() };
        let run = run_with(&system, &values, settings);
        let passages: Vec<_> = run.events.iter().filter(|event| event.kind == EventKind::Section).collect();
        assert_eq!(passages.len(), 400);
        let mut turns = Vec::new();
        for event in &passages[100..] {
            let state = &event.before;
            assert_close((state[fixed] - values.start()[fixed] + 1.0).rem_euclid(TAU), 1.0, 1e-11);
            let (first, second) = (response(0.8, 0.7, state[3]), response(0.5, 0.7 * GOLDEN, state[2]));
            assert_all_close(&state[..2], &[first.0 + second.0, first.1 + second.1], 1e-10);
            turns.push(state[moving].rem_euclid(TAU) / TAU);
        }
        // The curve is filled: three distances at most, each of them small.
        turns.sort_by(f64::total_cmp);
        let gaps: Vec<f64> = turns.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.iter().all(|gap| *gap < 0.02 && *gap > 1e-4), "{gaps:?}");
    }
}

/// Derivatives by phases, rates and periods are those of differences, through impacts.
#[test]
fn derivatives_by_the_second_phase_are_those_of_differences() {
    let phases = "[phase.a]\nrate = \"omega\"\nperiod = \"2*pi\"\n[phase.b]\nrate = \"ratio*omega\"\nperiod = \"P\"";
    let text = oscillator("ratio = 1.3\nP = 5", phases, "A*cos(a) + B*cos(2*pi*b/P)", WALL, "a = 0.4\nb = 1.1");
    let (system, values) = parse(&text);
    let count = values.start().len() + values.parameters().len();
    let states = values.start().len();
    let direction = |i: usize| match i.checked_sub(states) {
        None => Perturbation::of_state(&system, i),
        Some(parameter) => Perturbation::of_parameter(&system, parameter),
    };
    let directions: Vec<Perturbation> = (0..count).map(direction).collect();
    let until = 31.0;
    let settings = Settings { until, ..Settings::default() };
    let mut motion = Motion::with_derivatives(&system, &values, settings, &directions).unwrap();
    while !matches!(motion.advance(), saltation_motion::Happening::Ended(_)) {}
    let derivatives = motion.derivatives();
    for i in 0..count {
        let h = 1e-6;
        let [down, up] = [-h, h].map(|step| run(&system, &crate::common::beside(&values, i, step), until).state);
        for j in 0..states {
            let slope = (up[j] - down[j]) / (2.0 * h);
            let error = (derivatives.state(i)[j] - slope).abs();
            assert!(error < 2e-6 * slope.abs().max(1.0), "{i} {j}: {} {slope}", derivatives.state(i)[j]);
        }
    }
}

/// Backwards, in other units of the circle, by a table, beside a first phase that begins anew with a jump: each against the same tone otherwise.
#[test]
fn a_second_phase_may_run_as_the_first_may() {
    let reference = parse(&two_tones("3/2", WALL));
    let expected = run(&reference.0, &reference.1, 100.0);
    let backwards =
        "[phase.a]\nrate = \"omega\"\nperiod = \"2*pi\"\n[phase.b]\nrate = \"-1.5*omega/(2*pi)\"\nperiod = 1";
    let text = oscillator("", backwards, "A*cos(a) + B*cos(2*pi*b)", WALL, "a = 0.4\nb = \"-1.1/(2*pi)\"");
    let (system, values) = parse(&text);
    let found = run(&system, &values, 100.0);
    assert_all_close(&found.state[..2], &expected.state[..2], 1e-9);
    assert!((0.0..1.0).contains(&found.state[2]));
    let (orbit, other) = (searched(&system, &values, |_| {}), searched(&reference.0, &reference.1, |_| {}));
    assert_eq!(&orbit.turns[2..], &[-3.0, 2.0]);
    same_multipliers(&orbit, &other, 1e-10);
    // Which phase is the first does not matter to the motion.
    let exchanged =
        "[phase.b]\nrate = \"1.5*omega\"\nperiod = \"2*pi\"\n[phase.a]\nrate = \"omega\"\nperiod = \"2*pi\"";
    let (system, values) = parse(&oscillator("", exchanged, FORCE, WALL, "a = 0.4\nb = 1.1"));
    assert_all_close(&run(&system, &values, 100.0).state[..2], &expected.state[..2], 1e-9);
    let orbit = searched(&system, &values, |_| {});
    assert_eq!((orbit.returns, &orbit.turns[2..]), (3, &[2.0, 3.0][..]));
    same_multipliers(&orbit, &other, 1e-10);
}

#[test]
fn a_second_phase_may_have_a_table_beside_a_ramp_of_the_first() {
    let table = "[tables.bump]\nknots = [[0, 0], [1, 0.6], [2, 0.1], [3, 0]]\ninterpolation = \"monotone\"\nbeyond = \"periodic\"";
    let ramp = |order: bool| {
        let (a, b) = ("[phase.a]\nrate = 1\nperiod = 2\n", "[phase.b]\nrate = 1\nperiod = 3\n");
        let phases = if order { format!("{a}{b}") } else { format!("{b}{a}") };
        format!("{phases}{table}")
    };
    // Six units of time are three turns of the ramp and two of the table.
    let two = oscillator("", &ramp(true), "A*(a/2 - 0.5) + bump(b)", WALL, "a = 0.3\nb = 0.7");
    let one = format!("[phase.phi]\nrate = 1\nperiod = 6\n{table}");
    let step = "A*((phi - 2*step(phi - 2) - 2*step(phi - 4))/2 - 0.5) + bump(phi + 0.4)";
    let one = oscillator("", &one, step, WALL, "phi = 0.3");
    let (two, one) = (parse(&two), parse(&one));
    let (found, expected) = (run(&two.0, &two.1, 60.0), run(&one.0, &one.1, 60.0));
    assert_all_close(&found.state[..2], &expected.state[..2], 1e-9);
    let (orbit, other) = (searched(&two.0, &two.1, |_| {}), searched(&one.0, &one.1, |_| {}));
    assert_eq!((orbit.returns, &orbit.turns[2..]), (3, &[2.0, 3.0][..]));
    same_multipliers(&orbit, &other, 1e-9);
    // The branch goes through the ends of the ramp and the knots of the table.
    let [tones, phase] =
        [&two, &one].map(|(system, values)| followed(system, values, "A", (0.7, 0.9), |_| {}).remove(0));
    assert!(tones.points.len() > 2 && tones.points.iter().any(|point| point.admissible));
    for (a, b) in [(tones.points.first(), phase.points.first()), (tones.points.last(), phase.points.last())] {
        let (a, b) = (a.expect("it has points"), b.expect("it has points"));
        assert_close(tones.value(a), phase.value(b), 1e-12);
        assert_all_close(&a.impact_speeds, &b.impact_speeds, 1e-8);
        for (m, n) in a.multipliers.iter().zip(&b.multipliers) {
            assert_close(m.re, n.re, 1e-8);
        }
    }
    // A ramp is the first phase of the file, or refused.
    let refused =
        Model::parse(&oscillator("", &ramp(false), "A*(a/2 - 0.5) + bump(b)", WALL, "a = 0.3\nb = 0.7"), "test.toml");
    let message = refused.map(|model| model.values(&Default::default()).map(|_| ())).map_or_else(
        |mistakes| mistakes.to_string(),
        |values| values.expect_err("the ramp is no function on the circle").to_string(),
    );
    assert!(message.contains("is not the same after the phase `a` has gone round its period 2"), "{message}");
}

#[test]
fn single_phases_and_time_stepping() {
    // Time stepping knows the rates of all phases: obstacles that move by them.
    let moving = "[contacts.wall]\ngap = \"1 - x + 0.1*cos(b)\"\nrestitution = 0.7";
    let (system, values) = parse(&two_tones("(1 + sqrt(5))/2", moving));
    let exact = run(&system, &values, 20.0).state;
    let error = |step: f64| {
        let settings = saltation_motion::stepping::SteppingSettings::new(step, 20.0);
        let mut motion = saltation_motion::stepping::Stepping::new(system.model(), &values, settings).unwrap();
        while motion.advance() {}
        (0..2).map(|i| (motion.state()[i] - exact[i]).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(1e-3), error(1e-4));
    assert!(fine < 0.3 * coarse && fine < 1e-3, "{coarse} {fine}");
    // By Taylor steps and by the exact flow one phase moves as before.
    let (system, values) = parse(&combined(WALL));
    let by = |flow: FlowChoice| run_with(&system, &values, Settings { until: 50.0, flow, ..Settings::default() }).state;
    assert_all_close(&by(FlowChoice::Taylor), &by(FlowChoice::Automatic), 1e-9);
}

#[test]
fn period_doublings_and_their_curves_are_those_of_one_phase() {
    let texts = [two_tones("3/2", WALL), combined(WALL)];
    let mut ends = Vec::new();
    let mut doubled = Vec::new();
    for text in texts {
        let (system, values) = parse(&text);
        let following = values.along(&["A"]).unwrap();
        let orbit = searched(&system, &following, |_| {});
        let settings = branch::Settings { switch: true, ..branch::Settings::between(0.42, 0.9) };
        let branches = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).expect("it begins");
        let doubling = branches[0].special.iter().find(|special| special.kind == SpecialKind::PeriodDoubling).unwrap();
        assert_close(doubling.point.multipliers.iter().map(|m| (m.re + 1.0).abs()).fold(1.0, f64::min), 0.0, 1e-7);
        let twice = |branch: &&Branch| (branch.points[0].period - 4.0 * TAU / 0.7).abs() < 1e-9;
        let second = branches.iter().find(twice).expect("orbits of twice the period begin");
        let special = second.special.iter().map(|special| (special.kind.name(), second.value(&special.point)));
        let mut special: Vec<(&str, f64)> = special.collect();
        special.sort_by(|a, b| a.1.total_cmp(&b.1));
        doubled.push((branches.len(), special));
        let both = values.along(&["A", "B"]).unwrap();
        let origin = curve::Origin::of(&branches[0], doubling, &orbit);
        let found = curve::follow(&system, &both, &origin, &curve::Settings::between(0.48, 0.52), &mut |_, _| true);
        let found = found.expect("the curve begins");
        let at = |point: &curve::CurvePoint| (point.parameters[both.free()[1]], point.parameters[both.free()[0]]);
        let mut both_ends = [at(found.points.first().unwrap()), at(found.points.last().unwrap())];
        both_ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        ends.push(both_ends);
    }
    for (one, other) in ends[0].iter().zip(&ends[1]) {
        assert_close(one.0, other.0, 1e-9);
        assert_close(one.1, other.1, 1e-8);
    }
    assert_close(ends[0][0].0, 0.48, 1e-9);
    assert_close(ends[0][1].0, 0.52, 1e-9);
    let (one, other) = (&doubled[0], &doubled[1]);
    assert_eq!((one.0, one.1.len()), (other.0, other.1.len()), "{doubled:?}");
    for (a, b) in one.1.iter().zip(&other.1) {
        assert_eq!(a.0, b.0);
        assert_close(a.1, b.1, 1e-7);
    }
}

/// Returns after which the phases are not back are no orbit, also where x and v are.
#[test]
fn no_orbit_closes_without_all_phases() {
    let text =
        two_tones("3/2", WALL) + "[sections.hit]\nwhen = \"contact wall\"\n[sections.early]\nwhen = \"2*b - 1\"\n";
    let (system, values) = parse(&text);
    let hit = system.section_names().position(|name| name == "hit").unwrap();
    let early = system.section_names().position(|name| name == "early").unwrap();
    for (section, returns) in [(hit, 1), (early, 1), (early, 2), (early, 4)] {
        let settings = Asked { settle: 200, returns, ..Asked::through(section) };
        let search = find(&system, &values, &settings, &mut |_| true);
        assert!(search.orbit.is_none() && !search.ended.is_complete(), "{section} {returns} {:?}", search.ended);
    }
    // Without the second tone x and v are back after one turn of a, and b is not.
    let (system, values) = parse(&two_tones("3/2", ""));
    let values = values.with_parameters(&[0.7, 0.8, 0.0, 1.5]);
    let orbit = searched(&system, &values, |_| {});
    assert_eq!(orbit.returns, 2);
    assert_all_close(&orbit.points[0][..2], &orbit.points[1][..2], 1e-12);
}

/// A damped body on which no place depends, with two tones and a mean force: it drifts, and its multiplier is that of its damping.
#[test]
fn a_body_with_two_tones_may_drift() {
    let text = format!(
        "format = 1\nname = \"free\"\n[parameters]\nomega = 1\nA = 0.8\nB = 0.5\nratio = \"2/3\"\n{TWO}\n[mechanics]\ncoordinates = [\"x\"]\n\
         velocities = [\"v\"]\nM = [[1]]\nh = [\"{FORCE} + 0.3 - 0.05*v\"]\n[start]\nx = 0\nv = 0\na = 0\nb = 0\n"
    );
    let (system, values) = parse(&text);
    let orbit = searched(&system, &values, |asked| asked.settle = 0);
    assert_eq!((orbit.returns, orbit.drift.len(), orbit.multipliers.len()), (3, 1, 1));
    assert_close(orbit.period, 3.0 * TAU, 1e-12);
    assert_close(orbit.drift[0].1, 3.0 * TAU * 0.3 / 0.05, 1e-9);
    assert_close(orbit.multipliers[0].re, (-0.05 * 3.0 * TAU).exp(), 1e-12);
    let branch = followed(&system, &values, "B", (0.1, 0.9), |_| {}).remove(0);
    for point in &branch.points {
        assert_eq!(point.drift.len(), 1);
        assert_close(point.drift[0].1, 3.0 * TAU * 0.3 / 0.05, 1e-8);
        assert_close(point.multipliers[0].re, (-0.05 * 3.0 * TAU).exp(), 1e-10);
    }
}

/// The questions of the front door: sweeps and basins of quasi-periodic motions, of periodic ones, and what `check` says.
#[test]
fn sweeps_and_basins_take_any_phases() {
    let gallery = saltation::System::gallery("two-tones").unwrap();
    let checked = gallery.check().unwrap();
    assert_eq!(
        (&checked.states[2..], &checked.sections[..]),
        (&["b".to_string(), "a".to_string()][..], &["b".to_string()][..])
    );
    for (ratio, period) in [(GOLDEN, None), (1.5, Some(2)), (2.0 / 3.0, Some(3))] {
        let system = gallery.with("ratio", ratio).unwrap();
        let swept = system.sweep().along("B", 0.05..=0.1, 2).settle(300).record(60).run().unwrap();
        for task in &swept.tasks {
            assert_eq!(task.period, period, "{ratio}");
        }
    }
    // Where the second phase begins decides to which of the orbits with one ratio a motion goes; without a ratio all go to one torus.
    for (ratio, count) in [(1.5, 3), (GOLDEN, 1)] {
        let system = gallery.with("ratio", ratio).unwrap();
        let basins = system.basin().grid("b", 0.0..=4.0, 3).run().unwrap();
        assert_eq!(basins.attractors.len(), count, "{ratio}");
    }
}

/// A ball that chatters and rests on a table which two tones shake.
fn table(parameters: &str, phases: &str, height: &str, start: &str) -> String {
    format!(
        "format = 1\nname = \"table\"\n[parameters]\nomega = 1\nA = 0.7\nB = 0.4\n{parameters}\n{phases}\n[mechanics]\ncoordinates = [\"x\"]\n\
         velocities = [\"v\"]\nM = [[1]]\nh = [-1]\n[contacts.table]\ngap = \"x - ({height})\"\nrestitution = 0.3\n[start]\nx = 2\nv = 0\n{start}\n"
    )
}

/// Chattering that is completed, rest, and release beside two phases, one of which goes round in the midst of it.
#[test]
fn chattering_on_a_table_with_two_tones_is_that_of_one_phase() {
    let phase = "[phase.phi]\nrate = \"omega/2\"\nperiod = \"2*pi\"";
    let one = table("", phase, "A*cos(2*phi) - B*cos(3*phi + 0.5)", "phi = 0.2");
    let golden = table("ratio = \"(1 + sqrt(5))/2\"", TWO, "A*cos(a) - B*cos(b)", "a = 0.4\nb = 1.1");
    let states = "format = 1\nname = \"table\"\n[parameters]\nomega = 1\nA = 0.7\nB = 0.4\nw = \"(1 + sqrt(5))/2\"\n[phase.a]\nrate = \"omega\"\n\
        period = \"2*pi\"\n[definitions]\nu = \"-A*omega*sin(a) + B*w*q\"\n[flow]\nx = \"v\"\nv = \"-1\"\np = \"-w*q\"\nq = \"w*p\"\n[contacts.table]\n\
        gap = \"x - A*cos(a) + B*p\"\njump = { v = \"u - 0.3*(v - u)\" }\n[start]\nx = 2\nv = 0\np = \"cos(1.1)\"\nq = \"sin(1.1)\"\na = 0.4\n";
    let (golden, states) = (parse(&golden), parse(states));
    let (found, expected) = (run(&golden.0, &golden.1, 60.0), run(&states.0, &states.1, 60.0));
    let of = |run: &saltation_motion::Run, kind: EventKind| {
        run.events.iter().filter(|event| event.kind == kind).map(|event| event.time).collect::<Vec<f64>>()
    };
    assert!(of(&found, EventKind::Chatter).len() > 5, "{:?}", found.events.len());
    assert_all_close(&of(&found, EventKind::Release), &of(&expected, EventKind::Release), 1e-9);
    assert_all_close(&found.state[..2], &expected.state[..2], 1e-9);

    let two = table("ratio = \"3/2\"", TWO, "A*cos(a) - B*cos(b)", "a = 0.4\nb = 1.1");
    let (two, one) = (parse(&two), parse(&one));
    let (orbit, other) = (searched(&two.0, &two.1, |_| {}), searched(&one.0, &one.1, |_| {}));
    assert!(orbit.count(EventKind::Chatter) > 0);
    same_multipliers(&orbit, &other, 1e-9);
    let [tones, phase] =
        [&two, &one].map(|(system, values)| followed(system, values, "A", (0.6, 0.8), |_| {}).remove(0));
    assert!(tones.points.len() > 2);
    let ends = |branch: &Branch| {
        let values = branch.points.iter().filter(|point| point.admissible).map(|point| branch.value(point));
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    assert_close(ends(&tones).0, ends(&phase).0, 1e-8);
    assert_close(ends(&tones).1, ends(&phase).1, 1e-8);
    let special = |branch: &Branch| branch.special.iter().map(|s| branch.value(&s.point)).collect::<Vec<f64>>();
    assert_all_close(&special(&tones), &special(&phase), 1e-7);
}

/// Where the ratio has an extremum a branch begins, and does not leave it.
#[test]
fn a_branch_stops_where_the_ratio_is_left() {
    let (system, values) =
        parse(&oscillator("p = 1\nratio = \"1.5 + (p - 1)^2\"", TWO, FORCE, WALL, "a = 0.4\nb = 1.1"));
    let following = values.along(&["p"]).unwrap();
    let orbit = searched(&system, &following, |_| {});
    let branches = branch::follow(&system, &following, &orbit, &branch::Settings::between(0.5, 1.5), &mut |_, _| true);
    let branch = branches.expect("it begins").remove(0);
    assert!(branch.points.iter().all(|point| (branch.value(point) - 1.0).abs() < 1e-6));
    for ended in &branch.ended {
        let branch::Ended::Stopped { reason } = ended else { panic!("{ended:?}") };
        assert!(reason.starts_with("the phases a and b turn in another ratio than on the orbit"), "{reason}");
    }
}
