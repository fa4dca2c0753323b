//! Square systems whose rows come in blocks that couple few unknowns each: those of shooting, with borders.
//!
//! | type | content |
//! |---|---|
//! | [`Pattern`] | which entries of a matrix may differ from zero |
//! | [`BlockMatrix`] | a matrix with such a pattern |
//! | [`Condensation`] | its elimination, in proportion to the number of blocks |
//!
//! ```
//! use saltation_numerics::blocks::{BlockMatrix, Condensation, Pattern};
//!
//! // x0 + x1 = 3, x1 + x2 = 5, x2 + x0 = 4.
//! let pattern = Pattern::new(3, [(1, vec![0, 1]), (1, vec![1, 2]), (1, vec![0, 2])], 0);
//! let mut matrix = BlockMatrix::zeros(pattern);
//! for (i, j) in [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 0)] {
//!     matrix[(i, j)] = 1.0;
//! }
//! let mut condensation = Condensation::default();
//! condensation.factor(&matrix).unwrap();
//! let mut x = [3.0, 5.0, 4.0];
//! condensation.solve_in_place(&mut x).unwrap();
//! assert!(x.iter().zip([1.0, 2.0, 3.0]).all(|(x, known)| (x - known).abs() < 1e-14));
//! ```

mod condensation;
mod matrix;
mod pattern;
#[cfg(test)]
mod tests;

pub use condensation::Condensation;
pub use matrix::BlockMatrix;
pub use pattern::Pattern;
