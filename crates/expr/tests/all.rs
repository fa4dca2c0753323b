//! The tests of the crate from outside, as one program: the library is linked once.

mod jets;
mod portable;
mod remainder;
mod side_by_side;
