//! Entering a mode: the one that the motion keeps, or one that is bound to its parameters now, with its exact flow if it is linear.

use std::sync::Arc;

use super::automaton::Automaton;
use crate::flow::FlowChoice;
use crate::flow::linear::{Exact, Grid, KeptForm, Linear, QuietCells, Unsuited, Watch};
use crate::mode::bound::BoundMode;
use crate::mode::{ClosedSet, Constraint};

/// The propagators of an exact flow are dense. Beyond so many states contact modes have one only if flight has.
const MOST_DENSE: usize = 64;

impl Automaton<'_> {
    /// Makes a set of closed contacts the current mode, compiling it if it is new.
    ///
    /// Sides of switches are those of the trajectory, whatever the set says.
    pub(crate) fn enter_mode(&mut self, closed: ClosedSet) {
        let closed = closed.with_sides(self.now.sides);
        self.departures.vanishing.clear();
        self.turn_contacts();
        if self.modes.enter_known(|mode| mode.closed == closed && mode.without.is_empty()) {
            return;
        }
        let redundant = self.joint.group.redundant(self.system, closed, &self.now.state, &[]);
        self.enter_mode_without(closed, redundant);
    }

    /// Contacts that are decided together feel the sides of switches in their accelerations.
    pub(super) fn turn_contacts(&mut self) {
        if self.system.coupled && self.joint.turned != self.now.sides {
            self.joint.turned = self.now.sides;
            self.joint.group.turn(self.system.touches_on(self.now.sides), &self.parameters);
            self.joint.group.hold(self.system, &self.now.pieces.held);
        }
    }

    /// Makes a set of closed contacts the current mode in which some constraints have no force, because they hold by the others.
    pub(crate) fn enter_mode_without(&mut self, closed: ClosedSet, redundant: Vec<Constraint>) {
        let closed = closed.with_sides(self.now.sides);
        self.departures.vanishing.clear();
        if self
            .modes
            .enter_known(|mode| mode.closed == closed && mode.redundant == redundant && mode.without.is_empty())
        {
            return;
        }
        let suited = match self.modes.list.first() {
            Some(flight) => flight.linear.is_some() || self.now.state.len() <= MOST_DENSE,
            None => true,
        };
        let compiled = self.system.mode(closed, &redundant, suited);
        let mut mode = BoundMode::new(compiled, redundant, &self.parameters, self.system.contact_names.len());
        if suited && self.settings.flow == FlowChoice::Exact && mode.linear_form.is_none() && mode.tape().is_wide() {
            // It is not the faster way, but it is asked for.
            mode.linear_form = self.system.linear_form(closed).ok().map(KeptForm::new).map(Arc::new);
        }
        mode.linear = self.bind_linear(&mode);
        self.keep_mode(mode);
    }

    /// Keeps a new mode and makes it the current one.
    pub(crate) fn keep_mode(&mut self, mode: BoundMode) {
        // The last step is still to be reported, and derivatives need the flight before the last impact.
        let (last, variation) = (self.flow.last_step.mode, &self.variation);
        let lost = self.modes.insert(mode, |place| place == last || variation.needs(place));
        lost.into_iter().for_each(|place| self.variation.forget(place));
        self.modes.now_mut().hold(&self.now.pieces.held);
    }

    /// The exact flow of a mode, if it has one and is to use it.
    fn bind_linear(&mut self, mode: &BoundMode) -> Option<Box<Linear>> {
        let form = mode.linear_form.as_ref()?;
        let exact = self.bind_exact(mode).ok()?;
        let system = self.system;
        let gaps = (0..system.contact_names.len())
            .filter(|&contact| !mode.closed.contains(contact))
            .map(|contact| (contact, system.gap_output(contact)));
        let forces = (0..mode.closed.iter().count()).map(|k| system.force_output(k));
        let forces = forces.chain(mode.limits.iter().map(|limit| limit.output));
        let sections = (0..system.sections.len())
            .filter(|&s| self.sections.watched[s] && system.sections[s].declared.is_some())
            .map(|s| (s, system.section_output(&system.sections[s])));
        let quiet = QuietCells::on_grid(form.watched(&exact, Watch::new(gaps, forces, sections)), &exact);
        self.flow.linear.make_room(exact.size(), quiet.width());
        Some(Box::new(Linear { exact, quiet }))
    }

    /// The exact flow of a mode.
    ///
    /// # Errors
    /// Why it has none.
    pub(crate) fn bind_exact(&self, mode: &BoundMode) -> Result<Exact<f64>, Unsuited> {
        let system = self.system;
        let form = match (self.settings.flow, &mode.linear_form) {
            (FlowChoice::Taylor, _) | (_, None) => return Err(Unsuited::Numbers),
            (_, Some(form)) => form,
        };
        let grid = system.phase.map(|_| Grid { period: self.bound.phase_period, origin: self.flow.linear.origin });
        form.bind_exact((mode.tape(), &mode.series.slots, &self.parameters), grid, system.section_range())
    }
}
