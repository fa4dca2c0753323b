//! Bifurcation curves of orbits in two parameters: the impact oscillator near its resonant grazing.

use crate::common::{assert_close, free, settled};
use saltation_model::Values;
use saltation_motion::System;
use saltation_orbit::Orbit;
use saltation_orbit::branch::{self, Branch, Place, SpecialKind};
use saltation_orbit::curve::{self, Origin, SpecialCurve};

const ZETA: f64 = 0.02;

/// The amplitude at which the motion without impacts grazes.
fn grazing(omega: f64) -> f64 {
    ((1.0 - omega * omega).powi(2) + (2.0 * ZETA * omega).powi(2)).sqrt()
}

/// The orbit with two loops and one impact along A, and the numbers with A and omega free.
fn two_loops(omega: &str, amplitude: &str, range: (f64, f64)) -> (System, Values, Orbit, Branch) {
    let set = [("omega", omega), ("A", amplitude)];
    let (system, following) = free("impact-oscillator", &set, &["A"]);
    let orbit = settled(&system, &following, 2, 800);
    let settings = branch::Settings::between(range.0, range.1);
    let branch = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).unwrap().remove(0);
    (system, free("impact-oscillator", &set, &["A", "omega"]).1, orbit, branch)
}

fn from(
    (system, following, orbit, branch): &(System, Values, Orbit, Branch),
    kind: SpecialKind,
    range: (f64, f64),
) -> SpecialCurve {
    let special = branch.special.iter().find(|s| s.kind == kind && s.point.admissible).unwrap();
    let origin = Origin::of(branch, special, orbit);
    curve::follow(system, following, &origin, &curve::Settings::between(range.0, range.1), &mut |_, _| true).unwrap()
}

/// (A, omega) of a point.
fn place(curve: &SpecialCurve, point: &curve::CurvePoint) -> (f64, f64) {
    (point.parameters[curve.parameters[0]], point.parameters[curve.parameters[1]])
}

const RESONANCE: (f64, f64) = (0.361673852989126, 0.799839983996799);

/// The curvature of a curve at the resonance, kappa in A - A_g = kappa (omega - omega*)^2, and the exponent 2, from points near it.
fn contact(curve: &SpecialCurve) -> (f64, f64) {
    let near = |point: &&curve::CurvePoint| {
        let distance = (place(curve, point).1 - RESONANCE.1).abs();
        (2e-5..4e-4).contains(&distance)
    };
    let both: Vec<(f64, f64)> = curve
        .points
        .iter()
        .filter(near)
        .map(|point| {
            let (amplitude, omega) = place(curve, point);
            (omega - RESONANCE.1, amplitude - grazing(omega))
        })
        .collect();
    assert!(both.len() > 5, "{} points near the resonance", both.len());
    // A - A_g = kappa d^2 + c d^3: a straight line in d.
    let lines = || both.iter().map(|&(d, height)| (d, height / (d * d)));
    let n = both.len() as f64;
    let (sx, sy) = lines().fold((0.0, 0.0), |(x, y), (a, b)| (x + a / n, y + b / n));
    let slope =
        lines().map(|(x, y)| (x - sx) * (y - sy)).sum::<f64>() / lines().map(|(x, _)| (x - sx).powi(2)).sum::<f64>();
    let kappa = sy - slope * sx;
    // The cubic term taken off, what is left is a power.
    let rest = |&(d, height): &(f64, f64)| ((d.abs()).ln(), (height - slope * d.powi(3)).abs().ln());
    let far = both.iter().max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())).map(rest).unwrap();
    let close = both.iter().min_by(|a, b| a.0.abs().total_cmp(&b.0.abs())).map(rest).unwrap();
    (kappa, (far.1 - close.1) / (far.0 - close.0))
}

