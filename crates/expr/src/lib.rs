//! Formulas: from text to expression graphs, from graphs to their derivatives, and from both to tapes that are evaluated on
//! numbers, on Taylor jets in time and on jets that carry tangent directions.
//!
//! | module | contents |
//! |---|---|
//! | [`parse`] | from text to formulas that keep the position of each term |
//! | [`graph`] | the expression graph: hash-consed nodes with constant folding |
//! | [`function`] | the functions of one argument |
//! | `hashing` | tables by node |
//! | `removable` | quotients whose numerator and denominator vanish together |
//! | [`nodes`] | operands, symbols and values below a node |
//! | [`mod@derive`] | symbolic derivatives as nodes of the same graph |
//! | [`mod@print`] | a node as text that parses back to the same node |
//! | `lookups` | tables with arguments, in graphs |
//! | [`tabulated`] | functions that are given by points |
//! | [`tape`] | a set of formulas as instructions, evaluated on any number type |
//! | `compile` | from nodes to instructions |
//! | `weights` | factors that do not move, taken out of products |
//! | [`jet`] | Taylor coefficients of a motion |
//! | `side_by_side` | the jets of eight motions in the lanes of the vector unit |
//! | `root` | series in the square root of time, where a root vanishes at the start |
//! | [`remainder`] | bounds of the truncation errors of these series on a step |

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod compile;
pub mod derive;
pub mod function;
pub mod graph;
mod hashing;
pub mod jet;
mod lookups;
pub mod nodes;
pub mod parse;
pub mod print;
pub mod remainder;
mod removable;
mod root;
mod side_by_side;
pub mod tabulated;
pub mod tape;
mod weights;

pub use function::Function;
pub use graph::{Graph, Node, Operation};
pub use jet::{Jet, Point};
pub use nodes::Part;
pub use remainder::Remainder;
pub use root::Root;
pub use side_by_side::SideBySide;
pub use tabulated::{Lookup, Part as PiecePart};
pub use tape::Tape;
