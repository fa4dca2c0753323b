//! Chattering: impacts are counted in their sequence, and its rest is taken at once where its end is known and nothing else happens before it.

use saltation_expr::Jet;

use super::automaton::{Automaton, Completion};
use super::sequence::{Impact, Passage, is_rounding};
use crate::event::EventKind;
use crate::instant::knowledge::ROUNDING;
use crate::mode::{ClosedSet, Limit, Side, Sides};
use crate::trajectory::horner;

/// A flight that lasts longer than expected by this factor does not belong to a chattering sequence.
const LONG_FLIGHT: f64 = 4.0;
/// The order up to which a law is looked at where speeds vanish.
const LAW_ORDER: usize = 7;
/// By how much the ratio of speeds may still change until the end, relative to what is lost.
const ASYMPTOTIC: f64 = 0.1;

impl Automaton<'_> {
    /// Counts an impact in its sequence and completes that, if its end is known; whether it did. Contacts that strike together have one sequence, which is
    /// reported by the first of them.
    pub(super) fn continues_sequence(&mut self, contact: usize, speed: f64, ratio: f64) -> bool {
        let striking = self.striking(contact);
        let leader = striking.iter().next().unwrap_or(contact);
        let (speed, ratio) = match leader == contact {
            true => (speed, ratio),
            false => {
                let before = self.surface(leader).1;
                (before, -self.speed_after(leader) / before)
            }
        };
        if !self.follows_rules(leader) {
            self.accumulating.sequences[leader].clear();
        }
        let time = self.now.time.value();
        if self.accumulating.sequences[leader].flies_alone()
            && time - self.accumulating.last_impact > LONG_FLIGHT * self.departures.expected_flight
        {
            self.accumulating.sequences[leader].clear();
        }
        self.accumulating.last_impact = time;
        for (other, sequence) in self.accumulating.sequences.iter_mut().enumerate() {
            if other != leader {
                striking.iter().filter(|&struck| struck != other).for_each(|c| sequence.pass(Passage::Impact(c)));
            }
        }
        self.accumulating.cycles.iter_mut().for_each(|cycle| cycle.pass(Passage::Impact(leader)));
        // Where an impact takes less than rounding of the speed, the speeds of rounding need not fall.
        let falls = self.accumulating.sequences[leader].slows(speed)
            || self.accumulating.sequences[leader].flies_alone() && is_rounding(speed, ratio, self.speed_terms(leader));
        let counted = self.accumulating.sequences[leader].count(leader, time, (speed, falls), ratio);
        if self.accumulating.sequences[leader].impacts() == 1 {
            self.vary_first(leader, speed);
        }
        striking.iter().filter(|other| *other != leader).for_each(|other| {
            self.accumulating.sequences[leader].pass(Passage::Impact(other));
        });
        counted && self.accumulating.completes && self.complete(leader, speed, ratio)
    }

    /// The contacts that an impact of this one closes, itself among them.
    fn striking(&mut self, contact: usize) -> ClosedSet {
        let closed = self.closed();
        let others: Vec<usize> = self
            .joint
            .judged
            .collision
            .contacts
            .iter()
            .copied()
            .filter(|&c| c != contact && !closed.contains(c))
            .collect();
        let mut striking = ClosedSet::NONE.with(contact);
        for other in others {
            if self.surface(other).1 < 0.0 {
                striking = striking.with(other);
            }
        }
        striking
    }

    /// Completes the chattering sequence that this impact belongs to, if its end is known to tolerance and nothing else
    /// happens before it.
    fn complete(&mut self, contact: usize, speed: f64, ratio: f64) -> bool {
        let terms = self.speed_terms(contact);
        let mode = self.modes.now_mut();
        mode.probe(&self.now.state, 4);
        let gap = mode.probed(self.system.gap_output(contact));
        let (acceleration, jerk) = (2.0 * gap[2], 6.0 * gap[3]);
        for i in 0..self.now.state.len() {
            self.room.rate[i] = mode.probed_state(i)[1];
            self.room.jump[i] = self.room.after[i] - self.now.state[i];
        }
        let impact = Impact {
            time: self.now.time.value(),
            state: &self.now.state,
            jump: &self.room.jump,
            rate: &self.room.rate,
            speed,
            acceleration,
            jerk,
            ratio,
            terms,
            undisturbed: self.accumulating.sequences[contact].is_undisturbed(),
        };
        let completion = self.accumulating.sequences[contact].estimate(&impact, self.settings.tolerance);
        self.vary_estimate(contact, terms);
        let Some(completion) = completion else {
            return false;
        };
        if completion.time > self.settings.until {
            return false;
        }
        let mut end = std::mem::take(&mut self.accumulating.end);
        end.copy_from_slice(self.accumulating.sequences[contact].end_state());
        let ending = self.ending(contact);
        let met = self.switches_of(&self.accumulating.sequences[contact]);
        self.move_onto(met, &mut end);
        self.project_together(ending, &mut end);
        self.accumulating.end = end;
        if !self.keeps_its_slip(contact) {
            return false;
        }
        let is_smooth = self.is_smooth_at_rest(contact, speed);
        if !is_smooth && completion.rest > self.settings.tolerance {
            return false;
        }
        let alone = ending == ClosedSet::NONE.with(contact);
        // A rest below the last digit of the time takes no time.
        let length = self.now.time.until(completion.time);
        let resolved = length > f64::EPSILON * self.now.time.value().abs();
        let (length, time) = if resolved { (length, completion.time) } else { (0.0, self.now.time.value()) };
        if alone && !self.comes_to_rest(contact) || !self.nothing_happens_until_end(contact, (ending, met), length) {
            return false;
        }
        let event = self.queue.push(EventKind::Chatter, self.now.time.value(), &self.now.state);
        event.contact = Some(contact);
        event.after.copy_from_slice(&self.accumulating.end);
        event.speed_before = speed;
        event.duration = length;
        event.impacts = self.accumulating.sequences[contact].impacts() - 1;
        event.error = if is_smooth { completion.error } else { completion.error.max(completion.rest) };
        let landed = self.landing(ending);
        self.vary_completion(contact, landed);
        self.accumulating.completion = Some(Completion { length, end: time, error: completion.error, landed, met });
        self.departures.bounced = None;
        ending.iter().for_each(|other| self.accumulating.sequences[other].clear());
        true
    }

    /// The contacts that close at the end of a sequence of one of them. Those that have impacts in all of its flights do so, too: the flights become
    /// infinitely short.
    fn ending(&self, contact: usize) -> ClosedSet {
        let closed = self.closed();
        let others = self.accumulating.sequences[contact].others().filter(|&other| !closed.contains(other));
        others.fold(ClosedSet::NONE.with(contact), ClosedSet::with)
    }

    /// Whether the law of a contact is a power series in the speed v before the impact at the end of its sequence, v+ = -r v + c v^2 + ...,
    /// that has converged for the impacts to come, with 0 <= r < 1.
    fn is_smooth_at_rest(&mut self, contact: usize, speed: f64) -> bool {
        let Some(tape) = &self.system.laws[contact].slow else {
            return true;
        };
        let mut series = Jet::new(tape);
        tape.expand(&tape.bind(&self.parameters), &self.accumulating.end, LAW_ORDER, &mut series);
        let row = series.output(tape, 0);
        let slope = -row[1];
        let higher: f64 = (2..=LAW_ORDER).map(|k| (row[k] * speed.powi(k as i32 - 1)).abs()).sum();
        slope >= 0.0 && higher < ASYMPTOTIC * (1.0 - slope)
    }

    /// Whether the contact is pressed together at the end of its sequence.
    fn comes_to_rest(&mut self, contact: usize) -> bool {
        let mode = self.modes.now_mut();
        mode.probe(&self.accumulating.end, 2);
        mode.probed(self.system.gap_output(contact))[2] < 0.0
    }

    /// Whether every section and switch keeps its side and every other contact stays as it is from the current impact to the end of
    /// its sequence. On the way the state stays within the jump of the impact from the straight line between the two,
    /// so that a value cannot pass zero if it keeps a distance of twice its change.
    fn nothing_happens_until_end(&mut self, contact: usize, (ending, met): (ClosedSet, Sides), length: f64) -> bool {
        let system = self.system;
        // A section that every bounce passes is passed without end: it cannot hold up a sequence that rounding rules. The phase passes its own once, at a time
        // of which all digits are known.
        let watched: &[bool] = &self.sections.watched;
        let spent = self.accumulating.sequences[contact].is_spent();
        let resolved = length > 4.0 * f64::EPSILON * self.now.time.value().abs();
        let mode = self.modes.now_mut();
        let closed = mode.closed;
        let others = |limit: &&Limit| ClosedSet::switch(limit.contact).is_some_and(|k| met.of(k) != Side::Sliding);
        let of_switches = mode.limits.iter().filter(others);
        let switches: Vec<usize> = of_switches.map(|limit| limit.output).collect();
        let of_contacts = mode.limits.iter().filter(|limit| ClosedSet::switch(limit.contact).is_none());
        let of_contacts: Vec<usize> = of_contacts.map(|limit| limit.output).collect();
        let lookups = mode.lookups.clone();
        // The next bounce is the highest of those left out; at its top it is farthest from the surface.
        mode.probe(&self.room.after, 3);
        let gap = mode.probed(system.gap_output(contact));
        let top = if gap[2] < 0.0 { -gap[1] / (2.0 * gap[2]) } else { 0.0 };
        for (i, value) in self.room.rate.iter_mut().enumerate() {
            *value = horner(mode.probed_state(i), top);
        }
        // A coefficient of an output before the impact, after it, at the top of the next flight and at the end.
        let mut at_points = |output: usize, order: usize| {
            [&self.now.state, &self.room.after, &self.room.rate, &self.accumulating.end].map(|point| {
                mode.probe(point, order);
                mode.probed(output)[order]
            })
        };
        let range = |values: [f64; 4]| {
            let bounds = |(low, high): (f64, f64), x: f64| (low.min(x), high.max(x));
            values.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), bounds)
        };
        let with_margin = |values: [f64; 4]| {
            let (low, high) = range(values);
            (low - 2.0 * (high - low), high + 2.0 * (high - low))
        };
        let open = |&other: &usize| !ending.contains(other) && !closed.contains(other);
        let others = (0..system.contact_names.len()).filter(open).all(|other| {
            match self.departures.departed[other].first() {
                // A gap that is known better than by the state.
                Some(&gap) => {
                    let (low, high) = range(at_points(system.gap_output(other), 1));
                    let travel = self.departures.doubt[other] + 3.0 * length * low.abs().max(high.abs());
                    gap > travel || travel == 0.0
                }
                // One that others hold on its surface feels nothing of the sequence.
                None => {
                    let values = at_points(system.gap_output(other), 0);
                    with_margin(values).0 > 0.0 || values == [values[0]; 4]
                }
            }
        });
        // A function that has reached zero where the sequence ends, as a speed of it has, passes zero in its flights, too.
        let mut values = switches.into_iter().filter(|_| !spent).map(|output| at_points(output, 0));
        let switches = values.all(|values| values[3] == 0.0 || with_margin(values).0 > 0.0);
        // Tables stay on their pieces.
        let pieces = &self.now.pieces.held;
        let tables = spent
            || lookups.into_iter().all(|(lookup, output)| {
                let (low, high) = with_margin(at_points(output, 0));
                let ends = pieces[lookup as usize].map(|piece| system.lookup(lookup).table.ends(piece));
                ends.is_none_or(|[first, last]| first <= low && high <= last)
            });
        // Slip and limits of friction of contacts that do not feel the impacts change as if there were none.
        let mut keeps = |output: usize| {
            let values = at_points(output, 0);
            let feels = (values[1] - values[0]).abs() > ROUNDING * values[0].abs();
            feels || with_margin(values).0 > 0.0
        };
        let contacts = spent || of_contacts.into_iter().all(&mut keeps);
        let mut sections =
            system.sections.iter().zip(&self.sections.places).zip(watched).filter(|(_, watched)| **watched);
        let sections = sections.all(|((section, place), _)| {
            let (low, high) = with_margin(at_points(system.section_output(section), 0));
            spent && (section.declared.is_some() || !resolved) || place.keeps_cell(low, high)
        });
        others && switches && contacts && sections && tables
    }
}
