//! Nonsmooth modes with one and two impacts per period against reference numbers, closed forms and enumeration.
//!
//! T is A. Thorin, P. Delezoide and M. Legrand, Non-smooth modal analysis of piecewise-linear impact oscillators, SIAM J. Appl. Dyn.
//! Syst. 16 (2017) 1710-1747. Numbers of its chain (Section 7: five masses 1/5 between springs of stiffness 5, d = 1) were computed again.
#![allow(clippy::excessive_precision)] // references keep the digits they were computed with

use std::f64::consts::PI;

use crate::common::assert_close;
use crate::common::structures::{Felt, bar, chain, felt_by_the_chain};
use saltation_modes::{End, Family, Interval, LinearModes, Search, Single, Steps, continuum, single, stability};
use saltation_numerics::exact::DoubleDouble;
use saltation_numerics::number::Number;

#[track_caller]
fn assert_relative(value: f64, reference: f64, tolerance: f64) {
    assert_close(value, reference, tolerance * reference.abs());
}

/// T_3 and the interval of one impact per period near 4 T_3.
const T_3: f64 = 0.959468934612372;
const NEAR_4_T_3: (f64, f64) = (3.748044460919019, 3.837875738449488);

fn interval_at(modes: &LinearModes, period: f64) -> Interval {
    let list = single::intervals(modes, 0.0, 40.0);
    *list.iter().find(|i| i.from <= period && period <= i.to).expect("there is one")
}

#[test]
fn the_chain_s_linear_modes_have_their_closed_form() {
    let (modes, felt) = (chain(5, 1.0).modes(), felt_by_the_chain(1.0));
    for p in 0..5 {
        assert_relative(modes.frequencies()[p], felt.frequencies[p], 1e-15);
        assert_relative(modes.squares()[p], felt.squares[p], 1e-14);
    }
    assert_relative(modes.root_mobility(), 5.0_f64.sqrt(), 1e-15);
    assert_relative(modes.period(2), T_3, 1e-15);
    assert_close(felt.squares.iter().sum(), 1.0, 1e-15);
}

#[test]
fn the_interval_near_4_t_3() {
    let modes = chain(5, 1.0).modes();
    let interval = interval_at(&modes, 3.8);
    assert_close(interval.from, NEAR_4_T_3.0, 2e-15);
    assert_close(interval.to, NEAR_4_T_3.1, 2e-15);
    let End::ExtraContact { time } = interval.begins else { panic!("{interval:?}") };
    // Where y is flat, time is known to the square root of rounding only by samples, but to all digits as a root of y' = 0.
    assert_close((time - 0.5 * interval.from).abs(), 1.5813639362533, 1e-12);
    assert_eq!(interval.ends, End::Harmonic { mode: 2, multiple: 4 });
    assert_relative(modes.grazing_energy(2), 20.64784694834, 1e-12);
    // The energy goes there, the speed of the impact goes to zero.
    let near = Single::new(&modes, interval.to - 1e-9);
    assert!(near.lambda < 1e-6 && (near.energy / modes.grazing_energy(2) - 1.0).abs() < 1e-6, "{near:?}");
    // From scratch.
    let (t, period) = felt_by_the_chain(1.0).touch(0.5 * 3.748 - 1.58, 3.748);
    assert_close(interval.from, period, 1e-14);
    assert_close(time.min(period - time), t, 1e-11);
}

#[test]
fn one_impact_per_period() {
    let modes = chain(5, 1.0).modes();
    let felt = felt_by_the_chain(1.0);
    let motion = Single::new(&modes, 3.8);
    assert!(motion.is_admissible(&modes));
    // Half angles up to 19 are rounded by 2e-15, and λ falls to zero within 0.04 of T.
    assert_relative(motion.lambda, 0.594777359459835, 1e-14);
    assert_relative(motion.energy, 3.07365966981981, 2e-14);
    let stable = stability(&modes, &motion.motion(&modes)).unwrap();
    assert_relative(stable.spectral_radius, 3.551820161, 1e-9);
    assert!(!stable.is_neutral());
    for (period, lambda) in [(4.1, 0.397891743493795), (4.2, 0.262927449485393)] {
        let motion = Single::new(&modes, period);
        assert!(motion.is_admissible(&modes));
        assert_relative(motion.lambda, lambda, 1e-14);
        let stable = stability(&modes, &motion.motion(&modes)).unwrap();
        assert!(stable.is_neutral() && stable.spectral_radius - 1.0 < 1e-10, "{stable:?}");
    }
    for period in [0.4, 1.3, 2.9, 3.8, 4.1, 7.77, 31.4] {
        let motion = Single::new(&modes, period);
        assert_relative(motion.lambda, felt.lambda(period), 1e-12);
        assert_relative(motion.energy, felt.energy(period), 1e-12);
        assert_relative(motion.motion(&modes).energy(), motion.energy, 1e-13);
    }
}

