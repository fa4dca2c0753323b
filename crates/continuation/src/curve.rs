//! Follows a curve point by point by pseudo-arclength continuation: predict, correct, accept or halve the step.
//!
//! A step is accepted if Newton's corrections contract, the point is near its prediction, and tangents and chord turn by a
//! small angle. The sign of det [J; t'] changes at a branch point and at a jump to another part of the curve; these
//! are distinguished halfway, where after a jump there is no curve near the cubic through both points.

use crate::arc::{self, Arc};
use crate::corrector::{Corrector, Course, Keep, Limits, Rejection};
use crate::step::{self, Experience, LARGEST_DISTANCE, Settings};
use crate::{Point, Problem, metric};
use saltation_numerics::elementary;

/// Why a curve cannot be started.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StartError<F> {
    /// A vector has not as many entries as there are unknowns, there are not as many equations as unknowns but one, an index
    /// is too large, or a size is not positive.
    #[error("the shape is wrong: {0}")]
    Shape(&'static str),
    /// A setting is not positive or not finite, or the longest step is below the shortest.
    #[error("a setting is not positive or not finite, or the longest step is below the shortest")]
    Settings,
    /// No point of the curve was found.
    #[error("no point of the curve was found near the start: {0}")]
    NoPoint(Rejection<F>),
}

/// Why a curve cannot be followed further.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Stop<F> {
    /// The step would become shorter than the shortest one allowed.
    #[error("no step is short enough: {rejection}")]
    Shortest {
        /// Why F could not be evaluated at the last trial, if it could not.
        reason: Option<F>,
        /// Why the last trial was rejected.
        rejection: Rejection<F>,
    },
}

impl<F: Clone> From<Rejection<F>> for Stop<F> {
    fn from(rejection: Rejection<F>) -> Self {
        let reason = match &rejection {
            Rejection::Failure(failure) => Some(failure.clone()),
            _ => None,
        };
        Self::Shortest { reason, rejection }
    }
}

/// A curve F(u) = 0 and a place on it.
#[derive(Clone, Debug)]
pub struct Curve<P> {
    pub(crate) problem: P,
    pub(crate) corrector: Corrector,
    pub(crate) settings: Settings,
    pub(crate) current: Point,
    previous: Option<Point>,
    trial: Point,
    step: f64,
    /// The angle by which the last step turned per length; 0 without one.
    bend: f64,
    /// How many trials were rejected since the start.
    rejected: usize,
}

impl<P: Problem> Curve<P> {
    /// Goes from a guess to a point of a curve by Newton's method with unknown `held` kept at its value, or, where the equations
    /// for the others are singular as at a fold, to a near point. The curve is followed with unknown `held` growing.
    pub fn start(problem: P, guess: &[f64], held: usize, settings: Settings) -> Result<Self, StartError<P::Failure>> {
        let mut curve = Self::at(problem, guess, settings)?;
        if held >= guess.len() {
            return Err(StartError::Shape("there is no unknown of the index that is to be held"));
        }
        curve.corrector.border.fill(0.0);
        curve.corrector.border[held] = 1.0;
        let limits = Limits { iterations: 5 * curve.settings.iterations, contraction: f64::INFINITY, ..curve.limits() };
        let kept = curve.corrector.correct(&mut curve.problem, &mut curve.current, Keep::Unknown(held), limits);
        if let Err(rejection) = kept {
            curve.current.unknowns.copy_from_slice(guess);
            curve.nearest(limits).map_err(|_| StartError::NoPoint(rejection))?;
        }
        curve.orient(held, 1.0);
        curve.problem.accepted(&curve.current);
        Ok(curve)
    }

    /// Starts at the point of a curve in the plane through `point` orthogonal to `tangent`, and follows it in that direction.
    pub fn through(
        problem: P,
        point: Vec<f64>,
        tangent: &[f64],
        settings: Settings,
    ) -> Result<Self, StartError<P::Failure>> {
        let mut curve = Self::at(problem, &point, settings)?;
        if tangent.len() != point.len() {
            return Err(StartError::Shape("the tangent has not an entry per unknown"));
        }
        curve.corrector.border_along(tangent);
        let limits = Limits { contraction: f64::INFINITY, ..curve.limits() };
        curve
            .corrector
            .correct(&mut curve.problem, &mut curve.current, Keep::Plane, limits)
            .map_err(StartError::NoPoint)?;
        curve.problem.accepted(&curve.current);
        Ok(curve)
    }

