//! Switches: which side of a surface a motion continues on, or whether it slides along it, by the first coefficients that are not rounding.
//!
//! Where s = 0 a mode obeys the field if its own motion keeps it: on a side the first coefficient of s that is not zero has the sign of the side, and
//! while sliding sigma stays between -1 and 1 (Filippov; di Bernardo, Budd, Champneys & Kowalczyk, *Piecewise-smooth Dynamical Systems*, Sect. 2.2). All
//! modes are looked at, or of many those to which violated laws lead: one that obeys is taken, several are for the policy to choose from, and none ends the motion.

use std::collections::VecDeque;

use saltation_numerics::rounded::Rounded;

use super::automaton::{Automaton, Surface};
use super::border::Border;
use super::consistent::ConsistentMode;
use super::sequence::Passage;
use crate::ended::Ended;
use crate::event::EventKind;
use crate::mode::expansion::Expansion;
use crate::mode::{Bound, ClosedSet, Constraint, Limit, Side, Sides, Slip};
use crate::run::still::Stillness;
use crate::settings::Policy;

/// The order up to which the motion beside a surface is looked at.
pub(super) const ORDER: usize = 6;
/// Coefficients this small, relative to the terms that they consist of, are rounding.
pub(super) const ROUNDING: f64 = 1e-12;
/// All combinations of the sides of so many switches that are zero at one instant are tried; of more the problem of their rates is solved.
const MOST_TOGETHER: usize = 4;
/// So many combinations of sides at most are looked at where there are more switches.
const MOST_SEARCHED: usize = 500;

/// A mode that obeys the laws of all elements where switches are zero.
#[derive(Debug, Clone)]
pub(super) struct Lawful {
    pub sides: Sides,
    /// What its contacts do.
    pub contacts: ConsistentMode,
    /// How many leading coefficients of the outputs of switches vanish in it.
    pub vanishing: Vec<(usize, usize)>,
    /// The switches, as elements, whose functions stay zero, with the rounding of their coefficients.
    pub still: Vec<(usize, Vec<f64>)>,
    /// The coefficients of all states.
    motion: Vec<Rounded>,
    /// Whether roots that are zero in it may also leave zero.
    leaves: bool,
}

/// What a mode does where switches are zero, before it is judged.
#[derive(Debug, Clone)]
struct Seen {
    sides: Sides,
    contacts: ConsistentMode,
    /// What was located where the motion has come here, as far as that is zero in this mode as well.
    reached: Option<(usize, Bound)>,
    /// What the switches keep above zero, with their coefficients, and which of these are rounding of what the states have been.
    limits: Vec<Limit>,
    rows: Vec<Vec<Rounded>>,
    is_rounding: Vec<[bool; ORDER + 1]>,
    /// The orders with which functions rise that have no series in time.
    rises: Vec<Option<usize>>,
    motion: Vec<Rounded>,
    leaves: bool,
}

/// The largest coefficients in all modes that were looked at: of the function of every switch, and of every state.
#[derive(Debug, Clone, Default)]
struct Sizes {
    functions: Vec<(usize, [f64; ORDER + 1])>,
    motion: Vec<f64>,
}

impl Sizes {
    fn include(&mut self, seen: &Seen) {
        let own = |limit: &Limit| ClosedSet::switch(limit.contact).filter(|_| !matches!(limit.kind, Bound::Cone(_)));
        for (limit, row) in seen.limits.iter().zip(&seen.rows) {
            let Some(switch) = own(limit) else { continue };
            if !self.functions.iter().any(|(known, _)| *known == switch) {
                self.functions.push((switch, [0.0; ORDER + 1]));
            }
            for (_, sizes) in self.functions.iter_mut().filter(|(known, _)| *known == switch) {
                sizes.iter_mut().zip(row).for_each(|(size, c)| *size = size.max(finite(c.value)));
            }
        }
        self.motion.resize(seen.motion.len(), 0.0);
        self.motion.iter_mut().zip(&seen.motion).for_each(|(size, c)| *size = size.max(finite(c.value)));
    }

