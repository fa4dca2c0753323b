//! Curves with closed forms.

mod trace;

use saltation_numerics::dense::Matrix;

use crate::*;

pub(crate) type Why = &'static str;

/// What fills F and its Jacobian.
type Equations = dyn FnMut(&[f64], &mut [f64], &mut Matrix) -> Result<(), Why>;

/// F as a closure, which counts its evaluations.
pub(crate) struct Given {
    sizes: Vec<f64>,
    equations: usize,
    evaluate: Box<Equations>,
    pub(crate) evaluations: usize,
}

impl Problem for Given {
    type Failure = Why;
    fn unknowns(&self) -> usize {
        self.sizes.len()
    }
    fn equations(&self) -> usize {
        self.equations
    }
    fn sizes(&self) -> &[f64] {
        &self.sizes
    }
    fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Why> {
        self.evaluations += 1;
        (self.evaluate)(u, residual, jacobian)
    }
}

/// So many equations in as many unknowns as there are sizes.
pub(crate) fn given(
    sizes: &[f64],
    equations: usize,
    evaluate: impl FnMut(&[f64], &mut [f64], &mut Matrix) -> Result<(), Why> + 'static,
) -> Given {
    Given { sizes: sizes.to_vec(), equations, evaluate: Box::new(evaluate), evaluations: 0 }
}

/// One equation f(x, y) = 0 with its gradient.
pub(crate) fn planar(f: impl Fn(f64, f64) -> Result<(f64, [f64; 2]), Why> + 'static) -> Given {
    given(&[1.0; 2], 1, move |u, residual, jacobian| {
        let (value, gradient) = f(u[0], u[1])?;
        residual[0] = value;
        jacobian.entries_mut().copy_from_slice(&gradient);
        Ok(())
    })
}

pub(crate) fn circle() -> Given {
    planar(|x, y| Ok((x * x + y * y - 1.0, [2.0 * x, 2.0 * y])))
}

#[test]
fn a_circle_is_a_circle_with_three_evaluations_per_point() {
    let mut curve = Curve::start(circle(), &[0.1, 0.9], 0, Settings::default()).unwrap();
    for _ in 0..100 {
        let point = curve.advance().unwrap();
        let (x, y) = (point.unknowns[0], point.unknowns[1]);
        assert!((x.hypot(y) - 1.0).abs() < 1e-14);
        assert!((point.tangent[0] - y).abs() < 1e-9 && (point.tangent[1] + x).abs() < 1e-9);
        // Clockwise from the start at angle acos(0.1).
        let travelled = (0.1f64.acos() - y.atan2(x)).rem_euclid(2.0 * std::f64::consts::PI);
        let arclength = point.arclength.rem_euclid(2.0 * std::f64::consts::PI);
        assert!((travelled - arclength).abs() < 1e-5, "{travelled} {arclength}");
    }
    assert_eq!(curve.rejected(), 0);
    let evaluations = curve.problem().evaluations;
    assert!(evaluations <= 310, "{evaluations}");
}

#[test]
fn folds_of_the_circle() {
    let mut curve = Curve::start(circle(), &[0.0, 1.0], 0, Settings::default()).unwrap();
    let mut folds = Vec::new();
    while curve.point().arclength < 7.0 {
        curve.advance().unwrap();
        folds.extend(curve.locate(&mut test_function::fold(0)).unwrap());
    }
    assert_eq!(folds.len(), 2);
    for (fold, x) in folds.iter().zip([1.0, -1.0]) {
        assert!((fold.unknowns[0] - x).abs() < 1e-12 && fold.unknowns[1].abs() < 1e-12, "{:?}", fold.unknowns);
    }
}

/// An ellipse a thousand times as long as wide: the sides are nearer to each other than steps are long.
#[test]
fn a_hairpin_is_turned_and_not_jumped() {
    const WIDTH: f64 = 1e-3;
    let ellipse = planar(|x, y| Ok((x * x + (y / WIDTH).powi(2) - 1.0, [2.0 * x, 2.0 * y / WIDTH / WIDTH])));
    let mut curve = Curve::start(ellipse, &[0.0, WIDTH], 0, Settings::default()).unwrap();
    let (mut tips, mut steps) = (Vec::new(), 0);
    while curve.point().arclength < 4.5 {
        curve.advance().unwrap();
        steps += 1;
        tips.extend(curve.locate(&mut test_function::fold(0)).unwrap());
    }
    assert_eq!(tips.len(), 2, "{tips:?}");
    for (tip, x) in tips.iter().zip([1.0, -1.0]) {
        assert!((tip.unknowns[0] - x).abs() < 1e-12 && tip.unknowns[1].abs() < 1e-12, "{:?}", tip.unknowns);
    }
    assert!(steps < 400, "{steps}");
}

