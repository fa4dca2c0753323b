//! Which figure shows a motion? Its gaps and states over time, or two of them over each other.

use crate::input::Input;
use crate::naming::Naming;
use crate::outcome::Trouble;
use crate::output_folder::Run;
use crate::path::Quantity;
use crate::simulate::Simulated;
use crate::{messages, number, phase_plane, time_plot};
use saltation_draw::Axis;
use saltation_motion::{Event, EventKind, Trajectory};
use std::path::Path;

/// A motion that can be drawn.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// The model and its numbers.
    pub input: &'a Input,
    /// The names of the numbers.
    pub naming: Naming<'a>,
    /// What happened.
    pub events: &'a [Event],
    /// When the motion ended.
    pub time: f64,
    /// Its path.
    pub trajectory: &'a Trajectory,
}

/// Draws the figure of a motion to a file.
pub fn save(file: &Path, run: Run, motion: &Simulated) -> Result<(), Trouble> {
    let Some(path) = &motion.path else {
        return Ok(());
    };
    let Run { input, request, naming } = run;
    let shown = Shown { input, naming, events: motion.log.all(), time: motion.time, trajectory: &path.trajectory };
    let figure = match request.plane {
        Some(plane) => phase_plane::figure(shown, plane),
        None => time_plot::figure(shown),
    };
    figure.save(file).map_err(|error| Trouble::Short(error.to_string()))?;
    if path.cut {
        let end = path.trajectory.span().map_or(0.0, |(_, end)| end);
        messages::warn(&format!(
            "the figure shows the motion only up to t = {}, because it has too many steps",
            number::short(end, 6)
        ));
    }
    Ok(())
}

/// The headline: what the model is.
pub fn title(shown: Shown) -> String {
    let model = &shown.input.model;
    model.title.clone().unwrap_or_else(|| model.name.clone())
}

/// The line below it: what was changed, and how accurate the motion is.
pub fn subtitle(shown: Shown) -> String {
    let mut parts = shown.input.changed();
    parts.push(format!("tolerance {:e}", shown.input.tolerance));
    parts.join(", ")
}

/// The axis of a quantity.
pub fn axis(shown: Shown, quantity: Quantity) -> Axis {
    let model = &shown.input.model;
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

/// What the gap of a contact is called.
pub fn gap_name(shown: Shown, contact: usize) -> String {
    format!("gap: {}", shown.input.model.contacts[contact].name)
}

/// The events of a kind, at one contact or at any.
pub fn events(shown: Shown<'_>, kind: EventKind, contact: Option<usize>) -> impl Iterator<Item = &Event> {
    let here = move |event: &&Event| contact.is_none() || event.contact == contact;
    shown.events.iter().filter(move |event| event.kind == kind).filter(here)
}

/// The times in which a contact, or any, was closed.
pub fn closed(shown: Shown, contact: Option<usize>) -> Vec<(f64, f64)> {
    let mut open: Vec<(Option<usize>, f64)> = Vec::new();
    let mut intervals = Vec::new();
    let here = shown.events.iter().filter(|event| contact.is_none() || event.contact == contact);
    for event in here {
        match event.kind {
            // Contact that changes its slip is closed already.
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
