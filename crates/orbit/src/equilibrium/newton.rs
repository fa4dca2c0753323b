//! Solves equations that may be more than the unknowns by the Gauss-Newton method with damping.
//!
//! The equations of equilibria in contact are consistent but redundant, so that the step is the shortest least-squares solution of
//!
//! J d = -r,
//!
//! and converges quadratically where the residual r can be made zero. Steps are halved until the natural monotonicity test holds
//! (Deuflhard, Newton Methods for Nonlinear Problems, Sect. 4.2); states without values are left in the same way.

use saltation_numerics::dense::Matrix;

/// The most steps.
const MOST_STEPS: usize = 100;
/// A step is halved at most so often.
const MOST_HALVINGS: usize = 20;
/// Singular values below this, relative to the largest, count as zero in a step: redundant equations make some that are rounding.
const ZERO_SINGULAR_VALUE: f64 = 1e-13;
/// Steps below this, relative to the states, no longer lead anywhere else: from here on they are taken as long as they get shorter.
const LOCAL_STEP: f64 = 1e-9;
/// At a solution of multiplicity m steps get shorter by the factor 1 - 1/m; what is slower is rounding.
const SLOWEST: f64 = 0.9;

/// Equations at a point, in units in which unknowns and residuals are of size one.
pub(crate) struct Equations {
    pub residual: Vec<f64>,
    pub jacobian: Matrix,
}

/// Where the method stopped.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Solution {
    pub unknowns: Vec<f64>,
    /// The largest residual.
    pub residual: f64,
    /// Whether steps became shorter than any that lead elsewhere; with a large residual it is a place where no step helps.
    pub converged: bool,
    pub singular_values: Vec<f64>,
    pub iterations: usize,
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// Improves unknowns; `at` gives the equations, or none where they have no finite values. None if the start is such a place.
pub(crate) fn solve(start: &[f64], mut at: impl FnMut(&[f64]) -> Option<Equations>) -> Option<Solution> {
    let mut unknowns = start.to_vec();
    let mut here = at(&unknowns)?;
    let (mut before, mut iterations) = (f64::INFINITY, 0);
    let toward = |jacobian: &Matrix, residual: &[f64]| {
        let right: Vec<f64> = residual.iter().map(|r| -r).collect();
        jacobian.least_squares(&right, ZERO_SINGULAR_VALUE).ok()
    };
    let (converged, singular_values) = loop {
        let step = toward(&here.jacobian, &here.residual)?;
        let length = norm(&step.x);
        let converged = length <= LOCAL_STEP;
        if length == 0.0 || iterations == MOST_STEPS || converged && length > SLOWEST * before {
            break (converged, step.singular_values);
        }
        before = length;
        let mut next = None;
        let mut damping = 1.0;
        for _ in 0..=MOST_HALVINGS {
            let trial: Vec<f64> = unknowns.iter().zip(&step.x).map(|(x, d)| x + damping * d).collect();
            let there = at(&trial);
            if let Some(there) = there {
                let bar = toward(&here.jacobian, &there.residual);
                let shorter = bar.is_some_and(|bar| norm(&bar.x) <= (1.0 - 0.25 * damping) * length);
                // The last digits are not the concern of the test.
                if shorter || converged && largest(&there.residual) <= largest(&here.residual) {
                    next = Some((trial, there));
                    break;
                }
            }
            damping *= 0.5;
        }
        let Some((trial, there)) = next else { break (converged, step.singular_values) };
        (unknowns, here) = (trial, there);
        iterations += 1;
    };
    let residual = largest(&here.residual);
    Some(Solution { unknowns, residual, converged, singular_values, iterations })
}

