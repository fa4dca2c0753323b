//! Cuts the events of one period in the middle of the longest flight, so that a section cuts neither a sequence of impacts nor a contact.

use saltation_motion::{ClosedSet, Event, EventKind, Happening, Motion, System};

use crate::return_map::{Failure, Patience};
use crate::sequence;

/// One entry of a signature: what happens, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark {
    /// What happens.
    pub kind: EventKind,
    /// The contact, or the switch as an [element](ClosedSet::element).
    pub contact: usize,
}

impl Mark {
    /// Its word, e.g. `impact:wall`.
    pub(crate) fn word(&self, system: &System) -> String {
        let kind = self.kind.told(system, ClosedSet::switch(self.contact));
        format!("{}:{}", kind.name(), system.element_name(self.contact))
    }
}

/// Times closer than this fraction of a period are one instant: event times are known to rounding of the period.
pub(crate) const SAME_INSTANT: f64 = 1e-12;

/// The events of one period.
#[derive(Debug, Clone, PartialEq)]
pub struct Cycle {
    /// How long after the section it begins.
    pub begins: f64,
    /// The contacts that are closed there.
    pub closed: ClosedSet,
    /// The events of one period in their order, in time since the beginning of the cycle.
    pub events: Vec<Event>,
}

impl Cycle {
    /// The cycle of an orbit whose events since the section are `events`; `motion` has come back to the section after `period`.
    ///
    /// # Errors
    /// If the motion takes too many steps, or if the caller asks to stop.
    pub(crate) fn of(
        motion: &mut Motion,
        closed: ClosedSet,
        events: &[Event],
        period: f64,
        monitor: &mut dyn FnMut() -> bool,
    ) -> Result<Cycle, Failure> {
        let whole = Cycle { begins: 0.0, closed, events: events.to_vec() };
        let Some(begins) = quiet(motion.system(), closed, events, period) else { return Ok(whole) };
        let shifted = |event: &Event, by: f64| Event { time: event.time - by, ..event.clone() };
        let mut cycle: Vec<Event> = events.iter().filter(|e| e.time > begins).map(|e| shifted(e, begins)).collect();
        // What happens at the section may have been reported before it.
        let reported = cycle.len();
        motion.extend(period + begins, None);
        let mut patience = Patience::with_path();
        loop {
            match motion.advance() {
                Happening::Event(event) => {
                    let is_reported = |known: &Event| {
                        let at_once = (known.time + begins - event.time).abs() <= SAME_INSTANT * period;
                        let what = |event: &Event| (event.kind, event.contact, event.switch, event.reset);
                        at_once && what(known) == what(event)
                    };
                    if !cycle[..reported].iter().any(is_reported) {
                        cycle.push(shifted(event, begins));
                    }
                }
                Happening::Ended(ended) if ended.is_complete() => break,
                // The first period has shown that it does not end.
                Happening::Ended(_) => return Ok(whole),
                _ => {}
            }
            patience.spend(motion.time(), monitor)?;
        }
        Ok(Cycle { begins, closed: motion.closed(), events: cycle })
    }

    /// Whether a time of the cycle lies within a sequence that is completed, from its first impact on.
    pub(crate) fn chatters_at(&self, time: f64) -> bool {
        self.events.iter().enumerate().filter(|(_, event)| event.kind == EventKind::Chatter).any(|(k, chatter)| {
            let own = |event: &&Event| event.kind == EventKind::Impact && event.contact == chatter.contact;
            let first = self.events[..k].iter().filter(own).rev().take(chatter.impacts).last().unwrap_or(chatter);
            first.time < time && time < chatter.end()
        })
    }

    /// What happens in one period, from the section on: impacts, complete chattering, persistent contact and release. The impacts of a complete
    /// sequence are part of it.
    pub(crate) fn marks(&self, period: f64) -> Vec<Mark> {
        let events: Vec<&Event> = self.events.iter().filter(|event| happens(event)).collect();
        let chatters = (0..events.len()).filter(|&at| events[at].kind == EventKind::Chatter);
        let within: Vec<usize> = chatters.flat_map(|at| sequence::impacts(&events, at)).collect();
        let mut marks: Vec<(Mark, f64)> = Vec::new();
        for (at, event) in events.iter().enumerate() {
            let element = event.contact.or(event.switch.map(ClosedSet::element));
            let Some(contact) = element else { continue };
            let touch = event.kind == EventKind::Graze && event.impacts == 0;
            if !touch && !within.contains(&at) {
                marks.push((Mark { kind: event.kind, contact }, event.time + self.begins));
            }
        }
        let first = marks.iter().position(|(_, time)| *time >= period * (1.0 - SAME_INSTANT)).unwrap_or(0);
        marks.rotate_left(first);
        marks.into_iter().map(|(mark, _)| mark).collect()
    }
}

/// Whether something happens at a contact or a switch; that a section is passed there is no event of the orbit.
pub(crate) fn happens(event: &Event) -> bool {
    event.kind != EventKind::Section && (event.contact.is_some() || event.switch.is_some())
}

/// The contacts that are closed after an event.
pub(crate) fn closed_after(system: &System, closed: ClosedSet, event: &Event) -> ClosedSet {
    match (event.kind, event.contact) {
        (EventKind::Section, _) => closed,
        _ if system.switches() => event.mode,
        (EventKind::Stick | EventKind::Slip, _) if system.is_coupled() => event.mode,
        (EventKind::Stick, Some(contact)) => closed.with(contact),
        (EventKind::Release, Some(contact)) => closed.without(contact),
        _ => closed,
    }
}

/// A time without events.
#[derive(Clone, Copy)]
struct Span {
    from: f64,
    to: f64,
    /// Whether no contact is closed.
    flies: bool,
}

impl Span {
    fn length(&self) -> f64 {
        self.to - self.from
    }
}

/// The middle of the longest flight or, without one, of the longest time without events; `None` where nothing happens.
fn quiet(system: &System, closed: ClosedSet, events: &[Event], period: f64) -> Option<f64> {
    let mut spans: Vec<Span> = Vec::new();
    let mut now = closed;
    let mut since = None;
    let mut first = None;
    for event in events.iter().filter(|event| happens(event)) {
        match since {
            None => first = Some(event.time),
            Some(from) => spans.push(Span { from, to: event.time, flies: now.is_empty() }),
        }
        now = closed_after(system, now, event);
        since = Some(event.end());
    }
    let (first, from) = first.zip(since)?;
    spans.push(Span { from, to: first + period, flies: now.is_empty() });
    let longest =
        |spans: &mut dyn Iterator<Item = &Span>| spans.max_by(|a, b| a.length().total_cmp(&b.length())).copied();
    let flight = longest(&mut spans.iter().filter(|span| span.flies && span.to > span.from));
    let Span { from, to, .. } = flight.or_else(|| longest(&mut spans.iter()))?;
    // What comes back at once has no period.
    (period > 0.0).then(|| (0.5 * (from + to)).rem_euclid(period))
}
