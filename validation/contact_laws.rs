//! Contact problems, friction and the paradox of Painlevé. One program, linked once.

mod common;
mod contact;
mod contacts;
mod friction;
mod friction_borders;
mod friction_random;
mod painleve;
