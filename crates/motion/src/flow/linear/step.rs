//! How does the automaton move on by the exact flow? By leaps where nothing happens, else by polynomials up to the end of a cell.

use crate::automaton::{COLLAPSE, Motion};
use crate::ended::Ended;
use crate::mode::BoundMode;
use crate::start::StartError;
use crate::system::{ClosedSet, System};
use crate::time::Time;

use super::exact::Unsuited;
use super::leap::{Landing, Limits};
use super::series::HIGHEST;
use super::{Exact, Grid, Leaps};
use crate::flow::FlowChoice;

/// The most cells of one leap: a caller that wants to stop need not wait for long.
const MOST_CELLS: usize = 1024;
/// The last cell before the end time is looked at where it ends this close to it, in cells.
const MARGIN: f64 = 1e-6;
/// A flight is looked at for so many times the length that its speed and acceleration promise.
const LONGER: f64 = 1.5;

/// The exact flow of one mode.
#[derive(Debug, Clone)]
pub(crate) struct Linear {
    pub exact: Exact<f64>,
    pub leaps: Leaps,
}

/// What a motion needs for exact flows.
#[derive(Debug, Clone)]
pub(crate) struct LinearRoom {
    /// Whether every step is wanted as polynomials.
    pub path: bool,
    /// Whether the last step was a leap.
    pub leapt: bool,
    /// Whether the cell that begins here has to be looked at.
    look: bool,
    /// A phase of the grid: that of the start, where the section by the phase is.
    origin: f64,
    /// The generators at one point, and the phase and mode for which their harmonics are known.
    generators: Vec<f64>,
    /// How many cells have been leapt over since a time: their sum does not depend on how the leaps were divided.
    pub cells: u64,
    anchor: Time,
    ready_phase: f64,
    ready_mode: usize,
    values: Vec<f64>,
    next: Vec<f64>,
}

impl LinearRoom {
    pub fn new(system: &System, start: &[f64], period: f64) -> LinearRoom {
        let origin = system.phase.map_or(0.0, |phase| start[phase].rem_euclid(period));
        LinearRoom {
            path: true,
            leapt: false,
            look: false,
            origin,
            generators: Vec::new(),
            cells: 0,
            anchor: Time::at(0.0),
            ready_phase: f64::NAN,
            ready_mode: 0,
            values: Vec::new(),
            next: Vec::new(),
        }
    }
}

impl LinearRoom {
    /// Forgets the last motion, but not where the grid is.
    pub fn restart(&mut self) {
        (self.path, self.leapt, self.look) = (true, false, false);
        self.ready_phase = f64::NAN;
        self.cells = 0;
    }
}

impl<'s> Motion<'s> {
    /// The exact flow of a mode, if it has one and is to use it.
    pub(crate) fn bind_linear(&mut self, mode: &BoundMode) -> Option<Box<Linear>> {
        let exact = self.bind_exact(mode).ok()?;
        let system = self.system;
        let gaps: Vec<(usize, usize)> = (0..system.contact_names.len())
            .filter(|&contact| !mode.closed.contains(contact))
            .map(|contact| (contact, system.gap_output(contact)))
            .collect();
        let forces = (0..mode.closed.iter().count()).map(|k| system.force_output(k));
        let forces: Vec<usize> = forces.chain(mode.limits.iter().map(|limit| limit.output)).collect();
        let sections: Vec<(usize, usize)> = (0..system.sections.len())
            .filter(|&s| self.watched_sections[s] && system.sections[s].declared.is_some())
            .map(|s| (s, system.section_output(&system.sections[s])))
            .collect();
        let leaps = Leaps::new(&exact, &gaps, &forces, &sections);
        let room = &mut self.linear;
        room.generators.resize(room.generators.len().max(exact.size()), 0.0);
        for row in [&mut room.values, &mut room.next] {
            row.resize(row.len().max(leaps.width()), 0.0);
        }
        Some(Box::new(Linear { exact, leaps }))
    }

    fn bind_exact(&self, mode: &BoundMode) -> Result<Exact<f64>, Unsuited> {
        let system = self.system;
        let form = match (self.settings.flow, &mode.linear_form) {
            (FlowChoice::Taylor, _) | (_, None) => return Err(Unsuited::Numbers),
            (_, Some(form)) => form,
        };
        let grid = system.phase.map(|_| Grid { period: self.phase_period, origin: self.linear.origin });
        let sections = system.section_range();
        Exact::bind(form, (&mode.tape, &mode.slots, &self.parameters), grid, sections)
    }

