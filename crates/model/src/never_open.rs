//! Contacts that a constant force presses together for ever: what is left of them is friction with a known limit, and `[friction.NAME]` says that without a coordinate for the gap.

use crate::contact::Contact;
use crate::model::Model;
use crate::point::{Point, short};

impl Model {
    /// What could be written with less, one sentence each.
    pub(crate) fn suggestions(&self, start: &Point) -> Vec<String> {
        self.contacts.iter().filter_map(|contact| self.never_opens(contact, start)).collect()
    }

    /// A contact with friction on whose gap one coordinate alone depends, which nothing else knows and which a constant force presses.
    fn never_opens(&self, contact: &Contact, start: &Point) -> Option<String> {
        let (body, friction) = (self.body.mechanics()?, contact.friction.as_ref()?);
        if self.constraints.iter().any(|constraint| constraint.sides.is_some()) {
            return None;
        }
        let mut graph = self.graph.clone();
        let (zero, symbols) = (graph.constant(0.0), self.state_symbols());
        let states_of = |node| {
            let of = self.graph.symbols_of(node);
            (0..symbols.len()).filter(|&i| of.contains(&symbols[i])).collect::<Vec<usize>>()
        };
        let [z] = states_of(contact.gap)[..] else { return None };
        let place = body.coordinates.iter().position(|&q| q == z)?;
        let w = body.velocities[place];
        let name = &contact.name;
        let own = [
            format!("the gap of `{name}`"),
            format!("the impact law of `{name}`"),
            format!("the rate of `{}`", self.states[z].name),
        ];
        let alone = [z, w].iter().all(|&state| self.dependents(state).iter().all(|user| own.contains(user)));
        let pushed = |&v: &usize| v == w || contact.response[v] == zero;
        let apart = body.velocities.iter().all(pushed) && friction.response[w] == zero;
        let pressed = states_of(self.states[w].rate).is_empty() && start.value(&self.graph, contact.acceleration) < 0.0;
        let touches = start.value(&self.graph, contact.gap) <= 0.0 && start.value(&self.graph, contact.speed) == 0.0;
        if !(alone && apart && pressed && touches) {
            return None;
        }
        let slope = graph.derivative(contact.gap, symbols[z]);
        let per_force = start.value(&graph, slope) * start.value(&graph, contact.response[w]);
        let force = -start.value(&graph, contact.acceleration) / per_force;
        Some(format!(
            "the constant force {} presses the contact `{name}` together for ever, and nothing else depends on `{}`: [friction.{name}] with track = \"{}\" and force = \"{}*({})\" is the same without that coordinate",
            short(force),
            self.states[z].name,
            self.graph.print(friction.track),
            short(force),
            self.graph.print(friction.coefficient),
        ))
    }
}
