//! How does a motion go on after it has stopped? To a new goal from where it is, or from another start.

use crate::automaton::{Misses, Motion};
use crate::friction::Collision;
use crate::start::StartError;
use crate::system::ClosedSet;
use crate::time::Time;
use crate::variation::Perturbation;

impl Motion<'_> {
    /// Begins anew at time 0 from another start state with the same parameters, until the end time or the returns in
    /// `settings` (whose other entries stay as they were). What the motion has allocated is used again. Sections by the phase
    /// stay where they were at first.
    ///
    /// # Errors
    /// If the start lies inside an obstacle; the motion is then of no use until it is begun anew.
    ///
    /// # Panics
    /// If `start` has not as many entries as there are states.
    pub fn restart(
        &mut self,
        start: &[f64],
        closed: ClosedSet,
        (until, returns): (f64, Option<(usize, u64)>),
        perturbations: &[Perturbation],
    ) -> Result<(), StartError> {
        self.settings.until = until;
        self.settings.returns = returns;
        self.state.copy_from_slice(start);
        self.time = Time::at(0.0);
        self.leaving.fill(0);
        self.departed.iter_mut().for_each(Vec::clear);
        self.closing.fill(None);
        (self.bounced, self.expected_flight, self.last_impact) = (None, f64::INFINITY, f64::NEG_INFINITY);
        self.forget_sequences();
        self.bridge = None;
        for (section, state) in self.sections.iter_mut().enumerate() {
            (state.cell, state.returns) = (0.0, 0);
            let known = &self.system.sections[section];
            let asked = returns.is_some_and(|(wanted, _)| wanted == section);
            self.watched_sections[section] = known.formula.is_some() && (known.declared.is_some() || asked);
        }
        self.queue.clear();
        self.watch.tallest.clear();
        self.watch.widest.clear();
        self.ended = None;
        self.misses = Misses { count: 0, smallest: f64::INFINITY, contact: 0, time: 0.0 };
        self.last_step = (0.0, 0.0, 0, false);
        (self.standing, self.standing_since) = (0, 0.0);
        self.crowd.forget();
        (self.pending, self.told_return, self.jumped_return) = (None, false, false);
        self.vanishing.clear();
        self.locked = ClosedSet::NONE;
        (self.cause, self.fastest) = (None, 0.0);
        self.collision = Collision::default();
        self.followed.fill(Collision::default());
        self.linear.restart();
        self.forget_pace();
        self.enter_mode(ClosedSet::NONE);
        self.differentiate(perturbations);
        self.begin(closed)
    }

    /// Gives the motion a new goal: an end time, and more returns to a section from now on.
    ///
    /// A motion that reached its goal goes on from there, as if it had not stopped; one that ended otherwise stays ended.
    pub fn extend(&mut self, until: f64, returns: Option<(usize, u64)>) {
        if self.has_failed() {
            return;
        }
        self.ended = None;
        self.jumped_return = false;
        self.settings.until = until;
        self.settings.returns = returns.map(|(section, count)| (section, self.sections[section].returns + count));
        for (section, known) in self.system.sections.iter().enumerate() {
            let asked = returns.is_some_and(|(wanted, _)| wanted == section);
            let watch = known.formula.is_some() && (known.declared.is_some() || asked);
            if watch && !self.watched_sections[section] {
                self.watched_sections[section] = true;
                self.place_section(section);
            }
        }
        if let Some(contact) = self.pending.take() {
            self.told_return = true;
            self.strike(contact);
        }
    }
}
