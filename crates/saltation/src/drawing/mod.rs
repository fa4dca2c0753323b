//! Figures of motions, shared by several questions.

pub mod lines;
pub mod motion;
pub mod path;
pub mod plane;
pub mod smooth;
pub mod time;