    /// Memory for a curve, with the unknowns of the current point set.
    pub(crate) fn at(problem: P, unknowns: &[f64], settings: Settings) -> Result<Self, StartError<P::Failure>> {
        let (n, m) = (problem.equations(), problem.unknowns());
        let shape = |wrong, message| if wrong { Err(StartError::Shape(message)) } else { Ok(()) };
        shape(m != n + 1, "there must be one unknown more than equations")?;
        shape(unknowns.len() != m, "the guess has not an entry per unknown")?;
        shape(problem.sizes().len() != m, "there is not a size per unknown")?;
        shape(!problem.sizes().iter().all(|size| size.is_finite() && *size > 0.0), "a size is not positive")?;
        shape(!unknowns.iter().all(|u| u.is_finite()), "the guess is not finite")?;
        if !settings.are_valid() {
            return Err(StartError::Settings);
        }
        let blank = Point::blank(problem.pattern());
        let mut current = blank.clone();
        current.unknowns.copy_from_slice(unknowns);
        let corrector = Corrector::new(problem.sizes(), problem.pattern());
        let step = settings.first_step.clamp(settings.shortest_step, settings.longest_step);
        Ok(Self { problem, corrector, settings, current, previous: None, trial: blank, step, bend: 0.0, rejected: 0 })
    }

    /// Brings the current point to a near one by the shortest corrections, with no tangent known before.
    fn nearest(&mut self, limits: Limits) -> Result<Course, Rejection<P::Failure>> {
        self.corrector.border_of_kernel(&mut self.problem, &mut self.current)?;
        self.corrector.correct(&mut self.problem, &mut self.current, Keep::Shortest, limits)
    }

    pub(crate) fn limits(&self) -> Limits {
        let Settings { tolerance, stagnation, iterations, .. } = self.settings;
        Limits { tolerance, stagnation: stagnation.max(tolerance), iterations, contraction: 0.5 }
    }

    /// Chooses the direction in which `unknowns[index]` grows, or falls for a negative sign; panics for an index too large.
    pub fn orient(&mut self, index: usize, sign: f64) {
        if self.current.tangent[index] * sign < 0.0 {
            self.reverse();
        }
    }

    /// Reverses the direction.
    pub fn reverse(&mut self) {
        self.current.reverse();
        (self.previous, self.bend) = (None, 0.0);
    }

    /// The current point.
    pub fn point(&self) -> &Point {
        &self.current
    }

    /// The point before the current one, unless the curve was just started, turned round or refreshed.
    pub fn previous(&self) -> Option<&Point> {
        self.previous.as_ref()
    }

    /// The length of the next step, in the metric.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Allows no step longer than this, from now on.
    pub fn limit_step(&mut self, longest: f64) {
        self.settings.longest_step = longest.max(self.settings.shortest_step);
        self.step = self.step.min(self.settings.longest_step);
    }

    /// How many trials have been rejected since the start.
    pub fn rejected(&self) -> usize {
        self.rejected
    }

    /// How the curve is followed.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The problem.
    pub fn problem(&self) -> &P {
        &self.problem
    }

    /// The problem, to be changed; call [`Self::refresh`] afterwards if the equations are others.
    pub fn problem_mut(&mut self) -> &mut P {
        &mut self.problem
    }

    /// Evaluates Jacobian and tangent again after the problem was changed in a way that keeps the point; the direction stays. The
    /// next step is predicted from here alone. After an error the point is what it was.
    pub fn refresh(&mut self) -> Result<&Point, StartError<P::Failure>> {
        let (n, m) = (self.problem.equations(), self.problem.unknowns());
        if m != self.current.unknowns.len() || n + 1 != m {
            return Err(StartError::Shape("the numbers of unknowns and equations must not change"));
        }
        self.corrector.sizes.copy_from_slice(self.problem.sizes());
        self.corrector.border_along(&self.current.tangent);
        self.trial.unknowns.copy_from_slice(&self.current.unknowns);
        let limits = self.limits();
        self.corrector
            .correct(&mut self.problem, &mut self.trial, Keep::Shortest, limits)
            .map_err(StartError::NoPoint)?;
        self.trial.arclength = self.current.arclength;
        std::mem::swap(&mut self.trial, &mut self.current);
        (self.previous, self.bend) = (None, 0.0);
        self.problem.accepted(&self.current);
        Ok(&self.current)
    }

