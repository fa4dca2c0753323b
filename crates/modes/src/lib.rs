//! Which periodic motions has a linear structure that bounces elastically against one obstacle?
pub mod equations;
mod linear_modes;
mod motion;
mod search;
pub mod sequence;
pub mod single;
mod waves;

pub use linear_modes::{LinearModes, StructureError};
pub use motion::{Amplitude, LeastGap, Motion, Verdict};
pub use search::{Found, Search};
pub use sequence::Mirror;
pub use single::{End, Interval, Single};
