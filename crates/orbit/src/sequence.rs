//! Which impacts belong to a complete chattering sequence? A rule on the events of a period, whatever a motion had followed before them.
//!
//! A motion counts the impacts of a sequence from where it began to look, so that the same orbit has sequences of different lengths on different sections. A
//! flight is part of a sequence if its contact is pressed all the time, by an acceleration that changes at a constant rate: it begins with speed V and ends with
//! v after a time T, so that it begins with the acceleration (2 v - 4 V) / T and ends with (2 V - 4 v) / T. Both press, and the next flight begins with the
//! second. No graze can come in such a flight, and a sequence whose impacts accumulate where the contact force vanishes is made of such flights.

use saltation_motion::{Event, EventKind};

/// Accelerations that differ by less than this factor are those of a constant rate of change.
const ALIKE: f64 = 2.0;

/// The positions of the impacts that belong to the sequence whose rest is the event at `chatter`, the last one first. Flights with events at other contacts
/// belong to it if the motion has counted them.
pub(crate) fn impacts(events: &[&Event], chatter: usize) -> Vec<usize> {
    let rest = events[chatter];
    let (mut found, mut next, mut alone) = (Vec::new(), rest, true);
    let mut pressing = None;
    for (at, event) in events[..chatter].iter().enumerate().rev() {
        let counted = found.len() < rest.impacts;
        match event.kind {
            EventKind::Impact | EventKind::Graze if event.contact == rest.contact && event.impacts > 0 => {
                let begins = pressed(event, next, pressing).filter(|_| alone);
                if !(begins.is_some() || !alone && counted) {
                    break;
                }
                found.push(at);
                (next, alone, pressing) = (event, true, begins);
            }
            EventKind::Section => {}
            EventKind::Slip if event.contact == rest.contact => {}
            _ if counted => alone = false,
            _ => break,
        }
    }
    found
}

/// With what acceleration the flight between two impacts begins if it presses the contact all the time and ends with a slower impact; `next` is that with which
/// the flight after it begins, if it is known.
fn pressed(from: &Event, to: &Event, next: Option<f64>) -> Option<f64> {
    let (leaves, arrives, time) = (from.speed_after.abs(), to.speed_before.abs(), to.time - from.time);
    let slower = arrives < from.speed_before.abs();
    let (begins, ends) = ((4.0 * leaves - 2.0 * arrives) / time, (4.0 * arrives - 2.0 * leaves) / time);
    let goes_on = next.is_none_or(|next| ends < ALIKE * next && next < ALIKE * ends);
    (slower && begins > 0.0 && ends > 0.0 && goes_on).then_some(begins)
}
