//! Nonsmooth modes of structures. One program, linked once.

mod common;
mod mode_families;
mod mode_motions;
mod modes;
mod structures;
