//! Wall times of the standard problems: one motion, one thread, in units comparable with other programs.
//!
//! * `impact_oscillator`: forcing periods of the impact oscillator near grazing, 20 amplitudes, 400 periods each, at 1e-9;
//! * `double_pendulum`: 200 time units through all its chattering, stick and release, at 1e-9 and 1e-12;
//! * `free_pendulum`: 10 time units without wall, torque and damping, at 1e-9 and 1e-12;
//! * `grazing_flights`: a thousand flights whose maximum lies within 1e-6 of the wall;
//! * `compile`: from the text of a model to a system ready to run.

use std::f64::consts::PI;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use saltation_model::{Model, Overrides, Values, gallery};
use saltation_motion::{Happening, Motion, Settings, System};

#[path = "../validation/common/oscillator.rs"]
mod oscillator;
use oscillator::Oscillator;

fn main() {
    divan::main();
}

fn load(text: &str, set: &[(&str, f64)], start: &[(&str, f64)]) -> (System, Values) {
    let model = Model::parse(text, "gallery").expect("the gallery is right");
    let pairs = |list: &[(&str, f64)]| list.iter().map(|&(n, v)| (n.to_string(), format!("{v:e}"))).collect();
    let values = model.values(&Overrides { set: pairs(set), start: pairs(start) }).expect("values are right");
    (System::new(&model), values)
}

fn gallery_model(name: &str, set: &[(&str, f64)], start: &[(&str, f64)]) -> (System, Values) {
    load(gallery::find(name).expect("the gallery has it"), set, start)
}

/// Runs to the end and gives the last state's first entry, so that nothing is optimised away.
fn run(system: &System, values: &Values, until: f64, tolerance: f64) -> f64 {
    let settings = Settings { until, tolerance, ..Settings::default() };
    let mut motion = Motion::new(system, values, settings).expect("the start is admissible").without_path();
    while !matches!(motion.advance(), Happening::Ended(_)) {}
    motion.state()[0]
}

#[divan::bench(args = [1e-9, 1e-12])]
fn impact_oscillator(bencher: Bencher, tolerance: f64) {
    const AMPLITUDES: usize = 20;
    const PERIODS: usize = 400;
    let (system, mut values) = gallery_model("impact-oscillator", &[], &[]);
    let amplitude = system.model().parameter("A").expect("the model has an amplitude");
    let grazing = Oscillator::grazing_amplitude(0.02, 0.81);
    bencher.counter(ItemsCount::new(AMPLITUDES * PERIODS)).bench_local(|| {
        for k in 0..AMPLITUDES {
            let value = grazing * (1.0 + 0.03 * k as f64 / (AMPLITUDES - 1) as f64);
            values.set(amplitude, value).expect("an amplitude may have any value");
            black_box(run(&system, &values, PERIODS as f64 * 2.0 * PI / 0.81, tolerance));
        }
    });
}

#[divan::bench(args = [1e-9, 1e-12])]
fn double_pendulum(bencher: Bencher, tolerance: f64) {
    let start = [("q1", PI / 2.0), ("q2", 0.3), ("w1", -2.0), ("w2", 0.0)];
    let (system, values) = gallery_model("double-pendulum", &[], &start);
    bencher.bench_local(|| run(&system, &values, 200.0, black_box(tolerance)));
}

#[divan::bench(args = [1e-9, 1e-12])]
fn free_pendulum(bencher: Bencher, tolerance: f64) {
    // The gallery's file without its wall.
    let text = gallery::find("double-pendulum").expect("the gallery has it");
    let (before, after) = text.split_once("[contacts.wall]").expect("it has a wall");
    let (_, after) = after.split_once("[units]").expect("it has units");
    let text = format!("{before}[units]{}", after.replace("wall = \"m\"", ""));
    let start = [("q1", 1.0), ("q2", 0.5), ("w1", 0.0), ("w2", 0.0)];
    let (system, values) = load(&text, &[("T", 0.0), ("D", 0.0)], &start);
    bencher.bench_local(|| run(&system, &values, 10.0, black_box(tolerance)));
}

#[divan::bench]
fn grazing_flights(bencher: Bencher) {
    const FLIGHTS: usize = 1000;
    let amplitude = 1.01 * Oscillator::grazing_amplitude(0.02, 0.81);
    let flight = Oscillator { zeta: 0.02, omega: 0.81, amplitude };
    let (system, values) = gallery_model("impact-oscillator", &[("A", amplitude)], &[]);
    let starts: Vec<(Values, f64)> = (0..FLIGHTS)
        .map(|k| {
            let height = 1e-6 * (2.0 * k as f64 / FLIGHTS as f64 - 1.0);
            let maximum = 2.0 + 5.0 * k as f64 / FLIGHTS as f64;
            let (x, y) = flight.flight(maximum - 1.5, maximum, height, 0.0);
            (values.with_start(&[x, y, (0.81 * (maximum - 1.5)).rem_euclid(2.0 * PI)]), 2.5)
        })
        .collect();
    bencher.counter(ItemsCount::new(FLIGHTS)).bench_local(|| {
        for (values, until) in &starts {
            black_box(run(&system, values, *until, 1e-9));
        }
    });
}

#[divan::bench(args = ["bouncing-ball", "double-pendulum", "impact-damper"])]
fn compile(bencher: Bencher, name: &str) {
    let text = gallery::find(name).expect("the gallery has it");
    bencher.bench_local(|| load(black_box(text), &[], &[]));
}
