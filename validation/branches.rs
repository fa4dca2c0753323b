//! Branches of orbits along a parameter: bifurcations against closed forms and reference numbers.

#![allow(clippy::excessive_precision)] // references are written with all their digits

use crate::common::{assert_close, free, settled};
use saltation_motion::EventKind;
use saltation_orbit::branch::{self, Branch, Ended, Special, SpecialKind};

/// The branches through an attracting orbit of a gallery model, its own first.
fn branches(
    (name, set, along): (&str, &[(&str, &str)], &str),
    (returns, settle): (u64, u64),
    (low, high): (f64, f64),
    switch: bool,
) -> Vec<Branch> {
    let (system, following) = free(name, set, &[along]);
    let orbit = settled(&system, &following, returns, settle);
    let settings = branch::Settings { switch, ..branch::Settings::between(low, high) };
    branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).unwrap()
}

fn kinds(branch: &Branch) -> Vec<SpecialKind> {
    branch.special.iter().map(|special| special.kind).collect()
}

fn first(branch: &Branch, kind: SpecialKind) -> &Special {
    branch.special.iter().find(|special| special.kind == kind).unwrap_or_else(|| panic!("{:?}", kinds(branch)))
}

const ZETA: f64 = 0.02;
const R: f64 = 0.9;

/// The amplitude of the two-loop orbit with impact speed y in closed form (reference page vivid.md).
fn amplitude(omega: f64, y: f64) -> f64 {
    let t = 2.0 * std::f64::consts::TAU / omega;
    let w = (1.0 - ZETA * ZETA).sqrt();
    let ((s, c), e) = ((w * t).sin_cos(), (-ZETA * t).exp());
    let m = [[e * (c + ZETA / w * s), e * s / w], [-e * s / w, e * (c - ZETA / w * s)]];
    let (a, b) = (R * m[0][1], 1.0 + R * m[1][1]);
    let det = (1.0 - m[0][0]) * (1.0 - m[1][1]) - m[0][1] * m[1][0];
    let g = [((1.0 - m[1][1]) * a + m[0][1] * b) / det, ((1.0 - m[0][0]) * b + m[1][0] * a) / det];
    let grazing = ((1.0 - omega * omega).powi(2) + (2.0 * ZETA * omega).powi(2)).sqrt();
    grazing * (1.0 + g[0] * y).hypot(g[1] * y / omega)
}

#[test]
fn two_loops_go_through_their_graze() {
    let found = branches(("impact-oscillator", &[("A", "0.35")], "A"), (2, 400), (0.34, 0.36), false);
    let branch = &found[0];
    assert_eq!(kinds(branch), [SpecialKind::Graze, SpecialKind::PeriodDoubling]);
    let graze = &branch.special[0].point;
    assert_close(branch.value(graze), 0.345422885750206192, 1e-10);
    assert!(graze.impact_speeds[0].abs() < 1e-12);
    let doubling = &branch.special[1].point;
    assert_close(branch.value(doubling), 0.347533397412283, 1e-10);
    assert_close(doubling.impact_speeds[0], -0.0653039433368541, 1e-10);
    assert_close(doubling.multipliers[1].re, -0.43549039278162, 1e-10);
    assert_close(doubling.multipliers[0].re, -1.0, 1e-10);
    assert!(doubling.admissible);
    let mut virtual_points = 0;
    for point in &branch.points {
        let y = -point.impact_speeds[0];
        assert_close(branch.value(point), amplitude(0.81, y), 1e-12);
        if y.abs() > 1e-12 {
            assert_eq!(point.admissible, y > 0.0, "{y}");
        }
        assert_close(point.period, 2.0 * std::f64::consts::TAU / 0.81, 1e-11);
        virtual_points += usize::from(y < 0.0);
    }
    assert!(virtual_points > 3);
    // The steps are no shorter at the graze than elsewhere: special points left out, neighbours in speed are alike.
    let special: Vec<usize> = branch.special.iter().map(|special| special.index).collect();
    let kept = branch.points.iter().enumerate().filter(|(i, _)| !special.contains(i));
    let speeds: Vec<f64> = kept.map(|(_, point)| point.impact_speeds[0]).collect();
    let steps: Vec<f64> = speeds.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let (near, typical) = (speeds.iter().position(|v| *v < 0.0).unwrap(), steps[steps.len() / 2]);
    assert!(steps[near - 1] > 0.3 * typical, "{steps:?}");
    assert_eq!(branch.ended, [Ended::Range { value: 0.34 }, Ended::Range { value: 0.36 }]);
    assert_eq!((branch.extent(), branch.points.last().unwrap().stable), ((0.34, 0.36), true));
}