    /// The size of a coefficient of a function.
    fn of(&self, switch: usize, order: usize) -> f64 {
        self.functions.iter().find(|(known, _)| *known == switch).map_or(0.0, |(_, sizes)| sizes[order])
    }
}

/// The modulus of a number; zero of what is none.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value.abs() } else { 0.0 }
}

/// The switches that are zero at an instant.
#[derive(Debug, Clone)]
pub(super) struct Met {
    pub zero: Vec<usize>,
    /// What was located where the motion has come here.
    pub reached: Option<(usize, Bound)>,
    /// The sides of those along which motions are the same on both.
    pub towards: Sides,
}

/// The contacts that touch without speed at an instant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touching<'a> {
    pub pressed: ClosedSet,
    /// Modes to be looked at in any case.
    pub likely: &'a [ClosedSet],
    pub border: &'a Border,
}

impl Lawful {
    /// Whether another mode has the same motion, as those on both sides of a surface along which nothing moves.
    fn moves_as(&self, other: &Lawful, sizes: &[f64]) -> bool {
        let alike = |((&a, &b), size): ((&Rounded, &Rounded), &f64)| match (a.value.is_finite(), b.value.is_finite()) {
            (true, true) => !(a - b).exceeds(ROUNDING) || (a - b).value.abs() <= ROUNDING * size,
            (a, b) => a == b,
        };
        let by_contacts = self.contacts.has_path() && self.contacts.is_same(&other.contacts);
        by_contacts || self.motion.iter().zip(&other.motion).zip(sizes).all(alike)
    }

    /// So many switches are on the side on which they have been.
    fn kept(&self, zero: &[usize], before: Sides) -> usize {
        zero.iter().filter(|&&k| self.sides.of(k) == before.of(k)).count()
    }
}

/// Modes with different motions; of those with the same the one that keeps most sides.
fn of_different_motions(all: Vec<Lawful>, zero: &[usize], before: Sides, sizes: &Sizes) -> Vec<Lawful> {
    let mut different: Vec<Lawful> = Vec::new();
    for mut found in all {
        match different.iter_mut().find(|known| known.moves_as(&found, &sizes.motion)) {
            Some(known) => {
                found.leaves |= known.leaves;
                known.leaves = found.leaves;
                if known.kept(zero, before) < found.kept(zero, before) {
                    *known = found;
                }
            }
            None => different.push(found),
        }
    }
    different
}

/// All combinations of the sides of switches, and of sliding along those that `slides` names.
fn combined(before: Sides, zero: &[usize], slides: impl Fn(usize) -> bool) -> Vec<Sides> {
    let mut all = vec![before];
    for &k in zero {
        let own: Vec<Side> = Side::ALL.into_iter().filter(|&side| side != Side::Sliding || slides(k)).collect();
        all = all.iter().flat_map(|sides| own.iter().map(|&side| sides.with(k, side))).collect();
    }
    all
}

