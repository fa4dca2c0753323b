//! Computes the blocks of a plan on several threads; a chain that was begun before is taken up where its last block ended.

use crate::block::Block;
use crate::chain::Chain;
use crate::engine::{self, EngineError};
use crate::plan::Plan;
use crate::pool::Pool;
use crate::task::{Method, Worker};
use saltation_model::Values;
use saltation_motion::System;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;
    use crate::plan::Carry;
    use crate::starts::Starts;
    use crate::task::Outcome;

    /// What tasks over a range of values find on some threads.
    fn found(model: &str, axis: Axis, carry: Carry, threads: usize) -> Vec<Outcome> {
        let model = saltation_model::gallery::model(model).unwrap().unwrap();
        let (system, values) = (System::new(&model), model.numbers().unwrap());
        let parameters = [model.parameter(axis.name()).unwrap()];
        let plan = Plan::new(vec![axis], Starts::Model, carry).unwrap();
        let method = Method { settle: 40, record: 12, ..Method::through(system.default_section().unwrap()) };
        let sweep = Sweep { system: &system, values: &values, parameters: &parameters, plan: &plan, method: &method };
        let chains = (0..plan.chains()).map(|chain| Chain { blocks: plan.chain(chain), carried: None });
        let mut blocks = Vec::new();
        let receive = |block: Block| {
            blocks.push(block);
            true
        };
        sweep.run(threads, chains.collect::<Vec<_>>().into_iter(), receive, || true).unwrap();
        blocks.sort_by_key(|block| block.index);
        blocks.into_iter().flat_map(|block| block.outcomes).collect()
    }

    /// Motions whose steps are prepared together find what each finds alone, to the last bit, on any number of threads; some of them end early or never begin.
    #[test]
    fn tasks_do_not_depend_on_those_beside_them() {
        for (model, name, low, high) in [("relief-valve", "q", 0.5, 8.0), ("double-pendulum", "e", -0.3, 1.0)] {
            let axis = || Axis::linear(name, low, high, 13).unwrap();
            let together = found(model, axis(), Carry::None, 1);
            assert_eq!(together.len(), 13, "{model}");
            for threads in [2, 3] {
                let apart = found(model, axis(), Carry::None, threads);
                assert_eq!(format!("{apart:?}"), format!("{together:?}"), "{model} on {threads} threads");
            }
            for (k, beside) in together.iter().enumerate() {
                let value = axis().value(k as u64);
                let alone = found(model, Axis::list(name, vec![value]).unwrap(), Carry::None, 1);
                assert_eq!(format!("{:?}", alone[0]), format!("{beside:?}"), "{model} at {name} = {value}");
            }
        }
    }

    /// Where states are carried the tasks of a chain follow each other.
    #[test]
    fn chains_carry_states_from_task_to_task() {
        let axis = || Axis::linear("q", 2.0, 6.0, 9).unwrap();
        let [up, again] = [1, 2].map(|threads| format!("{:?}", found("relief-valve", axis(), Carry::Up, threads)));
        assert_eq!(up, again);
        assert_ne!(up, format!("{:?}", found("relief-valve", axis(), Carry::None, 1)));
    }

    /// Tasks whose starts are refused, a restitution below zero, hear an interruption as others do, and what is done is delivered.
    #[test]
    fn refused_starts_hear_an_interruption() {
        let model = saltation_model::gallery::model("double-pendulum").unwrap().unwrap();
        let (system, values) = (System::new(&model), model.numbers().unwrap());
        let axis = Axis::linear("e", -0.5, -0.1, 1_000_000).unwrap();
        let plan = Plan::new(vec![axis], Starts::Model, Carry::None).unwrap();
        let method = Method::through(system.default_section().unwrap());
        let parameters = [model.parameter("e").unwrap()];
        let sweep = Sweep { system: &system, values: &values, parameters: &parameters, plan: &plan, method: &method };
        let chains = (0..plan.chains()).map(|chain| Chain { blocks: plan.chain(chain), carried: None });
        let chains: Vec<Chain> = chains.collect();
        let mut count = 0;
        let receive = |block: Block| {
            count += block.outcomes.len();
            false
        };
        sweep.run(2, chains.into_iter(), receive, || true).unwrap();
        assert!((1..500_000).contains(&count), "{count}");
    }

    /// Where the program itself fails, every task says so, and the run ends.
    #[test]
    fn a_task_in_which_the_program_fails_ends_as_failed() {
        let model = saltation_model::gallery::model("relief-valve").unwrap().unwrap();
        let (system, values) = (System::new(&model), model.numbers().unwrap());
        let plan = Plan::new(vec![Axis::linear("q", 1.0, 8.0, 30).unwrap()], Starts::Model, Carry::None).unwrap();
        // There is no such section, which the interfaces refuse.
        let method = Method::through(99);
        let parameters = [model.parameter("q").unwrap()];
        let sweep = Sweep { system: &system, values: &values, parameters: &parameters, plan: &plan, method: &method };
        let chains: Vec<Chain> =
            (0..plan.chains()).map(|chain| Chain { blocks: plan.chain(chain), carried: None }).collect();
        let mut words = Vec::new();
        let receive = |block: Block| {
            words.extend(block.outcomes.into_iter().map(|outcome| outcome.ending.word));
            true
        };
        sweep.run(2, chains.into_iter(), receive, || true).unwrap();
        assert_eq!(words, vec!["failed"; 30]);
    }
}
