//! One file per command: its flags, and their translation to a request of the library.

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
