//! Sections: where their formulas pass zero (modulo a period) on a step, each passage exactly once, and how often they have been passed.

use saltation_expr::{Jet, Tape};
use saltation_model::{Direction, SectionKind, Values};
use saltation_numerics::elementary;
use saltation_numerics::number::nearest;
use saltation_numerics::polynomial::{self, Crossing, Workspace};

use super::polynomials::{slope, variation};
use crate::flow::linear::ON_GRID;
use crate::instant::knowledge::{EVALUATED, ROUNDING};
use crate::system::{Section, System};

/// A section that is passed more often than this in one step has a period that the motion cannot resolve.
const MOST_PASSAGES: f64 = 10_000.0;
/// A motion without bound is taken in at most so many steps because of its sections.
const MOST_STEPS: f64 = 1e7;
/// Phases this close to their section, relative to the period, are on it: twice what is taken for a point of the grid.
const PHASE_ON_SECTION: f64 = 2.0 * ON_GRID;

/// Where the motion is with respect to one section.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SectionState {
    /// The value that belongs to the section.
    pub offset: f64,
    /// Values are compared modulo this period; infinite if they are not.
    pub period: f64,
    /// The number of the period in which the value lies: it has passed the section `cell` times in all, upwards counted
    /// positive. Without a period: 0 above the section, -1 below.
    pub cell: f64,
    /// How often the section has been passed in its direction.
    pub returns: u64,
}

