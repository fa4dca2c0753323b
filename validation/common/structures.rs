//! Structures for tests of impacts, and their motion by matrix functions alone.
#![allow(dead_code)] // benches and examples use a part

use saltation_modes::{LinearModes, Motion};
use saltation_numerics::dense::Matrix;

/// M u'' + K u = 0 behind the gap w·u + g₀.
pub(crate) struct Structure {
    pub mass: Matrix,
    pub stiffness: Matrix,
    pub normal: Vec<f64>,
    pub gap: f64,
}

/// A row of n masses 1/n between springs of stiffness n, the first one at the ground, a wall at distance `gap` from the last.
pub(crate) fn chain(n: usize, gap: f64) -> Structure {
    let size = n as f64;
    let mass = Matrix::from_fn(n, n, |i, j| if i == j { 1.0 / size } else { 0.0 });
    Structure { mass, stiffness: springs(n), normal: last(n), gap }
}

/// A bar of length, density and stiffness 1 in n linear elements with consistent masses, held at one end.
pub(crate) fn bar(n: usize, gap: f64) -> Structure {
    let size = n as f64;
    let entry = |i: usize, j: usize| match i.abs_diff(j) {
        0 if i + 1 == n => 1.0 / (3.0 * size),
        0 => 2.0 / (3.0 * size),
        1 => 1.0 / (6.0 * size),
        _ => 0.0,
    };
    Structure { mass: Matrix::from_fn(n, n, entry), stiffness: springs(n), normal: last(n), gap }
}

fn springs(n: usize) -> Matrix {
    let size = n as f64;
    Matrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 if i + 1 == n => size,
        0 => 2.0 * size,
        1 => -size,
        _ => 0.0,
    })
}

fn last(n: usize) -> Vec<f64> {
    (0..n).map(|i| if i + 1 == n { -1.0 } else { 0.0 }).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// exp(A t) by Taylor's series of a small part of t, squared up again.
pub(crate) fn exponential(a: &Matrix, t: f64) -> Matrix {
    let n = a.rows();
    let halvings = (a.one_norm() * t.abs()).max(1e-9).log2().ceil().max(0.0) as i32 + 1;
    let part = a.clone().scaled(t / 2.0_f64.powi(halvings));
    // E - 1, whose rounding is smaller: (E - 1) <- (E - 1)² + 2 (E - 1).
    let (mut term, mut sum) = (part.clone(), part.clone());
    for i in 2..=20 {
        term = term.product(&part).unwrap().scaled(1.0 / f64::from(i));
        sum.entries_mut().iter_mut().zip(term.entries()).for_each(|(s, t)| *s += t);
    }
    for _ in 0..halvings {
        let square = sum.product(&sum).unwrap();
        sum.entries_mut().iter_mut().zip(square.entries()).for_each(|(s, q)| *s = 2.0 * *s + q);
    }
    for i in 0..n {
        sum[(i, i)] += 1.0;
    }
    sum
}

/// What the matrices say of a motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Propagated {
    /// By how much the state misses its beginning after a period, relative to its largest position and velocity.
    pub missed: f64,
    /// The largest |gap| at an impact, relative to the largest on the way.
    pub open: f64,
    /// The least gap at samples, relative to the largest.
    pub least: f64,
    /// The largest difference of λ from -γ⁻/√G, relative to the largest λ.
    pub lambda: f64,
    /// The energy v'Mv/2 + u'Ku/2 at the beginning.
    pub energy: f64,
}

impl Structure {
    pub(crate) fn entries(matrix: &Matrix) -> Vec<(usize, usize, f64)> {
        let n = matrix.rows();
        let all = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        all.map(|(i, j)| (i, j, matrix[(i, j)])).filter(|entry| entry.2 != 0.0).collect()
    }

    pub(crate) fn modes(&self) -> LinearModes {
        let (mass, stiffness) = (Self::entries(&self.mass), Self::entries(&self.stiffness));
        LinearModes::new(self.mass.rows(), &mass, &stiffness, &self.normal, self.gap).unwrap()
    }

    /// M⁻¹ w.
    pub(crate) fn direction(&self) -> Vec<f64> {
        self.mass.solve(&self.normal).unwrap().x
    }

    /// √G, G = w'M⁻¹w.
    pub(crate) fn root_mobility(&self) -> f64 {
        dot(&self.direction(), &self.normal).sqrt()
    }

    /// The field (u, v)' = A (u, v) of a flight.
    pub(crate) fn field(&self) -> Matrix {
        let n = self.mass.rows();
        let mut a = Matrix::zeros(2 * n, 2 * n);
        for j in 0..n {
            a[(j, n + j)] = 1.0;
            let column = self.mass.solve(self.stiffness.column(j)).unwrap().x;
            (0..n).for_each(|i| a[(n + i, j)] = -column[i]);
        }
        a
    }

