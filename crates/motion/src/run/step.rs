//! One step of a motion: what the flow offers, up to the first event on it, and the transition that follows.

use super::motion::Motion;
use super::stiffness;
use crate::ended::Ended;
use crate::event::EventKind;
use crate::flow::linear::Landing;
use crate::locate::cause::{Cause, Mark};
use crate::locate::first_event::{Found, Locator, Segment, Unlocated};
use crate::mode::{Bound, ClosedSet, Limit};
use crate::time::Time;
use crate::trajectory::horner;
use crate::transition::automaton::{Automaton, Joint, Known};
use crate::transition::zero::SEEN;

/// What a flow offers from the present state on.
#[derive(Debug, Clone, Copy)]
pub(super) enum Offer {
    /// The polynomials in the jet of the mode serve a step of this length.
    Series(f64, Flow),
    /// Cells of the grid of an exact flow, from this one on, on which certainly nothing happens.
    Quiet(usize, Landing),
    /// The speed with which a contact was just left is nothing but rounding.
    Spent(usize),
    /// Slip is about to lose its finite forces.
    Singular,
    /// Roots are zero at rest here, as far as times are numbers.
    AtRest,
    /// A root stays at zero or leaves.
    Open,
    /// No step can be made.
    Nothing,
}

/// A step of this part of the longest one that was asked for is as long as it may be.
const ASKED: f64 = 0.999;

/// Where the polynomials of a step come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Flow {
    /// A Taylor series.
    Taylor,
    /// A Taylor series that ends and puts no bound on the step.
    Boundless,
    /// A Taylor series at whose end roots come to zero at rest.
    Rest,
    /// A Taylor series of the motion and of a root that leaves zero with it.
    Leaving,
    /// A series in the square root of time, whose terms of first order in time are kept.
    Root,
    /// The exact flow of a linear mode.
    Exact,
}