impl SectionState {
    /// A section before the trajectory has been placed with respect to it.
    pub(crate) fn new(section: &Section, system: &System, values: &Values) -> SectionState {
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

    /// Whether all values between two lie in the present cell.
    pub(crate) fn keeps_cell(&self, low: f64, high: f64) -> bool {
        self.cell_of(low) == self.cell && self.cell_of(high) == self.cell
    }

    /// Whether a value that stays between two bounds and goes no further than `variation` passes no section, as [`SectionState::passages`] would find. Where it begins on one it
    /// leaves it, if it is known to have a slope there.
    pub(crate) fn stays(&self, (low, high): (f64, f64), (value, slope): (f64, f64), variation: f64) -> bool {
        let rounding = EVALUATED * ((value - self.offset).abs() + self.offset.abs()).max(variation);
        let inside = |bound: f64, end: f64, outwards: f64| {
            let distance = outwards * (end - (bound - self.offset));
            distance > rounding || bound == value && outwards * slope < 0.0 && distance >= -rounding
        };
        if self.period.is_finite() {
            let ends = (self.cell * self.period, (self.cell + 1.0) * self.period);
            return inside(low, ends.0, -1.0) && inside(high, ends.1, 1.0);
        }
        if self.cell >= 0.0 { inside(low, 0.0, -1.0) } else { inside(high, 0.0, 1.0) }
    }

    /// The cell that a value is in or about to enter, if it rises or falls; values on the section up to rounding are.
    pub(crate) fn cell_ahead(&self, value: f64, rising: bool) -> f64 {
        let turns = (value - self.offset) / self.period;
        let nearest = nearest(turns);
        if (turns - nearest).abs() <= PHASE_ON_SECTION {
            return if rising { nearest } else { nearest - 1.0 };
        }
        turns.floor()
    }

    /// The cell of a value.
    pub(crate) fn cell_of(&self, value: f64) -> f64 {
        let distance = value - self.offset;
        if self.period.is_finite() {
            (distance / self.period).floor()
        } else if distance >= 0.0 {
            0.0
        } else {
            -1.0
        }
    }

    /// Whether a value is on the section, up to rounding.
    pub(crate) fn is_on(&self, value: f64, rounding: f64) -> bool {
        let distance = value - self.offset;
        let level = if self.period.is_finite() { nearest(distance / self.period) * self.period } else { 0.0 };
        (distance - level).abs() <= rounding
    }

    /// The cell behind the section that a value has reached, up to rounding, from the present cell with this slope.
    pub(crate) fn cell_behind(&self, value: f64, slope: f64, rounding: f64) -> Option<f64> {
        let next = if slope > 0.0 { self.cell + 1.0 } else { self.cell - 1.0 };
        // A section lies at the lower end of its cell.
        let section = self.cell.max(next);
        let level = if self.period.is_finite() { section * self.period } else { 0.0 };
        let is_there = self.period.is_finite() || section == 0.0;
        (slope != 0.0 && is_there && (value - self.offset - level).abs() <= rounding).then_some(next)
    }

    /// Gives the place of every passage of the section on [0, end] and whether it rises, `row` having the coefficients of the value; `false` if there are
    /// too many.
    pub(crate) fn passages(
        &self,
        row: &mut [f64],
        end: f64,
        workspace: &mut Workspace,
        mut passes: impl FnMut(f64, bool),
    ) -> bool {
        row[0] -= self.offset;
        let value = row[0];
        // All levels that the value can variation on the step, and those that rounding may have put it on the wrong side of.
        let variation = variation(row, end);
        let rounding = EVALUATED * (value.abs() + self.offset.abs()).max(variation);
        let levels = if self.period.is_finite() {
            let first = ((value - variation - rounding) / self.period).ceil().min(self.cell);
            let last = ((value + variation + rounding) / self.period).floor().max(self.cell + 1.0);
            (first, last)
        } else {
            (0.0, 0.0)
        };
        if levels.1 - levels.0 > MOST_PASSAGES {
            return false;
        }
        let mut level = levels.0;
        while level <= levels.1 {
            let shift = if self.period.is_finite() { level * self.period } else { 0.0 };
            let before = if self.cell >= level { 1.0 } else { -1.0 };
            row[0] = value - shift;
            if row[0].abs() <= rounding {
                // On the section: the side is where the motion continues, so that nothing is passed twice.
                row[0] = 0.0;
            }
            if row[0].abs() <= variation || row[0] * before < 0.0 {
                let slope = slope(row, end);
                for root in polynomial::sign_changes(row, end, before, workspace).roots {
                    // A change that only rounding at the end of the step shows belongs to the next one, if it takes place.
                    if root.at > 0.0 && (end - root.at) * slope.abs() <= rounding {
                        break;
                    }
                    passes(root.at, root.crossing == Crossing::Rising);
                }
            }
            level += 1.0;
        }
        true
    }

    /// The cell of a motion that begins with these coefficients of the section's value: a section on which it begins is left, not passed.
    pub(crate) fn cell_at_start(&self, row: &[f64]) -> f64 {
        // At a root of zero only the first coefficients have a value.
        let row = &row[..row.iter().position(|c| !c.is_finite()).unwrap_or(row.len()).max(1)];
        let size = row.iter().fold(0.0_f64, |m, c| m.max(c.abs())).max(self.offset.abs());
        let on = |level: f64| (row[0] - self.offset - level).abs() <= ROUNDING * size;
        let nearest = if self.period.is_finite() { ((row[0] - self.offset) / self.period).round() } else { 0.0 };
        let level = if self.period.is_finite() { nearest * self.period } else { 0.0 };
        if !on(level) {
            return self.cell_of(row[0]);
        }
        let leaves_up = row[1..].iter().find(|c| c.abs() > ROUNDING * size).is_none_or(|&c| c > 0.0);
        if leaves_up { nearest } else { nearest - 1.0 }
    }
}

/// All sections of a motion.
#[derive(Debug, Clone)]
pub(crate) struct Sections {
    pub places: Vec<SectionState>,
    /// Sections whose passages are looked for on the steps: those given by formulas, but phases of a forced model only
    /// if one is what counts returns.
    pub watched: Vec<bool>,
    /// The section whose returns are counted, and how many end the motion.
    asked: Option<(usize, u64)>,
    /// Whether the last return that was asked for has taken place, and whether a jump began on the section there.
    pub returned: bool,
    pub by_jump: bool,
    /// Sections on which a jump has put the motion, until its mode is decided.
    pub landed: Vec<usize>,
}

impl Sections {
    /// The sections of a system before the trajectory has been placed with respect to them.
    pub(crate) fn new(system: &System, values: &Values, asked: Option<(usize, u64)>) -> Sections {
        let places = system.sections.iter().map(|section| SectionState::new(section, system, values)).collect();
        let watched = (0..system.sections.len()).map(|section| is_watched(system, section, asked)).collect();
        Sections { places, watched, asked, returned: false, by_jump: false, landed: Vec::new() }
    }

    /// A new motion begins, with other returns to be counted.
    pub(crate) fn restart(&mut self, system: &System, asked: Option<(usize, u64)>) {
        self.places.iter_mut().for_each(|place| (place.cell, place.returns) = (0.0, 0));
        for (section, watched) in self.watched.iter_mut().enumerate() {
            *watched = is_watched(system, section, asked);
        }
        (self.asked, self.returned, self.by_jump) = (asked, false, false);
        self.landed.clear();
    }

