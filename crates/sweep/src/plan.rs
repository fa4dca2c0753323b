//! Which tasks a sweep has, in which order, and how they are divided into chains, blocks and shares: all of it arithmetic of task numbers.
//!
//! Tasks are numbered with the start changing fastest, then the first parameter, then the second. A chain is a sequence of tasks of which each
//! begins where the last one ended; without carrying every block is a chain of its own. Blocks are what is stored, shares what one machine computes.

use crate::axis::Axis;
use crate::starts::Starts;
use crate::store::Part;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The largest number of tasks.
pub const MOST_TASKS: u64 = 1_000_000_000;
/// A sweep is divided into so many blocks, unless they would be larger than the largest.
const BLOCKS: u64 = 100;
const LARGEST_BLOCK: u64 = 1000;

/// Where a task begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Carry {
    /// Every task begins at its start.
    #[default]
    None,
    /// A task begins where the one before it ended, along increasing positions of the first parameter.
    Up,
    /// The same along decreasing positions.
    Down,
}

impl Carry {
    /// All of them.
    pub const ALL: [Carry; 3] = [Carry::None, Carry::Up, Carry::Down];

    /// The word of the interface.
    pub fn name(self) -> &'static str {
        match self {
            Carry::None => "none",
            Carry::Up => "up",
            Carry::Down => "down",
        }
    }
}

/// The tasks of a sweep.
///
/// ```
/// use saltation_sweep::{Axis, Carry, Plan, Starts};
/// let axis = Axis::linear("A", 0.3, 0.4, 250).unwrap();
/// let plan = Plan::new(vec![axis], Starts::Model, Carry::None).unwrap();
/// assert_eq!((plan.tasks(), plan.blocks()), (250, 84));
/// assert_eq!(plan.point(249).parameters, [0.4]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    axes: Vec<Axis>,
    starts: Starts,
    carry: Carry,
    tasks: u64,
    /// The number of tasks between two of which nothing is carried: a chain, or everything.
    row: u64,
    block: u64,
}

/// Where a task is: values of the swept parameters, and start values that replace those of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The values of the parameters, in the order of the axes.
    pub parameters: Vec<f64>,
    /// The start values of some states, by name.
    pub start: Vec<(String, f64)>,
}

/// Why there is no such plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// More tasks than there may be.
    #[error("the sweep would have {tasks} tasks, and {MOST_TASKS} are the most")]
    TooMany {
        /// Their number.
        tasks: u128,
    },
    /// States that would be carried from start to start.
    #[error("states are carried along a parameter, and this sweep has its own starts")]
    CarriedStarts,
    /// More parts than chains.
    #[error("{of} parts cannot be made of {chains} chain{} of tasks", if *.chains == 1 { "" } else { "s" })]
    TooManyParts {
        /// The number of parts.
        of: u64,
        /// The number of chains.
        chains: u64,
    },
}

impl Plan {
    /// The tasks at all combinations of parameters and starts.
    ///
    /// # Errors
    /// More than [`MOST_TASKS`] tasks; states carried along starts.
    pub fn new(axes: Vec<Axis>, starts: Starts, carry: Carry) -> Result<Plan, PlanError> {
        let sizes = axes.iter().map(Axis::len).chain([starts.len()]);
        let tasks = sizes.fold(1_u128, |product, size| product.saturating_mul(u128::from(size)));
        if tasks > u128::from(MOST_TASKS) {
            return Err(PlanError::TooMany { tasks });
        }
        let tasks = tasks as u64;
        let carried = carry != Carry::None;
        if carried && (starts != Starts::Model || axes.is_empty()) {
            return Err(PlanError::CarriedStarts);
        }
        // Carried downwards the first parameter is visited from its last value.
        let turned = |(i, axis): (usize, Axis)| if i == 0 && carry == Carry::Down { axis.reversed() } else { axis };
        let axes: Vec<Axis> = axes.into_iter().enumerate().map(turned).collect();
        let row = if carried { axes[0].len() } else { tasks };
        let block = tasks.div_ceil(BLOCKS).clamp(1, LARGEST_BLOCK).min(row.max(1));
        Ok(Plan { axes, starts, carry, tasks, row, block })
    }

    /// The axes of the parameters, in the order in which values are visited.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The starts.
    pub fn starts(&self) -> &Starts {
        &self.starts
    }

    /// What is carried.
    pub fn carry(&self) -> Carry {
        self.carry
    }

    /// The number of tasks.
    pub fn tasks(&self) -> u64 {
        self.tasks
    }

