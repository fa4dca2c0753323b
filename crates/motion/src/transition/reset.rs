//! Events of a model: the state jumps where its surface is crossed, whatever the jump, and every switch is then on the side of its new value. A jump that puts the state
//! beyond the surface of another event has crossed that surface, and the other event follows at once, as neurons that are coupled by pulses fire together (Mirollo and
//! Strogatz, *SIAM J. Appl. Math.* 50, 1990).

use std::collections::VecDeque;

use super::automaton::Automaton;
use crate::ended::Ended;
use crate::event::EventKind;
use crate::mode::{ClosedSet, Side, Sides};

/// So many jumps at one instant lead nowhere.
const MOST_AT_ONCE: usize = 100;

/// What has happened, and is to happen, at one instant.
#[derive(Debug, Default)]
struct Instant {
    /// Switches whose events have happened.
    fired: Vec<usize>,
    /// Switches at whose surfaces the state has been before one of the jumps.
    met: Vec<usize>,
    /// Events of surfaces that have been crossed, those of one crossing together.
    waiting: VecDeque<Crossing>,
}

/// The events of a surface that is crossed to a side.
#[derive(Debug)]
pub(super) struct Crossing {
    to: Side,
    resets: Vec<usize>,
    /// Whether the state is beyond the surface, where a jump has put it; else it is on it.
    beyond: bool,
}

