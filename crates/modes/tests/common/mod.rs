//! Random structures with a contact, and how they move by nothing but exponentials of their matrices.
use saltation_modes::{LinearModes, Motion};
use saltation_numerics::dense::Matrix;

/// M u'' + K u = 0 behind the gap w·u + g₀.
#[derive(Clone, Debug)]
pub(crate) struct Structure {
    pub mass: Matrix,
    pub stiffness: Matrix,
    pub normal: Vec<f64>,
    pub gap: f64,
}

/// Uniform numbers (xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..8).for_each(|_| {
            random.uniform();
        });
        random
    }

    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.uniform() * count as f64) as usize
    }
}

/// A row of masses between springs, the first one at the ground, with an obstacle at the last one.
fn chain(random: &mut Random) -> (Matrix, Matrix, Vec<f64>) {
    let n = 2 + random.below(5);
    let rounded = |x: f64| (10.0 * x).round() / 10.0;
    let masses: Vec<f64> = (0..n).map(|_| rounded(random.between(0.5, 2.0))).collect();
    let springs: Vec<f64> = (0..=n).map(|_| rounded(random.between(0.5, 5.0))).collect();
    let stiffness = |i: usize, j: usize| match i.abs_diff(j) {
        0 => springs[i] + if i + 1 < n { springs[i + 1] } else { 0.0 },
        1 => -springs[i.max(j)],
        _ => 0.0,
    };
    let mass = Matrix::from_fn(n, n, |i, j| if i == j { masses[i] } else { 0.0 });
    (mass, Matrix::from_fn(n, n, stiffness), last(n))
}

/// A bar of elements of different sections with consistent masses, held at one end: its highest modes hardly move the
/// contact.
fn bar(random: &mut Random) -> (Matrix, Matrix, Vec<f64>) {
    let n = 2 + random.below(9);
    let masses: Vec<f64> = (0..n).map(|_| random.between(0.3, 2.0)).collect();
    let springs: Vec<f64> = (0..n).map(|_| random.between(1.0, 5.0)).collect();
    let assembled = |list: &[f64], own: f64, other: f64| {
        Matrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => own * (list[i] + if i + 1 < n { list[i + 1] } else { 0.0 }),
            1 => other * list[i.max(j)],
            _ => 0.0,
        })
    };
    (assembled(&masses, 1.0 / 3.0, 1.0 / 6.0), assembled(&springs, 1.0, -1.0), last(n))
}

/// M = A'A and K = A' Ω² A with full random A, Ω² of wide range or of small whole frequencies, and a random normal.
fn full(random: &mut Random) -> (Matrix, Matrix, Vec<f64>) {
    let n = 2 + random.below(4);
    let rational = random.uniform() < 0.5;
    let squares: Vec<f64> = (0..n)
        .map(|_| match rational {
            true => (1.0 + random.below(8) as f64).powi(2) / 4.0,
            false => random.between(0.3, 4.0).powi(2),
        })
        .collect();
    let a: Vec<f64> = (0..n * n).map(|_| random.between(-1.0, 1.0)).collect();
    let entry = |i: usize, j: usize| a[i * n + j];
    let weighted = |weights: &dyn Fn(usize) -> f64| {
        Matrix::from_fn(n, n, |i, j| {
            let (i, j) = (i.min(j), i.max(j));
            (0..n).map(|r| weights(r) * entry(r, i) * entry(r, j)).sum::<f64>()
                + if i == j { 0.02 * weights(i) } else { 0.0 }
        })
    };
    let normal = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
    (weighted(&|_| 1.0), weighted(&|r| squares[r]), normal)
}

fn last(n: usize) -> Vec<f64> {
    (0..n).map(|i| if i + 1 == n { -1.0 } else { 0.0 }).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The first step of a flight is 2 to the minus this of the others.
const SHORTEST: i32 = 24;

/// What matrices alone say of a motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Followed {
    /// The least gap between impacts, of all its minima.
    pub least: f64,
    /// When, from the first impact on.
    pub time: f64,
    /// The largest |gap| at an impact.
    pub open: f64,
    /// The size of the terms of which gaps are sums: |g₀| + Σ |w_i u_i|, the largest on the way.
    pub size: f64,
    /// How far the state is from its beginning after a period, relative to its largest position and velocity.
    pub missed: f64,
    /// The slowest impact, as a part of the fastest one.
    pub slowest: f64,
}

impl Structure {
    /// Structure number `seed`.
    pub(crate) fn random(seed: u64) -> Structure {
        let random = &mut Random::new(seed);
        let (mass, stiffness, normal) = match random.below(3) {
            0 => chain(random),
            1 => bar(random),
            _ => full(random),
        };
        let gap = if random.uniform() < 0.5 { 1.0 } else { -1.0 };
        Structure { mass, stiffness, normal, gap }
    }

