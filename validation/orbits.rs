//! Periodic motions, their multipliers and their derivatives against published tables and closed forms.
#![allow(clippy::excessive_precision)] // references keep the digits they were computed with

use crate::common::shooting::{TABLE_1, TABLE_3, ball_at_its_top};
use crate::common::{assert_close, system};
use saltation_motion::{EventKind, System};
use saltation_numerics::dense::Complex;
use saltation_orbit::{Ended, Orbit, Search, Settings, find};

fn search(name: &str, set: &[(&str, f64)], start: &[(&str, f64)], change: impl Fn(&mut Settings)) -> (System, Search) {
    let (system, values) = system(name, set, start);
    let mut settings = Settings::through(system.default_section().expect("the model has one"));
    change(&mut settings);
    let search = find(&system, &values, &settings, &mut |_| true);
    (system, search)
}

fn orbit(name: &str, set: &[(&str, f64)], start: &[(&str, f64)]) -> Orbit {
    let (system, search) = search(name, set, start, |_| {});
    assert_eq!(search.ended, Ended::Converged, "{}", search.ended.describe(&system));
    search.orbit.expect("a search that converged has an orbit")
}

fn number(text: &str) -> f64 {
    text.parse().expect("a printed number")
}

/// The printed orbits close to 1e-10, those of Table 3 to 1e-9, which leaves some units of their last digit open.
#[track_caller]
fn assert_printed(ours: f64, printed: &str) {
    assert_close(ours, number(printed), 1e-8);
}

#[track_caller]
fn assert_relative(value: f64, reference: f64, tolerance: f64) {
    assert_close(value, reference, tolerance * reference.abs());
}

fn ball(k: f64) -> Orbit {
    // From a start that is only about right.
    let [x, v, phase] = ball_at_its_top(k, 0.9);
    let off = 0.01 * k * (phase - std::f64::consts::PI).sin();
    let orbit = orbit("ball-on-table", &[("K", k)], &[("x", x + off), ("v", v - off), ("phi", phase)]);
    assert_close(orbit.state[0], x, 1e-10);
    assert_eq!(orbit.signature.len(), 1);
    orbit
}

#[test]
fn the_ball_on_a_table_of_table_1() {
    for row in &TABLE_1 {
        let found = ball(number(row.k)).multipliers;
        // Printed with the larger real part last in (a) and first in (b).
        let mut ours = [found[0], found[1]];
        if ours[0].im == 0.0
            && (ours[0].re - number(row.printed[0])).abs() > (ours[1].re - number(row.printed[0])).abs()
        {
            ours.swap(0, 1);
        }
        let lost = row.k == "1.01631071";
        assert_printed(ours[0].re, row.printed[0]);
        assert_printed(ours[1].re, if lost { "-0.9999999556" } else { row.printed[1] });
        if row.misprint.is_some() && !lost {
            assert!(ours[0].im > 0.0);
            assert_close(ours[0].norm(), 0.9, 1e-12);
        }
        // The closed form: trace 1 + e^2 - (1 + e)^2 K sin phi, determinant e^2.
        let (k, e, across) = (number(row.k), 0.9_f64, std::f64::consts::PI * 0.1 / 1.9);
        let trace = 1.0 + e * e - (1.0 + e).powi(2) * ((k - across) * (k + across)).sqrt();
        let root = 0.25 * trace * trace - e * e;
        let mut exact = [0.5 * trace + root.max(0.0).sqrt(), 0.5 * trace - root.max(0.0).sqrt()];
        if (exact[0] - ours[0].re).abs() > (exact[1] - ours[0].re).abs() {
            exact.swap(0, 1);
        }
        assert_relative(ours[0].re, exact[0], 1e-9);
        assert_relative(ours[1].re, exact[1], 1e-9);
        assert_relative(ours[0].im.abs(), (-root).max(0.0).sqrt(), 1e-9);
    }
}

