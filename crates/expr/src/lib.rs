//! Formulas: from text to expression graphs, from graphs to their derivatives, and from both to tapes that are evaluated on
//! numbers, on Taylor jets in time and on jets that carry tangent directions.
//!
//! | module | the question it answers |
//! |---|---|
//! | [`parse`] | what does a text say? |
//! | [`graph`] | what is a formula? |
//! | [`function`] | which functions of one argument are there? |
//! | [`walk`] | what lies below a node? |
//! | [`mod@derive`] | what is the derivative of a formula? |
//! | [`mod@print`] | how does a formula read? |
//! | [`tape`] | how is a set of formulas evaluated, fast, on any kind of number? |
//! | `compile` | which instructions compute it? |
//! | [`jet`] | what are the Taylor coefficients of a motion? |
//! | `root` | how does a motion begin at a square root of zero? |
//! | [`remainder`] | what do they leave out on a step? |

mod compile;
pub mod derive;
pub mod function;
pub mod graph;
pub mod jet;
pub mod parse;
pub mod print;
pub mod remainder;
mod root;
pub mod tape;
pub mod walk;

pub use function::Function;
pub use graph::{Graph, Node, Operation};
pub use jet::Jet;
pub use remainder::Remainder;
pub use tape::Tape;
pub use walk::Part;
