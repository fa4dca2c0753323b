//! Which event comes first on a step? The roots of the gaps, contact forces and sections, all of them polynomials.

use saltation_model::{Direction, SectionKind, Values};
use saltation_numerics::polynomial::{self, Crossing, Workspace};

use crate::automaton::Motion;
use crate::ended::Ended;
use crate::event::EventKind;
use crate::system::{Section, System};
use crate::time::Time;
use crate::trajectory::horner;

/// What ends a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cause {
    /// Nothing: its length.
    None,
    /// A contact closes; `graze` if it does so within the tolerance of not closing at all.
    Impact { contact: usize, graze: bool },
    /// A contact force falls through zero.
    Release { contact: usize },
    /// Several contacts close at the same time.
    Together,
    /// A section has been passed for the last time that was asked for.
    Return,
}

/// Something on a step that does not end it.
#[derive(Debug, Clone, Copy)]
enum Mark {
    Section { section: usize, rising: bool },
    Graze { contact: usize },
}

/// Room for the work on one step.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    workspace: Workspace,
    row: Vec<f64>,
    /// Positive local minima of gaps: contact, place on the step, gap.
    minima: Vec<(usize, f64, f64)>,
    marks: Vec<(f64, Mark)>,
    /// Contacts that close at the same time.
    pub together: Vec<usize>,
    point: Vec<f64>,
}

impl Watch {
    pub fn new() -> Watch {
        Watch {
            workspace: Workspace::new(),
            row: Vec::new(),
            minima: Vec::new(),
            marks: Vec::new(),
            together: Vec::new(),
            point: Vec::new(),
        }
    }
}

