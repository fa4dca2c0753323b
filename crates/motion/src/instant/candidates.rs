//! The modes that may obey all laws at an instant: every combination of the sides of switches that are zero, with all that contacts may do on them; of many switches those to which violated laws lead.

use std::collections::VecDeque;

use saltation_numerics::rounded::Rounded;

use super::judge::{Lawful, Seen, Sizes};
use crate::instant::knowledge::ROUNDING;
use crate::mode::hybrid::Hybrid;
use crate::mode::{Bound, ClosedSet, Constraint, Side, Sides, Slip};
use crate::transition::automaton::Automaton;
use crate::transition::border::Border;
use crate::transition::consistent::ConsistentMode;

/// All combinations of the sides of so many switches that are zero at one instant are looked at; of more those to which violated laws lead.
const MOST_TOGETHER: usize = 4;
/// So many combinations of sides at most are looked at where there are more switches.
const MOST_SEARCHED: usize = 500;

/// The switches that are zero at an instant.
#[derive(Debug, Clone)]
pub(crate) struct Met {
    pub zero: Vec<usize>,
    /// What was located where the trajectory has come here.
    pub reached: Option<(usize, Bound)>,
    /// The sides of those along which motions are the same on both.
    pub towards: Sides,
}

/// The contacts that touch without speed at an instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touching<'a> {
    pub pressed: ClosedSet,
    /// Modes to be looked at in any case.
    pub likely: &'a [ClosedSet],
    pub border: &'a Border,
}

