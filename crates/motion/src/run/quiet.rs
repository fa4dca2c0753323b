//! Steps of motions side by side on which certainly nothing happens: they go to their ends without polynomials of their own.
//!
//! Nothing happens on a step if no section can be reached on it, and no gap can close or turn: what the terms of a series add up to in size is a bound of how far it goes from
//! its value, and of how far its slope goes from its first one. Where such a bound does not suffice the polynomials are looked at, as they are for every motion alone: the end of
//! the step has the same bits.

use saltation_expr::{SideBySide, Tape};
use saltation_numerics::lanes::Lanes;
use saltation_numerics::number::{Number, Real};
use saltation_numerics::polynomial;
use saltation_numerics::vectors::{Loop, Unit};

use super::motion::Motion;
use super::step::Flow;
use crate::ended::Ended;
use crate::flow::arrival::{self, MARGIN};
use crate::locate::cause::Cause;
use crate::locate::first_event::Found;
use crate::mode::bound::BoundMode;
use crate::settings::Settings;
use crate::system::System;
use crate::time::Time;
use crate::transition::automaton::Automaton;

/// What the series of motions side by side say of the ends of their steps, each on a step of its own length.
#[derive(Debug, Clone, Default)]
pub(super) struct Ahead {
    /// The states at the end.
    states: Vec<Lanes<2>>,
    /// How far the gap of every contact goes, and its slope.
    gaps: Vec<[Lanes<2>; 2]>,
    /// How far the value of every section goes.
    sections: Vec<Lanes<2>>,
}

/// A step on which nothing happens.
#[derive(Debug, Clone, Default)]
pub(crate) struct Quiet {
    /// The length of the step; zero if there is none.
    pub length: f64,
    /// The state at its end.
    end: Vec<f64>,
    /// The gap of every contact at its start, and whether it closes.
    gaps: Vec<(f64, bool)>,
}

impl Ahead {
    /// Looks at the ends of steps in a mode.
    pub(super) fn look(&mut self, (system, tape): (&System, &Tape), series: &SideBySide, lengths: Lanes<2>) {
        self.states.resize(tape.states(), Lanes::ZERO);
        self.gaps.resize(system.contact_names.len(), [Lanes::ZERO; 2]);
        self.sections.resize(system.sections.len(), Lanes::ZERO);
        series.vectors().run_wide(Look { ahead: self, system, tape, series, lengths });
    }
}

struct Look<'a> {
    ahead: &'a mut Ahead,
    system: &'a System,
    tape: &'a Tape,
    series: &'a SideBySide,
    lengths: Lanes<2>,
}

impl Loop for Look<'_> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, _: U) {
        let Look { ahead: Ahead { states, gaps, sections }, system, tape, series, lengths } = self;
        for (i, state) in states.iter_mut().enumerate() {
            *state = polynomial::evaluate_series(series.state(i), lengths);
        }
        for (contact, gap) in gaps.iter_mut().enumerate() {
            *gap = ranges(series.output(tape, system.gap_output(contact)), lengths);
        }
        for (section, value) in system.sections.iter().zip(sections) {
            [*value, _] = ranges(series.output(tape, system.section_output(section)), lengths);
        }
    }
}

/// sum_{k>0} |c_k| h^k and sum_{k>1} k |c_k| h^(k-1): how far a polynomial and its slope go on [0, h].
#[inline(always)]
fn ranges(c: &[Lanes<2>], h: Lanes<2>) -> [Lanes<2>; 2] {
    let (mut value, mut slope) = (Lanes::ZERO, Lanes::ZERO);
    for (k, x) in c.iter().enumerate().skip(1).rev() {
        let size = x.modulus();
        value = (value + size) * h;
        if k > 1 {
            slope = (slope + size.scale(k as f64)) * h;
        }
    }
    [value, slope]
}

