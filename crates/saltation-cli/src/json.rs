//! Which keys have results for other programs? Numbers keep all their digits; those that are not finite are null.

use crate::naming::Naming;
use crate::simulate::Simulated;
use saltation_motion::Policy;
use saltation_motion::{Event, EventKind};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};

/// A state as an object of names and numbers.
pub struct State<'a>(pub Naming<'a>, pub &'a [f64]);

impl Serialize for State<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.state(self.1))
    }
}

/// Pairs as an object.
pub struct Object<I>(pub I);

impl<K: Serialize, V: Serialize, I: Iterator<Item = (K, V)> + Clone> Serialize for Object<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}

struct OneEvent<'a>(Naming<'a>, &'a Event);

impl Serialize for OneEvent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let OneEvent(naming, event) = self;
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("time", &event.time)?;
        object.serialize_entry("kind", event.kind.name())?;
        object.serialize_entry("contact", &naming.contact(event))?;
        object.serialize_entry("before", &State(*naming, &event.before))?;
        object.serialize_entry("after", &State(*naming, &event.after))?;
        object.serialize_entry("speed_before", &event.speed_before)?;
        object.serialize_entry("speed_after", &event.speed_after)?;
        object.serialize_entry("duration", &event.duration)?;
        object.serialize_entry("impacts", &event.impacts)?;
        object.serialize_entry("error", &event.error)?;
        if naming.system.is_coupled() && event.section.is_none() {
            match event.kind {
                EventKind::Stick | EventKind::Slip | EventKind::Release => {
                    object.serialize_entry("mode", &naming.mode(event.mode))?;
                }
                EventKind::Impact | EventKind::ImpactWithoutCollision => {
                    object.serialize_entry("energy_gain", &event.energy)?;
                }
                _ => {}
            }
            if let Some(choice) = event.choice {
                object.serialize_entry("solutions", &choice.solutions)?;
                object.serialize_entry("impulses_unique", &!choice.impulses)?;
            }
            if !event.alternatives.is_empty() {
                let words: Vec<String> = event.alternatives.iter().map(|&way| naming.alternative(way)).collect();
                object.serialize_entry("alternatives", &words)?;
            }
        }
        if let Some(section) = naming.section(event) {
            object.serialize_entry("section", section)?;
        }
        object.end()
    }
}

/// A list of events.
pub struct Events<'a>(pub Naming<'a>, pub &'a [Event]);

impl Serialize for Events<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.1.len()))?;
        for event in self.1 {
            list.serialize_element(&OneEvent(self.0, event))?;
        }
        list.end()
    }
}

/// Where a motion ended: the value of the key `end`.
pub struct End<'a>(pub Naming<'a>, pub &'a Simulated);

impl Serialize for End<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let End(naming, motion) = self;
        let mut object = serializer.serialize_struct("End", 3)?;
        object.serialize_field("time", &motion.time)?;
        object.serialize_field("state", &State(*naming, &motion.state))?;
        object.serialize_field("mode", &naming.mode(motion.closed))?;
        object.end()
    }
}

/// How often each kind of event occurred.
struct Counts<'a>(&'a Simulated);

impl Serialize for Counts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.log.counts().map(|(kind, count)| (kind.name(), count)))
    }
}

struct Misses<'a>(Naming<'a>, &'a Simulated);

impl Serialize for Misses<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let misses = &self.1.misses;
        let nearest = |value: f64| (misses.count > 0).then_some(value);
        let contact = (misses.count > 0).then(|| &self.0.system.contact_names()[misses.contact]);
        let mut object = serializer.serialize_struct("Misses", 4)?;
        object.serialize_field("count", &misses.count)?;
        object.serialize_field("smallest", &nearest(misses.smallest))?;
        object.serialize_field("contact", &contact)?;
        object.serialize_field("time", &nearest(misses.time))?;
        object.end()
    }
}

struct Samples<'a>(Naming<'a>, &'a Simulated);

impl Serialize for Samples<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Samples(naming, motion) = self;
        let mut columns = serializer.serialize_map(None)?;
        let time: Vec<f64> = motion.samples().map(|(time, _)| time).collect();
        columns.serialize_entry("time", &time)?;
        for (i, name) in naming.states().iter().enumerate() {
            let column: Vec<f64> = motion.samples().map(|(_, state)| naming.told(i, state[i])).collect();
            columns.serialize_entry(name, &column)?;
        }
        columns.end()
    }
}

/// The answer of `simulate --json`.
pub struct Simulation<'a> {
    /// The names of its numbers.
    pub naming: Naming<'a>,
    /// What came of the motion.
    pub motion: &'a Simulated,
    /// The values of the parameters, in the order of the model.
    pub parameters: &'a [f64],
    /// What was done where contacts had several ways to go on.
    pub policy: Policy,
    /// Whether samples are part of the answer.
    pub samples: bool,
}

impl Serialize for Simulation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (naming, motion) = (self.naming, self.motion);
        let model = naming.system.model();
        let parameters = model.parameters.iter().map(|p| p.name.as_str()).zip(self.parameters);
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("end", &End(naming, motion))?;
        object.serialize_entry("counts", &Counts(motion))?;
        object.serialize_entry("ended", motion.ended.name())?;
        object.serialize_entry("events", &Events(naming, motion.log.all()))?;
        object.serialize_entry("message", &motion.ended.describe(naming.system))?;
        object.serialize_entry("misses", &Misses(naming, motion))?;
        object.serialize_entry("model", &model.name)?;
        object.serialize_entry("parameters", &Object(parameters))?;
        if naming.system.is_coupled() {
            object.serialize_entry("policy", self.policy.name())?;
            object.serialize_entry("warnings", &motion.log.warnings(naming))?;
        }
        if self.samples {
            object.serialize_entry("samples", &Samples(naming, motion))?;
        }
        object.end()
    }
}