/// All combinations of the sides of switches, of sliding along those that `slides` names, and of sticking at their static limits of those that `limits` names.
fn combined(
    before: Sides,
    zero: &[usize],
    slides: impl Fn(usize) -> bool,
    limits: impl Fn(usize) -> bool,
) -> Vec<Sides> {
    let mut all = vec![before];
    for &k in zero {
        let own = |sides: &Sides| {
            let sides = *sides;
            let free = Side::ALL.into_iter().filter(|&side| side != Side::Sliding || slides(k));
            let limiting = Slip::BOTH.into_iter().filter(|_| limits(k));
            let limiting = limiting.map(|slip| sides.with_limiting(k, slip));
            free.map(|side| sides.with(k, side)).chain(limiting).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(own).collect();
    }
    all
}

impl Automaton<'_> {
    /// All modes that obey the laws of switches that are zero, and of contacts that touch or stay closed as they are, each motion once. The present mode and sides are what
    /// they were.
    pub(crate) fn lawful_modes(&mut self, met: &Met, touching: Option<&Touching>) -> Vec<Lawful> {
        let Met { zero, reached, towards } = met;
        let (before, closed) = (self.now.sides, self.closed());
        if zero.is_empty() && !self.has_complements() {
            let contacts = self.contacts_on_sides(touching, true, false).unwrap_or_default();
            let alone = |contacts| Lawful {
                sides: before,
                contacts,
                vanishing: Vec::new(),
                still: Vec::new(),
                motion: Vec::new(),
                noise: Vec::new(),
                forces: Vec::new(),
                leaves: false,
                doubtful: false,
            };
            return contacts.into_iter().map(alone).collect();
        }
        self.know_surfaces(zero);
        // Constraints that others hold do so on all sides.
        let redundant = self.modes.now().redundant.clone();
        // A function that has sides of others in it jumps with them, and multipliers with all forces.
        let Hybrid { inner, complements, .. } = &self.system.hybrid;
        let follows = |k: usize| complements[k].is_some() || inner[k].iter().any(|other| zero.contains(other));
        let jumps: Vec<usize> = (0..inner.len()).filter(|k| !zero.contains(k) && follows(*k)).collect();
        if zero.len() > MOST_TOGETHER {
            return self.searched_modes(met, touching, &jumps);
        }
        let candidates = self.combinations(before, zero, self.closed_or(touching));
        let looked_at = [&zero[..], &jumps[..]].concat();
        let mut lawful: Vec<Lawful> = Vec::new();
        let mut flat: Vec<Lawful> = Vec::new();
        let mut sizes = Sizes::default();
        let mut look_at = |automaton: &mut Self, candidates: Vec<Sides>, sizes: &mut Sizes, all: bool| {
            let mut seen: Vec<Seen> = Vec::new();
            for sides in candidates {
                automaton.now.sides = sides;
                automaton.enter_on_sides(closed, &redundant);
                automaton.follow_inner_sides(&jumps, (closed, &redundant));
                let sides = automaton.now.sides;
                // What has ended is zero in the modes that differ in that alone.
                let alone = |element: usize| {
                    zero.iter().all(|&k| ClosedSet::element(k) == element || sides.of(k) == before.of(k))
                };
                let known = ConsistentMode::as_it_is(closed, &redundant);
                for contacts in automaton.contacts_on_sides(touching, sides == before, all).unwrap_or(vec![known]) {
                    automaton.enter_on_sides(contacts.mode, &contacts.redundant);
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
        self.now.sides = before;
        self.enter_on_sides(closed, &redundant);
        // Where s stays zero on both sides of a corner, both are the same motion.
        if lawful.is_empty() {
            lawful = flat;
        }
        let different = self.of_different_motions(lawful, &looked_at, *towards, &sizes);
        self.held_first(different, zero)
    }

    /// The same for many switches: the sides of groups that have nothing to do with each other, or those of the problem of their rates, and those that differ from them in a few.
    fn searched_modes(&mut self, met: &Met, touching: Option<&Touching>, jumps: &[usize]) -> Vec<Lawful> {
        let Met { zero, towards, .. } = met;
        let (before, closed) = (self.now.sides, self.closed());
        let redundant = self.modes.now().redundant.clone();
        let complementary = zero.iter().any(|&k| self.system.hybrid.complements[k].is_some());
        let alone = self.sides_one_by_one(zero, (closed, &redundant), *towards);
        let together = if alone.is_some() || complementary { None } else { self.sides_together(closed, zero) };
        let first = alone.or(together.map(|(sides, _)| sides)).into_iter();
        let looked_at = [&zero[..], jumps].concat();
        let mut sizes = Sizes::default();
        // Where static limits hold one motion together, modes that move are looked beyond: one in which all that has a limit sticks is taken first.
        let limits = self.static_limits_matter(before, zero, self.closed_or(touching));
        let stuck = limits.then(|| self.all_stuck(before, zero));
        let leaving = self.leaving(zero);
        let hybrid = &self.system.hybrid;
        let left = |sides: Sides| {
            let sliding: Vec<usize> = sides.sliding().collect();
            let slides = leaving.iter().filter(|(k, _)| sliding.contains(k) && !hybrid.is_paired(*k, &sliding));
            slides.fold(sides, |left, &(k, side)| left.with(k, side))
        };
        // Those that differ from sides on which the fewest laws are violated come first.
        let mut waiting: VecDeque<(usize, Sides)> =
            first.chain([before]).chain(stuck).map(|sides| (0, left(sides))).collect();
        let mut known: Vec<Sides> = waiting.iter().map(|&(_, sides)| sides).collect();
        let mut found = Vec::new();
        // Dry friction takes energy, and has one motion: the first is all. Other laws may have more, which are not looked for (docs/limits.md).
        let is_open = |automaton: &mut Self, found: &[Lawful]| {
            found.iter().all(|lawful| lawful.doubtful || limits && automaton.moves_limited(lawful, zero))
        };
        while let Some((above, sides)) = waiting.pop_front().filter(|_| is_open(self, &found)) {
            self.now.sides = sides;
            self.enter_on_sides(closed, &redundant);
            self.follow_inner_sides(jumps, (closed, &redundant));
            self.enter_on_sides(ClosedSet::NONE, &[]);
            let flight = self.look(ConsistentMode::default(), &looked_at, None);
            flight.iter().for_each(|flight| sizes.include(flight));
            let as_it_is = ConsistentMode::as_it_is(closed, &redundant);
            let mut seen = Vec::new();
            for contacts in self.contacts_on_sides(touching, sides == before, sides.slides()).unwrap_or(vec![as_it_is])
            {
                self.enter_on_sides(contacts.mode, &contacts.redundant);
                let alone = |element: usize| {
                    zero.iter().all(|&k| ClosedSet::element(k) == element || sides.of(k) == before.of(k))
                };
                let reached = met.reached.filter(|reached| contacts.mode == closed && alone(reached.0));
                seen.extend(self.look(contacts, &looked_at, reached));
            }
            // Where contacts have no forces, some switch that slides takes them up.
            let nowhere = seen.is_empty();
            let mut violated: Vec<usize> = if nowhere { sides.sliding().collect() } else { Vec::new() };
            // A mode in which multipliers are no numbers says nothing of which of them are in the way.
            violated.extend(self.system.hybrid.complementary().filter(|_| nowhere));
            for seen in seen {
                violated.extend(self.violated(&seen, &sizes));
                found.extend(self.obeys(seen, &sizes).map(|(lawful, _)| lawful));
            }
            violated.retain(|k| zero.contains(k));
            violated.sort_unstable();
            violated.dedup();
            let rank = if nowhere { above } else { violated.len() };
            for changed in self.changed_sides(sides, &violated) {
                if known.len() < MOST_SEARCHED && !known.contains(&changed) {
                    known.push(changed);
                    waiting.insert(waiting.partition_point(|&(other, _)| other <= rank), (rank, changed));
                }
            }
        }
        self.now.sides = before;
        self.enter_on_sides(closed, &redundant);
        let different = self.of_different_motions(found, &looked_at, *towards, &sizes);
        self.held_first(different, zero)
    }

    /// The sides that differ from these in one of some switches.
    fn changed_sides(&mut self, sides: Sides, switches: &[usize]) -> Vec<Sides> {
        let closed = self.closed();
        let own = switches.iter().flat_map(|&k| self.combinations(sides, &[k], closed)).collect::<Vec<_>>();
        own.into_iter().filter(|changed| *changed != sides).collect()
    }

    /// What contacts that touch may do on the present sides, which are those on which the trajectory has come or not; `None` where they stay as they are.
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
        (closed, redundant): (ClosedSet, &[Constraint]),
        likely: Sides,
    ) -> Option<Sides> {
        let groups = self.system.hybrid.groups(zero, !closed.is_empty());
        if groups.iter().any(|group| group.len() > MOST_TOGETHER) {
            return None;
        }
        let before = self.now.sides;
        let mut found = before;
        for group in groups {
            let (mut seen, mut sizes) = (Vec::new(), Sizes::default());
            for sides in self.combinations(found, &group, closed) {
                self.now.sides = sides;
                self.enter_on_sides(closed, redundant);
                seen.extend(self.look(ConsistentMode::as_it_is(closed, redundant), &group, None));
            }
            seen.iter().for_each(|seen| sizes.include(seen));
            let lawful: Vec<Lawful> =
                seen.into_iter().filter_map(|seen| self.obeys(seen, &sizes)).map(|(lawful, _)| lawful).collect();
            self.now.sides = before;
            let different = self.of_different_motions(lawful, &group, likely, &sizes);
            match &self.held_first(different, &group)[..] {
                [one] => found = one.sides,
                _ => return None,
            }
        }
        Some(found)
    }

    /// Puts switches whose functions jump with others, and are not zero, on the sides of their values in the present mode.
    fn follow_inner_sides(&mut self, jumps: &[usize], (closed, redundant): (ClosedSet, &[Constraint])) {
        for _ in 0..jumps.len() {
            let limits = self.modes.now().limits.clone();
            let data: Vec<Rounded> = self.now.state.iter().map(|&x| Rounded::new(x)).collect();
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
                let side = if self.now.sides.of(k) == Side::Positive { Side::Negative } else { Side::Positive };
                self.now.sides = self.now.sides.with(k, side);
            }
            self.enter_on_sides(closed, redundant);
        }
    }

    /// The contacts that touch, or those that are closed where none is decided.
    fn closed_or(&self, touching: Option<&Touching>) -> ClosedSet {
        touching.map_or(self.closed(), |touching| touching.pressed)
    }

    /// All combinations of the sides of switches, of sliding along those that allow it, and of sticking at static limits where these and the contacts hold one motion together.
    fn combinations(&mut self, before: Sides, zero: &[usize], contacts: ClosedSet) -> Vec<Sides> {
        let leaving = self.leaving(zero);
        let hybrid = &self.system.hybrid;
        let slides =
            |k: usize| hybrid.slides[k] || hybrid.second[k] || hybrid.pairs.iter().any(|&(a, b)| a == k || b == k);
        let limits = self.static_limits_matter(before, zero, contacts);
        let mut all = combined(before, zero, slides, |k| limits && hybrid.holds[k]);
        all.retain(|sides| {
            let sliding: Vec<usize> = sides.sliding().collect();
            // Where another switch acts on the rate, that keeps it.
            let leaves = |&(k, _): &(usize, Side)| sliding.contains(&k) && !hybrid.is_paired(k, &sliding);
            hybrid.may_slide(&sliding) && !leaving.iter().any(leaves)
        });
        all
    }

    /// Those of some switches along whose functions motions slide with their rates and that leave zero with a rate, with the sides to which they go.
    fn leaving(&mut self, zero: &[usize]) -> Vec<(usize, Side)> {
        let second: Vec<usize> = zero.iter().copied().filter(|&k| self.system.hybrid.second[k]).collect();
        second.into_iter().filter_map(|k| Some((k, self.side_ahead(k)?))).collect()
    }

    /// The sides on which everything that may slide along its function does so.
    fn all_stuck(&self, before: Sides, zero: &[usize]) -> Sides {
        let hybrid = &self.system.hybrid;
        zero.iter()
            .filter(|&&k| hybrid.slides[k] || hybrid.second[k])
            .fold(before, |sides, &k| sides.with(k, Side::Sliding))
    }

    /// Whether some dry friction at zero slip has a static limit, and holds with others what fewer would hold.
    fn static_limits_matter(&mut self, before: Sides, zero: &[usize], contacts: ClosedSet) -> bool {
        if !zero.iter().any(|&k| self.system.hybrid.holds[k]) {
            return false;
        }
        let (present, stuck) = (self.now.sides, self.all_stuck(before, zero));
        self.now.sides = stuck;
        let matter = self.is_statically_indeterminate(contacts);
        self.now.sides = present;
        matter
    }

    /// Those that slide along switches that the field feels, and that are not among [`Self::combinations`].
    fn sliding_unforeseen(&self, before: Sides, zero: &[usize]) -> Vec<Sides> {
        let hybrid = &self.system.hybrid;
        let mut all = combined(before, zero, |k| hybrid.felt[k] && hybrid.complements[k].is_none(), |_| false);
        all.retain(|sides| !hybrid.may_slide(&sides.sliding().collect::<Vec<_>>()));
        all
    }
}
