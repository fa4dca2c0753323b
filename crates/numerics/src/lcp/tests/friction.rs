//! One contact with Coulomb friction: the complementarity problem against the cases of the law, one by one.

use super::random::Random;
use super::*;

/// d_NN, d_NT, d_TT, μ, b_N, b_T.
#[derive(Clone, Copy, Debug)]
struct Contact {
    nn: f64,
    nt: f64,
    tt: f64,
    mu: f64,
    b: [f64; 2],
}

impl Contact {
    fn problem(&self) -> (Matrix, Vec<f64>) {
        let Self { nn, nt, tt, mu, b } = *self;
        let m = [[nn - mu * nt, nt, 0.0], [nt - mu * tt, tt, 1.0], [2.0 * mu, -1.0, 0.0]];
        rows(m, [b[0], b[1], 0.0])
    }

    /// (λ_N, λ_T) of all accelerations that the law allows: open, stick, slip to either side.
    fn cases(&self) -> Vec<[f64; 2]> {
        let Self { nn, nt, tt, mu, b } = *self;
        let mut forces = Vec::new();
        if b[0] >= 0.0 {
            forces.push([0.0, 0.0]);
        }
        let determinant = nn * tt - nt * nt;
        let stick = [(nt * b[1] - tt * b[0]) / determinant, (nt * b[0] - nn * b[1]) / determinant];
        if stick[0] > 0.0 && stick[1].abs() <= mu * stick[0] {
            forces.push(stick);
        }
        for side in [1.0, -1.0] {
            let normal = -b[0] / (nn - side * mu * nt);
            let slip = (nt - side * mu * tt) * normal + b[1];
            if normal > 0.0 && side * slip > 0.0 {
                forces.push([normal, -side * mu * normal]);
            }
        }
        forces
    }

    /// (λ_N, λ_T) of the solutions, each once: those with κ_R and κ_L both free have the same forces.
    fn forces(&self) -> Vec<[f64; 2]> {
        let (m, q) = self.problem();
        let answer = enumerate(&m, &q).unwrap();
        let mut forces: Vec<[f64; 2]> = Vec::new();
        for solution in &answer.solutions {
            assert_solves(&m, &q, solution);
            let new = [solution.z[0], solution.z[1] - self.mu * solution.z[0]];
            if !forces.iter().any(|old| near(old, &new)) {
                forces.push(new);
            }
            assert!(solution.isolated || self.mu == 0.0 || new[0] == 0.0);
        }
        forces
    }
}

fn near(a: &[f64; 2], b: &[f64; 2]) -> bool {
    let size = a[0].abs() + a[1].abs();
    (a[0] - b[0]).abs() <= 1e-9 * size && (a[1] - b[1]).abs() <= 1e-9 * size
}

#[test]
fn one_contact_follows_the_cases_of_coulombs_law() {
    let mut random = Random(7);
    let mut counts = [0; 4];
    for case in 0..20_000 {
        let (nn, tt) = (0.1 + random.uniform(), 0.1 + random.uniform());
        let nt = 0.95 * random.symmetric() * f64::sqrt(nn * tt);
        let mu = if case % 5 == 0 { 0.0 } else { 4.0 * random.uniform() };
        let contact = Contact { nn, nt, tt, mu, b: [random.symmetric(), random.symmetric()] };
        let (law, found) = (contact.cases(), contact.forces());
        assert_eq!(law.len(), found.len(), "{contact:?} {law:?} {found:?}");
        assert!(law.iter().all(|a| found.iter().any(|b| near(a, b))), "{contact:?} {law:?} {found:?}");
        counts[law.len()] += 1;
    }
    assert!(counts[1] > 0 && counts[3] > 0, "{counts:?}");
}

#[test]
fn sliding_with_a_negative_coefficient_has_two_motions_or_none() {
    // A rod of length 2 l and mass 1 at the angle φ with moment of inertia l²/3: d_NN = 1 + 3 cos²φ, d_NT = 3 sin φ cos φ.
    let phi = 1.0f64;
    let (nn, nt) = (1.0 + 3.0 * phi.cos().powi(2), 3.0 * phi.sin() * phi.cos());
    // A = d_NN - μ d_NT is negative from μ = 4/3 on at best: tan φ = 2.
    let a = |mu: f64| nn - mu * nt;
    assert!(a(1.2) > 0.0 && a(2.0) < 0.0);
    for (mu, b, expected) in [(1.2, -1.0, 1), (1.2, 1.0, 1), (2.0, 1.0, 2), (2.0, -1.0, 0)] {
        let (m, q) = rows([[a(mu)]], [b]);
        assert_eq!(enumerate(&m, &q).unwrap().solutions.len(), expected);
    }
}

/// Accelerations a = D λ + b of several contacts, in the order normal, tangential, normal, ...
struct Contacts {
    d: Matrix,
    mu: Vec<f64>,
    b: Vec<f64>,
}

