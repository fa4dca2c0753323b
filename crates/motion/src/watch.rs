//! Which event comes first on a step? The roots of the gaps, contact forces and sections, all of them polynomials.

use saltation_numerics::polynomial::{self, Minimum, Workspace};
use saltation_numerics::rounded::Rounded;

use crate::automaton::Motion;
use crate::ended::Ended;
use crate::event::EventKind;
use crate::friction::formulas::{Bound, Limit};
use crate::start::SLIP;
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
    /// Friction reaches a limit.
    Limit(Limit),
    /// A coefficient of friction falls below zero.
    Coefficient { contact: usize, output: usize },
    /// Several contacts close at the same time.
    Together,
    /// A section has been passed for the last time that was asked for.
    Return,
}

/// Something on a step that does not end it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mark {
    Section { section: usize, rising: bool },
    Graze { contact: usize },
}

/// Room for the work on one step.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    pub workspace: Workspace,
    pub row: Vec<f64>,
    /// Positive local minima of gaps: contact, place on the step, gap.
    minima: Vec<(usize, f64, f64)>,
    pub marks: Vec<(f64, Mark)>,
    /// Contacts that close at the same time.
    pub together: Vec<usize>,
    pub point: Vec<f64>,
    /// The largest gap of every contact at the beginning of a step so far: gaps are as exact as the coordinates were then.
    pub tallest: Vec<f64>,
    /// The largest absolute value of every number of the state.
    pub widest: Vec<f64>,
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
            tallest: Vec::new(),
            widest: Vec::new(),
        }
    }
}

