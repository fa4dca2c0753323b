//! Searches for motions with k impacts per period: Newton's method from random sequences of impacts.
//!
//! Every start has a generator of its own, seeded by its number, so that results do not depend on how starts are
//! shared out. Every second start is symmetric under time reversal, and stays so: Newton's method preserves the symmetry, and
//! symmetric motions, which have half as many unknowns, would hardly be found otherwise.

use saltation_continuation::Problem;
use saltation_numerics::dense::{Elimination, Matrix};
use saltation_numerics::elementary;

use saltation_numerics::random::Random;

use crate::equations::Equations;
use crate::sequence;
use crate::{LinearModes, Motion, Verdict};

/// What to look for.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// k >= 1.
    pub impacts: usize,
    /// Periods of the starts. Motions may be found a little outside.
    pub periods: (f64, f64),
    /// Whether the period of a start is kept, which without a gap it cannot be; else Newton's method goes to the
    /// nearest motion of any period.
    pub keep_period: bool,
    /// How many starts.
    pub starts: usize,
    /// The seed of the random starts.
    pub seed: u64,
}

impl Default for Search {
    /// 1000 starts for one impact per period; the periods are to be set.
    fn default() -> Self {
        Search { impacts: 1, periods: (0.0, 0.0), keep_period: false, starts: 1000, seed: 1 }
    }
}

/// The motions that were found, and statistics of the search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Admissible motions with exactly k impacts per period, none of them twice; by period.
    pub motions: Vec<Motion>,
    /// The number of starts.
    pub starts: usize,
    /// The number of starts from which Newton's method converged.
    pub solutions: usize,
    /// The number of solutions with a tensile impulse, or with a period outside of the range.
    pub pulling: usize,
    /// The number of solutions that penetrate between impacts.
    pub penetrating: usize,
    /// The number of solutions that repeat motions with fewer impacts.
    pub copies: usize,
    /// The number of solutions found before.
    pub duplicates: usize,
}

/// Motions with a relative distance below this are identified.
const EQUAL_MOTIONS: f64 = 1e-7;

/// Homogeneous unknowns below this are zero.
const ZERO_UNKNOWN: f64 = 1e-8;

impl Search {
    /// Searches from every start; `progress` receives the numbers of completed starts and of motions found, and may end the
    /// search.
    pub fn run(&self, modes: &LinearModes, mut progress: impl FnMut(usize, usize) -> bool) -> Found {
        let mut found = Found::default();
        for start in 0..self.starts {
            if !progress(start, found.motions.len()) {
                break;
            }
            found.starts += 1;
            let Some(motion) = self.from_start(modes, start) else { continue };
            found.solutions += 1;
            let (low, high) = self.periods;
            let outside = (!self.keep_period || modes.gap() == 0.0) && !(low..=high).contains(&motion.period());
            if outside || motion.lambda.iter().any(|lambda| *lambda <= 0.0) {
                found.pulling += 1;
            } else if sequence::repeats_after(&motion, EQUAL_MOTIONS) < self.impacts {
                found.copies += 1;
            } else if found.motions.iter().any(|known| sequence::same(known, &motion, EQUAL_MOTIONS)) {
                found.duplicates += 1;
            } else if matches!(motion.verdict(modes), Verdict::Admissible) {
                found.motions.push(motion);
            } else {
                found.penetrating += 1;
            }
        }
        found.motions.sort_by(|a, b| a.period().total_cmp(&b.period()));
        found
    }

    /// The solution that Newton's method reaches from start number `start`, if it reaches one: admissible or not.
    pub fn from_start(&self, modes: &LinearModes, start: usize) -> Option<Motion> {
        solve(modes, &self.flights(start), self.keep_period)
    }

    /// The durations of the flights with which start number `start` begins.
    pub(crate) fn flights(&self, start: usize) -> Vec<f64> {
        let mut random = Random(self.seed ^ (start as u64).wrapping_mul(0xd1b5_4a32_d192_ed03));
        let k = self.impacts;
        let (low, high) = self.periods;
        let period = low + (high - low) * random.unit();
        let mut sigmas: Vec<f64> = (0..k).map(|_| 0.1 - elementary::ln(1.0 - random.unit())).collect();
        if start.is_multiple_of(2) {
            let a = (random.next() % k as u64) as usize;
            sigmas = (0..k).map(|n| 0.5 * (sigmas[n] + sigmas[(a + k - n) % k])).collect();
        }
        let total: f64 = sigmas.iter().sum();
        sigmas.iter_mut().for_each(|sigma| *sigma *= period / total);
        sigmas
    }
}