/// Where the motion is with respect to one section.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SectionState {
    /// The value that belongs to the section.
    offset: f64,
    /// Values are compared modulo this period; infinite if they are not.
    period: f64,
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
                (
                    values.start[phase],
                    values.phase_period.unwrap_or(f64::INFINITY),
                )
            }
            Some(declared) => {
                let period = match &system.model().sections[declared].kind {
                    SectionKind::Formula { .. } => {
                        values.section_periods[declared].unwrap_or(f64::INFINITY)
                    }
                    SectionKind::Contact(_) => f64::INFINITY,
                };
                (0.0, period)
            }
        };
        SectionState {
            offset,
            period,
            cell: 0.0,
            returns: 0,
        }
    }

    /// Whether all values between two lie in the present cell.
    pub fn keeps_cell(&self, low: f64, high: f64) -> bool {
        self.cell_of(low) == self.cell && self.cell_of(high) == self.cell
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

/// Minima of a gap this close to zero, relative to the gap's size on the step and to the tolerance, are grazes.
const GRAZE: f64 = 1.0;
/// Contacts that close within this time of each other, relative to the time itself or the length of the step, close together.
const TOGETHER: f64 = 1e-13;
/// Values of a section this close to it, relative to their size, are on it.
const ROUNDING: f64 = 1e-14;

impl Motion<'_> {
    /// Finds the first event on a step that could have this length, reports what happens before it, and gives the
    /// length up to it.
    pub(crate) fn watch_step(&mut self, start: Time, length: f64) -> (f64, Cause) {
        let mode = &self.modes[self.current];
        let order = mode.jet.order();
        let watch = &mut self.watch;
        watch.minima.clear();
        watch.marks.clear();
        watch.together.clear();
        let mut end = length;
        let mut cause = Cause::None;
        let margin = TOGETHER * start.value().abs().max(length);

        for contact in 0..self.system.contact_names.len() {
            if mode.closed.contains(contact) {
                continue;
            }
            let gap = mode.jet.output(&mode.tape, self.system.gap_output(contact));
            watch.row.clear();
            watch.row.extend_from_slice(&gap[..=order]);
            let vanishing = self.leaving[contact];
            watch.row[..vanishing].fill(0.0);
            let size = size_on(&watch.row, length);
            if watch.row[0] < -1e-6 * size {
                self.ended = Some(Ended::Penetrated {
                    contact,
                    gap: watch.row[0],
                });
                return (0.0, Cause::None);
            }
            let graze_depth = GRAZE * self.settings.tolerance * size;
            let descent =
                polynomial::first_descent(&watch.row, length, vanishing, &mut watch.workspace);
            for minimum in descent.minima {
                if minimum.value > 0.0 {
                    watch.minima.push((contact, minimum.at, minimum.value));
                    if minimum.value <= graze_depth {
                        watch.marks.push((minimum.at, Mark::Graze { contact }));
                    }
                }
            }
            let Some(at) = descent.root else { continue };
            if at > end + margin {
                continue;
            }
            if at < end - margin || cause == Cause::None {
                watch.together.clear();
                // Entering with speed v against an acceleration a reaches a depth of v^2/(2a).
                let (speed, acceleration) = slope_and_curvature(&watch.row, at);
                let graze = acceleration > 0.0 && speed * speed <= 2.0 * acceleration * graze_depth;
                cause = Cause::Impact { contact, graze };
            }
            watch.together.push(contact);
            end = end.min(at);
        }
        if watch.together.len() > 1 {
            cause = Cause::Together;
        }
        for (k, contact) in mode.closed.iter().enumerate() {
            let force = mode.jet.output(&mode.tape, self.system.force_output(k));
            let descent =
                polynomial::first_descent(&force[..=order], length, 0, &mut watch.workspace);
            if let Some(at) = descent.root
                && at < end
            {
                end = at;
                cause = Cause::Release { contact };
            }
        }

        // Sections on the way, also at its end; the last return asked for ends the step.
        for section in 0..self.sections.len() {
            self.pass_section(section, end);
        }
        let watch = &mut self.watch;
        watch.marks.sort_by(|a, b| a.0.total_cmp(&b.0));
        for position in 0..self.watch.marks.len() {
            let (at, mark) = self.watch.marks[position];
            if at > end {
                break;
            }
            if self.report(start, at, mark) {
                end = at;
                cause = Cause::Return;
                break;
            }
        }
        for &(contact, at, value) in self.watch.minima.iter().filter(|(_, at, _)| *at <= end) {
            self.misses.count += 1;
            if value < self.misses.smallest {
                self.misses.smallest = value;
                self.misses.contact = contact;
                self.misses.time = start.value() + at;
            }
        }
        (end, cause)
    }

    /// Marks every passage of a section by its formula on the step up to `end`.
    fn pass_section(&mut self, section: usize, end: f64) {
        let known = &self.system.sections[section];
        if known.formula.is_none() {
            return;
        }
        let mode = &self.modes[self.current];
        let watch = &mut self.watch;
        let place = &mut self.sections[section];
        let values = mode
            .jet
            .output(&mode.tape, self.system.section_output(known));
        watch.row.clear();
        watch.row.extend_from_slice(&values[..=mode.jet.order()]);
        watch.row[0] -= place.offset;
        let value = watch.row[0];
        // All levels that the value can reach on the step, and those that rounding may have put it on the wrong side of.
        let mut power = 1.0;
        let mut reach = 0.0;
        for &c in &watch.row[1..] {
            power *= end;
            reach += (c * power).abs();
        }
        let rounding = ROUNDING * (value.abs() + place.offset.abs()).max(reach);
        let levels = if place.period.is_finite() {
            let first = ((value - reach - rounding) / place.period)
                .ceil()
                .min(place.cell);
            let last = ((value + reach + rounding) / place.period)
                .floor()
                .max(place.cell + 1.0);
            (first, last)
        } else {
            (0.0, 0.0)
        };
        let mut passed = 0.0;
        let mut level = levels.0;
        while level <= levels.1 {
            let shift = if place.period.is_finite() {
                level * place.period
            } else {
                0.0
            };
            let before = if place.cell >= level { 1.0 } else { -1.0 };
            watch.row[0] = value - shift;
            if watch.row[0].abs() <= rounding {
                // On the section: the side is where the motion goes, so that nothing is passed twice.
                watch.row[0] = 0.0;
            }
            if watch.row[0].abs() <= reach || watch.row[0] * before < 0.0 {
                for root in
                    polynomial::sign_changes(&watch.row, end, before, &mut watch.workspace).roots
                {
                    let rising = root.crossing == Crossing::Rising;
                    passed += if rising { 1.0 } else { -1.0 };
                    watch
                        .marks
                        .push((root.at, Mark::Section { section, rising }));
                }
            }
            level += 1.0;
        }
        place.cell += passed;
    }

    /// Queues the event of a mark. Whether it was the last return that was asked for.
    fn report(&mut self, start: Time, at: f64, mark: Mark) -> bool {
        let mode = &self.modes[self.current];
        let mut point = std::mem::take(&mut self.watch.point);
        point.clear();
        point.extend((0..self.state.len()).map(|i| horner(mode.jet.state(i), at)));
        let time = start.plus(at).value();
        let mut last = false;
        match mark {
            Mark::Graze { contact } => {
                self.queue.push(EventKind::Graze, time, &point).contact = Some(contact);
            }
            Mark::Section { section, rising } => last = self.passed(section, rising, time, &point),
        }
        self.watch.point = point;
        last
    }

    /// Counts and queues a passage of a section. Whether it was the last one that was asked for.
    pub(crate) fn passed(
        &mut self,
        section: usize,
        rising: bool,
        time: f64,
        state: &[f64],
    ) -> bool {
        let known = &self.system.sections[section];
        let counts = match known.direction {
            Direction::Rising => rising,
            Direction::Falling => !rising,
            Direction::Any => true,
        };
        // The phase of a forced model is always watched, but told only if it is what counts returns.
        let asked = self
            .settings
            .returns
            .filter(|&(wanted, _)| wanted == section);
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
            if self.system.sections[section].formula.is_none() {
                continue;
            }
            let (before, after) = (
                self.section_value(section, false),
                self.section_value(section, true),
            );
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
                self.ended.get_or_insert(Ended::ReachedReturns);
            }
            self.watch.point = point;
        }
    }

    /// Renumbers the cells of the sections when the phase is wrapped from the current state to that of `self.after`.
    pub(crate) fn wrap_sections(&mut self) {
        for section in 0..self.sections.len() {
            let period = self.sections[section].period;
            if self.system.sections[section].formula.is_some() && period.is_finite() {
                let (before, after) = (
                    self.section_value(section, false),
                    self.section_value(section, true),
                );
                self.sections[section].cell += ((after - before) / period).round();
            }
        }
    }

    /// The value of a section's formula at the current state, or at `self.after`.
    fn section_value(&mut self, section: usize, after: bool) -> f64 {
        let system = self.system;
        let mode = &mut self.modes[self.current];
        mode.probe(if after { &self.after } else { &self.state }, 0);
        mode.probe
            .output(&mode.tape, system.section_output(&system.sections[section]))[0]
    }

    /// Finds the side of every section at the start; a section on which the motion starts is left, not passed.
    pub(crate) fn place_sections(&mut self) {
        let system = self.system;
        let mode = &mut self.modes[self.current];
        mode.probe(&self.state, 3);
        for (section, place) in system.sections.iter().zip(&mut self.sections) {
            if section.formula.is_none() {
                continue;
            }
            let row = mode
                .probe
                .output(&mode.tape, system.section_output(section));
            let size = row
                .iter()
                .fold(0.0_f64, |m, c| m.max(c.abs()))
                .max(place.offset.abs());
            let on = |level: f64| (row[0] - place.offset - level).abs() <= 1e-12 * size;
            let nearest = if place.period.is_finite() {
                ((row[0] - place.offset) / place.period).round()
            } else {
                0.0
            };
            let level = if place.period.is_finite() {
                nearest * place.period
            } else {
                0.0
            };
            place.cell = if on(level) {
                let leaves_up = row[1..]
                    .iter()
                    .find(|c| c.abs() > 1e-12 * size)
                    .is_none_or(|&c| c > 0.0);
                if leaves_up { nearest } else { nearest - 1.0 }
            } else {
                place.cell_of(row[0])
            };
        }
    }
}

/// The largest term of a polynomial on [0, length].
fn size_on(row: &[f64], length: f64) -> f64 {
    let mut power = 1.0;
    let mut size = 0.0_f64;
    for &c in row {
        size = size.max((c * power).abs());
        power *= length;
    }
    size
}

/// The first and second derivative of a polynomial.
fn slope_and_curvature(row: &[f64], s: f64) -> (f64, f64) {
    let (mut slope, mut curvature) = (0.0, 0.0);
    let mut value = 0.0;
    for &c in row.iter().rev() {
        curvature = curvature * s + slope;
        slope = slope * s + value;
        value = value * s + c;
    }
    (slope, 2.0 * curvature)
}
