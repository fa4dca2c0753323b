//! Mathematics without mechanics.
//!
//! | module | contents |
//! |---|---|
//! | [`number`] | the trait of number types on which formulas are evaluated |
//! | [`dual`] | dual numbers: forward-mode derivatives in M directions |
//! | [`rounded`] | values with the sizes of their terms (running error analysis) |
//! | [`elementary`] | sines, exponentials, ... of plain numbers |
//! | [`exact`] | double-double numbers with elementary functions, about thirty digits |
//! | [`blocks`] | square systems whose rows come in blocks that couple few unknowns each |
//! | [`dense`] | small dense matrices: linear systems, least squares, eigenvalues |
//! | [`lanes`] | several numbers side by side, each with the bits that it has alone |
//! | [`lcp`] | linear complementarity problems w = M z + q with w >= 0, z >= 0 and wᵀz = 0 |
//! | [`least_squares`] | nonlinear least squares between bounds, and what residuals say about unknowns |
//! | [`piecewise`] | piecewise polynomials through points: splines, monotone cubics, lines, steps |
//! | [`pencil`] | eigenpairs of K x = λ M x |
//! | [`matrix_market`] | sparse matrices, read from and written to Matrix Market texts |
//! | [`skyline`] | L D Lᵀ of a sparse symmetric positive definite matrix within its envelope |
//! | [`portable`] | the switch between the fastest arithmetic and the same bits on every processor |
//! | [`polynomial`] | all real roots and extrema of a polynomial on an interval |
//! | [`spectrum`] | eigenvalues of a product of many matrices, which is never formed |
//! | [`vectors`] | loops compiled for the vector unit of the processor, and a portable form of them |

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod blocks;
mod convolution;
pub mod dense;
pub mod dual;
pub mod elementary;
pub mod exact;
pub mod lanes;
pub mod lcp;
pub mod least_squares;
pub mod matrix_market;
pub mod number;
pub mod pencil;
pub mod piecewise;
pub mod polynomial;
pub mod portable;
pub mod random;
pub mod rounded;
mod scaling;
pub mod skyline;
pub mod spectrum;
pub mod vectors;
