//! Which figure shows a motion? Its gaps and states over time, or two of them over each other.

use crate::outcome::Trouble;
use crate::output_folder::Run;
use crate::path::Quantity;
use crate::simulate::Simulated;
use crate::{messages, number, phase_plane, time_plot};
use saltation::draw::Axis;
use saltation::motion::{Event, EventKind};
use std::path::Path;

/// Draws the figure of a motion to a file.
pub fn save(file: &Path, run: Run, motion: &Simulated) -> Result<(), Trouble> {
    let Some(path) = &motion.path else {
        return Ok(());
    };
    let figure = match run.request.plane {
        Some(plane) => phase_plane::figure(run, motion, &path.trajectory, plane),
        None => time_plot::figure(run, motion, &path.trajectory),
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
pub fn title(run: Run) -> String {
    let model = &run.input.model;
    model.title.clone().unwrap_or_else(|| model.name.clone())
}

/// The line below it: what was changed, and how accurate the motion is.
pub fn subtitle(run: Run) -> String {
    let mut parts = run.input.changed();
    parts.push(format!("tolerance {:e}", run.input.tolerance));
    parts.join(", ")
}

/// The axis of a quantity.
pub fn axis(run: Run, quantity: Quantity) -> Axis {
    let model = &run.input.model;
    let (name, unit) = match quantity {
        Quantity::State(state) => (model.states[state].name.clone(), &model.states[state].unit),
        Quantity::Gap(contact) => (gap_name(run, contact), &model.contacts[contact].unit),
    };
    let axis = Axis::new(name);
    match unit {
        Some(unit) => axis.unit(unit),
        None => axis,
    }
}

/// What the gap of a contact is called.
pub fn gap_name(run: Run, contact: usize) -> String {
    format!("gap: {}", run.input.model.contacts[contact].name)
}

/// The events of a kind, at one contact or at any.
pub fn events(motion: &Simulated, kind: EventKind, contact: Option<usize>) -> impl Iterator<Item = &Event> {
    let here = move |event: &&Event| contact.is_none() || event.contact == contact;
    motion.log.all().iter().filter(move |event| event.kind == kind).filter(here)
}

/// The times in which a contact, or any, was closed.
pub fn closed(motion: &Simulated, contact: Option<usize>) -> Vec<(f64, f64)> {
    let mut open: Vec<(Option<usize>, f64)> = Vec::new();
    let mut intervals = Vec::new();
    let here = motion.log.all().iter().filter(|event| contact.is_none() || event.contact == contact);
    for event in here {
        match event.kind {
            EventKind::Stick => open.push((event.contact, event.time)),
            EventKind::Release => {
                if let Some(known) = open.iter().position(|(contact, _)| *contact == event.contact) {
                    intervals.push((open.swap_remove(known).1, event.time));
                }
            }
            _ => {}
        }
    }
    intervals.extend(open.into_iter().map(|(_, since)| (since, motion.time)));
    intervals
}
