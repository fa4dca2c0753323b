//! Curves of special orbits in two parameters: the impact oscillator near its resonant grazing.

mod common;

use common::assert_close;
use saltation::model::{Following, Overrides, gallery};
use saltation::motion::System;
use saltation::orbit::branch::{self, Branch, SpecialKind};
use saltation::orbit::curve::{self, Origin, SpecialCurve};
use saltation::orbit::{Orbit, Settings, find};

fn load(name: &str, set: &[(&str, &str)], along: &[&str]) -> (System, Following) {
    let model = gallery::model(name).unwrap().unwrap();
    let set = set.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let following = model.following(&Overrides { set, start: vec![] }, along).unwrap();
    (System::new(&model), following)
}

fn orbit(system: &System, following: &Following, returns: u64, settle: u64) -> Orbit {
    let section = system.default_section().unwrap();
    let settings = Settings { returns, settle, ..Settings::through(section) };
    let search = find(system, &following.values, &settings, &mut |_| true);
    search.orbit.unwrap_or_else(|| panic!("{:?}", search.ended))
}

fn two_loops(omega: &str, amplitude: &str, range: (f64, f64)) -> (System, Following, Orbit, Branch) {
    let set = [("omega", omega), ("A", amplitude)];
    let (system, following) = load("impact-oscillator", &set, &["A"]);
    let orbit = orbit(&system, &following, 2, 800);
    let settings = branch::Settings::between(range.0, range.1);
    let branch = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).unwrap().remove(0);
    let (_, both) = load("impact-oscillator", &set, &["A", "omega"]);
    (system, both, orbit, branch)
}

fn from(
    system: &System,
    following: &Following,
    orbit: &Orbit,
    branch: &Branch,
    kind: SpecialKind,
    range: (f64, f64),
) -> SpecialCurve {
    let special = branch.special.iter().find(|s| s.kind == kind).unwrap_or_else(|| panic!("{:?}", branch.special));
    let origin = Origin::of(branch, special, orbit);
    curve::follow(system, following, &origin, &curve::Settings::between(range.0, range.1), &mut |_, _| true).unwrap()
}

fn show(curve: &SpecialCurve) {
    println!("{:?} {} points {:?}", curve.kind, curve.points.len(), curve.ended);
    for s in &curve.special {
        let [a, b] = curve.parameters;
        println!(
            "  {:?} {:.15} {:.15} {:?} {}",
            s.kind, s.point.parameters[a], s.point.parameters[b], s.point.impact_speeds, s.point.admissible
        );
    }
}

#[test]
fn dump() {
    let (system, both, orbit, branch) = two_loops("0.81", "0.35", (0.34, 0.36));
    for (kind, range) in [
        (SpecialKind::PeriodDoubling, (0.79, 0.82)),
        (SpecialKind::PeriodDoubling, (0.79, 0.9)),
        (SpecialKind::PeriodDoubling, (0.79, 1.0)),
        (SpecialKind::Graze, (0.7, 0.9)),
    ] {
        let time = std::time::Instant::now();
        let curve = from(&system, &both, &orbit, &branch, kind, range);
        let time = time.elapsed();
        show(&curve);
        println!(
            "{:?} per point; ends {:?} {:?}",
            time / curve.points.len() as u32,
            curve.points[0].parameters,
            curve.points.last().unwrap().parameters
        );
    }
    let (system, both, orbit, branch) = two_loops("0.799", "0.366", (0.355, 0.367));
    let curve = from(&system, &both, &orbit, &branch, SpecialKind::Fold, (0.78, 0.82));
    show(&curve);
    let curve = from(&system, &both, &orbit, &branch, SpecialKind::Fold, (0.797, 0.82));
    show(&curve);
    println!("ends {:?} {:?}", curve.points[0].parameters, curve.points.last().unwrap().parameters);
    let _ = (assert_close as fn(f64, f64, f64), SpecialKind::Fold);
}
