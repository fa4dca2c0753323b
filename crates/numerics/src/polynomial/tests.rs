mod descent;

use proptest::prelude::*;

use super::*;
use crate::exact::DoubleDouble;

fn workspace() -> Workspace {
    Workspace::new()
}

/// The coefficients of `leading` Π (s - rootᵢ) to thirty digits, rounded.
fn from_roots(leading: f64, roots: &[f64]) -> Vec<f64> {
    let mut c = vec![DoubleDouble::from_f64(leading)];
    for &root in roots {
        c.insert(0, DoubleDouble::ZERO);
        for k in 0..c.len() - 1 {
            let next = c[k + 1];
            c[k] -= next.scale(root);
        }
    }
    c.into_iter().map(f64::from).collect()
}

/// How far a simple root of the rounded polynomial can lie from the given one: the rounding of all terms over the slope.
fn rounding_of_root(c: &[f64], root: f64) -> f64 {
    let terms = c.iter().rev().fold(0.0, |sum, c| sum * root.abs() + c.abs());
    8.0 * c.len() as f64 * f64::EPSILON * terms / evaluate_with_derivative(c, root).1.abs()
}

#[test]
fn derivative_and_bernstein_form_of_known_polynomials() {
    let mut derivative = Vec::new();
    differentiate(&[5.0, 3.0, 2.0, 1.0], &mut derivative);
    assert_eq!(derivative, [3.0, 4.0, 3.0]);
    // (1 - s)³ and s³ are the first and the last Bernstein polynomial.
    let mut row = [1.0, -3.0, 3.0, -1.0];
    to_bernstein(&mut row);
    assert_eq!(row, [1.0, 0.0, 0.0, 0.0]);
    // A constant of high degree, beyond the table of binomials.
    let mut row = [0.0; 41];
    row[0] = 2.0;
    to_bernstein(&mut row);
    assert_eq!(row, [2.0; 41]);
}

#[test]
fn zero_constant_and_padded_polynomials() {
    let mut workspace = workspace();
    for c in [&[][..], &[0.0], &[0.0; 9], &[3.0], &[3.0, 0.0, 0.0]] {
        assert!(real_roots(c, 0.0, 1.0, 0.0, &mut workspace).is_empty(), "{c:?}");
        assert_eq!(first_descent(c, 1.0, 0, &mut workspace).root, None, "{c:?}");
        assert!(sign_changes(c, 1.0, 0.0, &mut workspace).roots.is_empty(), "{c:?}");
    }
    let padded = [0.0, 0.0, -0.25, 1.0, 0.0, 0.0];
    let roots = real_roots(&padded, 0.0, 1.0, 0.0, &mut workspace);
    assert_eq!(roots, [Root { at: 0.0, crossing: Crossing::Touching }, Root { at: 0.25, crossing: Crossing::Rising }]);
    assert!(real_roots(&[f64::NAN, 1.0, f64::INFINITY], 0.0, 1.0, 0.0, &mut workspace).len() <= 1);
    assert_eq!(first_descent(&[f64::NAN, 1.0, -1.0], 1.0, 0, &mut workspace).root, None);
}

#[test]
fn roots_on_dividing_points_and_ends_are_found_once() {
    let mut workspace = workspace();
    for known in [&[0.5][..], &[0.0, 0.5, 1.0], &[0.25, 0.5, 0.75], &[0.0, 1.0], &[0.0, 0.125, 0.25, 0.5, 1.0]] {
        let roots = real_roots(&from_roots(3.0, known), 0.0, 1.0, 0.0, &mut workspace);
        assert_eq!(roots.len(), known.len(), "{roots:?} against {known:?}");
        for (root, known) in roots.iter().zip(known) {
            assert!((root.at - known).abs() <= f64::EPSILON, "{root:?} against {known}");
        }
    }
    let roots = real_roots(&from_roots(1.0, &[-2.0, -0.5, 0.1, 3.0]), -2.0, 3.0, 0.0, &mut workspace);
    for (root, known) in roots.iter().zip([-2.0, -0.5, 0.1, 3.0]) {
        assert!((root.at - known).abs() < 1e-14, "{root:?} against {known}");
    }
    assert_eq!(roots.len(), 4);
}

