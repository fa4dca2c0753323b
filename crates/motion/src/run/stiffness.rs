//! Stiffness: a motion is too stiff for explicit steps if the states hardly move on a step and the steps would never end.
//!
//! Taylor steps are explicit: beside a fast decay of rate L they stay at h L of a few, however slow the motion itself is (Hairer
//! & Wanner, Solving Ordinary Differential Equations II, Sect. IV.1). A motion that really is fast moves some state by a good part of its size on
//! every step, and so does one that passes something narrow.

use saltation_expr::{Node, Operation};

use crate::mode::bound::BoundMode;
use crate::system::System;
use crate::transition::diagnose::symbol_values;

/// So many steps in a row without an event are looked at.
const WINDOW: u32 = 1 << 15;
const TWO_WINDOWS: u32 = 2 * WINDOW;
/// And are looked at again after so many more.
const AGAIN: u32 = 1 << 10;
/// No run makes so many steps of that kind: they take some seconds at three states.
const MOST_STEPS: f64 = 1e6;
/// States that change by no more than this on a step, relative to their size, are slow.
const SLOW: f64 = 1e-3;

/// Steps in a row without an event, and the last ones of them, between one and two windows.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StepPace {
    steps: u32,
    /// How many of them were made before the last ones, and when those began.
    before: u32,
    since: f64,
    /// When the first window of the last ones ended.
    middle: f64,
}

impl StepPace {
    /// How many steps in a row have ended without an event.
    pub(super) fn quiet(self) -> u32 {
        self.steps
    }

    /// An event, or a new start: steps are counted anew from a time on.
    pub(super) fn restart(&mut self, time: f64) {
        *self = StepPace { since: time, ..StepPace::default() };
    }

    /// Whether the next step that is counted may be looked at.
    pub(super) fn looks_next(self) -> bool {
        let steps = self.steps + 1 - self.before;
        steps >= WINDOW && (steps - WINDOW).is_multiple_of(AGAIN)
    }

    /// Counts a step of some length without an event, whose jet the mode has and which ended at a time; whether the motion is too stiff to reach its end. `widest` are the largest
    /// values of the states so far: what changes by less than their last digit does not change.
    pub(super) fn is_stiff(
        &mut self,
        (mode, widest): (&BoundMode, &[f64]),
        (time, until): (f64, f64),
        length: f64,
    ) -> bool {
        self.steps += 1;
        // What was fast before says nothing of how long the rest takes.
        match self.steps - self.before {
            WINDOW => self.middle = time,
            TWO_WINDOWS => {
                (self.before, self.since, self.middle) = (self.before + WINDOW, self.middle, time);
            }
            _ => {}
        }
        let (steps, since) = (self.steps - self.before, self.since);
        if steps < WINDOW || !(steps - WINDOW).is_multiple_of(AGAIN) {
            return false;
        }
        // Where no end is known, as much again as there was.
        let left = if until.is_finite() { until - time } else { time };
        let slow = (0..mode.tape().states()).all(|i| {
            let row = mode.state(i);
            let moved = row[1].abs() * length + row[2].abs() * length * length;
            moved <= SLOW * row[0].abs() || moved <= f64::EPSILON * widest[i]
        });
        slow && left * f64::from(steps) > MOST_STEPS * (time - since)
    }
}

/// The rate that changes most with a state, and in it the formula of one function that does.
pub(super) fn steepest(system: &System, state: &[f64], parameters: &[f64]) -> (String, String) {
    let model = system.model();
    let mut graph = model.graph.clone();
    let symbols: Vec<Node> = model.states.iter().map(|state| state.symbol).collect();
    let value = symbol_values(model, state, parameters);
    let mut slope = |node: Node| {
        let slopes = graph.gradient(node, &symbols).into_iter().map(|part| graph.evaluate(part, &value).abs());
        slopes.fold(0.0, f64::max)
    };
    let rates = model.states.iter().map(|state| (slope(state.rate), state));
    let Some((_, state)) = rates.max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return (String::new(), String::new());
    };
    let moves = |node: Node| model.graph.symbols_of(node).iter().any(|symbol| symbols.contains(symbol));
    let parts = model.graph.reachable(&[state.rate]).into_iter().filter(|&part| match model.graph.operation(part) {
        Operation::Apply(..) | Operation::Power(..) | Operation::Atan2(..) => true,
        Operation::Divide(_, below) => moves(below),
        _ => false,
    });
    let part = parts.map(|part| (slope(part), part)).max_by(|a, b| a.0.total_cmp(&b.0));
    let formula = part.map_or(state.rate, |(_, part)| part);
    (format!("the rate of {}", state.name), model.graph.print(formula))
}