/// Two straight lines at a distance of a thousandth of the longest step.
#[test]
fn parallel_lines_are_told_apart() {
    const GAP: f64 = 1e-4;
    let lines = planar(|x, y| {
        let (low, high) = (y - 0.2 * x.sin(), y - 0.2 * x.sin() - GAP);
        Ok((low * high, [-0.2 * x.cos() * (low + high), low + high]))
    });
    let mut curve = Curve::start(lines, &[0.0, 0.0], 0, Settings::default()).unwrap();
    while curve.point().unknowns[0] < 30.0 {
        let u = &curve.advance().unwrap().unknowns;
        assert!((u[1] - 0.2 * u[0].sin()).abs() < 1e-12);
    }
}

#[test]
fn a_boundary_of_the_domain_ends_the_curve_with_its_reason() {
    let root =
        planar(
            |x, y| {
                if x < 0.0 { Err("the root of a negative number") } else { Ok((y - x.sqrt(), [-0.5 / x.sqrt(), 1.0])) }
            },
        );
    let mut curve = Curve::start(root, &[1.0, 1.0], 0, Settings::default()).unwrap();
    curve.orient(0, -1.0);
    let stop = loop {
        match curve.advance() {
            // Without the root, whose slope is infinite at the end; beyond which the last correction may lead, by its size.
            Ok(point) => assert!((point.unknowns[0] - point.unknowns[1].powi(2)).abs() < 1e-10),
            Err(stop) => break stop,
        }
    };
    let Stop::Shortest { reason, .. } = stop;
    assert_eq!(reason, Some("the root of a negative number"));
    assert!(curve.point().unknowns[1].abs() < 1e-5, "{:?}", curve.point().unknowns);
}

#[test]
fn what_is_not_finite_is_a_failure() {
    let nan = planar(|x, y| Ok(if x < 0.5 { (y, [0.0, 1.0]) } else { (f64::NAN, [0.0, 1.0]) }));
    assert_eq!(
        Curve::start(nan, &[0.7, 0.0], 0, Settings::default()).err(),
        Some(StartError::NoPoint(Rejection::NotFinite))
    );
    let nan = planar(|x, y| Ok((y, if x < 0.5 { [0.0, 1.0] } else { [f64::NAN, 1.0] })));
    let mut curve = Curve::start(nan, &[0.0, 0.0], 0, Settings::default()).unwrap();
    let stop = loop {
        if let Err(stop) = curve.advance() {
            break stop;
        }
    };
    assert_eq!(stop, Stop::Shortest { reason: None, rejection: Rejection::NotFinite });
    assert!((curve.point().unknowns[0] - 0.5).abs() < 2e-8);
}

#[test]
fn shapes_and_settings_are_checked() {
    let start = |guess: &[f64], held, settings| Curve::start(circle(), guess, held, settings).err();
    assert!(matches!(start(&[1.0], 0, Settings::default()), Some(StartError::Shape(_))));
    assert!(matches!(start(&[1.0, 0.0], 2, Settings::default()), Some(StartError::Shape(_))));
    assert!(matches!(start(&[f64::NAN, 0.0], 0, Settings::default()), Some(StartError::Shape(_))));
    let settings = Settings { tolerance: f64::NAN, ..Settings::default() };
    assert_eq!(start(&[1.0, 0.0], 0, settings), Some(StartError::Settings));
}

#[test]
fn a_start_at_a_fold_is_a_start() {
    for guess in [[1.0, 0.0], [1.0 + 1e-9, 0.0], [1.1, 0.01]] {
        let curve = Curve::start(circle(), &guess, 0, Settings::default()).unwrap();
        let u = &curve.point().unknowns;
        assert!((u[0].hypot(u[1]) - 1.0).abs() < 1e-12);
        assert!(curve.point().tangent[0].abs() < 0.1 && curve.point().tangent[1].abs() > 0.99);
    }
}

#[test]
fn a_value_is_met_to_the_last_bit() {
    let mut curve = Curve::start(circle(), &[0.0, 1.0], 0, Settings::default()).unwrap();
    let mut found = Vec::new();
    while curve.point().arclength < 6.2 {
        let before = curve.point().clone();
        let after = curve.advance().unwrap().clone();
        found.extend(curve.locate_value(&before, &after, 0, 1.0 / 3.0).unwrap());
    }
    assert_eq!(found.len(), 2);
    for point in found {
        assert_eq!(point.unknowns[0], 1.0 / 3.0);
        assert!((point.unknowns[1].abs() - 8f64.sqrt() / 3.0).abs() < 1e-15);
    }
}