/// Multipliers from the closed form: trace 1 + e^2 - (1 + e)^2 K sin phi, determinant e^2.
#[test]
fn the_ball_s_multipliers_to_all_digits() {
    let real = [
        (1.016, [-0.9938547339710147, -0.8150084437024207]),
        (1.0163107124, [-1.0000000018366368, -0.8099999985123242]),
        (1.017, [-1.0126043342360511, -0.7999175715666832]),
        (0.16534699, [0.9990044306565926, 0.8108072148064749]),
    ];
    for (k, reference) in real {
        for (ours, reference) in ball(k).multipliers.iter().zip(reference) {
            assert_eq!(ours.im, 0.0);
            assert_relative(ours.re, reference, 1e-9);
        }
    }
    let pair = ball(0.166).multipliers[0];
    assert_relative(pair.re, 0.8784489702616162, 1e-9);
    assert_relative(pair.im, 0.1957738660963359, 1e-9);
    let e: f64 = 0.9;
    for k in [0.2, 0.5, 0.8, 1.2] {
        let orbit = ball(k);
        let sine = ball_at_its_top(k, e)[2].sin();
        let (m, t) = (&orbit.monodromy, 1.0 + e * e + (1.0 + e).powi(2) * k * sine);
        assert_close(m[(0, 0)] + m[(1, 1)], t, 1e-11);
        assert_close(m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)], e * e, 1e-11);
    }
}

#[test]
fn the_two_walls() {
    let exact = [
        (1.2, [0.92839156113195771, 1.31765069124415149], [0.94619479707125929, 0.22852430280100066]),
        (1.1, [0.95757752288293107, 1.13234128652518997], [0.70476999408052262, 0.30390025812628069]),
    ];
    for (nu, state, multipliers) in exact {
        let orbit = orbit("two-wall-oscillator", &[("nu", nu)], &[("y", 0.9), ("w", 1.2)]);
        assert_close(orbit.state[0], state[0], 1e-12);
        assert_close(orbit.state[1], state[1], 1e-12);
        for (ours, reference) in orbit.multipliers.iter().zip(multipliers) {
            assert_relative(ours.re, reference, 1e-9);
            assert_eq!(ours.im, 0.0);
        }
    }
    // Nearly defective: trace and determinant are what can be known.
    let near = orbit("two-wall-oscillator", &[("nu", 1.0)], &[("y", 0.986), ("w", 0.92)]);
    assert_close(near.state[0], 0.98616540820515331, 1e-12);
    assert_close(near.state[1], 0.92141459487372826, 1e-12);
    let [a, b] = [near.multipliers[0], near.multipliers[1]];
    assert_relative(a.re + b.re, 2.0 * 0.46015960436346742, 1e-11);
    assert_relative(a.re * b.re - a.im * b.im, 0.7_f64.powi(4) * (-0.02 * near.period).exp(), 1e-11);
    assert_close(a.im, 0.0002458484, 1e-9);
}

/// The symmetric orbit with one impact on each wall, on a section that no impact passes: at phase zero one does where nu =
/// 0.942261897632.
fn settled_between_walls(nu: f64) -> Orbit {
    let start = [("y", 0.0), ("w", -1.0), ("phi", 1.2)];
    let (system, search) = search("two-wall-oscillator", &[("nu", nu)], &start, |settings| settings.settle = 300);
    assert_eq!(search.ended, Ended::Converged, "{}", search.ended.describe(&system));
    let orbit = search.orbit.expect("it converged");
    assert_eq!(orbit.signature.len(), 2);
    orbit
}

/// det = e^4 exp(-2 gamma T), and the multipliers are the squares of those of the half map.
#[test]
fn determinants_and_half_maps() {
    for nu in [0.9, 1.0, 1.1, 1.2] {
        let orbit = settled_between_walls(nu);
        let m = &orbit.monodromy;
        let determinant = m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)];
        assert_relative(determinant, 0.7_f64.powi(4) * (-0.02 * orbit.period).exp(), 1e-12);
        let half = orbit.half.expect("the orbit is symmetric");
        let square = half.derivative.product(&half.derivative).expect("both are square");
        for i in 0..2 {
            for j in 0..2 {
                assert_close(square[(i, j)], m[(i, j)], 1e-11);
            }
        }
    }
}

