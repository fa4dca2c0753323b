//! Goes through the motions of a basin in the order of tasks: tells attractors apart, counts them, and recognizes them along a parameter.

use crate::error::Error;
use crate::naming::Naming;
use crate::tasks::runner::Finished;
use saltation_sweep as lower;
use saltation_sweep::{Attractors, Block, Met, Names, Plan};

/// The most motions that ended early of which the reason is kept.
const MOST_EARLY: usize = 5;

/// An attractor with all that is counted.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// As it was met last.
    pub attractor: lower::Attractor,
    /// The values of the parameters there.
    pub parameters: Vec<f64>,
    /// Where it was met first.
    pub from: Vec<f64>,
    /// The number of starts.
    pub count: u64,
}

/// What was collected.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub found: Vec<Found>,
    /// The attractor of every task, if they are kept.
    pub of_tasks: Vec<Option<usize>>,
    /// For every value of the parameter, the number of starts that lead to each attractor, and of all.
    pub slices: Vec<(f64, Vec<u64>, u64)>,
    pub unknown: u64,
    pub done: u64,
    pub early: Vec<(u64, String)>,
}

/// The motions at one value of the parameter.
#[derive(Default)]
struct Slice {
    met: Attractors,
    of_tasks: Vec<Option<usize>>,
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
            if !ending.is_complete() && !ending.is_rest() && all.early.len() < MOST_EARLY {
                all.early.push((task, outcome.ending.message.clone()));
            }
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
    for met in slice.met.list() {
        let like = |found: &Found| met.attractor.is_next(&found.attractor);
        let along = !parameters.is_empty();
        // From the latest: those at the value before are the nearest.
        let known = (0..all.found.len()).rev().find(|k| along && !numbers.contains(k) && like(&all.found[*k]));
        let number = known.unwrap_or(all.found.len());
        let Met { attractor, count, .. } = met.clone();
        match all.found.get_mut(number) {
            Some(found) => {
                (found.attractor, found.parameters) = (attractor, parameters.clone());
                found.count += count;
            }
            None => {
                all.found.push(Found { attractor, parameters: parameters.clone(), from: parameters.clone(), count })
            }
        }
        numbers.push(number);
    }
    let mut counts = vec![0; all.found.len()];
    for (met, number) in slice.met.list().iter().zip(&numbers) {
        counts[*number] = met.count;
    }
    let total = slice.of_tasks.len() as u64;
    all.done += total;
    all.unknown += slice.of_tasks.iter().filter(|number| number.is_none()).count() as u64;
    all.of_tasks.extend(slice.of_tasks.iter().map(|number| number.map(|k| numbers[k])));
    if let Some(value) = parameters.first() {
        all.slices.push((*value, counts, total));
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
        lower::Kind::Rest => "at rest".to_string(),
        lower::Kind::Unknown => "unknown".to_string(),
    }
}
