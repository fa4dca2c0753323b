//! The tests of the crate from outside, as one program: the library is linked once.

mod blocks;
mod branch_and_curve;
mod nonsense;
mod read_back;
mod rest_and_contact;
mod shared;
mod sketch;
