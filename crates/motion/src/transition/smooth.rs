//! Contacts without friction that act on each other only through their motion, those of flows above all: which stay closed and which open, by the first coefficients of their gaps and forces.
//!
//! One that is violated is exchanged at a time, the first in the file, which comes to an end where one motion obeys (Murty's principal pivoting; Cottle, Pang & Stone, *The Linear
//! Complementarity Problem*, Sect. 4.2). Where exchanges come back or a mode has no forces, every choice of open contacts is looked at.

use saltation_numerics::number::Number;
use saltation_numerics::rounded::Rounded;

use super::automaton::Automaton;
use super::border::Border;
use super::consistent::{ALL_ORDERS, ConsistentMode, ORDER};
use crate::contact::bordering::{MOST_BORDERS, subsets};
use crate::mode::{Bound, ClosedSet};

/// Why a mode does not obey.
enum Refusal {
    /// The force of a closed contact would be negative, or the gap of an open one.
    Violated(usize),
    /// Its forces are no numbers.
    NoForces,
}

impl Automaton<'_> {
    /// The mode of contacts with g = g' = 0 that obeys its own laws from here on.
    pub(super) fn smooth_mode(&mut self, pressed: ClosedSet, border: &Border) -> Option<ConsistentMode> {
        let mut mode = pressed;
        for _ in 0..MOST_BORDERS {
            match self.obeys_smoothly(pressed, mode, border) {
                Ok(next) => return Some(next),
                Err(Refusal::Violated(contact)) if mode.contains(contact) => mode = mode.without(contact),
                Err(Refusal::Violated(contact)) => mode = mode.with(contact),
                Err(Refusal::NoForces) => break,
            }
        }
        let contacts: Vec<usize> = pressed.iter().collect();
        let modes = subsets(&contacts).map(|open| open.into_iter().fold(pressed, ClosedSet::without));
        let mut obeys = modes.filter_map(|mode| self.obeys_smoothly(pressed, mode, border).ok());
        obeys.next()
    }

    /// A mode, if it obeys its own laws.
    fn obeys_smoothly(
        &mut self,
        pressed: ClosedSet,
        mode: ClosedSet,
        border: &Border,
    ) -> Result<ConsistentMode, Refusal> {
        let (system, states, rounding) = (self.system, self.now.state.len(), self.rounding());
        self.enter_mode(mode);
        self.room.data.clear();
        self.room.data.extend(self.now.state.iter().map(|&x| Rounded::new(x)));
        let series = self.modes.now_mut().expand_sized(&self.parameters, &self.room.data, ORDER);
        let rates = (0..states).all(|i| series.state(i)[..=2].iter().all(|c| c.is_finite()));
        if !rates || !(0..mode.iter().count()).all(|k| series.output(system.force_output(k))[0].is_finite()) {
            return Err(Refusal::NoForces);
        }
        // By definition: where modes meet, the force that vanishes in one of them does so in all, and the gap opens an order later.
        let meets = |contact| usize::from(border.joins(mode) && border.contains(contact, Bound::Force));
        let first = |output: usize, from: usize| {
            let row = series.output(output);
            (from..=ORDER).find(|&k| row[k].exceeds(rounding)).map(|k| (k, row[k].value > 0.0))
        };
        let mut next = ConsistentMode::as_it_is(mode, &[]);
        let mut violated = None;
        for contact in pressed.iter() {
            let place = mode.iter().position(|closed| closed == contact);
            let found = match place {
                Some(place) => first(system.force_output(place), meets(contact)),
                None => first(system.gap_output(contact), 2 + meets(contact)),
            };
            match (place, found) {
                (_, Some((_, false))) => violated = violated.or(Some(contact)),
                (Some(_), Some((0, true))) => {}
                (Some(place), found) => {
                    let order = found.map_or(ALL_ORDERS, |(order, _)| order);
                    next.vanishing.push((system.force_output(place), order));
                }
                (None, Some((order, true))) => next.opening.push((contact, order)),
                (None, None) => {
                    next.opening.push((contact, 2));
                    let row = series.output(system.gap_output(contact));
                    next.held.push((contact, row[..=ORDER].iter().map(|c| rounding * c.size).collect()));
                }
            }
        }
        violated.map_or(Ok(next), |contact| Err(Refusal::Violated(contact)))
    }
}
