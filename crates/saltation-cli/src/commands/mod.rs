//! One file per command: its flags, and their translation to a request of the library.

pub(crate) mod basin;
pub(crate) mod bench;
pub(crate) mod branch;
pub(crate) mod check;
pub(crate) mod contact;
pub(crate) mod curve;
pub(crate) mod equilibrium;
pub(crate) mod equilibrium_branch;
pub(crate) mod explore;
pub(crate) mod gallery;
pub(crate) mod lyapunov;
pub(crate) mod merge;
pub(crate) mod modes;
pub(crate) mod orbit;
pub(crate) mod report;
pub(crate) mod simulation;
pub(crate) mod stepping;
pub(crate) mod sweep;
