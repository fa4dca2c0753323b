//! How is the other curve through a branch point reached?
//!
//! A step is made along its tangent and corrected in the plane across it: there the curve on which the point was found is at the
//! distance of the step times the tangent of their angle, and the other one at the square of the step.

use crate::curve::StartError;
use crate::{BranchPoint, Curve, Problem, Rejection, Settings, metric};

impl<P: Problem> Curve<P> {
    /// Starts on the other curve through a branch point, on its one side for a positive sign and on the other for a negative
    /// one, and follows it away from the branch point.
    pub fn switch(
        problem: P,
        branch_point: &BranchPoint,
        sign: f64,
        settings: Settings,
    ) -> Result<Self, StartError<P::Failure>>
    where
        P: Clone,
    {
        let sizes = problem.sizes().to_vec();
        let from = &branch_point.point;
        if from.unknowns.len() != sizes.len() || branch_point.other.len() != sizes.len() {
            return Err(StartError::Shape("the branch point has not as many entries as there are unknowns"));
        }
        let direction: Vec<f64> = branch_point.other.iter().map(|t| if sign < 0.0 { -t } else { *t }).collect();
        let mut step = settings.first_step;
        let mut failed = StartError::NoPoint(Rejection::Jump);
        while step >= settings.shortest_step {
            let guess = from.unknowns.iter().zip(&direction).map(|(u, t)| u + step * t).collect();
            match Self::through(problem.clone(), guess, &direction, settings.clone()) {
                Ok(curve) => {
                    // Near the branch point each curve keeps to its own tangent.
                    let point = curve.point();
                    let chord: Vec<f64> = point.unknowns.iter().zip(&from.unknowns).map(|(u, v)| u - v).collect();
                    let along = |t: &[f64]| {
                        let product: f64 = (0..sizes.len()).map(|i| chord[i] / sizes[i] * (t[i] / sizes[i])).sum();
                        product.abs()
                    };
                    if along(&direction) > along(&from.tangent)
                        && metric::angle(&point.tangent, &direction, &sizes) <= settings.largest_angle
                    {
                        return Ok(curve);
                    }
                    failed = StartError::NoPoint(Rejection::Jump);
                }
                Err(error) => failed = error,
            }
            step *= 0.5;
        }
        Err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;
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
