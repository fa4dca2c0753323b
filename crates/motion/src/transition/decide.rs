//! The next mode of closed contacts: all modes that obey all laws from here on, and the one that is taken.
//!
//! Contacts with g_N = g_N' = 0 open, stick or slip as the complementarity problem of their accelerations says. At a border (a force that has
//! just become zero, a stick at the edge of its cone) accelerations alone do not decide: there modes coincide, and the first coefficient
//! that is not zero, of every force, speed and gap along the motion that a mode would lead to, decides which of them obeys its own laws a moment later.
//!
//! If no mode does, the contact is *inconsistent* and an impact without collision follows; if several do, it is *indeterminate*, and the policy of the
//! run chooses (Leine & Brogliato, Sect. 1).

use super::automaton::{Automaton, Instant, Known};
use super::border::Border;
use super::consistent::{ALL_ORDERS, ConsistentMode, TimeScale};
use super::likely::{Candidate, Likely};
use super::sequence::Passage;
use crate::contact::bordering::{MOST_BORDERS, subsets};
use crate::contact::impulse::TangentialRule;
use crate::ended::Ended;
use crate::event::{Alternative, EventKind};
use crate::instant::candidates::{Met, Touching};
use crate::instant::judge::Lawful;
use crate::instant::knowledge::{ROUNDING, SOLVED};
use crate::locate::polynomials::size_on;
use crate::mode::{Bound, ClosedSet, Constraint, Slip};
use crate::settings::Policy;
use crate::trajectory::horner;

/// Decisions that lead to further impacts at the same instant.
const DEEPEST: usize = 8;
/// Beside this fraction of the fastest that the trajectory has been, what is left of it is rounding.
const EVER: f64 = 1e-3;

