//! Periodic orbits and equilibria, their branches, and curves of their bifurcations. One program, linked once.

mod branch_borders;
mod branch_traps;
mod branches;
mod common;
mod curves;
mod equilibria;
mod equilibrium_branches;
mod orbits;
mod piecewise_branches;
mod signature;
mod vivid;
