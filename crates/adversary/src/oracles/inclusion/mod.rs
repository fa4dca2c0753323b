//! Motions of bodies on a line with contacts, friction and signs, by implicit time stepping of the whole inclusion.
//!
//! A step is backward Euler: M (v' - v) = h (F(t', x', v') + W z), x' = x + h v', where every element has one
//! multiplier in a set-valued law at the end of the step: a contact 0 <= lambda, g(x') >= 0, lambda g = 0; friction
//! tau in -mu lambda Sgn(slip'); a sign sigma in Sgn(s(x', v')). The mixed complementarity problem of a step is
//! solved by changing the states of violated elements, and by enumeration where that fails. Elements that hold have a
//! compliance of 1e-9 of their own response, so that multipliers that are not unique are. Impacts are Newton's law
//! for all contacts that touch, in one problem (Moreau 1988; Acary & Brogliato, Numerical Methods for Nonsmooth
//! Dynamical Systems, 2008, Ch. 10).
//!
//! While no element changes its state steps are long and extrapolated in their length; where one does they are halved
//! down to a shortest length, at which one step of Euler is taken whatever changes on it (Studer, Leine & Glocker,
//! Int. J. Numer. Meth. Engng 76, 2008). Errors are proportional to the shortest length. Nothing locates an event,
//! decides at an instant, or knows of accumulations: they are passed as the inclusion passes them.

mod bodies;
mod impact;
mod motion;
mod problem;

pub use bodies::{Bodies, Law, Linear, Lost, Pad, Reset, Rubbing, Shape, State};
pub use motion::{CONVERGED, Reached, follow, follow_closely};
