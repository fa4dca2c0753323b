//! Linear complementarity problems: w = M z + q with w >= 0, z >= 0 and wᵀz = 0.
//!
//! The linear complementarity problem asks, for every i, which of w_i and z_i is zero. A choice is a *complementary cone*:
//! the nonnegative combinations of the columns -M e_i, where z_i is **basic**, and e_i, where w_i is. There are 2ⁿ of
//! them, and q may lie in none, one or several: no solution, one, or several (Cottle, Pang and Stone, The Linear
//! Complementarity Problem, 1992).
//!
//! * [`enumerate`] examines every cone. The number of solutions, or their absence, is then certain.
//! * [`lemke`] follows one path of pivots for larger problems. It finds one solution or ends in a ray, which decides
//!   nothing: M = ((1, 2), (2, 0)), q = (-1, -2) has a solution and ends in a ray.
//! * [`convex`] solves problems with a symmetric positive semidefinite M of any size: contacts without friction.
//! * [`solve`] enumerates up to [`MOST_ENUMERATED`] components and follows Lemke's path beyond.
//!
//! **Contact with friction.** For one planar contact under Coulomb's law with the free accelerations b_N, b_T and
//! g_N'' = d_NN λ_N + d_NT λ_T + b_N, g_T'' = d_NT λ_N + d_TT λ_T + b_T, the parts of friction and slip are
//! λ_R = μ λ_N + λ_T, λ_L = μ λ_N - λ_T and g_T'' = κ_R - κ_L. With z = (λ_N, λ_R, κ_L) and w = (g_N'', κ_R, λ_L)
//!
//! ```text
//!     | d_NN - μ d_NT   d_NT   0 |        | b_N |
//! M = | d_NT - μ d_TT   d_TT   1 |    q = | b_T |
//!     |      2 μ         -1    0 |        |  0  |
//! ```
//!
//! (Glocker, Set-Valued Force Laws, 2001). An open contact has λ_R = λ_L = 0, and then κ_R and κ_L may both grow by
//! the same amount: such solutions are never [isolated](Solution::isolated), though the forces are unique. So it is for
//! μ = 0. For sliding with g_N'' = A λ_N + b and A < 0 there are two solutions where b > 0 and none where b < 0 (Painlevé).
//!
//! ```
//! use saltation_numerics::dense::Matrix;
//! use saltation_numerics::lcp::{Status, enumerate, lemke};
//!
//! let both = enumerate(&Matrix::from_rows([[-1.0]]), &[1.0]).unwrap();
//! assert_eq!(both.solutions.iter().map(|s| s.z[0]).collect::<Vec<_>>(), [0.0, 1.0]);
//! let none = enumerate(&Matrix::from_rows([[-1.0]]), &[-1.0]).unwrap();
//! assert_eq!(none.status, Status::None);
//! // Lemke's path starts at z = 0 and ends there if that is a solution.
//! assert_eq!(lemke(&Matrix::from_rows([[-1.0]]), &[1.0]).unwrap().solutions.len(), 1);
//! ```
//!
//! **Rounding.** Rows and columns are scaled by powers of two, so that units do not matter. A cone holds q if a point of it obeys every equation
//! up to [`NEGLIGIBLE`] times the terms of that equation: every solution solves exactly a problem whose entries differ by this part, and no cone
//! of such a problem is left out (Oettli and Prager, Numer. Math. 6, 1964). Components that are zero within rounding errors are zero in
//! a solution if the others can make up for it, and keep their value otherwise. A cone is singular where a column is a combination of others up to
//! [`DEPENDENT`] times the terms of that combination.

mod candidate;
mod cones;
mod convex;
mod path;
mod polyhedron;
#[cfg(test)]
mod tests;
mod units;

use crate::dense::Matrix;
pub use convex::{convex, least};
use units::Problem;

