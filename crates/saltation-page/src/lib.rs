//! The live page of one model: a server on this machine that turns what is clicked in a browser into requests of the library. It knows no science.
//!
//! | module | contents |
//! |---|---|
//! | [`server`] | the listener on the loopback interface, and its end |
//! | [`begin`] | what the page shows first |
//! | `address` | who may ask: the token of the address, and the origin of a request |
//! | `route` | paths to handlers |
//! | `ask` | a question, answered as a stream that grows |
//! | `stream` | server-sent events, and the progress that writes them |
//! | `look` | what is seen at once of a system at some numbers |
//! | `memory` | systems and answers that later requests refer to |
//! | `answer` | an answer as data for the page |
//! | `describe` | a model as data for the page |
//! | `reply` | replies and mistakes |
//! | `json` | plain data as JSON |
//! | `files` | the page itself, embedded |
//! | `save` | files that are saved, into one folder only |

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod address;
mod answer;
mod ask;
pub mod begin;
mod describe;
mod files;
mod json;
mod look;
mod memory;
mod reply;
mod route;
mod save;
pub mod server;
mod stream;

pub use begin::Begin;
pub use server::{Options, Page};