    /// Goes one step; a step that is rejected is halved until it is too short. What stops it then may be a singular point on the curve, beside which
    /// corrections are rounding: it is passed by a longer step.
    pub fn advance(&mut self) -> Result<&Point, Stop<P::Failure>> {
        let mut halved = false;
        loop {
            match self.attempt() {
                Ok(experience) => {
                    let factor = step::factor(&self.settings, &experience);
                    // A step that had just to be halved is not doubled again at once.
                    let factor = if halved { factor.min(1.0) } else { factor };
                    self.bend = experience.angle / experience.step;
                    self.accept(factor);
                    return Ok(&self.current);
                }
                Err(rejection) => {
                    self.rejected += 1;
                    halved = true;
                    if 0.5 * self.step < self.settings.shortest_step {
                        return if self.pass() { Ok(&self.current) } else { Err(rejection.into()) };
                    }
                    self.step *= 0.5;
                }
            }
        }
    }

    /// Goes along the tangent to the first point of this curve beyond a singular point; whether there is one within the longest step.
    fn pass(&mut self) -> bool {
        // From a distance at which corrections stopped to converge, at most the shortest step, to one at which they do.
        const GROWTH: f64 = 4.0;
        let (previous, bend) = (self.previous.take(), self.bend);
        let mut step = self.settings.shortest_step;
        while step <= self.settings.longest_step {
            self.predict(step);
            let tried = self.try_point(step, Keep::Shortest);
            if tried.is_ok() && self.trial.orientation != self.current.orientation {
                self.bend = 0.0;
                self.step = step;
                self.accept(1.0);
                return true;
            }
            step *= GROWTH;
        }
        (self.previous, self.bend) = (previous, bend);
        false
    }

    /// Goes to the next point, if `unknowns[index]` has the given value there: a point with exactly that value, which has to
    /// be within one step. Whether it is there; if it is not, nothing has changed.
    ///
    /// F is not evaluated beyond that value other than by corrections of the other unknowns.
    pub fn step_onto(&mut self, index: usize, value: f64) -> bool {
        let speed = self.current.tangent[index];
        let mut step = (value - self.current.unknowns[index]) / speed;
        if !(step > 0.0 && step <= 2.0 * self.step) {
            return false;
        }
        if let Some(previous) = &self.previous {
            // The cubic takes the value at a better place; a few steps of the secant method suffice.
            let arc = Arc::new(previous, &self.current, &self.corrector.sizes);
            let mut miss = |step: f64| {
                arc.position(1.0 + step / arc.length(), &mut self.trial.unknowns);
                self.trial.unknowns[index] - value
            };
            let (mut before, mut left) = (0.0, self.current.unknowns[index] - value);
            for _ in 0..4 {
                let now = miss(step);
                let next = step - now * (step - before) / (now - left);
                if now == 0.0 || !(next > 0.0 && next <= 2.0 * self.step) {
                    break;
                }
                (before, left, step) = (step, now, next);
            }
        }
        if step > self.step * (1.0 + 1e-6) {
            return false;
        }
        self.predict(step);
        self.trial.unknowns[index] = value;
        if self.try_point(step, Keep::Unknown(index)).is_err() {
            return false;
        }
        self.accept(1.0);
        true
    }

    /// A trial with the present step, and the experience for the next one.
    fn attempt(&mut self) -> Result<Experience, Rejection<P::Failure>> {
        self.predict(self.step);
        self.try_point(self.step, Keep::Shortest)
    }

    /// The prediction: the cubic through the last two points, or the tangent.
    fn predict(&mut self, step: f64) {
        let (sizes, border) = (&self.corrector.sizes, &mut self.corrector.border);
        match &self.previous {
            Some(previous) => {
                let arc = Arc::new(previous, &self.current, sizes);
                let at = 1.0 + step / arc.length();
                arc.position(at, &mut self.trial.unknowns);
                arc.direction(at, sizes, border);
            }
            None => {
                for (i, u) in self.trial.unknowns.iter_mut().enumerate() {
                    *u = self.current.unknowns[i] + step * self.current.tangent[i];
                    border[i] = self.current.tangent[i] / sizes[i];
                }
                metric::normalise(border);
            }
        }
    }

    /// Corrects the prediction and decides whether it is the next point of this curve.
    fn try_point(&mut self, step: f64, keep: Keep) -> Result<Experience, Rejection<P::Failure>> {
        let (limits, largest) = (self.limits(), self.settings.largest_angle);
        let course = self.corrector.correct(&mut self.problem, &mut self.trial, keep, limits)?;
        let Course { first, second } = course;
        if first + second > LARGEST_DISTANCE * largest * step + limits.tolerance {
            return Err(Rejection::Distance);
        }
        let turn = self.turn(&self.current, &self.trial);
        if turn > largest {
            return Err(Rejection::Angle);
        }
        let length = arc::length(&self.current, &self.trial, &self.corrector.sizes);
        self.trial.arclength = self.current.arclength + length;
        if self.trial.orientation != self.current.orientation {
            self.passes_between(turn, length)?;
        }
        let order = if self.previous.is_some() { 4 } else { 2 };
        Ok(Experience { step, first, second, angle: turn, bend: self.bend, order })
    }

