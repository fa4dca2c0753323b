//! What does an impact do? It throws the state back as its law says, or completes the sequence of impacts it belongs to.

use saltation_expr::Jet;
use saltation_numerics::rounded::Rounded;

use crate::automaton::Motion;
use crate::bridge::Bridge;
use crate::chatter::{Impact, Passage, is_rounding};
use crate::ended::Ended;
use crate::event::EventKind;
use crate::law::{BoundLaw, Struck};
use crate::start::ROUNDING;
use crate::system::ClosedSet;
use crate::trajectory::horner;

/// A flight that lasts longer than expected by this factor does not belong to a chattering sequence.
const LONG_FLIGHT: f64 = 4.0;

/// Flights lower than this, relative to the terms of the gap, leave nothing but rounding in a gap.
const UNRESOLVED: f64 = 1e-14;
/// Such flights are nothing but rounding.
const LOST: f64 = 2e-15;
/// Flights that take more than this part of the time are no such ones.
const SHORT: f64 = 1e-5;

/// A restitution may leave [0, 1] by this much: the rounding error of its formula.
const SAME_SPEED: f64 = 1e-12;
/// Speeds after an impact below this fraction of that before are looked at, whether they are rounding.
const UNCLEAR: f64 = 1e-6;
/// The order up to which a law is looked at where speeds vanish.
const LAW_ORDER: usize = 7;
/// By how much the ratio of speeds may still change until the end, relative to what is lost.
const ASYMPTOTIC: f64 = 0.1;

