//! How fast do the neighbours of a motion leave it? The whole spectrum of Lyapunov exponents.

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct LyapunovSettings {}

/// The exponents.
#[derive(Debug, Clone)]
pub struct Exponents {}
