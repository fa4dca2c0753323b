use super::*;
use crate::{End, Family, Search, SpecialKind, Steps};

/// Five masses 1/5 between springs of stiffness 5.
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

/// Uniform in [0, 1).
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A point at which the modes without an amplitude of their own are not resonant.
    fn point(&mut self, equations: &Equations) -> Vec<f64> {
        loop {
            let k = equations.impacts;
            let mut u: Vec<f64> = (0..k).map(|_| 0.3 + (2.0 + 6.0 / k as f64) * self.uniform()).collect();
            let period: f64 = u.iter().sum();
            u.extend((k..equations.unknowns()).map(|_| 2.0 * self.uniform() - 1.0));
            let off = |p: usize| (0.5 * equations.frequencies[p] * period).sin().abs() > 0.2;
            if (0..equations.frequencies.len()).all(|p| equations.is_resonant[p] || off(p)) {
                return u;
            }
        }
    }
}

fn evaluated(equations: &mut Equations, u: &[f64]) -> (Vec<f64>, Matrix) {
    let m = equations.unknowns();
    let (mut residual, mut jacobian) = (vec![0.0; m - 1], Matrix::zeros(m - 1, m));
    equations.evaluate(u, &mut residual, &mut jacobian).unwrap();
    (residual, jacobian)
}

fn with_resonant(modes: &LinearModes, impacts: usize, resonant: &[usize]) -> Equations {
    let mut equations = Equations::new(modes, impacts, 0.3);
    equations.set_resonant(resonant.to_vec());
    equations
}

const RESONANT_SETS: [&[usize]; 4] = [&[], &[2], &[0, 3], &[0, 1, 2, 3, 4]];

