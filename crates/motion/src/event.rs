//! Events of a motion, and the queue in which they wait to be reported.

use crate::contact::Collision;
use crate::mode::{Bound, ClosedSet};
use crate::system::System;

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// A contact closes with an opening speed below zero; the impact law applies.
    Impact,
    /// A contact is touched with an opening speed of zero, within the tolerance.
    Graze,
    /// The rest of an infinite sequence of impacts, taken at once.
    Chatter,
    /// Persistent contact begins.
    Stick,
    /// Persistent contact ends.
    Release,
    /// A contact that sticks begins to slip, or slip turns round, or contact with slip begins.
    Slip,
    /// Speeds jump although no contact closes: slip has no finite force any more (Lecornu; Leine & Brogliato, Sect. 1).
    ImpactWithoutCollision,
    /// A section is passed.
    Section,
    /// The motion crosses the surface of a switch: the field jumps, or its formulas change.
    Switch,
    /// It begins to slide along the surface of a switch.
    Slide,
    /// It leaves a surface along which it slid.
    Leave,
    /// An event of the model: the state jumps.
    Reset,
    /// The rest of an infinite sequence of crossings of switches, taken at once.
    Accumulate,
}

impl EventKind {
    /// Every kind, in the order of tables.
    pub const ALL: [EventKind; 13] = [
        EventKind::Impact,
        EventKind::Graze,
        EventKind::Chatter,
        EventKind::Stick,
        EventKind::Release,
        EventKind::Slip,
        EventKind::ImpactWithoutCollision,
        EventKind::Section,
        EventKind::Switch,
        EventKind::Slide,
        EventKind::Leave,
        EventKind::Reset,
        EventKind::Accumulate,
    ];

    /// The kind of an event at a switch in the words of its law: where dry friction comes to zero slip it sticks, and where it leaves it or turns round it slips.
    pub fn told(self, system: &System, switch: Option<usize>) -> EventKind {
        match (self, switch.is_some_and(|switch| system.is_dry(ClosedSet::element(switch)))) {
            (EventKind::Slide, true) => EventKind::Stick,
            (EventKind::Leave | EventKind::Switch, true) => EventKind::Slip,
            (kind, _) => kind,
        }
    }

    /// The word of the interface.
    pub fn name(self) -> &'static str {
        match self {
            EventKind::Impact => "impact",
            EventKind::Graze => "graze",
            EventKind::Chatter => "chatter",
            EventKind::Stick => "stick",
            EventKind::Release => "release",
            EventKind::Slip => "slip",
            EventKind::ImpactWithoutCollision => "impact_without_collision",
            EventKind::Section => "section",
            EventKind::Switch => "switch",
            EventKind::Slide => "slide",
            EventKind::Leave => "leave",
            EventKind::Reset => "reset",
            EventKind::Accumulate => "accumulate",
        }
    }
}

/// Something that happened at one instant, or, for complete chattering, over a short time.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// When it began.
    pub time: f64,
    /// What happened.
    pub kind: EventKind,
    /// The contact it happened at; `None` for sections given by a formula.
    pub contact: Option<usize>,
    /// The section that was passed.
    pub section: Option<usize>,
    /// The switch it happened at, by its position in [`System::switch_names`](crate::System::switch_names).
    pub switch: Option<usize>,
    /// The event of the model, by its position in the file.
    pub reset: Option<usize>,
    /// The state just before, in the order of the model's states.
    pub before: Vec<f64>,
    /// The state just after; for chattering, at `time + duration`.
    pub after: Vec<f64>,
    /// The opening speed of the contact before; 0 where there is no contact.
    pub speed_before: f64,
    /// The opening speed of the contact after.
    pub speed_after: f64,
    /// How long it took: 0 except for chattering.
    pub duration: f64,
    /// For chattering, how many impacts of the sequence were followed one by one; 1 for an impact, else 0.
    pub impacts: usize,
    /// For chattering, the estimated error of the extrapolated state relative to the size of each state, and of the duration relative to that of the sequence; else 0.
    pub error: f64,
    /// The closed contacts after it and their slip, for events at which contact begins or changes its slip.
    pub mode: ClosedSet,
    /// Where rigid bodies with friction have several continuations: all of them. What follows shows which one was taken.
    pub alternatives: Vec<Alternative>,
    /// What an impact with friction, or of several contacts, adds to the kinetic energy: the work of its impulses on the relative motion of the
    /// surfaces; else 0.
    pub energy: f64,
    /// The contact and the bound that was reached, for events that follow from that.
    pub cause: Option<(usize, Bound)>,
    /// The equations that hold in an impact with friction or of several contacts, and in an impact without collision.
    pub collision: Option<Collision>,
    /// What the laws of an impact leave open, if they do.
    pub choice: Option<Choice>,
}

