//! Controls the length of the next step.
//!
//! As far as three evaluations can be expected to suffice, and as the curve turns by half the largest angle allowed. Newton's
//! method makes of the error d of the prediction the errors C d², C³ d⁴, ..., and C is known from the first two corrections;
//! d itself grows with the fourth power of the step, or with the second one where there was only a tangent to predict from
//! (compare Allgower and Georg, section 6.1).

use saltation_numerics::elementary;
/// How a curve is followed. Lengths are in the metric of the problem, Σ (du_i / size_i)².
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The largest last correction of Newton's method, which is still applied: the error left is about its square.
    pub tolerance: f64,
    /// Corrections that stop to shrink below this are rounding of F, and the point is accepted too; at least the tolerance.
    pub stagnation: f64,
    /// The most evaluations per point.
    pub iterations: usize,
    /// The first step.
    pub first_step: f64,
    /// A step that had to be shorter ends the curve.
    pub shortest_step: f64,
    /// The longest step.
    pub longest_step: f64,
    /// The largest angle between the tangents at both ends of a step, in radians.
    pub largest_angle: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            stagnation: 1e-10,
            iterations: 8,
            first_step: 0.01,
            shortest_step: 1e-8,
            longest_step: 0.1,
            largest_angle: 0.4,
        }
    }
}

impl Settings {
    /// Whether every number makes sense: positive, and steps in their order.
    pub fn are_valid(&self) -> bool {
        let positive = [self.tolerance, self.first_step, self.shortest_step, self.longest_step, self.largest_angle];
        positive.iter().all(|x| x.is_finite() && *x > 0.0)
            && self.iterations > 0
            && self.shortest_step <= self.longest_step
            && self.largest_angle < std::f64::consts::FRAC_PI_2
    }
}

/// What an accepted step says about the next one.
pub(crate) struct Experience {
    pub(crate) step: f64,
    /// The first two corrections; 0 for none.
    pub(crate) first: f64,
    pub(crate) second: f64,
    pub(crate) angle: f64,
    /// The angle per length of the step before; 0 without one.
    pub(crate) bend: f64,
    /// The power of the step with which the error of the prediction grows.
    pub(crate) order: i32,
}

/// The largest distance of a point from its prediction, as a part of the largest angle times the step: the tangent predicts
/// a circle with the error angle/2 times the step.
pub(crate) const LARGEST_DISTANCE: f64 = 0.5;

/// The factor for the next step, between 1/2 and 2.
pub(crate) fn factor(settings: &Settings, experience: &Experience) -> f64 {
    let &Experience { step, first, second, angle, bend, order } = experience;
    let allowed = 0.5 * LARGEST_DISTANCE * settings.largest_angle * step;
    // The d with C³ d⁴ = tolerance / 100, for C = second / first²: a little less than three evaluations can do.
    let quadratic = if second > 0.0 && first > 0.0 {
        let contraction = second / first;
        first * elementary::powf(0.01 * settings.tolerance / (first * contraction.powi(3)), 0.25)
    } else {
        f64::INFINITY
    };
    let by_error = elementary::powf(quadratic.min(allowed) / first, 1.0 / f64::from(order));
    // A curvature that grew is taken to grow further.
    let growth = if bend > 0.0 { (angle / (step * bend)).clamp(1.0, 2.0) } else { 1.0 };
    let by_angle = 0.5 * settings.largest_angle / (angle * growth);
    // A quotient by zero is infinite and gives the largest factor.
    by_error.min(by_angle).clamp(0.5, 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_line_doubles_and_a_bend_halves() {
        let settings = Settings::default();
        let step = |first, second, angle| {
            factor(&settings, &Experience { step: 0.01, first, second, angle, bend: 0.0, order: 4 })
        };
        assert_eq!(step(0.0, 0.0, 0.0), 2.0);
        assert_eq!(step(1e-13, 0.0, 0.1), 2.0);
        assert_eq!(step(1e-4, 1e-8, 0.2), 1.0);
        assert_eq!(step(1e-4, 1e-8, 0.4), 0.5);
        assert!(step(1e-3, 1e-4, 0.1) < 1.0);
    }
}