#[test]
fn derivatives_are_those_of_the_residuals() {
    let (modes, mut random) = (chain(), Random(7));
    for impacts in 1..=6 {
        for resonant in RESONANT_SETS {
            let mut equations = with_resonant(&modes, impacts, resonant);
            for _ in 0..5 {
                let u = random.point(&equations);
                let (_, jacobian) = evaluated(&mut equations, &u);
                for j in 0..u.len() {
                    let step = 1e-3;
                    let mut at = |h: f64| {
                        let mut moved = u.clone();
                        moved[j] += h;
                        evaluated(&mut equations, &moved).0
                    };
                    let (a, b, c, d) = (at(-2.0 * step), at(-step), at(step), at(2.0 * step));
                    let largest = jacobian.column(j).iter().fold(1.0_f64, |s, x| s.max(x.abs()));
                    for (i, exact) in jacobian.column(j).iter().enumerate() {
                        let difference = (a[i] - d[i] + 8.0 * (c[i] - b[i])) / (12.0 * step);
                        // h⁴ times fifth derivatives, which grow by ω/sin(ω T/2) each, and rounding over h.
                        assert!(
                            (difference - exact).abs() < 1e-7 * largest,
                            "k = {impacts}, {resonant:?}, row {i}, unknown {j}: {difference} {exact}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn matrices_are_those_of_the_paper() {
    // Π_ij = sgn(j - i) Σ q² sin ω(|t_j - t_i| - T/2)/sin(ω T/2), Σ_ij = √G Σ q² cos ω(|t_j - t_i| - T/2)/(ω sin(ω
    // T/2)).
    let (modes, mut random) = (chain(), Random(8));
    for k in 1..=6 {
        let mut equations = with_resonant(&modes, k, &[]);
        for _ in 0..10 {
            let u = random.point(&equations);
            let (_, jacobian) = evaluated(&mut equations, &u);
            let times: Vec<f64> = times(&u[..k]).iter().map(|t| t / equations.rate).collect();
            let (epsilon, root, period) = (u[u.len() - 1], modes.root_mobility(), times[k - 1]);
            for i in 0..k {
                for j in 0..k {
                    let (mut pi, mut sigma) = (0.0, 0.0);
                    for (w, q) in modes.frequencies().iter().zip(modes.squares()) {
                        let along = w * ((times[j] - times[i]).abs() - 0.5 * period);
                        pi += (j as f64 - i as f64).signum() * q * along.sin() / (0.5 * w * period).sin();
                        sigma += root * q * along.cos() / (w * (0.5 * w * period).sin());
                    }
                    let pi = if i == j { epsilon } else { pi };
                    assert!((jacobian[(i, k + j)] - pi).abs() < 1e-12);
                    assert!((jacobian[(k + i, k + j)] * root / equations.rate - sigma).abs() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn the_loss_vanishes_with_the_residuals() {
    // Σ λ_i r_i = ε λ'λ + Σ q² (B/A)² (ε |A|² + (Re A r_im - Im A r_re)/cos(ω T/2)): on solutions, where all r vanish,
    // so does ε.
    let (modes, mut random) = (chain(), Random(9));
    for k in 1..=6 {
        for resonant in RESONANT_SETS {
            let mut equations = with_resonant(&modes, k, resonant);
            for _ in 0..10 {
                let u = random.point(&equations);
                let (residual, _) = evaluated(&mut equations, &u);
                let (lambda, epsilon) = (&u[k..2 * k], u[u.len() - 1]);
                let period: f64 = u[..k].iter().sum();
                let left: f64 = lambda.iter().zip(&residual).map(|(l, r)| l * r).sum();
                let mut right = epsilon * lambda.iter().map(|l| l * l).sum::<f64>();
                let mut size = 1.0_f64;
                for (r, &p) in resonant.iter().enumerate() {
                    let i = 2 * k + 2 * r;
                    let cosine = (0.5 * equations.frequencies[p] * period).cos();
                    let driven = (u[i] * residual[i + 1] - u[i + 1] * residual[i]) / cosine;
                    let factor = equations.squares[p] / equations.weights[p].powi(2);
                    right += factor * (driven + epsilon * (u[i] * u[i] + u[i + 1] * u[i + 1]));
                    size = size.max(factor / cosine.abs());
                }
                assert!((left - right).abs() < 1e-13 * size, "k = {k}, {resonant:?}: {left} {right}");
            }
        }
    }
}

/// Newton's method with a linear equation row·u = value.
fn corrected(equations: &mut Equations, u: &[f64], row: &[f64], value: f64) -> Vec<f64> {
    let (m, mut u) = (equations.unknowns(), u.to_vec());
    for _ in 0..20 {
        let (residual, jacobian) = evaluated(equations, &u);
        let square = Matrix::from_fn(m, m, |i, j| if i + 1 < m { jacobian[(i, j)] } else { row[j] });
        let mut right: Vec<f64> = residual.iter().map(|r| -r).collect();
        right.push(value - row.iter().zip(&u).map(|(r, u)| r * u).sum::<f64>());
        let step = square.solve(&right).unwrap().x;
        u.iter_mut().zip(&step).for_each(|(u, s)| *u += s);
    }
    let (residual, _) = evaluated(equations, &u);
    assert!(residual.iter().all(|r| r.abs() < 1e-12), "{residual:?}");
    u
}

/// The least singular value of the Jacobian over the largest, and the direction of the curve.
fn regularity(equations: &mut Equations, u: &[f64]) -> (f64, Vec<f64>) {
    let (_, jacobian) = evaluated(equations, u);
    let values = jacobian.singular_values().unwrap();
    let m = equations.unknowns();
    let (_, _, right) =
        Matrix::from_fn(m, m, |i, j| if i + 1 < m { jacobian[(i, j)] } else { 0.0 }).singular_vectors().unwrap();
    (values[m - 2] / values[0], right.column(m - 1).to_vec())
}

/// A motion's unknowns, from its amplitudes where the impacts do not determine them.
fn unknowns(equations: &Equations, motion: &Motion, modes: &LinearModes) -> Vec<f64> {
    let mut u = equations.unknowns_of_impacts(&motion.flight_times(), &motion.lambda);
    let (k, end) = (equations.impacts, u.len() - 1);
    let rho = u[end - 1];
    for (r, &p) in equations.resonant.iter().enumerate() {
        let [re, im] = drive(modes.frequencies()[p], &motion.impact_times, &motion.lambda);
        let q = modes.shares()[p];
        let weight = equations.weights[p];
        u[2 * k + 2 * r] = weight * (motion.amplitudes[p][0] / q - im) / equations.size * rho;
        u[2 * k + 2 * r + 1] = weight * (motion.amplitudes[p][1] / q + re) / equations.size * rho;
    }
    for j in 0..k {
        u[k + j] = motion.lambda[j] / equations.size * rho;
    }
    equations.normalise(&mut u);
    u
}

fn families(modes: &LinearModes, impacts: usize, count: usize) -> Vec<Family> {
    let search = Search { impacts, periods: (1.0, 7.0), starts: 400, seed: 3, ..Search::default() };
    let found = search.run(modes, |_, _| true);
    found.motions.iter().take(count).filter_map(|m| Family::of(modes, m, &Steps::default(), |_| true)).collect()
}

#[test]
fn harmonics_and_infinite_speeds_are_regular() {
    let modes = chain();
    for impacts in 1..=4 {
        let (mut crossings, mut infinite) = (0, 0);
        for family in families(&modes, impacts, 12) {
            for special in &family.special {
                if matches!(special.kind, SpecialKind::Resonance { .. }) {
                    let mut equations = Equations::new(&modes, impacts, special.motion.period());
                    assert!(!equations.resonant.is_empty());
                    let mut u = unknowns(&equations, &special.motion, &modes);
                    let row: Vec<f64> = (0..u.len()).map(|i| if i < impacts { 1.0 } else { 0.0 }).collect();
                    let period = u[..impacts].iter().sum();
                    u = corrected(&mut equations, &u, &row, period);
                    assert!(u[u.len() - 1].abs() < 1e-12);
                    let (regular, _) = regularity(&mut equations, &u);
                    assert!(regular > 1e-7, "k = {impacts}: {regular:e} at {}", special.motion.period());
                    crossings += 1;
                }
            }
            for (limit, motion) in [(&family.begins, family.motions.first()), (&family.ends, family.motions.last())] {
                let Some(motion) = motion.filter(|_| limit.end == End::Infinite) else { continue };
                let mut equations = Equations::new(&modes, impacts, limit.period());
                let mut u = unknowns(&equations, motion, &modes);
                let rho = u.len() - 2;
                let held: Vec<f64> = (0..u.len()).map(|i| if i == rho { 1.0 } else { 0.0 }).collect();
                u = corrected(&mut equations, &u, &held, 0.0);
                let (regular, tangent) = regularity(&mut equations, &u);
                assert!(regular > 1e-7 && tangent[rho].abs() > 1e-9, "{regular:e}");
                assert!((equations.period(&u) - limit.period()).abs() < 1e-9 * limit.period());
                let signs: Vec<f64> = [-1e-3, 1e-3]
                    .iter()
                    .map(|step| {
                        let ahead: Vec<f64> = u.iter().zip(&tangent).map(|(u, t)| u + step * t).collect();
                        let value: f64 = ahead.iter().zip(&tangent).map(|(u, t)| u * t).sum();
                        let u = corrected(&mut equations, &ahead, &tangent, value);
                        assert!(u[u.len() - 1].abs() < 1e-12);
                        assert!(regularity(&mut equations, &u).0 > 1e-7);
                        u[rho].signum()
                    })
                    .collect();
                assert_eq!(signs[0], -signs[1]);
                infinite += 1;
            }
        }
        println!("k = {impacts}: {crossings} harmonics crossed, {infinite} infinite ends");
        assert!(infinite > 0 && (impacts < 3 || crossings > 0), "k = {impacts}: {crossings} {infinite}");
    }
}