/// All admissible intervals of one sign of the gap up to 40, by samples of T between all harmonics and of the gap, with Newton's
/// method for the ends.
fn by_brute_force(felt: &Felt) -> Vec<(f64, f64)> {
    let mut found = Vec::new();
    let mut left = 0.0;
    for right in felt.harmonics(45.0) {
        if left >= 40.0 {
            break;
        }
        let infinite = felt.infinite(left, right);
        let (low, high) = if felt.gap > 0.0 { (infinite, right) } else { (left, infinite) };
        left = right;
        // Denser towards both ends.
        let count = 60;
        let at = |i: usize| {
            let x = i as f64 / count as f64;
            low + (high - low) * (x * x * (3.0 - 2.0 * x)).clamp(1e-9, 1.0 - 1e-9)
        };
        let good: Vec<bool> = (0..=count).map(|i| felt.stays_out(at(i))).collect();
        let Some(first) = good.iter().position(|good| *good) else { continue };
        assert!(good[first..].iter().all(|good| *good), "admissible motions have a hole");
        let from = if first == 0 {
            low
        } else {
            let (mut bad, mut good) = (at(first - 1), at(first));
            for _ in 0..30 {
                let middle = 0.5 * (bad + good);
                *(if felt.stays_out(middle) { &mut good } else { &mut bad }) = middle;
            }
            let (t, _) = felt.deepest(bad).unwrap();
            felt.touch(t, bad).1
        };
        if from < 40.0 {
            found.push((from, high.min(40.0)));
        }
    }
    found
}

#[test]
fn all_intervals_of_one_impact_per_period_up_to_40() {
    for (gap, count) in [(1.0, 43), (-1.0, 8)] {
        let modes = chain(5, gap).modes();
        let intervals = single::intervals(&modes, 0.0, 40.0);
        let brute = by_brute_force(&felt_by_the_chain(gap));
        assert_eq!(intervals.len(), count, "{gap}");
        assert_eq!(brute.len(), count, "{gap}");
        for (interval, (from, to)) in intervals.iter().zip(brute) {
            assert_close(interval.from, from, 1e-10);
            assert_close(interval.to, to, 1e-10);
        }
    }
}

/// σ with s_T'(σ) = 0 by Newton's method, and α + β there: λ = -g₀/(√G (α + β)).
fn two_impacts(felt: &Felt, period: f64, mut sigma: f64) -> (f64, f64) {
    for _ in 0..60 {
        let [_, slope, bend] = felt.s(sigma, period);
        sigma -= slope / bend;
    }
    let sum = felt.s(0.0, period)[0] + felt.s(sigma, period)[0];
    (sigma, sum)
}

#[test]
fn two_impacts_per_period_near_3_t_3() {
    let structure = chain(5, 1.0);
    let (modes, felt) = (structure.modes(), felt_by_the_chain(1.0));
    let search = Search { impacts: 2, periods: (2.8, 2.8), keep_period: true, starts: 300, ..Search::default() };
    let found = search.run(&modes, |_, _| true);
    let motion = found
        .motions
        .iter()
        .find(|m| m.flight_times().iter().any(|sigma| (sigma - 1.0129).abs() < 1e-3))
        .expect("it is found");
    let sigma = motion.flight_times().into_iter().fold(f64::INFINITY, f64::min);
    assert_close(sigma, 1.012898868143533, 1e-13);
    for lambda in &motion.lambda {
        assert_relative(*lambda, 1.902346387233754, 1e-13);
    }
    assert_relative(motion.energy(), 27.42736852253, 1e-12);
    let (own, sum) = two_impacts(&felt, 2.8, 1.01);
    assert_close(sigma, own, 1e-13);
    assert_relative(motion.lambda[0], -1.0 / (5.0_f64.sqrt() * sum), 1e-12);
    // Its family, from the linear mode that grazes every third period to infinite speeds.
    let family = Family::of(&modes, motion, &Steps::default(), |_| true).unwrap();
    let (grazing, infinite) = match family.begins.end {
        End::Infinite => (&family.ends, &family.begins),
        _ => (&family.begins, &family.ends),
    };
    assert_eq!(grazing.end, End::Harmonic { mode: 2, multiple: 3 });
    assert_close(grazing.period(), 3.0 * T_3, 1e-9);
    let first = grazing.impact_times[0];
    assert!((first - T_3).abs() < 1e-9 || (first - 2.0 * T_3).abs() < 1e-9, "{grazing:?}");
    assert_eq!(infinite.end, End::Infinite);
    assert_close(infinite.period(), 2.659760388834639, 1e-10);
    let (mut low, mut high) = (2.6, 2.8);
    let mut sigma = 1.01;
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        let (at, sum) = two_impacts(&felt, middle, sigma);
        sigma = at;
        *(if sum > 0.0 { &mut low } else { &mut high }) = middle;
    }
    assert_close(0.5 * (low + high), 2.659760388834639, 1e-13);
    for motion in &family.motions {
        assert_eq!(motion.impacts(), 2);
        let (_, sum) = two_impacts(&felt, motion.period(), motion.impact_times[0]);
        if motion.lambda[0] > 1e-6 {
            assert_relative(motion.lambda[0], -1.0 / (5.0_f64.sqrt() * sum), 1e-8);
        }
    }
}

