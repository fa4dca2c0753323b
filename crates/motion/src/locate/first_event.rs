//! The first event on a step: roots of gaps, contact forces, friction limits and sections, all of them polynomials in the time since its start.
//!
//! For each open contact the critical points of the gap cut the step into monotone pieces; the first fall to zero is an impact, each positive
//! minimum before it a miss or, within the tolerance, a graze. Nothing outside the working room is changed: what was found is returned.

use saltation_expr::jet::LENGTH;
use saltation_numerics::polynomial::{self, Minimum, Workspace};

use super::cause::{Cause, Mark};
use super::departures::Departures;
use super::polynomials::{size_on, slope, slope_and_curvature};
use super::section::Sections;
use crate::mode::bound::BoundMode;
use crate::mode::{Bound, ClosedSet, Limit};
use crate::system::System;

/// A positive local minimum of a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NearMiss {
    pub contact: usize,
    /// Its time since the start of the step.
    pub at: f64,
    pub gap: f64,
}

/// Why nothing can be said of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Unlocated {
    /// An output has no finite series: nothing is known of its roots.
    Undefined { output: usize },
    /// A section is passed too often.
    Crowded { section: usize },
}

/// A step that could have some length, as location sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment<'a> {
    pub system: &'a System,
    /// The mode, whose jet has the polynomials of the step.
    pub mode: &'a BoundMode,
    pub departures: &'a Departures,
    pub sections: &'a Sections,
    /// Contacts whose friction is exhausted, but that others keep from slipping.
    pub locked: &'a ClosedSet,
    /// The time at its start, which says how exact times are.
    pub start: f64,
    pub length: f64,
    /// Whether the motion ends with it, so that what happens exactly at its end happens on it and not on the next one.
    pub last: bool,
    /// Minima of gaps below this part of their terms are grazes.
    pub tolerance: f64,
    /// The rounding of the function of every switch.
    pub rounding: &'a [f64],
    /// The part of its terms by which the series of an output may be wrong.
    pub truncation: f64,
}

impl Segment<'_> {
    /// The rounding of the function of a switch, if a limit is its surface.
    fn rounding_of(&self, limit: Limit) -> Option<f64> {
        let switch = ClosedSet::switch(limit.contact)?;
        matches!(limit.kind, Bound::Speed | Bound::Surface).then(|| self.rounding[switch])
    }
}

/// Where a function falls through zero, if it falls below what it is known to: touches, and what rounding leaves of a function that stays at zero, are no falls. `at` is its first root,
/// and `dip` the minimum behind it from which it rises again.
fn beyond_rounding(
    (row, vanishing): (&[f64], usize),
    rounding: f64,
    (at, dip): (f64, Option<f64>),
    until: f64,
    workspace: &mut Workspace,
) -> Option<f64> {
    let mut raised = [0.0; LENGTH];
    raised[vanishing.min(row.len())..row.len()].copy_from_slice(&row[vanishing.min(row.len())..]);
    raised[0] += rounding;
    let below = polynomial::first_descent(&raised[..row.len()], until, 0, workspace).root?;
    Some(if dip.is_some_and(|dip| dip < below) { below } else { at })
}

/// What was found on a step; `marks`, `misses`, `together` and `closing` of the [`Locator`] belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    /// The length up to the event.
    pub end: f64,
    pub cause: Cause,
    /// Whether the last return that was asked for is on the step, or something else happens in the same instant.
    pub returned: bool,
}

/// Room for the location of events, and what was found on the last step.
#[derive(Debug, Clone)]
pub(crate) struct Locator {
    workspace: Workspace,
    row: Vec<f64>,
    minima: Vec<NearMiss>,
    /// What happens up to the end, in order of time: the time since the start, and what it is.
    pub marks: Vec<(f64, Mark)>,
    /// Contacts that close at the end.
    pub together: Vec<usize>,
    /// Whether the gap of a contact was closing towards the end; unknown after an impact.
    pub closing: Vec<Option<bool>>,
}

/// A minimum this close to where two steps meet, relative to their length, may be found in either of them.
const MEETING: f64 = 1e-10;
/// A fall at the very end of a step shows in what its polynomial does on this many lengths.
const BEYOND: f64 = 1.001;
/// Contacts that close within this time of each other, relative to how long ago they were left, close together; relative to the time itself or the length of the step
/// where the state alone says how large their gaps are.
const TOGETHER: f64 = 1e-13;

impl Locator {
    /// Room for a number of contacts.
    pub(crate) fn new(contacts: usize) -> Locator {
        Locator {
            workspace: Workspace::new(),
            row: Vec::new(),
            minima: Vec::new(),
            marks: Vec::new(),
            together: Vec::new(),
            closing: vec![None; contacts],
        }
    }

