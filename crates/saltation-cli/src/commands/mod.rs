//! One file per question: its flags as a request of the library, and nothing else.

pub mod branch;
pub mod curve;
pub mod gallery;
pub mod modes;
pub mod orbit;
pub mod simulation;
pub mod stepping;