    /// v⁺ = v⁻ - 2 M⁻¹w (w'v⁻)/G.
    pub(crate) fn impact(&self, x: &mut [f64]) {
        let n = x.len() / 2;
        let direction = self.direction();
        let jump = 2.0 * dot(&self.normal, &x[n..]) / dot(&direction, &self.normal);
        x[n..].iter_mut().zip(&direction).for_each(|(v, d)| *v -= jump * d);
    }

    pub(crate) fn gap_at(&self, x: &[f64]) -> f64 {
        dot(&self.normal, &x[..self.normal.len()]) + self.gap
    }

    pub(crate) fn energy_of(&self, x: &[f64]) -> f64 {
        let n = x.len() / 2;
        0.5 * (dot(&self.mass.times(&x[n..]).unwrap(), &x[n..]) + dot(&self.stiffness.times(&x[..n]).unwrap(), &x[..n]))
    }

    /// Follows a motion over its period by exponentials of its flights and the law of impact, looking at the gap `samples` times per flight.
    pub(crate) fn propagate(&self, modes: &LinearModes, motion: &Motion, samples: u32) -> Propagated {
        let n = self.mass.rows();
        let (u, v) = motion.state(modes, 0.0);
        let begin: Vec<f64> = u.into_iter().chain(v).collect();
        let mut x = begin.clone();
        let (field, root) = (self.field(), self.root_mobility());
        let strongest = motion.lambda.iter().fold(0.0_f64, |s, l| s.max(l.abs()));
        let (mut open, mut least, mut largest, mut wrong) = (0.0_f64, f64::INFINITY, 0.0_f64, 0.0_f64);
        for (sigma, lambda) in motion.flight_times().iter().zip(&motion.lambda) {
            let step = exponential(&field, sigma / f64::from(samples));
            let mut on_the_way = x.clone();
            for _ in 1..samples {
                on_the_way = step.times(&on_the_way).unwrap();
                let gap = self.gap_at(&on_the_way);
                (least, largest) = (least.min(gap), largest.max(gap.abs()));
            }
            x = exponential(&field, *sigma).times(&x).unwrap();
            open = open.max(self.gap_at(&x).abs());
            wrong = wrong.max((lambda + dot(&self.normal, &x[n..]) / root).abs());
            self.impact(&mut x);
        }
        let part = |range: std::ops::Range<usize>| {
            let size = begin[range.clone()].iter().fold(0.0_f64, |s, x| s.max(x.abs()));
            range.map(|i| (x[i] - begin[i]).abs()).fold(0.0, f64::max) / size
        };
        Propagated {
            missed: part(0..n).max(part(n..2 * n)),
            open: open / largest,
            least: least / largest,
            lambda: wrong / strongest,
            energy: self.energy_of(&begin),
        }
    }
}

/// Frequencies and shares by closed forms, and what follows from them for one impact per period, written down once more.
pub(crate) struct Felt {
    pub frequencies: Vec<f64>,
    pub squares: Vec<f64>,
    pub root_mobility: f64,
    pub gap: f64,
}

/// Of the chain of five: ω_j = 10 sin((2 j - 1) π/22), q_j² = (4/11) sin²(5 (2 j - 1) π/11), G = 5.
pub(crate) fn felt_by_the_chain(gap: f64) -> Felt {
    let angle = |j: u32| f64::from(2 * j - 1) * std::f64::consts::PI / 22.0;
    Felt {
        frequencies: (1..=5).map(|j| 10.0 * angle(j).sin()).collect(),
        squares: (1..=5).map(|j| 4.0 / 11.0 * (10.0 * angle(j)).sin().powi(2)).collect(),
        root_mobility: 5.0_f64.sqrt(),
        gap,
    }
}

/// y(t; T) = Σ q² (cos ω(t - T/2) - cos(ω T/2))/(ω sin(ω T/2)) with its derivatives by t, t t, T, t T, and Σ of the sizes of its terms.
pub(crate) struct Gap {
    pub y: f64,
    pub t: f64,
    pub tt: f64,
    pub period: f64,
    pub t_period: f64,
    pub scale: f64,
}

impl Felt {
    fn terms(&self) -> impl Iterator<Item = (f64, f64)> {
        self.frequencies.iter().copied().zip(self.squares.iter().copied())
    }

    pub(crate) fn period(&self, mode: usize) -> f64 {
        2.0 * std::f64::consts::PI / self.frequencies[mode]
    }

    /// Σ q² cot(ω T/2)/ω.
    pub(crate) fn at_impact(&self, period: f64) -> f64 {
        self.terms().map(|(w, q)| q / (w * (0.5 * w * period).tan())).sum()
    }

    /// λ = -g₀/(√G Σ q² cot(ω T/2)/ω).
    pub(crate) fn lambda(&self, period: f64) -> f64 {
        -self.gap / (self.root_mobility * self.at_impact(period))
    }

