//! Assigns impacts to complete chattering sequences by a rule on the events of a period, whatever part of the motion was followed before them.
//!
//! A motion counts the impacts of a sequence from where it was begun, so that the same orbit has sequences of different lengths on different sections. A
//! flight is part of a sequence if its contact is pressed all the time, by an acceleration that changes at a constant rate: it begins with speed V and ends with
//! v after a time T, so that it begins with the acceleration (2 v - 4 V) / T and ends with (2 V - 4 v) / T. Both press, and the next flight begins with the
//! second. No graze can come in such a flight, and a sequence whose impacts accumulate where the contact force vanishes is made of such flights.

use saltation_motion::{Event, EventKind};

/// Accelerations that differ by less than this factor are those of a constant rate of change.
const ACCELERATION_FACTOR: f64 = 2.0;
/// Times are distinct if they differ by more than so many units in the last place.
const RESOLVED_UNITS: f64 = 64.0;

/// The positions of the impacts that belong to the sequence whose completion is the event at `chatter`, the last one first. Flights with events at other contacts
/// belong to it if the trajectory has counted them.
pub(crate) fn impacts(events: &[&Event], chatter: usize) -> Vec<usize> {
    let completion = events[chatter];
    let (mut found, mut next, mut alone) = (Vec::new(), completion, true);
    let mut pressing = None;
    for (at, event) in events[..chatter].iter().enumerate().rev() {
        let counted = found.len() < completion.impacts;
        match event.kind {
            EventKind::Impact | EventKind::Graze if event.contact == completion.contact && event.impacts > 0 => {
                let flight = Flight::between(event, next);
                let belongs = if alone { flight.is_pressed(pressing) } else { counted };
                if !belongs {
                    break;
                }
                found.push(at);
                (next, pressing) = (event, flight.begins().filter(|_| alone));
                alone = true;
            }
            EventKind::Section => {}
            EventKind::Slip if event.contact == completion.contact => {}
            _ if counted => alone = false,
            _ => break,
        }
    }
    found
}

/// The flight between two impacts.
struct Flight {
    /// The speed of the impact before it.
    before: f64,
    /// The speeds at its ends.
    leaves: f64,
    arrives: f64,
    /// How long it takes, if times resolve that.
    time: Option<f64>,
    /// Whether positions do not resolve its height: a motion that begins in it bounces as rounding has it.
    is_rounding: bool,
}

impl Flight {
    fn between(from: &Event, to: &Event) -> Flight {
        let (before, leaves, arrives) = (from.speed_before.abs(), from.speed_after.abs(), to.speed_before.abs());
        let time = Some(to.time - from.time).filter(|time| *time > RESOLVED_UNITS * f64::EPSILON * to.time.abs());
        // The height is that of a parabola, among the largest of the coordinates.
        let largest = from.before.iter().chain(&to.before).fold(0.0_f64, |most, x| most.max(x.abs()));
        let height = (to.time - from.time) * leaves.max(arrives) / 4.0;
        Flight { before, leaves, arrives, time, is_rounding: height <= RESOLVED_UNITS * f64::EPSILON * largest }
    }

    /// With what acceleration it begins.
    fn begins(&self) -> Option<f64> {
        self.time.filter(|_| !self.is_rounding).map(|time| (4.0 * self.leaves - 2.0 * self.arrives) / time)
    }

    /// Whether it presses the contact all the time and ends with a slower impact; `next` is with what acceleration the flight after it begins, if that is known.
    fn is_pressed(&self, next: Option<f64>) -> bool {
        let slower = self.arrives < self.before;
        // What begins nearly without force is about to become a flight of its own: ends < ACCELERATION_FACTOR begins.
        let (begins, ends) = (4.0 * self.leaves - 2.0 * self.arrives, 4.0 * self.arrives - 2.0 * self.leaves);
        let pressed = begins > 0.0 && ends > 0.0 && ends < ACCELERATION_FACTOR * begins;
        let ends = self.time.map(|time| ends / time);
        let alike = ends
            .zip(next)
            .is_none_or(|(ends, next)| ends < ACCELERATION_FACTOR * next && next < ACCELERATION_FACTOR * ends);
        self.is_rounding || slower && pressed && alike
    }
}