    /// Whether the motion can be exact in flight, if that is asked for.
    ///
    /// # Errors
    /// Why it cannot.
    pub(crate) fn require_exact(&self) -> Result<(), StartError> {
        if self.settings.flow != FlowChoice::Exact {
            return Ok(());
        }
        let system = self.system;
        let formula = match &system.linear_form(ClosedSet::NONE) {
            Err(formula) => Some(*formula),
            Ok(_) => match self.bind_exact(&self.modes[self.current]) {
                Ok(_) | Err(Unsuited::SeriesEnd) => return Ok(()),
                Err(Unsuited::Formula(formula)) => Some(formula),
                Err(Unsuited::Numbers) => None,
            },
        };
        Err(StartError::NotLinear { formula: formula.map(|formula| system.formula_name(formula)) })
    }

    /// Motions whose path is not asked for may leap over times in which nothing happens: their steps there are told as
    /// [`crate::Happening::Leap`], without polynomials.
    pub fn without_path(mut self) -> Self {
        self.linear.path = false;
        self
    }

    /// Whether every step from here on is to be told with its polynomials, or leaps are welcome.
    pub fn keep_path(&mut self, wanted: bool) {
        self.linear.path = wanted;
    }

    /// One step of a linear mode, as [`Motion::advance`] wants it: whether time or state moved.
    pub(crate) fn linear_step(&mut self, start: Time, remaining: f64) -> bool {
        let Some(linear) = &self.modes[self.current].linear else {
            return false;
        };
        let exact = &linear.exact;
        let longest = self.settings.longest_step;
        if exact.cell.min(longest) <= COLLAPSE * start.value().abs() {
            self.ended = Some(self.diagnose());
            return false;
        }
        let phase = self.system.phase.map_or(0.0, |phase| self.state[phase]);
        let place = exact.place(phase);
        let look = std::mem::take(&mut self.linear.look);
        let flies = self.bounced.is_none()
            && self.leaving.iter().all(|&order| order == 0)
            && self.vanishing.is_empty()
            && self.departed.iter().all(Vec::is_empty);
        let fits = exact.cell <= longest.min(remaining);
        if place.at_grid && flies && fits && !look && self.leap(place.cell, start, remaining) {
            return true;
        }

        let Some(linear) = &self.modes[self.current].linear else {
            return false;
        };
        let exact = &linear.exact;
        let room = &mut self.linear;
        let generators = &mut room.generators[..exact.size()];
        if place.at_grid {
            exact.generators_at(&self.state, place.cell, generators);
        } else if (room.ready_phase, room.ready_mode) == (phase, self.current) {
            generators[..exact.moving].copy_from_slice(&self.state[..exact.moving]);
        } else {
            exact.generators(&self.state, phase, generators);
        }
        room.ready_phase = f64::NAN;
        let mut length = place.rest.min(remaining).min(longest);
        if let Some(contact) = self.bounced {
            let gap = &exact.outputs[self.system.gap_output(contact)];
            let (speed, acceleration) = (gap.coefficient(generators, 1), 2.0 * gap.coefficient(generators, 2));
            if speed <= 0.0 {
                // Rounding left nothing of the speed after the impact.
                self.bounced = None;
                self.settle(contact);
                return false;
            }
            self.expected_flight = 0.0;
            if acceleration < 0.0 {
                self.expected_flight = -2.0 * speed / acceleration;
                length = length.min(LONGER * self.expected_flight);
            }
        }
        // Where a gap was just left its lowest orders vanish, and it is to be known as well relative to the others.
        let started = self.vanishing.iter().map(|&(_, order)| order).filter(|&order| order <= HIGHEST);
        let left = self.leaving.iter().copied().chain(started).max().unwrap_or(0);
        let order = (exact.order_for(length) + left + usize::from(left > 0)).min(HIGHEST);
        let mode = &mut self.modes[self.current];
        let Some(linear) = &mode.linear else {
            return false;
        };
        linear.exact.expand(generators, phase, order, &mode.tape, &mut mode.jet);
        let finite = (0..self.state.len()).all(|i| mode.jet.state(i)[order].is_finite());
        if !finite || length.is_nan() || length <= 0.0 {
            self.ended = Some(self.diagnose());
            return false;
        }
        let (length, cause) = self.watch_step(start, length);
        if self.has_failed() {
            return false;
        }
        self.linear.leapt = false;
        self.conclude(start, length, remaining, cause);
        true
    }

