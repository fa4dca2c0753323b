//! What Taylor's method offers: a series of the order and length that the tolerance asks for, as long as it is expected to serve.

use super::motion::Motion;
use super::step::{Flow, Offer};
use crate::flow::taylor::{PREVIEW_ORDER, Reach, ShortFlight};
use crate::mode::expansion::Expansion;
use crate::time::Time;
use crate::transition::automaton::{Automaton, Flows, Instant, Known};
use crate::transition::still::Stillness;

/// Steps shorter than this, relative to the time, do not advance it.
pub(super) const COLLAPSE: f64 = 1e-14;
/// A flight is expanded for so many times the length that its speed and acceleration promise.
pub(super) const LONGER: f64 = 1.5;

impl Motion<'_> {
    /// A step by a Taylor series.
    pub(super) fn taylor_offer(&mut self, start: Time, remaining: f64) -> Offer {
        let quiet = self.pace.quiet();
        self.automaton.keep_still();
        let judged = self.prepared_series();
        let Automaton {
            modes, parameters, departures, now: Instant { state, .. }, known: Known { extent, .. }, ..
        } = &mut self.automaton;
        let mode = modes.now_mut();
        if judged.is_none() {
            mode.begin(state, PREVIEW_ORDER);
        }
        let finite = (0..state.len()).all(|i| mode.state(i)[PREVIEW_ORDER].is_finite());
        let roots = match mode.has_roots && !(finite && departures.vanishing.is_empty()) {
            true => mode.roots_at_zero(parameters, state, &extent.widest),
            false => Vec::new(),
        };
        if !roots.is_empty() {
            match self.automaton.enter_still() {
                Stillness::Stays => return self.taylor_offer(start, remaining),
                Stillness::Open => return Offer::Open,
                Stillness::Moves => {}
            }
        }
        let Automaton {
            system,
            modes,
            parameters,
            settings,
            departures,
            now: Instant { state, .. },
            flow: Flows { taylor, .. },
            ..
        } = &mut self.automaton;
        let mode = modes.now_mut();
        if !(finite && roots.is_empty()) {
            // There is no series in time.
            let wanted = remaining.min(settings.longest_step);
            if let Some(length) = mode.leave_rest(taylor, (parameters, state), &roots, wanted) {
                return Offer::Series(length, Flow::Leaving);
            }
            let Expansion { tape, slots, jet } = &mut mode.series;
            let formulas = (&**tape, &slots[..], &mode.watched[..]);
            let length = taylor.depart(formulas, (jet, &mut mode.probe, &mut mode.remainder), (wanted, &roots));
            return match length {
                Some(length) => Offer::Series(length, Flow::Root),
                None if mode.fails_near_singular() => Offer::Singular,
                None => Offer::Nothing,
            };
        }
        if mode.is_near_singular() {
            return Offer::Singular;
        }
        let mut short = None;
        if let Some(contact) = departures.bounced {
            let gap = mode.output(system.gap_output(contact));
            let (speed, acceleration) = (gap[1], 2.0 * gap[2]);
            if speed <= 0.0 {
                return Offer::Spent(contact);
            }
            departures.expected_flight = 0.0;
            if acceleration < 0.0 {
                departures.expected_flight = -2.0 * speed / acceleration;
                let length = LONGER * departures.expected_flight;
                short = Some(ShortFlight { gap: system.gap_output(contact), length });
            }
        }
        let wanted = remaining.min(self.automaton.until_wrap()).min(self.automaton.until_steady_knot());
        let Automaton {
            modes,
            parameters,
            settings,
            now: Instant { state, .. },
            flow: Flows { taylor, .. },
            known: Known { extent, .. },
            ..
        } = &mut self.automaton;
        let mode = modes.now_mut();
        let Expansion { tape, slots, jet } = &mut mode.series;
        let formulas = (&**tape, &slots[..], &mode.watched[..]);
        let Reach { length, boundless } =
            taylor.complete(formulas, (jet, &mut mode.remainder), (wanted, quiet), short, judged);
        if mode.has_roots {
            if let Some(length) =
                mode.rest_ahead(taylor, parameters, (length, wanted.min(settings.longest_step), &extent.widest))
            {
                return Offer::Series(length, Flow::Rest);
            }
            if let Some(length) = mode.arrival(taylor, (length, start.value().abs()), &extent.widest) {
                return Offer::Series(length.min(wanted), Flow::Taylor);
            }
        }
        let order = mode.order();
        let finite = (0..state.len()).all(|i| mode.state(i)[order].is_finite());
        // Steps that the series allows, not an event, are this short only next to a singularity. From that of a root they grow.
        let collapsed = !boundless
            && short.is_none()
            && length < wanted.min(settings.longest_step)
            && length <= COLLAPSE * start.value().abs()
            && !mode.has_left_root(length);
        let serves = finite && length > 0.0 && !collapsed;
        if !serves && self.automaton.has_come_to_rest() {
            return Offer::AtRest;
        }
        let mode = self.automaton.modes.now();
        match (serves, boundless) {
            (true, false) => Offer::Series(length, Flow::Taylor),
            (true, true) => Offer::Series(length, Flow::Boundless),
            (false, _) if mode.fails_near_singular() => Offer::Singular,
            (false, _) => Offer::Nothing,
        }
    }
}
