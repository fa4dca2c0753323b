//! Sections as surfaces: their formula with its gradient, and the projection of states onto them.

use saltation_expr::{Jet, Tape};
use saltation_model::{SectionKind, StateKind, Values};
use saltation_motion::System;

/// Values this small, relative to the terms they consist of, are zero.
const VALUE_ROUNDING: f64 = 1e-12;

/// The formula of a section with its gradient, ready to be evaluated.
#[derive(Debug, Clone)]
pub(crate) enum Surface {
    /// A phase of a forced model stands at a value.
    Phase { state: usize, value: f64 },
    /// A formula vanishes; or the gap of a contact does.
    Formula(Box<Formula>),
}

/// The formula of a section with its gradient.
#[derive(Debug, Clone)]
pub(crate) struct Formula {
    tape: Tape,
    slots: Vec<f64>,
    jet: Jet<f64>,
    /// Values are compared modulo this.
    period: Option<f64>,
    contact: Option<usize>,
    outputs: Vec<f64>,
}

impl Formula {
    /// How far the value is from zero, modulo its period; its gradient is in `outputs` from position 1 on.
    fn distance(&mut self, state: &[f64]) -> f64 {
        self.tape.evaluate(&self.slots, state, &mut self.jet, &mut self.outputs);
        let value = self.outputs[0];
        value - self.period.map_or(0.0, |period| period * (value / period).round())
    }
}

impl Surface {
    pub(crate) fn new(system: &System, values: &Values, section: usize) -> Surface {
        let model = system.model();
        let Some(known) = model.sections.get(section) else {
            let state = model.phase.as_ref().map_or(0, |phase| phase.state);
            return Surface::Phase { state, value: values.start()[state] };
        };
        if let Some(state) = known.of_phase {
            let numbers = [values.start(), values.parameters()].concat();
            return Surface::Phase { state, value: model.graph.evaluate(model.states[state].start, &|i| numbers[i]) };
        }
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
        let slots = tape.bind(values.parameters());
        let jet = Jet::new(&tape);
        let period = values.section_periods()[section].filter(|_| contact.is_none());
        let outputs = vec![0.0; outputs.len()];
        Surface::Formula(Box::new(Formula { tape, slots, jet, period, contact, outputs }))
    }

    /// The contact whose impacts are the section, if it is of that kind.
    pub(crate) fn contact(&self) -> Option<usize> {
        match self {
            Surface::Phase { .. } => None,
            Surface::Formula(formula) => formula.contact,
        }
    }

    /// Whether a state lies on the section, up to rounding.
    pub(crate) fn holds(&mut self, state: &[f64]) -> bool {
        let size = state.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        match self {
            Surface::Phase { state: phase, value } => {
                (state[*phase] - *value).abs() <= VALUE_ROUNDING * value.abs().max(1.0)
            }
            Surface::Formula(formula) => {
                let distance = formula.distance(state);
                let slope = formula.outputs[1..].iter().fold(0.0_f64, |m, g| m.max(g.abs()));
                distance.abs() <= VALUE_ROUNDING * (slope * size).max(formula.outputs[0].abs())
            }
        }
    }

    /// Moves a state that is close to the section onto it, along its gradient.
    pub(crate) fn place(&mut self, state: &mut [f64]) {
        match self {
            Surface::Phase { state: phase, value } => state[*phase] = *value,
            Surface::Formula(formula) => {
                for _ in 0..3 {
                    let distance = formula.distance(state);
                    let gradient = &formula.outputs[1..];
                    let square: f64 = gradient.iter().map(|g| g * g).sum();
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
