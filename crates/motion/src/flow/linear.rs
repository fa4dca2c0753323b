//! How does a linear field flow? Exactly, by tabulated propagators on a grid of equal phases.
//!
//! A field is linear here if x' = A x + b + sum_k (C_k cos k theta + S_k sin k theta), with theta = 2 pi phase/period and a
//! phase of constant rate, and if all that is watched (gaps, sections, contact forces) has the form
//! c x + d phase + o + sum_k (p_k cos k theta + q_k sin k theta). With the generators z = (x, 1, cos k theta, sin k theta) this is
//! z' = Z z for one constant matrix Z, and the Taylor coefficients of every quantity r z are r Z^k z/k!: constant rows, computed
//! once when the parameters are bound, times the generators at any point of the motion. No eigenvalue is computed, so
//! that nothing is special about double or defective ones (free masses, critical damping) or about resonance.
//!
//! | module | the question it answers |
//! |---|---|
//! | `form` | is the field of a mode linear, and what are its coefficients? |
//! | `forcing` | which harmonics does a periodic function have? |
//! | `growth` | how fast can a linear system grow? |
//! | `series` | what are the Taylor coefficients of a quantity at any point? |
//! | `exact` | where is the motion one cell of the grid later? |
//! | `leap` | over which cells does certainly nothing happen? |
//! | `step` | how does the automaton move on by them? |
//! | `passage` | where does the field lead in any time, and how does that depend on parameters? |

mod exact;
mod forcing;
mod form;
mod growth;
mod leap;
mod passage;
mod series;
mod step;
#[cfg(test)]
mod tests;

pub(crate) use exact::{Exact, Grid, ON_GRID};
pub(crate) use form::LinearForm;
pub(crate) use leap::Leaps;
pub(crate) use passage::Passage;
pub(crate) use series::HIGHEST;
pub(crate) use step::{Linear, LinearRoom};