/// Symmetry breaking at nu = 0.887486240752: the half map has the multiplier -1 there, not +1.
#[test]
fn the_end_of_the_symmetric_range() {
    let orbit = settled_between_walls(0.887486240752);
    let half = orbit.half.expect("the orbit is symmetric");
    assert_close(half.multipliers[0].re, -1.0, 1e-9);
    assert_close(orbit.multipliers[0].re, 1.0, 2e-9);
}

#[test]
fn the_impact_damper_of_table_3() {
    for row in &TABLE_3 {
        let orbit = orbit("impact-damper", &[("nu", number(row.nu))], &[]);
        let (pair, real): (Vec<Complex>, Vec<Complex>) = orbit.multipliers.iter().partition(|m| m.im != 0.0);
        assert_eq!((pair.len(), real.len()), (2, 2), "{:?}", orbit.multipliers);
        assert_printed(pair[0].norm(), row.pair);
        assert_printed(real[0].re, row.third);
        match row.nu {
            "1.0852502" => {
                let known = [-1.92240666133911873, 0.471490980771248198, -5.42220391285818876, 4.1171717491827175];
                // The model lists coordinates before velocities.
                let ours = [orbit.state[0], orbit.state[2], orbit.state[1], orbit.state[3]];
                ours.iter().zip(known).for_each(|(x, known)| assert_close(*x, known, 1e-10));
                assert_relative(pair[0].norm(), 0.7595633989236848, 1e-9);
                assert_relative(real[0].re, 0.9999978701095616, 1e-9);
                assert_relative(real[1].re, 0.3979173273323741, 1e-9);
            }
            "1.08525017" => {
                assert_relative(pair[0].norm(), 0.7595633914093978, 1e-9);
                assert_relative(real[0].re, 1.000000181072220, 1e-9);
                assert_relative(real[1].re, 0.3979164092651103, 1e-9);
            }
            _ => {}
        }
    }
}

/// Symmetry breaking at 1.085250172350610 and a Neimark-Sacker point at 1.369958899843824.
#[test]
fn the_borders_of_the_impact_damper() {
    let breaking = orbit("impact-damper", &[("nu", 1.085250172350610)], &[]);
    assert_close(breaking.half.expect("it is symmetric").multipliers[0].re, -1.0, 1e-9);
    let mut start = breaking.state;
    for k in 1..=20 {
        let nu = 1.0852501723506 + (1.369958899843824 - 1.0852501723506) * f64::from(k) / 20.0;
        let names = ["Y1", "Y2", "V1", "V2"];
        let pairs: Vec<(&str, f64)> = names.into_iter().zip(start.iter().copied()).collect();
        let next = orbit("impact-damper", &[("nu", nu)], &pairs);
        if k == 20 {
            assert!(next.multipliers[0].im > 0.0);
            assert_close(next.multipliers[0].norm(), 1.0, 1e-9);
        }
        start = next.state;
    }
}

/// Fig. 9(b): period 43, 86 impacts, from a start after the transient.
#[test]
fn eighty_six_impacts() {
    let (_, search) = search("impact-damper", &[("nu", 0.5464)], &[], |settings| {
        (settings.settle, settings.returns) = (4000, 43);
    });
    assert_eq!(search.ended, Ended::Converged);
    let orbit = search.orbit.expect("it converged");
    assert_eq!((orbit.returns, orbit.count(EventKind::Impact)), (43, 86));
    assert!(orbit.residual < 1e-11 && orbit.stable);
    // The determinant: e^2 per impact, and exp(-2 gamma T).
    let product: f64 = orbit.log_moduli.iter().sum();
    let expected = 86.0 * 2.0 * 0.8_f64.ln() - 0.1 * orbit.period;
    assert_relative(product, expected, 1e-12);
}

