//! Mathematics without mechanics.
//!
//! | module | the question it answers |
//! |---|---|
//! | [`number`] | on which kinds of number can a formula be evaluated? |
//! | [`dual`] | how does a value change in each of M directions? |
//! | [`lanes`] | how does one formula act on L independent values at once? |
//! | [`exact`] | what is the result to some thirty digits? |
//! | [`dense`] | what do linear equations with a small matrix say? |
//! | [`lcp`] | which vectors solve w = M z + q with w >= 0, z >= 0 and wᵀz = 0? |
//! | [`pencil`] | how does M u'' + K u = 0 vibrate? |
//! | [`matrix_market`] | which matrix stands in a Matrix Market text? |
//! | [`skyline`] | is a sparse symmetric matrix positive definite? |
//! | [`polynomial`] | where is a polynomial zero, and where does it turn? |
//! | [`spectrum`] | which eigenvalues has a long product of matrices? |

pub mod dense;
pub mod dual;
pub mod exact;
pub mod lanes;
pub mod lcp;
pub mod matrix_market;
pub mod number;
pub mod pencil;
pub mod polynomial;
pub mod running;
mod scaling;
pub mod skyline;
pub mod spectrum;
