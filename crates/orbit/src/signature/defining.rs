//! The defining conditions of bifurcations and borders, beside the equations of their signature.

use saltation_continuation::augmented::Failure;
use saltation_continuation::{Condition, Point, Singular};
use saltation_motion::Bound;
use saltation_motion::ClosedSet;
use saltation_motion::extension::Lost;
use saltation_numerics::blocks::BlockMatrix;
use saltation_numerics::dense::Matrix;

use super::Equations;

/// A bound of a contact in a mode, at the state after the jump of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoundAfter {
    pub node: usize,
    pub mode: ClosedSet,
    pub contact: usize,
    pub bound: Bound,
}

/// The equation that is added.
#[derive(Debug, Clone)]
pub(crate) enum Defining {
    /// The impact of a node has no speed.
    Speed(usize),
    /// The gap is zero at a node that is a minimum of it.
    Gap(usize),
    /// The bound that is reached at a node, the contact force of a release, is reached without speed.
    BoundRate(usize),
    /// A bound of a contact would begin with zero in a mode after a node.
    BoundAfter(BoundAfter),
    /// The sequence of a [`Kind::Accumulation`](super::Kind::Accumulation) ends where the contact force vanishes.
    Excess(usize),
    /// An unknown, a duration, has a value.
    Time(usize, f64),
    /// The equations of perturbations are singular.
    Singular(Box<Singular>),
}

impl Condition<Equations<'_>> for Defining {
    fn evaluate(
        &mut self,
        family: &mut Equations,
        u: &[f64],
        jacobian: &BlockMatrix,
        values: &mut [f64],
        gradients: &mut Matrix,
    ) -> Result<(), Failure<Lost>> {
        let gradient = gradients.entries_mut();
        values[0] = match self {
            Defining::Speed(node) => family.speed_at(*node, u, gradient),
            Defining::Gap(node) => family.gap_at(*node, u, gradient),
            Defining::BoundRate(node) => family.bound_rate_at(*node, u, gradient),
            Defining::BoundAfter(after) => family.bound_after(*after, u, gradient).map_err(Failure::Family)?,
            Defining::Excess(node) => family.excess_at(*node, u, gradient).map_err(Failure::Family)?,
            Defining::Time(unknown, value) => {
                gradient.fill(0.0);
                gradient[*unknown] = 1.0;
                u[*unknown] - *value
            }
            Defining::Singular(singular) => return singular.evaluate(family, u, jacobian, values, gradients),
        };
        Ok(())
    }

    fn accepted(&mut self, family: &Equations, point: &Point) {
        if let Defining::Singular(singular) = self {
            Condition::<Equations>::accepted(&mut **singular, family, point);
        }
    }
}

/// Several equations at once.
#[derive(Debug, Clone)]
pub(crate) struct DefiningSet(pub Vec<Defining>);

impl Condition<Equations<'_>> for DefiningSet {
    fn equations(&self) -> usize {
        self.0.len()
    }

    fn evaluate(
        &mut self,
        family: &mut Equations,
        u: &[f64],
        jacobian: &BlockMatrix,
        values: &mut [f64],
        gradients: &mut Matrix,
    ) -> Result<(), Failure<Lost>> {
        let mut row = Matrix::zeros(1, u.len());
        for (i, extra) in self.0.iter_mut().enumerate() {
            extra.evaluate(family, u, jacobian, &mut values[i..=i], &mut row)?;
            (0..u.len()).for_each(|j| gradients[(i, j)] = row[(0, j)]);
        }
        Ok(())
    }
}
