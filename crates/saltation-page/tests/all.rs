//! The tests of the crate from outside, as one program: the library is linked once.

mod palette;
mod server;