impl Automaton<'_> {
    /// The sides of a start, before those on which it lies are decided.
    pub(super) fn enter_side(&mut self) {
        self.sides = Sides::NONE;
        let hybrid = &self.system.hybrid;
        for (k, &s) in self.hybrid.functions(hybrid, &self.state).iter().enumerate() {
            self.sides = self.sides.with(k, Side::of(s));
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
    pub(super) fn place_sides(&mut self) -> Vec<usize> {
        let zero = self.zero_surfaces();
        for (k, &s) in self.hybrid.functions(&self.system.hybrid, &self.state).iter().enumerate() {
            if !zero.contains(&k) {
                self.sides = self.sides.with(k, Side::of(s));
            }
        }
        zero
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
        let before = self.sides;
        let mut zero = self.place_sides();
        zero.retain(|&k| self.system.hybrid.felt[k]);
        if !zero.is_empty() && !self.system.coupled {
            self.decide_sides(&zero, None)?;
        } else if before != self.sides {
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
        if zero.is_empty() { Ok(()) } else { self.decide_sides(&zero, None) }
    }

    /// The phase begins a new circle, and with it formulas that are not periodic in it jump; `surfaces` are those of closed contacts before.
    ///
    /// # Errors
    /// No mode obeys the field, or several do.
    pub(super) fn switch_at_wrap(&mut self, surfaces: &[(usize, Surface)]) -> Result<(), Ended> {
        let before = self.sides;
        self.cause = None;
        self.change_sides()?;
        let changed = |&k: &usize| self.sides.of(k) != before.of(k);
        let waits = self.queue.waiting().filter_map(|event| event.switch).collect::<Vec<_>>();
        let changed: Vec<usize> = (0..self.system.hybrid.names.len()).filter(changed).collect();
        for k in changed.into_iter().filter(|k| !waits.contains(k)) {
            self.report(EventKind::Switch, None).switch = Some(k);
        }
        self.pass_switches(before);
        let zero = self.zero_surfaces();
        self.decide_closed_anew(&zero, surfaces, self.sides)?;
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
            let mode = self.closed().with_sides(self.sides);
            self.queue.settle(mode);
        }
    }

    /// The surface of a switch is reached, or sliding along it ends.
    ///
    /// # Errors
    /// No mode obeys the field, or several do, or a jump has no value.
    pub(crate) fn cross(&mut self, element: usize, bound: Bound) -> Result<(), Ended> {
        let Some(switch) = ClosedSet::switch(element) else { return Ok(()) };
        let arrived = self.sides;
        if matches!(bound, Bound::Speed | Bound::Surface) {
            let to = if self.sides.of(switch) == Side::Positive { Side::Negative } else { Side::Positive };
            if let Some(crossing) = self.resets_across(switch, to)? {
                return self.reset(crossing, arrived);
            }
        }
        let limit = self.modes.now().limits.iter().find(|limit| (limit.contact, limit.kind) == (element, bound));
        let output = limit.filter(|_| matches!(bound, Bound::Speed | Bound::Surface)).map(|limit| limit.output);
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
        let certain = distinct(self.sides.sliding().chain(left).chain([switch]).collect());
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
        let to = self.sides.of(switch);
        if let Some(speed) = speed.filter(|_| to != arrived.of(switch) && to != Side::Sliding) {
            self.count_crossing(switch, to, speed);
        }
        self.pass_switches(arrived);
        if !self.system.coupled {
            self.decide_closed_anew(&zero, &[], self.sides)?;
        }
        self.fire(arrived, &zero)
    }

    /// Decides switches at zero where one of them has been `reached`, with the contacts that are closed if these are decided together.
    fn decide_met(&mut self, zero: &[usize], reached: Option<(usize, Bound)>) -> Result<(), Ended> {
        let closed = self.closed();
        if !self.system.coupled || closed.is_empty() {
            return self.decide_sides(zero, reached);
        }
        let state = self.state.clone();
        let pressed = self.with_slip(closed, &state);
        self.decide_with(pressed, closed, &Met { zero: zero.to_vec(), reached, towards: self.sides })
    }

    /// The motion has come to where switches are zero without crossing them.
    ///
    /// # Errors
    /// No mode obeys the field, or several do, or a jump has no value.
    pub(crate) fn touch(&mut self) -> Result<(), Ended> {
        let (arrived, zero) = (self.sides, self.zero_surfaces());
        if zero.is_empty() {
            return Ok(());
        }
        self.decide_met(&zero, None)?;
        self.pass_switches(arrived);
        if !self.system.coupled {
            self.decide_closed_anew(&zero, &[], self.sides)?;
        }
        self.fire(arrived, &zero)?;
        self.settle_events();
        Ok(())
    }

    /// Sequences of impacts see the sides of switches change in a flight.
    fn pass_switches(&mut self, before: Sides) {
        if self.sides != before {
            self.pass_to_sequences(Passage::Switch(self.sides));
        }
    }

    /// Decides the sides of switches that are zero at the present state; at `reached` the motion has come here.
    ///
    /// # Errors
    /// No mode obeys the field, or several do.
    pub(super) fn decide_sides(&mut self, zero: &[usize], reached: Option<(usize, Bound)>) -> Result<(), Ended> {
        self.decide_sides_towards(zero, reached, self.sides)
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
        let before = self.sides;
        let lawful = self.lawful_modes(&met, None);
        let found = self.only_one(lawful, zero, &|automaton, lawful| automaton.chosen(zero, lawful))?;
        let Some(found) = found else { return Err(Ended::NoContinuation { switches: zero.to_vec() }) };
        self.sides = found.sides;
        self.enter_on_sides(found.contacts.mode, &found.contacts.idle);
        self.departures.vanishing.extend(found.vanishing);
        self.remember_still(zero, found.still);
        self.project_sliding();
        self.report_sides(before, reached.is_some());
        Ok(())
    }

    /// Remembers which of the switches that were decided stay zero.
    pub(super) fn remember_still(&mut self, decided: &[usize], still: Vec<(usize, Vec<f64>)>) {
        self.departures.still.retain(|(element, _)| !decided.iter().any(|&k| ClosedSet::element(k) == *element));
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
        if self.time.value() == 0.0 && !reached {
            return;
        }
        for k in 0..self.system.hybrid.names.len() {
            let kind = match (before.of(k), self.sides.of(k)) {
                (old, new) if old == new => continue,
                (_, Side::Sliding) => EventKind::Slide,
                (Side::Sliding, _) => EventKind::Leave,
                _ => EventKind::Switch,
            };
            self.report(kind, None).switch = Some(k);
        }
    }

    /// All modes that obey the laws of switches that are zero, and of contacts that touch or stay closed as they are, each motion once. The present mode and sides are what
    /// they were.
    pub(super) fn lawful_modes(&mut self, met: &Met, touching: Option<&Touching>) -> Vec<Lawful> {
        let Met { zero, reached, towards } = met;
        let (before, closed) = (self.sides, self.closed());
        if zero.is_empty() {
            let contacts = self.contacts_on_sides(touching, true, false).unwrap_or_default();
            let alone = |contacts| Lawful {
                sides: before,
                contacts,
                vanishing: Vec::new(),
                still: Vec::new(),
                motion: Vec::new(),
                leaves: false,
            };
            return contacts.into_iter().map(alone).collect();
        }
        // Constraints that others hold do so on all sides.
        let idle = self.modes.now().idle.clone();
        // A function that has sides of others in it jumps with them.
        let inner = &self.system.hybrid.inner;
        let jumps =
            (0..inner.len()).filter(|k| !zero.contains(k) && inner[*k].iter().any(|other| zero.contains(other)));
        let jumps: Vec<usize> = jumps.collect();
        if zero.len() > MOST_TOGETHER {
            return self.searched_modes(met, touching, &jumps);
        }
        let candidates = self.combinations(before, zero);
        let looked_at = [&zero[..], &jumps[..]].concat();
        let mut lawful: Vec<Lawful> = Vec::new();
        let mut flat: Vec<Lawful> = Vec::new();
        let mut sizes = Sizes::default();
        let mut look_at = |automaton: &mut Self, candidates: Vec<Sides>, sizes: &mut Sizes, all: bool| {
            let mut seen: Vec<Seen> = Vec::new();
            for sides in candidates {
                automaton.sides = sides;
                automaton.enter_on_sides(closed, &idle);
                automaton.follow_inner_sides(&jumps, (closed, &idle));
                let sides = automaton.sides;
                // What has ended is zero in the modes that differ in that alone.
                let alone = |element: usize| {
                    zero.iter().all(|&k| ClosedSet::element(k) == element || sides.of(k) == before.of(k))
                };
                let known = ConsistentMode::as_it_is(closed, &idle);
                for contacts in automaton.contacts_on_sides(touching, sides == before, all).unwrap_or(vec![known]) {
                    automaton.enter_on_sides(contacts.mode, &contacts.idle);
                    let reached = reached.filter(|reached| contacts.mode == closed && alone(reached.0));
                    seen.extend(automaton.look(contacts, &looked_at, reached));
                }
                if touching.is_some() {
                    // Flight shows the sizes of what contacts hold.
                    automaton.enter_on_sides(ClosedSet::NONE, &[]);
                    let flight = automaton.look(ConsistentMode::default(), &looked_at, None);
                    flight.iter().for_each(|flight| sizes.include(flight));
                }
            }
            seen.iter().for_each(|seen| sizes.include(seen));
            for (found, moves) in seen.into_iter().filter_map(|seen| automaton.obeys(seen, sizes)) {
                if moves || touching.is_some() { lawful.push(found) } else { flat.push(found) }
            }
            lawful.is_empty() && flat.is_empty()
        };
        // Where the field leads back on every side it jumps, although it did not at the states that were tried when it was compiled.
        let none = look_at(self, candidates.clone(), &mut sizes, false);
        let unforeseen = if none { self.sliding_unforeseen(before, zero) } else { Vec::new() };
        if none && look_at(self, unforeseen, &mut sizes, false) && touching.is_some() {
            look_at(self, candidates, &mut sizes, true);
        }
        self.sides = before;
        self.enter_on_sides(closed, &idle);
        // Where s stays zero on both sides of a corner, both are the same motion.
        if lawful.is_empty() {
            lawful = flat;
        }
        of_different_motions(lawful, &looked_at, *towards, &sizes)
    }

    /// The same for many switches: the sides of groups that have nothing to do with each other, or those of the problem of their rates, and those that differ from them in a few.
    fn searched_modes(&mut self, met: &Met, touching: Option<&Touching>, jumps: &[usize]) -> Vec<Lawful> {
        let Met { zero, towards, .. } = met;
        let (before, closed) = (self.sides, self.closed());
        let idle = self.modes.now().idle.clone();
        let alone = self.sides_one_by_one(zero, (closed, &idle), *towards);
        let together = if alone.is_some() { None } else { self.sides_together(closed, zero) };
        let first = alone.or(together.map(|(sides, _)| sides)).into_iter();
        let looked_at = [&zero[..], jumps].concat();
        let mut sizes = Sizes::default();
        let mut waiting: VecDeque<Sides> = first.chain([before]).collect();
        let mut known: Vec<Sides> = waiting.iter().copied().collect();
        let mut found = Vec::new();
        // Where forces of friction add up to no more than what moves bodies there is one motion, so that the first is all.
        while let Some(sides) = waiting.pop_front().filter(|_| found.is_empty()) {
            self.sides = sides;
            self.enter_on_sides(closed, &idle);
            self.follow_inner_sides(jumps, (closed, &idle));
            self.enter_on_sides(ClosedSet::NONE, &[]);
            let flight = self.look(ConsistentMode::default(), &looked_at, None);
            flight.iter().for_each(|flight| sizes.include(flight));
            let as_it_is = ConsistentMode::as_it_is(closed, &idle);
            let mut seen = Vec::new();
            for contacts in self.contacts_on_sides(touching, sides == before, sides.slides()).unwrap_or(vec![as_it_is])
            {
                self.enter_on_sides(contacts.mode, &contacts.idle);
                let alone = |element: usize| {
                    zero.iter().all(|&k| ClosedSet::element(k) == element || sides.of(k) == before.of(k))
                };
                let reached = met.reached.filter(|reached| contacts.mode == closed && alone(reached.0));
                seen.extend(self.look(contacts, &looked_at, reached));
            }
            // Where contacts have no forces, some switch that slides takes them up.
            let mut violated: Vec<usize> = if seen.is_empty() { sides.sliding().collect() } else { Vec::new() };
            for seen in seen {
                violated.extend(self.violated(&seen, &sizes));
                found.extend(self.obeys(seen, &sizes).map(|(lawful, _)| lawful));
            }
            violated.retain(|k| zero.contains(k));
            for changed in self.changed_sides(sides, &violated) {
                if known.len() < MOST_SEARCHED && !known.contains(&changed) {
                    known.push(changed);
                    waiting.push_back(changed);
                }
            }
        }
        self.sides = before;
        self.enter_on_sides(closed, &idle);
        of_different_motions(found, &looked_at, *towards, &sizes)
    }

    /// The sides that differ from these in one of some switches.
    fn changed_sides(&mut self, sides: Sides, switches: &[usize]) -> Vec<Sides> {
        let own = switches.iter().flat_map(|&k| self.combinations(sides, &[k])).collect::<Vec<_>>();
        own.into_iter().filter(|changed| *changed != sides).collect()
    }

    /// The switches of which a mode does not obey the law.
    fn violated(&self, seen: &Seen, sizes: &Sizes) -> Vec<usize> {
        let one = |limit: &Limit| {
            let place = seen.limits.iter().position(|other| other == limit);
            let only = Seen {
                limits: vec![*limit],
                rows: place.map(|k| seen.rows[k].clone()).into_iter().collect(),
                is_rounding: place.map(|k| seen.is_rounding[k]).into_iter().collect(),
                rises: place.map(|k| seen.rises[k]).into_iter().collect(),
                ..seen.clone()
            };
            self.obeys(only, sizes).is_none()
        };
        let mut violated: Vec<usize> = seen
            .limits
            .iter()
            .filter(|limit| one(limit))
            .filter_map(|limit| ClosedSet::switch(limit.contact))
            .collect();
        violated.dedup();
        violated
    }

    /// What contacts that touch may do on the present sides, which are those on which the motion has come or not; `None` where they stay as they are.
    fn contacts_on_sides(
        &mut self,
        touching: Option<&Touching>,
        as_before: bool,
        all: bool,
    ) -> Option<Vec<ConsistentMode>> {
        let Touching { pressed, likely, border } = *touching?;
        // Modes on other sides have other accelerations, and do not coincide.
        let none = Border::default();
        Some(self.consistent_modes_of(pressed, likely, if as_before { border } else { &none }, all))
    }

    /// The sides of switches at zero of which each group that has to do with each other has one motion; contacts that are closed couple all.
    fn sides_one_by_one(
        &mut self,
        zero: &[usize],
        (closed, idle): (ClosedSet, &[Constraint]),
        likely: Sides,
    ) -> Option<Sides> {
        let groups = self.system.hybrid.groups(zero, !closed.is_empty());
        if groups.iter().any(|group| group.len() > MOST_TOGETHER) {
            return None;
        }
        let before = self.sides;
        let mut found = before;
        for group in groups {
            let (mut seen, mut sizes) = (Vec::new(), Sizes::default());
            for sides in self.combinations(found, &group) {
                self.sides = sides;
                self.enter_on_sides(closed, idle);
                seen.extend(self.look(ConsistentMode::as_it_is(closed, idle), &group, None));
            }
            seen.iter().for_each(|seen| sizes.include(seen));
            let lawful =
                seen.into_iter().filter_map(|seen| self.obeys(seen, &sizes)).map(|(lawful, _)| lawful).collect();
            self.sides = before;
            match &of_different_motions(lawful, &group, likely, &sizes)[..] {
                [one] => found = one.sides,
                _ => return None,
            }
        }
        Some(found)
    }

    /// Puts switches whose functions jump with others, and are not zero, on the sides of their values in the present mode.
    fn follow_inner_sides(&mut self, jumps: &[usize], (closed, idle): (ClosedSet, &[Constraint])) {
        for _ in 0..jumps.len() {
            let limits = self.modes.now().limits.clone();
            let data: Vec<Rounded> = self.state.iter().map(|&x| Rounded::new(x)).collect();
            let series = self.modes.now_mut().expand_sized(&self.parameters, &data, 0);
            let turned = |k: usize| {
                let row = limits.iter().find(|limit| ClosedSet::switch(limit.contact) == Some(k))?.output;
                let value = series.output(row)[0];
                (value.exceeds(ROUNDING) && value.value < 0.0).then_some(k)
            };
            let turned: Vec<usize> = jumps.iter().filter_map(|&k| turned(k)).collect();
            if turned.is_empty() {
                return;
            }
            for k in turned {
                let side = if self.sides.of(k) == Side::Positive { Side::Negative } else { Side::Positive };
                self.sides = self.sides.with(k, side);
            }
            self.enter_on_sides(closed, idle);
        }
    }

    /// Enters the mode of closed contacts on the present sides.
    pub(super) fn enter_on_sides(&mut self, closed: ClosedSet, idle: &[Constraint]) {
        self.turn_contacts();
        self.enter_mode_without(closed, idle.to_vec());
    }

    /// All combinations of the sides of switches, and of sliding along those that allow it.
    fn combinations(&mut self, before: Sides, zero: &[usize]) -> Vec<Sides> {
        let hybrid = &self.system.hybrid;
        let second: Vec<usize> = zero.iter().copied().filter(|&k| hybrid.second[k]).collect();
        let second: Vec<usize> = second.into_iter().filter(|&k| !self.has_rate(k)).collect();
        let slides =
            |k: usize| hybrid.slides[k] || second.contains(&k) || hybrid.pairs.iter().any(|&(a, b)| a == k || b == k);
        let mut all = combined(before, zero, slides);
        all.retain(|sides| hybrid.may_slide(&sides.sliding().collect::<Vec<_>>()));
        all
    }

    /// Those that slide along switches that the field feels, and that are not among [`Self::combinations`].
    fn sliding_unforeseen(&self, before: Sides, zero: &[usize]) -> Vec<Sides> {
        let hybrid = &self.system.hybrid;
        let mut all = combined(before, zero, |k| hybrid.felt[k]);
        all.retain(|sides| !hybrid.may_slide(&sides.sliding().collect::<Vec<_>>()));
        all
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

    /// What the present mode does from the present state on, where switches are zero; `None` if it has no rates there or holds the motion twice.
    fn look(&mut self, contacts: ConsistentMode, zero: &[usize], reached: Option<(usize, Bound)>) -> Option<Seen> {
        if self.holds_twice(&contacts) {
            return None;
        }
        let sides = self.sides;
        let leaves = self.modes.now().has_roots && self.enter_still() == Stillness::Open;
        let mut data: Vec<Rounded> = self.state.iter().map(|&x| Rounded::new(x)).collect();
        let widest = self.widest_data();
        let mut limits = self.modes.now().limits.clone();
        limits.retain(|limit| ClosedSet::switch(limit.contact).is_some_and(|switch| zero.contains(&switch)));
        let recent = self.recent_data();
        let series = self.modes.now_mut().expand_sized(&self.parameters, &recent, ORDER);
        let mut is_rounding: Vec<[bool; ORDER + 1]> =
            limits.iter().map(|limit| std::array::from_fn(|j| series.output(limit.output)[j].is_rounding())).collect();
        // Where a motion may slide along a function with its rate, both are zero to within the rounding of what states have been.
        let second = |limit: &Limit| {
            !matches!(limit.kind, Bound::Cone(_))
                && ClosedSet::switch(limit.contact).is_some_and(|k| self.system.hybrid.second[k])
        };
        if limits.iter().any(second) {
            let series = self.modes.now_mut().expand_sized(&self.parameters, &widest, 1);
            for (limit, is_rounding) in limits.iter().zip(&mut is_rounding).filter(|(limit, _)| second(limit)) {
                is_rounding[1] |= series.output(limit.output)[1].is_rounding();
            }
        }
        let states = self.state.len();
        let has_rates = |series: &Expansion<Rounded>| (0..states).all(|i| series.state(i)[1].value.is_finite());
        let mode = self.modes.now_mut();
        if mode.has_roots && !has_rates(mode.expand_sized(&self.parameters, &data, 1)) {
            // What stands under a root may be rounding on the wrong side of zero.
            data = widest;
        }
        let series = mode.expand_at_roots(&self.parameters, &data, ORDER);
        if !has_rates(series) {
            return None;
        }
        let motion = (0..states).flat_map(|i| series.state(i)[1..=ORDER].to_vec()).collect();
        let rows: Vec<Vec<Rounded>> = limits.iter().map(|limit| series.output(limit.output).to_vec()).collect();
        let mut rises = vec![None; limits.len()];
        for (k, limit) in limits.iter().enumerate().filter(|(_, limit)| !matches!(limit.kind, Bound::Cone(_))) {
            if rows[k].iter().any(|c| c.value.is_nan()) {
                let Automaton { modes, parameters, state, extent, taylor, .. } = self;
                rises[k] = modes.now_mut().rises_from_roots(taylor, (parameters, state), &extent.widest, limit.output);
            }
        }
        Some(Seen { sides, contacts, reached, limits, rows, is_rounding, rises, motion, leaves })
    }

    /// Whether a mode obeys the field where switches are zero, and whether any of them moves away from zero. Coefficients of functions are compared with those in other modes as well: where numbers
    /// alone cancel, formulas have lost their terms.
    fn obeys(&self, seen: Seen, sizes: &Sizes) -> Option<(Lawful, bool)> {
        let Seen { sides, contacts, reached, limits, rows, is_rounding, rises, motion, leaves } = seen;
        let (mut vanishing, mut still) = (Vec::new(), Vec::new());
        let mut moves = false;
        for (k, limit) in limits.iter().enumerate() {
            let Some(switch) = ClosedSet::switch(limit.contact) else { continue };
            let row = &rows[k];
            // By definition: s is zero, and where sliding has ended at a side so is its rate there.
            let (slides, towards) = match limit.kind {
                Bound::Cone(slip) => (true, slip),
                _ => (false, if sides.of(switch) == Side::Positive { Slip::Forward } else { Slip::Backward }),
            };
            let ended = reached == Some((limit.contact, Bound::Cone(towards)));
            // Unless it jumps with others, and is elsewhere.
            let elsewhere = !slides && !self.system.hybrid.inner[switch].is_empty() && row[0].exceeds(ROUNDING);
            let known = if elsewhere { 0 } else { usize::from(!slides) + usize::from(ended) };
            if slides && !ended && row[0].value.is_nan() {
                return None;
            }
            let least = |j: usize| if slides { 0.0 } else { ROUNDING * sizes.of(switch, j) };
            let exceeds = |j: usize| row[j].exceeds(ROUNDING) && row[j].value.abs() > least(j) && !is_rounding[k][j];
            match (known..=ORDER).find(|&j| exceeds(j) || !row[j].value.is_finite()) {
                // Where a series in time ends, only what comes before says something, or the powers with which roots begin.
                Some(j) if row[j].value.is_nan() && !slides => {
                    vanishing.push((limit.output, rises[k]?));
                    moves = true;
                }
                Some(j) if row[j].value.is_nan() || row[j].value < 0.0 => return None,
                Some(0) => moves = true,
                Some(j) => {
                    vanishing.push((limit.output, j));
                    moves = true;
                }
                None if slides => return None,
                None => {
                    vanishing.push((limit.output, ORDER));
                    let noise = |j: usize| ROUNDING * sizes.of(switch, j).max(row[j].size);
                    still.push((limit.contact, (0..=ORDER).map(noise).collect()));
                }
            }
        }
        let leaves = leaves && !moves;
        Some((Lawful { sides, contacts, vanishing, still, motion, leaves }, moves))
    }

    /// Keeps the state on the surfaces along which it slides.
    pub(crate) fn project_sliding(&mut self) {
        if !self.sides.slides() {
            return;
        }
        self.vary_sliding();
        if let Some(correction) = &mut self.modes.now_mut().correction {
            correction.expand(&self.state, 0);
        }
        let Automaton { modes, state, .. } = self;
        if let Some(correction) = &modes.now().correction {
            for (i, x) in state.iter_mut().enumerate() {
                *x += correction.output(i)[0];
            }
        }
    }
}
