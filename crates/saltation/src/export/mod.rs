//! How a request is repeated elsewhere: as a command and as Python.

pub(crate) mod python;
pub(crate) mod words;
