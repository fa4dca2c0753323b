//! Location of events: the polynomials of a step in, the first event out.
//!
//! | module | what it does |
//! |---|---|
//! | `first_event` | finds the first event on a step, and near misses and passages before it |
//! | `cause` | names what ends a step, and what happens on it |
//! | `section` | places a motion with respect to sections, finds and counts their passages |
//! | `departures` | keeps what is known of gaps and forces beyond what the state determines |
//! | `penetration` | finds steps that begin inside an obstacle |
//! | `polynomials` | bounds and slopes of polynomials |

pub(crate) mod cause;
pub(crate) mod departures;
pub(crate) mod first_event;
pub(crate) mod penetration;
pub(crate) mod polynomials;
pub(crate) mod section;
#[cfg(test)]
mod tests;
