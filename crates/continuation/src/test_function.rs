//! Test functions, which change their sign at bifurcations.
//!
//! Each is for [`Curve::locate`](crate::Curve::locate). At a fold in a parameter its part of the tangent is zero; at a branch
//! point det [J; t'] is zero; a square part of the Jacobian is singular where its determinant is zero. Determinants are taken
//! relative to that at a reference point, by their logarithms, and neither overflow nor vanish before their zero.

use saltation_numerics::dense::{Elimination, Matrix};

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

/// det K relative to its modulus at a reference point, for K = J\[columns\] + `constant`: these columns of the Jacobian, and what
/// is added to them, if anything. Undefined where K is not square.
pub fn singular<P>(
    columns: Vec<usize>,
    constant: Option<Matrix>,
    reference: &Point,
) -> impl FnMut(&mut P, &Point) -> Option<f64> {
    let mut elimination = Elimination::default();
    let mut log_determinant = move |jacobian: &Matrix| {
        elimination.factor(&part(jacobian, &columns, constant.as_ref())?).ok()?;
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

/// These columns of a Jacobian and a constant matrix added to them, if the shapes fit.
pub(crate) fn part(jacobian: &Matrix, columns: &[usize], constant: Option<&Matrix>) -> Option<Matrix> {
    let n = jacobian.rows();
    let fits = columns.len() == n
        && columns.iter().all(|&column| column < jacobian.columns())
        && constant.is_none_or(|constant| (constant.rows(), constant.columns()) == (n, n));
    fits.then(|| Matrix::from_fn(n, n, |i, j| jacobian[(i, columns[j])] + constant.map_or(0.0, |c| c[(i, j)])))
}

/// The number with this sign and logarithm; a logarithm too large for a number is none.
fn relative(sign: f64, logarithm: f64) -> Option<f64> {
    let size = logarithm.exp();
    if sign == 0.0 { Some(0.0) } else { size.is_finite().then_some(sign * size) }
}
