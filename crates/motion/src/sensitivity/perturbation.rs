//! Directions in which a motion is differentiated, and its derivatives in them.

use saltation_model::Values;

use super::dual::{LANES, Number4};
use crate::mode::expansion::Expansion;
use crate::system::System;

/// A direction in which a motion is differentiated: a change of the start state and of the parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Perturbation {
    /// The change of every state.
    pub state: Vec<f64>,
    /// The change of every parameter.
    pub parameters: Vec<f64>,
}

impl Perturbation {
    /// The unit change of one state.
    pub fn of_state(system: &System, state: usize) -> Perturbation {
        let unit = |length: usize, at: Option<usize>| (0..length).map(|i| f64::from(Some(i) == at)).collect();
        Perturbation {
            state: unit(system.names.len(), Some(state)),
            parameters: unit(system.model().parameters.len(), None),
        }
    }

    /// The unit change of one parameter; the others and the start state stay as they are.
    pub fn of_parameter(system: &System, parameter: usize) -> Perturbation {
        let mut perturbation = Perturbation::of_state(system, 0);
        perturbation.state.fill(0.0);
        perturbation.parameters[parameter] = 1.0;
        perturbation
    }

    /// The unit change of one parameter with everything that follows from it by formulas: other parameters and the start ([`Values::derivatives_by`]).
    pub fn following(values: &Values, parameter: usize) -> Perturbation {
        let (parameters, state) = values.derivatives_by(parameter);
        Perturbation { state, parameters }
    }
}

/// The derivatives of a state and of the time at which it is reached, in every direction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Derivatives {
    states: usize,
    state: Vec<f64>,
    time: Vec<f64>,
}

impl Derivatives {
    /// No directions yet, of `directions` in all.
    pub(super) fn empty(states: usize, directions: usize) -> Derivatives {
        Derivatives { states, state: Vec::with_capacity(states * directions), time: Vec::with_capacity(directions) }
    }

    /// The number of directions.
    pub fn directions(&self) -> usize {
        self.time.len()
    }

    /// The derivative of every state in a direction.
    pub fn state(&self, direction: usize) -> &[f64] {
        &self.state[direction * self.states..(direction + 1) * self.states]
    }

    /// The derivative of the time in a direction.
    pub fn time(&self, direction: usize) -> f64 {
        self.time[direction]
    }

    /// Adds a group of directions, of which there are `directions` in all: a state and its rate, flown on for a time that
    /// changes, and the change of the time itself.
    pub(super) fn push(
        &mut self,
        directions: usize,
        series: &Expansion<Number4>,
        flown: &[f64; LANES],
        time: &[f64; LANES],
    ) {
        let count = (directions - self.time.len()).min(LANES);
        for m in 0..count {
            for i in 0..self.states {
                let row = series.state(i);
                self.state.push(row[0].tangent[m] + row[1].value * flown[m]);
            }
            self.time.push(time[m]);
        }
    }

    /// Adds a group of directions: a state as it is, and its time.
    pub(super) fn push_state(&mut self, directions: usize, state: &[Number4], time: &[f64; LANES]) {
        let count = (directions - self.time.len()).min(LANES);
        for (m, &time) in time.iter().enumerate().take(count) {
            self.state.extend(state.iter().map(|x| x.tangent[m]));
            self.time.push(time);
        }
    }

    /// Those of a time alone.
    pub(super) fn of_time(time: Vec<f64>) -> Derivatives {
        Derivatives { states: 0, state: Vec::new(), time }
    }

    /// Derivatives that do not exist.
    pub(super) fn none(states: usize, directions: usize) -> Derivatives {
        Derivatives { states, state: vec![f64::NAN; states * directions], time: vec![f64::NAN; directions] }
    }

    /// Whether every derivative is finite: at a graze, none is.
    pub fn is_finite(&self) -> bool {
        self.state.iter().chain(&self.time).all(|x| x.is_finite())
    }
}
