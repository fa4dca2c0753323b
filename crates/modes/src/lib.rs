//! Which periodic motions has a linear structure that bounces elastically against one obstacle?
pub mod continuum;
mod end;
pub mod equations;
pub mod family;
mod linear_modes;
mod motion;
mod search;
pub mod sequence;
pub mod single;
mod stability;
mod waves;

pub use continuum::Continuum;
pub use end::End;
pub use family::{Family, Special, SpecialKind, Steps};
pub use linear_modes::{LinearModes, StructureError};
pub use motion::{Amplitude, LeastGap, Motion, Verdict};
pub use search::{Found, Search};
pub use sequence::Mirror;
pub use single::{Interval, Single};
pub use stability::{Stability, stability};