/// Nordmark & Piiroinen, Sect. 6.1: an orbit with complete chattering and sticking.
#[test]
fn the_pendulum_with_chattering() {
    let orbit = orbit("double-pendulum", &[], &[("q2", -1.14), ("w1", -3.665), ("w2", 0.2335)]);
    assert_close(orbit.period, 6.170196095475, 5e-12);
    for (ours, known) in orbit.state[1..].iter().zip([-1.14038277868, -3.66533147618, 0.23345445560]) {
        assert_close(*ours, known, 1e-11);
    }
    let kinds: Vec<EventKind> = orbit.signature.iter().map(|mark| mark.kind).collect();
    assert_eq!(kinds, [EventKind::Chatter, EventKind::Stick, EventKind::Release]);
    let stick = orbit.events.iter().find(|e| e.kind == EventKind::Stick).expect("it sticks").time;
    let release = orbit.events.iter().find(|e| e.kind == EventKind::Release).expect("it is released").time;
    assert_close(release - stick, 0.247714498, 1e-9);
    assert_eq!(orbit.trivial.map(|(index, _)| index), Some(0));
    assert!(orbit.trivial.is_some_and(|(_, distance)| distance < 1e-8));
    assert_relative(orbit.multipliers[1].re, -7.22135e-4, 1e-6);
    assert_eq!(orbit.multipliers[2..], [Complex { re: 0.0, im: 0.0 }; 2]);
    let jacobian = [
        [-3.5569115, 113.7356333, 16.5118036, -4.5133268],
        [0.2265836, -7.2448742, -1.0517880, 0.2874964],
        [1.7424219, -55.7154123, -8.0885984, 2.2109334],
        [15.6748919, -501.2185340, -72.7654235, 19.8896620],
    ];
    for (i, row) in jacobian.iter().enumerate() {
        for (j, known) in row.iter().enumerate() {
            assert_close(orbit.monodromy[(i, j)], *known, 1e-6 * known.abs().max(0.1));
        }
    }
}

/// Their Sect. 6.2: two intervals of sticking, the lower bar turning over once.
#[test]
fn the_pendulum_with_period_two() {
    let set = [("d", 0.5009), ("e", 0.19), ("T", -40.0)];
    let (system, search) = search("double-pendulum", &set, &[], |s| (s.settle, s.returns) = (400, 2));
    assert_eq!(search.ended, Ended::Converged, "{}", search.ended.describe(&system));
    let orbit = search.orbit.expect("it converged");
    assert_eq!((orbit.returns, orbit.count(EventKind::Stick)), (2, 2));
    assert_close(orbit.multipliers[1].re, -0.5465, 5e-5);
    assert_eq!(orbit.turns[1], -1.0);
    assert_eq!(orbit.multipliers[2..], [Complex { re: 0.0, im: 0.0 }; 2]);
    // The first period doubling: the multiplier changes by 5e-5 per 1e-8 of d.
    let set = [("d", 0.50100019), ("e", 0.19), ("T", -40.0)];
    let names = system.state_names().to_vec();
    let start: Vec<(&str, f64)> = names.iter().map(String::as_str).zip(orbit.state).collect();
    let doubling = self::search("double-pendulum", &set, &start, |settings| settings.returns = 2).1;
    let doubling = doubling.orbit.expect("it converged");
    let trivial = doubling.trivial.map_or(2, |(index, _)| index);
    assert_close(doubling.multipliers[1 - trivial].re, -1.0, 1e-4);
}

