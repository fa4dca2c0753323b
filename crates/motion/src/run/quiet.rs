//! Steps of motions side by side on which certainly nothing happens: they go to their ends without polynomials of their own.
//!
//! Nothing happens on a step if no section can be reached on it, and no gap can close or turn: what the terms of a series add up to in size is a bound of how far it goes from
//! its value, and of how far its slope goes from its first one. Where such a bound does not suffice the polynomials are looked at, as they are for every trajectory alone: the end of
//! the step has the same bits.

use saltation_expr::{SideBySide, Tape};
use saltation_numerics::lanes::Lanes;
use saltation_numerics::number::{Number, Real};
use saltation_numerics::polynomial;
use saltation_numerics::vectors::{Loop, Unit};

use super::motion::{Motion, Quiet};
use super::step::Flow;
use crate::flow::arrival::MARGIN;
use crate::locate::cause::Cause;
use crate::locate::first_event::Found;
use crate::mode::bound::BoundMode;
use crate::settings::Settings;
use crate::system::System;
use crate::transition::automaton::{Automaton, BoundSystem, Flows, Instant, Located};

/// What the series of motions side by side say of the ends of their steps, each on a step of its own length.
#[derive(Debug, Clone, Default)]
pub(super) struct Ahead {
    /// The states at the end.
    states: Vec<Lanes>,
    /// The gap of every contact, and the value of every section.
    gaps: Vec<Shape<Lanes>>,
    sections: Vec<Shape<Lanes>>,
}

impl Ahead {
    /// Looks at the ends of steps in a mode.
    pub(super) fn look(&mut self, (system, tape): (&System, &Tape), series: &SideBySide, lengths: Lanes) {
        self.states.resize(tape.states(), Lanes::ZERO);
        self.gaps.clear();
        self.sections.clear();
        series.vectors().run_wide(Look { ahead: self, system, tape, series, lengths });
    }
}

struct Look<'a> {
    ahead: &'a mut Ahead,
    system: &'a System,
    tape: &'a Tape,
    series: &'a SideBySide,
    lengths: Lanes,
}

impl<'a> Loop for Look<'a> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, _: U) {
        let Look { ahead: Ahead { states, gaps, sections }, system, tape, series, lengths } = self;
        // What moves at a constant rate has two coefficients; a third one is zero.
        let short = |row: &'a [Lanes], steady: bool| if steady { row.get(..3).unwrap_or(row) } else { row };
        for (i, state) in states.iter_mut().enumerate() {
            *state = polynomial::evaluate_series(short(series.state(i), tape.is_steady_state(i)), lengths);
        }
        let row = |output: usize| short(series.output(tape, output), tape.is_steady_output(output));
        for contact in 0..system.contact_names.len() {
            gaps.push(shape(row(system.gap_output(contact)), lengths));
        }
        for section in &system.sections {
            sections.push(shape(row(system.section_output(section)), lengths));
        }
    }
}

/// What a polynomial does on [0, h].
#[derive(Debug, Clone, Copy, Default)]
struct Shape<T> {
    /// Its value and its slope at the ends.
    values: [T; 2],
    slopes: [T; 2],
    /// How far it goes at most, as the sum of the sizes of its terms, and the same of its slope.
    reach: T,
    turn: T,
    /// Of the slope's terms c_1 + 2 c_2 t + ... the second, and the sum of the sizes of those that follow, over h.
    second: T,
    others: T,
    /// The sum of the sizes of the curvature's terms but the first.
    bend: T,
}

/// The shape of a polynomial in every lane.
#[inline(always)]
fn shape(c: &[Lanes], h: Lanes) -> Shape<Lanes> {
    let (mut reach, mut others, mut bend, mut slope) = (Lanes::ZERO, Lanes::ZERO, Lanes::ZERO, Lanes::ZERO);
    for (k, &x) in c.iter().enumerate().skip(1).rev() {
        let (size, order) = (x.modulus(), k as f64);
        reach = (reach + size) * h;
        slope = slope * h + x.scale(order);
        if k > 2 {
            others = others * h + size.scale(order);
            bend = bend * h + size.scale(order * (order - 1.0));
        }
    }
    let second = if c.len() > 2 { c[2].scale(2.0) } else { Lanes::ZERO };
    let (others, bend) = (others * h, bend * h);
    let turn = (second.modulus() + others) * h;
    Shape {
        values: [c[0], polynomial::evaluate_series(c, h)],
        slopes: [c[1], slope],
        reach,
        turn,
        second,
        others,
        bend,
    }
}

impl Shape<Lanes> {
    fn lane(&self, lane: usize) -> Shape<f64> {
        let of = |x: Lanes| x.lane(lane);
        let Shape { values, slopes, reach, turn, second, others, bend } = *self;
        let (values, slopes) = (values.map(of), slopes.map(of));
        Shape {
            values,
            slopes,
            reach: of(reach),
            turn: of(turn),
            second: of(second),
            others: of(others),
            bend: of(bend),
        }
    }
}

impl Shape<f64> {
    /// Whether the slope keeps its sign, because its first term outweighs the others, or the second does and has the same sign.
    fn is_monotone(&self) -> bool {
        let first = self.slopes[0];
        self.turn < MARGIN * first.abs() || first * self.second > 0.0 && self.others < MARGIN * self.second.abs()
    }

    /// The sign of the curvature, if its first term outweighs the others.
    fn curvature(&self) -> f64 {
        if self.bend < MARGIN * self.second.abs() { self.second.signum() } else { 0.0 }
    }

