//! Bifurcations and borders that lie close together on a branch, are born within a step, or lie beside the end of a curve: from six origins of the phase,
//! against closed forms and settled motions on both sides.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

use crate::common::assert_close;
use crate::common::case::Case;
use saltation_model::{Overrides, Values};
use saltation_motion::{EventKind, Motion, Run, Settings, System};
use saltation_orbit::branch::SpecialKind::{Boundary, ChatterLoss, Fold, Graze, PeriodDoubling, StickLoss};

/// The motion of a case with another value of one parameter, for some periods of its forcing.
fn motion(case: &Case, (parameter, value): (&str, f64), periods: f64) -> Run {
    let model = case.model(0);
    let system = System::new(&model);
    let set = vec![(parameter.to_string(), format!("{value:e}"))];
    let values: Values = model.values(&Overrides { set, start: vec![] }).expect("settings are right");
    let rate = values.parameters()[model.parameter("om").expect("the rate of the forcing is a parameter")];
    let until = periods * std::f64::consts::TAU / rate;
    Motion::new(&system, &values, Settings { until, ..Settings::default() }).expect("it begins").run(false, |_| true)
}

/// A minimum of a gap is born within a step, below zero at its end: the graze between was missing at some origins. With both obstacles the body just leaves
/// the lower one where A = k e, and strikes the upper one a second time from the graze on.
#[test]
fn a_minimum_born_within_a_step_grazes() {
    let case = Case { settle: 303, ..Case::of("graze-born-in-a-step", "A", (0.361496, 0.579005)) };
    let graze = 0.4900615354306136;
    let special = [
        (Boundary, 0.4999089559331479, false),
        (Graze, 0.4922683750909069, false),
        (StickLoss, 0.3979304583937197, false),
        (Fold, 1.63 * 0.224, false),
        (Boundary, 1.63 * 0.224, false),
        (Boundary, 0.3981575754141078, true),
        (Graze, graze, true),
        (Boundary, 0.4922820778515215, false),
    ];
    case.alike(&special, ["range", "range"]);
    let strikes = |force: f64| {
        let run = motion(&case, ("A", force), 300.0);
        let late = run.events.iter().filter(|event| event.time > 200.0 * std::f64::consts::TAU);
        late.filter(|event| event.kind == EventKind::Impact && event.contact == Some(1)).count()
    };
    assert_eq!(strikes(graze - 1e-7), 100);
    assert!(strikes(graze + 1e-7) >= 199);
}

/// Two period doublings within one step, between which the determinant has one sign at both ends: motions settle on four returns between them, and on more
/// outside.
#[test]
fn two_doublings_within_a_step() {
    let doubling = |value: f64| (PeriodDoubling, value, true);
    let (first, second) = (0.8925570080348, 0.8986103264763);
    let case = Case { settle: 358, returns: 4, ..Case::of("two-doublings-in-a-step", "r", (0.744753, 0.97)) };
    let special = [
        doubling(0.8399565933282),
        (Graze, 0.8501907443881, true),
        (Graze, 0.8815109940401, true),
        doubling(first),
        doubling(second),
        doubling(0.9261635668655),
        (Fold, 0.9270131728951, true),
        (Fold, 0.9011387085068, true),
        doubling(0.9012108457039),
        (Graze, 0.9420264497222, true),
        (Fold, 0.9645272623712, false),
        (PeriodDoubling, 0.9645187815654, false),
        (Graze, 0.8052248774233, true),
        (Fold, 0.7839486974901, true),
        doubling(0.7849266832518),
        doubling(0.8002400106011),
    ];
    case.alike(&special, ["closed", "closed"]);
    let returns_after_four = |r: f64| {
        let state = |periods: f64| motion(&case, ("r", r), periods).state;
        let (x, y) = (state(4000.0), state(4004.0));
        (x[0] - y[0]).abs() + (x[1] - y[1]).abs()
    };
    assert!(returns_after_four(first - 2e-4) > 1e-3);
    assert!(returns_after_four(0.5 * (first + second)) < 1e-9);
    assert!(returns_after_four(second + 2e-4) > 1e-3);
}

/// A border a little before the end of a curve, within its last step: it was missing at some origins.
#[test]
fn a_border_before_the_end_of_a_curve() {
    let special = [
        (Boundary, 0.1403765219750816, true),
        (Boundary, 0.2493679043992114, true),
        (Boundary, 0.3081466760114229, false),
        (Fold, 0.3274559859765324, false),
        (Boundary, 0.3171140361944608, false),
        (Boundary, 0.314161881586768, false),
    ];
    let case = Case { settle: 380, ..Case::of("border-before-the-end", "b", (-0.0412453, 0.369905)) };
    case.alike(&special, ["range", "boundary"]);
}

/// A body that lands on a table with gap, speed and acceleration zero together. It leaves at the angle -theta, where g = A omega^2 cos(theta), and lands a
/// turn later at theta, if tan(theta) = theta + pi. There the chattering and its first impact vanish together.
#[test]
fn chattering_vanishes_with_its_first_impact() {
    let mut theta: f64 = 1.3;
    for _ in 0..50 {
        theta = (theta + std::f64::consts::PI).atan();
    }
    let smooth = 1.2 / (1.947_f64.powi(2) * theta.cos());
    assert_close(smooth, 1.4572104842269915, 1e-15);
    let case = Case { settle: 377, returns: 2, ..Case::of("table-undamped", "A", (1.0, 1.92861)) };
    case.alike(&[(StickLoss, 1.31057513635597, true), (ChatterLoss, smooth, true)], ["stick_loss", "chatter_loss"]);
}

