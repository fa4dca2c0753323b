//! The maps of V: from Sigma along the flight to Pi, and from Pi to Pi after some loops.
//!
//! Times are roots of the polynomials of the gap's slope, found without sampling, and then moved by Newton's method onto
//! v = 0 of the flow itself. With D the derivative of the flow at a fixed time, f the rate where it arrives, n the gradient of v
//! there and a = n f > 0, the derivative of the map is D - f (n D) / a, and likewise for parameters: the arrival time changes by
//! -(n D) / a.

use std::ops::ControlFlow;

use saltation_motion::ClosedSet;
use saltation_motion::extension::{Extension, Image, Slope};
use saltation_numerics::polynomial::{Crossing, Workspace, differentiate, sign_changes};

use super::Failure;

/// The flights of one contact, and room for them.
#[derive(Debug, Clone)]
pub(super) struct Maps<'s> {
    pub flow: Extension<'s>,
    pub contact: usize,
    /// Gap and speed at the last state that was evaluated.
    pub gap: Slope,
    pub speed: Slope,
    workspace: Workspace,
    slope: Vec<f64>,
}

/// A loop has an end within so many Taylor steps, each a good part of a radian, or none.
const MOST_STEPS: usize = 10_000;
/// Newton's method corrects the roots of the polynomials by no more than this, relative to the time.
const ROOT_CORRECTION: f64 = 1e-6;

impl<'s> Maps<'s> {
    pub(super) fn new(flow: Extension<'s>, contact: usize) -> Maps<'s> {
        let (gap, speed) = (Slope::default(), Slope::default());
        Maps { flow, contact, gap, speed, workspace: Workspace::new(), slope: Vec::new() }
    }

    fn name(&self) -> String {
        self.flow.system().contact_names()[self.contact].clone()
    }

    /// Gap and speed at a state.
    pub(super) fn surface(&mut self, state: &[f64]) {
        self.flow.surface(self.contact, state, &mut self.gap, &mut self.speed);
    }

    pub(super) fn virtual_map(&mut self, state: &[f64], end: &mut Image) -> Result<f64, Failure> {
        let time = self.transit(state)?;
        self.arrive(state, time, end)
    }

    pub(super) fn global_map(&mut self, state: &[f64], loops: usize, end: &mut Image) -> Result<f64, Failure> {
        let mut found = 0;
        let mut last = 0.0;
        self.minima(state, &mut |time| {
            (found, last) = (found + 1, time);
            if found < loops { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        if found < loops {
            return Err(Failure::NoMinimum { contact: self.name(), found, wanted: loops });
        }
        self.arrive(state, last, end)
    }

    /// The time to the nearest zero of v: forward in time where v < 0, backward where v > 0.
    fn transit(&mut self, state: &[f64]) -> Result<f64, Failure> {
        if !state.iter().all(|x| x.is_finite()) {
            return Err(Failure::NotFinite);
        }
        self.surface(state);
        let speed = self.speed.value;
        if !speed.is_finite() {
            return Err(Failure::NotFinite);
        }
        if speed == 0.0 {
            return Ok(0.0);
        }
        let (mut sign, mut steps, mut found) = (speed, 0, None);
        let Maps { flow, contact, workspace, slope, .. } = self;
        flow.follow_until(ClosedSet::NONE, state, f64::INFINITY.copysign(-speed), &mut |step| {
            differentiate(step.gap(*contact), slope);
            if step.length < 0.0 {
                slope.iter_mut().skip(1).step_by(2).for_each(|c| *c = -*c);
            }
            let changes = sign_changes(slope, step.length.abs(), sign, workspace);
            found = changes.roots.first().map(|root| step.start + root.at.copysign(step.length));
            (sign, steps) = (changes.after, steps + 1);
            if found.is_some() || steps >= MOST_STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        found.ok_or_else(|| Failure::NoMinimum { contact: self.name(), found: 0, wanted: 1 })
    }

    /// Reports the times of the minima of the gap after a state of Pi, which is one itself and not reported.
    pub(super) fn minima(
        &mut self,
        state: &[f64],
        report: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        if !state.iter().all(|x| x.is_finite()) {
            return Err(Failure::NotFinite);
        }
        let acceleration = self.flow.gap_derivatives(ClosedSet::NONE, self.contact, state)[2];
        self.quadratic(acceleration)?;
        let (mut sign, mut steps) = (1.0, 0);
        let Maps { flow, contact, workspace, slope, .. } = self;
        flow.follow_until(ClosedSet::NONE, state, f64::INFINITY, &mut |step| {
            differentiate(step.gap(*contact), slope);
            // v(s) / s has the zeros of v but that at the start.
            let own = usize::from(step.start == 0.0).min(slope.len());
            let changes = sign_changes(&slope[own..], step.length, sign, workspace);
            sign = changes.after;
            steps += 1;
            for root in changes.roots.iter().filter(|root| root.crossing == Crossing::Rising) {
                steps = 0;
                report(step.start + root.at)?;
            }
            if steps >= MOST_STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(())
    }

    fn quadratic(&self, acceleration: f64) -> Result<(), Failure> {
        if acceleration > 0.0 && acceleration.is_finite() {
            return Ok(());
        }
        Err(Failure::Tangency { contact: self.name(), acceleration })
    }

    /// Follows the flight to Pi, where it comes about a time, and makes its derivative that of the map onto Pi.
    fn arrive(&mut self, state: &[f64], mut time: f64, end: &mut Image) -> Result<f64, Failure> {
        let states = state.len();
        for _ in 0..3 {
            self.flow.flow(ClosedSet::NONE, state, time, end)?;
            self.surface(&end.state);
            let acceleration: f64 = self.speed.gradient.iter().zip(&end.rate).map(|(n, f)| n * f).sum();
            self.quadratic(acceleration)?;
            let step = -self.speed.value / acceleration;
            if step.abs() <= 4.0 * f64::EPSILON * time.abs() || step.abs() > ROOT_CORRECTION * time.abs() {
                break;
            }
            time += step;
        }
        let gradient = &self.speed.gradient;
        let acceleration: f64 = gradient.iter().zip(&end.rate).map(|(n, f)| n * f).sum();
        for j in 0..end.derivative.columns() {
            let own = if j < states { 0.0 } else { gradient[j] };
            let column = end.derivative.column_mut(j);
            let speed = (0..states).fold(own, |sum, i| sum + gradient[i] * column[i]);
            for (entry, rate) in column.iter_mut().zip(&end.rate) {
                *entry -= rate * speed / acceleration;
            }
        }
        Ok(time)
    }
}
