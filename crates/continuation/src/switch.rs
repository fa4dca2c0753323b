//! Starts on the other curve through a branch point.
//!
//! A step is made along its tangent and corrected in the plane across it: there the curve on which the point was found is at the
//! distance of the step times the tangent of their angle, and the other one at the square of the step.

use crate::corrector::Keep;
use crate::curve::StartError;
use crate::{BranchPoint, Curve, Point, Problem, Rejection, Settings, metric};

impl<P: Problem> Curve<P> {
    /// Starts on the other curve through a branch point, on its one side for a positive sign and on the other for a negative
    /// one, and follows it away from the branch point.
    pub fn switch(
        problem: P,
        branch_point: &BranchPoint,
        sign: f64,
        settings: Settings,
    ) -> Result<Self, StartError<P::Failure>> {
        let from = &branch_point.point;
        let mut curve = Self::at(problem, &from.unknowns, settings)?;
        if branch_point.other.len() != from.unknowns.len() || from.tangent.len() != from.unknowns.len() {
            return Err(StartError::Shape("the branch point has not an entry per unknown"));
        }
        let direction: Vec<f64> = branch_point.other.iter().map(|t| if sign < 0.0 { -t } else { *t }).collect();
        let mut step = curve.step();
        let mut failed = Rejection::Jump;
        while step >= curve.settings.shortest_step {
            match curve.leave(from, &direction, step) {
                Ok(()) => {
                    curve.problem.accepted(&curve.current);
                    return Ok(curve);
                }
                Err(rejection) => failed = rejection,
            }
            step *= 0.5;
        }
        Err(StartError::NoPoint(failed))
    }

