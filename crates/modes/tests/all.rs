//! The tests of the crate from outside, as one program: the library is linked once.

mod common;
mod ends_of_families;
