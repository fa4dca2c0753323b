//! What docs/limits.md lists is right: wrong answers, hangs and early endings of earlier versions. One program, linked once.

mod common;
mod limits_at_rest;
mod limits_borders;
mod limits_branches;
mod limits_contacts;
mod limits_crossings;
mod limits_events;
mod limits_friction_laws;
mod limits_jumps;
mod limits_laws;
mod limits_quotients;
mod limits_redundant;
mod limits_rounding;
mod limits_steps;
mod limits_together;
mod limits_zeros;