    /// Bounds of the values.
    fn range(&self) -> (f64, f64) {
        let ([from, to], monotone, curvature) = (self.values, self.is_monotone(), self.curvature());
        let low = if monotone || curvature < 0.0 { from.min(to) } else { from - self.reach / MARGIN };
        let high = if monotone || curvature > 0.0 { from.max(to) } else { from + self.reach / MARGIN };
        (low, high)
    }

    /// Whether a gap stays open and has no minimum inside of the step; then whether it closes at the end.
    fn stays_open(&self) -> Option<bool> {
        let rounding = (1.0 - MARGIN) * self.reach.min(self.values[0]);
        let straight = self.is_monotone() || self.curvature() < 0.0;
        let known = self.slopes[1].abs() > (1.0 - MARGIN) * self.turn;
        (straight && known && self.range().0 > rounding).then_some(self.slopes[1] < 0.0)
    }
}

impl Motion<'_> {
    /// Allows so many steps on which nothing happens to be reported as one [`Happening::Quiet`](super::motion::Happening), without polynomials, also where the flow is a
    /// Taylor series and the path is not wanted. Only motions that are prepared [together](super::side_by_side::Together) make such steps, and they make them then.
    pub fn allow_quiet(&mut self, steps: u32) {
        self.passed.most = steps;
    }

    /// Whether one more step may be made on which nothing happens.
    pub(super) fn may_pass(&self) -> bool {
        self.passed.steps < self.passed.most
    }

    /// Whether nothing happens on a step of this length in a lane, of which polynomials and their ends are known.
    pub(super) fn look_ahead(&mut self, lane: usize, series: &SideBySide, ahead: &Ahead, length: f64) -> bool {
        if !(self.may_pass() && length > 0.0 && self.is_plain()) {
            return false;
        }
        let Settings { until, longest_step, .. } = self.automaton.settings;
        if !(length < self.automaton.now.time.until(until) && length < longest_step) {
            return false;
        }
        let Automaton {
            system,
            modes,
            sections,
            departures,
            bound: BoundSystem { phase_period, smooth_wrap, .. },
            now: Instant { state, .. },
            flow: Flows { taylor, .. },
            ..
        } = &self.automaton;
        let mode = modes.now();
        let tape = &*mode.series.tape;
        if let (Some(phase), false) = (system.phase, *smooth_wrap) {
            let rate = series.state(phase)[1].lane(lane);
            if !(rate > 0.0 && length < (*phase_period - state[phase]) / rate) {
                return false;
            }
        }
        for (k, shape) in ahead.sections.iter().enumerate().filter(|(k, _)| sections.watched[*k]) {
            let shape = shape.lane(lane);
            // On a section the side is where the motion continues.
            let leaves = if shape.is_monotone() { shape.slopes[0] } else { 0.0 };
            if !sections.places[k].stays(shape.range(), (shape.values[0], leaves), shape.reach) {
                return false;
            }
        }
        let Quiet { gaps, end, .. } = &mut self.quiet;
        gaps.clear();
        for (contact, shape) in ahead.gaps.iter().enumerate() {
            let shape = shape.lane(lane);
            let turned = departures.closing[contact] == Some(true) && shape.slopes[0] >= 0.0;
            let Some(closes) = shape.stays_open().filter(|_| !turned) else { return false };
            gaps.push((shape.values[0], closes));
        }
        end.clear();
        end.extend(ahead.states.iter().map(|state| state.lane(lane)));
        if !end.iter().all(|x| x.is_finite()) {
            return false;
        }
        if mode.has_roots && !taylor.roots_go_on(tape, (series, lane), length) {
            return false;
        }
        self.quiet.length = length;
        true
    }

    /// Whether nothing is known at the start of the next step but the state, and nothing can happen on it but passages of sections and impacts.
    fn is_plain(&self) -> bool {
        let Automaton {
            system,
            modes,
            departures,
            flow: Flows { linear, .. },
            now: Instant { sides, .. },
            located: Located { pending, .. },
            ..
        } = &self.automaton;
        let mode = modes.now();
        let BoundMode { closed, limits, coefficients, singular, .. } = mode;
        let free = closed.is_empty() && limits.is_empty() && coefficients.is_empty() && singular.is_none();
        let smooth = system.hybrid.is_empty() && !sides.slides() && !self.automaton.varies();
        free && smooth && !linear.path && pending.is_none() && departures.is_empty() && !self.pace.looks_next()
    }

    /// Goes to the end of the step that was looked at, on which nothing happens.
    pub(super) fn pass_quietly(&mut self) {
        let quiet = std::mem::take(&mut self.quiet);
        let automaton = &mut self.automaton;
        let (start, remaining) = (automaton.now.time, automaton.now.time.until(automaton.settings.until));
        automaton.known.extent.include_state(&automaton.now.state);
        for (contact, &(gap, closes)) in quiet.gaps.iter().enumerate() {
            automaton.known.extent.include_gap(contact, gap);
            automaton.departures.closing[contact] = Some(closes);
        }
        automaton.located.together.clear();
        automaton.sections.returned = false;
        let found = Found { end: quiet.length, cause: Cause::None, returned: false };
        let result = self.conclude(start, found, remaining, Flow::Taylor, Some(&quiet.end));
        let result = result.and(self.keep_pace(quiet.length));
        self.ended = result.err();
        self.steps += 1;
        let passed = &mut self.passed;
        if passed.steps == 0 {
            (passed.start, passed.length) = (start.value(), 0.0);
        }
        passed.length += quiet.length;
        passed.steps += 1;
        self.quiet = quiet;
    }
}
