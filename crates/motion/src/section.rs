//! When is a section passed? Where its formula goes through zero, on a step or by a jump, each time exactly once.

use saltation_model::{Direction, SectionKind, Values};
use saltation_numerics::polynomial::{self, Crossing};

use crate::automaton::Motion;
use crate::ended::Ended;
use crate::event::EventKind;
use crate::system::{Section, System};
use crate::watch::{Mark, slope_and_curvature};

/// Where the motion is with respect to one section.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SectionState {
    /// The value that belongs to the section.
    offset: f64,
    /// Values are compared modulo this period; infinite if they are not.
    pub period: f64,
    /// The number of the period in which the value lies: it has passed the section `cell` times in all, upwards counted
    /// positive. Without a period: 0 above the section, -1 below.
    pub cell: f64,
    /// How often the section has been passed in its direction.
    pub returns: u64,
}

impl SectionState {
    pub fn new(section: &Section, system: &System, values: &Values) -> SectionState {
        let (offset, period) = match section.declared {
            None => {
                let phase = system.phase.unwrap_or(0);
                (values.start()[phase], values.phase_period().unwrap_or(f64::INFINITY))
            }
            Some(declared) => {
                let period = match &system.model().sections[declared].kind {
                    SectionKind::Formula { .. } => values.section_periods()[declared].unwrap_or(f64::INFINITY),
                    SectionKind::Contact(_) => f64::INFINITY,
                };
                (0.0, period)
            }
        };
        SectionState { offset, period, cell: 0.0, returns: 0 }
    }

    /// The value that belongs to the section.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// The period of the values; infinite if there is none.
    pub fn period(&self) -> f64 {
        self.period
    }

    /// Whether all values between two lie in the present cell.
    pub fn keeps_cell(&self, low: f64, high: f64) -> bool {
        self.cell_of(low) == self.cell && self.cell_of(high) == self.cell
    }

    /// The cell that a value is in or about to enter, if it rises or falls; values on the section up to rounding are.
    pub fn cell_ahead(&self, value: f64, rising: bool) -> f64 {
        let turns = (value - self.offset) / self.period;
        let nearest = turns.round();
        if (turns - nearest).abs() <= ON_SECTION {
            return if rising { nearest } else { nearest - 1.0 };
        }
        turns.floor()
    }

    fn cell_of(&self, value: f64) -> f64 {
        let distance = value - self.offset;
        if self.period.is_finite() {
            (distance / self.period).floor()
        } else if distance >= 0.0 {
            0.0
        } else {
            -1.0
        }
    }
}

/// A section that is passed more often than this in one step has a period that the motion cannot resolve.
const MOST_PASSAGES: f64 = 10_000.0;
/// A motion without bound is taken in at most so many steps for the sake of its sections.
const MOST_STEPS: f64 = 1e7;
/// Phases this close to their section, relative to the period, are on it: twice what is taken for a point of the grid.
const ON_SECTION: f64 = 2.0 * crate::flow::linear::ON_GRID;
/// Values of a section this close to it, relative to their size, are on it.
const ROUNDING: f64 = 1e-14;