#[test]
fn the_bridge_of_the_chain() {
    let (modes, felt) = (chain(5, 1.0).modes(), felt_by_the_chain(1.0));
    let bridges = continuum::bridges(&modes, 0.0, 3.0);
    let bridge = bridges.iter().find(|b| (b.flight_times[0] - 1.4622).abs() < 1e-3).expect("it is found");
    assert_close(bridge.flight_times[0], 1.46220272266998, 1e-14);
    assert_eq!(bridge.flight_times[0], bridge.flight_times[1]);
    // α = β at T = 2 T₀, by bisection.
    let (mut low, mut high) = (1.46, 1.464);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        let value = felt.s(0.0, 2.0 * middle)[0] - felt.s(middle, 2.0 * middle)[0];
        *(if (value < 0.0) == (felt.s(0.0, 2.92)[0] < felt.s(1.46, 2.92)[0]) { &mut low } else { &mut high }) = middle;
    }
    assert_close(bridge.flight_times[0], low, 1e-13);
    // Its middle is the motion with one impact per T₀.
    let middle = bridge.motion(&modes, 0.5);
    assert_relative(middle.lambda[0], felt.lambda(low), 1e-11);
    assert_relative(bridge.total, 2.0 * felt.lambda(low), 1e-11);
}

/// ω and q² of the bar by closed forms, θ = (2 j - 1) π/(2 n): ω = n √(6 (1 - cos θ)/(2 + cos θ)), q² in proportion to 1/(2 + cos θ),
/// G = Σ 6/(2 + cos θ).
fn felt_by_the_bar(n: usize, gap: f64) -> Felt {
    let size = n as f64;
    let angle = |j: usize| (2 * j + 1) as f64 * std::f64::consts::PI / (2.0 * size);
    let frequencies = (0..n).map(|j| size * (0.5 * angle(j)).sin() * (12.0 / (2.0 + angle(j).cos())).sqrt()).collect();
    let weights: Vec<f64> = (0..n).map(|j| 6.0 / (2.0 + angle(j).cos())).collect();
    let mobility: f64 = weights.iter().sum();
    Felt {
        frequencies,
        squares: weights.iter().map(|weight| weight / mobility).collect(),
        root_mobility: mobility.sqrt(),
        gap,
    }
}

/// The same numbers to thirty digits.
struct Exact {
    frequencies: Vec<DoubleDouble>,
    squares: Vec<DoubleDouble>,
}

fn exact_bar(n: usize) -> Exact {
    let number = |x: usize| DoubleDouble::from(x as f64);
    // π to thirty digits.
    let pi = DoubleDouble::from(std::f64::consts::PI) + DoubleDouble::from(1.2246467991473532e-16);
    let angle = |j: usize| number(2 * j + 1) * pi / number(4 * n);
    let weight = |j: usize| {
        let sine = angle(j).sin_cos().0;
        DoubleDouble::from(1.0) / (DoubleDouble::from(3.0) - DoubleDouble::from(2.0) * sine * sine)
    };
    let total = (0..n).map(weight).fold(DoubleDouble::from(0.0), |a, b| a + b);
    Exact {
        frequencies: (0..n)
            .map(|j| number(n) * angle(j).sin_cos().0 * (DoubleDouble::from(12.0) * weight(j)).sqrt())
            .collect(),
        squares: (0..n).map(|j| weight(j) / total).collect(),
    }
}

