use super::*;
use crate::{Search, Single};

fn chain() -> LinearModes {
    let (mut mass, mut stiffness) = (vec![], vec![]);
    for i in 0..5 {
        mass.push((i, i, 0.2));
        stiffness.push((i, i, if i < 4 { 10.0 } else { 5.0 }));
        if i < 4 {
            stiffness.extend([(i, i + 1, -5.0), (i + 1, i, -5.0)]);
        }
    }
    LinearModes::new(5, &mass, &stiffness, &[0.0, 0.0, 0.0, 0.0, -1.0], 1.0).unwrap()
}

fn motions(modes: &LinearModes, impacts: usize, count: usize) -> Vec<Motion> {
    let search = Search { impacts, periods: (1.0, 7.0), starts: 400, seed: 5, ..Search::default() };
    search.run(modes, |_, _| true).motions.into_iter().take(count).collect()
}

#[test]
fn multipliers_come_in_pairs_and_their_product_is_one() {
    let modes = chain();
    for impacts in 1..=5 {
        for motion in motions(&modes, impacts, 20) {
            let stable = stability(&modes, &motion).unwrap();
            assert_eq!(stable.multipliers.len(), 8);
            // μ and 1/μ are eigenvalues of one matrix with errors of some ε |μ_max|.
            let largest = stable.spectral_radius;
            assert!(stable.pairing < 1e-12 * largest * largest + 1e-6, "{stable:?}");
            let product = stable.multipliers.iter().fold(Complex { re: 1.0, im: 0.0 }, |a, b| Complex {
                re: a.re * b.re - a.im * b.im,
                im: a.re * b.im + a.im * b.re,
            });
            assert!((product.re - 1.0).hypot(product.im) < 1e-10 * largest * largest, "{product:?} {largest}");
        }
    }
}

/// z = (ω η, dη/dt) after all impacts of a period, each found as the root of the gap near the known flight.
fn returned(modes: &LinearModes, motion: &Motion, start: &[f64]) -> Vec<f64> {
    let m = modes.len();
    let mut z = start.to_vec();
    for sigma in motion.flight_times() {
        let mut t = sigma;
        for _ in 0..20 {
            let (mut gap, mut speed) = (modes.gap() / modes.root_mobility(), 0.0);
            for p in 0..m {
                let (w, q) = (modes.frequencies()[p], modes.shares()[p]);
                gap += q / w * (z[p] * (w * t).cos() + z[m + p] * (w * t).sin());
                speed += q * (z[m + p] * (w * t).cos() - z[p] * (w * t).sin());
            }
            t -= gap / speed;
        }
        let mut speed = 0.0;
        for p in 0..m {
            let w = modes.frequencies()[p];
            let (position, velocity) = (z[p], z[m + p]);
            z[p] = position * (w * t).cos() + velocity * (w * t).sin();
            z[m + p] = velocity * (w * t).cos() - position * (w * t).sin();
            speed += modes.shares()[p] * z[m + p];
        }
        for p in 0..m {
            z[m + p] -= 2.0 * modes.shares()[p] * speed;
        }
    }
    z
}

#[test]
fn multipliers_are_those_of_the_nonlinear_return_map() {
    let modes = chain();
    let mut all: Vec<Motion> = (1..=3).flat_map(|k| motions(&modes, k, 8)).collect();
    all.extend([3.8, 4.1, 4.2].map(|period| Single::new(&modes, period).motion(&modes)));
    assert!((1..=3).all(|k| all.iter().any(|m| m.impacts() == k)));
    for motion in all {
        let stable = stability(&modes, &motion).unwrap();
        let amplitudes = &motion.amplitudes;
        let start: Vec<f64> = amplitudes.iter().map(|c| c[0]).chain(amplitudes.iter().map(|c| c[1])).collect();
        let n = start.len();
        let size = start.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        let step = 1e-5 * size * (motion.lambda.iter().fold(f64::INFINITY, |s: f64, l| s.min(*l)) / size).min(1.0);
        let mut derivative = Matrix::zeros(n, n);
        for j in 0..n {
            let at = |h: f64| {
                let mut moved = start.clone();
                moved[j] += h;
                returned(&modes, &motion, &moved)
            };
            let (a, b, c, d) = (at(-2.0 * step), at(-step), at(step), at(2.0 * step));
            (0..n).for_each(|i| derivative[(i, j)] = (a[i] - d[i] + 8.0 * (c[i] - b[i])) / (12.0 * step));
        }
        // A shift of the start along the motion changes nothing, and the energy is kept: a simple 0 and a simple 1
        // more.
        let mut own = derivative.eigenvalues().unwrap();
        for extra in [0.0, 1.0] {
            let distance = |z: &Complex| (z.re - extra).hypot(z.im);
            let nearest = (0..own.len()).min_by(|&i, &j| distance(&own[i]).total_cmp(&distance(&own[j]))).unwrap();
            assert!(distance(&own.swap_remove(nearest)) < 1e-5 * stable.spectral_radius.max(1.0));
        }
        // Coefficients of the characteristic polynomials stay accurate where two multipliers coincide.
        let coefficients = |roots: &[Complex]| -> Vec<f64> {
            let mut list = vec![Complex { re: 1.0, im: 0.0 }];
            for root in roots {
                list.push(Complex { re: 0.0, im: 0.0 });
                for i in (1..list.len()).rev() {
                    let before = list[i - 1];
                    list[i].re -= before.re * root.re - before.im * root.im;
                    list[i].im -= before.re * root.im + before.im * root.re;
                }
            }
            list.iter().map(|c| c.re).collect()
        };
        let (ours, theirs) = (coefficients(&stable.multipliers), coefficients(&own));
        let largest = ours.iter().fold(1.0_f64, |s, c| s.max(c.abs()));
        for (a, b) in ours.iter().zip(&theirs) {
            assert!(
                (a - b).abs() < 1e-6 * largest,
                "k = {}, T = {}: {ours:?} {theirs:?}",
                motion.impacts(),
                motion.period()
            );
        }
    }
}