    /// Makes the point a step away from a branch point the current one, if it is on the curve with this direction.
    fn leave(&mut self, from: &Point, direction: &[f64], step: f64) -> Result<(), Rejection<P::Failure>> {
        for (i, u) in self.current.unknowns.iter_mut().enumerate() {
            *u = from.unknowns[i] + step * direction[i];
        }
        self.corrector.border_along(direction);
        let limits = self.limits();
        self.corrector.correct(&mut self.problem, &mut self.current, Keep::Plane, limits)?;
        let (sizes, point) = (&self.corrector.sizes, &self.current);
        // Near the branch point each curve keeps to its own tangent.
        let along = |t: &[f64]| {
            let parts = (0..sizes.len()).map(|i| (point.unknowns[i] - from.unknowns[i]) / sizes[i] * (t[i] / sizes[i]));
            parts.sum::<f64>().abs()
        };
        if along(direction) <= along(&from.tangent) {
            return Err(Rejection::Jump);
        }
        let turn = metric::angle(&point.tangent, direction, sizes);
        if turn > self.settings.largest_angle { Err(Rejection::Angle) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::planar;

    type Plane = (fn(f64, f64) -> (f64, [f64; 2]), f64);

    #[derive(Clone)]
    struct Polynomial(Plane);

    impl Problem for Polynomial {
        type Failure = &'static str;
        fn unknowns(&self) -> usize {
            2
        }
        fn sizes(&self) -> &[f64] {
            &[1.0, 1.0]
        }
        fn evaluate(
            &mut self,
            u: &[f64],
            residual: &mut [f64],
            jacobian: &mut saltation_numerics::dense::Matrix,
        ) -> Result<(), Self::Failure> {
            let (f, shift) = self.0;
            let (value, gradient) = f(u[0], u[1] - shift);
            residual[0] = value;
            jacobian.entries_mut().copy_from_slice(&gradient);
            Ok(())
        }
    }

    fn first_branch_point(problem: Polynomial, guess: [f64; 2], sign: f64) -> BranchPoint {
        let mut curve = Curve::start(problem, &guess, 1, Settings::default()).unwrap();
        curve.orient(1, sign);
        loop {
            let before: Point = curve.point().clone();
            let after = curve.advance().unwrap().clone();
            if let Some(found) = curve.branch_point_between(&before, &after).unwrap() {
                return found;
            }
            assert!(after.arclength < 3.0, "the branch point was missed");
        }
    }

    /// p x - x³: the parabola p = x² leaves the line x = 0 at right angles.
    #[test]
    fn a_pitchfork() {
        let pitchfork = Polynomial((|x, p| (p * x - x.powi(3), [p - 3.0 * x * x, x]), 0.3));
        let found = first_branch_point(pitchfork.clone(), [0.0, -1.0], 1.0);
        assert!(found.regular);
        assert!(found.point.unknowns[0].abs() < 1e-14 && (found.point.unknowns[1] - 0.3).abs() < 1e-14);
        assert!((found.point.tangent[1] - 1.0).abs() < 1e-12 && (found.other[0].abs() - 1.0).abs() < 1e-8);
        for sign in [1.0, -1.0] {
            let mut branch = Curve::switch(pitchfork.clone(), &found, sign, Settings::default()).unwrap();
            for _ in 0..20 {
                let u = &branch.advance().unwrap().unknowns;
                assert!((u[1] - 0.3 - u[0] * u[0]).abs() < 1e-13 && u[0] * sign * found.other[0] > 0.0, "{u:?}");
            }
        }
        // And back: the parabola meets the line where it turns.
        let again = first_branch_point(pitchfork, [-1.0, 1.3], -1.0);
        assert!(again.regular && again.point.unknowns[0].abs() < 1e-13, "{again:?}");
        assert!((again.other[1].abs() - 1.0).abs() < 1e-8);
    }

    /// The line x = 2 p and the parabola p = x + x², which cross at the origin and once more.
    #[test]
    fn a_transcritical_point() {
        let crossing = Polynomial((
            |x, p| {
                let (left, right) = (x - p + x * x, x - 2.0 * p);
                (left * right, [(1.0 + 2.0 * x) * right + left, -right - 2.0 * left])
            },
            -0.2,
        ));
        let found = first_branch_point(crossing.clone(), [-0.2, -0.3], 1.0);
        assert!(found.regular);
        assert!(found.point.unknowns[0].abs() < 1e-14 && (found.point.unknowns[1] + 0.2).abs() < 1e-14);
        let slope = |t: &[f64]| t[0] / t[1];
        assert!((slope(&found.point.tangent) - 2.0).abs() < 1e-8 && (slope(&found.other) - 1.0).abs() < 1e-8);
        for sign in [1.0, -1.0] {
            let mut branch = Curve::switch(crossing.clone(), &found, sign, Settings::default()).unwrap();
            for _ in 0..3 {
                let u = &branch.advance().unwrap().unknowns;
                assert!((u[0] + u[0] * u[0] - u[1] - 0.2).abs() < 1e-13 && u[0].abs() > 0.01, "{u:?}");
            }
        }
    }

    /// x (x - p³): the curves touch to third order where they cross, and only the change of sign tells.
    #[test]
    fn a_crossing_without_an_angle_is_found_but_not_regular() {
        let touching = Polynomial((|x, p| (x * (x - p.powi(3)), [2.0 * x - p.powi(3), -3.0 * x * p * p]), 0.3));
        let found = first_branch_point(touching, [0.0, -0.5], 1.0);
        assert!(!found.regular);
        assert!(found.point.unknowns[0].abs() < 1e-8 && (found.point.unknowns[1] - 0.3).abs() < 1e-8, "{found:?}");
        assert!((found.other[0].abs() - 1.0).abs() < 1e-8);
    }

    /// A pitchfork that is not quite one has no branch point, and the curve goes round the corner.
    #[test]
    fn an_imperfect_pitchfork_has_none() {
        const FLAW: f64 = 1e-6;
        let imperfect = planar(|x, p| Ok((p * x - x.powi(3) + FLAW, [p - 3.0 * x * x, x])));
        let mut curve = Curve::start(imperfect, &[0.0, -1.0], 1, Settings::default()).unwrap();
        while curve.point().unknowns[1] < 1.0 {
            let before = curve.point().clone();
            let after = curve.advance().unwrap().clone();
            assert_eq!(curve.branch_point_between(&before, &after), Ok(None));
        }
        assert!((curve.point().unknowns[0] - curve.point().unknowns[1].sqrt()).abs() < 1e-5);
    }
}
