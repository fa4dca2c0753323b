//! Decides whether a solution of the equations is a motion of the system: the conditions of every event are evaluated at its node, and every gap, contact
//! force and friction bound between nodes is searched for minima by the roots of its Taylor polynomials, not by samples.
//!
//! | module | content |
//! |---|---|
//! | `event` | the conditions that each kind of event imposes at its node |
//! | `leg` | the flow between two nodes: minima of gaps, forces and bounds, passages of a section |
//! | `minima` | minima of polynomials |
//! | `section` | passages of a section |

mod event;
mod leg;
mod minima;
mod section;

use saltation_motion::Bound;
use saltation_motion::extension::Lost;
use saltation_numerics::polynomial::Workspace;

use super::{Equations, Kind};
use event::Event;
use leg::Leg;
use minima::Finder;
pub use section::MonitoredSection;

/// A place on an orbit.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// The node it comes after.
    pub node: usize,
    /// The time since the end of that node's jump.
    pub time: f64,
    /// The state there.
    pub state: Vec<f64>,
}

/// The lowest minimum of a gap, a contact force or a friction bound between events.
#[derive(Debug, Clone, PartialEq)]
pub struct Lowest {
    /// The contact.
    pub contact: usize,
    /// The value at the minimum.
    pub value: f64,
    /// Where.
    pub site: Site,
}

/// The lowest minimum of a friction bound on the flow after one node.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundMinimum {
    /// The bound.
    pub bound: Bound,
    /// Its minimum.
    pub lowest: Lowest,
}

/// The value that a bound takes at the start of the flow after a node.
#[derive(Debug, Clone, PartialEq)]
pub struct InitialBound {
    /// The node.
    pub node: usize,
    /// The contact.
    pub contact: usize,
    /// The bound; `None` for the laws of a collision that were not used as equations, the least of them relative to its size, for the rate with which the
    /// function of a switch begins on the other side, and for what exceeds the static limit of friction where slip reverses.
    pub bound: Option<Bound>,
    /// The value.
    pub value: f64,
}

/// Which initial bound: several laws of collisions at one node may have the same place, and are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct InitialPlace {
    pub node: usize,
    pub contact: usize,
    pub bound: Option<Bound>,
    pub rank: usize,
}

/// The opening speed of a contact just before its impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactSpeed {
    /// The node of the impact.
    pub node: usize,
    /// The contact.
    pub contact: usize,
    /// The opening speed; positive ones are not admissible (virtual).
    pub speed: f64,
    /// The sum of the moduli of the terms that make up the speed.
    pub size: f64,
}

/// A number that belongs to a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeValue {
    /// The node.
    pub node: usize,
    /// The value.
    pub value: f64,
}

/// What is known of the motion along a solution.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inspection {
    /// For every contact the lowest minimum of its gap between the nodes.
    pub gaps: Vec<Option<Lowest>>,
    /// For every contact the lowest minimum of its force while it is closed.
    pub forces: Vec<Option<Lowest>>,
    /// The lowest minimum of every friction bound on the flow after each node.
    pub margins: Vec<BoundMinimum>,
    /// The initial values of contact forces and friction bounds after every node, and by how much its collisions obey their laws.
    pub initial_bounds: Vec<InitialBound>,
    /// The opening speed of every impact.
    pub speeds: Vec<ImpactSpeed>,
    /// The duration of every persistent contact, by the node at which it begins.
    pub sticks: Vec<NodeValue>,
    /// The rate of the bound that is reached at every node where a contact opens, begins to slip or stops.
    pub bound_rates: Vec<NodeValue>,
    /// The time between each event and the next.
    pub durations: Vec<f64>,
    /// The shortest time between events.
    pub shortest: f64,
    /// The passages of the section that was asked for, in order.
    pub passages: Vec<Site>,
    /// Whether it is a motion of the system.
    pub admissible: bool,
    /// A contact whose gap has a minimum below zero, beyond rounding.
    pub penetrated: Option<usize>,
    /// A contact whose friction does not obey its laws.
    pub unlawful: Option<usize>,
    /// Whether anywhere a friction has no slip although it is taken as that of slip: others hold it, and their forces are one choice of many.
    pub indeterminate: bool,
}

impl Inspection {
    /// The places of all initial bounds, in their order.
    pub(crate) fn initial_places(&self) -> impl Iterator<Item = InitialPlace> {
        let own = |one: &InitialBound| (one.node, one.contact, one.bound);
        self.initial_bounds.iter().enumerate().map(move |(k, one)| {
            let rank = self.initial_bounds[..k].iter().filter(|other| own(other) == own(one)).count();
            InitialPlace { node: one.node, contact: one.contact, bound: one.bound, rank }
        })
    }

    /// The value of the initial bound at a place.
    pub(crate) fn initial_value(&self, place: InitialPlace) -> Option<f64> {
        let there = self.initial_places().position(|other| other == place);
        there.map(|k| self.initial_bounds[k].value)
    }

    /// The opening speed of the impact at a node, if one happens there.
    pub(crate) fn speed_at(&self, node: usize) -> Option<f64> {
        self.speeds.iter().find(|impact| impact.node == node).map(|impact| impact.speed)
    }
}

/// Gaps, forces and bounds below zero by less than this fraction of their size are zero: along a flow they are known to about the tolerance of the trajectory,
/// 1e-12 by default.
pub(super) const DEPTH_ROUNDING: f64 = 1e-11;
/// A trajectory that misses an orbit after its period by more than this, relative to the sizes of states, is not on it: solutions of the equations are known to less, and unstable ones grow.
const COMES_BACK: f64 = 1e-6;

