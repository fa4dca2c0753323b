//! The words of the interface for contacts, constraints and modes.

use saltation_model::Constraint;

use crate::mode::{ClosedSet, Side, Slip};
use crate::system::System;

impl System {
    /// The name of a contact, or of the constraint with friction of which it is a side.
    pub fn place_name(&self, contact: usize) -> &str {
        let of = |constraint: &&Constraint| constraint.sides.is_some_and(|sides| sides.contains(&contact));
        match self.model().constraints.iter().find(of) {
            Some(constraint) => &constraint.name,
            None => &self.contact_names[contact],
        }
    }

    /// The contacts with a name: one, or both sides of a constraint with friction.
    pub fn contacts_named(&self, name: &str) -> Vec<usize> {
        match self.model().constraints.iter().find(|constraint| constraint.name == name) {
            Some(constraint) => constraint.sides.into_iter().flatten().collect(),
            None => self.contact_names.iter().position(|known| known == name).into_iter().collect(),
        }
    }

    /// Whether a contact is the second side of a constraint with friction: events there are reported at the first.
    pub(crate) fn is_second_side(&self, contact: usize) -> bool {
        self.opposite[contact].is_some_and(|other| other < contact)
    }

    /// The words of the interface for a set of closed contacts: `flight`, or `stick:wall`, `slip+:wall` and `slip-:wall` joined by
    /// commas, followed by the sides of switches, `belt:+`, `belt:-` and `belt:slide`. Persistent contact without friction is a stick.
    pub fn mode_name(&self, closed: ClosedSet) -> String {
        self.words(closed, |k| self.hybrid.felt[k])
    }

    /// The same with the sides of all switches, also those that no rate depends on.
    pub fn whole_mode_name(&self, closed: ClosedSet) -> String {
        self.words(closed, |_| true)
    }

    fn words(&self, closed: ClosedSet, shown: impl Fn(usize) -> bool) -> String {
        let word = |contact| match closed.slip(contact) {
            None => "stick",
            Some(Slip::Forward) => "slip+",
            Some(Slip::Backward) => "slip-",
        };
        let both = |c: usize| self.opposite[c].is_some_and(|other| closed.contains(other));
        let once = closed.iter().filter(|&c| !(both(c) && self.is_second_side(c)));
        let contacts = once.map(|c| format!("{}:{}", word(c), self.place_name(c)));
        let shown = (0..self.hybrid.names.len()).filter(|&k| shown(k));
        let switches = shown.map(|k| match (self.hybrid.has_friction[k], closed.sides().of(k)) {
            (true, side) => format!("{}:{}", side.word(), self.hybrid.names[k]),
            (false, side) => format!("{}:{}", self.hybrid.names[k], self.side_word(k, side)),
        });
        let parts: Vec<String> = contacts.chain(switches).collect();
        if parts.is_empty() { "flight".to_string() } else { parts.join(",") }
    }

    /// The word of a side of a switch: that of its law, `on` and `off` for a complementarity.
    pub fn side_word(&self, switch: usize, side: Side) -> &'static str {
        if self.hybrid.complements[switch].is_some() { side.complement() } else { side.name() }
    }
}