impl Motion<'_> {
    /// One step, up to the first event on it. Whether time or state moved; if not, something else was decided.
    ///
    /// # Errors
    /// How the motion ends where it has not moved. What ends it after a step is in `self.ended`.
    pub(super) fn step(&mut self) -> Result<bool, Ended> {
        let automaton = &mut self.automaton;
        if let Some(completion) = automaton.accumulating.completion.take() {
            let arrived = automaton.now.sides;
            let result = automaton.complete_sequence(completion);
            let passed = automaton.switches_with_events();
            let result = result.and_then(|()| automaton.fire_reached(&passed, arrived));
            return self.moved(result);
        }
        let start = automaton.now.time;
        let remaining = start.until(automaton.settings.until);
        if remaining <= 0.0 {
            return Err(Ended::ReachedTime);
        }
        automaton.turn_backwards()?;
        automaton.settle_pieces()?;
        let offer = match automaton.modes.now().linear {
            Some(_) => self.exact_offer(start, remaining),
            None => self.taylor_offer(start, remaining),
        };
        let offer = self.within_pieces(offer);
        match offer {
            Offer::Series(length, flow) => self.follow((start, remaining), length, flow),
            Offer::Quiet(cell, landing) => self.pass_quiet_cells(start, cell, landing),
            Offer::Spent(contact) => {
                self.automaton.departures.bounced = None;
                self.automaton.touch_down(contact).map(|()| false)
            }
            Offer::Singular => self.approach(),
            Offer::AtRest => {
                self.automaton.stay()?;
                let rests = !self.automaton.modes.now().without.is_empty();
                if rests { Ok(false) } else { Err(self.automaton.diagnose()) }
            }
            Offer::Open => {
                let several = self.automaton.several_motions();
                Err(several.unwrap_or_else(|| self.automaton.diagnose()))
            }
            Offer::Nothing => Err(self.automaton.diagnose()),
        }
    }

    /// A step was made; what follows it may end the motion.
    pub(super) fn moved(&mut self, result: Result<(), Ended>) -> Result<bool, Ended> {
        self.ended = result.err();
        Ok(true)
    }

    /// Takes the way to a singular point of slip.
    fn approach(&mut self) -> Result<bool, Ended> {
        let before = self.automaton.now.time.value();
        match self.automaton.approach() {
            Err(ended) if self.automaton.now.time.value() == before => Err(ended),
            result => self.moved(result),
        }
    }

    /// What is offered, up to where the argument of a table reaches the end of its piece.
    fn within_pieces(&mut self, offer: Offer) -> Offer {
        let Offer::Series(length, flow) = offer else { return offer };
        let within = self.automaton.until_knot(length);
        let flow = if within < length && matches!(flow, Flow::Boundless | Flow::Rest) { Flow::Taylor } else { flow };
        Offer::Series(within, flow)
    }

    /// Follows the polynomials of a step that could have this length up to the first event.
    fn follow(&mut self, (start, remaining): (Time, f64), length: f64, flow: Flow) -> Result<bool, Ended> {
        let automaton = &mut self.automaton;
        let unbounded = length.is_infinite();
        let mut length = length;
        if matches!(flow, Flow::Boundless | Flow::Taylor) {
            // It may hold any number of passages of a periodic section: they are taken some at a time.
            let Automaton { sections, system, modes, .. } = &*automaton;
            let mode = modes.now();
            let offered = (length, flow == Flow::Boundless);
            let resolved = sections.resolved_length(system, (mode.tape(), &mode.series.jet), offered, remaining);
            length = resolved.map_err(|section| Ended::CrowdedSection { section })?;
        }
        let by_time = matches!(flow, Flow::Taylor | Flow::Boundless | Flow::Rest);
        let found = match self.locate(start, length, flow) {
            // Forces leave the range of numbers before states do.
            Err(Ended::NotFinite { .. }) if by_time && self.automaton.modes.now().fails_near_singular() => {
                return self.approach();
            }
            found => found?,
        };
        let found = if flow == Flow::Rest { self.automaton.touching(found, length) } else { found };
        let quiet = found.cause == Cause::None && !self.automaton.queue.has_news();
        if flow == Flow::Boundless && unbounded && quiet && found.end == length {
            return Err(Ended::NeverReturns);
        }
        let mut result = self.conclude(start, found, remaining, flow, None);
        if flow == Flow::Rest && found.end == length && found.cause == Cause::None {
            result = result.and_then(|()| self.automaton.rest_roots(length));
        }
        match (by_time, quiet) {
            (true, true) => result = result.and(self.keep_pace(found.end)),
            (true, false) => self.pace.restart(self.automaton.now.time.value()),
            (false, _) => {}
        }
        self.moved(result)
    }

    /// Finds the first event on a step that could have this length, and reports what happens before it.
    ///
    /// # Errors
    /// Why nothing can be said of the step.
    fn locate(&mut self, start: Time, length: f64, flow: Flow) -> Result<Found, Ended> {
        let automaton = &mut self.automaton;
        automaton.require_outside(start, length)?;
        automaton.measure_rounding(length);
        let (mut looked_at, mut longer) = (length, None);
        let found = loop {
            let found = Self::located(&mut self.locator, automaton, start, looked_at, flow)?;
            // Where the beginning is too short to tell, what was found on more of the step stands.
            if let (Cause::None, Some(longer)) = (found.cause, longer) {
                automaton.measure_rounding(longer);
                break Self::located(&mut self.locator, automaton, start, longer, flow)?;
            }
            // What is rounding at the end of a long step hides what is small before it.
            let near = 2.0 * found.end;
            if near == 0.0 || near >= 0.5 * looked_at || !automaton.rounds_less(near) {
                break found;
            }
            (looked_at, longer) = (near, Some(looked_at));
        };
        for miss in self.locator.misses(found) {
            self.misses.count += 1;
            if miss.gap < self.misses.smallest {
                self.misses.smallest = miss.gap;
                self.misses.contact = miss.contact;
                self.misses.time = start.value() + miss.at;
            }
        }
        automaton.departures.closing.copy_from_slice(&self.locator.closing);
        if !(automaton.located.together.is_empty() && self.locator.together.is_empty()) {
            automaton.located.together.clone_from(&self.locator.together);
        }
        for &(at, mark) in &self.locator.marks {
            automaton.report_mark(start.plus(at).value(), at, mark);
        }
        // The last return ends the step when the state is there, or at once where something else happens in the same instant.
        automaton.sections.returned = found.returned && found.cause != Cause::Return;
        Ok(found)
    }

    /// The first event on the beginning of a step, of this length.
    ///
    /// # Errors
    /// Why nothing can be said of it.
    fn located(
        locator: &mut Locator,
        automaton: &mut Automaton,
        start: Time,
        length: f64,
        flow: Flow,
    ) -> Result<Found, Ended> {
        // Where the phase wraps what happens is seen there.
        let last = length == start.until(automaton.settings.until) && length < automaton.until_wrap();
        let Automaton {
            system,
            modes,
            departures,
            sections,
            settings,
            joint: Joint { locked, .. },
            known: Known { rounding, .. },
            ..
        } = &*automaton;
        let segment = Segment {
            system,
            mode: modes.now(),
            departures,
            sections,
            locked,
            start: start.value(),
            length,
            last,
            tolerance: settings.tolerance,
            rounding,
            truncation: if matches!(flow, Flow::Taylor | Flow::Rest | Flow::Leaving | Flow::Root) {
                settings.tolerance
            } else {
                0.0
            },
        };
        locator.first_event(&segment).map_err(|reason| match reason {
            Unlocated::Undefined { output } => automaton.diagnose_output(output),
            Unlocated::Crowded { section } => Ended::CrowdedSection { section },
        })
    }

    /// Ends a step with what caused its end, at a state that is known or is that of the polynomials there.
    pub(super) fn conclude(
        &mut self,
        start: Time,
        found: Found,
        remaining: f64,
        flow: Flow,
        known: Option<&[f64]>,
    ) -> Result<(), Ended> {
        let automaton = &mut self.automaton;
        let Found { end: length, cause, .. } = found;
        let jumped = automaton.commit(start, (length, remaining), cause, flow, known)?;
        // Where formulas have jumped a force is not at the limit to which it came before.
        let cause = match cause {
            Cause::Release { .. } | Cause::Limit(Limit { kind: Bound::Cone(_) | Bound::Force, .. }) if jumped => {
                Cause::None
            }
            cause => cause,
        };
        if cause != Cause::None {
            // A jump may turn a gap; minima that were counted stay counted.
            let closing = automaton.departures.closing.iter_mut();
            closing.filter(|closing| **closing == Some(true)).for_each(|closing| *closing = None);
        }
        // Where a contact changes, a switch may be crossed at the same instant; a crossing of its own sees to the others itself.
        let of_contact = match cause {
            Cause::None => false,
            Cause::Limit(limit) => ClosedSet::switch(limit.contact).is_none(),
            _ => true,
        };
        let met = if of_contact { automaton.met_events() } else { Vec::new() };
        let arrived = automaton.now.sides;
        automaton.make_transition(cause)?;
        // Where the rest of a sequence of impacts is taken at once, its end is where contacts have changed.
        if automaton.accumulating.completion.is_some() { Ok(()) } else { automaton.fire_reached(&met, arrived) }
    }

    /// Counts a step without an event, whose jet the mode has; ends the trajectory if it is too stiff.
    pub(super) fn keep_pace(&mut self, length: f64) -> Result<(), Ended> {
        let automaton = &self.automaton;
        let times = (automaton.now.time.value(), automaton.settings.until);
        // Steps that were asked to be short say nothing of the model.
        if length >= ASKED * automaton.settings.longest_step {
            self.pace.restart(times.0);
            return Ok(());
        }
        let states = (automaton.modes.now(), &automaton.known.extent.widest[..]);
        if !self.pace.is_stiff(states, times, length) {
            return Ok(());
        }
        let (quantity, formula) = stiffness::steepest(automaton.system, &automaton.now.state, &automaton.parameters);
        Err(Ended::Stiff { quantity, formula, step: length })
    }
}

