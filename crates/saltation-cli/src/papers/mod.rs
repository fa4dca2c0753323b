//! Reproduced papers: each is a data file with its figures, the commands that draw them, and the numbers that must come out.
//!
//! | module | contents |
//! |---|---|
//! | `texts` | the data files that come with the program |
//! | `paper` | a data file as plain data, and its mistakes |
//! | `formula` | formulas with named values, and roots of formulas |
//! | `pointer` | where a number stands in an answer |
//! | `number` | a number that was found beside the published one and a second route |
//! | `line` | a command as it is typed, run in this process and in a folder |
//! | `figure` | a figure with the answers of its commands and its numbers |
//! | `report` | what was found, for people and as JSON |

pub(crate) mod figure;
mod formula;
mod line;
mod number;
pub(crate) mod paper;
mod pointer;
pub(crate) mod report;
pub(crate) mod texts;
