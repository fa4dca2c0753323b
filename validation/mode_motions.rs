//! Nonsmooth modes against the event-driven simulation over a thousand periods.
//!
//! A mode is computed from sums over linear modes, a motion from its start by certified steps and the events between them. Of each other
//! they know the model only.

use crate::common::system;
use saltation_model::{Structure, Values};
use saltation_modes::{Family, LinearModes, Motion, Search, Single, Steps, Verdict, sequence, stability};
use saltation_motion::{self as motion, Ended, EventKind, Run, System};

const PERIODS: usize = 1000;

/// The chain of the gallery, and its modes by the matrices of the model.
fn chain() -> (System, Values, LinearModes) {
    let (system, values) = system("chain", &[], &[]);
    let structure = Structure::of(system.model(), &values, None).unwrap();
    let (mass, stiffness) = (&structure.mass.entries, &structure.stiffness.entries);
    let modes = LinearModes::new(5, mass, stiffness, &structure.normal, structure.gap).unwrap();
    assert_eq!(structure.rest, [0.0; 5]);
    (system, values, modes)
}

/// The motion of the model from where the mode is just after the impact at 0, over so many periods and half of the next flight.
fn simulated(system: &System, values: &Values, modes: &LinearModes, mode: &Motion, periods: usize) -> Run {
    let (u, v) = mode.state(modes, 0.0);
    let start = values.with_start(&[u, v].concat());
    let until = periods as f64 * mode.period() + 0.5 * mode.impact_times[0];
    let settings = motion::Settings { until, ..motion::Settings::default() };
    motion::Motion::new(system, &start, settings).expect("the start is admissible").run(false, |_| true)
}

/// By how much the impact of this number, from 0, comes at another time and with another speed than in the mode.
fn missed(run: &Run, modes: &LinearModes, mode: &Motion, impact: usize) -> (f64, f64) {
    let (period, j) = (impact / mode.impacts(), impact % mode.impacts());
    let event = &run.events[impact];
    let time = event.time - (period as f64 * mode.period() + mode.impact_times[j]);
    (time.abs(), (event.speed_before + modes.root_mobility() * mode.lambda[j]).abs())
}

fn is_neutral(modes: &LinearModes, mode: &Motion) -> bool {
    stability(modes, mode).is_some_and(|s| s.spectral_radius <= 1.0 + 1e-9)
}

/// Modes with so many impacts per period that are neutrally stable, one of each of four families: that in the middle of those of its family.
fn neutral(modes: &LinearModes, impacts: usize) -> Vec<Motion> {
    let search = Search { impacts, periods: (1.0, 5.0), starts: 800, seed: 5, ..Search::default() };
    let steps = Steps { longest: 0.01, periods: (0.8, 6.0), ..Steps::default() };
    let mut found: Vec<Motion> = Vec::new();
    for motion in search.run(modes, |_, _| true).motions {
        let Some(family) = Family::of(modes, &motion, &steps, |_| true) else { continue };
        let admissible = |mode: &Motion| mode.verdict(modes) == Verdict::Admissible;
        let mut members: Vec<Motion> =
            family.motions.into_iter().filter(|mode| admissible(mode) && is_neutral(modes, mode)).collect();
        if members.is_empty() {
            continue;
        }
        let member = members.swap_remove(members.len() / 2);
        // Motions of one family lead to the same one.
        if found.iter().all(|known| !sequence::same(known, &member, 1e-3)) {
            found.push(member);
        }
        if found.len() == 4 {
            break;
        }
    }
    found
}

/// A period has T ω_5/(2/3) <= 80 cells, each of which rounds the state by a few 1e-16: by ε = 1e-13 in a period at most, if all have
/// one sign. At neutral stability errors do not grow but along the family, whose neighbours have another period: there they make
/// times drift by their sum. After m periods states are off by the order of m ε, and times by m² ε/2: 1e-10 and 5e-8.
/// As roundings have either sign, √m instead of m is to be expected once; reached are 2e-11 and 8e-11.
const SPEED: f64 = 1e-10;
const TIME: f64 = 5e-8;

#[test]
fn neutrally_stable_modes_repeat_a_thousand_times() {
    let (system, values, modes) = chain();
    let singles = [4.1, 4.2, 3.5].map(|period| Single::new(&modes, period).motion(&modes));
    let mut all: Vec<Motion> = singles.into();
    for impacts in [2, 3] {
        let found = neutral(&modes, impacts);
        println!("{} neutrally stable modes with {impacts} impacts", found.len());
        assert!(!found.is_empty());
        all.extend(found);
    }
    for mode in &all {
        let k = mode.impacts();
        assert!(mode.verdict(&modes) == Verdict::Admissible && is_neutral(&modes, mode));
        let run = simulated(&system, &values, &modes, mode, PERIODS);
        assert_eq!(run.ended, Ended::ReachedTime);
        // Nothing else happens: no graze, no chattering, no persistent contact.
        assert!(run.events.iter().all(|event| event.kind == EventKind::Impact));
        assert_eq!(run.events.len(), PERIODS * k, "T = {}", mode.period());
        let (mut time, mut speed) = (0.0_f64, 0.0_f64);
        for impact in 0..PERIODS * k {
            let (t, v) = missed(&run, &modes, mode, impact);
            (time, speed) = (time.max(t), speed.max(v));
        }
        println!("k = {k}, T = {:.12}: times within {time:.1e}, speeds within {speed:.1e}", mode.period());
        assert!(time < TIME && speed < SPEED, "{time:e} {speed:e}");
    }
}

/// δ ρ^m of a rounding δ: the motion near T = 3.8 leaves its mode at the rate of the multiplier, after as many periods as rounding lets it stay.
#[test]
fn an_unstable_mode_is_left_at_the_rate_of_its_multiplier() {
    let (system, values, modes) = chain();
    let mode = Single::new(&modes, 3.8).motion(&modes);
    let growth = stability(&modes, &mode).unwrap().spectral_radius;
    assert!((growth - 3.551820161).abs() < 1e-8, "{growth}");
    let run = simulated(&system, &values, &modes, &mode, 40);
    let distances: Vec<f64> = (0..30).map(|m| missed(&run, &modes, &mode, m).1).collect();
    let kept = distances.iter().position(|distance| *distance > 1e-2).expect("it leaves");
    // From errors between one rounding and the tolerance 1e-13 of a step to 1e-2.
    let periods = |error: f64| (1e-2 / error).ln() / growth.ln();
    println!("kept for {kept} periods, between {:.1} and {:.1}", periods(1e-13), periods(1e-16));
    assert!((periods(1e-13)..periods(1e-16)).contains(&(kept as f64)), "{distances:?}");
    // In between the distance grows as ρ^m.
    let begin = distances.iter().position(|distance| *distance > 1e-10).expect("it grows");
    let rate = (distances[kept - 3] / distances[begin]).ln() / (kept - 3 - begin) as f64;
    println!("rate {rate}, ln ρ = {}", growth.ln());
    assert!((rate - growth.ln()).abs() < 0.01 * growth.ln(), "{rate}");
}
