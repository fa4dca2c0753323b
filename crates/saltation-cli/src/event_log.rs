//! Which events are kept? All, if all are asked for; else the first and the last.

use crate::naming::kind_index;
use saltation::motion::{Event, EventKind};
use std::collections::VecDeque;

/// How many events are kept of each end if not all are: far more than a report shows, so that whole sequences fit.
const KEPT: usize = 1000;

/// The events of a motion.
#[derive(Debug)]
pub struct EventLog {
    keep_all: bool,
    first: Vec<Event>,
    last: VecDeque<Event>,
    counts: [u64; EventKind::ALL.len()],
}

impl EventLog {
    /// An empty log.
    pub fn new(keep_all: bool) -> EventLog {
        EventLog { keep_all, first: Vec::new(), last: VecDeque::new(), counts: [0; EventKind::ALL.len()] }
    }

    /// Adds an event.
    pub fn push(&mut self, event: &Event) {
        self.counts[kind_index(event.kind)] += 1;
        if self.keep_all || self.first.len() < KEPT {
            self.first.push(event.clone());
            return;
        }
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        self.last.push_back(event.clone());
    }

    /// How many events there were, by kind; only kinds that occurred.
    pub fn counts(&self) -> impl Iterator<Item = (EventKind, u64)> {
        EventKind::ALL.into_iter().zip(self.counts).filter(|(_, count)| *count > 0)
    }

    /// How many events there were.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// All events, if they were to be kept.
    pub fn all(&self) -> &[Event] {
        &self.first
    }

    /// The first events and the last; one list if nothing is missing between them.
    pub fn ends(&self) -> (Vec<&Event>, Vec<&Event>) {
        let mut first: Vec<&Event> = self.first.iter().collect();
        let last: Vec<&Event> = self.last.iter().collect();
        if self.total() as usize == first.len() + last.len() {
            first.extend(last);
            return (first, Vec::new());
        }
        (first, last)
    }
}
