//! Motions, their derivatives and exponents, and sweeps of them. One program, linked once.

mod chattering;
mod common;
mod derivatives;
mod flow;
mod grazing;
mod interruption;
mod linear;
mod lyapunov;
mod piecewise;
mod stepping;
mod sweeps;
