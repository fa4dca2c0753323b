//! Sweeps: many motions over parameters or starts, on all cores, stored block by block.
//!
//! A [`Plan`] says which tasks there are, a [`Method`] how each is done, and [`Sweep::run`] computes them on several threads. What a task finds depends on
//! its point of the plan and, where states are carried, on the task before it, and on nothing else.
//!
//! ```
//! use saltation_sweep::{Axis, Carry, Chain, Method, Plan, Starts, Sweep};
//! # let text = saltation_model::gallery::find("impact-oscillator").unwrap();
//! # let model = saltation_model::Model::parse(text, "impact-oscillator").unwrap();
//! let system = saltation_motion::System::new(&model);
//! let values = model.numbers()?;
//! let plan = Plan::new(vec![Axis::linear("A", 0.354, 0.358, 5)?], Starts::Model, Carry::Up)?;
//! let method = Method::through(system.default_section().unwrap());
//! let parameters = [model.parameter("A").unwrap()];
//! let sweep = Sweep { system: &system, values: &values, parameters: &parameters, plan: &plan, method: &method };
//! let chains = (0..plan.chains()).map(|chain| Chain { blocks: plan.chain(chain), carried: None });
//! let mut periods = Vec::new();
//! let receive = |block: saltation_sweep::Block| {
//!     periods.extend(block.outcomes.iter().map(|outcome| outcome.period.map(|period| period.returns)));
//!     true
//! };
//! sweep.run(2, chains, receive, || true)?;
//! assert_eq!(periods, [Some(2); 5]); // one impact in two periods of the forcing
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod attractor;
mod axis;
mod block;
mod chain;
mod ending;
pub mod engine;
mod extremes;
mod met;
pub mod period;
mod plan;
mod pool;
mod rest;
mod returns;
mod run;
mod starts;
pub mod store;
pub mod table;
mod task;
mod track;

pub use attractor::{Attractor, Kind};
pub use axis::{Axis, AxisError};
pub use block::{Block, Foreign, Names, TABLES};
pub use chain::{Chain, Place};
pub use ending::Ending;
pub use extremes::{Extremes, Quantity};
pub use met::{Attractors, Met, fraction};
pub use period::Period;
pub use plan::{Carry, MOST_TASKS, Plan, PlanError, Point};
pub use returns::{Points, Units};
pub use run::Sweep;
pub use starts::Starts;
pub use task::{Impact, Method, Outcome, Running, Worker};
pub use track::Track;
