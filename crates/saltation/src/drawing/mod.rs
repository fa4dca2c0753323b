//! Figures of motions: what several answers draw.

pub mod lines;
pub mod motion;
pub mod path;
pub mod plane;
pub mod smooth;
pub mod time;
