//! The answer of a simulation: its events, its final state, and how it ended. Its JSON is that of `simulate --json`.

use crate::named::{Named, serial};
use crate::naming::Naming;
use crate::table::Table;
use saltation_motion as motion;
use saltation_motion::EventKind;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::HashMap;

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When it began.
    pub time: f64,
    /// What happened.
    #[serde(with = "serial::event_kind")]
    pub kind: EventKind,
    /// The contact concerned.
    pub contact: Option<String>,
    /// The state just before.
    pub before: Named,
    /// The state just after; for chattering at `time + duration`.
    pub after: Named,
    /// The opening speed of the contact before, negative before an impact; 0 where there is no contact.
    #[serde(with = "serial::number")]
    pub speed_before: f64,
    /// The opening speed of the contact after.
    #[serde(with = "serial::number")]
    pub speed_after: f64,
    /// The duration: 0 except for chattering.
    pub duration: f64,
    /// For chattering, the number of impacts of the sequence that were computed one by one; 1 for an impact, else 0.
    pub impacts: usize,
    /// For chattering, the estimated error of the extrapolated state relative to the size of each state; else 0.
    #[serde(with = "serial::number")]
    pub error: f64,
    /// With friction or joint impacts: the mode from here on, where contact begins, changes its slip or ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// With friction or joint impacts: the change of the kinetic energy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy_gain: Option<f64>,
    /// The number of solutions of the impact laws, if it is not one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solutions: Option<usize>,
    /// Whether its impulses are unique for these speeds, if the solution is not unique.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impulses_unique: Option<bool>,
    /// All consistent contact modes, where rigid bodies with friction have several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<String>,
    /// The section that was crossed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The switch whose surface was reached or left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// The event of the model, whose jump this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Its derivatives by parameters and start values, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivatives: Option<EventDerivatives>,
}

impl Event {
    /// An event of a motion with the names of its numbers.
    pub(crate) fn new(naming: Naming, event: &motion::Event) -> Event {
        let joint = naming.system.is_coupled() && event.section.is_none();
        let changes = matches!(event.kind, EventKind::Stick | EventKind::Slip | EventKind::Release);
        let strikes = matches!(event.kind, EventKind::Impact | EventKind::ImpactWithoutCollision);
        let switches = matches!(
            event.kind,
            EventKind::Switch | EventKind::Slide | EventKind::Leave | EventKind::Reset | EventKind::Accumulate
        );
        let choice = event.choice.filter(|_| joint);
        let ways = event.alternatives.iter().filter(|_| joint);
        Event {
            time: event.time,
            kind: naming.told(event),
            contact: naming.contact(event).map(str::to_string),
            before: naming.named(&event.before),
            after: naming.named(&event.after),
            speed_before: event.speed_before,
            speed_after: event.speed_after,
            duration: event.duration,
            impacts: event.impacts,
            error: event.error,
            mode: (joint && changes || switches).then(|| naming.mode(event.mode)),
            energy_gain: (joint && strikes).then_some(event.energy),
            solutions: choice.map(|choice| choice.solutions),
            impulses_unique: choice.map(|choice| !choice.impulses),
            alternatives: ways.map(|&way| naming.alternative(way)).collect(),
            section: naming.section(event).map(str::to_string),
            switch: naming.switch(event).map(str::to_string),
            event: naming.reset(event).map(str::to_string),
            derivatives: None,
        }
    }
}

/// Events in the order of time.
///
/// ```
/// use saltation::System;
/// let run = System::gallery("two-wall-oscillator")?.simulate(20.0)?;
/// let upper = run.events.of("upper").count();
/// assert!(upper > 0 && upper < run.events.len());
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Events(pub Vec<Event>);

impl Events {
    /// Those at a contact, section, switch or event of the model of this name.
    pub fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Event> {
        let named = move |event: &&Event| {
            [&event.contact, &event.section, &event.switch, &event.event].into_iter().flatten().any(|n| n == name)
        };
        self.0.iter().filter(named)
    }

    /// Those of a kind.
    pub fn kind(&self, kind: EventKind) -> impl Iterator<Item = &Event> {
        self.0.iter().filter(move |event| event.kind == kind)
    }
}

impl std::ops::Deref for Events {
    type Target = [Event];

    fn deref(&self) -> &[Event] {
        &self.0
    }
}

/// The end of a motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// When.
    pub time: f64,
    /// Where.
    pub state: Named,
    /// The closed contacts: `flight`, or `stick:wall`, `slip+:wall`, `slip-:wall` joined by commas.
    pub mode: String,
}

/// The number of events of each kind, in the order of tables; only kinds that did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counts(pub Vec<(EventKind, u64)>);