impl Motion<'_> {
    /// A length of step, at most the given one, on which no section is passed very often.
    pub(crate) fn length_for_sections(&mut self, length: f64, remaining: f64) -> f64 {
        let mode = &self.modes[self.current];
        let mut longest = length;
        for (section, place) in self.sections.iter().enumerate() {
            if !self.watched_sections[section] || place.period.is_infinite() {
                continue;
            }
            let values = mode.jet.output(&mode.tape, self.system.section_output(&self.system.sections[section]));
            while reach(values, longest) > 0.1 * MOST_PASSAGES * place.period && longest > 0.0 {
                longest *= 0.5;
            }
        }
        if remaining.is_finite() && remaining > MOST_STEPS * longest {
            let crowded =
                (0..self.sections.len()).find(|&s| self.watched_sections[s] && self.sections[s].period.is_finite());
            self.ended = crowded.map(|section| Ended::CrowdedSection { section });
        }
        longest
    }

    /// Marks every passage of a section by its formula on the step up to `end`.
    pub(crate) fn pass_section(&mut self, section: usize, end: f64) {
        if !self.watched_sections[section] {
            return;
        }
        let known = &self.system.sections[section];
        let mode = &self.modes[self.current];
        if mode.linear.is_some() && known.declared.is_none() {
            // Steps of an exact flow end where the phase is passed.
            return;
        }
        let watch = &mut self.watch;
        let place = &mut self.sections[section];
        let values = mode.jet.output(&mode.tape, self.system.section_output(known));
        watch.row.clear();
        watch.row.extend_from_slice(&values[..=mode.jet.order()]);
        if !watch.row.iter().all(|c| c.is_finite()) {
            self.ended = Some(self.diagnose_output(self.system.section_output(known)));
            return;
        }
        watch.row[0] -= place.offset;
        let value = watch.row[0];
        // All levels that the value can reach on the step, and those that rounding may have put it on the wrong side of.
        let reach = reach(&watch.row, end);
        let rounding = ROUNDING * (value.abs() + place.offset.abs()).max(reach);
        let levels = if place.period.is_finite() {
            let first = ((value - reach - rounding) / place.period).ceil().min(place.cell);
            let last = ((value + reach + rounding) / place.period).floor().max(place.cell + 1.0);
            (first, last)
        } else {
            (0.0, 0.0)
        };
        if levels.1 - levels.0 > MOST_PASSAGES {
            self.ended = Some(Ended::CrowdedSection { section });
            return;
        }
        let mut passed = 0.0;
        let mut level = levels.0;
        while level <= levels.1 {
            let shift = if place.period.is_finite() { level * place.period } else { 0.0 };
            let before = if place.cell >= level { 1.0 } else { -1.0 };
            watch.row[0] = value - shift;
            if watch.row[0].abs() <= rounding {
                // On the section: the side is where the motion goes, so that nothing is passed twice.
                watch.row[0] = 0.0;
            }
            if watch.row[0].abs() <= reach || watch.row[0] * before < 0.0 {
                let slope = slope_and_curvature(&watch.row, end).0;
                let roots = polynomial::sign_changes(&watch.row, end, before, &mut watch.workspace).roots;
                for root in roots {
                    // A change that only rounding at the end of the step tells belongs to the next one, if it goes on.
                    if root.at > 0.0 && (end - root.at) * slope.abs() <= rounding {
                        break;
                    }
                    let rising = root.crossing == Crossing::Rising;
                    passed += if rising { 1.0 } else { -1.0 };
                    watch.marks.push((root.at, Mark::Section { section, rising }));
                }
            }
            level += 1.0;
        }
        place.cell += passed;
    }

    /// Takes back the passages marked from a position on: the step ends before them.
    pub(crate) fn unpass(&mut self, from: usize) {
        for &(_, mark) in &self.watch.marks[from..] {
            if let Mark::Section { section, rising } = mark {
                self.sections[section].cell -= if rising { 1.0 } else { -1.0 };
            }
        }
    }

    /// Counts and queues a passage of a section. Whether it was the last one that was asked for.
    pub(crate) fn passed(&mut self, section: usize, rising: bool, time: f64, state: &[f64]) -> bool {
        let known = &self.system.sections[section];
        let counts = match known.direction {
            Direction::Rising => rising,
            Direction::Falling => !rising,
            Direction::Any => true,
        };
        // The phase of a forced model is always watched, but told only if it is what counts returns.
        let asked = self.settings.returns.filter(|&(wanted, _)| wanted == section);
        if !counts || known.declared.is_none() && asked.is_none() {
            return false;
        }
        self.sections[section].returns += 1;
        let event = self.queue.push(EventKind::Section, time, state);
        event.section = Some(section);
        event.contact = known.contact;
        asked.is_some_and(|(_, count)| self.sections[section].returns >= count)
    }

    /// Finds the sections that a jump of the state, from the current one to `self.after`, passes.
    pub(crate) fn jump_sections(&mut self) {
        for section in 0..self.sections.len() {
            if !self.watched_sections[section] {
                continue;
            }
            let (before, after) = (self.section_value(section, false), self.section_value(section, true));
            let place = self.sections[section];
            let size = before.abs().max(after.abs()) + place.offset.abs();
            let cell = place.cell_of(after);
            if (after - before).abs() <= ROUNDING * size || cell == place.cell {
                continue;
            }
            self.sections[section].cell = cell;
            let mut point = std::mem::take(&mut self.watch.point);
            point.clear();
            point.extend_from_slice(&self.after);
            if self.passed(section, cell > place.cell, self.time.value(), &point) {
                self.jumped_return = true;
                self.ended.get_or_insert(Ended::ReachedReturns);
            }
            self.watch.point = point;
        }
    }

    /// Renumbers the cells of the sections when the phase is wrapped from the current state to that of `self.after`.
    pub(crate) fn wrap_sections(&mut self) {
        for section in 0..self.sections.len() {
            let period = self.sections[section].period;
            if self.watched_sections[section] && period.is_finite() {
                let (before, after) = (self.section_value(section, false), self.section_value(section, true));
                self.sections[section].cell += ((after - before) / period).round();
            }
        }
    }

    /// The value of a section's formula at the current state, or at `self.after`.
    fn section_value(&mut self, section: usize, after: bool) -> f64 {
        let system = self.system;
        let mode = &mut self.modes[self.current];
        mode.probe(if after { &self.after } else { &self.state }, 0);
        mode.probe.output(&mode.tape, system.section_output(&system.sections[section]))[0]
    }

    /// Finds the side of every section at the start; a section on which the motion starts is left, not passed.
    pub(crate) fn place_sections(&mut self) {
        for section in 0..self.sections.len() {
            self.place_section(section);
        }
    }

    /// Finds the side of a section at the current state.
    pub(crate) fn place_section(&mut self, section: usize) {
        let system = self.system;
        let known = &system.sections[section];
        if known.formula.is_none() {
            return;
        }
        let mode = &mut self.modes[self.current];
        mode.probe(&self.state, 3);
        let row = mode.probe.output(&mode.tape, system.section_output(known));
        let place = &mut self.sections[section];
        let size = row.iter().fold(0.0_f64, |m, c| m.max(c.abs())).max(place.offset.abs());
        let on = |level: f64| (row[0] - place.offset - level).abs() <= 1e-12 * size;
        let nearest = if place.period.is_finite() { ((row[0] - place.offset) / place.period).round() } else { 0.0 };
        let level = if place.period.is_finite() { nearest * place.period } else { 0.0 };
        place.cell = if on(level) {
            let leaves_up = row[1..].iter().find(|c| c.abs() > 1e-12 * size).is_none_or(|&c| c > 0.0);
            if leaves_up { nearest } else { nearest - 1.0 }
        } else {
            place.cell_of(row[0])
        };
    }
}

/// A bound on how far a polynomial goes from its constant term on [0, length].
fn reach(row: &[f64], length: f64) -> f64 {
    let mut power = 1.0;
    let mut sum = 0.0;
    for &c in &row[1..] {
        power *= length;
        sum += (c * power).abs();
    }
    sum
}
