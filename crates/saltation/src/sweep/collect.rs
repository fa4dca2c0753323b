//! Goes through the finished tasks of a sweep in their order: counts periods, follows attractors along the parameter, and keeps records if they are wanted.

use crate::error::Error;
use crate::named::Named;
use crate::naming::Naming;
use crate::sweep::Request;
use crate::sweep::answer::{self, Answer, Record, Task, TaskNames};
use crate::sweep::report::Stretch;
use crate::system::System;
use crate::tasks::runner::Finished;
use saltation_sweep::{self as lower, Attractors, Block, Names, Outcome, Plan, Point};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values of a parameter up to this number are part of an answer that is in a folder.
const MOST_VALUES: u64 = 1_000_000;
/// The most tasks that ended early of which the reason is kept.
const MOST_EARLY: usize = 5;

/// What a sweep found.
pub(crate) struct Collected {
    pub answer: Answer,
    pub early: Vec<(Vec<f64>, String)>,
    pub stretches: Vec<Stretch>,
}

/// What is collected on the way.
struct Collector<'a> {
    plan: &'a Plan,
    naming: Naming<'a>,
    names: TaskNames,
    tolerance: f64,
    /// Whether attractors are followed: along one parameter.
    follows: bool,
    keeps: bool,
    attractors: Attractors,
    /// Where each attractor was met first and last.
    places: Vec<[Vec<f64>; 2]>,
    records: Vec<Record>,
    tasks: Vec<Task>,
    periods: BTreeMap<String, u64>,
    early: Vec<(Vec<f64>, String)>,
    stretches: Vec<Stretch>,
}

impl Collector<'_> {
    fn block(&mut self, block: &Block) {
        for (task, outcome) in (block.first..).zip(&block.outcomes) {
            let point = self.plan.point(task);
            let attractor = self.attractor(task, &point, outcome);
            let ending = &outcome.ending;
            if !ending.is_complete() && !ending.is_rest() && self.early.len() < MOST_EARLY {
                self.early.push((point.parameters.clone(), outcome.ending.message.clone()));
            }
            let period = match (ending.is_complete(), ending.is_rest()) {
                (true, _) => outcome.period.map_or(0, |period| period.returns).to_string(),
                (false, true) => "rest".to_string(),
                (false, false) => "ended".to_string(),
            };
            *self.periods.entry(period).or_default() += 1;
            if self.follows {
                Stretch::add(&mut self.stretches, point.parameters[0], outcome, attractor);
            }
            if self.keeps {
                self.records(&point, outcome);
                self.tasks.push(Task::new(&self.names, self.naming, &point, outcome, attractor));
            }
        }
    }

    /// The number of the attractor of a task.
    fn attractor(&mut self, task: u64, point: &Point, outcome: &Outcome) -> Option<usize> {
        if !self.follows {
            return None;
        }
        let found =
            self.attractors.meet_next(task, point.parameters[0], lower::Attractor::of(outcome, self.tolerance))?;
        match self.places.get_mut(found) {
            Some(places) => places[1].clone_from(&point.parameters),
            None => self.places.push([point.parameters.clone(), point.parameters.clone()]),
        }
        Some(found)
    }

    fn records(&mut self, point: &Point, outcome: &Outcome) {
        let mut impacts = outcome.impacts.iter().peekable();
        for (k, state) in outcome.returns.iter().enumerate() {
            let mut speeds = Vec::new();
            while let Some(impact) = impacts.next_if(|impact| impact.before_return <= k as u64) {
                speeds.push(impact.speed);
            }
            let (value, second) = (point.parameters[0], point.parameters.get(1).copied());
            self.records.push(Record { value, second, state: self.naming.named(state), impact_speeds: speeds });
        }
    }
}

/// The answer of a sweep.
pub(crate) fn collect(
    system: &System,
    request: &Request,
    plan: &Plan,
    names: &Names,
    finished: &Finished,
    keeps: bool,
) -> Result<Collected, Error> {
    let naming = system.naming()?;
    let mut collector = Collector {
        plan,
        naming,
        names: TaskNames {
            parameters: names.parameters.clone().into(),
            contacts: names.contacts.clone().into(),
            extremes: names.extremes.clone(),
        },
        tolerance: request.method.tol,
        follows: plan.axes().len() == 1,
        keeps,
        attractors: Attractors::default(),
        places: Vec::new(),
        records: Vec::new(),
        tasks: Vec::new(),
        periods: BTreeMap::new(),
        early: Vec::new(),
        stretches: Vec::new(),
    };
    finished.kept.each(names, plan, |block| collector.block(block))?;
    let Collector {
        attractors,
        places,
        records,
        tasks,
        periods,
        early,
        stretches,
        names: TaskNames { parameters, contacts, .. },
        ..
    } = collector;
    let attractors = attractors.list().iter().zip(places).map(|(met, [from, to])| {
        let (kind, period) = answer::kind(met.attractor.kind);
        let impacts = contacts.iter().cloned().zip(met.attractor.impacts.iter().copied()).collect();
        let at = |place| Named::new(Arc::clone(&parameters), place);
        answer::Attractor { kind: kind.to_string(), period, impacts, count: met.count, from: at(from), to: at(to) }
    });
    let attractors = attractors.collect();
    let section = request.method.section.clone().or_else(|| {
        let index = naming.system.default_section()?;
        naming.system.section_names().nth(index).map(str::to_string)
    });
    let axis = |i: usize| plan.axes().get(i);
    let values = |i: usize| match axis(i) {
        Some(axis) if keeps || axis.len() <= MOST_VALUES => axis.values().collect(),
        _ => Vec::new(),
    };
    let fixed = |(name, _): &(&str, f64)| !plan.axes().iter().any(|axis| axis.name() == *name);
    let all = system.parameters();
    let (fixed_names, fixed_values): (Vec<String>, Vec<f64>) =
        all.iter().filter(fixed).map(|(name, value)| (name.to_string(), value)).unzip();
    let answer = Answer {
        parameter: axis(0).map(|axis| axis.name().to_string()).unwrap_or_default(),
        values: values(0),
        second: axis(1).map(|axis| axis.name().to_string()),
        second_values: values(1),
        records,
        tasks,
        attractors,
        done: finished.done,
        periods,
        section: section.unwrap_or_default(),
        settled: request.method.settle,
        recorded: request.method.record,
        carry: request.carry.name().to_string(),
        ended: finished.ended.0.clone(),
        message: finished.ended.1.clone(),
        model: system.model().name.clone(),
        parameters: Named::new(fixed_names.into(), fixed_values),
    };
    Ok(Collected { answer, early, stretches })
}
