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
            s.kind.name(),
            branch.value(&s.point),
            s.point.period,
            s.point.impact_speeds,
            s.point.admissible,
            s.point.stable,
            s.point.multipliers.iter().map(|m| (m.re, m.im)).collect::<Vec<_>>()
        );
    }
    let _ = system;
}

#[test]
fn dump() {
    let cases: [(&str, &[(&str, &str)], &str, u64, u64, f64, f64); 5] = [
        ("impact-oscillator", &[("A", "0.35")], "A", 2, 400, 0.34, 0.36),
        ("impact-oscillator", &[("A", "0.2")], "A", 1, 300, 0.2, 0.36),
        ("two-wall-oscillator", &[("nu", "1.1")], "nu", 1, 200, 0.8, 1.3),
        ("coco-impact", &[("A", "0.05")], "A", 1, 300, 0.05, 0.11),
        ("ball-on-table", &[], "K", 1, 0, 0.1, 1.2),
    ];
    for (name, set, along, returns, settle, low, high) in cases {
        println!("---- {name} {set:?}");
        let (system, following) = load(name, set, along);
        let orbit = orbit(&system, &following, returns, settle);
        let settings = branch::Settings { switch: true, ..branch::Settings::between(low, high) };
        let time = std::time::Instant::now();
        let branches = branch::follow(&system, &following, &orbit, &settings, &mut |n, v| {
            let _ = (n, v);
            time.elapsed().as_secs_f64() < 8.0
        })
        .unwrap();
        let time = time.elapsed();
        for b in &branches {
            println!("branch of {:?} signature {:?} from {:?}", b.parent, b.signature.words(&system), b.extent());
            show(b, &system);
        }
        println!("{:?} per point", time / branches[0].points.len() as u32);
    }
    let _ = (assert_close as fn(f64, f64, f64), SpecialKind::Fold);
}
