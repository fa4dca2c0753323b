//! Where is a section, and how is a point brought onto it?

use saltation_expr::{Jet, Tape};
use saltation_model::{SectionKind, StateKind, Values};
use saltation_motion::System;

/// Values this small, relative to the terms they consist of, are zero.
const ROUNDING: f64 = 1e-12;

/// The formula of a section with its gradient, ready to be evaluated.
#[derive(Debug, Clone)]
pub(crate) enum Surface {
    /// The phase of a forced model stands at a value.
    Phase { state: usize, value: f64 },
    /// A formula vanishes, modulo its period if it has one; or the gap of a contact does.
    Formula { tape: Tape, slots: Vec<f64>, jet: Jet<f64>, period: Option<f64>, contact: Option<usize> },
}

impl Surface {
    pub fn new(system: &System, values: &Values, section: usize) -> Surface {
        let model = system.model();
        let Some(known) = model.sections.get(section) else {
            let state = model.phase.as_ref().map_or(0, |phase| phase.state);
            return Surface::Phase { state, value: values.start[state] };
        };
        let (value, contact) = match known.kind {
            SectionKind::Formula { value, .. } => (value, None),
            SectionKind::Contact(contact) => (model.contacts[contact].gap, Some(contact)),
        };
        let mut graph = model.graph.clone();
        let zero = graph.constant(0.0);
        let mut outputs = vec![value];
        for state in &model.states {
            // A point is brought onto a section by moving its states, not its phase, unless nothing else helps.
            let slope = if state.kind == StateKind::Phase { zero } else { graph.derivative(value, state.symbol) };
            outputs.push(slope);
        }
        let tape = Tape::new(&graph, &model.state_symbols(), &model.parameter_symbols(), &[], &outputs);
        let slots = tape.bind(&values.parameters);
        let jet = Jet::new(&tape);
        let period = values.section_periods[section].filter(|_| contact.is_none());
        Surface::Formula { tape, slots, jet, period, contact }
    }

    /// The contact whose impacts are the section, if it is of that kind.
    pub fn contact(&self) -> Option<usize> {
        match self {
            Surface::Phase { .. } => None,
            Surface::Formula { contact, .. } => *contact,
        }
    }

    /// Whether a state lies on the section, up to rounding.
    pub fn holds(&mut self, state: &[f64]) -> bool {
        let size = state.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        match self {
            Surface::Phase { state: phase, value } => (state[*phase] - *value).abs() <= ROUNDING * value.abs().max(1.0),
            Surface::Formula { tape, slots, jet, period, .. } => {
                let mut outputs = vec![0.0; state.len() + 1];
                tape.evaluate(slots, state, jet, &mut outputs);
                let value = outputs[0];
                let level = period.map_or(0.0, |period| period * (value / period).round());
                let slope = outputs[1..].iter().fold(0.0_f64, |m, g| m.max(g.abs()));
                (value - level).abs() <= ROUNDING * (slope * size).max(value.abs())
            }
        }
    }

    /// Moves a state that is close to the section onto it, along its gradient.
    pub fn place(&mut self, state: &mut [f64]) {
        match self {
            Surface::Phase { state: phase, value } => state[*phase] = *value,
            Surface::Formula { tape, slots, jet, period, .. } => {
                let mut outputs = vec![0.0; state.len() + 1];
                for _ in 0..3 {
                    tape.evaluate(slots, state, jet, &mut outputs);
                    let (value, gradient) = (outputs[0], &outputs[1..]);
                    let level = period.map_or(0.0, |period| period * (value / period).round());
                    let square: f64 = gradient.iter().map(|g| g * g).sum();
                    let distance = value - level;
                    if distance == 0.0 || square <= 0.0 || !square.is_finite() {
                        return;
                    }
                    for (x, slope) in state.iter_mut().zip(gradient) {
                        *x -= distance * slope / square;
                    }
                }
            }
        }
    }
}