    /// The motion continues until so many more returns to a section. The sections that are watched from here on and were not before.
    pub(crate) fn extend(&mut self, system: &System, asked: Option<(usize, u64)>) -> Vec<usize> {
        self.asked = asked.map(|(section, count)| (section, self.places[section].returns + count));
        (self.returned, self.by_jump) = (false, false);
        let new = (0..self.watched.len()).filter(|&s| !self.watched[s] && is_watched(system, s, asked));
        let new: Vec<usize> = new.collect();
        new.iter().for_each(|&section| self.watched[section] = true);
        new
    }

    /// How many returns are left of those that were asked for.
    pub(crate) fn left(&self) -> Option<u64> {
        self.asked.map(|(section, count)| count.saturating_sub(self.places[section].returns))
    }

    /// Whether the passage of a section is one of the returns that are asked for.
    pub(crate) fn is_return(&self, system: &System, section: usize, rising: bool) -> bool {
        self.asked.is_some_and(|(wanted, _)| wanted == section) && counts(&system.sections[section], rising)
    }

    /// Counts the passage of a section in its direction; whether it is one that is reported. The last one that was asked for sets
    /// [`Sections::returned`].
    pub(crate) fn count(&mut self, system: &System, section: usize, rising: bool) -> bool {
        let known = &system.sections[section];
        let asked = self.asked.filter(|&(wanted, _)| wanted == section);
        // A phase of a forced model is reported only if it is what counts returns.
        if !counts(known, rising) || known.of_phase && asked.is_none() {
            return false;
        }
        self.places[section].returns += 1;
        self.returned |= asked.is_some_and(|(_, count)| self.places[section].returns >= count);
        true
    }

    /// A length of step, at most the given one, on which no section is passed very often; the jet of the mode has the polynomials of the step. A step that is as long as its
    /// series allow, and not without bound, is shortened where its passages would be too many only.
    ///
    /// # Errors
    /// The section that is passed so often that the remaining time would take too many steps.
    pub(crate) fn resolved_length(
        &self,
        system: &System,
        (tape, jet): (&Tape, &Jet<f64>),
        (length, boundless): (f64, bool),
        remaining: f64,
    ) -> Result<f64, usize> {
        let mut longest = length;
        for (section, place) in self.places.iter().enumerate().filter(|&(section, _)| self.is_periodic(section)) {
            let values = jet.output(tape, system.section_output(&system.sections[section]));
            let far = 0.1 * MOST_PASSAGES * place.period;
            let crowded = || 2.0 * variation(values, longest) > MOST_PASSAGES * place.period;
            if longest.is_infinite() || !boundless && crowded() {
                // No longer than to the returns that are asked for.
                let asked = self.asked.filter(|&(wanted, _)| wanted == section).and(self.left());
                let returns = asked.map_or(far, |left| (left as f64 + 1.0) * place.period);
                longest = longest.min(time_to_move(values, far.min(returns)));
            } else if !boundless {
                continue;
            }
            while variation(values, longest) > far && longest > 0.0 {
                longest *= 0.5;
            }
        }
        let crowded = longest < length && remaining.is_finite() && remaining > MOST_STEPS * longest;
        let section = (0..self.places.len()).find(|&section| crowded && self.is_periodic(section));
        section.map_or(Ok(longest), Err)
    }

    /// Whether a section is watched and its formula has a period.
    pub(crate) fn is_periodic(&self, section: usize) -> bool {
        self.watched[section] && self.places[section].period.is_finite()
    }
}

/// The time in which some term of a polynomial reaches a size; infinite if nothing moves.
fn time_to_move(row: &[f64], size: f64) -> f64 {
    let terms = row.iter().enumerate().skip(1).filter(|(_, c)| **c != 0.0);
    terms.map(|(k, c)| elementary::powf((size / c).abs(), 1.0 / k as f64)).fold(f64::INFINITY, f64::min)
}

/// Whether the passages of a section are looked for on steps.
fn is_watched(system: &System, section: usize, asked: Option<(usize, u64)>) -> bool {
    let known = &system.sections[section];
    known.formula.is_some() && (!known.of_phase || asked.is_some_and(|(wanted, _)| wanted == section))
}

/// Whether a passage is in the direction of the section.
fn counts(section: &Section, rising: bool) -> bool {
    match section.direction {
        Direction::Rising => rising,
        Direction::Falling => !rising,
        Direction::Any => true,
    }
}