impl Counts {
    /// The number of events of a kind.
    pub fn of(&self, kind: EventKind) -> u64 {
        self.0.iter().find(|(known, _)| *known == kind).map_or(0, |(_, count)| *count)
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(kind, count)| (kind.name(), count)))
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Counts, D::Error> {
        let counts: HashMap<String, u64> = HashMap::deserialize(deserializer)?;
        let known = |kind: EventKind| counts.get(kind.name()).map(|count| (kind, *count));
        Ok(Counts(EventKind::ALL.into_iter().filter_map(known).collect()))
    }
}

/// Near misses: local minima of a gap without contact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Misses {
    /// How many.
    pub count: u64,
    /// The smallest gap.
    pub smallest: Option<f64>,
    /// The contact of the smallest gap.
    pub contact: Option<String>,
    /// Its time.
    pub time: Option<f64>,
}

/// States at multiples of a time, as columns: `time`, then every state.
pub type Samples = Columns;

/// Columns of equal length by name, in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns(pub Vec<(String, Vec<f64>)>);

impl Columns {
    /// The numbers of a column.
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, column)| column.as_slice())
    }

    /// The table of samples.
    pub(crate) fn table(&self) -> Table {
        let row = |i: usize| self.0.iter().map(|(_, column)| column[i].into()).collect();
        Table {
            name: "samples",
            head: self.0.iter().map(|(name, _)| name.clone()).collect(),
            rows: (0..self.rows()).map(row).collect(),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.0.first().map_or(0, |(_, column)| column.len())
    }
}

impl Serialize for Columns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, column)| (name, column)))
    }
}

impl<'de> Deserialize<'de> for Columns {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Columns, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Columns;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("an object of columns")
            }

            fn visit_map<M: serde::de::MapAccess<'de>>(self, mut map: M) -> Result<Columns, M::Error> {
                let mut columns = Vec::new();
                while let Some((name, column)) = map.next_entry::<String, Vec<Option<f64>>>()? {
                    columns.push((name, column.into_iter().map(|x| x.unwrap_or(f64::NAN)).collect()));
                }
                Ok(Columns(columns))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

/// The derivatives of every state, by each parameter or start value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gradients(pub Vec<(String, Named)>);

impl Gradients {
    /// The derivatives of all states by a parameter or a start value.
    pub fn by(&self, name: &str) -> Option<&Named> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, states)| states)
    }
}

impl Serialize for Gradients {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, states)| (name, states)))
    }
}

impl<'de> Deserialize<'de> for Gradients {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Gradients, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Gradients;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("an object of derivatives")
            }

            fn visit_map<M: serde::de::MapAccess<'de>>(self, mut map: M) -> Result<Gradients, M::Error> {
                let mut list = Vec::new();
                while let Some(entry) = map.next_entry::<String, Named>()? {
                    list.push(entry);
                }
                Ok(Gradients(list))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

/// The derivatives of an event, whose time moves: d(time), and the total derivatives of the states at it. `null` (not a number) where there are none, as beyond a graze.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventDerivatives {
    /// Of its time.
    pub time: Named,
    /// Of the state just before it.
    pub before: Gradients,
    /// Of the state just after it; for chattering at its end.
    pub after: Gradients,
    /// Of the opening speed of the contact before an impact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_before: Option<Named>,
    /// Of the opening speed after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_after: Option<Named>,
    /// Of the time at which chattering is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_time: Option<Named>,
    /// Why derivatives do not exist from here on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}

/// The derivatives of the end of a motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndDerivatives {
    /// Of its time: zero where the trajectory ended at a given time.
    pub time: Named,
    /// Of the states: at a fixed time where the trajectory ended at a given time, else of the state at the moving end.
    pub state: Gradients,
}

/// The answer of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The end of the motion.
    pub end: End,
    /// The number of events of each kind.
    pub counts: Counts,
    /// How it ended, in a word: `time`, `returns`, `interrupted`, or the reason of the early end.
    pub ended: String,
    /// The time at which infinitely many events accumulate, if that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accumulation: Option<f64>,
    /// The event of the model that ended it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<String>,
    /// By how much the start was moved onto the constraints, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_moved: Option<Named>,
    /// The events, if all were kept.
    pub events: Events,
    /// How it ended, in a sentence.
    pub message: String,
    /// Near misses of contacts.
    pub misses: Misses,
    /// The name of the model.
    pub model: String,
    /// The values of its parameters.
    pub parameters: Named,
    /// With friction or joint impacts: the choice where several contact modes were consistent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// With friction or joint impacts: warnings about the laws of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<String>>,
    /// The derivatives of the end by parameters and start values, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivatives: Option<EndDerivatives>,
    /// States at multiples of a time, if they were asked for and kept; behind them their derivatives, `d x / d e`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<Samples>,
}
