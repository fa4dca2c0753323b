//! Systems that flow and jump.
