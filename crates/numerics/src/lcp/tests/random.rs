//! Random problems for which a theorem or another method knows the answer.

use proptest::prelude::*;

use super::*;

/// A sequence of numbers that look random (Steele, Lea and Flood, splitmix64, 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// In [0, 1).
    pub(super) fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// In [-1, 1).
    pub(super) fn symmetric(&mut self) -> f64 {
        2.0 * self.uniform() - 1.0
    }

    pub(super) fn matrix(&mut self, n: usize) -> Matrix {
        Matrix::from_fn(n, n, |_, _| self.symmetric())
    }

    pub(super) fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.symmetric()).collect()
    }
}

/// A Aᵀ + a shift, plus a skew part: x·Mx > 0 for all x, so that there is one solution.
fn positive(random: &mut Random, n: usize, shift: f64, skew: f64) -> Matrix {
    let (a, s) = (random.matrix(n), random.matrix(n));
    let symmetric = &a * &a.transpose();
    Matrix::from_fn(n, n, |i, j| symmetric[(i, j)] + shift * f64::from(i == j) + skew * (s[(i, j)] - s[(j, i)]))
}

#[test]
fn positive_matrices_have_one_solution_and_both_methods_find_it() {
    let mut random = Random(1);
    for n in 1..=9 {
        for _ in 0..60 {
            let (m, q) = (positive(&mut random, n, 0.1, 1.0), random.vector(n));
            let every = enumerate(&m, &q).unwrap();
            assert_eq!(every.solutions.len(), 1, "{m:?} {q:?}");
            assert_solves(&m, &q, &every.solutions[0]);
            let one = lemke(&m, &q).unwrap();
            assert_eq!(every.solutions[0].basic, one.solutions[0].basic);
            for (a, b) in every.solutions[0].z.iter().zip(&one.solutions[0].z) {
                assert!((a - b).abs() <= 1e-13 * a.abs(), "{a} {b}");
            }
        }
    }
}

#[test]
fn large_symmetric_problems_agree_with_projected_relaxation() {
    let mut random = Random(2);
    for n in [10, 40, 120, 200] {
        let (m, q) = (positive(&mut random, n, 0.5 * n as f64, 0.0), random.vector(n));
        let answer = lemke(&m, &q).unwrap();
        assert_solves(&m, &q, &answer.solutions[0]);
        // Projected Gauss-Seidel: z_i = max(0, z_i - (M z + q)_i / M_ii); it converges for positive definite matrices.
        let mut z = vec![0.0; n];
        for _ in 0..400 {
            for i in 0..n {
                let w = q[i] + (0..n).map(|j| m[(j, i)] * z[j]).sum::<f64>();
                z[i] = f64::max(0.0, z[i] - w / m[(i, i)]);
            }
        }
        let largest = z.iter().fold(0.0f64, |a, z| a.max(*z));
        for (a, b) in z.iter().zip(&answer.solutions[0].z) {
            assert!((a - b).abs() <= 1e-12 * largest, "{n}: {a} {b}");
        }
    }
}

#[test]
fn the_degree_does_not_depend_on_q() {
    // Where z = 0 is the only solution for q = 0, Σ sign det M_bb over the solutions is the same for almost all q
    // (Cottle, Pang and Stone, chapter 6).
    let mut random = Random(3);
    let mut degrees = std::collections::BTreeSet::new();
    let mut most = 0;
    for n in [2, 3, 4, 5, 6, 7] {
        for _ in 0..60 {
            let m = random.matrix(n);
            assert_eq!(enumerate(&m, &vec![0.0; n]).unwrap().solutions.len(), 1);
            let mut degree = || {
                let q = random.vector(n);
                let answer = enumerate(&m, &q).unwrap();
                most = most.max(answer.solutions.len());
                let sign = |solution: &Solution| {
                    assert_solves(&m, &q, solution);
                    let b: Vec<usize> = (0..n).filter(|&i| solution.basic[i]).collect();
                    let principal = Matrix::from_fn(b.len(), b.len(), |i, j| m[(b[i], b[j])]);
                    principal.determinant().unwrap().signum() as i32
                };
                answer.solutions.iter().map(sign).sum::<i32>()
            };
            let first = degree();
            assert!((0..8).all(|_| degree() == first), "{m:?}");
            degrees.insert(first);
        }
    }
    assert!(degrees.len() >= 3 && most >= 4, "{degrees:?} {most}");
}

