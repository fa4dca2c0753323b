//! The events of a motion that are kept: all on request, else the first and the last.

use crate::naming::{Naming, kind_index};
use crate::text::number;
use saltation_model::ImpactLaw;
use saltation_motion::{Event, EventKind, Policy};
use std::collections::VecDeque;

/// The number of events kept at each end if not all are: far more than a report shows, so that whole sequences fit.
const KEPT: usize = 1000;

/// The number of decisions that are listed one by one.
const DECISIONS: usize = 5;

/// The events of a motion.
#[derive(Debug)]
pub struct EventLog {
    keep_all: bool,
    first: Vec<Event>,
    last: VecDeque<Event>,
    counts: [u64; EventKind::ALL.len()],
    /// Events at which several contact modes were consistent: how many, and the first of them.
    decisions: (u64, Vec<Event>),
    /// Impacts that added to the kinetic energy: how many, and the one that added most.
    gains: (u64, Option<Event>),
    /// Impacts with nonunique solutions: how many, and the first.
    choices: (u64, Option<Event>),
}

impl EventLog {
    /// An empty log.
    pub fn new(keep_all: bool) -> EventLog {
        let (counts, decisions, gains, choices) = ([0; EventKind::ALL.len()], (0, Vec::new()), (0, None), (0, None));
        EventLog { keep_all, first: Vec::new(), last: VecDeque::new(), counts, decisions, gains, choices }
    }

    /// Adds an event, of a kind in the words of its law.
    pub fn push(&mut self, event: &Event, kind: EventKind) {
        self.counts[kind_index(kind)] += 1;
        if !event.alternatives.is_empty() {
            self.decisions.0 += 1;
            if self.decisions.1.len() < DECISIONS {
                self.decisions.1.push(event.clone());
            }
        }
        if event.choice.is_some() {
            self.choices.0 += 1;
            self.choices.1.get_or_insert_with(|| event.clone());
        }
        if event.energy > 0.0 {
            self.gains.0 += 1;
            if self.gains.1.as_ref().is_none_or(|known| event.energy > known.energy) {
                self.gains.1 = Some(event.clone());
            }
        }
        if self.keep_all || self.first.len() < KEPT {
            self.first.push(event.clone());
            return;
        }
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        self.last.push_back(event.clone());
    }

    /// Where several contact modes were consistent, and which there were; a line for each, followed by an empty line.
    pub fn decisions(&self, naming: Naming, policy: Policy) -> Vec<String> {
        let (count, events) = &self.decisions;
        let mut lines: Vec<String> = events
            .iter()
            .map(|event| {
                let ways: Vec<String> = event.alternatives.iter().map(|&way| naming.alternative(way)).collect();
                format!(
                    "at t = {} rigid bodies could continue in several ways: {}; the policy is {}",
                    number::short(event.time, 10),
                    ways.join(", or "),
                    policy.name()
                )
            })
            .collect();
        if *count as usize > events.len() {
            lines.push(format!("and so {} more", number::count(*count - events.len() as u64, "time")));
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines
    }

    /// Warnings about the laws of the model.
    pub fn warnings(&self, naming: Naming) -> Vec<String> {
        self.gain(naming).into_iter().chain(self.choice(naming)).collect()
    }

    /// Impacts with nonunique solutions.
    fn choice(&self, naming: Naming) -> Option<String> {
        let (count, Some(event)) = &self.choices else { return None };
        let choice = event.choice?;
        let open = match choice.solutions {
            0 | 1 => "many impulses that compress lead to the same speeds, and Poisson's law gives back a part of them"
                .to_string(),
            several => format!("{several} solutions obey all laws"),
        };
        Some(format!(
            "the outcome of {} is not unique, first at {} at t = {}: {open}. Taken is the solution with the least kinetic energy, and of several of these the one with the impulses of \
             least norm",
            number::count(*count, "impact"),
            naming.contact(event).unwrap_or_default(),
            number::short(event.time, 10),
        ))
    }

    /// Impacts that add to the kinetic energy.
    fn gain(&self, naming: Naming) -> Option<String> {
        let (count, Some(event)) = &self.gains else { return None };
        let law = match naming.system.model().impacts.law {
            ImpactLaw::Newton => {
                "Newton's law of restitution with friction, or with several contacts, allows that (Kane's paradox); [impacts] law = \"poisson\" may not"
            }
            ImpactLaw::Poisson => "Poisson's law of restitution allows that with several contacts",
        };
        let contact = naming.contact(event).unwrap_or_default();
        Some(format!(
            "{} added to the kinetic energy, most at {contact} at t = {}: {}. {law}",
            number::count(*count, "impact"),
            number::short(event.time, 10),
            number::short(event.energy, 6),
        ))
    }

    /// The number of events by kind; only kinds that occurred.
    pub fn counts(&self) -> impl Iterator<Item = (EventKind, u64)> {
        EventKind::ALL.into_iter().zip(self.counts).filter(|(_, count)| *count > 0)
    }

    /// The number of events.
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
