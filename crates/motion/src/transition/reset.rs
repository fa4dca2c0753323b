//! Events of a model: the state jumps where its surface is crossed, whatever the jump, and every switch is then on the side of its new value.

use saltation_numerics::rounded::Rounded;

use super::automaton::Automaton;
use super::switch::ROUNDING;
use crate::ended::Ended;
use crate::event::EventKind;
use crate::mode::{Side, Sides};

/// So many jumps at one instant lead nowhere.
const MOST_AT_ONCE: usize = 100;

impl Automaton<'_> {
    /// The event that happens where the motion crosses the surface of a switch to a side: the first whose condition holds.
    ///
    /// # Errors
    /// A condition without a value.
    pub(super) fn reset_across(&mut self, switch: usize, to: Side) -> Result<Option<usize>, Ended> {
        let hybrid = &self.system.hybrid;
        for (reset, known) in hybrid.resets.iter().enumerate() {
            if known.switch != switch || !known.is_crossed(to) {
                continue;
            }
            let (_, condition) = self.hybrid.reset(hybrid, reset, &self.state);
            if condition.is_nan() {
                return Err(self.without_value("the condition", reset));
            }
            if condition > 0.0 {
                return Ok(Some(reset));
            }
        }
        Ok(None)
    }

    /// Events whose surfaces have been crossed at this instant happen, too: of these switches those that are on another side than when the motion `arrived`.
    ///
    /// # Errors
    /// As for [`Self::reset`].
    pub(crate) fn fire(&mut self, arrived: Sides, zero: &[usize]) -> Result<(), Ended> {
        match self.first_crossed(arrived, zero)? {
            Some(reset) => self.reset(reset, arrived),
            None => Ok(()),
        }
    }

    /// The event of the first of these switches that is on another side than when the motion arrived.
    fn first_crossed(&mut self, arrived: Sides, zero: &[usize]) -> Result<Option<usize>, Ended> {
        for &k in zero {
            let (from, to) = (arrived.of(k), self.sides.of(k));
            if from == to || from == Side::Sliding || to == Side::Sliding {
                continue;
            }
            if let Some(reset) = self.reset_across(k, to)? {
                return Ok(Some(reset));
            }
        }
        Ok(None)
    }

    /// The state jumps as an event says, and as those say whose surfaces it meets by that, or has crossed at the same instant; the motion `arrived` on these sides.
    ///
    /// # Errors
    /// A jump without a value, jumps without end, or no mode that obeys the field after it.
    pub(super) fn reset(&mut self, first: usize, arrived: Sides) -> Result<(), Ended> {
        // Crossings without jumps that accumulate lead to where surfaces meet, and from there the motion continues.
        if let Some(time) = self.tempo.count(self.time.value()) {
            return Err(Ended::Accumulated { time });
        }
        let mut fired = Vec::new();
        let mut next = Some(first);
        for _ in 0..MOST_AT_ONCE {
            let Some(reset) = next else { return Ok(()) };
            next = self.jump_once(reset, arrived, &mut fired)?;
        }
        Err(Ended::NoProgress)
    }

    /// One jump; the event that follows at the same instant, if there is one. `fired` are the switches whose events have happened.
    fn jump_once(&mut self, reset: usize, arrived: Sides, fired: &mut Vec<usize>) -> Result<Option<usize>, Ended> {
        let hybrid = &self.system.hybrid;
        let switch = hybrid.resets[reset].switch;
        let (after, _) = self.hybrid.reset(hybrid, reset, &self.state);
        self.after.copy_from_slice(after);
        if !self.after.iter().all(|x| x.is_finite()) {
            return Err(self.without_value("the jump", reset));
        }
        for (state, values) in &self.values {
            let value = self.after[*state];
            if !values.contains(&value) {
                return Err(Ended::NotAValue { state: *state, value });
            }
        }
        fired.push(switch);
        let met: Vec<usize> = self.zero_surfaces().into_iter().chain([switch]).collect();
        let before = self.hybrid.functions(hybrid, &self.state).to_vec();
        self.forget_sequences();
        let event = self.queue.push(EventKind::Reset, self.time.value(), &self.state);
        event.after.copy_from_slice(&self.after);
        (event.reset, event.switch) = (Some(reset), Some(switch));
        event.cause = self.cause;
        self.jump_sections();
        self.vary_reset(reset);
        self.state.copy_from_slice(&self.after);
        self.departures.forget();
        self.departures.bounced = None;
        let mut zero = self.place_sides();
        // A switch that was zero, by definition or to within rounding, and that the jump does not change is zero.
        let same =
            self.hybrid.functions(hybrid, &self.state).iter().zip(&before).map(|(after, before)| after == before);
        let same: Vec<bool> = same.collect();
        zero.extend(met.iter().copied().filter(|&k| same[k] && !zero.contains(&k)).collect::<Vec<_>>());
        zero.sort_unstable();
        match zero.is_empty() {
            true => self.enter_mode(self.closed()),
            false => self.decide_sides(&zero, None)?,
        }
        self.decide_closed_anew(&zero)?;

        // A surface that is newly met counts as crossed to the side to which the motion leaves it.
        for &k in zero.iter().filter(|k| !met.contains(k)) {
            let side = self.sides.of(k);
            if side != Side::Sliding
                && let Some(next) = self.reset_across(k, side)?
            {
                return Ok(Some(next));
            }
        }
        let crossed: Vec<usize> = met.into_iter().filter(|k| !fired.contains(k)).collect();
        self.first_crossed(arrived, &crossed)
    }

    /// The switches that are zero at the present state.
    pub(super) fn zero_surfaces(&mut self) -> Vec<usize> {
        let data: Vec<Rounded> = self.state.iter().map(|&x| Rounded::new(x)).collect();
        let values = self.sized.functions(&self.system.hybrid, &data).iter().enumerate();
        values.filter(|(_, s)| !s.exceeds(ROUNDING)).map(|(k, _)| k).collect()
    }

    /// The switches with events at whose surfaces the state is.
    pub(crate) fn met_events(&mut self) -> Vec<usize> {
        let resets = &self.system.hybrid.resets;
        if resets.is_empty() {
            return Vec::new();
        }
        let mut met = self.zero_surfaces();
        met.retain(|k| resets.iter().any(|reset| reset.switch == *k));
        met
    }

    /// Why an event has no value.
    fn without_value(&self, what: &str, reset: usize) -> Ended {
        let model = self.system.model();
        let known = &model.resets[reset];
        let value = super::diagnose::symbol_values(model, &self.state, &self.parameters);
        let formulas = known.condition.iter().chain(&known.after);
        let part = formulas.into_iter().find_map(|&node| model.graph.first_undefined(node, &value));
        Ended::NotFinite {
            quantity: format!("{what} of event {}", known.name),
            formula: part.map_or_else(String::new, |part| model.graph.print(part)),
        }
    }
}