    /// λ²/2 Σ q²/sin²(ω T/2).
    pub(crate) fn energy(&self, period: f64) -> f64 {
        0.5 * self.lambda(period).powi(2) * self.terms().map(|(w, q)| q / (0.5 * w * period).sin().powi(2)).sum::<f64>()
    }

    /// s_T(τ) = Σ q² cos(ω (τ - T/2))/(ω sin(ω T/2)) and its derivatives by τ.
    pub(crate) fn s(&self, tau: f64, period: f64) -> [f64; 3] {
        let mut s = [0.0; 3];
        for (w, q) in self.terms() {
            let (along, half) = (w * (tau - 0.5 * period), (0.5 * w * period).sin());
            s[0] += q * along.cos() / (w * half);
            s[1] -= q * along.sin() / half;
            s[2] -= q * w * along.cos() / half;
        }
        s
    }

    pub(crate) fn gap_after(&self, t: f64, period: f64) -> Gap {
        let mut gap = Gap { y: 0.0, t: 0.0, tt: 0.0, period: 0.0, t_period: 0.0, scale: 0.0 };
        for (w, q) in self.terms() {
            let (half, along) = (0.5 * w * period, w * (t - 0.5 * period));
            // cos a - cos b = 2 sin((b + a)/2) sin((b - a)/2)
            gap.y += 2.0 * q * (0.5 * w * t).sin() * (0.5 * w * (period - t)).sin() / (w * half.sin());
            gap.t -= q * along.sin() / half.sin();
            gap.tt -= q * w * along.cos() / half.sin();
            gap.period += q * ((0.5 * w * t).sin() / half.sin()).powi(2);
            gap.t_period += 0.5 * q * w * (w * t).sin() / half.sin().powi(2);
            gap.scale += q / (w * half.sin().abs());
        }
        gap
    }

    /// The least y at local minima of a flight, with its t <= T/2: fine samples of dy/dt, bisected where it turns from fall to rise.
    pub(crate) fn deepest(&self, period: f64) -> Option<(f64, f64)> {
        let fastest = self.frequencies[self.frequencies.len() - 1];
        let count = (period * fastest * 2.0).ceil() as usize + 40;
        let at = |i: usize| 0.5 * period * i as f64 / count as f64;
        let halves: Vec<(f64, f64)> = self.terms().map(|(w, q)| (w, q / (0.5 * w * period).sin())).collect();
        let slope = |t: f64| -> f64 { halves.iter().map(|(w, a)| -a * (w * (t - 0.5 * period)).sin()).sum() };
        // The slope changes its sign at the middle.
        let slopes: Vec<f64> = (0..=count).map(|i| if i == count { 0.0 } else { slope(at(i)) }).collect();
        let mut deepest: Option<(f64, f64)> = None;
        let mut tell = |t: f64| {
            let y = self.gap_after(t, period).y;
            if deepest.is_none_or(|(_, least)| y < least) {
                deepest = Some((t, y));
            }
        };
        for i in 2..=count {
            if i == count && slopes[i - 1] < 0.0 {
                tell(0.5 * period);
            } else if slopes[i - 1] < 0.0 && slopes[i] >= 0.0 {
                let (mut left, mut right) = (at(i - 1), at(i));
                for _ in 0..60 {
                    let middle = 0.5 * (left + right);
                    *(if slope(middle) < 0.0 { &mut left } else { &mut right }) = middle;
                }
                tell(0.5 * (left + right));
            }
        }
        deepest
    }

    pub(crate) fn stays_out(&self, period: f64) -> bool {
        let scale = self.gap_after(0.0, period).scale;
        self.deepest(period).is_none_or(|(_, y)| y >= -1e-14 * scale)
    }

    /// y = ∂y/∂t = 0 by Newton's method: (t, T).
    pub(crate) fn touch(&self, mut t: f64, mut period: f64) -> (f64, f64) {
        for _ in 0..40 {
            let g = self.gap_after(t, period);
            let determinant = g.t * g.t_period - g.tt * g.period;
            t += (-g.y * g.t_period + g.t * g.period) / determinant;
            period += (-g.t * g.t + g.tt * g.y) / determinant;
        }
        (t, period)
    }

    /// Where Σ q² cot(ω T/2)/ω vanishes between two neighbouring harmonics, by bisection.
    pub(crate) fn infinite(&self, mut left: f64, mut right: f64) -> f64 {
        for _ in 0..200 {
            let middle = 0.5 * (left + right);
            *(if self.at_impact(middle) > 0.0 { &mut left } else { &mut right }) = middle;
        }
        0.5 * (left + right)
    }

    /// All multiples of the T_p up to a period, growing.
    pub(crate) fn harmonics(&self, high: f64) -> Vec<f64> {
        let mut list: Vec<f64> = (0..self.frequencies.len())
            .flat_map(|p| {
                let period = self.period(p);
                (1..).map(move |m| f64::from(m) * period).take_while(move |at| *at <= high)
            })
            .collect();
        list.sort_by(f64::total_cmp);
        list
    }
}
