//! Equivalence of impact sequences under shifts of time, and their symmetry under time reversal.
//!
//! A motion is determined by its flights σ_1 .. σ_k and impacts λ_1 .. λ_k, impact j ending flight j. Beginning with
//! another impact rotates the sequence, time reversal reverses it, and a sequence that repeats itself within k is
//! a motion with fewer impacts.

use crate::Motion;

/// A time-reversal symmetry: the flights are the same for n -> a - n, so that the motion is the same for t -> 2 axis - t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mirror {
    /// a, between 1 and k: flight n has the duration of flight a - n (modulo k).
    pub sum: usize,
    /// The two axes in [0, T).
    pub axes: [f64; 2],
}

fn close(a: f64, b: f64, size: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * size
}

fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |largest, x| largest.max(x.abs()))
}

/// The number of impacts after which the sequence repeats itself, k if it does not before, to a relative tolerance.
pub fn repeats_after(motion: &Motion, tolerance: f64) -> usize {
    let (sigma, lambda) = (motion.flight_times(), &motion.lambda);
    let k = sigma.len();
    let (longest, strongest) = (largest(&sigma), largest(lambda));
    let repeats = |d: &usize| {
        k.is_multiple_of(*d)
            && (0..k).all(|i| {
                let j = (i + d) % k;
                close(sigma[i], sigma[j], longest, tolerance) && close(lambda[i], lambda[j], strongest, tolerance)
            })
    };
    (1..k).find(repeats).unwrap_or(k)
}

/// Whether two motions are equal up to the first impact and the direction of time.
///
/// ```
/// use saltation_modes::{Motion, sequence};
/// let motion = |times: [f64; 3], lambda: [f64; 3]| Motion {
///     impact_times: times.to_vec(),
///     lambda: lambda.to_vec(),
///     amplitudes: vec![],
/// };
/// // Flights 1, 2, 4 after each other, and backward from another impact.
/// let (a, b) = (motion([1.0, 3.0, 7.0], [0.1, 0.2, 0.3]), motion([2.0, 3.0, 7.0], [0.1, 0.3, 0.2]));
/// assert!(sequence::same(&a, &b, 1e-9));
/// ```
pub fn same(a: &Motion, b: &Motion, tolerance: f64) -> bool {
    let (sigma, other) = (a.flight_times(), b.flight_times());
    let k = sigma.len();
    if other.len() != k || !close(a.period(), b.period(), a.period(), tolerance) {
        return false;
    }
    let (longest, strongest) = (largest(&sigma), largest(&a.lambda));
    let fits = |flight: &dyn Fn(usize) -> usize, impact: &dyn Fn(usize) -> usize| {
        (0..k).all(|i| {
            close(sigma[i], other[flight(i)], longest, tolerance)
                && close(a.lambda[i], b.lambda[impact(i)], strongest, tolerance)
        })
    };
    // Backward, flight i stands between impacts i and i - 1, which then ends it.
    (0..k).any(|r| {
        fits(&|i| (i + r) % k, &|i| (i + r) % k) || fits(&|i| (2 * k + r - i) % k, &|i| (3 * k + r - i - 1) % k)
    })
}

/// The time-reversal symmetry of the motion, if there is one. A motion with impacts equally far apart has
/// several; the first is returned.
pub fn mirror(motion: &Motion, tolerance: f64) -> Option<Mirror> {
    let (sigma, lambda, times) = (motion.flight_times(), &motion.lambda, &motion.impact_times);
    let k = sigma.len();
    let (longest, strongest) = (largest(&sigma), largest(lambda));
    // Flights and impacts from 1 modulo k, as in a - n and a - 1 - n.
    let index = |n: usize| (n + 2 * k - 1) % k;
    let holds = |a: &usize| {
        (1..=k).all(|n| {
            close(sigma[index(n)], sigma[index(a + k - n)], longest, tolerance)
                && close(lambda[index(n)], lambda[index(a + 2 * k - 1 - n)], strongest, tolerance)
        })
    };
    let a = (1..=k).find(holds)?;
    let period = motion.period();
    let axis = if a == 1 { 0.0 } else { 0.5 * times[a - 2] };
    let mut axes = [axis, (axis + 0.5 * period).rem_euclid(period)];
    axes.sort_by(f64::total_cmp);
    Some(Mirror { sum: a, axes })
}

