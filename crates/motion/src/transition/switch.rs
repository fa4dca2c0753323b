//! Switches: where the surface of one is met, crossed or left, and what a motion does there.
//!
//! Which mode it is follows from the laws of all elements (`instant`): one that obeys is taken, several are for the policy to choose from, and none ends the trajectory.

use super::automaton::{Automaton, Surface};
use super::sequence::Passage;
use crate::ended::Ended;
use crate::event::EventKind;
use crate::instant::candidates::{Met, Touching};
use crate::instant::judge::Lawful;
use crate::mode::{Bound, ClosedSet, Constraint, Side, Sides};
use crate::settings::Policy;

impl Automaton<'_> {
    /// The sides of a start, before those on which it lies are decided.
    pub(super) fn enter_side(&mut self) {
        self.now.sides = Sides::NONE;
        let hybrid = &self.system.hybrid;
        for (k, &s) in self.bound.hybrid.functions(hybrid, &self.now.state).iter().enumerate() {
            self.now.sides = self.now.sides.with(k, Side::of(s));
        }
        self.enter_mode(ClosedSet::NONE);
    }

    /// The sides on which a motion begins; along those of `sliding` it is known to slide.
    ///
    /// # Errors
    /// No mode obeys the field, or several do.
    pub(crate) fn begin_sides(&mut self, sliding: Sides) -> Result<(), Ended> {
        if self.system.hybrid.is_empty() {
            return Ok(());
        }
        let mut zero = self.place_sides();
        zero.extend(sliding.sliding().filter(|k| !zero.contains(k)).collect::<Vec<_>>());
        if zero.is_empty() {
            self.enter_mode(self.closed());
            return Ok(());
        }
        self.decide_sides(&zero, None)
    }

    /// Puts every switch on the side of its value at the present state. Those whose value is rounding come back, and stay as they were.
    pub(crate) fn place_sides(&mut self) -> Vec<usize> {
        let zero = self.zero_surfaces();
        for (k, &s) in self.bound.hybrid.functions(&self.system.hybrid, &self.now.state).iter().enumerate() {
            if !zero.contains(&k) && self.system.hybrid.complements[k].is_none() {
                self.now.sides = self.now.sides.with(k, Side::of(s));
            }
        }
        // What complementarities do is decided for all of them together.
        self.with_complements(&zero).unwrap_or(zero)
    }

    /// The state has jumped: every switch is on the side of its new value. Those that are zero are decided with the contacts if these are decided together; else those of them
    /// that the field feels at once, and others by [`Self::decide_unfelt`].
    ///
    /// # Errors
    /// No mode obeys the field, or several do.
    pub(crate) fn change_sides(&mut self) -> Result<(), Ended> {
        if self.system.hybrid.is_empty() {
            return Ok(());
        }
        let before = self.now.sides;
        let mut zero = self.place_sides();
        zero.retain(|&k| self.system.hybrid.felt[k]);
        if before != self.now.sides {
            self.enter_mode(self.closed());
        }
        Ok(())
    }

    /// Decides the sides of switches that are zero and felt in flight, where contacts have been decided.
    ///
    /// # Errors
    /// No mode obeys the field, or several do.
    pub(super) fn decide_in_flight(&mut self) -> Result<(), Ended> {
        if self.system.hybrid.is_empty() {
            return Ok(());
        }
        let Met { zero, .. } = self.met_by_contacts();
        if zero.is_empty() && !self.has_complements() { Ok(()) } else { self.decide_sides(&zero, None) }
    }

    /// The phase begins a new circle, and with it formulas that are not periodic in it jump; `surfaces` are those of closed contacts before.
    ///
    /// # Errors
    /// No mode obeys the field, or several do.
    pub(super) fn switch_at_wrap(&mut self, surfaces: &[(usize, Surface)]) -> Result<(), Ended> {
        let before = self.now.sides;
        self.located.cause = None;
        self.change_sides()?;
        let changed = |&k: &usize| self.now.sides.of(k) != before.of(k);
        let waits = self.queue.waiting().filter_map(|event| event.switch).collect::<Vec<_>>();
        let changed: Vec<usize> = (0..self.system.hybrid.names.len()).filter(changed).collect();
        for k in changed.into_iter().filter(|k| !waits.contains(k)) {
            self.report(EventKind::Switch, None).switch = Some(k);
        }
        self.pass_switches(before);
        let zero = self.zero_surfaces();
        self.decide_closed_after_jump(&zero, surfaces, self.now.sides)?;
        if !self.closed().is_empty() {
            self.project_closed();
        }
        self.decide_unfelt(&zero, before)?;
        self.fire(before, &zero)?;
        self.settle_events();
        Ok(())
    }

    /// Decides the sides of those of some switches at zero that the field does not feel: a function that stays zero is where it was when the motion `arrived`.
    ///
    /// # Errors
    /// No mode obeys the field.
    pub(crate) fn decide_unfelt(&mut self, zero: &[usize], arrived: Sides) -> Result<(), Ended> {
        let unfelt: Vec<usize> = zero.iter().copied().filter(|&k| !self.system.hybrid.felt[k]).collect();
        if unfelt.is_empty() {
            return Ok(());
        }
        let known = std::mem::take(&mut self.departures.vanishing);
        self.decide_sides_towards(&unfelt, None, arrived)?;
        self.departures.vanishing.extend(known);
        Ok(())
    }

    /// Every event that waits has the mode that followed it, with the sides of switches.
    pub(crate) fn settle_events(&mut self) {
        if !self.system.hybrid.is_empty() {
            let mode = self.closed().with_sides(self.now.sides);
            self.queue.set_mode(mode);
        }
    }

    /// The surface of a switch is reached, or sliding along it ends.
    ///
    /// # Errors
    /// No mode obeys the field, or several do, or a jump has no value.
    pub(crate) fn cross(&mut self, element: usize, bound: Bound) -> Result<(), Ended> {
        let Some(switch) = ClosedSet::switch(element) else { return Ok(()) };
        let arrived = self.now.sides;
        if matches!(bound, Bound::Speed | Bound::Surface) {
            let to = if self.now.sides.of(switch) == Side::Positive { Side::Negative } else { Side::Positive };
            if let Some(crossing) = self.resets_across(switch, to)? {
                return self.reset(crossing, arrived);
            }
        }
        let limit = self.modes.now().limits.iter().find(|limit| (limit.contact, limit.kind) == (element, bound));
        let output = limit.filter(|_| matches!(bound, Bound::Speed | Bound::Surface)).map(|limit| limit.output);
        let output = output.filter(|_| self.system.hybrid.complements[switch].is_none());
        let speed = output.map(|output| self.speed_of_crossing(output));
        // Those that were left at this instant, and those along which the motion slides, feel the jump of the field.
        let mode = self.modes.now();
        let left = mode.limits.iter().filter(|limit| self.departures.vanishing(limit.output) > 0);
        let left = left.filter_map(|limit| ClosedSet::switch(limit.contact));
        let distinct = |mut switches: Vec<usize>| {
            switches.sort_unstable();
            switches.dedup();
            switches
        };
        let certain = distinct(self.now.sides.sliding().chain(left).chain([switch]).collect());
        let mut zero = distinct(certain.iter().copied().chain(self.reached_at_once()).collect());
        let reached = Some((element, bound));
        match self.decide_met(&zero, reached) {
            // What is small in comparison with what it has been, and stays so, need not be zero.
            Err(ended @ Ended::NoContinuation { .. }) => {
                let stays = zero.iter().filter(|k| !certain.contains(k)).all(|&k| self.stays(k));
                if zero == certain || !stays {
                    return Err(ended);
                }
                self.decide_met(&certain, reached)?;
                zero = certain;
            }
            decided => decided?,
        }
        let to = self.now.sides.of(switch);
        if let Some(speed) = speed.filter(|_| to != arrived.of(switch) && to != Side::Sliding) {
            self.count_crossing(switch, to, speed);
        }
        self.pass_switches(arrived);
        self.fire(arrived, &zero)
    }

    /// Decides switches at zero where one of them has been `reached`, with the contacts that are closed, or that touch because others hold them.
    fn decide_met(&mut self, zero: &[usize], reached: Option<(usize, Bound)>) -> Result<(), Ended> {
        let closed = self.closed();
        let touching = self.departures.still_contacts().fold(closed, ClosedSet::with);
        if touching.is_empty() {
            return self.decide_sides(zero, reached);
        }
        let state = self.now.state.clone();
        let pressed = self.with_slip(touching, &state);
        self.decide_with(pressed, closed, &Met { zero: zero.to_vec(), reached, towards: self.now.sides })
    }

    /// The motion has come to where switches are zero without crossing them.
    ///
    /// # Errors
    /// No mode obeys the field, or several do, or a jump has no value.
    pub(crate) fn touch(&mut self) -> Result<(), Ended> {
        let (arrived, zero) = (self.now.sides, self.zero_surfaces());
        if zero.is_empty() {
            return Ok(());
        }
        self.decide_met(&zero, None)?;
        self.pass_switches(arrived);
        self.fire(arrived, &zero)?;
        self.settle_events();
        Ok(())
    }

    /// Sequences of impacts see the sides of switches change in a flight.
    fn pass_switches(&mut self, before: Sides) {
        if self.now.sides != before {
            self.pass_to_sequences(Passage::Switch(self.now.sides));
        }
    }

    /// Decides the sides of switches that are zero at the present state; at `reached` the trajectory has come here.
    ///
    /// # Errors
    /// No mode obeys the field, or several do.
    pub(super) fn decide_sides(&mut self, zero: &[usize], reached: Option<(usize, Bound)>) -> Result<(), Ended> {
        self.decide_sides_towards(zero, reached, self.now.sides)
    }

    /// The same; where motions are the same on both sides of a surface it is on the side of `likely`.
    ///
    /// # Errors
    /// As before.
    pub(super) fn decide_sides_towards(
        &mut self,
        zero: &[usize],
        reached: Option<(usize, Bound)>,
        likely: Sides,
    ) -> Result<(), Ended> {
        let met = Met { zero: zero.to_vec(), reached, towards: likely };
        let before = self.now.sides;
        let (lawful, _) = self.lawful_or_jump(&met, None)?;
        let found = self.only_one(lawful, zero, &|automaton, lawful| automaton.chosen(zero, lawful))?;
        let Some(found) = found else { return Err(Ended::NoContinuation { switches: zero.to_vec() }) };
        self.now.sides = found.sides;
        self.enter_on_sides(found.contacts.mode, &found.contacts.redundant);
        self.departures.vanishing.extend(found.vanishing);
        self.remember_still(zero, found.still);
        self.project_kept();
        self.report_sides(before, reached.is_some());
        Ok(())
    }

    /// The modes that obey, where need be with all complementarities decided anew, or after a jump; the contacts that this leaves closed.
    ///
    /// # Errors
    /// There are several jumps.
    pub(super) fn lawful_or_jump(
        &mut self,
        met: &Met,
        touching: Option<&Touching>,
    ) -> Result<(Vec<Lawful>, Option<ClosedSet>), Ended> {
        let pressed = touching.map(|touching| touching.pressed);
        let lawful = self.lawful_modes(met, touching);
        if !lawful.is_empty() || !self.has_complements() {
            return Ok((lawful, pressed));
        }
        let mut wide = met.clone();
        if let Some(zero) = self.with_complements(&wide.zero) {
            wide.zero = zero;
            let lawful = self.lawful_modes(&wide, touching);
            if !lawful.is_empty() {
                return Ok((lawful, pressed));
            }
        }
        wide.reached = None;
        let Some(closed) = self.jump_by_complements(&wide.zero, touching)? else { return Ok((Vec::new(), pressed)) };
        wide.zero = self.left_by_jump(&wide.zero);
        wide.towards = self.now.sides;
        let touching = touching.map(|touching| Touching { pressed: closed, ..*touching });
        Ok((self.lawful_modes(&wide, touching.as_ref()), touching.map(|touching| touching.pressed)))
    }

    /// Remembers which of the switches that were decided, and of the contacts, stay zero.
    pub(super) fn remember_still(&mut self, decided: &[usize], still: Vec<(usize, Vec<f64>)>) {
        let known = |element: usize| ClosedSet::switch(element).is_some_and(|switch| !decided.contains(&switch));
        self.departures.still.retain(|(element, _)| known(*element));
        self.departures.still.extend(still);
    }

    /// The mode of several with different motions that is taken; `None` where there is none.
    ///
    /// # Errors
    /// Nothing says which.
    pub(super) fn only_one(
        &self,
        mut lawful: Vec<Lawful>,
        zero: &[usize],
        choose: &dyn Fn(&Self, &[Lawful]) -> Option<Lawful>,
    ) -> Result<Option<Lawful>, Ended> {
        let unclear = |lawful: &[Lawful]| {
            let modes = lawful.iter().map(|found| found.sides).collect();
            Ended::NotUnique { switches: zero.to_vec(), modes }
        };
        match lawful.len() {
            _ if lawful.iter().any(|found| found.leaves) => return Err(unclear(&lawful)),
            0 | 1 => return Ok(lawful.pop()),
            _ => {}
        }
        choose(self, &lawful).ok_or_else(|| unclear(&lawful)).map(Some)
    }

    /// Reports the switches that are on other sides than before. A motion begins where it begins, unless something has been `reached`.
    pub(super) fn report_sides(&mut self, before: Sides, reached: bool) {
        if self.now.time.value() == 0.0 && !reached {
            return;
        }
        for k in 0..self.system.hybrid.names.len() {
            let kind = match (before.of(k), self.now.sides.of(k)) {
                (old, new) if old == new => continue,
                (_, Side::Sliding) => EventKind::Slide,
                (Side::Sliding, _) => EventKind::Leave,
                _ => EventKind::Switch,
            };
            self.report(kind, None).switch = Some(k);
        }
    }

    /// Enters the mode of closed contacts on the present sides.
    pub(crate) fn enter_on_sides(&mut self, closed: ClosedSet, redundant: &[Constraint]) {
        self.turn_contacts();
        self.enter_mode_without(closed, redundant.to_vec());
    }

    /// The mode that the policy of the run chooses.
    pub(super) fn chosen(&self, zero: &[usize], lawful: &[Lawful]) -> Option<Lawful> {
        let wanted = match self.settings.policy {
            Policy::Slide => Side::Sliding,
            Policy::Positive => Side::Positive,
            Policy::Negative => Side::Negative,
            Policy::Persist | Policy::LiftOff | Policy::Impact => return None,
        };
        let count = |found: &&Lawful| zero.iter().filter(|&&k| found.sides.of(k) == wanted).count();
        let most = lawful.iter().map(|found| count(&found)).max()?;
        let mut best = lawful.iter().filter(|found| count(found) == most);
        match (best.next(), best.next()) {
            (Some(found), None) if most > 0 => Some(found.clone()),
            _ => None,
        }
    }
}
