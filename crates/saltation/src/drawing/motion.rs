//! The data of a figure of a motion: its path, its events, and the names of its quantities.

use crate::drawing::gauge::Gauge;
use crate::naming::Naming;
use crate::system::System;
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
    /// When the trajectory ended.
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

impl<'a> Shown<'a> {
    /// What evaluates its quantities.
    pub(crate) fn gauge(self) -> Gauge<'a> {
        Gauge::new(self.naming.system, self.system.model(), self.system.numbers())
    }
}

/// The events of a kind, at one contact or at any.
pub(crate) fn events(shown: Shown<'_>, kind: EventKind, contact: Option<usize>) -> impl Iterator<Item = &Event> {
    let here = move |event: &&Event| contact.is_none() || event.contact == contact;
    shown.events.iter().filter(move |event| event.kind == kind).filter(here)
}