/// The forced oscillator forgets everything while it sticks.
#[test]
fn multipliers_that_are_exactly_zero() {
    let (_, search) = search("forced-oscillator", &[("e", 0.1)], &[], |settings| settings.settle = 10);
    let orbit = search.orbit.expect("it settles");
    assert_eq!(orbit.multipliers, [Complex { re: 0.0, im: 0.0 }; 2]);
    assert!(orbit.stable && orbit.residual < 1e-14);
    // It leaves the stop where the force changes its sign.
    let release = orbit.events.iter().find(|e| e.kind == EventKind::Release).expect("it is released");
    assert_close(release.after[2], 1.5 * std::f64::consts::PI, 1e-13);
}

#[test]
fn a_search_ends_with_a_reason() {
    // Newton's method leaves the walls, however short its steps.
    let start = [("y", 0.99), ("w", -8.0)];
    let (system, left) = search("two-wall-oscillator", &[("nu", 1.6)], &start, |_| {});
    assert!(matches!(left.ended, Ended::LeftDomain { .. }), "{}", left.ended.describe(&system));
    // No orbit with one impact per cycle exists below the fold at K = 0.16534698.
    let top = [("x", std::f64::consts::PI.powi(2) / 2.0), ("v", 0.0), ("phi", std::f64::consts::PI)];
    let (system, none) = search("ball-on-table", &[("K", 0.165)], &top, |_| {});
    assert!(matches!(none.ended, Ended::NotConverged { .. }), "{}", none.ended.describe(&system));
    assert!(left.returns.max(none.returns) < 1000);
    // A quasi-periodic attractor: beyond the Neimark-Sacker point the motion lies on a torus.
    let (system, torus) = search("impact-damper", &[("nu", 1.38)], &[], |settings| settings.settle = 600);
    assert!(matches!(torus.ended, Ended::NotPeriodic { .. }), "{}", torus.ended.describe(&system));
    // Chaos.
    let (system, chaos) = search("two-wall-oscillator", &[("nu", 0.7072)], &[], |settings| settings.settle = 300);
    assert!(matches!(chaos.ended, Ended::NotPeriodic { .. }), "{}", chaos.ended.describe(&system));
}

/// A section that is never crossed ends the search; so does a motion that runs into contacts closing together.
#[test]
fn a_motion_that_never_comes_back() {
    let text = r#"
        format = 1
        name = "spiral"
        [flow]
        x = "y"
        y = "-x - y/5"
        [sections.far]
        when = "x - 3"
        [start]
        x = 1
        y = 0
    "#;
    let (system, values) = crate::common::parse(text);
    let search = find(&system, &values, &Settings::through(0), &mut |_| true);
    assert!(matches!(search.ended, Ended::NoReturn { section: 0, .. }), "{:?}", search.ended);
    assert!(search.ended.describe(&system).contains("far"));
}

/// An orbit is the same on whatever section it is looked at: its least period, multipliers and what happens on it.
#[test]
fn an_orbit_does_not_depend_on_its_section() {
    let text = format!(
        "{}\n[sections.hit]\nwhen = \"contact upper\"\n[sections.middle]\nwhen = \"y\"\ndirection = \"rising\"\n",
        saltation_model::gallery::find("two-wall-oscillator").expect("it is in the gallery")
    );
    let (system, values) = crate::common::parse(&text);
    for section in 0..3 {
        for returns in [1, 2, 6] {
            let settings = Settings { returns, settle: 100, ..Settings::through(section) };
            let orbit = find(&system, &values, &settings, &mut |_| true).orbit.expect("it settles");
            assert_eq!((orbit.returns, orbit.signature.len()), (1, 2));
            assert_close(orbit.period, 2.0 * std::f64::consts::PI / values.parameters()[1], 1e-12);
        }
    }
    // A section that the orbit crosses in persistent contact, once per period.
    let text = format!(
        "{}\n[sections.resting]\nwhen = \"x3 - 4\"\n",
        saltation_model::gallery::find("forced-oscillator").expect("it is in the gallery")
    );
    let model = saltation_model::Model::parse(&text, "forced.toml").expect("the model is right");
    let system = System::new(&model);
    let set = vec![("e".to_string(), "0.1".to_string())];
    let values = model.values(&saltation_model::Overrides { set, start: Vec::new() }).expect("its numbers too");
    let settings = Settings { settle: 10, ..Settings::through(0) };
    let orbit = find(&system, &values, &settings, &mut |_| true).orbit.expect("it settles");
    assert!(orbit.closed.contains(0));
    assert_eq!(orbit.signature_words(&system), ["release:stop", "chatter:stop", "stick:stop"]);
}