#[test]
fn a_positive_q_is_found_by_both_and_a_ray_is_a_proof_for_copositive_matrices() {
    // M >= 0 with a positive diagonal is strictly copositive: Lemke's path ends at a solution for every q.
    let mut random = Random(4);
    for n in [1, 3, 6, 10, 60] {
        for _ in 0..20 {
            let m = Matrix::from_fn(n, n, |_, _| random.uniform() + 1e-3);
            let q: Vec<f64> = (0..n).map(|_| -random.uniform()).collect();
            let answer = lemke(&m, &q).unwrap();
            assert_eq!(answer.status, Status::Solutions);
            assert_solves(&m, &q, &answer.solutions[0]);
            if n <= 10 {
                let every = enumerate(&m, &q).unwrap();
                assert!(every.solutions.iter().any(|solution| solution.basic == answer.solutions[0].basic));
                assert!(every.solutions.len() % 2 == 1);
            }
        }
    }
}

#[test]
fn every_point_that_was_made_a_solution_is_found() {
    // A random w and z, and q = w - M z: nearly singular, of low rank, and in units from 1e-9 to 1e9.
    let mut random = Random(5);
    for case in 0..3000 {
        let n = 1 + case % 7;
        let rank = 1 + case / 7 % n;
        let (a, b) = (random.matrix(n), random.matrix(n));
        let low = Matrix::from_fn(n, n, |i, j| (0..rank).map(|k| a[(i, k)] * b[(k, j)]).sum());
        let mut unit = || 10f64.powf(9.0 * random.symmetric());
        let (rows, columns): (Vec<f64>, Vec<f64>) = (0..n).map(|_| (unit(), unit())).unzip();
        let m = Matrix::from_fn(n, n, |i, j| low[(i, j)] * rows[i] / columns[j]);
        let basic: Vec<bool> = (0..n).map(|_| random.uniform() < 0.5).collect();
        let z: Vec<f64> = (0..n).map(|i| if basic[i] { (0.1 + random.uniform()) * columns[i] } else { 0.0 }).collect();
        let product = m.times(&z).unwrap();
        let mut w = |i: usize| if basic[i] { 0.0 } else { (0.1 + random.uniform()) * rows[i] };
        let q: Vec<f64> = (0..n).map(|i| w(i) - product[i]).collect();
        let answer = enumerate(&m, &q).unwrap();
        for solution in &answer.solutions {
            assert_solves(&m, &q, solution);
        }
        let number = basic.iter().filter(|basic| **basic).count();
        // More basic components than the rank: one of a continuum, of which some point is given.
        let found = |solution: &Solution| {
            if number > rank {
                return !solution.isolated && (0..n).all(|i| basic[i] || solution.z[i] == 0.0);
            }
            (0..n).all(|i| (solution.z[i] - z[i]).abs() <= 1e-6 * z[i])
        };
        assert!(answer.solutions.iter().any(found), "{case}: {m:?} {q:?} {z:?} {answer:?}");
    }
}

/// Zeros, ones and the ends of the range of numbers.
fn extreme() -> impl Strategy<Value = f64> {
    let sizes = [0.0, 5e-324, 1e-308, 1e-160, 1.0, 1.0 + f64::EPSILON, 3.0, 1e160, f64::MAX];
    (0..sizes.len(), any::<bool>()).prop_map(move |(k, negative)| if negative { -sizes[k] } else { sizes[k] })
}

proptest! {
    #[test]
    fn numbers_of_every_size_have_answers(n in 1usize..5, entries in proptest::collection::vec(extreme(), 20)) {
        let m = Matrix::from_fn(n, n, |i, j| entries[4 * i + j]);
        let q = &entries[16..16 + n];
        for answer in [enumerate(&m, q), lemke(&m, q)] {
            match answer {
                Ok(answer) => for solution in &answer.solutions {
                    prop_assert!(solution.residual <= NEGLIGIBLE);
                    for i in 0..n {
                        let (z, w) = (solution.z[i], solution.w[i]);
                        prop_assert!(z >= 0.0 && w >= 0.0 && (z == 0.0 || w == 0.0) && z.is_finite() && w.is_finite());
                    }
                },
                Err(failure) => prop_assert_eq!(failure, Failure::OutOfRange),
            }
        }
    }
}