/// A release without rate at which the parameter turns: perturbations return with every factor there, and it is no period doubling.
#[test]
fn a_fold_at_a_release_without_rate_is_no_period_doubling() {
    let special = [
        (Boundary, 0.6590512360601853, true),
        (Boundary, 0.8102108319465266, true),
        (Fold, 0.8464259543876648, false),
        (Boundary, 0.8464259543876648, false),
        (Boundary, 0.819521203154522, false),
        (Fold, 0.819521203154522, false),
    ];
    let case = Case { settle: 354, ..Case::of("fold-at-a-release", "om", (0.471071, 0.885117)) };
    case.alike(&special, ["boundary", "end"]);
}

/// Flights of speed 5e-6 from a wall that the body just leaves: rounding of the equations moves points by 3e-9, and the branch ended there as "Newton's
/// method did not converge". Motions have the same impacts.
#[test]
fn points_whose_equations_hold_to_rounding_are_points() {
    let case = Case { settle: 305, ..Case::of("corrections-of-rounding", "z", (0.05, 0.0683596)) };
    let (_, branch) = case.branch(0);
    assert_eq!(branch.ended.each_ref().map(|ended| ended.name()), ["range", "range"]);
    for point in branch.points.iter().step_by(5) {
        assert!(point.admissible && point.stable, "{}", branch.value(point));
        let run = motion(&case, ("z", branch.value(point)), 304.5);
        let late = run.events.iter().filter(|event| event.time > 300.0 * point.period);
        let impacts = late.filter(|event| event.kind == EventKind::Impact);
        let fastest = impacts.fold(0.0_f64, |low, event| low.min(event.speed_before));
        let known = point.impact_speeds.iter().fold(0.0_f64, |low, speed| low.min(*speed));
        assert_close(fastest / known, 1.0, 1e-6);
    }
}

/// A contact that begins with a force of zero, in the step in which its stick vanishes: at some origins its border was missing, since the initial bounds at
/// both ends of the step are not as many.
#[test]
fn a_border_in_the_step_of_a_stick_that_vanishes() {
    let special = [
        (Boundary, 0.1259548432698115, true),
        (StickLoss, 0.2584996631873547, true),
        (Fold, 0.2590563545420759, false),
        (Graze, 0.2590563545420759, false),
        (StickLoss, 0.1318354047327382, false),
        (Boundary, 0.1259548432698115, false),
        (Fold, 0.0006839315018453, false),
        (Graze, 0.0006839315018453, false),
        (StickLoss, 0.0015365205411896, false),
        (Fold, 0.0029478824219624, false),
        (Graze, 0.0029478824219624, false),
        (Boundary, -0.0054917470003477, false),
    ];
    let case = Case { settle: 324, ..Case::of("border-beside-a-stick", "d", (-0.0528416, 0.34255)) };
    case.alike(&special, ["boundary", "range"]);
}

/// A stop between two slips vanishes on the last step, before a slip does at which the curve ends: it was taken for a time that vanishes at that end, and
/// removed; the end was admissible. Motions stop twice in a period before it, and once behind it.
#[test]
fn a_stop_vanishes_before_the_slip_that_ends_the_curve() {
    let stop = 1.293241314860426;
    let case = Case { settle: 300, ..Case::of("stop-vanishes-before-a-slip", "A", (1.207, 1.48195)) };
    case.alike(&[(Boundary, stop, true), (Boundary, 1.297627586854128, false)], ["range", "boundary"]);
    let stops = |force: f64| {
        let run = motion(&case, ("A", force), 400.0);
        let period = std::f64::consts::TAU / 0.6011;
        let late = run.events.iter().filter(|event| event.time > 300.0 * period && event.time < 399.5 * period);
        (late.filter(|event| event.kind == EventKind::Stick).count() as f64 / 99.5).round()
    };
    assert_eq!([stop - 1e-6, stop + 1e-6].map(stops), [2.0, 1.0]);
}

/// Where times between events become longest negative on the step on which the range ends, the branch ends there: it said "range" at some origins, at a
/// point within the range.
#[test]
fn a_branch_that_ends_before_the_range_does_not_end_with_it() {
    let set: &[(&str, &str)] = &[("g", "1.465"), ("r", "0"), ("A", "0.9636"), ("om", "2.17")];
    let start: &[(&str, &str)] = &[("x", "1.664")];
    let case = Case { set, start, settle: 392, ..Case::of("table-undamped", "om", (1.71734, 2.68472)) };
    case.alike(&[(StickLoss, 2.2388440914215, true)], ["range", "end"]);
}

/// Two flights graze the upper obstacle at one orbit, at which other orbits cross: one of the grazes was virtual at some origins.
#[test]
fn grazes_of_one_orbit_are_admissible_together() {
    let case = Case { settle: 363, returns: 3, ..Case::of("grazes-where-orbits-cross", "A", (0.468669, 1.05247)) };
    for later in 0..6 {
        let (_, branch) = case.branch(later);
        let there = |value: f64| (value - 0.8666125358309843).abs() < 1e-11;
        let grazes = branch.special.iter().filter(|one| one.kind == Graze && there(branch.value(&one.point)));
        let admissible: Vec<bool> = grazes.map(|one| one.point.admissible).collect();
        assert_eq!(admissible, [true, true], "{later}");
    }
}
