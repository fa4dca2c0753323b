//! One file per question: its flags as a request of the library, and nothing else.

pub mod gallery;
pub mod orbit;
pub mod simulation;
