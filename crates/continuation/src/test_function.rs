//! Test functions, which change their sign at bifurcations.
//!
//! Each is for [`Curve::locate`](crate::Curve::locate). At a fold in a parameter its part of the tangent is zero; at a branch
//! point det [J; t'] is zero; a square part of the Jacobian is singular where its determinant is zero. Determinants are taken
//! relative to that at a reference point, by their logarithms, and neither overflow nor vanish before their zero.

use saltation_numerics::blocks::{BlockMatrix, Condensation};
use saltation_numerics::elementary;

use crate::Point;

/// Whether a function is zero between two points, or at the second of them, by its values at both.
pub fn changes_sign(before: f64, after: f64) -> bool {
    before * after < 0.0 || (after == 0.0 && before != 0.0)
}

/// `unknowns[index]` less a value.
pub fn value<P>(index: usize, value: f64) -> impl FnMut(&mut P, &Point) -> Option<f64> {
    move |_, point| point.unknowns.get(index).map(|u| u - value)
}

/// The part of the tangent along an unknown, zero where the curve turns in that unknown.
pub fn fold<P>(index: usize) -> impl FnMut(&mut P, &Point) -> Option<f64> {
    move |_, point| point.tangent.get(index).copied()
}

/// det [J; t'] relative to its modulus at a reference point, zero at a branch point.
pub fn branch_point<P>(reference: &Point) -> impl FnMut(&mut P, &Point) -> Option<f64> {
    let logarithm = reference.log_determinant;
    move |_, point| relative(point.orientation, point.log_determinant - logarithm)
}

/// det K relative to its modulus at a reference point, for K = J\[columns\] + `changes`: these columns of the Jacobian, and
/// what is added to some entries, which are those of the Jacobian's pattern. Undefined where K is not square.
pub fn singular<P>(
    columns: Vec<usize>,
    changes: Vec<Change>,
    reference: &Point,
) -> impl FnMut(&mut P, &Point) -> Option<f64> {
    let mut elimination = Condensation::default();
    let mut log_determinant = move |jacobian: &BlockMatrix| {
        elimination.factor(&part(jacobian, &columns, &changes)?).ok()?;
        Some(elimination.log_determinant())
    };
    let reference = log_determinant(&reference.jacobian).map_or(0.0, |(_, logarithm)| logarithm);
    // A reference that is singular itself is none.
    let reference = if reference.is_finite() { reference } else { 0.0 };
    move |_, point| {
        let (sign, logarithm) = log_determinant(&point.jacobian)?;
        relative(sign, logarithm - reference)
    }
}

/// What is added to an entry of a matrix: its row, its column, and the summand.
pub type Change = (usize, usize, f64);

/// These columns of a Jacobian with some entries changed, if they make a square matrix that has these entries.
pub(crate) fn part(jacobian: &BlockMatrix, columns: &[usize], changes: &[Change]) -> Option<BlockMatrix> {
    let n = jacobian.rows();
    if columns.len() != n || columns.iter().any(|&column| column >= jacobian.columns()) {
        return None;
    }
    let mut part = BlockMatrix::zeros(jacobian.pattern().select(columns));
    part.take_columns(jacobian, columns);
    for &(i, j, change) in changes {
        if i >= n || j >= n || !part.pattern().has(i, j) {
            return None;
        }
        part[(i, j)] += change;
    }
    Some(part)
}

/// The number with this sign and logarithm; a logarithm too large for a number is none.
fn relative(sign: f64, logarithm: f64) -> Option<f64> {
    let size = elementary::exp(logarithm);
    if sign == 0.0 { Some(0.0) } else { size.is_finite().then_some(sign * size) }
}
