//! One file per question: its flags as a request of the library, and nothing else.

pub mod branch;
pub mod check;
pub mod contact;
pub mod curve;
pub mod equilibrium;
pub mod equilibrium_branch;
pub mod gallery;
pub mod lyapunov;
pub mod modes;
pub mod orbit;
pub mod simulation;
pub mod stepping;