    /// Leaps from a grid point over as many cells as nothing happens on; whether there was one.
    fn leap(&mut self, cell: usize, start: Time, remaining: f64) -> bool {
        let Some(linear) = &self.modes[self.current].linear else {
            return false;
        };
        let (exact, leaps) = (&linear.exact, &linear.leaps);
        let n = exact.moving;
        let room = &mut self.linear;
        let (values, next) = (&mut room.values[..leaps.width()], &mut room.next[..leaps.width()]);
        values[..n].copy_from_slice(&self.state[..n]);
        let phase = self.system.phase.map_or(0.0, |phase| self.state[phase]);
        // Closed contacts are projected after every cell. A path has every cell, and is otherwise the same to the last bit.
        let one = room.path || !self.modes[self.current].closed.is_empty();
        let most = if one { 1.0 } else { MOST_CELLS as f64 };
        let mut cells = (remaining / exact.cell - MARGIN).min(most) as usize;
        let mut wraps = false;
        if let Some(circle) = &exact.circle {
            // A leap ends where the phase is passed or its sections are renumbered.
            for (section, place) in self.sections.iter().enumerate() {
                if self.watched_sections[section] && place.period.is_finite() {
                    wraps = true;
                    let own = self.system.sections[section].declared.is_none();
                    let turns = if circle.direction > 0.0 { circle.period - phase } else { phase } / circle.period;
                    let wrap = (turns * circle.cells as f64).ceil().max(1.0) as usize;
                    cells = cells.min(if own { circle.cells - cell } else { wrap });
                }
            }
        }
        // A minimum at the very beginning, between the last step and this, is found by looking.
        let turned = leaps.starts(cell, values).any(|(contact, falls)| self.closing[contact] == Some(true) && !falls);
        if turned {
            return false;
        }
        let tolerance = self.settings.tolerance;
        let limits = Limits { cells, sections: &self.sections, smallest: self.misses.smallest, tolerance, phase };
        let Landing { cells, look, misses } = leaps.leap(cell, limits, values, next);
        room.look = look && cells > 0;
        if cells == 0 {
            return false;
        }
        self.misses.count += misses;
        for (contact, closing) in leaps.closing(values) {
            self.closing[contact] = Some(closing);
        }
        let landed = exact.grid_phase((cell + cells) % exact.cells());
        let length = cells as f64 * exact.cell;
        if room.path {
            let generators = &mut room.generators[..exact.size()];
            exact.generators_at(&self.state, cell, generators);
            let mode = &mut self.modes[self.current];
            if let Some(linear) = &mode.linear {
                let order = linear.exact.order_for(length);
                linear.exact.expand(generators, phase, order, &mode.tape, &mut mode.jet);
            }
        }
        let Some(linear) = &self.modes[self.current].linear else {
            return false;
        };
        let exact = &linear.exact;
        let mut end_phase = phase;
        if let Some(circle) = &exact.circle {
            // The phase may leave its period, as after any step, where that renumbers sections.
            let turns = (phase + circle.rate * length - landed) / circle.period;
            let turns = if wraps { turns.round() } else { -(landed / circle.period).floor() };
            end_phase = landed + turns * circle.period;
        }
        if self.varies() {
            self.vary_leap(cell, cells, length, end_phase);
        }
        let room = &mut self.linear;
        let Some(linear) = &self.modes[self.current].linear else {
            return false;
        };
        let exact = &linear.exact;
        self.state[..n].copy_from_slice(&room.values[..n]);
        if let Some(phase) = self.system.phase {
            self.state[phase] = end_phase;
        }
        room.leapt = !room.path;
        let reached = room.anchor.plus(room.cells as f64 * exact.cell);
        if room.cells == 0 || reached.value() != start.value() {
            (room.anchor, room.cells) = (start, 0);
        }
        room.cells += cells as u64;
        let run = room.cells;
        let end = room.anchor.plus(run as f64 * exact.cell);
        self.arrive((start, end), length);
        self.linear.cells = run;
        true
    }

    /// The slope of an output at `self.after`, if the mode is linear; the next step finds the generators ready if it begins there.
    pub(crate) fn linear_speed_after(&mut self, output: usize) -> Option<f64> {
        let linear = self.modes[self.current].linear.as_ref()?;
        let room = &mut self.linear;
        let generators = &mut room.generators[..linear.exact.size()];
        let phase = self.system.phase.map_or(0.0, |phase| self.after[phase]);
        linear.exact.generators(&self.after, phase, generators);
        (room.ready_phase, room.ready_mode) = (phase, self.current);
        Some(linear.exact.outputs[output].coefficient(generators, 1))
    }

    /// Passes the section by the phase of a forced model where the motion has reached it.
    pub(crate) fn pass_phase(&mut self) {
        let Some(linear) = &self.modes[self.current].linear else {
            return;
        };
        let (Some(circle), Some(phase)) = (&linear.exact.circle, self.system.phase) else {
            return;
        };
        let section = self.sections.len() - 1;
        if !self.watched_sections[section] || self.system.sections[section].declared.is_some() {
            return;
        }
        let cell = self.sections[section].cell_ahead(self.state[phase], circle.direction > 0.0);
        let passed = cell - self.sections[section].cell;
        self.sections[section].cell = cell;
        if passed != 0.0 {
            let mut point = std::mem::take(&mut self.watch.point);
            point.clear();
            point.extend_from_slice(&self.state);
            if self.passed(section, passed > 0.0, self.time.value(), &point) {
                self.ended.get_or_insert(Ended::ReachedReturns);
            }
            self.watch.point = point;
        }
    }
}
