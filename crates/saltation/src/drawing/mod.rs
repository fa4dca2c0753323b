//! Figures of motions, shared by several questions.

pub(crate) mod close_up;
pub(crate) mod contact_times;
pub(crate) mod gauge;
pub(crate) mod jumps;
pub(crate) mod lines;
pub(crate) mod motion;
pub(crate) mod passages;
pub(crate) mod path;
pub(crate) mod plane;
pub(crate) mod quantity;
pub(crate) mod slopes;
pub(crate) mod smooth;
pub(crate) mod time;