impl Motion<'_> {
    /// A contact has closed at the current state: x -> R(x) = x + W(x) v(x) (Nordmark & Piiroinen, Eq. (5)).
    pub(crate) fn impact(&mut self, contact: usize, graze: bool) {
        let Some((speed, ratio)) = self.strike_by_law(contact) else {
            return;
        };
        if speed >= 0.0 {
            // Touched without speed: rounding decided for a root.
            self.tell(EventKind::Graze, Some(contact));
            self.settle(contact);
            return;
        }
        if !std::mem::take(&mut self.told_return) && self.pass_contact_sections(contact) {
            self.pending = Some(contact);
            return;
        }
        let time = self.time.value();
        if self.is_crowded(contact, speed, time) && !self.system.coupled {
            self.ended = Some(Ended::ContactsTogether { contacts: self.crowd.contacts().iter().collect() });
            return;
        }
        // The rest of the sequence at once, if its end can be predicted.
        if self.continues_sequence(contact, speed, ratio) {
            return;
        }

        let speed_after = self.speed_after(contact);
        let kind = if graze { EventKind::Graze } else { EventKind::Impact };
        let energy = self.collision_energy();
        let event = self.queue.push(kind, time, &self.state);
        event.contact = Some(contact);
        event.after.copy_from_slice(&self.after);
        event.impacts = 1;
        event.speed_before = speed;
        event.speed_after = if ratio == 0.0 { 0.0 } else { speed_after };
        event.energy = energy;
        event.collision = self.system.coupled.then(|| self.collision.clone());
        event.choice = Some(self.choice).filter(|choice| self.system.coupled && choice.is_open());
        self.tell_others(contact, kind);
        self.jump_sections();
        let speeds = self.group.pace(self.system, &self.state);
        self.fastest = self.fastest.max(speeds);
        self.state.copy_from_slice(&self.after);
        self.vary_jump(contact);
        // A section that the jump passes may be the goal; the impact is finished all the same, so that the motion can go on.
        if self.has_failed() {
            return;
        }
        self.bounced = None;
        if self.system.coupled {
            self.rebound(contact, speeds);
            return;
        }
        self.shake_closed(contact, speed);
        if self.has_failed() {
            return;
        }
        if self.jumped_off {
            return;
        }
        if ratio == 0.0 || speed_after <= 0.0 {
            self.settle(contact);
        } else {
            self.leaving[contact] = 1;
            self.bounced = Some(contact);
        }
    }

    /// Counts an impact in its sequence and completes that, if its end is known; whether it did. Contacts that strike together have one sequence, which is
    /// told by the first of them.
    fn continues_sequence(&mut self, contact: usize, speed: f64, ratio: f64) -> bool {
        let coupled = self.system.coupled;
        let striking = if coupled { self.striking(contact) } else { ClosedSet::NONE.with(contact) };
        let leader = striking.iter().next().unwrap_or(contact);
        let (speed, ratio) = match leader == contact {
            true => (speed, ratio),
            false => {
                let before = self.surface(leader).1;
                (before, -self.speed_after(leader) / before)
            }
        };
        if coupled && !self.follows_rules(leader) {
            self.sequences[leader].clear();
        }
        let time = self.time.value();
        if self.sequences[leader].flies_alone() && time - self.last_impact > LONG_FLIGHT * self.expected_flight {
            self.sequences[leader].clear();
        }
        self.last_impact = time;
        for (other, sequence) in self.sequences.iter_mut().enumerate() {
            match coupled {
                _ if other == leader => {}
                true => {
                    striking.iter().filter(|&struck| struck != other).for_each(|c| sequence.pass(Passage::Impact(c)))
                }
                false => sequence.clear(),
            }
        }
        // An impact that loses no speed may still be one of a sequence: others take it.
        if ratio >= 1.0 && !coupled {
            self.sequences[leader].clear();
            return false;
        }
        // Where an impact takes less than rounding of the speed, the speeds of rounding need not fall.
        let falls = self.sequences[leader].slows(speed)
            || self.sequences[leader].flies_alone() && is_rounding(speed, ratio, self.speed_terms(leader));
        let telling = self.sequences[leader].count(leader, time, (speed, falls), ratio);
        self.vary_count(leader, self.sequences[leader].impacts() == 1, falls);
        striking.iter().filter(|other| *other != leader).for_each(|other| {
            self.sequences[leader].pass(Passage::Impact(other));
        });
        telling && self.completes && self.complete(leader, speed, ratio)
    }

    /// The contacts that an impact of this one closes, itself among them.
    fn striking(&mut self, contact: usize) -> ClosedSet {
        let closed = self.closed();
        let others: Vec<usize> =
            self.collision.contacts.iter().copied().filter(|&c| c != contact && !closed.contains(c)).collect();
        let mut striking = ClosedSet::NONE.with(contact);
        for other in others {
            if self.surface(other).1 < 0.0 {
                striking = striking.with(other);
            }
        }
        striking
    }

    /// The state after an impact of a contact, into `self.after`, with its opening speed before and the ratio of speeds; `None` if the
    /// motion ends here.
    fn strike_by_law(&mut self, contact: usize) -> Option<(f64, f64)> {
        let system = self.system;
        if system.coupled {
            return self.strike_coupled(contact);
        }
        let law = &system.laws[contact];
        let Struck { after, speed, opened, gap } = self.laws[contact].strike(law, &self.state);
        self.after.copy_from_slice(after);
        if !(self.after.iter().all(|x| x.is_finite()) && speed.is_finite()) {
            self.ended = Some(self.diagnose_impact(contact));
            return None;
        }
        self.vary_impact(contact);
        self.jumped_off = false;
        if speed >= 0.0 {
            return Some((speed, 0.0));
        }
        let judged = self.rebound_of(contact, (speed, opened), gap);
        match judged {
            Ok(ratio) => Some((speed, ratio)),
            Err(ended) => {
                self.ended = Some(ended);
                None
            }
        }
    }

    /// The ratio of speeds -v+/v- of an impact whose result is `self.after`: 0 if nothing but rounding is left of the speed after it.
    ///
    /// # Errors
    /// A law that leaves the gap closing or negative, and a restitution outside [0, 1].
    fn rebound_of(&mut self, contact: usize, (speed, opened): (f64, f64), gap: f64) -> Result<f64, Ended> {
        let system = self.system;
        let ratio = -opened / speed;
        if system.model().body.mechanics().is_some() {
            let is_lawful = (-SAME_SPEED..=1.0 + SAME_SPEED).contains(&ratio);
            return if is_lawful { Ok(ratio.max(0.0)) } else { Err(Ended::restitution(contact, ratio)) };
        }
        // Only what is small beside the speed before can be rounding.
        let is_clear = opened > UNCLEAR * speed.abs();
        if is_clear && !system.laws[contact].moves {
            return Ok(ratio);
        }
        let (speed_size, gap_size) = self.sizes_after(contact);
        let rounding = self.settings.tolerance.max(ROUNDING);
        if system.laws[contact].moves {
            if gap.is_nan() || gap < -rounding * gap_size {
                return Err(Ended::Penetrated { contact, gap });
            }
            self.jumped_off = gap > rounding * gap_size;
        }
        match (opened > ROUNDING * speed_size, opened >= -ROUNDING * speed_size) {
            (true, _) => Ok(ratio),
            _ if self.jumped_off => Ok(ratio),
            (false, true) => Ok(0.0),
            (false, false) => Err(Ended::StillCloses { contact, before: speed, after: opened }),
        }
    }

    /// The sizes of the terms that the opening speed and the gap after an impact at the current state consist of.
    fn sizes_after(&mut self, contact: usize) -> (f64, f64) {
        let parameters: Vec<Rounded> = self.parameters.iter().map(|&p| Rounded::new(p)).collect();
        let state: Vec<Rounded> = self.state.iter().map(|&x| Rounded::new(x)).collect();
        let law = &self.system.laws[contact];
        let mut bound = BoundLaw::new(law, &parameters);
        let Struck { opened, gap, .. } = bound.strike(law, &state);
        (opened.size, gap.size)
    }

    /// The size of the terms of a gap at the current state. The rounding of the largest coordinates stays with them.
    pub(crate) fn gap_terms(&mut self, contact: usize) -> f64 {
        self.terms(contact, 0)
    }

    /// The size of the terms of the opening speed of a contact at the current state.
    fn speed_terms(&mut self, contact: usize) -> f64 {
        self.terms(contact, 1)
    }

    /// The size of the terms of a coefficient of a gap.
    fn terms(&mut self, contact: usize, order: usize) -> f64 {
        let output = self.system.gap_output(contact);
        self.data.clear();
        let widest = self.watch.widest.iter().copied().chain(std::iter::repeat(0.0));
        self.data.extend(self.state.iter().zip(widest).map(|(&x, w)| Rounded { value: x, size: x.abs().max(w) }));
        let (tape, sized) = self.modes[self.current].expand_sized(&self.parameters, &self.data, order);
        sized.output(tape, output)[order].size
    }

    /// The opening speed of a contact at `self.after`.
    fn speed_after(&mut self, contact: usize) -> f64 {
        let output = self.system.gap_output(contact);
        if let Some(speed) = self.linear_speed_after(output) {
            return speed;
        }
        let mode = &mut self.modes[self.current];
        mode.probe(&self.after, 1);
        mode.probe.output(&mode.tape, output)[1]
    }

    /// Whether impacts of several contacts follow each other so closely, again and again, that the flights between them are below
    /// what numbers can resolve: the contacts close together, one after another without end.
    fn is_crowded(&mut self, contact: usize, speed: f64, time: f64) -> bool {
        if let Some(lost) = self.unresolved_flight(contact, speed) {
            self.crowd.count(contact, (time, speed), lost);
        }
        self.crowd.is_endless()
    }

    /// Whether the flight that ends at this impact was nothing but rounding; `None` if it was high enough to be resolved: then the contact is no longer
    /// one of a crowd.
    pub(crate) fn unresolved_flight(&mut self, contact: usize, speed: f64) -> Option<bool> {
        let time = self.time.value();
        self.crowd.expire(time - SHORT * time.abs());
        let flight = self.crowd.flight(contact, time);
        // The gap is only measured by its terms where the flight was short.
        let size = if flight <= SHORT * time.abs() { self.gap_terms(contact) } else { 0.0 };
        let height = speed.abs() * flight;
        if height > UNRESOLVED * size {
            self.crowd.leaves(contact);
            return None;
        }
        Some(height <= LOST * size)
    }

    /// Tells the sections that are the impacts of this contact; whether that was the last return asked for.
    fn pass_contact_sections(&mut self, contact: usize) -> bool {
        for section in 0..self.system.sections.len() {
            if self.system.sections[section].contact == Some(contact) {
                let state = self.state.clone();
                if self.passed(section, false, self.time.value(), &state) {
                    self.ended = Some(Ended::ReachedReturns);
                    return true;
                }
            }
        }
        false
    }

    /// Completes the chattering sequence that this impact belongs to, if its end is known to tolerance and nothing else
    /// happens before it.
    fn complete(&mut self, contact: usize, speed: f64, ratio: f64) -> bool {
        let terms = self.speed_terms(contact);
        let mode = &mut self.modes[self.current];
        mode.probe(&self.state, 4);
        let gap = mode.probe.output(&mode.tape, self.system.gap_output(contact));
        let (acceleration, jerk) = (2.0 * gap[2], 6.0 * gap[3]);
        for i in 0..self.state.len() {
            self.rate[i] = mode.probe.state(i)[1];
            self.jump[i] = self.after[i] - self.state[i];
        }
        let impact = Impact {
            time: self.time.value(),
            state: &self.state,
            jump: &self.jump,
            rate: &self.rate,
            speed,
            acceleration,
            jerk,
            ratio,
            terms,
            undisturbed: self.sequences[contact].is_undisturbed(),
        };
        let completion = self.sequences[contact].estimate(&impact, self.settings.tolerance);
        self.vary_estimate(contact, terms);
        let Some(completion) = completion else {
            return false;
        };
        if completion.time > self.settings.until {
            return false;
        }
        let mut end = std::mem::take(&mut self.end);
        end.copy_from_slice(self.sequences[contact].end_state());
        let ending = self.ending(contact);
        self.project_together(ending, &mut end);
        self.end = end;
        if self.system.coupled && !self.keeps_its_slip(contact) {
            return false;
        }
        let is_smooth = self.is_smooth_at_rest(contact, speed);
        if !is_smooth && completion.rest > self.settings.tolerance {
            return false;
        }
        let alone = ending == ClosedSet::NONE.with(contact);
        let length = self.time.until(completion.time).max(0.0);
        if alone && !self.comes_to_rest(contact) || !self.nothing_happens_until_end(contact, ending, length) {
            return false;
        }
        let event = self.queue.push(EventKind::Chatter, self.time.value(), &self.state);
        event.contact = Some(contact);
        event.after.copy_from_slice(&self.end);
        event.speed_before = speed;
        event.duration = length;
        event.impacts = self.sequences[contact].impacts() - 1;
        event.error = if is_smooth { completion.error } else { completion.error.max(completion.rest) };
        let landed = if self.system.coupled { self.landing(ending) } else { self.closed().with(contact) };
        self.vary_completion(contact, landed);
        self.bridge = Some(Bridge { contact, length, end: completion.time, landed });
        self.bounced = None;
        ending.iter().for_each(|other| self.sequences[other].clear());
        true
    }

    /// The contacts that close at the end of a sequence of one of them. Those that have impacts in all of its flights do so, too: the flights become
    /// infinitely short.
    fn ending(&self, contact: usize) -> ClosedSet {
        let closed = self.closed();
        let others = self.sequences[contact].others().filter(|&other| !closed.contains(other));
        others.fold(ClosedSet::NONE.with(contact), ClosedSet::with)
    }

    /// Whether the law of a contact is a power series in the speed v before the impact at the end of its sequence, v+ = -r v + c v^2 + ...,
    /// that has converged for the impacts to come, with 0 <= r < 1.
    fn is_smooth_at_rest(&mut self, contact: usize, speed: f64) -> bool {
        let Some(tape) = &self.system.laws[contact].slow else {
            return true;
        };
        let mut series = Jet::new(tape);
        tape.expand(&tape.bind(&self.parameters), &self.end, LAW_ORDER, &mut series);
        let row = series.output(tape, 0);
        let slope = -row[1];
        let higher: f64 = (2..=LAW_ORDER).map(|k| (row[k] * speed.powi(k as i32 - 1)).abs()).sum();
        slope >= 0.0 && higher < ASYMPTOTIC * (1.0 - slope)
    }

    /// Whether the contact is pressed together at the end of its sequence.
    fn comes_to_rest(&mut self, contact: usize) -> bool {
        let mode = &mut self.modes[self.current];
        mode.probe(&self.end, 2);
        mode.probe.output(&mode.tape, self.system.gap_output(contact))[2] < 0.0
    }

    /// Whether every section keeps its side and every other contact stays as it is from the current impact to the end of
    /// its sequence. On the way the state stays within the jump of the impact from the straight line between the two,
    /// so that a value cannot pass zero if it keeps a distance of twice its change.
    fn nothing_happens_until_end(&mut self, contact: usize, ending: ClosedSet, length: f64) -> bool {
        let system = self.system;
        // A section that every bounce passes is passed without end: it cannot hold up a sequence that rounding rules. The phase passes its own once, at a time
        // of which all digits are known.
        let watched: &[bool] = &self.watched_sections;
        let spent = self.sequences[contact].is_spent();
        let resolved = length > 4.0 * f64::EPSILON * self.time.value().abs();
        let mode = &mut self.modes[self.current];
        let closed = mode.closed;
        // The next bounce is the highest of those left out; at its top it is farthest from the surface.
        mode.probe(&self.after, 3);
        let gap = mode.probe.output(&mode.tape, system.gap_output(contact));
        let top = if gap[2] < 0.0 { -gap[1] / (2.0 * gap[2]) } else { 0.0 };
        for (i, value) in self.rate.iter_mut().enumerate() {
            *value = horner(mode.probe.state(i), top);
        }
        let mut range = |output: usize| {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for point in [&self.state, &self.after, &self.rate, &self.end] {
                mode.probe(point, 0);
                let value = mode.probe.output(&mode.tape, output)[0];
                low = low.min(value);
                high = high.max(value);
            }
            let margin = 2.0 * (high - low);
            (low - margin, high + margin)
        };
        let others = (0..system.contact_names.len())
            .all(|other| ending.contains(other) || closed.contains(other) || range(system.gap_output(other)).0 > 0.0);
        let mut sections = system.sections.iter().zip(&self.sections).zip(watched).filter(|(_, watched)| **watched);
        let sections = sections.all(|((section, place), _)| {
            let (low, high) = range(system.section_output(section));
            spent && (section.declared.is_some() || !resolved) || place.keeps_cell(low, high)
        });
        others && sections
    }
}
