//! Which impacts belong to a complete chattering sequence? A rule on the events of a period, whatever a motion had followed before them.
//!
//! A motion counts the impacts of a sequence from where it began to look, so that the same orbit has sequences of different lengths on different sections. A
//! flight is part of a sequence if the contacts are pressed together all the time: with a constant jerk, so if the speeds at its ends differ by less than a
//! factor of two. No graze can come in such a flight, and a sequence whose impacts accumulate where the contact force vanishes is made of such flights.

use saltation_motion::{Event, EventKind};

/// The positions of the impacts that belong to the sequence whose rest is the event at `chatter`, the last one first. Flights with events at other contacts
/// belong to it if the motion has counted them.
pub(crate) fn impacts(events: &[&Event], chatter: usize) -> Vec<usize> {
    let rest = events[chatter];
    let (mut found, mut next, mut alone) = (Vec::new(), rest, true);
    for (at, event) in events[..chatter].iter().enumerate().rev() {
        let counted = found.len() < rest.impacts;
        match event.kind {
            EventKind::Impact | EventKind::Graze if event.contact == rest.contact && event.impacts > 0 => {
                let belongs = if alone { is_pressed(event, next) } else { counted };
                if !belongs {
                    break;
                }
                found.push(at);
                (next, alone) = (event, true);
            }
            EventKind::Section => {}
            EventKind::Slip if event.contact == rest.contact => {}
            _ if counted => alone = false,
            _ => break,
        }
    }
    found
}

/// Whether the flight between two impacts presses the contact all the time, and ends with a slower impact.
fn is_pressed(from: &Event, to: &Event) -> bool {
    let (leaves, arrives) = (from.speed_after.abs(), to.speed_before.abs());
    let slower = arrives < from.speed_before.abs();
    slower && arrives < 2.0 * leaves && leaves < 2.0 * arrives
}
