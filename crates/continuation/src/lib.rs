//! Continuation of the solutions of F(u) = 0 along curves by pseudo-arclength, with the bifurcations on them.
//!
//! F takes n + 1 unknowns to n numbers, so that its zeros form curves where its Jacobian has full rank. What F means is not
//! known here: a [`Problem`] gives residuals and Jacobians and nothing else.
//!
//! | module | content |
//! |---|---|
//! | [`problem`] | the interface of the equations |
//! | [`point`] | the data of a point of a curve |
//! | `metric` | lengths and angles of differences of unknowns |
//! | `arc` | the cubic between two points of a curve, and beyond them |
//! | `corrector` | Newton's method with a bordered Jacobian |
//! | `null` | null vectors of large matrices |
//! | [`step`] | the length of the next step |
//! | [`curve`] | a curve, point by point |
//! | `bracket` | the next trial in a bracket of a sign change |
//! | [`locate`] | zeros of test functions between two points |
//! | [`test_function`] | test functions of bifurcations |
//! | [`branch_point`] | points at which two curves cross, with both tangents |
//! | `switch` | the other curve through a branch point |
//! | [`singular`] | a smooth function that is zero where a square matrix is singular |
//! | [`augmented`] | bifurcations in two parameters |
//! | [`pair`] | a pair of complex multipliers on the unit circle |
//! | [`special_point`] | the kinds of special points |
//! | `root` | solutions of at least as many equations as unknowns |
//! | [`trace`] | a whole branch, with the special points on it |
//!
//! The methods are those of E. L. Allgower and K. Georg, Numerical Continuation Methods (Springer, 1990), W. Govaerts,
//! Numerical Methods for Bifurcations of Dynamical Equilibria (SIAM, 2000), and Yu. A. Kuznetsov, Elements of Applied
//! Bifurcation Theory (Springer, 2004), chapter 10.
//!
//! ```
//! use saltation_continuation::{Curve, Problem, Settings, test_function};
//! use saltation_numerics::dense::Matrix;
//!
//! /// The cubic x³ - x = p, which turns at x = ±1/√3.
//! struct Cubic;
//!
//! impl Problem for Cubic {
//!     type Failure = std::convert::Infallible;
//!     fn unknowns(&self) -> usize {
//!         2
//!     }
//!     fn sizes(&self) -> &[f64] {
//!         &[1.0, 1.0]
//!     }
//!     fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Self::Failure> {
//!         let (x, p) = (u[0], u[1]);
//!         residual[0] = x * x * x - x - p;
//!         jacobian[(0, 0)] = 3.0 * x * x - 1.0;
//!         jacobian[(0, 1)] = -1.0;
//!         Ok(())
//!     }
//! }
//!
//! let mut curve = Curve::start(Cubic, &[-1.5, -1.5], 1, Settings::default()).unwrap();
//! let fold = loop {
//!     curve.advance().unwrap();
//!     if let Some(fold) = curve.locate(&mut test_function::fold(1)).unwrap() {
//!         break fold;
//!     }
//! };
//! let x = -1.0 / 3f64.sqrt();
//! assert!((fold.unknowns[0] - x).abs() < 1e-12 && (fold.unknowns[1] - (x * x * x - x)).abs() < 1e-12);
//! ```

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod arc;
pub mod augmented;
mod bracket;
pub mod branch_point;
mod corrector;
pub mod curve;
pub mod locate;
mod metric;
mod null;
pub mod pair;
pub mod point;
pub mod problem;
mod root;
pub mod singular;
pub mod special_point;
pub mod step;
mod switch;
pub mod test_function;
#[cfg(test)]
mod tests;
pub mod trace;

pub use augmented::{Augmented, Condition, Singular};
pub use branch_point::BranchPoint;
pub use corrector::Rejection;
pub use curve::{Curve, StartError, Stop};
pub use locate::{Crossing, LocateError};
pub use pair::{Pair, WithAngle};
pub use point::Point;
pub use problem::{Problem, Slice, evaluate_densely};
pub use root::root;
pub use singular::Bordering;
pub use special_point::{Kind, SpecialPoint};
pub use step::Settings;
pub use trace::{Branch, Ended, Trace};