impl Automaton<'_> {
    /// Why the motion ends if a step of this length begins inside an obstacle.
    fn require_outside(&mut self, start: Time, length: f64) -> Result<(), Ended> {
        let contacts = self.system.contact_names.len();
        self.known.extent.include_state(&self.now.state);
        for contact in 0..contacts {
            // What others hold stays where it is.
            let held = self.closed().contains(contact) || self.departures.is_still(contact);
            if held || self.departures.knows(contact) {
                continue;
            }
            let output = self.system.gap_output(contact);
            let past = self.accumulating.low_rebounds.flight(contact, start).min(start.value());
            let mode = self.modes.now_mut();
            let point = (&self.parameters[..], &self.now.state[..]);
            if let Some(gap) = self.known.extent.penetrates(mode, (contact, output), point, (length, past)) {
                return Err(Ended::Penetrated { contact, gap });
            }
        }
        Ok(())
    }

    /// Reports something on a step that does not end it, `at` being its place and `time` the time there.
    fn report_mark(&mut self, time: f64, at: f64, mark: Mark) {
        let mut point = std::mem::take(&mut self.room.point);
        let mode = self.modes.now();
        point.clear();
        point.extend((0..self.now.state.len()).map(|i| horner(mode.state(i), at)));
        let reported = self.queue.waiting().count();
        match mark {
            Mark::Graze { contact } => self.queue.push(EventKind::Graze, time, &point).contact = Some(contact),
            Mark::Section { section, rising } => {
                self.sections.places[section].cell += if rising { 1.0 } else { -1.0 };
                self.pass(section, rising, time, &point);
            }
        }
        if self.queue.waiting().count() > reported {
            self.vary_mark(if let Mark::Section { section, .. } = mark { Some(section) } else { None }, at);
        }
        self.room.point = point;
    }

    /// Whether an output of the present mode and its first two derivatives are no more than rounding at the present state.
    pub(super) fn is_rounding(&mut self, output: usize) -> bool {
        let data = self.recent_data();
        let series = self.modes.now_mut().expand_sized(&self.parameters, &data, SEEN);
        series.output(output)[..=SEEN].iter().all(|c| c.is_rounding())
    }

    /// Moves time and state to the end of a step, which is known or along its polynomials.
    fn commit(
        &mut self,
        start: Time,
        (length, remaining): (f64, f64),
        cause: Cause,
        flow: Flow,
        known: Option<&[f64]>,
    ) -> Result<bool, Ended> {
        if self.varies() {
            let landing = match cause {
                Cause::Impact { contact, .. } => Some((self.system.gap_output(contact), Some(contact))),
                Cause::Release { contact } => {
                    let k = self.closed().iter().take_while(|&c| c != contact).count();
                    Some((self.system.force_output(k), None))
                }
                Cause::Limit(limit) => Some((limit.output, None)),
                Cause::None | Cause::Return | Cause::Together | Cause::Coefficient { .. } => None,
            };
            // A force that is rounding all along falls to zero at no time that neighbours would share, and its release changes nothing.
            let released = landing.filter(|_| matches!(cause, Cause::Release { .. } | Cause::Limit(_)));
            let landing = landing.filter(|_| !released.is_some_and(|(output, _)| self.is_rounding(output)));
            match flow {
                Flow::Root => self.vary_departure(length, landing),
                Flow::Leaving => self.lose_derivatives(),
                _ => self.vary_flow(length, self.modes.now().order(), landing),
            }
        }
        if length > 0.0 {
            let crosses = matches!(cause, Cause::Limit(limit) if ClosedSet::switch(limit.contact).is_some());
            self.remember_sizes(length, crosses);
            self.departures.carry(self.system, self.modes.now(), length, cause, &self.located.together);
        }
        let mode = self.modes.now();
        if let Cause::Limit(limit) = cause
            && ClosedSet::switch(limit.contact).is_some()
        {
            self.known.extent.include_step(mode, length);
        }
        let linear = mode.linear.as_ref().zip(self.system.phase);
        if let Some(end) = known {
            self.now.state.copy_from_slice(end);
        }
        let along = if known.is_none() { &mut self.now.state[..] } else { &mut [] };
        for (i, x) in along.iter_mut().enumerate() {
            let row = mode.state(i);
            *x = match linear {
                // The phase moves at a constant rate.
                Some((linear, phase)) if phase == i => linear.exact.snapped(row[0] + length * row[1]),
                _ => horner(row, length),
            };
        }
        if linear.is_none() {
            self.snap_phase();
        }
        let end = if length == remaining { Time::at(self.settings.until) } else { start.plus(length) };
        self.arrive((start, end), length)
    }

    /// The transition that the end of a step causes.
    fn make_transition(&mut self, cause: Cause) -> Result<(), Ended> {
        self.located.cause = match cause {
            Cause::Release { contact } => Some((contact, Bound::Force)),
            Cause::Limit(limit) => Some((limit.contact, limit.kind)),
            _ => None,
        };
        if self.located.cause.is_some() {
            self.know_kept();
        }
        let result = match cause {
            Cause::None => Ok(()),
            Cause::Return => {
                self.sections.returned = true;
                Ok(())
            }
            Cause::Impact { contact, graze } => self.impact(contact, graze),
            Cause::Release { contact } => self.unload(contact),
            Cause::Limit(Limit { contact, kind, .. }) if ClosedSet::switch(contact).is_some() => {
                self.cross(contact, kind)
            }
            Cause::Limit(Limit { contact, kind: Bound::Speed, .. }) => self.halt(contact),
            Cause::Limit(Limit { contact, kind: Bound::Cone(slip), .. }) => self.slide(contact, slip),
            // Normal forces are located as releases.
            Cause::Limit(Limit { contact, kind: Bound::Force | Bound::Surface, .. }) => self.unload(contact),
            Cause::Coefficient { contact, output } => {
                let mode = self.modes.now();
                let coefficient = horner(mode.output(output), self.flow.last_step.length);
                Err(Ended::friction(contact, coefficient))
            }
            Cause::Together => Err(Ended::ContactsTogether { contacts: self.located.together.clone() }),
        };
        self.settle_events();
        result
    }
}
