//! The tests of the crate from outside, as one program: the library is linked once.

mod allocation;
mod contact_problems;
mod endings;
mod extension;
mod stepping;