/// The distance of a motion from time-reversal symmetry: the largest difference of flight times as a part of the period.
pub fn asymmetry(motion: &Motion) -> f64 {
    let sigma = motion.flight_times();
    let k = sigma.len();
    let index = |n: usize| (n + 2 * k - 1) % k;
    let distance = |a: usize| {
        (1..=k).map(|n| (sigma[index(n)] - sigma[index(a + k - n)]).abs()).fold(0.0, f64::max) / motion.period()
    };
    (1..=k).map(distance).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(sigma: &[f64], lambda: &[f64]) -> Motion {
        let mut time = 0.0;
        let impact_times = sigma
            .iter()
            .map(|s| {
                time += s;
                time
            })
            .collect();
        Motion { impact_times, lambda: lambda.to_vec(), amplitudes: vec![] }
    }

    #[test]
    fn the_sequence_of_the_paper_is_its_own_mirror_image() {
        // c, b, a, b, c, d, d is the same for n -> 6 - n, with the axes (t_2 + t_3)/2 and t_6 (Corollary 6.2,
        // corrected).
        let (a, b, c, d) = (0.5, 0.7, 1.1, 1.3);
        let symmetric = motion(&[c, b, a, b, c, d, d], &[3.0, 2.0, 2.0, 3.0, 4.0, 5.0, 4.0]);
        let mirror = mirror(&symmetric, 1e-12).unwrap();
        assert_eq!(mirror.sum, 6);
        let axes = [c + b + 0.5 * a, c + b + a + b + c + d];
        assert!(mirror.axes.iter().zip(axes).all(|(found, axis)| (found - axis).abs() < 1e-14), "{mirror:?}");
        assert!(asymmetry(&symmetric) < 1e-15);
        // Impacts count too: in a continuum with constant times they differ.
        assert_eq!(super::mirror(&motion(&[c, b], &[1.0, 2.0]), 1e-9), None);
    }

    #[test]
    fn axes_are_those_of_the_impacts_for_every_parity() {
        // The distances of impacts from an axis come in pairs.
        for sigma in
            [vec![1.0], vec![1.0, 2.0], vec![1.0, 1.0, 3.0], vec![1.0, 2.0, 1.0, 5.0], vec![2.0, 1.0, 1.0, 2.0]]
        {
            let k = sigma.len();
            let motion = motion(&sigma, &vec![1.0; k]);
            let mirror = mirror(&motion, 1e-12).unwrap();
            for axis in mirror.axes {
                for t in &motion.impact_times {
                    let image = (2.0 * axis - t).rem_euclid(motion.period());
                    let near = |s: &f64| {
                        let d = (s - image).abs();
                        d.min((motion.period() - d).abs()) < 1e-12
                    };
                    assert!(motion.impact_times.iter().any(near), "{sigma:?} {mirror:?} {t}");
                }
            }
        }
    }

    #[test]
    fn copies_are_seen() {
        assert_eq!(repeats_after(&motion(&[1.0, 2.0, 1.0, 2.0], &[3.0, 4.0, 3.0, 4.0]), 1e-9), 2);
        // A bridge between families: the times of one impact per period, but two different impacts.
        assert_eq!(repeats_after(&motion(&[1.0, 1.0], &[3.0, 4.0]), 1e-9), 2);
        assert_eq!(repeats_after(&motion(&[1.0, 1.0], &[3.0, 3.0]), 1e-9), 1);
    }

    #[test]
    fn other_sequences_are_other_motions() {
        let a = motion(&[1.0, 2.0, 4.0], &[1.0, 2.0, 3.0]);
        assert!(same(&a, &motion(&[2.0, 4.0, 1.0], &[2.0, 3.0, 1.0]), 1e-9));
        assert!(!same(&a, &motion(&[2.0, 4.0, 1.0], &[2.0, 1.0, 3.0]), 1e-9));
        assert!(!same(&a, &motion(&[1.0, 2.0, 5.0], &[1.0, 2.0, 3.0]), 1e-9));
    }
}