#[test]
fn poles_and_leaps_are_no_zeros_and_gaps_are_told() {
    let line = || planar(|_, y| Ok((y, [0.0, 1.0])));
    let mut curve = Curve::start(line(), &[0.0, 0.0], 0, Settings::default()).unwrap();
    let a = curve.point().clone();
    let b = curve.advance().unwrap().clone();
    let middle = 0.4 * b.unknowns[0];
    let x = |point: &Point| point.unknowns[0] - middle;
    let pole = curve.crossing_between(&a, &b, &mut |_, point| Some(1.0 / x(point))).unwrap();
    let jump = curve.crossing_between(&a, &b, &mut |_, point| Some(x(point).signum() + 0.3)).unwrap();
    for crossing in [pole, jump] {
        let Crossing::Jump { before, after } = crossing else { panic!("{crossing:?}") };
        assert!(x(&before) <= 0.0 && x(&after) >= 0.0 && x(&after) - x(&before) < 1e-14);
    }
    let root = curve.crossing_between(&a, &b, &mut |_, point| Some(x(point).cbrt())).unwrap();
    assert!(matches!(root, Crossing::Jump { .. } | Crossing::Zero(_)));
    let gap = curve.crossing_between(&a, &b, &mut |_, point| (x(point).abs() > 1e-4).then(|| x(point)));
    assert_eq!(gap, Err(LocateError::Undefined));
    // Undefined beyond the zero only: found all the same.
    let part = |point: &Point| (x(point) < 1e-5 || x(point) > 2e-3).then(|| x(point));
    let found = curve.locate_between(&a, &b, &mut |_, point| part(point)).unwrap().unwrap();
    assert!(x(&found).abs() < 1e-15);
    assert_eq!(curve.locate_between(&a, &b, &mut |_, _| None), Ok(None));
}

#[test]
fn a_curve_turns_round_and_starts_through_a_point() {
    let mut curve = Curve::start(circle(), &[0.0, 1.0], 0, Settings::default()).unwrap();
    for _ in 0..5 {
        curve.advance().unwrap();
    }
    let (there, tangent) = (curve.point().unknowns.clone(), curve.point().tangent.clone());
    curve.reverse();
    assert!(curve.previous().is_none());
    assert!(curve.advance().unwrap().unknowns[0] < there[0]);
    let settings = Settings::default();
    let again = Curve::through(circle(), vec![there[0] + 1e-3, there[1]], &tangent, settings).unwrap();
    assert!((again.point().unknowns[0].hypot(again.point().unknowns[1]) - 1.0).abs() < 1e-14);
    assert!(again.point().tangent[0] > 0.0);
}

/// A change that keeps the point: the circle becomes another one with the same centre height.
#[test]
fn a_refreshed_curve_goes_on_in_its_direction() {
    let centre = std::rc::Rc::new(std::cell::Cell::new(0.0));
    let seen = centre.clone();
    let moved = planar(move |x, y| {
        let y = y - seen.get();
        // The centre moves from 0 to -1, and the radius with it, so that the top stays.
        let radius = 1.0 - seen.get();
        Ok((x * x + y * y - radius * radius, [2.0 * x, 2.0 * y]))
    });
    let mut curve = Curve::start(moved, &[0.0, 1.0], 0, Settings::default()).unwrap();
    centre.set(-1.0);
    let point = curve.refresh().unwrap();
    assert!(point.unknowns[0].abs() < 1e-14 && point.tangent[0] > 0.99);
    let u = &curve.advance().unwrap().unknowns;
    assert!((u[0].hypot(u[1] + 1.0) - 2.0).abs() < 1e-13);
}

/// y² = x³ + e, almost a cusp: both sides come together with the same tangent, and the turn is at the very end.
#[test]
fn a_blunted_cusp_is_turned_and_not_jumped() {
    for e in [1e-4, 1e-6, 1e-8] {
        let cusp = planar(move |x, y| Ok((y * y - x.powi(3) - e, [-3.0 * x * x, 2.0 * y])));
        let mut curve = Curve::start(cusp, &[1.0, 1.0], 0, Settings::default()).unwrap();
        curve.orient(0, -1.0);
        let branch = Trace::new().bound(0, -1.0, 1.0).fold(0).branch_points().run(&mut curve);
        assert_eq!(branch.ended, Ended::ReachedBound { unknown: 0, value: 1.0 });
        assert!((branch.points.last().unwrap().unknowns[1] + (1.0 + e).sqrt()).abs() < 1e-14);
        assert_eq!(branch.special.len(), 1);
        let u = &branch.special[0].point.unknowns;
        assert!((u[0] + e.cbrt()).abs() < 1e-12 && u[1].abs() < 1e-12, "{u:?}");
    }
}

/// No equations and one unknown, and an equation that the unknown alone decides.
#[test]
fn the_smallest_problems_are_problems() {
    let mut curve = Curve::start(given(&[2.0], 0, |_, _, _| Ok(())), &[1.0], 0, Settings::default()).unwrap();
    let branch = Trace::new().bound(0, 0.0, 3.0).branch_points().run(&mut curve);
    assert_eq!(branch.ended, Ended::ReachedBound { unknown: 0, value: 3.0 });
    assert!((branch.points.last().unwrap().arclength - 1.0).abs() < 1e-14);
}