/// The tops of the bounces of a chattering sequence come ever closer to each other, and are no orbit.
#[test]
fn a_chattering_sequence_is_no_orbit() {
    let text = format!(
        "{}\n[sections.top]\nwhen = \"x2\"\ndirection = \"falling\"\n",
        saltation_model::gallery::find("forced-oscillator").expect("it is in the gallery")
    );
    let model = saltation_model::Model::parse(&text, "forced.toml").expect("the model is right");
    let system = System::new(&model);
    for e in ["0", "0.1", "0.5"] {
        let set = vec![("e".to_string(), e.to_string())];
        let values = model.values(&saltation_model::Overrides { set, start: Vec::new() }).expect("its numbers too");
        for settle in 25..35 {
            let settings = Settings { settle, ..Settings::through(0) };
            let search = find(&system, &values, &settings, &mut |_| true);
            if let Some(orbit) = &search.orbit {
                assert!(
                    orbit.period > 1.0,
                    "e = {e} after {settle}: {:?} {:?} {:?} {}",
                    orbit.period,
                    orbit.state,
                    orbit.signature,
                    orbit.residual
                );
            }
        }
    }
}

/// Units do not matter: the orbit between two walls in lengths of 1e-11 and times of 1e-10 has the same multipliers.
#[test]
fn multipliers_have_no_units() {
    let (length, time) = (1e-11, 1e-10);
    let text = format!(
        r#"
        format = 1
        name = "small"
        [parameters]
        length = {length:e}
        time = {time:e}
        [phase.phi]
        rate = "1.2/time"
        period = "2*pi"
        [mechanics]
        coordinates = ["y"]
        velocities = ["w"]
        M = [[1]]
        h = ["1.44*cos(phi)*length/time^2 - 0.02*w/time - y/time^2"]
        [contacts.upper]
        gap = "length - y"
        restitution = 0.7
        [contacts.lower]
        gap = "length + y"
        restitution = 0.7
        [start]
        y = "0.9*length"
        w = "1.3*length/time"
        phi = 0
    "#
    );
    let (system, values) = crate::common::parse(&text);
    let search = find(&system, &values, &Settings::through(0), &mut |_| true);
    assert_eq!(search.ended, Ended::Converged, "{} {:?}", search.ended.describe(&system), search.history);
    let orbit = search.orbit.expect("it is the same orbit");
    for (ours, known) in orbit.multipliers.iter().zip([0.94619479707125929, 0.22852430280100066]) {
        assert_relative(ours.re, known, 1e-9);
    }
}

/// Den Hartog's oscillator, omega = 1.5, F = 0.3: the slip turns on one of the sections. Its multipliers are those of the nonstop motion at every section,
/// with S = diag(1, a_after/a_before) at each turn.
#[test]
fn multipliers_are_the_same_at_a_section_where_slip_turns() {
    let (system, values) = crate::common::model("den-hartog");
    for section in ["top", "phi"] {
        let section = system.section_names().position(|name| name == section).expect("it has this section");
        let orbit = find(&system, &values, &Settings { settle: 50, ..Settings::through(section) }, &mut |_| true);
        let orbit = orbit.orbit.expect("it has an orbit");
        for (found, sign) in orbit.multipliers.iter().zip([1.0, -1.0]) {
            assert_close(found.re, -0.3317777011392, 1e-11);
            assert_close(found.im, sign * 0.6026095779, 1e-9);
        }
        assert_eq!(orbit.multipliers.iter().filter(|m| m.norm() == 0.0).count(), 2);
    }
}