#[test]
fn period_doublings_run_through_the_resonant_graze() {
    let start = two_loops("0.81", "0.35", (0.34, 0.36));
    for (omega, amplitude) in [(0.82, 0.3372249009706461), (0.9, 0.3542199976076968)] {
        let curve = from(&start, SpecialKind::PeriodDoubling, (0.795, omega));
        let end = curve.points.last().unwrap();
        assert_eq!(place(&curve, end).1, omega);
        assert_close(place(&curve, end).0, amplitude, 1e-10);
    }
    let curve = from(&start, SpecialKind::PeriodDoubling, (0.79, 1.0));
    let resonance = curve.special.iter().find(|special| special.kind == SpecialKind::Graze).unwrap();
    let (amplitude, omega) = place(&curve, &resonance.point);
    assert_close(amplitude, RESONANCE.0, 1e-10);
    assert_close(omega, RESONANCE.1, 1e-10);
    // It turns in A, and ends physically at the other resonance, omega = sqrt(1 - zeta^2).
    let last = curve.special.iter().rev().find(|special| special.kind == SpecialKind::Graze).unwrap();
    assert_close(place(&curve, &last.point).1, (1.0 - ZETA * ZETA).sqrt(), 1e-10);
    let mut turns = Vec::new();
    for window in curve.points.windows(3) {
        let [a, b, c] = [0, 1, 2].map(|k| place(&curve, &window[k]));
        if (b.0 - a.0) * (c.0 - b.0) < 0.0 && (0.84..0.99).contains(&b.1) {
            turns.push(b.1);
        }
    }
    assert_eq!(turns.len(), 2, "{turns:?}");
    assert!((turns[0] - 0.85103).abs() < 2e-3 && (turns[1] - 0.97120).abs() < 2e-3, "{turns:?}");
}

#[test]
fn curves_meet_the_grazing_curve_like_parabolas() {
    let close = |omega: &str, amplitude: &str, range, kind, expected: f64, window: (f64, f64)| {
        let start = two_loops(omega, amplitude, range);
        let special = start.3.special.iter().find(|s| s.kind == kind && s.point.admissible).unwrap();
        let origin = Origin::of(&start.3, special, &start.2);
        let settings = curve::Settings { longest_step: 2e-3, ..curve::Settings::between(window.0, window.1) };
        let curve = curve::follow(&start.0, &start.1, &origin, &settings, &mut |_, _| true).unwrap();
        let (kappa, exponent) = contact(&curve);
        assert_close(kappa / expected, 1.0, 1e-3);
        assert_close(exponent, 2.0, 1e-3);
    };
    close("0.801", "0.365", (0.355, 0.368), SpecialKind::PeriodDoubling, 21.35055, (0.7994, 0.8012));
    close("0.799", "0.366", (0.355, 0.367), SpecialKind::Fold, -244.4736, (0.7988, 0.8003));
}

#[test]
fn folds_end_where_the_other_loop_grazes() {
    let start = two_loops("0.799", "0.366", (0.355, 0.367));
    let curve = from(&start, SpecialKind::Fold, (0.797, 0.81));
    assert_close(place(&curve, &curve.points[0]).0, 0.3642235708321045, 1e-10);
    let curve = from(&start, SpecialKind::Fold, (0.78, 0.81));
    let second = &curve.special[0];
    assert_eq!((second.kind, second.point.admissible), (SpecialKind::Graze, true));
    assert!(second.point.impact_speeds[0] < -0.1);
    assert_close(place(&curve, &second.point).1, 0.7881, 5e-5);
    let resonance = curve.special.iter().rev().find(|special| special.kind == SpecialKind::Graze).unwrap();
    assert_close(place(&curve, &resonance.point).1, RESONANCE.1, 1e-10);
}

#[test]
fn secondary_grazes_form_a_curve() {
    let start = two_loops("0.80", "0.37", (0.36, 0.40));
    let secondary = |special: &&branch::Special| matches!(special.place, Place::Between { .. });
    let special = start.3.special.iter().find(secondary).unwrap();
    assert_eq!(special.kind, SpecialKind::Graze);
    assert_close(start.3.value(&special.point), 0.386423077106875, 1e-10);
    let origin = Origin::of(&start.3, special, &start.2);
    let settings = curve::Settings::between(0.787, 0.80);
    let curve = curve::follow(&start.0, &start.1, &origin, &settings, &mut |_, _| true).unwrap();
    let end = curve.points.last().unwrap();
    assert_close(place(&curve, end).0, 0.386423077106875, 1e-10);
    // It issues from the end of the fold curve.
    let meets = curve.special.iter().find(|special| special.kind == SpecialKind::Fold).unwrap();
    assert_close(place(&curve, &meets.point).1, 0.7881, 5e-5);
}

#[test]
fn grazes_form_the_curve_of_the_motion_without_impacts() {
    let start = two_loops("0.81", "0.35", (0.34, 0.36));
    let curve = from(&start, SpecialKind::Graze, (0.7, 0.9));
    for point in &curve.points {
        let (amplitude, omega) = place(&curve, point);
        assert_close(amplitude, grazing(omega), 1e-12);
    }
    // Both at one place, in any order.
    let has = |kind: SpecialKind| curve.special.iter().any(|special| special.kind == kind);
    assert!(curve.special.len() == 2 && has(SpecialKind::Fold) && has(SpecialKind::PeriodDoubling));
    for special in &curve.special {
        assert_close(place(&curve, &special.point).1, RESONANCE.1, 1e-10);
    }
}
