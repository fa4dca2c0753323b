//! Whole branches.

use super::{circle, given, planar};
use crate::*;

#[test]
fn a_circle_closes() {
    let mut curve = Curve::start(circle(), &[0.6, 0.8], 0, Settings::default()).unwrap();
    let branch = Trace::new().fold(0).fold(1).branch_points().value(1, 0.5).value(0, 0.6).run(&mut curve);
    assert_eq!(branch.ended, Ended::Closed);
    let (first, last) = (&branch.points[0], branch.points.last().unwrap());
    assert!((last.unknowns[0] - first.unknowns[0]).abs() < 1e-12);
    assert!((last.arclength - 2.0 * std::f64::consts::PI).abs() < 1e-5);
    let place = |special: &SpecialPoint| (special.point.unknowns[0], special.point.unknowns[1]);
    let kinds: Vec<_> = branch.special.iter().map(|special| special.kind.clone()).collect();
    let (fold, value) = (|unknown| Kind::Fold { unknown }, |unknown| Kind::Value { unknown });
    // Clockwise from (0.6, 0.8), which is a wanted value itself when it is left; perhaps also when it is met again.
    assert_eq!(kinds[..8], [value(0), value(1), fold(0), value(0), fold(1), fold(0), value(1), fold(1)]);
    for (special, (x, y)) in branch.special.iter().zip([
        (0.6, 0.8),
        (0.75f64.sqrt(), 0.5),
        (1.0, 0.0),
        (0.6, -0.8),
        (0.0, -1.0),
        (-1.0, 0.0),
        (-0.75f64.sqrt(), 0.5),
        (0.0, 1.0),
    ]) {
        let found = place(special);
        assert!((found.0 - x).abs() < 1e-12 && (found.1 - y).abs() < 1e-12, "{found:?} {x} {y}");
        let (before, after) = (&branch.points[special.index], &branch.points[special.index + 1]);
        assert!((before.arclength..=after.arclength).contains(&special.point.arclength));
    }
    assert!(branch.unresolved.is_empty());
}

/// x³ - x = p between exact bounds, of which the first is met from inside and the other at the start.
#[test]
fn a_range_ends_exactly_on_its_bounds() {
    let cubic = || planar(|x, p| Ok((x.powi(3) - x - p, [3.0 * x * x - 1.0, -1.0])));
    let mut curve = Curve::start(cubic(), &[-1.3, -0.7], 1, Settings::default()).unwrap();
    let branch = Trace::new().bound(1, -0.7, 0.3).fold(1).run(&mut curve);
    assert_eq!(branch.ended, Ended::ReachedBound { unknown: 1, value: 0.3 });
    let last = &branch.points.last().unwrap().unknowns;
    assert_eq!(last[1], 0.3);
    // On the first limb, before any fold.
    assert!((last[0].powi(3) - last[0] - 0.3).abs() < 1e-15 && last[0] < 0.0, "{last:?}");
    assert_eq!(branch.special.len(), 0);
    let mut curve = Curve::start(cubic(), &[-1.3, -0.7], 1, Settings::default()).unwrap();
    let branch = Trace::new().bound(1, -0.7, 1.0).fold(1).run(&mut curve);
    assert_eq!(branch.ended, Ended::ReachedBound { unknown: 1, value: 1.0 });
    assert_eq!(branch.special.len(), 2);
    let x = 1.0 / 3f64.sqrt();
    for (special, x) in branch.special.iter().zip([-x, x]) {
        assert!((special.point.unknowns[0] - x).abs() < 1e-12, "{:?}", special.point.unknowns);
        assert!((special.point.unknowns[1] - (x.powi(3) - x)).abs() < 1e-14);
    }
    let mut curve = Curve::start(cubic(), &[-1.3, -0.7], 1, Settings::default()).unwrap();
    curve.orient(1, -1.0);
    let branch = Trace::new().bound(1, -0.7, 0.3).run(&mut curve);
    assert_eq!((branch.points.len(), branch.ended), (1, Ended::ReachedBound { unknown: 1, value: -0.7 }));
}

/// A bound at the edge of the domain: F must not be asked beyond it.
#[test]
fn a_bound_on_the_edge_of_the_domain_is_reached() {
    let edge = planar(|x, p| if p > 1.0 { Err("beyond the edge") } else { Ok((x - p * p, [1.0, -2.0 * p])) });
    let mut curve = Curve::start(edge, &[0.0, 0.0], 1, Settings::default()).unwrap();
    let branch = Trace::new().bound(1, -1.0, 1.0).run(&mut curve);
    assert_eq!(branch.ended, Ended::ReachedBound { unknown: 1, value: 1.0 });
    assert_eq!(branch.points.last().unwrap().unknowns[1], 1.0);
    assert_eq!(curve.rejected(), 0);
}

#[test]
fn what_was_found_before_the_end_is_kept() {
    let edge = || planar(|x, p| if p > 0.77 { Err("beyond the edge") } else { Ok((x - p.sin(), [1.0, -p.cos()])) });
    let mut curve = Curve::start(edge(), &[0.0, 0.0], 1, Settings::default()).unwrap();
    let branch = Trace::new().bound(1, -1.0, 1.0).value(1, 0.5).run(&mut curve);
    let Ended::Stopped(Stop::Shortest { reason, .. }) = branch.ended else { panic!("{:?}", branch.ended) };
    assert_eq!(reason, Some("beyond the edge"));
    assert!(branch.points.len() > 5 && (branch.points.last().unwrap().unknowns[1] - 0.77).abs() < 1e-7);
    assert_eq!(branch.special.len(), 1);
    let mut curve = Curve::start(edge(), &[0.0, 0.0], 1, Settings::default()).unwrap();
    assert_eq!(Trace::new().points(7).run(&mut curve).points.len(), 7);
    let mut curve = Curve::start(edge(), &[0.0, 0.0], 1, Settings::default()).unwrap();
    let branch = Trace::new().monitor(|_, point: &Point| point.unknowns[1] < 0.2).run(&mut curve);
    assert_eq!(branch.ended, Ended::Interrupted);
}