/// A minimum this close to where two steps meet, relative to their length, may be found in either of them.
const MEETING: f64 = 1e-10;
/// The order up to which the motion at a negative gap is looked at.
const ORDER: usize = 6;
/// Gaps that are negative by more than this part of their change on a step are those of bodies inside each other.
const INSIDE: f64 = 1e-6;
/// Contacts that close within this time of each other, relative to the time itself or the length of the step, close together.
const TOGETHER: f64 = 1e-13;
impl Motion<'_> {
    /// Finds the first event on a step that could have this length, reports what happens before it, and gives the
    /// length up to it.
    pub(crate) fn watch_step(&mut self, start: Time, length: f64) -> (f64, Cause) {
        if let Some(ended) = self.penetrates(start, length) {
            self.ended = Some(ended);
            return (0.0, Cause::None);
        }
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
            let departed = &self.departed[contact];
            watch.row[..departed.len()].copy_from_slice(departed);
            let size = size_on(&watch.row, length);
            // Minima this close to zero are grazes.
            let graze_depth = self.settings.tolerance * size;
            let descent = polynomial::first_descent(&watch.row, length, vanishing, &mut watch.workspace);
            // A minimum where two steps meet is inside of neither, or, by rounding, of both.
            let meeting = MEETING * length;
            let counted = self.closing[contact] == Some(false);
            let found = descent.minima.first().is_some_and(|m| m.at <= meeting);
            let turns_here = vanishing == 0
                && !found
                && self.closing[contact] == Some(true)
                && slope_and_curvature(&watch.row, meeting).0 > 0.0;
            let here = turns_here.then_some(Minimum { at: 0.0, value: watch.row[0] });
            for minimum in here.iter().chain(descent.minima) {
                if minimum.value <= 0.0 || counted && minimum.at <= meeting {
                    continue;
                }
                watch.minima.push((contact, minimum.at, minimum.value));
                if minimum.value <= graze_depth {
                    watch.marks.push((minimum.at, Mark::Graze { contact }));
                }
            }
            if descent.undefined {
                return self.lose(self.system.gap_output(contact));
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
        if watch.together.len() > 1 && !self.system.joins() {
            cause = Cause::Together;
        }
        for (k, contact) in mode.closed.iter().enumerate() {
            let output = self.system.force_output(k);
            let force = mode.jet.output(&mode.tape, output);
            let vanishing = vanishing(&self.vanishing, output);
            let descent = polynomial::first_descent(&force[..=order], length, vanishing, &mut watch.workspace);
            if descent.undefined {
                return self.lose(output);
            }
            if let Some(at) = descent.root
                && at < end
            {
                end = at;
                cause = Cause::Release { contact };
            }
        }
        for &(contact, output) in &mode.coefficients {
            let row = mode.jet.output(&mode.tape, output);
            watch.row.clear();
            watch.row.extend_from_slice(&row[..=order]);
            // A coefficient that only touches zero may be below it by the error of the step.
            watch.row[0] += self.settings.tolerance * size_on(&watch.row, length);
            let descent = polynomial::first_descent(&watch.row, length, 0, &mut watch.workspace);
            if descent.undefined {
                return self.lose(output);
            }
            if let Some(at) = descent.root
                && at < end
            {
                end = at;
                cause = Cause::Coefficient { contact, output };
            }
        }

        for &limit in &mode.limits {
            if limit.kind == Bound::Speed && self.locked.contains(limit.contact) {
                continue;
            }
            let row = mode.jet.output(&mode.tape, limit.output);
            let vanishing = vanishing(&self.vanishing, limit.output);
            let descent = polynomial::first_descent(&row[..=order], length, vanishing, &mut watch.workspace);
            if descent.undefined {
                return self.lose(limit.output);
            }
            if let Some(at) = descent.root
                && at < end
            {
                end = at;
                cause = Cause::Limit(limit);
            }
        }

        // Sections on the way, also at its end; the last return asked for ends the step.
        for section in 0..self.sections.len() {
            self.pass_section(section, end);
            if self.has_failed() {
                return (0.0, Cause::None);
            }
        }
        let watch = &mut self.watch;
        watch.marks.sort_by(|a, b| a.0.total_cmp(&b.0));
        for position in 0..self.watch.marks.len() {
            let (at, mark) = self.watch.marks[position];
            if at > end {
                break;
            }
            if self.report(start, at, mark) {
                if at < end || cause == Cause::None {
                    end = at;
                    cause = Cause::Return;
                } else {
                    // Something else happens at the same time, and is not lost.
                    self.ended = Some(Ended::ReachedReturns);
                }
                self.unpass(position + 1);
                break;
            }
        }
        for contact in 0..self.system.contact_names.len() {
            if matches!(cause, Cause::Impact { contact: hit, .. } if hit == contact) {
                self.closing[contact] = None;
                continue;
            }
            let mode = &self.modes[self.current];
            let gap = mode.jet.output(&mode.tape, self.system.gap_output(contact));
            let late = end * (1.0 - MEETING);
            let turned = self.watch.minima.iter().any(|&(c, at, _)| c == contact && (late..=end).contains(&at));
            self.closing[contact] = Some(!turned && slope_and_curvature(gap, late).0 < 0.0);
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

    /// Whether a step begins inside an obstacle: with a gap that is negative beside its change on the step, and beside the terms that it is
    /// made of, those of its motion in the time in which that changes among them: a body that was just left by a force that is rounding
    /// has a gap that is rounding, of terms far larger than any gap so far.
    fn penetrates(&mut self, start: Time, length: f64) -> Option<Ended> {
        let (tallest, widest) = (&mut self.watch.tallest, &mut self.watch.widest);
        tallest.resize(self.system.contact_names.len(), 0.0);
        widest.resize(self.state.len(), 0.0);
        widest.iter_mut().zip(&self.state).for_each(|(widest, x)| *widest = widest.max(x.abs()));
        for contact in 0..self.system.contact_names.len() {
            let mode = &mut self.modes[self.current];
            let known = self.leaving[contact] > 0 || !self.departed[contact].is_empty();
            if mode.closed.contains(contact) || known {
                continue;
            }
            let output = self.system.gap_output(contact);
            let row = mode.jet.output(&mode.tape, output);
            let gap = row[0];
            let tallest = &mut self.watch.tallest[contact];
            *tallest = tallest.max(gap);
            if gap >= -SLIP * *tallest || gap >= -INSIDE * size_on(row, length) {
                continue;
            }
            // The rounding of the largest coordinates stays with them, and that of what they moved by, before its terms cancelled, since the
            // contact was left or the motion began.
            let past = self.crowd.flight(contact, start.value()).min(start.value());
            let sizes = self.state.iter().zip(&self.watch.widest);
            let data: Vec<Rounded> = sizes.map(|(&value, &size)| Rounded { value, size }).collect();
            let (_, sized) = mode.expand_sized(&self.parameters, &data, ORDER);
            let moved: Vec<Rounded> = (data.iter().enumerate())
                .map(|(i, x)| Rounded { value: x.value, size: reach(sized.state(i), past) })
                .collect();
            let (tape, sized) = mode.expand_sized(&self.parameters, &moved, 0);
            if sized.output(tape, output)[0].exceeds(SLIP) {
                return Some(Ended::Penetrated { contact, gap });
            }
        }
        None
    }

    /// Ends the motion where an output has no series: nothing is known of its roots.
    fn lose(&mut self, output: usize) -> (f64, Cause) {
        self.ended = Some(self.diagnose_output(output));
        (0.0, Cause::None)
    }

    /// Where a contact was left at the beginning of a step that an event cuts, its gap is at first too small to be had from the
    /// state: its lowest coefficients at the end of the step are taken from the polynomial itself, as far as the event does not change
    /// them. A new mode changes accelerations, an impact speeds.
    pub(crate) fn carry_departures(&mut self, length: f64, cause: Cause) {
        for contact in 0..self.departed.len() {
            let kept = match cause {
                Cause::None | Cause::Together | Cause::Coefficient { .. } => 0,
                Cause::Impact { contact: struck, .. }
                    if struck == contact || self.watch.together.contains(&contact) =>
                {
                    0
                }
                Cause::Impact { .. } => 1,
                Cause::Release { .. } | Cause::Limit(_) => 2,
                Cause::Return => usize::MAX,
            };
            let known = self.leaving[contact].max(self.departed[contact].len()).min(kept);
            if known == 0 {
                self.departed[contact].clear();
                continue;
            }
            let mode = &self.modes[self.current];
            let row = &mut self.watch.row;
            row.clear();
            row.extend_from_slice(mode.jet.output(&mode.tape, self.system.gap_output(contact)));
            row[..self.leaving[contact]].fill(0.0);
            let departed = &mut self.departed[contact];
            row[..departed.len()].copy_from_slice(departed);
            departed.clear();
            // Repeated synthetic division by s - length.
            for from in 0..known {
                let mut carried = 0.0;
                for c in row[from..].iter_mut().rev() {
                    carried = carried * length + *c;
                    *c = carried;
                }
                departed.push(row[from]);
            }
        }
    }

    /// The state has moved otherwise than along the polynomials of a step: every gap is what the state says.
    pub(crate) fn forget_departures(&mut self) {
        self.leaving.fill(0);
        self.departed.iter_mut().for_each(Vec::clear);
        self.vanishing.clear();
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
}

/// The size of a series in the time in which its value, its speed or its acceleration outweighs all that follows, or in a shorter one.
fn reach(series: &[Rounded], longest: f64) -> f64 {
    let mut sizes = [0.0; ORDER + 1];
    sizes.iter_mut().zip(series).filter(|(_, c)| c.size.is_finite()).for_each(|(size, c)| *size = c.size);
    let outweighs = |low: usize| {
        let later = (low + 1..=ORDER).map(|k| (sizes[low] / sizes[k]).powf(1.0 / (k - low) as f64));
        later.filter(|time| !time.is_nan()).fold(f64::INFINITY, f64::min)
    };
    size_on(&sizes, (0..=2).map(outweighs).fold(0.0, f64::max).min(longest))
}

/// So many leading coefficients of an output are known to vanish.
fn vanishing(known: &[(usize, usize)], output: usize) -> usize {
    known.iter().find(|(of, _)| *of == output).map_or(0, |&(_, order)| order)
}

/// The largest term of a polynomial on [0, length].
pub(crate) fn size_on(row: &[f64], length: f64) -> f64 {
    let mut power = 1.0;
    let mut size = 0.0_f64;
    for &c in row {
        size = size.max((c * power).abs());
        power *= length;
    }
    size
}

/// The first and second derivative of a polynomial.
pub(crate) fn slope_and_curvature(row: &[f64], s: f64) -> (f64, f64) {
    let (mut slope, mut curvature) = (0.0, 0.0);
    let mut value = 0.0;
    for &c in row.iter().rev() {
        curvature = curvature * s + slope;
        slope = slope * s + value;
        value = value * s + c;
    }
    (slope, 2.0 * curvature)
}