/// What the laws of an impact leave open. The rule of the choice does not depend on the order of contacts: of several solutions the one with the least kinetic
/// energy after it, and of impulses that lead to the same speeds those of least norm, the sum of w' M^-1 w Lambda^2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Choice {
    /// The number of solutions with different speeds, of the phase that has most.
    pub solutions: usize,
    /// Whether all solutions were looked for.
    pub complete: bool,
    /// Whether impulses of a compression are one choice of many with the same speeds, of which Poisson's law gives back a part.
    pub impulses: bool,
}

impl Choice {
    /// Whether another choice would have led to another motion.
    pub fn is_open(&self) -> bool {
        self.solutions > 1 || self.impulses
    }
}

/// One of several continuations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alternative {
    /// Contacts stay closed, or open, as in this mode.
    Mode(ClosedSet),
    /// An impact without collision.
    Impact,
}

impl Event {
    pub(crate) fn empty(states: usize) -> Event {
        Event {
            time: 0.0,
            kind: EventKind::Section,
            contact: None,
            section: None,
            switch: None,
            reset: None,
            before: vec![0.0; states],
            after: vec![0.0; states],
            speed_before: 0.0,
            speed_after: 0.0,
            duration: 0.0,
            impacts: 0,
            error: 0.0,
            mode: ClosedSet::NONE,
            alternatives: Vec::new(),
            energy: 0.0,
            cause: None,
            collision: None,
            choice: None,
        }
    }

    /// When it was over.
    pub fn end(&self) -> f64 {
        self.time + self.duration
    }
}

/// Events that wait to be reported, in order. Their storage is used again, so that a warm motion allocates nothing.
#[derive(Debug, Clone)]
pub(crate) struct EventQueue {
    events: Vec<Event>,
    first: usize,
    length: usize,
    states: usize,
}

impl EventQueue {
    pub(crate) fn new(states: usize) -> EventQueue {
        EventQueue { events: Vec::new(), first: 0, length: 0, states }
    }

    /// A new event at the end of the queue, with before = after = `state`.
    pub(crate) fn push(&mut self, kind: EventKind, time: f64, state: &[f64]) -> &mut Event {
        if self.first == self.length {
            self.first = 0;
            self.length = 0;
        }
        if self.length == self.events.len() {
            self.events.push(Event::empty(self.states));
        }
        let event = &mut self.events[self.length];
        self.length += 1;
        event.kind = kind;
        event.time = time;
        event.before.copy_from_slice(state);
        event.after.copy_from_slice(state);
        event.contact = None;
        event.section = None;
        (event.switch, event.reset) = (None, None);
        (event.speed_before, event.speed_after) = (0.0, 0.0);
        event.duration = 0.0;
        event.impacts = 0;
        event.error = 0.0;
        event.mode = ClosedSet::NONE;
        event.alternatives.clear();
        event.energy = 0.0;
        event.cause = None;
        event.collision = None;
        event.choice = None;
        event
    }

    /// The events that wait.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Event> {
        self.events[self.first..self.length].iter()
    }

    /// All events that wait were followed by a mode, but for passages of sections.
    pub(crate) fn set_mode(&mut self, mode: ClosedSet) {
        let waiting = self.events[self.first..self.length].iter_mut();
        waiting.filter(|event| event.kind != EventKind::Section).for_each(|event| event.mode = mode);
    }

    /// Forgets all events.
    pub(crate) fn clear(&mut self) {
        (self.first, self.length) = (0, 0);
    }

    /// Whether there are events that have not been reported.
    pub(crate) fn has_news(&self) -> bool {
        self.first < self.length
    }

    /// Takes the oldest event off the queue; false if there is none.
    pub(crate) fn advance(&mut self) -> bool {
        let some = self.first < self.length;
        self.first += usize::from(some);
        some
    }

    /// The event that was taken off last; there has been one.
    pub(crate) fn latest(&self) -> &Event {
        &self.events[self.first - 1]
    }
}