impl Exact {
    /// y, ∂y/∂t, ∂y/∂T, ∂²y/∂t², ∂²y/∂t∂T at t after an impact.
    fn gap(&self, t: DoubleDouble, period: DoubleDouble) -> [DoubleDouble; 5] {
        let half = DoubleDouble::from(0.5);
        let mut sums = [DoubleDouble::from(0.0); 5];
        for (&w, &q) in self.frequencies.iter().zip(&self.squares) {
            let sine = (half * w * period).sin_cos().0;
            let (a, b) = ((half * w * t).sin_cos().0, (half * w * (period - t)).sin_cos().0);
            let (along, across) = (w * (t - half * period)).sin_cos();
            let terms = [
                DoubleDouble::from(2.0) * q * a * b / (w * sine),
                -(q * along / sine),
                q * a * a / (sine * sine),
                -(q * w * across / sine),
                half * q * w * (w * t).sin_cos().0 / (sine * sine),
            ];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
        sums
    }

    /// λ and the energy, for the gap g₀.
    fn motion(&self, period: f64, gap: f64) -> (f64, f64) {
        let number = DoubleDouble::from;
        let (mut at_impact, mut sum, mut mobility) = (number(0.0), number(0.0), number(0.0));
        for (&w, &q) in self.frequencies.iter().zip(&self.squares) {
            let (sine, cosine) = (number(0.5) * w * number(period)).sin_cos();
            at_impact += q * cosine / (w * sine);
            sum += q / (sine * sine);
        }
        let n = self.frequencies.len();
        for j in 0..n {
            // G = Σ 6/(2 + cos θ)
            mobility += number(6.0) / (number(2.0) + number((2 * j + 1) as f64 * PI / (2 * n) as f64).sin_cos().1);
        }
        let lambda = -number(gap) / (mobility.sqrt() * at_impact);
        (f64::from(lambda), f64::from(number(0.5) * lambda * lambda * sum))
    }

    fn touch(&self, t: f64, period: f64) -> (DoubleDouble, DoubleDouble) {
        let (mut t, mut period) = (DoubleDouble::from(t), DoubleDouble::from(period));
        for _ in 0..6 {
            let [y, slope, grows, bend, turns] = self.gap(t, period);
            let determinant = slope * turns - bend * grows;
            t += (slope * grows - y * turns) / determinant;
            period += (bend * y - slope * slope) / determinant;
        }
        (t, period)
    }
}

#[test]
fn a_bar_of_400_elements() {
    let n = 400;
    let (modes, felt, exact) = (bar(n, 1.0).modes(), felt_by_the_bar(n, 1.0), exact_bar(n));
    assert!(modes.refined());
    assert_eq!(modes.len(), n);
    for p in 0..n {
        assert_relative(modes.frequencies()[p], f64::from(exact.frequencies[p]), 1e-15);
        assert_relative(felt.frequencies[p], f64::from(exact.frequencies[p]), 1e-14);
        assert_relative(modes.squares()[p], f64::from(exact.squares[p]), 1e-13);
    }
    assert_relative(modes.root_mobility(), felt.root_mobility, 1e-14);
    let first = modes.period(0);
    let intervals = single::intervals(&modes, 0.9999 * first, first);
    let last = intervals.last().expect("it ends at T_1");
    assert_eq!((last.to, last.ends), (first, End::Harmonic { mode: 0, multiple: 1 }));
    let width = last.to - last.from;
    println!("width {width:e}, {last:?}");
    assert!((width - 2.3e-6).abs() < 1e-7, "{width:e}");
    let End::ExtraContact { time } = last.begins else { panic!("{last:?}") };
    let (at, from) = exact.touch(time.min(last.from - time), last.from);
    // T is rounded by up to 2e-10 of the width; what is printed is nearer to the root than that.
    let missed = f64::from(DoubleDouble::from(last.from) - from).abs();
    println!("left end off by {:.1e} of the width", missed / width);
    assert!(missed < 1e-10 * width, "{:e} of the width", missed / width);
    assert_close(time, f64::from(at), 1e-12);
    // Speeds of 1e-5 are as good as any: ω T/2 is rounded by 4e-16, which is 2e-10 of its distance from π.
    let motion = Single::new(&modes, 0.5 * (last.from + last.to));
    assert!(motion.is_admissible(&modes) && motion.lambda > 0.0 && motion.lambda < 1e-4);
    let (lambda, energy) = exact.motion(motion.period, 1.0);
    println!("lambda {:.9e}, off by {:.1e}; energy {:.12}", motion.lambda, motion.lambda / lambda - 1.0, motion.energy);
    assert_relative(motion.lambda, lambda, 1e-9);
    assert_relative(motion.energy, energy, 1e-9);
    assert_relative(motion.motion(&modes).energy(), energy, 1e-9);
    assert!(!Single::new(&modes, last.from - 1e-4 * width).is_admissible(&modes));
    let stable = stability(&modes, &motion.motion(&modes)).unwrap();
    assert_eq!(stable.multipliers.len(), 2 * n - 2);
    assert!(stable.pairing < 1e-10, "{:e}", stable.pairing);
    // No second route at this size: the number as it was first found.
    assert_relative(stable.spectral_radius, 1.0385243824, 1e-9);
}