    /// The largest of the angles between two tangents and the chord.
    fn turn(&self, from: &Point, to: &Point) -> f64 {
        let sizes = &self.corrector.sizes;
        let chord = metric::distance(&from.unknowns, &to.unknowns, sizes);
        let between = metric::angle(&from.tangent, &to.tangent, sizes);
        let against = |tangent: &[f64]| {
            let cosine: f64 = (0..sizes.len())
                .map(|i| (to.unknowns[i] - from.unknowns[i]) / sizes[i] * (tangent[i] / sizes[i]))
                .sum::<f64>()
                / chord;
            // The chord and the tangent as unit vectors: 2 sin(angle/2) is their distance.
            elementary::asin((0.5 * (1.0 - cosine).max(0.0)).sqrt().min(1.0)) * 2.0
        };
        if chord > 0.0 { between.max(against(&from.tangent)).max(against(&to.tangent)) } else { between }
    }

    /// Whether the curve runs near the cubic from the current point to the trial, at which the sign of the determinant is
    /// another. Along one curve the cubic through points at half the distance is off by a sixteenth; between different parts
    /// of a curve, or different curves, there stays a gap, however near to it the points on both sides are.
    fn passes_between(&mut self, turn: f64, length: f64) -> Result<(), Rejection<P::Failure>> {
        // Not quite halfway, where a branch point would be if both ends lie symmetrically about it.
        const ASIDE: f64 = 0.45;
        // From an error of the size of the step to one of rounding, at a quarter each.
        const HALVINGS: usize = 25;
        let (mut from, mut to) = (self.current.clone(), self.trial.clone());
        let mut noise = self.rounding(&from, length)?;
        let mut allowed = length * turn * turn + 10.0 * (self.settings.tolerance + noise);
        let mut between = self.trial.clone();
        for _ in 0..HALVINGS {
            let arc = Arc::new(&from, &to, &self.corrector.sizes);
            arc.position(ASIDE, &mut between.unknowns);
            arc.direction(ASIDE, &self.corrector.sizes, &mut self.corrector.border);
            let start = between.unknowns.clone();
            // As near as the comparison needs: beside a singular point corrections stop to shrink early.
            let known = self.limits();
            let limits = Limits { stagnation: known.stagnation.max(0.1 * allowed), ..known };
            self.corrector.correct(&mut self.problem, &mut between, Keep::Shortest, limits).map_err(jump)?;
            let length = arc.length();
            noise = noise.max(self.rounding(&between, length)?);
            let enough = 10.0 * (self.settings.tolerance + noise);
            let off = metric::distance(&start, &between.unknowns, &self.corrector.sizes);
            let turn = self.turn(&from, &between).max(self.turn(&between, &to));
            if off > allowed + enough || turn > self.settings.largest_angle {
                return Err(Rejection::Jump);
            }
            if off <= enough {
                return Ok(());
            }
            allowed = 0.25 * off;
            let half = if between.orientation == from.orientation { &mut from } else { &mut to };
            std::mem::swap(half, &mut between);
        }
        Err(Rejection::Jump)
    }

    /// By how much rounding moves cubics of a length that end at a point: what changes in a further correction of it and of its tangent. It grows as the
    /// inverse of the distance from a singular point.
    fn rounding(&mut self, point: &Point, length: f64) -> Result<f64, Rejection<P::Failure>> {
        let limits = Limits { stagnation: f64::INFINITY, iterations: 1, ..self.limits() };
        let mut again = point.clone();
        self.corrector.border_along(&point.tangent);
        let course = self.corrector.correct(&mut self.problem, &mut again, Keep::Shortest, limits).map_err(jump)?;
        let tilt = metric::angle(&point.tangent, &again.tangent, &self.corrector.sizes);
        Ok(course.first + 0.25 * length * tilt)
    }

    /// Makes the trial the current point.
    fn accept(&mut self, factor: f64) {
        let last = self.previous.take().unwrap_or_else(|| self.trial.clone());
        self.previous = Some(std::mem::replace(&mut self.current, std::mem::replace(&mut self.trial, last)));
        self.step = (self.step * factor).clamp(self.settings.shortest_step, self.settings.longest_step);
        self.problem.accepted(&self.current);
    }
}

/// A correction halfway that fails where F has values means that there is no curve between.
fn jump<F>(rejection: Rejection<F>) -> Rejection<F> {
    match rejection {
        Rejection::Failure(failure) => Rejection::Failure(failure),
        _ => Rejection::Jump,
    }
}
