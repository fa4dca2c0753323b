//! Systems that switch, slide and jump, against closed forms and published values: motions, orbits, multipliers and exponents.
#![allow(clippy::excessive_precision)] // references keep the digits they were computed with

mod corners;
mod cycles;
mod forced;
mod hertz;
mod joined;
mod local;
mod resets;

use crate::common::assert_close;
use saltation_model::{Model, Overrides, Values, gallery};
use saltation_motion::{Event, EventKind, Motion, Run, Settings, System};
use saltation_numerics::dense::Complex;
use saltation_orbit::{self as shooting, Ended, Orbit};

/// A model of the gallery, or one given by its text, with settings `name=value` and starts `name:value`, compiled.
fn system(model: &str, set: &[&str]) -> (System, Values) {
    let model = match gallery::model(model) {
        Some(model) => model.expect("the gallery's models are right"),
        None => Model::parse(model, "test.toml").unwrap_or_else(|mistakes| panic!("{mistakes}")),
    };
    let pairs = |sign: char| {
        let split = |word: &&str| word.split_once(sign).map(|(name, value)| (name.to_string(), value.to_string()));
        set.iter().filter_map(split).collect()
    };
    let overrides = Overrides { set: pairs('='), start: pairs(':') };
    let values = model.values(&overrides).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    (System::new(&model), values)
}

/// An orbit near a start, through the only section or the one named.
fn orbit_with(model: &str, set: &[&str], section: Option<&str>, change: impl Fn(&mut shooting::Settings)) -> Orbit {
    let (system, values) = system(model, set);
    let named = section.and_then(|name| system.section_names().position(|known| known == name));
    let mut settings = shooting::Settings::through(named.or(system.default_section()).expect("the model has one"));
    change(&mut settings);
    let search = shooting::find(&system, &values, &settings, &mut |_| true);
    assert_eq!(search.ended, Ended::Converged, "{}", search.ended.describe(&system));
    search.orbit.expect("a search that converged has an orbit")
}

fn orbit(model: &str, set: &[&str]) -> Orbit {
    orbit_with(model, set, None, |_| {})
}

/// A motion to a time.
fn simulate(model: &str, set: &[&str], until: f64) -> (System, Run) {
    let (system, values) = system(model, set);
    let settings = Settings { until, ..Settings::default() };
    let run = Motion::new(&system, &values, settings).expect("the start is admissible").run(true, |_| true);
    (system, run)
}

/// The times of the events of a kind.
fn times(events: &[Event], kind: EventKind) -> Vec<f64> {
    events.iter().filter(|event| event.kind == kind).map(|event| event.time).collect()
}

/// The multipliers are these, in any order, and one of them may be the trivial one: to 1e-10 of the largest, and zeros of persistent contact exactly.
#[track_caller]
fn assert_multipliers(orbit: &Orbit, known: &[(f64, f64)]) {
    assert_eigenvalues(&orbit.multipliers, known, 1e-10);
}

/// Every known eigenvalue is one of those found, and there are no others.
#[track_caller]
fn assert_eigenvalues(found: &[Complex], known: &[(f64, f64)], tolerance: f64) {
    assert_eq!(found.len(), known.len(), "{found:?}");
    let mut left: Vec<Complex> = found.to_vec();
    let size = found.iter().map(|m| m.norm()).fold(0.0, f64::max);
    for &(re, im) in known {
        let known = Complex::new(re, im);
        let nearest = (0..left.len()).min_by(|&a, &b| (left[a] - known).norm().total_cmp(&(left[b] - known).norm()));
        let near = left.swap_remove(nearest.expect("one is left"));
        assert!(
            (near - known).norm() <= tolerance * size.max(1e-3),
            "{known} is not among {found:?}: {:.1e}",
            (near - known).norm()
        );
    }
}

#[track_caller]
fn assert_relative(value: f64, reference: f64, tolerance: f64) {
    assert_close(value, reference, tolerance * reference.abs());
}

/// An angle between 0 and 2 pi.
fn turn(angle: f64) -> f64 {
    angle.rem_euclid(std::f64::consts::TAU)
}

/// The lengths of the stays between an event of one kind and the next event of another.
fn stays(orbit: &Orbit, from: EventKind, to: EventKind) -> Vec<f64> {
    let begins = times(&orbit.events, from);
    let ends = times(&orbit.events, to);
    let length = |begin: f64| {
        let later = ends.iter().copied().filter(|end| *end > begin).fold(f64::INFINITY, f64::min);
        if later.is_finite() { later - begin } else { ends[0] + orbit.period - begin }
    };
    begins.into_iter().map(length).collect()
}
