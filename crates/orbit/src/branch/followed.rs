//! The interface of equations by which a branch can be followed: those of its signature, or others whose solutions are inspected through them.

use std::borrow::Cow;

use saltation_continuation::{Curve, Point, Problem};
use saltation_motion::extension::Lost;
use saltation_numerics::blocks::BlockMatrix;
use saltation_numerics::dense::Matrix;

use super::homoclinic::Growth;
use super::mesh;
use super::tracer::Tracer;
use crate::signature::{Circle, Equations};
use crate::vivid::{self, Vivid};

/// Equations of orbits, whose last unknown is the parameter.
pub(crate) trait Followed<'s>: Problem + Clone {
    /// The equations of the signature.
    fn signature_equations(&mut self) -> &mut Equations<'s>;

    /// A point in the unknowns of the signature, with the Jacobian there.
    ///
    /// # Errors
    /// If it has none.
    fn signature_point<'a>(&mut self, point: &'a Point) -> Result<Cow<'a, Point>, Self::Failure>;

    /// The failure of a piece of motion without end.
    fn lost(lost: Lost) -> Self::Failure;

    /// Whether a chattering sequence did not become complete.
    fn is_incomplete(failure: &Self::Failure) -> bool;

    /// Cuts pieces that have become too sensitive; whether there were any.
    fn refine(tracer: &Tracer<'s, '_>, curve: &mut Curve<Self>, growth: &mut Growth) -> bool;

    /// The unknowns that go round, with their periods.
    fn circles(&mut self, point: &Point) -> Vec<Circle>;

    /// Turns planes that the trajectory has come to cross at a small angle.
    fn straighten(curve: &mut Curve<Self>);
}

impl<'s> Followed<'s> for Equations<'s> {
    fn signature_equations(&mut self) -> &mut Equations<'s> {
        self
    }

    fn signature_point<'a>(&mut self, point: &'a Point) -> Result<Cow<'a, Point>, Lost> {
        Ok(Cow::Borrowed(point))
    }

    fn lost(lost: Lost) -> Lost {
        lost
    }

    fn is_incomplete(failure: &Lost) -> bool {
        matches!(failure, Lost::Incomplete { .. })
    }

    fn refine(tracer: &Tracer<'s, '_>, curve: &mut Curve<Self>, growth: &mut Growth) -> bool {
        mesh::refine(tracer, curve, growth)
    }

    fn circles(&mut self, point: &Point) -> Vec<Circle> {
        Equations::circles(self, &point.unknowns)
    }

    fn straighten(curve: &mut Curve<Self>) {
        mesh::straighten(curve);
    }
}

/// Zeros of the VIVID function, with the equations of their signature for inspecting them.
#[derive(Debug, Clone)]
pub(crate) struct ByVivid<'s> {
    pub vivid: Vivid<'s>,
    pub equations: Equations<'s>,
}

impl Problem for ByVivid<'_> {
    type Failure = vivid::Failure;

    fn unknowns(&self) -> usize {
        self.vivid.unknowns()
    }

    fn sizes(&self) -> &[f64] {
        Problem::sizes(&self.vivid)
    }

    fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), vivid::Failure> {
        Problem::evaluate(&mut self.vivid, u, residual, jacobian)
    }

    fn accepted(&mut self, point: &Point) {
        self.vivid.accepted(point);
    }
}

impl<'s> Followed<'s> for ByVivid<'s> {
    fn signature_equations(&mut self) -> &mut Equations<'s> {
        &mut self.equations
    }

    fn signature_point<'a>(&mut self, point: &'a Point) -> Result<Cow<'a, Point>, vivid::Failure> {
        let mut unknowns = self.vivid.reading(&point.unknowns)?.unknowns;
        let n = unknowns.len();
        unknowns.extend(point.unknowns.last());
        let mut tangent = vec![0.0; n + 1];
        tangent[n] = point.tangent.last().copied().unwrap_or(0.0);
        let mut jacobian = BlockMatrix::zeros(self.equations.pattern());
        self.equations.evaluate(&unknowns, &mut vec![0.0; n], &mut jacobian).map_err(vivid::Failure::Lost)?;
        Ok(Cow::Owned(Point { unknowns, tangent, jacobian, ..point.clone() }))
    }

    fn lost(lost: Lost) -> vivid::Failure {
        vivid::Failure::Lost(lost)
    }

    fn is_incomplete(_: &vivid::Failure) -> bool {
        false
    }

    fn refine(_: &Tracer<'s, '_>, _: &mut Curve<Self>, _: &mut Growth) -> bool {
        false
    }

    fn circles(&mut self, point: &Point) -> Vec<Circle> {
        let states = point.unknowns.len() - 1;
        // The parameter stands last in both.
        let mut unknowns = vec![0.0; self.equations.layout().parameters];
        unknowns.extend(point.unknowns.last());
        let periods = self.equations.state_periods(&unknowns);
        let around = periods.into_iter().enumerate().take(states).filter(|(_, period)| *period > 0.0);
        around.map(|(unknown, period)| Circle { unknown, period }).collect()
    }

    fn straighten(_: &mut Curve<Self>) {}
}
