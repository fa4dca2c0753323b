//! Locates zeros of test functions between two points of a curve.
//!
//! The places between two points are numbered by the fraction of the cubic through them; every trial is corrected onto the
//! curve in the plane across the cubic, to rounding. On that line the zero is bracketed.

use crate::arc::Arc;
use crate::bracket::{Bracket, End};
use crate::corrector::{Course, Keep, Limits, Rejection};
use crate::{Curve, Point, Problem, test_function};

/// Why no zero could be found although the signs at the ends differ.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LocateError<F> {
    /// There is a gap between the ends in which the test function is not defined.
    #[error("the test function is not defined between the two points")]
    Undefined,
    /// No point of the curve was found between the ends.
    #[error("the curve was lost between the two points: {0}")]
    Lost(Rejection<F>),
}

/// How a test function changes its sign between two points.
#[derive(Clone, Debug, PartialEq)]
pub enum Crossing {
    /// It does not, or it is not defined at an end.
    None,
    /// It tends to zero from both sides.
    Zero(Box<Point>),
    /// It jumps, or has a pole: the points on both sides are as near as rounding allows.
    Jump {
        /// The last point before.
        before: Box<Point>,
        /// The first point after.
        after: Box<Point>,
    },
}

/// The width of the bracket at which the search ends, as a part of the whole.
const BRACKET_WIDTH: f64 = 1e-13;

/// How large the test may still be on both sides of a zero, as a part of the largest value at the ends. A root of square-root
/// type, the steepest in use, falls to 10^-6.5 at the width above; a jump does not fall.
const VANISHED_VALUE: f64 = 1e-5;

/// The most trials. Halving alone takes 43 of them; what is undefined takes more.
const MOST_TRIALS: usize = 150;

impl<P: Problem> Curve<P> {
    /// The zero of a test function between the previous and the current point, if it changes its sign there and tends to zero
    /// from both sides. `None` too if there is no previous point. A zero at the current point counts, one at the previous
    /// point does not.
    pub fn locate(
        &mut self,
        test: &mut dyn FnMut(&mut P, &Point) -> Option<f64>,
    ) -> Result<Option<Point>, LocateError<P::Failure>> {
        let Some(previous) = self.previous().cloned() else { return Ok(None) };
        let current = self.point().clone();
        self.locate_between(&previous, &current, test)
    }

    /// The same between any two neighbouring points, in the order in which the curve passes them.
    pub fn locate_between(
        &mut self,
        a: &Point,
        b: &Point,
        test: &mut dyn FnMut(&mut P, &Point) -> Option<f64>,
    ) -> Result<Option<Point>, LocateError<P::Failure>> {
        Ok(match self.crossing_between(a, b, test)? {
            Crossing::Zero(point) => Some(*point),
            Crossing::None | Crossing::Jump { .. } => None,
        })
    }

    /// The point between two neighbouring ones at which `unknowns[index]` has exactly the given value.
    pub fn locate_value(
        &mut self,
        a: &Point,
        b: &Point,
        index: usize,
        value: f64,
    ) -> Result<Option<Point>, LocateError<P::Failure>> {
        let Some(mut point) = self.locate_between(a, b, &mut test_function::value(index, value))? else {
            return Ok(None);
        };
        if point.unknowns[index] == value {
            return Ok(Some(point));
        }
        let found = point.clone();
        point.unknowns[index] = value;
        self.corrector.border_along(&found.tangent);
        let limits = self.sharp();
        if self.corrector.correct(&mut self.problem, &mut point, Keep::Unknown(index), limits).is_err() {
            // At a fold in this unknown the others do not follow from it; the change is one of rounding.
            point = found;
            point.unknowns[index] = value;
        }
        Ok(Some(point))
    }