    pub(crate) fn modes(&self) -> Option<LinearModes> {
        let entries = |matrix: &Matrix| -> Vec<(usize, usize, f64)> {
            let n = matrix.rows();
            let all = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
            all.map(|(i, j)| (i, j, matrix[(i, j)])).filter(|entry| entry.2 != 0.0).collect()
        };
        let (mass, stiffness) = (entries(&self.mass), entries(&self.stiffness));
        LinearModes::new(self.mass.rows(), &mass, &stiffness, &self.normal, self.gap).ok()
    }

    /// Follows a motion over its period from its state after the impact at 0: by Taylor's series of the exponential in
    /// short steps, in each of which a minimum of the gap is searched, and by the law of impact.
    pub(crate) fn follow(&self, modes: &LinearModes, motion: &Motion) -> Followed {
        let n = self.mass.rows();
        let field = self.field();
        let direction = self.mass.solve(&self.normal).unwrap().x;
        let mobility = dot(&direction, &self.normal);
        let (u, v) = motion.state(modes, 0.0);
        let begin: Vec<f64> = u.into_iter().chain(v).collect();
        let gap = |x: &[f64]| dot(&self.normal, &x[..n]) + self.gap;
        let speed = |x: &[f64]| dot(&self.normal, &x[n..]);
        let highest = modes.frequencies().last().copied().unwrap_or(1.0);
        let mut x = begin.clone();
        let mut seen =
            Followed { least: f64::INFINITY, time: 0.0, open: 0.0, size: 0.0, missed: 0.0, slowest: f64::INFINITY };
        let (mut start, mut fastest) = (0.0, 0.0_f64);
        for sigma in motion.flight_times() {
            let steps = (sigma * highest / 0.3).ceil().clamp(4.0, 1e5) as usize;
            let h = sigma / steps as f64;
            let step = exponential(&field, h);
            let mut time = start;
            // Next to a weak impact the gap may fall again at once: there the steps begin short and double.
            let short =
                (0..=SHORTEST).map(|i| (h * 0.5_f64.powi(if i == 0 { SHORTEST } else { SHORTEST + 1 - i }), false));
            let full = std::iter::repeat_n((h, true), steps - 2);
            for (length, whole) in short.clone().chain(full).chain(short.rev()) {
                let next = if whole { step.times(&x).unwrap() } else { moved(&field, &x, length) };
                let terms = self.normal.iter().zip(&next).map(|(w, u)| (w * u).abs()).sum::<f64>();
                seen.size = seen.size.max(self.gap.abs() + terms);
                if speed(&x) < 0.0 && speed(&next) >= 0.0 {
                    let (mut low, mut high) = (0.0, length);
                    for _ in 0..50 {
                        let middle = 0.5 * (low + high);
                        *(if speed(&moved(&field, &x, middle)) < 0.0 { &mut low } else { &mut high }) = middle;
                    }
                    let least = gap(&moved(&field, &x, low));
                    if least < seen.least {
                        (seen.least, seen.time) = (least, time + low);
                    }
                }
                time += length;
                x = next;
            }
            start += sigma;
            seen.open = seen.open.max(gap(&x).abs());
            let closing = speed(&x);
            (seen.slowest, fastest) = (seen.slowest.min(-closing), fastest.max(closing.abs()));
            x[n..].iter_mut().zip(&direction).for_each(|(v, d)| *v -= 2.0 * closing / mobility * d);
        }
        seen.slowest /= fastest;
        for part in [0..n, n..2 * n] {
            let size = begin[part.clone()].iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            seen.missed = part.map(|i| (x[i] - begin[i]).abs() / size).fold(seen.missed, f64::max);
        }
        seen
    }

    /// The field (u, v)' = A (u, v) of a flight.
    fn field(&self) -> Matrix {
        let n = self.mass.rows();
        let mut a = Matrix::zeros(2 * n, 2 * n);
        for j in 0..n {
            a[(j, n + j)] = 1.0;
            let column = self.mass.solve(self.stiffness.column(j)).unwrap().x;
            (0..n).for_each(|i| a[(n + i, j)] = -column[i]);
        }
        a
    }
}

/// exp(A t) x by its series, for |A t| of about 1.
fn moved(a: &Matrix, x: &[f64], t: f64) -> Vec<f64> {
    let (mut term, mut sum) = (x.to_vec(), x.to_vec());
    for i in 1..=24 {
        term = a.times(&term).unwrap().into_iter().map(|x| x * t / f64::from(i)).collect();
        sum.iter_mut().zip(&term).for_each(|(s, t)| *s += t);
    }
    sum
}

/// exp(A t), a column after the other.
fn exponential(a: &Matrix, t: f64) -> Matrix {
    let n = a.rows();
    let unit = |j: usize| -> Vec<f64> { (0..n).map(|i| f64::from(u8::from(i == j))).collect() };
    let columns: Vec<Vec<f64>> = (0..n).map(|j| moved(a, &unit(j), t)).collect();
    Matrix::from_fn(n, n, |i, j| columns[j][i])
}
