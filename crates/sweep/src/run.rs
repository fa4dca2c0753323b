//! Computes the blocks of a plan on several threads; a chain that was begun before is taken up where its last block ended.

use crate::block::Block;
use crate::engine::{self, EngineError};
use crate::plan::Plan;
use crate::pool::Pool;
use crate::task::{Method, Worker};
use saltation_model::Values;
use saltation_motion::{ClosedSet, System};
use std::ops::Range;

/// Where a motion ended: its state and the closed contacts.
pub type Place = (Vec<f64>, ClosedSet);

/// Blocks that are to be computed one after another, and where the first of them begins, if it is carried there.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// The blocks.
    pub blocks: Range<u64>,
    /// Where the task before them ended.
    pub carried: Option<Place>,
}

/// What is computed: a plan for a system, by a method.
#[derive(Debug, Clone, Copy)]
pub struct Sweep<'s> {
    /// The system.
    pub system: &'s System,
    /// The numbers of the model, of which tasks change some.
    pub values: &'s Values,
    /// The positions of the swept parameters in the model, in the order of the axes.
    pub parameters: &'s [usize],
    /// The tasks.
    pub plan: &'s Plan,
    /// How each is done.
    pub method: &'s Method,
}

impl Sweep<'_> {
    /// Computes chains of blocks. `receive` takes each block on the calling thread as it is finished, an interrupted one with fewer tasks, and `look` is called
    /// now and then; both return whether to continue.
    ///
    /// Each task depends on nothing but its point and, where states are carried, on the task before it: the same bits are found on any number
    /// of threads.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn run(
        &self,
        threads: usize,
        chains: impl Iterator<Item = Chain> + Send,
        receive: impl FnMut(Block) -> bool,
        look: impl FnMut() -> bool,
    ) -> Result<(), EngineError> {
        let Sweep { system, values, parameters, plan, method } = *self;
        let compute = |source: &engine::Source<_>, outlet: &engine::Outlet<Block>| {
            Pool::new(plan, Worker::new(system, values, parameters, method)).work(source, outlet)
        };
        engine::run(threads, chains, compute, receive, look)
    }
}
