//! Oracles: independent results with which a motion is compared, one idea in each file.

pub mod again;
pub mod company;
pub mod energy;
pub mod filippov;
pub mod inclusion;
pub mod inconsistent;
pub mod jumps;
pub mod laws;
pub mod phases;
pub mod points;
pub mod slopes;
pub mod small_steps;