impl Automaton<'_> {
    /// Decides how contacts with g_N = g_N' = 0 continue, `before` being what was closed up to now; `likely` are modes to be looked at in any case.
    ///
    /// # Errors
    /// No mode obeys all laws, and no impact leads to a state in which one does.
    pub(crate) fn decide(&mut self, pressed: ClosedSet, before: ClosedSet, likely: &[ClosedSet]) -> Result<(), Ended> {
        let met = self.met_by_contacts();
        self.decide_together(Touching { pressed, likely, border: &Border::default() }, before, &met, 0)
    }

    /// The same where the mode that ends has reached a border.
    fn decide_at(&mut self, border: &Border, likely: &[ClosedSet]) -> Result<(), Ended> {
        let met = self.met_by_contacts();
        self.decide_together(Touching { pressed: border.before, likely, border }, border.before, &met, 0)
    }

    /// The same where switches are met.
    ///
    /// # Errors
    /// As for [`Self::decide`], and where several modes of switches obey all laws.
    pub(super) fn decide_with(&mut self, pressed: ClosedSet, before: ClosedSet, met: &Met) -> Result<(), Ended> {
        self.decide_together(Touching { pressed, likely: &[], border: &Border::default() }, before, met, 0)
    }

    /// The switches that take part where contacts change: those that are zero and felt.
    pub(super) fn met_by_contacts(&mut self) -> Met {
        let mut zero = self.zero_surfaces();
        zero.retain(|&k| self.system.hybrid.felt[k]);
        zero.extend(self.now.sides.sliding().filter(|k| !zero.contains(k)).collect::<Vec<_>>());
        zero.sort_unstable();
        Met { zero, reached: None, towards: self.now.sides }
    }

    fn decide_together(&mut self, touching: Touching, before: ClosedSet, met: &Met, depth: usize) -> Result<(), Ended> {
        let pressed = touching.pressed;
        self.departures.bounced = None;
        let mut state = self.now.state.clone();
        // The friction of contacts that others keep from slipping is that of slip; they have no speed.
        let limiting = pressed.iter().filter(|&contact| pressed.limiting(contact).is_some());
        let locked = self.joint.locked.iter().filter(|&contact| pressed.contains(contact)).chain(limiting);
        let pressed = locked.fold(pressed, ClosedSet::with);
        self.project_onto(pressed, &mut state);
        self.know_moved(&state);
        // Nor has slip that is rounding a direction; other slip has that which is left.
        let fastest = self.fastest(&state);
        let slipping: Vec<usize> = pressed.iter().filter(|&contact| pressed.slip(contact).is_some()).collect();
        let pressed = slipping.into_iter().fold(pressed, |set, contact| match self.slip_at(contact, &state, fastest) {
            None => set.with(contact),
            Some(slip) => set.with_slip(contact, slip),
        });
        // Both sides of a constraint slip alike; what stops at one has stopped.
        let apart =
            |&contact: &usize| self.system.opposite[contact].is_some_and(|c| pressed.slip(c) != pressed.slip(contact));
        let pressed = pressed.iter().filter(apart).fold(pressed, ClosedSet::with);
        self.now.state = state;
        self.vary_projection_onto(pressed);
        self.require_lawful_friction(pressed)?;
        let sides = self.now.sides;
        let (lawful, closed) = self.lawful_or_jump(met, Some(&Touching { pressed, ..touching }))?;
        let pressed = closed.unwrap_or(pressed);
        let underdetermined = lawful.len() > 1;
        let impact = (lawful.is_empty() || underdetermined && self.settings.policy == Policy::Impact)
            .then(|| self.free_impact(pressed))
            .flatten();
        if lawful.is_empty() && (impact.is_none() || depth >= DEEPEST) {
            let contacts: Vec<usize> = pressed.iter().collect();
            let complete = self.sees_all_modes(pressed);
            return Err(match (contacts.is_empty(), complete) {
                (true, _) => Ended::NoContinuation { switches: met.zero.clone() },
                (_, true) => Ended::Inconsistent { contacts },
                (_, false) => Ended::Undecided { contacts },
            });
        }
        let mut alternatives = Vec::new();
        if underdetermined {
            alternatives.extend(lawful.iter().map(|next| Alternative::Mode(next.contacts.mode)));
            if self.free_impact(pressed).is_some() {
                alternatives.push(Alternative::Impact);
            }
        }
        if let Some(rules) = impact {
            self.forget_sequences();
            let left = self.strike_freely(pressed, &rules, alternatives)?;
            let met = self.met_by_contacts();
            let touching = Touching { pressed: left, likely: &[], border: &Border::default() };
            return self.decide_together(touching, before, &met, depth + 1);
        }
        let next = self.only_one(lawful, &met.zero, &|automaton, lawful| automaton.chosen_of(lawful, pressed, met))?;
        let Some(next) = next else { return Ok(()) };
        self.now.sides = next.sides;
        self.turn_contacts();
        self.report_sides(sides, met.reached.is_some());
        self.take(&next.contacts, before, alternatives);
        self.departures.vanishing.extend(next.vanishing);
        self.remember_still(&met.zero, [next.still, next.contacts.held].concat());
        self.project_kept();
        Ok(())
    }

    /// A projection has moved rounding from some velocities to others: they are known no better than that.
    fn know_moved(&mut self, projected: &[f64]) {
        let velocities = self.system.velocities();
        let Automaton { known: Known { recent, extent, .. }, now: Instant { state, .. }, .. } = self;
        let fastest = velocities.iter().map(|&v| projected[v].abs().max(extent.widest[v])).fold(0.0, f64::max);
        // Where forces cancel velocities are as small as these leave them, and known to the rounding of the forces.
        let known = velocities.iter().map(|&v| recent[v]).fold(fastest, f64::max);
        for &v in velocities {
            let moved = (projected[v] - state[v]).abs();
            if moved <= ROUNDING * fastest {
                extent.widest[v] = extent.widest[v].max(moved / f64::EPSILON);
            }
            if moved <= ROUNDING * known {
                recent[v] = recent[v].max(moved / f64::EPSILON);
            }
        }
    }

    /// The mode that the policy of the run chooses of several with different motions: of switches, and of contacts on the same sides.
    fn chosen_of(&self, lawful: &[Lawful], pressed: ClosedSet, met: &Met) -> Option<Lawful> {
        let sides = lawful[0].sides;
        if lawful.iter().any(|next| next.sides != sides) {
            return self.chosen(&met.zero, lawful);
        }
        let like = |mode: ClosedSet| {
            // An impact may have stopped what slipped before.
            let same = mode.iter().filter(|&c| pressed.slip(c) == mode.slip(c)).count();
            let sticks = mode.iter().filter(|&c| mode.slip(c).is_none()).count();
            (mode.iter().count(), same, sticks)
        };
        // Of modes alike, in which contacts share their forces otherwise, the one with the most friction; not the first in the file.
        let mut chosen = 0;
        for k in 1..lawful.len() {
            let (next, best) = (&lawful[k].contacts, &lawful[chosen].contacts);
            let order = like(next.mode).cmp(&like(best.mode));
            let order = if self.settings.policy == Policy::LiftOff { order.reverse() } else { order };
            if order.is_gt() || order.is_eq() && next.rubs_more(best, self.rounding()) {
                chosen = k;
            }
        }
        lawful.get(chosen).cloned()
    }

    /// Enters a consistent mode and reports what changes.
    pub(crate) fn take(&mut self, next: &ConsistentMode, before: ClosedSet, alternatives: Vec<Alternative>) {
        self.enter_mode_without(next.mode, next.redundant.clone());
        for (contact, sequence) in self.accumulating.sequences.iter_mut().enumerate() {
            // Where nothing else happens the contact that closes has ended its sequence.
            match next.mode.contains(contact) && sequence.flies_alone() && sequence.impacts() > 1 {
                true => sequence.clear(),
                false => sequence.pass(Passage::Mode(next.mode)),
            }
        }
        self.accumulating.cycles.iter_mut().for_each(|cycle| cycle.pass(Passage::Mode(next.mode)));
        for contact in next.mode.iter() {
            self.departures.leaving[contact] = 0;
        }
        self.departures.vanishing.clear();
        self.departures.vanishing.extend_from_slice(&next.vanishing);
        for &(contact, order) in &next.opening {
            self.departures.leaving[contact] = order;
        }
        self.joint.locked = next.locked.iter().fold(ClosedSet::NONE, |set, &contact| set.with(contact));
        let opened = before.iter().filter(|&c| !next.mode.contains(c)).map(|contact| (EventKind::Release, contact));
        let changed = next.mode.iter().filter(|&c| !before.contains(c) || before.slip(c) != next.mode.slip(c));
        let kind = |contact| if next.mode.slip(contact).is_some() { EventKind::Slip } else { EventKind::Stick };
        let mut news: Vec<(EventKind, usize)> = opened.chain(changed.map(|contact| (kind(contact), contact))).collect();
        news.retain(|&(_, contact)| !self.system.is_second_side(contact));
        if news.is_empty() && !alternatives.is_empty() {
            // Nothing changes, but it might have.
            let closed = next.mode.iter().next().map(|contact| (kind(contact), contact));
            news.extend(closed.or(next.opening.first().map(|&(contact, _)| (EventKind::Release, contact))));
        }
        let mut alternatives = alternatives;
        for (kind, contact) in news {
            let leaves = kind == EventKind::Release && self.departures.leaving[contact] == 1;
            let speed = if leaves { self.surface(contact).1 } else { 0.0 };
            let event = self.report(kind, Some(contact));
            event.speed_after = speed;
            event.mode = next.mode;
            event.alternatives = std::mem::take(&mut alternatives);
        }
    }

    /// Whether every solution of the accelerations was found, and every corner of forces that are one choice of many.
    fn sees_all_modes(&mut self, pressed: ClosedSet) -> bool {
        let contacts: Vec<usize> = pressed.iter().collect();
        if !self.system.coupled {
            return subsets(&contacts).last().is_some_and(|last| last.len() == contacts.len());
        }
        let problem = self.acceleration_problem(pressed);
        let (solutions, complete) = self.joint.solved.solutions(&problem);
        let mut shared = solutions.iter().filter(|solution| solution.underdetermined);
        complete && shared.all(|solution| problem.corners(solution, &contacts).is_some())
    }

    /// Every mode that obeys its own laws from here on, each motion once.
    pub(crate) fn consistent_modes(
        &mut self,
        pressed: ClosedSet,
        likely: &[ClosedSet],
        border: &Border,
    ) -> Vec<ConsistentMode> {
        self.consistent_modes_of(pressed, likely, border, false)
    }

    /// The same; `all` says that every mode is wanted, also those that have one motion: which of them the laws of switches allow is another question.
    pub(crate) fn consistent_modes_of(
        &mut self,
        pressed: ClosedSet,
        likely: &[ClosedSet],
        border: &Border,
        all: bool,
    ) -> Vec<ConsistentMode> {
        if pressed.is_empty() {
            return vec![ConsistentMode::default()];
        }
        if !self.system.coupled {
            return self.smooth_mode(pressed, border).into_iter().collect();
        }
        let contacts: Vec<usize> = pressed.iter().collect();
        let smooth = contacts.iter().all(|&contact| !self.system.has_friction(contact));
        let pace = self.pace();
        let Likely { mut modes, certain } = self.likely_modes(pressed, likely, border, &pace);
        modes.extend(self.limiting_modes(pressed).into_iter().map(|mode| (mode, Vec::new())));
        let mut consistent: Vec<ConsistentMode> = Vec::new();
        // Where contacts are nearly the same, what is known of accelerations may not say which of them carry; nor what they do where sliding along switches takes up forces.
        let others: Vec<ClosedSet> = match all {
            true => self.all_modes(pressed),
            false => subsets(&contacts).map(|open| open.into_iter().fold(pressed, ClosedSet::without)).collect(),
        };
        let likeliest = modes.len();
        let mut tried: Vec<Candidate> = Vec::with_capacity(likeliest);
        for (at, (mode, loaded)) in
            modes.into_iter().chain(others.into_iter().map(|mode| (mode, Vec::new()))).enumerate()
        {
            if !all && at >= likeliest && consistent.iter().any(|next| self.is_definite(next)) {
                break;
            }
            if !self.system.keeps_constraints(pressed, mode) || tried.contains(&(mode, loaded.clone())) {
                continue;
            }
            tried.push((mode, loaded.clone()));
            // Where a motion slides along switches these take up a part of the forces: the problem of accelerations only suggests modes.
            let is_certain = !self.now.sides.slides() && certain.contains(&(mode, loaded.clone()));
            let next = self.consistent_mode(pressed, (mode, &loaded), &pace, border, is_certain);
            // A mode of which all is known says more than another one of the same motion.
            let says_no_more = |known: &ConsistentMode, next: &ConsistentMode| {
                known.is_same(next) && (self.is_definite(known) || !self.is_definite(next))
            };
            if let Some(next) = next
                && (all || !consistent.iter().any(|known| says_no_more(known, &next)))
            {
                consistent.push(next);
            }
            // Without friction there is one motion (Ballard, Arch. Rational Mech. Anal. 154, 2000).
            if smooth && !all && consistent.last().is_some_and(|next| self.is_definite(next)) {
                consistent.drain(..consistent.len() - 1);
                break;
            }
        }
        if !all && (smooth || consistent.iter().any(|next| self.is_definite(next))) {
            consistent.retain(|next| self.is_definite(next));
        }
        for next in consistent.iter_mut().filter(|_| !all) {
            if let Some(closed) = self.closing_held(pressed, next, &pace, border) {
                *next = closed;
            }
        }
        self.prefer_stick(&mut consistent, &pace, border, all);
        consistent
    }

    /// Whether all forces of a mode are known to rise or not to be there. Where contacts are nearly the same, all that is computed of their forces may be rounding.
    fn is_definite(&self, next: &ConsistentMode) -> bool {
        let unknown = |(k, contact): (usize, usize)| {
            let none = next.vanishing.contains(&(self.system.force_output(k), ALL_ORDERS));
            none && !next.redundant.contains(&Constraint::Normal(contact))
        };
        !next.mode.iter().enumerate().any(unknown)
    }

    /// The same motion with all contacts closed that others hold.
    fn closing_held(
        &mut self,
        pressed: ClosedSet,
        next: &ConsistentMode,
        pace: &TimeScale,
        border: &Border,
    ) -> Option<ConsistentMode> {
        let normal = next.mode.iter().map(Constraint::Normal);
        let stuck = next.mode.iter().filter(|&contact| next.mode.slip(contact).is_none()).map(Constraint::Tangential);
        let loaded: Vec<Constraint> =
            normal.chain(stuck).filter(|constraint| !next.redundant.contains(constraint)).collect();
        let mut modes = vec![next.mode];
        for &(contact, _) in &next.held {
            let has_friction = self.system.has_friction(contact);
            modes = modes
                .into_iter()
                .flat_map(|mode| match pressed.slip(contact) {
                    Some(slip) => vec![mode.with_slip(contact, slip)],
                    None if has_friction => {
                        let slips = Slip::BOTH.map(|slip| mode.with_slip(contact, slip));
                        [mode.with(contact)].into_iter().chain(slips).collect()
                    }
                    None => vec![mode.with(contact)],
                })
                .take(MOST_BORDERS)
                .collect();
        }
        let held = !next.held.is_empty();
        modes.into_iter().filter(|_| held).find_map(|mode| {
            self.consistent_mode(pressed, (mode, &loaded), pace, border, false).filter(|closed| closed.is_same(next))
        })
    }

    /// The mode in which some of the contacts stay closed, if it obeys its own laws.
    pub(crate) fn consistent_mode_of(&mut self, pressed: ClosedSet, mode: ClosedSet) -> Option<ConsistentMode> {
        for contact in pressed.iter() {
            self.joint.group.look(self.system, contact, &self.now.state);
        }
        let pace = self.pace();
        self.consistent_mode(pressed, (mode, &[]), &pace, &Border::default(), false)
    }

    /// The closed contacts and others that touch without opening speed at a state, with their slip there.
    pub(crate) fn with_slip(&mut self, contacts: ClosedSet, state: &[f64]) -> ClosedSet {
        let mut closed = self.closed();
        let fastest = self.fastest(state);
        for contact in contacts.iter() {
            let sticks = self.sticks_at_last(contact);
            closed = match self.slip_at(contact, state, fastest).filter(|_| !sticks) {
                Some(slip) => closed.with_slip(contact, slip),
                None => closed.with(contact),
            };
        }
        closed
    }

    /// Whether the impacts of the sequence that ends in this contact stop its slip.
    fn sticks_at_last(&self, contact: usize) -> bool {
        self.last_rule(contact) == Some(TangentialRule::Stick) && self.accumulating.last_impact == self.now.time.value()
    }

    /// What held along the surface of a contact in the last phase of the impact that was judged last.
    fn last_rule(&self, contact: usize) -> Option<TangentialRule> {
        let place = self.joint.judged.collision.contacts.iter().position(|&other| other == contact)?;
        self.joint.judged.collision.phases.last().map(|rules| rules[place].1)
    }

    /// The contacts that are closed at the end of a chattering sequence, `self.end`.
    pub(crate) fn landing(&mut self, contacts: ClosedSet) -> ClosedSet {
        let end = std::mem::take(&mut self.accumulating.end);
        let landed = self.with_slip(contacts, &end);
        self.accumulating.end = end;
        landed
    }

    /// Whether the slip at the predicted end of a sequence is that of its last impact.
    pub(crate) fn keeps_its_slip(&mut self, contact: usize) -> bool {
        match self.last_rule(contact) {
            Some(TangentialRule::Slip(slip)) => self.landing(ClosedSet::NONE.with(contact)).slip(contact) == Some(slip),
            _ => true,
        }
    }

    /// A contact is touched without opening speed.
    pub(crate) fn touch_down(&mut self, contact: usize) -> Result<(), Ended> {
        let before = self.closed();
        let state = self.now.state.clone();
        let pressed = self.with_slip(ClosedSet::NONE.with(contact), &state);
        self.decide(pressed, before, &[])
    }

    /// A contact that slips has stopped: so may others, in the same instant.
    pub(crate) fn halt(&mut self, contact: usize) -> Result<(), Ended> {
        let before = self.closed();
        let mut pressed = before.with(contact);
        let mode = self.modes.now();
        let length = self.flow.last_step.length;
        for limit in mode.friction_limits().filter(|limit| limit.kind == Bound::Speed) {
            let row = mode.output(limit.output);
            if horner(row, length) <= SOLVED * size_on(row, length) {
                pressed = pressed.with(limit.contact);
            }
        }
        let onward = before.with_slip(contact, before.slip(contact).unwrap_or(Slip::Forward));
        let back = before.slip(contact).map(|slip| match slip {
            Slip::Forward => before.with_slip(contact, Slip::Backward),
            Slip::Backward => before.with_slip(contact, Slip::Forward),
        });
        let likely = [pressed, back.unwrap_or(onward), before.without(contact)];
        self.decide(pressed, before, &likely)
    }

    /// A contact that sticks is at the edge of its cone.
    pub(crate) fn slide(&mut self, contact: usize, slip: Slip) -> Result<(), Ended> {
        let border = self.border(contact, Bound::Cone(slip));
        let mut likely = border.modes();
        likely.push(border.before.without(contact));
        self.decide_at(&border, &likely)
    }

    /// The force of a contact has fallen to zero.
    pub(crate) fn unload(&mut self, contact: usize) -> Result<(), Ended> {
        let border = self.border(contact, Bound::Force);
        let likely = border.modes();
        self.decide_at(&border, &likely)
    }

    /// What vanishes at the end of the last step beside what was located there.
    fn border(&mut self, contact: usize, bound: Bound) -> Border {
        let before = self.closed();
        for closed in before.iter().filter(|_| self.system.coupled) {
            self.joint.group.look(self.system, closed, &self.now.state);
        }
        let mode = self.modes.now();
        let redundant = mode.redundant.clone();
        let length = self.flow.last_step.length;
        let vanishes = |output: usize| {
            let row = mode.output(output);
            horner(row, length).abs() <= SOLVED * size_on(row, length)
        };
        let mut at = vec![(contact, bound)];
        let forces = before.iter().enumerate().map(|(k, c)| (c, Bound::Force, self.system.force_output(k)));
        let limits = mode.friction_limits().filter(|limit| limit.kind != Bound::Speed);
        for (other, bound, output) in forces.chain(limits.map(|limit| (limit.contact, limit.kind, limit.output))) {
            // A force that is zero because others hold the contact closed is one choice of many.
            let redundant = mode.redundant.contains(&Constraint::Normal(other));
            if !redundant && !at.contains(&(other, bound)) && vanishes(output) {
                at.push((other, bound));
            }
        }
        // What vanishes at one side of a constraint does so at the other.
        let others = at.iter().filter_map(|&(contact, bound)| Some((self.system.opposite[contact]?, bound)));
        let others: Vec<_> = others.filter(|other| !at.contains(other)).collect();
        at.extend(others);
        let uneven = before.iter().filter(|&closed| self.is_uneven(closed)).collect();
        Border { before, redundant, at, uneven }
    }

    /// The direction in which a contact slips at a state; `None` if it does not, to within rounding.
    pub(crate) fn slip_at(&mut self, contact: usize, state: &[f64], fastest: f64) -> Option<Slip> {
        if !self.system.has_friction(contact) {
            return None;
        }
        self.joint.group.look(self.system, contact, state);
        let touch = &self.joint.group.touches[contact];
        let velocities = self.system.velocities();
        let terms = touch.tangent().iter().zip(velocities).map(|(w, &v)| (w * state[v]).abs());
        self.known.fastest = self.known.fastest.max(fastest);
        let size = terms.fold(touch.tangential_mobility() * fastest.max(EVER * self.known.fastest), f64::max);
        (touch.slip().abs() > ROUNDING * size).then(|| Slip::of(touch.slip()))
    }

    /// How fast the system moves: sqrt(v'Mv), which depends on no coordinates.
    pub(crate) fn fastest(&mut self, state: &[f64]) -> f64 {
        self.joint.group.pace(self.system, state)
    }
}
