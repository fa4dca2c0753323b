//! Complementarities at an instant: their values in the present mode, and the jump of a state that no mode obeys.
//!
//! The jump is x+ = x- + E p with impulses p of the multipliers: 0 <= p, the values after it and what impulses add to values are not negative, and for every element one of them is zero. For
//! passive circuits it is unique and keeps charges and fluxes (Heemels, Schumacher & Weiland, *SIAM J. Appl. Math.* 60, 2000; Camlibel, Heemels & Schumacher, *IEEE Trans. Circuits Syst. I* 49,
//! 2002; Frasca, Camlibel, Goknar, Iannelli & Vasca, ibid. 57, 2010). Every set of elements with impulses is tried where they are few, and a state after it counts if a mode obeys there.

use saltation_numerics::rounded::Rounded;

use super::automaton::Automaton;
use crate::ended::Ended;
use crate::event::EventKind;
use crate::instant::candidates::{Met, Touching};
use crate::instant::judge::Lawful;
use crate::instant::knowledge::{ROUNDING, SAME};
use crate::mode::expansion::Expansion;
use crate::mode::{ClosedSet, Side, Sides};

/// All sets of so many elements at most are tried.
const MOST_TRIED: usize = 8;
/// So many steps of Newton's method to what binds the states after a jump.
const MOST_STEPS: usize = 30;

/// A jump: the sides of the elements with impulses, the contacts that stay closed, the state after it, and the element with the largest impulse.
struct Jump {
    sides: Sides,
    closed: ClosedSet,
    after: Vec<f64>,
    steps: usize,
    switch: usize,
}