/// The motion that Newton's method reaches from flights of these durations.
fn solve(modes: &LinearModes, sigmas: &[f64], keep_period: bool) -> Option<Motion> {
    let mut equations = Equations::new(modes, sigmas.len(), sigmas.iter().sum()).with_bare_amplitudes();
    let lambda = guess(&mut equations, modes, sigmas)?;
    let u = equations.unknowns_of_impacts(sigmas, &lambda);
    let mut newton = Newton::new(equations, u, keep_period, modes.gap() == 0.0);
    newton.converge()?;
    // For full accuracy of impacts and gap: resonant amplitudes as large as their share in the gap.
    let (equations, u) = newton.equations.with_shares(modes, &newton.u);
    let mut newton = Newton::new(equations, u, keep_period, modes.gap() == 0.0);
    newton.converge()?;
    // Solutions with unbounded speeds are not motions, and impacts without speed are a grazing linear mode.
    let Newton { equations, u, .. } = newton;
    let unbounded = modes.gap() != 0.0 && equations.rho(&u).abs() < ZERO_UNKNOWN;
    if unbounded || equations.largest_lambda(&u) < ZERO_UNKNOWN {
        return None;
    }
    Some(equations.motion(modes, &u))
}

/// Newton's method for the equations with one row more, which chooses among the neighbours on the curve of solutions:
/// first the period is kept. Without a gap solutions are isolated, and the curve is that of the unknown ρ, which says
/// nothing then.
struct Newton {
    equations: Equations,
    u: Vec<f64>,
    keep_period: bool,
    isolated: bool,
    border: Vec<f64>,
    residual: Vec<f64>,
    jacobian: Matrix,
    square: Matrix,
    elimination: Elimination,
}

impl Newton {
    fn new(equations: Equations, u: Vec<f64>, keep_period: bool, isolated: bool) -> Newton {
        let (m, k) = (equations.unknowns(), equations.impacts());
        let held = |i: usize| if isolated { i == equations.rho_index() } else { i < k };
        Newton {
            border: (0..m).map(|i| if held(i) { 1.0 } else { 0.0 }).collect(),
            residual: vec![0.0; m - 1],
            jacobian: Matrix::zeros(m - 1, m),
            square: Matrix::zeros(m, m),
            elimination: Elimination::default(),
            equations,
            u,
            keep_period,
            isolated,
        }
    }

    /// Steps until one is small, and one more.
    fn converge(&mut self) -> Option<()> {
        for _ in 0..40 {
            if self.step()? < 1e-7 {
                return self.step().map(|_| ());
            }
        }
        None
    }

    /// One step, and its largest part.
    fn step(&mut self) -> Option<f64> {
        let (m, k) = (self.u.len(), self.equations.impacts());
        self.equations.evaluate(&self.u, &mut self.residual, &mut self.jacobian).ok()?;
        for (j, border) in self.border.iter().enumerate() {
            let column = self.square.column_mut(j);
            column[..m - 1].copy_from_slice(self.jacobian.column(j));
            column[m - 1] = *border;
        }
        self.elimination.factor(&self.square).ok()?;
        let mut step: Vec<f64> = self.residual.iter().map(|r| -r).chain([0.0]).collect();
        self.elimination.solve_in_place(&mut step).ok()?;
        if !self.keep_period && !self.isolated {
            let mut tangent = vec![0.0; m];
            tangent[m - 1] = 1.0;
            self.elimination.solve_in_place(&mut tangent).ok()?;
            let length = tangent.iter().map(|t| t * t).sum::<f64>().sqrt();
            // A component along the tangent is unnecessary.
            let along = step.iter().zip(&tangent).map(|(s, t)| s * t).sum::<f64>() / (length * length);
            step.iter_mut().zip(&tangent).for_each(|(s, t)| *s -= along * t);
            self.border.iter_mut().zip(&tangent).for_each(|(b, t)| *b = t / length);
        }
        // No flight may lose more than a third at once.
        let shrinks = (0..k).map(|i| -step[i] / (0.3 * self.u[i])).fold(1.0, f64::max);
        let size = step.iter().fold(0.0_f64, |size, s| size.max(s.abs()));
        self.u.iter_mut().zip(&step).for_each(|(u, s)| *u += s / shrinks);
        size.is_finite().then_some(size)
    }
}

/// The λ that satisfy both sets of equations in the least-squares sense.
fn guess(equations: &mut Equations, modes: &LinearModes, sigmas: &[f64]) -> Option<Vec<f64>> {
    let k = sigmas.len();
    let ones = vec![1.0; k];
    let u = equations.unknowns_of_impacts(sigmas, &ones);
    let m = equations.unknowns();
    let (mut residual, mut jacobian) = (vec![0.0; m - 1], Matrix::zeros(m - 1, m));
    equations.evaluate(&u, &mut residual, &mut jacobian).ok()?;
    // [Π; Σ] λ = [0; -g₀]: the normal equations, which are good enough for a guess.
    let entry = |i: usize, j: usize| -> f64 {
        jacobian.column(k + i)[..2 * k].iter().zip(&jacobian.column(k + j)[..2 * k]).map(|(a, b)| a * b).sum()
    };
    let normal = Matrix::from_fn(k, k, entry);
    let gap = if modes.gap() == 0.0 { 1.0 } else { modes.gap().signum() };
    let right: Vec<f64> = (0..k).map(|j| -gap * jacobian.column(k + j)[k..2 * k].iter().sum::<f64>()).collect();
    let solution = normal.solve(&right).ok()?.x;
    let scale = equations.speed_unit();
    Some(solution.iter().map(|lambda| lambda * scale).collect())
}