#[test]
fn two_loops_turn_back_before_their_graze() {
    let set = [("omega", "0.799"), ("A", "0.366")];
    let found = branches(("impact-oscillator", &set, "A"), (2, 800), (0.355, 0.37), false);
    let branch = &found[0];
    // Beyond the graze the inadmissible orbits double their period once.
    assert_eq!(kinds(branch), [SpecialKind::PeriodDoubling, SpecialKind::Graze, SpecialKind::Fold]);
    assert!(!branch.special[0].point.admissible);
    assert_close(branch.value(&branch.special[1].point), 0.363008647832252062, 1e-10);
    let fold = &branch.special[2].point;
    assert_close(branch.value(fold), 0.362836201980889, 1e-10);
    assert_close(fold.impact_speeds[0], -0.124087344852288, 1e-10);
    assert_close(fold.multipliers[0].re, 1.0, 1e-10);
    for point in &branch.points {
        assert_close(branch.value(point), amplitude(0.799, -point.impact_speeds[0]), 1e-12);
    }
    // Stable behind the fold only.
    let stable = |k: usize| branch.points[k].stable;
    assert!(!stable(branch.special[2].index - 1) && stable(branch.special[2].index + 1));
}

/// The stable orbit with four loops that begins at the period doubling (reference page vivid.md, errata).
#[test]
fn switching_follows_what_begins_at_special_points() {
    let found = branches(("impact-oscillator", &[("A", "0.35")], "A"), (2, 400), (0.34, 0.36), true);
    let of = |special: usize| found.iter().find(|branch| branch.parent == Some((0, special))).unwrap();
    // At the graze the impact is lost, and two loops without impact are one.
    let quiet = of(0);
    assert!(quiet.marks().is_empty());
    assert!(quiet.points.iter().all(|point| point.admissible && point.stable));
    assert_close(quiet.points[0].period, std::f64::consts::TAU / 0.81, 1e-10);
    let four = of(1);
    assert_eq!(four.marks().len(), 2);
    assert_close(four.points[0].period, 4.0 * std::f64::consts::TAU / 0.81, 1e-10);
    let doubling = first(four, SpecialKind::PeriodDoubling);
    assert_close(four.value(&doubling.point), 0.34720932, 5e-9);
    for point in &four.points[1..doubling.index] {
        assert!(point.stable && point.admissible);
    }
    assert!(!four.points[doubling.index + 1].stable);
}

/// The impact demo of a well-known toolbox has a fold that nobody marks.
#[test]
fn an_impact_begins_at_a_graze_and_folds() {
    let found = branches(("coco-impact", &[("A", "0.05")], "A"), (1, 300), (0.05, 0.11), true);
    assert_eq!((found.len(), kinds(&found[0])), (2, vec![SpecialKind::Graze]));
    assert_close(found[0].value(&found[0].special[0].point), 0.1, 1e-12);
    let fold = &first(&found[1], SpecialKind::Fold).point;
    assert_close(found[1].value(fold), 0.0999707536, 1e-10);
    assert_close(fold.impact_speeds[0], -0.0041115306, 1e-10);
    assert!(fold.admissible);
}

#[test]
fn symmetries_break_and_are_told_from_folds() {
    let set = [("nu", "1.1")];
    let found = branches(("two-wall-oscillator", &set, "nu"), (1, 200), (0.8, 1.2), true);
    assert_eq!(kinds(&found[0]), [SpecialKind::SymmetryBreaking]);
    let breaking = &found[0].special[0].point;
    assert_close(found[0].value(breaking), 0.887486240752, 1e-11);
    // Two orbits that are each other's mirror images begin there; they fold just below.
    let fold = &first(&found[1], SpecialKind::Fold).point;
    assert!(found[1].value(fold) < found[0].value(breaking));
    assert_ne!(fold.impact_speeds[0], fold.impact_speeds[1]);
    let damper = branches(("impact-damper", &[("nu", "1.2")], "nu"), (1, 600), (1.05, 1.4), false);
    assert_eq!(kinds(&damper[0]), [SpecialKind::SymmetryBreaking, SpecialKind::NeimarkSacker]);
    assert_close(damper[0].value(&damper[0].special[0].point), 1.085250172350610, 1e-11);
    let torus = &damper[0].special[1].point;
    assert_close(damper[0].value(torus), 1.369958899843824, 1e-11);
    assert_close(torus.multipliers[0].norm(), 1.0, 1e-10);
}

#[test]
fn a_ball_on_a_table_folds_and_doubles() {
    let found = branches(("ball-on-table", &[], "K"), (1, 0), (0.1, 1.2), false);
    assert_eq!(kinds(&found[0]), [SpecialKind::Fold, SpecialKind::PeriodDoubling]);
    assert_close(found[0].value(&found[0].special[0].point), 0.16534698176788385466, 1e-12);
    assert_close(found[0].value(&found[0].special[1].point), 1.0163107123046228047, 1e-12);
}

#[test]
fn sticking_orbits_double_their_period() {
    let set = [("d", "0.5009"), ("e", "0.19"), ("T", "-40")];
    let found = branches(("double-pendulum", &set, "d"), (2, 40), (0.5005, 0.502), false);
    assert_eq!(kinds(&found[0]), [SpecialKind::PeriodDoubling]);
    let doubling = &found[0].special[0].point;
    assert_close(found[0].value(doubling), 0.5010001915, 1e-10);
    assert!(doubling.admissible);
    assert_eq!(found[0].marks().iter().filter(|mark| mark.kind == EventKind::Chatter).count(), 2);
}

