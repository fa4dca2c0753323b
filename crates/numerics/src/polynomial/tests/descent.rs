use proptest::prelude::*;

use super::{from_roots, workspace};
use crate::exact::DoubleDouble;
use crate::polynomial::{Minimum, evaluate, first_descent};

#[test]
fn a_graze_is_decided_by_the_sign_of_its_minimum() {
    let mut workspace = workspace();
    // 2 (s - 3/8)² + d: exact in the coefficients up to the rounding of d against 9/32.
    for (h, degree) in [(1.0, 3), (0.75, 3), (1.0, 12)] {
        for depth in [1e-7, 1e-12, 1e-15] {
            for d in [depth, -depth] {
                let mut c = vec![0.0; degree];
                (c[0], c[1], c[2]) = (2.0 * 0.140625 + d, -1.5, 2.0);
                let exact_d = c[0] - 2.0 * 0.140625;
                let descent = first_descent(&c, h, 0, &mut workspace);
                if d > 0.0 {
                    assert_eq!((descent.root, descent.dip), (None, None), "d = {d}");
                    assert_eq!(descent.minima.len(), 1);
                    assert!((descent.minima[0].value / exact_d - 1.0).abs() < 1e-9, "{:?}, d = {d}", descent);
                    assert!((descent.minima[0].at - 0.375).abs() < 1e-15);
                } else {
                    assert!(descent.minima.is_empty());
                    let dip = descent.dip.expect("a dip below zero turns inside the interval");
                    assert!((dip.value / exact_d - 1.0).abs() < 1e-9, "{dip:?}, d = {d}");
                    let expected = 0.375 - (-exact_d / 2.0).sqrt();
                    let root = descent.root.expect("a dip below zero has a root");
                    assert!(
                        (root - expected).abs() < 1e-16 / depth.sqrt().max(1e-1),
                        "{root} against {expected}, d = {d}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_touch_at_exactly_zero_is_a_root() {
    let descent_root = first_descent(&[0.140625, -0.75, 1.0], 1.0, 0, &mut workspace()).root;
    assert_eq!(descent_root, Some(0.375));
}

#[test]
fn departures_divide_out() {
    let mut workspace = workspace();
    for vanishing in 1..=3usize {
        for h in [1.0, 0.01, 30.0] {
            for fraction in [1e-12, 1e-5, 0.3, 0.999] {
                // g = s^vanishing (root - s)(2 + s/h)(3 - s/h), positive until the root.
                let root = fraction * h;
                let quotient = from_roots(1.0 / (h * h), &[root, -2.0 * h, 3.0 * h]);
                let mut c = vec![0.0; vanishing];
                c.extend(&quotient);
                let descent = first_descent(&c, h, vanishing, &mut workspace);
                let found = descent.root.expect("the only root");
                assert!((found / root - 1.0).abs() < 4e-15, "vanishing {vanishing}, h {h}: {found} against {root}");
                assert!(descent.minima.is_empty());
            }
        }
    }
}

#[test]
fn starts_that_are_not_positive() {
    let mut workspace = workspace();
    let mut root = |c: &[f64], h: f64, vanishing: usize| first_descent(c, h, vanishing, &mut workspace).root;
    assert_eq!(root(&[-1.0, -1.0], 1.0, 0), Some(0.0), "below and falling");
    assert_eq!(root(&[0.0, -1.0], 1.0, 0), Some(0.0), "at zero and falling");
    assert_eq!(root(&[0.0, 0.0, -1.0], 1.0, 2), Some(0.0), "released inwards");
    assert_eq!(root(&[-1.0, 2.0], 1.0, 0), None, "below and rising through zero");
    assert_eq!(root(&[-3.0, 16.0, -16.0], 1.0, 0), Some(0.75), "rises at 1/4, falls at 3/4");
    assert_eq!(root(&[-5.0, 16.0, -16.0], 1.0, 0), Some(0.5), "turns down at 1/2 before it becomes positive");
    assert_eq!(root(&[-5.0, 16.0, -16.0], 0.4, 0), None, "not yet turned");
    assert_eq!(root(&[0.0, 1.0], 1.0, 0), None);
    assert_eq!(root(&[1.0, -1.0], 1.0, 0), Some(1.0), "the end belongs to the interval");
    assert_eq!(root(&[1.0, -1.0], 0.99, 0), None);
    assert_eq!(root(&[-1.0], 1.0, 0), None, "a constant does not fall");
}

#[test]
fn the_dip_of_a_root_at_the_start() {
    let mut workspace = workspace();
    let descent = first_descent(&[0.0, -1.0, 1.0], 1.0, 0, &mut workspace);
    assert_eq!((descent.root, descent.dip), (Some(0.0), Some(Minimum { at: 0.5, value: -0.25 })));
}

proptest! {
    /// Every minimum among dense samples before the first fall is reported.
    #[test]
    fn minima_agree_with_dense_samples(c in prop::collection::vec(-1.0..1.0f64, 3..16), vanishing in 0..4usize, growth in 1.0..4.0f64) {
        let mut c: Vec<f64> = c.iter().enumerate().map(|(k, c)| c * growth.powi(k as i32)).collect();
        c[0] = c[0].abs() + 0.01;
        c.splice(0..0, core::iter::repeat_n(0.0, vanishing));
        let mut workspace = workspace();
        let descent = first_descent(&c, 1.0, vanishing, &mut workspace);
        let samples = 3000;
        let value = |i: usize| evaluate(&c, DoubleDouble::from(i as f64 / samples as f64)).hi;
        let values: Vec<f64> = (0..=samples).map(value).collect();
        let end = values.iter().skip(1).position(|&v| v <= 0.0).map_or(samples, |i| i + 1);
        // A fall that samples see is found; one that is found is true, be it between two samples.
        if end < samples || values[samples] <= 0.0 {
            prop_assert!(descent.root.is_some_and(|root| root <= end as f64 / samples as f64), "{descent:?}");
        }
        if descent.root.is_some() {
            let lowest = descent.dip.map_or(1.0, |dip| dip.at);
            prop_assert!(evaluate(&c, DoubleDouble::from(lowest)).hi <= 0.0, "{descent:?}");
        }
        for i in 1..end {
            if values[i] < values[i - 1] && values[i] < values[i + 1] && descent.root.is_none() {
                let near = descent.minima.iter().any(|m| (m.at * samples as f64 - i as f64).abs() <= 1.0 + 1e-6);
                prop_assert!(near, "minimum near {} not in {:?}", i as f64 / samples as f64, descent.minima);
            }
        }
        for minimum in descent.minima {
            let exact = evaluate(&c, DoubleDouble::from(minimum.at)).hi;
            prop_assert!((minimum.value - exact).abs() <= 1e-5 * exact.abs(), "{minimum:?} has value {exact}");
            prop_assert!(minimum.value > 0.0);
        }
    }
}
