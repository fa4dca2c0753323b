//! The tests of the crate from outside, as one program: the library is linked once.

mod answers;
mod bench;
mod branch;
mod check;
mod common;
mod contact;
mod equilibrium;
mod equilibrium_branch;
mod explore;
mod fit;
mod lyapunov;
mod messages;
mod nonsmooth;
mod orbit;
mod papers;
mod pictures;
mod portable;
mod report;
mod simulate;
mod special_curve;
mod stepping;
mod structures;
mod sweep;
