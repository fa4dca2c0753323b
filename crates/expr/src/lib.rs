//! Formulas: from text to expression graphs, from graphs to their derivatives, and from both to tapes that are evaluated on
//! numbers, on Taylor jets in time and on jets that carry tangent directions.
//!
//! | module | the question it answers |
//! |---|---|
//! | [`parse`] | what does a text say? |
//! | [`graph`] | what is a formula? |
//! | [`derive`] | what is its derivative? |
//! | [`print`] | how does it read? |
//! | [`tape`] | how is it evaluated, fast, on any kind of number? |
//! | [`jet`] | what are the Taylor coefficients of a motion? |

pub mod derive;
pub mod graph;
pub mod jet;
pub mod parse;
pub mod print;
pub mod tape;

pub use graph::{Function, Graph, Node, Operation};
pub use jet::Jet;
pub use tape::Tape;
