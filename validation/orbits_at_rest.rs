//! Searches for orbits from motions that have come to rest, or that only a phase moves: the equilibrium in closed form, and returns that are turns of the phase.

use crate::common::{assert_all_close, assert_close, of_kind, parse, run_with};
use saltation_model::Values;
use saltation_motion::{EventKind, Settings, System};
use saltation_orbit::lyapunov::exponents;
use saltation_orbit::{Ended, LyapunovSettings, Search, Settings as Searching, find};
use std::f64::consts::TAU;

fn search(system: &System, values: &Values, settle: u64) -> Search {
    let section = system.default_section().expect("the model has one");
    find(system, values, &Searching { settle, ..Searching::through(section) }, &mut |_| true)
}

/// What rounding leaves of a focus passes the section u = 0 for ever, in times that depend on the last digits. A damped linear focus has no orbit; it rests where
/// the spring holds the friction, the field or nothing.
#[test]
fn what_rounding_leaves_of_a_focus_is_no_orbit() {
    let friction = |k: f64, c: f64, f: f64| (format!("-{k}*x - {c}*u - {f}*sign(u - 0.17)"), f / k);
    let shifted = |k: f64, c: f64, a: f64| (format!("-{k}*(x - {a}) - {c}*u"), a);
    let cases = [
        friction(1.9, 0.144, 0.37),
        friction(0.791, 0.05, 0.3),
        friction(2.46, 0.31, 0.3),
        shifted(1.37, 0.062, -0.435),
        shifted(0.66, 0.203, 0.604),
        shifted(2.9, 0.02, -0.874),
    ];
    for (h, rest) in cases {
        let text = format!(
            "format = 1\nname = \"focus\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"u\"]\nM = [[1]]\nh = [\"{h}\"]\n\
             [sections.turn]\nwhen = \"u\"\ndirection = \"rising\"\n[start]\nx = 0\nu = 0\n"
        );
        let (system, values) = parse(&text);
        for settle in [200, 230, 300, 430] {
            let found = search(&system, &values, settle);
            let Ended::AtRest { equilibrium: Some(state), .. } = &found.ended else {
                panic!("{h} {settle}: {:?}", found.ended);
            };
            assert_all_close(state, &[rest, 0.0], 1e-15);
            assert!(found.orbit.is_none());
        }
        // From the equilibrium as it is printed, and a few last digits beside it.
        for digits in [-3.0, 0.0, 1.0, 5.0] {
            let start = values.with_start(&[rest * (1.0 + digits * f64::EPSILON), 0.0]);
            let found = search(&system, &start, 0);
            assert!(found.orbit.is_none(), "{h} {digits}: {:?}", found.ended);
        }
    }
}

/// A small orbit about an equilibrium stays one: x'' = (m - x^2) x' - x from the amplitude 2 sqrt(m) that it has for small m.
#[test]
fn a_small_orbit_about_an_equilibrium_is_one() {
    for m in [1e-4_f64, 1e-6] {
        let text = format!(
            "format = 1\nname = \"small\"\n[flow]\nx = \"u\"\nu = \"({m:e} - (x - 1)^2)*u - (x - 1)\"\n\
             [sections.turn]\nwhen = \"u\"\ndirection = \"rising\"\n[start]\nx = {}\nu = 0\n",
            1.0 - 2.0 * m.sqrt()
        );
        let (system, values) = parse(&text);
        let found = search(&system, &values, 0);
        let orbit = found.orbit.unwrap_or_else(|| panic!("{m}: {:?}", found.ended));
        assert_close(orbit.period, TAU, m);
        assert_close(1.0 - orbit.state[0], 2.0 * m.sqrt(), 2.0 * m);
    }
}

/// Bodies that lie or stick while the phase goes on, where the forcing has no amplitude: nothing moves, so that steps have no bound, and every turn of the phase is a
/// return.
#[test]
fn bodies_that_rest_return_with_the_phase() {
    let ball = "format = 1\nname = \"ball\"\nparameters = { A = 0, om = 1.7 }\n[phase.phi]\nrate = \"om\"\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\"]\n\
         velocities = [\"v\"]\nM = [[1]]\nh = [\"-9.81 + A*cos(phi)\"]\n[contacts.table]\ngap = \"x\"\nrestitution = 0.5\n[start]\nx = 0\nv = 0\nphi = 0\n";
    let block = "format = 1\nname = \"block\"\nparameters = { A = 0, om = 1.7 }\n[phase.phi]\nrate = \"om\"\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\"]\n\
         velocities = [\"v\"]\nM = [[1]]\nh = [\"9.81*sin(0.2) + A*cos(phi)\"]\n[friction.ground]\ntrack = \"x\"\nforce = \"0.3*9.81*cos(0.2)\"\n[start]\nx = 0\nv = 0\nphi = 0\n";
    let turn = TAU / 1.7;
    for (text, dimension) in [(ball, 2), (block, 1)] {
        for phase in ["phi = 0", "phi = 1.25"] {
            let (system, values) = parse(&text.replace("phi = 0", phase));
            let section = system.default_section().unwrap();
            for returns in [1, 7, 25_000] {
                let run =
                    run_with(&system, &values, Settings { returns: Some((section, returns)), ..Settings::default() });
                assert_eq!(of_kind(&run, EventKind::Section).len() as u64, returns);
                assert_close(run.time, returns as f64 * turn, 1e-12 * returns as f64 * turn);
                assert_all_close(&run.state[..2], &[0.0; 2], 0.0);
            }
            let orbit = search(&system, &values, 20).orbit.unwrap();
            assert_close(orbit.period, turn, 1e-14 * turn);
            assert_eq!((orbit.returns, orbit.stable, orbit.signature.len()), (1, true, 0));
            assert_eq!(orbit.multipliers.iter().map(|m| m.re).collect::<Vec<_>>(), vec![0.0; dimension]);
            let settings = LyapunovSettings { returns: 50, ..LyapunovSettings::through(section) };
            let measured = exponents(&system, &values, &settings, &mut |_| true);
            assert!(measured.ended.is_complete(), "{:?}", measured.ended);
            assert_close(measured.time, 50.0 * turn, 1e-10);
        }
    }
}