    /// The positive minima of gaps up to the end of the step.
    pub(crate) fn misses(&self, found: Found) -> impl Iterator<Item = NearMiss> + '_ {
        self.minima.iter().copied().filter(move |miss| miss.at <= found.end)
    }

    /// Finds the first event on a step and what happens before it.
    ///
    /// # Errors
    /// A row that is not finite, or a section that is passed too often.
    pub(crate) fn first_event(&mut self, segment: &Segment) -> Result<Found, Unlocated> {
        self.minima.clear();
        self.marks.clear();
        self.together.clear();
        let mut end = segment.length;
        let mut cause = self.first_impact(segment, &mut end)?;
        self.first_fall(segment, &mut end, &mut cause)?;
        // Sections on the way, also at its end; the last return asked for ends the step.
        for section in 0..segment.sections.places.len() {
            self.pass_section(segment, section, end)?;
        }
        let found = self.up_to_return(segment, Found { end, cause, returned: false });
        self.look_ahead(segment, found);
        Ok(found)
    }

    /// The first impact, with all contacts that close in the same instant and all minima.
    fn first_impact(&mut self, segment: &Segment, end: &mut f64) -> Result<Cause, Unlocated> {
        let Segment { system, mode, departures, length, .. } = *segment;
        let mut cause = Cause::None;
        // For how long contacts that close together have been followed.
        let mut followed = 0.0_f64;
        for contact in (0..system.contact_names.len()).filter(|&contact| !mode.closed.contains(contact)) {
            let output = system.gap_output(contact);
            self.row.clear();
            self.row.extend_from_slice(&mode.output(output)[..=mode.order()]);
            if departures.stays(contact, &self.row, length, 0.0) {
                continue;
            }
            if departures.knows(contact) {
                departures.write(contact, &mut self.row);
            }
            let vanishing = departures.leaving[contact];
            let descent = polynomial::first_descent(&self.row, length, vanishing, &mut self.workspace);
            // A minimum where two steps meet is inside of neither, or, by rounding, of both.
            let meeting = MEETING * length;
            let counted = departures.closing[contact] == Some(false);
            let found = descent.minima.first().is_some_and(|m| m.at <= meeting);
            let turns_here = vanishing == 0
                && !found
                && departures.closing[contact] == Some(true)
                && slope(&self.row, meeting) > 0.0;
            let here = turns_here.then_some(Minimum { at: 0.0, value: self.row[0] });
            // Minima this close to zero are grazes.
            let graze_depth = || segment.tolerance * size_on(&self.row, length);
            for minimum in here.iter().chain(descent.minima) {
                if minimum.value <= 0.0 || counted && minimum.at <= meeting {
                    continue;
                }
                self.minima.push(NearMiss { contact, at: minimum.at, gap: minimum.value });
                if minimum.value <= graze_depth() {
                    self.marks.push((minimum.at, Mark::Graze { contact }));
                }
            }
            if descent.undefined {
                return Err(Unlocated::Undefined { output });
            }
            let Some(at) = descent.root else { continue };
            let own = departures.flight(contact, at).unwrap_or(segment.start.abs().max(length));
            let margin = TOGETHER * followed.max(own);
            if at > *end + margin {
                continue;
            }
            if at < *end - margin || cause == Cause::None {
                self.together.clear();
                followed = 0.0;
                // Entering with speed v against an acceleration a reaches a depth of v^2/(2a).
                let (speed, acceleration) = slope_and_curvature(&self.row, at);
                let graze = acceleration > 0.0 && speed * speed <= 2.0 * acceleration * graze_depth();
                cause = Cause::Impact { contact, graze };
            }
            self.together.push(contact);
            followed = followed.max(own);
            *end = end.min(at);
        }
        if self.together.len() > 1 && !system.joins() {
            cause = Cause::Together;
        }
        Ok(cause)
    }

    /// The first fall of a contact force, of a coefficient of friction, of a limit of friction or of a switch to zero, if it comes before `end`.
    fn first_fall(&mut self, segment: &Segment, end: &mut f64, cause: &mut Cause) -> Result<(), Unlocated> {
        let Segment { system, mode, departures, length, .. } = *segment;
        if mode.closed.is_empty() && mode.limits.is_empty() {
            return Ok(());
        }
        let order = mode.order();
        let mut falls = |row: &[f64], output: usize, vanishing: usize, what: Cause| {
            let descent = polynomial::first_descent(row, length, vanishing, &mut self.workspace);
            if descent.undefined {
                return Err(Unlocated::Undefined { output });
            }
            let (root, dip) = (descent.root, descent.dip);
            // A switch at the instant of an impact is left to that.
            let margin = match (*cause, what) {
                (Cause::Impact { .. }, Cause::Limit(limit)) if ClosedSet::switch(limit.contact).is_some() => {
                    TOGETHER * segment.start.abs().max(length)
                }
                _ => 0.0,
            };
            let before = |at: &f64| *at < *end - margin || segment.last && *at == *end && *cause == Cause::None;
            let Some(at) = root.filter(before) else { return Ok(()) };
            let at = match what {
                Cause::Limit(limit) => match segment.rounding_of(limit) {
                    Some(rounding) => {
                        let rounding = rounding.max(segment.truncation * size_on(row, length));
                        let until = if *cause == Cause::None { BEYOND * length } else { *end };
                        let place = (at, dip.map(|dip| dip.at));
                        match beyond_rounding((row, vanishing), rounding, place, until, &mut self.workspace) {
                            Some(at) => at.min(*end),
                            None => return Ok(()),
                        }
                    }
                    None => at,
                },
                _ => at,
            };
            (*end, *cause) = (at, what);
            Ok(())
        };
        for (k, contact) in mode.closed.iter().enumerate() {
            let output = system.force_output(k);
            let force = mode.output(output);
            falls(&force[..=order], output, departures.vanishing(output), Cause::Release { contact })?;
        }
        for &(contact, output) in &mode.coefficients {
            self.row.clear();
            self.row.extend_from_slice(&mode.output(output)[..=order]);
            // A coefficient that only touches zero may be below it by the error of the step.
            self.row[0] += segment.tolerance * size_on(&self.row, length);
            falls(&self.row, output, 0, Cause::Coefficient { contact, output })?;
        }
        let limits = mode.limits.iter().copied();
        for limit in limits.filter(|limit| limit.kind != Bound::Speed || !segment.locked.contains(limit.contact)) {
            let row = &mode.output(limit.output)[..=order];
            let rounding =
                ClosedSet::switch(limit.contact).map_or(0.0, |k| segment.rounding.get(k).copied().unwrap_or(0.0));
            if matches!(limit.kind, Bound::Speed | Bound::Surface)
                && departures.stays(limit.contact, row, length, rounding)
            {
                continue;
            }
            falls(row, limit.output, departures.vanishing(limit.output), Cause::Limit(limit))?;
        }
        Ok(())
    }

    /// Marks every passage of a section by its formula up to `end`.
    fn pass_section(&mut self, segment: &Segment, section: usize, end: f64) -> Result<(), Unlocated> {
        let Segment { system, mode, sections, .. } = *segment;
        let known = &system.sections[section];
        // Steps of an exact flow end where the phase is passed.
        if !sections.watched[section] || mode.linear.is_some() && known.declared.is_none() {
            return Ok(());
        }
        let output = system.section_output(known);
        self.row.clear();
        self.row.extend_from_slice(&mode.output(output)[..=mode.order()]);
        if !self.row.iter().all(|c| c.is_finite()) {
            return Err(Unlocated::Undefined { output });
        }
        let marks = &mut self.marks;
        let mark = |at: f64, rising: bool| marks.push((at, Mark::Section { section, rising }));
        let passed = sections.places[section].passages(&mut self.row, end, &mut self.workspace, mark);
        if passed { Ok(()) } else { Err(Unlocated::Crowded { section }) }
    }

    /// Orders the marks, and ends the step at the last return that is asked for.
    fn up_to_return(&mut self, segment: &Segment, mut found: Found) -> Found {
        if self.marks.is_empty() {
            return found;
        }
        self.marks.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut kept = 0;
        let mut returns = segment.sections.left();
        for &(at, mark) in &self.marks {
            if at > found.end {
                break;
            }
            kept += 1;
            let Mark::Section { section, rising } = mark else { continue };
            if !segment.sections.is_return(segment.system, section, rising) {
                continue;
            }
            returns = returns.map(|left| left.saturating_sub(1));
            if returns == Some(0) {
                found.returned = true;
                // Else something else happens at the same time, and is not lost.
                if at < found.end || found.cause == Cause::None {
                    (found.end, found.cause) = (at, Cause::Return);
                }
                break;
            }
        }
        self.marks.truncate(kept);
        found
    }

    /// Whether gaps are closing towards the end of the step: then a minimum where the next one begins is new.
    fn look_ahead(&mut self, segment: &Segment, found: Found) {
        let Segment { system, mode, .. } = *segment;
        let late = found.end * (1.0 - MEETING);
        for contact in 0..self.closing.len() {
            let struck = matches!(found.cause, Cause::Impact { contact: hit, .. } if hit == contact);
            let here = |miss: &NearMiss| miss.contact == contact && (late..=found.end).contains(&miss.at);
            let turned = self.minima.iter().any(here);
            let gap = mode.output(system.gap_output(contact));
            self.closing[contact] = (!struck).then(|| !turned && slope(gap, late) < 0.0);
        }
    }
}