#[test]
fn multiple_roots_end_and_touch() {
    let mut workspace = workspace();
    for at in [0.3, 0.5, 0.77] {
        let double = real_roots(&from_roots(1.0, &[at, at, 2.0]), 0.0, 1.0, 0.0, &mut workspace).to_vec();
        // Rounding of the coefficients may part the two by the square root of its size.
        assert!(matches!(double.len(), 1 | 2), "double root at {at}: {double:?}");
        assert!(double.iter().all(|root| (root.at - at).abs() < 1e-7), "double root at {at}: {double:?}");
        let triple = real_roots(&from_roots(1.0, &[at, at, at]), 0.0, 1.0, 0.0, &mut workspace);
        assert!(triple.len() % 2 == 1, "triple root at {at}: {triple:?}");
        assert!(triple.iter().all(|root| (root.at - at).abs() < 1e-4), "triple root at {at}: {triple:?}");
    }
    // Exactly representable, so exactly decided.
    let double = real_roots(&[0.25, -1.0, 1.0], 0.0, 1.0, 0.0, &mut workspace);
    assert_eq!(double, [Root { at: 0.5, crossing: Crossing::Touching }]);
    let double = real_roots(&[0.140625, -0.75, 1.0], 0.0, 1.0, 0.0, &mut workspace);
    assert_eq!(double, [Root { at: 0.375, crossing: Crossing::Touching }]);
    // A wide floor ends the search early: one candidate for two roots 2e-4 apart.
    let coarse = from_roots(1.0, &[0.3, 0.3002]);
    assert_eq!(real_roots(&coarse, 0.0, 1.0, 1e-6, &mut workspace).len(), 2);
    assert!(real_roots(&from_roots(1.0, &[0.3, 0.3]), 0.0, 1.0, 1e-6, &mut workspace).len() <= 2);
}

#[test]
fn close_pairs_are_told_apart_as_far_as_coefficients_allow() {
    let mut workspace = workspace();
    // Dyadic roots, so that the coefficients hold the pair exactly.
    let gap = 2f64.powi(-24);
    let c = from_roots(1.0, &[0.5, 0.5 + gap]);
    let roots = real_roots(&c, 0.0, 1.0, 0.0, &mut workspace);
    assert_eq!(roots.len(), 2);
    for (root, known) in roots.iter().zip([0.5, 0.5 + gap]) {
        assert!((root.at - known).abs() < 0.1 * rounding_of_root(&c, known), "{root:?} against {known}");
    }
    for gap in [1e-7, 1e-12] {
        let c = from_roots(2.0, &[0.3, 0.3 + gap, 1.7, -0.4]);
        let roots = real_roots(&c, 0.0, 1.0, 0.0, &mut workspace);
        assert!(matches!(roots.len(), 1 | 2), "gap {gap}: {roots:?}");
        assert!(roots.iter().all(|root| (root.at - 0.3).abs() < 2e-7), "gap {gap}: {roots:?}");
    }
}