/// Nordmark & Piiroinen, Sect. 6.1; the numbers of reference page chattering.md.
#[test]
fn a_stick_after_chattering_is_lost() {
    let found = branches(("double-pendulum", &[], "e"), (1, 0), (0.88, 0.95), false);
    let branch = &found[0];
    assert_eq!(kinds(branch), [SpecialKind::StickLoss]);
    let end = branch.value(&branch.special[0].point);
    assert_close(end, 0.894463634, 1e-8);
    assert_eq!(branch.ended[1], Ended::Border { kind: SpecialKind::StickLoss });
    // The duration of the stick, the time after the chattering, vanishes like (e* - e)^0.60008. The state has four entries.
    let sticks: Vec<(f64, f64)> = branch
        .points
        .iter()
        .map(|point| ((end - branch.value(point)).ln(), point.unknowns[4].ln()))
        .filter(|(distance, _)| (1e-8_f64.ln()..1e-5_f64.ln()).contains(distance))
        .collect();
    assert!(sticks.len() > 1);
    let (a, b) = (sticks[0], sticks[sticks.len() - 1]);
    assert_close((a.1 - b.1) / (a.0 - b.0), 0.60008, 1e-3);
}

/// Nordmark & Piiroinen, Sect. 6.3, with the corrected eigenvalues of reference page chattering.md.
#[test]
fn a_period_grows_to_a_homoclinic_orbit() {
    let set = [("e", "0.9"), ("T", "-31.1")];
    let found = branches(("double-pendulum", &set, "T"), (1, 8), (-31.13, -30.9), false);
    let branch = &found[0];
    assert_eq!(kinds(branch), [SpecialKind::Homoclinic]);
    assert_eq!(branch.ended[1], Ended::Border { kind: SpecialKind::Homoclinic });
    let law = branch.special[0].homoclinic.as_ref().unwrap();
    assert_close(law.value, -31.0016660941, 1e-9);
    assert_close(law.rate, 0.28879317054699, 2e-5);
    let saddle = law.saddle.as_ref().unwrap();
    assert_close(saddle.eigenvalues[0].re, 0.28879317054699, 1e-8);
    assert_close(saddle.eigenvalues[1].re, -3.24752083104905, 1e-8);
    // The law gives the period of every long orbit, up to terms of the order of the distance (some four times the period of it, as measured), and to the
    // error of its own value, 1e-11, beside the distance.
    for point in branch.points.iter().filter(|point| point.period > 20.0) {
        let distance = (law.value - branch.value(point)).abs();
        let uncertain = 1e-11 / (law.rate * distance);
        assert_close(law.constant - distance.ln() / law.rate, point.period, 4.5 * point.period * distance + uncertain);
    }
}

/// The VIVID function and the equations of the signature give the same branches, by different routes; the first one only where the
/// continued flights to both sides of the impact have a fold, for omega = 0.799 up to A = 0.36836738.
#[test]
fn vivid_and_signature_agree() {
    for (omega, amplitude, range) in [("0.81", "0.35", (0.34, 0.36)), ("0.799", "0.366", (0.355, 0.368))] {
        let set = [("omega", omega), ("A", amplitude)];
        let (system, following) = free("impact-oscillator", &set, &["A"]);
        let orbit = settled(&system, &following, 2, 800);
        let by = |method| {
            let settings = branch::Settings { method, ..branch::Settings::between(range.0, range.1) };
            branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).unwrap().remove(0)
        };
        let (signature, vivid) = (by(branch::Method::Signature), by(branch::Method::Vivid));
        assert_eq!(kinds(&signature), kinds(&vivid));
        assert_eq!(signature.ended, vivid.ended);
        for (a, b) in signature.special.iter().zip(&vivid.special) {
            assert_close(vivid.value(&b.point), signature.value(&a.point), 1e-10);
            assert_close(b.point.impact_speeds[0], a.point.impact_speeds[0], 1e-10);
            assert_eq!(a.point.admissible, b.point.admissible);
        }
        for point in &vivid.points {
            let omega: f64 = omega.parse().unwrap();
            assert_close(vivid.value(point), amplitude_of(omega, point), 1e-12);
        }
    }
    let (system, following) = free("double-pendulum", &[], &["e"]);
    let orbit = settled(&system, &following, 1, 0);
    let settings = branch::Settings { method: branch::Method::Vivid, ..branch::Settings::between(0.8, 0.9) };
    let refused = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).unwrap_err();
    assert!(refused.to_string().contains("VIVID"), "{refused}");
}

fn amplitude_of(omega: f64, point: &branch::BranchPoint) -> f64 {
    amplitude(omega, -point.impact_speeds[0])
}
