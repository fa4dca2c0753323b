//! Tests the nodes of a solution, one function per kind of event: what the event requires of the states just before and after it.

use saltation_motion::Bound;
use saltation_motion::ClosedSet;

use super::{DEPTH_ROUNDING, ImpactSpeed, InitialBound, SPEED_ROUNDING, largest};
use crate::signature::{Equations, Kind};

/// Margins of collisions, which are relative to the size of their terms, are zero below this.
const LAW_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A node with the states before and after its jump.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub node: usize,
    pub kind: Kind,
    /// The mode before.
    pub before: ClosedSet,
    /// The mode afterwards.
    pub after: ClosedSet,
    /// The state before the jump.
    pub state: Vec<f64>,
    /// The state after the jump.
    pub jumped: Vec<f64>,
    /// The opening acceleration at the end of a chattering sequence.
    pub end_acceleration: f64,
}

/// A contact whose gap begins at zero, and how many of its Taylor coefficients are zero there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Departure {
    pub contact: usize,
    pub order: usize,
}

impl Event {
    /// The contact that opens at the event, with the order of the zero of its gap.
    pub(super) fn departure(&self, plastic: bool) -> Option<Departure> {
        let (contact, order) = match self.kind {
            // An impact that leaves no speed leaves none by rounding either.
            Kind::Impact { contact } => (contact, if plastic { 2 } else { 1 }),
            Kind::Release { contact } | Kind::Accumulation { contact, .. } => (contact, 3),
            // Detached at a finite force.
            Kind::Turn { contact, .. } if !self.after.contains(contact) => (contact, 2),
            _ => return None,
        };
        Some(Departure { contact, order })
    }

    /// Whether nothing happens at the node, so that nothing begins there either.
    pub(super) fn is_anchor(&self) -> bool {
        matches!(self.kind, Kind::Phase { .. } | Kind::Plane { .. })
    }
}

/// The result of a test.
#[derive(Debug)]
pub(super) struct Tested {
    pub admissible: bool,
    /// The contact whose collision does not obey its laws.
    pub unlawful: Option<usize>,
    pub initial_bounds: Vec<InitialBound>,
    /// The rate of the bound that is reached.
    pub bound_rate: Option<f64>,
    /// Whether an impact leaves nothing but rounding of its speed.
    pub plastic: bool,
}

impl Tested {
    fn only(admissible: bool) -> Tested {
        Tested { admissible, unlawful: None, initial_bounds: Vec::new(), bound_rate: None, plastic: false }
    }
}