/// A component counts as zero below this part of the terms that it is a sum of, and so does the residual of an equation: some
/// thousand rounding units of the numbers in M and q.
pub const NEGLIGIBLE: f64 = 1e-12;

/// An entry after elimination below this part of the terms of its sum counts as zero: some hundred rounding units.
pub const DEPENDENT: f64 = 1e-13;

/// The largest number of components of which [`enumerate`] examines all cones, 2¹⁵ = 32 768 of them.
pub const MOST_ENUMERATED: usize = 15;

/// The reason for which a problem cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// An entry of M or q is infinite or not a number.
    #[error("an entry of the complementarity problem is not a finite number")]
    NotFinite,
    /// M is not square.
    #[error("a complementarity problem needs a square matrix, and this one has {rows} rows and {columns} columns")]
    NotSquare {
        /// The number of rows of M.
        rows: usize,
        /// The number of columns of M.
        columns: usize,
    },
    /// q does not fit to M.
    #[error("{expected} free terms are needed, and there are {found}")]
    Mismatch {
        /// The number of rows of M.
        expected: usize,
        /// The number of entries of q.
        found: usize,
    },
    /// There are more than [`MOST_ENUMERATED`] components.
    #[error("all cones are looked into for at most {MOST_ENUMERATED} components, and there are {components}")]
    TooManyCones {
        /// The number of components.
        components: usize,
    },
    /// A solution lies beyond the range of `f64`.
    #[error("a solution of the complementarity problem is too large for a number")]
    OutOfRange,
    /// The search in a singular cone did not end, which is not known to happen.
    #[error("the search for a solution in a singular cone did not end")]
    NoConvergence,
}

/// One solution: w = M z + q, w >= 0, z >= 0, wᵀz = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The unknowns; exactly zero where they are not basic.
    pub z: Vec<f64>,
    /// M z + q; exactly zero where z is basic.
    pub w: Vec<f64>,
    /// Whether component i is basic: z_i may be positive and w_i is zero in the cone in which the solution was found. Of
    /// several cones it is the one with the fewest basic components.
    pub basic: Vec<bool>,
    /// The largest |w - M z - q|_i relative to |w_i| + |q_i| + Σ_j |M_ij z_j|; signs and complementarity hold exactly.
    pub residual: f64,
    /// `false` if the solution lies in a singular cone together with infinitely many others. [`lemke`] does not search
    /// for other solutions and always says `true`.
    pub isolated: bool,
}

/// The solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is at least one.
    Solutions,
    /// Lemke's path ended without one: undecided.
    Ray,
    /// There is none: every cone was examined.
    None,
}

/// The solutions that were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// [`enumerate`]: every isolated solution once and at least one of every continuum, in the order of the cones, the first
    /// component changing fastest. [`lemke`]: at most one.
    pub solutions: Vec<Solution>,
    /// What this means.
    pub status: Status,
}

/// All solutions, by enumeration of the 2ⁿ complementary cones.
///
/// A cone whose columns are linearly independent holds at most one solution. In a singular cone the solutions are a
/// polyhedron; unless it holds a solution that another cone shows as well, one of its vertices is given. Solutions in
/// a polyhedron of more than one point have [`isolated`](Solution::isolated) = `false`.
/// Several cones may show the same solution, which is given once.
///
/// Fails if M is not square or larger than [`MOST_ENUMERATED`], q does not fit, or a number is not finite.
///
/// ```
/// use saltation_numerics::{dense::Matrix, lcp};
///
/// // A load carried by two springs that only push, and by two identical ones.
/// let answer = lcp::enumerate(&Matrix::from_rows([[2.0, 1.0], [1.0, 2.0]]), &[-3.0, -3.0]).unwrap();
/// assert_eq!(answer.solutions[0].z, [1.0, 1.0]);
/// let answer = lcp::enumerate(&Matrix::from_rows([[1.0, 1.0], [1.0, 1.0]]), &[-1.0, -1.0]).unwrap();
/// assert!(answer.solutions.iter().all(|solution| !solution.isolated));
/// ```
pub fn enumerate(m: &Matrix, q: &[f64]) -> Result<Answer, Failure> {
    enumerate_within(m, q, &magnitudes(q))
}

