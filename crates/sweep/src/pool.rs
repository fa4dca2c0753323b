//! The tasks that one thread has on their way at the same time: their motions go on step by step, and the next steps of those in the same mode are prepared together.
//!
//! A task depends on its point and, where states are carried, on the task before it, and on nothing that is on its way beside it.

use crate::block::Block;
use crate::chain::{Chain, Place};
use crate::engine::{Outlet, Source};
use crate::plan::{Carry, Plan};
use crate::task::{Outcome, Running, Worker};
use saltation_motion::Together;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

/// So many tasks are on their way at the same time.
const PLACES: usize = 24;

/// Tasks that are done one after another: those of a chain where states are carried, or one.
#[derive(Debug)]
struct Course {
    /// The blocks that follow the present one.
    blocks: Range<u64>,
    /// The tasks of the present block that follow the present one.
    tasks: Range<u64>,
    task: u64,
    carried: Option<Place>,
}

/// A task on its way, and those that follow it.
#[derive(Debug)]
struct Berth<'s> {
    course: Course,
    running: Running<'s>,
}

/// The tasks on their way, and the blocks to which they belong.
#[derive(Debug)]
pub(crate) struct Pool<'s> {
    plan: &'s Plan,
    worker: Worker<'s>,
    berths: Vec<Berth<'s>>,
    /// Tasks of a block that have not begun, where no states are carried.
    left: Range<u64>,
    /// The blocks that are not complete, and what their tasks have found so far.
    open: Vec<(Block, Vec<Option<Outcome>>)>,
    together: Together,
}

