//! Branches of orbits as a parameter varies: special points against closed forms and reference numbers.

mod common;

use common::assert_close;
use saltation::model::{Following, Overrides, gallery};
use saltation::motion::System;
use saltation::orbit::branch::{self, Branch, SpecialKind};
use saltation::orbit::{Orbit, Settings, find};

fn load(name: &str, set: &[(&str, &str)], along: &str) -> (System, Following) {
    let model = gallery::model(name).unwrap().unwrap();
    let set = set.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let following = model.following(&Overrides { set, start: vec![] }, &[along]).unwrap();
    (System::new(&model), following)
}

fn orbit(system: &System, following: &Following, returns: u64, settle: u64) -> Orbit {
    let section = system.default_section().unwrap();
    let settings = Settings { returns, settle, ..Settings::through(section) };
    let search = find(system, &following.values, &settings, &mut |_| true);
    search.orbit.unwrap_or_else(|| panic!("{:?}", search.ended))
}

fn show(branch: &Branch, system: &System) {
    println!("{} points, ended {:?}", branch.points.len(), branch.ended);
    for s in &branch.special {
        println!(
            "{:>18} at {:.15} T {:.12} speeds {:?} admissible {} stable {} {:?}",
            s.kind.name(), branch.value(&s.point), s.point.period, s.point.impact_speeds, s.point.admissible, s.point.stable,
            s.point.multipliers.iter().map(|m| (m.re, m.im)).collect::<Vec<_>>()
        );
    }
    let _ = system;
}

#[test]
fn dump() {
    let cases: [(&str, &[(&str, &str)], &str, u64, u64, f64, f64); 1] = [
        ("double-pendulum", &[("e", "0.9"), ("T", "-31.1")], "T", 1, 8, -32.0, -30.0),
    ];
    for (name, set, along, returns, settle, low, high) in cases {
        println!("---- {name} {set:?}");
        let (system, following) = load(name, set, along);
        let orbit = orbit(&system, &following, returns, settle);
        let settings = branch::Settings::between(low, high);
        let time = std::time::Instant::now();
        let branches = branch::follow(&system, &following, &orbit, &settings, &mut |n, v| { let _ = (n, v); time.elapsed().as_secs_f64() < 8.0 }).unwrap();
        let time = time.elapsed();
        show(&branches[0], &system);
for p in &branches[0].points { println!("{:.12} {:.8} {}", branches[0].value(p), p.period, p.admissible); }
        println!("{:?}", branches[0].special.iter().map(|s| s.homoclinic.clone()).collect::<Vec<_>>());
        println!("{:?} per point", time / branches[0].points.len() as u32);
    }
    let _ = (assert_close as fn(f64, f64, f64), SpecialKind::Fold);
}