#[test]
fn coefficients_from_tiny_to_huge() {
    let mut workspace = workspace();
    // c₀ = 1e-300 and c₄ = 1e300 with h = 1e-140: p(h u) = 1e-300 - ... has moderate size only after scaling.
    let root = 0.37e-100;
    let c = [-1e-300 * 0.37, 1e-200, 0.0, 1e-300];
    let roots = real_roots(&c, 0.0, 1e-100, 0.0, &mut workspace);
    assert_eq!(roots.len(), 1);
    assert!((roots[0].at / root - 1.0).abs() < 1e-15, "{roots:?}");
    let c = [1e300, -4e300, 3e300];
    let descent = first_descent(&c, 0.5, 0, &mut workspace);
    assert!((descent.root.unwrap() - 1.0 / 3.0).abs() < 1e-16);
    let c = [1e-300, -4e-280, 3e-300];
    let descent = first_descent(&c, 1e-19, 0, &mut workspace);
    assert!((descent.root.unwrap() / 2.5e-21 - 1.0).abs() < 1e-15);
    let c: Vec<f64> = from_roots(1.0, &[0.25, 0.5]).iter().zip([1.0, 1e-150, 1e-300]).map(|(c, p)| c * p).collect();
    let roots = real_roots(&c, 0.0, 1e150, 0.0, &mut workspace);
    assert_eq!(roots.len(), 2);
    assert!((roots[1].at / 0.5e150 - 1.0).abs() < 1e-14);
}

#[test]
fn sign_changes_continue_over_intervals() {
    let mut workspace = workspace();
    // A root exactly between two intervals is reported once, by the second.
    let first = sign_changes(&[-1.0, 2.0], 0.5, -1.0, &mut workspace);
    assert_eq!((first.roots.len(), first.after), (0, -1.0));
    let second = sign_changes(&[0.0, 2.0], 0.5, -1.0, &mut workspace);
    assert_eq!(second.roots, [Root { at: 0.0, crossing: Crossing::Rising }]);
    assert_eq!(second.after, 1.0);
    // Rounding has carried the value past zero between the intervals.
    let third = sign_changes(&[-1e-18, -1.0], 0.5, 1.0, &mut workspace);
    assert_eq!(third.roots, [Root { at: 0.0, crossing: Crossing::Falling }]);
    // On the section with the sign before unknown: no change at the start.
    let fourth = sign_changes(&[0.0, -1.0, 2.0], 1.0, 0.0, &mut workspace);
    assert_eq!(fourth.roots, [Root { at: 0.5, crossing: Crossing::Rising }]);
    // A touch is no change of sign.
    let fifth = sign_changes(&[0.25, -1.0, 1.0], 1.0, 1.0, &mut workspace);
    assert_eq!((fifth.roots.len(), fifth.after), (0, 1.0));
}

/// Every sign change among dense samples in thirty digits, as intervals.
fn sampled_changes(c: &[f64], h: f64, samples: usize) -> Vec<(f64, f64, Crossing)> {
    let at = |i: usize| h * i as f64 / samples as f64;
    let value = |i: usize| evaluate(c, DoubleDouble::from_f64(at(i))).hi;
    (0..samples)
        .filter(|&i| value(i) * value(i + 1) < 0.0)
        .map(|i| (at(i), at(i + 1), if value(i) < 0.0 { Crossing::Rising } else { Crossing::Falling }))
        .collect()
}

