//! Goes through the motions of a basin in the order of tasks: tells attractors apart, counts them, and recognizes them along a parameter.

use crate::error::Error;
use crate::naming::Naming;
use crate::tasks::runner::Finished;
use saltation_sweep as lower;
use saltation_sweep::{Attractors, Block, Met, Names, Plan, Track};

/// The most motions that ended early of which the reason is kept.
const MOST_EARLY: usize = 5;

/// An attractor with all that is counted.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// As it was met last.
    pub attractor: lower::Attractor,
    /// Where it is expected along the parameter.
    pub track: Track,
    /// The values of the parameters there.
    pub parameters: Vec<f64>,
    /// Where it was met first.
    pub from: Vec<f64>,
    /// The number of starts.
    pub count: u64,
}

/// How many starts there are, and of how many nothing is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// The motions that were asked for and done.
    pub done: u64,
    /// Those of which the attractor is not known, with those that never began.
    pub unknown: u64,
    /// Those that never began: their starts lie inside an obstacle, or have no value.
    pub no_motion: u64,
}

impl Counts {
    /// What fractions are of: the starts that have a motion.
    pub(crate) fn of(self) -> u64 {
        self.done - self.no_motion
    }
}

/// What was collected.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub found: Vec<Found>,
    /// The attractor of every task, if they are kept.
    pub of_tasks: Vec<Option<usize>>,
    /// For every value of the parameter, the starts that lead to each attractor, and of all.
    pub slices: Vec<(f64, Vec<u64>, Counts)>,
    /// Of all values together.
    pub counts: Counts,
    /// Motions that ended early, and starts without a motion: the first ones.
    pub early: Vec<(u64, String)>,
    pub no_motion: Vec<(u64, String)>,
}

impl Collected {
    /// Makes one attractor of two that turned out to be the same: the later one is given up.
    pub(crate) fn join(&mut self, kept: usize, gone: usize) {
        let Found { count, .. } = self.found.remove(gone);
        self.found[kept].count += count;
        for number in self.of_tasks.iter_mut().flatten() {
            *number = if *number == gone { kept } else { *number - usize::from(*number > gone) };
        }
        for (_, counts, _) in self.slices.iter_mut().filter(|(_, counts, _)| counts.len() > gone) {
            let count = counts.remove(gone);
            counts[kept] += count;
        }
    }
}

/// The motions at one value of the parameter.
#[derive(Default)]
struct Slice {
    met: Attractors,
    of_tasks: Vec<Option<usize>>,
    no_motion: u64,
}

/// Collects what was found.
pub(crate) fn collect(plan: &Plan, names: &Names, finished: &Finished, tolerance: f64) -> Result<Collected, Error> {
    let starts = plan.starts().len();
    let mut all = Collected::default();
    let mut slice = Slice::default();
    let mut present = None;
    finished.kept.each(names, plan, |block: &Block| {
        for (task, outcome) in (block.first..).zip(&block.outcomes) {
            let parameters = plan.point(task).parameters;
            if present.as_ref().is_some_and(|(number, _)| *number != task / starts) {
                close(&mut all, std::mem::take(&mut slice), present.take());
            }
            present.get_or_insert((task / starts, parameters));
            let ending = &outcome.ending;
            let list = if ending.is_no_motion() { &mut all.no_motion } else { &mut all.early };
            if !ending.is_complete() && !ending.is_rest() && list.len() < MOST_EARLY {
                list.push((task, outcome.ending.message.clone()));
            }
            slice.no_motion += u64::from(ending.is_no_motion());
            let reached = lower::Attractor::of(outcome, tolerance);
            slice.of_tasks.push(slice.met.meet(task, reached));
        }
    })?;
    close(&mut all, slice, present);
    Ok(all)
}

/// Adds the motions at one value of the parameter: every attractor is the nearest one of those met before that is like it, or a new one.
fn close(all: &mut Collected, slice: Slice, place: Option<(u64, Vec<f64>)>) {
    let Some((_, parameters)) = place else { return };
    let mut numbers: Vec<usize> = Vec::new();
    let value = parameters.first().copied().unwrap_or(0.0);
    for met in slice.met.list() {
        let like = |found: &Found| found.track.leads_to(&found.attractor, value, &met.attractor);
        let along = !parameters.is_empty();
        // From the latest: those at the value before are the nearest.
        let known = (0..all.found.len()).rev().find(|k| along && !numbers.contains(k) && like(&all.found[*k]));
        let number = known.unwrap_or(all.found.len());
        let Met { attractor, count, .. } = met.clone();
        match all.found.get_mut(number) {
            Some(found) => {
                found.track.go_on(&found.attractor, value, &attractor);
                (found.attractor, found.parameters) = (attractor, parameters.clone());
                found.count += count;
            }
            None => {
                let (parameters, from) = (parameters.clone(), parameters.clone());
                all.found.push(Found { attractor, track: Track::begun(value), parameters, from, count })
            }
        }
        numbers.push(number);
    }
    let mut counts = vec![0; all.found.len()];
    for (met, number) in slice.met.list().iter().zip(&numbers) {
        counts[*number] = met.count;
    }
    let (done, no_motion) = (slice.of_tasks.len() as u64, slice.no_motion);
    let here =
        Counts { done, unknown: slice.of_tasks.iter().filter(|number| number.is_none()).count() as u64, no_motion };
    all.counts.done += here.done;
    all.counts.unknown += here.unknown;
    all.counts.no_motion += here.no_motion;
    all.of_tasks.extend(slice.of_tasks.iter().map(|number| number.map(|k| numbers[k])));
    if let Some(value) = parameters.first() {
        all.slices.push((*value, counts, here));
    }
}

/// The words for an attractor: its period with its impacts, or what it is.
pub(crate) fn words(attractor: &lower::Attractor, naming: Naming) -> String {
    let contacts = naming.system.contact_names();
    let count = |(name, n): (&String, &u64)| match (n, contacts.len()) {
        (0, _) => None,
        (n, 1) => Some(crate::text::number::count(*n, "impact")),
        (n, _) => Some(format!("{n} at {name}")),
    };
    match attractor.kind {
        lower::Kind::Periodic(period) => {
            let mut impacts: Vec<String> = contacts.iter().zip(&attractor.impacts).filter_map(count).collect();
            if impacts.is_empty() && !contacts.is_empty() {
                impacts.push("no impact".to_string());
            }
            std::iter::once(format!("period {period}")).chain(impacts).collect::<Vec<_>>().join(", ")
        }
        lower::Kind::Aperiodic => "no period".to_string(),
        lower::Kind::Growing => "no bound within the record".to_string(),
        lower::Kind::Rest => "at rest".to_string(),
        lower::Kind::Unknown => "unknown".to_string(),
    }
}