/// [`enumerate`] where the entries of q are sums of terms of these sizes: values below [`NEGLIGIBLE`] times these may be zero.
///
/// ```
/// use saltation_numerics::{dense::Matrix, lcp};
///
/// // -w = z + 1e-14 has no solution, but 1e-14 is a rounding error of 1 - 1.
/// let (m, q) = (Matrix::from_rows([[-1.0]]), [-1e-14]);
/// assert_eq!(lcp::enumerate(&m, &q).unwrap().status, lcp::Status::None);
/// assert_eq!(lcp::enumerate_within(&m, &q, &[1.0]).unwrap().solutions[0].z, [0.0]);
/// ```
pub fn enumerate_within(m: &Matrix, q: &[f64], sizes: &[f64]) -> Result<Answer, Failure> {
    enumerate_among(m, q, sizes, &|_, _| true)
}

/// [`enumerate_within`] of some cones only, where it is known that every solution lies in one of them. `wanted` is asked with a number k of components and
/// a mask, in which bit i < k says that z_i is basic: whether cones that begin with these choices are examined.
///
/// ```
/// use saltation_numerics::{dense::Matrix, lcp};
///
/// // w = -z + 1 has the solutions z = 0 and z = 1.
/// let (m, q) = (Matrix::from_rows([[-1.0]]), [1.0]);
/// let answer = lcp::enumerate_among(&m, &q, &[1.0], &|_, mask| mask == 1).unwrap();
/// assert_eq!(answer.solutions.iter().map(|s| s.z[0]).collect::<Vec<_>>(), [1.0]);
/// ```
pub fn enumerate_among(
    m: &Matrix,
    q: &[f64],
    sizes: &[f64],
    wanted: &dyn Fn(usize, u32) -> bool,
) -> Result<Answer, Failure> {
    let problem = Problem::new(m, q, sizes)?;
    if q.len() > MOST_ENUMERATED {
        return Err(Failure::TooManyCones { components: q.len() });
    }
    let solutions = cones::all_solutions(&problem, wanted)?;
    let status = if solutions.is_empty() { Status::None } else { Status::Solutions };
    Ok(Answer { solutions, status })
}

/// One solution, by Lemke's method (Management Science 11, 1965), or a ray, which decides nothing.
///
/// For q >= 0 the solution is z = 0, whatever other solutions there are. A ray proves that there is no solution for some
/// classes of matrices only, among them the copositive plus ones. Ties are broken lexicographically, so that no basis
/// recurs; one path of pivots costs n² each. Fails as [`enumerate`] does, for any number of components.
pub fn lemke(m: &Matrix, q: &[f64]) -> Result<Answer, Failure> {
    lemke_within(m, q, &magnitudes(q))
}

/// [`lemke`] where the entries of q are sums of terms of these sizes, as in [`enumerate_within`].
pub fn lemke_within(m: &Matrix, q: &[f64], sizes: &[f64]) -> Result<Answer, Failure> {
    let problem = Problem::new(m, q, sizes)?;
    Ok(match path::lemke(&problem)? {
        Some(solution) => Answer { solutions: vec![solution], status: Status::Solutions },
        None => Answer { solutions: Vec::new(), status: Status::Ray },
    })
}

/// All solutions by [`enumerate`] up to [`MOST_ENUMERATED`] components, at most one by [`lemke`] beyond.
pub fn solve(m: &Matrix, q: &[f64]) -> Result<Answer, Failure> {
    if q.len() > MOST_ENUMERATED { lemke(m, q) } else { enumerate(m, q) }
}

fn magnitudes(q: &[f64]) -> Vec<f64> {
    q.iter().map(|q| q.abs()).collect()
}
