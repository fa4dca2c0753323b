//! Runs models of the gallery in validation tests.

pub(crate) mod case;
pub(crate) mod guided;
pub(crate) mod oscillator;
pub(crate) mod rough;
pub(crate) mod saltation;
pub(crate) mod shooting;
pub(crate) mod structures;

use saltation_model::{Model, Overrides, Values, gallery};
use saltation_motion::{Event, EventKind, Motion, Run, Settings, System};
use saltation_orbit::{self as orbit, Orbit};

/// A model of the gallery with other parameters and another start, compiled.
pub(crate) fn system(name: &str, set: &[(&str, f64)], start: &[(&str, f64)]) -> (System, Values) {
    let model = gallery::model(name).expect("the gallery has this model").expect("the gallery's models are right");
    let pairs = |list: &[(&str, f64)]| list.iter().map(|&(n, v)| (n.to_string(), format!("{v:e}"))).collect();
    let values = model.values(&Overrides { set: pairs(set), start: pairs(start) }).expect("values are right");
    (System::new(&model), values)
}

/// The same with one number moved, those of the states before those of the parameters, and nothing else, also where that follows it.
pub(crate) fn beside(values: &Values, direction: usize, step: f64) -> Values {
    let (mut start, mut parameters) = (values.start().to_vec(), values.parameters().to_vec());
    match direction.checked_sub(start.len()) {
        None => start[direction] += step,
        Some(parameter) => parameters[parameter] += step,
    }
    values.with_start(&start).with_parameters(&parameters)
}

/// A model of the gallery with some parameters free, compiled.
pub(crate) fn free(name: &str, set: &[(&str, &str)], along: &[&str]) -> (System, Values) {
    let model = gallery::model(name).expect("the gallery has this model").expect("the gallery's models are right");
    let set = set.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let values = model.values(&Overrides { set, start: vec![] }).expect("settings are right");
    (System::new(&model), values.along(along).expect("they are parameters"))
}

/// The attracting orbit of a given number of returns, or one nearby.
pub(crate) fn settled(system: &System, values: &Values, returns: u64, settle: u64) -> Orbit {
    let section = system.default_section().expect("the model has a section");
    let settings = orbit::Settings { returns, settle, ..orbit::Settings::through(section) };
    let search = orbit::find(system, values, &settings, &mut |_| true);
    search.orbit.unwrap_or_else(|| panic!("{:?}", search.ended))
}

/// A model given by its text, compiled.
pub(crate) fn parse(text: &str) -> (System, Values) {
    let model = Model::parse(text, "test.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let values = model.values(&Overrides::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    (System::new(&model), values)
}

/// A model of `validation/models`, compiled.
pub(crate) fn model(name: &str) -> (System, Values) {
    let path = format!("{}/models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    parse(&std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// Runs to a time at the default tolerance and keeps the path.
pub(crate) fn run(system: &System, values: &Values, until: f64) -> Run {
    run_with(system, values, Settings { until, ..Settings::default() })
}

pub(crate) fn run_with(system: &System, values: &Values, settings: Settings) -> Run {
    Motion::new(system, values, settings).expect("the start is admissible").run(true, |_| true)
}

/// The events of a kind.
pub(crate) fn of_kind(run: &Run, kind: EventKind) -> Vec<&Event> {
    run.events.iter().filter(|e| e.kind == kind).collect()
}

#[track_caller]
pub(crate) fn assert_close(value: f64, reference: f64, tolerance: f64) {
    let error = (value - reference).abs();
    assert!(error <= tolerance, "{value:.17} differs from {reference:.17} by {error:.1e}, more than {tolerance:.0e}");
}

#[track_caller]
pub(crate) fn assert_all_close(values: &[f64], references: &[f64], tolerance: f64) {
    assert_eq!(values.len(), references.len());
    for (&value, &reference) in values.iter().zip(references) {
        assert_close(value, reference, tolerance);
    }
}