/// A hammer without rebound rides on a second body after every blow: its multipliers are those of differences of the return map of the phase, made by steps of Runge and Kutta,
/// also at the section of the blow itself, just before which no contact is closed.
#[test]
fn multipliers_are_the_same_at_the_section_of_an_impact_that_leads_to_stick_between_bodies() {
    let text = "format = 1\nname = \"hammer\"\n[phase.phi]\nrate = 1\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x1\", \"x2\"]\nvelocities = [\"v1\", \"v2\"]\n\
                M = { diagonal = [1, 2] }\nh = [\"-0.3*v1 + 2*cos(phi) - x1\", \"-x2 + 1 - 0.1*v2\"]\n[contacts.c]\ngap = \"x2 - x1\"\nrestitution = 0\n\
                [sections.hit]\nwhen = \"contact c\"\n[start]\nx1 = 0\nx2 = 2\nv1 = 0\nv2 = 0\nphi = 0\n";
    let (system, values) = crate::common::parse(text);
    for section in ["phi", "hit"] {
        let section = system.section_names().position(|name| name == section).expect("it has this section");
        let orbit = find(&system, &values, &Settings { settle: 200, ..Settings::through(section) }, &mut |_| true);
        let orbit = orbit.orbit.expect("it settles");
        for (found, sign) in orbit.multipliers.iter().zip([1.0, -1.0]) {
            assert_close(found.re, 0.071122, 1e-6);
            assert_close(found.im, sign * 0.591125, 1e-6);
        }
        assert_eq!(orbit.multipliers.iter().filter(|m| m.norm() == 0.0).count(), 2);
    }
}

/// Five equal elastic balls that hang in a row: the speed of the first goes to the last and comes back. Neighbours repeat, too, four of them in contact: all multipliers that contact leaves are 1.
#[test]
fn the_return_map_of_a_cradle_is_the_identity() {
    let list = |entry: &dyn Fn(usize) -> String| (1..=5).map(entry).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "format = 1\nname = \"cradle\"\n[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [1, 1, 1, 1, 1] }}\nh = [{}]\n",
        list(&|k| format!("\"x{k}\"")),
        list(&|k| format!("\"v{k}\"")),
        list(&|k| format!("\"-49*x{k}\""))
    );
    text +=
        &(1..5).map(|k| format!("[contacts.c{k}]\ngap = \"x{} - x{k}\"\nrestitution = 1\n", k + 1)).collect::<String>();
    text += "[impacts]\ntogether = \"sequence\"\n[sections.hit]\nwhen = \"contact c1\"\n[start]\nx1 = -0.1\nv1 = 0\n";
    text += &(2..=5).map(|k| format!("x{k} = 0\nv{k} = 0\n")).collect::<String>();
    let (system, values) = crate::common::parse(&text);
    let orbit = find(&system, &values, &Settings::through(0), &mut |_| true).orbit.expect("it repeats");
    assert_close(orbit.period, 2.0 * std::f64::consts::PI / 7.0, 1e-12);
    for found in &orbit.multipliers[..4] {
        assert_close(found.re, 1.0, 1e-9);
        assert_close(found.im, 0.0, 1e-9);
    }
    assert!(orbit.multipliers[4..].iter().all(|m| m.norm() == 0.0));
}

/// A ball that loses nothing has a double multiplier of one, which rounding may split: that is neither stable nor unstable.
#[test]
fn a_conservative_orbit_is_neutral() {
    let (system, values) = crate::common::model("elastic-ball");
    let orbit = find(&system, &values, &Settings::through(0), &mut |_| true).orbit.expect("it has an orbit");
    assert!(!orbit.stable && orbit.is_neutral());
    let (system, values) = crate::common::system("two-wall-oscillator", &[], &[]);
    let orbit = find(&system, &values, &Settings::through(0), &mut |_| true).orbit.expect("it has an orbit");
    assert!(orbit.stable && !orbit.is_neutral());
}