proptest! {

    #[test]
    fn horner_agrees_with_thirty_digits(c in prop::collection::vec(-1.0..1.0f64, 0..32), s in -1.5..1.5f64) {
        let (value, derivative) = evaluate_with_derivative(&c, s);
        let (exact_value, exact_derivative) = evaluate_with_derivative(&c, DoubleDouble::from_f64(s));
        let terms = c.iter().rev().fold(0.0, |sum, c| sum * s.abs() + c.abs());
        prop_assert!((value - exact_value.hi).abs() <= 1e-14 * terms);
        prop_assert_eq!(value, evaluate(&c, s));
        let mut slope = Vec::new();
        differentiate(&c, &mut slope);
        let slope_terms = slope.iter().rev().fold(0.0, |sum, c| sum * s.abs() + c.abs());
        prop_assert!((evaluate(&slope, s) - exact_derivative.hi).abs() <= 1e-14 * slope_terms);
        prop_assert!((derivative - exact_derivative.hi).abs() <= 1e-14 * slope_terms);
    }

    #[test]
    fn bernstein_coefficients_enclose_and_end_at_the_values(c in prop::collection::vec(-1.0..1.0f64, 1..32), u in 0.0..1.0f64) {
        let mut row = c.clone();
        to_bernstein(&mut row);
        let (least, most) = row.iter().fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
        let value = evaluate(&c, u);
        prop_assert!(least - 1e-13 <= value && value <= most + 1e-13);
        prop_assert_eq!(row[0], c[0]);
        prop_assert!((row[c.len() - 1] - evaluate(&c, 1.0)).abs() < 1e-13);
    }

    #[test]
    fn separated_roots_come_back(
        steps in prop::collection::vec(0.02..0.3f64, 1..9),
        outside in prop::collection::vec(1.3..3.0f64, 0..4),
        start in -0.5..0.1f64,
        leading in prop_oneof![-5.0..-0.1f64, 0.1..5.0f64],
    ) {
        let known: Vec<f64> = steps.iter().scan(start, |at, step| { *at += step; Some(*at) }).collect();
        let all: Vec<f64> = known.iter().chain(&outside).copied().collect();
        let c = from_roots(leading, &all);
        let tolerance = |root: f64| rounding_of_root(&c, root);
        // Leave out the cases whose coefficients do not hold the roots apart.
        let condition = known.iter().map(|&root| tolerance(root)).fold(0.0, f64::max);
        prop_assume!(condition < 1e-3);
        let mut workspace = workspace();
        let inside: Vec<f64> = known.iter().copied().filter(|&r| r > 0.0 && r < 1.0).collect();
        prop_assume!(known.iter().all(|&r| r.abs() > 2.0 * condition && (r - 1.0).abs() > 2.0 * condition));
        let found = real_roots(&c, 0.0, 1.0, 0.0, &mut workspace).to_vec();
        prop_assert_eq!(found.len(), inside.len(), "{:?} against {:?}", found, inside);
        for (found, &known) in found.iter().zip(&inside) {
            prop_assert!((found.at - known).abs() <= tolerance(known), "{} against {}", found.at, known);
        }
        let before = -evaluate(&c, 0.0).signum() * -1.0;
        let changes = sign_changes(&c, 1.0, before, &mut workspace);
        prop_assert_eq!(changes.roots, &found[..]);
        prop_assert_eq!(changes.after, evaluate(&c, 1.0).signum());
    }

    /// Whatever samples see, the search has seen: the same changes of sign in the same places, plus pairs between samples.
    #[test]
    fn nothing_that_dense_samples_see_is_missed(
        c in prop::collection::vec(-1.0..1.0f64, 2..24),
        growth in 0.3..4.0f64,
        h in 0.05..20.0f64,
    ) {
        let c: Vec<f64> = c.iter().enumerate().map(|(k, c)| c * (growth / h).powi(k as i32)).collect();
        let mut workspace = workspace();
        let found = sign_changes(&c, h, c[0], &mut workspace).roots.to_vec();
        let mut crossing = found.iter();
        for (from, to, direction) in sampled_changes(&c, h, 2000) {
            let slack = 1e-12 * h;
            prop_assert!(
                crossing.any(|root| root.crossing == direction && root.at >= from - slack && root.at <= to + slack),
                "{direction:?} in {from}..{to} is not in {found:?}"
            );
        }
        for root in &found {
            let value = evaluate(&c, DoubleDouble::from_f64(root.at)).hi;
            let terms = c.iter().rev().fold(0.0, |sum, c| sum * root.at + c.abs());
            prop_assert!(value.abs() <= 1e-13 * terms, "{root:?} has value {value}");
        }
        // The two searches agree on the first fall.
        if c[0] > 0.0 {
            let fall = found.iter().find(|root| root.crossing == Crossing::Falling).map(|root| root.at);
            let descent = first_descent(&c, h, 0, &mut workspace);
            match (fall, descent.root) {
                (Some(fall), Some(root)) => {
                    prop_assert!((fall - root).abs() <= 1e-9 * h, "{fall} against {root}");
                }
                (None, None) => {}
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