/// Impact speeds and durations below this fraction of the size of their terms are zero, so that rounding does not decide at a graze.
pub(super) const SPEED_ROUNDING: f64 = 1e-12;

/// The largest modulus among the entries of a state.
fn largest(state: &[f64]) -> f64 {
    state.iter().fold(0.0_f64, |m, x| m.max(x.abs()))
}

/// Keeps the lower of two minima.
fn keep_lowest(known: &mut Option<Lowest>, low: Lowest) {
    if known.as_ref().is_none_or(|known| low.value < known.value) {
        *known = Some(low);
    }
}

impl Equations<'_> {
    /// Tests every node of a solution and follows the motion between them. Passages of `section` are recorded, if given.
    ///
    /// # Errors
    /// If a piece of it has no end.
    pub fn inspect(
        &mut self,
        unknowns: &[f64],
        section: Option<MonitoredSection>,
        workspace: &mut Workspace,
    ) -> Result<Inspection, Lost> {
        self.bind(unknowns);
        let contacts = self.system().contact_names().len();
        let speeds = self.speeds(unknowns);
        let mut found = Inspection {
            gaps: vec![None; contacts],
            forces: vec![None; contacts],
            shortest: f64::INFINITY,
            // At the graze itself rounding must not decide.
            admissible: speeds.iter().all(|impact| impact.speed < SPEED_ROUNDING * impact.size),
            speeds,
            ..Inspection::default()
        };
        let strikes = found.admissible;
        let mut finder = Finder::new(workspace);
        for node in 0..self.signature().nodes.len() {
            let event = self.event(node, unknowns)?;
            let tested = self.test_event(&event, found.speeds.iter().find(|impact| impact.node == node));
            found.admissible &= tested.admissible;
            found.unlawful = tested.unlawful.or(found.unlawful);
            found.initial_bounds.extend(tested.initial_bounds);
            found.bound_rates.extend(tested.bound_rate.map(|value| NodeValue { node, value }));
            let time = self.layout.time(node);
            if event.kind != Kind::Waypoint {
                found.durations.push(unknowns[time]);
                found.shortest = found.shortest.min(unknowns[time]);
            }
            found.sticks.extend(self.stick(node, unknowns).map(|value| NodeValue { node, value }));
            let length = self.layout.duration(node, unknowns);
            if length <= 0.0 {
                // Flows backward in time are no motions.
                found.admissible &= length >= -SPEED_ROUNDING * self.sizes()[time];
                continue;
            }
            let leg = self.leg(&event, tested.plastic, length, &found);
            self.follow(&leg, section, &mut finder)?.add_to(&mut found);
        }
        // Where one choice of forces obeys no laws, or the events of idle elements come in another order, the trajectory decides.
        let moves = strikes && found.penetrated.is_none() && found.indeterminate;
        let lawful = found.admissible && found.unlawful.is_none();
        if moves && !lawful && self.comes_back(unknowns, &found.speeds, DEPTH_ROUNDING) {
            (found.admissible, found.unlawful) = (true, None);
        }
        // Whether what stops sticks, after an impact and within chattering, no equation of the orbit says: the trajectory does.
        found.admissible &= !(lawful && self.rubs()) || self.comes_back(unknowns, &found.speeds, COMES_BACK);
        found.admissible &= found.unlawful.is_none();
        if let Some(watched) = section
            && self.signature().mirror.is_some()
        {
            self.mirrored_passages(unknowns, watched, workspace, &mut found.passages)?;
        }
        Ok(found)
    }

    /// Whether dry friction acts on an orbit that is no half of one: of its laws equations hold one branch.
    fn rubs(&self) -> bool {
        let model = self.system().model();
        let of_contact = model.contacts.iter().any(|contact| contact.friction.is_some());
        self.signature().mirror.is_none() && (of_contact || !model.frictions.is_empty())
    }

    /// A node with the states before and after its jump.
    fn event(&mut self, node: usize, unknowns: &[f64]) -> Result<Event, Lost> {
        let at = self.layout.nodes[node];
        let state = unknowns[at..at + self.layout.states].to_vec();
        self.jump(node, &state)?;
        let (jumped, completed) = self.jumped();
        let (jumped, end_acceleration) = (jumped.to_vec(), completed.acceleration);
        let own = &self.signature().nodes[node];
        Ok(Event {
            node,
            kind: own.kind.clone(),
            before: own.before,
            after: own.after,
            state,
            jumped,
            end_acceleration,
        })
    }

    /// The flow after an event.
    fn leg<'e>(&self, event: &'e Event, plastic: bool, length: f64, found: &Inspection) -> Leg<'e> {
        let next = (event.node + 1) % self.signature().nodes.len();
        let next_kind = self.signature().nodes[next].kind.clone();
        // A node with a positive opening speed is reached from inside the obstacle.
        let virtual_impact = |node: usize| found.speed_at(node).is_some_and(|speed| speed >= 0.0);
        let enters = match event.kind {
            Kind::Impact { contact } => Some(contact).filter(|_| virtual_impact(event.node)),
            _ => None,
        };
        let leaves = match next_kind {
            // The other half begins at the mirror image of the first contact.
            Kind::Impact { contact } | Kind::Chatter { contact } | Kind::Accumulation { contact, .. } => {
                let contact = match &self.signature().mirror {
                    Some(mirror) if next == 0 => mirror.contacts[contact],
                    _ => contact,
                };
                Some(contact).filter(|_| virtual_impact(next))
            }
            _ => None,
        };
        Leg { event, next_kind, length, departure: event.departure(plastic), enters, leaves }
    }
}