    /// Where a task is.
    pub fn point(&self, task: u64) -> Point {
        let (start, mut rest) = (task % self.starts.len(), task / self.starts.len());
        let mut parameters = Vec::with_capacity(self.axes.len());
        for axis in &self.axes {
            parameters.push(axis.value(rest % axis.len()));
            rest /= axis.len();
        }
        Point { parameters, start: self.starts.start(start) }
    }

    fn blocks_per_row(&self) -> u64 {
        self.row.div_ceil(self.block)
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.tasks / self.row.max(1) * self.blocks_per_row()
    }

    /// The tasks of a block.
    pub fn block(&self, block: u64) -> Range<u64> {
        let (row, within) = (block / self.blocks_per_row(), block % self.blocks_per_row());
        let begin = row * self.row + within * self.block;
        begin..(begin + self.block).min((row + 1) * self.row)
    }

    /// The number of chains.
    pub fn chains(&self) -> u64 {
        self.blocks() / self.blocks_per_chain()
    }

    /// The number of blocks of every chain.
    pub fn blocks_per_chain(&self) -> u64 {
        if self.carry == Carry::None { 1 } else { self.blocks_per_row() }
    }

    /// The blocks of a chain, in order.
    pub fn chain(&self, chain: u64) -> Range<u64> {
        let blocks = self.blocks_per_chain();
        chain * blocks..(chain + 1) * blocks
    }

    /// The chains of a part, in order.
    pub fn chains_of(&self, part: Part) -> impl Iterator<Item = u64> + Send + use<> {
        part.blocks(self.chains())
    }

    /// Refuses a part of a plan that has fewer chains than parts.
    ///
    /// # Errors
    /// Such a part.
    pub fn check(&self, part: Part) -> Result<(), PlanError> {
        let (of, chains) = (part.of(), self.chains());
        if of > chains { Err(PlanError::TooManyParts { of, chains }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(sizes: &[u64], carry: Carry) -> Plan {
        let axes = sizes.iter().map(|&n| Axis::linear("p", 0.0, 1.0, n).unwrap()).collect();
        Plan::new(axes, Starts::Model, carry).unwrap()
    }

    #[test]
    fn blocks_and_shares_hold_every_task_once() {
        for sizes in [&[1][..], &[7], &[100], &[250], &[3072], &[400, 400], &[3, 5], &[101, 7]] {
            for carry in Carry::ALL {
                let plan = plan(sizes, carry);
                let all: Vec<u64> = (0..plan.blocks()).flat_map(|block| plan.block(block)).collect();
                assert_eq!(all, (0..plan.tasks()).collect::<Vec<_>>(), "{sizes:?} {carry:?}");
                let chained: Vec<u64> = (0..plan.chains()).flat_map(|chain| plan.chain(chain)).collect();
                assert_eq!(chained, (0..plan.blocks()).collect::<Vec<_>>());
                for of in [1, 2, 3, plan.chains()] {
                    let parts = (1..=of).map(|number| Part::new(number, of).unwrap());
                    let mut all: Vec<u64> = parts.flat_map(|part| plan.chains_of(part)).collect();
                    all.sort_unstable();
                    assert_eq!(all, (0..plan.chains()).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn chains_follow_the_first_parameter() {
        let up = plan(&[5, 3], Carry::Up);
        assert_eq!((up.chains(), up.point(4).parameters[0], up.point(5).parameters[0]), (3, 1.0, 0.0));
        let down = plan(&[5, 3], Carry::Down);
        assert_eq!((down.point(0).parameters[0], down.point(4).parameters[0]), (1.0, 0.0));
        assert_eq!(plan(&[5, 3], Carry::None).chains(), 15);
    }

    #[test]
    fn what_is_no_plan_is_refused() {
        let axis = |n| Axis::linear("p", 0.0, 1.0, n).unwrap();
        let size = 1_000_000_000;
        let huge = Plan::new(vec![axis(size), axis(size)], Starts::Model, Carry::None);
        assert_eq!(huge, Err(PlanError::TooMany { tasks: 1_000_000_000_000_000_000 }));
        assert!(Plan::new(vec![axis(u64::MAX), axis(u64::MAX), axis(u64::MAX)], Starts::Model, Carry::None).is_err());
        let one = plan(&[10], Carry::Up);
        assert_eq!(one.check(Part::new(1, 2).unwrap()), Err(PlanError::TooManyParts { of: 2, chains: 1 }));
        assert_eq!(one.check(Part::WHOLE), Ok(()));
    }
}