/// Unknowns near a solution other than the known ones, or none: Newton's method for F over the product of the distances to those (deflation: Brown & Gearhart, Numer. Math. 16,
/// 1971; Farrell, Birkisson & Funke, SIAM J. Sci. Comput. 37, 2015). Its steps are those for F, times 1/(1 + sum e'd/e'e) with the way e from each known solution and the step d.
/// `ways` gives these for unknowns, `at` the equations as for [`solve`].
pub(crate) fn beside(
    start: &[f64],
    ways: impl Fn(&[f64]) -> Vec<Vec<f64>>,
    mut at: impl FnMut(&[f64]) -> Option<Equations>,
) -> Option<Vec<f64>> {
    let mut unknowns = start.to_vec();
    for _ in 0..MOST_STEPS {
        let here = at(&unknowns)?;
        let right: Vec<f64> = here.residual.iter().map(|r| -r).collect();
        let step = here.jacobian.least_squares(&right, ZERO_SINGULAR_VALUE).ok()?.x;
        if norm(&step) <= LOCAL_STEP {
            return Some(unknowns);
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let turns: Vec<f64> = ways(&unknowns).iter().map(|way| dot(way, &step) / dot(way, way)).collect();
        let slope = 1.0 + turns.iter().sum::<f64>();
        let size = 1.0 + turns.iter().map(|turn| turn.abs()).sum::<f64>();
        // Where the known solutions are all that there are, the quotient is a constant, and its slope is rounding.
        if slope.is_nan() || slope.abs() <= ZERO_SINGULAR_VALUE * size {
            return None;
        }
        unknowns.iter_mut().zip(&step).for_each(|(x, d)| *x += d / slope);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(f: impl Fn(f64) -> (f64, f64)) -> impl FnMut(&[f64]) -> Option<Equations> {
        move |x: &[f64]| {
            let (value, slope) = f(x[0]);
            value.is_finite().then(|| Equations { residual: vec![value], jacobian: Matrix::from_rows([[slope]]) })
        }
    }

    #[test]
    fn steps_are_shortened_where_they_overshoot_or_leave_the_domain() {
        // Newton's method without damping runs away from beyond 1.39.
        let solution = solve(&[3.0], one(|x| (x.atan(), 1.0 / (1.0 + x * x)))).unwrap();
        assert!(solution.converged && solution.residual < 1e-15, "{solution:?}");
        let solution = solve(&[4.0], one(|x| (x.ln(), 1.0 / x))).unwrap();
        assert!((solution.unknowns[0] - 1.0).abs() < 1e-15, "{solution:?}");
    }

    #[test]
    fn what_has_no_solution_ends() {
        // A residual that cannot vanish, one that vanishes at infinity, and a start without value.
        let solution = solve(&[1.0], one(|x| (1.0 + x * x, 2.0 * x))).unwrap();
        assert!(solution.residual >= 1.0);
        let solution = solve(&[1.0], one(|x| ((-x).exp(), -(-x).exp()))).unwrap();
        assert!(!solution.converged);
        assert_eq!(solve(&[-1.0], one(|x| (x.ln(), 1.0 / x))), None);
    }

    #[test]
    fn redundant_equations_converge_quadratically() {
        // x^2 = 2, twice and once more as x^4 = 4.
        let at = |x: &[f64]| {
            let (x, s) = (x[0], x[0] * x[0]);
            let jacobian = Matrix::from_rows([[2.0 * x], [2.0 * x], [4.0 * s * x]]);
            Some(Equations { residual: vec![s - 2.0, s - 2.0, s * s - 4.0], jacobian })
        };
        let solution = solve(&[1.0], at).unwrap();
        assert!((solution.unknowns[0] - 2.0_f64.sqrt()).abs() < 1e-15 && solution.iterations < 9, "{solution:?}");
    }

    #[test]
    fn solutions_beside_known_ones_are_found() {
        // (x + 2)(x - 1)(x - 3), of which Newton's method from 0.4 finds 1.
        let cubic = |x: f64| ((x + 2.0) * (x - 1.0) * (x - 3.0), 3.0 * x * x - 4.0 * x - 5.0);
        let mut known = vec![1.0];
        for _ in 0..2 {
            let roots = known.clone();
            let ways = |x: &[f64]| roots.iter().map(|root| vec![x[0] - root]).collect::<Vec<Vec<f64>>>();
            known.push(beside(&[0.4], ways, one(cubic)).unwrap()[0]);
        }
        known.sort_by(f64::total_cmp);
        assert!(known.iter().zip([-2.0, 1.0, 3.0]).all(|(x, root)| (x - root).abs() < 1e-8), "{known:?}");
        // There is no fourth one, and x = 2 solves a linear equation alone.
        let ways = |x: &[f64]| known.iter().map(|root| vec![x[0] - root]).collect::<Vec<Vec<f64>>>();
        assert_eq!(beside(&[0.5], ways, one(cubic)), None);
        assert_eq!(beside(&[0.5], |x| vec![vec![x[0] - 2.0]], one(|x| (x - 2.0, 1.0))), None);
    }
}
