//! The data of a figure of a motion: its path, its events, and the names of its quantities.

use crate::drawing::path::Quantity;
use crate::naming::Naming;
use crate::system::System;
use saltation_draw::Axis;
use saltation_motion::{Event, EventKind, Trajectory};

/// A motion that can be drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown<'a> {
    /// The model and its numbers.
    pub system: &'a System,
    /// The names of the numbers.
    pub naming: Naming<'a>,
    /// What happened.
    pub events: &'a [Event],
    /// When the motion ended.
    pub time: f64,
    /// Its path.
    pub trajectory: &'a Trajectory,
    /// Its accuracy, in words.
    pub accuracy: &'a str,
}

/// The headline: the title of the model.
pub(crate) fn title(system: &System) -> String {
    let model = system.model();
    model.title.clone().unwrap_or_else(|| model.name.clone())
}

/// The line below it: changed parameters, and the accuracy of the motion.
pub(crate) fn subtitle(shown: Shown) -> String {
    let mut parts = shown.system.changed();
    parts.push(shown.accuracy.to_string());
    parts.join(", ")
}
/// The axis of a quantity.
pub(crate) fn axis(shown: Shown, quantity: Quantity) -> Axis {
    let model = shown.system.model();
    let (name, unit) = match quantity {
        Quantity::State(state) => (model.states[state].name.clone(), &model.states[state].unit),
        Quantity::Gap(contact) => (gap_name(shown, contact), &model.contacts[contact].unit),
    };
    let axis = Axis::new(name);
    match unit {
        Some(unit) => axis.unit(unit),
        None => axis,
    }
}

/// The label of the gap of a contact.
pub(crate) fn gap_name(shown: Shown, contact: usize) -> String {
    format!("gap: {}", shown.system.model().contacts[contact].name)
}

/// The events of a kind, at one contact or at any.
pub(crate) fn events(shown: Shown<'_>, kind: EventKind, contact: Option<usize>) -> impl Iterator<Item = &Event> {
    let here = move |event: &&Event| contact.is_none() || event.contact == contact;
    shown.events.iter().filter(move |event| event.kind == kind).filter(here)
}

/// The intervals of time in which a contact, or any contact, was closed.
pub(crate) fn closed(shown: Shown, contact: Option<usize>) -> Vec<(f64, f64)> {
    let mut open: Vec<(Option<usize>, f64)> = Vec::new();
    let mut intervals = Vec::new();
    let here = shown.events.iter().filter(|event| contact.is_none() || event.contact == contact);
    for event in here {
        match event.kind {
            // A contact that changes its slip is closed already.
            EventKind::Stick | EventKind::Slip if open.iter().any(|(contact, _)| *contact == event.contact) => {}
            EventKind::Stick | EventKind::Slip => open.push((event.contact, event.time)),
            EventKind::Release => {
                if let Some(known) = open.iter().position(|(contact, _)| *contact == event.contact) {
                    intervals.push((open.swap_remove(known).1, event.time));
                }
            }
            _ => {}
        }
    }
    intervals.extend(open.into_iter().map(|(_, since)| (since, shown.time)));
    intervals
}
