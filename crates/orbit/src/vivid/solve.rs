//! Solves V = 0 at a given impact speed or at given parameters by Newton's method.
//!
//! With the impact speed held, as in Ghosh & Simpson, Eq. (4.1), the other states and a parameter are sought, and nothing
//! is special about speed zero.

use saltation_numerics::dense::{Elimination, Matrix};

use super::{Failure, Vivid};

/// What is held while the other unknowns are sought: one for every free parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Held {
    /// The opening speed at the impact has this value, negative for an impact.
    Speed(f64),
    /// The unknown at this position keeps its value.
    Unknown(usize),
}

/// A zero of V.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The state before the impact, then the free parameters.
    pub unknowns: Vec<f64>,
    /// The length of every step of Newton's method, in units of the sizes.
    pub steps: Vec<f64>,
}

/// Why no zero was found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unsolved {
    /// V has no value at the guess, or no fraction of a step keeps it in its domain.
    #[error("V has no value where it is asked for: {failure} (after {steps} steps)")]
    Failure {
        /// Why.
        failure: Failure,
        /// How many steps had been taken.
        steps: usize,
    },
    /// The equations are singular.
    #[error("the derivative of V is singular after {steps} steps")]
    Singular {
        /// How many steps had been taken.
        steps: usize,
    },
    /// The steps did not become small.
    #[error("Newton's method did not converge: its last step is {step:.1e}")]
    NotConverged {
        /// The last step, in units of the sizes.
        step: f64,
    },
    /// The numbers do not fit.
    #[error(
        "{expected} unknowns and one held quantity per free parameter are needed: {held} are held, {unknowns} unknowns given"
    )]
    Mismatch {
        /// How many unknowns there are.
        expected: usize,
        /// How many were given.
        unknowns: usize,
        /// How many are held.
        held: usize,
    },
}

/// So many steps are taken at most.
const MOST_STEPS: usize = 30;
/// A step is halved at most so often where V has no value.
const MOST_HALVINGS: usize = 12;
/// A step this small, in units of the sizes, is the last.
const STEP_TOLERANCE: f64 = 1e-13;
/// A step this small is the last if rounding keeps it from being half the one before.
const STEP_ROUNDING: f64 = 1e-8;

impl Vivid<'_> {
    /// The zero of V that Newton's method finds from a guess, with one quantity held per free parameter.
    ///
    /// # Errors
    /// If it finds none, or the numbers do not fit.
    pub fn solve(&mut self, guess: &[f64], held: &[Held]) -> Result<Solution, Unsolved> {
        let (states, count) = (self.states(), self.sizes.len());
        let fits = held.iter().all(|h| !matches!(h, Held::Unknown(k) if *k >= count));
        if guess.len() != count || held.len() != self.free() || !fits {
            return Err(Unsolved::Mismatch { expected: count, unknowns: guess.len(), held: held.len() });
        }
        let mut solution = Solution { unknowns: guess.to_vec(), steps: Vec::new() };
        let mut residual = vec![0.0; states];
        let mut jacobian = Matrix::zeros(states, count);
        let mut bordered = Matrix::zeros(count, count);
        let mut elimination = Elimination::default();
        let mut step = vec![0.0; count];
        let failed = |failure, steps| Unsolved::Failure { failure, steps };
        if held.iter().any(|h| matches!(h, Held::Speed(speed) if !speed.is_finite())) {
            return Err(failed(Failure::NotFinite, 0));
        }
        self.evaluate(guess, &mut residual, &mut jacobian).map_err(|failure| failed(failure, 0))?;
        let mut before = f64::INFINITY;
        for taken in 0..MOST_STEPS {
            for i in 0..states {
                step[i] = -residual[i];
                (0..count).for_each(|j| bordered[(i, j)] = jacobian[(i, j)] * self.sizes[j]);
            }
            for (i, held) in held.iter().enumerate() {
                let row = states + i;
                for j in 0..count {
                    bordered[(row, j)] = match *held {
                        Held::Speed(_) => self.variation.speed.gradient[j] * self.sizes[j],
                        Held::Unknown(k) => f64::from(j == k),
                    };
                }
                step[row] = match *held {
                    Held::Speed(speed) => speed - self.variation.speed.value,
                    Held::Unknown(_) => 0.0,
                };
            }
            // Every equation gets the same size.
            for (i, right) in step.iter_mut().enumerate() {
                let height = (0..count).fold(0.0, |m: f64, j| m.max(bordered[(i, j)].abs()));
                if height > 0.0 {
                    (0..count).for_each(|j| bordered[(i, j)] /= height);
                    *right /= height;
                }
            }
            let solved = elimination.factor(&bordered).and_then(|()| elimination.solve_in_place(&mut step));
            let length = step.iter().map(|d| d * d).sum::<f64>().sqrt();
            if solved.is_err() || !length.is_finite() {
                return Err(Unsolved::Singular { steps: taken });
            }
            let mut trial = solution.unknowns.clone();
            let mut fraction = 1.0;
            for halving in 0..=MOST_HALVINGS {
                for (i, x) in trial.iter_mut().enumerate() {
                    *x = solution.unknowns[i] + fraction * step[i] * self.sizes[i];
                }
                match self.evaluate(&trial, &mut residual, &mut jacobian) {
                    Ok(()) => break,
                    Err(failure) if halving == MOST_HALVINGS => return Err(failed(failure, taken)),
                    Err(_) => fraction *= 0.5,
                }
            }
            solution.unknowns = trial;
            solution.steps.push(fraction * length);
            if fraction == 1.0 && (length <= STEP_TOLERANCE || (length <= STEP_ROUNDING && length >= 0.5 * before)) {
                return Ok(solution);
            }
            before = length;
        }
        Err(Unsolved::NotConverged { step: before })
    }
}