/// p x - x y with y = x² and a third unknown, in units and equations of very different sizes.
fn pitchfork() -> super::Given {
    given(&[1e-6, 1e9, 1e2, 3.0], 3, |u, residual, jacobian| {
        let (x, y, z, p) = (u[0] * 1e6, u[1] * 1e-9, u[2] * 1e-2, u[3] / 3.0 - 0.3);
        residual.copy_from_slice(&[1e8 * (p * x - x * y), 1e-8 * (y - x * x), z - 2.0 * p + y]);
        let (dx, dy, dz, dp) = (1e6, 1e-9, 1e-2, 1.0 / 3.0);
        jacobian.entries_mut().copy_from_slice(&[
            1e8 * (p - y) * dx,
            -2e-8 * x * dx,
            0.0,
            -1e8 * x * dy,
            1e-8 * dy,
            dy,
            0.0,
            0.0,
            dz,
            1e8 * x * dp,
            0.0,
            -2.0 * dp,
        ]);
        Ok(())
    })
}

#[test]
fn a_pitchfork_in_odd_units_is_found_and_switched_at() {
    let mut problem = pitchfork();
    let mut curve = Curve::start(&mut problem, &[0.0, 0.0, 0.0, -1.0], 3, Settings::default()).unwrap();
    let branch = Trace::new().bound(3, -1.0, 2.0).branch_points().run(&mut curve);
    assert_eq!(branch.special.len(), 1);
    let Kind::BranchPoint(found) = &branch.special[0].kind else { panic!() };
    assert!(found.regular);
    assert!((found.point.unknowns[3] - 0.9).abs() < 1e-13 && found.point.unknowns[0].abs() < 1e-19);
    assert_eq!(curve.rejected(), 0);
    for sign in [1.0, -1.0] {
        let mut curve = Curve::switch(&mut problem, found, sign, Settings::default()).unwrap();
        let branch = Trace::new().bound(3, -1.0, 2.0).branch_points().fold(3).run(&mut curve);
        assert_eq!(branch.ended, Ended::ReachedBound { unknown: 3, value: 2.0 });
        let last = &branch.points.last().unwrap().unknowns;
        let (x, p) = (last[0] * 1e6, last[3] / 3.0 - 0.3);
        assert!((x * x - p).abs() < 1e-13 && x * sign * found.other[0] > 0.0);
        assert!(branch.special.is_empty());
    }
    // From the far end of the parabola the branch point is also its fold, and is reported once.
    let x = 0.3f64.sqrt();
    let start = [-x * 1e-6, 0.3e9, 0.3e2, 1.8];
    let mut curve = Curve::start(&mut problem, &start, 0, Settings::default()).unwrap();
    let branch = Trace::new().bound(0, -1e-6, 0.5e-6).branch_points().fold(3).run(&mut curve);
    assert_eq!(branch.special.len(), 1, "{:?}", branch.special);
    assert!(matches!(branch.special[0].kind, Kind::BranchPoint(_)));
}

/// Zeros of named tests, and what jumps.
#[test]
fn named_tests_are_told_by_name() {
    let line = planar(|_, y| Ok((y, [0.0, 1.0])));
    let mut curve = Curve::start(line, &[0.0, 0.0], 0, Settings::default()).unwrap();
    let branch = Trace::new()
        .bound(0, -1.0, 2.0)
        .test("sine", |_: &mut _, point: &Point| Some((4.0 * point.unknowns[0] - 1.0).sin()))
        .test("pole", |_: &mut _, point: &Point| Some(1.0 / (point.unknowns[0] - 0.5)))
        .run(&mut curve);
    let places: Vec<f64> = branch.special.iter().map(|special| special.point.unknowns[0]).collect();
    let pi = std::f64::consts::PI;
    let expected = [0.25, 0.5, 0.25 * (1.0 + pi), 0.25 * (1.0 + 2.0 * pi)];
    assert_eq!(places.len(), expected.len());
    assert!(places.iter().zip(expected).all(|(place, expected)| (place - expected).abs() < 1e-13), "{places:?}");
    assert_eq!(branch.special[1].kind, Kind::Jump { test: "pole".into() });
}

/// The circle passes the bound between two points: it ends there, and a value there is passed twice.
#[test]
fn a_bound_is_not_passed_between_two_points() {
    let bound = 1.0 - 1e-6;
    let mut curve = Curve::start(circle(), &[0.6, 0.8], 0, Settings::default()).unwrap();
    let branch = Trace::new().bound(0, -2.0, bound).run(&mut curve);
    assert_eq!(branch.ended, Ended::ReachedBound { unknown: 0, value: bound });
    assert!(branch.points.last().unwrap().unknowns[1] > 1e-3);
    let mut curve = Curve::start(circle(), &[0.6, 0.8], 0, Settings::default()).unwrap();
    let branch = Trace::new().value(0, bound).run(&mut curve);
    assert_eq!((branch.ended, branch.special.len()), (Ended::Closed, 2));
}