impl Automaton<'_> {
    /// The events that happen where the motion crosses the surface of a switch to a side: all whose conditions hold there.
    ///
    /// # Errors
    /// A condition without a value.
    pub(super) fn resets_across(&mut self, switch: usize, to: Side) -> Result<Option<Crossing>, Ended> {
        if self.has_fired(switch) {
            return Ok(None);
        }
        let hybrid = &self.system.hybrid;
        let mut resets = Vec::new();
        for (reset, known) in hybrid.resets.iter().enumerate() {
            if known.switch != switch || !known.is_crossed(to) {
                continue;
            }
            let (_, condition) = self.bound.hybrid.reset(hybrid, reset, &self.now.state);
            if condition.is_nan() {
                return Err(self.without_value("the condition", reset));
            }
            if condition > 0.0 {
                resets.push(reset);
            }
        }
        Ok((!resets.is_empty()).then_some(Crossing { to, resets, beyond: false }))
    }

    /// Whether the events of a switch have happened at this instant, and its function has been zero since then. An impact that reverses their jump in the same instant does not set
    /// them off again: the surface is crossed once.
    fn has_fired(&mut self, switch: usize) -> bool {
        let (instant, fired) = &self.located.fired;
        let now = instant.is_some_and(|instant| self.now.time.since(instant) == 0.0);
        now && fired.contains(&switch)
    }

    /// The events of a switch have happened; these switches are zero after their jumps.
    fn remember_fired(&mut self, switch: usize, zero: &[usize]) {
        let now = self.now.time;
        let (instant, fired) = &mut self.located.fired;
        if instant.replace(now).is_none_or(|instant| now.since(instant) != 0.0) {
            fired.clear();
        }
        fired.push(switch);
        fired.retain(|k| zero.contains(k));
    }

    /// Events whose surfaces have been crossed at this instant happen, too: of these switches those that are on another side than when the motion `arrived`.
    ///
    /// # Errors
    /// As for [`Self::reset`].
    pub(crate) fn fire(&mut self, arrived: Sides, zero: &[usize]) -> Result<(), Ended> {
        self.first_crossed(arrived, zero)?.map_or(Ok(()), |crossing| self.happen(crossing, arrived))
    }

    /// The events of a crossing happen, unless crossings accumulate.
    fn happen(&mut self, crossing: Crossing, arrived: Sides) -> Result<(), Ended> {
        if let Some(time) = self.accumulating.tempo.nears() {
            return Err(Ended::Accumulated { time });
        }
        self.reset(crossing, arrived)
    }

    /// The events of the first of these switches that is on another side than when the motion arrived.
    fn first_crossed(&mut self, arrived: Sides, zero: &[usize]) -> Result<Option<Crossing>, Ended> {
        for &k in zero {
            let (from, to) = (arrived.of(k), self.now.sides.of(k));
            if from == to || from == Side::Sliding || to == Side::Sliding {
                continue;
            }
            let crossed = self.resets_across(k, to)?;
            if crossed.is_some() {
                return Ok(crossed);
            }
        }
        Ok(None)
    }

    /// The state jumps as the events of a crossing say, and as those say whose surfaces it meets by that, or has crossed at the same instant; the motion `arrived` on these sides.
    ///
    /// # Errors
    /// A jump without a value, jumps without end, no mode that obeys the field after it, or an event that ends the trajectory.
    pub(super) fn reset(&mut self, first: Crossing, arrived: Sides) -> Result<(), Ended> {
        // Crossings without jumps that accumulate lead to where surfaces meet, and from there the motion continues.
        if let Some(time) = self.accumulating.tempo.count(self.now.time.value()) {
            return Err(Ended::Accumulated { time });
        }
        let mut instant = Instant { waiting: VecDeque::from([first]), ..Instant::default() };
        for _ in 0..MOST_AT_ONCE {
            let Some(crossing) = instant.waiting.pop_front() else { return Ok(()) };
            self.jump_once(&crossing, arrived, &mut instant)?;
        }
        Err(Ended::NoProgress)
    }

    /// The jumps of one crossing, one after the other; the events that follow at the same instant wait.
    fn jump_once(&mut self, crossing: &Crossing, arrived: Sides, instant: &mut Instant) -> Result<(), Ended> {
        let hybrid = &self.system.hybrid;
        let switch = hybrid.resets[crossing.resets[0]].switch;
        instant.fired.push(switch);
        let own = (!crossing.beyond).then_some(switch);
        let here: Vec<usize> = self.zero_surfaces().into_iter().chain(own).collect();
        let sides = self.now.sides;
        instant.met.extend(here.iter().filter(|k| !instant.met.contains(k)).copied().collect::<Vec<_>>());
        let before = self.bound.hybrid.functions(hybrid, &self.now.state).to_vec();
        self.forget_sequences();
        let surfaces = self.closed_surfaces();
        for &reset in &crossing.resets {
            self.jump(reset)?;
        }
        if let Some(&event) = crossing.resets.iter().find(|&&reset| hybrid.resets[reset].stops) {
            self.place_sides();
            return Err(Ended::Event { event });
        }
        self.departures.forget();
        self.departures.bounced = None;
        let mut zero = self.place_sides();
        // A switch that was zero, by definition or to within rounding, and that the jumps do not change is zero.
        let same = self
            .bound
            .hybrid
            .functions(hybrid, &self.now.state)
            .iter()
            .zip(&before)
            .map(|(after, before)| after == before);
        let same: Vec<bool> = same.collect();
        zero.extend(here.iter().copied().filter(|&k| same[k] && !zero.contains(&k)).collect::<Vec<_>>());
        self.remember_fired(switch, &zero);
        // One that nothing feels and that is not moved from zero has been crossed, where its rate does not say otherwise.
        if !crossing.beyond && same[switch] && !hybrid.felt[switch] && self.side_ahead(switch).is_none() {
            if self.now.sides.of(switch) != crossing.to {
                self.report(EventKind::Switch, None).switch = Some(switch);
            }
            self.now.sides = self.now.sides.with(switch, crossing.to);
            zero.retain(|&k| k != switch);
        }
        zero.sort_unstable();
        zero.dedup();
        let towards = self.now.sides.with(switch, crossing.to);
        self.enter_mode(self.closed());
        self.decide_closed_after_jump(&zero, &surfaces, towards)?;

        // Surfaces beyond which the jumps have put the state.
        for k in self.switches_with_events() {
            let (from, to) = (sides.of(k), self.now.sides.of(k));
            let leapt = from != to && from != Side::Sliding && to != Side::Sliding && k != switch;
            if leapt && !here.contains(&k) && !zero.contains(&k) {
                let crossed = self.resets_across(k, to)?;
                instant.waiting.extend(crossed.map(|crossed| Crossing { beyond: true, ..crossed }));
            }
        }
        // A surface that is newly met counts as crossed to the side to which the motion leaves it.
        for &k in zero.iter().filter(|k| !instant.met.contains(k)) {
            let side = self.now.sides.of(k);
            if side != Side::Sliding {
                instant.waiting.extend(self.resets_across(k, side)?);
            }
        }
        if instant.waiting.is_empty() {
            let left: Vec<usize> = instant.met.iter().copied().filter(|k| !instant.fired.contains(k)).collect();
            instant.waiting.extend(self.first_crossed(arrived, &left)?);
        }
        Ok(())
    }

    /// The side to which the function of a switch goes with its rate, in the present mode on a side of it; `None` where that is rounding. What slides along a position and its rate has put the rates of other positions to its own: after a jump the state may be elsewhere, and they are asked on a side of it.
    pub(crate) fn side_ahead(&mut self, switch: usize) -> Option<Side> {
        let (sides, closed, redundant) = (self.now.sides, self.closed(), self.modes.now().redundant.clone());
        let holds = |k: usize| k == switch || self.system.hybrid.second[k];
        let free = sides.sliding().filter(|&k| holds(k)).fold(sides, |free, k| free.with(k, Side::Positive));
        if free != sides {
            self.now.sides = free;
            self.enter_mode_without(closed, redundant.clone());
        }
        let element = ClosedSet::element(switch);
        let limit = self.modes.now().limits.iter().find(|limit| limit.contact == element).copied();
        let (recent, widest) = (self.recent_data(), self.widest_data());
        let rate = limit.and_then(|limit| self.clear_rate(limit.output, [&recent, &widest]));
        if free != sides {
            self.now.sides = sides;
            self.enter_mode_without(closed, redundant);
        }
        // On a side its own function is positive.
        rate.and_then(|rate| free.of(switch).sign().map(|sign| Side::of(sign * rate)))
    }

    /// The jump of one event.
    fn jump(&mut self, reset: usize) -> Result<(), Ended> {
        let hybrid = &self.system.hybrid;
        let (after, _) = self.bound.hybrid.reset(hybrid, reset, &self.now.state);
        self.room.after.copy_from_slice(after);
        if !self.room.after.iter().all(|x| x.is_finite()) {
            return Err(self.without_value("the jump", reset));
        }
        for (state, values) in &self.bound.values {
            let value = self.room.after[*state];
            if !values.contains(&value) {
                return Err(Ended::NotAValue { state: *state, value });
            }
        }
        let event = self.queue.push(EventKind::Reset, self.now.time.value(), &self.now.state);
        event.after.copy_from_slice(&self.room.after);
        (event.reset, event.switch) = (Some(reset), Some(hybrid.resets[reset].switch));
        event.cause = self.located.cause;
        self.jump_sections();
        self.vary_reset(reset);
        self.now.state.copy_from_slice(&self.room.after);
        Ok(())
    }

    /// Contacts have changed where the functions of some switches with events are zero, or have become so on the way there: those that are crossed by that happen.
    ///
    /// # Errors
    /// As for [`Self::reset`].
    pub(crate) fn fire_reached(&mut self, met: &[usize], arrived: Sides) -> Result<(), Ended> {
        if met.is_empty() {
            return Ok(());
        }
        let zero = self.zero_surfaces();
        let zero: Vec<usize> = met.iter().copied().filter(|k| zero.contains(k)).collect();
        self.decide_unfelt(&zero, arrived)?;
        if let Some(crossing) = self.first_crossed(arrived, met)? {
            // An impact may have put the state beyond the surface.
            let beyond = !zero.contains(&self.system.hybrid.resets[crossing.resets[0]].switch);
            self.happen(Crossing { beyond, ..crossing }, arrived)?;
        }
        self.settle_events();
        Ok(())
    }

    /// The switches with events.
    pub(crate) fn switches_with_events(&self) -> Vec<usize> {
        let mut switches: Vec<usize> = self.system.hybrid.resets.iter().map(|reset| reset.switch).collect();
        switches.sort_unstable();
        switches.dedup();
        switches
    }

    /// The switches with events at whose surfaces the state is.
    pub(crate) fn met_events(&mut self) -> Vec<usize> {
        let switches = self.switches_with_events();
        if switches.is_empty() {
            return switches;
        }
        let mut met = self.zero_surfaces();
        met.retain(|k| switches.contains(k));
        met
    }

    /// Why an event has no value.
    fn without_value(&self, what: &str, reset: usize) -> Ended {
        let model = self.system.model();
        let known = &model.resets[reset];
        let value = super::diagnose::symbol_values(model, &self.now.state, &self.parameters);
        let formulas = known.condition.iter().chain(&known.after);
        let part = formulas.into_iter().find_map(|&node| model.graph.first_undefined(node, &value));
        Ended::NotFinite {
            quantity: format!("{what} of event {}", known.name),
            formula: part.map_or_else(String::new, |part| model.graph.print(part)),
        }
    }
}
