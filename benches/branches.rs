//! Costs of a point of a branch, and of a point of a curve in two parameters.
//!
//! * `period_doublings`: the curve in A and omega of the period doublings of the orbit with two loops (Ghosh & Simpson, Fig. 4), some 300 points
//!   with admissibility and points of codimension two;
//! * `sticking`: the orbit of the double pendulum that chatters and sticks, along the distance of the wall.
//!
//! The branch of the orbit with two loops is W5 of `saltation bench`.

use divan::Bencher;
use divan::counter::ItemsCount;
use saltation_model::{Overrides, Values, gallery};
use saltation_motion::System;
use saltation_orbit::branch::{self, SpecialKind};
use saltation_orbit::curve::{self, Origin};
use saltation_orbit::{Orbit, Settings, find};

fn main() {
    divan::main();
}

fn start(name: &str, set: &[(&str, &str)], along: &[&str], returns: u64, settle: u64) -> (System, Values, Orbit) {
    let model = gallery::model(name).expect("the gallery has it").expect("the gallery is right");
    let set = set.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let following = model
        .values(&Overrides { set, start: vec![] })
        .and_then(|values| values.along(along))
        .expect("the settings are right");
    let system = System::new(&model);
    let section = system.default_section().expect("it has a section");
    let settings = Settings { returns, settle, ..Settings::through(section) };
    let orbit = find(&system, &following, &settings, &mut |_| true).orbit.expect("there is an orbit");
    (system, following, orbit)
}

const OSCILLATOR: [(&str, &str); 1] = [("A", "0.3557855723")];

#[divan::bench(sample_count = 50)]
fn period_doublings(bencher: Bencher) {
    let (system, following, orbit) = start("impact-oscillator", &OSCILLATOR, &["A"], 2, 800);
    let settings = branch::Settings::between(0.34, 0.36);
    let found = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).expect("it begins");
    let special = found[0].special.iter().find(|s| s.kind == SpecialKind::PeriodDoubling).expect("it doubles");
    let origin = Origin::of(&found[0], special, &orbit);
    let (_, both, _) = start("impact-oscillator", &OSCILLATOR, &["A", "omega"], 2, 800);
    let settings = curve::Settings { longest_step: 0.012, ..curve::Settings::between(0.795, 0.95) };
    let run = || curve::follow(&system, &both, &origin, &settings, &mut |_, _| true).expect("it begins");
    let points = run().points.len();
    eprintln!("{points} points");
    bencher.counter(ItemsCount::new(points)).bench(run);
}

#[divan::bench(sample_count = 10)]
fn sticking(bencher: Bencher) {
    let set = [("d", "0.5009"), ("e", "0.19"), ("T", "-40")];
    let (system, following, orbit) = start("double-pendulum", &set, &["d"], 2, 40);
    let settings = branch::Settings::between(0.5005, 0.502);
    let run = || branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).expect("it begins");
    let points = run()[0].points.len();
    eprintln!("{points} points");
    bencher.counter(ItemsCount::new(points)).bench(run);
}
