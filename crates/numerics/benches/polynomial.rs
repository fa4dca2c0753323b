//! Time of the event search on one step.
//!
//! The polynomials are Taylor expansions of a gap at a step as long as the integrator takes: the last terms have the
//! size of rounding.

use divan::{Bencher, black_box};
use saltation_numerics::number::Number;
use saltation_numerics::polynomial::{
    Workspace, evaluate, evaluate_with_derivative, first_descent, sign_changes, to_bernstein,
};

fn main() {
    divan::main();
}

const DEGREES: [usize; 3] = [8, 14, 20];

/// The Taylor coefficients of offset + slope s + cos(frequency s + phase), with the step at which the last term is 1e-16.
fn gap(degree: usize, offset: f64, slope: f64, phase: f64) -> (Vec<f64>, f64) {
    let mut factor = 1.0;
    let mut c = Vec::new();
    for k in 0..=degree {
        c.push(factor * (phase + k as f64 * std::f64::consts::FRAC_PI_2).cos());
        factor /= k as f64 + 1.0;
    }
    let h = (1e-16 / factor).powf(1.0 / (degree as f64 + 1.0));
    c[0] += offset;
    c[1] += slope / h;
    (c, h)
}

/// Falls or rises all the way and stays away from zero.
#[divan::bench(args = DEGREES)]
fn descent_none_monotone(bencher: Bencher, degree: usize) {
    let (c, h) = gap(degree, 9.0, -3.0, 1.0);
    let mut workspace = Workspace::new();
    assert!(first_descent(&c, h, 0, &mut workspace).root.is_none());
    bencher.bench_local(|| first_descent(black_box(&c), h, 0, &mut workspace).root);
}

/// Has a maximum and stays away from zero.
#[divan::bench(args = DEGREES)]
fn descent_none_with_maximum(bencher: Bencher, degree: usize) {
    let (c, h) = gap(degree, 9.0, 0.0, -0.1);
    let mut workspace = Workspace::new();
    assert!(first_descent(&c, h, 0, &mut workspace).root.is_none());
    bencher.bench_local(|| first_descent(black_box(&c), h, 0, &mut workspace).root);
}

/// Has a minimum away from zero, which is located and reported.
#[divan::bench(args = DEGREES)]
fn descent_none_with_minimum(bencher: Bencher, degree: usize) {
    let (c, h) = gap(degree, 9.0, 0.0, 3.1);
    let mut workspace = Workspace::new();
    assert_eq!(first_descent(&c, h, 0, &mut workspace).minima.len(), 1);
    bencher.bench_local(|| first_descent(black_box(&c), h, 0, &mut workspace).minima.len());
}

/// Falls through zero in the middle of the step.
#[divan::bench(args = DEGREES)]
fn descent_root(bencher: Bencher, degree: usize) {
    let (c, h) = gap(degree, 1.0, -3.0, 1.0);
    let mut workspace = Workspace::new();
    assert!(first_descent(&c, h, 0, &mut workspace).root.is_some());
    bencher.bench_local(|| first_descent(black_box(&c), h, 0, &mut workspace).root);
}

/// Leaves the surface and returns within the step.
#[divan::bench(args = DEGREES)]
fn descent_root_after_impact(bencher: Bencher, degree: usize) {
    let (mut c, h) = gap(degree, 0.0, 0.0, -0.02);
    c[0] = 0.0;
    let mut workspace = Workspace::new();
    assert!(first_descent(&c, h, 1, &mut workspace).root.is_some());
    bencher.bench_local(|| first_descent(black_box(&c), h, 1, &mut workspace).root);
}

/// Dips to 1e-12 below zero.
#[divan::bench(args = DEGREES)]
fn descent_graze(bencher: Bencher, degree: usize) {
    let (c, h) = gap(degree, 1.0 - 1e-12, 0.0, 3.1);
    let mut workspace = Workspace::new();
    assert!(first_descent(&c, h, 0, &mut workspace).dip.is_some());
    bencher.bench_local(|| first_descent(black_box(&c), h, 0, &mut workspace).root);
}

/// A section crossed once.
#[divan::bench(args = DEGREES)]
fn section_crossed(bencher: Bencher, degree: usize) {
    let (c, h) = gap(degree, 1.0, -3.0, 1.0);
    let mut workspace = Workspace::new();
    assert_eq!(sign_changes(&c, h, 1.0, &mut workspace).roots.len(), 1);
    bencher.bench_local(|| sign_changes(black_box(&c), h, 1.0, &mut workspace).roots.len());
}

/// A section not crossed.
#[divan::bench(args = DEGREES)]
fn section_not_crossed(bencher: Bencher, degree: usize) {
    let (c, h) = gap(degree, 4.0, -3.0, 1.0);
    let mut workspace = Workspace::new();
    assert!(sign_changes(&c, h, 1.0, &mut workspace).roots.is_empty());
    bencher.bench_local(|| sign_changes(black_box(&c), h, 1.0, &mut workspace).roots.len());
}

#[divan::bench(args = DEGREES)]
fn horner(bencher: Bencher, degree: usize) {
    let (c, h) = gap(degree, 1.0, -3.0, 1.0);
    bencher.bench_local(|| evaluate(black_box(&c), black_box(h)));
}

#[divan::bench(args = DEGREES)]
fn horner_with_derivative(bencher: Bencher, degree: usize) {
    let (c, h) = gap(degree, 1.0, -3.0, 1.0);
    bencher.bench_local(|| evaluate_with_derivative(black_box(&c), black_box(h)));
}

#[divan::bench(args = DEGREES)]
fn bernstein(bencher: Bencher, degree: usize) {
    let (c, _) = gap(degree, 1.0, -3.0, 1.0);
    let mut row = c.clone();
    bencher.bench_local(|| {
        row.copy_from_slice(black_box(&c));
        to_bernstein(&mut row);
        row[degree]
    });
}

/// All products of two series up to 24 terms: one dot product per coefficient.
#[divan::bench]
fn series_product(bencher: Bencher) {
    let (a, _) = gap(23, 0.0, 0.0, 0.3);
    let (b, _) = gap(23, 0.0, 0.0, 0.7);
    let mut product = [0.0; 24];
    bencher.bench_local(|| {
        let (a, b) = (black_box(&a), black_box(&b));
        for (k, c) in product.iter_mut().enumerate() {
            *c = f64::dot(&a[..=k], &b[..=k]);
        }
        product[23]
    });
}