    /// How a test function changes its sign between two neighbouring points: at a zero, by a jump, or not.
    pub fn crossing_between(
        &mut self,
        a: &Point,
        b: &Point,
        test: &mut dyn FnMut(&mut P, &Point) -> Option<f64>,
    ) -> Result<Crossing, LocateError<P::Failure>> {
        let defined = |value: Option<f64>| value.filter(|value| !value.is_nan());
        let (at_a, at_b) = (defined(test(&mut self.problem, a)), defined(test(&mut self.problem, b)));
        let (Some(at_a), Some(at_b)) = (at_a, at_b) else { return Ok(Crossing::None) };
        if at_a == 0.0 || at_a.signum() == at_b.signum() && at_b != 0.0 {
            return Ok(Crossing::None);
        }
        if at_b == 0.0 {
            return Ok(Crossing::Zero(Box::new(b.clone())));
        }
        // An infinite value has a sign and no size.
        let scale = [at_a, at_b].iter().map(|value| value.abs()).filter(|size| size.is_finite()).fold(0.0, f64::max);
        let mut bracket =
            Bracket::new(End { at: 0.0, value: at_a, what: a.clone() }, End { at: 1.0, value: at_b, what: b.clone() });
        let mut next = 0.5;
        let mut lost = LocateError::Undefined;
        for _ in 0..MOST_TRIALS {
            if bracket.width() <= 2.0 * BRACKET_WIDTH {
                break;
            }
            let trial = self.point_between(a, b, next).map_err(LocateError::Lost).and_then(|point| {
                let value = defined(test(&mut self.problem, &point)).ok_or(LocateError::Undefined)?;
                Ok(End { at: next, value, what: point })
            });
            match trial {
                Ok(end) if end.value == 0.0 => return Ok(Crossing::Zero(Box::new(end.what))),
                Ok(end) => {
                    bracket.take(end);
                    next = bracket.next(BRACKET_WIDTH);
                }
                Err(reason) => {
                    lost = reason;
                    // Nearer to the end where the test is smaller.
                    let near = bracket.better().at;
                    if (next - near).abs() <= BRACKET_WIDTH {
                        break;
                    }
                    next = 0.5 * (next + near);
                }
            }
        }
        let narrow = bracket.width() <= 2.0 * BRACKET_WIDTH;
        let (before, after) = bracket.ends();
        if !narrow {
            return Err(lost);
        }
        let (before_size, after_size) = (before.value.abs(), after.value.abs());
        if before_size.max(after_size) <= VANISHED_VALUE * scale {
            let nearest = if before_size < after_size { before } else { after };
            Ok(Crossing::Zero(Box::new(nearest.what)))
        } else {
            Ok(Crossing::Jump { before: Box::new(before.what), after: Box::new(after.what) })
        }
    }

    /// The point of the curve between two neighbouring ones, at a fraction of the cubic through them; `None` if Newton's
    /// method does not reach it.
    pub fn between(&mut self, a: &Point, b: &Point, at: f64) -> Option<Point> {
        self.point_between(a, b, at).ok()
    }

    /// The point of the curve at a fraction of the cubic between two neighbouring points.
    pub(crate) fn point_between(&mut self, a: &Point, b: &Point, at: f64) -> Result<Point, Rejection<P::Failure>> {
        let limits = self.sharp();
        let arc = Arc::new(a, b, &self.corrector.sizes);
        let mut point = Point::blank(a.jacobian.pattern().clone());
        arc.position(at, &mut point.unknowns);
        arc.direction(at, &self.corrector.sizes, &mut self.corrector.border);
        point.arclength = a.arclength + at * arc.length();
        let Course { first, second } = self.corrector.correct(&mut self.problem, &mut point, Keep::Plane, limits)?;
        // What lies further from the cubic than its length is on another curve, or on another part of this one.
        if first + second > arc.length() + limits.stagnation {
            return Err(Rejection::Distance);
        }
        Ok(point)
    }

    /// As near as rounding allows: corrections that stopped to shrink below the tolerance are rounding.
    pub(crate) fn sharp(&self) -> Limits {
        Limits { tolerance: 1e-14_f64.min(self.settings.tolerance), ..self.limits() }
    }
}