impl<'s> Pool<'s> {
    pub(crate) fn new(plan: &'s Plan, worker: Worker<'s>) -> Pool<'s> {
        Pool { plan, worker, berths: Vec::new(), left: 0..0, open: Vec::new(), together: Together::new() }
    }

    /// Takes chains and does their tasks until there are no more, or until an interruption.
    pub(crate) fn work<I: Iterator<Item = Chain>>(&mut self, source: &Source<I>, outlet: &Outlet<Block>) {
        let mut begun = 0;
        loop {
            if outlet.stop().load(Ordering::Relaxed) {
                return self.interrupt(outlet);
            }
            // Motions that are not prepared gain nothing from others beside them, and may take all memory near the processor.
            while self.berths.len() < PLACES
                && !outlet.stop().load(Ordering::Relaxed)
                && self.berths.iter().all(|berth| berth.running.asks_for_series())
                && let Some(course) = self.next(source, &mut begun)
            {
                self.begin(course, outlet);
            }
            // Chains end where nothing of them is on its way any more.
            while begun > self.chains() {
                source.ended();
                begun -= 1;
            }
            if self.berths.is_empty() {
                // Nothing is left, or nothing more is begun.
                return self.interrupt(outlet);
            }
            self.together.prepare(&mut self.berths, |berth| berth.running.motion());
            let mut place = 0;
            while place < self.berths.len() && !outlet.stop().load(Ordering::Relaxed) {
                let running = &mut self.berths[place].running;
                // What fails in one task is no matter of the others.
                match catch_unwind(AssertUnwindSafe(|| running.go_on())) {
                    Ok(false) => place += 1,
                    Ok(true) => {
                        let Berth { course, running } = self.berths.swap_remove(place);
                        let found = catch_unwind(AssertUnwindSafe(|| running.outcome(outlet.stop())));
                        let outcome = found.unwrap_or_else(|panic| self.worker.failed(reason(&*panic)));
                        let next = self.end(course, outcome, outlet);
                        next.into_iter().for_each(|course| self.begin(course, outlet));
                    }
                    Err(panic) => {
                        let Berth { course, .. } = self.berths.swap_remove(place);
                        let next = self.end(course, self.worker.failed(reason(&*panic)), outlet);
                        next.into_iter().for_each(|course| self.begin(course, outlet));
                    }
                }
            }
        }
    }

    /// The next tasks that can begin.
    fn next<I: Iterator<Item = Chain>>(&mut self, source: &Source<I>, begun: &mut usize) -> Option<Course> {
        if let Some(task) = self.left.next() {
            return Some(Course { blocks: 0..0, tasks: 0..0, task, carried: None });
        }
        let Chain { mut blocks, carried } = source.next(self.chains())?;
        *begun += 1;
        if self.plan.carry() == Carry::None {
            for block in blocks {
                let tasks = self.open(block);
                // Blocks follow each other.
                self.left = if self.left.is_empty() { tasks } else { self.left.start..tasks.end };
            }
            return self.next(source, begun);
        }
        let Some(block) = blocks.next() else { return self.next(source, begun) };
        let mut tasks = self.open(block);
        let task = tasks.next()?;
        Some(Course { blocks, tasks, task, carried })
    }

    /// The number of chains on their way: each has a block that is not complete.
    fn chains(&self) -> usize {
        self.open.len()
    }

    /// A block begins.
    fn open(&mut self, index: u64) -> Range<u64> {
        let tasks = self.plan.block(index);
        let none = tasks.clone().map(|_| None).collect();
        self.open.push((Block { index, first: tasks.start, outcomes: Vec::new() }, none));
        tasks
    }

    /// Begins the first task of a course that has a motion.
    fn begin(&mut self, course: Course, outlet: &Outlet<Block>) {
        let mut next = Some(course);
        while let Some(mut course) = next.filter(|_| !outlet.stop().load(Ordering::Relaxed)) {
            let begin = || self.worker.begin(&self.plan.point(course.task), course.carried.as_ref());
            let outcome = match catch_unwind(AssertUnwindSafe(begin)) {
                Ok(Ok(running)) => {
                    course.carried = None;
                    self.berths.push(Berth { course, running });
                    return;
                }
                Ok(Err(outcome)) => *outcome,
                Err(panic) => self.worker.failed(reason(&*panic)),
            };
            next = self.end(course, outcome, outlet);
        }
    }

    /// A task has ended; the rest of its course.
    fn end(&mut self, mut course: Course, outcome: Outcome, outlet: &Outlet<Block>) -> Option<Course> {
        if outcome.ending.is_interrupted() {
            return None;
        }
        course.carried = if self.plan.carry() == Carry::None { None } else { outcome.carries() };
        self.keep(course.task, outcome, outlet);
        course.task = course.tasks.next().or_else(|| {
            let block = course.blocks.next()?;
            course.tasks = self.open(block);
            course.tasks.next()
        })?;
        Some(course)
    }

    /// Keeps what a task has found, and delivers its block if that is complete.
    fn keep(&mut self, task: u64, outcome: Outcome, outlet: &Outlet<Block>) {
        let holds = |(block, outcomes): &(Block, Vec<Option<Outcome>>)| {
            (block.first..block.first + outcomes.len() as u64).contains(&task)
        };
        let Some(place) = self.open.iter().position(holds) else { return };
        let (block, outcomes) = &mut self.open[place];
        outcomes[(task - block.first) as usize] = Some(outcome);
        if outcomes.iter().all(Option::is_some) {
            self.deliver(place, outlet);
        }
    }

    /// Delivers what the first tasks of a block have found, up to one that is not done.
    fn deliver(&mut self, place: usize, outlet: &Outlet<Block>) {
        let (mut block, outcomes) = self.open.swap_remove(place);
        block.outcomes.extend(outcomes.into_iter().map_while(|outcome| outcome));
        outlet.send(block);
    }

    /// The work ends or is to stop: what is done is delivered.
    fn interrupt(&mut self, outlet: &Outlet<Block>) {
        self.berths.clear();
        while !self.open.is_empty() {
            self.deliver(0, outlet);
        }
    }
}

/// What a panic says.
fn reason(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason is known")
}