impl Equations<'_> {
    /// Tests one event, and the collisions at its node.
    pub(super) fn test_event(&mut self, event: &Event, impact: Option<&ImpactSpeed>) -> Tested {
        let mut tested = match event.kind {
            Kind::Impact { contact } => self.test_impact(event, contact, impact),
            // A complete sequence ends with the contact pressed together.
            Kind::Chatter { .. } => Tested::only(event.end_acceleration < 0.0),
            Kind::Release { contact } => self.test_bound(event, contact, Bound::Force),
            Kind::Turn { contact, bound } => self.test_crossing(event, (contact, bound), &[]),
            Kind::Reset { contact, bound, ref resets } => self.test_crossing(event, (contact, bound), resets),
            Kind::Minimum { contact } => self.test_minimum(event, contact),
            Kind::Accumulation { .. } | Kind::Wrap | Kind::Phase { .. } | Kind::Plane { .. } | Kind::Waypoint => {
                Tested::only(true)
            }
        };
        self.test_reversal(event, &mut tested);
        self.test_collisions(event, &mut tested);
        tested
    }

    /// Slip that reverses where its friction has a static limit of its own: what would keep it from slipping exceeds that limit.
    fn test_reversal(&mut self, event: &Event, tested: &mut Tested) {
        let Kind::Turn { contact, bound: Bound::Speed } = event.kind else { return };
        let Some(slip) = event.after.slip(contact).filter(|_| self.system().holds(contact)) else { return };
        if event.before.slip(contact).is_none_or(|before| before == slip) {
            return;
        }
        let (held, edge) = (event.after.with(contact), Bound::Cone(slip));
        // Where others hold it, too, its force is one choice of many.
        if self.flow.shares_forces(held, &event.jumped) {
            return;
        }
        let mut left = Default::default();
        self.flow.bound(held, (contact, edge), &event.jumped, &mut left);
        let value = -left.value;
        let rounding = self.bound_rounding(held, contact, &event.jumped);
        let rounding = Bound::ALL.iter().zip(rounding).find(|known| *known.0 == edge).map_or(0.0, |known| known.1);
        if value < -rounding {
            tested.unlawful = Some(contact);
        }
        tested.initial_bounds.push(InitialBound { node: event.node, contact, bound: None, value });
    }

    /// An impact: whether it may begin persistent contact, whether a touch comes from outside, whether an impact without rebound opens again.
    fn test_impact(&mut self, event: &Event, contact: usize, impact: Option<&ImpactSpeed>) -> Tested {
        let plastic = impact.is_some_and(|impact| self.leaves_no_speed(impact, &event.jumped));
        let mut tested = Tested { plastic, ..Tested::only(true) };
        let sticks = event.after.contains(contact);
        if sticks {
            // Only without restitution an impact is the beginning of persistent contact.
            tested.admissible &= plastic;
        }
        if let Some(impact) = impact
            && impact.speed.abs() <= SPEED_ROUNDING * impact.size
        {
            // A touch without speed comes from outside if the gap has a minimum there; short flights end with small speeds and press the contact.
            let minimum = |own: &mut Self| own.flow.gap_derivatives(event.before, contact, &event.state)[2] > 0.0;
            tested.admissible &= impact.speed < 0.0 || minimum(self);
        }
        if !sticks && plastic {
            // Without a rebound the contact opens only if its acceleration does.
            let value = self.flow.gap_derivatives(event.after, contact, &event.jumped)[2];
            tested.admissible &= value >= -self.acceleration_rounding(event.after, contact, &event.jumped);
            tested.initial_bounds.push(InitialBound { node: event.node, contact, bound: None, value });
        }
        tested
    }

    /// A bound that is reached: it must fall through zero. Where the mode stays the same the bound is touched only.
    fn test_bound(&mut self, event: &Event, contact: usize, bound: Bound) -> Tested {
        let mut value = Default::default();
        let rate = self.flow.bound(event.before, (contact, bound), &event.state, &mut value);
        Tested { bound_rate: Some(rate), ..Tested::only(rate < 0.0 || event.before == event.after) }
    }

    /// The same at the surface of a switch, where just these events happen.
    fn test_crossing(&mut self, event: &Event, (element, bound): (usize, Bound), resets: &[usize]) -> Tested {
        let mut tested = self.test_bound(event, element, bound);
        if matches!(bound, Bound::Speed | Bound::Surface) {
            tested.admissible &= self.flow.happens(element, event.before, resets, &event.state);
        }
        tested
    }

    /// A minimum of a gap at a node: it must not lie inside the obstacle.
    fn test_minimum(&mut self, event: &Event, contact: usize) -> Tested {
        let value = self.flow.gap_derivatives(event.after, contact, &event.state)[0];
        Tested::only(value >= -DEPTH_ROUNDING * largest(&event.state))
    }

    /// Collisions with friction: the laws that were not used as equations must hold as inequalities.
    fn test_collisions(&mut self, event: &Event, tested: &mut Tested) {
        for collision in &self.signature().nodes[event.node].collisions.clone() {
            // What a law keeps at zero has no sign: an impact without restitution leaves nothing but rounding.
            let margin = self.flow.margin(collision, &event.state);
            let value = if margin.abs() <= LAW_ROUNDING { 0.0 } else { margin };
            if value < -DEPTH_ROUNDING {
                tested.unlawful = event.kind.contact();
            }
            let contact = event.kind.contact().unwrap_or(0);
            tested.initial_bounds.push(InitialBound { node: event.node, contact, bound: None, value });
        }
    }
}
