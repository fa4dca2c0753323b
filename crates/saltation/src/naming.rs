//! Names of states, contacts, sections and modes for the numbers of a motion, and phases reduced to their circles.

use crate::Named;
use saltation_model::{Model, StateKind, Values};
use saltation_motion::{Alternative, ClosedSet, Event, EventKind, Side, Slip, System};
use std::sync::Arc;

/// The names of a system's states, contacts and sections, and the circles of its phases.
#[derive(Debug, Clone, Copy)]
pub struct Naming<'a> {
    /// The system.
    pub system: &'a System,
    states: &'a Arc<[String]>,
    parameters: &'a Arc<[String]>,
    values: &'a Values,
}

impl<'a> Naming<'a> {
    /// The names of a system; its phases have periods at these values.
    pub fn new(
        system: &'a System,
        values: &'a Values,
        states: &'a Arc<[String]>,
        parameters: &'a Arc<[String]>,
    ) -> Naming<'a> {
        Naming { system, states, parameters, values }
    }

    /// The names of the states.
    pub fn states(&self) -> &'a [String] {
        self.states
    }

    /// A state as an answer holds it, phases on their circles.
    pub fn named(&self, state: &[f64]) -> Named {
        Named::new(Arc::clone(self.states), state.iter().enumerate().map(|(i, &x)| self.wrapped(i, x)).collect())
    }

    /// The values of all parameters as an answer holds them.
    pub fn parameters(&self, values: &[f64]) -> Named {
        Named::new(Arc::clone(self.parameters), values.to_vec())
    }

    /// The number of a state in an answer: phases modulo their periods.
    pub fn wrapped(&self, index: usize, value: f64) -> f64 {
        on_circle(self.period(index), value)
    }

    /// Numbers of some states as an answer holds them, if there are any.
    pub fn of_some(&self, numbers: &[(usize, f64)]) -> Option<Named> {
        let (names, values): (Vec<String>, Vec<f64>) =
            numbers.iter().map(|&(i, x)| (self.states[i].clone(), x)).unzip();
        (!numbers.is_empty()).then(|| Named::new(names.into(), values))
    }

    /// The period of the circle of a state.
    pub fn period(&self, index: usize) -> Option<f64> {
        circle(self.system.model(), self.values, index)
    }

    /// Names and numbers of a state.
    pub fn state(self, state: &'a [f64]) -> impl Iterator<Item = (&'a str, f64)> {
        let names = self.states().iter().zip(state).enumerate();
        names.map(move |(i, (name, &value))| (name.as_str(), self.wrapped(i, value)))
    }

    /// The contact of an event.
    pub fn contact(&self, event: &Event) -> Option<&'a str> {
        event.contact.map(|contact| self.system.place_name(contact))
    }

    /// The section that an event passes.
    pub fn section(&self, event: &Event) -> Option<&'a str> {
        self.system.section_names().nth(event.section?)
    }

    /// The switch at which an event happens; that of an event of the model is its surface.
    pub fn switch(&self, event: &Event) -> Option<&'a str> {
        event.switch.map(|switch| self.system.switch_names()[switch].as_str())
    }

    /// The event of the model.
    pub fn reset(&self, event: &Event) -> Option<&'a str> {
        event.reset.map(|reset| self.system.reset_name(reset))
    }

    /// Where an event happens: its section, its contact, its event of the model, or its switch with the side on which the motion continues.
    pub fn place(&self, event: &Event) -> String {
        let known = self.section(event).or(self.contact(event)).or(self.reset(event)).map(str::to_string);
        let side = || {
            let switch = event.switch?;
            let jumps = event.kind == EventKind::Reset;
            if jumps || self.told(event) != event.kind {
                return Some(self.system.switch_names()[switch].clone());
            }
            Some(format!(
                "{}:{}",
                self.system.switch_names()[switch],
                self.system.side_word(switch, event.mode.sides().of(switch))
            ))
        };
        known.or_else(side).unwrap_or_default()
    }

    /// The kind of an event in the words of its law.
    pub fn told(&self, event: &Event) -> EventKind {
        event.kind.told(self.system, event.switch)
    }

    /// The name of the event, with the direction where slip begins.
    pub fn kind(&self, event: &Event) -> &'static str {
        let of_switch = |switch| match event.mode.sides().of(switch) {
            Side::Positive => Some(Slip::Forward),
            Side::Negative => Some(Slip::Backward),
            Side::Sliding => None,
        };
        let slip = event.contact.map_or_else(|| event.switch.and_then(of_switch), |contact| event.mode.slip(contact));
        match (self.told(event), slip) {
            (EventKind::Slip, Some(Slip::Forward)) => "slip+",
            (EventKind::Slip, Some(Slip::Backward)) => "slip-",
            (EventKind::ImpactWithoutCollision, _) => "impact without collision",
            (kind, _) => kind.name(),
        }
    }

    /// The name of one of several consistent contact modes.
    pub fn alternative(&self, alternative: Alternative) -> String {
        match alternative {
            Alternative::Mode(mode) => self.mode(mode),
            Alternative::Impact => EventKind::ImpactWithoutCollision.name().to_string(),
        }
    }

    /// The name of a mode with the sides of all switches.
    pub fn whole_mode(&self, closed: ClosedSet) -> String {
        self.system.whole_mode_name(closed)
    }

    /// The name of a mode.
    pub fn mode(&self, closed: ClosedSet) -> String {
        self.system.mode_name(closed)
    }
}

/// The position of a kind in [`EventKind::ALL`].
pub(crate) fn kind_index(kind: EventKind) -> usize {
    EventKind::ALL.iter().position(|&known| known == kind).unwrap_or(0)
}

/// The period of a phase; `None` for other states.
pub(crate) fn circle(model: &Model, values: &Values, index: usize) -> Option<f64> {
    let is_phase = model.states[index].kind == StateKind::Phase;
    if is_phase { values.angle_periods()[index] } else { None }
}

/// A number of a state: one that goes round a circle modulo its period.
pub(crate) fn on_circle(period: Option<f64>, value: f64) -> f64 {
    let Some(period) = period else { return value };
    let wrapped = value.rem_euclid(period);
    // Rounding makes the remainder of a tiny negative number the period itself.
    if wrapped >= period { 0.0 } else { wrapped }
}