impl Motion<'_> {
    /// Allows steps on which nothing happens to be reported as [`Happening::Quiet`](super::motion::Happening), without polynomials, also where the flow is a
    /// Taylor series and the path is not wanted. Only motions that are prepared [together](super::side_by_side::Together) have such steps.
    pub fn allow_quiet(&mut self, allowed: bool) {
        self.quiet_allowed = allowed;
    }

    /// Whether nothing happens on a step of this length in a lane, of which polynomials and their ends are known.
    pub(super) fn look_ahead(&mut self, lane: usize, series: &SideBySide, ahead: &Ahead, length: f64) -> bool {
        self.quiet.length = 0.0;
        if !(self.quiet_allowed && length > 0.0 && self.is_plain()) {
            return false;
        }
        let Settings { until, longest_step, .. } = self.automaton.settings;
        if !(length < self.automaton.time.until(until) && length < longest_step) {
            return false;
        }
        let Automaton { system, modes, sections, departures, phase_period, smooth_wrap, state, taylor, .. } =
            &mut self.automaton;
        let mode = modes.now_mut();
        let tape = &*mode.series.tape;
        if let (Some(phase), false) = (system.phase, *smooth_wrap) {
            let rate = series.state(phase)[1].lane(lane);
            if !(rate > 0.0 && length < (*phase_period - state[phase]) / rate) {
                return false;
            }
        }
        for (k, (section, reach)) in system.sections.iter().zip(&ahead.sections).enumerate() {
            let value = || series.output(tape, system.section_output(section))[0].lane(lane);
            if sections.watched[k] && !sections.places[k].stays(value(), reach.lane(lane) / MARGIN) {
                return false;
            }
        }
        let Quiet { gaps, end, .. } = &mut self.quiet;
        gaps.clear();
        for (contact, [reach, turn]) in ahead.gaps.iter().enumerate() {
            let row = series.output(tape, system.gap_output(contact));
            let (gap, slope) = (row[0].lane(lane), row[1].lane(lane));
            let open = reach.lane(lane) < MARGIN * gap;
            let straight = turn.lane(lane) < MARGIN * slope.abs();
            let turned = departures.closing[contact] == Some(true) && slope > 0.0;
            if !(open && straight) || turned {
                return false;
            }
            gaps.push((gap, slope < 0.0));
        }
        end.clear();
        end.extend(ahead.states.iter().map(|state| state.lane(lane)));
        if !end.iter().all(|x| x.is_finite()) {
            return false;
        }
        if mode.has_roots {
            series.give(tape, lane, true, &mut mode.series.jet);
            if arrival::may_rest(taylor, tape, &mode.series.jet, length) {
                return false;
            }
        }
        self.quiet.length = length;
        true
    }

    /// Whether nothing is known at the start of the next step but the state, and nothing can happen on it but passages of sections and impacts.
    fn is_plain(&self) -> bool {
        let Automaton { system, modes, departures, linear, sides, pending, .. } = &self.automaton;
        let mode = modes.now();
        let BoundMode { closed, limits, coefficients, singular, .. } = mode;
        let free = closed.is_empty() && limits.is_empty() && coefficients.is_empty() && singular.is_none();
        let smooth = system.hybrid.is_empty() && !sides.slides() && !self.automaton.varies();
        free && smooth && !linear.path && pending.is_none() && departures.is_empty() && !self.pace.looks_next()
    }

    /// Goes to the end of a step on which nothing happens.
    pub(super) fn pass_quietly(&mut self, (start, remaining): (Time, f64)) -> Result<bool, Ended> {
        let quiet = std::mem::take(&mut self.quiet);
        let automaton = &mut self.automaton;
        automaton.extent.include_state(&automaton.state);
        for (contact, &(gap, closes)) in quiet.gaps.iter().enumerate() {
            automaton.extent.include_gap(contact, gap);
            automaton.departures.closing[contact] = Some(closes);
        }
        automaton.together.clear();
        automaton.sections.returned = false;
        automaton.linear.without_path = true;
        let found = Found { end: quiet.length, cause: Cause::None, returned: false };
        let result = self.conclude(start, found, remaining, Flow::Taylor, Some(&quiet.end));
        let result = result.and(self.keep_pace(quiet.length));
        self.quiet = Quiet { length: 0.0, ..quiet };
        self.moved(result)
    }
}
