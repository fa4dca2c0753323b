//! The tests of the crate from outside, as one program: the library is linked once.

mod friction;
mod gallery;
mod mathematics;
mod mistakes;
mod numbers;
mod sketch;
mod structure;
mod symmetry;
mod tables;