impl Automaton<'_> {
    /// Whether there are complementarities.
    pub(crate) fn has_complements(&self) -> bool {
        self.system.has_complements()
    }

    /// The multiplier or the value of every complementarity in the present mode, by its switch: positive where it obeys.
    pub(super) fn complement_values(&mut self, data: &[Rounded]) -> Vec<(usize, Rounded)> {
        let complements = &self.system.hybrid.complements;
        let limits = self.modes.now().limits.clone();
        let series = self.modes.now_mut().expand_sized(&self.parameters, data, 0);
        let own = |limit: &crate::mode::Limit| {
            let switch = ClosedSet::switch(limit.contact).filter(|&switch| complements[switch].is_some())?;
            Some((switch, series.output(limit.output)[0]))
        };
        limits.iter().filter_map(own).collect()
    }

    /// The complementarities that are not certainly where they are: zero, or beyond.
    pub(super) fn open_complements(&mut self) -> Vec<usize> {
        if !self.has_complements() {
            return Vec::new();
        }
        let own: Vec<Rounded> = self.now.state.iter().map(|&x| Rounded::new(x)).collect();
        let here = self.complement_values(&own);
        let recent = self.recent_data();
        let before = self.complement_values(&recent);
        let open =
            |value: &Rounded, recent: &Rounded| !(value.exceeds(ROUNDING) && value.value > 0.0) || recent.is_rounding();
        here.iter().zip(&before).filter(|((_, value), (_, recent))| open(value, recent)).map(|((k, _), _)| *k).collect()
    }

    /// The switches of an instant with all complementarities, if they are not all there yet.
    pub(super) fn with_complements(&self, zero: &[usize]) -> Option<Vec<usize>> {
        let mut all = zero.to_vec();
        all.extend(self.system.hybrid.complementary().filter(|k| !zero.contains(k)));
        (all.len() > zero.len()).then_some(all)
    }

    /// Whether the state is off what elements that are on keep at zero in the present mode, by more than rounding.
    pub(crate) fn is_displaced(&mut self) -> bool {
        let (states, elements) = (self.now.state.len(), self.system.model().complementarities.len());
        let first = states + elements;
        if elements == 0 {
            return false;
        }
        let own: Vec<Rounded> = self.now.state.iter().map(|&x| Rounded::new(x)).collect();
        let widest = self.widest_data();
        let Automaton { modes, parameters, .. } = self;
        let mut off = |data: &[Rounded], is_off: &dyn Fn(Rounded) -> bool| {
            let Some(kept) = modes.now_mut().correct_sized(parameters, data) else { return Vec::new() };
            (first..kept.tape.outputs()).map(|k| is_off(kept.output(k)[0])).collect::<Vec<bool>>()
        };
        let here = off(&own, &|kept| kept.exceeds(ROUNDING) || kept.value.is_nan());
        let ever = off(&widest, &|kept| !kept.is_rounding());
        here.iter().zip(ever).any(|(here, ever)| *here && ever)
    }

    /// Lets the state jump where no mode obeys, with the contacts that are closed or touch: those that it leaves closed, if there is one jump that leads to where a mode obeys.
    ///
    /// # Errors
    /// There are several.
    pub(super) fn jump_by_complements(
        &mut self,
        zero: &[usize],
        touching: Option<&Touching>,
    ) -> Result<Option<ClosedSet>, Ended> {
        let hybrid = &self.system.hybrid;
        let others: Vec<usize> = zero.iter().copied().filter(|&k| hybrid.complements[k].is_none()).collect();
        // Sides of switches that are crossed at this instant move values.
        let elements: Vec<usize> = hybrid.complementary().chain(others.iter().copied()).collect();
        if elements.len() > MOST_TRIED {
            return Ok(None);
        }
        let (before, present, start) = (self.now.sides, self.closed(), self.now.state.clone());
        let redundant = self.modes.now().redundant.clone();
        // What is zero after the jump is so to within the rounding of what was there before it.
        self.known.recent.iter_mut().zip(&start).for_each(|(size, x)| *size = size.max(x.abs()));
        self.known.extent.include_state(&start);
        let mut jumps: Vec<Jump> = Vec::new();
        for set in 1..1_usize << elements.len() {
            let side = |place: usize| if set >> place & 1 == 1 { Side::Positive } else { Side::Negative };
            let sides = elements.iter().enumerate().fold(before, |sides, (place, &k)| sides.with(k, side(place)));
            self.now.sides = sides;
            let Some(jump) = self.jump_with_contacts(touching.map_or(present, |touching| touching.pressed)) else {
                continue;
            };
            self.now.state.copy_from_slice(&jump.after);
            self.now.sides = before;
            self.enter_on_sides(present, &redundant);
            let zero = self.left_by_jump(zero);
            let wide = self.with_complements(&zero).unwrap_or(zero);
            let touching = touching.map(|touching| Touching { pressed: jump.closed, ..*touching });
            let met = Met { zero: wide, reached: None, towards: self.now.sides };
            let lawful = self.lawful_modes(&met, touching.as_ref());
            self.now.state.copy_from_slice(&start);
            let beyond =
                |found: &Lawful| others.iter().all(|&k| [sides.of(k), Side::Sliding].contains(&found.sides.of(k)));
            if !lawful.iter().any(beyond) {
                continue;
            }
            let sizes = start.iter().zip(&jump.after).map(|(a, b)| a.abs().max(b.abs()));
            let sizes: Vec<f64> = sizes.collect();
            let same = |known: &Jump| {
                known.after.iter().zip(&jump.after).zip(&sizes).all(|((a, b), size)| (a - b).abs() <= SAME * size)
            };
            if !jumps.iter().any(same) {
                jumps.push(jump);
            }
        }
        self.now.sides = before;
        self.enter_on_sides(present, &redundant);
        if jumps.len() > 1 {
            let modes = jumps.iter().map(|jump| jump.sides).collect();
            return Err(Ended::NotUnique { switches: elements, modes });
        }
        let Some(Jump { sides, closed, after, steps, switch }) = jumps.pop() else { return Ok(None) };
        self.now.sides = sides;
        self.enter_with(closed);
        for _ in 0..steps {
            self.vary_kept();
            self.correct_kept();
        }
        self.now.state.copy_from_slice(&start);
        self.room.after.copy_from_slice(&after);
        let event = self.queue.push(EventKind::Reset, self.now.time.value(), &start);
        event.after.copy_from_slice(&after);
        event.switch = Some(switch);
        event.cause = self.located.cause;
        self.jump_sections();
        self.now.state.copy_from_slice(&after);
        self.now.sides = before;
        self.enter_on_sides(present, &redundant);
        self.forget_sequences();
        self.departures.forget();
        Ok(Some(closed))
    }

    /// Puts those of some switches that a jump has moved from zero on the sides where they are, and gives the others.
    pub(super) fn left_by_jump(&mut self, zero: &[usize]) -> Vec<usize> {
        let here = self.zero_surfaces();
        let hybrid = &self.system.hybrid;
        let left = |k: &usize| hybrid.complements[*k].is_none() && !here.contains(k);
        let values = self.bound.hybrid.functions(hybrid, &self.now.state);
        let sides = zero.iter().filter(|k| left(k)).fold(self.now.sides, |all, &k| all.with(k, Side::of(values[k])));
        let stays: Vec<usize> = zero.iter().copied().filter(|k| !left(k)).collect();
        if sides != self.now.sides {
            self.now.sides = sides;
            self.enter_mode(self.closed());
        }
        stays
    }

    /// The jump on the present sides with contacts that stay closed: those that open without a push of their own, open.
    fn jump_with_contacts(&mut self, touching: ClosedSet) -> Option<Jump> {
        self.enter_with(touching);
        let jump = self.jump_on_present_sides()?;
        for contact in touching.iter().filter(|&contact| self.system.opposite[contact].is_none()) {
            let open = touching.without(contact);
            self.enter_with(open);
            let Some(alone) = self.jump_on_present_sides() else { continue };
            let start = std::mem::replace(&mut self.now.state, alone.after);
            let speed = self.surface(contact).1;
            let rounding = ROUNDING * self.speed_terms(contact);
            self.now.state = start;
            if speed > rounding {
                return self.jump_with_contacts(open);
            }
        }
        Some(jump)
    }

    /// Enters the mode of closed contacts on the present sides, without constraints that others hold.
    fn enter_with(&mut self, closed: ClosedSet) {
        let redundant = match closed == self.closed() {
            true => self.modes.now().redundant.clone(),
            false if self.system.coupled => self.joint.group.redundant(self.system, closed, &self.now.state, &[]),
            false => Vec::new(),
        };
        self.enter_on_sides(closed, &redundant);
    }

    /// The jump by impulses of the elements that are on, if it obeys.
    fn jump_on_present_sides(&mut self) -> Option<Jump> {
        let (states, elements) = (self.now.state.len(), self.system.model().complementarities.len());
        let outputs = self.modes.now().correction.as_ref()?.tape.outputs();
        if outputs <= states + elements || !self.is_displaced() {
            return None;
        }
        let start = self.now.state.clone();
        let mut impulses = vec![0.0; elements];
        let mut taken = None;
        for step in 1..=MOST_STEPS {
            let correction = self.modes.now_mut().correction.as_mut()?;
            correction.expand(&self.now.state, 0);
            let mut moves = false;
            for (i, x) in self.now.state.iter_mut().enumerate() {
                let change = correction.output(i)[0];
                *x += change;
                // Also NaN goes on, and ends below.
                moves |= change.is_nan() || change.abs() > f64::EPSILON * x.abs().max(start[i].abs());
            }
            impulses.iter_mut().enumerate().for_each(|(k, p)| *p += correction.output(states + k)[0]);
            if !moves {
                taken = Some(step);
                break;
            }
        }
        let after = std::mem::replace(&mut self.now.state, start);
        let steps = taken.filter(|_| after.iter().chain(&impulses).all(|x| x.is_finite()))?;
        let complementarities = &self.system.model().complementarities;
        let on = |k: usize| self.now.sides.of(complementarities[k].switch) == Side::Positive;
        // What is negative is that beyond the rounding of its terms.
        let parameters: Vec<Rounded> = self.parameters.iter().map(|&p| Rounded::new(p)).collect();
        let data: Vec<Rounded> = self.now.state.iter().map(|&x| Rounded::new(x)).collect();
        let mut sized = Expansion::new(&self.modes.now().correction.as_ref()?.tape, &parameters);
        sized.expand(&data, 0);
        let obeys = (0..elements).all(|k| impulses[k] >= 0.0 || !sized.output(states + k)[0].exceeds(ROUNDING));
        let first = (0..elements).filter(|&k| on(k)).max_by(|&a, &b| impulses[a].total_cmp(&impulses[b]))?;
        let (sides, closed) = (self.now.sides, self.closed());
        obeys.then(|| Jump { sides, closed, after, steps, switch: complementarities[first].switch })
    }
}
