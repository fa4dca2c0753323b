//! Figures of motions, shared by several questions.

pub(crate) mod lines;
pub(crate) mod motion;
pub(crate) mod path;
pub(crate) mod plane;
pub(crate) mod smooth;
pub(crate) mod time;