impl Contacts {
    fn random(random: &mut Random, count: usize) -> Self {
        // More contacts than degrees of freedom make D singular.
        let freedom = 2 * count - usize::from(random.uniform() < 0.2);
        let w = Matrix::from_fn(2 * count, freedom, |_, _| random.symmetric());
        let mu = (0..count).map(|_| if random.uniform() < 0.2 { 0.0 } else { 2.0 * random.uniform() }).collect();
        // b in the range of W, as the acceleration of the free motion is.
        let b = w.times(&random.vector(freedom)).unwrap();
        Self { d: &w * &w.transpose(), mu, b }
    }

    fn problem(&self) -> (Matrix, Vec<f64>) {
        let n = 3 * self.mu.len();
        let m = Matrix::from_fn(n, n, |row, column| {
            let (i, k) = (row / 3, column / 3);
            // λ_T = λ_R - μ λ_N.
            let acceleration = |part: usize| match column % 3 {
                0 => self.d[(2 * i + part, 2 * k)] - self.mu[k] * self.d[(2 * i + part, 2 * k + 1)],
                1 => self.d[(2 * i + part, 2 * k + 1)],
                _ => f64::from(part == 1 && i == k),
            };
            match row % 3 {
                2 if i == k => [2.0 * self.mu[k], -1.0, 0.0][column % 3],
                2 => 0.0,
                part => acceleration(part),
            }
        });
        (m, (0..n).map(|row| if row % 3 == 2 { 0.0 } else { self.b[2 * (row / 3) + row % 3] }).collect())
    }

    /// The accelerations that the law allows: open, stick and slip to either side at each contact.
    fn cases(&self) -> Vec<Vec<f64>> {
        let count = self.mu.len();
        let mut accelerations: Vec<Vec<f64>> = Vec::new();
        for code in 0..4usize.pow(count as u32) {
            let case = |k: usize| code / 4usize.pow(k as u32) % 4;
            let side = |k: usize| if case(k) == 2 { 1.0 } else { -1.0 };
            let equations = Matrix::from_fn(2 * count, 2 * count, |row, column| {
                let k = row / 2;
                match (case(k), row % 2) {
                    (0, _) => f64::from(row == column),
                    (2 | 3, 1) if column == 2 * k => side(k) * self.mu[k],
                    (2 | 3, 1) => f64::from(row == column),
                    _ => self.d[(row, column)],
                }
            });
            let free: Vec<f64> = (0..2 * count)
                .map(|row| match (case(row / 2), row % 2) {
                    (0, _) | (2 | 3, 1) => 0.0,
                    _ => -self.b[row],
                })
                .collect();
            let Ok(solution) = equations.solve(&free) else { continue };
            if solution.reciprocal_condition < 1e-12 {
                continue;
            }
            let force = solution.x;
            let acceleration: Vec<f64> =
                self.d.times(&force).unwrap().iter().zip(&self.b).map(|(a, b)| a + b).collect();
            let lawful = (0..count).all(|k| {
                let (normal, tangential) = (force[2 * k], force[2 * k + 1]);
                match case(k) {
                    0 => acceleration[2 * k] > 0.0,
                    1 => normal > 0.0 && tangential.abs() <= self.mu[k] * normal,
                    _ => normal > 0.0 && side(k) * acceleration[2 * k + 1] > 0.0,
                }
            });
            if lawful {
                accelerations.push(acceleration);
            }
        }
        accelerations
    }
}

#[test]
fn several_contacts_follow_the_cases_of_coulombs_law() {
    let mut random = Random(8);
    let mut counts = [0; 4];
    for case in 0..1500 {
        let contacts = Contacts::random(&mut random, if case % 10 == 0 { 3 } else { 2 });
        let (m, q) = contacts.problem();
        let answer = enumerate(&m, &q).unwrap();
        let accelerations: Vec<Vec<f64>> = answer
            .solutions
            .iter()
            .map(|solution| {
                assert_solves(&m, &q, solution);
                let slip = |k: usize| solution.w[3 * k + 1] - solution.z[3 * k + 2];
                (0..contacts.mu.len()).flat_map(|k| [solution.w[3 * k], slip(k)]).collect()
            })
            .collect();
        let same = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-7);
        let law = contacts.cases();
        for a in &law {
            assert!(accelerations.iter().any(|b| same(a, b)), "missed {a:?} of {law:?}: {m:?} {q:?} {answer:?}");
        }
        // With independent contacts the cases of the law are all there is.
        if contacts.d.rank(1e-12).unwrap() == q.len() / 3 * 2 {
            for b in &accelerations {
                assert!(law.iter().any(|a| same(a, b)), "unlawful {b:?}: {law:?} {m:?} {q:?} {answer:?}");
            }
        }
        counts[law.len().min(3)] += 1;
    }
    assert!(counts[1] > 0 && counts[3] > 0, "{counts:?}");
}
