//! What holds at an instant: contacts, friction and switches decided as one problem.
//!
//! Every element is a function and a multiplier in an interval: a gap with a force, a speed of slip with friction, a switch with sigma. A mode gives each element that is zero a state, and obeys if its
//! own motion keeps every law for a while (Glocker, *Set-Valued Force Laws*, 2001; Acary & Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, 2008).
//!
//! | module | what it does |
//! |---|---|
//! | `candidates` | finds the modes that may obey |
//! | `judge` | finds whether one obeys |
//! | `same_motion` | finds which of them have one motion, and takes the one that lasts longest |
//! | `knowledge` | says how exactly numbers are known |
//! | `together` | finds the sides of many switches by the problem of their rates |
//! | `twice` | finds modes that hold a motion twice |

pub(crate) mod candidates;
pub(crate) mod judge;
pub(crate) mod knowledge;
mod same_motion;
mod together;
mod twice;
