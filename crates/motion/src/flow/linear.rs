//! The exact flow of a linear field, by tabulated propagators on a grid of equal phases.
//!
//! A field is linear here if x' = A x + b + sum_k (C_k cos k theta + S_k sin k theta), with theta = 2 pi phase/period and a
//! phase of constant rate, and if all that is watched (gaps, sections, contact forces) has the form
//! c x + d phase + o + sum_k (p_k cos k theta + q_k sin k theta). With the generators z = (x, 1, cos k theta, sin k theta) this is
//! z' = Z z for one constant matrix Z, and the Taylor coefficients of every quantity r z are r Z^k z/k!: constant rows, computed
//! once when the parameters are bound, times the generators at any point of the motion. No eigenvalue is computed, so
//! that nothing is special about double or defective ones (free masses, critical damping) or about resonance.
//!
//! | module | what it does |
//! |---|---|
//! | `form` | finds whether the field of a mode is linear, and its coefficients |
//! | `waves` | formulas of the phase as sums of waves |
//! | `harmonics` | the harmonics of functions from such formulas |
//! | `forcing` | the harmonics of a periodic function from its samples |
//! | `growth` | bounds the growth of a linear system |
//! | `series` | the Taylor coefficients of a quantity at any point |
//! | `exact` | the motion one cell of the grid later |
//! | `kept` | the flow of the parameters that were bound last |
//! | `watched` | what is watched on cells |
//! | `quiet` | quiet cells: those on which certainly nothing happens |
//! | `passage` | the flow over any time, with derivatives by parameters |
//! | `room` | what a motion keeps for its exact flows |

mod exact;
mod forcing;
mod form;
mod growth;
mod harmonics;
mod kept;
mod passage;
mod quiet;
mod room;
mod series;
#[cfg(test)]
mod tests;
mod watched;
mod waves;

pub(crate) use exact::{Exact, Grid, ON_GRID, Unsuited};
pub(crate) use form::LinearForm;
pub(crate) use kept::KeptForm;
pub(crate) use passage::Passage;
pub(crate) use quiet::{Landing, Limits, QuietCells};
pub(crate) use room::{ExactRoom, Linear};
pub(crate) use series::HIGHEST;
pub(crate) use watched::Watch;
