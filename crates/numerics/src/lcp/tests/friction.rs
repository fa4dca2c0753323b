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
